"""Rows of one model, as the worker would give them."""


def rows_of(**times):
    """Rows of one model: each backend's times, a round each; a text is a failure, a pair is (time, error)."""
    rows = []
    for backend, values in times.items():
        for number, value in enumerate(values):
            row = {"backend": backend, "round": number, "dtype": "f32"}
            if isinstance(value, str):
                row["fail"] = value
            else:
                us, error = value if isinstance(value, tuple) else (value, 0.0)
                row.update(us=us, error=error, first_call_s=us / 10 - number, peak_rss_mib=int(us))
            rows.append(row)
    return rows


ROWS = rows_of(
    eager=[100.0, 104.0], ge=[50.0, 51.0], inductor=[40.0, 42.0], eager_again=[101.0, 99.0], ge_direct=[30.0, 30.0], openvino=[60.0, 60.0]
)

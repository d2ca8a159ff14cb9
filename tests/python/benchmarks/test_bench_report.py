"""What is printed of a run, and when the script's exit code is 1."""

import types

import speed
from harness import process, report
from sample_rows import ROWS, rows_of

RUN = {
    "started": 0.0,
    "commit": "abc",
    "torch": "2.13.0",
    "machine": {"cpu": "A CPU", "flags": ["avx2"], "cores": 2},
    "settings": {"dtype": "f32"},
    "peaks": {"flops": {"f32": 1e11, "bf16": 2e11}, "copy": 1e10, "read": {"1048576": 1e10}},
    "models": {"mlp": {"work": {"flop": 1e6, "bytes": 1e3}, "rows": ROWS}},
}


def options(geomean=0.0, least=0.0, first_call=0.0):
    return types.SimpleNamespace(need_geomean=geomean, need_min=least, need_first_call=first_call)


def test_lines_of_a_model():
    text = "\n".join(report.model_lines(RUN, "mlp"))
    assert "2.00 × eager (repeats within 2.0 %)" in text
    assert "best peer inductor; 20% of the limit" in text
    assert "limit 10.0 us (compute)" in text
    assert "A/A eager against eager 1.010" in text


def test_markdown_tables_are_whole():
    lines = report.markdown(RUN)
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) == 6
    assert len({line.count("|") for line in tables[:3]}) == len({line.count("|") for line in tables[3:]}) == 1
    assert "**0.80** (mlp: ge against inductor)" in "\n".join(lines)


def test_exit_code_needs():
    assert speed.missed(RUN, options()) == []
    assert speed.missed(RUN, options(geomean=1.2, least=0.8)) == []
    assert len(speed.missed(RUN, options(geomean=1.3, least=0.81))) == 2
    assert len(speed.missed(RUN, options(first_call=1.5))) == 1  # aot_eager was not measured: not met


def test_failure_of_ours_is_missed_without_being_asked():
    run = {**RUN, "models": {"mlp": {"work": {"fail": "no"}, "rows": rows_of(ge=["boom"], eager=[1.0])}}}
    assert speed.missed(run, options()) == ["failed: mlp: ge: boom"]
    assert "ge does not count: boom" in "\n".join(report.model_lines(run, "mlp"))
    assert report.markdown(run)


def test_changes():
    assert report.change_lines(RUN, None) == ["no earlier run with these settings on this CPU"]
    assert "0 of 3 ratios changed" in report.change_lines(RUN, RUN)[0]


def test_json_is_the_last_line():
    assert process.last_line('a warning\n{"us": 1}\n') == {"us": 1}
    assert process.last_line("Segmentation fault") is None
    assert process.last_line("") is None
    assert process.last_line("3") is None

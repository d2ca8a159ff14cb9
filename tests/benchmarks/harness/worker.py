"""One measurement in a process of its own: `python -m harness.worker measure MODEL BACKEND | work MODEL | peaks`.

Prints a JSON line. `measure`: the median call, the first call (imports and compilation included), the peak of resident memory, and the
largest difference from eager as a share of eager's largest value.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from harness import machine, models, work
from harness.backends import BACKENDS


def time_calls(call: Callable[[], Any], seconds: float, least: int = 5) -> list[float]:
    """Microseconds of each call, for `seconds` and at least `least` calls, after a tenth of that time and two calls to warm up."""

    def run(seconds: float, least: int) -> list[float]:
        times: list[float] = []
        end = time.perf_counter() + seconds
        while True:
            start = time.perf_counter()
            call()
            now = time.perf_counter()
            times.append((now - start) * 1e6)
            if now >= end and len(times) >= least:
                return times

    run(seconds / 10, 2)
    gc.collect()
    gc.disable()
    try:
        return run(seconds, least)
    finally:
        gc.enable()


def peak_rss_mib() -> int:
    """This process's own peak; what getrusage says begins with the parent's."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) // 1024


def _tensor(result: Any) -> Any:
    """The model's result; a compiled graph's own results end with it."""
    return result[-1] if isinstance(result, list | tuple) else result


def measure(name: str, backend: str, dtype: str, seconds: float) -> dict[str, Any]:
    import torch
    import torch._dynamo

    torch.set_grad_enabled(False)
    torch._dynamo.config.allow_rnn = True
    model, arguments = models.make(name, dtype)
    model(*arguments)
    expected = model(*arguments)  # a cache that the first call wrote is the same for both sides now
    start = time.perf_counter()
    call = BACKENDS[backend].build(model, arguments)
    result = _tensor(call(*arguments))
    row: dict[str, Any] = {"first_call_s": time.perf_counter() - start}
    row["error"] = float((result.double() - expected.double()).abs().max() / expected.double().abs().max())
    times = time_calls(lambda: call(*arguments), seconds)
    low, median, high = statistics.quantiles(times, n=4)
    row.update(us=median, low_us=low, high_us=high, calls=len(times), peak_rss_mib=peak_rss_mib())
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=("measure", "work", "peaks"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--dtype", choices=models.DTYPES, default="f32")
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    try:
        if options.job == "measure":
            name, backend = options.names
            row = measure(name, backend, options.dtype, options.seconds)
        elif options.job == "work":
            row = work.measure(*models.make(options.names[0], options.dtype))._asdict()
        else:
            row = machine.peaks(options.seconds)
    except Exception as error:  # the peer's fault, or ours: a row like another
        row = {"fail": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps(row))


if __name__ == "__main__":
    main()

"""Reading the machine, and limits from its peaks."""

import pytest
from harness import machine, work

CPUINFO = """processor : 0
model name : A CPU @ 2 GHz
physical id : 0
core id : 0
flags : fpu avx2 avx512f weird

processor : 1
model name : A CPU @ 2 GHz
physical id : 0
core id : 0
flags : fpu avx2 avx512f weird

processor : 2
model name : A CPU @ 2 GHz
physical id : 0
core id : 1
flags : fpu avx2 avx512f weird
"""


def test_cores_are_not_hardware_threads():
    assert machine.cpu(CPUINFO, {0, 1, 2}) == {"cpu": "A CPU @ 2 GHz", "flags": ["avx2", "avx512f"], "cores": 2}
    assert machine.cpu(CPUINFO, {0, 1})["cores"] == 1


def test_cpuinfo_without_the_usual_fields():
    assert machine.cpu("", {0, 1}) == {"cpu": "unknown CPU", "flags": [], "cores": 2}
    assert machine.cpu("processor : 0\n\nprocessor : 1\n", {0, 1})["cores"] == 2


READ = {"1000": 100.0, "10000": 50.0, "100000": 10.0}


@pytest.mark.parametrize(("amount", "rate"), [(10, 100.0), (1000, 100.0), (9999, 100.0), (10000, 50.0), (10**9, 10.0)])
def test_bandwidth_is_that_of_a_set_that_is_not_larger(amount, rate):
    assert work.bandwidth(READ, amount) == rate


def test_bandwidth_never_falls_below_that_of_a_larger_set():
    assert work.bandwidth({"1000": 5.0, "10000": 50.0}, 1000) == 50.0


def test_limit():
    assert work.limit(work.Work(flop=2e9, bytes=1000), flops=1e9, read=READ) == (10e6, "memory")
    assert work.limit(work.Work(flop=2e10, bytes=1000), flops=1e9, read=READ) == (20e6, "compute")


def test_work_of_small_models():
    torch = pytest.importorskip("torch")
    counted = work.measure(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
    assert counted == (2 * 2 * 8 * 4, 4 * (8 * 4 + 4 + 2 * 8 + 2 * 4))
    table = torch.nn.Embedding(1000, 8)  # three rows of it, and the ids and the result
    assert work.measure(table, (torch.tensor([1, 2, 3]),)).bytes == 4 * 3 * 8 + 8 * 3 + 4 * 3 * 8
    recurrent = torch.nn.LSTM(8, 4, batch_first=True)
    assert work.measure(recurrent, (torch.ones(1, 3, 8),)).flop >= 3 * 2 * 16 * (8 + 4)

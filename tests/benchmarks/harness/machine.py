"""The machine under the figures: its CPU, and its peaks, measured anew at the start of each run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MIB = 1 << 20
READ_SIZES = (1 * MIB, 16 * MIB, 64 * MIB, 128 * MIB, 512 * MIB)  # per-core cache to memory
# Flags that decide which kernels a library has.
VECTOR_FLAGS = ("sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16", "amx_int8")


def _fields(cpuinfo: str) -> list[dict[str, str]]:
    """One dict a processor."""
    blocks = [block for block in cpuinfo.split("\n\n") if block.strip()]
    return [{k.strip(): v.strip() for k, _, v in (line.partition(":") for line in block.splitlines())} for block in blocks]


def cpu(cpuinfo: str, usable: set[int]) -> dict[str, Any]:
    """Name, vector flags, and how many cores (not hardware threads) the usable processors are on."""
    processors = [p for p in _fields(cpuinfo) if int(p.get("processor", "-1")) in usable]
    first = processors[0] if processors else {}
    cores = {(p.get("physical id", ""), p.get("core id", p["processor"])) for p in processors}
    flags = set(first.get("flags", "").split())
    return {
        "cpu": first.get("model name", "unknown CPU"),
        "flags": [f for f in VECTOR_FLAGS if f in flags],
        "cores": len(cores) or len(usable),
    }


def describe() -> dict[str, Any]:
    """This machine, as far as figures of two runs must agree to be compared."""
    return cpu(Path("/proc/cpuinfo").read_text(), os.sched_getaffinity(0))


def _best(call: Callable[[], Any], seconds: float) -> float:
    """The least time of a call."""
    call()
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        call()
        now = time.perf_counter()
        best = min(best, now - start)
        if now > end:
            return best


def peaks(seconds: float) -> dict[str, Any]:
    """FLOP a second of large matrix products by dtype; bytes a second of copies and, by size of the array, of reads."""
    import torch

    flops = {}
    for name, dtype in (("f32", torch.float32), ("bf16", torch.bfloat16)):
        rates = []
        for n in (1024, 2048, 3072):
            a, b, out = torch.randn(n, n, dtype=dtype), torch.randn(n, n, dtype=dtype), torch.empty(n, n, dtype=dtype)
            rates.append(2 * n**3 / _best(lambda a=a, b=b, out=out: torch.mm(a, b, out=out), seconds))  # type: ignore[misc]
        # a convolution too: it runs on oneDNN everywhere, matrix products on MKL, which holds back on other makers' CPUs
        x, w = torch.randn(1, 256, 56, 56, dtype=dtype).to(memory_format=torch.channels_last), torch.randn(256, 256, 3, 3, dtype=dtype)
        rates.append(2 * 256 * 256 * 9 * 56 * 56 / _best(lambda x=x, w=w: torch.conv2d(x, w, padding=1), seconds))  # type: ignore[misc]
        flops[name] = max(rates)
    source = torch.ones(READ_SIZES[-1] // 4)
    target = torch.empty_like(source)
    copy = 2 * READ_SIZES[-1] / _best(lambda: target.copy_(source), seconds)
    read = {}
    for size in READ_SIZES:
        part = source[: size // 4]
        table, vector = part.view(-1, 1024), torch.ones(1024)
        # the better of two readers: a sum, and a matrix-vector product
        read[str(size)] = size / min(_best(part.sum, seconds), _best(lambda t=table, v=vector: torch.mv(t, v), seconds))  # type: ignore[misc]
    return {"flops": flops, "copy": copy, "read": read}

"""Latency of all models under all backends: a process each, rounds in alternating order, the least median of each.

    speed.py [--models mlp,unet] [--backends ge,eager] [--rounds 3] [--json FILE] [--least-geomean X] [--least X]
    speed.py --first-call          # first call of ge against that of aot_eager, in place of latency

Ratios compare like with like: ge (through torch.compile) with eager and Inductor, ge_direct (without Dynamo) with the
sessions of ONNX Runtime and OpenVINO. An A/A run comes first: eager against eager; where the two differ by over 3 %, the
machine is not quiet and the figures are doubtful. Exit code 1 where a wanted ratio is missed.
"""

import argparse
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = "mlp,dlrm,pointwise,decode,unet,lstm,resnet50,mobilenetv2,bert,gpt2"
PEERS = {"ge": ("eager", "inductor", "inductor_freeze"), "ge_direct": ("onnxruntime", "openvino")}


def measure(model, backend, seconds):
    command = [sys.executable, os.path.join(HERE, "one.py"), model, backend, "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return {"fail": done.stderr[-200:]}


def machine():
    """The CPU's name and its vector flags: without them a latency says little."""
    with open("/proc/cpuinfo") as file:
        lines = file.read().splitlines()
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    flags = next((line.split(":")[1].split() for line in lines if line.startswith("flags")), [])
    wanted = [f for f in flags if f in ("avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni", "amx_tile")]
    return f"{name}, {os.cpu_count()} CPUs, {' '.join(wanted)}"


def quiet(seconds):
    a, b = (min(measure("resnet50", "eager", seconds).get("us", math.inf) for _ in range(2)) for _ in range(2))
    verdict = "quiet" if abs(a / b - 1) < 0.03 else "NOT QUIET: figures below are doubtful"
    print(f"A/A eager resnet50: {a:.0f} and {b:.0f} us: {verdict}", flush=True)


def first_calls(models, rounds):
    worst = 0.0
    for model in models:
        best = {b: min(measure(model, b, 0.1).get("first_call_s", math.inf) for _ in range(rounds)) for b in ("ge", "aot_eager")}
        ratio = best["ge"] / best["aot_eager"]
        worst = max(worst, ratio)
        print(f"{model:12s} ge {best['ge']:.2f} s, aot_eager {best['aot_eager']:.2f} s, ratio {ratio:.2f}", flush=True)
    print(f"worst ratio {worst:.2f}")
    return worst <= 1.5


def compare(models, backends, rounds, seconds):
    """Prints a line a model; returns all rows, and the ratios `(speed-up, model, ours, best peer)`."""
    table, ratios = {}, []
    for model in models:
        rows = table[model] = {}
        for r in range(rounds):
            for backend in backends if r % 2 == 0 else backends[::-1]:
                new = measure(model, backend, seconds)
                if new.get("us", math.inf) <= rows.get(backend, {}).get("us", math.inf):
                    rows[backend] = new
        us = {backend: row.get("us", math.inf) for backend, row in rows.items()}
        line = f"{model:12s} " + " ".join(f"{backend} {value:.0f}" for backend, value in us.items())
        for ours, peers in PEERS.items():
            peers = [p for p in peers if us.get(p, math.inf) < math.inf]
            if ours in us and peers:
                best = min(peers, key=us.__getitem__)
                ratios.append((us[best] / us[ours] if us[ours] < math.inf else 1e-3, model, ours, best))
                line += f" | {ours} {ratios[-1][0]:.2f} × {best}"
        print(line, flush=True)
        for backend, row in rows.items():
            if "fail" in row:
                print(f"             {backend} failed: {row['fail']}")
    return table, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=MODELS)
    parser.add_argument("--backends", default="ge,ge_direct,eager,inductor,inductor_freeze,openvino,onnxruntime")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--json")
    parser.add_argument("--first-call", action="store_true")
    parser.add_argument("--least-geomean", type=float, default=0.0)
    parser.add_argument("--least", type=float, default=0.0)
    options = parser.parse_args()
    models = options.models.split(",")
    print(machine())
    if options.first_call:
        sys.exit(not first_calls(models, options.rounds))
    quiet(options.seconds)
    table, ratios = compare(models, options.backends.split(","), options.rounds, options.seconds)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(table, file, indent=1)
    if ratios:
        mean = math.exp(sum(math.log(r[0]) for r in ratios) / len(ratios))
        worst = min(ratios)
        print(f"geometric mean {mean:.2f}, worst {worst[0]:.2f} ({worst[1]}: {worst[2]} against {worst[3]})")
        sys.exit(mean < options.least_geomean or worst[0] < options.least)


if __name__ == "__main__":
    main()

"""Nodes after each stage of the pass pipeline, and what the passes cost beside Dynamo and AOTAutograd.

    passes.py [--models mlp,unet] [--json FILE] [--most PERCENT]

Each measurement has a process of its own. The passes' time is what the report says for passes and for the reasons of the
report, on a machine where nothing else should run; Dynamo's and AOTAutograd's is the first call under backend aot_eager less
a later call, after a small function has been compiled, so that no module's import counts. Exit code 1 where the share is
over --most (default 10).
"""

import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "models"))
MODELS = "mlp,dlrm,pointwise,decode,unet,lstm,resnet50,mobilenetv2,bert,gpt2"


def measure(name, backend):
    """One model in this process: a dict of numbers."""
    import torch
    import zoo

    torch.set_grad_enabled(False)
    torch._dynamo.config.allow_rnn = True
    torch.compile(lambda x: torch.relu(x) + 1, backend=backend)(torch.ones(3))
    model, arguments = zoo.make(name)
    model(*arguments)
    compiled = torch.compile(model, backend=backend)
    start = time.perf_counter()
    compiled(*arguments)
    first = time.perf_counter() - start
    start = time.perf_counter()
    compiled(*arguments)
    row = {"compile_s": first - (time.perf_counter() - start)}
    if backend == "ge":
        import torch_ge

        [graph] = torch_ge.explain(compiled).graphs
        row["imported"] = graph.nodes_imported
        row["stages"] = [(stage.name, stage.compute) for stage in graph.stages]
        row["left"], row["weight_nodes"] = graph.compute_nodes, graph.weight_nodes
        row["passes_s"] = graph.seconds["passes"] + graph.seconds["report"]
    return row


def in_own_process(name, backend):
    command = [sys.executable, os.path.abspath(__file__), "--measure", name, backend]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} under {backend}: {done.stderr[-400:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=MODELS)
    parser.add_argument("--json")
    parser.add_argument("--most", type=float, default=10.0)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure)))
        return 0
    rows, over = {}, []
    for name in options.models.split(","):
        row = rows[name] = in_own_process(name, "ge")
        row["dynamo_aot_s"] = in_own_process(name, "aot_eager")["compile_s"]
        row["percent"] = 100 * row["passes_s"] / row["dynamo_aot_s"]
        if row["percent"] > options.most:
            over.append(name)
        stages = " → ".join(f"{stage} {count}" for stage, count in row["stages"])
        print(f"{name}: imported {row['imported']} → {stages}; {row['left']} at a call, {row['weight_nodes']} once per set of weights")
        print(
            f"  passes {row['passes_s'] * 1e3:.1f} ms, Dynamo and AOTAutograd {row['dynamo_aot_s'] * 1e3:.0f} ms: {row['percent']:.1f} %",
            flush=True,
        )
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    if over:
        print(f"over {options.most:g} %: {', '.join(over)}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

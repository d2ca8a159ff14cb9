"""PyTorch's own operator samples (`op_db`), compiled and compared with eager.

By default every twelfth entry runs. `GE_OP_DB=all` takes the whole table, `GE_OP_DB=3/8` the fourth of eight shards of it
(`make conformance` runs the shards one after another and can be resumed). A sample is one function call in float32,
int64, bool or bfloat16; the first three of each are taken.
"""

import copy
import functools
import itertools
import os
import warnings

import pytest
import torch
import torch._dynamo
from torch.testing._internal.common_methods_invocations import op_db

from torch_ge.testing import Case, Rules, case_differences

DTYPES = (torch.float32, torch.int64, torch.bool, torch.bfloat16)
SAMPLES = 3

# Values are whatever the memory held: only dtype, shape and strides are compared.
UNINITIALISED = {"empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided"}


def selected():
    choice = os.environ.get("GE_OP_DB", "")
    if choice == "all":
        return list(op_db)
    if choice:
        shard, count = map(int, choice.split("/"))
        return [op for i, op in enumerate(op_db) if i % count == shard]
    return [op for i, op in enumerate(op_db) if i % 12 == 0]


def name_of(op):
    return op.name + ("." + op.variant_test_name if op.variant_test_name else "")


def samples_of(op, dtype):
    torch.manual_seed(0)
    generator = op.sample_inputs("cpu", dtype)
    return list(itertools.islice(generator, SAMPLES))


def _zero_values(result):
    """The result's form, without its values."""
    return torch.utils._pytree.tree_map(lambda t: torch.zeros_like(t) if isinstance(t, torch.Tensor) else t, result)


@pytest.mark.parametrize("op", selected(), ids=name_of)
def test_samples(op, backend):
    warnings.simplefilter("ignore")
    problems, count = [], 0
    for dtype in DTYPES:
        if dtype not in op.supported_dtypes("cpu"):
            continue
        for i, sample in enumerate(samples_of(op, dtype)):
            count += 1
            torch._dynamo.reset()

            def program(x, *args, _kwargs=sample.kwargs):
                return op.op(x, *args, **_kwargs)

            arguments = (sample.input, *sample.args)
            rules = Rules(random_state=True)
            call = functools.partial(_call_form, op.name)
            make = functools.partial(_both, program, arguments)
            found = case_differences(Case(make, call, torch.no_grad, rules=rules), backend)
            if found and backend != "aot_eager":
                torch._dynamo.reset()
                expected = case_differences(Case(make, call, torch.no_grad, rules=rules), "aot_eager")
                found = [] if expected == found else found  # AOTAutograd's own difference
            elif found:
                found = []
            problems += [f"{dtype} sample {i}: {line}" for line in found]
    assert not problems, "\n" + "\n".join(problems[:20])


def _call_form(name, f, arguments):
    result = f(*arguments)
    return _zero_values(result) if name in UNINITIALISED else result


def _both(program, arguments):
    return program, [copy.deepcopy(arguments)]

"""How much a model has to do at least: its floating-point operations, and the bytes that it cannot help reading and writing.

    limit = max(FLOP / peak FLOP rate, bytes / read bandwidth)

FLOP are those of matrix products and convolutions. Bytes are those of parameters and buffers that an operator reads, arguments and
results; of an embedding's table, the rows that are looked up. Intermediate results may stay in caches: they do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Work(NamedTuple):
    flop: float
    bytes: float


class Limit(NamedTuple):
    us: float
    bound: str  # "compute" or "memory"


def bandwidth(read: Mapping[str, float], amount: float) -> float:
    """Bytes a second for a working set: what the largest measured set that is not larger reads. Smaller sets are never slower."""
    sizes = sorted(int(size) for size in read)
    fitting = [size for size in sizes if size <= amount] or sizes[:1]
    return max(read[str(size)] for size in sizes if size >= fitting[-1])


def limit(work: Work, flops: float, read: Mapping[str, float]) -> Limit:
    """The least time on a machine with these peaks."""
    compute, memory = work.flop / flops * 1e6, work.bytes / bandwidth(read, work.bytes) * 1e6
    return Limit(compute, "compute") if compute > memory else Limit(memory, "memory")


def _size(tensor: Any) -> int:
    return int(tensor.numel() * tensor.element_size())


def measure(model: Any, arguments: tuple[Any, ...]) -> Work:
    """Counts during one eager call."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    from torch.utils.flop_counter import FlopCounterMode

    state = {t.untyped_storage().data_ptr(): _size(t) for t in [*model.parameters(), *model.buffers()]}
    touched: dict[int, int] = {}
    rows = {torch.ops.aten.embedding, torch.ops.aten.index_select, torch.ops.aten.index}
    bags = {torch.ops.aten._embedding_bag, torch.ops.aten._embedding_bag_forward_only}

    class Reads(TorchDispatchMode):
        """Notes how many bytes of each parameter and buffer are read."""

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            if func.is_view:
                return result
            for i, tensor in enumerate(t for t in tree_leaves((args, kwargs or {})) if isinstance(t, torch.Tensor)):
                key = tensor.untyped_storage().data_ptr()
                if key not in state:
                    continue
                amount = state[key]
                if i == 0 and func.overloadpacket in rows:
                    amount = min(amount, _size(result))
                elif i == 0 and func.overloadpacket in bags:
                    amount = min(amount, args[1].numel() * tensor.shape[1] * tensor.element_size())
                elif i == 0 and func.overloadpacket is torch.ops.aten.index_copy_:
                    amount = min(amount, _size(args[3]))
                touched[key] = max(touched.get(key, 0), amount)
            return result

    flops = FlopCounterMode(display=False)
    # oneDNN's recurrent layer is one operator that nobody counts; without it, it is matrix products.
    with torch.no_grad(), torch.backends.mkldnn.flags(enabled=False), flops, Reads():
        result = model(*arguments)
    ends = sum(_size(t) for t in tree_leaves((arguments, result)) if isinstance(t, torch.Tensor))
    return Work(float(flops.get_total_flops()), float(sum(touched.values()) + ends))

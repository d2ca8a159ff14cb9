"""Decompositions of operators that torch.export keeps whole and for which a smaller operator has a kernel of its own.

Each returns NotImplemented where it does not apply; the operator then stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

_LSTM_MODE = 2  # what aten::mkldnn_rnn_layer calls LSTM


def lstm(
    x: torch.Tensor,
    state: Sequence[torch.Tensor],
    params: Sequence[torch.Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Any:
    """aten::lstm.input as one aten::mkldnn_rnn_layer a layer and direction, as torch.compile delivers it in inference.

    x: (time, batch, features), or (batch, time, features) with batch_first. Does not apply in training (dropout between
    layers), with projections, or to other dtypes than float32 and bfloat16 on the CPU.
    """
    hidden, cell = state
    tensors = [x, hidden, cell, *params]
    plain = all(t.device.type == "cpu" and t.dtype is x.dtype for t in tensors)
    if train or not plain or x.dtype not in (torch.float32, torch.bfloat16) or hidden.shape != cell.shape or x.dim() != 3:
        return NotImplemented
    per_layer = 4 if has_biases else 2
    directions = 2 if bidirectional else 1
    if len(params) != per_layer * num_layers * directions:
        return NotImplemented
    hidden_size = hidden.shape[2]
    y = x.transpose(0, 1) if batch_first else x
    last_hidden, last_cell = [], []
    for layer in range(num_layers):
        y = y.contiguous()
        results = []
        for direction in range(directions):
            k = layer * directions + direction
            weights = list(params[k * per_layer : (k + 1) * per_layer])
            if not has_biases:
                weights += [weights[0].new_zeros(4 * hidden_size)] * 2
            initial = (hidden[k].unsqueeze(0).contiguous(), cell[k].unsqueeze(0).contiguous())
            flags = (bool(direction), [], _LSTM_MODE, hidden_size, 1, has_biases, False, False, False)
            steps, h, c, _ = torch.ops.aten.mkldnn_rnn_layer.default(y, *weights, *initial, *flags)
            results.append(steps)
            last_hidden.append(h.reshape(hidden.shape[1:]))
            last_cell.append(c.reshape(cell.shape[1:]))
        y = results[0] if directions == 1 else torch.cat(results, -1)
    return y.transpose(0, 1) if batch_first else y, torch.stack(last_hidden), torch.stack(last_cell)


def _inline(op: Any) -> Callable[..., Any]:
    """The operator as PyTorch itself composes it: what torch.compile delivers in its place.

    Not op.decompose: while torch.export decomposes, that leads back here.
    """
    key = torch._C.DispatchKey.CompositeImplicitAutograd
    return lambda *args, **kwargs: op._op_dk(key, *args, **kwargs)


#: Operators that PyTorch composes of others, and that have no operator of ours; the parts have.
_COMPOSED = [
    torch.ops.aten.adaptive_avg_pool1d.default,
    torch.ops.aten.adaptive_avg_pool2d.default,
    torch.ops.aten.adaptive_avg_pool3d.default,
    torch.ops.aten.batch_norm.default,
    torch.ops.aten.embedding_bag.padding_idx,
    torch.ops.aten.group_norm.default,
    torch.ops.aten.instance_norm.default,
    torch.ops.aten.max_pool1d.default,
    torch.ops.aten.max_pool2d.default,
    torch.ops.aten.max_pool3d.default,
    torch.ops.aten.upsample_bicubic2d.vec,
    torch.ops.aten.upsample_bilinear2d.vec,
    torch.ops.aten.upsample_linear1d.vec,
    torch.ops.aten.upsample_nearest1d.vec,
    torch.ops.aten.upsample_nearest2d.vec,
    torch.ops.aten.upsample_nearest3d.vec,
    torch.ops.aten.upsample_trilinear3d.vec,
]

#: What `torch_ge.compile` asks torch.export to take apart.
EXPORT: dict[Any, Callable[..., Any]] = {torch.ops.aten.lstm.input: lstm, **{op: _inline(op) for op in _COMPOSED}}

"""Attention: fully masked rows, NaN in values, changing lengths, grouped heads, hand-written forms and near misses."""

import torch
import torch.nn.functional as F
from programs import calls, collect, program

SDPA = F.scaled_dot_product_attention
MASK = torch.tensor([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]).bool()


@calls((torch.randn(1, 2, 4, 8), torch.randn(1, 2, 5, 8), torch.randn(1, 2, 5, 8), MASK))
def fully_masked_rows(q, k, v, m):
    added = torch.zeros(4, 5).masked_fill(~m, float("-inf"))
    low = torch.zeros(4, 5).masked_fill(~m, torch.finfo(torch.float32).min)
    return (
        SDPA(q, k, v, m),
        SDPA(q, k, v, added),
        SDPA(q, k, v, low),
        SDPA(q, k, v, is_causal=True),
        SDPA(q, k, v, scale=0.3),
        SDPA(q, k, v, m[None, None].expand(1, 2, 4, 5)),
        SDPA(q, k, v, m[:1]),
    )


def _inputs():
    q, k, v = (torch.randn(2, 3, 4) for _ in range(3))
    broken = v.clone()
    broken[0, 2, 0] = float("nan")
    mask = torch.tensor([[True, True, False], [False, False, False], [True, True, True]])
    return [(q, k, v, mask), (q, k, broken, mask)]


@program()
def hand_written_attention_with_masked_rows():
    def f(q, k, v, m):
        p = (q @ k.transpose(-2, -1) * 0.25).masked_fill(~m, float("-inf")).softmax(-1)
        return p @ v, torch.nan_to_num(p) @ v

    return f, _inputs()


@program()
def hand_written_attention_near_misses():
    def f(q, k, v, m):
        s = q @ k.transpose(-2, -1)
        bias = torch.zeros(3, 3).masked_fill(~m, -1e9)
        return (
            (s / 2).softmax(-1) @ v, (s / 2).softmax(-2) @ v, (s * 0.1 + bias).softmax(-1) @ v, s.softmax(-1) @ k, s.softmax(-1) @ q,
            s.softmax(-1).mean(0) @ v, (s.softmax(-1) * m) @ v, torch.softmax(s / 2 + bias[None], -1).transpose(1, 2) @ v, s.sigmoid() @ v,
        )  # fmt: skip

    return f, _inputs()


@program()
def grouped_heads_and_changing_lengths():
    def f(q, k, v):
        return SDPA(q, k, v, enable_gqa=True), SDPA(q[:, :2], k, v)

    def t(lq, lk, d):
        return torch.randn(2, 4, lq, d), torch.randn(2, 2, lk, d), torch.randn(2, 2, lk, d)

    return f, [t(3, 3, 8), t(1, 7, 8), t(4, 5, 16)]


@program()
def causal_lengths_change():
    return lambda q, k: SDPA(q, k, k, is_causal=True), [
        (torch.randn(1, 2, n, 8), torch.randn(1, 2, m, 8)) for n, m in ((4, 4), (6, 4), (1, 1), (3, 9))
    ]


@calls((torch.tensor([[3, 1, 0, 0], [5, 0, 0, 0]]), torch.randn(2, 4, 4)))
def padding_mask_written_into_scores(tokens, s):
    m = tokens.data.eq(0).unsqueeze(1).expand(2, 4, 4)
    s = s * 0.5
    s.masked_fill_(m, -1e9)
    return s.softmax(-1), m


@program(train=True)
def attention_with_gradients():
    def f(q, k, v):
        return SDPA(q, k, v), SDPA(q, k, v, is_causal=True), SDPA(q, k, v, torch.ones(3, 3).tril().log())

    return f, [tuple(torch.randn(1, 2, 3, 4, requires_grad=True) for _ in range(3))]


@program(context=torch.no_grad)
def library_attention_modules():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.MultiheadAttention(8, 2, batch_first=True)
            self.e = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
            self.d = torch.nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0)

        def forward(self, x, pad):
            y, w = self.a(x, x, x, key_padding_mask=pad)
            return y, w, self.e(x), self.e(x, src_key_padding_mask=pad), self.d(x, x)

    pad = torch.tensor([[False, False, True], [False, False, False]])
    return Net().eval(), [(torch.randn(2, 3, 8), pad)]


@calls((torch.randn(2, 4, 6), torch.tensor([2, 5])))
def rotary_embedding_and_cache_positions(x, pos):
    angle = pos[:, None].float() * torch.arange(3.0)[None] / 3
    cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)
    turned = torch.cat([-x[..., 3:], x[..., :3]], -1)
    return x * cos[:, None] + turned * sin[:, None], (torch.arange(6) <= pos[:, None])


test_attention = collect(globals())

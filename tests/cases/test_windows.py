"""Pooling, padding, folding, resizing, convolution: rounding of window counts, divisors, cropping, memory formats."""

import torch
import torch.nn.functional as F
from programs import calls, collect, program

LAST = torch.channels_last


@calls((torch.randn(1, 2, 6, 7), torch.randn(1, 2, 9)))
def pooling_with_ceil_mode(x, y):
    return (
        F.max_pool2d(x, 1, 2, ceil_mode=True), F.max_pool2d(x, 3, 2, 1, ceil_mode=True), F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
        F.avg_pool2d(x, 2, divisor_override=3, ceil_mode=True), F.avg_pool1d(y, 4, 4, 2, ceil_mode=True), F.max_pool1d(y, 2, 3, 1, ceil_mode=True), F.avg_pool2d(x, 4, 4, 2, ceil_mode=True),
        F.avg_pool3d(x[None], (1, 3, 2), 2, ceil_mode=True), F.max_pool3d(x[None], 2, ceil_mode=True),
    )  # fmt: skip


@calls((torch.randn(2, 3, 8, 7),), (torch.randn(2, 3, 8, 7).to(memory_format=LAST),))
def pooling_variants(x):
    return (
        F.max_pool2d(x, 3, 2, dilation=2), F.max_pool2d(x, (2, 3), return_indices=True), F.max_pool2d(-x.abs(), 3, 1, 1), F.avg_pool2d(x, (3, 2), (1, 2), (1, 0)), F.adaptive_avg_pool2d(x, 1),
        F.adaptive_avg_pool2d(x, (3, 5)), F.adaptive_max_pool2d(x, 2), F.lp_pool2d(x, 2, 2), F.max_pool2d(x[0], 2), F.adaptive_avg_pool2d(x, (None, 2)), F.avg_pool2d(x, 8 if x.size(2) < 8 else 7),
    )  # fmt: skip


@program(train=True)
def pooling_gradients():
    def f(x):
        return (
            F.avg_pool2d(x, 3, 2, ceil_mode=True),
            F.avg_pool1d(x[0], 3, 2, ceil_mode=True),
            F.max_pool2d(x, 2, 1),
            F.adaptive_avg_pool2d(x, 4),
            F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        )

    return f, [(torch.randn(1, 2, 6, 6, requires_grad=True),)]


@calls((torch.arange(12.0).reshape(3, 4), torch.tensor([1, 2, 3])))
def padding_and_cropping(x, n):
    return (
        F.pad(x, (-1, 2)), F.pad(x, (0, -2)) @ torch.ones(2, 3), F.pad(x, (1, 1, -1, 0), value=-7.5), F.pad(n, (1, 0), value=3), F.pad(x, (0, 0)), F.pad(n.cumsum(0), (1, 0)), F.pad(x[None], (2, 1), mode="reflect"),
        F.pad(x[None], (1, 3), mode="replicate"), F.pad(x[None], (2, 2), mode="circular"), F.pad(n > 2, (1, 1), value=True), F.pad(x.sum(0), (1, 1)), F.pad(x, (-2, -2)), F.pad(x, (1, 1), value=float("-inf")).softmax(-1),
        F.pad(x, (1, -1, -1, 1)), F.pad(F.pad(x, (1, 0)), (-1, 0)), F.pad(n, (0, 2), value=-1.0), torch.constant_pad_nd(x, (1,) * 4, 2),
    )  # fmt: skip


@calls((torch.randn(2, 3, 4, 5).to(memory_format=LAST),), (torch.randn(2, 4, 5, 3).permute(0, 3, 1, 2)[:, :, 1:],))
def padding_keeps_the_memory_format(x):
    return (
        F.pad(x, (1, 1, 1, 2), mode="reflect"),
        F.pad(x, (0, -1)),
        F.pad(x, (1, 0, 0, 0)),
        x.permute(0, 2, 3, 1) + 1,
        F.pad(x, (1, 1), mode="replicate"),
        F.pad(x, (0, 0, 0, 0, 1, 0)),
    )


@calls((torch.randn(4, 4), torch.randn(1, 2, 4, 4)))
def folding_overlapping_windows(x, y):
    return (
        F.fold(x, (4, 4), 2, stride=2),
        F.fold(F.unfold(y, 3, padding=1), (4, 4), 3, padding=1),
        F.unfold(y, 2, dilation=2),
        F.pixel_shuffle(y.repeat(1, 2, 1, 1), 2),
        F.pixel_unshuffle(y, 2),
        F.channel_shuffle(y.repeat(1, 2, 1, 1), 2),
    )


@program()
def resizing_keeps_strides():
    def f(x, y):
        return (
            F.interpolate(x, size=(3, 4, 5), mode="nearest"), F.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False), F.interpolate(y, size=(3, 7), mode="nearest"),
            F.interpolate(y, size=(3, 7), mode="bilinear", align_corners=True), F.interpolate(y, scale_factor=0.5, mode="area"), F.interpolate(y, scale_factor=1.7, mode="nearest-exact"),
            F.interpolate(y, size=6, mode="bicubic"), F.interpolate(y[0], scale_factor=2.5, mode="linear"), F.interpolate(y, size=(2, 3), mode="bilinear", antialias=True),
        )  # fmt: skip

    x = torch.randn(2, 3, 4, 2, 2).permute(0, 4, 1, 2, 3)
    return f, [(x, torch.randn(1, 3, 4, 4).to(memory_format=LAST)), (x.contiguous(), torch.randn(1, 3, 4, 4))]


@program(context=torch.no_grad)
def convolutions():
    w, v = torch.randn(6, 2, 3, 3), torch.randn(4, 3, 2, 2)

    def f(x, y):
        return (
            F.conv2d(x, w, groups=2), F.conv2d(x, w, torch.arange(6.0), padding="same", groups=2), F.conv2d(x, w[:, :1].repeat(1, 4, 1, 1), stride=(2, 1), padding=(1, 2), dilation=(1, 2)), F.conv2d(x[0], w, groups=2),
            F.conv_transpose2d(x, v, stride=2, output_padding=1), F.conv_transpose2d(x, v, padding=1, dilation=2), F.conv1d(y, w[:, :, 0], padding=1), F.conv2d(x, w[:4, :1], groups=4), F.conv3d(x[:, None], w[:, :1, None]),
            F.conv2d(x[:0], w, groups=2), F.conv2d(x.bfloat16(), w.bfloat16(), groups=2), F.conv2d(x.double(), w.double(), groups=2), F.conv2d(x.transpose(2, 3), w, groups=2), F.conv1d(y, w[:, :1, 0].repeat(1, 2, 1)),
        )  # fmt: skip

    return f, [(torch.randn(2, 4, 6, 5), torch.randn(1, 2, 7)), (torch.randn(2, 4, 6, 5).to(memory_format=LAST), torch.randn(1, 7, 2).mT)]


@program(train=True)
def convolution_gradients():
    m = torch.nn.Sequential(
        torch.nn.Conv2d(2, 4, 3, padding=1, groups=2),
        torch.nn.ReLU(),
        torch.nn.ConvTranspose2d(4, 2, 2, stride=2),
        torch.nn.Conv2d(2, 1, 1, bias=False),
    )
    return m, [(torch.randn(2, 2, 4, 5, requires_grad=True),), (torch.randn(1, 2, 4, 5).to(memory_format=LAST),)]


@calls((torch.randn(1, 2, 4, 4), torch.rand(1, 3, 3, 2) * 2.4 - 1.2))
def sampling_on_grids(x, grid):
    return [
        F.grid_sample(x, grid, mode, pad, align_corners=corners)
        for mode in ("bilinear", "nearest")
        for pad in ("zeros", "border", "reflection")
        for corners in (False, True)
    ]


test_windows = collect(globals())

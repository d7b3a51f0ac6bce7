#!/usr/bin/env python3
"""Records what PyTorch computes, in float64, for tests/nn to compare with.

    pip install torch safetensors numpy
    tests/reference/record_torch.py tests/reference/data/torch.safetensors

Images are written as [N, H, W, C], convolution kernels as [KH, KW, C_in, C_out] and dense kernels as [in, out], which
are PyTorch's NCHW, OIHW and [out, in] transposed. Gradients are those of sum(result * weights), with "weights" recorded.
"""
import sys

import numpy
import safetensors.torch
import torch
import torch.nn.functional as F

torch.manual_seed(20260101)
torch.set_default_dtype(torch.float64)
records = {}


def record(case, **tensors):
    for name, tensor in tensors.items():
        records[f"{case}/{name}"] = torch.as_tensor(tensor).detach().contiguous().clone()


def nhwc(x):
    return x.permute(0, 2, 3, 1)


def hwio(kernel):
    return kernel.permute(2, 3, 1, 0)


def gradients(y, *xs):
    """Random weights, and the gradients of sum(y * weights)."""
    weights = torch.randn_like(y)
    return weights, torch.autograd.grad((y * weights).sum(), xs)


def dense():
    for case, bias in (("dense", True), ("dense_no_bias", False)):
        layer = torch.nn.Linear(5, 7, bias=bias)
        x = torch.randn(4, 5, requires_grad=True)
        y = layer(x)
        weights, (dx, dkernel) = gradients(y, x, layer.weight)
        record(case, x=x, kernel=layer.weight.T, y=y, weights=weights, dx=dx, dkernel=dkernel.T)
        if bias:
            record(case, bias=layer.bias, dbias=weights.sum(0))


def convolution():
    cases = {
        "conv_valid": dict(kernel_size=3),
        "conv_strided": dict(kernel_size=(3, 2), stride=2, padding=1),
        "conv_dilated": dict(kernel_size=3, dilation=2, padding=2),
        "conv_1x1": dict(kernel_size=1, bias=False),
        "conv_asymmetric": dict(kernel_size=(5, 1), stride=(1, 2), padding=(2, 0)),
    }
    for case, arguments in cases.items():
        layer = torch.nn.Conv2d(3, 4, **arguments)
        x = torch.randn(2, 3, 9, 8, requires_grad=True)
        y = layer(x)
        weights, (dx, dkernel) = gradients(y, x, layer.weight)
        record(case, x=nhwc(x), kernel=hwio(layer.weight), y=nhwc(y), weights=nhwc(weights), dx=nhwc(dx),
               dkernel=hwio(dkernel))
        if layer.bias is not None:
            record(case, bias=layer.bias, dbias=weights.sum((0, 2, 3)))


def pooling():
    x = torch.randn(2, 3, 7, 6, requires_grad=True)
    cases = {
        "max_pool": lambda: F.max_pool2d(x, 2, 2),
        "max_pool_overlapping": lambda: F.max_pool2d(x, 3, 2, padding=1),
        "average_pool": lambda: F.avg_pool2d(x, 2, 2),
        "average_pool_padded": lambda: F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=False),
        "global_average_pool": lambda: F.adaptive_avg_pool2d(x, 1),
    }
    for case, call in cases.items():
        y = call()
        weights, (dx,) = gradients(y, x)
        if case == "global_average_pool":
            y, weights = y.flatten(1), weights.flatten(1)
        else:
            y, weights = nhwc(y), nhwc(weights)
        record(case, x=nhwc(x), y=y, weights=weights, dx=nhwc(dx))


def batch_norm():
    for case, shape in (("batch_norm_2d", (4, 3, 5, 2)), ("batch_norm_1d", (6, 3))):
        layer = (torch.nn.BatchNorm2d if len(shape) == 4 else torch.nn.BatchNorm1d)(shape[1], momentum=0.1, eps=1e-5)
        with torch.no_grad():
            layer.weight.normal_()
            layer.bias.normal_()
        flip = nhwc if len(shape) == 4 else lambda t: t
        record(case, gamma=layer.weight, beta=layer.bias)
        for step in range(2):  # twice, so that the moving statistics start from something
            x = (torch.randn(shape) * 2 + 3).requires_grad_()
            y = layer(x)
            weights, (dx, dgamma, dbeta) = gradients(y, x, layer.weight, layer.bias)
            record(f"{case}/train{step}", x=flip(x), y=flip(y), weights=flip(weights), dx=flip(dx), dgamma=dgamma,
                   dbeta=dbeta, moving_mean=layer.running_mean, moving_variance=layer.running_var)
        layer.eval()
        x = torch.randn(shape, requires_grad=True)
        y = layer(x)
        weights, (dx, dgamma, dbeta) = gradients(y, x, layer.weight, layer.bias)
        record(f"{case}/eval", x=flip(x), y=flip(y), weights=flip(weights), dx=flip(dx), dgamma=dgamma, dbeta=dbeta)


def activations():
    x = (torch.randn(3, 5) * 2).requires_grad_()
    for case, call in (("relu", F.relu), ("tanh", torch.tanh), ("gelu", lambda t: F.gelu(t, approximate="tanh"))):
        y = call(x)
        weights, (dx,) = gradients(y, x)
        record(case, x=x, y=y, weights=weights, dx=dx)


def losses():
    logits = (torch.randn(6, 5) * 3).requires_grad_()
    labels = torch.tensor([0, 4, 2, 2, 1, 3])
    probabilities = torch.softmax(torch.randn(6, 5), -1)
    cases = {
        "cross_entropy": lambda: F.cross_entropy(logits, labels, reduction="none"),
        "cross_entropy_smooth": lambda: F.cross_entropy(logits, labels, reduction="none", label_smoothing=0.1),
        "cross_entropy_soft": lambda: F.cross_entropy(logits, probabilities, reduction="none"),
        "cross_entropy_soft_smooth": lambda: F.cross_entropy(logits, probabilities, reduction="none",
                                                             label_smoothing=0.1),
    }
    for case, call in cases.items():
        y = call()
        weights, (dx,) = gradients(y, logits)
        record(case, x=logits, labels=probabilities if "soft" in case else labels, y=y, weights=weights, dx=dx)

    x = (torch.randn(4, 3, 2) * 4).requires_grad_()
    target = torch.rand(4, 3, 2)
    y = F.binary_cross_entropy_with_logits(x, target, reduction="none").mean((1, 2))
    weights, (dx,) = gradients(y, x)
    record("binary_cross_entropy", x=x, labels=target, y=y, weights=weights, dx=dx)
    y = F.mse_loss(x, target, reduction="none").mean((1, 2))
    weights, (dx,) = gradients(y, x)
    record("mean_squared_error", x=x, labels=target, y=y, weights=weights, dx=dx)


def optimizers():
    """Five updates of two parameters by recorded gradients; parameters after each."""
    steps = 5
    start = [torch.randn(3, 2), torch.randn(4)]
    grads = [[torch.randn_like(p) for p in start] for _ in range(steps)]
    record("optimizer", p0=start[0], p1=start[1], g0=torch.stack([g[0] for g in grads]),
           g1=torch.stack([g[1] for g in grads]))
    cases = {
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
        "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        "nesterov": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
        "adam": lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.9, 0.999), eps=1e-8),
        "adam_large_epsilon": lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.8, 0.9), eps=0.1),
        "adamw": lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1),
        "sgd_clipped": lambda p: torch.optim.SGD(p, lr=0.1),
    }
    for case, make in cases.items():
        parameters = [p.clone().requires_grad_() for p in start]
        optimizer = make(parameters)
        after = [[], []]
        for step in range(steps):
            # By hand, since clip_grad_norm_ adds 1e-6 to the norm. The limit is below some norms and above others.
            norm = torch.sqrt(sum((g * g).sum() for g in grads[step]))
            scale = min(1.0, 3.0 / norm.item()) if case == "sgd_clipped" else 1.0
            for p, g in zip(parameters, grads[step]):
                p.grad = g * scale
            optimizer.step()
            for history, p in zip(after, parameters):
                history.append(p.detach().clone())
        record(case, p0=torch.stack(after[0]), p1=torch.stack(after[1]))


def schedules():
    def rates(make, base=0.5):
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=base)
        scheduler = make(optimizer)
        values = []
        for _ in range(25):
            values.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return torch.tensor(values)

    lr = torch.optim.lr_scheduler
    record("schedule", exponential=rates(lambda o: lr.ExponentialLR(o, 0.9)),
           staircase=rates(lambda o: lr.StepLR(o, 4, 0.3)),
           # After T_max PyTorch's cosine rises again; ours stays, so the comparison ends there.
           cosine=rates(lambda o: lr.CosineAnnealingLR(o, 20, 0.05))[:21],
           piecewise=rates(lambda o: lr.MultiStepLR(o, [5, 12], 0.1)),
           warmup=rates(lambda o: lr.SequentialLR(
               o, [lr.LinearLR(o, 0.2, 1.0, 5), lr.ExponentialLR(o, 0.9)], [5])))


if __name__ == "__main__":
    for part in (dense, convolution, pooling, batch_norm, activations, losses, optimizers, schedules):
        part()
    safetensors.torch.save_file(records, sys.argv[1], metadata={"torch": torch.__version__, "numpy": numpy.__version__})

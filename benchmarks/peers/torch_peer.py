"""Training steps in PyTorch."""
import sys

import protocol

try:
    import torch
    from torch import nn
except Exception as error:
    protocol.missing(error)

BATCH = 128
torch.manual_seed(0)
if sys.argv[1] == "cnn":
    model = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
                          nn.MaxPool2d(2), nn.Flatten(), nn.Linear(14 * 14 * 64, 128), nn.ReLU(), nn.Linear(128, 10))
else:
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
image, label = torch.rand(BATCH, 1, 28, 28), torch.arange(BATCH) % 10


def step():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(image), label).backward()
    optimizer.step()


protocol.serve(step, lambda: None)

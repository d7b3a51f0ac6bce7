"""write_safetensors.py FILE: a file of the safetensors package's own making, for the library to read."""

import sys

import numpy
import safetensors.numpy

safetensors.numpy.save_file(
    {
        "float32": numpy.arange(6, dtype="float32").reshape(2, 3) / 4,
        "float16": numpy.array([0.5, -2.0, 65504.0], dtype="float16"),
        "float64": numpy.array(1e300),
        "int64": numpy.array([-(2**63), 2**63 - 1]),
        "uint8": numpy.arange(5, dtype="uint8"),
        "bool": numpy.array([[True], [False]]),
        "empty": numpy.zeros((0, 7), dtype="int32"),
    },
    sys.argv[1],
    metadata={"format": "np", "naïve": "ü"},
)

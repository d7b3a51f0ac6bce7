"""read_checkpoint.py FILE: what the safetensors package reads from FILE, as JSON.

{"metadata": {key: text}, "tensors": {name: {"dtype", "shape", "sum", "values"}}}; numbers are float64 (NaN and Infinity
unquoted), values are flat and given for tensors of at most 1000 elements.
"""

import json
import sys

import numpy
import safetensors


def read_bfloat16(raw):
    """numpy has no bfloat16: its bits are the upper half of a float32's."""
    return (numpy.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")


def main(path):
    with open(path, "rb") as file:
        raw = dict(safetensors.deserialize(file.read()))
    tensors = {}
    with safetensors.safe_open(path, framework="np") as file:
        metadata = file.metadata() or {}
        for name in file.keys():
            dtype = raw[name]["dtype"]
            array = read_bfloat16(raw[name]["data"]) if dtype == "BF16" else file.get_tensor(name)
            flat = array.astype("float64").ravel()
            tensors[name] = {"dtype": dtype, "shape": raw[name]["shape"], "sum": float(flat.sum())}
            if flat.size <= 1000:
                tensors[name]["values"] = flat.tolist()
    print(json.dumps({"metadata": metadata, "tensors": tensors}))


if __name__ == "__main__":
    main(sys.argv[1])

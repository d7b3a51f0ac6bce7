"""read_events.py DIRECTORY: the scalars and histograms that TensorBoard's EventAccumulator finds there, as JSON.

{"scalars": {tag: [[step, value, wall_time], ...]},
 "histograms": {tag: [{"step", "min", "max", "num", "sum", "sum_squares", "bucket_limits", "bucket_counts",
                       "drawn": [[from, to, count], ...]}, ...]}}

"drawn" are the buckets after the conversion that TensorBoard makes for its pictures. NaN and Infinity are unquoted.
"""

import json
import sys

from tensorboard import data_compat
from tensorboard.backend.event_processing import event_accumulator
from tensorboard.compat.proto import summary_pb2
from tensorboard.util import tensor_util


def drawn(histogram):
    value = summary_pb2.Summary.Value(tag="any")
    value.histo.min = histogram.min
    value.histo.max = histogram.max
    value.histo.bucket_limit.extend(histogram.bucket_limit)
    value.histo.bucket.extend(histogram.bucket)
    return tensor_util.make_ndarray(data_compat.migrate_value(value).tensor).tolist()


def read_histogram(event):
    histogram = event.histogram_value
    return {
        "step": event.step,
        "min": histogram.min,
        "max": histogram.max,
        "num": histogram.num,
        "sum": histogram.sum,
        "sum_squares": histogram.sum_squares,
        "bucket_limits": list(histogram.bucket_limit),
        "bucket_counts": list(histogram.bucket),
        "drawn": drawn(histogram),
    }


def main(directory):
    everything = {event_accumulator.SCALARS: 0, event_accumulator.HISTOGRAMS: 0}
    accumulator = event_accumulator.EventAccumulator(directory, size_guidance=everything)
    accumulator.Reload()
    tags = accumulator.Tags()
    scalars = {}
    for tag in tags["scalars"]:
        scalars[tag] = [[event.step, event.value, event.wall_time] for event in accumulator.Scalars(tag)]
    histograms = {}
    for tag in tags["histograms"]:
        histograms[tag] = [read_histogram(event) for event in accumulator.Histograms(tag)]
    print(json.dumps({"scalars": scalars, "histograms": histograms}))


if __name__ == "__main__":
    main(sys.argv[1])

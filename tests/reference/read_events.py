"""read_events.py DIRECTORY: the scalars that TensorBoard's EventAccumulator finds there, as JSON.

{tag: [[step, value, wall_time], ...]}, NaN and Infinity unquoted.
"""

import json
import sys

from tensorboard.backend.event_processing import event_accumulator


def main(directory):
    accumulator = event_accumulator.EventAccumulator(directory, size_guidance={event_accumulator.SCALARS: 0})
    accumulator.Reload()
    scalars = {}
    for tag in accumulator.Tags()["scalars"]:
        scalars[tag] = [[event.step, event.value, event.wall_time] for event in accumulator.Scalars(tag)]
    print(json.dumps(scalars))


if __name__ == "__main__":
    main(sys.argv[1])

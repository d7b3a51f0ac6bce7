"""What a peer says: "ready" (or "missing: why"), then for each line with a count the seconds that so many steps took."""
import sys
import time


def missing(why):
    print("missing: " + str(why), flush=True)
    sys.exit(0)


def serve(step, wait):
    """step() starts one training step; wait() waits for all that were started."""
    step()
    wait()
    print("ready", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        for _ in range(int(line)):
            step()
        wait()
        print(time.perf_counter() - start, flush=True)

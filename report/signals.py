# SPDX-License-Identifier: MIT
"""signals.py: what a page needs of a log: fewer points, bands of states, events, power and energy, periods."""
import array
import base64
import math
import sys


def base64_of(values, kind):
    """Little-endian float32 ("f") or float64 ("d"). What float32 cannot hold is not finite."""
    packed = array.array("d", values)
    if kind == "f":
        packed = array.array("f", (x if abs(x) < 3.4e38 else math.nan for x in packed))
    if sys.byteorder == "big":
        packed.byteswap()
    return base64.b64encode(packed.tobytes()).decode("ascii")


def constant(values):
    """The value of a signal that never changes and is finite, or None."""
    first = values[0]
    return first if math.isfinite(first) and values.count(first) == len(values) else None


# ---- fewer points ----

def buckets(count, most):
    """Ranges of rows: as few as `most`, or None if all rows fit (two points per range)."""
    if count <= 2 * most:
        return None
    return [(k * count // most, (k + 1) * count // most) for k in range(most)]


def decimated_times(times, ranges):
    if ranges is None:
        return times
    return array.array("d", (times[k] for first, end in ranges for k in (first, end - 1)))


def decimated(values, ranges):
    """The least and the greatest value of each range, in the order in which they occur, so that no peak is lost."""
    if ranges is None:
        return values
    all_finite = math.isfinite(math.fsum(x for x in values if x == x and abs(x) < 1e300)) and all(map(math.isfinite, values))
    points = array.array("d")
    for first, end in ranges:
        part = values[first:end]
        if not all_finite:
            part = [x for x in part if math.isfinite(x)] or [math.nan]
        low, high = min(part), max(part)
        if low != low or part.index(low) <= part.index(high):
            points.extend((low, high))
        else:
            points.extend((high, low))
    return points


# ---- states and events ----

def bands(times, states):
    """[from, to, state]: times between which a state lasts."""
    found = []
    if states is None:
        return found
    for time, x in zip(times, states):
        state = int(x) if math.isfinite(x) and 0 <= x < 1e6 else 0
        if found and found[-1][2] == state:
            found[-1][1] = time
        else:
            if found:
                found[-1][1] = time
            found.append([time, time, state])
    return found


def rising(times, values):
    """Times at which a signal goes from 0 to another value."""
    before, found = 0.0, []
    for time, x in zip(times, values):
        if x != 0 and before == 0:
            found.append(time)
        before = x
    return found


FAULTS = ["a measurement is not finite", "late", "solution unusable", "joint limit", "torques saturated", "rows singular", "reading stale",
          "reading implausible", "blind", "fault of the drives"]


def fault_names(bits):
    bits = int(bits) if math.isfinite(bits) and 0 <= bits < 2**31 else 0
    return [name for k, name in enumerate(FAULTS) if bits >> k & 1]


def faults(times, values):
    """(time, names of the bits that were set then)."""
    found, before = [], 0
    for time, x in zip(times, values or []):
        now = int(x) if math.isfinite(x) and 0 <= x < 2**31 else 0
        if now & ~before:
            found.append((time, fault_names(now & ~before)))
        before = now
    return found


# ---- power ----

def power(torque, velocity):
    return array.array("d", (t * v for t, v in zip(torque, velocity)))


def energy(times, watts):
    """Integral over time by trapezoids; where a value is not finite, nothing is added."""
    sums, whole = array.array("d", [0.0]), 0.0
    for k in range(1, len(times)):
        part = (watts[k] + watts[k - 1]) / 2 * (times[k] - times[k - 1])
        whole += part if math.isfinite(part) else 0.0
        sums.append(whole)
    return sums


def work(times, watts):
    """(work that the motor has done, work that it has taken up) [J]."""
    done = taken = 0.0
    for k in range(1, len(times)):
        part = (watts[k] + watts[k - 1]) / 2 * (times[k] - times[k - 1])
        if part > 0 and math.isfinite(part):
            done += part
        elif part < 0 and math.isfinite(part):
            taken -= part
    return done, taken


# ---- statistics ----

def percentile(ordered, permille):
    return ordered[max(0, math.ceil(len(ordered) * permille / 1000) - 1)]


def periods(times):
    """Statistics of the periods between rows, in nanoseconds, as the cycles of run.json."""
    steps = sorted(round(1e9 * (b - a)) for a, b in zip(times, times[1:]))
    return {"name": "period of the log", "count": len(steps), "p50": percentile(steps, 500), "p99": percentile(steps, 990),
            "p999": percentile(steps, 999), "longest": steps[-1]}


def spread(values):
    """(least, mean, greatest) of what is finite, and how many values are not."""
    finite = [x for x in values if math.isfinite(x)]
    if not finite:
        return math.nan, math.nan, math.nan, len(values)
    return min(finite), math.fsum(x / len(finite) for x in finite), max(finite), len(values) - len(finite)


def sampled(values, count):
    """At most `count` values, evenly chosen, the first and the last among them."""
    n = len(values)
    if n <= count:
        return values
    return array.array("d", (values[k * (n - 1) // (count - 1)] for k in range(count)))

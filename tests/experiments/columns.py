#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""columns.py RUN...: the columns of directions.h in log.csv of each run say the same as those of the loop and as ABAG's law, and the
figures that run.json names are there, all of them, without a NaN."""
import csv
import json
import math
import os
import re
import sys

FIGURES = {"1": range(2, 7), "2": range(8, 13), "3": range(14, 20), "4": range(20, 26), "5": range(27, 34)}
AXES = {"along_x": "lin_x", "along_y": "lin_y", "along_z": "lin_z", "about_x": "ang_x", "about_y": "ang_y", "about_z": "ang_z"}
EXACT = 1e-9


EVERY = 5  # of the rows, with the one before


def read(run):
    """Pairs of rows that follow each other, of the columns that are compared."""
    with open(os.path.join(run, "log.csv"), encoding="utf-8") as log:
        rows = csv.reader(log)
        names = [(k, name.split(" [")[0]) for k, name in enumerate(next(rows))]
        names = [(k, name) for k, name in names if re.match(r"(time|state|section|fault|error|along|about|tau)\b|(along|about)_|tau_limit", name)]
        rows = list(rows)
        return [[{name: float(row[k]) for k, name in names} for row in rows[i - 1:i + 1]] for i in range(1, len(rows), EVERY)]


def direction_mistakes(row, name):
    """Of a direction in a row of a motion: the reference less what is measured is the error, but for the prediction; u is bias and
    gain, with the sign of an error that counts."""
    measured, reference, lower, upper = (row[f"{name}.{part}"] for part in ("measured", "reference", "lower", "upper"))
    error, tolerance = row["error." + AXES[name]], (upper - lower) / 2
    bias, gain, u = (row[f"{name}.{part}"] for part in ("bias", "gain", "u"))
    found = []
    if name == "along_x" and abs(reference - measured - error) > EXACT:
        found.append(f"{name}: reference - measured is not the error")
    if abs(reference - (upper + lower) / 2) > EXACT or tolerance < 0:
        found.append(f"{name}: the reference is not in the middle of its tolerance")
    signs = [0] if error == 0 else [math.copysign(1, error)] if abs(error) > tolerance + EXACT else [0, math.copysign(1, error)]
    if min(abs(u - min(1, max(-1, bias + sign * gain))) for sign in signs) > EXACT:
        found.append(f"{name}: u is not bias and gain")
    if not abs(row[f"{name}.filtered"]) <= 1:
        found.append(f"{name}: the filtered error of a sign is more than 1")
    return found


def mistakes(run):
    rows = read(run)
    names = [name for name in AXES if name + ".u" in rows[0][0]]
    moving, found = 0, []
    if names[:3] != list(AXES)[:3]:
        return ["no columns of the directions"]
    for before, row in rows:
        if row["state"] == 0 or any(row[key] != before[key] for key in ("state", "section", "fault")):
            continue
        moving += 1
        found += [f"{row['time']:.3f} s: {text}" for name in names for text in direction_mistakes(row, name)]
        found += [f"{row['time']:.3f} s: {key} is beyond its limit" for key in row
                  if key.startswith("tau.") and abs(row[key]) > row["tau_limit." + key[4:]]]
    if moving < 0.3 * len(rows):
        found.append(f"only {moving} of {len(rows)} rows move")
    with open(os.path.join(run, "run.json"), encoding="utf-8") as about:
        named = {still["file"] for still in json.load(about).get("stills", [])}
    for number in FIGURES[run]:
        file = f"figure_7_{number}.svg"
        text = open(os.path.join(run, file), encoding="utf-8").read() if file in named else ""
        if len(text) < 5000 or re.search(r"\b(nan|inf)\b", text):
            found.append(file + " is missing, empty or not finite")
    return found


def main():
    bad = 0
    for run in sys.argv[1:]:
        for text in mistakes(run)[:5]:
            print(f"experiment {run}: {text}")
            bad += 1
    sys.exit(bad > 0)


main()

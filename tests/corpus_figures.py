#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus_figures.py ACHDGEN FOLDER [--sdf SDF_LINKS] [--every N] [--sample N] [--largest N] [--seconds S] [--log FILE]: how many robots of a
collection achdgen reads, as a table for docs/mjcf.md: URDF and MJCF files of the folder, and with --sdf what libsdformat makes of the URDFs as SDF (build/tests/sdf_links).

Of every robot that has joints that move: whether it is inspected (with --functions fk, since the functions that --inspect counts otherwise are those of
the default header, which is made next), whether --init describes it, whether a header is made by default, proof included, and whether --check holds, on 20
states, or on 2 where the header took more than 3 s of processor time. What takes more than S s of processor time (default 60) counts as refused.
--every N: the last two of every Nth SDF alone, which is the same robot as the URDF that it was made of. --sample N: every Nth URDF alone. --largest N: the
last two of files of N bytes at most, which leaves out the few that take most of the time. Small files are tried first, one at a time. --log FILE: what an
earlier run of the same achdgen has found is read there and not tried again, so that a run that was broken off goes on. What is refused is listed with its
reason below the table, and what took more than a minute of processor time.
No test: it takes an hour; the test `corpus` tries a sample."""
import argparse
import collections
import hashlib
import json
import os
import re
import resource
import subprocess
import tempfile

COLUMNS = ("inspected", "--init", "default", "--check")
LONG = 3  # [s] a header that takes longer is checked on few states
MINUTE = 60  # [s]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def arguments_of(what, took):
    return {"inspected": ["--inspect", "--functions", "fk"], "--init": ["--init"], "default": ["-o", "-"],
            "--check": ["--check", "2" if took > LONG else "20"]}[what]


def tried(command, seconds):
    """Why it did not work, "": it did; and the processor time [s] that it took."""
    before = processor_time()
    said = subprocess.run(["prlimit", f"--cpu={seconds:.0f}", *command], capture_output=True, text=True, errors="replace", check=False)
    took = processor_time() - before
    if said.returncode == 0:
        return "", took
    if said.returncode < 0:
        return (f"takes more than {seconds:.0f} s" if took >= 0.9 * seconds else f"ended by signal {-said.returncode}"), took
    found = re.search(r"^(?:.*? error: |check: )(.*)$", said.stderr + said.stdout, re.MULTILINE)
    return (found[1] if found else f"exit {said.returncode}"), took


def is_mjcf(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return "<mujoco" in text and "<body" in text


def files_of(folder):
    found = sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    return [p for p in found if p.endswith(".urdf")], [p for p in found if p.endswith(".xml") and is_mjcf(p)]


def as_sdf(program, path, folder, k):
    """The file that libsdformat makes of a URDF; None: it refuses it."""
    said = subprocess.run([program, "--sdf", path], capture_output=True, text=True, errors="replace", check=False)
    if said.returncode:
        return None
    out = os.path.join(folder, f"{k}_{os.path.splitext(os.path.basename(path))[0]}.sdf")
    with open(out, "w", encoding="utf-8") as file:
        file.write(said.stdout)
    return out


class Log:
    """[why, took] by column, of the files that were tried, by what they contain."""

    def __init__(self, path, achdgen):
        self.path, self.known = path, {}
        with open(achdgen, "rb") as file:
            self.program = hashlib.sha256(file.read()).hexdigest()[:16]
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
            self.known = {line["file"]: line["said"] for line in lines if line["program"] == self.program}

    def add(self, key, said):
        self.known[key] = said
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"program": self.program, "file": key, "said": said}) + "\n")


def said_of(achdgen, path, columns, seconds, log):
    """{column: [why, took]} of a robot, {} of a file that nothing moves in."""
    with open(path, "rb") as file:
        key = hashlib.sha256(file.read()).hexdigest() + ("" if columns == COLUMNS else f" {len(columns)}")
    if key in log.known:
        return log.known[key]
    said, took = {}, 0.0
    for what in columns:
        said[what] = tried([achdgen, path, "-q", *arguments_of(what, took)], seconds)
        took = said[what][1]
        if re.search("nothing moves|has no links", said[what][0]):
            said = {}
            break
    log.add(key, said)
    return said


def chosen(paths, every, largest):
    """(path, columns) of files."""
    return [(path, COLUMNS if k % every == 0 and os.path.getsize(path) <= largest else COLUMNS[:2]) for k, path in enumerate(paths)]


def try_all(achdgen, lists, seconds, log):
    """Fills the log, small files first: a run that is broken off has left out few."""
    for path, columns in sorted((one for _, files in lists for one in files), key=lambda one: os.path.getsize(one[0])):
        said_of(achdgen, path, columns, seconds, log)


def figures(achdgen, files, seconds, log):
    """{column: (worked, tried)}, robots that move, the processor time of all, and {reason: [file]}."""
    counts, refused, moving, took = {c: [0, 0] for c in COLUMNS}, collections.defaultdict(list), 0, 0.0

    for path, columns in files:
        said = said_of(achdgen, path, columns, seconds, log)
        moving += bool(said)
        for what, (why, time) in said.items():
            counts[what][1] += 1
            counts[what][0] += not why
            took += time
            if time > MINUTE:
                refused[f"took more than {MINUTE} s of processor time"].append(f"{what}: {os.path.basename(path)}")
            if why:
                refused[re.sub('"[^"]*"', '".."', re.sub(r"[-+]?\d[\d.e+-]*", "N", why))].append(f"{what}: {os.path.basename(path)}")
    return counts, moving, took, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("achdgen")
    parser.add_argument("folder")
    parser.add_argument("--sdf")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--largest", type=float, default=float("inf"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--log")
    a = parser.parse_args()
    urdf, mjcf = files_of(a.folder)
    urdf = urdf[::a.sample]
    log = Log(a.log, a.achdgen)
    with tempfile.TemporaryDirectory() as folder:
        lists = [("MJCF", chosen(mjcf, 1, a.largest)), ("URDF", chosen(urdf, 1, a.largest))]
        if a.sdf:
            made = [as_sdf(a.sdf, path, folder, k) for k, path in enumerate(urdf)]
            lists.append(("SDF, made of these URDFs by libsdformat", chosen([p for p in made if p], a.every, a.largest)))
        try_all(os.path.abspath(a.achdgen), lists, a.seconds, log)
        print(f"| | files | that move | {' | '.join(COLUMNS)} |\n|---|---|---|{'---|' * len(COLUMNS)}")
        reasons = {}
        for name, files in lists:
            counts, moving, took, refused = figures(os.path.abspath(a.achdgen), files, a.seconds, log)
            print(f"| {name} | {len(files)} | {moving} | {' | '.join(f'{good} of {all_}' for good, all_ in counts.values())} |", flush=True)
            reasons[f"{name}, {took:.0f} s of processor time"] = refused
    for name, refused in reasons.items():
        print(name)
        for reason, where in sorted(refused.items(), key=lambda item: -len(item[1])):
            print(f"- {len(where)}: {reason}: {where[0]}{' ..' if len(where) > 1 else ''}")


main()

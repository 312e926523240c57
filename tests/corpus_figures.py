#!/usr/bin/env python3
"""corpus_figures.py ACHDGEN FOLDER [--sdf SDF_LINKS] [--every N] [--sample N] [--timeout S]: how many robots of a collection achdgen reads, as a table
for docs/mjcf.md: URDF and MJCF files of the folder, and with --sdf what libsdformat makes of the URDFs as SDF (build/tests/sdf_links).

Of every robot that has joints that move: whether it is inspected, and whether --init describes it; of every Nth (default 6) also whether a header
is made by default, proof included, and whether --check holds on 20 states. --sample N: of every Nth URDF alone. What is refused is listed with its reason below the table. No
test: it takes minutes to hours; the test `corpus` tries a sample."""
import argparse
import collections
import os
import re
import subprocess
import tempfile

COLUMNS = ("inspected", "--init", "default", "--check")


def arguments_of(what, out):
    return {"inspected": ["--inspect"], "--init": ["--init"], "default": ["-o", out], "--check": ["--check", "20"]}[what]


def tried(achdgen, path, what, seconds):
    """None: it worked; else why not."""
    with tempfile.TemporaryDirectory() as folder:
        command = [achdgen, path, "-q", *arguments_of(what, os.path.join(folder, "out.h"))]
        try:
            said = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return f"takes more than {seconds:g} s"
    if said.returncode == 0:
        return None
    found = re.search(r"^(?:.*? error: |check: )(.*)$", said.stderr + said.stdout, re.MULTILINE)
    return found[1] if found else f"exit {said.returncode}"


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


def figures(achdgen, paths, every, seconds):
    """{column: (worked, tried)}, robots that move, and {reason: [file]}."""
    counts, refused, moving = {c: [0, 0] for c in COLUMNS}, collections.defaultdict(list), 0

    for k, path in enumerate(paths):
        said = {"inspected": tried(achdgen, path, "inspected", seconds)}
        if said["inspected"] and re.search("nothing moves|has no links", said["inspected"]):
            continue
        moving += 1
        for what in COLUMNS[1:]:
            if what == "--init" or k % every == 0:
                said[what] = tried(achdgen, path, what, seconds)
        for what, why in said.items():
            counts[what][1] += 1
            counts[what][0] += why is None
            if why:
                refused[re.sub('"[^"]*"', '".."', re.sub(r"[-+]?\d[\d.e+-]*", "N", why))].append(f"{what}: {os.path.basename(path)}")
    return counts, moving, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("achdgen")
    parser.add_argument("folder")
    parser.add_argument("--sdf")
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60)
    a = parser.parse_args()
    urdf, mjcf = files_of(a.folder)
    urdf = urdf[::a.sample]
    with tempfile.TemporaryDirectory() as folder:
        lists = [("MJCF", mjcf, 1), ("URDF", urdf, a.every)]
        if a.sdf:
            made = [as_sdf(a.sdf, path, folder, k) for k, path in enumerate(urdf)]
            lists.append(("SDF, made of these URDFs by libsdformat", [p for p in made if p], a.every))
        print(f"| | files | that move | {' | '.join(COLUMNS)} |\n|---|---|---|{'---|' * len(COLUMNS)}")
        reasons = {}
        for name, paths, every in lists:
            counts, moving, refused = figures(os.path.abspath(a.achdgen), paths, every, a.timeout)
            print(f"| {name} | {len(paths)} | {moving} | {' | '.join(f'{good} of {all_}' for good, all_ in counts.values())} |", flush=True)
            reasons[name] = refused
    for name, refused in reasons.items():
        for reason, where in sorted(refused.items(), key=lambda item: -len(item[1])):
            print(f"{name}: {len(where)}: {reason}: {where[0]}{' ..' if len(where) > 1 else ''}")


main()

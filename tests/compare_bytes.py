#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_bytes.py OLD NEW [OPTIONS]: whether two achdgen programs write the same bytes.

Draws robot, layout, functions and options, the same ones at every run with the same seed, lets both programs answer, and
compares what each writes to standard output, to standard error and as files, and its exit code. For a change of the
generator that is to change nothing that it makes; deterministic.sh compares the robots of generated/ alone.

  --count N      drawings (default 200)
  --seed S       of the drawings (default 1)
  --random DIR   robots and layouts beside those that ship, DIR/NAME.urdf and DIR/NAME.lua, as
                 random_layout_test --achdgen NEW --robots 100 --write DIR
                 writes them
  --but REGEX    lines are left out of the comparison where this is found in them: for a wanted difference
  --only K       the K-th drawing alone; what both wrote stays in the folder that is printed

A drawing that OLD refuses counts in five at most; after that others are drawn in its place. Exit 1 where something differs."""
import argparse
import collections
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMBS = "quadruped go1 drone humanoid two_arms youbot youbot_base platform".split()
REFUSALS = 5  # one drawing in so many may be one that is refused


def pairs(folder):
    """Robots of a folder, each with the layouts whose names begin like it; None: no layout."""
    found = []
    for root, _, names in os.walk(folder):
        found += [os.path.join(root, name) for name in names]
    words = {}
    for path in sorted(found):
        if path.endswith(".urdf"):
            stem = os.path.basename(path)[:-5]
            layouts = [p for p in sorted(found) if p.endswith(".lua") and "/tasks/" not in p and "/scenes/" not in p
                       and "/machines/" not in p and re.match(re.escape(stem) + r"(_[a-z]+)?\.lua$", os.path.basename(p))]
            words[path] = [None] + layouts
    return words


def functions_of(program):
    """The names that --functions knows, as its remedy lists them."""
    said = subprocess.run([program, "robot.urdf", "--functions", "?"], capture_output=True, text=True, check=False).stderr
    return re.search(r"write --functions (.*)", said).group(1).split(" or ")


class Drawing:
    """One call: its arguments and what it reads."""

    def __init__(self, dice, shelves, functions):
        robot = dice.choice(sorted(dice.choice(shelves)))
        layouts = next(shelf for shelf in shelves if robot in shelf)[robot]
        layout = layouts[-1] if len(layouts) == 2 and dice.random() < 0.8 else dice.choice(layouts)
        words = [robot] + (["--layout", layout] if layout else [])
        if dice.random() < 0.6:
            words += ["--functions", ",".join(dice.sample(functions, dice.choice([1, 1, 2, 4])))]
        if dice.random() < 0.25:
            words += ["--real", "float"]
        if dice.random() < 0.15:
            words += ["--formulation", dice.choice(["recursion", "joint", "null", "early"])]
        if dice.random() < 0.15:
            words += ["--snap", "0"]
        self.action = dice.choices(["write", "eval", "inspect", "describe", "columns", "check", "prove", "svg", "gappa", "mjcf", "init"],
                                   [60, 8, 8, 6, 3, 4, 4, 2, 2, 2, 1])[0]
        self.words = words + self.for_action(dice, os.path.basename(robot)[:-5] in LIMBS)
        self.seed = dice.random()

    def for_action(self, dice, limbs):
        action, words = self.action, []
        if action in ("write", "prove"):
            words += ["--lanes", "1"] if dice.random() < (0.7 if limbs else 0.05) else []
            words += ["--parts", str(dice.choice([0, 50, 200, 500]))] if dice.random() < 0.2 else []
        if action in ("write", "prove", "inspect", "describe"):
            words += ["--small"] if dice.random() < 0.2 else []
            words += ["--branchless"] if dice.random() < 0.1 else []
            words += ["--batch", str(dice.choice([2, 4, 8]))] if dice.random() < 0.1 else []
        if action == "write":
            words += ["--prefetch"] if dice.random() < 0.1 else []
            words += ["--casadi"] if dice.random() < 0.06 else []
            words += ["--no-prove"] if dice.random() < 0.6 else []
            words += ["--mode", dice.choice(["inline", "split", "shared"])] if dice.random() < 0.2 else []
            return words + ["-o", "made.h", "--depfile", "made.d"]
        return words + {"eval": ["--eval"], "inspect": ["--inspect"], "describe": ["--describe", "json"], "columns": ["--columns"],
                        "check": ["--check", "2"], "prove": ["--prove", "1"], "svg": ["--inspect", "--svg", "-"],
                        "gappa": ["--gappa", "sincos"], "mjcf": ["--mjcf", "-"], "init": ["--init"]}[action]

    def states(self, program):
        """Two states of the function that is evaluated."""
        if self.action != "eval":
            return ""
        words = ["--columns" if word == "--eval" else word for word in self.words]
        said = subprocess.run([program] + words, capture_output=True, text=True, check=False).stdout
        names = [line.split()[1] for line in said.split("\n") if line.startswith("in ")]
        dice = random.Random(self.seed)
        return "\n".join(" ".join(f"{dice.uniform(-1, 1):.4f}" for _ in names) for _ in range(2)) + "\n"

    def answer(self, program, states, folder):
        """Exit code, and what was written: texts by name."""
        os.mkdir(folder)
        done = subprocess.run([program] + self.words, input=states.encode(), capture_output=True, cwd=folder, check=False)
        texts = {"standard output": done.stdout, "standard error": done.stderr}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                texts[name] = file.read()
        return done.returncode, texts


def without(texts, pattern):
    if not pattern:
        return texts
    but = re.compile(pattern.encode())
    return {name: b"\n".join(line for line in text.split(b"\n") if not but.search(line)) for name, text in texts.items()}


def difference(old, new):
    """What the first difference of two answers is; None: there is none."""
    if old[0] != new[0]:
        return f"exit codes {old[0]} and {new[0]}"
    if set(old[1]) != set(new[1]):
        return f"files {sorted(old[1])} and {sorted(new[1])}"
    for name, text in old[1].items():
        other = new[1][name]
        if text != other:
            a, b = text.split(b"\n"), other.split(b"\n")
            k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            lines = ["".join(f"\n      {x[:160].decode(errors='replace')}" for x in side[k:k + 1]) for side in (a, b)]
            return f"{name}, line {k + 1}:{lines[0]}{lines[1]}"
    return None


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("old")
    asked.add_argument("new")
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--random")
    asked.add_argument("--but")
    asked.add_argument("--only", type=int)
    a = asked.parse_args()
    old, new = os.path.abspath(a.old), os.path.abspath(a.new)
    every = pairs(os.path.join(TOP, "robots"))
    shelves = [every] + [{robot: every[robot] for robot in every if os.path.basename(robot)[:-5] in LIMBS}] * 2
    if a.random:
        shelves += [pairs(os.path.abspath(a.random))] * 2
    functions = functions_of(old)
    scratch = tempfile.mkdtemp()
    kinds, digest, refused, differing, k, drawn = collections.Counter(), hashlib.sha256(), 0, 0, 0, 0
    while k < a.count:
        drawn += 1
        drawing = Drawing(random.Random(f"{a.seed} {drawn}"), shelves, functions)
        if a.only and drawn != a.only:
            k += drawn > a.only and a.count
            continue
        states = drawing.states(old)
        folders = [os.path.join(scratch, f"{drawn}-{side}") for side in ("old", "new")]
        code, texts = drawing.answer(old, states, folders[0])
        first = code, without(texts, a.but)
        if code != 0 and refused * REFUSALS > k and not a.only:
            shutil.rmtree(folders[0])
            continue
        refused += code != 0
        k += 1
        code, texts = drawing.answer(new, states, folders[1])
        said = difference(first, (code, without(texts, a.but)))
        kinds[drawing.action] += first[0] == 0
        for word in drawing.words:
            kinds[word] += first[0] == 0 and word.startswith("--") and word[2:] != drawing.action
        for name, text in first[1].items():
            digest.update(name.encode() + text)
        if said:
            differing += 1
            print(f"drawing {drawn}: {' '.join(drawing.words)}\n    {said}")
        if not a.only:
            for folder in folders:
                shutil.rmtree(folder)
    if a.only:
        print(f"{' '.join(drawing.words)}\n{scratch}")
    else:
        os.rmdir(scratch)
    print(f"{k} drawings, {refused} of them refused, {differing} differ; {digest.hexdigest()[:16]}")
    print("answered: " + ", ".join(f"{word} {count}" for word, count in sorted(kinds.items()) if count))
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())

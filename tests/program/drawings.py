# SPDX-License-Identifier: MIT
"""tests/program/drawings.py ACHDGEN SOURCE_DIR RANDOM_LAYOUT_TEST: random command lines of a generator that was built with sanitizers.

Each drawing has a robot (random, with its random layout, or one that ships), a layout or none, functions and options. The generator may refuse it
(exit 1 and a message); any other exit status than 0 and 1, and any report of a sanitizer, is a failure, and its command line is printed to paste. 30
drawings and 20 random robots; with ACHD_SWEEP=1 2000 drawings, and all robots of ../shared/corpus.tar.xz where that is there.
ACHD_DRAWING=SEED has that one drawing alone, ACHD_DRAWINGS=N so many, ACHD_DRAWINGS_FROM=SEED others.
"""
import glob
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tarfile

achdgen, top, random_robots = (os.path.abspath(path) for path in sys.argv[1:4])
sweep = os.environ.get("ACHD_SWEEP") == "1"
here = pathlib.Path("drawings").absolute()  # stays, so that a command line can be pasted
shutil.rmtree(here, ignore_errors=True)
(here / "random").mkdir(parents=True)
# Within this CPU time a run ends, or it does not count: a sanitized generator takes minutes for the longest functions of a humanoid.
LONGEST = 300 if sweep else 1
FINDING = re.compile(r"(AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error):?.*")

TABLE = (pathlib.Path(top) / "generator/graph/functions.def").read_text()
ROLES = dict(re.findall(r"^AG_FUNCTION\((\w+), (\w+),", TABLE, re.M))
SOLVES = {"dmclp"} | {name for name, role in ROLES.items() if role == "SOLVE"} | {"dachd"}
LIMBS = re.compile(r"/(humanoid|quadruped|two_arms)\.urdf$")  # with limbs of equal shape
OTHERS = sorted(name for name, role in ROLES.items() if role in ("FAMILY", "DERIVATIVES") and name not in SOLVES)


def robots():
    """(URDF, its layouts): random ones, small and large ones that ship, those of vendors."""
    subprocess.run([random_robots, "--achdgen", achdgen, "--robots", "20", "--write", here / "random"], check=True, stdout=subprocess.DEVNULL)
    drawn = [(urdf, [urdf[:-5] + ".lua"]) for urdf in sorted(glob.glob(f"{here}/random/*.urdf"))]
    shipped = []
    for urdf in sorted(glob.glob(f"{top}/robots/*.urdf")):
        name = pathlib.Path(urdf).stem
        layouts = [layout for layout in sorted(glob.glob(f"{top}/robots/**/{name}*.lua", recursive=True), key=lambda path: (path.count("/"), path))
                   if not re.search("/(tasks|machines|scenes)/", layout)]
        shipped.append((urdf, layouts))
    vendors = []
    corpus = pathlib.Path(top) / "../shared/corpus.tar.xz"
    if sweep and corpus.exists():
        with tarfile.open(corpus) as archive:
            archive.extractall(here / "corpus")
        vendors = [(urdf, []) for urdf in sorted(glob.glob(f"{here}/corpus/**/*.urdf", recursive=True))]
    elif sweep:
        print(f"left out: no {corpus}")
    large = re.compile(r"/(humanoid|quadruped|two_arms|youbot|robile|platform)\.urdf$")
    return drawn, [robot for robot in shipped if not large.search(robot[0])], [robot for robot in shipped if large.search(robot[0])], vendors


def solve_of(layout):
    """The solves that a layout has."""
    text = pathlib.Path(layout).read_text() if layout else ""
    if "optimum" in text:
        return ["qp"]
    if re.search(r"bounds|friction|joint_limits", text):
        return ["mclp", "dmclp"]
    return ["achd", "achd", "dachd"]


def columns(urdf, arguments):
    said = subprocess.run([achdgen, urdf, *arguments, "--columns"], capture_output=True, text=True, check=False).stdout
    return sum(line.startswith("in ") for line in said.splitlines())


def states(draw, count):
    """Two states: numbers, now and then one that is none."""
    odd = ["0", "nan", "inf", "-inf", "1e308", "1e-320", "-0"]
    def line():
        return " ".join(draw.choice(odd) if draw.random() < 0.02 else f"{draw.uniform(-2, 2):.3f}" for _ in range(count))
    return line() + "\n" + line() + "\n"


def drawing(seed, robot_of):
    """A command line and its standard input."""
    draw = random.Random(seed)
    urdf, layouts = robot_of(draw)
    layout = draw.choice(layouts[:1] * len(layouts) + layouts) if layouts and draw.random() < 0.9 else None
    arguments = ["--layout", layout] if layout else []
    names = []
    if draw.random() < 0.8:
        solve = draw.choice(solve_of(layout)) if draw.random() < 0.95 else draw.choice(sorted(SOLVES))
        names.append(solve)
    limbs = LIMBS.search(urdf) and draw.random() < 0.7  # computed in lanes
    if limbs:
        names.append(draw.choice(["fd", "id", "crba"]))
    else:
        names += draw.sample(OTHERS, draw.choice([0, 0, 1, 1, 2, 3]))
    if names and draw.random() < 0.95:
        draw.shuffle(names)
        arguments += ["--functions", ",".join(names)]
    elif draw.random() < 0.3:
        arguments += ["--functions", "all"]

    many = draw.choice([0.3, 1, 1.5])  # options

    def maybe(chance, *words):
        return list(words) if draw.random() < chance * many else []
    chosen = ["--cache", draw.choice(["1", "8", "64"])] if draw.random() < 0.5 else ["--lanes", "1"]  # lanes, by length or forced
    arguments += chosen if limbs else maybe(0.2, "--lanes", draw.choice(["1", "0"])) or maybe(0.3, "--cache", draw.choice(["0", "1", "8"]))
    arguments += maybe(0.25, "--real", "float")
    arguments += maybe(0.2, "--snap", "0")
    arguments += maybe(0.25, "--formulation", draw.choice(["recursion", "joint", "null", "early"]))
    what = draw.random()
    given = ""
    if what < 0.65:
        arguments += maybe(0.25, "--small")
        arguments += maybe(0.2, "--branchless")
        arguments += maybe(0.2, "--prefetch")
        arguments += maybe(0.25, "--parts", draw.choice(["0", "1", "20", "200", "1000"]))
        arguments += maybe(0.25, "--batch", draw.choice(["2", "4", "8", "16"]))
        arguments += maybe(0.3, "--mode", draw.choice(["header", "inline", "split", "shared"]))
        arguments += maybe(0.2, "--offsets") + maybe(0.2, "--status-text")
        arguments += maybe(0.1, "--casadi")
        arguments += ["--no-prove"] if draw.random() < 0.8 else []
        arguments += ["--name", "drawn", "-o", str(here / "drawn.h")]
        arguments += maybe(0.1, "--depfile", str(here / "drawn.d"))
    elif what < 0.68:  # without functions
        arguments = draw.choice([["--init"], ["--mjcf", str(here / "drawn.xml")] + (["--layout", layout] if layout else [])])
    else:
        arguments += draw.choice([["--columns"], ["--eval"], ["--describe", "json"], ["--inspect"], ["--inspect", "--svg", str(here / "drawn.svg")],
                                  ["--check", "3"], ["--prove", "2"], ["--gappa", "status"]])
        if arguments[-1] == "--eval":
            given = states(draw, columns(urdf, arguments[:-1]))
    if "--casadi" in arguments:
        arguments[arguments.index("-o") + 1] = str(here / "drawn_casadi.c")
    return [achdgen, urdf, *arguments], given


def run(command, given):
    """ok, refused, long, or what is wrong."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 1))
    options = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="print_stacktrace=1")
    done = subprocess.run(command, input=given, capture_output=True, text=True, errors="replace", preexec_fn=limits, env=options, check=False)
    finding = FINDING.search(done.stderr)
    if finding:
        return finding[0] + "\n" + done.stderr[-3000:]
    if done.returncode in (-24, -9):  # the limit of CPU time
        return "long"
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}\n{done.stderr[-2000:]}"
    if done.returncode == 1 and "error:" not in done.stderr and "--check" not in command and "--prove" not in command:
        return f"exit status 1 without a message\n{done.stderr[-2000:]}"
    return "ok" if done.returncode == 0 else "refused"


def main():
    drawn, small, large, vendors = robots()

    def any_robot(draw):
        kind = draw.random()
        return draw.choice(drawn if kind < 0.45 else small if kind < 0.75 else large + [robot for robot in large if LIMBS.search(robot[0])])
    first = int(os.environ.get("ACHD_DRAWINGS_FROM", "1"))
    seeds = range(first, first + int(os.environ.get("ACHD_DRAWINGS", "2000" if sweep else "30")))
    if "ACHD_DRAWING" in os.environ:
        seeds, vendors = [int(os.environ["ACHD_DRAWING"])], []
    cases = [(seed, any_robot) for seed in seeds] + [(f"vendor {k}", lambda _, robot=robot: robot) for k, robot in enumerate(vendors)]
    counts = {"ok": 0, "refused": 0, "long": 0}
    wrong = 0
    for seed, robot_of in cases:
        command, given = drawing(seed, robot_of)
        result = run(command, given)
        if result in counts:
            counts[result] += 1
            if "ACHD_DRAWING" in os.environ or "ACHD_DRAWINGS_SHOW" in os.environ:
                print(f"{result}: {shlex.join(command)}", flush=True)
        else:
            wrong += 1
            paste = shlex.join(command)
            if given:
                paste = f"printf %s {shlex.quote(given)} | {paste}"
            print(f"FAILED: drawing {seed} (ACHD_DRAWING={seed}): {result}\n    {paste}", flush=True)
    print(f"{len(cases)} drawings: {counts['ok']} made, {counts['refused']} refused, {counts['long']} not within {LONGEST} s of CPU, {wrong} failed")
    if len(cases) > 1 and counts["ok"] * 3 < len(cases):
        print("FAILED: fewer than a third were made: what is drawn is hardly ever what users write")
        wrong += 1
    sys.exit(1 if wrong else 0)


main()

# SPDX-License-Identifier: MIT
"""tests/tiers.py: the table tests/tiers.txt of all tests, their tiers and the CPU seconds that they take.

    python3 tests/tiers.py check BUILD [TABLE]     is the table whole, and does a run of each tier stay within its limit?
    python3 tests/tiers.py renew BUILD [NAME...]   runs the tests (or those named) and writes their CPU seconds into the table

CPU seconds are those of all processes of a test, in user and in system mode: they vary little with what else the machine does, as times
by the clock would. `renew` runs each test through ctest, alone with its fixtures built before, as many at once as there are processors, and
without a compiler cache.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

# A whole run has to end within this on two processors, building not counted: nobody waits for more, so nobody runs it. Who adds a test above it
# takes out what another test repeats, or lets it try a sample (CONTRIBUTING.md). Many tests try thinner samples than when they were
# measured, and some were measured on a busy machine, which takes more: `renew` on a quiet one tells less. What was there before tasks, loops,
# steps, walking and mechanisms grew takes 540; each of those may add 15 at most.
WHOLE_RUN_SECONDS = 600
PROCESSORS = 2
# CPU seconds of a tier with those that it contains.
LIMITS = {"quick": 30.0, "daily": 120.0, "release": WHOLE_RUN_SECONDS * PROCESSORS}
TIERS = ["quick", "daily", "commit", "release"]
LINE = re.compile(r"(quick|daily|commit|release) +([0-9]+\.[0-9]) +([a-z0-9_]+)")


def read(table):
    """Lines (tier, seconds, name), and the comment above them."""
    lines, comment = [], []
    for number, text in enumerate(pathlib.Path(table).read_text().splitlines(), 1):
        if text.startswith("#"):
            comment.append(text)
            continue
        fields = LINE.fullmatch(text)
        if not fields:
            sys.exit(f"{table}:{number}: \"{text}\" is not TIER SECONDS NAME")
        lines.append((fields[1], float(fields[2]), fields[3]))
    return lines, comment


def write(table, lines, comment):
    lines = sorted(lines, key=lambda line: (TIERS.index(line[0]), line[2]))
    text = comment + [f"{tier:7} {seconds:7.1f} {name}" for tier, seconds, name in lines]
    pathlib.Path(table).write_text("\n".join(text) + "\n")


def registered(build):
    """Name: properties, of each test that the build has."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = json.loads(listed.stdout)["tests"]
    return {test["name"]: {p["name"]: p["value"] for p in test.get("properties", [])} for test in tests}


def check(build, table):
    """Prints what is wrong; how much that is."""
    lines, _ = read(table)
    tests = registered(build)
    wrong = []
    names = [name for _, _, name in lines]
    wrong += [f"{name} has two lines: take one out" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"{name} has no line: python3 tests/tiers.py renew {build} {name}" for name in tests if name not in names]
    wrong += [f"{name} is no test of this build: take its line out" for name in names if name not in tests]
    for tier, _, name in lines:
        labels = TIERS[TIERS.index(tier):]
        if name in tests and sorted(tests[name].get("LABELS", [])) != sorted(labels):
            wrong.append(f"{name} is in the tier {tier}, but has other labels than {' '.join(labels)}: configure again")
    total = 0.0
    for tier in TIERS:
        total += sum(seconds for of, seconds, _ in lines if of == tier)
        limit = LIMITS.get(tier)
        print(f"{tier}: {total:.0f} s of CPU, {total / PROCESSORS:.0f} s on {PROCESSORS} processors"
              + (f", at most {limit / PROCESSORS:.0f}" if limit else ""))
        if limit and total > limit:
            longest = sorted((-seconds, name) for of, seconds, name in lines if TIERS.index(of) <= TIERS.index(tier))[:5]
            wrong.append(f"the tests of the tier {tier} take {total:.0f} s of CPU, {total - limit:.0f} more than {limit:.0f}: make some "
                         "cheaper, or take out what another one repeats; the longest: "
                         + ", ".join(f"{name} {-seconds:.1f}" for seconds, name in longest))
    for what in wrong:
        print(f"{table}: {what}")
    return len(wrong)


def run(build, name):
    """A test through ctest: its CPU seconds, exit status and output."""
    environment = dict(os.environ, CCACHE_DISABLE="1")
    ctest = subprocess.Popen(["ctest", "--test-dir", build, "-R", f"^{name}$", "-FA", ".", "--output-on-failure", "--output-log",
                              os.path.join(build, "Testing", f"{name}.log")],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    said = ctest.stdout.read()
    _, status, used = os.wait4(ctest.pid, 0)
    ctest.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, ctest.returncode, said


def renew(build, table, only):
    """Runs the tests and writes what they took; how many failed. A test that fails or is skipped keeps its line's seconds."""
    lines, comment = read(table)
    tests = registered(build)
    unknown = [name for name in only if name not in tests]
    if unknown:
        sys.exit(f"tests/tiers.py: {build} has no test {' '.join(unknown)}")
    chosen = sorted(only or tests, key=lambda name: -float(tests[name].get("COST", 0)))
    setups = [name for name in tests if "FIXTURES_SETUP" in tests[name]]
    needed = {fixture for name in chosen for fixture in tests[name].get("FIXTURES_REQUIRED", [])}
    measured, failed = {}, []

    def one(name):
        seconds, status, said = run(build, name)
        if status:
            failed.append(name)
            print(f"{name} FAILED\n{said}", flush=True)
        elif re.search(r"\*\*\*Skipped", said):
            print(f"{name}: skipped", flush=True)
        else:
            measured[name] = seconds
            print(f"{seconds:8.1f} {name}", flush=True)

    first = [name for name in setups if name in chosen or needed & set(tests[name]["FIXTURES_SETUP"])]
    for name in first:
        one(name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, [name for name in chosen if name not in first]))

    known = {name: (tier, seconds) for tier, seconds, name in lines}
    for name, seconds in measured.items():
        known[name] = (known.get(name, ("commit",))[0], seconds)
    write(table, [(tier, seconds, name) for name, (tier, seconds) in known.items()], comment)
    print(f"{len(measured)} measured, {len(failed)} failed" + (": " + " ".join(failed) if failed else ""))
    return len(failed)


def main():
    arguments = sys.argv[1:]
    table = str(pathlib.Path(__file__).parent / "tiers.txt")
    if len(arguments) in (2, 3) and arguments[0] == "check":
        sys.exit(1 if check(arguments[1], *(arguments[2:] or [table])) else 0)
    if len(arguments) >= 2 and arguments[0] == "renew":
        sys.exit(1 if renew(os.path.abspath(arguments[1]), table, arguments[2:]) else 0)
    sys.exit(__doc__)


main()

# SPDX-License-Identifier: MIT
"""checks.py: for Python tests of the program: counts what holds and what does not, runs the program, reads its numbers."""
import os
import subprocess
import sys

passed, failed = 0, 0


def check(name, good, seen=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED: {name}\n{seen}")


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def columns(name, command):
    """Names of the inputs, and of the outputs, of a command line of achdgen."""
    said = run(*command, "-q", "--columns")
    check(f"{name}: read", said.returncode == 0, said.stderr)
    return tuple([line.split()[1] for line in said.stdout.splitlines() if line.startswith(way)] for way in ("in ", "out "))


def evaluated(name, command, names, states):
    """[{output: value}] of states [{input: value}], 0 for what a state does not have. names: of `columns`."""
    ins, outs = names
    text = "".join(" ".join(repr(float(state.get(key, 0))) for key in ins) + "\n" for state in states)
    said = run(*command, "-q", "--eval", text=text)
    answers = [dict(zip(outs, map(float, line.split()))) for line in said.stdout.splitlines()]
    check(f"{name}: evaluated", said.returncode == 0 and len(answers) == len(states), said.stderr)
    return answers


def states_in(lines):
    """[{name: value}] of lines "NAME VALUE"; a state ends with a line of the name state."""
    states, state = [], {}
    for line in lines:
        name, value = line.rsplit(" ", 1)
        if name == "state":
            states.append(state)
            state = {}
        else:
            state[name] = float(value)
    return states


def refuse(achdgen, path, refused):
    """Each TEXT of (TEXT, LINE, WORD), as a file, is refused in this line, with this word and a remedy, and nothing is written."""
    for text, line, word in refused:
        write(path, text)
        said = run(achdgen, path, "-q", "--functions", "fk", "-o", "bad.h")
        check(f"refused: {word}", said.returncode == 1 and said.stderr.startswith(f"{path}:{line}: error: ") and
              word in said.stderr and "remedy: " in said.stderr and not os.path.exists("bad.h"), f"{text}\n{said.stderr}")

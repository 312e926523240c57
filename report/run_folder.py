# SPDX-License-Identifier: MIT
"""run_folder.py: reads a run, as docs/report.md has it: log.csv, run.json, robot.json. Every mistake says file, line, what is
wrong and what to do."""
import array
import csv
import json
import math
import os
import re


class Mistake(Exception):
    """What is wrong with a run, for its author."""


def write_whole(path, data, read=()):
    """Writes a file whole or not at all, where a link leads; none that is read."""
    if any(os.path.exists(path) and os.path.exists(name) and os.path.samefile(path, name) for name in read):
        raise Mistake(f"{path} is read, and would be written over: name another file")
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe, /dev/null; a folder says so itself
        with open(path, "wb") as file:
            file.write(data)
        return
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)


def natural(name):
    """Sorts run_2 before run_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


class Signal:
    """A column of the log: name, unit, values (array of float, one per row)."""

    def __init__(self, name, unit, values):
        self.name, self.unit, self.values = name, unit, values

    def finite(self):
        return [x for x in self.values if math.isfinite(x)]


class Run:
    """A run: folder, run.json as a dictionary, robot.json as a dictionary or None, times, signals by name."""

    def __init__(self, folder, about, robot, times, signals):
        self.folder, self.about, self.robot, self.times = folder, about, robot, times
        self.signals = {signal.name: signal for signal in signals}

    def values(self, name):
        return self.signals[name].values if name in self.signals else None

    def joints(self):
        """Names of the joints as they stand in the columns q.JOINT, in the order of the robot."""
        numbered = [name[2:] for name in self.signals if name.startswith("q.")]
        if self.robot is None:
            return numbered
        named = [joint["name"] for joint in self.robot["joints"]]
        if all("q." + name in self.signals for name in named):
            return named
        return [str(k + 1) if f"q.{k + 1}" in self.signals else name for k, name in enumerate(named)]


# ---- log.csv ----

HEADER = re.compile(r"^(.*\S) \[([^\[\]]+)\]$", re.DOTALL)


def header_of(path, row):
    columns = []
    for k, text in enumerate(row):
        match = HEADER.match(text)
        if not match:
            raise Mistake(f"{path}:1: column {k + 1} is {text!r}; write a name and a unit: name [unit]")
        columns.append(match.groups())
    if columns[0] != ("time", "s"):
        raise Mistake(f"{path}:1: the first column is {row[0]!r}; it has to be time [s]")
    names = [name for name, _ in columns]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"{path}:1: two columns have the name {name}")
    return columns


def number(path, line, name, text):
    try:
        return float(text)
    except ValueError:
        raise Mistake(f"{path}:{line}: {name} is {text!r}, which is no number") from None


def read_rows(path, reader, columns):
    values = [array.array("d") for _ in columns]
    for row in reader:
        line = reader.line_num
        if len(row) != len(columns):
            raise Mistake(f"{path}:{line}: has {len(row)} columns, and the first line has {len(columns)}")
        try:
            numbers = [float(text) for text in row]
        except ValueError:
            numbers = [number(path, line, name, text) for (name, _), text in zip(columns, row)]
        if not math.isfinite(numbers[0]) or (values[0] and numbers[0] <= values[0][-1]):
            raise Mistake(f"{path}:{line}: the time is {row[0]}; times have to increase from line to line")
        for column, x in zip(values, numbers):
            column.append(x)
    return values


def read_log(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            first = next(reader, None)
            if not first:
                raise Mistake(f"{path}: is empty; its first line has to have the names of the columns")
            columns = header_of(path, first)
            values = read_rows(path, reader, columns)
    except UnicodeDecodeError:
        raise Mistake(f"{path}: is not UTF-8 text") from None
    except csv.Error as error:
        raise Mistake(f"{path}:{reader.line_num}: {error}") from None
    if len(values[0]) < 2:
        raise Mistake(f"{path}: has {len(values[0])} rows; a run needs two at least")
    signals = [Signal(name, unit, column) for (name, unit), column in zip(columns, values)]
    return signals[0].values, signals[1:]


# ---- run.json and robot.json ----

def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except UnicodeDecodeError:
        raise Mistake(f"{path}: is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise Mistake(f"{path}:{error.lineno}: {error.msg}") from None
    except RecursionError:
        raise Mistake(f"{path}: is nested too deeply") from None
    if not isinstance(found, dict):
        raise Mistake(f"{path}: has to be an object: {{\"title\": ...}}")
    return found


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)


def is_vector(x):
    return isinstance(x, list) and len(x) == 3 and all(is_number(c) for c in x)


def is_pose(x):
    return isinstance(x, dict) and is_vector(x.get("p")) and isinstance(x.get("R"), list) and len(x["R"]) == 3 and all(is_vector(r) for r in x["R"])


def is_frame(x):
    return is_pose(x) and all(is_number(x.get(key, 0)) and x.get(key, 0) >= 0 for key in ("tube", "length")) and isinstance(x.get("name", ""), str)


def is_box(x):
    return is_pose(x) and is_vector(x.get("size")) and min(x["size"]) > 0 and isinstance(x.get("name", ""), str)


def is_cell(x):
    return x is None or isinstance(x, str) or is_number(x)


def is_row(x):
    return isinstance(x, dict) and isinstance(x.get("quantity"), str) and all(is_cell(x.get(key)) for key in ("published", "ours", "unit", "bound")) and \
        x.get("holds") in (None, True, False)


def is_cycle(x):
    return isinstance(x, dict) and isinstance(x.get("name"), str) and all(x.get(key) is None or is_number(x[key]) for key in x if key != "name")


def is_still(x):
    return isinstance(x, dict) and isinstance(x.get("file"), str) and isinstance(x.get("text", ""), str)


WORDS = {
    "title": (lambda x: isinstance(x, str) and x.strip() != "", "a text"),
    "text": (lambda x: isinstance(x, str), "a text"),
    "source": (lambda x: isinstance(x, str), "a text"),
    "command": (lambda x: isinstance(x, str), "a text"),
    "states": (lambda x: isinstance(x, list) and all(isinstance(s, str) for s in x), "a list of names"),
    "frames": (lambda x: isinstance(x, list) and all(is_frame(f) for f in x), 'a list of {"name": .., "p": [x, y, z], "R": [three rows]}'),
    "boxes": (lambda x: isinstance(x, list) and all(is_box(b) for b in x), 'a list of {"name": .., "p": [x, y, z], "R": [three rows], "size": [three lengths]}'),
    "table": (lambda x: isinstance(x, list) and all(is_row(r) for r in x), 'a list of {"quantity": .., "unit": .., "published": .., "ours": ..}'),
    "cycles": (lambda x: isinstance(x, list) and all(is_cycle(c) for c in x), 'a list of {"name": .., "count": .., ...} with times in nanoseconds'),
    "stills": (lambda x: isinstance(x, list) and all(is_still(s) for s in x), 'a list of {"file": .., "text": ..}'),
    "video": (lambda x: isinstance(x, str), "the name of a file"),
    "base": (is_pose, '{"p": [x, y, z], "R": [three rows]}'),
}


def check_about(path, about):
    if "title" not in about:
        raise Mistake(f"{path}: has no title")
    for word, value in about.items():
        if word not in WORDS:
            raise Mistake(f"{path}: unknown word {word!r}; known are {', '.join(WORDS)}")
        good, wanted = WORDS[word]
        if not good(value):
            raise Mistake(f"{path}: {word} has to be {wanted}")


def is_body(body, joints):
    return is_pose(body) and isinstance(body.get("link"), str) and isinstance(body.get("parent"), str) and isinstance(body.get("index"), int) and \
        0 <= body["index"] < joints and is_vector(body.get("axis")) and all(is_number(body.get(key)) for key in ("multiplier", "offset", "mass")) and \
        is_vector(body.get("first_moment"))


def check_turns(robot):
    """Of what achdgen prints: a Mistake names a ball joint or a linkage, which no picture can pose by one number for each joint."""
    # functions that end what another began (apply, step_end) have no inputs of their own
    fields = [f["name"] for function in robot.get("functions", []) if "in" in function for f in function["in"]["fields"]]
    for word, what in (("ball.", "ball joint"), ("linkage_start.", "linkage")):
        for name in (name for name in fields if name.startswith(word)):
            hint = "a layout with tips leaves it out" if word == "ball." else "a layout without linkages has all joints"
            raise Mistake(f'the robot has the {what} "{name[len(word):]}", which is not drawn: its pictures are posed by one number for each joint; {hint}')


def check_robot(path, robot):
    try:
        check_turns(robot)
    except (AttributeError, KeyError, TypeError):
        raise Mistake(f"{path}: is not what achdgen prints of a robot; make it by: achdgen robot.urdf --describe json > robot.json") from None
    except Mistake as mistake:
        raise Mistake(f"{path}: {mistake}") from None
    good = isinstance(robot.get("base"), dict) and isinstance(robot["base"].get("link"), str) and is_number(robot["base"].get("mass", 0)) and \
        all(isinstance(robot.get(key), list) for key in ("joints", "bodies", "frames")) and \
        all(isinstance(j, dict) and isinstance(j.get("name"), str) for j in robot["joints"])
    known = {robot["base"]["link"]} if good else set()
    for body in robot["bodies"] if good else []:
        good = good and is_body(body, len(robot["joints"])) and body["parent"] in known
        known.add(body.get("link") if good else None)
    good = good and all(is_pose(f) and isinstance(f.get("link"), str) and f.get("body") in known for f in robot["frames"])
    if not good:
        raise Mistake(f"{path}: is not what achdgen prints of a robot; make it by: achdgen robot.urdf --describe json > robot.json")


def read(folder):
    about_path, robot_path = os.path.join(folder, "run.json"), os.path.join(folder, "robot.json")
    about = read_json(about_path)
    check_about(about_path, about)
    robot = None
    if os.path.exists(robot_path):
        robot = read_json(robot_path)
        check_robot(robot_path, robot)
    times, signals = read_log(os.path.join(folder, "log.csv"))
    return Run(folder, about, robot, times, signals)

# SPDX-License-Identifier: MIT
"""What the tests share: robots, a cache of their own, achdgen on numbers (--eval) to compare with."""

import os
import platform
import subprocess
from pathlib import Path

import numpy as np
import pytest

import achdgen
from achdgen import _generate

ROBOTS = Path(os.environ.get("ACHD_ROBOTS") or Path(__file__).resolve().parents[2] / "robots")
# Batches of four doubles fill one register of this machine: where they have to be spread over two, gcc takes eight times as long.
WIDE = ["-march=native"] if platform.machine() == "x86_64" else []


def pytest_collection_modifyitems(items):
    """ACHD_EVERY=N,K: of the tests every Nth alone, from the Kth; the repository's own test run tries such a sample."""
    if "ACHD_EVERY" in os.environ:
        step, first = (int(number) for number in os.environ["ACHD_EVERY"].split(","))
        items[:] = items[first % step::step]


@pytest.fixture(scope="session", autouse=True)
def described_once():
    """What achdgen says of a robot is asked once, for the same command on files of the same text: these tests load the same robots again and again."""
    run, kept = _generate._run, {}

    def once(command):
        if command[-2:] != ["--describe", "json"]:
            return run(command)
        layout = command[command.index("--layout") + 1] if "--layout" in command else None
        texts = tuple(Path(name).read_bytes() for name in (command[1], layout) if name and Path(name).is_file())
        key = tuple(word for word in command if word != layout), texts
        if key not in kept:
            said = run(command)
            if said.stderr:  # names the files
                return said
            kept[key] = said
        return kept[key]

    _generate._run = once
    yield
    _generate._run = run


@pytest.fixture(scope="session")
def robots():
    return ROBOTS


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def load(cache):
    def load_with(robot, layout=None, lanes=True, **options):
        one_by_one = [] if lanes else [f"-D{robot.upper()}_NO_LANES"]
        options.setdefault("flags", ["-O0", "-ffp-contract=off", *WIDE, *one_by_one])
        return achdgen.load(ROBOTS / f"{robot}.urdf", layout, cache=cache, **options)

    return load_with


@pytest.fixture(scope="session")
def evaluate():
    """evaluate(function, records, robot, layout): the outputs and statuses of --eval, in the order of its columns."""

    def run(function, records, robot, layout):
        elements = [e for f in function.description["in"]["fields"] for e in f["elements"]]
        real = np.dtype(function.robot.real)
        raw = np.ascontiguousarray(records).reshape(-1).view(np.uint8).reshape(records.size, -1)
        numbers = raw.copy().view(real)
        lines = "".join(" ".join(repr(float(row[e["offset"] // real.itemsize])) for e in elements) + "\n" for row in numbers)
        said = subprocess.run([achdgen.program(), str(ROBOTS / f"{robot}.urdf"), "--layout", str(layout), "--functions", function.name,
                               "--real", function.robot.description["real"], "-q", "--eval"],
                              input=lines, capture_output=True, text=True, check=True).stdout
        table = np.array([[float(x) for x in line.split()] for line in said.splitlines()])
        return table[:, :-1], table[:, -1].astype(np.uint32)

    return run


@pytest.fixture(scope="session")
def flat():
    """flat(function, records): the outputs in the order of --eval's columns."""

    def columns(function, records):
        elements = [e for f in function.description["out"]["fields"] for e in f["elements"]]
        real = np.dtype(function.robot.real)
        numbers = np.ascontiguousarray(records).reshape(-1).view(np.uint8).reshape(records.size, -1).copy().view(real)
        return np.stack([numbers[:, e["offset"] // real.itemsize] for e in elements], axis=1)

    return columns

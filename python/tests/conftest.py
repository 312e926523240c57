"""What the tests share: robots, a cache of their own, achdgen on numbers (--eval) to compare with."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import achdgen

ROBOTS = Path(os.environ.get("ACHD_ROBOTS") or Path(__file__).resolve().parents[2] / "robots")


@pytest.fixture(scope="session")
def robots():
    return ROBOTS


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def load(cache):
    def load_with(robot, layout=None, **options):
        options.setdefault("flags", ["-O0", "-ffp-contract=off"])
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

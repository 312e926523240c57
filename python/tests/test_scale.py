# SPDX-License-Identifier: MIT
"""The studies of examples/scale: the same results to the bit by one process, by dask.distributed and by MPI, also where workers are killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import achdgen

EXAMPLES = Path(os.environ.get("ACHD_EXAMPLES") or Path(__file__).resolve().parents[1] / "examples") / "scale"


def command(study, robots, *options, before=()):
    return [*before, sys.executable, *(["-m", "mpi4py"] if before else []), str(EXAMPLES / f"{study}.py"), str(robots), *map(str, options)]


def ran(*arguments, **options):
    done = subprocess.run(command(*arguments, **options), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def mpirun():
    pytest.importorskip("mpi4py", reason="no mpi4py (Debian: python3-mpi4py)")
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun (Debian: openmpi-bin)")
    said = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    more = ["--oversubscribe", *(["--allow-run-as-root"] if os.getuid() == 0 else [])] if "Open MPI" in said else []
    return ["mpirun", *more, "-n", "3"]


@pytest.fixture(scope="module")
def alone(robots, tmp_path_factory):
    """The Monte Carlo of 10^5 states by one process."""
    out = tmp_path_factory.mktemp("alone") / "result.npz"
    done = ran("monte_carlo", robots, "--states", "1e5", "--block", 5000, "--out", out)
    assert "100000 states" in done.stdout and "20 of 20 blocks" in done.stderr
    return out.read_bytes()


def test_without_other_masses_and_friction_there_is_no_error(robots):
    said = ran("monte_carlo", robots, "--states", 2000, "--block", 1000, "--masses", 0, "--friction", 0).stdout
    assert float(said.split("the largest: ")[1].split()[0]) < 1e-8


def test_a_study_is_gone_on_with(alone, robots, tmp_path):
    """Blocks that were kept are not computed again, nor those of another study taken."""
    options = ["--states", "1e5", "--block", 5000, "--keep", tmp_path / "kept", "--out", tmp_path / "out.npz"]
    ran("monte_carlo", robots, *options[:1], "25000", *options[2:])
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert len(before) == 5 + 1
    ran("monte_carlo", robots, *options)
    assert (tmp_path / "out.npz").read_bytes() == alone
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert len(after) == 20 + 1 and all(after[name] == at for name, at in before.items())
    other = subprocess.run(command("monte_carlo", robots, *options, "--seed", 2), capture_output=True, text=True, check=False)
    assert other.returncode == 1 and "has blocks of another study" in other.stderr


def test_the_map_is_that_of_the_functions(robots, tmp_path):
    ran("workspace", robots, "--states", 4000, "--block", 2000, "--out", tmp_path / "map.npz")
    gen3 = achdgen.load(robots / "gen3.urdf", {"groups": [{"name": "tool", "frame": "tool_frame"}]}, functions=["fk", "manipulability"])
    counts, most = np.zeros((125, 60), int), np.zeros((125, 60))
    for k in range(2):
        for q in gen3.random_configuration(2000, np.random.default_rng([1, k])):
            x, y, z = gen3.fk(q=q).pose.tool_frame["p"]
            at = int((z + 1) // 0.02), int(np.hypot(x, y) // 0.02)
            counts[at] += 1
            most[at] = max(most[at], gen3.manipulability(q=q).manipulability.tool_frame)
    with np.load(tmp_path / "map.npz") as found:
        assert (found["counts"] == counts).all() and found["states"] == 4000 and found["outside"] == 0
        assert np.allclose(found["most"], most, rtol=1e-9, atol=0)


def test_dask_with_a_worker_killed(alone, robots, tmp_path, monkeypatch):
    """Every state is counted once, as by one process; what is compiled is compiled once, although both workers begin without it."""
    distributed = pytest.importorskip("distributed", reason="no dask.distributed (Debian: python3-distributed)")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import blocks
    import monte_carlo

    parser = blocks.options("", 1e5)
    parser.set_defaults(masses=0.05, friction=1.0)
    given = parser.parse_args([str(robots), "--block", "5000", "--keep", str(tmp_path / "kept"), "--out", str(tmp_path / "out.npz")])
    killed = []

    def share(study, todo, client):
        for number, block in enumerate(blocks.by_dask(study, todo, client)):
            yield block
            if number == 3:
                killed.extend(client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        study = monte_carlo.MonteCarlo(given)
        blocks.finish(study, given, lambda study, todo: share(study, todo, client))
    assert len(killed) == 2 and (tmp_path / "out.npz").read_bytes() == alone
    assert len(list((tmp_path / "kept").glob("*.npz"))) == 20


def test_mpi(alone, mpirun, robots, tmp_path):
    ran("monte_carlo", robots, "--states", "1e5", "--block", 5000, "--on", "mpi", "--out", tmp_path / "out.npz", before=mpirun)
    assert (tmp_path / "out.npz").read_bytes() == alone


def test_mpi_with_a_rank_killed(mpirun, robots, tmp_path):
    """MPI ends all ranks; the same command goes on, and its result is that of one process."""
    options, kept = ["--states", "1e5", "--block", 500], tmp_path / "kept"
    again = command("monte_carlo", robots, *options, "--on", "mpi", "--keep", kept, "--out", tmp_path / "out.npz", before=mpirun)
    with subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while len(list(kept.glob("*.npz"))) < 10:
            assert running.poll() is None
            time.sleep(0.002)
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        assert running.wait() != 0
    found = len(list(kept.glob("*.npz")))
    assert 10 <= found < 200
    subprocess.run(again, check=True, capture_output=True)
    ran("monte_carlo", robots, *options, "--out", tmp_path / "alone.npz")
    assert (tmp_path / "out.npz").read_bytes() == (tmp_path / "alone.npz").read_bytes()


def test_processes_compile_once(robots, tmp_path):
    """Two that begin at the same time: the compiler is called once."""
    cc, log = tmp_path / "cc", tmp_path / "calls"
    cc.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo called >>{log}\nexec cc "$@"\n')
    cc.chmod(0o755)
    program = f"import achdgen; achdgen.load({str(robots / 'arm1dof.urdf')!r}, functions=['id'], cc={str(cc)!r}, cache={str(tmp_path / 'cache')!r})"
    for process in [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]:
        assert process.wait() == 0
    assert log.read_text().split() == ["called"]

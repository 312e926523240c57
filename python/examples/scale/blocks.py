# SPDX-License-Identifier: MIT
"""Shares the blocks of a study among processes: one after the other here, by dask.distributed, or by MPI.

A study has blocks, 0 to study.blocks - 1, whose results follow from the block's number alone: study.block(k) is a dict of arrays. Those whose names begin
with "most" are largest values, all others are numbers of states. Both can be put together in any order with the same result to the bit, so it does not
matter who computed which block, when, or how often. Blocks are computed where achdgen and NumPy are installed; robots are sent as their recipes."""

import argparse
import itertools
import json
import os
import sys
import time
from pathlib import Path

import numpy as np


def options(about, states):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("robots", type=Path, help="the folder that has gen3.urdf")
    parser.add_argument("--states", type=float, default=states, help="how many, 1e8 for example; a whole number of blocks is computed")
    parser.add_argument("--block", type=int, default=50000, help="states of a block; others make other random numbers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", choices=("here", "dask", "mpi"), default="here", help="who computes: this process; workers of dask.distributed; ranks of mpirun")
    parser.add_argument("--workers", type=int, default=2, help="of --on dask, on this machine")
    parser.add_argument("--scheduler", help="of --on dask: the address of a cluster that is there, tcp://HOST:8786")
    parser.add_argument("--keep", type=Path, help="a folder of finished blocks: what it has is not computed again")
    parser.add_argument("--out", type=Path, help="a .npz file of the result")
    parser.add_argument("--figure", type=Path, help="a picture of the result, by matplotlib")
    return parser


def here(study, todo):
    for k in todo:
        yield k, study.block(k)


def by_dask(study, todo, client):
    """The blocks of workers that died are given to others, by dask.distributed."""
    from distributed import as_completed

    todo, running = iter(todo), as_completed()
    number = {}

    def give():
        """So many that a worker which has finished a block has the next one; more where workers have joined."""
        for k in itertools.islice(todo, max(1, 4 * sum(client.nthreads().values()) - len(number))):
            future = client.submit(study.block, k, pure=False)
            number[future] = k
            running.add(future)

    give()
    for future in running:
        yield number.pop(future), future.result()
        give()


def by_mpi(study, todo, executor, workers):
    """Rank 0 gives blocks to the other ranks, by mpi4py.futures. Where a rank dies, MPI ends all of them: --keep has what was finished."""
    from concurrent.futures import FIRST_COMPLETED, wait

    todo, number = iter(todo), {}
    while True:
        for k in itertools.islice(todo, 4 * workers - len(number)):
            number[executor.submit(study.block, k)] = k
        if not number:
            return
        for future in wait(number, return_when=FIRST_COMPLETED).done:
            yield number.pop(future), future.result()


class Kept:
    """The finished blocks of a study in a folder, one file each; without a folder there are none."""

    def __init__(self, folder, study):
        self.folder = folder
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        whose, text = folder / "study.json", json.dumps(study.identity, sort_keys=True)
        if not whose.is_file():
            self._write(whose, lambda file: file.write(text.encode()))
        elif whose.read_text(encoding="utf-8") != text:
            sys.exit(f"--keep: {folder} has blocks of another study, {whose.read_text(encoding='utf-8')}: name another folder, or remove it")

    def _write(self, path, write):
        beside = path.with_suffix(f".{os.getpid()}")
        with open(beside, "wb") as file:
            write(file)
        beside.replace(path)  # there wholly, or not at all

    def read(self, blocks):
        found = {}
        for path in sorted(self.folder.glob("[0-9]*.npz")) if self.folder else ():
            if int(path.stem) < blocks:
                with np.load(path) as block:
                    found[int(path.stem)] = dict(block)
        return found

    def add(self, k, block):
        if self.folder is not None:
            self._write(self.folder / f"{k:07d}.npz", lambda file: np.savez(file, **block))


def put_together(whole, block):
    for name, array in block.items():
        if name not in whole:
            whole[name] = np.array(array)
        elif name.startswith("most"):
            np.maximum(whole[name], array, out=whole[name])
        else:
            whole[name] += array
    return whole


class Progress:
    """On the error output: a line that is written again and again on a terminal, else one for each tenth."""

    def __init__(self, blocks, size, done):
        self.blocks, self.size, self.before, self.start, self.tenth = blocks, size, done, time.monotonic(), 10 * done // blocks

    def tell(self, done):
        terminal, tenth = sys.stderr.isatty(), 10 * done // self.blocks
        if terminal or tenth > self.tenth:
            rate = (done - self.before) / max(time.monotonic() - self.start, 1e-9)
            print(f"{done} of {self.blocks} blocks, {rate * self.size:.2g} states a second, {(self.blocks - done) / rate:.0f} s to go",
                  end="\r" if terminal and done < self.blocks else "\n", file=sys.stderr, flush=True)
        self.tenth = tenth


def compute(study, kept, share):
    """The result of all blocks. share(study, todo): pairs of a number and its block, in any order."""
    found = kept.read(study.blocks)
    whole = {}
    for block in found.values():
        put_together(whole, block)
    progress = Progress(study.blocks, study.size, len(found))
    done = set(found)
    for k, block in share(study, [k for k in range(study.blocks) if k not in found]):
        kept.add(k, block)
        put_together(whole, block)
        done.add(k)
        progress.tell(len(done))
    if len(done) != study.blocks:
        sys.exit(f"{len(done)} of {study.blocks} blocks were computed")
    return whole


def finish(study, given, share):
    result = compute(study, Kept(given.keep, study), share)
    study.tell(result)
    if given.out:
        np.savez(given.out, **result)
    if given.figure:
        study.draw(result, given.figure)


def run(make_study, given):
    """The study of these arguments, computed, told, written and drawn. make_study: called where blocks are given out, and nowhere else."""
    if given.block < 1 or not given.states >= 1:
        sys.exit("--states and --block have to be 1 at least")
    if given.on == "here":
        finish(make_study(given), given, here)
    elif given.on == "dask":
        from distributed import Client, LocalCluster

        cluster = given.scheduler or LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None)
        with Client(cluster) as client:
            finish(make_study(given), given, lambda study, todo: by_dask(study, todo, client))
    else:
        from mpi4py import MPI
        from mpi4py.futures import MPICommExecutor

        if MPI.COMM_WORLD.size < 2:
            sys.exit("--on mpi: one process gives blocks to others, and there is none: mpirun -n 3 python3 -m mpi4py ..")
        with MPICommExecutor(MPI.COMM_WORLD) as executor:
            if executor is not None:
                finish(make_study(given), given, lambda study, todo: by_mpi(study, todo, executor, MPI.COMM_WORLD.size - 1))

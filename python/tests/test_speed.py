# SPDX-License-Identifier: MIT
"""Prints how fast arrays are computed (pytest -s); judges nothing but that the numbers are there, so it takes ACHD_SWEEP=1."""

import os
import time

import numpy as np
import pytest


def best_of(run, times=5):
    least = 1e9
    for _ in range(times):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return least


@pytest.mark.skipif(os.environ.get("ACHD_SWEEP") != "1", reason="judges nothing: with ACHD_SWEEP=1")
def test_speed(load, robots):
    gen3 = load("gen3", robots / "gen3.lua", flags=["-O2", "-march=native"])
    n = 20000
    states = gen3.achd.pack(q=np.random.default_rng(2).uniform(-1, 1, (n, 7)), gravity=[0, 0, -9.81])
    out = np.empty(n, gen3.achd.dtype_out)
    array = best_of(lambda: gen3.achd.run(states, out)) / n
    named = best_of(lambda: gen3.achd(q=states["q"], gravity=[0, 0, -9.81])) / n
    one = best_of(lambda: [gen3.achd(q=states["q"][0], gravity=[0, 0, -9.81]) for _ in range(100)]) / 100
    single = states[:1].copy()
    bare = best_of(lambda: [gen3.achd.run(single) for _ in range(1000)]) / 1000
    print(f"\ngen3, six rows: {1e-6 / array:.2f} million states a second in structured arrays, {1e-6 / named:.2f} by names; "
          f"a call of one state {bare * 1e6:.1f} us in a structured array, {one * 1e6:.1f} us by names")
    assert np.isfinite(out["qdd"]).all()

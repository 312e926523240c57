# SPDX-License-Identifier: MIT
"""Steps of a simulator: simulate() is a loop of step(), contacts bear the weight, and a robot without a result stops alone."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

import achdgen

LEGS = ("fl", "fr", "rl", "rr")
LAYOUT = {"base": "floating", "groups": {}, "step": {}, "contacts": [{"name": leg, "frame": f"{leg}_foot", "radius": 0.02} for leg in LEGS]}
POSTURE = np.tile([0, 0.8, -1.6], 4)
FLOOR = {f"contact.{leg}.friction": 0.7 for leg in LEGS}


def hold(_, now):
    return 150 * (POSTURE - now["q"]) - 3 * now["qd"]


@pytest.fixture(scope="module")
def quadruped(load):
    return load("quadruped", LAYOUT, functions=["step_begin"], batch=0)


def test_quadrupeds_stand(quadruped):
    """Eleven fall 4 cm; after 1.2 s the floor bears the weight of each, 134.79 N, pushing only and within friction."""
    q = POSTURE + np.random.default_rng(3).uniform(-0.03, 0.03, (11, 12))
    motion = quadruped.simulate(600, policy=hold, every=100, q=q, time_step=2e-3, **{"base.position": [0, 0, 0.35]}, **FLOOR)
    assert motion.q_next.shape == (6, 11, 12) and motion.ok.all() and (motion.status == 0).all()
    forces = np.stack([motion[f"contact.{leg}.force"] for leg in LEGS], axis=-2)
    np.testing.assert_allclose(forces[-1, ..., 2].sum(axis=-1), 134.79, rtol=5e-3)
    assert (forces[..., 2] >= 0).all()
    assert (np.hypot(forces[..., 0], forces[..., 1]) <= 0.7 * forces[..., 2] + 1e-9).all()
    np.testing.assert_allclose(motion["base_next.position"][-1, :, 2], 0.3073, atol=2e-3)


def test_simulate_is_a_loop_of_steps(quadruped, load):
    """The same numbers, from impulses of the step before as from none; without contacts to the bit."""
    at = {"q": POSTURE + np.linspace(-0.02, 0.02, 3)[:, None], "qd": np.zeros(12), "base.position": [0, 0, 0.31]}
    tau = 150 * (POSTURE - at["q"])
    motion = quadruped.simulate(20, tau=tau, **at, **FLOOR)
    for k in range(20):
        one = quadruped.step(tau=tau, **at, **FLOOR, check=True)
        np.testing.assert_allclose(motion.q_next[k], one.q_next, atol=1e-9)
        np.testing.assert_allclose(motion["base_next.twist"][k], one["base_next.twist"], atol=1e-7)
        at = {"q": one.q_next, "qd": one.qd_next, **{f"base.{name}": one[f"base_next.{name}"] for name in ("position", "quat", "twist")}}
    gen3 = load("gen3", {"groups": {}, "step": {}}, functions=["step"])
    start, tau = {"q": np.linspace(-1, 1, 7), "qd": np.ones(7)}, np.linspace(-2, 2, 7)
    moved = gen3.simulate(10, policy=lambda k, now: {"tau": {"joint_2": float(k)}}, tau=tau, **start)
    for k in range(10):
        tau[1] = k
        one = gen3.step(tau=tau, **start)
        np.testing.assert_array_equal(moved.q_next[k], one.q_next)
        start = {"q": one.q_next, "qd": one.qd_next}


def test_a_robot_without_result_stops_alone(quadruped):
    """NaN in a torque of one robot, in one step: that one has NaN from there on; the others go on as without it. A state can be changed in place."""
    def broken(k, now):
        tau = hold(k, now)
        tau[1, 4] = np.nan if k == 5 else tau[1, 4]
        if k == 8:
            now["base.position"][0] = [0, 0, 3]
        return {"tau": tau}

    start = {"q": np.tile(POSTURE, (3, 1)), "base.position": [0, 0, 0.32], "time_step": 2e-3, **FLOOR}
    motion, usual = quadruped.simulate(12, policy=broken, **start), quadruped.simulate(12, policy=hold, **start)
    assert list(motion.ok) == [True, False, True] and motion.status[1] & quadruped.NOT_FINITE
    assert np.isfinite(motion.q_next[:5, 1]).all() and np.isnan(motion.q_next[5:, 1]).all()
    np.testing.assert_array_equal(motion.q_next[:, 2], usual.q_next[:, 2])
    assert motion["base_next.position"][8, 0, 2] == pytest.approx(3, abs=0.01) and not np.any(motion["contact.fl.force"][8:, 0])


def test_what_cannot_be_simulated(quadruped, load, robots):
    with pytest.raises(achdgen.InputError, match="-1 steps"):
        quadruped.simulate(-1)
    with pytest.raises(achdgen.InputError, match="every 0"):
        quadruped.simulate(1, every=0)
    with pytest.raises(TypeError):
        quadruped.simulate(1.5)
    with pytest.raises(achdgen.InputError, match="no input height"):
        quadruped.simulate(1, height=3)
    with pytest.raises(achdgen.InputError, match="tau has the shape"):
        quadruped.simulate(1, policy=lambda k, now: np.zeros(3))
    with pytest.raises(achdgen.InputError, match="no input torque"):
        quadruped.simulate(1, policy=lambda k, now: {"torque": 0})
    states = quadruped.step.pack(q=np.zeros((4, 12)))
    with pytest.raises(achdgen.InputError, match=r"impulses must be .* \(4, 12\)"):
        quadruped.step.run(states, impulses=np.zeros((4, 11)))
    assert quadruped.simulate(0).q_next.shape == (0, 12)
    slope = quadruped.simulate(2, **{"contact.fl.normal": [0, 0, 2]})
    assert not slope.ok and slope.status & quadruped.BAD_INPUT and np.isnan(slope.q_next).all()
    with pytest.raises(AttributeError, match="has no step"):
        load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"]).simulate(1)


def test_limits_and_dry_friction(load):
    """A Gen3 that falls stops at its limits; dry friction holds one that weighs less than it. In float, too."""
    for real, near in (("double", 1e-9), ("float", 1e-4)):
        gen3 = load("gen3", {"groups": {}, "limits": {}, "friction": {"coulomb": {"joint_1": 2.0}}, "step": {}}, functions=["step_begin"], real=real, batch=0)
        motion = gen3.simulate(1500, every=50, q=np.full(7, 0.3), time_step=2e-3)
        assert motion.ok and np.isfinite(motion.q_next).all()
        for j, joint in enumerate(gen3.description["joints"]):
            if joint["upper"] is not None:
                assert motion.q_next[:, j].max() <= joint["upper"] + max(near, 1e-3) and motion.q_next[:, j].min() >= joint["lower"] - max(near, 1e-3)
        still = gen3.simulate(50, q=np.zeros(7), tau=[1.9, 0, 0, 0, 0, 0, 0], time_step=1e-4)
        assert abs(still.qd_next[-1, 0]) <= near


def test_environment_of_the_recipe(robots, cache):
    """Robots stand under small actions, those that fall begin anew, observations stay finite."""
    file = Path(os.environ.get("ACHD_EXAMPLES") or Path(__file__).resolve().parents[1] / "examples") / "environment.py"
    spec = importlib.util.spec_from_file_location("environment", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    environment = module.Quadrupeds(16, robots, cache=cache, batch=0, flags=["-O0", "-ffp-contract=off"])
    seen = environment.reset()
    for _ in range(60):
        seen, reward, fell, late = environment.step(np.zeros((16, 12)))
        assert seen.shape == (16, 30) and np.isfinite(seen).all() and not fell.any() and not late.any()
    assert reward.min() > 0.5
    np.testing.assert_allclose(np.linalg.norm(seen[:, :3], axis=1), 1, atol=1e-9)
    environment.position[3, 2] = 0.1
    environment.age[5] = 499
    _, reward, fell, late = environment.step(np.zeros((16, 12)))
    assert list(np.flatnonzero(fell)) == [3] and reward[3] == -1 and list(np.flatnonzero(late)) == [5]
    assert environment.age[3] == environment.age[5] == 0 and environment.position[3, 2] == 0.35


def test_batches_by_default():
    """Steps with contacts are computed for several states at once where nobody says otherwise, though a solver follows; problems of bounded rows are not, nor what is too long to compile."""
    def described(operations, real="double"):
        return {"functions": [{"operations": {"total": operations}}], "real": real}

    width = achdgen._generate._width
    wide = 8 if "avx512f" in achdgen._generate._machine() else 4
    assert width(described(9700), "step_begin", ["-O2", "-march=native"]) == wide
    assert width(described(9700), "step_begin", ["-O2"]) == width(described(9700, "float"), "step_begin", ["-march=native"]) == 4
    assert width(described(7000), None, ["-march=native"]) == 4
    assert width(described(100000), "step_begin", ["-march=native"]) == width(described(9000), None, []) == width(described(700), "mclp", []) == 0

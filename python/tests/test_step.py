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


SWIVEL = """<robot name="swivel"><link name="trunk"/>
<link name="arm"><inertial><origin xyz="0.02 0.01 0.15"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
<link name="hand"><inertial><origin xyz="0.05 0 0.1"/><mass value="0.5"/><inertia ixx="0.004" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.005"/></inertial></link>
<joint name="hip" type="spherical"><parent link="trunk"/><child link="arm"/><origin xyz="0 0 0.5"/></joint>
<joint name="elbow" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/><origin xyz="0 0.02 0.3"/></joint></robot>"""


def test_ball_joints(tmp_path, cache):
    """Rotations as inputs; steps turn them as integrate_balls() does, with contacts, too; dstep is the difference of such steps; a library for all processors."""
    (tmp_path / "swivel.urdf").write_text(SWIVEL)
    layout = {"groups": [], "gravity": [0, 0, -9.81], "contacts": [{"name": "tip", "frame": "hand", "kind": "point", "at": [0.05, 0, 0.2]}], "step": {}}
    robot = achdgen.load(tmp_path / "swivel.urdf", layout, cache=cache, functions=["fd", "id", "step_begin", "dstep"], flags=["-O0"], portable=True)
    assert [joint.get("ball") for joint in robot.description["joints"]] == ["hip", "hip", "hip", None]
    rng = np.random.default_rng(4)
    balls, v, qdd = robot.random_balls((3, 5), rng), rng.uniform(-2, 2, (3, 5, 4)), rng.uniform(-9, 9, (5, 4))
    q = robot.random_configuration(5, rng)
    assert not q[:, :3].any() and q[:, 3].all()
    tau = robot.id(q=q, ball=balls, qd=v, qdd=qdd).tau
    np.testing.assert_allclose(robot.fd(q=q, ball=balls, qd=v, tau=tau).qdd, np.broadcast_to(qdd, v.shape), atol=1e-9)
    after = robot.integrate_balls(balls, v, 0.5)
    np.testing.assert_allclose(robot.difference_balls(balls, after)[..., :3], 0.5 * v[..., :3], atol=1e-12)
    np.testing.assert_allclose(robot.difference_balls(balls, balls), np.zeros((3, 5, 4)), atol=1e-15)
    with pytest.raises(achdgen.InputError, match="the ball joints are"):
        robot.integrate_balls({"knee": [1, 0, 0, 0]}, v[0, 0])
    far = {"contact.tip.distance": -10, "contact.tip.friction": 1.0, "time_step": 2e-3}
    motion = robot.simulate(50, q=q, ball=balls, qd=v, **far)
    assert motion.ok.all() and motion["ball_next.hip"].shape == (50, 3, 5, 4)
    turned = robot.integrate_balls({"hip": motion["ball_next.hip"][:-1]}, motion.qd_next[1:], 2e-3)["hip"]
    np.testing.assert_allclose(motion["ball_next.hip"][1:], turned, atol=1e-12)

    # Where the tip presses on a surface: lambda from the force on the robot, and differences of whole steps.
    turn = balls["hip"][0, 0]
    here = {"tau": rng.uniform(-1, 1, 4), "contact.tip.normal": [0.6, 0, 0.8], "contact.tip.friction": 5.0, "time_step": 2e-3}
    state = np.concatenate([q[0], v[0, 0]])

    def stepped(d):  # by turns of the ball, the elbow, velocities
        ball = robot.integrate_balls({"hip": turn}, np.append(d[:3], 0))
        return robot.step(ball=ball, q=state[:4] + np.append(np.zeros(3), d[3]), qd=state[4:] + d[4:], check=True, **here)

    reach = max(x for x in np.linspace(-1, 1, 401) if not robot.step_begin(ball={"hip": turn}, q=q[0], qd=v[0, 0], **here, **{"contact.tip.distance": x}).gap[0] < 0)
    here["contact.tip.distance"] = reach + 0.01
    end, begun = stepped(np.zeros(8)), robot.step_begin(ball={"hip": turn}, q=q[0], qd=v[0, 0], **here)
    force = end["contact.tip.force"]
    impulse = 2e-3 * begun.axes.reshape(3, 3) @ force
    assert impulse[0] > 0.01 and np.hypot(*impulse[1:]) < 4.9 * impulse[0]  # it sticks
    told = robot.dstep(ball={"hip": turn}, q=q[0], qd=v[0, 0], R=np.zeros(3), **here, **{"lambda": impulse}, check=True)
    np.testing.assert_allclose(told.qd_next, end.qd_next, atol=1e-6)
    for k in range(8):
        d = 1e-5 * np.eye(8)[k]
        a, b = stepped(-d), stepped(d)
        slope = (b.qd_next - a.qd_next) / 2e-5
        np.testing.assert_allclose(told.dqd_next_dq[:, k] if k < 4 else told.dqd_next_dqd[:, k - 4], slope, atol=1e-3 * max(1, np.abs(slope).max()))
        way = (robot.difference(a.q_next, b.q_next) + robot.difference_balls({"hip": a["ball_next.hip"]}, {"hip": b["ball_next.hip"]})) / 2e-5
        np.testing.assert_allclose(told.dq_next_dq[:, k] if k < 4 else told.dq_next_dqd[:, k - 4], way, atol=1e-4)

# SPDX-License-Identifier: MIT
"""The numbers are those of achdgen --eval, whatever the way the arguments are given."""

import math

import numpy as np
import pytest

import achdgen

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize("robot, functions, batch", [
    ("gen3", ["achd", "gravity", "jac", "fk"], None),
    ("youbot_base", ["achd", "fk", "id"], 2),
    ("drone", ["achd", "fd", "jac"], 0),
    ("four_bar", ["achd", "crba"], 4),
    ("youbot_base", ["momentum", "coriolis", "slotine_li", "centroidal", "osim", "manipulability"], None),
])
def test_every_function_gives_the_numbers_of_eval(load, evaluate, flat, robots, robot, functions, batch):
    layout = robots / f"{robot}.lua"
    loaded = load(robot, layout, functions=functions, batch=batch, lanes=False)
    in_lanes = load(robot, layout, functions=functions, batch=batch)
    for name in functions:
        function = loaded.functions[name]
        records = function.pack()
        records = np.array([records] * 7)
        for field, described in function._in.fields.items():
            if described["shape"] not in ("quaternion", "masks", "inertia", "tensor") and not field.endswith((".mass", ".com")):
                records[field] = RANDOM.uniform(-1, 1, records[field].shape)
        out, status = function.run(records)
        expected, expected_status = evaluate(function, records, robot, layout)
        np.testing.assert_array_equal(status, expected_status)
        # the same bits but for the sign of zeros and of NaN; limbs in lanes are added up in another order
        np.testing.assert_array_equal(flat(function, out), expected)
        together, _ = in_lanes.functions[name].run(records)
        np.testing.assert_allclose(flat(function, together), expected, rtol=1e-10, atol=1e-11)


def test_float(load, evaluate, flat, robots):
    gen3 = load("gen3", robots / "gen3.lua", functions=["gravity"], real="float")
    assert gen3.prefix == "gen3f" and gen3.real is np.float32
    records = gen3.gravity.pack(q=RANDOM.uniform(-3, 3, (5, 7)), gravity=[0, 0, -9.81])
    out, _ = gen3.gravity.run(records)
    expected, _ = evaluate(gen3.gravity, records, "gen3", robots / "gen3.lua")
    np.testing.assert_array_equal(flat(gen3.gravity, out), expected.astype(np.float32))


def test_arguments_broadcast(load, robots):
    gen3 = load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"])
    q = RANDOM.uniform(-1, 1, (3, 1, 7))
    b = RANDOM.uniform(-1, 1, (4, 6))
    all_at_once = gen3.achd(q=q, gravity=[0, 0, -9.81], b=b)
    assert all_at_once.qdd.shape == (3, 4, 7) and all_at_once.nu.shape == (3, 4, 6)
    assert all_at_once.status.shape == all_at_once.ok.shape == all_at_once.pivot_min.shape == (3, 4)
    for i in range(3):
        for k in range(4):
            one = gen3.achd(q=q[i, 0], gravity=[0, 0, -9.81], b=b[k])
            np.testing.assert_array_equal(one.qdd, all_at_once.qdd[i, k])
            assert one.status == all_at_once.status[i, k]


def test_names_and_places_are_the_same(load, robots):
    gen3 = load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"])
    q = [0, 0.26, 3.14, -2.27, 0, 0.96, 1.57]
    by_place = gen3.achd(q=q, b=[0, 0, 1, 0, 0, 0.5], mask=[1, 1, 1, 0, 1, 1], push=[0, 0, 5, 0, 0, 0])
    by_name = gen3.achd(q=dict(zip(gen3.joints, q)), b={"tool.lin_z": 1, "tool.ang_z": 0.5}, mask={"tool.ang_x": 0},
                        push={"lin": [0, 0, 5]})
    by_group = gen3.achd(q=q, b={"tool": [0, 0, 1, 0, 0, 0.5]}, mask={"tool": [1, 1, 1, 0, 1, 1]}, push={"lin": [0, 0, 5], "ang": [0, 0, 0]})
    np.testing.assert_array_equal(by_place.qdd, by_name.qdd)
    np.testing.assert_array_equal(by_place.qdd, by_group.qdd)
    assert gen3.rows[gen3.TOOL_LIN_Z] == "tool.lin_z" and gen3.joints[gen3.JOINT_3] == "joint_3"


def test_a_row_is_met_and_the_jacobian_is_the_motion(load, robots):
    gen3 = load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"])
    q = np.array([0, 0.26, 3.14, -2.27, 0, 0.96, 1.57])
    J = gen3.jac(q=q).jac.tool_frame
    assert J.shape == (6, 7)
    moved = gen3.achd(q=q, b={"tool.lin_z": 0.7})
    np.testing.assert_allclose(J @ moved.qdd, [0, 0, 0.7, 0, 0, 0], atol=1e-9)
    h = 1e-6
    poses = gen3.fk(q=q + h * np.eye(7)[:, None] * np.array([[1], [-1]])).pose.tool_frame
    np.testing.assert_allclose((poses["p"][:, 0] - poses["p"][:, 1]).T / (2 * h), J[:3], atol=1e-8)


def test_bounded_rows_are_solved(load, robots):
    gen3 = load("gen3", robots / "bounded/gen3.lua", functions=["mclp", "dmclp"])
    q = RANDOM.uniform(-1, 1, (20, 7))
    b = np.zeros((20, 16))
    b[:, gen3.TOOL_LIN_Z] = RANDOM.uniform(-2, 2, 20)
    result = gen3.solve(q=q, qd=RANDOM.uniform(-1, 1, (20, 7)), gravity=[0, 0, -9.81], b=b)
    assert result.ok.all()
    force = result.nu[:, gen3.TOOL_LIN_Z]
    assert (np.abs(force) <= 50).all() and (np.abs(force) > 50 - 1e-9).any() and (np.abs(force) < 49).any()
    inside = np.abs(force) < 50 - 1e-9
    reached = result.acc.tool_frame[:, 2] - b[:, gen3.TOOL_LIN_Z]
    np.testing.assert_allclose(reached[inside], 0, atol=1e-7)
    assert (reached[~inside] * force[~inside] <= 1e-9).all()  # at a bound what is left would need more of the same force


def test_what_motors_and_contacts_can_do_at_best(load, robots):
    robot = load("quadruped", robots / "optimum/quadruped.lua", functions=["qp"])
    mass = sum(body["mass"] for body in robot.description["bodies"]) + robot.description["base"]["mass"]
    states = {"q": np.tile([0, 0.7, -1.4], 4), "base": {"quat": [1, 0, 0, 0]}, "mu": {leg: 0.6 for leg in ("fl", "fr", "rl", "rr")}}
    up = np.array([0, 1.0, 0])
    result = robot.solve(**states, b={"trunk.lin_z": up, "trunk.lin_x": [0, 0, 20]})
    assert result.ok.all()
    assert list((result.status & robot.YIELDED) != 0) == [False, False, True]  # 20 m/s^2 are beyond friction
    assert np.abs(result.residual[:2]).max() < 1e-6 and np.abs(result.residual[2]).max() > 5
    effort = np.array([joint["effort"] for joint in robot.description["joints"]])
    assert (np.abs(result.tau_ctrl) <= effort * (1 + 1e-9)).all() and np.abs(result.tau_ctrl).max() > 1
    normal = result.nu[:, [robot.FL_LIN_Z, robot.FR_LIN_Z, robot.RL_LIN_Z, robot.RR_LIN_Z]]
    sides = result.nu[:, [robot.FL_LIN_X, robot.FR_LIN_X, robot.RL_LIN_X, robot.RR_LIN_X]]
    assert (normal > -1e-7).all() and (np.abs(sides) <= 0.6 * normal + 1e-7).all()
    held = normal[:2].sum(axis=1)
    assert (held > 0.9 * mass * 9.81).all() and held[1] > held[0] + 0.5 * mass  # legs are not lifted with the trunk
    lifted = robot.solve(**states, mask={"fl": 0})
    assert lifted.ok and lifted.nu[robot.FL_LIN_Z] == 0
    assert not robot.solve(**{**states, "q": np.full(12, np.nan)}).ok


def test_friction_helps_motors_at_their_limits(load, tmp_path):
    layout = tmp_path / "rubs.lua"
    layout.write_text("""local joint = "joint1"
return {
  realise = "optimum", gravity = { 9.81, 0, 0 }, friction = "input", outputs = { "qdd", "tau_ctrl", "tau_friction" },
  effort = { [joint] = 4 }, groups = { { name = "arm", joint = joint } },
}
""")
    arm = load("arm1dof", layout, functions=["qp", "gravity"])
    weight = float(arm.gravity(q=[0]).tau[0])
    assert abs(weight) > 4.5
    friction = np.array([[0], [20], [20]])
    result = arm.solve(q=[0], friction=friction, b={"arm.joint1": [0, 0, -np.sign(weight)]})
    assert result.ok.all()
    # too weak alone; held with friction, which comes first; what holds does not lower against friction
    assert list((result.status & arm.YIELDED) != 0) == [True, False, True]
    np.testing.assert_allclose(result.tau_friction[1], weight, rtol=1e-9)
    np.testing.assert_allclose(result.tau_ctrl[1], 0, atol=1e-9)
    assert abs(result.qdd[0, 0]) > 0.1


def test_derivatives_of_bounded_rows(load, robots):
    gen3 = load("gen3", robots / "bounded/gen3.lua", functions=["mclp", "dmclp"])
    states = {"q": RANDOM.uniform(-1, 1, (10, 7)), "qd": RANDOM.uniform(-1, 1, (10, 7)), "gravity": [0, 0, -9.81],
              "b": {"tool": RANDOM.uniform(-2, 2, (10, 6))}}
    problem, result = gen3.mclp(**states), gen3.solve(**states)
    assert result.ok.all()
    side = (result.nu >= problem.hi) * 1.0 - (result.nu <= problem.lo)
    change = gen3.dmclp(**states, nu=result.nu, side=side, check=True)
    h = 1e-6
    ends = [gen3.solve(**{**states, "q": states["q"] + d * np.eye(7)[3]}) for d in (h, -h)]
    expected = (ends[0].qdd - ends[1].qdd) / (2 * h)
    scale = np.abs(expected).max(axis=1, keepdims=True) + 1
    near = np.abs(change.dqdd_dq[..., 3] - expected) < 1e-5 * scale
    assert near.all(axis=1).sum() >= 9  # a state may be at a change
    by_group = gen3.dmclp(**states, nu={"tool": result.nu[:, :6]}, side=side)
    assert by_group.status.shape == (10,)
    assert (gen3.dmclp(**states, nu=result.nu, side=np.full(16, 2.0)).status & gen3.BAD_INPUT).all()


def test_statuses(load, robots):
    gen3 = load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"])
    bad = np.zeros((3, 7))
    bad[1, 2] = math.nan
    result = gen3.achd(q=bad)
    assert list(result.ok) == [True, False, True]
    assert (result.tau_ctrl[1] == 0).all()
    with pytest.raises(achdgen.StatusError, match="1 of 3 states .* state 1: .*NOT_FINITE") as caught:
        gen3.achd(q=bad, check=True)
    assert list(caught.value.states) == [1] and caught.value.status[1] & gen3.NOT_FINITE
    assert gen3.achd(q=bad[0]).status == gen3.Status(0) or gen3.achd(q=bad[0]).status == gen3.Status.SINGULAR
    gen3.achd(q=bad[0], check=True)
    assert gen3.achd(q=np.zeros((0, 7))).qdd.shape == (0, 7)


def test_bound_tells_which_answers_to_trust(load, evaluate, flat, robots):
    """A bent arm has accelerations known to a billionth; rounding decides those of one that is nearly stretched."""
    layout = robots / "rounding" / "gen3.lua"
    gen3 = load("gen3", layout, functions=["achd"])
    q = np.array([[0, 0.26, 3.14, -2.27, 0, 0.96, 1.57], [0, 0.26, 3.14, 1e-5, 0, 0.96, 1.57]])
    answer = gen3.achd(q=q, qd=np.full(7, 0.1), gravity=[0, 0, -9.81])
    assert answer.bound.shape == answer.qdd.shape == (2, 7)
    assert (answer.bound[0] > 0).all() and (answer.bound[0] < 1e-9).all()
    assert (answer.bound[1] == 1e300).all()
    # the same bits as --eval
    records = gen3.achd.pack(q=q, qd=np.full(7, 0.1), gravity=[0, 0, -9.81])
    out, _ = gen3.achd.run(records)
    expected, _ = evaluate(gen3.achd, records, "gen3", layout)
    np.testing.assert_array_equal(flat(gen3.achd, out), expected)


def test_bound_where_rows_leave_nothing_free(load, robots, tmp_path):
    layout = tmp_path / "held.lua"
    layout.write_text("""return {
  gravity = { 0, 0, -9.81 },
  groups = { { name = "axis", joints = { "joint1" } } },
  outputs = { "qdd", "bound" },
}""")
    arm = load("arm1dof", layout, functions=["achd"])
    answer = arm.achd(q=[[0.3], [0.3]], b=[[0.0], [1.5]])
    np.testing.assert_allclose(answer.qdd[:, 0], [0, 1.5], atol=1e-12)
    assert (abs(answer.qdd - [[0], [1.5]]) <= answer.bound).all() and (answer.bound < 1e-12).all()

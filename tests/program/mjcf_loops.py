#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mjcf_loops.py ACHDGEN MJCF_LOOPS: MuJoCo's equalities, read by achdgen, move a robot as MuJoCo does: with the softness of
its rows (solref, solimp) given as the compliance of the ties, accelerations are those that MuJoCo computes, to 1e-9 (the
rows' Jacobians change along the motion, which is known by differences of the fourth order); the rows' Jacobian is that of
MuJoCo's rows, entry by entry, and the joint-space inertia MuJoCo's, seen by the joints that lead, both to 1e-9; rows that are
left out follow from the others. A four-bar linkage, a gripper of two loops whose drivers are coupled, two arms welded to each
other, and random robots. What cannot be said is refused, or told by --losses. ACHD_SWEEP=1: 20 times as many random robots."""
import json
import math
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
from checks import check, columns, evaluated, finish, refuse, run, states_in, write  # noqa: E402

ACHDGEN, LOOPS = (os.path.abspath(path) for path in sys.argv[1:3])
ROBOTS = 60 if os.environ.get("ACHD_SWEEP") == "1" else 3
CONNECT, WELD, JOINT = 0, 1, 2  # mjtEq
compared = []  # robots
AXES = ("lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z")


def solve(A, b):
    """A x = b by Gauss, b a list of numbers."""
    n = len(b)
    A = [list(row) + [b[i]] for i, row in enumerate(A)]
    for i in range(n):
        k = max(range(i, n), key=lambda r: abs(A[r][i]))
        A[i], A[k] = A[k], A[i]
        for r in range(n):
            if r != i and A[r][i] != 0:
                f = A[r][i] / A[i][i]
                A[r] = [x - f * y for x, y in zip(A[r], A[i])]
    return [A[i][n] / A[i][i] for i in range(n)]


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def times(A, x):
    return [dot(row, x) for row in A]


def transposed(A):
    return [list(column) for column in zip(*A)]


class State:
    """What mjcf_loops said of one."""

    def __init__(self, values):
        self.values = values
        self.joints = [key[2:] for key in values if key.startswith("q.")]
        n = len(self.joints)
        self.M = [[values[f"M.{i}.{j}"] for j in range(n)] for i in range(n)]
        self.tau = [values["tau." + name] for name in self.joints]
        self.force = [tau - values[f"bias.{i}"] for i, tau in enumerate(self.tau)]
        self.qacc = [values["qacc." + name] for name in self.joints]
        self.rows = []
        while f"row.{len(self.rows)}.kind" in values:
            k = f"row.{len(self.rows)}."
            self.rows.append({"J": [values[f"{k}J.{i}"] for i in range(n)], **{
                word: values[k + word] for word in ("kind", "Jdqd", "R", "aref")}})

    def lead(self, leaders):
        """G: the velocities of all joints by those of the leaders, as the rows of joint equalities have it."""
        rows = [row["J"] for row in self.rows if row["kind"] == JOINT]
        followers = [i for i, name in enumerate(self.joints) if name not in leaders]
        G = [[float(name == leader) for leader in leaders] for name in self.joints]
        for c in range(len(leaders)):
            x = solve([[row[i] for i in followers] for row in rows],
                      [-dot(row, [0 if i in followers else G[i][c] for i in range(len(G))]) for row in rows])
            for i, value in zip(followers, x):
                G[i][c] = value
        return G

    def accelerations(self, G):
        """Of the leaders, with MuJoCo's softness of connects and welds: M a = f + J^T F, J a + R F = aref."""
        n, rows = len(G[0]), [row for row in self.rows if row["kind"] != JOINT]
        Gt = transposed(G)
        M = [times(Gt, times(self.M, column)) for column in Gt]
        J = [times(Gt, row["J"]) for row in rows]
        f, Minv = solve(M, times(Gt, self.force)), [solve(M, [float(i == k) for i in range(n)]) for k in range(n)]
        A = [[dot(a, times(Minv, b)) + (row["R"] if i == j else 0) for j, b in enumerate(J)] for i, (a, row) in
             enumerate(zip(J, rows))]
        F = solve(A, [row["aref"] - dot(a, f) for a, row in zip(J, rows)]) if rows else []
        return [f[i] + sum(dot(Minv[i], J[r]) * F[r] for r in range(len(J))) for i in range(n)], M


def states_of(path, count, seed):
    made = run(LOOPS, path, str(count), str(seed))
    check(f"{path}: MuJoCo has states", made.returncode in (0, 2), made.stdout[:300])
    if made.returncode == 2:  # no position satisfies all equalities
        return []
    return [State(values) for values in states_in(made.stdout.splitlines())]


def inputs_of(state, leaders, ties):
    """Inputs of achd: torques, set-points and compliances of the ties' rows, from MuJoCo's rows of the same equalities.

    MuJoCo's residual of points is p1 - p2 along the world, ours R^T (p2 - p1) along the frame of the first; that of rotations is the
    vector of a quaternion, half the rotation, times torquescale. Both are closed: second derivatives differ by these factors."""
    values = dict(state.values)
    for name, tau in zip(leaders, times(transposed(state.lead(leaders)), state.tau)):  # those of the followers, too
        values["tau_phys." + name] = tau
    for e, name, kind, scale in ties:
        first, which = int(values[f"eq.{e}.first"]), "R1" if kind == CONNECT else "R2"
        sign = values[f"eq.{e}.sign"]
        R = [[values[f"eq.{e}.{which}.{i}{j}"] for j in range(3)] for i in range(3)]
        want = [row["aref"] + row["Jdqd"] for row in state.rows[first:first + (3 if kind == CONNECT else 6)]]
        b = [-x for x in times(transposed(R), want[:3])] + [-2 / (sign * scale) * x for x in want[3:]]
        for k, x in enumerate(b):
            values[f"b.{name}.{AXES[k]}"] = x
            values[f"compliance.{name}.{AXES[k]}"] = state.rows[first + k]["R"] * (1 if k < 3 else 4 / scale ** 2)
    return values


def own_rows(state, ties):
    """MuJoCo's rows of the ties by all joints' velocities, as rows of ours: {column: row}. Signs and factors: see inputs_of."""
    out = {}
    for e, name, kind, scale in ties:
        first, which = int(state.values[f"eq.{e}.first"]), "R1" if kind == CONNECT else "R2"
        R = [[state.values[f"eq.{e}.{which}.{i}{j}"] for j in range(3)] for i in range(3)]
        J = [row["J"] for row in state.rows[first:first + (3 if kind == CONNECT else 6)]]
        for k in range(3):
            out[f"{name}.{AXES[k]}"] = [-dot((R[0][k], R[1][k], R[2][k]), column) for column in zip(*J[:3])]
        for k in range(3, len(J)):
            out[f"{name}.{AXES[k]}"] = [-2 / (state.values[f"eq.{e}.sign"] * scale) * x for x in J[k]]
    return out


def jacobians(path, command, names, states, rows, ties, leaders):
    """Of these rows by the leaders' velocities in each state, [(MuJoCo's, achdgen's)]: forces F of the rows accelerate the joints by M^-1 J^T F, so that
    J = (M A F^-1)^T of the changes of accelerations A and forces F that set-points of one row each make. M is MuJoCo's; compliances as large as
    J M^-1 J^T keep F well away from singular where rows depend on each other."""
    found, asked = [], []
    for state in states:
        Gt = transposed(state.lead(leaders))
        M = [times(Gt, times(state.M, column)) for column in Gt]
        own = own_rows(state, ties)
        J = [times(Gt, own[key]) for key in rows]
        soft = max(dot(row, solve(M, row)) for row in J)
        found.append((M, J))
        at_rest = {**{key: value for key, value in state.values.items() if not key.startswith("qd.")}, **{f"compliance.{key}": soft for key in rows}}
        asked += [at_rest] + [{**at_rest, f"b.{key}": 1e6 * soft} for key in rows]
    answers, out = evaluated(path, command, names, asked), []
    for M, J in found:
        first, *others = answers[:len(rows) + 1]
        del answers[:len(rows) + 1]
        F = [[answer["nu." + key] - first["nu." + key] for key in rows] for answer in others]
        MA = [times(M, [answer["qdd." + name] - first["qdd." + name] for name in leaders]) for answer in others]
        out.append((J, transposed([solve(F, [force[i] for force in MA]) for i in range(len(leaders))])))
    return out


def left_over(row, rows):
    """What is left of a row beyond all combinations of others, of its size."""
    size, kept = math.sqrt(dot(row, row)), []
    for other in rows + [row]:
        for _ in range(2):
            for unit in kept:
                other = [x - dot(other, unit) * u for x, u in zip(other, unit)]
        length = math.sqrt(dot(other, other))
        if length > 1e-12:
            kept.append([x / length for x in other])
    return length / size if size > 1e-12 else 0


LAYOUT = '''return { groups = {}, ties = { compliance = "input" }, torques = { physical = true }, outputs = { "qdd", "nu" } }\n'''
NO_TIES = '''return { groups = {}, torques = { physical = true }, outputs = { "qdd" } }\n'''


def followers(path, states):
    """Joints that follow others, q = multiplier q_leader + offset, do so as the rows of MuJoCo's joint equalities demand: each row J has J G = 0."""
    said = json.loads(run(ACHDGEN, path, "-q", "--functions", "fk", "--describe", "json").stdout)
    bodies = {body["joint"]: body for body in said["bodies"]}
    leaders = [joint["name"] for joint in said["joints"]]
    for state in states:
        rows = [row["J"] for row in state.rows if row["kind"] == JOINT]
        G = [[bodies[name]["multiplier"] * (leader == leaders[bodies[name]["index"]]) for leader in leaders] for name in state.joints]
        worst = max((abs(dot(row, column)) for row in rows for column in zip(*G)), default=0)
        check(f"{path}: rows of coupled joints", worst < 1e-12 and len(rows) == len(state.joints) - len(leaders), f"{worst} {G} {rows}")
        off = [state.values["q." + name] - bodies[name]["multiplier"] * state.values["q." + leaders[bodies[name]["index"]]] - bodies[name]["offset"] for name in state.joints]
        check(f"{path}: positions of coupled joints", max(map(abs, off)) < 1e-9, off)


def compare(path, ties, rows, seed, count=3):
    """ties: [(number of the equality, name, kind, torquescale)]; rows: how many the layout has."""
    write("loops.lua", LAYOUT if ties else NO_TIES)
    command = (ACHDGEN, path, "--layout", "loops.lua")
    names = columns(path, command)
    if not names[1]:
        return
    leaders = [key[4:] for key in names[1] if key.startswith("qdd.")]
    said = [key for key in names[0] if key.startswith("b.")]
    check(f"{path}: rows", rows is None or len(said) == rows, f"{said}")
    states = states_of(path, count, seed)
    if not states:
        return
    compared.append(path)
    answers = evaluated(path, command, names, [inputs_of(state, leaders, ties) for state in states])
    inertia = (ACHDGEN, path, "--functions", "crba")
    inertias = evaluated(path, inertia, columns(path, inertia), [state.values for state in states])
    followers(path, states)
    worst = [0.0, 0.0, 0.0, 0.0, 0.0]
    for state, answer, M in zip(states, answers, inertias):
        G = state.lead(leaders)
        qdd, reduced = state.accelerations(G)
        packed = [value for key, value in M.items() if key != "status"]
        lower = [reduced[i][j] for i in range(len(reduced)) for j in range(i + 1)]
        worst[0] = max([worst[0]] + [abs(a - b) / max(map(abs, lower)) for a, b in zip(packed, lower)])
        size = max(map(abs, qdd))
        worst[1] = max([worst[1]] + [abs(answer["qdd." + name] - x) / size for name, x in zip(leaders, qdd)])
        check(f"{path}: status", answer["status"] == 0, answer["status"])
        if len(leaders) == len(state.joints):  # then these are MuJoCo's own accelerations
            size = max(map(abs, state.qacc))
            worst[2] = max([worst[2]] + [abs(answer["qdd." + name] - x) / size for name, x in zip(state.joints, state.qacc)])
    tied = [key[2:] for key in said]
    for state, (expected, J) in zip(states, jacobians(path, command, names, states, tied, ties, leaders) if ties else []):
        for row, other in zip(expected, J):
            size = max(map(abs, row))
            worst[3] = max([worst[3]] + [abs(x - y) / size for x, y in zip(row, other)])
        Gt = transposed(state.lead(leaders))
        worst[4] = max([worst[4]] + [left_over(times(Gt, row), expected) for key, row in own_rows(state, ties).items() if key not in tied])
    text = f"{worst}\n{open(path, encoding='utf-8').read()}"
    check(f"{path}: joint-space inertia", len(answers) == count and worst[0] < 1e-9, text)
    check(f"{path}: accelerations", worst[1] < 1e-9 and worst[2] < 1e-9, text)
    check(f"{path}: Jacobian of the ties", worst[3] < 1e-9, text)
    check(f"{path}: rows of MuJoCo's that are left out follow from the others", worst[4] < 1e-9, text)


# --- robots --------------------------------------------------------------------------------------------------------------

FOUR_BAR = """<mujoco model="four bar">
<compiler angle="radian"/>
<worldbody>
<body name="crank"><joint name="a" axis="0 1 0" armature="0.01"/><geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/>
<body name="rod" pos="0 0 0.2"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/></body></body>
<body name="rocker" pos="0.5 0 -0.1"><joint name="c" axis="0 1 0" ref="0.2"/><geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02"/>
</body></worldbody>
<equality><connect name="loop" body1="rod" body2="rocker" anchor="0.5 0 0" solref="0.03 0.7" solimp="0.8 0.9 0.01"/></equality>
</mujoco>
"""
FINGER = """<body name="{0}_driver" pos="{1} 0 0.05"><joint name="{0}_driver" axis="0 1 0" armature="0.005"/>
<inertial mass="0.05" pos="0 0.01 0.02" diaginertia="2e-5 3e-5 2e-5"/>
<body name="{0}_coupler" pos="0 0 0.03"><joint name="{0}_coupler" axis="0 1 0"/>
<inertial mass="0.02" pos="{1} 0 0.02" diaginertia="1e-5 1e-5 1e-5"/></body></body>
<body name="{0}_spring" pos="{2} 0 0.06"><joint name="{0}_spring" axis="0 1 0"/>
<inertial mass="0.03" pos="0 0 0.02" diaginertia="1e-5 2e-5 1e-5"/>
<body name="{0}_pad" pos="0 0 0.05"><joint name="{0}_pad" axis="0 1 0"/>
<inertial mass="0.03" pos="0 0 0.02" diaginertia="2e-5 1e-5 1e-5"/></body></body>
"""
GRIPPER = ('<mujoco model="gripper"><worldbody><body name="wrist"><joint name="wrist" axis="0 0 1"/>'
           '<geom type="box" size="0.05 0.04 0.02"/>\n' + FINGER.format("right", "0.03", "0.01") + FINGER.format("left", "-0.03", "-0.01") +
           '</body></worldbody>\n<equality>\n<connect body1="right_pad" body2="right_coupler" anchor="0.01 0 0.01"/>'
           '<connect body1="left_pad" body2="left_coupler" anchor="-0.01 0 0.01"/>\n'
           '<joint joint1="right_driver" joint2="left_driver" polycoef="0 -1 0 0 0"/></equality></mujoco>')
ARM = """<body name="{0}1" pos="{1} 0 0.3"><joint name="{0}_1" axis="0 0 1"/>
<inertial mass="2" pos="0 0 0.1" diaginertia="0.02 0.02 0.01"/>
<body name="{0}2" pos="0 0 0.2"><joint name="{0}_2" axis="0 1 0"/><inertial mass="2" pos="0.1 0 0" diaginertia="0.01 0.02 0.02"/>
<body name="{0}3" pos="0.3 0 0"><joint name="{0}_3" axis="0 1 0.1"/><inertial mass="1.5" pos="0.1 0 0" diaginertia="0.01 0.02 0.02"/>
<body name="{0}4" pos="0.3 0 0"><joint name="{0}_4" axis="1 0 0"/><inertial mass="1" pos="0.05 0 0" diaginertia="0.01 0.01 0.01"/>
<body name="{0}5" pos="0.1 0 0"><joint name="{0}_5" axis="0 0 1"/><inertial mass="1" pos="0.05 0 0" diaginertia="0.01 0.01 0.01"/>
<body name="{0}6" pos="0.1 0 0"><joint name="{0}_6" axis="1 0.2 0"/><inertial mass="0.5" pos="0.02 0.01 0" diaginertia="0.001 0.002 0.002"/>
</body></body></body></body></body></body>
"""
TWO_ARMS = ('<mujoco model="two arms"><worldbody>' + ARM.format("l", "0") + ARM.format("r", "0.2") + '</worldbody>\n<equality>\n'
            '<weld name="hold" body1="l6" body2="r6" anchor="0.05 0.02 0" torquescale="0.5"/></equality></mujoco>')


def some(r, low, high, count):
    return " ".join(f"{r.uniform(low, high):.6g}" for _ in range(count))


def random_robot(seed):
    """A tree of bodies, whose leaves and others are tied, and whose joints are coupled: its text, and its ties."""
    r = random.Random(seed)
    degrees = r.random() < 0.5
    turn = 180 / math.pi if degrees else 1
    bodies, joints = ["world"], []

    def body(depth):
        name = f"b{len(bodies)}"
        bodies.append(name)
        text = f'<body name="{name}" pos="{some(r, -0.3, 0.3, 3)}"' + r.choice(["", f' quat="{some(r, -1, 1, 4)}"']) + ">"
        for _ in range(r.choice([1, 1, 1, 2])):
            slide = r.random() < 0.25
            joints.append((f"j{len(joints)}", slide))
            text += (f'<joint name="{joints[-1][0]}" type="{"slide" if slide else "hinge"}" axis="{some(r, -1, 1, 3)}" '
                     f'pos="{some(r, -0.1, 0.1, 3)}" ref="{r.choice([0, 0.3]) * (1 if slide else turn):.6g}" armature="{r.uniform(0, 0.1):.3g}"/>')
        text += f'<inertial mass="{r.uniform(0.3, 2):.4g}" pos="{some(r, -0.1, 0.1, 3)}" diaginertia="0.03 0.04 0.05"/>'
        for _ in range(1 if depth < 4 else 0):
            text += body(depth + 1)
        return text + "</body>\n"

    tree = body(0) + body(0)
    ties, equalities, used, e = [], "", set(), 0
    for _ in range(r.choice([1, 1, 2])):
        kind = r.choice([CONNECT, CONNECT, WELD]) if not ties else CONNECT
        a, b = r.choice([(bodies[5], bodies[10]), (bodies[10], bodies[4]), (bodies[5], "world")])
        if (a, b) in used:
            continue
        used.add((a, b))
        names = f'body1="{a}"' + ("" if b == "world" and r.random() < 0.5 else f' body2="{b}"')
        scale, soft = r.choice([1, 0.3]), r.choice(["", ' solref="0.05 1.2"', ' class="soft"'])
        name = r.choice([f"tie_{e}", None])
        label = f' name="{name}"' if name else ""
        if kind == CONNECT:
            equalities += f'<connect{label} {names} anchor="{some(r, -0.2, 0.2, 3)}"{soft}/>\n'
        else:
            anchor = r.choice(["", f' anchor="{some(r, -0.2, 0.2, 3)}"'])
            relative = r.choice(["", f' relpose="{some(r, -0.2, 0.2, 3)} 0.9 0.1 -0.2 0.3"'])
            equalities += f'<weld{label} {names} torquescale="{scale}"{anchor}{relative}{soft}/>\n'
        ties.append((e, name or f'{"connect" if kind == CONNECT else "weld"}_{len(ties) + 1}', kind, scale))
        e += 1
    for _ in range(r.choice([0, 1, 2])):
        (a, _), (b, _) = r.sample(joints, 2)
        if {a, b} & used:
            continue
        used |= {a, b}
        equalities += f'<joint joint1="{a}" joint2="{b}" polycoef="{some(r, -0.2, 0.2, 1)} {some(r, 0.5, 2, 1)} 0 0 0"/>\n'
        e += 1
    if r.random() < 0.3:
        equalities += f'<connect active="false" body1="{bodies[5]}" anchor="0 0 0"/>\n'
    angle = "" if degrees else ' angle="radian"'
    return (f'<mujoco model="loops {seed}"><compiler{angle}/><default><default class="soft"><equality solimp="0.7 0.8 0.01"/></default></default>\n'
            f'<worldbody>\n{tree}</worldbody>\n<equality>\n{equalities}</equality></mujoco>'), ties


REFUSED = [
    ('<equality>\n<joint joint1="a" joint2="b" polycoef="0 1 0.5"/></equality>', 3, "only lines are read"),
    ('<equality><joint joint1="a" joint2="b"/>\n<joint joint1="b" joint2="a"/></equality>', 3, "follows the other already"),
    ('<equality>\n<joint joint1="a" joint2="x"/></equality>', 3, 'no joint "x"'),
    ('<equality>\n<connect body1="one" body2="x" anchor="0 0 0"/></equality>', 3, 'no body "x"'),
    ('<equality>\n<connect body1="one" body2="two"/></equality>', 3, "no anchor"),
    ('<equality>\n<tendon tendon1="t"/></equality>', 3, "<tendon> of t is not read"),
    ('<equality><joint joint1="a" joint2="b"/>\n<joint joint1="b"/></equality>', 3, "is coupled to another joint"),
]


def words():
    """What is refused, and what layouts say."""
    head = ('<mujoco><worldbody><body name="one"><joint name="a" axis="0 1 0"/><geom size="0.1"/>\n'
            '<body name="two" pos="0 0 1"><joint name="b" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>')
    refuse(ACHDGEN, "bad.xml", [(head + text + "</mujoco>", line, word) for text, line, word in REFUSED])
    write("held.xml", head + '<equality><joint joint1="b" polycoef="0.5"/></equality></mujoco>')
    said = run(ACHDGEN, "held.xml", "--functions", "id", "--columns")
    check("a joint that is held", "in q.a" in said.stdout and "in q.b" not in said.stdout and 'joint "b" is held at 0.5' in said.stderr,
          said.stdout + said.stderr)
    write("off.xml", head + '\n<equality><weld body1="one" body2="two" active="false"/></equality></mujoco>')
    said = run(ACHDGEN, "off.xml", "--losses")
    check("an equality that is not active", "off.xml:3: equality <weld> of one and two: it is not active" in said.stdout, said.stdout)
    write("four_bar.xml", FOUR_BAR)
    for text, rows in (("", {"b.loop.lin_x", "b.loop.lin_z", "b.rod.lin_x"}), ("groups = {}", {"b.loop.lin_x", "b.loop.lin_z"}),
                       ("groups = {}, ties = false", set()), ("groups = {}, ties = { maskable = true }", {"b.loop.lin_x", "b.loop.lin_z"})):
        write("words.lua", f"return {{ {text} }}")
        ins = columns(text, (ACHDGEN, "four_bar.xml", "--layout", "words.lua"))[0]
        check(f"rows of a layout: {text}", {key for key in ins if key.startswith("b.")} == rows, ins)
        check(f"masks of a layout: {text}", ("mask.loop.lin_x" in ins) == ("maskable" in text), ins)
    write("words.lua", "return { ties = false }")
    urdf = ('<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
            '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>')
    write("r.urdf", urdf)
    said = run(ACHDGEN, "r.urdf", "--layout", "words.lua", "--columns")
    check("ties of a file that has none", said.returncode == 1 and "has no ties" in said.stderr and "remedy: " in said.stderr, said.stderr)
    run(ACHDGEN, "gripper.xml", "-q", "--mjcf", "again.xml")
    said = run(ACHDGEN, "gripper.xml", "-q", "--compare", "again.xml")
    first, again = (columns(path, (ACHDGEN, path)) for path in ("gripper.xml", "again.xml"))
    check("a gripper written and read again", said.stdout == "" and first == again and "b.connect_2.lin_z" in first[0], said.stdout)
    said = run(ACHDGEN, "four_bar.xml", "--mjcf", "open.xml")
    check("a loop that is open at 0 is not written", 'the closed loop "loop" is open' in said.stderr, said.stderr)
    said = run(ACHDGEN, "four_bar.xml", "--init")
    write("init.lua", said.stdout)
    said = run(ACHDGEN, "four_bar.xml", "--layout", "init.lua", "--check", "20")
    check("--init of a closed loop", said.returncode == 0 and "ties = false" in open("init.lua", encoding="utf-8").read(),
          said.stdout + said.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text, ties, rows in (("four_bar", FOUR_BAR, [(0, "loop", CONNECT, 1)], 2),
                                       ("gripper", GRIPPER, [(0, "connect_1", CONNECT, 1), (1, "connect_2", CONNECT, 1)], 4),
                                       ("two_arms", TWO_ARMS, [(0, "hold", WELD, 0.5)], 6)):
            write(name + ".xml", text)
            compare(name + ".xml", ties, rows, 5, count=10)
        for seed in range(ROBOTS):
            text, ties = random_robot(seed)
            write(f"loops_{seed}.xml", text)
            compare(f"loops_{seed}.xml", ties, None, seed)
        check("how many were compared", len(compared) >= 3 + 0.8 * ROBOTS, compared)
        words()
    finish()


if __name__ == "__main__":
    main()

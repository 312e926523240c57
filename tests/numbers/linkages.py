# SPDX-License-Identifier: MIT
"""tests/numbers/linkages.py ACHDGEN SOURCE_DIR LIBACHD|one: robots with linkages against maximal coordinates (maximal.py): positions, velocities,
dynamics, torques at the motors, on all bases; singular positions, loops that cannot close, inputs that mean nothing. one: of one robot alone, for mutants.
"""
import math
import os
import random
import sys
import tempfile

library = os.path.abspath(sys.argv[3])
achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/program"))
sys.path.insert(0, os.path.join(top, "tests/numbers"))
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
import maximal  # noqa: E402
from maximal import dot, matmul, mul, rpy, sub, transposed  # noqa: E402

STATES = 400 if os.environ.get("ACHD_SWEEP") else 2
random.seed(11)
os.chdir(tempfile.mkdtemp())
NOT_FINITE, BAD_INPUT, NOT_CLOSED = 4, 16, 128
PARTS = ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"]
FUNCTIONS = "fk,fvk,fak,jac,id,fd,gravity,bias,crba,energy,com"
FEW = "fk,fvk,id,fd"


def rods(*pairs):
    return [(frame, to, 0.24) for frame, to in pairs]


HEELS = [("left_heel", "left_crank_end"), ("right_heel", "right_crank_end")]
ROD_ENDS = [(f"{s}_heel", f"{s}_rod_end", ["lin_x", "lin_y", "lin_z"]) for s in ("left", "right")]
LENGTH = math.sqrt(2) * 0.03
TIPS = [("tool", "right_tip", ["lin_x", "lin_z"])]
PINS = [("rocker_pin", "coupler_pin", ["lin_x", "lin_z"])]


def finger(side):
    return {"name": side, "independent": ["nut_joint"], "dependent": [f"{side}_{j}" for j in ("knuckle", "finger_joint", "follower_joint")],
            "ties": [(f"{side}_finger_pin", f"{side}_follower_pin", ["lin_y", "lin_z"])], "rods": [(f"{side}_nut_end", f"{side}_arm_end", LENGTH)]}


ANKLE = {"name": "ankle", "independent": ["ankle_pitch", "ankle_roll"], "dependent": ["left_crank", "right_crank"], "ties": [], "rods": rods(*HEELS),
         "motors": ["left_crank", "right_crank"]}
CRANKS = {"name": "ankle", "independent": ["left_crank", "right_crank"], "dependent": ["ankle_pitch", "ankle_roll"], "ties": [], "rods": rods(*HEELS),
          "motors": ["left_crank", "right_crank"]}
RODS = {"name": "ankle", "independent": ["ankle_pitch", "ankle_roll"], "motors": ["left_crank", "right_crank"], "ties": ROD_ENDS, "rods": [],
        "dependent": ["left_crank", "left_rod_swing", "left_rod_tilt", "right_crank", "right_rod_swing", "right_rod_tilt"]}
BY_RODS = {"name": "ankle", "independent": ["left_crank", "right_crank"], "ties": ROD_ENDS, "rods": [],
           "dependent": ["ankle_pitch", "ankle_roll", "left_rod_swing", "left_rod_tilt", "right_rod_swing", "right_rod_tilt"]}
BARS = {"name": "bars", "independent": ["left_motor", "right_motor"], "dependent": ["left_elbow", "right_elbow"], "ties": TIPS, "rods": [],
        "motors": ["right_motor", "left_elbow"], "start": {"left_elbow": 0.365, "right_elbow": -0.365}}
FOUR = {"name": "bar", "independent": ["crank_joint"], "dependent": ["coupler_joint", "rocker_joint"], "ties": PINS, "rods": [],
        "motors": ["rocker_joint"], "start": {"coupler_joint": -1, "rocker_joint": -2}}

# name, URDF, linkages, range of the independent joints, frames
ROBOTS = [("ankle", "robots/linkages/ankle.urdf", [ANKLE], 0.45, ["sole", "left_crank_end"]),
          ("cranks", "robots/linkages/ankle.urdf", [CRANKS], 0.4, ["sole"]),
          ("rods", "robots/linkages/ankle_rods.urdf", [RODS], 0.4, ["sole", "left_rod"]),
          ("by_rods", "robots/linkages/ankle_rods.urdf", [BY_RODS], 0.3, ["sole"]),
          ("bars", "robots/linkages/five_bar.urdf", [BARS], 0.4, ["tool"]),
          ("four", "robots/four_bar.urdf", [FOUR], 3.0, ["coupler_pin"]),
          ("gripper", "robots/linkages/gripper.urdf", [finger("left"), finger("right")], 0.004, ["left_finger"])]


def quoted(names):
    return "{ " + ", ".join(f'"{n}"' for n in names) + " }"


def spelled(l):
    text = f'name = "{l["name"]}", independent = {quoted(l["independent"])},'
    if l["ties"]:
        text += " ties = { " + ", ".join(f'{{ frame = "{f}", to = "{t}", rows = {quoted(r)} }}' for f, t, r in l["ties"]) + " },"
    if l["rods"]:
        text += " rods = { " + ", ".join(f'{{ frame = "{f}", to = "{t}", length = {n!r} }}' for f, t, n in l["rods"]) + " },"
    if "motors" in l:
        text += f" motors = {quoted(l['motors'])},"
    if "start" in l:
        text += " start = { " + ", ".join(f"{k} = {v}" for k, v in l["start"].items()) + " },"
    return "{ " + text + f" steps = {l.get('steps', 4)} }}"


def layout_of(base, linkages, frames, more=""):
    named = ", ".join(f"{word} = {quoted(frames)}" for word in ("pose", "twist", "acc", "jac"))
    return (f'return {{ base = "{base}", linkages = {{ {", ".join(map(spelled, linkages))} }}, torques = {{ artificial = true }}, '
            f'outputs = {{ "qdd", "nu", "tau_ctrl", {named} }}, {more} }}\n')


class Model:
    """A header's functions and the same robot in maximal coordinates."""

    def __init__(self, name, urdf, base, linkages, frames, more="", rotors=None, options=()):
        self.path, self.base, self.linkages = os.path.join(top, urdf), base, linkages
        write(f"{name}.lua", layout_of(base, linkages, frames, more))
        self.command = [achdgen, self.path, "--layout", f"{name}.lua", "--functions", FUNCTIONS, *options]
        self.names, self.options = {}, options
        self.robot = maximal.Robot(self.path, base, linkages, rotors)

    def ask(self, function, states):
        command = [achdgen, self.path, "--layout", self.command[3], "--functions", function, *self.options]
        if function not in self.names:
            self.names[function] = columns(f"{self.command[3]} {function}", command)
        return evaluated(function, command, self.names[function], states)

    def start_of(self, l, q, off):
        """linkage_start of a linkage, with angles that are off by so much."""
        values, k = {}, 0
        for name in [n for n in self.order() if n in l["dependent"]]:
            x = q[name] + random.uniform(-off, off)
            for y in [x] if self.robot.joints[name]["kind"] == "prismatic" else [math.cos(x), math.sin(x)]:
                values[f"linkage_start.{l['name']}.{k}"] = y
                k += 1
        return values

    def order(self):
        """The moving joints in the order of the tree, depth first, as the file lists them."""
        order = []

        def walk(link):
            for name, j in self.robot.joints.items():
                if j["parent"] == link:
                    if j["kind"] != "fixed":
                        order.append(name)
                    walk(j["child"])
        walk(self.robot.root)
        return order

    def state(self, reach, off=0.05, q=None):
        robot = self.robot
        nb = len(robot.free())
        if q is None:
            q = {name: random.uniform(-reach, reach) for name in robot.independent}
        for l in self.linkages:
            for name in l["dependent"]:
                q[name] = l.get("start", {}).get(name, 0.0)
        yaw, R = random.uniform(-1, 1), None
        if self.base == "planar":
            R = rpy(0, 0, yaw)
        if self.base == "floating":
            quat = [random.gauss(0, 1) for _ in range(4)]
            size = math.sqrt(dot(quat, quat))
            w, x, y, z = quat = [c / size for c in quat]
            R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        # from where the loops are closed at 0, step by step
        parts = 20 if self.linkages[0]["name"] == "bar" else 4
        for part in range(1, parts + 1):
            here = {n: (part / parts * q[n] if n in robot.independent else q[n]) for n in q}
            left = robot.close(here, R)
            for n in robot.dependent:
                q[n] = here[n]
        rates = [random.uniform(-2, 2) for _ in range(nb + len(robot.independent))]
        acc = [random.uniform(-3, 3) for _ in rates]
        tau = [random.uniform(-5, 5) for _ in robot.independent]
        gravity = [random.uniform(-4, 4), random.uniform(-4, 4), -9.81]
        s = {f"q.{n}": q[n] for n in robot.independent} | {f"gravity.{k}": g for k, g in zip("xyz", gravity)}
        for l in self.linkages:
            s |= self.start_of(l, q, off)
        if self.base == "planar":
            s["base.yaw"] = yaw
        if self.base == "floating":
            s |= {f"base.quat.{k}": x for k, x in zip("wxyz", quat)}
        words = self.base_words()
        for word, values in (("twist", rates), ("acc", acc)):
            s |= {f"base.{word}.{w}": x for w, x in zip(words, values)}
        for word, values in (("qd", rates[nb:]), ("qdd", acc[nb:]), ("tau", tau), ("tau_art", tau)):
            s |= {f"{word}.{n}": x for n, x in zip(robot.independent, values)}
        return {"in": s, "q": q, "R": R, "rates": rates, "acc": acc, "tau": tau, "gravity": gravity, "left": left}

    def base_words(self):
        return {"fixed": [], "planar": ["x", "y", "yaw"], "floating": PARTS}[self.base]

    def set(self, s):
        self.robot.place(s["q"], s["R"])
        self.robot.move(s["rates"])


worst = {}


def same(model, what, seen, wanted, bar=1e-9):
    """Lists of numbers that are to be the same, but for a share of the largest."""
    size = 1 + max(map(abs, wanted), default=0)
    away = max((abs(a - b) for a, b in zip(seen, wanted)), default=0) / size
    key = what.split(":")[0]
    worst[key] = max(worst.get(key, 0), away if away == away else math.inf)
    check(f"{model}, {what}", len(seen) == len(wanted) and away <= bar, f"{away:.1e}: {seen} {wanted}")


def kinematics(name, m, states, frames, answers):
    for k, s in enumerate(states):
        m.set(s)
        for f in frames:
            R, p = m.robot.poses[f]
            at = answers["fk"][k]
            part = answers if "jac" in answers else None
            same(name, "poses", [at[f"pose.{f}.p.{x}"] for x in "xyz"] + [at[f"pose.{f}.R.{a}{b}"] for a in "xyz" for b in "xyz"], p + sum(R, []))
            lin, ang = m.robot.twist(f)
            same(name, "twists", [answers["fvk"][k][f"twist.{f}.{x}"] for x in PARTS], lin + ang)
            if not part:
                continue
            flat, n = [v for key, v in answers["jac"][k].items() if key.startswith(f"jac.{f}.")], len(s["rates"])
            same(name, "Jacobians", [dot(flat[n * row:n * (row + 1)], s["rates"]) for row in range(6)], lin + ang)
            m.robot.inverse(s["gravity"], s["acc"])
            lin, ang = m.robot.acceleration(f)
            same(name, "accelerations of frames", [answers["fak"][k][f"acc.{f}.{x}"] for x in PARTS], lin + ang)
        for l in m.linkages:
            at, order = answers["fvk"][k], [n for n in m.order() if n in l["dependent"]]
            qd = [dot(m.robot.rate(n)[0], m.robot.v) for n in order]
            same(name, "velocities of dependent joints", [at[f"linkage_qd.{l['name']}.{i}"] for i in range(len(order))], qd)
            check(f"{name}: residual", at[f"linkage_residual.{l['name']}"] <= 1e-9)


def dynamics(name, m, states, answers):
    nb = len(m.robot.free())
    joints, words = m.robot.independent, m.base_words()
    for k, s in enumerate(states):
        m.set(s)
        forces = m.robot.inverse(s["gravity"], s["acc"])
        seen = answers["id"][k]
        same(name, "inverse dynamics", [seen[f"base.wrench.{w}"] for w in words] + [seen[f"tau.{n}"] for n in joints], forces)
        for l in m.linkages:
            if "motors" not in l:
                continue
            others = [n for n in joints if n not in l["independent"]]
            check("a linkage alone", not others)
            at_motors = m.robot.inverse(s["gravity"], s["acc"], l["motors"])[nb:]
            told = [seen[f"linkage_tau.{l['name']}.{i}"] for i in range(len(l["motors"]))]
            same(name, "torques at the motors", told, at_motors, 1e-8)
            power = dot([seen[f"tau.{n}"] for n in joints], s["rates"][nb:])
            own = dot(told, [dot(m.robot.rate(n)[0], m.robot.v) for n in l["motors"]])
            same(name, "power of motors and joints", [own], [power], 1e-12)
        acc, _ = m.robot.forward(s["gravity"], s["tau"])
        seen = answers["fd"][k]
        same(name, "forward dynamics", [seen[f"base.acc.{w}"] for w in words] + [seen[f"qdd.{n}"] for n in joints], acc, 1e-8)
        if "crba" not in answers:
            continue
        kinetic, potential = m.robot.energies(s["gravity"])
        same(name, "energies", [answers["energy"][k]["kinetic"], answers["energy"][k]["potential"]], [kinetic, potential])
        p, v = m.robot.centre()
        same(name, "centre of mass", [answers["com"][k][f"com.{w}.{x}"] for w in "pv" for x in "xyz"], p + v)
        still = [0.0] * len(s["rates"])
        m.robot.move(still)
        rest = m.robot.inverse([0, 0, 0], still)
        M = []
        for i in range(len(still)):
            unit = [float(i == j) for j in range(len(still))]
            M.append([a - b for a, b in zip(m.robot.inverse([0, 0, 0], unit), rest)])
        told = [v for key, v in answers["crba"][k].items() if key.startswith("M.")]
        same(name, "inertia", told, [M[i][j] for i in range(len(M)) for j in range(i + 1)])
        hold = m.robot.inverse(s["gravity"], still)
        same(name, "gravity", [answers["gravity"][k][f"tau.{n}"] for n in joints], hold[nb:])
        m.set(s)
        same(name, "bias", [answers["bias"][k][f"tau.{n}"] for n in joints], m.robot.inverse([0, 0, 0], still)[nb:])


def compare(name, urdf, base, linkages, reach, frames, more="", rotors=None, options=(), functions=FUNCTIONS):
    m = Model(f"{name}_{base}", urdf, base, linkages, frames, more, rotors, options)
    states = [m.state(reach) for _ in range(STATES)]
    states = [s for s in states if s["left"] < 1e-12]
    check(f"{name}, {base}: loops close", len(states) == STATES, f"{len(states)}")
    answers = {f: m.ask(f, [s["in"] for s in states]) for f in functions.split(",")}
    for f, list_of in answers.items():
        check(f"{name}, {base}: status of {f}", all(int(a["status"]) & ~3 == 0 for a in list_of), [a["status"] for a in list_of])
    kinematics(f"{name}, {base}", m, states, frames, answers)
    dynamics(f"{name}, {base}", m, states, answers)
    return m, states


def derivatives(name, m, states):
    """did and dfd along a random direction of the joints' positions, and of their velocities, against central differences."""
    nb, joints, h = len(m.robot.free()), m.robot.independent, 1e-4
    answers = {f: m.ask(f, [s["in"] for s in states]) for f in ("did", "dfd")}
    for k, s in enumerate(states):
        direction = [random.uniform(-1, 1) for _ in joints]
        for by in ("q", "qd"):
            ends = []
            for sign in (h, -h):
                q, rates = dict(s["q"]), list(s["rates"])
                for c, (n, x) in enumerate(zip(joints, direction)):
                    if by == "q":
                        q[n] += sign * x
                    else:
                        rates[nb + c] += sign * x
                check(f"{name}: loops close nearby", m.robot.close(q, s["R"]) < 1e-12)
                m.set({"q": q, "R": s["R"], "rates": rates})
                ends.append((m.robot.inverse(s["gravity"], s["acc"]), m.robot.forward(s["gravity"], s["tau"])[0]))
            for f, of, at in (("did", "tau", 0), ("dfd", "qdd", 1)):
                wanted = [(a - b) / (2 * h) for a, b in zip(ends[0][at], ends[1][at])]
                rows, flat = nb + len(joints), [v for key, v in answers[f][k].items() if key.startswith(f"d{of}_d{by}.")]
                n = len(flat) // rows  # columns: of a base only how it turns
                check(f"{name}: status of {f}", int(answers[f][k]["status"]) & ~3 == 0, answers[f][k]["status"])
                same(name, f"d{of}_d{by}", [dot(flat[n * (row + 1) - len(joints):n * (row + 1)], direction) for row in range(rows)], wanted, 1e-6)


def drives(name, m, states, rows, frame):
    """Rows at a frame beside a linkage: they are reached; torques and motion are those of forward dynamics."""
    for s in states:
        s["in"] |= {f"b.{r}": random.uniform(-1, 1) for r in rows} | {f"mask.{r}": 1 for r in rows}
        s["in"] |= {f"tau_art.{n}": 0 for n in m.robot.independent}
    answers = m.ask("achd", [s["in"] for s in states])
    for s, a in zip(states, answers):
        m.set(s)
        check(f"{name}: rows are regular", a["status"] == 0, a["status"])
        tau = [a[f"tau_ctrl.{n}"] for n in m.robot.independent]
        acc, _ = m.robot.forward(s["gravity"], tau)
        nb = len(m.robot.free())
        same(name, "motion of constrained dynamics", [a[f"qdd.{n}"] for n in m.robot.independent], acc[nb:], 1e-8)
        lin, ang = m.robot.acceleration(frame)
        seen = dict(zip(PARTS, lin + ang))
        same(name, "rows", [seen[r.split(".")[1]] for r in rows], [s["in"][f"b.{r}"] for r in rows], 1e-8)


def holds(name, m, states, rows, frame):
    """Physical rows at a frame behind a linkage: motion and forces by definition."""
    for s in states:
        s["in"] |= {f"b.{r}": random.uniform(-1, 1) for r in rows}
    answers = m.ask("achd", [s["in"] for s in states])
    for s, a in zip(states, answers):
        m.set(s)
        contacts = []
        for r in rows:
            e = [float(x == r[-1]) for x in "xyz"]
            contacts.append(m.robot.along_world(frame, m.robot.poses[frame][1], e) + (s["in"][f"b.{r}"],))
        acc, nu = m.robot.forward(s["gravity"], s["tau"], contacts)
        nb = len(m.robot.free())
        same(name, "motion with rows held", [a[f"qdd.{n}"] for n in m.robot.independent], acc[nb:], 1e-8)
        same(name, "forces of rows held", [a[f"nu.{r}"] for r in rows], nu, 1e-8)


def steps(name, m, states):
    """A step is semi-implicit Euler by forward dynamics; rows of rods and ties stay closed; osim is of the same inertia."""
    at_rest = [s["in"] for s in states]
    here, there = m.ask("fd", at_rest), m.ask("step", [s | {"time_step": 1e-3} for s in at_rest])
    names = m.robot.independent
    for s, a, b in zip(at_rest, here, there):
        qd = [s[f"qd.{n}"] + 1e-3 * a[f"qdd.{n}"] for n in names]
        same(name, "steps", [b[f"qd_next.{n}"] for n in names], qd)
        same(name, "steps", [b[f"q_next.{n}"] for n in names], [s[f"q.{n}"] + 1e-3 * x for n, x in zip(names, qd)])
        check(f"{name}: status of a step", b["status"] == 0, b["status"])
    for a, b, jac in zip(m.ask("osim", at_rest), m.ask("crba", at_rest), m.ask("jac", at_rest)):
        flat, n = [v for k, v in jac.items() if k.startswith("jac.")], len(names)
        J = [flat[n * r:n * (r + 1)] for r in (0, 2)]
        M = [v for k, v in b.items() if k.startswith("M.")]
        M = [[M[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]
        whole = [[dot(row, maximal.solved(M, other)) for other in J] for row in J]
        seen = [v for k, v in a.items() if k.startswith("Lambda_inv.")]
        same(name, "operational space", seen, [whole[0][0], whole[1][0], whole[1][1]])


def refused_states(name, m, bad, bit):
    """States that end with a status bit: all torques are 0 and nothing is NaN."""
    for function in ("id", "gravity", "fd", "achd"):
        for a in m.ask(function, bad):
            check(f"{name}: status of {function}", int(a["status"]) & bit, a["status"])
            torques = [v for k, v in a.items() if k.split(".")[0] in ("tau", "tau_ctrl", "linkage_tau")]
            check(f"{name}: torques of {function} are 0", all(v == 0 for v in torques), torques)
            if bit != NOT_FINITE:
                check(f"{name}: numbers of {function}", all(math.isfinite(v) for v in a.values()), a)


def odd_states():
    m = Model("odd", "robots/linkages/five_bar.urdf", "fixed", [BARS], ["tool"], 'groups = { { name = "tool", frame = "tool", rows = { "lin_x", "lin_z" } } },')
    good = m.state(0.3)["in"] | {"b.tool.lin_x": 1, "b.tool.lin_z": 1}
    apart = good | {"q.left_motor": -1.5, "q.right_motor": 1.5}
    lines = []
    # forearms in one line: sin of both arms is 0.9
    for off in (0, 1e-9, -1e-9, 1e-6):
        angle = math.asin(0.9) + off
        line = good | {"q.left_motor": -angle, "q.right_motor": angle, "linkage_start.bars.0": math.cos(math.pi / 2 + angle),
                       "linkage_start.bars.1": math.sin(math.pi / 2 + angle), "linkage_start.bars.2": math.cos(math.pi / 2 + angle),
                       "linkage_start.bars.3": -math.sin(math.pi / 2 + angle)}
        lines.append(line)
    refused_states("elbows too far apart, forearms in one line", m, [apart] + lines, NOT_CLOSED)
    unknown = []
    for key, value, bit in (("linkage_start.bars.0", math.nan, NOT_FINITE), ("linkage_start.bars.3", math.inf, NOT_FINITE),
                            ("q.left_motor", math.nan, NOT_FINITE)):
        unknown.append(good | {key: value})
        check("bits", bit == NOT_FINITE)
    refused_states("numbers that are none", m, unknown, NOT_FINITE)
    odd = [good | {key: value} for key, value in (("linkage_start.bars.0", 2.0), ("linkage_start.bars.1", 0.0), ("q.left_motor", 1e7))]
    for a in m.ask("id", odd):
        check("bad inputs", int(a["status"]) & BAD_INPUT, a["status"])
    short = dict(ANKLE, rods=[(f, t, 0.1) for f, t, _ in ANKLE["rods"]])
    m = Model("short", "robots/linkages/ankle.urdf", "floating", [short], ["sole"], 'groups = { { name = "sole", frame = "sole", kind = "physical" } },')
    s = {f"q.{n}": 0.1 for n in m.robot.independent} | {"base.quat.w": 1, "linkage_start.ankle.0": 1, "linkage_start.ankle.2": 1}
    refused_states("rods that are too short", m, [s], NOT_CLOSED)


def hand_over():
    """linkage_end is the next linkage_start: a way of 200 cycles, at which the linkage stays closed and on its branch."""
    m = Model("way", "robots/four_bar.urdf", "fixed", [dict(FOUR, steps=3)], ["coupler_pin"])
    q, s = m.state(0.0, 0.0, {"crank_joint": 0.0})["q"], None
    state = {"q.crank_joint": 0.0} | m.start_of(FOUR, q, 0.0)
    worst_left, turns = 0, 0
    command = m.command[:-1] + ["fk"]
    m.ask("fk", [state])
    for k in range(8 if not os.environ.get("ACHD_SWEEP") else 2000):
        state["q.crank_joint"] = 0.1 * k
        a = m.ask("fk", [state])[0]
        worst_left = max(worst_left, a["linkage_residual.bar"])
        turns += int(a["status"]) & NOT_CLOSED
        state |= {f"linkage_start.bar.{i}": a[f"linkage_end.bar.{i}"] for i in range(4)}
    check(f"a crank that turns stays closed: {worst_left:.1e}", worst_left < 1e-9 and turns == 0 and command and not s)


HARNESS = r"""
#include <stdio.h>
#include <string.h>
#define UPPER_IMPLEMENTATION
#include "HEADER"
#if BATCH
enum { K = UPPER_K };
#else
enum { K = 1 };
#endif
typedef NAME_real real;
static NAME_FUNCTION_in in;
static NAME_FUNCTION_out out;
#if BATCH
static NAME_FUNCTION_batch_in in_batch;
static NAME_FUNCTION_batch_out out_batch;
static NAME_status of[K];
#endif
int main(void) {
  const int nin = (int)(sizeof in / sizeof(real)), nout = (int)(sizeof out / sizeof(real));
  real *to = (real *)&in, *from = (real *)&out;
  int state = 0;
  for (double x; scanf("%lf", &x) == 1; state++) {
    to[0] = (real)x;
    for (int i = 1; i < nin; i++) {
      if (scanf("%lf", &x) != 1) return 1;
      to[i] = (real)x;
    }
#if BATCH
    for (int i = 0; i < nin; i++)
      for (int k = 0; k < K; k++) ((real *)&in_batch)[i * K + k] = to[i];
    NAME_FUNCTION_batch(&in_batch, &out_batch, of);
    for (int i = 0; i < nout; i++) {
      from[i] = ((real *)&out_batch)[i * K];
      for (int k = 1; k < K; k++)
        if (memcmp(&from[i], &((real *)&out_batch)[i * K + k], sizeof(real)) != 0) return 2;
    }
    const unsigned status = (unsigned)of[K - 1];
#else
    const unsigned status = (unsigned)NAME_FUNCTION(&in, &out);
#endif
    for (int i = 0; i < nout; i++) printf("%.17g ", (double)from[i]);
    printf("%u\n", status);
  }
  return 0;
}
"""


def compiled():
    """Machine code of a header by its options: the numbers of --eval, or nearly, closed and not closed, whatever the options."""
    m = Model("made", "robots/linkages/ankle.urdf", "floating", [ANKLE], ["sole"])
    states = [m.state(0.4)["in"] for _ in range(3)]
    states[2] |= {"q.ankle_pitch": 1.6}  # beyond what the rods allow
    function = "id"
    wanted = m.ask(function, states)
    ins, outs = m.names[function]
    text = "".join(" ".join(repr(float(s.get(key, 0))) for key in ins) + "\n" for s in states)
    check("the last is not closed", [int(a["status"]) & NOT_CLOSED for a in wanted] == [0, 0, NOT_CLOSED])
    variants = [("branchless", ["--branchless", "--parts", "60"], 0), ("batch", ["--batch", "4"], 1e-13), ("float", ["--real", "float"], 2e-3)]
    for what, options, bar in variants + ([("plain", [], 0), ("lanes", ["--lanes", "1"], 1e-13)] if EVERY else []):
        name = "anklef" if what == "float" else "ankle"
        said = run(*m.command[:-1], function, "-q", *options, "-o", f"{what}.h")
        check(f"{what}: made", said.returncode == 0, said.stderr)
        write(f"{what}.c", HARNESS.replace("HEADER", f"{what}.h").replace("UPPER", name.upper()).replace("NAME", name).replace("FUNCTION", function))
        said = run("gcc", "-std=c99" if what != "batch" else "-std=gnu99", "-O1", "-Wall", "-Wextra", "-ffp-contract=off", f"-DBATCH={int(what == 'batch')}", f"{what}.c", "-o", what)
        check(f"{what}: compiled without a warning", said.returncode == 0 and not said.stderr, said.stderr)
        said = run(f"./{what}", text=text)
        check(f"{what}: ran", said.returncode == 0 and len(said.stdout.splitlines()) == 3, said.stderr)
        for line, a in zip(said.stdout.splitlines(), wanted):
            seen = list(map(float, line.split()))
            check(f"{what}: status", seen[-1] == a["status"], f"{seen[-1]} {a['status']}")
            if a["status"] == 0:
                away = max(abs(x - a[key]) / (1 + abs(a[key])) for x, key in zip(seen, outs))
                check(f"{what}: numbers, {away:.1e}", away <= bar, line)
            else:
                check(f"{what}: torques are 0", all(x == 0 for x, key in zip(seen, outs) if key.split(".")[0] in ("tau", "linkage_tau")), line)


SOLVER = r"""
#define ANKLE_IMPLEMENTATION
#include "FUNCTION.h"
#include <achd/FUNCTION.h>
#include <stdio.h>
static ankle_achd_in in;
static ankle_FUNCTION_out p;
static ankle_achd_out out;
int main(void) {
  const int nin = (int)(sizeof in / sizeof(double)), nout = (int)(sizeof out / sizeof(double));
  for (double x; scanf("%lf", &x) == 1;) {
    ((double *)&in)[0] = x;
    for (int i = 1; i < nin; i++)
      if (scanf("%lf", &((double *)&in)[i]) != 1) return 1;
    unsigned status = (unsigned)ankle_FUNCTION(&in, &p);
#ifdef ANKLE_NX
    static achd_real work[ACHD_QP_WORK(ANKLE_NX, ANKLE_NQ)], dual[ACHD_QP_DUAL(ANKLE_LEVELS, ANKLE_NQ)], found[ANKLE_NX];
    signed char side[ANKLE_NQ] = {0};
    achd_qp_report report;
    const achd_qp_problem problem = {ANKLE_NX, ANKLE_NQ, ANKLE_LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};
    const int solved = achd_qp(&problem, found, dual, side, 0, work, &report);
#else
    static achd_real work[ACHD_MCLP_WORK(ANKLE_NR)], found[ANKLE_NR];
    signed char side[ANKLE_NR] = {0};
    achd_mclp_report report;
    const achd_mclp_problem problem = {ANKLE_NR, p.L, p.r, p.lo, p.hi};
    const int solved = achd_mclp(&problem, found, side, 0, work, &report);
#endif
    status |= (unsigned)ankle_apply(&in, &p, found, &out);
    for (int i = 0; i < nout; i++) printf("%.17g ", ((double *)&out)[i]);
    printf("%d %u\n", solved, status);
  }
  return 0;
}
"""


def answers_of(function, more, states):
    """Of the ankle, by name: what apply puts out, with what the solver of the runtime library says as "solved"."""
    urdf = os.path.join(top, "robots/linkages/ankle.urdf")
    write(f"{function}.lua", f"return {{ linkages = {{ {spelled(ANKLE)} }}, {more} }}\n")
    said = run(achdgen, "-q", urdf, "--layout", f"{function}.lua", "--functions", function, "--name", "ankle", "-o", f"{function}.h")
    check(f"{function}: made", said.returncode == 0, said.stderr)
    write(f"{function}.c", SOLVER.replace("FUNCTION", function))
    said = run("gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-I", os.path.join(top, "runtime"), f"{function}.c", library, "-lm", "-o", function)
    check(f"{function}: compiled without a warning", said.returncode == 0 and not said.stderr, said.stderr)
    listed = run(achdgen, "-q", urdf, "--layout", f"{function}.lua", "--functions", function, "--columns").stdout.splitlines()
    ins = [line.split()[1] for line in listed if line.startswith("in ")] + (["none"] if function == "mclp" else [])  # friction has no b
    said = run(f"./{function}", text="".join(" ".join(repr(float(s.get(key, 0))) for key in ins) + "\n" for s in states))
    outs = ["qdd.0", "qdd.1", "tau_ctrl.0", "tau_ctrl.1"] + (["tau_friction.0", "tau_friction.1"] if function == "mclp" else [])
    outs += ["linkage_tau.0", "linkage_tau.1", "solved", "status"]
    rows = [list(map(float, line.split())) for line in said.stdout.splitlines()]
    check(f"{function}: answers", len(rows) == len(states) and all(len(row) == len(outs) for row in rows), said.stdout[:400])
    return [dict(zip(outs, row)) for row in rows]


def best_within(M, P, wanted, most):
    """The torques t of two motors, |t_m| <= most_m, with (P^T t - wanted)^T M^-1 (P^T t - wanted) least, by trying all sides."""
    best = None
    A = [maximal.solved(M, [P[m][b] for b in range(2)]) for m in range(2)]  # M^-1 P^T, by motor
    H = [[dot(P[a], A[m]) for m in range(2)] for a in range(2)]
    g = [dot(A[a], wanted) for a in range(2)]
    for sides in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
        t = [side * limit for side, limit in zip(sides, most)]
        free = [m for m in range(2) if sides[m] == 0]
        if free:
            rhs = [g[m] - sum(H[m][k] * t[k] for k in range(2) if k not in free) for m in free]
            for m, x in zip(free, maximal.solved([[H[m][k] for k in free] for m in free], rhs)):
                t[m] = x
        if any(abs(x) > limit * (1 + 1e-12) for x, limit in zip(t, most)):
            continue
        cost = dot(t, [0.5 * dot(H[m], t) - g[m] for m in range(2)])
        if best is None or cost < best[0]:
            best = (cost, t)
    return best[1]


def solves():
    """qp with limits of the motors, and mclp with dry friction, solved by the runtime library; nothing where the linkage does not close."""
    efforts, dry = [0.5, 0.4], 0.7
    m = Model("solved", "robots/linkages/ankle.urdf", "fixed", [ANKLE], ["sole"])
    states = [m.state(0.4) for _ in range(40 if EVERY else 5)]
    joints = m.robot.independent
    given = [s["in"] | {f"b.both.{n}": random.uniform(-300, 300) for n in joints} for s in states]
    apart = given[0] | {"q.ankle_pitch": 1.6}
    both = 'groups = { { name = "both", joints = { "ankle_pitch", "ankle_roll" } } },'
    limits = f'joint_limits = {{ left_crank = {{ effort = {efforts[0]} }}, right_crank = {{ effort = {efforts[1]} }} }},'
    asked = answers_of("qp", f'realise = "optimum", {limits} {both} outputs = {{ "qdd", "tau_ctrl" }},', given + [apart])
    rubbed = answers_of("mclp", f'friction = {{ coulomb = {{ ankle_roll = {dry} }} }}, {both} outputs = {{ "qdd", "tau_ctrl", "tau_friction" }},', given + [apart])
    at_limits = 0
    for s, b, x, y in zip(states, given, asked, rubbed):
        m.set(s)
        for name, a in (("qp", x), ("mclp", y)):
            check(f"{name}: solved and closed", int(a["status"]) & NOT_CLOSED == 0 and a["solved"] in (0, 1), a)
            tau = [a[f"tau_ctrl.{i}"] + a.get(f"tau_friction.{i}", 0) for i in range(2)]
            acc = m.robot.forward(s["gravity"], tau)[0]
            same("solved", f"accelerations of {name}", [a["qdd.0"], a["qdd.1"]], acc, 1e-8)
            velocities = [dot(m.robot.rate(n)[0], m.robot.v) for n in ANKLE["motors"]]
            same("solved", f"power of motors of {name}", [dot([a["linkage_tau.0"], a["linkage_tau.1"]], velocities)],
                 [dot([a["tau_ctrl.0"], a["tau_ctrl.1"]], s["rates"])], 1e-10)
        wanted = m.robot.inverse(s["gravity"], [b[f"b.both.{n}"] for n in joints])
        rest = m.robot.inverse(s["gravity"], [0, 0])
        M = transposed([[p - r for p, r in zip(m.robot.inverse(s["gravity"], unit), rest)] for unit in ([1, 0], [0, 1])])
        P = []
        for unit in ([1, 0], [0, 1]):
            m.robot.move(unit)
            P.append([dot(m.robot.rate(n)[0], m.robot.v) for n in ANKLE["motors"]])
        best = best_within(M, transposed(P), wanted, efforts)
        at_limits += any(abs(t) > 0.999 * e for t, e in zip(best, efforts))
        same("solved", "optimum within the motors' limits", [x["linkage_tau.0"], x["linkage_tau.1"]], best, 1e-6)
        check("dry friction: at most that", abs(y["tau_friction.1"]) <= dry * (1 + 1e-12) and y["tau_friction.0"] == 0, y)
        check("dry friction: against the motion", y["tau_friction.1"] * s["rates"][1] < 0 or abs(y["tau_friction.1"]) < dry, y)
    check("motors at their limits", 1 <= at_limits, at_limits)
    for name, a in (("qp", asked[-1]), ("mclp", rubbed[-1])):
        torques = [v for key, v in a.items() if key.startswith(("tau_ctrl", "linkage_tau"))]
        check(f"{name}: not closed, torques of 0", int(a["status"]) & NOT_CLOSED != 0 and torques == [0.0] * 4, a)


def words():
    """What is not for linkages is refused by name."""
    write("words.lua", layout_of("fixed", [FOUR], ["coupler_pin"]))
    for f in ("dachd", "regressor", "coriolis", "slotine_li", "momentum", "centroidal", "manipulability"):
        said = run(achdgen, os.path.join(top, "robots/four_bar.urdf"), "--layout", "words.lua", "--functions", f, "-o", "no.h")
        check(f"{f} is refused", said.returncode == 1 and f"error: {f} does not know linkages" in said.stderr and not os.path.exists("no.h"), said.stderr)
    write("apart.lua", layout_of("fixed", [FOUR | {"ties": [(*PINS[0][:2], ["lin_x", "ang_y"])], "motors": ["crank_joint"]}], ["coupler_pin"]))
    write("closed.lua", f"return {{ linkages = {{ {spelled(ANKLE)} }}, groups = {{}}, outputs = {{ \"qdd\" }} }}\n")
    write("short.lua", layout_of("fixed", [ANKLE | {"rods": [(f, t, 0.1) for f, t in HEELS]}], ["sole"]))
    for urdf, layout, option, message in (("four_bar", "words", ["--loop", "-o", "no.h"], "--loop does not know linkages"),
                                          ("linkages/ankle", "closed", ["--functions", "id", "--casadi", "-o", "no.c"],
                                           'id has no Jacobian of where the linkage "ankle" is closed'),
                                          ("four_bar", "words", ["--capsules", "no.h"], "--capsules does not know linkages"),
                                          ("four_bar", "apart", ["--mjcf", "no.xml"], "by the rows lin_x, ang_y has no counterpart in MuJoCo"),
                                          ("linkages/ankle", "short", ["--mjcf", "no.xml"], "is not closed where a simulator would begin")):
        said = run(achdgen, os.path.join(top, f"robots/{urdf}.urdf"), "--layout", f"{layout}.lua", *option)
        check(f"{option[0]} of {layout} is refused", said.returncode == 1 and message in said.stderr and not os.path.exists(option[-1]), said.stderr)
    said = run(achdgen, "-q", os.path.join(top, "robots/linkages/ankle.urdf"), "--layout", "closed.lua", "--functions", "did", "--casadi", "-o", "did.c")
    check("did as CasADi calls it", said.returncode == 0, said.stderr)
    said = run("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "did.c")
    check("did as CasADi calls it: compiles", said.returncode == 0, said.stderr)
    said = run(achdgen, os.path.join(top, "robots/four_bar.urdf"), "--layout", "words.lua", "--functions", "id,fd", "-o", "-")
    check("the banner says that all is proven", "proven  id fd: identical to the equations of motion" in said.stdout, said.stdout[:2000])


EVERY = os.environ.get("ACHD_SWEEP")
ONE = sys.argv[3] == "one"
USUAL = {"ankle": ["floating"], "cranks": [], "rods": ["fixed"] if EVERY else [], "by_rods": ["floating"] if EVERY else [], "bars": ["planar"] if EVERY else [], "four": ["floating"] if EVERY else [],
         "gripper": ["fixed"]}
for entry in [] if ONE else ROBOTS:
    for own in ["fixed", "planar", "floating"] if EVERY else USUAL[entry[0]]:
        compare(entry[0], entry[1], own, *entry[2:], functions=FUNCTIONS if EVERY else FEW)
TOOL = 'groups = { { name = "tool", frame = "tool", rows = { "lin_x", "lin_z" }, maskable = true } },'
model, some = compare("driven", "robots/linkages/five_bar.urdf", "fixed", [BARS], 0.4, ["tool"], TOOL + " armature = { left_motor = 0.02, right_elbow = 0.03 },",
                      {"left_motor": 0.02, "right_elbow": 0.03}, functions=FEW if ONE else FUNCTIONS)
drives("driven", model, some, ["tool.lin_x", "tool.lin_z"], "tool")
if ONE:
    compare("ankle", "robots/linkages/ankle.urdf", "planar", [ANKLE], 0.4, ["sole"], functions=FEW)
    odd_states()
    derivatives("driven", model, some[:1])
    finish()
derivatives("driven", model, some[:1])
stepped, some = compare("stepped", "robots/linkages/five_bar.urdf", "fixed", [BARS], 0.4, ["tool"], TOOL + ' step = { time_step = "input" },', functions=FEW)
steps("stepped", stepped, some)
HELD = 'groups = { { name = "sole", frame = "sole", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" } },'
for forced in ("joint", "recursion") if EVERY else ("recursion",):  # both are proven
    model, some = compare(f"held_{forced}", "robots/linkages/ankle.urdf", "floating", [ANKLE], 0.4, ["sole"],
                          HELD + " armature = { ankle_pitch = 0.01, left_crank = 0.005, right_crank = 0.005 },",
                          {"ankle_pitch": 0.01, "left_crank": 0.005, "right_crank": 0.005}, ("--formulation", forced), functions=FEW)
    holds(f"held, {forced}", model, some, ["sole.lin_x", "sole.lin_y", "sole.lin_z"], "sole")
    if forced == "recursion":
        derivatives("held", model, some if EVERY else some[:1])
odd_states()
hand_over()
compiled()
solves()
words()

for what, x in worst.items():
    print(f"{what}: {x:.1e}")
finish()

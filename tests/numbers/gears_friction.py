# SPDX-License-Identifier: MIT
"""tests/numbers/gears_friction.py ACHDGEN SOURCE_DIR [one]: dry friction of motors that move several joints, and limits that their efforts bound.

Random robots with two motors and with three on two joints, on a fixed and a floating base, two rows at the tip. With the forces of mclp, found by a solver of the test's own, each
motor rubs as Coulomb's law says of its own speed, at rest and in motion, and robots move so in maximal coordinates (gears_oracle.py), where friction is a torque on the rotor;
power at motors is that at joints to 1e-12. The same of steps: step_begin and step_end, with viscous friction at their end. dmclp and dstep are the differences of these,
slotine_li compensates G^T of it. limits with effort: whichever joints limits push, motors are within their efforts, and at them where one joint is pushed. --check and proofs know all of it.
"""
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from gears_oracle import Machine, random_body  # noqa: E402
from step_oracle import Robot, dot, of_quaternion, solve, turn  # noqa: E402

random.seed(44)
os.chdir(tempfile.mkdtemp())
ROUNDS = 30 if os.environ.get("ACHD_SWEEP") == "1" else 1
ONE = sys.argv[3:] == ["one"]  # for planted mistakes: without proofs
J, H, REST = range(5), 2e-3, 1e-3
FORMS = [('{ motors = { "m1", "m2" }, joints = { "j1", "j2" }, differential = { motors = { 5, 6 }, joints = { 2, 1 } } }',
          {"m1": {1: 10, 2: 5}, "m2": {1: 12, 2: -6}}),
         ('{ motors = { "m1", "m2", "m3" }, joints = { "j3", "j4" }, matrix = { { 9, 2 }, { -6, 8 }, { 3, 5 } } }',
          {"m1": {3: 9, 4: 2}, "m2": {3: -6, 4: 8}, "m3": {3: 3, 4: 5}})]
QUAT, LIN_ANG = [f"base.quat.{k}" for k in "wxyz"], ("lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z")


class Case:
    """A random robot with an alone motor at j0, whose friction is the joint's, and with motors that move two joints."""

    def __init__(self, name, base, form):
        self.name, self.base, (text, gear) = name, base, FORMS[form]
        self.robot = Robot([random_body(p) for p in (-1, 0, 1, 2, 3)], base, random_body(-1) if base != "fixed" else None)
        write(name + ".urdf", self.robot.urdf())
        self.gear = {"m0": {0: -20}} | gear
        self.own = [k for k in J if not any(k in g for g in self.gear.values())]
        self.viscous = {m: random.uniform(0, 2e-3) for m in self.gear}
        self.most = {m: random.choice([1, 10]) * random.uniform(0.02, 0.2) for m in self.gear}
        inertia = {m: random.uniform(1e-3, 4e-3) for m in self.gear}
        self.machine = Machine(self.robot, [(inertia[m], g) for m, g in self.gear.items()])
        self.dry = {self.own[0]: random.uniform(0.5, 2)}  # of a joint itself
        self.names = {}
        tip = '{ name = "tip", frame = "b4", rows = { "lin_x", "lin_z" } }' if base == "fixed" else ""  # nobody holds a base that floats
        coulomb = f"coulomb = {{ j{self.own[0]} = {self.dry[self.own[0]]!r} }}"
        for word, dry in (("", f"friction = {{ {coulomb} }},"), ("period", f"friction = {{ {coulomb}, period = {H} }},"), ("smooth", "")):
            numbers = ", ".join(f"{m} = {{ inertia = {inertia[m]!r}, viscous = {self.viscous[m]!r}" + (f", coulomb = {self.most[m]!r} }}" if dry else " }")
                                for m in self.gear)
            write(name + word + ".lua", f'''return {{ base = "{base}", gravity = {{ 0, 0, -9.81 }}, torques = {{ physical = true }}, step = {{}},
  groups = {{ {tip} }}, transmissions = {{ {{ motor = "m0", joint = "j0", ratio = -20 }}, {text} }}, motors = {{ {numbers} }},
  {dry} outputs = {{ "qdd", "nu", "tau_ctrl", "tau_motor", "tau_friction" }} }}''')

    def ask(self, function, states, word=""):
        command = [achdgen, self.name + ".urdf", "--layout", self.name + word + ".lua", "--snap", "0", "--functions", function]
        if function + word not in self.names:
            self.names[function + word] = columns(function, command)
        return evaluated(function, command, self.names[function + word], states)

    def draw(self, kind):
        """A state, and the machine's place. kind: all joints at rest, all in motion, or a motor that stands while its joints move."""
        qd = [0.0] * 5 if kind == "rest" else [random.uniform(-2, 2) for _ in J]
        if kind == "stands":
            (a, x), (b, y) = self.gear["m1"].items()
            qd[a], qd[b] = float(y), float(-x)
        q, tau = ([random.uniform(-2, 2) for _ in J] for _ in range(2))
        s = {f"{word}.j{k}": x for word, part in (("q", q), ("qd", qd), ("tau", tau), ("tau_phys", tau)) for k, x in enumerate(part)}
        s |= {"b.tip.lin_x": random.uniform(-9, 9), "b.tip.lin_z": random.uniform(-9, 9), "time_step": H}
        R, twist = turn([0, 0, 1], 0), [0.0] * 6
        if self.base == "floating":
            quat = [random.gauss(0, 1) for _ in range(4)]
            quat = [x / sum(y * y for y in quat) ** 0.5 for x in quat]
            R = of_quaternion(quat)
            twist = [random.uniform(-1, 1) * (kind != "rest") for _ in range(6)]
            s |= dict(zip(QUAT, quat)) | {f"base.twist.{k}": x for k, x in zip(LIN_ANG, twist)}
        return s, (q, qd, R, [0, 0, 0], twist), tau

    def rubbing(self):
        """What has dry friction: {row: (ratios of joints, the most)}; of joints first."""
        rows = {"friction.j0": ({0: 1}, 20 * self.most["m0"])} | {f"friction.j{k}": ({k: 1}, x) for k, x in self.dry.items()}
        return rows | {f"friction_motor.{m}": (g, self.most[m]) for m, g in self.gear.items() if m != "m0"}

    def rest(self, row):
        """The speed below which it sticks: that of a joint, or of a motor whose fastest joint is that slow."""
        return REST * (max(map(abs, self.rubbing()[row][0].values())) if "motor" in row else 1)

    def torques(self, given, speeds, friction):
        """Torques of joints and motors: those given by joint and by motor, viscous friction at these speeds of joints, and dry friction by row."""
        tau = [given.get(f"j{k}", 0) + (friction.get(f"friction.j{k}", 0) if k else 0) for k in J]
        at_motors = [given.get(m, 0) - self.viscous[m] * speed(g, speeds) + friction.get(f"friction_motor.{m}", 0) for m, g in self.gear.items()]
        at_motors[0] += friction.get("friction.j0", 0) / -20
        return tau, at_motors


def speed(gear, qd):
    return sum(r * qd[k] for k, r in gear.items())


def near(a, b, share=1e-9):
    return all(abs(x - y) <= share * (1 + max(map(abs, b))) for x, y in zip(a, b))


def forces(A, r, lo, hi):
    """The x within lo and hi with A x = r but where x is at a bound that it is driven against: rows without bounds by elimination, the others one by one until none
    changes; and the side of each."""
    free = [i for i in range(len(r)) if hi[i] > 1e100]
    bounded = [i for i in range(len(r)) if hi[i] <= 1e100]
    K = [[A[i][j] for j in free] for i in free]
    held = [solve(K, [A[i][b] for i in free]) for b in bounded]  # of a unit of each bounded one
    at_0 = solve(K, [r[i] for i in free]) if free else []
    S = [[A[a][b] - dot([A[a][i] for i in free], h) for b, h in zip(bounded, held)] for a in bounded]
    s = [r[a] - dot([A[a][i] for i in free], at_0) for a in bounded]
    y = [0.0] * len(bounded)
    for _ in range(20000):
        before = list(y)
        for i, b in enumerate(bounded):
            y[i] = max(lo[b], min(hi[b], y[i] + (s[i] - dot(S[i], y)) / S[i][i]))
        if near(before, y, 1e-16):
            break
    x = [0.0] * len(r)
    for k, i in enumerate(free):
        x[i] = at_0[k] - sum(z * h[k] for z, h in zip(y, held))
    for z, b in zip(y, bounded):
        x[b] = z
    return x, [0 if i in free or lo[i] < x[i] < hi[i] else -1 if x[i] == lo[i] else 1 for i in range(len(r))]


def solved(case, answer):
    """nu, sides, by row; accelerations, torques of joints and motors, friction by joint."""
    rows = [name[3:] for name in answer if name.startswith("lo.")]
    L = [[answer.get(f"L.{a}.{b}", answer.get(f"L.{b}.{a}")) for b in rows] for a in rows]
    nu, side = forces(L, *([answer[f"{word}.{a}"] for a in rows] for word in ("r", "lo", "hi")))
    nu, side = dict(zip(rows, nu)), dict(zip(rows, side))

    def whole(word, names):
        return {n: answer[f"{word}_0.{n}"] + sum(answer[f"{word}_nu.{a}.{i}"] * x for a, x in nu.items()) for i, n in enumerate(names)}
    joints, motors = [f"j{k}" for k in J], [n[12:] for n in answer if n.startswith("tau_motor_0.")]
    return nu, side, whole("qdd", joints), whole("tau_ctrl", joints), whole("tau_motor", motors), whole("tau_friction", joints)


def is_coulomb(force, most, w, wd, rest, slip):
    """Whether a force of dry friction obeys the law at the speed w: in motion against it, at rest what holds, or all against the motion that begins."""
    if abs(w) > rest:
        return near([force], [-most if w > 0 else most], 1e-12)
    return abs(force) <= most * (1 + 1e-12) and (abs(wd) < slip or near([force], [-most if wd > 0 else most], 1e-9))


def solves(case, states, word="", period=None):
    """Accelerations under friction are those in maximal coordinates, and friction obeys its law; how many rows stick, slip at rest, and move."""
    seen = {"sticks": 0, "slips": 0, "moves": 0}
    answers = case.ask("mclp", [s for s, *_ in states], word)
    for (_, at, tau), answer in zip(states, answers):
        case.machine.place(*at)
        nu, _, qdd, tau_ctrl, tau_motor, friction = solved(case, answer)
        qd, w_next = at[1], [x + (period or 0) * qdd[f"j{k}"] for k, x in enumerate(at[1])]
        given = {f"j{k}": tau[k] + (tau_ctrl[f"j{k}"] if k in case.own else 0) for k in J} | {m: tau_motor[m] for m in case.gear}
        found, _ = case.machine.accelerations(qd, *case.torques(given, qd, nu))
        check(f"{case.name}{word}: moves so", near([qdd[f"j{k}"] for k in J], found, 1e-7), (qdd, found))
        for row, (g, most) in case.rubbing().items():
            w, wd, rest = speed(g, qd), speed(g, [qdd[f"j{k}"] for k in J]), case.rest(row)
            if period:  # it stops in a step, or slides at its end
                w, wd, rest = 0, speed(g, w_next), 1
            check(f"{case.name}{word}: {row} rubs by the law", is_coulomb(nu[row], most, w, wd, rest, 1e-8 if period else 1e-6), (nu[row], most, w, wd))
            seen["moves" if abs(w) > rest else "slips" if abs(nu[row]) > most * (1 - 1e-9) else "sticks"] += 1
        power_agrees(case, qd, nu, tau_ctrl, tau_motor, friction)
    return seen


def power_agrees(case, qd, nu, tau_ctrl, tau_motor, friction):
    """Of torques and of friction, at motors and at joints."""
    terms = [tau_motor[m] * speed(g, qd) for m, g in case.gear.items()] + [tau_motor[f"j{k}"] * qd[k] for k in case.own]
    mine = [tau_ctrl[f"j{k}"] * qd[k] for k in J]
    check(f"{case.name}: power", abs(sum(terms) - sum(mine)) <= 1e-12 * sum(map(abs, terms + mine)), (terms, mine))
    terms = [nu[row] * speed(g, qd) for row, (g, _) in case.rubbing().items()]
    terms += [-case.viscous[m] * speed(g, qd) ** 2 for m, g in case.gear.items()]
    mine = [friction[f"j{k}"] * qd[k] for k in J]
    check(f"{case.name}: power of friction", abs(sum(terms) - sum(mine)) <= 1e-12 * sum(map(abs, terms + mine)), (terms, mine))
    if any(qd):
        check(f"{case.name}: it takes power", sum(mine) < 0, mine)


def apart_from_a_change(case, nu, side):
    """Whether no force of friction is about to reach a bound."""
    return all(side[row] or abs(nu[row]) < most * 0.98 for row, (_, most) in case.rubbing().items())


def slopes(case, states, word=""):
    """dmclp beside differences of the whole way, where no row is about to change its side; how many columns were."""
    judged, size, joints = 0, 1e-5, [f"j{k}" for k in J]
    here = [solved(case, x) for x in case.ask("mclp", [s for s, *_ in states], word)]
    given = [s | {f"nu.{a}": x for a, x in h[0].items()} | {f"side.{a}": x for a, x in h[1].items()} for (s, *_), h in zip(states, here)]
    moved = [(i, by, k) for i, (_, at, _) in enumerate(states) for by in ("q", "qd") for k in J if by == "q" or word or any(at[1])]
    around = case.ask("mclp", [states[i][0] | {f"{by}.j{k}": states[i][0][f"{by}.j{k}"] + x} for i, by, k in moved for x in (-size, size)], word)
    around = [solved(case, x) for x in around]
    answers = case.ask("dmclp", given, word)
    for mine, (_, _, qdd, tau_ctrl, *_) in zip(answers, here):
        wanted = list(qdd.values()) + list(tau_ctrl.values())
        check(f"{case.name}{word}: dmclp", near([mine[f"{w}.{j}"] for w in ("qdd", "tau_ctrl") for j in joints], wanted, 1e-7), (mine, wanted))
    for n, (i, by, k) in enumerate(moved):
        (_, a, before, *_), (_, b, after, *_) = around[2 * n:2 * n + 2]
        if a == b == here[i][1] and apart_from_a_change(case, *here[i][:2]):
            judged += 1
            wanted = [(after[j] - before[j]) / (2 * size) for j in joints]
            check(f"{case.name}{word}: dqdd_d{by} j{k}", near([answers[i].get(f"dqdd_d{by}.{j}.j{k}", 0) for j in joints], wanted, 3e-5), (answers[i], wanted))
    return judged


def stepped(case, states):
    """Impulses of steps, and what dstep says of each."""
    begun = case.ask("step_begin", [s for s, *_ in states])
    given, sides, m = [], [], len(case.rubbing())
    for (s, *_), b in zip(states, begun):
        A = [[b[f"A.{m * i + j}"] for j in range(m)] for i in range(m)]
        box = [b[f"box.{i}"] for i in range(m)]
        lambda_, side = forces(A, [-b[f"b.{i}"] - b[f"gap.{i}"] for i in range(m)], [-x for x in box], box)
        given.append(s | {f"lambda.{i}": x for i, x in enumerate(lambda_)})
        sides.append((lambda_, side))
    return sides, case.ask("dstep", given)


def steps(case, states):
    """A step with dry friction is one in maximal coordinates with friction that obeys its law at the step's end; dstep is its derivative."""
    joints = [f"j{k}" for k in J]
    for (s, at, tau), ((lambda_, side), end) in zip(states, zip(*stepped(case, states))):
        case.machine.place(*at)
        after = [end[f"qd_next.{j}"] for j in joints]
        rows = dict(zip(case.rubbing(), (x / H for x in lambda_)))
        found, _ = case.machine.accelerations(at[1], *case.torques({f"j{k}": tau[k] for k in J}, after, rows))
        check(f"{case.name}: a step", near([(x - y) / H for x, y in zip(after, at[1])], found, 1e-8), (after, found))
        for row, (g, most) in case.rubbing().items():
            check(f"{case.name}: {row} rubs in a step", is_coulomb(rows[row], most, 0, speed(g, after), 1, 1e-9), (rows, after))
        felt = [sum(rows[row] * g.get(k, 0) for row, (g, _) in case.rubbing().items()) for k in J]
        check(f"{case.name}: tau_rows", near([end[f"tau_rows.{j}"] for j in joints], felt, 1e-12), (end, felt))
        size, judged = 1e-6, 0
        around = [(by, k) for by in ("qd", "tau") for k in J]
        shifted = [(s | {f"{by}.j{k}": s[f"{by}.j{k}"] + x}, at, tau) for by, k in around for x in (-size, size)]
        ends = list(zip(*stepped(case, shifted)))
        for i, (by, k) in enumerate(around):
            ((_, a), before), ((_, b), after) = ends[2 * i:2 * i + 2]
            if a == b == side:
                judged += 1
                wanted = [(after[f"qd_next.{j}"] - before[f"qd_next.{j}"]) / (2 * size) for j in joints]
                check(f"{case.name}: dqd_next_d{by} j{k}", near([end.get(f"dqd_next_d{by}.{j}.j{k}", 0) for j in joints], wanted, 1e-6), (end, wanted))
        check(f"{case.name}: steps away from a change", judged > 0, side)


def compensated(case):
    """slotine_li: beside that without dry friction G^T f sat(w_r / w_0), w_0 the motor's speed where its fastest joint is at the threshold."""
    states = [case.draw("moves")[0] | {f"{w}.j{k}": size * random.uniform(-2, 2) for w in ("qd_r", "qdd_r") for k in J} for size in (1, 3e-4, 1e-3)]
    for s, a, b in zip(states, case.ask("slotine_li", states), case.ask("slotine_li", states, "smooth")):
        added = [0.0] * 5
        for row, (g, most) in case.rubbing().items():
            share = speed(g, [s[f"qd_r.j{k}"] for k in J]) / case.rest(row)
            for k, r in g.items():
                added[k] += r * most * max(-1, min(1, share))
        check(f"{case.name}: slotine_li", near([a[f"tau.j{k}"] - b[f"tau.j{k}"] for k in J], added, 1e-10), (a, b, added))


def pushed(case, in_time):
    """limits with effort: every torque that limits may push with, beside tau_art, is within the efforts of the motors, and some motor is at its own where one joint alone is
    pushed and tau_art leaves it room. in_time: joints stop in time."""
    (a, b), motors = case.gear["m1"], [m for m in case.gear if m != "m0"]
    efforts = dict(zip(motors, (0.5, 0.3, 0.3)))
    GtG = [[sum(case.gear[m][i] * case.gear[m][j] for m in motors) for j in (a, b)] for i in (a, b)]
    T = {m: solve(GtG, [float(case.gear[m][i]) for i in (a, b)]) for m in motors}  # torques of motors by those of joints a and b: G (G^T G)^-1
    text = open(case.name + "smooth.lua", encoding="utf-8").read().replace("physical = true", "artificial = true").replace(', "tau_friction"', "")
    numbers = ", ".join(f"{m} = {{ effort = {x} }}" for m, x in efforts.items())
    write(case.name + "pushed.lua", text[:text.index("motors = { m0")] + f"""motors = {{ {numbers} }}, effort = {{ j{case.own[0]} = 7 }},
  joint_limits = {{ j{a} = {{ lower = -1, upper = 1 }}, j{b} = {{ lower = -1, upper = 1 }}, j{case.own[0]} = {{ lower = -1, upper = 1 }} }},
  limits = {{ effort = true{f", acceleration = {{ j{a} = 9, j{b} = 9 }}, period = 1e-3" if in_time else ""} }} }}""")
    states = []
    for q in ((0.95, 0), (-0.93, 0), (0, -0.97), (0, 0.98), (0, 0.98), (0.96, 0.99), (-0.92, 0.91), (0.99, -0.98), (0.95, 0)):
        states.append({f"tau_art.j{k}": random.uniform(-1.5, 1.5) for k in J} | {f"q.j{a}": q[0], f"q.j{b}": q[1], f"q.j{case.own[0]}": 0.95})
    states[-1][f"tau_art.j{a}"] = 1000  # more than the motors give
    reached = 0
    for s, answer in zip(states, case.ask("mclp", states, "pushed")):
        ends = {k: [[answer[f"{side}.{g}.j{k}"] for side in ("lo", "hi")] for g in ("limits", "limits_lower", "limits_upper") if f"lo.{g}.j{k}" in answer] for k in (a, b)}
        ends = {k: (sum(x for x, _ in pair), sum(x for _, x in pair)) for k, pair in ends.items()}
        check(f"{case.name}: a joint of its own", near([answer.get(f"lo.limits.j{case.own[0]}", 0)], [-7 - s[f"tau_art.j{case.own[0]}"]]), answer)
        given = {m: sum(t * s[f"tau_art.j{k}"] for t, k in zip(T[m], (a, b))) for m in motors}
        within = all(abs(x) <= efforts[m] for m, x in given.items())
        most = max(abs(given[m] + T[m][0] * x + T[m][1] * y) / efforts[m] for m in motors for x in ends[a] for y in ends[b])
        if within:
            check(f"{case.name}: pushed within effort", most <= 1 + 1e-12, (s, ends))
            reached += most > 1 - 1e-12
            check(f"{case.name}: pushed as far as one joint can be", in_time or sum(any(x) for x in ends.values()) > 1 or most > 1 - 1e-12, (s, ends))
        else:
            check(f"{case.name}: not pushed further", all(abs(T[m][i] * x) <= abs(efforts[m]) + abs(given[m]) for m in motors for i, k in enumerate((a, b)) for x in ends[k]), ends)
        check(f"{case.name}: pushed at all", not within or any(any(x) for x in ends.values()), (s, ends))
    check(f"{case.name}: efforts are reached", reached > 0 or in_time, reached)


def proven(case, word, functions, all_of_them):
    """--check, and a proof of all but where a step leaves a base that turns."""
    said = run(achdgen, case.name + ".urdf", "--layout", case.name + word + ".lua", "--functions", functions, "-q", "-o", "x.h")
    text = open("x.h", encoding="utf-8").read() if said.returncode == 0 else ""
    line = text[text.find("* proven"):].split("\n")[0]
    outside = line.split("outside: ")[1:] or ["step_end.base_next.quat"]
    check(f"{case.name}{word}: proven", f"proven  {all_of_them}: identical" in line and outside == ["step_end.base_next.quat"], said.stderr + line)
    said = run(achdgen, case.name + ".urdf", "--layout", case.name + word + ".lua", "--functions", functions, "--check", "3")
    check(f"{case.name}{word}: --check", said.returncode == 0, said.stdout + said.stderr)


def rubs(one):
    drawn = [one.draw(kind) for kind in ("rest", "rest", "rest", "moves", "stands", "stands")]
    print(one.name, solves(one, drawn), solves(one, drawn[2:], "period", H))
    print(one.name, "derivatives of accelerations:", slopes(one, drawn[2:5]), slopes(one, drawn[2:5], "period"))
    steps(one, drawn[1:5:3])
    compensated(one)


for n in range(ROUNDS):
    for base in ("fixed",) if ONE else ("fixed", "floating"):
        for form in (0, 1) if base == "fixed" or ROUNDS > 1 else (1,):
            one = Case(f"r{n}{base}{form}", base, form)
            if form or not ONE:
                rubs(one)
            if base == "fixed":
                pushed(one, bool(form))
                if not ONE and form:
                    proven(one, "pushed", "mclp", "mclp apply")
            if base == "floating" and not ONE:
                proven(one, "period", "mclp,step_begin,slotine_li", "mclp apply step_begin step_end slotine_li")
finish()

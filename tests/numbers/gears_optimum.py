# SPDX-License-Identifier: MIT
"""tests/numbers/gears_optimum.py ACHDGEN SOURCE_DIR LIBACHD: the best torques within limits of motors that move several joints.

The wrist of a Gen3 on a differential and a belt, three rows: qp, achd_qp and apply, compiled, against the same optimum searched among all sets of motors at
their limits, from M, J and what resists motion (crba, jac, jdqd, bias, gravity), stated in torques of motors: least r^T (J M^-1 J^T)^-1 r, of these the least
Gauss function. --check knows such limits, of more motors than joints, on all bases, in float.
"""
import itertools
import os
import random
import sys
import tempfile

achdgen, top, library = (os.path.abspath(path) for path in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402

random.seed(7)
os.chdir(tempfile.mkdtemp())
STATES = 2000 if os.environ.get("ACHD_SWEEP") == "1" else 40
JOINTS = ["joint_4", "joint_5", "joint_6", "joint_7"]
ROWS = ["lin_x", "lin_y", "lin_z"]
MOTORS = ["a", "b", "l", "r"]
G = [[9, 2, 0, 0], [-6, 8, 0, 0], [0, 0, 100, 50], [0, 0, 120, -60]]
LIMITS = [1.5, float("inf"), 0.05, 0.06]
VISCOUS = [0.01, 0, 1e-4, 0]
LAYOUT = """return { gravity = { 0, 0, -9.81 }, locked = { joint_1 = 0.3, joint_2 = 0.5, joint_3 = -0.2 }, real = nil,
  transmissions = { { motors = { "a", "b" }, joints = { "joint_4", "joint_5" }, matrix = { { 9, 2 }, { -6, 8 } } },
    { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = { motors = { 50, 60 }, joints = { 2, 1 } } } },
  motors = { a = { inertia = 1e-3, viscous = 0.01, effort = 1.5 }, l = { inertia = 1e-5, viscous = 1e-4, effort = 0.05 },
    r = { inertia = 1e-5, effort = 0.06 } },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" } } },
  OTHERS }""".replace(" real = nil,", "")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(A, x):
    return [dot(row, x) for row in A]


def transposed(A):
    return [list(column) for column in zip(*A)]


def product(A, B):
    columns_of_b = transposed(B)
    return [[dot(row, column) for column in columns_of_b] for row in A]


def solved(A, b):
    """x of A x = b, by elimination with the largest pivot; None: A is singular."""
    n, rows = len(A), [row[:] + [y] for row, y in zip(A, b)]
    scale = max((abs(x) for row in A for x in row), default=1)
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        if abs(rows[k][k]) < 1e-13 * scale:
            return None
        for i in range(n):
            if i != k:
                share = rows[i][k] / rows[k][k]
                rows[i] = [x - share * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def inverse(A):
    return transposed([solved(A, [float(i == k) for i in range(len(A))]) for k in range(len(A))])


def at_limits():
    """All ways in which motors are at their limits: by motor the torque, None where it is free."""
    return itertools.product(*([None, -x, x] if x < float("inf") else [None] for x in LIMITS))


def completed(held, solve):
    """The torques where `held` are given, and `solve` finds the others: (free, constant torques) -> values; None: not within the limits."""
    free = [k for k, x in enumerate(held) if x is None]
    t = [x or 0.0 for x in held]
    values = solve(free, t) if free else []
    if values is None:
        return None
    for k, x in zip(free, values):
        if abs(x) > LIMITS[k] * (1 + 1e-9):
            return None
        t[k] = x
    return t


def optimum(M, J, h, drift, b):
    """The motors' torques, and what the rows are missed by in the metric of L^-1."""
    W = inverse(M)
    A = product(J, product(W, transposed(G)))  # r = A t - c
    c = [y - x + z for x, y, z in zip(drift, times(J, times(W, h)), b)]
    Li = inverse(product(J, product(W, transposed(J))))
    H = product(transposed(A), product(Li, A))
    K = product(G, product(W, transposed(G)))  # Gauss: 1/2 t^T K t

    def missed(t):
        r = [x - y for x, y in zip(times(A, t), c)]
        return dot(r, times(Li, r))

    def least(free, t):
        wanted = times(transposed(A), times(Li, [x - y for x, y in zip(c, times(A, t))]))
        return solved([[H[i][k] for k in free] for i in free], [wanted[i] for i in free])

    def gauss(target):
        def solve(free, t):
            left, n, m = [x - y for x, y in zip(target, times(A, t))], len(free), len(target)
            if n < m:
                return None
            pushed = times(K, t)
            rows = [[K[i][k] for k in free] + [A[j][i] for j in range(m)] for i in free] + [[A[j][k] for k in free] + [0.0] * m for j in range(m)]
            x = solved(rows, [-pushed[i] for i in free] + left)
            return x and x[:n]
        return solve
    whole = [t for held in at_limits() if (t := completed(held, gauss(c)))]
    if not whole:
        best = min((t for held in at_limits() if held.count(None) <= len(c) and (t := completed(held, least))), key=missed)
        whole = [t for held in at_limits() if (t := completed(held, gauss(times(A, best))))]
    t = min(whole, key=lambda x: dot(x, times(K, x)))
    return t, missed(t) / (1e-300 + dot(c, times(Li, c)))


def tables(states):
    """M, J, what resists motion, and J-dot q-dot of each state, by functions of the family."""
    write("family.lua", LAYOUT.replace("OTHERS", 'outputs = { "qdd", jac = { "tool_frame" } }'))
    answers = []
    for function in ("crba", "jac", "jdqd", "bias", "gravity"):
        command = [achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "family.lua", "--functions", function]
        answers.append(evaluated(function, command, columns(function, command), states))
    for s, M, J, drift, bias, gravity in zip(states, *answers):
        qd = [s[f"qd.{j}"] for j in JOINTS]
        slowed = times(transposed(G), [d * w for d, w in zip(VISCOUS, times(G, qd))])
        yield ([[M.get(f"M.{i}.{j}", M.get(f"M.{j}.{i}")) for j in JOINTS] for i in JOINTS],
               [[J[f"jac.tool_frame.{row}.{j}"] for j in JOINTS] for row in ROWS],
               [bias[f"tau.{j}"] + gravity[f"tau.{j}"] + x for j, x in zip(JOINTS, slowed)], [drift[f"jdqd.tool_frame.{row}"] for row in ROWS])


def compiled(states):
    """What the program says of each state: [status, of achd_qp, torques of motors, of joints]."""
    write("geared.lua", LAYOUT.replace("OTHERS", 'realise = "optimum", outputs = { "qdd", "tau_ctrl", "tau_motor" }'))
    said = run(achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "geared.lua", "--functions", "qp", "--name", "geared", "-q", "-o", "geared.h")
    check("generated", said.returncode == 0, said.stderr)
    said = run("gcc", "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-I.", "-I" + os.path.join(top, "runtime"),
               os.path.join(top, "tests/numbers/gears_optimum.c"), library, "-lm", "-o", "program")
    check("compiled", said.returncode == 0, said.stderr)
    text = "".join(" ".join(repr(s[k]) for k in [f"q.{j}" for j in JOINTS] + [f"qd.{j}" for j in JOINTS] + ROWS) + "\n" for s in states)
    lines = [[float(x) for x in line.split()] for line in run("./program", text=text).stdout.splitlines()]
    check("ran", len(lines) == len(states), lines)
    return lines


def compare():
    states = [{f"q.{j}": random.uniform(-2, 2) for j in JOINTS} | {f"qd.{j}": random.uniform(-1, 1) for j in JOINTS} |
              {row: random.uniform(-4, 4) for row in ROWS} for _ in range(STATES)]
    limited, yielded, worst = [0] * len(MOTORS), 0, 0
    for s, (M, J, h, drift), line in zip(states, tables(states), compiled(states)):
        t, missed = optimum(M, J, h, drift, [s[row] for row in ROWS])
        bits, solver, found, joints = int(line[0]), int(line[1]), line[2:6], line[6:]
        for k, (x, y) in enumerate(zip(found, t)):
            worst = max(worst, abs(x - y) / (0.1 + abs(y)))
            check(f"torque of motor {MOTORS[k]}", abs(x - y) <= 1e-6 * (0.1 + abs(y)), (found, t))
            check("within its limit", abs(x) <= LIMITS[k], (found, LIMITS))
        for x, y in zip(joints, times(transposed(G), found)):
            check("tau = G^T tau_motor", abs(x - y) <= 1e-12 * (1 + abs(y)), (joints, found))
        held = [abs(x) >= y * (1 - 1e-9) for x, y in zip(t, LIMITS)]
        limited = [n + x for n, x in zip(limited, held)]
        yielded += missed > 1e-12
        check("SATURATED", bits == 2 * any(held), (bits, found))
        check("YIELDED", solver == (missed > 1e-12), (solver, missed))
    print(f"{STATES} states: torques differ by {worst:.1e} at most; at their limits {dict(zip(MOTORS, limited))}, rows not met in {yielded}")
    check("motors are at their limits, with rows met and not", all(x >= 3 or y == float("inf") for x, y in zip(limited, LIMITS)) and
          3 <= yielded <= STATES - 3)


def checked():
    """--check judges the problem: more motors than joints, moving bases, contacts, float."""
    more = """transmissions = { { motors = { "a", "b", "c" }, joints = { "joint_3", "joint_4" }, matrix = { { 9, 2 }, { -6, 8 }, { 3, 5 } } },
    { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = { motors = { 50, 60 }, joints = { 2, 1 } } } },
  motors = { l = { inertia = 1e-5, viscous = 1e-4, effort = 0.02 }, r = { effort = 0.04 }, b = { effort = 0.3, viscous = 0.02 } }"""
    for base in ("fixed", "floating"):
        write("o.lua", f"""return {{ realise = "optimum", base = "{base}", gravity = {{ 0, 0, -9.81 }}, outputs = {{ "qdd", "nu", "tau_ctrl", "tau_motor" }},
  groups = {{ {{ name = "tool", frame = "tool_frame", rows = {{ "lin_x", "lin_y", "lin_z" }} }},
    {'{ name = "held", frame = "base_link", kind = "physical" }' if base != "fixed" else ""} }}, {more} }}""")
        command = [achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "o.lua"]
        for real in ([], ["--real", "float"]):
            said = run(*command, *real, "--check", "6")
            judged = "levels: what each is missed by" in said.stdout or real
            check(f"--check: {base} {real}", said.returncode == 0 and "tau_motor" in said.stdout and judged, said.stdout + said.stderr)


compare()
checked()
finish()

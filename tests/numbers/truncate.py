# SPDX-License-Identifier: MIT
"""tests/numbers/truncate.py ACHDGEN SOURCE_DIR: singularity = "truncate" with more than six rows is the pseudo-inverse of L.

At rest, with L = J M^-1 J^T and r = b - J qdd_0, nu = L^+ r and qdd = qdd_0 + M^-1 J^T nu: a Gen3 with eight rows, which depend on each other in
every state, and with twelve, half of which are the others again. J, M and qdd_0 are those of other functions of the header.
"""
import math
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/program"))
from checks import check, columns, evaluated, finish, write  # noqa: E402

ROWS = ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"]
GROUPS = {
    "eight rows": [("tool", "tool_frame", ROWS), ("arm", "forearm_link", ["lin_x", "lin_y"])],
    "twelve rows": [("tool", "tool_frame", ROWS), ("arm", "end_effector_link", ROWS)],
}


def times(A, B):
    return [[math.fsum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def vector(A, x):
    return [math.fsum(a * b for a, b in zip(row, x)) for row in A]


def eigen(A):
    """Eigenvalues and eigenvectors by rows of a symmetric matrix (cyclic Jacobi)."""
    n = len(A)
    A, V = [list(row) for row in A], [[float(i == k) for k in range(n)] for i in range(n)]
    for _ in range(40):
        for p in range(n - 1):
            for q in range(p + 1, n):
                angle = math.atan2(2 * A[p][q], A[q][q] - A[p][p]) / 2
                c, s = math.cos(angle), math.sin(angle)
                for row in A:
                    row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                A[p], A[q] = [c * x - s * y for x, y in zip(A[p], A[q])], [s * x + c * y for x, y in zip(A[p], A[q])]
                V[p], V[q] = [c * x - s * y for x, y in zip(V[p], V[q])], [s * x + c * y for x, y in zip(V[p], V[q])]
    return [A[k][k] for k in range(n)], V


def pseudo_inverse(A, cut):
    values, V = eigen(A)
    keep = [(v, w) for v, w in zip(values, V) if v > cut * max(values)]
    return [[math.fsum(w[i] * w[k] / v for v, w in keep) for k in range(len(A))] for i in range(len(A))], len(keep) < len(A)


def largest(x):
    return max(map(abs, x))


random.seed(5)
worst = 0
for title, groups in GROUPS.items():
    with tempfile.TemporaryDirectory() as folder:
        layout = os.path.join(folder, "layout.lua")
        frames = ", ".join(f'"{frame}"' for _, frame, _ in groups)
        listed = "".join(f'{{ name = "{name}", frame = "{frame}", rows = {{ {", ".join(repr(r) for r in rows)} }} }},\n'
                         for name, frame, rows in groups)
        write(layout, 'return { singularity = "truncate", outputs = { "qdd", "nu", jac = { ' + frames + " } }, groups = {\n" + listed + "} }\n")
        robot = [achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", layout]
        states = []
        for _ in range(4):
            state = {f"q.joint_{k}": random.uniform(-2, 2) for k in range(1, 8)}
            state["gravity.z"] = -9.81
            for name, _, rows in groups:
                for row in rows:
                    state[f"b.{name}.{row}"] = random.uniform(-3, 3)
            states.append(state)
        commands = {f: robot + ["--functions", f] for f in ("achd", "crba", "jac", "fd")}
        functions = [evaluated(f"{title}, {f}", command, columns(f"{title}, {f}", command), states) for f, command in commands.items()]
        for state, found, M, jac, free in zip(states, *functions):
            M = [[M[f"M.joint_{max(i, k)}.joint_{min(i, k)}"] for k in range(1, 8)] for i in range(1, 8)]
            J = [[jac[f"jac.{frame}.{row}.joint_{k}"] for k in range(1, 8)] for _, frame, rows in groups for row in rows]
            b = [state[f"b.{name}.{row}"] for name, _, rows in groups for row in rows]
            qdd_0 = [free[f"qdd.joint_{k}"] for k in range(1, 8)]
            W, _ = pseudo_inverse(M, 0)
            inverse, cut = pseudo_inverse(times(times(J, W), list(zip(*J))), 1e-10)
            nu = vector(inverse, [x - y for x, y in zip(b, vector(J, qdd_0))])
            qdd = [x + y for x, y in zip(qdd_0, vector(W, vector(list(zip(*J)), nu)))]
            ours = [found[f"nu.{name}.{row}"] for name, _, rows in groups for row in rows]
            moved = [found[f"qdd.joint_{k}"] for k in range(1, 8)]
            apart = max(largest([x - y for x, y in zip(ours, nu)]) / largest(nu), largest([x - y for x, y in zip(moved, qdd)]) / largest(qdd))
            worst = max(worst, apart)
            check(f"{title}: as the pseudo-inverse", apart < 1e-7, f"apart by {apart}")
            check(f"{title}: an eigenvalue is cut off, and told", cut and int(found["status"]) & 1)
print(f"8 states, apart from the pseudo-inverse by {worst:.1e} at most")
finish()

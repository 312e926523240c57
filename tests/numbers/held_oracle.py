# SPDX-License-Identifier: MIT
"""held_oracle.py: closed loops and held frames in a step, by the definition of step_oracle.py, for step_held.py and dstep_held.py: rows by groups
("tie", frame, to, rows) and ("frame", body, axes, rows), their Jacobian by a complex step.
"""
import random

from step_oracle import EPS, Body, Robot, dot, plus, product, solve, times

XYZ = "xyz"
UNIT = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def real(A):
    return [real(x) if isinstance(x, list) else complex(x).real for x in A]


def vee(T):
    return [(T[2][1] - T[1][2]) / 2, (T[0][2] - T[2][0]) / 2, (T[1][0] - T[0][1]) / 2]


def transposed(A):
    return [list(x) for x in zip(*A)]


class Rows:
    """The rows of groups by definition, from the state at the beginning of a step."""

    def __init__(self, robot, groups, s):
        self.robot, self.groups = robot, groups
        self.begun = self.places(s, None, 0)

    def places(self, s, v, eps):
        """In the state, moved by eps along v."""
        v = v or [0.0] * (self.robot.nb + len(self.robot.bodies))
        R, p = self.robot.base_place(s, v, eps)
        return self.robot.places([x + eps * y for x, y in zip(s["q"], v[self.robot.nb:])], R, p)

    def at(self, s, moved):
        """r, and J by row and coordinate; moved: axes of links are those of s."""
        here, size = self.places(s, None, 0), self.robot.nb + len(self.robot.bodies)
        columns_ = []
        for c in range(size):
            there = self.places(s, [1.0 * (c == i) for i in range(size)], 1j * EPS)
            columns_.append([complex(x).imag / EPS for x in self.values(here, there, moved, True)])
        return [complex(x).real for x in self.values(here, here, moved, False)], transposed(columns_)

    def values(self, here, places, moved, rates):
        values = []
        for kind, body, other, rows in self.groups:
            (Ra, pa, _), (Rb, pb, _) = places[body + 1], here[body + 1]
            R0, p0, _ = self.begun[body + 1]
            if kind == "tie":
                at, R = times(transposed(Ra), plus(places[other + 1][1], pa, -1)), product(transposed(Ra), places[other + 1][0])
                R_here = real(product(transposed(real(Ra)), real(here[other + 1][0])))
                angular = [row for row in rows if row.startswith("ang")]
                for row in rows:
                    a = XYZ.index(row[-1])
                    b, c = (a + 1) % 3, (a + 2) % 3
                    if row.startswith("lin"):
                        values.append(at[a])
                    elif rates:
                        values.append(vee(product(R, transposed(R_here)))[a])
                    elif len(angular) == 2:  # how the axis that is left leans
                        free = next(k for k in range(3) if f"ang_{XYZ[k]}" not in angular)
                        values.append(-R[b][c] if free == c else R[c][b])
                    else:
                        values.append((R[c][b] - R[b][c]) / 2)
                continue
            axes = UNIT if other == "base" else transposed(real(Rb if moved else R0))
            turned = vee(product(Ra, transposed(real(Rb)))) if rates else vee(product(Ra, transposed(real(R0))))
            away = plus(pa, real(p0), -1)
            values += [dot(axes[XYZ.index(row[-1])], turned if row.startswith("ang") else away) for row in rows]
        return values


def lua_of(groups):
    text = ""
    for k, (kind, body, other, rows) in enumerate(groups):
        more = f'to = "b{other}"' if kind == "tie" else f'kind = "physical", axes = "{other}"'
        text += f'{{ name = "g{k}", frame = "b{body}", {more}, rows = {{ {", ".join(map(repr, rows))} }} }}, '.replace("'", '"')
    return f"groups = {{ {text} }},"


def pushed(rows, M, target):
    """W J^T (J W J^T)^-1 target."""
    columns_ = [solve(M, row) for row in rows]
    lambda_ = solve([[dot(a, b) for b in columns_] for a in rows], target)
    return [sum(x * column[i] for x, column in zip(lambda_, columns_)) for i in range(len(M))]


def allowed(rows, M, v):
    return plus(v, pushed(rows, M, [-dot(row, v) for row in rows]))


def turned_mass(robot, M, s, to):
    """M, which is of coordinates along the base's own axes, at another place of the base."""
    if robot.nb == 0:
        return M
    R, there = (real(robot.base_place(x, [0.0] * 6, 0)[0]) for x in (s, to))
    T = product(there, transposed(R))
    size = len(M)
    if robot.nb == 3:
        whole = [[T[i][j] if i < 2 and j < 2 else 1.0 * (i == j) for j in range(size)] for i in range(size)]
    else:
        whole = [[T[i % 3][j % 3] if max(i, j) < 6 and i // 3 == j // 3 else 1.0 * (i == j) for j in range(size)] for i in range(size)]
    return product(product(whole, M), transposed(whole))


def forces_of(robot, groups, s, tau, h):
    """What the rows push in the step, as forces, without contacts."""
    M, _, _ = robot.mass_and_forces(s)
    for j, b in enumerate(robot.bodies):
        M[robot.nb + j][robot.nb + j] += h * b.damping
    rows, v = Rows(robot, groups, s).at(s, True)[1], robot.semi_implicit(s, tau, h)["v"]
    columns = [solve(M, row) for row in rows]
    return [x / h for x in solve([[dot(a, b) for b in columns] for a in rows], [-dot(row, v) for row in rows])]


def step_of(robot, groups, s, tau, h, add=None):
    """The step by definition; add(M): what impulses change velocities by, before rows push against it."""
    rows = Rows(robot, groups, s)
    M, _, _ = robot.mass_and_forces(s)
    for j, b in enumerate(robot.bodies):
        M[robot.nb + j][robot.nb + j] += h * b.damping
    J = rows.at(s, True)[1]
    v = allowed(J, M, robot.semi_implicit(s, tau, h)["v"])
    if add:
        v = plus(v, allowed(J, M, add(M)))
    to = robot.moved(s, [h * x for x in v], v)
    for _ in range(2):
        r, J = rows.at(to, False)
        to = robot.moved(to, pushed(J, turned_mass(robot, M, s, to), [-x for x in r]), v)
    r, J = rows.at(to, True)
    to["v"] = allowed(J, turned_mass(robot, M, s, to), v)
    return to


def random_robot(base):
    def near(size):
        return [round(random.uniform(-size, size), 3) for _ in range(3)]

    def body(parent, axis, slides=False, damping=0.0):
        return Body(parent, axis, near(0.4), round(random.uniform(0.5, 3), 3), near(0.1), [0.02, 0.025, 0.03], slides, damping)

    bodies = [body(-1, [0.0, 0.0, 1.0], damping=0.7), body(0, [1.0, 0.0, 0.0]), body(1, [0.6, 0.0, 0.8], slides=True, damping=2.5),
              body(0, [0.0, 1.0, 0.0], damping=0.1), body(3, [1.0, 0.0, 0.0])]
    return Robot(bodies, base, None if base == "fixed" else body(-1, [0.0, 0.0, 1.0]))

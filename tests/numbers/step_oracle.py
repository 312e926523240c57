# SPDX-License-Identifier: MIT
"""step_oracle.py: robots of a few bodies, by definition and without a recursion, for step.py: M = sum m J^T J + Jw^T I Jw, and forces from the
accelerations of the centres of mass, J-dot by a complex step along the motion. Shares nothing with the generator.
"""
import cmath
import random

EPS = 1e-30  # of a complex step


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(A, x):
    return [dot(row, x) for row in A]


def product(A, B):
    return [[dot(row, column) for column in zip(*B)] for row in A]


def plus(a, b, k=1):
    return [x + k * y for x, y in zip(a, b)]


def turn(axis, angle):
    """Rodrigues' formula; the angle may be complex."""
    c, s, (x, y, z) = cmath.cos(angle), cmath.sin(angle), axis
    v = 1 - c
    return [[c + x * x * v, x * y * v - z * s, x * z * v + y * s],
            [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
            [z * x * v - y * s, z * y * v + x * s, c + z * z * v]]


def of_quaternion(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def solve(A, b):
    n = len(b)
    rows = [list(row) + [x] for row, x in zip(A, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[p] = rows[p], rows[i]
        tail = rows[i][i + 1:]
        for k in range(i + 1, n):
            if rows[k][i] != 0:
                f = rows[k][i] / rows[i][i]
                rows[k][i + 1:] = [x - f * y for x, y in zip(rows[k][i + 1:], tail)]
    x = [0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - dot(rows[i][i + 1:n], x[i + 1:])) / rows[i][i]
    return x


class Body:
    """parent: -1 the base; its joint stands at `origin` in the parent; mass m with central inertia diag(I) at `com`."""

    def __init__(self, parent, axis, origin, m, com, I, slides=False, damping=0.0):
        self.parent, self.axis, self.origin, self.m, self.com, self.I = parent, axis, origin, m, com, I
        self.slides, self.damping = slides, damping


class Robot:
    """base: "fixed", "planar" or "floating"; own: the base's Body, of which only mass, com and I count."""

    def __init__(self, bodies, base="fixed", own=None, gravity=(0, 0, -9.81)):
        self.bodies, self.base, self.own, self.gravity = bodies, base, own, list(gravity)
        self.nb = {"fixed": 0, "planar": 3, "floating": 6}[base]

    def urdf(self):
        def link(name, body):
            x = "" if body is None else (
                f'<inertial><origin xyz="{" ".join(map(repr, body.com))}"/><mass value="{body.m!r}"/><inertia ixx="{body.I[0]!r}" '
                f'iyy="{body.I[1]!r}" izz="{body.I[2]!r}" ixy="0" ixz="0" iyz="0"/></inertial>')
            return f'<link name="{name}">{x}</link>\n'

        text = '<robot name="r">\n' + link("base", self.own)
        for k, b in enumerate(self.bodies):
            kind = 'type="prismatic"' if b.slides else 'type="continuous"'
            limit = '<limit lower="-9" upper="9" effort="99" velocity="9"/>' if b.slides else ""
            text += link(f"b{k}", b) + (
                f'<joint name="j{k}" {kind}><parent link="{"base" if b.parent < 0 else f"b{b.parent}"}"/><child link="b{k}"/>'
                f'<origin xyz="{" ".join(map(repr, b.origin))}"/><axis xyz="{" ".join(map(repr, b.axis))}"/>{limit}</joint>\n')
        return text + "</robot>\n"

    def places(self, q, R, p):
        """[(R, origin, axis)] of the base and the bodies: complex where q, R or p are."""
        list_ = [(R, p, None)]
        for b, x in zip(self.bodies, q):
            Rp, pp, _ = list_[b.parent + 1]
            axis, origin = times(Rp, b.axis), plus(pp, times(Rp, b.origin))
            if b.slides:
                list_.append((Rp, plus(origin, axis, x), axis))
            else:
                list_.append((product(Rp, turn(b.axis, x)), origin, axis))
        return list_

    def jacobians(self, places):
        """By body that has mass {m, I along the world's axes, columns of J and Jw, centre}."""
        found = []
        for k, b in enumerate([self.own] + self.bodies):
            if b is None or k == 0 and self.nb == 0:
                continue
            R, o, _ = places[k]
            c = plus(o, times(R, b.com))
            I = product([[R[i][j] * b.I[j] for j in range(3)] for i in range(3)], list(zip(*R)))
            lever = plus(c, places[0][1], -1)
            columns = []
            for e in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
                columns.append((e, [0, 0, 0]))
            for e in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
                columns.append((cross(e, lever), e))
            columns = {0: [], 3: [columns[0], columns[1], columns[5]], 6: columns}[self.nb]
            carried, i = set(), k - 1
            while i >= 0:
                carried.add(i)
                i = self.bodies[i].parent
            for j, joint in enumerate(self.bodies):
                _, oj, axis = places[j + 1]
                if j not in carried:
                    columns.append(([0, 0, 0], [0, 0, 0]))
                elif joint.slides:
                    columns.append((axis, [0, 0, 0]))
                else:
                    columns.append((cross(axis, plus(c, oj, -1)), axis))
            found.append((b.m, I, [x for x, _ in columns], [x for _, x in columns], c))
        return found

    def base_place(self, s, v, eps):
        """Rotation and origin of the base in a state, moved by eps along v."""
        if self.nb == 0:
            return turn([0, 0, 1], 0), [0, 0, 0]
        if self.nb == 3:
            return turn([0, 0, 1], s["yaw"] + eps * v[2]), [s["p"][0] + eps * v[0], s["p"][1] + eps * v[1], 0]
        R = of_quaternion(s["quat"])
        w = v[3:6]
        moved = plus(R[0], [eps * x for x in (w[1] * R[2][j] - w[2] * R[1][j] for j in range(3))])
        rows = [moved, plus(R[1], [eps * (w[2] * R[0][j] - w[0] * R[2][j]) for j in range(3)]),
                plus(R[2], [eps * (w[0] * R[1][j] - w[1] * R[0][j]) for j in range(3)])]
        return rows, plus(s["p"], v[0:3], eps)

    def mass_and_forces(self, s):
        """M and what velocities and gravity need, by coordinate; bodies as of jacobians, for momenta."""
        v, n = s["v"], self.nb + len(self.bodies)
        moving = [x + 1j * EPS * y for x, y in zip(s["q"], v[self.nb:])]
        R, p = self.base_place(s, v, 1j * EPS)
        M, h = [[0.0] * n for _ in range(n)], [0.0] * n
        bodies = []
        for m, I, J, Jw, c in self.jacobians(self.places(moving, R, p)):
            rate = [[x.imag / EPS if isinstance(x, complex) else 0 for x in column] for column in J]
            turning = [[x.imag / EPS if isinstance(x, complex) else 0 for x in column] for column in Jw]
            J, Jw = ([[x.real for x in column] for column in X] for X in (J, Jw))
            I = [[x.real for x in row] for row in I]
            w = [sum(Jw[k][i] * v[k] for k in range(n)) for i in range(3)]
            a = [sum(rate[k][i] * v[k] for k in range(n)) - self.gravity[i] for i in range(3)]
            wd = [sum(turning[k][i] * v[k] for k in range(n)) for i in range(3)]
            moment = plus(times(I, wd), cross(w, times(I, w)))
            for i in range(n):
                h[i] += m * dot(J[i], a) + dot(Jw[i], moment)
                for j in range(n):
                    M[i][j] += m * dot(J[i], J[j]) + dot(Jw[i], times(I, Jw[j]))
            lin = [sum(J[k][i] * v[k] for k in range(n)) for i in range(3)]
            bodies.append((m, I, w, lin, [x.real for x in c]))
        return M, h, bodies

    def energy(self, s):
        M, _, bodies = self.mass_and_forces(s)
        return 0.5 * dot(s["v"], times(M, s["v"])) - sum(m * dot(self.gravity, c) for m, _, _, _, c in bodies)

    def momentum(self, s):
        """Momentum, and angular momentum about the centre of mass."""
        _, _, bodies = self.mass_and_forces(s)
        mass = sum(b[0] for b in bodies)
        G = [sum(m * c[i] for m, _, _, _, c in bodies) / mass for i in range(3)]
        lin, ang = [0, 0, 0], [0, 0, 0]
        for m, I, w, v, c in bodies:
            lin = plus(lin, v, m)
            ang = plus(ang, plus(times(I, w), cross(plus(c, G, -1), v), m))
        return lin + ang

    def acceleration(self, s, tau, h=0.0):
        """vdot with viscous friction at the end of a period h."""
        M, bias, _ = self.mass_and_forces(s)
        nb = self.nb
        right = [-x for x in bias]
        for j, b in enumerate(self.bodies):
            right[nb + j] += tau[j] - b.damping * s["v"][nb + j]
            M[nb + j][nb + j] += h * b.damping
        return solve(M, right)

    def moved(self, s, d, v):
        """The state moved by d, with velocities v."""
        to = {"q": plus(s["q"], d[self.nb:]), "v": v}
        if self.nb == 3:
            to["p"], to["yaw"] = plus(s["p"], d[0:2]), s["yaw"] + d[2]
        if self.nb == 6:
            angle = dot(d[3:6], d[3:6]) ** 0.5
            c = cmath.cos(angle / 2).real
            k = cmath.sin(angle / 2).real / angle if angle else 0.5
            a, b = [c] + [k * x for x in d[3:6]], s["quat"]
            to["p"] = plus(s["p"], d[0:3])
            to["quat"] = [a[0] * b[0] - dot(a[1:], b[1:])] + plus(plus(cross(a[1:], b[1:]), b[1:], a[0]), a[1:], b[0])
        return to

    def semi_implicit(self, s, tau, h):
        v = plus(s["v"], self.acceleration(s, tau, h), h)
        return self.moved(s, [h * x for x in v], v)

    def random_state(self):
        def numbers(count, size):
            return [random.uniform(-size, size) for _ in range(count)]

        s = {"q": numbers(len(self.bodies), 2), "v": numbers(self.nb + len(self.bodies), 3)}
        if self.nb == 3:
            s["p"], s["yaw"] = numbers(2, 5), random.uniform(-3, 3)
        if self.nb == 6:
            x = numbers(4, 1)
            s["p"], s["quat"] = numbers(3, 5), [y / dot(x, x) ** 0.5 for y in x]
        return s

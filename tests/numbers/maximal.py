# SPDX-License-Identifier: MIT
"""maximal.py: dynamics of robots with closed loops in maximal coordinates, from the definition.

Every link is a rigid body of six velocities, that of its centre of mass and its angular velocity, both along the axes of the world. Joints,
ties and rods are equations r = 0 between two bodies: a point of one seen along a direction fixed in the other, or two directions at right
angles. With J the Jacobian of all of these, and S rows whose products with the velocities are given rates,
    [M  -J^T  -F^T] [acceleration]   [forces - velocity terms]
    [J            ] [   lambda   ] = [      -J-dot v         ]
    [S            ] [    tau     ]   [  rates - S-dot v      ]
where F has the directions of the motors, which are S where the joints with given rates have them.
"""
import math
import operator
import xml.etree.ElementTree as tree

ZERO = [0.0, 0.0, 0.0]


def dot(a, b):
    return sum(map(operator.mul, a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(*v):
    return [sum(x) for x in zip(*v)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def mul(R, v):
    return [dot(row, v) for row in R]


def matmul(A, B):
    return [[dot(row, column) for column in zip(*B)] for row in A]


def transposed(A):
    return [list(x) for x in zip(*A)]


def turn(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def rpy(r, p, y):
    return matmul(turn([0, 0, 1], y), matmul(turn([0, 1, 0], p), turn([1, 0, 0], r)))


def solved(A, b):
    """A x = b by Gauss, the largest pivot of the column."""
    n = len(A)
    A = [row[:] + [y] for row, y in zip(A, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[best] = A[best], A[k]
        row, pivot = A[k], A[k][k]
        for i in range(k + 1, n):
            f = A[i][k] / pivot
            if f:
                A[i] = [x - f * y for x, y in zip(A[i], row)]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (A[k][n] - dot(A[k][k + 1:n], x[k + 1:])) / A[k][k]
    return x


def numbers(element, name, default):
    return [float(x) for x in element.get(name, default).split()] if element is not None else [float(x) for x in default.split()]


class Robot:
    """path: a URDF; base: fixed, planar or floating; linkages: [{"ties": [(frame, to, rows)], "rods": [(frame, to, length)],
    "independent", "dependent": joints}]; rotors: {joint: inertia}."""

    def __init__(self, path, base, linkages, rotors=None):
        root = tree.parse(path).getroot()
        self.base, self.linkages, self.rotors = base, linkages, rotors or {}
        self.mass, self.joints = {}, {}
        for link in root.findall("link"):
            inertial = link.find("inertial")
            m, com, R, I = 0.0, ZERO, rpy(0, 0, 0), [[0.0] * 3 for _ in range(3)]
            if inertial is not None:
                m = float(inertial.find("mass").get("value"))
                com = numbers(inertial.find("origin"), "xyz", "0 0 0")
                R = rpy(*numbers(inertial.find("origin"), "rpy", "0 0 0"))
                i = {k: float(inertial.find("inertia").get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
                I = matmul(matmul(R, [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]), transposed(R))
            self.mass[link.get("name")] = (m, com, I)
        for joint in root.findall("joint"):
            axis = numbers(joint.find("axis"), "xyz", "1 0 0")
            size = math.sqrt(dot(axis, axis))
            self.joints[joint.get("name")] = {
                "kind": joint.get("type"), "parent": joint.find("parent").get("link"), "child": joint.find("child").get("link"),
                "p": numbers(joint.find("origin"), "xyz", "0 0 0"), "R": rpy(*numbers(joint.find("origin"), "rpy", "0 0 0")),
                "axis": [x / size for x in axis]}
        children = {j["child"] for j in self.joints.values()}
        self.root = next(name for name in self.mass if name not in children)
        self.moving = [n for n, j in self.joints.items() if j["kind"] != "fixed"]
        self.dependent = [n for l in linkages for n in l["dependent"]]
        self.independent = [n for n in self.moving if n not in self.dependent]
        # links without mass on fixed joints are frames of what carries them
        carrier = {j["child"]: j["parent"] for j in self.joints.values() if j["kind"] == "fixed" and self.mass[j["child"]][0] == 0}
        self.owner = {link: link for link in self.mass}
        for link in self.mass:
            while self.owner[link] in carrier:
                self.owner[link] = carrier[self.owner[link]]
        self.bodies = [link for link in self.mass if self.owner[link] == link]
        self.at = {link: 6 * self.bodies.index(self.owner[link]) for link in self.mass}
        self.size = 6 * len(self.bodies)

    def place(self, q, R=None):
        """Poses (R, p) of all links, p of their origins, from the base's."""
        self.poses = {self.root: (R or rpy(0, 0, 0), ZERO)}
        left = dict(self.joints)
        while left:
            for name, j in list(left.items()):
                if j["parent"] in self.poses:
                    Rp, p = self.poses[j["parent"]]
                    origin, E = add(p, mul(Rp, j["p"])), matmul(Rp, j["R"])
                    if j["kind"] == "prismatic":
                        origin = add(origin, [q[name] * x for x in mul(E, j["axis"])])
                    elif j["kind"] != "fixed":
                        E = matmul(E, turn(j["axis"], q[name]))
                    self.poses[j["child"]] = (E, origin)
                    del left[name]
        return self.poses

    def residual(self, l):
        r = []
        for frame, to, rows in l["ties"]:
            (R, p), (_, x) = self.poses[frame], self.poses[to]
            d = mul(transposed(R), sub(x, p))
            r += [d["xyz".index(row[-1])] for row in rows]
        for frame, to, length in l["rods"]:
            d = sub(self.poses[to][1], self.poses[frame][1])
            r.append((dot(d, d) - length * length) / 2 / length)
        return r

    def close(self, q, R=None):
        """Fills the dependent joints of q, from where they are, by Newton with differences."""
        for l in self.linkages:
            for _ in range(40):
                self.place(q, R)
                r = self.residual(l)
                if max(map(abs, r)) < 1e-15:
                    break
                columns = []
                for name in l["dependent"]:
                    ends = []
                    for h in (1e-5, -1e-5):
                        q[name] += h
                        self.place(q, R)
                        ends.append(self.residual(l))
                        q[name] -= h
                    columns.append([(a - b) / 2e-5 for a, b in zip(*ends)])
                step = solved(transposed(columns), r)
                for name, x in zip(l["dependent"], step):
                    q[name] -= max(-0.3, min(0.3, x))
        self.place(q, R)
        return max([abs(x) for l in self.linkages for x in self.residual(l)] + [0])

    # ---- equations between bodies ----

    def com(self, link):
        R, p = self.poses[self.owner[link]]
        return add(p, mul(R, self.mass[self.owner[link]][1]))

    def empty(self):
        return [0.0] * self.size

    def motion(self, link):
        v = self.v[self.at[link]:self.at[link] + 6]
        return v[:3], v[3:]

    def put(self, row, link, lin, ang):
        a = self.at[link]
        for k in range(3):
            row[a + k] += lin[k]
            row[a + 3 + k] += ang[k]

    def along(self, A, xa, B, xb, e, fixed=True):
        """e . (xb - xa), xa of body A, xb of B, e fixed in A (or in the world): row, and what velocities add to its second derivative."""
        ra, rb, d, row = sub(xa, self.com(A)), sub(xb, self.com(B)), sub(xb, xa), self.empty()
        self.put(row, B, e, cross(rb, e))
        self.put(row, A, [-x for x in e], [-x for x in cross(ra, e)])
        va, wa = self.motion(A)
        vb, wb = self.motion(B)
        bias = dot(e, sub(cross(wb, cross(wb, rb)), cross(wa, cross(wa, ra))))
        if fixed:
            self.put(row, A, ZERO, cross(e, d))
            rate = sub(add(vb, cross(wb, rb)), add(va, cross(wa, ra)))
            bias += 2 * dot(cross(wa, e), rate) + dot(cross(wa, cross(wa, e)), d)
        return row, bias

    def rod(self, A, xa, B, xb, length):
        d = sub(xb, xa)
        row, bias = self.along(A, xa, B, xb, [x / length for x in d], False)
        ra, rb = sub(xa, self.com(A)), sub(xb, self.com(B))
        (va, wa), (vb, wb) = self.motion(A), self.motion(B)
        rate = sub(add(vb, cross(wb, rb)), add(va, cross(wa, ra)))
        return row, bias + dot(rate, rate) / length

    def square(self, A, u, B, z):
        """u . z, u fixed in A, z in B."""
        row = self.empty()
        self.put(row, A, ZERO, cross(u, z))
        self.put(row, B, ZERO, cross(z, u))
        wa, wb = self.motion(A)[1], self.motion(B)[1]
        return row, dot(cross(wa, cross(wa, u)), z) + 2 * dot(cross(wa, u), cross(wb, z)) + dot(u, cross(wb, cross(wb, z)))

    def rate(self, name):
        """The rate of a joint."""
        j = self.joints[name]
        A, B = j["parent"], j["child"]
        Ra, pa = self.poses[A]
        z, origin = mul(matmul(Ra, j["R"]), j["axis"]), add(pa, mul(Ra, j["p"]))
        if j["kind"] == "prismatic":
            return self.along(A, origin, B, self.poses[B][1], z)
        row = self.empty()
        self.put(row, A, ZERO, [-x for x in z])
        self.put(row, B, ZERO, z)
        wa, wb = self.motion(A)[1], self.motion(B)[1]
        return row, dot(sub(wb, wa), cross(wa, z))

    def joint_rows(self, name):
        j = self.joints[name]
        A, B = j["parent"], j["child"]
        Ra, pa = self.poses[A]
        E, origin, xb = matmul(Ra, j["R"]), add(pa, mul(Ra, j["p"])), self.poses[B][1]
        z = j["axis"]
        u = cross(z, [1, 0, 0] if abs(z[0]) < 0.7 else [0, 1, 0])
        size = math.sqrt(dot(u, u))
        u = [x / size for x in u]
        w = cross(z, u)
        Z, U, W = mul(E, z), mul(E, u), mul(E, w)
        rows = [self.along(A, origin, B, xb, e) for e in (U, W)]
        if j["kind"] != "prismatic":
            rows.append(self.along(A, origin, B, xb, Z))
        rows += [self.square(A, U, B, self.of_child(j, z)), self.square(A, W, B, self.of_child(j, z))]
        if j["kind"] in ("prismatic", "fixed"):
            rows.append(self.square(A, U, B, self.of_child(j, w)))
        return rows

    def of_child(self, j, z):
        """A direction of the joint's frame as the child has it."""
        return mul(self.poses[j["child"]][0], z)

    def base_rows(self):
        origin = self.poses[self.root][1]
        rows = []
        for k in range(3):
            e = [float(k == i) for i in range(3)]
            rows.append(self.along_world(self.root, origin, e))
        for k in range(3):
            row = self.empty()
            self.put(row, self.root, ZERO, [float(k == i) for i in range(3)])
            rows.append((row, 0.0))
        return rows

    def along_world(self, B, xb, e):
        row, rb, wb = self.empty(), sub(xb, self.com(B)), self.motion(B)[1]
        self.put(row, B, e, cross(rb, e))
        return row, dot(e, cross(wb, cross(wb, rb)))

    def free(self):
        """Which of the base's rows are its freedoms."""
        return {"fixed": [], "planar": [0, 1, 5], "floating": list(range(6))}[self.base]

    def equations(self):
        rows = [row for name, j in self.joints.items() if self.owner[j["child"]] == j["child"] for row in self.joint_rows(name)]
        for l in self.linkages:
            for frame, to, names in l["ties"]:
                R = transposed(self.poses[frame][0])
                rows += [self.along(frame, self.poses[frame][1], to, self.poses[to][1], R["xyz".index(n[-1])]) for n in names]
            for frame, to, length in l["rods"]:
                rows.append(self.rod(frame, self.poses[frame][1], to, self.poses[to][1], length))
        base = self.base_rows()
        return rows + [base[k] for k in range(6) if k not in self.free()]

    def freedoms(self):
        base = self.base_rows()
        return [base[k] for k in self.free()] + [self.rate(name) for name in self.independent]

    def move(self, rates):
        """Velocities of all bodies, for those of the freedoms."""
        self.v = self.empty()
        rows, own = self.equations(), self.freedoms()
        self.v = solved([r[0] for r in rows] + [r[0] for r in own], [0.0] * len(rows) + list(rates))

    def mass_matrix(self):
        M, bias = [self.empty() for _ in range(self.size)], self.empty()
        for link in self.bodies:
            m, _, I = self.mass[link]
            R, a = self.poses[link][0], self.at[link]
            inertia, w = matmul(matmul(R, I), transposed(R)), self.motion(link)[1]
            gyro = cross(w, mul(inertia, w))
            for i in range(3):
                M[a + i][a + i] = m
                bias[a + 3 + i] = gyro[i]
                for k in range(3):
                    M[a + 3 + i][a + 3 + k] = inertia[i][k]
        for name, d in self.rotors.items():
            row, rest = self.rate(name)
            for i, x in enumerate(row):
                if x:
                    bias[i] += d * x * rest
                    M[i] = [y + d * x * z for y, z in zip(M[i], row)]
        return M, bias

    def weight(self, gravity):
        force = self.empty()
        for link in self.bodies:
            m = self.mass[link][0]
            for k in range(3):
                force[self.at[link] + k] = m * gravity[k]
        return force

    def forward(self, gravity, tau, contacts=()):
        """Accelerations of the freedoms, forces of `contacts` rows (row, bias, wanted); tau: by independent joint."""
        M, bias = self.mass_matrix()
        rows = self.equations() + [c[:2] for c in contacts]
        wanted = [0.0] * (len(rows) - len(contacts)) + [c[2] for c in contacts]
        force = self.weight(gravity)
        for name, t in zip(self.independent, tau):
            force = [f + t * x for f, x in zip(force, self.rate(name)[0])]
        n, m = self.size, len(rows)
        A = [M[i] + [-r[0][i] for r in rows] for i in range(n)]
        A += [r[0] + [0.0] * m for r in rows]
        x = solved(A, [f - b for f, b in zip(force, bias)] + [w - r[1] for r, w in zip(rows, wanted)])
        self.a = x[:n]
        return [dot(r, self.a) + b for r, b in self.freedoms()], x[n + m - len(contacts):]

    def inverse(self, gravity, rates, motors=None):
        """Forces along the freedoms, or at the motors in place of the joints, that give accelerations to these."""
        M, bias = self.mass_matrix()
        rows, own = self.equations(), self.freedoms()
        drive = own
        if motors:
            base = self.base_rows()
            drive = [base[k] for k in self.free()] + [self.rate(name) for name in motors]
        n, m, f = self.size, len(rows), len(own)
        A = [M[i] + [-r[0][i] for r in rows] + [-r[0][i] for r in drive] for i in range(n)]
        A += [r[0] + [0.0] * (m + f) for r in rows] + [r[0] + [0.0] * (m + f) for r in own]
        x = solved(A, [w - b for w, b in zip(self.weight(gravity), bias)] + [-r[1] for r in rows] + [a - r[1] for a, r in zip(rates, own)])
        self.a = x[:n]
        return x[n + m:]

    def twist(self, link):
        R, p = self.poses[link]
        v, w = self.motion(link)
        return add(v, cross(w, sub(p, self.com(link)))), w

    def acceleration(self, link):
        a = self.a[self.at[link]:self.at[link] + 6]
        r, w = sub(self.poses[link][1], self.com(link)), self.motion(link)[1]
        return add(a[:3], cross(a[3:], r), cross(w, cross(w, r))), a[3:]

    def energies(self, gravity):
        kinetic, potential = 0.0, 0.0
        for link in self.moving_bodies():
            m, _, I = self.mass[link]
            v, w = self.motion(link)
            R = self.poses[link][0]
            kinetic += m * dot(v, v) / 2 + dot(w, mul(matmul(matmul(R, I), transposed(R)), w)) / 2
            potential -= m * dot(gravity, self.com(link))
        for name, d in self.rotors.items():
            kinetic += d * dot(self.rate(name)[0], self.v) ** 2 / 2
        return kinetic, potential

    def moving_bodies(self):
        return [link for link in self.bodies if self.base != "fixed" or link != self.root]

    def centre(self):
        bodies = self.moving_bodies()
        whole = sum(self.mass[k][0] for k in bodies)
        p = [sum(self.mass[k][0] * self.com(k)[i] for k in bodies) / whole for i in range(3)]
        v = [sum(self.mass[k][0] * self.motion(k)[0][i] for k in bodies) / whole for i in range(3)]
        return p, v

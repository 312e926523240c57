# SPDX-License-Identifier: MIT
"""meshes.py: what a robot looks like, for pages: the meshes of a URDF's <visual> elements, found, read (STL, OBJ, DAE) and made small.

Formats: STL, binary or text; OBJ, faces of any number of corners; COLLADA (DAE), triangles, polylists and polygons, with the transforms of
its scene and its unit, but whatever its up_axis, as RViz reads it. A mesh of many triangles is decimated by clustering: vertices in one cell of
a grid become their mean (Rossignac and Borrel 1993)."""
import array
import base64
import math
import os
import struct
import sys
import urllib.parse
import xml.etree.ElementTree as tree

MOST_TRIANGLES = 40000  # of a page
FEWEST = 150            # of a mesh
LARGEST_FILE = 200 << 20
MOST_NODES = 100000     # of the scene of a DAE file, each as often as it is placed
FARTHEST = 1e6          # [m] of a point


class Unreadable(Exception):
    """A mesh that cannot be read; the message says why."""


# ---- where a mesh is ----

def packages(given=(), environment=None):
    """Folders in which packages are: those that are given, and those of ROS 1 and 2."""
    environment = os.environ if environment is None else environment
    found = list(given)
    found += [path for path in environment.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if path]
    found += [os.path.join(path, "share") for path in environment.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if path]
    return found


def find(name, folder, search):
    """The file that a URDF in `folder` calls so: package://PACKAGE/PATH, file://PATH, or a path; None: there is none."""
    if name.startswith("file://"):
        path = name[len("file://"):].removeprefix("localhost")
        candidates = [path, urllib.parse.unquote(path)]
    elif name.startswith(("package://", "model://")):
        rest = name.split("://", 1)[1]
        package, _, inside = rest.partition("/")
        above, places = os.path.abspath(folder), []
        while True:  # a URDF mostly stands in its package, or beside others
            places.append(above)
            if os.path.dirname(above) == above:
                break
            above = os.path.dirname(above)
        candidates = []
        for place in [*search, *places]:
            candidates.append(os.path.join(place, rest))
            if os.path.basename(os.path.abspath(place)) == package:
                candidates.append(os.path.join(place, inside))
    else:
        candidates = [os.path.join(folder, name), *(os.path.join(place, name) for place in search)]
    return next((path for path in candidates if os.path.isfile(path)), None)


# ---- formats: all give [(x, y, z)] and [(i, j, k)] ----

def read_stl(raw):
    count = struct.unpack_from("<I", raw, 80)[0] if len(raw) >= 84 else -1
    words = []
    if len(raw) != 84 + 50 * count:
        words = [w for w in (line.split() for line in raw.decode("utf-8", "replace").splitlines()) if len(w) >= 4 and w[0].lower() == "vertex"]
    if words or len(raw) < 84 + 50 * count:
        points = [tuple(map(float, w[1:4])) for w in words]
    else:  # binary; some programs write something of their own behind the triangles
        points = [p for t in struct.iter_unpack("<12x9f2x", raw[84:84 + 50 * max(0, count)]) for p in (t[0:3], t[3:6], t[6:9])]
    if len(points) % 3 or not points:
        raise Unreadable("is no STL file: its triangles are not whole, or there are none")
    return points, [(i, i + 1, i + 2) for i in range(0, len(points), 3)]


def fan(corners):
    return [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]


def read_obj(raw):
    points, triangles = [], []
    for line in raw.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append(tuple(map(float, words[1:4])))
            if len(points[-1]) != 3:
                raise Unreadable("has a vertex without three numbers")
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            triangles += fan([c - 1 if c > 0 else len(points) + c for c in corners])
    return points, triangles


def multiply(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def identity():
    return [[float(i == j) for j in range(4)] for i in range(4)]


def moved(A, p):
    return tuple(A[i][0] * p[0] + A[i][1] * p[1] + A[i][2] * p[2] + A[i][3] for i in range(3))


def about(x, y, z, degrees):
    """Rodrigues: R = I + sin [a] + (1 - cos) [a]^2."""
    s, c, size = math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), math.hypot(x, y, z) or 1.0
    x, y, z, k = x / size, y / size, z / size, 1 - c
    return [[c + k * x * x, k * x * y - s * z, k * x * z + s * y, 0.0], [k * x * y + s * z, c + k * y * y, k * y * z - s * x, 0.0],
            [k * x * z - s * y, k * y * z + s * x, c + k * z * z, 0.0], [0.0, 0.0, 0.0, 1.0]]


class Collada:
    """A DAE file: geometries by their identifiers, as the scene places them."""

    def __init__(self, raw):
        try:
            self.root = tree.fromstring(raw)
        except tree.ParseError as error:
            raise Unreadable(f"is no DAE file: {error}") from None
        for element in self.root.iter():
            element.tag = element.tag.rsplit("}", 1)[-1]
        self.by_id = {e.get("id"): e for e in self.root.iter() if e.get("id")}
        self.placed_nodes = 0
        unit = self.root.find("./asset/unit")
        self.metre = float(unit.get("meter", 1)) if unit is not None else 1.0

    def at(self, url):
        found = self.by_id.get((url or "").lstrip("#"))
        if found is None:
            raise Unreadable(f"names {url}, which is not in it")
        return found

    def positions(self, vertices):
        source = next((i.get("source") for i in self.at(vertices).findall("input") if i.get("semantic") == "POSITION"), None)
        found = self.at(source)
        numbers, accessor = found.find("float_array"), found.find(".//accessor")
        values, stride = list(map(float, (numbers.text or "").split())), int(accessor.get("stride", 3)) if accessor is not None else 3
        return [tuple(values[i:i + 3]) for i in range(0, len(values) - 2, stride)]

    def geometry(self, element):
        points, triangles = [], []
        for part in element.iter():
            if part.tag not in ("triangles", "polylist", "polygons"):
                continue
            inputs = part.findall("input")
            vertex = next((i for i in inputs if i.get("semantic") == "VERTEX"), None)
            if vertex is None:
                raise Unreadable("has triangles without vertices")
            width, offset, first = 1 + max(int(i.get("offset", 0)) for i in inputs), int(vertex.get("offset", 0)), len(points)
            points += self.positions(vertex.get("source"))
            for p in part.findall("p"):
                corners = [first + int(word) for word in (p.text or "").split()[offset::width]]
                if part.tag == "triangles":
                    counts = [3] * (len(corners) // 3)
                elif part.tag == "polylist":
                    counts = list(map(int, (part.findtext("vcount") or "").split()))
                else:
                    counts = [len(corners)]
                at = 0
                for count in counts:
                    triangles += fan(corners[at:at + count])
                    at += count
        return points, triangles

    def placed(self, node, pose, points, triangles, depth):
        self.placed_nodes += 1
        if depth > 100 or self.placed_nodes > MOST_NODES:
            raise Unreadable("has nodes in nodes without an end")
        for e in node:
            numbers = list(map(float, (e.text or "").split())) if e.tag in ("matrix", "translate", "rotate", "scale") else []
            if e.tag == "matrix":
                pose = multiply(pose, [numbers[4 * i:4 * i + 4] for i in range(4)])
            elif e.tag == "translate":
                pose = multiply(pose, [[1.0, 0.0, 0.0, numbers[0]], [0.0, 1.0, 0.0, numbers[1]], [0.0, 0.0, 1.0, numbers[2]], [0.0, 0.0, 0.0, 1.0]])
            elif e.tag == "rotate":
                pose = multiply(pose, about(*numbers))
            elif e.tag == "scale":
                pose = multiply(pose, [[numbers[i] if i == j and i < 3 else float(i == j) for j in range(4)] for i in range(4)])
            elif e.tag == "instance_geometry":
                own, corners = self.geometry(self.at(e.get("url")))
                first = len(points)
                points += [moved(pose, p) for p in own]
                triangles += [tuple(first + c for c in t) for t in corners]
            elif e.tag in ("node", "instance_node"):
                self.placed(e if e.tag == "node" else self.at(e.get("url")), pose, points, triangles, depth + 1)

    def whole(self):
        points, triangles = [], []
        scene = self.root.find("./scene/instance_visual_scene")
        top = self.at(scene.get("url")) if scene is not None else next(iter(self.root.iter("visual_scene")), None)
        if top is None:
            raise Unreadable("has no scene")
        self.placed(top, identity(), points, triangles, 0)
        return [tuple(self.metre * x for x in p) for p in points], triangles


READERS = {".stl": read_stl, ".obj": read_obj, ".dae": lambda raw: Collada(raw).whole()}


def read(path):
    """Points and triangles of a mesh file."""
    reader = READERS.get(os.path.splitext(path)[1].lower())
    if reader is None:
        raise Unreadable("is no STL, OBJ or DAE file")
    if os.path.getsize(path) > LARGEST_FILE:
        raise Unreadable(f"has more than {LARGEST_FILE >> 20} MB")
    try:
        with open(path, "rb") as file:
            points, triangles = reader(file.read())
    except (ValueError, IndexError, AttributeError, TypeError, struct.error) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if not triangles or min(map(min, triangles)) < 0 or max(map(max, triangles)) >= len(points):
        raise Unreadable("has no triangles, or some without a vertex")
    if not all(math.isfinite(x) for p in points for x in p):
        raise Unreadable("has a number that is not finite")
    return points, triangles


# ---- smaller ----

def bounds(points):
    return [min(p[i] for p in points) for i in range(3)], [max(p[i] for p in points) for i in range(3)]


def merged(points, triangles, key):
    """Points of the same key become their mean; triangles that are left with three corners, each once."""
    cells, sums, of = {}, [], []
    for p in points:
        k = cells.setdefault(key(p), len(sums))
        if k == len(sums):
            sums.append([0.0, 0.0, 0.0, 0])
        total = sums[k]
        total[0] += p[0]
        total[1] += p[1]
        total[2] += p[2]
        total[3] += 1
        of.append(k)
    seen, left = set(), []
    for t in triangles:
        a, b, c = of[t[0]], of[t[1]], of[t[2]]
        if a == b or b == c or c == a:
            continue
        least = min(a, b, c)  # the corners in turn, the least first
        turned = (a, b, c) if a == least else (b, c, a) if b == least else (c, a, b)
        if turned not in seen:
            seen.add(turned)
            left.append(turned)
    return [(x / n, y / n, z / n) for x, y, z, n in sums], left


def decimated(points, triangles, most):
    """At most so many triangles of a mesh."""
    points, triangles = merged(points, triangles, lambda p: p)
    low, high = bounds(points)
    size, cells = max(h - a for h, a in zip(high, low)) or 1.0, 256.0
    found = points, triangles
    while len(found[1]) > most:
        step = size / cells
        found = merged(points, triangles, lambda p, step=step: tuple(int((x - a) / step) for x, a in zip(p, low)))
        # the triangles of a surface grow with the square of the cells
        cells *= min(0.9, 0.97 * math.sqrt(most / max(1, len(found[1]))))
        if cells < 1:
            break
    return found


# ---- a robot ----

def numbers(text, otherwise):
    """Three numbers, or what is meant where there are none that can be meant."""
    try:
        values = list(map(float, (text or "").split()))
    except ValueError:
        return otherwise
    return values if len(values) == 3 and all(map(math.isfinite, values)) else otherwise


def pose_of(origin):
    """Of an <origin>, as a matrix: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    if origin is None:
        return identity()
    xyz, rpy = numbers(origin.get("xyz"), [0.0, 0.0, 0.0]), numbers(origin.get("rpy"), [0.0, 0.0, 0.0])
    pose = identity()
    for angle, axis in zip(reversed(rpy), ((0, 0, 1), (0, 1, 0), (1, 0, 0))):
        pose = multiply(pose, about(*axis, math.degrees(angle)))
    for i in range(3):
        pose[i][3] = xyz[i]
    return pose


def visuals(path):
    """[(link, name of the mesh, pose in the link, scale)] of a URDF; none of another file."""
    try:
        root = tree.parse(path).getroot()
    except (tree.ParseError, OSError, ValueError):
        return []
    found = []
    for link in root.findall("link") if root.tag == "robot" else []:
        for visual in link.findall("visual"):
            mesh = visual.find("geometry/mesh")
            if mesh is not None and mesh.get("filename"):
                found.append((link.get("name"), mesh.get("filename"), pose_of(visual.find("origin")), numbers(mesh.get("scale"), [1.0, 1.0, 1.0])))
    return found


def packed(body, points, triangles):
    """For the page: positions in 16 bits between the bounds, corners in 16 or 32."""
    low, high = bounds(points)
    step = [(h - a) / 65535 or 1.0 for h, a in zip(high, low)]
    at = array.array("H", [round((x - a) / s) for p in points for x, a, s in zip(p, low, step)])
    corners = array.array("H" if len(points) <= 65536 else "I", [c for t in triangles for c in t])
    if sys.byteorder == "big":
        at.byteswap()
        corners.byteswap()
    return {"link": body, "low": low, "step": step, "wide": corners.itemsize == 4,
            "points": base64.b64encode(at.tobytes()).decode("ascii"), "triangles": base64.b64encode(corners.tobytes()).decode("ascii")}


def whole_robot(description, urdf, search=()):
    """Meshes of a robot as they are, [(body, points, triangles)], each in the frame of its body; and what was not found or read:
    [(name, why)]. description: what achdgen says of the robot."""
    frames = {f["link"]: f for f in description["frames"]}
    folder, places, read_ones, missing = os.path.dirname(os.path.abspath(urdf)), packages(search), [], []
    for link, name, pose, scale in visuals(urdf):
        frame, path = frames.get(link), find(name, folder, places)
        if frame is None:  # not in the part that the layout selects
            continue
        if path is None:
            missing.append((name, "is not found"))
            continue
        try:
            points, triangles = read(path)
        except (Unreadable, OSError) as error:
            missing.append((name, str(error)))
            continue
        points = [tuple(x * s for x, s in zip(p, scale)) for p in points]
        if max(abs(x) for p in points for x in p) > FARTHEST:
            missing.append((name, f"has a point farther than {FARTHEST:g} m away"))
            continue
        at = [[*row, x] for row, x in zip(frame["R"], frame["p"])] + [[0.0, 0.0, 0.0, 1.0]]
        at = multiply(at, pose)
        read_ones.append((frame["body"], [moved(at, p) for p in points], triangles))
    return read_ones, missing


def made_small(read_ones, most=MOST_TRIANGLES):
    """Meshes of `whole_robot` for a page, at most so many triangles."""
    whole = sum(len(triangles) for _, _, triangles in read_ones)
    found = []
    for body, points, triangles in read_ones:
        share = len(triangles) if whole <= most else max(FEWEST, int(most * len(triangles) / whole))
        points, triangles = decimated(points, triangles, share)
        if triangles:
            found.append(packed(body, points, triangles))
    return found


def of_robot(description, urdf, search=(), most=MOST_TRIANGLES):
    """Meshes of a robot for its page, and what was not found or read, as `whole_robot` tells it."""
    read_ones, missing = whole_robot(description, urdf, search)
    return made_small(read_ones, most), missing


def told(missing):
    """A line for people, or None."""
    if not missing:
        return None
    names = ", ".join(f"{name} {why}" for name, why in missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    return f"{len(missing)} mesh{'es' if len(missing) > 1 else ''} left out, capsules stand for them: {names}; --meshes FOLDER names where packages are"

# SPDX-License-Identifier: MIT
"""sketch.py: a still drawing of a run as SVG: the robot at its start and its end, and the path of the tool."""
import math

IDENTITY = {"p": [0, 0, 0], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}


def rotate(R, v):
    return [r[0] * v[0] + r[1] * v[1] + r[2] * v[2] for r in R]


def place(pose, v):
    return [a + b for a, b in zip(pose["p"], rotate(pose["R"], v))]


def product(a, b):
    return {"p": place(a, b["p"]), "R": [[sum(a["R"][i][k] * b["R"][k][j] for k in range(3)) for j in range(3)] for i in range(3)]}


def turn(axis, angle):
    x, y, z = axis
    s, c = math.sin(angle), math.cos(angle)
    k = 1 - c
    return [[c + k * x * x, k * x * y - s * z, k * x * z + s * y], [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, c + k * z * z]]


def forward(robot, q, base):
    """Poses of the bodies in the world, by the names of their links."""
    poses = {robot["base"]["link"]: base}
    for body in robot["bodies"]:
        at = product(poses[body["parent"]], body)
        x = body["multiplier"] * q[body["index"]] + body["offset"]
        motion = dict(IDENTITY)
        if body.get("type") == "prismatic":
            motion["p"] = [a * x for a in body["axis"]]
        else:
            motion["R"] = turn(body["axis"], x)
        poses[body["link"]] = product(at, motion)
    return poses


def lines(robot, poses):
    """Lines from each body's joint to those that it carries, or to its farthest frame."""
    found = []
    for link in [robot["base"]["link"]] + [body["link"] for body in robot["bodies"]]:
        ends = [poses[b["link"]]["p"] for b in robot["bodies"] if b["parent"] == link]
        if not ends:
            tips = [f["p"] for f in robot["frames"] if f["body"] == link] or [[0, 0, 0]]
            ends = [place(poses[link], max(tips, key=lambda p: math.hypot(*p)))]
        found += [[poses[link]["p"], end] for end in ends]
    return found


def moved(run, k, at):
    """The pose of a base that moves, in row k; of another, `at`."""
    p, v = ([run.values(f"base.{part}_{c}") for c in "xyz"] for part in ("p", "turn"))
    if any(c is None for c in p):
        return at
    p, v = ([c[k] if c is not None and math.isfinite(c[k]) else 0.0 for c in columns] for columns in (p, v))
    angle = math.hypot(*v)
    return {"p": p, "R": turn([x / angle for x in v], angle) if angle > 0 else IDENTITY["R"]}


def vehicle(robot):
    """The edge of a base that carries no joint, as lines: see kinematics.js."""
    radius = (2 * (robot["base"].get("mass") or 50) / (math.pi * 500)) ** (1 / 3)
    edge = [[radius * math.cos(k * math.pi / 8), radius * math.sin(k * math.pi / 8), 0] for k in range(17)]
    return [*zip(edge, edge[1:]), ([0, 0, 0], edge[0])]


def project(p):
    """Parallel projection from ahead, the left and above."""
    a, e = 0.9, 0.35
    right = -math.sin(a) * p[0] + math.cos(a) * p[1]
    up = -math.sin(e) * (math.cos(a) * p[0] + math.sin(a) * p[1]) + math.cos(e) * p[2]
    return right, -up


def draw(run, width=480, height=300):
    """SVG, or "" if there is nothing to draw."""
    robots, count = [], len(run.times)
    base = run.about.get("base", IDENTITY)
    if run.robot is not None:
        columns = [run.values("q." + joint) for joint in run.joints()]
        for k in (0, count - 1):
            q = [c[k] if c is not None and math.isfinite(c[k]) else 0.0 for c in columns]
            at = moved(run, k, base)
            robots.append(lines(run.robot, forward(run.robot, q, at)) if run.robot["bodies"] else [[place(at, a), place(at, b)] for a, b in vehicle(run.robot)])
    tool = [run.values("tool.p_" + c) for c in "xyz"]
    if any(c is None for c in tool):
        tool = [run.values("base.p_" + c) for c in "xyz"]
    path = []
    if all(c is not None for c in tool):
        step = max(1, count // 300)
        path = [[c[k] for c in tool] for k in list(range(0, count, step)) + [count - 1]]
        path = [p for p in path if all(math.isfinite(x) and abs(x) < 1e6 for x in p)]
    points = [project(p) for robot in robots for line in robot for p in line] + [project(p) for p in path]
    if len(points) < 2:
        return ""
    low = [min(p[i] for p in points) for i in (0, 1)]
    high = [max(p[i] for p in points) for i in (0, 1)]
    scale = min((width - 60) / max(high[0] - low[0], 1e-3), (height - 60) / max(high[1] - low[1], 1e-3))

    def text(p):
        x, y = project(p)
        return f"{(x - (low[0] + high[0]) / 2) * scale + width / 2:.1f},{(y - (low[1] + high[1]) / 2) * scale + height / 2:.1f}"

    parts = [f'<svg class="sketch" viewBox="0 0 {width} {height}" role="img" aria-label="the robot at its start and its end, and the path of the tool">']
    for robot, (opacity, wide) in zip(robots, ((0.35, 5), (1, 7))):
        drawn = "".join(f'<path d="M{text(a)}L{text(b)}"/>' for a, b in robot)
        parts.append(f'<g class="robot" stroke-opacity="{opacity}" stroke-width="{wide}">{drawn}</g>')
    if len(path) > 1:
        parts.append(f'<path class="path" stroke-width="2" d="M{"L".join(text(p) for p in path)}"/>')
    return "".join(parts) + "</svg>"

# SPDX-License-Identifier: MIT
"""loop_table.py ACHDGEN SOURCE_DIR CC: --loop. The ranges of the table against inertias and weights of random configurations by --eval, on all
arms of robots/ and on the UR5e of docs/examples/arm; the header compiles beside the functions; what the loop cannot have is refused by name, with
its line; limits of joints that follow others; --init loop, task and machine."""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

achdgen, top, cc = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
os.chdir(tempfile.mkdtemp())
random.seed(37)
failures = 0
sweep = "ACHD_SWEEP" in os.environ

# youbot_arm has joints that turn only; the sliding ones are in `lift` below.
ARMS = {name: top / f"robots/{name}.urdf" for name in (
    "arm1dof", "gen3", "gen3_6dof", "iiwa7", "lwr4", "panda", "puma560", "youbot_arm", "two_arms")}
ARMS["ur5e"] = top / "docs/examples/arm/ur5e.urdf"


def check(what, good, said=""):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what, said)


def run(*command, **options):
    return subprocess.run([achdgen, *map(str, command)], capture_output=True, text=True, **options)


def inverse_diagonal(m):
    """Of a symmetric positive definite matrix."""
    n = len(m)
    a = [row[:] + [float(i == j) for j in range(n)] for i, row in enumerate(m)]
    for i in range(n):
        a[i] = [x / a[i][i] for x in a[i]]
        for k in range(n):
            if k != i and a[k][i] != 0:
                a[k] = [x - a[k][i] * y for x, y in zip(a[k], a[i])]
    return [a[i][n + i] for i in range(n)]


LINE = re.compile(r"^ +(\S+) \(\S+:(\d+)\): inertia (\S+) to (\S+) kg(?: m\^2)?, weight (\S+) of (\S+) N", re.M)


def table(text):
    """{joint: (line, least, most, weight, effort)}"""
    return {g[0]: (int(g[1]), *map(float, g[2:])) for g in LINE.findall(text)}


def sampled(robot, layout, joints, count):
    """Least 1 / (M^-1)_jj, largest M_jj and |g_j| of random configurations within the limits."""
    states = []
    for _ in range(count):
        states.append(" ".join(repr(random.uniform(low, high)) for low, high in joints))
    text = "\n".join(states) + "\n"
    inertias = run(robot, "--layout", layout, "-q", "--functions", "crba", "--eval", input=text).stdout.splitlines()
    weights = run(robot, "--layout", layout, "-q", "--functions", "gravity", "--eval", input=text).stdout.splitlines()
    n = len(joints)
    least, most, weight = [1e300] * n, [0.0] * n, [0.0] * n
    for m_line, g_line in zip(inertias, weights):
        packed, g = [float(x) for x in m_line.split()[:-1]], [float(x) for x in g_line.split()[:-1]]
        m = [[packed[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]
        for j, x in enumerate(inverse_diagonal(m)):
            least[j], most[j], weight[j] = min(least[j], 1 / x), max(most[j], m[j][j]), max(weight[j], abs(g[j]))
    return least, most, weight


def limits_of(text):
    """The ranges that the inertias were looked for over: those of the table's joints, at most one turn."""
    half = 3.141592653589793
    ranges = []
    for low, high in re.findall(r"^  \{\{(\S+), (\S+), ", text, re.M):
        if "INFINITY" in low:
            ranges.append((-half, half))
        else:
            low, high = float(low.replace("(achd_real)", "")), float(high.replace("(achd_real)", ""))
            ranges.append((low, min(high, low + 2 * half)))
    return ranges


def try_arm(name, robot, layout_text):
    pathlib.Path("arm.lua").write_text(layout_text, encoding="utf-8")
    made = run(robot, "--layout", "arm.lua", "-q", "--loop")
    check(f"{name}: --loop", made.returncode == 0, made.stderr)
    if made.returncode:
        return None
    text = pathlib.Path("arm_loop.h").read_text(encoding="utf-8")
    told = table(text)
    ranges = limits_of(text)
    check(f"{name}: a line for every joint", len(told) == len(ranges) > 0)
    found = sampled(robot, "arm.lua", ranges, 2000 if sweep else 40)
    for j, (joint, (_, least, most, weight, _)) in enumerate(told.items()):
        # The table has four digits, and may not be beaten; few random configurations come near it where few joints matter.
        check(f"{name}, {joint}: least inertia {least}", least <= found[0][j] * 1.001, found[0][j])
        check(f"{name}, {joint}: largest inertia {most}", most >= found[1][j] * 0.999, found[1][j])
        check(f"{name}, {joint}: weight {weight}", weight >= found[2][j] * 0.999 - 1e-8, found[2][j])
        check(f"{name}, {joint}: largest inertia is reached", most <= 1.6 * found[1][j], (most, found[1][j]))
        check(f"{name}, {joint}: weight is reached", weight <= 1.8 * found[2][j] + 1e-3, (weight, found[2][j]))
    return text


def compiles(name, robot):
    made = run(robot, "--layout", "arm.lua", "-q", "--no-prove", "--mode", "inline", "--functions", "achd,fk,fvk,gravity,fd,crba")
    check(f"{name}: functions beside it", made.returncode == 0, made.stderr)
    pathlib.Path("use.c").write_text(
        '#include "arm_loop.h"\nint use(achd_loop_setup *s);\n'
        "int use(achd_loop_setup *s) { arm_loop_fill(s); return s->robot->njoints; }\n", encoding="utf-8")
    flags = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wshadow", "-Wconversion", "-fsyntax-only", "-I.", f"-I{top}/runtime"]
    said = subprocess.run([cc, "-std=c11", *flags, "use.c"], capture_output=True, text=True)
    check(f"{name}: compiles as C", said.returncode == 0, said.stderr)
    said = subprocess.run([cc, "-x", "c++", "-std=c++17", *flags, "use.c"], capture_output=True, text=True)
    check(f"{name}: compiles as C++", said.returncode == 0, said.stderr)


def init(robot, what="loop"):
    return run(robot, "--init", what, "-q").stdout


# One in three of the arms, other ones after the scripts and the search have changed; all with ACHD_SAMPLE=all or ACHD_SWEEP=1.
whole = sweep or os.environ.get("ACHD_SAMPLE") == "all"
turn = sum(b"".join((top / "generator" / f).read_bytes() for f in ("tables/loop_range.c", "lua/layout/loop_table.lua")))
for number, (name, robot) in enumerate(ARMS.items()):
    if not whole and name != "ur5e" and (number + turn) % 3 != 0:
        continue
    try_arm(name, robot, init(robot))
    if name == "ur5e":
        compiles(name, robot)

# The arm1dof is a rod of 1 m and 1 kg: a third at its end, wherever it is, and no weight where gravity is along its axis.
try_arm("arm1dof", ARMS["arm1dof"], init(ARMS["arm1dof"]))
check("arm1dof: a rod", list(table(pathlib.Path("arm_loop.h").read_text(encoding="utf-8")).values())[0][1:4] == (0.3333, 0.3333, 0.0))

# A torso that slides, an arm of two joints on it, a joint that follows the last one and narrows its limits.
LIFT = """<robot name="lift">
<link name="base"/>
<joint name="lift" type="prismatic"><parent link="base"/><child link="torso"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="900" velocity="0.1"/></joint>
<link name="torso"><inertial><mass value="20"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="swing" type="continuous"><parent link="torso"/><child link="upper"/><axis xyz="0 1 0"/><limit effort="80" velocity="2"/></joint>
<link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="4"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="30" velocity="2"/></joint>
<link name="lower"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="finger" type="prismatic"><parent link="lower"/><child link="jaw"/><origin xyz="0.2 0 0"/><axis xyz="0 0 1"/><limit lower="-0.05" upper="0.01" effort="5" velocity="0.05"/><mimic joint="elbow" multiplier="-0.05" offset="0.005"/></joint>
<link name="jaw"><inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
</robot>
"""
LAYOUT = """return { name = "arm", gravity = { 0, 0, -9.81 }, saturate = true, torques = { artificial = true },
wrenches = { { name = "push", frame = "lower", kind = "physical" },
{ name = "press", frame = "lower", kind = "artificial" } },
groups = { { name = "tool", frame = "lower", axes = "input", maskable = true } },
outputs = { "qdd", "tau_ctrl", pose = { "lower" }, twist = { "lower" } }
}
"""
pathlib.Path("lift.urdf").write_text(LIFT, encoding="utf-8")
made = try_arm("lift", "lift.urdf", LAYOUT)
compiles("lift", "lift.urdf")
check("lift: what slides has kg and N", "lift (lift.urdf:3): inertia 21.11 to 26.1 kg" in made and "weight 256 of 900 N\n" in made, made[:3000])
check("lift: N/m and N s/m", "lift, N/m */" in made and "lift, N s/m */" in made)
check("lift: turns without limits", "swing (lift.urdf:5)" in made and "turns without limits" in made)
# finger = -0.05 elbow + 0.005 within -0.05 and 0.01 and 0.05 m/s: elbow within -0.1 and 1.1, 1 rad/s
check("lift: the follower's limits", "{{(achd_real)-0.1, (achd_real)1.1, (achd_real)1}" in made, made)
check("lift: and whose they are", "velocity of finger, which follows" in made)


def refused(what, urdf, layout, where, words):
    pathlib.Path("bad.urdf").write_text(urdf, encoding="utf-8")
    pathlib.Path("bad.lua").write_text(layout, encoding="utf-8")
    pathlib.Path("arm_loop.h").unlink(missing_ok=True)
    said = run("bad.urdf", "--layout", "bad.lua", "-q", "--loop")
    check(f"{what}: refused", said.returncode == 1 and said.stderr.startswith(f"{where}: error:"), said.stderr)
    check(f"{what}: by name", all(word in said.stderr for word in words), said.stderr)
    check(f"{what}: nothing is written", not os.path.exists("arm_loop.h"))


def without(text, old, new):
    assert text.count(old) == 1, old
    return text.replace(old, new)


refused("no effort", without(LIFT, 'effort="80" velocity="2"', 'velocity="2"'), LAYOUT, "bad.urdf:5", ['"swing"', "effort = { swing"])
refused("no velocity", without(LIFT, 'effort="80" velocity="2"', 'effort="80"'), LAYOUT, "bad.urdf:5", ['"swing"', "joint_limits"])
refused("too heavy", without(LIFT, 'effort="900"', 'effort="200"'), LAYOUT, "bad.urdf:3", ['"lift"', "256", "200"])
refused("limits that exclude each other", without(LIFT, 'lower="-0.05" upper="0.01"', 'lower="0.2" upper="0.3"'), LAYOUT, "bad.urdf:7", ['"elbow"'])
refused("slides for ever", without(LIFT, ' lower="0" upper="0.4"', ""), LAYOUT, "bad.urdf:3", ['"lift"'])
refused("motors that move several joints", LIFT, without(LAYOUT, 'name = "arm",', 'name = "arm", motors = { a = { effort = 1 } }, '
        'transmissions = { { motors = { "a", "b" }, joints = { "swing", "elbow" }, differential = {} } },'), "bad.lua:1", ['"swing"', "joint by joint"])
refused("a moving base", LIFT, without(LAYOUT, 'name = "arm",', 'name = "arm", base = "planar",'), "bad.lua:1", ["planar"])
refused("a floating base of the file", without(LIFT, '<link name="base"/>', '<link name="base"/><joint name="free" type="floating">'
        '<parent link="base"/><child link="hull"/></joint><link name="hull"><inertial><mass value="5"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>')
        .replace('<parent link="base"/><child link="torso"/>', '<parent link="hull"/><child link="torso"/>'),
        without(LAYOUT, 'name = "arm",', 'name = "arm", base = "floating",'), "bad.urdf:2", ["floating"])
refused("rotors at run time", LIFT, without(LAYOUT, 'name = "arm",', 'name = "arm", armature = "input",'), "bad.lua:1", ['"armature"'])
refused("no artificial torques", LIFT, without(LAYOUT, "torques = { artificial = true }", "torques = { physical = true }"), "bad.lua:1", ["artificial"])
refused("axes of the base", LIFT, without(LAYOUT, 'axes = "input", ', ""), "bad.lua:4", ['"tool"', 'axes = "input"'])
refused("no masks", LIFT, without(LAYOUT, ", maskable = true", ""), "bad.lua:4", ['"tool"', "maskable"])
refused("no press", LIFT, without(LAYOUT, '{ name = "press", frame = "lower", kind = "artificial" }', ""), "bad.lua:2", ["artificial", '"press"'])
refused("push elsewhere", LIFT, without(LAYOUT, 'name = "push", frame = "lower"', 'name = "push", frame = "upper"'), "bad.lua:2", ['"push"', '"lower"'])
refused("no pose", LIFT, without(LAYOUT, 'pose = { "lower" }', 'pose = { "upper" }'), "bad.lua:5", ["pose", '"lower"'])
refused("no torques", LIFT, without(LAYOUT, '"tau_ctrl", ', ""), "bad.lua:5", ['"tau_ctrl"'])
refused("bounded rows", LIFT, without(without(LAYOUT, "saturate = true, ", ""), 'name = "arm",', 'name = "arm", friction = { swing = 1 },'), "bad.lua:4", ["bounds"])
refused("a passive joint", LIFT, without(LAYOUT, 'name = "arm",', 'name = "arm", passive = { "swing" },'), "bad.urdf:5", ['"swing"', "passive"])
refused("inertias at run time", LIFT, without(LAYOUT, 'name = "arm",', 'name = "arm", inertia_inputs = { "lower" },'), "bad.lua:1", ["payload"])

# Gravity that comes at run time is that of a level table, which the file says: the same weights.
level = try_arm("level", "lift.urdf", LAYOUT)
pathlib.Path("arm.lua").write_text(without(LAYOUT, "gravity = { 0, 0, -9.81 }, ", ""), encoding="utf-8")
said = run("lift.urdf", "--layout", "arm.lua", "-q", "--loop")
given = pathlib.Path("arm_loop.h").read_text(encoding="utf-8")
check("gravity at run time: the same table", said.returncode == 0 and len(table(level)) == 3 and table(given) == table(level), given[:3000])
check("gravity at run time: said", "gravity as an input: it is 0 0 -9.81" in given and "as an input" not in level)
compiles("gravity at run time", "lift.urdf")

# A load that comes at run time: its type, and the header compiles.
pathlib.Path("arm.lua").write_text(without(LAYOUT, 'name = "arm",', 'name = "arm", payload = { { name = "box", frame = "lower", mass = "input", com = "input", '
                                           'inertia = "input" }, { name = "can", frame = "lower", mass = "input" } },'), encoding="utf-8")
said = run("lift.urdf", "--layout", "arm.lua", "-q", "--loop", "--depfile", "rule")
check("loads", said.returncode == 0 and "arm_loop_carried" in pathlib.Path("arm_loop.h").read_text(encoding="utf-8"), said.stderr)
check("--depfile", pathlib.Path("rule").read_text(encoding="utf-8").startswith("arm_loop.h:"))
compiles("loads", "lift.urdf")

# Slow stops are warned of: a Gen3 without rotors, whose first and third axes can coincide.
pathlib.Path("arm.lua").write_text(init(ARMS["gen3"]), encoding="utf-8")
said = run(ARMS["gen3"], "--layout", "arm.lua", "--loop")
check("a slow stop", 'gen3.urdf:21: warning: joint "joint_1" may stop slowly' in said.stderr and "armature" in said.stderr, said.stderr)
said = run(ARMS["gen3"], "--layout", "arm.lua", "--loop", "-Werror")
check("-Werror", said.returncode == 1)

# What is printed to begin with is accepted, for every arm.
for what, option in (("task", "--task"), ("machine", "--machine")):
    pathlib.Path(what + ".lua").write_text(init(ARMS["ur5e"], what), encoding="utf-8")
    said = run(option, what + ".lua", "-Werror")
    check(f"--init {what}", said.returncode == 0, said.stderr)
check("--init of something else", 'did you mean "task"' in run(ARMS["ur5e"], "--init=tsk").stderr)
for option in (("--functions", "achd"), ("--batch", "4"), ("--no-prove",)):
    check(f"--loop {option[0]}", run(ARMS["ur5e"], "--loop", *option).returncode == 1)

print("FAILED" if failures else "passed")
sys.exit(failures > 0)

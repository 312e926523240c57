# SPDX-License-Identifier: MIT
"""tests/numbers/root_acceleration.py ACHDGEN SOURCE_DIR: a fixed base that is given an acceleration, linear and angular.

The same robot on a floating base that six physical rows, or inverse dynamics, give this acceleration moves alike: rows, torques and frames; by
a linear acceleration less gravity, too. Functions undo each other, derivatives are differences; --check and --prove know it.
"""
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/program"))
from checks import check, columns, evaluated, finish, run, write  # noqa: E402

ARM = os.path.join(top, "robots/gen3.urdf")
PARTS = ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"]
COMMON = 'torques = { physical = true, artificial = true }, outputs = { "qdd", "nu", "tau_ctrl", acc = { "tool_frame", "forearm_link" } },'
TOOL = '{ name = "tool", frame = "tool_frame", kind = KIND, acceleration = "ACC", axes = "link" },'
FIXED = "return { root_acceleration = \"input\", COMMON groups = { TOOL } }"
FLOATING = """return {
  base = "floating", realise = "motors", COMMON
  groups = { { name = "carried", frame = "base_link", kind = "physical" }, TOOL },
}"""
random.seed(7)
os.chdir(tempfile.mkdtemp())


def layout(name, text, kind="artificial", acceleration="classical"):
    tool = TOOL.replace("KIND", f'"{kind}"').replace("ACC", acceleration)
    write(name, text.replace("COMMON", COMMON).replace("TOOL", tool))
    return name


def ask(name, function, states):
    command = [achdgen, ARM, "--layout", name, "--functions", function, "--eval", function]
    command = [achdgen, ARM, "--layout", name, "--functions", function]
    return evaluated(function, command, columns(function, command), states)


def anything(names, size):
    return {name: random.uniform(-size, size) for name in names}


JOINTS = [f"joint_{k}" for k in range(1, 8)]


def state():
    s = anything([f"q.{j}" for j in JOINTS], 3) | anything([f"qd.{j}" for j in JOINTS], 2) | anything([f"gravity.{k}" for k in "xyz"], 10)
    return s | anything([f"root_acc.{p}" for p in PARTS], 5)


def floating(s, row):
    """The same state, whose base rows ("b.carried") or inverse dynamics ("base.acc") accelerate."""
    return s | {"base.quat.w": 1} | {f"{row}.{p}": s[f"root_acc.{p}"] for p in PARTS}


def apart(first, second, names):
    return max(abs(a[name] - b[name]) / (1 + abs(a[name])) for a, b in zip(first, second) for name in names)


def same(title, first, second, words):
    names = [name for name in first[0] if name.split(".")[0] in words and name in second[0]]
    worst = apart(first, second, names)
    check(f"{title}: {worst:.1e}", len(names) >= 7 and worst <= 1e-9)


for kind in ("artificial", "physical"):
    for acceleration in ("classical", "spatial", "rate"):
        states = [state() | anything([f"{t}.{j}" for t in ("tau_phys", "tau_art") for j in JOINTS], 5) |
                  anything([f"b.tool.{p}" for p in PARTS], 3) for _ in range(20)]
        own = ask(layout("fixed.lua", FIXED, kind, acceleration), "achd", states)
        other = ask(layout("floating.lua", FLOATING, kind, acceleration), "achd", [floating(s, "b.carried") for s in states])
        good = [(a, b) for a, b in zip(own, other) if a["status"] == b["status"] == 0]
        check(f"rows, {kind}, {acceleration}: most are regular", len(good) >= 10, f"{len(good)}")
        same(f"rows, {kind}, {acceleration}", [a for a, _ in good], [b for _, b in good], ("qdd", "tau_ctrl", "acc"))
        for p in PARTS:
            same_nu = max(abs(a[f"nu.tool.{p}"] - b[f"nu.tool.{p}"]) / (1 + abs(a[f"nu.tool.{p}"])) for a, b in good)
            check(f"nu, {kind}, {acceleration}, {p}: {same_nu:.1e}", same_nu <= 1e-8)

states = [state() | anything([f"qdd.{j}" for j in JOINTS], 5) for _ in range(20)]
own, other = ask("fixed.lua", "id", states), ask("floating.lua", "id", [floating(s, "base.acc") for s in states])
same("inverse dynamics", own, other, ("tau",))
same("frames", ask("fixed.lua", "fak", states), ask("floating.lua", "fak", [floating(s, "base.acc") for s in states]), ("acc",))
back = ask("fixed.lua", "fd", [s | {f"tau.{j}": x[f"tau.{j}"] for j in JOINTS} for s, x in zip(states, own)])
check("forward dynamics undoes it", max(abs(b[f"qdd.{j}"] - s[f"qdd.{j}"]) for s, b in zip(states, back) for j in JOINTS) <= 1e-8)
still = [{key: value for key, value in s.items() if not key.startswith("qd")} for s in states]
same("gravity holds still", ask("fixed.lua", "gravity", still), ask("fixed.lua", "id", still), ("tau",))
lifted = [s | {f"root_acc.{p}": 0 for p in PARTS[3:]} for s in states]
less = [s | {f"gravity.{k}": s[f"gravity.{k}"] - s[f"root_acc.lin_{k}"] for k in "xyz"} | {f"root_acc.{p}": 0 for p in PARTS} for s in states]
same("a line is gravity less it", ask("fixed.lua", "id", lifted), ask("fixed.lua", "id", less), ("tau",))

# Derivatives of inverse dynamics at a constant acceleration of the base: central differences of id.
STEP, s = 1e-5, states[0]
given = ask("fixed.lua", "did", [s])[0]
moved = ask("fixed.lua", "id", [s | {f"q.{j}": s[f"q.{j}"] + d} for j in JOINTS for d in (-STEP, STEP)])
for j, less, more in zip(JOINTS, moved[::2], moved[1::2]):
    wrong = max(abs((more[f"tau.{i}"] - less[f"tau.{i}"]) / (2 * STEP) - given[f"dtau_dq.{i}.{j}"]) for i in JOINTS)
    check(f"derivative by {j}: {wrong:.1e}", wrong <= 1e-6)

# Operational space: forces Lambda x'' + mu + p of the rows, as torques J^T F, move the rows with x'' as the world sees them.
write("osim.lua", 'return { root_acceleration = "input", torques = { physical = true }, groups = { { name = "tool", frame = "tool_frame", '
      'kind = "physical", acceleration = "spatial", rows = { "lin_x", "lin_z", "ang_y" } } } }')
ROWS = ["lin_x", "lin_z", "ang_y"]
space = ask("osim.lua", "osim", states)
still = [s | {f"tau_phys.{j}": 0 for j in JOINTS} | {f"b.tool.{r}": 0 for r in ROWS} for s in states]
held = ask("osim.lua", "achd", still)
worst = max(abs(o[f"mu.tool.{r}"] + o[f"p.tool.{r}"] - h[f"nu.tool.{r}"]) / (1 + abs(h[f"nu.tool.{r}"]))
            for o, h in zip(space, held) if o["status"] == h["status"] == 0 for r in ROWS)
check(f"mu + p is the force at x'' = 0: {worst:.1e}", worst <= 1e-9)

small = os.path.join(top, "robots/youbot_arm.urdf")
write("arm.lua", 'return { root_acceleration = "input", groups = { { name = "tool", frame = "arm_link_5", rows = { "lin_x", "ang_z" } } } }')
write("bounded.lua", 'return { root_acceleration = "input", limits = { margin = 0.1 }, '
      'groups = { { name = "tool", frame = "arm_link_5", rows = { "lin_x" } } } }')
write("optimum.lua", 'return { root_acceleration = "input", realise = "optimum", '
      'groups = { { name = "tool", frame = "arm_link_5", rows = { "lin_x" } } } }')
for name, functions in (("arm", "all"), ("bounded", "mclp,dmclp"), ("optimum", "qp")):
    proof = run(achdgen, small, "--layout", f"{name}.lua", "--functions", functions, "--prove", "1")
    check(f"{name}: proven", proof.returncode == 0 and " 0 not identical" in proof.stdout, proof.stdout + proof.stderr)
    checked = run(achdgen, small, "--layout", f"{name}.lua", "--functions", functions, "--check", "2")
    check(f"{name}: checked", checked.returncode == 0, checked.stdout + checked.stderr)

casadi = run(achdgen, small, "--layout", "arm.lua", "--functions", "all", "--casadi", "-o", "casadi.c", "-q")
with open("casadi.c", encoding="utf-8") as text:
    check("CasADi has it", casadi.returncode == 0 and "root_acc" in text.read(), casadi.stderr)
write("moves.lua", 'return { root_acceleration = "input", base = "floating" }')
said = run(achdgen, small, "--layout", "moves.lua", "-o", "made.h")
check("a base that moves", said.returncode == 1 and "moves.lua:1: error: the acceleration of a base that moves is a result" in said.stderr, said.stderr)
finish()

# SPDX-License-Identifier: MIT
"""tests/numbers/gears_mujoco.py ACHDGEN GEARS_MUJOCO SOURCE_DIR: motors that are not joints, beside MuJoCo.

A Gen3 whose motors pull at fixed tendons in MuJoCo, with the ratios of a reduction, a differential and a belt as coefficients, moves as `id` was
asked to, under its tau_motor; the motors' power is that of the joints. Rotors that do not couple joints are armatures there (MuJoCo 2.2 has none that do).
"""
import os
import random
import re
import sys
import tempfile

achdgen, mujoco, top = (os.path.abspath(path) for path in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/program"))
from checks import check, columns, evaluated, finish, run, write  # noqa: E402

random.seed(5)
os.chdir(tempfile.mkdtemp())
ARM = os.path.join(top, "robots/gen3.urdf")
JOINTS = [f"joint_{k}" for k in range(1, 8)]
GEARS = {"a": {1: 100}, "joint_2": {2: 1}, "u": {3: 20}, "d": {3: -7, 4: 30}, "joint_5": {5: 1}, "l": {6: 100, 7: 50}, "r": {6: 100, 7: -50}}
LAYOUT = """return { groups = {}, gravity = { 0, 0, -9.81 }, outputs = { "qdd", "tau_ctrl", "tau_motor" },
  transmissions = {
    { motor = "a", joint = "joint_1", ratio = 100 },
    { motors = { "u", "d" }, joints = { "joint_3", "joint_4" }, matrix = { { 20, 0 }, { -7, 30 } } },
    { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = { motors = { 50, 50 }, joints = { 2, 1 } } },
  },
  motors = { a = { inertia = 1e-4 }, l = { inertia = 2e-5 }, r = { inertia = 2e-5 }, joint_5 = { inertia = 0.2 } } }"""
write("arm.lua", LAYOUT)
made = run(achdgen, ARM, "--layout", "arm.lua", "--mjcf", "arm.xml", "--snap", "0")
check("model", made.returncode == 0 and "couple" not in made.stderr, made.stderr)
with open("arm.xml", encoding="utf-8") as file:
    model = re.sub(r"(?s)<(actuator|sensor|keyframe)>.*?</\1>", "", file.read())
tendons = "".join(f'<fixed name="{m}">' + "".join(f'<joint joint="joint_{k}" coef="{x}"/>' for k, x in g.items()) + "</fixed>" for m, g in GEARS.items())
motors = "".join(f'<motor name="{m}" tendon="{m}" gear="1"/>' for m in GEARS)
write("arm.xml", model.replace("</mujoco>", f"<tendon>{tendons}</tendon><actuator>{motors}</actuator></mujoco>"))

command = [achdgen, ARM, "--layout", "arm.lua", "--snap", "0", "--functions", "id"]
states = [{f"{word}.{j}": random.uniform(-2, 2) for word in ("q", "qd", "qdd") for j in JOINTS} for _ in range(40)]
answers = evaluated("id", command, columns("id", command), states)
lines = "".join(" ".join([repr(s[f"{word}.{j}"]) for word in ("q", "qd") for j in JOINTS] + [repr(a[f"tau_motor.{m}"]) for m in GEARS]) + "\n"
                for s, a in zip(states, answers))
said = run(mujoco, "arm.xml", text=lines)
check("MuJoCo reads it", said.returncode == 0 and len(said.stdout.splitlines()) == len(states), said.stderr)
worst = 0
for s, a, line in zip(states, answers, said.stdout.splitlines()):
    qacc, power = [float(x) for x in line.split()[:7]], float(line.split()[7])
    wanted = [s[f"qdd.{j}"] for j in JOINTS]
    off = max(abs(x - y) for x, y in zip(qacc, wanted))
    worst = max(worst, off)
    check("MuJoCo moves the arm so", off < 1e-7, (qacc, wanted))
    terms = [a[f"tau.{j}"] * s[f"qd.{j}"] for j in JOINTS]
    check("power of motors is that of joints", abs(power - sum(terms)) <= 1e-12 * sum(map(abs, terms)), (power, sum(terms)))
print(f"accelerations differ by {worst:.1e} rad/s^2 at most")
finish()

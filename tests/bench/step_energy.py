# SPDX-License-Identifier: MIT
"""tests/bench/step_energy.py ACHDGEN SOURCE_DIR PICTURE.svg: the energy of a double pendulum that swings without friction, by each integrator of a step, drawn over
time, and the largest error of each at two periods.
"""
import os
import subprocess
import sys
import tempfile

achdgen, top, picture = (os.path.abspath(path) for path in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/numbers"))
from step_oracle import Body, Robot  # noqa: E402

SECONDS = 10
PROGRAM = """#define R_IMPLEMENTATION
#include "r.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  r_step_in in = {.q = {1.5, 0.3}, .time_step = argc > 1 ? atof(argv[1]) : 0};
  r_step_out out;
  r_energy_in at = {.q = {0}};
  r_energy_out energy;
  const long steps = (long)(%d / in.time_step + 0.5);
  for (long k = 0; k <= steps; k++) {
    memcpy(at.q, in.q, sizeof in.q);
    memcpy(at.qd, in.qd, sizeof in.qd);
    if (r_energy(&at, &energy) || r_step(&in, &out)) return 1;
    printf("%%.9g %%.9g\\n", (double)k * in.time_step, energy.kinetic + energy.potential);
    memcpy(in.q, out.q_next, sizeof in.q);
    memcpy(in.qd, out.qd_next, sizeof in.qd);
  }
  return 0;
}
""" % SECONDS
COLOURS = {"semi_implicit": "#d55e00", "implicit_midpoint": "#0072b2", "rk4": "#009e73"}


def energies(integrator, periods):
    """[(time, change of energy)] by period."""
    rod = Body(-1, [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], 1.0, [0.0, 0.0, -0.25], [0.02, 0.02, 0.001])
    robot = Robot([rod, Body(0, [0.0, 1.0, 0.0], [0.0, 0.0, -0.5], 1.0, [0.0, 0.0, -0.25], [0.02, 0.02, 0.001])])
    with open("r.urdf", "w", encoding="utf-8") as file:
        file.write(robot.urdf())
    with open("r.lua", "w", encoding="utf-8") as file:
        file.write(f'return {{ name = "r", groups = {{}}, gravity = {{ 0, 0, -9.81 }}, step = {{ integrator = "{integrator}" }} }}\n')
    with open("r.c", "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    subprocess.run([achdgen, "r.urdf", "--layout", "r.lua", "--functions", "step,energy", "-q", "-o", "r.h"], check=True)
    subprocess.run(["cc", "-O1", "r.c", "-o", "r", "-lm"], check=True)
    curves = []
    for period in periods:
        lines = subprocess.run(["./r", repr(period)], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        points = [tuple(map(float, line.split())) for line in lines]
        curves.append([(t, e - points[0][1]) for t, e in points])
    return curves


def panel(text, curves, left, title, label):
    """One set of axes, 340 wide: curves {name: points}; label: where their names begin."""
    low = min(min(e for _, e in c) for c in curves.values())
    high = max(max(e for _, e in c) for c in curves.values())
    span = (high - low) or 1

    def place(t, e):
        return left + 330 * t / SECONDS, 230 - 190 * (e - low) / span

    text.append(f'<text x="{left}" y="22">{title}</text>')
    text.append(f'<path d="M{left} 40 V230 H{left + 330}" fill="none" stroke="#333"/>')
    for value in (low, 0.0, high):
        y = place(0, value)[1]
        text.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.2g}</text>')
    for t in range(0, SECONDS + 1, 2):
        text.append(f'<text x="{place(t, 0)[0]:.1f}" y="246" text-anchor="middle">{t}</text>')
    for k, (name, points) in enumerate(curves.items()):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in points[::max(1, len(points) // 600)]))
        text.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.2"/>')
        text.append(f'<text x="{left + 10}" y="{label + 14 * k}" fill="{COLOURS[name]}">{name}</text>')


def main():
    periods, all_ = (2e-3, 1e-3), {}
    os.chdir(tempfile.mkdtemp())
    for integrator in COLOURS:
        all_[integrator] = energies(integrator, periods)
        worst = [max(abs(e) for _, e in curve) for curve in all_[integrator]]
        print(f"{integrator}: largest error of the energy in {SECONDS} s: " + ", ".join(f"{w:.3g} J at {1e3 * h:g} ms" for w, h in zip(worst, periods)))
    text = ['<svg xmlns="http://www.w3.org/2000/svg" width="820" height="262" font-family="sans-serif" font-size="11">',
            '<rect width="100%" height="100%" fill="white"/>']
    panel(text, {k: x[0] for k, x in all_.items()}, 60, "change of the energy [J] over time [s], steps of 2 ms", 180)
    panel(text, {k: x[0] for k, x in all_.items() if k != "semi_implicit"}, 470, "the same without semi_implicit", 58)
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join([*text, "</svg>", ""]))


main()

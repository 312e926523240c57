# SPDX-License-Identifier: MIT
"""moving_test.py ACHDGEN SOURCE_DIR FOLDER REPORT: robots that move in their pages, in a headless Chromium. FOLDER has their pages, REPORT the modules
of achd-page."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
REPORT = os.path.abspath(sys.argv.pop())
FOLDER = os.path.abspath(sys.argv.pop())
TOP = os.path.abspath(sys.argv.pop())
ACHDGEN = os.path.abspath(sys.argv.pop())
sys.path.insert(0, REPORT)
import moving  # noqa: E402
import robot_pages  # noqa: E402
from browser import Browser  # noqa: E402

READY = "document.documentElement?.dataset.ready === 'yes'"
MOTION = "achdRobot.moving.motion"
MOST_SCRIPT = 8.0  # of a frame [ms]

# The steps of the page's C, natively: torques of 1000 steps as in JavaScript below; prints the state.
MAIN = r"""
#include <stdio.h>
int main(void) {
  for (int k = 0; k < 1000; k++) {
    for (int j = 0; j < N; j++) in.tau[j] = (k % 100 < 50 ? 1 : -1) * (j + 1) * 0.25;
    if (move_run()) return 1;
  }
  for (int j = 0; j < N; j++) printf("%.17g %.17g ", in.q[j], in.qd[j]);
  return 0;
}
"""


class Moving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(webgl=False)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def page(self, robot, motors=True):
        page = self.browser.open(f"file://{FOLDER}/{robot}.html", 1280, 1000)
        page.wait(READY)
        if not motors:
            page.run("document.getElementById('motors').click()")
        return page

    def pass_time(self, page, seconds):
        """Seconds of the robot's time, however long they take."""
        self.assertTrue(page.run(f"(() => {{ const end = {MOTION}.time + {seconds}; while ({MOTION}.time < end - 1e-9) if (!achdRobot.moving.go(0.01)) return false; return true; }})()"))

    def begin(self, page):
        page.run("achdRobot.moving.begin()")

    def quiet(self, page):
        self.assertEqual(page.said, [])

    def energy(self, page):
        return page.run(f"(() => {{ const out = achdRobot.functions.energy({{ ...achdRobot.values, ...{MOTION}.state() }}).values; return out.kinetic + out.potential; }})()")

    def test_a_pendulum_falls(self):
        """It swings, and its energy stays within what a step of first order makes of it."""
        page = self.page("pendulum", motors=False)
        self.begin(page)
        q, E, most, low, high = page.run(f"{MOTION}.q()[0]"), self.energy(page), 0.0, math.inf, -math.inf
        for _ in range(100):
            self.pass_time(page, 0.04)
            most = max(most, abs(self.energy(page) - E))
            now = page.run(f"{MOTION}.q()[0]")
            low, high = min(low, now), max(high, now)
        self.assertGreater(max(abs(low - q), abs(high - q)), 0.5)
        self.assertLess(most, 0.02 * (1 + abs(E)))
        print(f"a pendulum swings from {low:.2f} to {high:.2f} rad, its energy changes by {most:.2g} J of {E:.2g}")
        self.quiet(page)

    def test_layouts(self):
        """Gravity that is constant, and dry friction, are those of the layout: both pendulums stay."""
        for robot in "weightless", "rough":
            page = self.page(robot, motors=False)
            self.begin(page)
            q = page.run(f"{MOTION}.q()[0]")
            self.pass_time(page, 1)
            self.assertAlmostEqual(page.run(f"{MOTION}.q()[0]"), q, 9, robot)
            self.quiet(page)

    def test_a_ball_falls_on_the_floor(self):
        page = self.page("ball", motors=False)
        page.run("achdRobot.moving.begin(); achdRobot.moving.motion.begin({ ...achdRobot.values }, { p: [0, 0, 1] })")
        self.pass_time(page, 1.5)
        self.assertAlmostEqual(page.run(f"{MOTION}.base().p[2]"), 0.1, 6)
        self.quiet(page)

    def test_a_held_arm_stays(self):
        """With its motors it stays; pulled, it comes along, stops, and stays there; without them it falls."""
        page = self.page("gen3")
        self.begin(page)
        q = page.run(f"{MOTION}.q()")
        self.pass_time(page, 1)
        for a, b in zip(q, page.run(f"{MOTION}.q()")):
            self.assertAlmostEqual(a, b, 6)
        x = page.run("achdRobot.view.setPose(achdRobot.moving.motion.q()), achdRobot.view.poseOf('tool_frame').p")
        page.run(f"{MOTION}.link = 'tool_frame'; {MOTION}.target = {json.dumps([x[0], x[1], x[2] + 0.3])}")
        self.pass_time(page, 1)
        tool = "achdRobot.view.setPose(achdRobot.moving.motion.q()), achdRobot.view.poseOf('tool_frame').p[2]"
        pulled = page.run(tool)
        self.assertGreater(pulled, x[2] + 0.02)
        page.run("achdRobot.moving.release()")
        self.pass_time(page, 1)
        rest = page.run(tool)
        self.pass_time(page, 0.5)
        self.assertAlmostEqual(page.run(tool), rest, 2)
        page.run("document.getElementById('motors').click()")
        self.pass_time(page, 0.5)
        self.assertGreater(abs(page.run(tool) - rest), 0.05)
        self.quiet(page)

    def test_a_quadruped_stands(self):
        """On the floor by its motors, with its weight; without them it goes down, and pulled it comes along."""
        page = self.page("quadruped")
        self.begin(page)
        z = page.run(f"{MOTION}.base().p[2]")
        self.pass_time(page, 2)
        self.assertAlmostEqual(page.run(f"{MOTION}.base().p[2]"), z, 3)
        x = page.run(f"{MOTION}.base().p[0]")
        page.run(f"{MOTION}.link = 'trunk'; {MOTION}.target = [{x} + 0.4, 0, {z} + 0.1]")
        self.pass_time(page, 1)
        self.assertGreater(page.run(f"{MOTION}.base().p[0]"), x + 0.02)
        page.run("achdRobot.moving.release(); document.getElementById('motors').click()")
        self.pass_time(page, 1)
        self.assertLess(page.run(f"{MOTION}.base().p[2]"), z - 0.1)
        self.quiet(page)

    def test_buttons_and_pointer(self):
        """Let it move, Pause, Reset; a link is dragged by the pointer."""
        page = self.page("gen3")
        page.run("document.getElementById('move').click()")
        page.wait(f"{MOTION}.time > 0.2")
        self.assertEqual(page.run("document.getElementById('move').textContent"), "Pause")
        tool = "achdRobot.view.poseOf('tool_frame').p"
        at, before = page.run(f"achdRobot.view.seen({tool})"), page.run(tool)
        box = page.run("(() => { const r = document.querySelector('#view canvas').getBoundingClientRect(); return [r.left, r.top]; })()")
        x, y = box[0] + at["x"], box[1] + at["y"]
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for k in range(1, 11):
            page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - 8 * k, y=y - 10 * k, button="left", buttons=1)
        began = page.run(f"{MOTION}.time")
        page.wait(f"{MOTION}.time > {began} + 0.5")
        page.screenshot(os.path.join(FOLDER, "moving_gen3.png"))
        self.assertGreater(math.dist(before, page.run(tool)), 0.02)
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x - 80, y=y - 100, button="left", buttons=0, clickCount=1)
        page.run("document.getElementById('move').click()")
        stopped = page.run(f"{MOTION}.time")
        time.sleep(0.3)
        self.assertEqual(page.run(f"{MOTION}.time"), stopped)
        page.run("document.getElementById('reset').click()")
        self.assertEqual(page.run(tool), page.run("(achdRobot.update(), achdRobot.view.poseOf('tool_frame').p)"))
        self.assertLess(math.dist(before, page.run(tool)), 1e-3)
        self.quiet(page)

    def test_the_same_program(self):
        """1000 steps of the page and of the same C, compiled natively: the same bits."""
        with open(os.path.join(FOLDER, "gen3.html"), encoding="utf-8") as file:
            data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.DOTALL).group(1))
        with tempfile.TemporaryDirectory() as folder:
            base = {"kind": "fixed", "link": "base_link"}
            step = moving.described(robot_pages.run, ACHDGEN, f"{TOP}/robots/gen3.urdf", f"{TOP}/robots/gen3.lua", base, folder)
            robot_pages.run([ACHDGEN, *step.arguments, "-q", "--no-prove", "-o", f"{folder}/moving.h"], "no step")
            begin = "\n".join(f"__attribute__((constructor)) static void begin_{k}(void) {{ *(double *)((char *)&in + {e['offset']}) = {self.start(e)}; }}"
                              for k, e in enumerate(e for f in data["moving"]["in"]["fields"] for e in f["elements"]))
            with open(f"{folder}/moving.c", "w", encoding="utf-8") as file:
                file.write(moving.source_of(step, "moving.h") + begin + MAIN.replace("N;", f"{len(data['robot']['joints'])};"))
            subprocess.run(["cc", "-std=gnu99", "-O1", "-ffp-contract=off", "-I", f"{TOP}/runtime", "-o", f"{folder}/native", f"{folder}/moving.c",
                            *(f"{TOP}/runtime/{name}" for name in moving.SOLVER), "-lm"], check=True)
            native = [float(x) for x in subprocess.run([f"{folder}/native"], capture_output=True, text=True, check=True).stdout.split()]
        page = self.page("gen3")
        page.run(f"{MOTION}.begin({{ ...Object.fromEntries(Object.keys(achdRobot.values).map((c) => [c, 0])), 'gravity.z': -9.81, 'q.joint_2': 0.3, 'q.joint_4': -1 }})")
        page.run(f"(() => {{ for (let k = 0; k < 1000; k++) if (!{MOTION}.step([1, 2, 3, 4, 5, 6, 7].map((j) => (k % 100 < 50 ? 1 : -1) * j * 0.25))) return false; return true; }})()")
        q, qd = page.run(f"{MOTION}.q()"), page.run(f"{MOTION}.qd()")
        self.assertEqual([x for pair in zip(q, qd) for x in pair], native)
        self.assertGreater(max(abs(x) for x in qd), 0.01)
        self.quiet(page)

    def start(self, element):
        return {"gravity.z": -9.81, "time_step": 1e-3, "q.joint_2": 0.3, "q.joint_4": -1}.get(element["column"], 0)

    def test_frames(self):
        """The script of a frame, by the processor's time in the browser's trace."""
        for robot in "gen3", "quadruped":
            page = self.page(robot)
            page.run("document.getElementById('move').click()")
            page.wait(f"{MOTION}.time > 0.3")
            frames = [e for e in page.trace(2) if e["name"] == "FireAnimationFrame" and e.get("ph") == "X"]
            times = sorted(e.get("tdur", e["dur"]) / 1000 for e in frames)
            self.assertGreater(len(times), 5)
            print(f"{robot}: script of a frame {times[len(times) // 2]:.2f} ms in the median, {times[len(times) * 95 // 100]:.2f} in 95 of 100, {times[-1]:.2f} at most, of {len(times)}")
            self.assertLess(times[len(times) * 95 // 100], MOST_SCRIPT)
            self.quiet(page)


if __name__ == "__main__":
    unittest.main()

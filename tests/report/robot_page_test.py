# SPDX-License-Identifier: MIT
"""robot_page_test.py ACHDGEN SOURCE_DIR FOLDER: pages of achd-page in a headless Chromium; FOLDER has ROBOT.html, ROBOT.wasm,
ROBOT.native."""
import base64
import gzip
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

FOLDER = os.path.abspath(sys.argv.pop())
TOP = os.path.abspath(sys.argv.pop())
ACHDGEN = os.path.abspath(sys.argv.pop())
FUNCTIONS = ("manipulability", "centroidal", "osim", "coriolis", "slotine_li", "momentum")
READY = "document.documentElement?.dataset.ready === 'yes'"
ROBOTS = ("gen3", "youbot", "quadruped")
STATES = 1000


def data_of(robot):
    with open(os.path.join(FOLDER, robot + ".html"), encoding="utf-8") as file:
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.DOTALL).group(1))


def states(function):
    """Inputs as they stand in memory; some of them singular, not finite, or out of range."""
    chosen, packed = random.Random(7), bytearray()
    for k in range(STATES):
        one = bytearray(function["in"]["bytes"])
        for field in function["in"]["fields"]:
            for e in field["elements"]:
                x = float(chosen.random() < 0.8) if field["shape"] == "masks" else chosen.uniform(-3, 3)
                if k % 100 == 99 and chosen.random() < 0.05:
                    x = chosen.choice((float("nan"), float("inf"), 1e6))
                if k % 50 == 0 and field["name"] == "q":
                    x = 0.0
                struct.pack_into("<d", one, e["offset"], x)
        packed += one
    return bytes(packed)


# In JavaScript: the outputs of all states as the native program writes them, in base64.
RUN = """(async () => {
  const bytes = (t) => Uint8Array.from(atob(t), (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes(WASM), {});
  const e = instance.exports, states = bytes(STATES), size = SIZE_IN, out = SIZE_OUT, from = e.achd_in(), to = e.achd_out();
  let text = '';
  for (let k = 0; k < states.length; k += size) {
    new Uint8Array(e.memory.buffer).set(states.subarray(k, k + size), from);
    const status = e.achd_run(), whole = new Uint8Array(8 + out);
    new DataView(whole.buffer).setFloat64(0, status, true);
    whole.set(new Uint8Array(e.memory.buffer).subarray(to, to + out), 8);
    for (const b of whole) text += String.fromCharCode(b);
  }
  return btoa(text);
})()"""


class RobotPages(unittest.TestCase):
    WEBGL = True

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(webgl=cls.WEBGL)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def page(self, robot, width=1280, height=1000, scheme="light"):
        page = self.browser.open(f"file://{FOLDER}/{robot}.html", width, height, mobile=width < 600, scheme=scheme)
        page.wait(READY)
        return page

    def quiet(self, page):
        time.sleep(0.3)
        page.run("0")
        self.assertEqual(page.said, [])

    def same(self, got, wanted, function):
        """Bit by bit, but any NaN is like any other: WebAssembly leaves its sign and payload open."""
        self.assertEqual(len(got), len(wanted))
        size = 8 + function["out"]["bytes"]
        for k in range(0, len(wanted), size):
            offsets = [0] + [8 + e["offset"] for field in function["out"]["fields"] for e in field["elements"]]
            for at in offsets:
                a, b = (struct.unpack_from("<d", text, k + at)[0] for text in (got, wanted))
                if a != a and b != b:
                    continue
                self.assertEqual(got[k + at:k + at + 8], wanted[k + at:k + at + 8], (k // size, at))

    def test_the_same_bits_as_native(self):
        for robot in ROBOTS:
            with self.subTest(robot=robot):
                data = data_of(robot)
                function = next(f for f in data["functions"] if f["name"] == "achd")
                inputs = states(function)
                native = subprocess.run([os.path.join(FOLDER, robot + ".native")], input=inputs, capture_output=True, check=True).stdout
                code = gzip.decompress(base64.b64decode(data["wasm"]))
                with open(os.path.join(FOLDER, robot + ".wasm"), "rb") as file:
                    self.assertEqual(file.read(), code)
                script = RUN.replace("WASM", json.dumps(base64.b64encode(code).decode())).replace("STATES", json.dumps(base64.b64encode(inputs).decode()))
                script = script.replace("SIZE_IN", str(function["in"]["bytes"])).replace("SIZE_OUT", str(function["out"]["bytes"]))
                self.same(base64.b64decode(self.page(robot).run(script)), native, function)
                if shutil.which("node"):
                    said = subprocess.run(["node", "-"], input=script + ".then((x) => console.log(x))", capture_output=True, text=True, check=True).stdout
                    self.same(base64.b64decode(said), native, function)

    def test_looks(self):
        for robot, width, height, scheme in (("gen3", 1280, 1000, "light"), ("youbot", 1000, 1200, "dark"), ("quadruped", 390, 844, "light")):
            page = self.page(robot, width, height, scheme)
            self.assertEqual(page.run("document.getElementById('view').dataset.kind"), "webgl" if self.WEBGL else "canvas")
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
            page.run("for (const id of ['masses', 'frames', 'forces']) document.getElementById(id).click()")
            time.sleep(0.4)
            page.screenshot(os.path.join(FOLDER, f"robot_{robot}{'' if self.WEBGL else '_flat'}.png"))
            self.quiet(page)

    def choose(self, page, function):
        page.run(f"(() => {{ const s = document.getElementById('function'); s.value = '{function}'; s.dispatchEvent(new Event('change')); }})()")

    def cell(self, page, column):
        return page.run(f"document.querySelector('[data-function]:not([hidden]) [data-of=\"{column}\"]').textContent")

    def evaluated(self, robot, function, values):
        """What achdgen --eval says of a function, by column; an input that the page has no control for has its default."""
        command = [ACHDGEN, f"{TOP}/robots/{robot}.urdf", "--layout", f"{TOP}/robots/{robot}.lua", "--functions", function]
        columns = [line.split()[:2] for line in subprocess.run([*command, "--columns"], capture_output=True, text=True, check=True).stdout.splitlines()]
        state = " ".join(repr(values[name]) for side, name in columns if side == "in")
        said = subprocess.run([*command, "--eval"], input=state + "\n", capture_output=True, text=True, check=True).stdout.split()
        return dict(zip((name for side, name in columns if side == "out"), map(float, said)))

    def test_functions(self):
        """Numbers of each function, at a state that is drawn, are those of --eval, in the tables as well; a phone shows them."""
        chosen = random.Random(3)
        for robot in ROBOTS:
            page = self.page(robot, 390, 844)
            self.assertEqual(sorted(page.run("[...document.getElementById('function').options].map((o) => o.value)")), sorted(FUNCTIONS))
            page.run("document.getElementById('moving').click()")
            for column in page.run("Object.keys(achdRobot.values).filter((c) => /^(q|qdd_r)\\./.test(c))"):
                page.run(f"achdRobot.set('{column}', {chosen.uniform(-1, 1)!r})")
            page.run("achdRobot.update()")
            for function in FUNCTIONS:
                with self.subTest(robot=robot, function=function):
                    self.choose(page, function)
                    got = page.run(f"(() => {{ const r = achdRobot.functions.{function}(achdRobot.values); return {{...r.values, status: r.status}}; }})()")
                    wanted = self.evaluated(robot, function, page.run("achdRobot.values"))
                    self.assertEqual(set(got), set(wanted))
                    for column, x in wanted.items():  # limbs in vectors add in another order
                        self.assertAlmostEqual(got[column], x, delta=1e-12 * max(1, abs(x)), msg=column)
                    shown = page.run("Object.fromEntries([...document.querySelectorAll('[data-function]:not([hidden]) [data-of]')].map((c) => [c.dataset.of, c.textContent]))")
                    self.assertEqual(set(shown), set(got) - {"status"})
                    for column, text in shown.items():
                        self.assertAlmostEqual(float(text), got[column], delta=6e-4 * abs(got[column]) + 1e-12, msg=column)
                    self.assertEqual(page.run("document.querySelector('[data-function]:not([hidden]) [data-status]').textContent").split(":")[0], "0")
                    self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            self.quiet(page)

    def test_matrices(self):
        """C has a row and a column for each velocity, Lambda is whole, and a number tells its name and unit."""
        page = self.page("gen3")
        page.run("document.getElementById('moving').click()")
        self.choose(page, "coriolis")
        heads = page.run("[...document.querySelectorAll('[data-function=coriolis] .matrix tr')].map((r) => [...r.querySelectorAll('th')].map((h) => h.textContent))")
        joints = [f"joint_{k}" for k in range(1, 8)]
        self.assertEqual(heads, [["", *joints], *([joint] for joint in joints)])
        self.choose(page, "osim")
        table = page.run("[...document.querySelectorAll('[data-function=osim] .matrix')][1].innerText.trim().split('\\n').map((line) => line.split('\\t'))")
        numbers = [[float(x) for x in line[1:]] for line in table[1:]]
        self.assertEqual([len(line) for line in numbers], [6] * 6)
        self.assertEqual(numbers, [list(column) for column in zip(*numbers)])
        self.assertGreater(numbers[0][0], 0)
        page.run("document.querySelector('[data-of=\"Lambda.tool.ang_x.tool.lin_x\"]').click()")
        self.assertRegex(page.run("document.querySelector('.told').textContent"), r"^Lambda\.tool\.ang_x\.tool\.lin_x = -?[0-9.e-]+ kg m$")
        self.assertIn("axes of", page.run("document.querySelector('[data-function=osim]').textContent"))
        self.quiet(page)

    def test_ellipsoids(self):
        """Semi-axes are at right angles, their product is the manipulability, and no velocity of norm 1 leaves the ellipsoid."""
        for robot, frames in (("gen3", 1), ("quadruped", 4)):
            page = self.page(robot, 1000, 900)
            self.choose(page, "manipulability")
            for part in ("lin", "ang"):
                page.run(f"document.querySelector('[name=ellipsoid][value={part}]').click()")
                parts = page.run("achdRobot.view.parts().ellipsoids")
                balls, lines = [p for p in parts if p["kind"] == "ellipsoid"], [p for p in parts if p["kind"] == "line"]
                self.assertEqual((len(balls), len(lines)), (frames, 3 * frames))
                w = page.run("achdRobot.functions.manipulability(achdRobot.values).values")
                scale = (0.3 if part == "lin" else 0.15) * page.run("achdRobot.view.size")
                for ball, frame in zip(balls, page.run("Object.keys(JSON.parse(document.getElementById('data').textContent).jacobians)")):
                    a, b, c = ball["axes"]
                    length = [math.dist(v, (0, 0, 0)) / scale for v in (a, b, c)]
                    self.assertAlmostEqual(math.prod(length) / w[f"manipulability_{part}.{frame}"], 1, 9)
                    for u, v in ((a, b), (a, c), (b, c)):
                        self.assertAlmostEqual(sum(x * y for x, y in zip(u, v)), 0, 12)
                    J = page.run("achdRobot.functions.jac(achdRobot.values).values")
                    rows = [[x for name, x in J.items() if name.startswith(f"jac.{frame}.{part}_{axis}.")] for axis in "xyz"]
                    for k in range(len(rows[0])):
                        inside = sum((sum(row[k] * x / scale for row, x in zip(rows, v)) / n**2) ** 2 for v, n in zip((a, b, c), length))
                        self.assertLessEqual(inside, 1 + 1e-9)
            page.screenshot(os.path.join(FOLDER, f"ellipsoid_{robot}{'' if self.WEBGL else '_flat'}.png"))
            self.quiet(page)

    def test_momentum(self):
        """Arrows stand at the centre of mass and point along the momenta; at rest there are none."""
        for robot in ("gen3", "quadruped"):
            page = self.page(robot, 1000, 900)
            self.choose(page, "centroidal")
            self.assertEqual(page.run("achdRobot.view.parts().momentum"), [])
            page.run("document.getElementById('moving').click()")
            h = page.run("achdRobot.functions.centroidal(achdRobot.values).values")
            com = page.run("achdRobot.functions.com(achdRobot.values).values")
            base = page.run("achdRobot.view.poseOf(JSON.parse(document.getElementById('data').textContent).robot.base.link).p")
            arrows = page.run("achdRobot.view.parts().momentum")
            self.assertEqual([a["color"] for a in arrows], ["path", "mass"])
            for arrow, part in zip(arrows, ("lin", "ang")):
                along, v = [x - y for x, y in zip(arrow["to"], arrow["from"])], [h[f"h_G.{part}_{c}"] for c in "xyz"]
                for c, x, b in zip("xyz", arrow["from"], base):
                    self.assertAlmostEqual(x, b + com[f"com.p.{c}"], 12)
                share = math.dist(along, (0, 0, 0)) / math.dist(v, (0, 0, 0))
                for x, y in zip(along, v):
                    self.assertAlmostEqual(x, share * y, 12)
            page.screenshot(os.path.join(FOLDER, f"momentum_{robot}{'' if self.WEBGL else '_flat'}.png"))
            page.run("document.getElementById('reset').click()")
            self.assertEqual(page.run("achdRobot.view.parts().momentum"), [])
            self.quiet(page)

    def test_inputs_of_functions(self):
        """References are there for the function that takes them, and for no other."""
        page = self.page("gen3")
        hidden = "document.querySelector('[data-field=qd_r]').hidden"
        self.choose(page, "coriolis")
        self.assertTrue(page.run(hidden))
        self.choose(page, "slotine_li")
        self.assertFalse(page.run(hidden))
        before = self.cell(page, "tau.joint_2")
        page.run("(() => { const s = document.querySelector('[data-column=\"qdd_r.joint_2\"]'); s.value = 3; s.dispatchEvent(new Event('input')); })()")
        self.assertNotEqual(self.cell(page, "tau.joint_2"), before)
        self.quiet(page)

    def test_other_functions(self):
        """Those that a layout cannot have are told with the reason; with bounded rows the others run; --functions chooses."""
        page = self.page("truncate")
        self.assertNotIn("osim", page.run("[...document.getElementById('function').options].map((o) => o.value)"))
        self.assertIn("osim has no policy truncate", page.run("document.getElementById('functions').textContent"))
        page = self.page("bounded")
        self.choose(page, "manipulability")
        self.assertGreater(float(self.cell(page, "manipulability_lin.tool_frame")), 0)
        page = self.page("crba")
        self.assertEqual(page.run("[...document.getElementById('function').options].map((o) => o.value)"), ["crba", "energy"])
        self.assertGreater(float(self.cell(page, "M.joint_1.joint_1")), 0)
        self.quiet(page)

    def test_meshes(self):
        page = self.page("meshes")
        kinds = page.run("achdRobot.view.parts().robot.filter((p) => p.link === 'forearm_link').map((p) => p.kind)")
        self.assertEqual(kinds, ["mesh"] if self.WEBGL else ["capsule", "cylinder"])
        if self.WEBGL:
            points = page.run("[...achdRobot.view.parts().robot.find((p) => p.kind === 'mesh').points]")
            self.assertEqual(len(points), 15)
            self.assertAlmostEqual(max(points) - min(points), 0.25, 4)
        others = page.run("achdRobot.view.parts().robot.filter((p) => p.link === 'bracelet_link').map((p) => p.kind)")
        self.assertEqual(others, ["capsule", "cylinder"])
        page.screenshot(os.path.join(FOLDER, f"robot_meshes{'' if self.WEBGL else '_flat'}.png"))
        self.quiet(page)

    def happens(self, page):
        return page.run("document.getElementById('happens').textContent")

    def test_a_quadruped_stands(self):
        """It opens on its four feet, at rest, and says so; without contacts it falls, and with torques of its own it moves."""
        page = self.page("quadruped")
        solved = page.run("achdRobot.solve().values")
        for column, x in solved.items():
            if column.startswith(("qdd.", "base.acc.")):
                self.assertAlmostEqual(x, 0, 6, column)
        up = [x for column, x in solved.items() if column.startswith("nu.") and column.endswith("lin_z")]
        weight = 9.81 * page.run("(() => { const r = JSON.parse(document.getElementById('data').textContent).robot; return [r.base, ...r.bodies].reduce((s, b) => s + b.mass, 0); })()")
        self.assertAlmostEqual(sum(up), weight, 4)
        self.assertGreater(min(up), 0.1 * weight)
        feet = page.run("achdRobot.view.points().map((p) => p[2])")
        self.assertAlmostEqual(min(feet), 0, 9)
        self.assertIn("It stands", self.happens(page))
        page.run("for (const box of document.querySelectorAll('[data-column^=\"mask.\"]')) { box.checked = false; box.dispatchEvent(new Event('input')); }")
        self.assertEqual(self.happens(page), "It falls freely: nothing holds it.")
        page.run("document.getElementById('reset').click()")
        self.assertIn("It stands", self.happens(page))
        page.run("achdRobot.set('tau_art.fl_calf_joint', 20); achdRobot.update()")
        self.assertRegex(self.happens(page), "accelerates")
        self.quiet(page)

    def test_the_time_of_a_solve(self):
        """The mean of many calls: never 0, and no more than a clock's step away from another mean."""
        page = self.page("gen3")
        page.wait("document.getElementById('took').textContent !== ''")
        took = page.run("document.getElementById('took').textContent")
        self.assertRegex(took, r"^[0-9.]+ µs in this page$")
        self.assertTrue(0.05 < float(took.split()[0]) < 1000, took)

    def test_numbers_are_written(self):
        """A number beside a slider is taken as it is written, beyond the slider's range, too."""
        page = self.page("gen3")
        page.run("(() => { const n = document.querySelector('[data-value=\"b.tool.lin_x\"]'); n.value = 12.25; n.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.run("achdRobot.values['b.tool.lin_x']"), 12.25)
        rows = dict((column, (value, unit)) for column, value, unit in (line.split(",") for line in page.run("achdRobot.table()").splitlines()[1:]))
        self.assertEqual(rows["b.tool.lin_x"], ("12.25", "m/s^2"))
        self.assertEqual(rows["b.tool.ang_x"][1], "rad/s^2")
        self.assertIn("tau_ctrl.joint_1", rows)
        self.quiet(page)

    def test_units_and_costs(self):
        """Each row has its own unit, limits have theirs, and a function with a shorter way has both counts, as the drawing does."""
        page = self.page("gen3")
        unit = "document.querySelector('[data-value=\"%s\"]').nextSibling.textContent"
        for column, wanted in (("b.tool.lin_x", "m/s^2"), ("b.tool.ang_x", "rad/s^2"), ("push.lin_x", "N"), ("push.ang_x", "N m")):
            self.assertEqual(page.run(unit % column), wanted)
        self.assertIn("55 N m", page.run("[...document.querySelectorAll('h2')].find((h) => h.textContent === 'Joints').parentElement.textContent"))
        costs = page.run("[...document.querySelectorAll('.cost tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))")
        description = json.loads(subprocess.run([ACHDGEN, f"{TOP}/robots/gen3.urdf", "--layout", f"{TOP}/robots/gen3.lua", "--functions", "achd", "--describe", "json"], capture_output=True,
                                                text=True, check=True).stdout)["functions"][0]
        self.assertEqual(costs[0][2:4], [f"{description[key]['total']:,}" for key in ("operations_fast", "operations")])

    def test_names_on_a_phone(self):
        """No name is cut, and tables that are no matrices fit."""
        for robot in ROBOTS:
            page = self.page(robot, 390, 844)
            page.run("for (const d of document.querySelectorAll('details')) d.open = true")
            cut = page.run("[...document.querySelectorAll('.slide > span:first-child')].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.offsetParent).map((e) => e.textContent)")
            self.assertEqual(cut, [])
            wide = page.run("[...document.querySelectorAll('.scroll')].filter((e) => !e.closest('#functions') && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.slice(0, 40))")
            self.assertEqual(wide, [], robot)

    def test_printing(self):
        page = self.page("gen3", scheme="dark")
        page.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.run("[document.documentElement.dataset.theme, document.querySelectorAll('.printed').length]"), ["light", 1])
        page.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.run("document.querySelectorAll('.printed').length"), 0)
        self.quiet(page)

    def test_bounded_rows(self):
        page = self.page("bounded")
        page.run("(() => { const s = document.querySelector('[data-column=\"q.joint_2\"]'); s.value = 1.5; s.dispatchEvent(new Event('input')); })()")
        self.assertAlmostEqual(page.run("achdRobot.values['q.joint_2']"), 1.5)
        self.quiet(page)

    def test_sliders_and_answers(self):
        page = self.page("gen3")
        cell = "document.querySelector('[data-out=\"tau_ctrl.joint_2\"]').textContent"
        before = page.run(cell)
        page.run("(() => { const s = document.querySelector('[data-column=\"q.joint_2\"]'); s.value = 1.5; s.dispatchEvent(new Event('input')); })()")
        self.assertNotEqual(page.run(cell), before)
        self.assertAlmostEqual(page.run("achdRobot.values['q.joint_2']"), 1.5)
        self.assertIn("solved, no remark", page.run("document.getElementById('status').textContent"))
        page.run("for (let j = 1; j <= 7; j++) achdRobot.set('q.joint_' + j, 0); achdRobot.update()")
        self.assertIn("SINGULAR", page.run("document.getElementById('status').textContent"))
        page.run("(() => { const s = document.querySelector('[data-column=\"gravity.z\"]'); s.value = 'x'; s.dispatchEvent(new Event('input')); })()")
        page.run("document.getElementById('reset').click()")
        self.assertEqual(page.run(cell), before)
        self.quiet(page)

    def test_the_tool_follows_the_pointer(self):
        page = self.page("gen3")
        tool = "achdRobot.view.poseOf('tool_frame').p"
        start, at = page.run(tool), page.run(f"achdRobot.view.seen({tool})")
        box = page.run("(() => { const r = document.querySelector('#view canvas').getBoundingClientRect(); return [r.left, r.top]; })()")
        x, y = box[0] + at["x"], box[1] + at["y"]
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for k in range(1, 11):
            page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 6 * k, y=y + 8 * k, button="left", buttons=1)
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 60, y=y + 80, button="left", buttons=0, clickCount=1)
        after = page.run(f"achdRobot.view.seen({tool})")
        self.assertNotEqual(page.run(tool), start)
        self.assertLess(abs(after["x"] - at["x"] - 60) + abs(after["y"] - at["y"] - 80), 12)
        limits = page.run("JSON.parse(document.getElementById('data').textContent).robot.joints.every(j => achdRobot.values['q.' + j.name] >= (j.lower ?? -1e9) && "
                          "achdRobot.values['q.' + j.name] <= (j.upper ?? 1e9))")
        self.assertTrue(limits)
        self.quiet(page)


class RobotPagesWithoutWebgl(RobotPages):
    WEBGL = False


if __name__ == "__main__":
    unittest.main()

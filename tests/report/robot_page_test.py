"""robot_page_test.py FOLDER: pages of achd-page in a headless Chromium; FOLDER has ROBOT.html, ROBOT.wasm, ROBOT.native."""
import base64
import json
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
                with open(os.path.join(FOLDER, robot + ".wasm"), "rb") as file:
                    self.assertEqual(file.read(), base64.b64decode(data["wasm"]))
                script = RUN.replace("WASM", json.dumps(data["wasm"])).replace("STATES", json.dumps(base64.b64encode(inputs).decode()))
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
        self.assertIn("clean solve", page.run("document.getElementById('status').textContent"))
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

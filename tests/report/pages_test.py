# SPDX-License-Identifier: MIT
"""pages_test.py FOLDER: pages of achd-report in a headless Chromium; leaves screenshots in FOLDER."""
import base64
import csv
import math
import os
import re
import sys
import time
import unittest
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

FOLDER = os.path.abspath(sys.argv.pop())
READY = "document.documentElement?.dataset.ready === 'yes'"
SIZES = [("wide", 1600, 1000, "light"), ("dark", 1280, 900, "dark"), ("tablet", 800, 1100, "light"), ("phone", 390, 844, "dark")]


class Pages(unittest.TestCase):
    WEBGL = True

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(webgl=cls.WEBGL)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def page(self, name, width=1280, height=900, scheme="light", ready=True):
        page = self.browser.open(f"file://{FOLDER}/{name}.html", width, height, mobile=width < 600, scheme=scheme)
        page.wait(READY if ready else "document.readyState === 'complete'")
        return page

    def quiet(self, page):
        time.sleep(0.3)
        page.run("0")
        self.assertEqual(page.said, [])
        self.assertEqual(page.run("performance.getEntriesByType('resource').filter(e => /^https?:/.test(e.name)).length"), 0)

    def picture(self, page):
        """The 3-D view's pixels, as a text."""
        page.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        return page.run("(() => { const v = document.querySelector('#view canvas'), c = document.createElement('canvas'); c.width = 160; c.height = 120;"
                        "const x = c.getContext('2d'); return new Promise(r => requestAnimationFrame(() => { achdRun.view().resize(); "
                        "requestAnimationFrame(() => { x.drawImage(v, 0, 0, 160, 120); r(c.toDataURL()); }); })); })()")

    def test_sizes_and_colours(self):
        for name, width, height, scheme in SIZES:
            with self.subTest(size=name):
                page = self.page("experiment_3", width, height, scheme)
                page.run("achdRun.go(6)")
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                self.assertEqual(page.run("document.getElementById('view').dataset.kind"), "webgl" if self.WEBGL else "canvas")
                time.sleep(0.5)
                page.screenshot(os.path.join(FOLDER, f"{name}{'' if self.WEBGL else '_flat'}.png"))
                self.quiet(page)

    def test_the_robot_moves_with_the_slider(self):
        page = self.page("experiment_1")
        before = self.picture(page)
        self.assertEqual(self.picture(page), before)
        page.run("(() => { const s = document.getElementById('time'); s.value = 8; s.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.run("document.getElementById('now').textContent"), "8.000 s")
        self.assertEqual(page.run("document.getElementById('state').textContent"), "cruise_through_tube")
        self.assertNotEqual(self.picture(page), before)
        page.run("document.getElementById('play').click()")
        page.wait("achdRun.shared.time > 8.2")
        page.run("document.getElementById('play').click()")
        self.assertEqual(page.run("document.getElementById('play').textContent"), "Play")
        self.quiet(page)

    def test_the_robot_stands_where_the_tool_was(self):
        """The kinematics of the page against the tool that the loop has logged, by the generated fk."""
        for name, link in (("experiment_1", "lwr_7_link"), ("experiment_4", "gripper_palm_link")):
            page = self.page(name)
            worst = page.run("""(() => {
              const data = JSON.parse(document.getElementById('data').textContent);
              const floats = (t) => new Float32Array(Uint8Array.from(atob(t), (c) => c.charCodeAt(0)).buffer);
              const tool = ['x', 'y', 'z'].map((c) => floats(data.poses['tool.p_' + c]));
              let worst = 0;
              for (let k = 0; k < achdRun.times.length; k += 7) {
                achdRun.go(achdRun.times[k]);
                const p = achdRun.view().poseOf('%s').p;
                worst = Math.max(worst, Math.hypot(...p.map((x, i) => x - tool[i][k])));
              }
              return worst;
            })()""" % link)
            self.assertLess(worst, 1e-5)

    def test_charts_zoom_and_hover(self):
        page = self.page("experiment_2", 1280, 2400)
        page.wait("document.querySelectorAll('.uplot').length > 5")
        over = page.run("(() => { const r = document.querySelector('.u-over').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")
        x, y = over[0], over[1] + over[3] / 2

        def mouse(kind, at, buttons=0):
            page.call("Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left" if kind != "mouseMoved" or buttons else "none", buttons=buttons, clickCount=1)
        mouse("mouseMoved", x + over[2] / 2)
        page.wait("[...document.querySelectorAll('.u-legend .u-value')].some(v => v.textContent.endsWith(' s'))")
        values = page.run("[...document.querySelectorAll('.u-legend')].filter(l => [...l.querySelectorAll('.u-value')].every(v => v.textContent !== '')).length")
        self.assertGreater(values, 3)  # the cursor is in all charts
        mouse("mousePressed", x + 0.25 * over[2], 1)
        mouse("mouseMoved", x + 0.4 * over[2], 1)
        mouse("mouseMoved", x + 0.5 * over[2], 1)
        mouse("mouseReleased", x + 0.5 * over[2])
        first, last = page.run("achdRun.shared.range")
        whole = page.run("[achdRun.times[0], achdRun.times.at(-1)]")
        for got, share in ((first, 0.25), (last, 0.5)):
            self.assertAlmostEqual(got, whole[0] + share * (whole[1] - whole[0]), delta=0.1)
        self.assertFalse(page.run("document.getElementById('whole').hidden"))
        page.run("document.getElementById('whole').click()")
        self.assertEqual(page.run("achdRun.shared.range"), whole)
        page.run("document.querySelector('tr[data-time]:last-child').click()")
        self.assertGreater(page.run("achdRun.shared.time"), 8)
        for _ in range(2):
            page.run("document.getElementById('theme').click()")
        page.run("for (const d of document.querySelectorAll('details')) d.open = true")
        page.run("scrollTo(0, document.body.scrollHeight)")
        time.sleep(0.5)
        page.screenshot(os.path.join(FOLDER, f"charts{'' if self.WEBGL else '_flat'}.png"))
        self.quiet(page)

    def test_dragging_turns_the_robot(self):
        page = self.page("experiment_1")
        before = self.picture(page)
        x, y = page.run("(() => { const r = document.querySelector('#view canvas').getBoundingClientRect(); return [r.left + 200, r.top + 200]; })()")
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 90, y=y + 10, button="left", buttons=1)
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 90, y=y + 10, button="left", buttons=0, clickCount=1)
        turned = self.picture(page)
        self.assertNotEqual(turned, before)
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-300)
        time.sleep(0.2)
        self.assertNotEqual(self.picture(page), turned)
        self.quiet(page)

    def test_hostile_names(self):
        page = self.page("hostile", 900, 1600)
        page.wait("document.querySelectorAll('.uplot').length > 0")
        self.assertNotEqual(page.run("document.title"), "evil")
        self.assertEqual(page.run("document.images.length"), 0)
        self.assertIn("2 signals are not finite", page.run("document.body.textContent"))
        self.quiet(page)
        index = self.page("index", ready=False)
        self.assertEqual(index.run("document.images.length"), 0)

    def test_a_tree_on_a_moving_base(self):
        page = self.page("quadruped")
        page.run("achdRun.go(2)")
        p = page.run("achdRun.view().poseOf('trunk').p")
        for got, wanted in zip(p, (0.4, 0, 0.35)):
            self.assertAlmostEqual(got, wanted, delta=0.005)
        self.assertAlmostEqual(page.run("achdRun.view().poseOf('trunk').R[1][0]"), math.sin(0.5), delta=0.005)
        time.sleep(0.5)
        page.screenshot(os.path.join(FOLDER, f"quadruped{'' if self.WEBGL else '_flat'}.png"))
        self.quiet(page)

    def test_a_vehicle_without_joints(self):
        page = self.page("vehicle", 1000, 900)
        parts = page.run("achdRun.view().parts()")
        self.assertEqual([(p["kind"], p["link"]) for p in parts["robot"]], [("cylinder", "base_link")])
        self.assertEqual([p["kind"] for p in parts["boxes"]], ["box"])
        self.assertEqual(len(parts["frames"]), 3)  # its axes tell where it heads
        self.assertGreater(len(parts["paths"][0]["points"]), 100)
        before = self.picture(page)
        page.run("achdRun.go(2.9)")
        self.assertNotEqual(self.picture(page), before)
        cells = page.run("[...document.querySelectorAll('td:last-child')].map((c) => c.innerHTML)")
        self.assertIn('<span class="good">holds</span>', cells)
        self.assertIn("within the bound, 0.55 of what was published", cells)
        page.screenshot(os.path.join(FOLDER, f"vehicle{'' if self.WEBGL else '_flat'}.png"))
        self.quiet(page)

    INKED = """(c) => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
      for (let i = 0; i < d.length; i += 4) seen.add((d[i] << 16 | d[i + 1] << 8 | d[i + 2]) * (d[i + 3] > 0)); return seen.size; }"""

    def test_printing(self):
        """Charts that have not been seen are printed, light, with the robot's picture; afterwards all is as it was."""
        page = self.page("experiment_2", 1280, 700, "dark")
        theme = page.run("document.documentElement.dataset.theme = 'dark'")
        seen = page.run("document.querySelectorAll('.uplot').length")
        groups = page.run("[...document.querySelectorAll('[data-group]')].filter((e) => e.offsetParent).length")
        self.assertLess(seen, groups)
        sheet = base64.b64decode(page.call("Page.printToPDF")["data"])
        page.run("dispatchEvent(new Event('afterprint')); dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.run("document.querySelectorAll('.uplot').length"), groups)
        self.assertEqual(page.run("document.documentElement.dataset.theme"), "light")
        self.assertGreater(min(page.run(f"[...document.querySelectorAll('.uplot canvas, .printed')].map({self.INKED})")), 20)
        self.assertLessEqual(max(page.run("[...document.querySelectorAll('.uplot')].map((e) => e.clientWidth)")), 700)
        page.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.run("[document.documentElement.dataset.theme ?? null, document.querySelectorAll('.printed').length]"), [theme, 0])
        streams = b"".join(zlib.decompress(part) for part in re.findall(rb"/FlateDecode.*?stream\r?\n(.*?)\r?\nendstream", sheet, re.DOTALL) if part[:1] == b"x")
        self.assertGreaterEqual(streams.count(b".1098 .4941 .8392 RG"), groups)  # a first curve in each chart, in its light colour
        self.quiet(page)

    def test_saving(self):
        """CSV: the points that the charts show, of the time in sight; PNG: the charts on one picture."""
        page = self.page("vehicle", 1000, 2400)
        rows = list(csv.reader(page.run("achdRun.rows()").splitlines()))
        self.assertEqual(rows[0][0], "time [s]")
        column = rows[0].index("force [N]")
        self.assertEqual([(float(r[0]), float(r[column])) for r in rows[1:]], [(k / 100, k % 7) for k in range(300)])
        page.run("achdRun.shared.onZoom([1, 1.5])")
        self.assertEqual(len(page.run("achdRun.rows()").splitlines()), 52)
        page.wait("document.querySelectorAll('.uplot').length > 1")
        self.assertGreater(page.run(f"({self.INKED})(achdRun.chartPicture())"), 20)
        self.quiet(page)

    def test_tables_on_a_phone(self):
        """What is wider than a phone has a shadow that says so; the comparison with what was published fits."""
        page = self.page("experiment_1", 390, 844)
        page.run("for (const d of document.querySelectorAll('details')) d.open = true")
        wide = page.run("[...document.querySelectorAll('.scroll')].map((e) => [e.closest('section').querySelector('h2, summary').textContent, e.scrollWidth - e.clientWidth,"
                        " getComputedStyle(e).backgroundAttachment])")
        self.assertNotIn("Published and ours", [name for name, over, _ in wide if over > 1])
        for _, _, shadow in wide:
            self.assertIn("local", shadow)

    def test_stills(self):
        if not os.path.isfile(os.path.join(FOLDER, "stills.html")):
            self.skipTest("achd-stills is not built")
        page = self.page("stills")
        self.assertEqual(page.run("document.images.length"), 5)
        page.run("for (const i of document.images) i.loading = 'eager'")
        page.wait("[...document.images].every(i => i.complete && i.naturalWidth === 320)")
        self.quiet(page)

    def test_index(self):
        page = self.page("index", 1280, 900, ready=False)
        runs = [name for name in os.listdir(FOLDER) if name.endswith(".html") and name != "index.html"]
        self.assertEqual(page.run("document.querySelectorAll('a.card').length"), len(runs))
        links = page.run("[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))")
        self.assertTrue(all(os.path.isfile(os.path.join(FOLDER, link)) for link in links))
        page.screenshot(os.path.join(FOLDER, f"index{'' if self.WEBGL else '_flat'}.png"))
        self.quiet(page)


class PagesWithoutWebgl(Pages):
    WEBGL = False


if __name__ == "__main__":
    unittest.main()

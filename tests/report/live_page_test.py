# SPDX-License-Identifier: MIT
"""live_page_test.py ACHD_LIVE LOOP RUN KEEP: the page of a loop while it runs, in a headless Chromium: every row arrives, the robot stands as the
last one says, signals scroll, with and without WebGL. RUN: a folder with robot.json; leaves a screenshot in KEEP."""
import os
import re
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

ACHD_LIVE, LOOP, RUN, KEEP = map(os.path.abspath, sys.argv[1:])
CYCLES = 4000


class LivePage(unittest.TestCase):
    WEBGL = True

    def test_a_loop(self):
        with subprocess.Popen([ACHD_LIVE, RUN, "--port", "0"], stdout=subprocess.PIPE, text=True) as server, Browser(webgl=self.WEBGL) as browser:
            try:
                page = browser.open(re.match(r"(\S+) shows ", server.stdout.readline()).group(1), 1280, 1000)
                page.wait("document.documentElement?.dataset.ready === 'yes'")
                if not os.path.exists(f"{RUN}/log.csv"):
                    self.assertIn("Waits for the log", page.run("document.getElementById('said').textContent"))
                with subprocess.Popen([LOOP, RUN, str(CYCLES)], stdout=subprocess.PIPE, text=True) as loop:
                    page.wait("achdLive.rows() > 500 && achdLive.latest()[0] < 3.9")
                    q, before = page.run("achdLive.joints()"), page.run("achdLive.rows()")
                    page.wait(f"achdLive.rows() > {before} + 500")
                    self.assertNotEqual(page.run("achdLive.joints()"), q)
                    self.assertRegex(page.run("document.getElementById('said').textContent"), r"rows a second|Nothing new")
                    page.screenshot(os.path.join(KEEP, f"live{'' if self.WEBGL else '_flat'}.png"))
                    self.assertIn("lost: 0", loop.stdout.read())
                page.wait("achdLive.latest()[0] > 3.9985")
                with open(f"{RUN}/log.csv", encoding="utf-8") as file:
                    log = file.read().splitlines()
                last = dict(zip(log[0].split(","), map(float, log[-1].split(","))))
                self.assertEqual(page.run("achdLive.latest()"), list(last.values()))
                self.assertEqual(page.run("achdLive.joints()"), [last[f"q.joint_{k} [rad]"] for k in range(1, 8)])
                self.assertEqual(page.run("achdLive.wrong()"), 0)
                time.sleep(0.3)
                curves = page.run("achdLive.charts().filter((c) => c.seen).map((c) => c.chart.canvas().width)")
                self.assertGreater(len(curves), 0)
                page.run("document.getElementById('pause').click()")
                self.assertEqual(page.run("document.getElementById('pause').textContent"), "Go on")
                page.wait("document.getElementById('said').textContent.startsWith('Nothing new for')")
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 1280)
                self.assertEqual(page.said, [])
            finally:
                server.terminate()


class LivePageWithoutWebgl(LivePage):
    WEBGL = False


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

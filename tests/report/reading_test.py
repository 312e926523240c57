# SPDX-License-Identifier: MIT
"""reading_test.py: what achd-report makes of logs, good and bad: python3 reading_test.py SOURCE_DIR/report"""
import array
import json
import math
import os
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
REPORT = sys.argv.pop()
sys.path.insert(0, REPORT)
import pages  # noqa: E402
import robot_pages  # noqa: E402
import run_folder  # noqa: E402
import signals  # noqa: E402
import sketch  # noqa: E402

ROBOT = {"robot": "r", "base": {"link": "base", "mass": 1.0}, "joints": [{"name": "a"}, {"name": "b"}],
         "bodies": [{"link": "one", "parent": "base", "type": "revolute", "index": 0, "multiplier": 1, "offset": 0, "p": [0, 0, 1], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                     "axis": [0, 1, 0], "mass": 1, "first_moment": [0, 0, 0]},
                    {"link": "two", "parent": "one", "type": "prismatic", "index": 1, "multiplier": -2, "offset": 0.5, "p": [0, 0, 1], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                     "axis": [0, 0, 1], "mass": 1, "first_moment": [0, 0, 0.1]}],
         "frames": [{"link": "tool", "body": "two", "p": [0.1, 0, 0], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}
LOG = "time [s],q.a [rad],q.b [m],qd.a [rad/s],tau.a [N m],state [1],event.go [1],fault [1]\n" + "".join(
    f"{k / 100},{k / 50},{k / 100},2,3,{k // 40},{int(k == 40)},{1 if k > 80 else 0}\n" for k in range(100))


class Folder(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = self.place.name
        self.write("log.csv", LOG)
        self.write("run.json", '{"title": "t"}')

    def tearDown(self):
        self.place.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def refused(self, *wanted):
        with self.assertRaises(run_folder.Mistake) as caught:
            run_folder.read(self.folder)
        for part in wanted:
            self.assertIn(part, str(caught.exception))

    def test_a_run(self):
        self.write("robot.json", json.dumps(ROBOT))
        run = run_folder.read(self.folder)
        self.assertEqual(list(run.signals), ["q.a", "q.b", "qd.a", "tau.a", "state", "event.go", "fault"])
        self.assertEqual(run.signals["q.b"].unit, "m")
        self.assertEqual(run.joints(), ["a", "b"])
        self.assertEqual(run.values("q.a")[50], 1.0)

    def test_joints_by_number(self):
        self.write("robot.json", json.dumps(ROBOT))
        self.write("log.csv", "time [s],q.1 [rad],q.2 [m]\n0,1,2\n1,2,3\n")
        self.assertEqual(run_folder.read(self.folder).joints(), ["1", "2"])

    def test_odd_names(self):
        self.write("log.csv", 'time [s],"a, ""b"" [x] [N m]"\r\n0,nan\r\n1e0,-inf\r\n')
        run = run_folder.read(self.folder)
        self.assertEqual(list(run.signals), ['a, "b" [x]'])
        self.assertTrue(math.isnan(run.values('a, "b" [x]')[0]))

    def test_bad_logs(self):
        head = "time [s],a [1]\n"
        for text, *wanted in (("", "is empty"), ("\n", "is empty"), ("t [s],a [1]\n0,0\n", ":1: the first column is 't [s]'"), ("time [s],a\n0,0\n", ":1: column 2 is 'a'"),
                              ("time [s],a [1],a [1]\n", "two columns have the name a"), (head, "has 0 rows"), (head + "0,1\n", "has 1 rows"),
                              (head + "0,1\n1\n", ":3: has 1 columns"), (head + "0,1\n1,2,3\n", ":3: has 3 columns"), (head + "0,1\n1,x\n", ":3: a is 'x'"),
                              (head + "0,1\n0,1\n", ":3: the time is 0"), (head + "0,1\n-1,1\n", ":3: the time is -1"), (head + "nan,1\n", ":2: the time is nan"),
                              (head + "0,1\n\n2,1\n", ":3: has 0 columns"), (head + '0,"1\n', ":2"), (b"time [s],a\xe4 [1]\n0,1\n", "not UTF-8"),
                              (head + "0,1e\n", ":2: a is '1e'"), (head + "0,1;2\n", ":2: a is '1;2'"), ("time [s];a [1]\n", "")):
            with self.subTest(text=text):
                self.write("log.csv", text)
                self.refused("log.csv", *wanted)

    def test_bad_descriptions(self):
        for text, *wanted in (("", ":1: "), ("[]", "object"), ("{}", "no title"), ('{"title": 3}', "title has to be a text"), ('{"title": " "}', "title has to be"),
                              ('{"title": "t", "colour": 1}', "unknown word 'colour'"), ('{"title": "t",\n "states": "go"}', "states has to be a list of names"),
                              ('{"title": "t", "states": [1]}', "states"), ('{"title": "t", "frames": [{"p": [0, 0], "R": 1}]}', "frames"),
                              ('{"title": "t", "table": [{"ours": 1}]}', "table"), ('{"title": "t", "table": [{"quantity": "q", "ours": NaN}]}', "table"),
                              ('{"title": "t", "cycles": [{"name": "c", "p50": "1"}]}', "cycles"), ('{"title": "t", "stills": ["a.png"]}', "stills"),
                              ('{"title": "t", "base": {"p": [0, 0, 0]}}', "base"), ("[" * 100000, ""), ('{"title": "t"\n "text": 1}', ":2: "), (b'{"title": "\xff"}', "UTF-8")):
            with self.subTest(text=text[:60]):
                self.write("run.json", text)
                self.refused("run.json", *wanted)

    def test_bad_robots(self):
        def broken(change):
            robot = json.loads(json.dumps(ROBOT))
            change(robot)
            return json.dumps(robot)
        for text in ("{}", broken(lambda r: r.pop("bodies")), broken(lambda r: r["bodies"][0].update(parent="x")), broken(lambda r: r["bodies"][0].update(index=2)),
                     broken(lambda r: r["bodies"][0].update(axis=[0, 1])), broken(lambda r: r["frames"][0].update(body="x")), broken(lambda r: r["base"].update(link=[])),
                     broken(lambda r: r["joints"].append(3)), broken(lambda r: r["bodies"].reverse())):
            with self.subTest(text=text[:60]):
                self.write("robot.json", text)
                self.refused("robot.json", "achdgen")

    def test_what_no_picture_can_pose(self):
        for field, what in (("ball.hip", 'ball joint "hip"'), ("linkage_start.ankle", 'linkage "ankle"')):
            with self.subTest(what):
                self.write("robot.json", json.dumps({**ROBOT, "functions": [{"in": {"fields": [{"name": "q"}, {"name": field}]}}]}))
                self.refused("robot.json", what)
        self.write("robot.json", json.dumps({**ROBOT, "functions": [{"in": 3}]}))
        self.refused("robot.json", "achdgen")

    def test_pictures(self):
        assets = type("Assets", (), {"style": "", "script": "", "licences": ""})
        for name, wanted in (("a.png", "no such file"), ("a.exe", "pictures are"), ("../a.png", "in the folder of the run"), ("/etc/x.png", "in the folder")):
            self.write("run.json", json.dumps({"title": "t", "stills": [{"file": name}]}))
            with self.assertRaises(run_folder.Mistake) as caught:
                pages.run_page(run_folder.read(self.folder), assets)
            self.assertIn(wanted, str(caught.exception))

    def test_what_is_judged(self):
        """Green is what is as published: within a bound and far from it is told as such."""
        self.assertIn("good", pages.verdict({"holds": True, "published": 41, "ours": 40}))
        self.assertIn("good", pages.verdict({"holds": True, "ours": 40}))
        self.assertIn("good", pages.verdict({"holds": True, "published": 0, "ours": 0}))
        self.assertEqual(pages.verdict({"holds": True, "published": 41, "ours": 22.7}), "within the bound, 0.55 of what was published")
        self.assertEqual(pages.verdict({"holds": True, "published": 0, "ours": 1}), "within the bound")
        self.assertIn("bad", pages.verdict({"holds": False, "published": 41, "ours": 41}))
        self.assertEqual(pages.verdict({"published": 1, "ours": 1}), "")

    def test_boxes(self):
        pose = {"p": [0, 0, 0], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
        self.write("run.json", json.dumps({"title": "t", "boxes": [{**pose, "size": [1, 2, 3]}]}))
        self.assertEqual(len(run_folder.read(self.folder).about["boxes"]), 1)
        for size in ([1, 2], [1, 2, 0], "x"):
            self.write("run.json", json.dumps({"title": "t", "boxes": [{**pose, "size": size}]}))
            self.refused("boxes has to be")

    def test_a_vehicle_is_drawn(self):
        """A base without joints leaves a path, and is drawn at its start and its end."""
        self.write("robot.json", json.dumps({**ROBOT, "joints": [], "bodies": [], "frames": []}))
        self.write("log.csv", "time [s],base.p_x [m],base.p_y [m],base.p_z [m]\n0,0,0,0\n1,2,0,0\n2,3,1,0\n")
        drawing = sketch.draw(run_folder.read(self.folder))
        self.assertIn('class="path"', drawing)
        self.assertNotEqual(*drawing.split('<g class="robot"')[1:][0:2])
        self.assertEqual(drawing.count("<path d="), 34)

    def test_limits_have_units(self):
        joints = [{"name": "turns", "unit": "rad", "lower": -1, "upper": 1, "velocity": 2, "effort": 55}, {"name": "slides", "unit": "m", "effort": 30}]
        table = robot_pages.joint_table({"joints": joints})
        for text in (">55 N m<", ">2 rad/s<", ">-1 rad<", ">30 N<"):
            self.assertIn(text, table)

    def test_costs_have_both(self):
        functions = [{"c": "r_achd", "operations": {"total": 2999}, "operations_fast": {"total": 2199}}, {"c": "r_fk", "operations": {"total": 50}}]
        table = robot_pages.cost_table({"functions": functions})
        self.assertIn(">2,199</td><td class=\"n\">2,999<", table)
        self.assertIn(">50</td><td class=\"n\">50<", table)

    def test_contrast(self):
        """Words in colour are read on every ground: 4.5 to 1 at least (WCAG 2.1, 1.4.3)."""
        def light(colour):
            parts = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
            parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        with open(os.path.join(REPORT, "page.css"), encoding="utf-8") as file:
            themes = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", line)) for line in file if "--good:" in line]
        self.assertEqual(len(themes), 3)
        for theme in themes:
            for word in ("ink", "soft", "accent", "good", "bad"):
                for ground in ("paper", "card", "view"):
                    a, b = sorted((light(theme[word]), light(theme[ground])))
                    self.assertGreater((b + 0.05) / (a + 0.05), 4.5, (word, ground))

    def test_nothing_ends_the_script(self):
        evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
        assets = type("Assets", (), {"style": "", "script": "", "licences": ""})
        self.write("robot.json", json.dumps(ROBOT))
        self.write("log.csv", LOG.replace("q.a", evil.replace(",", "")).replace("state", "state"))
        self.write("run.json", json.dumps({"title": evil, "text": evil, "source": evil, "command": evil, "states": [evil] * 3, "frames": [],
                                           "table": [{"quantity": evil, "unit": evil, "published": evil, "ours": evil, "bound": evil}], "cycles": [{"name": evil}]}))
        run = run_folder.read(self.folder)
        for text in (pages.run_page(run, assets), pages.index_page(evil, [run], ['a".html'], assets)):
            self.assertNotIn("<script>alert", text)
            self.assertNotIn("<img src=x", text)


class Numbers(unittest.TestCase):
    def test_no_peak_is_lost(self):
        n = 10000
        values = array.array("d", (math.sin(k / 300) for k in range(n)))
        values[1234], values[8765] = 50.0, -50.0
        ranges = signals.buckets(n, 100)
        points, times = signals.decimated(values, ranges), signals.decimated_times(array.array("d", range(n)), ranges)
        self.assertEqual(len(points), 200)
        self.assertEqual(len(times), 200)
        self.assertEqual((min(points), max(points)), (-50.0, 50.0))
        self.assertTrue(all(a <= b for a, b in zip(times, times[1:])))
        for (first, end), low, high in zip(ranges, points[::2], points[1::2]):
            part = values[first:end]
            self.assertEqual(sorted((low, high)), [min(part), max(part)])
            self.assertEqual(low <= high, part.index(min(part)) <= part.index(max(part)))
        self.assertIs(signals.decimated(values, None), values)
        self.assertIsNone(signals.buckets(200, 100))

    def test_what_is_not_finite_makes_gaps(self):
        values = array.array("d", [math.nan, 1, 5, math.inf, math.nan, math.nan, 2, -math.inf])
        points = signals.decimated(values, [(0, 4), (4, 6), (6, 8)])
        self.assertEqual(points[:2].tolist(), [1, 5])
        self.assertTrue(math.isnan(points[2]) and math.isnan(points[3]))
        self.assertEqual(points[4:].tolist(), [2, 2])
        self.assertEqual(signals.spread(values), (1, 8 / 3, 5, 5))
        self.assertIsNone(signals.constant(array.array("d", [math.nan] * 3)))

    def test_bands_and_events(self):
        times = [0.0, 1.0, 2.0, 3.0]
        self.assertEqual(signals.bands(times, [0, 0, 2, 2]), [[0.0, 2.0, 0], [2.0, 3.0, 2]])
        self.assertEqual(signals.bands(times, None), [])
        self.assertEqual(signals.bands(times, [math.nan, -1, 1e99, 0]), [[0.0, 3.0, 0]])
        self.assertEqual(signals.rising(times, [1, 1, 0, 1]), [0.0, 3.0])
        self.assertEqual(signals.faults(times, [0, 8, 10, 0]), [(1.0, ["joint limit"]), (2.0, ["late"])])

    def test_power_and_energy(self):
        times = array.array("d", (k / 1000 for k in range(3142)))
        watts = signals.power([2 * math.sin(2 * t) for t in times], [1.0] * len(times))
        self.assertAlmostEqual(signals.energy(times, watts)[785], 1 - math.cos(2 * 0.785), 5)
        done, taken = signals.work(times, watts)
        self.assertAlmostEqual(done, 2, 4)
        self.assertAlmostEqual(taken, 2, 4)
        self.assertEqual(signals.energy([0.0, 1.0, 2.0], [1.0, math.nan, 1.0]).tolist(), [0, 0, 0])

    def test_periods(self):
        times = [0.001 * k for k in range(1000)] + [1.009]
        said = signals.periods(times)
        self.assertEqual((said["count"], said["p50"], said["p99"], said["longest"]), (1000, 1000000, 1000000, 10000000))

    def test_kinematics(self):
        poses = sketch.forward(ROBOT, [math.pi / 2, 0.1], sketch.IDENTITY)
        tool = sketch.place(poses["two"], [0.1, 0, 0])
        for got, wanted in zip(tool, (1 + 0.5 - 0.2, 0, 1 - 0.1)):
            self.assertAlmostEqual(got, wanted, 12)

    def test_numbers_beyond_float(self):
        import base64
        import struct
        packed = base64.b64decode(signals.base64_of([1.5, 1e300, -math.inf], "f"))
        self.assertEqual(struct.unpack("<3f", packed)[0], 1.5)
        self.assertTrue(all(math.isnan(x) for x in struct.unpack("<3f", packed)[1:]))


class Written(Folder):
    def path(self, name):
        return os.path.join(self.folder, name)

    def test_whole_or_not_at_all(self):
        run_folder.write_whole(self.path("new.html"), b"new")
        with open(self.path("new.html"), "rb") as file:
            self.assertEqual(file.read(), b"new")
        with self.assertRaises(TypeError):
            run_folder.write_whole(self.path("new.html"), "no bytes")
        with self.assertRaises(OSError):
            run_folder.write_whole(self.folder, b"a folder")
        with self.assertRaises(OSError):
            run_folder.write_whole("/dev/full", b"no room" * 100000)
        self.assertEqual(sorted(os.listdir(self.folder)), ["log.csv", "new.html", "run.json"])
        with open(self.path("new.html"), "rb") as file:
            self.assertEqual(file.read(), b"new")

    def test_a_link_stays_a_link(self):
        os.symlink("there.html", self.path("link.html"))
        run_folder.write_whole(self.path("link.html"), b"new")
        self.assertTrue(os.path.islink(self.path("link.html")))
        self.assertTrue(os.path.isfile(self.path("there.html")))

    def test_what_is_read_is_not_written(self):
        os.link(self.path("log.csv"), self.path("hard"))
        os.symlink("log.csv", self.path("soft"))
        for name in ("log.csv", "hard", "soft"):
            with self.assertRaisesRegex(run_folder.Mistake, "would be written over"):
                run_folder.write_whole(self.path(name), b"new", [self.path("absent"), self.path("log.csv")])
        with open(self.path("log.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), LOG)


if __name__ == "__main__":
    unittest.main()

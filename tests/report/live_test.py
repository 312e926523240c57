# SPDX-License-Identifier: MIT
"""live_test.py SOURCE_DIR/report LOOP: achd-live follows logs as they grow, and gives each line once and whole: files in pieces, cut, replaced,
with mistakes; and the log of LOOP (live_loop), a loop that runs at 1 kHz, line by line. BENCH=1: prints the loop's times with a reader and without."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
LOOP = os.path.abspath(sys.argv.pop())
REPORT = os.path.abspath(sys.argv.pop())
sys.path.insert(0, REPORT)
import following  # noqa: E402

HEAD = b'time [s],q.1 [rad],"odd, name [N m]"\n'
COLUMNS = [["time", "s"], ["q.1", "rad"], ["odd, name", "N m"]]


class Following(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.place.name, "log.csv")

    def tearDown(self):
        self.place.cleanup()

    def add(self, data):
        with open(self.path, "ab") as file:
            file.write(data)

    def everything(self, follower):
        found = []
        for one in iter(follower.read, None):
            found.append(one)
        return found

    def test_each_line_once_and_whole(self):
        follower = following.Follower(self.path)
        self.assertIsNone(follower.read())
        lines = [f"{k},{k / 3},nan" for k in range(200)]
        text, found = HEAD + "".join(line + "\r\n" for line in lines).encode(), []
        for k in range(0, len(text), 7):  # in pieces that end in the middle of numbers
            self.add(text[k:k + 7])
            found += self.everything(follower)
        self.assertEqual(found[0], ("columns", COLUMNS))
        self.assertTrue(all(kind == "rows" for kind, _ in found[1:]))
        self.assertEqual([line for _, rows in found[1:] for line in rows], lines)
        follower.restart()

    def test_another_run(self):
        follower = following.Follower(self.path)
        self.add(HEAD + b"0,1,2\n1,2,3\n")
        self.assertEqual(self.everything(follower)[1], ("rows", ["0,1,2", "1,2,3"]))
        with open(self.path, "wb") as file:  # cut, as fopen does
            file.write(b"time [s],a [1]\n")
        self.assertEqual(self.everything(follower), [("columns", [["time", "s"], ["a", "1"]])])
        os.unlink(self.path)
        self.assertEqual(self.everything(follower), [])
        self.add(HEAD + b"0,5,6\n")
        self.assertEqual(self.everything(follower), [("columns", COLUMNS), ("rows", ["0,5,6"])])
        follower.restart()

    def test_a_late_reader(self):
        """Of a long log, one that does not want all gets its end, beginning with a whole line."""
        self.add(HEAD + b"".join(b"%d,0.123456789,1\n" % k for k in range(400000)))
        follower = following.Follower(self.path, whole=False)
        found = self.everything(follower)
        follower.restart()
        rows = [line for kind, some in found if kind == "rows" for line in some]
        first = int(rows[0].split(",")[0])
        self.assertGreater(first, 100000)
        self.assertEqual([int(line.split(",")[0]) for line in rows], list(range(first, 400000)))

    def test_mistakes_are_told_once(self):
        for text, wanted in ((b"no log\n", "log.csv:1: column 1 is 'no log'"), (b"t [s],a [1]\n", "the first column"), (b"\xff\n", "log.csv:1: "), (b'"a\n', "log.csv:1: ")):
            with open(self.path, "wb") as file:
                file.write(text)
            follower = following.Follower(self.path)
            kind, said = follower.read()
            self.assertEqual(kind, "mistake")
            self.assertIn(wanted, said)
            self.assertIsNone(follower.read())
            with open(self.path, "wb") as file:
                file.write(HEAD)
            self.assertEqual(follower.read(), ("columns", COLUMNS))
            follower.restart()


class Live(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = self.place.name
        command = [sys.executable, os.path.join(REPORT, "achd_live.py"), self.folder, "--port", "0", "--no-page"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = re.match(r"(http://127.0.0.1:\d+/) shows ", self.server.stdout.readline()).group(1)

    def tearDown(self):
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()
        self.place.cleanup()

    def streamed(self, rows, address="stream?from=start"):
        """Events of the stream, until it has given so many rows."""
        events, kind, data = [], None, []
        with urllib.request.urlopen(self.address + address, timeout=60) as stream:
            while sum(len(data) for kind, data in events if kind == "rows") < rows:
                line = stream.readline().decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    data.append(line[6:])
                elif line == "" and kind:
                    events.append((kind, data))
                    kind, data = None, []
        return events

    def test_the_stream_is_the_log(self):
        """Every row of a loop at 1 kHz, with the digits of the file; 30 messages a second at most."""
        cycles = 1500
        loop = subprocess.Popen([LOOP, self.folder, str(cycles)], stdout=subprocess.PIPE, text=True)
        began = time.monotonic()
        events = self.streamed(cycles)
        took = time.monotonic() - began
        said, _ = loop.communicate()
        self.assertEqual(loop.returncode, 0, said)
        self.assertIn(f"rows written: {cycles}, lost: 0", said)
        with open(os.path.join(self.folder, "log.csv"), encoding="utf-8") as file:
            log = file.read().splitlines()
        self.assertEqual([kind for kind, _ in events], ["columns"] + ["rows"] * (len(events) - 1))
        self.assertEqual([f"{name} [{unit}]" for name, unit in json.loads(events[0][1][0])], log[0].split(","))
        self.assertEqual([line for kind, data in events if kind == "rows" for line in data], log[1:])
        self.assertEqual(len(log), 1 + cycles)
        self.assertLessEqual(len(events), 2 + 31 * took)
        self.assertGreater(len(events), 5)  # as it grew, and not at its end

    def test_two_readers(self):
        """A reader that comes late, and a second one, get all of it."""
        with open(os.path.join(self.folder, "log.csv"), "wb") as file:
            file.write(HEAD + b"0,1,2\n1,2,3\n")
        for address in ("stream?from=start", "stream"):
            self.assertEqual(self.streamed(2, address), [("columns", [json.dumps(COLUMNS)]), ("rows", ["0,1,2", "1,2,3"])])

    def test_others_are_refused(self):
        for address, host, wanted in (("", None, 404), ("../log.csv", None, 404), ("stream", "evil.example", 403)):
            request = urllib.request.Request(self.address + address, headers={"Host": host} if host else {})
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(request, timeout=10)
            self.assertEqual(caught.exception.code, wanted)
            caught.exception.close()

    def test_mistakes(self):
        for arguments, wanted in (([self.folder + "/nowhere/log.csv"], "is no folder"), ([self.folder, "--port", "99999"], "ports are"),
                                  ([self.folder, "--port", self.address.split(":")[2].strip("/")], "Address already in use")):
            said = subprocess.run([sys.executable, os.path.join(REPORT, "achd_live.py"), "--no-page", *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(said.returncode, 1)
            self.assertIn(wanted, said.stderr)
            self.assertEqual(said.stderr.count("\n"), 1)


@unittest.skipUnless(shutil.which("node"), "no node")
class Trace(unittest.TestCase):
    """trace.js: no peak of the last seconds is lost, older ones leave, what is not finite is a gap."""

    SCRIPT = """
import { createTrace, grouped, numbers } from "./trace.mjs";
const trace = createTrace(2, 100, 2);
for (let k = 0; k < 5000; k++) trace.put([k / 1000, Math.sin(k / 50) + (k === 4321 ? 9 : 0), k >= 4000 && k < 4100 ? NaN : k === 1000 ? 99 : 1]);
const [x, a, b] = trace.points([0, 1]);
console.log(JSON.stringify({ n: x.length, first: x[0], last: x.at(-1), peak: Math.max(...a), least: Math.min(...a), gaps: b.filter((v) => v === null).length,
  rising: x.every((t, i) => i === 0 || t > x[i - 1]), old: Math.max(...b.filter((v) => v !== null)), row: numbers("1.5,nan,inf,-inf,x,").map(String),
  groups: grouped([["time", "s"], ["q.1", "rad"], ["q.2", "m"], ["state", "1"], ["event.go", "1"], ["q.3", "rad"], ["error.x", "m"]], ["error", "q"]) }));
"""

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(REPORT, "trace.js"), os.path.join(folder, "trace.mjs"))
            with open(os.path.join(folder, "run.mjs"), "w", encoding="utf-8") as file:
                file.write(self.SCRIPT)
            got = json.loads(subprocess.run(["node", os.path.join(folder, "run.mjs")], capture_output=True, text=True, check=True).stdout)
        self.assertEqual((got["n"], got["old"], got["rising"]), (200, 1, True))
        self.assertIn(got["gaps"], (8, 10))  # 0.1 s of intervals of 0.02 s, whose ends may have other rows
        self.assertTrue(2.98 < got["first"] < 3.02 and got["last"] < 5)
        self.assertGreater(got["peak"], 8)
        self.assertLess(got["least"], -0.999)
        self.assertEqual(got["row"], ["1.5", "NaN", "Infinity", "-Infinity", "NaN", "NaN"])
        self.assertEqual([(g["title"], g["unit"], [c["s"] for c in g["curves"]]) for g in got["groups"]], [("error", "m", [5]), ("q", "rad", [0, 4]), ("q", "m", [1])])


def bench(seconds):
    """The times of the loop without a reader and with one, in turns, since a machine's load changes."""
    for turn in range(3):
        for read in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                server = reader = None
                if read:
                    server = subprocess.Popen([sys.executable, os.path.join(REPORT, "achd_live.py"), folder, "--port", "0", "--no-page"], stdout=subprocess.PIPE, text=True)
                    address = server.stdout.readline().split()[0]
                    reader = subprocess.Popen([sys.executable, "-c", f"import urllib.request\nfor line in urllib.request.urlopen('{address}stream?from=start'): pass"])
                said = subprocess.run([LOOP, folder, str(1000 * seconds)], capture_output=True, text=True, check=False).stdout
                for process in filter(None, (reader, server)):
                    process.kill()
                    process.wait()
                if server:
                    server.stdout.close()
            print(f"{'with' if read else 'without'} a reader, {seconds} s, turn {turn + 1}:\n  " + said.strip().replace("\n", "\n  "), flush=True)


if __name__ == "__main__":
    if os.environ.get("BENCH"):
        bench(int(os.environ["BENCH"]))
    else:
        unittest.main()

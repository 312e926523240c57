# SPDX-License-Identifier: MIT
"""faults.py write|check SOURCE_DIR BUILD_TESTS_DIR: docs/faults.md, what each fault does to a robot that the loop leads, from the
runs of the tests. `write` runs all of them (a minute) and writes tests/contact/faults.txt, their rows, and the tables
of the page; `check` compares the page with the rows, and the rows with those of a few runs. In both no joint goes farther than the
way of a brake and 0.05 rad without a reason that its run has printed."""
import os
import subprocess
import sys
from pathlib import Path

how, source, build = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
rows_file, page_file = source / "tests/contact/faults.txt", source / "docs/faults.md"
FAULTS = {1: "NOT_FINITE", 2: "LATE", 4: "UNUSABLE", 8: "LIMIT", 16: "SATURATED", 32: "SINGULAR", 64: "STALE", 128: "IMPLAUSIBLE",
          256: "BLIND", 512: "DRIVES", 1024: "MOTOR", 2048: "TOOL", 65536: "the event `pushed`", 131072: "the event `force`"}
ARMS = ("gen3", "ur5e", "fetch")


def programs(all_of_them):
    """Commands, each of which prints rows."""
    world = build / "contact"
    for arm in ARMS:
        yield [world / f"contact_faults_{arm}", world / f"{arm}_loop" / "arm.xml"]
    yield [build / "runtime" / "runtime_sensor_faults", "tables" if all_of_them else "sample"]
    yield [build / "robif2b" / "robif2b_fault"] + ([] if all_of_them else ["sample"])


def collect(all_of_them):
    environment = {k: v for k, v in os.environ.items() if k != "ACHD_SWEEP"}
    environment["ACHD_SIM"] = ""
    if all_of_them:
        environment["ACHD_SWEEP"] = "1"
    rows = []
    for command in programs(all_of_them):
        if not command[0].exists():
            print("skipped:", command[0].name, "is not built")
            sys.exit(77)
        done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout[-2000:])
            sys.exit(f"{command[0].name} failed")
        rows += [line[4:].split("|") for line in done.stdout.splitlines() if line.startswith("row|")]
    return rows


def group(row):
    """Which table a row belongs to."""
    return "drives" if row[0] == "drives" else "sensors" if " of " in row[7] else "world"


def unexplained(row):
    """Whether a joint of this row goes too far, or a fault with all options is not detected, and the row does not say why."""
    if group(row) == "drives":
        return float(row[7]) >= 1
    unseen = group(row) == "world" and row[3] == "with" and float(row[6]) < 0
    return (float(row[8]) > 0 or unseen) and not row[9]


def reasons(bits):
    return ", ".join(name for bit, name in FAULTS.items() if int(bits) & bit) or "not detected"


def cell(rows):
    """The worst of some rows: travel, speed."""
    if not rows:
        return "", ""
    return f"{max(float(r[4]) for r in rows):.2f}", f"{max(float(r[5]) for r in rows):.2f}"


def kinds(rows, column):
    return list(dict.fromkeys(r[column] for r in rows))


class Notes:
    """The reasons of a table: one for each fault and text, with the range of the numbers that stand between @ in its rows."""

    def __init__(self):
        self.texts = {}

    def mark(self, rows):
        """The numbers of the reasons of these rows of one fault."""
        numbers = []
        for row in rows:
            if row[9]:
                words = row[9].split("@")
                key = (row[1], tuple(words[::2]))
                self.texts.setdefault(key, []).append(words[1::2])
                numbers.append(list(self.texts).index(key) + 1)
        return "".join(f" ({number})" for number in dict.fromkeys(numbers))

    def lines(self):
        """The reasons as a list."""
        out = []
        for number, ((fault, words), values) in enumerate(self.texts.items(), 1):
            text = words[0]
            for after, column in zip(words[1:], zip(*values)):
                least, most = min(column, key=float), max(column, key=float)
                text += (least if least == most else f"{least} to {most}") + after
            out.append(f"{number}. {fault[0].upper() + fault[1:]}: {text}.")
        return out


def table_of_world(rows):
    lines = ["| fault | state | with: travel, speed, fault raised | without: travel, speed, fault raised |", "|---|---|---|---|"]
    notes = Notes()
    for fault in kinds(rows, 1):
        for state in kinds(rows, 2):
            line = f"| {fault} | {state} |"
            for option in ("with", "without"):
                here = [r for r in rows if r[1:4] == [fault, state, option]]
                said = sorted({reasons(r[7]) for r in here})
                line += " {} rad{}, {} m/s, {} |".format(cell(here)[0], notes.mark(here), cell(here)[1], " or ".join(said))
            lines.append(line)
    return lines + [""] + notes.lines()


def table_of_sensors(rows):
    moments, notes = kinds(rows, 2), Notes()
    lines = ["| one joint's sensor: | " + " | ".join(moments) + " |", "|---|" + "---|" * len(moments)]
    for kind in kinds(rows, 1):
        line = f"| {kind} |"
        for moment in moments:
            both = []
            for option in ("with", "without"):
                here = [r for r in rows if r[1:4] == [kind, moment, option]]
                both.append("{} rad{}, {} rad/s".format(cell(here)[0], notes.mark(here), cell(here)[1]))
            line += f" {both[0]}; {both[1]} |"
        lines.append(line)
    return lines + [""] + notes.lines()


def table_of_drives(rows):
    machines = kinds([[r[2].split(" of ")[1]] for r in rows], 0)
    lines = ["| fault | fault raised | " + " | ".join(machines) + " | part of what is allowed |", "|---|---|" + "---|" * len(machines) + "---|"]
    for fault in kinds(rows, 1):
        here = [r for r in rows if r[1] == fault]
        line = f"| {fault} | {' or '.join(sorted({reasons(r[6]) for r in here}))} |"
        for machine in machines:
            both = [cell([r for r in here if r[2].endswith(" of " + machine) and r[3] == option])[0] for option in ("with", "without")]
            line += f" {both[0]} ({both[1]}) |"
        lines.append(line + f" {max(float(r[7]) for r in here):.2f} |")
    return lines


def page(rows):
    """The page, with the tables between its marks."""
    text, make = page_file.read_text(encoding="utf-8"), {"world": table_of_world, "sensors": table_of_sensors, "drives": table_of_drives}
    for name, table in make.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, rest = text.split(begin)
        _, after = rest.split(end)
        text = before + begin + "\n" + "\n".join(table([r for r in rows if group(r) == name])) + "\n\n" + end + after
    return text


def same(a, b):
    """Two rows of one run: travel and speed as far as compilers' rounding lets chaotic control agree, the reason, if there is one."""
    for i in (4, 5):
        if abs(float(a[i]) - float(b[i])) > 0.02 + 0.2 * float(b[i]):
            return False
    return group(a) != "world" or a[7] == b[7]


def all_explained(rows):
    """Says which rows are not."""
    odd = [row for row in rows if unexplained(row)]
    for row in odd:
        print("too far, or not detected, without a reason:", "|".join(row))
    return len(odd)


def check():
    rows = [line.split("|") for line in rows_file.read_text(encoding="utf-8").splitlines()]
    failed = 0
    if page(rows) != page_file.read_text(encoding="utf-8"):
        print("docs/faults.md is not what tests/contact/faults.txt makes: faults.py write")
        failed += 1
    known = {tuple(r[:4]): r for r in rows}
    few = collect(False)
    failed += all_explained(rows) + all_explained(few)
    for row in few:
        want = known.get(tuple(row[:4]))
        if want is None or not same(row, want):
            print("now:", "|".join(row), "\nwas:", "|".join(want) if want else "not there")
            failed += 1
    print(f"{len(rows)} rows, {len(few)} of them run again, {failed} failed")
    return failed == 0 and len(few) > 20


if how == "write":
    everything = collect(True)
    if all_explained(everything):
        sys.exit(1)
    rows_file.write_text("".join("|".join(row) + "\n" for row in everything), encoding="utf-8")
    page_file.write_text(page(everything), encoding="utf-8")
else:
    sys.exit(0 if check() else 1)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""planted.py SOURCE_DIR: each line of the lists of planted mistakes (*mutants.txt) has its text in its file on one line alone.

Tests plant a sample of each list; this looks at all lines, so that none rots until its turn comes."""
import pathlib
import sys


def main():
    top = pathlib.Path(sys.argv[1])
    scripts = {path.name: path.read_text().splitlines() for path in (top / "generator/lua").rglob("*.lua")}
    lists = sorted((top / "tests").rglob("*mutants.txt"))
    mistakes = failed = 0
    for path in lists:
        runtime = path.parent.name == "runtime"
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if not text or text.startswith("#"):
                continue
            fields = text.split("@" if runtime else "|")
            if not runtime and not fields[0].endswith(".lua"):  # the case that notices it stands first
                fields = fields[1:]
            name, old = fields[0], fields[1]
            lines = (top / "runtime" / name).read_text().splitlines() if runtime else scripts.get(name, [])
            mistakes += 1
            there = sum(old in line for line in lines)
            if there != 1:
                failed += 1
                print(f"FAILED: {path}:{number}: on {there} lines of {name} stands: {old}")
    print(f"{mistakes} planted mistakes of {len(lists)} lists, {failed} have no place")
    return failed > 0 or not mistakes


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""describe.py DESCRIPTION COLUMNS: a description of --describe json, held against the columns of its first function, and
turned into C that asserts every size and place that it states of the header's structs (to standard output)."""

import json
import re
import sys


def fail(what):
    sys.exit("describe.py: " + what)


def no_twice(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        fail("a member stands twice among %s" % names)
    return dict(pairs)


def units_by_number(text):
    """"m/s^2: rows 0 to 2 and 6; rad/s^2: row 3": the unit of each number."""
    units = {}
    for part in text.split("; "):
        unit, numbers = part.split(": ")
        for run in re.split(", | and ", re.sub("^(row|joint)s? ", "", numbers)):
            ends = [int(k) for k in run.split(" to ")]
            for k in range(ends[0], ends[-1] + 1):
                if k in units:
                    fail("%s: %d has two units" % (text, k))
                units[k] = unit
    return units


def check_units(field, size, header):
    """The units of a field, in words, are those of its elements in their order, and the header says the same."""
    units, elements = field["units"], field["elements"]
    distinct = list(dict.fromkeys(e["unit"] for e in elements)) or ["1"]
    if field["shape"] not in ("joints", "rows", "masks", "set_points", "bounds", "compliances"):
        if units != ", ".join(distinct):
            fail("%s: the units are %s, and not %s" % (field["name"], distinct, units))
        return
    if len(distinct) == 1 and units != distinct[0]:
        fail("%s: the unit is %s, and not %s" % (field["name"], distinct[0], units))
    if len(distinct) > 1 and units_by_number(units) != {(e["offset"] - field["offset"]) // size: e["unit"] for e in elements}:
        fail("%s: the units are not %s" % (field["name"], units))
    if len(distinct) > 1 and [p.split(": ")[0] for p in units.split("; ")] != distinct:
        fail("%s: the units of %s are not in the order of the elements" % (field["name"], units))
    if units != "1" and "%s [%s]" % (field["doc"], units) not in header:
        fail("%s: the header does not say [%s]" % (field["name"], units))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        described = json.load(file, object_pairs_hook=no_twice)
    prefix, size = described["prefix"], {"float": 4, "double": 8}[described["real"]]
    types = {t["name"]: t["bytes"] for t in described["types"]}
    types[prefix + "_real"] = size

    with open(sys.argv[2], encoding="utf-8") as file:
        columns = [line.split() for line in file if line.startswith(("in ", "out ")) and line != "out status 1\n"]
    first = described["functions"][0]
    ours = [[side, e["column"], e["unit"]] for side in ("in", "out") for f in first[side]["fields"] for e in f["elements"]]
    if [c[:2] + [" ".join(c[2:])] for c in columns] != ours:
        fail("the elements are not the columns")

    with open("robot.h", encoding="utf-8") as file:
        header = re.sub(r"\n *\* ", " ", file.read())

    print('#include "robot.h"\n#include <stddef.h>')
    asserted = 0

    def assert_that(condition):
        nonlocal asserted
        print("_Static_assert(%s, \"\");" % condition)
        asserted += 1

    for t in described["types"]:
        assert_that("sizeof(%s) == %d" % (t["name"], t["bytes"]))
        for m in t["members"]:
            assert_that("offsetof(%s, %s) == %d" % (t["name"], m["name"], m["offset"]))
    for i, joint in enumerate(described["joints"]):
        assert_that("%s == %d && %d == %d" % (joint["enumerator"], joint["index"], joint["index"], i))
    for row in described["rows"]:
        assert_that("%s == %d" % (row["enumerator"], row["index"]))
    for bit in described["status"]:
        assert_that("%s_%s == %d" % (described["macros"], bit["name"], bit["bit"]))
        assert_that("%d == ((%s_DO_NOT_COMMAND & %d) != 0)" % (bit["do_not_command"], described["macros"], bit["bit"]))
    for function in described["functions"]:
        arguments = ", ".join(
            ("" if p["output"] else "const ") + p["type"] + " *" for p in function["parameters"])
        print("%s_status (*const test_%s)(%s) = %s;" % (prefix, function["name"], arguments, function["c"]))
        assert_that("%s_%s_SHAPE == %s" % (described["macros"], function["name"].upper(), function["shape"]))
        for side in ("in", "out"):
            if side not in function:
                continue
            struct = function[side]
            assert_that("sizeof(%s) == %d" % (struct["type"], struct["bytes"]))
            end = 0
            for f in struct["fields"]:
                check_units(f, size, header)
                assert_that("offsetof(%s, %s) == %d" % (struct["type"], f["name"], f["offset"]))
                count = 1
                for n in f["dims"]:
                    count *= n
                assert_that("sizeof(((%s *)0)->%s) == %d" % (struct["type"], f["name"], count * types[f["type"]]))
                end = max(end, f["offset"] + count * types[f["type"]])
                for e in f["elements"]:
                    assert_that("offsetof(%s, %s) == %d" % (struct["type"], e["c"], e["offset"]))
            if end != struct["bytes"]:
                fail("%s: its fields end at %d of %d bytes" % (struct["type"], end, struct["bytes"]))
    for body in described["bodies"]:
        if body["parent"] not in [described["base"]["link"]] + [b["link"] for b in described["bodies"]]:
            fail("the parent of %s is no body" % body["link"])
    if not all(re.fullmatch("[0-9a-f]{16}", i["fnv1a"]) for i in described["inputs"]):
        fail("a hash is none")
    if asserted < 20:
        fail("hardly anything is described")


main()

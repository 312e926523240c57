# SPDX-License-Identifier: MIT
"""shared.py LIBRARY DESCRIPTION SEED APART: of every function of a shared library: its NAME_F_many over arrays of states gives what the
function gives state by state, bits and status (APART: numbers so far apart, of themselves, are not told), for numbers of states around those of a batch. The library is read by what it
tells of itself alone, which has to be DESCRIPTION (a file). Prints the states per second of the first function."""

import ctypes
import itertools
import json
import random
import struct
import sys
import time


def fail(what):
    sys.exit("shared.py: " + what)


library = ctypes.CDLL(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    described = file.read()
prefix = json.loads(described)["prefix"]
first = ctypes.c_char_p.in_dll(library, prefix + "_description")
pointers = ctypes.cast(ctypes.addressof(first), ctypes.POINTER(ctypes.c_char_p))
told = "".join(line.decode("utf-8") + "\n" for line in itertools.takewhile(lambda line: line is not None, pointers))
if told != described:
    fail("the library describes itself otherwise than --describe json does")
description = json.loads(told)
real = "f" if description["real"] == "float" else "d"
bytes_of_real = struct.calcsize(real)
random.seed(int(sys.argv[3]))
apart = float(sys.argv[4])

structs = {}
for function in description["functions"]:
    for side in ("in", "out"):
        if side in function:
            structs[function[side]["type"]] = function[side]


def random_state(kind):
    """The bytes of a struct: random inputs in range, now and then a NaN."""
    state = bytearray(structs[kind]["bytes"])
    for field in structs[kind]["fields"]:
        for element in field["elements"]:
            value = element["default"] if element["default"] else random.uniform(-1, 1)
            if field["shape"] == "quaternion" or field["name"].split(".")[-1] in ("mass", "com"):
                value = element["default"]
            if random.random() < 0.0005:
                value = float("nan")
            struct.pack_into(real, state, element["offset"], value)
    return bytes(state)


def call(name, *arguments):
    function = getattr(library, name)
    function.restype = ctypes.c_uint
    return function(*arguments)


functions = description["functions"]
for function in functions:
    name = f"{prefix}_{function['name']}"
    for what, value in (("shape", int(function["shape"], 16)), ("in_size", structs[function["parameters"][0]["type"]]["bytes"]),
                        ("out_size", function["out"]["bytes"])):
        if ctypes.c_uint.in_dll(library, f"{name}_{what}").value != value:
            fail(f"{name}_{what} is not {value}")
    batch = description["batch"] or 1
    for n in (0, 1, batch - 1, batch, batch + 1, 3 * batch, 1500 if function is functions[0] else 20):
        given = []  # one array of each parameter but out
        for parameter in function["parameters"][:-1]:
            kind = parameter["type"]
            if kind in structs and "default" in structs[kind]["fields"][0]["elements"][0]:
                given.append(b"".join(random_state(kind) for _ in range(n)))
            elif kind in structs:  # results of the function that it comes after
                results = ctypes.create_string_buffer(structs[kind]["bytes"] * n + 1)
                before = next(f for f in functions if f["out"]["type"] == kind)
                for i in range(n):
                    size = structs[before["parameters"][0]["type"]]["bytes"]
                    call(f"{prefix}_{before['name']}", given[0][i * size:(i + 1) * size],
                         ctypes.byref(results, i * structs[kind]["bytes"]))
                given.append(results.raw[:-1])
            else:
                rows = parameter["dims"][0]
                given.append(struct.pack(f"{n * rows}{real}", *(random.uniform(-5, 5) for _ in range(n * rows))))
        size = function["out"]["bytes"]
        out, status = ctypes.create_string_buffer(b"\x55" * (size * n + 8)), (ctypes.c_uint * (n + 1))(*[99] * (n + 1))
        call(name + "_many", ctypes.c_size_t(n), *given, out, status)
        if status[n] != 99 or out.raw[size * n:size * n + 8] != b"\x55" * 8:
            fail(f"{name}_many writes behind its {n} states")
        for i in range(n):
            one = ctypes.create_string_buffer(size)
            sizes = [len(g) // n for g in given]
            single = call(name, *(g[i * s:(i + 1) * s] for g, s in zip(given, sizes)), one)
            if single != status[i]:
                fail(f"{name}_many: status {status[i]} of state {i} of {n}, {single} alone")
            a, b = one.raw[:size], out.raw[i * size:(i + 1) * size]
            if a != b:
                used = [e["offset"] for f in function["out"]["fields"] for e in f["elements"]]
                for o in used:
                    x, y = struct.unpack_from(real, a, o)[0], struct.unpack_from(real, b, o)[0]
                    if not (x == y or (x != x and y != y) or abs(x - y) <= apart * (1 + abs(x))):
                        fail(f"{name}_many: state {i} of {n} has {y!r} at byte {o}, {x!r} alone")

function = functions[0]
name, n = f"{prefix}_{function['name']}", 20000
if "in" in function:
    states = random_state(function["in"]["type"]) * n
    out, status = ctypes.create_string_buffer(function["out"]["bytes"] * n), (ctypes.c_uint * n)()
    best = 1e9
    for _ in range(5):
        start = time.perf_counter()
        call(name + "_many", ctypes.c_size_t(n), states, out, status)
        best = min(best, time.perf_counter() - start)
    print(f"{name}_many: {n / best / 1e6:.2f} million states a second")

"""Calls the functions of a shared library made by achdgen, by ctypes; standard library only. (With NumPy, use the package in
python/, which generates and compiles as well.)

    arm = achd.load("libgen3.so", shapes={"achd": 0x7a7fe74c})
    i = arm.achd.In()
    i.q[:] = [0, 0.26, 3.14, -2.27, 0, 0.96, 1.57]
    i.b[arm.TOOL_LIN_Z] = 1
    status, out = arm.achd(i)

The library describes itself: fields, their order and sizes are those of its structs, the names of joints, rows and status
bits those of its enumerators, without the prefix. A program that was written for other fields stops: it names the shapes
that it expects. NumPy sees a field without a copy: numpy.ctypeslib.as_array(i.q).
"""

import ctypes
import itertools
import json
import re
from pathlib import Path


class Mismatch(Exception):
    """The library and the program are not of the same making."""


class Function:
    """NAME_F of the library: In and Out are its structs, shape its NAME_F_SHAPE."""

    def __init__(self, call, In, Out, shape):
        self.In, self.Out, self.shape = In, Out, shape
        self._call = call
        call.restype = ctypes.c_uint
        call.argtypes = [ctypes.POINTER(In), ctypes.POINTER(Out)]

    def __call__(self, values):
        """(status, Out) of an In."""
        out = self.Out()
        return self._call(ctypes.byref(values), ctypes.byref(out)), out


class Robot:
    """The functions and enumerators of a library, by their names without the prefix."""


def _array(kind, dims):
    for size in reversed(dims):
        kind = kind * size
    return kind


def _struct(name, fields, types):
    """The ctypes structure of a description's fields; those whose names share what is before a dot are a struct inside."""
    members = []
    for key, group in itertools.groupby(fields, lambda field: field["name"].split(".")[0]):
        group = list(group)
        if group[0]["name"] == key:
            members.append((key, _array(types[group[0]["type"]], group[0]["dims"])))
        else:
            inner = [dict(field, name=field["name"].split(".", 1)[1]) for field in group]
            members.append((key, _struct(f"{name}_{key}", inner, types)))
    return type(name, (ctypes.Structure,), {"_fields_": members})


def _describe(library, path):
    """The description inside a library, which is named after the prefix of its functions."""
    name = re.sub("^lib", "", Path(path).name.split(".")[0])
    for prefix in (name, name + "f"):  # of double, of float
        try:
            first = ctypes.c_char_p.in_dll(library, prefix + "_description")
            break
        except ValueError:
            pass
    else:
        raise Mismatch(f"{path} has no {name}_description: make it by achd_generate(... SHARED) or achdgen --mode shared")
    lines = ctypes.cast(ctypes.addressof(first), ctypes.POINTER(ctypes.c_char_p))
    return json.loads(b"\n".join(itertools.takewhile(lambda line: line is not None, lines)))


def load(path, shapes=None):
    """The Robot of a shared library. shapes: {function: the shape that the caller was written for}."""
    library = ctypes.CDLL(path)
    described = _describe(library, path)
    prefix = described["prefix"]
    types = {f"{prefix}_real": ctypes.c_double if described["real"] == "double" else ctypes.c_float}
    for kind in described["types"]:
        types[kind["name"]] = _struct(kind["name"], [dict(m, type=f"{prefix}_real") for m in kind["members"]], types)
    for function in described["functions"]:
        for side in ("in", "out"):
            if side in function:
                struct = function[side]
                types[struct["type"]] = _struct(struct["type"], struct["fields"], types)
                if ctypes.sizeof(types[struct["type"]]) != struct["bytes"]:
                    raise Mismatch(f"{path}: {struct['type']} has {struct['bytes']} bytes")
    robot = Robot()
    robot.OK = 0
    robot.NJ, robot.NR = len(described["joints"]), len(described["rows"])
    for item in [*described["joints"], *described["rows"]]:
        setattr(robot, item["enumerator"][len(described["macros"]) + 1:], item["index"])
    for bit in described["status"]:
        setattr(robot, bit["name"], bit["bit"])
    robot.DO_NOT_COMMAND = sum(bit["bit"] for bit in described["status"] if bit["do_not_command"])
    for function in described["functions"]:
        name, shape = function["name"], int(function["shape"], 16)
        if name in (shapes or {}) and shapes[name] != shape:
            raise Mismatch(f"{path} has shape {shape:#x} for {name}, the program was written for {shapes[name]:#x}")
        if not function["after"]:
            In, Out = types[function["in"]["type"]], types[function["out"]["type"]]
            setattr(robot, name, Function(getattr(library, function["c"]), In, Out, shape))
    return robot

"""Calls the functions of a generated header, compiled into a shared library, by ctypes; standard library only.

    arm = achd.load("libgen3.so", "gen3_achd.h", shapes={"achd": 0x7a7fe74c})
    i = arm.achd.In()
    i.q[:] = [0, 0.26, 3.14, -2.27, 0, 0.96, 1.57]
    i.b[arm.TOOL_LIN_Z] = 1
    status, out = arm.achd(i)

The fields, their order and sizes are those of the header's structs, the names of joints, rows and status bits those of
its enumerators, without the prefix. What the library says of itself (achd_generate(... SHARED)) is compared with the
header: a library that was made from another layout is an error, and so is a shape that the caller did not expect.
NumPy sees a field without a copy: numpy.ctypeslib.as_array(i.q).
"""

import ctypes
import functools
import re


class Mismatch(Exception):
    """The library, the header and the program are not of the same making."""


class Function:
    """NAME_F of the header: In and Out are its structs, shape its NAME_F_SHAPE."""

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
    """The functions and enumerators of a header, by their names without the prefix."""


def _size(text, constants):
    """[GEN3_NJ * (GEN3_NJ + 1) / 2][3] as [28, 3]."""
    if not re.fullmatch(r"[\w\s*+()/\[\]]*", text):
        raise Mismatch(f"array size {text!r}")
    return [eval(size.replace("/", "//"), {"__builtins__": {}}, constants) for size in re.findall(r"\[(.*?)\]", text)]


def _fields(lines, types, constants, name):
    """ctypes fields of the declarations up to the closing brace."""
    fields = []
    for line in lines:
        if line.startswith("}"):
            break
        if line.startswith("struct {"):
            inner = []
            for line in lines:
                inner.append(line)
                if line.startswith("}"):
                    break
            field = re.match(r"} (\w+);", line)[1]
            fields.append((field, _struct(iter(inner), types, constants, f"{name}_{field}")))
            continue
        kind, declarators = re.fullmatch(r"(\w+) (.*);", line).groups()
        for declarator in declarators.split(", "):
            field, dimensions = re.fullmatch(r"(\w+)(.*)", declarator).groups()
            kind_of_field = types[kind]
            for size in reversed(_size(dimensions, constants)):
                kind_of_field = kind_of_field * size
            fields.append((field, kind_of_field))
    return fields


def _struct(lines, types, constants, name):
    return type(name, (ctypes.Structure,), {"_fields_": _fields(lines, types, constants, name)})


def _read(path):
    """(prefix, constants, types, shapes) of a header."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r" */\*.*?\*/", "", file.read(), flags=re.DOTALL)
    real = re.search(r"typedef (double|float) (\w+)_real;", text)
    if not real:
        raise Mismatch(f"{path} is no header of achdgen")
    prefix = real[2]
    types = {f"{prefix}_real": ctypes.c_double if real[1] == "double" else ctypes.c_float}
    constants = {name: int(value) for name, value in re.findall(r"^#define (\w+) (\d+)$", text, flags=re.MULTILINE)}
    for body in re.findall(r"\benum \w* ?{(.*?)}", text, flags=re.DOTALL):
        value = 0
        for item in filter(None, map(str.strip, body.split(","))):
            name, _, given = item.partition(" = ")
            if given:  # a number, or names of some: A | B
                value = functools.reduce(int.__or__, (constants[part] if part in constants else int(part)
                                                      for part in given.split(" | ")))
            constants[name] = value
            value += 1
    for name, body in re.findall(r"typedef struct (\w+) {\n(.*?)\n} \1;", text, flags=re.DOTALL):
        lines = [line.strip() for line in body.splitlines() if line.strip()]
        if "_lanes " not in body:  # of a batch
            types[name] = _struct(iter(lines), types, constants, name)
    shapes = {f.lower(): int(value, 16)
              for f, value in re.findall(rf"#define {prefix.upper()}_(\w+)_SHAPE (0x\w+?)u", text)}
    return prefix, constants, types, shapes


def load(library, header, shapes=None):
    """The Robot of a shared library and its header. shapes: {function: the shape that the caller was written for}."""
    prefix, constants, types, found = _read(header)
    compiled = ctypes.CDLL(library)
    robot = Robot()
    for name, value in constants.items():
        setattr(robot, name.removeprefix(prefix.upper() + "_"), value)
    for name, shape in found.items():
        In, Out = types[f"{prefix}_{name}_in"], types[f"{prefix}_{name}_out"]
        for what, value in (("shape", shape), ("in_size", ctypes.sizeof(In)), ("out_size", ctypes.sizeof(Out))):
            said = ctypes.c_uint.in_dll(compiled, f"{prefix}_{name}_{what}").value
            if said != value:
                raise Mismatch(f"{library} has {prefix}_{name}_{what} {said:#x}, {header} has {value:#x}: make both anew")
        if name in (shapes or {}) and shapes[name] != shape:
            raise Mismatch(f"{header} has shape {shape:#x} for {name}, the program was written for {shapes[name]:#x}")
        setattr(robot, name, Function(getattr(compiled, f"{prefix}_{name}"), In, Out, shape))
    return robot

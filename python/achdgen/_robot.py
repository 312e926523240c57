# SPDX-License-Identifier: MIT
"""A shared library of achdgen as Python objects: it describes itself, and this reads the description."""

from __future__ import annotations

import contextlib
import ctypes
import difflib
import enum
import functools
import itertools
import json
import math
import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from ._generate import GenerationError, Recipe, impulses, make, make_again, recipe_of, usual_flags

FORMAT = 1  # of descriptions, that this reads
SLICE = 2048  # states of one call of C: inputs of so many stay in a cache
BATCH = 16    # the largest batch: states that begin at multiples of it are computed together however many there are
_ALMOST = {"mclp": "INCONSISTENT", "qp": "YIELDED", "step_begin": "INCONSISTENT"}  # the status bit of a solve that met some of the rows, by its problem


class InputError(TypeError, ValueError):
    """An argument that a function does not have, or of a shape that it cannot have: a ValueError, as NumPy raises, and a TypeError, as calls do."""


class StatusError(ArithmeticError):
    """States whose results are not to be used. status: of all states; states: the indices of those."""

    def __init__(self, message: str, status: npt.NDArray[np.uint32], states: npt.NDArray[np.intp]):
        super().__init__(message)
        self.status = status
        self.states = states

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.status, self.states)


def _near(name: str, names: Sequence[str]) -> str:
    found = difflib.get_close_matches(name, names, 3)
    return f"did you mean {' or '.join(found)}?" if found else f"there are {', '.join(names)}"


@functools.lru_cache(maxsize=None)
def _status_type(bits: tuple[tuple[str, int], ...]) -> Any:
    """The status bits of a robot as flags, which can be pickled: workers send them back."""
    make_flags: Any = enum.IntFlag  # which makes a class of a name and members
    flags = make_flags("Status", bits)
    flags.__reduce_ex__ = lambda self, protocol: (_status, (bits, int(self)))
    return flags


def _status(bits: tuple[tuple[str, int], ...], value: int) -> Any:
    return _status_type(bits)(value)


# --- structs ---------------------------------------------------------------------------------------


class _Struct:
    """A struct of the header as a NumPy type, with its fields by name.

    Six-vectors, quaternions, inertias are arrays in the order of their numbers (lin before ang; w x y z; m, mx my mz,
    xx xy xz yy yz zz), Jacobians have the shape (6, velocities), poses are records of p and R."""

    def __init__(self, described: Mapping[str, Any], types: Mapping[str, Any], prefix: str, real: type):
        self.fields: dict[str, Any] = {f["name"]: f for f in described["fields"]}
        self.dims: dict[str, tuple[int, ...]] = {}
        size = np.dtype(real).itemsize
        formats: list[Any] = []
        for name, field in self.fields.items():
            dims = tuple(field["dims"])
            kind: Any = types.get(field["type"])
            if field["type"] == f"{prefix}_pose":
                formats.append((np.dtype([("p", real, 3), ("R", real, (3, 3))]), dims))
            elif field["type"] == f"{prefix}_jacobian":
                dims += (6, kind["members"][0]["dims"][1])
                formats.append((real, dims))
            elif kind is not None:
                dims += (kind["bytes"] // size,)
                formats.append((real, dims))
            else:
                formats.append((real, dims))
            self.dims[name] = dims
        self.dtype = np.dtype({"names": list(self.fields), "formats": formats, "itemsize": described["bytes"],
                               "offsets": [f["offset"] for f in self.fields.values()]})
        self.default = np.zeros((), self.dtype)
        reals: npt.NDArray[Any] = self.default.reshape(1).view(np.uint8).view(real)
        for field in self.fields.values():
            for element in field["elements"]:
                if "default" in element:
                    reals[element["offset"] // size] = element["default"]


if TYPE_CHECKING:

    class Output(npt.NDArray[Any]):
        """An output, or, of outputs acc.tool_frame and acc.elbow, what acc is."""

        def __getattr__(self, name: str) -> Output: ...
else:
    Output = np.ndarray


class Result(Mapping[str, Output]):
    """The outputs of a call by name: result.qdd, result.acc.tool_frame or result["acc.tool_frame"]. status: of every
    state, an array of bits or, of a single state, a flag (Robot.Status); ok: whether the results may be used; records:
    the same as a structured array."""

    def __init__(self, records: npt.NDArray[Any], status: Any, ok: Any):
        self._values: dict[str, Any] = {}
        for name in records.dtype.names or ():
            self._values[name] = records[name][()]
        self.records = records
        self.status = status
        self.ok = ok

    def __getitem__(self, name: str) -> Output:
        if name in self._values:
            value: Output = self._values[name]
            return value
        raise KeyError(f"{name}: {_near(name, list(self._values))}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Output:
        values: dict[str, Any] = self.__dict__.get("_values", {})
        if name in values:
            value: Output = values[name]
            return value
        inside: Any = {key[len(name) + 1:]: value for key, value in values.items() if key.startswith(name + ".")}
        if inside:
            inside = SimpleNamespace(**inside)
            names: Output = inside
            return names
        raise AttributeError(f"no output {name}: {_near(name, list(values))}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.split(".")[0] for name in self._values)})

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name} = {value!r}" for name, value in self._values.items())
        return f"Result: status {self.status!r}{lines}"


# --- functions -------------------------------------------------------------------------------------


class Function:
    """A generated function over arrays. Call it with its inputs by name; what is not given has its default (0, masks
    1). Inputs may have more dimensions in front, which are broadcast against each other; by joint or by row they may also
    be dicts of names. check=True raises StatusError where results are not to be used."""

    def __init__(self, robot: Robot, described: Mapping[str, Any], struct_in: _Struct, struct_out: _Struct, symbol: str):
        self.name: str = described["name"]
        self.robot = robot
        self.description = described
        self._in, self._out = struct_in, struct_out
        self.dtype_in, self.dtype_out = struct_in.dtype, struct_out.dtype
        self._many = getattr(robot._library, symbol)
        self._many.restype = None
        self._solver = described.get("solver", False)
        self._impulses: int = described.get("impulses", 0)  # of a step with contacts
        self.__name__ = self.name
        self.__doc__ = self._documentation()

    def _documentation(self) -> str:
        lines = [self.description["doc"], ""]
        for title, struct in (("inputs", self._in), ("outputs", self._out)):
            lines.append(f"{title}:")
            for name, field in struct.fields.items():
                shape = f"{struct.dims[name]} " if struct.dims[name] else ""
                units = field.get("units") or ", ".join(dict.fromkeys(e["unit"] for e in field["elements"]))  # 0.4.0 had none
                unit = "" if units in ("", "1") else f" [{units}]"
                lines.append(f"  {name}: {shape}{field['doc']}{unit}")
        lines.append("status bits: " + (", ".join(self.description["status"]) or "none"))
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.robot, self.name)

    def __repr__(self) -> str:
        return f"<achdgen function {self.robot.prefix}_{self.name}({', '.join(self._in.fields)})>"

    def _names(self, field: Mapping[str, Any]) -> Optional[dict[str, int]]:
        if field["shape"] == "joints":
            return self.robot._joint_index
        return self.robot._row_index if field["shape"] in ("rows", "masks", "set_points", "bounds", "compliances") else None

    def _numbers(self, name: str, value: Any) -> npt.NDArray[Any]:
        try:
            array = np.asarray(value)
            if array.dtype.kind == "c":
                raise TypeError("complex numbers have no place here")
            return np.asarray(array, self.robot.real)
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.name}: {name}: {error}") from error

    def _together(self, arrays: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
        """The states of arguments with these numbers of states, broadcast."""
        try:
            return np.broadcast_shapes(*arrays.values())
        except ValueError as error:
            told = ", ".join(f"{name} {shape}" for name, shape in arrays.items() if shape)
            raise InputError(f"{self.name}: numbers of states that do not go together: {told}") from error

    def _given_at_run_time(self, name: str, rows: Sequence[int]) -> None:
        """Refuses numbers of rows that the layout has fixed, because the function does not read them."""
        if self._in.fields[name]["shape"] == "rows":
            return
        flag, what = {"masks": ("maskable", "maskable = true"), "set_points": ("set_point", "a set-point"),
                      "bounds": ("bounds", "bounds = \"input\""),
                      "compliances": ("compliant", "compliance = \"input\"")}[self._in.fields[name]["shape"]]
        for row in rows:
            if not self.robot.description["rows"][row][flag]:
                raise InputError(f"{self.name}: {name} of {self.robot.rows[row]} is not read: its group has no {what} in the layout")

    def _by_name(self, name: str, given: Mapping[str, Any]) -> tuple[dict[int, Any], tuple[int, ...]]:
        """Numbers by place of a dict of names, and the shape that they have together."""
        places = self._names(self._in.fields[name])
        columns: dict[int, Any] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        if places is None:
            if self._in.dims[name] != (6,):
                raise InputError(f"{self.name}: {name} takes no names; it has the shape {self._in.dims[name]}")
            for part, value in given.items():
                if part not in ("lin", "ang"):
                    raise InputError(f"{self.name}: {name} has no {part}: there are lin, ang")
                array = self._numbers(f"{name}.{part}", value)
                if array.shape[-1:] != (3,):
                    raise InputError(f"{self.name}: {name}.{part} has the shape {array.shape}; it must end with (3,)")
                columns.update((3 * (part == "ang") + i, array[..., i]) for i in range(3))
                shapes[f"{name}.{part}"] = array.shape[:-1]
            return columns, self._together(shapes)
        for key, value in given.items():
            array = self._numbers(f"{name}: {key}", value)
            if key in self.robot._groups and self._in.fields[name]["shape"] != "joints":
                rows = self.robot._groups[key]
                if array.ndim and array.shape[-1] != len(rows):
                    raise InputError(f"{self.name}: {name}: the group {key} has {len(rows)} rows, not {array.shape[-1]}")
                self._given_at_run_time(name, rows)
                columns.update((row, array[..., k] if array.ndim else array) for k, row in enumerate(rows))
                shapes[f"{name}: {key}"] = array.shape[:-1]
            elif key in places:
                if self._in.fields[name]["shape"] != "joints":
                    self._given_at_run_time(name, [places[key]])
                columns[places[key]] = array
                shapes[f"{name}: {key}"] = array.shape
            else:
                raise InputError(f"{self.name}: {name} has no {key}: {_near(str(key), [*places, *self.robot._groups])}")
        return columns, self._together(shapes)

    def _array(self, name: str, value: Any) -> npt.NDArray[Any]:
        dims = self._in.dims[name]
        if self._in.dtype[name].base.names:
            array = np.zeros(np.shape(value["p"])[:-1], self._in.dtype[name].base)
            array["p"], array["R"] = value["p"], value["R"]
            return array
        array = self._numbers(name, value)
        if len(dims) and array.shape[-len(dims):] != dims:
            what = self._names(self._in.fields[name])
            told = f" ({', '.join(what)})" if what and len(what) <= 12 else ""
            raise InputError(f"{self.name}: {name} has the shape {array.shape}; it must end with {dims}{told}")
        return array

    def _flat(self, inputs: Mapping[str, Any], before: str = "") -> dict[str, Any]:
        """Inputs with dots in their names may come as dicts of dicts: base={"yaw": 0}."""
        flat: dict[str, Any] = {}
        for key, value in inputs.items():
            name = before + key
            if name in self._in.fields:
                flat[name] = value
            elif isinstance(value, Mapping) and any(f.startswith(name + ".") for f in self._in.fields):
                flat.update(self._flat(value, name + "."))
            else:
                raise InputError(f"{self.name}: no input {name}: {_near(name, list(self._in.fields))}")
        return flat

    def pack(self, /, **inputs: Any) -> npt.NDArray[Any]:
        """The inputs as a structured array of dtype_in, broadcast."""
        arrays, whole = self._read(inputs)
        return self._fill(np.empty(whole, self.dtype_in), arrays)

    def _read(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, ...]]:
        """The inputs as arrays, or as dicts of arrays by their places, and the shape of all states."""
        arrays: dict[str, Any] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        for name, value in self._flat(inputs).items():
            if isinstance(value, Mapping) and self._in.fields[name]["type"] != f"{self.robot.prefix}_pose":
                arrays[name], shapes[name] = self._by_name(name, value)
            else:
                array = arrays[name] = self._array(name, value)
                shapes[name] = array.shape[:array.ndim - len(self._in.dims[name])]
        return arrays, self._together(shapes)

    def _fill(self, records: npt.NDArray[Any], arrays: Mapping[str, Any]) -> npt.NDArray[Any]:
        records[...] = self._in.default
        for name, array in arrays.items():
            if isinstance(array, dict):
                for place, column in array.items():
                    records[name][..., place] = column
            else:
                records[name][...] = array
        return records

    def _in_slices(self, arrays: Mapping[str, Any], whole: tuple[int, ...]) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
        """What run() of all states gives, whose inputs are written down for some of them at a time, along the first axis that has more than one. Slices
        begin at multiples of a batch, so that the same states are computed together as otherwise."""
        out, status = np.empty(whole, self.dtype_out), np.empty(whole, np.uint32)
        axis = next(k for k, n in enumerate(whole) if n > 1)
        n, inner = whole[axis], math.prod(whole[axis + 1:])
        least = BATCH // math.gcd(inner, BATCH)
        step = max(1, self.robot._slice // (inner * least)) * least
        outs, statuses = out.reshape(whole[axis:]), status.reshape(whole[axis:])
        states = np.empty((min(step, n), *whole[axis + 1:]), self.dtype_in)
        for first in range(0, n, step):
            last = min(n, first + step)
            part = {name: {place: self._cut(column, 0, whole, axis, first, last) for place, column in array.items()} if isinstance(array, dict)
                    else self._cut(array, len(self._in.dims[name]), whole, axis, first, last) for name, array in arrays.items()}
            _, statuses[first:last] = self.run(self._fill(states[:last - first], part), outs[first:last])
        return out, status

    @staticmethod
    def _cut(array: npt.NDArray[Any], dims: int, whole: tuple[int, ...], axis: int, first: int, last: int) -> npt.NDArray[Any]:
        """Of an argument, whose last dims axes are no states, the states of a slice, without the axes of length 1 in front."""
        at = array.ndim - dims - (len(whole) - axis)  # its place of the axis; below 0: it has none
        if at < 0:
            return array
        array = array.reshape(array.shape[at:])
        return array[first:last] if array.shape[0] > 1 else array

    def run(self, states: npt.NDArray[Any], out: Optional[npt.NDArray[Any]] = None, impulses: Optional[npt.NDArray[Any]] = None
            ) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
        """(results, status) of states in a structured array of dtype_in, without a copy where it is contiguous. out:
        where the results go. impulses, of a step with contacts: those of each state in the step before, from which the solver begins; then those of this one."""
        if not isinstance(states, np.ndarray) or states.dtype != self.dtype_in:
            raise InputError(f"{self.name}: states of another type; make them with pack() or numpy.zeros(n, dtype_in)")
        size = np.dtype(self.robot.real).itemsize  # what C requires an address to be a multiple of
        if not states.flags.c_contiguous or states.ctypes.data % size:
            states = states.copy(order="C")
        if out is None:
            out = np.empty(states.shape, self.dtype_out)
        elif (not isinstance(out, np.ndarray) or out.dtype != self.dtype_out or out.shape != states.shape or
              not out.flags.c_contiguous or not out.flags.writeable or out.ctypes.data % size):
            raise InputError(f"{self.name}: out must be a contiguous, writeable array of dtype_out with the shape {states.shape}")
        elif np.may_share_memory(states, out):
            raise InputError(f"{self.name}: out and states share memory")
        status = np.empty(states.shape, np.uint32)
        arguments = [ctypes.c_size_t(states.size), ctypes.c_void_p(states.ctypes.data), ctypes.c_void_p(out.ctypes.data),
                     ctypes.c_void_p(status.ctypes.data)]
        if self._solver:
            solved = np.empty(states.shape, np.intc)
            arguments.append(ctypes.c_void_p(solved.ctypes.data))
            if self._impulses:
                shape = (*states.shape, self._impulses)
                if impulses is not None and (impulses.shape != shape or impulses.dtype != self.robot.real or not impulses.flags.c_contiguous):
                    raise InputError(f"{self.name}: impulses must be a contiguous array of {np.dtype(self.robot.real)} with the shape {shape}")
                arguments.append(ctypes.c_void_p(None if impulses is None else impulses.ctypes.data))
            self._many(*arguments)
            status[solved > 1] |= np.uint32(self.robot.UNSOLVED)
            status[solved == 1] |= np.uint32(self.robot.INCONSISTENT)  # YIELDED of an optimum
        else:
            self._many(*arguments)
        return out, status

    def __call__(self, /, *, check: Any = False, **inputs: Any) -> Result:
        if "check" in self._in.fields:  # a wrench of this name
            inputs, check = ({**inputs, "check": check} if check is not False else inputs), False
        arrays, whole = self._read(inputs)
        sliced = math.prod(whole) > self.robot._slice
        records, status = self._in_slices(arrays, whole) if sliced else self.run(self._fill(np.empty(whole, self.dtype_in), arrays))
        bad = (status & self.robot.DO_NOT_COMMAND) != 0
        if check and bad.any():
            states = np.flatnonzero(bad)
            first = self.robot.Status(int(status.reshape(-1)[states[0]]))
            raise StatusError(f"{self.name}: {states.size} of {status.size} states have no result to use; the first is state "
                              f"{states[0]}: {first!r}", status, states)
        one = status.ndim == 0
        return Result(records, self.robot.Status(int(status)) if one else status, not bad if one else ~bad)


if TYPE_CHECKING:

    class Member(Function, int):
        """What a robot has by name: a function, or the number of a joint, a row or a status bit."""


# --- robots ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _patient() -> Iterator[None]:
    """Threads of a library that is loaded within this wait asleep: those of OpenMP otherwise wait for the next call with the processor's whole time, which
    others may need. What the user says counts. OpenMP reads these variables when the first library that needs it is loaded."""
    if "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        yield
    finally:
        del os.environ["OMP_WAIT_POLICY"]


class Robot:
    """The functions of a shared library. Enumerators and status bits are attributes, without the prefix: gen3.JOINT_1,
    gen3.TOOL_LIN_Z, gen3.SINGULAR. joints, rows: their names, in the order of arrays; description: everything that achdgen
    tells (docs/description.md)."""

    UNSOLVED = 1 << 30      # of solve(): the constraint forces were not found; do not command the result
    INCONSISTENT = 1 << 29  # of solve() with bounded rows: they contradict each other
    YIELDED = 1 << 29       # of solve() with realise = "optimum": a level cannot be met, and is as near as it can be

    def __init__(self, library: Union[str, Path]):
        path = Path(library).resolve()
        try:
            with _patient():
                self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise GenerationError(f"{path}: {error}") from error
        self.library = path
        self._recipe: Optional[Recipe] = None
        self._slice = SLICE
        self.description: dict[str, Any] = self._read(path)
        d = self.description
        if d["format"] != FORMAT:
            raise GenerationError(f"{path} has a description of format {d['format']}, this package reads {FORMAT}: make it anew")
        self.name: str = d["robot"]
        self.prefix: str = d["prefix"]
        self.real: type = np.float32 if d["real"] == "float" else np.float64
        self.joints: list[str] = [j["name"] for j in d["joints"]]
        self.rows: list[str] = [f"{r['group']}.{r['name']}" for r in d["rows"]]
        self._joint_index = {j["name"]: j["index"] for j in d["joints"]}
        self._balls: dict[str, list[int]] = {}
        for joint in d["joints"]:
            if "ball" in joint:
                self._balls.setdefault(joint["ball"], []).append(joint["index"])
        self._row_index = {name: k for k, name in enumerate(self.rows)}
        self._groups: dict[str, list[int]] = {}
        for row in d["rows"]:
            self._groups.setdefault(row["group"], []).append(row["index"])
        bits = {b["name"]: b["bit"] for b in d["status"]}
        self.DO_NOT_COMMAND: int = sum(b["bit"] for b in d["status"] if b["do_not_command"]) | self.UNSOLVED
        for entry in [*d["joints"], *d["rows"]]:
            setattr(self, entry["enumerator"].removeprefix(d["macros"] + "_"), entry["index"])
        self._open(d)
        solved = next((f["after"] for f in d["functions"] if f["after"]), None)
        if not solved:
            self.DO_NOT_COMMAND &= ~self.UNSOLVED
        else:
            bits.update({_ALMOST[solved]: self.INCONSISTENT, "UNSOLVED": self.UNSOLVED})
        self.Status: Any = _status_type(tuple(bits.items()))
        for name, bit in bits.items():
            setattr(self, name, bit)

    def _read(self, path: Path) -> dict[str, Any]:
        suffix = "_description"
        name = path.stem.removeprefix("lib")
        for symbol in (name + suffix, name + "f" + suffix):
            try:
                first = ctypes.c_char_p.in_dll(self._library, symbol)
            except ValueError:
                continue
            lines = ctypes.cast(ctypes.addressof(first), ctypes.POINTER(ctypes.c_char_p))
            text = b"\n".join(itertools.takewhile(lambda line: line is not None, (lines[i] for i in itertools.count())))
            result: dict[str, Any] = json.loads(text)
            return result
        raise GenerationError(f"{path} has no {name}{suffix}: make it by achdgen --mode shared or achd_generate(... SHARED), "
                              "and name it after the prefix of its functions")

    def _open(self, d: Mapping[str, Any]) -> None:
        types = {t["name"]: t for t in d["types"]}
        structs: dict[str, _Struct] = {}
        for f in d["functions"]:
            for side in ("in", "out"):
                if side in f and f[side]["type"] not in structs:
                    structs[f[side]["type"]] = _Struct(f[side], types, self.prefix, self.real)
        self.functions: dict[str, Function] = {}
        for f in d["functions"]:
            symbol = f"{self.prefix}_{f['name']}_many"
            entry = dict(f)
            if f["after"]:  # the problem, its solution, what follows from it, at once
                entry.update(name="solve", doc=f"{f['doc']} Found for each state by the runtime library.", solver=True)
                if f["after"] == "step_begin":
                    entry.update(name="step", impulses=impulses(d)[0],
                                 doc="A step of a simulator, with impulses of contacts, limits and dry friction that the runtime library finds for each state.")
                before = next(g for g in d["functions"] if g["name"] == f["after"])
                entry["status"] = list(dict.fromkeys([*before["status"], *f["status"], _ALMOST[f["after"]], "UNSOLVED"]))
                symbol = f"{self.prefix}_{'step_solved' if f['after'] == 'step_begin' else 'solve'}_many"
                if not hasattr(self._library, symbol):
                    continue  # a library that was not made by load()
            function = Function(self, entry, structs[f["parameters"][0]["type"]], structs[f["out"]["type"]], symbol)
            self.functions[function.name] = function
            setattr(self, function.name, function)

    def _joint_numbers(self, what: str, value: Any) -> npt.NDArray[np.float64]:
        array = np.asarray(value, float)
        if array.shape[-1:] != (len(self.joints),):
            raise InputError(f"{what} has the shape {array.shape}; it must end with ({len(self.joints)},) ({', '.join(self.joints)})")
        return array

    def integrate(self, q: Any, v: Any, dt: float = 1.0) -> npt.NDArray[np.float64]:
        """Joint positions after the time dt [s] at constant velocities v: q + v dt. Arguments are broadcast. Ball joints have none: integrate_balls()."""
        return self._without_balls(self._joint_numbers("q", q) + self._joint_numbers("v", v) * dt)

    def _without_balls(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """x by joint with 0 at the axes of ball joints, which have no positions."""
        for places in self._balls.values():
            x[..., places] = 0
        return x

    def _rotation(self, what: str, balls: Mapping[str, Any], ball: str) -> npt.NDArray[np.float64]:
        if set(balls) != set(self._balls):
            raise InputError(f"{what} has rotations of {sorted(balls)}; the ball joints are {sorted(self._balls)}")
        array = np.asarray(balls[ball], float)
        if array.shape[-1:] != (4,):
            raise InputError(f"{what}[{ball!r}] has the shape {array.shape}; it must end with (4,): a quaternion w x y z")
        return array

    def random_balls(self, size: Union[None, SupportsIndex, tuple[int, ...]] = None,
                     rng: Optional[np.random.Generator] = None) -> dict[str, npt.NDArray[np.float64]]:
        """Rotations of the ball joints, evenly distributed, as calls take them: robot.fd(ball=robot.random_balls(10)). size: of how many states."""
        rng = np.random.default_rng() if rng is None else rng
        shape = () if size is None else (operator.index(size),) if np.ndim(size) == 0 else tuple(size)
        drawn = {ball: rng.normal(size=(*shape, 4)) for ball in self._balls}
        return {ball: x / np.linalg.norm(x, axis=-1, keepdims=True) for ball, x in drawn.items()}

    def integrate_balls(self, balls: Mapping[str, Any], v: Any, dt: float = 1.0) -> dict[str, npt.NDArray[np.float64]]:
        """Rotations of the ball joints after the time dt [s] at constant velocities v, which are along the axes of each child."""
        velocities, after = self._joint_numbers("v", v), {}
        for ball, places in self._balls.items():
            a, half = self._rotation("balls", balls, ball), velocities[..., places] * (dt / 2)
            angle = np.linalg.norm(half, axis=-1, keepdims=True)
            b = np.concatenate([np.cos(angle), np.sinc(angle / np.pi) * half], axis=-1)
            after[ball] = _turned(a, b)
        return after

    def difference_balls(self, balls0: Mapping[str, Any], balls1: Mapping[str, Any]) -> npt.NDArray[np.float64]:
        """The velocities by joint that lead from the rotations balls0 to balls1 in unit time, the shorter way round; 0 at all other joints."""
        parts = []
        for ball in self._balls:
            a, b = self._rotation("balls0", balls0, ball), self._rotation("balls1", balls1, ball)
            way = _turned(a * np.array([1, -1, -1, -1]), b)
            way = way * np.where(way[..., :1] < 0, -1.0, 1.0)
            size = np.linalg.norm(way[..., 1:], axis=-1, keepdims=True)
            parts.append(2 * np.where(size < 1e-12, 1.0, np.arctan2(size, way[..., :1]) / np.where(size < 1e-12, 1.0, size)) * way[..., 1:])
        v = np.zeros((*np.broadcast_shapes(*(x.shape[:-1] for x in parts)), len(self.joints)))
        for places, x in zip(self._balls.values(), parts):
            v[..., places] = x
        return v

    def difference(self, q0: Any, q1: Any) -> npt.NDArray[np.float64]:
        """The velocities that lead from q0 to q1 in unit time; of a joint that turns on without end, the shorter way round."""
        way = self._joint_numbers("q1", q1) - self._joint_numbers("q0", q0)
        endless = np.zeros(len(self.joints), bool)
        for body in self.description["bodies"]:
            if body["type"] == "continuous" and body["joint"] in self._joint_index:
                endless[self._joint_index[body["joint"]]] = True
        return self._without_balls(np.where(endless, np.remainder(way + np.pi, 2 * np.pi) - np.pi, way))

    def simulate(self, steps: int, *, policy: Optional[Callable[[int, npt.NDArray[Any]], Any]] = None, every: int = 1, **inputs: Any) -> Result:
        """Many robots at once over so many steps: the outputs of `step` (q_next, qd_next, base_next, forces of contacts) after every `every` steps, along the first axis.

        inputs: those of `step`, broadcast as in a call of it: the states to begin with, and torques, gravity, surfaces and the period, which stay.
        policy(k, states): what changes before step k: a dict of inputs, of the shapes of a call, or torques alone, (states, joints), or None; states is the
        structured array of all inputs, which may be changed in place, too. A robot whose step has no result stays where it was, with NaN as its outputs
        from there on; status has the bits of all its steps, and result.ok is false there.

        Raises InputError for inputs and numbers of steps that cannot be; AttributeError where load() has made no step."""
        function: Optional[Function] = self.functions.get("step")
        if function is None:
            raise AttributeError(f"robot {self.name} has no step: load(.., functions=[\"step\"]), with contacts in the layout [\"step_begin\"]")
        steps, every = operator.index(steps), operator.index(every)
        if steps < 0 or every < 1:
            raise InputError(f"simulate: {steps} steps, every {every}: at least 0 and 1")
        states = function.pack(**inputs)
        known = np.zeros((*states.shape, function._impulses), self.real) if function._impulses else None
        out = np.empty(states.shape, function.dtype_out)
        frames = np.empty((steps // every, *states.shape), function.dtype_out)
        status, lost = np.zeros(states.shape, np.uint32), np.zeros(states.shape, bool)
        moved = [(name, name.replace("_next", "", 1)) for name in function.dtype_out.names or () if "_next" in name.split(".")[0]]
        invalid = np.zeros((), function.dtype_out)
        invalid.reshape(1).view(self.real)[:] = np.nan
        for k in range(steps):
            given = None if policy is None else policy(k, states)
            if given is not None:
                arrays, _ = function._read(given if isinstance(given, Mapping) else {"tau": given})
                for name, array in arrays.items():
                    for place, column in array.items() if isinstance(array, dict) else ((slice(None), array),):
                        states[name][..., place] = column
            _, told = function.run(states, out, known)
            status |= told
            lost |= (told & self.DO_NOT_COMMAND) != 0
            if lost.any():
                for after, before in moved:
                    states[before][~lost] = out[after][~lost]
                out[lost] = invalid
            else:
                for after, before in moved:
                    states[before] = out[after]
            if (k + 1) % every == 0:
                frames[k // every] = out
        return Result(frames, self.Status(int(status)) if status.ndim == 0 else status, not lost if lost.ndim == 0 else ~lost)

    def random_configuration(self, size: Union[None, SupportsIndex, tuple[int, ...]] = None,
                             rng: Optional[np.random.Generator] = None) -> npt.NDArray[np.float64]:
        """Joint positions, evenly distributed within the limits; where a side has none, within pi or 1 m of 0, or of the other limit. size: of how
        many states, a number or a shape. Ball joints have rotations in their place: random_balls()."""
        rng = np.random.default_rng() if rng is None else rng
        low, high = np.empty(len(self.joints)), np.empty(len(self.joints))
        for joint in self.description["joints"]:
            lower, upper, far = joint["lower"], joint["upper"], np.pi if joint["unit"] == "rad" else 1.0
            k = joint["index"]
            low[k] = lower if lower is not None else min(-far, -far if upper is None else upper - far)
            high[k] = upper if upper is not None else max(far, far if lower is None else lower + far)
        shape = () if size is None else (operator.index(size),) if np.ndim(size) == 0 else tuple(size)
        return self._without_balls(rng.uniform(low, high, (*shape, len(self.joints))))

    def __getattr__(self, name: str) -> Member:  # what has no such attribute; for type checkers: attributes follow the robot
        functions = self.__dict__.get("functions", {})
        if name.startswith("_") or not functions:
            raise AttributeError(name)
        raise AttributeError(f"robot {self.name} has no {name}: {_near(name, list(functions))}; load() makes the functions that are named")

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._recipe,)) if self._recipe else (open_library, (str(self.library),))

    def __repr__(self) -> str:
        return f"<achdgen robot {self.name}: {len(self.joints)} joints, {len(self.rows)} rows, {', '.join(self.functions)}>"


def _turned(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The product of quaternions w x y z: the rotation b after a, along the axes that a has turned."""
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])], axis=-1)


def _opened(library: Path, recipe: Recipe) -> Robot:
    robot = Robot(library)
    robot._recipe = recipe
    if "-fopenmp" in recipe.flags:
        robot._slice *= os.cpu_count() or 1
    return robot


def _again(recipe: Recipe) -> Robot:
    return _opened(make_again(recipe), recipe)


def open_library(library: Union[str, Path], shapes: Optional[Mapping[str, int]] = None) -> Robot:
    """The Robot of a shared library that achdgen's --mode shared (or achd_generate(... SHARED)) made. Its file is named
    after the prefix of its functions: gen3.so, libgen3.so. shapes: of functions, by name, the NAME_F_SHAPE for which the caller
    was written; where the library has another, GenerationError."""
    robot = Robot(library)
    for name, expected in (shapes or {}).items():
        function = robot.functions.get(name)
        if function is None:
            raise GenerationError(f"{library} has no {name}: {_near(name, list(robot.functions))}")
        found = int(function.description["shape"], 16)
        if found != expected:
            raise GenerationError(f"{library} has shape {found:#x} for {name}, the program was written for {expected:#x}")
    return robot


def load(urdf: Union[str, Path], layout: Union[None, str, Path, Mapping[str, Any]] = None, *,
         functions: Optional[Sequence[str]] = None, name: Optional[str] = None, real: str = "double",
         batch: Optional[int] = None, formulation: Optional[str] = None, threads: bool = False, portable: bool = False, cc: Optional[str] = None,
         flags: Optional[Sequence[str]] = None, cache: Union[None, str, Path] = None) -> Robot:
    """Generates, compiles and opens the functions of a robot; what has been made before is taken from the cache.

    urdf: a file, or the text of one. layout: a file in Lua or YAML, or a dict with the words of docs/layouts.md; None: rows
    at the ends of the limbs. functions: as --functions; None: achd, or mclp and solve with bounded rows, or qp and solve
    with realise = "optimum". real: "double" or
    "float". batch: states computed at once, 2, 4, 8 or 16; 0: one; None: 4 unless that would take long to compile, of
    steps with contacts 8 where the processor has AVX-512.
    threads: large arrays are shared between threads (OpenMP), which sleep between calls (unless the environment's OMP_WAIT_POLICY says
    otherwise, or another package has loaded OpenMP before). portable: the library shall run on every processor of this
    architecture: without -march=native, and on x86-64 two copies of every function, of which each call takes the one with AVX2 and FMA
    where the processor has both (--dispatch avx2; not with real="float"). cc, flags: the C compiler and its options, -O2
    -march=native -ffp-contract=fast if not given: products and sums are fused, and the last bits of a state's results depend on its
    place in an array. With -ffp-contract=off they do not. cache: the folder of what is made, ~/.cache/achdgen if not given.

    Raises GenerationError with the message of achdgen (file, line, what is wrong, what to do) or of the compiler, LayoutError
    for a dict that cannot be a layout; warns AchdgenWarning."""
    options: list[str] = ["--real", real]
    for option, value in (("--name", name), ("--formulation", formulation)):
        if value is not None:
            options += [option, value]
    if functions is not None:
        if isinstance(functions, str):
            functions = [functions]
        options += ["--functions", ",".join(functions)]
    if portable:
        options += ["--dispatch", "avx2"]
    chosen = usual_flags(portable) if flags is None else flags.split() if isinstance(flags, str) else list(flags)
    chosen += ["-fopenmp"] if threads else []
    library = make(urdf, layout, options, batch, cc, chosen, cache)
    return _opened(library, recipe_of(urdf, layout, options, batch, cc, chosen, cache, library))

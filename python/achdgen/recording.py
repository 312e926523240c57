# SPDX-License-Identifier: MIT
"""Logs of a robot: time, positions, velocities, and torques or motor currents of its joints, out of CSV and NumPy files, in blocks."""

from __future__ import annotations

import csv
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Optional, Union

import numpy as np

from . import kernel
from .bags import KINDS, Damaged, Message, joint_states

LONGEST = 0.1  # [s]: a longer time between two lines is a gap
BLOCK = 1 << 22  # bytes of a file that are read at once
LEAST = 10  # lines of a log
HELD = 10  # lines in a row at a column's largest number: no torque with noise does that
OTHERS = {b"\x28\xb5\x2f\xfd": "compressed by zstd", b"\x89HDF": "HDF5, or MATLAB's", b"MATLAB 5": "MATLAB's", b"PK\x03\x04": "a ZIP file, or NumPy's NPZ",
          b"\x1f\x8b": "compressed by gzip", b"\xfd7zXZ": "compressed by xz", b"\xff\xfe": "text in UTF-16", b"\xfe\xff": "text in UTF-16"}


class Mistake(Exception):
    """What is wrong with a file or an option, and what to do."""


@dataclass
class Log:
    """Time [s], position, velocity and torque (or motor current) of every joint, by line."""

    name: str
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray
    skipped: int = 0


# --- columns ---------------------------------------------------------------------------------------


def _columns_of(words: str) -> list[str]:
    """"t q:6 -:12": the name of every column; those called - are skipped."""
    names = []
    for word in words.split():
        name, _, count = word.partition(":")
        if count and not (count.isdigit() and int(count) < 10**6):
            raise Mistake(f"--columns: {word}: write NAME or NAME:COUNT")
        names += [name] if not count else ["-"] * int(count) if name == "-" else [f"{name}{k + 1}" for k in range(int(count))]
    return names


def _places(names: Sequence[str], joints: Sequence[str], path: str) -> list[int]:
    """The columns of t, q, qd and tau (or current): q1, q.joint_1, "q.joint_1 [rad]", in the order of the joints."""
    plain: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        plain.setdefault(name.split(" [")[0].strip(), []).append(i)
    torque = "current" if any(name.startswith("current") for name in plain) else "tau"
    times = [*plain.get("t", []), *plain.get("time", [])]
    if len(times) != 1:
        raise Mistake(f"{path}: line 1: {'two columns' if times else 'no column'} t: name the columns in the first line, or with --columns \"t q:6 qd:6 tau:6\"")
    found = times
    for quantity in ("q", "qd", torque):
        for k, joint in enumerate(joints):
            wanted = [f"{quantity}{k + 1}", f"{quantity}.{joint}", f"{quantity}.{k + 1}", f"{quantity}_{k + 1}", f"{quantity}_{joint}"]
            at = [i for name in dict.fromkeys(wanted) for i in plain.get(name, [])]
            if len(at) != 1:
                raise Mistake(f"{path}: {'two columns' if at else 'no column'} for {quantity} of {joint}: name it {wanted[0]} or {wanted[1]}, or say with "
                              "--columns what the columns are")
            found += at
    return found


# --- lines -----------------------------------------------------------------------------------------


class Lines:
    """The rows [t q qd tau] of a file, in blocks. skip: lines that are wrong are left out, and counted; else they are mistakes."""

    def __init__(self, path: str, joints: Sequence[str], columns: Optional[str], skip: bool):
        self.path, self.joints, self.columns, self.skip = path, joints, columns, skip
        self.skipped, self.first = 0, ""  # how many, and what the first was
        self.heads = 0  # lines before the first row: that with the names of a text's columns
        self.exact = True  # rows are lines, one behind the other: no line is empty

    def __iter__(self) -> Iterator[np.ndarray]:
        try:
            with open(self.path, "rb") as file:
                start = file.read(16)
                file.seek(0)
                bag = next((kind for word, kind in KINDS.items() if start.startswith(word)), None)
                if bag:
                    yield from self._bag(file, bag)
                    return
                other = next((what for word, what in OTHERS.items() if start.startswith(word)), None)
                if other:
                    raise Mistake(f"{self.path}: {other} is not read: write CSV, with a line t,q1,..,qd1,..,tau1,.. at first, or an array of NumPy (.npy)")
                yield from self._array() if start.startswith(b"\x93NUMPY") else self._text(file)
        except IsADirectoryError as error:
            raise Mistake(f"{self.path}: a folder: of a bag of ROS 2, give the .db3 or .mcap file in it") from error
        except OSError as error:
            raise Mistake(f"{self.path}: {error.strerror}") from error

    def _bag(self, file: BinaryIO, kind: str) -> Iterator[np.ndarray]:
        """Joint states of a bag: lines are messages. Those without any of the joints are others' and not of this log."""
        rows, last = [], -math.inf
        topic = self.columns if self.columns and self.columns.startswith("/") else None
        try:
            for number, state in enumerate(joint_states(file, self.path, kind, topic), 1):
                row = self._row(state, last)
                if isinstance(row, str):
                    self.wrong(number, row)
                elif row is None:
                    self.exact = False
                else:
                    last = row[0]
                    rows.append(row)
                if len(rows) == 8192:
                    yield np.array(rows)
                    rows = []
        except Damaged as fault:
            if not self.skip or not (rows or last > -math.inf):
                raise Mistake(f"{self.path}: {fault}") from fault
            self.first, self.skipped = self.first or str(fault), self.skipped + 1
        yield np.array(rows).reshape(-1, 1 + 3 * len(self.joints))

    def _row(self, state: Message, last: float) -> Union[list[float], str, None]:
        """[t q qd tau] of a message, what is wrong with it, or None."""
        if isinstance(state, Damaged):
            return f"a message that cannot be read: {state}"
        at = {name: k for k, name in enumerate(state.names)}
        if not set(self.joints) & set(at):
            return None
        row = [state.t]
        for quantity, numbers in zip(("position", "velocity", "effort"), state.numbers):
            for joint in self.joints:
                if joint not in at or at[joint] >= len(numbers):
                    return f"no {quantity} of {joint}"
                row.append(numbers[at[joint]])
        if not all(abs(x) < 1e6 for x in row[1:]):
            return "a number is no measurement"
        return row if row[0] > last else "the time does not grow"

    def wrong(self, number: int, fault: str) -> None:
        if not self.skip:
            raise Mistake(f"{self.path}:{number}: {fault}; mend the line, or use --skip-damaged")
        self.first = self.first or f"line {number}: {fault}"
        self.skipped += 1

    def wrong_row(self, row: int, fault: str, lines: int = 1) -> None:
        """row: of those that are not skipped, from 0 on; of so many lines."""
        if self.exact and not self.skipped:
            self.wrong(row + self.heads + 1, fault)
        elif not self.skip:
            raise Mistake(f"{self.path}: {fault}; mend the line, or use --skip-damaged")
        else:
            self.first, self.skipped = self.first or fault, self.skipped + 1
        self.skipped += lines - 1

    def _whole(self, file: BinaryIO, begun: bytes) -> Iterator[bytes]:
        """Blocks of whole lines."""
        rest = begun
        while True:
            block = file.read(BLOCK)
            cut = (rest + block).rfind(b"\n") + 1 if block else len(rest)
            whole, rest = (rest + block)[:cut], (rest + block)[cut:]
            if whole:
                yield whole
            if not block:
                return
            if len(rest) > BLOCK:
                raise Mistake(f"{self.path}: a line of more than {BLOCK >> 20} MiB: lines end with a line feed")

    def _text(self, file: BinaryIO) -> Iterator[np.ndarray]:
        head = file.readline(BLOCK).removeprefix(b"\xef\xbb\xbf")
        if len(head) == BLOCK:
            raise Mistake(f"{self.path}: a line of more than {BLOCK >> 20} MiB: lines end with a line feed")
        line = head.decode("utf-8", "replace").strip("\r\n")
        if "\r" in line:
            raise Mistake(f"{self.path}: lines end with a carriage return: write line feeds")
        separator = max(",;\t", key=line.count)
        self.heads = 0 if self.columns else 1
        names = _columns_of(self.columns) if self.columns else [name.strip() for name in next(csv.reader([line.replace("\0", "")], delimiter=separator), [])]
        at = _places(names, self.joints, self.path)
        to = np.full(len(names), -1, np.intc)
        to[at] = np.arange(len(at))
        text = kernel.Text(columns=len(names), wanted=len(at), to=to.ctypes.data, separator=separator.encode(), line=self.heads, strict=not self.skip)
        before = np.zeros((0, len(at)))
        for block in self._whole(file, head if self.columns else b""):
            text.bytes, text.length, text.place = block, len(block), 0
            self.exact = self.exact and not block.startswith((b"\n", b"\r\n")) and b"\n\n" not in block and b"\n\r\n" not in block
            while text.place < text.length:
                rows = np.empty((len(before) + 3 + (text.length - text.place) // (2 * len(names)), len(at)))
                rows[:len(before)] = before
                text.rows, text.most, text.given = rows.ctypes.data, len(rows), len(before)
                fault, count = kernel.read_lines(text)
                if text.leaps:
                    self.first = self.first or "a line whose time leaps"
                self.skipped, text.leaps = self.skipped + text.leaps, 0
                if fault not in (kernel.GOOD, kernel.FULL):
                    self.wrong(text.line, {kernel.COUNT: f"{text.found} numbers, where {len(names)} are expected", kernel.NO_NUMBER: "not a number" + (", which has a decimal point" if separator == ";" else ""),
                                           kernel.NO_MEASUREMENT: f"{text.wrong!r} is no measurement", kernel.TIME: "the time does not grow"}[fault])
                keep = max(0, count - 2)  # the time of the last but one may yet prove wrong
                yield rows[:keep]
                before = rows[keep:count].copy()
        yield before

    def _array(self) -> Iterator[np.ndarray]:
        """An array of NumPy: of achd_log_file, whose fields have names, or lines and columns that --columns names."""
        try:
            array: Any = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise Mistake(f"{self.path}: {error}") from error
        named = array.dtype.names
        if array.ndim != (1 if named else 2) or (not named and array.dtype.kind not in "fiu"):
            raise Mistake(f"{self.path}: an array of {array.ndim} dimensions of {array.dtype}: lines and columns of numbers are expected, or lines with named fields")
        names = list(named) if named else _columns_of(self.columns or "")
        if not named and len(names) != array.shape[1]:
            raise Mistake(f"{self.path}: {array.shape[1]} columns, where {len(names)} are named: name them with --columns \"t q:6 qd:6 tau:6\"")
        at, last = _places(names, self.joints, self.path), -math.inf
        for first in range(0, len(array), 8192):
            block = array[first:first + 8192]
            rows = np.stack([block[names[i]] for i in at], 1).astype(float) if named else block[:, at].astype(float)
            good = np.ones(len(rows), bool)
            limit = np.array([1e12, *[1e6] * (len(at) - 1)])
            sound = (np.abs(rows) < limit).all(axis=1)
            if sound.all() and (np.diff(rows[:, 0], prepend=last) > 0).all():
                last = rows[-1, 0]
                yield rows
                continue
            for k, row in enumerate(rows):
                fault = "a number is no measurement" if not sound[k] else "the time does not grow" if row[0] <= last else ""
                if fault:
                    good[k] = False
                    self.wrong(first + k + 1, fault)
                else:
                    last = row[0]
            yield rows[good]


def read(path: str, joints: Sequence[str], columns: Optional[str] = None, skip_damaged: bool = False) -> Log:
    """A file, as arrays. Lines that are no numbers, of another length, or not later than the one before are mistakes; skip_damaged: they are left out."""
    lines, n = Lines(path, joints, columns, skip_damaged), len(joints)
    x = np.concatenate([np.zeros((0, 1 + 3 * n)), *lines])
    if len(x) < LEAST:
        raise Mistake(f"{path}: {len(x)} lines that can be used: a log has {LEAST} at least")
    return Log(path, x[:, 0], x[:, 1:1 + n], x[:, 1 + n:1 + 2 * n], x[:, 1 + 2 * n:], lines.skipped)


# --- a log of any length ---------------------------------------------------------------------------


class Spool:
    """Lines of numbers in the order in which they came: in memory while they are few, else in a file without a name."""

    def __init__(self, width: int, memory: int = 1 << 25):
        self.width, self.count = width, 0
        self.file: Any = tempfile.SpooledTemporaryFile(max_size=memory)

    def __del__(self) -> None:
        self.file.close()

    def append(self, x: np.ndarray) -> None:
        self.file.seek(0, 2)
        self.file.write(memoryview(np.ascontiguousarray(x, dtype=float)).cast("B"))
        self.count += len(x)

    def part(self, first: int, behind: int) -> np.ndarray:
        self.file.seek(8 * self.width * first)
        return np.frombuffer(self.file.read(8 * self.width * (behind - first))).reshape(-1, self.width)

    def parts(self, lines: int) -> Iterator[np.ndarray]:
        for first in range(0, self.count, lines):
            yield self.part(first, min(self.count, first + lines))


class Recording:
    """A log, of which a block at a time is in memory: rows [t q qd tau], t from the first line on. step: between lines, in the median; stretches: (first, behind) of
    those without a gap."""

    EVERY = 1024

    def __init__(self, path: str, joints: Sequence[str], columns: Optional[str] = None, skip_damaged: bool = False):
        self.name, self.joints, self.rows = path, joints, Spool(1 + 3 * len(joints))
        lines, none = Lines(path, joints, columns, skip_damaged), np.full(len(joints), np.inf)
        self.torques = -none, none, np.zeros(len(joints)), none  # largest, smallest, how often they change, the last
        steps: list[float] = []
        gaps: list[tuple[int, float]] = []
        places: list[np.ndarray] = []  # the time of every so many rows
        begin = last = math.nan
        for x in self._sound(lines):
            begin = x[0, 0] if math.isnan(begin) else begin
            x[:, 0] -= begin
            step = np.diff(x[:, 0], prepend=last)
            steps.append(float(np.median(step[1:])) if len(step) > 1 else math.nan)
            gaps += [(self.rows.count + int(k), float(step[k])) for k in np.nonzero(step > LONGEST)[0]]
            places.append(x[(-self.rows.count) % self.EVERY::self.EVERY, 0])
            last = x[-1, 0]
            self.rows.append(x)
            high, low, changes, before = self.torques
            tau = x[:, 1 + 2 * len(joints):]
            self.torques = np.maximum(high, tau.max(0)), np.minimum(low, tau.min(0)), changes + (np.diff(tau, axis=0, prepend=before[None]) != 0).sum(0), tau[-1]
        if self.rows.count < LEAST:
            raise Mistake(f"{path}: {self.rows.count} lines that can be used: a log has {LEAST} at least")
        self.times, self.step = np.concatenate(places), float(np.nanmedian(steps))
        ends = [0, *(at for at, gap in gaps if gap > max(LONGEST, 5 * self.step)), self.rows.count]
        self.stretches = list(zip(ends[:-1], ends[1:]))
        for first, behind in self._clipped(lines):
            self.stretches = [part for a, b in self.stretches for part in ((a, min(b, first)), (max(a, behind), b)) if part[0] < part[1]]
        self.skipped, self.first = lines.skipped, lines.first

    def _sound(self, lines: Lines) -> Iterator[np.ndarray]:
        """Rows without those whose positions or velocities jump, alone, away from both rows around them. Torques do: brakes, and weights of single lines in least squares, see to it."""
        n, held, count = len(self.joints), np.zeros((0, self.rows.width)), 0
        for block in lines:
            if not len(block):
                continue
            x = np.concatenate([held, block])
            jump = np.diff(x[:, 1:1 + 2 * n], axis=0)
            qd = np.abs(x[:, 1 + n:1 + 2 * n])
            most = np.concatenate([0.2 + 2 * np.diff(x[:, 0])[:, None] * np.minimum(qd[:-1], qd[1:]), np.full(qd[1:].shape, 2.0)], 1)
            alone = (np.abs(jump[:-1]) > most[:-1]) & (np.abs(jump[1:]) > most[1:]) & (np.abs(jump[:-1] + jump[1:]) < 0.5 * np.minimum(most[:-1], most[1:]))
            good = np.ones(len(x), bool)
            for k in np.nonzero(alone.any(axis=1))[0] + 1:
                column = int(np.argmax(alone[k - 1]))
                what = f"{('position', 'velocity')[column // n]} of {self.joints[column % n]}"
                lines.wrong_row(count + int(k), f"{what}, {x[k, 1 + column]:.6g}, jumps away from the lines around it")
                good[k] = False
            x, count = x[good], count + int(good.sum())
            held = x[-2:].copy()
            count -= len(held)
            if len(x) > len(held):
                yield x[:len(x) - len(held)].copy()
        if len(held):
            yield held

    def _clipped(self, lines: Lines) -> Iterator[tuple[int, int]]:
        """Rows first .. behind in which a torque stays at its largest or smallest number, where it changes in most others: what limits it is not the motion."""
        n = len(self.joints)
        high, low, changes, _ = self.torques
        noisy = changes > 0.5 * self.rows.count
        begun, count = np.full(n, -1), 0
        for x in self.rows.parts(8192):
            tau = x[:, 1 + 2 * n:]
            at, end = (tau == high) | (tau == low), [False] * (count + len(x) == self.rows.count)  # behind the last row
            for j in np.nonzero(noisy & (at.any(axis=0) | (begun >= 0)))[0]:
                edges = np.nonzero(np.diff(np.concatenate([[begun[j] >= 0], at[:, j], end]).astype(int)))[0]
                for k in edges:
                    if begun[j] < 0:
                        begun[j] = count + k
                        continue
                    if count + k - begun[j] >= HELD:
                        lines.wrong_row(int(begun[j]), f"torque of {self.joints[j]} stays at {tau[max(0, k - 1), j]:.6g} for {count + k - begun[j]} lines: clipped", int(count + k - begun[j]))
                        yield int(begun[j]), int(count + k)
                    begun[j] = -1
            count += len(x)

    @property
    def t(self) -> np.ndarray:
        return self.rows.part(0, self.rows.count)[:, 0]

    def even(self, first: int, behind: int, begin: int, end: int, late: Optional[np.ndarray] = None) -> tuple[np.ndarray, np.ndarray]:
        """Times and [q qd tau] of a stretch at an even rate: its lines begin .. end. late: by how much a joint's torque stands behind its position [s]; it is
        brought forward."""
        start = float(self.rows.part(first, first + 1)[0, 0])
        t = start + self.step * np.arange(begin, end)
        late = np.zeros(len(self.joints)) if late is None else late
        low = max(first, self.EVERY * max(0, int(np.searchsorted(self.times, t[0] + min(0.0, late.min()))) - 1))
        high = min(behind, self.EVERY * (int(np.searchsorted(self.times, t[-1] + max(0.0, late.max()), "right")) + 1))
        rows = self.rows.part(low, high)
        values = kernel.even(rows, t)
        for j in np.flatnonzero(late):
            column = 2 * len(late) + j
            values[:, column] = kernel.even(rows[:, [0, 1 + column]], t + late[j])[:, 0]
        return t, values

    def length(self, first: int, behind: int) -> int:
        """Of a stretch, in lines at an even rate."""
        a, b = (float(self.rows.part(k, k + 1)[0, 0]) for k in (first, behind - 1))
        return max(1, math.ceil((b - a) / self.step - 1e-9))

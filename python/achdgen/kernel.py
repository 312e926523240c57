# SPDX-License-Identifier: MIT
"""lines.c, compiled when it is first needed: what is done with every line of a log, on arrays."""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any, Optional

import numpy as np

from ._generate import PACKAGE, compiled


class Text(ctypes.Structure):
    """As lines.c has it."""

    _fields_ = [("bytes", ctypes.c_char_p), ("length", ctypes.c_size_t), ("place", ctypes.c_size_t), ("line", ctypes.c_size_t), ("separator", ctypes.c_char),
                ("columns", ctypes.c_size_t), ("wanted", ctypes.c_size_t), ("to", ctypes.c_void_p), ("rows", ctypes.c_void_p), ("most", ctypes.c_size_t),
                ("given", ctypes.c_size_t), ("leaps", ctypes.c_size_t), ("strict", ctypes.c_int), ("found", ctypes.c_size_t), ("wrong", ctypes.c_double)]


GOOD, COUNT, NO_NUMBER, NO_MEASUREMENT, TIME, FULL = range(6)


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(compiled(PACKAGE / "lines.c")))
    for name in ("lines_even", "lines_low_pass", "lines_presliding", "lines_normal"):
        getattr(library, name).restype = None
    return library


def _pointer(x: Optional[np.ndarray]) -> ctypes.c_void_p:
    return ctypes.c_void_p(x.ctypes.data if x is not None else None)


def read_lines(text: Text) -> tuple[int, int]:
    """What is wrong with the line at which it stopped, and how many rows there are."""
    rows = ctypes.c_size_t()
    fault = int(_library().lines_read(ctypes.byref(text), ctypes.byref(rows)))
    return fault, rows.value


def even(rows: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The columns behind the first, which is time, at even times."""
    rows = np.ascontiguousarray(rows, dtype=float)
    out = np.empty((len(t), rows.shape[1] - 1))
    _library().lines_even(ctypes.c_size_t(len(rows)), ctypes.c_size_t(rows.shape[1]), _pointer(rows), ctypes.c_size_t(len(t)), ctypes.c_double(t[0]),
                          ctypes.c_double(t[1] - t[0] if len(t) > 1 else 1.0), _pointer(out))
    return out


def _sections(at: float) -> np.ndarray:
    """b0 b1 b2 a1 a2 of the two sections of a Butterworth filter of order 4, with its cut-off at this share of the sampling rate (bilinear transform)."""
    w = math.tan(math.pi * at)
    out = []
    for k in (0, 1):
        damping = 2 * math.sin(math.pi * (2 * k + 1) / 8)
        whole = 1 + damping * w + w * w
        b = w * w / whole
        out += [b, 2 * b, b, 2 * (w * w - 1) / whole, (1 - damping * w + w * w) / whole]
    return np.array(out)


DECAY = 8  # periods of the cut-off, after which e^-19 is left of where a filter began


def low_pass(x: np.ndarray, step: float, cut_off: float) -> np.ndarray:
    """Without a shift in time: a Butterworth filter of order 4 forwards and backwards, of the signal and its mirror images at both ends."""
    n = len(x)
    if n < 3 or cut_off * step >= 0.45:
        return x
    pad = min(n - 1, int(DECAY / cut_off / step) + 1)
    turned = np.empty((n + 2 * pad, *x.shape[1:]))
    turned[:pad], turned[pad:pad + n], turned[pad + n:] = 2 * x[:1] - x[pad:0:-1], x, 2 * x[-1:] - x[n - 2:n - 2 - pad if pad < n - 1 else None:-1]
    turned = turned.reshape(n + 2 * pad, -1)
    state, sections = np.empty((4, turned.shape[1])), _sections(cut_off * step)
    _library().lines_low_pass(ctypes.c_size_t(len(turned)), ctypes.c_size_t(turned.shape[1]), _pointer(turned), _pointer(sections), _pointer(state))
    return turned[pad:pad + n].reshape(x.shape)


def presliding(q: np.ndarray, first: np.ndarray, distance: float) -> np.ndarray:
    """Dry friction by line and joint, over its largest value, which turns around while a joint moves by this distance (Dahl 1968); first: at the first line."""
    q, z = np.ascontiguousarray(q, dtype=float), np.empty(q.shape)
    z[0] = first
    _library().lines_presliding(ctypes.c_size_t(len(q)), ctypes.c_size_t(q.shape[1]), _pointer(q), ctypes.c_double(distance), _pointer(z))
    return z


def add_normal(N: np.ndarray, Y: np.ndarray, at: np.ndarray, more: np.ndarray, weight: Optional[np.ndarray] = None) -> None:
    """N += A^T diag(weight) A with A = [columns `at` of Y, more] by line, in its upper half: `square` makes a whole of it. N: of `normal`."""
    assert Y.strides[1] == 8 and N.flags.c_contiguous and len(N) >= len(at) + more.shape[1]
    more, at = np.ascontiguousarray(more, dtype=float), np.ascontiguousarray(at, dtype=np.intc)
    weight = None if weight is None else np.ascontiguousarray(weight, dtype=float)
    work: Any = np.empty((2, 64, len(N)))
    _library().lines_normal(ctypes.c_size_t(len(Y)), _pointer(Y), ctypes.c_size_t(Y.strides[0] // 8), _pointer(at), ctypes.c_size_t(len(at)),
                            _pointer(more), ctypes.c_size_t(more.shape[1]), _pointer(weight), ctypes.c_size_t(len(N)), _pointer(N), _pointer(work))


def normal(columns: int) -> np.ndarray:
    """Zeros for the normal matrix of so many columns."""
    return np.zeros((-(-columns // 8) * 8,) * 2)


def square(N: np.ndarray, columns: int) -> np.ndarray:
    """The whole of a symmetric matrix whose upper half is there."""
    upper = np.triu(N[:columns, :columns])
    return upper + np.triu(upper, 1).T

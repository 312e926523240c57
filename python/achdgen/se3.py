# SPDX-License-Identifier: MIT
"""Rotations and poses as motions of unit time, and back: exponentials and logarithms of SO(3) and SE(3) over arrays of any leading shape.

A pose is (p, R): position and rotation. Its motion is a six-vector, linear before angular as everywhere here: the constant twist, along the axes of where it
begins, that reaches the pose in unit time. Formulas: Lynch and Park, Modern Robotics, 2017, section 3.3."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
SMALL = 1e-4  # [rad] below this series are exact to a double's digits


def _cross(w: Array) -> Array:
    """[w], with [w] v = w x v."""
    K = np.zeros((*w.shape[:-1], 3, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = w[..., 0], w[..., 1], w[..., 2]
    out: Array = K - np.swapaxes(K, -1, -2)
    return out


def _factors(w: Array) -> tuple[Array, Array, Array]:
    """Of the angle a: sin a / a, (1 - cos a) / a^2, (a - sin a) / a^3."""
    a2: Array = np.sum(w * w, axis=-1)[..., None, None]
    small: Any = a2 < SMALL ** 2
    a: Array = np.sqrt(np.where(small, 1.0, a2))
    half: Array = np.sin(a / 2) / a
    return (np.where(small, 1 - a2 / 6, np.sin(a) / a), np.where(small, 0.5 - a2 / 24, 2 * half * half),
            np.where(small, 1 / 6 - a2 / 120, (a - np.sin(a)) / a ** 3))


def exp_so3(w: Any) -> Array:
    """The rotation about w by its length [rad]."""
    along: Array = np.asarray(w, float)
    K = _cross(along)
    s, c, _ = _factors(along)
    out: Array = np.asarray(np.eye(3) + s * K + c * (K @ K), float)
    return out


def log_so3(R: Any) -> Array:
    """The w of length 0 to pi with exp_so3(w) = R [rad]."""
    R = np.asarray(R, float)
    # The quaternion, by the largest of its four squares (Shepperd 1978): no digits are lost at any angle.
    t = R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2]
    d = R - np.swapaxes(R, -1, -2)
    v = np.stack([d[..., 2, 1], d[..., 0, 2], d[..., 1, 0]], axis=-1)
    rows = [np.concatenate([(1 + t)[..., None], v], axis=-1)]
    for i in range(3):
        column = R[..., :, i] + R[..., i, :]
        column[..., i] = 1 + 2 * R[..., i, i] - t
        rows.append(np.concatenate([v[..., i:i + 1], column], axis=-1))
    all_four = np.stack(rows, axis=-2)
    best = np.argmax(np.stack([t, R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]], axis=-1), axis=-1)
    q = np.take_along_axis(all_four, best[..., None, None], axis=-2)[..., 0, :]
    q = q * np.where(q[..., :1] < 0, -1, 1) / np.linalg.norm(q, axis=-1, keepdims=True)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    out: Array = q[..., 1:] * np.where(sine < SMALL, 2 + sine * sine / 3, angle / np.where(sine < SMALL, 1, sine))
    return out


def exp_se3(motion: Any) -> tuple[Array, Array]:
    """(p, R): the pose that a twist [m, rad] reaches in unit time."""
    motion = np.asarray(motion, float)
    w = motion[..., 3:]
    K = _cross(w)
    _, c, d = _factors(w)
    p: Array = ((np.eye(3) + c * K + d * (K @ K)) @ motion[..., :3, None])[..., 0]
    return p, exp_so3(w)


def log_se3(p: Any, R: Any) -> Array:
    """The twist [m, rad] that reaches a pose in unit time."""
    w = log_so3(R)
    K = _cross(w)
    s, c, _ = _factors(w)
    a2 = np.sum(w * w, axis=-1)[..., None, None]
    rest = np.where(a2 < SMALL ** 2, 1 / 12 + a2 / 720, (1 - s / (2 * np.where(c == 0, 1, c))) / np.where(a2 == 0, 1, a2))
    lin = ((np.eye(3) - K / 2 + rest * (K @ K)) @ np.asarray(p, float)[..., None])[..., 0]
    out: Array = np.concatenate([lin, np.broadcast_to(w, lin.shape)], axis=-1)
    return out

# SPDX-License-Identifier: MIT
"""Logs to the rows of least squares: an even rate, low-passed, with the regressor and what friction is made of; in blocks, so that memory does not grow with a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from .advice import friction_by_word
from .kernel import add_normal, low_pass, normal, presliding, square
from .model import Model
from .recording import LONGEST, Mistake, Recording, Spool

BLOCK = 20000  # lines of a stretch that are taken at once
AT_ONCE = 2000  # rows
LEAST_LINES = 50  # of a stretch without a gap
STRIBECK = 0.4  # [rad/s]: where friction is between that of standstill and that of motion
PRESLIDING = 0.002  # [rad]: by how much a joint moves while dry friction that is not stiff turns around
SHARP = ("viscous", "coulomb", "offset", "stribeck", "presliding")
WORDS = (*SHARP, "tilt_x", "tilt_y")


def no_stretch(logs: Sequence[Recording]) -> Mistake:
    return Mistake(f"{', '.join(log.name for log in logs)}: no stretch of {LEAST_LINES} lines without a gap of {LONGEST} s: log at an even rate")


def _blocks(log: Recording, cut_off: float, method: str, late: Optional[np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray, slice]]:
    """Stretches, long ones in blocks, and the lines of each that are kept: not those that mirror images at the ends of the stretch spoil; blocks overlap by as
    much as a filter remembers."""
    for first, behind in log.stretches:
        if behind - first < LEAST_LINES:
            continue
        n, period = log.length(first, behind), 1 / cut_off / log.step
        edge, overlap = min(n // 10, max(1, int((2 if method == "momentum" else 0.5) * period))), int(6 * period) + 1
        ends = np.linspace(edge, n - edge, max(1, round(n / BLOCK)) + 1).astype(int)
        for a, b in zip(ends[:-1], ends[1:]):
            begin, end = (max(0, a - overlap), min(n, b + overlap)) if len(ends) > 2 else (0, n)
            yield (*log.even(first, behind, begin, end, late), slice(a - begin, b - begin))


def find_cut_off(log: Recording) -> float:
    """Five times the frequency below which the velocities have 99 % of their power, 5 Hz at least, a fifth of the sampling rate at most."""
    highest, n = 0.0, len(log.joints)
    lines = max((b - a for a, b in log.stretches), default=0)
    if lines < LEAST_LINES:
        raise no_stretch([log])
    for first, behind in log.stretches:
        if behind - first < LEAST_LINES:
            continue
        count = log.length(first, behind)
        ends = np.linspace(0, count, max(1, round(count / BLOCK)) + 1).astype(int)
        for begin, end in zip(ends[:-1], ends[1:]):
            qd = log.even(first, behind, begin, end)[1][:, n:2 * n]
            total = (np.abs(np.fft.rfft(qd - qd.mean(0), axis=0)) ** 2).sum(1).cumsum()
            if total[-1] > 0:
                highest = max(highest, float(np.fft.rfftfreq(len(qd), log.step)[np.searchsorted(total, 0.99 * total[-1])]))
    return min(max(5 * highest, 5.0), 0.2 / log.step)


@dataclass
class Lines:
    """By line and joint: torque (or current), regressor, and what friction is made of, all low-passed alike, as dry friction is not smooth; how many lines make one that
    is independent of the next. Z: the columns of the regressor that a joint has at all, of one joint behind the other; own: which these are."""

    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    friction: dict[str, np.ndarray]
    Z: np.ndarray
    own: list[np.ndarray]
    thinned: int

    def __len__(self) -> int:
        return len(self.t)

    def parts(self) -> Iterator[Lines]:
        yield self

    def at(self, lines: np.ndarray) -> Lines:
        return Lines(self.t[lines], self.q[lines], self.tau[lines], {word: x[lines] for word, x in self.friction.items()}, self.Z[lines], self.own, self.thinned)

    def joint(self, j: int) -> np.ndarray:
        """What it has of Y."""
        first = sum(len(own) for own in self.own[:j])
        return self.Z[:, first:first + len(self.own[j])]

    def torque_of(self, parameters: np.ndarray) -> np.ndarray:
        """Y pi."""
        return np.stack([self.joint(j) @ parameters[own] for j, own in enumerate(self.own)], 1)

    def whole(self, count: int) -> np.ndarray:
        """Y by line, joint and parameter."""
        Y = np.zeros((len(self), len(self.own), count))
        for j, own in enumerate(self.own):
            Y[:, j, own] = self.joint(j)
        return Y


class Rows:
    """Lines of the logs together, of which a block at a time is in memory."""

    def __init__(self, joints: int, own: list[np.ndarray]):
        self.joints, self.own, self.thinned, self.gains = joints, own, 1, np.ones(joints)
        self.spool = Spool(1 + (2 + len(WORDS)) * joints + sum(len(one) for one in own))
        self.seams = [0]  # rows behind which a stretch or a log ends

    def __len__(self) -> int:
        return self.spool.count

    def _lines(self, x: np.ndarray) -> Lines:
        q, tau, *friction = np.split(x[:, 1:1 + (2 + len(WORDS)) * self.joints], 2 + len(WORDS), 1)
        return Lines(x[:, 0], q, tau * self.gains, dict(zip(WORDS, friction)), x[:, 1 + (2 + len(WORDS)) * self.joints:], self.own, self.thinned)

    def parts(self) -> Iterator[Lines]:
        for x in self.spool.parts(AT_ONCE):
            yield self._lines(x)

    def some(self, most: int) -> Lines:
        """Every so-manyth line, that they are no more than these."""
        every, kept, first = -(-len(self) // most), [], 0
        for x in self.spool.parts(AT_ONCE):
            kept.append(x[(-first) % every::every].copy())
            first += len(x)
        lines = self._lines(np.concatenate(kept))
        lines.thinned = max(1, round(self.thinned / every))
        return lines


AnyRows = Union[Lines, Rows]


def own_columns(model: Model) -> list[np.ndarray]:
    """Of each joint the columns of Y that are not always 0."""
    random, n = np.random.default_rng(1), len(model.joints)
    Y = model.columns(*random.uniform(-1, 1, (3, 20, n)))
    return [np.nonzero(np.abs(Y[:, j]).max(0) > 0)[0] for j in range(n)]


def torque_columns(model: Model, smooth: np.ndarray, own: list[np.ndarray], step: float, cut_off: float) -> np.ndarray:
    """Z of an even stretch of [q qd ..], low-passed: of accelerations that are central differences of velocities; or, without accelerations, of momenta:
    tau = d/dt(Yp) pi - Yt pi, the low pass and the derivative those of Yp and Yt."""
    n = len(model.joints)

    def packed(Y: np.ndarray) -> np.ndarray:
        return low_pass(np.concatenate([Y[:, j, one] for j, one in enumerate(own)], 1), step, cut_off)

    q, qd = smooth[:, :n], smooth[:, n:2 * n]
    if model.method == "momentum":
        Yp, Yt = model.momentum(q, qd)
        return np.gradient(packed(Yp), step, axis=0) - packed(Yt)
    return packed(model.columns(q, qd, np.gradient(qd, step, axis=0)))


def rows_of(model: Model, logs: Sequence[Recording], cut_off: float, late: Optional[np.ndarray] = None) -> Rows:
    """late: by how much torques of joints stand behind positions [s]."""
    n = len(model.joints)
    rows = Rows(n, own_columns(model))
    for log in logs:
        away, moved = np.zeros(n), np.zeros(n)
        for t, values, kept in _blocks(log, cut_off, model.method, late):
            step = float(t[1] - t[0])
            smooth = low_pass(values, step, cut_off)
            qd = smooth[:, n:2 * n]
            coarse = max(1, int(0.0625 / cut_off / step))  # Y is smooth: sixteen lines a period of the cut-off make it
            Z = torque_columns(model, smooth[::coarse], rows.own, step * coarse, cut_off)
            every = max(1, int(0.125 / cut_off / step / coarse))  # and eight tell all that there is
            first = -(-kept.start // coarse)
            fine, lines = slice(first * coarse, kept.stop, coarse * every), slice(first, None, every)
            count = len(t[fine])
            every *= coarse
            friction = friction_by_word(qd, STRIBECK)
            friction["presliding"] = presliding(smooth[:, :n], friction["coulomb"][0], PRESLIDING) - friction["coulomb"]
            told = low_pass(np.concatenate([friction[word] for word in SHARP], 1), step, cut_off)
            tilt = low_pass(np.concatenate(model.tilted(smooth[::coarse, :n]), 1), step * coarse, cut_off)
            rows.spool.append(np.concatenate([t[fine, None], smooth[fine, :n], smooth[fine, 2 * n:], told[fine], tilt[lines][:count], Z[lines][:count]], 1))
            rows.thinned = max(rows.thinned, int(0.5 / cut_off / step / every))
            rate = np.gradient(smooth[:, :n], step, axis=0)[kept]
            away, moved = away + ((rate - qd[kept]) ** 2).sum(0), moved + (rate**2).sum(0) + 1e-4 * len(rate)
        for j in np.nonzero(away > 0.25 * moved)[0]:
            raise Mistake(f"{log.name}: the velocities of {model.joints[j]} are not those of its positions: look at the columns and their units, rad and rad/s (or m and m/s)")
    if not len(rows):
        raise no_stretch(logs)
    return rows


def friction_columns(lines: Lines, joint: int, words: Sequence[str], load: np.ndarray) -> np.ndarray:
    """Of one joint, by word; load: the torque that it carries, with which friction grows, and which its sensor may scale."""

    def column(word: str) -> np.ndarray:
        if word == "scale":
            return load[:, joint]
        return lines.friction["coulomb"][:, joint] * np.abs(load[:, joint]) if word == "load" else lines.friction[word][:, joint]

    return np.stack([column(word) for word in words], 1)


def columns_of_joint(lines: Lines, words: Sequence[str], load: np.ndarray, joint: int) -> np.ndarray:
    """[Y, its friction] of a joint by line: of Y what it has."""
    return np.concatenate([lines.joint(joint), friction_columns(lines, joint, words, load)], 1)


def places_of_joint(rows: AnyRows, words: Sequence[str], parameters: int, joint: int) -> np.ndarray:
    """Where these columns stand among all unknowns."""
    first = parameters + joint * len(words)
    return np.concatenate([rows.own[joint], np.arange(first, first + len(words))])


def normal_matrices(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tau: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """By joint, of arrays by line: the columns of Y that it has, and A^T A of these and its torque, A = [Y tau]; by blocks that stay in the processor's cache."""
    found = [(one, normal(len(one) + 1)) for one in own_columns(model)]
    for first in range(0, len(q), 512):
        block = slice(first, first + 512)
        Y = model.columns(q[block], qd[block], qdd[block])
        for j, (one, N) in enumerate(found):
            add_normal(N, Y[:, j], one, tau[block, j:j + 1])
    return [(one, square(N, len(one) + 1)) for one, N in found]

"""achd-identify: the parameters of the robot that stands there, from logs of its motion (docs/identify.md).

    achd-identify ROBOT.urdf LOG.csv .. [--validate LOG.csv ..] -o identified.lua

Inverse dynamics is linear in base parameters: torque = Y(q, qd, qdd) pi, with Y of achdgen's function `regressor`, and friction of each joint. They are
found by weighted least squares, and carried over to masses, centres of mass and inertias of links that a body can have, near those of the URDF."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ._generate import GenerationError
from ._layout import LayoutError
from ._robot import InputError, StatusError
from .advice import Knowledge, friction_by_word, inverse, knowledge, prior, suggestions
from .excite import add_motion_options, excite, limits_of, read_motion
from .identified import Identified, c_text, layout_text, urdf_text
from .identify_page import Page, Run, page_text
from .model import NUMBERS, Model, id_of, numbers_of, tensor
from .observe import LONGEST, Log, Mistake, add_log_options, read

BLOCK = 20000  # lines of a stretch that are taken at once
LEAST_LINES = 50  # of a stretch without a gap
STRIBECK = 0.2  # [rad/s]: where friction is between that of standstill and that of motion
FRICTIONS = {"plain": ("viscous", "coulomb", "offset"), "stribeck": ("viscous", "coulomb", "offset", "stribeck"),
             "load": ("viscous", "coulomb", "offset", "load"), "rich": ("viscous", "coulomb", "offset", "stribeck", "load")}


# --- logs to rows ----------------------------------------------------------------------------------


def _no_stretch(logs: Sequence[Log]) -> Mistake:
    return Mistake(f"{', '.join(log.name for log in logs)}: no stretch of {LEAST_LINES} lines without a gap of {LONGEST} s: log at an even rate")


def _stretches(log: Log) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Evenly spaced time and [q qd tau] of the stretches of a log that have no gap."""
    step = float(np.median(np.diff(log.t)))
    ends = [0, *(np.nonzero(np.diff(log.t) > max(LONGEST, 5 * step))[0] + 1), len(log.t)]
    values = np.concatenate([log.q, log.qd, log.tau], 1)
    for first, behind in zip(ends[:-1], ends[1:]):
        if behind - first < LEAST_LINES:
            continue
        t = np.arange(log.t[first], log.t[behind - 1], step)
        yield t, np.stack([np.interp(t, log.t[first:behind], column[first:behind]) for column in values.T], 1)


def _blocks(log: Log, cut_off: float, method: str) -> Iterator[tuple[np.ndarray, np.ndarray, slice]]:
    """Stretches, long ones in blocks, so that memory does not grow with a log's length, and the lines of each that are kept: not those that mirror images at the
    ends of the stretch spoil; blocks overlap by what their own do."""
    for t, values in _stretches(log):
        n, period = len(t), 1 / cut_off / float(t[1] - t[0])
        edge, overlap = min(n // 10, max(1, int((2 if method == "momentum" else 0.5) * period))), int(2 * period) + 1
        ends = np.linspace(edge, n - edge, max(1, round(n / BLOCK)) + 1).astype(int)
        for first, behind in zip(ends[:-1], ends[1:]):
            begin, end = (max(0, first - overlap), min(n, behind + overlap)) if len(ends) > 2 else (0, n)
            yield t[begin:end], values[begin:end], slice(first - begin, behind - begin)


def _smooth_number(most: int) -> int:
    """The largest number 2^a 3^b 5^c up to this one."""
    return max(p * q * 2 ** ((most // (p * q)).bit_length() - 1) for p in (1, 3, 9, 27, 81) for q in (1, 5, 25, 125) if p * q <= most)


def low_pass(x: np.ndarray, step: float, cut_off: float) -> np.ndarray:
    """Without a shift in time: by 1 / (1 + (f / cut_off)^8), a Butterworth filter of order 4 forwards and backwards, of the signal with its mirror images."""
    n = len(x)
    if n < 3 or cut_off * step >= 0.5:
        return x
    behind = _smooth_number(3 * n - 2) - (2 * n - 1)  # of the image there: a length that Fourier transforms are fast for
    turned = np.concatenate([2 * x[:1] - x[n - 1:0:-1], x, 2 * x[-1:] - x[n - 2:n - 2 - behind:-1] if behind < n - 1 else 2 * x[-1:] - x[n - 2::-1]])
    share = 1 / (1 + (np.fft.rfftfreq(len(turned), step) / cut_off) ** 8)
    return np.fft.irfft(np.fft.rfft(turned, axis=0) * share.reshape(-1, *[1] * (x.ndim - 1)), len(turned), axis=0)[n - 1:2 * n - 1]


def find_cut_off(log: Log) -> float:
    """Five times the frequency below which the velocities have 99 % of their power, 5 Hz at least, a fifth of the sampling rate at most."""
    highest, least = 0.0, 0.0
    for t, values in _stretches(log):
        n = log.q.shape[1]
        power = np.abs(np.fft.rfft(values[:, n:2 * n] - values[:, n:2 * n].mean(0), axis=0)) ** 2
        total = power.sum(1).cumsum()
        step = t[1] - t[0]
        highest = max(highest, float(np.fft.rfftfreq(len(t), step)[np.searchsorted(total, 0.99 * total[-1])]))
        least = 1 / step
    if not least:
        raise _no_stretch([log])
    return min(max(5 * highest, 5.0), least / 5)


@dataclass
class Rows:
    """Of the logs together, by line and joint: torque (or current), regressor, and what friction is made of, all low-passed alike, as dry friction is not
    smooth; how many lines make one that is independent of the next."""

    tau: np.ndarray
    Y: np.ndarray
    friction: dict[str, np.ndarray]
    thinned: int
    t: np.ndarray
    q: np.ndarray

    def at(self, lines: np.ndarray) -> Rows:
        return Rows(self.tau[lines], self.Y[lines], {word: x[lines] for word, x in self.friction.items()}, self.thinned, self.t[lines], self.q[lines])


def torque_columns(model: Model, smooth: np.ndarray, step: float, cut_off: float) -> np.ndarray:
    """Y of an even stretch of [q qd ..], low-passed: of accelerations that are central differences of velocities; or, without accelerations, of momenta:
    tau = d/dt(Yp) pi - Yt pi, the low pass and the derivative those of Yp and Yt."""
    n = len(model.joints)
    q, qd = smooth[:, :n], smooth[:, n:2 * n]
    if model.method == "momentum":
        Yp, Yt = model.momentum(q, qd)
        return np.gradient(low_pass(Yp, step, cut_off), step, axis=0) - low_pass(Yt, step, cut_off)
    return low_pass(model.columns(q, qd, np.gradient(qd, step, axis=0)), step, cut_off)


def delay(found: Fit, rows: Rows, prior_of: np.ndarray) -> tuple[float, float]:
    """By how much torques stand behind positions [s], and the deviation of that: what is not explained is less the delay times the rate of the torque,
    tau(t) = model(t - d), to first order; of the rate only what no parameter explains."""
    model_of = found.torque(rows)
    even = np.diff(rows.t, prepend=rows.t[0] - 1, append=rows.t[-1] + 1)
    inner = (even[:-1] > 0) & (np.abs(even[:-1] - even[1:]) < 1e-3 * np.abs(even[:-1]))
    rate = np.zeros_like(model_of)
    inside = np.nonzero(inner)[0]
    rate[inside] = (model_of[inside + 1] - model_of[inside - 1]) / (rows.t[inside + 1] - rows.t[inside - 1])[:, None]
    weight = 1 / found.sigma**2 / rows.thinned
    left = rows.tau - model_of
    along = np.einsum("tj,tja->a", weight * rate, found.columns(rows))
    certainty = float((weight * rate**2).sum() - along @ inverse(found.told + inverse(100 * prior_of)) @ along)
    return (-float((weight * rate * left).sum()) / certainty, certainty**-0.5) if certainty > 0 else (0.0, np.inf)


def rows_of(model: Model, logs: Sequence[Log], cut_off: float) -> Rows:
    n, parts, thinned = len(model.joints), [], 1
    for log in logs:
        for t, values, kept in _blocks(log, cut_off, model.method):
            step = float(t[1] - t[0])
            smooth = low_pass(values, step, cut_off)
            qd = smooth[:, n:2 * n]
            coarse = max(1, int(0.0625 / cut_off / step))  # Y is smooth: sixteen lines a period of the cut-off make it
            Y = torque_columns(model, smooth[::coarse], step * coarse, cut_off)
            every = max(1, int(0.125 / cut_off / step / coarse))  # and eight tell all that there is
            first = -(-kept.start // coarse)
            fine, lines = slice(first * coarse, kept.stop, coarse * every), slice(first, None, every)
            count = len(t[fine])
            every *= coarse
            parts.append([t[fine], smooth[fine, :n], Y[lines][:count],
                          *(low_pass(x, step, cut_off)[fine] for x in (values[:, 2 * n:], *friction_by_word(qd, STRIBECK).values()))])
            thinned = max(thinned, int(0.5 / cut_off / step / every))
    if not parts:
        raise _no_stretch(logs)
    t, q, Y, tau, *friction = (np.concatenate(list(part)) for part in zip(*parts))
    return Rows(tau, Y, dict(zip(friction_by_word(np.zeros((1, 1)), STRIBECK), friction)), thinned, t, q)


def friction_columns(rows: Rows, joint: int, words: Sequence[str], load: np.ndarray) -> np.ndarray:
    """Of one joint, by word; friction that grows with the torque `load` that the joint carries."""
    return np.stack([rows.friction["coulomb"][:, joint] * np.abs(load[:, joint]) if word == "load" else rows.friction[word][:, joint] for word in words], 1)


# --- least squares ---------------------------------------------------------------------------------


@dataclass
class Fit:
    parameters: np.ndarray  # base parameters
    friction: np.ndarray  # by joint and word
    words: tuple[str, ...]
    sigma: np.ndarray  # [N m] by joint, what is not explained
    information: np.ndarray  # of the base parameters: the inverse of their covariance
    deviation: np.ndarray  # of the base parameters
    friction_deviation: np.ndarray
    condition: float
    unexcited: list[int] = field(default_factory=list)
    told: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # information of the lines alone, about base parameters and friction

    def columns(self, rows: Rows) -> np.ndarray:
        """By line, joint and unknown: what the torques are made of."""
        lines, n, count = rows.Y.shape
        load, A = rows.Y @ self.parameters, np.zeros((lines, n, count + n * len(self.words)))
        for j in range(n):
            columns, at = _columns_of_joint(rows, self.words, load, j)
            A[:, j, at] = columns
        return A

    def torque(self, rows: Rows) -> np.ndarray:
        tau = rows.Y @ self.parameters
        load = tau.copy()
        for j in range(tau.shape[1]):
            tau[:, j] += friction_columns(rows, j, self.words, load) @ self.friction[j]
        return tau


def _columns_of_joint(rows: Rows, words: Sequence[str], load: np.ndarray, joint: int) -> tuple[np.ndarray, np.ndarray]:
    """[Y, its friction] of a joint by line, and where these stand among all unknowns."""
    parameters = rows.Y.shape[2]
    first = parameters + joint * len(words)
    return (np.concatenate([rows.Y[:, joint], friction_columns(rows, joint, words, load)], 1),
            np.concatenate([np.arange(parameters), np.arange(first, first + len(words))]))


def fit(model: Model, rows: Rows, words: tuple[str, ...]) -> Fit:
    """Least squares over all joints, weighted by what each leaves unexplained, and by Huber's weights of single lines; near the URDF where nothing else tells."""
    n, np_, extra = rows.tau.shape[1], rows.Y.shape[2], len(words)
    load = rows.Y @ model.value
    least = 1e-4 * np.abs(rows.tau).max() + 1e-9  # no sensor of torque is better
    sigma, weight = rows.tau.std(0) + least, np.ones_like(rows.tau)
    before = np.concatenate([model.value, np.zeros(n * extra)])
    x, N = before, np.eye(len(before))
    # What motions do not tell stays near the URDF: its numbers count as ten times as uncertain as they usually are, so that they hardly pull where motions tell.
    widest = 100 * prior(model, words)
    ridge = inverse(widest)
    for _ in range(6):
        columns = [_columns_of_joint(rows, words, load, j) for j in range(n)]
        N, b = np.zeros((len(before), len(before))), np.zeros(len(before))
        for j, (A, at) in enumerate(columns):
            Aw = A * (weight[:, j] / sigma[j] ** 2 / rows.thinned)[:, None]
            N[np.ix_(at, at)] += Aw.T @ A
            b[at] += Aw.T @ rows.tau[:, j]
        size = np.sqrt(np.diag(N + ridge))
        x = np.linalg.solve((N + ridge) / size[:, None] / size, (b + ridge @ before) / size) / size
        left = np.stack([rows.tau[:, j] - A @ x[at] for j, (A, at) in enumerate(columns)], 1)
        sigma = np.sqrt((weight * left**2).mean(0)) + least
        weight = np.minimum(1, 3 * sigma / np.maximum(np.abs(left), 1e-12))
        load = rows.Y @ x[:np_]
    covariance = inverse(N + ridge)
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0))
    scale = np.sqrt(np.maximum(np.diag(N), 1e-12))
    scaled = N[:np_, :np_] / scale[:np_, None] / scale[None, :np_]
    return Fit(x[:np_], x[np_:].reshape(n, extra), words, sigma, inverse(covariance[:np_, :np_]), deviation[:np_],
               deviation[np_:].reshape(n, extra), float(np.sqrt(np.linalg.cond(scaled))),
               [k for k in range(np_) if deviation[k] ** 2 > 0.5 * widest[k, k]], N)


def rms(model_of: Fit, rows: Rows) -> np.ndarray:
    return np.sqrt(((rows.tau - model_of.torque(rows)) ** 2).mean(0))


def of_the_urdf(model: Model) -> Fit:
    """The URDF's inertias, without friction."""
    n = len(model.joints)
    zero = np.zeros((n, 3))
    return Fit(model.value, zero, FRICTIONS["plain"], np.ones(n), np.eye(len(model.value)), 0 * model.value, zero, 1.0)


# --- inertias that bodies can have -----------------------------------------------------------------


def pseudo_inertia(x: np.ndarray) -> np.ndarray:
    """Second moments, first moment and mass of a body as a 4 x 4 matrix: positive definite for one of particles (Wensing, Kim, Slotine 2018)."""
    I, J = tensor(x), np.empty((4, 4))
    J[:3, :3] = 0.5 * np.trace(I) * np.eye(3) - I
    J[:3, 3] = J[3, :3] = x[1:4]
    J[3, 3] = x[0]
    return J


def ten_numbers(J: np.ndarray) -> np.ndarray:
    I = np.trace(J[:3, :3]) * np.eye(3) - J[:3, :3]
    return np.array([J[3, 3], *J[:3, 3], I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]])


UPPER = [(i, k) for i in range(4) for k in range(i + 1, 4)]


def from_coordinates(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ten numbers of log-Cholesky coordinates, J = U U^T with exp on U's diagonal (Rucker, Wensing 2022), and their derivatives."""
    U = np.diag(np.exp(y[:4]))
    for c, (i, k) in enumerate(UPPER):
        U[i, k] = y[4 + c]
    slopes = np.empty((10, 10))
    for c in range(10):
        dU = np.zeros((4, 4))
        i, k = (c, c) if c < 4 else UPPER[c - 4]
        dU[i, k] = U[i, i] if c < 4 else 1
        slopes[:, c] = ten_numbers(dU @ U.T + U @ dU.T)
    return ten_numbers(U @ U.T), slopes


def to_coordinates(x: np.ndarray) -> np.ndarray:
    """Of a body that is none by its URDF, those of the nearest that has at least a ten-thousandth of its own extent in every direction."""
    J = pseudo_inertia(x)
    values, axes = np.linalg.eigh(J)
    J = axes @ np.diag(np.maximum(values, 1e-4 * max(values[-1], 1e-3))) @ axes.T
    turned = np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1]  # upper
    return np.concatenate([np.log(np.diag(turned)), [turned[i, k] for i, k in UPPER]])


def consistent(model: Model, found: Fit) -> tuple[np.ndarray, np.ndarray]:
    """Ten numbers of every link, and rotors, that bodies can have: as near to the base parameters found as these are certain, and near the URDF in what
    torques do not tell (Gauss, Newton, with Levenberg's and Marquardt's step)."""
    links, joints = len(model.links), len(model.joints)
    y = np.concatenate([to_coordinates(x) for x in model.of_urdf()] + [np.log(np.where(model.rotors() > 1e-4, model.rotors(), 0.1))])
    fitted = {p["name"]: found.parameters[k] for k, p in enumerate(model.parameters)}
    for j, joint in enumerate(model.joints):
        rotor = fitted.get(f"{id_of(joint)}.armature")
        if rotor is not None:
            y[10 * links + j] = np.log(max(rotor, 1e-4))
    prior, L = y.copy(), np.linalg.cholesky(found.information).T
    near = 0.3  # of the URDF: how much of a coordinate is one deviation

    def image(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, slopes = np.empty(10 * links + joints), np.zeros((10 * links + joints, len(at)))
        for i in range(links):
            x[10 * i:10 * i + 10], slopes[10 * i:10 * i + 10, 10 * i:10 * i + 10] = from_coordinates(at[10 * i:10 * i + 10])
        x[10 * links:] = np.exp(at[10 * links:])
        slopes[range(10 * links, len(x)), range(10 * links, len(at))] = x[10 * links:]
        return x, slopes

    def residual(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, slopes = image(at)
        return (np.concatenate([L @ (model.made_of @ x - found.parameters), (at - prior) / near]),
                np.concatenate([L @ model.made_of @ slopes, np.eye(len(at)) / near]))

    damping, (r, D) = 1.0, residual(y)
    for _ in range(200):
        N = D.T @ D
        step = np.linalg.solve(N + damping * np.diag(np.diag(N)), -D.T @ r)
        step *= min(1.0, 1.0 / np.abs(step).max())
        r_next, D_next = residual(y + step)
        if r_next @ r_next < r @ r:
            settled = (r @ r - r_next @ r_next) < 1e-9 * (r @ r)
            y, r, D, damping = y + step, r_next, D_next, max(damping / 4, 1e-9)
            if settled:
                break
        else:
            damping *= 8
            if damping > 1e12:
                break
    x, _ = image(y)
    return x[:10 * links].reshape(links, 10), x[10 * links:]


# --- loads and gains -------------------------------------------------------------------------------


def load_columns(model: Model, rows: Rows) -> np.ndarray:
    """What a load on the last link adds to torques, by line, joint and its ten numbers in that link's frame."""
    last = 10 * (len(model.links) - 1)
    return rows.Y @ model.made_of[:, last:last + 10]


def payload(model: Model, found: Fit, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """A load's ten numbers, and their deviations, of what a robot that was identified without it does not explain."""
    left, A = rows.tau - found.torque(rows), load_columns(model, rows)
    N, b = np.zeros((10, 10)), np.zeros(10)
    for j in range(left.shape[1]):
        w = 1 / found.sigma[j] ** 2 / rows.thinned
        N += w * A[:, j].T @ A[:, j]
        b += w * A[:, j].T @ left[:, j]
    typical = np.array([1, 0.1, 0.1, 0.1, *[0.01] * 6])  # where nothing is told: no load
    covariance = np.linalg.inv(N + np.diag(1e-2 / typical**2))
    return covariance @ b, np.sqrt(np.diag(covariance))


def _felt_alone(runs: Sequence[tuple[Rows, np.ndarray, np.ndarray]], joint: int, words: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """Products of what a joint feels of a load's ten numbers, and its current, with each other, each without what inertias and friction of the robot
    itself explain; how many lines these are. runs: lines, the torque that the URDF says, what joints feel of the load."""
    own = np.concatenate([_columns_of_joint(rows, words, torque, joint)[0] for rows, torque, _ in runs])
    told = np.concatenate([np.concatenate([felt[:, joint], rows.tau[:, joint:joint + 1]], 1) for rows, _, felt in runs])
    U, S, _ = np.linalg.svd(own / (np.sqrt((own**2).mean(0)) + 1e-12), full_matrices=False)
    U = U[:, S > 1e-9 * S[0]]
    left = told - U @ (U.T @ told)
    return left.T @ left, len(left)


def calibrate(model: Model, free: Rows, loaded: Rows, mass: float, words: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Torque per current of every joint, and its deviation: the same robot without and with a load of known mass. Each joint has inertias and friction of
    its own, over its gain; the load's other nine numbers are the same for all joints, and found with the gains in turns."""
    n, load = len(model.joints), np.array([mass, *[0.0] * 9])
    gain, deviation = np.ones(n), np.ones(n)
    runs = [(free, free.Y @ model.value, np.zeros((len(free.Y), n, 10))), (loaded, loaded.Y @ model.value, load_columns(model, loaded))]
    products = [_felt_alone(runs, j, words) for j in range(n)]
    typical = mass * np.array([0.1, 0.1, 0.1, *[0.01] * 6])
    for _ in range(30):
        N, b = np.diag(1 / typical**2), np.zeros(9)
        for j, (G, lines) in enumerate(products):
            felt, along = load @ G[:10, :10] @ load, load @ G[:10, 10]
            share = max(along / felt, 1e-9) if felt > 0 else 1e-9  # current per torque
            left = max(G[10, 10] - 2 * share * along + share**2 * felt, 0.0) / max(lines, 1)
            gain[j] = 1 / share
            deviation[j] = np.sqrt(left / max(felt, 1e-12) * free.thinned) / share**2
            w = share**2 / max(left, 1e-12) / free.thinned
            N += w * G[1:10, 1:10]
            b += w * (G[1:10, 10] / share - mass * G[1:10, 0])
        load[1:] = np.linalg.solve(N, b)
    return gain, deviation


# --- what is said ---------------------------------------------------------------------------------


def table(model: Model, before: np.ndarray, after: np.ndarray, plain: Optional[np.ndarray], name: str) -> str:
    said = [f"{name}: what is not explained [N m], URDF without friction -> identified"]
    said += [f"  {joint:24s} {a:9.3f} -> {b:9.3f}" + (f"   (plain {c:.3f})" if plain is not None else "")
             for joint, a, b, c in zip(model.joints, before, after, plain if plain is not None else after)]
    return "\n".join(said)


# --- the command -----------------------------------------------------------------------------------


def choose(model: Model, rows: Rows, asked: str) -> Fit:
    """The friction that explains lines best which were not fitted: every second fifth of the motion in turn is left out. asked: one of FRICTIONS, or auto."""
    if asked != "auto":
        return fit(model, rows, FRICTIONS[asked])
    fifth = np.minimum(4, 5 * np.arange(len(rows.tau)) // len(rows.tau))
    errors = {}
    for word in ("plain", "stribeck", "load", "rich"):
        errors[word] = 0.0
        for k in range(0, 5, 2):
            inside, out = rows.at(fifth != k), rows.at(fifth == k)
            one = fit(model, inside, FRICTIONS[word])
            errors[word] += float(np.log(rms(one, out)).mean())
    best = min(errors, key=lambda word: errors[word] + (0 if word == "plain" else 0.02))
    return fit(model, rows, FRICTIONS[best])


def run_of(name: str, rows: Rows, urdf: Fit, found: Fit, known: Knowledge, fitted: bool) -> Run:
    """What the page shows of a log."""
    return Run(name, rows.t, rows.tau, urdf.torque(rows), found.torque(rows), known.torque_deviation(found.columns(rows)), fitted)


def identify(given: argparse.Namespace) -> dict[str, Any]:
    gravity = numbers_of(given.gravity, 3, "--gravity")
    model = Model(given.robot, given.layout, gravity, given.method)

    def log_of(path: str) -> Log:
        return read(path, model.joints, given.columns, given.skip_damaged)

    logs = [log_of(path) for path in given.logs]
    for log in logs:
        if log.skipped:
            print(f"{log.name}: {log.skipped} damaged lines left out", file=sys.stderr)
    cut_off = given.cut_off or max(find_cut_off(log) for log in logs)
    rows, result = rows_of(model, logs, cut_off), {}
    gains = np.ones(len(model.joints))
    if given.gains:
        gains = numbers_of(given.gains, len(model.joints), "--gains")
        if not (gains > 0).all():
            raise Mistake("--gains: a gain is a torque per current, above 0")
    if given.calibrate_gains:
        if not given.load_mass or not given.load_mass > 0:
            raise Mistake("--calibrate-gains: the load's mass is missing: --load-mass KG")
        loaded = rows_of(model, [log_of(given.calibrate_gains)], cut_off)
        same = rows_of(model, [log_of(given.unloaded)], cut_off) if given.unloaded else rows
        gains, deviation = calibrate(model, same, loaded, given.load_mass, FRICTIONS["plain"])
        result["gains"] = {joint: [gains[j], deviation[j]] for j, joint in enumerate(model.joints)}
        for j, joint in enumerate(model.joints):
            weak = "   weak: its deviation is above a twentieth" if deviation[j] > 0.05 * gains[j] else ""
            print(f"gain of {joint}: {gains[j]:.3f} +- {deviation[j]:.3f} N m/A{weak}")
    rows.tau = rows.tau * gains

    def unseen_rows(path: str) -> Rows:
        unseen = rows_of(model, [log_of(path)], cut_off)
        unseen.tau = unseen.tau * gains
        return unseen

    urdf, plain = of_the_urdf(model), fit(model, rows, FRICTIONS["plain"])
    found = choose(model, rows, given.friction)
    late, uncertain = delay(found, rows, prior(model, found.words))
    links, rotors = consistent(model, found)
    exact = found.parameters
    found.parameters = model.made_of @ np.concatenate([links.ravel(), rotors])
    print(f"{len(rows.tau)} lines below {cut_off:.1f} Hz; condition {found.condition:.0f}; friction {', '.join(found.words)}")
    result["delay"] = [late, uncertain]
    print(f"torques stand {1e3 * late:.2f} +- {1e3 * uncertain:.2f} ms behind positions" + ("" if abs(late) < 3 * uncertain or abs(late) < 5e-4 else ": shift them, or log them together"))
    for k in found.unexcited:
        print(f"not excited: {model.parameters[k]['name']}: the URDF's value stays")
    print(table(model, rms(urdf, rows), rms(found, rows), None, "fitted"))
    result["consistent"] = bool(all(np.linalg.eigvalsh(pseudo_inertia(x))[0] > 0 for x in links) and (rotors > 0).all())
    result["friction"] = {joint: {word: [found.friction[j, k], found.friction_deviation[j, k]] for k, word in enumerate(found.words)} for j, joint in enumerate(model.joints)}
    result["parameters"] = {p["name"]: [found.parameters[k], found.deviation[k]] for k, p in enumerate(model.parameters)}
    result["least_squares"] = {p["name"]: exact[k] for k, p in enumerate(model.parameters)}
    result["validation"] = {}
    known = knowledge(model, found.words, STRIBECK, found.sigma, found.told)
    runs = [run_of(", ".join(Path(log.name).name for log in logs), rows, urdf, found, known, True)]
    for path in given.validate or []:
        unseen = unseen_rows(path)
        before, after, least = (rms(one, unseen) for one in (urdf, found, plain))
        runs.append(run_of(Path(path).name, unseen, urdf, found, known, False))
        result["validation"][Path(path).name] = {"rms": list(after), "rms_urdf": list(before), "rms_plain": list(least), "deviation": list(runs[-1].deviation.max(0))}
        print(table(model, before, after, least, path))
    along = [(run.name, run.deviation.max(0)) for run in runs]
    for path in given.along or []:
        motion = read_motion(path, model.joints)
        along.append((Path(path).name, known.torque_deviation(known.columns(motion.q, motion.qd, motion.qdd)).max(0)))
        result.setdefault("along", {})[Path(path).name] = list(along[-1][1])
        print(f"{path}: largest standard deviation of predicted torques [N m] " + ", ".join(f"{joint} {x:.3g}" for joint, x in zip(model.joints, along[-1][1])))
    limits = limits_of(model, given)
    weak = known.weak(limits)
    suggested = suggestions(known, limits, rows.q.mean(0)) if weak else []
    result["weak"] = [model.parameters[k]["name"] for k in weak]
    result["suggested"] = [one.joints for one in suggested]
    if weak:
        print("the logs tell little of " + ", ".join(result["weak"]))
    for one in suggested:
        print(f"move {' and '.join(one.joints)} to tell " + ", ".join(name for name, _, _ in one.told))
    load = None
    if given.payload:
        x, deviation = load = payload(model, found, unseen_rows(given.payload))
        result["load"] = {name: [x[k], deviation[k]] for k, name in enumerate(("mass", *NUMBERS[1:]))}
        result["load"]["com"] = list(x[1:4] / x[0])
        print(f"load in the frame of {model.links[-1]}: {x[0]:.3f} +- {deviation[0]:.3f} kg, centre of mass {', '.join(f'{c:.3f}' for c in x[1:4] / x[0])} m")
    whole = Identified(model, links, rotors, found.words, found.friction, found.friction_deviation, ", ".join(Path(log.name).name for log in logs), load)
    for path, text in ((given.output, layout_text(whole)), (given.urdf_out, given.urdf_out and urdf_text(whole, given.robot)), (given.c_out, c_text(whole))):
        if path:
            Path(path).write_text(text, encoding="utf-8")
    if given.report:
        facts = [f"{whole.told}: {len(rows.tau)} lines below {cut_off:.1f} Hz; condition {found.condition:.0f}; friction {', '.join(found.words)}; links that bodies can be: {'all' if result['consistent'] else 'not all'}"]
        page = Page(model, f"{model.robot.description['robot']}: parameters from its motion", facts, known, found.parameters, found.deviation, found.friction, found.friction_deviation, runs,
                    np.abs(rows.friction["viscous"]).max(0), weak, suggested, along)
        Path(given.report).write_text(page_text(page), encoding="utf-8")
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="achd-identify", description="Masses, rotors and friction of an arm, from logs of its motion.")
    parser.add_argument("robot", metavar="ROBOT.urdf")
    parser.add_argument("logs", metavar="LOG.csv", nargs="*")
    add_log_options(parser)
    add_motion_options(parser)
    parser.add_argument("--validate", metavar="LOG.csv", nargs="+", help="logs that are predicted, not fitted")
    parser.add_argument("--cut-off", metavar="HZ", type=float, help="of the low pass (found from the motion)")
    parser.add_argument("--method", choices=["acceleration", "momentum"], default="acceleration", help="momentum: by momenta, without accelerations")
    parser.add_argument("--gains", metavar="K,..", help="torque per current of each joint [N m/A]")
    parser.add_argument("--calibrate-gains", metavar="LOG.csv", help="find them: the motion of the first log, with a load of known mass")
    parser.add_argument("--unloaded", metavar="LOG.csv", help="the same motion without it (the logs)")
    parser.add_argument("--load-mass", metavar="KG", type=float, help="of that load")
    parser.add_argument("--payload", metavar="LOG.csv", help="find what is on the last link in this log")
    parser.add_argument("--friction", choices=[*FRICTIONS, "auto"], default="auto", help="the model of friction (auto: by validation)")
    parser.add_argument("--along", metavar="MOTION.csv", nargs="+", help="how wrong predicted torques may be along these motions (t, q, qd, qdd by line)")
    parser.add_argument("--report", metavar="FILE.html", help="a page: torques, friction, parameters, and what the logs do not tell")
    parser.add_argument("--json", metavar="FILE", help="all that was found")
    parser.add_argument("-o", "--output", metavar="FILE.lua", help="a layout with the links' inertias, rotors and friction")
    parser.add_argument("--urdf-out", metavar="FILE.urdf", help="the URDF with these")
    parser.add_argument("--c-out", metavar="FILE.h", help="the same as constants in C")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> None:
    given = _parser().parse_intermixed_args(arguments)
    try:
        if bool(given.excite) == bool(given.logs):
            raise Mistake("logs of the robot's motion are missing, or --excite MOTION.csv, which makes a motion to be logged" if not given.logs else
                          "--excite: makes a motion, and reads no logs: leave them out")
        result = excite(given) if given.excite else identify(given)
        if given.json:
            Path(given.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    except (Mistake, GenerationError, LayoutError, InputError, StatusError) as mistake:
        sys.exit(f"achd-identify: {mistake}")
    except OSError as error:
        sys.exit(f"achd-identify: {error.filename or ''}: {error.strerror}")


if __name__ == "__main__":
    main()

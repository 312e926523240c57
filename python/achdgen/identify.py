# SPDX-License-Identifier: MIT
"""achd-identify: system identification of a robot from logs of its motion (docs/identify.md).

    achd-identify ROBOT.urdf LOG.csv .. [--validate LOG.csv ..] -o identified.lua

Inverse dynamics is linear in base parameters: torque = Y(q, qd, qdd) pi, with Y of achdgen's function `regressor`, and friction of each joint. They are
found by weighted least squares, and carried over to masses, centres of mass and inertias of links that a body can have, near those of the URDF."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ._generate import GenerationError
from ._layout import LayoutError
from ._robot import InputError, StatusError
from .advice import MOUNTED, Knowledge, inverse, knowledge, prior, suggestions
from .excite import add_motion_options, excite, limits_of, read_motion
from .identified import Identified, c_text, inertials_text, layout_text, urdf_text
from .identify_page import Page, Run, page_text
from .kernel import add_normal, normal, square
from .model import NUMBERS, Model, id_of, numbers_of, tensor
from .observe import add_log_options
from .recording import Mistake, Recording
from .rows import STRIBECK, AnyRows, Lines, Rows, columns_of_joint, find_cut_off, friction_columns, places_of_joint, rows_of

PLAIN = ("viscous", "coulomb", "offset")
FRICTIONS = {"plain": PLAIN, "presliding": (*PLAIN, "presliding"), "stribeck": (*PLAIN, "stribeck"), "load": (*PLAIN, "load"), "rich": (*PLAIN, "presliding", "stribeck", "load")}


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

    def columns(self, lines: Lines) -> np.ndarray:
        """By line, joint and unknown: what the torques are made of."""
        n, count = lines.tau.shape[1], len(self.parameters)
        load, A = lines.torque_of(self.parameters), np.zeros((len(lines), n, count + n * len(self.words)))
        for j in range(n):
            A[:, j, places_of_joint(lines, self.words, count, j)] = columns_of_joint(lines, self.words, load, j)
        return A

    def torque(self, lines: Lines) -> np.ndarray:
        load = lines.torque_of(self.parameters)
        return load + np.stack([friction_columns(lines, j, self.words, load) @ self.friction[j] for j in range(load.shape[1])], 1)

    def of(self, word: str) -> np.ndarray:
        """A column of what is beside the base parameters, by joint; 0 where it was not sought."""
        return self.friction[:, self.words.index(word)] if word in self.words else np.zeros(len(self.friction))


PASSES = 7  # over all lines: friction that grows with the load, and weights, come from the pass before


def fit(model: Model, rows: AnyRows, words: tuple[str, ...]) -> Fit:
    """Least squares over all joints, weighted by what each leaves unexplained, and by Huber's weights of single lines; near the URDF where nothing else tells."""
    n, np_, extra = len(model.joints), len(model.value), len(words)
    before = np.concatenate([model.value, np.zeros(n * extra)])
    at = [places_of_joint(rows, words, np_, j) for j in range(n)]
    # What motions do not tell stays near the URDF: its numbers count as ten times as uncertain as they usually are, so that they hardly pull where motions tell.
    widest = 100 * prior(model, words)
    ridge = inverse(widest)
    x, N, sigma, least = before, np.eye(len(before)), np.full(n, np.inf), 0.0
    for k in range(PASSES):
        sums, weights, least = _weighted_sums(rows, words, x, sigma if k else None, at)
        if not k:
            sigma = np.sqrt([S[-1, -1] / len(rows) for S in sums]) + least
        N, b = np.zeros((len(before), len(before))), np.zeros(len(before))
        for j, S in enumerate(sums):
            share = 1 / sigma[j] ** 2 / rows.thinned
            N[np.ix_(at[j], at[j])] += share * S[:-1, :-1]
            b[at[j]] += share * S[:-1, -1]
        x = _solved(N + ridge, b + ridge @ before)
        left = [float(S[-1, -1] - 2 * S[:-1, -1] @ x[at[j]] + x[at[j]] @ S[:-1, :-1] @ x[at[j]]) for j, S in enumerate(sums)]
        sigma = np.sqrt(np.maximum(left, 0) / weights) + least
    covariance = inverse(N + ridge)
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0))
    scale = np.sqrt(np.maximum(np.diag(N), 1e-12))
    scaled = N[:np_, :np_] / scale[:np_, None] / scale[None, :np_]
    return Fit(x[:np_], x[np_:].reshape(n, extra), words, sigma, inverse(covariance[:np_, :np_]), deviation[:np_],
               deviation[np_:].reshape(n, extra), float(np.sqrt(np.linalg.cond(scaled))),
               [k for k in range(np_) if deviation[k] ** 2 > 0.5 * widest[k, k]], N)


def _weighted_sums(rows: AnyRows, words: tuple[str, ...], x: np.ndarray, sigma: Optional[np.ndarray], at: Sequence[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray, float]:
    """By joint A^T W A of its own columns and its torque, with Huber's weights of what x leaves in lines (sigma: three of these; None: all weights 1); how many lines these
    are, and the least deviation of a sensor of torque: no better one is there."""
    n = len(at)
    sums, count, most = [normal(len(one) + 1) for one in at], np.full(n, 1e-9), 0.0
    for lines in rows.parts():
        load = lines.torque_of(x[:len(x) - n * len(words)])
        most = max(most, float(np.abs(lines.tau).max()))
        for j in range(n):
            more = np.concatenate([friction_columns(lines, j, words, load), lines.tau[:, j:j + 1]], 1)
            weight = None
            if sigma is not None:
                left = lines.tau[:, j] - load[:, j] - more[:, :-1] @ x[at[j]][len(lines.own[j]):]
                weight = np.minimum(1, 3 * sigma[j] / np.maximum(np.abs(left), 1e-12))
            count[j] += len(lines)
            mine = lines.joint(j)
            add_normal(sums[j], mine, np.arange(mine.shape[1]), more, weight)
    return [square(S, len(one) + 1) for S, one in zip(sums, at)], count, 1e-4 * most + 1e-9


def _solved(N: np.ndarray, b: np.ndarray) -> np.ndarray:
    """N x = b, each unknown in units of its own size. What the lines do not tell, the URDF's share of N does, so that it can be solved."""
    size = np.sqrt(np.diag(N))
    if not np.isfinite(size).all():
        raise Mistake("the sums of least squares are not finite: torques, or gains, are too large")
    return np.asarray(np.linalg.solve(N / size[:, None] / size, b / size) / size)


def rms(model_of: Fit, rows: AnyRows) -> np.ndarray:
    return np.sqrt(np.sum([((lines.tau - model_of.torque(lines)) ** 2).sum(0) for lines in rows.parts()], 0) / len(rows))


def delay(found: Fit, rows: AnyRows, prior_of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By joint, by how much its torque stands behind its position [s], and the deviation of that: what is not explained is less the delay times the rate of the torque,
    tau(t) = model(t - d), to first order; of the rate only what no parameter explains."""
    n = len(found.sigma)
    along, told, moved, weight = np.zeros((n, len(prior_of))), np.zeros(n), np.zeros(n), 1 / found.sigma**2 / rows.thinned
    for lines in rows.parts():
        model_of = found.torque(lines)
        even = np.diff(lines.t, prepend=lines.t[0] - 1, append=lines.t[-1] + 1)
        inside = np.nonzero((even[:-1] > 0) & (np.abs(even[:-1] - even[1:]) < 1e-3 * np.abs(even[:-1])))[0]
        inside = inside[(inside > 0) & (inside < len(lines) - 1)]
        load, rate = lines.torque_of(found.parameters), np.zeros_like(model_of)
        rate[inside] = (model_of[inside + 1] - model_of[inside - 1]) / (lines.t[inside + 1] - lines.t[inside - 1])[:, None]
        for j in range(n):
            along[j, places_of_joint(lines, found.words, len(found.parameters), j)] += weight[j] * rate[:, j] @ columns_of_joint(lines, found.words, load, j)
        told += (weight * rate**2).sum(0)
        moved += (weight * rate * (lines.tau - model_of)).sum(0)
    certainty = np.diag(told) - along @ inverse(found.told + inverse(100 * prior_of)) @ along.T + np.eye(n) / LATEST**2
    covariance = inverse(certainty)
    return -covariance @ moved, np.sqrt(np.diag(covariance))


LATEST = 0.05  # [s]: a later torque is not of the same line
EARLY = 5e-4  # [s]: what does not matter


def without_delay(model: Model, found: Fit, rows_with: Callable[[np.ndarray], Rows], rows: Rows) -> tuple[Fit, Rows, np.ndarray, np.ndarray]:
    """The fit, its rows, and delays of the joints' torques with their deviations: torques that are late for sure are brought forward, and what is left of the delay
    is sought again, as the first one is found to first order only. None is early: filters of measurements and friction that turns around make torques late."""
    late = np.zeros(len(found.sigma))
    for _ in range(3):
        more, deviation = delay(found, rows, prior(model, found.words))
        whole = late + more
        sure = (whole > 3 * deviation) & (whole > EARLY) & (whole < LATEST)
        if not (sure & (np.abs(more) > 3 * deviation) & (np.abs(more) > EARLY)).any():
            break
        late = np.where(sure, whole, 0.0)
        rows = rows_with(late)
        found = fit(model, rows, found.words)
    return found, rows, late, deviation


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


PLACES = [(i, i) for i in range(4)] + UPPER
UNITS = np.array([[[float((i, k) == place) for k in range(4)] for i in range(4)] for place in PLACES])
OF_J = np.stack([ten_numbers(unit) for unit in np.eye(16).reshape(16, 4, 4)], 1)  # the ten numbers are linear in J


def from_coordinates(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By link, the ten numbers of log-Cholesky coordinates, J = U U^T with exp on U's diagonal (Rucker, Wensing 2022), and their derivatives."""
    slopes = np.concatenate([np.exp(y[:, :4]), np.ones((len(y), 6))], 1)
    U = np.einsum("lc,cij->lij", np.concatenate([slopes[:, :4], y[:, 4:]], 1), UNITS)
    half = np.einsum("cik,ljk->lcij", UNITS, U) * slopes[:, :, None, None]
    dJ = (half + half.swapaxes(2, 3)).reshape(len(y), 10, 16)
    return (U @ U.swapaxes(1, 2)).reshape(len(y), 16) @ OF_J.T, np.einsum("lcm,nm->lnc", dJ, OF_J)


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
        bodies, of_bodies = from_coordinates(at[:10 * links].reshape(links, 10))
        x, slopes = np.concatenate([bodies.ravel(), np.exp(at[10 * links:])]), np.zeros((10 * links + joints, len(at)))
        for i in range(links):
            slopes[10 * i:10 * i + 10, 10 * i:10 * i + 10] = of_bodies[i]
        slopes[range(10 * links, len(x)), range(10 * links, len(at))] = x[10 * links:]
        return x, slopes

    def residual(at: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
        x, slopes = image(at)
        return (np.concatenate([share * (L @ (model.made_of @ x - found.parameters)), (at - prior) / near]),
                np.concatenate([share * (L @ model.made_of @ slopes), np.eye(len(at)) / near]))

    # What the logs tell counts little at first, such that the way to the nearest bodies is hardly curved, and then more and more.
    for share in 10.0 ** np.arange(-4, 0.5, 0.5):
        y = _least(lambda at, share=share: residual(at, share), y, 200 if share == 1 else 10)  # type: ignore[misc]
    x, _ = image(y)
    return x[:10 * links].reshape(links, 10), x[10 * links:]


def _least(residual: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], y: np.ndarray, most: int) -> np.ndarray:
    """Where the squares of a residual, given with its derivatives, are least: steps of Levenberg and Marquardt."""
    damping, (r, D) = 1e-3, residual(y)
    for _ in range(most):
        N = D.T @ D
        step = np.linalg.solve(N + damping * np.diag(np.diag(N)), -D.T @ r)
        step *= min(1.0, 1.0 / np.abs(step).max())
        r_next, D_next = residual(y + step)
        if r_next @ r_next < r @ r:
            settled = (r @ r - r_next @ r_next) < 1e-6 * (r @ r)
            y, r, D, damping = y + step, r_next, D_next, max(damping / 4, 1e-9)
            if settled:
                break
        else:
            damping *= 8
            if damping > 1e12:
                break
    return y


def with_parameters(model: Model, found: Fit, parameters: np.ndarray) -> Fit:
    """The fit with other base parameters, and the friction that is the best one with these: N_ff f = b_f - N_fp p."""
    count = len(parameters)
    N = found.told + inverse(100 * prior(model, found.words))
    friction = found.friction.ravel() - np.linalg.solve(N[count:, count:], N[count:, :count] @ (parameters - found.parameters))
    return replace(found, parameters=parameters, friction=friction.reshape(found.friction.shape))


# --- loads and gains -------------------------------------------------------------------------------


def load_columns(model: Model, lines: Lines) -> np.ndarray:
    """What a load on the last link adds to torques, by line, joint and its ten numbers in that link's frame."""
    last = 10 * (len(model.links) - 1)
    return np.stack([lines.joint(j) @ model.made_of[own, last:last + 10] for j, own in enumerate(lines.own)], 1)


def payload(model: Model, found: Fit, rows: AnyRows) -> tuple[np.ndarray, np.ndarray]:
    """A load's ten numbers, and their deviations, of what a robot that was identified without it does not explain."""
    N, b = np.zeros((10, 10)), np.zeros(10)
    for lines in rows.parts():
        left, A = lines.tau - found.torque(lines), load_columns(model, lines) * (1 + found.of("scale"))[:, None]
        for j in range(left.shape[1]):
            w = 1 / found.sigma[j] ** 2 / rows.thinned
            N += w * A[:, j].T @ A[:, j]
            b += w * A[:, j].T @ left[:, j]
    typical = np.array([1, 0.1, 0.1, 0.1, *[0.01] * 6])  # where nothing is told: no load
    covariance = np.linalg.inv(N + np.diag(1e-2 / typical**2))
    return covariance @ b, np.sqrt(np.diag(covariance))


def _felt_alone(model: Model, free: AnyRows, loaded: AnyRows, joint: int, words: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """Products of what a joint feels of a load's ten numbers, and its current, with each other, each without what inertias and friction of the robot
    itself explain; how many lines these are. By QR of blocks, one below the triangle of those before."""
    own = len(free.own[joint]) + len(words)
    R = np.zeros((0, own + 11))
    for rows in (free, loaded):
        for lines in rows.parts():
            felt = load_columns(model, lines)[:, joint] if rows is loaded else np.zeros((len(lines), 10))
            mine = columns_of_joint(lines, words, lines.torque_of(model.value), joint)
            R = np.linalg.qr(np.concatenate([R, np.concatenate([mine, felt, lines.tau[:, joint:joint + 1]], 1)]), mode="r")
    size = np.sqrt((R[:, :own] ** 2).sum(0)) + 1e-12
    U, S, _ = np.linalg.svd(R[:, :own] / size, full_matrices=False)
    U = U[:, S > 1e-9 * S[0]]
    left = R[:, own:] - U @ (U.T @ R[:, own:])
    return left.T @ left, len(free) + len(loaded)


def calibrate(model: Model, free: AnyRows, loaded: AnyRows, mass: float, words: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Torque per current of every joint, and its deviation: the same robot without and with a load of known mass. Each joint has inertias and friction of
    its own, over its gain; the load's other nine numbers are the same for all joints, and found with the gains in turns."""
    n, load = len(model.joints), np.array([mass, *[0.0] * 9])
    gain, deviation = np.ones(n), np.ones(n)
    products = [_felt_alone(model, free, loaded, j, words) for j in range(n)]
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


CHOSEN_BY = 4000  # lines that tell which model of friction is best
SHOWN = 4000  # lines of a log on the page


def best_of(model: Model, some: Lines, choices: Sequence[tuple[str, ...]], deviations: float, least: float = 0.0) -> tuple[str, ...]:
    """Of some choices of words the one that explains lines best which were not fitted, as each fifth of the motion in turn is left out; the first, where the others are not
    better by so many deviations of the mean of the fifths, and by this share at least."""
    fifth = np.minimum(4, 5 * np.arange(len(some)) // len(some))
    errors = [np.array([np.log(rms(fit(model, some.at(fifth != k), words), some.at(fifth == k))).mean() for k in range(5)]) for words in choices]
    best = min(range(len(choices)), key=lambda k: float(errors[k].mean()))
    better = errors[0] - errors[best]
    return choices[best if better.mean() > max(least, deviations * better.std(ddof=1) / np.sqrt(len(better))) else 0]


def choose(model: Model, rows: Rows, asked: str, mounting: str, plain: Fit) -> Fit:
    """The fit with the friction asked for, one of FRICTIONS or auto; with a factor of each joint's torque and another direction of gravity, where mounting is on, or auto and
    lines that were not fitted are explained better with these."""
    some, words = rows.some(CHOSEN_BY), FRICTIONS["plain" if asked == "auto" else asked]
    if asked == "auto":
        words = best_of(model, some, list(FRICTIONS.values()), 2)
    if mounting != "off":
        mounted = [words, (*words, MOUNTED[0]), (*words, *MOUNTED[1:]), (*words, *MOUNTED)]
        words = mounted[3] if mounting == "on" else best_of(model, some, mounted, 1, 0.02)
    return fit(model, rows, words) if words != plain.words else replace(plain)


def run_of(name: str, rows: Rows, urdf: Fit, found: Fit, known: Knowledge, fitted: bool) -> Run:
    """What the page shows of a log."""
    some = rows.some(SHOWN)
    return Run(name, some.t, some.tau, urdf.torque(some), found.torque(some), known.torque_deviation(found.columns(some)), fitted)


def identify(given: argparse.Namespace) -> dict[str, Any]:
    model = Model(given.robot, given.layout, numbers_of(given.gravity, 3, "--gravity"), given.method)

    def log_of(path: str) -> Recording:
        log = Recording(path, model.joints, given.columns, given.skip_damaged)
        if log.skipped:
            print(f"{log.name}: {log.skipped} damaged lines left out, the first of them {log.first}", file=sys.stderr)
        return log

    logs = [log_of(path) for path in given.logs]
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
    rows.gains = gains

    def rows_with(of: Sequence[Recording], late: Optional[np.ndarray]) -> Rows:
        made = rows_of(model, of, cut_off, late)
        made.gains = gains
        return made

    urdf, plain = of_the_urdf(model), fit(model, rows, FRICTIONS["plain"])
    found = choose(model, rows, given.friction, given.mounting or ("off" if given.calibrate_gains else "auto"), plain)
    found, rows, late, uncertain = without_delay(model, found, lambda late: rows_with(logs, late), rows)
    links, rotors = consistent(model, found)
    exact = found.parameters
    found = with_parameters(model, found, model.made_of @ np.concatenate([links.ravel(), rotors]))
    friction = [word for word in found.words if word not in MOUNTED]
    facts = f"{len(rows)} lines below {cut_off:.1f} Hz; condition {found.condition:.0f}; friction {', '.join(friction)}"
    tilt = np.array([found.of(word).mean() for word in MOUNTED[1:]])
    gravity = list(model.gravity_of(tilt, rows.some(200).q, inertials_text(model, links)) if tilt.any() else model.gravity)
    result["gravity"] = gravity
    print(facts)
    if "scale" in found.words:
        result["scale"] = {joint: [1 + x, found.friction_deviation[j, found.words.index("scale")]] for j, (joint, x) in enumerate(zip(model.joints, found.of("scale")))}
        print("torques of bodies are measured as so many times what they are: " + ", ".join(f"{joint} {x:.3f} +- {d:.3f}" for joint, (x, d) in result["scale"].items()))
    if "tilt_x" in found.words:
        print("gravity in the frame of the base [m/s^2]: " + ", ".join(f"{x:.3f}" for x in gravity))
    result["delay"] = {joint: [late[j], uncertain[j]] for j, joint in enumerate(model.joints)}
    print("torques stand behind positions by " + (", ".join(f"{joint} {1e3 * late[j]:.2f} +- {1e3 * uncertain[j]:.2f}" for j, joint in enumerate(model.joints)) + " ms: brought forward" if late.any() else
                                                  f"less than {1e3 * max(EARLY, 3 * float(uncertain.max())):.1f} ms"))
    for k in found.unexcited:
        print(f"not excited: {model.parameters[k]['name']}: the URDF's value stays")
    print(table(model, rms(urdf, rows), rms(found, rows), None, "fitted"))
    result["consistent"] = bool(all(np.linalg.eigvalsh(pseudo_inertia(x))[0] > 0 for x in links) and (rotors > 0).all())
    result["friction"] = {joint: {word: [found.friction[j, k], found.friction_deviation[j, k]] for k, word in enumerate(found.words) if word in friction} for j, joint in enumerate(model.joints)}
    result["parameters"] = {p["name"]: [found.parameters[k], found.deviation[k]] for k, p in enumerate(model.parameters)}
    result["least_squares"] = {p["name"]: exact[k] for k, p in enumerate(model.parameters)}
    result["validation"] = {}
    known = knowledge(model, found.words, STRIBECK, found.sigma, found.told)
    runs = [run_of(", ".join(Path(log.name).name for log in logs), rows, urdf, found, known, True)]
    for path in given.validate or []:
        log = log_of(path)
        unseen = rows_with([log], late)
        before, after, least = rms(urdf, unseen), rms(found, unseen), rms(plain, rows_with([log], None) if late.any() else unseen)
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
    suggested = suggestions(known, limits, rows.some(SHOWN).q.mean(0)) if weak else []
    result["weak"] = [model.parameters[k]["name"] for k in weak]
    result["suggested"] = [one.joints for one in suggested]
    if weak:
        print("the logs tell little of " + ", ".join(result["weak"]))
    for one in suggested:
        print(f"move {' and '.join(one.joints)} to tell " + ", ".join(name for name, _, _ in one.told))
    load = None
    if given.payload:
        x, deviation = load = payload(model, found, rows_with([log_of(given.payload)], late))
        result["load"] = {name: [x[k], deviation[k]] for k, name in enumerate(("mass", *NUMBERS[1:]))}
        result["load"]["com"] = list(x[1:4] / x[0])
        print(f"load in the frame of {model.links[-1]}: {x[0]:.3f} +- {deviation[0]:.3f} kg, centre of mass {', '.join(f'{c:.3f}' for c in x[1:4] / x[0])} m")
    whole = Identified(model, links, rotors, found.words, found.friction, found.friction_deviation, ", ".join(Path(log.name).name for log in logs), load, gravity, known.of_links())
    for path, text in ((given.output, layout_text(whole)), (given.urdf_out, given.urdf_out and urdf_text(whole, given.robot)), (given.c_out, c_text(whole))):
        if path:
            Path(path).write_text(text, encoding="utf-8")
    if given.report:
        told = [f"{whole.told}: {facts}; links that bodies can be: {'all' if result['consistent'] else 'not all'}"]
        page = Page(model, f"{model.robot.description['robot']}: parameters from its motion", told, known, found.parameters, found.deviation, found.friction, found.friction_deviation, runs,
                    np.abs(rows.some(SHOWN).friction["viscous"]).max(0), weak, suggested, along)
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
    parser.add_argument("--mounting", choices=["on", "off", "auto"], help="find factors by which sensors of torque or gains differ, and gravity's direction (auto: by validation; off with --calibrate-gains)")
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

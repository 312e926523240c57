# SPDX-License-Identifier: MIT
"""What a log does not tell: how wrong predicted torques may be, which parameters are weak, and what motion would tell more."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .excite import Limits, Series
from .model import SIGN, Model

URDF_WRONG = 0.3  # by which share numbers of the URDF may be wrong, where nothing else is known
TILT_WRONG = 0.1  # [m/s^2]: how far bases stand off from what gravity's direction is said to be
SCALE_WRONG = 0.01  # by which share sensors of torque, or gains, of joints differ
FRICTION_WRONG = 0.1  # of the largest torque: friction of a joint, where nothing is known
ROTOR = 0.02  # [kg m^2] for each N m of a joint's effort: how large the inertia of a rotor may be of which nothing is known
MOUNTED = ("scale", "tilt_x", "tilt_y")  # what is no friction: a factor of each joint's torque, and gravity across what it is said to be
LINES = 200  # of a motion that is considered
SUGGESTED = 10.0  # [s] that it takes


def friction_by_word(qd: np.ndarray, stribeck: float) -> dict[str, np.ndarray]:
    """Of velocities: themselves, the directions of motion, 1, and more friction near standstill; of what velocities do not tell, nothing."""
    sign = np.tanh(qd / SIGN)
    return {"viscous": qd, "coulomb": sign, "offset": np.ones_like(qd), "stribeck": sign * np.exp(-(qd / stribeck) ** 2), **dict.fromkeys(("presliding", "tilt_x", "tilt_y"), np.zeros_like(qd))}


def friction_of(words: Sequence[str], qd: np.ndarray, load: np.ndarray, stribeck: float) -> np.ndarray:
    """The columns of one joint's friction by word: of its velocity, and the torque that it carries."""
    all_words = friction_by_word(qd, stribeck)
    all_words["load"], all_words["scale"] = all_words["coulomb"] * np.abs(load), load
    return np.stack([all_words[word] for word in words], 1)


@dataclass
class Knowledge:
    """Of base parameters and friction of all joints: the covariance before the log, by what URDFs are usually wrong; N of the log, and the
    covariance of both together, (C0^-1 + N)^-1."""

    model: Model
    words: Sequence[str]
    stribeck: float
    sigma: np.ndarray
    before: np.ndarray
    covariance: np.ndarray

    def of_links(self) -> np.ndarray:
        """Standard deviations of the links' numbers and of rotors: what torques tell of them, and else what URDFs are usually wrong by. With x before, b = K x,
        S = K C0 K^T: C = C0 - C0 K^T S^-1 (S - Cb) S^-1 K C0."""
        count, before = len(self.model.value), usually_wrong(self.model) ** 2
        S, gain = self.before[:count, :count], self.model.made_of * before
        told = np.linalg.solve(S, gain)
        less = np.einsum("ax,ab,bx->x", told, S - self.covariance[:count, :count], told)
        return np.asarray(np.sqrt(np.maximum(before - less, 0)))

    def matter(self, limits: Limits) -> np.ndarray:
        """By base parameter: the torque that one unit of it makes in motions anywhere within the limits, root mean square, in what logs leave unexplained; of
        the joint that feels it most."""
        random, n = np.random.default_rng(2), len(self.sigma)
        q, qd, qdd = (random.uniform(-1, 1, (LINES, n)) for _ in range(3))
        low, high = np.maximum(limits.lower, -np.pi), np.minimum(limits.upper, np.pi)
        Y = self.model.columns((low + high) / 2 + q * (high - low) / 2, qd * limits.velocity, qdd * limits.acceleration)
        return np.asarray((np.sqrt((Y**2).mean(0)) / self.sigma[:, None]).max(0))

    def weak(self, limits: Limits) -> list[int]:
        """Base parameters that the log leaves so uncertain that torques of some motion could be wrong by more than what logs leave unexplained."""
        wrong = np.sqrt(np.diag(self.covariance)[:len(self.model.value)]) * self.matter(limits)
        return [int(k) for k in np.argsort(-wrong) if wrong[k] > 1]

    def columns(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """By line, joint and unknown."""
        Y = self.model.columns(q, qd, qdd)
        lines, n, count = Y.shape
        A, load, k = np.zeros((lines, n, len(self.covariance))), Y @ self.model.value, len(self.words)
        A[:, :, :count] = Y
        for j in range(n):
            A[:, j, count + k * j:count + k * (j + 1)] = friction_of(self.words, qd[:, j], load[:, j], self.stribeck)
        return A

    def torque_deviation(self, A: np.ndarray) -> np.ndarray:
        """By line and joint: the standard deviation of the torque that is predicted, sqrt(a^T C a) [N m]."""
        return np.sqrt(np.maximum(np.einsum("tja,ab,tjb->tj", A, self.covariance, A, optimize=True), 0.0))


def _efforts(model: Model) -> np.ndarray:
    return np.array([float(joint.get("effort") or 50.0) for joint in model.robot.description["joints"]])


def usually_wrong(model: Model) -> np.ndarray:
    """By how much the links' numbers of a URDF, and rotors, are usually wrong."""
    links = model.of_urdf()
    size = np.abs(links)
    # Numbers that are 0 or small, such as products of inertia, are wrong by a share of what a body of this mass and extent could have.
    extent = np.sqrt(np.maximum(size[:, [4, 7, 9]].max(1), 1e-6) / np.maximum(links[:, 0], 1e-6))
    size[:, 1:4] = np.maximum(size[:, 1:4], (0.3 * links[:, 0] * extent)[:, None])
    size[:, 4:] = np.maximum(size[:, 4:], (0.3 * links[:, 0] * extent**2)[:, None])
    rotors = np.where(model.rotors() > 1e-4, model.rotors(), ROTOR * _efforts(model) / URDF_WRONG)
    return URDF_WRONG * np.concatenate([size.ravel(), rotors])


def prior(model: Model, words: Sequence[str]) -> np.ndarray:
    """Covariance of base parameters and friction, where nothing but the URDF is known."""
    K, effort = model.made_of * usually_wrong(model), _efforts(model)
    count, size_all = len(model.value), len(model.value) + len(effort) * len(words)
    before = np.zeros((size_all, size_all))
    before[:count, :count] = K @ K.T + 1e-12 * np.eye(count)
    at = np.arange(count, size_all)
    before[at, at] = np.repeat((FRICTION_WRONG * effort) ** 2, len(words))
    if "scale" in words:
        # Torques of all joints by the same factor are those of a robot that is as much heavier: sensors are right in the mean, each as it counts by its largest torque.
        scales, mean = at[list(words).index("scale")::len(words)], effort / np.linalg.norm(effort)
        before[np.ix_(scales, scales)] = SCALE_WRONG**2 * (1.000001 * np.eye(len(effort)) - np.outer(mean, mean))
    for word in {"tilt_x", "tilt_y"} & set(words):
        # Gravity is the same for all joints.
        tilts = at[list(words).index(word)::len(words)]
        before[np.ix_(tilts, tilts)] = TILT_WRONG**2 * (1 + 1e-6 * np.eye(len(effort)))
    return before


def inverse(C: np.ndarray) -> np.ndarray:
    """Of a covariance or an information, each unknown in units of its own size."""
    scale = np.sqrt(np.diag(C))
    return np.asarray(np.linalg.inv(C / scale[:, None] / scale) / scale[:, None] / scale)


def knowledge(model: Model, words: Sequence[str], stribeck: float, sigma: np.ndarray, N: np.ndarray) -> Knowledge:
    """N: the information of the log about base parameters and friction."""
    before = prior(model, words)
    covariance = inverse(inverse(before) + N)
    return Knowledge(model, words, stribeck, sigma, before, covariance)


@dataclass
class Suggestion:
    """Joints that move together, and which weak parameters that tells: deviations before and after."""

    joints: list[str]
    told: list[tuple[str, float, float]]


def suggestions(known: Knowledge, limits: Limits, about: np.ndarray) -> list[Suggestion]:
    """For the weak parameters, the motion of two joints or one about a posture, within the limits, after which the most of them are known best; then of those that stay weak, and so on."""
    model, n = known.model, len(about)
    t = np.linspace(0, SUGGESTED, LINES)
    start = np.clip(about, limits.lower + 0.05, limits.upper - 0.05)
    series = Series(start, SUGGESTED, limits)
    random, motions = np.random.default_rng(1), []
    for joints in [*((j,) for j in range(n)), *itertools.combinations(range(n), 2)]:
        free = np.zeros((n, len(series.w), 2))
        free[list(joints)] = random.normal(0, 1, (len(joints), len(series.w), 2))
        x = series.coefficients(free)
        still = np.abs(x).max((1, 2)) == 0
        x = np.where(still[:, None, None], 0, series.fitted(np.where(still[:, None, None], 1e-9, x), t))
        m = series.motion(x, t)
        A = known.columns(m.q, m.qd, m.qdd) / known.sigma[:, None]
        A = A.reshape(-1, A.shape[2])
        motions.append((joints, A.T @ A))
    found, covariance = [], known.covariance
    matter, weak = known.matter(limits), known.weak(limits)
    while weak and len(found) < 4:
        left = [inverse(inverse(covariance) + N) for _, N in motions]
        gains = [float(sum(np.log(covariance[k, k] / max(C[k, k], 1e-300)) for k in weak)) / (1 + 0.3 * len(joints)) for (joints, _), C in zip(motions, left)]
        best = int(np.argmax(gains))
        told = [(model.parameters[k]["name"], float(np.sqrt(covariance[k, k])), float(np.sqrt(left[best][k, k]))) for k in weak
                if left[best][k, k] < 0.25 * covariance[k, k]]
        if not told:
            break
        found.append(Suggestion([model.joints[j] for j in motions[best][0]], told))
        covariance = left[best]
        weak = [k for k in weak if np.sqrt(covariance[k, k]) * matter[k] > 1 and model.parameters[k]["name"] not in [name for name, _, _ in told]]
    return found

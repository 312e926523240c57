# SPDX-License-Identifier: MIT
"""Motions that tell the parameters of a robot best: Fourier series of each joint, from rest to rest, within the limits of the robot (achd-identify --excite).

Swevers, Ganseman, Tuekel, De Schutter, Van Brussel, Optimal robot excitation and identification, IEEE Transactions on Robotics and Automation 13 (1997)."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ._robot import load
from .model import SIGN, Model, numbers_of
from .recording import Mistake

HARMONICS = 8
STEP = 0.01  # [s] between the lines of the file
SAMPLES = 100  # of a motion, by which it is judged while it is sought
SHARE = 0.8  # of the limits of velocity and torque that is used: the URDF may be wrong, and controllers need some


@dataclass
class Limits:
    """By joint; infinite where there is none. box: of the origins of all frames, smallest and largest x y z along the axes of the base [m]."""

    lower: np.ndarray
    upper: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray
    box: Optional[np.ndarray] = None


@dataclass
class Motion:
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def limits_of(model: Model, given: argparse.Namespace) -> Limits:
    """Those of the URDF, of which SHARE is used, and those of the command line."""
    def numbers(word: str, none: float) -> np.ndarray:
        told = [joint.get(word) for joint in model.robot.description["joints"]]
        return np.array([none if x is None else float(x) for x in told])

    n = len(model.joints)

    def chosen(option: str, otherwise: np.ndarray) -> np.ndarray:
        text = getattr(given, option)
        if text is None:
            return otherwise
        values = numbers_of(text, n if "," in text else 1, f"--{option}") * np.ones(n)
        if not (values > 0).all():
            raise Mistake(f"--{option}: {text}: limits are above 0")
        return values

    velocity = chosen("velocity", SHARE * numbers("velocity", np.inf))
    velocity = np.where(np.isinf(velocity), 1.0, velocity)
    box = None
    if given.box:
        box = numbers_of(given.box, 6, "--box").reshape(3, 2).T
        if not (box[0] < box[1]).all():
            raise Mistake(f"--box: {given.box}: smallest and largest x, y and z are expected")
    return Limits(numbers("lower", -np.inf), numbers("upper", np.inf), velocity, chosen("acceleration", 4 * velocity),
                  chosen("torque", SHARE * numbers("effort", np.inf)), box)


class Places:
    """The origins of all frames that joints move, along the axes of the base."""

    def __init__(self, model: Model, urdf: str):
        names = [str(frame["link"]) for frame in model.robot.description["frames"]]
        self.robot = load(urdf, layout={"groups": [], "outputs": {"pose": names}}, functions=["fk"])

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """By state, frame and axis: of the frames that move at all."""
        poses = self.robot.fk(q=q)
        p = np.stack([np.asarray(poses[name]["p"]) for name in poses], 1)
        return p[:, (np.ptp(p, axis=0) > 1e-6).any(axis=1)] if len(q) > 1 else p


class Series:
    """q = start + amplitude * sum over k of a_k sin(k w t) + b_k (cos(k w t) - 1): begins and ends at the start, at rest and without acceleration."""

    def __init__(self, start: np.ndarray, seconds: float, limits: Limits):
        self.start, self.limits, self.seconds = start, limits, seconds
        self.w = 2 * np.pi / seconds * np.arange(1, HARMONICS + 1)

    def coefficients(self, free: np.ndarray) -> np.ndarray:
        """By joint, harmonic, sine and cosine: without the share that moves at the beginning, sum k a_k = 0 and sum k^2 b_k = 0."""
        x = free.reshape(len(self.start), HARMONICS, 2) / self.w[:, None]
        for c, v in ((0, self.w), (1, self.w**2)):
            x[:, :, c] -= np.outer(x[:, :, c] @ v, v) / (v @ v)
        return x

    def motion(self, x: np.ndarray, t: np.ndarray) -> Motion:
        s, c = np.sin(np.outer(t, self.w)), np.cos(np.outer(t, self.w))
        a, b, w = x[:, :, 0].T, x[:, :, 1].T, self.w[:, None]
        return Motion(t, self.start + s @ a + (c - 1) @ b, c @ (w * a) - s @ (w * b), -(s @ (w**2 * a)) - c @ (w**2 * b))

    def fitted(self, x: np.ndarray, t: np.ndarray) -> np.ndarray:
        """The coefficients, each joint's such that it just stays within its limits of position, velocity and acceleration."""
        m, low, high = self.motion(x, t), self.start - self.limits.lower, self.limits.upper - self.start
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = [np.minimum(high, np.pi) / (m.q - self.start).max(0), np.minimum(low, np.pi) / (self.start - m.q).max(0),
                    self.limits.velocity / np.abs(m.qd).max(0), self.limits.acceleration / np.abs(m.qdd).max(0)]
        return x * (0.98 * np.nanmin(ways, axis=0))[:, None, None]


def excess(model: Model, places: Optional[Places], limits: Limits, motion: Motion, Y: np.ndarray) -> float:
    """By how much torques, in shares of their limits, and frames, in metres, are beyond their limits; 0 or less: they are not."""
    over = float((np.abs(Y @ model.value).max(0) / limits.torque).max() - 1)
    if places and limits.box is not None:
        p = places(motion.q)
        over = max(over, float(np.maximum(limits.box[0] - p, p - limits.box[1]).max()))
    return over


def information(model: Model, limits: Limits, motion: Motion, Y: np.ndarray) -> np.ndarray:
    """A^T A of base parameters and viscous friction, dry friction and offset of all joints, a joint's lines in units of its largest torque, by line."""
    lines, n, count = Y.shape
    A = np.zeros((lines, n, count + 3 * n))
    A[:, :, :count] = Y
    for j in range(n):
        A[:, j, count + 3 * j:count + 3 * j + 3] = np.stack([motion.qd[:, j], np.tanh(motion.qd[:, j] / SIGN), np.ones(lines)], 1)
    A /= np.where(np.isinf(limits.torque), 1.0, limits.torque)[:, None]
    A = A.reshape(lines * n, -1)
    return A.T @ A / lines


def condition(N: np.ndarray) -> float:
    """Of the regressor, each column in units of its own size."""
    scale = np.sqrt(np.maximum(np.diag(N), 1e-30))
    return float(np.sqrt(np.linalg.cond(N / scale[:, None] / scale)))


def _log_det(N: np.ndarray) -> float:
    """Mean logarithm of the eigenvalues that are told at all."""
    scale = np.sqrt(np.maximum(np.diag(N), 1e-30))
    return float(np.mean(np.log(np.maximum(np.linalg.eigvalsh(N / scale[:, None] / scale), 1e-14)) + 2 * np.log(scale)))


def search(model: Model, places: Optional[Places], series: Series, seed: int, trials: int) -> np.ndarray:
    """The coefficients of a D-optimal motion: random changes of one or two joints are kept where log det of the information grows, and their size adapts
    (evolution strategy (1 + 1), Rechenberg 1973). seed: the same one finds the same motion."""
    random, n = np.random.default_rng(seed), len(series.start)
    t = series.seconds * (np.arange(SAMPLES) + 0.5) / SAMPLES
    fine = np.linspace(0, series.seconds, 4 * SAMPLES)

    def judge(free: np.ndarray) -> tuple[float, np.ndarray]:
        x = series.fitted(series.coefficients(free), fine)
        m = series.motion(x, t)
        Y = model.columns(m.q, m.qd, m.qdd)
        return _log_det(information(model, series.limits, m, Y)) - 20 * max(0.0, excess(model, places, series.limits, m, Y)), x

    free, size = random.normal(0, 1, (n, HARMONICS, 2)), 1.0
    best, x = judge(free)
    for _ in range(trials):
        step = np.zeros_like(free)
        for j in random.integers(0, n, 2):
            step[j] = random.normal(0, size, free[j].shape) * (random.random(free[j].shape) < 0.5)
        value, tried = judge(free + step)
        better = value > best
        if better:
            free, best, x = free + step, value, tried
        size = min(2.0, max(0.02, size * (1.3 if better else 0.95)))
    return x


def within_limits(model: Model, places: Optional[Places], series: Series, x: np.ndarray) -> tuple[Motion, np.ndarray]:
    """The motion, and Y, at every line; made smaller about its start until torques and frames are within their limits at all of them."""
    t = np.linspace(0, series.seconds, round(series.seconds / STEP) + 1)
    for _ in range(200):
        motion = series.motion(x, t)
        Y = model.columns(motion.q, motion.qd, motion.qdd)
        if excess(model, places, series.limits, motion, Y) <= 0:
            return motion, Y
        x = 0.97 * x
    raise Mistake("--excite: the start posture itself is beyond a limit of torque, or outside of the box: choose another one (--start)")


def start_of(model: Model, limits: Limits, text: Optional[str]) -> np.ndarray:
    """Given, or the middle of the limits; 0 of a joint without."""
    n = len(model.joints)
    limited = np.isfinite(limits.lower) & np.isfinite(limits.upper)
    start = numbers_of(text, n, "--start") if text else np.array([(a + b) / 2 if told else 0.0 for a, b, told in zip(limits.lower, limits.upper, limited)])
    if not ((limits.lower < start) & (start < limits.upper)).all():
        raise Mistake(f"--start: {text}: outside of the limits of {model.joints[int(np.argmin((limits.lower < start) & (start < limits.upper)))]}")
    return np.asarray(start, dtype=float)


def csv_text(model: Model, motion: Motion) -> str:
    head = ["t [s]", *(f"{word}.{joint} [{unit}]" for word, unit in (("q", "rad"), ("qd", "rad/s"), ("qdd", "rad/s^2")) for joint in model.joints)]
    lines = (",".join(f"{x:.9g}" for x in (time, *q, *qd, *qdd)) for time, q, qd, qdd in zip(motion.t, motion.q, motion.qd, motion.qdd))
    return "\n".join([",".join(head), *lines, ""])


def read_motion(path: str, joints: list[str]) -> Motion:
    """A file of t, q, qd, qdd of all joints by line, as csv_text writes it."""
    try:
        x = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    except ValueError as error:
        raise Mistake(f"{path}: {error}") from error
    n = len(joints)
    if x.shape[1] != 1 + 3 * n or not np.isfinite(x).all():
        raise Mistake(f"{path}: {x.shape[1]} columns, or numbers that are not finite; t, and q, qd, qdd of {n} joints are expected, as --excite writes them")
    return Motion(x[:, 0], x[:, 1:1 + n], x[:, 1 + n:1 + 2 * n], x[:, 1 + 2 * n:])


def excite(given: argparse.Namespace) -> dict[str, Any]:
    """Writes the motion, and says how well it tells the parameters, and what it does not reach of the limits."""
    if not 2 <= given.seconds <= 600:
        raise Mistake(f"--seconds: {given.seconds}: 2 to 600 s are expected")
    model = Model(given.robot, given.layout, numbers_of(given.gravity, 3, "--gravity"))
    limits = limits_of(model, given)
    places = Places(model, given.robot) if limits.box is not None else None
    series = Series(start_of(model, limits, given.start), given.seconds, limits)
    motion, Y = within_limits(model, places, series, search(model, places, series, given.seed, given.trials))
    N = information(model, limits, motion, Y)
    torque = np.abs(Y @ model.value).max(0)
    print(f"{given.excite}: {given.seconds:g} s from rest to rest; condition {condition(N):.0f} of {len(N)} columns, friction among them")
    print("joint                     from      to [rad]  velocity  acceleration  torque")
    for j, joint in enumerate(model.joints):
        print(f"  {joint:20s} {motion.q[:, j].min():8.3f} {motion.q[:, j].max():8.3f} {np.abs(motion.qd[:, j]).max():12.3f} "
              f"{np.abs(motion.qdd[:, j]).max():12.3f} {torque[j]:9.2f}")
    Path(given.excite).write_text(csv_text(model, motion), encoding="utf-8")
    return {"condition": condition(N), "log_det": _log_det(N), "columns": len(N), "seconds": given.seconds}


def add_motion_options(parser: argparse.ArgumentParser) -> None:
    motion = parser.add_argument_group("a motion that tells the parameters")
    motion.add_argument("--excite", metavar="MOTION.csv", help="find one, in place of reading logs: t, q, qd, qdd by line, from rest to rest")
    motion.add_argument("--seconds", type=float, default=20.0, help="that it takes (20)")
    motion.add_argument("--seed", type=int, default=1, help="another number, another motion (1)")
    motion.add_argument("--trials", type=int, default=3000, help="how many motions are tried (3000)")
    motion.add_argument("--start", metavar="Q,..", help="posture at its beginning and end (the middle of the joints' limits)")
    motion.add_argument("--velocity", metavar="V,..", help=f"largest, one number or one a joint ({SHARE} of the URDF's)")
    motion.add_argument("--acceleration", metavar="A,..", help="largest (four times the velocity in a second)")
    motion.add_argument("--torque", metavar="T,..", help=f"largest, by the URDF's masses ({SHARE} of the URDF's)")
    motion.add_argument("--box", metavar="X,X,Y,Y,Z,Z", help="smallest and largest of each coordinate of the origins of all frames that move [m]")

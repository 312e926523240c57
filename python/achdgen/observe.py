# SPDX-License-Identifier: MIT
"""achd-observe: contacts in logs of an arm without a sensor of force, by its generalised momentum (docs/contact.md).

    achd-observe calibrate ROBOT.urdf LOG.csv .. -o bounds.json     bounds from logs without contacts
    achd-observe replay ROBOT.urdf bounds.json LOG.csv [--page P]   the contacts of a log, and a page that shows them

The observer is that of achd/observer.h, with the momentum of achdgen's function `momentum`."""

from __future__ import annotations

import argparse
import html
import json
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional
from xml.etree import ElementTree

import numpy as np

from ._generate import GenerationError
from ._layout import LayoutError
from ._robot import InputError, StatusError, load
from .recording import LONGEST, Log, Mistake, read

FORMAT = 1  # of the files of bounds
SPEED = 0.05  # [rad/s]: below, dry friction grows with the speed
CYCLES = 3  # lines in a row above a bound that make a contact


# --- the robot -------------------------------------------------------------------------------------


class Arm:
    """Joints and momentum of a robot on a fixed base, by achdgen. links: whose inertias are given with each log; None: those of the URDF."""

    def __init__(self, urdf: str, layout: Optional[str], gravity: Sequence[float], with_links: bool = False):
        if with_links and layout:
            raise Mistake("masses are found for a URDF without a layout: leave --layout or --fit-masses out")
        chosen: Any = {"groups": [], "gravity": list(gravity)} if not layout else layout
        self.links = _carried(urdf) if with_links else []
        if self.links:
            chosen["inertia_inputs"] = self.links
        self.robot = load(urdf, layout=chosen, functions=["momentum"])
        self.joints = [str(joint) for joint in self.robot.joints]
        self.gravity = {"gravity": list(gravity)} if layout and "gravity" in self.robot.momentum._in.fields else {}

    def momentum(self, log: Log, inertias: Optional[np.ndarray] = None) -> tuple[np.ndarray, np.ndarray]:
        """p and beta in every line of a log. inertias: by link m, mx my mz, xx xy xz yy yz zz."""
        given = {f"inertia.{link}": inertias[k] for k, link in enumerate(self.links)} if inertias is not None else {}
        out = self.robot.momentum(q=log.q, qd=log.qd, **self.gravity, **given)
        return np.asarray(out.p), np.asarray(out.beta)


def _carried(urdf: str) -> list[str]:
    """The links that joints move, in the order of the file."""
    try:
        tree = ElementTree.parse(urdf)
    except (OSError, ElementTree.ParseError) as error:
        raise Mistake(f"{urdf}: {error}") from error
    return [str(joint.find("child").get("link")) for joint in tree.iter("joint")  # type: ignore[union-attr]
            if joint.get("type") in ("revolute", "continuous", "prismatic") and joint.find("child") is not None]


# --- the observer ----------------------------------------------------------------------------------


def smoothed(x: np.ndarray, period: np.ndarray, gain: float) -> np.ndarray:
    """r' = (r + K T x) / (1 + K T): x by line, T the time since the line before; begins anew after a long gap."""
    r = np.zeros_like(x)
    for k in range(1, len(x)):
        rate = gain * period[k]
        if period[k] <= LONGEST:
            r[k] = (r[k - 1] + rate * x[k]) / (1 + rate)
    return r


def _periods(log: Log) -> np.ndarray:
    return np.concatenate([[1.0], np.diff(log.t)])


def _mean(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:1], (x[1:] + x[:-1]) / 2])


def _rate(x: np.ndarray, period: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros_like(x[:1]), np.diff(x, axis=0)]) / period[:, None]


def _change(arm: Arm, log: Log, inertias: Optional[np.ndarray]) -> np.ndarray:
    """dp/dt - beta by line and joint: what torque, friction and contacts make together."""
    p, beta = arm.momentum(log, inertias)
    return _rate(p, _periods(log)) - _mean(beta)


def features(arm: Arm, log: Log, gain: float, inertias: Optional[np.ndarray] = None) -> dict[str, np.ndarray]:
    """By line and joint, through the observer's filter: `changed`; the torque; rotor, viscous and dry friction."""
    period = _periods(log)
    held = np.concatenate([log.tau[:1], log.tau[:-1]])  # from the line before until this one
    raw = {"torque": held, "rotor": _rate(log.qd, period), "viscous": _mean(log.qd), "dry": _mean(np.clip(log.qd / SPEED, -1, 1)),
           "offset": np.ones_like(log.q)}
    raw["changed"] = _change(arm, log, inertias)
    together = smoothed(np.concatenate(list(raw.values()), 1), period, gain)
    return dict(zip(raw, np.split(together, len(raw), 1)))


FITTED = ("torque", "rotor", "viscous", "dry", "offset")
SIGNS = {"torque": 1.0, "rotor": -1.0, "viscous": -1.0, "dry": -1.0, "offset": 1.0}


def fit(parts: Sequence[dict[str, np.ndarray]], joint: int, gain_of_torque: Optional[float]) -> dict[str, float]:
    """Least squares of one joint: changed = k torque - d rotor - v viscous - c dry + o; k given where gain_of_torque is."""
    A = np.concatenate([np.stack([SIGNS[name] * part[name][:, joint] for name in FITTED], 1) for part in parts])
    b = np.concatenate([part["changed"][:, joint] for part in parts])
    free = [k for k, name in enumerate(FITTED) if name != "torque" or gain_of_torque is None]
    known = A[:, 0] * (gain_of_torque or 0.0) if gain_of_torque is not None else 0.0
    x, *_ = np.linalg.lstsq(A[:, free], b - known, rcond=1e-10)
    found = {name: 0.0 for name in FITTED}
    for k, value in zip(free, x):
        found[FITTED[k]] = float(value)
    if gain_of_torque is not None:
        found["torque"] = gain_of_torque
    return found


def fit_masses(arm: Arm, logs: Sequence[Log], parts: Sequence[dict[str, np.ndarray]], gain: float, gains: Sequence[float],
               own: np.ndarray) -> np.ndarray:
    """The links' inertias, ten numbers each, for which `changed` is the torque less friction: weighted least squares of all joints, near those of the URDF where the
    motion does not tell. The momentum is linear in them."""
    n, links, fitted = len(arm.joints), len(arm.links), FITTED[1:]
    units = [np.zeros((links, 10)), *np.eye(10 * links).reshape(-1, links, 10)]
    base, by_log = [], []
    for log in logs:
        raw = np.concatenate([_change(arm, log, unit) for unit in units], 1)
        each = smoothed(raw, _periods(log), gain).reshape(len(log.t), len(units), n)
        base.append(each[:, 0])
        by_log.append((each[:, 1:] - each[:, :1]).transpose(0, 2, 1))
    A = np.concatenate(by_log)  # lines, joints, parameters
    target = np.concatenate([np.asarray(gains) * part["torque"] - b for part, b in zip(parts, base)])
    extra = np.stack([np.concatenate([-SIGNS[name] * part[name] for part in parts]) for name in fitted], 2)
    lengths = np.array([1, .3, .3, .3, .1, .1, .1, .1, .1, .1])
    spread = np.repeat(np.maximum(own[:, 0], 0.5), 10) * np.tile(lengths, links)  # how far from the URDF's they may be
    weight = np.ones(n)
    found = own.ravel().copy()
    for _ in range(2):
        H = np.zeros((10 * links + len(fitted) * n,) * 2)
        g = np.zeros(len(H))
        for j in range(n):
            at = 10 * links + len(fitted) * j
            X = np.zeros((len(target), len(H)))
            X[:, :10 * links] = A[:, j] * spread
            X[:, at:at + len(fitted)] = extra[:, j]
            y = target[:, j] - A[:, j] @ own.ravel()
            H += weight[j] * X.T @ X
            g += weight[j] * X.T @ y
        ridge = np.full(len(H), 1e-9 * np.trace(H) / len(H))
        ridge[:10 * links] = len(target) * 1e-3 * np.median(weight)
        x = np.linalg.solve(H + np.diag(ridge), g)
        found = own.ravel() + spread * x[:10 * links]
        left = target - A @ found
        for j in range(n):
            left[:, j] -= extra[:, j] @ x[10 * links + len(fitted) * j:][:len(fitted)]
        weight = 1 / np.maximum(np.mean(left**2, axis=0), 1e-6)
    return found.reshape(links, 10)


def residuals(part: dict[str, np.ndarray], model: Sequence[dict[str, float]]) -> np.ndarray:
    """tau_ext by line and joint."""
    r = part["changed"].copy()
    for j, fitted in enumerate(model):
        for name in FITTED:
            r[:, j] -= SIGNS[name] * fitted[name] * part[name][:, j]
    return r


# --- bounds ----------------------------------------------------------------------------------------


def _steadily(x: np.ndarray) -> np.ndarray:
    """The least of CYCLES lines in a row: what a bound has to be below for a contact."""
    return np.min([np.concatenate([np.zeros_like(x[:k]), x[:len(x) - k]]) for k in range(CYCLES)], axis=0)


def bound_of(r: Sequence[np.ndarray], qd: Sequence[np.ndarray], t: Sequence[np.ndarray], rate: float) -> tuple[float, float]:
    """(constant, by_speed): what |r| exceeds, CYCLES lines in a row, `rate` times a second; from one array a log.

    The slope is that of |r| over the speed (least squares). Of what is left the largest of every half second is taken. Those that four fifths do not exceed have a
    generalised Pareto tail, whose moments (Hosking, Wallis 1987) tell how rarely larger ones come than were seen. A bound is at least a fifth above all of these."""
    size, speed = np.abs(np.concatenate(r)), np.abs(np.concatenate(qd))
    spread = float(np.var(speed))
    slope = max(0.0, float(np.cov(speed, size)[0, 1]) / spread) if spread > 1e-12 else 0.0
    peaks = np.array([left[window == k].max() for left, window in
                      ((_steadily(np.abs(x) - slope * np.abs(v)), np.floor((s - s[0]) / 0.5).astype(int)) for x, v, s in zip(r, qd, t)) for k in np.unique(window)])
    most = float(np.quantile(peaks, 0.8))
    above = peaks[peaks > most] - most
    beyond = 0.0
    if len(above) > 2 and above.var() > 0:
        ratio = float(above.mean() ** 2 / above.var())
        shape, scale = min(max((ratio - 1) / 2, 0.0), 0.5), float(above.mean()) * (ratio + 1) / 2
        rarity = math.log(max(1.0, 0.2 / (0.5 * rate)))
        beyond = scale * rarity if shape < 1e-3 else scale / shape * (1 - math.exp(-shape * rarity))
    return max(most + beyond, 1.2 * float(peaks.max()), 1e-9), slope


def _limit(bound: dict[str, float], qd: np.ndarray) -> np.ndarray:
    """How much |tau_ext| of a joint has to be for a contact, at these velocities."""
    return bound["constant"] + bound["by_speed"] * np.abs(qd)


@dataclass
class Contact:
    """Lines from .. to of a log, the joints that feel it, and how strongly."""

    start: float
    end: float
    joint: str
    felt: list[str]
    share: float


def contacts(arm: Arm, log: Log, r: np.ndarray, bounds: Sequence[dict[str, float]], apart: float = 0.3) -> list[Contact]:
    """Contacts as achd_contact_step finds them, CYCLES lines in a row above a bound; those less than `apart` seconds from each other are one."""
    share = np.stack([np.abs(r[:, j]) / _limit(b, log.qd[:, j]) for j, b in enumerate(bounds)], 1)
    steady = _steadily(share) > 1
    found: list[Contact] = []
    for k in np.flatnonzero(steady.any(axis=1)):
        joints = [arm.joints[j] for j in np.flatnonzero(steady[k])]
        if found and log.t[k] - found[-1].end <= apart:
            last = found[-1]
            last.end = float(log.t[k])
            last.felt = [name for name in arm.joints if name in last.felt or name in joints]
            last.joint = last.felt[-1]
            last.share = max(last.share, float(share[k].max()))
        else:
            found.append(Contact(float(log.t[k]), float(log.t[k]), joints[-1], joints, float(share[k].max())))
    return found


# --- what force is noticed -------------------------------------------------------------------------


def _centres(urdf: str) -> dict[str, np.ndarray]:
    """The centre of mass of every link, in its frame; of one without masses its origin."""
    found = {}
    for link in ElementTree.parse(urdf).iter("link"):
        origin = link.find("inertial/origin")
        words = (origin.get("xyz") if origin is not None else None) or "0 0 0"
        found[str(link.get("name"))] = np.array([float(word) for word in words.split()])
    return found


def _directions(count: int) -> np.ndarray:
    """Unit vectors all around, evenly (a spiral of Fibonacci)."""
    z = 1 - (2 * np.arange(count) + 1) / count
    angle = np.arange(count) * math.pi * (3 - math.sqrt(5))
    return np.stack([np.sqrt(1 - z**2) * np.cos(angle), np.sqrt(1 - z**2) * np.sin(angle), z], 1)


def noticed_forces(urdf: str, logs: Sequence[Log], joints: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By link: the least force at its centre of mass that some joint feels above its bound, |J^T f|_j > bound_j, in half and in nine tenths of the directions and
    of the positions of the logs. A force that no joint feels is never noticed: None."""
    links, centres = _carried(urdf), _centres(urdf)
    robot = load(urdf, layout={"groups": [], "outputs": {"jac": links, "pose": links}}, functions=["jac", "fk"])
    q, qd = (np.concatenate([getattr(log, name)[::max(1, len(log.t) // 60)] for log in logs]) for name in ("q", "qd"))
    jacobians, poses = robot.jac(q=q), robot.fk(q=q)
    bounds = np.stack([_limit(b, qd[:, j]) for j, b in enumerate(joints)], 1)
    told, directions = [], _directions(120)
    for link in links:
        name = re.sub(r"\W", "_", link)
        J, R = np.asarray(jacobians.get(f"jac.{name}")), np.asarray(poses.get(f"pose.{name}")["R"])
        arm = np.einsum("sik,k->si", R, centres[link])
        at = J[:, :3] + np.cross(J[:, 3:], arm[:, :, None], axisa=1, axisb=1, axisc=1)
        with np.errstate(divide="ignore"):
            least = (bounds[:, None, :] / np.abs(np.einsum("di,sij->sdj", directions, at))).min(axis=2)
        half, most = (float(np.quantile(least, share, method="lower")) for share in (0.5, 0.9))
        told.append({"link": link, "half": half if half < 1e6 else None, "most": most if most < 1e6 else None})
    return told


def _print_noticed(told: Sequence[dict[str, Any]]) -> None:
    print("a force at the centre of mass of a link is noticed from [N]   in half of the directions   in nine tenths")
    for one in told:
        half, most = (f"{one[share]:.1f}" if one[share] else "never" for share in ("half", "most"))
        print(f"  {one['link']:58} {half:>26} {most:>16}")


# --- commands --------------------------------------------------------------------------------------


def _gains(text: Optional[str], count: int) -> Optional[list[float]]:
    if text is None:
        return None
    try:
        gains = [float(word) for word in text.split(",")]
    except ValueError as error:
        raise Mistake(f"--gains {text}: not a list of numbers") from error
    if len(gains) != count or not all(math.isfinite(x) and x > 0 for x in gains):
        raise Mistake(f"--gains {text}: {count} numbers above 0 are expected, one a joint")
    return gains


def _arm(arguments: argparse.Namespace, with_links: bool) -> Arm:
    try:
        gravity = [float(word) for word in arguments.gravity.split(",")]
    except ValueError:
        gravity = []
    if len(gravity) != 3:
        raise Mistake(f"--gravity {arguments.gravity}: three numbers are expected, such as 0,0,-9.81")
    return Arm(arguments.robot, arguments.layout, gravity, with_links)


def _own_inertias(arm: Arm) -> np.ndarray:
    """Those of the URDF, about the origins of the links' frames."""
    defaults = arm.robot.momentum._in.default
    return np.array([np.asarray(defaults[f"inertia.{link}"], dtype=float).reshape(10) for link in arm.links])


def calibrate(arguments: argparse.Namespace) -> None:
    if not (arguments.gain > 0 and math.isfinite(arguments.gain)):
        raise Mistake(f"--gain {arguments.gain}: a gain above 0 is expected [1/s]")
    if not arguments.rate > 0:
        raise Mistake(f"--rate {arguments.rate}: false alarms an hour, above 0")
    arm = _arm(arguments, arguments.fit_masses)
    gains = _gains(arguments.gains, len(arm.joints))
    if arguments.fit_masses and arguments.fit_gains:
        raise Mistake("masses and torques per current cannot be told from each other by these logs: leave --fit-masses or --fit-gains out")
    logs = [read(path, arm.joints, arguments.columns, arguments.skip_damaged) for path in arguments.logs]
    inertias = None
    if arguments.fit_masses:
        own = _own_inertias(arm)
        parts = [features(arm, log, arguments.gain, own) for log in logs]
        inertias = fit_masses(arm, logs, parts, arguments.gain, gains or [1.0] * len(arm.joints), own)
    parts = [features(arm, log, arguments.gain, inertias) for log in logs]
    fitted = [fit(parts, j, gains[j] if gains else None if arguments.fit_gains else 1.0) for j in range(len(arm.joints))]
    every = [residuals(part, fitted) for part in parts]
    hours = sum(float(log.t[-1] - log.t[0]) for log in logs) / 3600
    joints = []
    print(f"{sum(len(log.t) for log in logs)} lines of {len(logs)} logs, {3600 * hours:.0f} s; {sum(log.skipped for log in logs)} damaged lines left out")
    print("joint                     torque    rotor  viscous     dry   offset |    rms  bound  by speed")
    for j, name in enumerate(arm.joints):
        constant, by_speed = bound_of([r[:, j] for r in every], [log.qd[:, j] for log in logs], [log.t for log in logs], arguments.rate / 3600 / len(arm.joints))
        bound = {"constant": constant, "by_speed": by_speed}
        rms = math.sqrt(float(np.mean(np.concatenate([r[:, j] for r in every]) ** 2)))
        joints.append({"name": name, **fitted[j], **bound, "rms": rms})
        f = fitted[j]
        print(f"{name:24} {f['torque']:8.3f} {f['rotor']:8.3f} {f['viscous']:8.3f} {f['dry']:8.3f} {f['offset']:7.3f} | {rms:6.2f} {bound['constant']:6.2f} {bound['by_speed']:9.3f}")
    noticed = noticed_forces(arguments.robot, logs, joints) if not arguments.layout else None
    if noticed:
        _print_noticed(noticed)
    result = {"format": FORMAT, "gain": arguments.gain, "rate": arguments.rate, "cycles": CYCLES, "joints": joints, "noticed": noticed,
              "inertias": {link: list(map(float, inertias[k])) for k, link in enumerate(arm.links)} if inertias is not None else None, "logs": [Path(log.name).name for log in logs]}
    text = json.dumps(result, indent=2) + "\n"
    if arguments.output:
        Path(arguments.output).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def _read_bounds(path: str) -> dict[str, Any]:
    try:
        bounds: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        if bounds["format"] != FORMAT or not bounds["joints"] or not bounds["gain"] > 0:
            raise ValueError("another format")
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Mistake(f"{path}: no bounds of achd-observe calibrate ({error})") from error
    return bounds


def replay(arguments: argparse.Namespace) -> None:
    bounds = _read_bounds(arguments.bounds)
    arm = _arm(arguments, bounds.get("inertias") is not None)
    if [joint["name"] for joint in bounds["joints"]] != arm.joints:
        raise Mistake(f"{arguments.bounds}: bounds of other joints than those of {arguments.robot}: calibrate anew")
    inertias = np.array([bounds["inertias"][link] for link in arm.links]) if arm.links else None
    if arguments.picture and len(arguments.logs) > 1:
        raise Mistake(f"--picture {arguments.picture}: a picture is of one log, and there are {len(arguments.logs)}")
    told = []
    for path in arguments.logs:
        log = read(path, arm.joints, arguments.columns, arguments.skip_damaged)
        r = residuals(features(arm, log, bounds["gain"], inertias), bounds["joints"])
        found = contacts(arm, log, r, bounds["joints"])
        print(f"{path}: {len(found)} contacts in {log.t[-1] - log.t[0]:.1f} s" + (f", {log.skipped} damaged lines left out" if log.skipped else ""))
        for one in found:
            print(f"  {one.start - log.t[0]:8.2f} s to {one.end - log.t[0]:8.2f} s  {one.share:5.1f} times the bound  link of {one.joint} or beyond  ({', '.join(one.felt)})")
        told.append((log, r, found))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({Path(log.name).name: [vars(one) for one in found] for log, _, found in told}, indent=2) + "\n", encoding="utf-8")
    if arguments.picture:
        Path(arguments.picture).write_text(picture(arm, bounds, *told[0]), encoding="utf-8")
    if arguments.page:
        Path(arguments.page).write_text(page(arm, bounds, told), encoding="utf-8")


# --- the page --------------------------------------------------------------------------------------


WIDTH, HEIGHT = 1000, 120  # of one joint's chart
COLOURS = (".torque{stroke:#1f4e8c}.bound{stroke:#b06000;stroke-dasharray:6 4}.contact{fill:#d9534f;opacity:.35}polyline{fill:none;stroke-width:1.2}")


def thinned(t: np.ndarray, v: np.ndarray, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest of each of so many parts, in their order; all lines where there are few."""
    if len(t) <= 2 * parts:
        return t, v
    at: list[int] = []
    for part in np.array_split(np.arange(len(t)), parts):
        at += sorted({int(part[np.argmin(v[part])]), int(part[np.argmax(v[part])])})
    return t[at], v[at]


def _curves(arm: Arm, j: int, bound: dict[str, float], log: Log, r: np.ndarray, found: Sequence[Contact], parts: int) -> tuple[str, float]:
    """What a joint's chart shows, and how many N m it is from its middle to its edge."""
    t = log.t - log.t[0]
    limit = _limit(bound, log.qd[:, j])
    most = 1.1 * max(float(np.abs(r[:, j]).max()), float(limit.max()))
    x = lambda s: WIDTH * s / max(float(t[-1]), 1e-9)  # noqa: E731
    y = lambda v: HEIGHT / 2 * (1 - v / most)  # noqa: E731
    line = lambda v: " ".join(f"{x(s):.1f},{y(u):.1f}" for s, u in zip(*thinned(t, v, parts)))  # noqa: E731
    flat = f"0,{y(limit[0]):.1f} {WIDTH},{y(limit[0]):.1f}", f"0,{y(-limit[0]):.1f} {WIDTH},{y(-limit[0]):.1f}"
    edges = flat if bound["by_speed"] == 0 else (line(limit), line(-limit))
    marks = "".join(f'<rect x="{x(c.start - log.t[0]):.1f}" y="0" width="{max(2.0, x(c.end - c.start)):.1f}" height="{HEIGHT}" class="contact"/>'
                    for c in found if arm.joints[j] in c.felt)
    return (f'{marks}<polyline points="{edges[0]}" class="bound"/><polyline points="{edges[1]}" class="bound"/>'
            f'<polyline points="{line(r[:, j])}" class="torque"/>'), most


def _chart(arm: Arm, j: int, bound: dict[str, float], log: Log, r: np.ndarray, found: Sequence[Contact]) -> str:
    curves, most = _curves(arm, j, bound, log, r, found, 1000)
    return (f"<h3>{html.escape(arm.joints[j])}: torque of contacts, {most:.1f} N m from the middle to the edge</h3>"
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{curves}</svg>')


def picture(arm: Arm, bounds: dict[str, Any], log: Log, r: np.ndarray, found: Sequence[Contact]) -> str:
    """A log as one SVG: tau_ext of every joint, its bounds, the contacts."""
    charts, step = [], HEIGHT + 30
    for j, joint in enumerate(arm.joints):
        curves, most = _curves(arm, j, bounds["joints"][j], log, r, found, 300)
        charts.append(f'<g transform="translate(0 {step * j})"><text x="4" y="20">{html.escape(joint)}: {most:.1f} N m from the middle to the edge</text>'
                      f'<g transform="translate(0 28)"><rect width="{WIDTH}" height="{HEIGHT}" fill="#f6f6f8"/>{curves}</g></g>\n')
    height = step * len(arm.joints) + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">\n<style>text{{font:15px sans-serif}}{COLOURS}</style>\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n{"".join(charts)}<text x="4" y="{height - 6}">{html.escape(Path(log.name).name)}, '
            f"{log.t[-1] - log.t[0]:.1f} s from left to right; torque of contacts, bounds (dashed), contacts where they are felt (red)</text>\n</svg>\n")


def page(arm: Arm, bounds: dict[str, Any], told: Sequence[tuple[Log, np.ndarray, list[Contact]]]) -> str:
    """A page of its own: tau_ext of every joint, its bounds, the contacts."""
    style = (f"body{{font-family:sans-serif;max-width:64em;margin:1em auto}}svg{{width:100%;background:#f6f6f8}}{COLOURS}"
             "h3{margin:.6em 0 .1em;font-size:1em}td,th{padding:.1em 1em .1em 0;text-align:left}")
    body = []
    if bounds.get("noticed"):
        rows = "".join(f"<tr><td>{html.escape(one['link'])}</td>" + "".join(f"<td>{one[share]:.1f}</td>" if one[share] else "<td>never</td>" for share in ("half", "most")) + "</tr>"
                       for one in bounds["noticed"])
        body.append("<h2>Force that the bounds notice</h2><table><tr><th>at the centre of mass of</th><th>in half of the directions [N]</th><th>in nine tenths [N]</th></tr>"
                    f"{rows}</table>")
    for log, r, found in told:
        rows = "".join(f"<li>{one.start - log.t[0]:.2f} s to {one.end - log.t[0]:.2f} s, {one.share:.1f} times the bound: link of {html.escape(one.joint)} or beyond</li>" for one in found)
        body.append(f"<h2>{html.escape(Path(log.name).name)}: {len(found)} contacts</h2><ul>{rows}</ul>" +
                    "".join(_chart(arm, j, bounds["joints"][j], log, r, found) for j in range(len(arm.joints))))
    return f"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Contacts</title><style>{style}</style></head><body><h1>Contacts by momentum</h1>{''.join(body)}</body></html>\n"


def add_log_options(command: argparse.ArgumentParser) -> None:
    """What commands that read logs of a robot ask for beside these."""
    command.add_argument("--layout", metavar="FILE", help="of the robot, as for achdgen")
    command.add_argument("--gravity", metavar="X,Y,Z", default="0,0,-9.81", help="along the axes of the base [m/s^2]")
    command.add_argument("--columns", metavar="WORDS", help='of a log without a header: "t q:6 qd:6 current:6 -:12"')
    command.add_argument("--skip-damaged", action="store_true", help="leave damaged lines out")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="achd-observe", description="Contacts in logs of an arm without a sensor of force, by its momentum.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("calibrate", help="bounds from logs without contacts")
    other = commands.add_parser("replay", help="the contacts of logs")
    for command in (one, other):
        command.add_argument("robot", metavar="ROBOT.urdf")
        if command is other:
            command.add_argument("bounds", metavar="BOUNDS.json")
        command.add_argument("logs", metavar="LOG.csv", nargs="+")
        add_log_options(command)
    one.add_argument("--gain", type=float, default=20.0, help="bandwidth of the observer [1/s] (20)")
    one.add_argument("--rate", type=float, default=1.0, help="false alarms an hour (1)")
    one.add_argument("--gains", metavar="K,..", help="torque per current of each joint [N m/A]")
    one.add_argument("--fit-gains", action="store_true", help="find them: torques that the model says, over currents")
    one.add_argument("--fit-masses", action="store_true", help="find the links' inertias, too, near those of the URDF: bounds become smaller")
    one.add_argument("-o", "--output", metavar="FILE", help="the bounds (standard output)")
    other.add_argument("--json", metavar="FILE", help="the contacts as JSON")
    other.add_argument("--picture", metavar="FILE", help="an SVG of one log")
    other.add_argument("--page", metavar="FILE", help="a web page that shows them")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> None:
    given = _parser().parse_args(arguments)
    try:
        (calibrate if given.command == "calibrate" else replay)(given)
    except (Mistake, GenerationError, LayoutError, InputError, StatusError) as mistake:
        sys.exit(f"achd-observe: {mistake}")
    except OSError as error:
        sys.exit(f"achd-observe: {error.filename or ''}: {error.strerror}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""A robot's torques as a linear function of its base parameters, by achdgen's function `regressor`."""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ._robot import Robot, load
from .recording import Mistake

NUMBERS = ("m", "mx", "my", "mz", "ixx", "ixy", "ixz", "iyy", "iyz", "izz")
SIGN = 0.005  # [rad/s]: below, the direction of dry friction is not certain


def id_of(name: str) -> str:
    """A link's or a joint's name as parameters have it."""
    return re.sub(r"\W", "_", name)


def numbers_of(text: str, count: int, option: str) -> np.ndarray:
    try:
        values = np.array([float(word) for word in text.split(",")])
    except ValueError as error:
        raise Mistake(f"{option}: {text}: numbers with commas are expected") from error
    if len(values) != count or not np.isfinite(values).all():
        raise Mistake(f"{option}: {len(values)} numbers, where {count} are expected")
    return values


def tensor(x: np.ndarray) -> np.ndarray:
    """The inertia of ten numbers, about the origin of the frame."""
    return np.array([[x[4], x[5], x[6]], [x[5], x[7], x[8]], [x[6], x[8], x[9]]])


class Model:
    """A robot's regressor, and how its base parameters are made of the links' masses, first moments and inertias."""

    def __init__(self, urdf: str, layout: Optional[str], gravity: Sequence[float], method: str = "acceleration"):
        self.urdf, self.layout, self.method, self.gravity = urdf, layout, method, np.array(gravity, dtype=float)
        self.robot = self._load(["regressor", *(["momentum_regressor"] if method == "momentum" else [])], self.gravity)
        description = self.robot.description
        self.joints = [str(joint) for joint in self.robot.joints]
        self.parameters: list[dict[str, Any]] = description["parameters"]
        self.value = np.array([p["value"] for p in self.parameters])
        self.bodies = [body for body in description["bodies"] if body.get("joint")]
        self.links = [str(body["link"]) for body in self.bodies]
        self.made_of = self._made_of()

    def _load(self, functions: Sequence[str], gravity: Optional[np.ndarray], more: str = "") -> Robot:
        """The robot with its layout, gravity as a constant or, None, as an input, and more in Lua."""
        if self.layout and not self.layout.endswith(".lua"):
            raise Mistake(f"--layout: {self.layout}: a layout in Lua is expected")
        text = Path(self.layout).read_text(encoding="utf-8") if self.layout else "return {}"
        numbers = "nil" if gravity is None else "{ " + ", ".join(repr(float(g)) for g in gravity) + " }"
        with tempfile.TemporaryDirectory() as folder:
            chosen = Path(folder) / (Path(self.layout).name if self.layout else "layout.lua")
            chosen.write_text(f"local layout = (function() {text}\nend)()\n"
                              f'layout.groups, layout.gravity, layout.regressor = {{}}, {numbers}, {{ "armature" }}\n{more}\nreturn layout\n', encoding="utf-8")
            return load(self.urdf, layout=chosen, functions=functions)

    @functools.cached_property
    def sideways(self) -> np.ndarray:
        """Two directions across gravity, or zeros where there is none."""
        if not self.gravity.any():
            return np.zeros((2, 3))
        return np.asarray(np.linalg.svd(self.gravity[None])[2][1:])

    @functools.cached_property
    def _static(self) -> Robot:
        return self._load(["id"], None)

    def tilted(self, q: np.ndarray, robot: Optional[Robot] = None) -> list[np.ndarray]:
        """By line and joint, of both directions across gravity: what an acceleration of 1 m/s^2 more along it adds to torques, by the URDF's masses, or those of a robot."""
        still = np.zeros_like(q)
        rest, *more = (np.asarray((robot or self._static).id(q=q, qd=still, qdd=still, gravity=g).tau) for g in (np.zeros(3), *self.sideways))
        return [tau - rest for tau in more]

    def gravity_of(self, tilt: np.ndarray, q: np.ndarray, inertials: str) -> np.ndarray:
        """Gravity that does to a robot with these inertials, in postures q, what the tilt does to that of the URDF."""
        robot = self._load(["id"], None, f"layout.inertials = {inertials}")
        now, before = (np.stack(x, -1).reshape(-1, 2) for x in (self.tilted(q, robot), self.tilted(q)))
        return np.asarray(self.gravity + np.linalg.lstsq(now, before @ tilt, rcond=None)[0] @ self.sideways)

    def _made_of(self) -> np.ndarray:
        """K: base parameters = K times [the ten numbers of every link, rotors of the joints]."""
        at = {(id_of(link), number): 10 * i + k for i, link in enumerate(self.links) for k, number in enumerate(NUMBERS)}
        at.update({(id_of(joint), "armature"): 10 * len(self.links) + j for j, joint in enumerate(self.joints)})
        K = np.zeros((len(self.parameters), 10 * len(self.links) + len(self.joints)))
        for row, parameter in enumerate(self.parameters):
            for sign, factor, number, of in re.findall(r"(-?) ?(?:([0-9][0-9.e+-]*) )?(\w+)\(([^)]*)\)", parameter["made_of"]):
                K[row, at[of, number]] += (-1 if sign == "-" else 1) * float(factor or 1)
        return K

    def of_urdf(self) -> np.ndarray:
        """The links' ten numbers by the URDF, about the origins of their frames."""
        return np.array([[body["mass"], *body["first_moment"], *body["inertia"]] for body in self.bodies], dtype=float)

    def rotors(self) -> np.ndarray:
        """By joint, those of the layout: what the values of the base parameters have beside the links'."""
        links = 10 * len(self.links)
        return np.linalg.lstsq(self.made_of[:, links:], self.value - self.made_of[:, :links] @ self.of_urdf().ravel(), rcond=None)[0]

    def columns(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Y by line, joint and parameter."""
        return np.asarray(self.robot.regressor(q=q, qd=qd, qdd=qdd).Y)

    def momentum(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Yp and Yt by line, joint and parameter: p = Yp pi, and dp/dt = tau + Yt pi."""
        out = self.robot.momentum_regressor(q=q, qd=qd)
        return np.asarray(out.Yp), np.asarray(out.Yt)

# SPDX-License-Identifier: MIT
"""What was identified, as files: a layout, a URDF, constants in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Optional
from xml.etree import ElementTree

import numpy as np

from .model import Model, tensor


@dataclass
class Identified:
    """Numbers of links, ten each, rotors, and friction by joint and word with its deviations. told: of which logs."""

    model: Model
    links: np.ndarray
    rotors: np.ndarray
    words: Sequence[str]
    friction: np.ndarray
    deviation: np.ndarray
    told: str
    load: Optional[tuple[np.ndarray, np.ndarray]] = None  # ten numbers and their deviations
    gravity: Sequence[float] = ()  # in the frame of the base
    uncertain: np.ndarray = field(default_factory=lambda: np.zeros(0))  # deviations of the links' numbers, ten each, and of rotors

    def of(self, word: str) -> np.ndarray:
        """Friction of a word by joint; 0 where the model of friction does not have it. Friction never drives, so it is not below 0."""
        x = self.friction[:, list(self.words).index(word)] if word in self.words else np.zeros(len(self.model.joints))
        return x if word in ("offset", "scale") else np.maximum(x, 0.0)

    def deviation_of(self, word: str) -> np.ndarray:
        return self.deviation[:, list(self.words).index(word)] if word in self.words else np.zeros(len(self.model.joints))

    def breakaway(self) -> np.ndarray:
        """Dry friction at rest, no less than in motion."""
        return self.of("coulomb") + self.of("stribeck")


def fixed_links(model: Model) -> list[str]:
    """Links that stand fixed on moving ones, whose masses are these ones' then."""
    return [str(frame["link"]) for frame in model.robot.description["frames"] if frame["body"] in model.links and frame["link"] != frame["body"]]


def about_centre(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass, and the inertia about it, of ten numbers about the origin of the frame."""
    c = x[1:4] / x[0]
    return float(x[0]), c, tensor(x) - x[0] * (c @ c * np.eye(3) - np.outer(c, c))


def _by_joint(joints: Sequence[str], values: np.ndarray) -> str:
    return "{ " + ", ".join(f'["{joint}"] = {value:.6g}' for joint, value in zip(joints, values)) + " }"


def _list(values: np.ndarray, digits: str = ".2g") -> str:
    return ", ".join(f"{value:{digits}}" for value in values)


def inertials_text(model: Model, links: np.ndarray, deviations: Optional[np.ndarray] = None) -> str:
    """The links' inertias in Lua, with deviations of the ten numbers of each in comments; of links with others fixed to them, the whole stands on the first."""
    lines = ["{"]
    for i, (link, x) in enumerate(zip(model.links, links)):
        mass, c, I = about_centre(x)
        numbers = ", ".join(f"{name} = {value:.9g}" for name, value in zip(("xx", "yy", "zz", "xy", "xz", "yz"), (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])))
        lines.append(f'    ["{link}"] = {{ mass = {mass:.9g}, com = {{ {c[0]:.9g}, {c[1]:.9g}, {c[2]:.9g} }}, inertia = {{ {numbers} }} }},')
        if deviations is not None:
            lines.append(f"      -- deviations: mass {deviations[10 * i]:.2g}, first moment {_list(deviations[10 * i + 1:10 * i + 4])}, "
                         f"inertia about the frame's origin xx xy xz yy yz zz {_list(deviations[10 * i + 4:10 * i + 10])}")
    lines += [f'    ["{link}"] = {{ mass = 0, com = {{ 0, 0, 0 }}, inertia = {{ xx = 0, yy = 0, zz = 0 }} }},' for link in fixed_links(model)]
    return "\n".join([*lines, "  }"])


def layout_text(found: Identified) -> str:
    """A layout with the links' inertias, rotors and friction."""
    joints = found.model.joints
    lines = [f"-- {found.told}: identified by achd-identify; numbers of a link are those of all that is fixed to it.", "return {"]
    lines += [f"  inertials = {inertials_text(found.model, found.links, found.uncertain)},",
              f"  armature = {_by_joint(joints, found.rotors)}, -- deviations {_list(found.uncertain[10 * len(found.links):])}",
              "  -- rows of the joints' friction; without them `achd` solves for a robot that has none",
              "  friction = {", f"    coulomb = {_by_joint(joints, found.of('coulomb'))}, -- deviations {_list(found.deviation_of('coulomb'))}"]
    if "stribeck" in found.words:
        lines += [f"    breakaway = {_by_joint(joints, found.breakaway())}, -- deviations {_list(found.deviation_of('stribeck'))}"]
    lines += [f"    viscous = {_by_joint(joints, found.of('viscous'))}, -- deviations {_list(found.deviation_of('viscous'))}", "  },"]
    lines += [f"  -- not part of a layout: offsets of torque {_list(found.of('offset'), '.4g')}, deviations {_list(found.deviation_of('offset'))}"]
    if "load" in found.words:
        lines += [f"  -- not part of a layout: dry friction per torque of the load {_list(found.of('load'), '.4g')}, deviations {_list(found.deviation_of('load'))}"]
    if "presliding" in found.words:
        lines += [f"  -- not part of a layout: dry friction that takes some way to turn around {_list(found.of('presliding'), '.4g')}, deviations {_list(found.deviation_of('presliding'))}"]
    if "scale" in found.words:
        lines += [f"  -- not part of a layout: torques are measured as so many times these {_list(1 + found.of('scale'), '.4g')}, deviations {_list(found.deviation_of('scale'))}"]
    if "tilt_x" in found.words:
        lines += [f"  -- not part of a layout: gravity in the frame of the base {_list(np.array(found.gravity), '.5g')}"]
    return "\n".join([*lines, "}", ""])


def _comment(text: str) -> ElementTree.Element:
    return ElementTree.Comment(f" {text.replace('--', '- -')} ")


def _inertial(x: np.ndarray) -> ElementTree.Element:
    mass, c, I = about_centre(x)
    inertial = ElementTree.Element("inertial")
    ElementTree.SubElement(inertial, "origin", {"xyz": " ".join(f"{v:.9g}" for v in c), "rpy": "0 0 0"})
    ElementTree.SubElement(inertial, "mass", {"value": f"{mass:.9g}"})
    ElementTree.SubElement(inertial, "inertia", {name: f"{I[i, k]:.9g}" for name, i, k in
                                                 (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))})
    return inertial


def urdf_text(found: Identified, urdf: str) -> str:
    """The URDF with these inertias, and friction of its joints; all else stays, comments too."""
    root = ElementTree.parse(urdf, ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))).getroot()
    root.insert(0, _comment(f"{found.told}: masses, inertias and friction identified by achd-identify"))
    numbers, fixed = dict(zip(found.model.links, found.links)), fixed_links(found.model)
    for link in root.findall("link"):
        name = link.get("name")
        if name not in numbers and name not in fixed:
            continue
        for old in link.findall("inertial"):
            link.remove(old)
        if name in numbers:
            link.insert(0, _comment("identified, with all that is fixed to this link"))
            link.insert(1, _inertial(numbers[name]))
        else:
            link.insert(0, _comment("its mass is in the link that it is fixed to"))
    at = {joint: j for j, joint in enumerate(found.model.joints)}
    for joint in root.findall("joint"):
        if joint.get("name") not in at:
            continue
        j = at[str(joint.get("name"))]
        for old in joint.findall("dynamics"):
            joint.remove(old)
        joint.append(_comment(f"identified: friction, deviations {found.deviation_of('viscous')[j]:.2g} and {found.deviation_of('coulomb')[j]:.2g}; "
                              f"the rotor, for which URDF has no word: {found.rotors[j]:.6g} kg m^2"))
        joint.append(ElementTree.Element("dynamics", {"damping": f"{found.of('viscous')[j]:.6g}", "friction": f"{found.of('coulomb')[j]:.6g}"}))
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def c_text(found: Identified) -> str:
    """Initialisers in C: inertias as NAME_inertia of generated headers and achd_inertia have them, arrays by joint."""
    macros = found.model.robot.description["macros"]
    lines = [f"/* {found.told}: identified by achd-identify. Initialisers, such as", f" *   const double viscous[{macros}_NJ] = {macros}_IDENTIFIED_VISCOUS; */",
             f"#ifndef {macros}_IDENTIFIED_H", f"#define {macros}_IDENTIFIED_H", ""]

    def define(name: str, values: np.ndarray, comment: str) -> None:
        lines.extend([f"/* {comment} */", f"#define {macros}_IDENTIFIED_{name} {{{_list(values, '.9g')}}}", ""])

    define("ARMATURE", found.rotors, "inertias of the rotors, as joints feel them [kg m^2]")
    for word, what in (("viscous", "viscous friction [N m s/rad]"), ("coulomb", "dry friction in motion [N m]"), ("offset", "torque that is always there [N m]")):
        define(word.upper(), found.of(word), f"{what}; deviations {_list(found.deviation_of(word))}")
    define("BREAKAWAY", found.breakaway(), "dry friction at rest [N m]")
    for link, x in zip(found.model.links, found.links):
        define("".join(c if c.isalnum() else "_" for c in link.upper()), x, f"{link} with all that is fixed to it, about the origin of its frame: m, mx my mz, xx xy xz yy yz zz")
    if found.load:
        x, deviation = found.load
        define("LOAD", x, f"what hangs on {found.model.links[-1]}, in its frame: m, mx my mz, xx xy xz yy yz zz; deviations {_list(deviation)}")
    return "\n".join([*lines, "#endif", ""])

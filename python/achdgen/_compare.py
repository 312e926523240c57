# SPDX-License-Identifier: MIT
"""What two descriptions of one robot disagree on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

from ._generate import compare_text

Numbers = tuple[float, ...]

_QUANTITY = re.compile(r"(?P<joint>.*): (?P<quantity>mass|centre of mass|inertia about it|rotation of its origin|origin|axis|rotor inertia|"
                       r"(?:lower|upper|velocity|effort) limit|damping|friction)(?: \(.*\))? (?P<here>[^a-z]*|none) and (?P<there>none|[-+.e0-9 ]*)")

_KIND = re.compile(r"(?P<joint>.*): (?P<what>stands on|mimics|revolute|continuous|prismatic) ")
_KINDS = {"stands on": "parent", "mimics": "mimicked joint"}


@dataclass(frozen=True)
class Difference:
    """A number that two descriptions of a robot have differently.

    change: by how much the torque of a joint changes at most, where this number alone is taken from the other description [N m, N]; 0 where
    none changes. joint: whose body it is of; of the base, its link. quantity: "mass", "centre of mass", "inertia about it", "origin", "rotation of its origin", "axis",
    "rotor inertia", "lower limit" .. "effort limit", "damping", "friction", "parent", "type", "mimicked joint", or "only in one" for a joint that the other has not. here, there:
    the numbers of both; None: there is none. text: as achdgen prints it, with units.
    """

    change: float
    joint: str
    quantity: str
    here: Optional[Numbers]
    there: Optional[Numbers]
    text: str


def _numbers(text: str) -> Optional[Numbers]:
    return None if text == "none" else tuple(float(word) for word in text.split())


def _difference(line: str) -> Difference:
    change, text = line.split(maxsplit=1)
    size = 0.0 if change == "-" else float(change)
    found = _QUANTITY.match(text)
    kind = _KIND.match(text)
    if found is None and kind is not None:
        return Difference(size, kind["joint"], _KINDS.get(kind["what"], "type"), None, None, text)
    if found is None:  # "joint NAME is in FILE only"
        return Difference(size, text.split(" is in ")[0].removeprefix("joint "), "only in one", None, None, text)
    return Difference(size, found["joint"], found["quantity"], _numbers(found["here"]), _numbers(found["there"]), text)


def compare(robot: Any, other: Any) -> list[Difference]:
    """What another description of a robot (URDF, MJCF or SDF: a file's name, or text) says differently, as --compare has it: first what
    changes the torques of inverse dynamics most. Joints are matched by name. An empty list: nothing."""
    return [_difference(line) for line in compare_text(robot, other).splitlines()]

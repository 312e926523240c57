# SPDX-License-Identifier: MIT
"""What two descriptions of a robot disagree on: all kinds of numbers, their order, and a joint that one of them has not."""

import re

import pytest

import achdgen


def test_masses_and_limits(robots):
    text = (robots / "gen3.urdf").read_text(encoding="utf-8")
    mass = re.findall(r'<mass value="([^"]*)"/>', text)[4]
    other = text.replace(f'<mass value="{mass}"/>', f'<mass value="{2 * float(mass)}"/>', 1).replace('lower="-2.24"', 'lower="-2.2"', 1)
    found = achdgen.compare(robots / "gen3.urdf", other)
    assert [d.change for d in found] == sorted((d.change for d in found), reverse=True)
    assert found[0].change > 1 and found[0].quantity == "mass" and found[0].joint.startswith("joint_")
    assert found[0].here == pytest.approx((float(mass),), rel=1e-5) and found[0].there == pytest.approx((2 * float(mass),), rel=1e-5)
    limit = next(d for d in found if d.quantity == "lower limit")
    assert (limit.change, limit.here, limit.there) == (0.0, (-2.24,), (-2.2,))
    assert "lower limit -2.24 and -2.2" in limit.text


JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin xyz="{at}" rpy="{turn}"/><axis xyz="{axis}"/>
<limit lower="-1" upper="1" effort="{effort}" velocity="1"/>{dynamics}</joint>"""
LINK = """<link name="{name}"><inertial><mass value="1"/><origin xyz="{at} 0 0.1"/><inertia ixx="{xx}" iyy="1" izz="1"/></inertial></link>"""


def robot(at="0 0 0.5", turn="0 0 0", axis="0 1 0", effort=5, dynamics="", com=0.1, xx=1, more=""):
    return ('<robot name="r"><link name="base"/>' + LINK.format(name="arm", at=0.1, xx=1) + LINK.format(name="hand", at=com, xx=xx) +
            JOINT.format(name="a", parent="base", child="arm", at="0 0 0", turn="0 0 0", axis="0 1 0", effort=5, dynamics="") +
            JOINT.format(name="b", parent="arm", child="hand", at=at, turn=turn, axis=axis, effort=effort, dynamics=dynamics) + more + "</robot>")


@pytest.mark.parametrize("words, quantity, here, there", [
    ({"at": "0 0 0.6"}, "origin", (0, 0, 0.5), (0, 0, 0.6)),
    ({"turn": "0 0 1.5707963267948966"}, "rotation of its origin", (1, 0, 0, 0, 1, 0, 0, 0, 1), (0, -1, 0, 1, 0, 0, 0, 0, 1)),
    ({"axis": "1 0 0"}, "axis", (0, 1, 0), (1, 0, 0)),
    ({"com": 0.2}, "centre of mass", (0.1, 0, 0.1), (0.2, 0, 0.1)),
    ({"xx": 1.5}, "inertia about it", (1, 0, 0, 1, 0, 1), (1.5, 0, 0, 1, 0, 1)),
    ({"effort": 0}, "effort limit", (5,), None),
    ({"dynamics": '<dynamics damping="0.5" friction="0"/>'}, "damping", (0,), (0.5,)),
])
def test_each_quantity(words, quantity, here, there):
    found = achdgen.compare(robot(), robot(**words))
    assert [(d.joint, d.quantity, d.here, d.there) for d in found] == [("b", quantity, here, there)]
    assert achdgen.compare(robot(**words), robot(**words)) == []


def test_what_a_joint_is():
    def kinds(other):
        return [(d.joint, d.quantity, d.here, d.change > 0) for d in achdgen.compare(robot(), other)]
    assert kinds(robot().replace('<parent link="arm"/>', '<parent link="base"/>')) == [("b", "parent", None, True)]
    assert kinds(robot().replace('name="b" type="revolute"', 'name="b" type="prismatic"')) == [("b", "type", None, True)]
    mimic = robot(dynamics='<mimic joint="a" multiplier="2"/>')
    assert kinds(mimic) == [("b", "mimicked joint", None, False)]
    found = achdgen.compare(mimic, mimic.replace('multiplier="2"', 'multiplier="3"'))
    assert [(d.quantity, d.change > 0) for d in found] == [("mimicked joint", True)]


def test_a_joint_of_one_only():
    more = LINK.format(name="tip", at=0, xx=1) + JOINT.format(name="c", parent="hand", child="tip", at="0 0 1", turn="0 0 0", axis="0 1 0", effort=1, dynamics="")
    found = achdgen.compare(robot(), robot(more=more))
    assert any(d.joint == "c" and d.quantity == "only in one" and d.here is None for d in found)


def test_errors():
    with pytest.raises(achdgen.GenerationError, match=r"other.urdf:1: error"):
        achdgen.compare(robot(), "<robot name=\"r\"/>")
    with pytest.raises(achdgen.GenerationError, match="not a int"):
        achdgen.compare(robot(), 3)

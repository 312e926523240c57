# SPDX-License-Identifier: MIT
"""achd-observe on logs of a Gen3 that are made here: joint torques by inverse dynamics, friction, noise, and a push."""

import json
from xml.etree import ElementTree

import achdgen
import numpy as np
import pytest
from achdgen import observe

JOINTS = [f"joint_{k + 1}" for k in range(7)]


@pytest.fixture(scope="module")
def urdf(robots):
    return str(robots / "gen3.urdf")


@pytest.fixture(scope="module")
def make(urdf, tmp_path_factory):
    robot = achdgen.load(urdf, layout={"groups": [], "gravity": [0, 0, -9.81]}, functions=["id"])
    folder = tmp_path_factory.mktemp("logs")

    def log(name, seed, seconds=20.0, push=None, damaged=()):
        """Sines of all joints; push: (joint, torque, from, until)."""
        random = np.random.default_rng(seed)
        t = np.arange(0, seconds, 0.004)
        rate, phase = np.linspace(4, 2.5, 7), random.uniform(0, 6, 7)
        angle = t[:, None] * rate + phase
        q, qd, qdd = 0.3 * np.sin(angle), 0.3 * rate * np.cos(angle), -0.3 * rate**2 * np.sin(angle)
        tau = np.asarray(robot.id(q=q, qd=qd, qdd=qdd).tau) + 1.5 * qd + 2.0 * np.clip(qd / observe.SPEED, -1, 1) + 0.3
        if push:
            joint, torque, start, end = push
            tau[(t >= start) & (t < end), :joint] -= torque
        tau += random.normal(0, 0.05, tau.shape)
        qd = qd + random.normal(0, 1e-3, qd.shape)
        lines = ["t," + ",".join(f"{quantity}.{joint} [x]" for quantity in ("q", "qd", "tau") for joint in JOINTS)]
        lines += [",".join(f"{x:.9g}" for x in (now, *a, *b, *c)) for now, a, b, c in zip(t, q, qd, tau)]
        for number, text in damaged:
            lines[number - 1] = text
        path = folder / name
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    return log


@pytest.fixture(scope="module")
def bounds(urdf, make, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("bounds") / "bounds.json")
    observe.main(["calibrate", urdf, make("a.csv", 1), make("b.csv", 2), make("e.csv", 8), "--gain", "50", "-o", path])
    return path


def test_finds_the_friction(bounds):
    for joint in json.load(open(bounds))["joints"]:
        assert joint["torque"] == 1
        assert joint["viscous"] == pytest.approx(1.5, abs=0.1)
        assert joint["dry"] == pytest.approx(2.0, abs=0.1)
        assert joint["offset"] == pytest.approx(-0.3, abs=0.05)
        assert 0.05 < joint["constant"] < 2


def test_the_force_that_is_noticed_at_each_link(urdf, bounds, tmp_path):
    told = json.load(open(bounds))
    names = [one["link"] for one in told["noticed"]]
    assert names[0] == "shoulder_link" and names[-1] == "bracelet_link" and len(names) == 7
    half = dict((one["link"], one["half"]) for one in told["noticed"])
    assert half["shoulder_link"] > 5 * half["forearm_link"]  # its centre is 1 cm from its axis
    assert 0 < told["noticed"][-1]["half"] < told["noticed"][-1]["most"]
    # A rod of 1 m with all its mass at the end, about a vertical axis: the force is 1 over the cosine to the tangent, which is even in 0 to 1.
    rod = tmp_path / "rod.urdf"
    rod.write_text('<robot name="rod"><link name="b"/><link name="l"><inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
                   '</link><joint name="j" type="continuous"><axis xyz="0 0 1"/><parent link="b"/><child link="l"/></joint></robot>')
    log = observe.Log("", np.arange(10.0), np.linspace(0, 3, 10)[:, None], np.zeros((10, 1)), np.zeros((10, 1)))
    (one,) = observe.noticed_forces(str(rod), [log], [{"constant": 1.0, "by_speed": 5.0}])
    assert one["half"] == pytest.approx(2, rel=0.05) and one["most"] == pytest.approx(10, rel=0.15)
    log.qd[:] = 1
    assert observe.noticed_forces(str(rod), [log], [{"constant": 1.0, "by_speed": 5.0}])[0]["half"] == pytest.approx(12, rel=0.05)


def test_a_push_is_told_and_free_motion_is_none(urdf, bounds, make, tmp_path, capsys):
    told, page = tmp_path / "told.json", tmp_path / "page.html"
    free, pushed = make("free.csv", 3), make("pushed.csv", 4, push=(4, 8.0, 7.0, 7.3))
    observe.main(["replay", urdf, bounds, free, pushed, "--json", str(told), "--page", str(page)])
    found = json.loads(told.read_text())
    assert found["free.csv"] == []
    (contact,) = found["pushed.csv"]
    assert contact["joint"] == "joint_4" and contact["felt"] == JOINTS[:4]
    assert 7.0 < contact["start"] < 7.06 and 7.3 < contact["end"] < 7.5
    assert "pushed.csv: 1 contacts" in capsys.readouterr().out
    assert page.read_text().count('class="torque"') == 14 and page.read_text().count('class="contact"') == 4
    svg = tmp_path / "told.svg"
    observe.main(["replay", urdf, bounds, pushed, "--picture", str(svg)])
    drawn = ElementTree.parse(svg).getroot()
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == 21
    assert sum(rect.get("class") == "contact" for rect in drawn.iter("{http://www.w3.org/2000/svg}rect")) == 4
    with pytest.raises(SystemExit, match="a picture is of one log"):
        observe.main(["replay", urdf, bounds, free, pushed, "--picture", str(svg)])
    assert "Force that the bounds notice" in page.read_text() and page.read_text().count("<tr>") == 8


def test_smoothed_is_the_rule_of_the_library():
    x, period = np.array([[0.0], [2.0], [2.0]]), np.array([1.0, 0.01, 0.02])
    assert observe.smoothed(x, period, 50)[:, 0] == pytest.approx([0, 2 * 0.5 / 1.5, (2 * 0.5 / 1.5 + 2) / 2])
    assert observe.smoothed(x, np.array([1.0, 0.01, 5.0]), 50)[2, 0] == 0  # after a gap it begins anew


@pytest.mark.parametrize("text, what", [
    ("1,2", "2 numbers, where 22 are expected"), ("x" + ",0" * 21, "not a number"), ("nan" + ",0" * 21, "nan is no measurement"),
    ("0.04,1e251" + ",0" * 20, "1e+251 is no measurement"), ("0.001" + ",0" * 21, "the time does not grow")])
def test_damaged_lines_are_told_with_file_and_line(urdf, bounds, make, text, what, capsys):
    path = make("damaged.csv", 5, seconds=2.0, damaged=[(12, text)])
    with pytest.raises(SystemExit) as error:
        observe.main(["replay", urdf, bounds, path])
    assert str(error.value) == f"achd-observe: {path}:12: {what}; mend the line, or use --skip-damaged"
    observe.main(["replay", urdf, bounds, path, "--skip-damaged"])
    assert "1 damaged lines left out" in capsys.readouterr().out


@pytest.mark.parametrize("options, what", [
    (["--gain", "0"], "a gain above 0"), (["--gain", "nan"], "a gain above 0"), (["--rate", "-1"], "above 0"), (["--gains", "1,2"], "7 numbers above 0"),
    (["--gains", "1,1,1,1,1,1,-1"], "7 numbers above 0"), (["--gravity", "1"], "three numbers"), (["--columns", "t q:x"], "write NAME or NAME:COUNT"),
    (["--columns", "t q:7 -:14"], "no column for qd of joint_1")])
def test_senseless_options_are_refused(urdf, make, options, what):
    with pytest.raises(SystemExit) as error:
        observe.main(["calibrate", urdf, make("c.csv", 6, seconds=2.0), *options])
    assert what in str(error.value)


def test_bounds_of_another_robot_are_refused(robots, bounds, make):
    with pytest.raises(SystemExit) as error:
        observe.main(["replay", str(robots / "iiwa7.urdf"), bounds, make("d.csv", 7, seconds=2.0)])
    assert "bounds of other joints" in str(error.value)

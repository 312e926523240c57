# SPDX-License-Identifier: MIT
"""What is refused, and how; layouts in every form; the cache."""

import copy
import math
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest

import achdgen

LAYOUT = {
    "groups": [{"name": "tool", "frame": "tool_frame", "rows": ["lin_x", "lin_z"], "maskable": True}],
    "torques": {"artificial": True},
    "outputs": ["qdd", "tau_ctrl"],
}


@pytest.fixture(scope="module")
def gen3(load, robots):
    return load("gen3", robots / "gen3.lua", functions=["achd", "gravity", "jac", "fk"])


@pytest.mark.parametrize("arguments, message", [
    ({"qqd": [0] * 7}, r"achd: no input qqd: did you mean qd"),
    ({"velocity": 0}, r"achd: no input velocity: there are q, qd"),
    ({"q": [0] * 6}, r"achd: q has the shape \(6,\); it must end with \(7,\) \(joint_1, joint_2"),
    ({"q": 1.0}, r"q has the shape \(\); it must end with \(7,\)"),
    ({"q": "zero"}, r"achd: q: could not convert string"),
    ({"q": {"joint_8": 0}}, r"q has no joint_8: did you mean joint_"),
    ({"b": {"tool.lin_w": 0}}, r"b has no tool\.lin_w: did you mean tool\.lin_"),
    ({"b": {"tool": [1, 2]}}, r"the group tool has 6 rows, not 2"),
    ({"gravity": {"z": 1}}, r"gravity takes no names; it has the shape \(3,\)"),
    ({"q": [1j] * 7}, r"achd: q: complex numbers"),
    ({"q": {"joint_4": "x"}}, r"achd: q: joint_4: could not convert string"),
    ({"q": {4: 1.0}}, r"achd: q has no 4"),
    ({"b": {"tool": [[1, 2], [1]]}}, r"achd: b: tool: "),
    ({"b": {"tool": np.ones((4, 6)), "tool.lin_z": np.ones(3)}}, r"do not go together: b: tool \(4,\), b: tool\.lin_z \(3,\)"),
    ({"push": {"lin": [1, 2]}}, r"achd: push\.lin has the shape \(2,\); it must end with \(3,\)"),
    ({"push": {"lin": 1}}, r"achd: push\.lin has the shape \(\)"),
    ({"push": {"linear": [1, 2, 3]}}, r"achd: push has no linear: there are lin, ang"),
    ({"push": {"lin": np.ones((4, 3)), "ang": np.ones((5, 3))}}, r"do not go together: push\.lin \(4,\), push\.ang \(5,\)"),
    ({"q": np.zeros((3, 7)), "b": np.zeros((4, 6))}, r"do not go together: q \(3,\), b \(4,\)"),
])
def test_wrong_arguments(gen3, arguments, message):
    with pytest.raises(achdgen.InputError, match=message):
        gen3.achd(**arguments)


def test_wrong_results_are_named(gen3):
    with pytest.raises(AttributeError, match="robot gen3 has no grvity: did you mean gravity"):
        gen3.grvity  # noqa: B018
    assert not hasattr(gen3, "energy") and not hasattr(gen3, "__array__")
    result = gen3.achd(q=[0.5] * 7)
    with pytest.raises(AttributeError, match="no output qd: did you mean qdd"):
        result.qd  # noqa: B018
    with pytest.raises(KeyError, match="did you mean qdd"):
        result["qdx"]
    assert set(result) >= {"qdd", "nu", "tau_ctrl"} and len(result) == len(list(result)) and "qdd" in dir(result)


def test_structured_arrays(gen3):
    states = np.zeros(1001, gen3.achd.dtype_in)
    states[:] = gen3.achd.pack()  # the defaults: gravity, masks
    assert (states["mask"] == 1).all() and (states["gravity"][:, 2] < -9).all()
    states["q"] = np.linspace(-1, 1, 7007).reshape(1001, 7)
    out = np.empty(1001, gen3.achd.dtype_out)
    result, status = gen3.achd.run(states, out)
    assert result is out and status.dtype == np.uint32
    np.testing.assert_array_equal(out["qdd"], gen3.achd(q=states["q"]).qdd)
    # a batch takes the null-space solve if all its states can: other neighbours, other rounding
    np.testing.assert_allclose(gen3.achd.run(states[::2])[0]["qdd"], out["qdd"][::2], rtol=1e-9, atol=1e-9)
    with pytest.raises(achdgen.InputError, match="another type"):
        gen3.achd.run(np.zeros(3))
    with pytest.raises(achdgen.InputError, match="another type"):
        gen3.achd.run([1, 2])
    with pytest.raises(achdgen.InputError, match=r"out must be .* \(1001,\)"):
        gen3.achd.run(states, out[:4])
    before = out.tobytes()
    out.flags.writeable = False
    with pytest.raises(achdgen.InputError, match="out must be .* writeable"):
        gen3.achd.run(gen3.achd.pack(q=np.ones((1001, 7))), out)
    assert out.tobytes() == before
    memory = np.zeros(max(states.nbytes, out.nbytes) + 1, np.uint8)
    odd = memory[1:1 + states.nbytes].view(gen3.achd.dtype_in)  # at an address that is no multiple of 8
    odd[:] = states
    assert gen3.achd.run(odd)[0].tobytes() == before
    with pytest.raises(achdgen.InputError, match="share memory"):
        gen3.achd.run(memory[:states.nbytes].view(gen3.achd.dtype_in), memory[:out.nbytes].view(gen3.achd.dtype_out))


def test_robots_and_results_can_be_pickled(gen3):
    one = gen3.achd(q=[0.3] * 7)
    again = pickle.loads(pickle.dumps(one))
    assert again.status == one.status and repr(again.status) == repr(one.status) and again.qdd.tobytes() == one.qdd.tobytes()
    assert pickle.loads(pickle.dumps(gen3)).achd(q=[0.3] * 7).qdd.tobytes() == one.qdd.tobytes()
    assert copy.deepcopy(gen3.achd)(q=[0.3] * 7).qdd.tobytes() == one.qdd.tobytes()
    with pytest.raises(achdgen.StatusError) as raised:
        gen3.achd(q=[math.nan] * 7, check=True)
    error = pickle.loads(pickle.dumps(raised.value))
    assert str(error) == str(raised.value) and error.status == raised.value.status and error.states.tolist() == [0]


def test_a_robot_is_pickled_as_its_recipe(tmp_path, robots):
    """Without its URDF and the folder of what was compiled it is made again, the same."""
    urdf, cache = tmp_path / "arm.urdf", tmp_path / "cache"
    urdf.write_text((robots / "arm1dof.urdf").read_text())
    made = achdgen.load(urdf, {"groups": []}, functions=["id"], batch=0, flags=["-O0"], cache=cache)
    states = {"q": [[0.3], [0.4]], "qd": [0.5]}
    pickled, expected, kept = pickle.dumps(made), made.id(**states).tau.tobytes(), {path.name for path in cache.iterdir()}
    assert pickle.loads(pickled).library == made.library
    urdf.unlink()
    shutil.rmtree(cache)
    cache.mkdir()
    again = pickle.loads(pickled)
    assert again.id(**states).tau.tobytes() == expected and {path.name for path in cache.iterdir()} == kept
    assert pickle.loads(pickle.dumps(again)).library == again.library


def test_many_states_are_computed_in_slices(gen3, monkeypatch):
    """With any number of states a slice, results are those of one call, whatever the axes that arguments have."""
    r = np.random.default_rng(3)
    for shapes in (((100, 1, 7), (50, 7)), ((1, 40, 7), (1, 1, 7)), ((90, 7), (1, 7)), ((3, 33, 7), (33, 1))):
        q, qd = (r.uniform(-1, 1, shape) for shape in shapes)
        inputs = {"q": q, "qd": qd if qd.shape[-1] == 7 else {"joint_2": qd[..., 0]}, "gravity": [0, 0, -9.8]}
        monkeypatch.setattr(gen3, "_slice", 10 ** 9)
        whole = gen3.achd(**inputs)
        for count in (16, 100):
            monkeypatch.setattr(gen3, "_slice", count)
            part = gen3.achd(**inputs)
            assert part.records.shape == whole.records.shape and part.records.tobytes() == whole.records.tobytes()
            assert (part.status == whole.status).all()


def test_threads_sleep_between_calls(gen3, tmp_path):
    """OpenMP says so itself, where it is loaded first; what the user says counts."""
    text = tmp_path / "none.c"
    text.write_text("#include <omp.h>\nint none(void) { return omp_get_max_threads(); }\n")
    library = tmp_path / "none.so"
    if subprocess.run(["cc", "-fopenmp", "-fPIC", "-shared", str(text), "-o", str(library)], check=False).returncode:
        pytest.skip("no OpenMP")
    load = f"import ctypes; from achdgen import _robot\nwith _robot._patient():\n    ctypes.CDLL({str(library)!r})"
    for word, told in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "active"}, "ACTIVE")):
        environment = {**{k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}, "OMP_DISPLAY_ENV": "true", **word}
        said = subprocess.run([sys.executable, "-c", load + "\nimport os; assert os.environ.get('OMP_WAIT_POLICY') in (None, 'active')"], env=environment,
                              capture_output=True, text=True, check=True).stderr
        assert f"OMP_WAIT_POLICY = '{told}'" in said


def test_configurations(load, gen3):
    """Within the limits; what integrate() does, difference() undoes; joints without end go the shorter way."""
    r = np.random.default_rng(5)
    q = gen3.random_configuration((200, 3), r)
    joints = gen3.description["joints"]
    assert q.shape == (200, 3, 7) and all(np.ptp(q[..., k]) > 2 for k in range(7))
    for k, joint in enumerate(joints):
        if joint["lower"] is not None:
            assert joint["lower"] <= q[..., k].min() and q[..., k].max() <= joint["upper"]
    assert gen3.random_configuration().shape == (7,)
    for size, shape in ((3, (3, 7)), (np.int64(3), (3, 7)), (np.uint8(0), (0, 7)), (np.array(2), (2, 7)), ((np.int32(2), 1), (2, 1, 7))):
        assert gen3.random_configuration(size).shape == shape
    with pytest.raises(TypeError):
        gen3.random_configuration(2.5)
    v = r.uniform(-1, 1, (200, 1, 7))
    np.testing.assert_allclose(gen3.difference(q, gen3.integrate(q, v, 0.5)), np.broadcast_to(0.5 * v, q.shape), atol=1e-12)
    there = gen3.difference([3.0] * 7, [-3.0] * 7)
    endless = [joint["lower"] is None for joint in joints]
    assert any(endless) and not all(endless)
    np.testing.assert_allclose(there, np.where(endless, 2 * math.pi - 6, -6))
    with pytest.raises(ValueError, match=r"must end with \(7,\)"):
        gen3.integrate([0, 1], [0, 1])


def test_motions_and_poses():
    """Exponentials by their power series, scaled and squared; logarithms undo them, at any angle up to pi."""
    r = np.random.default_rng(6)
    for size in (0, 1e-9, 0.9e-4, 1.1e-4, 0.01, 1, 3, math.pi - 1e-9):
        motion = r.normal(size=(20, 2, 6))
        motion[..., 3:] *= size / np.linalg.norm(motion[..., 3:], axis=-1, keepdims=True)
        H, (x, y, z) = np.zeros((20, 2, 4, 4)), np.moveaxis(motion[..., 3:], -1, 0)
        H[..., 2, 1], H[..., 0, 2], H[..., 1, 0], H[..., 1, 2], H[..., 2, 0], H[..., 0, 1] = x, y, z, -x, -y, -z
        H[..., :3, 3] = motion[..., :3]
        H /= 2 ** 8
        series = np.eye(4) + H + H @ H / 2 + H @ H @ H / 6 + H @ H @ H @ H / 24 + H @ H @ H @ H @ H / 120
        for _ in range(8):
            series = series @ series
        p, R = achdgen.se3.exp_se3(motion)
        np.testing.assert_allclose(p, series[..., :3, 3], atol=1e-12)
        np.testing.assert_allclose(R, series[..., :3, :3], atol=1e-12)
        np.testing.assert_allclose(achdgen.se3.log_se3(p, R), motion, atol=1e-12)


def test_wrong_shapes_are_errors_of_values(gen3):
    with pytest.raises(ValueError, match="must end with"):
        gen3.achd(q=[1, 2])
    with pytest.raises(TypeError, match="no input"):
        gen3.achd(qq=[1, 2])


def test_names_of_rows_that_the_layout_has_fixed(load):
    robot = load("gen3", {"groups": [{"name": "fixed", "frame": "forearm_link", "rows": ["lin_z"]},
                                     {"name": "tool", "frame": "tool_frame", "rows": ["lin_x", "lin_y"], "maskable": True}]}, functions=["achd"])
    assert robot.achd.pack(mask={"tool": 0})["mask"][1:].tolist() == [0, 0]
    for key in ("fixed", "fixed.lin_z"):
        with pytest.raises(achdgen.InputError, match="mask of fixed.lin_z is not read: its group has no maskable = true"):
            robot.achd(q=[0.3] * 7, mask={key: 0})
        assert robot.achd.pack(b={key: 2})["b"].tolist() == [2, 0, 0]


def test_wrenches_of_any_name(load):
    names = ["check", "self", "inputs", "status"]
    robot = load("gen3", {"wrenches": [{"name": name, "frame": "tool_frame", "kind": "physical"} for name in names], "groups": []},
                 functions=["achd"])
    q = [0.3] * 7
    for name in names:
        pushed = robot.achd(q=q, **{name: [1, 2, 3, 4, 5, 6]}).qdd
        assert not np.array_equal(pushed, robot.achd(q=q).qdd)
        states = robot.achd.pack(q=q)
        states[name] = [1, 2, 3, 4, 5, 6]
        np.testing.assert_array_equal(robot.achd.run(states)[0]["qdd"], pushed)


def test_help(gen3):
    assert "q: (7,) joint position [rad]" in gen3.achd.__doc__
    assert "SINGULAR" in gen3.achd.__doc__ and "tau_ctrl" in gen3.achd.__doc__
    assert "achd" in repr(gen3) and "gen3_achd" in repr(gen3.achd)


def test_layouts_in_every_form_are_the_same(load, tmp_path):
    lua = tmp_path / "a.lua"
    lua.write_text(achdgen.layout_text(LAYOUT))
    q = [0.3] * 7
    first = load("gen3", LAYOUT, functions=["achd"])
    numbers = first.achd(q=q, b=[1, 2]).qdd
    np.testing.assert_array_equal(load("gen3", lua, functions=["achd"]).achd(q=q, b=[1, 2]).qdd, numbers)
    np.testing.assert_array_equal(load("gen3", str(lua), functions=["achd"]).achd(q=q, b={"tool.lin_x": 1, "tool.lin_z": 2}).qdd, numbers)
    yaml = pytest.importorskip("yaml")
    text = tmp_path / "a.yaml"
    text.write_text(yaml.safe_dump(LAYOUT))
    np.testing.assert_array_equal(load("gen3", text, functions=["achd"]).achd(q=q, b=[1, 2]).qdd, numbers)
    text.write_text("groups: [")
    with pytest.raises(achdgen.LayoutError, match="a.yaml"):
        load("gen3", text)
    text.write_text("- 1")
    with pytest.raises(achdgen.LayoutError, match="mapping"):
        load("gen3", text)
    text.write_bytes(b"name: \xff")
    with pytest.raises(achdgen.LayoutError, match="a.yaml.*decode"):
        load("gen3", text)
    with pytest.raises(achdgen.LayoutError, match="nowhere.yaml.*No such file"):
        load("gen3", tmp_path / "nowhere.yaml")


def test_values_of_layouts():
    text = achdgen.layout_text({"a": math.inf, "b": -math.inf, "c": np.float64(0.1), "d": np.arange(3), "end": True, "0x": None,
                                "e f": 'q"\\\n', "g": [], "h": {}, "i": np.int32(3)})
    assert text == ('return {\n  a = math.huge,\n  b = -math.huge,\n  c = 0.1,\n  d = { 0, 1, 2 },\n  ["end"] = true,\n'
                    '  ["e f"] = "q\\"\\\\\\010",\n  g = {},\n  h = {},\n  i = 3,\n}\n')
    for value in (math.nan, object(), {1: 2}, {"a": [math.nan]}):
        with pytest.raises(achdgen.LayoutError):
            achdgen.layout_text({"x": value})
    with pytest.raises(achdgen.LayoutError):
        achdgen.layout_text([1])
    itself = {}
    itself["groups"] = [itself]
    with pytest.raises(achdgen.LayoutError, match="contains itself"):
        achdgen.layout_text(itself)


def test_errors_are_those_of_achdgen(load, robots, tmp_path, cache):
    with pytest.raises(achdgen.GenerationError, match='(?s)layout.lua:.*tool_fram.*did you mean "tool_frame"'):
        load("gen3", {"groups": [{"name": "tool", "frame": "tool_fram"}]})
    with pytest.raises(achdgen.GenerationError, match="^layout.lua:2: 'grups = {},': error: unknown word"):
        load("gen3", {"grups": []})
    with pytest.raises(achdgen.GenerationError, match="^robot.urdf:1: error"):
        achdgen.load("<robot name='x'/>", cache=cache)
    with pytest.raises(achdgen.GenerationError, match="not a bytes"):
        achdgen.load(b"<robot/>", cache=cache)
    with pytest.raises(achdgen.LayoutError, match="not a list"):
        load("gen3", [1])
    text = "\ufeff" + (robots / "arm1dof.urdf").read_text()
    assert load("arm1dof", flags="-O0").joints == achdgen.load(text, flags=["-O0"], cache=cache).joints
    with pytest.raises(achdgen.GenerationError, match="nowhere.urdf"):
        load("nowhere")
    with pytest.raises(achdgen.GenerationError, match="--functions is"):
        load("gen3", functions=["achdd"])
    with pytest.raises(achdgen.GenerationError, match="the C compiler nocc is not there"):
        load("gen3", cc="nocc")
    with pytest.raises(achdgen.GenerationError, match="(?s)unrecogni[sz]ed"):
        load("gen3", functions=["gravity"], flags=["-O1", "--no-such-flag"])
    assert not [p for p in cache.iterdir() if p.name.startswith("making-")]
    with pytest.raises(achdgen.GenerationError, match="description"):
        other = tmp_path / "other.so"
        (tmp_path / "other.c").write_text("int x;")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", other, tmp_path / "other.c"], check=True)
        achdgen.open_library(other)


def test_warnings_are_python_s(load, robots, tmp_path):
    text = (robots / "gen3.urdf").read_text().replace("</robot>", '<link name="loose"/></robot>')
    with pytest.raises(achdgen.GenerationError, match="loose"):
        achdgen.load(text, flags=["-O0"], cache=tmp_path)
    text = re.sub(r'(<limit[^>]*effort=")[0-9.]+', r"\g<1>0", (robots / "gen3.urdf").read_text(), count=1)
    with pytest.warns(achdgen.AchdgenWarning, match="effort"):
        achdgen.load(text, functions=["gravity"], flags=["-O0"], cache=tmp_path)


def test_what_is_made_is_kept(load, robots, tmp_path):
    first = achdgen.load(robots / "arm1dof.urdf", flags=["-O0"], cache=tmp_path)
    made = first.library.stat().st_mtime_ns
    assert achdgen.load(robots / "arm1dof.urdf", flags=["-O0"], cache=tmp_path).library.stat().st_mtime_ns == made
    assert achdgen.load(robots / "arm1dof.urdf", flags=["-O1"], cache=tmp_path).library != first.library
    text = (robots / "arm1dof.urdf").read_text().replace('"1"', '"1.5"', 1)
    assert achdgen.load(text, flags=["-O0"], cache=tmp_path).library != first.library
    assert achdgen.open_library(first.library).joints == first.joints
    shape = int(first.achd.description["shape"], 16)
    assert achdgen.open_library(first.library, shapes={"achd": shape}).rows == first.rows
    with pytest.raises(achdgen.GenerationError, match=f"has shape {shape:#x} for achd, the program was written for {shape + 1:#x}"):
        achdgen.open_library(first.library, shapes={"achd": shape + 1})
    with pytest.raises(achdgen.GenerationError, match="has no acdh: did you mean achd"):
        achdgen.open_library(first.library, shapes={"acdh": shape})
    achdgen.clear_cache(tmp_path)
    assert not tmp_path.exists() or not list(tmp_path.iterdir())


def test_a_library_for_every_processor(robots, tmp_path, monkeypatch):
    """Two copies of every function and of the solver in one library, which another kind of processor uses as well."""
    layout = {"groups": [], "joint_limits": {"joint1": {"lower": -1.0, "upper": 1.0}}, "limits": {}, "step": {}}
    asked = {"layout": layout, "functions": ["step_begin"], "batch": 0, "flags": "-O0", "cache": tmp_path}
    made = achdgen.load(robots / "arm1dof.urdf", portable=True, **asked)
    assert made.step(q=[0.3], qd=[0.5], time_step=1e-3).status == 0
    if platform.machine() == "x86_64":
        assert b"step_begin_trig_avx2" in made.library.read_bytes() and b"achd_contact_solve_avx2" in made.library.read_bytes()
        if shutil.which("gcc") and " fma " in achdgen._generate._machine():  # products and sums are fused, which -ffp-contract=off forbids
            q = np.random.default_rng(1).uniform(-1, 1, (500, 1))
            law = {"layout": {"groups": [], "armature": {"joint1": 0.1}}, "functions": ["id"], "batch": 0, "cache": tmp_path}
            results = [achdgen.load(robots / "arm1dof.urdf", portable=True, cc="gcc", flags=flags, **law).id(q=q, qd=3 * q, qdd=q, gravity=[1, 2, 3]).tau
                       for flags in (None, "-O2 -ffp-contract=off")]
            assert not np.array_equal(*results) and np.allclose(*results, rtol=1e-13, atol=1e-13)
    monkeypatch.setattr(achdgen._generate, "_machine", lambda: "another kind")
    assert pickle.loads(pickle.dumps(made)).library == made.library
    assert achdgen.load(robots / "arm1dof.urdf", portable=True, **asked).library == made.library
    with pytest.raises(achdgen.GenerationError, match="--dispatch and --real float exclude each other"):
        achdgen.load(robots / "arm1dof.urdf", portable=True, real="float", **asked)


def test_threads_and_processes(load, robots, tmp_path):
    program = ("import achdgen, sys\n"
               f"r = achdgen.load({str(robots / 'gen3.urdf')!r}, functions=['gravity'], flags=['-O0'], cache={str(tmp_path)!r}, threads=True)\n"
               "print(repr(r.gravity(q=[0.1] * 7, gravity=[0, 0, -9.81]).tau.tolist()))\n")
    several = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [p.communicate()[0] for p in several]
    assert all(p.returncode == 0 for p in several) and len(set(said)) == 1 and len(said[0]) > 50


def test_the_version_is_that_of_the_generator():
    assert achdgen.__version__ == achdgen.version() and achdgen.version().count(".") == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")


def test_help_of_solve_names_its_own_status_bits(load, robots):
    solve = load("gen3", robots / "bounded/gen3.lua", functions=["mclp", "dmclp"]).solve
    assert "INCONSISTENT, UNSOLVED" in solve.__doc__

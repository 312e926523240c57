# SPDX-License-Identifier: MIT
"""meshes_test.py: meshes of a robot for its page, from files that the test writes: python3 meshes_test.py SOURCE_DIR/report"""
import base64
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
REPORT = os.path.abspath(sys.argv.pop())
sys.path.insert(0, REPORT)
import meshes  # noqa: E402
import pages  # noqa: E402

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]  # a tetrahedron
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
STILL = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
ROBOT = {"frames": [{"link": "base", "body": "base", "p": [0, 0, 0], "R": STILL}, {"link": "arm", "body": "arm", "p": [0, 0, 0], "R": STILL},
                    {"link": "tool", "body": "arm", "p": [0, 0, 1], "R": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}]}


def stl(faces, points):
    return b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *points[a], *points[b], *points[c], 0) for a, b, c in faces)


def text_stl(faces, points):
    return "solid s\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*points[k]) for k in face) + "endloop\nendfacet\n"
                                 for face in faces) + "endsolid s\n"


def obj(faces, points):
    return "".join("v {} {} {}\n".format(*p) for p in points) + "".join("f {}/1 {}//2 {}\n".format(*(k + 1 for k in face)) for face in faces)


DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
<technique_common><accessor source="#f" count="4" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/><p>0 0 2 0 1 0 0 0 1 0 3 0</p></triangles>
<polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>1 2 3 0 3 2</p></polylist></mesh></geometry></library_geometries>
<library_nodes><node id="part"><scale>2 2 2</scale><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="scene"><node><translate>0 0 100</translate><rotate>0 0 1 90</rotate><instance_node url="#part"/></node>
<node><matrix>1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"""


def ball(n):
    """A sphere of 2 n^2 triangles or so, of radius 1."""
    points = [(math.sin(math.pi * i / n) * math.cos(2 * math.pi * j / n), math.sin(math.pi * i / n) * math.sin(2 * math.pi * j / n), math.cos(math.pi * i / n))
              for i in range(n + 1) for j in range(n)]
    faces = []
    for i in range(n):
        for j in range(n):
            a, b, c, d = i * n + j, i * n + (j + 1) % n, (i + 1) * n + j, (i + 1) * n + (j + 1) % n
            faces += [(a, c, d), (a, d, b)]
    return faces, points


def area_and_volume(points, triangles):
    volume, area = 0.0, 0.0
    for a, b, c in ([points[k] for k in t] for t in triangles):
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        area += math.hypot(*n) / 2
        volume += sum(x * y for x, y in zip(a, n)) / 6
    return area, volume


def unpacked(mesh):
    at = struct.unpack(f"<{len(base64.b64decode(mesh['points'])) // 2}H", base64.b64decode(mesh["points"]))
    raw, kind, size = base64.b64decode(mesh["triangles"]), "I" if mesh["wide"] else "H", 4 if mesh["wide"] else 2
    corners = struct.unpack(f"<{len(raw) // size}{kind}", raw)
    points = [tuple(mesh["low"][i] + mesh["step"][i] * at[k + i] for i in range(3)) for k in range(0, len(at), 3)]
    return points, [corners[k:k + 3] for k in range(0, len(corners), 3)]


class Meshes(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def write(self, name, content):
        path = os.path.join(self.place.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def test_formats(self):
        for name, content in (("a.stl", stl(FACES, CORNERS)), ("b.STL", text_stl(FACES, CORNERS)), ("c.obj", obj(FACES, CORNERS))):
            points, triangles = meshes.read(self.write(name, content))
            self.assertEqual([[points[k] for k in t] for t in triangles], [[CORNERS[k] for k in face] for face in FACES], name)
        quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n"
        self.assertEqual(meshes.read(self.write("d.obj", quad))[1], [(0, 1, 2), (0, 2, 3)])

    def test_collada(self):
        points, triangles = meshes.read(self.write("a.dae", DAE))
        self.assertEqual(len(triangles), 8)
        first, second = triangles[:4], triangles[4:]
        # millimetres; twice as large, turned by 90 degrees about z and lifted; then moved along x
        for face, t in zip(FACES, first):
            for k, corner in zip(face, t):
                x, y, z = CORNERS[k]
                for a, b in zip(points[corner], (-0.002 * y, 0.002 * x, 0.1 + 0.002 * z)):
                    self.assertAlmostEqual(a, b, 12)
        for face, t in zip(FACES, second):
            for k, corner in zip(face, t):
                for a, b in zip(points[corner], (0.007 + 0.001 * CORNERS[k][0], 0.001 * CORNERS[k][1], 0.001 * CORNERS[k][2])):
                    self.assertAlmostEqual(a, b, 12)

    def test_what_is_no_mesh(self):
        for name, content, word in (("a.stl", b"solid", "no STL"), ("b.obj", "v 0 0 0\nf 1 2 3\n", "without a vertex"), ("c.dae", "<a", "no DAE"), ("d.obj", "v 0 x 0\n", "cannot be read"),
                                    ("e.obj", "v 0 0 0\nv 1 0 0\nv nan 0 0\nf 1 2 3\n", "not finite"), ("f.ply", "ply", "no STL, OBJ or DAE"), ("g.stl", b"\0" * 80 + b"\5\0\0\0", "no STL")):
            with self.assertRaisesRegex(meshes.Unreadable, word):
                meshes.read(self.write(name, content))

    def test_hostile_files(self):
        """What is no number, too far, without an end, or not as it should be is left out and told; what others read is read."""
        loop = "".join(f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>' for k in range(60))
        endless = DAE.replace('<node id="part">', loop + '<node id="n60"/><node id="part">').replace('url="#part"', 'url="#n0"')
        bomb = '<!DOCTYPE a [<!ENTITY a0 "aaaaaaaaaa">' + "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(9)) + "]><a>&a9;</a>"
        for name, content, word in (("a.obj", "v 0 0\nv 1 0\nv 1 1\nf 1 2 3\n", "three numbers"), ("b.dae", endless, "without an end"), ("c.dae", bomb, "no DAE"),
                                    ("d.stl", b"\0" * 80 + b"\xff\xff\xff\xff" + b"\0" * 50, "no STL"), ("e.stl", b"\0" * 84, "no STL")):
            with self.assertRaisesRegex(meshes.Unreadable, word):
                meshes.read(self.write(name, content))
        self.assertEqual(len(meshes.read(self.write("f.stl", stl(FACES, CORNERS) + b"written by a program"))[1]), 4)
        self.assertEqual(len(meshes.read(self.write("g.stl", text_stl(FACES, CORNERS) + 100 * "\n"))[1]), 4)
        self.write("far.stl", stl(FACES, [tuple(1e30 * x for x in p) for p in CORNERS]))
        self.write("near.stl", stl(FACES, CORNERS))
        visual = '<visual><geometry><mesh filename="{}" scale="{}"/></geometry></visual>'
        path = self.write("h.urdf", '<robot name="r"><link name="arm">' + visual.format("far.stl", "1 1 1") + visual.format("near.stl", "1e300 1 1") + visual.format("near.stl", "a b c") +
                          visual.format("near.stl", "nan 1 1") + "</link></robot>")
        found, missing = meshes.of_robot(ROBOT, path)
        self.assertEqual(len(found), 2)
        self.assertEqual([why for _, why in missing], ["has a point farther than 1e+06 m away"] * 2)
        json.dumps(found, allow_nan=False)

    def test_where(self):
        path = self.write("ws/arm_description/meshes/a.stl", b"")
        folder = os.path.join(self.place.name, "ws/arm_description/urdf")
        os.makedirs(folder)
        self.assertEqual(meshes.find("package://arm_description/meshes/a.stl", folder, []), path)  # in the package
        self.assertEqual(meshes.find("package://arm_description/meshes/a.stl", "/", [os.path.join(self.place.name, "ws")]), path)
        self.assertEqual(meshes.find("package://arm_description/meshes/a.stl", "/", [os.path.join(self.place.name, "ws/arm_description")]), path)
        self.assertEqual(os.path.abspath(meshes.find("../meshes/a.stl", folder, [])), path)
        self.assertEqual(meshes.find("file://" + path, "/", []), path)
        spaced = self.write("with space/a.stl", b"")
        for address in ("file://" + spaced.replace(" ", "%20"), "file://localhost" + spaced):
            self.assertEqual(meshes.find(address, "/", []), spaced)
        self.assertIsNone(meshes.find("package://other/meshes/a.stl", folder, []))
        self.assertEqual(meshes.packages(["x"], {"ROS_PACKAGE_PATH": "a:b", "AMENT_PREFIX_PATH": "c"}), ["x", "a", "b", "c/share"])

    def test_decimated(self):
        faces, points = ball(50)
        area, volume = area_and_volume(points, faces)
        small, left = meshes.decimated(points, faces, 1200)
        self.assertTrue(600 < len(left) <= 1200, len(left))
        self.assertTrue(all(0.9 < math.hypot(*p) < 1.001 for p in small))
        self.assertTrue(all(abs(a / b - 1) < 0.05 for a, b in zip(area_and_volume(small, left), (area, volume))))
        same, all_of_them = meshes.decimated(CORNERS, FACES, 100)
        self.assertEqual(area_and_volume(same, all_of_them), area_and_volume(CORNERS, FACES))

    def robot(self):
        faces, points = ball(40)
        self.write("pkg/ball.stl", stl(faces, points))
        self.write("pkg/tet.stl", stl(FACES, CORNERS))
        mesh = '<visual><origin xyz="0 0 {}" rpy="0 0 {}"/><geometry><mesh filename="{}" scale="{}"/></geometry></visual>'
        return self.write("pkg/r.urdf", '<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="arm">' +
                          mesh.format(0, 0, "package://pkg/ball.stl", "0.1 0.1 0.1") + mesh.format(1, 0, "package://nowhere/x.dae", "1 1 1") +
                          '</link><link name="tool">' + mesh.format(0.5, math.pi / 2, "package://pkg/tet.stl", "1 1 2") + '</link><link name="left_out">' +
                          mesh.format(0, 0, "package://pkg/tet.stl", "1 1 1") + "</link></robot>")

    def test_robot(self):
        found, missing = meshes.of_robot(ROBOT, self.robot(), most=600)
        self.assertEqual([m["link"] for m in found], ["arm", "arm"])
        self.assertEqual(missing, [("package://nowhere/x.dae", "is not found")])
        self.assertIn("1 mesh left out, capsules stand", meshes.told(missing))
        self.assertIsNone(meshes.told([]))
        points, triangles = unpacked(found[0])
        self.assertTrue(200 < len(triangles) <= 600)
        self.assertTrue(all(0.09 < math.hypot(*p) < 0.1001 for p in points))
        points, triangles = unpacked(found[1])
        self.assertEqual(len(triangles), 4)
        # scale, then the origin's quarter turn and half a metre, then the tool's quarter turn and a metre
        want = sorted((-x, -y, 2 * z + 1.5) for x, y, z in CORNERS)
        for p, q in zip(sorted(tuple(round(a, 3) for a in p) for p in points), want):
            for a, b in zip(p, q):
                self.assertAlmostEqual(a, b, 3)

    def test_page(self):
        found, _ = meshes.of_robot(ROBOT, self.robot())
        text = pages.embedded({"robot": pages.slim({**ROBOT, "meshes": found, "cost": 1})})
        self.assertEqual(json.loads(text)["robot"]["meshes"], found)
        self.assertEqual(pages.slim(ROBOT).get("meshes"), None)
        big = {"frames": ROBOT["frames"]}
        faces, points = ball(80)
        self.write("pkg/ball.stl", stl(faces, points))
        found, _ = meshes.of_robot(big, os.path.join(self.place.name, "pkg/r.urdf"), most=3000)
        self.assertLess(len(json.dumps(found)), 60000)  # of 12,800 triangles; 20 bytes for each that is left

    def test_other_robots(self):
        for name, text in (("a.xml", "<mujoco/>"), ("b.sdf", "<sdf/>"), ("c.urdf", "<robot"), ("d.urdf", "<robot><link/></robot>")):
            self.assertEqual(meshes.of_robot(ROBOT, self.write(name, text)), ([], []))

    @unittest.skipUnless(shutil.which("node"), "no node: the page's script is not tried")
    def test_script(self):
        """What the page's script makes of the packed meshes is what was packed."""
        found, _ = meshes.of_robot(ROBOT, self.robot(), most=600)
        found[1]["wide"], raw = True, base64.b64decode(found[1]["triangles"])
        found[1]["triangles"] = base64.b64encode(struct.pack(f"<{len(raw) // 2}I", *struct.unpack(f"<{len(raw) // 2}H", raw))).decode()
        script = "import { cornersOf, unpack } from '" + os.path.join(self.place.name, "meshes.mjs") + "';\nconst found = " + json.dumps(found) + ";\n" \
            "console.log(JSON.stringify(found.map(unpack).map((m) => ({ link: m.link, points: [...m.points], triangles: [...m.triangles], corners: cornersOf(m) }))));"
        shutil.copy(os.path.join(REPORT, "meshes.js"), os.path.join(self.place.name, "meshes.mjs"))
        said = subprocess.run(["node", self.write("try.mjs", script)], capture_output=True, text=True, check=True).stdout
        for packed, read in zip(found, json.loads(said)):
            points, triangles = unpacked(packed)
            self.assertEqual(read["link"], packed["link"])
            self.assertEqual([k for t in triangles for k in t], read["triangles"])
            for a, b in zip((x for p in points for x in p), read["points"]):
                self.assertAlmostEqual(a, b, 6)
            low, high = meshes.bounds(points)
            for corner in read["corners"]:
                for x, a, b in zip(corner, low, high):
                    self.assertLess(min(abs(x - a), abs(x - b)), 1e-9)


unittest.main()

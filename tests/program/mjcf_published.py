# SPDX-License-Identifier: MIT
"""mjcf_published.py: forty robots that exist, as MJCF of MuJoCo 2.2.2's schema, written from what makers and papers publish: lengths, masses, limits, and
centres of mass where they are known. Numbers are rounded; where an inertia is not published, a body of uniform density stands for the link.

ROBOTS: {name: text}; LOOPS: {name: (text, [(number of the equality, its name, its mjtEq, torquescale)], rows that can move)} of those with equalities."""
import math

CONNECT = 0  # mjtEq


def body(name, at, *inside):
    """A body at `at`: its attributes, or the numbers of its position."""
    where = at if "=" in at else f'pos="{at}"'
    return f'<body name="{name}" {where}>\n' + "\n".join(inside) + "</body>\n"


def hinge(name, axis="0 0 1", words=""):
    return f'<joint name="{name}" axis="{axis}" {words}/>'


def slide(name, axis="0 0 1", words=""):
    return f'<joint name="{name}" type="slide" axis="{axis}" {words}/>'


def rod(mass, end, radius=0.04, start="0 0 0"):
    """A link of uniform density from one point to another."""
    return f'<geom type="capsule" fromto="{start} {end}" size="{radius}" mass="{mass}"/>'


def box(mass, half, pos="0 0 0"):
    return f'<geom type="box" size="{half}" pos="{pos}" mass="{mass}"/>'


def ball(mass, radius, pos="0 0 0"):
    return f'<geom type="sphere" size="{radius}" pos="{pos}" mass="{mass}"/>'


def disk(mass, radius, half, words=""):
    return f'<geom type="cylinder" size="{radius} {half}" mass="{mass}" {words}/>'


def lump(mass, pos, inertia):
    return f'<inertial mass="{mass}" pos="{pos}" diaginertia="{inertia}"/>'


def mjcf(name, tree, angle="degree", head="", rest=""):
    return (f'<mujoco model="{name}">\n<compiler angle="{angle}" autolimits="true"/>\n{head}<worldbody>\n<light pos="0 0 3"/>'
            f'<geom type="plane" size="5 5 1"/>\n{tree}</worldbody>\n{rest}</mujoco>\n')


def motors(*joints):
    """Their largest torques: (joint, gear, force)."""
    return "<actuator>\n" + "".join(f'<motor joint="{j}" gear="{g}" forcelimited="true" forcerange="-{f} {f}"/>\n' for j, g, f in joints) + "</actuator>\n"


def chain(rows, radius=0.05, base="0 0 0", prefix=""):
    """An arm by its Denavit-Hartenberg parameters: rows (kind R or P, d, a, alpha in degrees, mass, centre of mass in the frame of the row or None,
    range, joint words). The joint turns about z, then the next frame stands at (a, 0, d), turned by alpha about x."""
    def from_row(k, at):
        kind, d, a, alpha, mass, com, span, words = rows[k]
        c, s = math.cos(math.radians(alpha)), math.sin(math.radians(alpha))
        if com:
            x, y, z = com
            centre = (a + x, c * y - s * z, d + s * y + c * z)
            size = max(0.2, math.hypot(a, d))
            along, across = 0.5 * mass * radius ** 2, mass * (3 * radius ** 2 + size ** 2) / 12
            long_x = abs(a) > abs(d)
            inertia = (along if long_x else across, across, across if long_x else along)
            shape = lump(f"{mass:.9g}", " ".join(f"{v:.9g}" for v in centre), " ".join(f"{v:.9g}" for v in inertia))
        elif math.hypot(a, d) > 0.01:
            shape = rod(mass, f"{a} 0 {d}", radius)
        else:
            shape = ball(mass, radius)
        limit = f'range="{span[0]} {span[1]}" ' if span else ""
        joint = (slide if kind == "P" else hinge)(f"{prefix}joint_{k + 1}", "0 0 1", limit + words)
        end = f'pos="{a} 0 {d}" euler="{alpha} 0 0"'
        rest = from_row(k + 1, end) if k + 1 < len(rows) else f'<site name="{prefix}tool" {end}/>'
        return body(f"{prefix}link_{k + 1}", at, joint, shape, rest)
    return from_row(0, base)


def arm(name, rows, **words):
    return mjcf(name, chain(rows, **words))


def universal(name, a2, a3, d, masses, centres):
    """Universal Robots: parameters for calculations of kinematics and dynamics, from the maker's support pages."""
    turn = [(d[0], 0, 90), (0, a2, 0), (0, a3, 0), (d[1], 0, 90), (d[2], 0, -90), (d[3], 0, 0)]
    return arm(name, [("R", *row, mass, centre, (-360, 360), 'armature="0.1"') for row, mass, centre in zip(turn, masses, centres)])


def plain(lengths, masses, spans, armature="0.05"):
    """Rows of a chain of lengths (d, a, alpha), without centres of mass."""
    return [("R", *row, mass, None, (-span, span), f'armature="{armature}"') for row, mass, span in zip(lengths, masses, spans)]


ARMS = {
    "UR3e": universal("UR3e", -0.24355, -0.2132, (0.15185, 0.13105, 0.08535, 0.0921), (1.98, 3.4445, 1.437, 0.871, 0.805, 0.261),
                      ((0, -0.02, 0), (0.13, 0, 0.1157), (0.05, 0, 0.0238), (0, 0, 0.01), (0, 0, 0.01), (0, 0, -0.02))),
    "UR5e": universal("UR5e", -0.425, -0.3922, (0.1625, 0.1333, 0.0997, 0.0996), (3.761, 8.058, 2.846, 1.37, 1.3, 0.365),
                      ((0, -0.02561, 0.00193), (0.2125, 0, 0.11336), (0.15, 0, 0.0265), (0, -0.0018, 0.01634), (0, 0.0018, 0.01634), (0, 0, -0.001159))),
    "UR10e": universal("UR10e", -0.6127, -0.57155, (0.1807, 0.17415, 0.11985, 0.11655), (7.369, 13.051, 3.989, 2.1, 1.98, 0.615),
                       ((0.021, 0, 0.027), (0.38, 0, 0.158), (0.24, 0, 0.068), (0, 0.007, 0.018), (0, 0.007, 0.018), (0, 0, -0.026))),
    "UR20": universal("UR20", -0.8620, -0.7287, (0.2363, 0.2010, 0.1593, 0.1543), (16.343, 29.632, 7.879, 3.054, 3.126, 0.926),
                      ((0, -0.061, 0.0062), (0.5226, 0, 0.2098), (0.3234, 0, 0.0604), (0, -0.0026, 0.0393), (0, 0.0024, 0.0379), (0, -0.0003, -0.0318))),
    "iiwa 14": arm("iiwa 14", plain([(0.36, 0, -90), (0, 0, 90), (0.42, 0, 90), (0, 0, -90), (0.4, 0, -90), (0, 0, 90), (0.126, 0, 0)],
                                    (4, 4, 3, 2.7, 1.7, 1.8, 0.3), (170, 120, 170, 120, 170, 120, 175), "0.1")),
    "Panda": arm("Panda", [("R", d, a, alpha, m, com, span, 'damping="1" frictionloss="0.2"') for (d, a, alpha), m, com, span in zip(
        [(0.333, 0, -90), (0, 0, 90), (0.316, 0.0825, 90), (0, -0.0825, -90), (0.384, 0, 90), (0, 0.088, 90), (0.107, 0, 0)],
        (4.970684, 0.646926, 3.228604, 3.587895, 1.225946, 1.666555, 0.735522),
        ((0.0039, -0.0048, 0.0021), (-0.0031, -0.0287, 0.0035), (0.0275, 0.0392, -0.0665), (-0.0532, 0.1044, 0.0275), (-0.012, 0.0411, -0.0384),
         (0.0601, -0.0141, -0.0105), (0.0105, -0.0043, 0.0616)),
        ((-166, 166), (-101, 101), (-166, 166), (-176, -4), (-166, 166), (-1, 215), (-166, 166)))]),
    "Jaco 2": arm("Jaco 2", plain([(0.2755, 0, 90), (0, 0.41, 180), (-0.0098, 0, 90), (-0.2503, 0, 60), (-0.0858, 0, 60), (-0.2116, 0, 180)],
                                  (0.7477, 0.99, 0.6763, 0.1842, 0.1842, 0.727), (360, 130, 160, 360, 360, 360), "0.03")),
    "Sawyer": arm("Sawyer", plain([(0.317, 0.081, -90), (0.1925, 0, -90), (0.4, 0, -90), (-0.1685, 0, -90), (0.4, 0, -90), (0.1363, 0, -90), (0.1338, 0, 0)],
                                  (5.3213, 4.505, 1.745, 2.5097, 1.1136, 1.5625, 0.3292), (175, 175, 175, 175, 170, 170, 270), "0.2")),
    # Armstrong, Khatib and Burdick 1986: "The explicit dynamic model and inertial parameters of the PUMA 560 arm"
    "PUMA 560": arm("PUMA 560", [("R", d, a, alpha, m, com, span, f'armature="{rotor}"') for (d, a, alpha), m, com, span, rotor in zip(
        [(0.6718, 0, 90), (0, 0.4318, 0), (0.15005, 0.0203, -90), (0.4318, 0, 90), (0, 0, -90), (0.05, 0, 0)], (13, 17.4, 4.8, 0.82, 0.34, 0.09),
        ((0, 0, 0.05), (-0.3638, 0.006, 0.2275), (-0.0203, -0.0141, 0.07), (0, 0.019, 0), (0, 0, 0.001), (0, 0, 0.032)),
        ((-160, 160), (-45, 225), (-225, 45), (-110, 170), (-100, 100), (-266, 266)), (1.14, 4.71, 0.83, 0.2, 0.179, 0.193))]),
    # Paul 1981: "Robot Manipulators"
    "Stanford arm": arm("Stanford arm", [("R", 0.412, 0, -90, 9.29, (0, 0.0175, -0.1105), (-170, 170), 'armature="0.953"'),
                                         ("R", 0.154, 0, 90, 5.01, (0, -1.054, 0), (-170, 170), 'armature="2.193"'),
                                         ("P", 0.3, 0, 0, 4.25, (0, 0, -0.6447), (-0.2, 0.7), 'armature="0.782"'),
                                         ("R", 0, 0, -90, 1.08, (0, 0.0092, -0.0054), (-170, 170), 'armature="0.106"'),
                                         ("R", 0, 0, 90, 0.63, (0, -0.0566, 0.0002), (-90, 90), 'armature="0.097"'),
                                         ("R", 0.263, 0, 0, 0.51, (0, 0, 0.1554), (-170, 170), 'armature="0.02"')]),
    "SCARA": arm("SCARA", [("R", 0.387, 0.325, 0, 12, None, (-150, 150), 'armature="0.6"'), ("R", 0.05, 0.275, 180, 9, None, (-147, 147), 'armature="0.3"'),
                           ("P", 0.1, 0, 0, 1.5, None, (0, 0.21), 'armature="4"'), ("R", 0.05, 0, 0, 0.4, None, (-360, 360), 'armature="0.02"')]),
    "WAM": arm("WAM", plain([(0, 0, -90), (0, 0, 90), (0.55, 0.045, -90), (0, -0.045, 90), (0.3, 0, -90), (0, 0, 90), (0.06, 0, 0)],
                            (8.3936, 4.8487, 1.7251, 2.1727, 0.3566, 0.4079, 0.0755), (150, 113, 157, 180, 273, 90, 172), "0.09")),
    "xArm 6": arm("xArm 6", plain([(0.267, 0, -90), (0, 0.28949, 0), (0, 0.0775, -90), (0.3425, 0, 90), (0, 0.076, -90), (0.097, 0, 0)],
                                  (2.177, 2.011, 1.725, 1.211, 1.206, 0.17), (360, 118, 225, 360, 180, 360))),
    "IRB 120": arm("IRB 120", plain([(0.29, 0, -90), (0, 0.27, 0), (0, 0.07, -90), (0.302, 0, 90), (0, 0, -90), (0.072, 0, 0)],
                                    (3.067, 3.909, 2.944, 1.328, 0.547, 0.014), (165, 110, 110, 160, 120, 400), "0.15")),
    "KR 210": arm("KR 210", plain([(0.675, 0.35, -90), (0, 1.15, 0), (0, -0.041, -90), (1.2, 0, 90), (0, 0, -90), (0.215, 0, 0)],
                                  (380, 290, 210, 120, 60, 20), (185, 140, 155, 350, 122.5, 350), "12")),
    "PA-10": arm("PA-10", plain([(0.317, 0, -90), (0, 0, 90), (0.45, 0, -90), (0, 0, 90), (0.48, 0, -90), (0, 0, 90), (0.08, 0, 0)],
                                (9.78, 8.41, 3.51, 4.31, 3.45, 1.46, 0.24), (177, 94, 174, 137, 255, 165, 360), "0.2")),
    # SSRMS: Xu and others 2007, seven joints, two booms of seven metres
    "Canadarm 2": arm("Canadarm 2", plain([(0.65, 0, 90), (0.3, 0, 90), (0.9, 6.85, 0), (0.9, 6.85, 0), (0.9, 0, -90), (0.3, 0, -90), (0.65, 0, 0)],
                                          (105.98, 105.98, 314.98, 279.2, 105.98, 105.98, 243.66), [270] * 7, "30"), radius=0.18),
    "cartesian crane": mjcf("crane", body("bridge", "0 0 8", slide("travel", "1 0 0", 'range="-20 20"'), box(9000, "0.4 6 0.4"), body(
        "trolley", "0 0 -0.4", slide("cross", "0 1 0", 'range="-5 5"'), box(1200, "0.6 0.5 0.3"), body(
            "rope", "0 0 -0.3", hinge("swing_x", "1 0 0"), hinge("swing_y", "0 1 0"), ball(0.5, 0.02), body(
                "hook", "0 0 -2", slide("hoist", "0 0 -1", 'range="0 6"'), ball(350, 0.25)))))),
}


def leg(name, at, kinds, upper, lower, masses, radius=0.03):
    """Of two parts below a hip; kinds: [(joint, axis)] of the hip; the knee turns about y."""
    hips = "".join(hinge(f"{name}_{joint}", axis) for joint, axis in kinds)
    return body(f"{name}_thigh", at, hips, rod(masses[0], upper, radius), body(
        f"{name}_shank", upper, hinge(f"{name}_knee", "0 1 0", 'range="-160 10"'), rod(masses[1], lower, 0.7 * radius), f'<site name="{name}_foot" pos="{lower}"/>'))


def quadruped(name, trunk, half, hip, abad, upper, lower, free="<freejoint/>"):
    """trunk: its mass; hip: (x, y) of the hips; abad: (mass, offset); upper, lower: (mass, length)."""
    legs = []
    for word, sx, sy in (("FL", 1, 1), ("FR", 1, -1), ("RL", -1, 1), ("RR", -1, -1)):
        shoulder = f"0 {sy * abad[1]} 0"
        legs.append(body(f"{word}_hip", f"{sx * hip[0]} {sy * hip[1]} 0", hinge(f"{word}_abad", "1 0 0", 'range="-50 50" armature="0.01"'), ball(abad[0], 0.05), leg(
            f"{word}", shoulder, [("hip", "0 1 0")], f"0 0 {-upper[1]}", f"0 0 {-lower[1]}", (upper[0], lower[0]))))
    return mjcf(name, body("trunk", "0 0 0.5", free, box(trunk, half), '<site name="imu"/>', *legs))


def humanoid(name, pelvis, torso, head, thigh, shank, foot, upper, fore, hand, heights):
    """Masses of its parts; heights: of thigh, shank, torso, upper arm and forearm, hips' and shoulders' half distance."""
    t, s, b, u, f, hips, shoulders = heights

    def side(word, sy):
        return body(f"{word}_thigh", f"0 {sy * hips} 0", hinge(f"{word}_hip_yaw", "0 0 1"), hinge(f"{word}_hip_roll", "1 0 0"), hinge(f"{word}_hip_pitch", "0 1 0"),
                    rod(thigh, f"0 0 {-t}", 0.06), body(f"{word}_shank", f"0 0 {-t}", hinge(f"{word}_knee", "0 1 0", 'range="0 140"'), rod(shank, f"0 0 {-s}", 0.05), body(
                        f"{word}_foot", f"0 0 {-s}", hinge(f"{word}_ankle_pitch", "0 1 0"), hinge(f"{word}_ankle_roll", "1 0 0"),
                        box(foot, "0.1 0.05 0.02", "0.03 0 -0.03"), f'<site name="{word}_sole" pos="0 0 -0.05"/>')))

    def limb(word, sy):
        return body(f"{word}_upper_arm", f"0 {sy * shoulders} {b}", hinge(f"{word}_shoulder_pitch", "0 1 0"), hinge(f"{word}_shoulder_roll", "1 0 0"),
                    hinge(f"{word}_shoulder_yaw", "0 0 1"), rod(upper, f"0 0 {-u}"), body(f"{word}_forearm", f"0 0 {-u}", hinge(f"{word}_elbow", "0 1 0", 'range="-140 0"'), rod(
                        fore, f"0 0 {-f}", 0.03), body(f"{word}_hand", f"0 0 {-f}", hinge(f"{word}_wrist", "0 0 1"), ball(hand, 0.04))))
    trunk = body("torso", "0 0 0.05", hinge("waist_yaw", "0 0 1"), hinge("waist_pitch", "0 1 0"), box(torso, f"0.1 {shoulders} {b / 2}", f"0 0 {b / 2}"), body(
        "head", f"0 0 {b + 0.05}", hinge("neck_yaw", "0 0 1"), hinge("neck_pitch", "0 1 0"), ball(head, 0.09, "0 0 0.1")), limb("left", 1), limb("right", -1))
    return mjcf(name, body("pelvis", "0 0 1", '<joint name="root" type="free" armature="0"/>', box(pelvis, f"0.08 {hips} 0.06"), side("left", 1), side("right", -1), trunk))


LEGGED = {
    "A1": quadruped("A1", 4.713, "0.134 0.097 0.057", (0.183, 0.047), (0.696, 0.0838), (1.013, 0.2), (0.226, 0.2)),
    # Katz, Di Carlo and Kim 2019, and the software that was published with it
    "Mini Cheetah": quadruped("Mini Cheetah", 3.3, "0.14 0.06 0.05", (0.19, 0.049), (0.54, 0.062), (0.634, 0.209), (0.064, 0.195)),
    "ANYmal": quadruped("ANYmal", 16.793, "0.27 0.14 0.12", (0.277, 0.116), (1.42, 0.041), (2.27, 0.25), (0.4, 0.33)),
    "Spot": quadruped("Spot", 16.7, "0.4 0.12 0.09", (0.29785, 0.055), (1.137, 0.1109), (2.335, 0.3205), (0.33, 0.37), '<joint name="floating" type="free"/>'),
    # Grimminger and others 2020: eight motors, all about y
    "Solo 8": mjcf("Solo 8", body("base", "0 0 0.3", "<freejoint/>", box(1.16, "0.1 0.075 0.03"), *(
        leg(word, f"{0.19 * sx} {0.147 * sy} 0", [("hip", "0 1 0")], "0 0 -0.16", "0 0 -0.16", (0.148, 0.036), 0.015)
        for word, sx, sy in (("FL", 1, 1), ("FR", 1, -1), ("HL", -1, 1), ("HR", -1, -1))))),
    "hexapod": mjcf("PhantomX", body("hub", "0 0 0.15", "<freejoint/>", disk(1.2, 0.12, 0.03), *(
        body(f"coxa_{i}", f'pos="{0.12 * math.cos(math.radians(60 * i + 30)):.6f} {0.12 * math.sin(math.radians(60 * i + 30)):.6f} 0" euler="0 0 {60 * i + 30}"', hinge(f"coxa_{i}"), rod(
            0.08, "0.054 0 0", 0.02), body(f"femur_{i}", "0.054 0 0", hinge(f"femur_{i}", "0 1 0"), rod(0.1, "0.0645 0 0.0145", 0.018), body(
                f"tibia_{i}", "0.0645 0 0.0145", hinge(f"tibia_{i}", "0 1 0"), rod(0.06, "0.02 0 -0.13", 0.012)))) for i in range(6)))),
    # Chevallereau and others 2003: RABBIT, which walks in a plane
    "RABBIT": mjcf("RABBIT", body("torso", "0 0 0.8", slide("x", "1 0 0"), slide("z", "0 0 1"), hinge("pitch", "0 1 0"), lump(12, "0 0 0.24", "1.33 1.33 0.02"), *(
        body(f"{side}_femur", "0 0 0", hinge(f"{side}_hip", "0 1 0", 'armature="0.83"'), lump(6.8, "0 0 -0.11", "0.47 0.47 0.02"), body(
            f"{side}_tibia", "0 0 -0.4", hinge(f"{side}_knee", "0 1 0", 'armature="0.83"'), lump(3.2, "0 0 -0.24", "0.2 0.2 0.02"))) for side in ("left", "right"))), angle="radian"),
    # Raibert 1986: "Legged Robots That Balance"
    "one-legged hopper": mjcf("hopper", body("frame", "0 0 1", "<freejoint/>", disk(8.6, 0.35, 0.04), body("hip", "0 0 0", hinge("roll", "1 0 0"), hinge("pitch", "0 1 0"), rod(
        0.91, "0 0 -0.5", 0.02), body("leg", "0 0 -0.5", slide("length", "0 0 -1", 'range="0 0.17" stiffness="1100" armature="0.02"'), rod(0.45, "0 0 -0.2", 0.01))))),
    # the maker's documentation of NAO's masses, both sides alike
    "NAO": humanoid("NAO", 0.35, 1.05, 0.61, 0.53, 0.31, 0.3, 0.17, 0.145, 0.19, (0.1, 0.1029, 0.2115, 0.105, 0.0559, 0.05, 0.098)),
    "Atlas": humanoid("Atlas", 17.9, 38, 1.42, 10.3, 8.37, 2.41, 6.4, 4.2, 2.0, (0.374, 0.422, 0.49, 0.306, 0.3, 0.115, 0.23)),
    # Winter 2009: masses and lengths of segments of a man of 75 kg and 1.75 m
    "man": humanoid("man", 10.65, 26.6, 6.08, 7.5, 3.49, 1.09, 2.1, 1.2, 0.45, (0.429, 0.431, 0.504, 0.326, 0.256, 0.0955, 0.226)),
}


def wheel(name, at, mass, radius, axis="0 1 0"):
    turn = "90 0 0" if axis == "0 1 0" else "0 0 0"
    return body(name, at, hinge(name, axis, 'armature="0.01"'), disk(mass, radius, 0.02, f'euler="{turn}"'))


PLANAR = slide("x", "1 0 0") + slide("y", "0 1 0") + hinge("yaw", "0 0 1")


def finger(name, at, lengths, masses):
    """Of four joints: one about the finger's axis or to the side, then three bend."""
    joints = [("side", "1 0 0"), ("base", "0 1 0"), ("middle", "0 1 0"), ("tip", "0 1 0")]
    inside = f'<site name="{name}_end" pos="0 0 {lengths[3]}"/>'
    for k in (3, 2, 1, 0):
        joint, axis = joints[k]
        place = at if k == 0 else f"0 0 {lengths[k - 1]}"
        inside = body(f"{name}_{joint}", place, hinge(f"{name}_{joint}", axis, 'range="-30 95" armature="0.001"'), rod(masses[k], f"0 0 {lengths[k]}", 0.012), inside)
    return inside


OTHERS = {
    "youBot": mjcf("youBot", body("platform", "0 0 0.1", PLANAR, box(20.5, "0.28 0.19 0.05"), *(
        wheel(f"wheel_{i}", f"{sx * 0.228} {sy * 0.158} -0.05", 1.4, 0.0475) for i, (sx, sy) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)))), chain(
            plain([(0.147, 0.033, 90), (0, 0.155, 0), (0, 0.135, 0), (0, 0, 90), (0.2175, 0, 0)], (1.39, 1.318, 0.821, 0.769, 0.678), (169, 90, 151, 102, 167), "0.02"), base="0.143 0 0.046"))),
    "TIAGo": mjcf("TIAGo", body("base", "0 0 0.1", PLANAR, disk(28.3, 0.27, 0.15), body("torso", "-0.06 0 0.7", slide("lift", "0 0 1", 'range="0 0.35"'), box(
        17.4, "0.1 0.15 0.2"), body("head", "0.18 0 0.15", hinge("head_pan"), hinge("head_tilt", "0 -1 0"), ball(1.4, 0.1)), chain(plain(
            [(0.1, 0.125, -90), (0, -0.02, 90), (0.19, 0.02, 90), (0.0, -0.02, -90), (0.3, 0, 90), (0, 0, -90), (0.05, 0, 0)], (2.7, 2.3, 1.9, 1.7, 1.7, 0.3, 0.4), (79, 63, 157, 112, 120, 79, 120), "0.1"),
                base="0.1 -0.1 0.0")))),
    "Fetch": mjcf("Fetch", body("base", "0 0 0.2", '<freejoint name="drive"/>', disk(70.1, 0.28, 0.15), wheel("left_wheel", "0 0.19 -0.14", 4.36, 0.061), wheel(
        "right_wheel", "0 -0.19 -0.14", 4.36, 0.061), body("torso", "-0.087 0 0.38", slide("torso_lift", "0 0 1", 'range="0 0.386"'), box(10.8, "0.08 0.1 0.2"), chain(plain(
            [(0.06, 0.117, -90), (0, 0, 90), (0.352, 0, -90), (0, 0, 90), (0.3215, 0, -90), (0, 0, 90), (0.305, 0, 0)], (2.56, 2.66, 2.33, 2.1, 1.66, 1.72, 0.135), (92, 87, 180, 129, 180, 125, 180)),
                base="0.12 0 0.35")))),
    "Baxter": mjcf("Baxter", body("torso", "0 0 0.9", box(35, "0.15 0.2 0.3"), body("head", "0.06 0 0.69", hinge("head_pan", "0 0 1", 'range="-90 90"'), ball(0.55, 0.1)), *(chain(plain(
        [(0.2703, 0.069, -90), (0, 0, 90), (0.3644, 0.069, -90), (0, 0, 90), (0.3743, 0.01, -90), (0, 0, 90), (0.2295, 0, 0)], (5.7, 3.23, 4.31, 2.07, 2.25, 1.61, 0.54), (97, 120, 174, 150, 175, 120, 175), "0.15"),
            base=f'pos="0.06 {0.26 * sy} 0.1" euler="0 0 {45 * sy}"', prefix=f"{side}_") for side, sy in (("left", 1), ("right", -1))))),
    # Grasser and others 2002: JOE, an inverted pendulum on two wheels
    "wheeled pendulum": mjcf("JOE", body("chassis", "0 0 0.2", "<freejoint/>", box(10, "0.1 0.15 0.3", "0 0 0.3"), wheel("left", "0 0.2 0", 1, 0.2), wheel("right", "0 -0.2 0", 1, 0.2))),
    # Meijaard and others 2007: the benchmark bicycle; inertias about the centres of mass, without products
    "bicycle": mjcf("bicycle", body("rear_frame", "0 0 0.3", "<freejoint/>", lump(85, "0.3 0 0.6", "9.2 11 2.8"), wheel("rear", "0 0 0", 2, 0.3), body(
        "front_frame", 'pos="0.95 0 0.4" euler="0 -18 0"', hinge("steer"), lump(4, "-0.03 0 0.15", "0.0589 0.06 0.00708"), wheel("front", "0.07 0 -0.4", 3, 0.35)))),
    "satellite with arm": mjcf("ETS-VII", body("satellite", "0 0 0", "<freejoint/>", lump(2552, "0.05 -0.03 0.1", "6200 3541 7087"), chain(plain(
        [(0.42, 0, -90), (0, 0.45, 0), (0, 0.45, 0), (0.1, 0, 90), (0.1, 0, -90), (0.35, 0, 0)], (35, 22.5, 21.9, 16.5, 26.2, 18.5), [200] * 6, "3"), base="1.1 0 1", radius=0.1))),
    "drone with arm": mjcf("drone", body("hull", "0 0 1", "<freejoint/>", box(2.1, "0.12 0.12 0.04"), body("upper", "0 0 -0.06", hinge("shoulder", "0 1 0", 'armature="0.002"'), rod(
        0.12, "0 0 -0.18", 0.012), body("lower", "0 0 -0.18", hinge("elbow", "0 1 0", 'armature="0.002"'), rod(0.09, "0 0 -0.16", 0.01)))), angle="radian"),
    "Furuta pendulum": mjcf("Furuta", body("arm", "0 0 0.2", hinge("arm", words='damping="0.0024" armature="2e-5"'), rod(0.257, "0.2159 0 0", 0.006), body(
        "pole", "0.2159 0 0", hinge("pole", "1 0 0", 'ref="180"'), rod(0.127, "0 0 -0.3365", 0.005)))),
    # Spong 1995: "The swing up control problem for the Acrobot"
    "Acrobot": mjcf("Acrobot", body("first", "0 0 2", hinge("shoulder", "0 1 0"), lump(1, "0 0 -0.5", "0.2 0.2 0.001"), body("second", "0 0 -1", hinge(
        "elbow", "0 1 0"), lump(1, "0 0 -1", "1 1 0.001"))), angle="radian", rest=motors(("elbow", 2, 10))),
    "Allegro hand": mjcf("Allegro", body("palm", "0 0 0.1", lump(0.4154, "0 0 0.0475", "1e-4 1e-4 1e-4"), *(finger(name, f"0 {y} 0.095", (0.0164, 0.054, 0.0384, 0.0437), (
        0.0119, 0.065, 0.0355, 0.0096)) for name, y in (("index", 0.0435), ("middle", 0), ("ring", -0.0435))), finger("thumb", 'pos="-0.018 0.02 0.0" euler="0 -90 40"', (
            0.0177, 0.0514, 0.0423, 0.04), (0.0176, 0.0119, 0.038, 0.0388)))),
    "snake": mjcf("snake", body("s0", "0 0 0.05", "<freejoint/>", rod(0.3, "0.12 0 0", 0.03), "SEGMENTS"), head='<default><joint armature="0.005" range="-90 90" limited="true"/></default>\n'),
    "camera gimbal": mjcf("gimbal", body("yoke", "0 0 0.5", hinge("pan"), lump(0.8, "0 0 0.05", "0.004 0.003 0.005"), body("cage", 'quat="0.9238795 0 0 0.3826834"', hinge(
        "roll", "1 0 0", 'ref="30"'), lump(0.5, "0 0 0.02", "0.002 0.003 0.002"), body("camera", "0 0 0.02", hinge("tilt", "0 1 0"), box(0.9, "0.05 0.04 0.06", "0.01 0 0.005"))))),
    "excavator arm": mjcf("excavator", body("cab", "0 0 1.2", hinge("swing", words='armature="800"'), box(9000, "1.5 1.2 0.8", "-0.8 0 0.4"), body("boom", "0.3 0 0.4", hinge(
        "boom", "0 -1 0", 'range="-45 60"'), rod(1250, "4.6 0 1.2", 0.25), body("stick", "4.6 0 1.2", hinge("stick", "0 -1 0", 'range="-160 -20"'), rod(600, "2.5 0 0", 0.2), body(
            "bucket", "2.5 0 0", hinge("bucket", "0 -1 0", 'range="-150 30"'), box(550, "0.5 0.5 0.4", "0.4 0 -0.3")))))),
}


def segments():
    """A snake's: joints about y and z by turns."""
    text = ""
    for k in range(8, 0, -1):
        text = body(f"s{k}", "0.14 0 0", hinge(f"j{k}", "0 1 0" if k % 2 else "0 0 1"), rod(0.3, "0.12 0 0", 0.03), text)
    return text


OTHERS["snake"] = OTHERS["snake"].replace("SEGMENTS", segments())
TREES = {**ARMS, **LEGGED, **OTHERS}


# --- closed loops and coupled joints ---------------------------------------------------------------------------------------------


def connect(first, second, anchor, words=""):
    return f'<connect body1="{first}" body2="{second}" anchor="{anchor}" {words}/>\n'


def couple(follower, leader, coefficients="0 1 0 0 0"):
    return f'<joint joint1="{follower}" joint2="{leader}" polycoef="{coefficients}"/>\n'


def loops(name, tree, *equalities, angle="degree"):
    return mjcf(name, tree, angle, rest="<equality>\n" + "".join(equalities) + "</equality>\n")


def robotiq_side(side, turn):
    return body(f"{side}_driver", f'pos="0 {0.0306 * turn} 0.0549" euler="0 0 {90 - 90 * turn}"', hinge(f"{side}_driver", "1 0 0", 'range="0 46" armature="0.005" damping="0.1"'), lump(
        0.009, "0 0.0177 0.001", "1.7e-6 1.6e-6 3.7e-7"), body(f"{side}_coupler", "0 0.0315 -0.0041", hinge(f"{side}_coupler", "1 0 0"), lump(
            0.014, "0 0.0035 0.0229", "4.1e-6 3.6e-6 8.3e-7"))) + body(
        f"{side}_spring", f'pos="0 {0.0132 * turn} 0.0609" euler="0 0 {90 - 90 * turn}"', hinge(f"{side}_spring", "1 0 0"), lump(0.0222, "0 0.0216 0.0165", "9.0e-6 8.4e-6 3.2e-6"), body(
            f"{side}_follower", "0 0.055 0.0375", hinge(f"{side}_follower", "1 0 0"), lump(0.0125, "0 -0.011 0.0125", "2.7e-6 2.4e-6 6.7e-7"), body(
                f"{side}_pad", "0 -0.0189 0.0149", box(0.0035, "0.011 0.004 0.0093"))))


def cylinder(name, at, along, rod_at, masses):
    """A hydraulic cylinder: its barrel turns about y, its rod moves along."""
    return body(f"{name}_barrel", at, hinge(f"{name}_barrel", "0 1 0"), rod(masses[0], rod_at, 0.07), body(f"{name}_rod", rod_at, slide(f"{name}_stroke", along), ball(masses[1], 0.05)))


LOOPS = {
    "Robotiq 2F-85": (loops("2F-85", body("gripper", "0 0 0.1", hinge("wrist"), lump(0.777, "0 0 0.0354", "2.6e-4 2.3e-4 1.5e-4"), robotiq_side("right", 1), robotiq_side("left", -1)), connect(
        "right_follower", "right_coupler", "0 -0.018 0.0065"), connect("left_follower", "left_coupler", "0 -0.018 0.0065"), couple("right_driver", "left_driver")), [
            (0, "connect_1", CONNECT, 1), (1, "connect_2", CONNECT, 1)], 4),
    "Franka hand": (loops("hand", body("hand", "0 0 0.2", slide("reach", "0 0 1"), box(0.73, "0.03 0.1 0.03"), body("left_finger", "0 0 0.0584", slide(
        "finger_joint1", "0 1 0", 'range="0 0.04"'), box(0.015, "0.01 0.008 0.02")), body("right_finger", "0 0 0.0584", slide("finger_joint2", "0 -1 0", 'range="0 0.04"'), box(
            0.015, "0.01 0.008 0.02"))), couple("finger_joint1", "finger_joint2")), [], None),
    # the last two joints of a finger move alike
    "Shadow finger": (loops("Shadow finger", body("knuckle", "0 0 0.3", hinge("FFJ4", "0 -1 0"), ball(0.008, 0.012), body("proximal", "0 0 0.0", hinge("FFJ3", "1 0 0"), rod(
        0.03, "0 0 0.045", 0.01), body("middle", "0 0 0.045", hinge("FFJ2", "1 0 0"), rod(0.017, "0 0 0.025", 0.009), body("distal", "0 0 0.025", hinge("FFJ1", "1 0 0"), rod(
            0.013, "0 0 0.026", 0.008))))), couple("FFJ1", "FFJ2")), [], None),
    # Bourbonnais, Bigras and Bonev 2015: DexTAR
    "five-bar": (loops("DexTAR", "".join(body(f"{side}_proximal", f"{0.059 * sx} 0 0.1", hinge(f"{side}_motor", words='armature="0.002"'), rod(0.1, f"{0.02457 * sx} 0.08658 0", 0.01), body(
        f"{side}_distal", f"{0.02457 * sx} 0.08658 0", hinge(f"{side}_elbow"), rod(0.06, f"{-0.08357 * sx} 0.03342 0", 0.008))) for side, sx in (("left", -1), ("right", 1))), connect(
            "left_distal", "right_distal", "0.08357 0.03342 0", 'name="tip" solref="0.01 1" solimp="0.9 0.99 0.001"')), [(0, "tip", CONNECT, 1)], 2),
    # Kenneally, De and Koditschek 2016: a leg of Minitaur on a rail
    "Minitaur leg": (loops("Minitaur leg", body("hip", "0 0 0.5", slide("rail", "0 0 1"), box(1.4, "0.05 0.05 0.05"), *(body(f"{side}_upper", "0 0 0", hinge(
        f"{side}_motor", "0 1 0", 'armature="0.0005"'), rod(0.05, f"{0.09084 * sx} 0 -0.04182", 0.008), body(f"{side}_lower", f"{0.09084 * sx} 0 -0.04182", hinge(f"{side}_knee", "0 1 0"), rod(
            0.1, f"{-0.09084 * sx} 0 -0.17818", 0.008))) for side, sx in (("front", 1), ("back", -1)))), connect("front_lower", "back_lower", "-0.09084 0 -0.17818", 'name="toe"')), [
                (0, "toe", CONNECT, 1)], 2),
    # four axes as of ABB's IRB 460: a parallelogram drives the upper arm
    "palletizer": (loops("palletizer", body("column", "0 0 0.3", hinge("axis_1", words='armature="30"'), box(250, "0.3 0.25 0.3"), body("lower_arm", "0.26 0 0.4425", hinge(
        "axis_2", "0 1 0", 'armature="25"'), rod(120, "0 0 0.945", 0.08), body("upper_arm", "0 0 0.945", hinge("elbow", "0 1 0"), rod(90, "1.025 0 0", 0.07, "-0.25 0 0"), body(
            "wrist", "1.025 0 -0.22", hinge("axis_4", "0 0 1", 'armature="1"'), ball(25, 0.1)))), body("crank", "0.26 0 0.4425", hinge("axis_3", "0 1 0", 'armature="20"'), rod(
                15, "-0.25 0 0", 0.05), body("rod", "-0.25 0 0", hinge("rod", "0 1 0"), rod(18, "0 0 0.945", 0.04)))), connect("rod", "upper_arm", "0 0 0.945")), [
                    (0, "connect_1", CONNECT, 1)], 2),
    "hydraulic boom": (loops("boom", body("cab", "0 0 1.2", hinge("swing", words='armature="800"'), box(9000, "1.5 1.2 0.8", "-0.8 0 0.4"), body("boom", "0.3 0 0.4", hinge("boom", "0 1 0"), rod(
        1250, "4.6 0 1.2", 0.25), body("stick", "4.6 0 1.2", hinge("stick", "0 1 0"), rod(600, "2.5 0 -0.6", 0.2))), cylinder(
            "lift", "0.9 0 0", "0.7943 0 0.6074", "1.0326 0 0.7896", (130, 90))), connect("lift_rod", "boom", "0.6672 0 0.5102", 'name="clevis"')), [(0, "clevis", CONNECT, 1)], 2),
}

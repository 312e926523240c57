# SPDX-License-Identifier: MIT
# rollers.awk: youbot.urdf with twelve rollers around each of its wheels, at 45 degrees to the axle, free to turn:
#   awk -f rollers.awk robots/youbot.urdf > youbot_rollers.urdf
# Wheels of radius R = 0.05 m; rollers of radius r = 0.0125 m, their middles on a circle of radius R - r. The rollers that touch the floor
# stand along the edges of a rhombus around the platform. Other than in a real wheel, neighbours reach into each other: they touch
# nothing but the floor, and the wheel is round to 0.1 mm (tests/whole_body/youbot_rollers.lua has their shape).
function roller(corner, k,    angle, side, name) {
  angle = k * 2 * 3.14159265358979 / 12
  side = (corner == "fl" || corner == "br") ? -1 : 1
  name = "roller_" corner "_" k
  printf "  <joint name=\"%s_joint\" type=\"continuous\">\n", name
  printf "    <parent link=\"wheel_link_%s\"/>\n    <child link=\"%s\"/>\n", corner, name
  printf "    <origin xyz=\"%.9f 0 %.9f\" rpy=\"0 %.9f 0\"/>\n", -0.0375 * sin(angle), -0.0375 * cos(angle), angle
  printf "    <axis xyz=\"0.707106781 %.9f 0\"/>\n  </joint>\n", side * 0.707106781
  printf "  <link name=\"%s\">\n    <inertial>\n      <mass value=\"0.01\"/>\n", name
  printf "      <inertia ixx=\"1.2e-6\" ixy=\"0\" ixz=\"0\" iyy=\"1.2e-6\" iyz=\"0\" izz=\"1.2e-6\"/>\n    </inertial>\n  </link>\n"
}
/<\/robot>/ {
  split("fl fr bl br", corners, " ")
  for (i = 1; i <= 4; i++)
    for (k = 0; k < 12; k++) roller(corners[i], k)
}
{ print }

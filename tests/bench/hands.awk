# SPDX-License-Identifier: MIT
# awk -v fingers=N -f hands.awk: the URDF of a body with a head of 2 joints, a waist of 2, two legs of 6, two arms of 7, and at each hand
# N fingers of 6 joints. Axes are along x, y or z; sizes and inertias from a generator of numbers that is the same everywhere, of
# the left limbs and the right ones the same but for where they begin.
function number(low, high) { # uniform, four decimals
  seed = (seed * 16807) % 2147483647
  return sprintf("%.4f", low + (high - low) * seed / 2147483647)
}
function vector(low, high) { return number(low, high) " " number(low, high) " " number(low, high) }
function link(name, size,   i) { # `size`: its length [m]
  printf "<link name=\"%s\"><inertial><origin xyz=\"%s\" rpy=\"0 0 0\"/><mass value=\"%s\"/>", name, vector(-0.3 * size, 0.3 * size),
    number(5 * size, 10 * size)
  i = size * size * size
  printf "<inertia ixx=\"%.4g\" iyy=\"%.4g\" izz=\"%.4g\" ixy=\"%.4g\" ixz=\"%.4g\" iyz=\"%.4g\"/></inertial></link>\n",
    number(3, 4) * i, number(3, 4) * i, number(3, 4) * i, number(-0.1, 0.1) * i, number(-0.1, 0.1) * i, number(-0.1, 0.1) * i
}
function joint(parent, child, x, y, z, axis,   unit) {
  split("1 0 0,0 1 0,0 0 1", unit, ",")
  printf "<joint name=\"%s_joint\" type=\"continuous\"><parent link=\"%s\"/><child link=\"%s\"/><origin xyz=\"%s %s %s\"/><axis xyz=\"%s\"/></joint>\n",
    child, parent, child, x, y, z, unit[axis]
}
# A limb of as many joints as `axes` has digits, each the number of an axis; its first joint at (x, y, z) of its parent. It is called name.
function limb(name, parent, x, y, z, axes, size,   k) {
  for (k = 1; k <= length(axes); k++) {
    link(name k, size)
    joint(parent, name k, x, y, z, substr(axes, k, 1))
    parent = name k
    x = number(-0.05, 0.05) * size
    y = 0
    z = -number(0.4, 0.6) * size
  }
  return parent
}
BEGIN {
  print "<robot name=\"hands\">"
  seed = 4711
  link("pelvis", 0.3)
  chest = limb("waist", "pelvis", 0, 0, 0.1, "32", 0.3)
  limb("head", chest, 0, 0, 0.3, "23", 0.2)
  for (side = 1; side >= -1; side -= 2) {
    seed = 815
    at = side > 0 ? "left_" : "right_"
    limb(at "leg", "pelvis", 0, 0.1 * side, -0.1, "312221", 0.3)
    hand = limb(at "arm", chest, 0, 0.2 * side, 0.25, "2132323", 0.2)
    for (f = 1; f <= fingers; f++) limb(at "finger" f "_", hand, 0.02 * f - 0.06, 0, -0.1, "312222", 0.05)
  }
  print "</robot>"
}

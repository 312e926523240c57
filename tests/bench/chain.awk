# SPDX-License-Identifier: MIT
# awk -v joints=N -f chain.awk: the URDF of a chain of N joints; origins, axes and inertias from a generator of numbers
# that is the same everywhere.
function number(low, high) { # uniform, four decimals
  seed = (seed * 16807) % 2147483647
  return sprintf("%.4f", low + (high - low) * seed / 2147483647)
}
function vector(low, high) { return number(low, high) " " number(low, high) " " number(low, high) }
function link(name) {
  printf "<link name=\"%s\"><inertial><origin xyz=\"%s\" rpy=\"%s\"/><mass value=\"%s\"/>", name, vector(-0.1, 0.1),
    vector(-1, 1), number(0.5, 3)
  printf "<inertia ixx=\"%s\" iyy=\"%s\" izz=\"%s\" ixy=\"0.001\" ixz=\"-0.002\" iyz=\"0.003\"/></inertial></link>\n",
    number(0.03, 0.04), number(0.03, 0.04), number(0.03, 0.04)
}
BEGIN {
  seed = 4711
  print "<robot name=\"chain\">"
  link("l0")
  for (i = 1; i <= joints; i++) {
    link("l" i)
    printf "<joint name=\"j%d\" type=\"continuous\"><parent link=\"l%d\"/><child link=\"l%d\"/>", i, i - 1, i
    printf "<origin xyz=\"%s\" rpy=\"%s\"/><axis xyz=\"%s\"/></joint>\n", vector(-0.3, 0.3), vector(-1.5, 1.5),
      vector(0.1, 1)
  }
  print "</robot>"
}

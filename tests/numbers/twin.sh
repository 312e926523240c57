# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# twin.sh: for tests of a column of constants that is small: an arm two of whose axes are all but one.
# Joints 3 and 4: 3e-9 rad and 3e-9 m between their axes.
twin_urdf() {
  awk 'BEGIN {
    split("0 0 0.3|0 0 0.1|0.4 0 0|3e-9 0 0|0.1 0 0.3|0 0 0.05|0.05 0 0", at, "|")
    split("0|1.5707963267948966|0|3e-9|1.5707963267948966|-1.5707963267948966|1.5707963267948966", roll, "|")
    print "<robot name=\"twin\"><link name=\"l0\"/>"
    for (k = 1; k <= 7; k++) {
      print "<link name=\"l" k "\"><inertial><mass value=\"" 8 - k "\"/><origin xyz=\"0.05 0.02 0.06\"/><inertia ixx=\"0.02\" iyy=\"0.03\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
      print "<joint name=\"j" k "\" type=\"continuous\"><parent link=\"l" k - 1 "\"/><child link=\"l" k "\"/><origin xyz=\"" at[k] "\" rpy=\"" roll[k] " 0 0\"/><axis xyz=\"0 0 1\"/></joint>"
    }
    print "</robot>" }'
}

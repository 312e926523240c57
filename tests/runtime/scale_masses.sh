#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/scale_masses.sh URDF FACTOR: the robot with all masses and inertias times FACTOR, on standard output.
set -eu
awk -v factor="$2" '
  function scaled(line, attribute,    at, head, rest, value) {
    at = index(line, attribute "=\"")
    if (!at) return line
    head = substr(line, 1, at + length(attribute) + 1)
    rest = substr(line, at + length(attribute) + 2)
    value = substr(rest, 1, index(rest, "\"") - 1)
    return head sprintf("%.12g", value * factor) substr(rest, length(value) + 1)
  }
  /<mass / { $0 = scaled($0, "value") }
  /<inertia / { n = split("ixx ixy ixz iyy iyz izz", names, " "); for (k = 1; k <= n; k++) $0 = scaled($0, names[k]) }
  { print }' "$1"

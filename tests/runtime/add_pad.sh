#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/add_pad.sh URDF LINK HEIGHT: the robot on standard output, with a frame "pad" HEIGHT metres along LINK's z:
# the bottom of what it wipes with.
set -eu
sed "s|</robot>|<link name=\"pad\"/><joint name=\"pad_joint\" type=\"fixed\"><parent link=\"$2\"/><child link=\"pad\"/><origin xyz=\"0 0 $3\"/></joint></robot>|" "$1"

#!/bin/sh
# SPDX-License-Identifier: MIT
# add_fingers.sh MODEL: the model on standard output, with two fingers of 30 g at tool_frame that slide
# along its x, 85 mm apart, and geared to each other (a rotor of 0.5 kg, seen from each finger), with rubber on
# them: friction of 1 on what they touch. Sizes and masses are ours.
set -eu
rubber='friction="1 0.005 0.0001" solref="0.004 1" solimp="0.95 0.99 0.001" priority="2"'
finger() { # NAME PLACE AXIS
  printf '<body name="%s" pos="%s 0 0.09"><joint name="%s" type="slide" axis="%s 0 0" armature="0.5" limited="true" range="0 0.0425"/>' "$1" "$2" "$1" "$3"
  printf '<inertial pos="0 0 0" mass="0.03" diaginertia="1e-5 9.25e-6 1.25e-6"/>'
  printf '<geom name="%s" type="box" size="0.005 0.01 0.03" contype="1" conaffinity="2" %s/></body>\\n' "$1" "$rubber"
}
fingers=$(finger left -0.0475 1; finger right 0.0475 -1)
# A key frame has the positions of the joints that there were.
sed -e "s|^<site name=\"tool_frame_site\".*|&\\n$fingers|" -e 's|^<equality>|&\n<joint joint1="left" joint2="right" polycoef="0 1 0 0 0" solref="0.004 1"/>|' -e '/<keyframe>/,/<\/keyframe>/d' "$1"

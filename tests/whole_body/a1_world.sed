# SPDX-License-Identifier: MIT
# The world of the trot for the quadruped of a1.urdf: its names, its side of the outward angle, its height.
s/"\([fr][lr]\)"/"\U\1\E"/g
s/leg:sub(2) == "l"/leg:sub(2) == "L"/
s/0, 0, 0.3149/0, 0, 0.3036/

# SPDX-License-Identifier: MIT
# What docs/examples/trot needs for a robot whose legs are FL, FR, RL, RR: the names, and nothing else.
s/\b\([fr][lr]\)_foot\b/\U\1\E_foot/g
s/"\([fr][lr]\)"/"\U\1\E"/g
s/\b\(axes\|mu\)\.\([fr][lr]\)\b/\1.\U\2\E/g

#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/describe.sh ACHDGEN SOURCE_DIR: --describe json: it is JSON, its elements are the columns of --eval, and
# every size, place, enumerator, status bit and signature that it states is what the compiler finds in the header. Of robots every ninth (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
reader=$top/tests/program/describe.py
cd "$scratch"
command -v python3 >/dev/null || skip_all "no python3"
all=achd,$(family "$top")

# holds ROBOT ARGUMENTS..: what is described of a robot is so.
holds() (
  robot=$1
  shift
  "$achdgen" "$robot" "$@" -q --describe json >described.json || return 1
  "$achdgen" "$robot" "$@" -q --columns >columns || return 1
  "$achdgen" "$robot" "$@" --no-prove -q -o robot.h || return 1
  python3 "$reader" described.json columns >robot.c || return 1
  gcc -std=c11 -Wall -Wextra -fsyntax-only robot.c
)

for layout in "$top"/robots/*.lua; do
  robot=${layout%.lua}
  sampled 9 "$(basename "$robot")" holds "$robot.urdf" --layout "$layout"
done
for robot in gen3 quadruped four_bar youbot table41_base drone gripper; do
  sampled 9 "$robot: all functions, float" holds "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --functions "$all" --real float
done
sampled 2 "bounded rows" holds "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --name other
cat >mixed.lua <<'END'
return { groups = {
  { name = "a", frame = "tool_frame", rows = { "lin_x", "ang_z", "lin_y" }, maskable = true },
  { name = "b", frame = "forearm_link", rows = 2 },
  { name = "c", frame = "tool_frame", rows = { "ang_x" } },
} }
END
sampled 2 "linear and angular rows in turns, and free ones" holds "$top/robots/gen3.urdf" --layout mixed.lua
check "no layout" holds "$top/robots/gen3.urdf"
check "all functions, no rows" holds "$top/robots/gen3.urdf" --functions fk,jac

# names with every sign that JSON and C care about
cat >odd.urdf <<'END'
<robot name="a&quot;b\c&#9;d &#233;&#x1F916; */">
  <link name="base&quot;link\"/>
  <joint name="j&#xFFFD;&lt;int&gt;/1" type="prismatic">
    <parent link="base&quot;link\"/><child link="int"/><axis xyz="0 0 1"/>
  </joint>
  <link name="int"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>
END
check "odd names" holds odd.urdf --functions id,fd,fk,jac,crba,com,energy
check "odd names: as the URDF has them" sh -c "'$achdgen' odd.urdf --functions fd -q --describe json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d[\"robot\"] == \"a\\\"b\\\\c\\td \\u00e9\\U0001F916 */\", d[\"robot\"]
assert d[\"joints\"][0][\"name\"] == \"j\\ufffd<int>/1\", d[\"joints\"]
assert d[\"joints\"][0][\"unit\"] == \"m\" and d[\"joints\"][0][\"lower\"] is None
assert d[\"base\"][\"link\"] == \"base\\\"link\\\\\"
'"

# by_offsets ROBOT LAYOUT FUNCTION: a C program that fills and reads the structs by the table of --offsets prints what --eval does,
# and the table's columns are those of --columns.
by_offsets() {
  upper=$(echo "$3" | tr '[:lower:]' '[:upper:]')
  "$achdgen" "$1" --layout "$2" --functions "$3" --name robot --offsets --no-prove -q -o robot.h || return 1
  "$achdgen" "$1" --layout "$2" --functions "$3" --name robot --columns -q >columns || return 1
  printf '#define IN(c, u, o) in c u\n#define OUT(c, u, o) out c u\nROBOT_%s_COLUMNS(IN, OUT)\n' "$upper" | cat robot.h - | gcc -E -P -x c - | tail -1 |
    sed 's/" *\(in\|out\) "/"\n\1 "/g; s/"\n/\n/g' | sed 's/"//g; s/ *$//' >table
  grep -v '^out status 1$' columns | diff table - || return 1
  gcc -std=c11 -Wall -Wextra -O0 -ffp-contract=off -DF="$3" -DCOLUMNS="ROBOT_${upper}_COLUMNS" -I. "$top/tests/program/offsets.c" -o by_offsets -lm || return 1
  awk 'BEGIN { srand(7) } /^in / { name[++n] = $2 } END {
    for (k = 0; k < 3; k++) { for (i = 1; i <= n; i++) printf "%.17g ", name[i] ~ /^mask/ ? rand() < 0.7 : name[i] ~ /quat.w/ ? 1 : name[i] ~ /quat/ ? 0 : 2 * rand() - 1; print "" } }' columns >states
  "$achdgen" "$1" --layout "$2" --functions "$3" --name robot --eval -q <states >evaluated && ./by_offsets <states >computed &&
    [ "$(wc -l <computed)" -eq 3 ] && diff evaluated computed
}
# The text of a status is that of the enumerators.
"$achdgen" "$top/robots/gen3_6dof.urdf" --functions achd --name robot --status-text --no-prove -q -o robot.h
cat >status.c <<'END'
#include "robot.h"
#include <stdio.h>
int main(void) {
  for (unsigned bit = 1; bit <= 64; bit *= 2) puts(robot_status_text(bit));
  puts(robot_status_text(0));
  puts(robot_status_text(ROBOT_SINGULAR | ROBOT_NOT_FINITE));
  return 0;
}
END
check "the status function compiles" gcc -std=c99 -Wall -Wextra -Wpedantic -Werror status.c -o status
check "and as C++" g++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only status.c
sed -n 's|^  ROBOT_\([A-Z_]*\) = [1-9][0-9]*, */\* \(.*\) \*/$|\1: \2|p' robot.h >told
check "it tells what the enumerators do" sh -c './status | grep -v "^no status\|^OK" | sed "$ d" | diff - told && [ -s told ]'
check "the lowest bit comes first" [ "$(./status | tail -1)" = "$(sed -n 's/^SINGULAR/SINGULAR/p' told)" ]
check "and a clean solve is told" sh -c './status | grep -q "^OK: a clean solve$"'

cat >partly.lua <<'END'
return { groups = {
  { name = "hand", frame = "tool_frame", rows = { "lin_z", "ang_x" } },
  { name = "arm", frame = "forearm_link", rows = { "lin_x" }, maskable = true },
} }
END
sampled 3 "--offsets: where some rows have masks" by_offsets "$top/robots/gen3.urdf" partly.lua achd
sampled 3 "--offsets: zeros of derivatives" by_offsets "$top/robots/youbot.urdf" "$top/robots/youbot.lua" did
sampled 3 "--offsets: a moving base" by_offsets "$top/robots/quadruped.urdf" "$top/robots/quadruped.lua" fk

robot=$top/robots/gen3.urdf
same_twice() {
  "$achdgen" "$robot" --describe json >one.json && "$achdgen" "$robot" --describe json >two.json && cmp one.json two.json
}
check "the same twice" same_twice

# refused PATTERN ARGUMENTS..: exit 1 with that in the message and nothing on standard output.
refused() {
  pattern=$1
  shift
  ! "$achdgen" "$@" >out 2>err && [ ! -s out ] && grep -q -e "$pattern" err
}
check "another format" refused '\-\-describe json' "$robot" --describe yaml
check "no format" refused 'needs a value' "$robot" --describe
check "with a header" refused 'writes none' "$robot" --describe json -o x.h
check "with --inspect" refused 'exclude each other' "$robot" --describe json --inspect
check "of a machine" refused 'is for robots' --machine "$top/robots/machines/pregrasp.lua" --describe json
check "a full disk" sh -c "! '$achdgen' '$robot' --describe json >/dev/full 2>&1"
finish

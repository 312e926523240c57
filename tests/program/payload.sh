#!/bin/sh
# SPDX-License-Identifier: MIT
# payload.sh ACHDGEN TOP: a load is what a link welded to its frame would be, whether it is folded in, whole or in halves, or
# comes at run time, in every function; what no body can be at run time is told by NOT_POSITIVE (64), what is beyond 1e15 by
# BAD_INPUT (16).
set -u
[ $# -eq 2 ] || { echo "usage: payload.sh ACHDGEN TOP" >&2; exit 2; }
achdgen=$1 top=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "FAILED: $*"; failed=1; }

# A state: every input by its column's place, the load apart.
state() { # COLUMNS MASS XX: the numbers of a line
  awk -v mass="$2" -v xx="$3" '$1 == "in" {
    i++
    if ($2 == "payload.mass") x = mass
    else if ($2 == "payload.com.x") x = 0.02
    else if ($2 == "payload.com.y") x = -0.01
    else if ($2 == "payload.com.z") x = 0.1
    else if ($2 == "payload.inertia.xx") x = xx
    else if ($2 == "payload.inertia.yy") x = 0.012
    else if ($2 == "payload.inertia.zz") x = 0.004
    else if ($2 == "payload.inertia.xy") x = 0.001
    else if ($2 ~ /^payload.inertia/) x = 0
    else if ($2 ~ /^base.quat/) x = $2 ~ /w$/ ? 0.6 : $2 ~ /x$/ ? 0.8 : 0
    else x = sin(length($2) + 3 * gsub(/[13579xl]/, "&", $2) + 1.7 * k[substr($2, 1, 3)]++)
    printf "%.17g ", x
  } END { print "" }' "$1"
}

for robot in gen3 drone; do
  frame=tool_frame base=fixed
  [ $robot = drone ] && frame=hook base=floating
  cat >"$work/folded.lua" <<END
return {
  base = "$base",
  payload = { frame = "$frame", mass = 1.5, com = { 0.02, -0.01, 0.1 }, inertia = { ixx = 0.01, ixy = 0.001, iyy = 0.012, izz = 0.004 } },
  groups = { { name = "tool", frame = "$frame", rows = { "lin_x", "ang_z" } } },
}
END
  sed 's/mass = 1.5.*/mass = "input", com = "input", inertia = "input" },/' "$work/folded.lua" >"$work/given.lua"
  half='mass = 0.75, com = { 0.02, -0.01, 0.1 }, inertia = { 0.005, 0.0005, 0, 0.006, 0, 0.002 }'
  sed "s/payload = .*/payload = { { name = 'one', frame = '$frame', $half }, { name = 'two', frame = '$frame', $half } },/" \
    "$work/folded.lua" >"$work/halves.lua"
  sed '/payload/d' "$work/folded.lua" >"$work/welded.lua"
  load='<link name="load"><inertial><origin xyz="0.02 -0.01 0.1"/><mass value="1.5"/><inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.012" iyz="0" izz="0.004"/></inertial></link>'
  weld="<joint name=\"weld\" type=\"fixed\"><parent link=\"$frame\"/><child link=\"load\"/></joint>"
  sed "s|</robot>|$load$weld</robot>|" "$top/robots/$robot.urdf" >"$work/welded.urdf"

  for real in double float; do
    functions='achd id gravity bias fd crba energy com'
    [ $real = double ] || [ -n "${ACHD_SWEEP:-}" ] || functions='achd fd' # the scripts are the same
    for function in $functions; do
      for kind in folded given halves welded; do
        urdf=$top/robots/$robot.urdf
        [ $kind = welded ] && urdf=$work/welded.urdf
        set -- "$urdf" --layout "$work/$kind.lua" --functions "$function" --real "$real"
        case $kind in # a load that is folded in adds no column
          given | folded) "$achdgen" "$@" --columns >"$work/columns.$kind" 2>"$work/said" || complain "$robot $function $kind: $(cat "$work/said")" ;;
          *) cp "$work/columns.folded" "$work/columns.$kind" ;;
        esac
        state "$work/columns.$kind" 1.5 0.01 | "$achdgen" "$@" --eval >"$work/$kind" 2>>"$work/said" || complain "$robot $function $kind: $(cat "$work/said")"
      done
      for kind in folded given halves; do
        paste -d ' ' "$work/welded" "$work/$kind" | awk -v real=$real '{
          n = NF / 2; most = 0
          for (i = 1; i <= n; i++) { a = $i < 0 ? -$i : $i; if (a > most) most = a }
          for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d < 0) d = -d; if (d > (real == "float" ? 2e-3 : 1e-11) * most) exit 1 }
          if (n < 2 || most == 0) exit 1
        }' || complain "$robot $real $function: the load $kind is not the link welded on"
      done
      # mass, I_xx, bits to look at, what they must be: with BAD_INPUT, NOT_POSITIVE may come or not
      cat >"$work/loads" <<END
1.5 0.01 80 0
0 0.01 80 0
-0.5 0.01 80 64
1.5 -0.01 80 64
1.5 0.00001 80 64
1e16 0.01 16 16
1e30 0.01 16 16
1.5 1e16 16 16
END
      while read -r mass xx mask bit; do state "$work/columns.given" "$mass" "$xx"; done <"$work/loads" >"$work/states"
      "$achdgen" "$top/robots/$robot.urdf" --layout "$work/given.lua" --functions "$function" --real "$real" --eval <"$work/states" |
        awk '{ print $NF }' >"$work/statuses"
      paste -d ' ' "$work/loads" "$work/statuses" >"$work/table"
      while read -r mass xx mask bit status; do
        [ $((${status:-255} & mask)) -eq "$bit" ] || complain "$robot $real $function: mass $mass, I_xx $xx: status $status"
      done <"$work/table"
    done
  done
done
[ $failed -eq 0 ] && echo OK
exit $failed

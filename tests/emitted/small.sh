#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/small.sh ACHDGEN SOURCE_DIR HUMANOID: --small: the code is shorter, by gcc -O2 and for a Cortex-M by -Os, where rows are solved; else within 4 %; of the same formulation
# the bits are the same; without one there is one way, checked and proven like every other. With --lanes 1, functions of limbs: how much shorter that is, the numbers of the vectors, no warning, no loop. A sample of robots, compilers and levels (in_sample).
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
humanoid=$(absolute "$3")
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"
own() { echo "$top/robots/$1.lua"; }
echo 'return { groups = {} }' >none.lua
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "end_effector_link", maskable = false } }, outputs = { "qdd", "nu", "tau_ctrl" } }' >six.lua

# pivot_min is of equations that only the null-space solve has beside it: without it the code is shorter by 7 %.
sed 's/"tau_ctrl", "pivot_min"/"tau_ctrl"/' "$(own youbot_arm)" >arm.lua

make() { # NAME ROBOT LAYOUT FUNCTION OPTIONS
  robot_file=$top/robots/$2.urdf
  [ -f "$robot_file" ] || robot_file=$2.urdf
  "$achdgen" "$robot_file" --layout "$3" --functions "$4" --name "$1" --no-prove -q -o "$1.h" $5
}

# -- how much shorter: WHAT it is for, then most percent of the default's bytes
bytes() { # COMPILER OPTIONS
  case " $3 " in *" --small "*) make m "$robot" "$layout" "$function" "$3" ;; *) make m "$robot" "$layout" "$function" "$3 --cache 0" ;; esac
  upper=$(sed -n 's/^typedef [a-z]* \([a-z]*\)_real;$/\1/p' m.h | tr '[:lower:]' '[:upper:]')
  "$1" -std=gnu99 $2 "-D${upper}_IMPLEMENTATION" -x c -c m.h -o m.o
  size -A -d m.o | awk '$1 ~ /^\.(text|rodata)/ { sum += $2 } END { print sum }'
}
shorter() { # COMPILER FLAGS OPTIONS MOST
  usual=$(bytes "$1" "$2" "$3")
  small=$(bytes "$1" "$2" "$3 --small")
  echo "$robot $function, $1 $2: $small bytes in place of $usual"
  check "$robot $function, $1 $2: at most $4 %" [ $((100 * small)) -le $(($4 * usual)) ]
}
# --small saves 19 200 bytes of gen3's solve and 7704 of the arm's since it is there; the sines by bits, which both sides have, added 1280 and 2262 to each:
# of 55 440 and 29 611 bytes it took 65.4 and 74.0 %, of 56 720 and 31 873 it takes 66.1 and 75.8 %. What headers ask of gcc took 1187
# bytes from the arm's usual code and 835 from its small code, at -O2: 71.8 % became 72.4, and 75.9 % 76.2.
board="-Os -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16"
while read -r robot layout function pc small; do
  in_sample "$top" 6 || continue
  if [ "$(uname -m)" = x86_64 ] && has gcc; then shorter gcc -O2 "" "$pc"; fi
  if has arm-none-eabi-gcc; then shorter arm-none-eabi-gcc "$board" "--real float" "$small"; fi
done <<END
gen3 six.lua achd 67 66
youbot_arm arm.lua achd 73 73
youbot_arm $(own youbot_arm) achd 77 78
gen3 none.lua fd 97 95
quadruped none.lua fd 98 104
puma560 none.lua id 101 101
END

# -- the same bits: ROBOT LAYOUT FUNCTION OPTIONS
same() {
  in_sample "$top" 8 || return 0
  suffix='' real=double takes=$3 function=$3 batch=''
  case " $4 " in *" float "*) real=float suffix=f ;; esac
  case " $4 " in *" --batch 4 "*) batch=-DBATCH=4 function=$3_batch takes=$3_batch ;; esac
  if [ "$3" = mclp ]; then takes=achd; fi
  make whole "$1" "$2" "$3" "$4"
  make parts "$1" "$2" "$3" "$4 --small"
  check "$1 $3 $4: another order" sh -c '! grep -v "^ \*" whole.h | sed "s/whole/parts/g; s/WHOLE/PARTS/g" | diff -q - parts.h >/dev/null'
  check "$1 $3 $4: compiles" gcc -std=c99 $strict -O0 -ffp-contract=off "-DWHOLE$(echo $suffix | tr f F)_IMPLEMENTATION" "-DPARTS$(echo $suffix | tr f F)_IMPLEMENTATION" \
    "-DIN=whole${suffix}_${takes}_in" "-DOUT=whole${suffix}_${function}_out" "-DWHOLE=whole${suffix}_$function" "-DPARTS=parts${suffix}_$function" -DREAL=$real $batch \
    -I. "$top/tests/emitted/parts_test.c" -o same -lm
  check "$1 $3 $4: the same bits" ./same
}
same gen3 "$(own gen3)" achd "--formulation null"
same gen3 "$(own gen3)" achd "--formulation joint --real float"
same iiwa7 "$(own iiwa7)" achd "--formulation recursion --batch 4 --prefetch"
same youbot_arm "$(own youbot_arm)" dfd "--parts 200"
same youbot_arm "$(own youbot_arm)" achd --branchless

# -- functions of limbs (--lanes 1): bytes without | with them, at most so many percent
echo 'return { base = "floating", gravity = { 0, 0, -9.81 }, groups = {}, outputs = { "qdd" } }' >free.lua
"$humanoid" 3 >humanoid.urdf
limbs_shorter() { # ROBOT LAYOUT FUNCTION, then of gcc -Os, gcc -O2, the Cortex-M7 in float at -Os and -O2: most percent; -: not looked at
  robot=$1 layout=$2 function=$3 row="| $1, $3 |"
  shift 3
  for flags in -Os -O2 "$board" "-O2${board#-Os}"; do
    most=$1 compiler=gcc real=double
    shift
    case "$flags" in *cortex*) compiler=arm-none-eabi-gcc real=float ;; *) [ "$(uname -m)" = x86_64 ] || continue ;; esac
    has "$compiler" || continue
    in_sample "$top" 8 || continue
    if [ "$most" = - ]; then row="$row (no lanes) |"; continue; fi
    without=$(bytes $compiler "$flags" "--small --real $real")
    with=$(bytes $compiler "$flags -DM_NO_LANES -DMF_NO_LANES" "--small --lanes 1 --real $real")
    row="$row $without \\| $with |"
    check "$robot $function with functions of limbs, $compiler $flags: at most $most %" [ $((100 * with)) -le $((most * without)) ]
  done
  echo "$row"
}
limbs_shorter quadruped free.lua fd 46 53 49 52
limbs_shorter quadruped free.lua id 51 62 54 64
if [ -n "${ACHD_SWEEP:-}" ]; then
  limbs_shorter quadruped "$(own quadruped)" achd 67 66 - -
  limbs_shorter two_arms "$(own two_arms)" fd 63 75 69 69
  limbs_shorter humanoid free.lua fd 66 68 68 65
fi

# limbs_same ROBOT LAYOUT FUNCTION REAL OPTIONS: the numbers of the vectors (which lanes.sh compares with those of the whole robot), but for the sign of zeros; every
# function of a limb is called for each; no warning, no loop.
limbs_same() {
  suffix='' function=$3 real=$4
  if [ "$real" = float ]; then suffix=f; fi
  make whole "$1" "$2" "$3" "--small --lanes 1 --real $real --mode inline $5" && make parts "$1" "$2" "$3" "--small --lanes 1 --real $real --mode inline $5" || return 1
  limits="-DPARTS$(echo $suffix | tr f F)_NO_LANES"
  gcc -E -mavx2 $limits -I. -include whole.h -x c /dev/null | grep -q "whole${suffix}_x[248] .* = " || { echo "no vectors"; return 1; }
  gcc -E $limits -include parts.h -x c /dev/null >parts.i
  if grep -E '(^|[^a-z_])(for|while|do|goto|malloc|alloca)( |\()' parts.i >told; then head -3 told; return 1; fi
  sed -n "s/.*static .*void \(parts${suffix}_${function}_limb\([248]\)_step[0-9]*\)(.*/\1 \2/p" parts.i >steps
  [ -s steps ] || { echo "no functions of limbs"; return 1; }
  while read -r step lanes; do
    calls=$(grep -c "^ *$step(" parts.i)
    [ "$calls" -eq "$lanes" ] || { echo "$step: $calls calls for $lanes lanes"; return 1; }
  done <steps
  echo '#include "parts.h"' >unit.c
  for cc in "gcc -std=c99 -Os" "clang -std=c99 -O1" "arm-none-eabi-gcc -std=c99 -Os -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16" "g++ -x c++ -std=c++17 -O0" "clang++ -x c++ -std=c++17 -O0"; do
    if has "${cc%% *}" && in_sample "$top" 8; then $cc $limits $strict -c unit.c -o unit.o || return 1; fi
  done
  limbs_equal
}
limbs_equal() { # the last two headers
  gcc -std=c99 -O0 -mavx2 $limits -ffp-contract=off -DZEROS "-DIN=whole${suffix}_${function}_in" "-DOUT=whole${suffix}_${function}_out" "-DWHOLE=whole${suffix}_$function" \
    "-DPARTS=parts${suffix}_$function" "-DREAL=$real" -I. "$top/tests/emitted/parts_test.c" -o same -lm && ./same
}
if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo; then
  check "limbs: legs, forward dynamics" limbs_same quadruped free.lua fd double ""
  # a limb with another's constant is noticed
  line=$(grep -n 'parts_fd_table4 parts_fd_tables4' parts.h | cut -d: -f1)
  sed -i "$((line + 1))s/{\([^,]*\),/{\1 * 1.5,/" parts.h
  suffix='' function=fd real=double limits=-DPARTS_NO_LANES
  noticed() { ! limbs_equal >told && grep -q "number" told; }
  check "limbs: another constant is noticed" noticed
  sampled 8 "limbs: legs, inverse dynamics, in float" limbs_same quadruped free.lua id float ""
  [ -z "${ACHD_SWEEP:-}" ] || check "limbs: rows at the feet" limbs_same quadruped "$(own quadruped)" achd double ""
  sampled 8 "limbs: without choices" limbs_same quadruped "$(own quadruped)" id double --branchless
  sampled 8 "limbs: arms, in pairs" limbs_same two_arms "$(own two_arms)" fd double ""
  sampled 8 "limbs: arms and legs that are unlike" limbs_same humanoid free.lua id double ""
  sampled 8 "limbs: a base with wheels" limbs_same table41_base "$(own table41_base)" id double ""
fi
awk 'BEGIN { # 40 arms of one joint: forward dynamics of more operations than a function has in one piece
  mass = "<inertial><origin xyz=\"%g 0.01 0\"/><mass value=\"0.3\"/><inertia ixx=\"2e-4\" ixy=\"0\" ixz=\"1e-5\" iyy=\"3e-4\" iyz=\"0\" izz=\"3e-4\"/></inertial></link>\n"
  printf "<robot name=\"fan\">\n<link name=\"body\">" mass, 0.01
  for (k = 0; k < 40; k++) {
    printf "<joint name=\"j%d\" type=\"continuous\"><parent link=\"body\"/><child link=\"arm%d\"/><origin xyz=\"%g %g %g\" rpy=\"0.1 0 %g\"/><axis xyz=\"0 0 1\"/></joint>\n", k, k, 0.1 * cos(k), 0.1 * sin(k), 0.01 * k, k
    printf "<link name=\"arm%d\">" mass, k, 0.05 + 0.001 * k
  }
  print "</robot>"
}' >fan.urdf
long() {
  "$achdgen" fan.urdf --layout free.lua --functions fd --lanes 1 --no-prove -q -o long.h && grep -q "in [0-9]* parts" long.h &&
    "$achdgen" fan.urdf --layout free.lua --functions fd --small --lanes 1 --no-prove -q -o long.h && grep -q "fan_fd_limb4_step1(" long.h
}
check "limbs: where the function would be cut into parts for its length" long
refused() { # WHAT THE ERROR SAYS, OPTIONS
  said=$1
  shift
  rm -f none.h
  ! "$achdgen" "$top/robots/quadruped.urdf" --layout "$(own quadruped)" --functions achd --small --lanes 1 "$@" -o none.h 2>told && grep -q "$said" told && grep -q 'remedy: leave out' told && [ ! -f none.h ]
}
check "limbs: not in parts" refused "exclude each other" --parts 300
check "limbs: not asked for ahead" refused "exclude each other" --prefetch
check "limbs: one way" refused "two ways" --formulation null
check "limbs: --prove" "$achdgen" "$top/robots/quadruped.urdf" --layout "$(own quadruped)" --functions achd,id,fd --small --lanes 1 --prove 1

# -- without a formulation: one way, which is right; same inputs, same bytes
make arm gen3 six.lua achd --small
check "one way" sh -c '! grep -q "at worst" arm.h'
check "the command" grep -q '^ \*   achdgen .* --small' arm.h
cp arm.h before.h
make arm gen3 six.lua achd --small
check "the same bytes" cmp before.h arm.h
make arm gen3 six.lua achd "--small --formulation null"
check "two ways where they are asked for" grep -q "at worst" arm.h
for robot in gen3 quadruped; do
  in_sample "$top" 6 || continue
  check "$robot: --check" "$achdgen" "$top/robots/$robot.urdf" --layout "$(own $robot)" --functions achd,id,fd --small --check 10
  check "$robot: --prove" "$achdgen" "$top/robots/$robot.urdf" --layout "$(own $robot)" --functions achd,id,fd --small --prove 1
done
finish

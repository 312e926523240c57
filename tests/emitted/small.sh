#!/bin/sh
# tests/emitted/small.sh ACHDGEN SOURCE_DIR: --small: the code is shorter, by gcc -O2 and for a Cortex-M by -Os, where rows are solved; else within 4 %; of the same formulation
# the bits are the same; without one there is one way, checked and proven like every other.
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"
own() { echo "$top/robots/$1.lua"; }
echo 'return { groups = {} }' >none.lua
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "end_effector_link", maskable = false } }, outputs = { "qdd", "nu", "tau_ctrl" } }' >six.lua

make() { # NAME ROBOT LAYOUT FUNCTION OPTIONS
  "$achdgen" "$top/robots/$2.urdf" --layout "$3" --functions "$4" --name "$1" --no-prove -q -o "$1.h" $5
}

# -- how much shorter: WHAT it is for, then most percent of the default's bytes
bytes() { # COMPILER OPTIONS
  make m "$robot" "$layout" "$function" "$3"
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
board="-Os -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16"
while read -r robot layout function pc small; do
  if [ "$(uname -m)" = x86_64 ] && command -v gcc >/dev/null; then shorter gcc -O2 "" "$pc"; fi
  if command -v arm-none-eabi-gcc >/dev/null; then shorter arm-none-eabi-gcc "$board" "--real float" "$small"; fi
done <<END
gen3 six.lua achd 66 66
youbot_arm $(own youbot_arm) achd 72 70
gen3 none.lua fd 97 95
quadruped none.lua fd 97 104
puma560 none.lua id 101 101
END

# -- the same bits: ROBOT LAYOUT FUNCTION OPTIONS
same() {
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
same quadruped "$(own quadruped)" id "--lanes 1"
same youbot_arm "$(own youbot_arm)" achd --branchless

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
  check "$robot: --check" "$achdgen" "$top/robots/$robot.urdf" --layout "$(own $robot)" --functions achd,id,fd --small --check 10
  check "$robot: --prove" "$achdgen" "$top/robots/$robot.urdf" --layout "$(own $robot)" --functions achd,id,fd --small --prove 1
done
finish

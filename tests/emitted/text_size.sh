#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/text_size.sh ACHDGEN SOURCE_DIR: the banner's line "text": a function whose code is longer than 32 KB has one, others have
# none, and what it tells is within a factor of 1.5 of what gcc -O2 makes: with and without a null-space solve, one and two arms, legs,
# derivatives, float, in parts, --branchless. Of these cases every tenth (in_sample).
# What headers ask of gcc makes code shorter, and ends with the header.
# Gen3's dfd: what one call runs through, its header, and how near to each other parts find what waits (lower/near.c).
# And what is chosen by the length of the code (--cache): the bytes that --describe predicts of the usual code and of the chosen one are those
# of object code to a tenth, on robots that the prediction was not fitted to; code that fits is as it is without the option.
# Of chains of 9 joints that a cache does not hold, one with early elimination gets the shortest code and one without, in one function, where that
# would wait, another order, with the same bits as --cache 0. A chain of 16 joints has functions for steps of several links.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
[ "$(uname -m)" = x86_64 ] || skip_all "code of x86-64"
command -v gcc >/dev/null || skip_all "no gcc"
cd "$scratch"
echo 'return { groups = {} }' >none.lua

# text WHAT LINE ROBOT LAYOUT FUNCTION OPTIONS..: LINE: "told" or "silent".
text() {
  in_sample "$top" 10 || return 1
  what=$1 line=$2 robot=$3 layout=$4 function=$5
  shift 5
  "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --functions "$function" --name arm --no-prove -q -o arm.h "$@"
  told=$(sed -n "s/^ \* text    $function: about \([0-9]*\) KB by gcc -O2 .*/\1/p" arm.h)
  if [ "$line" = silent ]; then
    check "$what: no line" test -z "$told"
  else
    check "$what: a line" test -n "$told"
  fi
  prefix=$(sed -n 's/^typedef [a-z]* \([a-z]*\)_real;$/\1/p' arm.h)
  gcc -std=gnu99 -O2 "-D$(echo "$prefix" | tr '[:lower:]' '[:upper:]')_IMPLEMENTATION" -x c -c arm.h -o arm.o
  bytes=$(nm -S -t d arm.o | awk -v of="^${prefix}_${function}(_trig|_part|_limb|_[0-9])" '$3 ~ /^[tT]$/ && $4 ~ of { sum += $2 } END { print sum + 0 }')
  echo "$what: told ${told:-nothing}, is $((bytes / 1024)) KB"
  if [ "$line" = silent ]; then
    check "$what: $bytes bytes are no more than 1.5 times 32 KB" [ "$bytes" -le 49152 ]
  else
    check "$what: $bytes bytes, told $told KB" awk "BEGIN { r = $bytes / (1024 * $told); exit !(r > 1 / 1.5 && r < 1.5) }"
  fi
}

own() { echo "$top/robots/$1.lua"; }
if text "gen3, two ways" told gen3 "$(own gen3)" achd; then
  check "the null-space solve is a part of it" grep -q 'KB of it in most states' arm.h
fi
if text "gen3, recursion" told gen3 "$(own gen3)" achd --formulation recursion; then
  check "one way" test "$(grep -c 'in most states:' arm.h)" -eq 0
fi
text "gen3, float, derivatives" told gen3 none.lua dfd --real float || true
text "gen3, derivatives in parts" told gen3 none.lua dfd --parts 500 || true
text "quadruped" told quadruped "$(own quadruped)" achd --cache 0 || true
text "gen3, --branchless" told gen3 "$(own gen3)" achd --branchless || true
text "gen3, fd" silent gen3 none.lua fd || true
text "puma560, inverse dynamics" silent puma560 none.lua id || true
text "youbot_base" silent youbot_base "$(own youbot_base)" achd --lanes 0 || true

# What no cache of 64 KB held before: all that one call runs through leaves room there; most of what waits is one byte away.
"$achdgen" "$top/robots/gen3.urdf" --functions dfd --name arm --no-prove -q -o arm.h
gcc -std=gnu99 -O2 -DARM_IMPLEMENTATION -x c -c arm.h -o arm.o
bytes=$(nm -S -t d arm.o | awk '$3 ~ /^[tT]$/ { sum += $2 } END { print sum }')
told=$(sed -n 's/^ \* text    dfd: about \([0-9]*\) KB by gcc -O2 .*/\1/p' arm.h)
check "gen3's derivatives: $bytes bytes of code, told $told KB" awk "BEGIN { r = $bytes / (1024 * $told); exit !($bytes < 60000 && r > 0.9 && r < 1.1) }"
check "their header: no longer than as one function, 250466 bytes" [ "$(wc -c <arm.h)" -le 250466 ]
near=$(grep -o '\bw[1-8]\[' arm.h | wc -l) far=$(grep -o '[^&]work->v\[' arm.h | wc -l)
check "of what waits $near are near, $far are not" [ $((9 * far)) -le "$near" ]

# What headers ask of gcc: shorter code, the same at -Os; what follows the header has the options of before; so do functions that are inline.
"$achdgen" "$top/robots/puma560.urdf" --layout none.lua --functions fd --name arm --no-prove -q -o arm.h
sed '/^#pragma GCC optimize/d' arm.h >plain.h
printf '#define ARM_IMPLEMENTATION\n#include "arm.h"\n#pragma GCC pop_options\n' >popped.c
of_fd() { # HEADER FLAGS..
  header=$1
  shift
  gcc -std=gnu99 "$@" -DARM_IMPLEMENTATION -x c -c "$header" -o arm.o && nm -S -t d arm.o | awk '$4 ~ /^arm_fd/ { sum += $2 } END { print sum }'
}
check "the header asks" sh -c '! cmp -s arm.h plain.h'
asked=$(of_fd arm.h -O3 -mavx2 -mfma) plain=$(of_fd plain.h -O3 -mavx2 -mfma)
check "what headers ask of gcc: $asked bytes in place of $plain, at most 95 %" [ $((100 * asked)) -le $((95 * plain)) ]
check "nothing is asked at -Os" [ "$(of_fd arm.h -Os)" = "$(of_fd plain.h -Os)" ]
check "behind the header the options of before" sh -c 'gcc -O2 -fsyntax-only popped.c 2>&1 | grep -q "without a corresponding"'
"$achdgen" "$top/robots/puma560.urdf" --layout none.lua --functions fd --name arm --mode inline --no-prove -q -o arm.h
printf '#include "arm.h"\nunsigned arm_called(const arm_fd_in *in, arm_fd_out *out) { return arm_fd(in, out); }\n' >called.c
check "inline: the same is asked, so it is a call" sh -c 'gcc -std=gnu99 -O3 -mavx2 -mfma -c called.c -o arm.o && nm arm.o | grep -q " t arm_fd"'

# predicted MOST ROBOT LAYOUT FUNCTION OPTIONS..: both predictions are within MOST percent of the object code.
# shellcheck disable=SC2086 # flags are words
bytes_of() { # FLAGS OPTIONS..
  flags=$1
  shift
  "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --functions "$function" --name arm --no-prove -q --mode split -o arm.h "$@" &&
    gcc -std=gnu11 $flags -c arm.c -o arm.o && nm -S -t d arm.o |
    awk -v of="^armf?_${function}(_trig|_part|_limb|_[0-9])" '$3 ~ /^[tT]$/ && $4 ~ of { sum += $2 } END { print sum + 0 }'
}
predicted() {
  in_sample "$top" 8 || return 0
  most=$1 robot=$2 layout=$3 function=$4
  shift 4
  "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --functions "$function" -q --describe json --cache 1 "$@" >told.json
  told() { grep -o '"text": {"bytes.*' told.json | sed "s/.*\"$1\": \([0-9]*\).*/\1/" | tail -1; }
  usual=$(bytes_of -O2 --cache 0 "$@") chosen=$(bytes_of "-O2 -mavx2" --cache 1 "$@")
  grep -q 'arm_x4\|armf_x8' arm.c || chosen=$(bytes_of -O2 --cache 1 "$@")
  echo "$robot, $function $*: usual $(told usual), is $usual; chosen $(told bytes), is $chosen"
  check "$robot, $function $*: bytes of the usual code" awk "BEGIN { r = $usual / $(told usual); exit !(r > 1 - $most / 100 && r < 1 + $most / 100) }"
  check "$robot, $function $*: bytes of the chosen code" awk "BEGIN { r = $chosen / $(told bytes); exit !(r > 1 - $most / 100 && r < 1 + $most / 100) }"
}
echo 'return { base = "floating", gravity = { 0, 0, -9.81 }, groups = {}, outputs = { "qdd" } }' >free.lua
predicted 10 quadruped free.lua fd
[ -z "${ACHD_SWEEP:-}" ] || predicted 10 quadruped free.lua dfd
predicted 10 gen3 none.lua dfd
predicted 10 gen3 none.lua did
[ -z "${ACHD_SWEEP:-}" ] || predicted 10 panda none.lua dfd --real float
predicted 10 two_arms "$(own two_arms)" fd
predicted 10 humanoid free.lua fd
predicted 10 youbot "$(own youbot)" achd --formulation joint
predicted 10 table41_base "$(own table41_base)" achd --formulation recursion
predicted 10 gen3 "$(own gen3)" achd --formulation recursion
# body ROBOT OPTIONS..: a header without its file name and command.
body() {
  robot=$1
  shift
  "$achdgen" "$top/robots/$robot.urdf" --layout "$(own "$robot")" --no-prove -q -o arm.h "$@" && sed 1,5d arm.h
}
fits() { body gen3_6dof >default.h && body gen3_6dof --cache 0 >usual.h && cmp default.h usual.h; }
check "code that fits stays" fits
body quadruped >default.h
check "code that does not becomes less" grep -q '^ \* text    achd: .* (--cache) .*: limbs of equal shape' default.h
# chain JOINTS NAME OPTIONS..: NAME.h, of a chain.
chain() {
  awk -v joints="$1" -f "$top/tests/bench/chain.awk" >chain.urdf
  name=$2
  shift 2
  "$achdgen" chain.urdf --functions achd --name "$name" --mode inline --no-prove -q -o "$name.h" "$@"
}
chain 9 shortest --cache 32
check "a chain of 9 joints: the shortest code" grep -q '^ \* text .* the shortest code' shortest.h
chain 16 linked --formulation recursion
check "a chain of 16 joints: functions of links" grep -q '^ \* text .* called for one link after the other' linked.h
if ! in_sample "$top" 3; then
  finish
  exit
fi
told=$(sed -n 's/^ \* text    achd: about \([0-9]*\) KB by gcc -O2 .*/\1/p' linked.h)
printf '#include "linked.h"\nunsigned linked_called(const linked_achd_in *in, linked_achd_out *out) { return linked_achd(in, out); }\n' >linked.c
gcc -std=gnu11 -O2 -c linked.c -o arm.o
bytes=$(nm -S -t d arm.o | awk '$3 ~ /^[tT]$/ && $4 ~ /^linked_achd(_trig|_part|_step)/ { sum += $2 } END { print sum + 0 }')
check "a chain of 16 joints: $bytes bytes, told $told KB" awk "BEGIN { r = $bytes / (1024 * $told); exit !(r > 0.9 && r < 1.1) }"
chain 9 chosen --cache 32 --formulation recursion --parts 0
chain 9 usual --cache 0 --formulation recursion
check "a chain of 9 joints, in one function: the shortest code would wait" grep -q '^ \* text .* read anew in every call' chosen.h
cat >bits.c <<'END'
#include "chosen.h"
#include "usual.h"
#include <string.h>
int main(void) {
  chosen_achd_in in = CHOSEN_ACHD_IN_DEFAULT;
  usual_achd_in same;
  chosen_achd_out x;
  usual_achd_out y;
  for (int i = 0; i < CHOSEN_NJ; i++) in.q[i] = 0.7 * i - 3, in.qd[i] = 0.3 - 0.05 * i;
  for (int i = 0; i < CHOSEN_NR; i++) in.b[i] = 1.5 * i - 2;
  memcpy(&same, &in, sizeof same);
  const unsigned of_x = chosen_achd(&in, &x), of_y = usual_achd(&same, &y);
  return of_x != of_y || of_x != 0 || sizeof x != sizeof y || memcmp(&x, &y, sizeof x) != 0;
}
END
gcc -std=gnu11 -O0 -ffp-contract=off -w bits.c -o bits
check "a chain of 9 joints: bits of --cache 0" ./bits
finish

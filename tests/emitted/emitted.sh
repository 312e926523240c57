#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/emitted.sh ACHDGEN SOURCE_DIR [CC CXX ...]: what compilers make of emitted headers. No warnings, no loop, no
# call but sin and cos, hardly a jump; every mode, C and C++, several translation units.
# Compilers come in pairs, C and C++; default: gcc g++ clang clang++, those that are there. Of the combinations of compiler, robot and mode a sample is
# tried by default (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- gcc g++ clang clang++
strict="-Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wundef -Wfloat-conversion -Werror"
seconds=10 # of processor time, to compile one header
cd "$scratch"

generate() { # NAME ARGUMENTS...: robots/NAME.urdf with its layout
  robot=$1
  shift
  "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --no-prove "$@"
}

# undefined OBJECT: names that the object wants from elsewhere, the compiler's own ones apart.
undefined() { nm --undefined-only "$1" | awk '{print $2}' | grep -v -x -e '_GLOBAL_OFFSET_TABLE_' || true; }

only_sin_and_cos() {
  undefined "$1" | while read -r symbol; do
    case $symbol in
    sin | cos | sinf | cosf | sincos | sincosf) ;; # gcc joins sin and cos of one angle into sincos
    *)
      echo "$1 needs $symbol"
      exit 1
      ;;
    esac
  done
}

# flow OBJECT: can control come back to where it was, and how many conditional jumps are there? Compilers put
# unlikely blocks behind the end, with a jump back that closes no circle: so instructions are sorted
# topologically, by what can follow what; a circle leaves some over. x86-64 as objdump prints it.
flow() {
  objdump -d --no-show-raw-insn "$1" | awk '
    /^ *[0-9a-f]+:\t/ {
      address = $1
      sub(":", "", address)
      place[address] = ++n
      name[n] = $2
      to[n] = $3
    }
    END {
      for (i = 1; i <= n; i++) {
        jump = name[i] ~ /^j/ || name[i] ~ /^loop/
        if (jump && name[i] != "jmp") conditional++
        if (jump && !(to[i] in place)) strange++
        if (jump && to[i] in place) target[i] = place[to[i]]
        falls[i] = i < n && name[i] != "jmp" && name[i] !~ /^ret/
        if (falls[i]) before[i + 1]++
        if (target[i]) before[target[i]]++
      }
      for (i = 1; i <= n; i++) if (!before[i]) ready[++last] = i
      while (first < last) {
        i = ready[++first]
        if (falls[i] && !--before[i + 1]) ready[++last] = i + 1
        if (target[i] && !--before[target[i]]) ready[++last] = target[i]
      }
      print n - last, strange + 0, conditional + 0
    }'
}

no_loop() {
  flow "$1" >counts
  read -r looping strange _ <counts
  [ "$looping" -eq 0 ] && [ "$strange" -eq 0 ] && return
  echo "$1: $looping instructions in loops or behind them, $strange jumps to nowhere"
  return 1
}

# Each clamp, mask, choice and status bit in the text ("?") may become a jump; there is nothing else to jump for.
# Compiled so that no copies are inlined.
few_jumps() { # OBJECT HEADER
  flow "$1" >counts
  read -r _ _ conditional <counts
  choices=$(tr -cd '?' <"$2" | wc -c)
  [ "$conditional" -le "$choices" ] && return
  echo "$1: $conditional conditional jumps for $choices choices"
  return 1
}

# The test of the test: a loop is seen.
cat >loop.c <<'END'
int loop(int n, const int *x);
int loop(int n, const int *x) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}
END

no_static_state() { # no symbol in a writable section
  ! nm "$1" | grep -E ' [bBdDcCsS] '
}

compile() ( # OBJECT COMMAND...: within the seconds
  object=$1
  shift
  # shellcheck disable=SC3045 # dash and bash know it
  ulimit -t "$seconds"
  case $* in *-std=c++*) set -- "$@" -Wold-style-cast ;; esac
  # shellcheck disable=SC2086
  "$@" $strict -c -o "$object"
)

for name in gen3 arm1dof panda youbot_arm; do
  check "$name: header" generate "$name" -o "$name.h"
  prefix=$(sed -n 's/^#ifndef \(.*\)_ACHD_H$/\1/p' "$name.h" | head -1)
  printf '#define %s_IMPLEMENTATION\n#include "%s.h"\n' "$prefix" "$name" >"$name.c"
done
check "gen3: all functions" generate gen3 --name family -o family.h \
  --functions "achd,$(family "$top")"
printf '#define FAMILY_IMPLEMENTATION\n#include "family.h"\n' >family.c
check "gen3: float header" generate gen3 --real float -o gen3f.h
printf '#define GEN3F_IMPLEMENTATION\n#include "gen3f.h"\n' >gen3f.c
check "gen3: inline" generate gen3 --mode inline -o gen3_inline.h
check "gen3: split" generate gen3 --mode split -o gen3_split.h
check "gen3: split makes a .c beside the .h" [ -f gen3_split.c ]
if [ "$(uname -m)" = x86_64 ]; then machine=x86; else machine=other; fi

# Two units that only declare, one that implements; C and C++ mixed, two robots and two precisions.
cat >uses_c.c <<'END'
#include "gen3.h"
#include "gen3f.h"
#include "panda.h"
unsigned uses_c(void);
unsigned uses_c(void) {
  static const gen3_achd_in in;
  static const gen3f_achd_in inf;
  static const panda_achd_in pin;
  gen3_achd_out out;
  gen3f_achd_out outf;
  panda_achd_out pout;
  return gen3_achd(&in, &out) | gen3f_achd(&inf, &outf) | panda_achd(&pin, &pout);
}
END
cat >uses_cxx.cpp <<'END'
#include "gen3.h"
#include "gen3f.h"
#include "gen3.h"
extern "C" unsigned uses_c(void);
int main() {
  const gen3_achd_in in = gen3_achd_in();
  gen3_achd_out out;
  const unsigned bits = gen3_achd(&in, &out) | uses_c();
  return bits & 4u ? 1 : 0; // not finite
}
END
cat >inline_c.c <<'END'
#include "gen3_inline.h"
unsigned uses_c(void);
unsigned uses_c(void) {
  static const gen3_achd_in in;
  gen3_achd_out out;
  return gen3_achd(&in, &out);
}
END
cat >inline_cxx.cpp <<'END'
#include "gen3_inline.h"
extern "C" unsigned uses_c(void);
int main() {
  const gen3_achd_in in = gen3_achd_in();
  gen3_achd_out out;
  return (gen3_achd(&in, &out) | uses_c()) & 4u ? 1 : 0;
}
END
cat >split_main.c <<'END'
#include "gen3_split.h"
int main(void) {
  static const gen3_achd_in in;
  gen3_achd_out out;
  return gen3_achd(&in, &out) & 4u ? 1 : 0;
}
END
printf '#include "gen3.h"\n' >declares.c
# Plainly first, perhaps by some other header, then for the bodies, then once more.
cat >plainly_first.c <<'END'
#include "gen3.h"
#include "gen3f.h"
#define GEN3_IMPLEMENTATION
#include "gen3.h"
#define GEN3F_IMPLEMENTATION
#include "gen3f.h"
#include "gen3.h"
END
printf '#include "gen3_inline.h"\n#include "gen3_inline.h"\n' >inline_twice.c
printf '#include "gen3_split.h"\n#include "gen3_split.c"\n#include "gen3_split.h"\n' >split_twice.c
printf '#define GEN3_IMPLEMENTATION\n#include "gen3.h"\n' >fast.c

# -- moving bases: what is written beside fields fits on its lines; moving_bases CC CXX: no warning in any mode
cat >floating.lua <<'END'
return { base = "floating", groups = {
  { name = "fl", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" },
  { name = "body", frame = "trunk", rows = { "lin_z" }, over = "yields" },
}, wrenches = { { name = "lift", frame = "fl_foot", kind = "artificial" } },
  outputs = { "qdd", "nu", "tau_ctrl", contributions = { "qdd" } } }
END
cat >planar.lua <<'END'
return { base = "planar", passive = { "caster_joint_fl" },
  groups = { { name = "tool", frame = "gripper_palm_link", maskable = true } } }
END
narrow_fields() {
  awk '/^}/ { inside = 0 } inside && length > 100 { print; bad = 1 } /^typedef struct .*_(in|out) {/ { inside = 1 }
    END { exit bad }' "$1"
}
# Of ten headers every fifth, and each by two compilers of the four that are there.
units=
for robot in quadruped youbot; do
  case $robot in quadruped) base=floating ;; *) base=planar ;; esac
  for how in header float inline split batch; do
    in_sample "$top" 5 || continue
    case $how in header | inline | split) words="--mode $how" ;; float) words="--real float" ;; batch) words="--batch 4" ;; esac
    # shellcheck disable=SC2086 # words
    "$achdgen" "$top/robots/$robot.urdf" --layout $base.lua --no-prove --functions achd,fk,fak,jac,id,crba,com $words -o "${robot}_$how.h"
    check "${robot}_$how.h: fields" narrow_fields "${robot}_$how.h"
    macro=$(sed -n 's/^#if defined(\([A-Z]*_IMPLEMENTATION\)) .*/\1/p' "${robot}_$how.h")
    [ $how = split ] || printf '#define %s\n#include "%s"\n' "${macro:-UNUSED}" "${robot}_$how.h" >"${robot}_$how.c"
    units="$units ${robot}_$how"
  done
done
check "there are moving bases" [ -n "$units" ]
moving_bases() {
  for unit in $units; do
    if in_sample "$top" 2; then
      # shellcheck disable=SC2086 # words
      check "$1 $unit.c" "$1" -std=c99 $strict -fsyntax-only $unit.c
    else
      # shellcheck disable=SC2086 # words
      check "$2 $unit.c" "$2" -std=c++17 -x c++ $strict -Wold-style-cast -fsyntax-only $unit.c
    fi
  done
}

# -- set-points in the order of their columns, rows of friction, limits and groups mixed
for robot in gen3 youbot_arm; do
  for b in input stop; do
    frame=$([ $robot = gen3 ] && echo tool_frame || echo gripper_palm_link)
    cat >ordered.lua <<END
return { name = "ordered", friction = "input", limits = { margin = 0.1, rate = 20, b = "$b" },
  groups = { { name = "slip", frame = "$frame", rows = { "lin_y" }, friction = "input", kind = "physical" },
    { name = "tool", frame = "$frame", rows = { "lin_x", "lin_z" }, maskable = true } } }
END
    "$achdgen" "$top/robots/$robot.urdf" --layout ordered.lua --no-prove -o ordered.h
    "$achdgen" "$top/robots/$robot.urdf" --layout ordered.lua --functions mclp --columns |
      awk 'BEGIN { print "#include \"ordered.h\"" } $1 == "in" && $2 ~ /^b\./ {
        name = toupper($2); gsub(/\./, "_", name); sub(/^B_/, "ORDERED_", name)
        printf "_Static_assert(%s == %d, \"its column is %d\");\n", name, n, n; n++ }
        END { printf "_Static_assert(%d >= 3, \"columns\");\n", n }' >ordered.c
    check "$robot, b of limits: $b: b in the order of its columns" gcc -std=c11 -fsyntax-only ordered.c
  done
done

# -- the banner's stack: gcc's, of the function, its caller's sines and the longest function of a limb, within a quarter; not absurdly more than there is
stack_of() { # WHICH: 1 optimised, 2 not
  sed -n "s/.* cost  *[acdfh]* .*about \([0-9]*\) bytes of stack by gcc -O1 to -O3 and -Os, \([0-9]*\) at -O0.*/\\$1/p" stack.h
}
stack_is_true() { # FLAG WHICH
  gcc -std=c99 "$1" -fstack-usage -c stack.c -o stack.o
  used_stack=$(awk '{ n = split($1, at, ":"); if (at[n] ~ /_(achd|fd)(_trig)?$/) sum += $2
    else if (at[n] ~ /_limb[0-9]+_step/ && $2 > limb) limb = $2 } END { print sum + limb }' stack.su)
  said_stack=$(stack_of "$2")
  echo "$1: $used_stack bytes, said $said_stack"
  [ $((4 * used_stack)) -le $((5 * said_stack)) ] && [ $((2 * used_stack)) -ge "$said_stack" ]
}
for robot in gen3 youbot quadruped; do
  for real in double float; do
    in_sample "$top" 6 || continue
    generate "$robot" --real "$real" -o stack.h
    printf '#define %s_IMPLEMENTATION\n#include "stack.h"\n' "$(sed -n 's/^#ifndef \(.*\)_ACHD_H$/\1/p' stack.h | head -1)" >stack.c
    # Of the long ones, unless ACHD_SWEEP=1, what is compiled fastest: the estimate is one, of the same values in every robot.
    case "$robot $real ${ACHD_SWEEP:-}" in
    *" double 1" | "gen3 double "*) levels="-O0 -O2 -Os" ;;
    *" float 1" | "gen3 float "*) levels=-O2 ;;
    youbot*) levels=-Os ;;
    *" double "*) levels=-O1 ;;
    *) levels=-O0 ;;
    esac
    for flag in $levels; do
      check "$robot, $real, $flag: the banner's stack" stack_is_true "$flag" "$([ "$flag" = -O0 ] && echo 2 || echo 1)"
    done
  done
done
for robot in quadruped two_arms; do # limbs as functions: their structs, too
  in_sample "$top" 2 || continue
  "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --functions fd --small --lanes 1 --no-prove --real float --name limbs -o stack.h
  printf '#define LIMBSF_NO_LANES\n#define LIMBSF_IMPLEMENTATION\n#include "stack.h"\n' >stack.c
  check "$robot, functions of limbs: the banner's stack" stack_is_true -Os 1
done

used=0
while [ $# -ge 2 ]; do
  cc=$1 cxx=$2
  shift 2
  if ! has "$cc" || ! has "$cxx"; then continue; fi
  used=$((used + 1))
  moving_bases "$cc" "$cxx"
  unjoined=-O1 # jumps are made of choices at every level
  [ -z "${ACHD_SWEEP:-}" ] || unjoined=-O2
  for name in gen3 arm1dof panda youbot_arm family gen3f; do
    # what is linked below is compiled whether it is in the sample or not
    if ! in_sample "$top" 6; then
      case $name in gen3 | gen3f | panda) check "$cc $name.c" compile "$name.o" "$cc" -std=c99 -O0 "$name.c" ;; esac
      [ $name != gen3 ] || check "$cxx -std=c++17 $name.c" compile "$name.cxx.o" "$cxx" -std=c++17 -x c++ -O0 "$name.c"
      continue
    fi
    levels=-O2
    # family has gen3's functions, and more: -O3 once
    case $name in gen3) levels="-O0 -O2" ;; family) levels=-O3 ;; esac
    if [ -n "${ACHD_SWEEP:-}" ]; then case $name in gen3 | family) levels="-O0 -O2 -O3" ;; esac; fi
    for optimise in $levels; do
      object=$name$optimise.o
      check "$cc $optimise $name.c" compile "$object" "$cc" -std=c99 "$optimise" "$name.c"
      check "$cc $optimise $name.o: undefined symbols" only_sin_and_cos "$object"
      check "$cc $optimise $name.o: no static state" no_static_state "$object"
      [ "$machine" != x86 ] || check "$cc $optimise $name.o: no loop" no_loop "$object"
      cp "$object" "$name.o"
    done
    check "$cc -fno-inline $name.c" compile "$name.plain.o" "$cc" -std=c99 "$unjoined" -fno-inline "$name.c"
    [ "$machine" != x86 ] || check "$cc $name.plain.o: jumps" few_jumps "$name.plain.o" "$name.h"
    check "$cxx -std=c++17 $name.c" compile "$name.cxx.o" "$cxx" -std=c++17 -x c++ -O1 "$name.c"
    check "$cxx $name.cxx.o: undefined symbols" only_sin_and_cos "$name.cxx.o"
  done
  if [ "$machine" = x86 ]; then
    check "$cc loop.c" compile loop.o "$cc" -std=c99 -O2 loop.c
    check "$cc loop.o: the loop is seen" [ "$(flow loop.o | cut -d ' ' -f 1)" -gt 0 ]
  fi
  check "$cc: declarations only" compile declares.o "$cc" -std=c99 declares.c
  check "$cc: declarations define nothing" [ -z "$(nm declares.o)" ]
  if "$cc" -ffast-math -c fast.c -o fast.o 2>fast.said; then fast=accepted; else fast=refused; fi
  check "$cc: -ffast-math is refused" [ "$fast" = refused ]

  check "$cc: user in C" compile uses_c.o "$cc" -std=c99 uses_c.c
  check "$cxx: user in C++" compile uses_cxx.o "$cxx" -std=c++17 uses_cxx.cpp
  check "$cxx: C and C++ together" "$cxx" uses_c.o uses_cxx.o gen3.o gen3f.o panda.o -lm -o together
  check "$cc: they run" ./together
  check "$cc: implementation as C++" "$cxx" uses_c.o uses_cxx.o gen3.cxx.o gen3f.o panda.o -lm -o together
  check "$cc: they run" ./together

  check "$cc: inline in C" compile inline_c.o "$cc" -std=c99 -O0 inline_c.c
  check "$cxx: inline in C++" compile inline_cxx.o "$cxx" -std=c++17 -O0 inline_cxx.cpp
  check "$cxx: inline twice" "$cxx" inline_c.o inline_cxx.o -lm -o inlined
  check "$cc: it runs" ./inlined
  check "$cc: split" compile split.o "$cc" -std=c99 -O0 gen3_split.c
  check "$cc: split's user" compile split_main.o "$cc" -std=c99 split_main.c
  check "$cc: split links" "$cc" split.o split_main.o -lm -o split
  check "$cc: it runs" ./split

  for language in c c++; do
    in_sample "$top" 2 || continue
    case $language in c) compiler="$cc -std=c99" ;; c++) compiler="$cxx -std=c++17 -x c++" ;; esac
    # shellcheck disable=SC2086 # words
    for unit in inline_twice split_twice plainly_first; do
      check "$compiler: $unit.c" compile "$unit.o" $compiler -O0 "$unit.c"
    done
    # shellcheck disable=SC2086 # words
    check "$compiler: the C library's sines" compile libm.o $compiler -DGEN3_LIBM -O0 gen3.c
    check "$compiler: bodies also where the header came plainly first" \
      "$cxx" uses_c.o uses_cxx.o plainly_first.o panda.o -lm -o together
    check "$compiler: they run" ./together
    check "$compiler: bodies once, from the split pair too" "$cc" split_twice.o split_main.o -lm -o split
    check "$compiler: they run" ./split
  done
done
[ "$used" -gt 0 ] || skip_all "no compiler"

finish

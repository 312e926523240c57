#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/contract.sh ACHDGEN RANDOM_LAYOUT_TEST SOURCE_DIR: what emitted code promises, on random robots under random
# layouts, in every mode and precision: gcc's and clang's analyzers have nothing to say; on any numbers, NaN and any
# bits among them, sanitizers of both and memcheck neither; all of `out` is written, from what is in `in` (contract.c).
# ACHD_CONTRACT_ROBOTS: that many robots (1).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
random_layout_test=$(absolute "$2")
top=$(cd "$3" && pwd)
robots=${ACHD_CONTRACT_ROBOTS:-1}
cd "$scratch"

# The test of the test: functions that break the promises are noticed.
cat >broken.h <<'END'
typedef double r_real;
typedef unsigned r_status;
typedef struct r_good_in { double x[2]; } r_good_in;
typedef struct r_good_out { double y[2]; } r_good_out;
typedef r_good_in r_bad_in;
typedef r_good_out r_bad_out;
r_status r_good(const r_good_in *in, r_good_out *out);
r_status r_bad(const r_bad_in *in, r_bad_out *out);
r_status r_good(const r_good_in *in, r_good_out *out) {
  out->y[0] = in->x[0];
  out->y[1] = in->x[1];
  return 0;
}
r_status r_bad(const r_bad_in *in, r_bad_out *out) {
  out->y[0] = in->x[0];
#if BREAK == 1
  return 0; /* y[1] is not written */
#elif BREAK == 2
  out->y[1] = in->x[2];
#elif BREAK == 3
  out->y[1] = (int)in->x[1];
#elif BREAK == 4
  ((double *)in)[1] = 1;
  out->y[1] = 0;
#endif
  return 0;
}
END
build() { # OUT CC FLAGS...: the watcher of the emitted header or of broken.h
  program=$1
  cc=$2
  shift 2
  "$cc" -std=c99 -g -I. "$@" "$top/tests/emitted/contract.c" -o "$program" -lm
}
small() { build small gcc -O0 -DHEADER='"broken.h"' -DPREFIX=r -DAT_ONCE=1 "$@"; }
sanitize="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all"
check_memory() { valgrind -q --error-exitcode=9 "$@"; }
fails() { ! "$@"; }
check "a good function, for memcheck" small -DMEMCHECK '-DCALLS=CALL(good)'
check "a good function" check_memory ./small
check "half of out, for memcheck" small -DMEMCHECK -DBREAK=1 '-DCALLS=CALL(bad)'
check "half of out is noticed by memcheck" fails check_memory ./small
check "half of out, without" small -DBREAK=1 '-DCALLS=CALL(bad)'
check "half of out is noticed without" fails ./small
check "beyond in, for memcheck" small -DMEMCHECK -DBREAK=2 '-DCALLS=CALL(bad)'
check "beyond in is noticed" fails check_memory ./small
# shellcheck disable=SC2086
check "a cast of any number, for the sanitizers" small $sanitize -DBREAK=3 '-DCALLS=CALL(bad)'
check "a cast of any number is noticed" fails ./small
check "a write to in" small -DBREAK=4 '-DCALLS=CALL(bad)'
check "a write to in is noticed" fails ./small

watch() { # OUT CC FLAGS...
  build "$@" -DHEADER="$header" -DPREFIX="$prefix" -DAT_ONCE=4 -DROWS="${rows:-1}" -D"$implementation" -DCALLS="$calls"
}
watch_all() { # COMPILERS...
  for cc in "$@"; do
    # shellcheck disable=SC2086
    check "$what: $cc with sanitizers" watch watched $cc -O0 $sanitize
    check "$what: sanitizers of $cc" ./watched
  done
  check "$what: for memcheck" watch watched gcc -O1 -DMEMCHECK
  check "$what: memcheck" check_memory ./watched
}

seed=0
others=$(family "$top" | sed 's/\([^,]*,[^,]*\),/\1 /g') # two by two
pairs=$(echo "$others" | wc -w)
while [ "$seed" -lt "$robots" ]; do
  seed=$((seed + 1))
  "$random_layout_test" --achdgen "$achdgen" --only "$seed" --states 0 >/dev/null
  # what each robot shows beside: in turn
  functions="achd,$(echo "$others" | cut -d ' ' -f $((seed % pairs + 1)))"
  prefix=r real=double
  [ $((seed % 2)) -eq 0 ] || { prefix=rf real=float; }
  case $((seed % 3)) in
    0) mode=header ;;
    1) mode=inline ;;
    2) mode="split" ;;
  esac
  batch=0
  [ $((seed % 4)) -ne 3 ] || batch=4
  set -- random.urdf --layout random.lua --name r --functions "$functions" --real $real --mode "$mode" -o emitted.h
  [ $batch -eq 0 ] || set -- "$@" --batch $batch
  what="seed $seed, $functions, $real, $mode, batch $batch"
  check "$what: made" "$achdgen" "$@"
  calls=$(echo "$functions" | tr ',' '\n' | sed 's/.*/CALL(&)/' | tr '\n' ' ')
  calls="$calls $(echo "$functions" | tr ',' '\n' | sed 's/.*/TWIN(&)/' | tr '\n' ' ')"
  [ $batch -eq 0 ] || calls="$calls BATCH(achd_batch)"
  implementation=$(echo "$prefix" | tr '[:lower:]' '[:upper:]')_IMPLEMENTATION
  printf '#define %s\n#include "emitted.h"\n' "$implementation" >unit.c
  [ "$mode" != split ] || cp emitted.c unit.c
  check "$what: gcc's analyzer" gcc -std=c99 -O1 -fanalyzer -Wall -Wextra -Wno-unused-function -Werror -c unit.c -o unit.o
  check "$what: clang's analyzer" clang --analyze -Xanalyzer -analyzer-werror -o unit.plist unit.c
  header='"emitted.h"'
  [ "$mode" != split ] || header='"emitted.c"'
  watch_all gcc clang
done
echo "$robots robots"

# Bounded rows: the problem, and what is made of its solution.
cat >bounded.lua <<'END'
return { name = "b", friction = "input", limits = { margin = 0.1, rate = 20, b = "input" }, passive = { "arm_joint_5" },
  groups = { { name = "tool", frame = "gripper_palm_link", rows = { "lin_x", "lin_z" }, maskable = true, bounds = { lin_z = "input" } },
    { name = "slip", frame = "gripper_palm_link", rows = { "lin_y" }, friction = "input", kind = "physical" } },
  wrenches = { { name = "press", frame = "gripper_palm_link", kind = "artificial" } } }
END
for real in double float; do # one of the two
  in_sample "$top" 2 || continue
  prefix=$([ $real = double ] && echo b || echo bf)
  header='"bounded.h"' rows=$(echo "$prefix" | tr '[:lower:]' '[:upper:]')_NR implementation=${rows%_NR}_IMPLEMENTATION
  what="bounded rows, $real"
  calls="WITH(mclp, achd, mclp) AFTER(apply, mclp, achd, achd)"
  check "$what: made" "$achdgen" "$top/robots/youbot_arm.urdf" --layout bounded.lua --real $real -o bounded.h
  if [ $real = double ]; then watch_all gcc; else watch_all clang; fi
done

# Where Frama-C is installed, it proves for all numbers up to 1e5 that nothing is read beyond what was given or before
# it was written, that no integer overflows, and that all of out is written. (It knows no vectors: sines by the C library, no code for GNU C.)
cat >proof.c <<'END'
#include "emitted.c"
#include "__fc_builtin.h"
int main(void) {
  static r_achd_in in;
  r_achd_out out;
  double *x = (double *)&in;
  for (unsigned k = 0; k < sizeof in / sizeof *x; k++) x[k] = Frama_C_double_interval(-1e5, 1e5);
  r_achd(&in, &out);
  /*@ assert \initialized(&out); */
  return 0;
}
END
proves() {
  frama-c -eva -eva-precision 0 -warn-special-float none -cpp-extra-args="-std=c99 -DR_LIBM -U__GNUC__" "$@" proof.c >proof || return 1
  grep -q '0 alarms generated' proof && grep -q 'Assertions *1 valid *0 unknown *0 invalid' proof && return
  grep -e 'alarm' -e 'Assertions' proof
  return 1
}
if has frama-c; then
  for robot in arm1dof gen3 panda; do
    check "$robot: split" "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --name r --mode split -o emitted.h
    check "$robot: proven by Frama-C" proves
  done
  # the proof of the proof: half of out is not written
  printf '%s\n' 'typedef struct { double x; } r_achd_in;' 'typedef struct { double y, z; } r_achd_out;' \
    'static void r_achd(const r_achd_in *in, r_achd_out *out) { out->y = in->x; }' >emitted.c
  check "half of out is not proven" fails proves
else
  echo "no Frama-C here (package frama-c-base): no proof"
fi
finish

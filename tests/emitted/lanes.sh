#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/lanes.sh ACHDGEN SOURCE_DIR HUMANOID: limbs as lanes (--lanes 1). With vectors the status of the default header
# and numbers as good as its, on robots with legs, arms and wheels, and on random trees; without vectors its numbers to the
# bit. Vectors are used, the code is shorter; headers compile without a warning as C and C++, with and without vectors; a number in a wrong lane is noticed.
# Of the cases every tenth (in_sample). ACHD_SWEEP: more robots, clang, more states.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
humanoid=$(absolute "$3")
robots=$top/robots
states=500
compilers=gcc
[ -z "${ACHD_SWEEP:-}" ] || states=200000 compilers="gcc clang"
cd "$scratch"
avx=-mavx2
grep -qw avx2 /proc/cpuinfo 2>/dev/null || avx=
strict="-Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wundef -Wfloat-conversion -Werror"

# make_exact ARGUMENTS...: exact.h in double. Choices are choices there: masks are of the bits of doubles.
make_exact() {
  for word; do
    shift
    [ "$word" = --branchless ] || set -- "$@" "$word"
  done
  "$achdgen" -q "$@" --no-prove --real double --name exact --cache 0 --mode inline -o exact.h
}

# make_both REAL ARGUMENTS...: plain.h and packed.h, and exact.h in a longer format.
# shellcheck disable=SC2086 # options are words
make_both() {
  real=$1
  shift
  "$achdgen" -q "$@" --no-prove --real "$real" --name plain --cache 0 --mode inline -o plain.h &&
    "$achdgen" -q "$@" --no-prove --real "$real" --name packed --lanes 1 --mode inline -o packed.h &&
    make_exact "$@" || return 1
  [ "$real" = float ] || { in_long_double exact.h >longer.h && mv longer.h exact.h; }
}

# run_both CC REAL FUNCTION FLAGS...: both on the same states.
run_both() {
  cc=$1 real=$2 function=$3
  shift 3
  f='' longer='long double'
  [ "$real" = double ] || f=f longer=double
  start=$(printf 'plain%s_%s_in_default' "$f" "$function" | tr '[:lower:]' '[:upper:]')
  $cc -std=gnu11 -O0 "$@" -DREAL="$real" -DLONGER="$longer" -DP="plain${f}_$function" -DL="packed${f}_$function" -DE="exact_$function" \
    -DSTART="$start" -I. -I"$top/tests/emitted" "$top/tests/emitted/lanes.c" -o equal -lm && ./equal "$states"
}

# same REAL FUNCTION FLAGS ARGUMENTS...: from both headers the same status, and numbers that are as good.
same() {
  real=$1 function=$2 flags=$3
  shift 3
  make_both "$real" "$@" --functions "$function" || return 1
  for compiler in $compilers; do
    # shellcheck disable=SC2086 # flags are words
    run_both $compiler "$real" "$function" $flags || return 1
  done
}

many_operations() {
  "$achdgen" -q --no-prove spider.urdf --layout free.lua --functions fd --lanes 1 --mode inline -o packed.h && ! grep -q shorter.lua packed.h
}

# Of six vectors of inputs and results: what all others are told by.
asks_few() {
  [ "$(sed -n '/X4_PROBE(1/,/;/p' packed.h | grep -o '1.52587890625e-05' | wc -l)" -eq 6 ]
}

quadruped="$robots/quadruped.urdf --layout $robots/quadruped.lua"
arms="$robots/two_arms.urdf --layout $robots/two_arms.lua"
wheels="$robots/table41_base.urdf --layout $robots/table41_base.lua"
echo 'return { base = "floating", outputs = { "qdd" } }' >free.lua
sed 's/, "pivot_min"//' "$robots/quadruped.lua" >feet.lua
"$humanoid" 3 >humanoid.urdf
cat >soles.lua <<'END'
local rows = { "lin_x", "lin_y", "lin_z" }
return {
  base = "floating", outputs = { "qdd", "nu" },
  groups = {
    { name = "left", frame = "left_foot", rows = rows, kind = "physical" },
    { name = "right", frame = "right_foot", rows = rows, kind = "physical" },
  },
}
END
cat >load.lua <<'END'
return {
  base = "floating", outputs = { "qdd" }, armature = "input",
  payload = { frame = "trunk", mass = "input", com = "input", inertia = "input" },
}
END
# a trunk like a needle, legs that slide in the middle
sed 's/\(_thigh_joint" type="\)revolute/\1prismatic/; s/ixx="0.0253"/ixx="1e-6"/' "$robots/quadruped.urdf" >slides.urdf
awk 'BEGIN { # a spider: eight legs of two joints, no two alike
  print "<robot name=\"spider\">"
  mass = "<mass value=\"%g\"/><inertia ixx=\"%g\" ixy=\"0\" ixz=\"%g\" iyy=\"%g\" iyz=\"0\" izz=\"%g\"/></inertial></link>\n"
  printf "<link name=\"body\"><inertial><origin xyz=\"0.01 0 0\"/>" mass, 2, 0.02, 0.001, 0.03, 0.04
  joint = "<joint name=\"%s\" type=\"continuous\"><parent link=\"%s\"/><child link=\"%s\"/><origin xyz=\"%g %g %g\" rpy=\"0 0 %g\"/><axis xyz=\"%s\"/></joint>\n"
  for (k = 0; k < 8; k++) {
    printf joint, "hip" k, "body", "upper" k, 0.1 * cos(k), 0.1 * sin(k), 0.01 * k, k, "0 0 1"
    printf "<link name=\"upper%d\"><inertial><origin xyz=\"%g 0.01 %g\"/>" mass, k, 0.05 + 0.01 * k, 0.002 * k, 0.3, 2e-4, 1e-5, 3e-4, 3e-4
    printf joint, "knee" k, "upper" k, "lower" k, 0.12, 0.01 * k, 0.02, 0.3, "0 1 0"
    printf "<link name=\"lower%d\"><inertial><origin xyz=\"%g 0 -0.05\"/>" mass, k, 0.03 * k - 0.1, 0.2, 3e-4, 2e-5, 3e-4, 1e-4
  }
  print "</robot>"
}' >spider.urdf
awk 'BEGIN { # 70 arms of one joint, no two alike: limbs are bits of a word elsewhere, and this is more than it has
  print "<robot name=\"fan\">"
  mass = "<mass value=\"%g\"/><inertia ixx=\"%g\" ixy=\"0\" ixz=\"%g\" iyy=\"%g\" iyz=\"0\" izz=\"%g\"/></inertial></link>\n"
  printf "<link name=\"body\"><inertial><origin xyz=\"0.01 0 0\"/>" mass, 2, 0.02, 0.001, 0.03, 0.04
  for (k = 0; k < 70; k++) {
    printf "<joint name=\"j%d\" type=\"continuous\"><parent link=\"body\"/><child link=\"arm%d\"/><origin xyz=\"%g %g %g\" rpy=\"0.1 0 %g\"/><axis xyz=\"0 0 1\"/></joint>\n", k, k, 0.1 * cos(k), 0.1 * sin(k), 0.01 * k, k
    printf "<link name=\"arm%d\"><inertial><origin xyz=\"%g 0.01 %g\"/>" mass, k, 0.05 + 0.001 * k, 0.002 * k, 0.3, 2e-4, 1e-5, 3e-4, 3e-4
  }
  print "</robot>"
}' >fan.urdf
awk 'BEGIN { # four arms whose last joint slides: of the positions four at a time are angles
  print "<robot name=\"arms\"><link name=\"body\"/>"
  split("0 0 1,0 1 0,1 0 0,0 1 0,0 0 1", axis, ",")
  for (side = 1; side <= 4; side++)
    for (k = 1; k <= 5; k++) {
      parent = k > 1 ? "arm" side "_" (k - 1) : "body"
      printf "<link name=\"arm%d_%d\"><inertial><origin xyz=\"0.01 0.02 -0.1\"/><mass value=\"%g\"/>", side, k, 2 + 0.1 * side
      print "<inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial></link>"
      printf "<joint name=\"j%d_%d\" type=\"%s\"><parent link=\"%s\"/><child link=\"arm%d_%d\"/>", side, k, k < 5 ? "continuous" : "prismatic", parent, side, k
      printf "<origin xyz=\"0.1 0 -0.2\"/><axis xyz=\"%s\"/><limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"9\"/></joint>\n", axis[k]
    }
  print "</robot>"
}' >slide.urdf
echo 'return { gravity = { 0, 0, -9.81 }, groups = {} }' >still.lua
# shellcheck disable=SC2086 # arguments are words
if [ -n "$avx" ]; then
  if in_sample "$top" 10; then
    check "legs: forward dynamics" same double fd $avx $quadruped; cat .said
    check "... in few steps one after the other" grep -q "halves.lua" packed.h
    check "... with rotors and a load at run time" same double fd "$avx -DOVERFLOWS" "$robots/quadruped.urdf" --layout load.lua; cat .said
    check "... in few steps, but for the base, whose determinants have no known size" sh -c '! grep -q halves.lua packed.h && grep -q shorter.lua packed.h'
  fi
  if in_sample "$top" 10; then
    check "legs that slide, a trunk like a needle" same double fd "$avx -DOVERFLOWS" slides.urdf --layout free.lua; cat .said
    check "... in few steps one after the other" grep -q "halves.lua" packed.h
    check "... in float" same float fd "$avx -DOVERFLOWS" slides.urdf --layout free.lua; cat .said
    check "... where determinants could leave their range: by pivots" sh -c '! grep -q halves.lua packed.h'
  fi
  sampled 10 "where operations bound the time, in few of these" many_operations
  if in_sample "$top" 10; then
    check "legs: inverse dynamics" same double id "$avx -DZEROED" $quadruped; cat .said
    check "... asks few of its inputs and results" asks_few
    check "... whose torques are stored two at a time" sh -c "[ \$(grep -c 'packed_x2_memory \*)(void \*)&out->tau' packed.h) -eq 6 ]"
    check "... gravity and acceleration turned as one" sh -c "sed -n '/defined(PACKED_LANES)\$/,/^#else/p' packed.h | tr -s ' \n' ' ' |
      grep -qE 'in->gravity\[[0-2]\] - in->base.acc.lin\[[0-2]\]|in->base.acc.lin\[[0-2]\] - in->gravity\[[0-2]\]'"
  fi
  if in_sample "$top" 10; then
    check "legs: rows at the feet" same double achd $avx $quadruped --formulation recursion; cat .said
  fi
  sampled 10 "legs: poses" same double fk $avx $quadruped
  if in_sample "$top" 10; then
    check "legs, in float" same float id "" $quadruped; cat .said
  fi
  sampled 10 "wheels" same double id "$avx -DZEROED" $wheels
  if in_sample "$top" 10; then
    check "arms and legs that are unlike" same double id $avx humanoid.urdf --layout free.lua; cat .said
  fi
  sampled 10 "without choices" same double id $avx $quadruped --branchless
  if in_sample "$top" 10; then
    check "the null-space solve, and the general solve where that does not apply" same double achd $avx "$robots/quadruped.urdf"
    check "... in vectors both ways" sh -c "sed -n '/defined(PACKED_LANES)\$/,/^#else/p' packed.h | grep -A999 '^  if (' | grep -c 'packed_x4 .* = [^{]' |
      awk '{ exit !(\$1 > 60) }'"
  fi
  check "four numbers that are asked as one vector" same double id "$avx -DZEROED" slide.urdf --layout still.lua; cat .said
  check "... are" grep -q 'probe_4(const' packed.h
  sampled 10 "in parts, without vectors" same double id $avx $quadruped --parts 200
  if in_sample "$top" 10; then
    check "eight floats" same float fd $avx spider.urdf --layout free.lua
    check "... are vectors of eight" grep -q 'packedf_x8 .* = ' packed.h
  fi
  if in_sample "$top" 10; then
    check "twice four doubles" same double fd $avx spider.urdf --layout free.lua
    check "... are vectors of four" grep -q 'packed_x4 .* = ' packed.h
    check "... whose sums go two at a time, and are pairs then" grep -q 'packed_x2 .* = [a-z0-9_]* + [a-z0-9_]*;' packed.h
  fi
  if in_sample "$top" 10; then
    check "more limbs than a word has bits" same double id "$avx -DZEROED" fan.urdf --layout free.lua; cat .said
    check "... whose torques are stored four at a time" grep -q 'packed_x4_memory \*)(void \*)&out->tau' packed.h
    check "... are vectors" sh -c "[ \$(grep -c 'packed_x4 .* = ' packed.h) -gt 300 ]"
  fi
fi
# shellcheck disable=SC2086
{
  sampled 10 "arms, in pairs" same double id "" $arms
  sampled 10 "arms: forward dynamics" same double fd "" $arms
  check "legs, where the CPU has no such vectors" same double id "-DSAME -ffp-contract=off" $quadruped
  check "legs, vectors refused" same double id "$avx -ffp-contract=off -DSAME -DPACKED_NO_LANES" $quadruped
}
# Lanes that the length of the code chooses (--cache), of code that would fit, beside what other options do: drawn at random, the same
# ones as long as the sources stay. Each header is proven, and its banner tells of lanes; its numbers are as good as those of the serial form, one by one
# or, by --batch, one after the other in all places of a batch; and two runs give the same bits. ACHD_SWEEP: 60 of them.
drawn=0
draw() { # N: one of 0 .. N - 1, in $drawn
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  drawn=$((seed / 65536 % $1))
}
pick() { # WORDS...: one of them, in $picked; - is none
  draw $#
  shift "$drawn"
  picked=$1
  [ "$picked" != - ] || picked=
}
through() { # FUNCTION F STATES: packed.h calls the function by the batch's
  mv packed.h made.h
  cat >packed.h <<END
#include "made.h"
typedef packed$2_$1_in through$2_$1_in;
typedef packed$2_$1_out through$2_$1_out;
static unsigned through$2_$1(const through$2_$1_in *in, through$2_$1_out *out) {
  enum { K = $3, READ = sizeof *in / sizeof(REAL), WRITTEN = sizeof *out / sizeof(REAL) };
  static union { packed$2_$1_batch_in of; REAL x[READ * K]; } all;
  static union { packed$2_$1_batch_out of; REAL x[WRITTEN * K]; } results;
  static long calls; /* the state before stays in its place, and the first one fills all */
  packed$2_status status[K];
  const int at = (int)(calls % K);
  for (int k = calls ? at : 0; k <= (calls ? at : K - 1); k++)
    for (int i = 0; i < READ; i++) all.x[i * K + k] = ((const REAL *)in)[i];
  calls++;
  packed$2_$1_batch(&all.of, &results.of, status);
  for (int i = 0; i < WRITTEN; i++) ((REAL *)out)[i] = results.x[i * K + at];
  return status[at];
}
END
}
# crossed: subject, function, real, options, batch, flags as drawn; mistake: put into the header, for sed
mistake=
# shellcheck disable=SC2086 # words
crossed() {
  f='' longer='long double'
  [ "$real" = double ] || f=f longer=double
  "$achdgen" -q $subject --functions "$function" --real "$real" --name packed --cache 1 $options ${batch:+--batch $batch} -o packed.h || return 1
  grep -q "^ \* text    $function: .*limbs of equal shape" packed.h && grep -q "^ \* proven  $function: identical" packed.h || return 1
  "$achdgen" -q $subject --functions "$function" --real "$real" --name plain --cache 0 --no-prove --mode inline -o plain.h || return 1
  if [ -n "$mistake" ]; then
    sed -i "$mistake" packed.h
  fi
  make_exact $subject --functions "$function" || return 1
  [ "$real" = float ] || { in_long_double exact.h >longer.h && mv longer.h exact.h; }
  called=packed${f}_$function
  [ -z "$batch" ] || { through "$function" "$f" "$batch" && called=through${f}_$function; }
  start=$(printf 'plain%s_%s_in_default' "$f" "$function" | tr '[:lower:]' '[:upper:]')
  gcc -std=gnu11 -O0 $flags -DREAL="$real" -DLONGER="$longer" -DP="plain${f}_$function" -DL="$called" -DE="exact_$function" -DOVERFLOWS \
    -DPACKED_IMPLEMENTATION -DPACKEDF_IMPLEMENTATION -DSTART="$start" -I. -I"$top/tests/emitted" "$top/tests/emitted/lanes.c" -o equal -lm || return 1
  ./equal 300 && ./equal 300 >once && FURTHER=$PWD/$subject ./equal 300 >again && cmp once again # other addresses of the stack
}
if [ -n "$avx" ]; then
  number=0
  crossings=1
  [ -z "${ACHD_SWEEP:-}" ] || crossings=60
  in_sample "$top" 1 # makes sample_from
  seed=$((${sample_from:-1} % 2147483648))
  while [ $number -lt $crossings ]; do
    number=$((number + 1))
    pick quadruped two_arms table41_base "free" feet soles
    case $picked in
    soles) subject="humanoid.urdf --layout soles.lua" && pick achd fd id ;; # limbs need numbers of other limbs
    feet) subject="$robots/quadruped.urdf --layout feet.lua" && pick achd ;; # two solves: the general one by functions of limbs
    free) subject="$robots/quadruped.urdf" && pick id fd achd jac crba did dfd ;;
    quadruped) subject="$robots/$picked.urdf --layout $robots/$picked.lua" && pick id fd fk bias did achd ;;
    two_arms) subject="$robots/$picked.urdf --layout $robots/$picked.lua" && pick id fd crba bias ;;
    *) subject="$robots/$picked.urdf --layout $robots/$picked.lua" && pick id fd fk jac bias did ;;
    esac
    function=$picked options='' batch='' real=double
    pick double double float && real=$picked
    [ "$function" != achd ] || real=double # in float lanes do not gain enough there
    pick - --branchless --prefetch && options=$picked
    pick - "--parts 200" "--parts 100" && options="$options $picked"
    if [ "$options" = "${options#*--branchless}" ]; then
      pick - 4 8 16 && batch=$picked
      [ "$real" = float ] || { pick - - "--dispatch avx2" && options="$options $picked"; }
    fi
    case $function$options in # without choices its pivots are not those of early elimination
    achd*--branchless*) subject="$robots/quadruped.urdf --layout feet.lua" ;;
    esac
    pick "$avx" "$avx -mfma" - && flags=$picked
    check "crossed: $function of ${subject##*/}, $real, $options, batch of ${batch:-none}, $flags" crossed
    cat .said
  done
  # a sign in a batch beside lanes is noticed
  wrong_sign() {
    # shellcheck disable=SC2016 # of sed
    subject=$wheels function=id real=double options='' batch=4 flags=$avx mistake='/_id_batch(/,$s/^\(  const packed_batch [a-z0-9_]* = [a-z0-9_]* \)+ /\1- /'
    ! crossed >told && grep -q "with lanes" told
  }
  check "crossed: a sign in a batch is noticed" wrong_sign
  wrong_way() { # MISTAKE: of two solves, one of which is by functions of limbs
    subject="$robots/quadruped.urdf --layout feet.lua" function=achd real=double options='' batch='' flags=$avx mistake=$1
    ! crossed >told && grep -q "with lanes" told
  }
  sampled 6 "a sign in the general way is noticed" wrong_way '/_PART void packed_achd_general_part_/,/^}/s/ + / - /'
  sampled 6 "a sign in the early way is noticed" wrong_way '/^    const packed_x4/s/ + / - /'
  mistake=
  # shellcheck disable=SC2086
  chosen() { # lanes are chosen, checked and proven
    "$achdgen" -q $quadruped --functions fd --cache 1 -o packed.h && grep -q '^ \* text    fd: .*limbs of equal shape' packed.h && grep -q '^ \* proven  fd: identical' packed.h
  }
  check "chosen: proven" chosen
  # shellcheck disable=SC2016,SC2086
  check "chosen: forced" sh -c '! "$0" "$@" --lanes 1 --cache 8 -o none.h 2>told && grep -q "exclude each other" told && [ ! -f none.h ]' "$achdgen" $quadruped
fi
if [ -n "${ACHD_SWEEP:-}" ] && [ -n "$avx" ]; then
  for seed in 1 2 4 5 6 7 8 9; do
    "$humanoid" $seed >humanoid.urdf
    for function in id crba; do
      check "random tree $seed, $function" same double $function $avx humanoid.urdf --layout free.lua
    done
  done
  # shellcheck disable=SC2086
  for real in double float; do
    for function in id fd achd fk gravity bias; do
      check "legs, $real, $function" same $real $function $avx $quadruped
    done
  done
fi

# shorter FUNCTION LEAST ARGUMENTS...: at least LEAST products and sums of four doubles, and a shorter function.
shorter() {
  function=$1 least=$2
  shift 2
  make_both double "$@" --functions "$function" || return 1
  for name in plain packed; do
    echo "#include \"$name.h\"
void call(const ${name}_${function}_in *in, ${name}_${function}_out *out, unsigned *status);
void call(const ${name}_${function}_in *in, ${name}_${function}_out *out, unsigned *status) { *status = ${name}_$function(in, out); }" >$name.c
    gcc -std=c99 -O2 -mavx2 -mfma -c $name.c -o $name.o || return 1
  done
  bytes() { size "$1" | awk 'NR == 2 { print $1 }'; }
  vectors=$(objdump -d --no-show-raw-insn packed.o | grep -cE 'v(mul|add|sub|f[n]?m(add|sub)[123]*)pd .*ymm' || true)
  echo "$function: $(bytes plain.o) bytes, $(bytes packed.o) with lanes, $vectors operations of vectors"
  [ "$vectors" -ge "$least" ] && [ $((10 * $(bytes packed.o))) -le $((8 * $(bytes plain.o))) ]
}
# shellcheck disable=SC2086
{
  sampled 6 "vectors in forward dynamics" shorter fd 250 $quadruped
  cat .said
  sampled 6 "vectors in inverse dynamics" shorter id 100 $quadruped
  cat .said
}

# The other kinds of headers: the functions of a batch are those without lanes, to the bit; a source of its own, a library.
batched() {
  # shellcheck disable=SC2086
  for lanes in 0 1; do
    "$achdgen" -q $quadruped --no-prove --functions fd --batch 4 --lanes $lanes --name of$lanes --mode inline -o of$lanes.h || return 1
  done
  cat >batch.c <<'END'
#include "of0.h"
#include "of1.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  static union { of0_fd_batch_in a; of1_fd_batch_in b; double x[sizeof(of0_fd_batch_in) / sizeof(double)]; } in;
  static of0_fd_batch_out a;
  static of1_fd_batch_out b;
  of0_status s[4];
  of1_status t[4];
  for (int k = 0; k < (int)(sizeof in / sizeof(double)); k++) in.x[k] = 0.1 + 0.37 * (k % 11);
  of0_fd_batch(&in.a, &a, s);
  of1_fd_batch(&in.b, &b, t);
  printf("%g\n", a.qdd[3][2]);
  return memcmp(&a, &b, sizeof a) != 0 || memcmp(s, t, sizeof s) != 0 || a.qdd[3][2] == 0;
}
END
  gcc -std=gnu11 -O1 -ffp-contract=off $avx batch.c -o batch && ./batch
}
check "batches beside lanes" batched
# elsewhere MODE FLAGS...: the function in another source: numbers as good as the default header's.
elsewhere() {
  mode=$1
  shift
  # shellcheck disable=SC2086
  make_both double $arms --functions id || return 1
  # shellcheck disable=SC2086
  "$achdgen" -q --no-prove $arms --functions id --name packed --lanes 1 --mode "$mode" -o packed.h || return 1
  gcc -std=gnu11 -O1 "$@" -c packed.c -o packed.o && grep -q 'PACKED_LANES' packed.c && run_both gcc double id packed.o
}
sampled 6 "a source of its own" elsewhere split
sampled 6 "a library" elsewhere shared
# shellcheck disable=SC2016,SC2086
check "no theorem about vectors" sh -c '! echo | "$0" "$@" --functions id --gappa tau --lanes 1 2>told && grep -q "exclude each other" told' \
  "$achdgen" $quadruped

# clean ARGUMENTS...: no warning, as C99 and C++17, with vectors and without.
clean() {
  "$achdgen" -q "$@" --no-prove --name packed --lanes 1 --mode inline -o packed.h || return 1
  echo '#include "packed.h"' >unit.c
  cp unit.c unit.cpp
  for flags in "" "-mavx2 -mfma"; do
    for cc in "gcc -std=c99" "clang -std=c99"; do
      has "${cc%% *}" || continue
      # shellcheck disable=SC2086
      $cc -O1 $flags $strict -c unit.c -o unit.o || return 1
    done
    for cc in "g++ -std=c++17" "clang++ -std=c++17"; do
      has "${cc%% *}" || continue
      # shellcheck disable=SC2086
      $cc -O0 $flags $strict -c unit.cpp -o unit.o || return 1
    done
  done
}
# shellcheck disable=SC2086
{
  sampled 6 "no warning, legs" clean $quadruped --functions fd,id
  sampled 6 "no warning, in parts" clean $quadruped --functions fd --parts 200
  sampled 6 "no warning, arms, float" clean $arms --functions id --real float
}

# A number in another limb's lane is noticed: by these tests, where the text is changed.
# shellcheck disable=SC2086
noticed() {
  make_both double $arms --functions id || return 1
  line=$(grep -n 'packed_x2 .* = {.*0\.[0-9]*, .*0\.[0-9]*};' packed.h | head -1 | cut -d: -f1)
  [ -n "$line" ] || { echo "no vector of constants"; return 1; }
  sed "${line}s/{\(.*\), \(.*\)}/{\2, \1}/" packed.h >changed.h
  ! cmp -s packed.h changed.h || { echo "the constants are equal: $(sed -n "${line}p" packed.h)"; return 1; }
  mv changed.h packed.h
  ! run_both gcc double id >told || { cat told; return 1; }
  grep -q "number" told
}
check "exchanged lanes are noticed" noticed

# plain ARGUMENTS...: nothing gains, which a note says, and the header is that of --lanes 0, to the byte.
plain() {
  "$achdgen" "$@" --lanes 1 --no-prove -o - >same1.h 2>told || { cat told; return 1; }
  "$achdgen" "$@" --lanes 0 --no-prove -q -o - >same0.h && "$achdgen" "$@" --lanes 1 --no-prove -q -o - >quiet.h 2>silence || return 1
  grep -q 'note: --lanes 1 is as --lanes 0 here' told && [ ! -s silence ] && cmp same0.h same1.h && cmp same0.h quiet.h
}
check "an arm has no second one" plain "$robots/gen3.urdf" --layout "$robots/gen3.lua"
check "... in functions of limbs" plain "$robots/gen3.urdf" --layout "$robots/gen3.lua" --small
check "a gripper's fingers are too short" plain "$robots/gripper.urdf" --layout "$robots/gripper.lua"
check "motors that hold a robot on its feet" plain "$robots/quadruped.urdf" --layout "$robots/motors/quadruped.lua"
# by_default FUNCTION CODE ARGUMENTS...: the default header is that of --lanes 0, to the byte (CODE 0), or tells of lanes (CODE 1).
by_default() {
  function=$1 code=$2
  shift 2
  for lanes in "" "--lanes 0"; do
    # shellcheck disable=SC2086 # words
    "$achdgen" -q "$@" --functions "$function" $lanes --no-prove -o - >"text$lanes" || return 1
  done
  [ -s text ] && ! grep -q "^ \* text .*limbs of equal shape" "text--lanes 0" || return 1
  if [ "$code" = 1 ]; then grep -q "^ \* text    $function: .*limbs of equal shape" text; else cmp text "text--lanes 0"; fi
}
# shellcheck disable=SC2086
{
  check "lanes are the default of code that fits" by_default id 1 $quadruped
  check "... of two arms" by_default fd 1 $arms
  check "... of two solves, of which the general one gains a fifth" by_default achd 1 $wheels
  check "but not of short code of two limbs" by_default gravity 0 $arms
  check "... nor of floats" by_default id 0 $quadruped --real float
  check "... nor beside batches, whose states have the same bits" by_default id 0 $quadruped --batch 4
}
# in_parts ROBOT: two solves, of which the long one is often taken; by --parts 0 the same numbers from whole functions.
in_parts() {
  "$achdgen" -q "$robots/$1.urdf" --layout "$robots/$1.lua" --functions achd --no-prove --name packed --mode inline -o packed.h &&
    grep -q '^ \* text    achd: .* of 100 random states go the other way, in parts of 200 ' packed.h || return 1
  real=double
  "$achdgen" -q "$robots/$1.urdf" --layout "$robots/$1.lua" --functions achd --no-prove --name plain --parts 0 --mode inline -o plain.h &&
    make_exact "$robots/$1.urdf" --layout "$robots/$1.lua" --functions achd && in_long_double exact.h >longer.h && mv longer.h exact.h &&
    run_both gcc double achd -ffp-contract=off -DSAME
}
sampled 4 "two arms, which often take the general solve, in parts" in_parts two_arms
# one_load FUNCTION ROBOT: angles that are no neighbours in q go into a vector, not into an array, from which a vector could not be loaded at once.
one_load() {
  "$achdgen" -q "$robots/$2.urdf" --layout "$robots/$2.lua" --functions "$1" --name packed --no-prove -o packed.h && grep -q 'const packed_angles angle[0-9]* = {' packed.h &&
    ! grep -q 'angle\[' packed.h
}
check "the yaw of a base beside wheels" one_load fk youbot_base
check "a finger that mimics another" one_load fk gripper
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# kdl.sh ACHDGEN SOURCE_DIR CXX GEN3_BESIDE COPIES: --kdl and achd/kdl.hpp are drop-ins for KDL's solvers: of a robot with fixed joints, a sliding
# joint and side branches, and of the Gen3, with kdl_parser's chains and with ours; what KDL's chains cannot have is refused.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
gen3_beside=$(absolute "$4") # side_by_side.cpp of the Gen3, which the build has compiled: that takes longest
copies=$(absolute "$5")      # copies.cpp of branches.urdf
pkg-config --exists orocos-kdl eigen3 || skip_all "KDL is not there (Debian's liborocos-kdl-dev)"
cd "$scratch" || exit 1
optimise=-O0 # compiling is what takes the time
[ "${ACHD_SWEEP:-0}" = 1 ] && optimise=-O1
flags="-std=c++11 $optimise -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror -I. -I$top/runtime -I$top/tests"
libraries=$(pkg-config --libs orocos-kdl)
for package in orocos-kdl eigen3; do # as of a system: none of its warnings
  flags="$flags $(pkg-config --cflags $package | sed 's/-I/-isystem /g')"
done
# Not by pkg-config: Debian's kdl_parser.pc requires packages that have no such file.
if printf '#if !__has_include(<kdl_parser/kdl_parser.hpp>)\n#error\n#endif\n' | $cxx -E -x c++ - >/dev/null 2>&1; then
  flags="$flags -DWITH_PARSER"
  libraries="-lkdl_parser $libraries"
else
  echo kdl_parser >>"$scratch/.left_out"
fi

# robot NAME URDF BASE TIP
robot() {
  check "$1: a header" "$achdgen" "$2" --kdl "$3:$4" --name "$1" -q -o "$1_kdl.hpp"
  # shellcheck disable=SC2086 # lists of words
  check "$1: compiles without a warning" $cxx $flags -DCHAIN="$1_kdl" -include "$1_kdl.hpp" "$top/tests/kdl/kdl_test.cpp" -o "$1" $libraries
  check "$1: as KDL" "./$1" "$2" "$3" "$4"
}
# The chain without its branches, by a layout with weights: what setDriverWeights is compared with.
mkdir system
grep -v -e camera -e '"g"' -e '"other"' "$top/tests/kdl/branches.urdf" >plain.urdf
cat >weighed.lua <<'END'
return {
  torques = { physical = true },
  wrenches = { { name = "on_tip", frame = "tip", kind = "physical" }, { name = "on_l2", frame = "l2", kind = "physical" } },
  groups = { { name = "tip", frame = "tip", rows = 3, acceleration = "spatial", weights = "input" } },
  outputs = { "qdd", "nu" },
}
END
check "a layout with weights" "$achdgen" plain.urdf --layout weighed.lua --snap 0 --mode inline --name weighed -q -o system/weighed.h
all_flags=$flags
flags="$flags -DWITH_WEIGHTS -isystem system"
robot branches "$top/tests/kdl/branches.urdf" world tip
if [ "${ACHD_SWEEP:-0}" = 1 ]; then # its functions are not taken for those of --kdl: their weights would be 0
  cat >weighed.cpp <<'END'
#include <weighed.h>
struct weighed_kdl : branches_kdl { typedef weighed_achd_in achd_any_in; };
template class achd::ChainHdSolver_Vereshchagin<weighed_kdl>;
END
  # shellcheck disable=SC2086
  $cxx $flags -include branches_kdl.hpp -fsyntax-only weighed.cpp >said.txt 2>&1
  check "functions of a layout with weights are refused" grep -q 'use the functions that achdgen --kdl writes' said.txt
fi
flags=$all_flags

# judge_copies PROGRAM: what is compiled twice, beside the copy for any processor
judge_copies() {
  "$1" >said.txt
  status=$?
  [ $status = 77 ] || check "copies: $1" [ $status = 0 ]
  sed 's/^/copies: /' said.txt
}
judge_copies "$copies"
if [ "${ACHD_SWEEP:-0}" = 1 ]; then
  # shellcheck disable=SC2086
  check "copies with FMA: compile" $cxx $flags -O2 -DACHD_KDL_CPU=2 -DCHAIN=branches_kdl -include branches_kdl.hpp "$top/tests/kdl/copies.cpp" -o copies $libraries
  judge_copies ./copies
fi

# beside NAME ROBOT BASE TIP STATES: both solvers beside a dense one; with what the processor has for the functions, where it has that
: >target.h
! grep -q -w fma /proc/cpuinfo 2>/dev/null || echo '#define ACHD_KDL_TARGET "avx2,fma"' >target.h
beside() {
  [ -f "$1_kdl.hpp" ] || check "$1: a header" "$achdgen" "$2" --kdl "$3:$4" --name "$1" -q -o "$1_kdl.hpp"
  # shellcheck disable=SC2086
  check "$1: compiles" $cxx $flags -Wno-conversion -DCHAIN="$1_kdl" -include target.h -include "$1_kdl.hpp" "$top/tests/kdl/side_by_side.cpp" -o "$1_beside" $libraries
  check "$1: beside a dense solve" "./$1_beside" "$5"
  sed "s/^/$1: /" "$scratch/.said"
}
if [ "${ACHD_SWEEP:-0}" = 1 ]; then
  robots=$top/robots
  robot gen3 "$robots/gen3.urdf" base_link bracelet_link
  robot panda "$robots/panda.urdf" panda_link0 panda_link8
  beside gen3 "$robots/gen3.urdf" base_link bracelet_link 10000
  beside panda7 "$robots/panda.urdf" panda_link0 panda_link7 10000
  while read -r name urdf base tip; do
    beside "$name" "$robots/$urdf.urdf" "$base" "$tip" 10000
  done <"$top/tests/kdl/robots.txt"
else
  check "gen3: a header" "$achdgen" "$top/robots/gen3.urdf" --kdl base_link:bracelet_link --name gen3 -q -o gen3_kdl.hpp
  check "gen3: that of the program" cmp gen3_kdl.hpp "$(dirname "$gen3_beside")/gen3_kdl.hpp"
  check "gen3: beside a dense solve" "$gen3_beside" 200
  sed "s/^/gen3: /" "$scratch/.said"
fi

# refuse WHAT ROBOT ARGUMENTS...: with this in the message, and nothing is written
refuse() {
  text=$1
  shift
  "$achdgen" "$@" -q -o no.hpp >said.txt 2>&1
  check "refused: $text" [ $? = 1 ]
  check "says so: $text" grep -q -e "$text" said.txt
  check "wrote nothing: $text" test ! -e no.hpp
}
refuse 'did you mean "tip"' "$top/tests/kdl/branches.urdf" --kdl tipp
refuse 'does not carry "tip"' "$top/tests/kdl/branches.urdf" --kdl camera:tip
refuse 'chains of KDL have no such joint' "$top/robots/drone.urdf" --kdl "world:frame"
refuse '--layout has no meaning with --kdl' "$top/robots/gen3.urdf" --kdl tool_frame --layout "$top/robots/gen3.lua"
refuse '--real has no meaning with --kdl' "$top/robots/gen3.urdf" --kdl tool_frame --real float
sed 's,<axis xyz="1 0 0"/>,&<mimic joint="j1"/>,' "$top/tests/kdl/branches.urdf" >mimic.urdf
refuse 'mimics another' mimic.urdf --kdl tip
check "a branch is warned of" sh -c "'$achdgen' '$top/tests/kdl/branches.urdf' --kdl tip -o - 2>&1 >/dev/null | grep -q 'branches.urdf:7: warning: link \"camera\" (0.3 kg) branches off'"
"$achdgen" "$top/tests/kdl/branches.urdf" --kdl world:tip --name branches -q -o - >again.hpp
check "the same bytes on standard output, but for the name of the file" [ "$(diff branches_kdl.hpp again.hpp | grep -c '^>')" -lt 9 ]
finish

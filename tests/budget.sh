#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/budget.sh SOURCE_DIR BUILD_DIR: does a run of all tests stay within its budget, and one of each tier (tests/tiers.txt, tests/tiers.py)? Then
# each way to break that is planted in a copy of the table, and has to be noticed; so is a test without a tier, when it is configured.
set -eu
. "$(dirname "$0")/lib.sh"
top=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
table=$top/tests/tiers.txt
cd "$scratch"

budget() { python3 "$top/tests/tiers.py" check "$build" "$@"; }
budget || failed=1

# breach WHAT MESSAGE COMMAND...: COMMAND makes a table of the one that is true; it is refused by this message.
breach() {
  what=$1 message=$2
  shift 2
  "$@" "$table" >planted.txt
  check "$what: the table differs" sh -c "! cmp -s '$table' planted.txt"
  budget planted.txt >said 2>&1 && echo "accepted" >>said
  check "$what" sh -c "! grep -qx accepted said && grep -q '$message' said || { cat said; false; }"
}
breach "a test that takes as long as all may" 'the tests of the tier release take [0-9]* s of CPU' \
  sed 's/^release .* python$/release 1080.0 python/; s/^commit .* python$/commit 1080.0 python/'
breach "a quick test of half a minute" 'the tests of the tier quick take [0-9]* s of CPU' sed 's/^quick .* names$/quick 30.0 names/'
breach "a daily test of two minutes" 'the tests of the tier daily take [0-9]* s of CPU' sed 's/^daily .* script$/daily 120.0 script/'
breach "a test without a line" 'names has no line' sed '/ names$/d'
breach "a line without a test" 'nameless is no test of this build' sed 's/^\(quick .*\) names$/&\n\1 nameless/'
breach "two lines" 'names has two lines' sed 's/^.* names$/&\n&/'
breach "another tier than configured" 'names is in the tier release, but has other labels than release' sed 's/^quick\(.* names\)$/release\1/'
breach "no seconds" 'is not TIER SECONDS NAME' sed 's/^quick .* names$/quick names/'

# configures MESSAGE: a project with one test and the table's lines from standard input; the message says what is wrong, nothing without MESSAGE.
configures() {
  rm -rf project
  mkdir project
  cp "$top/tests/tiers.cmake" project
  cat >project/tiers.txt
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(planted NONE)
enable_testing()
include(tiers.cmake)
achd_test(NAME one COMMAND sh -c true)
if(WITHOUT_TIER)
  add_test(NAME two COMMAND sh -c true)
endif()
achd_compare_with_table("")
END
  message=$1
  shift
  accepted=yes
  cmake -S project -B project/build "$@" >said 2>&1 || accepted=no
  tr -s ' \n' ' ' <said >one_line
  if [ -z "$message" ]; then [ "$accepted" = yes ]; else [ "$accepted" = no ] && grep -q "$message" one_line; fi || { cat said; return 1; }
}
one_line='quick     1.0 one'
check "a table that fits" configures "" <<END
$one_line
END
in_every_tier() {
  for tier in quick daily commit release; do ctest --test-dir project/build -N -L "^$tier\$" | grep -q 'Total Tests: 1' || return 1; done
}
check "its test is in every tier" in_every_tier
check "configured: a test without a line" configures 'tiers.txt has no line for the test one: write one' </dev/null
check "configured: a line without a test" configures 'lines for tests that do not exist: three' <<END
$one_line
daily     1.0 three
END
check "configured: two lines" configures 'the test one has two lines' <<END
$one_line
$one_line
END
check "configured: a tier that is none" configures '"slow 1.0 one" is not TIER SECONDS NAME' <<END
slow 1.0 one
END
check "configured: a test that goes past the table" configures 'the test two has no tier' -DWITHOUT_TIER=ON <<END
$one_line
END

# The presets that run.sh and others call: each test preset takes the tests of its tier.
cd "$top"
for kind in configure build test; do check "presets: $kind" sh -c "cmake --list-presets=$kind >/dev/null"; done
for tier in quick daily commit release; do
  check "preset $tier" python3 - "$tier" <<'END'
import json, sys
presets = json.load(open("CMakePresets.json"))
tier = sys.argv[1]
test = next(p for p in presets["testPresets"] if p["name"] == tier)
build = next(p for p in presets["buildPresets"] if p["name"] == tier)
assert test["filter"]["include"]["label"] == f"^{tier}$", test
assert build["targets"] == [f"tests_{tier}"], build
END
done
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/lint.sh [BUILD_DIR]: licences, format, clang-tidy, cppcheck, luacheck and shellcheck over the sources. What is checked, and
# what is not and why, stands in .clang-format, .clang-tidy and tests/cppcheck.suppressions. clang-tidy, cppcheck and shellcheck, which take most of
# the time, look at those that the last commit changed, or nobody has committed yet, and at every 36th, twelfth and twelfth of the others (in_sample
# of lib.sh); ACHD_SAMPLE=all: at all.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/.."
build=${1:-build}
jobs=$(nproc)

# step NAME COMMAND...: the command's output is shown where it fails.
step() {
  name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "$name: clean"
  else
    echo "$name: FAILED"
    printf '%s\n' "$output"
    failed=1
  fi
}

# existing FOLDER...: those of the folders that are there.
existing() {
  for folder in "$@"; do [ ! -d "$folder" ] || printf '%s ' "$folder"; done
}

changed=" $(git diff --name-only HEAD~1 2>/dev/null | tr '\n' ' ') "
# chosen EVERY: of the files on standard input those that are looked at, each ended by a 0.
chosen() {
  while read -r file; do
    in_sample . "$1" || case $changed in *" $file "*) ;; *) continue ;; esac
    printf '%s\0' "$file"
  done
}

check_format() {
  # shellcheck disable=SC2046 # one word per folder
  find $(existing generator runtime report robif2b python tests docs) -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
}

# The analyzer of clang-tidy takes nearly all the time, and most of that goes into the few longest functions, whose paths it
# follows until it gives up: by default it gives up at a twentieth of its usual number, with ACHD_SWEEP=1 at that number.
depth="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=10000"
[ -z "${ACHD_SWEEP-}" ] || depth=

# Files of the libraries are compiled twice, for double and for float. One of the two is looked at: else clang-tidy reads both in one process, where
# it takes twice as long, and takes va_list for uninitialised the second time. ACHD_SAMPLE=all: both, one after the other.
in_sample . 1
turns=$((${sample_from:-0} % 2))
[ -n "$sample_from" ] || turns="0 1"
one_compilation() { # TURN FOLDER: compile_commands.json with one compilation of each file
  mkdir -p "$2"
  python3 -c '
import json, sys
commands = {}
for command in json.load(open(sys.argv[1])):
    commands.setdefault(command["file"], []).append(command)
json.dump([of[int(sys.argv[2]) % len(of)] for of in commands.values()], open(sys.argv[3], "w"))' \
    "$build/compile_commands.json" "$1" "$2/compile_commands.json"
}

check_tidy() {
  [ -f "$build/compile_commands.json" ] || {
    echo "no $build/compile_commands.json: configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
    return 1
  }
  folders="generator runtime robif2b" wrong=0
  for turn in $turns; do
    one_compilation "$turn" "$scratch/turn_$turn"
    # shellcheck disable=SC2046,SC2086
    find $(existing $folders) -name '*.c' | LC_ALL=C sort | chosen 36 |
      xargs -0 -n 1 -P "$jobs" clang-tidy --quiet -p "$scratch/turn_$turn" $depth || wrong=1
    folders="runtime robif2b"
  done
  return "$wrong"
}

check_cppcheck() {
  # shellcheck disable=SC2046
  find $(existing generator runtime report robif2b python docs) -name '*.c' -o -name '*.cpp' | LC_ALL=C sort | chosen 12 |
    xargs -0 cppcheck --quiet --std=c11 --enable=warning,style,performance,portability --inline-suppr -j "$jobs" -I generator \
      --suppressions-list=tests/cppcheck.suppressions --error-exitcode=1
}

# SC2317: takes functions that are called through check and step for unreachable.
check_shell() {
  find tests docs package runtime report robif2b -name '*.sh' -o -name '*.bash' | LC_ALL=C sort | chosen 12 |
    xargs -0 shellcheck -x -P SCRIPTDIR -e SC2317 .ci/run
}

# What scripts may use is in .luacheckrc.
check_lua() {
  luacheck --quiet --no-color generator/lua
}

# Layouts, scenes, tasks and machines are Lua too, of words of their own: of these the width alone.
check_width() { # but of what a bad layout is told, in its own lines
  # shellcheck disable=SC2046
  find $(existing generator robots tests docs) -name '*.lua' -exec awk '
    length($0) > 120 && !/^--> / { print FILENAME ":" FNR ": " length($0) " columns, and 120 are the most"; wide = 1 }
    END { exit wide }' {} +
}

step "licences" reuse lint
step "clang-format" check_format
step "luacheck" check_lua
step "width of Lua" check_width
step "clang-tidy" check_tidy
step "cppcheck" check_cppcheck
step "shellcheck" check_shell
exit "$failed"

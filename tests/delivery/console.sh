# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# console.sh: runs what a document shows; a test sources it after lib.sh.
#
#   ```console          a command behind `$ `, then what it prints, on both outputs, to the letter; `...` alone on a line
#   $ achdgen arm.urdf  stands for any lines
#   ...
#   ```
#   ```lua              a block whose first line is a comment with the name of a file alone is that file
#   -- arm.lua
#   ```
# All run in one shell, one after the other, in the current folder.

# run_document FILE: checks every command.
run_document() {
  : "${scratch:?}" # lib.sh's
  rm -rf "$scratch/steps"
  mkdir "$scratch/steps"
  awk -v steps="$scratch/steps" '
    function next_step() { step = sprintf("%s/%03d", steps, ++count) }
    !inside && /^```[a-z]+$/ { inside = 1; console = $0 == "```console"; first = 1; file = ""; next }
    inside && /^```$/ { inside = 0; next }
    !inside { next }
    console && /^\$ / { next_step(); print substr($0, 3) > (step ".command"); printf "" > (step ".shown"); next }
    console { print > (step ".shown"); next }
    first { first = 0
      if (match($0, /^(--|#|\/\/|\/\*|<!--) [a-zA-Z0-9_.]+\.[a-zA-Z]+( \*\/| -->)?$/)) { next_step(); file = step ".text"; print $2 > (step ".file") } }
    file != "" { print > file }' "$1"
  for step in "$scratch"/steps/*.command "$scratch"/steps/*.file; do
    [ -e "$step" ] || continue
    echo "${step%.*}"
  done | sort >"$scratch/steps/all"
  while read -r step; do
    if [ -e "$step.file" ]; then
      cp "$step.text" "$(cat "$step.file")"
      continue
    fi
    set +e
    # shellcheck disable=SC1090 # what the document says
    . "$step.command" >"$step.said" 2>&1 </dev/null
    set -e
    check "$(basename "$1"): $(cat "$step.command")" shows "$step.shown" "$step.said"
  done <"$scratch/steps/all"
  check "$(basename "$1") has commands" [ -s "$scratch/steps/all" ]
}

# shows SHOWN SAID: what was said is what is shown.
shows() {
  awk -v said="$2" '
    function fail() { failed = 1; exit }
    BEGIN { while ((getline line < said) > 0) lines[++count] = line; at = 1 }
    $0 == "..." { any = 1; next }
    any { while (at <= count && lines[at] != $0) at++; any = 0 }
    at > count || lines[at] != $0 { fail() }
    { at++ }
    END { exit failed || (!any && at <= count) }' "$1" && return 0
  diff "$1" "$2"
  return 1
}

#!/bin/bash
# tests/program/completion.bash FILE: what bash would offer for achdgen (in PATH), by running the completion function.
set -u
# shellcheck source=package/achdgen.bash
. "$1"
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir robots 'other robots'
touch arm.urdf arm.lua arms.urdf notes.txt 'my arm.urdf'

# Outside of a completion compopt refuses; what it was asked is kept.
compopt() { options="$options $*"; }

# offers WANTED WORD...: what is offered for the last word is WANTED, one a line, in any order.
offers() {
  local wanted=$1 got
  shift
  COMP_WORDS=(achdgen "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  options=
  _achdgen achdgen "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort)
  if [[ $got != "$(printf '%s\n' "$wanted" | sort)" ]]; then
    printf 'achdgen %s offers:\n%s\nnot:\n%s\n' "$*" "$got" "$wanted"
    failed=1
  fi
}

# All that --help names at the beginning of a line, found in another way than the completion does.
every=$(achdgen --help | awk '/^  -/ { print $1 }')
[[ $(wc -l <<<"$every") -ge 16 ]] || { echo "few options: $every"; failed=1; }
offers "$every" -
offers "--layout" --lay
offers "--formulas
--formulation
--fsm
--functions" --f
offers $'double\nfloat' --real ''
offers float --real f
offers float --real = f
offers $'double\nfloat' --real =
offers $'header\ninline\nshared\nsplit' arm.urdf --mode ''
offers $'16\n2\n4\n8' --batch ''
offers $'recursion' --formulation r
offers $'0\n1' --snap ''
offers $'fak\nfd\nfk\nfvk' --functions f
offers $'achd,jac\nachd,jdqd' --functions achd,j
offers $'gravity' --functions g
offers '' --name a
offers $'arm.urdf\narms.urdf' arm
offers $'arm.urdf\narms.urdf\nmy arm.urdf\nother robots\nrobots' ''
[[ $options == *filenames* ]] || { echo "blanks in names would not be quoted"; failed=1; }
offers $'arm.lua\nother robots\nrobots' arm.urdf --layout ''
offers arm.lua --layout = a
offers $'arm.lua\narm.urdf\narms.urdf' -o a
offers robots --inspect ro
offers $'arm.urdf\narms.urdf' --check arm
[[ $(complete -p achdgen) == *"-F _achdgen achdgen" ]] || failed=1
exit $failed

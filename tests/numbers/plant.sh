# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# plant.sh: for tests that plant mistakes in the scripts: copies of them, which the program of scripts_from_folder.c reads.
# $top: the source tree; $scratch: of lib.sh.
# shellcheck disable=SC2154 # both are the caller's
export ACHD_SCRIPTS="$scratch/lua" ACHD_TEMPLATES="$top/templates"

fresh_copy() {
  rm -rf "$ACHD_SCRIPTS"
  mkdir "$ACHD_SCRIPTS"
  find "$top/generator/lua" -name '*.lua' -exec sh -c 'cp "$@" "$0"' "$ACHD_SCRIPTS" {} +
}

# plant FILE OLD NEW: OLD stands in FILE on one line alone, and NEW takes its place.
plant() {
  fresh_copy
  with_mistake "$2" "$3" <"$ACHD_SCRIPTS/$1" >"$scratch/planted" && mv "$scratch/planted" "$ACHD_SCRIPTS/$1"
}

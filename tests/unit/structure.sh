#!/bin/sh
# tests/unit/structure.sh SOURCE_DIR: the rules of the generator's folders, as README's chapter on architecture has them.
# Includes and requires run down only and in no circle, one folder knows Lua's headers and one file libxml2's, and no C
# file is too long. Each rule is then broken once in a copy, and has to be noticed.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)

# Which folders a folder may use, beside itself.
uses() {
  case $1 in
  base) echo "" ;;
  model | program) echo "base" ;;
  script | report) echo "base model program" ;;
  emit) echo "base program" ;;
  check) echo "base model program script" ;;
  lua/dynamics) echo "" ;;
  lua/functions | lua/layout) echo "lua/dynamics" ;;
  *) return 1 ;;
  esac
}

allowed() { # FROM TO: may folder FROM use folder TO?
  [ "$1" = "$2" ] && return
  for used in $(uses "$1"); do [ "$used" = "$2" ] && return; done
  return 1
}

# What is in the way of each rule in the generator that stands in the folder $1, one thing a line.
broken_rules() (
  cd "$1"
  longest=600

  for folder in $(find . -mindepth 1 -type d | sed 's|^\./||' | sort); do
    [ "$folder" = lua ] || uses "$folder" >/dev/null || echo "$folder: a folder without a rule"
  done
  find lua -maxdepth 1 -type f ! -name main.lua | sed 's/$/: stands in no folder that has a rule/'

  for file in *.[ch] */*.[ch]; do
    folder=${file%/*}
    unit=${file%.[ch]}
    [ "$folder" != "$file" ] || folder=""
    sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file" >"$scratch/included"
    while read -r included; do
      case $included in sincos_double.h | sincos_float.h) continue ;; esac # made by the build
      [ -f "$included" ] || echo "$file: includes $included, which is not in the generator"
      case $included in
      */*) [ -z "$folder" ] || allowed "$folder" "${included%/*}" || echo "$file: $folder/ may not include ${included%/*}/: $included" ;;
      *) [ -z "$folder" ] || echo "$file: $folder/ may not include what is above all folders: $included" ;;
      esac
      [ "${included%.h}" = "$unit" ] || echo "$unit ${included%.h}" >>"$scratch/arrows"
    done <"$scratch/included"
    lines=$(wc -l <"$file")
    [ "$lines" -le $longest ] || echo "$file: has $lines lines, more than $longest"
  done
  lines=$(wc -l <main.c)
  [ "$lines" -lt 200 ] || echo "main.c: has $lines lines, 200 or more"

  grep -lE '^ *# *include *[<"](lua|lauxlib|lualib)\.h' -- *.[ch] */*.[ch] | grep -v '^script/' | sed 's|$|: includes a header of Lua, outside script/|'
  grep -lE '^ *# *include *[<"]libxml' -- *.[ch] */*.[ch] | grep -vx 'model/urdf\.c' | sed 's|$|: includes a header of libxml2; only model/urdf.c may|'
  grep -lE '"[a-z_]+\.(h|c)\.in"' -- *.c */*.c | grep -v '^emit/' | sed 's|$|: names a template of C text, outside emit/|'

  find lua -name '*.lua' | sed 's|.*/||' | sort | uniq -d | sed 's|$|: two scripts have this name, and scripts are found by name|'
  for file in lua/*/*.lua; do
    folder=${file%/*}
    grep -o 'require *(* *"[^"]*"' "$file" | sed 's/.*"\(.*\)"/\1/' >"$scratch/required"
    while read -r module; do
      found=$(find lua -name "$module.lua" | sort | head -1)
      case $found in
      "") echo "$file: requires $module, which is not there" && continue ;;
      *) allowed "$folder" "${found%/*}" || echo "$file: $folder/ may not require ${found%/*}/: $module" ;;
      esac
      echo "${file%.lua} ${found%.lua}" >>"$scratch/arrows"
    done <"$scratch/required"
  done

  tsort "$scratch/arrows" 2>&1 >/dev/null | sed -e 's/^tsort: //' -e 's/.*input contains a loop:/;/' | tr '\n' ' ' |
    sed 's/^; *\(..*\) $/a circle: \1\n/'
  rm -f "$scratch/arrows"
)

keeps_rules() {
  broken_rules "$1" >"$scratch/broken"
  cat "$scratch/broken"
  [ ! -s "$scratch/broken" ]
}
check "the generator keeps its rules" keeps_rules "$top/generator"

# notices MESSAGE: of the copy, in which one rule is broken, this is said and nothing else; but an include that runs up
# may close a circle as well.
notices() {
  broken_rules "$copy" >"$scratch/broken"
  cat "$scratch/broken"
  grep -qF -- "$1" "$scratch/broken" && [ "$(grep -cvF -e "$1" -e 'a circle: ' "$scratch/broken")" -eq 0 ]
}
copy=$scratch/generator
plant() { # FILE TEXT MESSAGE: TEXT at the end of FILE breaks a rule
  rm -rf "$copy"
  cp -R "$top/generator" "$copy"
  mkdir -p "$(dirname "$copy/$1")"
  printf '%s\n' "$2" >>"$copy/$1"
  check "noticed: $1 with $2" notices "$3"
}
plant base/text.c '#include "program/dag.h"' 'base/text.c: base/ may not include program/'
plant program/dag.c '#include "model/pose.h"' 'program/ may not include model/'
plant emit/trig.c '#include "script/script.h"' 'emit/ may not include script/'
plant report/inspect.c '#include "emit/types.h"' 'report/ may not include emit/'
plant script/robot.c '#include "check/check.h"' 'script/ may not include check/'
plant check/solve.c '#include "options.h"' 'check/ may not include what is above all folders'
plant emit/batch.c '#include "emit/nowhere.h"' 'includes emit/nowhere.h, which is not in the generator'
plant base/more/more.c '' 'base/more: a folder without a rule'
plant report/columns.c '  #  include <lua.h>' 'report/columns.c: includes a header of Lua'
plant model/model.c '#include <libxml/tree.h>' 'model/model.c: includes a header of libxml2'
plant report/svg.c 'static const char *form = "header.h.in";' 'report/svg.c: names a template of C text'
plant program/dag.h '#include "program/order.h"' 'a circle: '
plant base/names.c "$(yes '' | head -600 | sed 's/$/ /')" 'base/names.c: has '
plant main.c "$(yes '' | head -200 | sed 's/$/ /')" 'main.c: has '
plant lua/dynamics/motion.lua 'local state = require "state"' 'lua/dynamics/ may not require lua/functions/'
plant lua/functions/achd.lua 'local bounds = require("bounds")' 'lua/functions/ may not require lua/layout/'
plant lua/layout/bounds.lua 'local layout = require "layout"' 'a circle: '
plant lua/layout/bounds.lua 'local none = require "nothing"' 'requires nothing, which is not there'
plant lua/layout/motion.lua '' 'motion.lua: two scripts have this name'
plant lua/formulas.lua '' 'lua/formulas.lua: stands in no folder that has a rule'

finish

#!/bin/sh
# tests/unit/structure.sh SOURCE_DIR: the rules of the generator's folders, as README's chapter on architecture has them.
# Includes and requires run down only and in no circle, one folder knows Lua's headers and one file libxml2's, and no C
# file is too long. Each rule is then broken once in a copy, and has to be noticed.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)

# FOLDER: the folders that it may use, beside itself.
rules='
base:
model: base
program: base
script: base model program
report: base model program
mjcf: base model
emit: base program
check: base model program script
prove: base program script
lua/dynamics:
lua/functions: lua/dynamics
lua/layout: lua/dynamics
'

# Reads "FROM TO" lines, a file and what it includes or requires; says which may not.
run_down() {
  awk -v rules="$rules" -v verb="$1" '
    BEGIN {
      n = split(rules, line, "\n")
      for (i = 1; i <= n; i++) {
        m = split(line[i], word, /:? +|:/)
        for (k = 1; k <= m; k++) may[word[1], word[k]] = 1
      }
    }
    function folder(file) { return sub("/[^/]*$", "", file) ? file : "" }
    folder($1) == "" || (folder($1), folder($2)) in may { next }
    folder($2) == "" { print $1 ": " folder($1) "/ may not " verb " what is above all folders: " $2; next }
    { print $1 ": " folder($1) "/ may not " verb " " folder($2) "/: " $2 }'
}

# What is in the way of the rules in the generator that stands in the folder $1, one thing a line.
broken_rules() (
  cd "$1"
  find . -mindepth 1 -type d ! -path ./lua | sed 's|^\./||' | while read -r folder; do
    case $rules in *"
$folder:"*) ;; *) echo "$folder: a folder without a rule" ;; esac
  done
  find lua -maxdepth 1 -type f ! -name main.lua | sed 's/$/: stands in no folder that has a rule/'

  # made by the build: sincos_*.h
  grep -H '^ *# *include *"' -- *.[ch] */*.[ch] | sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1 \2/' |
    grep -v ' sincos_[a-z]*\.h$' >"$scratch/arrows"
  sed 's/.* //' "$scratch/arrows" | sort -u | while read -r included; do
    [ -f "$included" ] || echo "$included: is included, but not in the generator"
  done
  run_down include <"$scratch/arrows"
  wc -l -- *.[ch] */*.[ch] | awk '$2 != "total" && ($1 > 600 || ($2 == "main.c" && $1 >= 200)) { print $2 ": has " $1 " lines" }'

  grep -lE '^ *# *include *[<"](lua|lauxlib|lualib)\.h' -- *.[ch] */*.[ch] | grep -v '^script/' | sed 's|$|: includes a header of Lua, outside script/|'
  grep -lE '^ *# *include *[<"]libxml' -- *.[ch] */*.[ch] | grep -vx 'model/urdf\.c' | sed 's|$|: includes a header of libxml2; only model/urdf.c may|'
  grep -lE '"[a-z_]+\.(h|c)\.in"' -- *.c */*.c | grep -v '^emit/' | sed 's|$|: names a template of C text, outside emit/|'

  find lua -name '*.lua' | sed 's|.*/||' | sort | uniq -d | sed 's|$|: two scripts have this name, and scripts are found by name|'
  grep -Ho 'require *(* *"[^"]*"' lua/*/*.lua | sed 's/^\([^:]*\):.*"\(.*\)"$/\1 \2/' | while read -r file module; do
    found=$(find lua -name "$module.lua" | sort | head -n 1)
    if [ -n "$found" ]; then echo "$file $found"; else echo "$file: requires $module, which is not there" >&3; fi
  done 3>"$scratch/missing" >"$scratch/required"
  cat "$scratch/missing"
  run_down require <"$scratch/required"

  # x.c and x.h are one
  cat "$scratch/arrows" "$scratch/required" | sed 's/\.[a-z]*\( \|$\)/\1/g' | awk '$1 != $2' >"$scratch/units"
  tsort "$scratch/units" 2>&1 >/dev/null | sed -e 's/^tsort: //' -e 's/.*input contains a loop:/;/' | tr '\n' ' ' |
    sed 's/^; *\(..*\) $/a circle: \1\n/'
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
cp -R "$top/generator" "$copy"
plant() { # FILE TEXT MESSAGE: TEXT at the end of FILE breaks a rule
  mkdir -p "$(dirname "$copy/$1")"
  printf '%s\n' "$2" >>"$copy/$1"
  check "noticed: $1 with $2" notices "$3"
  if [ -f "$top/generator/$1" ]; then cp "$top/generator/$1" "$copy/$1"; else rm -r "${copy:?}/$1"; fi
  [ -d "$(dirname "$top/generator/$1")" ] || rm -r "$(dirname "$copy/$1")"
}
plant base/text.c '#include "program/dag.h"' 'base/text.c: base/ may not include program/'
plant program/dag.c '#include "model/pose.h"' 'program/ may not include model/'
plant emit/trig.c '#include "script/script.h"' 'emit/ may not include script/'
plant report/inspect.c '#include "emit/types.h"' 'report/ may not include emit/'
plant script/robot.c '#include "check/check.h"' 'script/ may not include check/'
plant check/solve.c '#include "options.h"' 'check/ may not include what is above all folders'
plant emit/batch.c '#include "emit/nowhere.h"' 'emit/nowhere.h: is included, but not in the generator'
plant mjcf/turn.c '#include "program/dag.h"' 'mjcf/ may not include program/'
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

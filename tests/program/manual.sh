#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/manual.sh ACHDGEN SOURCE_DIR LAYOUT_PAGE: the manual pages are clean for both of Debian's formatters. achdgen(1) has the
# options and functions that the program knows, no more and no fewer; achdgen-layout(5) has all of docs/layouts.md.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
layout_page=$(absolute "$3")
page=$top/package/achdgen.1
cd "$scratch"

silent() {
  "$@" >said 2>&1 || { cat said; return 1; }
  [ ! -s said ] || { cat said; return 1; }
}
groff_is_silent() { # PAGE
  MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$1" 2>said | sed 's/.\x08//g' >rendered
  [ ! -s said ] || { cat said; return 1; }
}
for file in "$layout_page" "$page"; do
  name=$(basename "$file")
  check "$name: mandoc" silent mandoc -Tlint -Wwarning "$file"
  check "$name: man --warnings" groff_is_silent "$file"
  check "$name: 80 columns" sh -c "! grep -n '.\{81\}' rendered"
  check "$name: no macro is left" sh -c "! grep -nE '^ *\.[A-Z]' rendered"
  [ "$file" = "$page" ] || mv rendered layouts
done

# An option of the page begins an item; of --help, a line.
grep '^\.It Fl' "$page" | sed 's/Ns//; s/, Fl/\nFl/g' | sed 's/^\.It //; s/^Fl \([^ ]*\).*/-\1/' | sort >of_page
"$achdgen" --help | awk '/^  -/ { print $1 }' | sort >of_help
echo -h >>of_help # it is help, too
sort -o of_help of_help
check "package/achdgen.1, OPTIONS: those of --help" diff of_help of_page
check "there are many" [ "$(wc -l <of_page)" -ge 17 ]
while read -r option; do
  check "$option can be seen" grep -q -e "^ *$option\b\|[, ]$option\b" rendered
  # That the program takes it: no "unknown option", whatever else it says.
  check "$option is an option" sh -c "! '$achdgen' '$option' 2>&1 </dev/null | grep -q 'unknown option'"
done <of_page

"$achdgen" --functions '?' 2>&1 | sed -n 's/.*write --functions //p' | sed 's/ or /\n/g' | sort >of_program
sed -n '/^\.Sh FUNCTIONS/,/^\.El/s/^\.It Cm //p' "$page" | sed 's/ , /\n/g' | sort >of_page
check "package/achdgen.1, FUNCTIONS: those of the program" diff of_program of_page
for option in mode real formulation; do
  for word in $("$achdgen" --$option '?' 2>&1 | sed -n "s/.*write --$option //p" | sed 's/ or / /g'); do
    check "--$option $word" grep -q "^\.Cm $word\b" "$page"
  done
done

# -- achdgen-layout(5): headings, examples and words of docs/layouts.md
document=$top/docs/layouts.md
# shellcheck disable=SC2016 # signs of Markdown
check "achdgen-layout.5: no Markdown is left" sh -c '! grep -n -e "\`" -e "\](" -e "\*\*" -e "|--" -e "^ *## " layouts'
grep '^##' "$document" | sed 's/^#* //' >headings
while read -r heading; do
  check "achdgen-layout.5: heading $heading" grep -q -i -x -e " *$heading" layouts
done <headings
awk '/^```/ { code = !code; next } code || /^    /' "$document" | sed 's/^ *//; /^$/d' >lines_of_code
check "there are examples" [ "$(wc -l <lines_of_code)" -gt 150 ]
sed 's/^ *//' layouts | sort -u >lines_of_page
check "achdgen-layout.5: every line of the examples" sh -c 'sort -u lines_of_code | comm -23 - lines_of_page | { ! grep .; }'
sed -n '/^INDEX/,/^SEE/p' layouts >index
sed -n '/^## Index/,$s/^| `\([A-Za-z_]*\)` .*/\1/p' "$document" >words
check "there are words" [ "$(wc -l <words)" -gt 80 ]
while read -r word; do
  check "achdgen-layout.5: $word in the index" grep -q "^ *$word\b" index
done <words
# As many items as the tables have rows: none is lost.
check "achdgen-layout.5: every row of the tables" [ "$(grep -c '^\.TP' "$layout_page")" -eq \
  "$(awk '/^\|/ && !/^\|---/ { rows += within; within = 1 } !/^\|/ { within = 0 } END { print rows }' "$document")" ]
finish

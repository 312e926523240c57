#!/bin/sh
# tests/program/manual.sh ACHDGEN SOURCE_DIR: the manual page is clean for both of Debian's formatters, and knows the options and
# functions that the program knows, no more and no fewer.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
page=$top/package/achdgen.1
cd "$scratch"

silent() {
  "$@" >said 2>&1 || { cat said; return 1; }
  [ ! -s said ] || { cat said; return 1; }
}
check "mandoc" silent mandoc -Tlint -Wwarning "$page"
groff_is_silent() {
  MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" 2>said | sed 's/.\x08//g' >rendered
  [ ! -s said ] || { cat said; return 1; }
}
check "man --warnings" groff_is_silent
check "80 columns" sh -c "! grep -n '.\{81\}' rendered"
check "no macro is left" sh -c "! grep -nE '^ *\.[A-Z]' rendered"

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
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# step_drop.sh ACHDGEN SOURCE_DIR: a quadruped falls, stands and slides by step_begin, achd_contact_solve and step_end; and with an error
# planted in the rows of a contact it does not.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
weight=$(grep -o 'mass value="[0-9.]*"' "$top/robots/quadruped.urdf" | tr -dc '0-9.\n' | awk '{ m += $1 } END { print m }')
"$achdgen" -q "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" --functions step_begin -o quadruped_step_begin.h
drop() { # what the program says
  gcc -std=c11 -O0 -Wall -Wextra -Werror -I. -I "$top/runtime" "$top/tests/numbers/step_drop.c" "$top"/runtime/contact*.c -lm -o drop && ./drop "$weight"
}
check "it falls, stands and slides" drop
sed -i 's/out->A\[1\] = \(.*\);/out->A[1] = 1.01 * (\1);/' quadruped_step_begin.h
drop_is_wrong() { ! drop; }
check "a planted error of A is noticed" drop_is_wrong
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/log_file.sh TEST FLOAT_TEST SOURCE_DIR LIBACHD_A LIBACHD_FILES_A: the files of a log, in both builds and in a locale with a decimal comma;
# NumPy and Python's csv read them; one thread puts rows while another takes them, watched by the thread sanitizer.
set -eu
. "$(dirname "$0")/../lib.sh"
double=$(absolute "$1")
single=$(absolute "$2")
top=$(cd "$3" && pwd)
library=$(absolute "$4")
files=$(absolute "$5")
cd "$scratch"

comma=
LOCPATH=$scratch/locale
mkdir "$LOCPATH"
export LOCPATH
if localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8" 2>/dev/null; then
  comma=de_DE.UTF-8
else
  echo "no locale with a decimal comma here"
fi

# A python3 found first may be another one than Debian's, which has NumPy.
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

cat >read.py <<'END'
import csv, sys
import numpy
folder, real = sys.argv[1], sys.argv[2]

def load(name):
    return numpy.load(folder + "/" + name)

a = load("a.npy")
assert a.shape == (3,) and a["time"].tolist() == [0, 0.25, 0.5], a
assert a.dtype["q.1"] == numpy.dtype(real) and a.dtype["time"] == numpy.dtype("f8"), a.dtype
assert a["q.1"].tolist() == a["q.1 [rad]"].tolist() == [0.5, 1.5, 2.5]
assert numpy.isnan(a['a, "b" [N m]'][1]) and a['a, "b"'][0] == 1 and a["event.e_go"].tolist() == [0, -1, -2]
odd = load("odd.npy")
names = ["time", "it's \\ \"odd\", [x]", "\u00e4\U0001f916", "q.joint 1"]
assert list(odd.dtype.names) == names, odd.dtype
assert odd["\u00e4\U0001f916 [\u00b5m]"][0] == 2
rows = list(csv.reader(open(folder + "/odd.csv", encoding="utf-8", newline="")))
assert rows[0] == ["time [s]", names[1] + " [%]", names[2] + " [\u00b5m]", "q.joint 1 [rad]"], rows
clash = load("clash.npy")
assert clash["q [m]"][0] == 2 and clash["q"][0] == 1 and len(clash.dtype.fields) == 4
assert load("time.npy")["time [s]"][0] == 1
assert "signal.50 [rad]" in load("50.npy").dtype.fields
many = load("300.npy")
assert len(many.dtype.fields) == 301 and many.shape == (1,)
table = numpy.genfromtxt(folder + "/a.csv", delimiter=",", skip_header=1)
assert table.shape == (4, 4) and numpy.isnan(table[2, 1]) and table[2, 2] == numpy.inf and table[2, 3] == -numpy.inf
END

for locale in C $comma; do
  for build in "$double f8" "$single f4"; do
    [ "$locale $build" != "$comma $single f4" ] || [ -n "${ACHD_SWEEP-}" ] || continue # a comma is of the locale, not of the precision
    folder=$scratch/${build##* }_$locale
    mkdir "$folder"
    check "${build##* } $locale" env LC_ALL="$locale" "${build% *}" "$folder"
    check "${build##* } $locale: NumPy reads it" "$python" read.py "$folder" "${build##* }"
  done
done
[ -z "$comma" ] || check "the same bytes in any locale" diff -r f8_C "f8_$comma" -x same.csv

# The program in docs/runtime.md, with a loop that has no joints.
awk '/^```c/ { text = ""; inside = 1; next } /^```/ { if (text ~ /achd_loop_signals/) printf "%s", text; inside = 0 } inside { text = text $0 "\n" }' \
  "$top/docs/runtime.md" >recording.c
cat >>recording.c <<'END'

static void kinematics(void *c, const achd_measurement *m, achd_pose *p, achd_twist *t) { (void)c, (void)m, (void)p, (void)t; }
static void solve(void *c, const achd_measurement *m, const achd_task_command *t, achd_solution *s) { (void)c, (void)m, (void)t, (void)s; }
static void gravity(void *c, const achd_measurement *m, achd_real *t) { (void)c, (void)m, (void)t; }
int main(void) {
  static const char *const names[] = {"stop"}, *const events[] = {"", "e_fault"};
  static const achd_loop_joint none[1];
  static const achd_machine machine = {"m", 1, 2, 0, 0, 0, names, events, NULL, NULL, 0, 0};
  static const achd_loop_robot robot = {0, none, NULL, kinematics, solve, gravity};
  static const achd_loop_setup setup = {.robot = &robot, .machine = &machine, .latest = 1};
  static achd_loop loop;
  static achd_measurement m;
  if (!achd_loop_start(&loop, &setup) || !begin(&setup, NULL)) return 1;
  for (int k = 0; k < 12000; k++) {
    achd_loop_cycle(&loop, &m, 1e-3);
    record(&loop, 1000000 * (int64_t)k, 1000 + k);
  }
  return save() && computing.count == 12000 ? 0 : 1;
}
END
check "the recording of docs/runtime.md compiles" gcc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -I"$top/runtime" recording.c \
  "$files" "$library" -lm -o recording
check "... runs" ./recording
check "... and keeps the last ten seconds" sh -c "[ \$(wc -l <log.csv) -eq 10001 ] && tail -1 log.csv | grep -q '^11.999000000,'"

check "with the thread sanitizer" gcc -std=c11 -O1 -g -fsanitize=thread -I"$top/runtime" -I"$top/tests" \
  "$top/tests/runtime/log_file_test.c" "$top/runtime/log.c" "$top/runtime/files/log_file.c" -lm -lpthread -o threads
mkdir sanitized
check "no data race" ./threads sanitized
finish

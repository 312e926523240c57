#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/header.sh ACHDGEN SOURCE_DIR: what a firmware engineer meets in a header beside its functions: initialisers
# in C99 and C++17, constants for #if, only the status bits that can occur, no macro that leaks, shortest decimals, names.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wcast-qual -Wmissing-braces -Wmissing-field-initializers -Werror"

cat >floating.lua <<'END_OF'
return { name = "r", base = "floating", groups = {
  { name = "fl", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" },
  { name = "body", frame = "trunk", rows = { "lin_z" }, axes = "input", maskable = true } } }
END_OF
cat >bounded.lua <<'END_OF'
return { name = "r", friction = "input", inertia_inputs = { "gripper_palm_link" },
  groups = { { name = "tool", frame = "gripper_palm_link", rows = { "lin_x", "lin_z" }, bounds = { lin_z = "input" }, maskable = true } } }
END_OF
cat >feet.lua <<'END_OF'
return { name = "r", base = "floating", groups = {}, step = {}, contacts = {
  { name = "fl", frame = "fl_foot", radius = 0.02 }, { name = "fr", frame = "fr_foot", radius = 0.02 } } }
END_OF
starts() { # HEADER FUNCTION PREFIX STATEMENTS: the initialiser in static storage and as C++; what it holds
  printf '#include <math.h>\n#define %s_IMPLEMENTATION\n#include "%s"\nstatic const %s_%s_in from = %s_%s_IN_DEFAULT;\nint main(void) { return (%s) ? 0 : 1; }\n' \
    "$(echo "$3" | tr '[:lower:]' '[:upper:]')" "$1" "$3" "$2" "$(echo "$3" | tr '[:lower:]' '[:upper:]')" \
    "$(echo "$2" | tr '[:lower:]' '[:upper:]')" "$4" >start.c
  grep -v '_IMPLEMENTATION$' start.c >start.cpp # emitted.sh has the bodies as C++
  # shellcheck disable=SC2086 # words
  gcc -std=c99 $strict start.c -lm -o start && ./start && g++ -std=c++17 $strict -Wold-style-cast start.cpp -o start -lm && ./start
}
for real in double float; do
  in_sample "$top" 2 || continue # one of the two
  p=$([ $real = double ] && echo r || echo rf)
  u=$(echo "$p" | tr '[:lower:]' '[:upper:]')
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --name r --functions achd,fd,gravity --real "$real" --no-prove -o gen3.h
  check "gen3, $real: initialiser" starts gen3.h achd "$p" "from.mask[0] > 0.5f && from.mask[${u}_NR - 1] > 0.5f && from.gravity[2] < -9.8f && !(from.q[6] < 0)"
  "$achdgen" "$top/robots/quadruped.urdf" --layout floating.lua --real "$real" --no-prove -o quad.h
  check "quadruped, $real: initialiser" starts quad.h achd "$p" "from.base.quat.w > 0.5f && from.axes.body[2][2] > 0.5f && from.mask[${u}_BODY_LIN_Z] > 0.5f"
  "$achdgen" "$top/robots/quadruped.urdf" --layout feet.lua --functions step_begin --real "$real" --no-prove -o feet.h
  check "structs in structs, $real: initialiser" starts feet.h step "$p" "from.contact.fl.normal[2] > 0.5f && from.contact.fr.normal[2] > 0.5f && from.time_step > 0"
  "$achdgen" "$top/robots/youbot_arm.urdf" --layout bounded.lua --real "$real" --no-prove -o bound.h
  check "bounded, $real: initialiser" starts bound.h achd "$p" "from.lo[${u}_TOOL_LIN_Z] < -1e30f && from.hi[${u}_TOOL_LIN_Z] > 1e30f && from.inertia.gripper_palm_link.m > 0"
done

# constants for the preprocessor, limits as numbers, names
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --no-prove -o gen3.h
cat >constants.c <<'END_OF'
#define GEN3_IMPLEMENTATION
#include "gen3.h"
#include <string.h>
#if GEN3_NJ != 7 || GEN3_NR != 6 || !defined(GEN3_VERSION_MAJOR) || GEN3_VERSION_MAJOR * 100 + GEN3_VERSION_MINOR < 2
#error constants
#endif
#if defined(GEN3_LOWER_JOINT_1) || !defined(GEN3_LOWER_JOINT_2) /* joint_1 turns without end */
#error limits
#endif
static const char *const names[] = GEN3_JOINT_NAMES;
int main(void) {
  return !(sizeof names / sizeof *names == GEN3_NJ && strcmp(names[GEN3_JOINT_3], "joint_3") == 0 &&
           GEN3_EFFORT_JOINT_7 < 28.5 && GEN3_EFFORT_JOINT_7 > 27.5 && GEN3_LOWER_JOINT_2 < -2.2 && GEN3_UPPER_JOINT_2 > 2.2);
}
END_OF
constants() { gcc -std=c99 -Wall -Wextra -Werror constants.c -o constants -lm && ./constants; }
check "constants" constants

# status bits: of this header's functions, and the mask of those with which nothing is commanded
has() { grep -q "^  GEN3_$1 = " "$2"; }
check "gen3: BAD_INPUT" has BAD_INPUT gen3.h
for bit in NOT_POSITIVE UNACTUATED BOUND_ACTIVE; do
  if has $bit gen3.h; then there=yes; else there=no; fi
  check "gen3: $bit cannot occur" [ $there = no ]
done
check "run-time inertias: NOT_POSITIVE" grep -q "RF*_NOT_POSITIVE = 64" bound.h
check "DO_NOT_COMMAND" grep -q "GEN3_DO_NOT_COMMAND = GEN3_NOT_FINITE | GEN3_BAD_INPUT" gen3.h

# macros: the bodies leave none behind but their own guard; the same of a batch
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --batch 4 --no-prove -o batch.h
for h in gen3.h batch.h; do
  printf '#include "%s"\n' $h >plain.c
  printf '#define GEN3_IMPLEMENTATION\n#include "%s"\n' $h >bodies.c
  gcc -std=gnu99 -dM -E plain.c | sort >plain.txt
  gcc -std=gnu99 -dM -E bodies.c | sort >bodies.txt
  leaked=$(comm -13 plain.txt bodies.txt | awk '{ print $2 }' | grep -v -x -e GEN3_IMPLEMENTATION -e GEN3_ACHD_IMPLEMENTED || true)
  echo "leaked: $leaked" >leaked
  check "$h: no macro leaks ($leaked)" [ -z "$leaked" ]
done

# text: every number is the shortest that reads back, no line ends in the middle of a factor, names of links, none twice long
cat >numbers.py <<'END_OF'
import re, sys
text = re.sub(r'/\*.*?\*/', '', open(sys.argv[1]).read(), flags=re.S)
body = text[text.index('_achd_trig(const gen3_trig *trig, const gen3_achd_in *in, gen3_achd_out *out) {'):]
bad = [n for n in re.findall(r'(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])', body)
       if ('.' in n or 'e' in n) and len(re.sub(r'e.*|[.]', '', n).strip('0')) > len(re.sub(r'e.*|[.]', '', repr(float(n))).strip('0'))]
assert len(re.findall(r'\d\.\d', body)) > 200 and not bad, bad[:5]
END_OF
check "shortest decimals" python3 numbers.py gen3.h
check "no line of a closing bracket's factor alone" [ "$(grep -cE '^ +[*/] [a-z0-9_]+\);' gen3.h)" -eq 0 ]
check "names of links" grep -q "const gen3_real forearm_w_y = " gen3.h
few_numbered() { [ "$(grep -cE 'const gen3_real t[0-9]+ = ' gen3.h)" -eq 0 ]; }
check "no value without the name of what it is of" few_numbered
# Values are called by the formula: what the scripts call them (w_x, J_lin_x_3, d_2), or a part of such; the others have a number.
named() {
  awk '/^gen3_status gen3_achd_trig\(.*\{|^gen3_status gen3_achd_trig\([^;]*$/ { inside = 1 } /^}/ { inside = 0 }
    inside && match($0, /^ +const (gen3_real|int) [A-Za-z0-9_]+ =/) {
      split(substr($0, RSTART, RLENGTH), word, " "); all++
      if (word[3] ~ /(^|_)[tk][0-9]+(_n[0-9]+)?$/) numbered++
    }
    END { print all - numbered " of " all " values of gen3 carry a name"; exit !(all > 1000 && 2 * (all - numbered) >= all) }' gen3.h
}
check "half of gen3's values carry a name" named
named
"$achdgen" -q "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --lanes 1 --no-prove -o lanes.h
check "which limb is in which lane" grep -q '^   \* lanes: fl, fr, rl, rr$' lanes.h
check "a vector is no limb's" sh -c '! grep -E "const quadruped_x[0-9] (fl|fr|rl|rr)_" lanes.h'
check "names within 31 letters" [ "$(grep -oE 'const gen3_real [A-Za-z0-9_]+' gen3.h | awk 'length($3) > 31' | wc -l)" -eq 0 ]

# A long function's text is short: a value without a name of its own is a number, a step is said where it changes, declarations go on
# behind commas, and what one part reads once stands in its place.
awk -v joints=14 -f "$top/tests/bench/chain.awk" </dev/null >long.urdf
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tip", frame = "l14" } }, outputs = { "qdd", "nu" } }' >long.lua
"$achdgen" -q long.urdf --layout long.lua --name long --parts 120 --no-prove -o long.h
cat >short_text.py <<'END_OF'
import re, sys
text = open(sys.argv[1]).read()
parts = re.findall(r'_PART void long_achd_part_\d+\(.*?\n}\n', text, flags=re.S)
assert len(parts) > 20, len(parts)
values = sum(len(re.findall(r'^ +(?:const long_real )?\w+ = ', part, flags=re.M)) for part in parts)
declarations = sum(len(re.findall(r'const long_real ', part)) for part in parts)
assert values > 4000, values
text = ''.join(parts) # but for named constants, which have their reason behind them
text = re.sub(r'^ +const long_real \w+ = [-+.\de]+;.*\n', '', text, flags=re.M)
apart = re.search(r'^ +const long_real [^;]*;(?: /\*[^\n]*\*/)?\n +const long_real ', text, flags=re.M)
assert not apart, apart.group(0)
for part in parts:
    steps = re.findall(r'[;,] /\* (\d+) \*/', part)
    assert all(a != b for a, b in zip(steps, steps[1:])), steps
    for name in re.findall(r'\b([tk]\d+) = (?:w\d|work->[vk])\[-?\d+\][,;]', part):
        assert len(re.findall(r'\b%s\b' % name, part)) > 2, name
assert not re.search(r'\b[a-z]\w*_[tk]\d+\b', ''.join(parts)), 'a number behind a body'
print(values, 'values in', declarations, 'declarations')
END_OF
check "the text of a long function is short" python3 short_text.py long.h
few_steps() { grep -q "the number behind a statement is that of its step and of those below it" long.h; }
check "what a step's number stands for" few_steps

# Numbers that others are compared with have names, which say why they are these: no literal stands there but 0, 1 and -1. The same of
# thresholds that are factors, powers of ten below 1e-5 and above 1e4, wherever they stand.
cat >compared.py <<'END_OF'
import re, sys
NUMBER = r'\(?-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?f?\)?'
BEFORE = re.compile(r'(?<![\w.])(' + NUMBER + r') (?:[<>]=?|[=!]=) ')
BEHIND = re.compile(r' (?:[<>]=?|[=!]=) (' + NUMBER + r')(?![\w.]| \*)')

def bare(text):
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    text = re.sub(r'^ *#(?!define)(?:.*\\\n)*.*$', '', text, flags=re.M)  # of the preprocessor: versions and sizes
    text = re.sub(r'\bfor \(.*', '', text)
    found = BEFORE.findall(text) + BEHIND.findall(text)
    found = [n for n in found if abs(float(n.strip('()f'))) not in (0, 1)]
    text = re.sub(r'\bconst \w+ \w+ = \(?-?[\d.e+-]+f?\)?;|^#define \w+ [\d.e+-]+f? *$|\bout->\S+ = \S+;', ' ', text, flags=re.M)
    for n in re.findall(r'(?<![\w.])(\d+\.?\d*(?:e[-+]?\d+)?)f?(?![\w.])', text):
        power = float(n) != 0 and ('.' in n or 'e' in n) and re.sub(r'e.*', '', n).replace('.', '').strip('0') == '1'
        if power and not 1e-5 <= float(n) <= 1e4:
            found.append(n)
    return found

for planted in ('x = (2.5 < y);', 'x = (y < (-2.5f));', 'x = 1e-05 <= y;', '#define BEYOND(q) ((q) > 1e3)',
                'const r x = 1e-12 * y;', 'x = k ? (-1e+300) : 0.0;', 'x = y + 1e-06f * z;'):
    assert len(bare(planted)) == 1, (planted, bare(planted))
assert not bare('x = (least < y) | (y < (-least)) | (y == 0.0) | (1.0f < y) | ((-1.0) == y);')
assert not bare('const r least = 1e-12;\n#define MOST 1e10 /* of an angle */\nout->lo[3] = (-1e+300);\nx = 0.001 * y;')
for path in sys.argv[1:]:
    assert not bare(open(path).read()), (path, bare(open(path).read())[:5])
END_OF
# compared ARGUMENTS...: of a header of these, every third of those below.
compared() { "$achdgen" -q "$@" --no-prove -o compared.h && python3 compared.py compared.h; }
check "numbers that others are compared with have names" python3 compared.py "$top"/generated/*.h gen3.h batch.h quad.h lanes.h
sampled 3 "... of bounded rows" compared "$top/robots/youbot_arm.urdf" --layout bounded.lua --functions mclp
sampled 3 "... of their derivatives" compared "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --functions mclp,dmclp
sampled 3 "... of an optimum" compared "$top/robots/quadruped.urdf" --layout "$top/robots/optimum/quadruped.lua" --functions qp
sampled 3 "... of a humanoid's optimum" compared "$top/robots/humanoid.urdf" --layout "$top/robots/whole_body/humanoid.lua" --lanes 1
sampled 3 "... without branches" compared "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --branchless
# Names cost nothing: with the numbers in their place the shortest machine code is the same. (Other code may differ by a compiler's choices.)
cat >numbers_again.py <<'END_OF'
import re, sys
text = open(sys.argv[1]).read()
names = dict(re.findall(r'^ +const youbot_real (?!\w*t\d+ )(\w+) = (-?[\d.e+-]+);', text, flags=re.M))
assert len(names) > 10 and 'singular_threshold' in names and 'largest_angle' in names, names
text = re.sub(r'^ +const youbot_real (\w+) = [^;]*;', lambda m: '' if m[1] in names else m[0], text, flags=re.M)
print(re.sub(r'(?<![.>\w])[A-Za-z_]\w*\b', lambda m: names.get(m[0], m[0]), text))
END_OF
same_code() {
  "$achdgen" -q "$top/robots/youbot.urdf" --layout "$top/robots/youbot.lua" --no-prove --functions achd,gravity -o called.h || return 1
  python3 numbers_again.py called.h >plain.h || return 1
  for header in plain called; do
    gcc -std=gnu11 -Os -DYOUBOT_IMPLEMENTATION -x c -c $header.h -o $header.o && objcopy -O binary -j .text $header.o $header.bin || return 1
  done
  plain=$(wc -c <plain.bin) called=$(wc -c <called.bin)
  echo "$called bytes of machine code with names, $plain without"
  [ "$plain" -gt 20000 ] && cmp plain.bin called.bin
}
sampled 3 "names cost youbot nothing" same_code
check "a reason beside each" grep -q "const gen3_real effort1 = .*; /\* limit of the torque or force of joint_1 \*/" gen3.h

# contract
check "contract: ranges" grep -q "in: every number must be finite, |q| <= 1e5, mask 0 or 1" gen3.h
check "contract: NOT_FINITE" grep -q "With NOT_FINITE these are 0, and the others may be NaN: tau_ctrl" gen3.h
finish

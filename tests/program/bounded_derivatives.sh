#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/bounded_derivatives.sh ACHDGEN SOURCE_DIR CC: dmclp from outside: the program in docs/derivatives.md runs and predicts what
# the solve then says; real numbers, batches, --branchless, --casadi, --eval, --check, --prove; masks and sides; what is refused.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"
# An arm that rubs and presses.
rubs() { "$achdgen" "$top/robots/gen3_6dof.urdf" --layout rubs.lua "$@"; }
cat >rubs.lua <<'END'
return {
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  friction = { joint_1 = 2, joint_2 = 2 },
  groups = { { name = "tool", frame = "end_effector_link", rows = { "lin_x", "lin_z" }, maskable = true, bounds = { lin_z = { 0, math.huge } } } },
}
END

cat >feet.lua <<'END'
return {
  base = "floating",
  groups = { { name = "fl", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6 } } },
  outputs = { "qdd", "dqdd_dq", "dnu_dqd" },
}
END

# The program of the documentation.
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/derivatives.md" >example.c
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --name bounded --functions mclp,dmclp -o bounded_achd.h
check "the example compiles" "$cc" -std=c11 -Wall -Wextra -Werror -I"$top/runtime" example.c "$top/runtime/mclp.c" "$top/runtime/least_norm.c" -o example -lm
check "the example runs" sh -c './example >predicted'
check "it tells of seven joints and some rows" [ "$(grep -c '^qdd' predicted)" -eq 7 ] && [ "$(grep -c '^nu' predicted)" -ge 1 ]
# shellcheck disable=SC2016 # of awk
check "what is predicted is what is solved" awk '
  function near(a, b) { d = a - b; s = (a < 0 ? -a : a) + (b < 0 ? -b : b); return (d < 0 ? -d : d) <= 1e-4 * s + 1e-9 }
  { sub(",", "", $0); if (!near($(NF - 2), $NF)) bad = 1; if ($NF > 1e-6 || $NF < -1e-6) moved = 1 }
  END { exit bad || !moved }' predicted

# Forms of the function, with less to compile.
sed 's/^return {/return { outputs = { "qdd", "dqdd_dq" },/' rubs.lua >less.lua
less() { "$achdgen" "$top/robots/gen3_6dof.urdf" --layout less.lua "$@"; }
for how in '--real float' '--branchless' '--parts 500'; do
  # shellcheck disable=SC2086 # words
  less --functions mclp,dmclp $how --no-prove --name made -o made.h
  echo '#define '"$(case $how in *float) echo MADEF ;; *) echo MADE ;; esac)"'_IMPLEMENTATION' >made.c
  echo '#include "made.h"' >>made.c
  check "no warning with $how" "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only made.c
done
less --functions dmclp --casadi --name made -o made_casadi.c
check "the header says that a side can be bad" grep -q 'MADE.*_BAD_INPUT .* a side not -1, 0 or 1' made.h
check "as an external function it compiles" "$cc" -std=c11 -O0 -Wall -Wextra -Werror -fPIC -shared made_casadi.c -o made.so -lm
cat >external.c <<'END'
#include "made_casadi.c"
#include <string.h>
/* What the external function puts out is what the solver inside does. */
#define FILL(field) \
  if (strcmp(name, #field) == 0) \
    for (k = 0; k < (int)made_dmclp_sparsity_in(i)[0]; k++, filled++) in.field[k] = x[i][k]
int main(void) {
  made_solver_dmclp_in in = MADE_SOLVER_DMCLP_IN_DEFAULT;
  made_solver_dmclp_out out;
  static double x[16][64], y[16][4096];
  const double *arg[16];
  double *res[16];
  int i, k, c, filled = 0, wanted = 0, compared = 0;
  for (i = 0; i < made_dmclp_n_in(); i++) {
    const char *name = made_dmclp_name_in(i);
    wanted += (int)made_dmclp_sparsity_in(i)[0];
    for (k = 0; k < 64; k++)
      x[i][k] = strcmp(name, "mask") == 0 ? 1 : strcmp(name, "side") == 0 ? (k == 1) - (k == 2) : 0.3 * k - 0.1 * i + 0.2;
    FILL(q);
    FILL(qd);
    FILL(tau_art);
    FILL(b);
    FILL(mask);
    FILL(nu);
    FILL(side);
    arg[i] = x[i];
  }
  for (i = 0; i < made_dmclp_n_out(); i++) res[i] = y[i];
  if (filled != wanted || made_dmclp(arg, res, 0, 0, 0) || (made_solver_dmclp(&in, &out) & MADE_SOLVER_DO_NOT_COMMAND)) return 1;
  for (i = 0; i < made_dmclp_n_out(); i++)
    if (strcmp(made_dmclp_name_out(i), "dqdd_dq") == 0) {
      const casadi_int *s = made_dmclp_sparsity_out(i), *begin = s + 2, *row = s + 3 + s[1];
      for (c = 0; c < s[1]; c++)
        for (k = (int)begin[c]; k < begin[c + 1]; k++, compared++)
          if (y[i][k] != out.dqdd_dq[row[k]][c] || (row[k] == c && y[i][k] == 0)) return 2;
    }
  for (k = 0; k < (int)(sizeof x[0] / sizeof x[0][0]); k++)
    for (i = 0; i < made_dmclp_n_in(); i++)
      if (strcmp(made_dmclp_name_in(i), "side") == 0) x[i][k] = 2;
  return compared < 12 ? 3 : made_dmclp(arg, res, 0, 0, 0) ? 0 : 4; /* a side of 2 is an error */
}
END
check "the caller compiles" "$cc" -std=c11 -O0 -Wall -Wextra -Werror external.c -o external -lm
check "and gets what the solver inside computes" ./external
check "and names its inputs" grep -q '"side"' made_casadi.c

# Batches give the same bits.
less --functions dmclp --batch 4 --name made -o made.h
cat >batch.c <<'END'
#define MADE_IMPLEMENTATION
#include "made.h"
#include <string.h>
int main(void) {
  static made_dmclp_in one[4];
  static made_dmclp_out out[4];
  static made_dmclp_batch_in four;
  static made_dmclp_batch_out outs;
  made_status many[4], alone[4];
  int i, j, k, free_rows = 0;
  for (k = 0; k < 4; k++) {
    const made_dmclp_in zero = MADE_DMCLP_IN_DEFAULT;
    one[k] = zero;
    for (i = 0; i < MADE_NJ; i++) {
      four.q[i][k] = one[k].q[i] = 0.3 * i - 0.2 * k;
      four.qd[i][k] = one[k].qd[i] = k % 2 ? 0.2 * i : 0;
      four.tau_art[i][k] = one[k].tau_art[i] = i - k;
    }
    for (j = 0; j < MADE_NR; j++) {
      four.b[j][k] = one[k].b[j] = 0.1 * j;
      four.mask[j][k] = one[k].mask[j] = 1;
      four.nu[j][k] = one[k].nu[j] = 1.5 - j;
      four.side[j][k] = one[k].side[j] = (j + k) % 3 - 1;
      free_rows += one[k].side[j] == 0;
    }
    alone[k] = made_dmclp(&one[k], &out[k]);
  }
  made_dmclp_batch(&four, &outs, many);
  for (k = 0; k < 4; k++) {
    if (many[k] != alone[k]) return 1;
    for (i = 0; i < MADE_NJ; i++)
      for (j = 0; j < MADE_NJ; j++)
        if (memcmp(&outs.dqdd_dq[i][j][k], &out[k].dqdd_dq[i][j], sizeof(double))) return 2;
  }
  return free_rows ? 0 : 3;
}
END
check "batches compile" "$cc" -std=c11 -O0 -ffp-contract=off -Wall -Wextra -Werror batch.c -o batch -lm
check "and give the same bits" ./batch

# Sides and masks: a row at a bound and a masked one do nothing.
rubs --functions dmclp --columns >columns
column() { awk -v of="$1" '$1 == "out" { k++; if ($2 == of) print k }' columns; }
state() { # TOOL_LIN_X'S MASK SIDES
  echo "0.3 0.5 -0.2 1.1 0.1 0.8 0 0 0.5 0 0 0.3 1 2 3 1 0 1 0.2 0.4 $1 1 1.5 2 0.5 -0.5 $2"
}
check "the state has all inputs" [ "$(state 1 '0 0 0 0' | wc -w)" -eq "$(grep -c '^in' columns)" ]
{
  state 1 '0 0 0 0'
  state 0 '0 0 0 0'
  state 1 '0 -1 0 0'
  state 1 '1 0 0 0'
  state 1 '0 2 0 0'
  state 1 '0 0 0.5 0'
} | rubs --functions dmclp --eval >told
told() { sed -n "$1p" told | awk -v k="$(column "$2")" '{ print $k + 0 }'; }
by_itself=dqdd_db.joint_3.tool.lin_x
check "a row that holds moves the joints" [ "$(told 1 $by_itself)" != 0 ]
check "a masked row does not" [ "$(told 2 $by_itself)" = 0 ]
check "a row at its bound does not" [ "$(told 3 dqdd_db.joint_3.tool.lin_z)" = 0 ]
check "nor changes its force" [ "$(told 3 dnu_dq.tool.lin_z.joint_2)" = 0 ]
check "a side without bound is none" [ "$(sed -n 4p told)" = "$(sed -n 1p told)" ]
check "status of good states" [ "$(told 1 status)$(told 2 status)$(told 3 status)$(told 4 status)" = 0000 ]
check "a side of 2 is bad input" [ "$(told 5 status)" = 16 ]
check "a side of 0.5 is bad input" [ "$(told 6 status)" = 16 ]
state 1 '0 nan 0 0' | rubs --functions dmclp --eval >none
# shellcheck disable=SC2016 # of awk
check "a side that is no number is told, and gives no torque" awk -v k="$(column status)" -v t="$(column tau_ctrl.joint_1)" '{ exit !(int($k / 4) % 2 == 1 && $t == 0) }' none

# What it is made of, by the program itself.
check "--check" rubs --functions mclp,dmclp --check 20
check "--check in float" rubs --functions dmclp --real float --check 10
check "--check of a floating base" "$achdgen" "$top/robots/quadruped.urdf" --layout feet.lua --functions dmclp --check 3
rubs --functions dmclp --prove >proof
check "--prove tells of every output" [ "$(grep -c '^  d.*_d' proof)" -eq 12 ]

# Only what is asked for is computed.
operations() { "$achdgen" "$top/robots/gen3_6dof.urdf" --layout "$1" --functions dmclp --inspect | sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p'; }
whole=$(operations rubs.lua)
sed 's/^return {/return { outputs = { "qdd", "dqdd_db" },/' rubs.lua >less.lua
less=$(operations less.lua)
check "by b alone: $less operations of $whole" [ "$less" -lt $((whole / 3)) ]

# What cannot be.
refused() { # TEXT REMEDY ROBOT LAYOUT
  echo "return { $4 }" >bad.lua
  ! "$achdgen" "$top/robots/$3.urdf" --layout bad.lua --functions dmclp -o bad.h 2>message || return 1
  [ ! -e bad.h ] && grep -q -F "$1" message && grep -q -F "$2" message
}
check "no bounded rows" refused 'dmclp is for bounded rows, and the layout has none' 'write --functions dachd, or bound rows' gen3 'groups = {}'
check "an optimum" refused 'dmclp does not solve what realise = "optimum" asks for' 'write --functions qp' gen3 'realise = "optimum", groups = {}'
for name in nu side; do
  check "a wrench named $name" refused "the wrench \"$name\" is named like an input of dmclp" 'choose another name' gen3 \
    "friction = { joint_1 = 1 }, wrenches = { { name = \"$name\", frame = \"tool_frame\", kind = \"physical\" } }"
done
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  foot() { echo "{ name = \"$1\", frame = \"$1_foot\", contact = { normal = \"lin_z\", friction = 1 } },"; }
  check "too many rows for all derivatives" refused 'too long for straight-line code' outputs quadruped "base = \"floating\", friction = \"input\",
    limits = { margin = 0.5 }, torques = { artificial = true, physical = true }, groups = { $(foot fl) $(foot fr) $(foot rl) $(foot rr)
    { name = \"trunk\", frame = \"trunk\", bounds = { -50, 50 } } }"
fi
finish

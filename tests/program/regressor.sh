#!/bin/sh
# SPDX-License-Identifier: MIT
# regressor.sh ACHDGEN TOP: the regressors: how many base parameters robots have, and in how many operations; that Y times the
# parameters of any model of the same kinematics are the torques of its inverse dynamics, Yp and Yt times them its momentum and
# what changes it; that no column depends on the others, by Gram and Schmidt; what layouts ask for; what is refused.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
CC=${CC:-gcc}

operations() { "$achdgen" "$@" --inspect | sed -n 's/^ *operations .*: \([0-9]*\) = .*/\1/p'; }
parameters() { "$achdgen" "$@" -q --no-prove -o - | grep -c '^  [A-Z0-9_]*_PARAMETER_[A-Z0-9_]*,$'; }

echo 'return { gravity = { 0, 0, -9.81 } }' >along_z.lua
echo 'return { gravity = { 0, 0, -9.81 }, regressor = { "armature", "viscous", "coulomb", "offset" } }' >joints.lua
echo 'return { regressor = { "armature", "viscous", "coulomb", "offset" } }' >joints_anywhere.lua
gen3=$top/robots/gen3.urdf
check "gen3: 45 parameters" [ "$(parameters "$gen3" --functions regressor)" -eq 45 ]
check "gen3, gravity along z: 43" [ "$(parameters "$gen3" --layout along_z.lua --functions regressor)" -eq 43 ]
check "and rotors and friction: 69" [ "$(parameters "$gen3" --layout joints.lua --functions regressor)" -eq 69 ]
check "gen3, gravity along any axis: 71" [ "$(parameters "$gen3" --layout joints_anywhere.lua --functions regressor)" -eq 71 ]
count=$(operations "$gen3" --functions regressor)
echo "  gen3: 45 parameters in $count operations"
check "at most 1250 operations" [ "$count" -le 1250 ]

# agrees ROBOT BASE CHANGES: a model of other masses has the same Y, and its parameters give its torques and momenta.
cat >agrees.c <<'END'
#include "model.h"
#include "other.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = sizeof(((model_regressor_out *)0)->Y[0]) / sizeof(double), V = sizeof(((model_regressor_out *)0)->Y) / sizeof(double) / N, STATES = 2 * N / V + 4 };

static double draw(void) { return 2 * drand48() - 1; }

static double columns[N][STATES * V];

/* The smallest part of a column that is not in those before it. */
static double smallest_rest(void) {
  double least = 1;
  for (int k = 0; k < N; k++) {
    double before = 0, after = 0;
    for (int i = 0; i < STATES * V; i++) before += columns[k][i] * columns[k][i];
    for (int twice = 0; twice < 2; twice++)
      for (int j = 0; j < k; j++) {
        double along = 0;
        for (int i = 0; i < STATES * V; i++) along += columns[j][i] * columns[k][i];
        for (int i = 0; i < STATES * V; i++) columns[k][i] -= along * columns[j][i];
      }
    for (int i = 0; i < STATES * V; i++) after += columns[k][i] * columns[k][i];
    for (int i = 0; i < STATES * V; i++) columns[k][i] /= sqrt(after);
    const double rest = sqrt(after / before);
    if (!(rest > least)) least = rest; /* NaN of a column of zeros, too */
  }
  return least;
}

static double apart(const double Y[V][N], const double *parameters, const double *base, const double *joints) {
  double worst = 0, largest = 0;
  for (int i = 0; i < V; i++) {
    double x = -(i < V - MODEL_NJ ? base[i] : joints[i - (V - MODEL_NJ)]);
    for (int k = 0; k < N; k++) {
      x += Y[i][k] * parameters[k];
      largest = fmax(largest, fabs(Y[i][k] * parameters[k]));
    }
    worst = fmax(worst, fabs(x));
  }
  return worst / largest;
}

#ifdef BASE
#define ON_BASE(out, field) ((const double *)&(out).base.field)
#else
#define ON_BASE(out, field) NULL
#endif

int main(void) {
  static const double own[N] = MODEL_PARAMETERS, others[N] = OTHER_PARAMETERS;
  double worst = 0;
  for (int s = 0; s < STATES; s++) {
    model_regressor_in in = MODEL_REGRESSOR_IN_DEFAULT;
    model_momentum_regressor_in in_p = MODEL_MOMENTUM_REGRESSOR_IN_DEFAULT;
    model_id_in in_id = MODEL_ID_IN_DEFAULT;
    other_id_in in_other = OTHER_ID_IN_DEFAULT;
    model_momentum_in in_m = MODEL_MOMENTUM_IN_DEFAULT;
    for (int j = 0; j < MODEL_NJ; j++) {
      in.q[j] = in_p.q[j] = in_id.q[j] = in_other.q[j] = in_m.q[j] = 3 * draw();
      in.qd[j] = in_p.qd[j] = in_id.qd[j] = in_other.qd[j] = in_m.qd[j] = draw();
      in.qdd[j] = in_id.qdd[j] = in_other.qdd[j] = draw();
    }
    for (int i = 0; i < 3; i++) in.gravity[i] = in_p.gravity[i] = in_id.gravity[i] = in_other.gravity[i] = in_m.gravity[i] = 10 * draw();
#ifdef BASE
    double *twist = (double *)&in.base.twist, *acc = (double *)&in.base.acc;
    for (int i = 0; i < V - MODEL_NJ; i++) {
      twist[i] = draw();
      acc[i] = draw();
    }
    memcpy(&in_p.base.twist, twist, sizeof in.base.twist);
    memcpy(&in_m.base.twist, twist, sizeof in.base.twist);
    memcpy(&in_id.base.twist, twist, sizeof in.base.twist);
    memcpy(&in_other.base.twist, twist, sizeof in.base.twist);
    memcpy(&in_id.base.acc, acc, sizeof in.base.acc);
    memcpy(&in_other.base.acc, acc, sizeof in.base.acc);
#endif
    model_regressor_out out;
    model_momentum_regressor_out out_p;
    model_id_out tau;
    other_id_out tau_other;
    model_momentum_out p;
    if (model_regressor(&in, &out) | model_momentum_regressor(&in_p, &out_p) | model_id(&in_id, &tau) | other_id(&in_other, &tau_other) | model_momentum(&in_m, &p)) return 1;
    worst = fmax(worst, apart(out.Y, own, ON_BASE(tau, wrench), tau.tau));
    worst = fmax(worst, apart(out.Y, others, ON_BASE(tau_other, wrench), tau_other.tau));
    worst = fmax(worst, apart(out_p.Yp, own, ON_BASE(p, p), p.p));
    worst = fmax(worst, apart(out_p.Yt, own, ON_BASE(p, beta), p.beta));
    for (int i = 0; i < V; i++)
      for (int k = 0; k < N; k++) columns[k][s * V + i] = out.Y[i][k];
  }
  const double rest = smallest_rest();
  printf("  %d parameters, worst %.1e, smallest part of a column that is its own %.1e\n", N, worst, rest);
  return !(worst < 1e-12 && rest > 1e-6);
}
END
agrees() {
  robot=$top/robots/$1.urdf
  echo "return { base = \"$2\" }" >model.lua
  echo "return { base = \"$2\", inertials = { $3 } }" >other.lua
  "$achdgen" "$robot" --layout model.lua -q --no-prove --functions regressor,momentum_regressor,id,momentum --name model --mode inline -o model.h || return 1
  "$achdgen" "$robot" --layout other.lua -q --no-prove --functions regressor,id --name other --mode inline -o other.h || return 1
  base=
  [ "$2" = fixed ] || base=-DBASE
  # shellcheck disable=SC2086
  "$CC" -std=gnu11 -O0 $base agrees.c -o agrees -lm && ./agrees
}
heavy='mass = 3, com = { 0.1, -0.2, 0.3 }, inertia = { xx = 0.5, yy = 0.6, zz = 0.7, xy = 0.1, xz = -0.1, yz = 0.05 }'
check "gen3, and one of other masses" agrees gen3 fixed "half_arm_2_link = { $heavy }, bracelet_link = { $heavy }"
check "quadruped on a floating base" agrees quadruped floating "trunk = { $heavy }, fl_calf = { $heavy }"
check "youbot on a planar base" agrees youbot planar "arm_link_3 = { $heavy }"
check "joints that mimic, and sliding ones" agrees gripper fixed "left_finger = { $heavy }"

# -- what layouts ask for
columns() { "$achdgen" "$gen3" --layout "$1" --functions "$2" --columns | sed -n 's/^out \([A-Za-z]*\)\..*/\1/p' | uniq | paste -s -d ' ' -; }
check "one matrix" [ "$(columns along_z.lua regressor)" = Y ]
check "two matrices" [ "$(columns along_z.lua momentum_regressor)" = "Yp Yt" ]
check "signs are an input where there is dry friction" sh -c "'$achdgen' '$gen3' --layout joints.lua --functions regressor --columns | grep -q '^in sign.joint_7'"
check "and only there" sh -c "! '$achdgen' '$gen3' --functions regressor --columns | grep -q sign"
echo 'return { regressor = { "viscous", "stiction" } }' >bad.lua
check "a word that is none" sh -c "! '$achdgen' '$gen3' --layout bad.lua --functions regressor -q -o - 2>errors >said && grep -q 'bad.lua:1: .*\"stiction\"' errors && [ ! -s said ]"
echo 'return { regressor = { "viscous", "viscous" } }' >bad.lua
check "a word twice" sh -c "! '$achdgen' '$gen3' --layout bad.lua --functions regressor -q -o - 2>errors >said && grep -q 'is listed twice' errors"
finish

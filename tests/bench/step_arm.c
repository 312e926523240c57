/* SPDX-License-Identifier: MIT */
/* step_arm.c MODEL.xml: a Gen3 that swings without torques, by the function step, by step_begin, achd_contact_solve and
 * step_end with its position limits, and by MuJoCo with its default options, in turn: microseconds of a step, the least
 * of several rounds. See step.sh. */
#include "step.h"

#include <achd/contact.h>

#define GEN3_IMPLEMENTATION
#include "gen3_step.h"
#define LIMITED_IMPLEMENTATION
#include "limited_step_begin.h"

enum {
  JOINTS = GEN3_NJ,
  ROWS = sizeof((limited_step_begin_out *)0)->b / sizeof(double),
  STEPS = 100, /* before it reaches a limit */
  ROUNDS = 240
};
static const double start[JOINTS] = {0, 0.3, 0, -0.4, 0, 0.5, 0}, period = 1e-3;

/* From the start, STEPS steps: false where one has no result. */
static bool free_arm(double *end) {
  gen3_step_in in = GEN3_STEP_IN_DEFAULT;
  gen3_step_out out;
  memcpy(in.q, start, sizeof start);
  in.time_step = period;
  for (int k = 0; k < STEPS; k++) {
    if (gen3_step(&in, &out)) return false;
    memcpy(in.q, out.q_next, sizeof in.q);
    memcpy(in.qd, out.qd_next, sizeof in.qd);
  }
  *end = in.q[1];
  return true;
}

static bool limited_arm(double *end) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  double lambda[ROWS] = {0};
  limited_step_in in = LIMITED_STEP_IN_DEFAULT;
  limited_step_begin_out begin;
  limited_step_out out;
  achd_contact_report report;
  memcpy(in.q, start, sizeof start);
  in.time_step = period;
  for (int k = 0; k < STEPS; k++) {
    if (limited_step_begin(&in, &begin)) return false;
    const achd_contact_problem problem = {
        .limits = ROWS, .A = begin.A, .b = begin.b, .gap = begin.gap};
    if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED ||
        limited_step_end(&in, &begin, lambda, &out))
      return false;
    memcpy(in.q, out.q_next, sizeof in.q);
    memcpy(in.qd, out.qd_next, sizeof in.qd);
  }
  *end = in.q[1];
  return true;
}

int main(int argc, char **argv) {
  mjModel *m = model_of(argc > 1 ? argv[1] : NULL, JOINTS, true);
  mjData *d = mj_makeData(m);
  m->opt.timestep = period;
  double least[3] = {INFINITY, INFINITY, INFINITY}, ends[3] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    const double a = now();
    if (!free_arm(&ends[0])) return 1;
    const double b = now();
    if (!limited_arm(&ends[1])) return 1;
    const double c = now();
    mj_resetData(m, d);
    memcpy(d->qpos, start, sizeof start);
    for (int k = 0; k < STEPS; k++) mj_step(m, d);
    const double took[3] = {b - a, c - b, now() - c};
    for (int i = 0; i < 3; i++) least[i] = fmin(least[i], took[i]);
    ends[2] = d->qpos[1];
  }
  printf("Gen3: step %.3f us (%.0f thousand steps/s); with limits of %d joints %.3f us; MuJoCo "
         "%.3f us: %.1f and %.1f times; "
         "joint 2 at the end %.4f, %.4f and %.4f rad\n",
         1e6 * least[0] / STEPS, 1e-3 * STEPS / least[0], ROWS / 2, 1e6 * least[1] / STEPS,
         1e6 * least[2] / STEPS, least[2] / least[0], least[2] / least[1], ends[0], ends[1],
         ends[2]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

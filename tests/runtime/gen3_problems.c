/* SPDX-License-Identifier: MIT */
/* gen3_problems.c: see gen3_problems.h; compiled once for each precision. */
#include "gen3_problems.h"

#ifdef ACHD_SINGLE
#include "gen3_limitedf.h"
#include "gen3_taskf.h"
#define PRECISION(name) name##_float
#define TASK(name) taskf_##name
#define LIMITED(name) limitedf_##name
enum { task_rows = TASKF_NR, limited_rows = LIMITEDF_NR };
#else
#include "gen3_limited.h"
#include "gen3_task.h"
#define PRECISION(name) name##_double
#define TASK(name) task_##name
#define LIMITED(name) limited_##name
enum { task_rows = TASK_NR, limited_rows = LIMITED_NR };
#endif

static void widen(const achd_real narrow[], int count, double wide[]) {
  for (int i = 0; i < count; i++) wide[i] = (double)narrow[i];
}

static void narrow(const double wide[], int count, achd_real result[]) {
  for (int i = 0; i < count; i++) result[i] = (achd_real)wide[i];
}

static void keep(int rows, const achd_real L[], const achd_real r[], const achd_real lo[],
                 const achd_real hi[], gen3_problem *problem) {
  problem->rows = rows;
  widen(L, rows * (rows + 1) / 2, problem->L);
  widen(r, rows, problem->r);
  widen(lo, rows, problem->lo);
  widen(hi, rows, problem->hi);
}

static void make_task(const gen3_state *state, gen3_problem *problem) {
  TASK(achd_in) in = {.gravity = {0, 0, (achd_real)-9.81}};
  TASK(mclp_out) p;
  narrow(state->q, problem_joints, in.q);
  narrow(state->qd, problem_joints, in.qd);
  narrow(state->friction, problem_joints, in.friction);
  narrow(state->tau_art, problem_joints, in.tau_art);
  narrow(state->b, task_rows, in.b);
  TASK(mclp)(&in, &p);
  keep(task_rows, p.L, p.r, p.lo, p.hi, problem);
}

static void make_limited(const gen3_state *state, gen3_problem *problem) {
  LIMITED(achd_in) in = {.gravity = {0, 0, (achd_real)-9.81}};
  LIMITED(mclp_out) p;
  narrow(state->q, problem_joints, in.q);
  narrow(state->qd, problem_joints, in.qd);
  narrow(state->tau_art, problem_joints, in.tau_art);
  narrow(state->b, limited_rows, in.b);
  for (unsigned i = 0; i < sizeof in.mask / sizeof *in.mask; i++) in.mask[i] = 1;
  LIMITED(mclp)(&in, &p);
  keep(limited_rows, p.L, p.r, p.lo, p.hi, problem);
}

void PRECISION(make)(bool task, const gen3_state *state, gen3_problem *problem) {
  (task ? make_task : make_limited)(state, problem);
}

gen3_solution PRECISION(solve)(const gen3_problem *problem) {
  const int n = problem->rows;
  achd_real L[problem_rows * (problem_rows + 1) / 2], r[problem_rows], lo[problem_rows],
      hi[problem_rows], nu[problem_rows], work[ACHD_MCLP_WORK(problem_rows)];
  signed char side[problem_rows] = {0};
  narrow(problem->L, n * (n + 1) / 2, L);
  narrow(problem->r, n, r);
  narrow(problem->lo, n, lo);
  narrow(problem->hi, n, hi);
  const achd_mclp_problem given = {n, L, r, lo, hi};
  achd_mclp_report report;
  gen3_solution s = {.status = achd_mclp(&given, nu, side, 0, work, &report)};
  s.residual = (double)report.residual;
  s.pivots = report.pivots;
  widen(nu, n, s.nu);
  return s;
}

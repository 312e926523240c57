/* SPDX-License-Identifier: MIT */
/* gen3_problems.h: complementarity problems of gen3 at random states, made and solved in double and
 * in float, each by its own generated header and its own build of the runtime. */
#ifndef GEN3_PROBLEMS_H
#define GEN3_PROBLEMS_H

#include <achd/mclp.h>

enum { problem_rows = 24, problem_joints = 7 };

/* Numbers of either precision. */
typedef struct gen3_problem {
  int rows;
  double L[problem_rows * (problem_rows + 1) / 2], r[problem_rows];
  double lo[problem_rows], hi[problem_rows];
} gen3_problem;

typedef struct gen3_solution {
  achd_mclp_status status;
  double nu[problem_rows], residual;
  int pivots;
} gen3_solution;

typedef struct gen3_state {
  double q[problem_joints], qd[problem_joints], friction[problem_joints], tau_art[problem_joints];
  double b[problem_rows];
} gen3_state;

/* task: seven joints with friction, six rows at the tool (tests/bench/bounded.lua); otherwise
 * robots/bounded/gen3.lua: limits of the joints too. */
void make_double(bool task, const gen3_state *state, gen3_problem *problem);
void make_float(bool task, const gen3_state *state, gen3_problem *problem);

/* Solves, from a cold start. The float one takes a problem whose numbers are float's. */
gen3_solution solve_double(const gen3_problem *problem);
gen3_solution solve_float(const gen3_problem *problem);

#endif

/* SPDX-License-Identifier: MIT */
/* bounded_gen3_test.c: friction, joint limits, a task with limited force and a floor with limited
 * force at once, on gen3, simulated over 2 s by its own generated forward dynamics. */
#include <achd/mclp.h>

#include "gen3_bounded.h"
#include "plot.h"
#include "test.h"

enum { STEPS = 2000, ROWS = GEN3_NR, LIMIT = GEN3_LIMITS_JOINT_2 };
static const double period = 1e-3, floor_height = 0.25;
static const double friction[GEN3_NJ] = {2, 2, 2, 2, 1, 1, 1};
/* of the URDF, in the order of the rows of limits: joints 2, 4, 6 */
static const int limited[] = {GEN3_JOINT_2, GEN3_JOINT_4, GEN3_JOINT_6};
static const double largest[] = {2.24, 2.57, 2.09};

/* Of every step, for the picture and for what is asserted at the end. */
static double distance[STEPS], limit_force[STEPS], speed[STEPS], floor_force[STEPS], height[STEPS],
    task_force[STEPS], stuck[STEPS], residual[STEPS], difference[STEPS];

/* How far nu is from lo <= nu <= hi with w = L nu - r of the right sign, over the size of w's
 * terms, |L_jk nu_k| <= sqrt(L_jj L_kk) |nu_k|. */
static double gap(const gen3_mclp_out *p, const double nu[]) {
  double worst = 0;
  for (int j = 0; j < ROWS; j++) {
    double w = -p->r[j], size = fabs(p->r[j]) + 1e-12;
    for (int k = 0; k < ROWS; k++) {
      const double L = p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j];
      w += L * nu[k];
      size += sqrt(p->L[j * (j + 3) / 2] * p->L[k * (k + 3) / 2]) * fabs(nu[k]);
    }
    if (nu[j] < p->lo[j] || nu[j] > p->hi[j]) return INFINITY;
    if (w < 0 && nu[j] < p->hi[j]) worst = fmax(worst, -w / size);
    if (w > 0 && nu[j] > p->lo[j]) worst = fmax(worst, w / size);
  }
  return worst;
}

/* The acceleration that brings the tool to a velocity, and the floor's that keeps it out. */
static void set_points(gen3_achd_in *in, const gen3_fk_out *at, const gen3_fvk_out *moves) {
  const double wanted[3] = {-0.5, 0, -0.25};
  for (int k = 0; k < 3; k++)
    in->b[GEN3_TASK_LIN_X + k] = 20 * (wanted[k] - moves->twist.tool_frame.lin[k]);
  const double depth = at->pose.tool_frame.p[2] - floor_height, rate = 40;
  in->mask[GEN3_FLOOR_LIN_Z] = depth < 0;
  in->b[GEN3_FLOOR_LIN_Z] = -2 * rate * moves->twist.tool_frame.lin[2] - rate * rate * depth;
}

static void everything_at_once(void) {
  double q[GEN3_NJ] = {0, 0.3, 3.14159265, -2.2, 0, 0.9, 1.5708}, qd[GEN3_NJ] = {0};
  static double work[ACHD_MCLP_WORK(ROWS)];
  signed char side[ROWS] = {0};
  qd[GEN3_JOINT_2] = 0.4;
  for (int step = 0; step < STEPS; step++) {
    gen3_achd_in in = {.gravity = {0, 0, -9.81}};
    gen3_gravity_in still = {.gravity = {0, 0, -9.81}};
    gen3_fk_in position;
    gen3_fvk_in velocity;
    gen3_gravity_out hold;
    gen3_fk_out at;
    gen3_fvk_out moves;
    for (int i = 0; i < GEN3_NJ; i++) {
      in.q[i] = position.q[i] = velocity.q[i] = still.q[i] = q[i];
      in.qd[i] = velocity.qd[i] = qd[i];
    }
    gen3_gravity(&still, &hold);
    gen3_fk(&position, &at);
    gen3_fvk(&velocity, &moves);
    for (int i = 0; i < GEN3_NJ; i++) in.tau_art[i] = hold.tau[i] - 4 * qd[i];
    set_points(&in, &at, &moves);

    gen3_mclp_out p;
    gen3_achd_out out;
    double nu[ROWS];
    achd_mclp_report report;
    const unsigned status = gen3_mclp(&in, &p);
    const achd_mclp_problem problem = {ROWS, p.L, p.r, p.lo, p.hi};
    const achd_mclp_status solved = achd_mclp(&problem, nu, side, 0, work, &report);
    gen3_apply(&in, &p, nu, &out);
    CHECK(status == GEN3_OK);
    CHECK(solved == ACHD_MCLP_SOLVED);
    residual[step] = gap(&p, nu);

    /* what the robot does under these torques, friction and the floor's force */
    gen3_fd_in act = {.gravity = {0, 0, -9.81}};
    gen3_fd_out motion;
    for (int i = 0; i < GEN3_NJ; i++) {
      act.q[i] = q[i], act.qd[i] = qd[i];
      act.tau[i] = out.tau_ctrl[i] + out.tau_friction[i];
    }
    act.reaction.lin[2] = nu[GEN3_FLOOR_LIN_Z];
    gen3_fd(&act, &motion);
    double largest_qdd = 1;
    for (int i = 0; i < GEN3_NJ; i++) {
      largest_qdd = fmax(largest_qdd, fabs(motion.qdd[i]));
      difference[step] = fmax(difference[step], fabs(motion.qdd[i] - out.qdd[i]));
    }
    difference[step] /= largest_qdd;

    gen3_fak_in rates;
    gen3_fak_out accelerates;
    for (int i = 0; i < GEN3_NJ; i++)
      rates.q[i] = q[i], rates.qd[i] = qd[i], rates.qdd[i] = motion.qdd[i];
    gen3_fak(&rates, &accelerates);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(out.acc.tool_frame.lin[k], accelerates.acc.tool_frame.lin[k], 1e-9 * largest_qdd);
      CHECK_NEAR(out.acc.tool_frame.ang[k], accelerates.acc.tool_frame.ang[k], 1e-9 * largest_qdd);
    }

    distance[step] = INFINITY;
    for (int k = 0; k < 3; k++) {
      const double d = largest[k] - fabs(q[limited[k]]);
      if (d < distance[step]) distance[step] = d;
      limit_force[step] = fmax(limit_force[step], fabs(nu[LIMIT + k]));
    }
    height[step] = at.pose.tool_frame.p[2] - floor_height;
    floor_force[step] = nu[GEN3_FLOOR_LIN_Z];
    for (int k = 0; k < 3; k++)
      task_force[step] = fmax(task_force[step], fabs(nu[GEN3_TASK_LIN_X + k]));
    speed[step] = moves.twist.tool_frame.lin[0];
    for (int i = 0; i < GEN3_NJ; i++) {
      CHECK(fabs(nu[GEN3_FRICTION_JOINT_1 + i]) <= friction[i]);
      stuck[step] += fabs(nu[GEN3_FRICTION_JOINT_1 + i]) < friction[i];
      qd[i] += period * motion.qdd[i];
      q[i] += period * qd[i];
    }
  }
}

static double most(const double *x) {
  double m = -INFINITY;
  for (int k = 0; k < STEPS; k++) m = fmax(m, x[k]);
  return m;
}

static double least(const double *x) {
  double m = INFINITY;
  for (int k = 0; k < STEPS; k++) m = fmin(m, x[k]);
  return m;
}

static void limits_and_bounds_hold(void) {
  printf(
      "worst gap %.1e, fd and apply differ by %.1e, nearest to a limit %.6f rad, deepest %.4f m\n",
      most(residual), most(difference), least(distance), least(height));
  printf("largest forces: limit %.1f N m, floor %.1f N, task %.1f N; stuck joints at most %g\n",
         most(limit_force), most(floor_force), most(task_force), most(stuck));
  CHECK(most(residual) < 1e-10);
  CHECK(most(difference) < 1e-9);
  CHECK(least(distance) > -1e-4);
  CHECK(least(distance) < 5e-3); /* the limit was met */
  CHECK(most(limit_force) > 1);
  CHECK(most(floor_force) == 60); /* its bound was met, and never passed */
  CHECK(least(floor_force) == 0);
  CHECK(most(task_force) == 80);
  CHECK(most(stuck) >= 1);
}

int main(int argc, char **argv) {
  RUN(everything_at_once);
  RUN(limits_and_bounds_hold);
  if (argc > 1) {
    char path[4096];
    snprintf(path, sizeof path, "%s/bounded_gen3.svg", argv[1]);
    const plot_panel panels[] = {
        {"rad", {{"to the limit", distance}}},
        {"N m", {{"limit", limit_force}}},
        {"m", {{"over the floor", height}}},
        {"N", {{"floor, at most 60", floor_force}, {"task, at most 80", task_force}}},
        {"m/s", {{"tool along x", speed}}},
        {"1", {{"joints that stick", stuck}}},
        {0}};
    CHECK(plot_write(path, "gen3: limits, friction, limited forces", period, STEPS, panels) == 0);
  }
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* A Gen3 that really moves: the solver of tests/demo.sh in a control loop of 1 kHz, through robif2b's functions, on a
 * simulated arm that moves by generated steps, without MuJoCo. The tool follows a circle of 0.1 m in the plane y z and
 * keeps its orientation. Ends with 0 if it was never further than 2 mm from its place on the circle. */
#define GEN3_IMPLEMENTATION
#include "gen3_achd.h"

#include <robif2b/functions/kinova_gen3.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double radius = 0.1, turn = 4;        /* of the circle [m]; time of one turn [s] */
static const double stiffness = 400, damping = 40; /* of the tool's error [1/s^2], [1/s] */
static const double spring = 20, damper = 4; /* of the elbow's posture [N m/rad], [N m s/rad] */
static const double largest_error = 2e-3;    /* [m] */

/* The arm's ports. */
typedef struct arm {
  bool success;
  enum robif2b_ctrl_mode mode;
  double cycle_time, q[GEN3_NJ], qd[GEN3_NJ], tau[GEN3_NJ], current[GEN3_NJ], gyro[3],
      acceleration[3];
  double q_cmd[GEN3_NJ], qd_cmd[GEN3_NJ], tau_cmd[GEN3_NJ], current_cmd[GEN3_NJ];
} arm;

static gen3_pose tool_of(const double q[GEN3_NJ]) {
  gen3_fk_in in;
  gen3_fk_out out;
  memcpy(in.q, q, sizeof in.q);
  gen3_fk(&in, &out);
  return out.pose.tool_frame;
}

/* Where the tool shall be at a time, relative to its start: a circle below it, that begins and ends at rest. */
static void circle(double t, double p[3], double v[3], double a[3]) {
  const double s = t < turn ? t / turn : 1, w = t < turn ? 2 * pi / turn : 0;
  const double angle = 2 * pi * s - sin(2 * pi * s); /* from 0 to 2 pi */
  const double rate = w * (1 - cos(2 * pi * s)), gain = w * w * sin(2 * pi * s);
  p[0] = v[0] = a[0] = 0;
  p[1] = radius * sin(angle), p[2] = -radius * (1 - cos(angle));
  v[1] = radius * cos(angle) * rate, v[2] = -radius * sin(angle) * rate;
  a[1] = radius * (cos(angle) * gain - sin(angle) * rate * rate);
  a[2] = -radius * (sin(angle) * gain + cos(angle) * rate * rate);
}

/* The acceleration that brings the tool back to where it shall be; returns how far off it is. */
static double accelerate(const arm *now, const gen3_pose *start, double t, double b[GEN3_NR]) {
  gen3_fvk_in in;
  gen3_fvk_out moving;
  double p[3], v[3], a[3], off = 0;
  const gen3_pose tool = tool_of(now->q);
  memcpy(in.q, now->q, sizeof in.q);
  memcpy(in.qd, now->qd, sizeof in.qd);
  gen3_fvk(&in, &moving);
  circle(t, p, v, a);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double e = start->p[i] + p[i] - tool.p[i];
    double turned = 0; /* half the sum of the cross products of the axes now and at the start */
    for (int axis = 0; axis < 3; axis++)
      turned += (tool.R[j][axis] * start->R[k][axis] - tool.R[k][axis] * start->R[j][axis]) / 2;
    b[i] = a[i] + stiffness * e + damping * (v[i] - moving.twist.tool_frame.lin[i]);
    b[3 + i] = stiffness * turned - damping * moving.twist.tool_frame.ang[i];
    off += e * e;
  }
  return sqrt(off);
}

/* Torques of this cycle; false: the solver says not to command them. */
static bool solve(arm *now, const gen3_pose *start, const double posture[GEN3_NJ], double t,
                  double *off) {
  gen3_achd_in in = GEN3_ACHD_IN_DEFAULT;
  gen3_gravity_in at = GEN3_GRAVITY_IN_DEFAULT;
  gen3_achd_out out;
  gen3_gravity_out hold;
  memcpy(in.q, now->q, sizeof in.q);
  memcpy(in.qd, now->qd, sizeof in.qd);
  memcpy(at.q, now->q, sizeof at.q);
  *off = accelerate(now, start, t, in.b);
  gen3_gravity(&at, &hold);
  for (int i = 0; i < GEN3_NR; i++) in.mask[i] = 1;
  for (int j = 0; j < GEN3_NJ; j++)
    in.tau_art[j] =
        hold.tau[j] + spring * remainder(posture[j] - now->q[j], 2 * pi) - damper * now->qd[j];
  const gen3_status status = gen3_achd(&in, &out);
  memcpy(now->tau_cmd, out.tau_ctrl, sizeof now->tau_cmd);
  return (status & GEN3_DO_NOT_COMMAND) == 0;
}

static void report(double t, const double q[GEN3_NJ], double off) {
  const gen3_pose tool = tool_of(q);
  printf("  %3.1f s   tool at %7.4f %7.4f %7.4f m, %6.3f mm off\n", t, tool.p[0], tool.p[1],
         tool.p[2], 1e3 * off);
}

/* Half a second longer than the turn. Returns the largest error; negative: the arm or the solver failed. */
static double go_round(arm *now, struct robif2b_kinova_gen3_nbx *b, const gen3_pose *start) {
  double posture[GEN3_NJ], most = 0, off = 0;
  const int last = (int)lrint((turn + 0.5) / now->cycle_time);
  memcpy(posture, now->q, sizeof posture);
  for (int k = 0; k <= last; k++) {
    if (!solve(now, start, posture, k * now->cycle_time, &off)) return -1;
    if (k % 500 == 0) report(k * now->cycle_time, now->q, off);
    robif2b_kinova_gen3_update(b);
    if (!now->success) return -1;
    most = fmax(most, off);
  }
  return most;
}

int main(void) {
  arm now = {.mode = ROBIF2B_CTRL_MODE_FORCE, .cycle_time = 1e-3};
  struct robif2b_kinova_gen3_nbx b = {.conf.ip_address = "192.168.1.10",
                                      .conf.port = 10000,
                                      .conf.port_real_time = 10001,
                                      .conf.user = "admin",
                                      .conf.password = "admin",
                                      .conf.session_timeout = 60000,
                                      .conf.connection_timeout = 2000,
                                      .ctrl_mode = &now.mode,
                                      .cycle_time = &now.cycle_time,
                                      .jnt_pos_msr = now.q,
                                      .jnt_vel_msr = now.qd,
                                      .jnt_trq_msr = now.tau,
                                      .act_cur_msr = now.current,
                                      .imu_ang_vel_msr = now.gyro,
                                      .imu_lin_acc_msr = now.acceleration,
                                      .jnt_pos_cmd = now.q_cmd,
                                      .jnt_vel_cmd = now.qd_cmd,
                                      .jnt_trq_cmd = now.tau_cmd,
                                      .act_cur_cmd = now.current_cmd,
                                      .success = &now.success};
  robif2b_kinova_gen3_configure(&b);
  if (now.success) robif2b_kinova_gen3_recover(&b);
  if (now.success) robif2b_kinova_gen3_start(&b);
  if (!now.success) return 1;
  printf("\nThe tool goes round a circle of %g m in %g s:\n", radius, turn);
  const gen3_pose start = tool_of(now.q);
  const double most = go_round(&now, &b, &start);
  robif2b_kinova_gen3_stop(&b);
  robif2b_kinova_gen3_shutdown(&b);
  printf("  never more than %.3f mm off its place on the circle\n", 1e3 * most);
  return most >= 0 && most < largest_error ? 0 : 1;
}

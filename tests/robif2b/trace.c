/* SPDX-License-Identifier: MIT */
/* trace.c WAY [CYCLE]: a Gen3 for one second along a way, in cycles of 1 ms or CYCLE, by robif2b's functions and nothing else. Every 10 ms are a line: success,
 * flags of the arm and of its joints, then q, qd, torques, currents, gyroscopes and accelerometers of base and wrist, and the
 * environment's wrench on the tool.
 * tests/robif2b/steps.py compares what is printed on MuJoCo and on generated steps. */
#include <robif2b/functions/kinova_gen3.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = ROBIF2B_KINOVA_GEN3_NR_JOINTS, LINES = 100 };

typedef struct arm {
  bool success;
  enum robif2b_ctrl_mode mode;
  double cycle, q[N], qd[N], tau[N], current[N], gyro[3], acceleration[3], wrist_gyro[3], wrist[3];
  double q_cmd[N], qd_cmd[N], tau_cmd[N], current_cmd[N], twist[6], wrench[6], external[6];
  uint32_t faults, joint_faults[N];
} arm;

static void put(const double *x, int n) {
  for (int i = 0; i < n; i++) printf(" %.12g", x[i]);
}

static void print(const arm *a) {
  printf("%d %u", a->success, (unsigned)a->faults);
  for (int j = 0; j < N; j++) printf(" %u", (unsigned)a->joint_faults[j]);
  put(a->q, N), put(a->qd, N), put(a->tau, N), put(a->current, N);
  put(a->gyro, 3), put(a->acceleration, 3), put(a->wrist_gyro, 3), put(a->wrist, 3);
  put(a->external, 6);
  printf("\n");
}

/* The commands of a cycle: nothing, a swing of all joints about what holds the arm, a way, velocities, currents. */
static void command(arm *a, const char *way, const double start[N], const double hold[N],
                    double t) {
  for (int j = 0; j < N; j++) {
    const double swing = sin(6 * t + j);
    if (strcmp(way, "swing") == 0) a->tau_cmd[j] = hold[j] + (j < 4 ? 3 : 0.3) * swing;
    if (strcmp(way, "current") == 0)
      a->current_cmd[j] = hold[j] / (j < 4 ? 11.0 : 7.6) + 0.1 * swing;
    a->q_cmd[j] = start[j] + 0.2 * (1 - cos(3 * t)) * (j % 2 ? 1 : -1);
    a->qd_cmd[j] = 0.3 * swing;
  }
}

static void low_level(arm *a, struct robif2b_kinova_gen3_nbx *b, const char *way) {
  double start[N], hold[N];
  robif2b_kinova_gen3_configure(b);
  if (a->success) robif2b_kinova_gen3_recover(b);
  if (a->success) robif2b_kinova_gen3_start(b);
  memcpy(start, a->q, sizeof start);
  for (int j = 0; j < N; j++) hold[j] = -a->tau[j]; /* measured torques have the opposite sign */
  const int each = (int)lrint(0.01 / a->cycle);
  for (int k = 1; k <= LINES * each; k++) {
    command(a, way, start, hold, (k - 1) * a->cycle);
    robif2b_kinova_gen3_update(b);
    if (k % each == 0) print(a);
  }
  robif2b_kinova_gen3_stop(b);
  robif2b_kinova_gen3_shutdown(b);
}

static void high_level(arm *a, struct robif2b_kinova_gen3_hl_nbx *b) {
  robif2b_kinova_gen3_hl_configure(b);
  if (a->success) robif2b_kinova_gen3_hl_recover(b);
  if (a->success) robif2b_kinova_gen3_hl_start(b);
  for (int k = 1; k <= 10 * LINES; k++) {
    robif2b_kinova_gen3_hl_update(b);
    if (k % 10 == 0) print(a);
  }
  robif2b_kinova_gen3_hl_stop(b);
  robif2b_kinova_gen3_hl_shutdown(b);
}

int main(int argc, char **argv) {
  static arm a = {
      .cycle = 1e-3, .twist = {0.05, -0.08, 0.1, 10, 0, 15}, .wrench = {0, 0, -5, 0, 1, 0}};
  const char *way = argc > 1 ? argv[1] : "fall";
  enum robif2b_hl_ctrl_mode high =
      strcmp(way, "wrench") == 0 ? ROBIF2B_HL_CTRL_MODE_WRENCH : ROBIF2B_HL_CTRL_MODE_TWIST;
  enum robif2b_kinova_cart_ref_frame frame = ROBIF2B_KINOVA_CART_REF_FRAME_MIXED;
  enum robif2b_kinova_cart_wrench_mode kind = ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL;
  if (argc > 2) a.cycle = strtod(argv[2], NULL);
  a.mode = strcmp(way, "position") == 0   ? ROBIF2B_CTRL_MODE_POSITION
           : strcmp(way, "velocity") == 0 ? ROBIF2B_CTRL_MODE_VELOCITY
           : strcmp(way, "current") == 0  ? ROBIF2B_CTRL_MODE_CURRENT
                                          : ROBIF2B_CTRL_MODE_FORCE;
  struct robif2b_kinova_gen3_nbx b = {.conf.ip_address = "192.168.1.10",
                                      .cycle_time = &a.cycle,
                                      .ctrl_mode = &a.mode,
                                      .jnt_pos_msr = a.q,
                                      .jnt_vel_msr = a.qd,
                                      .jnt_trq_msr = a.tau,
                                      .act_cur_msr = a.current,
                                      .imu_ang_vel_msr = a.gyro,
                                      .imu_lin_acc_msr = a.acceleration,
                                      .icm_imu_ang_vel_msr = a.wrist_gyro,
                                      .icm_imu_lin_acc_msr = a.wrist,
                                      .fault_flags = &a.faults,
                                      .jnt_fault_flags = a.joint_faults,
                                      .jnt_pos_cmd = a.q_cmd,
                                      .jnt_vel_cmd = a.qd_cmd,
                                      .jnt_trq_cmd = a.tau_cmd,
                                      .act_cur_cmd = a.current_cmd,
                                      .success = &a.success};
  struct robif2b_kinova_gen3_hl_nbx h = {.conf.ip_address = "192.168.1.10",
                                         .ctrl_mode = &high,
                                         .reference_frame = &frame,
                                         .wrench_mode = &kind,
                                         .jnt_pos_msr = a.q,
                                         .jnt_vel_msr = a.qd,
                                         .jnt_trq_msr = a.tau,
                                         .act_cur_msr = a.current,
                                         .imu_ang_vel_msr = a.gyro,
                                         .imu_lin_acc_msr = a.acceleration,
                                         .tool_ext_wrench_msr = a.external,
                                         .twist_cmd = a.twist,
                                         .wrench_cmd = a.wrench,
                                         .success = &a.success};
  if (strcmp(way, "twist") == 0 || strcmp(way, "wrench") == 0)
    high_level(&a, &h);
  else
    low_level(&a, &b, way);
  return 0;
}

/* gen3_rig.h: a simulated Gen3 with all its ports, for tests; and worlds written for one test. */
#ifndef GEN3_RIG_H
#define GEN3_RIG_H

#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { NJ = ROBIF2B_KINOVA_GEN3_NR_JOINTS };

typedef struct rig {
  struct robif2b_kinova_gen3_nbx b;
  double cycle;
  enum robif2b_ctrl_mode mode;
  double q[NJ], qd[NJ], tau[NJ], current[NJ];
  double q_cmd[NJ], qd_cmd[NJ], tau_cmd[NJ], current_cmd[NJ];
  double gyro[3], acceleration[3];
  uint32_t fault, warning, faults[NJ], warnings[NJ];
  enum robif2b_kinova_arm_state state;
  enum robif2b_kinova_gen3_error error;
  bool success;
} rig;

static inline void rig_wire(rig *r, const char *address) {
  memset(r, 0, sizeof *r);
  r->cycle = 1e-3;
  r->mode = ROBIF2B_CTRL_MODE_FORCE;
  r->b = (struct robif2b_kinova_gen3_nbx){.conf.ip_address = address,
                                          .cycle_time = &r->cycle,
                                          .ctrl_mode = &r->mode,
                                          .jnt_pos_msr = r->q,
                                          .jnt_vel_msr = r->qd,
                                          .jnt_trq_msr = r->tau,
                                          .act_cur_msr = r->current,
                                          .jnt_pos_cmd = r->q_cmd,
                                          .jnt_vel_cmd = r->qd_cmd,
                                          .jnt_trq_cmd = r->tau_cmd,
                                          .act_cur_cmd = r->current_cmd,
                                          .imu_ang_vel_msr = r->gyro,
                                          .imu_lin_acc_msr = r->acceleration,
                                          .fault_flags = &r->fault,
                                          .warning_flags = &r->warning,
                                          .jnt_fault_flags = r->faults,
                                          .jnt_warning_flags = r->warnings,
                                          .arm_state = &r->state,
                                          .error = &r->error,
                                          .success = &r->success};
}

/* Configured and started; the commands of all modes hold the arm where it is. */
static inline void rig_start(rig *r, const char *address) {
  static const double constant[NJ] = {11, 11, 11, 11, 7.6, 7.6, 7.6};
  rig_wire(r, address);
  robif2b_kinova_gen3_configure(&r->b);
  CHECK(r->success);
  for (int j = 0; j < NJ; j++) {
    r->q_cmd[j] = r->q[j];
    r->tau_cmd[j] = -r->tau[j];
    r->current_cmd[j] = r->tau_cmd[j] / constant[j];
  }
  robif2b_kinova_gen3_recover(&r->b);
  CHECK(r->success);
  robif2b_kinova_gen3_start(&r->b);
  CHECK(r->success);
}

static inline void rig_end(rig *r) {
  robif2b_kinova_gen3_stop(&r->b);
  CHECK(r->success);
  robif2b_kinova_gen3_shutdown(&r->b);
  CHECK(r->success && r->b.comm == NULL);
}

/* Updates; the number of those that failed. */
static inline int rig_update(rig *r, int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    robif2b_kinova_gen3_update(&r->b);
    failed += !r->success;
  }
  return failed;
}

static inline achd_arm *rig_arm(const rig *r) {
  return achd_arm_of(r->b.comm);
}

static inline bool rig_inject(const rig *r, const char *fault, double duration, int joint,
                              double value) {
  return achd_world_inject(rig_arm(r)->device, fault, duration, joint, value);
}

static inline double rig_time(const rig *r) {
  return achd_world_time(rig_arm(r)->device);
}

/* Time passes in the world, without an exchange. */
static inline void rig_wait(const rig *r, double time) {
  for (double t = 0; t < time; t += 1e-3) achd_world_advance(rig_arm(r)->device, 1e-3);
}

/* A world of this text, which ACHD_SIM names from now on; NULL: none. */
static inline void world_of(const char *text) {
  static char path[64];
  if (path[0]) unlink(path);
  path[0] = '\0';
  unsetenv("ACHD_SIM");
  if (!text) return;
  snprintf(path, sizeof path, "/tmp/achd_world_%d", (int)getpid());
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
  setenv("ACHD_SIM", path, 1);
}

#endif

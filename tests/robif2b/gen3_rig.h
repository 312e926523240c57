/* SPDX-License-Identifier: MIT */
/* gen3_rig.h: a simulated Gen3 with all its ports, for tests; and worlds written for one test. */
#ifndef GEN3_RIG_H
#define GEN3_RIG_H

#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"
#include "mujoco_world.h"
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

/* MuJoCo's truth about it. */
static inline mjModel *rig_model(const rig *r) {
  return achd_world_model(rig_arm(r)->device);
}

static inline mjData *rig_data(const rig *r) {
  return achd_world_data(rig_arm(r)->device);
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

/* A file of this text in place of the one before; NULL: none. path: empty at first. */
static inline void rig_file(char path[64], const char *name, const char *ending, const char *text) {
  if (path[0]) unlink(path);
  path[0] = '\0';
  if (!text) return;
  snprintf(path, 64, "/tmp/achd_%s_%d%s", name, (int)getpid(), ending);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A world of these devices in this model, both as texts, which ACHD_SIM names from now on; without a model, `devices` is the
 * world's whole text; NULL: no world. */
static inline void world_with(const char *model, const char *devices) {
  static char model_path[64], path[64];
  char text[2000];
  rig_file(model_path, "model", ".xml", model);
  if (model) snprintf(text, sizeof text, "model %s\n%s", model_path, devices);
  rig_file(path, "world", "", model ? text : devices);
  if (path[0])
    setenv("ACHD_SIM", path, 1);
  else
    unsetenv("ACHD_SIM");
}

/* A world of this text; NULL: none. */
static inline void world_of(const char *text) {
  world_with(NULL, text);
}

/* What is said on standard error until `unhush` is in its `line`. */
static inline int hush(int *saved) {
  char path[] = "/tmp/achd_said_XXXXXX";
  const int file = mkstemp(path);
  *saved = dup(2);
  CHECK(file >= 0 && *saved >= 0 && dup2(file, 2) == 2);
  unlink(path);
  return file;
}

static inline void unhush(int file, int saved, char *line, size_t size) {
  CHECK(dup2(saved, 2) == 2 && lseek(file, 0, SEEK_SET) == 0);
  const ssize_t length = read(file, line, size - 1);
  line[length > 0 ? length : 0] = '\0';
  close(file);
  close(saved);
}

/* What presses on anything, all of it together [N]. */
static inline double contact_force(const mjModel *m, const mjData *d) {
  double sum = 0, f[6];
  for (int i = 0; i < d->ncon; i++) {
    mj_contactForce(m, d, i, f);
    sum += f[0];
  }
  return sum;
}

#endif

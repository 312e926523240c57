/* SPDX-License-Identifier: MIT */
/* arm.c: see arm.h */
#include "experiments/arm.h"

#include "mujoco_world.h"

#include <robif2b/functions/kinova_gen3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sensor(const mjModel *m, const char *frame, const char *what) {
  char name[300];
  if (!frame) return -1;
  snprintf(name, sizeof name, "%s_%s", frame, what);
  const int id = mj_name2id(m, strcmp(what, "site") == 0 ? mjOBJ_SITE : mjOBJ_SENSOR, name);
  if (id >= 0) return strcmp(what, "site") == 0 ? id : m->sensor_adr[id];
  fprintf(stderr, "experiments: the model has no %s\n", name);
  exit(1);
}

/* Voltages come by the port that Lau 2023 added to robif2b's gripper; they are constant. */
static void read_voltages(arm *a) {
  bool success = true;
  struct robif2b_kinova_gen3_gripper_nbx port = {
      .act_vol_msr = a->voltage,
      .comm = (struct robif2b_kinova_gen3_comm *)(void *)a->ports.comm,
      .success = &success};
  robif2b_kinova_gen3_gripper_update(&port);
  if (success) return;
  fprintf(stderr, "experiments: the arm tells no voltages\n");
  exit(1);
}

void arm_open(arm *a, const char *world, int joints, double period, const char *frame) {
  *a = (arm){.period = period, .mode = ROBIF2B_CTRL_MODE_FORCE};
  a->ports = (struct achd_arm_nbx){.address = "arm",
                                   .num_joints = joints,
                                   .cycle_time = &a->period,
                                   .ctrl_mode = &a->mode,
                                   .jnt_pos_msr = a->q,
                                   .jnt_vel_msr = a->qd,
                                   .jnt_trq_msr = a->tau,
                                   .act_cur_msr = a->current,
                                   .jnt_pos_cmd = a->q,
                                   .jnt_vel_cmd = a->command,
                                   .jnt_trq_cmd = a->command,
                                   .act_cur_cmd = a->command,
                                   .imu_ang_vel_msr = a->gyro,
                                   .imu_lin_acc_msr = a->acceleration,
                                   .fault_flags = &a->faults,
                                   .success = &a->success};
  setenv("ACHD_SIM", world, 1);
  achd_arm_configure(&a->ports);
  if (a->success) achd_arm_recover(&a->ports);
  if (a->success) achd_arm_start(&a->ports);
  if (!a->success) {
    fprintf(stderr, "experiments: %s: the arm does not start\n", world);
    exit(1);
  }
  read_voltages(a);
  const achd_world_device *device = achd_world_find("arm");
  a->model = achd_world_model(device);
  a->data = achd_world_data(device);
  a->force = sensor(a->model, frame, "force");
  a->torque = sensor(a->model, frame, "torque");
  a->site = sensor(a->model, frame, "site");
}

achd_measurement arm_measure(const arm *a) {
  achd_measurement m = {.drives_fault = a->faults != 0};
  memcpy(m.q, a->q, sizeof m.q);
  memcpy(m.qd, a->qd, sizeof m.qd);
  if (a->site < 0) return m;
  const double *R = a->data->site_xmat + 9 * (ptrdiff_t)a->site, *s = a->data->sensordata;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      m.wrench.lin[i] -= R[3 * i + j] * s[a->force + j];
      m.wrench.ang[i] -= R[3 * i + j] * s[a->torque + j];
    }
  return m;
}

void arm_things(const arm *a, record *r) {
  const mjModel *m = a->model;
  r->nboxes = 0;
  for (int k = 0; k < m->ngeom && r->nboxes < RECORD_BOXES; k++) {
    if (m->geom_type[k] != mjGEOM_BOX || m->body_weldid[m->geom_bodyid[k]] != 0) continue;
    const char *name = mj_id2name(m, mjOBJ_GEOM, k);
    snprintf(r->boxes[r->nboxes].name, sizeof r->boxes->name, "%s", name ? name : "");
    for (int i = 0; i < 3; i++) {
      r->boxes[r->nboxes].p[i] = a->data->geom_xpos[3 * k + i];
      r->boxes[r->nboxes].size[i] = 2 * m->geom_size[3 * k + i];
    }
    memcpy(r->boxes[r->nboxes++].R, a->data->geom_xmat + 9 * (ptrdiff_t)k, 9 * sizeof(double));
  }
}

void arm_command(arm *a, const double *tau) {
  memcpy(a->command, tau, (size_t)a->ports.num_joints * sizeof *tau);
  achd_arm_update(&a->ports);
}

void arm_close(arm *a) {
  achd_arm_stop(&a->ports);
  achd_arm_shutdown(&a->ports);
}

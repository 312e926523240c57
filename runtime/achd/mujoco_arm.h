/* SPDX-License-Identifier: MIT */
/* mujoco_arm.h: the control loop (loop.h) on an arm in MuJoCo, without devices: a model that `achdgen --mjcf` wrote, or
 * any other whose joints turn or slide.
 *
 *   achd_mujoco_arm arm;
 *   if (!achd_mujoco_connect(&arm, &(achd_mujoco_setup){.model = "arm.xml", .num_joints = ARM_NJ})) ...
 *   for (each cycle) {
 *     achd_mujoco_read(&arm, &measured);     a period passes under the last command; a reading comes
 *     achd_mujoco_wrench(&arm, &measured);
 *     achd_loop_cycle(&loop, &measured, arm.period);
 *     achd_mujoco_command(&arm, &loop);      takes effect in the next period
 *   }
 *   achd_mujoco_disconnect(&arm);
 *
 * The functions stand here, so that the library itself needs no MuJoCo: link libmujoco with the program. They take no
 * time of a clock: a program that runs in real time waits before each read. The setup of the loop has
 * watch.joints_stamped = true. Where the loop disables the drives, their brakes close: damping that lets every joint
 * creep at most. */
#ifndef ACHD_MUJOCO_ARM_H
#define ACHD_MUJOCO_ARM_H

#include <achd/loop.h>

#include <mujoco/mujoco.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A number as another type, without a warning in C and C++. */
#ifdef __cplusplus
#define ACHD_MUJOCO_AS(type, x) static_cast<type>(x)
#else
#define ACHD_MUJOCO_AS(type, x) ((type)(x))
#endif

typedef struct achd_mujoco_setup {
  const char *model; /* MJCF file */
  int num_joints;    /* at most ACHD_LOOP_JOINTS */
  const char *const
      *joints; /* their names; NULL: the model's first, that turn or slide, in its order */
  const double
      *home; /* positions to begin with; NULL: the first key of the model, or its own [rad; m] */
  /* The frame whose sensors NAME_force and NAME_torque the model has, as --mjcf writes them for the frames of groups:
   * they are the loop's wrench. NULL: none. */
  const char *sensor;
  double period; /* of a cycle; 0: 0.001 [s] */
} achd_mujoco_setup;

typedef struct achd_mujoco_arm {
  mjModel *model;
  mjData *data;
  int num_joints;
  int q[ACHD_LOOP_JOINTS], v[ACHD_LOOP_JOINTS]; /* places in qpos and qvel */
  double damping[ACHD_LOOP_JOINTS];             /* of the joint itself, where no brake holds it */
  int force, torque, site;                      /* places of the sensors; -1: none */
  int substeps;                                 /* of the world, in a period */
  double period;                                /* [s] */
  double time;                                  /* of the world [s] */
  int64_t stamp;                                /* number of readings */
  bool disabled;                                /* the drives' brakes have closed */
  char why[500];                                /* why connecting failed */
} achd_mujoco_arm;

/* Frees the model; one that was never connected is left alone. */
static inline void achd_mujoco_disconnect(achd_mujoco_arm *arm) {
  if (arm->data) mj_deleteData(arm->data);
  if (arm->model) mj_deleteModel(arm->model);
  arm->data = NULL;
  arm->model = NULL;
}

/* The joints' places in the model; false: one is missing, or is a ball or free joint. */
static inline bool achd_mujoco_find(achd_mujoco_arm *arm, const achd_mujoco_setup *setup) {
  const mjModel *m = arm->model;
  int next = 0;
  for (int j = 0; j < setup->num_joints; j++) {
    int k = setup->joints ? mj_name2id(m, mjOBJ_JOINT, setup->joints[j]) : next;
    while (!setup->joints && k < m->njnt && m->jnt_type[k] != mjJNT_HINGE &&
           m->jnt_type[k] != mjJNT_SLIDE)
      k++;
    next = k + 1;
    if (k < 0 || k >= m->njnt || (m->jnt_type[k] != mjJNT_HINGE && m->jnt_type[k] != mjJNT_SLIDE)) {
      snprintf(arm->why, sizeof arm->why, "%s has no joint that turns or slides: %s", setup->model,
               setup->joints ? setup->joints[j] : "too few");
      return false;
    }
    arm->q[j] = m->jnt_qposadr[k];
    arm->v[j] = m->jnt_dofadr[k];
    arm->damping[j] = m->dof_damping[arm->v[j]];
  }
  return true;
}

/* The sensors of the setup's frame; false: the model has none. */
static inline bool achd_mujoco_find_sensor(achd_mujoco_arm *arm, const char *frame) {
  char name[200];
  arm->force = arm->torque = arm->site = -1;
  if (!frame) return true;
  snprintf(name, sizeof name, "%s_force", frame);
  const int force = mj_name2id(arm->model, mjOBJ_SENSOR, name);
  snprintf(name, sizeof name, "%s_torque", frame);
  const int torque = mj_name2id(arm->model, mjOBJ_SENSOR, name);
  if (force < 0 || torque < 0 || arm->model->sensor_type[force] != mjSENS_FORCE ||
      arm->model->sensor_type[torque] != mjSENS_TORQUE) {
    snprintf(arm->why, sizeof arm->why, "the model has no sensors %.100s_force and %.100s_torque",
             frame, frame);
    return false;
  }
  arm->force = arm->model->sensor_adr[force];
  arm->torque = arm->model->sensor_adr[torque];
  arm->site = arm->model->sensor_objid[force];
  return true;
}

/* Opens the model at its beginning. False, with `why`: the model cannot be read, or lacks something. */
static inline bool achd_mujoco_connect(achd_mujoco_arm *arm, const achd_mujoco_setup *setup) {
  memset(arm, 0, sizeof *arm);
  if (setup->num_joints < 1 || setup->num_joints > ACHD_LOOP_JOINTS || setup->period < 0) {
    snprintf(arm->why, sizeof arm->why, "no number of joints, or a period below 0");
    return false;
  }
  arm->model = mj_loadXML(setup->model, NULL, arm->why, sizeof arm->why);
  if (!arm->model) return false;
  arm->data = mj_makeData(arm->model);
  if (!arm->data || !achd_mujoco_find(arm, setup) || !achd_mujoco_find_sensor(arm, setup->sensor)) {
    achd_mujoco_disconnect(arm);
    return false;
  }
  arm->num_joints = setup->num_joints;
  arm->period = setup->period > 0 ? setup->period : 1e-3;
  arm->substeps = ACHD_MUJOCO_AS(int, arm->period / arm->model->opt.timestep + 0.999);
  if (arm->substeps < 1) arm->substeps = 1;
  arm->model->opt.timestep = arm->period / arm->substeps;
  if (arm->model->nkey > 0) mj_resetDataKeyframe(arm->model, arm->data, 0);
  for (int j = 0; j < arm->num_joints && setup->home; j++)
    arm->data->qpos[arm->q[j]] = setup->home[j];
  mj_forward(arm->model, arm->data);
  return true;
}

/* A period of the world under the last command, after the first reading; then what encoders show. */
static inline void achd_mujoco_read(achd_mujoco_arm *arm, achd_measurement *measured) {
  for (int k = 0; k < arm->substeps && arm->stamp > 0; k++) mj_step(arm->model, arm->data);
  mj_forward(arm->model, arm->data); /* the sensors at the present positions */
  arm->time = arm->data->time;
  arm->stamp++;
  memset(measured, 0, sizeof *measured);
  for (int j = 0; j < arm->num_joints; j++) {
    measured->q[j] = ACHD_MUJOCO_AS(achd_real, arm->data->qpos[arm->q[j]]);
    measured->qd[j] = ACHD_MUJOCO_AS(achd_real, arm->data->qvel[arm->v[j]]);
  }
  measured->joints_stamp = measured->wrench_stamp = arm->stamp;
}

/* What the sensors of the setup's frame show as the wrench of the environment on the tool, along the axes of the base
 * (those of the world, in which the base stands): the opposite of what holds the frame. What hangs behind the frame, and
 * is no load of the model of the loop, counts as the environment's. */
static inline void achd_mujoco_wrench(const achd_mujoco_arm *arm, achd_measurement *measured) {
  mjtNum force[3], torque[3];
  if (arm->site < 0) return;
  const mjtNum *R = arm->data->site_xmat + 9 * ACHD_MUJOCO_AS(ptrdiff_t, arm->site);
  mju_rotVecMat(force, arm->data->sensordata + arm->force, R);
  mju_rotVecMat(torque, arm->data->sensordata + arm->torque, R);
  for (int i = 0; i < 3; i++) {
    measured->wrench.lin[i] = ACHD_MUJOCO_AS(achd_real, -force[i]);
    measured->wrench.ang[i] = ACHD_MUJOCO_AS(achd_real, -torque[i]);
  }
}

/* Closes the brakes of the drives, or opens them. */
static inline void achd_mujoco_brake(achd_mujoco_arm *arm, bool closed) {
  for (int j = 0; j < arm->num_joints; j++) {
    const double brake = 1e5; /* [N m s/rad; N s/m] */
    arm->model->dof_damping[arm->v[j]] = closed ? brake : arm->damping[j];
  }
  arm->disabled = closed;
}

/* The loop's torques, or its brakes where it disables the drives. */
static inline void achd_mujoco_command(achd_mujoco_arm *arm, const achd_loop *loop) {
  if ((loop->mode == ACHD_LOOP_DISABLE) != arm->disabled)
    achd_mujoco_brake(arm, loop->mode == ACHD_LOOP_DISABLE);
  for (int j = 0; j < arm->num_joints; j++)
    arm->data->qfrc_applied[arm->v[j]] = arm->disabled ? 0 : ACHD_MUJOCO_AS(double, loop->tau[j]);
}

#endif

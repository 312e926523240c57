/* SPDX-License-Identifier: MIT */
/* simulation.c: see simulation.h */
#include "whole_body/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void stop(const char *what, const char *which) {
  fprintf(stderr, "simulation: %s %s\n", what, which);
  exit(2);
}

static int find(const simulation *s, int type, const char *name) {
  const int id = mj_name2id(s->model, type, name);
  if (id < 0) stop("the model has no", name);
  return id;
}

void simulation_open(simulation *s, const char *name, const char *path, const char *const *names,
                     int joints, int every) {
  char error[500] = "";
  memset(s, 0, sizeof *s);
  s->name = name;
  s->every = every;
  s->joints = joints;
  s->model = mj_loadXML(path, NULL, error, sizeof error);
  if (!s->model) stop(path, error);
  s->data = mj_makeData(s->model);
  for (int j = 0; j < joints; j++) {
    char motor[200];
    snprintf(motor, sizeof motor, "%s_force", names[j]);
    s->joint[j] = find(s, mjOBJ_JOINT, names[j]);
    s->motor[j] = mj_name2id(s->model, mjOBJ_ACTUATOR, motor);
  }
  if (s->model->neq > 0) stop("bodies are tied to others in", path);
  mj_resetDataKeyframe(s->model, s->data, 0);
  mj_forward(s->model, s->data);
}

void simulation_close(simulation *s) {
  mj_deleteData(s->data);
  mj_deleteModel(s->model);
}

double simulation_time(const simulation *s) {
  return s->data->time;
}

double simulation_weight(const simulation *s) {
  double mass = 0;
  for (int k = 1; k < s->model->nbody; k++) mass += s->model->body_mass[k];
  return -s->model->opt.gravity[2] * mass;
}

void simulation_measure(const simulation *s, double *q, double *qd) {
  for (int j = 0; j < s->joints; j++) {
    q[j] = s->data->qpos[s->model->jnt_qposadr[s->joint[j]]];
    qd[j] = s->data->qvel[s->model->jnt_dofadr[s->joint[j]]];
  }
}

simulation_frame simulation_at(const simulation *s, const char *link) {
  char site[200];
  simulation_frame f;
  double twist[6]; /* angular first */
  snprintf(site, sizeof site, "%s_site", link);
  const int id = find(s, mjOBJ_SITE, site);
  memcpy(f.p, s->data->site_xpos + (size_t)(3 * id), sizeof f.p);
  memcpy(f.R, s->data->site_xmat + (size_t)(9 * id), sizeof f.R);
  mj_objectVelocity(s->model, s->data, mjOBJ_SITE, id, twist, 0);
  memcpy(f.w, twist, sizeof f.w);
  memcpy(f.v, twist + 3, sizeof f.v);
  return f;
}

void simulation_quaternion(const simulation *s, const char *body, double quat[4]) {
  memcpy(quat, s->data->xquat + (size_t)(4 * find(s, mjOBJ_BODY, body)), 4 * sizeof *quat);
}

/* The commands of all motors are the torques; others of the model's actuators and forces rest. */
static void only_motors_act(const simulation *s) {
  double forces = mju_L1(s->data->qfrc_applied, s->model->nv), commands = 0;
  for (int k = 0; k < s->model->nu; k++) commands += fabs(s->data->ctrl[k]);
  for (int j = 0; j < s->joints; j++)
    if (s->motor[j] >= 0) commands -= fabs(s->data->ctrl[s->motor[j]]);
  if (forces != 0 || fabs(commands) > 1e-9) stop("something helps the motors in", s->name);
}

void simulation_step(simulation *s, const double *tau) {
  for (int j = 0; j < s->joints; j++) {
    const int motor = s->motor[j];
    if (motor < 0) continue;
    s->data->ctrl[motor] = tau[j];
    if (s->model->actuator_forcelimited[motor])
      s->most_torque =
          fmax(s->most_torque, fabs(tau[j] / s->model->actuator_forcerange[2 * motor + 1]));
  }
  only_motors_act(s);
  mj_step(s->model, s->data);
  mj_forward(s->model, s->data); /* sites and contacts of the new positions */
}

void simulation_push(const simulation *s, const char *body, const double force[3]) {
  memcpy(s->data->xfrc_applied + (size_t)(6 * find(s, mjOBJ_BODY, body)), force, 3 * sizeof *force);
}

int simulation_contact(const simulation *s, const char *body, double force[3]) {
  const int id = find(s, mjOBJ_BODY, body);
  int count = 0;
  force[0] = force[1] = force[2] = 0;
  for (int k = 0; k < s->data->ncon; k++) {
    const mjContact *c = &s->data->contact[k];
    const int first = s->model->geom_bodyid[c->geom1], second = s->model->geom_bodyid[c->geom2];
    double own[6], world[3];
    if (first != id && second != id) continue;
    mj_contactForce(s->model, s->data, k, own); /* on the second, along the rows of the frame */
    for (int i = 0; i < 3; i++)
      world[i] = c->frame[i] * own[0] + c->frame[3 + i] * own[1] + c->frame[6 + i] * own[2];
    for (int i = 0; i < 3; i++) force[i] += second == id ? world[i] : -world[i];
    count++;
  }
  return count;
}

void simulation_record(simulation *s, const double *values, int count) {
  if (s->cycle++ % s->every != 0 || s->samples == SIMULATION_SAMPLES) return;
  for (int k = 0; k < count; k++) s->record[k][s->samples] = values[k];
  s->samples++;
}

double simulation_largest(const simulation *s, int signal, double from, double until) {
  const double step = s->every * s->model->opt.timestep;
  double most = 0;
  for (int k = 0; k < s->samples; k++) {
    const double x = s->record[signal][k];
    if (k * step < from || k * step >= until) continue;
    if (!(fabs(x) <= most)) most = fabs(x); /* NaN stays */
  }
  return most;
}

double simulation_least(const simulation *s, int signal, double from, double until) {
  const double step = s->every * s->model->opt.timestep;
  double least = INFINITY;
  for (int k = 0; k < s->samples; k++)
    if (k * step >= from && k * step < until) least = fmin(least, s->record[signal][k]);
  return least;
}

double simulation_most(const simulation *s, int signal, double from, double until) {
  const double step = s->every * s->model->opt.timestep;
  double most = -INFINITY;
  for (int k = 0; k < s->samples; k++)
    if (k * step >= from && k * step < until) most = fmax(most, s->record[signal][k]);
  return most;
}

static void log_names(const simulation *s, FILE *log) {
  static const char *const free_joint[] = {"p_x", "p_y", "p_z", "turn_x", "turn_y", "turn_z"};
  fprintf(log, "time");
  for (int j = 0; j < s->model->njnt; j++) {
    const char *const name = mj_id2name(s->model, mjOBJ_JOINT, j);
    if (s->model->jnt_type[j] != mjJNT_FREE) fprintf(log, ",q.%s", name);
    for (int i = 0; i < 6 && s->model->jnt_type[j] == mjJNT_FREE; i++)
      fprintf(log, ",%s.%s", name, free_joint[i]);
  }
  fprintf(log, "\n");
}

void simulation_log(const simulation *s, FILE *log) {
  if (!log) return;
  if (ftell(log) == 0) log_names(s, log);
  fprintf(log, "%.3f", s->data->time);
  for (int j = 0; j < s->model->njnt; j++) {
    const double *const q = s->data->qpos + s->model->jnt_qposadr[j];
    double turn[3];
    if (s->model->jnt_type[j] != mjJNT_FREE) {
      fprintf(log, ",%.5f", q[0]);
      continue;
    }
    mju_quat2Vel(turn, q + 3, 1);
    for (int i = 0; i < 6; i++) fprintf(log, ",%.5f", i < 3 ? q[i] : turn[i - 3]);
  }
  fprintf(log, "\n");
}

void simulation_servo(const double wanted[3], const double speed[3], const double p[3],
                      const double v[3], double kp, double kd, double b[3]) {
  for (int i = 0; i < 3; i++) b[i] = kp * (wanted[i] - p[i]) + kd * (speed[i] - v[i]);
}

void simulation_servo_turn(const double wanted[9], const double R[9], const double w[3], double kp,
                           double kd, double b[3]) {
  double turn[9], quat[4], axis[3];
  mju_mulMatMatT(turn, wanted, R, 3, 3, 3);
  mju_mat2Quat(quat, turn);
  mju_quat2Vel(axis, quat, 1);
  for (int i = 0; i < 3; i++) b[i] = kp * axis[i] - kd * w[i];
}

double simulation_blend(double t, double duration, double *rate) {
  const double x = fmin(1, fmax(0, t / duration));
  if (rate) *rate = x > 0 && x < 1 ? 30 * x * x * (1 - x) * (1 - x) / duration : 0;
  return x * x * x * (10 - 15 * x + 6 * x * x);
}

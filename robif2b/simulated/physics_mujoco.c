/* SPDX-License-Identifier: MIT */
/* physics_mujoco.c: the mechanics of a world by MuJoCo. Links are bodies, frames are sites. */
#include "physics_mujoco.h"

#include "builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *achd_physics_title(void) {
  static char title[40];
  snprintf(title, sizeof title, "MuJoCo %s", mj_versionString());
  return title;
}

/* ---- models ---- */

/* MuJoCo would write warnings to a file in the current folder. */
static void no_warning(const char *message) {
  (void)message;
}

static achd_physics *physics_of(mjModel *model, char why[ACHD_WORLD_WHY]) {
  if (!model) return NULL;
  if (!mju_user_warning) mju_user_warning = no_warning;
  achd_physics *p = calloc(1, sizeof *p);
  if (p) {
    p->model = model;
    p->data = mj_makeData(model);
    if (p->data) return p;
  }
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for the model");
  mj_deleteModel(model);
  free(p);
  return NULL;
}

static mjModel *load_text(const char *text, size_t size, char why[ACHD_WORLD_WHY]) {
  mjVFS *files = malloc(sizeof *files);
  mjModel *model = NULL;
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for the model");
  if (!files) return NULL;
  mj_defaultVFS(files);
  const int slot = mj_makeEmptyFileVFS(files, "world.xml", (int)size);
  if (slot >= 0) {
    memcpy(files->filedata[slot], text, size);
    model = mj_loadXML("world.xml", files, why, ACHD_WORLD_WHY);
  }
  mj_deleteVFS(files);
  free(files);
  return model;
}

achd_physics *achd_physics_builtin(const char *name, char why[ACHD_WORLD_WHY]) {
  for (const achd_builtin *b = achd_builtin_models; b->name; b++)
    if (strcmp(b->name, name) == 0)
      return physics_of(load_text(b->text, strlen(b->text), why), why);
  snprintf(why, ACHD_WORLD_WHY, "there is no model builtin:%.200s", name);
  return NULL;
}

achd_physics *achd_physics_load(const char *path, char why[ACHD_WORLD_WHY]) {
  char reason[ACHD_WORLD_WHY] = "";
  mjModel *model = mj_loadXML(path, NULL, reason, sizeof reason);
  reason[strcspn(reason, "\n")] = '\0';
  if (!model) snprintf(why, ACHD_WORLD_WHY, "%.120s: %.150s", path, reason);
  return physics_of(model, why);
}

void achd_physics_free(achd_physics *p) {
  if (!p) return;
  mj_deleteData(p->data);
  mj_deleteModel(p->model);
  free(p);
}

double achd_physics_longest(const achd_physics *p) {
  return p->model->opt.timestep;
}

/* ---- time ---- */

void achd_physics_renew(achd_physics *p) {
  mj_forward(p->model, p->data);
}

void achd_physics_before(achd_physics *p, double h) {
  p->model->opt.timestep = h;
  mj_step1(p->model, p->data);
}

/* MuJoCo begins from the start where its numbers explode: the world is lost then. */
bool achd_physics_after(achd_physics *p) {
  const mjWarningStat *warning = p->data->warning;
  mj_step2(p->model, p->data);
  return !warning[mjWARN_BADQPOS].number && !warning[mjWARN_BADQVEL].number &&
         !warning[mjWARN_BADQACC].number;
}

void achd_physics_sense(achd_physics *p) {
  mj_rnePostConstraint(p->model, p->data);
}

/* ---- joints ---- */

static int dof_of(const achd_physics *p, int joint) {
  return p->model->jnt_dofadr[joint];
}

int achd_physics_joints(const achd_physics *p) {
  return p->model->njnt;
}

int achd_physics_joint(const achd_physics *p, const char *name) {
  return mj_name2id(p->model, mjOBJ_JOINT, name);
}

const char *achd_physics_joint_name(const achd_physics *p, int joint) {
  return mj_id2name(p->model, mjOBJ_JOINT, joint);
}

achd_joint_type achd_physics_joint_type(const achd_physics *p, int joint) {
  const int type = p->model->jnt_type[joint];
  return type == mjJNT_HINGE   ? ACHD_JOINT_TURNS
         : type == mjJNT_SLIDE ? ACHD_JOINT_SLIDES
                               : ACHD_JOINT_OTHER;
}

bool achd_physics_limited(const achd_physics *p, int joint) {
  return p->model->jnt_limited[joint];
}

double achd_physics_q(const achd_physics *p, int joint) {
  return p->data->qpos[p->model->jnt_qposadr[joint]];
}

double achd_physics_qd(const achd_physics *p, int joint) {
  return p->data->qvel[dof_of(p, joint)];
}

double achd_physics_qdd(const achd_physics *p, int joint) {
  return p->data->qacc[dof_of(p, joint)];
}

void achd_physics_place(achd_physics *p, int joint, double q) {
  p->data->qpos[p->model->jnt_qposadr[joint]] = q;
}

void achd_physics_stop(achd_physics *p, int joint) {
  p->data->qvel[dof_of(p, joint)] = 0;
}

double achd_physics_inertia(const achd_physics *p, int joint) {
  return p->data->qM[p->model->dof_Madr[dof_of(p, joint)]];
}

double achd_physics_bias(const achd_physics *p, int joint) {
  return p->data->qfrc_bias[dof_of(p, joint)];
}

static bool carries(const mjModel *model, int link, int body) {
  while (body > link) body = model->body_parentid[body];
  return body == link;
}

/* - sum of J^T m g over the bodies that the joint moves. */
double achd_physics_weight(const achd_physics *p, int joint) {
  const mjModel *m = p->model;
  const mjData *d = p->data;
  const int dof = dof_of(p, joint), moved = m->dof_bodyid[dof];
  double tau = 0;
  for (int b = moved; b < m->nbody; b++) {
    if (!carries(m, moved, b)) continue;
    /* cdof: axis and the velocity of the subtree's centre of mass per unit of joint velocity */
    const double *axis = d->cdof + 6 * (size_t)dof;
    const double *centre = d->subtree_com + 3 * (size_t)m->body_rootid[b];
    const double *com = d->xipos + 3 * (size_t)b;
    const double r[3] = {com[0] - centre[0], com[1] - centre[1], com[2] - centre[2]};
    double turn[3];
    achd_crossed(turn, axis, r);
    for (int i = 0; i < 3; i++)
      tau -= m->body_mass[b] * m->opt.gravity[i] * (axis[3 + i] + turn[i]);
  }
  return tau;
}

double achd_physics_rotor(const achd_physics *p, int joint) {
  return p->model->dof_armature[dof_of(p, joint)];
}

/* Coulomb's, a constraint of MuJoCo's, and damping. */
double achd_physics_friction(const achd_physics *p, int joint) {
  const mjData *d = p->data;
  const int dof = dof_of(p, joint);
  double tau = d->qfrc_passive[dof];
  for (int e = 0; e < d->nefc; e++)
    if (d->efc_type[e] == mjCNSTR_FRICTION_DOF && d->efc_id[e] == dof) tau += d->efc_force[e];
  return tau;
}

void achd_physics_apply(achd_physics *p, int joint, double torque) {
  p->data->qfrc_applied[dof_of(p, joint)] = torque;
}

/* ---- what a world's file changes ---- */

bool achd_physics_set(achd_physics *p, achd_joint_number which, int joint, double value,
                      char why[ACHD_WORLD_WHY]) {
  mjModel *m = p->model;
  double *const numbers = which == ACHD_JOINT_FRICTION  ? m->dof_frictionloss
                          : which == ACHD_JOINT_DAMPING ? m->dof_damping
                                                        : m->dof_armature;
  why[0] = '\0';
  numbers[dof_of(p, joint)] = value;
  return true;
}

bool achd_physics_scale(achd_physics *p, int n, const int joints[], const double factors[],
                        char why[ACHD_WORLD_WHY]) {
  mjModel *m = p->model;
  why[0] = '\0';
  for (int i = 1; i < m->nbody; i++) {
    int j = -1; /* of the joints between the body and the base the last */
    for (int b = i; b > 0 && j < 0; b = m->body_parentid[b])
      for (int k = 0; k < n && j < 0; k++)
        if (m->jnt_bodyid[joints[k]] == b) j = k;
    if (j < 0) continue;
    m->body_mass[i] *= factors[j];
    for (int k = 0; k < 3; k++) m->body_inertia[3 * i + k] *= factors[j];
  }
  mj_setConst(m, p->data);
  return true;
}

bool achd_physics_surface(achd_physics *p, const double plane[5], char why[ACHD_WORLD_WHY]) {
  (void)p, (void)plane;
  snprintf(why, ACHD_WORLD_WHY,
           "surface is for generated steps: MuJoCo's model has its own shapes");
  return false;
}

/* ---- links and frames ---- */

int achd_physics_link(const achd_physics *p, const char *name) {
  return mj_name2id(p->model, mjOBJ_BODY, name);
}

int achd_physics_moved(const achd_physics *p, int joint) {
  return p->model->jnt_bodyid[joint];
}

int achd_physics_carrier(const achd_physics *p, int joint) {
  return p->model->body_parentid[p->model->jnt_bodyid[joint]];
}

void achd_physics_axes(const achd_physics *p, int link, double axes[9]) {
  memcpy(axes, p->data->xmat + 9 * (size_t)link, 9 * sizeof *axes);
}

void achd_physics_motion(const achd_physics *p, int link, double gyro[3], double acceleration[3]) {
  double v[6], a[6]; /* angular first, in the body's frame; the acceleration with gravity's */
  mj_objectVelocity(p->model, p->data, mjOBJ_XBODY, link, v, 1);
  mj_objectAcceleration(p->model, p->data, mjOBJ_XBODY, link, a, 1);
  memcpy(gyro, v, 3 * sizeof *gyro);
  memcpy(acceleration, a + 3, 3 * sizeof *acceleration);
}

int achd_physics_pushed(const achd_physics *p, const char *name, char why[ACHD_WORLD_WHY]) {
  const int link = achd_physics_link(p, name);
  if (link < 0) snprintf(why, ACHD_WORLD_WHY, "the model has no body %.100s", name);
  return link;
}

void achd_physics_push(achd_physics *p, int link, const double force[3]) {
  for (int k = 0; k < 3; k++) p->data->xfrc_applied[6 * (size_t)link + (size_t)k] += force[k];
}

int achd_physics_frame(const achd_physics *p, const char *name) {
  return mj_name2id(p->model, mjOBJ_SITE, name);
}

int achd_physics_tool(const achd_physics *p, int link) {
  const mjModel *m = p->model;
  int site = mj_name2id(m, mjOBJ_SITE, "tool_frame_site");
  if (site >= 0 && carries(m, link, m->site_bodyid[site])) return site;
  site = -1;
  for (int i = 0; i < m->nsite; i++)
    if (carries(m, link, m->site_bodyid[i])) site = i;
  return site;
}

void achd_physics_pose(const achd_physics *p, int frame, double origin[3], double axes[9]) {
  memcpy(origin, p->data->site_xpos + 3 * (size_t)frame, 3 * sizeof *origin);
  memcpy(axes, p->data->site_xmat + 9 * (size_t)frame, 9 * sizeof *axes);
}

void achd_physics_column(const achd_physics *p, int frame, int joint, double column[6]) {
  const mjData *d = p->data;
  const int dof = dof_of(p, joint), body = p->model->dof_bodyid[dof];
  const double *axis =
      d->cdof + 6 * (size_t)dof; /* angular first, about the tree's centre of mass */
  const double *centre = d->subtree_com + 3 * (size_t)p->model->body_rootid[body];
  const double *o = d->site_xpos + 3 * (size_t)frame;
  const double arm[3] = {o[0] - centre[0], o[1] - centre[1], o[2] - centre[2]};
  double turn[3];
  achd_crossed(turn, axis, arm);
  for (int i = 0; i < 3; i++) {
    column[i] = axis[3 + i] + turn[i];
    column[3 + i] = axis[i];
  }
}

void achd_physics_external(const achd_physics *p, int link, const double point[3],
                           double wrench[6]) {
  const mjModel *m = p->model;
  const mjData *d = p->data;
  const double *centre = d->subtree_com + 3 * (size_t)m->body_rootid[link];
  const double arm[3] = {centre[0] - point[0], centre[1] - point[1], centre[2] - point[2]};
  double shift[3];
  memset(wrench, 0, 6 * sizeof *wrench);
  for (int b = link; b < m->nbody; b++) {
    if (!carries(m, link, b)) continue;
    for (int i = 0; i < 3; i++) {
      wrench[3 + i] += d->cfrc_ext[6 * (size_t)b + (size_t)i];
      wrench[i] += d->cfrc_ext[6 * (size_t)b + 3 + (size_t)i];
    }
  }
  achd_crossed(shift, arm, wrench);
  for (int i = 0; i < 3; i++) wrench[3 + i] += shift[i];
}

int achd_physics_sensor(const achd_physics *p) {
  for (int i = 0; i < p->model->nsensor; i++)
    if (p->model->sensor_type[i] == mjSENS_FORCE) return p->model->sensor_objid[i];
  return -1;
}

bool achd_physics_feels(const achd_physics *p, int frame, char why[ACHD_WORLD_WHY]) {
  const bool carried = p->model->site_bodyid[frame] != 0;
  if (!carried) snprintf(why, ACHD_WORLD_WHY, "the sensor's site is on the world itself");
  return carried;
}

void achd_physics_felt(const achd_physics *p, int frame, double wrench[6]) {
  const mjModel *m = p->model;
  const mjData *d = p->data;
  const int body = m->site_bodyid[frame];
  const double *inner = d->cfrc_int + 6 * (size_t)body; /* moment first */
  const double *c = d->subtree_com + 3 * (size_t)m->body_rootid[body];
  const double *o = d->site_xpos + 3 * (size_t)frame;
  const double *axes = d->site_xmat + 9 * (size_t)frame;
  const double arm[3] = {o[0] - c[0], o[1] - c[1], o[2] - c[2]};
  double moment[3];
  achd_crossed(moment, arm, inner + 3);
  for (int i = 0; i < 3; i++) moment[i] = inner[i] - moment[i];
  achd_turned_back(wrench, inner + 3, axes);
  achd_turned_back(wrench + 3, moment, axes);
  for (int i = 0; i < 6; i++) wrench[i] = -wrench[i];
}

int achd_physics_reading(const achd_physics *p, const char *name) {
  const int id = mj_name2id(p->model, mjOBJ_SENSOR, name);
  return id >= 0 && p->model->sensor_dim[id] == 3 ? p->model->sensor_adr[id] : -1;
}

void achd_physics_read(const achd_physics *p, int reading, double values[3]) {
  memcpy(values, p->data->sensordata + reading, 3 * sizeof *values);
}

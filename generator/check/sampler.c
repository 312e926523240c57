/* SPDX-License-Identifier: MIT */
/* sampler.c: see sampler.h */
#include "check/sampler.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static uint64_t seed_of(const char *name, int k) {
  uint64_t h = 0xCBF29CE484222325u + (uint64_t)k * 0x9E3779B97F4A7C15u; /* FNV-1a */
  for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c) * 0x100000001B3u;
  return h;
}

void ag_sampler_add(ag_sampler *s, const ag_graph *graph) {
  ag_arena *arena = s->header->arena;
  for (int k = 0; k < graph->function->in.nquantities; k++) {
    const ag_quantity *q = &graph->function->in.quantities[k];
    if (ag_sampler_find(s, q->name)) continue;
    s->sampled = ag_grow(arena, s->sampled, (size_t)s->nsampled * sizeof *s->sampled,
                         (size_t)(s->nsampled + 1) * sizeof *s->sampled);
    s->sampled[s->nsampled++] = (ag_sampled){
        &graph->function->in, q, ag_alloc(arena, (size_t)(q->size + 1) * sizeof(double))};
  }
}

double *ag_sampler_find(const ag_sampler *s, const char *name) {
  for (int k = 0; k < s->nsampled; k++)
    if (strcmp(s->sampled[k].quantity->name, name) == 0) return s->sampled[k].values;
  return NULL;
}

void ag_sampler_fill(const ag_sampler *s, const ag_graph *graph, double *in) {
  for (int k = 0; k < graph->function->in.nquantities; k++) {
    const ag_quantity *q = &graph->function->in.quantities[k];
    memcpy(in + q->first, ag_sampler_find(s, q->name), (size_t)q->size * sizeof *in);
  }
}

static const ag_limits *limits_of(const ag_sampler *s, int joint) {
  const int link = ag_model_joint(s->model, s->header->joints[joint].name);
  return &s->model->links[link].joint.limits;
}

bool ag_sampler_range(const ag_sampler *s, int joint, double *lower, double *upper) {
  const bool prismatic = s->header->joints[joint].prismatic;
  const ag_limits *l = limits_of(s, joint);
  double most = prismatic ? 10 : 100, usual = prismatic ? 0.5 : PI;
  for (int k = 0; k < s->header->nangles; k++) {
    const ag_angle *a = &s->header->angles[k];
    if (a->joint == joint && a->multiplier != 0) most = fmin(most, fabs(100 / a->multiplier));
  }
  usual = fmin(usual, most);
  if (isnan(l->lower) || isnan(l->upper)) {
    *lower = -usual, *upper = usual;
    return false;
  }
  *lower = fmax(l->lower, -most), *upper = fmin(l->upper, most);
  if (*lower > *upper) *lower = -usual, *upper = usual;
  return *lower != l->lower || *upper != l->upper;
}

/* One of a joint's inputs: position, velocity, acceleration, armature or torque. */
static double draw_joint(const ag_sampler *s, const char *name, int joint, uint64_t *state) {
  const ag_limits *l = limits_of(s, joint);
  if (strcmp(name, "friction") == 0 || strcmp(name, "viscous") == 0)
    return ag_random_between(state, 0, 2);
  if (strcmp(name, "breakaway") == 0) return ag_random_between(state, 2, 4);
  if (strcmp(name, "q") == 0) {
    double lower, upper;
    (void)ag_sampler_range(s, joint, &lower, &upper);
    return ag_random_between(state, lower, upper);
  }
  if (strcmp(name, "armature") == 0) return ag_random_between(state, 0.05, 1);
  if (strcmp(name, "qdd") == 0 || strcmp(name, "qdd_r") == 0)
    return ag_random_between(state, -5, 5);
  const bool velocity = strcmp(name, "qd") == 0 || strcmp(name, "qd_r") == 0;
  double most = velocity ? l->velocity : l->effort;
  const double usual = velocity ? 3 : 30;
  if (isnan(most) || most > usual || most < 1e-6 * usual) most = usual; /* or it is no limit */
  return ag_random_between(state, -most, most);
}

static void draw_quaternion(double q[4], uint64_t *state) { /* evenly among rotations */
  double norm2;
  do {
    norm2 = 0;
    for (int k = 0; k < 4; k++) {
      q[k] = ag_random_between(state, -1, 1);
      norm2 += q[k] * q[k];
    }
  } while (norm2 < 0.1 || norm2 > 1);
  for (int k = 0; k < 4; k++) q[k] /= sqrt(norm2);
}

static void rotation_of(const double q[4], double R[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, r, sizeof r);
}

/* "inertia.LINK": the link's own times a number near 1; a small ball where it has none. */
static void draw_inertia(const ag_sampler *s, const char *name, double x[10], uint64_t *state) {
  static const ag_inertia ball = {0.2, {0, 0, 0}, {2e-4, 0, 0, 2e-4, 0, 2e-4}};
  const ag_inertia *inertia = &ball;
  const char *dot = strchr(name, '.');
  for (int k = 0; dot && k < s->model->nlinks; k++)
    if (strcmp(s->model->links[k].id, dot + 1) == 0 && s->model->links[k].inertia.m > 0)
      inertia = &s->model->links[k].inertia;
  const double factor = ag_random_between(state, 0.6, 1.6);
  x[0] = factor * inertia->m;
  for (int k = 0; k < 3; k++) x[1 + k] = factor * inertia->h[k];
  for (int k = 0; k < 6; k++) x[4 + k] = factor * inertia->I[k];
}

/* A load: "NAME.mass", "NAME.com", "NAME.inertia". False: it is something else. */
static bool draw_load(const ag_quantity *q, double *x, uint64_t *state) {
  if (q->shape == AG_SCALAR && strcmp(q->unit[0], "kg") == 0) {
    x[0] = ag_random_between(state, 0.1, 3);
  } else if (q->shape == AG_VECTOR && strcmp(q->unit[0], "m") == 0) {
    for (int k = 0; k < 3; k++) x[k] = ag_random_between(state, -0.1, 0.1);
  } else if (q->shape == AG_TENSOR) {
    for (int k = 0; k < 6; k++)
      x[k] = k == 0 || k == 3 || k == 5 ? ag_random_between(state, 0.005, 0.01)
                                        : ag_random_between(state, -1e-3, 1e-3);
  } else {
    return false;
  }
  return true;
}

/* Of rows that can be masked, in force are: all; the rows of a group together, as those of a foot
 * that stands or swings; or each for itself. */
static void draw_masks(const ag_sampler *s, double *x, int size, uint64_t *state) {
  const double kind = ag_random_between(state, 0, 3), most = 0.75;
  const char *group = "";
  bool on = true;
  for (int k = 0, i = 0; k < s->header->nrows && i < size; k++) {
    const ag_row_info *row = &s->header->rows[k];
    if (!row->maskable) continue;
    if (kind > 2 || (kind > 1 && strcmp(row->group, group) != 0))
      on = ag_random_between(state, 0, 1) < most;
    group = row->group;
    x[i++] = on;
  }
}

static void draw(const ag_sampler *s, const ag_sampled *to, uint64_t *state) {
  const ag_quantity *q = to->quantity;
  double *x = to->values;
  if (q->shape == AG_MASKS) {
    draw_masks(s, x, q->size, state);
    return;
  }
  if (q->shape == AG_QUATERNION) {
    draw_quaternion(x, state);
    return;
  }
  if (q->shape == AG_ROTATION) {
    double quaternion[4];
    draw_quaternion(quaternion, state);
    rotation_of(quaternion, x);
    return;
  }
  if (q->shape == AG_INERTIA) {
    draw_inertia(s, q->name, x, state);
    return;
  }
  if (draw_load(q, x, state)) return;
  for (int i = 0; i < q->size; i++) {
    const int joint = to->list->elements[q->first + i].joint;
    if (strcmp(q->name, "side") == 0) /* of dmclp */
      x[i] = round(ag_random_between(state, -1, 1));
    else if (joint >= 0 && strcmp(q->name, "friction") == 0 && q->defaults && q->defaults[i] > 0)
      x[i] = ag_random_between(state, 0, q->defaults[i]); /* no more than the layout's at rest */
    else if (joint >= 0)
      x[i] = draw_joint(s, q->name, joint, state);
    else if (joint == AG_BASE_YAW)
      x[i] = ag_random_between(state, -PI, PI);
    else if (strcmp(q->name, "gravity") == 0)
      x[i] = ag_random_between(state, -9.81, 9.81);
    else if (q->shape == AG_WRENCH)
      x[i] = i < 3 ? ag_random_between(state, -20, 20) : ag_random_between(state, -5, 5);
    else if (q->shape == AG_COMPLIANCES || strcmp(q->name, "R") == 0) /* R: of dstep */
      x[i] = fmax(0, ag_random_between(state, -0.5, 1));
    else if (q->shape == AG_WEIGHTS || strcmp(q->name, "gap_share") == 0) /* of dstep */
      x[i] = ag_random_between(state, 0, 1);
    else if (strcmp(q->name, "lo") == 0)
      x[i] = ag_random_between(state, -20, 0);
    else if (strcmp(q->name, "hi") == 0)
      x[i] = ag_random_between(state, 0, 20);
    else if (strncmp(q->name, "contact.", 8) == 0 && q->shape == AG_VECTOR)
      x[i] = i == 2; /* a normal */
    else if (strncmp(q->name, "mu.", 3) == 0 ||
             (strncmp(q->name, "contact.", 8) == 0 && strstr(q->name, ".friction")))
      x[i] = ag_random_between(state, 0, 2);
    else if (strncmp(q->name, "upper.", 6) == 0)
      x[i] = ag_random_between(state, 2, 4); /* no less than b */
    else if (strcmp(q->name, "period") == 0 || strcmp(q->name, "time_step") == 0)
      x[i] = ag_random_between(state, 5e-4, 0.02);
    else
      x[i] = ag_random_between(state, -2, 2);
  }
}

void ag_sampler_draw(ag_sampler *s, int k, bool single) {
  for (int i = 0; i < s->nsampled; i++) {
    const ag_quantity *q = s->sampled[i].quantity;
    uint64_t state = seed_of(q->name, k);
    draw(s, &s->sampled[i], &state);
    /* a rotation of floats would be none, to double's last digits */
    if (single && strcmp(q->name, "base.rot") != 0)
      for (int j = 0; j < q->size; j++)
        s->sampled[i].values[j] = (double)(float)s->sampled[i].values[j];
  }
}

/* The unit quaternion of a turn by the vector w, h times over. */
static void turn_of(const double w[3], double h, double turn[4]) {
  const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = rate * h / 2;
  turn[0] = cos(half);
  for (int k = 0; k < 3; k++) turn[1 + k] = rate > 0 ? sin(half) * w[k] / rate : 0;
}

/* Both turns, the right one first. */
static void turn_quaternion(const double a[4], double b[4]) {
  const double product[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                             a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                             a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                             a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(b, product, sizeof product);
}

/* Turns a ball joint by h times w, along the axes of its child. */
static void turn_ball(const double w[3], double h, double ball[4]) {
  double turn[4], before[4];
  turn_of(w, h, turn);
  memcpy(before, ball, sizeof before);
  turn_quaternion(before, turn);
  memcpy(ball, turn, sizeof turn);
}

static void turn_rotation(const double quaternion[4], double R[9]) {
  double turn[9], product[9] = {0};
  rotation_of(quaternion, turn);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) product[3 * i + j] += turn[3 * i + k] * R[3 * k + j];
  memcpy(R, product, sizeof product);
}

void ag_sampler_move(const ag_sampler *s, const double *v, double h) {
  const ag_header *header = s->header;
  double *q = ag_sampler_find(s, "q"), *yaw = ag_sampler_find(s, "base.yaw"),
         *quaternion = ag_sampler_find(s, "base.quat"), *R = ag_sampler_find(s, "base.rot");
  for (int j = 0; j < header->njoints; j++) {
    const ag_joint_info *joint = &header->joints[j];
    if (!joint->ball)
      q[j] += h * v[header->nbase + j];
    else if (joint->axis == 0)
      turn_ball(v + header->nbase + j, h, ag_sampler_find(s, joint->ball));
  }
  if (yaw) yaw[0] += h * v[2];
  if (!quaternion && !R) return;
  double turn[4];
  turn_of(v + 3, h, turn);
  if (quaternion) turn_quaternion(turn, quaternion);
  if (R) turn_rotation(turn, R);
}

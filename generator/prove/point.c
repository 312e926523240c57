/* SPDX-License-Identifier: MIT */
/* point.c: see point.h */
#include "prove/point.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

static uint64_t seed_of(const char *name, int k) {
  uint64_t h = 0xCBF29CE484222325u + (uint64_t)k * 0x9E3779B97F4A7C15u; /* FNV-1a */
  for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c) * 0x100000001B3u;
  return h;
}

ag_residue ag_point_residue(const char *name, int k) {
  uint64_t state = seed_of(name, k);
  return 1 + ag_random(&state) % (AG_FIELD_P - 1);
}

static const ag_given *given_of(const ag_point *p, const char *name) {
  for (int k = 0; k < p->ngiven; k++)
    if (strcmp(p->given[k].quantity->name, name) == 0) return &p->given[k];
  return NULL;
}

ag_number *ag_point_find(const ag_point *p, const char *name) {
  const ag_given *given = given_of(p, name);
  return given ? given->values : NULL;
}

ag_number *ag_point_element(const ag_point *p, const char *name, int index) {
  const ag_given *given = given_of(p, name);
  return given && index < given->quantity->size ? &given->values[index] : NULL;
}

void ag_point_add(ag_point *p, const ag_graph *graph) {
  for (int k = 0; k < graph->function->in.nquantities; k++) {
    const ag_quantity *q = &graph->function->in.quantities[k];
    if (ag_point_find(p, q->name)) continue;
    p->given = ag_grow(p->arena, p->given, (size_t)p->ngiven * sizeof *p->given,
                       (size_t)(p->ngiven + 1) * sizeof *p->given);
    p->given[p->ngiven++] = (ag_given){
        &graph->function->in, q, ag_alloc(p->arena, (size_t)(q->size + 1) * sizeof(ag_number))};
  }
}

void ag_point_fill(const ag_point *p, const ag_graph *graph, ag_number *in) {
  for (int k = 0; k < graph->function->in.nquantities; k++) {
    const ag_quantity *q = &graph->function->in.quantities[k];
    memcpy(in + q->first, ag_point_find(p, q->name), (size_t)q->size * sizeof *in);
  }
}

void ag_point_circle(double x, ag_number *c, ag_number *s) {
  const ag_residue t = ag_residue_of(tan(x / 2)), tt = ag_residue_mul(t, t);
  const ag_residue scale = ag_residue_inverse(ag_residue_add(1, tt));
  *c = ag_number_from(cos(x), ag_residue_mul(ag_residue_sub(1, tt), scale));
  *s = ag_number_from(sin(x), ag_residue_mul(ag_residue_add(t, t), scale));
}

/* R = 1 + 2 (w [v]x + [v]x [v]x) / |quaternion|^2, v = x y z: exactly a rotation whatever its norm */
static void draw_rotation(ag_number R[9], uint64_t *state) {
  ag_number q[4], norm2 = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    q[k] = ag_number_of(ag_random_between(state, 0.1, 1) *
                        (ag_random_between(state, -1, 1) < 0 ? -1 : 1));
    norm2 = ag_number_add(norm2, ag_number_mul(q[k], q[k]));
  }
  const ag_number scale = ag_number_div(ag_number_of(2), norm2);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j; /* the third axis, where i and j differ */
      ag_number x = ag_number_mul(q[1 + i], q[1 + j]);
      if (i != j) {
        const ag_number turn = ag_number_mul(q[0], q[1 + k]);
        x = (j - i + 3) % 3 == 1 ? ag_number_sub(x, turn) : ag_number_add(x, turn);
      } else {
        const ag_number a = q[1 + (i + 1) % 3], b = q[1 + (i + 2) % 3];
        x = ag_number_neg(ag_number_add(ag_number_mul(a, a), ag_number_mul(b, b)));
      }
      x = ag_number_mul(scale, x);
      R[3 * i + j] = i == j ? ag_number_add(ag_number_of(1), x) : x;
    }
}

static void draw_quaternion(ag_number q[4], uint64_t *state) {
  double x[4], norm2 = 0;
  for (int k = 0; k < 4; k++) {
    x[k] = ag_random_between(state, 0.1, 1) * (ag_random_between(state, -1, 1) < 0 ? -1 : 1);
    norm2 += x[k] * x[k];
  }
  for (int k = 0; k < 4; k++) q[k] = ag_number_of(x[k] / sqrt(norm2));
}

static double draw_position(const ag_joint_info *joint, uint64_t *state) {
  const double most = joint->prismatic ? 0.5 : 3, where = ag_random_between(state, 0, 4);
  const bool limited =
      joint->lower < joint->upper && fabs(joint->lower) < 1e4 && fabs(joint->upper) < 1e4;
  if (!limited) return ag_random_between(state, -most, most);
  const double lower = joint->lower, upper = joint->upper,
               part = ag_random_between(state, 1e-4, 0.02);
  if (where < 1) return lower + part * (upper - lower);
  if (where < 2) return upper - part * (upper - lower);
  return ag_random_between(state, fmax(lower, -2 * most), fmin(upper, 2 * most));
}

static double draw_joint(const ag_point *p, const ag_quantity *q, int joint, int k,
                         uint64_t *state) {
  if (strcmp(q->name, "q") == 0)
    return k % 8 == 2   ? 0
           : k % 8 == 6 ? ag_random_between(state, -1e-4, 1e-4)
                        : draw_position(&p->header->joints[joint], state);
  if (strcmp(q->name, "qd") == 0) return ag_random_between(state, -2, 2) * (k % 4 == 3 ? 1e-5 : 1);
  if (strcmp(q->name, "armature") == 0) return ag_random_between(state, 0.05, 1);
  if (strcmp(q->name, "friction") == 0 || strcmp(q->name, "viscous") == 0)
    return ag_random_between(state, 0.1, 2);
  if (strcmp(q->name, "breakaway") == 0) return ag_random_between(state, 1, 4);
  return ag_random_between(state, -20, 20);
}

/* m, h, I of a body that can be, the size of a hand */
static void draw_inertia(double x[10], uint64_t *state) {
  x[0] = ag_random_between(state, 0.5, 2);
  for (int k = 1; k < 4; k++) x[k] = ag_random_between(state, -0.02, 0.02);
  for (int k = 4; k < 10; k++)
    x[k] = k == 4 || k == 7 || k == 9 ? ag_random_between(state, 0.02, 0.03)
                                      : ag_random_between(state, -2e-3, 2e-3);
}

static void draw_numbers(const ag_point *p, const ag_given *to, int k, uint64_t *state) {
  const ag_quantity *q = to->quantity;
  for (int i = 0; i < q->size; i++) {
    const int joint = to->list->elements[q->first + i].joint;
    double x = ag_random_between(state, -2, 2);
    if (q->shape == AG_MASKS)
      x = k == 0 || ag_random_between(state, 0, 1) < 0.7;
    else if (strcmp(q->name, "side") == 0)
      x = round(x / 2);
    else if (joint >= 0)
      x = draw_joint(p, q, joint, k, state);
    else if (q->shape == AG_COMPLIANCES)
      x = k % 4 == 3 ? 0 : fabs(x);
    else if (q->shape == AG_WEIGHTS)
      x = fabs(x) / 2;
    else if (q->shape == AG_BOUNDS)
      x = strcmp(q->name, "lo") == 0 ? -1 - fabs(x) : 1 + fabs(x);
    else if (strcmp(q->unit[0], "kg") == 0 || strncmp(q->name, "mu.", 3) == 0 ||
             strcmp(q->name, "time_step") == 0)
      x = 0.1 + fabs(x);
    else if (q->shape == AG_VECTOR && strcmp(q->unit[0], "m") == 0)
      x *= 0.05;
    else if (strcmp(q->name, "gravity") == 0 || q->shape == AG_WRENCH)
      x *= 5;
    to->values[i] = ag_number_of(x);
  }
}

static void draw(const ag_point *p, const ag_given *to, int k, uint64_t *state) {
  const ag_quantity *q = to->quantity;
  double x[10];
  switch (q->shape) {
  case AG_ROTATION:
    draw_rotation(to->values, state);
    return;
  case AG_QUATERNION:
    draw_quaternion(to->values, state);
    return;
  case AG_INERTIA:
    draw_inertia(x, state);
    for (int i = 0; i < 10; i++) to->values[i] = ag_number_of(x[i]);
    return;
  case AG_TENSOR:
    draw_inertia(x, state);
    for (int i = 0; i < 6; i++) to->values[i] = ag_number_of(x[4 + i]);
    return;
  default:
    draw_numbers(p, to, k, state);
  }
}

/* The normal of a contact's surface. */
static bool is_normal(const ag_quantity *q) {
  const char *word = strrchr(q->name, '.');
  return strncmp(q->name, "contact.", 8) == 0 && word && strcmp(word, ".normal") == 0;
}

/* A unit vector, exactly. */
static void draw_normal(ag_number n[3], uint64_t *state) {
  ag_number R[9];
  draw_rotation(R, state);
  for (int i = 0; i < 3; i++) n[i] = R[3 * i + 2];
}

void ag_point_draw(ag_point *p, int k) {
  for (int i = 0; i < p->ngiven; i++) {
    uint64_t state = seed_of(p->given[i].quantity->name, k);
    const char *name = p->given[i].quantity->name;
    if (ag_is_result_of("mclp", name) || ag_is_result_of("qp", name)) continue;
    if (is_normal(p->given[i].quantity))
      draw_normal(p->given[i].values, &state);
    else
      draw(p, &p->given[i], k, &state);
  }
}

void ag_point_mask(ag_point *p, ag_turning turn) {
  uint64_t state = turn.seed;
  for (int i = 0; turn.masking != AG_AS_DRAWN && i < p->ngiven; i++) {
    const ag_given *given = &p->given[i];
    for (int j = 0; given->quantity->shape == AG_MASKS && j < given->quantity->size; j++) {
      const bool drawn = ag_random_between(&state, -1, 1) < 0;
      const bool masked = turn.masking != AG_UNMASKED && drawn == (turn.masking == AG_MASKED);
      given->values[j] = ag_number_of(masked ? 0 : 1);
    }
  }
}

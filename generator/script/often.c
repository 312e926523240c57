/* SPDX-License-Identifier: MIT */
/* often.c: see often.h */
#include "script/often.h"

#include "base/random.h"
#include "graph/eval.h"
#include "script/scalars.h"
#include "script/state.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* A joint's position: within its limits where these are narrower than a turn, or half a metre. */
static double position(const ag_joint_info *joint, uint64_t *state) {
  const double most = joint->prismatic ? 0.5 : PI;
  return ag_random_between(state, joint->lower > -most ? joint->lower : -most,
                           joint->upper < most ? joint->upper : most);
}

/* Whether an element is the mass or a moment on the diagonal of an inertia. */
static bool of_a_body(ag_shape shape, int k) {
  return shape == AG_INERTIA ? k == 0 || k == 4 || k == 7 || k == 9 : k == 0 || k == 3 || k == 5;
}

static bool ends_with(const char *name, const char *end) {
  const size_t length = strlen(name), tail = strlen(end);
  return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Values of one input. Rotations are those of axes that nobody has turned; masks are 1; inertias are those that a body can
 * have, since fast ways refuse others. */
static void draw(const ag_header *h, const ag_quantity *q, double *x, uint64_t *state) {
  for (int k = 0; k < q->size; k++) {
    if (q->shape == AG_MASKS)
      x[k] = 1;
    else if (q->shape == AG_ROTATION)
      x[k] = k % 4 == 0;
    else if (q->shape == AG_QUATERNION)
      x[k] = k == 0;
    else if (q->shape == AG_JOINTS && strcmp(q->name, "q") == 0)
      x[k] = position(&h->joints[k], state);
    else if (q->shape == AG_INERTIA || q->shape == AG_TENSOR)
      x[k] = of_a_body(q->shape, k);
    else if (strcmp(q->name, "armature") == 0 || ends_with(q->name, ".mass"))
      x[k] = ag_random_between(state, 0, 1);
    else
      x[k] = ag_random_between(state, -1, 1);
  }
}

double ag_how_often(const ag_header *h, const ag_graph *graph, ag_id condition, int states,
                    ag_arena *arena) {
  const ag_list *inputs = &graph->function->in;
  double *in = ag_alloc(arena, (size_t)(inputs->nelements + 1) * sizeof *in);
  double *work = ag_alloc(arena, (size_t)graph->dag.count * sizeof *work);
  uint64_t state = 1;
  int held = 0;
  for (int k = 0; k < states; k++) {
    for (int i = 0; i < inputs->nquantities; i++)
      draw(h, &inputs->quantities[i], in + inputs->quantities[i].first, &state);
    ag_eval_until(&graph->dag, condition, h->target.single, in, work);
    held += work[condition] != 0;
  }
  return (double)held / states;
}

int ag_l_seldom(lua_State *L) {
  const ag_script *s = ag_script_of(L);
  lua_pushboolean(L, !s->numeric && s->graph && s->graph->nways > 1 && s->way == AG_GENERAL);
  return 1;
}

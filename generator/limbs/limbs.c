/* SPDX-License-Identifier: MIT */
/* limbs.c: see limbs.h */
#include "limbs/limbs.h"

#include <stdlib.h>
#include <string.h>

/* Of the tree that begins with a joint: what it looks like, "r(rr)p", and its joints. Children stand
 * in the order of what they look like, equal ones in that of the robot. */
typedef struct subtree {
  const char *shape;
  int *joints;
  int length, root;
} subtree;

static int by_shape(const void *a, const void *b) {
  const subtree *x = a, *y = b;
  const int order = strcmp(x->shape, y->shape);
  return order ? order : x->root - y->root;
}

static void look(const ag_header *h, subtree *of, int joint) {
  ag_arena *arena = h->arena;
  subtree *children = ag_alloc(arena, (size_t)(h->njoints + 1) * sizeof *children);
  int count = 0, length = 1;
  for (int i = joint + 1; i < h->njoints; i++)
    if (h->joints[i].parent == joint) {
      children[count++] = of[i];
      length += of[i].length;
    }
  qsort(children, (size_t)count, sizeof *children, by_shape);
  subtree *t = &of[joint];
  *t = (subtree){.shape = h->joints[joint].prismatic ? "p" : "r", .length = 1, .root = joint};
  t->joints = ag_alloc(arena, (size_t)length * sizeof *t->joints);
  t->joints[0] = joint;
  for (int k = 0; k < count; k++) {
    t->shape = ag_printf(arena, "%s(%s)", t->shape, children[k].shape);
    memcpy(t->joints + t->length, children[k].joints,
           (size_t)children[k].length * sizeof *t->joints);
    t->length += children[k].length;
  }
}

static bool is_free(const subtree *t, const bool *used) {
  for (int k = 0; k < t->length; k++)
    if (used[t->joints[k]]) return false;
  return true;
}

/* The trees that are free and look like tree `i`, in the order of their joints; siblings: only those
 * that hang on the same body. */
static int alike(const ag_header *h, const subtree *of, int i, bool siblings, const bool *used,
                 int *roots) {
  int count = 0;
  for (int k = 0; k < h->njoints; k++) {
    if (siblings && h->joints[k].parent != h->joints[i].parent) continue;
    if (strcmp(of[k].shape, of[i].shape) == 0 && is_free(&of[k], used)) roots[count++] = k;
  }
  return count;
}

/* More sets are no robot's; of a thousand joints on one link they would take gigabytes. */
enum { MOST_SETS = 16 };

int ag_find_limbs(const ag_header *h, bool siblings, ag_limbs **sets) {
  ag_arena *arena = h->arena;
  const int n = h->njoints, lanes = h->target.single ? AG_LANES : AG_LANES / 2;
  subtree *of = ag_alloc(arena, (size_t)(n + 1) * sizeof *of);
  bool *used = ag_alloc(arena, (size_t)(n + 1) * sizeof *used);
  int *roots = ag_alloc(arena, (size_t)(n + 1) * sizeof *roots), nsets = 0;
  *sets = NULL;
  for (int i = n - 1; i >= 0; i--) look(h, of, i);
  for (;;) {
    int best = -1, most = 0;
    for (int i = 0; i < n; i++) {
      const int count = is_free(&of[i], used) ? alike(h, of, i, siblings, used, roots) : 0;
      if (count > 1 && count * of[i].length > most) {
        best = i;
        most = count * of[i].length;
      }
    }
    if (best < 0 || nsets == MOST_SETS) return nsets;
    int count = alike(h, of, best, siblings, used, roots);
    if (count > lanes) count = lanes;
    *sets = ag_room(arena, *sets, nsets, sizeof **sets);
    ag_limbs *set = &(*sets)[nsets++];
    *set = (ag_limbs){.count = count, .lanes = h->target.single ? 4 : 2, .length = of[best].length};
    while (set->lanes < count) set->lanes *= 2;
    for (int k = 0; k < count; k++) {
      set->joint[k] = of[roots[k]].joints;
      for (int j = 0; j < set->length; j++) used[set->joint[k][j]] = true;
    }
  }
}

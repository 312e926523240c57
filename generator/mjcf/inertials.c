/* SPDX-License-Identifier: MIT */
/* inertials.c: see inertials.h */
#include "mjcf/inertials.h"

#include "mjcf/turn.h"
#include "mjcf/xml.h"

#include <math.h>
#include <string.h>

/* MuJoCo refuses a moving body with less [kg, kg m^2]; next to any inertia that counts it is no
 * more than its last bit. */
static const double least = 1e-14;

/* MuJoCo refuses moments A + B < C. Up to this share of C it is rounding. */
static const double rounding = 1e-13;

typedef struct principal {
  double mass, centre[3], moments[3], quaternion[4];
} principal;

/* About the centre of mass. */
static principal principal_of(const ag_inertia *inertia) {
  principal p = {.mass = inertia->m, .quaternion = {1, 0, 0, 0}};
  double central[6];
  ag_inertia_centre(inertia, p.centre, central);
  ag_principal_axes(central, p.moments, p.quaternion);
  return p;
}

/* The largest moment, and what it exceeds the sum of the others by. */
static double excess_of(const double moments[3], int *largest) {
  *largest = 0;
  for (int i = 1; i < 3; i++)
    if (moments[i] > moments[*largest]) *largest = i;
  const int i = (*largest + 1) % 3, j = (*largest + 2) % 3;
  return moments[*largest] - (moments[i] + moments[j]);
}

/* How large moments about the centre are that rounding can have left of the sums. */
static double noise_of(const ag_inertia *inertia) {
  return 1e-15 * (fabs(inertia->I[0]) + fabs(inertia->I[3]) + fabs(inertia->I[5]));
}

static bool taken(const ag_inertia *inertia) {
  const principal p = principal_of(inertia);
  int largest;
  bool none = inertia->m == 0, negative = inertia->m < 0;
  for (int i = 0; i < 3; i++) {
    none = none && inertia->h[i] == 0 && p.moments[i] == 0;
    negative = negative || p.moments[i] < -noise_of(inertia);
  }
  if (none) return true;
  return inertia->m > 0 && !negative &&
         excess_of(p.moments, &largest) <= rounding * p.moments[largest] + noise_of(inertia);
}

static void give(ag_tree *tree, int from, int to) {
  const ag_inertia moved = ag_inertia_transform(&tree->place[from], &tree->inertia[from]);
  ag_inertia_add(&tree->inertia[to], &moved);
  tree->inertia[from] = (ag_inertia){.m = 0};
}

/* What MuJoCo says of the inertia of a body whose parts are all together. */
static bool fail(const ag_world *world, int i, const ag_inertia *inertia, ag_err *err) {
  const ag_link *link = &world->model->links[i];
  const principal p = principal_of(inertia);
  return ag_fail(err, world->model->path, link->line,
                 "correct its <inertial>, or give it in the layout: inertials = { link = { inertia "
                 "= { xx, xy, xz, yy, yz, zz } } }; robot = { balance_inertia = true } of the "
                 "scene lets MuJoCo change it",
                 "link \"%s\" and what is fixed to it: mass %.6g kg, principal moments %.6g, "
                 "%.6g and %.6g kg m^2; MuJoCo takes no negative ones, and none above the sum "
                 "of the other two",
                 link->name, p.mass, p.moments[0], p.moments[1], p.moments[2]);
}

bool ag_inertials_share(const ag_world *world, ag_tree *tree, bool balance, ag_arena *arena,
                        ag_err *err) {
  const ag_link *links = world->model->links;
  int *head = ag_alloc(arena, (size_t)tree->nlinks * sizeof *head);
  const bool resting = tree->base == AG_FIXED; /* no inertia of the base is felt */
  for (int i = 0; i < tree->nlinks; i++)
    head[i] = i == tree->root || tree->moves[i] || !tree->kept[i] ? i : head[links[i].parent];
  for (int i = tree->nlinks - 1; i > tree->root; i--) /* children come last */
    if (tree->kept[i] && !tree->moves[i] && !taken(&tree->inertia[i]))
      give(tree, i, links[i].parent);
  for (int h = 0; h < tree->nlinks; h++) {
    if (!tree->kept[h] || head[h] != h || taken(&tree->inertia[h])) continue;
    for (int i = tree->nlinks - 1; i > h; i--)
      if (tree->kept[i] && head[i] == h) give(tree, i, links[i].parent);
    if (taken(&tree->inertia[h])) continue;
    if (resting && h == tree->root)
      tree->inertia[h] = (ag_inertia){.m = 0};
    else if (!balance || tree->inertia[h].m <= 0)
      return fail(world, h, &tree->inertia[h], err);
  }
  return true;
}

void ag_inertial_add(ag_text *xml, const ag_inertia *inertia, bool moves) {
  principal p = principal_of(inertia);
  if (p.mass == 0 && !moves) return;
  int largest;
  p.mass = fmax(p.mass, moves ? least : 0);
  for (int i = 0; i < 3; i++) p.moments[i] = fmax(p.moments[i], moves ? least : 0);
  const double excess = excess_of(p.moments, &largest);
  /* rounding: the two others grow by it, and a little, since MuJoCo adds them up again */
  if (excess > -rounding * p.moments[largest] &&
      excess <= rounding * p.moments[largest] + noise_of(inertia))
    for (int i = 0; i < 3; i++)
      if (i != largest) p.moments[i] += fmax(excess, 0) / 2 + 1e-15 * p.moments[largest];
  ag_text_add(xml, "<inertial");
  ag_xml_add_numbers(xml, "pos", p.centre, 3);
  ag_xml_add_numbers(xml, "quat", p.quaternion, 4);
  ag_xml_add_number(xml, "mass", p.mass);
  ag_xml_add_numbers(xml, "diaginertia", p.moments, 3);
  ag_text_add(xml, "/>\n");
}

/* SPDX-License-Identifier: MIT */
/* capsule_test.c: how near the links of an arm are to each other, by the tables of --capsules (achd/capsule.h), and by MuJoCo's places of
 * the shapes of --mjcf with points all along them; numbers that no table may have are refused. */
#include "capsules.h"
#include "test.h"

#include "../runtime/random.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static mjModel *model;
static mjData *data;
static int most_joints;

static bool sweep(void) {
  const char *s = getenv("ACHD_SWEEP");
  return s && *s && *s != '0';
}

/* A point of a geom's axis, u from -1 to 1, and its radius. */
static double point_of(int geom, double u, double point[3]) {
  const double *R = &data->geom_xmat[9 * geom], *size = &model->geom_size[3 * geom];
  const double half = model->geom_type[geom] == mjGEOM_SPHERE ? 0 : size[1];
  for (int i = 0; i < 3; i++) point[i] = data->geom_xpos[3 * geom + i] + u * half * R[3 * i + 2];
  return size[0];
}

static double distance_at(int one, int other, double u, double v) {
  double p[3], q[3];
  const double radii = point_of(one, u, p) + point_of(other, v, q);
  return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
              (p[2] - q[2]) * (p[2] - q[2])) -
         radii;
}

/* Points all along both, and again around the nearest ones: the distance of segments is convex in u and v. */
static double sampled(int one, int other) {
  enum { POINTS = 12 };
  double least = INFINITY, u = 0, v = 0, wide = 1;
  for (int round = 0; round < 12; round++) {
    const double from = u, beside = v;
    for (int i = 0; i <= POINTS; i++)
      for (int k = 0; k <= POINTS; k++) {
        const double x = fmax(-1, fmin(1, from + wide * (2.0 * i / POINTS - 1)));
        const double y = fmax(-1, fmin(1, beside + wide * (2.0 * k / POINTS - 1)));
        const double d = distance_at(one, other, x, y);
        if (d < least) least = d, u = x, v = y;
      }
    wide *= 0.4;
  }
  return least;
}

/* The shapes of both are in the same order. */
static void distances_are_those_of_the_shapes(void) {
  const achd_capsules *c = &arm_capsules;
  unsigned long long random = 1;
  double q[32], worst = 0, least = INFINITY, most = -INFINITY;
  CHECK(c->ncapsules == model->ngeom && c->npairs > 5 && model->nq <= 32);
  CHECK(c->nlinks == model->nq + 1);
  if (c->nlinks != model->nq + 1) return;
  for (int n = 0; n < (sweep() ? 20000 : 60); n++) {
    int joints = 0;
    for (int j = 0; j < model->nq; j++) { /* link j + 1; one that mimics follows, with its factor */
      const bool limited = model->jnt_limited[j];
      const double low = limited ? model->jnt_range[2 * j] : -3.2,
                   high = limited ? model->jnt_range[2 * j + 1] : 3.2;
      const achd_capsule_link *link = &c->links[j + 1];
      if (link->joint == joints) q[joints++] = random_between(&random, low, high);
      data->qpos[j] = link->factor * q[link->joint] + link->constant;
    }
    most_joints = joints;
    mj_kinematics(model, data);
    const achd_clearance nearest = achd_capsules_nearest(c, q);
    double by_points = INFINITY;
    int pair = -1;
    for (int k = 0; k < c->npairs; k++) {
      const double d = sampled(c->pairs[k][0], c->pairs[k][1]);
      if (d < by_points) by_points = d, pair = k;
    }
    worst = fmax(worst, fabs(by_points - nearest.distance));
    least = fmin(least, nearest.distance), most = fmax(most, nearest.distance);
    CHECK(nearest.pair == pair || fabs(by_points - nearest.distance) < 1e-6);
  }
  printf("  %d capsules, %d pairs: %.3f to %.3f m, within %.1e m of points along them\n",
         c->ncapsules, c->npairs, least, most, worst);
  CHECK(achd_capsules_valid(c, most_joints) && !achd_capsules_valid(c, most_joints - 1));
  CHECK(worst < 1e-6 && most > 0.02);
}

/* No pair of neighbours, none twice, none of one body. */
static void pairs_are_of_links_that_are_no_neighbours(void) {
  const achd_capsules *c = &arm_capsules;
  for (int k = 0; k < c->npairs; k++) {
    const int one = c->capsules[c->pairs[k][0]].link, other = c->capsules[c->pairs[k][1]].link;
    CHECK(one != other && c->links[one].parent != other && c->links[other].parent != one);
    for (int i = 0; i < k; i++)
      CHECK(c->pairs[i][0] != c->pairs[k][0] || c->pairs[i][1] != c->pairs[k][1]);
  }
}

/* Segments that are parallel, points, crossed, one in the other; symmetric; none of the numbers is NaN. */
static void segments_of_all_kinds(void) {
  static const struct {
    double p[2][3], q[2][3], apart;
  } cases[] = {{{{0, 0, 0}, {1, 0, 0}}, {{0, 2, 0}, {1, 2, 0}}, 2},
               {{{0, 0, 0}, {1, 0, 0}}, {{3, 0, 0}, {2, 0, 0}}, 1},
               {{{0, 0, 0}, {1, 0, 0}}, {{0.5, -1, 0.25}, {0.5, 1, 0.25}}, 0.25},
               {{{0, 0, 0}, {0, 0, 0}}, {{3, 4, 0}, {3, 4, 0}}, 5},
               {{{0, 0, 0}, {0, 0, 0}}, {{-1, 2, 0}, {1, 2, 0}}, 2},
               {{{0, 0, 0}, {1, 0, 0}}, {{0.25, 0, 0}, {0.75, 0, 0}}, 0},
               {{{0, 0, 0}, {1, 0, 0}}, {{4, 4, 0}, {4, -4, 0}}, 3},
               {{{0, 0, 0}, {1, 0, 0}}, {{-3, 4, 0}, {-6, 8, 0}}, 5}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int turned = 0; turned < 8; turned++) {
      const double *p0 = cases[k].p[turned & 1], *p1 = cases[k].p[!(turned & 1)];
      const double *q0 = cases[k].q[turned >> 1 & 1], *q1 = cases[k].q[!(turned >> 1 & 1)];
      CHECK_NEAR(turned & 4 ? achd_segment_distance(q0, q1, p0, p1)
                            : achd_segment_distance(p0, p1, q0, q1),
                 cases[k].apart, 1e-12);
    }
}

static void numbers_of_no_use_are_refused(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 3};
  achd_capsule_link links[2] = {arm_capsule_links[0], arm_capsule_links[1]};
  achd_capsule capsules[2] = {{0, {{0, 0, 0}, {0, 0, 1}}, 0.1}, {1, {{0, 0, 0}, {0, 0, 1}}, 0.1}};
  int pairs[1][2] = {{0, 1}};
  achd_capsules c = {2, 2, 1, links, capsules, (const int(*)[2])pairs, NULL};
  achd_capsule_watch w = {.capsules = &c};
  CHECK(achd_capsules_valid(&c, 1) && achd_capsule_watch_valid(&w, 1));
  CHECK(!achd_capsules_valid(&c, 0)); /* joint 0 is not there */
#define REFUSED(field, value)                                                                      \
  do {                                                                                             \
    const double before = (double)(field);                                                         \
    (field) = (value);                                                                             \
    CHECK(!achd_capsule_watch_valid(&w, 1));                                                       \
    (field) = before;                                                                              \
    CHECK(achd_capsule_watch_valid(&w, 1));                                                        \
  } while (0)
  for (int k = 0; k < 4; k++) {
    const bool finite = k == 3;
    if (!finite) REFUSED(links[1].at.p[1], odd[k]);
    REFUSED(links[1].at.R.m[2][2], odd[k]);
    REFUSED(links[1].axis[2], odd[k]);
    if (!finite) REFUSED(links[1].factor, odd[k]);
    if (!finite) REFUSED(links[1].constant, odd[k]);
    if (!finite) REFUSED(capsules[1].ends[1][0], odd[k]);
    if (!finite) REFUSED(capsules[0].radius, odd[k]);
    if (k == 0 || k == 2) REFUSED(w.nearest, odd[k]);
    if (k != 2) REFUSED(w.lower[1], odd[k]);
    if (k == 0 || k == 2) REFUSED(w.upper[2], odd[k]);
  }
  REFUSED(capsules[0].radius, -0.1);
#undef REFUSED
#define REFUSED(field, value)                                                                      \
  do {                                                                                             \
    const int before = (field);                                                                    \
    (field) = (value);                                                                             \
    CHECK(!achd_capsules_valid(&c, 1));                                                            \
    (field) = before;                                                                              \
    CHECK(achd_capsules_valid(&c, 1));                                                             \
  } while (0)
  REFUSED(links[1].parent, 1);
  REFUSED(links[1].parent, -2);
  REFUSED(links[1].joint, -2);
  REFUSED(links[1].joint, 1);
  REFUSED(capsules[1].link, 2);
  REFUSED(capsules[1].link, -1);
  REFUSED(pairs[0][1], 2);
  REFUSED(pairs[0][0], -1);
  REFUSED(c.nlinks, ACHD_CAPSULES + 1);
  REFUSED(c.ncapsules, -1);
  REFUSED(c.npairs, -1);
  c.pairs = NULL;
  CHECK(!achd_capsules_valid(&c, 1));
  for (int k = 0; k < 3; k++) { /* a position that is none */
    double q[32] = {0};
    q[0] = odd[k];
    const achd_clearance nearest = achd_capsules_nearest(&arm_capsules, q);
    CHECK(nearest.pair == -1 && nearest.distance == 0);
  }
}

static void time_of_a_cycle(void) {
  enum { MANY = 20000 };
  double q[32] = {0}, sum = 0;
  const clock_t begin = clock();
  for (int n = 0; n < MANY; n++) {
    for (int j = 0; j < model->nq; j++) q[j] = 0.001 * n + j;
    sum += achd_capsules_nearest(&arm_capsules, q).distance;
  }
  const double took = (double)(clock() - begin) / CLOCKS_PER_SEC / MANY;
  printf("  %.2f us a cycle\n", 1e6 * took);
  CHECK(isfinite(sum) && took < 5e-6 * 4); /* of a machine that is busy */
}

int main(int argc, char **argv) {
  char error[500] = "";
  if (argc < 2) return 2;
  model = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (!model) {
    fprintf(stderr, "%s: %s\n", argv[1], error);
    return 2;
  }
  data = mj_makeData(model);
  RUN(distances_are_those_of_the_shapes);
  RUN(pairs_are_of_links_that_are_no_neighbours);
  RUN(segments_of_all_kinds);
  RUN(numbers_of_no_use_are_refused);
  RUN(time_of_a_cycle);
  mj_deleteData(data);
  mj_deleteModel(model);
  return test_end();
}

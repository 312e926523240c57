/* SPDX-License-Identifier: MIT */
/* base_bounded_test.c: a mobile base on a plane, simulated by its generated forward dynamics:
 * pushed against a wall it aligns; a bump with limited force; four wheels that slide sideways
 * (Devaramani 2019 has the base and the use cases). */
#include <achd/mclp.h>

#include "base_bounded.h"
#include "plot.h"
#include "test.h"

enum { STEPS = 4000, ROWS = CART_NR, WHEELS = 4 };
static const double period = 1e-3, friction = 0.5;

typedef struct world {
  double wall;   /* x of it [m] */
  double force;  /* that it can give at a corner [N] */
  bool gives;    /* stays where it was pushed to */
  double push;   /* along x on the base [N] */
  double drag;   /* [N s/m], [N m s/rad] */
  double normal; /* force under each wheel [N] */
} world;

typedef struct cart {
  double x, y, yaw;
  cart_planar v;
  double q[CART_NJ], qd[CART_NJ];
} cart;

/* Of every step. */
static double yaw[STEPS], left[STEPS], right[STEPS], speed[STEPS], most_slip[STEPS], most_nu[STEPS],
    energy[STEPS], difference[STEPS], residual[STEPS], depth[STEPS];

static void copy_state(const cart *c, double q[], double qd[], double *angle, cart_planar *twist) {
  for (int i = 0; i < CART_NJ; i++) q[i] = c->q[i], qd[i] = c->qd[i];
  *angle = c->yaw, *twist = c->v;
}

/* A corner's row: in force behind the wall; b brings it out again. */
static void wall_at(cart_achd_in *in, int row, const world *w, double x, double v) {
  const double rate = 40, behind = x - w->wall;
  in->mask[row] = behind > 0;
  in->b[row] = -2 * rate * v - (w->gives ? 0 : rate * rate * behind);
  in->lo[row] = -w->force, in->hi[row] = 0;
}

/* Slip of a wheel along its axle y, and the b that ends it: the axle turns, so that d(slip)/dt = y
 * . a + (w x y) . v. */
static double slip_of(const cart_pose *wheel, const cart_twist *t, double *b) {
  const double y[3] = {wheel->R[0][1], wheel->R[1][1], wheel->R[2][1]}, *w = t->ang, *v = t->lin;
  const double slip = y[0] * v[0] + y[1] * v[1] + y[2] * v[2];
  *b = -50 * slip - (w[1] * y[2] - w[2] * y[1]) * v[0] - (w[2] * y[0] - w[0] * y[2]) * v[1] -
       (w[0] * y[1] - w[1] * y[0]) * v[2];
  return slip;
}

static void step(cart *c, const world *w, int k) {
  static double work[ACHD_MCLP_WORK(ROWS)];
  static signed char side[ROWS];
  cart_achd_in in = {.normal = {w->normal, w->normal, w->normal, w->normal}};
  cart_fd_in act = {0};
  cart_fk_in where = {0};
  cart_fvk_in moves = {0};
  cart_fk_out pose;
  cart_fvk_out twist;
  copy_state(c, in.q, in.qd, &in.base.yaw, &in.base.twist);
  copy_state(c, act.q, act.qd, &act.base.yaw, &act.base.twist);
  copy_state(c, moves.q, moves.qd, &moves.base.yaw, &moves.base.twist);
  for (int i = 0; i < CART_NJ; i++) where.q[i] = c->q[i];
  where.base.yaw = c->yaw;
  cart_fk(&where, &pose);
  cart_fvk(&moves, &twist);
  in.push.lin[0] = w->push - w->drag * c->v.x;
  in.push.lin[1] = -w->drag * c->v.y;
  in.push.ang[2] = -w->drag * c->v.yaw;
  wall_at(&in, CART_LEFT_LIN_X, w, c->x + pose.pose.pivot_fl.p[0], twist.twist.pivot_fl.lin[0]);
  wall_at(&in, CART_RIGHT_LIN_X, w, c->x + pose.pose.pivot_fr.p[0], twist.twist.pivot_fr.lin[0]);

  const cart_pose *wheels[WHEELS] = {&pose.pose.wheel_fl, &pose.pose.wheel_fr, &pose.pose.wheel_br,
                                     &pose.pose.wheel_bl};
  const cart_twist *rolls[WHEELS] = {&twist.twist.wheel_fl, &twist.twist.wheel_fr,
                                     &twist.twist.wheel_br, &twist.twist.wheel_bl};
  double slip[WHEELS];
  for (int i = 0; i < WHEELS; i++) slip[i] = slip_of(wheels[i], rolls[i], &in.b[CART_FL_LIN_Y + i]);

  cart_mclp_out p;
  cart_achd_out out;
  double nu[ROWS];
  achd_mclp_report report;
  const unsigned status = cart_mclp(&in, &p);
  const achd_mclp_problem problem = {ROWS, p.L, p.r, p.lo, p.hi};
  CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  cart_apply(&in, &p, nu, &out);
  CHECK(status == CART_OK);
  residual[k] = report.residual;

  /* the same forces, given to the forward dynamics */
  cart_wrench *at[WHEELS] = {&act.at_fl, &act.at_fr, &act.at_br, &act.at_bl};
  act.push = in.push;
  act.at_left.lin[0] = nu[CART_LEFT_LIN_X];
  act.at_right.lin[0] = nu[CART_RIGHT_LIN_X];
  most_slip[k] = most_nu[k] = 0;
  for (int i = 0; i < WHEELS; i++) {
    const double force = nu[CART_FL_LIN_Y + i];
    for (int a = 0; a < 3; a++) at[i]->lin[a] = wheels[i]->R[a][1] * force;
    most_slip[k] = fmax(most_slip[k], fabs(slip[i]));
    most_nu[k] = fmax(most_nu[k], fabs(force));
    if (fabs(slip[i]) > 1e-3)
      CHECK_NEAR(force * slip[i], -friction * w->normal * fabs(slip[i]), 1e-9);
  }
  cart_fd_out motion;
  cart_fd(&act, &motion);
  difference[k] = fabs(motion.base.acc.x - out.base.acc.x) +
                  fabs(motion.base.acc.y - out.base.acc.y) +
                  fabs(motion.base.acc.yaw - out.base.acc.yaw);
  for (int i = 0; i < CART_NJ; i++) difference[k] += 1e-3 * fabs(motion.qdd[i] - out.qdd[i]);

  cart_energy_in e = {0};
  cart_energy_out kinetic;
  copy_state(c, e.q, e.qd, &e.base.yaw, &e.base.twist);
  cart_energy(&e, &kinetic);
  energy[k] = kinetic.kinetic;
  yaw[k] = c->yaw, speed[k] = c->v.x;
  left[k] = -nu[CART_LEFT_LIN_X], right[k] = -nu[CART_RIGHT_LIN_X];
  depth[k] = fmax(c->x + pose.pose.pivot_fl.p[0], c->x + pose.pose.pivot_fr.p[0]) - w->wall;

  c->v.x += period * motion.base.acc.x, c->x += period * c->v.x;
  c->v.y += period * motion.base.acc.y, c->y += period * c->v.y;
  c->v.yaw += period * motion.base.acc.yaw, c->yaw += period * c->v.yaw;
  for (int i = 0; i < CART_NJ; i++) {
    c->qd[i] += period * motion.qdd[i];
    c->q[i] += period * c->qd[i];
  }
}

static void run(cart c, const world *w) {
  for (int k = 0; k < STEPS; k++) step(&c, w, k);
}

static double most(const double *x) {
  double m = -INFINITY;
  for (int k = 0; k < STEPS; k++) m = fmax(m, x[k]);
  return m;
}

static void holds_in_every_step(void) {
  CHECK(most(residual) < 1e-10);
  CHECK(most(difference) < 1e-9);
}

static const char *folder;

static void draw(const char *file, const char *title, const plot_panel *panels) {
  if (!folder) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.svg", folder, file);
  CHECK(plot_write(path, title, period, STEPS, panels) == 0);
}

/* Turned by 0.2 rad, pushed with 100 N: one corner meets the wall, the base turns until both do. */
static void pushed_against_a_wall_it_aligns(void) {
  const world w = {.wall = 0.3, .force = 1e4, .push = 100, .drag = 100};
  run((cart){.yaw = 0.2}, &w);
  const int end = STEPS - 1;
  printf("wall: yaw %.2e rad, %.3f N left, %.3f N right, deepest %.2e m\n", yaw[end], left[end],
         right[end], most(depth));
  CHECK_NEAR(yaw[end], 0, 1e-3);
  CHECK_NEAR(left[end] + right[end], 100, 0.5);
  CHECK(left[end] > 10 && right[end] > 10);
  CHECK(most(depth) < 5e-3);
  for (int k = 0; k < STEPS; k++) CHECK(left[k] >= 0 && right[k] >= 0);
  holds_in_every_step();
  draw("base_wall", "A mobile base pushed against a wall",
       (plot_panel[]){{"rad", {{"yaw", yaw}}},
                      {"N", {{"left corner", left}, {"right corner", right}}},
                      {"m/s", {{"speed", speed}}},
                      {0}});
}

/* At 0.5 m/s into something that gives way at 150 N. */
static void bump_never_exceeds_its_force(void) {
  const world w = {.wall = 0.3, .force = 150, .gives = true};
  run((cart){.yaw = 0.1, .v = {.x = 0.5}}, &w);
  printf("bump: %.6f N at most, speed %.3f m/s in the end, deepest %.3f m\n",
         fmax(most(left), most(right)), speed[STEPS - 1], most(depth));
  CHECK(fmax(most(left), most(right)) == 150);
  CHECK(most(depth) > 0.01); /* it gave way */
  CHECK_NEAR(speed[STEPS - 1], 0, 0.02);
  for (int k = 0; k < STEPS; k++) CHECK(left[k] >= 0 && right[k] >= 0);
  for (int k = 1; k < STEPS; k++) CHECK(energy[k] <= energy[k - 1] + 1e-6);
  holds_in_every_step();
  draw("base_bump", "A mobile base and a bump with at most 150 N",
       (plot_panel[]){{"m/s", {{"speed", speed}}},
                      {"N", {{"left corner", left}, {"right corner", right}}},
                      {"m", {{"depth", depth}}},
                      {0}});
}

/* Thrown sideways and turning: the wheels slide, then stick along their axles and only roll. */
static void wheels_slide_and_then_stick(void) {
  const world w = {.wall = 1e3, .force = 1, .normal = 500};
  run((cart){.v = {.x = 0.3, .y = 1, .yaw = 0.5}}, &w);
  printf("wheels: slip %.2f to %.1e m/s, friction at most %.6f N of %g, energy %.2f to %.2f J\n",
         most_slip[0], most_slip[STEPS - 1], most(most_nu), friction * w.normal, energy[0],
         energy[STEPS - 1]);
  CHECK(most_slip[0] > 0.1);
  CHECK(most_slip[STEPS - 1] < 1e-3);
  CHECK(most(most_nu) <= friction * w.normal * (1 + 1e-9));
  CHECK(energy[STEPS - 1] < energy[0]);
  holds_in_every_step();
  draw("base_wheels", "Four wheels that slide sideways",
       (plot_panel[]){{"m/s", {{"largest slip", most_slip}}},
                      {"N", {{"largest friction", most_nu}}},
                      {"J", {{"kinetic energy", energy}}},
                      {"rad", {{"yaw", yaw}}},
                      {0}});
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(pushed_against_a_wall_it_aligns);
  RUN(bump_never_exceeds_its_force);
  RUN(wheels_slide_and_then_stick);
  return test_end();
}

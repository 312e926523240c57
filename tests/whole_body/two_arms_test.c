/* SPDX-License-Identifier: MIT */
/* two_arms_test.c: two arms in MuJoCo carry a box between their hands, pressing it with 20 N, on
 * MuJoCo's contacts and by motor torques alone (robots/whole_body/two_arms.lua). With a folder as
 * argument it draws what it did. */
#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define TWO_ARMS_IMPLEMENTATION
#include "two_arms.h"

#include <stdlib.h>

enum {
  LEFT_FORCE,
  RIGHT_FORCE,
  BOX_Y,
  BOX_Z,
  BOX_TILT,
  BOX_ERROR,
  ERROR,
  SLIP,
  OTHERS,
  SCALE,
  SIGNALS
};

static const char *const joints[] = TWO_ARMS_JOINT_NAMES;
static const char *const hands[2] = {"left_hand", "right_hand"};
static const char *folder;
static simulation sim;
static double start[TWO_ARMS_NJ];
static simulation_frame home[2];

typedef struct wish {
  double inward, y, z, rate, vy, vz; /* of the hands, from where they begin [m] */
  double squeeze, weight;            /* of both together press, and bear [N] */
} wish;

static simulation_frame parcel(void) {
  return simulation_at(&sim, "parcel");
}

static void cycle(const wish *w, double *first) {
  static two_arms_achd_in in;
  static two_arms_gravity_in still;
  two_arms_achd_out out;
  two_arms_gravity_out held;
  double row[SIMULATION_SIGNALS] = {0};
  simulation_measure(&sim, in.q, in.qd);
  memcpy(still.q, in.q, sizeof still.q);
  two_arms_gravity(&still, &held);
  for (int j = 0; j < TWO_ARMS_NJ; j++)
    in.tau_art[j] = held.tau[j] + 10 * (start[j] - in.q[j]) - 4 * in.qd[j];
  for (int side = 0; side < 2; side++) {
    const double inwards = side ? 1 : -1;
    const simulation_frame hand = simulation_at(&sim, hands[side]);
    const double wanted[3] = {home[side].p[0], home[side].p[1] + w->y + inwards * w->inward,
                              home[side].p[2] + w->z};
    const double speed[3] = {0, w->vy + inwards * w->rate, w->vz};
    double *b = &in.b[side ? TWO_ARMS_RIGHT_LIN_X : TWO_ARMS_LEFT_LIN_X];
    simulation_servo(wanted, speed, hand.p, hand.v, 150, 24, b);
    simulation_servo_turn(home[side].R, hand.R, hand.w, 150, 24, b + 3);
    two_arms_wrench *press = side ? &in.right_press : &in.left_press;
    press->lin[1] = inwards * w->squeeze;
    press->lin[2] = w->weight / 2;
    for (int i = 0; i < 3; i++) row[ERROR] = fmax(row[ERROR], fabs(wanted[i] - hand.p[i]));
  }
  const two_arms_status status = two_arms_achd(&in, &out);
  if (status & TWO_ARMS_DO_NOT_COMMAND) {
    printf("status %u at %g s\n", (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  simulation_step(&sim, out.tau_ctrl);
  const simulation_frame box = parcel();
  double all[3];
  row[OTHERS] =
      simulation_contact(&sim, "parcel", all); /* contacts, but for those with the hands */
  for (int side = 0; side < 2; side++) {
    double force[3];
    row[OTHERS] -= simulation_contact(&sim, hands[side], force);
    row[LEFT_FORCE + side] = fabs(force[1]);
    const simulation_frame hand = simulation_at(&sim, hands[side]);
    if (first[2 * side] == 0 && w->weight > 0)
      first[2 * side] = hand.p[0] - box.p[0], first[2 * side + 1] = hand.p[2] - box.p[2];
    if (w->weight > 0)
      row[SLIP] = fmax(row[SLIP], hypot(hand.p[0] - box.p[0] - first[2 * side],
                                        hand.p[2] - box.p[2] - first[2 * side + 1]));
  }
  row[BOX_Y] = box.p[1], row[BOX_Z] = box.p[2] - 1.05, row[BOX_TILT] = acos(fmin(1, box.R[8]));
  row[BOX_ERROR] = hypot(w->y - row[BOX_Y], w->z - row[BOX_Z]);
  row[SCALE] = out.scale;
  simulation_record(&sim, row, SIGNALS);
}

/* The box is that much narrower between the hands [m]. */
static void make_narrower(double by) {
  const int box = mj_name2id(sim.model, mjOBJ_BODY, "parcel");
  for (int k = 0; k < sim.model->ngeom; k++)
    if (sim.model->geom_bodyid[k] == box) sim.model->geom_size[3 * k + 1] -= by / 2;
  mj_forward(sim.model, sim.data);
}

static bool both_touch(void) {
  double force[3];
  return simulation_contact(&sim, hands[0], force) > 0 &&
         simulation_contact(&sim, hands[1], force) > 0;
}

/* The hands close until both feel the box, press with `squeeze`, go 12 cm up and 10 cm aside. They
 * come with 5 cm/s if it is not where it should be. */
static void carry(const char *name, double squeeze, double narrower) {
  const double closed = 0.6, slowly = 0.05;
  double qd[TWO_ARMS_NJ], first[4] = {0}, late = 0;
  bool touched = false;
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/two_arms.xml", joints, TWO_ARMS_NJ, 5);
  make_narrower(narrower);
  simulation_measure(&sim, start, qd);
  for (int side = 0; side < 2; side++) home[side] = simulation_at(&sim, hands[side]);
  for (double now = 0; now < 4.5 + late; now = simulation_time(&sim)) {
    double closing, up, aside;
    touched |= now >= closed && both_touch();
    if (now >= closed && !touched && late < 1) late = now - closed;
    const double t = now - late;
    const bool comes = late > 0 && !touched;
    wish w = {.inward = 0.03 * simulation_blend(t, closed, &closing) + slowly * late};
    w.rate = comes ? slowly : 0.03 * closing;
    w.squeeze = squeeze * simulation_blend(t - 0.6, 0.3, NULL);
    w.weight = 1.5 * 9.81 * simulation_blend(t - 1, 0.3, NULL);
    w.z = 0.12 * simulation_blend(t - 1.3, 1, &up), w.vz = 0.12 * up;
    w.y = 0.1 * simulation_blend(t - 2.5, 1, &aside), w.vy = 0.1 * aside;
    cycle(&w, first);
  }
}

static void show(void) {
  const int last = sim.samples - 1;
  printf(
      "%s: up by %.1f mm, aside by %.1f mm, off its path by %.1f mm, tilt %.2f deg; pressed with "
      "%.2f and %.2f N at the end, %.2f to %.2f and %.2f to %.2f from 1.3 s on; slips by %.2f mm; "
      "hands err by %.1f mm; torque %.2f of the limit\n",
      sim.name, 1e3 * sim.record[BOX_Z][last], 1e3 * sim.record[BOX_Y][last],
      1e3 * simulation_largest(&sim, BOX_ERROR, 1.3, 9),
      57.3 * simulation_largest(&sim, BOX_TILT, 0, 9), sim.record[LEFT_FORCE][last],
      sim.record[RIGHT_FORCE][last], simulation_least(&sim, LEFT_FORCE, 1.3, 9),
      simulation_most(&sim, LEFT_FORCE, 1.3, 9), simulation_least(&sim, RIGHT_FORCE, 1.3, 9),
      simulation_most(&sim, RIGHT_FORCE, 1.3, 9), 1e3 * simulation_largest(&sim, SLIP, 0, 9),
      1e3 * simulation_largest(&sim, ERROR, 0, 9), sim.most_torque);
  if (!folder) return;
  char path[500];
  const plot_panel panels[PLOT_PANELS] = {
      {"N", {{"left hand presses", sim.record[LEFT_FORCE]}, {"right", sim.record[RIGHT_FORCE]}}},
      {"m", {{"box: up", sim.record[BOX_Z]}, {"aside", sim.record[BOX_Y]}}},
      {"m",
       {{"box: off its path", sim.record[BOX_ERROR]},
        {"hands: largest error", sim.record[ERROR]},
        {"slip", sim.record[SLIP]}}},
      {"rad", {{"tilt of the box", sim.record[BOX_TILT]}}},
      {"1", {{"contacts without the hands", sim.record[OTHERS]}}}};
  snprintf(path, sizeof path, "%s/two_arms_%s.svg", folder, sim.name);
  CHECK(plot_write(path, "two arms carry a box", sim.every * sim.model->opt.timestep,
                   (size_t)sim.samples, panels) == 0);
}

static void they_carry_a_box(void) {
  carry("box", 20, 0);
  show();
  const int last = sim.samples - 1;
  CHECK_NEAR(sim.record[BOX_Z][last], 0.12, 0.005);
  CHECK_NEAR(sim.record[BOX_Y][last], 0.1, 0.005);
  CHECK(simulation_largest(&sim, BOX_ERROR, 1.3, 9) < 0.008); /* all the way */
  CHECK(simulation_largest(&sim, OTHERS, 1, 1.2) > 0);        /* it stood on its table */
  CHECK(simulation_largest(&sim, OTHERS, 1.8, 9) == 0);       /* the hands alone touch it */
  for (int side = LEFT_FORCE; side <= RIGHT_FORCE; side++) {
    CHECK_NEAR(sim.record[side][last], 20, 1);
    CHECK(simulation_least(&sim, side, 1.3, 9) > 18); /* also while it moves */
    CHECK(simulation_most(&sim, side, 1.3, 9) < 22);
  }
  CHECK(simulation_largest(&sim, BOX_TILT, 0, 9) < 0.03);
  CHECK(simulation_largest(&sim, SLIP, 0, 9) < 0.003);
  CHECK(simulation_largest(&sim, ERROR, 0, 9) < 0.01);
  CHECK(sim.most_torque < 1);
  simulation_close(&sim);
}

/* Friction carries the box: 0.8 x 6 N a hand are less than half of its 14.7 N. */
static void pressed_with_6_newtons_it_slips(void) {
  carry("loose", 6, 0);
  show();
  CHECK(sim.record[BOX_Z][sim.samples - 1] < 0.06);
  CHECK(simulation_largest(&sim, SLIP, 0, 9) > 0.05);
  simulation_close(&sim);
}

/* Each hand finds it 2 cm farther. Pressed before both feel it, it would be hit, and fall. */
static void they_carry_a_narrower_box(void) {
  carry("narrow", 20, 0.04);
  show();
  const int last = sim.samples - 1;
  CHECK_NEAR(sim.record[BOX_Z][last], 0.12, 0.005);
  CHECK_NEAR(sim.record[BOX_Y][last], 0.1, 0.005);
  for (int side = LEFT_FORCE; side <= RIGHT_FORCE; side++) {
    CHECK_NEAR(sim.record[side][last], 20, 1);
    CHECK(simulation_most(&sim, side, 0, 9) < 40);
  }
  CHECK(simulation_largest(&sim, BOX_TILT, 0, 9) < 0.03);
  CHECK(simulation_largest(&sim, SLIP, 0, 9) < 0.003);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(they_carry_a_box);
  RUN(they_carry_a_narrower_box);
  RUN(pressed_with_6_newtons_it_slips);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* quadruped_test.c: the quadruped by motors and contacts, which are equalities
 * (robots/whole_body/quadruped.lua, realise = "motors"), in MuJoCo, doing what quadruped_motions.h
 * says. It withstands a push of 30 N for 0.2 s, softly. With a folder as argument it draws what it
 * did. */
#include "whole_body/quadruped_motions.h"

#define QUADRUPED_IMPLEMENTATION
#include "quadruped.h"

#include <stdlib.h>

static double command(const demand *d, double tau[LEG_JOINTS]) {
  static quadruped_achd_in in;
  quadruped_achd_out out;
  memcpy(in.q, d->q, sizeof in.q);
  memcpy(in.qd, d->qd, sizeof in.qd);
  in.base.quat = (quadruped_quaternion){d->quat[0], d->quat[1], d->quat[2], d->quat[3]};
  memcpy(in.base.twist.lin, d->lin, sizeof d->lin);
  memcpy(in.base.twist.ang, d->ang, sizeof d->ang);
  memcpy(&in.b[QUADRUPED_TRUNK_LIN_X], d->place, sizeof d->place);
  memcpy(&in.b[QUADRUPED_TRUNK_ANG_X], d->turn, sizeof d->turn);
  memcpy(&in.b[QUADRUPED_SWING_LIN_X], d->swing, sizeof d->swing);
  for (int i = 0; i < 3; i++) {
    in.mask[QUADRUPED_SWING_LIN_X + i] = d->lifted;
    in.mask[QUADRUPED_FL_LIN_X + i] = !d->lifted;
  }
  const quadruped_status status = quadruped_achd(&in, &out);
  if (status & QUADRUPED_DO_NOT_COMMAND) {
    printf("%s: status %u at %g s\n", sim.name, (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  memcpy(tau, out.tau_ctrl, sizeof out.tau_ctrl);
  return out.scale;
}

static void it_stands(void) {
  stand();
  CHECK(simulation_least(&sim, TOLD, 0, 1) == 1);
  end(0.002);
}

static void it_moves_along_a_circle(void) {
  move_along_a_circle(3);
  end(0.006); /* balls of 2 cm roll by 4 mm */
}

static void it_lifts_a_foot(void) {
  lift_a_foot();
  end(0.006);
}

/* Softly, so that unloaded feet do not slip. */
static void it_withstands_30_newtons(void) {
  push("side", 0.8, 0, 30, 25, 10);
  it_comes_back(ERROR_Y, 0.05);
  end(0.006);
  push("behind", 0.8, 30, 0, 25, 10);
  it_comes_back(ERROR_X, 0.05);
  end(0.006);
}

/* Contacts are equalities here: where a foot would have to push more sideways than friction holds, it
 * slips (docs/whole_body.md). */
static void a_push_of_60_newtons_makes_feet_slip(void) {
  push("stiff", 0.8, 0, 60, 200, 28);
  show();
  CHECK(simulation_largest(&sim, SLIP, 0, 1) > 0.05);
  simulation_close(&sim);
}

/* The same stand without a controller falls: the asserted numbers can fail. */
static void without_torques_it_falls(void) {
  static const double none[LEG_JOINTS] = {0};
  begin("falls", 0.8);
  while (simulation_time(&sim) < 0.5) simulation_step(&sim, none);
  CHECK(simulation_at(&sim, "trunk").p[2] < home[2] - 0.1);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  static const char *const joints[] = QUADRUPED_JOINT_NAMES;
  const controller motors = {"quadruped", "scale", WHOLE_BODY_MODELS "/quadruped.xml", joints,
                             command};
  who = &motors;
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_moves_along_a_circle);
  RUN(it_lifts_a_foot);
  RUN(it_withstands_30_newtons);
  RUN(a_push_of_60_newtons_makes_feet_slip);
  RUN(without_torques_it_falls);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* humanoid_test.c: the humanoid by motors and contacts, which are equalities
 * (robots/whole_body/humanoid.lua, realise = "motors"), in MuJoCo, doing what humanoid_motions.h says.
 * Arms, waist and neck have no rows: springs and dampers hold them. With a folder as argument it
 * draws what it did. */
#include "whole_body/humanoid_motions.h"

#define HUMANOID_IMPLEMENTATION
#include "humanoid.h"

#include <stdlib.h>

static const char *const joints[] = HUMANOID_JOINT_NAMES;

/* Stiffness [N m/rad] and damping [N m s/rad] of the joints that no row moves: of arms, waist, neck;
 * 0: of the legs. */
static double stiffness(int j, double *damping) {
  const bool waist = j >= HUMANOID_WAIST_YAW_JOINT && j <= HUMANOID_WAIST_PITCH_JOINT;
  const bool wrist = strstr(joints[j], "wrist") || strstr(joints[j], "neck");
  const bool arm = strstr(joints[j], "shoulder") || strstr(joints[j], "elbow");
  *damping = waist ? 25 : wrist ? 0.3 : arm ? 3 : 0;
  return waist ? 300 : wrist ? 6 : arm ? 40 : 0;
}

static void hold_posture(const demand *d, humanoid_achd_in *in) {
  static humanoid_gravity_in still;
  humanoid_gravity_out held;
  memcpy(still.q, d->q, sizeof still.q);
  still.base.quat = in->base.quat;
  humanoid_gravity(&still, &held);
  for (int j = 0; j < HUMANOID_NJ; j++) {
    double damping;
    const double k = stiffness(j, &damping);
    in->tau_art[j] = k > 0 ? held.tau[j] + k * (d->rest[j] - d->q[j]) - damping * d->qd[j] : 0;
  }
}

static double command(const demand *d, double tau[BODY_JOINTS]) {
  static humanoid_achd_in in;
  humanoid_achd_out out;
  memcpy(in.q, d->q, sizeof in.q);
  memcpy(in.qd, d->qd, sizeof in.qd);
  in.base.quat = (humanoid_quaternion){d->quat[0], d->quat[1], d->quat[2], d->quat[3]};
  memcpy(in.base.twist.lin, d->lin, sizeof d->lin);
  memcpy(in.base.twist.ang, d->ang, sizeof d->ang);
  memcpy(&in.b[HUMANOID_PELVIS_LIN_X], d->place, sizeof d->place);
  memcpy(&in.b[HUMANOID_PELVIS_ANG_X], d->turn, sizeof d->turn);
  hold_posture(d, &in);
  const humanoid_status status = humanoid_achd(&in, &out);
  if (status & HUMANOID_DO_NOT_COMMAND) {
    printf("%s: status %u at %g s\n", sim.name, (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  memcpy(tau, out.tau_ctrl, sizeof out.tau_ctrl);
  return out.scale;
}

static void it_stands(void) {
  stand();
  end();
}

static void it_sways(void) {
  sway();
  CHECK(simulation_least(&sim, TOLD, 0, 4.2) == 1);
  end();
}

static void without_torques_it_falls(void) {
  static const double none[HUMANOID_NJ] = {0};
  begin("falls");
  while (simulation_time(&sim) < 0.7) simulation_step(&sim, none);
  CHECK(simulation_at(&sim, "pelvis").p[2] < home[2] - 0.1);
  simulation_close(&sim);
}

static void it_withstands_a_push_from_behind(void) {
  push("behind", 40, 0);
  it_comes_back(ERROR_X, 0.012);
  end();
}

/* Contacts are equalities here: with the same gains it puts too much on its heels and tips over, where
 * humanoid_optimum_test.c withstands. */
static void a_push_from_the_front_makes_it_fall(void) {
  push("front", -40, 0);
  show();
  CHECK(simulation_largest(&sim, LIFT, 0, 1.6) > 0.2);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  const controller motors = {"humanoid", "scale", WHOLE_BODY_MODELS "/humanoid.xml", joints,
                             command};
  who = &motors;
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_sways);
  RUN(without_torques_it_falls);
  RUN(it_withstands_a_push_from_behind);
  RUN(a_push_from_the_front_makes_it_fall);
  return test_end();
}

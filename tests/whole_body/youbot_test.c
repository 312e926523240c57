/* youbot_test.c: a youBot in MuJoCo wipes a wall, pressing it with 10 N, arm and platform together
 * (robots/whole_body/youbot.lua), on MuJoCo's contact. The arm's motors get their torques; the force
 * that the four wheels exert together is applied to the platform, as wheels on rollers are not
 * simulated. With a folder as argument it draws what it did. */
#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define YOUBOT_IMPLEMENTATION
#include "youbot.h"

#include <stdlib.h>

enum { FORCE, ERROR_Y, ERROR_Z, Y, Z, PLATFORM_Y, HEADING, DRIVE, SIGNALS };

static const char *const joints[] = YOUBOT_JOINT_NAMES;
static const char *folder;
static simulation sim;
static simulation_frame home;

typedef struct wish {
  double forward, y, z, vy, vz, press;
} wish;

static void cycle(const wish *w) {
  static const double rest[3] = {0};
  static youbot_achd_in in;
  youbot_achd_out out;
  double row[SIMULATION_SIGNALS] = {0}, turn[3], force[3];
  const simulation_frame palm = simulation_at(&sim, "gripper_palm_link"),
                         base = simulation_at(&sim, "base_link");
  simulation_measure(&sim, in.q, in.qd);
  in.base.yaw = atan2(base.R[3], base.R[0]);
  in.base.twist = (youbot_planar){base.v[0], base.v[1], base.w[2]};
  const double wanted[3] = {palm.p[0], home.p[1] + w->y, home.p[2] + w->z};
  const double speed[3] = {w->forward, w->vy, w->vz};
  simulation_servo(wanted, speed, palm.p, palm.v, 200, 28, &in.b[YOUBOT_PALM_LIN_X]);
  simulation_servo_turn(home.R, palm.R, palm.w, 200, 28, turn);
  for (int k = 1; k < 3; k++) /* along the palm's y and z */
    in.b[k == 1 ? YOUBOT_TILT_ANG_Y : YOUBOT_TILT_ANG_Z] =
        palm.R[k] * turn[0] + palm.R[3 + k] * turn[1] + palm.R[6 + k] * turn[2];
  in.b[YOUBOT_HEADING_ANG_Z] = -100 * in.base.yaw - 20 * base.w[2];
  const double half[3] = {0, 0.5 * w->y, 0}, along[3] = {0, 0.5 * w->vy, 0};
  double place[3];
  simulation_servo(half, along, base.p, base.v, 25, 10, place);
  in.b[YOUBOT_PLACE_LIN_X] = place[0];
  in.b[YOUBOT_PLACE_LIN_Y] = place[1];
  memcpy(in.press.lin, rest, sizeof rest);
  in.press.lin[0] = w->press;
  const youbot_status status = youbot_achd(&in, &out);
  if (status & YOUBOT_DO_NOT_COMMAND) {
    printf("status %u at %g s\n", (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  simulation_drive(&sim, "base_x", out.base.wrench_ctrl.x);
  simulation_drive(&sim, "base_y", out.base.wrench_ctrl.y);
  simulation_drive(&sim, "base_yaw", out.base.wrench_ctrl.yaw);
  simulation_step(&sim, out.tau_ctrl);
  simulation_contact(&sim, "gripper_palm_link", force);
  row[FORCE] = -force[0];
  row[ERROR_Y] = wanted[1] - palm.p[1], row[ERROR_Z] = wanted[2] - palm.p[2];
  row[Y] = palm.p[1] - home.p[1], row[Z] = palm.p[2] - home.p[2];
  row[PLATFORM_Y] = base.p[1], row[HEADING] = in.base.yaw;
  row[DRIVE] = hypot(out.base.wrench_ctrl.x, out.base.wrench_ctrl.y);
  simulation_record(&sim, row, SIGNALS);
}

static double from_press(double from, double until) { /* largest difference from 10 N */
  const double step = sim.every * sim.model->opt.timestep;
  double most = 0;
  for (int k = 0; k < sim.samples; k++)
    if (k * step >= from && k * step < until) most = fmax(most, fabs(sim.record[FORCE][k] - 10));
  return most;
}

static void it_wipes_a_wall(void) {
  const double pi = 3.14159265358979323846, rate = pi / 2;
  double touched = -1;
  simulation_open(&sim, "wall", WHOLE_BODY_MODELS "/youbot.xml", joints, YOUBOT_NJ, 5);
  home = simulation_at(&sim, "gripper_palm_link");
  for (double t = 0; t < 8; t = simulation_time(&sim)) {
    double force[3];
    if (touched < 0 && simulation_contact(&sim, "gripper_palm_link", force) > 0) touched = t;
    const bool touches = touched >= 0;
    wish w = {.forward = touches ? 0 : 0.04,
              .press = touches ? 10 * simulation_blend(t - touched, 0.3, NULL) : 2};
    double grown;
    const double r = simulation_blend(t - 2, 1, &grown), s = sin(rate * t), c = cos(rate * t);
    w.y = 0.15 * r * s, w.vy = 0.15 * (grown * s + r * rate * c);
    w.z = 0.05 * r * c, w.vz = 0.05 * (grown * c - r * rate * s);
    cycle(&w);
  }
  printf("wall: touched at %.2f s, pressed with 10 N within %.2f N, errors %.1f and %.1f mm, "
         "strokes of %.0f and %.0f mm, the platform "
         "goes %.0f mm; wheels give %.1f N at most, heading %.2f deg, torque %.2f of the limit\n",
         touched, from_press(3, 8), 1e3 * simulation_largest(&sim, ERROR_Y, 2, 8),
         1e3 * simulation_largest(&sim, ERROR_Z, 2, 8), 1e3 * simulation_largest(&sim, Y, 3, 8),
         1e3 * simulation_largest(&sim, Z, 3, 8), 1e3 * simulation_largest(&sim, PLATFORM_Y, 3, 8),
         simulation_largest(&sim, DRIVE, 0, 8), 57.3 * simulation_largest(&sim, HEADING, 0, 8),
         sim.most_torque);
  if (folder) {
    char path[500];
    const plot_panel panels[PLOT_PANELS] = {
        {"N", {{"pressed with", sim.record[FORCE]}, {"wheels give", sim.record[DRIVE]}}},
        {"m",
         {{"palm: y", sim.record[Y]},
          {"z", sim.record[Z]},
          {"platform: y", sim.record[PLATFORM_Y]}}},
        {"m", {{"error y", sim.record[ERROR_Y]}, {"z", sim.record[ERROR_Z]}}},
        {"rad", {{"heading", sim.record[HEADING]}}}};
    snprintf(path, sizeof path, "%s/youbot.svg", folder);
    CHECK(plot_write(path, "a youBot wipes a wall", sim.every * sim.model->opt.timestep,
                     (size_t)sim.samples, panels) == 0);
  }
  CHECK(touched > 0.2 && touched < 1.8);
  CHECK(from_press(3, 8) < 1.5);
  CHECK(simulation_largest(&sim, ERROR_Y, 2, 8) < 0.01);
  CHECK(simulation_largest(&sim, ERROR_Z, 2, 8) < 0.01);
  CHECK(simulation_largest(&sim, Y, 3, 8) > 0.13);
  CHECK(simulation_largest(&sim, PLATFORM_Y, 3, 8) > 0.04); /* it takes part */
  CHECK(simulation_largest(&sim, HEADING, 0, 8) < 0.02);
  CHECK(sim.most_torque < 1);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_wipes_a_wall);
  return test_end();
}

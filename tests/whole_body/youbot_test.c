/* SPDX-License-Identifier: MIT */
/* youbot_test.c: a youBot in MuJoCo wipes a wall, pressing it with 10 N, arm and wheels together
 * (robots/whole_body/youbot.lua), by the torques of its nine motors alone. Its mecanum wheels have
 * twelve rollers each (rollers.awk), which turn freely and touch the floor with friction. With a
 * sponge that is too hard the palm chatters, which the monitor of achd/chatter.h tells. With a
 * folder as argument it draws what it did. */
#include <achd/chatter.h>

#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define YOUBOT_IMPLEMENTATION
#include "youbot.h"

#include <stdlib.h>

enum {
  FORCE,
  ERROR_Y,
  ERROR_Z,
  Y,
  Z,
  PLATFORM_Y,
  HEADING,
  TORQUE, /* of the wheels: four signals */
  SLIP = TORQUE + 4,
  HEIGHT,
  SCALE,
  LOSSES,
  SIGNALS
};

typedef struct wheel {
  const char *link;
  int joint, row;
  double side; /* the roller on the floor has its axis along (1, side) / sqrt 2 of the platform */
  youbot_direction *direction;
} wheel;

static const char *const joints[] = YOUBOT_JOINT_NAMES;
static const double radius = 0.05; /* of the wheels [m] */
static const double soft = 0.04;   /* time constant of the sponge of youbot_scene.lua [s] */
static youbot_achd_in in;
static const wheel wheels[4] = {
    {"wheel_link_fl", YOUBOT_WHEEL_JOINT_FL, YOUBOT_ROLLER_FL_1, -1, in.dir.roller_fl},
    {"wheel_link_fr", YOUBOT_WHEEL_JOINT_FR, YOUBOT_ROLLER_FR_1, 1, in.dir.roller_fr},
    {"wheel_link_bl", YOUBOT_WHEEL_JOINT_BL, YOUBOT_ROLLER_BL_1, 1, in.dir.roller_bl},
    {"wheel_link_br", YOUBOT_WHEEL_JOINT_BR, YOUBOT_ROLLER_BR_1, -1, in.dir.roller_br}};
static const char *folder;
static simulation sim;
static simulation_frame home;
static achd_chatter contact; /* of the palm with the wall */
static int chattered;        /* cycles */

typedef struct wish {
  double forward, y, z, vy, vz, press;
  bool idle; /* the wheels get no torque */
} wish;

/* A wheel does not slip along the axis e of its lowest roller: e . (v + w x r) = 0 with v, w of the
 * wheel and r = (0, 0, -radius). The row is e, with the moment r x e; as these turn with the platform,
 * at the rate yaw_rate, b = -(de/dt . v + d(r x e)/dt . w). Returns the speed along e. */
static double roll(const wheel *w, double yaw, double yaw_rate) {
  const double c = cos(yaw) * sqrt(0.5), s = sin(yaw) * sqrt(0.5);
  const double e[2] = {c - w->side * s, s + w->side * c};
  const simulation_frame at = simulation_at(&sim, w->link);
  *w->direction = (youbot_direction){{e[0], e[1], 0}, {radius * e[1], -radius * e[0], 0}};
  const double slip[2] = {at.v[0] - radius * at.w[1], at.v[1] + radius * at.w[0]};
  in.b[w->row] = yaw_rate * (e[1] * slip[0] - e[0] * slip[1]);
  return e[0] * slip[0] + e[1] * slip[1];
}

/* What the palm and the platform shall do. */
static void set_points(const wish *w, simulation_frame palm, simulation_frame base) {
  const double wanted[3] = {palm.p[0], home.p[1] + w->y, home.p[2] + w->z};
  const double speed[3] = {w->forward, w->vy, w->vz};
  double turn[3], place[3];
  simulation_servo(wanted, speed, palm.p, palm.v, 200, 28, &in.b[YOUBOT_PALM_LIN_X]);
  simulation_servo_turn(home.R, palm.R, palm.w, 200, 28, turn);
  for (int k = 1; k < 3; k++) /* along the palm's y and z */
    in.b[k == 1 ? YOUBOT_TILT_ANG_Y : YOUBOT_TILT_ANG_Z] =
        palm.R[k] * turn[0] + palm.R[3 + k] * turn[1] + palm.R[6 + k] * turn[2];
  in.b[YOUBOT_HEADING_ANG_Z] = -100 * in.base.yaw - 20 * base.w[2];
  const double half[3] = {0, 0.5 * w->y, 0}, along[3] = {0, 0.5 * w->vy, 0};
  simulation_servo(half, along, base.p, base.v, 25, 10, place);
  in.b[YOUBOT_PLACE_LIN_X] = place[0];
  in.b[YOUBOT_PLACE_LIN_Y] = place[1];
  in.press = (youbot_wrench){{w->press, 0, 0}, {0, 0, 0}};
}

static void cycle(const wish *w) {
  youbot_achd_out out;
  double row[SIMULATION_SIGNALS] = {0}, force[3];
  const simulation_frame palm = simulation_at(&sim, "gripper_palm_link"),
                         base = simulation_at(&sim, "base_link");
  simulation_measure(&sim, in.q, in.qd);
  in.base.yaw = atan2(base.R[3], base.R[0]);
  in.base.twist = (youbot_planar){base.v[0], base.v[1], base.w[2]};
  for (int k = 0; k < 4; k++)
    row[SLIP] = fmax(row[SLIP], fabs(roll(&wheels[k], in.base.yaw, base.w[2])));
  set_points(w, palm, base);
  const youbot_status status = youbot_achd(&in, &out);
  if (status & YOUBOT_DO_NOT_COMMAND) {
    printf("status %u at %g s\n", (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  for (int k = 0; k < 4; k++) {
    if (w->idle) out.tau_ctrl[wheels[k].joint] = 0;
    row[TORQUE + k] = out.tau_ctrl[wheels[k].joint];
  }
  simulation_step(&sim, out.tau_ctrl);
  simulation_contact(&sim, "gripper_palm_link", force);
  row[FORCE] = -force[0];
  chattered +=
      achd_chatter_watch(&contact, sqrt(mju_dot3(force, force)), w->press, sim.model->opt.timestep);
  row[LOSSES] = contact.losses;
  row[ERROR_Y] = home.p[1] + w->y - palm.p[1], row[ERROR_Z] = home.p[2] + w->z - palm.p[2];
  row[Y] = palm.p[1] - home.p[1], row[Z] = palm.p[2] - home.p[2];
  row[PLATFORM_Y] = base.p[1], row[HEADING] = in.base.yaw;
  row[HEIGHT] = base.p[2], row[SCALE] = out.scale;
  simulation_record(&sim, row, SIGNALS);
}

static double from_press(double from, double until) { /* largest difference from 10 N */
  const double step = sim.every * sim.model->opt.timestep;
  double most = 0;
  for (int k = 0; k < sim.samples; k++)
    if (k * step >= from && k * step < until) most = fmax(most, fabs(sim.record[FORCE][k] - 10));
  return most;
}

/* Forward to the wall, then a circle with strokes of 15 and 5 cm. softness: the time constant of the
 * sponge [s]. Returns when it touched [s]. */
static double wipe(const char *name, bool idle, double softness, double until) {
  const double pi = 3.14159265358979323846, rate = pi / 2;
  double touched = -1;
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/youbot.xml", joints, YOUBOT_NJ, 5);
  home = simulation_at(&sim, "gripper_palm_link");
  const int sponge =
      sim.model->body_geomadr[mj_name2id(sim.model, mjOBJ_BODY, "gripper_palm_link")];
  CHECK_NEAR(sim.model->geom_solref[mjNREF * sponge], soft, 1e-12);
  sim.model->geom_solref[mjNREF * sponge] = softness;
  memset(&contact, 0, sizeof contact);
  chattered = 0;
  for (double t = 0; t < until; t = simulation_time(&sim)) {
    double force[3];
    if (touched < 0 && simulation_contact(&sim, "gripper_palm_link", force) > 0) touched = t;
    const bool touches = touched >= 0;
    wish w = {.forward = touches ? 0 : 0.04,
              .press = touches ? 10 * simulation_blend(t - touched, 0.3, NULL) : 2,
              .idle = idle && touches};
    double grown;
    const double r = simulation_blend(t - 2, 1, &grown), s = sin(rate * t), c = cos(rate * t);
    w.y = 0.15 * r * s, w.vy = 0.15 * (grown * s + r * rate * c);
    w.z = 0.05 * r * c, w.vz = 0.05 * (grown * c - r * rate * s);
    cycle(&w);
  }
  return touched;
}

static double largest_torque(void) {
  double most = 0;
  for (int k = 0; k < 4; k++) most = fmax(most, simulation_largest(&sim, TORQUE + k, 0, 1e9));
  return most;
}

static void show(double touched) {
  printf(
      "%s: touched at %.2f s, pressed with 10 N within %.2f N, errors %.1f and %.1f mm, "
      "strokes of %.0f and %.0f mm, the platform goes %.0f mm; wheels get %.2f N m at most, slip "
      "by %.1f mm/s at most; heading %.2f deg, height %.2f mm, scale %.2f, torque %.2f of the "
      "limit\n",
      sim.name, touched, from_press(3, 7), 1e3 * simulation_largest(&sim, ERROR_Y, 2, 7),
      1e3 * simulation_largest(&sim, ERROR_Z, 2, 7), 1e3 * simulation_largest(&sim, Y, 3, 7),
      1e3 * simulation_largest(&sim, Z, 3, 7), 1e3 * simulation_largest(&sim, PLATFORM_Y, 3, 7),
      largest_torque(), 1e3 * simulation_largest(&sim, SLIP, 0.2, 7),
      57.3 * simulation_largest(&sim, HEADING, 0, 7),
      1e3 * (simulation_most(&sim, HEIGHT, 0.2, 7) - simulation_least(&sim, HEIGHT, 0.2, 7)),
      simulation_least(&sim, SCALE, 0, 7), sim.most_torque);
  if (!folder) return;
  char path[500];
  const plot_panel panels[PLOT_PANELS] = {
      {"N", {{"pressed with", sim.record[FORCE]}}},
      {"N m",
       {{"wheel fl", sim.record[TORQUE]},
        {"fr", sim.record[TORQUE + 1]},
        {"bl", sim.record[TORQUE + 2]},
        {"br", sim.record[TORQUE + 3]}}},
      {"m",
       {{"palm: y", sim.record[Y]}, {"z", sim.record[Z]}, {"platform: y", sim.record[PLATFORM_Y]}}},
      {"m", {{"error y", sim.record[ERROR_Y]}, {"z", sim.record[ERROR_Z]}}},
      {"rad", {{"heading", sim.record[HEADING]}}},
      {"m/s", {{"slip of the wheels", sim.record[SLIP]}}}};
  snprintf(path, sizeof path, "%s/youbot_%s.svg", folder, sim.name);
  CHECK(plot_write(path, "a youBot wipes a wall", sim.every * sim.model->opt.timestep,
                   (size_t)sim.samples, panels) == 0);
}

static void it_wipes_a_wall(void) {
  const double touched = wipe("wipes", false, soft, 7);
  show(touched);
  CHECK(touched > 0.2 && touched < 1.8);
  CHECK(from_press(3, 7) <
        3); /* wheels and joints have friction that the controller does not know */
  CHECK(simulation_largest(&sim, ERROR_Y, 2, 7) < 0.01);
  CHECK(simulation_largest(&sim, ERROR_Z, 2, 7) < 0.01);
  CHECK(simulation_largest(&sim, Y, 3, 7) > 0.13);
  CHECK(simulation_largest(&sim, Z, 3, 7) > 0.04);
  CHECK(simulation_largest(&sim, PLATFORM_Y, 3, 7) > 0.04); /* it takes part */
  CHECK(simulation_largest(&sim, HEADING, 0, 7) < 0.02);
  CHECK(simulation_largest(&sim, SLIP, 0.2, 7) < 0.02);
  CHECK(simulation_least(&sim, SCALE, 0, 7) == 1);
  CHECK(sim.most_torque < 1);
  CHECK(chattered == 0 && simulation_largest(&sim, LOSSES, 0, 7) < 2);
  simulation_close(&sim);
}

/* Eight times as hard: the palm leaves the wall and hits it again, with the right force in the mean and
 * no status. From 2.2 s on, told at once. */
static void on_a_hard_sponge_it_is_told_to_chatter(void) {
  wipe("chatters", false, soft / 8, 2.6);
  const double step = sim.every * sim.model->opt.timestep;
  int lost = 0, told = -1, count = 0;
  double mean = 0;
  for (int k = 0; k < sim.samples; k++) {
    if (lost == 0 && k * step > 1.5 && sim.record[FORCE][k] < 1) lost = k;
    if (told < 0 && sim.record[LOSSES][k] > 20) told = k;
    if (k * step > 2.5) mean += sim.record[FORCE][k], count++;
  }
  mean /= count;
  printf(
      "chatters: first lost at %.2f s, told at %.2f s, %.0f losses a second, %.1f N in the mean, "
      "%.0f N at most\n",
      lost * step, told * step, sim.record[LOSSES][sim.samples - 1], mean,
      simulation_most(&sim, FORCE, 2, 3));
  CHECK(lost > 0 && told > lost && (told - lost) * step < 0.2);
  CHECK(contact.chatters && chattered > 200 && contact.losses > 40);
  CHECK(fabs(mean - 10) < 3 && simulation_most(&sim, FORCE, 2, 3) > 40);
  simulation_close(&sim);
}

/* The wheels hold it at the wall, and nothing else does. */
static void with_idle_wheels_it_rolls_away(void) {
  show(wipe("idle", true, soft, 4));
  CHECK(simulation_largest(&sim, FORCE, 3.2, 4) < 2);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_wipes_a_wall);
  RUN(on_a_hard_sponge_it_is_told_to_chatter);
  RUN(with_idle_wheels_it_rolls_away);
  return test_end();
}

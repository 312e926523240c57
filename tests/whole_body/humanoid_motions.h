/* SPDX-License-Identifier: MIT */
/* humanoid_motions.h: what the humanoid of 30 joints does in MuJoCo, on MuJoCo's contacts and by motor
 * torques alone, whoever finds the torques: it stands on two feet, sways (its pelvis goes sideways
 * and down and turns), and is pushed; with numbers that all controllers have to keep. A test says
 * with `who` how torques are found. */
#ifndef HUMANOID_MOTIONS_H
#define HUMANOID_MOTIONS_H

#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

enum { BODY_JOINTS = 30 };

/* Signals of the record. TOLD: what the controller tells. */
enum {
  ERROR_X,
  ERROR_Y,
  ERROR_Z,
  TURN,
  LEFT,
  RIGHT,
  LIFT,
  SLIP,
  TOLD,
  PELVIS_Y,
  PELVIS_Z,
  YAW,
  POSTURE,
  SIGNALS
};

/* What a controller is told in every cycle: measured along the world's axes, wanted accelerations. */
typedef struct demand {
  double q[BODY_JOINTS], qd[BODY_JOINTS], quat[4], lin[3], ang[3];
  double place[3], turn[3]; /* of the pelvis */
  double rest[BODY_JOINTS]; /* where the joints were at the start */
  double friction;          /* that it may count on */
} demand;

typedef struct controller {
  const char *name, *told, *model; /* told: its signal, as plots name it */
  const char *const *joints;
  double (*command)(const demand *, double tau[BODY_JOINTS]); /* returns what it tells */
} controller;

typedef struct wish {
  double pelvis[3], speed[3], yaw, yaw_rate;
} wish;

static const controller *who;
static const char *folder; /* for plots, or NULL */
static simulation sim;
static double home[3], start[BODY_JOINTS], planted[2][3];
static const char *const soles[2] = {"left_sole", "right_sole"};
static const char *const feet[2] = {"left_foot", "right_foot"};

static inline void begin(const char *name) {
  double qd[BODY_JOINTS];
  simulation_open(&sim, name, who->model, who->joints, BODY_JOINTS, 5);
  memcpy(home, simulation_at(&sim, "pelvis").p, sizeof home);
  simulation_measure(&sim, start, qd);
  for (int side = 0; side < 2; side++)
    memcpy(planted[side], simulation_at(&sim, soles[side]).p, sizeof planted[side]);
}

static inline wish standing(void) {
  wish w = {.yaw = 0};
  memcpy(w.pelvis, home, sizeof home);
  return w;
}

static inline demand demanded(const wish *w) {
  const simulation_frame pelvis = simulation_at(&sim, "pelvis");
  const double turned[9] = {cos(w->yaw), -sin(w->yaw), 0, sin(w->yaw), cos(w->yaw), 0, 0, 0, 1};
  const double turning[3] = {pelvis.w[0], pelvis.w[1], pelvis.w[2] - w->yaw_rate};
  demand d = {.friction = 0.7};
  simulation_measure(&sim, d.q, d.qd);
  simulation_quaternion(&sim, "pelvis", d.quat);
  memcpy(d.lin, pelvis.v, sizeof d.lin);
  memcpy(d.ang, pelvis.w, sizeof d.ang);
  memcpy(d.rest, start, sizeof start);
  simulation_servo(w->pelvis, w->speed, pelvis.p, pelvis.v, 200, 28, d.place);
  simulation_servo_turn(turned, pelvis.R, turning, 300, 34, d.turn);
  return d;
}

static inline void cycle(const wish *w) {
  double tau[BODY_JOINTS], row[SIMULATION_SIGNALS] = {0};
  const demand d = demanded(w);
  const simulation_frame pelvis = simulation_at(&sim, "pelvis");
  row[TOLD] = who->command(&d, tau);
  for (int i = 0; i < 3; i++) row[ERROR_X + i] = w->pelvis[i] - pelvis.p[i];
  row[YAW] = atan2(pelvis.R[3], pelvis.R[0]);
  row[TURN] = row[YAW] - w->yaw;
  row[PELVIS_Y] = pelvis.p[1] - home[1], row[PELVIS_Z] = pelvis.p[2] - home[2];
  for (int j = 12; j < BODY_JOINTS; j++) /* without the legs */
    row[POSTURE] = fmax(row[POSTURE], fabs(d.q[j] - start[j]));
  simulation_step(&sim, tau);
  for (int side = 0; side < 2; side++) {
    double force[3];
    const simulation_frame sole = simulation_at(&sim, soles[side]);
    simulation_contact(&sim, feet[side], force);
    row[LEFT + side] = force[2];
    row[SLIP] = fmax(row[SLIP], hypot(sole.p[0] - planted[side][0], sole.p[1] - planted[side][1]));
    row[LIFT] = fmax(row[LIFT], acos(fmin(1, sole.R[8])));
  }
  simulation_record(&sim, row, SIGNALS);
}

/* Prints what was, and draws it if there is a folder. */
static inline void show(void) {
  printf("%s %s: errors %.1f %.1f %.1f mm, %.2f deg, posture %.2f deg, soles slip by %.1f mm and "
         "tilt by %.2f deg, torque %.2f of the limit, at %.1f s\n",
         who->name, sim.name, 1e3 * simulation_largest(&sim, ERROR_X, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Y, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Z, 0, 1e9),
         57.3 * simulation_largest(&sim, TURN, 0, 1e9),
         57.3 * simulation_largest(&sim, POSTURE, 0, 1e9),
         1e3 * simulation_largest(&sim, SLIP, 0, 1e9),
         57.3 * simulation_largest(&sim, LIFT, 0, 1e9), sim.most_torque, simulation_time(&sim));
  if (!folder) return;
  char path[500];
  const plot_panel panels[PLOT_PANELS] = {
      {"m", {{"pelvis: sideways", sim.record[PELVIS_Y]}, {"up", sim.record[PELVIS_Z]}}},
      {"m",
       {{"error x", sim.record[ERROR_X]}, {"y", sim.record[ERROR_Y]}, {"z", sim.record[ERROR_Z]}}},
      {"N", {{"load left", sim.record[LEFT]}, {"right", sim.record[RIGHT]}}},
      {"m", {{"slip of the soles", sim.record[SLIP]}}},
      {"rad",
       {{"tilt of the soles", sim.record[LIFT]},
        {"pelvis: error of yaw", sim.record[TURN]},
        {"posture", sim.record[POSTURE]}}},
      {"1", {{who->told, sim.record[TOLD]}}}};
  snprintf(path, sizeof path, "%s/%s_%s.svg", folder, who->name, sim.name);
  CHECK(plot_write(path, sim.name, sim.every * sim.model->opt.timestep, (size_t)sim.samples,
                   panels) == 0);
}

/* The end of a motion in which soles stay flat where they were, and arms and waist in their posture. */
static inline void end(void) {
  show();
  CHECK(sim.most_torque <= 1 + 1e-9);
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < 0.005);
  CHECK(simulation_largest(&sim, LIFT, 0, 1e9) < 0.02);
  CHECK(simulation_largest(&sim, POSTURE, 0, 1e9) < 0.1);
  simulation_close(&sim);
}

static inline void stand(void) {
  begin("stands");
  const wish w = standing();
  while (simulation_time(&sim) < 1) cycle(&w);
  const double load = sim.record[LEFT][sim.samples - 1] + sim.record[RIGHT][sim.samples - 1];
  CHECK_NEAR(load, simulation_weight(&sim), 0.01 * simulation_weight(&sim));
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0, 1) < 0.002);
}

/* 4 cm to both sides, 3 cm lower, and turning by 0.1 rad. */
static inline void sway(void) {
  begin("sways");
  const double rate = 2; /* rad/s */
  wish w = standing();
  for (double t = 0; t < 4.2; t = simulation_time(&sim)) {
    double grown;
    const double r = simulation_blend(t, 1, &grown), s = sin(rate * t), c = rate * cos(rate * t);
    w.pelvis[1] = home[1] + 0.04 * r * s, w.speed[1] = 0.04 * (r * c + grown * s);
    w.pelvis[2] = home[2] - 0.03 * r, w.speed[2] = -0.03 * grown;
    w.yaw = 0.1 * r * s, w.yaw_rate = 0.1 * (r * c + grown * s);
    cycle(&w);
  }
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0, 4.2) < 0.008);
  CHECK(simulation_most(&sim, PELVIS_Y, 1, 4.2) > 0.038); /* it was there */
  CHECK(simulation_least(&sim, PELVIS_Y, 1, 4.2) < -0.038);
  CHECK(simulation_most(&sim, PELVIS_Z, 2, 4.2) < -0.028);
  CHECK(simulation_most(&sim, YAW, 1, 4.2) > 0.09 && simulation_least(&sim, YAW, 1, 4.2) < -0.09);
  CHECK(simulation_largest(&sim, TURN, 0, 4.2) < 0.02);
  const double weight = simulation_weight(&sim);
  for (int side = LEFT; side <= RIGHT; side++) { /* from foot to foot, and none lets go */
    CHECK(simulation_largest(&sim, side, 1, 4.2) > 0.65 * weight);
    CHECK(simulation_least(&sim, side, 0, 4.2) > 0.1 * weight);
  }
}

/* A force on the pelvis for 0.2 s while it stands. */
static inline void push(const char *name, double x, double y) {
  static const double none[3] = {0};
  const double force[3] = {x, y, 0};
  begin(name);
  const wish w = standing();
  for (double t = 0; t < 1.6; t = simulation_time(&sim)) {
    simulation_push(&sim, "pelvis", t >= 0.5 && t < 0.7 ? force : none);
    cycle(&w);
  }
}

/* It was moved by the push, by no more than `most`, and came back to 3 mm. */
static inline void it_comes_back(int along, double most) {
  CHECK(simulation_largest(&sim, along, 0.5, 1) > 0.2 * most);
  CHECK(simulation_largest(&sim, along, 0.5, 1.6) < most);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 1.4, 1.6) < 0.003);
}

#endif

/* SPDX-License-Identifier: MIT */
/* quadruped_motions.h: what the quadruped does in MuJoCo, on MuJoCo's contacts and by motor torques
 * alone, whoever finds the torques: it stands, moves its trunk along a circle of 5 cm, takes a foot
 * off the ground and puts it down again, and is pushed; with numbers that all controllers have to
 * keep. A test says with `who` how torques are found. */
#ifndef QUADRUPED_MOTIONS_H
#define QUADRUPED_MOTIONS_H

#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

enum { FEET = 4, LEG_JOINTS = 12 };
static const char *const feet[FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};

/* Signals of the record. TOLD: what the controller tells. */
enum {
  ERROR_X,
  ERROR_Y,
  ERROR_Z,
  TILT,
  LOAD,
  FOOT_HEIGHT = LOAD + FEET,
  SLIP,
  TOLD,
  TRUNK_X,
  TRUNK_Y,
  SIGNALS
};

/* What a controller is told in every cycle: measured along the world's axes, wanted accelerations. */
typedef struct demand {
  double q[LEG_JOINTS], qd[LEG_JOINTS], quat[4], lin[3], ang[3];
  double place[3], turn[3], swing[3]; /* of the trunk; of the foot fl, while it is lifted */
  double friction;                    /* that it may count on */
  bool lifted;
} demand;

typedef struct controller {
  const char *name, *told, *model; /* told: its signal, as plots name it */
  const char *const *joints;
  double (*command)(const demand *, double tau[LEG_JOINTS]); /* returns what it tells */
} controller;

typedef struct wish {
  double trunk[3], speed[3], swing[3], swing_speed[3];
  bool lifted;   /* the foot fl swings */
  double kp, kd; /* of the trunk's place [1/s^2, 1/s] */
} wish;

static const controller *who;
static const char *folder; /* for plots, or NULL */
static simulation sim;
static double home[3], planted[FEET][3], friction;
static double friction_used; /* tangential over normal force of contacts of 5 N or more */

/* mu: friction of the floor. Controllers are told 7/8 of it. */
static inline void begin(const char *name, double mu) {
  simulation_open(&sim, name, who->model, who->joints, LEG_JOINTS, 5);
  sim.model->geom_friction[3 * mj_name2id(sim.model, mjOBJ_GEOM, "floor")] = mu;
  friction = 0.875 * mu;
  friction_used = 0;
  memcpy(home, simulation_at(&sim, "trunk").p, sizeof home);
  for (int k = 0; k < FEET; k++)
    memcpy(planted[k], simulation_at(&sim, feet[k]).p, sizeof planted[k]);
}

static inline wish standing(void) {
  wish w = {.kp = 200, .kd = 28};
  memcpy(w.trunk, home, sizeof home);
  memcpy(w.swing, planted[0], sizeof w.swing);
  return w;
}

static inline demand demanded(const wish *w) {
  static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const simulation_frame trunk = simulation_at(&sim, "trunk"), foot = simulation_at(&sim, feet[0]);
  demand d = {.friction = friction, .lifted = w->lifted};
  simulation_measure(&sim, d.q, d.qd);
  simulation_quaternion(&sim, "trunk", d.quat);
  memcpy(d.lin, trunk.v, sizeof d.lin);
  memcpy(d.ang, trunk.w, sizeof d.ang);
  simulation_servo(w->trunk, w->speed, trunk.p, trunk.v, w->kp, w->kd, d.place);
  simulation_servo_turn(upright, trunk.R, trunk.w, 300, 34, d.turn);
  simulation_servo(w->swing, w->swing_speed, foot.p, foot.v, 400, 40, d.swing);
  return d;
}

/* One cycle of control and a step of the world. */
static inline void cycle(const wish *w) {
  double tau[LEG_JOINTS], row[SIMULATION_SIGNALS] = {0};
  const demand d = demanded(w);
  const simulation_frame trunk = simulation_at(&sim, "trunk");
  row[TOLD] = who->command(&d, tau);
  for (int i = 0; i < 3; i++) row[ERROR_X + i] = w->trunk[i] - trunk.p[i];
  row[TRUNK_X] = trunk.p[0] - home[0], row[TRUNK_Y] = trunk.p[1] - home[1];
  row[TILT] = acos(fmin(1, trunk.R[8]));
  row[FOOT_HEIGHT] = simulation_at(&sim, feet[0]).p[2] - planted[0][2];
  simulation_step(&sim, tau);
  for (int k = 0; k < FEET; k++) {
    double force[3];
    simulation_contact(&sim, feet[k], force);
    row[LOAD + k] = force[2];
    if (force[2] > 5) friction_used = fmax(friction_used, hypot(force[0], force[1]) / force[2]);
    const simulation_frame f = simulation_at(&sim, feet[k]);
    const double slip = hypot(f.p[0] - planted[k][0], f.p[1] - planted[k][1]);
    if (k > 0 || !w->lifted) row[SLIP] = fmax(row[SLIP], slip);
  }
  simulation_record(&sim, row, SIGNALS);
}

/* Prints what was, and draws it if there is a folder. */
static inline void show(void) {
  printf("%s %s: errors %.1f %.1f %.1f mm, tilt %.2f deg, slip %.1f mm, torque %.2f of the limit, "
         "friction used %.2f, at %.1f s\n",
         who->name, sim.name, 1e3 * simulation_largest(&sim, ERROR_X, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Y, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Z, 0, 1e9),
         57.3 * simulation_largest(&sim, TILT, 0, 1e9),
         1e3 * simulation_largest(&sim, SLIP, 0, 1e9), sim.most_torque, friction_used,
         simulation_time(&sim));
  if (!folder) return;
  char path[500];
  const plot_panel panels[PLOT_PANELS] = {
      {"m", {{"trunk: x", sim.record[TRUNK_X]}, {"y", sim.record[TRUNK_Y]}}},
      {"m",
       {{"error x", sim.record[ERROR_X]}, {"y", sim.record[ERROR_Y]}, {"z", sim.record[ERROR_Z]}}},
      {"N",
       {{"load fl", sim.record[LOAD]},
        {"fr", sim.record[LOAD + 1]},
        {"rl", sim.record[LOAD + 2]},
        {"rr", sim.record[LOAD + 3]}}},
      {"m", {{"foot fl: height", sim.record[FOOT_HEIGHT]}, {"slip", sim.record[SLIP]}}},
      {"1", {{who->told, sim.record[TOLD]}}}};
  snprintf(path, sizeof path, "%s/%s_%s.svg", folder, who->name, sim.name);
  CHECK(plot_write(path, sim.name, sim.every * sim.model->opt.timestep, (size_t)sim.samples,
                   panels) == 0);
}

/* The end of a motion in which the robot shall not fall, nor its feet move by more than `slip`. */
static inline void end(double slip) {
  show();
  CHECK(sim.most_torque <= 1 + 1e-9);
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < slip);
  CHECK(simulation_largest(&sim, TILT, 0, 1e9) < 0.05);
  simulation_close(&sim);
}

static inline void stand(void) {
  begin("stands", 0.8);
  const wish w = standing();
  while (simulation_time(&sim) < 1) cycle(&w);
  double sum = 0;
  for (int k = 0; k < FEET; k++) sum += sim.record[LOAD + k][sim.samples - 1];
  CHECK_NEAR(sum, simulation_weight(&sim), 0.5);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0, 1) < 0.002);
}

/* A circle of 5 cm, twice in 4 s; no foot lets go, none bears less than `load`. */
static inline void move_along_a_circle(double load) {
  begin("circle", 0.8);
  const double pi = 3.14159265358979323846, rate = pi, radius = 0.05;
  wish w = standing();
  for (double t = 0; t < 5.5; t = simulation_time(&sim)) {
    double grown;
    const double r = radius * simulation_blend(t, 1, &grown), phi = rate * t;
    grown *= radius;
    w.trunk[0] = home[0] + r * cos(phi), w.trunk[1] = home[1] + r * sin(phi);
    w.speed[0] = grown * cos(phi) - rate * r * sin(phi);
    w.speed[1] = grown * sin(phi) + rate * r * cos(phi);
    cycle(&w);
  }
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 1.5, 5.5) < 0.005);
  for (int signal = TRUNK_X; signal <= TRUNK_Y; signal++) { /* it was there */
    CHECK(simulation_most(&sim, signal, 1.5, 5.5) > 0.045);
    CHECK(simulation_least(&sim, signal, 1.5, 5.5) < -0.045);
  }
  for (int k = 0; k < FEET; k++) CHECK(simulation_least(&sim, LOAD + k, 0.1, 5.5) > load);
}

/* The trunk first goes to where three feet bear it. */
static inline void lift_a_foot(void) {
  begin("lift", 0.8);
  wish w = standing();
  for (double t = 0; t < 5; t = simulation_time(&sim)) {
    double there, up, back, down;
    const double away = simulation_blend(t, 1, &there) - simulation_blend(t - 4, 1, &back);
    const double height =
        0.06 * (simulation_blend(t - 1.2, 0.6, &up) - simulation_blend(t - 2.6, 0.8, &down));
    w.trunk[0] = home[0] - 0.05 * away, w.speed[0] = -0.05 * (there - back);
    w.trunk[1] = home[1] - 0.05 * away, w.speed[1] = -0.05 * (there - back);
    w.swing[2] = planted[0][2] + height, w.swing_speed[2] = 0.06 * (up - down);
    w.lifted = t > 1.2 && t < 3.4;
    cycle(&w);
  }
  CHECK(simulation_largest(&sim, FOOT_HEIGHT, 1.9, 2.5) > 0.055);
  CHECK(simulation_largest(&sim, LOAD, 1.4, 3.1) == 0); /* in the air */
  for (int k = 1; k < FEET; k++) CHECK(simulation_least(&sim, LOAD + k, 1.4, 3.1) > 3);
  CHECK(simulation_least(&sim, LOAD, 4.8, 5) > 0.15 * simulation_weight(&sim)); /* bears again */
  CHECK(simulation_largest(&sim, FOOT_HEIGHT, 4.8, 5) < 0.004);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0.5, 5) < 0.01);
}

/* A force on the trunk for 0.2 s while it stands, with gains kp and kd of its place. */
static inline void push(const char *name, double mu, double x, double y, double kp, double kd) {
  static const double none[3] = {0};
  const double force[3] = {x, y, 0};
  begin(name, mu);
  wish w = standing();
  w.kp = kp, w.kd = kd;
  for (double t = 0; t < 2.5; t = simulation_time(&sim)) {
    simulation_push(&sim, "trunk", t >= 0.5 && t < 0.7 ? force : none);
    cycle(&w);
  }
}

/* It was moved by the push, by no more than `most`, and came back to 3 mm. */
static inline void it_comes_back(int along, double most) {
  CHECK(simulation_largest(&sim, along, 0.5, 1) > 0.2 * most);
  CHECK(simulation_largest(&sim, along, 0.5, 2.5) < most);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 2.2, 2.5) < 0.003);
}

#endif

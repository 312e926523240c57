/* quadruped_test.c: a quadruped in MuJoCo, on MuJoCo's contacts, by motor torques alone
 * (robots/whole_body/quadruped.lua): it stands, moves its trunk along a circle of 5 cm, takes a foot
 * off the ground and puts it down again, and withstands a push of 30 N for 0.2 s. With a folder as
 * argument it draws what it did. */
#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define QUADRUPED_IMPLEMENTATION
#include "quadruped.h"

#include <stdlib.h>

enum { FEET = 4 };
static const char *const feet[FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static const char *const joints[] = QUADRUPED_JOINT_NAMES;
static const char *folder;
static simulation sim;

/* Signals of the record. */
enum { ERROR_X, ERROR_Y, ERROR_Z, TILT, LOAD, FOOT_HEIGHT = LOAD + FEET, SLIP, SCALE, SIGNALS };

typedef struct wish { /* of the controller */
  double trunk[3], speed[3], swing[3], swing_speed[3];
  bool lifted;   /* the foot fl swings */
  double kp, kd; /* of the trunk's place [1/s^2, 1/s] */
} wish;

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static double home[3], planted[FEET][3];

static void begin(const char *name) {
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/quadruped.xml", joints, QUADRUPED_NJ, 5);
  const simulation_frame trunk = simulation_at(&sim, "trunk");
  memcpy(home, trunk.p, sizeof home);
  for (int k = 0; k < FEET; k++) {
    const simulation_frame foot = simulation_at(&sim, feet[k]);
    memcpy(planted[k], foot.p, sizeof planted[k]);
  }
}

static wish standing(void) {
  wish w = {.kp = 200, .kd = 28};
  memcpy(w.trunk, home, sizeof home);
  memcpy(w.swing, planted[0], sizeof w.swing);
  return w;
}

/* One cycle of control and a step of the world. */
static void cycle(const wish *w) {
  static quadruped_achd_in in;
  quadruped_achd_out out;
  double row[SIMULATION_SIGNALS] = {0};
  const simulation_frame trunk = simulation_at(&sim, "trunk"), foot = simulation_at(&sim, feet[0]);
  simulation_measure(&sim, in.q, in.qd);
  double quat[4];
  simulation_quaternion(&sim, "trunk", quat);
  in.base.quat = (quadruped_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(in.base.twist.lin, trunk.v, sizeof trunk.v);
  memcpy(in.base.twist.ang, trunk.w, sizeof trunk.w);
  double *b = in.b;
  simulation_servo(w->trunk, w->speed, trunk.p, trunk.v, w->kp, w->kd, &b[QUADRUPED_TRUNK_LIN_X]);
  simulation_servo_turn(upright, trunk.R, trunk.w, 300, 34, &b[QUADRUPED_TRUNK_ANG_X]);
  simulation_servo(w->swing, w->swing_speed, foot.p, foot.v, 400, 40, &b[QUADRUPED_SWING_LIN_X]);
  for (int i = 0; i < 3; i++) {
    in.mask[QUADRUPED_SWING_LIN_X + i] = w->lifted;
    in.mask[QUADRUPED_FL_LIN_X + i] = !w->lifted;
  }
  const quadruped_status status = quadruped_achd(&in, &out);
  if (status & QUADRUPED_DO_NOT_COMMAND) {
    printf("%s: status %u at %g s\n", sim.name, (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  simulation_step(&sim, out.tau_ctrl);
  for (int i = 0; i < 3; i++) row[ERROR_X + i] = w->trunk[i] - trunk.p[i];
  row[TILT] = acos(fmin(1, trunk.R[8]));
  for (int k = 0; k < FEET; k++) {
    double force[3];
    simulation_contact(&sim, feet[k], force);
    row[LOAD + k] = force[2];
    const simulation_frame f = simulation_at(&sim, feet[k]);
    const double slip = hypot(f.p[0] - planted[k][0], f.p[1] - planted[k][1]);
    if (k > 0 || !w->lifted) row[SLIP] = fmax(row[SLIP], slip);
  }
  row[FOOT_HEIGHT] = foot.p[2] - planted[0][2];
  row[SCALE] = out.scale;
  simulation_record(&sim, row, SIGNALS);
}

static void end(void) {
  printf("%s: errors %.1f %.1f %.1f mm, tilt %.2f deg, slip %.1f mm, torque %.2f of the limit, at "
         "%.1f s\n",
         sim.name, 1e3 * simulation_largest(&sim, ERROR_X, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Y, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Z, 0, 1e9),
         57.3 * simulation_largest(&sim, TILT, 0, 1e9),
         1e3 * simulation_largest(&sim, SLIP, 0, 1e9), sim.most_torque, simulation_time(&sim));
  if (folder) {
    char path[500];
    const double *const *r = (const double *const[]){sim.record[0], sim.record[1], sim.record[2]};
    const plot_panel panels[PLOT_PANELS] = {
        {"m", {{"trunk: error x", r[0]}, {"y", r[1]}, {"z", r[2]}}},
        {"N",
         {{"load fl", sim.record[LOAD]},
          {"fr", sim.record[LOAD + 1]},
          {"rl", sim.record[LOAD + 2]},
          {"rr", sim.record[LOAD + 3]}}},
        {"m", {{"foot fl: height", sim.record[FOOT_HEIGHT]}, {"slip", sim.record[SLIP]}}},
        {"1", {{"scale", sim.record[SCALE]}}}};
    snprintf(path, sizeof path, "%s/quadruped_%s.svg", folder, sim.name);
    CHECK(plot_write(path, sim.name, sim.every * sim.model->opt.timestep, (size_t)sim.samples,
                     panels) == 0);
  }
  CHECK(sim.most_torque <= 1 + 1e-12);
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < 0.006); /* balls of 2 cm roll by 4 mm */
  CHECK(simulation_largest(&sim, TILT, 0, 1e9) < 0.05);
  simulation_close(&sim);
}

static double least(int signal, double from, double until) {
  const double step = sim.every * sim.model->opt.timestep;
  double x = INFINITY;
  for (int k = 0; k < sim.samples; k++)
    if (k * step >= from && k * step < until) x = fmin(x, sim.record[signal][k]);
  return x;
}

static double weight(void) {
  double m = 0;
  for (int k = 1; k < sim.model->nbody; k++) m += sim.model->body_mass[k];
  return 9.81 * m;
}

static void it_stands(void) {
  begin("stands");
  const wish w = standing();
  while (simulation_time(&sim) < 1) cycle(&w);
  const int last = sim.samples - 1;
  double sum = 0;
  for (int k = 0; k < FEET; k++) sum += sim.record[LOAD + k][last];
  CHECK_NEAR(sum, weight(), 0.5);
  CHECK(simulation_largest(&sim, ERROR_Z, 0.5, 1) < 0.002);
  CHECK(least(SCALE, 0, 1) == 1);
  end();
}

/* A circle of 5 cm, twice in 4 s. */
static void it_moves_along_a_circle(void) {
  begin("circle");
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
  for (int k = 0; k < FEET; k++) CHECK(least(LOAD + k, 0.1, 5.5) > 3); /* nobody lets go */
  end();
}

/* The trunk first goes to where three feet bear it. */
static void it_lifts_a_foot(void) {
  begin("lift");
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
  CHECK(least(LOAD, 4.8, 5) > 0.15 * weight());         /* and it bears again */
  CHECK(simulation_largest(&sim, FOOT_HEIGHT, 4.8, 5) < 0.004);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0.5, 5) < 0.01);
  end();
}

static void it_withstands(const char *name, double x, double y) {
  static const double none[3] = {0};
  const double push[3] = {x, y, 0};
  begin(name);
  wish w = standing();
  w.kp = 25, w.kd = 10; /* softly, so that unloaded feet do not slip */
  for (double t = 0; t < 2.5; t = simulation_time(&sim)) {
    simulation_push(&sim, "trunk", t >= 0.5 && t < 0.7 ? push : none);
    cycle(&w);
  }
  const int along = x != 0 ? ERROR_X : ERROR_Y;
  CHECK(simulation_largest(&sim, along, 0.5, 1) > 0.01); /* it was pushed */
  CHECK(simulation_largest(&sim, along, 0.5, 2.5) < 0.05);
  CHECK(simulation_largest(&sim, along, 2, 2.5) < 0.003);
  end();
}
static void it_withstands_a_push_from_the_side(void) {
  it_withstands("side", 0, 30);
}
static void it_withstands_a_push_from_behind(void) {
  it_withstands("behind", 30, 0);
}

/* Contacts are equalities here: where a foot would have to push more sideways than friction holds, it
 * slips (docs/whole_body.md). */
static void a_push_of_60_newtons_makes_feet_slip(void) {
  static const double push[3] = {0, 60, 0}, none[3] = {0};
  begin("stiff");
  const wish w = standing();
  for (double t = 0; t < 1; t = simulation_time(&sim)) {
    simulation_push(&sim, "trunk", t >= 0.5 && t < 0.7 ? push : none);
    cycle(&w);
  }
  CHECK(simulation_largest(&sim, SLIP, 0, 1) > 0.05);
  simulation_close(&sim);
}

/* The same stand without a controller falls: the asserted numbers can fail. */
static void without_torques_it_falls(void) {
  static const double none[QUADRUPED_NJ] = {0};
  begin("falls");
  while (simulation_time(&sim) < 0.5) simulation_step(&sim, none);
  CHECK(simulation_at(&sim, "trunk").p[2] < home[2] - 0.1);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_moves_along_a_circle);
  RUN(it_lifts_a_foot);
  RUN(it_withstands_a_push_from_the_side);
  RUN(it_withstands_a_push_from_behind);
  RUN(a_push_of_60_newtons_makes_feet_slip);
  RUN(without_torques_it_falls);
  return test_end();
}

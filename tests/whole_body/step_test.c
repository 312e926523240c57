/* SPDX-License-Identifier: MIT */
/* step_test.c: the humanoid steps in MuJoCo by the program of docs/examples/step, on MuJoCo's contacts and by motor
 * torques alone, and recovers from pushes of 0.2 s under which it falls by the same program when it only stands.
 * ACHD_SWEEP=1 finds by bisection the largest push that it withstands, standing and stepping. With NaN, infinity and
 * senseless numbers torques are 0. With a folder as argument it draws a push to the side: an SVG file, and a log for
 * achd-stills. */
#include "step/robot.h"
#include "test.h"

#include "step/body.h"

#include "runtime/plot.h"
#include "runtime/random.h"
#include "whole_body/simulation.h"

#include <stdlib.h>

static const char *const joints[] = ROBOT_JOINT_NAMES;
static const char *const soles[2] = {"left_sole", "right_sole"};
static const char *const feet[2] = {"left_foot", "right_foot"};
static simulation sim;
static unsigned long long seed;
static const char *folder; /* for pictures, or NULL */
static FILE *log_file;

/* Signals of the record. */
enum { C_Y, XI_Y, COP_Y, LEFT_Y, RIGHT_Y, LEFT_Z, RIGHT_Z, LEFT_N, RIGHT_N, SIGNALS };

/* What a run asks for. */
typedef struct course {
  const char *name;
  double until, push[3], push_at; /* a force on the pelvis for 0.2 s [s, N, s] */
  gait_command command;           /* from 1 s on */
  bool walks;                     /* it steps from 0.3 s on */
  double noise;                   /* of all that is measured, as a share of what `see` has */
} course;

typedef struct outcome {
  bool fell;
  int steps, unanswered;
  double p[3], heading, lifted; /* at the end; how high a foot was [m, rad, m] */
  double tilt, speed; /* of the last half second: largest [rad], of the pelvis in the mean [m/s] */
} outcome;

/* Everything of a loop. */
typedef struct robot {
  walk w;
  steps g;
  steps_parameters p;
  steps_state s;
  body_state b;
  gait_command command;
  double tau[ROBOT_NJ], friction;
  walk_status solved;
} robot;

static void disturb(double *x, int count, double deviation) {
  for (int i = 0; i < count; i++) x[i] += deviation * random_normal(&seed);
}

/* The simulator's truth, with noise: places to 1 mm, velocities to 2 cm/s, angular ones to 0.02 rad/s, angles to 0.3
 * mrad. */
static void see(robot *r, double noise) {
  const simulation_frame pelvis = simulation_at(&sim, "pelvis");
  robot_com_in in;
  robot_com_out out;
  double quat[4];
  simulation_measure(&sim, r->w.in.q, r->w.in.qd);
  disturb(r->w.in.q, ROBOT_NJ, 3e-4 * noise), disturb(r->w.in.qd, ROBOT_NJ, 0.02 * noise);
  simulation_quaternion(&sim, "pelvis", quat);
  r->w.in.base.quat = (robot_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(r->b.R, pelvis.R, sizeof pelvis.R), memcpy(r->b.v, pelvis.v, sizeof pelvis.v);
  memcpy(r->b.w, pelvis.w, sizeof pelvis.w);
  r->b.z = pelvis.p[2];
  disturb(&r->b.z, 1, 1e-3 * noise), disturb(r->b.v, 3, 0.02 * noise),
      disturb(r->b.w, 3, 0.02 * noise);
  memcpy(r->w.in.base.twist.lin, r->b.v, sizeof r->b.v);
  memcpy(r->w.in.base.twist.ang, r->b.w, sizeof r->b.w);
  memcpy(in.q, r->w.in.q, sizeof in.q), memcpy(in.qd, r->w.in.qd, sizeof in.qd);
  in.base.quat = r->w.in.base.quat, in.base.twist = r->w.in.base.twist;
  CHECK(robot_com(&in, &out) == ROBOT_OK);
  for (int i = 0; i < 3; i++) r->s.c[i] = pelvis.p[i] + out.com.p[i], r->s.v[i] = out.com.v[i];
  r->s.heading = atan2(pelvis.R[3], pelvis.R[0]);
  for (int k = 0; k < 2; k++) {
    const simulation_frame at = simulation_at(&sim, soles[k]);
    double force[3];
    memcpy(r->s.foot[k], at.p, sizeof at.p), memcpy(r->b.foot_R[k], at.R, sizeof at.R);
    memcpy(r->b.foot_v[k], at.v, sizeof at.v), memcpy(r->b.foot_w[k], at.w, sizeof at.w);
    disturb(r->s.foot[k], 3, 1e-3 * noise), disturb(r->b.foot_v[k], 3, 0.02 * noise);
    r->s.touches[k] = simulation_contact(&sim, feet[k], force) > 0 && force[2] > 20;
  }
}

static void think(robot *r, double dt) {
  steps_step(&r->g, &r->p, &r->s, &r->command, dt);
  body_ask(&r->w, &r->g, &r->s, &r->b, r->friction);
  r->solved = walk_solve(&r->w, r->tau);
}

static void begin(robot *r, const char *name) {
  double qd[ROBOT_NJ];
  memset(r, 0, sizeof *r);
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/step/world.xml", joints, ROBOT_NJ, 10);
  walk_begin(&r->w, body_humanoid());
  r->p = body_steps(), r->friction = 0.7;
  simulation_measure(&sim, r->b.rest, qd);
  r->b.over = 0.78;
  seed = 7;
}

static void note(const course *c, const robot *r, outcome *o, double before) {
  const simulation_frame now = simulation_at(&sim, "pelvis");
  const double t = simulation_time(&sim);
  o->fell = now.R[8] < 0.5 || now.p[2] < 0.45 ||
            t < before; /* MuJoCo begins anew: it has thrown itself */
  memcpy(o->p, now.p, sizeof o->p), o->heading = atan2(now.R[3], now.R[0]);
  for (int k = 0; k < 2; k++) o->lifted = fmax(o->lifted, simulation_at(&sim, soles[k]).p[2]);
  if (t < c->until - 0.5) return;
  o->tilt = fmax(o->tilt, acos(fmin(1, now.R[8])));
  for (int i = 0; i < 2; i++) o->speed += 2e-3 * now.v[i] * cos(o->heading - i * M_PI / 2);
  o->unanswered += r->solved == WALK_DAMPED;
}

static void record(const robot *r) {
  double row[SIGNALS] = {r->s.c[1], r->g.xi[1], r->g.cop[1]};
  for (int k = 0; k < 2; k++) {
    double force[3];
    const simulation_frame sole = simulation_at(&sim, soles[k]);
    simulation_contact(&sim, feet[k], force);
    row[LEFT_Y + k] = sole.p[1], row[LEFT_Z + k] = sole.p[2], row[LEFT_N + k] = force[2];
  }
  simulation_record(&sim, row, SIGNALS);
  if (sim.cycle % 10 == 1) simulation_log(&sim, log_file);
}

static void draw(void) {
  char path[500];
  const plot_panel panels[PLOT_PANELS] = {
      {"m",
       {{"c, to the left", sim.record[C_Y]},
        {"xi", sim.record[XI_Y]},
        {"pressure", sim.record[COP_Y]}}},
      {"m", {{"left sole, to left", sim.record[LEFT_Y]}, {"right sole", sim.record[RIGHT_Y]}}},
      {"m", {{"left sole, height", sim.record[LEFT_Z]}, {"right sole", sim.record[RIGHT_Z]}}},
      {"N", {{"left sole, load", sim.record[LEFT_N]}, {"right sole", sim.record[RIGHT_N]}}}};
  snprintf(path, sizeof path, "%s/walking_step.svg", folder);
  CHECK(plot_write(path,
                   "A push of 150 N to the right, from 1.0 to 1.2 s, and the steps that catch it",
                   sim.every * sim.model->opt.timestep, (size_t)sim.samples, panels) == 0);
}

/* Thinks every 2 ms, simulates every 1 ms. */
static outcome run(const course *c) {
  static robot r;
  static const double none[3] = {0};
  outcome o = {0};
  int cycle = 0;
  begin(&r, c->name);
  while (simulation_time(&sim) < c->until && !o.fell) {
    const double t = simulation_time(&sim);
    const int swings = r.g.swings;
    if (cycle++ % 2 == 0) {
      see(&r, c->noise);
      r.g.walks = c->walks && t > 0.3;
      r.command = t > 1 ? c->command : (gait_command){0};
      think(&r, 2e-3);
      CHECK(r.g.status == GAIT_OK || c->noise == 0);
      o.steps += swings != r.g.swings;
    }
    simulation_push(&sim, "pelvis", t >= c->push_at && t < c->push_at + 0.2 ? c->push : none);
    simulation_step(&sim, r.tau);
    note(c, &r, &o, t);
    if (log_file) record(&r);
  }
  if (log_file) draw();
  printf("%s: %.0f %.0f N %s: %s at %.2f s, %d steps, at %.2f %.2f m, turned by %.2f rad, %.2f "
         "m/s, tilt %.1f deg at the end; "
         "%.2f of the torque limits\n",
         c->name, c->push[0], c->push[1], c->walks ? "stepping" : "standing",
         o.fell ? "FELL" : "up", simulation_time(&sim), o.steps, o.p[0], o.p[1], o.heading, o.speed,
         57.3 * o.tilt, sim.most_torque);
  CHECK(sim.most_torque <= 1 + 1e-9);
  simulation_close(&sim);
  return o;
}

static void it_steps_in_place(void) {
  const course c = {.name = "in place", .until = 1.8, .walks = true, .noise = 1};
  const outcome o = run(&c);
  CHECK(!o.fell && o.unanswered == 0 && o.steps >= 4);
  CHECK(hypot(o.p[0], o.p[1]) < 0.1 && o.lifted > 0.04 && o.tilt < 0.05);
}

static void it_walks_and_turns(void) {
  const course c = {
      .name = "walks", .until = 2.4, .walks = true, .command = {.forward = 0.3, .turn = 0.3}};
  const outcome o = run(&c);
  CHECK(!o.fell && o.unanswered == 0);
  CHECK_NEAR(o.heading, 0.42, 0.1);
  CHECK_NEAR(o.speed, 0.3, 0.1);
}

/* A push along x, y that it should withstand stepping, as it falls under the same one standing. */
typedef struct direction {
  const char *name;
  double x, y, newtons;
} direction;

static bool stands_up(const direction *d, double newtons, bool walks, double late) {
  const course c = {.name = d->name,
                    .until = walks ? 2.6 + late : 2,
                    .push = {newtons * d->x, newtons * d->y, 0},
                    .push_at = walks ? 1 + late : 0.4,
                    .walks = walks};
  const outcome o = run(&c);
  return !o.fell && o.tilt < 0.2 && o.unanswered == 0;
}

enum { PHASES = 4 }; /* of two steps, when the push may come */

/* It stands up whenever the push comes; standing, that is all the same. */
static bool always_stands_up(const direction *d, double newtons, bool walks) {
  bool up = true;
  for (int n = 0; n < (walks ? PHASES : 1) && up; n++)
    up = stands_up(d, newtons, walks, 0.7 * n / PHASES);
  return up;
}

/* The largest push that it withstands, to 5 N. */
static double most(const direction *d, bool walks) {
  double low = 40, high = 440;
  while (high - low > 7) {
    const double middle = (low + high) / 2;
    if (always_stands_up(d, middle, walks))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* By default one moment of the push for each direction, the hardest that was found to the sides: the foot on the side
 * to which the robot is pushed is about to touch down. */
static void it_recovers_by_steps_where_it_falls_standing(void) {
  static const direction all[] = {{"from behind", 1, 0, 200},
                                  {"from the front", -1, 0, 180},
                                  {"from the left", 0, -1, 150},
                                  {"from the right", 0, 1, 150}};
  const bool sweep = getenv("ACHD_SWEEP") != NULL;
  for (int k = 0; k < (sweep ? 4 : 3); k++) {
    CHECK(!stands_up(&all[k], all[k].newtons, false, 0));
    CHECK(stands_up(&all[k], all[k].newtons, true, 0));
    if (!sweep) continue;
    CHECK(always_stands_up(&all[k], all[k].newtons, true));
    const double standing = most(&all[k], false), stepping = most(&all[k], true);
    printf("largest push %s: %.0f N standing, %.0f N stepping\n", all[k].name, standing, stepping);
    CHECK(stepping > 1.1 * standing);
  }
}

static bool all_zero(const robot *r) {
  for (int j = 0; j < ROBOT_NJ; j++)
    if (!(r->tau[j] == 0)) return false;
  return true;
}

/* *at is `value` for a cycle: torques of 0 and a status; then it goes on. */
static void with(robot *r, double *at, double value, unsigned stepped, bool refused_by_solver) {
  const double before = *at;
  *at = value;
  think(r, 1e-3);
  CHECK(r->g.status == stepped && all_zero(r));
  CHECK(refused_by_solver ? r->solved == WALK_NOT_FINITE || r->solved == WALK_BAD_INPUT
                          : r->solved == WALK_NO_GAIT);
  *at = before;
  think(r, 1e-3);
  CHECK(r->g.status == GAIT_OK && r->solved == WALK_OK && !all_zero(r));
}

static void it_refuses_what_makes_no_sense(void) {
  static const double senseless[] = {NAN, INFINITY, -INFINITY};
  static robot r;
  begin(&r, "faults");
  see(&r, 0);
  think(&r, 1e-3);
  CHECK(r.solved == WALK_OK && !all_zero(&r));
  double *const state[] = {&r.s.c[0], &r.s.v[2], &r.s.heading, &r.s.foot[1][2]};
  double *const body[] = {&r.b.z,        &r.b.R[4],     &r.b.w[1],   &r.w.in.q[3],
                          &r.w.in.qd[7], &r.b.rest[20], &r.friction, &r.w.in.base.quat.x};
  double *const gains[] = {&r.w.gains.height, &r.w.gains.swing, &r.w.gains.damping};
  double *const above[] = {&r.p.height, &r.p.width, &r.p.duration, &r.p.least, &r.p.gain};
  double *const from[] = {&r.p.shift,  &r.p.lift, &r.p.press, &r.p.sink, &r.p.reach,
                          &r.p.narrow, &r.p.hip,  &r.p.leg,   &r.p.firm, &r.p.sole[1]};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 4; k++) with(&r, state[k], senseless[i], GAIT_NOT_FINITE, false);
    for (int k = 0; k < 8; k++) with(&r, body[k], senseless[i], GAIT_OK, true);
    for (int k = 0; k < 3; k++) with(&r, gains[k], senseless[i], GAIT_OK, true);
    for (int k = 0; k < 5; k++) with(&r, above[k], senseless[i], GAIT_BAD_INPUT, false);
    for (int k = 0; k < 10; k++) with(&r, from[k], senseless[i], GAIT_BAD_INPUT, false);
  }
  for (int k = 0; k < 5; k++) with(&r, above[k], 0, GAIT_BAD_INPUT, false);
  for (int k = 0; k < 10; k++) with(&r, from[k], -0.1, GAIT_BAD_INPUT, false);
  for (int k = 0; k < 3; k++) with(&r, gains[k], -1, GAIT_OK, true);
  with(&r, &r.friction, -0.1, GAIT_OK, true);
  with(&r, &r.w.in.base.quat.w, 2, GAIT_OK, true);
  with(&r, &r.p.wide, 0.01, GAIT_BAD_INPUT, false);
  with(&r, &r.p.least, 1, GAIT_BAD_INPUT, false);
  CHECK(steps_fault(&r.p) == NULL);
  r.command.forward = NAN;
  think(&r, 1e-3);
  CHECK(r.g.status == GAIT_NO_COMMAND && r.solved == WALK_OK && isfinite(r.g.speed[0]) &&
        isfinite(r.g.heading));
  const double dt[] = {0, -1e-3, NAN, INFINITY, 0.2};
  for (int k = 0; k < 5; k++)
    CHECK(steps_step(&r.g, &r.p, &r.s, &r.command, dt[k]) == GAIT_BAD_INPUT);
  simulation_close(&sim);
}

/* The push from the left again, to be looked at. */
static void it_is_drawn(void) {
  const direction left = {"from the left", 0, -1, 150};
  char path[500];
  snprintf(path, sizeof path, "%s/walking_step.csv", folder);
  log_file = fopen(path, "w");
  CHECK(log_file && stands_up(&left, left.newtons, true, 0));
  if (log_file) fclose(log_file);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  if (folder) {
    RUN(it_is_drawn);
    return test_end();
  }
  RUN(it_steps_in_place);
  RUN(it_walks_and_turns);
  RUN(it_recovers_by_steps_where_it_falls_standing);
  RUN(it_refuses_what_makes_no_sense);
  return test_end();
}

/* quadruped_optimum_test.c: the quadruped of quadruped_test.c with the best torques within limits
 * (robots/whole_body/quadruped_optimum.lua; qp, achd_qp, apply): it stands, moves its trunk along a
 * circle of 5 cm, lifts a foot, withstands pushes of 30 N, and one of 60 N, which makes it slip where
 * contacts are equalities, and moves on ice. In every cycle the forces of contact are compared with
 * their cones and the torques with the motors' limits, in every tenth the answer with its
 * certificate. With a folder as argument it draws what it did. */
#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define QUADRUPED_OPTIMUM_IMPLEMENTATION
#include "quadruped_optimum.h"

#include <achd/qp.h>
#include <stdlib.h>
#include <time.h>

enum {
  FEET = 4,
  NJ = QUADRUPED_OPTIMUM_NJ,
  NX = QUADRUPED_OPTIMUM_NX,
  NQ = QUADRUPED_OPTIMUM_NQ,
  LEVELS = QUADRUPED_OPTIMUM_LEVELS
};
static const char *const feet[FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static const int force_of[FEET] = {QUADRUPED_OPTIMUM_FL_LIN_X, QUADRUPED_OPTIMUM_FR_LIN_X,
                                   QUADRUPED_OPTIMUM_RL_LIN_X, QUADRUPED_OPTIMUM_RR_LIN_X};
static const char *const joints[] = QUADRUPED_OPTIMUM_JOINT_NAMES;
static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const char *folder;
static simulation sim;

/* Signals of the record. */
enum { ERROR_X, ERROR_Y, ERROR_Z, TILT, LOAD, FOOT_HEIGHT = LOAD + FEET, SLIP, LEVEL, SIGNALS };

typedef struct wish { /* of the controller */
  double trunk[3], speed[3], swing[3], swing_speed[3];
  bool lifted; /* the foot fl swings */
} wish;

typedef struct account { /* of all cycles of a motion */
  int cycles, unsolved, not_finite, yielded[LEVELS + 1], steps, checked, refused;
  double outside;       /* how far a commanded force was outside of its pyramid [N] */
  double used;          /* tangential over normal force of MuJoCo's contacts of 5 N or more */
  double time, longest; /* of qp, achd_qp and apply [us] */
} account;

static double home[3], planted[FEET][3], friction;
static signed char side[NQ];
static account sum;

/* mu: friction of the floor. The controller is told 7/8 of it. */
static void begin(const char *name, double mu) {
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/quadruped_optimum.xml", joints, NJ, 5);
  sim.model->geom_friction[3 * mj_name2id(sim.model, mjOBJ_GEOM, "floor")] = mu;
  friction = 0.875 * mu;
  memset(side, 0, sizeof side);
  sum = (account){0};
  memcpy(home, simulation_at(&sim, "trunk").p, sizeof home);
  for (int k = 0; k < FEET; k++)
    memcpy(planted[k], simulation_at(&sim, feet[k]).p, sizeof planted[k]);
}

static wish standing(void) {
  wish w = {.lifted = false};
  memcpy(w.trunk, home, sizeof home);
  memcpy(w.swing, planted[0], sizeof w.swing);
  return w;
}

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* The best torques, from the last cycle's active set; where there is no answer, those of the last
 * cycle. Returns the level that yields, -1: none. */
static int best(const quadruped_optimum_achd_in *in, quadruped_optimum_achd_out *out) {
  static achd_real work[ACHD_QP_WORK(NX, NQ)], dual[ACHD_QP_DUAL(LEVELS, NQ)], x[NX];
  static quadruped_optimum_qp_out p;
  quadruped_optimum_achd_out found;
  achd_qp_report report;
  const double start = microseconds();
  quadruped_optimum_status status = quadruped_optimum_qp(in, &p);
  const achd_qp_problem problem = {NX, NQ, LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};
  const achd_qp_status solved = achd_qp(&problem, x, dual, side, 0, work, &report);
  status |= quadruped_optimum_apply(in, &p, x, &found);
  const double taken = microseconds() - start;
  sum.time += taken, sum.longest = fmax(sum.longest, taken), sum.cycles++;
  if (report.steps > sum.steps) sum.steps = report.steps;
  if ((solved != ACHD_QP_SOLVED && solved != ACHD_QP_YIELDED) ||
      (status & QUADRUPED_OPTIMUM_DO_NOT_COMMAND)) {
    sum.unsolved++;
    return 0;
  }
  *out = found;
  if ((solved == ACHD_QP_YIELDED) != (report.level > 0)) sum.refused++;
  if (report.level > 0) sum.yielded[report.level]++;
  if (sum.cycles % 10 == 0) {
    achd_qp_certificate c;
    sum.checked++, sum.refused += !achd_qp_check(&problem, x, dual, &c);
  }
  for (int j = 0; j < NJ; j++) sum.not_finite += !isfinite(found.tau_ctrl[j]);
  return report.level;
}

/* How far a force is outside of the pyramid of four sides in its cone. */
static double outside(const double f[3]) {
  const double side_of = friction / sqrt(2) * f[2];
  return fmax(fmax(-f[2], 0), fmax(fabs(f[0]), fabs(f[1])) - side_of);
}

/* One cycle of control and a step of the world. */
static void cycle(const wish *w) {
  static quadruped_optimum_achd_in in;
  static quadruped_optimum_achd_out out;
  double row[SIMULATION_SIGNALS] = {0}, quat[4], place[3], turn[3];
  const simulation_frame trunk = simulation_at(&sim, "trunk"), foot = simulation_at(&sim, feet[0]);
  simulation_measure(&sim, in.q, in.qd);
  simulation_quaternion(&sim, "trunk", quat);
  in.base.quat = (quadruped_optimum_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(in.base.twist.lin, trunk.v, sizeof trunk.v);
  memcpy(in.base.twist.ang, trunk.w, sizeof trunk.w);
  in.mu.fl = in.mu.fr = in.mu.rl = in.mu.rr = friction;
  double *b = in.b;
  simulation_servo(w->trunk, w->speed, trunk.p, trunk.v, 200, 28, place);
  simulation_servo_turn(upright, trunk.R, trunk.w, 300, 34, turn);
  b[QUADRUPED_OPTIMUM_PLACE_LIN_X] = place[0], b[QUADRUPED_OPTIMUM_PLACE_LIN_Y] = place[1];
  b[QUADRUPED_OPTIMUM_UPRIGHT_LIN_Z] = place[2];
  memcpy(&b[QUADRUPED_OPTIMUM_UPRIGHT_ANG_X], turn, sizeof turn);
  simulation_servo(w->swing, w->swing_speed, foot.p, foot.v, 400, 40,
                   &b[QUADRUPED_OPTIMUM_SWING_LIN_X]);
  for (int i = 0; i < 3; i++) {
    in.mask[QUADRUPED_OPTIMUM_SWING_LIN_X + i] = w->lifted;
    in.mask[QUADRUPED_OPTIMUM_FL_LIN_X + i] = !w->lifted;
  }
  const int level = best(&in, &out);
  simulation_step(&sim, out.tau_ctrl);
  for (int i = 0; i < 3; i++) row[ERROR_X + i] = w->trunk[i] - trunk.p[i];
  row[TILT] = acos(fmin(1, trunk.R[8]));
  for (int k = 0; k < FEET; k++) {
    double force[3];
    simulation_contact(&sim, feet[k], force);
    row[LOAD + k] = force[2];
    if (force[2] > 5) sum.used = fmax(sum.used, hypot(force[0], force[1]) / force[2]);
    if (level != 1) sum.outside = fmax(sum.outside, outside(&out.nu[force_of[k]]));
    const simulation_frame f = simulation_at(&sim, feet[k]);
    const double slip = hypot(f.p[0] - planted[k][0], f.p[1] - planted[k][1]);
    if (k > 0 || !w->lifted) row[SLIP] = fmax(row[SLIP], slip);
  }
  row[FOOT_HEIGHT] = foot.p[2] - planted[0][2];
  row[LEVEL] = level;
  simulation_record(&sim, row, SIGNALS);
}

static double least(int signal, double from, double until) {
  const double step = sim.every * sim.model->opt.timestep;
  double x = INFINITY;
  for (int k = 0; k < sim.samples; k++)
    if (k * step >= from && k * step < until) x = fmin(x, sim.record[signal][k]);
  return x;
}

static void show(void) {
  const int *y = sum.yielded;
  printf(
      "%s: errors %.1f %.1f %.1f mm, tilt %.2f deg, slip %.1f mm, torque %.2f of the limit, forces "
      "outside of cones by %.0e N, friction used %.2f, at %.1f s\n",
      sim.name, 1e3 * simulation_largest(&sim, ERROR_X, 0, 1e9),
      1e3 * simulation_largest(&sim, ERROR_Y, 0, 1e9),
      1e3 * simulation_largest(&sim, ERROR_Z, 0, 1e9),
      57.3 * simulation_largest(&sim, TILT, 0, 1e9), 1e3 * simulation_largest(&sim, SLIP, 0, 1e9),
      sim.most_torque, sum.outside, sum.used, simulation_time(&sim));
  printf("  %d cycles: levels 1 to 4 yield in %d, %d, %d, %d, %d without answer; %d steps at most; "
         "%.0f us, %.0f us at most\n",
         sum.cycles, y[1], y[2], y[3], y[4], sum.unsolved, sum.steps, sum.time / sum.cycles,
         sum.longest);
  if (folder) {
    char path[500];
    const double *const *r = (const double *const[]){sim.record[0], sim.record[1], sim.record[2]};
    const plot_panel panels[PLOT_PANELS] = {
        {"m", {{"trunk: error x", r[0]}, {"y", r[1]}, {"z", r[2]}}},
        {"rad", {{"trunk: tilt", sim.record[TILT]}}},
        {"N",
         {{"load fl", sim.record[LOAD]},
          {"fr", sim.record[LOAD + 1]},
          {"rl", sim.record[LOAD + 2]},
          {"rr", sim.record[LOAD + 3]}}},
        {"m", {{"foot fl: height", sim.record[FOOT_HEIGHT]}, {"slip", sim.record[SLIP]}}},
        {"1", {{"level that yields", sim.record[LEVEL]}}}};
    snprintf(path, sizeof path, "%s/quadruped_optimum_%s.svg", folder, sim.name);
    CHECK(plot_write(path, sim.name, sim.every * sim.model->opt.timestep, (size_t)sim.samples,
                     panels) == 0);
  }
}

/* Of every motion. */
static void end(void) {
  show();
  CHECK(sum.unsolved == 0);
  CHECK(sum.not_finite == 0);
  CHECK(sum.checked >= sum.cycles / 10 && sum.refused == 0);
  CHECK(sim.most_torque <= 1 + 1e-9);
  CHECK(sum.outside < 1e-6);
  simulation_close(&sim);
}

static double weight(void) {
  double m = 0;
  for (int k = 1; k < sim.model->nbody; k++) m += sim.model->body_mass[k];
  return 9.81 * m;
}

static int largest_level(void) {
  int k = LEVELS;
  while (k > 0 && sum.yielded[k] == 0) k--;
  return k;
}

static void it_stands(void) {
  begin("stands", 0.8);
  const wish w = standing();
  while (simulation_time(&sim) < 1) cycle(&w);
  double load = 0;
  for (int k = 0; k < FEET; k++) load += sim.record[LOAD + k][sim.samples - 1];
  CHECK_NEAR(load, weight(), 0.5);
  CHECK(simulation_largest(&sim, ERROR_Z, 0.5, 1) < 0.002);
  CHECK(largest_level() == 0);
  end();
}

/* A circle of 5 cm, twice in 4 s. */
static void it_moves_along_a_circle(void) {
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
  for (int k = 0; k < FEET; k++) CHECK(least(LOAD + k, 0.1, 5.5) > 10); /* nobody lets go */
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < 0.006);                /* balls roll by 4 mm */
  CHECK(largest_level() == 0);
  end();
}

/* The trunk first goes to where three feet bear it. */
static void it_lifts_a_foot(void) {
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
  CHECK(least(LOAD, 4.8, 5) > 0.15 * weight());         /* and it bears again */
  CHECK(simulation_largest(&sim, FOOT_HEIGHT, 4.8, 5) < 0.004);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0.5, 5) < 0.01);
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < 0.007);
  end();
}

static void push(const char *name, double mu, double x, double y, double duration) {
  const double none[3] = {0}, force[3] = {x, y, 0};
  begin(name, mu);
  const wish w = standing();
  for (double t = 0; t < 2.5; t = simulation_time(&sim)) {
    simulation_push(&sim, "trunk", t >= 0.5 && t < 0.5 + duration ? force : none);
    cycle(&w);
  }
}

/* It was moved by the push, by no more than `most`, and came back; feet rolled and slipped by `slip`. */
static void it_comes_back(int along, double most, double slip) {
  CHECK(simulation_largest(&sim, along, 0.5, 1) > 0.2 * most);
  CHECK(simulation_largest(&sim, along, 0.5, 2.5) < most);
  CHECK(simulation_largest(&sim, along, 2.2, 2.5) < 0.003);
  CHECK(simulation_largest(&sim, TILT, 0, 2.5) < 0.05);
  CHECK(simulation_largest(&sim, SLIP, 0, 2.5) < slip);
}

static void it_withstands_30_newtons(void) {
  push("side", 0.8, 0, 30, 0.2);
  it_comes_back(ERROR_Y, 0.02, 0.003);
  end();
  push("behind", 0.8, 30, 0, 0.2);
  it_comes_back(ERROR_X, 0.02, 0.003);
  end();
}

/* quadruped_test.c shows how its feet slip where contacts are equalities, with the same gains. Here
 * the place of the trunk, level 4, gives way as long as cones do not allow more. */
static void it_withstands_60_newtons(void) {
  push("stiff", 0.8, 0, 60, 0.2);
  it_comes_back(ERROR_Y, 0.04, 0.006);
  CHECK(sum.yielded[4] > 50 && sum.yielded[1] + sum.yielded[2] + sum.yielded[3] == 0);
  CHECK(sum.used > 0.6 && sum.used < 0.8); /* all that it is allowed, but no foot slides */
  end();
}

/* A wanted step of 7 cm would take 14 m/s^2; ice gives 0.3 m/s^2. */
static void on_ice_it_moves_slowly(void) {
  begin("ice", 0.05);
  wish w = standing();
  w.trunk[0] += 0.05, w.trunk[1] += 0.05;
  for (double t = 0; t < 4; t = simulation_time(&sim)) cycle(&w);
  CHECK(sum.yielded[4] > 500 && sum.yielded[1] + sum.yielded[2] + sum.yielded[3] == 0);
  CHECK(simulation_largest(&sim, ERROR_X, 3.5, 4) < 0.003);
  CHECK(simulation_largest(&sim, ERROR_Y, 3.5, 4) < 0.003);
  CHECK(simulation_largest(&sim, TILT, 0, 4) < 0.01);
  CHECK(simulation_largest(&sim, SLIP, 0, 4) < 0.01);
  end();
}

/* 30 N for 0.2 s are more than ice can stop: the robot falls. No torque is NaN or beyond its limit,
 * and levels tell: first the place yields, then what keeps upright, then limits and cones. */
static void on_ice_a_push_makes_it_fall(void) {
  push("ice_push", 0.05, 0, 30, 0.2);
  show();
  CHECK(simulation_largest(&sim, TILT, 1.5, 2.5) > 0.5);
  CHECK(simulation_largest(&sim, LEVEL, 0.52, 0.7) == 4);
  CHECK(sum.yielded[1] > 0 && sum.yielded[3] > 0);
  CHECK(sum.not_finite == 0);
  CHECK(sim.most_torque <= 1 + 1e-9);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_moves_along_a_circle);
  RUN(it_lifts_a_foot);
  RUN(it_withstands_30_newtons);
  RUN(it_withstands_60_newtons);
  RUN(on_ice_it_moves_slowly);
  RUN(on_ice_a_push_makes_it_fall);
  return test_end();
}

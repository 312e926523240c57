/* SPDX-License-Identifier: MIT */
/* bump.c: experiment 14: a platform on four KELO drives bumps into something that it does not expect, with
 * a force whose bound is printed before it drives, and notices by the currents of its wheels. Devaramani
 * 2019 has the use case (section 1.3: "the base must exhibit motions with limited force. Even if the
 * robot comes in contact with the obstacle, it should not harm the environment") and no numbers: what
 * stands there, a padded thing on a spring and a damper, and 150 N are ours.
 *
 * The speed is the largest with which the force stays below 150 N (achd_bump_speed). A momentum observer
 * (achd/observer.h) compares the base's momentum with the forces that the currents exert; what it
 * sees beside that is friction of wheels, and drives that turn into another direction: that comes slowly,
 * and is taken off, by its mean of the last 0.3 s. Noise: 0.1 A and 0.01 rad/s.
 * Chosen before running: bump no more than the bound; found within 50 ms of the touch; nothing found in
 * 60 s of driving forward, sideways, around and back (6 s of them by default, all with ACHD_SWEEP). */
#include "experiments/experiment.h"

#include <achd/limit.h>
#include <achd/mclp.h>
#include <achd/observer.h>
#include <achd/robif2b_kelo.h>

#include "drives.h"
#include "runtime/random.h"
#include "mujoco_world.h"

enum { X, Y, YAW, AXES, DRIVES = 4, WHEELS = 2 * DRIVES };

static const achd_real pivots[DRIVES][2] = {
    {.233, .1165}, {-.233, .1165}, {-.233, -.1165}, {.233, -.1165}};
static const achd_platform platform = {DRIVES, pivots, {.0515, .0786, .01}};
static const double torque_constant = 0.29; /* [N m/A] */

/* What moves when it drives straight on: the platform with its drives, robots/platform.urdf, and the
 * wheels as cylinders that turn, half of their mass each. */
static const double mass =
    6.441 + 11.649 + DRIVES * (4.554 + 1.392 + 2 * 2.083) + WHEELS * 2.083 / 2;
static const double inertia = 3.3; /* [kg m^2] */
static const double reach = 0.35;  /* from the base's origin to its front [m] */

static const achd_bumper pad = {1e4, 600};
static const double drive = 40, most = 150; /* [N] */

/* Of the observer: x, y along the axes of the world; turning is not watched. */
static const achd_observer_joint gains[AXES] = {
    {60, 0, 0, 0, 0}, {60, 0, 0, 0, 0}, {60, 0, 0, 0, 0}};
static const achd_contact_bound bounds[AXES] = {{25, 0, 0}, {25, 0, 0}, {INFINITY, 0, 0}};
static const double forgets = 0.3; /* what stays that long is none [s] */
static const achd_contact_parameters watch = {AXES, bounds, 3, 0};

/* Signals of the log. */
enum {
  S_P,
  S_V = S_P + AXES,
  S_F = S_V + AXES,
  S_OUTSIDE = S_F + 2,
  S_TOUCH = S_OUTSIDE + 2,
  S_FOUND,
  SIGNALS
};
static const achd_signal signals[SIGNALS] = {
    {"q", "base_x", 0, "m"},    {"q", "base_y", 0, "m"},    {"q", "base_yaw", 0, "rad"},
    {"qd", "base_x", 0, "m/s"}, {"qd", "base_y", 0, "m/s"}, {"qd", "base_yaw", 0, "rad/s"},
    {"wheels", "x", 0, "N"},    {"wheels", "y", 0, "N"},    {"outside", "x", 0, "N"},
    {"outside", "y", 0, "N"},   {"touch", NULL, 0, "N"},    {"found", NULL, 0, "1"}};

/* Forces of the drives that exert a wrench on the base, torques of the wheels. */
static bool torques_of(const achd_kelo *base, const double wrench[AXES], double torques[WHEELS]) {
  static double work[ACHD_MCLP_WORK(DRIVES_NR)];
  static signed char side[DRIVES_NR];
  drives_achd_in in = DRIVES_ACHD_IN_DEFAULT;
  drives_mclp_out p;
  double forces[DRIVES_NR];
  achd_mclp_report report;
  in.load.lin[0] = -wrench[X], in.load.lin[1] = -wrench[Y], in.load.ang[2] = -wrench[YAW];
  for (int k = 0; k < DRIVES_NR; k++) in.lo[k] = -60, in.hi[k] = 60;
  if (drives_mclp(&in, &p) & DRIVES_DO_NOT_COMMAND) return false;
  const achd_mclp_problem problem = {DRIVES_NR, p.L, p.r, p.lo, p.hi};
  return achd_mclp(&problem, forces, side, 0, work, &report) == ACHD_MCLP_SOLVED &&
         achd_platform_wheel_torques(&base->platform, base->angle, forces, torques);
}

/* Momentum of the base and the wrench of its wheels, along the axes of the world, from currents and
 * velocities that are noisy. */
static void measure(const achd_kelo *base, unsigned long long *seed, double p[AXES], double v[AXES],
                    double wrench[AXES]) {
  double rates[WHEELS], body[AXES] = {0}, twist[AXES];
  const double c = cos(base->pose[YAW]), s = sin(base->pose[YAW]);
  for (int d = 0; d < DRIVES; d++) {
    const struct robif2b_kelo_drive_api_msr_pdo *read = &base->msr_pdo[d];
    const double currents[2] = {(double)read->current_1_q, (double)read->current_2_q};
    double forces[2], at[2];
    for (int w = 0; w < 2; w++) {
      forces[w] =
          (currents[w] + 0.1 * random_normal(seed)) * torque_constant / platform.drive.radius;
      rates[2 * d + w] = base->qd[2 * d + w] + 0.01 * random_normal(seed);
    }
    achd_drive_pivot_force(&platform.drive, forces, at);
    const double cd = cos(base->angle[d]), sd = sin(base->angle[d]);
    const double x = cd * at[0] - sd * at[1], y = sd * at[0] + cd * at[1];
    body[X] += x, body[Y] += y;
    body[YAW] += pivots[d][0] * y - pivots[d][1] * x;
  }
  achd_platform_twist(&platform, base->angle, rates, twist);
  v[X] = c * twist[X] - s * twist[Y], v[Y] = s * twist[X] + c * twist[Y], v[YAW] = twist[YAW];
  wrench[X] = c * body[X] - s * body[Y], wrench[Y] = s * body[X] + c * body[Y];
  wrench[YAW] = body[YAW];
  for (int k = 0; k < AXES; k++) p[k] = (k == YAW ? inertia : mass) * v[k];
}

/* The wrench along the axes of the base that leads to a velocity along them, within `drive`. */
static void lead(const achd_kelo *base, const double wanted[AXES], double integral[AXES],
                 double wrench[AXES]) {
  static const double gain[AXES] = {400, 400, 40}, slow = 1.5, turning = 12;
  for (int k = 0; k < AXES; k++) {
    const double limit = k == YAW ? turning : drive / sqrt(2);
    const double error = gain[k] * (wanted[k] - base->twist[k]);
    integral[k] = fmax(-limit / 2, fmin(limit / 2, integral[k] + slow * error * base->period));
    wrench[k] = fmax(-limit, fmin(limit, error + integral[k]));
  }
}

/* Leads the wanted velocity to an aim, with an acceleration [m/s^2, rad/s^2]. */
static void approach(const double aim[AXES], double acceleration, double wanted[AXES]) {
  const double step = acceleration * 1e-3;
  for (int k = 0; k < AXES; k++) wanted[k] += fmax(-step, fmin(step, aim[k] - wanted[k]));
}

/* Force of the thing at x on the base, which stands in MuJoCo as a force from outside [N]. */
static double touch(double x) {
  achd_world_device *device = achd_world_find("net0");
  achd_world_lock();
  mjData *data = achd_world_data(device);
  const double deep = data->qpos[0] + reach - x;
  const double force = deep > 0 ? fmax(0, pad.stiffness * deep + pad.damping * data->qvel[0]) : 0;
  data->xfrc_applied[6] = -force; /* body 1 is the base */
  achd_world_unlock();
  return force;
}

typedef struct journey {
  double hardest, touched, found, noise, fastest;
  bool good;
} journey;

/* Velocities along the base's axes at a time. */
typedef void plan(double time, double wanted[AXES]);

static journey go(record *r, plan *wants, double time, double wall, bool stops, double begins) {
  static achd_kelo base;
  static const int slaves[DRIVES] = {3, 5, 7, 9};
  const achd_kelo_setup setup = {.platform = &platform, .slaves = slaves, .board = 1};
  unsigned long long seed = 14;
  achd_observer observer;
  achd_contact contact;
  double before[AXES] = {0}, integral[AXES] = {0}, wanted[AXES] = {0}, usual[AXES] = {0};
  journey j = {.touched = NAN, .found = NAN, .good = true};
  achd_observer_reset(&observer), achd_contact_release(&contact);
  setenv("ACHD_SIM", EXPERIMENTS_WORLDS "/bus.world", 1);
  if (!achd_kelo_connect(&base, &setup)) {
    fprintf(stderr, "experiments: the platform does not start\n");
    exit(1);
  }
  for (int k = 0; k * 1e-3 < time; k++) {
    achd_measurement measured;
    double p[AXES], v[AXES], wheels[AXES], aim[AXES], wrench[AXES], torques[WHEELS];
    const double zero[AXES] = {0}, now = k * 1e-3;
    const double force = touch(wall);
    achd_kelo_read(&base, &measured);
    const int64_t start = nanoseconds();
    measure(&base, &seed, p, v, wheels);
    const achd_observer_input input = {p, zero, v, before, base.period, k > 0};
    achd_observer_step(&observer, gains, AXES, &input);
    double sudden[AXES];
    for (int i = 0; i < AXES; i++) {
      usual[i] += base.period / forgets * (observer.tau_ext[i] - usual[i]);
      sudden[i] = observer.tau_ext[i] - usual[i];
    }
    const bool found = achd_contact_step(&contact, &watch, sudden, v, NULL);
    memcpy(before, wheels, sizeof before);
    wants(now, aim);
    if (found && stops) aim[X] = -0.05, aim[Y] = aim[YAW] = 0; /* away from it */
    approach(aim, found && stops ? 1 : 0.15, wanted);
    lead(&base, wanted, integral, wrench);
    if (found && stops && wrench[X] > 0) wrench[X] = integral[X] = 0;
    j.good = torques_of(&base, wrench, torques) && base.error == 0 && j.good;
    achd_cycle_times_put(&r->times, nanoseconds() - start);
    achd_kelo_command_torques(&base, torques);
    if (force > 0 && isnan(j.touched)) j.touched = now;
    if (found && isnan(j.found)) j.found = now;
    j.hardest = fmax(j.hardest, force);
    if (isnan(j.touched)) {
      j.fastest = fmax(j.fastest, base.twist[X]);
      j.noise = fmax(j.noise, fmax(fabs(sudden[X]), fabs(sudden[Y])));
    }
    const double row[SIGNALS] = {
        base.pose[X], base.pose[Y],        base.pose[YAW],      v[X],  v[Y], v[YAW], wheels[X],
        wheels[Y],    observer.tau_ext[X], observer.tau_ext[Y], force, found};
    record_put(r, NULL, begins + now, row);
  }
  achd_kelo_disconnect(&base);
  return j;
}

/* Forward, sideways, around, back; it begins anew every six seconds. */
static void about(double time, double wanted[AXES]) {
  static const double ways[6][AXES] = {{.15, 0, 0},  {.1, .1, 0},   {0, 0, .5},
                                       {-.15, 0, 0}, {0, -.15, .2}, {0, 0, 0}};
  memcpy(wanted, ways[(int)time % 6], sizeof ways[0]);
}

static double speed;

static void ahead(double time, double wanted[AXES]) {
  wanted[X] = time >= 0 ? 0.9 * speed : 0, wanted[Y] = wanted[YAW] = 0;
}

bool run_bump(int n, const char *folder) {
  static record r;
  char text[160];
  const bool sweep = getenv("ACHD_SWEEP") != NULL;
  const double driving = sweep ? 60 : 6;
  speed = achd_bump_speed(&pad, mass, most, drive);
  const double bound = achd_bump_force(&pad, mass, speed, drive);
  r = (record){.folder = folder,
               .title = "a platform bumps into something, with a limited force",
               .source = "Devaramani 2019, which has no numbers of it",
               .text =
                   "It drives about, then into a padded thing that it does not expect, as fast as "
                   "a force of 150 N allows. Its wheels' currents tell the contact.",
               .number = n};
  printf("before the bump: at %.4f m/s, driven with %g N, it is no harder than %.2f N\n", speed,
         drive, bound);
  fflush(stdout);
  record_start_plain(&r, signals, SIGNALS, sweep ? 20 : 4);
  const journey drives = go(&r, about, driving, INFINITY, false, 0);
  const journey hits = go(&r, ahead, 4, 0.5, true, driving);
  record_bound(&r, "solved and exchanged in every cycle", "", NAN, drives.good && hits.good, "1",
               drives.good && hits.good);
  snprintf(text, sizeof text, "%.2f, printed before", bound);
  record_bound(&r, "force of the bump", "N", NAN, hits.hardest, text,
               hits.hardest > drive && hits.hardest <= bound);
  record_bound(&r, "speed of the bump", "m/s", NAN, hits.fastest, "no more than the bound's",
               hits.fastest <= speed);
  record_bound(&r, "contact found after", "ms", NAN, 1e3 * (hits.found - hits.touched), "0 to 50",
               hits.found >= hits.touched && hits.found <= hits.touched + 0.05);
  snprintf(text, sizeof text, "contacts found in %g s of driving without", driving);
  record_bound(&r, text, "", NAN, !isnan(drives.found), "0", isnan(drives.found));
  record_say(&r, "largest force that the observer saw in these", "N", NAN, drives.noise);
  return record_end(&r);
}

/* SPDX-License-Identifier: MIT */
/* load_test.c: docs/examples/load runs to its end in simulation, with the load as inertia and as wrench, with friction and noise: the world
 * says what the box weighs, where its centre is in the bracelet, and where it stands in the end. A box that slips away, an estimate that is
 * NaN, fingers that do not open and a signal stop the arm, which is held by what it then knows. */
#include "arm.h"
#include "mujoco_world.h"
#include "test.h"

#include <achd/loop_load.h>
#include <achd/robif2b_gen3.h>

#include <signal.h>
#include <stdlib.h>

int load_main(int argc, char **argv);
void observed_read(achd_gen3 *arm, achd_measurement *measured);
void observed_step(achd_loop_load *load, const achd_loop_load_setup *setup, const achd_loop *loop,
                   const achd_measurement *measured, achd_real period);

enum { NJ = ACHD_GEN3_JOINTS, STATES = 10 };
static const char *const states[STATES] = {"stop",  "lost",     "grasp",   "lift",  "learn",
                                           "carry", "put_down", "release", "leave", "done"};
enum { STOP, LOST, GRASP, LIFT, LEARN, CARRY, PUT_DOWN, RELEASE, LEAVE, DONE };

/* What happens in the run. */
static struct plan {
  bool noise;
  int state;    /* in which something happens; 0: nothing does */
  double after; /* since the state began [s] */
  const char
      *say; /* "take": the box is taken away; "nan"; "signal"; or a fault of the arm's world */
} plan;

static struct seen {
  achd_payload found; /* the last one that was used */
  double learnt_at;   /* of the last estimate but one that is used: when it was found [s] */
  double mass_off[2],
      centre_off[2];            /* of the estimates at the end of learn and of carry [kg], [m] */
  double sank;                  /* tool below its way while it carries, after 0.5 s [m] */
  double rose;                  /* above where it was when something happened [m] */
  double fell;                  /* and below [m] */
  double from[3], box[3], slid; /* of the box: at first, in the end, most in the tool [m] */
  double fastest;               /* joint in the end [rad/s] */
  int states, estimates, end;
  unsigned refused, fault;
  bool carried; /* in the end */
} seen;

static struct {
  double in_state, height, grasped[3];
  int state;
  bool done;
  unsigned long long seed;
} now;

static const achd_world_device *world(void) {
  const achd_world_device *device = achd_world_find("192.168.1.10");
  CHECK(device);
  return device;
}

static double noise(double most) {
  now.seed = now.seed * 6364136223846793005ull + 1442695040888963407ull;
  return most * ((double)(now.seed >> 11) / 4503599627370496.0 - 1);
}

static int body(const mjModel *m, const char *name) {
  const int id = mj_name2id(m, mjOBJ_BODY, name);
  CHECK(id >= 0);
  return id;
}

static const double *tool_of(const mjModel *m, const mjData *d) {
  return d->site_xpos + 3 * (size_t)mj_name2id(m, mjOBJ_SITE, "tool_frame_site");
}

/* The box's centre in the frame of a body [m]. */
static void centre_in(const mjModel *m, const mjData *d, const char *name, double p[3]) {
  const size_t at = (size_t)body(m, name), box = (size_t)body(m, "parcel");
  double apart[3];
  mju_sub3(apart, d->xipos + 3 * box, d->xpos + 3 * at);
  mju_rotVecMatT(p, apart, d->xmat + 9 * at);
}

static void happen(const mjModel *m, mjData *d) {
  now.done = true;
  now.height = tool_of(m, d)[2];
  if (strcmp(plan.say, "take") == 0)
    d->qpos[m->jnt_qposadr[m->body_jntadr[body(m, "parcel")]]] += 1;
  else if (strcmp(plan.say, "signal") == 0)
    raise(SIGTERM);
  else if (strcmp(plan.say, "nan") != 0)
    CHECK(achd_world_inject((achd_world_device *)world(), plan.say, 60, 0, 0));
}

void observed_read(achd_gen3 *arm, achd_measurement *measured) {
  achd_gen3_read(arm, measured);
  const mjModel *m = achd_world_model(world());
  mjData *d = achd_world_data(world());
  const double *tool = tool_of(m, d), *box = d->xpos + 3 * (size_t)body(m, "parcel");
  for (int j = 0; plan.noise && j < NJ; j++)
    measured->q[j] += noise(1e-5), measured->qd[j] += noise(2e-3);
  if (plan.state && !now.done && now.state == plan.state && now.in_state >= plan.after)
    happen(m, d);
  if (now.done) {
    seen.rose = fmax(seen.rose, tool[2] - now.height);
    seen.fell = fmax(seen.fell, now.height - tool[2]);
  }
  if (seen.from[2] == 0) mju_copy3(seen.from, box);
  mju_copy3(seen.box, box);
  seen.fastest = 0;
  for (int j = 0; j < NJ; j++) seen.fastest = fmax(seen.fastest, fabs(arm->qd[j]));
}

/* The box in the bracelet, beside what was found. */
static void compare(const achd_loop_load *load) {
  const mjModel *m = achd_world_model(world());
  const int k = seen.estimates++;
  double c[3];
  if (k >= 2) return;
  centre_in(m, achd_world_data(world()), "bracelet_link", c);
  seen.mass_off[k] = fabs(load->found.mass - m->body_mass[body(m, "parcel")]);
  seen.centre_off[k] = mju_dist3(c, load->found.centre);
  seen.learnt_at = achd_world_time(world());
}

void observed_step(achd_loop_load *load, const achd_loop_load_setup *setup, const achd_loop *loop,
                   const achd_measurement *measured, achd_real period) {
  const double before = load->found.mass;
  double p[3];
  if (now.done && strcmp(plan.say, "nan") == 0) load->state.b[0] = NAN;
  achd_loop_load_step(load, setup, loop, measured, period);
  const int state = loop->machine.state;
  now.in_state = state == now.state ? now.in_state + period : 0;
  now.state = state;
  if (load->found.mass > 0 && load->found.mass != before) compare(load), seen.found = load->found;
  const double height = tool_of(achd_world_model(world()), achd_world_data(world()))[2];
  if (state == CARRY && now.in_state > 0.5) seen.sank = fmax(seen.sank, 0.474 - height);
  centre_in(achd_world_model(world()), achd_world_data(world()), "bracelet_link", p);
  if (state == LIFT && now.in_state == 0) mju_copy3(now.grasped, p);
  if (state >= LIFT && state <= PUT_DOWN && !now.done)
    seen.slid = fmax(seen.slid, mju_dist3(p, now.grasped));
  seen.states |= 1 << state;
  seen.end = state;
  seen.refused |= load->refused;
  seen.fault |= loop->fault;
  seen.carried = load->found.mass > 0;
  for (int j = 0; j < NJ; j++) CHECK(isfinite(loop->tau[j]));
}

static int run(bool wrench, struct plan what) {
  char name[] = "load", as[] = "wrench", *words[] = {name, wrench ? as : NULL, NULL};
  memset(&seen, 0, sizeof seen);
  memset(&now, 0, sizeof now);
  plan = what;
  const int end = load_main(wrench ? 2 : 1, words);
  printf(
      "  learnt %.3f and %.3f kg off, centre %.1f and %.1f mm, at %.2f s; sank %.1f mm, box slid "
      "%.2f mm; put down %.1f %.1f %.1f mm off; rose %.1f, fell %.1f mm; ends in %s, refused %u\n",
      seen.mass_off[0], seen.mass_off[1], 1e3 * seen.centre_off[0], 1e3 * seen.centre_off[1],
      seen.learnt_at, 1e3 * seen.sank, 1e3 * seen.slid, 1e3 * (seen.box[0] - seen.from[0]),
      1e3 * (seen.box[1] - seen.from[1] - 0.1), 1e3 * (seen.box[2] - seen.from[2]), 1e3 * seen.rose,
      1e3 * seen.fell, states[seen.end], seen.refused);
  CHECK(seen.fault == ACHD_LOOP_FINE && seen.fastest < 0.02);
  return end;
}

static void it_learns_carries_and_puts_down(void) {
  for (int k = 0; k < 3; k++) {
    CHECK(run(k == 1, (struct plan){.noise = k > 0}) == 0);
    CHECK(seen.end == DONE && seen.refused == 0 && seen.estimates == 2 && !seen.carried);
    CHECK(seen.mass_off[1] <= 0.1 && seen.centre_off[1] <= 0.04 && seen.learnt_at <= 8);
    CHECK(seen.slid < 0.005);
    for (int i = 0; i < 3; i++)
      CHECK(fabs(seen.box[i] - seen.from[i] - (i == 1 ? 0.1 : 0)) <= 0.005);
  }
}

/* The arm neither falls nor flies: what it carried is forgotten when the fingers have closed. */
static void a_box_that_slips_away_is_forgotten(void) {
  for (int k = 0; k < 2; k++) {
    CHECK(run(k == 1, (struct plan){.state = CARRY, .after = 1, .say = "take"}) == 1);
    CHECK(seen.end == LOST && !seen.carried && seen.found.mass > 0);
    CHECK(seen.rose < 0.05 && seen.fell < 0.05);
  }
}

static void an_estimate_that_is_nan_is_refused(void) {
  CHECK(run(false, (struct plan){.state = LEARN, .after = 0.5, .say = "nan"}) == 1);
  CHECK(seen.end == STOP && seen.refused == ACHD_LOOP_LOAD_NOT_FINITE && seen.estimates == 0);
  CHECK(seen.fell < 0.05);
}

/* A world whose joints have none of the friction that the program takes off: its estimate is far off, and refused. */
static void friction_that_is_not_there_is_no_load(void) {
  const char *world_file = getenv("ACHD_SIM");
  char rubbing[1000], smooth[1020], line[200];
  snprintf(rubbing, sizeof rubbing, "%s", world_file ? world_file : "");
  snprintf(smooth, sizeof smooth, "%s.smooth", rubbing);
  FILE *from = fopen(rubbing, "r"), *to = fopen(smooth, "w");
  CHECK(from && to);
  if (!from || !to) return;
  while (fgets(line, sizeof line, from))
    if (!strstr(line, "  friction")) fputs(line, to);
  fclose(from);
  fclose(to);
  setenv("ACHD_SIM", smooth, 1);
  CHECK(run(false, (struct plan){.noise = false}) == 1);
  CHECK(seen.end == STOP && seen.estimates == 0);
  CHECK(seen.refused == ACHD_LOOP_LOAD_CENTRE && seen.box[2] > seen.from[2]);
  setenv("ACHD_SIM", rubbing, 1);
  remove(smooth);
}

/* The box stands on the table, in the fingers, and the arm beside it. */
static void fingers_that_do_not_open_stop_the_arm(void) {
  CHECK(run(false, (struct plan){.state = PUT_DOWN, .after = 0.5, .say = "gripper_stuck"}) == 1);
  CHECK(seen.end == STOP && !(seen.states >> LEAVE & 1));
  CHECK(fabs(seen.box[2] - seen.from[2]) <= 0.005);
}

/* Braked and held with what was learnt: it neither sinks nor rises. */
static void a_signal_stops_the_arm_with_its_load(void) {
  CHECK(run(true, (struct plan){.state = CARRY, .after = 1, .say = "signal"}) == 1);
  CHECK(seen.end == STOP && seen.carried && seen.rose < 0.01 && seen.fell < 0.01);
  CHECK(seen.box[2] - seen.from[2] > 0.02);
}

int main(void) {
  RUN(it_learns_carries_and_puts_down);
  RUN(a_box_that_slips_away_is_forgotten);
  RUN(an_estimate_that_is_nan_is_refused);
  RUN(friction_that_is_not_there_is_no_load);
  RUN(fingers_that_do_not_open_stop_the_arm);
  RUN(a_signal_stops_the_arm_with_its_load);
  return test_end();
}

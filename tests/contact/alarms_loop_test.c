/* SPDX-License-Identifier: MIT */
/* alarms_loop_test.c: ordinary motion of an arm in MuJoCo, at random: tasks in the air in any direction, and tables, soft and hard, that are
 * touched, pressed and slid along, with noise of the sensor and of the joints' velocities, readings that come late, links up to 10 % heavier or
 * lighter than the model's and joints with 2 % friction. None of it is a fault, nor seems stuck or pushed, or chatters. 10^4 cycles; 10^6 with ACHD_SWEEP=1. */
#include "loop_world.h"

static loop_world l;
/* From where it begins the Fetch's elbow is straight 7 cm farther out [m]. */
#ifdef LOOP_FETCH
static const double farthest = 0.04;
#else
static const double farthest = 1;
#endif
static double scale[64]; /* of each body's mass */

/* The base's z turned by an angle, and everything else as task_along has it. */
static void turn_motion(double angle, double distance) {
  const double c = cos(angle), s = sin(angle);
  const achd_real R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  memcpy(l.goal.R.m, R, sizeof R);
  memcpy(l.goal.p, l.start.p, sizeof l.goal.p);
  l.goal.p[0] += distance * c, l.goal.p[1] += distance * s;
}

/* One motion, from the posture above the table at rest. */
typedef struct motion {
  unsigned long long random;
  bool touches, smooth;
  double speed, distance;
} motion;

static void prepare(motion *m) {
  unsigned long long *r = &m->random;
  loop_world_reset(&l);
  l.random = (m->random + 1) * 2654435761u;
  m->touches = random_number(r) < 0.5, m->smooth = m->touches || random_number(r) < 0.5;
  m->speed = random_between(r, 0.02, m->touches ? 0.05 : 0.1);
  m->distance = random_between(r, 0.03, 0.08);
  l.lower = l.along = task_along(&l, m->distance, m->speed);
  double way = random_between(r, -M_PI, M_PI); /* not where the arm is stretched */
  while (m->distance * cos(way) > farthest) way = random_between(r, -M_PI, M_PI);
  turn_motion(way, m->distance);
  if (m->touches) {
    l.lower.direction[0].value = 0;
    l.along.direction[2] = direction(ACHD_FORCE, random_between(r, 3, 10), 0.25, 120);
    l.lower.direction[2] = l.along.direction[2];
    l.lower.contact.force = 3, l.lower.contact.duration = 2e-3;
    l.along.lost.force = 0.5, l.along.lost.duration = 0.014;
    l.height = l.start.p[2] - random_between(r, 2e-3, 0.01);
    l.stiffness = exp(random_between(r, log(3e3), log(1e5))),
    l.friction = random_between(r, 0.05, 0.5);
  } else {
    l.lower.contact.force = INFINITY;
  }
  for (int i = 0; i < 6; i++) l.lower.direction[i].smooth = l.along.direction[i].smooth = m->smooth;
  l.noise = random_between(r, 0, 0.3), l.speed_noise = random_between(r, 0, 1e-3);
  l.late = (int)random_between(r, 0, 6), l.late_joints = (int)random_between(r, 0, 3);
  l.rub = random_between(r, 0, 0.02);
  for (int b = 1; b < l.w.model->nbody; b++) {
    const double now = random_between(r, 0.9, 1.1);
    scale_mass(&l.w, b, now / scale[b]);
    scale[b] = now;
  }
}

typedef struct tally {
  long cycles;
  int motions, arrived, touched, faults, stuck, chatters, pushed;
} tally;

static void move(motion *m, tally *t) {
  int quiet = 0;
  bool touched = false, stuck = false, chatters = false, pushed = false;
  prepare(m);
  loop_world_begin(&l);
  for (int k = 0; k < 200; k++) loop_world_step(&l);
  achd_loop_raise(&l.loop, SLIDING_E_START);
  for (int k = 0; k < 9000 && !l.loop.fault; k++) {
    loop_world_step(&l);
    quiet =
        l.loop.machine.state == SLIDING_ALIGN && fabs(l.loop.errors.exact[2]) < 2 ? quiet + 1 : 0;
    if (quiet == 50) achd_loop_raise(&l.loop, SLIDING_E_PRESSED);
    touched = touched || l.table[2] > 0;
    stuck = stuck || (l.loop.tool_watch.seen & ACHD_TOOL_STUCK);
    chatters = chatters || l.loop.contact.chatters;
    pushed = pushed || l.loop.pushed;
    if (k > 10 && l.loop.machine.state == SLIDING_STOP) break;
    if (!m->touches && (l.loop.seen & ACHD_TASK_GOAL_AREA)) break;
  }
  const bool arrived =
      !l.loop.fault && !(l.loop.seen & ACHD_TASK_TIMEOUT) && (l.loop.seen & ACHD_TASK_GOAL_AREA);
  t->cycles += l.cycle, t->motions++, t->arrived += arrived, t->touched += touched;
  t->faults += l.loop.fault != 0, t->stuck += stuck, t->chatters += chatters;
  t->pushed += pushed;
  if (arrived && !stuck && !chatters && !pushed) return;
  printf(
      "  %s, motion %d, %s%s, %.3f m at %.3f m/s, %.1f N, table %.0f N/m, friction %.2f, noise "
      "%.2f N %.5f rad/s, late %d %d, rub %.3f: fault %u, "
      "seen %u, tool %u%s, state %d, %.2f s, %.4f %.4f\n",
      arm_name, t->motions, m->touches ? "table" : "air", m->smooth ? ", smooth" : "", m->distance,
      m->speed, l.along.direction[2].value, l.stiffness, l.friction, l.noise, l.speed_noise, l.late,
      l.late_joints, l.rub, l.loop.fault, l.loop.seen, l.loop.tool_watch.seen,
      chatters ? ", chatters"
      : pushed ? ", pushed"
               : "",
      l.loop.machine.state, 1e-3 * (double)l.cycle, l.loop.errors.exact[1], l.loop.errors.exact[2]);
}

static void nothing_alarms(void) {
  const long most = sweep() ? 1000000 : 10000;
  motion m = {.random = 1};
  tally t = {0};
  for (int b = 1; b < l.w.model->nbody; b++) scale[b] = 1;
  while (t.cycles < most) move(&m, &t);
  printf("  %s: %ld cycles, %d motions, %d of them arrived, %d touched the table; %d faults, %d "
         "stuck, %d chatter, %d pushed\n",
         arm_name, t.cycles, t.motions, t.arrived, t.touched, t.faults, t.stuck, t.chatters,
         t.pushed);
  CHECK(t.faults == 0 && t.stuck == 0 && t.chatters == 0 && t.pushed == 0);
  CHECK(t.arrived == t.motions && t.touched > 0);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  loop_world_open(&l, argv[1]);
  RUN(nothing_alarms);
  close_world(&l.w);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* wrench_loop_test.c: an arm in MuJoCo with a sensor of force that is wrong: by 30 N from one cycle to the next, in the air, and by
 * 1000 N while the tool presses a table; with a gripper behind it; late, noisy and pushed by a hand, which is no fault. */
#include "loop_world.h"

static loop_world l;

static void in_the_air(void) {
  loop_world_reset(&l);
  l.lower = l.along = task_along(&l, 0.15, 0.05);
}

static bool tare;
static void go(void) {
  loop_world_begin(&l);
  CHECK(!achd_loop_tare(&l.loop));
  for (int k = 0; k < (tare ? 1000 : 600); k++) loop_world_step(&l); /* at rest */
  if (tare) CHECK(achd_loop_tare(&l.loop) && achd_loop_rearm(&l.loop));
  achd_loop_raise(&l.loop, SLIDING_E_START);
}

/* How fast the tool gets, when the loop has stopped it after this [s], and how far it gets away from its path [m]. */
typedef struct outcome {
  double speed, told, off, force;
  unsigned fault;
} outcome;

static outcome watch(double seconds) {
  outcome o = {.told = -1};
  const long from = l.cycle;
  while (l.cycle - from < lround(seconds / period)) {
    o.speed = fmax(o.speed, loop_world_step(&l));
    const achd_pose at = true_tool(&l).pose;
    o.off = fmax(o.off, hypot(at.p[0] - l.goal.p[0], at.p[2] - l.goal.p[2]));
    o.force = fmax(o.force, l.table[2]);
    if (o.told < 0 && l.loop.fault) o.told = (double)(l.cycle - from) * period;
  }
  o.fault = l.loop.fault;
  return o;
}

static const double ways[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

static void wrong_by_30_N(void) {
  for (int off = 0; off < 2; off++)
    for (int k = 0; k < (off && !sweep() ? 1 : 6); k++) {
      in_the_air();
      l.setup.wrench.off = off;
      if (off) l.setup.watch.accelerations = NULL;
      go();
      for (int i = 0; i < 700; i++) loop_world_step(&l);
      CHECK(l.loop.fault == 0 && l.loop.machine.state == SLIDING_APPROACH);
      for (int i = 0; i < 3; i++) l.wrong[i] = 30 * ways[k][i];
      const outcome o = watch(0.3);
      printf("  %s%s: 30 N along %2.0f %2.0f %2.0f: %.3f m/s, told after %.0f ms, fault %u, %.4f m "
             "off\n",
             arm_name, off ? ", off" : "", ways[k][0], ways[k][1], ways[k][2], o.speed,
             1e3 * o.told, o.fault, o.off);
      if (!off) CHECK(o.speed <= 0.1 && o.told > 0 && o.told <= 0.05);
    }
}

/* Down to the table with 2 cm/s, and presses it with 5 N. */
static void presses(double stiffness) {
  loop_world_reset(&l);
  l.lower = l.along = task_along(&l, 0.15, 0.02);
  l.lower.direction[0].value = 0;
  l.lower.direction[2] = direction(ACHD_VELOCITY, -0.02, 0.001, 20);
  l.lower.contact.force = 3, l.lower.contact.duration = 2e-3;
  l.along.direction[2] = direction(ACHD_FORCE, 5, 0.25, 20);
  l.height = l.start.p[2] - 0.01, l.stiffness = stiffness;
}

static void wrong_by_1000_N(void) {
  for (int k = sweep() ? 0 : 4; k < 6; k++) {
    presses(1e5);
    go();
    for (int i = 0; i < 1500; i++) loop_world_step(&l);
    CHECK(l.loop.fault == 0 && l.loop.machine.state == SLIDING_ALIGN);
    for (int i = 0; i < 3; i++) l.wrong[i] = 1000 * ways[k][i];
    const outcome o = watch(0.3);
    printf("  %s: 1000 N along %2.0f %2.0f %2.0f: %.1f N on the table, %.3f m/s, told after %.0f "
           "ms, fault %u\n",
           arm_name, ways[k][0], ways[k][1], ways[k][2], o.force, o.speed, 1e3 * o.told, o.fault);
    CHECK(o.force <= 15 && o.told > 0 && o.told <= 0.05);
  }
}

/* A gripper of 1.5 kg behind the sensor, which the model has: not removed, removed, and with a zero that is 10 N off and tared. */
static void a_gripper_behind_the_sensor(void) {
  for (int told = 0; told < 3; told++) {
    in_the_air();
    l.load = 1.5, l.centre[2] = -0.105;
    if (told == 2) l.zero[1] = 10;
    if (told) {
      l.setup.wrench.mass = 1.5;
      l.setup.wrench.centre[2] = l.centre[2];
    }
    static const char *const names[] = {"not removed", "removed", "removed, tared"};
    tare = told == 2;
    go();
    const outcome o = watch(1.5);
    printf("  %s, 1.5 kg behind the sensor, %s: %.4f m off, fault %u\n", arm_name, names[told],
           o.off, o.fault);
    CHECK(o.off <= 5e-3 && (told ? o.fault == 0 : (o.fault & ACHD_LOOP_IMPLAUSIBLE) != 0));
    CHECK(told == 0 || l.loop.machine.state == SLIDING_APPROACH);
    CHECK(!achd_loop_tare(&l.loop) || told == 0); /* not while it moves */
    tare = false;
  }
}

/* What a sensor that is right may show: a hand that pushes the tool to and fro, a table, soft or hard, that it touches and presses; late,
 * with noise, masses 10 % wrong, friction of 2 %. Not one of these runs ends with a wrench that cannot be. */
static void what_is_right_is_believed(void) {
  int alarms = 0, runs = 0, touched = 0;
  for (int k = 0; k < 64; k++) {
    const int late = k % 4, noisy = k / 4 % 2, wrong = k / 8 % 2, what = k / 16;
    if (!sweep() && k % 31 != 13) continue;
    static const int lates[] = {0, 2, 5, 10};
    if (what < 2)
      in_the_air();
    else
      presses(what == 2 ? 1e5 : 3e3);
    l.late = lates[late], l.noise = noisy ? 3 : 0.2, l.speed_noise = noisy ? 1e-3 : 1e-4;
    l.rub = wrong ? 0.02 : 0;
    l.setup.watch.tool = unwatched;
    for (int b = 1; wrong && b < l.w.model->nbody; b++)
      scale_mass(&l.w, b, what % 2 ? 1 / 1.1 : 1.1);
    go();
    const long begin = l.cycle;
    while (l.cycle - begin < 3000) {
      const double t = (double)(l.cycle - begin) * period;
      for (int i = 0; i < 3 && what < 2; i++) /* steps and waves */
        l.hand[i] = t > 1 ? 20 * sin((what ? 2 : 9) * (i + 1) * t) * (what ? 1 : sin(t) > 0.5) : 0;
      loop_world_step(&l);
      touched += l.table[2] > 0;
    }
    if (l.loop.fault & ACHD_LOOP_IMPLAUSIBLE)
      printf("  %s: alarm, %s, late by %d ms, noise of %g N, masses %s\n", arm_name,
             what < 2 ? "pushed" : "on a table", l.late, l.noise, wrong ? "wrong" : "right");
    alarms += (l.loop.fault & ACHD_LOOP_IMPLAUSIBLE) != 0, runs++;
    for (int b = 1; wrong && b < l.w.model->nbody; b++)
      scale_mass(&l.w, b, what % 2 ? 1.1 : 1 / 1.1);
  }
  printf("  %s: %d of %d runs with a false alarm; the table was touched for %.1f s\n", arm_name,
         alarms, runs, 1e-3 * touched);
  CHECK(alarms == 0 && touched > 0);
}

/* The tool goes down, or presses where its sensor feels nothing, and a link of the wrist meets something: that the
 * motion does not get on is told within a second of the contact, and why; the tool itself on a table too hard to
 * be moved is stuck at its own command, within a second of touching it, too, although it goes into it at first. */
static void a_wrist_that_is_held_up_is_told(void) {
  for (int k = 0; k < 3; k++) {
    presses(1e5);
    l.noise = 0.2, l.friction = 0; /* what a reading shows is then what acts in the period */
    l.link = k < 2 ? l.w.model->jnt_bodyid[N - 2] : 0;
    l.under = l.w.data->xpos[3 * l.link + 2] - 0.005;
    l.height = k < 2 ? -INFINITY : l.height;
    if (k) l.lower.contact.force = INFINITY; /* goes on */
    if (k == 1) l.lower.direction[2] = l.along.direction[2], l.lower.direction[2].value = 8;
    go();
    double met = -1, told = -1, force = 0, slow = 0, rests = -1;
    unsigned seen = 0;
    const long begin = l.cycle;
    while (l.cycle - begin < 4000 && told < 0) {
      loop_world_step(&l);
      const double now = (double)(l.cycle - begin) * period, f = k < 2 ? l.borne : l.table[2];
      if (met < 0 && f > 0) met = rests = now;
      slow += (true_tool(&l).twist.lin[2] - slow) * 0.02; /* with 50 ms */
      if (met > 0 && slow < -2e-3) rests = now;
      if (l.loop.tool_watch.seen & ACHD_TOOL_STUCK) told = now, seen = l.loop.tool_watch.seen;
      force = fmax(force, f);
    }
    printf("  %s, %s: met at %.2f s, told %.2f s later, %.2f s after it went on with 2 mm/s, seen "
           "%u, %.0f N, "
           "fault %u\n",
           arm_name,
           k == 2 ? "the tool on a table"
           : k    ? "the wrist, by a force"
                  : "the wrist",
           met, told - met, told - rests, seen, force, l.loop.fault);
    CHECK(l.loop.fault == ACHD_LOOP_FINE && met > 0 && told > met && told - met <= 1 &&
          (seen & ACHD_TOOL_AT_MOST));
    CHECK(k != 0 || (force > 80 && (seen & ACHD_TOOL_ELSEWHERE)));
    CHECK(k != 2 || !(seen & ACHD_TOOL_ELSEWHERE));
  }
}

/* A push on the elbow by a torque of 30 % of the effort of the joint that bears most of it is told within 0.2 s while the tool
 * goes down, as what pushes beside the tool or as what it looks like to the joints, and the arm is stopped; none before it. */
static void a_push_at_the_elbow_is_told(void) {
  for (int side = -1; side <= 1; side += 2) {
    double by[N], share = 0, told = -1;
    in_the_air();
    l.lower.direction[0].value = 0;
    l.lower.direction[2] = direction(ACHD_VELOCITY, -0.02, 0.001, 20);
    l.setup.events.pushed = SLIDING_E_FAULT;
    go();
    for (int k = 0; k < 700; k++) {
      loop_world_step(&l);
      CHECK(!l.loop.pushed && l.loop.machine.state == SLIDING_APPROACH);
    }
    l.link = l.w.model->jnt_bodyid[N / 2], l.under = -INFINITY, l.shove[0] = side;
    push_of(&l.w, l.link, &l.w.data->xpos[3 * l.link], l.shove, by);
    for (int j = 0; j < N; j++) share = fmax(share, fabs(by[j]) / efforts[j]);
    l.shove[0] = side * 0.3 / share;
    for (int k = 0; k < 300 && told < 0; k++) {
      loop_world_step(&l);
      if (l.loop.pushed || l.loop.fault) told = k * period;
    }
    const bool pushed = l.loop.pushed;
    for (int k = 0; k < 300; k++) loop_world_step(&l);
    printf("  %s, %.0f N at the elbow: told after %.0f ms, %s, fault %u, state %d\n", arm_name,
           l.shove[0], 1e3 * told, pushed ? "pushed" : "by a fault", l.loop.fault,
           l.loop.machine.state);
    CHECK(told > 0 && told <= 0.2 && l.loop.machine.state == SLIDING_STOP);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  loop_world_open(&l, argv[1]);
  RUN(wrong_by_30_N);
  RUN(wrong_by_1000_N);
  RUN(a_gripper_behind_the_sensor);
  RUN(a_wrist_that_is_held_up_is_told);
  RUN(what_is_right_is_believed);
  RUN(a_push_at_the_elbow_is_told);
  close_world(&l.w);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* loop_stops.c MODEL RUNS: stops of an arm by the numbers of its NAME_loop.h alone (achdgen --loop), in MuJoCo, without contacts: from random
 * postures and velocities, of readings that are as old as the table takes them for. Every joint comes to rest within the time that the table
 * gives a stop, and within the way that the loop's monitor counts with; the drives' brakes end it. Then a tool is exchanged while the arm is held
 * (a table with loads), and encoders that fail have the drives' brakes stop the arm. */
#include "arm_loop.h"
#include "steps_machine.h"
#include "test.h"

#include <achd/mujoco_arm.h>

#include "random.h"

#include <math.h>
#include <stdlib.h>

static achd_loop_setup setup = {.machine = &steps_machine,
                                .states = {[STEPS_STOP] = {ACHD_LOOP_STOP, NULL},
                                           [STEPS_APPROACH] = {ACHD_LOOP_STOP, NULL},
                                           [STEPS_PRESS] = {ACHD_LOOP_STOP, NULL},
                                           [STEPS_SLIDE] = {ACHD_LOOP_STOP, NULL},
                                           [STEPS_RETREAT] = {ACHD_LOOP_STOP, NULL}},
                                .events = {.fault = STEPS_E_FAULT},
                                .watch = {.joints_stamped = true}};

static achd_mujoco_arm arm;
static achd_loop loop;
static achd_measurement late; /* of the cycle before: 1 ms old */

/* The way that the loop's monitor takes a stop for (braking() of loop.c). */
static double counted(int j, double v) {
  const achd_loop_guard *guard = &arm_loop_guards[j];
  const double w = arm_loop_joints[j].hold.upper / arm_loop_joints[j].hold.velocity_gain;
  return v >= w ? (v * v + w * w) / (2 * guard->deceleration) : v * w / guard->deceleration;
}

/* Within the limits and a tenth of their range, or anywhere in a turn. */
static double posture_of(int j, unsigned long long *random) {
  const achd_joint_limits *l = &arm_loop_joints[j].limits;
  const double low = isinf(l->lower) ? -3.14 : l->lower, high = isinf(l->upper) ? 3.14 : l->upper;
  return low + random_between(random, 0.2, 0.8) * (high - low);
}

static void begin(unsigned long long *random, double share) {
  mj_resetData(arm.model, arm.data);
  for (int j = 0; j < ARM_NJ; j++) {
    arm.data->qpos[arm.q[j]] = posture_of(j, random);
    arm.data->qvel[arm.v[j]] =
        share * arm_loop_joints[j].limits.velocity * random_between(random, -1, 1);
  }
  mj_forward(arm.model, arm.data);
  achd_mujoco_brake(&arm, false);
  arm.stamp = 0;
  CHECK(achd_loop_start(&loop, &setup));
  achd_mujoco_read(&arm, &late);
}

static void cycle(bool blind) {
  achd_measurement now, before = late;
  achd_mujoco_read(&arm, &now);
  late = now;
  for (int j = 0; j < ARM_NJ && blind; j++) before.q[j] = (achd_real)NAN;
  achd_loop_cycle(&loop, &before, (achd_real)arm.period);
  achd_mujoco_command(&arm, &loop);
}

/* How long a stop takes until no joint is faster than a hundredth of its limit, and the largest way of a joint beyond the counted one. */
static void stop(unsigned long long *random, double *longest, double *beyond) {
  double q[ARM_NJ], v[ARM_NJ], way[ARM_NJ] = {0};
  begin(random, 0.5);
  for (int j = 0; j < ARM_NJ; j++)
    q[j] = arm.data->qpos[arm.q[j]], v[j] = fabs(arm.data->qvel[arm.v[j]]);
  int last = 0, cycles = (int)(1000 * setup.brakes_after) - 5;
  for (int k = 0; k < cycles; k++) {
    cycle(false);
    for (int j = 0; j < ARM_NJ; j++) {
      way[j] = fmax(way[j], fabs(arm.data->qpos[arm.q[j]] - q[j]));
      if (fabs(arm.data->qvel[arm.v[j]]) > 0.01 * arm_loop_joints[j].limits.velocity) last = k;
    }
  }
  CHECK((loop.fault & ~(unsigned)ACHD_LOOP_LIMIT) == 0 && loop.mode != ACHD_LOOP_DISABLE);
  *longest = fmax(*longest, 1e-3 * last);
  for (int j = 0; j < ARM_NJ; j++) *beyond = fmax(*beyond, way[j] - counted(j, v[j]));
}

/* Encoders fail: after six cycles the drives' brakes close, and the arm rests. */
static void fail(unsigned long long *random) {
  begin(random, 0.1);
  for (int k = 0; k < 20; k++) cycle(false);
  for (int k = 0; k < 200; k++) cycle(true);
  CHECK(loop.mode == ACHD_LOOP_DISABLE && arm.disabled);
  for (int j = 0; j < ARM_NJ; j++) CHECK(fabs(arm.data->qvel[arm.v[j]]) < 1e-2);
}

#ifdef CARRIED
/* The arm holds a load that it is told of, and sinks with one that it is not told of. */
static void carry(unsigned long long *random) {
  const int body = mj_name2id(arm.model, mjOBJ_BODY, CARRIED);
  double sunk[2];
  CHECK(body >= 0);
  for (int told = 0; told < 2; told++) {
    unsigned long long same = *random;
    begin(&same, 0);
    for (int k = 0; k < 100; k++) cycle(false);
    const double before = arm.data->xpos[3 * body + 2];
    arm.model->body_mass[body] += 2; /* [kg] */
    arm_loop_carried.payload.mass = told ? 2 : 0;
    for (int k = 0; k < 100; k++) cycle(false);
    sunk[told] = before - arm.data->xpos[3 * body + 2];
    arm.model->body_mass[body] -= 2;
    arm_loop_carried.payload.mass = 0;
  }
  printf("a load of 2 kg: sunk by %.2f mm, told of by %.3f mm\n", 1e3 * sunk[0], 1e3 * sunk[1]);
  CHECK(fabs(sunk[1]) < 0.05 * fabs(sunk[0]) && fabs(sunk[0]) > 1e-4);
}
#endif

int main(int argc, char **argv) {
  test_name = "stops";
  unsigned long long random = 1;
  double longest = 0, beyond = -INFINITY;
  if (argc < 3) return 2;
  arm_loop_fill(&setup);
  if (!achd_mujoco_connect(&arm, &(achd_mujoco_setup){.model = argv[1],
                                                      .num_joints = ARM_NJ,
                                                      .period = ARM_LOOP_PERIOD})) {
    fprintf(stderr, "%s\n", arm.why);
    return 2;
  }
  arm.model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  for (int k = 0; k < atoi(argv[2]); k++) stop(&random, &longest, &beyond);
  printf("stops: %.2f s at most of %.2f s; %.3f rad or m beyond the counted way\n", longest,
         (double)setup.braking_time, beyond);
  CHECK(longest <= setup.braking_time);
  CHECK(beyond <= 0.05); /* a joint that hardly moved, and that others push while they stop */
  for (int k = 0; k < 5; k++) fail(&random);
#ifdef CARRIED
  carry(&random);
#endif
  achd_mujoco_disconnect(&arm);
  return test_end();
}

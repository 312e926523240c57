/* SPDX-License-Identifier: MIT */
/* main.c [undamped|soft|weak|silent|deaf]: an arm with springs between motors and links moves, is pushed at its tool,
 * and holds. undamped: no damping at the motor's side; soft: the spring is not in the control law; weak: motors of
 * a fifth of the torque; silent: no noise; deaf: an encoder that reads NaN from 1 s on. Prints what came of it. */
#define PLANT_IMPLEMENTATION
#include "plant_achd.h"
#define MODEL_IMPLEMENTATION
#include "model_achd.h"

#include "control.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = MODEL_NJ, STEPS = 10 }; /* simulated in a period */

static const int rotor[JOINTS] = {PLANT_ROTOR_1, PLANT_ROTOR_2},
                 link_of[JOINTS] = {PLANT_JOINT_1, PLANT_JOINT_2};
static const double from[JOINTS] = {0.3, 0.8}, to[JOINTS] = {1.2, -0.5}, duration = 0.9, end = 4;

/* A uniform number in [-1, 1). */
static double noise(unsigned long long *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* Position, velocity and acceleration of a motion that begins and ends at rest (a polynomial of degree 5). */
static void motion(double t, double goal[3][JOINTS]) {
  const double T = duration, s = t < T ? t / T : 1, moving = t < T;
  for (int i = 0; i < JOINTS; i++) {
    const double way = to[i] - from[i];
    goal[0][i] = from[i] + way * s * s * s * (10 - 15 * s + 6 * s * s);
    goal[1][i] = moving * way * 30 * s * s * (1 - s) * (1 - s) / T;
    goal[2][i] = moving * way * 60 * s * (1 - s) * (1 - 2 * s) / (T * T);
  }
}

/* Largest values: of the link's error while it moves and at rest in the end; of the spring's swinging then. */
typedef struct result {
  double moving, rest, swing, motor[JOINTS], torque_error, pushed;
  int stopped; /* torques are 0 after the encoder failed */
} result;

static int simulate(const char *mode, const elastic_joint joints[JOINTS], result *r) {
  plant_step_in in = PLANT_STEP_IN_DEFAULT;
  plant_step_out out;
  elastic_state s = {0};
  unsigned long long seed = 7;
  double low[JOINTS], high[JOINTS], amount = strcmp(mode, "silent") == 0 ? 0 : 1;
  *r = (result){.stopped = 1};
  model_gravity_in at = MODEL_GRAVITY_IN_DEFAULT;
  model_gravity_out hold;
  for (int i = 0; i < JOINTS; i++) at.q[i] = in.q[link_of[i]] = from[i];
  if (model_gravity(&at, &hold)) return 1;
  for (int i = 0; i < JOINTS; i++) { /* at rest: the springs bear the arm */
    in.q[rotor[i]] = from[i] + hold.tau[i] / joints[i].k;
    low[i] = 1e9, high[i] = -1e9;
  }
  for (int cycle = 0; cycle * PERIOD < end; cycle++) {
    const double t = cycle * PERIOD;
    double goal[3][JOINTS], theta[JOINTS], q[JOINTS], motors[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
      theta[i] = in.q[rotor[i]] + amount * 1e-5 * noise(&seed);
      q[i] = in.q[link_of[i]] + amount * 2e-5 * noise(&seed);
    }
    const int fails = strcmp(mode, "deaf") == 0 && t >= 1;
    if (fails) q[1] = NAN;
    elastic_measure(&s, theta, q);
    motion(t, goal);
    const model_status status = elastic_torques(joints, &s, goal, motors);
    if (fails) {
      r->stopped &= (status & MODEL_DO_NOT_COMMAND) != 0 && motors[0] == 0 && motors[1] == 0;
      continue;
    }
    if (status & MODEL_DO_NOT_COMMAND) return 1;
    for (int i = 0; i < JOINTS; i++) {
      const double error = fabs(in.q[link_of[i]] - goal[0][i]),
                   spring = joints[i].k * (in.q[rotor[i]] - in.q[link_of[i]]);
      r->motor[i] = fmax(r->motor[i], fabs(motors[i]));
      r->torque_error = fmax(r->torque_error, fabs(joints[i].k * (theta[i] - q[i]) - spring));
      if (t < duration + 0.1) r->moving = fmax(r->moving, error);
      if (t > 2 && t < 2.5) r->pushed = fmax(r->pushed, error);
      if (t > end - 0.5) {
        r->rest = fmax(r->rest, error);
        low[i] = fmin(low[i], spring), high[i] = fmax(high[i], spring);
      }
    }
    in.push.lin[0] = t >= 2 && t < 2.2 ? 15 : 0;
    for (int k = 0; k < STEPS; k++) {
      for (int i = 0; i < JOINTS; i++) {
        const double spring = joints[i].k * (in.q[rotor[i]] - in.q[link_of[i]]);
        in.tau[rotor[i]] = joints[i].ratio * motors[i] - spring;
        in.tau[link_of[i]] = spring;
      }
      if (plant_step(&in, &out) & PLANT_DO_NOT_COMMAND) return 1;
      memcpy(in.q, out.q_next, sizeof in.q);
      memcpy(in.qd, out.qd_next, sizeof in.qd);
    }
  }
  for (int i = 0; i < JOINTS; i++) r->swing = fmax(r->swing, high[i] - low[i]);
  return 0;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  elastic_joint joints[JOINTS] = {{.k = 400,
                                   .J = 0.6,
                                   .ratio = 100,
                                   .limit = PLANT_EFFORT_MOTOR_SHOULDER,
                                   .kp = 100,
                                   .kd = 20,
                                   .kt = 4},
                                  {.k = 200,
                                   .J = 0.3,
                                   .ratio = 100,
                                   .limit = PLANT_EFFORT_MOTOR_ELBOW,
                                   .kp = 100,
                                   .kd = 20,
                                   .kt = 4}};
  for (int i = 0; i < JOINTS; i++) { /* critically damped, for the spring's torque */
    elastic_joint *e = &joints[i];
    if (strcmp(mode, "soft") == 0) e->kt = 0;
    if (strcmp(mode, "weak") == 0) e->limit /= 5;
    e->damping = strcmp(mode, "undamped") == 0 || strcmp(mode, "soft") == 0
                     ? 0
                     : 2 * sqrt((1 + e->kt) * e->k * e->J);
  }
  result r;
  if (simulate(mode, joints, &r)) {
    printf("the controller or the simulation failed\n");
    return 1;
  }
  if (strcmp(mode, "deaf") == 0) {
    printf("encoder reads NaN: motors' torques are %s\n", r.stopped ? "0" : "not 0");
    return !r.stopped;
  }
  printf("link: %.2f mrad off while it moves, %.2f when it is pushed by 15 N, %.3f at rest\n",
         1e3 * r.moving, 1e3 * r.pushed, 1e3 * r.rest);
  printf("spring: swings by %.3f N m at rest, its torque is sensed to %.3f N m\n", r.swing,
         r.torque_error);
  printf("motors: %.3f N m of %.2f, %.3f N m of %.2f\n", r.motor[0], joints[0].limit, r.motor[1],
         joints[1].limit);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* main.c: a Gen3 that feels contacts without a sensor of force, through robif2b.
 *
 *   gen3_contact follow   follows a motion by each of three laws, and prints how well
 *   gen3_contact touch    floats, so that it can be pushed; then moves, goes away from what it runs into, stops, and goes on
 *
 * The machine of robots/machines/contact.lua says what is done after what. */
#include "contact_machine.h"
#include "laws.h"

#include <achd/machine.h>
#include <achd/observer.h>
#include <achd/robif2b_gen3.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double start[NJ] = {0.2, 0.6, 0.1, 1.4, -0.2, 0.7, 0.3}; /* [rad] */

/* Sines about a posture, from rest; share: of the speed. */
static motion motion_at(double t, double share) {
  motion x = {0};
  for (int j = 0; j < NJ; j++) {
    const double rate = 1.3 + 0.25 * j, size = 0.25;
    x.q[j] = start[j] + size * (1 - cos(rate * t));
    x.qd[j] = share * size * rate * sin(rate * t);
    x.qdd[j] = share * share * size * rate * rate * cos(rate * t);
  }
  return x;
}

/* ---- follow ---- */

static int follow(void) {
  printf("root mean square of errors       joints [mrad]   tool [mm]\n");
  for (int k = 0; k < LAWS; k++) {
    achd_gen3 arm;
    achd_measurement measured;
    if (!achd_gen3_connect(&arm, &(achd_gen3_setup){.near = start})) return 1;
    double of_joints = 0, of_tool = 0, t = 0;
    int count = 0;
    for (int i = 0; i < 4000; i++, t += arm.period) {
      achd_gen3_read(&arm, &measured);
      const motion to = motion_at(t, 1);
      law_torques((law)k, arm.q, arm.qd, &to, arm.tau_cmd);
      for (int j = 0; t > 1 && j < NJ; j++) of_joints += pow(to.q[j] - arm.q[j], 2) / NJ;
      if (t > 1) of_tool += pow(tool_apart(arm.q, to.q), 2), count++;
    }
    const bool fault = arm.fault_flags != 0;
    achd_gen3_disconnect(&arm);
    if (fault) return 1;
    printf("%-32s %13.2f %11.2f\n", law_names[k], 1e3 * sqrt(of_joints / count),
           1e3 * sqrt(of_tool / count));
  }
  return 0;
}

/* ---- touch ---- */

typedef struct robot {
  achd_gen3 arm;
  achd_observer observer;
  achd_contact contact;
  achd_machine_run run;
  int state;
  double time, since; /* of the program; in the state [s] */
  double clock;       /* of the motion [s] */
  double offset[NJ],
      age;         /* where it was when it went on, less where the motion was; since then [s] */
  double left[NJ]; /* where it was when it began to float [rad] */
} robot;

/* Chosen for the simulated arm. On a real one: friction of the joints, and bounds by achd-observe calibrate. */
static const achd_observer_joint observed[NJ] = {{.gain = 150}, {.gain = 150}, {.gain = 150},
                                                 {.gain = 150}, {.gain = 150}, {.gain = 150},
                                                 {.gain = 150}};
static const achd_contact_bound bounds[NJ] = {{1.5, 0, 0}, {1.5, 0, 0}, {1.5, 0, 0}, {1.5, 0, 0},
                                              {0.5, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}};
static const achd_contact_parameters parameters = {NJ, bounds, 4, 20};
static const achd_response_joint joints[NJ] = {{60, 1, 80}, {60, 1, 80}, {60, 1, 80}, {60, 1, 80},
                                               {12, 1, 30}, {12, 1, 30}, {12, 1, 30}};
static const achd_response responses[] = {[CONTACT_STOPPED] = ACHD_RESPONSE_STOP,
                                          [CONTACT_MOVING] = ACHD_RESPONSE_NONE,
                                          [CONTACT_MOVING_SLOWLY] = ACHD_RESPONSE_SLOW,
                                          [CONTACT_GOING_AWAY] = ACHD_RESPONSE_AWAY,
                                          [CONTACT_FLOATING] = ACHD_RESPONSE_FLOAT};

/* What the arm feels becomes events of the machine. */
static void feel(robot *r, bool fresh) {
  gen3_momentum_in in = {0};
  gen3_momentum_out out;
  memcpy(in.q, r->arm.q, sizeof in.q), memcpy(in.qd, r->arm.qd, sizeof in.qd);
  const bool usable = gen3_momentum(&in, &out) == 0;
  const achd_observer_input input = {out.p,          out.beta,      r->arm.qd,
                                     r->arm.tau_cmd, r->arm.period, fresh && usable};
  const unsigned status = achd_observer_step(&r->observer, observed, NJ, &input);
  if (status & ~(unsigned)ACHD_OBSERVER_STARTED) (void)achd_machine_raise(&r->run, CONTACT_E_BLIND);
  if (achd_contact_step(&r->contact, &parameters, r->observer.tau_ext, r->arm.qd, NULL))
    (void)achd_machine_raise(&r->run, CONTACT_E_CONTACT);
}

/* What the program and its clock ask for: it floats from 0.5 s to 6 s, then moves; after a contact it waits for a second. */
static void ask(robot *r) {
  const bool floated = r->time > 6;
  if (r->state == CONTACT_STOPPED && !floated && r->time > 0.5)
    (void)achd_machine_raise(&r->run, CONTACT_E_FLOAT);
  if (r->state == CONTACT_FLOATING && floated) (void)achd_machine_raise(&r->run, CONTACT_E_STOP);
  if (r->state == CONTACT_STOPPED && floated && r->since > 1) {
    achd_contact_release(&r->contact);
    (void)achd_machine_raise(&r->run, CONTACT_E_RESUME);
  }
  if (r->state == CONTACT_GOING_AWAY && r->since > 0.4)
    (void)achd_machine_raise(&r->run, CONTACT_E_REFLEX_DONE);
  if (r->state == CONTACT_MOVING_SLOWLY && r->since > 1)
    (void)achd_machine_raise(&r->run, CONTACT_E_UNDISTURBED);
}

/* The motion, to which the arm comes back within two seconds from where it was left: a polynomial of fifth degree. */
static motion motion_now(const robot *r, double share) {
  motion to = motion_at(r->clock, share);
  const double T = 2, s = fmin(r->age / T, 1);
  const double left = 1 - s * s * s * (10 - 15 * s + 6 * s * s),
               speed = -30 * s * s * (1 - s) * (1 - s) / T,
               change = -60 * s * (1 - s) * (1 - 2 * s) / (T * T);
  for (int j = 0; j < NJ; j++) {
    to.q[j] += r->offset[j] * left;
    to.qd[j] += r->offset[j] * speed;
    to.qdd[j] += r->offset[j] * change;
  }
  return to;
}

static void command(robot *r) {
  const achd_response response = responses[r->state];
  const double share = achd_response_speed(response, 0.3);
  gen3_gravity_in at;
  gen3_gravity_out hold;
  double tau[NJ] = {0};
  memcpy(at.q, r->arm.q, sizeof at.q);
  (void)gen3_gravity(&at, &hold);
  if (share > 0) {
    const motion to = motion_now(r, share);
    law_torques(SLOTINE_LI, r->arm.q, r->arm.qd, &to, tau);
    r->clock += share * r->arm.period;
    r->age += r->arm.period;
  }
  const achd_response_input input = {hold.tau, r->arm.qd, r->observer.tau_ext, tau};
  achd_response_torques(response, joints, NJ, &input, r->arm.tau_cmd);
}

static void enter(robot *r, int state) {
  const achd_contact *c = &r->contact;
  printf("%6.3f s: %s", r->time, contact_machine.states[state]);
  if (r->state == CONTACT_GOING_AWAY) printf(", link %d or beyond was touched", c->joint + 1);
  if (r->state == CONTACT_FLOATING) {
    double speed = 0;
    for (int j = 0; j < NJ; j++) speed = fmax(speed, fabs(r->arm.qd[j]));
    printf(", the tool was pushed %.2f m away, and has come to %.4f rad/s",
           tool_apart(r->arm.q, r->left), speed);
  }
  printf("\n");
  if (r->state == CONTACT_STOPPED && state == CONTACT_MOVING_SLOWLY) {
    const motion to = motion_at(r->clock, 0);
    for (int j = 0; j < NJ; j++) r->offset[j] = r->arm.q[j] - to.q[j];
    r->age = 0;
  }
  if (state == CONTACT_FLOATING) memcpy(r->left, r->arm.q, sizeof r->left);
  r->state = state;
  r->since = 0;
}

static int touch(void) {
  static robot r;
  memset(&r, 0, sizeof r);
  if (!achd_gen3_connect(&r.arm, &(achd_gen3_setup){.near = start})) return 1;
  printf("the %s arm\n", achd_gen3_library());
  achd_machine_start(&r.run, &contact_machine);
  int64_t seen = r.arm.stamp;
  while (r.time < 18) {
    achd_measurement measured;
    achd_gen3_read(&r.arm, &measured);
    r.time += r.arm.period;
    r.since += r.arm.period;
    feel(&r, r.arm.stamp != seen);
    seen = r.arm.stamp;
    ask(&r);
    (void)achd_machine_step(&r.run);
    if (r.run.state != r.state) enter(&r, r.run.state);
    command(&r);
    if (r.arm.fault_flags) break;
  }
  const motion to = motion_now(&r, 1);
  double off = 0;
  for (int j = 0; j < NJ; j++) off = fmax(off, fabs(to.q[j] - r.arm.q[j]));
  printf("at the end %s, %.2f mrad off its motion\n", contact_machine.states[r.state], 1e3 * off);
  achd_gen3_disconnect(&r.arm);
  return r.arm.fault_flags != 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "follow") == 0) return follow();
  if (argc == 2 && strcmp(argv[1], "touch") == 0) return touch();
  fprintf(stderr, "gen3_contact follow, or gen3_contact touch\n");
  return 2;
}

/* SPDX-License-Identifier: MIT */
/* loops_test.c: a Gen3 in MuJoCo, in closed loop: how well it follows a motion by computed torque, by Slotine and Li's law and by
 * PD control with gravity, with exact masses and with masses that are 20 % other than the model's; that it floats under a hand
 * that pushes and comes to rest when it is let go of; and that it goes away from a collision, stops, and goes on, by the machine
 * of robots/machines/contact.lua. */
#include <achd/machine.h>
#include <achd/observer.h>

#include "contact_machine.h"
#include "test.h"
#include "world.h"

/* Where the joints are to be at a time, with their velocities and accelerations: sines about a posture, from rest. */
static const double posture[N] = {0.2, 0.6, 0.1, 1.4, -0.2, 0.7, 0.3};
typedef struct wanted {
  double q[N], qd[N], qdd[N];
} wanted;

static wanted wanted_at(double t) {
  wanted x = {0};
  for (int j = 0; j < N; j++) {
    const double rate = 1.3 + 0.25 * j, size = 0.35;
    x.q[j] = posture[j] + size * (1 - cos(rate * t));
    x.qd[j] = size * rate * sin(rate * t);
    x.qdd[j] = size * rate * rate * cos(rate * t);
  }
  return x;
}

typedef enum law { COMPUTED_TORQUE, SLOTINE_LI, PD_WITH_GRAVITY, LAWS } law;
static const char *const names[LAWS] = {"computed torque", "Slotine and Li", "PD with gravity"};

/* Natural frequency and damping: the same stiffness for all laws, that of the rotors and a quarter of a kg m^2 in computed torque. */
static const double lambda = 12, stiffness_inertia[N] = {1.2, 1.2, 0.9, 0.8, 0.16, 0.16, 0.14};

static void control(law which, const world *w, const wanted *to, double tau[N]) {
  const double *q = w->data->qpos, *qd = w->data->qvel;
  arm_id_in of_id = {0};
  arm_id_out id;
  arm_slotine_li_in of_law = {0};
  arm_slotine_li_out law_out;
  for (int j = 0; j < N; j++) {
    const double e = to->q[j] - q[j], ed = to->qd[j] - qd[j];
    of_id.q[j] = of_law.q[j] = q[j];
    of_id.qd[j] = of_law.qd[j] = qd[j];
    of_id.qdd[j] = to->qdd[j] + 2 * lambda * ed + lambda * lambda * e;
    of_law.qd_r[j] = to->qd[j] + lambda * e;
    of_law.qdd_r[j] = to->qdd[j] + lambda * ed;
    if (which == PD_WITH_GRAVITY) of_id.qd[j] = of_id.qdd[j] = 0;
  }
  CHECK(arm_id(&of_id, &id) == 0 && arm_slotine_li(&of_law, &law_out) == 0);
  for (int j = 0; j < N; j++) {
    const double e = to->q[j] - q[j], ed = to->qd[j] - qd[j], M = stiffness_inertia[j];
    tau[j] = which == SLOTINE_LI        ? law_out.tau[j] + lambda * M * (ed + lambda * e)
             : which == PD_WITH_GRAVITY ? id.tau[j] + 2 * lambda * M * ed + lambda * lambda * M * e
                                        : id.tau[j];
  }
}

/* Root mean square of all joints' errors in 6 s, the first left out [rad]. */
static double error_of(law which, const char *path, double factor) {
  world w = open_world(path);
  for (int b = 1; b < w.model->nbody; b++) scale_mass(&w, b, factor);
  double sum = 0, tau[N];
  int count = 0;
  const wanted start = wanted_at(0);
  for (int j = 0; j < N; j++) w.data->qpos[j] = start.q[j];
  mj_forward(w.model, w.data);
  while (w.data->time < 6) {
    const wanted to = wanted_at(w.data->time);
    for (int j = 0; j < N && w.data->time > 1; j++, count++)
      sum += pow(to.q[j] - w.data->qpos[j], 2);
    control(which, &w, &to, tau);
    act(&w, tau, NULL);
  }
  close_world(&w);
  return sqrt(sum / count);
}

static const char *model;

static void motions_are_followed(void) {
  double errors[LAWS][2];
  printf("root mean square of the joints' errors [mrad]   exact masses   masses 20 %% larger\n");
  for (int k = 0; k < LAWS; k++) {
    for (int wrong = 0; wrong < 2; wrong++)
      errors[k][wrong] = error_of((law)k, model, wrong ? 1.2 : 1);
    printf("%-45s %14.2f %21.2f\n", names[k], 1e3 * errors[k][0], 1e3 * errors[k][1]);
  }
  CHECK(errors[COMPUTED_TORQUE][0] < 2e-3 && errors[SLOTINE_LI][0] < 2e-3);
  CHECK(errors[PD_WITH_GRAVITY][0] > 3 * errors[SLOTINE_LI][0]);
  for (int k = 0; k < LAWS; k++) CHECK(errors[k][1] > errors[k][0] && errors[k][1] < 0.08);
}

static achd_response_joint joints[N];
static achd_observer_joint observed[N];
static achd_contact_bound bounds[N];
static const achd_contact_parameters parameters = {N, bounds, 4, 20};

static void gravity_of(const world *w, double tau[N]) {
  arm_gravity_in in = {0};
  arm_gravity_out out;
  memcpy(in.q, w->data->qpos, sizeof in.q);
  CHECK(arm_gravity(&in, &out) == 0);
  memcpy(tau, out.tau, sizeof out.tau);
}

static const double *centre_of(const world *w, int body) { /* of its mass */
  return w->data->xipos + (size_t)(3 * body);
}

static double speed_of(const world *w) {
  double most = 0;
  for (int j = 0; j < N; j++) most = fmax(most, fabs(w->data->qvel[j]));
  return most;
}

/* A hand pushes the forearm with 12 N for a second. */
static void an_arm_that_floats_can_be_pushed_and_comes_to_rest(void) {
  world w = open_world(model);
  memcpy(w.data->qpos, posture, sizeof posture);
  mj_forward(w.model, w.data);
  const int body = w.model->jnt_bodyid[3];
  const double none[N] = {0}, force[3] = {0, 12, 0};
  double begin[3], tau[N], pushed[N], gravity[N];
  memcpy(begin, centre_of(&w, body), sizeof begin);
  while (w.data->time < 1) { /* it stays where it is */
    gravity_of(&w, gravity);
    achd_response_torques(ACHD_RESPONSE_FLOAT, joints, N,
                          &(achd_response_input){gravity, w.data->qvel, none, none}, tau);
    act(&w, tau, NULL);
  }
  CHECK(speed_of(&w) < 1e-3);
  while (w.data->time < 9) {
    gravity_of(&w, gravity);
    push_of(&w, body, centre_of(&w, body), force, pushed);
    achd_response_torques(ACHD_RESPONSE_FLOAT, joints, N,
                          &(achd_response_input){gravity, w.data->qvel, none, none}, tau);
    act(&w, tau, w.data->time < 2 ? pushed : NULL);
  }
  const double way = w.data->xipos[3 * body + 1] - begin[1];
  printf("floating: pushed by 12 N for a second, the forearm went %.2f m along; at the end the "
         "fastest joint has %.4f rad/s\n",
         way, speed_of(&w));
  CHECK(way > 0.05);
  CHECK(speed_of(&w) < 0.02);
  close_world(&w);
}

typedef struct arm {
  world w;
  achd_observer observer;
  achd_contact contact;
  achd_machine_run run;
  double clock, since; /* of the motion [s]; in the state [s] */
  int state;
} arm;

/* What the arm does in the state of the machine: torques of this cycle. */
static void cycle(arm *a, double tau[N], double pushed[N], bool resume) {
  static const achd_response responses[] = {ACHD_RESPONSE_STOP, ACHD_RESPONSE_NONE,
                                            ACHD_RESPONSE_SLOW, ACHD_RESPONSE_AWAY,
                                            ACHD_RESPONSE_FLOAT};
  arm_momentum_in in = {0};
  arm_momentum_out momentum;
  memcpy(in.q, a->w.data->qpos, sizeof in.q);
  memcpy(in.qd, a->w.data->qvel, sizeof in.qd);
  CHECK(arm_momentum(&in, &momentum) == 0);
  const achd_observer_input input = {momentum.p, momentum.beta, in.qd, tau, period, true};
  const unsigned status = achd_observer_step(&a->observer, observed, N, &input);
  if (status & ~(unsigned)ACHD_OBSERVER_STARTED) (void)achd_machine_raise(&a->run, CONTACT_E_BLIND);
  if (achd_contact_step(&a->contact, &parameters, a->observer.tau_ext, in.qd, NULL))
    (void)achd_machine_raise(&a->run, CONTACT_E_CONTACT);
  if (a->state == CONTACT_GOING_AWAY && a->since > 0.4)
    (void)achd_machine_raise(&a->run, CONTACT_E_REFLEX_DONE);
  if (a->state == CONTACT_MOVING_SLOWLY && a->since > 0.5)
    (void)achd_machine_raise(&a->run, CONTACT_E_UNDISTURBED);
  if (resume) {
    achd_contact_release(&a->contact);
    (void)achd_machine_raise(&a->run, CONTACT_E_RESUME);
  }
  (void)achd_machine_step(&a->run);
  a->since = a->run.state == a->state ? a->since + period : 0;
  a->state = a->run.state;
  const achd_response response = responses[a->state];
  const double share = achd_response_speed(response, 0.3);
  wanted to = wanted_at(a->clock);
  for (int j = 0; j < N; j++) to.qd[j] *= share, to.qdd[j] *= share * share;
  a->clock += share * period;
  double of_task[N], gravity[N];
  control(SLOTINE_LI, &a->w, &to, of_task);
  gravity_of(&a->w, gravity);
  achd_response_torques(response, joints, N,
                        &(achd_response_input){gravity, in.qd, a->observer.tau_ext, of_task}, tau);
  act(&a->w, tau, pushed);
}

/* It moves; something hits link 4 with 25 N; it goes away and stops; told to resume, it is slow, then back on its motion. */
static void a_collision_reflex_and_on_again(void) {
  arm a = {.w = open_world(model)};
  double tau[N] = {0}, pushed[N] = {0}, before = 0, found = -1, away = 0, place[3];
  const wanted start = wanted_at(0);
  memcpy(a.w.data->qpos, start.q, sizeof start.q);
  mj_forward(a.w.model, a.w.data);
  gravity_of(&a.w, tau);
  achd_machine_start(&a.run, &contact_machine);
  const int body = a.w.model->jnt_bodyid[3];
  cycle(&a, tau, NULL, true);
  while (a.w.data->time < 3) cycle(&a, tau, NULL, false);
  CHECK(a.state == CONTACT_MOVING && !a.contact.found);
  memcpy(place, centre_of(&a.w, body), sizeof place);
  /* until it has gone 3 cm along with the force, or half a second */
  double f[3] = {0, 25, 0};
  if (a.w.data->qvel[0] > 0) f[1] = -25;
  before = a.w.data->time;
  while (a.w.data->time < before + 0.5 && away < 0.03) {
    push_of(&a.w, body, centre_of(&a.w, body), f, pushed);
    cycle(&a, tau, pushed, false);
    away = (a.w.data->xipos[3 * body + 1] - place[1]) * f[1] / 25;
    if (a.contact.found && found < 0) found = a.w.data->time - before;
  }
  printf("collision: found after %.0f ms at joint %d; 3 cm away after %.2f s\n", 1e3 * found,
         a.contact.joint + 1, a.w.data->time - before);
  CHECK(found > 0 && found < 0.04 && a.contact.joint <= 3);
  CHECK(away >= 0.03 && a.state == CONTACT_GOING_AWAY);
  before = a.w.data->time;
  while (a.w.data->time < before + 1.5) cycle(&a, tau, NULL, false);
  CHECK(a.state == CONTACT_STOPPED && speed_of(&a.w) < 0.05);
  const double paused = a.clock;
  while (a.w.data->time < before + 2) cycle(&a, tau, NULL, false);
  CHECK(a.clock == paused);
  /* the motion goes on from where the arm is: its joints come back to it within two seconds */
  for (int j = 0; j < N; j++) bounds[j].constant = 60; /* coming back is no contact */
  cycle(&a, tau, NULL, true);
  CHECK(a.state == CONTACT_MOVING_SLOWLY);
  before = a.w.data->time;
  while (a.w.data->time < before + 2.5) cycle(&a, tau, NULL, false);
  CHECK(a.state == CONTACT_MOVING && a.clock > paused + 1.5);
  const wanted to = wanted_at(a.clock);
  double off = 0;
  for (int j = 0; j < N; j++) off = fmax(off, fabs(to.q[j] - a.w.data->qpos[j]));
  printf("resumed: slowly for half a second, then off its motion by at most %.4f rad\n", off);
  CHECK(off < 0.01);
  close_world(&a.w);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  model = argv[1];
  for (int j = 0; j < N; j++) {
    joints[j] =
        (achd_response_joint){.damping = j < 4 ? 60 : 12, .follow = 1, .effort = j < 4 ? 80 : 30};
    observed[j] = (achd_observer_joint){.gain = 150};
    bounds[j] = (achd_contact_bound){j < 4 ? 1.5 : 0.5, 0, 0};
  }
  RUN(motions_are_followed);
  RUN(an_arm_that_floats_can_be_pushed_and_comes_to_rest);
  RUN(a_collision_reflex_and_on_again);
  return test_end();
}

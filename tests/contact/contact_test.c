/* SPDX-License-Identifier: MIT */
/* contact_test.c: contacts with an arm in MuJoCo, told by its momentum. The arm moves, or holds still, by Slotine and Li's law; its
 * masses are up to 5 % other than the model's, and its readings have noise. Bounds are calibrated on free motion. Then:
 *   - another free motion has no alarm (10^6 cycles with ACHD_SWEEP, else 1 % of them);
 *   - 20 N that come within 20 ms, on each link, in several postures, moving and still: a contact that makes twice the bound
 *     at a joint is found within 15 ms from when it crosses the bound; of contacts whose torque about the link's own joint is
 *     above its bound 95 % tell that link; of the others none tells a link beyond;
 *   - readings that are NaN, missing, or late are no contacts; frozen ones and such as are later than that look like one, and
 *     how late that is is printed.
 * The model of MuJoCo and the header `arm` are of the same URDF (contact/CMakeLists.txt). */
#include <achd/observer.h>

#include "runtime/random.h"
#include "test.h"
#include "world.h"

enum { CYCLES_ABOVE = 4, SETTLE = 25 };

static const double gain = 250; /* [1/s] */
static const double noise_q = 2e-5, noise_qd = 1e-3, noise_tau = 0.02;
static const double wrong_masses = 0.05, force = 20, rise = 0.02, within = 0.015;

typedef struct arm {
  world w;
  unsigned long long seed;
  double posture[N], swing; /* where it moves about, and how far [rad] */
  achd_observer observer;
  achd_contact contact;
  double q[N], qd[N], tau[N]; /* as measured */
  double pushed[N];           /* torques of whatever touches the arm */
} arm;

static achd_contact_bound bounds[N];
static const achd_contact_parameters parameters = {N, bounds, CYCLES_ABOVE, SETTLE};
static achd_observer_joint joints[N];
static bool full;

static void open_arm(arm *a, const char *path) {
  memset(a, 0, sizeof *a);
  a->seed = 3;
  a->w = open_world(path);
  for (int b = 1; b < a->w.model->nbody; b++)
    scale_mass(&a->w, b, 1 + random_between(&a->seed, -wrong_masses, wrong_masses));
}

static void begin(arm *a, const double posture[N], double swing) {
  mj_resetData(a->w.model, a->w.data);
  for (int j = 0; j < N; j++) a->w.data->qpos[j] = a->posture[j] = posture[j];
  a->swing = swing;
  memset(a->pushed, 0, sizeof a->pushed);
  achd_observer_reset(&a->observer);
  achd_contact_release(&a->contact);
  mj_forward(a->w.model, a->w.data);
}

/* Readings of the arm, and the torques of Slotine and Li's law for a swing of every joint with a rate of its own. */
static void control(arm *a, double tau[N]) {
  arm_slotine_li_in in = {0};
  arm_slotine_li_out out;
  const double t = a->w.data->time;
  double s[N] = {0};
  for (int j = 0; j < N; j++) {
    const double rate = 1.1 + 0.37 * j, start = fmin(1, t); /* slowly from rest */
    const double qd_d = start * a->swing * rate * cos(rate * t),
                 q_d = a->posture[j] + start * a->swing * sin(rate * t);
    a->q[j] = a->w.data->qpos[j] + noise_q * random_normal(&a->seed);
    a->qd[j] = a->w.data->qvel[j] + noise_qd * random_normal(&a->seed);
    in.q[j] = a->q[j];
    in.qd[j] = a->qd[j];
    in.qd_r[j] = qd_d + 8 * (q_d - a->q[j]);
    in.qdd_r[j] = -start * a->swing * rate * rate * sin(rate * t) + 8 * (qd_d - a->qd[j]);
    s[j] = a->qd[j] - in.qd_r[j];
  }
  CHECK(arm_slotine_li(&in, &out) == 0);
  for (int j = 0; j < N; j++) tau[j] = out.tau[j] - (N == 7 ? 12 : 1.5) * s[j];
}

/* The observer with the readings of now and the torques since the last ones. */
static unsigned observe(arm *a, bool fresh) {
  arm_momentum_in in = {0};
  arm_momentum_out out;
  double tau[N];
  for (int j = 0; j < N; j++) {
    in.q[j] = a->q[j], in.qd[j] = a->qd[j];
    tau[j] = a->tau[j] + noise_tau * random_normal(&a->seed);
  }
  (void)arm_momentum(&in, &out);
  const achd_observer_input input = {out.p, out.beta, a->qd, tau, period, fresh};
  return achd_observer_step(&a->observer, joints, N, &input);
}

/* One cycle: what was commanded in the last one acts, then readings and new torques. */
static void step(arm *a) {
  double next[N];
  act(&a->w, a->tau, a->pushed);
  control(a, next);
  CHECK((observe(a, true) & ~(unsigned)ACHD_OBSERVER_STARTED) == 0);
  memcpy(a->tau, next, sizeof next);
  (void)achd_contact_step(&a->contact, &parameters, a->observer.tau_ext, a->qd, NULL);
}

static void draw_posture(unsigned long long *seed, double posture[N]) {
  for (int j = 0; j < N; j++) posture[j] = 1.2 * (2 * random_number(seed) - 1);
}

/* Bounds: 1.4 times the largest |tau_ext| of free motion, over the motions that follow. */
static void calibrate(arm *a) {
  const int cycles = full ? 200000 : 12000;
  unsigned long long seed = 11;
  double posture[N], most[N] = {0};
  for (int j = 0; j < N; j++) bounds[j] = (achd_contact_bound){1e9, 0, 0}, joints[j].gain = gain;
  for (int k = 0; k < cycles; k++) {
    if (k % 1000 == 0) draw_posture(&seed, posture), begin(a, posture, k % 2000 ? 0.4 : 0);
    step(a);
    for (int j = 0; j < N; j++) most[j] = fmax(most[j], fabs(a->observer.tau_ext[j]));
  }
  printf("bounds [N m]:");
  for (int j = 0; j < N; j++) printf(" %.2f", bounds[j].constant = 1.4 * most[j]);
  printf("\n");
}

static void free_motion_has_no_alarm(arm *a) {
  const int cycles = full ? 1000000 : 10000;
  unsigned long long seed = 12345;
  int alarms = 0;
  double posture[N];
  for (int k = 0; k < cycles; k++) {
    if (k % 1000 == 0) draw_posture(&seed, posture), begin(a, posture, k % 2000 ? 0.4 : 0);
    step(a);
    alarms += a->contact.found;
  }
  printf("%d cycles of free motion, %d of them with an alarm\n", cycles, alarms);
  CHECK(alarms == 0);
}

typedef struct tally {
  int contacts, strong, late, found, own, told, beyond, partly;
  double slowest;
} tally;

/* Of a force on the surface of a body: 6 cm from its centre of mass, at `place` along its axes. */
static void torques_of(const world *w, int body, const double place[3], const double f[3],
                       double tau[N]) {
  double point[3];
  mju_rotVecMat(point, place, w->data->ximat + (size_t)(9 * body));
  for (int i = 0; i < 3; i++) point[i] = w->data->xipos[3 * body + i] + 0.06 * point[i];
  push_of(w, body, point, f, tau);
}

/* 20 N at a link from now on, within 20 ms. When it crosses the bound of a joint, how strong it becomes, when it is found. */
static void touch(arm *a, int link, unsigned long long *seed, tally *t) {
  double direction[3], place[3], f[3], tau[N], crossed = -1, found = -1;
  bool strong = false, own = false;
  const int body = a->w.model->jnt_bodyid[link];
  random_direction(seed, direction);
  random_direction(seed, place);
  for (int k = 0; k < 150; k++) {
    for (int i = 0; i < 3; i++) f[i] = direction[i] * force * fmin(1, (k + 1) * period / rise);
    torques_of(&a->w, body, place, f, tau);
    memcpy(a->pushed, tau, sizeof tau);
    for (int j = 0; j < N; j++) {
      const double share = fabs(tau[j]) / bounds[j].constant;
      if (share > 1 && crossed < 0) crossed = k * period;
      strong |= share >= 2 && k <= 20;
      own |= j == link && share > 1.2 && k <= 20;
    }
    step(a);
    if (a->contact.found && found < 0) found = (k + 1) * period;
  }
  memset(a->pushed, 0, sizeof a->pushed);
  t->contacts++;
  t->found += found >= 0;
  t->strong += strong;
  if (strong) {
    const double delay = found < 0 ? 1 : found - crossed;
    t->slowest = fmax(t->slowest, delay);
    t->late += delay > within;
  }
  t->own += own && found >= 0;
  t->told += own && found >= 0 && a->contact.joint == link;
  t->partly += !own && found >= 0;
  t->beyond += found >= 0 && a->contact.joint > link;
}

static void contacts_are_found_and_their_links_told(arm *a) {
  unsigned long long seed = 77;
  tally t = {0};
  const int rounds = full ? 40 : 1;
  for (int k = 0; k < rounds * 3 * 2 * N; k++) {
    double posture[N];
    draw_posture(&seed, posture);
    begin(a, posture, k / N % 2 ? 0.4 : 0);
    for (int i = 0; i < 300; i++) step(a);
    CHECK(!a->contact.found);
    touch(a, k % N, &seed, &t);
  }
  printf("%d contacts, %d found; %d of twice a bound, the slowest after %.0f ms, %d later than "
         "%.0f ms\n",
         t.contacts, t.found, t.strong, 1e3 * t.slowest, t.late, 1e3 * within);
  printf("%d felt by the link's own joint, %d of them told right; %d others found, %d told a link "
         "beyond\n",
         t.own, t.told, t.partly, t.beyond);
  CHECK(t.strong >= t.contacts / 4);
  CHECK(t.late == 0);
  CHECK(t.own >= t.contacts / 6 && 100 * t.told >= 95 * t.own);
  CHECK(t.beyond * 20 <= t.contacts);
}

/* Readings that are no readings: told by the status, no contact. */
static void faults_of_sensors_are_no_contacts(arm *a) {
  double posture[N];
  unsigned long long seed = 5;
  draw_posture(&seed, posture);
  for (int fault = 0; fault < 2; fault++) {
    begin(a, posture, 0.4);
    for (int i = 0; i < 500; i++) step(a);
    CHECK(!a->contact.found);
    if (fault == 0) a->qd[N / 2] = NAN;
    const unsigned status = observe(a, fault == 0);
    CHECK(status == (fault == 0 ? ACHD_OBSERVER_NOT_FINITE : ACHD_OBSERVER_STALE));
    for (int j = 0; j < N; j++) CHECK(a->observer.tau_ext[j] == 0);
    const double rest[N] = {0};
    CHECK(!achd_contact_step(&a->contact, &parameters, a->observer.tau_ext, rest, NULL));
  }
  /* Frozen, in motion: the torques move the arm and its momentum stays. The observer cannot know; who compares the readings of all
   * joints bit by bit can, as noise never repeats them: `fresh` is false then. */
  for (int watched = 0; watched < 2; watched++) {
    begin(a, posture, 0.4);
    for (int i = 0; i < 500; i++) step(a);
    bool found = false;
    for (int i = 0; i < 100 && !found; i++) {
      for (int j = 0; j < N; j++) a->tau[j] += 0.02 * force; /* somebody pushes on */
      if (observe(a, watched == 0) == ACHD_OBSERVER_STALE) CHECK(a->observer.tau_ext[0] == 0);
      found = achd_contact_step(&a->contact, &parameters, a->observer.tau_ext, a->qd, NULL);
    }
    printf("frozen readings, %s: %s\n", watched ? "compared bit by bit" : "taken as they are",
           found ? "a contact" : "none");
    CHECK(!watched || !found);
  }
}

enum { LATEST = 20 };

/* One cycle in which the observer gets the reading of `late` cycles ago, with the torques of now. */
static void late_step(arm *a, int late, double kept[LATEST + 1][2][N], int cycle, bool fresh) {
  double next[N];
  act(&a->w, a->tau, a->pushed);
  control(a, next);
  memcpy(kept[cycle % (LATEST + 1)][0], a->q, sizeof a->q);
  memcpy(kept[cycle % (LATEST + 1)][1], a->qd, sizeof a->qd);
  const int then = (cycle < late ? 0 : cycle - late) % (LATEST + 1);
  memcpy(a->q, kept[then][0], sizeof a->q);
  memcpy(a->qd, kept[then][1], sizeof a->qd);
  (void)observe(a, fresh);
  memcpy(a->tau, next, sizeof next);
  (void)achd_contact_step(&a->contact, &parameters, a->observer.tau_ext, a->qd, NULL);
}

/* Readings that come late, in motion. One that misses its cycle, and is told as missing, is no contact; repeated in silence in its place it
 * is a jump of the momentum, that tight bounds take for one. If all are late by the same time, torques are compared with a motion of
 * before: the error grows with that time, and from some time on it is a contact for the observer, which has no means
 * to know; the stamps of the loop have. */
static void late_readings_are_no_contacts(arm *a) {
  double posture[N];
  unsigned long long seed = 6;
  static double kept[LATEST + 1][2][N];
  draw_posture(&seed, posture);
  for (int told = 0; told < 2; told++) { /* every tenth reading misses its cycle */
    begin(a, posture, 0.4);
    for (int i = 0; i < 1500; i++)
      late_step(a, !told && i % 10 == 9, kept, i, !told || i % 10 != 9);
    if (!told)
      printf("every tenth reading repeated: %s\n", a->contact.found ? "a contact" : "none");
    CHECK(!told || !a->contact.found);
  }
  int first = 0;
  for (int late = 1; late <= LATEST; late++) {
    begin(a, posture, 0.4);
    for (int i = 0; i < 700; i++) late_step(a, late, kept, i, true);
    if (a->contact.found && !first) first = late;
    CHECK(late > 3 || !a->contact.found);
  }
  if (first)
    printf("all readings late: no contact up to %d ms, one by %d ms\n", first - 1, first);
  else
    printf("all readings late: no contact up to %d ms\n", LATEST);
}

int main(int argc, char **argv) {
  arm a;
  if (argc != 2) return 2;
  full = getenv("ACHD_SWEEP") != NULL;
  open_arm(&a, argv[1]);
  calibrate(&a);
  test_name = "free_motion_has_no_alarm", free_motion_has_no_alarm(&a);
  test_name = "contacts_are_found_and_their_links_told",
  contacts_are_found_and_their_links_told(&a);
  test_name = "faults_of_sensors_are_no_contacts", faults_of_sensors_are_no_contacts(&a);
  test_name = "late_readings_are_no_contacts", late_readings_are_no_contacts(&a);
  close_world(&a.w);
  return test_end();
}

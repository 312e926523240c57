/* SPDX-License-Identifier: MIT */
/* observer.c: see achd/observer.h */
#include <achd/observer.h>

#include "vector.h"

/* ---- the torques of contacts ---- */

void achd_observer_reset(achd_observer *observer) {
  achd_clear(observer, sizeof *observer);
}

static unsigned stopped(achd_observer *observer, unsigned status) {
  achd_observer_reset(observer);
  return observer->status = status;
}

/* What changes the momentum beside the torque and the contact: beta, the offset and friction. */
static achd_real known(const achd_observer_joint *joint, achd_real beta, achd_real qd) {
  const achd_real dry =
      joint->speed > 0 ? joint->coulomb * achd_clamp(qd / joint->speed, -1, 1) : 0;
  return beta + joint->offset - (joint->viscous * qd + dry);
}

/* Every input is in what a joint's new tau_ext is made of: one that is not finite shows there. */
unsigned achd_observer_step(achd_observer *observer, const achd_observer_joint joints[],
                            int njoints, const achd_observer_input *input) {
  const achd_real period = input->period;
  if (njoints < 1 || njoints > ACHD_OBSERVER_JOINTS || !(period > 0) || !achd_finite(period))
    return stopped(observer, ACHD_OBSERVER_BAD_INPUT);
  if (!input->fresh) return stopped(observer, ACHD_OBSERVER_STALE);
  const achd_real per_period = 1 / period;
  bool good = true;
  achd_real nothing = 0; /* 0 times every result: NaN as soon as one is not finite */
  for (int j = 0; j < njoints; j++) {
    const achd_real p = input->p[j], now = known(&joints[j], input->beta[j], input->qd[j]);
    const achd_real rate = joints[j].gain * period, kept = 1 / (1 + rate);
    const achd_real seen = (p - observer->p[j]) * per_period - input->tau[j] -
                           (now + observer->held[j]) * (achd_real)0.5;
    const achd_real r = kept * (observer->tau_ext[j] + rate * seen);
    good = good && rate > 0;
    nothing += 0 * r;
    observer->tau_ext[j] = r;
    observer->p[j] = p;
    observer->held[j] = now;
  }
  if (!good) return stopped(observer, ACHD_OBSERVER_BAD_INPUT);
  if (!achd_finite(nothing)) return stopped(observer, ACHD_OBSERVER_NOT_FINITE);
  observer->status = observer->running ? ACHD_OBSERVER_OK : ACHD_OBSERVER_STARTED;
  if (!observer->running) achd_zero(observer->tau_ext, njoints);
  observer->running = true;
  return observer->status;
}

/* ---- whether something touches the robot ---- */

void achd_contact_release(achd_contact *contact) {
  achd_clear(contact, sizeof *contact);
}

/* Whether a joint's torque is not within its bound, which has to be one. qdd: NULL, or the joint's. */
static inline bool beyond(const achd_contact_bound *bound, achd_real tau_ext, achd_real qd,
                          const achd_real *qdd) {
  achd_real most = bound->constant + bound->by_speed * achd_magnitude(qd);
  if (qdd) most += bound->by_acceleration * achd_magnitude(*qdd);
  return !(achd_magnitude(tau_ext) <= most && most > 0); /* also of what is no number */
}

static bool find(achd_contact *contact, int joint) {
  contact->found = true;
  contact->felt |= UINT32_C(1) << joint;
  if (joint > contact->joint) contact->joint = joint;
  return true;
}

bool achd_contact_step(achd_contact *contact, const achd_contact_parameters *parameters,
                       const achd_real tau_ext[], const achd_real qd[], const achd_real qdd[]) {
  const int njoints = parameters->njoints;
  if (njoints < 1 || njoints > ACHD_OBSERVER_JOINTS) return find(contact, 0);
  if (contact->found && contact->since < parameters->settle) contact->since++;
  const bool listening = !contact->found || contact->since < parameters->settle;
  for (int j = 0; j < njoints; j++) {
    if (!beyond(&parameters->bounds[j], tau_ext[j], qd[j], qdd ? &qdd[j] : NULL)) {
      contact->above[j] = 0;
      continue;
    }
    if (contact->above[j] < parameters->cycles) contact->above[j]++;
    if (listening && contact->above[j] >= parameters->cycles) (void)find(contact, j);
  }
  return contact->found;
}

/* ---- where and how strong ---- */

enum { DIRECTIONS = 6 };

/* Share of the strongest direction's torques: of one with less, after those that are stronger, joints tell nothing. */
static const achd_real too_weak = (achd_real)1e-3;

/* Columns of J^T, one a direction, made orthonormal one after the other, the largest that is left first. */
typedef struct columns {
  int rows, count;                               /* joints; directions */
  achd_real Q[DIRECTIONS][ACHD_OBSERVER_JOINTS]; /* turned */
  achd_real R[DIRECTIONS][DIRECTIONS];           /* J^T = Q R: what of a column is along Q's */
  int order[DIRECTIONS];                         /* directions as they were taken */
} columns;

static achd_real dot(const achd_real *a, const achd_real *b, int n) {
  achd_real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Takes out of column c what is along column k, twice for the digits (Gram and Schmidt). */
static void take_out(columns *A, int k, int c) {
  for (int pass = 0; pass < 2; pass++) {
    const achd_real along = dot(A->Q[k], A->Q[c], A->rows);
    A->R[k][c] += along;
    for (int i = 0; i < A->rows; i++) A->Q[c][i] -= along * A->Q[k][i];
  }
}

static void exchange(columns *A, int a, int b) {
  for (int i = 0; i < A->rows; i++) {
    const achd_real x = A->Q[a][i];
    A->Q[a][i] = A->Q[b][i];
    A->Q[b][i] = x;
  }
  for (int k = 0; k < DIRECTIONS; k++) {
    const achd_real x = A->R[k][a];
    A->R[k][a] = A->R[k][b];
    A->R[k][b] = x;
  }
  const int direction = A->order[a];
  A->order[a] = A->order[b];
  A->order[b] = direction;
}

/* Returns the rank. Directions whose remainder is below the share `least` of the largest column depend on the others. */
static int orthonormalize(columns *A, achd_real least) {
  achd_real largest = 0;
  for (int k = 0; k < A->count; k++) {
    int best = k;
    achd_real most = 0;
    for (int c = k; c < A->count; c++) {
      const achd_real square = dot(A->Q[c], A->Q[c], A->rows);
      if (square > most) best = c, most = square;
    }
    if (k == 0) largest = most;
    if (!(most > least * least * largest)) return k;
    exchange(A, k, best);
    const achd_real length = achd_sqrt(most);
    A->R[k][k] = length;
    for (int i = 0; i < A->rows; i++) A->Q[k][i] /= length;
    for (int c = k + 1; c < A->count; c++) take_out(A, k, c);
  }
  return A->count;
}

static void fill(columns *A, int njoints, const achd_real lin[], const achd_real ang[]) {
  achd_clear(A, sizeof *A);
  A->rows = njoints;
  A->count = ang ? 6 : 3;
  for (int c = 0; c < A->count; c++) {
    const achd_real *row =
        c < 3 ? lin + (size_t)c * (size_t)njoints : ang + (size_t)(c - 3) * (size_t)njoints;
    A->order[c] = c;
    achd_copy(A->Q[c], row, njoints);
  }
}

bool achd_contact_locate(achd_contact_wrench *wrench, int njoints, const achd_real lin[],
                         const achd_real ang[], const achd_real tau_ext[]) {
  achd_clear(wrench, sizeof *wrench);
  wrench->residual = 1;
  if (njoints < 1 || njoints > ACHD_OBSERVER_JOINTS) return false;
  if (!achd_all_finite(lin, 3 * njoints) || (ang && !achd_all_finite(ang, 3 * njoints)) ||
      !achd_all_finite(tau_ext, njoints))
    return false;
  columns A;
  achd_real left[ACHD_OBSERVER_JOINTS], x[DIRECTIONS];
  fill(&A, njoints, lin, ang);
  const int rank = orthonormalize(&A, too_weak);
  const achd_real whole = dot(tau_ext, tau_ext, njoints);
  if (!(whole > 0) || !achd_finite(whole) || rank == 0) return false;
  achd_copy(left, tau_ext, njoints);
  for (int k = 0; k < rank; k++) {
    x[k] = dot(A.Q[k], left, njoints);
    for (int i = 0; i < njoints; i++) left[i] -= x[k] * A.Q[k][i];
  }
  for (int k = rank - 1; k >= 0; k--) {
    for (int c = k + 1; c < rank; c++) x[k] -= A.R[k][c] * x[c];
    x[k] /= A.R[k][k];
  }
  if (!achd_all_finite(x, rank)) return false;
  for (int k = 0; k < rank; k++) {
    const int direction = A.order[k];
    if (direction < 3)
      wrench->lin[direction] = x[k];
    else
      wrench->ang[direction - 3] = x[k];
  }
  wrench->residual = achd_sqrt(dot(left, left, njoints) / whole);
  wrench->rank = rank;
  return true;
}

bool achd_contact_mass(achd_real *mass, achd_real *residual, int njoints, const achd_real lin[],
                       const achd_real gravity[3], const achd_real tau_ext[]) {
  *mass = 0;
  *residual = 1;
  if (njoints < 1 || njoints > ACHD_OBSERVER_JOINTS) return false;
  achd_real weight[ACHD_OBSERVER_JOINTS]; /* J^T g: the torques of 1 kg */
  for (int j = 0; j < njoints; j++)
    weight[j] =
        lin[j] * gravity[0] + lin[njoints + j] * gravity[1] + lin[2 * njoints + j] * gravity[2];
  const achd_real size = dot(weight, weight, njoints), whole = dot(tau_ext, tau_ext, njoints);
  const achd_real found = dot(weight, tau_ext, njoints) / size;
  if (!(size > 0) || !(whole > 0) || !achd_finite(size) || !achd_finite(whole) ||
      !achd_finite(found))
    return false;
  achd_real left = 0;
  for (int j = 0; j < njoints; j++) {
    const achd_real apart = tau_ext[j] - found * weight[j];
    left += apart * apart;
  }
  *mass = found;
  *residual = achd_sqrt(left / whole);
  return true;
}

/* ---- what to do ---- */

/* Share of the damping of a stop with which an arm floats: it comes to rest when it is let go of. */
static const achd_real floating = (achd_real)0.05;

void achd_response_torques(achd_response reaction, const achd_response_joint joints[], int njoints,
                           const achd_response_input *input, achd_real out[]) {
  for (int j = 0; j < njoints; j++) {
    const achd_response_joint *joint = &joints[j];
    const bool going_on = reaction == ACHD_RESPONSE_NONE || reaction == ACHD_RESPONSE_SLOW;
    const achd_real share = reaction == ACHD_RESPONSE_STOP ? 1 : floating;
    const achd_real follow = reaction == ACHD_RESPONSE_AWAY ? joint->follow * input->tau_ext[j] : 0;
    const achd_real wanted =
        going_on ? input->tau[j]
                 : input->gravity[j] - share * joint->damping * input->qd[j] + follow;
    const bool good = joint->effort > 0 && joint->damping >= 0 && joint->follow >= 0;
    out[j] = good && achd_finite(wanted) ? achd_clamp(wanted, -joint->effort, joint->effort) : 0;
  }
}

achd_real achd_response_speed(achd_response reaction, achd_real slow) {
  if (reaction == ACHD_RESPONSE_NONE) return 1;
  return reaction == ACHD_RESPONSE_SLOW ? achd_clamp(slow, 0, 1) : 0;
}

/* SPDX-License-Identifier: MIT */
/* posture_test.c: a posture's spring and damper beside a tool that presses: what
 * docs/examples/posture/ leaves of them moves the elbow and not the tool, along rows that are
 * masked out too; as they are, they push along these. */
#include <achd/spatial.h>

#include "random.h"

#include "../../docs/examples/posture/posture.h"
#include "test.h"

enum { NJ = GEN3_NJ };
static const double start[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
typedef enum recipe { AS_IT_IS, PROJECTED } recipe;

static void weigh(const double q[NJ], double tau[NJ]) {
  gen3_gravity_in in = {.gravity = {0, 0, -9.81}};
  gen3_gravity_out out;
  memcpy(in.q, q, sizeof in.q);
  gen3_gravity(&in, &out);
  memcpy(tau, out.tau, sizeof out.tau);
}

/* The torques of the posture, by one recipe or the other. */
static void posture_by(recipe r, const double posture[NJ], const double q[NJ], const double qd[NJ],
                       double tau[NJ]) {
  if (r == PROJECTED)
    CHECK(posture_torques(posture, q, qd, tau) == 0);
  else
    for (int j = 0; j < NJ; j++) tau[j] = 20 * (posture[j] - q[j]) - 4 * qd[j];
}

static void twist_of(const double q[NJ], const double qd[NJ], double twist[6]) {
  gen3_fvk_in in;
  gen3_fvk_out out;
  memcpy(in.q, q, sizeof in.q);
  memcpy(in.qd, qd, sizeof in.qd);
  gen3_fvk(&in, &out);
  memcpy(twist, out.twist.tool_frame.lin, 3 * sizeof *twist);
  memcpy(twist + 3, out.twist.tool_frame.ang, 3 * sizeof *twist);
}

static void accelerate(const double q[NJ], const double qd[NJ], const double tau[NJ],
                       const gen3_wrench *push, double qdd[NJ]) {
  gen3_fd_in in = {.gravity = {0, 0, -9.81}};
  gen3_fd_out out;
  memcpy(in.q, q, sizeof in.q);
  memcpy(in.qd, qd, sizeof in.qd);
  memcpy(in.tau, tau, sizeof in.tau);
  in.push = *push;
  gen3_fd(&in, &out);
  memcpy(qdd, out.qdd, sizeof out.qdd);
}

/* At rest the tool's acceleration is the Jacobian times qdd, as a twist is the Jacobian times qd.
 */
static void tool_feels_nothing_of_the_posture_along_masked_rows(void) {
  static const gen3_wrench none = {{0}, {0}};
  unsigned long long random = 11;
  double most[2] = {0}, towards = INFINITY;
  for (int k = 0; k < 200; k++)
    for (recipe r = AS_IT_IS; r <= PROJECTED; r++) {
      gen3_achd_in in = {.gravity = {0, 0, -9.81}};
      gen3_achd_out out;
      double posture[NJ], weight[NJ], moved[NJ], qdd[NJ], a[6], still[NJ] = {0}, power = 0;
      for (int j = 0; j < NJ; j++) {
        in.q[j] = start[j] + 0.3 * (random_number(&random) - 0.5);
        posture[j] = start[j] + 0.6 * (random_number(&random) - 0.5);
      }
      for (int i = 0; i < GEN3_NR; i++) in.mask[i] = (k >> i) % 2;
      weigh(in.q, weight);
      posture_by(r, posture, in.q, still, moved);
      for (int j = 0; j < NJ; j++) in.tau_art[j] = weight[j] + moved[j];
      CHECK((gen3_achd(&in, &out) & ~(unsigned)GEN3_SINGULAR) == 0);
      accelerate(in.q, still, out.tau_ctrl, &none, qdd);
      twist_of(in.q, qdd, a);
      for (int i = 0; i < 6; i++) most[r] = fmax(most[r], fabs(a[i]));
      for (int j = 0; j < NJ; j++) power += moved[j] * qdd[j];
      if (r == PROJECTED) towards = fmin(towards, power);
    }
  printf("  tool's acceleration by the posture: as it is %.2g, projected %.2g\n", most[0], most[1]);
  CHECK(most[AS_IT_IS] > 1);
  CHECK(most[PROJECTED] < 1e-9);
  CHECK(towards > 0); /* and what is left moves the arm the posture's way */
}

/* Half a second before it counts: 10 N on a stiff table below the tool, the other directions held.
 * The posture's elbow is 0.4 rad away. Returns the mean force on the table; *swivel: how far the
 * first joint has come. */
static double press(recipe r, double *swivel) {
  const double period = 1e-3, stiffness = 2e4, damping = 400;
  double q[NJ], qd[NJ] = {0}, posture[NJ], sum = 0, home[6] = {0}, drift[6] = {0};
  int counted = 0;
  gen3_fk_in at;
  gen3_fk_out pose;
  memcpy(q, start, sizeof q);
  memcpy(posture, start, sizeof posture);
  posture[0] += 0.4, posture[2] -= 0.4, posture[1] += 0.3, posture[3] += 0.3;
  memcpy(at.q, q, sizeof at.q);
  gen3_fk(&at, &pose);
  memcpy(home, pose.pose.tool_frame.p, 3 * sizeof *home);
  const double table = home[2]; /* it touches */
  for (int k = 0; k < 3000; k++) {
    gen3_achd_in in = {.gravity = {0, 0, -9.81}};
    gen3_achd_out out;
    double v[6], weight[NJ], moved[NJ], qdd[NJ];
    memcpy(at.q, q, sizeof at.q);
    gen3_fk(&at, &pose);
    twist_of(q, qd, v);
    const double depth = table - pose.pose.tool_frame.p[2];
    if (depth > 0) in.push.lin[2] = fmax(0, stiffness * depth - damping * v[2]);
    for (int i = 0; i < 6; i++) drift[i] += v[i] * period;
    for (int i = 0; i < GEN3_NR; i++) {
      in.mask[i] = i != GEN3_TOOL_LIN_Z;
      in.b[i] = -400 * drift[i] - 40 * v[i];
    }
    in.press.lin[2] = -10;
    memcpy(in.q, q, sizeof q);
    memcpy(in.qd, qd, sizeof qd);
    weigh(q, weight);
    posture_by(r, posture, q, qd, moved);
    for (int j = 0; j < NJ; j++) in.tau_art[j] = weight[j] + moved[j];
    CHECK(gen3_achd(&in, &out) == 0);
    accelerate(q, qd, out.tau_ctrl, &in.push, qdd);
    for (int j = 0; j < NJ; j++) {
      qd[j] += qdd[j] * period;
      q[j] += qd[j] * period;
    }
    if (k >= 500) sum += in.push.lin[2], counted++;
  }
  *swivel = q[0] - start[0];
  return sum / counted;
}

static void pressed_force_is_the_one_asked_for(void) {
  double swivel[2];
  const double as_it_is = press(AS_IT_IS, &swivel[0]), projected = press(PROJECTED, &swivel[1]);
  printf("  10 N asked for: as it is %.2f N, projected %.2f N; joint 1 came %.2f, %.2f rad\n",
         as_it_is, projected, swivel[0], swivel[1]);
  CHECK(fabs(as_it_is - 10) > 2);
  CHECK_NEAR(projected, 10, 0.1);
  CHECK(swivel[1] > 0.1);
}

int main(void) {
  RUN(tool_feels_nothing_of_the_posture_along_masked_rows);
  RUN(pressed_force_is_the_one_asked_for);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* compliant_test.c: a Gen3 in MuJoCo whose tool wipes along a table that is 1 cm higher than its set-point, with friction. Its six rows
 * are servos of position and orientation, and a sensor tells the push of the table. Three ways to use that:
 *   given      the solve makes up for the push along all rows: the tool is stiff, and presses with all that the table resists
 *   not given  no row makes up for it: the tool gives way along the normal, and beside it
 *   weighed    weights.push is 0 along the normal and 1 beside it (eq. 3.42): it gives way along the normal alone
 * The model of MuJoCo and the header `arm` are of the same URDF (contact/CMakeLists.txt). */
#include "test.h"
#include "world.h"

typedef enum way { GIVEN, NOT_GIVEN, WEIGHED, WAYS } way;

static const char *const names[WAYS] = {"given", "not given", "weighed"};
static const double kp = 400, kd = 40; /* [1/s^2], [1/s] */
static const double above = 0.01, stiffness = 3e4, damping = 300, friction = 0.4, speed = 0.05;

typedef struct tool {
  double p[3], R[3][3], lin[3], ang[3];
} tool;

static tool tool_of(const world *w) {
  arm_fk_in fk = {0};
  arm_fvk_in fvk = {0};
  arm_fk_out pose = {0};
  arm_fvk_out twist = {0};
  for (int j = 0; j < N; j++) {
    fk.q[j] = fvk.q[j] = w->data->qpos[j];
    fvk.qd[j] = w->data->qvel[j];
  }
  CHECK(arm_fk(&fk, &pose) == 0 && arm_fvk(&fvk, &twist) == 0);
  tool t;
  memcpy(t.p, pose.pose.tool_frame.p, sizeof t.p);
  memcpy(t.R, pose.pose.tool_frame.R, sizeof t.R);
  memcpy(t.lin, twist.twist.tool_frame.lin, sizeof t.lin);
  memcpy(t.ang, twist.twist.tool_frame.ang, sizeof t.ang);
  return t;
}

/* Of a table with its surface at this height: spring, damper, and Coulomb's friction against the tool's way. */
static void table_force(const tool *t, double height, double f[3]) {
  f[0] = f[1] = f[2] = 0;
  if (t->p[2] >= height) return;
  f[2] = fmax(0, stiffness * (height - t->p[2]) - damping * t->lin[2]);
  const double v = hypot(t->lin[0], t->lin[1]) + 1e-3;
  for (int i = 0; i < 2; i++) f[i] = -friction * f[2] * t->lin[i] / v;
}

/* What the servos ask for; place: where the tool shall be, with the orientation of `start`. */
static void set_points(const tool *t, const tool *start, const double place[3], double b[6]) {
  double turn[3] = {0};
  for (int k = 0; k < 3; k++) { /* half the sum of the columns' cross products */
    const double x[3] = {t->R[0][k], t->R[1][k], t->R[2][k]},
                 y[3] = {start->R[0][k], start->R[1][k], start->R[2][k]};
    for (int i = 0; i < 3; i++)
      turn[i] += 0.5 * (x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3]);
  }
  for (int i = 0; i < 3; i++) {
    b[i] = kp * (place[i] - t->p[i]) + kd * ((i == 1 ? speed : 0) - t->lin[i]);
    b[3 + i] = kp * turn[i] - kd * t->ang[i];
  }
}

/* Torques of one cycle under the push f. */
static void command(const world *w, way how, const double f[3], const double b[6], double tau[N]) {
  static const arm_achd_in nothing = ARM_ACHD_IN_DEFAULT; /* all weights are 1 */
  arm_achd_in in = nothing;
  arm_achd_out out;
  arm_gravity_in at = {0};
  arm_gravity_out weight;
  for (int j = 0; j < N; j++) at.q[j] = w->data->qpos[j];
  CHECK(arm_gravity(&at, &weight) == 0);
  for (int j = 0; j < N; j++) { /* the motion that six rows leave free stays where it is */
    in.q[j] = w->data->qpos[j], in.qd[j] = w->data->qvel[j];
    in.tau_art[j] = weight.tau[j] - 2 * in.qd[j];
  }
  memcpy(in.b, b, sizeof in.b);
  if (how != NOT_GIVEN) memcpy(in.push.lin, f, sizeof in.push.lin);
  if (how == WEIGHED) in.weight.push[ARM_TOOL_LIN_Z] = 0;
  CHECK(arm_achd(&in, &out) == 0);
  memcpy(tau, out.tau_ctrl, sizeof out.tau_ctrl);
}

typedef struct outcome {
  double force, aside,
      turned; /* means of the last second: normal force [N]; error beside the normal [m], of orientation [rad] */
} outcome;

static outcome wipe(world *w, way how) {
  static const double posture[N] = {0, 0.35, 3.14159, -2.0, 0, -0.8, 1.5708};
  double tau[N] = {0}, pushed[N] = {0}, f[3], b[6];
  const int body = w->model->jnt_bodyid[N - 1], cycles = 3000;
  outcome mean = {0};
  mj_resetData(w->model, w->data);
  for (int j = 0; j < N; j++) w->data->qpos[j] = posture[j];
  mj_forward(w->model, w->data);
  const tool start = tool_of(w);
  const double height = start.p[2] - 0.005; /* it comes down first */
  for (int k = 0; k < cycles; k++) {
    const tool t = tool_of(w);
    const double time = k * period;
    const double place[3] = {start.p[0], start.p[1] + speed * time,
                             start.p[2] - fmin(0.005 + above, 0.03 * time)};
    table_force(&t, height, f);
    push_of(w, body, t.p, f, pushed);
    set_points(&t, &start, place, b);
    command(w, how, f, b, tau);
    act(w, tau, pushed);
    if (k < cycles - 1000) continue;
    const double share = 1.0 / 1000;
    mean.force += share * f[2];
    mean.aside += share * hypot(place[0] - t.p[0], place[1] - t.p[1]);
    mean.turned += share * (fabs(b[3]) + fabs(b[4]) + fabs(b[5])) / kp;
  }
  printf("%-10s the table is pressed with %6.1f N; %.3f mm beside the way, turned by %.3f mrad\n",
         names[how], mean.force, 1e3 * mean.aside, 1e3 * mean.turned);
  return mean;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  world w = open_world(argv[1]);
  outcome o[WAYS];
  for (int k = 0; k < WAYS; k++) o[k] = wipe(&w, (way)k);
  close_world(&w);
  test_name = "stiff where the push is given";
  CHECK(fabs(o[GIVEN].force - stiffness * above) < 0.1 * stiffness * above);
  test_name = "gives way along the normal";
  CHECK(o[WEIGHED].force > 5 && o[WEIGHED].force < 0.2 * o[GIVEN].force);
  test_name = "stiff beside it";
  CHECK(o[WEIGHED].aside < 0.1 * o[NOT_GIVEN].aside &&
        o[WEIGHED].turned < 0.1 * o[NOT_GIVEN].turned);
  return test_end();
}

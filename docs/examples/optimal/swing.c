/* SPDX-License-Identifier: MIT */
/* swing.c: a Kinova Gen3 swings its arm from one side to the other in a second, with a wall where
 * the straight way would lead. All that it knows of the arm it gets from external functions with
 * CasADi's interface (gen3_casadi.c). Writes swing.txt, to be replayed, and swing.svg.
 *
 *   swing [wall=0.6] [torque=1] [times=1] [check=1]
 *
 * wall: where its face is, x [m]; torque: share of the joints' efforts; times: how often it is
 * computed, for the median of the times; check: compares the slope of the cost with differences, too. Exit status: that of the optimiser (ilqr.h), 9: a file or the check. */
#define _POSIX_C_SOURCE 200809L
#define ILQR_BASE 0
#define ILQR_V 7
#define ILQR_U 7
#define ILQR_C 3
#define ILQR_STEPS 200
#include "external.h"
#include "tell.h"

EXTERNAL(gen3_dstep)
EXTERNAL(gen3_fk)
EXTERNAL(gen3_jac)

static const char *const joints[NV] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                       "joint_5", "joint_6", "joint_7"};
static const char *const points[NC] = {"elbow", "wrist", "tool"};
static const double from[NV] = {-1.5, 1.1, 0, 0.9, 0, 0.5, 0};
static const double to[NV] = {1.5, 1.1, 0, 0.9, 0, 0.5, 0};
static const double effort[NV] = {39, 39, 39, 39, 9, 9, 9}; /* of the URDF [N m] */
static const double radius = 0.05;                          /* of elbow, wrist and tool [m] */

/* c: how far elbow, wrist and tool reach beyond the wall. */
static bool model(void *context, const ilqr_state *x, const double u[NU], ilqr_model *m) {
  const double wall = *(const double *)context, *const at[] = {x->q, x->v, u, NULL};
  double *const all[] = {m->next.q, m->next.v, m->q_q[0], m->v_q[0],
                         m->q_v[0], m->v_v[0], m->q_u[0], m->v_u[0]};
  double pose[NC][12], jacobian[NC][6][NV];
  double *const poses[] = {pose[0], pose[1], pose[2]};
  double *const jacobians[] = {jacobian[0][0], jacobian[1][0], jacobian[2][0]};
  if (!call_gen3_fk((const double *[]){x->q, NULL}, poses)) return false;
  for (int j = 0; j < NC; j++) m->c[j] = pose[j][0] + radius - wall;
  if (!call_gen3_jac((const double *[]){x->q, NULL}, jacobians)) return false;
  memset(m->c_v, 0, sizeof m->c_v);
  memset(m->c_u, 0, sizeof m->c_u);
  for (int j = 0; j < NC; j++) memcpy(m->c_q[j], jacobian[j][0], sizeof m->c_q[j]);
  return call_gen3_dstep(at, all);
}

static bool draw_swing(const ilqr_problem *p, const ilqr_motion *t) {
  static panel panels[3] = {{.title = "joint positions [rad]"},
                            {.title = "joint torques, dashed: limits of joints 1 and 5 [N m]"},
                            {.title = "distance from the wall [m]"}};
  for (int i = 0; i < NV; i++) panels[0].curves[i].name = panels[1].curves[i].name = joints[i];
  for (int j = 0; j < NC; j++) panels[2].curves[j].name = points[j];
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < NV; i++) panels[0].curves[i].values[k] = t->x[k].q[i];
    for (int i = 0; i < NU; i++) panels[1].curves[i].values[k] = t->u[k][i];
    for (int j = 0; j < NC; j++) panels[2].curves[j].values[k] = -t->m[k].c[j];
  }
  panels[1].curves[0].limit = p->u_most[0];
  panels[1].curves[4].limit = p->u_most[4];
  return draw("swing.svg", p->period, panels, 3);
}

int main(int argc, char **argv) {
  static ilqr_motion begin, t;
  double wall = option(argc, argv, "wall", 0.6);
  const double share = option(argc, argv, "torque", 1);
  ilqr_problem p = {.period = 0.005,
                    .model = model,
                    .context = &wall,
                    .most_iterations = 100,
                    .tolerance = 1e-3,
                    .penalty = 10,
                    .end_error = 0.1};
  for (int i = 0; i < NV; i++) {
    p.start.q[i] = from[i];
    p.goal.q[i] = to[i];
    p.u_most[i] = share * effort[i];
    p.u_weight[i] = 1 / (effort[i] * effort[i]);
    p.weight[i] = 0.1;
    p.weight[NV + i] = 0.01;
    p.end_weight[i] = 1e4;
    p.end_weight[NV + i] = 1e3;
  }
  if (!holding(&p, p.u_rest)) return ILQR_BAD_MODEL; /* held against gravity */
  for (int k = 0; k < STEPS; k++) memcpy(begin.u[k], p.u_rest, sizeof p.u_rest);

  const ilqr_status status = optimise(&p, &begin, &t, option(argc, argv, "times", 1));
  double most = 0, end[2] = {0, 0}, d[NX];
  ilqr_difference(&t.x[STEPS], &p.goal, d);
  for (int i = 0; i < NX; i++) end[i / NV] = fmax(end[i / NV], fabs(d[i]));
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < NU; i++) most = fmax(most, fabs(t.u[k][i]) / p.u_most[i]);
  printf("%s: %d iterations, cost %.6g\n", status_text[status], t.iterations, t.cost);
  printf("at the end %.2g rad and %.2g rad/s from the goal\n", end[0], end[1]);
  printf("beyond the wall: %.2g m; torques: %.0f %% of their limits\n", t.violation, 100 * most);
  tell_worst(&p, &t, status, points);
  if (!write_motion("swing.txt", &p, &t) || !draw_swing(&p, &t)) return 9;
  if (option(argc, argv, "check", 0) != 0 && !slope_right(&p, &begin, &t)) return 9;
  return (int)status;
}

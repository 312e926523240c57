/* SPDX-License-Identifier: MIT */
/* passivity.c: see passivity.h */
#include "prove/passivity.h"

#include "prove/demands.h"
#include "prove/dense.h"

#include <string.h>

/* int r x (a x (w x r)) dm = (Sigma a) x w with Sigma = int r r^T dm = tr(I) / 2 - I */
static ag_vec moment_of_turning(const ag_mass *mass, ag_vec a, ag_vec w) {
  const ag_number trace =
      ag_number_add(ag_number_add(mass->I.x[0][0], mass->I.x[1][1]), mass->I.x[2][2]);
  const ag_vec half = ag_vec_scale(ag_number_mul(ag_number_of(0.5), trace), a);
  return ag_vec_cross(ag_vec_sub(half, ag_mat_vec(mass->I, a)), w);
}

/* Particles at r from a body's origin have the velocities sum_k (u_k + a_k x r) v_k, u_k, a_k how coordinate k moves and
 * turns the body: the partial velocity of coordinate k has the rate u_k' + a_k' x r + a_k x (w x r), and
 *   C_jk = sum over particles m (u_j + a_j x r) . (u_k' + a_k' x r + a_k x (w x r)) */
static ag_number *coriolis_of(const ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n;
  ag_number *C = ag_numbers(d, n * n), *column = ag_numbers(d, n);
  for (int i = r->problem->nbase > 0 ? 0 : 1; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    const ag_vec o = r->place[i].p, w = ag_robot_velocity(r, i, o).ang;
    for (int k = 0; k < n; k++) {
      const ag_vec a = ag_robot_partial(r, i, o, k).ang;
      const ag_motion rate = ag_robot_partial_rate(r, i, o, k);
      const ag_motion of_rate = ag_mass_times(&mass, rate);
      const ag_vec force = ag_vec_add(of_rate.lin, ag_vec_cross(a, ag_vec_cross(w, mass.h))),
                   moment = ag_vec_add(of_rate.ang, moment_of_turning(&mass, a, w));
      memset(column, 0, (size_t)n * sizeof *column);
      ag_robot_push(r, i, o, force, moment, column);
      for (int j = 0; j < n; j++) C[j * n + k] = ag_number_add(C[j * n + k], column[j]);
    }
  }
  return C;
}

void ag_define_coriolis(ag_definition *d) {
  const int n = d->robot->n;
  const ag_number *C = coriolis_of(d);
  ag_number *product = ag_numbers(d, n), *transposed = ag_numbers(d, n);
  ag_dense_times(C, n, n, d->robot->qd, product);
  ag_dense_add_transposed(C, n, n, d->robot->qd, transposed);
  ag_define_output(d, "C", C, n * n);
  ag_define_by_coordinate(d, "base.Cv", "Cv", product);
  ag_define_by_coordinate(d, "base.Ctv", "Ctv", transposed);
}

/* A coefficient of friction of a joint, of the layout or the input `name`. */
static ag_number coefficient(const ag_robot *r, const ag_value *layout, const char *word,
                             const char *input, int joint) {
  const ag_value *given = ag_value_item(layout, word);
  const ag_number *at = ag_point_find(r->point, input);
  return given ? ag_value_at(given, joint) : at ? at[joint] : ag_zero;
}

/* v / v_0, at most 1 in size */
static ag_number saturated(ag_decisions *decisions, ag_number share) {
  const ag_number minus = ag_number_neg(ag_one);
  if (ag_decide(decisions, ag_one, share)) return ag_one;
  return ag_decide(decisions, share, minus) ? minus : share;
}

/* The same of a motor that turns with w. Dry friction of one that alone moves a joint is the joint's. */
static ag_number friction_of_motor(const ag_robot *r, int m, ag_number w) {
  const ag_number viscous = ag_number_mul(r->problem->gears[m].viscous, w);
  for (int k = 0; k < r->problem->njoint_rows; k++) {
    const ag_joint_rows *g = &r->problem->joint_rows[k];
    for (int i = 0; g->motors && i < g->nrows; i++) {
      if (g->motors[i] != m) continue;
      const ag_number rests = ag_value_at(ag_value_list(g->value, "thresholds"), i);
      return ag_plus(viscous, r->problem->gears[m].coulomb,
                     saturated(r->point->decisions, ag_number_div(w, rests)));
    }
  }
  return viscous;
}

/* Friction of a joint, were it moving with v: viscous v + coulomb v / v_0, v / v_0 at most 1 in size. */
static ag_number friction_at(const ag_robot *r, const ag_value *layout, int joint, ag_number v) {
  const ag_number dry = coefficient(r, layout, "coulomb", "friction", joint),
                  viscous = coefficient(r, layout, "viscous", "viscous", joint);
  if (dry.exact == 0) return ag_number_mul(viscous, v);
  const ag_number share = ag_number_div(v, ag_value_exact(layout, "threshold"));
  return ag_plus(ag_number_mul(viscous, v), dry, saturated(r->point->decisions, share));
}

/* Whether a coefficient of friction that comes at run time is below 0. Where answers are turned, in one turn of four: torques
 * that are 0 show nothing else. */
static bool is_negative(const ag_robot *r, const char *input, int joint) {
  const ag_number *at = ag_point_find(r->point, input);
  ag_decisions *decisions = r->point->decisions;
  const int turn = decisions->turn.number;
  if (at && turn > 0) ag_decide_as(decisions, at[joint], ag_zero, turn % 4 == 1, false);
  return at && ag_decide(decisions, at[joint], ag_zero);
}

/* tau = M a_r + C v_r + g + friction of v_r - J^T f of physical wrenches; 0 where a coefficient of friction is below 0 */
void ag_define_slotine_li(ag_definition *d) {
  const ag_robot *r = d->robot, still = ag_robot_still(r);
  const int n = r->n;
  const ag_number *v_r = ag_given_by_coordinate(d, "base.twist_r", "qd_r"),
                  *a_r = ag_given_by_coordinate(d, "base.acc_r", "qdd_r");
  ag_number *tau = ag_numbers(d, n), *term = ag_numbers(d, n);
  ag_dense_times(r->M, n, n, a_r, tau);
  ag_dense_times(coriolis_of(d), n, n, v_r, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_add(tau[c], term[c]);
  ag_robot_forces(&still, NULL, r->gravity, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_add(tau[c], term[c]);
  memset(term, 0, (size_t)n * sizeof *term);
  ag_define_wrenches(d, true, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_sub(tau[c], term[c]);
  const int nb = r->problem->nbase;
  ag_number *friction = ag_numbers(d, n);
  bool negative = false;
  for (int k = 0; k < r->problem->njoint_rows; k++) {
    const ag_joint_rows *rows = &r->problem->joint_rows[k];
    for (int j = 0; rows->friction && !rows->motors && j < r->problem->njoints; j++) {
      const ag_number x = friction_at(r, rows->value, j, v_r[nb + j]);
      tau[nb + j] = ag_number_add(tau[nb + j], x);
      friction[j] = ag_number_neg(x);
      negative = is_negative(r, "friction", j) || negative;
      negative = is_negative(r, "viscous", j) || negative;
    }
  }
  for (int m = 0; m < r->problem->ngears; m++) {
    const ag_number own = friction_of_motor(r, m, ag_robot_gear(r, m, v_r));
    for (int c = nb; c < n; c++) {
      tau[c] = ag_plus(tau[c], r->gears[m * n + c], own);
      friction[c - nb] = ag_number_sub(friction[c - nb], ag_number_mul(r->gears[m * n + c], own));
    }
  }
  for (int c = 0; negative && c < n; c++) tau[c] = friction[c] = ag_zero;
  ag_define_by_coordinate(d, "base.wrench", "tau", tau);
  ag_define_output(d, "tau_friction", friction, r->problem->njoints);
}

/* M^-1 J^T of forces along the rows, by coordinate. */
static ag_number *moved_by(const ag_definition *d, const ag_number *W, const ag_demand *rows, int m,
                           const ag_number *nu) {
  const int n = d->robot->n;
  ag_number *forces = ag_numbers(d, n), *vdot = ag_numbers(d, n);
  for (int k = 0; k < m; k++) ag_dense_add_transposed(rows[k].J, 1, n, &nu[k], forces);
  ag_dense_times(W, n, n, forces, vdot);
  return vdot;
}

/* Lambda^-1 = J M^-1 J^T; by the system of the rows, Lambda, mu = Lambda (J M^-1 h - J-dot v), and p = Lambda (J M^-1 g - a),
 * where g holds the robot still on the base that is carried, and a is what the rows see of its acceleration; and
 * M^-1 J^T Lambda. */
void ag_define_operational_space(ag_definition *d) {
  const ag_robot *r = ag_robot_uncarried(d->robot), still = ag_robot_still(d->robot);
  const int n = r->n;
  int m, nframe, count = 0;
  ag_number *W = ag_numbers(d, n * n), *bias = ag_numbers(d, n), *hold = ag_numbers(d, n);
  d->singular = !ag_dense_inverse(r->M, n, W, d->arena);
  ag_demand *rows = ag_demands_at(r, &m, &nframe);
  const ag_demand **list = ag_alloc(d->arena, (size_t)(m + 1) * sizeof *list);
  for (int j = 0; j < m; j++) list[j] = &rows[j];
  const ag_system system = ag_system_of(r, W, list, m, NULL);
  d->borderline = d->borderline || system.borderline;
  d->close = d->close || system.close;
  d->acted = d->acted || system.acted;
  ag_number *inverse = ag_numbers(d, m * m), *Lambda = ag_numbers(d, m * m),
            *Jbar = ag_numbers(d, n * m), *mu = ag_numbers(d, m), *p = ag_numbers(d, m),
            *moving = ag_numbers(d, m), *resting = ag_numbers(d, m), *column = ag_numbers(d, m);
  ag_robot_forces(r, NULL, ag_no_vec, bias);
  ag_robot_forces(&still, NULL, r->gravity, hold);
  for (int j = 0; j < m; j++) {
    ag_number *unit = ag_numbers(d, m);
    unit[j] = ag_one;
    ag_system_solve(&system, unit, column);
    const ag_number *vdot = moved_by(d, W, rows, m, column);
    for (int i = 0; i < n; i++) Jbar[i * m + j] = vdot[i];
    for (int k = 0; k <= j; k++, count++) {
      inverse[count] = k == j ? system.own[j] : system.L[j * m + k];
      Lambda[count] = column[k];
    }
    moving[j] = ag_number_sub(ag_demand_caused(r, W, &rows[j], bias), rows[j].drift);
    resting[j] = ag_number_sub(ag_demand_caused(r, W, &rows[j], hold),
                               ag_demand_seen(&still, &rows[j], NULL));
  }
  ag_system_solve(&system, moving, mu);
  ag_system_solve(&system, resting, p);
  ag_define_output(d, "Lambda_inv", inverse, count);
  ag_define_output(d, "Lambda", Lambda, count);
  ag_define_output(d, "mu", mu, m);
  ag_define_output(d, "p", p, m);
  ag_define_output(d, "Jbar", Jbar, n * m);
}

/* passivity.c: see passivity.h */
#include "prove/passivity.h"

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
      ag_vec force = ag_vec_add(ag_vec_scale(mass.m, rate.lin), ag_vec_cross(rate.ang, mass.h));
      force = ag_vec_add(force, ag_vec_cross(a, ag_vec_cross(w, mass.h)));
      ag_vec moment = ag_vec_add(ag_mat_vec(mass.I, rate.ang), ag_vec_cross(mass.h, rate.lin));
      moment = ag_vec_add(moment, moment_of_turning(&mass, a, w));
      memset(column, 0, (size_t)n * sizeof *column);
      ag_robot_push(r, i, o, force, moment, column);
      for (int j = 0; j < n; j++) C[j * n + k] = ag_number_add(C[j * n + k], column[j]);
    }
  }
  return C;
}

/* By coordinate from two inputs, that of the base and that of the joints. */
static ag_number *joined(const ag_definition *d, const char *base, const char *joints) {
  const ag_robot *r = d->robot;
  const ag_number *b = ag_point_find(r->point, base), *q = ag_point_find(r->point, joints);
  ag_number *x = ag_numbers(d, r->n);
  if (b) memcpy(x, b, (size_t)r->problem->nbase * sizeof *x);
  for (int j = 0; q && j < r->problem->njoints; j++) x[r->problem->nbase + j] = q[j];
  return x;
}

static void put_by_coordinate(ag_definition *d, const char *base, const char *joints,
                              const ag_number *x) {
  const int nb = d->robot->problem->nbase;
  ag_define_output(d, base, x, nb);
  ag_define_output(d, joints, x + nb, d->robot->n - nb);
}

void ag_define_coriolis(ag_definition *d) {
  const int n = d->robot->n;
  const ag_number *C = coriolis_of(d);
  ag_number *product = ag_numbers(d, n), *transposed = ag_numbers(d, n);
  ag_dense_times(C, n, n, d->robot->qd, product);
  ag_dense_add_transposed(C, n, n, d->robot->qd, transposed);
  ag_define_output(d, "C", C, n * n);
  put_by_coordinate(d, "base.Cv", "Cv", product);
  put_by_coordinate(d, "base.Ctv", "Ctv", transposed);
}

/* tau = M a_r + C v_r + g - J^T f of physical wrenches */
void ag_define_slotine_li(ag_definition *d) {
  const ag_robot *r = d->robot, still = ag_robot_still(r);
  const int n = r->n;
  const ag_number *v_r = joined(d, "base.twist_r", "qd_r"), *a_r = joined(d, "base.acc_r", "qdd_r");
  ag_number *tau = ag_numbers(d, n), *term = ag_numbers(d, n);
  ag_dense_times(r->M, n, n, a_r, tau);
  ag_dense_times(coriolis_of(d), n, n, v_r, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_add(tau[c], term[c]);
  ag_robot_forces(&still, NULL, r->gravity, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_add(tau[c], term[c]);
  memset(term, 0, (size_t)n * sizeof *term);
  ag_define_wrenches(d, true, term);
  for (int c = 0; c < n; c++) tau[c] = ag_number_sub(tau[c], term[c]);
  put_by_coordinate(d, "base.wrench", "tau", tau);
}

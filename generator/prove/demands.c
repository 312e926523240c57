/* SPDX-License-Identifier: MIT */
/* demands.c: see demands.h */
#include "prove/demands.h"

#include <math.h>
#include <string.h>

/* A row's direction as it is given: unit vectors, columns of a rotation, or six numbers. */
static void read_direction(const ag_robot *r, const ag_group *g, int k, ag_vec *lin, ag_vec *ang) {
  *lin = *ang = ag_no_vec;
  if (g->free) {
    const ag_number *six =
        ag_point_find(r->point, ag_printf(r->arena, "dir.%s", g->name)) + 6 * (size_t)k;
    for (int i = 0; i < 3; i++) lin->x[i] = six[i], ang->x[i] = six[3 + i];
    return;
  }
  const int axis = g->rows[k][4] - 'x';
  ag_vec v = ag_unit(axis);
  if (g->axes == AG_AXES_INPUT) {
    const ag_number *R = ag_point_find(r->point, ag_printf(r->arena, "axes.%s", g->name));
    for (int i = 0; i < 3; i++) v.x[i] = R[3 * i + axis];
  }
  *(strncmp(g->rows[k], "lin", 3) == 0 ? lin : ang) = v;
}

void ag_demand_direction(const ag_robot *r, const ag_group *g, int k, ag_vec *lin, ag_vec *ang) {
  read_direction(r, g, k, lin, ang);
  if (!g->tie && (g->axes != AG_AXES_LINK || g->free)) return;
  const ag_mat R = ag_robot_axes(r, &g->frame);
  *lin = ag_mat_vec(R, *lin);
  *ang = ag_mat_vec(R, *ang);
}

static ag_number along(const ag_demand *row, ag_motion m) {
  return ag_number_add(ag_dot(row->lin, m.lin), ag_dot(row->ang, m.ang));
}

static ag_motion less(ag_motion a, ag_motion b) {
  return (ag_motion){ag_vec_sub(a.lin, b.lin), ag_vec_sub(a.ang, b.ang)};
}

static void find_jacobian(const ag_robot *r, ag_demand *row) {
  const ag_group *g = row->group;
  if (row->joint >= 0) row->J[r->problem->nbase + row->joint] = ag_one;
  for (int c = 0; row->motor >= 0 && c < r->n; c++) row->J[c] = r->gears[row->motor * r->n + c];
  if (row->joint >= 0 || !g) return; /* rows along joints alone have no group */
  const ag_site *at = g->tie ? &g->to : &g->frame;
  const ag_vec p = ag_robot_point(r, at);
  for (int c = 0; c < r->n; c++) {
    ag_motion m = ag_robot_partial(r, at->body, p, c);
    if (g->tie) m = less(m, ag_robot_partial(r, g->frame.body, p, c));
    row->J[c] = along(row, m);
  }
}

/* Of a tie: the second derivative of the place of {to} in {frame}:
 *   a_to - a_p - 2 w x (v_to - v_p),  wd_to - wd - w x w_to
 * spatial: a - w x v */
ag_number ag_demand_seen(const ag_robot *r, const ag_demand *row, const ag_number *qdd) {
  const ag_group *g = row->group;
  if (row->joint >= 0 && qdd) return qdd[r->problem->nbase + row->joint];
  if (row->motor >= 0 && qdd) return ag_robot_gear(r, row->motor, qdd);
  if (row->joint >= 0 || !g) return ag_zero;
  const ag_site *at = g->tie ? &g->to : &g->frame;
  const ag_vec p = ag_robot_point(r, at);
  ag_motion a = ag_robot_acceleration(r, at->body, p, qdd);
  const ag_motion v = ag_robot_velocity(r, at->body, p);
  if (g->tie) {
    const ag_motion here = ag_robot_velocity(r, g->frame.body, p);
    a = less(a, ag_robot_acceleration(r, g->frame.body, p, qdd));
    const ag_vec turning = ag_vec_cross(here.ang, ag_vec_sub(v.lin, here.lin));
    a.lin = ag_vec_sub(a.lin, ag_vec_add(turning, turning));
    a.ang = ag_vec_sub(a.ang, ag_vec_cross(here.ang, v.ang));
  } else if (g->spatial) {
    a.lin = ag_vec_sub(a.lin, ag_vec_cross(v.ang, v.lin));
  }
  return along(row, a);
}

/* A number of the layout, or the next one of those given at run time. */
static ag_number compliance_of(const ag_robot *r, const ag_group *g, int k, int *next) {
  const ag_value *list = ag_value_item(g->value, "compliance");
  if (!list) return ag_zero;
  if (list->items[k].type == AG_VALUE_TEXT) {
    const ag_number c = ag_point_find(r->point, "compliance")[(*next)++];
    return ag_decide(r->point->decisions, ag_zero, c) ? c : ag_zero;
  }
  return ag_value_at(list, k);
}

ag_demand *ag_demands_at(const ag_robot *r, int *count, int *nframe) {
  const ag_problem *p = r->problem;
  const ag_number *b = ag_point_find(r->point, "b"), *mask = ag_point_find(r->point, "mask");
  int most = 1, m = 0, b_at = 0, mask_at = 0, soft_at = 0;
  for (int k = 0; k < p->ngroups; k++) most += p->groups[k].nrows;
  for (int k = 0; k < p->njoint_rows; k++) most += p->joint_rows[k].nrows;
  ag_demand *rows = ag_alloc(r->arena, (size_t)most * sizeof *rows);
  for (int g = 0; g < p->ngroups; g++)
    for (int k = 0; k < p->groups[g].nrows; k++) {
      const ag_group *group = &p->groups[g];
      ag_demand *row = &rows[m++];
      *row = (ag_demand){.group = group,
                         .k = k,
                         .joint = group->axes == AG_AXES_JOINT ? group->joints[k] : -1,
                         .motor = -1,
                         .b = b ? b[b_at++] : ag_zero,
                         .physical = group->physical};
      if (group->maskable) row->masked = mask[mask_at++].value == 0;
      row->compliance = compliance_of(r, group, k, &soft_at);
      if (row->joint < 0) ag_demand_direction(r, group, k, &row->lin, &row->ang);
    }
  *nframe = m;
  for (int g = 0; g < p->njoint_rows; g++)
    for (int k = 0; k < p->joint_rows[g].nrows; k++) {
      const ag_joint_rows *of = &p->joint_rows[g];
      rows[m] = (ag_demand){.joints = of,
                            .k = k,
                            .joint = of->motors ? -1 : of->joints[k],
                            .motor = of->motors ? of->motors[k] : -1,
                            .physical = of->physical};
      if (b && of->given_b) rows[m].b = b[b_at++];
      m++;
    }
  *count = m;
  for (int j = 0; j < m; j++) {
    rows[j].J = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *rows[j].J);
    find_jacobian(r, &rows[j]);
    rows[j].drift = ag_demand_seen(r, &rows[j], NULL);
  }
  return rows;
}

ag_number ag_demand_caused(const ag_robot *r, const ag_number *W, const ag_demand *row,
                           const ag_number *forces) {
  ag_number x, *qdd = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *qdd);
  ag_dense_times(W, r->n, r->n, forces, qdd);
  ag_dense_times(row->J, 1, r->n, qdd, &x);
  return x;
}

/* ---- L nu = r ---- */

bool ag_demand_in_reach(const ag_robot *r, const ag_demand *row, ag_number own) {
  ag_decisions *decisions = r->point->decisions;
  const bool given = row->group && (row->group->free || row->group->axes == AG_AXES_INPUT);
  const ag_number most = ag_number_of(r->point->header->target.single ? 1e38 : 1e300);
  if (own.exact == 0) return false;
  const bool far = given && !ag_decide(decisions, own, most);
  return ag_decide_reach(decisions, own) && !far;
}

/* Whether motors reach a row: of L_jj enough is left. */
static bool motors_reach(const ag_robot *r, const ag_system *s, const ag_demand *row, int k) {
  const ag_number least = ag_number_of(r->point->header->target.single ? 1e-3 : 1e-8),
                  soft = ag_number_sub(s->whole[k], s->own[k]),
                  left = ag_number_sub(s->L[k * s->m + k], soft);
  if (row->physical || left.exact == s->own[k].exact) return true;
  return ag_decide(r->point->decisions, ag_number_mul(least, s->own[k]), left);
}

static bool is(const ag_robot *r, const char *policy) {
  return strcmp(r->problem->singularity, policy) == 0;
}

/* Whether d / L_kk < threshold, and the policy acts. */
static bool is_dependent(const ag_robot *r, ag_system *s, int k, ag_number d, bool grown) {
  const ag_number t = r->problem->threshold, share = ag_number_div(d, s->whole[k]);
  /* eigenvalues are judged beside the largest: one alone is it */
  const bool first = k == 0 && (!grown || is(r, "truncate"));
  if (first && !is(r, "drop")) return false;
  if (is(r, "truncate")) { /* of eigenvectors: no formula over the field */
    const bool low = d.exact == 0 || share.value < t.value;
    s->borderline = s->borderline || low || share.value < 2 * t.value;
    s->close = s->close || share.value < 1e3 * t.value;
    return low;
  }
  /* what is 0 exactly is rounding in the double */
  if (d.exact == 0) ag_decide_as(r->point->decisions, share, t, true, false);
  return ag_decide(r->point->decisions, share, t);
}

/* What stands for 1 / d. */
static void invert(const ag_robot *r, ag_system *s, const ag_demand *row, int k, ag_number d,
                   bool grown) {
  const ag_number Lkk = s->whole[k];
  const bool reached =
                 ag_demand_in_reach(r, row, s->own[k]) && (!grown || motors_reach(r, s, row, k)),
             low = s->own[k].exact != 0 && is_dependent(r, s, k, d, grown);
  s->inverse[k] = s->pivot[k] = ag_zero;
  s->acted = s->acted || (low && reached && !row->masked);
  if (reached) {
    s->pivot[k] = k == 0 && !grown ? ag_one : ag_number_div(d, Lkk);
    if (!low) {
      s->inverse[k] = ag_number_div(ag_one, d);
    } else if (!is(r, "drop")) {
      const ag_number tL = ag_number_mul(r->problem->threshold, Lkk),
                      share = ag_number_sub(ag_one, ag_number_div(d, tL));
      const ag_number added = ag_number_mul(tL, ag_number_mul(share, share));
      s->inverse[k] = ag_number_div(ag_one, ag_number_add(d, added));
      s->moved = s->moved || (added.rate != 0 && !row->masked);
    }
  } else if (!is(r, "drop") && !row->masked) {
    for (int c = 0; c < r->n; c++) s->moved = s->moved || row->J[c].rate != 0;
  }
  if (row->masked) {
    s->inverse[k] = ag_zero;
    s->pivot[k] = ag_one;
  }
}

/* Row k out of those after it: of L by L D L^T, or, by_columns, of vectors q with L = q^T q by Gram and
 * Schmidt, which the scripts take where thresholds are below half of the digits: q_j less l_j q_k. Both are the
 * same where l_jk d_k is L_jk; damping makes it less. */
static void take_out(ag_system *s, int k, ag_number d, bool by_columns) {
  const int m = s->m;
  for (int j = k + 1; j < m; j++) s->l[j * m + k] = ag_number_mul(s->L[j * m + k], s->inverse[k]);
  for (int j = k + 1; j < m; j++)
    for (int i = k + 1; i <= j; i++) {
      const ag_number lj = s->l[j * m + k], li = s->l[i * m + k];
      ag_number x = ag_number_sub(s->L[j * m + i], ag_number_mul(lj, s->L[i * m + k]));
      if (by_columns) {
        const ag_number more = ag_number_sub(ag_number_mul(lj, d), s->L[j * m + k]);
        x = ag_plus(x, li, more);
      }
      s->L[j * m + i] = x;
    }
}

ag_system ag_system_of(const ag_robot *r, const ag_number *W, const ag_demand *const *rows,
                       int count, const ag_number *more) {
  const int m = count;
  const size_t size = (size_t)m * (size_t)m + 1;
  ag_system s = {.m = m,
                 .L = ag_alloc(r->arena, size * sizeof *s.L),
                 .l = ag_alloc(r->arena, size * sizeof *s.l),
                 .whole = ag_alloc(r->arena, size * sizeof *s.whole),
                 .own = ag_alloc(r->arena, size * sizeof *s.own),
                 .inverse = ag_alloc(r->arena, size * sizeof *s.inverse),
                 .pivot = ag_alloc(r->arena, size * sizeof *s.pivot)};
  ag_number *WJ = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *WJ);
  for (int j = 0; j < m; j++) {
    ag_dense_times(W, r->n, r->n, rows[j]->J, WJ);
    for (int k = 0; k < m; k++) ag_dense_times(rows[k]->J, 1, r->n, WJ, &s.L[j * m + k]);
    s.own[j] = s.L[j * m + j];
    s.L[j * m + j] = s.whole[j] = ag_number_add(s.own[j], rows[j]->compliance);
    for (int k = 0; more && k < m; k++)
      s.L[j * m + k] = ag_number_add(s.L[j * m + k], more[j * m + k]);
  }
  ag_system left = s; /* of L, as rows go */
  left.L = ag_alloc(r->arena, size * sizeof *left.L);
  memcpy(left.L, s.L, size * sizeof *left.L);
  const double half_the_digits = r->point->header->target.single ? 2.4e-4 : 1.5e-8;
  const bool by_columns = r->problem->threshold.value < half_the_digits && !more;
  for (int k = 0; k < m; k++) {
    const ag_number d = left.L[k * m + k];
    invert(r, &s, rows[k], k, d, more != NULL);
    take_out(&left, k, d, by_columns);
  }
  return s;
}

void ag_system_solve(const ag_system *s, const ag_number *r, ag_number *nu) {
  const int m = s->m;
  for (int k = 0; k < m; k++) {
    nu[k] = r[k];
    for (int i = 0; i < k; i++) nu[k] = ag_number_sub(nu[k], ag_number_mul(s->l[k * m + i], nu[i]));
  }
  for (int k = 0; k < m; k++) nu[k] = ag_number_mul(nu[k], s->inverse[k]);
  for (int k = m - 1; k >= 0; k--)
    for (int j = k + 1; j < m; j++)
      nu[k] = ag_number_sub(nu[k], ag_number_mul(s->l[j * m + k], nu[j]));
}

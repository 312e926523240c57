/* SPDX-License-Identifier: MIT */
/* qp_levels.c: rows that cannot all be met, level by level.
 *
 * While a level is relaxed, each of its rows has an unknown more, its violation v:
 *   a x - v within bounds,   objective + y v + 1/2 r v^2,   y <- y + r v   from pass to pass. */
#include "qp_solver.h"

/* How much stiffer a relaxed row is than the unknowns along it; violations that change by no more
 * between passes have converged; passes at most. */
static const achd_real stiffness = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e3 : 1e6);
static const achd_real stiffer = 100,
                       stiffest = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e2 : 1e6);
static const achd_real settled = 65536 * ACHD_EPSILON;
/* Balances of a level: what may be left over; a multiplier above this kept the level from more, and its row is
 * held, since the balance is missed by that much where the row leaves its bound (it is above what violations that
 * have just settled leave over). Relative to the size of the sum. */
static const achd_real balanced = ACHD_QP_RESIDUAL / 64;
static const achd_real binding = (achd_real)(sizeof(achd_real) == sizeof(float) ? 0.03 : 2.5e-11);
enum { PASSES = 40 };

/* Gives the rows of a level a violation each. Returns the stiffness of weight 1 to begin with. */
static achd_real relax(achd_qp_solver *s, int level) {
  int count = 0;
  achd_real sum = 0;
  for (int j = 0; j < s->m; j++) {
    if (level_of(s, j) != level) continue;
    achd_real left;
    achd_qp_project(s, j, 1, &left); /* |w|^2 = a H^-1 a^T */
    sum += weight_of(s, j) * dot(s->size, s->w, s->w);
    s->slack[j] = (unsigned char)count++;
  }
  s->size = s->n + count;
  achd_zero(s->g + s->n, count);
  return sum > 0 ? stiffness * (achd_real)count / sum : stiffness;
}

/* Takes them away. */
static void stiffen(achd_qp_solver *s, int level) {
  for (int j = 0; j < s->m; j++) {
    if (level_of(s, j) == level) s->slack[j] = NO_SLACK;
  }
  s->size = s->n;
}

static achd_real largest_violation(const achd_qp_solver *s) {
  achd_real largest = 0;
  for (int i = 0; i < s->size - s->n; i++) {
    const achd_real here = achd_sqrt(s->stiff[i]) * achd_magnitude(s->x[s->n + i]);
    if (here > largest) largest = here;
  }
  return largest;
}

/* Whether a relaxed row is held at a bound that it is within, by a multiplier that has grown too large and shrinks from pass
 * to pass, while violations hardly change. */
static bool held_inside(const achd_qp_solver *s) {
  const achd_real length = length_of_x(s);
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    if (s->slack[j] == NO_SLACK || equality(s, j)) continue;
    const achd_real beyond = (achd_real)s->sign[j] * s->x[s->n + s->slack[j]];
    if (beyond < -rounding * terms(s, j, length)) return true;
  }
  return false;
}

/* After a pass: the multipliers of the violations grow by what is violated. Returns by how much violations differ from
 * those of the pass before, relative to the largest. */
static achd_real grow(achd_qp_solver *s, achd_real last[]) {
  achd_real change = 0;
  for (int i = 0; i < s->size - s->n; i++) {
    const achd_real v = s->x[s->n + i];
    const achd_real here = achd_sqrt(s->stiff[i]) * achd_magnitude(v - last[i]);
    if (here > change) change = here;
    last[i] = v;
    s->g[s->n + i] += s->stiff[i] * v;
  }
  if (held_inside(s)) return ACHD_INFINITY;
  return change > 0 ? change / largest_violation(s) : 0;
}

/* w_j v_j of a relaxed row; 0 where v_j is rounding. */
static achd_real force_of_violation(const achd_qp_solver *s, int j) {
  if (s->slack[j] == NO_SLACK) return 0;
  const achd_real v = s->x[s->n + s->slack[j]];
  if (achd_magnitude(v) <= rounding * terms(s, j, length_of_x(s))) return 0;
  return weight_of(s, j) * v;
}

/* y by row, of the level's rows that are relaxed: sum w_j v_j a_j + sum y_i a_i = 0 with the other
 * rows that are active, as far as those have multipliers of the right sign. Returns whether the
 * balance is met: no other violations are less. y of the level's own rows: w_j v_j. *size: of the
 * first sum's terms, in units of y_i norm_i. Leaves the factors of these rows alone. */
static bool balance(achd_qp_solver *s, achd_real y[], achd_real *size) {
  achd_real *sum = s->z, *along = s->r, *rest = s->w;
  const int count = s->active, unknowns = s->size;
  unsigned char row[ACHD_QP_ROWS];
  achd_real left, all = 0;
  achd_zero(sum, s->n);
  for (int j = 0; j < s->m; j++) {
    const achd_real *a = normal(s, j), force = force_of_violation(s, j);
    for (int i = 0; force != 0 && i < s->n; i++) sum[i] += force * a[i];
    all += achd_magnitude(force) * norm_of(s, j);
  }
  achd_assign(row, s->row, (size_t)count);
  s->size = s->n;
  achd_qp_clear(s);
  achd_copy(s->copy, sum, s->n);
  for (int c = 0; c < count; c++) {
    if (s->slack[row[c]] == NO_SLACK) achd_qp_hold(s, row[c], s->sign[row[c]]);
  }
  for (int worst = 0; worst >= 0;) {
    achd_qp_solve_l(s, s->copy, rest);
    achd_qp_times_q_transposed(s, rest, along);
    for (int c = 0; c < s->active; c++) s->u[c] = -along[c];
    achd_qp_add_q(s, s->u, rest);
    left = achd_sqrt(dot(s->n, rest, rest));
    achd_qp_solve_r(s, s->u);
    worst = -1;
    for (int c = 0; c < s->active; c++) {
      if (equality(s, s->row[c]) || !(s->u[c] < 0)) continue;
      if (worst < 0 || s->u[c] * norm_of(s, s->row[c]) < s->u[worst] * norm_of(s, s->row[worst]))
        worst = c;
    }
    if (worst >= 0) achd_qp_leave(s, worst);
  }
  achd_qp_name_multipliers(s, y);
  for (int j = 0; j < s->m; j++) {
    if (achd_magnitude(y[j]) * norm_of(s, j) <= balanced * all) y[j] = 0;
    if (s->slack[j] != NO_SLACK) y[j] = force_of_violation(s, j);
  }
  s->size = unknowns;
  *size = all;
  return left <= balanced * all;
}

/* Whether the violation v of relaxed row j is no rounding, because of its own size or because the balance, of this
 * size, needs it; largest: violation. */
static bool yields_itself(const achd_qp_solver *s, int j, achd_real largest, achd_real size) {
  const achd_real v = achd_magnitude(s->x[s->n + s->slack[j]]);
  if (v > loose * terms(s, j, length_of_x(s))) return true;
  return achd_sqrt(s->stiff[s->slack[j]]) * v > binding * largest &&
         achd_magnitude(force_of_violation(s, j)) * norm_of(s, j) > binding * size;
}

/* What a level has reached becomes the bounds of its rows. Rows of levels before it with a multiplier y kept
 * it from more: they are held from now on. Where rounding has put x outside of other rows, it counts
 * as inside, so that x is within all bounds. */
static void keep(achd_qp_solver *s, const achd_real y[], achd_real size) {
  const achd_real length = length_of_x(s), largest = largest_violation(s);
  for (int j = 0; j < s->m; j++) {
    if (!counts(s, j)) continue;
    const bool relaxed = s->slack[j] != NO_SLACK;
    const achd_real near = loose * terms(s, j, length);
    if (relaxed) s->kept[j] = equality(s, j) || yields_itself(s, j, largest, size);
    if (!relaxed && achd_magnitude(y[j]) * norm_of(s, j) > binding * size) s->kept[j] = true;
    s->slack[j] = NO_SLACK;
    const achd_real value = evaluate(s, j);
    if (s->kept[j]) {
      s->lo[j] = s->hi[j] = value;
    } else if (relaxed || (value >= s->lo[j] - near && value <= s->hi[j] + near)) {
      s->lo[j] = value < s->lo[j] ? value : s->lo[j];
      s->hi[j] = value > s->hi[j] ? value : s->hi[j];
    }
  }
  s->size = s->n;
  s->yields = true;
  achd_copy(s->reached, s->x, s->n);
}

/* Whether all relaxed rows are met but for rounding. */
static bool none_yields(const achd_qp_solver *s) {
  const achd_real length = length_of_x(s);
  for (int j = 0; j < s->m; j++) {
    if (s->slack[j] == NO_SLACK) continue;
    if (achd_magnitude(s->x[s->n + s->slack[j]]) > rounding * terms(s, j, length)) return false;
  }
  return true;
}

/* The rows of a level that cannot all be met: as near as they come. Their bounds follow, and y gets
 * the multipliers that prove it. Passes grow stiffer where they converge slowly, or to multipliers
 * that show a set of rows that is not the last; else each goes on with the factors of the one before. */
static achd_qp_outcome yield(achd_qp_solver *s, int level, signed char side[], achd_real y[],
                             achd_real last[]) {
  s->up_to = level;
  achd_qp_clear(s);
  achd_real unit = relax(s, level), residual, size = 0;
  bool anew = true;
  achd_zero(last, s->size - s->n);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int j = 0; j < s->m; j++) {
      if (s->slack[j] != NO_SLACK) s->stiff[s->slack[j]] = unit * weight_of(s, j);
    }
    const achd_qp_outcome o =
        anew ? achd_qp_run(s, side, &residual) : achd_qp_go_on(s, side, &residual);
    if (o != MET) {
      if (o == TOO_LONG) achd_qp_name_sides(s, side);
      stiffen(s, level);
      achd_zero(y, s->m);
      return o;
    }
    s->feasible = true; /* with violations, and then at what is reached */
    achd_qp_name_sides(s, side);
    const achd_real change = grow(s, last);
    anew = pass > 0 && (!anew || !(change * change <= settled));
    if (pass > 0 && (change <= settled || none_yields(s))) {
      if (balance(s, y, &size)) break;
      anew = true;
    }
    s->cut = achd_qp_too_long(s);
    if (s->cut) break;
    if (anew && unit < stiffest * stiffness) unit *= stiffer;
  }
  keep(s, y, size);
  if (s->cut) achd_qp_name_sides(s, side);
  return MET;
}

/* ---- multipliers of the right sign ---- */

/* By how much row j is outside the problem's own bounds. */
static achd_real violation_of(const achd_qp_solver *s, int j) {
  const achd_real value = times_row(s, j, s->x), lo = s->p->lo[j], hi = s->p->hi[j];
  return value > hi ? value - hi : value < lo ? value - lo : 0;
}

/* Rows that are held because level k yields have a multiplier of the right sign there, in of_level, and one of
 * any sign in y, of a later level or of the objective. The balance of level k is 0, so any multiple of
 * it may be added: twice the least that turns all signs right. */
static void turn_signs(const achd_qp_solver *s, const achd_real of_level[], achd_real y[]) {
  const achd_real length = length_of_x(s);
  achd_real by = 0;
  for (int j = 0; j < s->m; j++) {
    if (s->p->lo[j] == s->p->hi[j] || !(of_level[j] * y[j] < 0)) continue;
    if (achd_magnitude(violation_of(s, j)) > 2 * loose * terms(s, j, length)) continue;
    if (-y[j] / of_level[j] > by) by = -y[j] / of_level[j];
  }
  for (int j = 0; by > 0 && j < s->m; j++) y[j] += 2 * by * of_level[j];
}

/* Later levels first: what they add may be of either sign in the rows that an earlier one holds. */
void achd_qp_turn_signs(const achd_qp_solver *s, achd_real dual[]) {
  for (int k = 0; k <= s->p->levels; k++) {
    for (int of = k == 0 ? s->p->levels : k - 1; of >= 1; of--)
      turn_signs(s, dual + (size_t)(of * s->m), dual + (size_t)(k * s->m));
  }
}

/* ---- balances that rounding has left open ---- */

/* sum <- the gradient of level k, 0: of the objective, with what its multipliers y add. */
static void gradient(const achd_qp_solver *s, int k, const achd_real y[], achd_real sum[]) {
  if (k == 0)
    achd_qp_slope(s, sum);
  else
    achd_zero(sum, s->n);
  for (int j = 0; j < s->m; j++) {
    const achd_real *a = normal(s, j);
    for (int i = 0; y[j] != 0 && i < s->n; i++) sum[i] += y[j] * a[i];
  }
}

/* A large multiple that turned a sign brings the rounding of its level's balance into another balance. Each is met
 * again: the level's own rows get w_j v_j of the final x, and the other multipliers that are not 0 change by
 * what those leave open, y <- y - R^-1 J1^T (gradient). */
static void rebalance(achd_qp_solver *s, int k, achd_real y[]) {
  achd_real *sum = s->z, *along = s->r;
  achd_qp_clear(s);
  for (int j = 0; j < s->m; j++) {
    if (k > 0 && level_of(s, j) == k)
      y[j] = weight_of(s, j) * violation_of(s, j);
    else if (y[j] != 0)
      achd_qp_hold(s, j, 1);
  }
  for (int pass = 0; pass < 2; pass++) {
    gradient(s, k, y, sum);
    achd_qp_solve_l(s, sum, s->w);
    achd_qp_times_q_transposed(s, s->w, along);
    achd_qp_solve_r(s, along);
    for (int c = 0; c < s->active; c++) y[s->row[c]] -= along[c];
  }
}

void achd_qp_rebalance(achd_qp_solver *s, achd_real dual[]) {
  for (int k = 0; k <= s->p->levels; k++) rebalance(s, k, dual + (size_t)(k * s->m));
  achd_qp_turn_signs(s, dual);
}

/* ---- levels ---- */

/* The first row of a level that is not within its bounds; -1: none. */
static int first_outside(const achd_qp_solver *s, int level) {
  const achd_real length = length_of_x(s);
  for (int j = 0; j < s->m; j++) {
    if (level_of(s, j) != level) continue;
    if (achd_magnitude(violation_of(s, j)) > loose * terms(s, j, length)) return j;
  }
  return -1;
}

/* The first level after `done` that yielded in the last cycle, as `side` says; -1: none. */
static int level_of_last_cycle(const achd_qp_solver *s, int done, const signed char side[]) {
  int first = -1;
  for (int j = 0; j < s->m; j++) {
    const int level = level_of(s, j);
    if ((side[j] == 2 || side[j] == -2) && level != NO_LEVEL && level > done) {
      if (first < 0 || level < first) first = level;
    }
  }
  return first;
}

/* The level that yielded in the last cycle, or the last level of the contradiction, yields, which is right if those before it
 * go together; if they do not, the last level of their contradiction, and so on. CONTRADICTION: none was found after
 * `done`; *level: which one yields. */
static achd_qp_outcome guess_level(achd_qp_solver *s, int done, int *level, achd_real dual[],
                                   signed char side[], achd_real last[]) {
  achd_qp_outcome o = CONTRADICTION;
  int k = level_of_last_cycle(s, done, side);
  if (k < 0) k = s->conflict;
  for (int before = ACHD_QP_LEVELS + 1; o == CONTRADICTION;) {
    if (k <= done || k <= 0 || k >= before) break;
    s->feasible = false;
    o = yield(s, k, side, dual + (size_t)(k * s->m), last);
    *level = before = k, k = s->conflict;
  }
  return o;
}

/* Level by level after `done`, with the factors of those before, until one yields. CONTRADICTION: of level 0; *level: which
 * one yields, or the last. */
static achd_qp_outcome search_level(achd_qp_solver *s, int done, int *level, achd_real dual[],
                                    signed char side[], achd_real last[]) {
  achd_real residual;
  achd_qp_outcome o = MET;
  achd_qp_clear(s);
  for (int k = done + 1; k <= s->p->levels; k++) {
    *level = k;
    s->up_to = k, s->feasible = false;
    o = achd_qp_go_on(s, side, &residual);
    if (o == CONTRADICTION) break;
    achd_qp_name_sides(s, side);
    if (o == TOO_LONG) return o;
  }
  if (o != CONTRADICTION || *level == 0) return o;
  s->feasible = true;
  return yield(s, *level, side, dual + (size_t)(*level * s->m), last);
}

achd_qp_status achd_qp_fall_back(achd_qp_solver *s, int done, const signed char side[],
                                 achd_qp_report *report) {
  achd_qp_outcome o = MET;
  s->up_to = done > 0 ? done : 0;
  if (s->yields) {
    achd_copy(s->x, s->reached, s->n);
  } else {
    s->most_steps += 2 * (s->n + s->m);
    o = achd_qp_run(s, side, &report->residual);
  }
  report->level = o == CONTRADICTION ? 0 : s->up_to + 1;
  report->row = o == CONTRADICTION ? s->refused : -1;
  if (o == CONTRADICTION) return ACHD_QP_INFEASIBLE;
  return o == MET ? ACHD_QP_STOPPED : ACHD_QP_NOT_SOLVED;
}

/* One level after the other yields, and the rest is tried at once again. */
achd_qp_status achd_qp_solve_levels(achd_qp_solver *s, achd_real dual[], signed char side[],
                                    achd_real last[], achd_qp_report *report) {
  const int levels = s->p->levels;
  int done = -1;
  achd_qp_outcome o = CONTRADICTION;
  while (done < levels && o == CONTRADICTION) {
    int k = done;
    o = guess_level(s, done, &k, dual, side, last);
    if (o == CONTRADICTION) o = search_level(s, done, &k, dual, side, last);
    if (o == CONTRADICTION && k == 0) {
      report->level = 0;
      report->row = s->refused;
      return ACHD_QP_INFEASIBLE;
    }
    if (o != MET) break;
    const int row = first_outside(s, k);
    if (report->level < 0 && k > 0 && row >= 0) report->level = k, report->row = row;
    done = k;
    o = s->cut ? TOO_LONG : CONTRADICTION;
    if (s->cut || level_of_last_cycle(s, done, side) >= 0) continue;
    s->up_to = levels, s->feasible = done == levels;
    o = achd_qp_run(s, side, &report->residual);
    if (o == TOO_LONG) achd_qp_name_sides(s, side);
  }
  if (o == TOO_LONG) return achd_qp_fall_back(s, done, side, report);
  if (o != MET) return ACHD_QP_NOT_SOLVED;
  return report->level < 0 ? ACHD_QP_SOLVED : ACHD_QP_YIELDED;
}

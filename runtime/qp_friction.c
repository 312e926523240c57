/* SPDX-License-Identifier: MIT */
/* qp_friction.c: which joints stick and which slip, see achd/qp.h. */
#include "qp_solver.h"

#include "vector.h"

enum { ROWS_OF_JOINT = 4, DEFAULT_SOLVES = 1000 };

/* How far from its bound a value counts as beyond it, of the terms that it is the sum of; what is less
 * between two levels or objectives is no difference. */
static const achd_real nearness = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-8);

/* Which half of a condition is kept. */
typedef enum half { BOTH, WEAK, HELD } half;

/* Condition 2k: w_k <= E - r_k (WEAK) or a_k <= 0 (HELD); 2k + 1: w_k >= r_k - E or a_k >= 0. */
typedef struct choice {
  unsigned char condition, half;
  bool second; /* the other half has been searched */
} choice;

typedef struct search {
  const achd_qp_problem *p;
  const achd_qp_rubbing *rubs;
  achd_qp_problem now; /* with the bounds of the choices */
  achd_real *lo, *hi, *best_x, *best_dual, *best_lo, *best_hi, *best_side, *best_cost, *cost;
  achd_qp_status best;
  achd_qp_report best_report;
  int depth;
  choice chosen[ACHD_QP_ROWS / 2];
} search;

static achd_real value_of(const achd_qp_problem *p, int j, const achd_real x[], achd_real *size) {
  achd_real sum = 0;
  *size = 0;
  for (int i = 0; i < p->unknowns; i++) {
    const achd_real term = p->A[j * p->unknowns + i] * x[i];
    sum += term;
    *size += achd_magnitude(term);
  }
  return sum;
}

static achd_real slack_of(achd_real size, achd_real bound) {
  return nearness * (size + achd_magnitude(bound));
}

/* ---- the conditions ---- */

/* By how much condition c is broken, as a part of r: how far w is beyond the weaker of its bounds; 0: it
 * holds. */
static achd_real broken(const search *s, int c, const achd_real x[]) {
  const int row = ROWS_OF_JOINT * (c / 2);
  const achd_real most = s->rubs->stiction[c / 2], sign = c % 2 ? -1 : 1;
  if (!(most > 0)) return 0;
  const achd_real largest = c % 2 ? -s->p->lo[row] : s->p->hi[row];
  if (largest >= ACHD_QP_UNBOUNDED) return 0;
  achd_real size;
  const achd_real w = sign * value_of(s->p, row, x, &size) - (largest - 2 * most);
  if (w <= slack_of(size, largest)) return 0;
  const achd_real zero = s->p->hi[row + 1], a = sign * (value_of(s->p, row + 3, x, &size) - zero);
  return a <= slack_of(size, zero) ? 0 : w / most;
}

/* Bounds of the choices. False: they contradict each other. */
static bool set_bounds(search *s) {
  const int m = s->p->rows;
  achd_copy(s->lo, s->p->lo, m);
  achd_copy(s->hi, s->p->hi, m);
  for (int d = 0; d < s->depth; d++) {
    const int k = s->chosen[d].condition / 2, row = ROWS_OF_JOINT * k;
    const bool lower = s->chosen[d].condition % 2 != 0;
    if (s->chosen[d].half == HELD) {
      (lower ? s->lo : s->hi)[row + 3] = s->p->hi[row + 1];
    } else if (lower) {
      s->lo[row] = s->p->lo[row] + 2 * s->rubs->stiction[k];
    } else {
      s->hi[row] = s->p->hi[row] - 2 * s->rubs->stiction[k];
    }
    if (!(s->lo[row] <= s->hi[row])) return false;
  }
  return true;
}

static bool is_chosen(const search *s, int c) {
  for (int d = 0; d < s->depth; d++) {
    if (s->chosen[d].condition == c) return true;
  }
  return false;
}

/* The choice for the condition that x breaks most; false: it breaks none. */
static bool choose(search *s, const achd_real x[]) {
  achd_real most = 0;
  choice next = {0, BOTH, false};
  for (int c = 0; c < 2 * s->rubs->joints; c++) {
    const achd_real by = is_chosen(s, c) ? 0 : broken(s, c, x);
    if (by > most) {
      most = by;
      next.condition = (unsigned char)c;
      next.half = by < 1 ? WEAK : HELD; /* the nearer one first */
    }
  }
  if (next.half != BOTH) s->chosen[s->depth++] = next;
  return next.half != BOTH;
}

/* To the next choices that have not been searched. False: there are none. */
static bool go_back(search *s) {
  while (s->depth > 0 && s->chosen[s->depth - 1].second) s->depth--;
  if (s->depth == 0) return false;
  choice *last = &s->chosen[s->depth - 1];
  last->second = true;
  last->half = last->half == WEAK ? HELD : WEAK;
  return true;
}

/* ---- which answer is better ---- */

/* cost[0 .. levels - 1]: of levels 1, ..; cost[levels]: the objective. Then of each what is rounding. */
static void find_cost(const search *s, const achd_real x[], achd_real cost[]) {
  const achd_qp_problem *p = s->p;
  const int n = p->unknowns, levels = p->levels;
  achd_real *small = cost + levels + 1;
  achd_zero(cost, 2 * (levels + 1));
  for (int j = 0; j < p->rows; j++) {
    const int level = p->level ? (int)p->level[j] : 0;
    if (level == 0) continue;
    achd_real size;
    const achd_real a = value_of(p, j, x, &size), weight = p->weight ? p->weight[j] : 1;
    achd_real beyond = 0, bound = 0;
    if (a > p->hi[j]) beyond = a - p->hi[j], bound = p->hi[j];
    if (a < p->lo[j]) beyond = a - p->lo[j], bound = p->lo[j];
    const achd_real least = slack_of(size, bound);
    cost[level - 1] += weight * beyond * beyond / 2;
    small[level - 1] += weight * least * (least + achd_magnitude(beyond));
  }
  for (int i = 0; i < n; i++) {
    cost[levels] += p->g[i] * x[i];
    small[levels] += achd_magnitude(p->g[i] * x[i]);
    for (int k = 0; k <= i; k++) {
      const achd_real term = p->H[i * (i + 1) / 2 + k] * x[i] * x[k] * (k < i ? 1 : (achd_real)0.5);
      cost[levels] += term;
      small[levels] += achd_magnitude(term);
    }
  }
  small[levels] *= nearness;
}

static bool better(const search *s, const achd_real cost[], const achd_real than[]) {
  for (int k = 0; k <= s->p->levels; k++) {
    const achd_real small = cost[s->p->levels + 1 + k];
    if (cost[k] < than[k] - small) return true;
    if (cost[k] > than[k] + small) return false;
  }
  return false;
}

static bool answered(achd_qp_status status) {
  return status == ACHD_QP_SOLVED || status == ACHD_QP_YIELDED;
}

/* ---- the search ---- */

static void keep(search *s, achd_qp_status status, const achd_real x[], const achd_real dual[],
                 const signed char side[], const achd_qp_report *report) {
  const int m = s->p->rows;
  s->best = status;
  s->best_report = *report;
  achd_copy(s->best_x, x, s->p->unknowns);
  achd_copy(s->best_dual, dual, ACHD_QP_DUAL(s->p->levels, m));
  achd_copy(s->best_cost, s->cost, 2 * (s->p->levels + 1));
  achd_copy(s->best_lo, s->lo, m);
  achd_copy(s->best_hi, s->hi, m);
  for (int j = 0; j < m; j++) s->best_side[j] = side[j];
}

static void give(search *s, achd_real x[], achd_real dual[], signed char side[],
                 achd_qp_report *report) {
  const int m = s->p->rows, solves = report->solves, steps = report->steps;
  *report = s->best_report;
  report->solves = solves, report->steps = steps;
  achd_copy(x, s->best_x, s->p->unknowns);
  achd_copy(dual, s->best_dual, ACHD_QP_DUAL(s->p->levels, m));
  achd_copy(s->lo, s->best_lo, m);
  achd_copy(s->hi, s->best_hi, m);
  for (int j = 0; j < m; j++) side[j] = (signed char)s->best_side[j];
}

static bool good_sizes(const achd_qp_rubbing *r) {
  const achd_qp_problem *p = &r->problem;
  return achd_qp_good_size(p) && r->joints >= 0 && ROWS_OF_JOINT * r->joints <= p->rows &&
         achd_all_finite(r->stiction, r->joints);
}

/* Memory of the caller's. Returns what is left of it. */
static achd_real *prepare(search *s, const achd_qp_rubbing *rubs, achd_real *work) {
  const achd_qp_problem *p = &rubs->problem;
  const int m = p->rows;
  s->p = p, s->rubs = rubs, s->now = *p;
  s->best = ACHD_QP_NOT_SOLVED;
  s->depth = 0;
  s->now.lo = s->lo = take(&work, m);
  s->now.hi = s->hi = take(&work, m);
  s->best_lo = take(&work, m), s->best_hi = take(&work, m), s->best_side = take(&work, m);
  s->best_x = take(&work, p->unknowns);
  s->best_dual = take(&work, ACHD_QP_DUAL(p->levels, m));
  s->best_cost = take(&work, 2 * (p->levels + 1));
  s->cost = take(&work, 2 * (p->levels + 1));
  return work;
}

achd_qp_status achd_qp_friction(const achd_qp_rubbing *rubs, achd_real x[], achd_real dual[],
                                signed char side[], achd_real work[], achd_qp_report *report) {
  if (!good_sizes(rubs)) {
    achd_qp_problem none = rubs->problem;
    none.rows = -1;
    return achd_qp(&none, x, dual, side, 0, work, report); /* BAD_INPUT */
  }
  search s;
  achd_real *rest = prepare(&s, rubs, work);
  const int most = rubs->most_solves > 0 ? rubs->most_solves : DEFAULT_SOLVES;
  int solves = 0, steps = 0;
  bool exact = true, more = true;
  while (more && solves < most) {
    if (set_bounds(&s)) {
      const achd_qp_status status = achd_qp(&s.now, x, dual, side, 0, rest, report);
      solves++, steps += report->steps;
      if (solves == 1 && !answered(status)) return status;
      if (answered(status)) {
        find_cost(&s, x, s.cost);
        if (!answered(s.best) || better(&s, s.cost, s.best_cost)) {
          if (choose(&s, x)) continue;
          keep(&s, status, x, dual, side, report);
        }
      } else if (status != ACHD_QP_INFEASIBLE) {
        exact = false;
      }
    }
    more = go_back(&s);
  }
  report->solves = solves, report->steps = steps;
  if (!answered(s.best)) return ACHD_QP_NOT_SOLVED;
  give(&s, x, dual, side, report);
  return more || !exact ? ACHD_QP_STOPPED : s.best;
}

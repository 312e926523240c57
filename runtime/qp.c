/* qp.c: see achd/qp.h. Input that means something, the caller's memory, and the steps of the whole: all levels at once
 * by the active set (qp_active.c), and where they contradict one another, level by level (qp_levels.c). */
#include "qp_solver.h"

#include "vector.h"

bool achd_qp_good_size(const achd_qp_problem *p) {
  return p->unknowns >= 1 && p->unknowns <= ACHD_QP_UNKNOWNS && p->rows >= 0 &&
         p->rows <= ACHD_QP_ROWS && p->levels >= 0 && p->levels <= ACHD_QP_LEVELS;
}

static bool good_row(const achd_qp_problem *p, int j) {
  if (!(p->lo[j] <= p->hi[j])) return false;
  if (p->lo[j] >= ACHD_QP_UNBOUNDED || p->hi[j] <= -ACHD_QP_UNBOUNDED) return false;
  if (p->weight && !(p->weight[j] > 0 && achd_finite(p->weight[j]))) return false;
  if (!p->level) return true;
  for (int k = 0; k <= p->levels; k++) {
    if (p->level[j] == (achd_real)k) return true;
  }
  return false;
}

static bool good_input(const achd_qp_problem *p) {
  const int n = p->unknowns;
  for (int j = 0; j < p->rows; j++) {
    if (!good_row(p, j)) return false;
  }
  return achd_all_finite(p->H, n * (n + 1) / 2) && achd_all_finite(p->g, n) &&
         achd_all_finite(p->A, p->rows * n);
}

static achd_qp_status refuse(achd_qp_status status, const achd_qp_problem *p, achd_real x[],
                             achd_real dual[], signed char side[], achd_qp_report *report) {
  volatile signed char *written = side;
  achd_zero(x, p->unknowns);
  achd_zero(dual, ACHD_QP_DUAL(p->levels, p->rows));
  for (int j = 0; j < p->rows; j++) written[j] = 0;
  report->residual = ACHD_INFINITY;
  return status;
}

/* Memory of the caller's; bounds that are none become infinite. Returns memory that is left. */
static achd_real *prepare(achd_qp_solver *s, const achd_qp_problem *p, achd_real *work) {
  const int n = p->unknowns, m = p->rows, most = n + m;
  s->p = p, s->n = s->size = n, s->m = m;
  s->active = 0, s->refused = -1, s->yields = s->feasible = false;
  s->J = take(&work, most * most), s->R = take(&work, most * most);
  s->start = take(&work, n * n);
  s->x = take(&work, most), s->g = take(&work, most), s->u = take(&work, most);
  s->d = take(&work, most), s->z = take(&work, most), s->r = take(&work, most);
  s->lo = take(&work, m), s->hi = take(&work, m), s->norm = take(&work, m);
  s->bound = take(&work, m);
  s->reach = take(&work, m);
  s->stiff = take(&work, m), s->copy = take(&work, n), s->reached = take(&work, n);
  achd_copy(s->g, p->g, n);
  volatile bool *kept = s->kept;
  for (int j = 0; j < m; j++) {
    const achd_real *a = normal(s, j);
    s->lo[j] = p->lo[j] > -ACHD_QP_UNBOUNDED ? p->lo[j] : -ACHD_INFINITY;
    s->hi[j] = p->hi[j] < ACHD_QP_UNBOUNDED ? p->hi[j] : ACHD_INFINITY;
    achd_real sum = 0;
    for (int i = 0; i < n; i++) {
      if (a[i] != 0) sum += a[i] * a[i] / H_at(s, i, i);
    }
    s->norm[j] = achd_sqrt(sum);
    const achd_real low = achd_finite(s->lo[j]) ? achd_magnitude(s->lo[j]) : 0;
    const achd_real high = achd_finite(s->hi[j]) ? achd_magnitude(s->hi[j]) : 0;
    s->bound[j] = low > high ? low : high;
    s->slack[j] = NO_SLACK;
    s->position[j] = OUTSIDE;
    kept[j] = false;
  }
  return work;
}

/* All levels at once from the active rows of `side` on, and level by level where they contradict each other. */
static achd_qp_status solve(achd_qp_solver *s, achd_real x[], achd_real dual[], signed char side[],
                            achd_real last[], achd_qp_report *report) {
  const achd_qp_problem *p = s->p;
  report->residual = 0;
  report->level = report->row = -1;
  achd_zero(dual, ACHD_QP_DUAL(p->levels, p->rows));
  s->up_to = p->levels;
  const achd_qp_outcome o = achd_qp_run(s, side, &report->residual);
  achd_qp_status status = o == MET ? ACHD_QP_SOLVED : ACHD_QP_NOT_SOLVED;
  if (o == CONTRADICTION) status = achd_qp_solve_levels(s, dual, side, last, report);
  report->steps = s->steps;
  if (!achd_all_finite(s->x, s->n)) return refuse(ACHD_QP_NOT_SOLVED, p, x, dual, side, report);
  achd_copy(x, s->x, s->n);
  achd_qp_name_sides(s, side);
  achd_qp_name_multipliers(s, dual);
  if (s->yields) {
    achd_qp_certificate c;
    achd_qp_turn_signs(s, dual);
    if (!achd_qp_check(p, x, dual, &c)) {
      achd_qp_rebalance(s, dual);
      (void)achd_qp_check(p, x, dual, &c);
    }
    if (!(c.residual <= report->residual)) report->residual = c.residual;
  }
  const bool found = status == ACHD_QP_SOLVED || status == ACHD_QP_YIELDED;
  return found && !(report->residual <= ACHD_QP_RESIDUAL) ? ACHD_QP_NOT_SOLVED : status;
}

achd_qp_status achd_qp(const achd_qp_problem *problem, achd_real x[], achd_real dual[],
                       signed char side[], int most_steps, achd_real work[],
                       achd_qp_report *report) {
  report->residual = 0;
  report->steps = 0;
  report->solves = 1;
  report->level = report->row = -1;
  if (!achd_qp_good_size(problem)) {
    const bool known = problem->unknowns > 0 && problem->unknowns <= ACHD_QP_UNKNOWNS;
    achd_zero(x, known ? problem->unknowns : 0);
    report->residual = ACHD_INFINITY;
    return ACHD_QP_BAD_INPUT;
  }
  if (!good_input(problem)) return refuse(ACHD_QP_BAD_INPUT, problem, x, dual, side, report);
  achd_qp_solver s;
  achd_qp_status status = ACHD_QP_NOT_SOLVED;
  s.steps = 0;
  s.most_steps = most_steps > 0 ? most_steps : 40 * (problem->unknowns + problem->rows);
  for (int attempt = 0; attempt < 2 && status == ACHD_QP_NOT_SOLVED; attempt++) {
    if (attempt > 0 && s.steps >= s.most_steps) break;
    achd_real *last = prepare(&s, problem, work);
    s.careful = attempt > 0;
    if (!achd_qp_factor(&s)) return refuse(ACHD_QP_NOT_CONVEX, problem, x, dual, side, report);
    achd_qp_measure(&s);
    volatile signed char *from = side;
    for (int j = 0; s.careful && j < problem->rows; j++) from[j] = 0;
    status = solve(&s, x, dual, side, last, report);
  }
  return status;
}

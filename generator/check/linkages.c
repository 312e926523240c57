/* SPDX-License-Identifier: MIT */
/* linkages.c: see linkages.h
 *
 * Positions of independent joints alone say where a linkage is, but Newton's steps find it from near by only. So a random
 * position is reached from the default of linkage_start in small steps, each of which begins where the last one ended. */
#include "check/linkages.h"

#include "check/elimination.h"
#include "graph/eval.h"
#include "graph/status.h"

#include <math.h>
#include <string.h>

enum { PARTS = 30, POLISH = 3, HALVINGS = 5 };
/* Of the way, what is left for the steps of the function that is checked. */
static const double LAST = 0.003;
/* Below that pivot velocities and torques have fewer digits than are compared. */
static const double LEAST_PIVOT = 1e-4;

static const char *const START = "linkage_start.";

bool ag_has_linkages(const ag_header *header) {
  for (int k = 0; k < header->nfunctions; k++)
    for (int i = 0; i < header->functions[k]->in.nquantities; i++)
      if (strncmp(header->functions[k]->in.quantities[i].name, START, strlen(START)) == 0)
        return true;
  return false;
}

int ag_linkage_number(const ag_value *list, int index) {
  return (int)list->items[index].number;
}

static const ag_quantity *start_of(const ag_run *run, const char *name, ag_arena *arena) {
  return ag_quantity_of(&run->graph->function->in, ag_printf(arena, "%s%s", START, name));
}

static ag_linkage read_linkage(const ag_reference *r, const ag_value *told, ag_arena *arena) {
  const ag_run *fk = ag_reference_run(r, "fk"), *fvk = ag_reference_run(r, "fvk");
  const char *name = ag_value_text(told, "name");
  ag_linkage l = {.name = name,
                  .joints = ag_value_list(told, "joints"),
                  .dependent = ag_value_list(told, "dependent"),
                  .motors = ag_value_list(told, "motors"),
                  .ties = ag_value_list(told, "ties"),
                  .start = ag_sampler_find(&r->sampler, ag_printf(arena, "%s%s", START, name)),
                  .end = ag_output_of(fk, ag_printf(arena, "linkage_end.%s", name)),
                  .residual = ag_output_of(fk, ag_printf(arena, "linkage_residual.%s", name)),
                  .pivot = ag_output_of(fk, ag_printf(arena, "linkage_pivot.%s", name)),
                  .rates = ag_output_of(fvk, ag_printf(arena, "linkage_qd.%s", name)),
                  .tau = ag_printf(arena, "linkage_tau.%s", name)};
  const ag_quantity *q = start_of(fk, name, arena);
  const size_t size = (size_t)q->size, ratios = (size_t)l.dependent->length * (size_t)r->n;
  l.size = q->size;
  l.begin = q->defaults;
  l.kept = ag_alloc(arena, size * sizeof(double));
  l.ratios = ag_alloc(arena, ratios * sizeof(double));
  return l;
}

bool ag_linkages_open(ag_reference *r, ag_arena *arena, ag_err *err) {
  ag_value problem;
  if (!ag_script_problem(r->script, 0, &problem, err)) return false;
  const ag_value *list = ag_value_list(&problem, "linkages");
  r->linkages = ag_alloc(arena, ((size_t)list->length + 1) * sizeof *r->linkages);
  for (int k = 0; k < list->length; k++)
    r->linkages[r->nlinkages++] = read_linkage(r, &list->items[k], arena);
  r->drawn = ag_alloc(arena, ((size_t)r->n + 1) * sizeof *r->drawn);
  return true;
}

/* ---- positions ---- */

bool ag_linkages_closed(const ag_reference *r) {
  if (r->nlinkages == 0) return true;
  ag_run *fk = ag_reference_run(r, "fk");
  ag_run_evaluate(&r->sampler, fk, false);
  bool good = (fk->status & (AG_BIT_NOT_CLOSED | AG_BIT_NOT_FINITE)) == 0;
  for (int k = 0; k < r->nlinkages; k++) good = good && *r->linkages[k].pivot > LEAST_PIVOT;
  return good;
}

double ag_linkages_pivot(const ag_reference *r) {
  double least = 1;
  for (int k = 0; k < r->nlinkages; k++) least = fmin(least, *r->linkages[k].pivot);
  return least;
}

/* One call, and its end is the start of the next. */
static bool hand_over(const ag_reference *r) {
  const bool good = ag_linkages_closed(r);
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    memcpy(l->start, l->end, (size_t)l->size * sizeof *l->start);
  }
  return good;
}

bool ag_linkages_follow(const ag_reference *r) {
  bool good = true;
  for (int k = 0; k < POLISH && r->nlinkages > 0; k++) good = hand_over(r);
  return good;
}

void ag_linkages_keep(const ag_reference *r, bool back) {
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    memcpy(back ? l->start : l->kept, back ? l->kept : l->start,
           (size_t)l->size * sizeof *l->start);
  }
}

/* Puts the independent joints at a share of the way to where they were drawn. */
static void put(const ag_reference *r, double share, bool single) {
  double *q = ag_sampler_find(&r->sampler, "q");
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_value *joints = r->linkages[k].joints;
    for (int i = 0; i < joints->length; i++) {
      const int j = ag_linkage_number(joints, i) - 1;
      double lower, upper;
      (void)ag_sampler_range(&r->sampler, j, &lower, &upper);
      const double from = fmax(lower, fmin(upper, 0));
      q[j] = from + share * (r->drawn[j] - from);
      if (single) q[j] = (double)(float)q[j];
    }
  }
}

static bool walk(const ag_reference *r, double share, bool single) {
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    memcpy(l->start, l->begin, (size_t)l->size * sizeof *l->start);
  }
  for (int k = 1; k <= PARTS; k++) {
    put(r, share * (1 - LAST) * k / PARTS, false);
    (void)hand_over(r);
  }
  const bool near_by = ag_linkages_follow(r);
  put(r, share, single);
  for (int k = 0; single && k < r->nlinkages; k++)
    for (int i = 0; i < r->linkages[k].size; i++)
      r->linkages[k].start[i] = (double)(float)r->linkages[k].start[i];
  if (near_by && ag_linkages_closed(r)) return true;
  return ag_linkages_follow(r) && ag_linkages_closed(r); /* fewer steps do not come that far */
}

bool ag_linkages_close(const ag_reference *r, bool single, bool *shorter) {
  *shorter = false;
  if (r->nlinkages == 0) return true;
  const double *q = ag_sampler_find(&r->sampler, "q");
  memcpy(r->drawn, q, (size_t)r->header.njoints * sizeof *q);
  double share = 1;
  for (int k = 0; k < HALVINGS; k++) {
    if (walk(r, share, single)) return true;
    *shorter = true;
    share /= 2;
  }
  return false;
}

/* ---- velocities ---- */

double ag_linkages_rates(ag_reference *r) {
  double most = 1;
  if (r->nlinkages == 0) return most;
  ag_run *fvk = ag_reference_run(r, "fvk");
  const ag_quantity *qd = ag_quantity_of(&fvk->graph->function->in, "qd");
  ag_sampler_fill(&r->sampler, fvk->graph, fvk->in);
  for (int j = 0; j < r->header.njoints; j++) {
    for (int i = 0; i < qd->size; i++) fvk->in[qd->first + i] = i == j;
    fvk->status = ag_eval(fvk->graph, false, fvk->in, fvk->out, fvk->work);
    for (int k = 0; k < r->nlinkages; k++) {
      const ag_linkage *l = &r->linkages[k];
      for (int a = 0; a < l->dependent->length; a++) {
        l->ratios[a * r->n + j] = l->rates[a];
        most = fmax(most, fabs(l->rates[a]));
      }
    }
  }
  return most;
}

bool ag_linkage_torques(const ag_reference *r, const ag_linkage *l, const double *tau,
                        double *torques) {
  const int n = l->motors->length;
  ag_arena own = {0};
  long double *A = ag_alloc(&own, ((size_t)n * (size_t)n + 1) * sizeof *A),
              *x = ag_alloc(&own, ((size_t)n + 1) * sizeof *x);
  for (int b = 0; b < n; b++) {
    const int j = ag_linkage_number(l->joints, b) - 1;
    x[b] = tau[j];
    for (int m = 0; m < n; m++) {
      const int place = ag_value_integer(&l->motors->items[m], "place"),
                joint = ag_value_integer(&l->motors->items[m], "joint");
      A[b * n + m] = place > 0 ? l->ratios[(place - 1) * r->n + j] : joint == j + 1;
    }
  }
  const bool good = n > 0 && ag_eliminate(A, x, n);
  for (int m = 0; m < n; m++) torques[m] = (double)x[m];
  ag_arena_free(&own);
  return good;
}

/* SPDX-License-Identifier: MIT */
/* robot.c: see robot.h */
#include "check/robot.h"

#include "graph/eval.h"

#include <math.h>
#include <string.h>

void ag_cross(const double a[3], const double b[3], double product[3]) {
  for (int i = 0; i < 3; i++)
    product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

double ag_largest(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

ag_run ag_run_new(ag_sampler *sampler, const ag_graph *p, ag_arena *arena) {
  ag_sampler_add(sampler, p);
  const size_t size = sizeof(double);
  return (ag_run){.graph = p,
                  .in = ag_alloc(arena, (size_t)(p->function->in.nelements + 1) * size),
                  .out = ag_alloc(arena, (size_t)(p->function->out.nelements + 1) * size),
                  .work = ag_alloc(arena, (size_t)(p->dag.count + 1) * size)};
}

void ag_run_evaluate(const ag_sampler *sampler, ag_run *run, bool single) {
  ag_sampler_fill(sampler, run->graph, run->in);
  run->status = ag_eval(run->graph, single, run->in, run->out, run->work);
}

const double *ag_output_of(const ag_run *run, const char *name) {
  const ag_quantity *q = ag_quantity_of(&run->graph->function->out, name);
  return q ? run->out + q->first : NULL;
}

ag_run *ag_reference_run(const ag_reference *reference, const char *function) {
  int k = 0;
  while (strcmp(reference->header.functions[k]->name, function) != 0) k++;
  return &reference->runs[k];
}

const ag_moving_frame *ag_reference_frame(const ag_reference *reference, int link) {
  for (int k = 0; k < reference->nframes; k++)
    if (strcmp(reference->frames[k].id, reference->sampler.model->links[link].id) == 0)
      return &reference->frames[k];
  return NULL;
}

void ag_reference_join(const ag_reference *reference, const double *base, const double *joints,
                       double *x) {
  for (int i = 0; i < reference->nbase; i++) x[i] = base ? base[i] : 0;
  for (int i = reference->nbase; i < reference->n; i++)
    x[i] = joints ? joints[i - reference->nbase] : 0;
}

void ag_reference_outputs(const ag_reference *reference, const ag_run *run, const char *base,
                          const char *joints, double *x) {
  ag_reference_join(reference, ag_output_of(run, base), ag_output_of(run, joints), x);
}

static void set_input(ag_run *r, const char *name, const double *values) {
  const ag_quantity *q = ag_quantity_of(&r->graph->function->in, name);
  if (q) memcpy(r->in + q->first, values, (size_t)q->size * sizeof *values);
}

const double *ag_reference_torques(const ag_reference *reference, const double *vdot) {
  ag_run *r = ag_reference_run(reference, "id");
  ag_sampler_fill(&reference->sampler, r->graph, r->in);
  set_input(r, "base.acc", vdot);
  set_input(r, "qdd", vdot + reference->nbase);
  r->status = ag_eval(r->graph, false, r->in, r->out, r->work);
  ag_reference_outputs(reference, r, "base.wrench", "tau", reference->torques);
  return reference->torques;
}

void ag_reference_wrench(const ag_reference *reference, const ag_mark *w, double *tau,
                         double *size) {
  const ag_moving_frame *f = ag_reference_frame(reference, w->link);
  const double *values = f ? ag_sampler_find(&reference->sampler, w->name) : NULL;
  for (int j = 0; values && j < reference->n; j++)
    for (int i = 0; i < 6; i++) {
      const double term = f->jac[i * reference->n + j] * values[i];
      if (tau) tau[j] += term;
      if (size) size[j] += fabs(term);
    }
}

void ag_reference_wrenches(const ag_reference *reference, bool physical, double *tau,
                           double *size) {
  for (int m = 0; m < reference->header.nmarks; m++) {
    const ag_mark *w = &reference->header.marks[m];
    if (w->kind == AG_MARK_WRENCH && w->physical == physical)
      ag_reference_wrench(reference, w, tau, size);
  }
}

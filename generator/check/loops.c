/* SPDX-License-Identifier: MIT */
/* loops.c: see loops.h */
#include "check/loops.h"

#include "check/differences.h"
#include "check/linkages.h"

#include <math.h>
#include <string.h>

static bool slides(const ag_reference *r, int body) {
  const int link = ag_script_reduced(r->script)->bodies[body].link;
  return r->sampler.model->links[link].joint.type == AG_PRISMATIC;
}

/* The position of a body's joint. */
static double position_of(const ag_reference *r, int body) {
  const ag_reduced *reduced = ag_script_reduced(r->script);
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    const double *x = l->end;
    for (int a = 0; a < l->dependent->length; a++) {
      const int i = ag_linkage_number(l->dependent, a) - 1;
      if (i == body) return slides(r, i) ? x[0] : atan2(x[1], x[0]);
      x += slides(r, i) ? 1 : 2;
    }
  }
  const char *name = r->sampler.model->links[reduced->bodies[body].link].joint.name;
  for (int j = 0; j < r->header.njoints; j++)
    if (strcmp(r->header.joints[j].name, name) == 0) return ag_sampler_find(&r->sampler, "q")[j];
  return 0; /* one that mimics, or of a ball: it is in no loop */
}

/* The pose of a link in the base. */
static ag_pose pose_of(const ag_reference *r, int link) {
  const ag_reduced *reduced = ag_script_reduced(r->script);
  const ag_frame *f = reduced->frames;
  while (f->link != link) f++;
  ag_pose pose = f->pose;
  for (int i = f->body; i >= 0; i = reduced->bodies[i].parent) {
    const ag_body *b = &reduced->bodies[i];
    const ag_pose motion = ag_pose_of_motion(r->sampler.model->links[b->link].joint.type, b->axis,
                                             position_of(r, i), false),
                  moved = ag_pose_mul(&motion, &pose);
    pose = ag_pose_mul(&b->origin, &moved);
  }
  return pose;
}

/* How far a row of a tie is from closed. angles: how many of its rows are angular. */
static double gap_of_row(const ag_pose *seen, const char *row, int angles, int sum) {
  const int a = row[4] - 'x', b = (a + 1) % 3, c = (a + 2) % 3;
  if (strncmp(row, "lin", 3) == 0) return fabs(seen->p[a]);
  if (angles == 2)
    return fabs(seen->R[a][3 - sum]); /* how the axis leans about which it may turn */
  return fabs(seen->R[c][b] - seen->R[b][c]) / 2;
}

/* How far the ends of a tie or rod are from where they ought to be, by the model's own frames. */
static double gap_of(const ag_reference *r, const ag_value *tie) {
  const ag_pose frame = pose_of(r, ag_value_integer(tie, "frame") - 1),
                to = pose_of(r, ag_value_integer(tie, "to") - 1),
                seen = ag_pose_between(&frame, &to);
  const double length = ag_value_number(tie, "length");
  if (length > 0) return fabs(ag_check_norm(seen.p, 3) - length);
  const ag_value *rows = ag_value_list(tie, "rows");
  double most = 0;
  int angles = 0, sum = 0;
  for (int k = 0; k < rows->length; k++) {
    const char *row = rows->items[k].text;
    if (strncmp(row, "ang", 3) != 0) continue;
    angles++;
    sum += row[4] - 'x';
  }
  for (int k = 0; k < rows->length; k++)
    most = fmax(most, gap_of_row(&seen, rows->items[k].text, angles, sum));
  return most;
}

static void check_loops(ag_checker *c, const ag_linkage *l) {
  const ag_reference *r = &c->robot;
  double most = 0;
  for (int k = 0; k < l->ties->length; k++) most = fmax(most, gap_of(r, &l->ties->items[k]));
  /* the residual of a rod is of squares of lengths, and that of an angle its sine */
  ag_check_note(c, "fk", "loops are closed, by the model's frames",
                ag_check_ratio(fmax(0, most - 2 * *l->residual), fmax(1, r->measures.length)),
                AG_CHECK_BALANCE);
}

/* Velocities of dependent joints against the differences of their positions along the joints' velocities. */
static void check_rates(ag_checker *c, const ag_linkage *l, double h, double allowed) {
  const ag_reference *r = &c->robot;
  const ag_run *fk = ag_reference_run(r, "fk");
  const double *change = ag_reference_derivative(r, "fk", r->velocity, h) + (l->end - fk->out),
               *x = l->end;
  ag_run_evaluate(&r->sampler, ag_reference_run(r, "fvk"), false);
  for (int a = 0; a < l->dependent->length; a++) {
    const bool slide = slides(r, ag_linkage_number(l->dependent, a) - 1);
    const double rate = slide ? change[0] : x[0] * change[1] - x[1] * change[0];
    ag_check_note(c, "fvk", "velocities of dependent joints = differences",
                  ag_check_ratio(rate - l->rates[a], fmax(1, r->measures.speed)), allowed);
    x += slide ? 1 : 2, change += slide ? 1 : 2;
  }
}

/* By joint, tau = P_m^T tau_m. */
static void check_motors(ag_checker *c, const ag_linkage *l, const ag_run *run) {
  const ag_reference *r = &c->robot;
  const double *given = ag_output_of(run, l->tau), *tau = ag_output_of(run, "tau");
  if (!tau) tau = ag_output_of(run, "tau_ctrl");
  if (!given || !tau || (run->status & AG_BIT_NOT_CLOSED)) return;
  for (int i = 0; i < l->joints->length; i++) {
    const int j = ag_linkage_number(l->joints, i) - 1;
    double sum = -tau[j], size = fabs(tau[j]);
    for (int m = 0; m < l->motors->length; m++) {
      const int place = ag_value_integer(&l->motors->items[m], "place"),
                joint = ag_value_integer(&l->motors->items[m], "joint");
      const double term =
          (place > 0 ? l->ratios[(place - 1) * r->n + j] : joint == j + 1) * given[m];
      sum += term;
      size += fabs(term);
    }
    ag_check_note(c, run->graph->function->name, "torques of joints = those that motors cause",
                  ag_check_ratio(sum, size), AG_CHECK_BALANCE);
  }
}

void ag_check_linkages(ag_checker *c, double h, double allowed) {
  ag_reference *r = &c->robot;
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    check_loops(c, l);
    check_rates(c, l, h, allowed);
    for (int f = 0; f < r->header.nfunctions; f++) check_motors(c, l, &r->runs[f]);
  }
}

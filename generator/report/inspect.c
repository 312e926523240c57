/* SPDX-License-Identifier: MIT */
/* inspect.c: see inspect.h */
#include "report/inspect.h"

#include "lower/choice.h"
#include "graph/status.h"

#include <math.h>
#include <string.h>

static void print_limit(FILE *to, const char *name, double value, const char *unit) {
  if (!isnan(value)) fprintf(to, "  %s %g%s%s", name, value, *unit ? " " : "", unit);
}

static void joints(const ag_model *model, const ag_reduced *reduced, FILE *to) {
  fprintf(to, "\njoints (%d)\n", reduced->nbodies);
  for (int i = 0; i < reduced->nbodies; i++) {
    const ag_body *b = &reduced->bodies[i];
    const ag_link *link = &model->links[b->link];
    const ag_joint *joint = &link->joint;
    const bool slides = joint->type == AG_PRISMATIC;
    fprintf(to, "  %-24s %-10s axis %g %g %g", joint->name, ag_joint_type_names[joint->type],
            joint->axis[0], joint->axis[1], joint->axis[2]);
    print_limit(to, "lower", joint->limits.lower, slides ? "m" : "rad");
    print_limit(to, "upper", joint->limits.upper, slides ? "m" : "rad");
    print_limit(to, "velocity", joint->limits.velocity, slides ? "m/s" : "rad/s");
    print_limit(to, "effort", joint->limits.effort, slides ? "N" : "N m");
    fprintf(to, "\n");
  }
}

static void bodies(const ag_model *model, const ag_reduced *reduced, FILE *to) {
  fprintf(to, "\nbodies, with what is rigid on them\n");
  double total = reduced->base.m;
  fprintf(to, "  %-24s mass %g kg\n", "(base)", reduced->base.m);
  for (int i = 0; i < reduced->nbodies; i++) {
    const ag_body *b = &reduced->bodies[i];
    const double m = b->inertia.m;
    total += m;
    fprintf(to, "  %-24s mass %g kg", model->links[b->link].name, m);
    if (m > 0)
      fprintf(to, ", centre at %g %g %g m", b->inertia.h[0] / m, b->inertia.h[1] / m,
              b->inertia.h[2] / m);
    fprintf(to, "\n");
  }
  fprintf(to, "  %-24s mass %g kg\n", "(all)", total);
}

static void postures(const ag_model *model, FILE *to) {
  if (model->npostures > 0) fprintf(to, "\npostures of the file (%d)\n", model->npostures);
  for (int k = 0; k < model->npostures; k++) {
    fprintf(to, "  %s:", model->postures[k].name);
    for (int i = 0; i < model->nlinks; i++)
      if (!isnan(model->postures[k].q[i]))
        fprintf(to, "  %s %g", model->links[i].joint.name, model->postures[k].q[i]);
    fprintf(to, "\n");
  }
}

static void notes(const char *title, const ag_note *list, int count, const char *path, FILE *to) {
  if (count == 0) return;
  fprintf(to, "\n%s\n", title);
  for (int i = 0; i < count; i++) {
    if (list[i].line > 0)
      fprintf(to, "  %s:%d: %s\n", path, list[i].line, list[i].text);
    else
      fprintf(to, "  %s\n", list[i].text);
  }
}

static void quantities(const char *title, const ag_header *h, const ag_list *list, FILE *to) {
  fprintf(to, "  %s\n", title);
  for (int i = 0; i < list->nquantities; i++) {
    const ag_quantity *q = &list->quantities[i];
    const char *unit = ag_printf(h->arena, "[%s]", ag_units(h, list, q));
    fprintf(to, "    %-24s %-12s %3d  %-20s %s\n", q->name, ag_shape_names[q->shape], q->size, unit,
            q->doc);
  }
}

static void operations(const char *title, const ag_function *f, const ag_cost *c, FILE *to) {
  fprintf(to,
          "  %s (%s): %d = %d add + %d mul + %d div; %d neg, %d sin or cos, %d select, "
          "%d compare, %d probe; %d values live at most\n",
          title, f->formulation, ag_flops(c), c->add, c->mul, c->div, c->neg, c->trig, c->select,
          c->compare, c->probe, c->live);
}

static void function(const ag_header *h, const ag_plan *p, FILE *to) {
  const ag_function *f = p->graph->function;
  const ag_way *way = p->own.results;
  fprintf(to, "\nfunction %s\n", f->name);
  quantities("in", h, &f->in, to);
  quantities("out", h, &f->out, to);
  fprintf(to, "  status bits\n");
  for (int i = 0; i < way->nstatus; i++)
    fprintf(to, "    %3u %-14s %s\n", way->status[i].bit, ag_status_name(way->status[i].bit),
            ag_status_text(h, way->status[i].bit));
  if (p->fast) operations("operations", f, &p->fast->cost, to);
  operations(p->fast ? "at worst" : "operations", f, &p->own.cost, to);
  if (f->flops_recursion > 0) fprintf(to, "    recursion: %d\n", f->flops_recursion);
  if (f->flops_joint > 0) fprintf(to, "    joint:     %d\n", f->flops_joint);
  if (f->flops_null > 0) fprintf(to, "    null:      %d\n", f->flops_null);
  if (f->flops_early > 0) fprintf(to, "    early:     %d\n", f->flops_early);
  const char *chosen = ag_choice_text(h, p);
  if (chosen) fprintf(to, "  text: %s\n", chosen);
  if (f->saved_by_sums > 0)
    fprintf(to, "  sums of the angles of joints with parallel axes save %d operations\n",
            f->saved_by_sums);
}

void ag_losses(const ag_model *model, FILE *to) {
  for (int i = 0; i < model->nlosses; i++)
    fprintf(to, "%s:%d: %s\n", model->path, model->losses[i].line, model->losses[i].text);
}

void ag_inspect(const ag_model *model, const ag_reduced *reduced, const ag_header *header,
                FILE *to) {
  fprintf(to, "%s: robot \"%s\", %d links\n", model->path, model->name, model->nlinks);
  joints(model, reduced, to);
  bodies(model, reduced, to);
  postures(model, to);
  notes("merged", reduced->merged, reduced->nmerged, model->path, to);
  notes("snapped (--snap 0 leaves the numbers as written)", model->snapped, model->nsnapped,
        model->path, to);
  ag_note *warnings;
  int nwarnings = ag_note_merge(model->warnings, model->nwarnings, &warnings, header->arena);
  notes("warnings", warnings, nwarnings, model->path, to);
  nwarnings = ag_note_merge(reduced->warnings, reduced->nwarnings, &warnings, header->arena);
  notes("warnings of the selection", warnings, nwarnings, model->path, to);
  nwarnings = ag_note_merge(model->losses, model->nlosses, &warnings, header->arena);
  notes("not in the model (--losses has each)", warnings, nwarnings, model->path, to);
  fprintf(to, "\nlayout\n");
  for (int i = 0; i < header->nremarks; i++)
    fprintf(to, "  %-10s %s\n", header->remarks[i].key, header->remarks[i].text);
  if (header->nrows) fprintf(to, "\nrows (%d)\n", header->nrows);
  for (int i = 0; i < header->nrows; i++)
    fprintf(to, "  %2d %s.%s%s\n", i, header->rows[i].group, header->rows[i].name,
            header->rows[i].maskable ? " (maskable)" : "");
  for (int i = 0; i < header->nfunctions; i++) function(header, header->plans[i], to);
}

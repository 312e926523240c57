/* SPDX-License-Identifier: MIT */
/* mjcf_model.c: see mjcf_model.h */
#include "model/mjcf_model.h"

#include "base/names.h"

#include <math.h>

/* The ends are links that the reader has made or found. */
static void add_ties(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  model->ties = ag_alloc(arena, (size_t)(doc->nties + 1) * sizeof *model->ties);
  for (int i = 0; i < doc->nties; ++i) {
    const ag_urdf_tie *raw = &doc->ties[i];
    model->ties[model->nties++] = (ag_tie){.id = ag_identifier(raw->name, arena),
                                           .line = raw->line,
                                           .frame = ag_model_link(model, raw->frame),
                                           .to = ag_model_link(model, raw->to),
                                           .turns = raw->turns};
  }
}

static void add_postures(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  model->postures = ag_alloc(arena, (size_t)(doc->npostures + 1) * sizeof *model->postures);
  for (int i = 0; i < doc->npostures; ++i) {
    const ag_urdf_posture *raw = &doc->postures[i];
    double *q = ag_alloc(arena, (size_t)model->nlinks * sizeof *q);
    for (int k = 0; k < model->nlinks; ++k) q[k] = (double)NAN;
    for (int j = 0; j < raw->count; ++j) {
      const int link = ag_model_joint(model, raw->joints[j]);
      if (link >= 0) q[link] = raw->q[j];
    }
    model->postures[model->npostures++] = (ag_posture){raw->name, raw->line, q};
  }
}

void ag_model_from_mjcf(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  add_ties(doc, model, arena);
  add_postures(doc, model, arena);
}

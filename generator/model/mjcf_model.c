/* mjcf_model.c: see mjcf_model.h */
#include "model/mjcf_model.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

static int link_of(const ag_model *model, const char *name) {
  for (int i = 0; i < model->nlinks; ++i)
    if (strcmp(model->links[i].name, name) == 0) return i;
  return -1;
}

static int link_of_joint(const ag_model *model, const char *name) {
  for (int i = 0; i < model->nlinks; ++i)
    if (model->links[i].joint.name && strcmp(model->links[i].joint.name, name) == 0) return i;
  return -1;
}

/* The ends are links that the reader has made or found. */
static void add_ties(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  model->ties = ag_alloc(arena, (size_t)(doc->nties + 1) * sizeof *model->ties);
  for (int i = 0; i < doc->nties; ++i) {
    const ag_urdf_tie *raw = &doc->ties[i];
    model->ties[model->nties++] = (ag_tie){.id = ag_identifier(raw->name, arena),
                                           .line = raw->line,
                                           .frame = link_of(model, raw->frame),
                                           .to = link_of(model, raw->to),
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
      const int link = link_of_joint(model, raw->joints[j]);
      if (link >= 0) q[link] = raw->q[j];
    }
    model->postures[model->npostures++] = (ag_posture){raw->name, raw->line, q};
  }
}

void ag_model_from_mjcf(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  add_ties(doc, model, arena);
  add_postures(doc, model, arena);
}

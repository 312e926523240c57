/* SPDX-License-Identifier: MIT */
/* links.c: see links.h */
#include "model/links.h"

#include <string.h>

int ag_model_link(const ag_model *model, const char *name) {
  for (int i = 0; i < model->nlinks; ++i)
    if (strcmp(model->links[i].name, name) == 0) return i;
  return -1;
}

int ag_model_joint(const ag_model *model, const char *name) {
  for (int i = 0; i < model->nlinks; ++i)
    if (model->links[i].joint.name && strcmp(model->links[i].joint.name, name) == 0) return i;
  return -1;
}

/* SPDX-License-Identifier: MIT */
/* builtin.h: worlds and models that are compiled in. */
#ifndef ACHD_SIMULATED_BUILTIN_H
#define ACHD_SIMULATED_BUILTIN_H

/* A compiled-in world: the text of its file, and a compiled-in model. */
typedef struct achd_builtin {
  const char *name, *text;
} achd_builtin;
extern const achd_builtin achd_builtin_worlds[], achd_builtin_models[]; /* name NULL at the end */

#endif

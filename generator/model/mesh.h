/* SPDX-License-Identifier: MIT */
/* mesh.h: the volume of a closed surface of triangles, from a file in STL or OBJ. */
#ifndef AG_MESH_H
#define AG_MESH_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

/* Integrals over the volume that triangles enclose, for a density of 1. */
typedef struct ag_volume {
  double volume;    /* [m^3] */
  double first[3];  /* of r [m^4] */
  double second[6]; /* of r r^T: xx xy xz yy yz zz [m^5] */
} ag_volume;

/* The triangles of a mesh, three corners of three coordinates each. */
typedef struct ag_triangles {
  double *corners;
  int count;
} ag_triangles;

/* Where a mesh is named: to blame where it cannot be read. */
typedef struct ag_mesh_source {
  const char *file, *blamed; /* blamed: the file that names it */
  int line;
} ag_mesh_source;

/* Reads the triangles of a file, whose name ends in .stl or .obj. */
bool ag_mesh_read(const ag_mesh_source *source, ag_triangles *mesh, ag_arena *arena, ag_err *err);

/* Its volume, with each coordinate times its scale: three factors. */
ag_volume ag_mesh_volume(const ag_triangles *mesh, const double *scale);

#endif

/* SPDX-License-Identifier: MIT */
/* mesh.c: see mesh.h. STL is binary where its length fits its count of triangles, else text; of an
 * OBJ, vertices and faces are read, faces of more than three corners as fans. */
#define _POSIX_C_SOURCE 200809L
#include "model/mesh.h"

#include "model/urdf_bytes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 80, RECORD = 50, MOST_BYTES = 256 << 20 };

typedef struct reader {
  const ag_mesh_source *source;
  char *bytes; /* ends with a 0 */
  size_t size;
  ag_triangles *mesh;
  double *vertices;
  int nvertices;
  ag_arena *arena;
  ag_err *err;
} reader;

static bool fail(const reader *r, const char *what, const char *remedy) {
  return ag_fail(r->err, r->source->blamed, r->source->line, remedy, "mesh \"%s\": %s",
                 r->source->file, what);
}

static bool read_bytes(reader *r) {
  FILE *file = ag_is_regular(r->source->file) ? fopen(r->source->file, "rb") : NULL;
  if (!file) {
    fail(r, "the file cannot be read",
         "give the body an <inertial>, or put the file where meshdir says");
    return false;
  }
  bool good = fseek(file, 0, SEEK_END) == 0;
  const long size = good ? ftell(file) : -1;
  good = size >= 0 && size <= MOST_BYTES && fseek(file, 0, SEEK_SET) == 0;
  if (good) {
    r->size = (size_t)size;
    r->bytes = ag_alloc(r->arena, r->size + 1);
    good = fread(r->bytes, 1, r->size, file) == r->size;
    r->bytes[r->size] = 0;
  }
  (void)fclose(file);
  if (good && r->bytes) return true;
  fail(r, "the file cannot be read, or has more than 256 MB", "simplify the mesh");
  return false;
}

static double *add_triangle(reader *r) {
  r->mesh->corners = ag_room(r->arena, r->mesh->corners, r->mesh->count, 9 * sizeof(double));
  return &r->mesh->corners[(size_t)9 * (size_t)r->mesh->count++];
}

/* --- STL -------------------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool read_binary(reader *r, uint32_t count) {
  const unsigned char *at = (const unsigned char *)r->bytes + HEADER + 4;
  for (uint32_t i = 0; i < count; ++i, at += RECORD) {
    double *corners = add_triangle(r);
    for (int k = 0; k < 9; ++k) {
      const uint32_t bits = little_endian(at + 12 + (size_t)4 * (size_t)k);
      float value;
      memcpy(&value, &bits, sizeof value);
      if (!isfinite(value)) return fail(r, "a vertex is no finite number", "repair the mesh");
      corners[k] = (double)value;
    }
  }
  return true;
}

/* Three numbers; the text behind them. NULL: they are not there. */
static char *read_vertex(char *text, double out[3]) {
  for (int i = 0; i < 3; ++i) {
    char *end;
    out[i] = strtod(text, &end);
    if (end == text || !isfinite(out[i])) return NULL;
    text = end;
  }
  return text;
}

static bool read_text(reader *r) {
  int corner = 0;
  double *corners = NULL;
  for (char *at = r->bytes; (at = strstr(at, "vertex")) != NULL;) {
    if (corner == 0) corners = add_triangle(r);
    at = read_vertex(at + strlen("vertex"), &corners[(size_t)3 * (size_t)corner]);
    if (!at) return fail(r, "a vertex is no three numbers", "repair the mesh");
    corner = (corner + 1) % 3;
  }
  return corner == 0 || fail(r, "the last triangle lacks corners", "repair the mesh");
}

static bool read_stl(reader *r) {
  if (r->size >= HEADER + 4) {
    const uint32_t count = little_endian((const unsigned char *)r->bytes + HEADER);
    if ((uint64_t)count * RECORD + HEADER + 4 == r->size) return read_binary(r, count);
  }
  if (strncmp(r->bytes, "solid", 5) == 0) return read_text(r);
  return fail(r, "its length does not fit its count of triangles", "repair the mesh");
}

/* --- OBJ -------------------------------------------------------------------------------------- */

/* The vertex that a face's corner names: from 1 upwards, or from the last one backwards. */
static const double *vertex_of(const reader *r, long index) {
  const long at = index < 0 ? r->nvertices + index : index - 1;
  return at >= 0 && at < r->nvertices ? &r->vertices[3 * at] : NULL;
}

static bool read_face(reader *r, char *text, const char *end) {
  const double *first = NULL, *before = NULL;
  while (text < end) {
    char *next;
    const long index = strtol(text, &next, 10);
    if (next == text || next > end) break;
    const double *corner = vertex_of(r, index);
    if (!corner) return fail(r, "a face names a vertex that is not there", "repair the mesh");
    if (first && before) {
      double *corners = add_triangle(r);
      memcpy(corners, first, 3 * sizeof *corners);
      memcpy(corners + 3, before, 3 * sizeof *corners);
      memcpy(corners + 6, corner, 3 * sizeof *corners);
    }
    if (first) before = corner;
    if (!first) first = corner;
    text = next + strcspn(next, " \t\r\n"); /* /texture/normal */
  }
  return true;
}

static bool read_obj(reader *r) {
  for (char *line = r->bytes; *line;) {
    char *end = line + strcspn(line, "\n");
    if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
      r->vertices = ag_room(r->arena, r->vertices, r->nvertices, 3 * sizeof *r->vertices);
      if (!read_vertex(line + 1, &r->vertices[(size_t)3 * (size_t)r->nvertices]))
        return fail(r, "a vertex is no three numbers", "repair the mesh");
      r->nvertices++;
    } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t')) {
      if (!read_face(r, line + 1, end)) return false;
    }
    line = *end ? end + 1 : end;
  }
  return true;
}

bool ag_mesh_read(const ag_mesh_source *source, ag_triangles *mesh, ag_arena *arena, ag_err *err) {
  reader r = {.source = source, .mesh = mesh, .arena = arena, .err = err};
  const char *end = strrchr(source->file, '.');
  *mesh = (ag_triangles){NULL, 0};
  const bool stl = end && strcasecmp(end, ".stl") == 0, obj = end && strcasecmp(end, ".obj") == 0;
  if (!stl && !obj)
    return fail(&r, "only STL and OBJ are read",
                "give the body an <inertial>, or convert the mesh");
  if (!read_bytes(&r) || !(stl ? read_stl(&r) : read_obj(&r))) return false;
  return mesh->count > 0 || fail(&r, "it has no triangles", "repair the mesh");
}

/* --- volume ----------------------------------------------------------------------------------- */

/* Each triangle a, b, c makes a tetrahedron with the origin, of the signed volume
 *   v = a . (b x c) / 6,  with the integrals of r: v (a + b + c) / 4,
 *   and of r r^T: v / 20 (a a^T + b b^T + c c^T + (a + b + c) (a + b + c)^T). */
ag_volume ag_mesh_volume(const ag_triangles *mesh, const double *scale) {
  static const int ROW[6] = {0, 0, 0, 1, 1, 2}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
  ag_volume sum = {0};
  for (int t = 0; t < mesh->count; ++t) {
    double p[3][3], s[3];
    for (int k = 0; k < 9; ++k)
      p[k / 3][k % 3] = mesh->corners[(size_t)9 * (size_t)t + (size_t)k] * scale[k % 3];
    for (int i = 0; i < 3; ++i) s[i] = p[0][i] + p[1][i] + p[2][i];
    const double v = (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                      p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                     6;
    sum.volume += v;
    for (int i = 0; i < 3; ++i) sum.first[i] += v / 4 * s[i];
    for (int e = 0; e < 6; ++e) {
      const int i = ROW[e], j = COLUMN[e];
      double product = s[i] * s[j];
      for (int k = 0; k < 3; ++k) product += p[k][i] * p[k][j];
      sum.second[e] += v / 20 * product;
    }
  }
  if (sum.volume < 0) { /* its triangles look inwards, or a scale mirrors it */
    sum.volume = -sum.volume;
    for (int i = 0; i < 3; ++i) sum.first[i] = -sum.first[i];
    for (int i = 0; i < 6; ++i) sum.second[i] = -sum.second[i];
  }
  return sum;
}

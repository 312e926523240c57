/* SPDX-License-Identifier: MIT */
/* types.c: see types.h */
#include "emit/types.h"

#include "emit/access.h"
#include "emit/expression.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = AG_WIDTH, COMMENT_COLUMN = 30 };

static void enum_line(ag_text *t, const char *item, bool last) {
  const size_t line = t->length - (size_t)(strrchr(t->chars, '\n') + 1 - t->chars);
  if (line + strlen(item) + 2 > WIDTH) ag_text_add(t, "\n ");
  ag_text_add(t, " %s%s", item, last ? "" : ",");
}

void ag_emit_enums(ag_text *t, const ag_header *h) {
  ag_text_add(t, "#define %s_NJ %d /* joints */\n#define %s_NR %d /* constraint rows */\n",
              h->upper, h->njoints, h->upper, h->nrows);
  if (h->nmotors > 0) ag_text_add(t, "#define %s_NM %d /* motors */\n", h->upper, h->nmotors);
  if (h->target.batch)
    ag_text_add(t, "#define %s_K %d /* states in a batch */\n", h->upper, h->target.batch);
  if (h->optimum.unknowns > 0)
    ag_text_add(t,
                "#define %s_NX %d /* unknowns of the optimum */\n"
                "#define %s_NQ %d /* its rows */\n"
                "#define %s_LEVELS %d /* its last level of priority */\n",
                h->upper, h->optimum.unknowns, h->upper, h->optimum.rows, h->upper,
                h->optimum.levels);
  if (h->optimum.rubbing > 0)
    ag_text_add(t, "#define %s_NF %d /* joints with dry friction in it */\n", h->upper,
                h->optimum.rubbing);
  if (h->nbase > 0)
    ag_text_add(t,
                "#define %s_NB %d /* velocities of the base */\n"
                "#define %s_NV %d /* velocities: the base's, then joint i's at %s_NB + i */\n",
                h->upper, h->nbase, h->upper, h->nbase + h->njoints, h->upper);
  ag_text_add(t, "\n");
  if (h->njoints > 0) { /* an enumeration has one enumerator at least */
    ag_text_add(t, "enum %s_joint {\n ", h->prefix);
    for (int i = 0; i < h->njoints; i++)
      enum_line(t, ag_printf(h->arena, "%s_%s", h->upper, ag_upper(h->arena, h->joints[i].id)),
                i == h->njoints - 1);
    ag_text_add(t, "\n};\n");
  }
  if (h->nmotors > 0) {
    ag_text_add(t, "\nenum %s_motor {\n ", h->prefix);
    for (int i = 0; i < h->nmotors; i++)
      enum_line(t,
                ag_printf(h->arena, "%s_MOTOR_%s", h->upper, ag_upper(h->arena, h->motors[i].id)),
                i == h->nmotors - 1);
    ag_text_add(t, "\n};\n");
  }
  if (h->nbase > 0) {
    ag_text_add(t, "%senum %s_base {\n ", h->njoints ? "\n" : "", h->prefix);
    for (int i = 0; i < h->nbase; i++)
      enum_line(
          t,
          ag_printf(h->arena, "%s_BASE_%s", h->upper, ag_upper(h->arena, ag_base_velocity(h, i))),
          i == h->nbase - 1);
    ag_text_add(t, "\n};\n");
  }
  if (h->nrows == 0) return;
  ag_text_add(t, "\nenum %s_row {\n ", h->prefix);
  for (int i = 0; i < h->nrows; i++) {
    const ag_row_info *row = &h->rows[i];
    enum_line(t,
              ag_printf(h->arena, "%s_%s_%s", h->upper, ag_upper(h->arena, row->group),
                        ag_upper(h->arena, row->name)),
              i == h->nrows - 1);
  }
  ag_text_add(t, "\n};\n");
}

const char *ag_emit_length(const ag_header *h, const ag_quantity *q) {
  return q->shape == AG_LIST ? ag_printf(h->arena, "%d", q->count)
                             : ag_printf(h->arena, "%s_NR", h->upper);
}

/* How many velocities there are. */
static const char *velocities(const ag_header *h) {
  return ag_printf(h->arena, h->nbase ? "%s_NV" : "%s_NJ", h->upper);
}

/* "" or "[GEN3_K]": behind each number of a struct. */
static const char *dimension_of(const ag_language *l, const ag_header *h) {
  return l->dimension[0] ? ag_printf(h->arena, l->dimension, h->upper) : "";
}

/* What those types of a batch were called in 0.4 and before. */
static void emit_earlier_names(ag_text *t, const ag_language *l, const ag_header *h) {
  static const struct {
    ag_shape shape;
    const char *name;
  } types[] = {
      {AG_WRENCH, "wrench"},        {AG_TWIST, "twist"},       {AG_ACCELERATION, "acceleration"},
      {AG_DIRECTIONS, "direction"}, {AG_POSE, "pose"},         {AG_INERTIA, "inertia"},
      {AG_TENSOR, "tensor"},        {AG_JACOBIAN, "jacobian"}, {AG_QUATERNION, "quaternion"},
      {AG_PLANE, "planar"}};
  const size_t start = t->length;
  for (size_t k = 0; l->earlier && k < sizeof types / sizeof *types; k++)
    if (ag_uses_shape(h, types[k].shape))
      ag_text_add(t, "%stypedef %s_%s%s %s_%s%s;\n",
                  t->length == start ? "/* as achdgen 0.4 called them */\n" : "", h->prefix,
                  types[k].name, l->structs, h->prefix, types[k].name, l->earlier);
  if (t->length > start) ag_text_add(t, "\n");
}

/* The struct types of wrenches, poses and so on. */
void ag_emit_types(ag_text *t, const ag_language *l, const ag_header *h) {
  const char *p = h->prefix, *suffix = l->structs, *each = dimension_of(l, h);
  static const struct {
    ag_shape shape;
    const char *name, *meaning;
  } spatial[] = {
      {AG_WRENCH, "wrench", "force [N], and moment [N m] about the origin of the frame it acts on"},
      {AG_TWIST, "twist", "of a frame: velocity of its origin [m/s], angular velocity [rad/s]"},
      {AG_ACCELERATION, "acceleration",
       "of a frame: that of its origin [m/s^2], angular [rad/s^2]"},
      {AG_MOMENTUM, "spatial_momentum",
       "linear [kg m/s], angular [kg m^2/s] about the point that the comment names"},
      {AG_DIRECTIONS, "direction",
       "of a row: what it weighs linear and angular acceleration with"}};
  for (size_t k = 0; k < sizeof spatial / sizeof *spatial; k++)
    if (ag_uses_shape(h, spatial[k].shape))
      ag_text_add(
          t, "typedef struct %s_%s%s { /* %s */\n  %s_real lin[3]%s, ang[3]%s;\n} %s_%s%s;\n\n", p,
          spatial[k].name, suffix, spatial[k].meaning, p, each, each, p, spatial[k].name, suffix);
  if (ag_uses_shape(h, AG_POSE))
    ag_text_add(t,
                "typedef struct %s_pose%s { /* origin p [m]; R: columns are the frame's axes, "
                "along the %s */\n  %s_real p[3]%s, R[3][3]%s;\n} %s_pose%s;\n\n",
                p, suffix, h->nbase ? "world's" : "base's", p, each, each, p, suffix);
  if (ag_uses_shape(h, AG_INERTIA)) {
    static const char *const parts[] = {"m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz"};
    ag_text_add(t,
                "typedef struct %s_inertia%s { /* mass [kg], mass times centre of mass [kg m], "
                "inertia [kg m^2] */\n  %s_real",
                p, suffix, p);
    for (int k = 0; k < 10; k++) ag_text_add(t, "%s %s%s", k ? "," : "", parts[k], each);
    ag_text_add(t, ";\n} %s_inertia%s;\n\n", p, suffix);
  }
  if (ag_uses_shape(h, AG_TENSOR))
    ag_text_add(t,
                "typedef struct %s_tensor%s { /* rotational inertia [kg m^2] */\n"
                "  %s_real xx%s, xy%s, xz%s, yy%s, yz%s, zz%s;\n} %s_tensor%s;\n\n",
                p, suffix, p, each, each, each, each, each, each, p, suffix);
  if (ag_uses_shape(h, AG_JACOBIAN))
    ag_text_add(t,
                "typedef struct %s_jacobian%s { /* twist of a frame per unit of each %s */\n"
                "  %s_real lin[3][%s]%s, ang[3][%s]%s;\n} %s_jacobian%s;\n\n",
                p, suffix, h->nbase ? "velocity, the base's first" : "joint velocity", p,
                velocities(h), each, velocities(h), each, p, suffix);
  if (ag_uses_shape(h, AG_QUATERNION))
    ag_text_add(t,
                "typedef struct %s_quaternion%s { /* of norm 1: w = cos(angle / 2), x y z = axis * "
                "sin(angle / 2) "
                "*/\n  %s_real w%s, x%s, y%s, z%s;\n} %s_quaternion%s;\n\n",
                p, suffix, p, each, each, each, each, p, suffix);
  if (ag_uses_shape(h, AG_PLANE))
    ag_text_add(t,
                "typedef struct %s_planar%s { /* along x and y, about z */\n"
                "  %s_real x%s, y%s, yaw%s;\n} %s_planar%s;\n\n",
                p, suffix, p, each, each, each, p, suffix);
  emit_earlier_names(t, l, h);
}

/* " [rad]", of what has no comment at its type that tells. */
static const char *units(const ag_header *h, const ag_list *list, const ag_quantity *q) {
  const bool told = q->shape != AG_JOINTS && q->shape != AG_MOTORS && !ag_by_row(q->shape) &&
                    q->shape != AG_SCALAR && q->shape != AG_VECTOR && q->shape != AG_YAW &&
                    q->shape != AG_PLANE;
  const char *text = told ? "1" : ag_units(h, list, q);
  return strcmp(text, "1") == 0 ? "" : ag_printf(h->arena, " [%s]", text);
}

/* "[GEN3_NV][GEN3_NR]" */
const char *ag_derivative_dims(const ag_header *h, const ag_quantity *q) {
  const char *const rows[AG_NOF] = {[AG_OF_VELOCITIES] = velocities(h),
                                    [AG_OF_JOINTS] = ag_printf(h->arena, "%s_NJ", h->upper),
                                    [AG_OF_ROWS] = ag_printf(h->arena, "%s_NR", h->upper)};
  const char *const columns[AG_NBY] = {[AG_BY_POSITIONS] = velocities(h),
                                       [AG_BY_VELOCITIES] = velocities(h),
                                       [AG_BY_TORQUES] = rows[AG_OF_JOINTS],
                                       [AG_BY_SET_POINTS] = rows[AG_OF_ROWS],
                                       [AG_BY_WRENCH] = "6",
                                       [AG_BY_PARAMETERS] = ag_printf(h->arena, "%s_NP", h->upper)};
  return ag_printf(h->arena, "[%s][%s]", rows[q->count / AG_NBY], columns[q->count % AG_NBY]);
}

/* The arrays' dimensions of a quantity's field: "[GEN3_NJ]". */
static const char *dimensions(const ag_header *h, const ag_quantity *q) {
  switch (q->shape) {
  case AG_JOINTS:
    return ag_printf(h->arena, "[%s_NJ]", h->upper);
  case AG_MOTORS:
    return ag_printf(h->arena, "[%s_NM]", h->upper);
  case AG_ROWS:
  case AG_MASKS:
  case AG_SET_POINTS:
  case AG_BOUNDS:
  case AG_COMPLIANCES:
  case AG_WEIGHTS:
    return ag_printf(h->arena, "[%s_NR]", h->upper);
  case AG_VECTOR:
    return "[3]";
  case AG_ROTATION:
    return "[3][3]";
  case AG_DIRECTIONS:
    return ag_printf(h->arena, "[%d]", q->count);
  case AG_PACKED:
    return ag_printf(h->arena, "[%s * (%s + 1) / 2]", velocities(h), velocities(h));
  case AG_ROWS_PACKED:
    return ag_printf(h->arena, "[%s_NR * (%s_NR + 1) / 2]", h->upper, h->upper);
  case AG_MAP:
    return ag_printf(h->arena, "[%s_NR][%d]", h->upper, q->count);
  case AG_LIST:
    return ag_printf(h->arena, "[%d]", q->count);
  case AG_DERIVATIVE:
  case AG_MATRIX:
    return ag_derivative_dims(h, q);
  case AG_PARTIALS:
    return ag_printf(h->arena, "[3][%s]", velocities(h));
  default:
    return "";
  }
}

/* A struct that is written. */
typedef struct writer {
  ag_text *t;
  const ag_language *l;
  const ag_header *h;
  const ag_list *list;
} writer;

/* One field. */
static void field(const writer *w, const ag_quantity *q, const char *name, const char *indent) {
  static const char *const structs[AG_NSHAPES] = {[AG_WRENCH] = "wrench",
                                                  [AG_TWIST] = "twist",
                                                  [AG_ACCELERATION] = "acceleration",
                                                  [AG_MOMENTUM] = "spatial_momentum",
                                                  [AG_DIRECTIONS] = "direction",
                                                  [AG_POSE] = "pose",
                                                  [AG_INERTIA] = "inertia",
                                                  [AG_TENSOR] = "tensor",
                                                  [AG_JACOBIAN] = "jacobian",
                                                  [AG_QUATERNION] = "quaternion",
                                                  [AG_PLANE] = "planar"};
  const ag_header *h = w->h;
  const char *dims = dimensions(h, q);
  const char *type = structs[q->shape] ? structs[q->shape] : "real";
  const bool plain = structs[q->shape] == NULL;
  const char *declaration =
      ag_printf(h->arena, "%s%s_%s%s %s%s%s;", indent, h->prefix, type, plain ? "" : w->l->structs,
                name, dims, plain ? dimension_of(w->l, h) : "");
  const char *comment = ag_printf(h->arena, "/* %s%s%s */", q->doc, units(h, w->list, q),
                                  ag_by_row(q->shape) && q->size < h->nrows
                                      ? "; indexed by row, and read only at rows that have one"
                                      : "");
  const size_t left = strlen(declaration) > COMMENT_COLUMN ? strlen(declaration) : COMMENT_COLUMN;
  if (left + 1 + strlen(comment) <= WIDTH) {
    ag_text_add(w->t, "%-*s %s\n", COMMENT_COLUMN, declaration, comment);
  } else {
    ag_text_add(w->t, "%s", indent);
    ag_text_wrap(w->t, comment, ag_printf(h->arena, "%s * ", indent), WIDTH);
    ag_text_add(w->t, "\n%s\n", declaration);
  }
}

/* The fields whose names begin with the first `before` characters of that of the quantity `from`, which end with a dot;
 * 0: all. Names with a further dot are structs inside, where the first of those that share it stands. */
static void fields(const writer *w, int from, size_t before, const char *indent) {
  const ag_list *list = w->list;
  for (int i = from; i < list->nquantities; i++) {
    const ag_quantity *q = &list->quantities[i];
    if (strncmp(q->name, list->quantities[from].name, before) != 0) continue;
    const char *rest = q->name + before, *dot = strchr(rest, '.');
    if (!dot) {
      field(w, q, rest, indent);
      continue;
    }
    const size_t length = (size_t)(dot - q->name) + 1;
    if (ag_begun_earlier(list, i, length)) continue;
    ag_text_add(w->t, "%sstruct {\n", indent);
    fields(w, i, length, ag_printf(w->h->arena, "%s  ", indent));
    ag_text_add(w->t, "%s} %.*s;\n", indent, (int)(dot - rest), rest);
  }
}

static void one_struct(ag_text *t, const ag_language *l, const ag_header *h, const ag_list *list,
                       const char *name) {
  ag_text_add(t, "typedef struct %s_%s {\n", h->prefix, name);
  fields(&(writer){t, l, h, list}, 0, 0, "  ");
  ag_text_add(t, "} %s_%s;\n\n", h->prefix, name);
}

static void list_columns(ag_text *t, const ag_header *h, const ag_function *f, bool output) {
  const ag_list *list = output ? &f->out : &f->in;
  const int *places = ag_places(h, list);
  for (int i = 0; i < list->nelements; i++)
    if (!output || !ag_always_zero(f->graph, i))
      ag_text_add(t, " \\\n  %s(\"%s\", \"%s\", %d)", output ? "OUT" : "IN",
                  list->elements[i].column, list->elements[i].unit,
                  places[i] * (h->target.single ? 4 : 8));
}

void ag_emit_columns(ag_text *t, const ag_header *h, const ag_function *f) {
  const char *in = ag_printf(h->arena,
                             "IN(COLUMN, UNIT, OFFSET) of each input, with its offset in "
                             "bytes in %s_%s_in; ",
                             h->prefix, f->takes);
  const char *of_batch = ag_printf(
      h->arena, "; in structs of a batch, the offset of state 0 is %d times this", h->target.batch);
  const char *comment = ag_printf(
      h->arena,
      "/* The columns of --columns in their order, status apart: %sOUT(COLUMN, UNIT, OFFSET) "
      "of each result, with its offset in %s_%s_out%s. */",
      f->after ? "" : in, h->prefix, f->fills, h->target.batch ? of_batch : "");
  ag_text_add(t, "\n");
  ag_text_wrap(t, comment, " * ", AG_WIDTH);
  ag_text_add(t, "\n#define %s_%s_COLUMNS(IN, OUT)", h->upper, ag_upper(h->arena, f->name));
  if (!f->after) list_columns(t, h, f, false);
  list_columns(t, h, f, true);
  ag_text_add(t, "\n");
}

void ag_emit_structs(ag_text *t, const ag_language *l, const ag_header *h, const ag_function *f,
                     const char *name) {
  if (!f->after || name[0])
    one_struct(t, l, h, &f->in, ag_printf(h->arena, "%s_%sin", f->takes, name));
  one_struct(t, l, h, &f->out, ag_printf(h->arena, "%s_%sout", f->fills, name));
}

void ag_emit_shape(ag_text *t, const ag_header *h, const ag_function *f) {
  ag_text_add(
      t,
      "/* Changes when a field of the two structs changes its name, position or unit: write a\n"
      " * static_assert on it where your code depends on them. */\n"
      "#define %s_%s_SHAPE 0x%08" PRIx32 "u\n",
      h->upper, ag_upper(h->arena, f->name), ag_shape_hash(h, f));
}

void ag_emit_shape_check(ag_text *t, const ag_header *h, const ag_function *function) {
  ag_text_add(t,
              "#if %s_%s_SHAPE != 0x%08" PRIx32 "u\n"
              "#error \"this source and its header are of two runs of achdgen: make both again\"\n"
              "#endif\n",
              h->upper, ag_upper(h->arena, function->name), ag_shape_hash(h, function));
}

/* SPDX-License-Identifier: MIT */
/* quantity.c: see quantity.h */
#include "graph/quantity.h"

#include "base/text.h"

#include <string.h>

const char *const ag_shape_names[AG_NSHAPES] = {[AG_SCALAR] = "scalar",
                                                [AG_JOINTS] = "joints",
                                                [AG_MOTORS] = "motors",
                                                [AG_ROWS] = "rows",
                                                [AG_MASKS] = "masks",
                                                [AG_VECTOR] = "vector",
                                                [AG_WRENCH] = "wrench",
                                                [AG_TWIST] = "twist",
                                                [AG_ACCELERATION] = "acceleration",
                                                [AG_MOMENTUM] = "momentum",
                                                [AG_DIRECTIONS] = "directions",
                                                [AG_ROTATION] = "rotation",
                                                [AG_QUATERNION] = "quaternion",
                                                [AG_YAW] = "yaw",
                                                [AG_PLANE] = "planar",
                                                [AG_POSE] = "pose",
                                                [AG_INERTIA] = "inertia",
                                                [AG_TENSOR] = "tensor",
                                                [AG_JACOBIAN] = "jacobian",
                                                [AG_PARTIALS] = "partials",
                                                [AG_PACKED] = "packed",
                                                [AG_SET_POINTS] = "set_points",
                                                [AG_BOUNDS] = "bounds",
                                                [AG_COMPLIANCES] = "compliances",
                                                [AG_WEIGHTS] = "weights",
                                                [AG_ROWS_PACKED] = "rows_packed",
                                                [AG_MAP] = "map",
                                                [AG_LIST] = "list",
                                                [AG_DERIVATIVE] = "derivative",
                                                [AG_MATRIX] = "matrix"};

const char *const ag_of_names[AG_NOF + 1] = {
    [AG_OF_VELOCITIES] = "velocities", [AG_OF_JOINTS] = "joints", [AG_OF_ROWS] = "rows"};

const char *const ag_by_names[AG_NBY + 1] = {
    [AG_BY_POSITIONS] = "positions", [AG_BY_VELOCITIES] = "velocities",
    [AG_BY_TORQUES] = "torques",     [AG_BY_SET_POINTS] = "set_points",
    [AG_BY_WRENCH] = "wrench",       [AG_BY_PARAMETERS] = "parameters"};

const char *const ag_terms_names[AG_NTERMS + 1] = {[AG_TERMS_VELOCITIES] = "velocities",
                                                   [AG_TERMS_NONE] = "none",
                                                   [AG_TERMS_TORQUES] = "torques",
                                                   [AG_TERMS_ROTORS] = "rotors",
                                                   [AG_TERMS_JOINTS] = "joints",
                                                   [AG_TERMS_FORCES] = "forces",
                                                   [AG_TERMS_WORK] = "work",
                                                   [AG_TERMS_SOLVED] = "solved",
                                                   [AG_TERMS_ACCELERATIONS] = "accelerations",
                                                   [AG_TERMS_DRIFT] = "drift",
                                                   [AG_TERMS_LENGTHS] = "lengths",
                                                   [AG_TERMS_TWISTS] = "twists",
                                                   [AG_TERMS_MOMENTA] = "momenta",
                                                   [AG_TERMS_POTENTIAL] = "potential",
                                                   [AG_TERMS_KINETIC] = "kinetic",
                                                   [AG_TERMS_INERTIAS] = "inertias"};

/* The parts of the shapes whose elements are always the same: column, field and indices there, unit ([0] or [1]; the
 * rest have their own). */
typedef struct part {
  const char *column, *field;
  int indices, index[2];
  const char *unit;
} part;

#define LINEAR NULL

#define ANGULAR ""

static const part scalar_parts[] = {{"", "", 0, {0}, LINEAR}, {0}};

static const part vector_parts[] = {
    {".x", "", 1, {0}, LINEAR}, {".y", "", 1, {1}, LINEAR}, {".z", "", 1, {2}, LINEAR}, {0}};

static const part quaternion_parts[] = {{".w", "w", 0, {0}, LINEAR},
                                        {".x", "x", 0, {0}, LINEAR},
                                        {".y", "y", 0, {0}, LINEAR},
                                        {".z", "z", 0, {0}, LINEAR},
                                        {0}};

static const part planar_parts[] = {{".x", "x", 0, {0}, LINEAR},
                                    {".y", "y", 0, {0}, LINEAR},
                                    {".yaw", "yaw", 0, {0}, ANGULAR},
                                    {0}};

static const part spatial_parts[] = {{".lin_x", "lin", 1, {0}, LINEAR},
                                     {".lin_y", "lin", 1, {1}, LINEAR},
                                     {".lin_z", "lin", 1, {2}, LINEAR},
                                     {".ang_x", "ang", 1, {0}, ANGULAR},
                                     {".ang_y", "ang", 1, {1}, ANGULAR},
                                     {".ang_z", "ang", 1, {2}, ANGULAR},
                                     {0}};

static const part rotation_parts[] = {{".xx", "", 2, {0, 0}, "1"}, {".xy", "", 2, {0, 1}, "1"},
                                      {".xz", "", 2, {0, 2}, "1"}, {".yx", "", 2, {1, 0}, "1"},
                                      {".yy", "", 2, {1, 1}, "1"}, {".yz", "", 2, {1, 2}, "1"},
                                      {".zx", "", 2, {2, 0}, "1"}, {".zy", "", 2, {2, 1}, "1"},
                                      {".zz", "", 2, {2, 2}, "1"}, {0}};

static const part pose_parts[] = {{".p.x", "p", 1, {0}, "m"},
                                  {".p.y", "p", 1, {1}, "m"},
                                  {".p.z", "p", 1, {2}, "m"},
                                  {".R.xx", "R", 2, {0, 0}, "1"},
                                  {".R.xy", "R", 2, {0, 1}, "1"},
                                  {".R.xz", "R", 2, {0, 2}, "1"},
                                  {".R.yx", "R", 2, {1, 0}, "1"},
                                  {".R.yy", "R", 2, {1, 1}, "1"},
                                  {".R.yz", "R", 2, {1, 2}, "1"},
                                  {".R.zx", "R", 2, {2, 0}, "1"},
                                  {".R.zy", "R", 2, {2, 1}, "1"},
                                  {".R.zz", "R", 2, {2, 2}, "1"},
                                  {0}};

static const part inertia_parts[] = {{".m", "m", 0, {0}, "kg"},
                                     {".mx", "mx", 0, {0}, "kg m"},
                                     {".my", "my", 0, {0}, "kg m"},
                                     {".mz", "mz", 0, {0}, "kg m"},
                                     {".xx", "xx", 0, {0}, "kg m^2"},
                                     {".xy", "xy", 0, {0}, "kg m^2"},
                                     {".xz", "xz", 0, {0}, "kg m^2"},
                                     {".yy", "yy", 0, {0}, "kg m^2"},
                                     {".yz", "yz", 0, {0}, "kg m^2"},
                                     {".zz", "zz", 0, {0}, "kg m^2"},
                                     {0}};

static const part tensor_parts[] = {{".xx", "xx", 0, {0}, LINEAR},
                                    {".xy", "xy", 0, {0}, LINEAR},
                                    {".xz", "xz", 0, {0}, LINEAR},
                                    {".yy", "yy", 0, {0}, LINEAR},
                                    {".yz", "yz", 0, {0}, LINEAR},
                                    {".zz", "zz", 0, {0}, LINEAR},
                                    {0}};

static const part *const shape_parts[AG_NSHAPES] = {[AG_SCALAR] = scalar_parts,
                                                    [AG_VECTOR] = vector_parts,
                                                    [AG_QUATERNION] = quaternion_parts,
                                                    [AG_PLANE] = planar_parts,
                                                    [AG_YAW] = scalar_parts,
                                                    [AG_WRENCH] = spatial_parts,
                                                    [AG_TWIST] = spatial_parts,
                                                    [AG_ACCELERATION] = spatial_parts,
                                                    [AG_MOMENTUM] = spatial_parts,
                                                    [AG_DIRECTIONS] = spatial_parts,
                                                    [AG_ROTATION] = rotation_parts,
                                                    [AG_POSE] = pose_parts,
                                                    [AG_INERTIA] = inertia_parts,
                                                    [AG_TENSOR] = tensor_parts};

static void add_element(ag_header *header, ag_list *list, ag_element element) {
  list->elements = ag_room(header->arena, list->elements, list->nelements, sizeof element);
  list->elements[list->nelements++] = element;
}

/* A unit as text: of a linear or an angular part, or the part's own. */
static const char *unit_of(const ag_quantity *q, const char *own) {
  const char *unit = own == NULL ? q->unit[0] : *own == '\0' ? q->unit[1] : own;
  return unit ? unit : "1";
}

/* The path of an element of an array. */
static ag_path at(const ag_quantity *q, ag_index_of of, int i) {
  return (ag_path){.quantity = q->name, .field = "", .index = {{of, i}}, .indices = 1};
}

static ag_path at_both(const ag_quantity *q, ag_index row, ag_index column) {
  return (ag_path){.quantity = q->name, .field = "", .index = {row, column}, .indices = 2};
}

static void add_joints(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0; i < h->njoints; i++) {
    const ag_joint_info *joint = &h->joints[i];
    add_element(h, list,
                (ag_element){.column = ag_printf(h->arena, "%s.%s", q->name, joint->id),
                             .path = at(q, AG_JOINT, i),
                             .unit = unit_of(q, joint->prismatic ? LINEAR : ANGULAR),
                             .joint = i});
  }
}

static void add_motors(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0; i < h->nmotors; i++)
    add_element(h, list,
                (ag_element){.column = ag_printf(h->arena, "%s.%s", q->name, h->motors[i].id),
                             .path = at(q, AG_MOTOR, i),
                             .unit = unit_of(q, h->motors[i].slides ? LINEAR : ANGULAR),
                             .joint = AG_NO_JOINT});
}

bool ag_row_counts(const ag_row_info *row, ag_shape shape) {
  return shape == AG_ROWS || (shape == AG_MASKS && row->maskable) ||
         (shape == AG_SET_POINTS && row->set_point) || (shape == AG_BOUNDS && row->bounds) ||
         (shape == AG_COMPLIANCES && row->compliant) || (shape == AG_WEIGHTS && row->weighted);
}

bool ag_row_weighs(const ag_row_info *row) {
  return row->weighted || row->weights;
}

static void add_rows(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0; i < h->nrows; i++) {
    const ag_row_info *row = &h->rows[i];
    if (!ag_row_counts(row, q->shape)) continue;
    const char *unit =
        row->kind == AG_ROW_FREE ? "1" : unit_of(q, row->kind == AG_ROW_ANGULAR ? ANGULAR : LINEAR);
    add_element(
        h, list,
        (ag_element){.column = ag_printf(h->arena, "%s.%s.%s", q->name, row->group, row->name),
                     .path = at(q, AG_ROW, i),
                     .unit = unit,
                     .joint = AG_NO_JOINT});
  }
}

/* An inertia by how many of its two directions are turns. */
static const char *const inertia_units[] = {"kg", "kg m", "kg m^2"};

/* An inertia of rows, or the inverse of one; of free directions without a unit, as these are. */
static const char *row_inertia_unit(const ag_quantity *q, const ag_row_info *a,
                                    const ag_row_info *b) {
  static const char *const inverse_units[] = {"1/kg", "1/(kg m)", "1/(kg m^2)"};
  const int turns = (a->kind == AG_ROW_ANGULAR) + (b->kind == AG_ROW_ANGULAR);
  if (a->kind == AG_ROW_FREE || b->kind == AG_ROW_FREE) return "1";
  return strcmp(q->unit[0], "kg") == 0     ? inertia_units[turns]
         : strcmp(q->unit[0], "1/kg") == 0 ? inverse_units[turns]
                                           : "1";
}

static void add_rows_packed(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0, k = 0; i < h->nrows; i++)
    for (int j = 0; j <= i; j++, k++) {
      const ag_row_info *a = &h->rows[i], *b = &h->rows[j];
      add_element(h, list,
                  (ag_element){.column = ag_printf(h->arena, "%s.%s.%s.%s.%s", q->name, a->group,
                                                   a->name, b->group, b->name),
                               .path = at(q, AG_NUMBER, k),
                               .unit = row_inertia_unit(q, a, b),
                               .joint = AG_NO_JOINT});
    }
}

static void add_map(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0; i < h->nrows; i++)
    for (int k = 0; k < q->count; k++) {
      const ag_row_info *row = &h->rows[i];
      add_element(h, list,
                  (ag_element){.column = ag_printf(h->arena, "%s.%s.%s.%d", q->name, row->group,
                                                   row->name, k),
                               .path = at_both(q, (ag_index){AG_ROW, i}, (ag_index){AG_NUMBER, k}),
                               .unit = "1",
                               .joint = AG_NO_JOINT});
    }
}

static void add_list(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int k = 0; k < q->count; k++)
    add_element(h, list,
                (ag_element){.column = ag_printf(h->arena, "%s.%d", q->name, k),
                             .path = at(q, AG_NUMBER, k),
                             .unit = unit_of(q, LINEAR),
                             .joint = AG_NO_JOINT});
}

/* A velocity of the robot: the base's first (planar: x y yaw), then the joints'. */
typedef struct velocity {
  const char *column; /* "base.lin_x", "joint_1" */
  bool slides;
  int joint;
} velocity;

static velocity velocity_of(const ag_header *h, int i) {
  if (i < h->nbase)
    return (velocity){ag_printf(h->arena, "base.%s", ag_base_velocity(h, i)),
                      i < (h->nbase == 3 ? 2 : 3), AG_NO_JOINT};
  const ag_joint_info *joint = &h->joints[i - h->nbase];
  return (velocity){joint->id, joint->prismatic, i - h->nbase};
}

static void add_packed(ag_header *h, ag_list *list, const ag_quantity *q) {
  for (int i = 0, k = 0; i < h->nbase + h->njoints; i++)
    for (int j = 0; j <= i; j++, k++) {
      const velocity a = velocity_of(h, i), b = velocity_of(h, j);
      add_element(
          h, list,
          (ag_element){.column = ag_printf(h->arena, "%s.%s.%s", q->name, a.column, b.column),
                       .path = at(q, AG_NUMBER, k),
                       .unit = inertia_units[!a.slides + !b.slides],
                       .joint = AG_NO_JOINT});
    }
}

/* One row of partial derivatives by the velocities: of lengths and angles, or of momenta where the unit is "kg". */
static void add_partials(ag_header *h, ag_list *list, const ag_quantity *q, const part *row,
                         bool linear) {
  const bool momenta = strcmp(q->unit[0], "kg") == 0;
  for (int i = 0; i < h->nbase + h->njoints; i++) {
    const velocity v = velocity_of(h, i);
    ag_path path = at_both(q, (ag_index){AG_NUMBER, row->index[0]}, (ag_index){AG_VELOCITY, i});
    path.field = row->field;
    add_element(
        h, list,
        (ag_element){.column = ag_printf(h->arena, "%s%s.%s", q->name, row->column, v.column),
                     .path = path,
                     .unit = momenta              ? inertia_units[!linear + !v.slides]
                             : linear == v.slides ? "1"
                             : linear             ? "m"
                                                  : "1/m",
                     .joint = v.joint});
  }
}

static void add_jacobian(ag_header *h, ag_list *list, const ag_quantity *q) {
  const part *parts = q->shape == AG_PARTIALS ? vector_parts : spatial_parts;
  for (int k = 0; parts[k].column; k++) add_partials(h, list, q, &parts[k], k < 3);
}

/* which: of several, from 1 on; 0: there is one. */
static void add_parts(ag_header *h, ag_list *list, const ag_quantity *q, int which) {
  const char *name = which ? ag_printf(h->arena, "%s.%d", q->name, which) : q->name;
  for (const part *p = shape_parts[q->shape]; p->column; p++) {
    ag_path path =
        at_both(q, (ag_index){AG_NUMBER, p->index[0]}, (ag_index){AG_NUMBER, p->index[1]});
    path.indices = p->indices;
    path.field = p->field;
    path.which = which;
    add_element(h, list,
                (ag_element){.column = ag_printf(h->arena, "%s%s", name, p->column),
                             .path = path,
                             .unit = unit_of(q, p->unit),
                             .joint = q->shape == AG_YAW ? AG_BASE_YAW : AG_NO_JOINT});
  }
}

/* ---- derivatives ---- */

int ag_derivative(ag_of of, ag_by by) {
  return (int)of * AG_NBY + (int)by;
}

int ag_derivative_rows(const ag_header *h, const ag_quantity *q) {
  const ag_of of = (ag_of)(q->count / AG_NBY);
  return of == AG_OF_ROWS ? h->nrows : of == AG_OF_JOINTS ? h->njoints : h->nbase + h->njoints;
}

int ag_derivative_columns(const ag_header *h, const ag_quantity *q) {
  switch ((ag_by)(q->count % AG_NBY)) {
  case AG_BY_TORQUES:
    return h->njoints;
  case AG_BY_SET_POINTS:
    return h->nrows;
  case AG_BY_WRENCH:
    return 6;
  case AG_BY_PARAMETERS:
    return h->nparameters;
  default:
    return h->nbase + h->njoints;
  }
}

bool ag_is_sparse(const ag_quantity *q) {
  return q->shape == AG_DERIVATIVE ||
         (q->shape == AG_MATRIX && q->count % AG_NBY == AG_BY_PARAMETERS);
}

/* One row or column: its part of the name, its index, and its unit. */
typedef struct place {
  const char *column;
  ag_index index;
  const char *unit;
} place;

static place place_of_joint(const ag_header *h, int i, const char *const unit[2]) {
  const ag_joint_info *joint = &h->joints[i];
  return (place){joint->id, {AG_JOINT, i}, unit[!joint->prismatic]};
}

static place place_of_velocity(const ag_header *h, int i, const char *const unit[2]) {
  const velocity v = velocity_of(h, i);
  return (place){v.column, {AG_VELOCITY, i}, unit[!v.slides]};
}

static place place_of_row(const ag_header *h, int i, const char *const unit[2]) {
  const ag_row_info *row = &h->rows[i];
  return (place){ag_printf(h->arena, "%s.%s", row->group, row->name),
                 {AG_ROW, i},
                 row->kind == AG_ROW_FREE ? "1" : unit[row->kind == AG_ROW_ANGULAR]};
}

static place place_in_row(const ag_header *h, const ag_quantity *q, int i) {
  switch ((ag_of)(q->count / AG_NBY)) {
  case AG_OF_ROWS:
    return place_of_row(h, i, q->unit);
  case AG_OF_JOINTS:
    return place_of_joint(h, i, q->unit);
  default:
    return place_of_velocity(h, i, q->unit);
  }
}

static place place_in_column(const ag_header *h, const ag_quantity *q, int i) {
  static const char *const units[AG_NBY][2] = {[AG_BY_POSITIONS] = {"m", "rad"},
                                               [AG_BY_VELOCITIES] = {"m/s", "rad/s"},
                                               [AG_BY_TORQUES] = {"N", "N m"},
                                               [AG_BY_SET_POINTS] = {"m/s^2", "rad/s^2"},
                                               [AG_BY_WRENCH] = {"N", "N m"}};
  const ag_by by = (ag_by)(q->count % AG_NBY);
  switch (by) {
  case AG_BY_TORQUES:
    return place_of_joint(h, i, units[by]);
  case AG_BY_SET_POINTS:
    return place_of_row(h, i, units[by]);
  case AG_BY_PARAMETERS:
    return (place){h->parameters[i].id, {AG_NUMBER, i}, h->parameters[i].unit};
  case AG_BY_WRENCH:
    return (place){spatial_parts[i].column + 1, {AG_NUMBER, i}, units[by][i >= 3]};
  default:
    return place_of_velocity(h, i, units[by]);
  }
}

/* "rad/s^2" by "N m": "(rad/s^2)/(N m)" */
static const char *unit_by(const ag_header *h, const char *of, const char *by) {
  const char *texts[2] = {of, by};
  for (int k = 0; k < 2; k++)
    if (strpbrk(texts[k], " /")) texts[k] = ag_printf(h->arena, "(%s)", texts[k]);
  return strcmp(of, by) == 0 ? "1" : ag_printf(h->arena, "%s/%s", texts[0], texts[1]);
}

static void add_derivative(ag_header *h, ag_list *list, const ag_quantity *q) {
  const int rows = ag_derivative_rows(h, q), columns = ag_derivative_columns(h, q);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++) {
      const place of = place_in_row(h, q, i), by = place_in_column(h, q, k);
      add_element(
          h, list,
          (ag_element){.column = ag_printf(h->arena, "%s.%s.%s", q->name, of.column, by.column),
                       .path = at_both(q, of.index, by.index),
                       .unit = unit_by(h, of.unit, by.unit),
                       .joint = AG_NO_JOINT});
    }
}

/* The elements of a quantity that has none yet. */
static void add_elements(ag_header *header, ag_list *list, ag_quantity *q) {
  switch (q->shape) {
  case AG_JOINTS:
    add_joints(header, list, q);
    break;
  case AG_MOTORS:
    add_motors(header, list, q);
    break;
  case AG_ROWS:
  case AG_MASKS:
  case AG_SET_POINTS:
  case AG_BOUNDS:
  case AG_COMPLIANCES:
  case AG_WEIGHTS:
    add_rows(header, list, q);
    break;
  case AG_ROWS_PACKED:
    add_rows_packed(header, list, q);
    break;
  case AG_MAP:
    add_map(header, list, q);
    break;
  case AG_LIST:
    add_list(header, list, q);
    break;
  case AG_DERIVATIVE:
  case AG_MATRIX:
    add_derivative(header, list, q);
    break;
  case AG_PACKED:
    add_packed(header, list, q);
    break;
  case AG_JACOBIAN:
  case AG_PARTIALS:
    add_jacobian(header, list, q);
    break;
  case AG_DIRECTIONS:
    for (int k = 0; k < q->count; k++) add_parts(header, list, q, k + 1);
    break;
  default:
    add_parts(header, list, q, 0);
    break;
  }
}

ag_quantity *ag_quantity_add(ag_header *header, ag_list *list, const ag_declaration *declared) {
  ag_arena *arena = header->arena;
  list->quantities = ag_room(arena, list->quantities, list->nquantities, sizeof(ag_quantity));
  ag_quantity *q = &list->quantities[list->nquantities++];
  *q = (ag_quantity){
      .name = ag_strdup(arena, declared->name),
      .shape = declared->shape,
      .unit = {ag_strdup(arena, declared->linear_unit), ag_strdup(arena, declared->angular_unit)},
      .doc = ag_comment(arena, declared->doc),
      .count = declared->count,
      .first = list->nelements};
  add_elements(header, list, q);
  q->size = list->nelements - q->first;
  return q;
}

const ag_quantity *ag_quantity_of(const ag_list *list, const char *name) {
  for (int k = 0; k < list->nquantities; k++)
    if (strcmp(list->quantities[k].name, name) == 0) return &list->quantities[k];
  return NULL;
}

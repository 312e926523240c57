/* SPDX-License-Identifier: MIT */
/* description.c: see description.h */
#include "report/description.h"

#include "base/json.h"
#include "base/version.h"
#include "lower/plan.h"
#include "emit/access.h"
#include "graph/status.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- members ------------------------------------------------------------------------------- */

static void string(ag_json *j, const char *name, const char *value) {
  ag_json_name(j, name);
  ag_json_string(j, value);
}

static void number(ag_json *j, const char *name, double value) {
  ag_json_name(j, name);
  ag_json_number(j, value);
}

static void integer(ag_json *j, const char *name, long value) {
  ag_json_name(j, name);
  ag_json_integer(j, value);
}

static void boolean(ag_json *j, const char *name, bool value) {
  ag_json_name(j, name);
  ag_json_boolean(j, value);
}

static void begin(ag_json *j, const char *name, char bracket, bool on_line) {
  if (name) ag_json_name(j, name);
  ag_json_open(j, bracket, on_line);
}

static void numbers(ag_json *j, const char *name, const double *list, int count) {
  begin(j, name, '[', true);
  for (int i = 0; i < count; i++) ag_json_number(j, list[i]);
  ag_json_close(j, ']');
}

static void pose(ag_json *j, const ag_pose *pose) {
  numbers(j, "p", pose->p, 3);
  begin(j, "R", '[', true);
  for (int i = 0; i < 3; i++) numbers(j, NULL, pose->R[i], 3);
  ag_json_close(j, ']');
}

/* --- the robot ------------------------------------------------------------------------------- */

static bool inputs(ag_json *j, const ag_description_source *from, ag_err *err) {
  begin(j, "inputs", '[', false);
  for (int i = 0; i < from->ninputs; i++) {
    uint64_t hash;
    if (!ag_input_hash(&from->inputs[i], &hash, err)) return false;
    begin(j, NULL, '{', true);
    string(j, "name", from->inputs[i].name);
    string(j, "fnv1a", ag_printf(j->text.arena, "%016" PRIx64, hash));
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
  return true;
}

static void base(ag_json *j, const ag_description_source *from) {
  static const char *const kinds[] = {"fixed", "planar", "floating"};
  const ag_header *h = from->header;
  begin(j, "base", '{', true);
  string(j, "kind", kinds[h->nbase / 3]);
  string(j, "link", from->model->links[from->reduced->root].name);
  begin(j, "velocities", '[', true);
  for (int i = 0; i < h->nbase; i++) ag_json_string(j, ag_base_velocity(h, i));
  ag_json_close(j, ']');
  number(j, "mass", from->reduced->base.m);
  ag_json_close(j, '}');
}

static void joints(ag_json *j, const ag_description_source *from) {
  const ag_header *h = from->header;
  begin(j, "joints", '[', false);
  for (int i = 0; i < h->njoints; i++) {
    const ag_joint_info *joint = &h->joints[i];
    begin(j, NULL, '{', true);
    string(j, "name", joint->name);
    string(j, "id", joint->id);
    string(j, "enumerator", ag_printf(h->arena, "%s_%s", h->upper, ag_upper(h->arena, joint->id)));
    integer(j, "index", i);
    string(j, "unit", joint->prismatic ? "m" : "rad");
    number(j, "lower", joint->lower);
    number(j, "upper", joint->upper);
    number(j, "velocity", joint->velocity);
    number(j, "effort", joint->effort);
    const int link = ag_model_joint(from->model, joint->name);
    if (link >= 0 && from->model->links[link].joint.ball)
      string(j, "ball", from->model->links[link].joint.ball_id);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* Of a layout with motors that are not joints. */
static void motors(ag_json *j, const ag_header *h) {
  if (h->nmotors == 0) return;
  begin(j, "motors", '[', false);
  for (int i = 0; i < h->nmotors; i++) {
    const ag_motor_info *motor = &h->motors[i];
    begin(j, NULL, '{', true);
    string(j, "id", motor->id);
    string(j, "enumerator",
           ag_printf(h->arena, "%s_MOTOR_%s", h->upper, ag_upper(h->arena, motor->id)));
    integer(j, "index", i);
    number(j, "velocity", motor->velocity);
    number(j, "effort", motor->effort);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* Of the file, by the joints of the header; null where a joint has none. */
static void postures(ag_json *j, const ag_description_source *from) {
  const ag_model *model = from->model;
  const ag_header *h = from->header;
  double *q = ag_alloc(h->arena, (size_t)(h->njoints + 1) * sizeof *q);
  if (model->npostures == 0) return;
  begin(j, "postures", '[', false);
  for (int k = 0; k < model->npostures; k++) {
    begin(j, NULL, '{', true);
    string(j, "name", model->postures[k].name);
    for (int i = 0; i < h->njoints; i++) {
      const int link = ag_model_joint(model, h->joints[i].name);
      q[i] = link < 0 ? (double)NAN : model->postures[k].q[link];
    }
    numbers(j, "q", q, h->njoints);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* The joint of the header that moves a body; -1: none does, a rotor of the layout's choice. */
static int joint_of(const ag_header *h, const char *name) {
  for (int i = 0; i < h->njoints; i++)
    if (strcmp(h->joints[i].name, name) == 0) return i;
  return -1;
}

static void bodies(ag_json *j, const ag_description_source *from) {
  const ag_model *model = from->model;
  const ag_reduced *reduced = from->reduced;
  begin(j, "bodies", '[', false);
  for (int i = 0; i < reduced->nbodies; i++) {
    const ag_body *b = &reduced->bodies[i];
    const ag_joint *joint = &model->links[b->link].joint;
    const ag_joint *leader =
        b->mimic < 0 ? joint : &model->links[reduced->bodies[b->mimic].link].joint;
    begin(j, NULL, '{', false);
    string(j, "link", model->links[b->link].name);
    string(j, "parent",
           model->links[b->parent < 0 ? reduced->root : reduced->bodies[b->parent].link].name);
    string(j, "joint", joint->name);
    string(j, "type", ag_joint_type_names[joint->type]);
    integer(j, "index", joint_of(from->header, leader->name));
    number(j, "multiplier", b->mimic < 0 ? 1 : joint->multiplier);
    number(j, "offset", b->mimic < 0 ? 0 : joint->offset);
    pose(j, &b->origin);
    numbers(j, "axis", b->axis, 3);
    number(j, "mass", b->inertia.m);
    numbers(j, "first_moment", b->inertia.h, 3);
    numbers(j, "inertia", b->inertia.I, 6);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
  begin(j, "frames", '[', false);
  for (int i = 0; i < reduced->nframes; i++) {
    const ag_frame *f = &reduced->frames[i];
    begin(j, NULL, '{', true);
    string(j, "link", model->links[f->link].name);
    string(j, "body",
           model->links[f->body < 0 ? reduced->root : reduced->bodies[f->body].link].name);
    pose(j, &f->pose);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* --- the layout ------------------------------------------------------------------------------ */

static void rows(ag_json *j, const ag_header *h) {
  static const char *const kinds[] = {
      [AG_ROW_LINEAR] = "linear", [AG_ROW_ANGULAR] = "angular", [AG_ROW_FREE] = "free"};
  begin(j, "rows", '[', false);
  for (int i = 0; i < h->nrows; i++) {
    const ag_row_info *row = &h->rows[i];
    begin(j, NULL, '{', true);
    string(j, "group", row->group);
    string(j, "name", row->name);
    string(j, "enumerator",
           ag_printf(h->arena, "%s_%s_%s", h->upper, ag_upper(h->arena, row->group),
                     ag_upper(h->arena, row->name)));
    integer(j, "index", i);
    string(j, "kind", kinds[row->kind]);
    boolean(j, "maskable", row->maskable);
    boolean(j, "set_point", row->set_point);
    boolean(j, "bounds", row->bounds);
    boolean(j, "compliant", row->compliant);
    boolean(j, "weighted", row->weighted);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

static void marks(ag_json *j, const ag_description_source *from) {
  static const char *const kinds[] = {[AG_MARK_GROUP] = "group",
                                      [AG_MARK_WRENCH] = "wrench",
                                      [AG_MARK_JOINT] = "joint",
                                      [AG_MARK_FRAME] = "frame"};
  const ag_header *h = from->header;
  begin(j, "attached", '[', false);
  for (int i = 0; i < h->nmarks; i++) {
    const ag_mark *m = &h->marks[i];
    begin(j, NULL, '{', true);
    string(j, "kind", kinds[m->kind]);
    string(j, "link", from->model->links[m->link].name);
    string(j, "name", m->name);
    string(j, "text", m->text);
    if (m->kind == AG_MARK_GROUP) {
      string(j, "axes", m->axes);
      string(j, "to", m->to < 0 ? NULL : from->model->links[m->to].name);
      boolean(j, "spatial", m->spatial);
      boolean(j, "yields", m->yields);
    }
    if (m->kind == AG_MARK_GROUP || m->kind == AG_MARK_WRENCH) boolean(j, "physical", m->physical);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
  if (h->nparameters > 0) begin(j, "parameters", '[', false);
  for (int i = 0; i < h->nparameters; i++) {
    const ag_base_parameter *p = &h->parameters[i];
    begin(j, NULL, '{', true);
    string(j, "name", p->id);
    string(j, "unit", p->unit);
    number(j, "value", p->value);
    string(j, "made_of", p->text);
    ag_json_close(j, '}');
  }
  if (h->nparameters > 0) ag_json_close(j, ']');
  begin(j, "remarks", '[', false);
  for (int i = 0; i < h->nremarks; i++) {
    begin(j, NULL, '{', true);
    string(j, "about", h->remarks[i].key);
    string(j, "text", h->remarks[i].text);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* --- structs --------------------------------------------------------------------------------- */

/* A struct type that quantities of a shape have, and its members; dims: 0 ends them, VELOCITIES is
 * as many as the robot has. */
enum { VELOCITIES = -1 };
static const struct spatial_type {
  ag_shape shape;
  const char *name;
  struct {
    const char *name;
    int dims[2];
  } members[11];
} types[] = {
    {AG_WRENCH, "wrench", {{"lin", {3}}, {"ang", {3}}}},
    {AG_TWIST, "twist", {{"lin", {3}}, {"ang", {3}}}},
    {AG_ACCELERATION, "acceleration", {{"lin", {3}}, {"ang", {3}}}},
    {AG_MOMENTUM, "spatial_momentum", {{"lin", {3}}, {"ang", {3}}}},
    {AG_DIRECTIONS, "direction", {{"lin", {3}}, {"ang", {3}}}},
    {AG_POSE, "pose", {{"p", {3}}, {"R", {3, 3}}}},
    {AG_INERTIA,
     "inertia",
     {{"m", {0}},
      {"mx", {0}},
      {"my", {0}},
      {"mz", {0}},
      {"xx", {0}},
      {"xy", {0}},
      {"xz", {0}},
      {"yy", {0}},
      {"yz", {0}},
      {"zz", {0}}}},
    {AG_TENSOR,
     "tensor",
     {{"xx", {0}}, {"xy", {0}}, {"xz", {0}}, {"yy", {0}}, {"yz", {0}}, {"zz", {0}}}},
    {AG_JACOBIAN, "jacobian", {{"lin", {3, VELOCITIES}}, {"ang", {3, VELOCITIES}}}},
    {AG_QUATERNION, "quaternion", {{"w", {0}}, {"x", {0}}, {"y", {0}}, {"z", {0}}}},
    {AG_PLANE, "planar", {{"x", {0}}, {"y", {0}}, {"yaw", {0}}}},
};
enum { TYPES = sizeof types / sizeof *types };

static int velocities(const ag_header *h) {
  return h->nbase + h->njoints;
}

static int real_bytes(const ag_header *h) {
  return h->target.single ? 4 : 8;
}

/* Writes the dimensions of an array, up to the first that is 0; returns how many elements it has. */
static int dimensions(ag_json *j, const ag_header *h, const int *dims, int count) {
  int elements = 1;
  begin(j, "dims", '[', true);
  for (int i = 0; i < count && dims[i] != 0; i++) {
    const int n = dims[i] == VELOCITIES ? velocities(h) : dims[i];
    ag_json_integer(j, n);
    elements *= n;
  }
  ag_json_close(j, ']');
  return elements;
}

static void struct_types(ag_json *j, const ag_header *h) {
  begin(j, "types", '[', false);
  for (int k = 0; k < TYPES; k++) {
    const struct spatial_type *type = &types[k];
    if (!ag_uses_shape(h, type->shape)) continue;
    int at = 0;
    begin(j, NULL, '{', false);
    string(j, "name", ag_printf(h->arena, "%s_%s", h->prefix, type->name));
    begin(j, "members", '[', false);
    for (int m = 0; type->members[m].name; m++) {
      begin(j, NULL, '{', true);
      string(j, "name", type->members[m].name);
      integer(j, "offset", (long)at * real_bytes(h));
      at += dimensions(j, h, type->members[m].dims, 2);
      ag_json_close(j, '}');
    }
    ag_json_close(j, ']');
    integer(j, "bytes", (long)at * real_bytes(h));
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

/* The dimensions of a field: of its elements, be they reals or structs. */
static void field_dimensions(ag_json *j, const ag_header *h, const ag_quantity *q) {
  int dims[2] = {0, 0};
  if (ag_by_row(q->shape)) {
    dims[0] = h->nrows;
  } else if (q->shape == AG_JOINTS) {
    dims[0] = h->njoints;
  } else if (q->shape == AG_MOTORS) {
    dims[0] = h->nmotors;
  } else if (q->shape == AG_DIRECTIONS || q->shape == AG_LIST) {
    dims[0] = q->count;
  } else if (q->shape == AG_VECTOR) {
    dims[0] = 3;
  } else if (q->shape == AG_ROTATION) {
    dims[0] = dims[1] = 3;
  } else if (q->shape == AG_DERIVATIVE || q->shape == AG_MATRIX) {
    dims[0] = ag_derivative_rows(h, q);
    dims[1] = ag_derivative_columns(h, q);
  } else if (q->shape == AG_PARTIALS) {
    dims[0] = 3;
    dims[1] = VELOCITIES;
  } else if (q->shape == AG_PACKED || q->shape == AG_ROWS_PACKED) {
    dims[0] = q->size;
  } else if (q->shape == AG_MAP) {
    dims[0] = h->nrows;
    dims[1] = q->count;
  }
  (void)dimensions(j, h, dims, 2);
}

/* Where a field begins, counted in reals: of arrays by row the place of row 0, which may have no
 * element. */
static int start_of(const ag_header *h, const ag_quantity *q, const int *places) {
  int row = 0;
  if (ag_by_row(q->shape))
    while (row < h->nrows && !ag_row_counts(&h->rows[row], q->shape)) row++;
  return q->size ? places[q->first] - row : 0;
}

static void field(ag_json *j, const ag_header *h, const ag_list *list, const ag_quantity *q,
                  const int *places, bool output) {
  const char *type = NULL;
  for (int k = 0; k < TYPES; k++)
    if (types[k].shape == q->shape) type = types[k].name;
  begin(j, NULL, '{', false);
  string(j, "name", q->name);
  string(j, "type", ag_printf(h->arena, "%s_%s", h->prefix, type ? type : "real"));
  string(j, "shape", ag_shape_names[q->shape]);
  field_dimensions(j, h, q);
  integer(j, "offset", (long)start_of(h, q, places) * real_bytes(h));
  string(j, "doc", q->doc);
  string(j, "units", ag_units(h, list, q));
  if (output) {
    boolean(j, "zeroed", q->zeroed);
  } else {
    const char *place = q->range ? strstr(q->range, "%s") : NULL;
    string(j, "range",
           place ? ag_printf(h->arena, "%.*s%s%s", (int)(place - q->range), q->range, q->name,
                             place + 2)
                 : q->range);
  }
  begin(j, "elements", '[', false);
  for (int i = 0; i < q->size; i++) {
    const ag_element *e = &list->elements[q->first + i];
    begin(j, NULL, '{', true);
    string(j, "column", e->column);
    string(j, "c", ag_emit_access(h, e));
    string(j, "unit", e->unit);
    integer(j, "offset", (long)places[q->first + i] * real_bytes(h));
    if (!output) number(j, "default", q->defaults ? q->defaults[i] : 0);
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
  ag_json_close(j, '}');
}

static void one_struct(ag_json *j, const ag_header *h, const ag_list *list, const char *side,
                       const char *type, bool output) {
  const int *places = ag_places(h, list);
  begin(j, side, '{', false);
  string(j, "type", type);
  integer(j, "bytes", (long)places[list->nelements] * real_bytes(h));
  begin(j, "fields", '[', false);
  for (int i = 0; i < list->nquantities; i++)
    field(j, h, list, &list->quantities[i], places, output);
  ag_json_close(j, ']');
  ag_json_close(j, '}');
}

/* --- functions ------------------------------------------------------------------------------- */

static void cost(ag_json *j, const ag_cost *c) {
  integer(j, "total", ag_flops(c));
  integer(j, "add", c->add);
  integer(j, "mul", c->mul);
  integer(j, "div", c->div);
  integer(j, "neg", c->neg);
  integer(j, "sin_or_cos", c->trig);
  integer(j, "select", c->select);
  integer(j, "compare", c->compare);
  integer(j, "probe", c->probe);
  integer(j, "live", c->live);
}

/* Where less text was chosen than the usual code has: bytes of both, and how it is less. */
static void text_of(ag_json *j, const ag_plan *p) {
  if (p->text.whole == 0) return;
  const ag_plan *chosen = p->limbs ? p->limbs : p;
  begin(j, "text", '{', true);
  integer(j, "bytes", p->text.most);
  integer(j, "usual", p->usual_text.most);
  boolean(j, "lanes", p->limbs != NULL);
  boolean(j, "shortest_order", chosen->target->small);
  ag_json_close(j, '}');
}

/* At worst, and of the fast way where there is one. */
static void operations(ag_json *j, const ag_plan *p) {
  const ag_function *f = p->graph->function;
  begin(j, "operations", '{', true);
  cost(j, &p->own.cost);
  if (f->flops_recursion > 0) integer(j, "recursion", f->flops_recursion);
  if (f->flops_joint > 0) integer(j, "joint", f->flops_joint);
  if (f->flops_null > 0) integer(j, "null", f->flops_null);
  if (f->flops_early > 0) integer(j, "early", f->flops_early);
  ag_json_close(j, '}');
  text_of(j, p);
  if (!p->fast) return;
  begin(j, "operations_fast", '{', true);
  cost(j, &p->fast->cost);
  ag_json_close(j, '}');
}

/* One of a function's parameters, in the order of the C function; length: of an array of reals, 0: it is a struct. */
static void parameter(ag_json *j, const ag_header *h, const char *name, const char *type, bool out,
                      int length) {
  const int dims[] = {length};
  begin(j, NULL, '{', true);
  string(j, "name", name);
  string(j, "type", ag_printf(h->arena, "%s_%s", h->prefix, type));
  boolean(j, "output", out);
  (void)dimensions(j, h, dims, 1);
  ag_json_close(j, '}');
}

static void parameters(ag_json *j, const ag_header *h, const ag_function *f) {
  begin(j, "parameters", '[', false);
  parameter(j, h, "in", ag_printf(h->arena, "%s_in", f->takes), false, 0);
  if (f->after) {
    parameter(j, h, f->after, ag_printf(h->arena, "%s_out", f->after), false, 0);
    for (int i = 0; i < f->in.nquantities; i++) {
      const ag_quantity *q = &f->in.quantities[i];
      if (!ag_is_result_of(f->after, q->name))
        parameter(j, h, q->name, "real", false, q->shape == AG_LIST ? q->count : h->nrows);
    }
  }
  parameter(j, h, "out", ag_printf(h->arena, "%s_out", f->fills), true, 0);
  ag_json_close(j, ']');
}

static void function(ag_json *j, const ag_header *h, const ag_plan *plan) {
  const ag_function *f = plan->graph->function;
  const unsigned bits = ag_status_of(plan->graph);
  begin(j, NULL, '{', false);
  string(j, "name", f->name);
  string(j, "c", ag_printf(h->arena, "%s_%s", h->prefix, f->name));
  string(j, "doc", f->doc);
  string(j, "formulation", f->formulation);
  string(j, "after", f->after);
  string(j, "shape", ag_printf(h->arena, "0x%08" PRIx32, ag_shape_hash(h, f)));
  begin(j, "status", '[', true);
  for (int k = 0; k < AG_STATUS_BITS; k++)
    if (bits & 1u << k) ag_json_string(j, ag_status_names[k]);
  ag_json_close(j, ']');
  operations(j, plan);
  parameters(j, h, f);
  if (!f->after) /* else its parameters are structs of other functions */
    one_struct(j, h, &f->in, "in", ag_printf(h->arena, "%s_%s_in", h->prefix, f->takes), false);
  one_struct(j, h, &f->out, "out", ag_printf(h->arena, "%s_%s_out", h->prefix, f->fills), true);
  ag_json_close(j, '}');
}

static void status_bits(ag_json *j, const ag_header *h) {
  const unsigned bits = ag_status_of_header(h);
  begin(j, "status", '[', false);
  for (int k = 0; k < AG_STATUS_BITS; k++) {
    const unsigned bit = 1u << k;
    if (!(bits & bit)) continue;
    begin(j, NULL, '{', true);
    string(j, "name", ag_status_names[k]);
    integer(j, "bit", (long)bit);
    boolean(j, "do_not_command", (bit & AG_UNUSABLE) != 0);
    string(j, "text", ag_status_text(h, bit));
    ag_json_close(j, '}');
  }
  ag_json_close(j, ']');
}

static void warnings_of(ag_json *j, const char *file, const ag_note *list, int count) {
  for (int i = 0; i < count; i++) {
    begin(j, NULL, '{', true);
    string(j, "file", file);
    integer(j, "line", list[i].line);
    string(j, "text", list[i].text);
    ag_json_close(j, '}');
  }
}

static void warnings(ag_json *j, const ag_description_source *from) {
  begin(j, "warnings", '[', false);
  warnings_of(j, from->inputs[0].name, from->model->warnings, from->model->nwarnings);
  warnings_of(j, from->inputs[0].name, from->reduced->warnings, from->reduced->nwarnings);
  for (int k = 0; k < from->layout->count; k++) {
    const ag_source *source = &from->layout->list[k];
    warnings_of(j, source->file.name, source->warnings, source->nwarnings);
  }
  ag_json_close(j, ']');
}

bool ag_describe_json(const ag_description_source *from, const char **text, ag_err *err) {
  const ag_header *h = from->header;
  ag_json json = ag_json_begin(h->arena), *j = &json;
  ag_json_open(j, '{', false);
  integer(j, "format", AG_DESCRIPTION_FORMAT);
  string(j, "achdgen", AG_VERSION);
  string(j, "command", from->command);
  if (!inputs(j, from, err)) return false;
  string(j, "robot", h->robot);
  string(j, "prefix", h->prefix);
  string(j, "macros", h->upper);
  string(j, "real", h->target.single ? "float" : "double");
  integer(j, "batch", h->target.batch);
  base(j, from);
  joints(j, from);
  motors(j, h);
  postures(j, from);
  bodies(j, from);
  rows(j, h);
  marks(j, from);
  status_bits(j, h);
  struct_types(j, h);
  begin(j, "functions", '[', false);
  for (int i = 0; i < h->nfunctions; i++) function(j, h, h->plans[i]);
  ag_json_close(j, ']');
  warnings(j, from);
  ag_json_close(j, '}');
  *text = j->text.chars;
  return true;
}

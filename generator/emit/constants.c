/* SPDX-License-Identifier: MIT */
/* constants.c: see constants.h */
#include "emit/constants.h"

#include "emit/expression.h"
#include "emit/number.h"
#include "emit/types.h"

#include <math.h>
#include <string.h>

enum { WIDTH = AG_WIDTH };

/* ---- joints ---- */

/* A name of the URDF as a string literal. */
static const char *quoted(ag_arena *arena, const char *name) {
  ag_text text = {.arena = arena};
  ag_text_add(&text, "\"");
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    if (*c == '"' || *c == '\\' || *c == '?')
      ag_text_add(&text, "\\%c", *c);
    else if (*c < ' ' || *c == 127)
      ag_text_add(&text, "\\%03o", *c);
    else
      ag_text_add(&text, "%c", *c);
  ag_text_add(&text, "\"");
  return text.chars;
}

/* A limit of a joint or a motor as a macro, where there is one. */
static void limit(ag_text *t, const ag_header *h, const char *which, const char *id, double value,
                  const char *unit) {
  if (!isfinite(value)) return;
  const char *definition = ag_printf(h->arena, "#define %s_%s_%s %s", h->upper, which,
                                     ag_upper(h->arena, id), ag_emit_number(h, value));
  ag_text_add(t, "%-46s /* %s */\n", definition, unit);
}

static void motors(ag_text *t, const ag_header *h) {
  ag_text limits = {.arena = h->arena};
  for (int i = 0; i < h->nmotors; i++) {
    const ag_motor_info *m = &h->motors[i];
    limit(&limits, h, "VELOCITY_MOTOR", m->id, m->velocity, m->slides ? "[m/s]" : "[rad/s]");
    limit(&limits, h, "EFFORT_MOTOR", m->id, m->effort, m->slides ? "[N]" : "[N m]");
  }
  if (limits.length == 0) return;
  ag_text_add(t, "/* Limits of the motors, by the layout. */\n%s", limits.chars);
}

void ag_emit_constants(ag_text *t, const ag_header *h) {
  if (h->njoints == 0) return;
  motors(t, h);
  ag_text_add(t,
              "/* The joints' names in the URDF, in the order of %s_joint, for an array of const "
              "char *. */\n",
              h->prefix);
  ag_text line = {.arena = h->arena};
  ag_text_add(&line, "#define %s_JOINT_NAMES {", h->upper);
  for (int i = 0; i < h->njoints; i++) {
    const char *item = ag_printf(h->arena, "%s%s", quoted(h->arena, h->joints[i].name),
                                 i + 1 < h->njoints ? "," : "}");
    if (i && line.length + strlen(item) + 4 > WIDTH) {
      ag_text_add(t, "%s \\\n", line.chars);
      line = (ag_text){.arena = h->arena};
      ag_text_add(&line, "    %s", item);
    } else {
      ag_text_add(&line, "%s%s", i ? " " : "", item);
    }
  }
  ag_text_add(t, "%s\n", line.chars);
  ag_text limits = {.arena = h->arena};
  for (int i = 0; i < h->njoints; i++) {
    const ag_joint_info *j = &h->joints[i];
    limit(&limits, h, "LOWER", j->id, j->lower, j->prismatic ? "[m]" : "[rad]");
    limit(&limits, h, "UPPER", j->id, j->upper, j->prismatic ? "[m]" : "[rad]");
    limit(&limits, h, "VELOCITY", j->id, j->velocity, j->prismatic ? "[m/s]" : "[rad/s]");
    limit(&limits, h, "EFFORT", j->id, j->effort, j->prismatic ? "[N]" : "[N m]");
  }
  if (limits.length == 0) return;
  ag_text_add(
      t,
      "/* Limits of the joints, by the URDF and the layout; a limit that is not there has no "
      "macro.\n"
      " * The functions respect effort limits alone, and these only if SATURATED is among the\n"
      " * status bits below. */\n%s",
      limits.chars);
}

/* ---- the initialiser ---- */

/* A real as an initialiser: infinite ones by the name that <math.h> has for them. */
static const char *initial(const ag_header *h, double value) {
  if (isinf(value)) return value < 0 ? "(-INFINITY)" : "INFINITY";
  return ag_emit_number(h, value);
}

/* Values of `count` reals from the k-th of a quantity on, in braces; {0} where all are 0. */
static void braced(ag_text *t, const ag_header *h, const ag_quantity *q, int k, int count) {
  bool zero = true;
  for (int i = k; i < k + count; i++) zero &= !q->defaults || q->defaults[i] == 0;
  if (zero) {
    ag_text_add(t, "{%s}", ag_emit_number(h, 0));
    return;
  }
  for (int i = k; i < k + count; i++)
    ag_text_add(t, "%s%s", i == k ? "{" : ", ", initial(h, q->defaults[i]));
  ag_text_add(t, "}");
}

/* By row: places of rows that have no element are 0. */
static void braced_rows(ag_text *t, const ag_header *h, const ag_quantity *q) {
  for (int row = 0, k = 0; row < h->nrows; row++)
    ag_text_add(t, "%s%s", row ? ", " : "{",
                ag_row_counts(&h->rows[row], q->shape) && q->defaults ? initial(h, q->defaults[k++])
                                                                      : ag_emit_number(h, 0));
  ag_text_add(t, "}");
}

/* The value of a field as C initialises it. */
static void field_default(ag_text *t, const ag_header *h, const ag_quantity *q) {
  switch (q->shape) {
  case AG_SCALAR:
  case AG_YAW:
    ag_text_add(t, "%s", initial(h, q->defaults ? q->defaults[0] : 0));
    break;
  case AG_ROTATION:
    for (int i = 0; i < 3; i++) {
      ag_text_add(t, i ? ", " : "{");
      braced(t, h, q, 3 * i, 3);
    }
    ag_text_add(t, "}");
    break;
  case AG_DIRECTIONS:
    for (int i = 0; i < q->count; i++) {
      ag_text_add(t, i ? ", {" : "{{");
      braced(t, h, q, 6 * i, 3);
      ag_text_add(t, ", ");
      braced(t, h, q, 6 * i + 3, 3);
      ag_text_add(t, "}");
    }
    ag_text_add(t, "}");
    break;
  case AG_WRENCH:
  case AG_TWIST:
  case AG_ACCELERATION:
  case AG_MOMENTUM:
    ag_text_add(t, "{");
    braced(t, h, q, 0, 3);
    ag_text_add(t, ", ");
    braced(t, h, q, 3, 3);
    ag_text_add(t, "}");
    break;
  case AG_QUATERNION:
  case AG_PLANE:
  case AG_TENSOR:
  case AG_INERTIA: /* every field: compilers warn of a struct that is filled in part */
    for (int i = 0; i < q->size; i++)
      ag_text_add(t, "%s%s", i ? ", " : "{", initial(h, q->defaults ? q->defaults[i] : 0));
    ag_text_add(t, "}");
    break;
  default:
    if (ag_by_row(q->shape) && q->defaults)
      braced_rows(t, h, q);
    else
      braced(t, h, q, 0, q->size);
    break;
  }
}

/* A struct of the fields whose names begin with the first `before` characters of that of the quantity
 * `from`, which end with a dot: names with a further dot are structs inside, as in types.c. */
static void struct_default(ag_text *t, const ag_header *h, const ag_list *list, int from,
                           size_t before) {
  ag_text_add(t, "{");
  for (int i = from; i < list->nquantities; i++) {
    const ag_quantity *q = &list->quantities[i];
    if (strncmp(q->name, list->quantities[from].name, before) != 0) continue;
    const char *dot = strchr(q->name + before, '.');
    const size_t length = dot ? (size_t)(dot - q->name) + 1 : 0;
    if (dot && ag_begun_earlier(list, i, length)) continue;
    if (i > from) ag_text_add(t, ", ");
    if (dot)
      struct_default(t, h, list, i, length);
    else
      field_default(t, h, q);
  }
  ag_text_add(t, "}");
}

/* One field's line of the macro, broken behind commas. */
static void default_line(ag_text *t, const ag_header *h, const ag_list *list, int i, bool last) {
  const ag_quantity *q = &list->quantities[i];
  const char *dot = strchr(q->name, '.'), *what = q->name;
  ag_text value = {.arena = h->arena};
  if (dot) {
    const size_t length = (size_t)(dot - q->name) + 1;
    what = ag_printf(h->arena, "%.*s", (int)length - 1, q->name);
    struct_default(&value, h, list, i, length);
  } else {
    field_default(&value, h, q);
  }
  ag_text_add(&value, "%s /* %s */", last ? "" : ",", what);
  ag_text lines = {.arena = h->arena};
  ag_text_add(&lines, "  ");
  ag_text_wrap(&lines, value.chars, "    ", WIDTH - 2);
  for (const char *c = lines.chars; *c; c++)
    if (*c == '\n')
      ag_text_add(t, " \\\n");
    else
      ag_text_put(t, c, 1);
  ag_text_add(t, " \\\n");
}

static bool infinite_default(const ag_list *list) {
  for (int i = 0; i < list->nquantities; i++)
    if (list->quantities[i].defaults && isinf(list->quantities[i].defaults[0])) return true;
  return false;
}

void ag_emit_initialiser(ag_text *t, const ag_header *h, const ag_function *f) {
  bool masks = false;
  for (int i = 0; i < f->in.nquantities; i++) masks |= f->in.quantities[i].shape == AG_MASKS;
  ag_text_add(t,
              "/* Inputs to start from: %s_%s_in in = %s_%s_IN_DEFAULT;\n"
              " * at rest, no torque, no wrench%s.%s%s */\n",
              h->prefix, f->takes, h->upper, ag_upper(h->arena, f->takes),
              masks ? ", every row is active" : "",
              masks ? "\n * A struct of zeros would switch all rows off: its masks are 0." : "",
              infinite_default(&f->in) ? "\n * (Include <math.h>, which has INFINITY.)" : "");
  ag_text_add(t, "#define %s_%s_IN_DEFAULT { \\\n", h->upper, ag_upper(h->arena, f->takes));
  int last = 0;
  for (int i = 0; i < f->in.nquantities; i++)
    if (!ag_stands_earlier(&f->in, i)) last = i;
  for (int i = 0; i <= last; i++)
    if (!ag_stands_earlier(&f->in, i)) default_line(t, h, &f->in, i, i == last);
  ag_text_add(t, "}\n");
}

/* emit.c: see emit.h */
#include "emit.h"

#include "schedule.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, COMMENT_COLUMN = 30 };

/* ---- enumerations and structs ---- */

static void enum_line(ag_text *t, const char *item, bool last) {
  const size_t line = t->length - (size_t)(strrchr(t->chars, '\n') + 1 - t->chars);
  if (line + strlen(item) + 2 > WIDTH) ag_text_add(t, "\n ");
  ag_text_add(t, " %s%s", item, last ? "" : ",");
}

void ag_emit_enums(ag_text *t, const ag_header *h) {
  ag_text_add(t, "enum { %s_NJ = %d, %s_NR = %d };\n\n", h->upper, h->njoints, h->upper, h->nrows);
  ag_text_add(t, "enum %s_joint {\n ", h->prefix);
  for (int i = 0; i < h->njoints; i++)
    enum_line(t, ag_printf(h->arena, "%s_%s", h->upper, ag_upper(h->arena, h->joints[i].id)),
              i == h->njoints - 1);
  ag_text_add(t, "\n};\n");
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

static bool uses_shape(const ag_header *h, ag_shape shape) {
  for (int p = 0; p < h->nprograms; p++)
    for (int side = 0; side < 2; side++) {
      const ag_list *list = side ? &h->programs[p]->out : &h->programs[p]->in;
      for (int i = 0; i < list->nquantities; i++)
        if (list->quantities[i].shape == shape) return true;
    }
  return false;
}

void ag_emit_types(ag_text *t, const ag_header *h) {
  const char *p = h->prefix;
  static const struct {
    ag_shape shape;
    const char *name, *unit;
  } spatial[] = {{AG_WRENCH, "wrench", "force [N], moment [N m] about the origin"},
                 {AG_TWIST, "twist", "velocity of the origin [m/s], angular velocity [rad/s]"},
                 {AG_ACCELERATION, "acceleration", "of the origin [m/s^2], angular [rad/s^2]"},
                 {AG_DIRECTIONS, "direction", "free row: weights of linear and angular parts"}};
  for (size_t k = 0; k < sizeof spatial / sizeof *spatial; k++)
    if (uses_shape(h, spatial[k].shape))
      ag_text_add(t, "typedef struct %s_%s { /* %s */\n  %s_real lin[3], ang[3];\n} %s_%s;\n\n", p,
                  spatial[k].name, spatial[k].unit, p, p, spatial[k].name);
  if (uses_shape(h, AG_POSE))
    ag_text_add(t,
                "typedef struct %s_pose { /* origin [m]; rotation, to the base's axes from the "
                "frame's */\n  %s_real p[3], R[3][3];\n} %s_pose;\n\n",
                p, p, p);
  if (uses_shape(h, AG_INERTIA))
    ag_text_add(t,
                "typedef struct %s_inertia { /* mass [kg], first moment [kg m], rotational "
                "inertia [kg m^2] */\n  %s_real m, mx, my, mz, xx, xy, xz, yy, yz, zz;\n"
                "} %s_inertia;\n\n",
                p, p, p);
  if (uses_shape(h, AG_JACOBIAN))
    ag_text_add(t,
                "typedef struct %s_jacobian { /* twist per joint velocity */\n"
                "  %s_real lin[3][%s_NJ], ang[3][%s_NJ];\n} %s_jacobian;\n\n",
                p, p, h->upper, h->upper, p);
}

/* "[rad, m]", or what of it this robot has. */
static const char *units(const ag_header *h, const ag_quantity *q) {
  bool linear = false, angular = false;
  if (q->shape == AG_JOINTS) {
    for (int i = 0; i < h->njoints; i++) *(h->joints[i].prismatic ? &linear : &angular) = true;
  } else if (q->shape == AG_ROWS || q->shape == AG_MASKS) {
    for (int i = 0; i < h->nrows; i++) {
      linear |= h->rows[i].kind != AG_ROW_ANGULAR;
      angular |= h->rows[i].kind != AG_ROW_LINEAR;
    }
  } else if (q->shape == AG_SCALAR || q->shape == AG_VECTOR) {
    linear = true;
  } else { /* the type's comment tells */
    return "";
  }
  const char *l = q->unit[0], *a = q->unit[1];
  if (linear && angular && strcmp(l, a) != 0) return ag_printf(h->arena, " [%s, %s]", a, l);
  const char *one = linear ? l : a;
  return strcmp(one, "1") == 0 ? "" : ag_printf(h->arena, " [%s]", one);
}

static void field(ag_text *t, const ag_header *h, const ag_quantity *q, const char *name,
                  const char *indent) {
  static const char *const structs[AG_NSHAPES] = {
      [AG_WRENCH] = "wrench",        [AG_TWIST] = "twist", [AG_ACCELERATION] = "acceleration",
      [AG_DIRECTIONS] = "direction", [AG_POSE] = "pose",   [AG_INERTIA] = "inertia",
      [AG_JACOBIAN] = "jacobian"};
  const char *dims = "";
  switch (q->shape) {
  case AG_JOINTS:
    dims = ag_printf(h->arena, "[%s_NJ]", h->upper);
    break;
  case AG_ROWS:
  case AG_MASKS:
    dims = ag_printf(h->arena, "[%s_NR]", h->upper);
    break;
  case AG_VECTOR:
    dims = "[3]";
    break;
  case AG_ROTATION:
    dims = "[3][3]";
    break;
  case AG_DIRECTIONS:
    dims = ag_printf(h->arena, "[%d]", q->count);
    break;
  case AG_PACKED:
    dims = ag_printf(h->arena, "[%s_NJ * (%s_NJ + 1) / 2]", h->upper, h->upper);
    break;
  default:
    break;
  }
  const char *type = structs[q->shape] ? structs[q->shape] : "real";
  const char *declaration =
      ag_printf(h->arena, "%s%s_%s %s%s;", indent, h->prefix, type, name, dims);
  const char *comment = ag_printf(h->arena, "/* %s%s */", q->doc, units(h, q));
  const size_t left = strlen(declaration) > COMMENT_COLUMN ? strlen(declaration) : COMMENT_COLUMN;
  if (left + 1 + strlen(comment) <= WIDTH)
    ag_text_add(t, "%-*s %s\n", COMMENT_COLUMN, declaration, comment);
  else
    ag_text_add(t, "%s%s\n%s\n", indent, comment, declaration);
}

static void fields(ag_text *t, const ag_header *h, const ag_list *list) {
  for (int i = 0; i < list->nquantities; i++) {
    const ag_quantity *q = &list->quantities[i];
    const char *dot = strchr(q->name, '.');
    if (!dot) {
      field(t, h, q, q->name, "  ");
      continue;
    }
    /* a struct inside, with all that share the prefix, where the first of them stands */
    const size_t length = (size_t)(dot - q->name) + 1;
    bool first = true;
    for (int k = 0; k < i; k++) first &= strncmp(list->quantities[k].name, q->name, length) != 0;
    if (!first) continue;
    ag_text_add(t, "  struct {\n");
    for (int k = i; k < list->nquantities; k++)
      if (strncmp(list->quantities[k].name, q->name, length) == 0)
        field(t, h, &list->quantities[k], list->quantities[k].name + length, "    ");
    ag_text_add(t, "  } %.*s;\n", (int)length - 1, q->name);
  }
}

/* FNV-1a over the fields' places, units and order: changes when the structs do. */
static uint32_t shape_hash(const ag_header *h, const ag_program *program) {
  uint32_t hash = 2166136261u;
  for (int side = 0; side < 2; side++) {
    const ag_list *list = side ? &program->out : &program->in;
    for (int i = 0; i < list->nelements; i++) {
      const ag_element *e = &list->elements[i];
      const char *text =
          ag_printf(h->arena, "%d %s %s %s %d\n", side, e->column, e->access, e->unit, h->single);
      for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
  }
  return hash;
}

void ag_emit_structs(ag_text *t, const ag_header *h, const ag_program *program) {
  const char *f = program->function;
  ag_text_add(t, "typedef struct %s_%s_in {\n", h->prefix, f);
  fields(t, h, &program->in);
  ag_text_add(t, "} %s_%s_in;\n\ntypedef struct %s_%s_out {\n", h->prefix, f, h->prefix, f);
  fields(t, h, &program->out);
  ag_text_add(t, "} %s_%s_out;\n\n", h->prefix, f);
  ag_text_add(
      t,
      "/* Changes when a field of the two changes its name, place or unit: static_assert it. */\n"
      "#define %s_%s_SHAPE 0x%08" PRIx32 "u\n",
      h->upper, ag_upper(h->arena, f), shape_hash(h, program));
}

/* ---- expressions ---- */

typedef struct printer {
  const ag_header *header;
  const ag_program *program;
  const int *uses;
  const char **name; /* by node; NULL: printed where it is used */
} printer;

/* How strongly an operator binds. */
enum { TERNARY, OR, AND, EQUAL, LESS, SUM, PRODUCT, UNARY, PRIMARY };

static int binding(ag_op op) {
  switch (op) {
  case AG_ADD:
  case AG_SUB:
    return SUM;
  case AG_MUL:
  case AG_DIV:
  case AG_PROBE:
    return PRODUCT;
  case AG_NEG:
  case AG_NOT:
    return UNARY;
  case AG_SELECT:
    return TERNARY;
  case AG_LT:
    return LESS;
  case AG_EQ:
    return EQUAL;
  case AG_AND:
    return AND;
  case AG_OR:
    return OR;
  default:
    return PRIMARY;
  }
}

/* A number that reads back as itself: %.17g, for float %.9g of the rounded value. */
static const char *number(const ag_header *h, double value) {
  char text[40];
  if (h->single)
    snprintf(text, sizeof text, "%.9g", (double)(float)value);
  else
    snprintf(text, sizeof text, "%.17g", value);
  const char *point = strpbrk(text, ".e") ? "" : ".0";
  return ag_printf(h->arena, value < 0 ? "(%s%s%s)" : "%s%s%s", text, point, h->single ? "f" : "");
}

static void expression(ag_text *t, const printer *p, ag_id id, int least);

/* The place of an angle in the trig struct. */
static int angle_of(const printer *p, ag_id angle) {
  int input = 0;
  double k = 0, c = 0;
  const bool affine = ag_affine(&p->program->dag, angle, &input, &k, &c);
  assert(affine);
  (void)affine;
  const int joint = p->program->in.elements[input].joint;
  const ag_header *h = p->header;
  for (int i = 0; i < h->nangles; i++)
    if (h->angles[i].joint == joint && h->angles[i].multiplier == k && h->angles[i].offset == c)
      return i;
  assert(joint >= 0);
  return joint;
}

/* The operator's text, its operands by name or in place. */
static void operation(ag_text *t, const printer *p, ag_id id, int least) {
  const ag_node *n = &p->program->dag.nodes[id];
  const int bind = binding(n->op);
  if (bind < least) ag_text_add(t, "(");
  switch (n->op) {
  case AG_CONST:
    ag_text_add(t, "%s", number(p->header, n->value));
    break;
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "1" : "0");
    break;
  case AG_INPUT:
    ag_text_add(t, "in->%s", p->program->in.elements[n->a].access);
    break;
  case AG_ADD:
    expression(t, p, n->a, SUM);
    ag_text_add(t, " + ");
    expression(t, p, n->b, SUM + 1);
    break;
  case AG_SUB:
    expression(t, p, n->a, SUM);
    ag_text_add(t, " - ");
    expression(t, p, n->b, SUM + 1);
    break;
  case AG_MUL:
    expression(t, p, n->a, PRODUCT);
    ag_text_add(t, " * ");
    expression(t, p, n->b, PRODUCT + 1);
    break;
  case AG_DIV:
    expression(t, p, n->a, PRODUCT);
    ag_text_add(t, " / ");
    expression(t, p, n->b, PRODUCT + 1);
    break;
  case AG_NEG:
    ag_text_add(t, "-");
    expression(t, p, n->a, UNARY + 1);
    break;
  case AG_SIN:
  case AG_COS:
    ag_text_add(t, "trig->%c[%d]", n->op == AG_SIN ? 's' : 'c', angle_of(p, n->a));
    break;
  case AG_SELECT: /* a condition of | or & in brackets: clang warns otherwise */
    expression(t, p, n->a, UNARY);
    ag_text_add(t, " ? ");
    expression(t, p, n->b, TERNARY + 1);
    ag_text_add(t, " : ");
    expression(t, p, n->c, TERNARY + 1);
    break;
  case AG_PROBE:
    ag_text_add(t, "%s * ", number(p->header, 0));
    expression(t, p, n->a, PRODUCT + 1);
    break;
  case AG_LT:
    expression(t, p, n->a, LESS + 1);
    ag_text_add(t, " < ");
    expression(t, p, n->b, LESS + 1);
    break;
  case AG_EQ:
    expression(t, p, n->a, LESS);
    ag_text_add(t, " == ");
    expression(t, p, n->b, LESS);
    break;
  case AG_AND: /* & and |: no branch */
    expression(t, p, n->a, PRIMARY);
    ag_text_add(t, " & ");
    expression(t, p, n->b, PRIMARY);
    break;
  case AG_OR:
    expression(t, p, n->a, PRIMARY);
    ag_text_add(t, " | ");
    expression(t, p, n->b, PRIMARY);
    break;
  case AG_NOT:
    ag_text_add(t, "!");
    expression(t, p, n->a, PRIMARY);
    break;
  default:
    break;
  }
  if (bind < least) ag_text_add(t, ")");
}

static void expression(ag_text *t, const printer *p, ag_id id, int least) {
  if (p->name[id])
    ag_text_add(t, "%s", p->name[id]);
  else
    operation(t, p, id, least);
}

/* ---- names ---- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Number of operators that a node's text would hold if operands without a name stand in it. */
static int weight_of(const ag_program *program, const int *weight, ag_id id) {
  const ag_node *n = &program->dag.nodes[id];
  const int arity = ag_arity(n->op);
  if (arity == 0) return 0;
  int w = 1;
  if (n->op == AG_SIN || n->op == AG_COS) return 1;
  if (arity > 0) w += weight[n->a];
  if (arity > 1) w += weight[n->b];
  if (arity > 2) w += weight[n->c];
  return w;
}

enum { INLINE_OPERATORS = 4, INLINE_CONDITION = 12 };

/* Which nodes are statements of their own, and their names: used more than once, labelled, or grown
 * beyond what reads well in one expression. */
static void choose_names(printer *p, ag_arena *arena) {
  const ag_program *program = p->program;
  const ag_dag *dag = &program->dag;
  int *weight = ag_alloc(arena, (size_t)dag->count * sizeof *weight);
  ag_id *user_region = ag_alloc(arena, (size_t)dag->count * sizeof *user_region);
  for (int i = 0; i < program->norder; i++) {
    const ag_node *n = &dag->nodes[program->order[i]];
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) user_region[of[k]] = n->region;
  }
  int labelled = 0, count = 0;
  const char **labels = ag_alloc(arena, (size_t)(program->norder + 1) * sizeof *labels);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const ag_node *n = &dag->nodes[id];
    weight[id] = weight_of(program, weight, id);
    if (ag_arity(n->op) == 0) continue;
    const bool boolean = ag_is_boolean(dag, id);
    const bool big = weight[id] >= (boolean ? INLINE_CONDITION : INLINE_OPERATORS);
    const bool away = user_region[id] != n->region && !boolean;
    const bool plain = n->op == AG_SIN || n->op == AG_COS || n->op == AG_NEG;
    if (n->name || (p->uses[id] > 1 && n->op != AG_NEG) || (!plain && (big || away))) {
      p->name[id] = n->name ? n->name : "";
      weight[id] = 0;
      if (n->name) labels[labelled++] = n->name;
    }
  }
  /* labels that stand twice get a number */
  qsort(labels, (size_t)labelled, sizeof *labels, compare_names);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    if (!p->name[id]) continue;
    if (p->name[id][0] == '\0') {
      p->name[id] = ag_printf(arena, "%c%d", ag_is_boolean(dag, id) ? 'k' : 't', ++count);
      continue;
    }
    const char *key = p->name[id];
    const char **at = bsearch(&key, labels, (size_t)labelled, sizeof *labels, compare_names);
    const bool twice = (at > labels && strcmp(at[-1], key) == 0) ||
                       (at + 1 < labels + labelled && strcmp(at[1], key) == 0);
    if (twice) p->name[id] = ag_printf(arena, "%s_n%" PRId32, key, id);
  }
}

/* An operator with two operands and a blank behind it. */
static bool is_operator(const char *text) {
  if (strncmp(text, "== ", 3) == 0) return true;
  return text[0] != '\0' && strchr("+-*/?:&|<", text[0]) && text[1] == ' ';
}

/* Adds a line, broken before operators and behind commas where it is too long. */
static void broken(ag_text *t, const char *indent, const char *line) {
  size_t length = strlen(line);
  while (length + strlen(indent) > WIDTH) {
    const size_t room = WIDTH - strlen(indent);
    size_t cut = 0;
    for (size_t k = 1; k < room && k + 2 < length; k++)
      if (line[k] == ' ' && (line[k - 1] == ',' || is_operator(line + k + 1))) cut = k;
    if (cut == 0) break;
    ag_text_add(t, "%s%.*s\n", indent, (int)cut, line);
    line += cut + 1;
    length -= cut + 1;
    indent = "      ";
  }
  ag_text_add(t, "%s%s\n", indent, line);
}

static void statement(ag_text *t, const char *line) {
  broken(t, "  ", line);
}

static void define_node(ag_text *t, const printer *p, ag_id id) {
  ag_text line = {.arena = p->header->arena};
  const bool boolean = ag_is_boolean(&p->program->dag, id);
  ag_text_add(&line, boolean ? "const int " : "const %s_real ", p->header->prefix);
  ag_text_add(&line, "%s = ", p->name[id]);
  operation(&line, p, id, 0);
  ag_text_add(&line, ";");
  statement(t, line.chars);
}

/* ---- functions ---- */

static const char *signature(const ag_header *h, const ag_program *p, const char *linkage,
                             bool trig) {
  const char *n = h->prefix, *f = p->function;
  const char *first = trig ? ag_printf(h->arena, "const %s_trig *trig, ", n) : "";
  return ag_printf(h->arena, "%s%s_status %s_%s%s(%sconst %s_%s_in *in, %s_%s_out *out)", linkage,
                   n, n, f, trig ? "_trig" : "", first, n, f, n, f);
}

void ag_emit_declaration(ag_text *t, const ag_header *h, const ag_program *p) {
  ag_text_add(t, "/* %s\n", p->doc);
  ag_text_add(t, " * Pure, reentrant; no loop, no allocation; fills *out whatever comes in. */\n");
  broken(t, "", ag_printf(h->arena, "%s;", signature(h, p, "", false)));
  ag_text_add(
      t,
      "/* The same with sines and cosines from the caller (shared by a cycle's functions). */\n");
  broken(t, "", ag_printf(h->arena, "%s;", signature(h, p, "", true)));
}

void ag_emit_trig(ag_text *t, const ag_header *h) {
  bool turns = h->nangles > h->njoints;
  for (int i = 0; i < h->njoints; i++) {
    turns = turns || !h->joints[i].prismatic;
    if (h->joints[i].prismatic)
      ag_text_add(t, "  trig->s[%d] = %s;\n  trig->c[%d] = %s;\n", i, number(h, 0), i,
                  number(h, 1));
    else
      ag_text_add(t, "  %s_sincos(q[%d], &trig->s[%d], &trig->c[%d]);\n", h->prefix, i, i, i);
  }
  for (int i = h->njoints; i < h->nangles; i++) /* those that mimic */
    ag_text_add(t, "  %s_sincos(%s * q[%d] + %s, &trig->s[%d], &trig->c[%d]);\n", h->prefix,
                number(h, h->angles[i].multiplier), h->angles[i].joint,
                number(h, h->angles[i].offset), i, i);
  if (!turns) ag_text_add(t, "  (void)q;\n");
}

void ag_emit_definition(ag_text *t, const ag_header *h, const ag_program *program,
                        const char *linkage) {
  printer p = {.header = h, .program = program, .uses = ag_uses(program, h->arena)};
  p.name = ag_alloc(h->arena, (size_t)program->dag.count * sizeof *p.name);
  choose_names(&p, h->arena);
  broken(t, "", ag_printf(h->arena, "%s {", signature(h, program, linkage, true)));
  int32_t region = -1;
  bool trig = false;
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const ag_node *n = &program->dag.nodes[id];
    trig |= n->op == AG_SIN || n->op == AG_COS;
    if (!p.name[id]) continue;
    if (n->region != region && n->region < program->nregions) {
      region = n->region;
      const ag_region *r = &program->regions[region];
      ag_text_add(t, "\n  /* %s (%s) */\n", r->title, r->source);
    }
    define_node(t, &p, id);
  }
  if (!trig) ag_text_add(t, "  (void)trig;\n");
  ag_text_add(t, "\n  /* results */\n");
  for (int i = 0; i < program->out.nelements; i++) {
    const ag_element *e = &program->out.elements[i];
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, "out->%s = ", e->access);
    expression(&line, &p, e->node, 0);
    ag_text_add(&line, ";");
    statement(t, line.chars);
  }
  for (int i = 0; i < program->nstatus; i++) {
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, i ? "(" : "return (");
    expression(&line, &p, program->status[i].node, UNARY);
    ag_text_add(&line, " ? (%s_status)%s_%s : 0u)%s", h->prefix, h->upper, program->status[i].name,
                i + 1 < program->nstatus ? " |" : ";");
    broken(t, i ? "         " : "  ", line.chars);
  }
  if (program->nstatus == 0) ag_text_add(t, "  return 0u;\n");
  ag_text_add(t, "}\n\n#ifndef %s_NO_MATH\n", h->upper);
  broken(t, "", ag_printf(h->arena, "%s {", signature(h, program, linkage, false)));
  ag_text_add(t,
              "  %s_trig trig;\n  %s_trig_of(in->q, &trig);\n"
              "  return %s_%s_trig(&trig, in, out);\n}\n#endif\n",
              h->prefix, h->prefix, h->prefix, program->function);
}

char *ag_emit_cost(const ag_header *h, const ag_program *program) {
  const ag_cost *c = &program->cost;
  const int bytes = (c->live + 2 * h->njoints) * (h->single ? 4 : 8) + 96;
  return ag_printf(h->arena,
                   "%d add, %d mul, %d div, %d neg, %d sin or cos, %d select; "
                   "%d values live at most; about %d bytes of stack",
                   c->add, c->mul, c->div, c->neg, c->trig, c->select, c->live,
                   (bytes + 15) / 16 * 16);
}

/* function.c: see function.h */
#include "emit/function.h"

#include "program/order.h"
#include "emit/trig.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = AG_WIDTH };

/* ---- expressions ---- */

typedef struct printer {
  const ag_header *header;
  const ag_program *program;
  const char **name; /* by node; NULL: printed where it is used */
  bool lanes;        /* of a batch: vectors of K states */
} printer;

/* How strongly an operator binds. */
enum { TERNARY, OR, AND, EQUAL, LESS, SUM, PRODUCT, UNARY, PRIMARY };

/* Operators between two operands: the sign, and how strongly each side must bind to need no
 * brackets. */
static const struct {
  const char *sign;
  int bind, left, right;
} binary[AG_NOPS] = {
    [AG_ADD] = {"+", SUM, SUM, SUM + 1},
    [AG_SUB] = {"-", SUM, SUM, SUM + 1},
    [AG_MUL] = {"*", PRODUCT, PRODUCT, PRODUCT + 1},
    [AG_DIV] = {"/", PRODUCT, PRODUCT, PRODUCT + 1},
    [AG_LT] = {"<", LESS, LESS + 1, LESS + 1},
    [AG_EQ] = {"==", EQUAL, LESS, LESS},
    [AG_AND] = {"&", AND, PRIMARY, PRIMARY}, /* & and |: no branch */
    [AG_OR] = {"|", OR, PRIMARY, PRIMARY},
};

static int binding(ag_op op) {
  switch (op) {
  case AG_PROBE:
    return PRODUCT;
  case AG_NEG:
  case AG_NOT:
    return UNARY;
  case AG_SELECT:
    return TERNARY;
  default:
    return binary[op].sign ? binary[op].bind : PRIMARY;
  }
}

/* %.17g, for float %.9g of the rounded value. */
const char *ag_emit_number(const ag_header *h, double value) {
  char text[40];
  if (h->single)
    snprintf(text, sizeof text, "%.9g", (double)(float)value);
  else
    snprintf(text, sizeof text, "%.17g", value);
  const char *point = strpbrk(text, ".e") ? "" : ".0";
  return ag_printf(h->arena, value < 0 ? "(%s%s%s)" : "%s%s%s", text, point, h->single ? "f" : "");
}

static void expression(ag_text *t, const printer *p, ag_id id, int least);

/* Where an input stands: "in->q[0]", "mclp->r[0]", "nu[0]". */
static const char *input_access(const printer *p, int input) {
  static const char problem[] = "mclp.";
  const char *access = p->program->in.elements[input].access;
  if (!ag_takes_problem(p->program)) return ag_printf(p->header->arena, "in->%s", access);
  if (strncmp(access, problem, strlen(problem)) != 0) return access;
  return ag_printf(p->header->arena, "mclp->%s", access + strlen(problem));
}

/* The place of an angle in the trig struct. */
static int angle_of(const printer *p, ag_id angle) {
  int input = 0;
  double k = 0, c = 0;
  const bool affine = ag_affine(&p->program->dag, angle, &input, &k, &c);
  assert(affine);
  (void)affine;
  const int joint = p->program->in.elements[input].joint;
  const ag_header *h = p->header;
  int i = 0;
  while (i < h->nangles &&
         (h->angles[i].joint != joint || h->angles[i].multiplier != k || h->angles[i].offset != c))
    i++;
  assert(i < h->nangles);
  return i;
}

/* An operand that must be a vector, constants too. */
static void lane_operand(ag_text *t, const printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  if (n->op == AG_CONST)
    ag_text_add(t, "(none + %s)", ag_emit_number(p->header, n->value));
  else
    expression(t, p, id, SUM + 1);
}

/* The operators that vectors spell otherwise: comparisons and what is made of them. Returns whether
 * this was one. */
static bool lane_operation(ag_text *t, const printer *p, const ag_node *n) {
  switch (n->op) {
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "(none == none)" : "(none != none)");
    return true;
  case AG_LT:
  case AG_EQ:
    ag_text_add(t, "(");
    lane_operand(t, p, n->a);
    ag_text_add(t, n->op == AG_LT ? " < " : " == ");
    lane_operand(t, p, n->b);
    ag_text_add(t, ")");
    return true;
  case AG_NOT:
    ag_text_add(t, "~");
    expression(t, p, n->a, PRIMARY);
    return true;
  case AG_SELECT:
    ag_text_add(t, "%s_SELECT(", p->header->upper);
    expression(t, p, n->a, TERNARY);
    ag_text_add(t, ", ");
    lane_operand(t, p, n->b);
    ag_text_add(t, ", ");
    lane_operand(t, p, n->c);
    ag_text_add(t, ")");
    return true;
  default:
    return false;
  }
}

/* The operator's text, its operands by name or in place. */
static void operation(ag_text *t, const printer *p, ag_id id, int least) {
  const ag_node *n = &p->program->dag.nodes[id];
  const int bind = binding(n->op);
  if (p->lanes && lane_operation(t, p, n)) return;
  if (bind < least) ag_text_add(t, "(");
  switch (n->op) {
  case AG_CONST:
    ag_text_add(t, "%s", ag_emit_number(p->header, n->value));
    break;
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "1" : "0");
    break;
  case AG_INPUT:
    ag_text_add(t, "%s", input_access(p, n->a));
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
    ag_text_add(t, "%s * ", ag_emit_number(p->header, 0));
    expression(t, p, n->a, PRODUCT + 1);
    break;
  case AG_NOT:
    ag_text_add(t, "!");
    expression(t, p, n->a, PRIMARY);
    break;
  default:
    assert(binary[n->op].sign);
    expression(t, p, n->a, binary[n->op].left);
    ag_text_add(t, " %s ", binary[n->op].sign);
    expression(t, p, n->b, binary[n->op].right);
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

/* Statements have names: their label or a number. */
static void choose_names(printer *p, ag_arena *arena) {
  const ag_program *program = p->program;
  const ag_dag *dag = &program->dag;
  int labelled = 0, count = 0;
  const char **labels = ag_alloc(arena, (size_t)(program->norder + 1) * sizeof *labels);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const char *label = dag->nodes[id].name;
    if (!program->statement[id]) continue;
    p->name[id] = label ? label : "";
    if (label) labels[labelled++] = label;
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

/* `number`: of its region, in the legend. */
static void define_node(ag_text *t, const printer *p, ag_id id, int number) {
  ag_text line = {.arena = p->header->arena};
  const bool boolean = ag_is_boolean(&p->program->dag, id);
  if (p->lanes)
    ag_text_add(&line, boolean ? "const %s_lanes_mask " : "const %s_lanes ", p->header->prefix);
  else
    ag_text_add(&line, boolean ? "const int " : "const %s_real ", p->header->prefix);
  ag_text_add(&line, "%s = ", p->name[id]);
  operation(&line, p, id, 0);
  ag_text_add(&line, number ? "; /* %d */" : ";", number);
  statement(t, line.chars);
}

/* ---- functions ---- */

bool ag_takes_problem(const ag_program *program) {
  return strcmp(program->function, "apply") == 0;
}

static const char *signature(const ag_header *h, const ag_program *p, const char *linkage,
                             bool trig) {
  const char *n = h->prefix, *f = p->function;
  const bool twin = trig && !ag_takes_problem(p);
  const char *first = twin ? ag_printf(h->arena, "const %s_trig *trig, ", n) : "";
  const char *problem =
      ag_takes_problem(p)
          ? ag_printf(h->arena, "const %s_mclp_out *mclp, const %s_real nu[%s_NR], ", n, n,
                      h->upper)
          : "";
  return ag_printf(h->arena, "%s%s_status %s_%s%s(%sconst %s_%s_in *in, %s%s_%s_out *out)", linkage,
                   n, n, f, twin ? "_trig" : "", first, n, p->takes, problem, n, p->fills);
}

void ag_emit_contract(ag_text *t, const ag_program *p) {
  ag_text_add(t, "/* ");
  ag_text_wrap(t, p->doc, " * ", AG_WIDTH);
  ag_text_add(t, "\n");
  ag_text_add(t, " * Pure, reentrant; no loop, no allocation; fills *out whatever comes in. */\n");
}

void ag_emit_declaration(ag_text *t, const ag_header *h, const ag_program *p) {
  ag_emit_contract(t, p);
  broken(t, "", ag_printf(h->arena, "%s;", signature(h, p, "", false)));
  if (ag_takes_problem(p)) return;
  ag_text_add(
      t,
      "/* The same with sines and cosines from the caller (shared by a cycle's functions). */\n");
  broken(t, "", ag_printf(h->arena, "%s;", signature(h, p, "", true)));
}

/* Numbers from 1 on, in the algorithm's order, of the regions that have statements; 0: it has none.
 */
static int *number_regions(const printer *p) {
  const ag_program *program = p->program;
  int *number = ag_alloc(p->header->arena, (size_t)(program->nregions + 1) * sizeof *number);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const int32_t region = program->dag.nodes[id].region;
    if (program->statement[id] && region < program->nregions) number[region] = 1;
  }
  for (int r = 0, count = 0; r < program->nregions; r++)
    if (number[r]) number[r] = ++count;
  return number;
}

/* Which step of the algorithm the number behind a statement stands for. */
static void legend(ag_text *t, const ag_program *program, const int *number) {
  int steps = 0;
  for (int r = 0; r < program->nregions; r++) steps += number[r] > 0;
  if (steps == 0) return;
  ag_text_add(t, "  /* Steps, by the numbers behind the statements:\n");
  for (int r = 0; r < program->nregions; r++)
    if (number[r])
      ag_text_add(t, "   * %2d  %s (%s)\n", number[r], program->regions[r].title,
                  program->regions[r].source);
  ag_text_add(t, "   */\n");
}

/* The statements of a program; names are chosen. */
static void emit_body(ag_text *t, const printer *p) {
  const ag_program *program = p->program;
  const int *number = number_regions(p);
  if (!p->lanes) legend(t, program, number);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const ag_node *n = &program->dag.nodes[id];
    if (!program->statement[id]) continue;
    define_node(t, p, id, n->region < program->nregions ? number[n->region] : 0);
  }
}

static bool takes_trig(const ag_program *program) {
  for (int i = 0; i < program->norder; i++) {
    const ag_op op = program->dag.nodes[program->order[i]].op;
    if (op == AG_SIN || op == AG_COS) return true;
  }
  return false;
}

static printer printer_of(const ag_header *h, const ag_program *program, bool lanes) {
  printer p = {.header = h, .program = program, .lanes = lanes};
  p.name = ag_alloc(h->arena, (size_t)program->dag.count * sizeof *p.name);
  choose_names(&p, h->arena);
  return p;
}

void ag_emit_definition(ag_text *t, const ag_header *h, const ag_program *program,
                        const char *linkage) {
  const printer p = printer_of(h, program, false);
  broken(t, "", ag_printf(h->arena, "%s {", signature(h, program, linkage, true)));
  emit_body(t, &p);
  if (ag_takes_problem(program))
    ag_text_add(t, "  (void)in;\n");
  else if (!takes_trig(program))
    ag_text_add(t, "  (void)trig;\n");
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
  ag_text_add(t, "}\n");
  if (ag_takes_problem(program)) return;
  ag_text_add(t, "\n");
  broken(t, "", ag_printf(h->arena, "%s {", signature(h, program, linkage, false)));
  ag_text_add(t,
              "  %s_trig trig;\n  %s_trig_of(%s%s&trig);\n"
              "  return %s_%s_trig(&trig, in, out);\n}\n",
              h->prefix, h->prefix, h->njoints ? "in->q, " : "",
              ag_has_yaw(h) ? "in->base.yaw, " : "", h->prefix, program->function);
}

/* ---- batches ---- */

enum { NEARNESS = 10 }; /* measured with AVX2: 2 % of the time and of the code */

static const char *batch_signature(const ag_header *h, const ag_program *p, const char *linkage) {
  const char *n = h->prefix, *f = p->function;
  return ag_printf(h->arena,
                   "%svoid %s_%s_batch(const %s_%s_batch_in *in, %s_%s_batch_out *out, "
                   "%s_status status[%s_K])",
                   linkage, n, f, n, f, n, f, n, h->upper);
}

static void batch_contract(ag_text *t, const ag_header *h) {
  ag_text_add(t, "/* The same of %d states at once, lane by lane. */\n", h->batch);
}

void ag_emit_batch_declaration(ag_text *t, const ag_header *h, const ag_program *p) {
  batch_contract(t, h);
  broken(t, "", ag_printf(h->arena, "%s;", batch_signature(h, p, "")));
}

/* Where the compiler has no vector types: one state after the other. */
static void lanes_one_by_one(ag_text *t, const ag_header *h, const ag_program *program) {
  const char *n = h->prefix, *f = program->function;
  ag_text_add(
      t, "  int k;\n  for (k = 0; k < %s_K; k++) {\n    %s_%s_in one;\n    %s_%s_out result;\n",
      h->upper, n, f, n, f);
  for (int i = 0; i < program->in.nelements; i++) {
    const char *access = program->in.elements[i].access;
    ag_text_add(t, "    one.%s = in->%s[k];\n", access, access);
  }
  ag_text_add(t, "    status[k] = %s_%s(&one, &result);\n", n, f);
  for (int i = 0; i < program->out.nelements; i++) {
    const char *access = program->out.elements[i].access;
    ag_text_add(t, "    out->%s[k] = result.%s;\n", access, access);
  }
  ag_text_add(t, "  }\n");
}

void ag_emit_batch_definition(ag_text *t, const ag_header *h, const ag_program *program,
                              const char *linkage) {
  ag_program near = *program;
  ag_order(&near, NEARNESS, h->arena);
  program = &near;
  printer p = printer_of(h, program, true);
  ag_text_add(t, "\n");
  batch_contract(t, h);
  broken(t, "", ag_printf(h->arena, "%s {", batch_signature(h, program, linkage)));
  ag_text_add(t, "#if defined(__GNUC__)\n");
  ag_text_add(t, "  const %s_lanes none = {0};\n", h->prefix);
  if (takes_trig(program)) ag_emit_trig_lanes(t, h);
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const ag_node *n = &program->dag.nodes[id];
    if (n->op != AG_INPUT) continue;
    p.name[id] = ag_printf(h->arena, "x%d", n->a);
    ag_text_add(t, "  const %s_lanes %s = %s_LOAD(in->%s);\n", h->prefix, p.name[id], h->upper,
                program->in.elements[n->a].access);
  }
  emit_body(t, &p);
  ag_text_add(t, "\n  /* results */\n");
  for (int i = 0; i < program->out.nelements; i++) {
    const ag_element *e = &program->out.elements[i];
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, "%s_STORE(out->%s, ", h->upper, e->access);
    lane_operand(&line, &p, e->node);
    ag_text_add(&line, ");");
    statement(t, line.chars);
  }
  ag_text_add(t, "  const %s_lanes_mask bits = (none != none)", h->prefix);
  for (int i = 0; i < program->nstatus; i++) {
    ag_text_add(t, " |\n      (");
    expression(t, &p, program->status[i].node, UNARY);
    ag_text_add(t, " & %u)", program->status[i].bit);
  }
  ag_text_add(t, ";\n");
  for (int k = 0; k < h->batch; k++)
    ag_text_add(t, "  status[%d] = (%s_status)bits[%d];\n", k, h->prefix, k);
  ag_text_add(t, "#else\n");
  lanes_one_by_one(t, h, program);
  ag_text_add(t, "#endif\n}\n");
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

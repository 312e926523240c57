/* expression.c: see expression.h */
#include "emit/expression.h"

#include "base/hash.h"
#include "base/names.h"
#include "emit/ahead.h"
#include "emit/probe.h"
#include "emit/types.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  case AG_NEG:
  case AG_NOT:
    return UNARY;
  case AG_SELECT:
    return TERNARY;
  default:
    return binary[op].sign ? binary[op].bind : PRIMARY;
  }
}

/* The shortest decimal that reads back as the same bits: of 15 to 17 digits (float: 6 to 9); with
 * 15 (6), every shorter decimal comes back as itself, less trailing zeros. */
const char *ag_emit_number(const ag_header *h, double value) {
  char text[40];
  const int fewest = h->single ? FLT_DIG : DBL_DIG, most = h->single ? 9 : 17;
  for (int digits = fewest; digits <= most; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, h->single ? (double)(float)value : value);
    if (h->single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
  }
  const char *point = strpbrk(text, ".e") ? "" : ".0";
  return ag_printf(h->arena, value < 0 ? "(%s%s%s)" : "%s%s%s", text, point, h->single ? "f" : "");
}

static void expression(ag_text *t, const ag_printer *p, ag_id id, int least);

/* Where an input stands: "in->q[0]", "mclp->r[0]", "nu[0]". */
static const char *input_access(const ag_printer *p, int input) {
  const char *access = p->program->in.elements[input].access, *after = p->program->after;
  if (!after) return ag_printf(p->header->arena, "in->%s", access);
  if (!ag_is_result_of(after, access)) return access;
  return ag_printf(p->header->arena, "%s->%s", after, access + strlen(after) + 1);
}

/* The place of an angle in the trig struct. */
static int angle_of(const ag_printer *p, ag_id angle) {
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

void ag_emit_lane_operand(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  if (n->op == AG_CONST)
    ag_text_add(t, "(none + %s)", ag_emit_number(p->header, n->value));
  else
    expression(t, p, id, SUM + 1);
}

/* Inputs, one by one. */
static void probe_each(ag_text *t, const ag_printer *p, const ag_node *n) {
  const char *upper = p->header->upper;
  for (int i = n->a; i <= n->b; i++) {
    ag_text_add(t, "%s", i == n->a ? "(" : " | ");
    if (p->lanes && n->c != AG_FINITE)
      ag_text_add(t, "%s_PROBE_EXP(%s_LOAD(%s), %s)", upper, upper, input_access(p, i),
                  ag_bits_below(p->header, n->c));
    else if (p->lanes)
      ag_text_add(t, "%s_PROBE(%s_LOAD(%s))", upper, upper, input_access(p, i));
    else
      ag_text_add(t, "%s_probe(&%s)", p->header->prefix, input_access(p, i));
  }
  ag_text_add(t, ")");
}

/* The operators that vectors spell otherwise: comparisons and what is made of them. Returns whether
 * this was one. */
static bool lane_operation(ag_text *t, const ag_printer *p, const ag_node *n) {
  switch (n->op) {
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "(none == none)" : "(none != none)");
    return true;
  case AG_LT:
  case AG_EQ:
    ag_text_add(t, "(");
    ag_emit_lane_operand(t, p, n->a);
    ag_text_add(t, n->op == AG_LT ? " < " : " == ");
    ag_emit_lane_operand(t, p, n->b);
    ag_text_add(t, ")");
    return true;
  case AG_PROBE_INPUTS:
    probe_each(t, p, n);
    return true;
  case AG_PROBE_TURNS: /* they were made here, of angles that are asked for */
    ag_text_add(t, "(none != none)");
    return true;
  case AG_PROBE:
    ag_text_add(t, "%s_PROBE(", p->header->upper);
    expression(t, p, n->a, TERNARY);
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
    ag_emit_lane_operand(t, p, n->b);
    ag_text_add(t, ", ");
    ag_emit_lane_operand(t, p, n->c);
    ag_text_add(t, ")");
    return true;
  default:
    return false;
  }
}

/* A choice by masks. */
static void choice(ag_text *t, const ag_printer *p, const ag_node *n) {
  const ag_id operands[] = {n->a, n->b, n->c};
  ag_text_add(t, "%s_select", p->header->prefix);
  for (int k = 0; k < 3; k++) {
    ag_text_add(t, k ? ", " : "(");
    expression(t, p, operands[k], TERNARY);
  }
  ag_text_add(t, ")");
}

/* The numbers that a vector joins. */
static void joined(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  if (n->op != AG_JOIN) {
    ag_emit_expression(t, p, id);
    return;
  }
  joined(t, p, n->a);
  ag_text_add(t, ", ");
  joined(t, p, n->b);
}

/* The first of the inputs that a vector joins, where they stand one behind the other in the struct; -1: they do not. */
static ag_id first_in_row(const ag_printer *p, ag_id id) {
  const ag_program *program = p->program;
  const int lanes = program->width[id];
  ag_id first = id;
  while (program->dag.nodes[first].op == AG_JOIN) first = program->dag.nodes[first].a;
  if (program->after || program->dag.nodes[first].op != AG_INPUT) return -1;
  const int *place = ag_places(p->header, &program->in);
  for (int l = 1; l < lanes; l++) {
    ag_id of = id;
    for (int half = lanes / 2; half > 0; half /= 2)
      of = (l & half) ? program->dag.nodes[of].b : program->dag.nodes[of].a;
    const ag_node *n = &program->dag.nodes[of];
    if (n->op != AG_INPUT || place[n->a] != place[program->dag.nodes[first].a] + l) return -1;
  }
  return first;
}

/* Whether this is the question whether a vector is finite, or several of them, and stands in one text but for its name. */
static bool are_all_probes(const ag_printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  if (n->op != AG_OR) return n->op == AG_PROBE;
  return !p->name[n->a] && !p->name[n->b] && are_all_probes(p, n->a) && are_all_probes(p, n->b);
}

/* The sum of what they ask of, each times what keeps it finite: one instruction each, and one question. */
static void probed_sum(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  if (n->op == AG_OR) {
    probed_sum(t, p, n->a);
    ag_text_add(t, " + ");
    probed_sum(t, p, n->b);
    return;
  }
  ag_text_add(t, "%s * ", ag_probe_scale(p->header));
  expression(t, p, n->a, PRODUCT + 1);
}

/* The text of a node that only programs with lanes have, or that vectors spell otherwise; false: it
 * is none. */
static bool limb_operation(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->program->dag.nodes[id];
  const unsigned char *width = p->program->width;
  switch (n->op) {
  case AG_JOIN:
    if (width && first_in_row(p, id) >= 0) {
      const int place =
          ag_places(p->header, &p->program->in)[p->program->dag.nodes[first_in_row(p, id)].a];
      const char *prefix = p->header->prefix;
      ag_text_add(t,
                  "*(const %s_x%d_memory *)(const void *)((const %s_real *)(const void *)in + %d)",
                  prefix, width[id], prefix, place);
      return true;
    }
    ag_text_add(t, "{");
    joined(t, p, id);
    ag_text_add(t, "}");
    return true;
  case AG_TAKE:
    ag_emit_operand(t, p, n->a);
    ag_text_add(t, "[%d]", (int)n->b);
    return true;
  case AG_ANY:
    if (!width) return false;
    ag_text_add(t, "%s_X%d_ANY(", p->header->upper, width[n->a]);
    ag_emit_operand(t, p, n->a);
    ag_text_add(t, ")");
    return true;
  case AG_PROBE:
    if (!width || width[n->a] == 1) return false;
    ag_text_add(t, "%s_X%d_PROBE(", p->header->upper, width[n->a]);
    ag_emit_expression(t, p, n->a);
    ag_text_add(t, ")");
    return true;
  case AG_OR:
    if (!width || width[id] == 1 || !are_all_probes(p, id)) return false;
    ag_text_add(t, "%s_X%d_PROBE(", p->header->upper, width[id]);
    probed_sum(t, p, id);
    ag_text_add(t, ")");
    return true;
  default:
    return false;
  }
}

/* The operator's text, its operands by name or in place. */
static void operation(ag_text *t, const ag_printer *p, ag_id id, int least) {
  const ag_node *n = &p->program->dag.nodes[id];
  const int bind = binding(n->op);
  if (p->lanes && lane_operation(t, p, n)) return;
  if (limb_operation(t, p, id)) return;
  if (n->op == AG_SELECT && p->header->branchless) {
    choice(t, p, n);
    return;
  }
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
  case AG_PROBE_INPUTS:
    if (p->program->after)
      probe_each(t, p, n);
    else
      ag_emit_probe_of_inputs(t, p->header, p->program, n);
    break;
  case AG_PROBE_TURNS:
    ag_emit_probe_of_turns(t, p->header);
    break;
  case AG_PROBE:
    ag_text_add(t, "%s_probe(&", p->header->prefix);
    expression(t, p, n->a, PRIMARY);
    ag_text_add(t, ")");
    break;
  case AG_NOT:
    ag_text_add(t, "!");
    expression(t, p, n->a, PRIMARY);
    break;
  default:
    assert(binary[n->op].sign);
    /* clang warns of | and & of comparisons where a function is called */
    const bool vector = p->lanes || (p->program->width && p->program->width[id] > 1);
    const bool cast = p->header->branchless && !vector && (n->op == AG_AND || n->op == AG_OR);
    if (cast) ag_text_add(t, "(int)");
    expression(t, p, n->a, binary[n->op].left);
    ag_text_add(t, " %s %s", binary[n->op].sign, cast ? "(int)" : "");
    expression(t, p, n->b, binary[n->op].right);
    break;
  }
  if (bind < least) ag_text_add(t, ")");
}

static void expression(ag_text *t, const ag_printer *p, ag_id id, int least) {
  if (p->name[id])
    ag_text_add(t, "%s", p->name[id]);
  else
    operation(t, p, id, least);
}

void ag_emit_expression(ag_text *t, const ag_printer *p, ag_id id) {
  expression(t, p, id, TERNARY);
}

void ag_emit_operand(ag_text *t, const ag_printer *p, ag_id id) {
  expression(t, p, id, UNARY);
}

void ag_emit_comment(ag_text *t, const char *before, const char *comment) {
  ag_text_add(t, "%s/* ", before);
  ag_text_wrap(t, comment, "   * ", AG_WIDTH);
  ag_text_add(t, " */\n");
}

/* ---- names of statements ---- */

/* Names that are taken, by hash; a power of 2 of places, no more than half of them full. */
typedef struct taken {
  const char **names;
  size_t places;
} taken;

/* Takes a name; false: it is taken already. */
static bool take(const taken *all, const char *name) {
  size_t at = (size_t)ag_hash_add(AG_HASH_START, name, strlen(name)) & (all->places - 1);
  for (; all->names[at]; at = (at + 1) & (all->places - 1))
    if (strcmp(all->names[at], name) == 0) return false;
  all->names[at] = name;
  return true;
}

/* Of a region's body at most so many letters, so that the 31 that C99 promises to tell apart in
 * linked names, and people, see the whole name. */
enum { LONGEST_BODY = 20 };

/* "forearm" of forearm_link; NULL: the region is about no body. */
static const char *body_of(const ag_printer *p, int32_t region) {
  const ag_program *program = p->program;
  if (region < 0 || region >= program->nregions || !program->regions[region].body) return NULL;
  const char *id = ag_identifier(program->regions[region].body, p->header->arena);
  size_t length = strlen(id);
  if (length > 5 && strcmp(id + length - 5, "_link") == 0) length -= 5;
  if (length > LONGEST_BODY) length = LONGEST_BODY;
  while (length > 1 && id[length - 1] == '_') length--; /* no double underscore: C++ keeps these */
  return ag_printf(p->header->arena, "%s%.*s", id[0] == '_' ? "b" : "", (int)length, id);
}

/* Names the statements of a way from the `first`-th node of its order on, where they have none yet.
 */
static void name_statements(ag_printer *p, const ag_program *way, int first, const taken *all,
                            const char *const *body, int *count) {
  ag_arena *arena = p->header->arena;
  for (int i = first; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &way->dag.nodes[id];
    if (!way->statement[id] || p->name[id]) continue;
    const int32_t region = n->name ? n->scope : n->region;
    const char *of = region >= 0 && region < way->nregions ? body[region] : NULL;
    const char *own =
        n->name ? n->name
                : ag_printf(arena, "%c%d", ag_is_boolean(&way->dag, id) ? 'k' : 't', ++*count);
    const char *name = of ? ag_printf(arena, "%s_%s", of, own) : own;
    p->name[id] = name;
    for (int again = 2; !take(all, p->name[id]); again++)
      p->name[id] = ag_printf(arena, "%s_n%d", name, again);
  }
}

/* Statements have names: what the scripts call them, behind the body that their region is about, or
 * a number. */
static void choose_names(ag_printer *p, ag_arena *arena) {
  const ag_program *program = p->program;
  taken all = {.places = 64};
  const int nfast = program->fast ? program->fast->norder : 0;
  while (all.places < 4 * (size_t)(program->norder + nfast + 8)) all.places *= 2;
  all.names = ag_alloc(arena, all.places * sizeof *all.names);
  /* what else a function's text names */
  static const char *const others[] = {"in",     "out",    "trig", "none",   "bits",
                                       "angles", "status", "work", "waiting"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) (void)take(&all, others[k]);
  for (int i = 0; i < program->in.nquantities; i++)
    (void)take(&all, program->in.quantities[i].name); /* parameters, by row */
  if (program->after) (void)take(&all, program->after);
  if (p->header->prefetch) (void)take(&all, "code");
  static const char *const of_limbs[] = {"limb", "own", "trunk", "limb2", "limb4", "limb8"};
  for (size_t k = 0; program->steps && k < sizeof of_limbs / sizeof *of_limbs; k++)
    (void)take(&all, of_limbs[k]);
  const char **body = ag_alloc(arena, (size_t)(program->nregions + 1) * sizeof *body);
  for (int32_t r = 0; r < program->nregions; r++) body[r] = body_of(p, r);
  int count = 0;
  name_statements(p, program, 0, &all, body, &count);
  if (program->fast) name_statements(p, program->fast, program->nguard, &all, body, &count);
}

/* ---- lines ---- */

/* An operator with two operands and a blank behind it. */
static bool is_operator(const char *text) {
  if (strncmp(text, "== ", 3) == 0) return true;
  return text[0] != '\0' && strchr("+-*/?:&|<", text[0]) && text[1] == ' ';
}

/* How far behind the best place a break before the k-th sign of a line is: inside brackets, or before
 * a factor, it tears apart what belongs together, and early in the line it wastes room. */
static int cost_of_break(const char *line, size_t k, int depth, size_t room) {
  const bool factor = line[k - 1] != ',' && (line[k + 1] == '*' || line[k + 1] == '/');
  return 4 * depth + (factor ? 3 : 0) + (int)(6 * (room - k) / room);
}

void ag_emit_broken(ag_text *t, const char *indent, const char *line) {
  size_t length = strlen(line);
  while (length + strlen(indent) > AG_WIDTH) {
    const size_t room = AG_WIDTH - strlen(indent);
    size_t cut = 0;
    int least = 0, depth = 0;
    for (size_t k = 1; k < room && k + 2 < length; k++) {
      depth += (line[k - 1] == '(') - (line[k - 1] == ')');
      if (line[k] != ' ' || !(line[k - 1] == ',' || is_operator(line + k + 1))) continue;
      const int cost = cost_of_break(line, k, depth, room);
      if (cut && cost > least) continue;
      cut = k;
      least = cost;
    }
    if (cut == 0) break;
    ag_text_add(t, "%s%.*s\n", indent, (int)cut, line);
    line += cut + 1;
    length -= cut + 1;
    indent = "      ";
  }
  ag_text_add(t, "%s%s\n", indent, line);
}

void ag_emit_statement(ag_text *t, const ag_printer *p, const char *line) {
  ag_emit_broken(t, p->indent, line);
}

/* What a statement ends with: what it computes, and its step. */
static void add_value(ag_text *line, const ag_printer *p, ag_id id) {
  const int32_t region = p->program->dag.nodes[id].region;
  const int step = region < p->program->nregions ? p->step[region] : 0;
  ag_text_add(line, "%s = ", p->name[id]);
  operation(line, p, id, 0);
  ag_text_add(line, step ? "; /* %d */" : ";", step);
}

void ag_emit_value(ag_text *t, const ag_printer *p, ag_id id) {
  ag_text line = {.arena = p->header->arena};
  const bool boolean = ag_is_boolean(&p->program->dag, id);
  if (p->lanes)
    ag_text_add(&line, boolean ? "const %s_lanes_mask " : "const %s_lanes ", p->header->prefix);
  else if (p->program->width && p->program->width[id] > 1)
    ag_text_add(&line, boolean ? "const %s_x%d_mask " : "const %s_x%d ", p->header->prefix,
                p->program->width[id]);
  else
    ag_text_add(&line, boolean ? "const int " : "const %s_real ", p->header->prefix);
  add_value(&line, p, id);
  ag_emit_statement(t, p, line.chars);
}

void ag_emit_blank(ag_text *t, const ag_printer *p, ag_id id) {
  if (ag_is_boolean(&p->program->dag, id))
    ag_text_add(t, "%sint %s = 0;\n", p->indent, p->name[id]);
  else
    ag_text_add(t, "%s%s_real %s = %s;\n", p->indent, p->header->prefix, p->name[id],
                ag_emit_number(p->header, 0));
}

void ag_emit_assignment(ag_text *t, const ag_printer *p, ag_id id) {
  ag_text line = {.arena = p->header->arena};
  add_value(&line, p, id);
  ag_emit_statement(t, p, line.chars);
}

void ag_emit_output(ag_text *t, const ag_printer *p, const ag_element *e) {
  if (p->lanes) {
    ag_text_add(t, "%s_STORE(out->%s, ", p->header->upper, e->access);
    ag_emit_lane_operand(t, p, e->node);
    ag_text_add(t, ");");
  } else {
    ag_text_add(t, "out->%s = ", e->access);
    ag_emit_expression(t, p, e->node);
    ag_text_add(t, ";");
  }
}

void ag_emit_output_vector(ag_text *t, const ag_printer *p, const ag_element *first, int lanes) {
  ag_text_add(t, "*(%s_x%d_memory *)(void *)&out->%s = ", p->header->prefix, lanes, first->access);
  ag_emit_expression(t, p, p->program->dag.nodes[first->node].a);
  ag_text_add(t, ";");
}

/* The regions that have statements, of either way. */
static void mark_regions(const ag_program *program, int *marked) {
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const int32_t region = program->dag.nodes[id].region;
    if (program->statement[id] && region < program->nregions) marked[region] = 1;
  }
  if (program->fast) mark_regions(program->fast, marked);
}

/* Numbers from 1 on, in the algorithm's order, of the regions that have statements; 0: it has none.
 */
static int *number_regions(const ag_header *h, const ag_program *program) {
  int *number = ag_alloc(h->arena, (size_t)(program->nregions + 1) * sizeof *number);
  mark_regions(program, number);
  for (int r = 0, count = 0; r < program->nregions; r++)
    if (number[r]) number[r] = ++count;
  return number;
}

void ag_emit_legend(ag_text *t, const ag_printer *p) {
  const ag_program *program = p->program;
  int steps = 0;
  for (int r = 0; r < program->nregions; r++) steps += p->step[r] > 0;
  if (steps == 0) return;
  ag_text_add(t, "  /* Steps of the computation; the number behind a statement is that of its "
                 "step. outward: from the\n"
                 "   * base to the tips; inward: back to the base; in brackets: the script of the "
                 "generator.\n");
  for (int r = 0; r < program->nregions; r++)
    if (p->step[r])
      ag_text_add(t, "   * %2d  %s (%s)\n", p->step[r], program->regions[r].title,
                  program->regions[r].source);
  ag_text_add(t, "   */\n");
}

void ag_emit_statements(ag_text *t, const ag_printer *p, const ag_program *way, int first,
                        int behind) {
  ag_ahead ahead = {0};
  if (!p->lanes) ahead = ag_ahead_way(t, p->header, p->indent, p->program, way, first);
  for (int i = first; i < behind; i++) {
    if (way->statement[way->order[i]]) ag_emit_value(t, p, way->order[i]);
    ag_ahead_node(t, &ahead, way, way->order[i]);
  }
}

bool ag_takes_trig(const ag_program *program) {
  for (int i = 0; i < program->norder; i++) {
    const ag_op op = program->dag.nodes[program->order[i]].op;
    if (op == AG_SIN || op == AG_COS) return true;
  }
  return false;
}

ag_printer ag_printer_of(const ag_header *h, const ag_program *program, bool lanes) {
  ag_printer p = {.header = h, .program = program, .lanes = lanes, .indent = "  "};
  p.step = number_regions(h, program);
  p.name = ag_alloc(h->arena, (size_t)program->dag.count * sizeof *p.name);
  choose_names(&p, h->arena);
  return p;
}

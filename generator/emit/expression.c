/* SPDX-License-Identifier: MIT */
/* expression.c: see expression.h */
#include "emit/expression.h"

#include "emit/access.h"
#include "emit/ahead.h"
#include "emit/limits.h"
#include "emit/statement_names.h"

#include <assert.h>
#include <string.h>

enum {
  TERNARY = AG_TERNARY,
  AND = AG_BITS,
  EQUAL = AG_EQUALITY,
  LESS = AG_ORDER,
  SUM = AG_SUM,
  PRODUCT = AG_PRODUCT,
  UNARY = AG_UNARY,
  PRIMARY = AG_PRIMARY
};

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
    [AG_OR] = {"|", AG_BITS_OR, PRIMARY, PRIMARY},
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

/* The place of an angle in the trig struct. */
static int angle_of(const ag_printer *p, ag_id angle) {
  int input = 0;
  double k = 0, c = 0;
  const bool affine = ag_affine(&p->graph->dag, angle, &input, &k, &c);
  assert(affine);
  (void)affine;
  const int joint = p->graph->function->in.elements[input].joint;
  const ag_header *h = p->header;
  int i = 0;
  while (i < h->nangles &&
         (h->angles[i].joint != joint || h->angles[i].multiplier != k || h->angles[i].offset != c))
    i++;
  assert(i < h->nangles);
  return i;
}

/* Where an input stands: "in->q[0]", "mclp->r[0]", "nu[0]". */
static const char *input_place(const ag_printer *p, int input) {
  const char *access = ag_emit_access(p->header, &p->graph->function->in.elements[input]),
             *after = p->graph->function->after;
  if (!after) return ag_emit_place(p->language, p->header, "in", access);
  if (!ag_is_result_of(after, access)) return access;
  return ag_emit_place(p->language, p->header, after, access + strlen(after) + 1);
}

const char *ag_emit_place(const ag_language *l, const ag_header *h, const char *list,
                          const char *access) {
  return ag_printf(h->arena, "%s%s%s", list, l->member, access);
}

const char *ag_emit_input(const ag_printer *p, int input) {
  return ag_emit_read(p, input_place(p, input));
}

const char *ag_emit_read(const ag_printer *p, const char *place) {
  if (!p->language->load) return place;
  return ag_printf(p->header->arena, p->language->load, p->header->upper, place);
}

/* An operator between two operands. */
static void between(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  assert(binary[n->op].sign);
  /* clang warns of | and & of comparisons where a function is called */
  const bool number = strcmp(ag_emit_type(p, id), "int") == 0;
  const bool cast = p->header->target.branchless && number && (n->op == AG_AND || n->op == AG_OR);
  if (cast) ag_text_add(t, "(int)");
  ag_emit_operand_of(t, p, n, n->a, binary[n->op].left);
  ag_text_add(t, " %s %s", binary[n->op].sign, cast ? "(int)" : "");
  ag_emit_operand_of(t, p, n, n->b, binary[n->op].right);
}

/* A choice; a condition of | or & in brackets: clang warns otherwise. */
static void chosen(ag_text *t, const ag_printer *p, const ag_node *n) {
  ag_emit_bound(t, p, n->a, UNARY);
  ag_text_add(t, " ? ");
  ag_emit_operand_of(t, p, n, n->b, TERNARY + 1);
  ag_text_add(t, " : ");
  ag_emit_operand_of(t, p, n, n->c, TERNARY + 1);
}

/* The operator's text, its operands by name or in place. */
static void operation(ag_text *t, const ag_printer *p, ag_id id, int least) {
  const ag_node *n = &p->graph->dag.nodes[id];
  const int bind = binding(n->op);
  if (p->language->operation && p->language->operation(t, p, id)) return;
  if (bind < least) ag_text_add(t, "(");
  switch (n->op) {
  case AG_CONST:
    ag_text_add(t, "%s", p->language->number(p->header, n->value));
    break;
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "1" : "0");
    break;
  case AG_INPUT:
    ag_text_add(t, "%s", input_place(p, n->a));
    break;
  case AG_NEG:
    ag_text_add(t, "-");
    ag_emit_bound(t, p, n->a, UNARY + 1);
    break;
  case AG_SIN:
  case AG_COS:
    ag_text_add(t, "%s",
                ag_printf(p->header->arena, p->language->sine, n->op == AG_SIN ? 's' : 'c',
                          angle_of(p, n->a)));
    break;
  case AG_SELECT:
    chosen(t, p, n);
    break;
  case AG_PROBE:
  case AG_PROBE_INPUTS:
  case AG_PROBE_TURNS:
    p->language->probe(t, p, n);
    break;
  case AG_NOT:
    ag_text_add(t, "!");
    ag_emit_bound(t, p, n->a, PRIMARY);
    break;
  default:
    between(t, p, id);
    break;
  }
  if (bind < least) ag_text_add(t, ")");
}

void ag_emit_operation(ag_text *t, const ag_printer *p, ag_id id) {
  operation(t, p, id, 0);
}

void ag_emit_bound(ag_text *t, const ag_printer *p, ag_id id, int least) {
  if (p->name[id])
    ag_text_add(t, "%s", p->name[id]);
  else
    operation(t, p, id, least);
}

void ag_emit_operand_of(ag_text *t, const ag_printer *p, const ag_node *n, ag_id id, int least) {
  const char *limit = ag_limit_operand(p, n, id);
  if (limit)
    ag_text_add(t, "%s", limit);
  else
    ag_emit_bound(t, p, id, least);
}

void ag_emit_expression(ag_text *t, const ag_printer *p, ag_id id) {
  ag_emit_bound(t, p, id, TERNARY);
}

void ag_emit_operand(ag_text *t, const ag_printer *p, ag_id id) {
  ag_emit_bound(t, p, id, UNARY);
}

void ag_emit_comment(ag_text *t, const ag_language *l, const char *before, const char *comment) {
  ag_text_add(t, "%s%s", before, l->comment[0]);
  ag_text_wrap(t, comment, ag_printf(t->arena, "  %s", l->comment[1]), AG_WIDTH);
  ag_text_add(t, "%s\n", l->comment[2]);
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

const char *ag_emit_type(const ag_printer *p, ag_id id) {
  const ag_language *l = p->language;
  const bool boolean = ag_is_boolean(&p->graph->dag, id);
  const int width = p->graph->width ? p->graph->width[id] : 1;
  return width > 1 ? ag_printf(p->header->arena, boolean ? l->vector_boolean : l->vector,
                               p->header->prefix, width)
                   : ag_emit_type_of(p, boolean);
}

const char *ag_emit_type_of(const ag_printer *p, bool boolean) {
  const ag_language *l = p->language;
  return ag_printf(p->header->arena, boolean ? l->boolean : l->real, p->header->prefix);
}

/* Where a declaration ends in a text: further values of its type can follow behind a comma. */
typedef struct ag_declared {
  const ag_text *text;
  size_t end;
  const char *type, *indent;
} ag_declared;

void ag_emit_block(const ag_printer *p) {
  *p->said = 0;
  *p->last = (ag_declared){.text = NULL}; /* the next text may stand where the last one stood */
}

/* Ends the declaration before by a comma, where it is of the same type and nothing stands between. */
static bool goes_on(ag_text *t, const ag_printer *p, const char *type) {
  const ag_declared *last = p->last;
  if (!p->terse || last->text != t || last->end != t->length || last->indent != p->indent)
    return false;
  if (strcmp(last->type, type) != 0) return false;
  *strrchr(t->chars, ';') = ',';
  return true;
}

/* Declares a value: "name = text;", and a comment. */
static void declare(ag_text *t, const ag_printer *p, const char *type, const char *line) {
  ag_arena *arena = p->header->arena;
  if (goes_on(t, p, type))
    ag_emit_broken(t, ag_printf(arena, "%s  ", p->indent), line);
  else
    ag_emit_statement(t, p, ag_printf(arena, "%s%s %s", p->language->constant, type, line));
  *p->last = (ag_declared){t, t->length, type, p->indent};
}

void ag_emit_declared(ag_text *t, const ag_printer *p, ag_id id, const char *value) {
  declare(t, p, ag_emit_type(p, id), ag_printf(p->header->arena, "%s = %s;", p->name[id], value));
}

/* What a statement ends with: what it computes, and its step, in long functions where that of the one before is another. */
static void add_value(ag_text *line, const ag_printer *p, ag_id id) {
  const int32_t region = p->graph->dag.nodes[id].region;
  const int step = region < p->graph->nregions ? p->step[region] : 0;
  ag_text_add(line, "%s = ", p->name[id]);
  operation(line, p, id, 0);
  ag_text_add(line, ";");
  if (step && !(p->terse && step == *p->said)) {
    const char *const *comment = p->language->comment;
    ag_text_add(line, " %s%d%s", comment[0], step, comment[2]);
    *p->said = step;
  }
}

void ag_emit_value(ag_text *t, const ag_printer *p, ag_id id) {
  p->line->length = 0;
  add_value(p->line, p, id);
  declare(t, p, ag_emit_type(p, id), p->line->chars);
}

void ag_emit_blank(ag_text *t, const ag_printer *p, ag_id id) {
  const bool boolean = ag_is_boolean(&p->graph->dag, id);
  ag_text_add(t, "%s%s %s = %s;\n", p->indent, ag_emit_type_of(p, boolean), p->name[id],
              boolean ? "0" : p->language->number(p->header, 0));
}

void ag_emit_assignment(ag_text *t, const ag_printer *p, ag_id id) {
  p->line->length = 0;
  add_value(p->line, p, id);
  ag_emit_statement(t, p, p->line->chars);
}

void ag_emit_output(ag_text *t, const ag_printer *p, const ag_sequence *way, int element) {
  const ag_element *e = &way->graph->function->out.elements[element];
  const ag_id node = way->results->outputs[element];
  const char *place = ag_emit_place(p->language, p->header, "out", ag_emit_access(p->header, e));
  if (p->language->store) {
    p->language->store(t, p, place, node);
    return;
  }
  ag_text_add(t, "%s = ", place);
  ag_emit_expression(t, p, node);
  ag_text_add(t, ";");
}

/* The regions that have statements of a way. */
static void mark_regions(const ag_sequence *way, int *marked) {
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const int32_t region = way->graph->dag.nodes[id].region;
    const bool again = way->again && way->again[id]; /* another link's text stands for it */
    if (way->statement[id] && !again && region < way->graph->nregions) marked[region] = 1;
  }
}

/* Numbers from 1 on, in the algorithm's order, of the regions that have statements; 0: it has none.
 */
static int *number_regions(const ag_header *h, const ag_plan *plan) {
  int *number = ag_alloc(h->arena, (size_t)(plan->graph->nregions + 1) * sizeof *number);
  mark_regions(&plan->own, number);
  if (plan->fast) mark_regions(plan->fast, number);
  for (int r = 0, count = 0; r < plan->graph->nregions; r++)
    if (number[r]) number[r] = ++count;
  return number;
}

void ag_emit_legend(ag_text *t, const ag_printer *p) {
  const ag_plan *plan = p->plan;
  int steps = 0;
  for (int r = 0; r < plan->graph->nregions; r++) steps += p->step[r] > 0;
  if (steps == 0) return;
  const char *const *comment = p->language->comment;
  ag_text_add(t,
              "  %sSteps of the computation; the number behind a statement is that of its step%s. "
              "outward: from the\n"
              "  %sbase to the tips; inward: back to the base; in brackets: the script of the "
              "generator.\n",
              comment[0], p->terse ? " and of those below it" : "", comment[1]);
  for (int k = 0; k < plan->graph->nlimbs; k++)
    ag_text_add(t, "  %slanes: %s\n", comment[1],
                ag_names_of_lanes(p->header, &plan->graph->limbs[k]));
  for (int r = 0; r < plan->graph->nregions; r++)
    if (p->step[r])
      ag_text_add(t, "  %s%2d  %s (%s)\n", comment[1], p->step[r], plan->graph->regions[r].title,
                  plan->graph->regions[r].source);
  ag_text_add(t, "  %s\n", comment[2]);
}

void ag_emit_statements(ag_text *t, const ag_printer *p, const ag_sequence *way, int first,
                        int behind) {
  ag_ahead ahead = {0};
  if (p->language->asks_ahead) ahead = ag_ahead_way(t, p->header, p->indent, p->plan, way, first);
  for (int i = first; i < behind; i++) {
    if (way->statement[way->order[i]]) ag_emit_value(t, p, way->order[i]);
    ag_ahead_node(t, &ahead, way, way->order[i]);
  }
}

/* Operations of the function that a plan is of: an operation on vectors as many as these have lanes. */
static int operations_of(const ag_plan *plan) {
  const ag_sequence *way = &plan->own;
  int count = 0;
  for (int i = 0; i < way->norder; i++) {
    const ag_op op = way->graph->dag.nodes[way->order[i]].op;
    if (op >= AG_ADD && op <= AG_DIV)
      count += way->graph->width ? way->graph->width[way->order[i]] : 1;
  }
  return count;
}

bool ag_takes_trig(const ag_plan *plan) {
  for (int i = 0; i < plan->own.norder; i++) {
    const ag_op op = plan->graph->dag.nodes[plan->own.order[i]].op;
    if (op == AG_SIN || op == AG_COS) return true;
  }
  return false;
}

ag_printer ag_printer_of(const ag_language *l, const ag_header *h, const ag_plan *plan) {
  ag_printer p = {.language = l, .header = h, .graph = plan->graph, .plan = plan, .indent = "  "};
  p.line = ag_alloc(h->arena, sizeof *p.line);
  p.line->arena = h->arena;
  p.said = ag_alloc(h->arena, sizeof *p.said);
  p.last = ag_alloc(h->arena, sizeof *p.last);
  p.terse = (plan->split && !h->target.batch) || operations_of(plan) > AG_TERSE;
  p.step = number_regions(h, plan);
  p.name = ag_alloc(h->arena, (size_t)plan->graph->dag.count * sizeof *p.name);
  p.limits = ag_limits_of(h->arena, plan->graph);
  ag_name_statements(&p);
  return p;
}

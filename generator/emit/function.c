/* function.c: see function.h */
#include "emit/function.h"

#include "emit/ahead.h"
#include "emit/language_c.h"
#include "emit/limb_functions.h"
#include "emit/parts.h"
#include "emit/trig.h"
#include "emit/types.h"
#include "graph/status.h"

#include <string.h>

/* What a function takes beside the structs that all take: results of the one that it comes after,
 * and numbers by row, or a list of numbers. */
static const char *parameters(const ag_header *h, const ag_program *p) {
  const char *n = h->prefix;
  if (!p->after) return "";
  const char *list = ag_printf(h->arena, "const %s_%s_out *%s, ", n, p->after, p->after);
  for (int i = 0; i < p->in.nquantities; i++) {
    const ag_quantity *q = &p->in.quantities[i];
    if (!ag_is_result_of(p->after, q->name))
      list =
          ag_printf(h->arena, "%sconst %s_real %s[%s], ", list, n, q->name, ag_emit_length(h, q));
  }
  return list;
}

static const char *signature(const ag_language *l, const ag_header *h, const ag_program *p,
                             const char *linkage, bool trig) {
  const char *n = h->prefix, *f = p->function;
  const bool twin = trig && !p->after;
  const char *first = twin ? ag_printf(h->arena, "const %s_trig *trig, ", n) : "";
  return ag_printf(h->arena, "%s%s_status %s_%s%s(%s%sconst %s_%s_in *in, %s%s%s_%s_out *out)",
                   linkage, n, n, f, twin ? "_trig" : "", first, l->space, n, p->takes,
                   parameters(h, p), l->space, n, p->fills);
}

/* "q: |q| <= 1e5; mask 0 or 1" */
static const char *ranges(const ag_header *h, const ag_program *p) {
  const char *list = "";
  for (int i = 0; i < p->in.nquantities; i++) {
    const ag_quantity *q = &p->in.quantities[i];
    if (!q->range) continue;
    const char *place = strstr(q->range, "%s");
    const int before = place ? (int)(place - q->range) : (int)strlen(q->range);
    list = ag_printf(h->arena, "%s, %.*s%s%s", list, before, q->range, place ? q->name : "",
                     place ? place + 2 : "");
  }
  return list;
}

/* Adds a name to a list of them. */
static const char *listed(const ag_header *h, const char *list, const char *name) {
  return ag_printf(h->arena, "%s%s%s", list, list[0] ? ", " : "", name);
}

static const char *bit_names(const ag_header *h, unsigned bits) {
  const char *list = "";
  for (int k = 0; k < AG_STATUS_BITS; k++)
    if (bits & 1u << k) list = listed(h, list, ag_status_names[k]);
  return list;
}

/* One paragraph of a comment. */
static void paragraph(ag_text *t, const char *text) {
  ag_text_add(t, " * ");
  ag_text_wrap(t, text, " *   ", AG_WIDTH);
  ag_text_add(t, "\n");
}

void ag_emit_contract(ag_text *t, const ag_header *h, const ag_program *p) {
  const unsigned bits = ag_status_of(p);
  const char *good = bit_names(h, bits & ~(unsigned)AG_UNUSABLE), *zeroed = "";
  const char *bad = bit_names(h, bits & AG_UNUSABLE & ~(unsigned)AG_BIT_NOT_FINITE);
  for (int i = 0; i < p->out.nquantities; i++)
    if (p->out.quantities[i].zeroed) zeroed = listed(h, zeroed, p->out.quantities[i].name);
  ag_text_add(t, "/* ");
  ag_text_wrap(t, p->doc, " * ", AG_WIDTH);
  ag_text_add(t, "\n");
  paragraph(t, ag_printf(h->arena, "in: every number must be finite%s.", ranges(h, p)));
  const char *also = good[0] ? ag_printf(h->arena, " or has no other bits than %s", good) : "";
  paragraph(t,
            ag_printf(h->arena,
                      "out: every field is always written. If the status is OK%s, all are valid.",
                      also));
  if (bad[0]) paragraph(t, ag_printf(h->arena, "With %s in the status, use none of them.", bad));
  if (zeroed[0])
    paragraph(t, ag_printf(h->arena, "With NOT_FINITE these are 0, and the others may be NaN: %s.",
                           zeroed));
  else
    paragraph(t, "With NOT_FINITE in the status they may be NaN.");
  ag_text_add(
      t, " * Has no state: threads may call it at the same time. No loop, no allocation. */\n");
}

void ag_emit_declaration(ag_text *t, const ag_header *h, const ag_program *p) {
  ag_emit_contract(t, h, p);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", signature(&ag_in_c, h, p, "", false)));
  if (p->after) return;
  ag_text_add(t,
              "/* The same, with the sines and cosines of in->q that %s_trig_of has computed: once "
              "for several\n"
              " * functions. */\n",
              h->prefix);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", signature(&ag_in_c, h, p, "", true)));
}

/* How many outputs from the i-th on are the lanes of a vector, which stands behind them in an array of joints: they go there at
 * once. 1: the output is a number, or a lane for itself. */
static int stored_at_once(const ag_program *way, int i) {
  const ag_node *nodes = way->dag.nodes, *first = &nodes[way->out.elements[i].node];
  if (!way->width || first->op != AG_TAKE || first->b != 0) return 1;
  const int lanes = way->width[first->a];
  for (int k = 0; k < way->out.nquantities; k++) {
    const ag_quantity *q = &way->out.quantities[k];
    if (i < q->first || i >= q->first + q->size) continue;
    if (q->shape != AG_JOINTS || i + lanes > q->first + q->size) return 1;
  }
  for (int l = 1; l < lanes; l++) {
    const ag_node *n = &nodes[way->out.elements[i + l].node];
    if (n->op != AG_TAKE || n->a != first->a || n->b != l) return 1;
  }
  return lanes;
}

/* Stores the outputs of a way, less those that its parts or limbs store, and returns its status. */
static void emit_results(ag_text *t, const ag_printer *p, ag_parts *parts,
                         const ag_limb_text *limbs, const ag_program *way) {
  const ag_header *h = p->header;
  ag_text_add(t, "\n%s/* results */\n", p->indent);
  for (int i = 0, lanes = 1; i < way->out.nelements; i += lanes) {
    ag_text line = {.arena = h->arena};
    lanes = limbs ? 1 : stored_at_once(way, i);
    if (ag_part_stores(parts, way, i) || ag_limb_stores(limbs, i)) continue;
    ag_emit_loads(t, parts, way, way->out.elements[i].node);
    if (lanes > 1)
      ag_emit_output_vector(&line, p, &way->out.elements[i], lanes);
    else
      ag_emit_output(&line, p, &way->out.elements[i]);
    ag_emit_statement(t, p, line.chars);
  }
  const unsigned bits = ag_status_of(way); /* those whose condition is not the constant false */
  int left = 0, told = 0;
  for (int i = 0; i < way->nstatus; i++) {
    if (!(bits & way->status[i].bit)) continue;
    ag_emit_loads(t, parts, way, way->status[i].node);
    left++;
  }
  for (int i = 0; i < way->nstatus; i++) {
    if (!(bits & way->status[i].bit)) continue;
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, told++ ? "(" : "return (");
    if (h->branchless) ag_text_add(&line, "(%s_status)", h->prefix);
    ag_emit_operand(&line, p, way->status[i].node);
    ag_text_add(&line, h->branchless ? " * (%s_status)%s_%s)%s" : " ? (%s_status)%s_%s : 0u)%s",
                h->prefix, h->upper, ag_status_name(way->status[i].bit), told < left ? " |" : ";");
    ag_emit_broken(t, told > 1 ? ag_printf(h->arena, "%s       ", p->indent) : p->indent,
                   line.chars);
  }
  if (told == 0) ag_text_add(t, "%sreturn 0u;\n", p->indent);
}

/* The way itself, where the guard holds; indent: of the `if`. */
static void emit_where_guarded(ag_text *t, ag_printer *p, ag_parts *parts, const char *indent) {
  const ag_program *program = p->program, *fast = program->fast;
  ag_emit_loads(t, parts, fast, program->guard);
  ag_emit_comment(t, p->language, ag_printf(p->header->arena, "\n%s", indent), program->when);
  ag_text_add(t, "%sif (", indent);
  ag_emit_expression(t, p, program->guard);
  ag_text_add(t, ") {\n");
  p->indent = ag_printf(p->header->arena, "%s  ", indent);
  ag_parts_block(parts, true);
  ag_emit_way(t, parts, p, fast, program->nguard, fast->norder);
  emit_results(t, p, parts, NULL, fast);
  ag_parts_block(parts, false);
  p->indent = "  ";
  ag_text_add(t, "%s}\n", indent);
}

/* What is known before the choice, where the guard begins with a condition without which the rest of it is in vain:
 * what the general solve needs, too, then the rest where that condition holds. */
static void emit_in_two_steps(ag_text *t, ag_printer *p) {
  const ag_program *program = p->program, *fast = program->fast;
  for (int i = 0; i < program->nguard; i++) {
    const ag_id id = fast->order[i];
    if (fast->statement[id] && !program->inside[id]) ag_emit_value(t, p, id);
  }
  for (int i = 0; i < program->nguard; i++)
    if (program->carried[fast->order[i]]) ag_emit_blank(t, p, fast->order[i]);
  ag_text_add(t, "  if (");
  ag_emit_expression(t, p, program->first);
  ag_text_add(t, ") {\n");
  p->indent = "    ";
  for (int i = 0; i < program->nguard; i++) {
    const ag_id id = fast->order[i];
    if (!fast->statement[id] || !program->inside[id]) continue;
    if (program->carried[id])
      ag_emit_assignment(t, p, id);
    else
      ag_emit_value(t, p, id);
  }
  emit_where_guarded(t, p, NULL, "    ");
  ag_text_add(t, "  }\n");
}

/* The null-space solve and the test that leads to it. */
static void emit_fast(ag_text *t, ag_printer *p, ag_parts *parts) {
  const ag_program *program = p->program;
  if (program->inside && !parts && !p->header->prefetch) {
    emit_in_two_steps(t, p);
  } else {
    ag_emit_way(t, parts, p, program->fast, 0, program->nguard);
    emit_where_guarded(t, p, parts, "  ");
  }
  ag_emit_comment(t, p->language, "\n  ", program->otherwise);
}

/* The parts of a function that is split, with what they take. */
static ag_parts *emit_parts(ag_text *t, ag_printer *p) {
  const ag_header *h = p->header;
  const ag_program *program = p->program;
  const char *n = h->prefix, *name = ag_printf(h->arena, "%s_%s", n, program->function);
  ag_parameter *list = ag_alloc(h->arena, (size_t)(program->in.nquantities + 6) * sizeof *list);
  int count = 0;
  list[count++] = (ag_parameter){"trig", ag_printf(h->arena, "const %s_trig *", n)};
  list[count++] = (ag_parameter){"in", ag_printf(h->arena, "const %s_%s_in *", n, program->takes)};
  if (program->after)
    list[count++] =
        (ag_parameter){program->after, ag_printf(h->arena, "const %s_%s_out *", n, program->after)};
  for (int i = 0; program->after && i < program->in.nquantities; i++)
    if (!ag_is_result_of(program->after, program->in.quantities[i].name))
      list[count++] =
          (ag_parameter){program->in.quantities[i].name, ag_printf(h->arena, "const %s_real *", n)};
  list[count++] = (ag_parameter){"out", ag_printf(h->arena, "%s_%s_out *", n, program->fills)};
  list[count++] = (ag_parameter){"work", ag_printf(h->arena, "%s_work *", name)};
  return ag_emit_parts(t, p, program->split, name, list);
}

/* What stands inside the function's braces. */
static void emit_body(ag_text *t, ag_printer *p, ag_parts *parts) {
  const ag_program *program = p->program;
  ag_text ways = {.arena = p->header->arena};
  ag_emit_work(t, parts);
  ag_emit_legend(t, p);
  if (program->fast) emit_fast(&ways, p, parts);
  ag_emit_way(&ways, parts, p, program, program->nguard, program->norder);
  if (!parts && ways.chars &&
      strstr(ways.chars, "_AHEAD")) /* a short one asks for none of its code */
    ag_emit_ahead_code(t, p->header,
                       ag_printf(p->header->arena, "%s_%s%s", p->header->prefix, program->function,
                                 program->after ? "" : "_trig"));
  ag_text_add(t, "%s", ways.chars ? ways.chars : "");
  if (program->after)
    ag_text_add(t, "  (void)in;\n");
  else if (!ag_takes_trig(program))
    ag_text_add(t, "  (void)trig;\n");
  emit_results(t, p, parts, NULL, program);
}

/* The same with functions of limbs. */
static void emit_limbs_body(ag_text *t, ag_limb_text *limbs) {
  const ag_printer *p = ag_limb_printer(limbs);
  ag_emit_limb_calls(t, limbs);
  if (!ag_takes_trig(p->program)) ag_text_add(t, "  (void)trig;\n");
  emit_results(t, p, NULL, limbs, p->program);
}

/* Their definitions, for where there are no vectors. */
static ag_limb_text *emit_limb_functions(ag_text *t, const ag_header *h,
                                         const ag_program *program) {
  if (!ag_has_limb_functions(program)) return NULL;
  ag_text_add(t, "#if !defined(%s_LANES)\n", h->upper);
  ag_limb_text *limbs = ag_emit_limb_functions(
      t, h, program->lanes, ag_printf(h->arena, "%s_%s", h->prefix, program->function));
  ag_text_add(t, "#endif\n");
  return limbs;
}

void ag_emit_definition(ag_text *t, const ag_language *l, const ag_header *h,
                        const ag_program *program, const char *linkage) {
  ag_printer p = ag_printer_of(l, h, program);
  ag_limb_text *limbs = emit_limb_functions(t, h, program);
  const bool guarded = program->lanes && program->split && !limbs; /* vectors take no parts */
  if (guarded) ag_text_add(t, "#if !defined(%s_LANES)\n", h->upper);
  ag_parts *parts = limbs ? NULL : emit_parts(t, &p);
  if (guarded) ag_text_add(t, "#endif\n");
  ag_emit_broken(t, "", ag_printf(h->arena, "%s {", signature(l, h, program, linkage, true)));
  ag_text_add(t, AG_IN_ORDER);
  if (program->lanes) {
    ag_printer in_lanes = ag_printer_of(l, h, program->lanes);
    ag_text_add(t, ag_printf(h->arena, "#if defined(%s_LANES)\n", h->upper));
    emit_body(t, &in_lanes, NULL);
    ag_text_add(t, "#else\n");
  }
  if (limbs)
    emit_limbs_body(t, limbs);
  else
    emit_body(t, &p, parts);
  ag_text_add(t, program->lanes ? "#endif\n}\n" : "}\n");
  if (program->after) return;
  ag_text_add(t, "\n");
  ag_emit_broken(t, "", ag_printf(h->arena, "%s {", signature(l, h, program, linkage, false)));
  ag_text_add(t,
              "  %s_trig trig;\n  %s_trig_of(%s%s&trig);\n"
              "  return %s_%s_trig(&trig, in, out);\n}\n",
              h->prefix, h->prefix, h->njoints ? "in->q, " : "",
              ag_has_yaw(h) ? "in->base.yaw, " : "", h->prefix, program->function);
}

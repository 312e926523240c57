/* SPDX-License-Identifier: MIT */
/* function.c: see function.h */
#include "emit/function.h"

#include "emit/ahead.h"
#include "emit/dispatch.h"
#include "emit/language_c.h"
#include "emit/limb_functions.h"
#include "emit/limb_macros.h"
#include "emit/limits.h"
#include "emit/parts.h"
#include "emit/probe.h"
#include "emit/products.h"
#include "emit/trig.h"
#include "emit/types.h"
#include "graph/status.h"
#include "lower/stages.h"

#include <string.h>

/* What a function takes beside the structs that all take: results of the one that it comes after,
 * and numbers by row, or a list of numbers. */
static const char *parameters(const ag_header *h, const ag_function *f) {
  const char *n = h->prefix;
  if (!f->after) return "";
  const char *list = ag_printf(h->arena, "const %s_%s_out *%s, ", n, f->after, f->after);
  for (int i = 0; i < f->in.nquantities; i++) {
    const ag_quantity *q = &f->in.quantities[i];
    if (!ag_is_result_of(f->after, q->name))
      list =
          ag_printf(h->arena, "%sconst %s_real %s[%s], ", list, n, q->name, ag_emit_length(h, q));
  }
  return list;
}

static const char *signature(const ag_language *l, const ag_header *h, const ag_function *f,
                             const char *linkage, bool trig) {
  const char *n = h->prefix, *own = f->name;
  const bool twin = trig && !f->after;
  const char *first = twin ? ag_printf(h->arena, "const %s_trig *trig, ", n) : "";
  return ag_printf(h->arena, "%s%s_status %s_%s%s(%s%sconst %s_%s_in *in, %s%s%s_%s_out *out)",
                   linkage, n, n, own, twin ? "_trig" : "", first, l->space, n, f->takes,
                   parameters(h, f), l->space, n, f->fills);
}

/* "q: |q| <= 1e5; mask 0 or 1" */
static const char *ranges(const ag_header *h, const ag_function *f) {
  const char *list = "";
  for (int i = 0; i < f->in.nquantities; i++) {
    const ag_quantity *q = &f->in.quantities[i];
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

void ag_emit_contract(ag_text *t, const ag_header *h, const ag_function *f) {
  const unsigned bits = ag_status_of(f->graph);
  const char *good = bit_names(h, bits & ~(unsigned)AG_UNUSABLE), *zeroed = "";
  const char *bad = bit_names(h, bits & AG_UNUSABLE & ~(unsigned)AG_BIT_NOT_FINITE);
  for (int i = 0; i < f->out.nquantities; i++)
    if (f->out.quantities[i].zeroed) zeroed = listed(h, zeroed, f->out.quantities[i].name);
  ag_text_add(t, "/* ");
  ag_text_wrap(t, f->doc, " * ", AG_WIDTH);
  ag_text_add(t, "\n");
  paragraph(t, ag_printf(h->arena, "in: every number must be finite%s.", ranges(h, f)));
  const char *also = good[0] ? ag_printf(h->arena, " or has no other bits than %s", good) : "";
  paragraph(t,
            ag_printf(h->arena,
                      "out: every field is always written. If the status is OK%s, all are valid.",
                      also));
  if (bad[0]) paragraph(t, ag_printf(h->arena, "With %s in the status, use none of them.", bad));
  if (zeroed[0])
    paragraph(t,
              ag_printf(h->arena, "With NOT_FINITE%s these are 0, and the others may be NaN: %s.",
                        bits & AG_BIT_NOT_CLOSED ? " or NOT_CLOSED" : "", zeroed));
  else
    paragraph(t, "With NOT_FINITE in the status they may be NaN.");
  ag_text_add(
      t, " * Has no state: threads may call it at the same time. No loop, no allocation. */\n");
}

void ag_emit_declaration(ag_text *t, const ag_header *h, const ag_function *f) {
  ag_emit_contract(t, h, f);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", signature(&ag_in_c, h, f, "", false)));
  if (f->after) return;
  ag_text_add(t,
              "/* The same, with the sines and cosines of in->q that %s_trig_of has computed: once "
              "for several\n"
              " * functions. */\n",
              h->prefix);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", signature(&ag_in_c, h, f, "", true)));
}

/* The bits that are tested after a way; behind the general one also those of the other. */
static unsigned status_of(const ag_plan *plan, const ag_sequence *way) {
  return way == plan->fast ? ag_status_of_way(plan->graph, way->results)
                           : ag_status_of(plan->graph);
}

/* Stores the outputs of a way, less those that its parts or limbs store, and returns its status. */
static void emit_results(ag_text *t, const ag_printer *p, ag_parts *parts,
                         const ag_limb_text *limbs, const ag_sequence *way) {
  const ag_header *h = p->header;
  ag_text_add(t, "\n%s/* results */\n", p->indent);
  for (int i = 0, lanes = 1; i < way->graph->function->out.nelements; i += lanes) {
    ag_text line = {.arena = h->arena};
    lanes = limbs || p->plan->of_stages ? 1 : ag_stored_at_once(way, i);
    if (ag_part_stores(parts, way, i) || ag_limb_stores(limbs, i)) continue;
    ag_emit_loads(t, parts, way, way->results->outputs[i]);
    if (lanes > 1)
      ag_emit_output_vector(&line, p, way, i, lanes);
    else
      ag_emit_output(&line, p, way, i);
    ag_emit_statement(t, p, line.chars);
  }
  ag_emit_product_calls(t, p, ag_printf(h->arena, "%s_%s", h->prefix, way->graph->function->name));
  const unsigned bits = status_of(p->plan, way); /* whose condition is not the constant false */
  int left = 0, told = 0;
  for (int i = 0; i < way->results->nstatus; i++) {
    if (!(bits & way->results->status[i].bit)) continue;
    ag_emit_loads(t, parts, way, way->results->status[i].node);
    left++;
  }
  for (int i = 0; i < way->results->nstatus; i++) {
    if (!(bits & way->results->status[i].bit)) continue;
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, told++ ? "(" : "return (");
    if (h->target.branchless) ag_text_add(&line, "(%s_status)", h->prefix);
    const bool stored = p->plan->stored_tests && way->results->status[i].bit == AG_BIT_NOT_FINITE;
    if (stored) {
      ag_emit_probe_of_outputs(&line, h, p->plan);
      ag_text_add(&line, " | ");
    }
    ag_emit_operand(&line, p, way->results->status[i].node);
    ag_text_add(
        &line, h->target.branchless ? " * (%s_status)%s_%s)%s" : " ? (%s_status)%s_%s : 0u)%s",
        h->prefix, h->upper, ag_status_name(way->results->status[i].bit), told < left ? " |" : ";");
    ag_emit_broken(t, told > 1 ? ag_printf(h->arena, "%s       ", p->indent) : p->indent,
                   line.chars);
  }
  if (told == 0) ag_text_add(t, "%sreturn 0u;\n", p->indent);
}

/* The way itself, where the guard holds; indent: of the `if`. */
static void emit_where_guarded(ag_text *t, ag_printer *p, ag_parts *parts, const char *indent) {
  const ag_plan *plan = p->plan;
  const ag_sequence *fast = plan->fast;
  ag_emit_loads(t, parts, fast, plan->graph->guard);
  ag_emit_comment(t, p->language, ag_printf(p->header->arena, "\n%s", indent), plan->graph->when);
  ag_text_add(t, "%sif (", indent);
  ag_emit_expression(t, p, plan->graph->guard);
  ag_text_add(t, ") {\n");
  p->indent = ag_printf(p->header->arena, "%s  ", indent);
  ag_parts_block(parts, true);
  ag_emit_block(p);
  ag_emit_way(t, parts, p, fast, plan->nguard, fast->norder);
  emit_results(t, p, parts, NULL, fast);
  ag_parts_block(parts, false);
  ag_emit_block(p);
  p->indent = "  ";
  ag_text_add(t, "%s}\n", indent);
}

/* What is known before the choice, where the guard begins with a condition without which the rest of it is in vain:
 * what the general solve needs, too, then the rest where that condition holds. */
static void emit_in_two_steps(ag_text *t, ag_printer *p) {
  const ag_plan *plan = p->plan;
  const ag_sequence *fast = plan->fast;
  for (int i = 0; i < plan->nguard; i++) {
    const ag_id id = fast->order[i];
    if (fast->statement[id] && !plan->inside[id]) ag_emit_value(t, p, id);
  }
  for (int i = 0; i < plan->nguard; i++)
    if (plan->carried[fast->order[i]]) ag_emit_blank(t, p, fast->order[i]);
  ag_text_add(t, "  if (");
  ag_emit_expression(t, p, plan->graph->first);
  ag_text_add(t, ") {\n");
  ag_emit_block(p);
  p->indent = "    ";
  for (int i = 0; i < plan->nguard; i++) {
    const ag_id id = fast->order[i];
    if (!fast->statement[id] || !plan->inside[id]) continue;
    if (plan->carried[id])
      ag_emit_assignment(t, p, id);
    else
      ag_emit_value(t, p, id);
  }
  emit_where_guarded(t, p, NULL, "    ");
  ag_text_add(t, "  }\n");
}

/* The fast way and the test that leads to it. */
static void emit_fast(ag_text *t, ag_printer *p, ag_parts *parts) {
  const ag_plan *plan = p->plan;
  if (plan->inside && !parts && !p->header->target.prefetch) {
    emit_in_two_steps(t, p);
  } else {
    ag_emit_way(t, parts, p, plan->fast, 0, plan->nguard);
    emit_where_guarded(t, p, parts, "  ");
  }
  ag_emit_comment(t, p->language, "\n  ", plan->graph->otherwise);
}

static const char *general_name(const ag_plan *plan) {
  return ag_printf(plan->graph->dag.arena, "%s_general", plan->graph->function->name);
}

/* The parts of a function that is split, or of its general way, with what they take. */
static ag_parts *emit_parts(ag_text *t, ag_printer *p, bool general) {
  const ag_header *h = p->header;
  const ag_plan *plan = p->plan;
  const char *n = h->prefix;
  const char *name =
      ag_printf(h->arena, "%s_%s", n, general ? general_name(plan) : plan->graph->function->name);
  ag_parameter *list =
      ag_alloc(h->arena, (size_t)(plan->graph->function->in.nquantities + 6) * sizeof *list);
  int count = 0;
  list[count++] = (ag_parameter){"trig", ag_printf(h->arena, "const %s_trig *", n)};
  list[count++] = (ag_parameter){
      "in", ag_printf(h->arena, "const %s_%s_in *", n, plan->graph->function->takes)};
  if (plan->graph->function->after)
    list[count++] =
        (ag_parameter){plan->graph->function->after,
                       ag_printf(h->arena, "const %s_%s_out *", n, plan->graph->function->after)};
  for (int i = 0; plan->graph->function->after && i < plan->graph->function->in.nquantities; i++)
    if (!ag_is_result_of(plan->graph->function->after,
                         plan->graph->function->in.quantities[i].name))
      list[count++] = (ag_parameter){plan->graph->function->in.quantities[i].name,
                                     ag_printf(h->arena, "const %s_real *", n)};
  list[count++] =
      (ag_parameter){"out", ag_printf(h->arena, "%s_%s_out *", n, plan->graph->function->fills)};
  list[count++] = (ag_parameter){"work", ag_printf(h->arena, "%s_work *", name)};
  ag_emit_products(t, p, name);
  return ag_emit_parts(t, p, plan->split, name, list);
}

/* What stands inside the function's braces. */
static void emit_body(ag_text *t, ag_printer *p, ag_parts *parts) {
  const ag_plan *plan = p->plan;
  ag_text ways = {.arena = p->header->arena};
  ag_emit_work(t, parts);
  ag_emit_legend(t, p);
  ag_emit_block(p);
  if (plan->fast) emit_fast(&ways, p, parts);
  ag_emit_way(&ways, parts, p, &plan->own, plan->nguard, plan->own.norder);
  if (!parts && ways.chars &&
      strstr(ways.chars, "_AHEAD")) /* a short one asks for none of its code */
    ag_emit_ahead_code(t, p->header,
                       ag_printf(p->header->arena, "%s_%s%s", p->header->prefix,
                                 plan->graph->function->name,
                                 plan->graph->function->after ? "" : "_trig"));
  if (plan->graph->function->after)
    ag_text_add(&ways, "  (void)in;\n");
  else if (!ag_takes_trig(plan))
    ag_text_add(&ways, "  (void)trig;\n");
  emit_results(&ways, p, parts, NULL, &plan->own);
  ag_emit_limits(t, p); /* that this text names */
  ag_text_add(t, "%s", ways.chars);
}

/* The same with functions of limbs. */
static void emit_limbs_body(ag_text *t, ag_limb_text *limbs) {
  const ag_printer *p = ag_limb_printer(limbs);
  ag_text text = {.arena = p->header->arena};
  ag_emit_limb_calls(&text, limbs);
  if (!ag_takes_trig(p->plan)) ag_text_add(&text, "  (void)trig;\n");
  emit_results(&text, p, NULL, limbs, &p->plan->own);
  ag_emit_limits(t, p);
  ag_text_add(t, "%s", text.chars);
}

/* The general way of a function whose fast way is for vectors alone, as one of its own, in parts of one text for all limbs. */
static void emit_general(ag_text *t, const ag_header *h, const ag_plan *plan) {
  const ag_function *f = plan->graph->function;
  ag_printer p = ag_printer_of(&ag_in_limbs, h, plan);
  ag_parts *parts = emit_parts(t, &p, true);
  ag_text_add(t, "/* The general solve. */\n");
  ag_emit_broken(t, "",
                 ag_printf(h->arena,
                           "static %s_PART %s_status %s_%s(const %s_trig *trig, const %s_%s_in "
                           "*in, %s_%s_out *out) {",
                           h->upper, h->prefix, h->prefix, general_name(plan), h->prefix, h->prefix,
                           f->takes, h->prefix, f->fills));
  ag_text_add(t, AG_IN_ORDER);
  emit_body(t, &p, parts);
  ag_text_add(t, "}\n\n");
}

/* The fast way in vectors, then that. */
static void emit_fast_in_lanes(ag_text *t, ag_printer *p, ag_parts *parts, const ag_plan *plan) {
  const ag_header *h = p->header;
  ag_text text = {.arena = h->arena};
  ag_text_add(t, "#if defined(%s_LANES)\n", h->upper);
  ag_emit_work(t, parts);
  ag_emit_legend(t, p);
  ag_emit_block(p);
  emit_fast(&text, p, parts);
  ag_emit_limits(t, p);
  ag_text_add(t, "%s#endif\n  return %s_%s(trig, in, out);\n}\n", text.chars, h->prefix,
              general_name(plan));
}

/* A function's first lines, with all that it does before it computes. */
static void open_function(ag_text *t, const ag_language *l, const ag_header *h, const ag_plan *plan,
                          const char *linkage) {
  const ag_function *f = plan->graph->function;
  ag_emit_broken(t, "", ag_printf(h->arena, "%s {", signature(l, h, f, linkage, true)));
  ag_text_add(t, AG_IN_ORDER);
  ag_emit_choice(t, h, signature(l, h, f, "", true));
}

/* The parts of a function; where: "" or "!": of text that is for vectors alone, or for where there are none. */
static ag_parts *emit_parts_where(ag_text *t, ag_printer *p, const char *where) {
  ag_text text = {.arena = p->header->arena};
  ag_parts *parts = emit_parts(&text, p, false);
  if (!parts) return NULL;
  ag_text_add(t, "#if %sdefined(%s_LANES)\n%s#endif\n", where, p->header->upper, text.chars);
  return parts;
}

/* With one text for all limbs, in parts: that of the general way, and before it, where it is chosen, the fast way in vectors. */
static void emit_shared(ag_text *t, const ag_language *l, const ag_header *h, const ag_plan *plan,
                        const char *linkage) {
  const ag_plan *stages = plan->limbs->stages->plan;
  ag_printer p = ag_printer_of(plan->fast ? l : &ag_in_limbs, h, plan->fast ? plan->limbs : stages);
  if (plan->fast) emit_general(t, h, stages);
  ag_parts *parts = plan->fast ? emit_parts_where(t, &p, "") : emit_parts(t, &p, false);
  open_function(t, l, h, plan, linkage);
  if (plan->fast) {
    emit_fast_in_lanes(t, &p, parts, plan);
    return;
  }
  emit_body(t, &p, parts);
  ag_text_add(t, "}\n");
}

/* With limbs in lanes where there are vectors; without them one after the other, or by functions of limbs. */
static void emit_beside(ag_text *t, const ag_language *l, const ag_header *h, const ag_plan *plan,
                        const char *linkage) {
  ag_printer p = ag_printer_of(l, h, plan), in_lanes = ag_printer_of(l, h, plan->limbs);
  ag_limb_text *limbs = NULL;
  if (ag_has_limb_functions(plan)) {
    ag_text_add(t, "#if !defined(%s_LANES)\n", h->upper);
    limbs = ag_emit_limb_functions(
        t, h, plan->limbs, ag_printf(h->arena, "%s_%s", h->prefix, plan->graph->function->name));
    ag_text_add(t, "#endif\n");
  }
  ag_parts *of_lanes = emit_parts_where(t, &in_lanes, "");
  ag_parts *parts = limbs ? NULL : emit_parts_where(t, &p, "!");
  open_function(t, l, h, plan, linkage);
  ag_text_add(t, "#if defined(%s_LANES)\n", h->upper);
  emit_body(t, &in_lanes, of_lanes);
  ag_text_add(t, "#else\n");
  if (limbs)
    emit_limbs_body(t, limbs);
  else
    emit_body(t, &p, parts);
  ag_text_add(t, "#endif\n}\n");
}

/* What stands between the braces, and what it calls before it. */
static void emit_whole(ag_text *t, const ag_language *l, const ag_header *h, const ag_plan *plan,
                       const char *linkage) {
  if (ag_shares_limbs(plan)) {
    emit_shared(t, l, h, plan, linkage);
    return;
  }
  if (plan->limbs) {
    emit_beside(t, l, h, plan, linkage);
    return;
  }
  ag_printer p = ag_printer_of(l, h, plan);
  ag_parts *parts = emit_parts(t, &p, false);
  open_function(t, l, h, plan, linkage);
  emit_body(t, &p, parts);
  ag_text_add(t, "}\n");
}

void ag_emit_definition(ag_text *t, const ag_language *l, const ag_header *h, const ag_plan *plan,
                        const char *linkage) {
  emit_whole(t, l, h, plan, linkage);
  if (plan->graph->function->after) return;
  ag_text_add(t, "\n");
  ag_emit_broken(
      t, "", ag_printf(h->arena, "%s {", signature(l, h, plan->graph->function, linkage, false)));
  ag_emit_choice(t, h, signature(l, h, plan->graph->function, "", false));
  ag_text_add(t,
              "  %s_trig trig;\n  %s_trig_of(%s%s&trig);\n"
              "  return %s_%s_trig(&trig, in, out);\n}\n",
              h->prefix, h->prefix, h->njoints ? "in->q, " : "",
              ag_has_yaw(h) ? "in->base.yaw, " : "", h->prefix, plan->graph->function->name);
}

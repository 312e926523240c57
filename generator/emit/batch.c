/* SPDX-License-Identifier: MIT */
/* batch.c: see batch.h */
#include "emit/batch.h"

#include "emit/access.h"
#include "emit/dispatch.h"
#include "emit/language_batch.h"
#include "emit/limits.h"
#include "emit/parts.h"
#include "emit/products.h"
#include "emit/trig.h"
#include "graph/status.h"

#include <assert.h>

static const char *batch_signature(const ag_header *h, const ag_function *function,
                                   const char *linkage) {
  const char *n = h->prefix;
  return ag_printf(h->arena,
                   "%svoid %s_%s_batch(const %s_%s_batch_in *in, %s_%s_batch_out *out, "
                   "%s_status status[%s_K])",
                   linkage, n, function->name, n, function->takes, n, function->fills, n, h->upper);
}

static void batch_contract(ag_text *t, const ag_header *h) {
  ag_text_add(t,
              "/* The same for %d states at once; the last index of every field is the state. */\n",
              h->target.batch);
}

void ag_emit_batch_declaration(ag_text *t, const ag_header *h, const ag_function *function) {
  batch_contract(t, h);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", batch_signature(h, function, "")));
}

/* Where the compiler has no vector types: one state after the other. */
static void states_one_by_one(ag_text *t, const ag_header *h, const ag_function *function) {
  const char *n = h->prefix, *f = function->name;
  ag_text_add(
      t, "  int k;\n  for (k = 0; k < %s_K; k++) {\n    %s_%s_in one;\n    %s_%s_out result;\n",
      h->upper, n, function->takes, n, function->fills);
  for (int i = 0; i < function->in.nelements; i++) {
    const char *access = ag_emit_access(h, &function->in.elements[i]);
    ag_text_add(t, "    one.%s = in->%s[k];\n", access, access);
  }
  ag_text_add(t, "    status[k] = %s_%s(&one, &result);\n", n, f);
  for (int i = 0; i < function->out.nelements; i++) {
    const char *access = ag_emit_access(h, &function->out.elements[i]);
    ag_text_add(t, "    out->%s[k] = result.%s;\n", access, access);
  }
  ag_text_add(t, "  }\n");
}

/* Vectors of the inputs that a way reads and that no earlier one has read. */
static void load_inputs(ag_text *t, ag_printer *p, const ag_sequence *way) {
  const ag_header *h = p->header;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &way->graph->dag.nodes[id];
    if (n->op != AG_INPUT || p->name[id]) continue;
    p->name[id] = ag_printf(h->arena, "x%d", n->a);
    ag_text_add(t, "  const %s %s = %s;\n", ag_emit_type(p, id), p->name[id],
                ag_emit_input(p, n->a));
  }
}

static const char *name_of(const ag_printer *p) {
  return ag_printf(p->header->arena, "%s_%s_batch", p->header->prefix,
                   p->plan->graph->function->name);
}

/* Results that are products, and in which states one of all results is not finite. */
static void store_products(ag_text *t, const ag_printer *p) {
  const ag_header *h = p->header;
  const ag_list *out = &p->plan->graph->function->out;
  ag_emit_batch_product_calls(t, p, name_of(p));
  const char **asked = ag_alloc(h->arena, (size_t)(out->nelements + 1) * sizeof *asked);
  int count = 0;
  for (int i = 0; i < out->nelements; i++)
    if (p->plan->asked[i])
      asked[count++] =
          ag_printf(h->arena, "%s_LOAD(out->%s)", h->upper, ag_emit_access(h, &out->elements[i]));
  if (count == 0) return;
  ag_text line = {.arena = h->arena};
  ag_text_add(&line, "infinite |= ");
  ag_emit_infinite(&line, h, asked, count, AG_ASKED_AT_ONCE);
  ag_text_add(&line, ";");
  ag_emit_statement(t, p, line.chars);
}

/* Stores the outputs of a way, less those that its parts store, and the status of every state. */
static void store_results(ag_text *t, const ag_printer *p, ag_parts *parts,
                          const ag_sequence *way) {
  const ag_header *h = p->header;
  ag_text_add(t, "\n%s/* results */\n", p->indent);
  for (int i = 0; i < way->graph->function->out.nelements; i++) {
    ag_text line = {.arena = h->arena};
    if (ag_part_stores(parts, way, i)) continue;
    ag_emit_loads(t, parts, way, way->results->outputs[i]);
    ag_emit_output(&line, p, way, i);
    ag_emit_statement(t, p, line.chars);
  }
  if (p->plan->products) store_products(t, p);
  for (int i = 0; i < way->results->nstatus; i++)
    ag_emit_loads(t, parts, way, way->results->status[i].node);
  const int count = way->results->nstatus;
  ag_text_add(t, "%sconst %s_batch_mask bits = (none != none)%s\n", p->indent, h->prefix,
              count ? " |" : ";");
  for (int i = 0; i < count; i++) {
    const unsigned bit = way->results->status[i].bit;
    const bool stored = p->plan->asked && bit == AG_BIT_NOT_FINITE;
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, stored ? "((infinite | " : "(");
    ag_emit_operand(&line, p, way->results->status[i].node);
    ag_text_add(&line, "%s & %u)%s", stored ? ")" : "", bit, i + 1 < count ? " |" : ";");
    ag_emit_broken(t, ag_printf(h->arena, "%s    ", p->indent), line.chars);
  }
  for (int k = 0; k < h->target.batch; k++)
    ag_text_add(t, "%sstatus[%d] = (%s_status)bits[%d];\n", p->indent, k, h->prefix, k);
}

/* The fast way, where the guard holds in every state. */
static void fast_batch(ag_text *t, ag_printer *p, ag_parts *parts, const ag_sequence *fast) {
  const ag_plan *plan = p->plan;
  const char *guard = p->name[plan->graph->guard];
  ag_emit_way(t, parts, p, fast, 0, plan->nguard);
  ag_emit_loads(t, parts, fast, plan->graph->guard);
  ag_emit_comment(t, p->language, "\n  ", p->graph->when);
  ag_text line = {.arena = p->header->arena};
  ag_text_add(&line, "if ((");
  for (int k = 0; k < p->header->target.batch; k++)
    ag_text_add(&line, "%s%s[%d]", k ? " & " : "", guard, k);
  ag_text_add(&line, ") != 0) {");
  ag_emit_statement(t, p, line.chars);
  p->indent = "    ";
  ag_parts_block(parts, true);
  ag_emit_way(t, parts, p, fast, plan->nguard, fast->norder);
  store_results(t, p, parts, fast);
  ag_parts_block(parts, false);
  p->indent = "  ";
  ag_text_add(t, "    return;\n  }\n");
  ag_emit_comment(t, p->language, "\n  ", p->graph->otherwise);
}

/* The type of all sines and cosines of a batch, where parts share them. */
static const char *trig_type(const ag_header *h, const ag_function *function) {
  return ag_printf(h->arena, "%s_%s_batch_trig", h->prefix, function->name);
}

/* The parts of a function that is split, with what they take. */
static ag_parts *emit_parts(ag_text *t, ag_printer *p) {
  const ag_header *h = p->header;
  const ag_plan *plan = p->plan;
  if (!plan->split) return NULL;
  const ag_function *f = plan->graph->function;
  ag_parameter *list = ag_alloc(h->arena, 6 * sizeof *list);
  list[0] = (ag_parameter){"trig",
                           ag_printf(h->arena, "const %s *", trig_type(h, plan->graph->function))};
  list[1] =
      (ag_parameter){"in", ag_printf(h->arena, "const %s_%s_batch_in *", h->prefix, f->takes)};
  list[2] = (ag_parameter){"out", ag_printf(h->arena, "%s_%s_batch_out *", h->prefix, f->fills)};
  /* Nothing else leads to what waits: compilers may use what was read of it after they have stored. */
  list[3] = (ag_parameter){"work", ag_printf(h->arena, "%s_batch *__restrict__ ", h->prefix)};
  list[4] = (ag_parameter){"masks", ag_printf(h->arena, "%s_batch_mask *__restrict__ ", h->prefix)};
  ag_text_add(t, "#if defined(__GNUC__)\n");
  if (ag_takes_trig(plan)) ag_emit_trig_type(t, h, trig_type(h, plan->graph->function));
  ag_emit_batch_products(t, p, name_of(p));
  ag_parts *parts = ag_emit_parts(t, p, plan->split, name_of(p), list);
  ag_text_add(t, "#endif\n");
  return parts;
}

void ag_emit_batch_definition(ag_text *t, const ag_header *h, const ag_plan *plan,
                              const char *linkage) {
  assert(plan->vectors);
  plan = plan->vectors;
  ag_printer p = ag_printer_of(&ag_in_batch, h, plan);
  ag_text_add(t, "\n");
  ag_parts *parts = emit_parts(t, &p);
  batch_contract(t, h);
  ag_emit_broken(t, "",
                 ag_printf(h->arena, "%s {", batch_signature(h, plan->graph->function, linkage)));
  ag_text_add(t, AG_IN_ORDER);
  ag_emit_choice(t, h, batch_signature(h, plan->graph->function, ""));
  ag_text_add(t, "#if defined(__GNUC__)\n");
  ag_text_add(t, "  const %s_batch none = {0};\n", h->prefix);
  if (ag_takes_trig(plan))
    ag_emit_trig_batch(t, h, parts ? trig_type(h, plan->graph->function) : NULL);
  ag_emit_work(t, parts);
  if (!parts) load_inputs(t, &p, &plan->own);
  if (!parts && plan->fast) load_inputs(t, &p, plan->fast);
  ag_text ways = {.arena = h->arena};
  if (plan->fast) fast_batch(&ways, &p, parts, plan->fast);
  ag_emit_way(&ways, parts, &p, &plan->own, plan->nguard, plan->own.norder);
  store_results(&ways, &p, parts, &plan->own);
  ag_emit_limits(t, &p);
  ag_text_add(t, "%s", ways.chars);
  ag_text_add(t, "#else\n");
  states_one_by_one(t, h, plan->graph->function);
  ag_text_add(t, "#endif\n}\n");
}

/* batch.c: see batch.h */
#include "emit/batch.h"

#include "emit/access.h"
#include "emit/language_batch.h"
#include "emit/parts.h"
#include "emit/trig.h"

#include <assert.h>

static const char *batch_signature(const ag_header *h, const ag_program *p, const char *linkage) {
  const char *n = h->prefix, *f = p->function;
  return ag_printf(h->arena,
                   "%svoid %s_%s_batch(const %s_%s_batch_in *in, %s_%s_batch_out *out, "
                   "%s_status status[%s_K])",
                   linkage, n, f, n, f, n, f, n, h->upper);
}

static void batch_contract(ag_text *t, const ag_header *h) {
  ag_text_add(t,
              "/* The same for %d states at once; the last index of every field is the state. */\n",
              h->batch);
}

void ag_emit_batch_declaration(ag_text *t, const ag_header *h, const ag_program *p) {
  batch_contract(t, h);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", batch_signature(h, p, "")));
}

/* Where the compiler has no vector types: one state after the other. */
static void lanes_one_by_one(ag_text *t, const ag_header *h, const ag_program *program) {
  const char *n = h->prefix, *f = program->function;
  ag_text_add(
      t, "  int k;\n  for (k = 0; k < %s_K; k++) {\n    %s_%s_in one;\n    %s_%s_out result;\n",
      h->upper, n, f, n, f);
  for (int i = 0; i < program->in.nelements; i++) {
    const char *access = ag_emit_access(h, &program->in.elements[i]);
    ag_text_add(t, "    one.%s = in->%s[k];\n", access, access);
  }
  ag_text_add(t, "    status[k] = %s_%s(&one, &result);\n", n, f);
  for (int i = 0; i < program->out.nelements; i++) {
    const char *access = ag_emit_access(h, &program->out.elements[i]);
    ag_text_add(t, "    out->%s[k] = result.%s;\n", access, access);
  }
  ag_text_add(t, "  }\n");
}

/* Vectors of the inputs that a way reads and that no earlier one has read. */
static void load_inputs(ag_text *t, ag_printer *p, const ag_program *way) {
  const ag_header *h = p->header;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &way->dag.nodes[id];
    if (n->op != AG_INPUT || p->name[id]) continue;
    p->name[id] = ag_printf(h->arena, "x%d", n->a);
    ag_text_add(t, "  const %s %s = %s;\n", ag_emit_type(p, id), p->name[id],
                ag_emit_input(p, n->a));
  }
}

/* Stores the outputs of a way, less those that its parts store, and the status of every lane. */
static void store_results(ag_text *t, const ag_printer *p, ag_parts *parts, const ag_program *way) {
  const ag_header *h = p->header;
  ag_text_add(t, "\n%s/* results */\n", p->indent);
  for (int i = 0; i < way->out.nelements; i++) {
    ag_text line = {.arena = h->arena};
    if (ag_part_stores(parts, way, i)) continue;
    ag_emit_loads(t, parts, way, way->out.elements[i].node);
    ag_emit_output(&line, p, &way->out.elements[i]);
    ag_emit_statement(t, p, line.chars);
  }
  for (int i = 0; i < way->nstatus; i++) ag_emit_loads(t, parts, way, way->status[i].node);
  ag_text_add(t, "%sconst %s_lanes_mask bits = (none != none)", p->indent, h->prefix);
  for (int i = 0; i < way->nstatus; i++) {
    ag_text_add(t, " |\n%s    (", p->indent);
    ag_emit_operand(t, p, way->status[i].node);
    ag_text_add(t, " & %u)", way->status[i].bit);
  }
  ag_text_add(t, ";\n");
  for (int k = 0; k < h->batch; k++)
    ag_text_add(t, "%sstatus[%d] = (%s_status)bits[%d];\n", p->indent, k, h->prefix, k);
}

/* The null-space solve, where the guard holds in every lane. */
static void fast_lanes(ag_text *t, ag_printer *p, ag_parts *parts, const ag_program *fast) {
  const char *guard = p->name[fast->guard];
  ag_emit_way(t, parts, p, fast, 0, fast->nguard);
  ag_emit_loads(t, parts, fast, fast->guard);
  ag_emit_comment(t, p->language, "\n  ", p->program->when);
  ag_text line = {.arena = p->header->arena};
  ag_text_add(&line, "if ((");
  for (int k = 0; k < p->header->batch; k++)
    ag_text_add(&line, "%s%s[%d]", k ? " & " : "", guard, k);
  ag_text_add(&line, ") != 0) {");
  ag_emit_statement(t, p, line.chars);
  p->indent = "    ";
  ag_parts_block(parts, true);
  ag_emit_way(t, parts, p, fast, fast->nguard, fast->norder);
  store_results(t, p, parts, fast);
  ag_parts_block(parts, false);
  p->indent = "  ";
  ag_text_add(t, "    return;\n  }\n");
  ag_emit_comment(t, p->language, "\n  ", p->program->otherwise);
}

/* The type of all sines and cosines of a batch, where parts share them. */
static const char *trig_type(const ag_header *h, const ag_program *program) {
  return ag_printf(h->arena, "%s_%s_batch_trig", h->prefix, program->function);
}

/* The parts of a function that is split, with what they take. */
static ag_parts *emit_parts(ag_text *t, ag_printer *p) {
  const ag_header *h = p->header;
  const ag_program *program = p->program;
  if (!program->split) return NULL;
  const char *name = ag_printf(h->arena, "%s_%s_batch", h->prefix, program->function);
  ag_parameter *list = ag_alloc(h->arena, 5 * sizeof *list);
  list[0] = (ag_parameter){"trig", ag_printf(h->arena, "const %s *", trig_type(h, program))};
  list[1] = (ag_parameter){"in", ag_printf(h->arena, "const %s_in *", name)};
  list[2] = (ag_parameter){"out", ag_printf(h->arena, "%s_out *", name)};
  list[3] = (ag_parameter){"work", ag_printf(h->arena, "%s_work *", name)};
  ag_text_add(t, "#if defined(__GNUC__)\n");
  if (ag_takes_trig(program)) ag_emit_trig_type(t, h, trig_type(h, program));
  ag_parts *parts = ag_emit_parts(t, p, program->split, name, list);
  ag_text_add(t, "#endif\n");
  return parts;
}

void ag_emit_batch_definition(ag_text *t, const ag_header *h, const ag_program *program,
                              const char *linkage) {
  assert(program->vectors);
  program = program->vectors;
  ag_printer p = ag_printer_of(&ag_in_batch, h, program);
  ag_text_add(t, "\n");
  ag_parts *parts = emit_parts(t, &p);
  batch_contract(t, h);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s {", batch_signature(h, program, linkage)));
  ag_text_add(t, AG_IN_ORDER);
  ag_text_add(t, "#if defined(__GNUC__)\n");
  ag_text_add(t, "  const %s_lanes none = {0};\n", h->prefix);
  if (ag_takes_trig(program)) ag_emit_trig_lanes(t, h, parts ? trig_type(h, program) : NULL);
  ag_emit_work(t, parts);
  if (!parts) load_inputs(t, &p, program);
  if (!parts && program->fast) load_inputs(t, &p, program->fast);
  if (program->fast) fast_lanes(t, &p, parts, program->fast);
  ag_emit_way(t, parts, &p, program, program->nguard, program->norder);
  store_results(t, &p, parts, program);
  ag_text_add(t, "#else\n");
  lanes_one_by_one(t, h, program);
  ag_text_add(t, "#endif\n}\n");
}

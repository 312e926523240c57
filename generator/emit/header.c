/* SPDX-License-Identifier: MIT */
/* header.c: see header.h */
#include "emit/header.h"

#include "emit/cost.h"
#include "emit/ahead.h"
#include "emit/banner.h"
#include "emit/batch.h"
#include "emit/dispatch.h"
#include "emit/constants.h"
#include "emit/function.h"
#include "emit/language_batch.h"
#include "emit/language_c.h"
#include "emit/limb_vectors.h"
#include "emit/limb_functions.h"
#include "emit/limb_macros.h"
#include "emit/part_macros.h"
#include "emit/shared.h"
#include "emit/types.h"
#include "graph/status.h"
#include "lower/choice.h"
#include "base/embedded.h"
#include "base/version.h"
#include "emit/probe.h"
#include "emit/parameters.h"
#include "emit/sparsity.h"
#include "emit/trig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the lines `cost` say, in words. */
static void cost_terms(ag_text *text, const ag_header *h) {
  const ag_plan *fast = NULL;
  for (int i = 0; i < h->nfunctions; i++)
    if (h->plans[i]->fast) fast = h->plans[i];
  ag_text_add(text, " *         operations of one call; select: a choice of one of two values; "
                    "values live: held at the same time\n");
  if (fast)
    ag_text_add(text,
                " *         %s; at worst: where a row is masked or nearly depends on others "
                "(docs/performance.md)\n",
                strcmp(fast->graph->function->formulation, "early") == 0
                    ? "early: rows are eliminated early"
                    : "null: the null-space solve");
}

/* The comment that opens a file. `body` is what its hash is of. */
static bool banner(ag_text *text, const ag_header *h, const ag_header_options *o, const char *file,
                   const char *body, ag_err *err) {
  const ag_banner opening = {
      .file = file, .command = o->command, .inputs = o->inputs, .ninputs = o->ninputs};
  if (!ag_banner_add(text, &opening, body, err)) return false;
  for (int i = 0; i < h->nremarks; i++)
    ag_text_add(text, " * %-7s %s\n", h->remarks[i].key, h->remarks[i].text);
  for (int i = 0; i < h->nfunctions; i++)
    ag_text_add(text, " * cost    %s (%s): %s\n", h->functions[i]->name,
                h->functions[i]->formulation, ag_cost_text(h, h->plans[i]));
  cost_terms(text, h);
  if (h->target.dispatch != AG_COPY_ALONE)
    ag_text_add(text, " * copies  two of every function by gcc and clang for x86-64: with AVX2 and "
                      "FMA, and without; each call "
                      "takes that which the\n"
                      " *         processor can run; results of the two differ by rounding "
                      "(docs/performance.md)\n");
  for (int i = 0; i < h->nfunctions; i++) {
    const char *chosen = ag_choice_text(h, h->plans[i]);
    const char *warning = chosen ? chosen : ag_text_warning(h, h->plans[i]);
    if (warning) ag_text_add(text, " * text    %s: %s\n", h->functions[i]->name, warning);
  }
  ag_text_add(text, " * units   SI (m, rad, s, kg, N, N m); linear x y z before angular x y z; "
                    "accelerations are classical,\n"
                    " *         the second derivative of a position, unless a comment says spatial "
                    "(docs/conventions.md)\n"
                    " * licence this file is yours, without conditions\n"
                    " * " AG_EMITTED_LICENCE " */\n");
  return true;
}

/* A function that goes on with what a solver found takes one state at a time. */
static bool in_batches(const ag_header *h, const ag_function *f) {
  return h->target.batch && !f->after;
}

/* The test of size of a batch; "" where no function asks for it. */
static const char *probe_of_size(const ag_header *h, const char *type) {
  if (!ag_probes_sizes(h)) return "";
  return ag_printf(
      h->arena,
      "#define %s_PROBE_EXP(x, below) (((%s_mask)(x) & %s) > below) /* NaN, infinite, or "
      "of more bits than below */\n",
      h->upper, type, ag_exponent_bits(h));
}

/* What the functions of a batch use. */
static const char *batch_text(const ag_header *h) {
  const char *type = ag_printf(h->arena, "%s_batch", h->prefix);
  ag_text text = {.arena = h->arena};
  const ag_substitution with[] = {
      {"UPPER", h->upper},
      {"PREFIX", h->prefix},
      {"REAL", h->target.single ? "float" : "double"},
      {"T", type},
      {"K", ag_printf(h->arena, "%d", h->target.batch)},
      {"EXPONENT", ag_exponent_bits(h)},
      {"VECTOR", ag_emit_vector(h, type, ag_printf(h->arena, "%d", h->target.batch))},
      {"SINCOS", ag_count_turning(h) ? ag_emit_sincos_batch(h) : ""},
      {"PROBE_EXP", probe_of_size(h, type)},
      {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("batch.h.in"), with);
  return text.chars;
}

static const char *yaw_parameter(const ag_header *h) {
  return ag_has_yaw(h) ? ag_printf(h->arena, "%s_real yaw, ", h->prefix) : "";
}

/* The joint positions among what NAME_trig_of takes. */
static const char *q_parameter(const ag_header *h) {
  return h->njoints ? ag_printf(h->arena, "const %s_real q[%s_NJ], ", h->prefix, h->upper) : "";
}

/* What only declares. */
static const char *declarations_text(const ag_header *h, ag_mode mode) {
  if (mode == AG_MODE_INLINE) return "";
  const ag_substitution with[] = {
      {"PREFIX", h->prefix}, {"Q", q_parameter(h)}, {"YAW", yaw_parameter(h)}, {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(&text, ag_file_text("trig.h.in"), with);
  for (int i = 0; i < h->nfunctions; i++) {
    ag_text_add(&text, "\n");
    ag_emit_declaration(&text, h, h->functions[i]);
    if (in_batches(h, h->functions[i])) ag_emit_batch_declaration(&text, h, h->functions[i]);
    if (mode == AG_MODE_SHARED) ag_emit_many_declaration(&text, h, h->functions[i]);
  }
  return text.chars;
}

static const char *structs_text(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  ag_emit_parameters(&text, h);
  for (int i = 0; i < h->nfunctions; i++) {
    if (i) ag_text_add(&text, "\n");
    ag_emit_structs(&text, &ag_in_c, h, h->functions[i], "");
    if (in_batches(h, h->functions[i]))
      ag_emit_structs(&text, &ag_in_batch, h, h->functions[i], "batch_");
    ag_emit_shape(&text, h, h->functions[i]);
    if (h->target.offsets) ag_emit_columns(&text, h, h->functions[i]);
    if (!h->functions[i]->after) ag_emit_initialiser(&text, h, h->functions[i]);
    ag_emit_sparsity(&text, h, h->functions[i]);
  }
  return text.chars;
}

/* Helper macros end with the bodies. */
static const char *undefine_text(const ag_header *h) {
  static const char *const helpers[] = {"LOAD", "STORE", "PROBE", "SELECT"};
  ag_text text = {.arena = h->arena};
  ag_text_add(&text, "#undef %s_ANGLES\n", h->upper);
  if (ag_has_parts(h))
    ag_text_add(&text, "#undef %s_PART\n#undef %s_IN_ORDER\n", h->upper, h->upper);
  ag_text_add(&text, "%s", ag_limb_macro_end(h));
  ag_emit_ahead_end(&text, h);
  ag_emit_vectors_end(&text, h);
  if (!h->target.batch) return text.chars;
  ag_text_add(&text, "#if defined(__GNUC__)\n");
  for (size_t k = 0; k < sizeof helpers / sizeof *helpers; k++)
    ag_text_add(&text, "#undef %s_%s\n", h->upper, helpers[k]);
  if (ag_probes_sizes(h)) ag_text_add(&text, "#undef %s_PROBE_EXP\n", h->upper);
  ag_text_add(&text, "#endif\n");
  return text.chars;
}

/* Every function's body, and what they call. */
static const char *bodies_of(const ag_header *h, ag_mode mode) {
  const bool wide = h->target.dispatch == AG_COPY_WIDE;
  const char *linkage = mode == AG_MODE_INLINE ? "static inline " : wide ? "static " : "";
  ag_text trig = {.arena = h->arena}, definitions = trig, probes = trig, text = trig;
  ag_emit_choice(&trig, h,
                 ag_printf(h->arena, "void %s_trig_of(%s%strig)", h->prefix,
                           h->njoints ? "q, " : "", ag_has_yaw(h) ? "yaw, " : ""));
  ag_emit_trig(&trig, h);
  ag_emit_probes(&probes, h, ag_has_parts(h) && !h->target.batch);
  ag_emit_part_macro(&probes, h);
  ag_text_add(&probes, "%s", ag_limb_macro(h));
  ag_emit_ahead_macros(&probes, h);
  for (int i = 0; i < h->nfunctions; i++) {
    if (i) ag_text_add(&definitions, "\n");
    if (mode == AG_MODE_INLINE && !wide) ag_emit_contract(&definitions, h, h->functions[i]);
    ag_emit_definition(&definitions, &ag_in_c, h, h->plans[i], linkage);
    if (in_batches(h, h->functions[i]))
      ag_emit_batch_definition(&definitions, h, h->plans[i], linkage);
    if (mode == AG_MODE_SHARED && !wide) ag_emit_many_definition(&definitions, h, h->functions[i]);
  }
  const ag_substitution with[] = {{"PREFIX", h->prefix},
                                  {"LINKAGE", linkage},
                                  {"PROBES", probes.chars},
                                  {"SELECT", ag_select_text(h)},
                                  {"SINCOS", ag_count_turning(h) ? ag_emit_sincos(h) : ""},
                                  {"BATCH", h->target.batch ? batch_text(h) : ""},
                                  {"LIMBS", ag_emit_vector_types(h)},
                                  {"TRIG", trig.chars},
                                  {"Q", q_parameter(h)},
                                  {"YAW", yaw_parameter(h)},
                                  {"DEFINITIONS", definitions.chars},
                                  {"UNDEFINE", undefine_text(h)},
                                  {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("bodies.c.in"), with);
  return text.chars;
}

/* The same with what gcc does best with such code. */
static const char *optimized(const ag_header *h, const char *bodies) {
  ag_text text = {.arena = h->arena};
  /* with AVX2 alone such vectors load lanes; without, they store and test results, for no more moves */
  const bool lanes = ag_emit_vector_types(h)[0] != 0;
  const ag_substitution with[] = {{"UPPER", h->upper},
                                  {"BODIES", bodies},
                                  {"WIDE", lanes ? "__AVX512F__" : "__AVX__"},
                                  {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("optimize.c.in"), with);
  return text.chars;
}

/* The same in two copies, where that is requested. declared: what is declared before. */
static const char *body_text_of(const ag_header *h, ag_mode mode, const char *declared) {
  const char *bodies = bodies_of(h, mode);
  if (h->target.dispatch != AG_COPY_ALONE) {
    ag_header wide = *h;
    wide.target.dispatch = AG_COPY_WIDE;
    bodies = ag_two_copies(h, bodies, bodies_of(&wide, mode), declared);
  }
  ag_text text = {.arena = h->arena};
  const ag_substitution with[] = {{"BODIES", optimized(h, bodies)}, {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("body.c.in"), with);
  return text.chars;
}

/* Bodies that stand in the header where the user asks for them. They have a guard of their own: the
 * header may have been included before, for its declarations. */
static const char *implementation_text(const ag_header *h, const char *guard, const char *body) {
  const ag_substitution with[] = {
      {"UPPER", h->upper}, {"GUARD", guard}, {"BODY", body}, {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(&text, ag_file_text("implementation.h.in"), with);
  return text.chars;
}

/* What the first function is called with, in six lines. */
static const char *usage_text(const ag_header *h, const ag_header_options *o) {
  if (o->usage) return o->usage;
  const ag_function *function = h->functions[0];
  const char *n = h->prefix, *f = function->name;
  ag_text text = {.arena = h->arena};
  ag_text_add(&text, "/* Use:\n");
  if (o->mode == AG_MODE_HEADER)
    ag_text_add(&text, " *   #define %s_IMPLEMENTATION    in exactly one source file\n", h->upper);
  ag_text_add(
      &text,
      " *   #include \"%s\"\n"
      " *   %s_%s_in in = %s_%s_IN_DEFAULT;\n"
      " *   %s_%s_out out;\n"
      " *   fill in.q and what else each cycle measures, then\n"
      " *   if ((%s_%s(&in, &out) & %s_DO_NOT_COMMAND) == 0) { use out; } else { stop; } */\n",
      o->file, n, function->takes, h->upper, ag_upper(h->arena, function->takes), n,
      function->fills, n, f, h->upper);
  return text.chars;
}

static const char *version_text(const ag_header *h) {
  char *end;
  const long major = strtol(AG_VERSION, &end, 10);
  const long minor = strtol(end + 1, &end, 10);
  const long patch = strtol(end + 1, NULL, 10);
  return ag_printf(
      h->arena,
      "/* Version of the generator that made this header. */\n#define %s_VERSION_MAJOR %ld\n"
      "#define %s_VERSION_MINOR %ld\n#define %s_VERSION_PATCH %ld\n",
      h->upper, major, h->upper, minor, h->upper, patch);
}

/* The enumerators of the status bits, each with what it tells. */
static const char *status_text(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  const unsigned bits = ag_status_of_header(h);
  for (int k = 0; k < AG_STATUS_BITS; k++) {
    if (!(bits & 1u << k)) continue;
    const char *item = ag_printf(h->arena, "%s = %u,", ag_status_names[k], 1u << k);
    ag_text_add(&text, "  %s_%-18s /* %s */\n", h->upper, item, ag_status_text(h, 1u << k));
  }
  const char *sum = "";
  for (int k = 0; k < AG_STATUS_BITS; k++)
    if (bits & AG_UNUSABLE & 1u << k)
      sum =
          ag_printf(h->arena, "%s%s%s_%s", sum, sum[0] ? " | " : "", h->upper, ag_status_names[k]);
  ag_text_add(&text, "  /* with any of these set, do not use *out */\n  %s_DO_NOT_COMMAND = %s\n",
              h->upper, sum[0] ? sum : "0");
  return text.chars;
}

/* --status-text: a function with what the bits tell. */
static void add_status_function(ag_text *text, const ag_header *h) {
  const unsigned bits = ag_status_of_header(h);
  ag_text_add(text,
              "/* What the lowest bit of a status tells; of more bits, take this one off and ask "
              "again. */\n"
              "static inline const char *%s_status_text(%s_status status) {\n",
              h->prefix, h->prefix);
  for (int k = 0; k < AG_STATUS_BITS; k++) {
    if (!(bits & 1u << k)) continue;
    ag_text_add(text, "  if (status & %s_%s)\n    return \"%s: %s\";\n", h->upper,
                ag_status_names[k], ag_status_names[k], ag_status_text(h, 1u << k));
  }
  ag_text_add(text, "  return status ? \"no status of %s\" : \"OK: a clean solve\";\n}\n\n",
              h->prefix);
}

static const char *declared_text(const ag_header *h, const ag_header_options *o, const char *body) {
  const ag_mode mode = o->mode;
  const char *guard =
      ag_printf(h->arena, "%s_%s", h->upper, ag_upper(h->arena, h->functions[0]->name));
  ag_text enums = {.arena = h->arena}, types = enums, text = enums;
  ag_emit_enums(&enums, h);
  ag_text_add(&enums, "\n");
  ag_emit_constants(&enums, h);
  if (h->target.status_text) add_status_function(&types, h);
  ag_emit_types(&types, &ag_in_c, h);
  if (h->target.batch) ag_emit_types(&types, &ag_in_batch, h);
  const ag_substitution with[] = {
      {"GUARD", guard},
      {"UPPER", h->upper},
      {"PREFIX", h->prefix},
      {"REAL", h->target.single ? "float" : "double"},
      {"ANGLES", ag_printf(h->arena, "%d", h->nangles ? h->nangles : 1)},
      {"YAW", ag_has_yaw(h) ? ", then of yaw" : ""},
      {"STATUS", status_text(h)},
      {"USAGE", usage_text(h, o)},
      {"VERSION", version_text(h)},
      {"INCLUDE", mode == AG_MODE_SHARED ? "#include <stddef.h>\n" : ""},
      {"ENUMS", enums.chars},
      {"TYPES", types.length ? types.chars : ""},
      {"STRUCTS", structs_text(h)},
      {"DECLARATIONS", declarations_text(h, mode)},
      {"INLINE", mode == AG_MODE_INLINE ? body : ""},
      {"IMPLEMENTATION", mode == AG_MODE_HEADER ? implementation_text(h, guard, body) : ""},
      {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("header.h.in"), with);
  return text.chars;
}

/* "gen3_achd.c" beside "gen3_achd.h" */
static const char *source_file(const ag_header *h, const char *file) {
  const char *dot = strrchr(file, '.');
  return ag_printf(h->arena, "%.*s.c", dot ? (int)(dot - file) : (int)strlen(file), file);
}

const char *ag_language_text(const ag_header *h, const ag_language *l) {
  ag_text enums = {.arena = h->arena}, types = enums, structs = enums, help = enums;
  ag_text definitions = enums, trig = enums, text = enums;
  ag_emit_enums(&enums, h);
  ag_text_add(&enums, "\n");
  ag_emit_types(&types, l, h);
  if (l->help) ag_text_add(&help, l->help, h->prefix);
  l->trig_of(&trig, h);
  for (int i = 0; i < h->nfunctions; i++) {
    ag_emit_structs(&structs, l, h, h->functions[i], "");
    ag_emit_contract(&definitions, h, h->functions[i]);
    ag_emit_definition(&definitions, l, h, h->plans[i], l->function);
  }
  const ag_substitution with[] = {
      {"UPPER", h->upper},
      {"PREFIX", h->prefix},
      {"REAL", h->target.single ? "float" : "double"},
      {"ANGLES", ag_printf(h->arena, "%d", h->nangles ? h->nangles : 1)},
      {"STATUS", status_text(h)},
      {"ENUMS", enums.chars},
      {"TYPES", types.chars ? types.chars : ""},
      {"STRUCTS", structs.chars},
      {"HELP", help.chars ? help.chars : ""},
      {"Q", ag_printf(h->arena, "%s%s", l->space, q_parameter(h))},
      {"YAW", yaw_parameter(h)},
      {"TRIG", trig.chars},
      {"DEFINITIONS", definitions.chars},
      {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("language.h.in"), with);
  return text.chars;
}

bool ag_mode_splits(ag_mode mode) {
  return mode == AG_MODE_SPLIT || mode == AG_MODE_SHARED;
}

bool ag_header_text(const ag_header *h, const ag_header_options *o, const char **header_text,
                    const char **body_text, ag_err *err) {
  const char *body = body_text_of(h, o->mode, declared_text(h, o, ""));
  const char *declared = declared_text(h, o, body);
  ag_text whole = {.arena = h->arena}, whole_body = whole;
  if (!banner(&whole, h, o, o->file, declared, err)) return false;
  ag_text_add(&whole, "%s", declared);
  *header_text = whole.chars;
  *body_text = NULL;
  if (ag_mode_splits(o->mode)) {
    if (!banner(&whole_body, h, o, source_file(h, o->file), body, err)) return false;
    ag_text_add(&whole_body, "#include \"%s\"\n", o->file);
    for (int k = 0; k < h->nfunctions; k++) ag_emit_shape_check(&whole_body, h, h->functions[k]);
    ag_text_add(&whole_body, "\n%s", body);
    if (o->mode == AG_MODE_SHARED) ag_emit_self_description(&whole_body, h, o->description);
    *body_text = whole_body.chars;
  }
  return true;
}

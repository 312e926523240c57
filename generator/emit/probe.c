/* probe.c: see probe.h */
#include "emit/probe.h"

#include "base/embedded.h"

/* Inputs that stand one behind the other in the struct: `count` reals from place `first` on. */
typedef struct run {
  int first, count;
} run;

/* The runs that the inputs `first` to `last` make; returns how many. */
static int runs_of(const ag_header *h, const ag_program *program, int first, int last, run **runs) {
  const int *place = ag_places(h, &program->in);
  int most = 0, count = 0;
  for (int i = first; i <= last; i++)
    if (place[i] >= most) most = place[i] + 1;
  bool *asked = ag_alloc(h->arena, (size_t)(most + 1) * sizeof *asked);
  for (int i = first; i <= last; i++) asked[place[i]] = true;
  *runs = ag_alloc(h->arena, (size_t)(most + 1) * sizeof **runs);
  for (int at = 0; at < most; at++) {
    if (!asked[at]) continue;
    if (at == 0 || !asked[at - 1]) (*runs)[count++] = (run){.first = at};
    (*runs)[count - 1].count++;
  }
  return count;
}

void ag_emit_probe_of_inputs(ag_text *t, const ag_header *h, const ag_program *program, int first,
                             int last) {
  run *runs;
  const int count = runs_of(h, program, first, last, &runs);
  if (count > 1) ag_text_add(t, "(");
  for (int k = 0; k < count; k++) {
    if (k) ag_text_add(t, " | ");
    ag_text_add(t, "%s_probe", h->prefix);
    if (runs[k].count > 1) ag_text_add(t, "_%d", runs[k].count);
    ag_text_add(t, "((const %s_real *)(const void *)in", h->prefix);
    if (runs[k].first) ag_text_add(t, " + %d", runs[k].first);
    ag_text_add(t, ")");
  }
  if (count > 1) ag_text_add(t, ")");
}

/* Reals in a vector of 16 bytes, which SSE2 and NEON have. */
static int in_16_bytes(const ag_header *h) {
  return h->single ? 4 : 2;
}

const char *ag_exponent_bits(const ag_header *h) {
  return h->single ? "0x7f800000" : "0x7ff0000000000000";
}

static const char *lowest_bit(const ag_header *h) { /* of the exponent */
  return h->single ? "0x00800000" : "0x0010000000000000";
}

static const char *bits_type(const ag_header *h) {
  return h->single ? "unsigned" : "unsigned long long";
}

/* "a | b | c", `on_line` of them on a line. */
static void alternative(ag_text *t, int k, int on_line, const char *text) {
  ag_text_add(t, "%s%s", k == 0 ? "" : k % on_line ? " | " : " |\n      ", text);
}

/* The test of `count` reals as vectors of `bytes` bytes, and one by one what is over. */
static void probe_vectors(ag_text *t, const ag_header *h, int count, int bytes) {
  const int size = h->single ? 4 : 8, per = bytes / size;
  ag_text_add(t,
              "  typedef %s bits __attribute__((vector_size(%d), may_alias, aligned(%d)));\n"
              "  const bits *const v = (const bits *)(const void *)x;\n  const bits any = ",
              bits_type(h), bytes, size);
  for (int k = 0; k < count / per; k++)
    alternative(
        t, k, 1,
        ag_printf(h->arena, "((v[%d] & %su) + %su)", k, ag_exponent_bits(h), lowest_bit(h)));
  ag_text_add(t, ";\n  return (int)((");
  for (int k = 0; k < per; k++) ag_text_add(t, "%sany[%d]", k ? " | " : "", k);
  ag_text_add(t, ") >> %d)", h->single ? 31 : 63);
  for (int k = count / per * per; k < count; k++)
    ag_text_add(t, " | %s_probe(x + %d)", h->prefix, k);
  ag_text_add(t, ";\n");
}

static bool has_lanes(const ag_header *h) {
  for (int k = 0; k < h->nprograms; k++)
    if (h->programs[k]->lanes) return true;
  return false;
}

/* NAME_probe_`count`: as vectors of 16 bytes where the CPU has them; with limbs in lanes of 32. */
static void probe_of(ag_text *t, const ag_header *h, int count) {
  const char *n = h->prefix;
  const int per = in_16_bytes(h);
  const bool vectors = count >= per, wide = has_lanes(h) && count >= 2 * per;
  ag_text_add(t, "static inline int %s_probe_%d(const %s_real *x) {\n", n, count, n);
  if (wide) {
    ag_text_add(t, "#if defined(%s_LANES) && defined(__AVX2__)\n", h->upper);
    probe_vectors(t, h, count, 32);
  }
  if (vectors) {
    ag_text_add(t, "#%s defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))\n",
                wide ? "elif" : "if");
    probe_vectors(t, h, count, 16);
    ag_text_add(t, "#else\n");
  }
  ag_text_add(t, "  return ");
  for (int k = 0; k < count; k++)
    alternative(t, k, 4, ag_printf(h->arena, "%s_probe(x + %d)", n, k));
  ag_text_add(t, ";\n%s}\n", vectors ? "#endif\n" : "");
}

const char *ag_select_text(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  const ag_substitution with[] = {{"PREFIX", h->prefix}, {"BITS", bits_type(h)}, {NULL, NULL}};
  if (!h->branchless) return "";
  ag_text_substitute(&text, ag_file_text("select.h.in"), with);
  return text.chars;
}

void ag_emit_probes(ag_text *t, const ag_header *h) {
  const ag_substitution with[] = {{"PREFIX", h->prefix},
                                  {"BITS", bits_type(h)},
                                  {"EXPONENT", ag_exponent_bits(h)},
                                  {"LOWEST", lowest_bit(h)},
                                  {"TOP", h->single ? "31" : "63"},
                                  {NULL, NULL}};
  ag_text_substitute(t, ag_file_text("probe.h.in"), with);
  bool *made = NULL;
  int room = 0;
  for (int p = 0; p < h->nprograms; p++) {
    const ag_program *program = h->programs[p];
    if (program->after) continue;
    for (int i = 0; i < program->norder; i++) {
      const ag_node *n = &program->dag.nodes[program->order[i]];
      if (n->op != AG_PROBE_INPUTS) continue;
      run *runs;
      const int count = runs_of(h, program, n->a, n->b, &runs);
      for (int k = 0; k < count; k++) {
        const int length = runs[k].count;
        if (!made || length >= room) {
          made = ag_grow(h->arena, made, (size_t)room * sizeof *made,
                         2 * (size_t)(length + 1) * sizeof *made);
          room = 2 * (length + 1);
        }
        if (length > 1 && !made[length]) probe_of(t, h, length);
        made[length] = true;
      }
    }
  }
}

/* SPDX-License-Identifier: MIT */
/* probe.c: see probe.h */
#include "emit/probe.h"

#include "base/embedded.h"
#include "emit/limb_macros.h"

/* Inputs or outputs that stand one behind the other in the struct: `count` reals from place `first` on. */
typedef struct run {
  int first, count;
} run;

/* The runs that elements `first` to `last` make; returns how many. */
static int runs_of(const ag_header *h, const ag_list *list, int first, int last, run **runs) {
  const int *place = ag_places(h, list);
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

/* "probe_7", "probe_7_exp16": the name of the test of `count` numbers. */
static const char *name_of(const ag_header *h, int count, int exponent) {
  const char *name = count > 1 ? ag_printf(h->arena, "probe_%d", count) : "probe";
  return exponent == AG_FINITE ? name : ag_printf(h->arena, "%s_exp%d", name, exponent);
}

/* The runs of the inputs that a node probes. */
static int probed_runs(const ag_header *h, const ag_plan *plan, const ag_node *probe, run **runs) {
  return runs_of(h, &plan->graph->function->in, probe->a, probe->b, runs);
}

void ag_emit_probe_of_inputs(ag_text *t, const ag_header *h, const ag_plan *plan,
                             const ag_node *probe) {
  run *runs;
  const int count = probed_runs(h, plan, probe, &runs);
  if (count > 1) ag_text_add(t, "(");
  for (int k = 0; k < count; k++) {
    if (k) ag_text_add(t, " | ");
    ag_text_add(t, "%s_%s((const %s_real *)(const void *)in", h->prefix,
                name_of(h, runs[k].count, probe->c), h->prefix);
    if (runs[k].first) ag_text_add(t, " + %d", runs[k].first);
    ag_text_add(t, ")");
  }
  if (count > 1) ag_text_add(t, ")");
}

enum { TURN = 1 }; /* sines and cosines are below 2^1 */

void ag_emit_probe_of_turns(ag_text *t, const ag_header *h) {
  ag_text_add(t, "%s_%s((const %s_real *)(const void *)trig)", h->prefix,
              name_of(h, 2 * h->nangles, TURN), h->prefix);
}

/* Reals in a vector of 16 bytes, which SSE2 and NEON have. */
static int in_16_bytes(const ag_header *h) {
  return h->target.single ? 4 : 2;
}

const char *ag_exponent_bits(const ag_header *h) {
  return h->target.single ? "0x7f800000" : "0x7ff0000000000000";
}

const char *ag_probe_scale(const ag_header *h) {
  return h->target.single ? "1.52587890625e-05f" : "1.52587890625e-05";
}

const char *ag_signs_of(const ag_header *h, int bytes) {
  return ag_printf(h->arena, "__builtin_ia32_movmskp%s%s", h->target.single ? "s" : "d",
                   bytes == 32 ? "256" : "");
}

/* The bits of 2^exponent; of AG_FINITE those of infinity. */
static unsigned long long bits_of_power(const ag_header *h, int exponent) {
  const int bias = h->target.single ? 127 : 1023, infinite = 2 * bias + 1;
  const int biased = exponent == AG_FINITE ? infinite : exponent + bias;
  return (unsigned long long)biased << (h->target.single ? 23 : 52);
}

const char *ag_bits_below(const ag_header *h, int exponent) {
  return ag_printf(h->arena, "0x%llx", bits_of_power(h, exponent) - 1);
}

/* What sets the bit of the sign when it is added to the exponent of 2^exponent or of more. */
static const char *rest(const ag_header *h, int exponent) {
  const unsigned long long sign = 1ull << (h->target.single ? 31 : 63);
  return ag_printf(h->arena, h->target.single ? "0x%08llx" : "0x%016llx",
                   sign - bits_of_power(h, exponent));
}

static const char *bits_type(const ag_header *h) {
  return h->target.single ? "unsigned" : "unsigned long long";
}

/* "a | b | c", `on_line` of them on a line. */
static void alternative(ag_text *t, int k, int on_line, const char *text, const char *sign) {
  if (k) ag_text_add(t, " %s%s", sign, k % on_line ? " " : "\n      ");
  ag_text_add(t, "%s", text);
}

/* The test of `count` reals by the sum of vectors of `bytes` bytes, one instruction each: of products with 2^-16, which cannot
 * become infinite. Two sums, which do not wait for each other. */
static void probe_sum(ag_text *t, const ag_header *h, int count, int bytes) {
  const int size = h->target.single ? 4 : 8, per = bytes / size, vectors = (count + per - 1) / per;
  const char *real = h->target.single ? "float" : "double";
  ag_text_add(t,
              "  /* of numbers that are finite, times 2^-16, the sum is, too */\n"
              "  typedef %s reals __attribute__((vector_size(%d), may_alias, aligned(%d)));\n"
              "  typedef %s bits __attribute__((vector_size(%d)));\n"
              "  const reals *const v = (const reals *)(const void *)x;\n",
              real, bytes, size, bits_type(h), bytes);
  if (count % per)
    ag_text_add(t, "  const reals *const last = (const reals *)(const void *)(x + %d);\n",
                count - per);
  const int sums = vectors > 1 ? 2 : 1;
  for (int half = 0; half < sums; half++) {
    ag_text_add(t, "  const reals %s = ", half ? "odd" : "even");
    for (int k = half; k < vectors; k += 2)
      alternative(t, k / 2, 4,
                  ag_printf(h->arena, "%s * %s", ag_probe_scale(h),
                            (k + 1) * per <= count ? ag_printf(h->arena, "v[%d]", k) : "*last"),
                  "+");
    ag_text_add(t, ";\n");
  }
  ag_text_add(t, "  const bits any = (bits)%s & %su;\n  return %s((reals)(any == %su)) != 0;\n",
              sums > 1 ? "(even + odd)" : "even", ag_exponent_bits(h), ag_signs_of(h, bytes),
              ag_exponent_bits(h));
}

/* The test of `count` reals as vectors of `bytes` bytes; the last overlaps the one before where they are no multiple. */
static void probe_vectors(ag_text *t, const ag_header *h, int count, int exponent, int bytes,
                          bool limbs) {
  const int size = h->target.single ? 4 : 8, per = bytes / size, whole = count / per;
  if (limbs && exponent == AG_FINITE) {
    probe_sum(t, h, count, bytes);
    return;
  }
  ag_text_add(t,
              "  typedef %s bits __attribute__((vector_size(%d), may_alias, aligned(%d)));\n"
              "  const bits *const v = (const bits *)(const void *)x;\n",
              bits_type(h), bytes, size);
  if (count % per)
    ag_text_add(t, "  const bits *const last = (const bits *)(const void *)(x + %d);\n",
                count - per);
  ag_text_add(t, "  const bits any = ");
  for (int k = 0; k < (count + per - 1) / per; k++) {
    const char *vector = k < whole ? ag_printf(h->arena, "v[%d]", k) : "*last";
    alternative(
        t, k, 1,
        ag_printf(h->arena, "((%s & %su) + %su)", vector, ag_exponent_bits(h), rest(h, exponent)),
        "|");
  }
  if (limbs) { /* the signs together */
    ag_text_add(t,
                ";\n  typedef %s reals __attribute__((vector_size(%d)));\n"
                "  return %s((reals)any) != 0;\n",
                h->target.single ? "float" : "double", bytes, ag_signs_of(h, bytes));
    return;
  }
  ag_text_add(t, ";\n  return (int)((");
  for (int k = 0; k < per; k++) ag_text_add(t, "%sany[%d]", k ? " | " : "", k);
  ag_text_add(t, ") >> %d);\n", h->target.single ? 31 : 63);
}

static bool has_lanes(const ag_header *h) {
  for (int k = 0; k < h->nfunctions; k++)
    if (h->plans[k]->limbs) return true;
  return false;
}

/* The test of `count` numbers: as vectors of 16 bytes where the CPU has them; of 32 with limbs in lanes, and where
 * it comes before anything else. */
static void probe_of(ag_text *t, const ag_header *h, int count, int exponent) {
  const char *n = h->prefix;
  const int per = in_16_bytes(h);
  const bool vectors = count >= per, limbs = has_lanes(h),
             wide = (limbs || exponent != AG_FINITE) && count >= 2 * per;
  ag_text_add(t, "static inline int %s_%s(const %s_real *x) {\n", n, name_of(h, count, exponent),
              n);
  if (wide) {
    ag_text_add(t, "#if defined(%s) && defined(__AVX2__)\n",
                limbs ? ag_printf(h->arena, "%s_LANES", h->upper) : "__GNUC__");
    probe_vectors(t, h, count, exponent, 32, limbs);
  }
  if (vectors) {
    ag_text_add(t, "#%s defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))\n",
                wide ? "elif" : "if");
    probe_vectors(t, h, count, exponent, 16, false);
    ag_text_add(t, "#else\n");
  }
  ag_text_add(t, "  return ");
  for (int k = 0; k < count; k++)
    alternative(t, k, 4, ag_printf(h->arena, "%s_%s(x + %d)", n, name_of(h, 1, exponent), k), "|");
  ag_text_add(t, ";\n%s}\n", vectors ? "#endif\n" : "");
}

/* Where so many results or more stand one behind the other, their sum is asked first; then it is asked of so many of them at once. */
enum { TO_SUM = 32, AT_ONCE = 16 };

/* "stored_154": the name of the test of so many results. */
static const char *name_of_stored(const ag_header *h, int count) {
  return count < TO_SUM ? name_of(h, count, AG_FINITE) : ag_printf(h->arena, "stored_%d", count);
}

void ag_emit_probe_of_outputs(ag_text *t, const ag_header *h, const ag_plan *plan) {
  const ag_list *out = &plan->graph->function->out;
  run *runs;
  const int count = runs_of(h, out, 0, out->nelements - 1, &runs);
  for (int k = 0; k < count; k++) {
    ag_text_add(t, "%s%s_%s((const %s_real *)(const void *)out", k ? " | " : "", h->prefix,
                name_of_stored(h, runs[k].count), h->prefix);
    if (runs[k].first) ag_text_add(t, " + %d", runs[k].first);
    ag_text_add(t, ")");
  }
}

/* The sum of `count` numbers, in vectors of 16 bytes: four, which do not wait for each other. */
static void sum_stored(ag_text *t, const ag_header *h, int count) {
  enum { SUMS = 4 };
  const int per = in_16_bytes(h), vectors = (count + per - 1) / per;
  ag_text_add(t,
              "  typedef %s reals __attribute__((vector_size(16), may_alias, aligned(%d)));\n"
              "  const reals *const v = (const reals *)(const void *)x;\n",
              h->target.single ? "float" : "double", 16 / per);
  if (count % per)
    ag_text_add(t, "  const reals *const last = (const reals *)(const void *)(x + %d);\n",
                count - per);
  for (int s = 0; s < SUMS; s++) {
    ag_text_add(t, s ? ",\n              sum%d = " : "  const reals sum%d = ", s);
    for (int k = s; k < vectors; k += SUMS)
      alternative(t, k / SUMS, 10,
                  (k + 1) * per <= count ? ag_printf(h->arena, "v[%d]", k) : "*last", "+");
  }
  ag_text_add(t, ",\n              sums = (sum0 + sum1) + (sum2 + sum3);\n  const %s_real sum = ",
              h->prefix);
  for (int k = 0; k < per; k++) ag_text_add(t, "%ssums[%d]", k ? " + " : "", k);
  ag_text_add(t, ";\n  if (!%s_probe(&sum)) return 0;\n", h->prefix);
}

/* The test of `count` results. */
static void stored_of(ag_text *t, const ag_header *h, int count) {
  const char *n = h->prefix, *name = name_of_stored(h, count);
  ag_text_add(t,
              "/* Returns 1 if one of %d numbers is NaN or infinite: none is where their sum is "
              "finite. */\n"
              "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n"
              "static int %s_%s_each(const %s_real *x) {\n  return ",
              count, n, name, n);
  for (int k = 0; k < count; k += AT_ONCE)
    alternative(t, k / AT_ONCE, 4,
                ag_printf(h->arena, "%s_probe_%d(x + %d)", n, AT_ONCE,
                          k + AT_ONCE <= count ? k : count - AT_ONCE),
                "|");
  ag_text_add(t,
              ";\n}\nstatic inline int %s_%s(const %s_real *x) {\n"
              "#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))\n",
              n, name, n);
  sum_stored(t, h, count);
  ag_text_add(t, "#endif\n  return %s_%s_each(x);\n}\n", n, name);
}

bool ag_probes_sizes(const ag_header *h) {
  for (int p = 0; p < h->nfunctions; p++) {
    const ag_plan *plan = h->plans[p];
    for (int i = 0; i < plan->own.norder; i++) {
      const ag_node *n = &plan->graph->dag.nodes[plan->own.order[i]];
      if (n->op == AG_PROBE_INPUTS && n->c != AG_FINITE) return true;
    }
  }
  return false;
}

const char *ag_select_text(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  const ag_substitution with[] = {{"PREFIX", h->prefix}, {"BITS", bits_type(h)}, {NULL, NULL}};
  if (!h->target.branchless) return "";
  ag_text_substitute(&text, ag_file_text("select.h.in"), with);
  return text.chars;
}

/* A test that a header's functions use, of `count` numbers; stored: by their sum. */
typedef struct test {
  int count, exponent;
  bool stored;
} test;

typedef struct tests {
  const ag_header *header;
  test *list;
  int n;
} tests;

static bool has_test(const tests *t, test asked) {
  for (int k = 0; k < t->n; k++) {
    const test *own = &t->list[k];
    if (own->count == asked.count && own->exponent == asked.exponent && own->stored == asked.stored)
      return true;
  }
  return false;
}

static void add_test(tests *t, test asked) {
  if (has_test(t, asked)) return;
  t->list = ag_room(t->header->arena, t->list, t->n, sizeof *t->list);
  t->list[t->n++] = asked;
}

/* Those of results that have been stored. */
static void add_stored(tests *t, const ag_plan *plan) {
  const ag_list *out = &plan->graph->function->out;
  run *runs;
  const int count = runs_of(t->header, out, 0, out->nelements - 1, &runs);
  for (int k = 0; k < count; k++) {
    const bool summed = runs[k].count >= TO_SUM;
    if (summed) add_test(t, (test){AT_ONCE, AG_FINITE, false});
    add_test(t, (test){runs[k].count, AG_FINITE, summed});
  }
}

/* Those of the inputs, and of sines, in a sequence of a plan. */
static void add_given(tests *t, const ag_plan *plan, const ag_sequence *way) {
  const ag_header *h = t->header;
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &plan->graph->dag.nodes[way->order[i]];
    if (n->op == AG_PROBE_TURNS) add_test(t, (test){2 * h->nangles, TURN, false});
    if (n->op != AG_PROBE_INPUTS) continue;
    run *runs;
    const int count = probed_runs(h, plan, n, &runs);
    for (int k = 0; k < count; k++) add_test(t, (test){runs[k].count, n->c, false});
  }
}

static void find_tests(tests *t) {
  const ag_header *h = t->header;
  for (int p = 0; p < h->nfunctions; p++) {
    const ag_plan *plan = h->plans[p];
    if (plan->graph->function->after) continue;
    add_given(t, plan, &plan->own);
    if (plan->fast) add_given(t, plan, plan->fast);
    if (plan->stored_tests && !ag_has_limb_functions(plan)) add_stored(t, plan);
  }
}

/* The test of one number; only_apart: it is a part of others where there are no vectors; inlined: always. */
static void test_of_one(ag_text *t, const ag_header *h, int exponent, bool only_apart,
                        bool inlined) {
  const ag_substitution with[] = {
      {"PREFIX", h->prefix},
      {"NAME", name_of(h, 1, exponent)},
      {"BITS", bits_type(h)},
      {"WHAT",
       exponent == AG_FINITE ? "infinite" : ag_printf(h->arena, "of size 2^%d or more", exponent)},
      {"EXPONENT", ag_exponent_bits(h)},
      {"REST", rest(h, exponent)},
      {"TOP", h->target.single ? "31" : "63"},
      {"INLINE", ag_printf(h->arena, "%s%s",
                           inlined ? "#if defined(__GNUC__) && defined(__OPTIMIZE__)\n"
                                     "__attribute__((always_inline))\n#endif\n"
                                   : "",
                           exponent == AG_FINITE && has_lanes(h) /* where vectors ask for all */
                               ? "#if defined(__GNUC__)\n__attribute__((unused))\n#endif\n"
                               : "")},
      {NULL, NULL}};
  if (only_apart)
    ag_text_add(t, "#if !defined(__GNUC__) || !(defined(__SSE2__) || defined(__aarch64__))\n");
  ag_text_substitute(t, ag_file_text("probe.h.in"), with);
  if (only_apart) ag_text_add(t, "#endif\n");
}

void ag_emit_probes(ag_text *t, const ag_header *h, bool inlined) {
  tests all = {.header = h};
  find_tests(&all);
  test_of_one(t, h, AG_FINITE, false, inlined);
  for (int k = 0; k < all.n; k++) {
    const int exponent = all.list[k].exponent;
    bool first = exponent != AG_FINITE, alone = has_test(&all, (test){1, exponent, false});
    for (int l = 0; l < k; l++) first &= all.list[l].exponent != exponent;
    if (first) test_of_one(t, h, exponent, !alone, inlined);
    if (all.list[k].stored)
      stored_of(t, h, all.list[k].count);
    else if (all.list[k].count > 1)
      probe_of(t, h, all.list[k].count, exponent);
  }
}

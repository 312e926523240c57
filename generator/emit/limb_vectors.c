/* SPDX-License-Identifier: MIT */
/* limb_vectors.c: see limb_vectors.h */
#include "emit/limb_vectors.h"

#include "emit/probe.h"
#include "emit/trig.h"
#include "limbs/limbs.h"

/* Marks how many lanes the vectors of a way have. */
static void mark_widths(const ag_sequence *way, bool *used) {
  for (int i = 0; i < way->norder; i++) used[way->graph->width[way->order[i]]] = true;
}

/* Which numbers of lanes functions use; returns the largest, 0: none. */
static int widths_of(const ag_header *h, bool used[AG_LANES + 1]) {
  for (int k = 0; k <= AG_LANES; k++) used[k] = false;
  for (int i = 0; i < h->nfunctions; i++)
    if (h->plans[i]->limbs) {
      mark_widths(&h->plans[i]->limbs->own, used);
      if (h->plans[i]->limbs->fast) mark_widths(h->plans[i]->limbs->fast, used);
    }
  for (int k = AG_LANES; k > 1; k--)
    if (used[k]) return k;
  return 0;
}

/* X4_ANY: whether one of a mask's lanes is -1: where the CPU takes its signs together, by these. */
static void emit_any(ag_text *t, const ag_header *h, const char *type, int lanes) {
  const int bytes = lanes * (h->target.single ? 4 : 8);
  const char *name = ag_printf(h->arena, "%s_X%d_ANY(m)", h->upper, lanes);
  if (bytes == 16) ag_text_add(t, "#if defined(__SSE2__)\n");
  if (bytes >= 16)
    ag_text_add(t, "#define %s (%s((%s)(m)) != 0) /* one of its lanes is -1 */\n", name,
                ag_signs_of(h, bytes), type);
  if (bytes == 16) ag_text_add(t, "#else\n");
  if (bytes <= 16) {
    ag_text_add(t, "#define %s ((", name);
    for (int k = 0; k < lanes; k++) ag_text_add(t, "%s(m)[%d]", k ? " | " : "", k);
    ag_text_add(t, ") != 0)\n");
  }
  if (bytes == 16) ag_text_add(t, "#endif\n");
}

const char *ag_emit_vector_types(const ag_header *h) {
  bool used[AG_LANES + 1];
  const int most = widths_of(h, used), bytes = most * (h->target.single ? 4 : 8);
  ag_text text = {.arena = h->arena};
  if (most == 0) return "";
  ag_text_add(&text,
              "\n/* Vectors that hold one number of each limb. Define %s_NO_LANES to compute one "
              "limb after the other. */\n"
              "#if defined(__GNUC__) && %s && !defined(%s_NO_LANES)\n#define %s_LANES\n",
              h->upper,
              bytes > 16 ? "defined(__AVX__)" : "(defined(__SSE2__) || defined(__aarch64__))",
              h->upper, h->upper);
  for (int k = 2; k <= most; k *= 2) {
    if (!used[k]) continue;
    const char *type = ag_printf(h->arena, "%s_x%d", h->prefix, k);
    ag_text_add(&text, "%s", ag_emit_vector(h, type, ag_printf(h->arena, "%d", k)));
    ag_text_add(&text,
                "#define %s_X%d_PROBE(x) (((%s_mask)(x) & %s) == %s) /* NaN or infinite */\n",
                h->upper, k, type, ag_exponent_bits(h), ag_exponent_bits(h));
    emit_any(&text, h, type, k);
  }
  ag_text_add(&text, "#endif\n");
  return text.chars;
}

void ag_emit_vectors_end(ag_text *t, const ag_header *h) {
  bool used[AG_LANES + 1];
  const int most = widths_of(h, used);
  if (most == 0) return;
  ag_text_add(t, "#if defined(%s_LANES)\n#undef %s_LANES\n", h->upper, h->upper);
  for (int k = 2; k <= most; k *= 2)
    if (used[k])
      ag_text_add(t, "#undef %s_X%d_PROBE\n#undef %s_X%d_ANY\n", h->upper, k, h->upper, k);
  ag_text_add(t, "#endif\n");
}

/* SPDX-License-Identifier: MIT */
/* trig.c: see trig.h */
#include "emit/trig.h"

#include "emit/expression.h"
#include "emit/number.h"
#include "base/embedded.h"
#include "base/sincos.h"
#include "limbs/limbs.h"

#include <assert.h>
#include <string.h>

/* Joints that slide have no sine or cosine: 0 and 1 stand in their place. */
static bool turns(const ag_header *h, int angle) {
  return angle >= h->njoints || !h->joints[angle].prismatic;
}

int ag_count_turning(const ag_header *h) {
  int count = 0;
  for (int i = 0; i < h->nangles; i++) count += turns(h, i);
  return count;
}

/* Numbers in a vector of 32 bytes (AVX), and of 16 (SSE2, NEON). */
static int in_32_bytes(const ag_header *h) {
  return h->target.single ? 8 : 4;
}
static int in_16_bytes(const ag_header *h) {
  return in_32_bytes(h) / 2;
}

/* Most angles that are of use at once. */
static int most_at_once(const ag_header *h) {
  const int turning = ag_count_turning(h);
  return h->target.batch && h->target.batch < turning ? h->target.batch : turning;
}

/* Fills `widths` with what NAME_ANGLES can be, the largest first, 1 last; returns how many. */
static int possible_widths(const ag_header *h, int widths[3]) {
  const int most = most_at_once(h);
  int count = 0;
  if (most >= in_32_bytes(h)) widths[count++] = in_32_bytes(h);
  if (most >= in_16_bytes(h)) widths[count++] = in_16_bytes(h);
  widths[count++] = 1;
  return count;
}

/* "#if", "#elif" or "#else" of the k-th of `count` cases. */
static void branch(ag_text *t, int k, int count, const char *condition) {
  if (k == 0 && count == 1) return;
  if (k + 1 == count)
    ag_text_add(t, "#else\n");
  else
    ag_text_add(t, "#%s %s\n", k ? "elif" : "if", condition);
}

/* The choice of NAME_ANGLES. */
static const char *choice(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  int widths[3];
  const int count = possible_widths(h, widths);
  for (int k = 0; k < count; k++) {
    branch(&text, k, count,
           widths[k] == in_32_bytes(h)
               ? "defined(__GNUC__) && defined(__AVX__)"
               : "defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))");
    ag_text_add(&text, "#define %s_ANGLES %d\n", h->upper, widths[k]);
  }
  if (count > 1) ag_text_add(&text, "#endif\n");
  return text.chars;
}

const char *ag_emit_vector(const ag_header *h, const char *type, const char *count) {
  const ag_substitution with[] = {{"REAL", h->target.single ? "float" : "double"},
                                  {"INTEGER", h->target.single ? "int" : "long long"},
                                  {"T", type},
                                  {"K", count},
                                  {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(&text, ag_file_text("vector.h.in"), with);
  return text.chars;
}

/* The largest angle, and its square. */
static const char *most_angle(const ag_header *h) {
  return h->target.single ? AG_TEXT_OF(AG_ANGLE_FLOAT) : AG_TEXT_OF(AG_ANGLE_DOUBLE);
}
static const char *most_square(const ag_header *h) {
  return h->target.single ? AG_TEXT_OF(AG_ANGLE_SQUARE_FLOAT) : AG_TEXT_OF(AG_ANGLE_SQUARE_DOUBLE);
}

/* The first function with limbs in lanes; NULL: none. */
static const ag_plan *with_lanes(const ag_header *h) {
  for (int k = 0; k < h->nfunctions; k++)
    if (h->plans[k]->limbs) return h->plans[k]->limbs;
  return NULL;
}

/* The body for numbers of a type, before it a shorter one for CPUs with vectors of bits. */
static const char *body_of(const ag_header *h, const char *type) {
  const bool single = h->target.single;
  const ag_substitution with[] = {{"REAL", single ? "float" : "double"},
                                  {"T", type},
                                  {"UPPER", h->upper},
                                  {"QMAX", most_angle(h)},
                                  {"TO_SIGN", single ? "30" : "62"},
                                  {"TO_TOP", single ? "31" : "63"},
                                  {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(
      &text, ag_file_text(single ? "sincos_float_limbs.h.in" : "sincos_double_limbs.h.in"), with);
  ag_text_substitute(
      &text, ag_file_text(single ? "sincos_float_body.h.in" : "sincos_double_body.h.in"), with);
  ag_text_add(&text, "#endif\n");
  return text.chars;
}

/* All functions are in parts: too long for a cache, as if bytes of code cost more than calls. */
static bool all_in_parts(const ag_header *h) {
  for (int k = 0; k < h->nfunctions; k++)
    if (!h->plans[k]->split) return false;
  return h->nfunctions > 0;
}

/* GCC would copy the shorter body to each of its calls, however many there are: where there are more than four, or
 * bytes count, its code is there once. */
static const char *linkage(const ag_header *h) {
  const bool many = with_lanes(h) && ag_count_turning(h) > 4 * in_32_bytes(h);
  if (!many && !all_in_parts(h)) return "static inline ";
  return ag_printf(h->arena,
                   "#if defined(__GNUC__)\n__attribute__((noinline%s)) static\n#else\n"
                   "static inline\n#endif\n",
                   many ? ", unused" : "");
}

/* How sines take bits of numbers. */
static const char *not_sign(const ag_header *h) {
  return h->target.single ? "0x7fffffff" : "0x7fffffffffffffff";
}

/* What a vector's angles are taken as, and their sizes, as macros for the body. */
static const char *vector_macros(const ag_header *h, const char *type) {
  const ag_substitution with[] = {
      {"UPPER", h->upper}, {"T", type}, {"NOT_SIGN", not_sign(h)}, {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(&text, ag_file_text("sincos_range.h.in"), with);
  return text.chars;
}

const char *ag_emit_sincos(const ag_header *h) {
  const char *type = ag_printf(h->arena, "%s_angles", h->prefix);
  ag_text text = {.arena = h->arena};
  const ag_substitution with[] = {
      {"UPPER", h->upper},
      {"PREFIX", h->prefix},
      {"LINKAGE", linkage(h)},
      {"REAL", h->target.single ? "float" : "double"},
      {"SUFFIX", h->target.single ? "f" : ""},
      {"ACCURACY", h->target.single ? "2^-24 absolute" : "1 ulp"},
      {"QMAX", most_angle(h)},
      {"IN_ORDER", AG_IN_ORDER},
      {"QMAX_SQUARE", most_square(h)},
      {"WITHIN", ag_printf(h->arena,
                           h->target.branchless ? "%s_select((q) * (q) > %s, (q) * 0, (q))"
                                                : "%s((q) * (q) > %s ? (q) * 0 : (q))",
                           h->target.branchless ? h->prefix : "",
                           ag_printf(h->arena, "%s_MOST_SQUARE", h->upper))},
      {"T", type},
      {"ANGLES", choice(h)},
      {"VECTOR", ag_emit_vector(h, type, ag_printf(h->arena, "%s_ANGLES", h->upper))},
      {"RANGE", vector_macros(h, type)},
      {"SINCOS_BODY", body_of(h, type)},
      {NULL, NULL}};
  ag_text_substitute(&text, ag_file_text("sincos.h.in"), with);
  return text.chars;
}

/* "q[2]"; of one that mimics "2.0 * q[2] + 0.5"; the base's yaw. */
static const char *angle_text(const ag_header *h, int angle, const char *q) {
  const ag_angle *a = &h->angles[angle];
  if (angle < h->njoints || a->joint == AG_BASE_YAW) return q;
  return ag_printf(h->arena, "%s * %s + %s", ag_emit_number(h, a->multiplier), q,
                   ag_emit_number(h, a->offset));
}

/* The angles that turn in the order in which functions want them, of vectors of `width` numbers: one behind the other; of limbs that
 * such vectors have in lanes those of corresponding joints together, tips first, where the inertias begin. */
static int *order_of(const ag_header *h, int turning, int width) {
  int *order = ag_alloc(h->arena, (size_t)(turning + 1) * sizeof *order), count = 0;
  bool *there = ag_alloc(h->arena, (size_t)(h->nangles + 1) * sizeof *there);
  const ag_plan *lanes = with_lanes(h);
  for (int s = 0; lanes && s < lanes->graph->nlimbs; s++) {
    const ag_limbs *limbs = &lanes->graph->limbs[s];
    for (int place = limbs->count > width ? -1 : limbs->length - 1; place >= 0; place--)
      for (int k = 0; k < limbs->count; k++) {
        const int joint = limbs->joint[k][place];
        if (!turns(h, joint)) continue;
        order[count++] = joint;
        there[joint] = true;
      }
  }
  for (int i = 0; i < h->nangles; i++)
    if (turns(h, i) && !there[i]) order[count++] = i;
  return order;
}

/* Whether the angles order[0] to order[count - 1] are neighbours: then so are their sines, and their cosines. */
static bool are_neighbours(const int order[], int count) {
  for (int k = 1; k < count; k++)
    if (order[k] != order[0] + k) return false;
  return true;
}

/* Where the angles stand: in q if they are neighbours there, else in a vector of their own. (Not in an array: a load of as many bytes as
 * a vector has waits until all numbers that were stored one by one have left the CPU.) */
static const char *angles_of(ag_text *t, const ag_header *h, const int order[], int at, int width) {
  if (are_neighbours(order + at, width) && order[at + width - 1] < h->njoints)
    return ag_printf(h->arena, "q + %d", order[at]);
  const char *name = ag_printf(h->arena, "angle%d", order[at] + 1);
  ag_text_add(t, "  const %s_%s %s = %s", h->prefix, width > 1 ? "angles" : "real", name,
              width > 1 ? "{" : "");
  for (int k = at; k < at + width; k++) {
    const int joint = h->angles[order[k]].joint;
    const char *q = joint == AG_BASE_YAW ? "yaw" : ag_printf(h->arena, "q[%d]", joint);
    ag_text_add(t, "%s%s", k > at ? ", " : "", angle_text(h, order[k], q));
  }
  ag_text_add(t, "%s;\n", width > 1 ? "}" : "");
  return width > 1 ? ag_printf(h->arena, "(const %s_real *)(const void *)&%s", h->prefix, name)
                   : ag_printf(h->arena, "&%s", name);
}

/* Sines and cosines of `width` angles in the order in which functions want them. */
static void sincos_of(ag_text *t, const ag_header *h, const int order[], int at, int width) {
  const char *angle = angles_of(t, h, order, at, width);
  const int first = order[at];
  if (are_neighbours(order + at, width)) {
    ag_text_add(t, "  %s_sincos(%s, trig->s + %d, trig->c + %d);\n", h->prefix, angle, first,
                first);
    return;
  }
  ag_text_add(t, "  %s_real s%d[%d], c%d[%d];\n", h->prefix, first + 1, width, first + 1, width);
  ag_text_add(t, "  %s_sincos(%s, s%d, c%d);\n", h->prefix, angle, first + 1, first + 1);
  for (int k = 0; k < width; k++)
    ag_text_add(t, "  trig->s[%d] = s%d[%d];\n  trig->c[%d] = c%d[%d];\n", order[at + k], first + 1,
                k, order[at + k], first + 1, k);
}

/* Calls of NAME_sincos for `count` angles, as many at once as the compiler's vectors hold; the last one may repeat some. of_batch: of one
 * angle of a batch's states, which stand one behind the other in `angle`; else of all that turn. */
static void call_sincos(ag_text *t, const ag_header *h, int count, bool of_batch) {
  int widths[3];
  const int nwidths = possible_widths(h, widths);
  for (int k = 0; k < nwidths; k++) {
    const int width = widths[k], *order = of_batch ? NULL : order_of(h, count, width);
    branch(t, k, nwidths, ag_printf(h->arena, "%s_ANGLES == %d", h->upper, width));
    for (int first = 0; first < count; first += width) {
      const int at = first + width > count ? count - width : first;
      if (of_batch)
        ag_text_add(t, "  %s_sincos(angle + %d, s + %d, c + %d);\n", h->prefix, at, at, at);
      else
        sincos_of(t, h, order, at, width);
    }
  }
  if (nwidths > 1) ag_text_add(t, "#endif\n");
}

const char *ag_emit_sincos_batch(const ag_header *h) {
  enum { WIDEST = 64 }; /* bytes of AVX-512 */
  const char *type = ag_printf(h->arena, "%s_batch", h->prefix);
  const int bytes = h->target.batch * (h->target.single ? 4 : 8);
  ag_text text = {.arena = h->arena}, calls = text;
  call_sincos(&calls, h, h->target.batch, true);
  const ag_substitution with[] = {{"PREFIX", h->prefix},
                                  {"UPPER", h->upper},
                                  {"REAL", h->target.single ? "float" : "double"},
                                  {"T", type},
                                  {"IN_ORDER", AG_IN_ORDER},
                                  {"QMAX", most_angle(h)},
                                  {"QMAX_SQUARE", most_square(h)},
                                  {"RANGE", vector_macros(h, type)},
                                  {"SINCOS_BODY", body_of(h, type)},
                                  {"SINCOS_CALLS", calls.chars},
                                  {NULL, NULL}};
  if (bytes == WIDEST) ag_text_substitute(&text, ag_file_text("batch_sincos_wide.h.in"), with);
  ag_text_substitute(&text, ag_file_text("batch_sincos.h.in"), with);
  if (bytes == WIDEST) ag_text_add(&text, "#endif\n");
  return text.chars;
}

/* Joints that slide; where there is no joint, the struct has one place that nobody asks for. */
static void fill_unturned(ag_text *t, const ag_header *h) {
  if (h->nangles == 0)
    ag_text_add(t, "  trig->s[0] = %s;\n  trig->c[0] = %s;\n", ag_emit_number(h, 0),
                ag_emit_number(h, 1));
  for (int i = 0; i < h->njoints; i++)
    if (!turns(h, i))
      ag_text_add(t, "  trig->s[%d] = %s;\n  trig->c[%d] = %s;\n", i, ag_emit_number(h, 0), i,
                  ag_emit_number(h, 1));
  if (h->njoints > 0 && ag_count_turning(h) == ag_has_yaw(h)) ag_text_add(t, "  (void)q;\n");
}

void ag_emit_trig_by(ag_text *t, const ag_header *h, const char *sine, const char *cosine) {
  fill_unturned(t, h);
  for (int i = 0; i < h->nangles; i++) {
    if (!turns(h, i)) continue;
    const int joint = h->angles[i].joint;
    const char *q = joint == AG_BASE_YAW ? "yaw" : ag_printf(h->arena, "q[%d]", joint);
    const char *angle = angle_text(h, i, q);
    ag_text_add(t, "  trig->s[%d] = %s(%s);\n  trig->c[%d] = %s(%s);\n", i, sine, angle, i, cosine,
                angle);
  }
}

void ag_emit_trig(ag_text *t, const ag_header *h) {
  fill_unturned(t, h);
  const int turning = ag_count_turning(h);
  if (turning > 0) call_sincos(t, h, turning, false);
}

void ag_emit_trig_type(ag_text *t, const ag_header *h, const char *type) {
  ag_text_add(t, "typedef struct %s {\n  %s_batch s[%d], c[%d];\n} %s;\n\n", type, h->prefix,
              h->nangles, h->nangles, type);
}

void ag_emit_trig_batch(ag_text *t, const ag_header *h, const char *type) {
  if (type)
    ag_text_add(t, "  %s angles, *const trig = &angles;\n", type);
  else
    ag_text_add(t, "  struct {\n    %s_batch s[%d], c[%d];\n  } angles, *const trig = &angles;\n",
                h->prefix, h->nangles, h->nangles);
  for (int i = 0; i < h->nangles; i++) {
    if (!turns(h, i)) continue;
    const int joint = h->angles[i].joint;
    const char *field = joint == AG_BASE_YAW ? "base.yaw" : ag_printf(h->arena, "q[%d]", joint);
    const char *q = ag_printf(h->arena, "%s_LOAD(in->%s)", h->upper, field);
    ag_text_add(t, "  const %s_batch q%d = %s;\n", h->prefix, i + 1, angle_text(h, i, q));
    ag_text_add(t, "  %s_sincos_batch(&q%d, &trig->s[%d], &trig->c[%d]);\n", h->prefix, i + 1, i,
                i);
  }
}

/* SPDX-License-Identifier: MIT */
/* limb_macros.c: see limb_macros.h */
#include "emit/limb_macros.h"

#include "base/embedded.h"
#include "base/text.h"
#include "emit/expression.h"
#include "limbs/limbs.h"
#include "lower/stages.h"

bool ag_has_limb_functions(const ag_plan *plan) {
  return plan->limbs && plan->limbs->stages;
}

static bool any_has(const ag_header *h) {
  for (int k = 0; k < h->nfunctions; k++)
    if (ag_has_limb_functions(h->plans[k])) return true;
  return false;
}

/* Limbs of this width are in text for both. */
static bool shares(const ag_header *h, int width) {
  for (int k = 0; k < h->nfunctions; k++) {
    const ag_plan *limbs = h->plans[k]->limbs;
    if (!limbs || !limbs->stages || !limbs->stages->shared) continue;
    const ag_sequence *way = &limbs->stages->plan->own;
    for (int i = 0; i < way->norder; i++)
      if (way->graph->width[way->order[i]] == width) return true;
  }
  return false;
}

/* "a0, a1, ..": names of a macro's parameters, one for each lane; each: what stands for one, of its number. */
static const char *for_lanes(const ag_header *h, int width, const char *each, const char *between) {
  const char *list = "";
  for (int l = 0; l < width; l++)
    list = ag_printf(h->arena, "%s%s%s", list, l ? between : "", ag_printf(h->arena, each, l, l));
  return list;
}

/* A choice of one of the lanes `first` to the one before `behind`. */
static const char *chosen(const ag_header *h, int first, int behind) {
  if (behind - first == 1) return ag_printf(h->arena, "(a%d)", first);
  const int middle = (first + behind) / 2;
  return ag_printf(h->arena, "(lane < %d ? %s : %s)", middle, chosen(h, first, middle),
                   chosen(h, middle, behind));
}

/* Types and macros of one text for vectors and for one limb after the other. */
static void emit_width(ag_text *t, const ag_header *h, int width) {
  const char *give = ag_printf(h->arena, "limb%d[%%d].t = (a%%d)", width);
  const ag_substitution with[] = {{"UPPER", h->upper},
                                  {"PREFIX", h->prefix},
                                  {"WIDTH", ag_printf(h->arena, "%d", width)},
                                  {"LIST", for_lanes(h, width, "a%d", ", ")},
                                  {"NEGATED", for_lanes(h, width, "-(a%d)", ", ")},
                                  {"PUT", for_lanes(h, width, "(array)[a%d] = (x)[%d]", "; ")},
                                  {"GIVE", for_lanes(h, width, give, "; ")},
                                  {"CHOSEN", chosen(h, 0, width)},
                                  {NULL, NULL}};
  ag_text_substitute(t, ag_file_text("limbs.h.in"), with);
}

/* What text for both begins and ends with. */
static const char *shared_macros(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  for (int width = 2; width <= AG_LANES; width *= 2)
    if (shares(h, width)) emit_width(&text, h, width);
  if (!text.chars) return "";
  return ag_printf(
      h->arena,
      "/* One text for all limbs in the lanes of vectors, and for one limb after the other: "
      "numbers "
      "of limbs are\n"
      " * vectors there, and those of one limb here. EACH: a limb's own of these numbers; ROW: of "
      "those that stand\n"
      " * one behind the other; PUT: stores it in a limb's own place; GIVE and TAKE: what the "
      "trunk "
      "hands over. */\n"
      "#if defined(%s_LANES)\n#define %s_LANE\n#define %s_LIMBS(n)\n#else\n"
      "#define %s_LANE int lane,\n#define %s_LIMBS(n) [n]\n"
      "static inline int %s_probe_of(%s_real x) {\n  return %s_probe(&x);\n}\n#endif\n%s",
      h->upper, h->upper, h->upper, h->upper, h->upper, h->prefix, h->prefix, h->prefix,
      text.chars);
}

/* What is asked of gcc for the functions of limbs, and for the long text of a fast way in lanes, which has all of a function's values at
 * once: there it takes gcc half of the time, and where vectors have 16 registers and three operands, the program 6 % longer. */
static const char *asked_of_gcc(const ag_header *h) {
  static const char *const list = AG_SHORTER AG_LESS_TO_COMPILE, *const where = AG_IS_GCC_ON_X86;
  return ag_printf(
      h->arena,
      "#if %s\n#define %s_LIMB __attribute__((noinline, optimize(%s)))\n"
      "#elif defined(__GNUC__)\n#define %s_LIMB __attribute__((noinline))\n#else\n"
      "#define %s_LIMB\n#endif\n"
      "#if %s && \\\n    (!defined(__AVX2__) || defined(__AVX512F__))\n"
      "#define %s_EARLY __attribute__((optimize(%s)))\n#else\n#define %s_EARLY\n#endif\n",
      where, h->upper, list, h->upper, h->upper, where, h->upper, list, h->upper);
}

const char *ag_limb_macro(const ag_header *h) {
  if (!any_has(h)) return "";
  const char *macros = shared_macros(h);
  return ag_printf(h->arena,
                   "\n/* A function is called once for each limb; the compiler must not copy it "
                   "into its callers. */\n%s%s",
                   macros[0] ? asked_of_gcc(h)
                             : ag_printf(h->arena,
                                         "#if defined(__GNUC__)\n#define %s_LIMB "
                                         "__attribute__((noinline))\n#else\n"
                                         "#define %s_LIMB\n#endif\n",
                                         h->upper, h->upper),
                   macros);
}

const char *ag_limb_macro_end(const ag_header *h) {
  if (!any_has(h)) return "";
  ag_text text = {.arena = h->arena};
  static const char *const of_width[] = {"EACH%d", "EACH%d_PROBE", "ROW%d", "PUT%d",
                                         "GIVE%d", "GIVE%d_MASK",  "TAKE%d"};
  ag_text_add(&text, "#undef %s_LIMB\n", h->upper);
  bool any = false;
  for (int width = 2; width <= AG_LANES; width *= 2) {
    if (!shares(h, width)) continue;
    for (size_t k = 0; k < sizeof of_width / sizeof *of_width; k++)
      ag_text_add(&text, "#undef %s_%s\n", h->upper, ag_printf(h->arena, of_width[k], width));
    any = true;
  }
  static const char *const of_all[] = {"LANE", "LIMBS", "EARLY"};
  for (size_t k = 0; any && k < sizeof of_all / sizeof *of_all; k++)
    ag_text_add(&text, "#undef %s_%s\n", h->upper, of_all[k]);
  return text.chars;
}

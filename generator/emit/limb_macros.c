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

bool ag_shares_limbs(const ag_plan *plan) {
  return ag_has_limb_functions(plan) && plan->limbs->stages->shared;
}

/* One of the functions has functions of limbs that are called for each. */
static bool any_calls(const ag_header *h) {
  for (int k = 0; k < h->nfunctions; k++)
    if (ag_has_limb_functions(h->plans[k]) && !ag_shares_limbs(h->plans[k])) return true;
  return false;
}

/* Limbs of this width are in text for both. */
static bool shares(const ag_header *h, int width) {
  for (int k = 0; k < h->nfunctions; k++) {
    if (!ag_shares_limbs(h->plans[k])) continue;
    const ag_sequence *way = &h->plans[k]->limbs->stages->plan->own;
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
      "/* One text for all limbs: a part of limbs is called once for all of them, whose numbers "
      "are lanes of "
      "vectors,\n"
      " * or once for each. lane: which one; EACH: its own of these numbers; ROW: of those that "
      "stand one "
      "behind\n"
      " * the other; PUT: stores it in its own place; GIVE, TAKE: what the trunk gives limbs, and "
      "takes "
      "from them. */\n"
      "#if defined(%s_LANES)\n#define %s_LANE\n#define %s_LIMBS(n) 1\n#else\n"
      "#define %s_LANE int lane,\n#define %s_LIMBS(n) n\n"
      "static inline int %s_probe_of(%s_real x) {\n  return %s_probe(&x);\n}\n#endif\n%s",
      h->upper, h->upper, h->upper, h->upper, h->upper, h->prefix, h->prefix, h->prefix,
      text.chars);
}

const char *ag_limb_macro(const ag_header *h) {
  const char *calls = "";
  if (any_calls(h))
    calls = ag_printf(h->arena,
                      "\n/* A function is called once for each limb; the compiler must not copy it "
                      "into its callers. */\n"
                      "#if defined(__GNUC__)\n#define %s_LIMB __attribute__((noinline))\n#else\n"
                      "#define %s_LIMB\n#endif\n",
                      h->upper, h->upper);
  const char *shared = shared_macros(h);
  return ag_printf(h->arena, "%s%s%s", calls, shared[0] ? "\n" : "", shared);
}

const char *ag_limb_macro_end(const ag_header *h) {
  ag_text text = {.arena = h->arena};
  static const char *const of_width[] = {"EACH%d", "EACH%d_PROBE", "ROW%d", "PUT%d",
                                         "GIVE%d", "GIVE%d_MASK",  "TAKE%d"};
  if (any_calls(h)) ag_text_add(&text, "#undef %s_LIMB\n", h->upper);
  bool any = false;
  for (int width = 2; width <= AG_LANES; width *= 2) {
    if (!shares(h, width)) continue;
    for (size_t k = 0; k < sizeof of_width / sizeof *of_width; k++)
      ag_text_add(&text, "#undef %s_%s\n", h->upper, ag_printf(h->arena, of_width[k], width));
    any = true;
  }
  static const char *const of_all[] = {"LANE", "LIMBS"};
  for (size_t k = 0; any && k < sizeof of_all / sizeof *of_all; k++)
    ag_text_add(&text, "#undef %s_%s\n", h->upper, of_all[k]);
  return text.chars ? text.chars : "";
}

/* SPDX-License-Identifier: MIT */
/* part_macros.c: see part_macros.h */
#include "emit/part_macros.h"

#include "emit/expression.h"
#include "emit/limb_macros.h"

bool ag_has_parts(const ag_header *h) {
  for (int i = 0; i < h->nfunctions; i++) {
    const ag_plan *plan = h->plans[i];
    if ((plan->split && !ag_has_limb_functions(plan)) || ag_shares_limbs(plan)) return true;
    if (plan->limbs && plan->limbs->split) return true;
    if (plan->vectors && plan->vectors->split) return true;
  }
  return false;
}

/* What gcc is asked for in parts. */
static void ask_gcc(ag_text *t, const ag_header *h, const char *where, const char *shorter) {
  ag_text_add(t,
              "%s\n#define %s_PART __attribute__((noinline, optimize(%s" AG_LESS_TO_COMPILE ")))\n",
              where, h->upper, shorter);
}

void ag_emit_part_macro(ag_text *t, const ag_header *h) {
  if (!ag_has_parts(h)) return;
  const bool shorter = !h->target.batch; /* vectors have no shorter ones */
  ag_text_add(
      t,
      "\n/* Long functions take compilers long, so they are cut into parts, which must not "
      "be inlined.\n"
      " * Two of gcc's optimisations (vectors of neighbouring numbers, stores that nobody "
      "reads) find\n"
      " * next to nothing here and would take half of the compile time: they are off.%s */\n",
      shorter ? " Of equal instructions\n * the shorter ones are taken: a register is used again "
                "at once, and loads stay where they are."
              : "");
  if (shorter) ask_gcc(t, h, "#if " AG_IS_GCC_ON_X86, AG_SHORTER);
  ask_gcc(
      t, h,
      ag_printf(h->arena, "#%s defined(__GNUC__) && !defined(__clang__)", shorter ? "elif" : "if"),
      "");
  ag_text_add(t,
              "#elif defined(__GNUC__)\n#define %s_PART __attribute__((noinline))\n"
              "#else\n#define %s_PART\n#endif\n",
              h->upper, h->upper);
  ag_text_add(t,
              "#if defined(__clang__) && __clang_major__ >= 13\n"
              "#define %s_IN_ORDER _Pragma(\"clang fp reassociate(off)\")\n"
              "#else\n#define %s_IN_ORDER\n#endif\n",
              h->upper, h->upper);
}

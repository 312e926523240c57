/* SPDX-License-Identifier: MIT */
/* proof_text.c: see proof_text.h */
#include "prove/proof_text.h"

#include <string.h>

bool ag_proof_holds(const ag_proof *proof, const char *path, ag_err *err) {
  for (int k = 0; k < proof->nlines; k++) {
    const ag_proof_line *l = &proof->lines[k];
    if (l->unlike < 0) continue;
    return ag_fail(err, path, 0, "this is a defect of achdgen, please report it",
                   "%s of %s, element %d, is not what the equations of motion say", l->output,
                   l->function, l->element);
  }
  return true;
}

void ag_proof_print(const ag_proof *proof, FILE *to) {
  int outside = 0, wrong = 0, half = 0;
  for (int f = 0; f < proof->nfunctions; f++) {
    const ag_proof_function *function = &proof->functions[f];
    fprintf(to, "%s (%s), sides of branches seen: %d of %d%s\n", function->function,
            function->formulation, function->seen, function->sides,
            function->rooted ? "; square roots count as exact" : "");
    for (int k = 0; k < proof->nlines; k++) {
      const ag_proof_line *l = &proof->lines[k];
      if (strcmp(l->function, function->function) != 0) continue;
      outside += l->outside != NULL;
      wrong += l->unlike >= 0;
      half += l->unseen > 0;
      if (l->unlike >= 0)
        fprintf(to, "  %-28s NOT identical at %d of %d points, first at element %d of point %d\n",
                l->output, l->points - l->identical, l->points, l->element, l->unlike);
      else if (l->outside)
        fprintf(to, "  %-28s outside: %s\n", l->output, l->outside);
      else
        fprintf(to, "  %-28s identical at %d of %d points\n", l->output, l->identical, l->points);
      if (l->unseen > 0)
        fprintf(to, "  %-28s but not on %d side%s of branches, which no point took: %s\n", "",
                l->unseen, l->unseen == 1 ? "" : "s", l->where);
    }
    fprintf(to, "  %-28s outside: it compares doubles\n", "status");
  }
  fprintf(to, "%d outputs, of them %d outside, %d not on all sides of branches, %d not identical\n",
          proof->nlines, outside, half, wrong);
}

const char *ag_proof_text(const ag_proof *proof, ag_arena *arena) {
  const char *text = "", *left = "", *half = "", *roots = "";
  for (int f = 0; f < proof->nfunctions; f++) {
    const char *name = proof->functions[f].function;
    int inside = 0;
    for (int k = 0; k < proof->nlines; k++) {
      const ag_proof_line *l = &proof->lines[k];
      if (strcmp(l->function, name) != 0) continue;
      inside += l->outside == NULL && strcmp(l->output, "guard") != 0;
      if (l->outside)
        left = ag_printf(arena, "%s%s %s.%s", left, left[0] ? "," : "", name, l->output);
      else if (l->unseen > 0)
        half = ag_printf(arena, "%s%s %s.%s (%s)", half, half[0] ? "," : "", name, l->output,
                         l->where);
    }
    if (inside > 0 && proof->functions[f].rooted)
      roots =
          ag_printf(arena, "%s %s", roots[0] ? roots : "; square roots count as exact in", name);
    if (inside > 0) text = ag_printf(arena, "%s%s%s", text, text[0] ? " " : "", name);
  }
  if (!text[0]) return ag_printf(arena, "nothing; outside:%s", left);
  return ag_printf(
      arena,
      "%s: identical to the equations of motion at %d random point%s of GF(2^61-1), %s%s%s%s%s",
      text, proof->points, proof->points == 1 ? "" : "s",
      half[0] ? "not on all sides of branches:" : "on both sides of every branch", half, roots,
      left[0] ? "; outside:" : "", left);
}

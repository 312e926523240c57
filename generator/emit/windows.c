/* SPDX-License-Identifier: MIT */
/* windows.c: see windows.h */
#include "emit/windows.h"

#include "lower/near.h"

ag_windows ag_windows_of(const ag_printer *printer, const ag_split *split) {
  ag_windows windows = {.printer = printer, .split = split};
  for (int kind = 0; kind < AG_WIDTHS; kind++)
    windows.used[kind] =
        ag_alloc(printer->header->arena, (size_t)(split->count[kind] + 1) * sizeof **windows.used);
  return windows;
}

const char *ag_kind_type(const ag_printer *p, int kind) {
  const bool boolean = kind >= AG_WIDTHS;
  const int lanes = ag_kind_lanes(kind);
  if (lanes == 1) return ag_emit_type_of(p, boolean);
  return ag_printf(p->header->arena, boolean ? p->language->vector_boolean : p->language->vector,
                   p->header->prefix, lanes);
}

/* ---- which ones ---- */

static int block_size(const ag_windows *s, int kind) {
  return ag_near_block(&s->printer->header->target, kind);
}

static bool has_block(const ag_windows *s, int kind, int block) {
  return block * block_size(s, kind) < s->split->count[kind];
}

void ag_begin_windows(ag_windows *s) {
  s->count = 0;
  for (int kind = 0; kind < AG_WIDTHS; kind++)
    for (int block = 0; has_block(s, kind, block); block++) s->used[kind][block] = 0;
}

void ag_count_place(ag_windows *s, int kind, int place) {
  if (kind < AG_WIDTHS) s->used[kind][place / block_size(s, kind)]++;
}

void ag_choose_windows(ag_windows *s) {
  for (s->count = 0; s->count < AG_WINDOWS; s->count++) {
    ag_window best = {0, 0};
    for (int kind = 0; kind < AG_WIDTHS; kind++)
      for (int block = 0; has_block(s, kind, block); block++)
        if (s->used[kind][block] > s->used[best.kind][best.block]) best = (ag_window){kind, block};
    if (s->used[best.kind][best.block] < AG_WORTH) return;
    s->of[s->count] = best;
    s->used[best.kind][best.block] = 0;
  }
}

/* ---- as text ---- */

static bool limbs_keep(const ag_printer *p, int kind) {
  return p->plan->of_stages && ag_kind_lanes(kind) > 1;
}

static bool waits_in_work(const ag_printer *p, const ag_split *split, int kind) {
  return split->count[kind] > 0 && !limbs_keep(p, kind);
}

bool ag_has_work(const ag_printer *p, const ag_split *split) {
  for (int kind = 0; kind < AG_KINDS; kind++)
    if (waits_in_work(p, split, kind)) return true;
  return false;
}

void ag_emit_work_type(ag_text *t, const ag_printer *p, const ag_split *split, const char *name) {
  if (!ag_has_work(p, split)) return;
  ag_text_add(t,
              "/* Values that one part of %s computes and a later one reads.%s */\ntypedef struct "
              "%s_work {\n",
              name,
              p->language->load ? ""
                                : " A part's w1, w2 and so on point into the middle of those\n"
                                  " * that it names most: from there an instruction needs one byte "
                                  "for a place, not four.",
              name);
  for (int kind = 0; kind < AG_KINDS; kind++)
    if (waits_in_work(p, split, kind))
      ag_text_add(t, "  %s %s[%d];\n", ag_kind_type(p, kind), ag_array_of_kind(p, kind),
                  split->count[kind]);
  ag_text_add(t, "} %s_work;\n\n", name);
}

/* The place in a block that a pointer to it points to. */
static int middle_of(const ag_windows *s, const ag_window *w) {
  const int size = block_size(s, w->kind), place = w->block * size + size / 2;
  return place < s->split->count[w->kind] ? place : s->split->count[w->kind] - 1;
}

const char *ag_struct_of(const ag_printer *p, int kind) {
  return limbs_keep(p, kind) ? "own" : "work";
}

const char *ag_array_of_kind(const ag_printer *p, int kind) {
  static const char *const arrays[AG_KINDS] = {"v", "v2", "v4", "v8", "k", "k2", "k4", "k8"};
  return arrays[limbs_keep(p, kind) ? kind - kind % AG_WIDTHS : kind];
}

const char *ag_window_place(const ag_windows *s, int kind, int place) {
  ag_arena *arena = s->printer->header->arena;
  for (int w = 0; w < s->count; w++)
    if (s->of[w].kind == kind && s->of[w].block == place / block_size(s, kind))
      return ag_printf(arena, "w%d[%d]", w + 1, place - middle_of(s, &s->of[w]));
  return ag_printf(arena, "%s->%s[%d]", ag_struct_of(s->printer, kind),
                   ag_array_of_kind(s->printer, kind), place);
}

const char *ag_window_middle(const ag_windows *s, int w, const char *limb) {
  const ag_window *of = &s->of[w];
  const bool own = limbs_keep(s->printer, of->kind);
  return ag_printf(s->printer->header->arena, "&%s%s[%d]", own ? limb : "work->",
                   ag_array_of_kind(s->printer, of->kind), middle_of(s, of));
}

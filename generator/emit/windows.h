/* SPDX-License-Identifier: MIT */
/* windows.h: where what parts compute waits for later ones: arrays of a struct, one of each kind, and a part's pointers w1, w2 .. into
 * the middle of those blocks that it names most (lower/near.h). */
#ifndef AG_WINDOWS_H
#define AG_WINDOWS_H

#include "emit/expression.h"

/* Most pointers of a part, and how often it names places of one at least: a pointer takes up to 13 bytes, and saves three wherever it is
 * used. */
enum { AG_WINDOWS = 8, AG_WORTH = 4 };

typedef struct ag_window {
  int kind, block;
} ag_window;

typedef struct ag_windows {
  const ag_printer *printer;
  const ag_split *split;
  int *used[AG_WIDTHS]; /* by kind and block: how often the part names one of its places */
  ag_window of[AG_WINDOWS];
  int count;
} ag_windows;

ag_windows ag_windows_of(const ag_printer *printer, const ag_split *split);
/* The struct in which the function keeps what waits, and whether it has one: limbs keep their own. */
bool ag_has_work(const ag_printer *printer, const ag_split *split);
void ag_emit_work_type(ag_text *text, const ag_printer *printer, const ag_split *split,
                       const char *name);
/* The type of what waits. */
const char *ag_kind_type(const ag_printer *printer, int kind);

/* A part begins: it has named nothing; it names a place; the blocks that it has pointers to are those that it names most. */
void ag_begin_windows(ag_windows *windows);
void ag_count_place(ag_windows *windows, int kind, int place);
void ag_choose_windows(ag_windows *windows);

/* A place as the text of an expression; "work->v[16]", what pointer w points to; limb: "own", or the limb's struct, where limbs keep it. */
const char *ag_window_place(const ag_windows *windows, int kind, int place);
const char *ag_window_middle(const ag_windows *windows, int w, const char *limb);
/* Numbers of structs and their arrays of a kind: "work" and "v2". */
const char *ag_struct_of(const ag_printer *printer, int kind);
const char *ag_array_of_kind(const ag_printer *printer, int kind);

#endif

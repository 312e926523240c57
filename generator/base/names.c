/* SPDX-License-Identifier: MIT */
/* names.c: see names.h */
#define _POSIX_C_SOURCE 200809L
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* Names that C99 to C23 or C++98 to C++23 keep for themselves, and macros of <math.h> and gcc; each
 * between blanks. */
static const char RESERVED[] =
    " "
    "INFINITY NAN NULL alignas alignof and and_eq asm auto bitand bitor bool break case "
    "catch char char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const const_cast consteval constexpr constinit continue decltype default "
    "delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int linux long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast "
    "requires restrict return short signed sizeof static static_assert static_cast "
    "struct switch template this thread_local throw true try typedef typeid typename "
    "typeof typeof_unqual union unix unsigned using virtual void volatile wchar_t while "
    "xor xor_eq ";

bool ag_word_in(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || at[-1] == ' ') && at[length] == ' ') return true;
  return false;
}

/* Of ASCII only: <ctype.h> asks the locale. */
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
static bool is_letter(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_';
}
static int to_lower(char c) {
  return is_upper(c) ? c - 'A' + 'a' : c;
}

const char *ag_identifier(const char *name, ag_arena *arena) {
  char *id = ag_alloc(arena, strlen(name) + 3), *to = id;
  if (is_digit(name[0]) || name[0] == '\0') *to++ = '_';
  for (; *name; ++name) {
    const bool continues = ((unsigned char)*name & 0xC0) == 0x80; /* a character of UTF-8 */
    if (is_letter(*name) || is_digit(*name))
      *to++ = *name;
    else if (!continues)
      *to++ = '_';
  }
  *to = '\0';
  if (strstr(RESERVED, ag_printf(arena, " %s ", id))) *to = '_'; /* the arena's zeros end it */
  return id;
}

/* As strcmp, upper and lower case alike. */
static int compare_folded(const char *a, const char *b) {
  while (*a && to_lower(*a) == to_lower(*b)) ++a, ++b;
  return to_lower(*a) - to_lower(*b);
}

static int by_name(const void *a, const void *b) {
  const ag_name *x = *(const ag_name *const *)a, *y = *(const ag_name *const *)b;
  const int order = strcmp(x->name, y->name);
  return order ? order : (x > y) - (x < y);
}

static int by_folded_id(const void *a, const void *b) {
  const ag_name *x = *(const ag_name *const *)a, *y = *(const ag_name *const *)b;
  const int order = compare_folded(x->id, y->id);
  return order ? order : (x > y) - (x < y);
}

static bool same_name(const ag_name *a, const ag_name *b) {
  return strcmp(a->name, b->name) == 0;
}
static bool same_id(const ag_name *a, const ag_name *b) {
  return !compare_folded(a->id, b->id);
}

/* What must differ, and an order in which those that do not stand side by side. */
typedef struct identity {
  int (*order)(const void *, const void *);
  bool (*same)(const ag_name *, const ag_name *);
} identity;

static const identity by_the_name = {by_name, same_name}, by_the_id = {by_folded_id, same_id};

/* Two names that are the same, in the order of the file; NULL: there are none. */
typedef struct clash {
  const ag_name *one, *other;
} clash;

/* Of all pairs that are the same, the one whose second stands first in the file. sorted: room for
 * count pointers. */
static clash first_clash(const ag_name *names, int count, const ag_name **sorted,
                         const identity *of) {
  clash first = {NULL, NULL};
  for (int i = 0; i < count; ++i) sorted[i] = &names[i];
  qsort(sorted, (size_t)count, sizeof *sorted, of->order);
  for (int i = 1; i < count; ++i)
    if (of->same(sorted[i - 1], sorted[i]) && (!first.other || sorted[i] < first.other))
      first = (clash){sorted[i - 1], sorted[i]};
  return first;
}

bool ag_names_distinct(const ag_name *names, int count, const char *kind, const char *file,
                       ag_arena *arena, ag_err *err) {
  if (count < 2) return true;
  const ag_name **sorted = ag_alloc(arena, (size_t)count * sizeof *sorted);
  const clash names_clash = first_clash(names, count, sorted, &by_the_name);
  if (names_clash.one && names_clash.other)
    return ag_fail(err, file, names_clash.other->line, "give each a name of its own",
                   "a second %s \"%s\"; the first is at line %d", kind, names_clash.other->name,
                   names_clash.one->line);
  const clash ids_clash = first_clash(names, count, sorted, &by_the_id);
  if (ids_clash.one && ids_clash.other) {
    const ag_name *one = ids_clash.one, *other = ids_clash.other;
    const bool equal = strcmp(one->id, other->id) == 0;
    return ag_fail(
        err, file, other->line, "rename one of them",
        "the %ss \"%s\" (line %d) and \"%s\" (line %d) become the C identifiers %s and %s, which "
        "%s",
        kind, one->name, one->line, other->name, other->line, one->id, other->id,
        equal ? "are the same" : "differ only in upper and lower case");
  }
  return true;
}

enum { LONGEST = 127 };

static int smallest(int a, int b) {
  return a < b ? a : b;
}

/* d[i][j], the distance of a's first i letters from b's first j, is the least of
 *   d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a[i] != b[j]),
 *   d[i-2][j-2] + 1 where a[i-1] a[i] are b[j] b[j-1];
 * three rows of d are enough. */
int ag_edit_distance(const char *a, const char *b) {
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  const int na = smallest((int)strnlen(a, LONGEST), LONGEST);
  const int nb = smallest((int)strnlen(b, LONGEST), LONGEST);
  for (int j = 0; j <= nb; ++j) before[j] = last[j] = j;
  for (int i = 1; i <= na; ++i) {
    now[0] = i;
    for (int j = 1; j <= nb; ++j) {
      const int x = to_lower(a[i - 1]), y = to_lower(b[j - 1]);
      now[j] = smallest(smallest(last[j], now[j - 1]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == to_lower(b[j - 2]) && y == to_lower(a[i - 2]))
        now[j] = smallest(now[j], before[j - 2] + 1);
    }
    int *reused = before;
    before = last, last = now, now = reused;
  }
  return last[nb];
}

/* Whether text holds part, upper and lower case alike. */
static bool holds(const char *text, const char *part) {
  for (; *text; ++text) {
    size_t i = 0;
    while (part[i] && to_lower(text[i]) == to_lower(part[i])) ++i;
    if (!part[i]) return true;
  }
  return false;
}

/* How unlike two names are; -1: too much to speak of. A third of the letters may be wrong; one name
 * inside the other (tool, tool_frame) comes after such misspellings. */
static int unlikeness(const char *name, const char *mistyped) {
  const int distance = ag_edit_distance(name, mistyped);
  const int longer = (int)strnlen(mistyped, LONGEST);
  if (distance <= (longer < 6 ? 2 : longer / 3) && distance < longer) return distance;
  if (longer >= 3 && (holds(name, mistyped) || (strlen(name) >= 3 && holds(mistyped, name))))
    return LONGEST + distance;
  return -1;
}

const char *ag_near_names(const char *const *names, int count, const char *mistyped,
                          ag_arena *arena) {
  enum { MOST = 3 };
  const char *best[MOST];
  int unlike[MOST], nbest = 0;
  for (int i = 0; i < count; ++i) {
    const int score = unlikeness(names[i], mistyped);
    if (score < 0) continue;
    int place = nbest;
    while (place > 0 && score < unlike[place - 1]) --place;
    if (place == MOST) continue;
    if (nbest < MOST) ++nbest;
    for (int k = nbest - 1; k > place; --k) best[k] = best[k - 1], unlike[k] = unlike[k - 1];
    best[place] = names[i], unlike[place] = score;
  }
  const char *text = "";
  for (int i = 0; i < nbest; ++i)
    text = ag_printf(arena, "%s%s\"%s\"", text,
                     i == 0           ? ""
                     : i == nbest - 1 ? " or "
                                      : ", ",
                     best[i]);
  return text;
}

const char *ag_did_you_mean(const char *near, const char *otherwise, ag_arena *arena) {
  return near[0] ? ag_printf(arena, "did you mean %s?", near) : otherwise;
}

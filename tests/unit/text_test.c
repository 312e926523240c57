/* SPDX-License-Identifier: MIT */
/* text_test.c: text that grows, and templates. */
#include "base/text.h"

#include "base/format.h"
#include "test.h"

#include <limits.h>

static ag_arena arena;

static void text_grows(void) {
  ag_text text = {.arena = &arena};
  enum { COUNT = 5000 };
  for (int k = 0; k < COUNT; k++) ag_text_add(&text, "%d,", k % 10);
  CHECK(text.length == 2 * COUNT && strlen(text.chars) == 2 * COUNT);
  CHECK(strncmp(text.chars, "0,1,2,3,4,5,6,7,8,9,0,", 22) == 0);
  CHECK(strcmp(text.chars + 2 * COUNT - 4, "8,9,") == 0);
}

static void a_piece_longer_than_the_room_fits(void) {
  char piece[4001];
  memset(piece, 'x', sizeof piece - 1);
  piece[4000] = '\0';
  ag_text text = {.arena = &arena};
  ag_text_add(&text, "a");
  ag_text_add(&text, "%s%s", piece, "b");
  CHECK(text.length == 4002 && text.chars[0] == 'a' && strcmp(text.chars + 4000, "xb") == 0);
}

static void nothing_added_is_an_empty_text(void) {
  ag_text text = {.arena = &arena};
  ag_text_add(&text, "%s", "");
  CHECK_TEXT(text.chars, "");
  ag_text_put(&text, "abcdef", 0);
  CHECK(text.length == 0);
}

static void words_wrap(void) {
  ag_text text = {.arena = &arena};
  ag_text_add(&text, "before\n  ");
  ag_text_wrap(&text, "/* one two three four */", "   * ", 12);
  CHECK_TEXT(text.chars, "before\n  /* one two\n   * three\n   * four */");
  text = (ag_text){.arena = &arena};
  ag_text_wrap(&text, "longer_than_the_line x */ y", "-", 6);
  CHECK_TEXT(text.chars, "longer_than_the_line\n-x */\n-y");
  text = (ag_text){.arena = &arena};
  ag_text_wrap(&text, "a bc d", "", 4);
  CHECK_TEXT(text.chars, "a bc\nd");
}

static void put_takes_a_part(void) {
  ag_text text = {.arena = &arena};
  ag_text_put(&text, "abcdef", 3);
  ag_text_put(&text, "%d@", 3); /* as it stands */
  CHECK_TEXT(text.chars, "abc%d@");
}

static void templates_fill_in(void) {
  static const ag_substitution with[] = {
      {"NAME", "gen3"}, {"NAMES", "@NAME@"}, {"EMPTY", ""}, {NULL, NULL}};
  ag_text text = {.arena = &arena};
  ag_text_add(&text, "> ");
  ag_text_substitute(&text, "@NAME@_in @EMPTY@@NAMES@ 100 % @NAME@", with);
  CHECK_TEXT(text.chars, "> gen3_in @NAME@ 100 % gen3"); /* what is filled in is not looked at */
}

static void a_template_without_keys_is_copied(void) {
  static const ag_substitution none[] = {{NULL, NULL}};
  ag_text text = {.arena = &arena};
  ag_text_substitute(&text, "", none);
  CHECK(text.length == 0);
  ag_text_substitute(&text, "plain\n", none);
  CHECK_TEXT(text.chars, "plain\n");
}

/* Both in rooms of any length, the last for all of it: the same length, the same bytes, none behind. */
static bool like_printf(const char *format, ...) {
  bool same = true;
  for (size_t room = 0; room <= 60; room++) {
    char a[64], b[64];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int expected = vsnprintf(a, room, format, args);
    const size_t length = ag_format(b, room, format, again);
    va_end(args);
    va_end(again);
    same = same && length == (size_t)expected && memcmp(a, b, sizeof a) == 0;
  }
  return same;
}

static void formats_are_those_of_printf(void) {
  const char no_end[3] = {'a', 'b', 'c'};
  CHECK(like_printf("%s", ""));
  CHECK(like_printf("no sign of a conversion"));
  CHECK(like_printf("%s = %s * %s;", "x", "a_longer_name", "y"));
  CHECK(like_printf("%d,%d,%d,%d,%d", 0, 7, -10, INT_MAX, INT_MIN));
  CHECK(like_printf("%c%c%%%d%%", 'a', '%', 5));
  CHECK(like_printf("[%.*s][%.*s][%.*s]", 2, no_end, 3, no_end, 0, no_end));
  CHECK(like_printf("[%.*s][%.*s]", 9, "short", -1, "all of it"));
  CHECK(like_printf("%s %5d %-4s|%02x %g %zu", "others", 42, "ab", 10u, 0.1, (size_t)3));
  CHECK(like_printf("%.3s|%i|%5s", "abcdef", -3, "x"));
}

/* Blocks become larger with the arena: what they give is zero all over, apart, and stays. */
static void memory_of_any_size_is_zeroed(void) {
  ag_arena own = {0};
  enum { COUNT = 400 };
  unsigned char *all[COUNT];
  size_t size[COUNT], dirty = 0, changed = 0;
  for (int k = 0; k < COUNT; k++) { /* 25 MB; the longest are 3 MB */
    size[k] = k % 100 == 99 ? 3 << 20 : (size_t)(k * 7919 % 90000 + 1);
    all[k] = ag_alloc(&own, size[k]);
    for (size_t i = 0; i < size[k]; i++) dirty += all[k][i] != 0;
    memset(all[k], k % 255 + 1, size[k]);
  }
  for (int k = 0; k < COUNT; k++)
    for (size_t i = 0; i < size[k]; i++) changed += all[k][i] != k % 255 + 1;
  CHECK(dirty == 0 && changed == 0);
  ag_arena lasting = {0};
  ag_arena_adopt(&lasting, &own);
  CHECK(own.blocks == NULL && own.size == 0 && lasting.size > 12 << 20);
  CHECK(all[99][0] == 100);
  ag_arena_free(&lasting);
  CHECK(lasting.blocks == NULL && lasting.size == 0);
}

int main(void) {
  RUN(text_grows);
  RUN(a_piece_longer_than_the_room_fits);
  RUN(nothing_added_is_an_empty_text);
  RUN(words_wrap);
  RUN(put_takes_a_part);
  RUN(templates_fill_in);
  RUN(a_template_without_keys_is_copied);
  RUN(formats_are_those_of_printf);
  RUN(memory_of_any_size_is_zeroed);
  ag_arena_free(&arena);
  return test_end();
}

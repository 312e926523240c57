/* text_test.c: text that grows, and templates. */
#include "base/text.h"

#include "test.h"

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

int main(void) {
  RUN(text_grows);
  RUN(a_piece_longer_than_the_room_fits);
  RUN(nothing_added_is_an_empty_text);
  RUN(words_wrap);
  RUN(put_takes_a_part);
  RUN(templates_fill_in);
  RUN(a_template_without_keys_is_copied);
  ag_arena_free(&arena);
  return test_end();
}

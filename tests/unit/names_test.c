/* SPDX-License-Identifier: MIT */
/* names_test.c: URDF names as C identifiers, and names like a mistyped one. */
#include "base/names.h"

#include "test.h"

static ag_arena arena;

static void good_names_stay(void) {
  CHECK_TEXT(ag_identifier("joint_1", &arena), "joint_1");
}

static void illegal_characters_become_underscores(void) {
  CHECK_TEXT(ag_identifier("left arm-2.link", &arena), "left_arm_2_link");
}

static void a_character_of_utf8_counts_once(void) {
  CHECK_TEXT(ag_identifier("bras_\xC3\xA9pais", &arena), "bras__pais");
}

static void leading_digit_gets_an_underscore(void) {
  CHECK_TEXT(ag_identifier("6dof", &arena), "_6dof");
}

static void empty_name_is_an_underscore(void) {
  CHECK_TEXT(ag_identifier("", &arena), "_");
}

static void keywords_of_c_and_cpp_get_an_underscore(void) {
  CHECK_TEXT(ag_identifier("struct", &arena), "struct_");
  CHECK_TEXT(ag_identifier("class", &arena), "class_");
  CHECK_TEXT(ag_identifier("xor_eq", &arena), "xor_eq_");
}

static void parts_of_keywords_are_no_keywords(void) {
  CHECK_TEXT(ag_identifier("structs", &arena), "structs");
  CHECK_TEXT(ag_identifier("or e", &arena), "or_e");
}

/* Whether the names may stand side by side; the error's text otherwise. */
static const char *clash(const char *a, const char *b, const char *c) {
  const ag_name names[] = {{a, ag_identifier(a, &arena), 10},
                           {b, ag_identifier(b, &arena), 20},
                           {c, ag_identifier(c, &arena), 30}};
  static ag_err err;
  err = (ag_err){0};
  if (ag_names_distinct(names, 3, "link", "r.urdf", &arena, &err)) return "distinct";
  return ag_printf(&arena, "%d: %s", err.line, err.what);
}

static void different_names_are_distinct(void) {
  CHECK_TEXT(clash("a", "b", "c"), "distinct");
}

static void the_second_of_equal_names_is_to_blame(void) {
  CHECK_TEXT(clash("b", "a", "b"), "30: a second link \"b\"; the first is at line 10");
  CHECK_TEXT(clash("a", "a", "a"), "20: a second link \"a\"; the first is at line 10");
}

static void equal_identifiers_name_both(void) {
  CHECK_TEXT(clash("a b", "x", "a-b"),
             "30: the links \"a b\" (line 10) and \"a-b\" (line 30) become "
             "the C identifiers a_b and a_b, which are the same");
}

static void case_alone_does_not_distinguish(void) {
  CHECK_TEXT(
      clash("Arm", "x", "aRM"),
      "30: the links \"Arm\" (line 10) and \"aRM\" (line 30) become the C identifiers Arm and "
      "aRM, which differ only in upper and lower case");
}

static void a_keyword_may_clash_with_its_way_out(void) {
  CHECK(strncmp(clash("int", "x", "int_"), "30: the links", 13) == 0);
}

static void edits_are_counted(void) {
  CHECK(ag_edit_distance("", "") == 0);
  CHECK(ag_edit_distance("abc", "") == 3);
  CHECK(ag_edit_distance("link", "lnk") == 1);   /* deleted */
  CHECK(ag_edit_distance("link", "linkk") == 1); /* inserted */
  CHECK(ag_edit_distance("link", "lank") == 1);  /* replaced */
  CHECK(ag_edit_distance("link", "lnik") == 1);  /* swapped */
  CHECK(ag_edit_distance("LINK", "link") == 0);  /* case */
  CHECK(ag_edit_distance("kitten", "sitting") == 3);
}

static void edit_distance_is_symmetric(void) {
  CHECK(ag_edit_distance("forearm", "fro_arm") == ag_edit_distance("fro_arm", "forearm"));
}

static void long_names_do_not_overflow(void) {
  char a[1000], b[1000];
  memset(a, 'a', 999), a[999] = '\0';
  memset(b, 'b', 999), b[999] = '\0';
  CHECK(ag_edit_distance(a, b) == 127);
}

static const char *const LINKS[] = {"base_link", "forearm_link", "upper_arm_link", "tool_frame",
                                    "tool0"};

static const char *near(const char *mistyped) {
  return ag_near_names(LINKS, 5, mistyped, &arena);
}

static void the_misspelt_name_is_found(void) {
  CHECK_TEXT(near("forarm_link"), "\"forearm_link\"");
}

static void a_part_of_a_name_is_found(void) {
  CHECK_TEXT(near("tool"), "\"tool0\" or \"tool_frame\"");
}

static void a_name_with_more_around_it_is_found(void) {
  CHECK_TEXT(near("robot_base_link"), "\"base_link\"");
}

static void an_unlike_name_has_no_near_ones(void) {
  CHECK_TEXT(near("zzz"), "");
}

static void at_most_three_are_named_the_likeliest_first(void) {
  static const char *const MANY[] = {"joint_11", "joint_21", "joint_1", "joint_31"};
  CHECK_TEXT(ag_near_names(MANY, 4, "joint_1x", &arena),
             "\"joint_11\", \"joint_1\" or \"joint_21\"");
}

static void advice_depends_on_near_names(void) {
  CHECK_TEXT(ag_did_you_mean("\"a\"", "look it up", &arena), "did you mean \"a\"?");
  CHECK_TEXT(ag_did_you_mean("", "look it up", &arena), "look it up");
}

int main(void) {
  RUN(good_names_stay);
  RUN(illegal_characters_become_underscores);
  RUN(a_character_of_utf8_counts_once);
  RUN(leading_digit_gets_an_underscore);
  RUN(empty_name_is_an_underscore);
  RUN(keywords_of_c_and_cpp_get_an_underscore);
  RUN(parts_of_keywords_are_no_keywords);
  RUN(different_names_are_distinct);
  RUN(the_second_of_equal_names_is_to_blame);
  RUN(equal_identifiers_name_both);
  RUN(case_alone_does_not_distinguish);
  RUN(a_keyword_may_clash_with_its_way_out);
  RUN(edits_are_counted);
  RUN(edit_distance_is_symmetric);
  RUN(long_names_do_not_overflow);
  RUN(the_misspelt_name_is_found);
  RUN(a_part_of_a_name_is_found);
  RUN(a_name_with_more_around_it_is_found);
  RUN(an_unlike_name_has_no_near_ones);
  RUN(at_most_three_are_named_the_likeliest_first);
  RUN(advice_depends_on_near_names);
  const int status = test_end();
  ag_arena_free(&arena);
  return status;
}

/* SPDX-License-Identifier: MIT */
/* urdf_test.c: the raw document says what the file says. What is wrong with a file is in bad/. */
#define _POSIX_C_SOURCE 200809L
#include "model/robot_file.h"

#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static ag_arena arena;
static ag_urdf doc;
static ag_err err;
static char folder[] = "/tmp/urdf_test_XXXXXX";

/* A file in the test's folder with this text. */
static const char *file_of(const char *name, const char *text, size_t size) {
  const char *path = ag_printf(&arena, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) abort();
  return path;
}

static bool read_path(const char *path) {
  err = (ag_err){0};
  return ag_robot_read(path, true, &doc, &arena, &err);
}

static bool read_text(const char *text) {
  return read_path(file_of("robot.urdf", text, strlen(text)));
}

/* The text inside a <robot> with the links a and b. */
static bool read_inside(const char *text) {
  return read_text(ag_printf(
      &arena, "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/>\n%s\n</robot>\n", text));
}

/* A fixed joint from a to b with something in it. */
static bool read_in_joint(const char *text) {
  return read_inside(ag_printf(&arena,
                               "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
                               "<child link=\"b\"/>%s</joint>",
                               text));
}

static void elements_keep_order_names_and_lines(void) {
  CHECK(read_text("<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n  <link name=\"a\"/>\n"
                  "  <joint name=\"j\" type=\"prismatic\">\n    <parent link=\"a\"/>\n"
                  "    <child link=\"b\"/>\n  </joint>\n  <link name=\"b\"/>\n</robot>\n"));
  CHECK_TEXT(doc.robot, "arm");
  CHECK(doc.robot_line == 2 && doc.nlinks == 2 && doc.njoints == 1);
  CHECK_TEXT(doc.links[0].name, "a");
  CHECK_TEXT(doc.links[1].name, "b");
  CHECK(doc.links[0].line == 3 && doc.links[1].line == 8);
  const ag_urdf_joint *joint = &doc.joints[0];
  CHECK(joint->type == AG_PRISMATIC && joint->line == 4);
  CHECK_TEXT(joint->parent, "a");
  CHECK_TEXT(joint->child, "b");
  CHECK(joint->parent_line == 5 && joint->child_line == 6);
}

static void what_is_missing_has_urdf_defaults(void) {
  CHECK(read_in_joint(""));
  const ag_urdf_joint *joint = &doc.joints[0];
  CHECK(joint->origin.line == 0 && joint->axis_line == 0 && joint->limit_line == 0);
  CHECK(joint->origin.xyz[0].value == 0 && joint->origin.rpy[2].value == 0);
  CHECK(joint->axis[0] == 1 && joint->axis[1] == 0 && joint->axis[2] == 0);
  CHECK(isnan(joint->lower) && isnan(joint->upper));
  CHECK(isnan(joint->effort) && isnan(joint->velocity));
  CHECK(joint->damping == 0 && joint->friction == 0 && joint->dynamics_line == 0);
  CHECK(joint->mimic == NULL && joint->mimic_line == 0);
  CHECK(doc.links[0].inertial_line == 0 && doc.links[0].mass == 0);
}

static void all_of_a_joint_is_read(void) {
  CHECK(read_in_joint("<origin xyz='1 2 3' rpy='4 5 6'/><axis xyz='0 1 0'/>"
                      "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
                      "<dynamics damping='5' friction='6'/>"
                      "<mimic joint='k' multiplier='7' offset='8'/>"));
  const ag_urdf_joint *joint = &doc.joints[0];
  for (int i = 0; i < 3; ++i) {
    CHECK(joint->origin.xyz[i].value == 1 + i);
    CHECK(joint->origin.rpy[i].value == 4 + i);
  }
  CHECK(joint->axis[0] == 0 && joint->axis[1] == 1);
  CHECK(joint->lower == -1 && joint->upper == 2 && joint->effort == 3 && joint->velocity == 4);
  CHECK(joint->damping == 5 && joint->friction == 6);
  CHECK_TEXT(joint->mimic, "k");
  CHECK(joint->multiplier == 7 && joint->offset == 8);
}

static void mimic_defaults_to_the_same_motion(void) {
  CHECK(read_in_joint("<mimic joint='k'/>"));
  CHECK(doc.joints[0].multiplier == 1 && doc.joints[0].offset == 0);
}

static void all_of_an_inertial_is_read(void) {
  CHECK(read_inside("<link name='c'><inertial>\n<origin xyz='1 2 3'/>\n<mass value='4'/>\n"
                    "<inertia ixx='5' ixy='6' ixz='7' iyy='8' iyz='9' izz='10'/>\n"
                    "</inertial></link>"));
  const ag_urdf_link *link = &doc.links[2];
  CHECK(link->inertial_line == 3 && link->com.line == 4);
  CHECK(link->mass_line == 5 && link->inertia_line == 6);
  CHECK(link->com.xyz[2].value == 3 && link->mass == 4);
  for (int i = 0; i < 6; ++i) CHECK(link->inertia[i] == 5 + i);
}

/* The value and decimals of a number as x of an <origin>; 99 decimals: it is refused. */
static ag_decimal decimal(const char *text) {
  if (!read_in_joint(ag_printf(&arena, "<origin xyz='%s 0 0'/>", text))) return (ag_decimal){0, 99};
  return doc.joints[0].origin.xyz[0];
}

static void decimals_are_those_written(void) {
  static const struct {
    const char *text;
    double value;
    int decimals;
  } CASES[] = {{"3.1416", 3.1416, 4},
               {"-1.57080", -1.5708, 5},
               {"2", 2, 0},
               {"+.5", 0.5, 1},
               {"7.", 7, 0},
               {"1.5e-3", 1.5e-3, 4},
               {"31416e-4", 3.1416, 4},
               {"3.1416E0", 3.1416, 4},
               {"3.1416e1", 31.416, 3},
               {"1e5", 1e5, -5},
               {"-0", 0, 0},
               {"1e-320", 1e-320, 320},
               {"1e-999", 0, 999},
               {"1e308", 1e308, -308},
               {"0e4", 0, -4}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
    const ag_decimal got = decimal(CASES[i].text);
    CHECK_NEAR(got.value, CASES[i].value, 0);
    CHECK(got.decimals == CASES[i].decimals);
  }
}

static void what_is_no_number_is_refused(void) {
  static const char *const CASES[] = {
      "nan", "NaN", "inf", "-infinity", "0x1",   "1.2.3",           "1,5",      "--1", "e5", "1e",
      "1e+", ".",   "+",   "1f",        "1e400", "-1e999999999999", "\xD9\xA1", "1;"};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i)
    CHECK(decimal(CASES[i]).decimals == 99 && err.line == 3);
}

static void any_white_space_parts_numbers(void) {
  CHECK(read_in_joint("<origin xyz='  1\t2\n  3 '/>"));
  CHECK(doc.joints[0].origin.xyz[0].value == 1 && doc.joints[0].origin.xyz[2].value == 3);
}

static void lines_beyond_65535_are_right(void) {
  enum { LINES = 100000 };
  char *text = ag_alloc(&arena, LINES + 1);
  memset(text, '\n', LINES);
  CHECK(!read_inside(ag_printf(&arena, "%s<joint/>", text)));
  CHECK(err.line == 3 + LINES);
}

static void windows_line_ends_count_once(void) {
  CHECK(read_text("<robot name='r'>\r\n\r\n<link name='a'/>\r\n</robot>\r\n"));
  CHECK(doc.links[0].line == 3);
}

static void other_encodings_become_utf8(void) {
  CHECK(read_text("<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot name='\xE9'><link "
                  "name='a'/></robot>\n"));
  CHECK_TEXT(doc.robot, "\xC3\xA9");
}

static void a_default_namespace_is_harmless(void) {
  CHECK(read_text("<robot name='r' xmlns='http://www.ros.org'><link name='a'/></robot>"));
  CHECK(doc.nlinks == 1 && doc.nwarnings == 0);
}

static void a_mere_declaration_of_xacro_is_harmless(void) {
  CHECK(read_text("<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><link "
                  "name='a'/></robot>"));
  CHECK(doc.nwarnings == 0);
}

static void what_has_no_dynamics_is_ignored_in_silence(void) {
  CHECK(read_inside("<link name='c'><visual><inertial/></visual><collision/></link><material/>"
                    "<gazebo><joint/></gazebo><transmission><joint/></transmission>"
                    "<ros2_control><joint/></ros2_control>"));
  CHECK(doc.nlinks == 3 && doc.njoints == 0 && doc.nwarnings == 0);
}

static void unknown_elements_and_attributes_are_warned_of(void) {
  CHECK(read_inside("<link name='c' colour='red'/>\n<drake:x xmlns:drake='d'/>\n<jiont/>"));
  CHECK(doc.nwarnings == 3);
  CHECK_TEXT(doc.warnings[0].text, "unknown attribute \"colour\" of <link> is ignored");
  CHECK_TEXT(doc.warnings[1].text, "unknown element <drake:x> in <robot> is ignored");
  CHECK_TEXT(doc.warnings[2].text, "unknown element <jiont> in <robot> is ignored");
  CHECK(doc.warnings[0].line == 3 && doc.warnings[1].line == 4 && doc.warnings[2].line == 5);
}

static void a_missing_file_is_an_error(void) {
  CHECK(!read_path("no_such.urdf"));
  CHECK_TEXT(err.file, "no_such.urdf");
  CHECK_TEXT(err.what, "cannot open the file: No such file or directory");
  CHECK(err.line == 0);
}

static void a_folder_is_an_error(void) {
  CHECK(!read_path(folder));
  CHECK_TEXT(err.what, "this is a folder");
}

static void the_name_of_a_xacro_file_says_so(void) {
  CHECK(!read_path(file_of("arm.urdf.xacro", "<robot/>", 8)));
  CHECK_TEXT(err.what, "this is a xacro file, not yet a URDF: its name says so");
  CHECK_TEXT(err.remedy,
             ag_printf(&arena, "expand it first: xacro %s/arm.urdf.xacro > robot.urdf", folder));
}

static void a_pipe_is_read_like_a_file(void) {
  const char text[] = "<robot name='r'><link name='a'/></robot>";
  int ends[2];
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
  close(ends[1]);
  CHECK(read_path(ag_printf(&arena, "/dev/fd/%d", ends[0])));
  CHECK(doc.nlinks == 1);
  close(ends[0]);
}

static void a_huge_file_is_refused(void) {
  const char *path = file_of("huge.urdf", "", 0);
  CHECK(truncate(path, (32 << 20) + 1) == 0);
  CHECK(!read_path(path));
  CHECK_TEXT(err.what, "the file is larger than 32 MB");
}

static void too_many_links_are_refused(void) {
  const char link[] = "<link name='a'/>";
  const size_t size = sizeof link - 1;
  char *text = ag_alloc(&arena, 10001 * size + 1);
  for (size_t i = 0; i < 10001; ++i) memcpy(text + i * size, link, size);
  CHECK(!read_inside(text));
  CHECK_TEXT(err.what, "the robot has more than 10000 links");
}

/* Ten doublings of an entity would be harmless; the document type is refused before. */
static void entities_are_not_expanded(void) {
  CHECK(!read_text("<!DOCTYPE robot [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]>\n"
                   "<robot name='&b;'/>"));
  CHECK(strncmp(err.what, "<!DOCTYPE>", 10) == 0);
  CHECK(!read_text("<robot name='&undeclared;'/>"));
  CHECK(strncmp(err.what, "not well-formed XML", 19) == 0);
}

static void predefined_entities_are(void) {
  CHECK(read_text("<robot name='&lt;&amp;&#65;'><link name='a'/></robot>"));
  CHECK_TEXT(doc.robot, "<&A");
}

int main(void) {
  if (!mkdtemp(folder)) return 2;
  RUN(elements_keep_order_names_and_lines);
  RUN(what_is_missing_has_urdf_defaults);
  RUN(all_of_a_joint_is_read);
  RUN(mimic_defaults_to_the_same_motion);
  RUN(all_of_an_inertial_is_read);
  RUN(decimals_are_those_written);
  RUN(what_is_no_number_is_refused);
  RUN(any_white_space_parts_numbers);
  RUN(lines_beyond_65535_are_right);
  RUN(windows_line_ends_count_once);
  RUN(other_encodings_become_utf8);
  RUN(a_default_namespace_is_harmless);
  RUN(a_mere_declaration_of_xacro_is_harmless);
  RUN(what_has_no_dynamics_is_ignored_in_silence);
  RUN(unknown_elements_and_attributes_are_warned_of);
  RUN(a_missing_file_is_an_error);
  RUN(a_folder_is_an_error);
  RUN(the_name_of_a_xacro_file_says_so);
  RUN(a_pipe_is_read_like_a_file);
  RUN(a_huge_file_is_refused);
  RUN(too_many_links_are_refused);
  RUN(entities_are_not_expanded);
  RUN(predefined_entities_are);
  static const char *const FILES[] = {"robot.urdf", "arm.urdf.xacro", "huge.urdf"};
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; ++i)
    unlink(ag_printf(&arena, "%s/%s", folder, FILES[i]));
  rmdir(folder);
  ag_arena_free(&arena);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* emit_test.c: emitted text, compiled without contraction, gives the evaluator's numbers to the
 * bit. emit_test [CC]   (default cc) */
#define _XOPEN_SOURCE 700
#include "emit/access.h"
#include "emit/function.h"
#include "emit/header.h"
#include "emit/language_c.h"

#include "small_program.h"
#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static const char *cc = "cc";
static char folder[] = "/tmp/emit_test_XXXXXX";

static const char *in_folder(const char *name) {
  return ag_printf(&arena, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "w");
  if (!file) abort();
  fputs(text, file);
  fclose(file);
}

/* in[] and out[] as arrays of double, for a program whose structs are filled by the access text of
 * its elements; sines and cosines by the text's own trig_of, of the joint position, element 0. */
static const char *driver(ag_mode mode) {
  ag_text t = {.arena = &arena};
  const char *p = header.prefix;
  if (mode == AG_MODE_HEADER) ag_text_add(&t, "#define %s_IMPLEMENTATION\n", header.upper);
  ag_text_add(&t,
              "#include \"small.h\"\n"
              "unsigned drive(const double *x, double *y);\n"
              "unsigned drive(const double *x, double *y) {\n"
              "  %s_f_in in;\n  %s_f_out out;\n  %s_trig trig;\n  unsigned status;\n"
              "  %s_real q[%s_NJ] = {0};\n  q[0] = (%s_real)x[0];\n  %s_trig_of(q, &trig);\n",
              p, p, p, p, header.upper, p, p);
  for (int k = 0; k < function->in.nelements; k++)
    ag_text_add(&t, "  in.%s = (%s_real)x[%d];\n",
                ag_emit_access(&header, &function->in.elements[k]), p, k);
  ag_text_add(&t, "  status = %s_f_trig(&trig, &in, &out);\n", p);
  for (int k = 0; k < function->out.nelements; k++)
    ag_text_add(&t, "  y[%d] = (double)out.%s;\n", k,
                ag_emit_access(&header, &function->out.elements[k]));
  ag_text_add(&t, "  return status;\n}\n");
  return t.chars;
}

static const char *text, *body;

/* Schedules the program and makes its text. */
static void emit(ag_mode mode) {
  lower();
  const ag_header_options options = {.mode = mode, .file = "small.h", .command = "achdgen small"};
  ag_err err = {0};
  const bool good = ag_header_text(&header, &options, &text, &body, &err);
  CHECK(good && !err.set);
}

typedef unsigned drive(const double *, double *);
static void *library;

/* Compiles the text and its driver; NULL where the compiler has something to say. */
static drive *compile(ag_mode mode, const char *options) {
  static int count;
  const char *object = ag_printf(&arena, "small%d.so", count++);
  write_text("small.h", text);
  if (body) write_text("small.c", body);
  write_text("drive.c", driver(mode));
  const char *command = ag_printf(
      &arena,
      "cd %s && %s -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow "
      "-Werror -ffp-contract=off %s -shared -fPIC -o %s drive.c %s -lm",
      folder, cc, options, object, mode == AG_MODE_SPLIT ? "small.c" : "");
  const bool good = system(command) == 0;
  CHECK(good);
  if (!good) return NULL;
  library = dlopen(in_folder(object), RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  drive *f = NULL;
  if (library) *(void **)&f = dlsym(library, "drive");
  return f;
}

static bool same_bits(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* The compiled function and the evaluator on n inputs. */
static void agree(drive *f, const double *in) {
  const int n = function->out.nelements;
  double *compiled = ag_alloc(&arena, (size_t)n * sizeof *compiled);
  double *evaluated = ag_alloc(&arena, (size_t)n * sizeof *evaluated);
  const unsigned status = run(in, evaluated);
  CHECK(f(in, compiled) == status);
  int different = 0;
  for (int k = 0; k < n; k++) different += !same_bits(compiled[k], evaluated[k]);
  CHECK(different == 0);
}

static void random_programs_give_the_same_bits(void) {
  for (int seed = 1; seed <= 6; seed++) {
    start(seed % 2 == 0);
    forest f;
    forest_new(&f, (uint64_t)seed);
    ag_id bit = ag_bool(&graph->dag, false);
    for (int k = 0; k < 1200; k++) {
      if (k % 40 == 0) ag_graph_region(&arena, graph, "some region", "test.lua:1", NULL, 0);
      const ag_id a = grow(&f).id, b = grow(&f).id;
      if (k % 10 == 0) output(ag_printf(&arena, "y%d", k), a);
      if (k % 100 == 0)
        bit = ag_or(&graph->dag, ag_lt(&graph->dag, a, b), ag_not(&graph->dag, bit));
    }
    ag_graph_status(&arena, graph, AG_GENERAL, 1, bit);
    ag_graph_status(&arena, graph, AG_GENERAL, 16,
                    ag_lt(&graph->dag, f.pool[0].id, ag_constant(&graph->dag, 0)));
    const ag_mode mode = (ag_mode)(seed % 3);
    emit(mode);
    drive *const compiled = compile(mode, seed % 3 ? "-O1" : "-O2");
    if (!compiled) return;
    dice d = {(uint64_t)seed};
    for (int k = 0; k < 20; k++) {
      double in[2 + SMALL_INPUTS];
      for (int i = 0; i < 2 + SMALL_INPUTS; i++) in[i] = between(&d, -3, 3);
      if (k == 18) in[4] = (double)NAN;
      if (k == 19) in[5] = (double)INFINITY;
      agree(compiled, in);
    }
    dlclose(library);
  }
}

/* Every pair of operators, one inside the other, on both sides: brackets where C needs them. */
static void brackets_stand_where_c_needs_them(void) {
  start(false);
  ag_dag *dag = &graph->dag;
  ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  const ag_id x = input("x"), y = input("y"), z = input("z");
  const ag_id c1 = ag_lt(dag, x, y), c2 = ag_eq(dag, y, z);
  const ag_id inner[] = {ag_add(dag, x, y),
                         ag_sub(dag, x, y),
                         ag_mul(dag, x, y),
                         ag_div(dag, x, y),
                         ag_neg(dag, x),
                         ag_select(dag, c1, x, z),
                         ag_select(dag, ag_probe(dag, ag_add(dag, x, x)), y, z),
                         ag_constant(dag, -1.5),
                         ag_neg(dag, ag_mul(dag, ag_constant(dag, 3), z))};
  int count = 0;
  for (int k = 0; k < 9; k++) {
    const ag_id i = inner[k];
    const ag_id outer[] = {ag_add(dag, i, z),
                           ag_sub(dag, z, i),
                           ag_sub(dag, i, z),
                           ag_mul(dag, z, i),
                           ag_div(dag, i, z),
                           ag_neg(dag, i),
                           ag_div(dag, z, ag_add(dag, ag_constant(dag, 9), i)),
                           ag_select(dag, ag_probe(dag, i), y, x),
                           ag_select(dag, c2, i, x),
                           ag_select(dag, c1, y, i),
                           ag_select(dag, ag_lt(dag, i, z), x, y),
                           ag_select(dag, ag_eq(dag, i, z), x, y)};
    for (int o = 0; o < 12; o++) output(ag_printf(&arena, "y%d", count++), outer[o]);
  }
  const ag_id c3 = ag_lt(dag, z, x);
  const ag_id conditions[] = {ag_not(dag, ag_or(dag, c1, c2)), ag_and(dag, ag_or(dag, c1, c2), c3),
                              ag_or(dag, ag_and(dag, c1, c2), c3),
                              ag_not(dag, ag_and(dag, c3, ag_not(dag, c1))), ag_bool(dag, true)};
  for (int k = 0; k < 5; k++) {
    output(ag_printf(&arena, "y%d", count++), ag_select(dag, conditions[k], x, y));
    ag_graph_status(&arena, graph, AG_GENERAL, 1u << k, conditions[k]);
  }
  for (int k = 0; k < graph->ways[AG_GENERAL].nstatus; k++) /* the enumerators' own numbers */
    graph->ways[AG_GENERAL].status[k].bit = k % 2 ? 2 : 1;
  emit(AG_MODE_INLINE);
  drive *const f = compile(AG_MODE_INLINE, "-O1");
  if (!f) return;
  static const double values[] = {-2, 0, 0.75, 3};
  for (int k = 0; k < 64; k++)
    agree(f, (double[]){0, 0, values[k % 4], values[k / 4 % 4], values[k / 16]});
  dlclose(library);
}

/* The number that stands behind `out->NAME = ` in the text. */
static const char *result(const char *name) {
  const char *at = strstr(text, ag_printf(&arena, "out->%s = ", name));
  return at ? strchr(at, '=') + 2 : "";
}

static void numbers_read_back(void) {
  static const double values[] = {0,
                                  1,
                                  -1,
                                  0.1,
                                  1.0 / 3,
                                  1e22,
                                  -1e-300,
                                  5e-324,
                                  2.25e-308,
                                  1.7976931348623157e308,
                                  123456789012345678.0,
                                  100000,
                                  9007199254740993.0,
                                  0x1.fffffffffffffp-1};
  static const double singles[] = {0.1,  1.0 / 3, 3.4028234e38,   1e-45,      -16777217,
                                   1e10, -0.5,    1.17549435e-38, 0.100000001};
  for (int single = 0; single < 2; single++) {
    const double *list = single ? singles : values;
    const int count = single ? 9 : 14;
    start(single);
    ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
    for (int k = 0; k < count; k++)
      output(ag_printf(&arena, "y%d", k), ag_constant(&graph->dag, list[k]));
    output("q0", ag_input(&graph->dag, 0));
    emit(AG_MODE_INLINE);
    bool back = true, typed = true;
    for (int k = 0; k < count; k++) {
      const char *at = result(ag_printf(&arena, "y%d", k));
      char *end;
      at += *at == '(';
      if (single)
        back = back && same_bits((double)strtof(at, &end), (double)(float)list[k]);
      else
        back = back && same_bits(strtod(at, &end), list[k]);
      /* a floating constant of the right type: 1.0, 1e+22, 0.5f */
      typed = typed && strcspn(at, ".e") < (size_t)(end - at) && (*end == 'f') == (single == 1);
    }
    CHECK(back);
    CHECK(typed);
    drive *const f = compile(AG_MODE_INLINE, "-O0");
    if (!f) return;
    agree(f, (double[]){0, 0});
    dlclose(library);
  }
}

static size_t longest_line(const char *at) {
  size_t longest = 0;
  while (*at) {
    const size_t length = strcspn(at, "\n");
    if (length > longest) longest = length;
    at += length + (at[length] == '\n');
  }
  return longest;
}

static void long_statements_are_broken(void) {
  start(false);
  ag_dag *dag = &graph->dag;
  ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  ag_id x[8];
  for (int k = 0; k < 8; k++)
    x[k] = input(ag_printf(&arena, "an_input_with_a_name_that_is_rather_long_%d", k));
  const ag_id sum = ag_add(dag, ag_mul(dag, x[0], x[1]), ag_mul(dag, x[2], x[3]));
  const ag_id low = ag_and(dag, ag_lt(dag, x[4], x[5]), ag_lt(dag, x[6], x[7]));
  output("an_output_with_a_name_that_is_rather_long", ag_select(dag, low, sum, ag_neg(dag, sum)));
  ag_graph_status(&arena, graph, AG_GENERAL, 1, ag_not(dag, low));
  ag_graph_status(&arena, graph, AG_GENERAL, 16, ag_or(dag, low, ag_eq(dag, x[0], x[7])));
  lower();
  ag_text definition = {.arena = &arena};
  ag_emit_definition(&definition, &ag_in_c, &header, plan, "static inline ");
  CHECK(longest_line(definition.chars) <= 100);
  emit(AG_MODE_INLINE);
  drive *const f = compile(AG_MODE_INLINE, "-O1");
  if (!f) return;
  agree(f, (double[]){0, 0, 1, 2, 3, 4, 5, 6, 7, 8});
  agree(f, (double[]){0, 0, 1, 2, 3, 4, 7, 6, 7, 1});
  dlclose(library);
}

static void labels_name_values_each_once(void) {
  start(false);
  ag_dag *dag = &graph->dag;
  ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  const ag_id x = input("x"), y = input("y"), z = input("z");
  const ag_id once = ag_mul(dag, x, y), first = ag_mul(dag, y, z), second = ag_mul(dag, x, z);
  dag->nodes[once].name = "D1", dag->nodes[once].labelled = true;
  dag->nodes[first].name = dag->nodes[second].name = "U";
  dag->nodes[first].labelled = dag->nodes[second].labelled = true;
  output("a", ag_div(dag, once, ag_add(dag, first, second)));
  emit(AG_MODE_INLINE);
  CHECK(strstr(text, "const small_real D1 = ") != NULL);
  CHECK(strstr(text, "const small_real U = ") != NULL);
  CHECK(strstr(text, "const small_real U_n2 = ") != NULL); /* not twice the same name */
  drive *const f = compile(AG_MODE_INLINE, "-O1");
  if (!f) return;
  agree(f, (double[]){0, 0, 1, 2, 3});
  dlclose(library);
}

/* Names of a URDF stand in comments; they may hold anything. */
static void no_name_ends_a_comment(void) {
  start(false);
  ag_graph_region(&arena, graph, "link */ #error one /*", "x.lua:1", NULL, 0);
  ag_quantity_add(
      &header, &function->in,
      &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", "of {*/ #error two\n#error three}"});
  const ag_id x = input("x");
  output("a", ag_mul(&graph->dag, ag_sin(&graph->dag, ag_input(&graph->dag, 0)), x));
  static ag_remark remark = {"robot", NULL};
  remark.text = ag_comment(&arena, "/*/ */ #error four");
  header.remarks = &remark;
  header.nremarks = 1;
  emit(AG_MODE_HEADER);
  drive *const f = compile(AG_MODE_HEADER, "-O1");
  if (!f) return;
  agree(f, (double[]){0.3, 0, 5});
  dlclose(library);
}

static void modes_differ_in_where_bodies_stand(void) {
  start(false);
  ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  output("a", input("x"));
  emit(AG_MODE_HEADER);
  CHECK(body == NULL && strstr(text, "#if defined(SMALL_IMPLEMENTATION)") &&
        strstr(text, "out->a = "));
  CHECK(strstr(text, "static inline small_status") == NULL);
  emit(AG_MODE_INLINE);
  CHECK(body == NULL && !strstr(text, "IMPLEMENTATION") && strstr(text, "out->a = "));
  CHECK(strstr(text, "static inline small_status small_f(") != NULL);
  emit(AG_MODE_SPLIT);
  CHECK(body != NULL && !strstr(text, "out->a = ") && strstr(text, "small_status small_f("));
  CHECK(body && strstr(body, "#include \"small.h\"") && strstr(body, "out->a = "));
}

static void the_same_program_gives_the_same_text(void) {
  const char *first = NULL;
  for (int round = 0; round < 2; round++) {
    start(false);
    forest f;
    forest_new(&f, 11);
    for (int k = 0; k < 300; k++) output(ag_printf(&arena, "y%d", k), grow(&f).id);
    emit(AG_MODE_HEADER);
    if (first) CHECK(strcmp(first, text) == 0);
    first = text;
  }
}

int main(int argc, char **argv) {
  if (argc > 1) cc = argv[1];
  if (!mkdtemp(folder)) return 1;
  RUN(random_programs_give_the_same_bits);
  RUN(brackets_stand_where_c_needs_them);
  RUN(numbers_read_back);
  RUN(long_statements_are_broken);
  RUN(labels_name_values_each_once);
  RUN(no_name_ends_a_comment);
  RUN(modes_differ_in_where_bodies_stand);
  RUN(the_same_program_gives_the_same_text);
  if (system(ag_printf(&arena, "rm -r %s", folder)) != 0) return 1;
  ag_arena_free(&arena);
  return test_end();
}

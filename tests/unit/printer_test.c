/* SPDX-License-Identifier: MIT */
/* printer_test.c: a printer that the generator does not have, in one record: OpenCL C. What it prints of robots is OpenCL C as
 * clang reads it, where there is one; and compiled as C, its address spaces defined away, it gives the evaluator's numbers: to
 * the bit where all angles are 0, else to what sines of the C library differ by. printer_test [CC] */
#define _XOPEN_SOURCE 700
#include "emit/access.h"
#include "emit/expression.h"
#include "emit/header.h"
#include "emit/number.h"
#include "emit/trig.h"
#include "graph/eval.h"
#include "lower/lower.h"
#include "model/robot_file.h"
#include "model/model.h"
#include "script/script.h"

#include "test.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the record ---- */

/* OpenCL C has isfinite, and functions of one argument for what C writes with vectors of bits. */
static void probe_one(ag_text *t, const ag_printer *p, const char *number, int exponent) {
  if (exponent == AG_FINITE)
    ag_text_add(t, "!isfinite(%s)", number);
  else
    ag_text_add(t, "!(fabs(%s) < %s)", number, ag_emit_number(p->header, ldexp(1, exponent)));
}

static void probe(ag_text *t, const ag_printer *p, const ag_node *n) {
  ag_arena *arena = p->header->arena;
  ag_text number = {.arena = arena};
  ag_text_add(t, "(");
  if (n->op == AG_PROBE) {
    ag_emit_expression(&number, p, n->a);
    probe_one(t, p, number.chars, AG_FINITE);
  }
  for (int i = n->a; n->op == AG_PROBE_INPUTS && i <= n->b; i++) {
    ag_text_add(t, i > n->a ? " | " : "");
    probe_one(t, p, ag_emit_input(p, i), n->c);
  }
  for (int i = 0; n->op == AG_PROBE_TURNS && i < 2 * p->header->nangles; i++) {
    ag_text_add(t, i ? " | " : "");
    probe_one(t, p, ag_printf(arena, p->language->sine, i % 2 ? 'c' : 's', i / 2), 1);
  }
  ag_text_add(t, ")");
}

static void trig_of(ag_text *t, const ag_header *h) {
  ag_emit_trig_by(t, h, "sin", "cos");
}

static const ag_language opencl = {.real = "%s_real",
                                   .boolean = "int",
                                   .structs = "",
                                   .dimension = "",
                                   .constant = "const ",
                                   .space = "__global ",
                                   .function = "static ",
                                   .member = "->",
                                   .sine = "trig->%c[%d]",
                                   .trig_of = trig_of,
                                   .probe = probe,
                                   .comment = {"/* ", " * ", " */"},
                                   .number = ag_emit_number,
                                   .help = "/* %s: of one state a work item. */\n"};

/* ---- what it prints ---- */

static ag_arena arena;
static const char *cc = "cc";
static char folder[] = "/tmp/printer_test_XXXXXX";

static const char *in_folder(const char *name) {
  return ag_printf(&arena, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "w");
  if (!file) abort();
  fputs(text, file);
  fclose(file);
}

static bool runs(const char *command) {
  return system(ag_printf(&arena, "cd %s && %s", folder, command)) == 0;
}

/* A kernel for many states, which a program of OpenCL begins with. */
static const char *kernel(const ag_header *h, const ag_graph *p) {
  const char *n = h->prefix, *f = p->function->name;
  return ag_printf(&arena,
                   "__kernel void %s_%s_states(__global const %s_%s_in *in, __global %s_%s_out "
                   "*out, __global %s_status *status) {\n"
                   "  const size_t i = get_global_id(0);\n"
                   "  status[i] = %s_%s(&in[i], &out[i]);\n}\n",
                   n, f, n, p->function->takes, n, p->function->fills, n, n, f);
}

/* in[] and out[] as arrays of double, of the text compiled as C. */
static const char *driver(const ag_header *h, const ag_graph *p) {
  ag_text t = {.arena = &arena};
  const char *n = h->prefix, *f = p->function->name;
  ag_text_add(&t,
              "#include <math.h>\n#define __global\n#include \"robot.cl\"\n"
              "unsigned drive(const double *x, double *y) {\n  %s_%s_in in;\n  %s_%s_out out;\n",
              n, p->function->takes, n, p->function->fills);
  for (int k = 0; k < p->function->in.nelements; k++)
    ag_text_add(&t, "  in.%s = (%s_real)x[%d];\n", ag_emit_access(h, &p->function->in.elements[k]),
                n, k);
  ag_text_add(&t, "  const unsigned status = %s_%s(&in, &out);\n", n, f);
  for (int k = 0; k < p->function->out.nelements; k++)
    ag_text_add(&t, "  y[%d] = (double)out.%s;\n", k,
                ag_emit_access(h, &p->function->out.elements[k]));
  ag_text_add(&t, "  return status;\n}\n");
  return t.chars;
}

static double drawn(void) { /* in -1..1 */
  static unsigned long long state = 7;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

/* The compiled function beside the evaluator in one state, whose angles are all 0 or not. */
static void compare(const ag_header *h, const ag_graph *p,
                    unsigned (*drive)(const double *, double *), bool turned) {
  const int n = p->function->out.nelements;
  double *in = ag_alloc(&arena, (size_t)p->function->in.nelements * sizeof *in);
  double *out = ag_alloc(&arena, (size_t)n * sizeof *out),
         *y = ag_alloc(&arena, (size_t)n * sizeof *y);
  double *work = ag_alloc(&arena, (size_t)p->dag.count * sizeof *work);
  for (int k = 0; k < p->function->in.nquantities; k++) {
    const ag_quantity *q = &p->function->in.quantities[k];
    for (int i = q->first; i < q->first + q->size; i++)
      in[i] = q->shape == AG_MASKS ? 1 : q->shape == AG_JOINTS && !turned ? 0 : drawn();
  }
  const unsigned status = ag_eval(p, h->target.single, in, out, work);
  CHECK(drive(in, y) == status);
  double largest = 1, difference = 0;
  for (int k = 0; k < n; k++) {
    largest = fmax(largest, fabs(out[k]));
    difference = fmax(difference, fabs(out[k] - y[k]));
  }
  CHECK(isfinite(largest) &&
        difference <= (turned ? (h->target.single ? 1e-3 : 1e-9) * largest : 0));
}

static void try_robot(const char *name, const char *function, bool single) {
  ag_err err = {0};
  ag_urdf doc;
  ag_model model;
  ag_header header;
  ag_script *script = NULL;
  const ag_script_options options = {
      .layout = ag_printf(&arena, "%s/robots/%s.lua", ACHD_SOURCE_DIR, name),
      .functions = &function,
      .nfunctions = 1,
      .target = {.single = single},
      .regroup = true};
  const char *path = ag_printf(&arena, "%s/robots/%s.urdf", ACHD_SOURCE_DIR, name);
  const bool built = ag_robot_read(path, true, &doc, &arena, &err) &&
                     ag_model_build(&doc, true, &model, &arena, &err) &&
                     ag_script_build(&model, &options, &header, &script, &arena, &err);
  CHECK(built);
  if (!built) return;
  CHECK(ag_lower_functions(&header, &err));
  const ag_graph *graph = header.functions[0]->graph;
  const char *text = ag_language_text(&header, &opencl);
  write_text("robot.cl", text);
  write_text("kernel.cl", ag_printf(&arena, "%s%s", text, kernel(&header, graph)));
  write_text("drive.c", driver(&header, graph));
  if (runs("command -v clang >told 2>&1"))
    CHECK(runs(
        "clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -Wall -Werror "
        "-Wno-unused-function kernel.cl"));
  const char *object = ag_printf(&arena, "%s_%s.so", name, function);
  const bool good = runs(ag_printf(&arena,
                                   "%s -std=c99 -Wall -Wextra -Werror -Wno-unused-function -O1 "
                                   "-ffp-contract=off -shared -fPIC -o %s "
                                   "drive.c -lm",
                                   cc, object));
  CHECK(good);
  void *library = good ? dlopen(in_folder(object), RTLD_NOW | RTLD_LOCAL) : NULL;
  unsigned (*drive)(const double *, double *) = NULL;
  if (library) *(void **)&drive = dlsym(library, "drive");
  CHECK(drive != NULL);
  for (int k = 0; drive && k < 20; k++) compare(&header, graph, drive, k > 0);
  if (library) dlclose(library);
  ag_script_close(script);
}

int main(int argc, char **argv) {
  if (argc > 1) cc = argv[1];
  if (!mkdtemp(folder)) abort();
  try_robot("gen3", "achd", false);
  try_robot("youbot", "fd", true);
  try_robot("quadruped", "id", false);
  const bool gone = runs("rm -f *") && rmdir(folder) == 0;
  CHECK(gone);
  ag_arena_free(&arena);
  return test_end();
}

/* main.c: the achdgen program: options in, steps in order, files out. */
#include "check/check.h"
#include "report/columns.h"
#include "emit/depfile.h"
#include "describe.h"
#include "emit/function.h"
#include "emit/header.h"
#include "report/inspect.h"
#include "base/files.h"
#include "script/script.h"
#include "report/tree_drawing.h"
#include "base/text.h"
#include "base/version.h"

#include <stdlib.h>
#include <string.h>

static const char *const usage =
    "usage: achdgen ROBOT.urdf [options]\n"
    "Writes straight-line C that solves the constrained dynamics of exactly that robot.\n"
    "\n"
    "  --layout FILE.lua   what to constrain, put in and put out (default: six maskable rows at\n"
    "                      the deepest leaf)\n"
    "  -o FILE             the header; - is standard output (default: NAME_achd.h here)\n"
    "  --name NAME         prefix of everything emitted (default: the layout's, the robot's)\n"
    "  --functions LIST    functions to emit, separated by commas: achd (default), fk, fvk, fak,\n"
    "                      jac, jdqd, id, fd, gravity, bias, crba, energy, com; where the layout\n"
    "                      bounds rows, mclp (mclp and apply, default) in place of achd\n"
    "  --formulation F     recursion or joint (default: the cheaper by count)\n"
    "  --real TYPE         double (default) or float\n"
    "  --batch K           functions over K states at once beside the plain ones: 2, 4, 8 or 16\n"
    "  --mode MODE         header (default): bodies under NAME_IMPLEMENTATION; inline: static\n"
    "                      inline; split: a .h and a .c\n"
    "  --snap 0|1          take angles for the multiples of pi/4 that their decimals round\n"
    "                      (default 1); 0: the numbers as written\n"
    "  --depfile FILE      write what the header was made of, as a rule for Make or Ninja\n"
    "\n"
    "instead of writing a header:\n"
    "  --init              print a layout of this robot to begin with: its limbs, tips, grippers,\n"
    "                      mimic joints and limits, and a line for every word that it could use\n"
    "  --inspect           print joints, masses, what was merged and snapped, rows, inputs,\n"
    "                      outputs, operation counts\n"
    "    --svg FILE          and draw the kinematic tree with frames, masses, groups and "
    "wrenches;\n"
    "                        - is standard output, with nothing else on it\n"
    "  --columns           print the columns of --eval: in NAME UNIT, out NAME UNIT\n"
    "  --eval              read states from standard input, one a line, and print results\n"
    "                      (with several functions: the first)\n"
    "  --check [N]         run N random states (default 100) through the programs, the scripts "
    "that\n"
    "                      made them and the equations of motion; print the worst errors; exit 1\n"
    "                      where one is more than rounding\n"
    "\n"
    "without a robot:\n"
    "  --machine FILE.lua  check a state machine's description, write it as a header of const\n"
    "                      tables for the runtime library (default: NAME_machine.h here);\n"
    "                      with -o, --depfile, and --svg, which draws it\n"
    "  --task FILE.lua     the same for tasks of the task frame formalism (default: NAME_task.h)\n"
    "\n"
    "  --help, --version\n";

typedef enum action { WRITE, INIT, INSPECT, COLUMNS, EVAL, CHECK } action;
enum { CHECK_STATES = 100, MOST_STATES = 1000000 };

typedef struct arguments {
  const char *urdf, *layout, *output, *name, *formulation, *svg, *depfile, *description;
  ag_description_kind kind; /* of the description */
  const char **functions;
  int nfunctions;
  bool single, snap;
  int batch;
  ag_mode mode;
  action action;
  int states;          /* of a check */
  const char *command; /* as the banner shows it */
} arguments;

static bool one_of(const char *option, const char *value, const char *const *words, int *index,
                   ag_arena *arena, ag_err *err) {
  const char *list = "";
  for (int k = 0; words[k]; k++) {
    if (strcmp(value, words[k]) == 0) {
      *index = k;
      return true;
    }
    list = ag_printf(arena, "%s%s%s", list, k ? " or " : "", words[k]);
  }
  return ag_fail(err, "", 0, ag_printf(arena, "write %s %s", option, list), "%s is \"%s\"", option,
                 value);
}

static bool split_functions(arguments *a, const char *list, ag_arena *arena, ag_err *err) {
  static const char *const known[] = {"achd", "fk",     "fvk", "fak",     "jac",
                                      "jdqd", "id",     "fd",  "gravity", "bias",
                                      "crba", "energy", "com", "mclp",    NULL};
  char *copy = ag_strdup(arena, list);
  a->functions = ag_alloc(arena, (strlen(list) + 1) * sizeof *a->functions);
  a->nfunctions = 0;
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int index = 0;
    if (!one_of("--functions", word, known, &index, arena, err)) return false;
    for (int k = 0; k < a->nfunctions; k++)
      if (strcmp(a->functions[k], word) == 0)
        return ag_fail(err, "", 0, "name each function once", "--functions names %s twice", word);
    a->functions[a->nfunctions++] = known[index];
    if (strcmp(word, "mclp") == 0)
      a->functions[a->nfunctions++] = "apply"; /* one goes with the other */
  }
  if (a->nfunctions == 0)
    return ag_fail(err, "", 0, "write --functions achd", "--functions names none");
  return true;
}

/* An option with a value: sets what it means. */
static bool set_option(arguments *a, const char *option, const char *value, ag_arena *arena,
                       ag_err *err) {
  static const char *const reals[] = {"double", "float", NULL},
                           *const modes[] = {"header", "inline", "split", NULL},
                           *const batches[] = {"2", "4", "8", "16", NULL},
                           *const snaps[] = {"0", "1", NULL},
                           *const formulations[] = {"recursion", "joint", NULL};
  int k = 0;
  if (strcmp(option, "--layout") == 0) {
    a->layout = value;
  } else if (strcmp(option, "-o") == 0) {
    a->output = value;
  } else if (strcmp(option, "--name") == 0) {
    a->name = value;
  } else if (strcmp(option, "--svg") == 0) {
    a->svg = value;
  } else if (strcmp(option, "--machine") == 0 || strcmp(option, "--task") == 0) {
    if (a->description)
      return ag_fail(err, "", 0, "run achdgen for each", "two descriptions: %s and %s",
                     a->description, value);
    a->description = value;
    a->kind = strcmp(option, "--task") == 0 ? AG_TASK : AG_MACHINE;
  } else if (strcmp(option, "--depfile") == 0) {
    a->depfile = value;
  } else if (strcmp(option, "--functions") == 0) {
    return split_functions(a, value, arena, err);
  } else if (strcmp(option, "--formulation") == 0) {
    if (!one_of(option, value, formulations, &k, arena, err)) return false;
    a->formulation = formulations[k];
  } else if (strcmp(option, "--real") == 0) {
    if (!one_of(option, value, reals, &k, arena, err)) return false;
    a->single = k == 1;
  } else if (strcmp(option, "--batch") == 0) {
    if (!one_of(option, value, batches, &k, arena, err)) return false;
    a->batch = 2 << k;
  } else if (strcmp(option, "--mode") == 0) {
    if (!one_of(option, value, modes, &k, arena, err)) return false;
    a->mode = (ag_mode)k;
  } else {
    if (!one_of(option, value, snaps, &k, arena, err)) return false;
    a->snap = k == 1;
  }
  return true;
}

static bool takes_value(const char *option) {
  static const char *const with[] = {
      "--layout", "-o",     "--name", "--functions", "--formulation", "--real", "--batch",
      "--mode",   "--snap", "--svg",  "--depfile",   "--machine",     "--task", NULL};
  for (int k = 0; with[k]; k++)
    if (strcmp(option, with[k]) == 0) return true;
  return false;
}

/* The N of --check: digits only; false: it is something else. */
static bool count_of(const char *word, int *count) {
  char *end;
  if (word[0] < '0' || word[0] > '9') return false;
  const long n = strtol(word, &end, 10);
  if (*end != '\0') return false;
  *count = n > MOST_STATES ? MOST_STATES + 1 : (int)n;
  return true;
}

static bool valid_name(const char *name) {
  for (const char *c = name; *c; c++)
    if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
          (c > name && *c >= '0' && *c <= '9')))
      return false;
  return *name != '\0';
}

/* A description has no robot, and only few options. */
static bool description_only(const arguments *a, ag_err *err) {
  const char *remedy =
      a->kind == AG_MACHINE
          ? "write achdgen --machine FILE.lua [-o FILE] [--svg FILE] [--depfile FILE]"
          : "write achdgen --task FILE.lua [-o FILE] [--depfile FILE]";
  const char *option = a->kind == AG_MACHINE ? "--machine" : "--task";
  if (a->urdf)
    return ag_fail(err, "", 0, remedy, "%s takes no robot, but there is %s", option, a->urdf);
  if (a->svg && a->kind == AG_TASK)
    return ag_fail(err, "", 0, remedy, "--svg draws machines and robots, no tasks");
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  if (a->depfile && to_stdout)
    return ag_fail(err, "", 0, remedy, "--depfile goes with a header in a file");
  if (a->svg && to_stdout && strcmp(a->svg, "-") == 0)
    return ag_fail(err, "", 0, remedy, "header and drawing both go to standard output");
  if (a->layout || a->name || a->functions || a->formulation || a->single || a->batch || !a->snap ||
      a->mode != AG_MODE_HEADER || a->action != WRITE)
    return ag_fail(err, "", 0, remedy, "an option that is for robots stands beside %s", option);
  return true;
}

static bool parse(int argc, char **argv, arguments *a, ag_arena *arena, ag_err *err) {
  static const char *const see = "achdgen --help lists the options";
  *a = (arguments){.snap = true};
  const char *command = "achdgen";
  for (int i = 1; i < argc; i++) {
    char *word = argv[i];
    const char *value = NULL;
    char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    if (equals) {
      word = ag_printf(arena, "%.*s", (int)(equals - argv[i]), argv[i]);
      value = equals + 1;
    }
    if (takes_value(word)) {
      if (!value && i + 1 == argc) return ag_fail(err, "", 0, see, "%s needs a value", word);
      if (!value) value = argv[++i];
      if (!set_option(a, word, value, arena, err)) return false;
      const bool path = strcmp(word, "--layout") == 0 || a->description == value;
      if (strcmp(word, "-o") != 0 && strcmp(word, "--depfile") != 0 && strcmp(word, "--svg") != 0)
        command = ag_printf(arena, "%s %s %s", command, word, path ? ag_base_name(value) : value);
    } else if (!value && strcmp(word, "--init") == 0) {
      a->action = INIT;
    } else if (!value && strcmp(word, "--inspect") == 0) {
      a->action = INSPECT;
    } else if (!value && strcmp(word, "--columns") == 0) {
      a->action = COLUMNS;
    } else if (!value && strcmp(word, "--eval") == 0) {
      a->action = EVAL;
    } else if (strcmp(word, "--check") == 0) {
      a->action = CHECK;
      a->states = CHECK_STATES;
      if (value && !count_of(value, &a->states))
        return ag_fail(err, "", 0, "write --check 100", "--check is \"%s\"", value);
      if (!value && i + 1 < argc && count_of(argv[i + 1], &a->states)) i++;
      if (a->states < 1 || a->states > MOST_STATES)
        return ag_fail(err, "", 0, "write --check 100", "--check takes 1 to %d states",
                       (int)MOST_STATES);
    } else if (word[0] == '-') {
      return ag_fail(err, "", 0, see, "unknown option %s", argv[i]);
    } else if (a->urdf) {
      return ag_fail(err, "", 0, see, "two robots: %s and %s", a->urdf, word);
    } else {
      a->urdf = word;
      command = ag_printf(arena, "%s %s", command, ag_base_name(word));
    }
  }
  a->command = command;
  if (a->description) return description_only(a, err);
  if (!a->urdf) return ag_fail(err, "", 0, see, "no robot is given");
  if (a->svg && a->action != INSPECT)
    return ag_fail(err, "", 0, "write --inspect --svg FILE", "--svg goes with --inspect");
  if (a->depfile && (a->action != WRITE || (a->output && strcmp(a->output, "-") == 0)))
    return ag_fail(err, "", 0, "leave it out, or name the header: -o NAME.h",
                   "--depfile goes with a header in a file");
  if (a->name && !valid_name(a->name))
    return ag_fail(err, "", 0, "use letters, digits and _, no digit first",
                   "--name \"%s\" is no C identifier", a->name);
  return true;
}

static void print_warnings(const char *path, const ag_note *list, int count) {
  for (int i = 0; i < count; i++) {
    if (list[i].line > 0)
      fprintf(stderr, "%s:%d: warning: %s\n", path, list[i].line, list[i].text);
    else
      fprintf(stderr, "%s: warning: %s\n", path, list[i].text);
  }
}

/* The URDF, the layout and what it includes. */
static const ag_input_file *all_inputs(const arguments *a, const ag_script *script, int *count,
                                       ag_arena *arena) {
  const ag_sources *layout = ag_script_sources(script);
  ag_input_file *inputs = ag_alloc(arena, (size_t)(layout->count + 1) * sizeof *inputs);
  inputs[0] = (ag_input_file){.path = a->urdf, .name = ag_base_name(a->urdf)};
  for (int i = 0; i < layout->count; i++) inputs[i + 1] = layout->list[i].file;
  *count = layout->count + 1;
  return inputs;
}

static bool write_depfile(const char *path, const char *header, const char *source,
                          const ag_header_options *options, ag_arena *arena, ag_err *err) {
  const char *targets[] = {header, source}, *text;
  return ag_depfile_text(targets, source ? 2 : 1, options->inputs, options->ninputs, &text, arena,
                         err) &&
         ag_write_file(path, text, err);
}

static bool write_header(const arguments *a, const ag_header *header, const ag_script *script,
                         ag_arena *arena, ag_err *err) {
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  const char *default_name = ag_printf(arena, "%s_achd.h", header->prefix);
  const char *path = a->output && !to_stdout ? a->output : default_name;
  int ninputs;
  const ag_input_file *inputs = all_inputs(a, script, &ninputs, arena);
  const ag_header_options options = {.mode = a->mode,
                                     .file = ag_base_name(path),
                                     .command = a->command,
                                     .inputs = inputs,
                                     .ninputs = ninputs};
  if (a->mode == AG_MODE_SPLIT && to_stdout)
    return ag_fail(err, "", 0, "name the header: -o NAME.h", "--mode split writes two files");
  const size_t length = strlen(path);
  if (a->mode == AG_MODE_SPLIT && (length < 3 || strcmp(path + length - 2, ".h") != 0))
    return ag_fail(err, path, 0, "name the header: -o NAME.h",
                   "--mode split writes NAME.h and NAME.c");
  const char *text, *body;
  if (!ag_header_text(header, &options, &text, &body, err)) return false;
  if (to_stdout) {
    fputs(text, stdout);
    return true;
  }
  const char *source = body ? ag_printf(arena, "%.*s.c", (int)length - 2, path) : NULL;
  if (a->depfile && !write_depfile(a->depfile, path, source, &options, arena, err)) return false;
  const ag_output files[] = {{path, text}, {source, body}};
  return ag_write_files(files, source ? 2 : 1, err);
}

static bool run(const arguments *a, ag_arena *arena, ag_script **script, ag_err *err) {
  if (a->description) {
    const ag_description description = {.kind = a->kind,
                                        .path = a->description,
                                        .output = a->output,
                                        .svg = a->svg,
                                        .depfile = a->depfile,
                                        .command = a->command};
    return ag_describe(&description, arena, err);
  }
  ag_urdf doc;
  ag_model model;
  ag_header header;
  if (!ag_urdf_read(a->urdf, &doc, arena, err)) return false;
  if (!ag_model_build(&doc, a->snap, &model, arena, err)) return false;
  const ag_script_options options = {.layout = a->layout,
                                     .name = a->name,
                                     .formulation = a->formulation,
                                     .functions = a->functions,
                                     .nfunctions = a->nfunctions,
                                     .single = a->single,
                                     .regroup = true,
                                     .look = a->action == INSPECT};
  if (a->action == INIT) {
    const char *text;
    if (!ag_script_first_layout(&model, &text, arena, err)) return false;
    fputs(text, stdout);
    return ag_flush_stdout(err);
  }
  if (!ag_script_build(&model, &options, &header, script, arena, err)) return false;
  if (a->batch && ag_takes_problem(header.programs[header.nprograms - 1]))
    return ag_fail(err, a->layout, 0, "leave --batch out",
                   "bounded rows are solved state by state");
  header.batch = a->batch;
  const ag_reduced *reduced = ag_script_reduced(*script);
  const ag_model *seen = ag_script_model(*script);
  if (a->action != INSPECT) {
    print_warnings(a->urdf, model.warnings, model.nwarnings);
    print_warnings(a->urdf, reduced->warnings, reduced->nwarnings);
  }
  switch (a->action) {
  case INIT: /* above */
    break;
  case WRITE:
    if (!write_header(a, &header, *script, arena, err)) return false;
    break;
  case INSPECT:
    if (a->svg) {
      const char *drawing = ag_svg(seen, reduced, &header);
      if (strcmp(a->svg, "-") == 0) {
        fputs(drawing, stdout);
        break;
      }
      if (!ag_write_file(a->svg, drawing, err)) return false;
    }
    ag_inspect(seen, reduced, &header, stdout);
    break;
  case COLUMNS:
    ag_columns(header.programs[0], stdout);
    break;
  case CHECK: {
    ag_check_report report;
    if (!ag_check(seen, &options, &header, *script, a->states, &report, err)) return false;
    ag_check_print(&report, stdout);
    if (!ag_check_passed(&report, a->urdf, err)) return false;
    break;
  }
  case EVAL:
    if (!ag_eval_lines(&header, header.programs[0], stdin, "standard input", stdout, err))
      return false;
    break;
  }
  return ag_flush_stdout(err);
}

/* What --help and --version say; NULL where neither is asked for. */
static const char *self_description(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return usage;
    if (strcmp(argv[i], "--version") == 0) return "achdgen " AG_VERSION "\n";
  }
  return NULL;
}

int main(int argc, char **argv) {
  ag_arena arena = {0};
  ag_err err = {0};
  arguments a;
  const char *description = self_description(argc, argv);
  if (description) {
    fputs(description, stdout);
    if (ag_flush_stdout(&err)) return 0;
    ag_err_print(&err, stderr);
    return 1;
  }
  ag_script *script = NULL;
  const bool ok = parse(argc, argv, &a, &arena, &err) && run(&a, &arena, &script, &err);
  if (!ok) {
    (void)fflush(stdout); /* there is an error to tell already */
    ag_err_print(&err, stderr);
  }
  ag_script_close(script);
  ag_arena_free(&arena);
  return ok ? 0 : 1;
}

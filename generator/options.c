/* options.c: see options.h */
#include "options.h"

#include "base/text.h"
#include "base/version.h"
#include "program/functions.h"

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

enum { CHECK_STATES = 100, MOST_STATES = 1000000 };

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

static bool split_functions(ag_options *a, const char *list, ag_arena *arena, ag_err *err) {
  char *copy = ag_strdup(arena, list);
  a->functions = ag_alloc(arena, (strlen(list) + 1) * sizeof *a->functions);
  a->nfunctions = 0;
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int index = 0;
    if (!one_of("--functions", word, ag_functions, &index, arena, err)) return false;
    for (int k = 0; k < a->nfunctions; k++)
      if (strcmp(a->functions[k], word) == 0)
        return ag_fail(err, "", 0, "name each function once", "--functions names %s twice", word);
    const char *partner = ag_function_partner(word);
    a->functions[a->nfunctions++] = ag_functions[index];
    if (partner) a->functions[a->nfunctions++] = partner;
  }
  if (a->nfunctions == 0)
    return ag_fail(err, "", 0, "write --functions achd", "--functions names none");
  return true;
}

/* An option with a value: sets what it means. */
static bool set_option(ag_options *a, const char *option, const char *value, ag_arena *arena,
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
static bool description_only(const ag_options *a, ag_err *err) {
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
      a->mode != AG_MODE_HEADER || a->action != AG_WRITE)
    return ag_fail(err, "", 0, remedy, "an option that is for robots stands beside %s", option);
  return true;
}

bool ag_options_parse(int argc, char **argv, ag_options *a, ag_arena *arena, ag_err *err) {
  static const char *const see = "achdgen --help lists the options";
  *a = (ag_options){.snap = true};
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
    } else if (!value && strcmp(word, "--inspect") == 0) {
      a->action = AG_INSPECT;
    } else if (!value && strcmp(word, "--columns") == 0) {
      a->action = AG_COLUMNS;
    } else if (!value && strcmp(word, "--eval") == 0) {
      a->action = AG_EVAL;
    } else if (strcmp(word, "--check") == 0) {
      a->action = AG_CHECK;
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
  if (a->svg && a->action != AG_INSPECT)
    return ag_fail(err, "", 0, "write --inspect --svg FILE", "--svg goes with --inspect");
  if (a->depfile && (a->action != AG_WRITE || (a->output && strcmp(a->output, "-") == 0)))
    return ag_fail(err, "", 0, "leave it out, or name the header: -o NAME.h",
                   "--depfile goes with a header in a file");
  if (a->name && !valid_name(a->name))
    return ag_fail(err, "", 0, "use letters, digits and _, no digit first",
                   "--name \"%s\" is no C identifier", a->name);
  return true;
}

const char *ag_self_description(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return usage;
    if (strcmp(argv[i], "--version") == 0) return "achdgen " AG_VERSION "\n";
  }
  return NULL;
}

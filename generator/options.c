/* options.c: see options.h */
#include "options.h"

#include "base/names.h"
#include "base/text.h"
#include "base/version.h"
#include "program/functions.h"

#include <stdlib.h>
#include <string.h>

static const char *const usage =
    "usage: achdgen ROBOT.urdf [options]\n"
    "Writes straight-line C that solves the constrained dynamics of exactly that robot.\n"
    "ROBOT.urdf is - for standard input: xacro arm.urdf.xacro | achdgen -\n"
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
    "in any case:\n"
    "  -q                  do not print warnings, nor how far --check is\n"
    "  -Werror             stop at warnings as at errors: nothing is written, exit 1\n"
    "\n"
    "without a robot:\n"
    "  --machine FILE.lua  check a state machine's description, write it as a header of const\n"
    "                      tables for the runtime library (default: NAME_machine.h here);\n"
    "                      with -o, --depfile, and --svg, which draws it\n"
    "  --task FILE.lua     the same for tasks of the task frame formalism (default: NAME_task.h)\n"
    "\n"
    "  --help, --version\n";

enum {              /* what an option is */
       VALUE = 1,   /* it takes a value */
       ROBOT = 2,   /* it is for robots, not for machines and tasks */
       HEADER = 4,  /* it is about the header: not where something else is printed */
       INSTEAD = 8, /* it prints something instead of writing a header */
       OUT = 16     /* it names an output: no part of the command in the banner */
};

static const struct option {
  const char *word;
  unsigned is;
  ag_action action;
} known[] = {{"--layout", VALUE | ROBOT, AG_WRITE},
             {"-o", VALUE | HEADER | OUT, AG_WRITE},
             {"--name", VALUE | ROBOT, AG_WRITE},
             {"--functions", VALUE | ROBOT, AG_WRITE},
             {"--formulation", VALUE | ROBOT, AG_WRITE},
             {"--real", VALUE | ROBOT, AG_WRITE},
             {"--batch", VALUE | ROBOT | HEADER, AG_WRITE},
             {"--mode", VALUE | ROBOT | HEADER, AG_WRITE},
             {"--snap", VALUE | ROBOT, AG_WRITE},
             {"--depfile", VALUE | HEADER | OUT, AG_WRITE},
             {"--inspect", ROBOT | INSTEAD, AG_INSPECT},
             {"--svg", VALUE | OUT, AG_WRITE},
             {"--columns", ROBOT | INSTEAD, AG_COLUMNS},
             {"--eval", ROBOT | INSTEAD, AG_EVAL},
             {"--check", ROBOT | INSTEAD, AG_CHECK},
             {"-q", 0, AG_WRITE},
             {"-Werror", 0, AG_WRITE},
             {"--machine", VALUE, AG_WRITE},
             {"--task", VALUE, AG_WRITE},
             {"--help", 0, AG_WRITE},
             {"--version", 0, AG_WRITE}};
enum { KNOWN = sizeof known / sizeof *known };

/* What other programs call them. */
static const char *const synonyms[][2] = {
    {"--output", "-o"},           {"--out", "-o"},    {"-O", "-o"},     {"--quiet", "-q"},
    {"--silent", "-q"},           {"-s", "-q"},       {"-w", "-q"},     {"-v", "--version"},
    {"-V", "--version"},          {"-l", "--layout"}, {"-n", "--name"}, {"-f", "--functions"},
    {"-i", "--inspect"},          {"-c", "--check"},  {"-?", "--help"}, {"--float", "--real float"},
    {"--double", "--real double"}};

enum { CHECK_STATES = 100, MOST_STATES = 1000000 };

/* word: without the value that `argument` may have behind an =. */
static bool fail_unknown(const char *argument, const char *word, ag_arena *arena, ag_err *err) {
  const char *words[KNOWN];
  for (int k = 0; k < KNOWN; k++) words[k] = known[k].word;
  const char *near = ag_near_names(words, KNOWN, word, arena);
  for (size_t k = 0; k < sizeof synonyms / sizeof *synonyms; k++)
    if (strcmp(word, synonyms[k][0]) == 0) near = ag_printf(arena, "\"%s\"", synonyms[k][1]);
  const char *remedy = "achdgen --help lists the options";
  if (near[0]) remedy = ag_printf(arena, "did you mean %s? %s", near, remedy);
  return ag_fail(err, "", 0, remedy, "unknown option %s", argument);
}

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
  int count = 0;
  while (words[count]) count++;
  const char *near = ag_near_names(words, count, value, arena);
  const char *start = near[0] ? ag_printf(arena, "did you mean %s? Write", near) : "write";
  return ag_fail(err, "", 0, ag_printf(arena, "%s %s %s", start, option, list), "%s is \"%s\"",
                 option, value);
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

/* Something that is meant as a number, right or wrong. */
static bool is_numeric(const char *word) {
  return word[0] >= '0' && word[0] <= '9' && word[strspn(word, "0123456789.,_eEkKM+-")] == '\0';
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

/* A description has no robot, and only few options. given: by option, its value or "". */
static bool description_only(const ag_options *a, const char *const given[KNOWN], ag_err *err) {
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
  for (int k = 0; k < KNOWN; k++)
    if (given[k] && (known[k].is & ROBOT))
      return ag_fail(err, "", 0, remedy, "%s is for robots, and stands beside %s", known[k].word,
                     option);
  return true;
}

/* Options of a robot that do not go together. given: by option, its value or "". */
static bool together(const ag_options *a, const char *const given[KNOWN], ag_arena *arena,
                     ag_err *err) {
  const char *instead = NULL;
  for (int k = 0; k < KNOWN; k++) {
    if (!given[k] || !(known[k].is & INSTEAD)) continue;
    if (instead)
      return ag_fail(err, "", 0, "run achdgen once for each", "%s and %s exclude each other",
                     instead, known[k].word);
    instead = known[k].word;
  }
  if (a->svg && a->action != AG_INSPECT)
    return ag_fail(err, "", 0, "write --inspect --svg FILE", "--svg goes with --inspect");
  for (int k = 0; k < KNOWN; k++)
    if (instead && given[k] && (known[k].is & HEADER))
      return ag_fail(err, "", 0, ag_printf(arena, "leave out %s or %s", known[k].word, instead),
                     "%s goes with a header, and %s writes none", known[k].word, instead);
  if (a->depfile && a->output && strcmp(a->output, "-") == 0)
    return ag_fail(err, "", 0, "leave it out, or name the header: -o NAME.h",
                   "--depfile goes with a header in a file");
  if (a->action == AG_EVAL && strcmp(a->urdf, "-") == 0)
    return ag_fail(err, "", 0, "put the robot into a file",
                   "--eval reads states from standard input, so the robot cannot come from there");
  return true;
}

/* Takes an option's value, where it has one. */
static bool take(ag_options *a, const struct option *option, const char *value, const char **given,
                 ag_arena *arena, ag_err *err) {
  if ((option->is & VALUE) && *given && strncmp(option->word, "--machine", 9) != 0 &&
      strcmp(option->word, "--task") != 0 && strcmp(*given, value) != 0)
    return ag_fail(err, "", 0, "give it once", "%s is given twice: \"%s\" and \"%s\"", option->word,
                   *given, value);
  *given = value ? value : "";
  if (option->is & VALUE) return set_option(a, option->word, value, arena, err);
  if (option->is & INSTEAD) a->action = option->action;
  a->quiet |= strcmp(option->word, "-q") == 0;
  a->strict |= strcmp(option->word, "-Werror") == 0;
  if (option->action != AG_CHECK) {
    if (!value) return true;
    return ag_fail(err, "", 0, ag_printf(arena, "write %s", option->word), "%s takes no value",
                   option->word);
  }
  a->states = CHECK_STATES;
  if (value && !count_of(value, &a->states))
    return ag_fail(err, "", 0, "write --check 100", "--check is \"%s\"", value);
  if (a->states < 1 || a->states > MOST_STATES)
    return ag_fail(err, "", 0, "write --check 100", "--check takes 1 to %d states",
                   (int)MOST_STATES);
  return true;
}

bool ag_options_parse(int argc, char **argv, ag_options *a, ag_arena *arena, ag_err *err) {
  static const char *const see = "achdgen --help lists the options";
  *a = (ag_options){.snap = true};
  const char *command = "achdgen", *given[KNOWN] = {NULL};
  for (int i = 1; i < argc; i++) {
    char *word = argv[i];
    const char *value = NULL;
    char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    if (equals) {
      word = ag_printf(arena, "%.*s", (int)(equals - argv[i]), argv[i]);
      value = equals + 1;
    }
    int k = 0;
    while (k < KNOWN && strcmp(known[k].word, word) != 0) k++;
    if (k < KNOWN) {
      const struct option *option = &known[k];
      if ((option->is & VALUE) && !value && i + 1 == argc)
        return ag_fail(err, "", 0, see, "%s needs a value", word);
      if ((option->is & VALUE) && !value) value = argv[++i];
      if (option->action == AG_CHECK && !value && i + 1 < argc && is_numeric(argv[i + 1]))
        value = argv[++i];
      if (!take(a, option, value, &given[k], arena, err)) return false;
      const bool path = strcmp(word, "--layout") == 0 || a->description == value;
      if ((option->is & VALUE) && !(option->is & OUT))
        command = ag_printf(arena, "%s %s %s", command, word, path ? ag_base_name(value) : value);
    } else if (word[0] == '-' && word[1] != '\0') {
      return fail_unknown(argv[i], word, arena, err);
    } else if (a->urdf) {
      return ag_fail(err, "", 0, see, "two robots: %s and %s", a->urdf, word);
    } else {
      a->urdf = word;
      command = ag_printf(arena, "%s %s", command, ag_base_name(word));
    }
  }
  a->command = command;
  if (a->quiet && a->strict)
    return ag_fail(err, "", 0, "leave one of them out",
                   "-q and -Werror exclude each other: one passes over warnings, the other stops "
                   "at them");
  if (a->description) return description_only(a, given, err);
  if (!a->urdf) return ag_fail(err, "", 0, see, "no robot is given");
  if (!together(a, given, arena, err)) return false;
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

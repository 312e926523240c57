/* SPDX-License-Identifier: MIT */
/* options.c: see options.h */
#include "commands/options.h"

#include "commands/exclusions.h"
#include "base/names.h"
#include "base/text.h"
#include "base/version.h"
#include "graph/functions.h"
#include "lower/split.h"

#include <stdlib.h>
#include <string.h>

static const char *const formulations[] = {"recursion", "joint", "null", "early", NULL},
                         *const reals[] = {"double", "float", NULL},
                         *const batches[] = {"2", "4", "8", "16", NULL},
                         *const modes[] = {"header", "inline", "split", "shared", NULL},
                         *const dispatches[] = {"avx2", NULL}, *const snaps[] = {"0", "1", NULL},
                         *const lanes[] = {"0", "1", NULL}, *const formats[] = {"json", NULL},
                         *const firsts[] = {"layout", "loop", "task", "machine", NULL};

#define CHECK_STATES 100
#define DEFAULT_STATES "(default " AG_TEXT_OF(CHECK_STATES) ")"
#define PROVE_POINTS 8
#define DEFAULT_POINTS "(default " AG_TEXT_OF(PROVE_POINTS) ")"
enum { MOST_STATES = 1000000 };
#define LEAST_PART 10
#define MOST_PART 1000000
#define CACHE_KB 64
#define MOST_CACHE 1000000

/* The options: the parser, --help and every message take them from here; a test compares the manual
 * page, and the completion asks --help. */
static const struct option known[] = {
    {"--layout", "FILE.lua", VALUE | ROBOT, AG_WRITE, NULL,
     "what to constrain, what goes in and out (default: rows at the ends of limbs; see --init)",
     ""},
    {"-o", "FILE", VALUE | HEADER | OUT, AG_WRITE, NULL,
     "header to write; - is standard output (default: NAME_achd.h)", NULL},
    {"--name", "NAME", VALUE | ROBOT, AG_WRITE, NULL,
     "prefix of all generated names (default: that of the layout, or of the robot); --real float "
     "puts an f behind it",
     NULL},
    {"--functions", "LIST", VALUE | ROBOT | CODE, AG_WRITE, ag_functions,
     "functions to generate, separated by commas: %s; derivatives did, dfd, dachd; a step of a "
     "simulator step, with its derivatives dstep, with contacts step_begin (makes step_end, too); "
     "with bounded rows, in place of achd, mclp (makes apply, too), and dmclp; with realise = "
     "\"optimum\" qp; "
     "or all: all of these that robot and layout allow",
     NULL},
    {"--formulation", "F", VALUE | ROBOT | CODE, AG_WRITE, formulations,
     "how achd is solved: recursion; joint; null, which solves the rows before the dynamics; or "
     "early, which eliminates rows at the first body with enough joints behind it; the last two "
     "go on with recursion or joint in states where a row is masked or nearly dependent "
     "(default: the one with the fewest operations)",
     NULL},
    {"--real", "TYPE", VALUE | ROBOT | CODE, AG_WRITE, reals,
     "double (default) or float, whose names end in f: gen3f_achd", NULL},
    {"--batch", "K", VALUE | ROBOT | CODE, AG_WRITE, batches,
     "also generate functions that compute K states at once: 2, 4, 8 or 16", NULL},
    {"--lanes", "0|1", VALUE | ROBOT | CODE, AG_WRITE, lanes,
     "1: compute limbs of equal shape, as legs and arms, in the lanes of vectors where the "
     "compiler has these; 0: one after the other (default: in lanes where that saves much code)",
     NULL},
    {"--branchless", NULL, ROBOT | CODE | SHAPES, AG_WRITE, NULL,
     "choose between values by masks of bits: machine code without conditional jumps, which takes "
     "the same instructions in every state",
     NULL},
    {"--small", NULL, ROBOT | CODE | SHAPES, AG_WRITE, NULL,
     "the shortest code: formulations null and early are left out unless --formulation names one, "
     "which makes the code of a solve a third shorter; statements are ordered for the fewest moves "
     "between registers and memory; with --lanes 1 also functions that are called once for each "
     "limb",
     NULL},
    {"--cache", "KB", VALUE | ROBOT | CODE, AG_WRITE, NULL,
     "how much code a first-level cache of instructions holds (default " AG_TEXT_OF(
         CACHE_KB) "): where most states would run through more, limbs of equal shape become "
                   "lanes, "
                   "and statements are ordered for the shortest code, as far as that saves code; "
                   "0: never",
     NULL},
    {"--prefetch", NULL, ROBOT | CODE | SHAPES, AG_WRITE, NULL,
     "functions fetch their next lines of code from memory while they run (gcc and clang on "
     "x86-64): a third of the time where other code has filled the caches, up to a fifth "
     "more where it has not; the same numbers",
     NULL},
    {"--parts", "N", VALUE | ROBOT | CODE, AG_WRITE, NULL,
     "cut every function into static functions of N operations at most, 0: none "
     "(default: " AG_TEXT_OF(AG_PART) ", where a function has more than " AG_TEXT_OF(
         AG_LONG) "); the same numbers, and compilers take less time",
     NULL},
    {"--dispatch", "avx2", VALUE | ROBOT | CODE, AG_WRITE, dispatches,
     "two copies of every function for x86-64: with AVX2 and FMA, and without; each call takes the "
     "one that the processor can run",
     NULL},
    {"--mode", "MODE", VALUE | ROBOT | CODE, AG_WRITE, modes,
     "header (default): functions in the one file that defines NAME_IMPLEMENTATION; inline: static "
     "inline functions; split: a .h and a .c; shared: the same for a shared library, with "
     "functions over "
     "arrays of states and what --describe prints",
     NULL},
    {"--snap", "0|1", VALUE | ROBOT, AG_WRITE, snaps,
     "1 (default): an angle with the decimals of a multiple of pi/4 counts as that "
     "multiple; 0: numbers as written",
     NULL},
    {"--offsets", NULL, ROBOT | HEADER | CODE | SHAPES, AG_WRITE, NULL,
     "also define NAME_F_COLUMNS in the header: the columns of F with their offsets in its structs",
     NULL},
    {"--status-text", NULL, ROBOT | HEADER | CODE | SHAPES, AG_WRITE, NULL,
     "also define NAME_status_text(status) in the header: what the bits of a status tell, as text",
     NULL},
    {"--no-prove", NULL, ROBOT | HEADER | SHAPES, AG_WRITE, NULL,
     "write the header without comparing it with the equations of motion first (see --prove)",
     NULL},
    {"--casadi", NULL, ROBOT | HEADER | CODE | SHAPES, AG_WRITE, NULL,
     "write NAME_casadi.c in place of the header: the functions as CasADi and acados load them, "
     "those of id, fd and achd with their Jacobians",
     NULL},
    {"--kdl", "TIP", VALUE | ROBOT | HEADER, AG_WRITE, NULL,
     "write NAME_kdl.hpp in place of the header: the chain from the base, or as BASE:TIP from "
     "another link, to this one, as drop-in for KDL's solvers (docs/kdl.md); --snap is 0 then",
     NULL},
    {"--depfile", "FILE", VALUE | HEADER | OUT, AG_WRITE, NULL,
     "also write a rule for Make or Ninja with the files that the header was made from", NULL},
    {"--init", "[WHAT]", ROBOT | INSTEAD, AG_INIT, firsts,
     "print a layout of this robot to start from: its limbs, tips, grippers, mimic joints and "
     "limits, and every other word of layouts in a comment; or, for the control loop of the "
     "runtime "
     "library, a layout (loop), tasks (task) or a state machine (machine)",
     "instead of writing a header:"},
    {"--inspect", NULL, ROBOT | INSTEAD, AG_INSPECT, NULL,
     "print what was understood: joints, masses, merged links, snapped angles, rows, inputs, "
     "outputs, "
     "operation counts",
     NULL},
    {"--losses", NULL, ROBOT | INSTEAD, AG_LOSSES, NULL,
     "print what is in the robot's file and not in the model, with its line and what it changes; "
     "nothing: nothing is lost",
     NULL},
    {"--compare", "FILE", VALUE | ROBOT | INSTEAD, AG_COMPARE, NULL,
     "print what another description of the robot (URDF, MJCF or SDF) says differently: masses, "
     "inertias, axes, origins, rotors, limits; first what changes the torques of inverse dynamics "
     "most [N m, N]",
     NULL},
    {"--svg", "FILE", VALUE | OUT, AG_WRITE, NULL,
     "with --inspect: draw the kinematic tree with frames, masses, groups and wrenches; - is "
     "standard output, which then has nothing else",
     NULL},
    {"--describe", "FORMAT", VALUE | ROBOT | INSTEAD | OUT, AG_DESCRIBE, formats,
     "print the same and more for programs, as json: links, the fields of all structs with offsets "
     "and units, status bits, hashes",
     NULL},
    {"--columns", NULL, ROBOT | INSTEAD, AG_COLUMNS, NULL,
     "print the columns of --eval: in NAME UNIT, out NAME UNIT. Structs are no flat run of them: "
     "--describe and --offsets have the offset of each",
     NULL},
    {"--eval", NULL, ROBOT | INSTEAD, AG_EVAL, NULL,
     "read states from standard input, one per line, and print the results of the function (of the "
     "first, if there are several)",
     NULL},
    {"--check", "[N]", ROBOT | INSTEAD, AG_CHECK, NULL,
     "compare the functions with the equations of motion on N random states " DEFAULT_STATES
     "; print the largest errors; exit 1 if one is larger than rounding explains",
     NULL},
    {"--prove", "[N]", ROBOT | INSTEAD, AG_PROVE, NULL,
     "compare the functions with the equations of motion exactly, at N random points of a finite "
     "field " DEFAULT_POINTS "; print which outputs are identical and which are outside; exit 1 if "
     "one is not identical",
     NULL},
    {"--gappa", "OUTPUT", VALUE | ROBOT | INSTEAD, AG_GAPPA, NULL,
     "print a script for the prover Gappa that bounds the rounding of an output, as --columns "
     "names "
     "it, around the state that standard input has in one line; sincos: that of the sines",
     NULL},
    {"--formulas", "OUTPUT", VALUE | ROBOT | INSTEAD, AG_FORMULAS, NULL,
     "print a document of LaTeX with the formulas that lead to an output of the (first) function, "
     "by "
     "step of the algorithm, with the names that the header has",
     NULL},
    {"--box", "HALF", VALUE | ROBOT, AG_WRITE, NULL,
     "with --gappa: how far each input may be from the state (default 0.05)", NULL},
    {"--page", "FILE", VALUE | ROBOT | INSTEAD | OUT, AG_PAGE, NULL,
     "make a web page of the robot, in 3-D, with its solver and other functions running in the "
     "page "
     "(by the program achd-page, docs/report.md)",
     NULL},
    {"--mjcf", "FILE", VALUE | ROBOT | INSTEAD | OUT, AG_MJCF, NULL,
     "write the robot as a model for the simulator MuJoCo, with the dynamics of the generated "
     "functions; - is standard output",
     NULL},
    {"--loop", NULL, ROBOT | INSTEAD | SHAPES, AG_LOOP, NULL,
     "write NAME_loop.h, the table of an arm for the control loop of the runtime library, beside a "
     "header with achd, fk, fvk, gravity and fd; -o and --depfile may be used",
     NULL},
    {"--capsules", "FILE", VALUE | ROBOT | INSTEAD | OUT, AG_CAPSULES, NULL,
     "write the shapes of --mjcf as capsules, in tables for the runtime library that tell how near "
     "links are to each other (achd/capsule.h); - is standard output",
     NULL},
    {"--scene", "FILE.lua", VALUE | ROBOT, AG_WRITE, NULL,
     "with --mjcf or --capsules: what stands around the robot (floor, tables, walls, packages), "
     "and what the "
     "simulation knows of it beside the URDF",
     NULL},
    {"--motors", NULL, ROBOT, AG_WRITE, NULL,
     "with --mjcf: one motor for each joint, of the joint's name, whose control is the torque or "
     "force; default: one for each mode of a drive",
     NULL},
    {"-q", NULL, 0, AG_WRITE, NULL, "print no warnings and no progress", "in any case:"},
    {"-Werror", NULL, 0, AG_WRITE, NULL, "treat warnings as errors: nothing is written, exit 1",
     NULL},
    {"--machine", "FILE", VALUE, AG_WRITE, NULL,
     "check the description of a state machine (Lua, or .fsm of coord-dsl) and write it as "
     "constant "
     "tables for the runtime library (default: NAME_machine.h); -o, --svg and --depfile may be "
     "used",
     "without a robot:"},
    {"--coord2b", NULL, 0, AG_WRITE, NULL,
     "with --machine: tables for coord2b's step function instead (default: NAME_coord2b.h)", NULL},
    {"--task", "FILE.lua", VALUE, AG_WRITE, NULL,
     "the same for tasks of the task frame formalism (default: NAME_task.h), without --svg", NULL},
    {"--dot", "FILE", VALUE | OUT, AG_WRITE, NULL,
     "with --machine: write the machine as a graph for Graphviz; - is standard output", NULL},
    {"--mermaid", "FILE", VALUE | OUT, AG_WRITE, NULL,
     "with --machine: write the machine as a Mermaid state diagram; - is standard output", NULL},
    {"--fsm", "FILE", VALUE | OUT, AG_WRITE, NULL, "the same as a file of coord-dsl", NULL},
    {"--help", NULL, 0, AG_WRITE, NULL, "this text", ""},
    {"--version", NULL, 0, AG_WRITE, NULL, "the version", NULL}};
enum { KNOWN = sizeof known / sizeof *known };

/* What other programs call them. */
static const char *const synonyms[][2] = {
    {"--output", "-o"},           {"--out", "-o"},    {"-O", "-o"},     {"--quiet", "-q"},
    {"--silent", "-q"},           {"-s", "-q"},       {"-w", "-q"},     {"-v", "--version"},
    {"-V", "--version"},          {"-l", "--layout"}, {"-n", "--name"}, {"-f", "--functions"},
    {"-i", "--inspect"},          {"-c", "--check"},  {"-?", "--help"}, {"--float", "--real float"},
    {"--double", "--real double"}};

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

static bool split_functions(ag_options *a, const char *option, const char *list, ag_arena *arena,
                            ag_err *err) {
  a->all_functions = strcmp(list, "all") == 0;
  if (a->all_functions) return true;
  char *copy = ag_strdup(arena, list);
  a->functions = ag_alloc(arena, (strlen(list) + 1) * sizeof *a->functions);
  a->nfunctions = 0;
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int index = 0;
    if (strcmp(word, "all") == 0)
      return ag_fail(err, "", 0, "write --functions all", "--functions names all and others");
    if (ag_function_follows(word))
      return ag_fail(
          err, "", 0, "leave it out: mclp, qp and step_begin generate what follows them, too",
          "--functions names %s, which goes on with what another function put out", word);
    if (!one_of(option, word, ag_functions, &index, arena, err)) return false;
    for (int k = 0; k < a->nfunctions; k++)
      if (strcmp(a->functions[k], word) == 0)
        return ag_fail(err, "", 0, "name each function once", "--functions names %s twice", word);
    const char *partner = ag_function_partner(word);
    a->functions[a->nfunctions++] = ag_functions[index];
    if (partner) a->functions[a->nfunctions++] = partner;
  }
  if (a->nfunctions == 0)
    return ag_fail(err, "", 0, "write --functions achd", "--functions names no function");
  return true;
}

/* 0, or a number from `least` to `most`, of digits only; false: it is something else. */
static bool whole_of(const char *word, long least, long most, int *number) {
  char *end;
  const long n = strtol(word, &end, 10);
  if (word[0] < '0' || word[0] > '9' || *end != '\0') return false;
  *number = (int)n;
  return n == 0 || (n >= least && n <= most);
}

/* The HALF of --box. */
static bool width_of(const char *word, double *width) {
  char *end;
  if (word[0] == '\0' || word[strspn(word, "0123456789.e-+")] != '\0') return false;
  *width = strtod(word, &end);
  return *end == '\0' && *width >= 0 && *width <= 1000;
}

/* An option with a value: sets what it means. */
static bool set_option(ag_options *a, const struct option *option, const char *value,
                       ag_arena *arena, ag_err *err) {
  const char *word = option->word;
  int k = 0;
  if (option->words == ag_functions) return split_functions(a, word, value, arena, err);
  if (option->words && !one_of(word, value, option->words, &k, arena, err)) return false;
  if (strcmp(word, "--layout") == 0) a->layout = value;
  if (strcmp(word, "-o") == 0) a->output = value;
  if (strcmp(word, "--name") == 0) a->name = value;
  if (strcmp(word, "--svg") == 0) a->svg = value;
  if (strcmp(word, "--compare") == 0) a->other = value, a->action = AG_COMPARE;
  if (strcmp(word, "--dot") == 0) a->dot = value;
  if (strcmp(word, "--mermaid") == 0) a->mermaid = value;
  if (strcmp(word, "--fsm") == 0) a->fsm = value;
  if (strcmp(word, "--depfile") == 0) a->depfile = value;
  if (strcmp(word, "--scene") == 0) a->scene = value;
  if (strcmp(word, "--kdl") == 0) a->kdl = value;
  if (option->action == AG_MJCF || option->action == AG_CAPSULES) a->mjcf = value;
  if (option->action == AG_PAGE) a->page = value;
  if (option->action == AG_GAPPA) a->gappa = value;
  if (option->action == AG_FORMULAS) a->formulas = value;
  if (strcmp(word, "--box") == 0 && !width_of(value, &a->box))
    return ag_fail(err, "", 0, "write --box 0.05", "--box is \"%s\", not a number from 0 to 1000",
                   value);
  if (strcmp(word, "--parts") == 0 && !whole_of(value, LEAST_PART, MOST_PART, &a->target.parts))
    return ag_fail(err, "", 0, "write --parts " AG_TEXT_OF(AG_PART),
                   "--parts is \"%s\", not 0 nor a number of operations from " AG_TEXT_OF(
                       LEAST_PART) " to " AG_TEXT_OF(MOST_PART),
                   value);
  if (strcmp(word, "--cache") == 0 && !whole_of(value, 1, MOST_CACHE, &a->target.cache))
    return ag_fail(err, "", 0, "write --cache " AG_TEXT_OF(CACHE_KB),
                   "--cache is \"%s\", not a number of KB from 0 to " AG_TEXT_OF(MOST_CACHE),
                   value);
  if ((option->is & INSTEAD) && !a->other) a->action = option->action;
  if (option->words == formulations) a->formulation = value;
  if (option->words == reals) a->target.single = k == 1;
  if (option->words == dispatches) a->target.dispatch = AG_COPY_CHOOSES;
  if (option->words == batches) a->target.batch = 2 << k;
  if (option->words == modes) a->mode = (ag_mode)k;
  if (option->words == snaps) a->snap = k == 1;
  if (option->words == lanes) a->target.limbs = k == 1;
  if (option->words == lanes) a->target.one_by_one = k == 0;
  const bool task = strcmp(word, "--task") == 0;
  if (!task && strcmp(word, "--machine") != 0) return true;
  if (a->description)
    return ag_fail(err, "", 0, "run achdgen for each", "two descriptions: %s and %s",
                   a->description, value);
  a->description = value;
  a->kind = task ? AG_TASK : AG_MACHINE;
  return true;
}

/* Something that is meant as a number, right or wrong. */
static bool is_numeric(const char *word) {
  return word[0] >= '0' && word[0] <= '9' && word[strspn(word, "0123456789.,_eEkKM+-")] == '\0';
}

/* The N of --check and --prove: digits only; false: it is something else. */
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
          ? "write achdgen --machine FILE.lua [--coord2b] [-o FILE] [--svg FILE] [--dot FILE] "
            "[--mermaid FILE] [--fsm FILE] [--depfile FILE]"
          : "write achdgen --task FILE.lua [-o FILE] [--depfile FILE]";
  const char *option = a->kind == AG_MACHINE ? "--machine" : "--task";
  if (a->urdf)
    return ag_fail(err, "", 0, remedy, "%s takes no robot, but there is %s", option, a->urdf);
  const struct {
    const char *path, *does;
  } drawings[] = {{a->svg, "--svg draws robots and"},
                  {a->dot, "--dot draws"},
                  {a->mermaid, "--mermaid draws"},
                  {a->fsm, "--fsm writes"},
                  {a->coord2b ? "" : NULL, "--coord2b writes"}};
  enum { DRAWINGS = sizeof drawings / sizeof *drawings };
  for (int k = 0; k < DRAWINGS && a->kind == AG_TASK; k++)
    if (drawings[k].path)
      return ag_fail(err, "", 0, remedy, "%s state machines, but no tasks", drawings[k].does);
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  if (a->depfile && to_stdout)
    return ag_fail(err, "", 0, remedy, "--depfile needs a header that is written to a file");
  int printed = to_stdout;
  for (int k = 0; k < DRAWINGS; k++)
    printed += drawings[k].path && strcmp(drawings[k].path, "-") == 0;
  if (printed > 1)
    return ag_fail(err, "", 0, remedy, "%s both go to standard output",
                   to_stdout ? "header and drawing" : "two drawings");
  for (int k = 0; k < KNOWN; k++)
    if (given[k] && (known[k].is & ROBOT))
      return ag_fail(err, "", 0, remedy, "%s is for robots and cannot be used with %s",
                     known[k].word, option);
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
  if (value && (option->is & VALUE)) return set_option(a, option, value, arena, err);
  if ((option->is & INSTEAD) && !a->other) a->action = option->action;
  bool *const flags[] = {&a->quiet,
                         &a->target.branchless,
                         &a->target.small,
                         &a->target.prefetch,
                         &a->target.offsets,
                         &a->strict,
                         &a->coord2b,
                         &a->casadi,
                         &a->target.status_text,
                         &a->motors};
  static const char *const words[] = {
      "-q",      "--branchless", "--small",  "--prefetch",    "--offsets",
      "-Werror", "--coord2b",    "--casadi", "--status-text", "--motors"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    *flags[k] |= strcmp(option->word, words[k]) == 0;
  if (strcmp(option->word, "--no-prove") == 0) a->points = 0;
  int first = 0;
  if (option->action == AG_INIT && value) {
    if (!one_of("--init", value, firsts, &first, arena, err)) return false;
    a->first = firsts[first];
    return true;
  }
  if (option->action != AG_CHECK && option->action != AG_PROVE) {
    if (!value) return true;
    return ag_fail(err, "", 0, ag_printf(arena, "write %s", option->word), "%s takes no value",
                   option->word);
  }
  const bool check = option->action == AG_CHECK;
  const int usual = check ? CHECK_STATES : PROVE_POINTS;
  const char *remedy = ag_printf(arena, "write %s %d", option->word, usual);
  int *count = check ? &a->states : &a->points;
  *count = usual;
  if (value && !count_of(value, count))
    return ag_fail(err, "", 0, remedy, "%s is \"%s\"", option->word, value);
  if (*count < 1 || *count > MOST_STATES)
    return ag_fail(err, "", 0, remedy, "%s takes 1 to %d %s", option->word, (int)MOST_STATES,
                   check ? "states" : "points");
  return true;
}

/* --casadi: the functions that give the Jacobians of those that are requested. */
static void add_derivatives(ag_options *a, ag_arena *arena) {
  const char *usual[2];
  if (!a->functions) a->nfunctions = ag_default_functions(AG_PLAIN_ROWS, usual);
  a->functions = ag_with_derivatives(a->functions ? a->functions : usual, &a->nfunctions, arena);
}

/* The command as the banner shows it, with and without --lanes; what it leaves to be chosen by length. */
static void take_command(ag_options *a, const char *command, const char *plain, ag_arena *arena) {
  a->plain_command = plain;
  a->command = a->target.limbs ? command : plain;
  if (a->coord2b) a->command = ag_printf(arena, "%s --coord2b", command);
  /* formulas in one piece, whatever of them C has in functions of its own */
  if (a->formulas) a->target.parts = 0;
  a->target.cache = a->target.small || a->formulas ? 0 : 1024 * a->target.cache; /* KB */
}

static const ag_options usual_options = {.first = "layout",
                                         .box = 0.05,
                                         .snap = true,
                                         .points = 2,
                                         .target = {.parts = AG_PARTS_LONG, .cache = CACHE_KB}};

/* Whether the next word is the value of an option that needs none: the N of --check and --prove, the WHAT of --init. */
static bool may_have(const struct option *option, const char *next) {
  if (option->action == AG_CHECK || option->action == AG_PROVE) return is_numeric(next);
  for (int k = 0; option->action == AG_INIT && firsts[k]; k++)
    if (strcmp(next, firsts[k]) == 0) return true;
  return false;
}

bool ag_options_parse(int argc, char **argv, ag_options *a, ag_arena *arena, ag_err *err) {
  static const char *const see = "achdgen --help lists the options";
  *a = usual_options;
  const char *command = "achdgen", *plain = command, *given[KNOWN] = {NULL};
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
      if (!value && i + 1 < argc && may_have(option, argv[i + 1])) value = argv[++i];
      if (!take(a, option, value, &given[k], arena, err)) return false;
      const bool path =
          strcmp(word, "--layout") == 0 || strcmp(word, "--scene") == 0 || a->description == value;
      const char *said = "";
      if ((option->is & VALUE) && !(option->is & OUT))
        said = ag_printf(arena, " %s %s", word, path ? ag_base_name(value) : value);
      if (option->is & SHAPES) said = ag_printf(arena, " %s", word);
      command = ag_printf(arena, "%s%s", command, said);
      if (option->words != lanes) plain = ag_printf(arena, "%s%s", plain, said);
    } else if (word[0] == '-' && word[1] != '\0') {
      return fail_unknown(argv[i], word, arena, err);
    } else if (a->urdf) {
      return ag_fail(err, "", 0, "a layout stands after --layout", "two robots: %s and %s", a->urdf,
                     word);
    } else {
      a->urdf = word;
      command = ag_printf(arena, "%s %s", command, ag_base_name(word));
      plain = ag_printf(arena, "%s %s", plain, ag_base_name(word));
    }
  }
  take_command(a, command, plain, arena);
  if (a->quiet && a->strict)
    return ag_fail(err, "", 0, "leave one of them out",
                   "-q and -Werror exclude each other: one ignores warnings, the other treats "
                   "them as errors");
  if (a->description) return description_only(a, given, err);
  if (!a->urdf) return ag_fail(err, "", 0, see, "no robot is given");
  if (!ag_options_agree(a, &(ag_given_options){known, given, KNOWN}, arena, err)) return false;
  if (a->casadi && !a->all_functions) add_derivatives(a, arena);
  for (int k = 0; k < KNOWN && a->kdl; k++)
    if (known[k].words == snaps && !given[k]) a->snap = false;
  if (a->name && !valid_name(a->name))
    return ag_fail(err, "", 0, "use letters, digits and _, no digit first",
                   "--name \"%s\" is not a C identifier", a->name);
  return true;
}

/* "achd (default), fk, fvk": those that need no bounded rows. */
static const char *list_family(ag_arena *arena) {
  const char **family = ag_family(true, arena), *list = ag_printf(arena, "%s (default)", family[0]);
  for (int k = 1; family[k]; k++) list = ag_printf(arena, "%s, %s", list, family[k]);
  return list;
}

static const char *usage(ag_arena *arena) {
  enum { COLUMN = 22, WIDTH = 95 }; /* of what an option does; of a line */
  ag_text text = {.arena = arena};
  ag_text_add(&text,
              "usage: achdgen ROBOT.urdf [options]\n"
              "Writes straight-line C that solves the constrained dynamics of exactly that robot.\n"
              "ROBOT.urdf is - for standard input: xacro arm.urdf.xacro | achdgen -\n");
  for (int k = 0; k < KNOWN; k++) {
    const struct option *o = &known[k];
    if (o->title) ag_text_add(&text, "\n%s%s", o->title, *o->title ? "\n" : "");
    const char *start = ag_printf(arena, "  %s %s", o->word, o->argument ? o->argument : "");
    const char *what = o->help, *family = strstr(what, "%s");
    if (family)
      what =
          ag_printf(arena, "%.*s%s%s", (int)(family - what), what, list_family(arena), family + 2);
    ag_text_add(&text, "%-*s", COLUMN, start);
    ag_text_wrap(&text, what, ag_printf(arena, "%*s", COLUMN, ""), WIDTH);
    ag_text_add(&text, "\n");
  }
  return text.chars;
}

const char *ag_self_description(int argc, char **argv, ag_arena *arena) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return usage(arena);
    if (strcmp(argv[i], "--version") == 0) return "achdgen " AG_VERSION "\n";
  }
  return NULL;
}

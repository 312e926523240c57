/* SPDX-License-Identifier: MIT */
/* exclusions.c: see exclusions.h */
#include "commands/exclusions.h"

#include <string.h>

/* What is inspected may be compared: --inspect --compare FILE is --compare FILE. */
static bool is_compared(const ag_given_options *given, int k, const char *instead) {
  const char *word = given->known[k].word;
  return (strcmp(instead, "--inspect") == 0 && strcmp(word, "--compare") == 0) ||
         (strcmp(instead, "--compare") == 0 && strcmp(word, "--inspect") == 0);
}

/* --loop writes a header, too. */
static bool is_of_loop(const ag_given_options *given, int k, const char *instead) {
  return strcmp(instead, "--loop") == 0 && (given->known[k].is & OUT);
}

/* What prints something instead of writing a header, at most one, and no option about the header beside it. */
static bool one_thing(const ag_given_options *given, ag_arena *arena, ag_err *err) {
  const char *instead = NULL;
  for (int k = 0; k < given->count; k++) {
    if (!given->value[k] || !(given->known[k].is & INSTEAD)) continue;
    if (instead && !is_compared(given, k, instead))
      return ag_fail(err, "", 0, "run achdgen once for each", "%s and %s exclude each other",
                     instead, given->known[k].word);
    instead = given->known[k].word;
  }
  for (int k = 0; k < given->count; k++)
    if (instead && given->value[k] && (given->known[k].is & HEADER) &&
        !is_of_loop(given, k, instead))
      return ag_fail(err, "", 0,
                     ag_printf(arena, "leave out %s or %s", given->known[k].word, instead),
                     "%s is for headers, and %s writes none", given->known[k].word, instead);
  return true;
}

/* Options about the code. */
static bool code_agrees(const ag_options *a, const ag_given_options *given, ag_err *err) {
  if (a->target.branchless && (a->target.batch || a->mode == AG_MODE_SHARED))
    return ag_fail(err, "", 0, "leave one of them out",
                   "--branchless and %s exclude each other: %s",
                   a->target.batch ? "--batch" : "--mode shared",
                   a->target.batch ? "where a CPU has no vectors, a batch takes a loop"
                                   : "arrays of states take a loop");
  if (a->target.branchless && a->formulation &&
      (strcmp(a->formulation, "null") == 0 || strcmp(a->formulation, "early") == 0))
    return ag_fail(err, "", 0, "leave one of them out",
                   "--branchless and --formulation %s exclude each other: %s chooses between two "
                   "solves by a branch",
                   a->formulation, a->formulation);
  if (a->target.prefetch && a->mode == AG_MODE_INLINE)
    return ag_fail(err, "", 0, "leave one of them out",
                   "--prefetch and --mode inline exclude each other: a function that compilers put "
                   "into its callers does not know where its code is");
  for (int k = 0; k < given->count; k++)
    if (given->value[k] && strcmp(given->known[k].word, "--cache") == 0 &&
        (a->target.small || a->target.limbs))
      return ag_fail(err, "", 0, "leave --cache out",
                     "--cache and %s exclude each other: --cache is for what is chosen by the "
                     "length of the code, and that is said already",
                     a->target.small ? "--small" : "--lanes 1");
  const char *beside = a->target.branchless ? "--branchless"
                       : a->target.single   ? "--real float"
                       : a->casadi          ? "--casadi"
                                            : NULL;
  if (a->target.dispatch != AG_COPY_ALONE && beside)
    return ag_fail(
        err, "", 0, "leave one of them out", "--dispatch and %s exclude each other: %s", beside,
        a->target.branchless ? "the choice of a copy is a branch"
        : a->target.single ? "float is for processors without a double unit, and these have no AVX2"
                           : "CasADi compiles for the processor that it runs on");
  if (a->gappa && a->target.limbs)
    return ag_fail(err, "", 0, "leave --lanes out",
                   "--gappa and --lanes 1 exclude each other: the theorem is about rounding, and "
                   "sums of vectors have another order");
  const char *other = a->mode != AG_MODE_HEADER ? "--mode" : NULL;
  if (a->target.offsets) other = "--offsets";
  if (a->target.status_text) other = "--status-text";
  if (a->target.single) other = "--real float";
  if (a->target.batch) other = "--batch";
  if (a->casadi && other)
    return ag_fail(err, "", 0, "leave it out",
                   "--casadi writes a source of double functions of one state: %s %s", other,
                   "does not go with it");
  return true;
}

/* --kdl makes its layouts and chooses its functions itself. */
static bool kdl_agrees(const ag_options *a, const ag_given_options *given, ag_arena *arena,
                       ag_err *err) {
  static const char *const others[] = {"--layout",   "--branchless", "--small",
                                       "--prefetch", "--offsets",    "--casadi"};
  for (int k = 0; k < given->count && a->kdl; k++) {
    if (!given->value[k]) continue;
    const char *word = given->known[k].word;
    bool meant = (given->known[k].is & CODE) == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      meant = meant && strcmp(word, others[i]) != 0;
    if (!meant)
      return ag_fail(err, "", 0, ag_printf(arena, "leave out %s", word),
                     "%s has no meaning with --kdl, which takes a robot and chooses layouts and "
                     "functions itself",
                     word);
  }
  return true;
}

/* --formulas prints what any C code computes. */
static bool formulas_agree(const ag_options *a, const ag_given_options *given, ag_arena *arena,
                           ag_err *err) {
  static const char *const of_formulas[] = {"--formulation", "--functions", "--real"};
  for (int k = 0; k < given->count && a->formulas; k++) {
    const char *word = given->known[k].word;
    bool meant = !given->value[k] || !(given->known[k].is & CODE);
    for (size_t i = 0; i < sizeof of_formulas / sizeof *of_formulas; i++)
      meant = meant || strcmp(word, of_formulas[i]) == 0;
    if (!meant)
      return ag_fail(err, "", 0, ag_printf(arena, "leave out %s", word),
                     "%s is about the C code, and --formulas prints what it computes", word);
  }
  return true;
}

/* What has a meaning only with another option, with none of some others, or not with standard input. */
static bool others_agree(const ag_options *a, const ag_given_options *given, ag_arena *arena,
                         ag_err *err) {
  if (a->action == AG_INIT && (a->layout || a->functions || a->all_functions))
    return ag_fail(
        err, "", 0, a->layout ? "leave --layout out" : "leave --functions out",
        "--init prints what there is to begin with: neither a layout nor functions can be given");
  const char *of_machine = a->dot       ? "--dot draws"
                           : a->mermaid ? "--mermaid draws"
                           : a->fsm     ? "--fsm writes"
                           : a->coord2b ? "--coord2b writes"
                                        : NULL;
  if (of_machine)
    return ag_fail(err, "", 0, "write achdgen --machine FILE with it; of robots: --inspect --svg",
                   "%s state machines, and there is none", of_machine);
  if (a->svg && a->action != AG_INSPECT)
    return ag_fail(err, "", 0, "write --inspect --svg FILE", "--svg needs --inspect");
  for (int k = 0; k < given->count && a->gappa; k++)
    if (given->value[k] && strcmp(given->known[k].word, "--parts") == 0)
      return ag_fail(
          err, "", 0, "leave out --parts",
          "--parts is about the C code, and --gappa is about numbers, which are the same "
          "in parts");
  for (int k = 0; k < given->count && !a->gappa; k++)
    if (given->value[k] && strcmp(given->known[k].word, "--box") == 0)
      return ag_fail(err, "", 0, "write --gappa OUTPUT --box 0.05", "--box needs --gappa");
  if (a->scene && !a->mjcf)
    return ag_fail(err, "", 0, "write --mjcf FILE --scene FILE.lua",
                   "--scene needs --mjcf or --capsules");
  if (a->motors && a->action != AG_MJCF)
    return ag_fail(err, "", 0, "write --mjcf FILE --motors", "--motors needs --mjcf");
  const bool loop = a->action == AG_LOOP;
  for (int k = 0; k < given->count && (a->mjcf || loop); k++)
    if (given->value[k] && (given->known[k].is & CODE) &&
        !(loop && strcmp(given->known[k].word, "--real") == 0))
      return ag_fail(err, "", 0, ag_printf(arena, "leave out %s", given->known[k].word),
                     "%s is about generated functions, and %s generates none", given->known[k].word,
                     loop                       ? "--loop"
                     : a->action == AG_CAPSULES ? "--capsules"
                                                : "--mjcf");
  for (int k = 0; k < given->count && a->page; k++)
    if (given->value[k] && (given->known[k].is & ROBOT) && given->known[k].action != AG_PAGE &&
        strcmp(given->known[k].word, "--layout") != 0 &&
        strcmp(given->known[k].word, "--functions") != 0)
      return ag_fail(err, "", 0, ag_printf(arena, "leave out %s", given->known[k].word),
                     "%s has no meaning with --page, which takes a robot, a layout and functions",
                     given->known[k].word);
  if (a->page && strcmp(a->urdf, "-") == 0)
    return ag_fail(err, "", 0, "put the robot into a file",
                   "--page reads the robot several times, so it cannot come from standard input");
  if (a->depfile && a->output && strcmp(a->output, "-") == 0)
    return ag_fail(err, "", 0, "leave it out, or name the header: -o NAME.h",
                   "--depfile needs a header that is written to a file");
  if ((a->action == AG_EVAL || a->action == AG_GAPPA) && strcmp(a->urdf, "-") == 0)
    return ag_fail(err, "", 0, "put the robot into a file",
                   "%s reads states from standard input, so the robot cannot come from there",
                   a->gappa ? "--gappa" : "--eval");
  return true;
}

bool ag_options_agree(const ag_options *a, const ag_given_options *given, ag_arena *arena,
                      ag_err *err) {
  return one_thing(given, arena, err) && kdl_agrees(a, given, arena, err) &&
         code_agrees(a, given, err) && formulas_agree(a, given, arena, err) &&
         others_agree(a, given, arena, err);
}

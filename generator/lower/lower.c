/* SPDX-License-Identifier: MIT */
/* lower.c: see lower.h */
#include "lower/lower.h"

#include "limbs/outlining.h"
#include "limbs/vectorize.h"
#include "lower/choice.h"
#include "lower/near.h"
#include "lower/schedule.h"
#include "lower/stages.h"

ag_plan *ag_lower(const ag_graph *graph, const ag_target *target, ag_arena *arena) {
  ag_plan *plan = target->small ? ag_lower_shortest(graph, target, arena)
                                : ag_schedule_as_asked(graph, target, arena);
  if (target->batch) plan->vectors = ag_schedule_vectors(plan, graph, arena);
  return plan;
}

/* Functions of limbs are parts of their own, and for one way. */
static bool can_outline(const ag_plan *plan, ag_arena *arena, ag_err *err) {
  const bool cut =
      plan->target->parts > 0 && plan->part > 0; /* by --parts, not because it is long */
  const ag_function *function = plan->graph->function;
  const char *other = plan->target->prefetch ? "--prefetch" : cut ? "--parts" : NULL;
  if (other)
    return ag_fail(err, "", 0, ag_printf(arena, "leave out %s or --lanes 1", other),
                   "%s and --small --lanes 1 exclude each other: what limbs have in common is in "
                   "functions of its own",
                   other);
  if (plan->fast)
    return ag_fail(
        err, "", 0,
        ag_printf(arena, "leave out --formulation %s or --lanes 1", function->formulation),
        "--small --lanes 1 with --formulation %s: %s has two ways, one of them for most states, "
        "and functions of limbs are for one",
        function->formulation, function->name);
  return true;
}

/* The plan with limbs as lanes, beside that with limbs one after the other. */
static bool lower_limbs(ag_function *function, ag_plan *plan, ag_arena *arena, ag_err *err) {
  const ag_target *target = plan->target;
  if (!function->limbs) return true;
  ag_plan *limbs = ag_schedule(function->limbs, target, plan->part, arena);
  plan->limbs = limbs;
  if (!target->small) return true;
  if (!can_outline(plan, arena, err)) return false;
  function->outlined = ag_outline(function->limbs, arena);
  limbs->stages = ag_find_stages(ag_schedule(function->outlined, target, 0, arena), arena);
  return true;
}

/* Vectors of a batch are reached farther by one byte (emit/parts.c). */
static void place_near(const ag_header *header) {
  for (int k = 0; k < header->nfunctions; k++) {
    ag_plan *plan = header->plans[k];
    ag_place_near(plan, header->arena);
    if (plan->limbs) ag_place_near(plan->limbs, header->arena);
    if (plan->limbs && plan->limbs->stages) ag_place_near(plan->limbs->stages->plan, header->arena);
  }
}

bool ag_lower_functions(ag_header *header, ag_err *err) {
  ag_target *target = &header->target;
  ag_arena *arena = header->arena;
  if (target->limbs) {
    target->limbs = ag_vectorize_functions(header);
    target->one_by_one = !target->limbs;
  }
  header->plans = ag_alloc(arena, (size_t)(header->nfunctions + 1) * sizeof *header->plans);
  for (int k = 0; k < header->nfunctions; k++) {
    ag_function *function = header->functions[k];
    if (target->cache > 0 && !target->limbs) {
      header->plans[k] = ag_lower_to_fit(header, function);
      continue;
    }
    header->plans[k] = ag_lower(function->graph, target, arena);
    if (!lower_limbs(function, header->plans[k], arena, err)) return false;
  }
  place_near(header);
  return true;
}

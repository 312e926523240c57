/* SPDX-License-Identifier: MIT */
/* choice.c: see choice.h */
#include "lower/choice.h"

#include "base/text.h"
#include "graph/live.h"
#include "limbs/outlining.h"
#include "limbs/vectorize.h"
#include "lower/alike.h"
#include "lower/cycles.h"
#include "lower/products.h"
#include "lower/schedule.h"
#include "lower/split.h"
#include "lower/stages.h"
#include "lower/text_size.h"

#include <limits.h>
#include <string.h>

/* The same target, for what is still to be said of it. */
static ag_target *copy_of(const ag_target *target, ag_arena *arena) {
  ag_target *copy = ag_alloc(arena, sizeof *copy);
  *copy = *target;
  return copy;
}

/* Statements are in the order of the shortest code. */
static const ag_target *shortest(const ag_target *target, ag_arena *arena) {
  ag_target *small = copy_of(target, arena);
  small->small = true;
  return small;
}

/* Operations of a part as requested, or where nobody says how many. */
static int part_of(const ag_target *target, int operations) {
  return target->parts == AG_PARTS_LONG ? operations : target->parts;
}

/* In the order of the shortest code, and in parts where nobody says how long these are. */
static ag_plan *shortest_plan(const ag_graph *graph, const ag_target *small, ag_arena *arena) {
  const int operations = ag_count(graph, AG_GENERAL, arena);
  const bool cut = small->parts == AG_PARTS_LONG && graph->nways == 1;
  return ag_schedule(graph, small, ag_part_of(cut ? AG_SHORT_PART : small->parts, operations),
                     arena);
}

/* Code that is read anew in every call. */
static const ag_target *read_anew(const ag_target *target, ag_arena *arena) {
  ag_target *read = copy_of(target, arena);
  read->read = true;
  return read;
}

/* One function for steps of several links. */
static const ag_target *repeating(const ag_target *target, ag_arena *arena) {
  ag_target *repeats = copy_of(target, arena);
  repeats->repeats = true;
  return repeats;
}

/* A plan, and what it costs. */
typedef struct choice {
  ag_plan *plan;
  ag_text_size text;
  int cycles;
} choice;

static choice judged(ag_plan *plan, ag_text_size text, ag_arena *arena) {
  return (choice){plan, text, ag_predict_cycles(plan, &text, arena)};
}

static choice judged_anew(ag_plan *plan, ag_arena *arena) {
  return judged(plan, ag_predict_text(plan, arena), arena);
}

/* Longer code fits no cache by limbs in lanes, nor in another order, and the search for these takes time and memory that go
 * with the square of the length: in bytes. */
enum { MOST_FOR_LANES = 512 * 1024, MOST_FOR_ORDER = 768 * 1024 };

/* Of code that is longer, in bytes, what most states run through decides alone. */
enum { LARGE = 256 * 1024 };

/* The same, with one function for what several rows of a large system have in common, where that is less text. */
static choice with_rows_together(const choice *best, ag_arena *arena) {
  const ag_graph *graph = best->plan->graph;
  if (!ag_has_rows(graph) || best->plan->target->parts != AG_PARTS_LONG) return *best;
  ag_arena own = {0};
  const int part = best->plan->part ? best->plan->part : AG_PART;
  const ag_target *target = repeating(best->plan->target, arena);
  const choice rows = judged_anew(ag_schedule(graph, target, part, &own), &own);
  if (!rows.plan->repeats || rows.text.whole >= best->text.whole) {
    ag_arena_free(&own);
    return *best;
  }
  ag_arena_adopt(arena, &own);
  return rows;
}

/* Limbs one after the other: of the usual plan, the shortest code, the order for code that is read anew and one function for steps of
 * several links, what takes least time. */
static choice best_of_numbers(const ag_graph *graph, const ag_target *target, ag_plan *usual,
                              ag_text_size size, ag_arena *arena) {
  const ag_target *small = shortest(target, arena), *read = read_anew(target, arena);
  const int operations = ag_count(graph, AG_GENERAL, arena);
  const bool cut = target->parts == AG_PARTS_LONG && graph->nways == 1;
  choice best = judged(usual, size, arena), others[3];
  ag_arena own[3] = {{0}}; /* each other plan's, so that what is not taken leaves nothing behind */
  int count = 0, taken = -1;
  if (size.most <= MOST_FOR_ORDER) {
    others[count] = judged_anew(shortest_plan(graph, small, &own[count]), &own[count]);
    count++;
    const int part = ag_part_of(cut ? AG_PART : target->parts, operations);
    others[count] = judged_anew(ag_schedule(graph, read, part, &own[count]), &own[count]);
    count++;
  }
  if (graph->dag.alike && target->parts == AG_PARTS_LONG) {
    ag_plan *links = ag_schedule(graph, repeating(target, arena), AG_LINK_PART, &own[count]);
    others[count] = judged_anew(links, &own[count]);
    count++;
  }
  for (int k = 0; k < count; k++)
    if (others[k].cycles < best.cycles && others[k].text.most < best.text.most)
      best = others[taken = k];
  if (taken >= 0) ag_arena_adopt(arena, &own[taken]);
  for (int k = 0; k < count; k++) ag_arena_free(&own[k]);
  return with_rows_together(&best, arena);
}

/* The plan with limbs as lanes: in the usual order where that fits, else in that of the shortest code, and in parts as requested, or where
 * it is long: what waits in few parts is near by itself. */
static ag_plan *ordered_lanes(const ag_graph *lanes, const ag_target *target, bool apart,
                              ag_text_size *text, ag_arena *arena) {
  ag_target *whole = copy_of(target, arena);
  whole->apart = apart;
  whole->repeats = ag_has_rows(lanes) && target->parts == AG_PARTS_LONG;
  const ag_target *small = shortest(whole, arena);
  const int operations = ag_count(lanes, lanes->nways - 1, arena);
  ag_plan *plan = apart ? NULL : ag_schedule(lanes, whole, 0, arena);
  if (plan) *text = ag_predict_text(plan, arena);
  if (plan && text->most <= target->cache) return plan;
  const bool cut = operations > 10 * AG_LANES_PART || small->parts != AG_PARTS_LONG ||
                   (apart && lanes->nways == 1); /* limbs' functions are parts in any case */
  const int part = cut ? ag_part_of(part_of(small, AG_LANES_PART), operations) : 0;
  ag_plan *shorter = ag_schedule(lanes, small, part, arena);
  const ag_text_size size = ag_predict_text(shorter, arena);
  if (plan && size.most >= text->most) return plan;
  *text = size;
  return shorter;
}

/* Whether one of the outputs is another number by the fast way. */
static bool has_own_pivots(const ag_function *function) {
  for (int i = 0; i < function->out.nquantities; i++)
    if (strcmp(function->out.quantities[i].name, "pivot_min") == 0) return true;
  return false;
}

/* Whether the general way is by functions that are called once for each limb, or with vectors once for all: not where it is cut
 * into parts, nor where it has functions for rows. The fast way is for vectors alone then. */
static bool can_outline(const ag_function *function, const ag_graph *lanes,
                        const ag_target *target) {
  if (target->prefetch || target->parts > 0 || function->after || ag_has_rows(function->graph))
    return false;
  return lanes->nways == 1 || !has_own_pivots(function);
}

static void outline(ag_function *function, ag_plan *plan, ag_plan *limbs, const ag_target *small,
                    ag_arena *arena) {
  const int part = part_of(small, plan->fast ? AG_PART : AG_LANES_PART);
  function->outlined = ag_outline(function->limbs, arena);
  ag_plan *stages = ag_schedule(function->outlined, small, 0, arena);
  limbs->stages = ag_find_stages(stages, arena);
  ag_share_stages(limbs->stages, arena);
  stages->part = part > 0 ? part : INT_MAX / 4; /* --parts 0: as long as they are */
  stages->split = ag_split_plan(stages, arena);
  if (!limbs->fast) limbs->split = NULL; /* the stages' parts are its text */
  if (plan->fast) ag_add_guard(&plan->own.cost, plan->graph, arena); /* computed twice at worst */
}

static ag_plan *shorten(const ag_header *header, ag_function *function, ag_plan *usual,
                        ag_text_size size) {
  ag_arena *arena = header->arena;
  const ag_target *target = &header->target, *small = shortest(target, arena);
  const choice numbers = best_of_numbers(function->graph, target, usual, size, arena);
  ag_plan *plan = numbers.plan;
  ag_text_size text = numbers.text;
  const bool search = !target->one_by_one && size.most <= MOST_FOR_LANES;
  const bool most = size.most > LARGE || ag_has_rows(function->graph);
  ag_graph *lanes = search ? ag_vectorize_function(header, function, most) : NULL;
  if (lanes) {
    ag_text_size in_lanes;
    const bool outlines = can_outline(function, lanes, target);
    ag_plan *limbs = ordered_lanes(lanes, target, outlines, &in_lanes, arena);
    if (in_lanes.most < text.most) {
      text = in_lanes;
      function->limbs = lanes;
      plan->limbs = limbs;
      if (outlines) outline(function, plan, limbs, small, arena);
    }
  }
  if (plan == usual && !plan->limbs) return usual;
  plan->usual_text = size;
  plan->text = text;
  return plan;
}

/* Code that is shorter, in bytes, waits more than it computes. */
enum { SHORT = 8 * 1024 };

/* Whether limbs may be lanes although the code fits. Floats have vectors of four without AVX, too, and run on processors without any, for
 * which their headers stay short; and beside a batch, which has a state in each lane, a function gives each state the same bits. There
 * they may only where no cache of half that size holds the code, as most CPUs have. */
static bool may_have_lanes(const ag_target *target, ag_text_size size) {
  if (target->one_by_one) return false;
  return (!target->single && !target->batch) || 2 * size.most > target->cache;
}

/* Limbs as lanes in code that fits, where these are no more than three quarters of it, or half of short code: with vectors of four doubles
 * they are faster, and change nothing where there are none. */
static void shorten_by_lanes(const ag_header *header, ag_function *function, ag_plan *plan,
                             ag_text_size size) {
  if (!may_have_lanes(&header->target, size)) return;
  ag_graph *lanes = ag_vectorize_function(header, function, false);
  if (!lanes) return;
  ag_plan *limbs = ag_schedule(lanes, &header->target, 0, header->arena);
  const ag_text_size in_lanes = ag_predict_text(limbs, header->arena);
  if (4 * in_lanes.most > (size.most <= SHORT ? 2 : 3) * size.most) return;
  function->limbs = lanes;
  plan->limbs = limbs;
  plan->usual_text = size;
  plan->text = in_lanes;
}

/* The same by one text for all columns of results that are products, in parts: returns the plan. */
static ag_plan *shorten_by_products(const ag_graph *graph, const ag_target *target, ag_plan *plan,
                                    ag_text_size size, ag_arena *arena) {
  if (2 * size.most <= target->cache || target->parts != AG_PARTS_LONG || plan->products ||
      !ag_has_products(graph, arena))
    return plan;
  ag_plan *parts = shortest_plan(graph, shortest(target, arena), arena);
  const ag_text_size shorter = ag_predict_text(parts, arena);
  if (!parts->products || 4 * shorter.most > 3 * size.most) return plan;
  parts->usual_text = size;
  parts->text = shorter;
  return parts;
}

ag_plan *ag_lower_shortest(const ag_graph *graph, const ag_target *target, ag_arena *arena) {
  ag_plan *plan = ag_schedule_as_asked(graph, target, arena);
  if (!ag_may_repeat(graph) || target->parts != AG_PARTS_LONG) return plan;
  ag_plan *links = ag_schedule(graph, repeating(target, arena), AG_PART, arena);
  const int own = ag_predict_text(plan, arena).whole, shared = ag_predict_text(links, arena).whole;
  return links->repeats && shared < own ? links : plan;
}

/* Of so many random states more than one goes the general way: that is often. */
enum { SELDOM = 8 };

/* In short parts, where the general way is long and often taken: it takes two thirds of the time, and what most states run through
 * about as long as before. */
static ag_plan *cut_general(const ag_function *function, const ag_target *target, ag_plan *plan,
                            ag_text_size size, ag_arena *arena) {
  if (!plan->fast || SELDOM * function->general <= 1 || size.whole <= target->cache ||
      target->parts != AG_PARTS_LONG)
    return plan;
  const int operations = ag_count(function->graph, AG_GENERAL, arena);
  ag_plan *parts =
      ag_schedule(function->graph, target, ag_part_of(AG_LANES_PART, operations), arena);
  parts->usual_text = size;
  parts->text = ag_predict_text(parts, arena);
  return parts;
}

ag_plan *ag_lower_to_fit(const ag_header *header, ag_function *function) {
  const ag_target *target = &header->target;
  ag_plan *plan = ag_schedule_as_asked(function->graph, target, header->arena);
  const ag_text_size size = ag_predict_text(plan, header->arena);
  const bool search = size.most <= MOST_FOR_ORDER || ag_may_repeat(function->graph);
  if (size.most > target->cache && search)
    plan = shorten(header, function, plan, size);
  else if (size.most <= target->cache) {
    plan = shorten_by_products(function->graph, target, plan, size, header->arena);
    if (!plan->products) shorten_by_lanes(header, function, plan, size);
    if (!plan->limbs) plan = cut_general(function, target, plan, size, header->arena);
  }
  if (target->batch) plan->vectors = ag_schedule_vectors(plan, function->graph, header->arena);
  return plan;
}

const char *ag_choice_text(const ag_header *header, const ag_plan *plan) {
  enum { KB = 1024 };
  if (plan->text.whole == 0) return NULL;
  const ag_plan *limbs = plan->limbs;
  const int part = limbs ? limbs->part : plan->part;
  if (plan->fast && !limbs && plan->usual_text.most <= header->target.cache)
    return ag_printf(header->arena,
                     "about %d KB by gcc -O2 for x86-64, %d KB of it in most states; since %.0f of "
                     "100 random states go the other way, in parts of %d operations at most",
                     (plan->text.whole + KB - 1) / KB, (plan->text.most + KB - 1) / KB,
                     100 * plan->graph->function->general, part);
  const char *parts = "";
  if (part == AG_SHORT_PART || part == AG_LANES_PART || part == AG_PART)
    parts = ag_printf(header->arena, ", in parts of %d operations at most, whose stacks are small",
                      part);
  const char *what = ag_printf(
      header->arena, "statements are in %s%s",
      plan->target->read    ? "the order of code that is read anew in every call: short, with "
                              "little waiting"
      : plan->target->small ? "the order of the shortest code"
                            : "the usual order",
      parts);
  if (plan->repeats && plan->graph->dag.alike)
    what = "steps that are the same for several links but for constants are functions, which are "
           "called for one link after the other";
  if (limbs)
    what = ag_printf(
        header->arena, "limbs of equal shape are computed together in the lanes of vectors%s%s%s",
        limbs->target->small ? ", in the order of the shortest code" : "", parts,
        !limbs->stages ? ""
        : limbs->fast
            ? "; the general solve by parts that are called once for all limbs, and where the "
              "compiler has no vectors, which have that solve alone, once for each"
            : ", called once for all of them, and where the compiler has no vectors once for "
              "each");
  if (ag_has_rows(plan->graph) && (limbs ? limbs : plan)->repeats)
    what = ag_printf(
        header->arena,
        "%s; what rows have in common is functions, called for one row after the other", what);
  const char *too_long = "";
  if (2 * plan->usual_text.most > header->target.cache)
    too_long =
        ag_printf(header->arena, ", which %s%d KB of a first-level cache (--cache) do not hold",
                  plan->usual_text.most <= header->target.cache ? "half of the " : "",
                  header->target.cache / KB);
  return ag_printf(header->arena, "about %d KB by gcc -O2 for x86-64%s in place of %d%s: %s",
                   (plan->text.most + KB - 1) / KB, plan->fast ? " in most states" : "",
                   (plan->usual_text.most + KB - 1) / KB, too_long, what);
}

/* SPDX-License-Identifier: MIT */
/* decisions.c: see decisions.h */
#include "prove/decisions.h"

#include "base/random.h"

ag_turning ag_turn_of(int k) {
  enum { CYCLE = 10 };
  static const ag_turning cycle[CYCLE] = {
      {.masking = AG_UNMASKED},
      {.masking = AG_UNMASKED, .round = true},
      {.masking = AG_UNMASKED, .reach = true},
      {.masking = AG_UNMASKED, .round = true, .reach = true, .reach_round = true},
      {.masking = AG_MASKED},
      {.masking = AG_OTHERS_MASKED, .round = true},
      {.masking = AG_MASKED, .reach = true},
      {.masking = AG_OTHERS_MASKED, .round = true, .reach = true, .reach_round = true},
      {.masking = AG_MASKED, .round = true, .reach = true, .reach_round = true},
      {.masking = AG_OTHERS_MASKED, .reach = true}};
  if (k <= 0) return (ag_turning){0};
  if (k == 1) return (ag_turning){.number = 1, .masking = AG_UNMASKED};
  ag_turning turn = cycle[(k - 2) % CYCLE];
  turn.number = k;
  const int in_cycle = (k - 2) % CYCLE, four = in_cycle < 6 ? in_cycle / 2 : 3;
  turn.seed = (uint64_t)(1 + (k - 2) / CYCLE * 4 + four) << 32;
  return turn;
}

void ag_decisions_start(ag_decisions *d, ag_turning turn) {
  d->before = ag_alloc(d->arena, (size_t)(d->count + 1) * sizeof *d->before);
  d->nbefore = 0;
  for (int k = 0; k < d->count && d->turn.number == 0; k++) d->before[d->nbefore++] = d->list[k].x;
  d->count = d->nusual = 0;
  d->turn = turn;
  d->held = false;
}

static ag_decision *find(const ag_decisions *d, ag_residue x, bool by_right) {
  for (int k = 0; k < d->count; k++)
    if (d->list[k].x == x && d->list[k].by_right == by_right) return &d->list[k];
  return NULL;
}

static bool holds(const ag_residue *list, int count, ag_residue x) {
  for (int i = 0; i < count; i++)
    if (list[i] == x) return true;
  return false;
}

void ag_decisions_keep(ag_decisions *d) {
  d->folded = ag_alloc(d->arena, (size_t)(d->count + 1) * sizeof *d->folded);
  d->nfolded = 0;
  for (int k = 0; k < d->count; k++)
    if (!d->list[k].met) d->folded[d->nfolded++] = d->list[k].x;
  d->constants = ag_alloc(d->arena, (size_t)(d->count + 1) * sizeof *d->constants);
  d->nconstants = 0;
  for (int k = 0; k < d->count; k++)
    if (holds(d->before, d->nbefore, d->list[k].x)) d->constants[d->nconstants++] = d->list[k].x;
}

void ag_decisions_strike(ag_decisions *d) {
  for (int k = 0; k < d->count; k++)
    for (int i = 0; i < d->nfolded && d->list[k].met; i++)
      if (d->folded[i] == d->list[k].x) d->folded[i--] = d->folded[--d->nfolded];
}

static bool is_folded(const ag_decisions *d, ag_residue x) {
  return holds(d->folded, d->nfolded, x) || holds(d->constants, d->nconstants, x);
}

/* Whether the answer about x is that of the doubles in any case. */
static bool stays(const ag_decisions *d, ag_residue x) {
  return d->turn.constants ? holds(d->folded, d->nfolded, x) : is_folded(d, x);
}

/* Whether the answer about x, number k, is not that of the doubles. */
static bool turned(const ag_decisions *d, ag_residue x, int k, bool round) {
  uint64_t state = d->turn.seed + (uint64_t)k;
  if (d->turn.number == 0 || d->held || stays(d, x)) return false;
  return d->turn.seed == 0 || (ag_random_between(&state, -1, 1) < 0) != round;
}

static bool add(ag_decisions *d, ag_residue x, bool by_right, bool less) {
  d->list = ag_room(d->arena, d->list, d->count, sizeof *d->list);
  d->list[d->count++] = (ag_decision){.x = x, .by_right = by_right, .less = less};
  return less;
}

bool ag_decide(ag_decisions *d, ag_number a, ag_number b) {
  const bool less = a.value < b.value;
  const ag_residue x = ag_residue_sub(a.exact, b.exact);
  const ag_decision *known = find(d, x, false);
  if (x == 0) return less; /* the same number */
  return known ? known->less : add(d, x, false, less != turned(d, x, d->count, d->turn.round));
}

bool ag_decide_usual(ag_decisions *d, ag_number a, ag_number b, bool usual) {
  const ag_residue x = ag_residue_sub(a.exact, b.exact);
  const ag_decision *known = find(d, x, false);
  if (known) return known->less;
  const bool turn = ++d->nusual == d->unusual || turned(d, x, d->count, d->turn.round);
  return add(d, x, false, usual != turn);
}

bool ag_decide_reach(ag_decisions *d, ag_number b) {
  const ag_decision *known = find(d, b.exact, true);
  return known ? known->less
               : add(d, b.exact, true,
                     !(d->turn.reach && turned(d, b.exact, d->count, d->turn.reach_round)));
}

void ag_decide_as(ag_decisions *d, ag_number a, ag_number b, bool less, bool due) {
  const ag_residue x = ag_residue_sub(a.exact, b.exact);
  if (!find(d, x, false)) add(d, x, false, stays(d, x) ? a.value < b.value : less);
  find(d, x, false)->due = due;
}

ag_decision *ag_decision_of(const ag_decisions *d, ag_residue a, ag_residue b) {
  ag_decision *known = find(d, ag_residue_sub(a, b), false);
  return known ? known : find(d, b, true);
}

bool ag_decisions_left(const ag_decisions *d) {
  for (int k = 0; k < d->count; k++)
    if (d->list[k].due && !d->list[k].met && !is_folded(d, d->list[k].x)) return true;
  return false;
}

/* SPDX-License-Identifier: MIT */
/* pruning.c: see pruning.h */
#include "limbs/pruning.h"

#include <assert.h>
#include <string.h>

static void reach(vectorizer *q, ag_id id);

static void reach_candidate(vectorizer *q, int k) {
  candidate *p = &q->candidates[k];
  p->users++;
  if (p->state == 1) {
    q->candidates[q->open[q->nopen - 1]].apart = true;
    q->again = true;
  }
  if (p->state || q->again) return;
  p->state = 1;
  if (stands(p)) q->open[q->nopen++] = k;
  if (stands(p)) {
    reach_candidate(q, p->a);
    if (p->kind != SCALE) reach_candidate(q, p->b);
  } else if (p->kind != KNOWN) {
    for (int l = 0; l < p->lanes; l++)
      if (p->node[l] >= 0) reach(q, p->node[l]);
  }
  if (stands(p)) q->nopen--;
  p->state = 2;
}

static void reach(vectorizer *q, ag_id id) {
  if (q->state[id] == 1) {
    assert(q->nopen > 0);
    q->candidates[q->open[q->nopen - 1]].apart = true;
    q->again = true;
  }
  if (q->state[id] || q->again) return;
  q->state[id] = 1;
  const int home = q->home[id];
  if (home >= 0 && stands(&q->candidates[home])) {
    candidate *p = &q->candidates[home];
    p->taken[lane_of(p, id)] = true;
    p->users--;
    reach_candidate(q, home);
  } else {
    ag_id of[3];
    const int arity = ag_operands(at(q, id), of);
    for (int k = 0; k < arity; k++) reach(q, of[k]);
  }
  q->state[id] = 2;
}

/* Walks from the results; where vectors wait for each other, the last one on the way is taken apart. */
static void walk(vectorizer *q) {
  do {
    q->again = false;
    q->nopen = 0;
    memset(q->state, 0, (size_t)q->nnodes);
    for (int k = 0; k < q->ncandidates; k++) {
      q->candidates[k].state = 0;
      q->candidates[k].users = 0;
      memset(q->candidates[k].taken, 0, sizeof q->candidates[k].taken);
    }
    for (const ag_way *way = q->graph->ways; way < q->graph->ways + q->graph->nways; way++) {
      for (int i = 0; i < way->noutputs; i++) reach(q, way->outputs[i]);
      for (int i = 0; i < way->nstatus; i++) reach(q, way->status[i].node);
      if (q->graph->nways > 1 && way == q->graph->ways) reach(q, q->graph->guard);
    }
  } while (q->again);
}

static int taken(const candidate *p) {
  int count = 0;
  for (int l = 0; l < p->lanes; l++) count += p->taken[l];
  return count;
}

/* What an operand costs, in hundredths of an operation: its joining, shared by its users. */
static int joining(const candidate *p) {
  if (stands(p) || p->kind == KNOWN) return 0;
  const int users = p->users > 0 ? p->users : 1;
  return (p->kind == SPLAT ? 30 : 100 * p->lanes) / users;
}

/* What it would cost to take the lanes of an operand that is a vector. */
static int taking(const candidate *p) {
  return stands(p) ? 100 * (p->lanes - taken(p)) : 0;
}

static bool is_worth(const vectorizer *q, const candidate *p) {
  const candidate *a = &q->candidates[p->a], *b = p->kind == SCALE ? a : &q->candidates[p->b];
  int distinct = 0;
  for (int l = 0; l < p->lanes; l++) {
    bool first = p->node[l] >= 0;
    for (int k = 0; k < l; k++) first &= p->node[k] != p->node[l];
    distinct += first;
  }
  const int together = 100 + 100 * taken(p) + joining(a) + (a == b ? 0 : joining(b));
  const int apart =
      100 * distinct + (p->users > 0 ? 100 * p->lanes : 0) + taking(a) + (a == b ? 0 : taking(b));
  return together <= apart;
}

void ag_choose_candidates(vectorizer *q) {
  for (bool changed = true; changed;) {
    changed = false;
    walk(q);
    for (int k = q->ncandidates - 1; k >= 0; k--) {
      candidate *p = &q->candidates[k];
      if (!p->state || !stands(p) || is_worth(q, p)) continue;
      p->apart = true;
      changed = true;
    }
  }
}

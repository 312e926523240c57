/* SPDX-License-Identifier: MIT */
/* statement_names.c: see statement_names.h */
#include "emit/statement_names.h"

#include "base/hash.h"
#include "base/names.h"
#include "emit/limits.h"

#include <string.h>

/* Names that are taken, by hash; a power of 2 of places, no more than half of them full. */
typedef struct taken {
  const char **names;
  size_t places;
} taken;

/* Takes a name; false: it is taken already. */
static bool take(const taken *all, const char *name) {
  size_t at = (size_t)ag_hash_add(AG_HASH_START, name, strlen(name)) & (all->places - 1);
  for (; all->names[at]; at = (at + 1) & (all->places - 1))
    if (strcmp(all->names[at], name) == 0) return false;
  all->names[at] = name;
  return true;
}

/* Of a region's body at most so many letters, so that the 31 that C99 promises to tell apart in
 * linked names, and people, see the whole name. */
enum { LONGEST_BODY = 20 };

const char *ag_name_of_body(const ag_printer *p, int32_t region) {
  const ag_plan *plan = p->plan;
  if (region < 0 || region >= plan->graph->nregions || !plan->graph->regions[region].body)
    return NULL;
  const char *id = ag_identifier(plan->graph->regions[region].body, p->header->arena);
  size_t length = strlen(id);
  if (length > 5 && strcmp(id + length - 5, "_link") == 0) length -= 5;
  if (length > LONGEST_BODY) length = LONGEST_BODY;
  while (length > 1 && id[length - 1] == '_') length--; /* no double underscore: C++ keeps these */
  return ag_printf(p->header->arena, "%s%.*s", id[0] == '_' ? "b" : "", (int)length, id);
}

/* ---- limbs in lanes ---- */

/* The part of a name that begins at `at`, up to the next underscore; its length. */
static size_t word_at(const char *at) {
  return strcspn(at, "_");
}

/* What tells the name of a limb's first joint from those of the others: "fl" of fl_hip, fr_hip, rl_hip. The whole name, where they
 * differ in more than one word. */
static const char *name_of_lane(const ag_header *h, const ag_limbs *set, int limb) {
  const char *name = h->joints[set->joint[limb][0]].id, *at[AG_LANES], *found = NULL;
  for (int k = 0; k < set->count; k++) at[k] = h->joints[set->joint[k][0]].id;
  for (;;) {
    bool same = true;
    const size_t length = word_at(at[limb]);
    for (int k = 0; k < set->count; k++)
      same &= word_at(at[k]) == length && strncmp(at[k], at[limb], length) == 0;
    if (!same && found) return name;
    if (!same) found = ag_printf(h->arena, "%.*s", (int)length, at[limb]);
    bool ends = false;
    for (int k = 0; k < set->count; k++) {
      at[k] += word_at(at[k]);
      ends |= *at[k] == '\0';
    }
    for (int k = 0; k < set->count; k++) {
      if (ends && *at[k]) return name; /* of more words than another */
      at[k] += !ends;
    }
    if (ends) return found ? found : name;
  }
}

const char *ag_names_of_lanes(const ag_header *h, const ag_limbs *set) {
  const char *list = "";
  for (int k = 0; k < set->count; k++)
    list = ag_printf(h->arena, "%s%s%s", list, k ? ", " : "", name_of_lane(h, set, k));
  return list;
}

/* "calf" of rr_calf: what bodies of all limbs share. */
static const char *shared_body(const ag_printer *p, const char *body) {
  const ag_plan *plan = p->plan;
  for (int s = 0; s < plan->graph->nlimbs; s++)
    for (int k = 0; k < plan->graph->limbs[s].count; k++) {
      const char *lane = name_of_lane(p->header, &plan->graph->limbs[s], k);
      for (const char *at = body; *at; at += word_at(at) + (at[word_at(at)] == '_')) {
        const size_t length = word_at(at);
        if (strlen(lane) != length || strncmp(at, lane, length) != 0) continue;
        const char *rest = at[length] == '_' ? at + length + 1 : at + length;
        const char *left = ag_printf(p->header->arena, "%.*s%s", (int)(at - body), body, rest);
        const size_t all = strlen(left); /* "calf_" of calf_rr */
        if (all > 1 && left[all - 1] == '_')
          left = ag_printf(p->header->arena, "%.*s", (int)all - 1, left);
        return all > 0 && !(left[0] >= '0' && left[0] <= '9') ? left : body;
      }
    }
  return body;
}

/* ---- names ---- */

/* Who asks for a node: AG_NOBODY, or the one statement, or several. */
enum { AG_NOBODY = -1, AG_SEVERAL = -2 };

/* By node of a way: the named value that it is a part of, as one of its terms or a sum of them that nothing else asks for; itself where
 * it has a name, AG_SEVERAL where it is no part. */
static ag_id *parts_of(const ag_printer *p, const ag_sequence *way) {
  const ag_dag *dag = &way->graph->dag;
  const size_t count = (size_t)dag->count + 1;
  ag_id *whole = ag_alloc(p->header->arena, count * sizeof *whole);
  for (size_t k = 0; k < count; k++) whole[k] = AG_NOBODY;
  for (int i = 0; i < way->graph->function->out.nelements; i++)
    whole[way->results->outputs[i]] = AG_SEVERAL;
  for (int i = 0; i < way->results->nstatus; i++) whole[way->results->status[i].node] = AG_SEVERAL;
  for (int i = way->norder - 1; i >= 0; i--) { /* who asks stands behind */
    const ag_id id = way->order[i];
    const ag_node *n = &dag->nodes[id];
    if (n->name || ag_is_boolean(dag, id)) whole[id] = n->name ? id : AG_SEVERAL;
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) {
      const bool first = whole[of[k]] == AG_NOBODY || whole[of[k]] == whole[id];
      const bool term = n->op == AG_ADD || n->op == AG_SUB || n->op == AG_NEG;
      whole[of[k]] = first && term ? whole[id] : AG_SEVERAL;
    }
  }
  return whole;
}

/* Of a value: what the scripts call it; of a part of such a value the same and the part's number; else a number. */
static const char *own_name(const ag_printer *p, const ag_sequence *way, ag_id id, ag_id whole,
                            int *parts, int *count) {
  ag_arena *arena = p->header->arena;
  const ag_node *n = &way->graph->dag.nodes[id];
  if (n->name) return n->name;
  if (whole >= 0 && whole != id)
    return ag_printf(arena, "%s_part%d", way->graph->dag.nodes[whole].name, ++parts[whole]);
  return ag_printf(arena, "%c%d", ag_is_boolean(&way->graph->dag, id) ? 'k' : 't', ++*count);
}

/* "forearm_w_x": a value's name behind that of its body, which is cut where both are too long. */
static const char *behind_body(ag_arena *arena, const char *body, const char *own) {
  enum { LONGEST = 31, NUMBER = 3 }; /* "_n2" may come */
  int length = (int)strlen(body), room = LONGEST - NUMBER - 1 - (int)strlen(own);
  if (length > room && room > 3) length = room;
  while (length > 1 && body[length - 1] == '_') length--;
  return ag_printf(arena, "%.*s_%s", length, body, own);
}

/* Names the statements of a way from the `first`-th node of its order on, where they have none yet.
 */
static void name_statements(ag_printer *p, const ag_sequence *way, int first, const taken *all,
                            const char *const *body, int *count) {
  ag_arena *arena = p->header->arena;
  const ag_id *whole = parts_of(p, way);
  int *parts = ag_alloc(arena, (size_t)(way->graph->dag.count + 1) * sizeof *parts);
  for (int i = first; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (!way->statement[id] || p->name[id]) continue;
    const bool part = whole[id] >= 0 && whole[id] != id;
    const ag_node *n = &way->graph->dag.nodes[part ? whole[id] : id];
    const int32_t region = n->name ? n->scope : n->region;
    const char *of = region >= 0 && region < way->graph->nregions ? body[region] : NULL;
    const char *own = own_name(p, way, id, whole[id], parts, count);
    if (p->terse && !n->name) of = NULL; /* its step tells the body */
    if (of) of = shared_body(p, of);
    const char *name = of ? behind_body(arena, of, own) : own;
    p->name[id] = name;
    for (int again = 2; !take(all, p->name[id]); again++)
      p->name[id] = ag_printf(arena, "%s_n%d", name, again);
  }
}

/* Statements have names: what the scripts call them, behind the body that their region is about, or
 * a number. */
void ag_name_statements(ag_printer *p) {
  ag_arena *arena = p->header->arena;
  const ag_plan *plan = p->plan;
  taken all = {.places = 64};
  const int nfast = plan->fast ? plan->fast->norder : 0;
  while (all.places < 4 * (size_t)(plan->own.norder + nfast + p->limits->count + 8))
    all.places *= 2;
  all.names = ag_alloc(arena, all.places * sizeof *all.names);
  /* what else a function's text names */
  static const char *const others[] = {"in",     "out",    "trig", "none",    "bits",
                                       "angles", "status", "work", "waiting", "masks"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) (void)take(&all, others[k]);
  for (int i = 0; i < plan->graph->function->in.nquantities; i++)
    (void)take(&all, plan->graph->function->in.quantities[i].name); /* parameters, by row */
  if (plan->graph->function->after) (void)take(&all, plan->graph->function->after);
  if (p->header->target.prefetch) (void)take(&all, "code");
  static const char *const of_parts[] = {"w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8"};
  for (size_t k = 0; plan->split && k < sizeof of_parts / sizeof *of_parts; k++)
    (void)take(&all, of_parts[k]);
  static const char *const of_products[] = {"m", "infinite"};
  for (size_t k = 0; plan->products && k < sizeof of_products / sizeof *of_products; k++)
    (void)take(&all, of_products[k]);
  static const char *const of_links[] = {"link", "row", "known", "joint"};
  for (size_t k = 0; plan->repeats && k < sizeof of_links / sizeof *of_links; k++)
    (void)take(&all, of_links[k]);
  static const char *const of_limbs[] = {"limb",  "own",   "trunk", "limb2",
                                         "limb4", "limb8", "lane",  "given"};
  for (size_t k = 0; (plan->stages || plan->of_stages) && k < sizeof of_limbs / sizeof *of_limbs;
       k++)
    (void)take(&all, of_limbs[k]);
  for (int k = 0; k < p->limits->count; k++) (void)take(&all, p->limits->list[k].name);
  const char **body = ag_alloc(arena, (size_t)(plan->graph->nregions + 1) * sizeof *body);
  for (int32_t r = 0; r < plan->graph->nregions; r++) body[r] = ag_name_of_body(p, r);
  int count = 0;
  name_statements(p, &plan->own, 0, &all, body, &count);
  if (plan->fast) name_statements(p, plan->fast, plan->nguard, &all, body, &count);
}

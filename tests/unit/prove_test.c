/* SPDX-License-Identifier: MIT */
/* prove_test.c: the field is one; definitions and programs agree; and what does not agree is noticed:
 * random changes of the graph, in numbers that are printed. A change that is not noticed at eight
 * points has to be none, the same outputs at 64 more, or stand behind a branch that none of the
 * eight takes, but for those at special positions. ACHD_SWEEP=1 makes ten times as many. */
#define _XOPEN_SOURCE 700
#include "base/field.h"
#include "prove/derivatives.h"
#include "model/robot_file.h"
#include "prove/exact.h"
#include "prove/proof_text.h"

#include "test.h"

#include <stdlib.h>

static uint64_t state = 1;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int below(int n) {
  return (int)(draw() % (uint64_t)n);
}

/* ---- the field ---- */

/* a b by doubling and adding, no product. */
static ag_residue slowly(ag_residue a, ag_residue b) {
  ag_residue sum = 0;
  for (int bit = 60; bit >= 0; bit--) {
    sum = ag_residue_add(sum, sum);
    if (b >> bit & 1) sum = ag_residue_add(sum, a);
  }
  return sum;
}

static void field_is_a_field(void) {
  const ag_residue edges[] = {0,
                              1,
                              2,
                              AG_FIELD_P - 1,
                              AG_FIELD_P - 2,
                              UINT64_C(1) << 60,
                              (UINT64_C(1) << 32) - 1,
                              UINT64_C(1) << 32};
  enum { EDGES = sizeof edges / sizeof *edges };
  for (int k = 0; k < 3000; k++) {
    const ag_residue a = k < EDGES * EDGES ? edges[k % EDGES] : draw() % AG_FIELD_P,
                     b = k < EDGES * EDGES ? edges[k / EDGES] : draw() % AG_FIELD_P;
    CHECK(ag_residue_mul(a, b) == slowly(a, b));
    CHECK(ag_residue_mul_in_halves(a, b) == slowly(a, b));
    CHECK(ag_residue_add(ag_residue_sub(a, b), b) == a);
    CHECK(ag_residue_add(a, ag_residue_neg(a)) == 0);
    CHECK(a == 0 || ag_residue_mul(a, ag_residue_inverse(a)) == 1);
  }
}

static void doubles_are_elements(void) {
  CHECK(ag_residue_of(0) == 0 && ag_residue_of(-0.0) == 0 && ag_residue_of(1) == 1);
  CHECK(ag_residue_of(-3) == AG_FIELD_P - 3);
  CHECK(ag_residue_mul(ag_residue_of(0.375), 8) == 3);
  CHECK(ag_residue_mul(ag_residue_of(0x1p-1074), ag_residue_of(0x1p1000)) ==
        ag_residue_of(0x1p-74));
  CHECK(ag_residue_of(INFINITY) == 0 && ag_residue_of(NAN) == 0);
  for (int k = 0; k < 1000; k++) { /* sums that doubles hold exactly */
    const double a = ldexp((double)(int32_t)draw(), below(20) - 10), b = (double)(int32_t)draw();
    CHECK(ag_residue_of(a + b) == ag_residue_add(ag_residue_of(a), ag_residue_of(b)));
    const double c = ldexp((double)(int16_t)draw(), -500), d = ldexp((double)(int16_t)draw(), 300);
    CHECK(ag_residue_of(c * d) == ag_residue_mul(ag_residue_of(c), ag_residue_of(d)));
  }
}

static void circle_is_one(void) {
  for (int k = -16; k <= 1000; k++) {
    const double angle = k < 17 ? k * 0.78539816339744831 : (double)(int32_t)draw() * 1e-9;
    double cosine = cos(angle), sine = sin(angle);
    if (fabs(cosine) < 1e-15) cosine = 0;
    if (fabs(sine) < 1e-15) sine = 0;
    if (cosine == 0) sine = sine < 0 ? -1 : 1;
    if (sine == 0) cosine = cosine < 0 ? -1 : 1;
    ag_number c, s;
    ag_number_circle(cosine, sine, &c, &s);
    CHECK(ag_residue_add(ag_residue_mul(c.exact, c.exact), ag_residue_mul(s.exact, s.exact)) == 1);
    CHECK(c.value == cosine && s.value == sine);
    CHECK((c.value == 0) == (c.exact == 0) && (s.value == 0) == (s.exact == 0));
    ag_number_circle(cosine, -sine, &c, &s); /* the angle turned round */
    CHECK(ag_residue_add(ag_residue_mul(c.exact, c.exact), ag_residue_mul(s.exact, s.exact)) == 1);
  }
}

/* ---- changes of the graph ---- */

/* Points that --prove takes, of them the first with all branches as the doubles say; and more. */
enum { PLAIN = 8, POINTS = 32, MORE = 64, AG_MOST_COLUMNS = 64 };

typedef struct subject { /* a program, what it is to give at points, and inputs there */
  const ag_header *header;
  const ag_graph *graph;
  ag_exact_run run;
  ag_number *in[POINTS + MORE];
  ag_residue *wanted[POINTS + MORE];
  bool *compared[POINTS + MORE];
  bool special[POINTS + MORE]; /* all positions zero or nearly so: formulas may agree there */
  ag_decisions decided[POINTS + MORE]; /* which branches are turned there */
  int points;
  ag_residue *seen; /* room for outputs */
} subject;

/* What the proof compares of an output, of the way that was taken: its elements; of a derivative each
 * row's product with a random direction, at the row's first element. */
static void observe(const subject *s, const ag_quantity *q, ag_residue *values) {
  ag_residue along[AG_MOST_COLUMNS];
  const char *of;
  ag_arena arena = {0};
  const bool derivative = q->shape == AG_DERIVATIVE;
  const int columns = derivative ? ag_derivative_columns(s->header, q) : 1;
  if (derivative) ag_random_direction(ag_derivative_by(q->name, &of, &arena), columns, along);
  ag_arena_free(&arena);
  for (int i = 0; i < q->size; i++) values[q->first + i] = 0;
  for (int i = 0; i < q->size; i++) {
    const ag_residue x = s->run.exact[s->run.taken->outputs[q->first + i]];
    ag_residue *to = &values[q->first + i / columns * columns];
    *to = derivative ? ag_residue_add(*to, ag_residue_mul(x, along[i % columns])) : x;
  }
}

/* All outputs at a point. */
static void outputs(const subject *s, ag_residue *values, bool *compared) {
  const ag_graph *p = s->graph;
  for (int k = 0; k < p->function->out.nquantities; k++)
    observe(s, &p->function->out.quantities[k], values);
  for (int i = 0; i < p->function->out.nelements; i++)
    compared[i] = !s->run.approximate[s->run.taken->outputs[i]];
}

static void evaluate(subject *s, const ag_dag *dag, int point) {
  const ag_decisions *decided = &s->decided[point];
  s->run.decisions = decided->turn.number > 0 ? decided : NULL;
  s->run.general = decided->general;
  ag_exact_evaluate(&s->run, dag, s->in[point]);
}

static bool as_wanted(subject *s, const ag_dag *dag, int point) {
  const ag_graph *p = s->graph;
  evaluate(s, dag, point);
  for (int k = 0; k < p->function->out.nquantities; k++) {
    const ag_quantity *q = &p->function->out.quantities[k];
    observe(s, q, s->seen);
    for (int i = q->first; i < q->first + q->size; i++)
      if (s->compared[point][i] && s->seen[i] != s->wanted[point][i]) return false;
  }
  return true;
}

static ag_dag copy_of(const ag_dag *dag, ag_arena *arena) {
  ag_dag copy = *dag;
  copy.nodes = ag_alloc(arena, (size_t)dag->count * sizeof *copy.nodes);
  memcpy(copy.nodes, dag->nodes, (size_t)dag->count * sizeof *copy.nodes);
  return copy;
}

/* Another number that is made before node `id`. */
static ag_id other_number(const subject *s, ag_id id) {
  for (int tries = 0; tries < 1000; tries++) {
    const ag_way *way = &s->graph->ways[AG_GENERAL];
    const ag_id other = way->nodes[below(way->nnodes)];
    const ag_op op = s->graph->dag.nodes[other].op;
    if (other < id && op < AG_BOOL && s->run.used[other]) return other;
  }
  return -1;
}

/* Changes a node: a sign, an operand, a constant's exact part, an operator. False: it cannot be. */
static bool change(const subject *s, ag_node *n, ag_id id) {
  const ag_id other = other_number(s, id);
  switch (n->op) {
  case AG_CONST:
    n->exact = ag_residue_add(n->exact, 1 + (ag_residue)below(1000));
    return true;
  case AG_ADD:
  case AG_SUB:
    if (below(2)) {
      n->op = n->op == AG_ADD ? AG_SUB : AG_ADD;
    } else if (below(2)) {
      n->op = AG_MUL;
    } else {
      if (other < 0 || other == n->b) return false;
      n->b = other;
    }
    return true;
  case AG_MUL:
  case AG_DIV:
    if (below(2)) {
      n->op = n->op == AG_MUL ? AG_DIV : AG_MUL;
    } else if (below(2)) {
      n->op = AG_SUB;
    } else {
      if (other < 0 || other == n->a) return false;
      n->a = other;
    }
    return true;
  case AG_NEG:
    n->op = AG_ADD;
    n->b = n->a; /* 2 a */
    return true;
  case AG_SIN:
  case AG_COS:
    n->op = n->op == AG_SIN ? AG_COS : AG_SIN;
    return true;
  case AG_SELECT: {
    if (below(2)) {
      if (other < 0 || other == n->b) return false;
      n->b = other;
    } else {
      const ag_id yes = n->b;
      n->b = n->c;
      n->c = yes;
    }
    return true;
  }
  default:
    return false;
  }
}

typedef struct count {
  int made, at_two, at_eight, none, untaken, missed;
} count;

/* Whether an output depends on a node at a point: along the sides that are taken, and not by a
 * product with zero. */
static bool depends(subject *s, int point, ag_id id) {
  const ag_dag *dag = &s->graph->dag;
  evaluate(s, dag, point);
  bool *mark = calloc((size_t)dag->count, sizeof *mark);
  for (int i = 0; mark && i < s->graph->function->out.nelements; i++)
    mark[s->run.taken->outputs[i]] = s->compared[point][i];
  for (ag_id k = dag->count - 1; mark && k > id; k--) {
    const ag_node *n = &dag->nodes[k];
    ag_id of[3];
    if (!mark[k] || n->op >= AG_BOOL) continue;
    const int count = ag_operands(n, of);
    const bool product = n->op == AG_MUL || n->op == AG_DIV;
    if (n->op == AG_SELECT) {
      mark[s->run.doubles[n->a] != 0 ? n->b : n->c] = true;
      continue;
    }
    for (int i = 0; i < count; i++)
      if (!product || (n->op == AG_DIV && i == 0) || s->run.exact[of[1 - i]] != 0)
        mark[of[i]] = true;
  }
  const bool result = mark && mark[id];
  free(mark);
  return result;
}

/* Whether a changed node has another value at a point, and an output depends on it there. */
static bool counts(subject *s, const ag_dag *changed, int point, ag_id id) {
  if (!depends(s, point, id)) return false;
  const ag_residue value = s->run.exact[id];
  evaluate(s, changed, point);
  return s->run.exact[id] != value;
}

static void try_changes(subject *s, int number, count *c) {
  ag_arena arena = {0};
  ag_dag dag = copy_of(&s->graph->dag, &arena);
  ag_id *used = ag_alloc(&arena, (size_t)dag.count * sizeof *used);
  int nused = 0;
  for (ag_id id = 0; id < dag.count; id++)
    if (s->run.used[id]) used[nused++] = id;
  for (int k = 0; k < number;) {
    const ag_id id = used[below(nused)];
    const ag_node before = dag.nodes[id];
    if (!change(s, &dag.nodes[id], id)) continue;
    k++;
    c->made++;
    int point = 0;
    while (point < s->points && point < POINTS && as_wanted(s, &dag, point)) point++;
    if (point < 2)
      c->at_two++;
    else if (point < POINTS && point < s->points)
      c->at_eight++;
    else {
      while (point < s->points && as_wanted(s, &dag, point)) point++;
      c->none += point == s->points;
      bool there = false;
      for (int k8 = 0; point < s->points && k8 < POINTS; k8++)
        there = there || (!s->special[k8] && counts(s, &dag, k8, id));
      c->untaken += point < s->points && !there;
      c->missed += point < s->points && there;
    }
    dag.nodes[id] = before;
  }
  ag_arena_free(&arena);
}

/* Whether a derivative is compared at the point: no damping changes along its direction. */
static bool differentiable(const ag_header *header, const ag_graph *p, const ag_problem *problem,
                           ag_point *point, const ag_quantity *q, ag_arena *arena) {
  ag_residue along[AG_MOST_COLUMNS];
  const char *of, *by = ag_derivative_by(q->name, &of, arena);
  const int columns = ag_derivative_columns(header, q);
  ag_random_direction(by, columns, along);
  const ag_direction direction = {by, along, columns};
  return !ag_define_along(p, problem, point, &direction, arena).moved;
}

/* Inputs and wanted outputs at all points where doubles decide. The first are judged by the
 * definitions. */
static void find_points(subject *s, const ag_header *header, const ag_problem *problem,
                        ag_arena *arena) {
  ag_point point = {.header = header, .arena = arena};
  ag_decisions first = {.arena = arena};
  for (int k = 0; k < header->nfunctions; k++) ag_point_add(&point, header->functions[k]->graph);
  const ag_graph *p = s->graph;
  for (int at = 0; s->points < POINTS + MORE && at < 4 * (POINTS + MORE); at++) {
    ag_arena own = {0};
    ag_decisions *decisions = &s->decided[s->points];
    const int turn = s->points < PLAIN || s->points >= POINTS ? 0 : s->points - PLAIN + 1;
    *decisions = first;
    decisions->general = turn > 0 && p->nways > 1;
    point.decisions = decisions;
    ag_decisions_start(decisions, ag_turn_of(turn));
    decisions->list = NULL; /* the first point's stays as it is */
    ag_point_draw(&point, at);
    ag_point_mask(&point, decisions->turn);
    const ag_robot *robot = ag_robot_at(problem, &point, &own);
    const ag_definition d = ag_define(p->function->name, robot);
    const size_t in = (size_t)p->function->in.nelements + 1,
                 out = (size_t)p->function->out.nelements + 1;
    s->in[s->points] = ag_alloc(arena, in * sizeof(ag_number));
    s->wanted[s->points] = ag_alloc(arena, out * sizeof(ag_residue));
    s->compared[s->points] = ag_alloc(arena, out * sizeof(bool));
    ag_point_fill(&point, p, s->in[s->points]);
    evaluate(s, &p->dag, s->points);
    if (turn == 0 && s->points == 0) {
      s->run.decisions = decisions;
      ag_exact_evaluate(&s->run, &p->dag, s->in[0]);
      ag_decisions_keep(decisions);
      first = *decisions;
    }
    outputs(s, s->wanted[s->points], s->compared[s->points]);
    for (int k = 0; k < p->function->out.nquantities; k++) {
      const ag_quantity *q = &p->function->out.quantities[k];
      if (q->shape != AG_DERIVATIVE || differentiable(header, p, problem, &point, q, &own))
        continue;
      for (int i = 0; i < q->size; i++) s->compared[s->points][q->first + i] = false;
    }
    s->special[s->points] = at % 8 == 2 || at % 8 == 6;
    s->points += !d.borderline && !d.close && !d.singular;
    ag_arena_free(&own);
  }
}

static count try_robot(const char *name, const char *layout, const char *formulation,
                       const char *function, int changes) {
  ag_arena arena = {0};
  ag_err err = {0};
  ag_urdf doc;
  ag_model model;
  ag_header header;
  ag_script *script = NULL;
  count c = {0};
  const ag_script_options options = {
      .layout = layout ? ag_printf(&arena, "%s/robots/%s.lua", ACHD_SOURCE_DIR, layout) : NULL,
      .formulation = formulation,
      .functions = &function,
      .nfunctions = 1,
      .regroup = true};
  const char *path = ag_printf(&arena, "%s/robots/%s.urdf", ACHD_SOURCE_DIR, name);
  const bool built = ag_robot_read(path, true, &doc, &arena, &err) &&
                     ag_model_build(&doc, true, &model, &arena, &err) &&
                     ag_script_build(&model, &options, &header, &script, &arena, &err);
  CHECK(built);
  if (!built) {
    ag_err_print(&err, stdout);
    return c;
  }
  ag_proof proof;
  CHECK(ag_prove(&header, script, POINTS, &proof, &err));
  CHECK(ag_proof_holds(&proof, path, &err));
  ag_value *value = ag_alloc(&arena, sizeof *value);
  CHECK(ag_script_problem(script, 0, value, &err));
  subject s = {.header = &header,
               .graph = header.functions[0]->graph,
               .run = ag_exact_new(header.functions[0]->graph, &arena)};
  s.seen = ag_alloc(&arena, (size_t)(s.graph->function->out.nelements + 1) * sizeof *s.seen);
  find_points(&s, &header, ag_problem_read(value, &arena), &arena);
  CHECK(s.points == POINTS + MORE);
  try_changes(&s, changes, &c);
  printf(
      "  %-10s %-8s %-10s %5d changes: %5d noticed at 2 points, %3d more at 32, %4d change nothing "
      "at 96, %d behind branches not taken at 32, %d missed\n",
      name, function, formulation ? formulation : "cheapest", c.made, c.at_two, c.at_eight, c.none,
      c.untaken, c.missed);
  ag_script_close(script);
  ag_arena_free(&arena);
  return c;
}

static void changes_are_noticed(void) {
  const bool sweep = getenv("ACHD_SWEEP") != NULL;
  const int share = 6; /* of these numbers of changes, tried by default */
  static const struct {
    const char *robot, *layout, *formulation, *function;
    int changes;
  } tries[] = {{"gen3", "gen3", "joint", "achd", 3000},
               {"gen3", "gen3", "recursion", "achd", 2000},
               {"gen3", NULL, "null", "achd", 2000},
               {"gen3", "gen3", NULL, "id", 1000},
               {"gen3", "gen3", NULL, "did", 1000},
               {"quadruped", "quadruped", NULL, "did", 500},
               {"iiwa7", NULL, NULL, "dfd", 1000},
               {"youbot", "youbot", NULL, "dfd", 500},
               {"gen3", NULL, NULL, "dachd", 1000},
               {"gripper", "gripper", NULL, "dachd", 500},
               {"quadruped", "motors/quadruped", NULL, "achd", 500},
               {"youbot", "youbot", NULL, "achd", 500},
               {"quadruped", "quadruped", NULL, "fd", 500},
               {"gripper", "gripper", NULL, "achd", 500},
               {"panda", "panda", NULL, "crba", 500},
               {"youbot_arm", "youbot_arm", NULL, "energy", 500}};
  count all = {0};
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    const int changes = TEST_SANITIZED ? 20
                        : sweep        ? 10 * tries[k].changes
                                       : tries[k].changes / share;
    const count c = try_robot(tries[k].robot, tries[k].layout, tries[k].formulation,
                              tries[k].function, changes);
    all.made += c.made;
    all.at_two += c.at_two;
    all.at_eight += c.at_eight;
    all.none += c.none;
    all.untaken += c.untaken;
    all.missed += c.missed;
  }
  printf("  %d changes of graphs: %d noticed at 2 points, %d more at 32, %d change nothing, %d "
         "behind branches not taken there, %d missed\n",
         all.made, all.at_two, all.at_eight, all.none, all.untaken, all.missed);
  CHECK(TEST_SANITIZED || all.made >= 2000);
  CHECK(all.missed == 0);
}

int main(void) {
  RUN(field_is_a_field);
  RUN(doubles_are_elements);
  RUN(circle_is_one);
  RUN(changes_are_noticed);
  return test_end();
}

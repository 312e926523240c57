/* SPDX-License-Identifier: MIT */
/* prove.c: see prove.h */
#include "prove/prove.h"

#include "limbs/scalarising.h"
#include "limbs/outlining.h"
#include "graph/status.h"
#include "prove/derivatives.h"
#include "prove/exact.h"

#include <math.h>
#include <string.h>

/* Other points in the place of one at which nothing can be compared. */
enum { TRIES = 12, OTHER = 64 };
/* Points at which branches are turned and no new side is seen, before no more are tried. */
enum { IN_VAIN = 24 };

/* Why an output is not compared. */
typedef enum why {
  COMPARED,
  UNDEFINED,
  INEQUALITY,
  ROOTS_OF_CONSTANTS,
  ROOTS,
  DAMPED, /* from here on: at this point */
  NO_POINT
} why;

static const char *const reasons[] = {
    [UNDEFINED] = "it has no definition",
    [INEQUALITY] = "it bounds rounding, which a field has none of",
    [ROOTS_OF_CONSTANTS] = "it has square roots of constants, which code approximates",
    [ROOTS] = "it has square roots, which code approximates",
    [DAMPED] = "rows are damped at every point, and the damping is held",
    [NO_POINT] = "no point was found at which doubles decide every comparison",
};

typedef struct direction { /* of inputs, and the definition with its derivatives along it */
  const char *by;
  ag_residue *x;
  ag_definition d;
} direction;

typedef struct prover {
  const ag_header *header;
  ag_point point;
  ag_exact_run *runs, **limbs,
      **outlined; /* of graphs with limbs as lanes, of those for functions of limbs; NULL: there is none */
  ag_problem **problems;
  ag_number **in;
  ag_turning turn; /* of the decisions */
  bool tried;      /* a point at which not all is alike shows nothing (turn_constants) */
  bool *marked;    /* by node, as many as the largest graph has */
  ag_arena *arena; /* for what lasts */
  ag_proof *proof;
  direction *directions; /* at this point */
  int ndirections;
} prover;

static ag_proof_line *line_of(prover *v, const char *function, const char *output) {
  ag_proof *p = v->proof;
  for (int k = 0; k < p->nlines; k++)
    if (strcmp(p->lines[k].function, function) == 0 && strcmp(p->lines[k].output, output) == 0)
      return &p->lines[k];
  p->lines = ag_room(v->arena, p->lines, p->nlines, sizeof *p->lines);
  p->lines[p->nlines] = (ag_proof_line){.function = function, .output = output, .unlike = -1};
  return &p->lines[p->nlines++];
}

static ag_id node_of(const ag_exact_run *run, const ag_quantity *q, int element) {
  return run->taken->outputs[q->first + element];
}

static bool has_roots(const ag_exact_run *run, const ag_quantity *q) {
  for (int i = 0; i < q->size; i++)
    if (run->approximate[node_of(run, q, i)]) return true;
  return false;
}

/* ---- derivatives ---- */

/* The definition along a random direction of what a derivative is by. */
static const direction *direction_of(prover *v, int index, const ag_quantity *q, ag_arena *arena) {
  const char *of, *by = ag_derivative_by(q->name, &of, arena);
  const int columns = ag_derivative_columns(v->header, q);
  for (int k = 0; k < v->ndirections; k++)
    if (strcmp(v->directions[k].by, by) == 0) return &v->directions[k];
  v->directions = ag_room(arena, v->directions, v->ndirections, sizeof *v->directions);
  direction *to = &v->directions[v->ndirections++];
  *to = (direction){.by = by, .x = ag_alloc(arena, (size_t)(columns + 1) * sizeof *to->x)};
  ag_random_direction(by, columns, to->x);
  to->d = ag_define_along(v->header->functions[index]->graph, v->problems[index], &v->point,
                          &(ag_direction){by, to->x, columns}, arena);
  return to;
}

/* The first row whose product with the direction is not the derivative along it; -1. */
static int wrong_row(const prover *v, const ag_exact_run *run, const ag_quantity *q,
                     const direction *along, const ag_residue *rates) {
  const int rows = ag_derivative_rows(v->header, q), columns = ag_derivative_columns(v->header, q);
  for (int i = 0; i < rows; i++) {
    ag_residue sum = 0;
    for (int j = 0; j < columns; j++)
      sum = ag_residue_add(
          sum, ag_residue_mul(run->exact[node_of(run, q, i * columns + j)], along->x[j]));
    if (sum != rates[i]) return i;
  }
  return -1;
}

/* Which element of a wrong row is: column by column. */
static int wrong_element(prover *v, int index, const ag_quantity *q, int row, ag_arena *arena) {
  const int rows = ag_derivative_rows(v->header, q), columns = ag_derivative_columns(v->header, q);
  const ag_exact_run *run = &v->runs[index];
  const char *of, *by = ag_derivative_by(q->name, &of, arena);
  ag_residue *unit = ag_alloc(arena, (size_t)(columns + 1) * sizeof *unit),
             *rates = ag_alloc(arena, (size_t)(rows + 1) * sizeof *rates);
  for (int j = 0; j < columns; j++) {
    ag_unit_direction(j, columns, unit);
    const ag_definition d = ag_define_along(v->header->functions[index]->graph, v->problems[index],
                                            &v->point, &(ag_direction){by, unit, columns}, arena);
    const int element = row * columns + j;
    if (ag_rates_of(&d, of, rows, rates) && run->exact[node_of(run, q, element)] != rates[row])
      return element;
  }
  return row * columns;
}

/* The first element of a derivative that is not its definition's; -1. */
static int unlike_derivative(prover *v, int index, const ag_quantity *q, why *outside,
                             ag_arena *arena) {
  const int rows = ag_derivative_rows(v->header, q);
  const direction *along = direction_of(v, index, q, arena);
  ag_residue *rates = ag_alloc(arena, (size_t)(rows + 1) * sizeof *rates);
  const char *of;
  ag_derivative_by(q->name, &of, arena);
  if (along->d.moved) *outside = DAMPED;
  if (!ag_rates_of(&along->d, of, rows, rates)) *outside = UNDEFINED;
  if (*outside) return -1;
  const int row = wrong_row(v, &v->runs[index], q, along, rates);
  return row < 0 ? -1 : wrong_element(v, index, q, row, arena);
}

/* ---- outputs ---- */

/* The first element that is not 0, as torques are where something is not finite; -1. */
static int unlike_zero(const ag_exact_run *run, const ag_quantity *q) {
  for (int i = 0; i < q->size; i++)
    if (run->exact[node_of(run, q, i)] != 0) return i;
  return -1;
}

/* The first element that is not its definition's; -1. */
static int unlike_value(const ag_exact_run *run, const ag_quantity *q, const ag_defined *defined) {
  for (int i = 0; i < q->size; i++)
    if (run->exact[node_of(run, q, i)] != defined->values[i].exact) return i;
  return -1;
}

static bool is_eigenvalue(const ag_quantity *q, const ag_definition *d) {
  return d->truncated && (strcmp(q->name, "pivot_min") == 0 || strcmp(q->name, "pivot") == 0);
}

static why why_outside(const ag_exact_run *run, const ag_quantity *q, const ag_definition *d) {
  const ag_graph *p = run->graph;
  const ag_defined *defined = ag_defined_output(d, q->name);
  const bool derivative = q->shape == AG_DERIVATIVE;
  if (strcmp(q->name, "bound") == 0 || strcmp(q->name, "base.bound") == 0) return INEQUALITY;
  if (has_roots(run, q) || is_eigenvalue(q, d)) return ROOTS;
  if (!derivative && (!defined || defined->count != q->size)) return UNDEFINED;
  if (p->rooted) return ROOTS_OF_CONSTANTS;
  return COMPARED;
}

static void compare_output(prover *v, int index, const ag_quantity *q, const ag_definition *d,
                           int at, ag_arena *arena) {
  const ag_exact_run *run = &v->runs[index];
  ag_proof_line *line = line_of(v, run->graph->function->name, q->name);
  why outside = why_outside(run, q, d);
  int unlike = -1;
  if (!outside && (run->unfinite != AG_NOTHING || d->open) && q->zeroed)
    unlike = unlike_zero(run, q);
  else if (!outside && q->shape == AG_DERIVATIVE)
    unlike = unlike_derivative(v, index, q, &outside, arena);
  else if (!outside)
    unlike = unlike_value(run, q, ag_defined_output(d, q->name));
  if (outside) {
    if (outside < DAMPED || line->points == 0) line->outside = reasons[outside];
    return;
  }
  if (line->points++ == 0) line->outside = NULL;
  line->identical += unlike < 0;
  if (unlike >= 0 && line->unlike < 0) {
    line->unlike = at;
    line->element = unlike;
  }
}

/* Whether all outputs that are defined are what they are to be. */
static bool agrees(const ag_exact_run *run, const ag_definition *d) {
  const ag_graph *p = run->graph;
  for (int k = 0; k < p->function->out.nquantities && !p->rooted; k++) {
    const ag_quantity *q = &p->function->out.quantities[k];
    const ag_defined *defined = ag_defined_output(d, q->name);
    for (int i = 0; defined && i < q->size && defined->count == q->size; i++) {
      const ag_id id = run->taken->outputs[q->first + i];
      if (!run->approximate[id] && !is_eigenvalue(q, d) &&
          run->exact[id] != (d->open && q->zeroed ? 0 : defined->values[i].exact))
        return false;
    }
  }
  return true;
}

/* Whether both are the same but for rounding: formulas that approximate a root take a way that their doubles choose. */
static bool alike(double a, double b) {
  return fabs(a - b) <= 1e-9 * fabs(a);
}

/* Runs the program that has limbs as lanes at the point of the other. */
static void run_lanes(prover *v, int index, ag_exact_run *lanes) {
  ag_exact_run *run = &v->runs[index];
  if (run->graph->nroots > 0) { /* lanes have the formulas alone */
    run->formulas = true;
    ag_exact_evaluate(run, &run->graph->dag, v->in[index]);
    run->formulas = false;
  }
  lanes->decisions = v->point.decisions;
  lanes->general = run->general;
  lanes->unfinite = run->unfinite;
  ag_exact_evaluate(lanes, &lanes->graph->dag, v->in[index]);
}

/* The first element that is another number in the program with lanes; -1. */
static int unlike_in_lanes(const ag_exact_run *run, const ag_exact_run *lanes,
                           const ag_quantity *q) {
  for (int i = 0; i < q->size; i++) {
    const ag_id one = run->taken->outputs[q->first + i];
    const ag_id other = lanes->taken->outputs[q->first + i];
    if (run->exact[one] == lanes->exact[other] && run->status == lanes->status) continue;
    if (run->approximate[one] && !alike(run->doubles[one], lanes->doubles[other])) continue;
    return i;
  }
  return -1;
}

/* Limbs as lanes: whether every output is in that program what it is in the other. */
static bool lanes_agree(prover *v, int index, ag_exact_run *lanes) {
  if (!lanes) return true;
  run_lanes(v, index, lanes);
  const ag_function *function = v->runs[index].graph->function;
  for (int k = 0; k < function->out.nquantities; k++)
    if (unlike_in_lanes(&v->runs[index], lanes, &function->out.quantities[k]) >= 0) return false;
  return true;
}

/* The same, written down. */
static void compare_lanes(prover *v, int index, int at, ag_exact_run *lanes) {
  if (!lanes) return;
  run_lanes(v, index, lanes);
  const ag_graph *p = v->runs[index].graph;
  for (int k = 0; k < p->function->out.nquantities; k++) {
    const ag_quantity *q = &p->function->out.quantities[k];
    const int unlike = unlike_in_lanes(&v->runs[index], lanes, q);
    ag_proof_line *line = line_of(v, p->function->name, q->name);
    if (unlike < 0 || line->unlike >= 0) continue;
    line->unlike = at;
    line->element = unlike;
  }
}

/* Results that another function takes, under their names there. */
static void hand_over(prover *v, const ag_exact_run *run) {
  for (int k = 0; k < run->graph->function->out.nquantities; k++) {
    const ag_quantity *q = &run->graph->function->out.quantities[k];
    char name[200];
    snprintf(name, sizeof name, "%s.%s", run->graph->function->name, q->name);
    ag_number *to = ag_point_find(&v->point, name);
    for (int i = 0; to && i < q->size; i++) {
      const ag_id id = run->taken->outputs[q->first + i];
      to[i] = ag_number_from(run->doubles[id], run->exact[id]);
    }
  }
}

/* Which branches what is compared depends on. */
static void observe(prover *v, int index) {
  ag_exact_run *run = &v->runs[index];
  bool *marked = v->marked;
  memset(marked, 0, (size_t)run->graph->dag.count * sizeof *marked);
  for (int k = 0; k < run->graph->function->out.nquantities; k++) {
    const ag_quantity *q = &run->graph->function->out.quantities[k];
    if (line_of(v, run->graph->function->name, q->name)->outside) continue;
    for (int i = 0; i < q->size; i++) marked[node_of(run, q, i)] = true;
  }
  ag_exact_observe(run, marked);
}

/* Whether the choice between the two solves asks what it has to, and does not take the fast one where the answer
 * to one of these questions is no. */
static void compare_guard(prover *v, int index, int at) {
  const ag_exact_run *run = &v->runs[index];
  const ag_decisions *d = v->point.decisions;
  int due = 0;
  bool no = false;
  for (int k = 0; k < d->count; k++) {
    due += d->list[k].due;
    no = no || (d->list[k].due && d->list[k].met && !d->list[k].less);
  }
  if (run->graph->nways == 1 || due == 0) return;
  ag_proof_line *line = line_of(v, run->graph->function->name, "guard");
  const bool good = !ag_decisions_left(d) && !(no && run->guarded);
  line->points++;
  line->identical += good;
  if (!good && line->unlike < 0) line->unlike = at;
}

/* False: nothing can be compared at this point. */
static bool prove_at(prover *v, int index, int at) {
  ag_arena arena = {0};
  const ag_graph *p = v->header->functions[index]->graph;
  ag_exact_run *run = &v->runs[index];
  ag_decisions_start(v->point.decisions, v->turn);
  const ag_robot *robot = ag_robot_at(v->problems[index], &v->point, &arena);
  const ag_definition d = ag_define(p->function->name, robot);
  ag_point_fill(&v->point, p, v->in[index]);
  run->decisions = v->point.decisions;
  ag_exact_evaluate(run, &p->dag, v->in[index]);
  hand_over(v, run);
  const bool finite = !(run->status & AG_BIT_NOT_FINITE);
  bool good = !d.singular && !d.borderline && finite == (run->unfinite == AG_NOTHING);
  if ((d.close || v->tried) && good) good = agrees(run, &d);
  if (v->tried && good)
    good = lanes_agree(v, index, v->limbs[index]) && lanes_agree(v, index, v->outlined[index]);
  /* where L has a pivot below the threshold and the rows' own equations have none, the null-space
   * solve is exact, and the general one damps (docs/performance.md, where the two solves meet) */
  if (d.acted && run->guarded && !run->general) good = false;
  v->directions = NULL;
  v->ndirections = 0;
  for (int k = 0; good && k < p->function->out.nquantities; k++)
    compare_output(v, index, &p->function->out.quantities[k], &d, at, &arena);
  if (good) {
    observe(v, index);
    if (!v->tried) { /* else these agree */
      compare_guard(v, index, at);
      compare_lanes(v, index, at, v->limbs[index]);
      compare_lanes(v, index, at, v->outlined[index]);
    }
  }
  ag_arena_free(&arena);
  return good;
}

/* The results of function `before` at the point, as doubles decide, but whether linkages are closed. */
static void evaluate_before(prover *v, int before) {
  ag_arena arena = {0};
  ag_exact_run *run = &v->runs[before];
  const ag_function *function = v->header->functions[before];
  run->decisions = NULL;
  if (ag_value_list(v->problems[before]->value, "linkages")->length > 0) {
    ag_decisions_start(v->point.decisions, (ag_turning){0});
    (void)ag_define(function->name, ag_robot_at(v->problems[before], &v->point, &arena));
    run->decisions = v->point.decisions;
  }
  ag_point_fill(&v->point, function->graph, v->in[before]);
  ag_exact_evaluate(run, &function->graph->dag, v->in[before]);
  hand_over(v, run);
  ag_arena_free(&arena);
}

/* Results of the function before it go in. */
static void take_over(prover *v, int index) {
  const char *after = v->header->functions[index]->graph->function->after;
  for (int before = 0; after && before < index; before++)
    if (strcmp(v->header->functions[before]->name, after) == 0) evaluate_before(v, before);
}

/* Point k, or another in its place. turn: which branches are turned (decisions.h). */
static void prove_point(prover *v, int index, int k, int turn) {
  bool good = false;
  v->turn = ag_turn_of(turn);
  v->turn.constants = v->tried;
  for (int other = 0; !good && other < (v->tried ? 1 : TRIES); other++) {
    ag_point_draw(&v->point, k + other * OTHER);
    ag_point_mask(&v->point, v->turn);
    ag_closing_draw(v->problems[index], &v->point, k + other * OTHER);
    take_over(v, index);
    good = prove_at(v, index, k);
  }
}

/* ---- sides of branches ---- */

/* Where the sides of selections are that an output is made of and no point took: once for each step of the
 * algorithm, "constraints.lua:412". */
static void find_unseen(prover *v, int index, const ag_quantity *q, ag_proof_line *line) {
  const ag_exact_run *run = &v->runs[index];
  const ag_graph *p = run->graph;
  bool *marked = ag_alloc(v->arena, (size_t)p->dag.count * sizeof *marked);
  ag_exact_mark(run, q, marked);
  ag_exact_mark_operands(run, marked);
  int all, seen;
  ag_exact_sides(run, marked, &all, &seen);
  line->unseen = all - seen;
  line->where = "";
  for (ag_id id = 0; line->unseen > 0 && id < p->dag.count; id++) {
    const ag_node *n = &p->dag.nodes[id];
    if (!ag_exact_selects(run, id) || !marked[id] || run->seen[id] == 3) continue;
    const char *source = p->regions[n->region].source;
    if (strstr(line->where, source)) continue;
    line->where = ag_printf(v->arena, "%s%s%s", line->where, line->where[0] ? ", " : "", source);
  }
}

/* Counts the sides of what outputs are made of that are compared. */
static void count_sides(prover *v, int index, ag_proof_function *f) {
  ag_exact_run *run = &v->runs[index];
  const ag_graph *p = run->graph;
  memset(v->marked, 0, (size_t)p->dag.count * sizeof *v->marked);
  for (int k = 0; k < p->function->out.nquantities; k++)
    if (!line_of(v, p->function->name, p->function->out.quantities[k].name)->outside)
      ag_exact_mark(run, &p->function->out.quantities[k], v->marked);
  ag_exact_mark_operands(run, v->marked);
  if (f->sides < 0) ag_exact_exempt(run, v->marked);
  ag_exact_sides(run, v->marked, &f->sides, &f->seen);
}

/* Points at which something is not finite: torques are 0. */
static void not_finite(prover *v, int index, int turn) {
  for (int k = AG_DIVISORS; k > AG_NOTHING; k--) {
    v->runs[index].unfinite = (ag_unfinite)k;
    prove_point(v, index, 0, turn);
  }
  v->runs[index].unfinite = AG_NOTHING;
}

/* Points at which one linkage is not closed: torques are 0. */
static void not_closed(prover *v, int index) {
  const int linkages = ag_value_list(v->problems[index]->value, "linkages")->length;
  for (int k = linkages; k >= 0; k--) {
    v->point.decisions->unusual = k;
    if (k > 0) prove_point(v, index, 0, 0);
  }
}

/* Points at which branches are turned, until all sides are seen or a number of them show no more. */
static void turn_branches(prover *v, int index, ag_proof_function *f) {
  int last = 0;
  for (int turn = 1; f->seen < f->sides && turn <= last + IN_VAIN; turn++) {
    const int before = f->seen;
    prove_point(v, index, 8 * turn, turn);
    count_sides(v, index, f);
    if (f->seen > before) last = turn;
    f->turned++;
  }
}

static bool has_derivatives(const ag_graph *p) {
  for (int k = 0; k < p->function->out.nquantities; k++)
    if (p->function->out.quantities[k].shape == AG_DERIVATIVE) return true;
  return false;
}

/* Comparisons of what is the same at every point, as of a platform's inertia along its rows, are not turned: the graph may have the
 * answer of one, and ask another that is equal by chance. Where it asks them all, program and definition agree when they are turned,
 * too, and what they agree on is seen; where they do not, nothing is concluded. */
static void turn_constants(prover *v, int index, ag_proof_function *f) {
  const ag_graph *p = v->header->functions[index]->graph;
  if ((v->limbs[index] && p->nroots > 0) || has_derivatives(p)) return;
  v->tried = true;
  turn_branches(v, index, f);
  v->tried = false;
}

static void prove_function(prover *v, int index, int points) {
  const ag_graph *p = v->header->functions[index]->graph;
  ag_exact_run *run = &v->runs[index];
  ag_proof_function *f = &v->proof->functions[v->proof->nfunctions++];
  *f = (ag_proof_function){.function = p->function->name,
                           .formulation = p->function->formulation,
                           .rooted = p->nroots > 0};
  ag_decisions *decisions = v->point.decisions;
  decisions->nfolded = decisions->nconstants = decisions->count = 0;
  decisions->general = false;
  for (int k = points - 1; k >= 0; k--) prove_point(v, index, k, 0);
  ag_decisions_keep(decisions);
  not_closed(v, index);
  f->sides = -1;
  count_sides(v, index, f);
  for (int way = 0; way < (p->nways > 1 ? 2 : 1); way++) {
    run->general = decisions->general = p->nways > 1 && way == 0;
    if (f->seen < f->sides) not_finite(v, index, way);
    if (way == 0) ag_decisions_strike(decisions);
    if (p->function->after) { /* others' results come in as doubles decide */
      count_sides(v, index, f);
      continue;
    }
    turn_branches(v, index, f);
    turn_constants(v, index, f);
  }
  for (int k = 0; k < p->function->out.nquantities; k++) {
    ag_proof_line *line = line_of(v, p->function->name, p->function->out.quantities[k].name);
    if (line->points == 0 && !line->outside) line->outside = reasons[NO_POINT];
    if (!line->outside && f->seen < f->sides)
      find_unseen(v, index, &p->function->out.quantities[k], line);
  }
}

static ag_exact_run *run_of_lanes(const ag_graph *lanes, ag_arena *arena) {
  ag_exact_run *run = ag_alloc(arena, sizeof *run);
  *run = ag_exact_new(ag_scalarise(lanes, arena), arena);
  return run;
}

bool ag_prove(const ag_header *header, ag_script *script, int points, ag_proof *proof,
              ag_err *err) {
  ag_arena *arena = header->arena;
  const size_t n = (size_t)header->nfunctions + 1;
  ag_decisions decisions = {.arena = arena};
  int nodes = 0;
  prover v = {.header = header,
              .point = {.header = header, .arena = arena, .decisions = &decisions},
              .runs = ag_alloc(arena, n * sizeof *v.runs),
              .limbs = ag_alloc(arena, n * sizeof *v.limbs),
              .outlined = ag_alloc(arena, n * sizeof *v.outlined),
              .problems = ag_alloc(arena, n * sizeof *v.problems),
              .in = ag_alloc(arena, n * sizeof *v.in),
              .arena = arena,
              .proof = proof};
  *proof = (ag_proof){.points = points, .functions = ag_alloc(arena, n * sizeof *proof->functions)};
  for (int k = 0; k < header->nfunctions; k++) {
    ag_value *problem = ag_alloc(arena, sizeof *problem);
    if (!ag_script_problem(script, k, problem, err)) return false;
    v.problems[k] = ag_problem_read(problem, arena);
    v.runs[k] = ag_exact_new(header->functions[k]->graph, arena);
    v.runs[k].decisions = v.point.decisions;
    const ag_function *function = header->functions[k];
    if (function->limbs) v.limbs[k] = run_of_lanes(function->limbs, arena);
    if (function->outlined) v.outlined[k] = run_of_lanes(function->outlined, arena);
    v.in[k] = ag_alloc(arena, (size_t)(header->functions[k]->in.nelements + 1) * sizeof **v.in);
    ag_point_add(&v.point, header->functions[k]->graph);
    if (header->functions[k]->graph->dag.count > nodes)
      nodes = header->functions[k]->graph->dag.count;
  }
  v.marked = ag_alloc(arena, (size_t)(nodes + 1) * sizeof *v.marked);
  for (int k = 0; k < header->nfunctions; k++) prove_function(&v, k, points);
  return true;
}

double ag_prove_effort(const ag_header *header, const ag_reduced *reduced) {
  const double n = header->njoints + header->nbase, rows = header->nrows;
  return header->nfunctions * (reduced->nbodies + rows + n) * n * n;
}

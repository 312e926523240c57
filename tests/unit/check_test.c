/* SPDX-License-Identifier: MIT */
/* check_test.c: --check finds what is wrong. Sound programs pass; they no longer do when one
 * operation or one constant in them is another, and the equations notice it, not only the
 * comparison with the scripts. */
#define _XOPEN_SOURCE 700
#include "check/check.h"

#include "robot_text.h"
#include "check/checker.h"
#include "check/sampler.h"
#include "test.h"

/* FEW: a fault that shows in the first states shows in all of them, and most do: only the others are looked for in STATES. */
enum { STATES = 12, FEW = 2 };

static const char layout_text[] =
    "return { torques = { physical = true, artificial = true }, armature = { to_lower = 0.2 },\n"
    "  groups = { { name = 'grip', frame = 'finger', rows = { 'lin_x', 'ang_y' }, axes = 'link',\n"
    "      maskable = true },\n"
    "    { name = 'ground', frame = 'tool', rows = 1, kind = 'physical' } },\n"
    "  wrenches = { { name = 'push', frame = 'finger', kind = 'physical' },\n"
    "    { name = 'press', frame = 'tool', kind = 'artificial' } } }";

/* On a base that floats; with a tie between links, rows that yield, and what causes what. More than four rows: forces are refined. */
static const char moving_text[] =
    "return { base = 'floating', torques = { physical = true }, orientation = '%s',\n"
    "  groups = { { name = 'hang', frame = 'base', to = 'finger', rows = { 'lin_y', 'ang_x' } },\n"
    "    { name = 'grip', frame = 'tool', rows = { 'lin_x', 'lin_y', 'lin_z' }, over = 'yields' } "
    "},\n"
    "  wrenches = { { name = 'push', frame = 'base', kind = 'physical' },\n"
    "    { name = 'press', frame = 'finger', kind = 'artificial' } },\n"
    "  outputs = { 'qdd', 'nu', 'tau_ctrl', contributions = { 'qdd', 'nu', 'tau_ctrl' } } }";

static const char planar_text[] =
    "return { base = 'planar', passive = { 'to_upper' },\n"
    "  groups = { { name = 'grip', frame = 'tool', rows = { 'lin_z' } },\n"
    "    { name = 'keel', frame = 'base', axes = 'link', rows = { 'lin_y' }, kind = 'physical' } } "
    "}";

typedef struct made {
  ag_script_options options;
  ag_header header;
  ag_script *script;
} made;

/* formulation: NULL for the one that is chosen. */
static bool make_by(const char *formulation, made *m, const char *layout,
                    const char *const *functions, int nfunctions) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/check_test_XXXXXX");
  const int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) abort();
  fputs(layout, file);
  fclose(file);
  err = (ag_err){0};
  m->options = (ag_script_options){.layout = path,
                                   .functions = functions,
                                   .nfunctions = nfunctions,
                                   .regroup = true,
                                   .formulation = formulation};
  const bool good = ag_script_build(&model, &m->options, &m->header, &m->script, &arena, &err);
  if (!good) ag_err_print(&err, stdout);
  CHECK(good);
  return good;
}

static bool make(made *m, const char *layout, const char *const *functions, int nfunctions) {
  return make_by(NULL, m, layout, functions, nfunctions);
}

static void end(made *m) {
  unlink(m->options.layout);
  ag_script_close(m->script);
}

static ag_check_report check(made *m, int states) {
  ag_check_report report = {0};
  err = (ag_err){0};
  const ag_checked all = {&model, &m->options, &m->header, m->script};
  CHECK(ag_check(&all, states, NULL, &report, &err));
  return report;
}

static bool passed(const ag_check_report *report) {
  err = (ag_err){0};
  return ag_check_passed(report, "robot.urdf", &err);
}

/* A line that is no comparison with the script is beyond what is allowed. */
static bool equations_fail(const ag_check_report *report) {
  for (int k = 0; k < report->nlines; k++) {
    const ag_check_line *l = &report->lines[k];
    if (!(l->worst <= l->allowed) && strncmp(l->what, "program and script", 18) != 0) return true;
  }
  return false;
}

/* The arm on a base that has a mass: it may move. tilt: of the first joint, roll pitch yaw. */
static bool build_arm(const char *tilt) {
  const char *origin = ag_printf(&arena, "<axis xyz='0 0 1'/><origin xyz='0 0 1' rpy='%s'/>", tilt);
  return build(
      JOIN(solid("base"), solid("upper"), solid("lower"), solid("tool"), solid("finger"),
           joint("continuous", "base", "upper", origin),
           joint("revolute", "upper", "lower", "<axis xyz='0 1 0'/><origin xyz='0.5 0 0'/>"),
           joint("fixed", "lower", "tool", "<origin xyz='0 0 0.25' rpy='0 0 1.5708'/>"),
           joint("prismatic", "tool", "finger", "<axis xyz='1 0 0'/>")),
      true);
}
static const char UPRIGHT[] = "0 0 0", TILTED[] = "0.3 0.2 0";

static const char *moving(const char *orientation) {
  return ag_printf(&arena, moving_text, orientation);
}

static const char *const solve[] = {"achd"};
static const char *const all[] = {"achd", "fk",  "fvk",     "fak",  "jac",  "jdqd",  "id",
                                  "fd",   "com", "gravity", "bias", "crba", "energy"};
enum { ALL = sizeof all / sizeof *all };

static void pass(const char *layout) {
  made m;
  if (!build_arm(TILTED) || !make(&m, layout, all, ALL)) return;
  const ag_check_report report = check(&m, 5 * STATES);
  CHECK(report.nstates == 5 * STATES);
  CHECK(report.nlines > 30);
  for (int k = 0; k < report.nlines; k++) {
    const ag_check_line *l = &report.lines[k];
    char what[200];
    snprintf(what, sizeof what, "%s, %s: %.1e", l->function, l->what, l->worst);
    test_report(__FILE__, __LINE__, l->worst <= l->allowed, what);
    CHECK(l->count > 0);
  }
  CHECK(passed(&report));
  end(&m);
}

static void sound_programs_pass(void) {
  pass(layout_text);
  pass(moving("quaternion"));
  pass(moving("matrix"));
  pass(planar_text);
}

static bool in_region(const ag_graph *p, const ag_node *n, const char *title) {
  return strncmp(p->regions[n->region].title, title, strlen(title)) == 0;
}

static bool is_refinement(const ag_graph *p, const ag_node *n) {
  return in_region(p, n, "rows: nu refined");
}

/* Not in the solution of L nu = r: most of it serves rows close to dependent. */
static bool in_algorithm(const ag_graph *p, const ag_node *n) {
  static const char *const parts[] = {
      "outward", "inward",    "torques: ", "rotation of the base", "rows: acc",
      "rows: J", "rows: L =", "tie: ",     "rows: nu refined"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (in_region(p, n, parts[k])) return true;
  return false;
}

/* Named so with a number behind it, or its negative. */
static bool is_named(const ag_node *n, char letter) {
  const char *name = n->name ? n->name : "";
  if (strncmp(name, "minus_", 6) == 0) name += 6;
  return name[0] == letter && name[1] >= '0' && name[1] <= '9';
}

/* Of a product: one of its factors is chosen between something and 0, as what damps a row is, 0 in every regular state. */
static bool is_damping(const ag_graph *p, const ag_node *product) {
  const ag_node *nodes = p->dag.nodes;
  if (product->op != AG_MUL) return false;
  for (int k = 0; k < 2; k++) {
    const ag_node *n = &nodes[k == 0 ? product->a : product->b];
    if (n->op == AG_SELECT && nodes[n->c].op == AG_CONST && nodes[n->c].value == 0) return true;
  }
  return false;
}

/* Which nodes the answer hangs on. Rows are solved twice, L nu_0 = r, then
 *   nu = nu_0 + L^-1 (b - A^T a^0 - K^T D^-1 (u + K nu_0)),
 * which is L^-1 r whatever nu_0 is: what serves r alone is healed, and is no fault. Nor does it matter how the second
 * term, of the size of rounding, is made of what nu_0 leaves: all that hangs on the second y_1;
 * and sums with a row's damping are sums with 0. */
static bool *that_matter(const ag_graph *p) {
  const ag_way *way = &p->ways[AG_GENERAL];
  bool *matters = ag_alloc(&arena, (size_t)p->dag.count),
       *used = ag_alloc(&arena, (size_t)p->dag.count),
       *late = ag_alloc(&arena, (size_t)p->dag.count);
  for (int i = way->nnodes - 1; i >= 0; i--) {
    const ag_id id = way->nodes[i];
    const ag_node *n = &p->dag.nodes[id];
    matters[id] |= !used[id];
    if (in_region(p, n, "rows: L =") && is_named(n, 'r')) matters[id] = false;
    ag_id operands[3];
    for (int k = ag_operands(n, operands) - 1; k >= 0; k--)
      used[operands[k]] = true, matters[operands[k]] |= matters[id];
  }
  for (int i = 0; i < way->nnodes; i++) {
    const ag_id id = way->nodes[i];
    const ag_node *n = &p->dag.nodes[id];
    if (!is_refinement(p, n)) continue;
    ag_id operands[3];
    for (int k = ag_operands(n, operands) - 1; k >= 0; k--) {
      const ag_node *of = &p->dag.nodes[operands[k]];
      late[id] |= is_refinement(p, of) && (is_named(of, 'y') || late[operands[k]]);
    }
    if (late[id] || (n->op == AG_ADD && is_damping(p, &p->dag.nodes[n->b]))) matters[id] = false;
  }
  return matters;
}

/* Turns sums into differences and moves constants by a thousandth, one after the other, each
 * stride-th of them, all that often with ACHD_SWEEP=1 only: each check makes the robot anew. By the general solve, which runs in every state. */
static int find_faults(const char *formulation, const char *tilt, const char *layout, int stride,
                       int least) {
  made m;
  if (!build_arm(tilt) || !make_by(formulation, &m, layout, solve, 1)) return 0;
  ag_graph *p = m.header.functions[0]->graph;
  const char *sweep = getenv("ACHD_SWEEP");
  const int thinner = TEST_SANITIZED ? 10 : sweep && strcmp(sweep, "1") == 0 ? 1 : 5;
  stride *= thinner, least /= thinner;
  int faults = 0, seen = 0, unseen = 0, refining = 0;
  const bool *matters = that_matter(p);
  const ag_way *way = &p->ways[AG_GENERAL];
  for (int i = 0; i < way->nnodes; i++) {
    ag_node *n = &p->dag.nodes[way->nodes[i]];
    const ag_node kept = *n;
    if (!in_algorithm(p, n) || !matters[way->nodes[i]] || (n->op != AG_ADD && n->op != AG_CONST))
      continue;
    if (seen++ % stride != 0) continue;
    if (n->op == AG_ADD)
      n->op = AG_SUB;
    else
      n->value *= 1 + 1e-3;
    ag_check_report report = check(&m, FEW);
    if (passed(&report) || !equations_fail(&report)) report = check(&m, STATES);
    faults++;
    refining += is_refinement(p, n);
    /* b is not asked of singular states: there the script's status tells */
    const bool asked = report.nsingular < STATES;
    if (passed(&report) || (asked && !equations_fail(&report))) {
      unseen++;
      printf("fault %d (%s): %s of %s, %g\n", i, passed(&report) ? "passed" : "equations hold",
             kept.op == AG_ADD ? "sum" : "constant", p->regions[kept.region].title, kept.value);
    }
    *n = kept;
  }
  printf("%d faults, %d in the refinement of nu, %d not found\n", faults, refining, unseen);
  CHECK(faults > least);
  CHECK(unseen == 0);
  const ag_check_report report = check(&m, STATES);
  CHECK(passed(&report));
  end(&m);
  return refining;
}

/* Robots in which every sum of the program matters: with an upright first axis a floating base's
 * yaw cancels out of the sums of the rows, with a tilted one some of the inertia that a planar base
 * does not feel. */
static void each_fault_is_found(void) {
  (void)find_faults("joint", UPRIGHT, layout_text, 1, 60);
  const int refining = find_faults("recursion", TILTED, moving("quaternion"), 5, 60);
  CHECK(refining > 0 || TEST_SANITIZED); /* there too few are planted for every part to have one */
  (void)find_faults("recursion", UPRIGHT, planar_text, 3, 20);
}

/* The error names function, comparison, state and both numbers. */
static void the_error_says_where(void) {
  ag_check_line lines[] = {{"achd", "program and script: qdd", 1e-15, 1e-12, 3, 10},
                           {"id", "id = M qdd", INFINITY, 1e-11, 7, 10}};
  const ag_check_report report = {lines, 2, 10};
  err = (ag_err){0};
  CHECK(!ag_check_passed(&report, "robot.urdf", &err));
  CHECK_TEXT(err.file, "robot.urdf");
  CHECK_TEXT(err.what, "check: id, id = M qdd: inf in state 7, at most 1.0e-11 is allowed");
}

/* The same numbers whatever else is asked for; joints within their limits, rotations rotate. */
static void states_are_reproducible(void) {
  made m;
  const char *layout = "return { groups = { { name = 'g', frame = 'tool', axes = 'input', rows = "
                       "{ 'lin_x' }, maskable = true } }, inertia_inputs = { 'tool' } }";
  if (!build(arm(), true) || !make(&m, layout, all, ALL)) return;
  ag_sampler some = {.model = &model, .header = &m.header}, more = some;
  ag_sampler_add(&some, m.header.functions[0]->graph);
  for (int k = m.header.nfunctions - 1; k >= 0; k--)
    ag_sampler_add(&more, m.header.functions[k]->graph);
  CHECK(more.nsampled > some.nsampled && !ag_sampler_find(&some, "tau"));
  for (int state = 0; state < STATES; state++) {
    ag_sampler_draw(&some, state, false);
    ag_sampler_draw(&more, state, false);
    for (int k = 0; k < some.nsampled; k++)
      CHECK(memcmp(some.sampled[k].values, ag_sampler_find(&more, some.sampled[k].quantity->name),
                   (size_t)some.sampled[k].quantity->size * sizeof(double)) == 0);
    const double *R = ag_sampler_find(&some, "axes.g"), *mask = ag_sampler_find(&some, "mask"),
                 *inertia = ag_sampler_find(&some, "inertia.tool"),
                 *q = ag_sampler_find(&some, "q");
    CHECK_NEAR(R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                   R[2] * (R[3] * R[7] - R[4] * R[6]),
               1, 1e-14);
    CHECK(mask[0] == 0 || mask[0] == 1);
    CHECK(inertia[0] >= 0.6 * 2 && inertia[0] <= 1.6 * 2);
    for (int j = 0; j < m.header.njoints; j++) {
      const ag_limits *l =
          &model.links[ag_model_joint(&model, m.header.joints[j].name)].joint.limits;
      CHECK(!(q[j] < l->lower) && !(q[j] > l->upper) && fabs(q[j]) <= 4);
    }
  }
  double first = ag_sampler_find(&some, "q")[0];
  ag_sampler_draw(&some, 0, true);
  CHECK(ag_sampler_find(&some, "q")[0] != first);
  CHECK(ag_sampler_find(&some, "q")[0] == (double)(float)ag_sampler_find(&some, "q")[0]);
  end(&m);
}

/* Orientations of a moving base are orientations; moved, they turn by the angular velocity. */
static void bases_turn(void) {
  made m;
  const double v[9] = {9, 9, 9, 0, 0, 0.5, 1, 2, 3}, h = 1e-3;
  if (!build_arm(UPRIGHT) || !make(&m, moving("quaternion"), all, ALL)) return;
  ag_sampler s = {.model = &model, .header = &m.header};
  ag_sampler_add(&s, m.header.functions[0]->graph);
  ag_sampler_draw(&s, 3, false);
  const double *x = ag_sampler_find(&s, "base.quat");
  const double w = x[0], z = x[3];
  CHECK_NEAR(w * w + x[1] * x[1] + x[2] * x[2] + z * z, 1, 1e-15);
  const double *q = ag_sampler_find(&s, "q"), q2 = q[2];
  ag_sampler_move(&s, v, h);
  CHECK_NEAR(q[2], q2 + 3 * h, 1e-15);
  /* (cos, 0, 0, sin) of half the angle, times the quaternion */
  CHECK_NEAR(x[0], w * cos(h / 4) - z * sin(h / 4), 1e-15);
  CHECK_NEAR(x[3], z * cos(h / 4) + w * sin(h / 4), 1e-15);
  end(&m);

  if (!make(&m, moving("matrix"), all, ALL)) return;
  s = (ag_sampler){.model = &model, .header = &m.header};
  ag_sampler_add(&s, m.header.functions[0]->graph);
  ag_sampler_draw(&s, 3, false);
  const double *R = ag_sampler_find(&s, "base.rot"), R0 = R[0], R3 = R[3], R6 = R[6];
  ag_sampler_move(&s, v, h);
  CHECK_NEAR(R[0], R0 * cos(h / 2) - R3 * sin(h / 2), 1e-15);
  CHECK_NEAR(R[3], R3 * cos(h / 2) + R0 * sin(h / 2), 1e-15);
  CHECK_NEAR(R[6], R6, 1e-15);
  end(&m);

  if (!make(&m, planar_text, all, ALL)) return;
  s = (ag_sampler){.model = &model, .header = &m.header};
  ag_sampler_add(&s, m.header.functions[0]->graph);
  ag_sampler_draw(&s, 3, false);
  const double *yaw = ag_sampler_find(&s, "base.yaw"), before = *yaw;
  ag_sampler_move(&s, (const double[]){9, 9, 0.5, 1, 2, 3}, h);
  CHECK_NEAR(*yaw, before + h / 2, 1e-15);
  end(&m);
}

/* A comparison is judged by the state with the largest share of what is allowed there, whichever state
 * is the last, and whichever has the largest error. */
static void each_state_has_its_own_allowance(void) {
  static const struct {
    double error[3], allowed[3];
    int state; /* that is told */
  } cases[] = {{{1e-3, 2e-3, 1e-4}, {1e-2, 1, 1e-3}, 0},
               {{2e-3, 1e-3, 1e-9}, {1e-3, 1, 1e-2}, 0},
               {{1e-3, 1e-4, 1}, {1, 1e-5, 10}, 1},
               {{0, 1e-300, 1}, {0, 0, 2}, 1},
               {{0, NAN, 1}, {1, 1, 1}, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ag_check_report report = {0};
    ag_checker c = {.report = &report, .arena = &arena};
    for (c.state = 0; c.state < 3; c.state++)
      ag_check_note(&c, "f", "what", cases[k].error[c.state], cases[k].allowed[c.state]);
    const ag_check_line *line = &report.lines[0];
    const int told = cases[k].state;
    CHECK(report.nlines == 1 && line->count == 3);
    CHECK(line->state == told && line->allowed == cases[k].allowed[told]);
    CHECK(ag_check_passed(&report, "", &(ag_err){0}) == (k == 0));
  }
}

int main(void) {
  RUN(sound_programs_pass);
  RUN(each_fault_is_found);
  RUN(the_error_says_where);
  RUN(states_are_reproducible);
  RUN(bases_turn);
  RUN(each_state_has_its_own_allowance);
  ag_arena_free(&arena);
  return test_end();
}

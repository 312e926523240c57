/* SPDX-License-Identifier: MIT */
/* script_test.c: the algorithms are written once. Run on plain numbers, without a DAG, a script
 * gives what the program made of it gives; the two formulations agree; and what a layout does not
 * ask for costs nothing.
 *   script_test [SOURCE_DIR] */
#define _XOPEN_SOURCE 700
#include "graph/eval.h"
#include "graph/live.h"
#include "model/robot_file.h"
#include "script/script.h"
#include "base/text.h"

#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Rounding grows by the condition of the rows, up to 1 / singular_threshold = 1e6 before a policy
 * cuts in: 1e-16 1e6, and an order of magnitude for the length of the sums. Where rows contradict
 * one another (SINGULAR), damping answers with forces of 1e6 that must cancel: the same script does
 * so to two digits less; the formulations, whose roundings differ from the start, to two more.
 */
static const double TOLERANCE = 1e-9, SINGULAR_TOLERANCE = 1e-7, SINGULAR_FORMULATIONS = 1e-5;
enum { STATES = 50, LINE = 256 };

static ag_arena arena;
static ag_err err;
static const char *source_dir = ACHD_SOURCE_DIR;

/* ---- robots ---- */

typedef struct robot {
  const char *file; /* in robots/; NULL: tree_text */
  const char *tip, *middle, *first, *last, *locked;
} robot;

static const robot robots[] = {
    {"arm1dof", "tip", "link1", "joint1", "joint1", ""},
    {"gen3", "tool_frame", "forearm_link", "joint_1", "joint_7", ""},
    {"youbot_arm", "gripper_palm_link", "arm_link_3", "arm_joint_1", "arm_joint_5", ""},
    {"panda", "panda_hand_tcp", "panda_link4", "panda_joint1", "panda_joint7",
     "panda_finger_joint1 = 0.02, panda_finger_joint2 = 0.02"},
    {NULL, "left_tool", "right_hand", "waist", "left_slide", ""}};
enum { ROBOTS = sizeof robots / sizeof *robots };

/* Two arms on a waist, one of them with a slide; no number is a round one. */
static const char tree_text[] =
    "<robot name='tree'><link name='base'/>"
    "@trunk@@left_arm@@left_hand@@right_arm@@right_hand@<link name='left_tool'/>"
    "<joint name='waist' type='continuous'><parent link='base'/><child link='trunk'/>"
    "<origin xyz='0.1 0.2 0.5' rpy='0.3 0.1 0.2'/><axis xyz='0 0 1'/></joint>"
    "<joint name='left_shoulder' type='continuous'><parent link='trunk'/><child link='left_arm'/>"
    "<origin xyz='0.2 0.25 0.4' rpy='0.2 -0.4 1.1'/><axis xyz='0.6 0 0.8'/></joint>"
    "<joint name='left_slide' type='prismatic'><parent link='left_arm'/><child link='left_hand'/>"
    "<origin xyz='0.3 0.05 0.1' rpy='1.2 0.3 0'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.3' upper='0.3' effort='90' velocity='1'/></joint>"
    "<joint name='left_mount' type='fixed'><parent link='left_hand'/><child link='left_tool'/>"
    "<origin xyz='0.11 0.02 0.07' rpy='0.5 0.6 0.7'/></joint>"
    "<joint name='right_shoulder' type='revolute'><parent link='trunk'/><child link='right_arm'/>"
    "<origin xyz='0.2 -0.25 0.4' rpy='-0.2 0.5 -1'/><axis xyz='0 1 0'/>"
    "<limit lower='-3' upper='3' effort='40' velocity='3'/></joint>"
    "<joint name='right_elbow' type='continuous'><parent link='right_arm'/>"
    "<child link='right_hand'/><origin xyz='0.35 0 0.02' rpy='0.1 1.3 0.4'/>"
    "<axis xyz='1 0 0'/></joint></robot>";

static const char *solid(const char *name, double mass) {
  return ag_printf(&arena,
                   "<link name='%s'><inertial><origin xyz='0.07 0.02 %g' rpy='0.1 0.2 0.3'/>"
                   "<mass value='%g'/><inertia ixx='%g' ixy='0.001' ixz='0.002' iyy='%g' "
                   "iyz='0.003' izz='%g'/></inertial></link>",
                   name, 0.1 * mass, mass, 0.02 * mass, 0.03 * mass, 0.025 * mass);
}

static const char *filled(const char *form, const robot *r) {
  const ag_substitution with[] = {{"TIP", r->tip},
                                  {"MIDDLE", r->middle},
                                  {"FIRST", r->first},
                                  {"LAST", r->last},
                                  {"LOCKED", r->locked},
                                  {"trunk", solid("trunk", 7)},
                                  {"left_arm", solid("left_arm", 3)},
                                  {"left_hand", solid("left_hand", 1.1)},
                                  {"right_arm", solid("right_arm", 2.7)},
                                  {"right_hand", solid("right_hand", 0.9)},
                                  {NULL, NULL}};
  ag_text text = {.arena = &arena};
  ag_text_substitute(&text, form, with);
  return text.chars;
}

static const char *temporary(const char *text) {
  char *path = ag_strdup(&arena, "/tmp/script_test_XXXXXX");
  const int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) abort();
  fputs(text, file);
  fclose(file);
  return path;
}

static bool read_robot(const robot *r, ag_model *model) {
  ag_urdf doc;
  err = (ag_err){0};
  const char *path = r->file ? ag_printf(&arena, "%s/robots/%s.urdf", source_dir, r->file)
                             : temporary(filled(tree_text, r));
  const bool good = ag_robot_read(path, true, &doc, &arena, &err) &&
                    ag_model_build(&doc, true, model, &arena, &err);
  if (!r->file) unlink(path);
  if (!good) ag_err_print(&err, stdout);
  CHECK(good);
  return good;
}

/* ---- layouts: every word of the design ---- */

static const char *const layouts[] = {
    /* six maskable rows; the defaults of all else */
    "return { locked = { @LOCKED@ }, groups = { { name = 'tool', frame = '@TIP@', maskable = true "
    "} }"
    "}",
    /* axes of the link, everything put out */
    "return { locked = { @LOCKED@ }, torques = { physical = true, artificial = true },\n"
    "  groups = { { name = 'tool', frame = '@TIP@', axes = 'link', rows = { 'ang_y', 'lin_z' } } "
    "},\n"
    "  armature = { @FIRST@ = 0.3, @LAST@ = 0.11 },\n"
    "  outputs = { 'qdd', 'nu', 'tau_ctrl', 'tau_total', 'tau_apparent', 'pivot_min', 'pivot',\n"
    "    'residual', acc = { '@TIP@', '@MIDDLE@' }, twist = { '@TIP@' }, pose = { '@MIDDLE@' } } }",
    /* axes at run time, spatial acceleration, wrenches of both kinds */
    "return { locked = { @LOCKED@ }, groups = {\n"
    "    { name = 'tool', frame = '@TIP@', axes = 'input', rows = { 'lin_y', 'ang_x', 'lin_x' },\n"
    "      acceleration = 'spatial', kind = 'physical', maskable = true } },\n"
    "  wrenches = { { name = 'push', frame = '@TIP@', kind = 'physical' },\n"
    "    { name = 'hold', frame = '@MIDDLE@', kind = 'artificial' } },\n"
    "  singularity = 'drop', singular_threshold = 1e-5,\n"
    "  outputs = { 'qdd', 'nu', 'tau_ctrl', 'pivot', acc = { '@MIDDLE@' },\n"
    "    acceleration = 'spatial' } }",
    /* free directions and axes of the base together */
    "return { locked = { @LOCKED@ }, groups = {\n"
    "    { name = 'elbow', frame = '@MIDDLE@', rows = 2, maskable = true },\n"
    "    { name = 'tool', frame = '@TIP@', rows = { 'lin_x' } } },\n"
    "  gravity = { 0.1, -0.2, -9.81 }, outputs = { 'qdd', 'nu', 'tau_ctrl', 'residual' } }",
    /* pseudo-inverse */
    "return { locked = { @LOCKED@ }, singularity = 'truncate', groups = {\n"
    "    { name = 'tool', frame = '@TIP@', rows = { 'lin_x', 'lin_y', 'ang_z' },\n"
    "      maskable = true } }, outputs = { 'qdd', 'tau_ctrl', 'pivot_min' } }",
    /* torques clamped, a joint without motor, rows of both kinds */
    "return { locked = { @LOCKED@ }, saturate = true, effort = { @FIRST@ = 6, @LAST@ = 3 },\n"
    "  passive = { '@FIRST@' }, torques = { artificial = true }, groups = {\n"
    "    { name = 'ground', frame = '@TIP@', rows = { 'lin_z' }, kind = 'physical' },\n"
    "    { name = 'aim', frame = '@MIDDLE@', rows = { 'ang_y' } } },\n"
    "  outputs = { 'qdd', 'nu', 'tau_ctrl' } }",
    /* inertias at run time, no rows */
    "return { locked = { @LOCKED@ }, inertia_inputs = { '@TIP@', '@MIDDLE@' }, armature = "
    "'input',\n"
    "  groups = {}, torques = { physical = true }, wrenches = {\n"
    "    { name = 'load', frame = '@TIP@', kind = 'physical' } },\n"
    "  outputs = { 'qdd', 'tau_total', pose = { '@TIP@' }, twist = { '@MIDDLE@' } } }",
    /* part of the robot */
    "return { locked = { @LOCKED@ }, name = 'part', tips = { '@MIDDLE@' }, gravity = 'input',\n"
    "  groups = { { name = 'tool', frame = '@MIDDLE@', rows = { 'ang_z', 'lin_x' } } } }"};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static const char *const family[] = {"achd", "fk",      "fvk",  "fak",  "jac",    "jdqd",
                                     "id",   "gravity", "bias", "crba", "energy", "fd"};
enum { FAMILY = sizeof family / sizeof *family };

typedef struct made {
  ag_header header;
  ag_script *script;
} made;

static bool make(const ag_model *model, const char *layout, const char *formulation,
                 const char *const *functions, int nfunctions, made *m) {
  const char *path = temporary(layout);
  const ag_script_options options = {.layout = path,
                                     .formulation = formulation,
                                     .functions = functions,
                                     .nfunctions = nfunctions,
                                     .regroup = true};
  err = (ag_err){0};
  const bool good = ag_script_build(model, &options, &m->header, &m->script, &arena, &err);
  unlink(path);
  if (!good) ag_err_print(&err, stdout);
  CHECK(good);
  return good;
}

/* ---- states ---- */

static uint64_t seed;
static double between(double low, double high) {
  uint64_t z = seed += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void random_rotation(double R[9]) { /* of a random quaternion */
  double q[4], norm = 0;
  for (int k = 0; k < 4; k++) q[k] = between(-1, 1), norm += q[k] * q[k];
  for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, r, sizeof r);
}

static void random_state(const ag_header *h, const ag_list *list, double *in) {
  for (int k = 0; k < list->nquantities; k++) {
    const ag_quantity *q = &list->quantities[k];
    double *x = in + q->first;
    for (int i = 0; i < q->size; i++) {
      const int joint = list->elements[q->first + i].joint;
      if (q->shape == AG_MASKS)
        x[i] = between(0, 1) < 0.7;
      else if (strcmp(q->name, "armature") == 0)
        x[i] = between(0.05, 1);
      else if (strcmp(q->name, "q") == 0 && joint >= 0 && h->joints[joint].prismatic)
        x[i] = between(-0.3, 0.3);
      else if (strncmp(q->name, "tau", 3) == 0 || q->shape == AG_WRENCH)
        x[i] = between(-20, 20);
      else
        x[i] = between(-3, 3);
    }
    if (q->shape == AG_ROTATION) random_rotation(x);
    if (q->shape == AG_INERTIA) { /* a box off the origin */
      const double m = between(0.3, 2), c[3] = {between(-0.1, 0.1), between(-0.1, 0.1), 0.05};
      const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
      x[0] = m;
      for (int i = 0; i < 3; i++) x[1 + i] = m * c[i];
      x[4] = m * (0.01 + cc - c[0] * c[0]), x[5] = -m * c[0] * c[1], x[6] = -m * c[0] * c[2];
      x[7] = m * (0.02 + cc - c[1] * c[1]), x[8] = -m * c[1] * c[2];
      x[9] = m * (0.015 + cc - c[2] * c[2]);
    }
  }
}

/* ---- comparison ---- */

/* The largest relative difference of a quantity, over all of them: |a - b| / (|a| + 1e-3 of the SI
 * unit). Residuals are differences of accelerations of some 10 m/s^2. */
static double difference(const ag_list *list, const double *a, const double *b,
                         const char **where) {
  double worst = 0;
  for (int k = 0; k < list->nquantities; k++) {
    const ag_quantity *q = &list->quantities[k];
    double size = 0, apart = 0;
    for (int i = q->first; i < q->first + q->size; i++) {
      size += a[i] * a[i];
      apart += (a[i] - b[i]) * (a[i] - b[i]);
    }
    const double floor = strcmp(q->name, "residual") == 0 ? 10 : 1e-3;
    const double relative = sqrt(apart) / (sqrt(size) + floor);
    if (!(relative <= worst)) { /* NaN, too */
      worst = relative;
      *where = q->name;
    }
  }
  return worst;
}

static double *evaluated(const ag_graph *p, const double *in, unsigned *status) {
  double *out = ag_alloc(&arena, (size_t)(p->function->out.nelements + 1) * sizeof *out);
  double *work = ag_alloc(&arena, (size_t)p->dag.count * sizeof *work);
  *status = ag_eval(p, false, in, out, work);
  return out;
}

static void report(const char *what, bool good) {
  test_report(__FILE__, __LINE__, good, what);
}

/* A script on plain numbers takes a thousand times as long as its program, and a mistake in either shows in nearly every
 * state. With ACHD_SWEEP=1: as many as there are of formulations. */
static int states_by_script(void) {
  const char *sweep = getenv("ACHD_SWEEP");
  return sweep && strcmp(sweep, "1") == 0 ? STATES : TEST_SANITIZED ? 3 : 4;
}

/* Numbers against the program, for every function. */
static void compare_numbers(const char *name, int layout, made *m) {
  for (int f = 0; f < m->header.nfunctions; f++) {
    const ag_graph *p = m->header.functions[f]->graph;
    double *in = ag_alloc(&arena, (size_t)(p->function->in.nelements + 1) * sizeof *in);
    double *out = ag_alloc(&arena, (size_t)(p->function->out.nelements + 1) * sizeof *out);
    const char *where = "nothing";
    double worst = 0;
    bool ran = true, same_status = true;
    for (int s = 0; s < states_by_script() && ran; s++) {
      random_state(&m->header, &p->function->in, in);
      unsigned status, expected;
      const double *program_out = evaluated(p, in, &expected);
      ran = ag_script_numbers(m->script, f, in, out, &status, &err);
      if (!ran) break;
      const double scale = expected & 1 ? TOLERANCE / SINGULAR_TOLERANCE : 1;
      worst = fmax(worst, scale * difference(&p->function->out, program_out, out, &where));
      same_status = same_status && status == expected;
    }
    char what[LINE];
    snprintf(what, sizeof what, "%s, layout %d, %s (%s): numbers differ by %.1e in %s%s%s", name,
             layout, p->function->name, p->function->formulation, worst, where,
             same_status ? "" : "; status differs", ran ? "" : "; numbers failed");
    report(what, ran && worst <= TOLERANCE && same_status);
    if (!ran) ag_err_print(&err, stdout);
  }
}

static void compare_formulations(const char *name, int layout, made m[2]) {
  const ag_graph *p = m[0].header.functions[0]->graph, *other = m[1].header.functions[0]->graph;
  char what[LINE];
  const char *where = "nothing";
  bool same = p->function->in.nelements == other->function->in.nelements &&
              p->function->out.nelements == other->function->out.nelements;
  for (int k = 0; same && k < p->function->out.nelements; k++)
    same =
        strcmp(p->function->out.elements[k].column, other->function->out.elements[k].column) == 0;
  snprintf(what, sizeof what, "%s, layout %d: formulations have the same columns", name, layout);
  report(what, same);
  report("formulations are those asked for",
         strcmp(p->function->formulation, "recursion") == 0 &&
             strcmp(other->function->formulation, "joint") == 0);
  if (!same) return;
  double *in = ag_alloc(&arena, (size_t)(p->function->in.nelements + 1) * sizeof *in), worst = 0;
  bool same_status = true;
  for (int s = 0; s < STATES; s++) {
    random_state(&m[0].header, &p->function->in, in);
    unsigned status[2];
    const double *a = evaluated(p, in, &status[0]), *b = evaluated(other, in, &status[1]);
    const double scale = status[0] & 1 ? TOLERANCE / SINGULAR_FORMULATIONS : 1;
    worst = fmax(worst, scale * difference(&p->function->out, a, b, &where));
    same_status = same_status && status[0] == status[1];
  }
  snprintf(what, sizeof what, "%s, layout %d: formulations differ by %.1e in %s%s", name, layout,
           worst, where, same_status ? "" : "; status differs");
  report(what, worst <= TOLERANCE && same_status);
}

static void numbers_and_programs_agree(void) {
  for (int r = 0; r < ROBOTS; r++) {
    ag_model model;
    if (!read_robot(&robots[r], &model)) continue;
    const char *name = robots[r].file ? robots[r].file : "tree";
    for (int l = 0; l < LAYOUTS; l++) {
      seed = (uint64_t)(100 * r + l);
      const char *layout = filled(layouts[l], &robots[r]);
      made m[2] = {{{0}, NULL}, {{0}, NULL}};
      const bool first = make(&model, layout, "recursion", family, FAMILY, &m[0]);
      const bool second = make(&model, layout, "joint", family, 1, &m[1]);
      if (first) compare_numbers(name, l, &m[0]);
      if (second) compare_numbers(name, l, &m[1]);
      if (first && second) compare_formulations(name, l, m);
      ag_script_close(m[0].script);
      ag_script_close(m[1].script);
    }
  }
}

/* ---- cost ---- */

/* Operations of a function under a layout of gen3. */
static int flops(const char *function, const char *layout) {
  static ag_model model;
  if (!model.links && !read_robot(&robots[1], &model)) return -1;
  made m = {{0}, NULL};
  const bool good = make(&model, filled(layout, &robots[1]), NULL, &function, 1, &m);
  const int count = good ? ag_count(m.header.functions[0]->graph, AG_GENERAL, &arena) : -1;
  ag_script_close(m.script);
  return count;
}

static int solve(const char *words) {
  return flops("achd", ag_printf(&arena, "return { %s }", words));
}

#define ROWS "groups = { { name = 'tool', frame = '@TIP@' } }, "
#define FREE "groups = {}, "

static void what_is_not_asked_for_costs_nothing(void) {
  const int bare = solve(FREE "outputs = { 'qdd' }"), all = solve(ROWS);
  CHECK(bare > 0 && bare < all);
  /* every word more costs more, and only then */
  CHECK(solve(FREE "outputs = { 'qdd' }, torques = { physical = true }") > bare);
  CHECK(solve(FREE "outputs = { 'qdd' }, armature = { joint_4 = 0.5 }") > bare);
  CHECK(solve(FREE "outputs = { 'qdd', 'tau_total' }") > bare);
  CHECK(solve(FREE "outputs = { 'qdd', pose = { '@TIP@' } }") > bare);
  CHECK(solve(FREE "outputs = { 'qdd' }, gravity = { 0, 0, -9.81 }") < bare);
  CHECK(solve(FREE "outputs = { 'qdd' }, gravity = { 0, 0, 0 }") <
        solve(FREE "outputs = { 'qdd' }, gravity = { 0, 0, -9.81 }"));
  CHECK(solve(ROWS "outputs = { 'qdd', 'nu', 'tau_ctrl' }") < all);
  CHECK(solve(ROWS "outputs = { 'nu', 'tau_ctrl' }") <
        solve(ROWS "outputs = { 'qdd', 'nu', 'tau_ctrl' }"));
  CHECK(solve(ROWS "outputs = { 'nu' }") < solve(ROWS "outputs = { 'nu', 'tau_ctrl' }"));
  CHECK(solve("groups = { { name = 'tool', frame = '@TIP@', rows = { 'lin_x' } } }") < all);
  CHECK(solve("groups = { { name = 'tool', frame = '@TIP@', maskable = true } }") > all);
}

static void an_unconstrained_solve_is_forward_dynamics(void) {
  CHECK(solve(FREE "outputs = { 'qdd' }, torques = { physical = true }") ==
        flops("fd", "return { " FREE "torques = { physical = true } }"));
}

static void poses_alone_cost_what_fk_costs(void) {
  CHECK(solve(FREE "outputs = { pose = { '@TIP@' } }") <=
        flops("fk", "return { " FREE "outputs = { pose = { '@TIP@' } } }"));
  CHECK(solve(FREE "outputs = { twist = { '@TIP@' } }") <=
        flops("fvk", "return { " FREE "outputs = { twist = { '@TIP@' } } }"));
}

/* Pivots do not depend on velocity, gravity, torques or wrenches: none of them is worked out. */
static void pivots_alone_need_no_motion(void) {
  const int pivots = solve(ROWS "outputs = { 'pivot_min' }");
  CHECK(pivots > 0);
  CHECK(solve(ROWS "outputs = { 'pivot_min' }, torques = { physical = true, artificial = true }") ==
        pivots);
  CHECK(solve(ROWS "outputs = { 'pivot_min' }, wrenches = { { name = 'push', frame = '@TIP@', "
                   "kind = 'physical' }, { name = 'hold', frame = '@MIDDLE@', kind = "
                   "'artificial' } }") == pivots);
  CHECK(solve(ROWS "outputs = { 'pivot_min' }, gravity = { 0, 0, -9.81 }") == pivots);
  CHECK(pivots < solve(ROWS "outputs = { 'nu' }"));
}

static void the_cheaper_formulation_is_kept(void) {
  ag_model model;
  if (!read_robot(&robots[1], &model)) return;
  for (int k = 0; k < 2; k++) {
    /* without pivot_min, of whose equations a forced formulation takes what a null-space solve has at hand */
    const char *layout = filled(k ? "return { groups = {} }"
                                  : "return { groups = { { name = 'tool', frame = '@TIP@', "
                                    "maskable = true } }, outputs = { 'qdd', 'nu', 'tau_ctrl' } }",
                                &robots[1]);
    int cost[3];
    static const char *const formulations[] = {"recursion", "joint", NULL};
    for (int f = 0; f < 3; f++) {
      made m = {{0}, NULL};
      if (!make(&model, layout, formulations[f], family, 1, &m)) return;
      const ag_graph *p = m.header.functions[0]->graph;
      const bool two = p->nways > 1;
      cost[f] = ag_count(p, two ? AG_FAST : AG_GENERAL, &arena);
      if (f < 2) CHECK(!two);
      if (f == 2)
        CHECK(p->function->flops_recursion == cost[0] && p->function->flops_joint == cost[1]);
      if (two)
        CHECK(p->function->flops_null == cost[f] && strcmp(p->function->formulation, "null") == 0);
      if (two) cost[f] = cost[f] < cost[0] && cost[f] < cost[1] ? cost[cost[1] < cost[0]] : -1;
      ag_script_close(m.script);
    }
    CHECK(cost[2] == (cost[0] < cost[1] ? cost[0] : cost[1]));
  }
}

/* 1e39 is no float: better no header than one that does not compile. */
static void constants_out_of_range_are_an_error(void) {
  ag_model model;
  if (!read_robot(&robots[0], &model)) return;
  const char *path = temporary("return { effort = { joint1 = 1e39 }, saturate = true }");
  for (int single = 0; single < 2; single++) {
    made m = {{0}, NULL};
    const ag_script_options options = {
        .layout = path, .functions = family, .nfunctions = 1, .target = {.single = single == 1}};
    err = (ag_err){0};
    CHECK(ag_script_build(&model, &options, &m.header, &m.script, &arena, &err) == (single == 0));
    ag_script_close(m.script);
  }
  unlink(path);
  CHECK_TEXT(err.file, path);
  CHECK_TEXT(err.what, "a constant of achd becomes 1e+39, which is too large");
  CHECK_TEXT(err.remedy, "check the exponents, or use --real double");
}

int main(int argc, char **argv) {
  if (argc > 1) source_dir = argv[1];
  RUN(numbers_and_programs_agree);
  RUN(what_is_not_asked_for_costs_nothing);
  RUN(an_unconstrained_solve_is_forward_dynamics);
  RUN(poses_alone_cost_what_fk_costs);
  RUN(pivots_alone_need_no_motion);
  RUN(the_cheaper_formulation_is_kept);
  RUN(constants_out_of_range_are_an_error);
  ag_arena_free(&arena);
  return test_end();
}

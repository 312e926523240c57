/* SPDX-License-Identifier: MIT */
/* proof_text_test.c: the emitted text is the graph. Of a robot whose constants have few bits, so that
 * their decimals are exact, the body of every function is parsed back, expressions and assignments,
 * and evaluated over the field: each output is the graph's, at every point. And mistakes in the text
 * are noticed: a hundred random ones. */
#define _XOPEN_SOURCE 700
#include "emit/access.h"
#include "emit/header.h"
#include "lower/lower.h"
#include "model/robot_file.h"
#include "prove/exact.h"
#include "prove/point.h"
#include "prove/proof_text.h"

#include "test.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS = 8, MORE = 64, NAMES = 20000 };

/* ---- C text: what emitted functions are made of ---- */

typedef struct name {
  const char *start;
  size_t length;
  ag_number value;
} name;

typedef struct reader {
  const char *at;
  const char *prefix; /* "robot_" */
  const ag_graph *graph;
  const ag_header *header;
  const char **in_access, **out_access; /* by element */
  const ag_number *in;
  ag_number *out;
  bool *written;
  name *names;
  int nnames;
  bool wrong; /* what stands there is none of it */
} reader;

static const char **accesses(const ag_header *h, const ag_list *list, ag_arena *arena) {
  const char **all = ag_alloc(arena, (size_t)(list->nelements + 1) * sizeof *all);
  for (int i = 0; i < list->nelements; i++) all[i] = ag_emit_access(h, &list->elements[i]);
  return all;
}

static void skip(reader *r) { /* blanks, comments, lines for the preprocessor */
  for (;;) {
    while (isspace((unsigned char)*r->at)) r->at++;
    if (strncmp(r->at, "/*", 2) == 0)
      r->at = strstr(r->at, "*/") + 2;
    else if (*r->at == '#')
      r->at += strcspn(r->at, "\n");
    else
      return;
  }
}

static bool takes(reader *r, const char *sign) {
  skip(r);
  const size_t n = strlen(sign);
  if (strncmp(r->at, sign, n) != 0) return false;
  if (strcmp(sign, "<") == 0 && r->at[1] == '=') return false;
  r->at += n;
  return true;
}

static void needs(reader *r, const char *sign) {
  if (!takes(r, sign)) r->wrong = true;
}

static size_t word_length(const char *at, const char *more) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_' || (at[n] && strchr(more, at[n]))) n++;
  return n;
}

static ag_number truth(bool x) {
  return ag_number_from(x, 0);
}

static ag_number ternary(reader *r);

/* in->q[ROBOT_J1], trig->s[2] or a value that has a name. */
static ag_number place(reader *r) {
  const size_t n = word_length(r->at, ".[]->");
  const char *text = r->at;
  r->at += n;
  if (n > 4 && strncmp(text, "in->", 4) == 0) {
    for (int i = 0; i < r->graph->function->in.nelements; i++) {
      const char *access = r->in_access[i];
      if (strlen(access) == n - 4 && strncmp(access, text + 4, n - 4) == 0) return r->in[i];
    }
  } else if (n > 6 && strncmp(text, "trig->", 6) == 0) {
    const ag_angle *a = &r->header->angles[atoi(text + 8)];
    for (int i = 0; i < r->graph->function->in.nelements; i++)
      if (r->graph->function->in.elements[i].joint == a->joint &&
          (strncmp(r->in_access[i], "q[", 2) == 0 || a->joint == AG_BASE_YAW)) {
        ag_number c, s;
        ag_point_circle(a->multiplier * r->in[i].value + a->offset, &c, &s);
        return text[6] == 's' ? s : c;
      }
  }
  for (int k = r->nnames - 1; k >= 0; k--)
    if (r->names[k].length == n && strncmp(r->names[k].start, text, n) == 0)
      return r->names[k].value;
  r->wrong = true;
  return truth(false);
}

static ag_number primary(reader *r) {
  skip(r);
  if (takes(r, "(")) {
    const ag_number x = ternary(r);
    needs(r, ")");
    return x;
  }
  if (isdigit((unsigned char)*r->at)) {
    char *end;
    const double x = strtod(r->at, &end);
    r->at = end;
    return ag_number_of(x);
  }
  const size_t n = strlen(r->prefix);
  if (strncmp(r->at, r->prefix, n) == 0 && strncmp(r->at + n, "probe(&", 7) == 0) {
    r->at += n + 7;
    const ag_number x = place(r);
    needs(r, ")");
    return truth(!isfinite(x.value));
  }
  if (strncmp(r->at, r->prefix, n) == 0 && strncmp(r->at + n, "probe", 5) == 0) {
    r->at = strchr(r->at, '('); /* of the inputs, which are finite */
    for (int depth = 0; *r->at;) {
      depth += (*r->at == '(') - (*r->at == ')');
      r->at++;
      if (depth == 0) break;
    }
    return truth(false);
  }
  return place(r);
}

static ag_number unary(reader *r) {
  if (takes(r, "-")) return ag_number_neg(unary(r));
  if (takes(r, "!")) return truth(unary(r).value == 0);
  return primary(r);
}

static ag_number product(reader *r) {
  ag_number x = unary(r);
  while (!r->wrong) {
    if (takes(r, "*"))
      x = ag_number_mul(x, unary(r));
    else if (takes(r, "/"))
      x = ag_number_div(x, unary(r));
    else
      break;
  }
  return x;
}

static ag_number sum(reader *r) {
  ag_number x = product(r);
  while (!r->wrong) {
    if (takes(r, "+"))
      x = ag_number_add(x, product(r));
    else if (takes(r, "-"))
      x = ag_number_sub(x, product(r));
    else
      break;
  }
  return x;
}

static ag_number less(reader *r) {
  const ag_number x = sum(r);
  if (!takes(r, "<")) return x;
  return truth(x.value < sum(r).value);
}

static ag_number equal(reader *r) {
  const ag_number x = less(r);
  if (!takes(r, "==")) return x;
  return truth(x.value == less(r).value);
}

static ag_number both(reader *r) {
  ag_number x = equal(r);
  while (!r->wrong && takes(r, "&")) x = truth((equal(r).value != 0) & (x.value != 0));
  return x;
}

static ag_number either(reader *r) {
  ag_number x = both(r);
  while (!r->wrong && takes(r, "|")) x = truth((both(r).value != 0) | (x.value != 0));
  return x;
}

static ag_number ternary(reader *r) {
  const ag_number condition = either(r);
  if (!takes(r, "?")) return condition;
  const ag_number yes = ternary(r);
  needs(r, ":");
  const ag_number no = ternary(r);
  return condition.value != 0 ? yes : no;
}

static void assign(reader *r) { /* out->qdd[ROBOT_J1] = ...; */
  const size_t n = word_length(r->at, ".[]");
  const char *text = r->at;
  r->at += n;
  needs(r, "=");
  const ag_number x = ternary(r);
  needs(r, ";");
  for (int i = 0; i < r->graph->function->out.nelements; i++) {
    const char *access = r->out_access[i];
    if (strlen(access) != n || strncmp(access, text, n) != 0) continue;
    r->out[i] = x;
    r->written[i] = true;
    return;
  }
  r->wrong = true;
}

/* A statement; false: the function returns. */
static bool statement(reader *r) {
  if (takes(r, "return")) return false;
  if (takes(r, "}")) return true; /* of a way that ends with the others */
  if (takes(r, "if")) {
    const bool taken = primary(r).value != 0;
    needs(r, "{");
    for (int depth = 1; !taken && depth > 0 && *r->at; r->at++)
      depth += (*r->at == '{') - (*r->at == '}');
    return true;
  }
  if (takes(r, "out->")) {
    assign(r);
    return true;
  }
  needs(r, "const");
  skip(r);
  r->at += word_length(r->at, ""); /* the type */
  skip(r);
  name *made = &r->names[r->nnames];
  *made = (name){.start = r->at, .length = word_length(r->at, "")};
  r->at += made->length;
  needs(r, "=");
  made->value = ternary(r);
  needs(r, ";");
  if (r->nnames < NAMES - 1) r->nnames++;
  return true;
}

/* Runs the body that begins at `text`; false: it is not what emitted functions are made of. */
static bool run(reader *r, const char *text) {
  r->at = text;
  r->nnames = 0;
  r->wrong = false;
  memset(r->written, 0, (size_t)r->graph->function->out.nelements * sizeof *r->written);
  while (!r->wrong && *r->at && statement(r)) continue;
  for (int i = 0; i < r->graph->function->out.nelements; i++) r->wrong = r->wrong || !r->written[i];
  return !r->wrong;
}

/* ---- a robot of few bits ---- */

static const char link_form[] =
    "<link name='%s'><inertial><origin xyz='%s'/><mass value='%s'/><inertia ixx='0.25' ixy='0' "
    "ixz='0' iyy='0.375' iyz='0' izz='0.3125'/></inertial></link>";
static const char joint_form[] =
    "<joint name='%s' type='%s'><parent link='%s'/><child link='%s'/><origin xyz='%s' rpy='%s'/>"
    "<axis xyz='0 0 1'/><limit lower='-2' upper='2' effort='64' velocity='4'/></joint>";

static const char *robot_text(ag_arena *arena) {
  const char *text = "<robot name='robot'><link name='base'/>";
  static const char *const links[][3] = {
      {"l1", "0.25 0.5 0.125", "3.5"},  {"l2", "0.125 0 0.25", "1.5"},
      {"l3", "0 0.25 0.5", "1"},        {"l4", "0.125 0.125 0", "0.5"},
      {"l5", "0.0625 0 0.125", "0.25"}, {"l6", "0 0.0625 0.25", "0.5"},
      {"l7", "0.125 0.25 0", "0.75"}};
  static const char *const joints[][6] = {
      {"j1", "revolute", "base", "l1", "0.5 0 0.25", "0 0 0"},
      {"j2", "revolute", "l1", "l2", "0 0.25 0.5", "1.57079632679 0 0"},
      {"j3", "prismatic", "l2", "l3", "0.25 0 0.5", "0 1.57079632679 0"},
      {"j4", "revolute", "l3", "l4", "0 0.5 0.25", "-1.57079632679 0 0"},
      {"j5", "revolute", "l4", "l5", "0.125 0 0.5", "0 -1.57079632679 0"},
      {"j6", "revolute", "l5", "l6", "0.25 0.5 0", "1.57079632679 0 1.57079632679"},
      {"j7", "revolute", "l1", "l7", "-0.5 0.25 0", "0 1.57079632679 0"}};
  for (int k = 0; k < 7; k++)
    text = ag_printf(arena, "%s%s", text,
                     ag_printf(arena, link_form, links[k][0], links[k][1], links[k][2]));
  for (int k = 0; k < 7; k++)
    text = ag_printf(arena, "%s%s", text,
                     ag_printf(arena, joint_form, joints[k][0], joints[k][1], joints[k][2],
                               joints[k][3], joints[k][4], joints[k][5]));
  return ag_printf(arena, "%s</robot>", text);
}

static const char layout_text[] =
    "return { name = 'robot', torques = { physical = true, artificial = true },\n"
    "  wrenches = { { name = 'push', frame = 'l6', kind = 'physical' },\n"
    "    { name = 'pull', frame = 'l3', kind = 'artificial' } },\n"
    "  tips = { 'l6', 'l7' }, armature = 'input',\n"
    "  groups = { { name = 'tool', frame = 'l6', rows = { 'lin_x', 'lin_z', 'ang_y' },\n"
    "    maskable = true }, { name = 'arm', frame = 'l7', rows = { 'lin_y' }, axes = 'link',\n"
    "    kind = 'physical', acceleration = 'spatial' } },\n"
    "  outputs = { 'qdd', 'nu', 'tau_ctrl', 'residual', 'pivot', acc = { 'l6' }, twist = { 'l7' "
    "},\n"
    "    pose = { 'l5' } } }\n";

static const char *saved(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0);
  if (file) CHECK(fclose(file) == 0);
  return path;
}

/* ---- the text against the graph ---- */

typedef struct subject {
  reader reader;
  ag_exact_run run;
  ag_number *in[POINTS + MORE];
  ag_residue *wanted[POINTS + MORE];
} subject;

static bool agrees(subject *s, const char *text, int point) {
  s->reader.in = s->in[point];
  if (!run(&s->reader, text)) return false;
  for (int i = 0; i < s->reader.graph->function->out.nelements; i++)
    if (s->reader.out[i].exact != s->wanted[point][i]) return false;
  return true;
}

static uint64_t state = 7;

static int below(size_t n) { /* splitmix64 */
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (int)((z ^ (z >> 31)) % n);
}

/* Another sign, digit or place in an expression of the text, comments and names apart; false: there
 * is none at this place. */
static bool spoil(char *text, size_t at) {
  const char *behind = strchr(text + at, '\n');
  if (!behind) return false;
  const char *line = text + at;
  while (line > text && line[-1] != '\n') line--;
  const char *comment = strstr(line, "/*");
  if (comment && comment < text + at) return false;
  size_t start = at; /* of the statement; conditions are the status bits' and selections' */
  while (start > 0 && text[start] != ';') start--;
  const char *condition = strstr(text + start, "const int ");
  if (condition && condition < text + at) return false;
  if (strncmp(line, "  ", 2) != 0 || strncmp(line, "  return", 8) == 0) return false;
  if (at > 1 && text[at - 2] == ':') return false; /* what stands for what is not finite */
  switch (text[at]) {
  case '+':
  case '-':
    if (text[at + 1] != ' ') return false;
    text[at] = text[at] == '+' ? '-' : '+';
    return true;
  case '*':
    if (text[at + 1] != ' ' || text[at - 1] != ' ') return false;
    text[at] = "+-/"[below(3)];
    return true;
  default:
    if (!isdigit((unsigned char)text[at]) || !strchr(" (", text[at - 1])) return false;
    text[at] = text[at] == '9' ? '8' : (char)(text[at] + 1);
    return true;
  }
}

typedef struct count {
  int made, at_two, at_eight, none, idle, later;
} count;

/* Whether no value is another by a change, at any point: what is changed is a term that is 0, as all are
 * of what refinement adds to nu, exactly computed. */
static bool same_values(subject *s, const char *text, const char *changed, ag_arena *arena) {
  ag_residue *values = ag_alloc(arena, NAMES * sizeof *values);
  for (int point = 0; point < POINTS + MORE; point++) {
    agrees(s, text, point);
    const int count = s->reader.nnames;
    for (int i = 0; i < count; i++) values[i] = s->reader.names[i].value.exact;
    agrees(s, changed, point);
    if (s->reader.nnames != count) return false;
    for (int i = 0; i < count; i++)
      if (s->reader.names[i].value.exact != values[i]) return false;
  }
  return true;
}

/* Whether a point tells when the value of the statement at this place is one more. None does where a
 * branch that no point takes asks for it, or where refinement makes up for it: exactly computed,
 * nu + L^-1 (r - L nu) is L^-1 r whatever nu was, so nothing that nu is first made of matters. */
static bool is_asked(subject *s, const char *text, size_t at, ag_arena *arena) {
  size_t start = at;
  while (start > 0 && text[start - 1] != ';') start--;
  const char *equals = strstr(text + start, " = "), *end = strchr(text + at, ';');
  if (!equals || equals > text + at || !end) return true;
  const char *value = equals + 3;
  const char *more = ag_printf(arena, "%.*s1.0 + (%.*s)%s", (int)(value - text), text,
                               (int)(end - value), value, end);
  int point = 0;
  while (point < POINTS + MORE && agrees(s, more, point)) point++;
  return point < POINTS + MORE;
}

static void spoil_text(subject *s, const char *body, int number, count *c, ag_arena *arena) {
  const char *end = strstr(body, "\n}\n");
  const size_t length = (size_t)(end - body);
  char *text = ag_printf(arena, "%.*s\n}\n", (int)length, body);
  for (int k = 0; k < number;) {
    const size_t at = (size_t)below(length);
    const char before = text[at];
    if (at == 0 || !spoil(text, at)) continue;
    k++;
    c->made++;
    int point = 0;
    while (point < POINTS + MORE && agrees(s, text, point)) point++;
    c->at_two += point < 2;
    c->at_eight += point >= 2 && point < POINTS;
    c->later += point >= POINTS && point < POINTS + MORE;
    const char *changed = point < POINTS + MORE ? NULL : ag_printf(arena, "%s", text);
    text[at] = before;
    if (!changed) continue;
    const bool idle = same_values(s, text, changed, arena) || !is_asked(s, text, at, arena);
    c->none += !idle;
    c->idle += idle;
  }
}

/* Constants whose decimals are what they stand for. */
static bool few_bits(const ag_exact_run *run) {
  for (ag_id id = 0; id < run->graph->dag.count; id++) {
    const ag_node *n = &run->graph->dag.nodes[id];
    if (n->op == AG_CONST && run->used[id] && n->exact != ag_residue_of(n->value)) {
      printf("  the constant %.17g stands for another number\n", n->value);
      return false;
    }
  }
  return true;
}

static void try_text(const char *function, const char *formulation, int changes, count *c) {
  ag_arena arena = {0};
  ag_err err = {0};
  ag_urdf doc;
  ag_model model;
  ag_header header;
  ag_script *script = NULL;
  const char *text, *none;
  char urdf[] = "proof_text_XXXXXX", layout[] = "proof_text_XXXXXX";
  const int files[] = {mkstemp(urdf), mkstemp(layout)};
  for (int k = 0; k < 2; k++) CHECK(files[k] >= 0 && close(files[k]) == 0);
  const ag_script_options options = {.layout = saved(layout, layout_text),
                                     .formulation = formulation,
                                     .functions = &function,
                                     .nfunctions = 1,
                                     .regroup = true};
  const bool built = ag_robot_read(saved(urdf, robot_text(&arena)), true, &doc, &arena, &err) &&
                     ag_model_build(&doc, true, &model, &arena, &err) &&
                     ag_script_build(&model, &options, &header, &script, &arena, &err);
  if (!built) ag_err_print(&err, stdout);
  CHECK(built);
  ag_proof proof;
  CHECK(built && ag_prove(&header, script, POINTS, &proof, &err));
  CHECK(built && ag_proof_holds(&proof, urdf, &err));
  const ag_header_options write = {.file = "robot.h", .command = "achdgen"};
  CHECK(built && ag_lower_functions(&header, &err));
  CHECK(built && ag_header_text(&header, &write, &text, &none, &err));
  if (built) {
    const ag_graph *p = header.functions[0]->graph;
    const char *opening = ag_printf(&arena, "robot_%s_trig(", function), *body = NULL;
    for (const char *at = text; (at = strstr(at, opening)) != NULL; at++)
      if (strncmp(strchr(at, ')'), ") {", 3) == 0)
        body = strstr(at, "\n  const "); /* of its definition */
    CHECK(body);
    if (!body) return;
    subject s = {.run = ag_exact_new(p, &arena)};
    s.reader = (reader){
        .prefix = "robot_",
        .graph = p,
        .header = &header,
        .in_access = accesses(&header, &p->function->in, &arena),
        .out_access = accesses(&header, &p->function->out, &arena),
        .out = ag_alloc(&arena, (size_t)(p->function->out.nelements + 1) * sizeof(ag_number)),
        .written = ag_alloc(&arena, (size_t)(p->function->out.nelements + 1)),
        .names = ag_alloc(&arena, NAMES * sizeof(name))};
    ag_decisions decisions = {.arena = &arena};
    ag_point point = {.header = &header, .arena = &arena, .decisions = &decisions};
    ag_point_add(&point, p);
    CHECK(few_bits(&s.run));
    int same = 0;
    for (int at = 0; at < POINTS + MORE; at++) {
      s.in[at] = ag_alloc(&arena, (size_t)(p->function->in.nelements + 1) * sizeof(ag_number));
      s.wanted[at] =
          ag_alloc(&arena, (size_t)(p->function->out.nelements + 1) * sizeof(ag_residue));
      ag_point_draw(&point, at);
      ag_point_fill(&point, p, s.in[at]);
      ag_exact_evaluate(&s.run, &p->dag, s.in[at]);
      for (int i = 0; i < p->function->out.nelements; i++)
        s.wanted[at][i] = s.run.exact[s.run.taken->outputs[i]];
      same += agrees(&s, body, at);
    }
    printf("  %-8s %-10s text and graph are the same at %d of %d points\n", function,
           p->function->formulation, same, POINTS + MORE);
    CHECK(same == POINTS + MORE);
    if (same == POINTS + MORE) spoil_text(&s, body, changes, c, &arena);
  }
  ag_script_close(script);
  CHECK(remove(urdf) == 0 && remove(layout) == 0);
  ag_arena_free(&arena);
}

static void text_is_the_graph(void) {
  static const char *const functions[] = {"fk", "fvk",     "fak",  "jac",  "jdqd",   "id",
                                          "fd", "gravity", "bias", "crba", "energy", "com"};
  const int more = getenv("ACHD_SWEEP") ? 10 : 1;
  count c = {0};
  try_text("achd", "joint", 40 * more, &c);
  try_text("achd", "recursion", 40 * more, &c);
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    try_text(functions[k], NULL, 3 * more, &c);
  printf("  %d changes of text: %d noticed at 2 points, %d more at 8, %d later, %d change nothing, "
         "%d are in terms that are 0 or in values that no output asks for\n",
         c.made, c.at_two, c.at_eight, c.later, c.none, c.idle);
  CHECK(c.made >= 100);
  CHECK(20 * (c.later + c.none) <= c.made); /* in limits, or in what only the status asks */
  CHECK(10 * c.idle <= c.made);
}

int main(void) {
  RUN(text_is_the_graph);
  return test_end();
}

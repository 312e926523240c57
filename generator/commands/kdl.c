/* SPDX-License-Identifier: MIT */
/* kdl.c: see kdl.h
 *
 * The header has what the classes of achd/kdl.hpp call, made for the chain from BASE to TIP: the solve with six rows
 * along the axes of the base, with one free direction, and with all that KDL's interface can ask for; kinematics and
 * dynamics; and the chain as a table, which the chain of a program is compared with. */
#include "commands/kdl.h"

#include "base/files.h"
#include "base/names.h"
#include "base/text.h"
#include "commands/write.h"
#include "lower/lower.h"
#include "model/model.h"
#include "model/robot_file.h"
#include "script/script.h"
#include "tables/depfile.h"

#include <math.h>
#include <string.h>

typedef struct chain {
  const ag_options *a;
  ag_urdf doc;
  ag_model model;   /* the links from BASE to TIP alone */
  const char *name; /* prefix of what is written */
  ag_arena *arena;
  ag_err *err;
} chain;

/* One generated header within the file. */
typedef struct piece {
  const char *suffix; /* of its prefix */
  const char *const *functions;
  int nfunctions;
  const char *(*layout)(const chain *c);
} piece;

/* ---- the links of the chain ---- */

static bool fail_link(const chain *c, const ag_model *model, const char *name) {
  const char **names = ag_alloc(c->arena, (size_t)model->nlinks * sizeof *names);
  for (int i = 0; i < model->nlinks; i++) names[i] = model->links[i].name;
  const char *near = ag_near_names(names, model->nlinks, name, c->arena);
  return ag_fail(
      c->err, model->path, 0,
      ag_did_you_mean(near, "name links of the robot: --kdl TIP, or --kdl BASE:TIP", c->arena),
      "--kdl names the link \"%s\", which is not there", name);
}

/* BASE:TIP; a link's name may have a colon itself. */
static bool find_ends(const chain *c, const ag_model *model, int *base, int *tip) {
  const char *asked = c->a->kdl, *colon = strchr(asked, ':');
  *base = ag_model_base(model);
  *tip = ag_model_link(model, asked);
  if (*tip >= 0) return true;
  if (!colon) return fail_link(c, model, asked);
  const char *first = ag_printf(c->arena, "%.*s", (int)(colon - asked), asked);
  *base = ag_model_link(model, first);
  *tip = ag_model_link(model, colon + 1);
  if (*base < 0) return fail_link(c, model, first);
  return *tip >= 0 || fail_link(c, model, colon + 1);
}

/* What KDL's chains cannot have. */
static bool check_joint(const chain *c, const ag_model *model, const ag_link *link) {
  const ag_joint *joint = &link->joint;
  if (joint->mimic >= 0)
    return ag_fail(c->err, model->path, joint->line,
                   "end the chain before it, or take <mimic> out of the URDF: kdl_parser leaves it "
                   "out, too",
                   "joint \"%s\" mimics another, and a chain of KDL has it as a joint of its own",
                   joint->name);
  if (joint->ball)
    return ag_fail(c->err, model->path, joint->line, "begin or end the chain at it: --kdl BASE:TIP",
                   "joint \"%s\" is a ball joint, and chains of KDL have no such joint",
                   joint->ball_name);
  if (joint->type == AG_PLANAR || joint->type == AG_FLOATING)
    return ag_fail(c->err, model->path, joint->line, "begin the chain behind it: --kdl BASE:TIP",
                   "joint \"%s\" is %s, and chains of KDL have no such joint", joint->name,
                   joint->type == AG_PLANAR ? "planar" : "floating");
  return true;
}

static void warn_of_branches(chain *c, const ag_model *whole, const bool *kept) {
  for (int i = 0; i < whole->nlinks; i++) {
    const ag_link *link = &whole->links[i];
    if (kept[i] || link->parent < 0 || !kept[link->parent] || link->inertia.m == 0) continue;
    ag_note_add(&c->model.warnings, &c->model.nwarnings, c->arena, link->line,
                "link \"%s\" (%.6g kg) branches off the chain: chains of KDL leave it out, and so "
                "does this one",
                link->name, link->inertia.m);
  }
}

/* The model's links from BASE to TIP; parents come first. */
static bool cut(chain *c, const ag_model *whole) {
  int base, tip;
  if (!find_ends(c, whole, &base, &tip)) return false;
  bool *kept = ag_alloc(c->arena, (size_t)whole->nlinks * sizeof *kept);
  memset(kept, 0, (size_t)whole->nlinks * sizeof *kept);
  int at = tip;
  for (; at >= 0 && at != base; at = whole->links[at].parent) {
    if (!check_joint(c, whole, &whole->links[at])) return false;
    kept[at] = true;
  }
  if (at != base || base == tip)
    return ag_fail(c->err, whole->path, whole->links[tip].line,
                   "write --kdl BASE:TIP with a TIP that BASE carries",
                   "link \"%s\" does not carry \"%s\"", whole->links[base].name,
                   whole->links[tip].name);
  kept[base] = true;
  c->model = *whole;
  c->model.links = ag_alloc(c->arena, (size_t)whole->nlinks * sizeof *c->model.links);
  c->model.nlinks = 0;
  for (int i = 0; i < whole->nlinks; i++) {
    if (!kept[i]) continue;
    ag_link *link = &c->model.links[c->model.nlinks];
    *link = whole->links[i];
    if (i == base) link->joint = (ag_joint){.type = AG_FIXED, .mimic = -1, .line = link->line};
    link->parent = c->model.nlinks++ - 1;
  }
  warn_of_branches(c, whole, kept);
  return true;
}

/* ---- layouts ---- */

static const char *quoted(const chain *c, const char *text) {
  ag_text out = {.arena = c->arena};
  ag_text_put(&out, "\"", 1);
  for (const char *p = text; *p; p++) {
    if (*p == '"' || *p == '\\') ag_text_put(&out, "\\", 1);
    if ((unsigned char)*p < ' ')
      ag_text_add(&out, "\\%03d", *p);
    else
      ag_text_put(&out, p, 1);
  }
  ag_text_put(&out, "\"", 1);
  return out.chars;
}

static const ag_link *tip_of(const chain *c) {
  return &c->model.links[c->model.nlinks - 1];
}

/* A wrench on each segment. */
static const char *wrenches(const chain *c) {
  ag_text out = {.arena = c->arena};
  for (int i = 1; i < c->model.nlinks; i++) {
    const ag_link *link = &c->model.links[i];
    ag_text_add(&out, "    { name = \"f_%s\", frame = %s, kind = \"physical\" },\n", link->id,
                quoted(c, link->name));
  }
  return out.chars;
}

static const char *frames(const chain *c) {
  ag_text out = {.arena = c->arena};
  for (int i = 1; i < c->model.nlinks; i++)
    ag_text_add(&out, " %s,", quoted(c, c->model.links[i].name));
  return out.chars;
}

static const char *layout_of_family(const chain *c) {
  const char *all = frames(c);
  return ag_printf(c->arena,
                   "return {\n  groups = {}, armature = \"input\", torques = { physical = true },\n"
                   "  wrenches = {\n%s  },\n"
                   "  outputs = {\n    \"qdd\", pose = {%s }, twist = {%s }, acc = {%s },\n"
                   "    jac = { %s }, acceleration = \"spatial\",\n  },\n}\n",
                   wrenches(c), all, all, all, quoted(c, tip_of(c)->name));
}

/* A wrench on the tip. */
static const char *tip_wrench(const chain *c) {
  return ag_printf(
      c->arena, "  wrenches = {\n    { name = \"f_%s\", frame = %s, kind = \"physical\" },\n  },\n",
      tip_of(c)->id, quoted(c, tip_of(c)->name));
}

static const char *const solved =
    "  outputs = { \"qdd\", \"nu\", \"tau_total\", \"tau_apparent\" },\n}\n";

static const char *layout_of_six(const chain *c) {
  return ag_printf(
      c->arena,
      "return {\n  torques = { physical = true },\n%s  groups = {\n"
      "    { name = \"tip\", frame = %s, acceleration = \"spatial\", maskable = true },"
      "\n  },\n%s",
      tip_wrench(c), quoted(c, tip_of(c)->name), solved);
}

static const char *layout_of_one(const chain *c) {
  return ag_printf(c->arena,
                   "return {\n  torques = { physical = true },\n%s  groups = {\n"
                   "    { name = \"tip\", frame = %s, rows = 1, acceleration = \"spatial\" },\n"
                   "  },\n%s",
                   tip_wrench(c), quoted(c, tip_of(c)->name), solved);
}

static const char *layout_of_any(const chain *c) {
  return ag_printf(c->arena,
                   "return {\n  torques = { physical = true }, armature = \"input\",\n"
                   "  wrenches = {\n%s  },\n  groups = {\n"
                   "    { name = \"tip\", frame = %s, rows = 6, acceleration = \"spatial\", "
                   "maskable = true },\n  },\n%s",
                   wrenches(c), quoted(c, tip_of(c)->name), solved);
}

static const char *const family[] = {"fk", "fvk",  "fak",  "jac",    "id",
                                     "fd", "crba", "bias", "gravity"};
static const char *const achd[] = {"achd"};

static const piece pieces[] = {
    {"", family, sizeof family / sizeof *family, layout_of_family},
    {"_six", achd, 1, layout_of_six},
    {"_one", achd, 1, layout_of_one},
    {"_any", achd, 1, layout_of_any},
};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* ---- generated functions ---- */

static bool text_of(const chain *c, ag_header *header, ag_script *script, const char *file,
                    const char **text) {
  if (!ag_lower_functions(header, c->err)) return false;
  if (c->a->points > 0 && !ag_prove_header(c->a, &c->doc, header, script, c->err)) return false;
  const char *usage =
      ag_printf(c->arena,
                "/* Called by the classes of achd/kdl.hpp through %s_kdl, which is at "
                "the end of the file. */\n",
                c->name);
  int ninputs; /* the robot's: layouts are made of it */
  const ag_input_file *inputs = ag_robot_inputs(&c->doc, 0, &ninputs, c->arena);
  const ag_header_options options = {
      .mode = AG_MODE_INLINE,
      .file = file,
      .command = c->a->command,
      .inputs = inputs,
      .ninputs = ninputs,
      .usage = usage,
  };
  const char *source;
  return ag_header_text(header, &options, text, &source, c->err);
}

static bool make_piece(chain *c, const piece *p, const char *file, const char **text) {
  const char *prefix = ag_printf(c->arena, "%s%s", c->name, p->suffix);
  const ag_script_options options = {.layout = ag_printf(c->arena, "--kdl %s", c->a->kdl),
                                     .layout_text = p->layout(c),
                                     .name = prefix,
                                     .target = c->a->target,
                                     .functions = p->functions,
                                     .nfunctions = p->nfunctions,
                                     .regroup = true};
  ag_header *header = ag_alloc(c->arena, sizeof *header);
  ag_script *script = NULL;
  bool ok = ag_script_build(&c->model, &options, header, &script, c->arena, c->err);
  if (ok && p == pieces) {
    const ag_reduced *reduced = ag_script_reduced(script);
    int count = 0;
    if (!c->a->quiet) {
      count = ag_note_print(c->model.path, c->model.warnings, c->model.nwarnings, c->arena);
      count += ag_note_print(c->model.path, reduced->warnings, reduced->nwarnings, c->arena);
    }
    if (count > 0 && c->a->strict) ok = ag_note_refuse(c->model.path, count, c->err);
  }
  ok = ok && text_of(c, header, script, file, text);
  ag_script_close(script);
  return ok;
}

/* ---- the structure that the classes of achd/kdl.hpp know the chain by ---- */

static const char *number(const chain *c, double x) {
  const char *text = ag_decimal_text(c->arena, x);
  return strpbrk(text, ".e") ? text : ag_printf(c->arena, "%s.0", text);
}

static void add_numbers(const chain *c, ag_text *out, const double *x, int count) {
  ag_text_add(out, "{");
  for (int k = 0; k < count; k++) ag_text_add(out, "%s%s", k ? ", " : "", number(c, x[k]));
  ag_text_add(out, "}");
}

/* A string of C++. */
static const char *literal(const chain *c, const char *text) {
  ag_text out = {.arena = c->arena};
  ag_text_put(&out, "\"", 1);
  for (const char *p = text; *p; p++) {
    const unsigned char byte = (unsigned char)*p;
    if (byte == '"' || byte == '\\' || byte == '?' || byte < ' ' || byte > '~')
      ag_text_add(&out, "\\%03o", byte);
    else
      ag_text_put(&out, p, 1);
  }
  ag_text_put(&out, "\"", 1);
  return out.chars;
}

/* A segment: joint, where it is, what is behind it. */
static void add_segment(const chain *c, ag_text *out, const ag_link *link) {
  const ag_joint *joint = &link->joint;
  static const double none[3] = {0, 0, 0};
  const char *type = "achd::kdl::fixed";
  double axis[3];
  if (joint->type == AG_REVOLUTE || joint->type == AG_CONTINUOUS) type = "achd::kdl::revolute";
  if (joint->type == AG_PRISMATIC) type = "achd::kdl::prismatic";
  for (int k = 0; k < 3; k++) { /* in the parent's frame */
    axis[k] = 0;
    for (int l = 0; l < 3; l++) axis[k] += joint->origin.R[k][l] * joint->axis[l];
  }
  ag_text_add(out, "        {%s, %s, %s,\n         ", literal(c, link->name),
              literal(c, joint->name), type);
  add_numbers(c, out, joint->origin.p, 3);
  ag_text_add(out, ", ");
  add_numbers(c, out, joint->type == AG_FIXED ? none : axis, 3);
  ag_text_add(out, ",\n         ");
  add_numbers(c, out, &joint->origin.R[0][0], 9);
  ag_text_add(out, ",\n         %s, ", number(c, link->inertia.m));
  add_numbers(c, out, link->com, 3);
  ag_text_add(out, ",\n         ");
  add_numbers(c, out, link->central, 6);
  ag_text_add(out, "},\n");
}

/* A function that reads or writes one member of a struct for each segment. */
static void add_accessor(const chain *c, ag_text *out, const char *head, const char *line) {
  ag_text_add(out, "  %s {\n", head);
  for (int i = 1; i < c->model.nlinks; i++) {
    ag_text_add(out, "    ");
    ag_text_add(out, line, c->model.links[i].id, i - 1);
    ag_text_add(out, "\n");
  }
  ag_text_add(out, "  }\n");
}

static int count_joints(const chain *c) {
  int count = 0;
  for (int i = 1; i < c->model.nlinks; i++) count += c->model.links[i].joint.type != AG_FIXED;
  return count;
}

/* A function: as compiled for every processor, for one that has more, and for the one that runs it. `flatten` takes in only
 * what is called directly, so the second one calls what the first one consists of. */
static void add_function(ag_text *out, const char *prefix, const char *name, const char *type) {
  ag_text_add(out,
              "  typedef %s_in %s_in;\n  typedef %s_out %s_out;\n"
              "  static unsigned plain(const %s_in &in, %s_out &out) { return %s(&in, &out); }\n",
              name, type, name, type, type, type, name);
  ag_text_add(out,
              "  ACHD_KDL_WIDE static unsigned wide(const %s_in &in, %s_out &out) {\n"
              "    %s_trig trig;\n    %s_trig_of(in.q, &trig);\n"
              "    return %s_trig(&trig, &in, &out);\n  }\n",
              type, type, prefix, prefix, name);
  ag_text_add(out,
              "  static unsigned call(const %s_in &in, %s_out &out) {\n"
              "    return achd::kdl::is_wide() ? wide(in, out) : plain(in, out);\n  }\n",
              type, type);
}

static const char *traits(const chain *c) {
  ag_text out = {.arena = c->arena};
  const char *n = c->name, *upper = ag_upper(c->arena, n);
  ag_text_add(
      &out,
      "/* The chain from %s to %s, for the classes of achd/kdl.hpp. */\n"
      "struct %s_kdl {\n  enum { joints = %d, segments = %d };\n"
      "  enum { /* bits of a status */\n    singular = %s_ANY_SINGULAR,\n"
      "    do_not_command = unsigned(%s_DO_NOT_COMMAND) | unsigned(%s_ANY_DO_NOT_COMMAND)\n  };\n"
      "  static const achd::kdl::Segment *table() {\n"
      "    static const achd::kdl::Segment all[] = {\n",
      ag_comment(c->arena, c->model.links[0].name), ag_comment(c->arena, tip_of(c)->name), n,
      count_joints(c), c->model.nlinks - 1, upper, upper, upper);
  for (int i = 1; i < c->model.nlinks; i++) add_segment(c, &out, &c->model.links[i]);
  ag_text_add(&out, "    };\n    return all;\n  }\n");
  ag_text_add(&out,
              "  /* The same as a chain of KDL, made without kdl_parser. */\n"
              "  static KDL::Chain chain() { return achd::kdl::chain(table(), segments); }\n");
  for (int k = 0; k < PIECES; k++) {
    const char *prefix = ag_printf(c->arena, "%s%s", n, pieces[k].suffix);
    for (int f = 0; f < pieces[k].nfunctions; f++)
      add_function(&out, prefix, ag_printf(c->arena, "%s_%s", prefix, pieces[k].functions[f]),
                   ag_printf(c->arena, "%s%s", pieces[k].functions[f], pieces[k].suffix));
  }
  add_accessor(c, &out,
               "template <class In>\n  static void put_wrenches(In &in, const KDL::Wrench *f)",
               "achd::kdl::put(in.f_%s, f[%d]);");
  ag_text_add(&out,
              "  template <class In> static void put_tip_wrench(In &in, const KDL::Wrench &f) {\n"
              "    achd::kdl::put(in.f_%s, f);\n  }\n",
              tip_of(c)->id);
  add_accessor(c, &out, "static void get_poses(const fk_out &out, KDL::Frame *x)",
               "achd::kdl::get(out.pose.%s, x[%d]);");
  add_accessor(c, &out, "static void get_twists(const fvk_out &out, KDL::Twist *x)",
               "achd::kdl::get(out.twist.%s, x[%d]);");
  add_accessor(c, &out, "static void get_accelerations(const fak_out &out, KDL::Twist *x)",
               "achd::kdl::get(out.acc.%s, x[%d]);");
  ag_text_add(&out,
              "  static const double *jacobian(const jac_out &out, int row) {\n"
              "    return row < 3 ? out.jac.%s.lin[row] : out.jac.%s.ang[row - 3];\n  }\n};\n",
              tip_of(c)->id, tip_of(c)->id);
  return out.chars;
}

/* ---- the file ---- */

/* Around the functions, which are C: the processor is tested for them alone, since Eigen's types of a program
 * and of KDL's library must be aligned alike. */
static const char before[] =
    "/* ACHD_KDL_TARGET: what the processor has beside the least one of its kind, as \"avx2,fma\". "
    "*/\n"
    "#ifdef ACHD_KDL_TARGET\n#define ACHD_KDL_PRAGMA(text) _Pragma(#text)\n"
    "#define ACHD_KDL_ASK(text) ACHD_KDL_PRAGMA(text)\n#ifdef __clang__\n"
    "ACHD_KDL_ASK(clang attribute push(__attribute__((target(ACHD_KDL_TARGET))), apply_to = "
    "function))\n"
    "#else\n#pragma GCC push_options\nACHD_KDL_ASK(GCC target(ACHD_KDL_TARGET))\n#endif\n#endif\n"
    "#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
    "#pragma GCC diagnostic ignored \"-Wold-style-cast\"\n#endif\n\n";
static const char after[] =
    "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n#ifdef ACHD_KDL_TARGET\n#ifdef "
    "__clang__\n"
    "#pragma clang attribute pop\n#else\n#pragma GCC pop_options\n#endif\n#undef ACHD_KDL_ASK\n"
    "#undef ACHD_KDL_PRAGMA\n#endif\n";

static bool write_file(const chain *c, const char *path, const char *text) {
  int count;
  const ag_input_file *inputs = ag_robot_inputs(&c->doc, 0, &count, c->arena);
  const char *rule;
  ag_output files[2] = {{path, text}};
  int nfiles = 1;
  const ag_rule made = {&path, 1, inputs, count};
  if (c->a->depfile && !ag_depfile_text(&made, &rule, c->arena, c->err)) return false;
  if (c->a->depfile) files[nfiles++] = (ag_output){c->a->depfile, rule};
  return ag_write_files(files, nfiles, inputs, count, c->err) && ag_flush_stdout(c->err);
}

bool ag_kdl(const ag_options *a, ag_arena *arena, ag_err *err) {
  chain c = {.a = a, .arena = arena, .err = err};
  ag_model whole;
  if (!ag_robot_model(a->urdf, a->snap, &c.doc, &whole, arena, err)) return false;
  if (!ag_spare_robot(a, &c.doc, err) || !cut(&c, &whole)) return false;
  c.name = a->name ? a->name : whole.id;
  const char *path = a->output ? a->output : ag_printf(arena, "%s_kdl.hpp", c.name);
  ag_text out = {.arena = arena};
  const char *guard = ag_upper(arena, ag_printf(arena, "%s_kdl_hpp", c.name));
  ag_text_add(&out, "#ifndef %s\n#define %s\n#include <achd/kdl.hpp>\n%s", guard, guard, before);
  for (int k = 0; k < PIECES; k++) {
    const char *text;
    if (!make_piece(&c, &pieces[k], ag_base_name(path), &text)) return false;
    ag_text_add(&out, "%s\n", text);
  }
  ag_text_add(&out, "%s\n%s\n#endif\n", after, traits(&c));
  return write_file(&c, path, out.chars);
}

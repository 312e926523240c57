/* SPDX-License-Identifier: MIT */
/* loop_table.c: see loop_table.h */
#include "tables/loop_table.h"

#include "base/embedded.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* A half turn. */
static const double half = 3.141592653589793;

/* Gains are this share of least inertia / (period + age), as docs/runtime.md has it ... */
static const double usual_share = 0.3;
/* ... and so that the fastest of the joints that are braked together fades with no more than this. */
static const double most_share = 0.6;

/* A number that may be missing. */
static double number_or(const ag_value *table, const char *key, double otherwise) {
  const ag_value *item = ag_value_item(table, key);
  return item ? item->number : otherwise;
}

void ag_loop_bounds(const ag_value *joint, double *lower, double *upper) {
  *lower = number_or(joint, "lower", -INFINITY);
  *upper = number_or(joint, "upper", INFINITY);
  if (ag_value_boolean(joint, "slides")) return;
  if (isinf(*lower) && isinf(*upper)) *lower = -half;
  if (isinf(*lower)) *lower = *upper - 2 * half;
  *upper = fmin(*upper, *lower + 2 * half);
}

/* What was searched for, to four digits. */
static const char *short_number(double x, ag_arena *arena) {
  return ag_printf(arena, "%.4g", fabs(x) < 1e-9 ? 0 : x);
}

static const char *limit(double x, ag_arena *arena) {
  if (isinf(x)) return x < 0 ? "-ACHD_INFINITY" : "ACHD_INFINITY";
  return ag_printf(arena, "(achd_real)%s", ag_decimal_text(arena, x));
}

typedef struct texts {
  ag_text ranges, joints, guards, stiffness, damping;
} texts;

/* Why a limit of a joint is what it is: "" where the file says so. */
static void add_reason(ag_text *text, const ag_value *joint, const char *key, const char *what) {
  const ag_value *of = ag_value_item(joint, key);
  if (of) ag_text_add(text, "; %s of %s, which follows", what, ag_comment(text->arena, of->text));
}

static void add_range(const ag_loop_robot *robot, ag_text *text, int j, const ag_value *joint) {
  const ag_loop_range *r = &robot->ranges[j];
  const bool slides = ag_value_boolean(joint, "slides");
  const char *unit = slides ? "kg" : "kg m^2", *force = slides ? "N" : "N m";
  ag_arena *arena = text->arena;
  ag_text_add(text, "%s   %s (%s:%d): inertia %s to %s %s, weight %s of %s %s", j ? "\n" : "",
              ag_comment(arena, ag_value_text(joint, "name")),
              ag_comment(arena, ag_base_name(robot->path)), ag_value_integer(joint, "line"),
              short_number(r->least, arena), short_number(r->most, arena), unit,
              short_number(r->weight, arena), short_number(ag_value_number(joint, "effort"), arena),
              force);
  if (ag_value_boolean(joint, "by_layout")) ag_text_add(text, "; effort by the layout");
  if (!ag_value_item(joint, "lower") && !ag_value_item(joint, "upper"))
    ag_text_add(text, "; turns without limits");
  add_reason(text, joint, "follows_lower", "lower limit");
  add_reason(text, joint, "follows_upper", "upper limit");
  add_reason(text, joint, "follows_velocity", "velocity");
}

static void add_joint(const ag_loop_robot *robot, texts *t, int j, const ag_value *joint) {
  const ag_loop_range *r = &robot->ranges[j];
  ag_arena *arena = t->joints.arena;
  const char *U = robot->header->upper, *end = j + 1 < robot->header->njoints ? "," : "";
  const char *name = ag_comment(arena, ag_value_text(joint, "name"));
  const double velocity = ag_value_number(joint, "velocity");
  const double lower = number_or(joint, "lower", -INFINITY),
               upper = number_or(joint, "upper", INFINITY);
  const bool slides = ag_value_boolean(joint, "slides"), limited = !isinf(lower) || !isinf(upper);
  const char *effort = ag_decimal_text(arena, ag_value_number(joint, "effort"));
  const char *fastest = ag_decimal_text(arena, velocity);
  const char *least = short_number(r->least, arena), *most = short_number(r->most, arena);
  add_range(robot, &t->ranges, j, joint);
  ag_text_add(&t->joints,
              "  /* %s */\n  {{%s, %s, %s},\n   %s,\n   {(achd_real)%s_LOOP_HOLD(%s, %s), "
              "(achd_real)%s_LOOP_GAIN(%s), %s,\n    -%s, %s}}%s\n",
              name, limit(lower, arena), limit(upper, arena), limit(velocity, arena),
              limit(ag_value_number(joint, "effort"), arena), U, least, most, U, least,
              limit(velocity < 0.5 ? velocity : 0.5, arena),
              limit(ag_value_number(joint, "effort"), arena),
              limit(ag_value_number(joint, "effort"), arena), end);
  ag_text_add(&t->guards, "  {(achd_real)%s_LOOP_BRAKE(%s, %s, %s), 0, %s, %s, 0, 0}%s /* %s */\n",
              U, effort, short_number(r->weight, arena), most, limit(4 * velocity, arena),
              !limited ? "0"
              : slides ? "(achd_real)0.02"
                       : "(achd_real)0.1",
              end, name);
  const char *damping = ag_printf(arena, "%s_LOOP_DAMPING(%s, %s, %s)", U, least, effort, fastest);
  ag_text_add(&t->damping, "  (achd_real)%s%s /* %s, %s */\n", damping, end, name,
              slides ? "N s/m" : "N m s/rad");
  ag_text_add(&t->stiffness, "  (achd_real)%s_LOOP_STIFFNESS(%s, %s)%s /* %s, %s */\n", U, damping,
              most, end, name, slides ? "N/m" : "N m/rad");
}

/* A load that comes at run time, as a struct with what the layout leaves to it, and how it gets into the inputs. */
static void add_load(ag_text *types, ag_text *carry, const ag_value *load) {
  const char *name = ag_value_text(load, "name");
  ag_text_add(types, "  struct {\n");
  if (ag_value_boolean(load, "mass")) {
    ag_text_add(types, "    achd_real mass; /* [kg] */\n");
    ag_text_add(carry, "    (in).%s.mass = loads_->%s.mass;                     \\\n", name, name);
  }
  if (ag_value_boolean(load, "com")) {
    ag_text_add(types, "    achd_real com[3]; /* from the frame's origin, along its axes [m] */\n");
    ag_text_add(carry, "    memcpy((in).%s.com, loads_->%s.com, sizeof(in).%s.com); \\\n", name,
                name, name);
  }
  if (ag_value_boolean(load, "inertia")) {
    ag_text_add(types, "    achd_real inertia[6]; /* about com: xx xy xz yy yz zz [kg m^2] */\n");
    static const char *const parts[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    for (int k = 0; k < 6; k++)
      ag_text_add(carry, "    (in).%s.inertia.%s = loads_->%s.inertia[%d]; \\\n", name, parts[k],
                  name, k);
  }
  ag_text_add(types, "  } %s; /* on %s */\n", name,
              ag_comment(types->arena, ag_value_text(load, "frame")));
}

/* The types of the loads, the macro that puts them into a function's inputs, and what the program sets. */
static const char *loads(const ag_loop_robot *robot, ag_arena *arena) {
  const ag_value *list = ag_value_list(robot->told, "loads");
  const char *name = robot->header->prefix, *U = robot->header->upper;
  ag_text types = {.arena = arena}, carry = {.arena = arena};
  if (list->length == 0) return "";
  for (int k = 0; k < list->length; k++) add_load(&types, &carry, &list->items[k]);
  return ag_printf(
      arena,
      "/* What the arm carries, at run time: the program changes it between two cycles, as when a "
      "tool or a\n * part is taken; 0: nothing. Give what hangs behind a sensor also to "
      "`wrench` of the setup. */\n"
      "typedef struct %s_loop_loads {\n%s} %s_loop_loads;\n"
      "static %s_loop_loads %s_loop_carried;\n"
      "#define %s_LOOP_CARRY(in, context)                        \\\n  do {    "
      "                                             \\\n"
      "    const %s_loop_loads *const loads_ = &%s_loop_carried; \\\n"
      "    (void)(context);                                      \\\n%s"
      "  } while (0)\n\n",
      name, types.chars, name, name, name, U, name, name, carry.chars);
}

/* The functions that the loop calls. */
static const char *robot_text(const ag_loop_robot *robot, ag_arena *arena) {
  const ag_value *told = robot->told;
  const char *name = robot->header->prefix, *U = robot->header->upper;
  const bool loaded = ag_value_list(told, "loads")->length > 0;
  const char *carry = loaded ? ag_printf(arena, "%s_LOOP_CARRY", U) : "ACHD_LOOP_NO_LOAD";
  const char *push = ag_value_text(told, "push");
  return ag_printf(arena,
                   "ACHD_LOOP_ROBOT_WITH(achd_loop_posture_each, %s, %s, %s, %s, %s, %s, %s);\n"
                   "ACHD_LOOP_ACCELERATIONS_WITH(%s, %s, %s, %s);\n",
                   carry, name, U, ag_value_text(told, "frame"), ag_value_text(told, "group"), push,
                   ag_value_text(told, "press"), carry, name, U, push);
}

static double share_of(const ag_loop_robot *robot) {
  return fmin(usual_share, most_share / robot->rate);
}

double ag_loop_fading(const ag_loop_robot *robot, int joint) {
  const ag_loop_range *r = &robot->ranges[joint];
  const double usual_delay = 0.002; /* of the template [s] */
  return usual_delay * r->most / (share_of(robot) * r->least);
}

/* The longest stop from the fastest speed: at full torque while the gain asks for more, then fading, for five time
 * constants to below a hundredth. */
static double slowest_stop(const ag_loop_robot *robot, const char **name) {
  const ag_value *joints = ag_value_list(robot->told, "joints");
  double longest = 0;
  *name = "";
  for (int j = 0; j < robot->header->njoints; j++) {
    const ag_loop_range *r = &robot->ranges[j];
    const ag_value *joint = &joints->items[j];
    const double v = ag_value_number(joint, "velocity"), effort = ag_value_number(joint, "effort");
    const double time = v * r->most / (effort - r->weight) + 5 * ag_loop_fading(robot, j);
    if (time > longest) longest = time, *name = ag_value_text(joint, "name");
  }
  return fmin(fmax(ceil(10 * longest) / 10, 0.3), 3);
}

const char *ag_loop_body(const ag_loop_robot *robot, ag_arena *arena) {
  const ag_value *joints = ag_value_list(robot->told, "joints");
  const double share = share_of(robot);
  const ag_text empty = {.arena = arena};
  texts t = {empty, empty, empty, empty, empty};
  for (int j = 0; j < joints->length; j++) add_joint(robot, &t, j, &joints->items[j]);
  if (ag_value_boolean(robot->told, "gravity_at_run_time"))
    ag_text_add(&t.ranges,
                "\n\n   The layout has gravity as an input: it is 0 0 -9.81 along the axes of the "
                "base, here\n   and in the loop. An arm that is mounted otherwise has its gravity "
                "in the layout.");
  const char *slowest;
  const double braking = slowest_stop(robot, &slowest);
  const char *reason =
      share < usual_share
          ? ag_printf(
                arena,
                " Not 0.3: joints\n * that are braked together fade up to %.3g times as fast as "
                "one by itself.",
                robot->rate)
          : "";
  const ag_substitution with[] = {
      {"NAME", robot->header->prefix},
      {"UPPER", robot->header->upper},
      {"SHARE", ag_printf(arena, "%.3g", share)},
      {"SHARE_REASON", reason},
      {"RANGES", t.ranges.chars},
      {"JOINTS", t.joints.chars},
      {"GUARDS", t.guards.chars},
      {"STIFFNESS", t.stiffness.chars},
      {"DAMPING", t.damping.chars},
      {"LOADS", loads(robot, arena)},
      {"CONTEXT", ag_printf(arena,
                            "static achd_loop_posture_each %s_loop_context = {\n  %s_loop_home, "
                            "%s_loop_stiffness, %s_loop_damping, false};",
                            robot->header->prefix, robot->header->prefix, robot->header->prefix,
                            robot->header->prefix)},
      {"ROBOT", robot_text(robot, arena)},
      {"BRAKING", ag_printf(arena, "%.3g", braking)},
      {"BRAKES", ag_printf(arena, "%.3g", braking + 0.2)},
      {"SLOWEST", ag_comment(arena, slowest)},
      {NULL, NULL}};
  ag_text body = empty;
  ag_text_substitute(&body, ag_file_text("loop.h.in"), with);
  return body.chars;
}

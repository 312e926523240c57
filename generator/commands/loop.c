/* SPDX-License-Identifier: MIT */
/* loop.c: see loop.h */
#include "commands/loop.h"

#include "base/files.h"
#include "base/note.h"
#include "base/text.h"
#include "base/version.h"
#include "commands/write.h"
#include "emit/banner.h"
#include "tables/depfile.h"
#include "tables/loop_table.h"

#include <achd/loop.h>
#include <math.h>
#include <string.h>

/* Joints that their motors cannot hold, let alone brake. */
static bool holds(const ag_loop_robot *robot, ag_err *err) {
  const ag_value *joints = ag_value_list(robot->told, "joints");
  for (int j = 0; j < joints->length; j++) {
    const ag_value *joint = &joints->items[j];
    const char *name = ag_value_text(joint, "name");
    const char *unit = ag_value_boolean(joint, "slides") ? "N" : "N m";
    const double weight = robot->ranges[j].weight, effort = ag_value_number(joint, "effort");
    if (!(weight < effort))
      return ag_fail(err, robot->path, ag_value_integer(joint, "line"),
                     "correct masses or effort, or narrow joint_limits in the layout to where the "
                     "motor holds it",
                     "joint \"%s\" bears up to %.4g %s of weight with an effort of %.4g %s: no "
                     "stop could brake it",
                     name, weight, unit, effort, unit);
    if (!(robot->ranges[j].least > 0))
      return ag_fail(
          err, robot->path, ag_value_integer(joint, "line"),
          "give the links beyond it inertias, or the joint a rotor: armature in the layout",
          "joint \"%s\" has no inertia in some posture", name);
  }
  return true;
}

/* Joints whose gain, which suits their smallest inertia, brakes their largest slowly: how many are reported. */
static int warn_of_slow_stops(const ag_loop_robot *robot, bool quiet) {
  static const double slow = 0.5; /* [s] */
  const ag_value *joints = ag_value_list(robot->told, "joints");
  int count = 0;
  for (int j = 0; j < joints->length && !quiet; j++) {
    const double fading = ag_loop_fading(robot, j);
    if (fading <= slow) continue;
    count++;
    fprintf(stderr,
            "%s:%d: warning: joint \"%s\" may stop slowly: its inertia is %.3g to %.3g, and a gain "
            "for the "
            "smallest takes %.2g s at the largest; give the rotors' inertias in the layout "
            "(armature), or "
            "narrow the range (joint_limits)\n",
            robot->path, ag_value_integer(&joints->items[j], "line"),
            ag_value_text(&joints->items[j], "name"), robot->ranges[j].least, robot->ranges[j].most,
            fading);
  }
  return count;
}

static const ag_graph *graph_of(const ag_header *header, const char *name) {
  for (int k = 0; k < header->nfunctions; k++)
    if (strcmp(header->functions[k]->name, name) == 0) return header->functions[k]->graph;
  return NULL;
}

/* Where inertias are looked for; false: over no range that has an end. */
static bool bound(const ag_loop_robot *robot, ag_loop_range *ranges, ag_err *err) {
  const ag_value *joints = ag_value_list(robot->told, "joints");
  for (int j = 0; j < joints->length; j++) {
    const ag_value *joint = &joints->items[j];
    ag_loop_bounds(joint, &ranges[j].lower, &ranges[j].upper);
    if (isinf(ranges[j].lower) || isinf(ranges[j].upper))
      return ag_fail(err, robot->path, ag_value_integer(joint, "line"),
                     "write its limits into the layout's joint_limits",
                     "joint \"%s\" slides without limits: inertias and weights have no bounds",
                     ag_value_text(joint, "name"));
  }
  return true;
}

bool ag_loop(const ag_options *a, const ag_urdf *doc, const ag_header *header, ag_script *script,
             ag_arena *arena, ag_err *err) {
  ag_value told;
  if (header->njoints > ACHD_LOOP_JOINTS)
    return ag_fail(err, doc->path, 0, "lock joints in the layout, or name the tips of one arm",
                   "the robot has %d joints, and the loop takes %d", header->njoints,
                   (int)ACHD_LOOP_JOINTS);
  if (!ag_script_loop(script, &told, err)) return false;
  ag_loop_range *ranges = ag_alloc(arena, (size_t)header->njoints * sizeof *ranges);
  ag_loop_robot robot = {header, doc->path, &told, ranges, 1};
  if (!bound(&robot, ranges, err)) return false;
  robot.rate = ag_loop_ranges(graph_of(header, "crba"), graph_of(header, "gravity"),
                              header->njoints, ranges, arena);
  if (!holds(&robot, err)) return false;
  const int slow = warn_of_slow_stops(&robot, a->quiet);
  if (slow > 0 && a->strict) return ag_note_refuse(doc->path, slow, err);
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  const char *own = ag_printf(arena, "%s_loop.h", header->prefix);
  const char *path = a->output && !to_stdout ? a->output : own, *body = ag_loop_body(&robot, arena);
  int ninputs;
  const ag_input_file *inputs = ag_all_inputs(doc, script, &ninputs, arena);
  const ag_banner banner = {ag_base_name(path), a->command, inputs, ninputs};
  ag_text text = {.arena = arena};
  if (!ag_banner_add(&text, &banner, body, err)) return false;
  ag_text_add(&text,
              " * licence this file is yours, without conditions\n * " AG_EMITTED_LICENCE " */\n%s",
              body);
  const char *rule;
  ag_output files[2] = {{to_stdout ? "-" : path, text.chars}};
  int count = 1;
  const ag_rule made = {&path, 1, inputs, ninputs};
  if (a->depfile && !ag_depfile_text(&made, &rule, arena, err)) return false;
  if (a->depfile) files[count++] = (ag_output){a->depfile, rule};
  return ag_write_files(files, count, inputs, ninputs, err);
}

/* SPDX-License-Identifier: MIT */
/* program_test.c: columns, struct access and units of every shape. */
#include "emit/access.h"
#include "emit/language_c.h"
#include "emit/types.h"
#include "graph/functions.h"
#include "graph/graph.h"
#include "graph/status.h"
#include "base/text.h"

#include "test.h"

static ag_arena arena;
static ag_header header;
static ag_function *function;
static ag_graph *graph;

static void fresh(void) {
  static ag_joint_info joints[] = {{"joint_1", "joint_1", false}, {"lift_2", "lift.2", true}};
  static ag_row_info rows[] = {{"tool", "lin_x", AG_ROW_LINEAR, 0, true},
                               {"tool", "ang_z", AG_ROW_ANGULAR, 0, true},
                               {"elbow", "1", AG_ROW_FREE, 0, false}};
  header = (ag_header){.arena = &arena,
                       .prefix = "gen3",
                       .upper = "GEN3",
                       .robot = "gen3",
                       .joints = joints,
                       .njoints = 2,
                       .rows = rows,
                       .nrows = 3};
  function = ag_function_new(&arena, "achd", "");
  graph = function->graph = ag_graph_new(&arena, function);
}

/* Everything that was declared, as `column access unit` lines. */
static const char *listed(const ag_list *list) {
  ag_text text = {.arena = &arena};
  ag_text_add(&text, "%s", "");
  for (int k = 0; k < list->nelements; k++)
    ag_text_add(&text, "%s %s [%s]\n", list->elements[k].column,
                ag_emit_access(&header, &list->elements[k]), list->elements[k].unit);
  return text.chars;
}

static const char *input(const char *name, ag_shape shape, int count, const char *linear,
                         const char *angular) {
  fresh();
  ag_quantity_add(&header, &function->in,
                  &(ag_declaration){name, shape, count, linear, angular, ""});
  return listed(&function->in);
}

static void scalars(void) {
  CHECK_TEXT(input("pivot_min", AG_SCALAR, 1, "1", "1"), "pivot_min pivot_min [1]\n");
  CHECK_TEXT(input("tau_unactuated.caster_joint", AG_SCALAR, 1, "N m", "1"),
             "tau_unactuated.caster_joint tau_unactuated.caster_joint [N m]\n");
}

static void joints(void) {
  CHECK_TEXT(input("q", AG_JOINTS, 1, "m", "rad"), "q.joint_1 q[GEN3_JOINT_1] [rad]\n"
                                                   "q.lift_2 q[GEN3_LIFT_2] [m]\n");
  CHECK(function->in.elements[0].joint == 0 && function->in.elements[1].joint == 1);
}

static void rows(void) {
  CHECK_TEXT(input("b", AG_ROWS, 1, "m/s^2", "rad/s^2"),
             "b.tool.lin_x b[GEN3_TOOL_LIN_X] [m/s^2]\n"
             "b.tool.ang_z b[GEN3_TOOL_ANG_Z] [rad/s^2]\n"
             "b.elbow.1 b[GEN3_ELBOW_1] [1]\n");
}

static void masks_of_maskable_rows_only(void) {
  CHECK_TEXT(input("mask", AG_MASKS, 1, "1", "1"), "mask.tool.lin_x mask[GEN3_TOOL_LIN_X] [1]\n"
                                                   "mask.tool.ang_z mask[GEN3_TOOL_ANG_Z] [1]\n");
}

static void vectors(void) {
  CHECK_TEXT(input("gravity", AG_VECTOR, 1, "m/s^2", ""), "gravity.x gravity[0] [m/s^2]\n"
                                                          "gravity.y gravity[1] [m/s^2]\n"
                                                          "gravity.z gravity[2] [m/s^2]\n");
}

static void spatial_vectors(void) {
  static const ag_shape shapes[] = {AG_WRENCH, AG_TWIST, AG_ACCELERATION};
  for (int k = 0; k < 3; k++)
    CHECK_TEXT(input("push", shapes[k], 1, "N", "N m"), "push.lin_x push.lin[0] [N]\n"
                                                        "push.lin_y push.lin[1] [N]\n"
                                                        "push.lin_z push.lin[2] [N]\n"
                                                        "push.ang_x push.ang[0] [N m]\n"
                                                        "push.ang_y push.ang[1] [N m]\n"
                                                        "push.ang_z push.ang[2] [N m]\n");
}

static void directions(void) {
  CHECK_TEXT(input("dir.elbow", AG_DIRECTIONS, 2, "1", "1"),
             "dir.elbow.1.lin_x dir.elbow[0].lin[0] [1]\n"
             "dir.elbow.1.lin_y dir.elbow[0].lin[1] [1]\n"
             "dir.elbow.1.lin_z dir.elbow[0].lin[2] [1]\n"
             "dir.elbow.1.ang_x dir.elbow[0].ang[0] [1]\n"
             "dir.elbow.1.ang_y dir.elbow[0].ang[1] [1]\n"
             "dir.elbow.1.ang_z dir.elbow[0].ang[2] [1]\n"
             "dir.elbow.2.lin_x dir.elbow[1].lin[0] [1]\n"
             "dir.elbow.2.lin_y dir.elbow[1].lin[1] [1]\n"
             "dir.elbow.2.lin_z dir.elbow[1].lin[2] [1]\n"
             "dir.elbow.2.ang_x dir.elbow[1].ang[0] [1]\n"
             "dir.elbow.2.ang_y dir.elbow[1].ang[1] [1]\n"
             "dir.elbow.2.ang_z dir.elbow[1].ang[2] [1]\n");
}

static void rotations(void) {
  CHECK_TEXT(input("axes.tool", AG_ROTATION, 1, "1", "1"), "axes.tool.xx axes.tool[0][0] [1]\n"
                                                           "axes.tool.xy axes.tool[0][1] [1]\n"
                                                           "axes.tool.xz axes.tool[0][2] [1]\n"
                                                           "axes.tool.yx axes.tool[1][0] [1]\n"
                                                           "axes.tool.yy axes.tool[1][1] [1]\n"
                                                           "axes.tool.yz axes.tool[1][2] [1]\n"
                                                           "axes.tool.zx axes.tool[2][0] [1]\n"
                                                           "axes.tool.zy axes.tool[2][1] [1]\n"
                                                           "axes.tool.zz axes.tool[2][2] [1]\n");
}

static void poses(void) {
  const char *text = input("pose.tool_frame", AG_POSE, 1, "m", "1");
  static const char first[] = "pose.tool_frame.p.x pose.tool_frame.p[0] [m]\n"
                              "pose.tool_frame.p.y pose.tool_frame.p[1] [m]\n"
                              "pose.tool_frame.p.z pose.tool_frame.p[2] [m]\n"
                              "pose.tool_frame.R.xx pose.tool_frame.R[0][0] [1]\n"
                              "pose.tool_frame.R.xy pose.tool_frame.R[0][1] [1]\n";
  CHECK(strncmp(text, first, strlen(first)) == 0);
  CHECK(function->in.nelements == 12);
  CHECK_TEXT(function->in.elements[11].column, "pose.tool_frame.R.zz");
  CHECK_TEXT(ag_emit_access(&header, &function->in.elements[11]), "pose.tool_frame.R[2][2]");
}

static void inertias(void) {
  CHECK_TEXT(input("inertia.hand", AG_INERTIA, 1, "", ""),
             "inertia.hand.m inertia.hand.m [kg]\n"
             "inertia.hand.mx inertia.hand.mx [kg m]\n"
             "inertia.hand.my inertia.hand.my [kg m]\n"
             "inertia.hand.mz inertia.hand.mz [kg m]\n"
             "inertia.hand.xx inertia.hand.xx [kg m^2]\n"
             "inertia.hand.xy inertia.hand.xy [kg m^2]\n"
             "inertia.hand.xz inertia.hand.xz [kg m^2]\n"
             "inertia.hand.yy inertia.hand.yy [kg m^2]\n"
             "inertia.hand.yz inertia.hand.yz [kg m^2]\n"
             "inertia.hand.zz inertia.hand.zz [kg m^2]\n");
}

static void jacobians(void) {
  const char *text = input("jac.tool", AG_JACOBIAN, 1, "1", "1");
  static const char first[] = "jac.tool.lin_x.joint_1 jac.tool.lin[0][GEN3_JOINT_1] [m]\n"
                              "jac.tool.lin_x.lift_2 jac.tool.lin[0][GEN3_LIFT_2] [1]\n";
  CHECK(strncmp(text, first, strlen(first)) == 0);
  CHECK(function->in.nelements == 12);
  CHECK_TEXT(function->in.elements[10].column, "jac.tool.ang_z.joint_1");
  CHECK_TEXT(function->in.elements[10].unit, "1");
  CHECK_TEXT(ag_emit_access(&header, &function->in.elements[10]), "jac.tool.ang[2][GEN3_JOINT_1]");
}

static void packed_triangles(void) {
  CHECK_TEXT(input("M", AG_PACKED, 1, "", ""), "M.joint_1.joint_1 M[0] [kg m^2]\n"
                                               "M.lift_2.joint_1 M[1] [kg m]\n"
                                               "M.lift_2.lift_2 M[2] [kg]\n");
}

static void inputs_are_numbered_nodes(void) {
  fresh();
  ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  const ag_quantity *g = ag_quantity_add(
      &header, &function->in, &(ag_declaration){"gravity", AG_VECTOR, 1, "m/s^2", "", "g"});
  CHECK(g->first == 2 && g->size == 3);
  CHECK_TEXT(g->doc, "g");
  bool numbered = true;
  for (int k = 0; k < function->in.nelements; k++) {
    const ag_node *n = &graph->dag.nodes[ag_input(&graph->dag, k)];
    numbered = numbered && n->op == AG_INPUT && n->a == k;
  }
  CHECK(numbered && function->in.nelements == 5);
}

static void outputs_wait_for_their_nodes(void) {
  fresh();
  ag_quantity_add(&header, &function->out,
                  &(ag_declaration){"qdd", AG_JOINTS, 1, "m/s^2", "rad/s^2", ""});
  CHECK(function->out.nelements == 2 && function->in.nelements == 0);
  ag_graph_output(&arena, graph, AG_GENERAL, 1, ag_constant(&graph->dag, 0));
  CHECK(graph->ways[AG_GENERAL].outputs[0] == -1 && graph->ways[AG_GENERAL].outputs[1] == 0);
}

static void many_elements_stay(void) {
  fresh();
  enum { COUNT = 300 };
  for (int k = 0; k < COUNT; k++)
    ag_quantity_add(&header, &function->in,
                    &(ag_declaration){ag_printf(&arena, "v%d", k), AG_VECTOR, 1, "m", "", ""});
  bool good = function->in.nelements == 3 * COUNT && function->in.nquantities == COUNT;
  for (int k = 0; k < COUNT; k++) {
    good = good && strcmp(function->in.quantities[k].name, ag_printf(&arena, "v%d", k)) == 0;
    good = good && function->in.quantities[k].first == 3 * k;
    good =
        good && strcmp(function->in.elements[3 * k + 2].column, ag_printf(&arena, "v%d.z", k)) == 0;
  }
  CHECK(good);
}

/* ---- the shape's hash ---- */

typedef enum change { NONE, NAME, SHAPE, UNIT, ORDER, SIDE, PREFIX, REAL, DOC } change;

static const char *shape_of(change what) {
  fresh();
  if (what == PREFIX) header.prefix = "gen4", header.upper = "GEN4";
  header.target.single = what == REAL;
  const char *doc = what == DOC ? "other words" : "words";
  for (int k = 0; k < 2; k++) {
    if ((k == 0) == (what != ORDER))
      ag_quantity_add(&header, &function->in,
                      &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", doc});
    else
      ag_quantity_add(&header, &function->in,
                      &(ag_declaration){what == NAME ? "pull" : "push",
                                        what == SHAPE ? AG_VECTOR : AG_WRENCH, 1,
                                        what == UNIT ? "kN" : "N", "N m", doc});
  }
  ag_quantity_add(&header, what != SIDE ? &function->out : &function->in,
                  &(ag_declaration){"r", AG_SCALAR, 1, "1", "1", doc});
  ag_text text = {.arena = &arena};
  ag_emit_structs(&text, &ag_in_c, &header, function, "");
  ag_emit_shape(&text, &header, function);
  const char *at = strstr(text.chars, "_ACHD_SHAPE ");
  CHECK(at != NULL);
  return at ? at + strlen("_ACHD_SHAPE ") : "";
}

static void the_hash_changes_with_a_field(void) {
  const char *same = shape_of(NONE);
  CHECK_TEXT(shape_of(NONE), same);
  CHECK_TEXT(shape_of(DOC), same); /* what a field means may be said better */
  for (change what = NAME; what <= REAL; what++) {
    const char *other = shape_of(what);
    CHECK(strcmp(other, same) != 0);
  }
  CHECK(strlen(same) == strlen("0x01234567u\n") && strncmp(same, "0x", 2) == 0);
}

/* Bit 1 << k has the k-th name, and every one of them a text; another's text is not it. */
static void status_bits_have_names_and_texts(void) {
  ag_header header = {.arena = &arena};
  int count = 0;
  for (; ag_status_names[count]; count++) {
    CHECK_TEXT(ag_status_name(1u << count), ag_status_names[count]);
    for (int other = 0; other < count; other++)
      CHECK(strcmp(ag_status_text(&header, 1u << count), ag_status_text(&header, 1u << other)) !=
            0);
  }
  CHECK(count == AG_STATUS_BITS);
  CHECK_TEXT(ag_status_name(AG_BIT_NOT_POSITIVE), "NOT_POSITIVE");
  CHECK_TEXT(ag_status_name(AG_BIT_BAD_INPUT), "BAD_INPUT");
}

/* Float takes smaller angles; bounded rows can be wrong in more ways. */
static void bad_input_says_what_this_header_refuses(void) {
  ag_function apply = {.name = "f", .after = "g"}, *functions[] = {&apply};
  ag_header plain = {.arena = &arena}, bounded = plain, single = plain;
  single.target.single = true;
  bounded.functions = functions;
  bounded.nfunctions = 1;
  CHECK(strstr(ag_status_text(&plain, AG_BIT_BAD_INPUT), "above 1e5"));
  CHECK(strstr(ag_status_text(&single, AG_BIT_BAD_INPUT), "above 1e4"));
  CHECK(!strstr(ag_status_text(&plain, AG_BIT_BAD_INPUT), "friction"));
  CHECK(strstr(ag_status_text(&bounded, AG_BIT_BAD_INPUT), "friction"));
}

static void what_is_made_by_default_can_be_asked_for(void) {
  for (int kind = 0; kind < 3; kind++) { /* plain, bounded, an optimum */
    const char *functions[2];
    const int count = ag_default_functions((ag_rows_kind)(AG_PLAIN_ROWS + kind), functions);
    int known = 0;
    for (int k = 0; ag_functions[k]; k++) known += strcmp(ag_functions[k], functions[0]) == 0;
    CHECK(known == 1);
    const char *partner = ag_function_partner(functions[0]);
    CHECK(count == (partner ? 2 : 1));
    if (partner) CHECK_TEXT(functions[1], partner);
    CHECK(ag_function_solves(functions[0]) == (kind == 0));
  }
}

int main(void) {
  RUN(scalars);
  RUN(joints);
  RUN(rows);
  RUN(masks_of_maskable_rows_only);
  RUN(vectors);
  RUN(spatial_vectors);
  RUN(directions);
  RUN(rotations);
  RUN(poses);
  RUN(inertias);
  RUN(jacobians);
  RUN(packed_triangles);
  RUN(inputs_are_numbered_nodes);
  RUN(outputs_wait_for_their_nodes);
  RUN(many_elements_stay);
  RUN(the_hash_changes_with_a_field);
  RUN(status_bits_have_names_and_texts);
  RUN(bad_input_says_what_this_header_refuses);
  RUN(what_is_made_by_default_can_be_asked_for);
  ag_arena_free(&arena);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* mjcf.c: see mjcf.h */
#include "mjcf/mjcf.h"

#include "base/version.h"
#include "mjcf/closures.h"
#include "mjcf/inertials.h"
#include "mjcf/joints.h"
#include "mjcf/transmissions.h"
#include "mjcf/objects.h"
#include "mjcf/shapes.h"
#include "mjcf/turn.h"
#include "mjcf/xml.h"

#include <math.h>
#include <string.h>

enum { MOST_DEEP = 96 }; /* bodies in one another that the XML reader of MuJoCo 2.2 takes */

typedef struct writer {
  const ag_world *world;
  const ag_tree *tree;
  ag_note **notes;
  int *nnotes;
  ag_arena *arena;
} writer;

/* A planar base starts at 0 0 0 of its joints, whose axes are the world's. */
static void pose_add(ag_text *xml, const writer *w, int link) {
  const ag_tree *tree = w->tree;
  ag_pose pose = tree->place[link];
  double quaternion[4];
  if (link == tree->root && tree->base == AG_PLANAR) {
    pose = ag_pose_identity;
    pose.p[2] = tree->place[link].p[2];
  }
  ag_quaternion(&pose, quaternion);
  ag_xml_add_numbers(xml, "pos", pose.p, 3);
  ag_xml_add_numbers(xml, "quat", quaternion, 4);
}

static void body_open(ag_text *xml, const writer *w, int link) {
  const ag_tree *tree = w->tree;
  ag_text_add(xml, "<body");
  ag_xml_add(xml, "name", tree->name[link]);
  pose_add(xml, w, link);
  ag_text_add(xml, ">\n");
  if (link == tree->root)
    ag_base_joints_add(xml, w->world, tree);
  else if (tree->moves[link])
    ag_joint_add(xml, w->world, tree, link, w->notes, w->nnotes);
  const int ball = w->world->model->links[link].joint.ball;
  const bool moves =
      link == tree->root ? tree->base != AG_FIXED : tree->moves[link] && (ball == 0 || ball == 3);
  ag_inertial_add(xml, &tree->inertia[link], moves);
  ag_text_add(xml, "<site");
  ag_xml_add(xml, "name", ag_tree_site(w->tree, link, w->arena));
  ag_text_add(xml, " size=\"0.005\" group=\"4\"/>\n");
  ag_shapes_add(xml, w->world, tree, link, w->notes, w->nnotes);
  ag_held_add(xml, w->world, link);
}

/* Links stand depth first: a body is open until a link comes that is not below it. */
static void bodies_add(ag_text *xml, const writer *w) {
  const ag_tree *tree = w->tree;
  int open = -1, depth = 0; /* the innermost open one; how many are open */
  for (int i = tree->root; i < tree->nlinks; i++) {
    if (!tree->kept[i]) continue;
    for (; i != tree->root && open != w->world->model->links[i].parent;
         open = w->world->model->links[open].parent, depth--)
      ag_text_add(xml, "</body>\n");
    if (++depth == MOST_DEEP + 1)
      ag_note_add(w->notes, w->nnotes, w->arena, w->world->model->links[i].line,
                  "link \"%s\" is link number %d of its chain: MuJoCo 2.2 reads %d at most, newer "
                  "versions read more",
                  w->world->model->links[i].name, depth, MOST_DEEP);
    body_open(xml, w, i);
    open = i;
  }
  for (; open != tree->root; open = w->world->model->links[open].parent)
    ag_text_add(xml, "</body>\n");
  ag_text_add(xml, "</body>\n");
}

static void sensor_add(ag_text *xml, const writer *w, const char *kind, const char *name,
                       int link) {
  ag_text_add(xml, "<%s", kind);
  ag_xml_add(xml, "name", name);
  ag_xml_add(xml, "site", ag_tree_site(w->tree, link, w->arena));
  ag_text_add(xml, "/>\n");
}

/* Force and torque where the scene says, or at the frames of the layout's rows; an IMU on the base.
 */
static void sensors_add(ag_text *xml, const writer *w) {
  const ag_tree *tree = w->tree;
  const ag_value *frames = ag_world_robot(w->world, "force_torque");
  const ag_value *imu = ag_world_robot(w->world, "imu");
  if (!frames) frames = ag_value_list(w->world->physics, "frames");
  ag_text_add(xml, "<sensor>\n");
  for (int k = 0; k < frames->length; k++) {
    const int link = (int)frames->items[k].number - 1;
    sensor_add(xml, w, "force", ag_printf(w->arena, "%s_force", tree->name[link]), link);
    sensor_add(xml, w, "torque", ag_printf(w->arena, "%s_torque", tree->name[link]), link);
  }
  const int on = imu ? (int)imu->number - 1 : tree->root;
  sensor_add(xml, w, "gyro", "base_gyro", on);
  sensor_add(xml, w, "accelerometer", "base_accelerometer", on);
  ag_text_add(xml, "</sensor>\n");
}

static void options_add(ag_text *xml, const ag_world *world) {
  double gravity[3] = {0, 0, -9.81};
  const ag_value *said = world->scene ? ag_value_item(world->scene, "gravity") : NULL;
  if (!said) said = ag_value_item(world->physics, "gravity");
  if (said) ag_numbers_of(said, gravity, 3);
  const ag_value *step = world->scene ? ag_value_item(world->scene, "timestep") : NULL;
  const ag_value *balance = ag_world_robot(world, "balance_inertia");
  ag_text_add(xml,
              "<compiler angle=\"radian\" coordinate=\"local\" inertiafromgeom=\"false\" "
              "boundmass=\"0\" boundinertia=\"0\" balanceinertia=\"%s\" fusestatic=\"false\"/>\n"
              "<option integrator=\"implicit\" cone=\"elliptic\" impratio=\"20\" "
              "iterations=\"100\" tolerance=\"1e-10\"",
              balance && balance->number != 0 ? "true" : "false");
  ag_xml_add_number(xml, "timestep", step ? step->number : 0.001);
  ag_xml_add_numbers(xml, "gravity", gravity, 3);
  ag_text_add(xml, "/>\n"
                   "<visual><global offwidth=\"1280\" offheight=\"960\"/></visual>\n");
}

bool ag_mjcf_text(const ag_world *world, const char **text, ag_note **notes, int *nnotes,
                  ag_arena *arena, ag_err *err) {
  const ag_fault *faults[] = {&world->reduced->inertia_fault, &world->reduced->pivot_fault};
  for (int k = 0; k < 2; k++)
    if (faults[k]->what)
      return ag_fail(err, world->model->path, faults[k]->line, faults[k]->remedy, "%s",
                     faults[k]->what);
  ag_tree tree;
  ag_tree_build(world, &tree, arena);
  if (!ag_scene_check(world, &tree, err)) return false;
  const ag_value *balance = ag_world_robot(world, "balance_inertia");
  if (!ag_inertials_share(world, &tree, balance && balance->number != 0, arena, err)) return false;
  writer w = {.world = world, .tree = &tree, .notes = notes, .arena = arena};
  w.nnotes = nnotes;
  ag_text xml = {.arena = arena};
  ag_text_add(&xml, "<mujoco");
  ag_xml_add(&xml, "model", world->model->name);
  ag_text_add(&xml, ">\n");
  options_add(&xml, world);
  ag_text_add(&xml, "<custom>\n<text name=\"achdgen\"");
  ag_xml_add(&xml, "data", ag_printf(arena, "%s; made by achdgen " AG_VERSION, world->command));
  ag_text_add(&xml, "/>\n");
  ag_servos_add(&xml, world, &tree);
  ag_text_add(&xml, "</custom>\n<worldbody>\n");
  bodies_add(&xml, &w);
  ag_objects_add(&xml, world);
  ag_text_add(&xml, "</worldbody>\n");
  ag_rods_add(&xml, world, &tree);
  ag_equalities_add(&xml, world, &tree, notes, nnotes);
  ag_tendons_add(&xml, world);
  ag_actuators_add(&xml, world, &tree);
  sensors_add(&xml, &w);
  ag_posture_add(&xml, world, &tree);
  ag_text_add(&xml, "</mujoco>\n");
  *text = xml.chars;
  return true;
}

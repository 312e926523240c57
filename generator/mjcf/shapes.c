/* SPDX-License-Identifier: MIT */
/* shapes.c: see shapes.h */
#include "mjcf/shapes.h"

#include "mjcf/turn.h"
#include "mjcf/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bits of contype and conaffinity. */
enum { ROBOT = 1, SCENE = 2 };

void ag_geom_add(ag_text *xml, const ag_geom *geom) {
  double quaternion[4];
  ag_quaternion(&geom->pose, quaternion);
  ag_text_add(xml, "<geom");
  if (geom->name) ag_xml_add(xml, "name", geom->name);
  ag_xml_add(xml, "type", geom->type);
  ag_xml_add_numbers(xml, "size", geom->size, geom->nsize);
  ag_xml_add_numbers(xml, "pos", geom->pose.p, 3);
  ag_xml_add_numbers(xml, "quat", quaternion, 4);
  const int type = geom->drawn ? 0 : geom->robot ? ROBOT : SCENE;
  const int affinity = geom->drawn ? 0 : geom->robot && !geom->self_contact ? SCENE : ROBOT | SCENE;
  ag_text_add(xml, " contype=\"%d\" conaffinity=\"%d\"", type, affinity);
  if (geom->surface) { /* of two surfaces that touch, the one of higher priority counts */
    const ag_value *friction = ag_value_list(geom->surface, "friction");
    const double reference[] = {ag_value_number(geom->surface, "time_constant"),
                                ag_value_number(geom->surface, "damping_ratio")};
    double numbers[3];
    ag_numbers_of(friction, numbers, 3);
    ag_text_add(xml, " priority=\"%d\" condim=\"%d\"", geom->robot ? 2 : 1,
                ag_value_integer(geom->surface, "dimensions"));
    ag_xml_add_numbers(xml, "friction", numbers, 3);
    ag_xml_add_numbers(xml, "solref", reference, 2);
    const ag_value *impedance = ag_value_item(geom->surface, "impedance");
    if (impedance)
      ag_xml_add_numbers(xml, "solimp",
                         (const double[]){impedance->number, impedance->number, 0.001, 0.5, 2}, 5);
  }
  ag_text_add(xml, " rgba=\"%s\"/>\n", geom->rgba);
}

/* `count` positive or any numbers of a text; false: it has not exactly so many. */
static bool numbers_in(const char *text, int count, bool positive, double *numbers) {
  for (int k = 0; k < count; k++) {
    char *end;
    numbers[k] = text ? strtod(text, &end) : (double)NAN;
    if (!text || end == text || !isfinite(numbers[k]) || (positive && numbers[k] <= 0))
      return false;
    text = end;
  }
  return text[strspn(text, " \t\r\n")] == '\0';
}

/* The shape of a URDF; false: it is not one that MuJoCo has as a primitive, or cannot be read. */
static bool geom_of_look(const ag_urdf_look *look, ag_geom *geom, bool *broken, ag_arena *arena) {
  const char *const *texts = look->texts;
  ag_urdf_pose origin = {.line = look->line};
  double xyz[3], rpy[3];
  const bool box = strcmp(look->shape, "box") == 0, sphere = strcmp(look->shape, "sphere") == 0;
  const bool cylinder = strcmp(look->shape, "cylinder") == 0;
  const bool capsule = strcmp(look->shape, "capsule") == 0;
  *broken = false;
  if (!box && !sphere && !cylinder && !capsule) return false;
  *broken = true;
  if (!numbers_in(texts[AG_LOOK_XYZ] ? texts[AG_LOOK_XYZ] : "0 0 0", 3, false, xyz) ||
      !numbers_in(texts[AG_LOOK_RPY] ? texts[AG_LOOK_RPY] : "0 0 0", 3, false, rpy))
    return false;
  for (int i = 0; i < 3; i++) origin.xyz[i].value = xyz[i], origin.rpy[i].value = rpy[i];
  geom->type = look->shape;
  geom->pose = ag_pose_of_origin(&origin, false, "", NULL, NULL, arena);
  geom->nsize = box ? 3 : sphere ? 1 : 2;
  if (box ? !numbers_in(texts[AG_LOOK_SIZE], 3, true, geom->size)
          : !numbers_in(texts[AG_LOOK_RADIUS], 1, true, geom->size))
    return false;
  if (!box && !sphere && !numbers_in(texts[AG_LOOK_LENGTH], 1, true, geom->size + 1)) return false;
  for (int i = box ? 0 : 1; i < geom->nsize; i++) geom->size[i] /= 2;
  *broken = false;
  return true;
}

/* From the link's origin to a point of its frame; false: that is no way. */
static bool capsule_to(const double point[3], ag_geom *geom) {
  const double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
  if (!(length > 1e-3)) return false;
  const double z[3] = {point[0] / length, point[1] / length, point[2] / length};
  const int least = fabs(z[0]) <= fabs(z[1]) && fabs(z[0]) <= fabs(z[2]) ? 0
                    : fabs(z[1]) <= fabs(z[2])                           ? 1
                                                                         : 2;
  double x[3], norm = sqrt(1 - z[least] * z[least]);
  for (int i = 0; i < 3; i++) x[i] = ((i == least) - z[least] * z[i]) / norm;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    geom->pose.p[i] = point[i] / 2;
    geom->pose.R[i][0] = x[i];
    geom->pose.R[i][1] = z[j] * x[k] - z[k] * x[j];
    geom->pose.R[i][2] = z[i];
  }
  geom->type = "capsule";
  geom->nsize = 2;
  geom->size[0] = fmin(0.05, fmax(0.004, length / 5));
  geom->size[1] = length / 2;
  return true;
}

typedef struct visitor {
  void (*take)(void *context, const ag_geom *geom);
  void *context;
} visitor;

/* Whether link i, or one that it carries, moves by a joint: it is no flange, on which a tool would stand. */
static bool carries_joints(const ag_tree *tree, const ag_model *model, int i) {
  for (int k = i; k < tree->nlinks; k++) {
    int up = k;
    while (up > i) up = model->links[up].parent;
    if (up == i && tree->kept[k] && tree->moves[k]) return true;
  }
  return false;
}

/* A capsule ends by its radius beyond where it leads to. */
static void warn_beyond(const ag_shapes_of *of, int link, int flange, const ag_geom *geom) {
  static const double much = 0.01; /* [m] */
  const ag_tree *tree = of->tree;
  const ag_model *model = of->world->model;
  if (!of->touching || geom->drawn || geom->size[0] <= much || carries_joints(tree, model, flange))
    return;
  const char *name = model->links[link].name, *end = model->links[flange].name;
  ag_note_add(
      of->notes, of->nnotes, of->arena, model->links[link].line,
      "link \"%s\" has no shape, and the capsule in its place ends %.0f mm beyond \"%s\": what a "
      "tool "
      "there touches, it touches first; write shapes = { %s = {} } into the scene, or a shape",
      name, 1e3 * geom->size[0], end, name);
}

static void capsules_add(const visitor *to, const ag_shapes_of *of, int link, ag_geom geom) {
  const ag_tree *tree = of->tree;
  const ag_model *model = of->world->model;
  int count = 0;
  for (int i = link + 1; i < tree->nlinks; i++)
    if (tree->kept[i] && model->links[i].parent == link && capsule_to(tree->place[i].p, &geom)) {
      to->take(to->context, &geom);
      warn_beyond(of, link, i, &geom);
      count++;
    }
  const double m = tree->inertia[link].m, *h = tree->inertia[link].h;
  if (count > 0 || !(m > 0)) return;
  if (!capsule_to((const double[3]){h[0] / m, h[1] / m, h[2] / m}, &geom)) {
    geom.type = "sphere"; /* as large as a solid one of this inertia: I = 2/5 m r^2 */
    geom.nsize = 1;
    geom.pose = ag_pose_identity;
    const double *I = tree->inertia[link].I, trace = I[0] + I[3] + I[5];
    geom.size[0] = fmin(0.1, fmax(0.01, sqrt(fmax(0, 2.5 * trace / (3 * m)))));
  }
  to->take(to->context, &geom);
}

static const ag_urdf_link *link_of(const ag_urdf *doc, const char *name) {
  for (int i = 0; i < doc->nlinks; i++)
    if (strcmp(doc->links[i].name, name) == 0) return &doc->links[i];
  return NULL;
}

void ag_shapes_visit(const ag_shapes_of *of, int link,
                     void (*take)(void *context, const ag_geom *geom), void *context) {
  const ag_world *world = of->world;
  const visitor to = {take, context};
  const ag_value *self = ag_world_robot(world, "self_contact");
  ag_geom geom = {
      .robot = true, .self_contact = self && self->number != 0, .rgba = "0.75 0.76 0.8 1"};
  const ag_value *drawn = ag_world_robot(world, "no_contact");
  for (int k = 0; drawn && k < drawn->length; k++)
    geom.drawn = geom.drawn || (int)drawn->items[k].number == link + 1;
  const ag_value *given = ag_item_of_link(ag_world_robot(world, "shapes"), link, "shapes");
  for (int k = 0; given && k < given->length; k++) {
    const ag_value *shape = &given->items[k], *size = ag_value_list(shape, "size");
    geom.type = ag_value_text(shape, "shape");
    geom.nsize = size->length;
    ag_numbers_of(size, geom.size, size->length);
    geom.pose = ag_pose_of_value(shape);
    geom.surface = ag_value_item(shape, "surface");
    take(context, &geom);
  }
  if (given) return;
  const ag_urdf_link *raw = link_of(world->doc, world->model->links[link].name);
  int count = 0;
  for (int collision = 1; raw && collision >= 0 && count == 0; collision--)
    for (int k = 0; k < raw->nlooks; k++) {
      const ag_urdf_look *look = &raw->looks[k];
      bool broken = false;
      if (look->collision != collision) continue;
      if (geom_of_look(look, &geom, &broken, of->arena)) {
        take(context, &geom);
        count++;
      } else if (broken) {
        ag_note_add(of->notes, of->nnotes, of->arena, look->line,
                    "link \"%s\": the numbers of a <%s> cannot be read: it is left out", raw->name,
                    look->shape);
      }
    }
  if (count == 0) capsules_add(&to, of, link, geom);
}

static void add_to(void *xml, const ag_geom *geom) {
  ag_geom_add(xml, geom);
}

void ag_shapes_add(ag_text *xml, const ag_world *world, const ag_tree *tree, int link,
                   ag_note **notes, int *nnotes) {
  ag_shapes_of of = {.world = world, .tree = tree, .arena = xml->arena, .touching = true};
  of.notes = notes;
  of.nnotes = nnotes;
  ag_shapes_visit(&of, link, add_to, xml);
}

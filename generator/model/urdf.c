/* SPDX-License-Identifier: MIT */
/* urdf.c: see urdf.h. */
#include "model/urdf.h"

#include "base/names.h"
#include "model/markup.h"
#include "model/urdf_bytes.h"
#include "model/urdf_gaps.h"
#include "model/urdf_gears.h"
#include "model/urdf_words.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 255 };

typedef struct reader {
  ag_urdf *doc;
  ag_arena *arena;
  ag_err *err;
} reader;

static const char *const NUMBER_REMEDY = "write a plain decimal number such as 0.5, -2 or 1e-3";

#define LOSE(r, line, ...)                                                                         \
  ag_note_add(&(r)->doc->losses, &(r)->doc->nlosses, (r)->arena, line, __VA_ARGS__)
#define WARN(r, line, ...)                                                                         \
  ag_note_add(&(r)->doc->warnings, &(r)->doc->nwarnings, (r)->arena, line, __VA_ARGS__)

/* --- what is no URDF -------------------------------------------------------------------------- */

static const char *const XACRO = "this is a xacro file, not yet a URDF";

static bool fail_xacro(const reader *r, int line, const char *sign) {
  const char *remedy =
      ag_printf(r->arena, "expand it first: xacro %s > robot.urdf",
                strcmp(r->doc->path, "standard input") == 0 ? "robot.urdf.xacro" : r->doc->path);
  return ag_fail(r->err, r->doc->path, line, remedy, "%s: %s", XACRO, sign);
}

/* Whether an element is xacro's. A mere xmlns:xacro is no sign: old versions of xacro leave it in
 * what they make. */
static bool is_xacro(const ag_element *node, const char *name) {
  const char *uri = node->uri;
  return strncmp(name, "xacro:", 6) == 0 || (node->prefix && uri && strstr(uri, "/xacro"));
}

/* An attribute below node that xacro would have replaced, and its line; NULL: none. */
static const ag_attribute *find_expression(const ag_element *node, int *line) {
  for (; node; node = node->next) {
    for (const ag_attribute *a = node->attributes; a; a = a->next)
      if (ag_xacro_is_expression(a->value)) {
        *line = node->line;
        return a;
      }
    const ag_attribute *below =
        find_expression(node->children, line); /* at most MOST_DEEP calls deep */
    if (below) return below;
  }
  return NULL;
}

/* Fails at the first element anywhere below node by which xacro makes text. Calls of macros that
 * nobody defined, which xacro left standing, expand to nothing: the first one, and their count. */
static bool check_xacro(const reader *r, const ag_element *node, const ag_element **call,
                        int *ncalls) {
  for (; node; node = node->next) {
    const char *name = node->name;
    if (is_xacro(node, name)) {
      if (ag_xacro_makes_text(node->name))
        return fail_xacro(r, node->line, ag_printf(r->arena, "<%s>", name));
      if ((*ncalls)++ == 0) *call = node;
      continue;
    }
    if (!check_xacro(r, node->children, call, ncalls)) return false;
  }
  return true;
}

/* A xacro file is none; of what xacro made of one, calls of macros may be left. */
static bool is_expanded(const reader *r, const ag_element *root) {
  const ag_element *call = NULL;
  int ncalls = 0;
  if (!check_xacro(r, root->children, &call, &ncalls)) return false;
  if (!call) return true;
  int line = 0;
  const ag_attribute *expression = find_expression(root, &line);
  if (expression)
    return fail_xacro(r, line,
                      ag_printf(r->arena, "%s=\"%.80s\"", expression->name, expression->value));
  WARN(r, call->line, "<%s> is left over from xacro and ignored%s", call->name,
       ncalls > 1 ? ag_printf(r->arena, "; the same of %d more", ncalls - 1) : "");
  return true;
}

/* What is known of an element in another; NULL: URDF has none. */
static const ag_urdf_element *element_find(const ag_element *parent, const ag_element *node) {
  const ag_urdf_element *known = ag_urdf_element_find(parent->name, node->name);
  return known && ag_element_is(node, known->name) ? known : NULL;
}

/* What nobody expects to be lost is warned of as well. */
static void lose(const reader *r, int line, const char *what) {
  WARN(r, line, "%s", what);
  LOSE(r, line, "%s", what);
}

static void warn_attributes(const reader *r, const ag_element *node, const char *known) {
  for (const ag_attribute *attribute = node->attributes; attribute; attribute = attribute->next) {
    if (attribute->foreign) continue; /* of somebody else's namespace */
    const char *name = attribute->name;
    if (!strstr(known, ag_printf(r->arena, " %s ", name)))
      lose(r, node->line,
           ag_printf(r->arena, "unknown attribute \"%s\" of <%s> is ignored", name, node->name));
    else if (strcmp(name, "acceleration") == 0 || strcmp(name, "deceleration") == 0 ||
             strcmp(name, "jerk") == 0)
      LOSE(r, node->line, "%s of <%s> is in no model: a layout's joint_limits may have it", name,
           node->name);
  }
}

/* Fails on a second element where one is allowed and the second could matter; warns of elements and
 * attributes that URDF does not know. whose: `link "base"`, or the like. */
static bool check_children(const reader *r, const ag_element *node, const char *whose) {
  for (const ag_element *child = node->children; child; child = child->next) {
    const char *name = child->name;
    const char *loss = ag_element_is(child, name) ? ag_urdf_ignored(name) : NULL;
    if (loss) LOSE(r, child->line, "<%s> in %s: %s", name, whose, loss);
    if (loss) continue;
    if (is_xacro(child, child->name)) continue; /* reported by is_expanded */
    const ag_urdf_element *known = element_find(node, child);
    if (!known) {
      lose(r, child->line,
           ag_printf(r->arena, "unknown element <%s> in %s is ignored", child->name, whose));
      continue;
    }
    const ag_element *first = ag_element_child(node, known->name);
    if (known->often == AG_FIRST && first != child) {
      lose(r, child->line,
           ag_printf(r->arena, "%s has a second <%s>, which is ignored: the one at line %d counts",
                     whose, known->name, first->line));
      continue;
    }
    if (known->often == AG_ONCE && first != child)
      return ag_fail(r->err, r->doc->path, child->line, "keep the one that is right",
                     "%s has a second <%s>; the first is at line %d", whose, known->name,
                     first->line);
    if (known->attributes) warn_attributes(r, child, known->attributes);
    if (!known->attributes)
      LOSE(r, child->line, "<%s> in %s is for a robot's driver, which is not in the model", name,
           whose);
  }
  return true;
}

/* --- attributes and numbers ------------------------------------------------------------------- */

/* An attribute's text as the file has it; NULL: there is none. Fails on xacro's expressions. */
static bool attribute_get(const reader *r, const ag_element *node, const char *name,
                          const char **text) {
  *text = ag_element_text(node, name);
  if (!*text || !ag_xacro_is_expression(*text)) return true;
  return fail_xacro(r, node->line, ag_printf(r->arena, "%s=\"%.80s\"", name, *text));
}

/* An attribute that must be there, and not be empty. */
static bool attribute_need(const reader *r, const ag_element *node, const char *name,
                           const char *whose, const char **text) {
  if (!attribute_get(r, node, name, text)) return false;
  if (*text && **text) return true;
  const char *remedy = ag_printf(r->arena, "write <%s %s=\"...\">", node->name, name);
  return ag_fail(r->err, r->doc->path, node->line, remedy, "%s has %s %s", whose,
                 *text ? "an empty" : "no", name);
}

/* The name of a link, a joint or the robot. */
static bool name_need(const reader *r, const ag_element *node, const char *whose,
                      const char **name) {
  if (!attribute_need(r, node, "name", whose, name) || !*name) return false;
  if (strlen(*name) <= LONGEST_NAME) return true;
  return ag_fail(r->err, r->doc->path, node->line, "give it a shorter one",
                 "%s has a name of %zu bytes; at most %d are read", whose, strlen(*name),
                 LONGEST_NAME);
}

/* An attribute of an element that belongs to a joint or link. */
typedef struct attribute {
  const ag_element *node;
  const char *name, *whose, *text; /* text NULL: it is missing */
} attribute;

/* Exactly count numbers, parted by blanks; where the attribute is missing, out stays as it is. */
static bool numbers_read(const reader *r, const attribute *a, int count, ag_decimal *out) {
  const char *path = r->doc->path, *element = a->node->name;
  const int line = a->node->line;
  if (!a->text) return true;
  int n;
  const ag_no_number no = ag_decimals_read(a->text, count, out, &n);
  const int shown = no.length < 60 ? no.length : 60;
  if (no.huge)
    return ag_fail(r->err, path, line, "the largest double is 1.8e308; check the exponent",
                   "%s: %s of <%s>: %.*s is too large", a->whose, a->name, element, shown, no.text);
  if (no.length > 0)
    return ag_fail(r->err, path, line, NUMBER_REMEDY, "%s: %s of <%s>: \"%.*s\" is not a number",
                   a->whose, a->name, element, shown, no.text);
  if (n == count) return true;
  const char *remedy = count == 1 ? NUMBER_REMEDY : "write three, with blanks between: \"0 0 1\"";
  return ag_fail(r->err, path, line, remedy, "%s: %s of <%s> needs %d number%s, not %d", a->whose,
                 a->name, element, count, count == 1 ? "" : "s", n);
}

/* One number; out stays as it is where the attribute is missing and may be. */
static bool number_get(const reader *r, const ag_element *node, const char *name, const char *whose,
                       bool needed, double *out) {
  const char *text, *what = ag_printf(r->arena, "<%s> of %s", node->name, whose);
  if (needed ? !attribute_need(r, node, name, what, &text) : !attribute_get(r, node, name, &text))
    return false;
  ag_decimal number = {*out, 0};
  if (!numbers_read(r, &(attribute){node, name, whose, text}, 1, &number)) return false;
  *out = number.value;
  return true;
}

/* --- elements --------------------------------------------------------------------------------- */

/* The <origin> of a joint or inertial; where it is missing, identity. */
static bool read_pose(const reader *r, const ag_element *parent, const char *whose,
                      ag_urdf_pose *pose) {
  const ag_element *node = ag_element_child(parent, "origin");
  if (!node) return true;
  pose->line = node->line;
  const char *xyz, *rpy, *quaternion;
  if (!attribute_get(r, node, "xyz", &xyz) || !attribute_get(r, node, "rpy", &rpy) ||
      !attribute_get(r, node, "quat_xyzw", &quaternion))
    return false;
  if (quaternion)
    return ag_fail(r->err, r->doc->path, pose->line, "write the rotation as rpy=\"ROLL PITCH YAW\"",
                   "%s: quat_xyzw of <origin> is not supported", whose);
  return numbers_read(r, &(attribute){node, "xyz", whose, xyz}, 3, pose->xyz) &&
         numbers_read(r, &(attribute){node, "rpy", whose, rpy}, 3, pose->rpy);
}

static bool read_inertial(const reader *r, const ag_element *node, const char *whose,
                          ag_urdf_link *link) {
  static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  link->inertial_line = node->line;
  if (!check_children(r, node, ag_printf(r->arena, "<inertial> of %s", whose)) ||
      !read_pose(r, node, whose, &link->com))
    return false;
  const ag_element *mass = ag_element_child(node, "mass"),
                   *inertia = ag_element_child(node, "inertia");
  link->mass_line = mass ? mass->line : 0;
  link->inertia_line = inertia ? inertia->line : 0;
  if (mass && !number_get(r, mass, "value", whose, true, &link->mass)) return false;
  link->inertia[1] = link->inertia[2] = link->inertia[4] = (double)NAN; /* where it is missing */
  for (int i = 0; inertia && i < 6; ++i)
    if (!number_get(r, inertia, NAMES[i], whose, !isnan(link->inertia[i]), &link->inertia[i]))
      return false;
  return true;
}

/* The shapes of <visual> and <collision>: texts only, which mjcf/shapes.c reads. */
static void read_looks(const reader *r, const ag_element *node, ag_urdf_link *link) {
  for (const ag_element *child = node->children; child; child = child->next) {
    const bool collision = ag_element_is(child, "collision");
    const ag_element *geometry =
        collision || ag_element_is(child, "visual") ? ag_element_child(child, "geometry") : NULL;
    const ag_element *shape = geometry ? geometry->children : NULL,
                     *at = ag_element_child(child, "origin");
    if (!shape) continue;
    ag_urdf_look look = {.line = shape->line, .collision = collision};
    look.shape = ag_strdup(r->arena, shape->name);
    for (int k = 0; k < AG_LOOK_TEXTS; k++)
      look.texts[k] = ag_element_text(k < AG_LOOK_SIZE ? at : shape, ag_look_words[k]);
    const size_t n = (size_t)link->nlooks * sizeof look;
    link->looks = ag_grow(r->arena, link->looks, n, n + sizeof look);
    link->looks[link->nlooks++] = look;
  }
}

/* Kinematics needs no inertia: what is wrong within <inertial> is kept for those that do. */
static bool read_link(const reader *r, const ag_element *node, ag_urdf_link *link) {
  link->line = node->line;
  if (!name_need(r, node, "a <link>", &link->name)) return false;
  const char *whose = ag_printf(r->arena, "link \"%s\"", link->name);
  const ag_element *inertial = ag_element_child(node, "inertial");
  if (!check_children(r, node, whose)) return false;
  read_looks(r, node, link);
  if (!inertial) return true;
  ag_err err = {.set = false};
  reader own = *r;
  own.err = &err;
  if (read_inertial(&own, inertial, whose, link)) return true;
  if (strncmp(err.what, XACRO, strlen(XACRO)) == 0)
    return ag_fail(r->err, r->doc->path, err.line, err.remedy, "%s", err.what);
  link->fault_line = err.line;
  link->fault = ag_strdup(r->arena, err.what);
  link->remedy = ag_strdup(r->arena, err.remedy);
  link->com = (ag_urdf_pose){.line = link->com.line};
  link->mass = 0;
  memset(link->inertia, 0, sizeof link->inertia);
  return true;
}

static bool read_type(const reader *r, const ag_element *node, const char *whose,
                      ag_joint_type *type) {
  enum { COUNT = AG_FLOATING + 1 };
  const char *text;
  if (!attribute_need(r, node, "type", whose, &text)) return false;
  for (int i = 0; i < COUNT; ++i)
    if (strcmp(text, ag_joint_type_names[i]) == 0) {
      *type = (ag_joint_type)i;
      return true;
    }
  const bool ball = strcmp(text, "spherical") == 0 || strcmp(text, "ball") == 0;
  if (ball || strcmp(text, "universal") == 0) {
    *type = ball ? AG_BALL : AG_UNIVERSAL;
    return true;
  }
  const char *remedy = ag_did_you_mean(ag_near_names(ag_joint_type_names, COUNT, text, r->arena),
                                       "there are fixed, revolute, continuous, prismatic, planar "
                                       "and floating, and beyond the standard "
                                       "spherical and universal",
                                       r->arena);
  return ag_fail(r->err, r->doc->path, node->line, remedy, "%s has the unknown type \"%s\"", whose,
                 text);
}

/* The link that <parent> or <child> names. */
static bool read_end(const reader *r, const ag_element *joint, const char *which, const char *whose,
                     const char **link, int *line) {
  const ag_element *node = ag_element_child(joint, which);
  if (!node)
    return ag_fail(r->err, r->doc->path, joint->line,
                   ag_printf(r->arena, "add <%s link=\"...\"/>", which), "%s has no <%s>", whose,
                   which);
  *line = node->line;
  return attribute_need(r, node, "link", ag_printf(r->arena, "<%s> of %s", which, whose), link);
}

static bool read_axis(const reader *r, const ag_element *joint, const char *whose,
                      ag_urdf_joint *out) {
  ag_decimal axis[3] = {{1, 0}, {0, 0}, {0, 0}};
  const ag_element *node = ag_element_child(joint, "axis");
  if (node) {
    const char *text;
    out->axis_line = node->line;
    if (!attribute_get(r, node, "xyz", &text)) return false;
    if (out->type == AG_FIXED && !(text && *text)) /* turns about nothing: it cannot matter */
      WARN(r, out->axis_line, "%s is fixed, and its <axis> has no xyz: ignored", whose);
    else if (!attribute_need(r, node, "xyz", ag_printf(r->arena, "<axis> of %s", whose), &text) ||
             !numbers_read(r, &(attribute){node, "xyz", whose, text}, 3, axis))
      return false;
  }
  for (int i = 0; i < 3; ++i) out->axis[i] = axis[i].value;
  return true;
}

/* A number of <limit>. Texts that mean no limit are read as infinite. */
static bool limit_get(const reader *r, const ag_element *node, const char *name, const char *whose,
                      double *out) {
  const char *text;
  if (!attribute_get(r, node, name, &text)) return false;
  if (!text || !ag_urdf_no_limit(text)) return number_get(r, node, name, whose, false, out);
  WARN(r, node->line, "%s: its %s limit is \"%s\": taken as none", whose, name, text);
  *out = (double)INFINITY;
  return true;
}

/* <limit>, <dynamics> and <mimic>. */
static bool read_extras(const reader *r, const ag_element *joint, const char *whose,
                        ag_urdf_joint *out) {
  out->lower = out->upper = out->effort = out->velocity = (double)NAN;
  out->multiplier = 1;
  const ag_element *limit = ag_element_child(joint, "limit"),
                   *dynamics = ag_element_child(joint, "dynamics"),
                   *mimic = ag_element_child(joint, "mimic");
  if (limit) {
    out->limit_line = limit->line;
    if (!limit_get(r, limit, "lower", whose, &out->lower) ||
        !limit_get(r, limit, "upper", whose, &out->upper) ||
        !limit_get(r, limit, "effort", whose, &out->effort) ||
        !limit_get(r, limit, "velocity", whose, &out->velocity))
      return false;
  }
  if (dynamics) {
    out->dynamics_line = dynamics->line;
    if (!number_get(r, dynamics, "damping", whose, false, &out->damping) ||
        !number_get(r, dynamics, "friction", whose, false, &out->friction))
      return false;
  }
  if (mimic) {
    out->mimic_line = mimic->line;
    const char *what = ag_printf(r->arena, "<mimic> of %s", whose);
    if (!attribute_need(r, mimic, "joint", what, &out->mimic) ||
        !number_get(r, mimic, "multiplier", whose, false, &out->multiplier) ||
        !number_get(r, mimic, "offset", whose, false, &out->offset))
      return false;
  }
  return true;
}

/* What a joint of several freedoms cannot have; the second axis of a universal one: y, where the first is x. */
static bool finish_compound(const reader *r, const char *whose, ag_urdf_joint *joint) {
  const bool ball = joint->type == AG_BALL;
  if (!ball && joint->type != AG_UNIVERSAL) return true;
  if (joint->mimic_line)
    return ag_fail(r->err, r->doc->path, joint->mimic_line, "delete <mimic>",
                   "%s is %s: it cannot mimic another", whose, ball ? "a ball joint" : "universal");
  if (joint->axis_line)
    WARN(r, joint->axis_line, "%s is %s: its <axis> is ignored", whose,
         ball ? "a ball joint, which turns about all axes" : "universal, about x, then y");
  if (ball && (!isnan(joint->lower) || !isnan(joint->upper)))
    WARN(r, joint->limit_line, "%s is a ball joint: its position limits are ignored", whose);
  if (ball) return true;
  ag_urdf_joint *second = ag_alloc(r->arena, sizeof *second);
  joint->axis[0] = 1, joint->axis[1] = joint->axis[2] = 0;
  *second = *joint;
  second->axis[0] = 0, second->axis[1] = 1;
  joint->second = second;
  return true;
}

static bool read_joint(const reader *r, const ag_element *node, ag_urdf_joint *joint) {
  joint->line = node->line;
  if (!name_need(r, node, "a <joint>", &joint->name)) return false;
  const char *whose = ag_printf(r->arena, "joint \"%s\"", joint->name);
  return check_children(r, node, whose) && read_type(r, node, whose, &joint->type) &&
         read_end(r, node, "parent", whose, &joint->parent, &joint->parent_line) &&
         read_end(r, node, "child", whose, &joint->child, &joint->child_line) &&
         read_pose(r, node, whose, &joint->origin) && read_axis(r, node, whose, joint) &&
         read_extras(r, node, whose, joint) && finish_compound(r, whose, joint);
}

/* A robot without a name is called as its file is. */
static bool read_robot_name(const reader *r, const ag_element *root) {
  ag_urdf *doc = r->doc;
  const char *given;
  if (!attribute_get(r, root, "name", &given)) return false;
  if (given && *given) return name_need(r, root, "the <robot>", &doc->robot);
  const char *usable = ag_urdf_name_of_file(doc->path, LONGEST_NAME, r->arena);
  doc->robot = usable ? usable : "robot";
  WARN(r, doc->robot_line, "the <robot> has no name: called \"%s\"%s", doc->robot,
       usable ? " after its file" : "");
  return true;
}

static bool read_robot(const reader *r, const ag_element *root) {
  ag_urdf *doc = r->doc;
  const char *name = root->name;
  if (!is_expanded(r, root)) return false;
  if (!ag_element_is(root, "robot"))
    return ag_fail(r->err, doc->path, root->line, ag_other_format(name),
                   "not a URDF: the root element is <%s>, not <robot>", name);
  doc->robot_line = root->line;
  if (!read_robot_name(r, root) || !check_children(r, root, "<robot>")) return false;
  warn_attributes(r, root, " name version ");

  int nlinks = 0, njoints = 0;
  for (const ag_element *node = root->children; node; node = node->next) {
    nlinks += ag_element_is(node, "link");
    njoints += ag_element_is(node, "joint");
  }
  doc->links = ag_alloc(r->arena, ((size_t)nlinks + 2) * sizeof *doc->links);
  doc->joints = ag_alloc(r->arena, ((size_t)njoints + 1) * sizeof *doc->joints);
  for (const ag_element *node = root->children; node; node = node->next) {
    if (ag_element_is(node, "link") && !read_link(r, node, &doc->links[doc->nlinks++]))
      return false;
    if (ag_element_is(node, "joint") && !read_joint(r, node, &doc->joints[doc->njoints++]))
      return false;
  }
  ag_urdf_read_gears(doc, root, r->arena);
  ag_urdf_fill_gaps(doc, r->arena);
  return true;
}

bool ag_urdf_is_xacro(const ag_urdf *doc, ag_arena *arena, ag_err *err) {
  const size_t length = strlen(doc->path);
  const reader r = {.arena = arena, .err = err, .doc = (ag_urdf *)doc};
  if (length > 6 && strcmp(doc->path + length - 6, ".xacro") == 0)
    return !fail_xacro(&r, 0, "its name says so");
  return false;
}

bool ag_urdf_of(const ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  const reader r = {.doc = doc, .arena = arena, .err = err};
  return read_robot(&r, root);
}

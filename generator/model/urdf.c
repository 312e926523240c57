/* urdf.c: see urdf.h. The only file that includes libxml2. */
#include "model/urdf.h"

#include "base/names.h"
#include "model/decimal.h"
#include "model/urdf_bytes.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds on what is read. The largest robot known to us has some hundred links in some hundred
 * kilobytes; elements of a URDF nest five deep, and a link with its joint makes about 50 elements
 * and attributes. */
enum {
  MOST_DEEP = 64,
  MOST_LINKS = 10000,
  MOST_PARTS = 1000000, /* elements and attributes */
  LONGEST_NAME = 255
};

typedef struct reader {
  ag_urdf *doc;
  ag_arena *arena;
  ag_err *err;
  int nlinks, njoints, nparts; /* of the document so far */
} reader;

const char *const ag_joint_type_names[AG_FLOATING + 2] = {
    [AG_FIXED] = "fixed",         [AG_REVOLUTE] = "revolute", [AG_CONTINUOUS] = "continuous",
    [AG_PRISMATIC] = "prismatic", [AG_PLANAR] = "planar",     [AG_FLOATING] = "floating"};

static const char *const NUMBER_REMEDY = "write a plain decimal number such as 0.5, -2 or 1e-3";

/* --- XML ----------------------------------------------------------------------------------- */

/* Whether the document stays within bounds with one more element. */
static bool count_element(reader *r, const char *name, int depth, int line, int nattributes) {
  if (depth >= MOST_DEEP)
    return ag_fail(r->err, r->doc->path, line, "a URDF nests five deep: is this the right file?",
                   "elements are nested more than %d deep", MOST_DEEP);
  r->nlinks += depth == 1 && strcmp(name, "link") == 0;
  r->njoints += depth == 1 && strcmp(name, "joint") == 0;
  if (r->nlinks > MOST_LINKS || r->njoints > MOST_LINKS)
    return ag_fail(r->err, r->doc->path, line, "take the part of the robot that you control",
                   "the robot has more than %d %s", MOST_LINKS,
                   r->nlinks > MOST_LINKS ? "links" : "joints");
  r->nparts += 1 + nattributes;
  if (r->nparts > MOST_PARTS)
    return ag_fail(r->err, r->doc->path, line, "a URDF keeps its meshes in other files",
                   "the file has more than %d elements and attributes", MOST_PARTS);
  return true;
}

/* Called at every start tag: libxml2's own line numbers end at 65535, so we note ours. */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes) {
  xmlParserCtxt *parser = context;
  reader *r = parser->_private;
  const int line = parser->input ? parser->input->line : 0;
  if (!count_element(r, (const char *)name, parser->nodeNr, line, nattributes + nnamespaces)) {
    xmlStopParser(parser);
    return;
  }
  xmlSAX2StartElementNs(context, name, prefix, uri, nnamespaces, namespaces, nattributes,
                        ndefaulted, attributes);
  if (!parser->node) return;
  int *kept = ag_alloc(r->arena, sizeof *kept);
  *kept = line;
  parser->node->_private = kept;
}

/* Called at <!DOCTYPE: with no document type there are no entities to expand or fetch. */
static void doctype(void *context, const xmlChar *name, const xmlChar *public_id,
                    const xmlChar *system_id) {
  (void)name, (void)public_id, (void)system_id;
  xmlParserCtxt *parser = context;
  const reader *r = parser->_private;
  ag_fail(r->err, r->doc->path, parser->input ? parser->input->line : 0,
          "delete the line: a URDF has no document type",
          "<!DOCTYPE> is not read: it could name other files");
  xmlStopParser(parser);
}

/* libxml2's first word on what is not well-formed is the one that helps; a prefix that nobody
 * declared is no more than unknown. */
#if LIBXML_VERSION >= 21200
static void xml_error(void *context, const xmlError *error) {
#else
static void xml_error(void *context, xmlError *error) {
#endif
  const xmlParserCtxt *parser = context;
  const reader *r = parser->_private;
  if (error->level != XML_ERR_FATAL || !error->message) return;
  const char *what = error->code == XML_ERR_INTERNAL_ERROR
                         ? "bytes that are no text in its encoding"
                         : error->message;
  ag_fail(r->err, r->doc->path, error->line,
          ag_printf(r->arena, "`xmllint --noout %s` shows every place", r->doc->path),
          "not well-formed XML: %.*s", (int)strcspn(what, "\n"), what);
}

/* What libxml2 would print by itself: the error above says it. */
static void say_nothing(void *context, const char *format, ...) {
  (void)context, (void)format;
}

/* The document's tree; NULL: the error says why. */
static xmlDoc *parse(reader *r, const char *bytes, size_t size) {
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser) {
    ag_fail(r->err, r->doc->path, 0, NULL, "out of memory");
    return NULL;
  }
  xmlSetGenericErrorFunc(NULL, say_nothing);
  parser->_private = r;
  parser->sax->startElementNs = start_element;
  parser->sax->internalSubset = doctype;
  parser->sax->serror = xml_error;
  /* What stands between the tags says nothing: no memory for it. */
  parser->sax->characters = parser->sax->ignorableWhitespace = NULL;
  parser->sax->cdataBlock = NULL;
  parser->sax->comment = NULL;
  parser->sax->processingInstruction = NULL;
  xmlDoc *tree = xmlCtxtReadMemory(parser, bytes, (int)size, NULL, NULL,
                                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                       XML_PARSE_BIG_LINES);
  if (!tree || r->err->set) {
    ag_fail(r->err, r->doc->path, 0, NULL, "not well-formed XML");
    xmlFreeDoc(tree);
    tree = NULL;
  }
  xmlFreeParserCtxt(parser);
  return tree;
}

static int line_of(const xmlNode *node) {
  const int *line = node->_private;
  return line ? *line : 0;
}

/* `name` or `prefix:name`. */
static const char *name_of(const xmlNode *node, ag_arena *arena) {
  const char *prefix = node->ns ? (const char *)node->ns->prefix : NULL;
  return prefix ? ag_printf(arena, "%s:%s", prefix, (const char *)node->name)
                : (const char *)node->name;
}

/* Whether node is an element of this name, without a prefix. */
static bool is(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && !(node->ns && node->ns->prefix) &&
         strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child_of(const xmlNode *node, const char *name) {
  for (const xmlNode *child = node->children; child; child = child->next)
    if (is(child, name)) return child;
  return NULL;
}

/* --- what is no URDF -------------------------------------------------------------------------- */

static bool fail_xacro(const reader *r, int line, const char *sign) {
  const char *remedy =
      ag_printf(r->arena, "expand it first: xacro %s > robot.urdf",
                strcmp(r->doc->path, "standard input") == 0 ? "robot.urdf.xacro" : r->doc->path);
  return ag_fail(r->err, r->doc->path, line, remedy, "this is a xacro file, not yet a URDF: %s",
                 sign);
}

/* Fails at the first element of xacro anywhere below node, which xacro would have replaced. A mere
 * xmlns:xacro is no sign: old versions of xacro leave it in what they make. */
static bool has_no_xacro(const reader *r, const xmlNode *node) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    const char *name = name_of(node, r->arena);
    const char *uri = node->ns ? (const char *)node->ns->href : NULL;
    if (strncmp(name, "xacro:", 6) == 0 || (node->ns && node->ns->prefix && strstr(uri, "/xacro")))
      return fail_xacro(r, line_of(node), ag_printf(r->arena, "<%s>", name));
    if (!has_no_xacro(r, node->children)) return false; /* at most MOST_DEEP calls deep */
  }
  return true;
}

/* What may stand in what. */
typedef struct element {
  const char *parent, *name;
  const char *attributes; /* the known ones, each between blanks; NULL: the element is ignored */
  bool many;
} element;

static const element ELEMENTS[] = {
    {"robot", "link", " name type ", true},
    {"robot", "joint", " name type ", true},
    {"link", "inertial", " ", false},
    {"inertial", "origin", " xyz rpy quat_xyzw ", false},
    {"inertial", "mass", " value ", false},
    {"inertial", "inertia", " ixx ixy ixz iyy iyz izz ", false},
    {"joint", "origin", " xyz rpy quat_xyzw ", false},
    {"joint", "parent", " link ", false},
    {"joint", "child", " link ", false},
    {"joint", "axis", " xyz ", false},
    {"joint", "limit", " lower upper effort velocity acceleration deceleration jerk ", false},
    {"joint", "dynamics", " damping friction ", false},
    {"joint", "mimic", " joint multiplier offset ", false},
    {"joint", "calibration", NULL, true},
    {"joint", "safety_controller", NULL, true},
};

/* Ignored wherever they stand: they say nothing about the dynamics. */
static const char *const IGNORED[] = {"visual", "collision",    "material",
                                      "gazebo", "transmission", "ros2_control"};

static const element *element_find(const char *parent, const xmlNode *node) {
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; ++i)
    if (strcmp(ELEMENTS[i].parent, parent) == 0 && is(node, ELEMENTS[i].name)) return &ELEMENTS[i];
  return NULL;
}

static bool is_ignored(const xmlNode *node) {
  for (size_t i = 0; i < sizeof IGNORED / sizeof *IGNORED; ++i)
    if (is(node, IGNORED[i])) return true;
  return false;
}

static void warn_attributes(const reader *r, const xmlNode *node, const char *known) {
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    if (attribute->ns) continue; /* of somebody else's namespace */
    const char *name = (const char *)attribute->name;
    if (!strstr(known, ag_printf(r->arena, " %s ", name)))
      ag_note_add(&r->doc->warnings, &r->doc->nwarnings, r->arena, line_of(node),
                  "unknown attribute \"%s\" of <%s> is ignored", name, (const char *)node->name);
  }
}

/* Fails on a second element where one is allowed; warns of elements and attributes that URDF does
 * not know. whose: `link "base"`, or the like. */
static bool check_children(const reader *r, const xmlNode *node, const char *whose) {
  for (const xmlNode *child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE || is_ignored(child)) continue;
    const element *known = element_find((const char *)node->name, child);
    if (!known) {
      ag_note_add(&r->doc->warnings, &r->doc->nwarnings, r->arena, line_of(child),
                  "unknown element <%s> in %s is ignored", name_of(child, r->arena), whose);
      continue;
    }
    if (!known->many && child_of(node, known->name) != child)
      return ag_fail(r->err, r->doc->path, line_of(child), "keep the one that is right",
                     "%s has a second <%s>; the first is at line %d", whose, known->name,
                     line_of(child_of(node, known->name)));
    if (known->attributes) warn_attributes(r, child, known->attributes);
  }
  return true;
}

/* --- attributes and numbers ------------------------------------------------------------------- */

/* An attribute's text; NULL where it is missing. */
static bool attribute_get(const reader *r, const xmlNode *node, const char *name,
                          const char **text) {
  *text = NULL;
  xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
  if (!value) return true;
  *text = ag_strdup(r->arena, (const char *)value);
  xmlFree(value);
  if (strstr(*text, "${") || strstr(*text, "$("))
    return fail_xacro(r, line_of(node), ag_printf(r->arena, "%s=\"%.80s\"", name, *text));
  return true;
}

/* An attribute that must be there, and not be empty. */
static bool attribute_need(const reader *r, const xmlNode *node, const char *name,
                           const char *whose, const char **text) {
  if (!attribute_get(r, node, name, text)) return false;
  if (*text && **text) return true;
  const char *remedy = ag_printf(r->arena, "write <%s %s=\"...\">", (const char *)node->name, name);
  return ag_fail(r->err, r->doc->path, line_of(node), remedy, "%s has %s %s", whose,
                 *text ? "an empty" : "no", name);
}

/* The name of a link, a joint or the robot. */
static bool name_need(const reader *r, const xmlNode *node, const char *whose, const char **name) {
  if (!attribute_need(r, node, "name", whose, name) || !*name) return false;
  if (strlen(*name) <= LONGEST_NAME) return true;
  return ag_fail(r->err, r->doc->path, line_of(node), "give it a shorter one",
                 "%s has a name of %zu bytes; at most %d are read", whose, strlen(*name),
                 LONGEST_NAME);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Exactly count numbers, parted by blanks; text NULL: out stays as it is. */
static bool numbers_read(const reader *r, const xmlNode *node, const char *name, const char *whose,
                         const char *text, int count, ag_decimal *out) {
  if (!text) return true;
  const char *path = r->doc->path;
  const int line = line_of(node);
  int n = 0;
  for (;;) {
    while (is_blank(*text)) ++text;
    if (!*text) break;
    const size_t length = strcspn(text, " \t\n\r");
    const int shown = length < 60 ? (int)length : 60;
    ag_decimal number = {0, 0};
    if (ag_decimal_scan(text, &number.decimals) != text + length)
      return ag_fail(r->err, path, line, NUMBER_REMEDY, "%s: %s of <%s>: \"%.*s\" is not a number",
                     whose, name, (const char *)node->name, shown, text);
    number.value = strtod(text, NULL);
    if (isinf(number.value))
      return ag_fail(r->err, path, line, "a double reaches to 1.8e308; check the exponent",
                     "%s: %s of <%s>: %.*s is too large", whose, name, (const char *)node->name,
                     shown, text);
    if (n < count) out[n] = number;
    ++n;
    text += length;
  }
  if (n == count) return true;
  const char *remedy = count == 1 ? NUMBER_REMEDY : "write three, with blanks between: \"0 0 1\"";
  return ag_fail(r->err, path, line, remedy, "%s: %s of <%s> needs %d number%s, not %d", whose,
                 name, (const char *)node->name, count, count == 1 ? "" : "s", n);
}

/* One number; out stays as it is where the attribute is missing and may be. */
static bool number_get(const reader *r, const xmlNode *node, const char *name, const char *whose,
                       bool needed, double *out) {
  const char *text, *what = ag_printf(r->arena, "<%s> of %s", (const char *)node->name, whose);
  if (needed ? !attribute_need(r, node, name, what, &text) : !attribute_get(r, node, name, &text))
    return false;
  ag_decimal number = {*out, 0};
  if (!numbers_read(r, node, name, whose, text, 1, &number)) return false;
  *out = number.value;
  return true;
}

/* --- elements --------------------------------------------------------------------------------- */

/* The <origin> of a joint or inertial; where it is missing, identity. */
static bool read_pose(const reader *r, const xmlNode *parent, const char *whose,
                      ag_urdf_pose *pose) {
  const xmlNode *node = child_of(parent, "origin");
  if (!node) return true;
  pose->line = line_of(node);
  const char *xyz, *rpy, *quaternion;
  if (!attribute_get(r, node, "xyz", &xyz) || !attribute_get(r, node, "rpy", &rpy) ||
      !attribute_get(r, node, "quat_xyzw", &quaternion))
    return false;
  if (quaternion)
    return ag_fail(r->err, r->doc->path, pose->line, "write the rotation as rpy=\"ROLL PITCH YAW\"",
                   "%s: quat_xyzw of <origin> is not supported", whose);
  return numbers_read(r, node, "xyz", whose, xyz, 3, pose->xyz) &&
         numbers_read(r, node, "rpy", whose, rpy, 3, pose->rpy);
}

static bool read_inertial(const reader *r, const xmlNode *node, const char *whose,
                          ag_urdf_link *link) {
  static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  link->inertial_line = line_of(node);
  if (!check_children(r, node, ag_printf(r->arena, "<inertial> of %s", whose)) ||
      !read_pose(r, node, whose, &link->com))
    return false;
  const xmlNode *mass = child_of(node, "mass"), *inertia = child_of(node, "inertia");
  if (!mass || !inertia)
    return ag_fail(r->err, r->doc->path, link->inertial_line,
                   mass ? "add <inertia ixx= ixy= ixz= iyy= iyz= izz=>, or drop <inertial>"
                        : "add <mass value=\"...\"/>, or drop <inertial> of a massless link",
                   "%s: <inertial> without <%s>", whose, mass ? "inertia" : "mass");
  link->mass_line = line_of(mass);
  link->inertia_line = line_of(inertia);
  if (!number_get(r, mass, "value", whose, true, &link->mass)) return false;
  for (int i = 0; i < 6; ++i)
    if (!number_get(r, inertia, NAMES[i], whose, true, &link->inertia[i])) return false;
  return true;
}

static bool read_link(const reader *r, const xmlNode *node, ag_urdf_link *link) {
  link->line = line_of(node);
  if (!name_need(r, node, "a <link>", &link->name)) return false;
  const char *whose = ag_printf(r->arena, "link \"%s\"", link->name);
  const xmlNode *inertial = child_of(node, "inertial");
  return check_children(r, node, whose) && (!inertial || read_inertial(r, inertial, whose, link));
}

static bool read_type(const reader *r, const xmlNode *node, const char *whose,
                      ag_joint_type *type) {
  enum { COUNT = AG_FLOATING + 1 };
  const char *text;
  if (!attribute_need(r, node, "type", whose, &text)) return false;
  for (int i = 0; i < COUNT; ++i)
    if (strcmp(text, ag_joint_type_names[i]) == 0) {
      *type = (ag_joint_type)i;
      return true;
    }
  /* joints of several freedoms, as other formats and dialects have them */
  static const struct {
    const char *name, *remedy;
  } OTHERS[] = {{"spherical",
                 "make it three revolute joints, one behind the other, with the axes 1 0 0, 0 1 0 "
                 "and 0 0 1; the two links in between need no <inertial>"},
                {"universal",
                 "make it two revolute joints, one behind the other, with the axes 1 0 0 and "
                 "0 1 0; the link in between needs no <inertial>"},
                {"cylindrical",
                 "make it a revolute and a prismatic joint, one behind the other, with the same "
                 "axis; the link in between needs no <inertial>"}};
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; ++i)
    if (strcmp(text, OTHERS[i].name) == 0)
      return ag_fail(r->err, r->doc->path, line_of(node), OTHERS[i].remedy,
                     "%s is %s, which a URDF does not have", whose, text);
  const char *remedy = ag_did_you_mean(
      ag_near_names(ag_joint_type_names, COUNT, text, r->arena),
      "there are fixed, revolute, continuous, prismatic, planar and floating", r->arena);
  return ag_fail(r->err, r->doc->path, line_of(node), remedy, "%s has the unknown type \"%s\"",
                 whose, text);
}

/* The link that <parent> or <child> names. */
static bool read_end(const reader *r, const xmlNode *joint, const char *which, const char *whose,
                     const char **link, int *line) {
  const xmlNode *node = child_of(joint, which);
  if (!node)
    return ag_fail(r->err, r->doc->path, line_of(joint),
                   ag_printf(r->arena, "add <%s link=\"...\"/>", which), "%s has no <%s>", whose,
                   which);
  *line = line_of(node);
  return attribute_need(r, node, "link", ag_printf(r->arena, "<%s> of %s", which, whose), link);
}

static bool read_axis(const reader *r, const xmlNode *joint, const char *whose,
                      ag_urdf_joint *out) {
  ag_decimal axis[3] = {{1, 0}, {0, 0}, {0, 0}};
  const xmlNode *node = child_of(joint, "axis");
  if (node) {
    const char *text;
    out->axis_line = line_of(node);
    if (!attribute_need(r, node, "xyz", ag_printf(r->arena, "<axis> of %s", whose), &text) ||
        !numbers_read(r, node, "xyz", whose, text, 3, axis))
      return false;
  }
  for (int i = 0; i < 3; ++i) out->axis[i] = axis[i].value;
  return true;
}

/* <limit>, <dynamics> and <mimic>. */
static bool read_extras(const reader *r, const xmlNode *joint, const char *whose,
                        ag_urdf_joint *out) {
  out->lower = out->upper = out->effort = out->velocity = (double)NAN;
  out->multiplier = 1;
  const xmlNode *limit = child_of(joint, "limit"), *dynamics = child_of(joint, "dynamics"),
                *mimic = child_of(joint, "mimic");
  if (limit) {
    out->limit_line = line_of(limit);
    if (!number_get(r, limit, "lower", whose, false, &out->lower) ||
        !number_get(r, limit, "upper", whose, false, &out->upper) ||
        !number_get(r, limit, "effort", whose, false, &out->effort) ||
        !number_get(r, limit, "velocity", whose, false, &out->velocity))
      return false;
  }
  if (dynamics) {
    out->dynamics_line = line_of(dynamics);
    if (!number_get(r, dynamics, "damping", whose, false, &out->damping) ||
        !number_get(r, dynamics, "friction", whose, false, &out->friction))
      return false;
  }
  if (mimic) {
    out->mimic_line = line_of(mimic);
    const char *what = ag_printf(r->arena, "<mimic> of %s", whose);
    if (!attribute_need(r, mimic, "joint", what, &out->mimic) ||
        !number_get(r, mimic, "multiplier", whose, false, &out->multiplier) ||
        !number_get(r, mimic, "offset", whose, false, &out->offset))
      return false;
  }
  return true;
}

static bool read_joint(const reader *r, const xmlNode *node, ag_urdf_joint *joint) {
  joint->line = line_of(node);
  if (!name_need(r, node, "a <joint>", &joint->name)) return false;
  const char *whose = ag_printf(r->arena, "joint \"%s\"", joint->name);
  return check_children(r, node, whose) && read_type(r, node, whose, &joint->type) &&
         read_end(r, node, "parent", whose, &joint->parent, &joint->parent_line) &&
         read_end(r, node, "child", whose, &joint->child, &joint->child_line) &&
         read_pose(r, node, whose, &joint->origin) && read_axis(r, node, whose, joint) &&
         read_extras(r, node, whose, joint);
}

/* What else the file may be, from its root element. */
static const char *other_format(const char *root) {
  if (strcmp(root, "sdf") == 0) return "this is SDF, Gazebo's format: convert it to URDF";
  if (strcmp(root, "mujoco") == 0) return "this is MJCF, MuJoCo's format: convert it to URDF";
  if (strcmp(root, "COLLADA") == 0) return "this is a mesh";
  return "name a URDF file";
}

static bool read_robot(const reader *r, const xmlNode *root) {
  ag_urdf *doc = r->doc;
  const char *name = name_of(root, r->arena);
  if (!has_no_xacro(r, root->children)) return false;
  if (!is(root, "robot"))
    return ag_fail(r->err, doc->path, line_of(root), other_format(name),
                   "not a URDF: the root element is <%s>, not <robot>", name);
  doc->robot_line = line_of(root);
  if (!name_need(r, root, "the <robot>", &doc->robot) || !check_children(r, root, "<robot>"))
    return false;
  warn_attributes(r, root, " name version ");

  doc->links = ag_alloc(r->arena, ((size_t)r->nlinks + 1) * sizeof *doc->links);
  doc->joints = ag_alloc(r->arena, ((size_t)r->njoints + 1) * sizeof *doc->joints);
  for (const xmlNode *node = root->children; node; node = node->next) {
    if (is(node, "link") && !read_link(r, node, &doc->links[doc->nlinks++])) return false;
    if (is(node, "joint") && !read_joint(r, node, &doc->joints[doc->njoints++])) return false;
  }
  return true;
}

bool ag_urdf_read(const char *path, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  reader r = {.doc = doc, .arena = arena, .err = err};
  char *bytes = NULL;
  size_t size = 0;
  const bool standard = strcmp(path, "-") == 0;
  if (standard) path = "standard input";
  *doc = (ag_urdf){.path = ag_strdup(arena, path)};
  const size_t length = strlen(path);
  if (!ag_urdf_bytes(path, standard, &bytes, &size, arena, err)) return false;
  if (standard) doc->text = bytes, doc->length = size;
  if (length > 6 && strcmp(path + length - 6, ".xacro") == 0)
    return fail_xacro(&r, 0, "its name says so");
  xmlDoc *tree = parse(&r, bytes, size);
  if (!tree) return false;
  const xmlNode *root = xmlDocGetRootElement(tree);
  const bool good = root ? read_robot(&r, root) : ag_fail(err, path, 0, NULL, "no XML element");
  xmlFreeDoc(tree);
  return good;
}

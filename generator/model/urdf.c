/* urdf.c: see urdf.h. The only file that includes libxml2. */
#include "model/urdf.h"

#include "base/names.h"
#include "model/decimal.h"
#include "model/urdf_bytes.h"
#include "model/urdf_gaps.h"
#include "model/urdf_words.h"

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

static const char *const NUMBER_REMEDY = "write a plain decimal number such as 0.5, -2 or 1e-3";

#define WARN(r, line, ...)                                                                         \
  ag_note_add(&(r)->doc->warnings, &(r)->doc->nwarnings, (r)->arena, line, __VA_ARGS__)

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
  const reader *r = ((const xmlParserCtxt *)context)->_private;
  if (error->level != XML_ERR_FATAL || !error->message) return;
  const char *what = error->code == XML_ERR_INTERNAL_ERROR
                         ? "bytes that are no text in its encoding"
                         : error->message;
  ag_fail(r->err, r->doc->path, error->line, ag_urdf_other_text(r->doc->path, r->arena),
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

static const char *const XACRO = "this is a xacro file, not yet a URDF";

static bool fail_xacro(const reader *r, int line, const char *sign) {
  const char *remedy =
      ag_printf(r->arena, "expand it first: xacro %s > robot.urdf",
                strcmp(r->doc->path, "standard input") == 0 ? "robot.urdf.xacro" : r->doc->path);
  return ag_fail(r->err, r->doc->path, line, remedy, "%s: %s", XACRO, sign);
}

/* Whether an element is xacro's. A mere xmlns:xacro is no sign: old versions of xacro leave it in
 * what they make. */
static bool is_xacro(const xmlNode *node, const char *name) {
  const char *uri = node->ns ? (const char *)node->ns->href : NULL;
  return strncmp(name, "xacro:", 6) == 0 ||
         (node->ns && node->ns->prefix && uri && strstr(uri, "/xacro"));
}

/* An attribute below node that xacro would have replaced; NULL: none. */
static const xmlAttr *find_expression(const xmlNode *node) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    for (const xmlAttr *a = node->properties; a; a = a->next)
      if (a->children && a->children->content &&
          ag_xacro_is_expression((const char *)a->children->content))
        return a;
    const xmlAttr *below = find_expression(node->children); /* at most MOST_DEEP calls deep */
    if (below) return below;
  }
  return NULL;
}

/* Fails at the first element anywhere below node by which xacro makes text. Calls of macros that
 * nobody defined, which xacro left standing, expand to nothing: the first one, and their count. */
static bool check_xacro(const reader *r, const xmlNode *node, const xmlNode **call, int *ncalls) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    const char *name = name_of(node, r->arena);
    if (is_xacro(node, name)) {
      if (ag_xacro_makes_text((const char *)node->name))
        return fail_xacro(r, line_of(node), ag_printf(r->arena, "<%s>", name));
      if ((*ncalls)++ == 0) *call = node;
      continue;
    }
    if (!check_xacro(r, node->children, call, ncalls)) return false;
  }
  return true;
}

/* A xacro file is none; of what xacro made of one, calls of macros may be left. */
static bool is_expanded(const reader *r, const xmlNode *root) {
  const xmlNode *call = NULL;
  int ncalls = 0;
  if (!check_xacro(r, root->children, &call, &ncalls)) return false;
  if (!call) return true;
  const xmlAttr *expression = find_expression(root);
  if (expression)
    return fail_xacro(r, line_of(expression->parent),
                      ag_printf(r->arena, "%s=\"%.80s\"", (const char *)expression->name,
                                (const char *)expression->children->content));
  WARN(r, line_of(call), "<%s> is left over from xacro and ignored%s", name_of(call, r->arena),
       ncalls > 1 ? ag_printf(r->arena, "; the same of %d more", ncalls - 1) : "");
  return true;
}

/* What is known of an element in another; NULL: URDF has none. */
static const ag_urdf_element *element_find(const xmlNode *parent, const xmlNode *node) {
  const ag_urdf_element *known =
      ag_urdf_element_find((const char *)parent->name, (const char *)node->name);
  return known && is(node, known->name) ? known : NULL;
}

static void warn_attributes(const reader *r, const xmlNode *node, const char *known) {
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    if (attribute->ns) continue; /* of somebody else's namespace */
    const char *name = (const char *)attribute->name;
    if (!strstr(known, ag_printf(r->arena, " %s ", name)))
      WARN(r, line_of(node), "unknown attribute \"%s\" of <%s> is ignored", name,
           (const char *)node->name);
  }
}

/* Fails on a second element where one is allowed and the second could matter; warns of elements and
 * attributes that URDF does not know. whose: `link "base"`, or the like. */
static bool check_children(const reader *r, const xmlNode *node, const char *whose) {
  for (const xmlNode *child = node->children; child; child = child->next) {
    const char *name = (const char *)child->name;
    if (child->type != XML_ELEMENT_NODE || (is(child, name) && ag_urdf_ignores(name))) continue;
    if (is_xacro(child, name_of(child, r->arena))) continue; /* told by is_expanded */
    const ag_urdf_element *known = element_find(node, child);
    if (!known) {
      WARN(r, line_of(child), "unknown element <%s> in %s is ignored", name_of(child, r->arena),
           whose);
      continue;
    }
    const xmlNode *first = child_of(node, known->name);
    if (known->often == AG_FIRST && first != child) {
      WARN(r, line_of(child), "%s has a second <%s>, which is ignored: the one at line %d counts",
           whose, known->name, line_of(first));
      continue;
    }
    if (known->often == AG_ONCE && first != child)
      return ag_fail(r->err, r->doc->path, line_of(child), "keep the one that is right",
                     "%s has a second <%s>; the first is at line %d", whose, known->name,
                     line_of(first));
    if (known->attributes) warn_attributes(r, child, known->attributes);
  }
  return true;
}

/* --- attributes and numbers ------------------------------------------------------------------- */

/* An attribute's text as the file has it; NULL: there is none. */
static const char *text_of(const reader *r, const xmlNode *node, const char *name) {
  xmlChar *value = node ? xmlGetNoNsProp(node, (const xmlChar *)name) : NULL;
  const char *text = value ? ag_strdup(r->arena, (const char *)value) : NULL;
  xmlFree(value);
  return text;
}

/* The same, but fails on xacro's expressions. */
static bool attribute_get(const reader *r, const xmlNode *node, const char *name,
                          const char **text) {
  *text = text_of(r, node, name);
  if (!*text || !ag_xacro_is_expression(*text)) return true;
  return fail_xacro(r, line_of(node), ag_printf(r->arena, "%s=\"%.80s\"", name, *text));
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

/* An attribute of an element that belongs to a joint or link. */
typedef struct attribute {
  const xmlNode *node;
  const char *name, *whose, *text; /* text NULL: it is missing */
} attribute;

/* Exactly count numbers, parted by blanks; where the attribute is missing, out stays as it is. */
static bool numbers_read(const reader *r, const attribute *a, int count, ag_decimal *out) {
  const char *path = r->doc->path, *text = a->text, *element = (const char *)a->node->name;
  const int line = line_of(a->node);
  if (!text) return true;
  int n = 0;
  for (;;) {
    while (is_blank(*text)) ++text;
    if (!*text) break;
    const int length = (int)strcspn(text, " \t\n\r"), shown = length < 60 ? length : 60;
    ag_decimal number = {0, 0};
    if (ag_decimal_scan(text, &number.decimals) != text + length)
      return ag_fail(r->err, path, line, NUMBER_REMEDY, "%s: %s of <%s>: \"%.*s\" is not a number",
                     a->whose, a->name, element, shown, text);
    number.value = strtod(text, NULL);
    if (isinf(number.value))
      return ag_fail(r->err, path, line, "the largest double is 1.8e308; check the exponent",
                     "%s: %s of <%s>: %.*s is too large", a->whose, a->name, element, shown, text);
    if (n < count) out[n] = number;
    ++n;
    text += length;
  }
  if (n == count) return true;
  const char *remedy = count == 1 ? NUMBER_REMEDY : "write three, with blanks between: \"0 0 1\"";
  return ag_fail(r->err, path, line, remedy, "%s: %s of <%s> needs %d number%s, not %d", a->whose,
                 a->name, element, count, count == 1 ? "" : "s", n);
}

/* One number; out stays as it is where the attribute is missing and may be. */
static bool number_get(const reader *r, const xmlNode *node, const char *name, const char *whose,
                       bool needed, double *out) {
  const char *text, *what = ag_printf(r->arena, "<%s> of %s", (const char *)node->name, whose);
  if (needed ? !attribute_need(r, node, name, what, &text) : !attribute_get(r, node, name, &text))
    return false;
  ag_decimal number = {*out, 0};
  if (!numbers_read(r, &(attribute){node, name, whose, text}, 1, &number)) return false;
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
  return numbers_read(r, &(attribute){node, "xyz", whose, xyz}, 3, pose->xyz) &&
         numbers_read(r, &(attribute){node, "rpy", whose, rpy}, 3, pose->rpy);
}

static bool read_inertial(const reader *r, const xmlNode *node, const char *whose,
                          ag_urdf_link *link) {
  static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  link->inertial_line = line_of(node);
  if (!check_children(r, node, ag_printf(r->arena, "<inertial> of %s", whose)) ||
      !read_pose(r, node, whose, &link->com))
    return false;
  const xmlNode *mass = child_of(node, "mass"), *inertia = child_of(node, "inertia");
  link->mass_line = mass ? line_of(mass) : 0;
  link->inertia_line = inertia ? line_of(inertia) : 0;
  if (mass && !number_get(r, mass, "value", whose, true, &link->mass)) return false;
  link->inertia[1] = link->inertia[2] = link->inertia[4] = (double)NAN; /* where it is missing */
  for (int i = 0; inertia && i < 6; ++i)
    if (!number_get(r, inertia, NAMES[i], whose, !isnan(link->inertia[i]), &link->inertia[i]))
      return false;
  return true;
}

/* The shapes of <visual> and <collision>: texts only, which mjcf/shapes.c reads. */
static void read_looks(const reader *r, const xmlNode *node, ag_urdf_link *link) {
  for (const xmlNode *child = node->children; child; child = child->next) {
    const bool collision = is(child, "collision");
    const xmlNode *geometry = collision || is(child, "visual") ? child_of(child, "geometry") : NULL;
    const xmlNode *shape = geometry ? geometry->children : NULL, *at = child_of(child, "origin");
    while (shape && shape->type != XML_ELEMENT_NODE) shape = shape->next;
    if (!shape) continue;
    ag_urdf_look look = {.line = line_of(shape), .collision = collision};
    look.shape = ag_strdup(r->arena, (const char *)shape->name);
    for (int k = 0; k < AG_LOOK_TEXTS; k++)
      look.texts[k] = text_of(r, k < AG_LOOK_SIZE ? at : shape, ag_look_words[k]);
    const size_t n = (size_t)link->nlooks * sizeof look;
    link->looks = ag_grow(r->arena, link->looks, n, n + sizeof look);
    link->looks[link->nlooks++] = look;
  }
}

/* Kinematics needs no inertia: what is wrong within <inertial> is kept for those that do. */
static bool read_link(const reader *r, const xmlNode *node, ag_urdf_link *link) {
  link->line = line_of(node);
  if (!name_need(r, node, "a <link>", &link->name)) return false;
  const char *whose = ag_printf(r->arena, "link \"%s\"", link->name);
  const xmlNode *inertial = child_of(node, "inertial");
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
  if (strcmp(text, "spherical") == 0)
    return ag_fail(r->err, r->doc->path, line_of(node), ag_urdf_no_spherical,
                   "%s is spherical, which a URDF does not have", whose);
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
static bool limit_get(const reader *r, const xmlNode *node, const char *name, const char *whose,
                      double *out) {
  const char *text;
  if (!attribute_get(r, node, name, &text)) return false;
  if (!text || !ag_urdf_no_limit(text)) return number_get(r, node, name, whose, false, out);
  WARN(r, line_of(node), "%s: its %s limit is \"%s\": taken as none", whose, name, text);
  *out = (double)INFINITY;
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
    if (!limit_get(r, limit, "lower", whose, &out->lower) ||
        !limit_get(r, limit, "upper", whose, &out->upper) ||
        !limit_get(r, limit, "effort", whose, &out->effort) ||
        !limit_get(r, limit, "velocity", whose, &out->velocity))
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

/* A robot without a name is called as its file is. */
static bool read_robot_name(const reader *r, const xmlNode *root) {
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

static bool read_robot(const reader *r, const xmlNode *root) {
  ag_urdf *doc = r->doc;
  const char *name = name_of(root, r->arena);
  if (!is_expanded(r, root)) return false;
  if (!is(root, "robot"))
    return ag_fail(r->err, doc->path, line_of(root), ag_other_format(name),
                   "not a URDF: the root element is <%s>, not <robot>", name);
  doc->robot_line = line_of(root);
  if (!read_robot_name(r, root) || !check_children(r, root, "<robot>")) return false;
  warn_attributes(r, root, " name version ");

  doc->links = ag_alloc(r->arena, ((size_t)r->nlinks + 2) * sizeof *doc->links);
  doc->joints = ag_alloc(r->arena, ((size_t)r->njoints + 1) * sizeof *doc->joints);
  for (const xmlNode *node = root->children; node; node = node->next) {
    if (is(node, "link") && !read_link(r, node, &doc->links[doc->nlinks++])) return false;
    if (is(node, "joint") && !read_joint(r, node, &doc->joints[doc->njoints++])) return false;
  }
  ag_urdf_fill_gaps(doc, r->arena);
  return true;
}

bool ag_urdf_read(const char *path, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  reader r = {.doc = doc, .arena = arena, .err = err};
  const bool standard = strcmp(path, "-") == 0;
  if (standard) path = "standard input";
  *doc = (ag_urdf){.path = ag_strdup(arena, path)};
  const size_t length = strlen(path);
  ag_bytes file = {.path = path};
  if (!ag_urdf_bytes(&file, standard, arena, err)) return false;
  if (standard) {
    doc->text = memcpy(ag_alloc(arena, file.size), file.bytes, file.size);
    doc->length = file.size;
  }
  if (!ag_urdf_mend(&file, &doc->warnings, &doc->nwarnings, arena, err)) return false;
  if (length > 6 && strcmp(path + length - 6, ".xacro") == 0)
    return fail_xacro(&r, 0, "its name says so");
  xmlDoc *tree = parse(&r, file.bytes, file.size);
  if (!tree) return false;
  const xmlNode *root = xmlDocGetRootElement(tree);
  const bool good = root ? read_robot(&r, root) : ag_fail(err, path, 0, NULL, "no XML element");
  xmlFreeDoc(tree);
  return good;
}

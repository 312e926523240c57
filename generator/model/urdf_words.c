/* SPDX-License-Identifier: MIT */
/* urdf_words.c: see urdf_words.h */
#include "model/urdf_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *const ag_joint_type_names[AG_FLOATING + 2] = {
    [AG_FIXED] = "fixed",         [AG_REVOLUTE] = "revolute", [AG_CONTINUOUS] = "continuous",
    [AG_PRISMATIC] = "prismatic", [AG_PLANAR] = "planar",     [AG_FLOATING] = "floating"};

const char *const ag_look_words[AG_LOOK_TEXTS] = {"xyz",    "rpy",    "size",
                                                  "radius", "length", "filename"};

static const ag_urdf_element ELEMENTS[] = {
    {"robot", "link", " name type ", AG_MANY},
    {"robot", "joint", " name type ", AG_MANY},
    {"link", "inertial", " ", AG_FIRST},
    {"inertial", "origin", " xyz rpy quat_xyzw ", AG_ONCE},
    {"inertial", "mass", " value ", AG_ONCE},
    {"inertial", "inertia", " ixx ixy ixz iyy iyz izz ", AG_ONCE},
    {"joint", "origin", " xyz rpy quat_xyzw ", AG_ONCE},
    {"joint", "parent", " link ", AG_ONCE},
    {"joint", "child", " link ", AG_ONCE},
    {"joint", "axis", " xyz ", AG_FIRST},
    {"joint", "limit", " lower upper effort velocity acceleration deceleration jerk ", AG_ONCE},
    {"joint", "dynamics", " damping friction ", AG_ONCE},
    {"joint", "mimic", " joint multiplier offset ", AG_ONCE},
    {"joint", "calibration", NULL, AG_MANY},
    {"joint", "safety_controller", NULL, AG_MANY},
};

/* Ignored wherever they stand: they say nothing about the dynamics. */
static const struct {
  const char *name, *loss;
} IGNORED[] = {
    {"visual", "how a link looks, which changes no motion (--mjcf and --page draw it)"},
    {"collision", "the shape for collisions, which changes no motion (--mjcf and --page use it)"},
    {"material", "a colour, which changes no motion"},
    {"gazebo", "settings of a simulator: friction, springs or sensors in it are not in the model"},
    {"transmission", "tau is a joint's torque, behind its gear; a layout with transmissions = "
                     "\"urdf\" takes it, and gives torques of motors"},
    {"ros2_control", "interfaces of a controller, which change no motion"}};

const ag_urdf_element *ag_urdf_element_find(const char *parent, const char *name) {
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; ++i)
    if (strcmp(ELEMENTS[i].parent, parent) == 0 && strcmp(ELEMENTS[i].name, name) == 0)
      return &ELEMENTS[i];
  return NULL;
}

const char *ag_urdf_ignored(const char *name) {
  for (size_t i = 0; i < sizeof IGNORED / sizeof *IGNORED; ++i)
    if (strcmp(name, IGNORED[i].name) == 0) return IGNORED[i].loss;
  return NULL;
}

const char *ag_urdf_name_of_file(const char *path, size_t longest, ag_arena *arena) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const size_t length = strcspn(base, ".");
  const bool usable = length > 0 && length <= longest && isalnum((unsigned char)base[0]);
  return usable ? ag_printf(arena, "%.*s", (int)length, base) : NULL;
}

bool ag_urdf_no_limit(const char *text) {
  static const char *const NONE[] = {"", "inf", "infinity", "nan", ".inf"};
  text += strspn(text, " \t\n\r");
  if ((*text == '+' || *text == '-') && text[1]) ++text;
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; ++i)
    if (strcasecmp(text, NONE[i]) == 0) return true;
  return false;
}

bool ag_xacro_makes_text(const char *name) {
  static const char *const WORDS[] = {"macro",        "include",   "property", "if",
                                      "unless",       "arg",       "element",  "attribute",
                                      "insert_block", "macrocall", "call"};
  const char *colon = strrchr(name, ':');
  if (colon) name = colon + 1;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; ++i)
    if (strcmp(name, WORDS[i]) == 0) return true;
  return false;
}

bool ag_xacro_is_expression(const char *text) {
  return strstr(text, "${") || strstr(text, "$(");
}

const char *ag_other_bytes(const char *bytes, size_t size) {
  static const struct {
    const char *begin, *name;
  } KNOWN[] = {{"glTF", "GLB, a format of meshes"},
               {"#usda", "USD, as text"},
               {"PXR-USDC", "USD, in binary form"},
               {"PK\003\004", "a zip archive, as USDZ is"},
               {"solid ", "STL, a mesh"},
               {"\x7f"
                "ELF",
                "a program"},
               {"{", "JSON"},
               {"%YAML", "YAML"}};
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; ++i)
    if (size >= strlen(KNOWN[i].begin) &&
        memcmp(bytes, KNOWN[i].begin, strlen(KNOWN[i].begin)) == 0)
      return KNOWN[i].name;
  return NULL;
}

const char *ag_other_format(const char *root) {
  if (strcmp(root, "COLLADA") == 0) return "this is a mesh";
  return "name a file with the root element <robot> (URDF), <mujoco> (MJCF) or <sdf> (SDF)";
}

const char *ag_urdf_other_text(const char *path, ag_arena *arena) {
  const char *end = strrchr(path, '.');
  if (end && strcmp(end, ".lua") == 0)
    return "the URDF comes first; a layout stands after --layout";
  return ag_printf(arena, "`xmllint --noout %s` shows every place",
                   strcmp(path, "standard input") == 0 ? "-" : path);
}

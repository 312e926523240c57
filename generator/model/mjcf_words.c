/* SPDX-License-Identifier: MIT */
/* mjcf_words.c: see mjcf_words.h. MuJoCo's XML reference, 3.3. */
#include "model/mjcf_words.h"

#include "base/names.h"

#define ORIENTATION "pos quat axisangle xyaxes zaxis euler "
#define ACTUATORS                                                                                  \
  "general motor position velocity intvelocity damper cylinder muscle adhesion dcmotor plugin "
#define IN_BODY                                                                                    \
  "body joint freejoint inertial geom site camera light frame attach replicate composite "         \
  "flexcomp plugin "
#define OF_EQUALITY                                                                                \
  "name class active solref solimp body1 body2 site1 site2 anchor relpose torquescale joint1 "     \
  "joint2 polycoef tendon1 tendon2 flex data "

/* What an element has, each word with a blank behind it; NULL: all of it. Elements that are not here are left out as
 * a whole, or refused. */
typedef struct schema {
  const char *element, *children, *attributes;
} schema;

static const schema SCHEMA[] = {
    {"mujoco",
     "compiler option size visual statistic default custom extension asset worldbody contact "
     "deformable equality tendon actuator sensor keyframe include ",
     "model "},
    {"compiler", "lengthrange ",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
     "fitaabb eulerseq meshdir texturedir assetdir discardvisual convexhull usethread fusestatic "
     "inertiafromgeom exactmeshinertia inertiagrouprange saveinertial alignfree conflict "},
    {"default",
     "default mesh material joint geom site camera light pair equality tendon flex " ACTUATORS,
     "class "},
    {"worldbody", IN_BODY, ""},
    {"body", IN_BODY, "name childclass mocap gravcomp sleep user " ORIENTATION},
    {"frame", IN_BODY, "name childclass " ORIENTATION},
    {"inertial", "", "mass diaginertia fullinertia " ORIENTATION},
    {"joint", "plugin ",
     "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
     "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange "
     "actuatorgravcomp margin ref springref armature damping frictionloss user "},
    {"freejoint", "", "name group align "},
    {"geom", "plugin ",
     "name class type contype conaffinity condim group priority size material friction mass "
     "density shellinertia solmix solref solimp margin gap fromto hfield mesh fitscale rgba "
     "fluidshape fluidcoef user " ORIENTATION},
    {"site", "", "name class type group material size fromto rgba user " ORIENTATION},
    {"equality", "connect weld joint tendon flex flexvert flexstrain distance ", OF_EQUALITY},
    {"connect", "", OF_EQUALITY},
    {"weld", "", OF_EQUALITY},
    {"tendon", "spatial fixed ", NULL},
    {"actuator", ACTUATORS, ""},
    {"keyframe", "key ", ""},
    {"key", "", "name time qpos qvel act ctrl mpos mquat "}};

static const schema *schema_of(const ag_element *e) {
  for (size_t i = 0; i < sizeof SCHEMA / sizeof *SCHEMA; ++i)
    if (ag_element_is(e, SCHEMA[i].element)) return &SCHEMA[i];
  return NULL;
}

static void tell(const ag_mjcf *m, const ag_element *e, const char *what) {
  ag_document_ignore(m->doc, e, what, m->arena);
}

static void tell_attributes(const ag_mjcf *m, const ag_element *e, const char *known) {
  for (const ag_attribute *a = known ? e->attributes : NULL; a; a = a->next)
    if (!a->foreign && !ag_word_in(known, a->name))
      tell(m, e, ag_printf(m->arena, "unknown attribute %s of <%s>", a->name, e->local));
}

/* parent: as the file reads with its <include>s in their place. */
static void tell_element(const ag_mjcf *m, const ag_element *e, const ag_element *parent) {
  const schema *s = schema_of(e);
  const bool coupled = ag_element_is(e, "joint") && parent && ag_element_is(parent, "equality");
  if (!s) return;
  tell_attributes(m, e, coupled ? OF_EQUALITY : s->attributes);
  if (parent && ag_element_is(parent, "default") && !ag_element_is(e, "default"))
    return; /* <equality> and <tendon> of a class have no elements */
  for (const ag_element *child = e->children; child; child = child->next) {
    if (!ag_word_in(s->children, child->local))
      tell(m, child, ag_printf(m->arena, "unknown element <%s> of <%s>", child->local, e->local));
    else if (ag_element_is(child, "plugin"))
      AG_MJCF_LOSS(m, child, "<plugin> of <%s>: what it does is not in the model", e->local);
    else
      tell_element(m, child, e);
  }
}

void ag_mjcf_tell_words(const ag_mjcf *m) {
  tell_element(m, m->root, NULL);
}

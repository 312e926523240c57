/* SPDX-License-Identifier: MIT */
/* sdf_losses.c: see sdf_losses.h. SDF's specification, 1.4 to 1.11. */
#include "model/sdf_losses.h"

#include "base/names.h"
#include "base/note.h"
#include "model/compose.h"

#define CONTACTS "contacts change"
#define PICTURES "pictures change"
#define PLUGINS "what it does is missing"
#define MEASURED "what a simulator measures"
#define SOLVER "a simulator's own"

/* What an element has: `what` NULL where it is read. */
static const struct {
  const char *parent, *name, *what;
} WORDS[] = {{"sdf", "world", NULL},
             {"sdf", "model", NULL},
             {"world", "model", NULL},
             {"world", "gravity", "gravity is an input"},
             {"world", "physics", SOLVER},
             {"world", "light", PICTURES},
             {"world", "scene", PICTURES},
             {"world", "gui", PICTURES},
             {"world", "plugin", PLUGINS},
             {"world", "wind", "there is no wind"},
             {"world", "magnetic_field", MEASURED},
             {"world", "atmosphere", MEASURED},
             {"world", "spherical_coordinates", MEASURED},
             {"world", "audio", PICTURES},
             {"world", "include", "it is none of the robot"},
             {"world", "frame", "it is none of the robot"},
             {"world", "joint", "the robot stands still unless the layout says otherwise"},
             {"world", "population", "it is none of the robot"},
             {"world", "road", PICTURES},
             {"world", "state", "states are inputs"},
             {"model", "link", NULL},
             {"model", "joint", NULL},
             {"model", "frame", NULL},
             {"model", "model", NULL},
             {"model", "include", NULL},
             {"model", "pose", NULL},
             {"model", "static", NULL},
             {"model", "plugin", PLUGINS},
             {"model", "gripper", "what a simulator holds it would not hold"},
             {"model", "self_collide", CONTACTS},
             {"model", "allow_auto_disable", SOLVER},
             {"model", "enable_wind", "there is no wind"},
             {"link", "inertial", NULL},
             {"link", "pose", NULL},
             {"link", "visual", PICTURES},
             {"link", "collision", CONTACTS},
             {"link", "sensor", MEASURED},
             {"link", "light", PICTURES},
             {"link", "projector", PICTURES},
             {"link", "particle_emitter", PICTURES},
             {"link", "audio_source", PICTURES},
             {"link", "audio_sink", PICTURES},
             {"link", "battery", SOLVER},
             {"link", "gravity", "gravity acts on it as on all links"},
             {"link", "enable_wind", "there is no wind"},
             {"link", "self_collide", CONTACTS},
             {"link", "kinematic", "it moves by its dynamics"},
             {"link", "must_be_base_link", SOLVER},
             {"link", "velocity_decay", "it moves with less resistance"},
             {"link", "plugin", PLUGINS},
             {"joint", "parent", NULL},
             {"joint", "child", NULL},
             {"joint", "axis", NULL},
             {"joint", "axis2", NULL},
             {"joint", "pose", NULL},
             {"joint", "sensor", MEASURED},
             {"joint", "physics", SOLVER},
             {"joint", "plugin", PLUGINS},
             {"inertial", "mass", NULL},
             {"inertial", "pose", NULL},
             {"inertial", "inertia", NULL},
             {"inertial", "density", "the mass that is written counts"},
             {"inertia", "ixx", NULL},
             {"inertia", "ixy", NULL},
             {"inertia", "ixz", NULL},
             {"inertia", "iyy", NULL},
             {"inertia", "iyz", NULL},
             {"inertia", "izz", NULL},
             {"frame", "pose", NULL},
             {"include", "uri", NULL},
             {"include", "name", NULL},
             {"include", "pose", NULL},
             {"include", "static", "a simulator lets no joint of it move, which move here"},
             {"include", "plugin", PLUGINS},
             {"mimic", "multiplier", NULL},
             {"mimic", "offset", NULL},
             {"mimic", "reference", NULL},
             {"axis", "xyz", NULL},
             {"axis", "limit", NULL},
             {"axis", "dynamics", NULL},
             {"axis", "mimic", NULL},
             {"axis", "use_parent_model_frame", NULL},
             {"axis", "initial_position", "positions are inputs"},
             {"axis2", "xyz", NULL},
             {"axis2", "limit", NULL},
             {"axis2", "dynamics", NULL},
             {"axis2", "use_parent_model_frame", NULL},
             {"axis2", "initial_position", "positions are inputs"},
             {"limit", "lower", NULL},
             {"limit", "upper", NULL},
             {"limit", "effort", NULL},
             {"limit", "velocity", NULL},
             {"limit", "stiffness", "how hard a stop is"},
             {"limit", "dissipation", "how hard a stop is"},
             {"dynamics", "damping", NULL},
             {"dynamics", "friction", NULL},
             {"dynamics", "spring_stiffness", NULL},
             {"dynamics", "spring_reference", NULL}};

/* The attributes of each element, each with a blank behind it. */
static const struct {
  const char *element, *names;
} ATTRIBUTES[] = {{"sdf", "version "},
                  {"world", "name "},
                  {"model", "name canonical_link placement_frame "},
                  {"link", "name "},
                  {"joint", "name type "},
                  {"frame", "name attached_to "},
                  {"inertial", "auto "},
                  {"pose", "relative_to rotation_format degrees frame "},
                  {"xyz", "expressed_in "},
                  {"mimic", "joint axis "},
                  {"include", "merge placement_frame "}};

static void lose(const ag_sdf *s, const ag_element *e, const char *text) {
  ag_note_add(&s->doc->losses, &s->doc->nlosses, s->arena, ag_document_line(s->doc, e), "%s", text);
}

static void warn(const ag_sdf *s, const ag_element *e, const char *what) {
  ag_document_ignore(s->doc, e, what, s->arena);
}

static void tell_attributes(const ag_sdf *s, const ag_element *e) {
  const char *names = NULL;
  for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof *ATTRIBUTES; ++i)
    if (ag_element_is(e, ATTRIBUTES[i].element)) names = ATTRIBUTES[i].names;
  for (const ag_attribute *a = names ? e->attributes : NULL; a; a = a->next)
    if (!a->foreign && !ag_word_in(names, a->name))
      warn(s, e, ag_printf(s->arena, "unknown attribute %s of <%s>", a->name, e->local));
}

/* Elements whose losses are reported with those of the link or joint around them; others that are read are reported as
 * themselves, or have none. */
static const char WITHIN[] = "axis limit dynamics mimic inertial inertia frame include ";

/* What an element has that is not read, and what is in those that are; whose: "link \"arm\"". */
static void tell_inside(const ag_sdf *s, const ag_element *e, const char *whose) {
  tell_attributes(s, e);
  for (const ag_element *c = e->children; c; c = c->next) {
    bool known = c->prefix != NULL;
    const char *what = known ? "of another namespace" : NULL;
    for (size_t i = 0; !known && i < sizeof WORDS / sizeof *WORDS; ++i)
      if (ag_element_is(e, WORDS[i].parent) && ag_element_is(c, WORDS[i].name))
        known = true, what = WORDS[i].what;
    if (!known)
      warn(s, c, ag_printf(s->arena, "unknown element <%s> of %s", c->local, whose));
    else if (what)
      lose(s, c, ag_printf(s->arena, "<%s> of %s: not in the model: %s", c->name, whose, what));
    else if (ag_word_in(WITHIN, c->local))
      tell_inside(s, c, whose);
    else if (!ag_element_is(c, "world") && !ag_element_is(c, "model") &&
             !ag_element_is(c, "link") && !ag_element_is(c, "joint")) /* reported as themselves */
      tell_attributes(s, c);
  }
}

void ag_sdf_tell(const ag_sdf *s, const ag_element *root) {
  const ag_element *world = ag_element_child(root, "world");
  tell_inside(s, root, "the file");
  if (world) tell_inside(s, world, "the world");
  for (int i = 0; i < s->nframes; ++i) {
    const ag_sdf_frame *frame = &s->frames[i];
    const char *name = i == 0 ? ag_element_text(frame->element, "name") : frame->name;
    if (frame->kind != AG_SDF_FRAME)
      tell_inside(s, frame->element,
                  ag_printf(s->arena, "%s \"%s\"", frame->element->local, name ? name : ""));
  }
}

/* SPDX-License-Identifier: MIT */
/* sdf_models.c: see sdf_models.h */
#include "model/sdf_models.h"

#include "model/compose.h"
#include "model/urdf_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 20, MOST_FRAMES = 10000, LEAST_MINOR = 4, MOST_MINOR = 9, RELATIVE_SINCE = 7 };

/* A model to be declared. */
typedef struct nested {
  const ag_element *element;
  const char *scope; /* of what stands in it */
  int depth;
} nested;

static bool fail(const ag_sdf *s, const ag_element *e, const char *what, const char *remedy) {
  return ag_fail(s->err, e->path, e->line, remedy, "%s", what);
}

bool ag_sdf_version(ag_sdf *s, const ag_element *root) {
  const char *version = ag_element_text(root, "version");
  char *end = NULL;
  s->minor = version && strncmp(version, "1.", 2) == 0 ? (int)strtol(version + 2, &end, 10) : 0;
  if (!end || *end || s->minor < LEAST_MINOR)
    return fail(
        s, root,
        ag_printf(s->arena, "SDF of the version \"%s\" is not read", version ? version : "none"),
        "write it as one from 1.4 to 1.9: <sdf version=\"1.9\">");
  if (s->minor > MOST_MINOR)
    ag_note_add(&s->doc->warnings, &s->doc->nwarnings, s->arena, root->line,
                "SDF 1.%d is read as far as 1.9 has it; what is newer and matters is refused",
                s->minor);
  return true;
}

/* said: its name, where that is not the element's own. */
static ag_sdf_frame *add_frame(ag_sdf *s, const ag_element *e, ag_sdf_kind kind, const char *scope,
                               const char *said) {
  const char *name = said ? said : ag_element_text(e, "name");
  if (!name || !*name) {
    fail(s, e, ag_printf(s->arena, "a <%s> has no name", e->local), "name it");
    return NULL;
  }
  if (s->nframes == MOST_FRAMES) {
    fail(s, e, "the file has more than 10000 links, joints, frames and models",
         "take the part of the robot that you control");
    return NULL;
  }
  s->frames = ag_room(s->arena, s->frames, s->nframes, sizeof *s->frames);
  ag_sdf_frame *frame = &s->frames[s->nframes];
  *frame = (ag_sdf_frame){
      .name = ag_printf(s->arena, "%s%s", scope, name), .kind = kind, .element = e, .scope = scope};
  if (ag_sdf_find(s, frame->name)) {
    fail(s, e, ag_printf(s->arena, "\"%s\" is the name of two things", frame->name),
         "give each link, joint, frame and model its own");
    return NULL;
  }
  s->nframes++;
  return frame;
}

/* What the pose of an element is relative to, where the file says it. */
static bool read_relative(const ag_sdf *s, const ag_element *e, const char *otherwise,
                          const char *scope, const char **relative) {
  const ag_element *pose = ag_element_child(e, "pose");
  const char *said = pose ? ag_element_text(pose, "relative_to") : NULL;
  if (pose && ag_element_text(pose, "frame"))
    return fail(s, pose, "<pose frame=\"..\"> is not read", "write relative_to, as since SDF 1.7");
  *relative = ag_sdf_name(s, scope, said && *said ? said : otherwise);
  return true;
}

/* --- includes --------------------------------------------------------------------------------- */

/* The file of an <include>: beside the file that includes it, or a folder there with a model.sdf. */
static const char *path_of_include(const ag_sdf *s, const ag_element *include, const char *uri) {
  static const char *const ends[] = {"", "/model.sdf"};
  const char *scheme = strstr(uri, "://"), *slash = strrchr(include->path, '/');
  const char *name = scheme ? scheme + 3 : uri;
  const int folder = slash ? (int)(slash + 1 - include->path) : 0;
  for (int up = 0; up < 2; ++up)
    for (int k = 1; k >= 0; --k) {
      const char *path = ag_printf(s->arena, "%.*s%s%s%s", name[0] == '/' ? 0 : folder,
                                   include->path, up ? "../" : "", name, ends[k]);
      const size_t length = strlen(path);
      const bool sdf = length > 4 && (strcmp(path + length - 4, ".sdf") == 0 ||
                                      strcmp(path + length - 4, ".xml") == 0);
      if (sdf && ag_is_regular(path)) return path;
    }
  return NULL;
}

static const ag_element *only_model(const ag_sdf *s, const ag_element *root) {
  const ag_element *model = ag_element_child(root, "model");
  if (!model) fail(s, root, "the included file has no <model>", "name a file that has one");
  return model;
}

static const ag_element *no_model(const ag_sdf *s, const ag_element *e, const char *what,
                                  const char *remedy) {
  fail(s, e, what, remedy);
  return NULL;
}

/* The model of the included file; NULL: the error says why. */
static const ag_element *read_include(ag_sdf *s, const ag_element *include) {
  const char *merge = ag_element_text(include, "merge"), *uri = ag_sdf_text(s, include, "uri");
  if (!uri || !*uri)
    return no_model(s, include, "an <include> has no <uri>", "write <uri>model.sdf</uri>");
  if ((merge && strcmp(merge, "true") == 0) || ag_element_child(include, "placement_frame"))
    return no_model(s, include, "<include> with merge or placement_frame is not read",
                    "write the model into the file");
  const char *path = path_of_include(s, include, uri);
  if (!path)
    return no_model(s, include, ag_printf(s->arena, "the model \"%s\" is not there", uri),
                    "put it beside this file, as NAME.sdf or as NAME/model.sdf");
  ag_element *root = ag_document_include(s->doc, include, path, &ag_language_sdf, s->arena, s->err);
  if (!root) return NULL;
  ag_sdf version = *s;
  if (!ag_element_is(root, "sdf"))
    return no_model(s, include, ag_printf(s->arena, "\"%s\" is no SDF", path), "name an SDF file");
  root->parent = (ag_element *)include; /* who knows one file only finds its <include> */
  return ag_sdf_version(&version, root) ? only_model(s, root) : NULL;
}

/* --- declarations ------------------------------------------------------------------------------- */

static bool declare_model(ag_sdf *s, const nested *model);

static bool declare_included(ag_sdf *s, const ag_element *include, const nested *outer) {
  const ag_element *model = read_include(s, include);
  if (!model) return false;
  ag_sdf_frame *frame =
      add_frame(s, model, AG_SDF_MODEL, outer->scope, ag_sdf_text(s, include, "name"));
  if (!frame) return false;
  const ag_element *placed = ag_element_child(include, "pose") ? include : model;
  const int index = s->nframes - 1;
  if (!read_relative(s, placed, "__model__", outer->scope, &frame->relative) ||
      !ag_sdf_pose(s, placed, &frame->raw))
    return false;
  const nested inner = {model, ag_printf(s->arena, "%s::", s->frames[index].name),
                        outer->depth + 1};
  return declare_model(s, &inner);
}

static bool declare_nested(ag_sdf *s, const ag_element *e, const nested *outer) {
  ag_sdf_frame *frame = add_frame(s, e, AG_SDF_MODEL, outer->scope, NULL);
  if (!frame || !read_relative(s, e, "__model__", outer->scope, &frame->relative) ||
      !ag_sdf_pose(s, e, &frame->raw))
    return false;
  const nested inner = {e, ag_printf(s->arena, "%s::", frame->name), outer->depth + 1};
  return declare_model(s, &inner);
}

/* A joint's frame is relative to its child, a <frame>'s to what it is attached to. */
static bool declare_frame(ag_sdf *s, const ag_element *e, ag_sdf_kind kind, const nested *model) {
  ag_sdf_frame *frame = add_frame(s, e, kind, model->scope, NULL);
  const char *otherwise = "__model__";
  if (!frame) return false;
  if (kind == AG_SDF_JOINT) {
    otherwise = ag_sdf_text(s, e, "child");
    if (!otherwise)
      return fail(s, e, ag_printf(s->arena, "joint \"%s\" has no <child>", frame->name),
                  "write <child>LINK</child>");
  }
  const char *attached = kind == AG_SDF_FRAME ? ag_element_text(e, "attached_to") : NULL;
  if (attached && *attached) otherwise = attached;
  frame->attached = kind == AG_SDF_LINK ? NULL : ag_sdf_name(s, model->scope, otherwise);
  return read_relative(s, e, otherwise, model->scope, &frame->relative) &&
         ag_sdf_pose(s, e, &frame->raw);
}

static bool declare_model(ag_sdf *s, const nested *model) {
  if (model->depth > DEEPEST)
    return fail(s, model->element, "models are nested more than 20 deep",
                "does a file include itself?");
  if (ag_element_text(model->element, "placement_frame"))
    return fail(s, model->element, "placement_frame is not read", "place the model by its <pose>");
  for (const ag_element *e = model->element->children; e; e = e->next) {
    if ((ag_element_is(e, "link") && !declare_frame(s, e, AG_SDF_LINK, model)) ||
        (ag_element_is(e, "joint") && !declare_frame(s, e, AG_SDF_JOINT, model)) ||
        (ag_element_is(e, "frame") && !declare_frame(s, e, AG_SDF_FRAME, model)) ||
        (ag_element_is(e, "model") && !declare_nested(s, e, model)) ||
        (ag_element_is(e, "include") && !declare_included(s, e, model)))
      return false;
  }
  return true;
}

bool ag_sdf_models(ag_sdf *s, const ag_element *model) {
  s->frames = ag_room(s->arena, s->frames, 0, sizeof *s->frames);
  s->frames[s->nframes++] =
      (ag_sdf_frame){.name = "__model__", .kind = AG_SDF_MODEL, .element = model, .scope = ""};
  const nested outermost = {model, "", 0};
  return declare_model(s, &outermost) && ag_sdf_resolve(s);
}

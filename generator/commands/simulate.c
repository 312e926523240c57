/* SPDX-License-Identifier: MIT */
/* simulate.c: see simulate.h */
#include "commands/simulate.h"

#include "base/files.h"
#include "mjcf/capsules.h"
#include "mjcf/mjcf.h"
#include "commands/write.h"

#include <string.h>

/* What a layout says of joints that MuJoCo does not have. */
static void note_losses(const ag_value *physics, ag_note **notes, int *nnotes, ag_arena *arena) {
  const ag_value *apart = ag_value_list(physics, "balls_apart");
  for (int k = 0; k < apart->length; k++) {
    const char *name = ag_value_text(&apart->items[k], "name");
    ag_note_add(
        notes, nnotes, arena, ag_value_integer(&apart->items[k], "line"),
        "joint \"%s\": its axes differ in their %s, and MuJoCo's ball has one for all three: "
        "the model has that of \"%s_z\"",
        name, ag_value_text(&apart->items[k], "what"), name);
  }
  const ag_value *losses = ag_value_list(physics, "losses");
  for (int k = 0; k < losses->length; k++) /* in lines of no element */
    ag_note_add(notes, nnotes, arena, 0, "%s", losses->items[k].text);
}

bool ag_simulate(const ag_options *a, const ag_urdf *doc, const char *name, ag_script *script,
                 ag_arena *arena, ag_err *err) {
  ag_value physics, scene;
  ag_sources sources;
  const ag_model *model = ag_script_model(script);
  ag_note *notes = NULL;
  int nnotes = 0;
  const char *text;
  if (!ag_script_physics(script, &physics, err)) return false;
  if (a->action == AG_CAPSULES && ag_value_list(&physics, "linkages")->length > 0)
    return ag_fail(err, model->path, 0, "leave linkages out of the layout",
                   "--capsules does not know linkages, whose joints depend on others");
  const ag_told told = {.path = a->scene, .module = "scene", .model = model};
  if (a->scene && !ag_script_describe(&told, &scene, &sources, arena, err)) return false;
  const ag_world world = {.doc = doc,
                          .model = model,
                          .reduced = ag_script_reduced(script),
                          .physics = &physics,
                          .scene = a->scene ? &scene : NULL,
                          .scene_path = a->scene,
                          .name = name,
                          .command = a->command,
                          .motors = a->motors};
  if (!(a->action == AG_CAPSULES ? ag_capsules_text(&world, &text, &notes, &nnotes, arena, err)
                                 : ag_mjcf_text(&world, &text, &notes, &nnotes, arena, err)))
    return false;
  if (a->action != AG_CAPSULES) note_losses(&physics, &notes, &nnotes, arena);
  for (int k = 0; k < nnotes && !a->quiet; k++)
    if (notes[k].line > 0)
      fprintf(stderr, "%s:%d: warning: %s\n", model->path, notes[k].line, notes[k].text);
    else
      fprintf(stderr, "%s: warning: %s\n", model->path, notes[k].text);
  if (nnotes > 0 && a->strict) return ag_note_refuse(model->path, nnotes, err);
  int count;
  const ag_input_file *read = ag_all_inputs(doc, script, &count, arena);
  if (a->scene) {
    int nscene;
    const ag_input_file *scene_files = ag_sources_files(&sources, &nscene, arena);
    ag_input_file *both = ag_alloc(arena, (size_t)(count + nscene) * sizeof *both);
    memcpy(both, read, (size_t)count * sizeof *both);
    memcpy(both + count, scene_files, (size_t)nscene * sizeof *both);
    read = both;
    count += nscene;
  }
  const ag_output file = {a->mjcf, text};
  return ag_write_files(&file, 1, read, count, err);
}

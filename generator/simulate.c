/* simulate.c: see simulate.h */
#include "simulate.h"

#include "base/files.h"
#include "mjcf/mjcf.h"

#include <string.h>

bool ag_simulate(const ag_options *a, const ag_urdf *doc, ag_script *script, ag_arena *arena,
                 ag_err *err) {
  ag_value physics, scene;
  ag_sources sources;
  const ag_model *model = ag_script_model(script);
  ag_note *notes = NULL;
  int nnotes = 0;
  const char *text;
  if (!ag_script_physics(script, &physics, err)) return false;
  if (a->scene && !ag_script_describe(a->scene, "scene", model, &scene, &sources, arena, err))
    return false;
  const ag_world world = {.doc = doc,
                          .model = model,
                          .reduced = ag_script_reduced(script),
                          .physics = &physics,
                          .scene = a->scene ? &scene : NULL,
                          .scene_path = a->scene,
                          .command = a->command};
  if (!ag_mjcf_text(&world, &text, &notes, &nnotes, arena, err)) return false;
  for (int k = 0; k < nnotes && !a->quiet; k++)
    fprintf(stderr, "%s:%d: warning: %s\n", model->path, notes[k].line, notes[k].text);
  if (nnotes > 0 && a->strict) return ag_note_refuse(model->path, nnotes, err);
  if (strcmp(a->mjcf, "-") != 0) return ag_write_file(a->mjcf, text, err);
  fputs(text, stdout);
  return true;
}

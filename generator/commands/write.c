/* SPDX-License-Identifier: MIT */
/* write.c: see write.h */
#define _XOPEN_SOURCE 700
#include "commands/write.h"

#include "base/files.h"
#include "base/text.h"
#include "emit/casadi.h"
#include "tables/depfile.h"
#include "prove/proof_text.h"
#include "report/description.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

ag_input_file *ag_robot_inputs(const ag_urdf *doc, int room, int *count, ag_arena *arena) {
  ag_input_file *inputs = ag_alloc(arena, (size_t)(1 + doc->nothers + room) * sizeof *inputs);
  inputs[0] = (ag_input_file){
      .path = doc->path, .name = ag_base_name(doc->path), .text = doc->text, .length = doc->length};
  for (int i = 0; i < doc->nothers; i++)
    inputs[i + 1] = (ag_input_file){.path = doc->others[i], .name = ag_base_name(doc->others[i])};
  *count = 1 + doc->nothers;
  return inputs;
}

const ag_input_file *ag_all_inputs(const ag_urdf *doc, const ag_script *script, int *count,
                                   ag_arena *arena) {
  const ag_sources *layout = ag_script_sources(script);
  ag_input_file *inputs = ag_robot_inputs(doc, layout->count, count, arena);
  for (int i = 0; i < layout->count; i++) inputs[(*count)++] = layout->list[i].file;
  return inputs;
}

/* Header, source (NULL: none) and --depfile together. */
static bool write_code(const ag_options *a, ag_output header, ag_output source,
                       const ag_header_options *options, ag_arena *arena, ag_err *err) {
  const char *targets[] = {header.path, source.path}, *rule;
  ag_output files[3];
  int count = 0;
  files[count++] = header;
  if (source.path) files[count++] = source;
  const ag_rule made = {targets, count, options->inputs, options->ninputs};
  if (a->depfile && !ag_depfile_text(&made, &rule, arena, err)) return false;
  if (a->depfile) files[count++] = (ag_output){a->depfile, rule};
  return ag_write_files(files, count, options->inputs, options->ninputs, err);
}

bool ag_description_text(const ag_options *a, const ag_urdf *doc, const ag_header *header,
                         const ag_script *script, const char **text, ag_err *err) {
  ag_description_source source = {.model = ag_script_model(script),
                                  .reduced = ag_script_reduced(script),
                                  .header = header,
                                  .command = a->command,
                                  .layout = ag_script_sources(script)};
  source.inputs = ag_all_inputs(doc, script, &source.ninputs, header->arena);
  return ag_describe_json(&source, text, err);
}

/* More products than this take seconds. */
static const double most_effort = 3e7;

bool ag_prove_header(const ag_options *a, const ag_urdf *doc, ag_header *header, ag_script *script,
                     ag_err *err) {
  ag_proof proof;
  const char *text = "nothing: the robot is large; achdgen --prove compares it";
  if (ag_prove_effort(header, ag_script_reduced(script)) <= most_effort) {
    if (!ag_prove(header, script, a->points, &proof, err)) return false;
    if (!ag_proof_holds(&proof, doc->path, err)) return false;
    text = ag_proof_text(&proof, header->arena);
  }
  header->remarks =
      ag_grow(header->arena, header->remarks, (size_t)header->nremarks * sizeof *header->remarks,
              (size_t)(header->nremarks + 1) * sizeof *header->remarks);
  header->remarks[header->nremarks++] = (ag_remark){"proven", text};
  return true;
}

/* NAME_casadi.c in place of the header. */
static bool write_casadi(const ag_options *a, const ag_header *header,
                         const ag_header_options *options, ag_arena *arena, ag_err *err) {
  const int length = (int)(strlen(header->prefix) - strlen(AG_CASADI_SOLVER));
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  const char *usual = ag_printf(arena, "%.*s_casadi.c", length, header->prefix), *text;
  const char *path = a->output && !to_stdout ? a->output : usual;
  ag_header_options inside = *options;
  inside.mode = AG_MODE_INLINE;
  inside.file = ag_base_name(path);
  if (!ag_casadi_text(header, &inside, &text, err)) return false;
  return write_code(a, (ag_output){to_stdout ? "-" : path, text}, (ag_output){0}, &inside, arena,
                    err);
}

bool ag_write_header(const ag_options *a, const ag_urdf *doc, ag_header *header, ag_script *script,
                     ag_arena *arena, ag_err *err) {
  /* without the line of the proof: --describe proves nothing */
  const char *description = NULL;
  if (a->mode == AG_MODE_SHARED && !ag_description_text(a, doc, header, script, &description, err))
    return false;
  if (a->points > 0 && !ag_prove_header(a, doc, header, script, err)) return false;
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  const char *default_name = ag_printf(arena, "%s_achd.h", header->prefix);
  const char *path = a->output && !to_stdout ? a->output : default_name;
  int ninputs;
  const ag_input_file *inputs = ag_all_inputs(doc, script, &ninputs, arena);
  const ag_header_options options = {.mode = a->mode,
                                     .file = ag_base_name(path),
                                     .command = a->command,
                                     .inputs = inputs,
                                     .ninputs = ninputs,
                                     .description = description};
  const char *mode = a->mode == AG_MODE_SHARED ? "shared" : "split";
  if (ag_mode_splits(a->mode) && to_stdout)
    return ag_fail(err, "", 0, "name the header: -o NAME.h", "--mode %s writes two files", mode);
  const size_t length = strlen(path);
  if (ag_mode_splits(a->mode) && (length < 3 || strcmp(path + length - 2, ".h") != 0))
    return ag_fail(err, path, 0, "name the header: -o NAME.h", "--mode %s writes NAME.h and NAME.c",
                   mode);
  if (a->casadi) return write_casadi(a, header, &options, arena, err);
  const char *text, *body;
  if (!ag_header_text(header, &options, &text, &body, err)) return false;
  const char *source = body ? ag_printf(arena, "%.*s.c", (int)length - 2, path) : NULL;
  return write_code(a, (ag_output){to_stdout ? "-" : path, text}, (ag_output){source, body},
                    &options, arena, err);
}

/* Whether a path ends with a mesh's name, without what stands for folders that we do not know. */
static bool is_mesh(const char *path, const char *mesh) {
  const char *scheme = strstr(mesh, "://");
  if (scheme) mesh = scheme + 3;
  while (mesh[0] == '.' || mesh[0] == '/') mesh++;
  const size_t length = strlen(path), end = strlen(mesh);
  return end > 0 && length > end && strcmp(path + length - end, mesh) == 0 &&
         path[length - end - 1] == '/';
}

/* The robot's meshes are not read, but lost if one is written over. */
static bool spare_meshes(const char *path, const ag_urdf *doc, ag_err *err) {
  char real[PATH_MAX];
  if (!realpath(path, real)) return true; /* none is there */
  for (int i = 0; i < doc->nlinks; i++)
    for (int k = 0; k < doc->links[i].nlooks; k++) {
      const ag_urdf_look *look = &doc->links[i].looks[k];
      const char *mesh = look->texts[AG_LOOK_FILE];
      if (mesh && is_mesh(real, mesh))
        return ag_fail(err, path, 0, "name another file to write",
                       "is a mesh of the robot (%s:%d), and would be written over", doc->path,
                       look->line);
    }
  return true;
}

bool ag_spare_robot(const ag_options *a, const ag_urdf *doc, ag_err *err) {
  const char *const out[] = {a->output, a->depfile, a->svg, a->mjcf};
  for (size_t k = 0; k < sizeof out / sizeof *out; k++)
    if (out[k] && !spare_meshes(out[k], doc, err)) return false;
  return true;
}

const ag_options *ag_without_lanes(const ag_options *options, ag_options *plain) {
  if (!options->quiet)
    fprintf(stderr,
            "%s: note: --lanes 1 is as --lanes 0 here, since no function gains by it: no two limbs "
            "have joints of the same kinds in the same order, or too few of their operations "
            "correspond\n",
            options->urdf);
  *plain = *options;
  plain->target.limbs = false;
  plain->command = options->plain_command;
  return plain;
}

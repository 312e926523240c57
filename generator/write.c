/* write.c: see write.h */
#include "write.h"

#include "base/files.h"
#include "base/text.h"
#include "emit/casadi.h"
#include "emit/depfile.h"
#include "prove/prove.h"
#include "report/description.h"

#include <string.h>

/* The URDF, the layout and what it includes. */
static const ag_input_file *all_inputs(const ag_urdf *doc, const ag_script *script, int *count,
                                       ag_arena *arena) {
  const ag_sources *layout = ag_script_sources(script);
  ag_input_file *inputs = ag_alloc(arena, (size_t)(layout->count + 1) * sizeof *inputs);
  inputs[0] = (ag_input_file){
      .path = doc->path, .name = ag_base_name(doc->path), .text = doc->text, .length = doc->length};
  for (int i = 0; i < layout->count; i++) inputs[i + 1] = layout->list[i].file;
  *count = layout->count + 1;
  return inputs;
}

static bool write_depfile(const char *path, const char *header, const char *source,
                          const ag_header_options *options, ag_arena *arena, ag_err *err) {
  const char *targets[] = {header, source}, *text;
  return ag_depfile_text(targets, source ? 2 : 1, options->inputs, options->ninputs, &text, arena,
                         err) &&
         ag_write_file(path, text, err);
}

bool ag_description_text(const ag_options *a, const ag_urdf *doc, const ag_header *header,
                         const ag_script *script, const char **text, ag_arena *arena, ag_err *err) {
  ag_description_source source = {.model = ag_script_model(script),
                                  .reduced = ag_script_reduced(script),
                                  .header = header,
                                  .command = a->command,
                                  .layout = ag_script_sources(script)};
  source.inputs = all_inputs(doc, script, &source.ninputs, arena);
  return ag_describe_json(&source, text, err);
}

/* More products than this take seconds. */
static const double most_effort = 3e7;

/* Compares the functions with the equations of motion, and has the banner say so. */
static bool prove(const ag_options *a, const ag_urdf *doc, ag_header *header, ag_script *script,
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
  if (to_stdout) {
    fputs(text, stdout);
    return true;
  }
  if (a->depfile && !write_depfile(a->depfile, path, NULL, &inside, arena, err)) return false;
  return ag_write_file(path, text, err);
}

bool ag_write_header(const ag_options *a, const ag_urdf *doc, ag_header *header, ag_script *script,
                     ag_arena *arena, ag_err *err) {
  /* without the line of the proof: --describe proves nothing */
  const char *description = NULL;
  if (a->mode == AG_MODE_SHARED &&
      !ag_description_text(a, doc, header, script, &description, arena, err))
    return false;
  if (a->points > 0 && !prove(a, doc, header, script, err)) return false;
  const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
  const char *default_name = ag_printf(arena, "%s_achd.h", header->prefix);
  const char *path = a->output && !to_stdout ? a->output : default_name;
  int ninputs;
  const ag_input_file *inputs = all_inputs(doc, script, &ninputs, arena);
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
  if (to_stdout) {
    fputs(text, stdout);
    return true;
  }
  const char *source = body ? ag_printf(arena, "%.*s.c", (int)length - 2, path) : NULL;
  if (a->depfile && !write_depfile(a->depfile, path, source, &options, arena, err)) return false;
  const ag_output files[] = {{path, text}, {source, body}};
  return ag_write_files(files, source ? 2 : 1, err);
}

bool ag_spare_files(const ag_options *a, ag_err *err) {
  const char *const in[] = {a->urdf, a->layout, a->scene, a->description},
                    *const out[] = {a->output,  a->depfile, a->svg, a->dot,
                                    a->mermaid, a->mjcf,    a->page};
  enum { INPUTS = sizeof in / sizeof *in, OUTPUTS = sizeof out / sizeof *out };
  for (int k = 0; k < OUTPUTS; k++) {
    if (!out[k] || strcmp(out[k], "-") == 0 || strncmp(out[k], "/dev/", 5) == 0) continue;
    for (int i = 0; i < INPUTS; i++)
      if (in[i] && strcmp(in[i], "-") != 0 && ag_same_file(out[k], in[i]))
        return ag_fail(err, out[k], 0, "name another file to write",
                       "is read, and would be written over");
    for (int i = 0; i < k; i++)
      if (out[i] && strcmp(out[i], out[k]) == 0)
        return ag_fail(err, out[k], 0, "give each its own name", "would be written twice");
  }
  return true;
}

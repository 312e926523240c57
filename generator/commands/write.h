/* SPDX-License-Identifier: MIT */
/* write.h: a header into its file, with what stands beside it: the source of --mode split
 * and shared, the
 * --depfile. */
#ifndef AG_WRITE_H
#define AG_WRITE_H

#include "commands/options.h"
#include "script/script.h"

/* Where nothing gains by --lanes 1, as a note says: `plain`, which becomes the same options without it. */
const ag_options *ag_without_lanes(const ag_options *options, ag_options *plain);

/* What --describe prints of the header that the options are for. */
bool ag_description_text(const ag_options *options, const ag_urdf *doc, const ag_header *header,
                         const ag_script *script, const char **text, ag_err *err);

/* The robot's file, and those that it includes or whose meshes were read; with room for so many more. */
ag_input_file *ag_robot_inputs(const ag_urdf *doc, int room, int *count, ag_arena *arena);

/* The robot's files, the layout and what it includes. */
const ag_input_file *ag_all_inputs(const ag_urdf *doc, const ag_script *script, int *count,
                                   ag_arena *arena);

/* Compares the functions with the equations of motion, and has the banner say so. */
bool ag_prove_header(const ag_options *options, const ag_urdf *doc, ag_header *header,
                     ag_script *script, ag_err *err);

/* Fails where an output is a mesh of the robot. */
bool ag_spare_robot(const ag_options *options, const ag_urdf *doc, ag_err *err);

/* On failure no file is changed. */
bool ag_write_header(const ag_options *options, const ag_urdf *doc, ag_header *header,
                     ag_script *script, ag_arena *arena, ag_err *err);

#endif

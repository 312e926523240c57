/* SPDX-License-Identifier: MIT */
/* sdf_frames.h: the frames of an SDF model: of models, links, joints and <frame>, each relative to
 * another one. */
#ifndef AG_SDF_FRAMES_H
#define AG_SDF_FRAMES_H

#include "model/document.h"
#include "model/markup.h"
#include "model/pose.h"

#include <stdbool.h>

typedef enum ag_sdf_kind { AG_SDF_MODEL, AG_SDF_LINK, AG_SDF_JOINT, AG_SDF_FRAME } ag_sdf_kind;

/* Names are those of the file behind the names of the models that they stand in: "arm::elbow". A
 * model's own frame is called as the model is; that of the outermost one "__model__". */
typedef struct ag_sdf_frame {
  const char *name;
  ag_sdf_kind kind;
  const ag_element *element;
  const char *scope;    /* of the model that it stands in: "", "arm::" */
  const char *relative; /* the frame that its pose is relative to */
  const char *attached; /* of a <frame>: what it moves with; of others NULL */
  ag_pose raw, pose;    /* as written; in the outermost model's frame */
  int state;            /* 0: not found yet, 1: being found, 2: found */
} ag_sdf_frame;

typedef struct ag_sdf {
  ag_urdf *doc;
  ag_arena *arena;
  ag_err *err;
  int minor; /* of the version 1.minor */
  ag_sdf_frame *frames;
  int nframes;
} ag_sdf;

/* Three numbers, or any count, of an element's text; false: the error says why. */
bool ag_sdf_numbers(const ag_sdf *s, const ag_element *element, int count, ag_decimal *out);

/* One number of a child; stays as it is where there is none. */
bool ag_sdf_number(const ag_sdf *s, const ag_element *parent, const char *name, double *out);

/* The text of a child without the blanks around it; NULL: there is none. */
const char *ag_sdf_text(const ag_sdf *s, const ag_element *parent, const char *name);

/* The <pose> of an element; identity where it has none. */
bool ag_sdf_pose(const ag_sdf *s, const ag_element *parent, ag_pose *pose);

/* The name of a frame that stands in a scope, as files name it there. */
const char *ag_sdf_name(const ag_sdf *s, const char *scope, const char *name);

/* NULL: there is none. */
ag_sdf_frame *ag_sdf_find(const ag_sdf *s, const char *name);

/* The poses of all frames in the outermost model's. */
bool ag_sdf_resolve(ag_sdf *s);

/* The link that a frame moves with; NULL: the error says why. */
const ag_sdf_frame *ag_sdf_link_of(const ag_sdf *s, const ag_sdf_frame *frame);

#endif

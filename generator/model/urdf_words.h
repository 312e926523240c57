/* SPDX-License-Identifier: MIT */
/* urdf_words.h: the elements and attributes of a URDF, and signs of what is none. */
#ifndef AG_URDF_WORDS_H
#define AG_URDF_WORDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ag_often {
  AG_ONCE,
  AG_FIRST,
  AG_MANY
} ag_often; /* FIRST: of several, the first counts */

/* What may stand in what. */
typedef struct ag_urdf_element {
  const char *parent, *name;
  const char *attributes; /* the known ones, each between blanks; NULL: the element is ignored */
  ag_often often;
} ag_urdf_element;

/* NULL: URDF has no element `name` in `parent`. */
const ag_urdf_element *ag_urdf_element_find(const char *parent, const char *name);

/* Of an element that says nothing about the dynamics, wherever it stands: what is lost with it.
 * NULL: it is none of these. */
const char *ag_urdf_ignored(const char *name);

typedef enum ag_joint_type {
  AG_FIXED,
  AG_REVOLUTE,
  AG_CONTINUOUS,
  AG_PRISMATIC,
  AG_PLANAR,
  AG_FLOATING,
  AG_BALL,     /* of a document alone: models have their axes as joints of their own */
  AG_UNIVERSAL /* so, too */
} ag_joint_type;

/* As a URDF writes them, those of models; NULL behind the last. */
extern const char *const ag_joint_type_names[AG_FLOATING + 2];

/* The attributes of a shape: of its <origin>, then its own. */
enum ag_look {
  AG_LOOK_XYZ,
  AG_LOOK_RPY,
  AG_LOOK_SIZE,
  AG_LOOK_RADIUS,
  AG_LOOK_LENGTH,
  AG_LOOK_FILE,
  AG_LOOK_TEXTS
};
extern const char *const ag_look_words[AG_LOOK_TEXTS];

/* A robot's name from that of its file; NULL: it gives none. */
const char *ag_urdf_name_of_file(const char *path, size_t longest, ag_arena *arena);

/* Whether the text of a limit means that there is none. */
bool ag_urdf_no_limit(const char *text);

/* What to do about a file that is no well-formed XML. */
const char *ag_urdf_other_text(const char *path, ag_arena *arena);

/* The elements by which xacro makes a file of another one. Every other one calls a macro. */
bool ag_xacro_makes_text(const char *name);
/* Whether a text contains an expression of xacro, ${..} or $(..). */
bool ag_xacro_is_expression(const char *text);

/* What a file is whose first bytes are those of another format; NULL: they are not. */
const char *ag_other_bytes(const char *bytes, size_t size);

/* What else the file may be, from its root element. */
const char *ag_other_format(const char *root);

#endif

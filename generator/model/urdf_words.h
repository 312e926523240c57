/* urdf_words.h: the elements and attributes of a URDF, and signs of what is none. */
#ifndef AG_URDF_WORDS_H
#define AG_URDF_WORDS_H

#include <stdbool.h>

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

/* Whether an element says nothing about the dynamics, wherever it stands. */
bool ag_urdf_ignores(const char *name);

/* The elements by which xacro makes a file of another one. Every other one calls a macro. */
bool ag_xacro_makes_text(const char *name);
/* Whether a text contains an expression of xacro, ${..} or $(..). */
bool ag_xacro_is_expression(const char *text);

/* What else the file may be, from its root element. */
const char *ag_other_format(const char *root);

#endif

/* markup.h: XML text to a tree of elements. The only step that knows libxml2.
 *
 * The tree says what the file says: names, attributes as texts, elements with their line. No
 * network, no entities, bounded depth and size. */
#ifndef AG_MARKUP_H
#define AG_MARKUP_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ag_attribute {
  const char *name;  /* without its prefix, unless nobody declared that */
  const char *value; /* as the file has it */
  bool foreign;      /* of somebody else's namespace */
  struct ag_attribute *next;
} ag_attribute;

typedef struct ag_element {
  const char *name;   /* `name` or `prefix:name` */
  const char *local;  /* without a declared prefix */
  const char *uri;    /* the namespace; NULL: none */
  const char *prefix; /* NULL: none */
  const char *path;   /* the file */
  int line;
  const char *text;         /* between its tags; SDF's only, NULL elsewhere */
  ag_attribute *attributes; /* in the order of the file */
  struct ag_element *parent, *children, *last, *next;
} ag_element;

/* An XML file's bytes, and the bounds within which it is read. */
typedef struct ag_markup {
  const char *path; /* as messages name it */
  const char *bytes;
  size_t size;
  const char *kind; /* "a URDF": what messages call it */
  int nesting;      /* how deep such a file nests, for a message; 0: as deep as its bodies */
} ag_markup;

/* The root element; NULL: the error says why. */
ag_element *ag_markup_read(const ag_markup *file, ag_arena *arena, ag_err *err);

/* Whether an element has this name, without a prefix. */
bool ag_element_is(const ag_element *element, const char *name);

/* The first child of this name; NULL: none. */
const ag_element *ag_element_child(const ag_element *parent, const char *name);

/* The text of an attribute that is of no namespace; NULL: there is none. */
const char *ag_element_text(const ag_element *element, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
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
  const char *text;         /* between its tags; where the language has texts */
  ag_attribute *attributes; /* in the order of the file */
  struct ag_element *parent, *children, *last, *next;
} ag_element;

/* A language of robots' files. */
typedef struct ag_language {
  const char *root;  /* its root element */
  const char *file;  /* "a URDF": what messages call a file of it */
  int deepest;       /* how many elements may stand in each other */
  const char *usual; /* how many do, as messages say it; NULL: as many as the robot has bodies */
  bool has_texts;    /* what stands between tags counts */
} ag_language;

extern const ag_language ag_language_urdf, ag_language_mjcf, ag_language_sdf;

/* The language of a file's root element, before it is parsed, from bytes without comments; a URDF, where it is
 * none of these. */
const ag_language *ag_language_of(const char *bytes, size_t size);

/* An XML file's bytes. */
typedef struct ag_markup {
  const char *path; /* as messages name it */
  const char *bytes;
  size_t size;
  const ag_language *language; /* within whose bounds it is read */
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

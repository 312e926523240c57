/* SPDX-License-Identifier: MIT */
/* json.h: JSON text (RFC 8259), written value by value: indented, members in the order written. */
#ifndef AG_JSON_H
#define AG_JSON_H

#include "base/text.h"

#include <stdbool.h>

typedef struct ag_json {
  ag_text text;
  int depth;     /* of open arrays and objects */
  bool first;    /* nothing stands yet in the innermost of them */
  bool flat;     /* what is open stands on one line */
  int flat_from; /* depth at which that began */
  bool named;    /* a member's name has just been written */
} ag_json;

ag_json ag_json_begin(ag_arena *arena);

/* Opens an array [ or an object {; on_line: it and what is in it stand on one line. */
void ag_json_open(ag_json *json, char bracket, bool on_line);
/* Closes it by ] or }. */
void ag_json_close(ag_json *json, char bracket);

/* The name of the next value, inside an object. */
void ag_json_name(ag_json *json, const char *name);

/* A string; NULL: null. Bytes that are not UTF-8 become U+FFFD. */
void ag_json_string(ag_json *json, const char *text);
/* The shortest decimal that reads back as the same double; null where it is NaN or infinite. */
void ag_json_number(ag_json *json, double value);
void ag_json_integer(ag_json *json, long value);
void ag_json_boolean(ag_json *json, bool value);

#endif

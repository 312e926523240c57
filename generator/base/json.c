/* SPDX-License-Identifier: MIT */
/* json.c: see json.h */
#include "base/json.h"

#include <math.h>

ag_json ag_json_begin(ag_arena *arena) {
  return (ag_json){.text = {.arena = arena}, .first = true};
}

static void new_line(ag_json *j) {
  if (j->flat) return;
  ag_text_add(&j->text, "\n%*s", 2 * j->depth, "");
}

/* What stands before a value: a comma, its line, nothing behind its name. */
static void before(ag_json *j) {
  if (j->named) {
    j->named = false;
    return;
  }
  if (j->depth == 0) return;
  if (!j->first) ag_text_add(&j->text, j->flat ? ", " : ",");
  new_line(j);
  j->first = false;
}

void ag_json_open(ag_json *j, char bracket, bool on_line) {
  before(j);
  ag_text_put(&j->text, &bracket, 1);
  j->depth++;
  j->first = true;
  if (on_line && !j->flat) {
    j->flat = true;
    j->flat_from = j->depth;
  }
}

void ag_json_close(ag_json *j, char bracket) {
  j->depth--;
  if (!j->first) new_line(j);
  ag_text_put(&j->text, &bracket, 1);
  j->first = false;
  if (j->flat && j->depth < j->flat_from) j->flat = false;
  if (j->depth == 0) ag_text_add(&j->text, "\n");
}

/* How many bytes the UTF-8 character has that begins here; 0: there is none. */
static int character(const unsigned char *c) {
  if (*c < 0x80) return 1;
  const int length = *c >= 0xc2 && *c < 0xe0   ? 2
                     : *c >= 0xe0 && *c < 0xf0 ? 3
                     : *c >= 0xf0 && *c < 0xf5 ? 4
                                               : 0;
  for (int k = 1; k < length; k++)
    if ((c[k] & 0xc0) != 0x80) return 0;
  /* overlong, surrogate, above U+10FFFF */
  if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) || (*c == 0xf0 && c[1] < 0x90) ||
      (*c == 0xf4 && c[1] > 0x8f))
    return 0;
  return length;
}

static void quoted(ag_text *text, const char *string) {
  ag_text_add(text, "\"");
  for (const unsigned char *c = (const unsigned char *)string; *c;) {
    const int length = character(c);
    if (length == 0)
      ag_text_add(text, "\\ufffd");
    else if (*c == '"' || *c == '\\')
      ag_text_add(text, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f)
      ag_text_add(text, "\\u%04x", *c);
    else
      ag_text_put(text, (const char *)c, (size_t)length);
    c += length ? length : 1;
  }
  ag_text_add(text, "\"");
}

void ag_json_name(ag_json *j, const char *name) {
  before(j);
  quoted(&j->text, name);
  ag_text_add(&j->text, ": ");
  j->named = true;
}

void ag_json_string(ag_json *j, const char *text) {
  before(j);
  if (text)
    quoted(&j->text, text);
  else
    ag_text_add(&j->text, "null");
}

void ag_json_number(ag_json *j, double value) {
  before(j);
  ag_text_add(&j->text, "%s", isfinite(value) ? ag_decimal_text(j->text.arena, value) : "null");
}

void ag_json_integer(ag_json *j, long value) {
  before(j);
  ag_text_add(&j->text, "%ld", value);
}

void ag_json_boolean(ag_json *j, bool value) {
  before(j);
  ag_text_add(&j->text, value ? "true" : "false");
}

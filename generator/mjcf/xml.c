/* SPDX-License-Identifier: MIT */
/* xml.c: see xml.h */
#include "mjcf/xml.h"

const char *ag_xml_escape(const char *text, ag_arena *arena) {
  ag_text escaped = {.arena = arena};
  for (const char *at = text; *at; at++) {
    const unsigned char c = (unsigned char)*at;
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c < ' ')
      ag_text_add(&escaped, "&#%d;", c);
    else
      ag_text_put(&escaped, at, 1);
  }
  return escaped.chars ? escaped.chars : "";
}

void ag_xml_add(ag_text *xml, const char *name, const char *value) {
  ag_text_add(xml, " %s=\"%s\"", name, ag_xml_escape(value, xml->arena));
}

void ag_xml_add_numbers(ag_text *xml, const char *name, const double *values, int count) {
  ag_text_add(xml, " %s=\"", name);
  for (int i = 0; i < count; i++) ag_text_add(xml, "%s%.17g", i ? " " : "", values[i] + 0.0);
  ag_text_add(xml, "\"");
}

void ag_xml_add_number(ag_text *xml, const char *name, double value) {
  ag_xml_add_numbers(xml, name, &value, 1);
}

/* SPDX-License-Identifier: MIT */
/* xml.h: attributes of XML elements as text. */
#ifndef AG_XML_H
#define AG_XML_H

#include "base/text.h"

/* A text as an attribute's value, without the quotes: any name of a URDF may stand there. */
const char *ag_xml_escape(const char *text, ag_arena *arena);

/* Adds ` name="value"`. */
void ag_xml_add(ag_text *xml, const char *name, const char *value);

/* Adds ` name="1 2 3"`, each number with the digits that bring back the very same double. */
void ag_xml_add_numbers(ag_text *xml, const char *name, const double *values, int count);
/* The same with one number. */
void ag_xml_add_number(ag_text *xml, const char *name, double value);

#endif

/* SPDX-License-Identifier: MIT */
/* whole_way.h: what the targets share: a robot and a layout, from files to a program in memory, its
 * numbers and its text; a description to its tables. Aborts where a failure says nothing, or calls
 * itself a defect. */
#ifndef WHOLE_WAY_H
#define WHOLE_WAY_H

#include <stddef.h>
#include <stdint.h>

/* Writes a file of the working folder; aborts where that is not possible. */
void put_file(const char *name, const void *bytes, size_t size);

/* A description to its text and drawing. kind: of ag_description_kind. */
void whole_description(const char *path, int kind);

/* A state machine of coord-dsl to its tables; it is written again, and what is written has to be good. */
void whole_fsm(const char *path);

/* layout: path, or NULL. choice: functions, precision and mode go by it. */
void whole_way(const char *urdf, const char *layout, unsigned choice);

#endif

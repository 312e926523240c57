/* SPDX-License-Identifier: MIT */
/* compose.h: links and joints put into a document one by one, by readers of languages that are no URDF. */
#ifndef AG_COMPOSE_H
#define AG_COMPOSE_H

#include "model/document.h"
#include "model/markup.h"
#include "model/pose.h"

/* The line of an element in the file that the user named: of another file's, that of the element that
 * includes it. */
int ag_document_line(const ag_urdf *doc, const ag_element *element);

/* Notes a file that the document is made of, too, once. */
void ag_document_note(ag_urdf *doc, const char *path, ag_arena *arena);

/* An element or an attribute that nobody reads: a warning, and a loss. what: "unknown element <x>". */
void ag_document_ignore(ag_urdf *doc, const ag_element *element, const char *what, ag_arena *arena);

/* The root of a file of another path that an element includes. The file is noted. NULL: the error
 * says why. */
ag_element *ag_document_include(ag_urdf *doc, const ag_element *from, const char *path,
                                const ag_language *language, ag_arena *arena, ag_err *err);

bool ag_document_has_link(const ag_urdf *doc, const char *name);

/* Appends a massless link. The pointer holds until the next is added. */
ag_urdf_link *ag_document_link(ag_urdf *doc, const char *name, int line, ag_arena *arena);

/* Appends a joint. */
void ag_document_joint(ag_urdf *doc, const ag_urdf_joint *joint, ag_arena *arena);

/* Appends a fixed joint CHILD__fixed between two links. */
void ag_document_fix(ag_urdf *doc, const char *parent, const char *child, const ag_urdf_pose *pose,
                     ag_arena *arena);

/* A joint at the origin, all of whose lines are this one, without limits, friction and parent. */
ag_urdf_joint ag_joint_without_limits(const char *name, ag_joint_type type, int line);

/* A pose as a document has it, and back, where it has the rotation by rows. */
ag_urdf_pose ag_document_pose(const ag_pose *pose, int line, ag_arena *arena);
ag_pose ag_pose_of_document(const ag_urdf_pose *pose);

#endif

/* svg.h: a robot under a layout as a drawing: its kinematic tree with joints, bodies and the frames
 * on them, masses, constraint groups and wrenches (--inspect --svg). */
#ifndef AG_SVG_H
#define AG_SVG_H

#include "model.h"
#include "program.h"

/* The text of an SVG 1.1 file. Same inputs, same bytes. */
const char *ag_svg(const ag_model *model, const ag_reduced *reduced, const ag_header *header);

#endif

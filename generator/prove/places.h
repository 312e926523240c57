/* SPDX-License-Identifier: MIT */
/* places.h: where a body stands in its parent, by the position of its joint; how a moving base is turned. */
#ifndef AG_PLACES_H
#define AG_PLACES_H

#include "prove/point.h"
#include "prove/problem.h"

typedef struct ag_spot { /* of a joint: its position, and where it turns cosine and sine of that */
  ag_number q, c, s;
} ag_spot;

/* With cosine and sine of q, and of an angle that changes their rates. */
ag_spot ag_spot_at(ag_number q);

/* The axes of a moving base in the world. */
ag_mat ag_base_axes(const ag_point *point);

/* Of a body in its parent; *axis: of its joint there. */
ag_exact_pose ag_body_place(const ag_point *point, const ag_solid *b, const ag_spot *at,
                            ag_vec *axis);

#endif

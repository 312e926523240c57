/* SPDX-License-Identifier: MIT */
/* correspondence.h: which nodes of limbs correspond. */
#ifndef AG_CORRESPONDENCE_H
#define AG_CORRESPONDENCE_H

#include "limbs/vectorizer.h"

/* The set, limb and place of a joint; false: it is in no limb. */
bool ag_find_limb(const vectorizer *q, int joint, int *set, int *limb, int *place);
uint64_t ag_limb_bit(const vectorizer *q, int set, int limb);
/* The joint that an element of a quantity belongs to: its own, or that of its row; AG_NO_JOINT.
 * which: of the joint's rows. */
int ag_joint_of_element(const vectorizer *q, const ag_list *list, int element, int *which);
int ag_quantity_of_element(const ag_list *list, int element);
/* Marks what only one limb's results are made of: what the rest of the robot does to the limb. */
void ag_look_back(vectorizer *q);
/* Fills what is known of a node, whose operands have been looked at. */
void ag_look_at(vectorizer *q, ag_id id);
/* How alike two nodes of different limbs are, from 0 to 1000. */
int ag_alike(const vectorizer *q, ag_id a, ag_id b);
enum { ALIKE = 500 }; /* enough to be paired */

#endif

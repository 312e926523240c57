/* SPDX-License-Identifier: MIT */
/* joints.h: what moves a robot, and how: joints, mimics, actuators, the posture to begin with. */
#ifndef AG_JOINTS_H
#define AG_JOINTS_H

#include "base/note.h"
#include "base/text.h"
#include "mjcf/world.h"

/* Adds the joints of a base that moves: a free joint, or base_x, base_y and base_yaw. */
void ag_base_joints_add(ag_text *xml, const ag_world *world, const ag_tree *tree);

/* Adds the joint that carries a link: rotor, friction, damping and limits. */
void ag_joint_add(ag_text *xml, const ag_world *world, const ag_tree *tree, int link,
                  ag_note **notes, int *nnotes);

/* Adds the closed loops of the robot's file, and q = multiplier q_leader + offset of each joint that mimics
 * another. Notes the loops that it leaves out. */
void ag_equalities_add(ag_text *xml, const ag_world *world, const ag_tree *tree, ag_note **notes,
                       int *nnotes);

/* Adds four motors by joint: JOINT_force, JOINT_position, JOINT_velocity [N m, N] and JOINT_current
 * [A]. None has gains of its own: with ctrl 0 none acts. */
void ag_actuators_add(ag_text *xml, const ag_world *world, const ag_tree *tree);

/* Adds the gains of the scene as numbers JOINT_servo: kp, kd. */
void ag_servos_add(ag_text *xml, const ag_world *world, const ag_tree *tree);

/* Adds the keyframe "home": all positions to begin with. */
void ag_posture_add(ag_text *xml, const ag_world *world, const ag_tree *tree);

#endif

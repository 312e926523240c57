/* SPDX-License-Identifier: MIT */
/* object.h: tasks in the frame of an object that moves: a door, a person, another robot, a part on a
 * belt. The motion frames and the orientation of the task are then given in the object's frame; the
 * tool is measured relative to it, and the command follows it. The object's pose, twist and
 * acceleration are inputs of every cycle.
 *
 *   achd_object_tool(&object, &tool, &relative);
 *   seen = achd_task_watch(&run, &relative, period);
 *   achd_task_examine(&run, &relative, mode, &errors);
 *   achd_task_control(&run, &relative, &errors, saturated, &command);
 *   achd_object_command(&object, &tool, &command);
 *
 * achd_loop does this for states that name an object (loop.h). The tool may be an arm's or a mobile
 * base itself: what counts is its pose, twist and wrench. */
#ifndef ACHD_OBJECT_H
#define ACHD_OBJECT_H

#include <achd/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Motion of the object's frame with respect to the robot's base: twist and acceleration at its
 * origin, along the axes of the base; the acceleration is the classical one, and 0 where it is not
 * known: the tool then stays behind while the object accelerates. */
typedef struct achd_object_state {
  achd_pose pose;
  achd_twist twist;
  achd_twist acceleration; /* [m/s^2, rad/s^2] */
} achd_object_state;

/* The tool as the object sees it, with r from the object's origin to the tool's and R the object's
 * orientation:
 *
 *   p' = R^T r,  R' = R^T R_tool,  v' = R^T (v - v_o - w_o x r),  w' = R^T (w - w_o)
 *
 * and the wrench along the object's axes. Returns false if a number of these or of a pose is not
 * finite; pose and twist of the result are infinite then, which the functions of a task tell. */
bool achd_object_tool(const achd_object_state *object, const achd_tool_state *tool,
                      achd_tool_state *relative);

/* Turns a command for the relative tool into that for the robot: axes and wrench along the axes of
 * the base, and to the set-points of active rows what the object's motion adds, along these axes:
 *
 *   a_o + dw_o x r + w_o x (w_o x r) + 2 w_o x (v - v_o - w_o x r),   dw_o + w_o x (w - w_o)
 *
 * Returns false if a number is not finite: then the whole command is 0 and no row is active. */
bool achd_object_command(const achd_object_state *object, const achd_tool_state *tool,
                         achd_task_command *command);

#ifdef __cplusplus
}
#endif

#endif

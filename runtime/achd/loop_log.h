/* SPDX-License-Identifier: MIT */
/* loop_log.h: all signals of a control loop (achd/loop.h) as the columns of a log (achd/log.h):
 *
 *   q, qd                 readings of the joints, as used [rad, rad/s]
 *   tau, qdd              commanded torque [N m]; the solution's accelerations [rad/s^2]
 *   push                  measured wrench on the tool, base axes [N, N m]
 *   tool                  position [m], rotation vector [rad], velocity [m/s] and angular velocity
 *                         [rad/s] of the tool frame, base axes
 *   error, b, mask        of each direction of the task, in the unit of its set-point
 *   press                 artificial wrench on the tool, base axes [N, N m]
 *   state, section        of the machine, of the task's path
 *   mode, fault, seen     achd_loop_mode, bits of achd_loop_fault and of achd_task_event
 *   contact.losses        contacts lost of late [1/s] (achd/chatter.h)
 *   watch.seen            bits of achd_tool_seen (achd/tool_watch.h)
 *   event                 1 if the machine's event was raised in this cycle
 *
 * Units of joints are those of revolute joints: a prismatic joint has m in place of rad and N in
 * place of N m. */
#ifndef ACHD_LOOP_LOG_H
#define ACHD_LOOP_LOG_H

#include <achd/log.h>
#include <achd/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of signals of a loop. */
enum { ACHD_LOOP_SIGNALS = 4 * ACHD_LOOP_JOINTS + 49 + ACHD_MACHINE_MOST };

/* Fills the list of the loop's signals. joints: their names, or NULL: they are numbered from 1.
 * Names are not copied. Returns the number of signals, or 0 if an argument is NULL or the setup
 * has too many joints or events. */
int achd_loop_signals(const achd_loop_setup *setup, const char *const *joints,
                      achd_signal signals[ACHD_LOOP_SIGNALS]);

/* Fills their values after a cycle, and returns their number; 0 if the loop has not been started.
 * Before the first valid reading the tool's values are 0. */
int achd_loop_values(const achd_loop *loop, achd_real values[ACHD_LOOP_SIGNALS]);

#ifdef __cplusplus
}
#endif

#endif

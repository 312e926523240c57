/* SPDX-License-Identifier: MIT */
/* loop_joints.h: whether what the sensors of the joints say can be. Inside the library. */
#ifndef ACHD_LOOP_JOINTS_H
#define ACHD_LOOP_JOINTS_H

#include <achd/loop.h>

/* The guard of a joint; all of it is off where the setup has none. */
static inline const achd_loop_guard *achd_loop_guard_of(const achd_loop *loop, int j) {
  static const achd_loop_guard off = {0, 0, 0, 0, 0, 0};
  const achd_loop_guard *guards = loop->setup->watch.joints;
  return guards ? &guards[j] : &off;
}

/* Cycles without a valid reading after which the drives are disabled. */
static inline int achd_loop_blind_cycles(const achd_loop *loop) {
  enum { DEFAULT = 5 };
  const int cycles = loop->setup->watch.blind_cycles;
  return cycles > 0 ? cycles : DEFAULT;
}

/* Follows all joints from their last readings to these, finite ones, after loop->unread; false: the
 * reading of one cannot be. */
bool achd_loop_plausible(achd_loop *loop, const achd_measurement *measured);

/* Whether a joint's reading has stayed the same for longer than it may be repeated, although its
 * velocity is not 0: nothing that has to be braked by this velocity. */
bool achd_loop_stuck(const achd_loop *loop, int j);

/* By how much of the way what is low-passed or fades with this time constant follows [s], [1]. */
static inline achd_real achd_loop_share(achd_real time, achd_real constant) {
  return time < constant ? time / constant : 1;
}

/* Asks the model how the joints move under the torques that are commanded now. */
void achd_loop_predict(achd_loop *loop);

/* Whether all motors have torque, as far as the joints' readings of this cycle tell; period: time since
 * the last ones [s]. */
bool achd_loop_motors_work(achd_loop *loop, achd_real period);

/* Forgets what the motor did before. */
void achd_loop_forget_motor(achd_loop_memory *m);

/* Whether a joint that is braked with a torque [N m; N] in this cycle slows down, or has only been braked
 * for a moment. */
bool achd_loop_slows(achd_loop *loop, int j, achd_real torque, achd_real period);

#endif

/* SPDX-License-Identifier: MIT */
/* loop_wrench.h: the measured wrench in the loop: conditioned, and whether it can be. Inside the library. */
#ifndef ACHD_LOOP_WRENCH_H
#define ACHD_LOOP_WRENCH_H

#include <achd/loop.h>

/* Takes a fresh, finite reading of the wrench: loop->measured.wrench without tare and load, loop->tool.wrench
 * low-passed, loop->wrench.fed. False: no motor could bear it; the tool's wrench then stays as it was. */
bool achd_loop_take_wrench(achd_loop *loop, const achd_wrench *reading);

/* What of the accelerations qdd, which the model predicts for the torques that are commanded now, the measured
 * wrench does. */
void achd_loop_predict_wrench(achd_loop *loop, const achd_real *qdd);

/* Renews loop->task.damping: along and about each axis n of the force frame, with the Jacobian's columns J_j and the gains
 * of the joints' brakes g_j,
 *
 *   D = 1 / sum over j of (n . J_j)^2 / g_j,
 *
 * the strongest damper J^T n D n^T J that brakes no motion of the joints more than their brakes do: what is no more
 * than well below inertia / (period + age of the readings) of each joint, as `hold` asks for, is so along n. */
void achd_loop_damp(achd_loop *loop);

/* Renews loop->task.acceleration, by the accelerations of the joints that the model gave for the torques of the last
 * cycle, and what these were wrong by in the last 20 ms, as by friction; 0 where it has given none. */
void achd_loop_accelerate(achd_loop *loop);

/* Whether the joints move as the measured wrench says, as far as their readings of this cycle tell. */
bool achd_loop_wrench_shows(achd_loop *loop, achd_real period);

/* Whether the joints bear more than gravity and the measured wrench, as those of an arm do that is held up by
 * something else than its tool: low-passed, of joints that rest or hardly move. False without a wrench. */
bool achd_loop_bears_elsewhere(achd_loop *loop, achd_real period);

/* Whether the joints, moving or not, do what neither the model's accelerations nor the measured wrench explain, by 15 % of the
 * effort of one of them, low-passed. False without accelerations. */
bool achd_loop_is_pushed(achd_loop *loop, achd_real period);

#endif

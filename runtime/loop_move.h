/* SPDX-License-Identifier: MIT */
/* loop_move.h: moves of the joints by the loop. Inside the library. */
#ifndef ACHD_LOOP_MOVE_H
#define ACHD_LOOP_MOVE_H

#include <achd/loop.h>

/* Whether a state's move can be carried out by a robot, but for where its joints will be; NULL cannot. */
bool achd_loop_move_valid(const achd_loop_move *move, const achd_loop_robot *robot);

/* Torques of this cycle of a move into loop->solution; period: since the last cycle [s]. The first call after
 * moved_for has been made negative plans it from the joints' readings. Returns bits of achd_loop_fault. */
unsigned achd_loop_move_step(achd_loop *loop, const achd_loop_move *move, achd_real period);

/* Whether the time of the move is over and all joints have arrived. */
bool achd_loop_moved(const achd_loop *loop, const achd_loop_move *move);

#endif

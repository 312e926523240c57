/* SPDX-License-Identifier: MIT */
/* board.h: what the loop asks of a board: a clock and a watchdog. */
#ifndef BOARD_H
#define BOARD_H

/* Starts the clock, `frequency` ticks per second, and the watchdog: it warns (NMI) when not fed for
 * `patience` ticks and resets after as many more. */
void board_start(unsigned frequency, unsigned patience);

/* Sleeps until the next tick. Returns the ticks that went by before the call: 0 in time, more where
 * the last cycle took too long. */
unsigned board_wait_for_tick(void);

void board_feed_watchdog(void);

#endif

/* SPDX-License-Identifier: MIT */
/* chatter.h: whether a tool that presses chatters: it leaves what it presses and hits it again, many
 * times a second, as on a contact that is harder than the force controller bears. The mean force may
 * be right all the while, and no task and no fault tells of it. */
#ifndef ACHD_CHATTER_H
#define ACHD_CHATTER_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One that has been reset is all zero. */
typedef struct achd_chatter {
  bool touching;    /* the force has been above the set-point, and not below a tenth of it since */
  achd_real losses; /* contacts lost of late [1/s] */
  bool chatters;    /* more than 20 of them a second; until fewer than 10 */
} achd_chatter;

/* Takes the force of a cycle: the size of what is measured [N]. A contact is made where the force
 * reaches the set-point, and lost where it falls to a tenth of it. With s = 1 in a cycle that loses
 * one, otherwise 0, losses are counted and forgotten within a second:
 *
 *   n += s - n T / (1 s)
 *
 * so that n is the number of them in a second where they go on. White noise of the force does not
 * look like chatter: where each component has the standard deviation d, it crosses both bounds at
 * most 0.6 % of the cycles, whatever d is; at up to 3000 cycles a second that is no alarm.
 * set_point: the size of the desired force [N]; 0, negative or NaN: none is, and the state is
 * reset. A force that is NaN is no loss; a period that is not above 0 or above 1 s lets nothing be
 * forgotten. Returns `chatters`. */
bool achd_chatter_watch(achd_chatter *chatter, achd_real force, achd_real set_point,
                        achd_real period);

#ifdef __cplusplus
}
#endif

#endif

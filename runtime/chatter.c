/* SPDX-License-Identifier: MIT */
/* chatter.c: see achd/chatter.h */
#include <achd/chatter.h>

#include "mathematics.h"

static const achd_real gone = (achd_real)0.1;  /* of the set-point: the contact is lost [1] */
static const achd_real memory = 1;             /* in which losses are forgotten [s] */
static const achd_real begins = 20, ends = 10; /* losses that are chatter, and no longer [1/s] */

bool achd_chatter_watch(achd_chatter *chatter, achd_real force, achd_real set_point,
                        achd_real period) {
  if (!(set_point > 0)) {
    achd_clear(chatter, sizeof *chatter);
    return false;
  }
  if (period > 0 && period <= memory) chatter->losses -= chatter->losses * period / memory;
  if (force >= set_point) chatter->touching = true;
  if (chatter->touching && force <= gone * set_point) {
    chatter->touching = false;
    chatter->losses += 1;
  }
  chatter->chatters = chatter->losses > (chatter->chatters ? ends : begins);
  return chatter->chatters;
}

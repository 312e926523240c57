/* SPDX-License-Identifier: MIT */
/* one_count.c: the least and the most instructions of a function of a header made with
 * --branchless, over many states on a board.
 *   -DHEADER="masked.h" -DREAL=float -DM=maskedf_achd -DSTART=MASKEDF_ACHD_IN_DEFAULT -DSTATES=1000 */
#include HEADER

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "../branchless_states.h"
#include "effort.h"
#include "semihost.h"

static union {
  JOIN(M, _in) in;
  REAL x[sizeof(JOIN(M, _in)) / sizeof(REAL)];
} state;
static JOIN(M, _out) out;
static unsigned bits;

static void nothing(void) {}
static void achd(void) {
  bits |= M(&state.in, &out);
}

static void print(const char *label, unsigned x) {
  semihost_print(label);
  semihost_print_number((float)x, 0);
}

/* What compilers call for structs. */
void *memset(void *to, int value, size_t size) {
  volatile unsigned char *byte = to;
  for (size_t k = 0; k < size; k++) byte[k] = (unsigned char)value;
  return to;
}
void *memcpy(void *to, const void *from, size_t size) {
  volatile unsigned char *byte = to;
  for (size_t k = 0; k < size; k++) byte[k] = ((const unsigned char *)from)[k];
  return to;
}

int main(void) {
  static const JOIN(M, _in) start = START;
  unsigned least = ~0U, most = 0;
  start_timer();
  const unsigned call = effort_of(nothing).instructions;
  for (long i = 0; i < STATES; i++) {
    state.in = start;
    next_state(state.x, sizeof state / sizeof(REAL), i);
    const effort now = effort_of(achd);
    if (now.instructions < least) least = now.instructions;
    if (now.instructions > most) most = now.instructions;
  }
  print("achd ", least - call);
  print(" ", most - call);
  print(" status ", bits);
  semihost_print("\n");
  semihost_exit(0);
}

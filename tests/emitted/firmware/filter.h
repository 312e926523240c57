/* SPDX-License-Identifier: MIT */
/* filter.h: in place of standard input and output for a program on a board: states.bin,
 * answers.bin, numbers one behind the other. */
#include "file.h"

typedef float number;

static int states, answers;

static int get(number *x) {
  return file_read(states, x, sizeof *x) == sizeof *x;
}

static void put(number x) {
  file_write(answers, &x, sizeof x);
}

static void end_line(void) {}

static void fill(void *to, int byte, unsigned size) {
  for (volatile unsigned char *at = to; size > 0; size--) *at++ = (unsigned char)byte;
}

static int same(number a, number b) {
  const union {
    number x;
    uint32_t bits;
  } p = {a}, q = {b};
  return p.bits == q.bits || (a != a && b != b);
}

static int different(const char *what) {
  semihost_print(what);
  return 3;
}

static int run_achd(void);

int main(void) {
  states = file_open("states.bin", FILE_READ);
  answers = file_open("answers.bin", FILE_WRITE);
  semihost_exit(run_achd());
}

/* SPDX-License-Identifier: MIT */
/* caller.c: 64 states at random, and a function that calls an emitted one for each of them, as a control loop does. Flags:
 *   HEADER   the header
 *   NAME     the emitted function, as gen3_achd
 *   START    the macro with the default of its inputs
 *   QUAT     the base's orientation is a quaternion
 * Defines NAME_begin, which draws the states, and NAME_run. */
#include HEADER
#include <math.h>
#include <stdint.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(NAME, _in) input;
typedef JOIN(NAME, _out) output;

static input states[64];
static uint32_t bits = 1;

static double uniform(void) { /* [-1, 1) */
  bits ^= bits << 13;
  bits ^= bits >> 17;
  bits ^= bits << 5;
  return (int32_t)bits * 0x1p-31;
}

void JOIN(NAME, _begin)(void);
void JOIN(NAME, _begin)(void) {
  const input start = START;
  for (int s = 0; s < 64; s++) {
    double *x = (double *)&states[s]; /* the structs hold nothing but reals */
    states[s] = start;
    for (unsigned k = 0; k < sizeof start / sizeof *x; k++)
      if (x[k] != 1) x[k] += uniform();
#ifdef QUAT
    double *quat = &states[s].base.quat.w, squares = 0;
    for (int k = 0; k < 4; k++) squares += quat[k] * quat[k];
    for (int k = 0; k < 4; k++) quat[k] /= sqrt(squares);
#endif
  }
}

unsigned JOIN(NAME, _once)(const input *in, output *out);
unsigned JOIN(NAME, _once)(const input *in, output *out) {
  return NAME(in, out);
}

void JOIN(NAME, _run)(void);
void JOIN(NAME, _run)(void) {
  static unsigned (*volatile once)(const input *, output *) = JOIN(NAME, _once);
  output out;
  for (int s = 0; s < 64; s++) once(&states[s], &out);
}

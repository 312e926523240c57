/* SPDX-License-Identifier: MIT */
/* measure.c: instructions and stack of a solve, and of a whole cycle of the example's controller,
 * on a board, over random states. */
#include "control.h"
#include "effort.h"
#include "semihost.h"
#include "uniform.h"

enum { STATES = 200 };

static gen3f_achd_in in;
static gen3f_achd_out out;
static arm_sensors sensors;
static control_goal goal;
static control_answer answer;

static void nothing(void) {}
static void achd(void) {
  gen3f_achd(&in, &out);
}
static void cycle(void) {
  control_solve(&sensors, &goal, &answer);
}

static void next_state(void) {
  for (int i = 0; i < GEN3F_NJ; i++) {
    in.q[i] = sensors.q[i] = uniform(3.14F);
    in.qd[i] = sensors.qd[i] = uniform(2);
    in.tau_phys[i] = uniform(5);
    in.tau_art[i] = uniform(5);
  }
  for (int i = 0; i < 3; i++) {
    in.gravity[i] = uniform(10);
    in.push.lin[i] = sensors.push.lin[i] = uniform(10);
    in.push.ang[i] = sensors.push.ang[i] = uniform(1);
  }
  for (int i = 0; i < GEN3F_NR; i++) {
    in.b[i] = uniform(5);
    in.mask[i] = uniform(1) > -0.8F;
  }
  control_hold(&sensors, &goal);
}

static void print(const char *label, unsigned x) {
  semihost_print(label);
  semihost_print_number((float)x, 0);
}

static void measure(const char *name, void (*function)(void)) {
  const unsigned call = effort_of(nothing).instructions;
  unsigned least = ~0U, most = 0, stack = 0;
  for (int i = 0; i < STATES; i++) {
    next_state();
    const effort now = effort_of(function);
    if (now.instructions < least) least = now.instructions;
    if (now.instructions > most) most = now.instructions;
    if (now.stack > stack) stack = now.stack;
  }
  semihost_print(name);
  print(" ", least - call);
  print(" ", most - call);
  print(" ", stack);
  semihost_print("\n");
}

int main(void) {
  start_timer();
  measure("achd", achd);
  measure("cycle", cycle);
  semihost_exit(0);
}

/* SPDX-License-Identifier: MIT */
/* main.c: read sensors, solve, command: a thousand times a second, and what happens when that
 * fails. Once stopped, the loop runs on with the brakes on; only a reset starts the arm again. */
#include "arm.h"
#include "board.h"
#include "control.h"
#include "semihost.h"
#include "startup.h"

enum {
  FREQUENCY = 1000,       /* cycles per second */
  WATCHDOG_PATIENCE = 10, /* cycles */
  MOST_LATE = 3,          /* cycles in a row that may take too long */
  REPORT_EVERY = 500      /* cycles */
};

typedef enum { RUNNING, NO_SENSORS, NO_SOLUTION, TOO_SLOW } loop_state;

typedef struct {
  loop_state state;
  unsigned cycle, overruns, late; /* since reset; periods lost; late cycles in a row */
  unsigned to_move;               /* cycles that the task still moves */
  control_goal goal;
  control_answer answer; /* the last */
} control_loop;

static void stop(control_loop *loop, loop_state why) {
  if (loop->state == RUNNING) loop->state = why;
  arm_brake();
}

static void start(control_loop *loop) {
  arm_sensors sensors;
  if (arm_read(&sensors))
    control_hold(&sensors, &loop->goal);
  else
    stop(loop, NO_SENSORS);
  loop->to_move = FREQUENCY;
}

/* The task: up by 10 cm in a second, then stay. */
static void move_goal(control_loop *loop) {
  loop->goal.velocity[2] = loop->to_move > 0 ? 0.1F : 0;
  loop->goal.tool.p[2] += loop->goal.velocity[2] / FREQUENCY;
  if (loop->to_move > 0) loop->to_move--;
}

static void run_cycle(control_loop *loop) {
  arm_sensors sensors;
  if (!arm_read(&sensors)) stop(loop, NO_SENSORS);
  if (loop->state != RUNNING) return;
  move_goal(loop);
  control_solve(&sensors, &loop->goal, &loop->answer);
  if (loop->answer.status & CONTROL_FAILED)
    stop(loop, NO_SOLUTION);
  else
    arm_command(loop->answer.tau);
}

static void count_overruns(control_loop *loop, unsigned missed) {
  loop->overruns += missed;
  loop->late = missed ? loop->late + 1 : 0;
  if (loop->late > MOST_LATE) stop(loop, TOO_SLOW);
}

static void print_labelled(const char *label, float x, int decimals) {
  semihost_print(label);
  semihost_print_number(x, decimals);
}

static void report(const control_loop *loop) {
  static const char *const states[] = {"running", "no sensors", "no solution", "too slow"};
  semihost_print(states[loop->state]);
  print_labelled(": cycle ", (float)loop->cycle, 0);
  print_labelled(", tool off by ", 1e3F * loop->answer.distance, 3);
  print_labelled(" mm, status ", (float)loop->answer.status, 0);
  print_labelled(", overruns ", (float)loop->overruns, 0);
  print_labelled(", stack ", (float)stack_used(), 0);
  semihost_print("\n");
}

void fault(void) { /* a fault of the core, or the watchdog's warning before it resets */
  arm_brake();
  semihost_print("fault: brakes on\n");
  semihost_exit(1);
}

int main(void) {
  static control_loop loop;
  board_start(FREQUENCY, WATCHDOG_PATIENCE);
  start(&loop);
  for (;;) {
    count_overruns(&loop, board_wait_for_tick());
    run_cycle(&loop);
    board_feed_watchdog();
    loop.cycle++;
    if (loop.cycle % REPORT_EVERY == 0) report(&loop);
  }
}

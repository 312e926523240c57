/* SPDX-License-Identifier: MIT */
/* offsets.c: reads a state, as --eval does, and prints the results of the function as --eval does, all by the table of
 * --offsets. ROBOT_F and ROBOT_F_COLUMNS by -DF=achd -DCOLUMNS=ROBOT_ACHD_COLUMNS. */
#define ROBOT_IMPLEMENTATION
#include "robot.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define JOINED_(a, b, c) a##b##c
#define JOINED(a, b, c) JOINED_(a, b, c)

typedef struct column {
  const char *name;
  size_t offset;
} column;

#define TAKEN(name, unit, offset) {name, offset},
#define LEFT(name, unit, offset)
static const column inputs[] = {COLUMNS(TAKEN, LEFT)}, outputs[] = {COLUMNS(LEFT, TAKEN)};

int main(void) {
  static struct { /* what is behind the struct stays as it is */
    JOINED(robot_, F, _in) state;
    double behind;
  } in;
  static JOINED(robot_, F, _out) out;
  in.behind = 42;
  for (;;) {
    memset(&in.state, 0xff,
           sizeof in.state); /* not a number: places that no column names are not read */
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
      double x;
      if (scanf("%lf", &x) != 1) return k != 0;
      memcpy((char *)&in.state + inputs[k].offset, &x, sizeof x);
    }
    const unsigned status = JOINED(robot_, F, )(&in.state, &out);
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
      double x;
      memcpy(&x, (const char *)&out + outputs[k].offset, sizeof x);
      printf("%.17g ", x);
    }
    printf("%u\n", status);
    if (in.behind != 42) return 2;
  }
}

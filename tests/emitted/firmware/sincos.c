/* SPDX-License-Identifier: MIT */
/* sincos.c: sines and cosines of the numbers in arguments.bin, on a board: into answers.bin. */
#include "arm1doff_achd.h"
#include "file.h"

enum { BLOCK = 1024 };

int main(void) {
  static float x[BLOCK], answer[BLOCK][2];
  const int arguments = file_open("arguments.bin", FILE_READ);
  const int answers = file_open("answers.bin", FILE_WRITE);
  for (;;) {
    const unsigned count = file_read(arguments, x, sizeof x) / sizeof x[0];
    for (unsigned i = 0; i < count; i++) {
      arm1doff_trig trig;
      arm1doff_trig_of(&x[i], &trig);
      answer[i][0] = trig.s[0];
      answer[i][1] = trig.c[0];
    }
    file_write(answers, answer, count * sizeof answer[0]);
    if (count < BLOCK) semihost_exit(0);
  }
}

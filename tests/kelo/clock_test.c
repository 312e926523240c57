/* SPDX-License-Identifier: MIT */
/* clock_test.c: the adapter as it is built for real devices, by the machine's clock, on a simulated Robile
 * whose world goes by the same clock. */
#define ROBILE_IMPLEMENTATION
#define PLATFORM_IMPLEMENTATION
#include <math.h>

#include "platform_achd.h"
#include "robile_achd.h"

#include "platform_drives.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void by_the_clock(void) {
  char path[] = "/tmp/achd_world_XXXXXX";
  const int id = mkstemp(path);
  FILE *file = id >= 0 ? fdopen(id, "w") : NULL;
  CHECK(file != NULL);
  if (!file) return;
  fprintf(file, "model builtin:robile\nclock wall\ndevice net0 ethercat\n"
                "slaves board junction drive junction drive\ndrives left right\n");
  fclose(file);
  setenv("ACHD_SIM", path, 1);
  static achd_kelo base;
  achd_kelo_setup setup = test_setup(&test_platforms[0]);
  setup.pivot_offsets = NULL;
  CHECK(strcmp(achd_kelo_library(), "real") == 0);
  CHECK(achd_kelo_connect(&base, &setup));
  const double start = now();
  double sum = 0, largest = 0;
  for (int k = 0; k < 300; k++) {
    achd_measurement measured;
    achd_kelo_read(&base, &measured);
    CHECK(base.error == 0 && base.period > 0 && measured.joints_age == 0);
    sum += base.period;
    largest = fmax(largest, fabs(base.twist[0]));
    achd_kelo_command_torques(&base, (const achd_real[]){-0.3, 0.3, -0.3, 0.3});
    usleep(1000);
  }
  CHECK(sum <= now() - start + 0.05 && sum >= 0.3); /* the first counts from the connection on */
  CHECK(base.twist[0] > 0.02 && base.pose[0] > 0 && largest < 1);
  achd_kelo_disconnect(&base);
  CHECK(fabs(base.twist[0]) < 0.1); /* it braked before it let go */
  remove(path);
}

int main(void) {
  RUN(by_the_clock);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* slide_test.c: docs/examples/gen3_slide runs to its end in simulation, and the world tells what
 * happened: where the fingertip was, and how hard the table was pressed. The example's main is called
 * with its reads observed. */
#include "arm.h"
#include "mujoco_world.h"
#include "test.h"

#include <achd/robif2b_gen3.h>

#include <signal.h>
#include <stdlib.h>

int slide_main(void);
void observed_read(achd_gen3 *arm, achd_measurement *measured);
void observed_disconnect(achd_gen3 *arm);

static struct {
  double touched;  /* first contact [s]; 0: never */
  double from, to; /* of the fingertip along x, while pressed [m] */
  double lowest;   /* of the fingertip [m] */
  double off;      /* farthest from the line, across [m] */
  int pressed,
      all; /* cycles in contact, and all, from 0.5 s after the first contact to near the goal */
  double force, most;     /* on the table in all of them: mean, largest [N] */
  double felt;            /* mean of the estimated force [N] */
  double end[3], fastest; /* at the end: tip [m], joint [rad/s] */
  int signal;             /* that comes after a second of sliding; 0: none */
} seen;

/* What the desk is pressed with, along z [N]. */
static double contact_force(const mjModel *m, const mjData *d) {
  const int desk = mj_name2id(m, mjOBJ_GEOM, "desk");
  double sum = 0;
  for (int i = 0; i < d->ncon; i++) {
    double f[6];
    if (d->contact[i].geom1 != desk && d->contact[i].geom2 != desk) continue;
    mj_contactForce(m, d, i, f);
    sum += f[0];
  }
  return sum;
}

void observed_read(achd_gen3 *arm, achd_measurement *measured) {
  achd_gen3_read(arm, measured);
  if (seen.signal > 0 && seen.all >= 1000) raise(seen.signal);
  const achd_world_device *device = achd_world_find("192.168.1.10");
  CHECK(arm->success && device);
  if (!device) return;
  const mjModel *m = achd_world_model(device);
  const mjData *d = achd_world_data(device);
  const double *tip = d->site_xpos + 3 * (size_t)mj_name2id(m, mjOBJ_SITE, "tool_frame_site");
  const double force = contact_force(m, d), time = achd_world_time(device);
  memcpy(seen.end, tip, sizeof seen.end);
  seen.lowest = seen.lowest == 0 ? tip[2] : fmin(seen.lowest, tip[2]);
  seen.fastest = 0;
  for (int j = 0; j < m->nv; j++) seen.fastest = fmax(seen.fastest, fabs(d->qvel[j]));
  if (force > 0 && seen.touched == 0) seen.touched = time, seen.from = tip[0];
  if (force > 0) seen.to = tip[0];
  if (seen.touched == 0 || time < seen.touched + 0.5 || tip[0] > 0.495) return;
  seen.off = fmax(seen.off, fabs(tip[1]));
  seen.all++;
  seen.pressed += force > 0;
  seen.force += (force - seen.force) / seen.all;
  seen.felt += (arm->wrench.lin[2] - seen.felt) / seen.all;
  seen.most = fmax(seen.most, force);
}

void observed_disconnect(achd_gen3 *arm) {
  achd_gen3_disconnect(arm);
  CHECK(achd_world_find("192.168.1.10") == NULL);
}

static void the_example_slides_along_the_table(void) {
  CHECK(slide_main() == 0);
  printf("  touched at %.2f s, slid from %.4f to %.4f m; pressed in %d of %d cycles, %.2f N, felt "
         "%.2f N, "
         "at most %.2f N; lowest %.4f m, %.4f m off the line, %.1e rad/s at the end\n",
         seen.touched, seen.from, seen.to, seen.pressed, seen.all, seen.force, seen.felt, seen.most,
         seen.lowest, seen.off, seen.fastest);
  CHECK(seen.touched > 0.5 && seen.touched < 3); /* 10 mm at 6 mm/s */
  CHECK_NEAR(seen.to - seen.from, 0.10, 0.003);
  CHECK_NEAR(seen.end[0], 0.50, 0.003);
  CHECK(seen.all > 4500 && seen.pressed > 0.9 * seen.all); /* 0.1 m at 0.02 m/s */
  CHECK_NEAR(seen.force, 5, 1);
  CHECK_NEAR(seen.felt, seen.force, 0.3);
  CHECK(seen.most < 25 && seen.off < 0.01);
  CHECK_NEAR(seen.lowest, 0.10, 0.002);
  CHECK(seen.fastest < 1e-2);
}

/* A signal in the middle of the slide brakes the arm, and the program ends as usual. */
static void a_signal_stops_the_arm(void) {
  memset(&seen, 0, sizeof seen);
  seen.signal = SIGTERM;
  CHECK(slide_main() == 0);
  printf("  stopped at %.4f m, %.1e rad/s at the end\n", seen.end[0], seen.fastest);
  CHECK(seen.all > 1000 && seen.all < 2000 && seen.end[0] < 0.45);
  CHECK(seen.fastest < 1e-2);
}

int main(int argc, char **argv) {
  if (argc > 1) setenv("ACHD_SIM", argv[1], 1);
  RUN(the_example_slides_along_the_table);
  RUN(a_signal_stops_the_arm);
  return test_end();
}

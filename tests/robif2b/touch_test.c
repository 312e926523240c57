/* SPDX-License-Identifier: MIT */
/* touch_test.c: docs/examples/gen3_slide/touch.c runs to its end in simulation: what the sensor measures
 * is the contact's force, by the world's truth, and ends the motion. Its main is called with its reads
 * observed; then with faults of the sensor. */
#include "ft_sensor.h"
#include "gen3_rig.h"

#include <achd/robif2b_ft.h>
#include <achd/robif2b_gen3.h>

int touch_main(void);
void observed_ft_read(achd_ft *sensor, const achd_pose *tool, achd_measurement *measured);

static struct {
  double touched, hard,
      felt;     /* first contact [s]; largest forces: by the world, by the sensor [N] */
  double apart; /* largest difference of both at the sensor's frames [N] */
  double free;  /* largest reading without contact, after 0.4 s [N] */
  double lowest, end_speed;
  int64_t frames;
  long seen;
} seen;

/* A fault that is injected once, at a time. */
static struct {
  const char *word;
  double at, duration, value;
  int axis;
} fault;

void observed_ft_read(achd_ft *sensor, const achd_pose *tool, achd_measurement *measured) {
  achd_ft_read(sensor, tool, measured);
  achd_world_device *device = achd_world_find("/dev/ttyUSB0");
  CHECK(device != NULL);
  if (!device) return;
  const mjModel *m = achd_world_model(device);
  const mjData *d = achd_world_data(device);
  /* along z, on the tool: the fingertip is all that touches anything */
  const double time = achd_world_time(device), force = contact_force(m, d);
  const double felt = measured->wrench.lin[2];
  if (fault.word && time >= fault.at) {
    CHECK(achd_world_inject(device, fault.word, fault.duration, fault.axis, fault.value));
    fault.word = NULL;
  }
  if (force > 0 && seen.touched == 0) seen.touched = time;
  seen.hard = fmax(seen.hard, force);
  if (time > 0.4) seen.felt = fmax(seen.felt, felt);
  if (time > 0.4 && seen.touched == 0) seen.free = fmax(seen.free, fabs(felt));
  if (time > 0.4 && sensor->stamp != seen.frames) seen.apart = fmax(seen.apart, fabs(felt - force));
  seen.frames = sensor->stamp;
  seen.seen++;
  const double tip = d->site_xpos[3 * (size_t)mj_name2id(m, mjOBJ_SITE, "tool_frame_site") + 2];
  seen.lowest = seen.lowest == 0 ? tip : fmin(seen.lowest, tip);
  seen.end_speed = 0;
  for (int j = 0; j < m->nv; j++) seen.end_speed = fmax(seen.end_speed, fabs(d->qvel[j]));
}

static void the_sensor_ends_the_motion(void) {
  memset(&seen, 0, sizeof seen);
  CHECK(touch_main() == 0);
  printf(
      "  touched at %.3f s, at most %.2f N, felt %.2f N; %.2f N apart, %.2f N in the air; lowest "
      "%.4f m\n",
      seen.touched, seen.hard, seen.felt, seen.apart, seen.free, seen.lowest);
  CHECK(seen.touched > 0.8 && seen.touched < 3.5);
  /* The task ends at 15 N for 10 ms, which a sensor of 100 Hz tells after 10 to 20 ms; the force rises
   * by 1 N in each of them, as 6 mm/s do on a table of 1.7 10^5 N/m. */
  CHECK(seen.hard > 15 && seen.hard < 40);
  CHECK(seen.apart < 1); /* noise of 0.1 N, and forces of inertia */
  CHECK(seen.free < 1);  /* without the bias of 12 N: it was zeroed */
  CHECK_NEAR(seen.lowest, 0.10, 0.002);
  CHECK(seen.end_speed < 1e-2);
  CHECK_NEAR((double)seen.frames, (double)seen.seen / 10, 2); /* 100 Hz beside 1 kHz */
}

/* Without the sensor's readings the arm stops, in the air. */
static void the_arm_stops_without_the_sensor(void) {
  static const struct {
    const char *word;
    int axis;
    double value;
  } all[] = {{"no_frames", 0, 0}, {"unplugged", 0, 0}, {"saturated", 3, 1}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    memset(&seen, 0, sizeof seen);
    fault.word = all[i].word;
    fault.at = 0.6, fault.duration = 10, fault.axis = all[i].axis, fault.value = all[i].value;
    CHECK(touch_main() != 0);
    CHECK(seen.touched == 0 && seen.end_speed < 1e-2);
    CHECK(seen.seen < 1600); /* stale 0.05 s later, stopped, and 0.5 s at rest */
  }
}

int main(int argc, char **argv) {
  if (argc > 1) setenv("ACHD_SIM", argv[1], 1);
  RUN(the_sensor_ends_the_motion);
  RUN(the_arm_stops_without_the_sensor);
  return test_end();
}

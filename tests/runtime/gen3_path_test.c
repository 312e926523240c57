/* SPDX-License-Identifier: MIT */
/* gen3_path_test.c: a Gen3 follows a path of waypoints by the path machine: each section's frame in
 * turn, the tube of the next one entered from the end of the one before, the last goal reached.
 * Waveforms go to FOLDER. */
#include "gen3_path_task.h"
#include "gen3_plant.h"
#include "path_machine.h"
#include "plot.h"
#include "test.h"

enum { SAMPLES = 20000 };
static const double period = 1e-3;
static const char *folder;
static const achd_task *const path = &gen3_path_tasks[GEN3_PATH_TASK_GEN3_PATH];

static const achd_loop_setup setup = {
    .robot = &gen3_robot,
    .machine = &path_machine,
    .states = {[PATH_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
               [PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_path_tasks[0]},
               [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, &gen3_path_tasks[0]},
               [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, NULL}},
    .events = {.fault = -1,
               .joint_limit = PATH_E_JOINT_LIMIT,
               .timeout = PATH_E_TIMEOUT,
               .contact = PATH_E_CONTACT,
               .no_contact = -1,
               .within_tube = PATH_E_WITHIN_TUBE,
               .out_of_tube = PATH_E_OUT_OF_TUBE,
               .goal_area = PATH_E_FINAL_GOAL_AREA,
               .out_of_goal_area = -1,
               .section_covered = PATH_E_SECTION_COVERED},
    .latest = 1.5e-3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3};

static double px[SAMPLES], py[SAMPLES], pz[SAMPLES], section[SAMPLES], state[SAMPLES], off[SAMPLES];

/* Distance of a point from the segment between two others [m]. */
static double from_segment(const double p[3], const double a[3], const double b[3]) {
  double along = 0, length = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    along += (p[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const double t = fmax(0, fmin(1, along / length));
  for (int i = 0; i < 3; i++) {
    const double apart = p[i] - a[i] - t * (b[i] - a[i]);
    square += apart * apart;
  }
  return sqrt(square);
}

static double from_path(const double p[3]) {
  static const double start[3] = {0.456, 0.002, 0.434};
  double least = INFINITY;
  for (int f = 0; f < path->nframes; f++)
    least = fmin(least, from_segment(p, f ? path->frames[f - 1].p : start, path->frames[f].p));
  return least;
}

static void draw(const char *name, const char *title) {
  const plot_panel panels[PLOT_PANELS] = {{"m", {{"x", px}}},
                                          {"m", {{"y", py}}},
                                          {"m", {{"z", pz}}},
                                          {"m", {{"off the path", off}}},
                                          {"1", {{"section", section}, {"state", state}}}};
  char file[512];
  if (!folder) return;
  snprintf(file, sizeof file, "%s/%s.svg", folder, name);
  CHECK(plot_write(file, title, period, SAMPLES, panels) == 0);
}

static void follow(plant p) {
  achd_loop loop;
  double goal = 0, farthest = 0;
  int sections = 0;
  CHECK(achd_loop_start(&loop, &setup));
  achd_loop_raise(&loop, PATH_E_INITIALIZED);
  for (int k = 0; k < SAMPLES; k++) {
    const achd_measurement m = plant_measure(&p);
    const int before = loop.machine.state;
    achd_loop_cycle(&loop, &m, period);
    const int now = loop.machine.state;
    sections += now == PATH_TRANSITION_PATH_SECTION;
    if (goal == 0 && before != PATH_STOP_MOTION && now == PATH_STOP_MOTION) goal = k * period;
    px[k] = loop.tool.pose.p[0], py[k] = loop.tool.pose.p[1], pz[k] = loop.tool.pose.p[2];
    off[k] = from_path(loop.tool.pose.p);
    section[k] = loop.task.section, state[k] = now;
    if (goal == 0) farthest = fmax(farthest, off[k]);
    plant_move(&p, loop.tau, period);
  }
  printf("  %s: goal at %.2f s, at most %.4f m off the path\n", test_name, goal, farthest);
  CHECK(loop.fault == ACHD_LOOP_FINE && (loop.seen & ACHD_TASK_GOAL_AREA));
  CHECK(sections == 2 && loop.task.section == 2);
  CHECK(goal > 6 && goal < 15); /* 0.215 m at 0.03 m/s, and the corners */
  CHECK(farthest < 0.015);      /* tubes of 0.01 m along y and z */
}

static void exact_model_follows_the_path(void) {
  follow(plant_at(start_posture, EXACT));
  draw("path_exact", "Gen3 follows a path: exact model");
}

static void wrong_masses_follow_the_path(void) {
  follow(plant_at(start_posture, HEAVY));
  follow(plant_at(start_posture, LIGHT));
}

static void friction_and_noise_are_borne(void) {
  plant p = plant_at(start_posture, HEAVY);
  p.friction = 0.02, p.position_noise = 1e-5, p.velocity_noise = 1e-3, p.force_noise = 0.5;
  follow(p);
  draw("path_noisy", "Gen3 follows a path: heavier, with friction and noise");
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(exact_model_follows_the_path);
  RUN(wrong_masses_follow_the_path);
  RUN(friction_and_noise_are_borne);
  return test_end();
}

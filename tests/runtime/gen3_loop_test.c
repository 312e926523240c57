/* SPDX-License-Identifier: MIT */
/* gen3_loop_test.c: the whole loop on a Gen3's generated forward dynamics: into the tube, along it,
 * to the goal area; with the exact model, with masses 20 % wrong, with friction and noise.
 * Waveforms go to FOLDER. */
#include "gen3_loop_setup.h"
#include "gen3_plant.h"
#include "plot.h"
#include "test.h"

enum { SAMPLES = 16000 };
static const double period = 1e-3;
static const char *folder;

typedef struct outcome {
  double in_tube;     /* within the tube, from then on for a second at least [s]; 0: never */
  double at_goal;     /* in the goal area [s]; 0: never */
  double farthest;    /* from the tube's middle after that second, in y or z [m] */
  double most_torque; /* share of the effort limit */
  int stops;          /* how often the motion was stopped */
} outcome;

typedef struct waveforms {
  double x[SAMPLES], y[SAMPLES], z[SAMPLES], speed[SAMPLES], wanted[SAMPLES], state[SAMPLES];
  double bias[SAMPLES], gain[SAMPLES], tau2[SAMPLES], tau4[SAMPLES];
} waveforms;

static waveforms w;

static void record(const achd_loop *loop, int k) {
  const achd_pose *frame = &pregrasp_task->frames[0];
  const achd_abag *z = &loop->task.channel[2];
  const bool cruising = loop->machine.state == PREGRASP_CRUISE_THROUGH_TUBE;
  double apart[3], r[3], v[3];
  for (int i = 0; i < 3; i++) apart[i] = loop->tool.pose.p[i] - frame->p[i];
  achd_rotate_back(&frame->R, apart, r);
  achd_rotate_back(&frame->R, loop->tool.twist.lin, v);
  w.x[k] = r[0], w.y[k] = r[1], w.z[k] = r[2], w.speed[k] = v[0];
  w.wanted[k] = cruising ? pregrasp_task->direction[0].value : 0;
  w.state[k] = loop->machine.state;
  w.bias[k] = z->bias, w.gain[k] = z->gain;
  w.tau2[k] = loop->tau[1], w.tau4[k] = loop->tau[3];
}

static void draw(const char *name, const char *title) {
  const plot_panel panels[PLOT_PANELS] = {
      {"m", {{"x to the goal", w.x}}},
      {"m", {{"y", w.y}, {"z", w.z}}},
      {"m/s", {{"speed along x", w.speed}, {"wanted", w.wanted}}},
      {"1", {{"state", w.state}}},
      {"1", {{"bias of z", w.bias}, {"gain of z", w.gain}}},
      {"N m", {{"joint 2", w.tau2}, {"joint 4", w.tau4}}}};
  char path[512];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  CHECK(plot_write(path, title, period, SAMPLES, panels) == 0);
}

static outcome run(plant p) {
  outcome o = {0};
  achd_loop loop;
  CHECK(achd_loop_start(&loop, &pregrasp_setup));
  achd_loop_raise(&loop, PREGRASP_E_INITIALIZED);
  int within = 0;
  for (int k = 0; k < SAMPLES; k++) {
    const achd_measurement m = plant_measure(&p);
    const int before = loop.machine.state;
    achd_loop_cycle(&loop, &m, period);
    record(&loop, k);
    if (before != PREGRASP_STOP_MOTION && loop.machine.state == PREGRASP_STOP_MOTION) o.stops++;
    within = loop.seen & ACHD_TASK_WITHIN_TUBE ? within + 1 : 0;
    if (within == 1000 && o.in_tube == 0) o.in_tube = (k - 999) * period;
    if (loop.seen & ACHD_TASK_GOAL_AREA && o.at_goal == 0) o.at_goal = k * period;
    if (o.in_tube > 0 && o.at_goal == 0)
      o.farthest = fmax(o.farthest, fmax(fabs(w.y[k]), fabs(w.z[k])));
    for (int j = 0; j < NJ; j++) {
      CHECK(fabs(loop.tau[j]) <= gen3_joints[j].effort);
      o.most_torque = fmax(o.most_torque, fabs(loop.tau[j]) / gen3_joints[j].effort);
    }
    plant_move(&p, loop.tau, period);
  }
  CHECK(loop.fault == ACHD_LOOP_FINE);
  CHECK(loop.machine.state == PREGRASP_STOP_MOTION);
  printf("  %s: tube at %.2f s, goal at %.2f s, at most %.4f m from its middle, %.0f %% of the "
         "torques, %d stops\n",
         test_name, o.in_tube, o.at_goal, o.farthest, 100 * o.most_torque, o.stops);
  return o;
}

/* Published of the like: tube at about 4.5 s, goal at about 8.5 s, no overshoot of the tube, a
 * small share of the torques. */
static void check_outcome(const outcome *o) {
  CHECK(o->in_tube > 0 && o->in_tube < 5);
  CHECK(o->at_goal > o->in_tube && o->at_goal < 9.5);
  CHECK(o->farthest <= 0.01);
  CHECK(o->most_torque < 0.4);
  CHECK(o->stops == 1); /* and nothing draws the tool out of the goal area again */
}

static void exact_model_reaches_the_goal(void) {
  const outcome o = run(plant_at(start_posture, EXACT));
  check_outcome(&o);
  draw("loop_exact", "Gen3 to a goal area along a tube: exact model");
}

/* The stop holds by a spring: what the model does not know of the weight may draw the tool out of
 * the goal area again, and the machine goes on. */
static void arm_that_is_heavier_reaches_the_goal(void) {
  const outcome o = run(plant_at(start_posture, HEAVY));
  check_outcome(&o);
  draw("loop_heavy", "Gen3 to a goal area along a tube: masses 20 % larger than the model's");
}

static void arm_that_is_lighter_reaches_the_goal(void) {
  const outcome o = run(plant_at(start_posture, LIGHT));
  check_outcome(&o);
  draw("loop_light", "Gen3 to a goal area along a tube: masses 20 % smaller than the model's");
}

static plant rough(plant_masses masses) {
  plant p = plant_at(start_posture, masses);
  p.friction = 0.02, p.position_noise = 1e-5, p.velocity_noise = 1e-3, p.force_noise = 0.5;
  return p;
}

static void friction_and_noise_do_not_keep_it_from_the_goal(void) {
  outcome o = run(rough(HEAVY));
  check_outcome(&o);
  draw("loop_noisy", "Gen3 to a goal area along a tube: heavier, with friction and noise");
  o = run(rough(LIGHT));
  check_outcome(&o);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(exact_model_reaches_the_goal);
  RUN(arm_that_is_heavier_reaches_the_goal);
  RUN(arm_that_is_lighter_reaches_the_goal);
  RUN(friction_and_noise_do_not_keep_it_from_the_goal);
  return test_end();
}

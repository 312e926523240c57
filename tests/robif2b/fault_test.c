/* SPDX-License-Identifier: MIT */
/* fault_test.c: each fault of the simulated Gen3 in each state of each machine that ships, in a closed
 * loop, while all joints move. The arm comes to rest, by the world's truth, within
 *
 *   v^2 / (2 a) + 0.05 rad,   a = (brake's torque - bias torque) / M_jj
 *
 * of each joint; the loop's log says why; and nothing moves the arm again until it is rearmed. */
#include "arm.h"
#include "mujoco_world.h"
#include "gen3_achd.h"
#include "gen3_path_task.h"
#include "gen3_pregrasp_task.h"
#include "gen3_slide_task.h"
#include "path_machine.h"
#include "pregrasp_machine.h"
#include "slide_task.h"
#include "sliding_machine.h"
#include "surface_machine.h"
#include "test.h"

#include <achd/loop_log.h>
#include <achd/loop_robot.h>
#include <achd/robif2b_gen3.h>

ACHD_LOOP_ROBOT(gen3, GEN3, tool_frame, tool, push, press);
ACHD_LOOP_ACCELERATIONS(gen3, GEN3, push);

enum { NJ = ACHD_GEN3_JOINTS, BEFORE = 10, AFTER = 700, ROWS = 8 };
static const char address[] = "192.168.1.10";

static const double home[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
static achd_loop_posture posture = {.q = home, .stiffness = 20, .damping = 4};
static const achd_loop_robot robot = {
    NJ, achd_gen3_joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};

/* ---- the machines ---- */

#define GUARD                                                                                      \
  { .deceleration = 4, .fastest = 4, .beyond = 0.3, .slip = 0.004 }
static const achd_loop_guard guards[NJ] = {GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD};
#define COMMON                                                                                     \
  .robot = &robot, .latest = 3e-3, .saturation_time = 1, .singular_time = 0.1,                     \
  .braking_time = 0.3, .watch = {.joints = guards, .joints_stamped = true}

static const achd_loop_setup pregrasp = {
    .machine = &pregrasp_machine,
    .states = {[PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_pregrasp_tasks[0]},
               [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &gen3_pregrasp_tasks[0]}},
    .events = {.joint_limit = PREGRASP_E_JOINT_LIMIT,
               .timeout = PREGRASP_E_TIMEOUT,
               .contact = PREGRASP_E_CONTACT,
               .within_tube = PREGRASP_E_WITHIN_TUBE,
               .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
               .goal_area = PREGRASP_E_GOAL_AREA,
               .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA},
    COMMON};

static const achd_loop_setup path = {
    .machine = &path_machine,
    .states = {[PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_path_tasks[0]},
               [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, &gen3_path_tasks[0]},
               [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, NULL}},
    .events = {.joint_limit = PATH_E_JOINT_LIMIT,
               .timeout = PATH_E_TIMEOUT,
               .contact = PATH_E_CONTACT,
               .within_tube = PATH_E_WITHIN_TUBE,
               .out_of_tube = PATH_E_OUT_OF_TUBE,
               .goal_area = PATH_E_FINAL_GOAL_AREA,
               .out_of_goal_area = PATH_E_OUT_OF_GOAL_AREA,
               .section_covered = PATH_E_SECTION_COVERED},
    COMMON};

#define LOWER &gen3_slide_tasks[GEN3_SLIDE_TASK_LOWER]
#define SLIDE &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT]
static const achd_loop_setup surface = {
    .machine = &surface_machine,
    .states = {[SURFACE_APPROACH_SURFACE] = {ACHD_LOOP_CRUISE, LOWER},
               [SURFACE_ALIGN_WITH_SURFACE] = {ACHD_LOOP_APPROACH, SLIDE},
               [SURFACE_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, SLIDE},
               [SURFACE_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, SLIDE}},
    .events = {.joint_limit = SURFACE_E_JOINT_LIMIT,
               .timeout = SURFACE_E_TIMEOUT,
               .contact = SURFACE_E_CONTACT_Z,
               .contact_x_y = SURFACE_E_CONTACT_X_Y,
               .no_contact = SURFACE_E_NO_CONTACT,
               .within_tube = SURFACE_E_WITHIN_TUBE,
               .out_of_tube = SURFACE_E_OUT_OF_TUBE,
               .goal_area = SURFACE_E_GOAL_AREA,
               .out_of_goal_area = SURFACE_E_OUT_OF_GOAL_AREA},
    COMMON};

/* That of docs/examples/gen3_slide. */
static const achd_loop_setup sliding = {
    .machine = &sliding_machine,
    .states = {[SLIDING_APPROACH] = {ACHD_LOOP_CRUISE, &slide_tasks[SLIDE_TASK_LOWER]},
               [SLIDING_ALIGN] = {ACHD_LOOP_APPROACH, &slide_tasks[SLIDE_TASK_ALONG]},
               [SLIDING_SLIDE] = {ACHD_LOOP_CRUISE, &slide_tasks[SLIDE_TASK_ALONG]}},
    .events = {.fault = SLIDING_E_FAULT,
               .timeout = SLIDING_E_TIMEOUT,
               .contact = SLIDING_E_CONTACT,
               .no_contact = SLIDING_E_NO_CONTACT,
               .goal_area = SLIDING_E_GOAL_AREA},
    COMMON};

/* ---- the faults ---- */

typedef struct fault {
  const char *word;
  double duration; /* [s] */
  int joint;       /* from 1; 0: all */
  double value;
  unsigned reason; /* bits that the loop has to say */
  bool disables;   /* the loop ends low-level control */
} fault;

static const fault faults[] = {{"lost_frame", 1e-3, 0, 0, ACHD_LOOP_STALE, false},
                               {"lost_frame", 0.5, 0, 0, ACHD_LOOP_STALE | ACHD_LOOP_BLIND, true},
                               {"late_frame", 1e-3, 0, 0.01, ACHD_LOOP_LATE, false},
                               {"late_frame", 1e-3, 0, 0.03, ACHD_LOOP_LATE, false},
                               {"stuck", 1, 2, 0, ACHD_LOOP_IMPLAUSIBLE, true},
                               {"stuck", 1, 0, 0, ACHD_LOOP_IMPLAUSIBLE, true},
                               {"nan", 1e-3, 4, 0, ACHD_LOOP_NOT_FINITE, false},
                               {"nan", 0.5, 1, 0, ACHD_LOOP_NOT_FINITE | ACHD_LOOP_BLIND, true},
                               {"nan", 0.5, 0, 0, ACHD_LOOP_NOT_FINITE | ACHD_LOOP_BLIND, true},
                               {"following_error", 1e-3, 1, 0, ACHD_LOOP_DRIVES, false},
                               {"max_velocity", 1e-3, 3, 0, ACHD_LOOP_DRIVES, false},
                               {"max_torque", 1e-3, 5, 0, ACHD_LOOP_DRIVES, false},
                               {"joint_limit", 1e-3, 6, 0, ACHD_LOOP_DRIVES, false}};
enum { FAULTS = sizeof faults / sizeof *faults };

/* ---- a run ---- */

typedef struct rig {
  achd_loop loop;
  achd_gen3 arm;
  achd_world_device *device;
  achd_log log;
  int64_t times[ROWS];
  double rows[ROWS * ACHD_LOOP_SIGNALS];
  int reason; /* column of the loop's fault */
} rig;

static void start_log(rig *r, const achd_loop_setup *setup) {
  static achd_signal signals[ACHD_LOOP_SIGNALS];
  const int n = achd_loop_signals(setup, NULL, signals);
  const achd_log_setup log = {signals, n, r->times, r->rows, ROWS, ACHD_LOG_NEWEST};
  CHECK(n > 0 && achd_log_start(&r->log, &log) == ACHD_LOG_OK);
  r->reason = 0;
  while (r->reason < n && strcmp(signals[r->reason].name, "fault") != 0) r->reason++;
  CHECK(r->reason < n);
}

static void cycle(rig *r) {
  double values[ACHD_LOOP_SIGNALS];
  achd_measurement measured;
  achd_gen3_read(&r->arm, &measured);
  achd_loop_cycle(&r->loop, &measured, r->arm.period);
  achd_gen3_command(&r->arm, &r->loop);
  /* once low-level control has ended, time passes without exchanges */
  if (!r->arm.started) achd_world_advance(r->device, 1e-3);
  achd_loop_values(&r->loop, values);
  CHECK(achd_log_put(&r->log, (int64_t)(1e9 * r->arm.time), values) == ACHD_LOG_OK);
}

/* The reason in the newest row of the log. */
static unsigned logged(const rig *r) {
  int64_t time = 0;
  const double *row = achd_log_row(&r->log, achd_log_rows(&r->log) - 1, &time);
  return row ? (unsigned)row[r->reason] : 0;
}

static const double *truth(const rig *r) {
  return achd_world_data(r->device)->qpos;
}

/* In a state, all joints moving; in a stop, while they are still being braked. */
static bool begin(rig *r, const achd_loop_setup *setup, int state) {
  static const double speed[NJ] = {0.4, -0.5, 0.6, 0.5, -0.7, 0.8, 1};
  CHECK(achd_loop_start(&r->loop, setup));
  const bool connected = achd_gen3_connect(&r->arm, &(achd_gen3_setup){.ip_address = address});
  CHECK(connected);
  r->device = achd_world_find(address);
  if (!connected || !r->device) return false;
  start_log(r, setup);
  mjData *d = achd_world_data(r->device);
  for (int j = 0; j < NJ; j++) d->qvel[j] = speed[j];
  for (int k = 0; k < BEFORE; k++) {
    const achd_task *task = setup->states[state].task;
    r->loop.machine.state = state;
    if (task && r->loop.task.task != task) achd_task_start(&r->loop.task, task);
    if (!task && setup->machine == &path_machine && state != PATH_STOP_MOTION && k == 0)
      achd_task_start(&r->loop.task, &gen3_path_tasks[0]);
    cycle(r);
  }
  r->loop.machine.state = state;
  CHECK(r->loop.fault == ACHD_LOOP_FINE);
  return true;
}

/* v^2 / (2 a) + 0.05 of each joint, and the way during a late frame, while nobody brakes [rad] */
static void allowed_travel(const rig *r, const fault *f, double travel[NJ]) {
  const mjModel *m = achd_world_model(r->device);
  const mjData *d = achd_world_data(r->device);
  for (int j = 0; j < NJ; j++) {
    const double inertia = d->qM[m->dof_Madr[j]];
    const double a = (achd_gen3_joints[j].hold.upper - fabs(d->qfrc_bias[j])) / inertia;
    travel[j] = d->qvel[j] * d->qvel[j] / (2 * a) + 0.05 + fabs(d->qvel[j]) * f->value;
  }
}

static double worst;

static void report(const achd_loop_setup *setup, int state, const fault *f, bool good,
                   const char *what, double value) {
  char text[300];
  snprintf(text, sizeof text, "%s of %.3g s in %s of %s: %s %g", f->word, f->duration,
           setup->machine->states[state], setup->machine->name, what, value);
  test_report(__FILE__, __LINE__, good, text);
}

/* Options that the setups leave out: forward dynamics, and the drives' own brakes. */
static const achd_loop_setup *with_options(const achd_loop_setup *setup) {
  static achd_loop_setup with;
  with = *setup;
  with.brakes_after = 0.5;
  with.watch.accelerations = gen3_loop_accelerations;
  return &with;
}

static bool sample; /* a few of all */

static bool sweep(void) {
  const char *s = getenv("ACHD_SWEEP");
  return s && *s && *s != '0';
}

/* A row of docs/faults.md (tests/contact/faults.py). */
static void tell(const achd_loop_setup *setup, int state, const fault *f, const double most[3],
                 bool options) {
  char late[30] = "";
  if (f->value > 0) snprintf(late, sizeof late, " by %g s", f->value);
  printf("row|drives|%s%s, %g s%s|%s of %s|%s|%.3f|%.3f|%u|%.2f\n", f->word, late, f->duration,
         f->joint ? "" : ", all joints", setup->machine->states[state], setup->machine->name,
         options ? "with" : "without", most[0], most[1], f->reason, most[2]);
}

static void examine(const achd_loop_setup *setup, int state, const fault *f, bool options) {
  static rig r;
  double allowed[NJ], from[NJ], share = 0, fastest = 0, told[3] = {0};
  memset(&r, 0, sizeof r);
  if (!begin(&r, setup, state)) return;
  allowed_travel(&r, f, allowed);
  memcpy(from, truth(&r), sizeof from);
  CHECK(achd_world_inject(r.device, f->word, f->duration, f->joint, f->value));
  bool drove = false, disabled = false;
  for (int k = 0; k < AFTER; k++) {
    cycle(&r);
    drove = drove || (r.loop.fault && r.loop.mode == ACHD_LOOP_TORQUE);
    disabled = disabled || r.loop.mode == ACHD_LOOP_DISABLE;
    for (int j = 0; j < NJ; j++) {
      share = fmax(share, fabs(truth(&r)[j] - from[j]) / allowed[j]);
      told[0] = fmax(told[0], fabs(truth(&r)[j] - from[j]));
      told[1] = fmax(told[1], fabs(achd_world_data(r.device)->qvel[j]));
    }
  }
  told[2] = share;
  tell(setup, state, f, told, options);
  for (int j = 0; j < NJ; j++) fastest = fmax(fastest, fabs(achd_world_data(r.device)->qvel[j]));
  worst = fmax(worst, share);
  report(setup, state, f, share < 1, "share of the travel", share);
  report(setup, state, f, fastest < 0.02, "speed at the end", fastest);
  report(setup, state, f, (r.loop.fault & f->reason) == f->reason, "reason", r.loop.fault);
  report(setup, state, f, logged(&r) == r.loop.fault, "reason in the log", logged(&r));
  report(setup, state, f, !drove, "driven on", drove);
  report(setup, state, f, disabled == (f->disables || options), "low-level control ended",
         disabled);
  report(setup, state, f, setup->states[r.loop.machine.state].action == ACHD_LOOP_STOP,
         "state at the end", r.loop.machine.state);

  /* The cause has gone: recovered and rearmed, the arm is held where it is. */
  memcpy(from, truth(&r), sizeof from);
  for (int k = 0; k < 400; k++) achd_world_advance(r.device, 1e-3);
  CHECK(achd_gen3_recover(&r.arm));
  r.arm.time = achd_world_time(r.device);
  cycle(&r);
  /* a sensor that has been stuck stays under suspicion: the loop is started anew */
  if (strcmp(f->word, "stuck") == 0)
    CHECK(achd_loop_start(&r.loop, setup));
  else
    report(setup, state, f, achd_loop_rearm(&r.loop), "rearmed; now", r.loop.now);
  for (int k = 0; k < 200; k++) cycle(&r);
  report(setup, state, f, r.loop.fault == ACHD_LOOP_FINE, "fault after rearming", r.loop.fault);
  for (int j = 0; j < NJ; j++)
    report(setup, state, f, fabs(truth(&r)[j] - from[j]) < 0.02, "moved after rearming",
           truth(&r)[j] - from[j]);
  achd_gen3_disconnect(&r.arm);
}

static void examine_all(const achd_loop_setup *setup) {
  for (int state = 0; state < setup->machine->nstates; state++)
    for (int f = 0; f < FAULTS; f++) {
      const int index = state * FAULTS + f;
      if (sample ? index % 23 != 5 : !sweep() && index % 3 != 2) continue; /* of each fault some */
      examine(setup, state, &faults[f], false);
      if (sweep() || index % 23 == 5) examine(with_options(setup), state, &faults[f], true);
    }
}

static void faults_stop_the_pregrasp_machine(void) {
  examine_all(&pregrasp);
}

static void faults_stop_the_path_machine(void) {
  examine_all(&path);
}

static void faults_stop_the_surface_machine(void) {
  examine_all(&surface);
}

static void faults_stop_the_example(void) {
  examine_all(&sliding);
}

/* With an argument: a few rows of docs/faults.md alone (tests/contact/faults.py). */
int main(int argc, char **argv) {
  (void)argv;
  sample = argc > 1;
  RUN(faults_stop_the_pregrasp_machine);
  RUN(faults_stop_the_path_machine);
  RUN(faults_stop_the_surface_machine);
  RUN(faults_stop_the_example);
  printf("  %d faults in %d states, of which a third is run, all by ACHD_SWEEP=1; at most %.2f of "
         "the travel allowed\n",
         FAULTS,
         pregrasp_machine.nstates + path_machine.nstates + surface_machine.nstates +
             sliding_machine.nstates,
         worst);
  return test_end();
}

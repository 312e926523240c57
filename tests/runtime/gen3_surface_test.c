/* SPDX-License-Identifier: MIT */
/* gen3_surface_test.c: a Gen3 lowers its tool to a table, presses, and slides along it: velocity,
 * position, orientation and force in one task, by the surface machine. The table is a spring with
 * damping and friction under the tool's origin. Waveforms go to FOLDER. */
#include "gen3_plant.h"
#include "gen3_slide_task.h"
#include "plot.h"
#include "surface_machine.h"
#include "test.h"

enum { SAMPLES = 20000 };
static const double period = 1e-3;
static const char *folder;

static const achd_task *const pressed = &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT];

/* The tool 10 mm above the table, its z axis down, 0.1 m before the goal. */
static double above_table[NJ] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                                 -0.810879, -0.439211, 0.761116};
static const double table_height = 0.10; /* [m] */
static const double stiffness = 2e4, damping = 200, friction = 0.2;

static achd_wrench table_push(const achd_pose *tool, const achd_twist *twist) {
  achd_wrench push = {{0}, {0}};
  const double depth = table_height - tool->p[2];
  if (depth <= 0) return push;
  push.lin[2] = fmax(0, stiffness * depth - damping * twist->lin[2]);
  const double speed = hypot(twist->lin[0], twist->lin[1]);
  for (int i = 0; i < 2; i++)
    push.lin[i] = -friction * push.lin[2] * twist->lin[i] / (speed + 1e-3);
  return push;
}

static const achd_loop_robot robot = {NJ,         gen3_joints, above_table, gen3_kinematics,
                                      gen3_solve, gen3_weight};

static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &surface_machine,
    .states = {[SURFACE_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
               [SURFACE_APPROACH_SURFACE] = {ACHD_LOOP_CRUISE,
                                             &gen3_slide_tasks[GEN3_SLIDE_TASK_LOWER]},
               [SURFACE_ALIGN_WITH_SURFACE] = {ACHD_LOOP_APPROACH,
                                               &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT]},
               [SURFACE_START_TO_CRUISE] = {ACHD_LOOP_APPROACH,
                                            &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT]},
               [SURFACE_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE,
                                                &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT]}},
    .events = {.fault = -1,
               .joint_limit = SURFACE_E_JOINT_LIMIT,
               .timeout = SURFACE_E_TIMEOUT,
               .contact = SURFACE_E_CONTACT_Z,
               .no_contact = SURFACE_E_NO_CONTACT,
               .within_tube = SURFACE_E_WITHIN_TUBE,
               .out_of_tube = SURFACE_E_OUT_OF_TUBE,
               .goal_area = SURFACE_E_GOAL_AREA,
               .out_of_goal_area = -1,
               .section_covered = -1},
    .latest = 1.5e-3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3};

static double x[SAMPLES], y[SAMPLES], z[SAMPLES], speed[SAMPLES], force[SAMPLES], state[SAMPLES],
    bias[SAMPLES];

static void draw(const char *name, const char *title) {
  const plot_panel panels[PLOT_PANELS] = {
      {"m", {{"x to the goal", x}}},       {"m", {{"y", y}, {"z", z}}},
      {"m/s", {{"speed along x", speed}}}, {"N", {{"force on the table", force}}},
      {"1", {{"state", state}}},           {"1", {{"bias of z", bias}}}};
  char path[512];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  CHECK(plot_write(path, title, period, SAMPLES, panels) == 0);
}

typedef struct outcome {
  double contact, aligned, goal; /* [s]; 0: never */
  int lost;                      /* contacts */
  /* while cruising */
  double force, deviation; /* mean and deviation [N] */
  double speed;            /* mean [m/s] */
  double farthest_y;       /* [m] */
  double lean;             /* of the tool's axis from the vertical, at most [rad] */
} outcome;

static void record(const achd_loop *loop, int k) {
  x[k] = loop->tool.pose.p[0] - pressed->frames[0].p[0];
  y[k] = loop->tool.pose.p[1];
  z[k] = loop->tool.pose.p[2] - table_height;
  speed[k] = loop->tool.twist.lin[0];
  force[k] = loop->tool.wrench.lin[2];
  state[k] = loop->machine.state;
  bias[k] = loop->task.channel[2].bias;
  CHECK(!loop->contact.chatters);
}

/* Says that the tool is aligned when the force has been within 2 N of the wanted one for 50 cycles.
 */
static bool align(achd_loop *loop, int *quiet) {
  const bool near = fabs(loop->errors.exact[2]) < 2;
  *quiet = near && loop->machine.state == SURFACE_ALIGN_WITH_SURFACE ? *quiet + 1 : 0;
  return *quiet == 50 && achd_loop_raise(loop, SURFACE_E_ALIGN_DONE);
}

/* Joints, then the table under the tool where it is now. */
static void world(plant *p, const double tau[NJ]) {
  achd_measurement m = {.q = {0}};
  achd_pose tool;
  achd_twist twist;
  plant_move(p, tau, period);
  memcpy(m.q, p->q, sizeof p->q);
  memcpy(m.qd, p->qd, sizeof p->qd);
  gen3_kinematics(NULL, &m, &tool, &twist);
  p->push = table_push(&tool, &twist);
}

static outcome slide(plant p) {
  outcome o = {0};
  achd_loop loop;
  int quiet = 0, cruised = 0;
  double squares = 0;
  CHECK(achd_loop_start(&loop, &setup));
  achd_loop_raise(&loop, SURFACE_E_INITIALIZED);
  for (int k = 0; k < SAMPLES; k++) {
    const achd_measurement m = plant_measure(&p);
    const int before = loop.machine.state;
    achd_loop_cycle(&loop, &m, period);
    const int now = loop.machine.state;
    record(&loop, k);
    if (align(&loop, &quiet)) o.aligned = k * period;
    if (o.contact == 0 && now == SURFACE_ALIGN_WITH_SURFACE) o.contact = k * period;
    if (before > SURFACE_APPROACH_SURFACE && now == SURFACE_APPROACH_SURFACE) o.lost++;
    const bool stops = before != SURFACE_STOP_MOTION && now == SURFACE_STOP_MOTION;
    if (stops && (loop.seen & ACHD_TASK_GOAL_AREA)) o.goal = k * period;
    if (now == SURFACE_CRUISE_THROUGH_TUBE) {
      cruised++;
      o.force += force[k], squares += force[k] * force[k], o.speed += speed[k];
      o.farthest_y = fmax(o.farthest_y, fabs(y[k]));
      o.lean = fmax(o.lean, acos(fmin(1, -loop.tool.pose.R.m[2][2])));
    }
    world(&p, loop.tau);
  }
  CHECK(cruised > 0 && loop.fault == ACHD_LOOP_FINE);
  o.force /= cruised, o.speed /= cruised;
  o.deviation = sqrt(squares / cruised - o.force * o.force);
  printf("  %s: contact %.2f s, aligned %.2f s, goal %.2f s; %.2f +- %.2f N, %.4f m/s, y within "
         "%.4f m, lean %.3f\n",
         test_name, o.contact, o.aligned, o.goal, o.force, o.deviation, o.speed, o.farthest_y,
         o.lean);
  return o;
}

/* What the task says: 5 N, 0.02 m/s, the tube of 0.01 m, the orientation within 0.05 rad. */
static void check_outcome(const outcome *o, int most_lost) {
  CHECK(o->contact > 1 && o->contact < 2.5); /* 10 mm at 6 mm/s, then 15 N */
  CHECK(o->aligned > o->contact && o->aligned < o->contact + 0.5 + 0.5 * most_lost);
  CHECK(o->goal > o->aligned && o->goal < o->aligned + 6); /* 0.095 m at 20 mm/s */
  CHECK(o->lost <= most_lost);
  CHECK_NEAR(o->force, 5, 0.5);
  CHECK(o->deviation < 1.5);
  CHECK_NEAR(o->speed, 0.02, 0.003);
  CHECK(o->farthest_y < 0.01 && o->lean < 0.055);
}

static void exact_model_slides_at_the_wanted_force(void) {
  const outcome o = slide(plant_at(above_table, EXACT));
  check_outcome(&o, 0);
  draw("surface_exact", "Gen3 lowers its tool to a table and slides along it: exact model");
}

static void wrong_masses_slide_at_the_wanted_force(void) {
  outcome o = slide(plant_at(above_table, HEAVY));
  check_outcome(&o, 0);
  draw("surface_heavy", "Gen3 slides along a table: masses 20 % larger than the model's");
  o = slide(plant_at(above_table, LIGHT));
  check_outcome(&o, 1); /* lifted by too much weight compensation, it may lose the contact once */
}

static void friction_and_noise_are_borne(void) {
  plant p = plant_at(above_table, HEAVY);
  p.friction = 0.02, p.position_noise = 1e-5, p.velocity_noise = 1e-3, p.force_noise = 0.5;
  const outcome o = slide(p);
  check_outcome(&o, 0);
  draw("surface_noisy", "Gen3 slides along a table: heavier, with friction and noise");
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(exact_model_slides_at_the_wanted_force);
  RUN(wrong_masses_slide_at_the_wanted_force);
  RUN(friction_and_noise_are_borne);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* tasks_gen3_test.c: what a Gen3 does by the tasks that ship, on its generated dynamics: a line and
 * a slide, on a table and in the air; a pose that is held; and the force's direction followed on
 * surfaces that lean to all four sides. (gen3_loop_test.c, gen3_path_test.c and gen3_surface_test.c
 * have the others, with masses that the controller does not know.) */
#include "arms.h"
#include "gen3_controlled.h"
#include "gen3_hold_task.h"
#include "gen3_line_task.h"
#include "gen3_slide_task.h"
#include "pregrasp_machine.h"
#include "surface_run.h"

CLOSED_LOOP_ARM(gen3, GEN3, tool_frame)

static free_motion free_joints = {gen3_joints, 0.1, 0.1, 0.5, false};
static const achd_loop_robot robot = {.njoints = GEN3_NJ,
                                      .joints = gen3_joints,
                                      .context = &free_joints,
                                      .kinematics = gen3_kinematics,
                                      .solve = gen3_solve,
                                      .gravity = gen3_weight};
static const double rate = 1000;

/* The tool 10 mm above a table at 0.10 m, its z axis down: at the beginning of the slide, of the
 * line. */
static const double before_slide[GEN3_NJ] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                                             -0.810879, -0.439211, 0.761116};
static const double before_line[GEN3_NJ] = {-0.207606, 0.901251,  -2.653814, -1.855723,
                                            -0.741921, -0.575016, 0.766164};
/* 15 mm above the line in the air, and 10 mm beside it */
static const double above_line[GEN3_NJ] = {-0.295004, 0.712259,  -2.481968, -1.818423,
                                           -0.583078, -0.814533, 0.660799};
/* 15 mm beside and above the slide in the air */
static const double beside_slide[GEN3_NJ] = {-0.343949, 0.829678,  -2.697535, -2.036064,
                                             -0.805450, -0.455019, 0.718655};
static const double home[GEN3_NJ] = {0, 0.261895, 3.14159, -2.269015, 0, 0.959856, 1.57079};

static const plane table = {{0, 0, 0.10}, {0, 0, 1}, 2e4, 200, 0.2, 0};

static plant at(const double q[GEN3_NJ], const plane *surface, bool rough) {
  plant p = {.robot = &robot, .dynamics = gen3_dynamics, .random = 1};
  memcpy(p.q, q, GEN3_NJ * sizeof *q);
  if (surface) p.environment = plane_environment, p.world = surface;
  if (rough) {
    p.friction = 0.01, p.position_noise = 1e-5, p.velocity_noise = 1e-3;
    p.force_noise = surface ? 0.2 : 0;
  }
  return p;
}

static achd_loop_setup to_goal(const achd_task *task) {
  const achd_loop_setup setup = {
      .robot = &robot,
      .machine = &pregrasp_machine,
      .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, task}},
      .events = {.fault = -1,
                 .joint_limit = PREGRASP_E_JOINT_LIMIT,
                 .timeout = PREGRASP_E_TIMEOUT,
                 .contact = PREGRASP_E_CONTACT,
                 .no_contact = -1,
                 .within_tube = PREGRASP_E_WITHIN_TUBE,
                 .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
                 .goal_area = PREGRASP_E_GOAL_AREA,
                 .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA,
                 .section_covered = -1},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3};
  return setup;
}

/* ---- in the air ---- */

static void move_in_air(const achd_task *task, const double q[GEN3_NJ], double tube, bool rough) {
  const achd_loop_setup setup = to_goal(task);
  closed_loop c = closed_loop_at(&setup, at(q, NULL, rough), rate, PREGRASP_E_INITIALIZED);
  closed_loop_run(&c, task->time + 1);
  double r[3];
  closed_loop_place(&c.loop, r);
  printf("  %s%s: tube at %.2f s, goal at %.2f s, at most %.4f m off the middle; at the end %.4f "
         "%.4f %.4f m from the goal\n",
         task->name, rough ? ", friction and noise" : "", c.in_tube, c.stopped, c.farthest, r[0],
         r[1], r[2]);
  CHECK(c.loop.fault == ACHD_LOOP_FINE);
  CHECK(c.seen & ACHD_TASK_GOAL_AREA && !(c.seen & ACHD_TASK_TIMEOUT));
  CHECK(c.in_tube > 0 && c.stopped < task->time);
  CHECK(c.farthest < (rough ? 1.2 : 1.02) * tube);
  CHECK(fabs(r[0]) <= 1.25 * task->goal_area && fabs(r[1]) <= tube && fabs(r[2]) <= tube);
}

static void slide_in_air_comes_to_its_goal(void) {
  const achd_task *t = &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
  move_in_air(t, beside_slide, 0.01, false);
  move_in_air(t, beside_slide, 0.01, true);
}

/* From 0.04 m beyond the goal it comes back; from 0.15 m beside the goal it moves into the tube
 * before it stops. Both begin without an error along z. */
static void goal_is_reached_from_beyond_and_from_beside(void) {
  static const double beyond[GEN3_NJ] = {-0.316156, 1.044614,  -2.580267, -1.525907,
                                         -0.710879, -0.783053, 0.537685};
  static const double beside[GEN3_NJ] = {-0.627149, 1.025088,  -2.565741, -1.598520,
                                         -0.750684, -0.750975, 0.296390};
  const achd_task *t = &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
  move_in_air(t, beyond, 0.01, false);
  move_in_air(t, beside, 0.01, false);
}

/* What docs/runtime.md says of the prediction: from 0.15 m beside the goal the tool comes with about
 * 0.15 m / prediction; without one it swings until a limit stops it. */
static void prediction_sets_the_speed_of_the_approach(void) {
  static const double beside[GEN3_NJ] = {-0.627149, 1.025088,  -2.565741, -1.598520,
                                         -0.750684, -0.750975, 0.296390};
  static const double predictions[] = {0, 1, 4};
  for (int k = 0; k < 3; k++) {
    achd_task t = gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
    t.horizon = predictions[k];
    const achd_loop_setup setup = to_goal(&t);
    closed_loop c = closed_loop_at(&setup, at(beside, NULL, false), rate, PREGRASP_E_INITIALIZED);
    double fastest = 0;
    for (int cycle = 0; cycle < 15000 && c.stopped == 0; cycle++) {
      closed_loop_step(&c);
      const double *v = c.loop.tool.twist.lin;
      if (cycle < 2000) fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    printf("  prediction %g s: %.3f m/s at most, stopped at %.2f s, fault %u\n", t.horizon, fastest,
           c.stopped, c.loop.fault);
    if (k == 0) CHECK(c.loop.fault & ACHD_LOOP_LIMIT && !(c.seen & ACHD_TASK_GOAL_AREA));
    if (k > 0) CHECK_NEAR(fastest, 0.15 / t.horizon, 0.05 / t.horizon);
    if (k == 1) CHECK(c.loop.fault == ACHD_LOOP_FINE && c.seen & ACHD_TASK_GOAL_AREA);
  }
}

static void line_in_air_comes_to_its_goal(void) {
  const achd_task *t = &gen3_line_tasks[GEN3_LINE_TASK_ABOVE];
  move_in_air(t, above_line, 0.001, false);
  move_in_air(t, above_line, 0.001, true);
}

/* ---- on a table ---- */

static void move_on_table(const achd_task *lower, const achd_task *slide, const double q[GEN3_NJ],
                          double tube, bool rough) {
  const achd_loop_setup setup = surface_setup(&robot, lower, slide, slide);
  surface_run r = {.c = closed_loop_at(&setup, at(q, &table, rough), rate, SURFACE_E_INITIALIZED)};
  surface_slide(&r, &table, 60);
  CHECK(r.c.loop.fault == ACHD_LOOP_FINE && r.lost == 0);
  CHECK(r.c.seen & ACHD_TASK_GOAL_AREA && !(r.c.seen & ACHD_TASK_TIMEOUT));
  CHECK_NEAR(r.force, 5, 0.5);
  CHECK_NEAR(r.speed, 0.02, 0.002);
  CHECK(r.lean < 0.055);
  double p[3];
  closed_loop_place(&r.c.loop, p);
  CHECK(fabs(p[1]) <= tube);
}

static void slide_on_a_table_comes_to_its_goal(void) {
  const achd_task *t = gen3_slide_tasks;
  for (int rough = 0; rough < 2; rough++)
    move_on_table(&t[GEN3_SLIDE_TASK_LOWER], &t[GEN3_SLIDE_TASK_IN_CONTACT], before_slide, 0.01,
                  rough);
}

static void line_on_a_table_comes_to_its_goal(void) {
  const achd_task *t = gen3_line_tasks;
  for (int rough = 0; rough < 2; rough++)
    move_on_table(&t[GEN3_LINE_TASK_LOWER], &t[GEN3_LINE_TASK_IN_CONTACT], before_line, 0.001,
                  rough);
}

/* 0.6 N on a table that is as hard as stone: the contact is lost and found again, and no task's own time
 * is ever up. */
static void motion_time_ends_what_finds_no_end(void) {
  static const plane stone = {{0, 0, 0.10}, {0, 0, 1}, 1e6, 20, 0.2, 0};
  const achd_task *lower = &gen3_slide_tasks[GEN3_SLIDE_TASK_LOWER];
  achd_task slide = gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT];
  slide.direction[2].value = 0.6;
  slide.direction[2].tolerance = 0.05;
  for (int limited = 0; limited < 2; limited++) {
    achd_loop_setup setup = surface_setup(&robot, lower, &slide, &slide);
    setup.motion_time = limited ? 8 : 0;
    surface_run r = {
        .c = closed_loop_at(&setup, at(before_slide, &stone, true), rate, SURFACE_E_INITIALIZED)};
    surface_slide(&r, &stone, 12);
    CHECK(r.c.loop.fault == ACHD_LOOP_FINE && r.lost >= 3);
    if (!limited) CHECK(r.c.stopped == 0);
    if (limited) CHECK(r.c.seen & ACHD_TASK_TIMEOUT && fabs(r.c.stopped - 8) < 0.01);
  }
}

/* ---- a pose ---- */

/* Until its time has run out. */
static void hold(bool rough) {
  const achd_task *t = gen3_hold_tasks;
  const achd_loop_setup setup = to_goal(t);
  closed_loop c = closed_loop_at(&setup, at(home, NULL, rough), rate, PREGRASP_E_INITIALIZED);
  double off = 0, turned = 0;
  while (c.stopped == 0 && c.cycle * c.period < 70) {
    closed_loop_step(&c);
    if (c.cycle * c.period < 10 || c.stopped > 0) continue;
    for (int i = 0; i < 3; i++) {
      const achd_task_errors *e = &c.loop.errors;
      off = fmax(off, fabs(e->exact[i])), turned = fmax(turned, fabs(e->exact[3 + i]));
    }
  }
  printf("  %s%s: from 10 s to %.2f s %.5f m and %.5f rad off at most, %.0f %% of the torques\n",
         t->name, rough ? ", friction and noise" : "", c.stopped, off, turned, 100 * c.most_torque);
  CHECK(c.loop.fault == ACHD_LOOP_FINE && c.seen & ACHD_TASK_TIMEOUT);
  CHECK_NEAR(c.stopped, t->time, 0.01);
  CHECK(off < (rough ? 2e-3 : 5e-4) && turned < (rough ? 1e-2 : 2e-3));
}

static void pose_is_held(void) {
  hold(false);
  hold(true);
}

/* ---- an object that moves ---- */

/* A part that comes to 0.2 m/s in half a second, moves on a circle of 0.1 m, away from the robot and
 * back, and turns about the vertical by 0.05 rad/s. */
static achd_object_state part_at(double t) {
  const double radius = 0.1, ramp = 0.5, top = 0.2 / radius, turn = 0.05;
  const double rate = t < ramp ? top * t / ramp : top, growth = t < ramp ? top / ramp : 0;
  const double angle = t < ramp ? top * t * t / (2 * ramp) : top * (t - ramp / 2);
  const double c = cos(angle), s = sin(angle), yaw = turn * t;
  const achd_object_state part = {
      .pose = {{0.35 + radius * (1 - c), radius * s, 0.2},
               {{{cos(yaw), -sin(yaw), 0}, {sin(yaw), cos(yaw), 0}, {0, 0, 1}}}},
      .twist = {{radius * rate * s, radius * rate * c, 0}, {0, 0, turn}},
      .acceleration = {
          {radius * (growth * s + rate * rate * c), radius * (growth * c - rate * rate * s), 0},
          {0, 0, 0}}};
  return part;
}

/* The pose that is held at home, seen from where the part begins. */
static achd_task on_the_part(achd_pose *frame) {
  achd_task t = gen3_hold_tasks[0];
  const achd_object_state begin = part_at(0);
  achd_pose_relative(&begin.pose, &t.frames[0], frame);
  t.frames = frame, t.nframes = 1;
  return t;
}

static void part_is_followed(void) {
  for (int way = 0; way < 3; way++) {
    const bool known = way > 0, rough = way == 2; /* its acceleration; friction and noise */
    achd_pose frame;
    achd_task task = on_the_part(&frame);
    achd_object_state part = part_at(0);
    achd_loop_setup setup = to_goal(&task);
    if (way == 1) { /* the task says so, not its states */
      achd_loop refused;
      task.object = 2;
      setup.named_objects[0] = &part;
      CHECK(!achd_loop_start(&refused, &setup));
      setup.named_objects[1] = &part;
    } else {
      setup.objects[PREGRASP_START_TO_CRUISE] = &part;
      setup.objects[PREGRASP_CRUISE_THROUGH_TUBE] = &part;
    }
    closed_loop c = closed_loop_at(&setup, at(home, NULL, rough), rate, PREGRASP_E_INITIALIZED);
    double off = 0, fastest = 0;
    while (c.cycle * c.period < 8) {
      const double now = c.cycle * c.period;
      part = part_at(now);
      if (!known) memset(&part.acceleration, 0, sizeof part.acceleration);
      closed_loop_step(&c);
      if (now < 2) continue;
      const achd_object_state there = part_at(now);
      double place[3], apart = 0;
      for (int i = 0; i < 3; i++) place[i] = c.loop.tool.pose.p[i] - there.pose.p[i];
      achd_rotate_back(&there.pose.R, place, place);
      for (int i = 0; i < 3; i++) apart += (place[i] - frame.p[i]) * (place[i] - frame.p[i]);
      off = fmax(off, sqrt(apart));
      const double *v = c.loop.tool.twist.lin;
      fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    printf("  a part at 0.2 m/s, its acceleration %s%s: from 2 s on %.5f m off at most; the tool "
           "moves "
           "with %.2f m/s at most\n",
           known ? "known" : "not known", rough ? ", friction and noise" : "", off, fastest);
    CHECK(c.loop.fault == ACHD_LOOP_FINE && c.stopped == 0);
    CHECK(off < 2e-3);
    CHECK(fastest > 0.18);
  }
}

/* Measurements of the object that are not finite are a fault, and stop the robot. */
static void lost_part_stops_the_robot(void) {
  achd_pose frame;
  const achd_task task = on_the_part(&frame);
  achd_object_state part = part_at(0);
  achd_loop_setup setup = to_goal(&task);
  setup.objects[PREGRASP_START_TO_CRUISE] = &part;
  closed_loop c = closed_loop_at(&setup, at(home, NULL, false), rate, PREGRASP_E_INITIALIZED);
  for (int cycle = 0; cycle < 100; cycle++) closed_loop_step(&c);
  CHECK(c.loop.fault == ACHD_LOOP_FINE);
  part.pose.p[1] = NAN;
  closed_loop_step(&c);
  CHECK(c.loop.fault & ACHD_LOOP_NOT_FINITE);
}

/* ---- a tool that runs away, a tool that is stuck ---- */

/* The sensor shows 30 N from the side that are not there, the solver holds against them, and the rows
 * may do no more than `largest`: the tool leaves its path. How fast it gets, and how far off. */
static void runs_away(double largest, const achd_tool_bounds *bounds, double *fastest, double *off,
                      unsigned *fault) {
  achd_task t = gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
  t.direction[1].largest = largest;
  achd_loop_setup setup = to_goal(&t);
  setup.watch.tool = *bounds;
  setup.wrench.off = true; /* wrench_loop_test.c has what is conditioned */
  closed_loop c =
      closed_loop_at(&setup, at(beside_slide, NULL, true), rate, PREGRASP_E_INITIALIZED);
  *fastest = *off = 0;
  while (c.cycle < 9000 && c.stopped == 0) {
    achd_measurement m = plant_measure(&c.plant);
    if (c.cycle >= 4000) m.wrench.lin[1] += 30;
    achd_loop_cycle(&c.loop, &m, c.period);
    plant_move(&c.plant, c.loop.tau, c.period);
    c.cycle++;
    if (c.cycle < 4000) continue;
    const double *v = c.loop.tool.twist.lin;
    double r[3];
    closed_loop_place(&c.loop, r);
    *fastest = fmax(*fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    *off = fmax(*off, fabs(r[1]));
  }
  *fault = c.loop.fault;
  printf(
      "  30 N that are not there, rows of %g m/s^2%s: %.3f m/s and %.3f m off at most, fault %u\n",
      largest, bounds->speed > 9 ? ", bounds off" : "", *fastest, *off, *fault);
}

static void tool_that_runs_away_is_stopped(void) {
  static const achd_tool_bounds task = {0, 0, 0, 0},
                                none = {INFINITY, INFINITY, INFINITY, INFINITY};
  double fastest, off;
  unsigned fault;
  runs_away(1, &none, &fastest, &off, &fault);
  CHECK(fastest > 0.5); /* what it is for */
  runs_away(1, &task, &fastest, &off, &fault);
  CHECK(fastest < 0.25 && off < 0.1 && fault == ACHD_LOOP_TOOL);
}

/* A wall across the way: it is pushed until the time is over, and that is told long before. */
static void tool_that_is_stuck_is_told(void) {
  static const plane wall = {{0.45, 0, 0}, {-1, 0, 0}, 1e5, 300, 0.2, 0};
  achd_task t = gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
  const achd_loop_setup setup = to_goal(&t);
  plant p = at(beside_slide, &wall, true);
  closed_loop c = closed_loop_at(&setup, p, rate, PREGRASP_E_INITIALIZED);
  c.obstacle = true;
  double met = 0, told = 0;
  while (c.cycle < 15000 && c.stopped == 0 && told == 0) {
    closed_loop_step(&c);
    const double now = c.cycle * c.period;
    if (met == 0 && c.plant.push.lin[0] < -1) met = now;
    if (c.loop.tool_watch.seen & ACHD_TOOL_STUCK) told = now;
    CHECK(met > 0 || c.loop.tool_watch.seen == 0);
  }
  printf("  a wall is met at %.2f s, told at %.2f s, pushed with %.0f N\n", met, told,
         -c.plant.push.lin[0]);
  CHECK(met > 0 && told > met + 0.4 && told < met + 1 && c.loop.fault == ACHD_LOOP_FINE);
}

/* ---- flat on a surface ---- */

typedef struct flatness {
  const char *name;
  achd_direction_kind kind; /* about x and y */
  double tolerance;         /* [rad; N m] */
  double largest;           /* moment [N m] */
  double pad;               /* half of its side, 0: a point [m] */
  bool outward; /* the force frame's z points out of the surface, and pulls with -10 N */
} flatness;

static achd_task flat_task(const flatness *f) {
  static const achd_rotation outward = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  achd_task t = gen3_line_tasks[GEN3_LINE_TASK_IN_CONTACT];
  t.goal_area = 0, t.time = INFINITY, t.lost.force = 0.5;
  t.direction[2].value = f->outward ? -10 : 10;
  for (int i = 3; i < 6; i++) {
    t.direction[i] = t.direction[2];
    t.direction[i].kind = i < 5 ? f->kind : ACHD_FREE;
    t.direction[i].value = 0;
    t.direction[i].tolerance = f->tolerance;
    t.direction[i].largest = f->largest;
  }
  if (f->outward) t.force_axes = outward;
  return t;
}

/* Pressed on a surface that leans about the tool's x (axis 0) or y, to either side: the tool's z
 * comes to stand into it, at a right angle, and stays. */
static void comes_to_lie_flat(const flatness *f, int axis, double angle) {
  const achd_task task = flat_task(f);
  const achd_task *lower = &gen3_line_tasks[GEN3_LINE_TASK_LOWER];
  plane leaning = table;
  leaning.friction = 0.02, leaning.half = f->pad;
  memcpy(leaning.point, (double[3]){0.45, -0.05, 0.09}, sizeof leaning.point);
  leaning.normal[axis == 0 ? 1 : 0] = axis == 0 ? -sin(angle) : sin(angle);
  leaning.normal[2] = cos(angle);
  achd_loop_setup setup = surface_setup(&robot, lower, &task, &task);
  surface_run r = {
      .c = closed_loop_at(&setup, at(before_line, &leaning, false), rate, SURFACE_E_INITIALIZED)};
  while (r.c.cycle < 14000 && r.c.stopped == 0) {
    closed_loop_step(&r.c);
    if (r.contact == 0 && r.c.loop.machine.state == SURFACE_ALIGN_WITH_SURFACE)
      r.contact = r.c.cycle * r.c.period;
    if (r.c.cycle * r.c.period > 11)
      r.lean = fmax(r.lean, surface_lean(&leaning, &r.c.loop.tool.pose));
  }
  printf("  %s, leaning about %s by %+.1f rad: contact at %.2f s; from 11 s on the tool leans by "
         "%.4f rad at most\n",
         f->name, axis == 0 ? "x" : "y", angle, r.contact, r.lean);
  CHECK(r.c.loop.fault == ACHD_LOOP_FINE && r.contact > 0 && r.c.stopped == 0);
  CHECK(r.lean < 0.05);
}

static void lies_flat_about_both_axes(const flatness *f) {
  for (int k = 0; k < 4; k++) comes_to_lie_flat(f, k & 1, k & 2 ? -0.3 : 0.3);
}

static void force_direction_is_followed(void) {
  const flatness inward = {"force's direction", ACHD_FORCE_DIRECTION, 0.01, 10, 0, false};
  const flatness outward = {
      "force's direction, z outward", ACHD_FORCE_DIRECTION, 0.01, 10, 0, true};
  lies_flat_about_both_axes(&inward);
  lies_flat_about_both_axes(&outward);
}

static void moments_are_brought_to_zero(void) {
  const flatness pad = {"moments of a pad", ACHD_FORCE, 0.02, 1, 0.03, false};
  lies_flat_about_both_axes(&pad);
}

int main(void) {
  RUN(slide_in_air_comes_to_its_goal);
  RUN(goal_is_reached_from_beyond_and_from_beside);
  RUN(prediction_sets_the_speed_of_the_approach);
  RUN(line_in_air_comes_to_its_goal);
  RUN(slide_on_a_table_comes_to_its_goal);
  RUN(line_on_a_table_comes_to_its_goal);
  RUN(motion_time_ends_what_finds_no_end);
  RUN(pose_is_held);
  RUN(part_is_followed);
  RUN(lost_part_stops_the_robot);
  RUN(tool_that_runs_away_is_stopped);
  RUN(tool_that_is_stuck_is_told);
  RUN(force_direction_is_followed);
  RUN(moments_are_brought_to_zero);
  return test_end();
}

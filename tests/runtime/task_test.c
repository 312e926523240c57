/* SPDX-License-Identifier: MIT */
/* task_test.c: tasks become errors, events and commands by their definitions; the tables of
 * robots/tasks/ are what their descriptions say. */
#include <achd/task.h>

#include "gen3_slide_task.h"
#include "lwr4_cleaning_task.h"
#include "lwr4_path_task.h"
#include "lwr4_pregrasp_task.h"
#include "random.h"
#include "test.h"
#include "youbot_path_task.h"

#include <float.h>

static const double rounding = 64 * ACHD_EPSILON;

#define ABAG                                                                                       \
  {                                                                                                \
    (achd_real)0.5, 0, (achd_real)0.25, (achd_real)0.5, (achd_real)0.125, {-1, 1}, {0, 1}, {       \
      -1, 1                                                                                        \
    }                                                                                              \
  }

/* A frame whose x is y of the base, y is z, z is x; its origin at (1, 2, 3). The goal of its second
 * section is 10 further along x. */
#define TURNED                                                                                     \
  {                                                                                                \
    {                                                                                              \
      {0, 0, 1}, {1, 0, 0}, {                                                                      \
        0, 1, 0                                                                                    \
      }                                                                                            \
    }                                                                                              \
  }
static const achd_pose frames[] = {{{1, 2, 3}, TURNED}, {{1, 12, 3}, TURNED}};

static achd_task some_task(void) {
  achd_task t = {.name = "some",
                 .frames = frames,
                 .nframes = 1,
                 .orientation = TURNED,
                 .orientation_tolerance = (achd_real)0.25,
                 .force_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                 .goal_area = (achd_real)0.5,
                 .time = 4,
                 .contact = {8, (achd_real)0.5},
                 .lost = {1, 1}};
  for (int i = 0; i < 6; i++) {
    const achd_direction d = {.kind = ACHD_FREE, .largest = 100, .abag = ABAG};
    t.direction[i] = d;
  }
  return t;
}

/* At the motion frame, turned as wanted, at rest, nothing touched. */
static achd_tool_state at_goal(void) {
  const achd_tool_state tool = {.pose = frames[0]};
  return tool;
}

static achd_task_errors errors_of(const achd_task *task, const achd_tool_state *tool,
                                  achd_task_mode mode) {
  achd_task_run run;
  achd_task_errors e;
  achd_task_start(&run, task);
  achd_task_examine(&run, tool, mode, &e);
  return e;
}

static void want(achd_task *t, int i, achd_direction_kind kind, double value, double tolerance) {
  t->direction[i].kind = kind;
  t->direction[i].value = (achd_real)value;
  t->direction[i].tolerance = (achd_real)tolerance;
}

static void positions_are_in_the_motion_frame(void) {
  achd_task t = some_task();
  for (int i = 0; i < 3; i++) want(&t, i, ACHD_POSITION, 0.5, 0);
  achd_tool_state tool = at_goal();
  tool.pose.p[0] += 1, tool.pose.p[1] += 2, tool.pose.p[2] += 3; /* its z, x and y */
  const achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK(e.e[0] == (achd_real)(0.5 - 2) && e.e[1] == (achd_real)(0.5 - 3) &&
        e.e[2] == (achd_real)(0.5 - 1));
}

static void positions_are_predicted_velocities_are_not(void) {
  achd_task t = some_task();
  t.horizon = 2;
  want(&t, 0, ACHD_VELOCITY, 1, 0);
  want(&t, 1, ACHD_POSITION, 0, 0);
  achd_tool_state tool = at_goal();
  tool.twist.lin[1] = (achd_real)0.25; /* along its x */
  tool.twist.lin[2] = (achd_real)0.5;  /* along its y */
  const achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK_NEAR((double)e.e[0], 0.75, rounding);
  CHECK_NEAR((double)e.e[1], -1, rounding);
}

/* p + v T + a T^2 / 2, of a task that says so alone; turns alike. */
static void poses_are_predicted_with_accelerations(void) {
  achd_task t = some_task();
  t.horizon = 2;
  want(&t, 1, ACHD_POSITION, 0, 0);
  want(&t, 4, ACHD_ORIENTATION, 0, 0);
  t.orientation_tolerance = 0;
  const achd_tool_state tool = at_goal();
  achd_task_run run;
  achd_task_errors e;
  for (int accelerated = 0; accelerated < 2; accelerated++) {
    t.accelerated = accelerated != 0;
    CHECK(achd_task_valid(&t));
    achd_task_start(&run, &t);
    run.acceleration.lin[2] = (achd_real)0.25; /* along its y */
    run.acceleration.ang[2] = (achd_real)0.125;
    achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
    CHECK_NEAR((double)e.e[1], accelerated ? -0.5 : 0, rounding);
    CHECK_NEAR((double)e.e[4], accelerated ? -0.25 : 0, rounding);
  }
  t.object = 1;
  CHECK(!achd_task_valid(&t));
  t.accelerated = false;
  CHECK(achd_task_valid(&t));
  t.object = 0;
  t.direction[1].smooth = true;
  CHECK(achd_task_valid(&t));
  t.accelerated = true;
  CHECK(!achd_task_valid(&t));
  t.direction[1].kind = ACHD_VELOCITY;
  CHECK(achd_task_valid(&t));
}

/* Angular velocities are those about the motion frame's axes, not the linear ones. */
static void turns_may_have_a_velocity(void) {
  achd_task t = some_task();
  for (int i = 3; i < 6; i++) want(&t, i, ACHD_VELOCITY, 0.5, 0);
  achd_tool_state tool = at_goal();
  for (int i = 0; i < 3; i++) {
    tool.twist.lin[i] = 7;
    tool.twist.ang[i] = (achd_real)(0.125 * (i + 1)); /* the frame's z, x, y */
  }
  const achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK_NEAR((double)e.e[3], 0.5 - 0.25, rounding);
  CHECK_NEAR((double)e.e[4], 0.5 - 0.375, rounding);
  CHECK_NEAR((double)e.e[5], 0.5 - 0.125, rounding);
}

static void errors_inside_a_tolerance_are_zero_outside_whole(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_POSITION, 0, 0.25);
  achd_tool_state tool = at_goal();
  tool.pose.p[1] += (achd_real)0.25;
  achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK(e.e[0] == 0 && e.exact[0] == (achd_real)-0.25);
  tool.pose.p[1] += (achd_real)0.125;
  e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK(e.e[0] == (achd_real)-0.375 && e.exact[0] == e.e[0]);
}

/* The wave is over the distance still to go, and the speed leads to the goal from either side. */
static void speed_may_wave_along_the_way(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 0.05, 0);
  t.direction[0].amplitude = (achd_real)0.12, t.direction[0].wave = 5;
  const double at[] = {-0.5, -0.25, -0.01, 0.01, 0.25, 0.5};
  for (int k = 0; k < 6; k++) {
    achd_tool_state tool = at_goal();
    tool.pose.p[1] += (achd_real)at[k];
    const double speed = 0.05 + 0.12 * sin(5 * fabs(at[k]));
    CHECK_NEAR((double)errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0], at[k] < 0 ? speed : -speed,
               rounding);
  }
}

/* A guarded motion has no goal to lead to; nor has a speed across the way. */
static void speed_without_a_goal_is_as_given(void) {
  achd_task t = some_task();
  t.goal_area = 0;
  want(&t, 0, ACHD_VELOCITY, 0.05, 0);
  achd_tool_state tool = at_goal();
  for (int k = -1; k <= 1; k += 2) {
    tool.pose.p[1] = frames[0].p[1] + (achd_real)k;
    CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0] == (achd_real)0.05);
  }
  t = some_task();
  want(&t, 2, ACHD_VELOCITY, 0.05, 0);
  CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[2] == (achd_real)0.05);
}

static void speed_is_zero_and_strict_before_cruising(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 0.05, 0.5);
  achd_tool_state tool = at_goal();
  tool.twist.lin[1] = (achd_real)0.125;
  CHECK(errors_of(&t, &tool, ACHD_TASK_APPROACH).e[0] == (achd_real)-0.125);
  CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0] == 0);
}

static void orientation_is_one_vector_with_one_tolerance(void) {
  achd_task t = some_task();
  for (int i = 3; i < 6; i++) want(&t, i, ACHD_ORIENTATION, 0, 0);
  achd_tool_state tool = at_goal();
  const achd_real small[3] = {(achd_real)0.1, (achd_real)0.15, (achd_real)0.1}; /* norm 0.206 */
  const achd_real turn[3] = {(achd_real)0.2, (achd_real)-0.3, (achd_real)0.1};  /* norm 0.374 */
  achd_rotation step;
  achd_rotation_exp(small, &step);
  achd_rotation_product(&step, &frames[0].R, &tool.pose.R);
  achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  for (int i = 3; i < 6; i++) CHECK(e.e[i] == 0 && e.exact[i] != 0);
  achd_rotation_exp(turn, &step);
  achd_rotation_product(&step, &frames[0].R, &tool.pose.R);
  e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK_NEAR((double)e.e[3], 0.3, rounding); /* back, along its x, which is y of the base */
  CHECK_NEAR((double)e.e[4], -0.1, rounding);
  CHECK_NEAR((double)e.e[5], -0.2, rounding);
}

/* Only the directions that hold the orientation count for the norm. */
static void orientation_about_one_axis(void) {
  achd_task t = some_task();
  want(&t, 3, ACHD_ORIENTATION, 0, 0);
  achd_tool_state tool = at_goal();
  const achd_real turn[3] = {1, 0, 0}; /* about its z */
  achd_rotation step;
  achd_rotation_exp(turn, &step);
  achd_rotation_product(&step, &frames[0].R, &tool.pose.R);
  CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[3] == 0);
  achd_task_run run;
  achd_task_start(&run, &t);
  CHECK(achd_task_watch(&run, &tool, 1) & ACHD_TASK_WITHIN_TUBE);
}

/* The tool presses 5 N along its z: the environment pushes back with -5 N along it. */
static void forces_are_in_the_force_frame(void) {
  achd_task t = some_task();
  want(&t, 2, ACHD_FORCE, 6, 0);
  want(&t, 3, ACHD_FORCE, 0, 0);
  achd_tool_state tool = at_goal();
  tool.wrench.lin[0] = -5; /* z of the tool is x of the base */
  tool.wrench.ang[1] = 2;  /* about its x */
  achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK(e.e[2] == 1 && e.e[3] == 2);
  const achd_rotation force_axes = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}; /* upside down */
  t.force_axes = force_axes;
  e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
  CHECK(e.e[2] == 11 && e.e[3] == 2);
}

/* Turning by the errors about x and y, one after the other for small angles, takes z, or -z where
 * that is nearer, into the force. */
static void moments_may_follow_the_force(void) {
  achd_task t = some_task();
  want(&t, 3, ACHD_FORCE_DIRECTION, 0, 0);
  want(&t, 4, ACHD_FORCE_DIRECTION, 0, 0);
  for (int k = 0; k < 8; k++) {
    const double side = k & 4 ? -1 : 1; /* -1: z points into the surface */
    const double fx = k & 1 ? -1 : 1, fy = k & 2 ? -2 : 2;
    achd_tool_state tool = at_goal();
    const achd_real force[3] = {(achd_real)fx, (achd_real)fy, (achd_real)(4 * side)};
    achd_rotate(&tool.pose.R, force, tool.wrench.lin);
    const achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
    CHECK_NEAR((double)e.e[3], atan2(-fy * side, 4), rounding);
    CHECK_NEAR((double)e.e[4], atan2(fx * side, 4), rounding);
  }
}

/* Neither in the air nor where a force is too small to count as contact. */
static void no_force_has_no_direction(void) {
  achd_task t = some_task();
  want(&t, 3, ACHD_FORCE_DIRECTION, 0, 0);
  want(&t, 4, ACHD_FORCE_DIRECTION, 0, 0);
  achd_tool_state tool = at_goal();
  for (int k = 0; k < 2; k++) { /* 0, then 0.87 of 1 N */
    const achd_task_errors e = errors_of(&t, &tool, ACHD_TASK_CRUISE);
    CHECK(e.e[3] == 0 && e.e[4] == 0);
    for (int i = 0; i < 3; i++) tool.wrench.lin[i] = (achd_real)0.5;
  }
}

/* ---- events ---- */

static void tube_is_where_positions_and_orientation_are_within(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 1, 0);
  want(&t, 1, ACHD_POSITION, 0, 0.25);
  want(&t, 4, ACHD_ORIENTATION, 0, 0);
  achd_task_run run;
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  CHECK(achd_task_watch(&run, &tool, 0) & ACHD_TASK_WITHIN_TUBE);
  tool.twist.lin[2] = 100; /* measured, not predicted */
  CHECK(achd_task_watch(&run, &tool, 0) & ACHD_TASK_WITHIN_TUBE);
  tool.pose.p[2] += (achd_real)0.375; /* y of the frame */
  CHECK(!(achd_task_watch(&run, &tool, 0) & ACHD_TASK_WITHIN_TUBE));
  tool = at_goal();
  const achd_real turn[3] = {0, 0, (achd_real)0.375}; /* about its y */
  achd_rotation step;
  achd_rotation_exp(turn, &step);
  achd_rotation_product(&step, &frames[0].R, &tool.pose.R);
  CHECK(!(achd_task_watch(&run, &tool, 0) & ACHD_TASK_WITHIN_TUBE));
}

static unsigned event_at(achd_task_run *run, double along, unsigned of) {
  achd_tool_state tool = at_goal();
  tool.pose.p[1] += (achd_real)along;
  return achd_task_watch(run, &tool, 0) & of;
}

static void goal_area_is_on_both_sides_of_the_last_goal(void) {
  const achd_task t = some_task();
  achd_task_run run;
  achd_task_start(&run, &t);
  CHECK(!event_at(&run, -0.75, ACHD_TASK_GOAL_AREA) && event_at(&run, -0.5, ACHD_TASK_GOAL_AREA));
  CHECK(event_at(&run, 0.5, ACHD_TASK_GOAL_AREA) && event_at(&run, 0.625, ACHD_TASK_GOAL_AREA));
  CHECK(!event_at(&run, 0.75, ACHD_TASK_GOAL_AREA) && !event_at(&run, 0.625, ACHD_TASK_GOAL_AREA));
  CHECK(!event_at(&run, 0.75, ACHD_TASK_COVERED));
}

static void sections_are_covered_one_after_the_other(void) {
  achd_task t = some_task();
  t.nframes = 2;
  achd_task_run run;
  achd_task_start(&run, &t);
  CHECK(!event_at(&run, -0.75, ACHD_TASK_COVERED) && event_at(&run, -0.5, ACHD_TASK_COVERED));
  CHECK(event_at(&run, 3, ACHD_TASK_COVERED) && !event_at(&run, 0, ACHD_TASK_GOAL_AREA));
  CHECK(achd_task_next_section(&run) && run.section == 1);
  CHECK(!event_at(&run, 0, ACHD_TASK_COVERED | ACHD_TASK_GOAL_AREA) &&
        event_at(&run, 10, ACHD_TASK_GOAL_AREA));
  CHECK(!achd_task_next_section(&run) && run.section == 1);
}

/* 0.375 m beside the goal, and turned by 0.375 rad: both out of tubes of 0.25. */
static void goal_area_is_within_the_tube(void) {
  achd_task t = some_task();
  want(&t, 1, ACHD_POSITION, 0, 0.25);
  want(&t, 3, ACHD_ORIENTATION, 0, 0);
  const achd_real turn[3] = {0, (achd_real)0.375, 0}; /* about its x */
  achd_rotation step;
  achd_rotation_exp(turn, &step);
  for (int frame = 1; frame <= 2; frame++) { /* the goal, and a waypoint before it */
    const unsigned event = frame == 1 ? ACHD_TASK_GOAL_AREA : ACHD_TASK_COVERED;
    t.nframes = frame;
    achd_task_run run;
    achd_task_start(&run, &t);
    achd_tool_state tool = at_goal();
    tool.pose.p[2] += (achd_real)0.375;
    CHECK(!(achd_task_watch(&run, &tool, 0) & event));
    tool = at_goal();
    achd_rotation_product(&step, &frames[0].R, &tool.pose.R);
    CHECK(!(achd_task_watch(&run, &tool, 0) & event));
    tool = at_goal();
    CHECK(achd_task_watch(&run, &tool, 0) & event);
    /* once there, four times the tube */
    tool.pose.p[2] += (achd_real)0.9375;
    CHECK(((achd_task_watch(&run, &tool, 0) & event) != 0) == (frame == 1));
    tool.pose.p[2] += (achd_real)0.125;
    CHECK(!(achd_task_watch(&run, &tool, 0) & event));
    tool.pose.p[2] -= (achd_real)0.125;
    CHECK(!(achd_task_watch(&run, &tool, 0) & event)); /* that it must come to again */
  }
}

static void run_without_a_task_has_no_section(void) {
  achd_task_run run = {.task = NULL};
  CHECK(!achd_task_next_section(&run) && run.section == 0);
}

static void task_without_a_goal_has_no_goal_area(void) {
  achd_task t = some_task();
  t.goal_area = 0;
  achd_task_run run;
  achd_task_start(&run, &t);
  CHECK(!event_at(&run, 0, ACHD_TASK_GOAL_AREA | ACHD_TASK_COVERED));
}

static void time_runs_out(void) {
  const achd_task t = some_task();
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  for (int k = 0; k < 7; k++)
    CHECK(!(achd_task_watch(&run, &tool, (achd_real)0.5) & ACHD_TASK_TIMEOUT));
  CHECK(achd_task_watch(&run, &tool, (achd_real)0.5) & ACHD_TASK_TIMEOUT);
}

static void contact_is_a_force_for_a_time(void) {
  const achd_task t = some_task();
  achd_task_run run;
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  tool.wrench.lin[0] = -6, tool.wrench.lin[2] = 6; /* 8.5 N */
  const unsigned both = ACHD_TASK_CONTACT | ACHD_TASK_NO_CONTACT;
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.25) & both) == 0);
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.25) & both) == ACHD_TASK_CONTACT);
  tool.wrench.lin[0] = 0; /* 6 N: neither */
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.25) & both) == 0);
  tool.wrench.lin[0] = -6;
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.25) & both) == 0); /* anew */
  tool.wrench.lin[0] = tool.wrench.lin[2] = (achd_real)0.5;
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.75) & both) == 0);
  CHECK((achd_task_watch(&run, &tool, (achd_real)0.25) & both) == ACHD_TASK_NO_CONTACT);
}

/* Across the force frame's z, which is the tool's z: 6 N against 5. */
static void something_is_in_the_way(void) {
  achd_task t = some_task();
  t.across.force = 5, t.across.duration = (achd_real)0.5;
  achd_task_run run;
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  tool.wrench.lin[0] = 100; /* z of the tool */
  for (int k = 0; k < 4; k++)
    CHECK(!(achd_task_watch(&run, &tool, (achd_real)0.25) & ACHD_TASK_CONTACT_X_Y));
  tool.wrench.lin[1] = 6;
  CHECK(!(achd_task_watch(&run, &tool, (achd_real)0.25) & ACHD_TASK_CONTACT_X_Y));
  CHECK(achd_task_watch(&run, &tool, (achd_real)0.25) & ACHD_TASK_CONTACT_X_Y);
  tool.wrench.lin[1] = 0;
  CHECK(!(achd_task_watch(&run, &tool, (achd_real)0.25) & ACHD_TASK_CONTACT_X_Y));
  t.across.force = 0; /* not looked at */
  tool.wrench.lin[1] = 6;
  for (int k = 0; k < 4; k++) CHECK(!(achd_task_watch(&run, &tool, 1) & ACHD_TASK_CONTACT_X_Y));
}

/* Turning at 0.25 rad/s about its x, as seen 2 s ahead: half a radian of the way is made. */
static void direction_of_the_force_is_predicted(void) {
  achd_task t = some_task();
  t.horizon = 2;
  want(&t, 3, ACHD_FORCE_DIRECTION, 0, 0);
  achd_tool_state tool = at_goal();
  const achd_real force[3] = {0, -2, 4};
  achd_rotate(&tool.pose.R, force, tool.wrench.lin);
  tool.twist.ang[1] = (achd_real)0.25; /* x of the tool */
  CHECK_NEAR((double)errors_of(&t, &tool, ACHD_TASK_CRUISE).e[3], atan2(2, 4) - 0.5, rounding);
}

/* Where a wave would turn around or stop: from 0.7 m to 1.2 m from the goal, 0.12 sin(5 x) is below
 * -0.05. */
static void speed_leads_to_the_goal_from_anywhere(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 0.05, 0.005);
  t.direction[0].amplitude = (achd_real)0.12, t.direction[0].wave = 5;
  for (int k = 51; k < 400; k++) {
    achd_tool_state tool = at_goal();
    tool.pose.p[1] = frames[0].p[1] - (achd_real)(0.01 * k);
    CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0] >= (achd_real)0.00999);
    tool.pose.p[1] = frames[0].p[1] + (achd_real)(0.01 * k);
    CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0] <= (achd_real)-0.00999);
  }
  /* a speed below twice its tolerance is as given */
  want(&t, 0, ACHD_VELOCITY, 0.05, 0.04);
  t.direction[0].amplitude = 0;
  achd_tool_state tool = at_goal();
  tool.pose.p[1] -= 1;
  CHECK(errors_of(&t, &tool, ACHD_TASK_CRUISE).e[0] == (achd_real)0.05);
}

static void strange_measurements_are_told_and_not_used(void) {
  achd_task t = some_task();
  for (int i = 0; i < 3; i++) want(&t, i, ACHD_POSITION, 1, 0), want(&t, 3 + i, ACHD_FORCE, 1, 0);
  achd_tool_state tool = at_goal();
  achd_real *const first = &tool.pose.p[0];
  const size_t count = sizeof tool / sizeof(achd_real);
  CHECK(count == 24);
  for (size_t k = 0; k < count; k++) {
    achd_real before;
    memcpy(&before, (char *)first + k * sizeof before, sizeof before);
    const achd_real strange = (achd_real)(k % 2 ? NAN : INFINITY);
    memcpy((char *)first + k * sizeof strange, &strange, sizeof strange);
    achd_task_run run;
    achd_task_start(&run, &t);
    const achd_task_run fresh = run;
    CHECK(achd_task_watch(&run, &tool, 1) == ACHD_TASK_NOT_FINITE && run.elapsed == 0);
    achd_task_errors e;
    achd_task_command c;
    achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
    CHECK(!achd_task_control(&run, &tool, &e, false, &c));
    for (int i = 0; i < 6; i++) CHECK(c.b[i] == 0 && c.mask[i] == 0);
    for (int i = 0; i < 3; i++) CHECK(c.wrench.lin[i] == 0 && c.wrench.ang[i] == 0);
    CHECK(memcmp(&fresh, &run, sizeof run) == 0);
    memcpy((char *)first + k * sizeof before, &before, sizeof before);
  }
}

/* A goal that is no number, as of a camera that has seen nothing: nowhere is within its tube. */
static void strange_goals_are_told_and_not_used(void) {
  for (int k = 0; k < 12; k++) {
    achd_task t = some_task();
    achd_pose goal = frames[0];
    *(k < 3 ? &goal.p[k] : &goal.R.m[(k - 3) / 3][k % 3]) = (achd_real)(k % 2 ? NAN : INFINITY);
    t.frames = &goal;
    want(&t, 0, ACHD_VELOCITY, 1, 0);
    achd_tool_state tool = at_goal();
    tool.pose.p[0] += 1, tool.pose.p[1] += 2, tool.pose.p[2] += 3;
    achd_task_run run;
    achd_task_errors e;
    achd_task_command c;
    CHECK(!achd_task_valid(&t));
    achd_task_start(&run, &t);
    CHECK(achd_task_watch(&run, &tool, 1) == ACHD_TASK_NOT_FINITE && run.elapsed == 0);
    achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
    CHECK(!achd_task_control(&run, &tool, &e, false, &c) && c.b[0] == 0 && c.mask[0] == 0);
  }
  achd_task t = some_task();
  want(&t, 4, ACHD_ORIENTATION, 0, 0);
  t.orientation.m[1][1] = (achd_real)NAN;
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  CHECK(achd_task_watch(&run, &tool, 1) == ACHD_TASK_NOT_FINITE);
}

/* All kinds in one task, each changed alone to what no task can be. */
static void tasks_of_no_use_are_told(void) {
  static const achd_pose nowhere[] = {{{0}, {{{0}}}}};
  static const achd_rotation zero = {{{0}}}, mirrored = {{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
#define WRONG(what, change)                                                                        \
  do {                                                                                             \
    achd_task t = some_task();                                                                     \
    want(&t, 0, ACHD_VELOCITY, 1, 0), want(&t, 1, ACHD_POSITION, 0, 1);                            \
    want(&t, 2, ACHD_FORCE, 5, 1), want(&t, 3, ACHD_FORCE_DIRECTION, 0, 1);                        \
    want(&t, 4, ACHD_ORIENTATION, 0, 0);                                                           \
    CHECK(achd_task_valid(&t));                                                                    \
    what = change;                                                                                 \
    CHECK(!achd_task_valid(&t));                                                                   \
  } while (0)
  const achd_real nan = (achd_real)NAN, infinite = (achd_real)INFINITY;
  WRONG(t.frames, NULL);
  WRONG(t.nframes, 0);
  WRONG(t.frames, nowhere);
  WRONG(t.orientation, zero);
  WRONG(t.orientation, mirrored);
  WRONG(t.force_axes, zero);
  WRONG(t.orientation_tolerance, nan);
  WRONG(t.horizon, -1);
  WRONG(t.horizon, infinite);
  WRONG(t.goal_area, nan);
  WRONG(t.goal_area, infinite);
  WRONG(t.time, -1);
  WRONG(t.time, nan);
  WRONG(t.contact.force, nan);
  WRONG(t.contact.duration, -1);
  WRONG(t.lost.force, -1);
  WRONG(t.lost.duration, nan);
  WRONG(t.across.force, nan);
  WRONG(t.across.duration, nan);
  WRONG(t.direction[0].kind, (achd_direction_kind)17);
  WRONG(t.direction[0].kind, ACHD_ORIENTATION);
  WRONG(t.direction[0].kind, ACHD_FORCE_DIRECTION);
  WRONG(t.direction[5].kind, ACHD_POSITION);
  WRONG(t.direction[5].kind, ACHD_FORCE_DIRECTION);
  WRONG(t.direction[0].value, nan);
  WRONG(t.direction[0].amplitude, infinite);
  WRONG(t.direction[0].wave, nan);
  WRONG(t.direction[1].tolerance, nan);
  WRONG(t.direction[1].tolerance, -1);
  WRONG(t.direction[2].largest, -1);
  WRONG(t.direction[2].largest, infinite);
  WRONG(t.direction[4].abag.alpha, 1);
  WRONG(t.direction[4].abag.gain.upper, -1);
  /* what is not used may be anything; what has no end may be infinite */
  achd_task t = some_task();
  t.orientation = t.force_axes = zero;
  t.direction[0].value = nan;
  t.time = t.contact.force = t.lost.duration = infinite;
  CHECK(achd_task_valid(&t));
  t.across.force = 1; /* this one is measured along the force frame */
  CHECK(!achd_task_valid(&t));
}

/* ---- commands ---- */

static void directions_become_rows_masks_and_a_wrench(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 1, 0);
  want(&t, 2, ACHD_FORCE, 5, 0);
  want(&t, 4, ACHD_ORIENTATION, 0, 0);
  want(&t, 5, ACHD_FORCE, -1, 0);
  t.direction[0].largest = 10, t.direction[2].largest = 20, t.direction[5].largest = 40;
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  achd_task_errors e;
  achd_task_command c;
  achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
  CHECK(achd_task_control(&run, &tool, &e, false, &c));
  const double masks[6] = {1, 0, 0, 0, 1, 0};
  for (int i = 0; i < 6; i++) CHECK((double)c.mask[i] == masks[i]);
  CHECK(memcmp(&c.axes, &frames[0].R, sizeof c.axes) == 0);
  /* the first cycle of ABAG above: ebar 0.5, bias 0.25, gain 0 */
  CHECK((double)c.b[0] == 10 * 0.25 && c.b[4] == 0 && c.b[1] == 0 && c.b[2] == 0);
  CHECK((double)c.wrench.lin[0] == 20 * 0.25 && c.wrench.lin[1] == 0); /* z of the tool */
  CHECK((double)c.wrench.ang[0] == 40 * -0.25);
}

/* A contact that is there when the task begins is kept: 12 N along the tool's z, of 20. */
static void forces_begin_with_what_is_exerted(void) {
  achd_task t = some_task();
  want(&t, 2, ACHD_FORCE, 12, 100);
  t.direction[2].largest = 20;
  achd_task_run run;
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  tool.wrench.lin[0] = -12;
  achd_task_errors e;
  achd_task_command c;
  achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
  achd_task_control(&run, &tool, &e, false, &c);
  CHECK_NEAR((double)c.wrench.lin[0], 12, 20 * rounding);
  tool.wrench.lin[0] = 0; /* only once */
  achd_task_control(&run, &tool, &e, false, &c);
  CHECK_NEAR((double)c.wrench.lin[0], 12, 20 * rounding);
}

/* Whatever the errors. */
static void commands_stay_within_their_largest(void) {
  achd_task t = some_task();
  for (int i = 0; i < 6; i++) want(&t, i, i % 2 ? ACHD_FORCE : ACHD_VELOCITY, 1, 0);
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  unsigned long long random = 1;
  for (int k = 0; k < 5000; k++) {
    achd_task_errors e = {{0}, {0}};
    achd_task_command c;
    for (int i = 0; i < 6; i++) e.e[i] = (achd_real)(1e6 * (random_number(&random) - 0.3));
    achd_task_control(&run, &tool, &e, k % 3 == 0, &c);
    for (int i = 0; i < 6; i++) CHECK(c.b[i] >= -100 && c.b[i] <= 100);
    for (int i = 0; i < 3; i++) CHECK(c.wrench.lin[i] >= -100 && c.wrench.lin[i] <= 100);
  }
}

static void saturated_motors_hold_the_biases(void) {
  achd_task t = some_task();
  want(&t, 0, ACHD_VELOCITY, 1, 0);
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  const achd_task_errors e = {{1}, {1}};
  achd_task_command c;
  achd_task_control(&run, &tool, &e, false, &c);
  const achd_real bias = run.channel[0].bias;
  CHECK(bias > 0);
  for (int k = 0; k < 100; k++) achd_task_control(&run, &tool, &e, true, &c);
  CHECK(run.channel[0].bias == bias);
  achd_task_control(&run, &tool, &e, false, &c);
  CHECK(run.channel[0].bias > bias);
}

/* ---- the tables that ship ---- */

static void check_frames(const achd_task *task) {
  CHECK(achd_task_valid(task));
  for (int f = 0; f < task->nframes; f++)
    for (int i = 0; i < 3; i++) {
      const achd_real *a = task->frames[f].R.m[i], *b = task->frames[f].R.m[(i + 1) % 3],
                      *c = task->frames[f].R.m[(i + 2) % 3];
      CHECK_NEAR((double)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), 1, rounding);
      CHECK_NEAR((double)(a[1] * b[2] - a[2] * b[1]), (double)c[0], rounding); /* right-handed */
    }
}

static void pregrasp_is_the_published_one(void) {
  const achd_task *t = &lwr4_pregrasp_tasks[LWR4_PREGRASP_TASK_LWR4_PREGRASP];
  CHECK_TEXT(t->name, "lwr4_pregrasp");
  CHECK(t->nframes == 1 && t->frames[0].p[1] == (achd_real)-0.308);
  CHECK_NEAR((double)t->frames[0].R.m[1][0], -0.730, 2e-3);
  CHECK(t->direction[0].kind == ACHD_VELOCITY && t->direction[1].kind == ACHD_POSITION);
  CHECK(t->direction[0].amplitude == (achd_real)0.12 && t->direction[0].wave == 5);
  for (int i = 3; i < 6; i++) CHECK(t->direction[i].kind == ACHD_FREE);
  CHECK(t->direction[0].abag.alpha == (achd_real)0.85 &&
        t->direction[2].abag.gain_step == (achd_real)0.003152);
  CHECK(t->goal_area == (achd_real)0.03 && t->time == 9 && t->contact.force == (achd_real)0.5);
  CHECK(t->lost.force == 0 && t->horizon == (achd_real)2.5);
  check_frames(t);
}

/* x of each section runs from the waypoint before to its own. */
static void check_path(const achd_task *t, const double from[3]) {
  double before[3] = {from[0], from[1], from[2]};
  for (int f = 0; f < t->nframes; f++) {
    const achd_pose *frame = &t->frames[f];
    double length = 0;
    for (int i = 0; i < 3; i++)
      length += ((double)frame->p[i] - before[i]) * ((double)frame->p[i] - before[i]);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(before[i] + sqrt(length) * (double)frame->R.m[i][0], (double)frame->p[i],
                 rounding);
      before[i] = (double)frame->p[i];
    }
    CHECK(frame->R.m[2][2] > -ACHD_EPSILON); /* z upright */
  }
  check_frames(t);
}

static void paths_lead_from_point_to_point(void) {
  check_path(&lwr4_path_tasks[0], (double[]){-0.200, -0.348, 0.632});
  CHECK(lwr4_path_tasks[0].nframes == 11);
  CHECK_NEAR((double)lwr4_path_tasks[0].frames[10].p[0], 0.099, rounding);
  check_path(&youbot_path_tasks[0], (double[]){-0.085, 0.272, 0.238});
  CHECK(youbot_path_tasks[0].nframes == 89);
  CHECK_NEAR((double)youbot_path_tasks[0].frames[88].p[1], 0.285, rounding);
}

static void cleaning_presses_where_it_shall(void) {
  const achd_task *wipe = &lwr4_cleaning_tasks[LWR4_CLEANING_TASK_WIPE];
  CHECK(wipe->direction[2].kind == ACHD_FORCE && wipe->direction[2].largest == 300);
  CHECK(wipe->direction[3].kind == ACHD_FORCE_DIRECTION && wipe->direction[5].kind == ACHD_FREE);
  CHECK(wipe->lost.force < wipe->direction[2].value - wipe->direction[2].tolerance);
  CHECK(wipe->across.force == 1 && wipe->across.duration == (achd_real)0.05);
  CHECK(!isfinite(wipe->contact.force));
  CHECK_TEXT(lwr4_cleaning_tasks[LWR4_CLEANING_TASK_APPROACH].name, "approach");
  const achd_task *air = &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_AIR];
  CHECK(air->direction[4].kind == ACHD_ORIENTATION && air->orientation.m[2][2] == -1);
  CHECK(air->orientation_tolerance == (achd_real)0.05);
}

/* Of the force frame's axes, either way, each for its own duration; not of what is across them. */
static void contact_is_along_an_axis(void) {
  achd_task t = some_task();
  t.contact.force = ACHD_INFINITY;
  t.along[2] = (achd_contact_rule){8, (achd_real)0.25};
  t.along[3] = (achd_contact_rule){2, 0};
  CHECK(achd_task_valid(&t));
  achd_task_run run;
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  const achd_real side[3] = {20, 20, 7}, down[3] = {0, 0, -9}, about[3] = {-3, 0, 0};
  const achd_real quarter = (achd_real)0.25;
  achd_rotate(&tool.pose.R, side, tool.wrench.lin);
  for (int k = 0; k < 4; k++)
    CHECK(!(achd_task_watch(&run, &tool, quarter / 2) & ACHD_TASK_CONTACT));
  achd_rotate(&tool.pose.R, down, tool.wrench.lin);
  CHECK(!(achd_task_watch(&run, &tool, quarter / 2) & ACHD_TASK_CONTACT));
  CHECK(achd_task_watch(&run, &tool, quarter / 2) & ACHD_TASK_CONTACT);
  achd_rotate(&tool.pose.R, side, tool.wrench.lin);
  CHECK(!(achd_task_watch(&run, &tool, quarter) & ACHD_TASK_CONTACT));
  achd_rotate(&tool.pose.R, about, tool.wrench.ang);
  CHECK(achd_task_watch(&run, &tool, quarter) & ACHD_TASK_CONTACT);
  t.along[3].force = -1;
  CHECK(!achd_task_valid(&t));
}

static unsigned at_speed(achd_task_run *run, double v) {
  achd_tool_state tool = at_goal();
  const achd_real along[3] = {0, (achd_real)v, 0};
  achd_rotate(&frames[0].R, along, tool.twist.lin);
  return achd_task_watch(run, &tool, (achd_real)0.001) & ACHD_TASK_CONTACT;
}

/* By the mean of four velocities along y, once it has been twice the threshold. */
static void contact_is_to_stand_still(void) {
  achd_task t = some_task();
  t.standstill = (achd_standstill_rule){(achd_real)0.25, 4, 1};
  CHECK(achd_task_valid(&t));
  achd_task_run run;
  achd_task_start(&run, &t);
  for (int k = 0; k < 8; k++) CHECK(!at_speed(&run, 0));      /* not moved yet */
  for (int k = 0; k < 8; k++) CHECK(!at_speed(&run, -0.375)); /* nor fast enough to count */
  for (int k = 0; k < 8; k++) CHECK(!at_speed(&run, 0));
  for (int k = 0; k < 4; k++) CHECK(!at_speed(&run, -1));
  CHECK(!at_speed(&run, 0) && !at_speed(&run, 0) &&
        !at_speed(&run, 0)); /* means of 3/4, 1/2, 1/4 */
  CHECK(at_speed(&run, 0) && at_speed(&run, 0.25));
  CHECK(!at_speed(&run, 1));
  achd_task_start(&run, &t);
  for (int k = 0; k < 8; k++) CHECK(!at_speed(&run, 0)); /* a new start has not moved */
  t.standstill.samples = ACHD_TASK_SAMPLES + 1;
  CHECK(!achd_task_valid(&t));
  t.standstill = (achd_standstill_rule){(achd_real)0.25, 4, 3};
  CHECK(!achd_task_valid(&t));
}

/* Of 4 N along z and no moment about x, within twice 1 N and 0.5 N m, for half a second, within two. */
static void alignment_lasts_or_fails(void) {
  achd_task t = some_task();
  want(&t, 2, ACHD_FORCE, 4, 1);
  want(&t, 3, ACHD_FORCE, 0, 0.5);
  t.alignment = (achd_alignment_rule){(achd_real)0.5, 2, 2};
  CHECK(achd_task_valid(&t));
  const achd_real half = (achd_real)0.5;
  const achd_real flat[3] = {0, 0, (achd_real)-5.5}, much[3] = {0, 0, (achd_real)-6.5};
  const achd_real about[3] = {(achd_real)1.25, 0, 0};
  for (int way = 0; way < 4; way++) {
    achd_task_run run;
    achd_task_start(&run, &t);
    achd_tool_state tool = at_goal();
    if (way < 3) achd_rotate(&tool.pose.R, way == 1 ? much : flat, tool.wrench.lin);
    if (way == 2) achd_rotate(&tool.pose.R, about, tool.wrench.ang);
    const unsigned first = achd_task_watch(&run, &tool, half);
    const unsigned all = achd_task_watch(&run, &tool, 3 * half);
    CHECK(((first & ACHD_TASK_ALIGNED) != 0) == (way == 0));
    CHECK(!(first & ACHD_TASK_NOT_ALIGNED));
    CHECK(((all & ACHD_TASK_ALIGNED) != 0) == (way == 0));
    CHECK(((all & ACHD_TASK_NOT_ALIGNED) != 0) == (way != 0));
    if (way != 0) continue;
    for (int i = 0; i < 3; i++)
      tool.wrench.lin[i] = 0; /* too late for an error, and no longer aligned */
    CHECK(!(achd_task_watch(&run, &tool, 9) & (ACHD_TASK_ALIGNED | ACHD_TASK_NOT_ALIGNED)));
  }
  /* a tool in the air with no force to exert is not aligned */
  t.direction[2].kind = ACHD_FREE;
  achd_task_run run;
  achd_task_start(&run, &t);
  const achd_tool_state tool = at_goal();
  CHECK(!(achd_task_watch(&run, &tool, 1) & ACHD_TASK_ALIGNED));
}

/* ---- laws beside ABAG ---- */

static achd_task_command command_of(const achd_task *task, const achd_tool_state *tool,
                                    achd_real period) {
  achd_task_run run;
  achd_task_errors e;
  achd_task_command c;
  CHECK(achd_task_valid(task));
  achd_task_start(&run, task);
  (void)achd_task_watch(&run, tool, period);
  achd_task_examine(&run, tool, ACHD_TASK_CRUISE, &e);
  CHECK(achd_task_control(&run, tool, &e, false, &c));
  return c;
}

/* 0.5 m beside along y of the frame (z of the base) and moving there with 0.25 m/s; the pose now counts, not the
 * predicted one, and no tolerance. */
static void gains_are_of_the_error_now(void) {
  achd_task t = some_task();
  achd_tool_state tool = at_goal();
  t.horizon = 2;
  tool.pose.p[2] += (achd_real)0.5, tool.twist.lin[2] = (achd_real)0.25;
  want(&t, 1, ACHD_POSITION, 0, 5);
  t.direction[1].law = ACHD_LAW_PID;
  t.direction[1].gains = (achd_gains){.proportional = 8, .integral = 4};
  CHECK_NEAR((double)command_of(&t, &tool, (achd_real)0.25).b[1], -8 * 0.5 - 4 * 0.5 * 0.25,
             8 * rounding);
  t.direction[1].law = ACHD_LAW_CASCADE;
  t.direction[1].gains = (achd_gains){.proportional = 8, .derivative = 2, .limit = 1};
  achd_task_command c = command_of(&t, &tool, (achd_real)0.25);
  CHECK_NEAR((double)c.b[1], 2 * (-1 - 0.25), 8 * rounding);
  CHECK(c.mask[1] == 1 && c.mask[0] == 0);
  t.direction[1].law = ACHD_LAW_IMPEDANCE;
  t.direction[1].gains = (achd_gains){.proportional = 16, .derivative = 4};
  c = command_of(&t, &tool, (achd_real)0.25);
  CHECK_NEAR((double)c.wrench.lin[2], -16 * 0.5 - 4 * 0.25, 16 * rounding);
  CHECK(c.wrench.lin[0] == 0 && c.wrench.lin[1] == 0);
  CHECK(c.mask[1] == 0 && c.b[1] == 0);
  t.direction[1].largest = 2;
  CHECK((double)command_of(&t, &tool, (achd_real)0.25).wrench.lin[2] == -2);
  want(&t, 1, ACHD_VELOCITY, 0.5, 0);
  c = command_of(&t, &tool, (achd_real)0.25);
  CHECK_NEAR((double)c.wrench.lin[2], 4 * (0.5 - 0.25), 8 * rounding);
}

/* 3 N are exerted, 5 N wanted: the integral begins with what is exerted. */
static void forces_may_have_a_pid(void) {
  achd_task t = some_task();
  achd_tool_state tool = at_goal();
  want(&t, 1, ACHD_FORCE, 5, 0);
  t.direction[1].law = ACHD_LAW_PID;
  t.direction[1].gains = (achd_gains){.proportional = (achd_real)0.5, .integral = 4};
  tool.wrench.lin[2] = -3; /* its y is z of the base */
  const achd_task_command c = command_of(&t, &tool, (achd_real)0.25);
  CHECK_NEAR((double)c.wrench.lin[2], 3 + 0.5 * 2 + 4 * 2 * 0.25, 8 * rounding);
}

/* Along the force frame's axes for forces: its z is the tool's -z here; along the motion frame's for others. */
static void velocities_are_those_of_the_directions(void) {
  static const achd_real along_z[3] = {0, 0, 1};
  achd_task t = some_task();
  achd_task_run run;
  achd_task_errors e;
  achd_task_command c;
  achd_tool_state tool = at_goal();
  t.force_axes = (achd_rotation){{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  for (int force = 0; force < 2; force++) {
    want(&t, 2, force ? ACHD_FORCE : ACHD_VELOCITY, 1, 0);
    want(&t, 5, force ? ACHD_FORCE : ACHD_VELOCITY, 1, 0);
    achd_rotate(&tool.pose.R, along_z, tool.twist.lin);
    achd_rotate(&tool.pose.R, along_z, tool.twist.ang);
    achd_task_start(&run, &t);
    achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
    CHECK(achd_task_valid(&t) && achd_task_control(&run, &tool, &e, false, &c));
    CHECK_NEAR((double)run.velocity[2], force ? -1 : 1, rounding);
    CHECK_NEAR((double)run.velocity[5], force ? -1 : 1, rounding);
  }
}

static void accelerations_may_be_given(void) {
  achd_task t = some_task();
  const achd_tool_state tool = at_goal();
  want(&t, 4, ACHD_ACCELERATION, 1, 0);
  t.direction[4].amplitude = 2, t.direction[4].wave = 3, t.direction[4].largest = 3;
  const achd_task_command c = command_of(&t, &tool, (achd_real)0.25);
  CHECK_NEAR((double)c.b[4], 1 + 2 * cos(0.75), 8 * rounding);
  CHECK(c.mask[4] == 1);
  t.direction[4].wave = sizeof(achd_real) == 4 ? (achd_real)FLT_MAX : (achd_real)DBL_MAX;
  CHECK(command_of(&t, &tool, 4).b[4] == 0); /* no angle, no acceleration */
}

/* R b of a command with axes R: the acceleration of the three rows in the base. */
static void in_base(const achd_task_command *c, int first, achd_real a[3]) {
  achd_rotate(&c->axes, c->b + first, a);
}

/* Angular rows about axes of their own: the same angular acceleration as about these axes in a task whose motion frame
 * has them; with free ones the linear rows give way. */
static void orientation_may_have_axes_of_its_own(void) {
  static const achd_rotation identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int angular = 1; angular <= 3; angular++) {
    achd_task t = some_task();
    achd_tool_state tool = at_goal();
    achd_real a[3];
    t.turned = true, t.turn_axes = identity;
    for (int i = 0; i < 3 + angular; i++) {
      want(&t, i, i < 3 ? ACHD_POSITION : ACHD_VELOCITY, i + 1, 0);
      t.direction[i].law = ACHD_LAW_CASCADE;
      t.direction[i].gains = (achd_gains){.proportional = 2, .derivative = 1, .limit = 100};
    }
    const achd_task_command c = command_of(&t, &tool, (achd_real)0.25);
    in_base(&c, 3, a); /* velocities 4, 5 and 6 about x, y, z of the base */
    for (int i = 0; i < angular; i++) CHECK_NEAR((double)a[i], 4 + i, 64 * rounding);
    in_base(&c, 0, a); /* 1, 2, 3 along y, z, x of the base */
    CHECK_NEAR((double)a[1], 2, 64 * rounding);
    CHECK_NEAR((double)a[2], 4, 64 * rounding);
    CHECK_NEAR((double)a[0], 6, 64 * rounding);
    want(&t, 1, ACHD_FREE, 0, 0);
    CHECK(achd_task_valid(&t) == (angular == 3));
  }
}

/* Each section has its own numbers, and is left as its word says. */
static void sections_may_have_numbers_of_their_own(void) {
  static const achd_pose three[] = {
      {{1, 2, 3}, TURNED}, {{1, 12, 3}, TURNED}, {{1, 22, 3}, TURNED}};
  achd_task parts[3], t = some_task();
  achd_task_run run;
  t.frames = three, t.nframes = 3;
  want(&t, 0, ACHD_VELOCITY, 1, 0.25);
  want(&t, 1, ACHD_POSITION, 0, 0.25);
  for (int k = 0; k < 3; k++) parts[k] = t;
  parts[0].pass = ACHD_PASS_OVER, parts[0].goal_area = 2;
  parts[1].pass = ACHD_PASS_STOP, parts[1].direction[0].value = 3;
  t.sections = parts;
  CHECK(achd_task_valid(&t));
  achd_task_start(&run, &t);
  achd_tool_state tool = at_goal();
  tool.pose.p[2] += 1; /* beside the tube */
  tool.pose.p[1] -= (achd_real)2.5;
  CHECK(!(achd_task_watch(&run, &tool, 0) & ACHD_TASK_COVERED));
  tool.pose.p[1] += 1;
  CHECK(achd_task_watch(&run, &tool, 0) & ACHD_TASK_COVERED);
  CHECK(achd_task_next_section(&run) && run.task == &parts[1] && run.whole == &t);
  tool.pose.p[2] -= 1, tool.pose.p[1] = 11;
  achd_task_errors e;
  achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
  CHECK(e.exact[0] == 3);
  tool.pose.p[1] = 12, tool.twist.lin[1] = 1;
  achd_task_examine(&run, &tool, ACHD_TASK_CRUISE, &e);
  CHECK(e.exact[0] == -1 && !(achd_task_watch(&run, &tool, 0) & ACHD_TASK_COVERED));
  tool.twist.lin[1] = (achd_real)0.125;
  CHECK(achd_task_watch(&run, &tool, 0) & ACHD_TASK_COVERED);
  tool.pose.p[1] = 14;
  CHECK(!(achd_task_watch(&run, &tool, 0) & ACHD_TASK_COVERED));
  for (int k = 0; k < 8; k++) {
    const achd_task before = parts[1];
    if (k == 0) parts[1].direction[0].tolerance = 0; /* never slow enough to be there */
    if (k == 1) parts[1].pass = (achd_pass)(ACHD_PASS_STOP + 1);
    if (k == 2) parts[1].object = 1;
    if (k == 3) parts[1].accelerated = true;
    if (k == 4) parts[1].turned = true, parts[1].turn_axes = frames[0].R;
    if (k == 5) parts[1].standstill.samples = 1;
    if (k == 6) parts[1].standstill.axis = 1;
    CHECK(achd_task_valid(&t) == (k == 7));
    parts[1] = before;
  }
  parts[1].direction[1].kind = ACHD_FREE;
  CHECK(!achd_task_valid(&t));
  parts[1] = t;
  CHECK(!achd_task_valid(&t)); /* sections within sections */
}

/* What no description can say. */
static void laws_of_no_use_are_told(void) {
  static const double odd[] = {-1, INFINITY, NAN};
  for (int k = 0; k < 3; k++) {
    achd_task t = some_task();
    want(&t, 1, ACHD_POSITION, 0, 1);
    for (int law = 1; law < 4; law++) {
      t.direction[1].law = (achd_law)law;
      t.direction[1].gains = (achd_gains){1, 1, 1, 1};
      CHECK(achd_task_valid(&t));
      t.direction[1].gains.derivative = (achd_real)odd[k];
      CHECK(!achd_task_valid(&t));
      t.direction[1].gains = (achd_gains){1, 1, (achd_real)odd[k], 1};
      CHECK(!achd_task_valid(&t));
    }
    t.direction[1].gains = (achd_gains){1, 1, 1, 1};
    t.direction[1].law = ACHD_LAW_CASCADE, t.direction[1].kind = ACHD_FORCE;
    CHECK(!achd_task_valid(&t));
    t.direction[1].law = ACHD_LAW_IMPEDANCE;
    CHECK(!achd_task_valid(&t));
    t.direction[1].law = ACHD_LAW_PID;
    CHECK(achd_task_valid(&t));
    t.direction[1].smooth = true;
    CHECK(!achd_task_valid(&t));
    t.direction[1].smooth = false, t.turned = true, t.turn_axes.m[0][0] = (achd_real)odd[k];
    CHECK(!achd_task_valid(&t));
  }
}

/* A cascade with a gain or a speed of 0 would never move, whatever the error. */
static void cascades_that_never_move_are_refused(void) {
  achd_task t = some_task();
  want(&t, 1, ACHD_POSITION, 0, 1);
  achd_direction *d = &t.direction[1];
  d->law = ACHD_LAW_CASCADE;
  d->gains = (achd_gains){.proportional = 1, .derivative = 1, .limit = 1};
  CHECK(achd_task_valid(&t));
  achd_real *const needed[] = {&d->gains.proportional, &d->gains.derivative, &d->gains.limit};
  for (int k = 0; k < 3; k++) {
    *needed[k] = 0;
    CHECK(!achd_task_valid(&t));
    *needed[k] = 1;
  }
  /* Of a velocity it has the inner gain alone. */
  d->kind = ACHD_VELOCITY, d->gains = (achd_gains){.derivative = 1};
  CHECK(achd_task_valid(&t));
  d->gains.derivative = 0;
  CHECK(!achd_task_valid(&t));
}

/* ---- noise ---- */

/* What a tool feels in `cycles` cycles: force along the base's z, and noise; how often each event was seen. */
typedef struct counts {
  int contact, lost, aligned, cycles, first;
} counts;

static counts feel(achd_task_run *run, double force, double noise, unsigned long long *random,
                   int cycles) {
  counts c = {0, 0, 0, cycles, -1};
  for (int k = 0; k < cycles; k++) {
    achd_tool_state tool = at_goal();
    for (int i = 0; i < 3; i++) {
      tool.wrench.lin[i] = (achd_real)(noise * random_normal(random) + (i == 2 ? force : 0));
      tool.wrench.ang[i] = (achd_real)(noise / 10 * random_normal(random));
    }
    const unsigned seen = achd_task_watch(run, &tool, (achd_real)1e-3);
    c.contact += (seen & ACHD_TASK_CONTACT) != 0;
    c.lost += (seen & ACHD_TASK_NO_CONTACT) != 0;
    c.aligned += (seen & ACHD_TASK_ALIGNED) != 0;
    if (c.first < 0 && (c.contact || c.lost || c.aligned)) c.first = k;
  }
  return c;
}

static achd_task listening(void) {
  achd_task t = some_task();
  t.contact = (achd_contact_rule){3, (achd_real)2e-3};
  t.lost = (achd_contact_rule){(achd_real)0.5, (achd_real)0.014};
  t.alignment = (achd_alignment_rule){(achd_real)0.05, 20, 4};
  want(&t, 2, ACHD_FORCE, 5, 0.5);
  t.force_axes = (achd_rotation){{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  return t;
}

/* With noise of 3 N nothing is feigned in the air in 10 s, but for a contact that is lost, and what presses with 5 N is
 * told to touch and to be aligned; where the noise is not known, all of this is wrong. */
static void noise_neither_feigns_nor_hides(void) {
  const achd_noise noise = {3, (achd_real)0.3, 0, (achd_real)1e-3};
  unsigned long long random = 1;
  for (int known = 0; known < 2; known++) {
    achd_task t = listening();
    t.frames = frames;
    achd_tool_state at = at_goal();
    achd_rotation down = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, back;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) back.m[i][k] = at.pose.R.m[k][i];
    achd_rotation_product(&back, &down, &t.force_axes); /* its z is down */
    achd_task_run run = {0};
    achd_task_start(&run, &t);
    if (known) CHECK(achd_task_expect(&run, &noise) == 0);
    const counts air = feel(&run, 0, 3, &random, 10000);
    achd_task_start(&run, &t);
    if (known) achd_task_expect(&run, &noise);
    const counts table = feel(&run, 5, 3, &random, 10000);
    CHECK(known == (air.contact == 0) && known == (air.lost > 1000));
    CHECK(table.lost == 0 && table.contact > 1000 && known == (table.aligned > 5000));
    if (known) CHECK(table.first > 0 && table.first < 100);
  }
}

/* A condition that noise leaves alone is judged by the readings as they come, and one that it hides is named. */
static void noise_is_told_where_it_hides(void) {
  achd_task t = listening();
  achd_task_run run = {0};
  achd_task_start(&run, &t);
  const achd_noise small = {(achd_real)0.2, 0, 0, 0};
  CHECK(achd_task_expect(&run, &small) == 0);
  for (int k = 0; k < ACHD_TASK_BY_FORCES; k++) CHECK(run.smoothing[k] == 0);
  const achd_noise much = {8, 0, 0, 0};
  CHECK(achd_task_expect(&run, &much) == 1U << ACHD_TASK_BY_LOST);
  CHECK(run.hidden == 1U << ACHD_TASK_BY_LOST &&
        run.smoothing[ACHD_TASK_BY_LOST] == (achd_real)0.5);
  const achd_noise more = {120, 0, 0, 0};
  CHECK(achd_task_expect(&run, &more) ==
        (1U << ACHD_TASK_BY_LOST | 1U << ACHD_TASK_BY_CONTACT | 1U << ACHD_TASK_BY_ALIGNED));
  CHECK(achd_task_expect(&run, &small) == 0 && run.smoothing[ACHD_TASK_BY_LOST] == 0);
  t.across = (achd_contact_rule){1, 0};
  t.along[4] = (achd_contact_rule){1, 0};
  achd_task_start(&run, &t);
  const achd_noise moment = {0, 1, 0, 0};
  CHECK(achd_task_expect(&run, &moment) == 0);
  CHECK_NEAR((double)run.smoothing[ACHD_TASK_BY_AXES], 24 * 1e-3 / 2, 1e-6);
  t.standstill = (achd_standstill_rule){(achd_real)0.005, 16, 2};
  achd_task_start(&run, &t);
  const achd_noise fast = {0, 0, (achd_real)0.01, 0}, slow = {0, 0, (achd_real)0.006, 0};
  CHECK(achd_task_expect(&run, &fast) == 1U << ACHD_TASK_BY_STANDSTILL);
  CHECK(achd_task_expect(&run, &slow) == 0);
}

/* A section that is the first to have a loss judged by a low pass goes on from the readings before it: what presses with 5 N has
 * not been lost. */
static void a_low_pass_of_a_section_begins_with_what_is_felt(void) {
  const achd_noise noise = {1, 0, 0, (achd_real)1e-3};
  unsigned long long random = 1;
  static achd_task sections[2];
  static const achd_pose way[2] = {{{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                                   {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};
  achd_task t = listening();
  t.frames = way, t.nframes = 2;
  sections[0] = sections[1] = t;
  sections[0].lost.force = 0;
  sections[1].lost = (achd_contact_rule){(achd_real)0.5, 0};
  t.sections = sections;
  achd_task_run run = {0};
  achd_task_start(&run, &t);
  CHECK(achd_task_expect(&run, &noise) == 0 && run.smoothing[ACHD_TASK_BY_LOST] == 0);
  CHECK(feel(&run, 5, 0.1, &random, 200).lost == 0 && achd_task_next_section(&run));
  CHECK(achd_task_expect(&run, &noise) == 0 && run.smoothing[ACHD_TASK_BY_LOST] > 5e-3);
  CHECK(feel(&run, 5, 0.1, &random, 200).lost == 0);
  CHECK(feel(&run, 0, 0.1, &random, 200).lost > 100);
}

/* Numbers of noise that have no meaning, at random: all that is judged stays finite. */
static void senseless_noise_is_none(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300, 1e-300, 3};
  unsigned long long random = 7;
  for (int k = 0; k < 2000; k++) {
    achd_real x[4];
    achd_task t = listening();
    achd_task_run run = {0};
    for (int i = 0; i < 4; i++) x[i] = (achd_real)odd[(int)(8 * random_number(&random))];
    if (k % 3 == 0) t.lost.force = 0, t.direction[2].tolerance = 0;
    achd_task_start(&run, &t);
    (void)achd_task_expect(&run, &(achd_noise){x[0], x[1], x[2], x[3]});
    feel(&run, 5, 0.1, &random, 3);
    for (int i = 0; i < ACHD_TASK_BY_FORCES; i++)
      CHECK(run.smoothing[i] >= 0 && run.smoothing[i] <= 20 &&
            achd_finite(run.smoothed[i].lin[2]) && achd_finite(run.smoothed[i].ang[0]));
  }
}

int main(void) {
  RUN(positions_are_in_the_motion_frame);
  RUN(positions_are_predicted_velocities_are_not);
  RUN(poses_are_predicted_with_accelerations);
  RUN(turns_may_have_a_velocity);
  RUN(errors_inside_a_tolerance_are_zero_outside_whole);
  RUN(speed_may_wave_along_the_way);
  RUN(speed_without_a_goal_is_as_given);
  RUN(speed_is_zero_and_strict_before_cruising);
  RUN(orientation_is_one_vector_with_one_tolerance);
  RUN(orientation_about_one_axis);
  RUN(forces_are_in_the_force_frame);
  RUN(moments_may_follow_the_force);
  RUN(no_force_has_no_direction);
  RUN(tube_is_where_positions_and_orientation_are_within);
  RUN(goal_area_is_on_both_sides_of_the_last_goal);
  RUN(sections_are_covered_one_after_the_other);
  RUN(goal_area_is_within_the_tube);
  RUN(run_without_a_task_has_no_section);
  RUN(task_without_a_goal_has_no_goal_area);
  RUN(time_runs_out);
  RUN(contact_is_a_force_for_a_time);
  RUN(something_is_in_the_way);
  RUN(direction_of_the_force_is_predicted);
  RUN(speed_leads_to_the_goal_from_anywhere);
  RUN(strange_measurements_are_told_and_not_used);
  RUN(strange_goals_are_told_and_not_used);
  RUN(tasks_of_no_use_are_told);
  RUN(directions_become_rows_masks_and_a_wrench);
  RUN(forces_begin_with_what_is_exerted);
  RUN(commands_stay_within_their_largest);
  RUN(saturated_motors_hold_the_biases);
  RUN(pregrasp_is_the_published_one);
  RUN(paths_lead_from_point_to_point);
  RUN(cleaning_presses_where_it_shall);
  RUN(contact_is_along_an_axis);
  RUN(contact_is_to_stand_still);
  RUN(alignment_lasts_or_fails);
  RUN(gains_are_of_the_error_now);
  RUN(forces_may_have_a_pid);
  RUN(velocities_are_those_of_the_directions);
  RUN(accelerations_may_be_given);
  RUN(orientation_may_have_axes_of_its_own);
  RUN(sections_may_have_numbers_of_their_own);
  RUN(laws_of_no_use_are_told);
  RUN(cascades_that_never_move_are_refused);
  RUN(noise_neither_feigns_nor_hides);
  RUN(noise_is_told_where_it_hides);
  RUN(a_low_pass_of_a_section_begins_with_what_is_felt);
  RUN(senseless_noise_is_none);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* grasp_test.c: a Gen3 carries two fingers that touch. The loop moves it by robots/tasks/gen3_pregrasp.lua to where it can
 * grasp, on to a box on a table, closes the fingers and lifts the box, by one machine (grasp/machine.lua). The world tells
 * where the box is and what the fingers press it with. Left open, they lift nothing; a box that is taken away stops the lift. */
#include "gen3_gripper.h"
#include "gen3_pregrasp_task.h"
#include "gen3_rig.h"
#include "grasp_task.h"
#include "grasping_machine.h"

#include <achd/loop_robot.h>
#include <achd/robif2b_gen3.h>

ACHD_LOOP_ROBOT(gen3, GEN3, tool_frame, tool, push, press);

static const char address[] = "192.168.1.10";
static const double home[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
static double near[NJ]; /* the spring's middle: where the arm begins, later where it rests */
static achd_loop_posture posture = {.q = near, .stiffness = 200, .damping = 20};
static const achd_loop_robot robot = {
    NJ, achd_gen3_joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};

static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &grasping_machine,
    .states = {[GRASPING_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
               [GRASPING_START_TO_PREGRASP] = {ACHD_LOOP_APPROACH, &gen3_pregrasp_tasks[0]},
               [GRASPING_CRUISE_TO_PREGRASP] = {ACHD_LOOP_CRUISE, &gen3_pregrasp_tasks[0]},
               [GRASPING_REST] = {ACHD_LOOP_STOP, NULL},
               [GRASPING_ALIGN_TO_OBJECT] = {ACHD_LOOP_APPROACH,
                                             &grasp_tasks[GRASP_TASK_TO_OBJECT]},
               [GRASPING_CRUISE_TO_OBJECT] = {ACHD_LOOP_CRUISE, &grasp_tasks[GRASP_TASK_TO_OBJECT]},
               [GRASPING_CLOSE_FINGERS] = {ACHD_LOOP_STOP, NULL},
               [GRASPING_LIFT] = {ACHD_LOOP_CRUISE, &grasp_tasks[GRASP_TASK_UP]}},
    .events = {.fault = GRASPING_E_FAULT,
               .joint_limit = GRASPING_E_FAULT,
               .timeout = GRASPING_E_TIMEOUT,
               .contact = -1,
               .no_contact = -1,
               .within_tube = GRASPING_E_WITHIN_TUBE,
               .out_of_tube = -1,
               .goal_area = GRASPING_E_GOAL_AREA,
               .out_of_goal_area = -1,
               .section_covered = -1},
    .latest = 3e-3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .watch = {.joints = achd_gen3_guards, .joints_stamped = true}};

/* What the program does: the fingers close (or stay open) and, at a height of the lift, somebody takes the box away. */
typedef struct plan {
  bool closes;
  double taken_at; /* [m]; 0: never */
} plan;

/* What the world saw. */
typedef struct seen {
  int states;       /* a bit for each state that there was */
  double tool, box; /* how far tool and box went up, from the beginning of the lift [m] */
  double slid;      /* farthest of the box from where it was grasped, in the tool's frame [m] */
  double least[2], most; /* of the force of each finger on the box during the lift [N] */
  double lost_at,
      stopped; /* height of the tool when the loss was noticed [m]; speed of the joints at the end [rad/s] */
  double time; /* of the whole run [s] */
  bool latched;
  unsigned fault;
} seen;

/* The world, as the test looks at it. */
typedef struct look {
  mjModel *m;
  mjData *d;
  int tool, box, fingers[2], parcel; /* sites, geoms */
  double from[2][3], grasped[3];
} look;

/* The force with which finger i presses on the box [N]. */
static double pressed(const look *l, int i) {
  double sum = 0, f[6];
  for (int k = 0; k < l->d->ncon; k++) {
    const int a = l->d->contact[k].geom1, b = l->d->contact[k].geom2;
    if (!((a == l->fingers[i] && b == l->parcel) || (b == l->fingers[i] && a == l->parcel)))
      continue;
    mj_contactForce(l->m, l->d, k, f);
    sum += f[0];
  }
  return sum;
}

/* The box in the tool's frame [m]. */
static void in_tool(const look *l, double p[3]) {
  const double *R = l->d->site_xmat + 9 * (ptrdiff_t)l->tool;
  double apart[3];
  mju_sub3(apart, l->d->xpos + 3 * (ptrdiff_t)l->box, l->d->site_xpos + 3 * (ptrdiff_t)l->tool);
  mju_rotVecMatT(p, apart, R);
}

static look look_at(void) {
  const achd_world_device *device = achd_world_find(address);
  look l = {.m = achd_world_model(device), .d = achd_world_data(device)};
  l.tool = mj_name2id(l.m, mjOBJ_SITE, "tool_frame_site");
  l.box = mj_name2id(l.m, mjOBJ_BODY, "parcel");
  l.parcel = mj_name2id(l.m, mjOBJ_GEOM, "parcel");
  l.fingers[0] = mj_name2id(l.m, mjOBJ_GEOM, "left");
  l.fingers[1] = mj_name2id(l.m, mjOBJ_GEOM, "right");
  CHECK(l.tool >= 0 && l.box >= 0 && l.fingers[0] >= 0 && l.fingers[1] >= 0);
  return l;
}

static void watch_lift(look *l, seen *s, bool begins) {
  const double *tool = l->d->site_xpos + 3 * (ptrdiff_t)l->tool;
  const double *box = l->d->xpos + 3 * (ptrdiff_t)l->box;
  double now[3];
  in_tool(l, now);
  if (begins) {
    mju_copy3(l->from[0], tool), mju_copy3(l->from[1], box), mju_copy3(l->grasped, now);
    s->least[0] = s->least[1] = INFINITY;
  }
  s->tool = tool[2] - l->from[0][2];
  s->box = box[2] - l->from[1][2];
  s->slid = fmax(s->slid, mju_dist3(now, l->grasped));
  for (int i = 0; i < 2; i++) {
    s->least[i] = fmin(s->least[i], pressed(l, i));
    s->most = fmax(s->most, pressed(l, i));
  }
}

/* Puts the box aside. */
static void take_away(const look *l) {
  l->d->qpos[l->m->jnt_qposadr[l->m->body_jntadr[l->box]]] += 1;
}

static seen carry_out(const plan *p) {
  static achd_loop loop;
  achd_gen3 arm;
  achd_measurement measured;
  seen s = {0};
  float position = 0, velocity = 0, current = 0, goal = 0, speed = 50, force = 10;
  bool success = true;
  struct robif2b_kg3_robotiq_gripper_nbx gripper = {&position, &velocity, &current, &goal,
                                                    &speed,    &force,    &success, NULL};
  CHECK(achd_loop_start(&loop, &setup));
  const bool connected = achd_gen3_connect(&arm, &(achd_gen3_setup){.ip_address = address});
  CHECK(connected);
  if (!connected) return s;
  robif2b_kg3_robotiq_gripper_configure(&gripper, &arm.device);
  CHECK(success);
  look l = look_at();
  achd_loop_raise(&loop, GRASPING_E_INITIALIZED);
  memcpy(near, home, sizeof near);
  double since = 0; /* the fingers have been told to close [s] */
  bool taken = false;
  int before = GRASPING_STOP_MOTION, after = 0;
  for (int cycle = 0; cycle < 40000 && after < 1000; cycle++) {
    achd_gen3_read(&arm, &measured);
    robif2b_kg3_robotiq_gripper_update(&gripper);
    CHECK(success);
    const int state = loop.machine.state;
    const bool closing = state == GRASPING_CLOSE_FINGERS || (s.states >> GRASPING_LIFT & 1);
    goal = p->closes && closing ? 100 : 0;
    since = state == GRASPING_CLOSE_FINGERS ? since + arm.period : 0;
    double fastest = 0;
    for (int j = 0; j < NJ; j++) fastest = fmax(fastest, fabs(arm.qd[j]));
    if (state == GRASPING_REST && fastest < 0.01) achd_loop_raise(&loop, GRASPING_E_RESTS);
    if (since > 1.5) achd_loop_raise(&loop, GRASPING_E_CLOSED);
    /* the box is 40 of 85 mm wide, so the fingers that hold it stand at 53 % */
    if (state == GRASPING_LIFT && position > 57) {
      achd_loop_raise(&loop, GRASPING_E_OBJECT_LOST);
      if (s.lost_at == 0) s.lost_at = s.tool;
    }
    achd_loop_cycle(&loop, &measured, arm.period);
    achd_gen3_command(&arm, &loop);
    const int now = loop.machine.state;
    if (now != before && setup.states[now].action == ACHD_LOOP_STOP)
      memcpy(near, arm.q, sizeof near);
    s.states |= 1 << now;
    if (now == GRASPING_LIFT || (s.states >> GRASPING_LIFT & 1))
      watch_lift(&l, &s, now == GRASPING_LIFT && before != GRASPING_LIFT);
    if (!taken && p->taken_at > 0 && s.tool > p->taken_at) {
      take_away(&l);
      taken = true;
    }
    after = now == GRASPING_STOP_MOTION && before != GRASPING_STOP_MOTION ? 1 : after + (after > 0);
    if (now != GRASPING_STOP_MOTION) after = 0;
    before = now;
    s.fault |= loop.fault;
  }
  for (int j = 0; j < NJ; j++) s.stopped = fmax(s.stopped, fabs(arm.qd[j]));
  s.latched = achd_machine_latched(&loop.machine);
  s.time = arm.time;
  achd_gen3_disconnect(&arm);
  printf("  %.1f s: the tool goes up %.1f mm, the box %.1f mm, off its place in the tool %.2f mm; "
         "the fingers press at "
         "least with %.1f and %.1f N, at most %.1f N; lost at %.1f mm, joints at %.4f rad/s at the "
         "end; fault %u\n",
         s.time, 1e3 * s.tool, 1e3 * s.box, 1e3 * s.slid, s.least[0], s.least[1], s.most,
         1e3 * s.lost_at, s.stopped, s.fault);
  return s;
}

enum { ALL_STATES = (1 << GRASPING_LIFT) * 2 - 1 };

static void closed_fingers_lift_the_box(void) {
  const seen s = carry_out(&(plan){.closes = true});
  CHECK(s.states == ALL_STATES && s.fault == ACHD_LOOP_FINE && !s.latched);
  CHECK(s.tool > 0.05 && s.tool < 0.10);
  CHECK(s.box > 0.05 && s.box < 0.10 && s.slid < 0.003);
  CHECK(s.least[0] > 10 && s.least[1] > 10 && s.most < 100);
  CHECK(s.lost_at == 0 && s.stopped < 0.02);
}

static void open_fingers_leave_the_box_on_the_table(void) {
  const seen s = carry_out(&(plan){.closes = false});
  CHECK(s.states == ALL_STATES && s.fault == ACHD_LOOP_FINE && !s.latched);
  CHECK(s.tool > 0.05 && s.tool < 0.10);
  CHECK(fabs(s.box) < 0.001 && s.most == 0 && s.stopped < 0.02);
}

/* The fingers close on nothing: the lift ends there, and stays ended until the program says otherwise. */
static void a_box_that_is_taken_away_stops_the_lift(void) {
  const seen s = carry_out(&(plan){.closes = true, .taken_at = 0.03});
  CHECK(s.states == ALL_STATES && s.fault == ACHD_LOOP_FINE && s.latched);
  CHECK(s.lost_at > 0.03 && s.lost_at < 0.04 && s.tool < 0.05);
  CHECK(s.least[0] == 0 && s.least[1] == 0 && s.stopped < 0.02);
}

int main(void) {
  world_of("model " HAND "\ndevice 192.168.1.10 gen3\n"
           "  joints joint_1 joint_2 joint_3 joint_4 joint_5 joint_6 joint_7\n"
           "  home 0 0.26 3.14 -2.27 0 0.96 1.57\n  friction 2 2 2 2 1 1 1\n"
           "  gripper_joints left right\n  gripper_open 0\n"
           "  gripper_closed 0.0425\n");
  RUN(closed_fingers_lift_the_box);
  RUN(open_fingers_leave_the_box_on_the_table);
  RUN(a_box_that_is_taken_away_stops_the_lift);
  world_of(NULL);
  return test_end();
}

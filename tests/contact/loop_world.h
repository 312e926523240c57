/* SPDX-License-Identifier: MIT */
/* loop_world.h: an arm in MuJoCo that the loop of achd/loop.h leads, above a table, with a sensor of force that may be wrong: the
 * header `arm` and the model are of the same robot (contact/CMakeLists.txt), LOOP_UR5E, LOOP_FETCH or LOOP_GEN3. */
#ifndef LOOP_WORLD_H
#define LOOP_WORLD_H

#include "sliding_machine.h"
#include "test.h"
#include "world.h"

#include <achd/loop_robot.h>

#include "../runtime/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether all runs of a test are asked for. */
static inline bool sweep(void) {
  const char *s = getenv("ACHD_SWEEP");
  return s && *s && *s != '0';
}

#if defined LOOP_UR5E
#define TOOL tool
static const char *const arm_name = "UR5e";
static const double above[N] = {0.3, -1.3, 1.9, -2.17, -1.5708, 0};
static const double efforts[N] = {150, 150, 150, 28, 28, 28};
static const double gains[N] = {150, 150, 100, 20, 20, 5}; /* of the brakes [N m s/rad] */
#elif defined LOOP_FETCH
#define TOOL tool
static const char *const arm_name = "Fetch";
static const double above[N] = {0.3, 0.9, 0, 0.9, 0, 1.34, 0};
static const double efforts[N] = {33.82, 131.76, 76.94, 66.18, 29.35, 25.7, 7.36};
static const double gains[N] = {60, 80, 20, 30, 8, 10, 3};
#else
#define TOOL tool_frame
static const char *const arm_name = "Gen3";
static const double above[N] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                                -0.810879, -0.439211, 0.761116};
static const double efforts[N] = {55, 55, 55, 55, 28, 28, 28};
static const double gains[N] = {60, 60, 60, 60, 20, 20, 20};
#endif

ACHD_LOOP_ROBOT(arm, ARM, TOOL, tool, push, press);
ACHD_LOOP_ACCELERATIONS(arm, ARM, push);

static const achd_loop_posture spring = {above, 20, 4, false};
static achd_loop_joint joints[N];
static const achd_loop_robot robot = {
    N, joints, (void *)&spring, arm_loop_kinematics, arm_loop_solve, arm_loop_gravity};

/* Numbers of the sensor and of the world. */
typedef struct loop_world {
  world w;
  achd_loop_setup setup;
  achd_loop loop;
  achd_task lower, along;
  achd_pose start, goal;                       /* of the tool, of the motion */
  double height, stiffness, damping, friction; /* of the table [m], [N/m], [N s/m], [1] */
  double load, centre[3];                      /* behind the sensor [kg], in the tool frame [m] */
  double noise, speed_noise;                   /* of force and joint velocities [N], [rad/s] */
  double rub;                                  /* friction of joints, share of their effort [1] */
  int late, late_joints;    /* cycles by which readings of sensor, joints are late */
  double zero[3];           /* the sensor's zero, in the tool frame [N] */
  double wrong[3], hand[3]; /* what the sensor shows that is not there; what pushes the tool [N] */
  int link;                 /* body that meets something below it, other than the tool; 0: none */
  double under, borne;      /* the height of that [m], and its force [N] */
  double shove[3];          /* what pushes the link otherwise [N] */
  int unpowered;            /* joint + 1 whose motor has no torque; 0: none */
  bool frozen;              /* the sensor shows what it showed last, with its stamp */
  achd_wrench last;
  long stamp;
  double beside; /* along the base's x, from the tool frame to where the tool touches [m] */
  double table[3], before[3]; /* force of the table; the load's velocity a cycle before */
  achd_wrench shown[16];      /* readings of the last cycles */
  achd_measurement read[16];
  long cycle;
  unsigned long long random;
} loop_world;

enum { PARTS = 2 };

/* No bounds of the tool. */
static const achd_tool_bounds unwatched = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

/* ABAG of the Gen3's published tasks. */
#define LOOP_ABAG(b, g, db, dg)                                                                    \
  {                                                                                                \
    .alpha = 0.9, .bias_threshold = b, .bias_step = db, .gain_threshold = g, .gain_step = dg,      \
    .bias = {-1, 1}, .gain = {0, 1}, .u = {                                                        \
      -1,                                                                                          \
      1                                                                                            \
    }                                                                                              \
  }

static inline achd_direction direction(achd_direction_kind kind, double value, double tolerance,
                                       double largest) {
  static const achd_abag_parameters linear = LOOP_ABAG(0.000407, 0.502492, 0.0004, 0.002552),
                                    angular = LOOP_ABAG(0.0005, 0.65, 0.0008, 0.0025),
                                    force = LOOP_ABAG(0.000407, 0.452492, 0.000905, 0.003652);
  achd_direction d = {.kind = kind, .value = value, .tolerance = tolerance, .largest = largest};
  d.abag = kind == ACHD_ORIENTATION ? angular : kind == ACHD_FORCE ? force : linear;
  return d;
}

/* A task along the base's y: x of the motion frame is the base's y, z is up; the force frame's z is down. */
static inline achd_task task_along(loop_world *l, double distance, double speed) {
  const achd_real R[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  achd_task t = {.name = "along",
                 .frames = &l->goal,
                 .nframes = 1,
                 .orientation_tolerance = 0.05,
                 .horizon = 1,
                 .goal_area = 0.002,
                 .time = 60};
  memcpy(l->goal.R.m, R, sizeof R);
  memcpy(l->goal.p, l->start.p, sizeof l->goal.p);
  l->goal.p[1] += distance;
  t.orientation = l->start.R;
  t.direction[0] = direction(ACHD_VELOCITY, speed, 0.003, 20);
  t.direction[1] = direction(ACHD_POSITION, 0, 0.01, 20);
  t.direction[2] = direction(ACHD_POSITION, 0, 0.01, 20);
  for (int i = 3; i < 6; i++) t.direction[i] = direction(ACHD_ORIENTATION, 0, 0, 120);
  const achd_rotation down = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  achd_rotation back;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) back.m[i][k] = l->start.R.m[k][i];
  achd_rotation_product(&back, &down, &t.force_axes);
  t.contact.force = t.lost.force = INFINITY;
  t.lost.force = 0;
  return t;
}

static inline achd_measurement exact_reading(const loop_world *l) {
  achd_measurement m = {.q = {0}};
  for (int j = 0; j < N; j++) m.q[j] = l->w.data->qpos[j], m.qd[j] = l->w.data->qvel[j];
  return m;
}

static inline achd_tool_state true_tool(const loop_world *l) {
  const achd_measurement m = exact_reading(l);
  achd_tool_state t = {.wrench = {{0}, {0}}};
  arm_loop_kinematics(NULL, &m, &t.pose, &t.twist);
  return t;
}

static inline void loop_world_open(loop_world *l, const char *path) {
  memset(l, 0, sizeof *l);
  l->w = open_world(path);
  for (int j = 0; j < N; j++) {
    const achd_loop_joint joint = {.limits = {-INFINITY, INFINITY, 3.2},
                                   .effort = efforts[j],
                                   .hold = {8, gains[j], 0.5, -efforts[j], efforts[j]}};
    joints[j] = joint;
  }
}

/* Everything from the beginning, without anything that is wrong; what the caller changes comes after it. */
static inline void loop_world_reset(loop_world *l) {
  const world w = l->w;
  memset(l, 0, sizeof *l);
  l->w = w, l->random = 1;
  mj_resetData(w.model, w.data);
  for (int j = 0; j < N; j++) w.data->qpos[j] = above[j];
  mj_forward(w.model, w.data);
  l->start = true_tool(l).pose;
  l->height = -INFINITY, l->stiffness = 1e5, l->damping = 300, l->friction = 0.2;
  const achd_loop_setup setup = {.robot = &robot,
                                 .machine = &sliding_machine,
                                 .states = {[SLIDING_STOP] = {ACHD_LOOP_STOP, NULL},
                                            [SLIDING_APPROACH] = {ACHD_LOOP_CRUISE, &l->lower},
                                            [SLIDING_ALIGN] = {ACHD_LOOP_APPROACH, &l->along},
                                            [SLIDING_SLIDE] = {ACHD_LOOP_CRUISE, &l->along}},
                                 .events = {.fault = SLIDING_E_FAULT,
                                            .timeout = SLIDING_E_TIMEOUT,
                                            .contact = SLIDING_E_CONTACT,
                                            .no_contact = SLIDING_E_NO_CONTACT,
                                            .goal_area = SLIDING_E_GOAL_AREA},
                                 .latest = 1.5e-3,
                                 .saturation_time = 1,
                                 .singular_time = 0.1,
                                 .braking_time = 0.3,
                                 .brakes_after = 0.5,
                                 .watch = {.accelerations = arm_loop_accelerations}};
  l->setup = setup;
}

static inline void loop_world_begin(loop_world *l) {
  CHECK(achd_loop_start(&l->loop, &l->setup));
}

/* The table's force at the tool: spring, damper, Coulomb's friction. */
static inline void touch(loop_world *l, const achd_tool_state *tool) {
  const double deep = l->height - tool->pose.p[2], *v = tool->twist.lin;
  memset(l->table, 0, sizeof l->table);
  if (!(deep > 0)) return;
  l->table[2] = fmax(0, l->stiffness * deep - l->damping * v[2]);
  const double slip = hypot(v[0], v[1]) + 1e-3;
  for (int i = 0; i < 2; i++) l->table[i] = -l->friction * l->table[2] * v[i] / slip;
}

/* What another link than the tool's meets, a spring and damper, pushes its origin up. */
static inline void lean(loop_world *l, double pushed[N]) {
  const mjData *d = l->w.data;
  const double deep = l->link ? l->under - d->xpos[3 * l->link + 2] : 0;
  double speed[6], by[N];
  l->borne = 0;
  if (l->link) push_of(&l->w, l->link, &d->xpos[3 * l->link], l->shove, by);
  for (int j = 0; j < N && l->link; j++) pushed[j] += by[j];
  if (!(deep > 0)) return;
  mj_objectVelocity(l->w.model, d, mjOBJ_BODY, l->link, speed, 0); /* angular first */
  l->borne = fmax(0, l->stiffness * deep - l->damping * speed[5]);
  push_of(&l->w, l->link, &d->xpos[3 * l->link], (double[]){0, 0, l->borne}, by);
  for (int j = 0; j < N; j++) pushed[j] += by[j];
}

/* What the sensor shows: table, hand, the load's weight and inertia by how it has moved, noise, and what is wrong. */
static inline achd_wrench sense(loop_world *l, const achd_tool_state *tool) {
  achd_wrench f = {{0}, {0}};
  achd_real r[3], v[3], weight[3], moment[3], zero[3];
  achd_rotate(&tool->pose.R, l->zero, zero);
  for (int i = 0; i < 3; i++)
    f.lin[i] =
        l->table[i] + l->hand[i] + l->wrong[i] + zero[i] + l->noise * random_normal(&l->random);
  achd_rotate(&tool->pose.R, l->centre, r);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = tool->twist.lin[i] + tool->twist.ang[j] * r[k] - tool->twist.ang[k] * r[j];
    const double a = l->cycle > 0 ? (v[i] - l->before[i]) / period : 0;
    weight[i] = l->load * ((i == 2 ? -9.81 : 0) - a);
    l->before[i] = v[i];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    moment[i] = r[j] * weight[k] - r[k] * weight[j];
    f.lin[i] += weight[i], f.ang[i] += moment[i];
  }
  f.ang[1] -= l->beside * l->table[2], f.ang[2] += l->beside * l->table[1];
  l->shown[l->cycle % 16] = f;
  return l->shown[(l->cycle > l->late ? l->cycle - l->late : 0) % 16];
}

/* The drives' own brakes: 20 rad/s^2, and then they hold. */
static inline void clutch(loop_world *l, double time) {
  mjData *d = l->w.data;
  for (int j = 0; j < N; j++) {
    d->qvel[j] = copysign(fmax(0, fabs(d->qvel[j]) - 20 * time), d->qvel[j]);
    d->qpos[j] += d->qvel[j] * time;
  }
  mj_step1(l->w.model, d);
}

/* One cycle of the loop, and a period of the world in parts. Returns the tool's true speed. */
static inline double loop_world_step(loop_world *l) {
  achd_tool_state tool = true_tool(l);
  achd_measurement m = exact_reading(l);
  double pushed[N], tau[N];
  const int body = l->w.model->jnt_bodyid[N - 1];
  touch(l, &tool);
  m.wrench = l->frozen ? l->last : sense(l, &tool);
  if (!l->frozen) l->stamp = l->cycle;
  m.wrench_stamp = l->stamp;
  l->last = m.wrench;
  for (int j = 0; j < N; j++) m.qd[j] += l->speed_noise * random_normal(&l->random);
  l->read[l->cycle % 16] = m;
  const achd_measurement *then =
      &l->read[(l->cycle > l->late_joints ? l->cycle - l->late_joints : 0) % 16];
  for (int j = 0; j < N; j++) m.q[j] = then->q[j], m.qd[j] = then->qd[j];
  achd_loop_cycle(&l->loop, &m, period);
  l->w.model->opt.timestep = period / PARTS;
  for (int part = 0; part < PARTS; part++) {
    double f[3];
    tool = true_tool(l);
    touch(l, &tool);
    for (int i = 0; i < 3; i++) f[i] = l->table[i] + l->hand[i];
    const double at[3] = {tool.pose.p[0] + l->beside, tool.pose.p[1], tool.pose.p[2]};
    push_of(&l->w, body, at, f, pushed);
    lean(l, pushed);
    for (int j = 0; j < N; j++)
      tau[j] = (l->unpowered == j + 1 ? 0 : l->loop.tau[j]) -
               l->rub * efforts[j] * tanh(l->w.data->qvel[j] / 0.01);
    if (l->loop.mode == ACHD_LOOP_DISABLE)
      clutch(l, period / PARTS);
    else
      act(&l->w, tau, pushed);
  }
  l->cycle++;
  const double *v = tool.twist.lin;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif

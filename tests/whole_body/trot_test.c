/* trot_test.c: the quadruped trots in MuJoCo by the program of docs/examples/trot, on MuJoCo's contacts and by
 * motor torques
 * alone: 1 m/s, with pushes of 80 N, on a floor with friction 0.2, with a payload of 5 kg, and as the command
 * turns. Falls are
 * failures. */
#include "test.h"
#include "trot/robot.h"
#include "trot/walk.h"
#include "whole_body/simulation.h"

static const char *const joints[] = ROBOT_JOINT_NAMES;
static const char *const feet[GAIT_FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static simulation sim;

/* What a run asks for, and what is in its way. */
typedef struct course {
  const char *name;
  double until;
  gait_command command; /* from 1 s on; feet begin to swing at 0.5 s */
  double turn_after;    /* from when it turns; 0: from 1 s on */
  double friction;
  double push[3], push_at; /* a force on the trunk for 0.2 s [N, s] */
  double payload;          /* on the trunk, which the controller does not know [kg] */
} course;

/* What came of it. */
typedef struct outcome {
  bool fell;
  double p[3], heading, turned; /* at the end; all turns added up [m, rad] */
  double speed;                 /* mean forward, of the last second [m/s] */
  double tilt, least_height;    /* largest, since 0.5 s [rad]; of the trunk over the ground [m] */
  double way;                   /* of the trunk along the ground [m] */
  int unanswered;
} outcome;

static void see(walk *w, gait_state *s, double foot_v[GAIT_FEET][3]) {
  const simulation_frame trunk = simulation_at(&sim, "trunk");
  double quat[4], force[3];
  memcpy(s->p, trunk.p, sizeof s->p), memcpy(s->R, trunk.R, sizeof s->R);
  memcpy(s->v, trunk.v, sizeof s->v), memcpy(s->w, trunk.w, sizeof s->w);
  for (int k = 0; k < GAIT_FEET; k++) {
    const simulation_frame foot = simulation_at(&sim, feet[k]);
    memcpy(s->foot[k], foot.p, sizeof s->foot[k]), memcpy(foot_v[k], foot.v, sizeof foot.v);
    s->touches[k] = simulation_contact(&sim, feet[k], force) > 0;
  }
  simulation_measure(&sim, w->in.q, w->in.qd);
  simulation_quaternion(&sim, "trunk", quat);
  w->in.base.quat = (robot_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(w->in.base.twist.lin, s->v, sizeof s->v), memcpy(w->in.base.twist.ang, s->w, sizeof s->w);
}

/* Opens the model and makes the world that of the course; nominal places of the feet are those of its posture. */
static void prepare(const course *c, gait_parameters *p) {
  simulation_open(&sim, c->name, WHOLE_BODY_MODELS "/trot/world.xml", joints, ROBOT_NJ, 5);
  sim.model->geom_friction[3 * mj_name2id(sim.model, mjOBJ_GEOM, "floor")] = c->friction;
  const int trunk = mj_name2id(sim.model, mjOBJ_BODY, "trunk");
  sim.model->body_mass[trunk] += c->payload;
  const simulation_frame at = simulation_at(&sim, "trunk");
  for (int k = 0; k < GAIT_FEET; k++) {
    const simulation_frame foot = simulation_at(&sim, feet[k]);
    for (int i = 0; i < 3; i++) p->nominal[k][i] = foot.p[i] - at.p[i];
  }
}

static void note(outcome *o, const course *c, const simulation_frame *last) {
  static const double begins = 0.5;
  const simulation_frame now = simulation_at(&sim, "trunk");
  const double t = simulation_time(&sim), heading = gait_heading(now.R);
  o->turned += remainder(heading - o->heading, 2 * M_PI), o->heading = heading;
  o->way += hypot(now.p[0] - last->p[0], now.p[1] - last->p[1]);
  memcpy(o->p, now.p, sizeof o->p);
  if (t > begins) o->tilt = fmax(o->tilt, acos(fmin(1, now.R[8])));
  o->least_height = fmin(o->least_height, now.p[2]);
  if (t > c->until - 1) o->speed += 1e-3 * (cos(heading) * now.v[0] + sin(heading) * now.v[1]);
  o->fell = o->fell || now.R[8] < 0.5 || now.p[2] < 0.15;
}

static outcome run(const course *c) {
  static walk w;
  gait g = {0};
  gait_parameters p = walk_trot();
  outcome o = {.least_height = 1};
  prepare(c, &p);
  walk_begin(&w);
  while (simulation_time(&sim) < c->until && !o.fell) {
    const double t = simulation_time(&sim);
    const double none[3] = {0};
    gait_command command = {0};
    gait_state s;
    double foot_v[GAIT_FEET][3], tau[ROBOT_NJ];
    const simulation_frame last = simulation_at(&sim, "trunk");
    see(&w, &s, foot_v);
    g.walks = t > 0.5;
    if (t > 1) command = c->command;
    if (t < c->turn_after) command.turn = 0;
    gait_step(&g, &p, &s, &command, 1e-3);
    walk_stand_on(&w, &g, 0.875 * c->friction);
    walk_ask(&w, &g, &s, foot_v);
    o.unanswered += !walk_solve(&w, tau);
    simulation_push(&sim, "trunk", t >= c->push_at && t < c->push_at + 0.2 ? c->push : none);
    simulation_step(&sim, tau);
    note(&o, c, &last);
  }
  printf("%s: %s, %.2f m of way, at %.2f %.2f m, turned by %.2f rad, %.2f m/s at the end, tilt "
         "%.1f deg, trunk at %.3f m or "
         "higher, %.2f of the torque limits, %d cycles without an answer\n",
         c->name, o.fell ? "FELL" : "walked", o.way, o.p[0], o.p[1], o.turned, o.speed,
         57.3 * o.tilt, o.least_height, sim.most_torque, o.unanswered);
  CHECK(!o.fell && o.unanswered == 0);
  CHECK(sim.most_torque <= 1 + 1e-9);
  simulation_close(&sim);
  return o;
}

static void it_trots(void) {
  const course c = {.name = "trot", .until = 5, .command = {.forward = 1}, .friction = 0.8};
  const outcome o = run(&c);
  CHECK(o.p[0] > 3 && fabs(o.p[1]) < 0.1); /* it needs 2/3 s to its speed */
  CHECK_NEAR(o.speed, 1, 0.05);
  CHECK(o.tilt < 0.03 && o.least_height > 0.29);
}

static void it_turns(void) {
  const course c = {.name = "turn",
                    .until = 5,
                    .command = {.forward = 0.5, .turn = 1},
                    .turn_after = 1.5,
                    .friction = 0.8};
  const outcome o = run(&c);
  CHECK_NEAR(o.turned, 3.5, 0.2);
  CHECK_NEAR(o.speed, 0.5, 0.1);
  CHECK(o.tilt < 0.05);
}

static void it_goes_sideways(void) {
  const course c = {.name = "sideways", .until = 3.5, .command = {.left = 0.4}, .friction = 0.8};
  const outcome o = run(&c);
  CHECK(o.p[1] > 0.8 && fabs(o.p[0]) < 0.1);
  CHECK(o.tilt < 0.05);
}

/* 80 N for 0.2 s are 16 N s: 1.2 m/s of its 13.7 kg. */
static void it_withstands_80_newtons(void) {
  const course c = {.name = "push from the side",
                    .until = 4.5,
                    .command = {.forward = 1},
                    .friction = 0.8,
                    .push = {0, 80, 0},
                    .push_at = 2.5};
  const outcome o = run(&c);
  CHECK(o.p[1] > 0.1); /* it was moved */
  CHECK_NEAR(o.speed, 1, 0.1);
}

static void it_trots_where_it_is_slippery(void) {
  const course c = {
      .name = "friction 0.2", .until = 4.5, .command = {.forward = 1}, .friction = 0.2};
  const outcome o = run(&c);
  CHECK(o.p[0] > 2);
}

static void it_carries_5_kilograms(void) {
  const course c = {
      .name = "payload", .until = 4, .command = {.forward = 1}, .friction = 0.8, .payload = 5};
  const outcome o = run(&c);
  CHECK(o.p[0] > 2);
}

int main(void) {
  RUN(it_trots);
  RUN(it_turns);
  RUN(it_goes_sideways);
  RUN(it_withstands_80_newtons);
  RUN(it_trots_where_it_is_slippery);
  RUN(it_carries_5_kilograms);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
/* quadruped_friction_test.c: realise = "motors" with dry friction, contacts and a moving base
 * (quadruped_friction.lua), against the motion that MuJoCo computes. Each joint of a quadruped on MuJoCo's contacts has the
 * layout's friction as `frictionloss`. In every millisecond MuJoCo gets the torques of the solve, and the accelerations that
 * it finds are compared with those of the solve: while the trunk goes aside on four feet and stops, while a foot is
 * lifted, and while the leg that was lifted is left to its friction, which holds it until the trunk sways.
 *
 * MuJoCo's friction and contacts are soft. A row accelerates by
 *
 *   J v' = a_ref - R f,   a_ref = -c v - d k r,   c = 2 / (d T),   k = 1 / (d T)^2,   R = (1 - d) / d A,
 *
 * with its force f, its velocity v, the depth r of a contact, the impedance d <= 0.9999, the time constant T, and an estimate
 * A of J M^-1 J^T (MuJoCo's documentation, Computation, Constraint model). Friction with T = 2 h asks for -v / h, as
 * `period = h` does. Contacts are told a_ref - R f + J' v as their b, with the f that MuJoCo finds. What is left is the
 * friction's own R f, at most R times frictionloss: what a joint that rests creeps by, and a joint that slides as slowly as that
 * has less friction. The bound is twice the largest of these, as joints move each other.
 *
 * Compiled a second time, the solve is that of quadruped_limited.lua: realise = "optimum", with motors of the knees that are
 * too weak for the whole motion.
 *
 * Solves with planted mistakes are beyond the bound: without friction, with nine tenths of it, with torques that take it with
 * the wrong sign; and so is a world without friction. */
#include "test.h"
#include "whole_body/simulation.h"

#include <achd/qp.h>

#define QUADRUPED_FRICTION_IMPLEMENTATION
#include "quadruped_friction.h"

enum {
  NJ = QUADRUPED_FRICTION_NJ,
  NX = QUADRUPED_FRICTION_NX,
  NQ = QUADRUPED_FRICTION_NQ,
  LEVELS = QUADRUPED_FRICTION_LEVELS,
  NV = 6 + NJ,
  FEET = 4
};
static const char *const names[] = QUADRUPED_FRICTION_JOINT_NAMES;
static const char *const feet[FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static const double h = 1e-3, tip = 1e-4, end = 1.35; /* [s], radius of a foot [m], [s] */
static const double rubs[NJ] = {1.2, 0.3, 0.25, 2, 2, 2, 2, 2, 2, 2, 2, 2}; /* [N m] */

typedef enum mistake { NONE, UNKNOWN, NINE_TENTHS, WRONG_SIGN, NOT_THERE } mistake;

static const double weakest = QUADRUPED_FRICTION_EFFORT_FL_CALF_JOINT; /* [N m] */

/* Of the leg that is left: cycles in which a joint rests, slides, and begins to slide. */
typedef struct way {
  int rests, slides, starts;
} way;

typedef struct agreement {
  double acceleration, mean; /* largest difference of a joint's or the base's, mean [rad/s^2] */
  double largest, soft;      /* the largest acceleration; the largest R f of friction [rad/s^2] */
  double beyond;             /* a motor's limit [N m] */
  double velocity, position; /* of joints: integrals of the difference, the largest [rad/s, rad] */
  int cycles, solves, skipped, unsolved;
  int standing; /* cycles in which all joints rest */
  int limited;  /* and in which a motor gives all that it can */
  way left[3];
} agreement;

static simulation sim;
static double home[3];

/* Feet are points, so that they do not roll. Friction is as stiff as MuJoCo allows; contacts are a little softer, so that a
 * foot stands deep enough to touch in every step. Motors have the limits
 * of the layout, none by "motors". */
static void open_world(bool with_friction) {
  simulation_open(&sim, "friction", WHOLE_BODY_MODELS "/quadruped_friction.xml", names, NJ, 1);
  mjModel *m = sim.model;
  m->opt.integrator = mjINT_EULER;
  m->opt.disableflags |= mjDSBL_LIMIT;
  m->opt.enableflags |= mjENBL_OVERRIDE; /* of all contacts */
  m->opt.o_solref[0] = 5 * h, m->opt.o_solref[1] = 1;
  m->opt.o_solimp[0] = m->opt.o_solimp[1] = 0.99;
  m->opt.tolerance = 1e-14;
  for (int i = 0; i < m->ngeom; i++) {
    m->geom_friction[3 * i] = 2; /* the layout's cones are narrower */
    if (m->geom_type[i] == mjGEOM_SPHERE) m->geom_size[3 * i] = tip;
  }
  for (int j = 0; j < NJ; j++) {
    const int dof = m->jnt_dofadr[sim.joint[j]];
    m->dof_frictionloss[dof] = with_friction ? rubs[j] : 0;
    m->dof_solref[mjNREF * dof] = 2 * h, m->dof_solref[mjNREF * dof + 1] = 1;
    m->dof_solimp[mjNIMP * dof] = m->dof_solimp[mjNIMP * dof + 1] = 0.9999;
  }
  for (int k = 0; k < m->nu; k++) m->actuator_forcelimited[k] = false;
  sim.data->qpos[2] -= 0.02 - tip;
  mj_forward(m, sim.data);
  memcpy(home, simulation_at(&sim, "trunk").p, sizeof home);
}

/* J' v of a foot: its acceleration less what MuJoCo's accelerations of the joints and the base make of it. */
static void bias_of(const char *foot, double bias[3]) {
  double whole[6], J[3 * NV];
  const int id = mj_name2id(sim.model, mjOBJ_BODY, foot);
  mj_objectAcceleration(sim.model, sim.data, mjOBJ_XBODY, id, whole, 0); /* angular first */
  mj_jacBody(sim.model, sim.data, J, NULL, id);
  for (int i = 0; i < 3; i++)
    bias[i] = whole[3 + i] + sim.model->opt.gravity[i] - mju_dot(J + i * NV, sim.data->qacc, NV);
}

/* What a foot's contact asks for along the world's axes, with the force f that MuJoCo found last. */
static void contact_asks(const char *foot, double b[3]) {
  const int body = mj_name2id(sim.model, mjOBJ_BODY, foot);
  bias_of(foot, b);
  for (int k = 0; k < sim.data->ncon; k++) {
    const mjContact *c = &sim.data->contact[k];
    const int row = c->efc_address;
    if (sim.model->geom_bodyid[c->geom1] != body && sim.model->geom_bodyid[c->geom2] != body)
      continue;
    for (int r = 0; r < 3; r++) /* the normal, two tangents */
      for (int i = 0; i < 3; i++)
        b[i] += c->frame[3 * r + i] * (sim.data->efc_aref[row + r] -
                                       sim.data->efc_R[row + r] * sim.data->efc_force[row + r]);
    return;
  }
}

/* The trunk goes aside in half a second, rests, and sways when the leg is left. */
static void trunk_is_to(double t, const simulation_frame *trunk, double b[6]) {
  static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, by[3] = {-0.045, -0.045, -0.02};
  double rate, wanted[3], speed[3], place[3], turn[3];
  const double gone = simulation_blend(t - 0.05, 0.5, &rate);
  for (int i = 0; i < 3; i++) wanted[i] = home[i] + gone * by[i], speed[i] = rate * by[i];
  if (t > 1 && t < 1.25) {
    const double turns = 2 * 3.14159265358979323846 / 0.25; /* [rad/s] */
    wanted[2] += 0.01 * (1 - cos(turns * (t - 1))), speed[2] += 0.01 * turns * sin(turns * (t - 1));
  }
  simulation_servo(wanted, speed, trunk->p, trunk->v, 200, 28, place);
  simulation_servo_turn(level, trunk->R, trunk->w, 300, 34, turn);
  const bool slows = t > 0.6 && t < 0.7, rests = slows && t > 0.64;
  for (int i = 0; i < 3; i++) {
    const double period = rests ? h : 5 * h;
    b[i] = slows ? -trunk->v[i] / period : place[i];
    b[3 + i] = slows ? -trunk->w[i] / period : turn[i];
  }
}

static void demand(double t, mistake m, quadruped_friction_achd_in *in) {
  const simulation_frame trunk = simulation_at(&sim, "trunk"), foot = simulation_at(&sim, feet[0]);
  const double known = m == UNKNOWN ? 0 : m == NINE_TENTHS ? 0.9 : 1;
  const bool stands = t < 0.7, swings = !stands && t < 0.95;
  double quat[4], rate;
  mj_rnePostConstraint(sim.model, sim.data);
  *in = (quadruped_friction_achd_in)QUADRUPED_FRICTION_ACHD_IN_DEFAULT;
  simulation_measure(&sim, in->q, in->qd);
  simulation_quaternion(&sim, "trunk", quat);
  in->base.quat = (quadruped_friction_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(in->base.twist.lin, trunk.v, sizeof trunk.v);
  memcpy(in->base.twist.ang, trunk.w, sizeof trunk.w);
  for (int j = 0; j < NJ; j++) in->friction[j] = known * rubs[j];
  trunk_is_to(t, &trunk, &in->b[QUADRUPED_FRICTION_TRUNK_LIN_X]);
  for (int k = 0; k < FEET; k++) contact_asks(feet[k], &in->b[QUADRUPED_FRICTION_FL_LIN_X + 3 * k]);
  const double height = 0.15 * simulation_blend(t - 0.7, 0.25, &rate);
  const double up[3] = {foot.p[0], foot.p[1], tip + height}, speed[3] = {0, 0, 0.15 * rate};
  simulation_servo(up, speed, foot.p, foot.v, 400, 40, &in->b[QUADRUPED_FRICTION_SWING_LIN_X]);
  for (int i = 0; i < 3; i++) {
    in->mask[QUADRUPED_FRICTION_SWING_LIN_X + i] = swings;
    in->mask[QUADRUPED_FRICTION_FL_LIN_X + i] = stands;
  }
}

static bool solve(const quadruped_friction_achd_in *in, quadruped_friction_achd_out *out) {
  static achd_real work[ACHD_QP_FRICTION_WORK(NX, NQ, LEVELS)], dual[ACHD_QP_DUAL(LEVELS, NQ)];
  static signed char side[NQ];
  static quadruped_friction_qp_out p;
  achd_real x[NX];
  achd_qp_report report;
  const quadruped_friction_status status = quadruped_friction_qp(in, &p);
  const achd_qp_rubbing problem = {{NX, NQ, LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight},
                                   QUADRUPED_FRICTION_NF,
                                   p.stiction,
                                   0};
  const achd_qp_status solved = achd_qp_friction(&problem, x, dual, side, work, &report);
  return (solved == ACHD_QP_SOLVED || solved == ACHD_QP_YIELDED) &&
         ((status | quadruped_friction_apply(in, &p, x, out)) &
          QUADRUPED_FRICTION_DO_NOT_COMMAND) == 0;
}

/* MuJoCo's accelerations under these torques: joints, base along the axes of the world. */
static void accelerate(const double tau[NJ], double a[NV]) {
  for (int j = 0; j < NJ; j++) sim.data->ctrl[sim.motor[j]] = tau[j];
  mj_forward(sim.model, sim.data);
  for (int j = 0; j < NJ; j++) a[j] = sim.data->qacc[sim.model->jnt_dofadr[sim.joint[j]]];
  for (int i = 0; i < 3; i++) a[NJ + i] = sim.data->qacc[i];
  mju_rotVecQuat(a + NJ + 3, sim.data->qacc + 3, sim.data->qpos + 3);
}

static bool touches(const char *foot) {
  double force[3];
  return simulation_contact(&sim, foot, force) > 0;
}

/* The largest R f of the friction of joints. */
static double softness(void) {
  double most = 0;
  for (int row = 0; row < sim.data->nefc; row++)
    if (sim.data->efc_type[row] == mjCNSTR_FRICTION_DOF)
      most = fmax(most, sim.data->efc_R[row] * sim.data->efc_frictionloss[row]);
  return most;
}

/* The forces of all contacts; returns the largest change [N]. */
static double bear(double force[3 * FEET]) {
  double change = 0;
  for (int k = 0; k < FEET; k++) {
    double now[3];
    simulation_contact(&sim, feet[k], now);
    for (int i = 0; i < 3; i++) {
      change = fmax(change, fabs(now[i] - force[3 * k + i]));
      force[3 * k + i] = now[i];
    }
  }
  return change;
}

/* The solve, and MuJoCo's accelerations by its torques. Where they change the forces of contacts, on which what the contacts
 * ask for depends, both are done again. */
static bool find(double t, mistake m, agreement *g, quadruped_friction_achd_in *in,
                 quadruped_friction_achd_out *out, double tau[NJ], double a[NV]) {
  double force[3 * FEET] = {0}, jump = 1;
  bear(force);
  for (int k = 0; k < 4 && jump > 0.2; k++) {
    demand(t, m, in);
    if (!solve(in, out)) {
      g->unsolved++;
      return false;
    }
    for (int j = 0; j < NJ; j++)
      tau[j] = out->tau_ctrl[j] + (m == WRONG_SIGN ? 2 * out->tau_friction[j] : 0);
    accelerate(tau, a);
    jump = bear(force);
    g->solves++;
  }
  return true;
}

static void compare(const quadruped_friction_achd_out *out, const double a[NV], double velocity[NJ],
                    double position[NJ], agreement *g) {
  double said[NV], worst = 0;
  memcpy(said, out->qdd, sizeof out->qdd);
  memcpy(said + NJ, out->base.acc.lin, sizeof out->base.acc.lin);
  memcpy(said + NJ + 3, out->base.acc.ang, sizeof out->base.acc.ang);
  for (int j = 0; j < NV; j++) {
    worst = isfinite(a[j]) ? fmax(worst, fabs(a[j] - said[j])) : INFINITY;
    g->largest = fmax(g->largest, fabs(said[j]));
  }
  for (int j = 0; j < NJ; j++) {
    velocity[j] += h * (a[j] - said[j]), position[j] += h * velocity[j];
    g->velocity = fmax(g->velocity, fabs(velocity[j]));
    g->position = fmax(g->position, fabs(position[j]));
  }
  g->cycles++, g->mean += worst, g->acceleration = fmax(g->acceleration, worst);
}

/* A joint rests that is slower behind the step than what friction creeps by in one. */
static void count_ways(const quadruped_friction_achd_in *in, const quadruped_friction_achd_out *out,
                       bool left, bool rested[3], agreement *g) {
  bool all = true;
  for (int j = 0; j < NJ; j++) {
    const bool rests = fabs(in->qd[j] + h * out->qdd[j]) < h * g->soft;
    all = all && rests;
    if (j >= 3 || !left) continue;
    g->left[j].rests += rests, g->left[j].slides += !rests;
    g->left[j].starts += rested[j] && !rests;
    rested[j] = rests;
  }
  g->standing += all;
}

static double most_torque(const double tau[NJ]) {
  double most = 0;
  for (int j = 2; j < NJ; j += 3) most = fmax(most, fabs(tau[j])); /* of knees */
  return most;
}

static agreement run(mistake m, double until) {
  agreement g = {0};
  double velocity[NJ] = {0}, position[NJ] = {0};
  bool rested[3] = {false};
  open_world(m != NOT_THERE);
  g.soft = softness();
  for (double t = 0; t < until; t = simulation_time(&sim)) {
    quadruped_friction_achd_in in;
    quadruped_friction_achd_out out;
    double a[NV], tau[NJ];
    if (!find(t, m, &g, &in, &out, tau, a)) break;
    if ((in.mask[QUADRUPED_FRICTION_FL_LIN_X] != 0) == touches(feet[0]))
      compare(&out, a, velocity, position, &g);
    else
      g.skipped++; /* the foot that is being lifted still touches */
    const double knee = most_torque(tau);
    g.limited += knee > weakest * (1 - 1e-9);
    g.beyond = fmax(g.beyond, knee - weakest);
    count_ways(&in, &out, t >= 0.95, rested, &g);
    simulation_step(&sim, tau);
  }
  g.mean /= g.cycles > 0 ? g.cycles : 1;
  simulation_close(&sim);
  return g;
}

static double bound; /* [rad/s^2, m/s^2] */

static void print(const char *what, const agreement *g) {
  printf("   %s: %d cycles, %d solves; accelerations up to %.3g apart by %.2g, on the average "
         "%.2g; integrated %.2g rad/s, %.2g rad\n",
         what, g->cycles, g->solves, g->largest, g->acceleration, g->mean, g->velocity,
         g->position);
}

static void it_moves_as_the_solve_says(void) {
  const agreement g = run(NONE, end);
  bound = 2 * g.soft;
  print("as it is", &g);
  printf("   bound %.2g; %d cycles skipped; all joints rest in %d; knees give their %g N m in %d; "
         "the leg that is left rests, "
         "slides, starts:",
         bound, g.skipped, g.standing, weakest, g.limited);
  for (int j = 0; j < 3; j++)
    printf(" %d %d %d%s", g.left[j].rests, g.left[j].slides, g.left[j].starts, j < 2 ? "," : "\n");
  CHECK(g.unsolved == 0 && g.cycles > 1300 && g.skipped <= 15);
  CHECK(g.acceleration < bound && bound < 0.5);
  CHECK(g.velocity < 0.02 && g.position < 0.01);
#ifdef LIMITED
  CHECK(g.limited > 20 && g.beyond < 1e-6);
#else
  CHECK(g.limited == 0);
#endif
  CHECK(g.standing > 30);
  for (int j = 0; j < 3; j++)
    CHECK(g.left[j].rests > 50 && g.left[j].slides > 50 && g.left[j].starts >= 1);
}

static void mistakes_are_seen(void) {
  static const char *const what[] = {"", "no friction known", "nine tenths of it", "wrong sign",
                                     "a world without"};
  for (int m = UNKNOWN; m <= NOT_THERE; m++) {
    const agreement g = run((mistake)m, 0.2);
    print(what[m], &g);
    CHECK(g.cycles > 150 && g.acceleration > 10 * bound && g.mean > bound);
  }
}

int main(void) {
  RUN(it_moves_as_the_solve_says);
  RUN(mistakes_are_seen);
  return test_end();
}

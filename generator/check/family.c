/* SPDX-License-Identifier: MIT */
/* family.c: see family.h. The functions beside the solve: one against the other through M and J,
 * and finite differences along motions of joints and base
 *
 * The base's linear velocity is the derivative of no number here: positions are relative to its
 * origin. Where a pose or the centre of mass changes with it, it stands apart. */
#include "check/family.h"

#include "check/differences.h"
#include "check/linkages.h"
#include "check/loops.h"
#include "check/rows.h"

#include <math.h>
#include <string.h>

static const double STEP = 1e-5; /* of central differences, at a speed of 1 */

/* y = J x. Returns the largest of the sums of absolute values, which is not below `least`: J's
 * numbers may be what is left of larger ones. */
static double times(const ag_checker *c, const double *jac, int rows, const double *x, double least,
                    double *y) {
  const int n = c->robot.n;
  double size = least;
  for (int i = 0; i < rows; i++) {
    double terms = y[i] = 0;
    for (int j = 0; j < n; j++) {
      y[i] += jac[i * n + j] * x[j];
      terms += fabs(jac[i * n + j] * x[j]);
    }
    size = fmax(size, terms);
  }
  return size;
}

static double apart(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static const double *output(const ag_checker *c, const char *function, const char *name) {
  return ag_output_of(ag_reference_run(&c->robot, function), name);
}

/* Forces that a function gives for base and joints. */
static void forces(const ag_checker *c, const char *function, double *x) {
  ag_reference_outputs(&c->robot, ag_reference_run(&c->robot, function), "base.wrench", "tau", x);
}

/* The linear velocity of the base in a motion: of a planar one along x and y. */
static void base_velocity(const ag_checker *c, const double *motion, double v[3]) {
  const int linear = c->robot.nbase == 3 ? 2 : c->robot.nbase / 2;
  for (int i = 0; i < 3; i++) v[i] = i < linear ? motion[i] : 0;
}

/* What a linear velocity is made of where these are the velocities or accelerations. */
static double linear_size(const ag_checker *c, const double *x) {
  return ag_measure_velocity(&c->robot.measures,
                             c->robot.measures.rate * ag_largest(x, c->robot.n));
}

/* Of accelerations at no joint accelerations. */
static double centripetal_size(const ag_checker *c) {
  const double speed = c->robot.measures.speed;
  return ag_measure_velocity(&c->robot.measures, speed * speed);
}

static double weight_size(const ag_checker *c) {
  return c->robot.measures.mass * c->robot.measures.gravity;
}

static void check_frames(ag_checker *c) {
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_moving_frame *f = &c->robot.frames[k];
    double v[6], a[6], drift[6], size;
    size = times(c, f->jac, 6, c->robot.velocity, linear_size(c, c->robot.velocity), v);
    ag_check_note(c, "fvk", "twist = J qd", ag_check_ratio(apart(v, f->twist, 6), size),
                  AG_CHECK_BALANCE);
    size = times(c, f->jac, 6, c->robot.acceleration,
                 linear_size(c, c->robot.acceleration) + centripetal_size(c), a);
    ag_rows_drift(&c->robot, f, drift);
    for (int i = 0; i < 6; i++) a[i] += drift[i];
    ag_check_note(c, "fak", "acceleration = J qdd + J-dot q-dot",
                  ag_check_ratio(apart(a, f->acc, 6), size + ag_largest(drift, 6)),
                  AG_CHECK_BALANCE);
  }
}

static void check_dynamics(ag_checker *c) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  const double *V = robot->velocity, *vdot = robot->acceleration;
  double *sum = c->v[0], *given = c->v[1], *term = c->v[2], *tau = c->v[3];
  double size = ag_reference_size(robot, vdot, NULL, NULL), kinetic = 0, kinetic_size = 0;
  for (int i = 0; i < n; i++) sum[i] = given[i] = 0;
  static const char *const parts[] = {"bias", "gravity", "id"};
  for (int k = 0; k < 3; k++) {
    forces(c, parts[k], term);
    for (int i = 0; i < n; i++) sum[i] += k < 2 ? term[i] : -term[i];
  }
  ag_reference_wrenches(robot, true, given, NULL);
  for (int i = 0; i < n; i++) {
    sum[i] -= given[i];
    for (int j = 0; j < n; j++) {
      const double m = robot->M[i * n + j];
      sum[i] += m * vdot[j];
      kinetic += 0.5 * V[i] * m * V[j];
      kinetic_size += 0.5 * fabs(V[i] * m * V[j]);
    }
  }
  ag_check_note(c, "id", "id = M qdd + bias + gravity - J^T f",
                ag_check_ratio(ag_largest(sum, n), size), AG_CHECK_BALANCE);
  ag_check_note(c, "energy", "kinetic = 1/2 qd^T M qd",
                ag_check_ratio(kinetic - *output(c, "energy", "kinetic"), kinetic_size),
                AG_CHECK_BALANCE);
  ag_reference_join(robot, NULL, ag_sampler_find(&robot->sampler, "tau"), tau);
  double *fd = c->v[2];
  ag_reference_outputs(robot, ag_reference_run(robot, "fd"), "base.acc", "qdd", fd);
  size = ag_reference_size(robot, fd, tau, NULL);
  ag_check_note(c, "fd", "id(fd(tau)) = tau",
                ag_check_ratio(apart(ag_reference_torques(robot, fd), tau, n), size),
                AG_CHECK_BALANCE);
}

/* M's rows of a moving base are the momentum about its origin. */
static void check_momentum(ag_checker *c) {
  const int n = c->robot.n, nb = c->robot.nbase;
  const double *p = output(c, "com", "com.p"), *got = output(c, "com", "com.momentum"),
               m = *output(c, "com", "com.m");
  double momentum[6], moment[3];
  ag_cross(p, got, moment);
  for (int i = 0; i < 6; i++) momentum[i] = got[i] + (i < 3 ? 0 : moment[i - 3]);
  for (int i = 0; i < nb; i++) {
    double by_M;
    const int at = nb == 3 && i == 2 ? 5 : i;
    const double linear = m * linear_size(c, c->robot.velocity);
    double size = times(c, c->robot.M + (size_t)i * (size_t)n, 1, c->robot.velocity,
                        at < 3 ? linear : linear * c->robot.measures.length, &by_M);
    size += fabs(momentum[at]) + ag_largest(p, 3) * ag_largest(got, 3);
    ag_check_note(c, "com", "momentum of a moving base = M qd",
                  ag_check_ratio(momentum[at] - by_M, size), AG_CHECK_BALANCE);
  }
  if (nb > 0)
    ag_check_note(c, "com", "mass = M of the base along x", ag_check_ratio(m - c->robot.M[0], m),
                  AG_CHECK_BALANCE);
}

static void check_mass_centre(ag_checker *c) {
  const double *p = output(c, "com", "com.p"), *v = output(c, "com", "com.v"),
               *momentum = output(c, "com", "com.momentum"),
               *g = ag_sampler_find(&c->robot.sampler, "gravity"), m = *output(c, "com", "com.m");
  double by_jacobian[3], size, lin[3], potential = 0,
                                       terms = weight_size(c) * c->robot.measures.length;
  size = times(c, output(c, "com", "com.jac"), 3, c->robot.velocity,
               linear_size(c, c->robot.velocity), by_jacobian);
  ag_check_note(c, "com", "velocity = Jacobian qd", ag_check_ratio(apart(v, by_jacobian, 3), size),
                AG_CHECK_BALANCE);
  for (int i = 0; i < 3; i++) lin[i] = m * by_jacobian[i];
  ag_check_note(c, "com", "momentum = m Jacobian qd",
                ag_check_ratio(apart(momentum, lin, 3), m * size), AG_CHECK_BALANCE);
  for (int i = 0; g && i < 3; i++) {
    potential -= m * g[i] * p[i];
    terms += m * fabs(g[i] * p[i]);
  }
  if (g)
    ag_check_note(c, "com", "potential = -m g . centre of mass",
                  ag_check_ratio(potential - *output(c, "energy", "potential"), terms),
                  AG_CHECK_BALANCE);
  check_momentum(c);
}

/* ---- finite differences ---- */

/* Where an output of a function stands among its derivatives. */
static const double *part(const ag_checker *c, const char *function, const double *derivatives,
                          const double *value) {
  return derivatives + (value - ag_reference_run(&c->robot, function)->out);
}

/* What is allowed of them: rounding of the angles themselves counts, too, as 1e-16 / h times them.
 */
static double differences(const ag_checker *c) {
  return AG_CHECK_DIFFERENCES * fmax(1, c->robot.measures.angle / 1e3);
}

static double step_of(const ag_checker *c) {
  double fastest = 1;
  for (int k = 0; k < c->header->nangles; k++)
    fastest = fmax(fastest, fabs(c->header->angles[k].multiplier));
  return STEP / fastest *
         pow(ag_linkages_pivot(&c->robot), 0.75); /* all changes quickly near a singular position */
}

static void differentiate_poses(ag_checker *c, const double *v, double h) {
  const double *change = ag_reference_derivative(&c->robot, "fk", v, h);
  double base[3];
  base_velocity(c, v, base);
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_moving_frame *f = &c->robot.frames[k];
    const double *d = part(c, "fk", change, f->pose), *R = f->pose + 3, *D = d + 3;
    double twist[6], moved[6], size;
    size = times(c, f->jac, 6, v, linear_size(c, v), twist);
    for (int i = 0; i < 3; i++) { /* R-dot R^T = [w]x */
      const int a = (i + 2) % 3, b = (i + 1) % 3;
      moved[i] = d[i] + base[i];
      moved[3 + i] = 0;
      for (int m = 0; m < 3; m++) moved[3 + i] += D[3 * a + m] * R[3 * b + m];
    }
    ag_check_note(c, "jac", "J v = derivative of poses",
                  ag_check_ratio(apart(twist, moved, 6), size), differences(c));
  }
}

static void differentiate_jacobians(ag_checker *c, double h) {
  const double *V = c->robot.velocity, *change = ag_reference_derivative(&c->robot, "jac", V, h);
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_moving_frame *f = &c->robot.frames[k];
    double a[6], size;
    size = times(c, f->jac, 6, V, linear_size(c, V), a);
    (void)times(c, part(c, "jac", change, f->jac), 6, V, 0, a);
    ag_check_note(c, "jdqd", "J-dot q-dot = derivative of J along qd",
                  ag_check_ratio(apart(a, f->jdqd, 6), size * (1 + c->robot.measures.speed)),
                  differences(c));
  }
}

static void differentiate_mass_centre(ag_checker *c, const double *v, double h) {
  const double *change = ag_reference_derivative(&c->robot, "com", v, h);
  const double *d = part(c, "com", change, output(c, "com", "com.p"));
  double by_jacobian[3], base[3], size;
  size = times(c, output(c, "com", "com.jac"), 3, v, linear_size(c, v), by_jacobian);
  base_velocity(c, v, base);
  for (int i = 0; i < 3; i++) by_jacobian[i] -= base[i];
  ag_check_note(c, "com", "Jacobian v = derivative of the centre of mass",
                ag_check_ratio(apart(by_jacobian, d, 3), size), differences(c));
}

static void differentiate_potential(ag_checker *c, const double *v, double h) {
  const double *potential = output(c, "energy", "potential"),
               *g = ag_sampler_find(&c->robot.sampler, "gravity");
  if (c->robot.nbase > 0 && !g) return;
  if (ag_sampler_find(&c->robot.sampler, "root_acc"))
    return; /* what carries the robot has no potential */
  const double *change = ag_reference_derivative(&c->robot, "energy", v, h);
  double power = -*part(c, "energy", change, potential),
         size = fabs(*potential) + weight_size(c) * linear_size(c, v), base[3];
  double *hold = c->v[0];
  forces(c, "gravity", hold);
  base_velocity(c, v, base);
  for (int i = 0; g && i < 3; i++) { /* of the base's origin */
    const double lifted = *output(c, "com", "com.m") * g[i] * base[i];
    power += lifted;
    size += fabs(lifted);
  }
  for (int i = 0; i < c->robot.n; i++) {
    power += hold[i] * v[i];
    size += fabs(hold[i] * v[i]);
  }
  ag_check_note(c, "gravity", "gravity v = derivative of the potential",
                ag_check_ratio(power, size), differences(c));
}

/* What rotors add to row `at` of M V: their axes are none that turn with a ball. */
static double rotors_momentum(const ag_checker *c, int at) {
  const ag_value *problem = &c->subjects[0].problem, *bodies = ag_value_list(problem, "bodies"),
                 *motors = ag_value_list(problem, "motors");
  const double *qd = c->robot.velocity + c->robot.nbase,
               *given = ag_sampler_find(&c->robot.sampler, "armature");
  double momentum = given ? given[at] * qd[at] : 0;
  for (int i = 0; i < bodies->length && !given; i++) {
    /* 0: of a linkage, moved by several */
    const double ratio = ag_value_number(&bodies->items[i], "ratio");
    if (ag_value_integer(&bodies->items[i], "joint") - 1 == at)
      momentum += ratio * ratio * ag_value_number(&bodies->items[i], "armature") * qd[at];
  }
  for (int m = 0; m < motors->length; m++) {
    const ag_value *by_body = ag_value_list(&motors->items[m], "ratio");
    double speed = 0, own = 0;
    for (int i = 0; i < bodies->length; i++) {
      const int joint = ag_value_integer(&bodies->items[i], "joint") - 1;
      const double ratio = by_body->items[i].number * ag_value_number(&bodies->items[i], "ratio");
      speed += ratio * qd[joint];
      if (joint == at) own += ratio;
    }
    momentum += own * ag_value_number(&motors->items[m], "inertia") * speed;
  }
  return momentum;
}

/* Adds (M V)_w . (a x b) of the three velocities from `first` on, of a ball without rotors. */
static void add_turning(ag_checker *c, int first, const double a[3], const double b[3], double *sum,
                        double *terms) {
  const int n = c->robot.n, joint = first - c->robot.nbase;
  double turn[3];
  ag_cross(a, b, turn);
  for (int i = 0; i < 3; i++) {
    double momentum;
    const double size =
        times(c, c->robot.M + (size_t)(first + i) * (size_t)n, 1, c->robot.velocity, 0, &momentum);
    if (joint >= 0) momentum -= rotors_momentum(c, joint + i);
    *sum += momentum * turn[i];
    *terms += size * fabs(turn[i]);
  }
}

/* Lagrange, with velocities of which an angular one w, of the base or of a ball, is no derivative (Boltzmann,
 * Hamel): v^T C V = v^T M-dot V - 1/2 V^T (dM/dv) V + (M V)_w . (w x v_w), of a ball, whose axes turn with it,
 * (v_w x w). Rotors are outside of the last term: each is counted along its axis alone. */
static void differentiate_inertia(ag_checker *c, const double *v, double h) {
  const int n = c->robot.n;
  const double *V = c->robot.velocity, *M = c->robot.M;
  double *bias = c->v[0], sum = 0, terms = 0;
  for (int pass = 0; pass < 2; pass++) {
    const double *D = ag_reference_derivative(&c->robot, "crba", pass ? v : V, h),
                 *left = pass ? V : v;
    for (int i = 0, at = 0; i < n; i++)
      for (int j = 0; j <= i; j++, at++) {
        const double both = i == j ? left[i] * V[i] : left[i] * V[j] + left[j] * V[i];
        sum += (pass ? -0.5 : 1) * D[at] * both;
        terms +=
            fabs(M[i * n + j] * both) * (1 + c->robot.measures.rate * ag_largest(pass ? v : V, n));
      }
  }
  if (c->robot.nbase == 6) add_turning(c, 3, V + 3, v + 3, &sum, &terms);
  for (int j = 0; j < c->header->njoints; j++) {
    const int at = c->robot.nbase + j;
    if (c->header->joints[j].ball && c->header->joints[j].axis == 0)
      add_turning(c, at, v + at, V + at, &sum, &terms);
  }
  forces(c, "bias", bias);
  for (int i = 0; i < n; i++) sum -= bias[i] * v[i];
  ag_check_note(c, "bias", "bias v = what the derivatives of M make of qd",
                ag_check_ratio(sum, terms), differences(c));
}

/* Of the velocities, and what changes it beside torques: M-dot V less bias and gravity. */
static void check_generalized_momentum(ag_checker *c, double h) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  const double *V = robot->velocity, *change = ag_reference_derivative(robot, "crba", V, h);
  double *p = c->v[0], *beta = c->v[1], *term = c->v[2], sum = 0, size = 0;
  ag_reference_outputs(robot, ag_reference_run(robot, "momentum"), "base.p", "p", p);
  ag_reference_outputs(robot, ag_reference_run(robot, "momentum"), "base.beta", "beta", beta);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double M_V = robot->M[i * n + j] * V[j];
      sum += (j == 0 ? p[i] : 0) - M_V;
      size += fabs(M_V);
    }
    ag_check_note(c, "momentum", "p = M qd", ag_check_ratio(sum, size), AG_CHECK_BALANCE);
    sum = 0;
  }
  double power = 0, terms = 0;
  for (int i = 0, at = 0; i < n; i++)
    for (int j = 0; j <= i; j++, at++) {
      const double both = i == j ? V[i] * V[i] : 2 * V[i] * V[j];
      power += change[at] * both;
      terms += fabs(robot->M[i * n + j] * both) * (1 + robot->measures.rate * ag_largest(V, n));
    }
  static const char *const parts[] = {"bias", "gravity"};
  for (int k = 0; k < 2; k++) {
    forces(c, parts[k], term);
    for (int i = 0; i < n; i++) {
      power -= term[i] * V[i];
      terms += fabs(term[i] * V[i]);
    }
  }
  for (int i = 0; i < n; i++) power -= beta[i] * V[i];
  ag_check_note(c, "momentum", "beta qd = qd M-dot qd - (bias + gravity) qd",
                ag_check_ratio(power, terms), differences(c));
}

/* h_G = A_G qd, as com has it; A_G-dot qd = the derivative of h_G along qd. */
static void check_centroidal(ag_checker *c, double h) {
  const ag_reference *robot = &c->robot;
  const double *V = robot->velocity, *A = output(c, "centroidal", "A_G"),
               *h_G = output(c, "centroidal", "h_G"), *rate = output(c, "centroidal", "Adot_v"),
               *of_com = output(c, "com", "com.momentum");
  const ag_measures *m = &robot->measures;
  const double mass = *output(c, "com", "com.m") * fmax(1, m->length);
  double by_A[6];
  const double size = times(c, A, 6, V, mass * linear_size(c, V), by_A);
  ag_check_note(c, "centroidal", "h_G = A_G qd", ag_check_ratio(apart(by_A, h_G, 6), size),
                AG_CHECK_BALANCE);
  ag_check_note(c, "centroidal", "h_G = momentum of com",
                ag_check_ratio(apart(of_com, h_G, 6), size), AG_CHECK_BALANCE);
  const double *change = ag_reference_derivative(robot, "centroidal", V, h);
  ag_check_note(
      c, "centroidal", "A_G-dot qd = derivative of h_G along qd",
      ag_check_ratio(apart(part(c, "centroidal", change, h_G), rate, 6), size * (1 + m->speed)),
      differences(c));
}

/* What the numbers of C and its products with velocities as large as v are made of. */
static double coriolis_size(const ag_checker *c, double v) {
  const ag_measures *m = &c->robot.measures;
  return m->rate * fmax(m->speed, v) * ag_largest(c->robot.M, c->robot.n * c->robot.n);
}

/* C qd = bias, C + C^T = M-dot, and the products. */
static void check_coriolis(ag_checker *c, double h) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  const double *V = robot->velocity, *C = output(c, "coriolis", "C"), fastest = ag_largest(V, n);
  double *Cv = c->v[0], *Ctv = c->v[1], *bias = c->v[2];
  const double entry = coriolis_size(c, fastest),
               size =
                   ag_reference_size(robot, robot->acceleration, NULL, NULL) + n * entry * fastest;
  ag_reference_outputs(robot, ag_reference_run(robot, "coriolis"), "base.Cv", "Cv", Cv);
  ag_reference_outputs(robot, ag_reference_run(robot, "coriolis"), "base.Ctv", "Ctv", Ctv);
  forces(c, "bias", bias);
  for (int i = 0; i < n; i++) {
    double sum = 0, transposed = 0;
    for (int j = 0; j < n; j++) {
      sum += C[i * n + j] * V[j];
      transposed += C[j * n + i] * V[j];
    }
    ag_check_note(c, "coriolis", "C qd = bias", ag_check_ratio(sum - bias[i], size),
                  AG_CHECK_BALANCE);
    ag_check_note(c, "coriolis", "Cv = bias", ag_check_ratio(Cv[i] - bias[i], size),
                  AG_CHECK_BALANCE);
    ag_check_note(c, "coriolis", "Ctv = C^T qd", ag_check_ratio(transposed - Ctv[i], size),
                  AG_CHECK_BALANCE);
  }
  const double *change = ag_reference_derivative(robot, "crba", V, h);
  for (int i = 0, at = 0; i < n; i++)
    for (int j = 0; j <= i; j++, at++)
      ag_check_note(c, "coriolis", "C + C^T = derivative of M along qd",
                    ag_check_ratio(C[i * n + j] + C[j * n + i] - change[at], entry),
                    differences(c));
}

/* tau + tau_friction = M qdd_r + C qd_r + gravity - J^T f */
static void check_slotine_li(ag_checker *c) {
  const ag_reference *robot = &c->robot;
  const ag_sampler *s = &robot->sampler;
  const int n = robot->n;
  double *v = c->v[0], *vdot = c->v[1], *tau = c->v[2], *sum = c->v[3];
  const double *C = output(c, "coriolis", "C");
  double rubbing = 0;
  ag_reference_join(robot, ag_sampler_find(s, "base.twist_r"), ag_sampler_find(s, "qd_r"), v);
  ag_reference_join(robot, ag_sampler_find(s, "base.acc_r"), ag_sampler_find(s, "qdd_r"), vdot);
  const double fastest = ag_largest(v, n),
               size = ag_reference_size(robot, vdot, NULL, NULL) +
                      n * coriolis_size(c, fastest) * fmax(fastest, robot->measures.speed);
  for (int i = 0; i < n; i++) {
    sum[i] = 0;
    for (int j = 0; j < n; j++) sum[i] += C[i * n + j] * v[j] + robot->M[i * n + j] * vdot[j];
  }
  forces(c, "gravity", tau);
  for (int i = 0; i < n; i++) sum[i] += tau[i];
  for (int i = 0; i < n; i++) tau[i] = 0;
  ag_reference_wrenches(robot, true, tau, NULL);
  for (int i = 0; i < n; i++) sum[i] -= tau[i];
  forces(c, "slotine_li", tau);
  const double *friction = output(c, "slotine_li", "tau_friction");
  for (int j = 0; friction && j < n - robot->nbase; j++) {
    tau[robot->nbase + j] += friction[j];
    rubbing = fmax(rubbing, fabs(friction[j]));
  }
  ag_check_note(c, "slotine_li", "tau = M qdd_r + C qd_r + gravity - J^T f",
                ag_check_ratio(apart(sum, tau, n), size + rubbing), AG_CHECK_BALANCE);
}

/* A row of J along which joints do not move is what rounding leaves: its square counts as that of a millionth of a lever. */
static double square_of_noise(bool linear, double length) {
  const double size = 1e-6 * (linear ? length : 1);
  return size * size;
}

/* det J J^T of rows `from` to `to` of a Jacobian, by pivots; bound: product of the squares of the rows. */
static double gram_determinant(const double *jac, int n, int from, int to, double length,
                               double *bound) {
  double A[6][6], det = *bound = 1;
  const int m = to - from;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      A[i][j] = 0;
      for (int k = 0; k < n; k++) A[i][j] += jac[(from + i) * n + k] * jac[(from + j) * n + k];
    }
  for (int i = 0; i < m; i++) *bound *= fmax(A[i][i], square_of_noise(from + i < 3, length));
  for (int i = 0; i < m; i++) {
    int best = i;
    for (int k = i + 1; k < m; k++)
      if (A[k][k] > A[best][best]) best = k;
    for (int k = i; k < m && best > i; k++) { /* rows and columns alike */
      const double row = A[i][k];
      A[i][k] = A[best][k];
      A[best][k] = row;
    }
    for (int k = i; k < m && best > i; k++) {
      const double column = A[k][i];
      A[k][i] = A[k][best];
      A[k][best] = column;
    }
    if (!(A[i][i] > 0)) return 0;
    det *= A[i][i];
    for (int k = i + 1; k < m; k++)
      for (int j = i + 1; j < m; j++) A[k][j] -= A[k][i] * A[i][j] / A[i][i];
  }
  return det;
}

/* The square of w = det J J^T; its slopes, where differences do not step across the edges of w, along v. */
static void check_manipulability(ag_checker *c, const double *v, double h) {
  static const char *const words[] = {"manipulability", "manipulability_lin", "manipulability_ang"};
  const int n = c->robot.n, nb = c->robot.nbase;
  const double *change = ag_reference_derivative(&c->robot, "manipulability", v, h);
  for (int k = 0; k < 3 * c->robot.nframes; k++) {
    const ag_moving_frame *f = &c->robot.frames[k / 3];
    const char *word = words[k % 3];
    const double *w = output(c, "manipulability", ag_printf(c->arena, "%s.%s", word, f->id)),
                 *slope =
                     output(c, "manipulability", ag_printf(c->arena, "d%s_dq.%s", word, f->id));
    double bound, along = 0, terms = 0;
    const double det = gram_determinant(f->jac, n, k % 3 == 2 ? 3 : 0, k % 3 == 1 ? 3 : 6,
                                        c->robot.measures.length, &bound);
    ag_check_note(c, "manipulability", "w w = det J J^T", ag_check_ratio(*w * *w - det, bound),
                  AG_CHECK_BALANCE);
    for (int j = nb; slope && j < n; j++) {
      along += slope[j - nb] * v[j];
      terms += fabs(slope[j - nb] * v[j]);
    }
    if (*w * *w > 1e-4 * bound)
      ag_check_note(
          c, "manipulability", "gradient v = derivative of w",
          ag_check_ratio(part(c, "manipulability", change, w)[0] - along, terms + sqrt(bound)),
          differences(c));
  }
}

/* Y of a run times the model's parameters, by coordinate; largest: of the terms. */
static void by_parameters(const ag_checker *c, const double *Y, double *x, double *largest) {
  const ag_header *h = c->header;
  for (int i = 0; i < c->robot.n; i++) {
    x[i] = 0;
    for (int k = 0; k < h->nparameters; k++) {
      const double term = Y[i * h->nparameters + k] * h->parameters[k].value;
      x[i] += term;
      *largest = fmax(*largest, fabs(term));
    }
  }
}

/* Of what Y is a regressor of, the function `of` with its base's part: whether it is Y times the parameters. */
static void check_columns(ag_checker *c, const ag_run *run, const char *Y, const char *on_base,
                          const char *of, double coarse) {
  const ag_reference *robot = &c->robot;
  double *x = c->v[0], *whole = c->v[1];
  double largest = ag_reference_size(robot, robot->acceleration, NULL, NULL);
  ag_run *whose = ag_reference_run(robot, strcmp(of, "tau") == 0 ? "id" : "momentum");
  by_parameters(c, ag_output_of(run, Y), x, &largest);
  ag_run_evaluate(&robot->sampler, whose, false); /* differences have left it at another state */
  ag_reference_outputs(robot, whose, on_base, of, whole);
  if (strcmp(of, "tau") == 0) ag_reference_wrenches(robot, true, whole, NULL);
  const char *what = ag_printf(c->arena, "%s times the parameters = %s", Y, of);
  ag_check_note(c, run->graph->function->name, what,
                ag_check_ratio(apart(x, whole, robot->n), largest), AG_CHECK_BALANCE * coarse);
}

void ag_check_regressor(ag_checker *c, const ag_run *run, double coarse) {
  const char *name = run->graph->function->name;
  if (!c->header->all_parameters) return;
  if (strcmp(name, "regressor") == 0) check_columns(c, run, "Y", "base.wrench", "tau", coarse);
  if (strcmp(name, "momentum_regressor") == 0) {
    check_columns(c, run, "Yp", "base.p", "p", coarse);
    check_columns(c, run, "Yt", "base.beta", "beta", coarse);
  }
}

void ag_check_family(ag_checker *c) {
  ag_run_evaluate(&c->robot.sampler, ag_reference_run(&c->robot, "id"), false);
  check_frames(c);
  check_dynamics(c);
  check_mass_centre(c);
  double *v = c->v[4];
  for (int j = 0; j < c->robot.n; j++) v[j] = c->robot.acceleration[j] / 5;
  const double h = step_of(c);
  differentiate_poses(c, v, h);
  differentiate_jacobians(c, h);
  differentiate_mass_centre(c, v, h);
  differentiate_potential(c, v, h);
  differentiate_inertia(c, v, h);
  if (c->robot.nlinkages > 0) { /* these robots do not have the others */
    ag_check_linkages(c, h, differences(c));
    return;
  }
  check_generalized_momentum(c, h);
  check_centroidal(c, h);
  check_coriolis(c, h);
  check_slotine_li(c);
  check_manipulability(c, v, h);
}

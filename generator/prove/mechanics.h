/* SPDX-License-Identifier: MIT */
/* mechanics.h: a robot at a point by the definitions of mechanics: sums over freedoms and bodies
 * along the axes of the base (a moving base: of the world), positions from the base's origin. No
 * recursion but that of the bodies' places.
 *
 * A freedom f is a velocity of the base or the joint of a body; it moves everything beyond along or
 * about its axis z through its origin o. Then
 *   v(r) = sum z qd, slides; z x (r - o) qd, turns          w = sum z qd, turns
 *   a(r) = their derivatives, with z' = w_parent x z and r', o' velocities as well. The three axes of a ball
 * joint stand still in its child, so that z' = w_child x z.
 * A dependent joint of a linkage (closing.h) moves by shares of several coordinates, and has an acceleration that
 * velocities alone cause.
 * Vectors by coordinate have the velocities of a moving base first, then one per joint. */
#ifndef AG_MECHANICS_H
#define AG_MECHANICS_H

#include "prove/closing.h"

typedef struct ag_share { /* of a freedom's rate: the ratio of it to that of a coordinate */
  int freedom, coordinate;
  int next; /* share of this coordinate; -1: none */
  ag_number ratio;
} ag_share;

typedef struct ag_freedom {
  bool slides;
  int shares, nshares; /* one, of linkages' dependent joints several */
  ag_number drift;     /* its acceleration where those of the coordinates are zero */
  ag_vec axis, origin, axis_rate, origin_rate;
} ag_freedom;

typedef struct ag_motion { /* of a point on a body */
  ag_vec lin, ang;
} ag_motion;

typedef struct ag_robot {
  const ag_problem *problem;
  const ag_point *point;
  ag_arena *arena;
  int n;                     /* coordinates */
  const ag_closing *closing; /* where joints stand, and what moves those of linkages */
  ag_exact_pose *place;      /* by body; 0 the base */
  ag_mass *mass;             /* by body, about its origin along its axes */
  ag_freedom *freedoms;      /* the base's, then one per body */
  int nfreedoms;
  bool *carries; /* [body * nfreedoms + freedom] */
  ag_share *shares;
  int nshares;
  int *first;    /* share of a coordinate; -1: none */
  ag_number *qd; /* by coordinate */
  ag_vec gravity;
  ag_motion root;      /* the acceleration of a fixed base, at its origin */
  ag_number *armature; /* by coordinate */
  ag_number *gears;    /* by motor and coordinate: velocities of motors by those of coordinates */
  ag_number *M;        /* n x n, with armature and the motors' inertias */
} ag_robot;

/* The robot of a problem at the point. */
ag_robot *ag_robot_at(const ag_problem *problem, const ag_point *point, ag_arena *arena);

/* The point of a frame. */
ag_vec ag_robot_point(const ag_robot *robot, const ag_site *site);
/* The rotation of a frame. */
ag_mat ag_robot_axes(const ag_robot *robot, const ag_site *site);

/* Velocity of the point that moves with a body, by the velocities of coordinates. */
ag_motion ag_robot_velocity(const ag_robot *robot, int body, ag_vec point);
/* How the velocity of a coordinate moves and turns it. */
ag_motion ag_robot_partial(const ag_robot *robot, int body, ag_vec point, int coordinate);
/* The rate of that, as the robot moves. */
ag_motion ag_robot_partial_rate(const ag_robot *robot, int body, ag_vec point, int coordinate);
/* Acceleration of the point: the second derivative of its place; qdd: by coordinate, NULL: zero. */
ag_motion ag_robot_acceleration(const ag_robot *robot, int body, ag_vec point,
                                const ag_number *qdd);

/* What a mass makes of a motion of the point that it is about, {m v + w x h, I w + h x v}: momentum of a velocity, of an
 * acceleration the force and the moment of a body that does not turn. */
ag_motion ag_mass_times(const ag_mass *mass, ag_motion x);
/* The force and the moment about that point, accelerated so while the body turns with w (Newton, Euler):
 * f = m a + wd x h + w x (w x h), n = I wd + h x a + w x I w. */
ag_motion ag_mass_forces(const ag_mass *mass, ag_motion acceleration, ag_vec w);

/* The forces by coordinate that a motion takes (Newton, Euler), without armature: qdd may be NULL;
 * gravity: -gravity is an acceleration of all bodies. */
void ag_robot_forces(const ag_robot *robot, const ag_number *qdd, ag_vec gravity, ag_number *tau);

/* Adds the forces that rotors take of accelerations x by coordinate: a motor that turns with w = g x adds J w g. */
void ag_robot_rotors(const ag_robot *robot, const ag_number *x, ag_number *tau);
/* The acceleration of a body's joint. */
ag_number ag_robot_rotor_rate(const ag_robot *robot, int body, const ag_number *qdd);
/* The velocity of motor m of accelerations or velocities x by coordinate. */
ag_number ag_robot_gear(const ag_robot *robot, int m, const ag_number *x);

/* Adds those of one body with this mass, about its origin along the axes of the base. */
void ag_robot_body_forces(const ag_robot *robot, int body, const ag_mass *mass,
                          const ag_number *qdd, ag_vec gravity, ag_number *tau);

/* Adds J^T of a force and a moment at a point of a body. */
void ag_robot_push(const ag_robot *robot, int body, ag_vec point, ag_vec force, ag_vec moment,
                   ag_number *tau);

/* The same on a base without the acceleration that it is given. */
const ag_robot *ag_robot_uncarried(const ag_robot *robot);

/* The same robot at rest. */
ag_robot ag_robot_still(const ag_robot *robot);

/* A mass about a body's origin, along the body's axes, along those of the base. */
ag_mass ag_robot_turned(const ag_robot *robot, int body, const ag_mass *mass);
/* The mass of a body about its origin, along the axes of the base. */
ag_mass ag_robot_mass(const ag_robot *robot, int body);

#endif

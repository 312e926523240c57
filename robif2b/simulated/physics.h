/* SPDX-License-Identifier: MIT */
/* physics.h: what devices need of the mechanics of their world, whichever computes it: MuJoCo
 * (physics_mujoco.c), or steps that achdgen generated (physics_step.c). A library has one of them.
 *
 * Joints, links and frames have numbers, as the model has them in order; -1: there is none. Vectors are
 * along the axes of the world unless something else is said. The numbers of a state are those of the
 * last achd_physics_renew or achd_physics_before; accelerations and forces are those of the last step. */
#ifndef ACHD_SIMULATED_PHYSICS_H
#define ACHD_SIMULATED_PHYSICS_H

#include "device_kind.h"

#include <stdbool.h>
#include <stddef.h>

#define ACHD_PI 3.14159265358979323846

typedef struct achd_physics achd_physics;

/* What computes the world's mechanics, for a message: name and version. */
const char *achd_physics_title(void);

/* ---- models ---- */

/* The model that is compiled in under this name, or the one of a file. NULL, and why. */
achd_physics *achd_physics_builtin(const char *name, char why[ACHD_WORLD_WHY]);
achd_physics *achd_physics_load(const char *path, char why[ACHD_WORLD_WHY]);
void achd_physics_free(achd_physics *p); /* NULL is harmless */

/* The longest step [s]. */
double achd_physics_longest(const achd_physics *p);

/* ---- time ---- */

/* Computes what follows from positions, velocities and forces that devices have set. */
void achd_physics_renew(achd_physics *p);

/* Before a step of h [s]: what devices look at before they set their forces. After it: the world has moved; false: its
 * numbers have exploded. */
void achd_physics_before(achd_physics *p, double h);
bool achd_physics_after(achd_physics *p);

/* Computes the forces inside the robot, and motions of links, for sensors. */
void achd_physics_sense(achd_physics *p);

/* ---- joints ---- */

typedef enum achd_joint_type {
  ACHD_JOINT_TURNS,
  ACHD_JOINT_SLIDES,
  ACHD_JOINT_OTHER
} achd_joint_type;

int achd_physics_joints(const achd_physics *p); /* their number */
int achd_physics_joint(const achd_physics *p, const char *name);
const char *achd_physics_joint_name(const achd_physics *p, int joint); /* NULL: it has none */
achd_joint_type achd_physics_joint_type(const achd_physics *p, int joint);
bool achd_physics_limited(const achd_physics *p, int joint);

double achd_physics_q(const achd_physics *p, int joint);   /* position [rad; m] */
double achd_physics_qd(const achd_physics *p, int joint);  /* velocity */
double achd_physics_qdd(const achd_physics *p, int joint); /* acceleration in the last step */
void achd_physics_place(achd_physics *p, int joint, double q);
void achd_physics_stop(achd_physics *p, int joint); /* its velocity is 0 */

double achd_physics_inertia(const achd_physics *p, int joint); /* element of M, rotor included */
double achd_physics_bias(const achd_physics *p, int joint);    /* torque of weight and velocities */
double achd_physics_weight(const achd_physics *p, int joint);  /* that of weight alone */
double achd_physics_rotor(const achd_physics *p, int joint);   /* inertia seen from the joint */
/* Torque of friction and damping in the last step, against the motion. */
double achd_physics_friction(const achd_physics *p, int joint);

/* The torque that acts in the steps from now on. */
void achd_physics_apply(achd_physics *p, int joint, double torque);

/* ---- what a world's file changes ---- */

typedef enum achd_joint_number {
  ACHD_JOINT_FRICTION,
  ACHD_JOINT_DAMPING,
  ACHD_JOINT_ARMATURE
} achd_joint_number;

/* Of a joint, in place of the model's. False, and why: the model has it for good. */
bool achd_physics_set(achd_physics *p, achd_joint_number which, int joint, double value,
                      char why[ACHD_WORLD_WHY]);
/* Masses and inertias of what each of n joints carries, up to the next one, times a factor. */
bool achd_physics_scale(achd_physics *p, int n, const int joints[], const double factors[],
                        char why[ACHD_WORLD_WHY]);
/* The plane that the robot's contacts touch: a normal, its distance from the origin [m], its friction. */
bool achd_physics_surface(achd_physics *p, const double plane[5], char why[ACHD_WORLD_WHY]);

/* ---- links and frames ---- */

int achd_physics_link(const achd_physics *p, const char *name);
int achd_physics_moved(const achd_physics *p, int joint);   /* the link that a joint moves */
int achd_physics_carrier(const achd_physics *p, int joint); /* the link that it stands on */
void achd_physics_axes(const achd_physics *p, int link, double axes[9]); /* columns: the link's */
/* Angular velocity, and acceleration less gravity's, along the link's own axes. After achd_physics_sense. */
void achd_physics_motion(const achd_physics *p, int link, double gyro[3], double acceleration[3]);
/* The link of this name, if a force can act on it. -1, and why. */
int achd_physics_pushed(const achd_physics *p, const char *name, char why[ACHD_WORLD_WHY]);
/* A force that acts on such a link from now on, beside others [N]. */
void achd_physics_push(achd_physics *p, int link, const double force[3]);

int achd_physics_frame(const achd_physics *p, const char *name);
/* The frame of a tool, where nobody names one: tool_frame, or the last one on the link or on what that carries. */
int achd_physics_tool(const achd_physics *p, int link);
void achd_physics_pose(const achd_physics *p, int frame, double origin[3], double axes[9]);
/* Twist of the frame for a unit of a joint's velocity, linear part first. */
void achd_physics_column(const achd_physics *p, int frame, int joint, double column[6]);
/* The environment's wrench on a link and on what it carries, about a point: force, moment. After achd_physics_sense. */
void achd_physics_external(const achd_physics *p, int link, const double point[3],
                           double wrench[6]);

/* The frame of the model's first sensor of force. */
int achd_physics_sensor(const achd_physics *p);
/* Whether a sensor at the frame can feel anything. False, and why. */
bool achd_physics_feels(const achd_physics *p, int frame, char why[ACHD_WORLD_WHY]);
/* The wrench of what such a sensor carries on it, about the frame's origin, along its axes. After achd_physics_sense. */
void achd_physics_felt(const achd_physics *p, int frame, double wrench[6]);

/* A sensor of the model, of acceleration or of angular velocity; 3 numbers, along its own axes. -1: none has the name. */
int achd_physics_reading(const achd_physics *p, const char *name);
void achd_physics_read(const achd_physics *p, int reading, double values[3]);

/* ---- vectors ---- */

static inline void achd_turned(double to[3], const double v[3], const double axes[9]) {
  for (int i = 0; i < 3; i++) {
    const double *row = axes + 3 * (ptrdiff_t)i;
    to[i] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
  }
}

static inline void achd_turned_back(double to[3], const double v[3], const double axes[9]) {
  for (int i = 0; i < 3; i++) to[i] = axes[i] * v[0] + axes[3 + i] * v[1] + axes[6 + i] * v[2];
}

static inline void achd_crossed(double to[3], const double a[3], const double b[3]) {
  to[0] = a[1] * b[2] - a[2] * b[1];
  to[1] = a[2] * b[0] - a[0] * b[2];
  to[2] = a[0] * b[1] - a[1] * b[0];
}

#endif

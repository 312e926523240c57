/* SPDX-License-Identifier: MIT */
/* fingers.h: the two fingers of a simulated gripper. They close with a speed until they are at their
 * set-point, or until something that they press with their force stops them. They are joints of the
 * model, or, where it has none for them, without mass: then they touch an object of a given width. */
#ifndef ACHD_SIMULATED_FINGERS_H
#define ACHD_SIMULATED_FINGERS_H

#include "world.h"

enum { ACHD_FINGERS = 2 }; /* largest number of joints */

typedef struct achd_fingers {
  achd_physics *physics;
  int n;                                               /* joints; 0: without mass */
  int joint[ACHD_FINGERS];                             /* numbers in the model */
  double open[ACHD_FINGERS], closed[ACHD_FINGERS];     /* positions [rad; m] */
  double pushed[ACHD_FINGERS], integral[ACHD_FINGERS]; /* of the drives [N m; N] */
  double stroke;                                       /* between the open fingers [m] */
  double object; /* width of what stands between fingers without mass [m]; 0: nothing does */
  double speed;  /* [1/s], of the whole way */
  double force;  /* [N] */
  double goal;   /* 0 open .. 1 closed */
  bool jammed;   /* a fault: they do not move */
  bool dropped;  /* a fault: the object is gone */
  /* measured */
  double s, velocity; /* 0 open .. 1 closed, [1/s] */
  double pressing;    /* what they press with [N] */
  double stopped_for; /* [s] */
} achd_fingers;

/* What they do. */
typedef enum achd_fingers_state {
  ACHD_FINGERS_MOVE,
  ACHD_FINGERS_STOPPED_OPENING, /* by something */
  ACHD_FINGERS_STOPPED_CLOSING,
  ACHD_FINGERS_ARRIVED
} achd_fingers_state;

/* Reads the device's words joints, open, closed, stroke and object, each behind a prefix. False, and
 * why. The fingers begin open. */
bool achd_fingers_read(achd_fingers *f, const achd_world_device *device, const char *prefix,
                       char why[ACHD_WORLD_WHY]);

/* Their set-point, with which speed [1/s] and force [N]. */
void achd_fingers_command(achd_fingers *f, double goal, double speed, double force);

/* Moves them for the next step [s]. */
void achd_fingers_act(achd_fingers *f, double step);

/* Opens them at once, with what they hold gone for the moment. */
void achd_fingers_open(achd_fingers *f);

achd_fingers_state achd_fingers_does(const achd_fingers *f);

/* Of the motor: 1 A at the largest force, 0.1 A for the motion [A]. */
double achd_fingers_current(const achd_fingers *f);

/* From 0 to 1 of the force that a gripper can press with [N], and of its speed [1/s]. */
double achd_fingers_force(double share);
double achd_fingers_speed(const achd_fingers *f, double share);

#endif

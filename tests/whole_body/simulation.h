/* SPDX-License-Identifier: MIT */
/* simulation.h: a robot of --mjcf in MuJoCo for controllers of whole bodies: what it measures, the
 * motor torques that are commanded, the forces of MuJoCo's own contacts, and a record to look at. */
#ifndef WHOLE_BODY_SIMULATION_H
#define WHOLE_BODY_SIMULATION_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>

enum { SIMULATION_JOINTS = 40, SIMULATION_SIGNALS = 16, SIMULATION_SAMPLES = 4000 };

typedef struct simulation {
  mjModel *model;
  mjData *data;
  int joints, joint[SIMULATION_JOINTS], motor[SIMULATION_JOINTS]; /* -1: it has none */
  const char *name;
  double most_torque; /* the largest share of a motor's limit that was commanded */
  int every, cycle, samples;
  double record[SIMULATION_SIGNALS][SIMULATION_SAMPLES];
} simulation;

/* A point of a body along the axes of the world: place [m], rotation by rows, velocity of the place
 * [m/s], angular velocity [rad/s]. */
typedef struct simulation_frame {
  double p[3], R[9], v[3], w[3];
} simulation_frame;

/* Opens a model at its keyframe. names: the joints, in the controller's order. every: cycles from
 * sample to sample of the record. Ends the program where the model cannot be read, a joint is missing,
 * or a body is tied to another. */
void simulation_open(simulation *s, const char *name, const char *path, const char *const *names,
                     int joints, int every);
void simulation_close(simulation *s);

double simulation_time(const simulation *s);
/* Of all that moves in the world [N]. */
double simulation_weight(const simulation *s);
void simulation_measure(const simulation *s, double *q, double *qd);
/* Of a body, or of the site LINK_site of a link that has no body of its own. */
simulation_frame simulation_at(const simulation *s, const char *link);
/* The base's orientation as a quaternion w x y z. */
void simulation_quaternion(const simulation *s, const char *body, double quat[4]);

/* Commands motor torques [N m], and nothing else, and lets a time step pass. Ends the program where
 * something else acts, but for simulation_push. */
void simulation_step(simulation *s, const double *tau);
/* A force on a body's centre of mass, world axes [N], until it is changed. */
void simulation_push(const simulation *s, const char *body, const double force[3]);

/* The force of all contacts on a body, world axes [N]; returns their number. */
int simulation_contact(const simulation *s, const char *body, double force[3]);

/* A sample of the record: SIMULATION_SIGNALS values at most, in one of every `every` calls. */
void simulation_record(simulation *s, const double *values, int count);
/* Of a recorded signal from a time on, until another: its largest size, its largest and least value. */
double simulation_largest(const simulation *s, int signal, double from, double until);
double simulation_most(const simulation *s, int signal, double from, double until);
double simulation_least(const simulation *s, int signal, double from, double until);

/* A line of a log for achd-stills: time, joints, bodies on free joints; before the first one their names. Writes
 * nothing where log is NULL. */
void simulation_log(const simulation *s, FILE *log);

/* kp (wanted - p) + kd (speed - v), by component. */
void simulation_servo(const double wanted[3], const double speed[3], const double p[3],
                      const double v[3], double kp, double kd, double b[3]);
/* The turn from R to `wanted`, as axis times angle along the world's axes; then as
 * simulation_servo. */
void simulation_servo_turn(const double wanted[9], const double R[9], const double w[3], double kp,
                           double kd, double b[3]);

/* A motion from 0 at t <= 0 to 1 at t >= duration, at rest at both ends: value and rate. */
double simulation_blend(double t, double duration, double *rate);

#endif

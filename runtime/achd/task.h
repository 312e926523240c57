/* SPDX-License-Identifier: MIT */
/* task.h: tasks by the modified task frame formalism (De Schutter, Van Brussel 1988; Vukcevic
 * 2020). A task controls, along and about each axis of a frame, a velocity, a position, a force, or
 * nothing. The functions here compute the errors of a task, and from these, by ABAG controllers or
 * others, the inputs of a generated solver: masks, set-points and an artificial wrench. `achdgen --task`
 * generates the tables; the caller stores the state.
 *
 * Directions are numbered 0 1 2, linear along x y z of a frame, and 3 4 5, angular about x y z. The
 * motion frame is fixed in the base frame, with x along the motion and its origin at the goal; a
 * path has one for each waypoint. The force frame is fixed to the tool. */
#ifndef ACHD_TASK_H
#define ACHD_TASK_H

#include <achd/abag.h>
#include <achd/pid.h>
#include <achd/smooth.h>
#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum achd_direction_kind {
  ACHD_FREE,        /* unconstrained: the mask of the row is 0 */
  ACHD_VELOCITY,    /* motion frame [m/s, rad/s] */
  ACHD_POSITION,    /* linear, motion frame [m] */
  ACHD_ORIENTATION, /* angular, with one tolerance for all directions of this kind [rad] */
  ACHD_FORCE, /* force frame: force or moment that the tool exerts on the environment [N, N m] */
  /* Alignment with the contact force, about x and y of the force frame: its z axis or its -z axis,
   * whichever is nearer, is turned until it is along the force that the environment exerts on the
   * tool [rad]. For a tool that presses along z this force has F_z < 0, so that -z is aligned with
   * it, and the tool becomes perpendicular to the surface. */
  ACHD_FORCE_DIRECTION,
  /* An acceleration that is given, along or about an axis of the motion frame: value + amplitude
   * cos(wave t), t since the start of the task [m/s^2, rad/s^2; wave in rad/s]. No controller makes up for
   * what the model does not know: for motions of some seconds that excite a load. */
  ACHD_ACCELERATION
} achd_direction_kind;

/* What drives a direction in the place of ABAG. All take the exact error: the tolerance is then for events
 * alone. Errors of positions and orientations, e, are those of the pose now, v is the measured velocity. */
typedef enum achd_law {
  ACHD_LAW_ABAG, /* or, if `smooth`, that of smooth.h */
  /* pid.h: Kp e + Ki integral of e + Kd de/dt, for all kinds [m/s^2, rad/s^2; N, N m] */
  ACHD_LAW_PID,
  /* Kv (sat(Kp e, limit) - v) of positions and orientations; Kv (wanted velocity - v) of velocities
   * [m/s^2, rad/s^2] (Lau 2023) */
  ACHD_LAW_CASCADE,
  /* A spring and a damper: K e - D v of positions and orientations, D (wanted velocity - v) of velocities. It
   * is no row of the solver but an artificial wrench, along the axes of the motion frame, which gives way
   * [N, N m]. */
  ACHD_LAW_IMPEDANCE
} achd_law;

/* Numbers of a law, each >= 0. */
typedef struct achd_gains {
  achd_real proportional; /* Kp of a PID and a cascade; K [N/m, N m/rad] */
  achd_real derivative;   /* Kd of a PID, Kv of a cascade; D [N s/m, N m s/rad] */
  achd_real integral;     /* Ki of a PID */
  achd_real
      limit; /* of a cascade: largest speed [m/s, rad/s]; of a PID: time constant of the derivative's
                      low-pass [s] */
} achd_gains;

typedef struct achd_direction {
  achd_direction_kind kind;
  achd_real value; /* set-point, in the kind's unit */
  /* only for a velocity: its set-point is value + amplitude sin(wave |x|), where |x| is the
   * distance to the goal along the motion [m/s, 1/m] */
  achd_real amplitude, wave;
  achd_real tolerance; /* a smaller error counts as zero, a larger one counts whole */
  achd_real largest;   /* command for u = 1: of motions [m/s^2, rad/s^2], of forces [N, N m] */
  achd_abag_parameters abag;
  /* The law of smooth.h in the place of ABAG; not for ACHD_FORCE_DIRECTION. It takes the exact error:
   * the tolerance is then for events alone. */
  bool smooth;
  /* Its numbers, 0: the default. rate: 10/s for forces, 20/s for motions. Of forces: damping: that of the robot's
   * brakes, `damping` of the run; speed: 0.02 m/s, 0.1 rad/s. */
  achd_real rate, damping, speed;
  achd_law law;
  achd_gains gains;
} achd_direction;

/* A force above or below a threshold for some time. */
typedef struct achd_contact_rule {
  achd_real force;    /* threshold [N]; INFINITY: a contact is never detected */
  achd_real duration; /* [s] */
} achd_contact_rule;

/* Contact by velocity, without a force sensor (Lau 2023): the tool has moved along an axis of the
 * motion frame, and stands. It has moved once the mean of the last `samples` velocities along the
 * axis has been 2 `velocity` or more; it stands when this mean is below `velocity`. */
typedef struct achd_standstill_rule {
  achd_real velocity; /* [m/s]; 0: not looked at */
  int samples;        /* 1 to ACHD_TASK_SAMPLES cycles */
  int axis;           /* 0 1 2: x y z */
} achd_standstill_rule;

/* Alignment with a surface: all directions of kinds ACHD_FORCE and ACHD_FORCE_DIRECTION within
 * `within` times their tolerances for `duration`, which has to be so before `time`. */
typedef struct achd_alignment_rule {
  achd_real duration; /* [s] */
  achd_real time;     /* from the start of the task [s]; INFINITY: whenever; 0: not looked at */
  achd_real within;   /* above 0 [1] */
} achd_alignment_rule;

enum {
  ACHD_TASK_OBJECTS = 8, /* at most, of a description */
  ACHD_TASK_SAMPLES = 32 /* at most, of velocities */
};

/* How the tool passes from a section of a path to the next: when the section counts as covered. */
typedef enum achd_pass {
  ACHD_PASS_TUBE, /* within the goal area or beyond the waypoint, within the tube */
  ACHD_PASS_OVER, /* the same, within the tube or beside it: corners are cut */
  /* at rest in the goal area, within the tube: in the goal area the desired velocity along x is 0, and the tool
   * is no faster than its tolerance */
  ACHD_PASS_STOP
} achd_pass;

typedef struct achd_task {
  const char *name;
  const achd_pose *frames; /* motion frame of each section, in the base frame */
  int nframes;
  achd_direction direction[6];
  achd_rotation orientation;       /* desired orientation of the tool in the base frame */
  achd_real orientation_tolerance; /* for the angle of the whole rotation [rad] */
  achd_rotation force_axes;        /* orientation of the force frame in the tool frame */
  achd_real horizon;               /* how far ahead the pose is predicted [s] */
  /* conditions that end the task */
  achd_real goal_area; /* largest distance from the goal along x, within the tube [m]; 0: no goal */
  achd_real time;      /* longest duration [s]; INFINITY: none */
  achd_contact_rule contact; /* force above: contact */
  achd_contact_rule lost;    /* force below: contact lost */
  /* force perpendicular to z of the force frame above: an obstacle; force 0: not checked */
  achd_contact_rule across;
  /* the object in whose frame the motion frames and the orientation are given (object.h), by its
   * number in the description, from 1 to ACHD_TASK_OBJECTS; 0: the base */
  int object;
  /* Contact by direction, beside `contact`: [i] is of the force (0 1 2) [N] or the moment (3 4 5)
   * [N m] along axis i of the force frame, to either side; a threshold of 0: not looked at. */
  achd_contact_rule along[6];
  achd_standstill_rule standstill;
  achd_alignment_rule alignment;
  /* The pose is predicted with the acceleration that the solver has computed for the torques of the last cycle, too, which
   * the loop tells, corrected by what the joints lacked of it of late (`acceleration` of the run). For a horizon of at most
   * about 0.5 s. Not with an object, nor for positions and orientations of other laws than ABAG. */
  bool accelerated;
  /* Of a path whose waypoints have numbers of their own: nframes tasks with the same frames, one for each
   * section, which differ in numbers only and have no sections; NULL: the numbers above are those of all. */
  const struct achd_task *sections;
  achd_pass pass; /* to the next section */
  /* Angular motions (but not moments) are along these axes in the place of those of the motion frame, if
   * `turned`. The rows of a solver's group have one rotation, so that all three linear or all three angular
   * directions have to be motions then, but no springs: accelerations of three are those along any axes. */
  bool turned;
  achd_rotation turn_axes;
} achd_task;

/* Noise of readings: standard deviation of each component, and the time from one new reading to the next. */
typedef struct achd_noise {
  achd_real force, moment; /* of the wrench [N], [N m] */
  achd_real speed;         /* of the tool's velocity [m/s] */
  achd_real every;         /* [s]; 0: 1 ms */
} achd_noise;

/* The conditions that noise may hide or feign: indices of achd_task_run.smoothing; 1 << each is a bit of `hidden`. */
enum achd_task_condition {
  ACHD_TASK_BY_CONTACT, /* `contact` */
  ACHD_TASK_BY_LOST,    /* `lost` */
  ACHD_TASK_BY_AXES,    /* `across` and `along` */
  ACHD_TASK_BY_ALIGNED, /* `alignment` */
  ACHD_TASK_BY_FORCES,  /* the number of those above: a wrench is judged by them */
  ACHD_TASK_BY_STANDSTILL = ACHD_TASK_BY_FORCES
};

/* Measured state of the tool frame: pose and twist with respect to the base, and the wrench that
 * the environment exerts on the tool; twist and wrench at the origin of the tool frame, along the
 * axes of the base. */
typedef struct achd_tool_state {
  achd_pose pose;
  achd_twist twist;
  achd_wrench wrench;
} achd_tool_state;

/* True if the task can be carried out: it has frames; these, and the orientations that its directions
 * use, are finite rotations (up to 0.02, for figures with three digits); all numbers are finite, and
 * not negative where that has no meaning; times and the forces of contacts may be INFINITY; kinds fit
 * to linear and angular directions; controllers are as in achd_abag_valid, and gains not negative; the
 * sections of a path are such tasks, too, with the same frames, and x is a velocity with a tolerance in one that ends
 * with a stop. Generated tasks are.
 * achd_loop_start asks this of every task of its setup; ask it yourself before you change a task
 * that runs, such as a goal that a camera has seen. */
bool achd_task_valid(const achd_task *task);

/* Progress of a task. Initialise it with zeros, then call achd_task_start. */
typedef struct achd_task_run {
  const achd_task *task; /* of the present section */
  const achd_task
      *whole;      /* that was started: the same, where the sections have no numbers of their own */
  int section;     /* index of the present section of the path */
  unsigned hidden; /* bits of the conditions that noise hides (achd_task_expect) */
  achd_real elapsed;   /* time since the start [s] */
  achd_real pressed;   /* how long the force has been above `contact` [s] */
  achd_real unpressed; /* how long it has been below `lost` [s] */
  achd_real blocked;   /* how long it has been above `across` [s] */
  achd_real along[6];  /* how long each force and moment has been above its `along` [s] */
  achd_real speeds[ACHD_TASK_SAMPLES]; /* the last ones along the axis of `standstill` [m/s] */
  int nspeeds, next;                   /* of these: how many; where the next goes */
  bool moved;                          /* it has moved along this axis */
  achd_real aligned;                   /* how long it has been aligned [s] */
  bool was_aligned;                    /* for the duration of `alignment`, since the start */
  bool at_goal;                        /* within the goal area */
  bool driven;                         /* the controllers have been used since the start */
  /* Of ABAG; of a smooth direction `bias` and `u`, its integral and command as shares of `largest`. */
  achd_abag channel[6];
  bool is_smooth; /* a direction is */
  achd_smooth smooth[6];
  bool is_other;   /* a direction is smooth, has another law or a given acceleration */
  achd_pid pid[6]; /* of these laws */
  achd_real
      springs[6]; /* forces and moments along and about the axes of the motion frame [N, N m] */
  /* Damping of smooth forces and moments whose task has none, along and about the axes of the force frame [N s/m,
   * N m s/rad]: the loop renews it before every cycle. 0: not known; they command nothing then. */
  achd_real damping[6];
  achd_real period; /* of the last achd_task_watch [s] */
  achd_twist
      acceleration; /* of the tool by the model, where the task is `accelerated`, as its twist [m/s^2, rad/s^2] */
  /* What each condition is judged by, where noise asks for it (achd_task_expect): a low pass of the wrench with this
   * time constant, 0: the wrench itself; the low-passed wrench. */
  achd_real smoothing[ACHD_TASK_BY_FORCES]; /* [s] */
  achd_wrench smoothed[ACHD_TASK_BY_FORCES];
  achd_real
      velocity[6]; /* along and about each direction, of forces in the force frame [m/s, rad/s] */
} achd_task_run;

/* Starts a task in its first section, with all clocks at 0 and all controllers reset. */
void achd_task_start(achd_task_run *run, const achd_task *task);

/* The same for a motion that goes on from another task, if there was one: smooth forces that follow smooth forces, and
 * motions that follow motions, keep their integrals. */
void achd_task_follow(achd_task_run *run, const achd_task *task);

/* Lets the conditions that end a task which has just been started know the noise of the readings. A threshold c has to be
 * k times the deviation s of what is judged by it: 5 where noise would feign a contact, 2.5 where it would hide that one is
 * lost or that the tool is aligned. Where it is not, the wrench is low-passed for this condition with
 *
 *   time = ((k s / c)^2 - 1) every / 2
 *
 * which leaves c / k of white noise: 12 ms for a contact of 3 N with noise of 3 N. So a condition is seen later by about this
 * time. `lost` begins with the first reading, and in a section with the last one before it, the others with 0. Returns `hidden`: the conditions that would need more than
 * 0.5 s, or more than a quarter of the time that an alignment has, which then is what they have; and `standstill` where the
 * mean of its samples of the velocity has noise of more than a third of its threshold. For these raise the threshold or the
 * tolerance, or have the sensor filtered. Numbers that are not finite or negative are no noise. */
unsigned achd_task_expect(achd_task_run *run, const achd_noise *noise);

/* Goes on to the section of the next waypoint, with its numbers; the controllers keep their states. Returns false if
 * this is the last section, or if no task has been started. */
bool achd_task_next_section(achd_task_run *run);

/* Events of a task, as bits, for state machines. */
enum achd_task_event {
  /* all positions and the orientation are within their tolerances */
  ACHD_TASK_WITHIN_TUBE = 1,
  /* the tool is within the goal area of the last section, and within the tube; once reached, it
   * stays so while |x| is within 5/4 of the goal area and all errors within 4 tolerances */
  ACHD_TASK_GOAL_AREA = 2,
  /* in a section that is not the last: covered, as its `pass` says */
  ACHD_TASK_COVERED = 4,
  ACHD_TASK_TIMEOUT = 8, /* the task takes longer than its time */
  /* force above `contact`, or a force or moment above its `along`, for its duration; or `standstill` */
  ACHD_TASK_CONTACT = 16,
  ACHD_TASK_NO_CONTACT = 32, /* force below `lost` for its duration */
  /* a measurement, or where it stands from the goal, is NaN or infinite; no other bit is set */
  ACHD_TASK_NOT_FINITE = 64,
  /* force perpendicular to z of the force frame above `across` for its duration: an obstacle */
  ACHD_TASK_CONTACT_X_Y = 128,
  ACHD_TASK_ALIGNED = 256,    /* aligned for the duration of `alignment`, and still so */
  ACHD_TASK_NOT_ALIGNED = 512 /* not once so within its time */
};

/* Advances the clocks of the task by `period` [s], evaluates the measured state, and returns the
 * events as bits. */
unsigned achd_task_watch(achd_task_run *run, const achd_tool_state *tool, achd_real period);

typedef enum achd_task_mode {
  ACHD_TASK_APPROACH, /* desired velocities 0 without tolerance: to enter the tube, or to wait */
  ACHD_TASK_CRUISE    /* desired velocities as given in the task */
} achd_task_mode;

typedef struct achd_task_errors {
  achd_real exact[6]; /* error in the unit of each direction; 0 in free directions */
  achd_real e[6];     /* the same, but 0 within the tolerance */
} achd_task_errors;

/* Computes the errors of a task, desired minus measured, in each direction. Positions and
 * orientations are those of the pose predicted over the horizon T (p + v T, or p + v T + a T^2 / 2 of a task that is
 * `accelerated`; orientations alike), velocities and forces are those measured:
 *
 *   position      value minus the coordinate of R^T (p - p_frame)
 *   velocity      value + amplitude sin(wave |x|) - measured. If the task has a goal, the desired
 *                 velocity along x is towards the goal: it changes its sign when the goal is
 *                 overshot. The wave does not reduce it below twice its tolerance (or below its
 *                 largest value, if that is less). 0 in the goal area of a waypoint to stop at.
 *   orientation   components of log(R_desired R^T) along the axes of the motion frame (or turn_axes)
 *   force         value + measured, since the measured wrench is the opposite of what the tool
 *                 exerts on the environment
 *   alignment     with the measured force F: atan2(-F_y, F_z) about x and atan2(F_x, F_z) about y,
 *                 which turn z into the direction of F; if F_z < 0, the same of -F, which turn -z
 *                 into the direction of F. 0 if the force is below that of a lost contact. */
void achd_task_examine(const achd_task_run *run, const achd_tool_state *tool, achd_task_mode mode,
                       achd_task_errors *errors);

/* Inputs of the solver: for a group at the tool frame with axes = "input" and maskable rows, and an
 * artificial wrench on the tool frame. */
typedef struct achd_task_command {
  achd_rotation axes; /* axes of the rows: those of the motion frame, or turn_axes of the task */
  achd_real b[6];     /* set-points [m/s^2, rad/s^2] */
  achd_real mask[6]; /* 1: constraint active; 0: direction unconstrained (free, force, or spring) */
  /* artificial wrench on the tool, about the tool frame's origin, along the axes of the base */
  achd_wrench wrench;
} achd_task_command;

/* Computes one cycle of the controllers of all directions, and the command for the solver, after achd_task_watch of
 * this cycle. A force controller starts with the bias that exerts the measured force, so that a contact is not lost; a
 * smooth one with no more than its set-point. The velocity that a smooth motion wishes is, of a position and an
 * orientation with the error e, e / horizon, and not more than e rate / 4.
 * saturated: a motor is at its torque limit; the controllers then do not grow further in the
 * direction in which they push. Returns false if the state of the tool or the motion frame is not
 * finite: then the whole command is 0 and no row is active. */
bool achd_task_control(achd_task_run *run, const achd_tool_state *tool,
                       const achd_task_errors *errors, bool saturated, achd_task_command *command);

#ifdef __cplusplus
}
#endif

#endif

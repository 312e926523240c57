/* task.h: tasks by the modified task frame formalism: along and about each axis of a frame a
 * velocity, a position, a force, or nothing. A task becomes errors, and these, by ABAG, what a
 * generated solver takes: row masks, set-points and an artificial wrench. (De Schutter, Van Brussel
 * 1988; Vukcevic 2020.) Tables come from `achdgen --task`; state is the caller's.
 *
 * Directions: 0 1 2 linear along x y z of a frame, 3 4 5 angular about them. The motion frame
 * stands in the base frame, x along the motion, origin at the goal; a path has one for each
 * waypoint. The force frame moves with the tool. */
#ifndef ACHD_TASK_H
#define ACHD_TASK_H

#include <achd/abag.h>
#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum achd_direction_kind {
  ACHD_FREE,        /* nature decides: the row is masked out */
  ACHD_VELOCITY,    /* motion frame [m/s, rad/s] */
  ACHD_POSITION,    /* linear, motion frame [m] */
  ACHD_ORIENTATION, /* angular, with one tolerance for all directions of this kind [rad] */
  ACHD_FORCE,       /* force frame: what the tool exerts on its environment [N, N m] */
  /* about x and y of the force frame: turn its z or -z, whichever is nearer, into the force that
   * the environment exerts on the tool [rad]. A tool that presses along z measures F_z < 0: there
   * it is -z that is turned into the force, and z comes to stand into the surface, at a right
   * angle. */
  ACHD_FORCE_DIRECTION
} achd_direction_kind;

typedef struct achd_direction {
  achd_direction_kind kind;
  achd_real value; /* set-point, in the kind's unit */
  /* of a velocity, over the distance from the goal along the motion: value + amplitude
   * sin(wave |x|) [m/s, 1/m] */
  achd_real amplitude, wave;
  achd_real tolerance; /* an error inside it counts as zero, outside it counts whole */
  achd_real largest;   /* command at u = 1: motion [m/s^2, rad/s^2], force [N, N m] */
  achd_abag_parameters abag;
} achd_direction;

/* A force's magnitude beyond or below a threshold for some time. */
typedef struct achd_contact_rule {
  achd_real force;    /* [N]; INFINITY for a contact that never is */
  achd_real duration; /* [s] */
} achd_contact_rule;

typedef struct achd_task {
  const char *name;
  const achd_pose *frames; /* motion frame of each section, in the base frame */
  int nframes;
  achd_direction direction[6];
  achd_rotation orientation;       /* wanted of the tool, to the base's axes */
  achd_real orientation_tolerance; /* of the rotation vector's norm [rad] */
  achd_rotation force_axes;        /* to the tool's axes from those of the force frame */
  achd_real horizon;               /* of the prediction [s] */
  /* when to stop */
  achd_real goal_area;       /* distance from the goal along x, within the tube [m]; 0: no goal */
  achd_real time;            /* [s]; INFINITY: no end */
  achd_contact_rule contact; /* above: contact */
  achd_contact_rule lost;    /* below: contact lost */
  achd_contact_rule across;  /* above, across the force frame's z: in the way; force 0: never */
} achd_task;

/* What is measured of the tool frame: pose and twist with respect to the base, along the base's
 * axes, and the wrench of the environment on the tool, about the tool frame's origin, along the
 * base's axes. */
typedef struct achd_tool_state {
  achd_pose pose;
  achd_twist twist;
  achd_wrench wrench;
} achd_tool_state;

/* How far a task has come. All zero, then achd_task_start. */
typedef struct achd_task_run {
  const achd_task *task;
  int section;
  achd_real elapsed;   /* [s] */
  achd_real pressed;   /* time for which the force has been above `contact` [s] */
  achd_real unpressed; /* below `lost` [s] */
  achd_real blocked;   /* above `across` [s] */
  bool at_goal;        /* within the goal area */
  bool driven;         /* the controllers have begun */
  achd_abag channel[6];
} achd_task_run;

void achd_task_start(achd_task_run *run, const achd_task *task);

/* Goes on to the next waypoint's section; false: this is the last, or no task has been started.
 * Controllers keep their states. */
bool achd_task_next_section(achd_task_run *run);

/* What a task sees in a cycle, as bits: what state machines want to hear. */
enum achd_task_event {
  ACHD_TASK_WITHIN_TUBE =
      1, /* all positions and the orientation within their tolerances; else out of it */
  /* |x| within the goal area of the last section, and within the tube; once there, |x|
   * within 5/4 of it and all within 4 times the tube's tolerances */
  ACHD_TASK_GOAL_AREA = 2,
  /* x at or beyond the goal area of a section that is not the last, and within the tube */
  ACHD_TASK_COVERED = 4,
  ACHD_TASK_TIMEOUT = 8,
  ACHD_TASK_CONTACT = 16,    /* force above `contact` for its duration */
  ACHD_TASK_NO_CONTACT = 32, /* force below `lost` for its duration */
  ACHD_TASK_NOT_FINITE = 64, /* a measurement is no number: nothing else is told */
  /* force across the force frame's z above `across` for its duration: something is in the way */
  ACHD_TASK_CONTACT_X_Y = 128
};

/* Adds a cycle of `period` seconds to the task's clocks and examines the measured state. */
unsigned achd_task_watch(achd_task_run *run, const achd_tool_state *tool, achd_real period);

typedef enum achd_task_mode {
  ACHD_TASK_APPROACH, /* velocities 0 without tolerance: into the tube, or waiting */
  ACHD_TASK_CRUISE    /* velocities as the task says */
} achd_task_mode;

typedef struct achd_task_errors {
  achd_real exact[6]; /* before tolerances, in the unit of each direction; 0 where it is free */
  achd_real e[6];     /* 0 within the tolerance */
} achd_task_errors;

/* Desired less measured, in each direction. Positions and orientations are those predicted over the
 * horizon, velocities and forces those measured:
 *
 *   position     value - x of R^T (p - p_frame)
 *   velocity     value + amplitude sin(wave |x|) - measured. Along x, where the task has a goal, it
 *                leads to the goal: what is desired changes its sign where the goal is overshot,
 * and on the way no wave takes it below twice its tolerance (or below its crest) orientation
 * components of log(R_wanted R^T), along the motion frame's axes force        value + measured: the
 * environment acts on the tool with the opposite of what it exerts direction    of the measured
 * force F: atan2(-F_y, F_z) about x, atan2(F_x, F_z) about y, which turn z into F; where F_z < 0
 * those of -F, which turn -z into F. 0 for a force below that of a lost contact */
void achd_task_examine(const achd_task_run *run, const achd_tool_state *tool, achd_task_mode mode,
                       achd_task_errors *errors);

/* For the solver: rows of a group with axes = "input" and maskable rows at the tool frame, and an
 * artificial wrench on it. */
typedef struct achd_task_command {
  achd_rotation axes; /* of the rows: the motion frame's */
  achd_real b[6];     /* set-points [m/s^2, rad/s^2] */
  achd_real mask[6];  /* 1: motion, 0: free or force */
  achd_wrench
      wrench; /* for the motors to exert, about the tool frame's origin, base axes [N, N m] */
} achd_task_command;

/* One cycle of every direction's controller. A force begins with the bias that exerts what is
 * measured, so that a contact is not let go. Each holds on its own limits, and all of them on the
 * sides to which they push where the motors stand at a limit (saturated). False where the tool's
 * state is not finite: then all of the command is 0 and no row is in force. */
bool achd_task_control(achd_task_run *run, const achd_tool_state *tool,
                       const achd_task_errors *errors, bool saturated, achd_task_command *command);

#ifdef __cplusplus
}
#endif

#endif

/* loop.h: a control cycle put together: measurement, kinematics, task, ABAG, solver, monitors,
 * state machine, command.
 *
 *   measure -> kinematics -> task -> control -> solve -> monitor -> state machine -> command
 *
 * The loop knows no robot: kinematics and solver are functions of the caller, who calls generated
 * code in them. It ends in a command in every case: what is not finite, late, out of limits or out
 * of reach stops the motion in the same cycle. Everything it knows stands in achd_loop, to be read
 * and logged. */
#ifndef ACHD_LOOP_H
#define ACHD_LOOP_H

#include <achd/machine.h>
#include <achd/pid.h>
#include <achd/predict.h>
#include <achd/task.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_LOOP_JOINTS = 32, ACHD_LOOP_STATES = 16 };

/* What the sensors say in a cycle. */
typedef struct achd_measurement {
  achd_real q[ACHD_LOOP_JOINTS];  /* joint position [rad; m] */
  achd_real qd[ACHD_LOOP_JOINTS]; /* joint velocity [rad/s; m/s] */
  achd_wrench
      wrench; /* of the environment on the tool, about its origin, base axes; 0 without sensor */
} achd_measurement;

/* What the solver says. */
typedef struct achd_solution {
  achd_real tau[ACHD_LOOP_JOINTS]; /* to command [N m; N] */
  achd_real qdd[ACHD_LOOP_JOINTS]; /* joint acceleration that results [rad/s^2; m/s^2] */
  bool usable;                     /* false: do not command it */
  bool singular;                   /* a row was out of reach, or nearly */
} achd_solution;

typedef struct achd_loop_joint {
  achd_joint_limits limits;
  achd_real effort;             /* magnitude of the torque [N m; N] */
  achd_cascade_parameters hold; /* stops the joint and keeps it where it stopped */
} achd_loop_joint;

/* The robot, as the caller knows it. */
typedef struct achd_loop_robot {
  int njoints;
  const achd_loop_joint *joints;
  void *context; /* handed to the functions */
  /* Pose and twist of the tool frame. */
  void (*kinematics)(void *context, const achd_measurement *measured, achd_pose *pose,
                     achd_twist *twist);
  /* The torques that the command asks for: rows, wrench, and what else the caller adds (posture).
   */
  void (*solve)(void *context, const achd_measurement *measured, const achd_task_command *command,
                achd_solution *solution);
  /* The torques that hold the robot at rest against gravity [N m; N]. */
  void (*gravity)(void *context, const achd_measurement *measured, achd_real *tau);
} achd_loop_robot;

typedef enum achd_loop_action {
  ACHD_LOOP_STOP,        /* hold the joints where they are */
  ACHD_LOOP_APPROACH,    /* the task, velocities 0 */
  ACHD_LOOP_CRUISE,      /* the task */
  ACHD_LOOP_NEXT_SECTION /* on entry to the next waypoint; then as cruising */
} achd_loop_action;

/* What a state of the machine does. A task begins anew when it is not that of the state before. */
typedef struct achd_loop_state {
  achd_loop_action action;
  const achd_task *task; /* NULL: goes on with the one before */
} achd_loop_state;

/* Events of the machine that the loop raises; -1: the machine has none such. */
typedef struct achd_loop_events {
  int fault;       /* the measurement, the period or the solution is of no use; latched */
  int joint_limit; /* latched */
  int timeout, contact, no_contact;
  int within_tube, out_of_tube;
  int goal_area, out_of_goal_area;
  int section_covered;
} achd_loop_events;

typedef struct achd_loop_setup {
  const achd_loop_robot *robot;
  const achd_machine *machine;
  achd_loop_state states[ACHD_LOOP_STATES]; /* by the machine's states */
  achd_loop_events events;
  achd_real latest;          /* a longer period is a fault [s] */
  achd_real saturation_time; /* torques at their limits for longer are a fault [s] */
  achd_real singular_time;   /* singular for longer is a fault [s] */
  achd_real braking_time;    /* a stop brakes each joint until it turns around, for so long at most,
                                and    then keeps it where it is [s] */
} achd_loop_setup;

/* Why the loop stopped, as bits; they stay until the next start. */
enum achd_loop_fault {
  ACHD_LOOP_FINE = 0,
  ACHD_LOOP_NOT_FINITE = 1, /* a measurement */
  ACHD_LOOP_LATE = 2,
  ACHD_LOOP_UNUSABLE = 4, /* the solver said so, or its torques are not finite */
  ACHD_LOOP_LIMIT = 8,    /* a joint limit within two periods */
  ACHD_LOOP_SATURATED = 16,
  ACHD_LOOP_SINGULAR = 32
};

typedef enum achd_loop_mode {
  ACHD_LOOP_TORQUE,  /* drive the joints by tau */
  ACHD_LOOP_VELOCITY /* stop: joints that take velocities get 0; others tau, which holds */
} achd_loop_mode;

/* The loop's state, and all signals of the last cycle. */
typedef struct achd_loop {
  const achd_loop_setup *setup;
  achd_machine_run machine;
  achd_task_run task;
  unsigned fault; /* bits of achd_loop_fault */
  /* signals, in the order in which they come about */
  achd_measurement measured; /* the last that was finite */
  bool known;                /* there is one */
  achd_tool_state tool;
  unsigned seen;   /* bits of achd_task_event */
  unsigned limits; /* bits of achd_joint_event, of all joints */
  achd_task_errors errors;
  achd_task_command command;
  achd_solution solution;
  bool saturated;                        /* a torque was cut at its limit */
  achd_real saturated_for, singular_for; /* [s] */
  achd_real stopped_for;                 /* [s] */
  int braking[ACHD_LOOP_JOINTS];    /* direction in which a joint still moves after a stop, or 0 */
  achd_real held[ACHD_LOOP_JOINTS]; /* where the joints are kept while stopped [rad; m] */
  /* what to command */
  achd_loop_mode mode;
  achd_real tau[ACHD_LOOP_JOINTS]; /* finite, within the joints' efforts [N m; N] */
  achd_real qd[ACHD_LOOP_JOINTS];  /* 0, while stopped [rad/s; m/s] */
} achd_loop;

/* In the machine's initial state, no fault, nothing known. False: the setup has too many joints or
 * states. */
bool achd_loop_start(achd_loop *loop, const achd_loop_setup *setup);

/* Raises an event of the caller's for the machine's next step: that the program has initialised,
 * for one. */
bool achd_loop_raise(achd_loop *loop, int event);

/* One cycle; period: time since the last one [s]. loop->mode, tau and qd are what to command. */
achd_loop_mode achd_loop_cycle(achd_loop *loop, const achd_measurement *measured, achd_real period);

#ifdef __cplusplus
}
#endif

#endif

/* loop.h: a control cycle put together: measurement, kinematics, task, ABAG, solver, monitors,
 * state machine, command.
 *
 *   measure -> kinematics -> task -> control -> solve -> monitor -> state machine -> command
 *
 * The loop knows no robot: kinematics and solver are functions of the caller, who calls generated
 * code in them. It ends in a command in every case: what is not finite, old, implausible, late, out
 * of limits or out of reach stops the motion in the same cycle. Everything it knows stands in
 * achd_loop, to be read and logged.
 *
 * How it stops. A fault is latched: the joints are braked and then kept where they came to rest,
 * until the program calls achd_loop_rearm or achd_loop_start; then it takes the machine's own event
 * to start a motion again. The brake acts on this cycle's readings only. In a cycle without a good
 * reading of the joints, motors bear the robot's weight and do not brake; after more than
 * watch.blind_cycles of them the mode is ACHD_LOOP_DISABLE: then the drives' own brakes have to
 * hold. A fault of the wrench sensor leaves the brake all it needs, the joints' readings.
 *
 *   what is wrong                                    fault        the joints' reading
 *   q, qd: NaN, infinite, beyond 1e6                 NOT_FINITE   not used
 *   wrench: NaN, infinite                            NOT_FINITE   used
 *   joints' stamp or age too old, stamp steps back   STALE        not used
 *   wrench's stamp or age too old, steps back        STALE        used
 *   q jumps, is out of its range, does not go with
 *   qd; qd faster than it can be                     IMPLAUSIBLE  not used
 *   wrench beyond its sensor's range                 IMPLAUSIBLE  used
 *   period 0, negative, NaN, infinite, too long      LATE         used
 *   a limit ahead, or met                            LIMIT        used
 *   solver or its torques of no use                  UNUSABLE     used
 *   torques cut, rows out of reach for too long      SATURATED, SINGULAR: used
 *   no good reading of the joints for too long       BLIND        mode ACHD_LOOP_DISABLE
 *
 * All this holds in every state of the machine, and while the loop stops already. */
#ifndef ACHD_LOOP_H
#define ACHD_LOOP_H

#include <achd/machine.h>
#include <achd/pid.h>
#include <achd/predict.h>
#include <achd/task.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_LOOP_JOINTS = 32, ACHD_LOOP_STATES = 16 };

/* What the sensors say in a cycle. Stamps and ages are looked at where the setup's watch says so.
 */
typedef struct achd_measurement {
  achd_real q[ACHD_LOOP_JOINTS];  /* joint position [rad; m] */
  achd_real qd[ACHD_LOOP_JOINTS]; /* joint velocity [rad/s; m/s] */
  /* of the environment on the tool, about its origin, base axes; 0 without sensor */
  achd_wrench wrench;
  /* of the joints' reading and of the wrench's: larger with every new one; a counter, or a time in
   * any unit. What is the same as in the cycle before is the same reading. Negative ones are as
   * good as others; one that is smaller than the last is a fault, and the next are compared with
   * it. */
  int64_t joints_stamp, wrench_stamp;
  achd_real joints_age, wrench_age; /* since the reading was taken, >= 0 [s] */
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
  achd_real effort; /* magnitude of the torque [N m; N] */
  /* Brakes the joint and keeps it where it came to rest. The brake's torque is velocity_gain times
   * the velocity, within the limits; the gain [N m s/rad] should be well below the joint's
   * smallest inertia over the period, and large enough for the limits to be reached at speeds from
   * which a short way counts. */
  achd_cascade_parameters hold;
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

/* What a state of the machine does. A task begins anew when it is not that of the state before, and
 * (in its section) when an event has released a machine that was latched in a stop. A state other
 * than a stop without any task, its own or one before, stops too. */
typedef struct achd_loop_state {
  achd_loop_action action;
  const achd_task *task; /* NULL: goes on with the one before */
} achd_loop_state;

/* Events of the machine that the loop raises; 0, as where a field is left out, and -1: the machine
 * has none such. Generated machines count their events from 1; where you write the tables yourself,
 * leave event 0 unused. */
typedef struct achd_loop_events {
  int fault; /* a fault, in every cycle until the loop is rearmed; none: joint_limit is raised */
  int joint_limit; /* ACHD_LOOP_LIMIT, likewise */
  /* In every cycle in which it is so; timeout not in a stop in which the machine is latched. */
  int timeout, contact, no_contact;
  int within_tube, out_of_tube;
  int goal_area, out_of_goal_area;
  int section_covered;
  int contact_x_y; /* ACHD_TASK_CONTACT_X_Y: something is in the way */
} achd_loop_events;

/* What is looked after at a joint besides its limits. Each is off where it is 0. */
typedef struct achd_loop_guard {
  /* That the brake at its full torque gives the joint in any posture, with any load: what the
   * limits of its hold leave after gravity, over the largest inertia about the axis. Then a limit
   * is looked at over the braking distance, not over two periods only: qd^2 / (2 deceleration),
   * and what the way grows by where the velocity is too small for hold's gain to give the full
   * torque [rad/s^2; m/s^2]. */
  achd_real deceleration;
  /* Largest change of the commanded torque, in all modes, from one cycle to the next; the first
   * command is free. Mind that a brake that comes slowly brakes late [N m/s; N/s]. */
  achd_real torque_rate;
  /* A velocity beyond it is implausible. A position that moves by more than 0.05 and this speed
   * times the period is a jump; where it is 0, 4 times the velocity limit takes its place in this
   * [rad/s; m/s]. */
  achd_real fastest;
  /* How far beyond its position limits a joint can be (its stops, and the sensor's error): a
   * reading farther out is implausible [rad; m]. */
  achd_real beyond;
  /* Largest difference between the change of q and the integral of qd, over about a second: a
   * position that stands still while qd does not, or a qd of the wrong sign, is implausible. Where
   * it is 0, 0.05 takes its place while the loop stops [rad; m]. */
  achd_real slip;
} achd_loop_guard;

/* How the sensors are watched. All zero: by what is always done. Numbers are finite; q does not
 * jump; q and qd do not stay the same to the last bit while the joint would have gone 0.5 rad or m
 * within about a second, 0.02 while the loop stops. The last comes late: have readings stamped. */
typedef struct achd_loop_watch {
  const achd_loop_guard *joints;       /* of each joint; NULL: all zero */
  bool joints_stamped, wrench_stamped; /* the measurement has stamps */
  achd_real joints_oldest,
      wrench_oldest; /* an older reading is a fault [s]. 0: ages are not looked
                        at, and of a stamped sensor every cycle has a new one */
  achd_real largest_force, largest_moment; /* a component at or beyond it: the sensor is saturated
                                              [N; N m]; 0: any */
  int blind_cycles; /* for so many cycles, and one more for every good one in between, the joints'
                       reading may be of no use before the drives are disabled; 0: 5 */
} achd_loop_watch;

typedef struct achd_loop_setup {
  const achd_loop_robot *robot;
  const achd_machine *machine;
  achd_loop_state states[ACHD_LOOP_STATES]; /* by the machine's states */
  achd_loop_events events;
  achd_real latest;          /* a longer period is a fault [s] */
  achd_real saturation_time; /* torques at their limits for longer are a fault [s] */
  achd_real singular_time;   /* singular for longer is a fault [s] */
  /* a stop brakes each joint until it turns around, for so long at most, and then keeps it where it
   * is [s] */
  achd_real braking_time;
  achd_loop_watch watch;
} achd_loop_setup;

/* Why the loop stopped, as bits; they stay until it is rearmed or started. */
enum achd_loop_fault {
  ACHD_LOOP_FINE = 0,
  ACHD_LOOP_NOT_FINITE = 1, /* a measurement */
  ACHD_LOOP_LATE = 2,       /* the period is longer than the latest, or none */
  ACHD_LOOP_UNUSABLE = 4,   /* the solver said so, or its torques are not finite */
  ACHD_LOOP_LIMIT = 8,      /* a joint limit, met, within two periods or the braking distance */
  ACHD_LOOP_SATURATED = 16,
  ACHD_LOOP_SINGULAR = 32,
  ACHD_LOOP_STALE = 64,        /* a reading too old, or stamps that step back */
  ACHD_LOOP_IMPLAUSIBLE = 128, /* a reading that cannot be */
  ACHD_LOOP_BLIND = 256        /* no good reading of the joints for too long */
};

typedef enum achd_loop_mode {
  ACHD_LOOP_TORQUE,   /* drive the joints by tau */
  ACHD_LOOP_VELOCITY, /* stop: joints that take velocities get 0; others tau, which holds */
  /* stop by the drives' own brakes, and switch the motors off: the loop does not know how the
   * joints move. tau, for the time until the brakes have closed, is what bore the robot's weight
   * where it was last seen, 0 where it never was. It stays so until the loop is rearmed. */
  ACHD_LOOP_DISABLE
} achd_loop_mode;

/* What the loop remembers of a joint. */
typedef struct achd_loop_memory {
  /* the last finite reading, whether plausible or not */
  achd_real q, qd; /* as read [rad; m], [rad/s; m/s] */
  int steady;      /* readings since its last jump */
  achd_real slip;  /* integral of qd less the change of q, fading [rad; m] */
  achd_real still; /* integral of |qd| since the reading changed last, fading [rad; m] */
  /* After a jump the arm is taken to be where it was: what its reading is off [rad; m]. */
  achd_real offset;
  bool dead; /* the jump led to a reading without velocity: until it jumps back */
  /* limits in force: from beyond a limit a joint may come back, not go farther [rad; m] */
  achd_real lower, upper;
  /* while stopped */
  int braking;      /* direction in which the joint still moves, or 0 */
  achd_real held;   /* where it is kept [rad; m] */
  achd_real gain;   /* share of the brake's gain; less where it made the joint swing */
  achd_real swing;  /* velocity when the brake last acted [rad/s; m/s] */
  achd_real weight; /* the last finite one [N m; N] */
} achd_loop_memory;

/* When a sensor's reading was new. */
typedef struct achd_loop_reading {
  bool known;
  int64_t stamp;
  achd_real age; /* time since the stamp was new [s] */
} achd_loop_reading;

/* The loop's state, and all signals of the last cycle. */
typedef struct achd_loop {
  const achd_loop_setup *setup;
  achd_machine_run machine;
  achd_task_run task;
  unsigned fault; /* bits of achd_loop_fault */
  unsigned now;   /* those of them that the last cycle itself had */
  /* signals, in the order in which they come about */
  achd_measurement measured;     /* the last good readings; after a jump as if it had not been */
  bool joints_good, wrench_good; /* those of this cycle */
  bool known;                    /* the joints' reading has been good once */
  achd_tool_state tool;
  unsigned seen;   /* bits of achd_task_event; 0 where the task was not examined */
  unsigned limits; /* bits of achd_joint_event, of all joints; of the last good reading */
  achd_task_errors errors;
  achd_task_command command;
  achd_solution solution;
  bool saturated;                        /* a torque was cut at its limit */
  bool slowed;                           /* a torque was cut at its rate */
  achd_real saturated_for, singular_for; /* [s] */
  achd_real stopped_for;                 /* [s] */
  /* memory */
  achd_loop_memory joint[ACHD_LOOP_JOINTS];
  achd_loop_reading joints_reading, wrench_reading;
  achd_real
      step; /* the last period in time, a tenth of the latest at least; first the latest [s] */
  achd_real unread; /* time since the last finite reading of the joints; negative: unknown [s] */
  bool read;        /* there has been one */
  int blind;        /* cycles without a good reading, less the good ones after them */
  bool disabled, stopping, commanded;
  /* what to command */
  achd_loop_mode mode;
  achd_real tau[ACHD_LOOP_JOINTS]; /* finite, within the joints' efforts [N m; N] */
  achd_real qd[ACHD_LOOP_JOINTS];  /* 0, while stopped [rad/s; m/s] */
} achd_loop;

/* In the machine's initial state, no fault, nothing known. False, and every cycle then is
 * ACHD_LOOP_DISABLE: the setup has too many joints or states, lacks a function or a table, leads to
 * states that are not there, or has numbers that are NaN or below 0, or limits the wrong way round.
 */
bool achd_loop_start(achd_loop *loop, const achd_loop_setup *setup);

/* Raises an event of the caller's for the machine's next step: that the program has initialised,
 * for one. In the same step the first reaction in the machine's table wins: after a stop that
 * prevails (contact, limit, fault) raise it again. */
bool achd_loop_raise(achd_loop *loop, int event);

/* Ends a fault, and the drives' being disabled, where its cause has gone: the last cycle had
 * readings and a period without fault, and the machine is in a state that stops. Nothing moves by
 * this: the joints are kept where they are now, readings are believed as they are, jumps and all,
 * and a joint at or beyond a limit may go back from there. It takes the machine's own event to
 * start a motion. False: nothing has been changed. */
bool achd_loop_rearm(achd_loop *loop);

/* One cycle; period: time since the last one [s], counted as a tenth of the latest at least.
 * loop->mode, tau and qd are what to command. */
achd_loop_mode achd_loop_cycle(achd_loop *loop, const achd_measurement *measured, achd_real period);

#ifdef __cplusplus
}
#endif

#endif

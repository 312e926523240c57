/* SPDX-License-Identifier: MIT */
/* loop.h: a complete control cycle: measurement, kinematics, task, ABAG control, solver, monitors,
 * state machine, command.
 *
 *   measure -> kinematics -> task -> control -> solve -> monitor -> state machine -> command
 *
 * The loop is independent of the robot: kinematics, gravity and solver are functions of the caller,
 * which call generated code. Every cycle ends with a command. A measurement that is not finite, too
 * old or implausible, a late cycle, a joint limit and an unusable solution stop the motion within
 * the same cycle. All signals are fields of achd_loop and can be read and logged.
 *
 * How it stops. A fault is latched: the joints are braked to rest and then held there until the
 * program calls achd_loop_rearm or achd_loop_start; after that, only the machine's own event starts
 * a motion again. The brake uses readings of the present cycle only. In a cycle without a valid
 * reading of the joints, the motors compensate gravity and do not brake; after more than
 * watch.blind_cycles such cycles the mode is ACHD_LOOP_DISABLE, and the drives' own brakes have to
 * hold the robot. A fault of the wrench sensor does not affect the brake, which needs the joints'
 * readings only.
 *
 *   what is wrong                                    fault        readings of the joints
 *   q, qd: NaN, infinite, above 1e6                  NOT_FINITE   not used
 *   wrench: NaN, infinite                            NOT_FINITE   used
 *   joints' stamp or age too old, stamp steps back   STALE        not used
 *   wrench's stamp or age too old, steps back        STALE        used
 *   q jumps, is outside its range, or does not agree
 *   with qd; qd is faster than possible              IMPLAUSIBLE  not used
 *   wrench outside the range of its sensor, more than
 *   the motors could bear, or joints do not move as
 *   it says (accelerations)                          IMPLAUSIBLE  used
 *   period 0, negative, NaN, infinite, too long,
 *   or too long too often (late_cycles)              LATE         used
 *   a joint limit exceeded, or about to be           LIMIT        used
 *   solver's result not usable, or not finite        UNUSABLE     used
 *   torques at their limits for too long             SATURATED    used
 *   rows singular for too long                       SINGULAR     used
 *   the tool is faster than its task, off its path,
 *   puts more power into what it touches, or presses
 *   far harder than it may                           TOOL         used
 *   the drives report a fault                        DRIVES       used
 *   a joint moves as if its motor had no torque, or
 *   a stop does not slow it                          MOTOR        mode ACHD_LOOP_DISABLE
 *   no valid reading of the joints for too long      BLIND        mode ACHD_LOOP_DISABLE
 *
 * This holds in every state of the machine, and also while the loop is already stopping. */
#ifndef ACHD_LOOP_H
#define ACHD_LOOP_H

#include <achd/capsule.h>
#include <achd/chatter.h>
#include <achd/machine.h>
#include <achd/move.h>
#include <achd/pid.h>
#include <achd/predict.h>
#include <achd/object.h>
#include <achd/tool_watch.h>
#include <achd/wrench.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_LOOP_JOINTS = 32, ACHD_LOOP_STATES = 16 }; /* largest numbers of joints and states */

/* Measurements of a cycle. Stamps and ages are checked only if the setup's `watch` says so. */
typedef struct achd_measurement {
  achd_real q[ACHD_LOOP_JOINTS];  /* joint position [rad; m] */
  achd_real qd[ACHD_LOOP_JOINTS]; /* joint velocity [rad/s; m/s] */
  /* wrench of the environment on the tool, about the tool frame's origin, along the axes of the
   * base; 0 without a sensor */
  achd_wrench wrench;
  /* Stamps of the readings of the joints and of the wrench: a counter, or a time in any unit, that
   * increases with every new reading. The same stamp as in the last cycle means the same reading.
   * Stamps may be negative. A stamp smaller than the last one is a fault; the following ones are
   * then compared with it. */
  int64_t joints_stamp, wrench_stamp;
  achd_real joints_age, wrench_age; /* time since each reading was taken, >= 0 [s] */
  bool drives_fault;                /* the drives report a fault of their own, and may not obey */
} achd_measurement;

/* Result of the caller's solver. */
typedef struct achd_solution {
  achd_real tau[ACHD_LOOP_JOINTS]; /* joint torques to command [N m; N] */
  achd_real qdd[ACHD_LOOP_JOINTS]; /* resulting joint accelerations [rad/s^2; m/s^2] */
  bool usable;                     /* false: do not command it */
  bool singular;                   /* a row could not be satisfied exactly (SINGULAR) */
} achd_solution;

typedef struct achd_loop_joint {
  achd_joint_limits limits;
  achd_real effort; /* largest magnitude of the torque [N m; N] */
  /* Controller that brakes the joint and then holds it at rest. The braking torque is velocity_gain
   * times the velocity, limited to lower..upper. The gain [N m s/rad] should be well below the
   * smallest inertia of the joint divided by the period plus the age of the readings, and large
   * enough to reach the full torque at speeds from which the braking distance matters. */
  achd_cascade_parameters hold;
} achd_loop_joint;

/* The robot, described by the caller. */
typedef struct achd_loop_robot {
  int njoints;
  const achd_loop_joint *joints;
  void *context; /* passed to the functions */
  /* Computes pose and twist of the tool frame with respect to the base, along its axes. */
  void (*kinematics)(void *context, const achd_measurement *measured, achd_pose *pose,
                     achd_twist *twist);
  /* Computes the torques for a command (rows and wrench), and what the caller adds (a posture). */
  void (*solve)(void *context, const achd_measurement *measured, const achd_task_command *command,
                achd_solution *solution);
  /* Computes the joint torques that hold the robot at rest against gravity [N m; N]. */
  void (*gravity)(void *context, const achd_measurement *measured, achd_real *tau);
} achd_loop_robot;

typedef enum achd_loop_action {
  ACHD_LOOP_STOP,         /* brake the joints and hold them */
  ACHD_LOOP_APPROACH,     /* execute the task with all velocities 0 */
  ACHD_LOOP_CRUISE,       /* execute the task */
  ACHD_LOOP_NEXT_SECTION, /* on entry go on to the next waypoint, then execute the task */
  ACHD_LOOP_MOVE          /* move the joints: `moves` of the setup */
} achd_loop_action;

/* A move of the joints to rest (move.h), from where they are and how fast they move when its state begins, or from
 * what the move before wanted of them where that has not ended, by the torques of the accelerations
 *
 *   qdd = qdd_wanted + bandwidth^2 (q_wanted - q) + 2 bandwidth (qd_wanted - qd)
 *
 * The monitors of readings, limits, torques and motors go on; those of the tool and of the task rest, and the next task
 * starts anew. A move that would pass a limit of the position is the fault ACHD_LOOP_LIMIT before it begins. */
typedef struct achd_loop_move {
  const achd_real *to;            /* where the joints come to rest [rad; m] */
  const achd_move_limits *limits; /* of each joint */
  achd_move_profile *profile;     /* memory of each joint; moves may share it */
  achd_real bandwidth;            /* > 0, well below 1 / period: errors fade with it [1/s] */
  achd_real arrived;              /* a joint no farther from `to` has arrived, > 0 [rad; m] */
  /* Torques with which the joints accelerate by qdd, with gravity and the measured wrench: inverse dynamics.
   * context: the robot's. ACHD_LOOP_TORQUES (loop_robot.h) defines it by generated code. */
  void (*torques)(void *context, const achd_measurement *measured, const achd_real *qdd,
                  achd_real *tau);
} achd_loop_move;

/* What the loop does in a state of the machine. A task starts anew when the last state had another
 * task; it restarts in its present section when an event has released a machine that was latched in
 * a stop. A state that needs a task stops if neither it nor an earlier state has one. */
typedef struct achd_loop_state {
  achd_loop_action action;
  const achd_task *task; /* NULL: the task of the last state continues */
} achd_loop_state;

/* Events of the machine that the loop raises. 0, the value of a field that is left out, and -1 mean
 * that there is no such event. Generated machines number their events from 1; if you write the
 * tables yourself, leave event 0 unused. */
typedef struct achd_loop_events {
  int fault; /* raised in every cycle from a fault until the loop is rearmed; 0: joint_limit is
                raised instead */
  int joint_limit; /* the same for ACHD_LOOP_LIMIT */
  /* Raised in every cycle in which the condition holds; timeout not while the machine is latched in
   * a stop, and also when a motion takes longer than `motion_time`. */
  int timeout, contact, no_contact;
  int within_tube, out_of_tube;
  int goal_area, out_of_goal_area;
  int section_covered;
  int contact_x_y; /* ACHD_TASK_CONTACT_X_Y: an obstacle */
  int swings;      /* `swings` of the loop, while it stops */
  int chatters;    /* `contact.chatters` of the loop, while it moves */
  /* ACHD_TOOL_STUCK: the tool pushes and does not get on; `tool_watch.seen` of the loop says whether its command
   * is at its limit, and whether something else than the tool touches something. */
  int stuck;
  int force;  /* ACHD_TOOL_FORCE: the tool presses far harder than its task wishes */
  int pushed; /* `pushed` of the loop, while it moves: something pushes the robot beside its tool */
  /* `task.hidden` of the loop, from where a task begins: the readings have more noise than the conditions that end it
   * bear, whose bits it has (achd_task_expect says what to do). */
  int noisy;
  /* ACHD_TASK_ALIGNED, ACHD_TASK_NOT_ALIGNED: a tool lies flat on a surface, or not in time */
  int align_done, align_error;
  int near; /* `near` of the loop, while it moves: two links are nearer than watch.space allows */
  int outside; /* `outside` of the loop, while it moves: the tool is outside the box of watch.space */
  int moved;   /* ACHD_LOOP_MOVE: its time is over, and all joints have arrived */
} achd_loop_events;

/* Additional checks of a joint. Each is off if it is 0. */
typedef struct achd_loop_guard {
  /* Deceleration that the brake achieves at its full torque in any posture and with any load: its
   * torque limit minus the largest gravity torque, divided by the largest inertia about the axis.
   * The distance to a position limit is then compared with the braking distance qd^2 / (2
   * deceleration), plus an allowance for low speeds at which the gain of `hold` does not reach the
   * full torque, and not only with the motion of two periods [rad/s^2; m/s^2]. */
  achd_real deceleration;
  /* Largest rate of change of the commanded torque, in all modes; the first command is not limited.
   * A low rate delays the brake, too [N m/s; N/s]. */
  achd_real torque_rate;
  /* Largest plausible velocity. A change of the position within a period that is larger than 0.05
   * plus this velocity times the period is a jump; if it is 0, jumps are judged with 4 times the
   * velocity limit [rad/s; m/s]. */
  achd_real fastest;
  /* How far a joint can be outside its position limits (mechanical stops, sensor error); a reading
   * farther outside is implausible [rad; m]. */
  achd_real beyond;
  /* Largest difference between the change of q and the integral of qd over about a second. It
   * detects a position that does not change although qd is not 0, a qd that does not change although
   * q does, and a qd of the wrong sign. If it is 0, 0.02 plus 0.03 s times the largest speed of the
   * last second is used; while the loop stops, 0.01 plus 0.02 s times this speed, and no more than
   * 0.05, so that a qd may come 20 ms late [rad; m]. */
  achd_real slip;
  /* Smallest change of the position that its sensor shows. A reading that stays bit for bit the same
   * while its velocity is that of a joint that would have moved by more than 4 of these is
   * implausible. If it is 0, the smallest change that has been seen is used, and for 4 of them 0.001
   * at least; before 100 changes have been seen, 0.05 is used in place of 4 of them, and 0.02 while
   * the loop stops [rad; m]. */
  achd_real resolution;
} achd_loop_guard;

/* How the sensors are monitored. If all is zero, these checks are made: numbers are finite; q does
 * not jump; q and qd agree (see `slip`); qd is not the opposite of the change of q for longer than 6
 * ms; q does not stay the same where the joint must have moved. That is so
 *
 *   by its velocity, if this is not 0 and stays the same, too, or changes (see `resolution`);
 *   by the model, from the last velocity on, under the torques that are commanded: by 0.02 rad or m,
 *   by 0.01 while the loop stops, and by 4 steps of the sensor. The loop learns how much the model
 *   has been wrong by (friction, loads, contacts) in the last seconds of motion, and assumes that one
 *   and a half times of it holds the joint.
 *
 * A reading may be repeated for 0.05 s by a slow bus; once 100 changes have been seen, for 4 times
 * the longest repetition in motion, and for 0.01 s at least. While a stop's reading is repeated for
 * longer with a velocity that is not 0, the joint is not braked by it. With `joints`, the readings of
 * all joints may not be the same for longer than 0.05 s either, while all together would have moved
 * by 0.05 rad or m; by 0.02 while the loop stops.
 *
 * Not noticed: a sensor that dies at rest, as long as nothing must move; one whose torques are within
 * what the model has been wrong by; readings of q and qd that come late together. Stamps notice them,
 * and `brakes_after` of the setup bounds what they can do in a stop. A joint that is held so fast
 * that its reading does not change at all, while its motor pushes by more than the model has been
 * wrong by, is taken for one whose sensor has died. */
typedef struct achd_loop_watch {
  const achd_loop_guard *joints;       /* of each joint; NULL: all zero */
  bool joints_stamped, wrench_stamped; /* the measurement has stamps */
  /* Largest age of a reading; an older one is a fault [s]. 0: ages are not checked, and a sensor
   * with stamps must have a new reading in every cycle. */
  achd_real joints_oldest, wrench_oldest;
  /* Range of the wrench sensor: a component at or above it means that the sensor is saturated [N;
   * N m]. INFINITY, or 0 beside another that is not: not checked. Both 0: a wrench is implausible for which
   * some joint's motor would have to bear twice its effort. */
  achd_real largest_force, largest_moment;
  /* Number of cycles without a valid reading of the joints after which the drives are disabled. A
   * valid cycle in between reduces the count by one. 0: 5. */
  int blind_cycles;
  /* Computes the joint accelerations that these torques cause [rad/s^2; m/s^2], by forward dynamics
   * with the measured wrench; called in each cycle with the torques that are commanded.
   * context: the robot's. It is called once more with the torque of one joint changed, of each in turn.
   * With it the loop finds a sensor that shows rest where the joint must move, and a motor without torque:
   *
   *   a joint that moves lacks the acceleration (M^-1)_jj tau_j that its motor gives it, it and all other
   *   joints as if this torque, and nothing else, were missing, and so since a moment ago
   *
   * which is ACHD_LOOP_MOTOR. Within 55 ms, where the motor bears weight; one that does nothing is not
   * missed. A push, a blow, friction and wrong masses do not look so. NULL: while the task is executed, the solution's qdd are used instead, and nothing is
   * predicted while the loop stops. */
  void (*accelerations)(void *context, const achd_measurement *measured, const achd_real *tau,
                        achd_real *qdd);
  /* Bounds of the tool while a task is executed (tool_watch.h): all zero: those that follow from the
   * task's numbers; INFINITY: none. Beyond speed, distance, power or twice the force is the fault
   * ACHD_LOOP_TOOL. */
  achd_tool_bounds tool;
  /* How near links may come to each other, and where the tool may be (capsule.h), looked at in every cycle with a
   * valid reading; NULL: this is not looked at. The events `near` and `outside` tell it. */
  const achd_capsule_watch *space;
} achd_loop_watch;

typedef struct achd_loop_setup {
  const achd_loop_robot *robot;
  const achd_machine *machine;
  achd_loop_state states[ACHD_LOOP_STATES]; /* indexed by the states of the machine */
  achd_loop_events events;
  achd_real latest;          /* a longer period is a fault, or is late [s] */
  achd_real saturation_time; /* torques at their limits for longer are a fault [s] */
  achd_real singular_time;   /* singular for longer is a fault [s] */
  /* Number of late cycles that are borne: each adds one, each that is in time takes one away, and when
   * there are more it is a fault. A period of more than 10 times `latest`, or one that is no time, is a
   * fault at once. 0: every late cycle is one. */
  int late_cycles;
  /* longest time for which a stop brakes a joint before it holds the joint where it is; a joint
   * whose velocity changes its sign is held earlier [s] */
  achd_real braking_time;
  /* Longest time from one stop to the next, over all tasks in between; then `seen` has
   * ACHD_TASK_TIMEOUT, and the event `timeout`, which it needs, is raised [s]. The clock of a task
   * begins anew whenever the machine comes back to it from another one: a tool that finds and loses a
   * contact again and again does not come to an end by the times of its tasks. 0: none. */
  achd_real motion_time;
  /* time after the beginning of a stop after which the mode is ACHD_LOOP_DISABLE, until a motion
   * begins or the loop is rearmed: the drives' own brakes then hold the robot, whatever its sensors
   * say (a stop of category 1 of IEC 60204-1). 0: never [s] */
  achd_real brakes_after;
  achd_loop_watch watch;
  /* How the measured wrench is conditioned (wrench.h): all zero: without a load, with limits of the
   * feed-forward that follow from the joints' efforts. */
  achd_wrench_parameters wrench;
  /* Noise of the readings that the conditions which end a task know (achd_task_expect). A number that is 0: as it has been
   * measured, where the arm has stood with 50 new readings or more before the motion, by how they differ from each
   * other; INFINITY: none. */
  achd_noise noise;
  /* Indexed by the states of the machine: the object in whose frame the state's task is given
   * (object.h), which the caller renews before every cycle; NULL: the task is given in the base. */
  const achd_object_state *objects[ACHD_LOOP_STATES];
  /* Indexed by the number of a task's object less 1 (NAME_OBJECT_.. - 1 of a generated description):
   * the same for tasks whose description names their object, where `objects` has none for the state.
   * Each that a task of the machine names has to be there. */
  const achd_object_state *named_objects[ACHD_TASK_OBJECTS];
  /* Indexed by the states of the machine: the move of each state whose action is ACHD_LOOP_MOVE. */
  const achd_loop_move *moves[ACHD_LOOP_STATES];
} achd_loop_setup;

/* Reasons for a stop, as bits, which remain set until the loop is rearmed or started. */
enum achd_loop_fault {
  ACHD_LOOP_FINE = 0,
  ACHD_LOOP_NOT_FINITE = 1, /* a measurement is NaN or infinite */
  ACHD_LOOP_LATE = 2,       /* the period is longer than `latest`, or not a positive number */
  ACHD_LOOP_UNUSABLE = 4,   /* the solver's result is not usable, or not finite */
  ACHD_LOOP_LIMIT = 8,      /* a joint limit is exceeded, or will be within the braking distance */
  ACHD_LOOP_SATURATED = 16, /* torques at their limits for too long */
  ACHD_LOOP_SINGULAR = 32,  /* singular rows for too long */
  ACHD_LOOP_STALE = 64,     /* a reading is too old, or its stamp went back */
  ACHD_LOOP_IMPLAUSIBLE = 128, /* a reading is impossible */
  ACHD_LOOP_BLIND = 256,       /* no valid reading of the joints for too long */
  ACHD_LOOP_DRIVES = 512,      /* the drives report a fault of their own */
  /* A joint moves as if its motor had no torque (watch.accelerations), or a brake with half of its torque
   * or more leaves it as fast as it was for 50 ms: the drives' own brakes have to stop the robot. */
  ACHD_LOOP_MOTOR = 1024,
  ACHD_LOOP_TOOL =
      2048 /* the tool is faster than its task, off its path, or presses too hard (tool_watch) */
};

typedef enum achd_loop_mode {
  ACHD_LOOP_TORQUE,   /* command the torques tau */
  ACHD_LOOP_VELOCITY, /* stop: command a velocity of 0 if the drives accept velocities, else tau */
  /* Stop by the drives' own brakes and switch the motors off, because the loop does not know how
   * the joints move, a motor has no torque, or a stop has lasted for `brakes_after`. Until the brakes
   * have closed, tau compensates gravity in the last known position; 0 if none has been known. The
   * mode remains until the loop is rearmed; after `brakes_after` also only until a motion begins. */
  ACHD_LOOP_DISABLE
} achd_loop_mode;

/* Memory of a joint, used by the loop itself. */
typedef struct achd_loop_memory {
  /* the last finite reading, even if implausible */
  achd_real q, qd; /* as measured [rad; m], [rad/s; m/s] */
  int steady;      /* number of readings since the last jump */
  achd_real slip;  /* integral of qd minus the change of q, decaying [rad; m] */
  /* both velocities that the reading tells, low-passed, and the largest of late [rad/s; m/s] */
  achd_real smooth, rate, peak; /* of qd; of the change of q; decaying */
  achd_real opposite;           /* time for which one has been the opposite of the other [s] */
  bool behind;                  /* their signs differ since the change of q turned around */
  /* What is known of the sensor: the number of times that the position changed, counted up to 100;
   * its smallest change [rad; m]; the longest time for which a reading was repeated in motion [s] */
  int changes;
  achd_real step, longest;
  /* since the position last changed */
  achd_real same_for; /* time [s] */
  achd_real still;    /* integral of |qd| while qd is the same too, decaying [rad; m] */
  achd_real drift;    /* integral of qd, decaying fast [rad; m] */
  achd_real speed;    /* velocity by the model [rad/s; m/s] */
  achd_real unseen;   /* integral of this velocity [rad; m] */
  /* what the model says, and what it does not explain [rad/s^2; m/s^2] */
  achd_real predicted;      /* acceleration by the torques commanded last */
  achd_real untold;         /* time since the reading told a velocity last, `told` [s] */
  achd_real told, expected; /* that velocity, and its change since by the model [rad/s; m/s] */
  achd_real excess;         /* measured acceleration minus the predicted one, low-passed */
  achd_real doubt;          /* largest magnitude of it of late, decaying */
  /* what the motor does of it: mobility (M^-1)_jj [1/(kg m^2); 1/kg]; mobility times the torque that
   * is commanded now, and this low-passed as `excess` is [rad/s^2; m/s^2] */
  achd_real mobility, led, motor;
  achd_real by_wrench, shown;  /* what the measured wrench does of it; low-passed as `excess` is */
  achd_real eased;             /* `motor`, low-passed once more [rad/s^2; m/s^2] */
  achd_real wrong;             /* magnitude of `excess` of late [rad/s^2; m/s^2] */
  achd_real whole_for, struck; /* time since it lacked little; for which a blow is borne [s] */
  achd_real steady_for;        /* time for which `motor` has been about the same [s] */
  achd_real pushed_for;        /* time for which it has lacked more than its motor does [s] */
  bool proven;                 /* the motor has worked since the loop was started or rearmed */
  bool seems;                  /* the joint lacks what the motor does */
  bool explains;               /* a motor without torque explains what all joints lack */
  achd_real
      borne; /* what else than the tool does to it, while the tool is stuck, low-passed [N m; N] */
  achd_real outside;  /* what the model and the wrench do not explain, low-passed [N m; N] */
  achd_real lost_for; /* time for which the joint has moved as if the motor had no torque [s] */
  /* size of a jump, which is subtracted from the following readings [rad; m] */
  achd_real offset;
  bool dead; /* after the jump the reading has no velocity; until it jumps back */
  /* present position limits: a joint outside its limits may move back, not farther out [rad; m] */
  achd_real lower, upper;
  /* while stopped */
  int braking;    /* sign of the velocity while it is braked, or 0 */
  achd_real held; /* position at which it is held [rad; m] */
  achd_real gain; /* factor of the braking gain, reduced if the joint oscillates [1] */
  /* velocity when the brake was last active, and the largest since the joint last turned around,
   * decaying [rad/s; m/s]; it had turned around shortly before, too */
  achd_real last, swing;
  bool turned;
  /* velocity where it was least under a strong brake [rad/s; m/s]; time since [s] */
  achd_real slowest, unslowed;
  achd_real weight; /* last finite gravity torque [N m; N] */
} achd_loop_memory;

/* Age of the reading of a sensor with stamps. */
typedef struct achd_loop_reading {
  bool known;
  int64_t stamp;
  achd_real age; /* time since the stamp last changed [s] */
} achd_loop_reading;

/* Squares of the differences from one new reading to the next while the arm stands: sums, and of how many. */
typedef struct achd_loop_heard {
  achd_wrench wrench; /* the last ones, net; the tool's velocity */
  achd_real velocity[3];
  achd_real force, moment, speed; /* [N^2], [N^2 m^2], [m^2/s^2] */
  achd_real time;                 /* [s] */
  int wrenches, velocities;       /* new readings */
  bool before;                    /* `wrench` and `velocity` are those of the last cycle */
} achd_loop_heard;

/* State of the loop, and all signals of the last cycle. */
typedef struct achd_loop {
  const achd_loop_setup *setup;
  achd_machine_run machine;
  achd_task_run task;
  unsigned fault; /* bits of achd_loop_fault */
  unsigned now;   /* the bits of the last cycle alone */
  /* signals, in the order in which they are computed */
  achd_measurement measured;     /* last valid readings; jumps are subtracted */
  bool joints_good, wrench_good; /* whether the readings of this cycle are valid */
  bool known;                    /* there has been a valid reading of the joints */
  achd_tool_state tool;
  /* The measured wrench: `measured` has it without tare and load, `tool` low-passed, the solver is given
   * what is fed forward. */
  achd_wrench_run wrench;
  achd_loop_heard heard;           /* of the readings' noise, while the arm stands */
  const achd_object_state *object; /* of the task; NULL: the base */
  unsigned seen;                   /* bits of achd_task_event; 0 if no task was evaluated */
  /* Of the tool with what its task presses: by the size of the measured force, and the largest force
   * that a linear direction of the task wishes. It begins anew with every motion. */
  achd_chatter contact;
  /* Of the tool with its task: `seen` has why the fault is ACHD_LOOP_TOOL, as bits of achd_tool_seen. It
   * begins anew with every motion. */
  achd_tool_watch tool_watch;
  /* By watch.space: the pair of links that is nearest, and whether it is nearer than is allowed; whether the tool is
   * outside its box. */
  achd_clearance clearance;
  /* The present move, its time, and what it wants of the joints now. */
  achd_move move;
  achd_real moved_for; /* negative: it has not begun [s] */
  achd_move_state wanted[ACHD_LOOP_JOINTS];
  bool goes_on;    /* the next move begins with what this one wants */
  unsigned limits; /* bits of achd_joint_event of all joints, from the last valid reading */
  achd_task_errors errors;
  achd_task_command command;
  achd_solution solution;
  bool saturated; /* a torque was reduced to its limit */
  bool slowed;    /* the change of a torque was reduced to its largest rate */
  /* The brake of this stop, or of the last, has made a joint oscillate: its readings come late, or
   * the gain of `hold` is too large for it, or somebody shakes it. The gain is reduced until the joint
   * is calm. */
  bool swings;
  bool near, outside; /* by watch.space, see `clearance` */
  /* With watch.accelerations: the model and the measured wrench leave 15 % of some joint's effort or more unexplained, low-passed
   * with 0.1 s: something else than the tool is pushed, the robot carries what it does not know, or its joints rub. */
  bool pushed;
  achd_real saturated_for, singular_for; /* how long this has been so [s] */
  achd_real stopped_for;                 /* time since the stop began [s] */
  achd_real moving_for;                  /* time since the last stop ended [s] */
  /* memory */
  achd_loop_memory joint[ACHD_LOOP_JOINTS];
  achd_loop_reading joints_reading, wrench_reading;
  achd_real step; /* the last period in time, at least a tenth of `latest`; at first `latest` [s] */
  achd_real unread;   /* time since the last finite reading of the joints; negative: unknown [s] */
  achd_real same_for; /* time for which all readings of the joints have been the same [s] */
  achd_real still;    /* integral of the sum of all |qd| since then, decaying [rad; m] */
  int late;           /* late cycles, minus the cycles in time after them */
  int blind;          /* cycles without a valid reading, minus the valid cycles after them */
  bool disabled, stopping, commanded;
  bool read;      /* there has been a finite reading */
  bool predicted; /* the model has said how the joints move now */
  int asked;      /* joint whose mobility the model computed last */
  int column;     /* of `columns` that was renewed last */
  achd_twist
      columns[ACHD_LOOP_JOINTS]; /* of the tool frame's Jacobian, one of them renewed in a cycle */
  bool all_columns;              /* each of them has been, so that torques of a wrench are known */
  achd_real unexplained; /* what the model is wrong by of late, of all joints [kg^(1/2) m/s^2] */
  achd_real
      missing_for; /* time for which the joints have moved as if the wrench were not there [s] */
  /* what to command */
  achd_loop_mode mode;
  achd_real tau[ACHD_LOOP_JOINTS]; /* finite, within the joints' efforts [N m; N] */
  achd_real qd[ACHD_LOOP_JOINTS];  /* 0, to command while stopped [rad/s; m/s] */
} achd_loop;

/* Initialises the loop: the machine is in its initial state, there is no fault and no reading.
 * Returns false if the setup is wrong, and every cycle is then ACHD_LOOP_DISABLE: too many joints
 * or states, a missing function or table, states, events or actions that do not exist, numbers that
 * are NaN or negative, a lower limit above an upper one, or a task that cannot be carried out
 * (achd_task_valid). */
bool achd_loop_start(achd_loop *loop, const achd_loop_setup *setup);

/* Raises an event of the caller for the next step of the machine, such as the command to start. If
 * several events are raised for the same step, the first matching reaction of the table is
 * executed; after a stop (contact, limit, fault) raise the event again. Returns false if the
 * machine has no such event. */
bool achd_loop_raise(achd_loop *loop, int event);

/* Clears a fault, and the mode ACHD_LOOP_DISABLE, once the cause has gone: the last cycle had valid
 * readings and a valid period, and the machine is in a state that stops. This starts no motion: the
 * joints are held where they are now. Readings are accepted as they are, jumps included, and a
 * joint at or outside a limit may move back. The machine's own event starts a motion. Returns
 * false, without any change, if the fault cannot be cleared. */
bool achd_loop_rearm(achd_loop *loop);

/* Takes what the wrench sensor shows for its zero (achd_wrench_tare): at rest, with nothing that touches the
 * tool. What hangs behind the sensor is removed by its mass, and what is left of it by this. Returns false,
 * without any change, if the loop does not hold the joints, or has had no reading for 0.5 s. */
bool achd_loop_tare(achd_loop *loop);

/* Computes one cycle and returns the mode. period: time since the last cycle [s]; for the
 * computation at least a tenth of `latest`. loop->mode, loop->tau and loop->qd are the command. */
achd_loop_mode achd_loop_cycle(achd_loop *loop, const achd_measurement *measured, achd_real period);

#ifdef __cplusplus
}
#endif

#endif

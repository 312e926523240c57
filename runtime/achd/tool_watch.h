/* SPDX-License-Identifier: MIT */
/* tool_watch.h: whether a tool does what its task wants: how fast it is, how far from its path, what
 * power it puts into what it touches, and whether it gets on at all. A tool that leaves its path in a
 * contact may reach 1 m/s long before a joint is near a limit; one that is held fast by something
 * else than its contact pushes until the time of the task is over. The loop (loop.h) asks this in
 * every cycle of a motion. */
#ifndef ACHD_TOOL_WATCH_H
#define ACHD_TOOL_WATCH_H

#include <achd/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds of a tool. 0: what achd_tool_bounds_of says for the task; INFINITY: none. */
typedef struct achd_tool_bounds {
  /* largest speed of the tool frame's origin, relative to the task's object, low-passed with 50 ms [m/s] */
  achd_real speed;
  /* largest distance from where the task's linear positions are met, low-passed with 20 ms [m] */
  achd_real away;
  achd_real power; /* largest power into what it touches, low-passed with 20 ms [W] */
  achd_real stuck; /* longest time for which a direction is pushed and does not get on [s] */
  achd_real
      force; /* largest force on what a task that wishes a force touches, low-passed with 20 ms [N] */
} achd_tool_bounds;

/* What the tool does, as bits. */
enum achd_tool_seen {
  ACHD_TOOL_FAST = 1,  /* faster than `speed` */
  ACHD_TOOL_AWAY = 2,  /* farther than `away` from its path */
  ACHD_TOOL_POWER = 4, /* more than `power` */
  ACHD_TOOL_STUCK = 8, /* pushes for longer than `stuck`, and does not get on */
  /* Why, beside STUCK: */
  ACHD_TOOL_AT_MOST = 16, /* the command of a direction that is stuck is at its limit */
  /* The joints bear what the wrench at the tool does not explain: something else of the robot touches
   * something, or it carries what it does not know. The loop tells it (loop.h), where there is a wrench. */
  ACHD_TOOL_ELSEWHERE = 32,
  ACHD_TOOL_FORCE = 64, /* presses with more than `force` */
  /* Presses with more than twice `force`: what it touches stores what then throws the tool. */
  ACHD_TOOL_CRUSHES = 128
};

/* State; one that is all zero has seen nothing. */
typedef struct achd_tool_watch {
  const achd_task *task; /* that it watches, in this section */
  int section;
  bool arrived;       /* the tool has been within the tube in this section */
  achd_real calm_for; /* time for which it has been there and not fast, up to 0.5 s [s] */
  achd_real allowed;  /* speed [m/s] */
  achd_real velocity
      [3]; /* of the frame's origin, low-passed with 50 ms: what alternates is not fast [m/s] */
  achd_real progress[6];  /* of each direction, of what it has to get on by, low-passed [1] */
  achd_real away;         /* low-passed [m] */
  achd_real power;        /* low-passed [W] */
  achd_real force;        /* low-passed [N] */
  achd_real stuck_for[6]; /* of each direction; four times as fast forgotten as counted [s] */
  unsigned seen;          /* bits of achd_tool_seen of this cycle */
} achd_tool_watch;

/* The bounds by which a task is watched where `wished` has zeros. With the speed v that its linear
 * directions wish at most (values and amplitudes), the force f that they wish, and the largest
 * tolerance t of its linear positions:
 *
 *   speed   0.15 m/s + 1.5 v          power   (30 N + 3 f) speed
 *   away    0.05 m + 2 t              stuck   0.5 s
 *   force   30 N + 3 f, where a linear direction is a force; else none */
achd_tool_bounds achd_tool_bounds_of(const achd_task *task, const achd_tool_bounds *wished);

/* True if no bound is negative or NaN. */
bool achd_tool_bounds_valid(const achd_tool_bounds *bounds);

/* Takes a cycle of a task, after achd_task_control, and returns the bits. tool and errors: as that
 * has had them. Distance is judged from when the tool has been within the tube of this section on,
 * speed from when it has been there, in this or another task, and has not been fast for 0.5 s: the
 * way into a tube is the task's own, and controllers that have to learn what a robot weighs may begin
 * with a jerk. After a faster task its bound fades within 0.5 s. The distance is that of the pose
 * that the task predicts (its `horizon`). A velocity whose error is beyond its tolerance gets on
 * if it is a tenth of what is desired, low-passed with 0.15 s, so that one that trembles where it is held does not; a
 * position or an orientation that is beyond its tolerance now if it moves in the direction in which it is pushed, by
 * its tolerance in 1 s. While no
 * motion is desired, as before a tube, time is not counted. A force whose error is beyond its
 * tolerance may push for as long as its command is below its limit; at the limit it gets on if the tool
 * moves with 2 mm/s, as towards a surface. A moment may push for as long as it likes. STUCK names no culprit: the tool may have
 * met an obstacle, or a link of the arm something else, or a joint's motor is too weak. A number
 * that is not finite is no reason; a period that is not above 0 lets no time pass. */
unsigned achd_tool_watch_step(achd_tool_watch *w, const achd_tool_bounds *wished,
                              const achd_task_run *run, const achd_tool_state *tool,
                              const achd_task_errors *errors, achd_real period);

#ifdef __cplusplus
}
#endif

#endif

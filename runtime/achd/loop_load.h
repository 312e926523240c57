/* SPDX-License-Identifier: MIT */
/* loop_load.h: what the loop's robot carries: learnt by identify.h in states of its machine, and used from then on, as inertia of the last
 * link or as a wrench on the tool (Vukcevic 2020, section 6.4, has both).
 *
 * In the states `learns` a task moves the tool (robots/tasks/gen3_load.lua): it tilts it, so that gravity tells mass and centre, and it
 * swings it by set-points of acceleration, which tell rotational inertia. When the machine leaves such a state, the estimate is examined; a
 * plausible one is used by the robot's functions (ACHD_LOOP_ROBOT_LOADED). From one such state to the next one the learning goes on. In the
 * states `releases` the load is forgotten.
 *
 * With four parameters the load is a point mass. With ten it has its rotational inertia, where all six numbers of it are told;
 * else it stays a point mass, and `turns` is false: an inertia that was not excited is never used.
 *
 * What is not estimated, and dry friction that `identify` does not know, make the estimate worse: on a Gen3 that lifts 1.5 kg, 2 % of the
 * efforts of friction, all of it unknown, make it 0.3 kg too heavy, a tenth of it unknown 0.03 kg, and
 * a rotational inertia of 0.03 kg m^2 a tenth too small (tests/runtime/loop_load_test.c). */
#ifndef ACHD_LOOP_LOAD_H
#define ACHD_LOOP_LOAD_H

#include <achd/identify.h>
#include <achd/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the robot's functions take what has been learnt. */
typedef enum achd_loop_load_use {
  /* Inertia of the last link: gravity and every acceleration act on it. */
  ACHD_LOOP_LOAD_INERTIA,
  /* Physical wrench of its weight on the tool: in motions, its inertia is a disturbance for the controllers. */
  ACHD_LOOP_LOAD_WRENCH
} achd_loop_load_use;

struct achd_loop_load;
struct achd_loop_load_setup;

/* One cycle of learning, without the load in the model; of the robot, by ACHD_LOOP_LOAD. tau: of the joints since the cycle before [N m; N].
 * Returns the bits of achd_identify_status. */
typedef unsigned (*achd_loop_load_function)(struct achd_loop_load *load,
                                            const struct achd_loop_load_setup *setup,
                                            const achd_measurement *measured, const achd_real *tau,
                                            achd_real period);

typedef struct achd_loop_load_setup {
  /* of 4 parameters: mass and first moment; of 10: rotational inertia, too, all about the link's origin */
  const achd_identify_setup *identify;
  achd_loop_load_function add;
  const achd_observer_joint *friction; /* of each joint, as far as it is known; NULL: none */
  achd_inertia own;       /* of the last link without a load, about its frame's origin */
  unsigned learns;        /* bit s: in state s of the machine it learns */
  unsigned releases;      /* bit s: in state s nothing is carried */
  achd_real largest_mass; /* > 0: a load above it is refused [kg] */
  achd_real farthest;     /* > 0: of its centre from the link's origin; beyond it is refused [m] */
  achd_loop_load_use use;
  /* for ACHD_LOOP_LOAD_WRENCH */
  achd_pose tool_in_link; /* of the loop's tool frame in the frame of the link */
  achd_real gravity[3];   /* along the axes of the base [m/s^2] */
} achd_loop_load_setup;

/* Why an estimate is refused, as bits. */
enum achd_loop_load_refusal {
  ACHD_LOOP_LOAD_UNCLEAR = 1,    /* the motion does not show mass or centre */
  ACHD_LOOP_LOAD_NOT_FINITE = 2, /* a number is NaN or infinite */
  ACHD_LOOP_LOAD_MASS = 4,       /* 0, negative, or above largest_mass */
  ACHD_LOOP_LOAD_CENTRE = 8      /* farther than `farthest` */
};

typedef struct achd_loop_load {
  achd_identify_filter filter;
  achd_identify state;
  achd_identify_estimate estimate; /* the last one that was examined */
  achd_payload found;              /* mass and centre in the link's frame; mass 0: none is used */
  bool turns; /* the rotational inertia is known, as the motion has told all of it */
  achd_real rotational
      [6]; /* of the load about its centre, axes of the link: xx xy xz yy yz zz; 0 where it is not known [kg m^2] */
  achd_inertia carried; /* of the last link with what is used of the load */
  achd_wrench
      wrench; /* ACHD_LOOP_LOAD_WRENCH: on the tool, about the tool frame's origin, axes of the base */
  unsigned refused; /* bits of achd_loop_load_refusal: of the last estimate */
  bool learning;
  int learns_in; /* state of the machine in which it learns */
} achd_loop_load;

/* Begins without a load. Returns false if nothing can be learnt or used with this setup: neither 4 nor 10 parameters, no function, a state
 * that learns and releases, masses or ways that are not above 0; for a wrench a gravity or a pose that is none. Nothing is learnt then. */
bool achd_loop_load_start(achd_loop_load *load, const achd_loop_load_setup *setup);

/* One cycle, to be called before achd_loop_cycle with the same measurement and period [s]. */
void achd_loop_load_step(achd_loop_load *load, const achd_loop_load_setup *setup,
                         const achd_loop *loop, const achd_measurement *measured, achd_real period);

/* By generated code, of a layout with inertia_inputs = { "LINK" } (achdgen --functions momentum and the loop's):
 *
 *   ACHD_LOOP_LOAD(gen3, GEN3, bracelet_link);
 *
 * defines gen3_load_own(), what LINK weighs by the URDF, gen3_load_inertia(), which makes an input of an achd_inertia, and
 * gen3_load_add, the function of the setup. A program has its load, and a macro for achd/loop_robot.h that uses it:
 *
 *   static achd_loop_load load;
 *   #define CARRIED(in, context) (ACHD_LOOP_LOAD_CARRY(in, gen3, load, bracelet_link, push), (void)(context))
 *   ACHD_LOOP_ROBOT_LOADED(achd_loop_posture, CARRIED, gen3, GEN3, tool_frame, tool, push, press);
 *
 * (Where the load is used as inertia alone, ACHD_LOOP_ROBOT_WITH and ACHD_LOOP_LOAD_CARRY_INERTIA do; they need no function id.) */
#define ACHD_LOOP_LOAD(robot, ROBOT, link)                                                         \
  ACHD_IDENTIFY_LOAD(robot, ROBOT, link);                                                          \
  static inline robot##_inertia robot##_load_inertia(const achd_inertia *i) {                      \
    robot##_inertia of;                                                                            \
    of.m = i->m, of.mx = i->mx, of.my = i->my, of.mz = i->mz, of.xx = i->xx, of.xy = i->xy,        \
    of.xz = i->xz, of.yy = i->yy, of.yz = i->yz, of.zz = i->zz;                                    \
    return of;                                                                                     \
  }                                                                                                \
  static inline achd_inertia robot##_load_own(void) {                                              \
    const robot##_momentum_in in = ROBOT##_MOMENTUM_IN_DEFAULT;                                    \
    const robot##_inertia i = in.inertia.link;                                                     \
    achd_inertia own;                                                                              \
    own.m = i.m, own.mx = i.mx, own.my = i.my, own.mz = i.mz, own.xx = i.xx, own.xy = i.xy,        \
    own.xz = i.xz, own.yy = i.yy, own.yz = i.yz, own.zz = i.zz;                                    \
    return own;                                                                                    \
  }                                                                                                \
  static unsigned robot##_load_add(achd_loop_load *load, const achd_loop_load_setup *setup,        \
                                   const achd_measurement *m, const achd_real *tau,                \
                                   achd_real period) {                                             \
    const robot##_inertia own = robot##_load_inertia(&setup->own);                                 \
    return robot##_identify_load(&load->filter, &load->state, setup->identify, &own, m->q, m->qd,  \
                                 tau, setup->friction, period);                                    \
  }                                                                                                \
  struct robot##_load_functions /* for the semicolon */

/* Puts the link's inertia into a function's inputs. */
#define ACHD_LOOP_LOAD_CARRY_INERTIA(in, robot, load, link)                                        \
  ((in).inertia.link = robot##_load_inertia(&(load).carried))

/* The same, and adds the load's wrench (0 where it is used as inertia) to the measured one. */
#define ACHD_LOOP_LOAD_CARRY(in, robot, load, link, push)                                          \
  (ACHD_LOOP_LOAD_CARRY_INERTIA(in, robot, load, link),                                            \
   achd_loop_load_add_wrench((in).push.lin, (in).push.ang, &(load).wrench))

static inline void achd_loop_load_add_wrench(achd_real lin[3], achd_real ang[3],
                                             const achd_wrench *wrench) {
  for (int i = 0; i < 3; i++) lin[i] += wrench->lin[i], ang[i] += wrench->ang[i];
}

#ifdef __cplusplus
}
#endif

#endif

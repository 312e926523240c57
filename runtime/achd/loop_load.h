/* SPDX-License-Identifier: MIT */
/* loop_load.h: what the loop's robot carries: learnt by identify.h in states of its machine, and used from then on as
 * inertia of the last link.
 *
 * In the states `learns` a task tilts the tool (robots/tasks/gen3_load.lua). When the machine leaves them, the estimate of mass and
 * centre is examined; a plausible one is in `carried`, which the robot's functions take for the last link
 * (ACHD_LOOP_ROBOT_WITH, of a layout with inertia_inputs). In the states `releases` the load is forgotten. The load's rotational
 * inertia about its centre is not estimated: the link keeps its own. What is not estimated, and dry friction that `identify` does
 * not know, make the estimate worse: on a Gen3 that lifts 1.5 kg, 2 % of the efforts of friction, all of it unknown, make
 * it 0.3 kg too heavy, a tenth of it unknown 0.03 kg (tests/runtime/loop_load_test.c). */
#ifndef ACHD_LOOP_LOAD_H
#define ACHD_LOOP_LOAD_H

#include <achd/identify.h>
#include <achd/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The generated function of the robot, by ACHD_IDENTIFY_LOAD: one cycle, without the load. */
typedef unsigned (*achd_loop_load_function)(achd_identify_filter *filter, achd_identify *state,
                                            const achd_identify_setup *setup, const achd_real *q,
                                            const achd_real *qd, const achd_real *tau,
                                            achd_real period);

typedef struct achd_loop_load_setup {
  const achd_identify_setup *identify; /* of 4 parameters: mass and first moment */
  achd_loop_load_function add;
  achd_inertia own;       /* of the last link without a load, about its frame's origin */
  unsigned learns;        /* bit s: in state s of the machine it learns */
  unsigned releases;      /* bit s: in state s nothing is carried */
  achd_real largest_mass; /* > 0: a load above it is refused [kg] */
  achd_real farthest;     /* > 0: of its centre from the link's origin; beyond it is refused [m] */
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
  achd_inertia carried;            /* of the last link with what is used of the load */
  unsigned refused;                /* bits of achd_loop_load_refusal: of the last estimate */
  bool learning;
} achd_loop_load;

/* Begins without a load. */
void achd_loop_load_start(achd_loop_load *load, const achd_loop_load_setup *setup);

/* One cycle, to be called before achd_loop_cycle with the same measurement and period [s]. */
void achd_loop_load_step(achd_loop_load *load, const achd_loop_load_setup *setup,
                         const achd_loop *loop, const achd_measurement *measured, achd_real period);

#ifdef __cplusplus
}
#endif

#endif

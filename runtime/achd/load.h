/* load.h: an unknown load at the tool, from what the ABAG controllers of a tool frame had to do to
 * hold it: first the wrench by which the load acts, then the mass and its centre. (Vukcevic 2020,
 * transport of an unfamiliar package.) */
#ifndef ACHD_LOAD_H
#define ACHD_LOAD_H

#include <achd/abag.h>
#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_LOAD_WINDOW = 100 };

/* ---- one signal: is it quiet? ---- */

/* The last samples of a signal, in a ring, and their sums. All zero is a window without samples. */
typedef struct achd_window {
  achd_real samples[ACHD_LOAD_WINDOW];
  int next;  /* where the next one goes */
  int count; /* how many there are */
} achd_window;

/* Puts in a sample in place of the oldest. */
void achd_window_put(achd_window *window, achd_real sample);

typedef struct achd_window_statistics {
  achd_real mean;
  achd_real variance; /* around the mean, the samples' unit squared */
  achd_real slope;    /* of the line of least squares, per sample */
} achd_window_statistics;

/* Of the samples that are there; 0 where there are none. */
void achd_window_examine(const achd_window *window, achd_window_statistics *statistics);

/* ---- the wrench ---- */

/* A signal is quiet while its window is full and both are below. */
typedef struct achd_quiet {
  achd_real variance; /* the signal's unit squared */
  achd_real slope;    /* magnitude [unit per cycle] */
} achd_quiet;

/* What has been tried, on a Gen3 at 1 kHz with ABAG's parameters for an unknown load: variances as
 * published (Vukcevic 2020); slopes so that an arm with dry friction of up to 4 % of its torque
 * limits is quiet too: where joints stick and slip the bias wanders by some 1e-3 within a window.
 * (The published slope of 2e-5 is for arms without: at 2 % it is met once in half a minute.) */
#define ACHD_LOAD_QUIET_BIAS                                                                       \
  { (achd_real)1.6e-4, (achd_real)1e-4 }
#define ACHD_LOAD_QUIET_GAIN                                                                       \
  { (achd_real)2.5e-3, (achd_real)1e-3 }

typedef struct achd_load_parameters {
  achd_real filter;       /* share of the past in the filtered bias, 0.99 [1] */
  achd_quiet bias, gain;  /* of the filtered bias, and of the gain */
  int patience;           /* so many cycles in a row make all of it quiet, 60 */
  achd_real reference[6]; /* bias of each channel in the same motion without load [1] */
  achd_real scale[6]; /* wrench per bias: the literature's K times the largest command [N, N m] */
  /* A bias this near to its reference is back at it [1]: 0.005, with friction too; 0.002 without.
   */
  achd_real tolerance[6];
  /* Mean gain over its window with which a channel is not back at its reference, for the gain bears
   * what the bias does not [1]; 0 stands for 0.1. */
  achd_real gain_tolerance;
  /* Largest change of each component of the wrench in one update [N, N m]; 0: none, so that one
   * update may be as large as a saturated bias makes it, the scale. About a quarter of what the arm
   * can carry: a change that is wrong then moves the arm by little before the biases answer. */
  achd_real largest_update[6];
} achd_load_parameters;

/* State of the estimator. Begin with achd_load_reset. Channels: linear x y z, angular x y z. */
typedef struct achd_load {
  achd_real bias[6]; /* filtered [1] */
  achd_window bias_window[6], gain_window[6];
  achd_real mean_gain[6];      /* over the window, when the channel was examined last [1] */
  achd_real largest_update[6]; /* of the parameters of the last step [N, N m] */
  int examined;                /* the channel whose turn it is */
  unsigned loud;               /* bit c: channel c was not quiet when it was examined last */
  int quiet;                   /* cycles in which no channel was loud */
  achd_real wrench[6];         /* the estimate [N, N m] */
} achd_load;

typedef enum achd_load_event {
  ACHD_LOAD_WAITING,  /* not quiet for long enough */
  ACHD_LOAD_QUIET,    /* quiet, but not at the references: update the wrench */
  ACHD_LOAD_CONVERGED /* quiet, every bias is back at its reference, and no gain bears the load */
} achd_load_event;

/* Begins with no load, with what the biases are now. */
void achd_load_reset(achd_load *load, const achd_real bias[6]);

/* One cycle with the controllers' biases and gains. One channel's windows are examined per cycle,
 * in turn. Values that are not finite are not used and begin the waiting again. */
achd_load_event achd_load_step(achd_load *load, const achd_load_parameters *parameters,
                               const achd_real bias[6], const achd_real gain[6]);

/* Updates the estimate by the channels' own scales, and begins the waiting again:
 *
 *   wrench_c += -scale_c (filtered bias_c - reference_c)
 *
 * since a bias that pushes bears a load that pulls. The wrench acts on the tool, at the origin and
 * along the axes that the channels have; given to the solver as a physical wrench, it takes the
 * biases back to their references. Channels that the arm's inertia couples need several updates.
 * Where a component would change by more than its largest update, all six change by the same share
 * of it.
 *
 * What to expect (tests/runtime/load_gen3_test.c: 0.5, 1.5 and 3 kg at a Gen3's tool, two poses
 * each): by achd_load_update_by and the solver a few updates within 8 s a pose, the mass to 0.1 kg,
 * with dry friction of 2 % of the torque limits as without; at 4 % up to half a minute. By scales
 * of 1.5 kg and 0.02 kg m^2 times the largest commands 1.5 kg to 0.15 kg, its centre to 4 cm; with
 * scales twice as large coupled channels take turns, and with friction do not converge. Friction
 * that holds more than the load weighs hides it. */
void achd_load_update(achd_load *load, const achd_load_parameters *parameters);

/* The same with a change of the wrench that somebody else knows [N, N m]: the solver, for one,
 * which says what the rows' wrench nu becomes when their set-points b grow by the excess of the
 * biases, -change. One that is not finite is refused: false. Limited as achd_load_update, by the
 * parameters of the last step. */
bool achd_load_update_by(achd_load *load, const achd_real change[6]);

/* ---- mass and centre of mass ---- */

/* Sums over poses in which the load's wrench is known. All zero is none. */
typedef struct achd_payload_sums {
  achd_real force;        /* sum of f.g [N m/s^2] */
  achd_real gravity;      /* sum of g.g [m^2/s^4] */
  achd_real normal[3][3]; /* sum of [g]^T [g] */
  achd_real moment[3];    /* sum of [g]^T times the moment */
} achd_payload_sums;

typedef struct achd_payload {
  achd_real mass;      /* [kg] */
  achd_real centre[3]; /* centre of mass in the tool frame [m] */
  /* 3: the poses tell all of the centre; 2: gravity always was along one line of the tool, and the
   * centre's component along that is put at 0; 0: nothing is known */
  int rank;
} achd_payload;

/* Adds a pose. wrench: of the load on the tool, at rest, about the tool frame's origin, along the
 * base's axes; R: to the base's axes from the tool's; gravity: along the base's axes [m/s^2]. What
 * is not finite is left out: false. */
bool achd_payload_add(achd_payload_sums *sums, const achd_wrench *wrench, const achd_rotation *R,
                      const achd_real gravity[3]);

/* The mass m and centre c of least squares: f = m g, moment = m c x g in each pose. */
void achd_payload_solve(const achd_payload_sums *sums, achd_payload *payload);

/* Inertia of a body about its frame's origin, along the frame's axes: fields and meaning of the
 * inertia inputs of generated headers. */
typedef struct achd_inertia {
  achd_real m;                      /* mass [kg] */
  achd_real mx, my, mz;             /* first moment: mass times centre of mass [kg m] */
  achd_real xx, xy, xz, yy, yz, zz; /* rotational inertia, elements of the matrix [kg m^2] */
} achd_inertia;

/* The inertia of a link that carries the load as a point: `link` and the point mass at the tool
 * frame, whose pose in the link frame is given. A mass below 0 counts as 0. */
void achd_payload_carry(const achd_payload *payload, const achd_pose *tool_in_link,
                        const achd_inertia *link, achd_inertia *loaded);

#ifdef __cplusplus
}
#endif

#endif

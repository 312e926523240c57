/* SPDX-License-Identifier: MIT */
/* load.h: estimation of an unknown load at the tool. The ABAG controllers of the tool frame have to
 * compensate the load; from their biases follows the wrench of the load, and from the wrench in
 * several poses its mass and centre of mass. (Vukcevic 2020: transport of an unfamiliar load.) */
#ifndef ACHD_LOAD_H
#define ACHD_LOAD_H

#include <achd/abag.h>
#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_LOAD_WINDOW = 100 };

/* ---- whether a signal is steady ---- */

/* The last samples of a signal, in a ring buffer. A window without samples is all zero. */
typedef struct achd_window {
  achd_real samples[ACHD_LOAD_WINDOW];
  int next;  /* index at which the next sample is stored */
  int count; /* number of samples */
} achd_window;

/* Adds a sample; a full window loses its oldest one. */
void achd_window_put(achd_window *window, achd_real sample);

typedef struct achd_window_statistics {
  achd_real mean;
  achd_real variance; /* around the mean, the samples' unit squared */
  achd_real slope;    /* of the line of least squares, per sample */
} achd_window_statistics;

/* Computes the statistics of the samples in the window; all 0 without samples. */
void achd_window_examine(const achd_window *window, achd_window_statistics *statistics);

/* ---- the wrench ---- */

/* A signal is steady (quiet) if its window is full, and variance and slope are below these. */
typedef struct achd_quiet {
  achd_real variance; /* the signal's unit squared */
  achd_real slope;    /* magnitude [unit per cycle] */
} achd_quiet;

/* Values that work on a Gen3 at 1 kHz with the published ABAG parameters for an unknown load. The
 * variances are those of the literature (Vukcevic 2020). The slopes allow dry friction of up to 4 %
 * of the torque limits: joints that stick and slip make the bias vary by about 1e-3 within a
 * window. (The published slope of 2e-5 is for arms without dry friction: with 2 % of friction it is
 * reached only about twice a minute.) */
#define ACHD_LOAD_QUIET_BIAS                                                                       \
  { (achd_real)1.6e-4, (achd_real)1e-4 }
#define ACHD_LOAD_QUIET_GAIN                                                                       \
  { (achd_real)2.5e-3, (achd_real)1e-3 }

typedef struct achd_load_parameters {
  achd_real filter;       /* of the low-pass of the bias: share of the past, such as 0.99 [1] */
  achd_quiet bias, gain;  /* when the filtered bias, and the gain, are steady */
  int patience;           /* number of steady cycles in a row that are needed, such as 60 */
  achd_real reference[6]; /* bias of each channel in the same motion, without load [1] */
  achd_real scale[6]; /* wrench per unit of bias: K of the literature times the largest command [N,
                         N m] */
  /* largest difference between a bias and its reference that counts as none [1]: 0.005; 0.002 for
   * an arm without dry friction */
  achd_real tolerance[6];
  /* mean gain above which a channel has not converged, since then the gain compensates what the
   * bias does not [1]; 0 means 0.1 */
  achd_real gain_tolerance;
  /* Largest change of each component of the wrench in one update [N, N m]; 0: no limit, so that a
   * saturated bias changes the wrench by its whole scale. A good value is a quarter of what the arm
   * can carry: a wrong update then moves the arm only a little before the biases react. */
  achd_real largest_update[6];
  /* Largest magnitude of each component of the estimate, such as the weight of what the arm can carry
   * [N, N m]; 0: no limit. It matters when something else than a load acts: a tool that is held, an
   * arm that has been thrown into a stretched pose. The biases then stay where they are, and every
   * update adds to an estimate that the motors have to bear. */
  achd_real largest_wrench[6];
} achd_load_parameters;

/* State of the estimator, to be initialised by achd_load_reset. Channels 0 1 2: linear x y z; 3 4
 * 5: angular x y z. */
typedef struct achd_load {
  achd_real bias[6]; /* filtered [1] */
  achd_window bias_window[6], gain_window[6];
  achd_real mean_gain[6];      /* over the window, when the channel was last evaluated [1] */
  achd_real largest_update[6]; /* copied from the parameters of the last step [N, N m] */
  achd_real largest_wrench[6]; /* the same */
  /* bit c: the last update would have taken component c beyond its largest wrench, where it stays: no
   * load that the arm can carry explains the biases. Stop, and ask why. */
  unsigned beyond;
  int examined;        /* channel that is evaluated in the next cycle */
  unsigned loud;       /* bit c: channel c was not steady when it was last evaluated */
  int quiet;           /* number of cycles in a row in which all channels were steady */
  achd_real wrench[6]; /* the estimate [N, N m] */
} achd_load;

typedef enum achd_load_event {
  ACHD_LOAD_WAITING,  /* not steady for long enough */
  ACHD_LOAD_QUIET,    /* steady, but biases differ from their references: update the wrench */
  ACHD_LOAD_CONVERGED /* steady, all biases at their references, all gains small: the estimate is
                         final */
} achd_load_event;

/* Initialises the estimator with a wrench of 0 and the present biases [1]. Call it when a load is let
 * go of: the estimate of a load that has gone throws the arm up until the biases have learnt it (on a
 * Gen3 1.5 kg by 0.1 m, 3 kg by up to 1 m, which it may not recover from). */
void achd_load_reset(achd_load *load, const achd_real bias[6]);

/* Computes one cycle from the biases and gains of the six controllers [1]. Each cycle evaluates the
 * windows of one channel, in turn. Values that are not finite are ignored and restart the wait. */
achd_load_event achd_load_step(achd_load *load, const achd_load_parameters *parameters,
                               const achd_real bias[6], const achd_real gain[6]);

/* Updates the estimate by the scales of the channels, and restarts the waiting:
 *
 *   wrench_c -= scale_c (filtered bias_c - reference_c)
 *
 * The minus sign is there because a controller pushes against the load. The wrench acts on the
 * tool, about the origin and along the axes of the channels. Given to the solver as a physical
 * wrench, it brings the biases back to their references. Several updates are needed, since the
 * inertia of the arm couples the channels. If a component would change by more than its largest
 * update, all six changes are reduced by the same factor.
 *
 * What to expect (tests/runtime/load_gen3_test.c: 0.5, 1.5 and 3 kg at the tool of a Gen3, two
 * poses each): with achd_load_update_by and the solver, a few updates within 8 s for each pose find
 * the mass to 0.1 kg, without and with dry friction of 2 % of the torque limits; with 4 % it may
 * take half a minute. With scales of 1.5 kg and 0.02 kg m^2 times the largest commands, this
 * function finds 1.5 kg to 0.15 kg and its centre to 4 cm; with scales twice as large it oscillates
 * between coupled channels, and with friction does not converge. A load is not noticed at all if
 * friction alone can hold it. Until the biases have grown a load that hangs at the tool at once pulls
 * it down: 1.5 kg by 0.01 to 0.07 m, 3 kg by 0.05 to 0.35 m, depending on the pose. Lift slowly. */
void achd_load_update(achd_load *load, const achd_load_parameters *parameters);

/* Updates the estimate by a given change of the wrench [N, N m], and restarts the waiting. The
 * solver can compute the change: when the set-points b of the rows are increased by the
 * accelerations of the excess biases, nu changes by minus the change of the wrench. The change is
 * limited as in achd_load_update, by the parameters of the last step. Returns false, without any
 * change, if it is not finite. See also `beyond`. */
bool achd_load_update_by(achd_load *load, const achd_real change[6]);

/* ---- mass and centre of mass ---- */

/* Sums over the poses in which the wrench of the load is known. Without poses all are zero. */
typedef struct achd_payload_sums {
  achd_real force;        /* sum of f.g [N m/s^2] */
  achd_real gravity;      /* sum of g.g [m^2/s^4] */
  achd_real normal[3][3]; /* sum of [g]^T [g] */
  achd_real moment[3];    /* sum of [g]^T times the moment */
} achd_payload_sums;

typedef struct achd_payload {
  achd_real mass;      /* [kg] */
  achd_real centre[3]; /* centre of mass in the tool frame [m] */
  /* 3: the centre is known; 2: gravity was along the same line of the tool in all poses, so that
   * the component of the centre along this line is unknown and set to 0; 0: nothing is known */
  int rank;
} achd_payload;

/* Adds a pose in which the tool is at rest. wrench: of the load on the tool, about the origin of
 * the tool frame, along the axes of the base; R: orientation of the tool frame in the base;
 * gravity: along the axes of the base [m/s^2]. Returns false, without adding it, if a value is not
 * finite. */
bool achd_payload_add(achd_payload_sums *sums, const achd_wrench *wrench, const achd_rotation *R,
                      const achd_real gravity[3]);

/* Computes the mass m and the centre c that fit f = m g and moment = m c x g of all poses best
 * (least squares). */
void achd_payload_solve(const achd_payload_sums *sums, achd_payload *payload);

/* Inertia of a body about the origin of its frame, along the axes of the frame; the same fields as
 * an inertia input of a generated header. */
typedef struct achd_inertia {
  achd_real m;                      /* mass [kg] */
  achd_real mx, my, mz;             /* first moment: mass times centre of mass [kg m] */
  achd_real xx, xy, xz, yy, yz, zz; /* rotational inertia, elements of the matrix [kg m^2] */
} achd_inertia;

/* loaded: the inertia of `link` together with the load as a point mass. tool_in_link: pose of the
 * tool frame in the frame of the link. A negative mass of the load counts as 0. */
void achd_payload_carry(const achd_payload *payload, const achd_pose *tool_in_link,
                        const achd_inertia *link, achd_inertia *loaded);

#ifdef __cplusplus
}
#endif

#endif

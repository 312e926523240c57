/* SPDX-License-Identifier: MIT */
/* abag.h: the adaptive bias and adaptive gain controller (ABAG), one channel: error to command
 * without a model of the plant. (Franchi and Mallet 2017; parameters: Vukcevic 2020.)
 *
 * Once per cycle, e = desired - measured, s = sgn(e):
 *
 *   ebar = alpha ebar + (1 - alpha) s                     low-pass of the error's sign
 *   bias = sat( bias + db hside(|ebar| - eb) sgn(ebar - eb) )
 *   gain = sat( gain + dg sgn(|ebar| - eg) )
 *   u    = sat( bias + gain s )
 *
 * The low-pass may be of a higher order, `order` of the parameters: the same one, that many times one after
 * the other (section 6.1 of the thesis: "a more powerful error signal estimation").
 *
 * sat() limits to the range given in the parameters; hside(x) is 1 for x > 0, else 0. All of these
 * numbers are fractions without a unit: the caller multiplies u by the largest command of the
 * channel (N, m/s^2, ...). */
#ifndef ACHD_ABAG_H
#define ACHD_ABAG_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Range that a quantity is limited to. A bias that may only push has lower = 0. */
typedef struct achd_range {
  achd_real lower, upper; /* [1] */
} achd_range;

typedef struct achd_abag_parameters {
  achd_real alpha;          /* share of the low-pass's past, 0 <= alpha < 1 [1] */
  achd_real bias_threshold; /* eb, of |ebar|, >= 0 [1] */
  achd_real bias_step;      /* db, >= 0 [1 per cycle] */
  achd_real gain_threshold; /* eg, of |ebar|, >= 0 [1] */
  achd_real gain_step;      /* dg, >= 0 [1 per cycle] */
  achd_range bias;          /* {-1, 1} in the literature */
  achd_range gain;          /* {0, 1} */
  achd_range u;             /* {-1, 1} */
  /* true: while u is at its limit, bias and gain do not grow further in that direction, as with
   * `saturated` of achd_abag_step. This keeps the bias from winding up. But when the gain alone has
   * brought u to its limit, the bias waits, too, and takes longer to reach its final value (in a
   * test 8.3 s in place of 2.8 s). false: the law of the literature. */
  bool hold;
  /* How many low-passes the sign of the error goes through, each with alpha, up to ACHD_ABAG_ORDER; 0: one,
   * as in the literature. With two and more a sign that changes from cycle to cycle does less, and one that
   * stays comes later: choose a smaller alpha with them. */
  int order;
} achd_abag_parameters;

enum { ACHD_ABAG_ORDER = 4 };

/* Initialisers of bias, gain, u, hold and order: the values of the literature. */
/* clang-format off */
#define ACHD_ABAG_LIMITS {-1, 1}, {0, 1}, {-1, 1}, false, 0
/* clang-format on */

/* State of a channel. A channel at rest is all zero. */
typedef struct achd_abag {
  achd_real ebar; /* low-passed sign of the error, -1..1 [1] */
  achd_real bias; /* [1] */
  achd_real gain; /* [1] */
  achd_real u;    /* command of the last cycle [1] */
  /* 1: in the last cycle bias + gain s exceeded the upper limit of u; -1: the lower limit */
  int saturated;
  achd_real
      earlier[ACHD_ABAG_ORDER - 1]; /* of a higher order: the low-passes before the last [1] */
} achd_abag;

/* True if all parameters are finite and within the ranges stated with them, and no lower limit is
 * above its upper limit. With other parameters the results of achd_abag_step are meaningless, but
 * finite if the parameters are. */
bool achd_abag_valid(const achd_abag_parameters *parameters);

/* Resets the channel so that it starts without a jump: all low-passes and ebar = 0, gain = 0, bias and u equal to
 * `bias` [1], each limited to its range. A bias that is not finite counts as 0. */
void achd_abag_reset(achd_abag *abag, const achd_abag_parameters *parameters, achd_real bias);

/* Computes one cycle and returns u [1].
 *
 * e: desired minus measured, in any unit, since only the sign is used; pass 0 inside a tolerance.
 *
 * saturated: 1 if the actuator that the command drives is at its upper limit, -1 at its lower
 * limit, 0 otherwise. At a limit the bias does not move further towards it, and the gain does not
 * grow. With 0, and without parameters->hold, the law is the one above.
 *
 * If e is not finite, only u changes: it becomes the bias. */
achd_real achd_abag_step(achd_abag *abag, const achd_abag_parameters *parameters, achd_real e,
                         int saturated);

#ifdef __cplusplus
}
#endif

#endif

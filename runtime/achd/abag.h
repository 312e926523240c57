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
 * hside(x) is 1 for x > 0, else 0. All of these numbers are fractions: the command is u times the
 * largest command of the channel (N, m/s^2, ...), which is the caller's. */
#ifndef ACHD_ABAG_H
#define ACHD_ABAG_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits say in which direction each quantity may act: a bias that may only push has lower = 0. */
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
  /* Holds on the channel's own limits as achd_abag_step does on those of what it drives. It keeps
   * the bias from winding up while u is cut; but where the gain alone has brought u to its limit,
   * the bias waits too, and it takes longer (in a test 8.3 s for 2.8 s) until it bears what it
   * must. The law of the literature does not: false. */
  bool hold;
} achd_abag_parameters;

/* The limits and the law of the literature, as initialisers of bias, gain, u and hold. */
/* clang-format off */
#define ACHD_ABAG_LIMITS {-1, 1}, {0, 1}, {-1, 1}, false
/* clang-format on */

/* State of a channel. All zero is a channel at rest. */
typedef struct achd_abag {
  achd_real ebar; /* low-passed sign of the error, -1..1 [1] */
  achd_real bias; /* [1] */
  achd_real gain; /* [1] */
  achd_real u;    /* command of the last cycle [1] */
  /* 1: bias + gain s went beyond the upper limit of u in the last cycle, -1: beyond the lower */
  int saturated;
} achd_abag;

/* Whether the parameters are finite and in the ranges stated with them, and no lower limit is above
 * its upper. What achd_abag_step does with others is of no use, but finite if they are. */
bool achd_abag_valid(const achd_abag_parameters *parameters);

/* Puts the channel at rest with a bias, for a start without a jump: ebar and gain as near to 0,
 * bias and u as near to the given one as the limits allow. A bias that is not finite counts as 0.
 */
void achd_abag_reset(achd_abag *abag, const achd_abag_parameters *parameters, achd_real bias);

/* One cycle. e: error of any unit, of which only the sign counts; inside a tube pass 0.
 *
 * saturated: 1 where what the command drives stands at its upper limit, -1 at its lower, 0 where it
 * follows: what would drive it further beyond is held: the bias towards that side, and the gain's
 * growth. 0 is for the law as it stands above, unless parameters->hold.
 *
 * An error that is not finite changes nothing but u, which becomes the bias. Returns u. */
achd_real achd_abag_step(achd_abag *abag, const achd_abag_parameters *parameters, achd_real e,
                         int saturated);

#ifdef __cplusplus
}
#endif

#endif

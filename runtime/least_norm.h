/* least_norm.h: of the points nu + N z within bounds, the one nearest to zero. Inside the library.
 */
#ifndef ACHD_LEAST_NORM_H
#define ACHD_LEAST_NORM_H

#include <achd/real.h>

/* nu[rows], within [lo, hi], moves along the columns of N to the least norm that the bounds allow.
 *
 * N: columns x rows numbers, column after column, independent; orthonormal afterwards.
 * weight[rows]: makes the elements of N's columns numbers of one size: what is rounding is told by
 * it. Q: memory of the size of N. work: 2 rows. most_steps: at most so many.
 *
 * Primal active set method: nu moves towards the point of least norm; a bound that it meets holds
 * its row, and lets it go where that would shorten nu. By least index where several would do.
 * (Nocedal, Wright, Numerical Optimization, 2006, algorithm 16.3, on an orthonormal null space.) */
void achd_least_norm(int rows, int columns, achd_real N[], const achd_real weight[],
                     const achd_real lo[], const achd_real hi[], achd_real nu[], achd_real Q[],
                     achd_real work[], int most_steps);

#endif

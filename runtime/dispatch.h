/* SPDX-License-Identifier: MIT */
/* dispatch.h: solvers in two copies on x86-64, one of which is compiled for AVX2; inside the library.
 *
 * Where ACHD_DISPATCH is defined, qp_avx2.c and contact_avx2.c are compiled too, which are the files of the two solvers once
 * more, and a call of achd_qp or achd_contact_solve goes on in the copy that the processor can execute. AVX2 without FMA: no product and sum
 * are fused, and each number has the same bits in both. Nothing is stored: libgcc and compiler-rt know what the processor has.
 * Not on Windows with gcc, which does not align what it saves of registers of 32 bytes there. */
#ifndef ACHD_DISPATCH_H
#define ACHD_DISPATCH_H

#if defined(ACHD_DISPATCH) && defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX2__) &&    \
    !defined(ACHD_SINGLE) && (defined(__clang__) || !defined(_WIN32))
#define ACHD_HAS_AVX2 __builtin_cpu_supports("avx2")
#endif

#include <achd/contact.h>
#include <achd/qp.h>

achd_qp_status achd_qp_avx2(const achd_qp_problem *problem, achd_real x[], achd_real dual[],
                            signed char side[], int most_steps, achd_real work[],
                            achd_qp_report *report);
achd_contact_status achd_contact_solve_avx2(const achd_contact_problem *problem, achd_real lambda[],
                                            int most_iterations, achd_real work[],
                                            achd_contact_report *report);

#endif

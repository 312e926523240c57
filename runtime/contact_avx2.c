/* SPDX-License-Identifier: MIT */
/* contact_avx2.c: the solver of contacts once more, compiled for AVX2, see dispatch.h. */
#include "dispatch.h"

#ifdef ACHD_HAS_AVX2
#undef ACHD_HAS_AVX2 /* this copy goes on in itself */
#undef ACHD_DISPATCH

#define achd_contact_factor achd_contact_factor_avx2
#define achd_contact_gradient achd_contact_gradient_avx2
#define achd_contact_path achd_contact_path_avx2
#define achd_contact_solve achd_contact_solve_avx2
#define achd_contact_substitute achd_contact_substitute_avx2

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
/* NOLINTBEGIN(bugprone-suspicious-include): the same text for other instructions */
#include "contact_factors.c"
#include "contact_path.c"
#include "contact.c"
/* NOLINTEND(bugprone-suspicious-include) */
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int achd_contact_in_one_copy; /* a file has a declaration */
#endif

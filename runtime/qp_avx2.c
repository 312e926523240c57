/* SPDX-License-Identifier: MIT */
/* qp_avx2.c: the solver of quadratic programs once more, compiled for AVX2, see dispatch.h. */
#include "dispatch.h"

#ifdef ACHD_HAS_AVX2
#undef ACHD_HAS_AVX2 /* this copy goes on in itself */
#undef ACHD_DISPATCH

#define achd_qp achd_qp_avx2
#define achd_qp_add_q achd_qp_add_q_avx2
#define achd_qp_clear achd_qp_clear_avx2
#define achd_qp_enter achd_qp_enter_avx2
#define achd_qp_factor achd_qp_factor_avx2
#define achd_qp_fall_back achd_qp_fall_back_avx2
#define achd_qp_go_on achd_qp_go_on_avx2
#define achd_qp_good_size achd_qp_good_size_avx2
#define achd_qp_hold achd_qp_hold_avx2
#define achd_qp_leave achd_qp_leave_avx2
#define achd_qp_name_multipliers achd_qp_name_multipliers_avx2
#define achd_qp_name_sides achd_qp_name_sides_avx2
#define achd_qp_project achd_qp_project_avx2
#define achd_qp_rebalance achd_qp_rebalance_avx2
#define achd_qp_run achd_qp_run_avx2
#define achd_qp_slope achd_qp_slope_avx2
#define achd_qp_solve_l achd_qp_solve_l_avx2
#define achd_qp_solve_l_transposed achd_qp_solve_l_transposed_avx2
#define achd_qp_solve_levels achd_qp_solve_levels_avx2
#define achd_qp_solve_r achd_qp_solve_r_avx2
#define achd_qp_solve_r_transposed achd_qp_solve_r_transposed_avx2
#define achd_qp_times_q_transposed achd_qp_times_q_transposed_avx2
#define achd_qp_turn_signs achd_qp_turn_signs_avx2

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
/* NOLINTBEGIN(bugprone-suspicious-include): the same text for other instructions */
#include "qp_factors.c"
#include "qp_active.c"
#include "qp_levels.c"
#include "qp.c"
/* NOLINTEND(bugprone-suspicious-include) */
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int achd_qp_in_one_copy; /* a file has a declaration */
#endif

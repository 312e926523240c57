/* SPDX-License-Identifier: MIT */
/* platform_drives.h: the two platforms of the tests: where their drives are, on which bus, and the forces
 * of the drives by the generated solvers. Include robile_achd.h and platform_achd.h before. */
#ifndef ACHD_TEST_PLATFORM_DRIVES_H
#define ACHD_TEST_PLATFORM_DRIVES_H

#include <achd/mclp.h>
#include <achd/robif2b_kelo.h>

typedef struct test_platform {
  const char *name, *world; /* file for ACHD_SIM; NULL: the compiled-in world */
  achd_platform platform;
  const int *slaves;
  const double *offsets;
  /* forces[2 n] of the drives on the base from the wrench x, y, yaw; false: do not use them */
  bool (*forces)(const double wrench[3], double *forces);
} test_platform;

static inline bool robile_forces(const double wrench[3], double *forces) {
  robile_achd_in in = ROBILE_ACHD_IN_DEFAULT;
  robile_achd_out out;
  in.load.lin[0] = -wrench[0];
  in.load.lin[1] = -wrench[1];
  in.load.ang[2] = -wrench[2];
  if (robile_achd(&in, &out) & ROBILE_DO_NOT_COMMAND) return false;
  for (int k = 0; k < ROBILE_NR; k++) forces[k] = out.nu[k];
  return true;
}

static inline bool platform_forces(const double wrench[3], double *forces) {
  platform_achd_in in = PLATFORM_ACHD_IN_DEFAULT;
  platform_mclp_out p;
  achd_real work[ACHD_MCLP_WORK(PLATFORM_NR)];
  static signed char side[PLATFORM_NR];
  achd_mclp_report report;
  in.load.lin[0] = -wrench[0];
  in.load.lin[1] = -wrench[1];
  in.load.ang[2] = -wrench[2];
  for (int k = 0; k < PLATFORM_NR; k++)
    in.lo[k] = -60, in.hi[k] = 60; /* what the tyres can exert [N] */
  if (platform_mclp(&in, &p) & PLATFORM_DO_NOT_COMMAND) return false;
  const achd_mclp_problem problem = {PLATFORM_NR, p.L, p.r, p.lo, p.hi};
  return achd_mclp(&problem, forces, side, 0, work, &report) == ACHD_MCLP_SOLVED;
}

static const achd_real robile_pivots[2][2] = {{-.233, .1165}, {-.233, -.1165}};
static const achd_real platform_pivots[4][2] = {
    {.233, .1165}, {-.233, .1165}, {-.233, -.1165}, {.233, -.1165}};
static const double robile_offsets[2] = {1.523339, 2.399158};

static const test_platform test_platforms[2] = {{"robile",
                                                 NULL,
                                                 {2, robile_pivots, {.0515, .0786, .01}},
                                                 (const int[]){3, 5},
                                                 robile_offsets,
                                                 robile_forces},
                                                {"platform",
                                                 ACHD_SOURCE_DIR "/robif2b/worlds/platform.world",
                                                 {4, platform_pivots, {.0515, .0786, .01}},
                                                 (const int[]){3, 5, 7, 9},
                                                 NULL,
                                                 platform_forces}};

static inline achd_kelo_setup test_setup(const test_platform *p) {
  return (achd_kelo_setup){
      .platform = &p->platform, .slaves = p->slaves, .board = 1, .pivot_offsets = p->offsets};
}

#endif

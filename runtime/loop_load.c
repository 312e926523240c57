/* SPDX-License-Identifier: MIT */
/* loop_load.c: see achd/loop_load.h */
#include <achd/loop_load.h>

#include "vector.h"

/* Number by number: a copy of the whole would call memcpy, which a program without a library does not have. */
static void carry(achd_loop_load *load, const achd_inertia *link) {
  achd_inertia *carried = &load->carried;
  carried->m = link->m;
  carried->mx = link->mx, carried->my = link->my, carried->mz = link->mz;
  carried->xx = link->xx, carried->xy = link->xy, carried->xz = link->xz;
  carried->yy = link->yy, carried->yz = link->yz, carried->zz = link->zz;
}

static void forget(achd_loop_load *load, const achd_loop_load_setup *setup) {
  achd_clear(&load->found, sizeof load->found);
  carry(load, &setup->own);
}

void achd_loop_load_start(achd_loop_load *load, const achd_loop_load_setup *setup) {
  achd_clear(load, sizeof *load);
  carry(load, &setup->own);
}

static void begin(achd_loop_load *load) {
  achd_identify_reset(&load->state);
  achd_identify_filter_reset(&load->filter);
  load->learning = true;
}

/* What is wrong with an estimate, as bits. */
static unsigned examine(const achd_loop_load_setup *setup, const achd_identify_estimate *e) {
  if (!achd_all_finite(e->value, 4)) return ACHD_LOOP_LOAD_NOT_FINITE;
  unsigned refused = (e->told & 15u) == 15u ? 0 : ACHD_LOOP_LOAD_UNCLEAR;
  const achd_real m = e->value[0], far = m * setup->farthest;
  if (!(m > 0 && m <= setup->largest_mass)) refused |= ACHD_LOOP_LOAD_MASS;
  if (!(achd_dot(e->value + 1, e->value + 1) <= far * far)) refused |= ACHD_LOOP_LOAD_CENTRE;
  return refused;
}

static void end(achd_loop_load *load, const achd_loop_load_setup *setup) {
  static const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  load->learning = false;
  const unsigned status = achd_identify_solve(&load->state, setup->identify, &load->estimate);
  const bool unusable = (status & (ACHD_IDENTIFY_NOT_FINITE | ACHD_IDENTIFY_BAD_INPUT)) != 0;
  load->refused = unusable ? ACHD_LOOP_LOAD_NOT_FINITE : examine(setup, &load->estimate);
  if (load->refused) return;
  const achd_real *value = load->estimate.value;
  load->found.mass = value[0];
  for (int i = 0; i < 3; i++) load->found.centre[i] = value[1 + i] / value[0];
  load->found.rank = 3;
  achd_payload_carry(&load->found, &here, &setup->own, &load->carried);
}

void achd_loop_load_step(achd_loop_load *load, const achd_loop_load_setup *setup,
                         const achd_loop *loop, const achd_measurement *measured,
                         achd_real period) {
  const unsigned now = 1u << loop->machine.state;
  if (setup->releases & now) forget(load, setup);
  const bool learns = (setup->learns & now) != 0 && loop->fault == ACHD_LOOP_FINE;
  if (learns && !load->learning) begin(load);
  if (learns)
    (void)setup->add(&load->filter, &load->state, setup->identify, measured->q, measured->qd,
                     loop->tau, period);
  else if (load->learning && loop->fault != ACHD_LOOP_FINE)
    load->learning = false;
  else if (load->learning)
    end(load, setup);
}

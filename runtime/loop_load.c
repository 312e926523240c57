/* SPDX-License-Identifier: MIT */
/* loop_load.c: see achd/loop_load.h */
#include <achd/loop_load.h>

#include "vector.h"

static const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

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
  achd_clear(load->rotational, sizeof load->rotational);
  achd_clear(&load->wrench, sizeof load->wrench);
  load->turns = load->learning = false;
  carry(load, &setup->own);
}

/* Columns of length 1 that are at right angles: R^T R = 1. */
static bool is_rotation(const achd_rotation *R) {
  achd_rotation product;
  if (!achd_all_finite(&R->m[0][0], 9)) return false;
  achd_rotation_quotient(R, R, &product);
  achd_real most = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      most = achd_larger(most, achd_magnitude(product.m[i][k] - (achd_real)(i == k ? 1 : 0)));
  return most < (achd_real)1e-3;
}

static bool is_body(const achd_inertia *i) {
  return achd_all_finite(&i->m, 10) && i->m >= 0;
}

static bool is_possible(const achd_loop_load_setup *setup) {
  const achd_identify_setup *identify = setup->identify;
  if (!identify || !setup->add || (identify->nparameters != 4 && identify->nparameters != 10))
    return false;
  if (setup->learns & setup->releases) return false;
  if (!(setup->largest_mass > 0) || !(setup->farthest > 0)) return false;
  if (!is_body(&setup->own)) return false;
  if (setup->use == ACHD_LOOP_LOAD_INERTIA) return true;
  return setup->use == ACHD_LOOP_LOAD_WRENCH && achd_all_finite(setup->gravity, 3) &&
         achd_all_finite(setup->tool_in_link.p, 3) && is_rotation(&setup->tool_in_link.R);
}

bool achd_loop_load_start(achd_loop_load *load, const achd_loop_load_setup *setup) {
  achd_clear(load, sizeof *load);
  carry(load, &setup->own);
  return is_possible(setup);
}

static void begin(achd_loop_load *load) {
  achd_identify_reset(&load->state);
  achd_identify_filter_reset(&load->filter);
  load->learning = true;
}

/* What is wrong with an estimate, as bits. */
static unsigned examine(const achd_loop_load_setup *setup, const achd_identify_estimate *e) {
  if (!achd_all_finite(e->value, setup->identify->nparameters)) return ACHD_LOOP_LOAD_NOT_FINITE;
  unsigned refused = (e->told & 15u) == 15u ? 0 : ACHD_LOOP_LOAD_UNCLEAR;
  const achd_real m = e->value[0], far = m * setup->farthest;
  if (!(m > 0 && m <= setup->largest_mass)) refused |= ACHD_LOOP_LOAD_MASS;
  if (!(achd_dot(e->value + 1, e->value + 1) <= far * far)) refused |= ACHD_LOOP_LOAD_CENTRE;
  return refused;
}

/* The rotational inertia about the centre, I - m (c.c 1 - c c^T), of a body that can be, where the motion has told all of it. None of it is
 * larger than that of the whole mass at the distance `farthest`. */
static bool turning(achd_loop_load *load, const achd_loop_load_setup *setup) {
  const achd_identify_estimate *e = &load->estimate;
  achd_inertia body;
  if (setup->identify->nparameters != 10 || (e->told & 1023u) != 1023u) return false;
  if (!achd_identify_body(&body, e->value)) return false;
  const achd_real m = load->found.mass, *c = load->found.centre;
  const achd_real most = m * setup->farthest * setup->farthest, cc = achd_dot(c, c);
  const achd_real about[6] = {body.xx - m * (cc - c[0] * c[0]), body.xy + m * c[0] * c[1],
                              body.xz + m * c[0] * c[2],        body.yy - m * (cc - c[1] * c[1]),
                              body.yz + m * c[1] * c[2],        body.zz - m * (cc - c[2] * c[2])};
  for (int k = 0; k < 6; k++)
    if (!(achd_magnitude(about[k]) <= most)) return false;
  for (int k = 0; k < 6; k++) load->rotational[k] = about[k];
  return true;
}

/* The link with the load, or the load's weight on the tool. */
static void use(achd_loop_load *load, const achd_loop_load_setup *setup) {
  if (setup->use == ACHD_LOOP_LOAD_WRENCH) return;
  achd_payload_carry(&load->found, &here, &setup->own, &load->carried);
  load->carried.xx += load->rotational[0], load->carried.xy += load->rotational[1];
  load->carried.xz += load->rotational[2], load->carried.yy += load->rotational[3];
  load->carried.yz += load->rotational[4], load->carried.zz += load->rotational[5];
}

static void end(achd_loop_load *load, const achd_loop_load_setup *setup) {
  load->learning = false;
  const unsigned status = achd_identify_solve(&load->state, setup->identify, &load->estimate);
  const bool unusable = (status & (ACHD_IDENTIFY_NOT_FINITE | ACHD_IDENTIFY_BAD_INPUT)) != 0;
  load->refused = unusable ? ACHD_LOOP_LOAD_NOT_FINITE : examine(setup, &load->estimate);
  if (load->refused) return;
  const achd_real *value = load->estimate.value;
  load->found.mass = value[0];
  for (int i = 0; i < 3; i++) load->found.centre[i] = value[1 + i] / value[0];
  load->found.rank = 3;
  achd_clear(load->rotational, sizeof load->rotational);
  load->turns = turning(load, setup);
  use(load, setup);
}

/* f = m g at the centre, about the tool frame's origin; 0 where nobody knows how the tool stands. */
static void weigh(achd_loop_load *load, const achd_loop_load_setup *setup, const achd_pose *tool) {
  achd_real from_tool[3], in_tool[3], arm[3]; /* along the axes of link, tool, base */
  achd_clear(&load->wrench, sizeof load->wrench);
  if (setup->use != ACHD_LOOP_LOAD_WRENCH || !(load->found.mass > 0)) return;
  if (!is_rotation(&tool->R)) return;
  for (int i = 0; i < 3; i++) from_tool[i] = load->found.centre[i] - setup->tool_in_link.p[i];
  achd_rotate_back(&setup->tool_in_link.R, from_tool, in_tool);
  achd_rotate(&tool->R, in_tool, arm);
  for (int i = 0; i < 3; i++) load->wrench.lin[i] = load->found.mass * setup->gravity[i];
  achd_cross(arm, load->wrench.lin, load->wrench.ang);
}

void achd_loop_load_step(achd_loop_load *load, const achd_loop_load_setup *setup,
                         const achd_loop *loop, const achd_measurement *measured,
                         achd_real period) {
  const int state = loop->machine.state;
  const unsigned now = 1u << state;
  const bool learns = (setup->learns & now) != 0 && loop->fault == ACHD_LOOP_FINE;
  if (!is_possible(setup)) return;
  if (setup->releases & now) forget(load, setup);
  if (loop->fault != ACHD_LOOP_FINE) load->learning = false;
  if (load->learning && state != load->learns_in) {
    end(load, setup);
    load->learning = learns; /* on, with what has been learnt */
  }
  if (learns && !load->learning) begin(load);
  if (learns) {
    load->learns_in = state;
    (void)setup->add(load, setup, measured, loop->tau, period);
  }
  weigh(load, setup, &loop->tool.pose);
}

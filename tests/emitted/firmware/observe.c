/* SPDX-License-Identifier: MIT */
/* observe.c: what a momentum observer takes on a board, in instructions, beside inverse dynamics: `momentum`, the update of the
 * observer and of the detection, of a gen3 in states of all kinds. It also tells a contact there. */
#include <achd/observer.h>

#include "effort.h"
#include "gen3f_achd.h"
#include "semihost.h"
#include "uniform.h"

enum { NJ = GEN3F_NJ, CYCLES = 200 };
static const float period = 1e-3F;

static gen3f_id_in in;
static gen3f_id_out forces;
static gen3f_momentum_in moving;
static gen3f_momentum_out momentum;
static float tau[NJ];
static achd_observer observer;
static achd_observer_joint joints[NJ];
static achd_contact contact;
static achd_contact_bound bounds[NJ];
static const achd_contact_parameters parameters = {NJ, bounds, 5, 20};

static void nothing(void) {}

static void inverse_dynamics(void) {
  gen3f_id(&in, &forces);
}

static void observe(void) {
  gen3f_momentum(&moving, &momentum);
  const achd_observer_input input = {momentum.p, momentum.beta, moving.qd, tau, period, true};
  (void)achd_observer_step(&observer, joints, NJ, &input);
  (void)achd_contact_step(&contact, &parameters, observer.tau_ext, moving.qd, 0);
}

static void print(const char *label, float x) {
  semihost_print(label);
  semihost_print_number(x, 0);
}

int main(void) {
  start_timer();
  const unsigned call = effort_of(nothing).instructions;
  for (int j = 0; j < NJ; j++) joints[j].gain = 100, bounds[j].constant = 1e9F;
  unsigned most_id = 0, most_observer = 0, stack = 0;
  for (int k = 0; k < CYCLES; k++) {
    for (int j = 0; j < NJ; j++) {
      in.q[j] = moving.q[j] = uniform(3);
      in.qd[j] = moving.qd[j] = uniform(2);
      in.qdd[j] = uniform(5);
      tau[j] = uniform(20);
    }
    in.gravity[2] = moving.gravity[2] = -9.81F;
    const unsigned id = effort_of(inverse_dynamics).instructions - call;
    const effort of_observer = effort_of(observe);
    if (id > most_id) most_id = id;
    if (of_observer.instructions - call > most_observer)
      most_observer = of_observer.instructions - call;
    if (of_observer.stack > stack) stack = of_observer.stack;
  }
  print("observer ", (float)most_observer);
  print(" id ", (float)most_id);
  print(" stack ", (float)stack);
  /* At rest, held by its weight and 5 N m that nobody commands at joint 2 (and so at none beyond). */
  achd_observer_reset(&observer);
  achd_contact_release(&contact);
  for (int j = 0; j < NJ; j++) moving.q[j] = 0.5F, moving.qd[j] = 0, bounds[j].constant = 2;
  gen3f_momentum(&moving, &momentum);
  for (int j = 0; j < NJ; j++) tau[j] = -momentum.beta[j] - (j == 1 ? 5 : 0);
  for (int k = 0; k < 100; k++) observe();
  print(" found ", contact.found);
  print(" joint ", (float)contact.joint);
  semihost_print("\n");
  semihost_exit(0);
}

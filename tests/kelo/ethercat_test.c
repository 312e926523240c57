/* SPDX-License-Identifier: MIT */
/* ethercat_test.c: the EtherCAT master on a bus made here: every error code, the cycle by which a
 * command is late, the working counter, lost slaves and frames, and calls out of order. */
#include <robif2b/functions/ethercat.h>

#include "bus.h"

#include "test.h"

/* The bus: five slaves of 4, 0, 6, 0 and 3 bytes; the answer of a slave is one more than what it has been sent. */
enum { SLAVES = 5 };
static const achd_slave usual[SLAVES] = {{"board", 0x02100101, 4, 2, false},
                                         {"junction", 7, 0, 0, false},
                                         {"drive", 0x02001001, 6, 3, false},
                                         {"junction", 7, 0, 0, false},
                                         {"drive", 0x02001001, 3, 3, false}};
static achd_slave slaves[SLAVES];
static struct {
  int opened, closed, cycles, nslaves;
  achd_bus_state state, refuses; /* INIT: none */
  bool no_frame;
} there;

static bool request(void *context, achd_bus_state state) {
  (void)context;
  if (there.refuses == state && state != ACHD_BUS_INIT) return false;
  there.state = state;
  return true;
}

static bool exchange(void *context, const unsigned char *outputs, unsigned char *inputs) {
  (void)context;
  there.cycles++;
  if (there.no_frame) return false;
  for (int k = 0; k < there.nslaves; k++) {
    for (size_t b = 0; b < slaves[k].input_size && !slaves[k].lost; b++)
      inputs[b] = (unsigned char)(1 + (b < slaves[k].output_size ? outputs[b] : 0));
    inputs += slaves[k].input_size;
    outputs += slaves[k].output_size;
  }
  return true;
}

static achd_bus bus = {.slaves = slaves, .request = request, .exchange = exchange};

achd_bus *achd_bus_open(const char *interface) {
  if (strcmp(interface, "net0") != 0) return NULL;
  there.opened++;
  bus.nslaves = there.nslaves;
  return &bus;
}

void achd_bus_close(achd_bus *b) {
  CHECK(b == &bus && there.state == ACHD_BUS_INIT);
  there.closed++;
}

/* The program: slaves 1, 3 and 5. */
static int error, found, active, number, index_of[3];
static const char *names[3];
static unsigned codes[3];
static size_t in_size[3], out_size[3];
static bool connected[3];
static unsigned char in[3][8], out[3][8];
static void *inputs[3] = {in[0], in[1], in[2]};
static const void *outputs[3] = {out[0], out[1], out[2]};

static struct robif2b_ethercat master(void) {
  memcpy(slaves, usual, sizeof usual);
  memset(&there, 0, sizeof there);
  there.nslaves = SLAVES;
  error = found = active = 99;
  number = 3;
  for (int i = 0; i < 3; i++) {
    index_of[i] = 2 * i + 1;
    names[i] = usual[2 * i].name;
    codes[i] = usual[2 * i].product_code;
    in_size[i] = usual[2 * i].input_size;
    out_size[i] = usual[2 * i].output_size;
    inputs[i] = in[i];
    outputs[i] = out[i];
    connected[i] = true;
  }
  memset(in, 0, sizeof in);
  memset(out, 0, sizeof out);
  return (struct robif2b_ethercat){"net0", &number, index_of, names,  codes,   in_size,   out_size,
                                   &error, &found,  &active,  inputs, outputs, connected, NULL};
}

/* Configure fails with the code, leaves nothing open, and what follows is told, not harmful. */
static void fails(struct robif2b_ethercat *e, int code) {
  robif2b_ethercat_configure(e);
  CHECK_NEAR(error, code, 0);
  CHECK(there.opened == there.closed && !e->comm);
  robif2b_ethercat_start(e);
  CHECK(error == -12);
  robif2b_ethercat_update(e);
  CHECK(error == -13);
  robif2b_ethercat_stop(e);
  CHECK(error == -14);
  robif2b_ethercat_shutdown(e);
  CHECK(error == 0 && there.opened == there.closed);
}

static void every_error_of_configure(void) {
  struct robif2b_ethercat e = master();
  e.ethernet_if = "eth9", fails(&e, -2);
  CHECK(!connected[0] && !connected[2]);
  e = master(), there.nslaves = 0, fails(&e, -3);
  CHECK(found == 0);
  e = master(), there.nslaves = 2, fails(&e, -4);
  CHECK(found == 2);
  e = master(), slaves[1].input_size = 4096, fails(&e, -5);
  e = master(), slaves[1].output_size = 4076, fails(&e, -5); /* 13 + 8 and one byte too many */
  e = master(), index_of[1] = 6, fails(&e, -6);
  e = master(), index_of[0] = 0, fails(&e, -6);
  e = master(), index_of[2] = -3, fails(&e, -6);
  e = master(), names[1] = "driver", fails(&e, -7);
  e = master(), names[1] = NULL, fails(&e, -7);
  e = master(), index_of[1] = 2, fails(&e, -7);
  e = master(), codes[2]++, fails(&e, -8);
  e = master(), in_size[2]++, fails(&e, -9);
  e = master(), out_size[0]--, fails(&e, -10);
  e = master(), inputs[1] = NULL, fails(&e, -9);
  e = master(), outputs[1] = NULL, fails(&e, -10);
  e = master(), there.refuses = ACHD_BUS_SAFE_OP, fails(&e, -11);
  /* of two mistakes the first in the order of the slaves, then of the codes */
  e = master(), names[2] = "x", out_size[1]++, fails(&e, -10);
  e = master(), codes[0]++, in_size[0]++, fails(&e, -8);
  e = master(), slaves[1].output_size = 4075; /* just fits */
  robif2b_ethercat_configure(&e);
  CHECK(error == 0);
  robif2b_ethercat_shutdown(&e);
}

static void missing_ports(void) {
  struct robif2b_ethercat e = master();
  e.ethernet_if = NULL, fails(&e, -2);
  e = master(), e.num_initial_slaves = NULL, fails(&e, -3);
  e = master(), e.num_current_slaves = NULL, fails(&e, -3);
  e = master(), e.num_exposed_slaves = NULL, fails(&e, -4);
  e = master(), number = -1, fails(&e, -4);
  e = master(), e.slave_idx = NULL, fails(&e, -6);
  e = master(), e.name = NULL, fails(&e, -7);
  e = master(), e.product_code = NULL, fails(&e, -8);
  e = master(), e.input_size = NULL, fails(&e, -9);
  e = master(), e.input = NULL, fails(&e, -9);
  e = master(), e.output = NULL, fails(&e, -10);
  e = master(), e.error_code = NULL;
  robif2b_ethercat_configure(&e);
  robif2b_ethercat_start(&e);
  robif2b_ethercat_update(&e);
  robif2b_ethercat_stop(&e);
  robif2b_ethercat_shutdown(&e);
  robif2b_ethercat_configure(NULL);
  robif2b_ethercat_update(NULL);
  robif2b_ethercat_shutdown(NULL);
}

static struct robif2b_ethercat running(void) {
  struct robif2b_ethercat e = master();
  robif2b_ethercat_configure(&e);
  CHECK(error == 0 && found == SLAVES && active == SLAVES && there.state == ACHD_BUS_SAFE_OP);
  CHECK(connected[0] && connected[1] && connected[2] && there.cycles == 0);
  robif2b_ethercat_start(&e);
  CHECK(error == 0 && there.state == ACHD_BUS_OPERATIONAL);
  return e;
}

static void ends(struct robif2b_ethercat *e) {
  robif2b_ethercat_stop(e);
  CHECK(error == 0 && there.state == ACHD_BUS_SAFE_OP);
  robif2b_ethercat_shutdown(e);
  CHECK(error == 0 && there.state == ACHD_BUS_INIT && there.closed == 1 && there.opened == 1);
  robif2b_ethercat_shutdown(e);
  CHECK(error == 0 && there.closed == 1);
}

static void commands_are_one_cycle_late(void) {
  struct robif2b_ethercat e = running();
  out[1][0] = 41, out[2][2] = 9;
  robif2b_ethercat_update(&e);
  CHECK(error == 0 && in[1][0] == 1 && in[2][2] == 1); /* the answer to what was sent before: 0 */
  out[1][0] = 100;
  robif2b_ethercat_update(&e);
  CHECK(in[1][0] == 42 && in[2][2] == 10);
  robif2b_ethercat_update(&e);
  CHECK(in[1][0] == 101 && in[0][3] == 1 && in[0][4] == 0);
  CHECK(there.cycles == 3 && active == 9); /* three slaves that are read and written */
  ends(&e);
}

static void sizes_are_those_of_configure(void) {
  struct robif2b_ethercat e = running();
  in_size[1] = 1000000, out_size[1] = 1000000, index_of[1] = 77, number = 12;
  robif2b_ethercat_update(&e);
  CHECK(error == 0 && in[1][5] == 1 && in[1][6] == 0);
  ends(&e);
}

static void lost_slaves_and_frames(void) {
  struct robif2b_ethercat e = running();
  robif2b_ethercat_update(&e);
  slaves[2].lost = true;
  out[1][0] = 50, out[2][0] = 60;
  robif2b_ethercat_update(&e);
  robif2b_ethercat_update(&e);
  CHECK(error == 0 && active == 6 && connected[0] && !connected[1] && connected[2]);
  CHECK(in[1][0] == 1 && in[2][0] == 61); /* the last readings of the lost one */
  slaves[2].lost = false;
  robif2b_ethercat_update(&e);
  CHECK(active == 9 && connected[1] && in[1][0] == 51);
  there.no_frame = true;
  robif2b_ethercat_update(&e);
  CHECK(error == -13 && active == -1 && !connected[0] && in[1][0] == 51);
  there.no_frame = false;
  robif2b_ethercat_update(&e);
  CHECK(error == 0 && active == 9 && connected[0]);
  e.is_connected = NULL;
  robif2b_ethercat_update(&e);
  CHECK(error == 0);
  ends(&e);
}

static void states_that_are_not_reached(void) {
  struct robif2b_ethercat e = running();
  there.refuses = ACHD_BUS_OPERATIONAL;
  robif2b_ethercat_start(&e);
  CHECK(error == -12);
  there.refuses = ACHD_BUS_SAFE_OP;
  robif2b_ethercat_stop(&e);
  CHECK(error == -14);
  there.refuses = ACHD_BUS_INIT;
  ends(&e);
}

static void no_exposed_slave(void) {
  struct robif2b_ethercat e = master();
  number = 0;
  e.slave_idx = NULL, e.name = NULL, e.input_size = NULL;
  robif2b_ethercat_configure(&e);
  CHECK(error == 0);
  robif2b_ethercat_update(&e);
  CHECK(error == 0 && active == 9);
  robif2b_ethercat_shutdown(&e);
}

int main(void) {
  RUN(every_error_of_configure);
  RUN(missing_ports);
  RUN(commands_are_one_cycle_late);
  RUN(sizes_are_those_of_configure);
  RUN(lost_slaves_and_frames);
  RUN(states_that_are_not_reached);
  RUN(no_exposed_slave);
  return test_end();
}

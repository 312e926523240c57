/* SPDX-License-Identifier: MIT */
/* ethercat.c: see robif2b/functions/ethercat.h */
#include "bus.h"
#include "device_time.h"

#include <robif2b/functions/ethercat.h>

#include <stdlib.h>
#include <string.h>

enum { IO_MAP = 4096 }; /* largest process data of a bus [byte] */

enum {
  NO_MEMORY = -1,
  NO_INTERFACE = -2,
  NO_SLAVES = -3,
  FEWER_SLAVES = -4,
  IO_MAP_TOO_SMALL = -5,
  WRONG_INDEX = -6,
  WRONG_NAME = -7,
  WRONG_CODE = -8,
  WRONG_INPUT_SIZE = -9,
  WRONG_OUTPUT_SIZE = -10,
  NOT_SAFE_OPERATIONAL = -11,
  NOT_OPERATIONAL = -12,
  NO_EXCHANGE = -13,
  NOT_STOPPED = -14
};

typedef struct place { /* of an exposed slave */
  const achd_slave *slave;
  size_t input, output; /* where its process data begin */
} place;

struct robif2b_ethercat_comm {
  achd_bus *bus;
  int nplaces;
  place *places;
  unsigned char outputs[IO_MAP]; /* as they were sent */
  unsigned char inputs[IO_MAP];  /* as they came back last */
};

/* Where the process data of slave `index` (from 1) begin; the sizes of all, for one behind the last. */
static place place_of(const achd_bus *bus, int index) {
  place p = {index <= bus->nslaves ? &bus->slaves[index - 1] : NULL, 0, 0};
  for (int k = 0; k < index - 1; k++) {
    p.input += bus->slaves[k].input_size;
    p.output += bus->slaves[k].output_size;
  }
  return p;
}

/* The frame comes back: 1 for each slave that was read, 2 for each that was written. */
static int working_counter(const achd_bus *bus) {
  int count = 0;
  for (int k = 0; k < bus->nslaves; k++) {
    const achd_slave *s = &bus->slaves[k];
    if (!s->lost) count += (s->input_size > 0) + 2 * (s->output_size > 0);
  }
  return count;
}

static int missing_port(const struct robif2b_ethercat *e) {
  if (!e->ethernet_if) return NO_INTERFACE;
  if (!e->num_initial_slaves || !e->num_current_slaves) return NO_SLAVES;
  if (!e->num_exposed_slaves || *e->num_exposed_slaves < 0) return FEWER_SLAVES;
  if (*e->num_exposed_slaves == 0) return 0;
  if (!e->slave_idx) return WRONG_INDEX;
  if (!e->name) return WRONG_NAME;
  if (!e->product_code) return WRONG_CODE;
  if (!e->input_size || !e->input) return WRONG_INPUT_SIZE;
  if (!e->output_size || !e->output) return WRONG_OUTPUT_SIZE;
  return 0;
}

/* Compares an exposed slave with the bus. */
static int judge_slave(const struct robif2b_ethercat *e, const achd_bus *bus, int i) {
  const int index = e->slave_idx[i];
  if (index < 1 || index > bus->nslaves) return WRONG_INDEX;
  const achd_slave *slave = &bus->slaves[index - 1];
  if (!e->name[i] || strcmp(e->name[i], slave->name) != 0) return WRONG_NAME;
  if (e->product_code[i] != slave->product_code) return WRONG_CODE;
  if (e->input_size[i] != slave->input_size || (slave->input_size && !e->input[i]))
    return WRONG_INPUT_SIZE;
  if (e->output_size[i] != slave->output_size || (slave->output_size && !e->output[i]))
    return WRONG_OUTPUT_SIZE;
  return 0;
}

static int open_bus(struct robif2b_ethercat *e, struct robif2b_ethercat_comm *comm) {
  comm->bus = achd_bus_open(e->ethernet_if);
  if (!comm->bus) return NO_INTERFACE;
  const achd_bus *bus = comm->bus;
  *e->num_initial_slaves = *e->num_current_slaves = bus->nslaves;
  if (bus->nslaves <= 0) return NO_SLAVES;
  if (bus->nslaves < *e->num_exposed_slaves) return FEWER_SLAVES;
  const place end = place_of(bus, bus->nslaves + 1);
  if (end.input + end.output > IO_MAP) return IO_MAP_TOO_SMALL;
  comm->nplaces = *e->num_exposed_slaves;
  comm->places = calloc((size_t)comm->nplaces + 1, sizeof *comm->places);
  if (!comm->places) return NO_MEMORY;
  for (int i = 0; i < comm->nplaces; i++) {
    const int error = judge_slave(e, bus, i);
    if (error) return error;
    comm->places[i] = place_of(bus, e->slave_idx[i]);
  }
  if (!bus->request(bus->context, ACHD_BUS_SAFE_OP)) return NOT_SAFE_OPERATIONAL;
  return 0;
}

static void close_bus(struct robif2b_ethercat_comm *comm) {
  if (!comm) return;
  if (comm->bus) {
    comm->bus->request(comm->bus->context, ACHD_BUS_INIT);
    achd_bus_close(comm->bus);
  }
  free(comm->places);
  free(comm);
}

void robif2b_ethercat_configure(struct robif2b_ethercat *e) {
  if (!e || !e->error_code) return;
  e->comm = NULL;
  *e->error_code = missing_port(e);
  if (*e->error_code) return;
  for (int i = 0; e->is_connected && i < *e->num_exposed_slaves; i++) e->is_connected[i] = false;
  struct robif2b_ethercat_comm *comm = calloc(1, sizeof *comm);
  *e->error_code = comm ? open_bus(e, comm) : NO_MEMORY;
  if (*e->error_code) {
    close_bus(comm);
    return;
  }
  e->comm = comm;
  for (int i = 0; e->is_connected && i < comm->nplaces; i++)
    e->is_connected[i] = !comm->places[i].slave->lost;
}

/* Brings the slaves of a bus that is open into a state. */
static void request(struct robif2b_ethercat *e, achd_bus_state state, int error) {
  if (!e || !e->error_code) return;
  *e->error_code = e->comm && e->comm->bus->request(e->comm->bus->context, state) ? 0 : error;
}

void robif2b_ethercat_start(struct robif2b_ethercat *e) {
  request(e, ACHD_BUS_OPERATIONAL, NOT_OPERATIONAL);
}

void robif2b_ethercat_update(struct robif2b_ethercat *e) {
  if (!e || !e->error_code) return;
  struct robif2b_ethercat_comm *comm = e->comm;
  *e->error_code = NO_EXCHANGE;
  if (!comm || !e->input || !e->output || !e->num_current_slaves) return;
  achd_bus *bus = comm->bus;
  const bool came_back = bus->exchange(bus->context, comm->outputs, comm->inputs);
  *e->num_current_slaves = came_back ? working_counter(bus) : -1;
  for (int i = 0; i < comm->nplaces; i++) {
    const place *p = &comm->places[i];
    if (e->input[i]) memcpy(e->input[i], comm->inputs + p->input, p->slave->input_size);
    if (e->output[i]) memcpy(comm->outputs + p->output, e->output[i], p->slave->output_size);
    if (e->is_connected) e->is_connected[i] = came_back && !p->slave->lost;
  }
  if (came_back) *e->error_code = 0;
}

void robif2b_ethercat_stop(struct robif2b_ethercat *e) {
  request(e, ACHD_BUS_SAFE_OP, NOT_STOPPED);
}

void robif2b_ethercat_shutdown(struct robif2b_ethercat *e) {
  if (!e || !e->error_code) return;
  close_bus(e->comm);
  e->comm = NULL;
  *e->error_code = 0;
}

double achd_bus_time(const struct robif2b_ethercat_comm *comm) {
  return comm && comm->bus->time ? comm->bus->time(comm->bus->context) : 0;
}

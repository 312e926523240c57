/* SPDX-License-Identifier: MIT */
/* ethercat.h: the ports of an EtherCAT master, which exchanges process data with slaves. Arrays have
 * one element for each exposed slave: those that the program talks to. What is described here is
 * read once, by configure; only input, output, is_connected and the three numbers change later. */
#ifndef ROBIF2B_TYPES_ETHERCAT_H
#define ROBIF2B_TYPES_ETHERCAT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct robif2b_ethercat_comm;

struct robif2b_ethercat {
  const char *ethernet_if; /* name of the network interface, such as "net0" */
  const int *num_exposed_slaves;
  const int *slave_idx;             /* where each stands on the bus; the first is 1 */
  const char **name;                /* that each must have */
  const unsigned int *product_code; /* that each must have */
  const size_t *input_size;         /* of the process data from each slave [byte] */
  const size_t *output_size;        /* of the process data to each slave [byte] */
  /* result of the last function: 0, or negative, see robif2b/functions/ethercat.h */
  int *error_code;
  int *num_initial_slaves; /* that configure has found on the bus */
  /* After an update the working counter of its frame: for each slave that was reached 1 if it has
   * inputs, plus 2 if it has outputs; -1: no frame came back. */
  int *num_current_slaves;
  void **input;                       /* where the process data from each slave are written to */
  const void **output;                /* where the process data to each slave are read from */
  bool *is_connected;                 /* whether each slave can be reached; may be NULL */
  struct robif2b_ethercat_comm *comm; /* the connection: made by configure */
};

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* fuzz_fsm.c: any bytes as a state machine of coord-dsl; what is read is written again, and read once more. */
#include "whole_way.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  put_file("fuzzed.fsm", bytes, size);
  whole_fsm("fuzzed.fsm");
  return 0;
}

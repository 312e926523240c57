/* SPDX-License-Identifier: MIT */
/* fuzz_machine.c: any bytes as the description of a state machine. */
#include "whole_way.h"

#include "commands/describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  put_file("fuzzed.lua", bytes, size);
  whole_description("fuzzed.lua", AG_MACHINE);
  return 0;
}

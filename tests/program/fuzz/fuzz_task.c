/* SPDX-License-Identifier: MIT */
/* fuzz_task.c: any bytes as the description of tasks of the task frame formalism. */
#include "whole_way.h"

#include "commands/describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  put_file("fuzzed.lua", bytes, size);
  whole_description("fuzzed.lua", AG_TASK);
  return 0;
}

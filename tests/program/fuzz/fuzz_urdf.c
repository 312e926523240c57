/* SPDX-License-Identifier: MIT */
/* fuzz_urdf.c: any bytes as a robot, with the default layout. */
#include "whole_way.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  put_file("fuzzed.urdf", bytes, size);
  whole_way("fuzzed.urdf", NULL, (unsigned)size);
  return 0;
}

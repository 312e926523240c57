/* SPDX-License-Identifier: MIT */
/* hash.c: see hash.h */
#include "base/hash.h"

#include <stdio.h>

/* For each byte: hash <- (hash xor byte) 1099511628211, modulo 2^64. */
uint64_t ag_hash_add(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
  return hash;
}

bool ag_hash_file(const char *path, uint64_t *hash) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  unsigned char buffer[1 << 12];
  *hash = AG_HASH_START;
  size_t size;
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
    *hash = ag_hash_add(*hash, buffer, size);
  const bool whole = !ferror(file);
  fclose(file);
  return whole;
}

/* SPDX-License-Identifier: MIT */
/* file.h: files of the emulator's host, for programs on its boards. */
#ifndef FILE_H
#define FILE_H

#include "semihost.h"

#include <stdint.h>

enum { FILE_READ = 1, FILE_WRITE = 5 }; /* fopen's "rb" and "wb" */

static inline int file_open(const char *name, int mode) {
  uint32_t length = 0;
  while (name[length]) length++;
  const uint32_t block[] = {(uint32_t)name, (uint32_t)mode, length};
  const int file = semihost(0x01, block);
  if (file < 0) semihost_exit(120);
  return file;
}

/* Returns how many bytes were read. */
static inline unsigned file_read(int file, void *to, unsigned size) {
  const uint32_t block[] = {(uint32_t)file, (uint32_t)to, size};
  return size - (unsigned)semihost(0x06, block);
}

static inline void file_write(int file, const void *from, unsigned size) {
  const uint32_t block[] = {(uint32_t)file, (uint32_t)from, size};
  if (semihost(0x05, block) != 0) semihost_exit(121);
}

#endif

/* SPDX-License-Identifier: MIT */
/* hash.h: 64 bits that tell one content from another, for banners: FNV-1a (Fowler, Noll, Vo).
 * They show that something has changed; they do not protect against forgery. */
#ifndef AG_HASH_H
#define AG_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of no bytes: where a hash begins. */
#define AG_HASH_START UINT64_C(0xcbf29ce484222325)

/* The hash of what has been hashed before, and these bytes after it. */
uint64_t ag_hash_add(uint64_t hash, const void *bytes, size_t size);

/* The hash of a file's bytes; false: it cannot be read. */
bool ag_hash_file(const char *path, uint64_t *hash);

#endif

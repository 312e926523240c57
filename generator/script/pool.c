/* SPDX-License-Identifier: MIT */
/* pool.c: see pool.h */
#include "script/pool.h"

#include "base/sanitizer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4096 }; /* bytes that are cut into pieces of one size */

struct ag_pool_piece {
  struct ag_pool_piece *next;
};

/* Built with the address sanitizer, all is malloc's: a value that is used after Lua has freed it is found. */
static bool is_small(size_t size) {
#ifdef AG_SANITIZED
  (void)size;
  return false;
#else
  return size > 0 && size <= (size_t)AG_POOL_STEP * AG_POOL_SIZES;
#endif
}

static size_t place_of(size_t size) {
  return (size - 1) / AG_POOL_STEP;
}

/* Puts a piece to those of its size that wait for use. */
static void put(ag_pool *pool, size_t place, void *bytes) {
  struct ag_pool_piece *piece = bytes;
  piece->next = pool->free[place];
  pool->free[place] = piece;
}

static void cut(ag_pool *pool, size_t place) {
  const size_t size = (place + 1) * AG_POOL_STEP;
  unsigned char *bytes = ag_alloc(&pool->arena, AT_ONCE);
  for (size_t at = 0; at + size <= AT_ONCE; at += size) put(pool, place, bytes + at);
}

static void *take(ag_pool *pool, size_t size) {
  if (!is_small(size)) return malloc(size);
  const size_t place = place_of(size);
  if (!pool->free[place]) cut(pool, place);
  struct ag_pool_piece *piece = pool->free[place];
  pool->free[place] = piece->next;
  return piece;
}

void ag_pool_free(ag_pool *pool, void *old, size_t size) {
  if (is_small(size))
    put(pool, place_of(size), old);
  else
    free(old);
}

void *ag_pool_resize(ag_pool *pool, void *old, size_t old_size, size_t new_size) {
  if (!old) return take(pool, new_size);
  if (!is_small(old_size) && !is_small(new_size)) return realloc(old, new_size);
  if (is_small(old_size) && is_small(new_size) && place_of(old_size) == place_of(new_size))
    return old;
  void *bytes = take(pool, new_size);
  if (!bytes) return NULL;
  memcpy(bytes, old, old_size < new_size ? old_size : new_size);
  ag_pool_free(pool, old, old_size);
  return bytes;
}

void ag_pool_close(ag_pool *pool) {
  ag_arena_free(&pool->arena);
  *pool = (ag_pool){0};
}

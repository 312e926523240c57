/* SPDX-License-Identifier: MIT */
/* pool.h: memory for the many small values of Lua, which come and go by hundred thousands: pieces of a few sizes, kept for the next
 * value when one is freed. */
#ifndef AG_POOL_H
#define AG_POOL_H

#include "base/arena.h"

enum { AG_POOL_STEP = 16, AG_POOL_SIZES = 16 }; /* pieces of 16, 32, .. 256 bytes */

typedef struct ag_pool {
  struct ag_pool_piece *free[AG_POOL_SIZES];
  ag_arena arena; /* that they are cut from */
} ag_pool;        /* {0} is an empty pool */

/* As realloc; what is larger than the largest piece is malloc's. new_size > 0; old_size: of what `old` is. NULL: memory is out, and `old`
 * stays. */
void *ag_pool_resize(ag_pool *pool, void *old, size_t old_size, size_t new_size);
void ag_pool_free(ag_pool *pool, void *old, size_t size);
/* Frees all pieces, of whatever values. */
void ag_pool_close(ag_pool *pool);

#endif

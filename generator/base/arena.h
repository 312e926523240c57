/* SPDX-License-Identifier: MIT */
/* arena.h: memory that lives until its arena is freed, all at once. */
#ifndef AG_ARENA_H
#define AG_ARENA_H

#include <stddef.h>

typedef struct ag_arena {
  struct ag_arena_block *blocks;
  size_t size; /* of all of them */
} ag_arena;    /* {0} is an empty arena */

/* size bytes, zeroed, aligned for anything. Never NULL: when memory is out, the program says so on
 * standard error and exits with 1 (nothing is written until all work is done). */
void *ag_alloc(ag_arena *arena, size_t size);

/* Says on standard error that memory is out, and exits with 1. */
void ag_out_of_memory(void) __attribute__((noreturn));

/* A larger copy of an array of old_size bytes (old may be NULL). */
void *ag_grow(ag_arena *arena, const void *old, size_t old_size, size_t new_size);

/* An array of count elements, with room for one more. It is as long as the power of two that holds
 * them, so that many elements cost no more than a few copies. */
void *ag_room(ag_arena *arena, void *array, int count, size_t size);

/* A copy of a text. */
char *ag_strdup(ag_arena *arena, const char *text);
/* A text made by a format of printf. */
char *ag_printf(ag_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is in `from` lives as long as `arena` from now on; `from` is empty. */
void ag_arena_adopt(ag_arena *arena, ag_arena *from);

/* Frees all memory of the arena, which is then empty. */
void ag_arena_free(ag_arena *arena);

#endif

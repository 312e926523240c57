/* SPDX-License-Identifier: MIT */
/* arena.c: see arena.h */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): madvise */
#include "base/arena.h"

#include "base/format.h"
#include "base/sanitizer.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Built with the address sanitizer, the bytes between two pieces of memory may not be read or written: a place before or
 * behind an array is found as it is of malloc's. */
#ifdef AG_SANITIZED
#include <sanitizer/asan_interface.h>
enum { BETWEEN = 64 };
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
enum { BETWEEN = 0 };
#endif

enum { AG_BLOCK = 1 << 16, LARGE_PAGE = 1 << 21, LARGE_BLOCK = 1 << 23 };

struct ag_arena_block {
  struct ag_arena_block *next;
  size_t used, size;
  size_t mapped; /* bytes, where it has pages of its own; else 0 */
  alignas(max_align_t) unsigned char bytes[];
};

/* A long block on pages of 2 MiB, where the system has such: touched for the first time page by page of 4 KiB, the memory of a
 * large robot would take a tenth of the time. NULL: there is none. */
static struct ag_arena_block *map_large(size_t size) {
#ifdef MADV_HUGEPAGE
  const size_t length = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  unsigned char *all =
      mmap(NULL, length + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t before = (LARGE_PAGE - (uintptr_t)all % LARGE_PAGE) % LARGE_PAGE;
  if (before > 0) munmap(all, before);
  munmap(all + before + length, LARGE_PAGE - before);
  (void)madvise(all + before, length, MADV_HUGEPAGE);
  struct ag_arena_block *block = (void *)(all + before);
  block->mapped = length;
  return block;
#else
  (void)size;
  return NULL;
#endif
}

void ag_out_of_memory(void) {
  fputs("achdgen: error: out of memory\n", stderr);
  exit(1);
}

/* size: of what it has room for. */
static struct ag_arena_block *block_new(size_t size) {
  struct ag_arena_block *block = NULL;
  if (size >= LARGE_PAGE) block = map_large(sizeof *block + size);
  if (!block) block = calloc(1, sizeof *block + size);
  if (!block) ag_out_of_memory();
  block->size = block->mapped ? block->mapped - sizeof *block : size;
  return block;
}

/* Blocks are small; where they become many, the next ones are large. */
static size_t usual_size(const ag_arena *arena) {
  return arena->size < LARGE_BLOCK ? AG_BLOCK : LARGE_BLOCK - sizeof(struct ag_arena_block);
}

/* The `size` bytes at `bytes` may be used, those before and behind them not. */
static void *fence(unsigned char *bytes, size_t size, size_t asked) {
  ASAN_POISON_MEMORY_REGION(bytes, size);
  ASAN_UNPOISON_MEMORY_REGION(bytes + BETWEEN, asked);
  return bytes + BETWEEN;
}

void *ag_alloc(ag_arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  const size_t fenced = (size + align - 1) / align * align + (size_t)2 * BETWEEN;
  struct ag_arena_block *block = arena->blocks;
  if (!block || block->size - block->used < fenced) {
    const size_t usual = usual_size(arena);
    const bool own = fenced > usual / 4 && block;
    struct ag_arena_block *more = block_new(own || fenced > usual ? fenced : usual);
    arena->size += more->size;
    if (own) { /* behind the one in use */
      more->used = more->size;
      more->next = block->next;
      block->next = more;
      return fence(more->bytes, fenced, size);
    }
    more->next = block;
    arena->blocks = block = more;
  }
  unsigned char *bytes = block->bytes + block->used;
  block->used += fenced;
  return fence(bytes, fenced, size);
}

void *ag_grow(ag_arena *arena, const void *old, size_t old_size, size_t new_size) {
  void *bytes = ag_alloc(arena, new_size);
  if (old_size) memcpy(bytes, old, old_size);
  return bytes;
}

char *ag_strdup(ag_arena *arena, const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(ag_alloc(arena, size), text, size);
}

char *ag_printf(ag_arena *arena, const char *format, ...) {
  char shorter[512]; /* nearly all are */
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const size_t length = ag_format(shorter, sizeof shorter, format, args);
  va_end(args);
  char *text = ag_alloc(arena, length + 1);
  if (length < sizeof shorter)
    memcpy(text, shorter, length + 1);
  else
    (void)ag_format(text, length + 1, format, again);
  va_end(again);
  return text;
}

void ag_arena_adopt(ag_arena *arena, ag_arena *from) {
  /* Behind the block that is being filled: what is walked is the one that is taken in, however much there is already. */
  struct ag_arena_block **head = arena->blocks ? &arena->blocks->next : &arena->blocks;
  struct ag_arena_block **end = &from->blocks;
  while (*end) end = &(*end)->next;
  *end = *head;
  *head = from->blocks;
  arena->size += from->size;
  *from = (ag_arena){0};
}

void ag_arena_free(ag_arena *arena) {
  for (struct ag_arena_block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
#ifdef MADV_HUGEPAGE
    if (block->mapped) {
      ASAN_UNPOISON_MEMORY_REGION(block, block->mapped);
      munmap(block, block->mapped);
      continue;
    }
#endif
    free(block);
  }
  *arena = (ag_arena){0};
}

void *ag_room(ag_arena *arena, void *array, int count, size_t size) {
  if (count & (count - 1)) return array;
  const size_t old = (size_t)count * size;
  return ag_grow(arena, array, old, count ? 2 * old : size);
}

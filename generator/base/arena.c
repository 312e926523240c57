/* arena.c: see arena.h */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AG_BLOCK = 1 << 16 };

struct ag_arena_block {
  struct ag_arena_block *next;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
};

static struct ag_arena_block *block_new(size_t size) {
  struct ag_arena_block *block = calloc(1, sizeof *block + size);
  if (!block) {
    fputs("achdgen: error: out of memory\n", stderr);
    exit(1);
  }
  block->size = size;
  return block;
}

void *ag_alloc(ag_arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  size = (size + align - 1) / align * align;
  struct ag_arena_block *block = arena->blocks;
  if (!block || block->size - block->used < size) {
    if (size > AG_BLOCK / 4 && block) { /* a block of its own, behind the one in use */
      struct ag_arena_block *own = block_new(size);
      own->used = size;
      own->next = block->next;
      block->next = own;
      return own->bytes;
    }
    block = block_new(size > AG_BLOCK ? size : AG_BLOCK);
    block->next = arena->blocks;
    arena->blocks = block;
  }
  void *bytes = block->bytes + block->used;
  block->used += size;
  return bytes;
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
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = ag_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void ag_arena_adopt(ag_arena *arena, ag_arena *from) {
  struct ag_arena_block **end = &arena->blocks;
  while (*end) end = &(*end)->next;
  *end = from->blocks;
  from->blocks = NULL;
}

void ag_arena_free(ag_arena *arena) {
  for (struct ag_arena_block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  arena->blocks = NULL;
}

void *ag_room(ag_arena *arena, void *array, int count, size_t size) {
  if (count & (count - 1)) return array;
  const size_t old = (size_t)count * size;
  return ag_grow(arena, array, old, count ? 2 * old : size);
}

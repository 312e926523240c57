/* SPDX-License-Identifier: MIT */
/* dispatch.c: see dispatch.h */
#include "emit/dispatch.h"

#include "base/embedded.h"

#include <ctype.h>
#include <string.h>

/* Behind the names of the copy with AVX2 and FMA. */
#define WIDE "_avx2"

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *word) {
  size_t length = 0;
  while (in_word(word[length])) length++;
  return length;
}

/* The name that a parameter declares: the last word in front of its array's length, or of its end. */
static const char *declared_name(ag_arena *arena, const char *parameter, size_t length) {
  const char *bracket = memchr(parameter, '[', length);
  const char *end = bracket ? bracket : parameter + length, *start = end;
  while (start > parameter && in_word(start[-1])) start--;
  return ag_printf(arena, "%.*s", (int)(end - start), start);
}

void ag_emit_choice(ag_text *text, const ag_header *h, const char *signature) {
  if (h->target.dispatch != AG_COPY_CHOOSES) return;
  const char *open = strchr(signature, '('), *name = open;
  while (name > signature && in_word(name[-1])) name--;
  const char *list = "";
  for (const char *at = open + 1; *at && *at != ')';) {
    const size_t length = strcspn(at, ",)");
    list = ag_printf(h->arena, "%s%s%s", list, list[0] ? ", " : "",
                     declared_name(h->arena, at, length));
    at += length + (at[length] == ',');
  }
  const char *call = ag_printf(h->arena, "%.*s" WIDE "(%s);", (int)(open - name), name, list);
  const bool nothing = strncmp(signature, "void ", 5) == 0;
  ag_text_add(text, "#if defined(%s_DISPATCH)\n  if (%s_DISPATCH) %s%s%s\n#endif\n", h->upper,
              h->upper, nothing ? "{ " : "return ", call, nothing ? " return; }" : "");
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += length)
    if ((at == text || !in_word(at[-1])) && !in_word(at[length])) return true;
  return false;
}

/* The functions that are called from outside, by what follows the prefix and _. */
static bool is_public(const ag_header *h, const char *name) {
  static const char *const kinds[] = {"", "_trig", "_batch"};
  if (strcmp(name, "trig_of") == 0) return true;
  for (int i = 0; i < h->nfunctions; i++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      if (strcmp(name, ag_printf(h->arena, "%s%s", h->functions[i]->name, kinds[k])) == 0)
        return true;
  return false;
}

/* The words of bodies with an own name in the copy: what they define, and not what is declared before, as types. */
static bool renamed(const ag_header *h, const char *declared, const char *word, size_t length) {
  const size_t prefix = strlen(h->prefix);
  if (length <= prefix || strncmp(word, h->prefix, prefix) != 0 || word[prefix] != '_')
    return false;
  const char *name = ag_printf(h->arena, "%.*s", (int)length, word);
  return is_public(h, name + prefix + 1) || !has_word(declared, name);
}

/* The macros by which compilers tell of their instructions: of what is compiled with, not of the copy. */
static bool tells_of_vectors(const char *word, size_t length) {
  static const char *const macros[] = {"__AVX__", "__AVX2__", "__FMA__"};
  for (size_t k = 0; k < sizeof macros / sizeof *macros; k++)
    if (strlen(macros[k]) == length && strncmp(word, macros[k], length) == 0) return true;
  return false;
}

/* The copy with AVX2 and FMA: names of its own, and what is written for these instructions. */
static const char *copy_of(const ag_header *h, const char *bodies, const char *declared) {
  ag_text copy = {.arena = h->arena};
  for (const char *at = bodies; *at;) {
    const size_t length = word_length(at);
    if (strncmp(at, "/*", 2) == 0) {
      const char *end = strstr(at, "*/") + 2;
      ag_text_put(&copy, at, (size_t)(end - at));
      at = end;
    } else if (length == 0) {
      ag_text_put(&copy, at++, 1);
    } else {
      if (tells_of_vectors(at, length))
        ag_text_add(&copy, "%s_AVX2", h->upper);
      else
        ag_text_put(&copy, at, length);
      if (renamed(h, declared, at, length)) ag_text_add(&copy, WIDE);
      at += length;
    }
  }
  return copy.chars;
}

const char *ag_two_copies(const ag_header *h, const char *bodies, const char *wide,
                          const char *declared) {
  const ag_substitution with[] = {
      {"UPPER", h->upper}, {"WIDE", copy_of(h, wide, declared)}, {"BODIES", bodies}, {NULL, NULL}};
  ag_text text = {.arena = h->arena};
  ag_text_substitute(&text, ag_file_text("dispatch.c.in"), with);
  return text.chars;
}

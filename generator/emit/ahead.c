/* SPDX-License-Identifier: MIT */
/* ahead.c: see ahead.h */
#include "emit/ahead.h"

#include "emit/cost.h"

/* AHEAD: measured on a Gen3: memory answers within the time that 2 to 4 KB of cached code take. CALL:
 * bytes of an instruction that asks. AT_ONCE: lines that one macro asks for. */
enum { LINE = 64, AHEAD = 4096, CALL = 7, AT_ONCE = 8 };

/* Of nodes of a way's order: one line is prefetched in each. */
static int bytes_of(const ag_sequence *way, int first, int end) {
  int bytes = 0;
  for (int i = first; i < end; i++)
    bytes += ag_text_bytes_of(&way->graph->dag.nodes[way->order[i]]);
  return bytes + bytes / LINE * CALL;
}

static void ask(ag_text *t, ag_ahead *a, bool first) {
  const char *n = a->header->upper;
  const int until = a->at + AHEAD < a->end ? a->at + AHEAD : a->end;
  for (; first && (a->asked + AT_ONCE) * LINE <= until; a->asked += AT_ONCE)
    ag_text_add(t, "%s%s_AHEAD_%d(%d);\n", a->indent, n, AT_ONCE, a->asked);
  for (; a->asked * LINE < until; a->asked++)
    ag_text_add(t, "%s%s_AHEAD(%d);\n", a->indent, n, a->asked);
}

ag_ahead ag_ahead_way(ag_text *t, const ag_header *h, const char *indent, const ag_plan *plan,
                      const ag_sequence *way, int first) {
  if (!h->target.prefetch) return (ag_ahead){0};
  const ag_sequence *fast = plan->fast;
  const bool general = fast && way != fast, guard_asked = fast && way == fast && first > 0;
  const int before = general ? bytes_of(fast, 0, fast->norder) : bytes_of(way, 0, first);
  ag_ahead a = {.header = h,
                .indent = indent,
                .at = before,
                .end = before + bytes_of(way, first, way->norder)};
  a.asked = (a.at + (guard_asked ? AHEAD : 0)) / LINE;
  ask(t, &a, !guard_asked);
  return a;
}

ag_ahead ag_ahead_part(ag_text *t, const ag_header *h, const char *indent, const ag_sequence *way,
                       int first, int end) {
  if (!h->target.prefetch) return (ag_ahead){0};
  ag_ahead a = {.header = h, .indent = indent, .end = bytes_of(way, first, end)};
  ask(t, &a, true);
  return a;
}

void ag_ahead_node(ag_text *t, ag_ahead *a, const ag_sequence *way, ag_id id) {
  if (!a->header) return;
  const int bytes = ag_text_bytes_of(&way->graph->dag.nodes[id]);
  a->at += bytes + bytes * CALL / LINE;
  if (way->statement[id]) ask(t, a, false);
}

void ag_emit_ahead_code(ag_text *t, const ag_header *h, const char *function) {
  if (h->target.prefetch) ag_text_add(t, "  %s_CODE(%s);\n", h->upper, function);
}

void ag_emit_ahead_macros(ag_text *t, const ag_header *h) {
  if (!h->target.prefetch) return;
  const char *n = h->upper;
  ag_text_add(
      t,
      "\n/* Functions ask for lines of their own code, so that memory has sent them before the "
      "CPU gets\n"
      " * there. AHEAD(k): the k-th, %d bytes each; instructions of AVX are fewer, for the same "
      "code.\n"
      " * No number depends on it; define %s_NO_PREFETCH to leave it out. */\n"
      "#if defined(__GNUC__) && defined(__x86_64__) && !defined(%s_NO_PREFETCH)\n"
      "#define %s_CODE(function) \\\n"
      "  const char *const code = (const char *)(__UINTPTR_TYPE__)(function)\n"
      "#if defined(__AVX__)\n"
      "#define %s_AHEAD(k) __builtin_prefetch(code + 44 * (k), 0, 2)\n"
      "#else\n"
      "#define %s_AHEAD(k) __builtin_prefetch(code + %d * (k), 0, 2)\n"
      "#endif\n"
      "#else\n"
      "#define %s_CODE(function) (void)0\n"
      "#define %s_AHEAD(k) (void)0\n"
      "#endif\n"
      "#define %s_AHEAD_%d(k) \\\n",
      LINE, n, n, n, n, n, LINE, n, n, n, AT_ONCE);
  for (int k = 0; k < AT_ONCE; k++)
    ag_text_add(t, "%s%s_AHEAD((k) + %d)%s", k % 4 ? " " : "  ", n, k,
                k == AT_ONCE - 1 ? "\n"
                : k % 4 == 3     ? "; \\\n"
                                 : ";");
}

void ag_emit_ahead_end(ag_text *t, const ag_header *h) {
  const char *n = h->upper;
  if (h->target.prefetch)
    ag_text_add(t, "#undef %s_CODE\n#undef %s_AHEAD\n#undef %s_AHEAD_%d\n", n, n, n, AT_ONCE);
}

/* SPDX-License-Identifier: MIT */
/* contract.c: calls emitted functions with any numbers, for sanitizers and memcheck to watch. The
 * build gives HEADER, PREFIX and CALLS, such as CALL(achd) CALL(id)
 * BATCH(achd_batch), the last with AT_ONCE; TWIN(achd) the function that takes sines; WITH(mclp,
 * achd, mclp) one that takes and fills others' structs, AFTER(apply, mclp, achd, achd) one that
 * comes after another, with ROWS.
 *
 * A function reads `in`, which it leaves as it is, and writes all of `out` and nothing else,
 * whatever comes in; the same twice. */
#include HEADER

#ifdef MEMCHECK
#include <valgrind/memcheck.h>
#define UNDEFINED(bytes, size) (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, size)
#define ALL_DEFINED(bytes, size) (VALGRIND_CHECK_MEM_IS_DEFINED(bytes, size) == 0)
#else
#define UNDEFINED(bytes, size) (void)0
#define ALL_DEFINED(bytes, size) 1
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b, c) a##_##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)

typedef JOIN(PREFIX, real, ) real;

static uint64_t state = 88172645463325252u;
static uint64_t bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static real number(int round) {
  const double unit = (double)(bits() >> 11) / 9007199254740992.0, zero = unit * 0;
  real any;
  switch (round) {
  case 0:
    return 0;
  case 1:
    return (real)1;
  case 2:
    return (real)(zero / zero);
  case 3:
    return (real)(1 / zero);
  case 4:
    return (real)(-1 / zero);
  case 5:
    return (real)(3e38 * (unit - 0.5));
  case 6:
    return (real)(1e-40 * unit);
  case 7: /* any bits */
    for (size_t k = 0; k < sizeof any; k++)
      ((unsigned char *)&any)[k] = (unsigned char)(bits() >> 23);
    return any;
  case 8:
    return bits() % 16 == 0 ? (real)(zero / zero) : (real)(2 * unit - 1);
  case 9:
    return (real)(2e5 * unit - 1e5);
  default:
    return (real)(4 * unit - 2);
  }
}
enum { ROUNDS = 24 };

static int failures;
static void check(int good, const char *function, const char *what, int round) {
  if (good) return;
  failures++;
  fprintf(stderr, "%s, round %d: %s\n", function, round, what);
}

/* Memory of its own, so that a byte beyond is noticed. */
static void *room(size_t size) {
  void *bytes = malloc(size);
  if (!bytes) abort();
  return bytes;
}

/* One call on numbers of a round, with what is watched around it. RUN(out) calls, and gives a
 * status. */
#define WATCH(f, RUN) WATCH_OF(watch_##f, f, f, f, RUN)
#define WATCH_OF(watch, f, takes, fills, RUN)                                                      \
  static void watch(int round) {                                                                   \
    typedef JOIN(PREFIX, takes, _in) input;                                                        \
    typedef JOIN(PREFIX, fills, _out) output;                                                      \
    input *in = room(sizeof *in), *same = room(sizeof *same);                                      \
    output *out = room(sizeof *out), *again = room(sizeof *again);                                 \
    real *numbers = (real *)(void *)in;                                                            \
    for (size_t k = 0; k < sizeof *in / sizeof *numbers; k++) numbers[k] = number(round);          \
    memcpy(same, in, sizeof *in);                                                                  \
    memset(out, 0xa5, sizeof *out);                                                                \
    memset(again, 0x5a, sizeof *again);                                                            \
    UNDEFINED(out, sizeof *out);                                                                   \
    const unsigned status = RUN(f, in, out), other = RUN(f, in, again);                            \
    check(ALL_DEFINED(&status, sizeof status), #f, "the status is not defined", round);            \
    check(status == other, #f, "another status", round);                                           \
    check(ALL_DEFINED(out, sizeof *out), #f, "a part of out is not defined", round);               \
    check(memcmp(out, again, sizeof *out) == 0, #f, "a part of out is not written", round);        \
    check(memcmp(same, in, sizeof *in) == 0, #f, "in is written to", round);                       \
    free(in), free(same), free(out), free(again);                                                  \
  }

#define RUN_PLAIN(f, in, out) (unsigned)JOIN(PREFIX, f, )(in, out)
#define CALL(f) WATCH(f, RUN_PLAIN)

/* Numbers of a round that are the same at every call. */
static void fill(real *numbers, size_t count, int round) {
  const uint64_t later = state;
  state = 88172645463325252u + 977u * (uint64_t)round;
  for (size_t k = 0; k < count; k++) numbers[k] = number(round);
  state = later;
}

/* The twin that takes sines and cosines. */
#define RUN_TWIN(f, in, out) twin_##f(in, out, round)
#define TWIN(f)                                                                                    \
  static unsigned twin_##f(const JOIN(PREFIX, f, _in) * in, JOIN(PREFIX, f, _out) * out,           \
                           int round) {                                                            \
    typedef JOIN(PREFIX, trig, ) angles;                                                           \
    angles *trig = room(sizeof *trig), *same = room(sizeof *same);                                 \
    fill((real *)(void *)trig, sizeof *trig / sizeof(real), round);                                \
    memcpy(same, trig, sizeof *trig);                                                              \
    const unsigned status = (unsigned)JOIN(PREFIX, f, _trig)(trig, in, out);                       \
    check(memcmp(same, trig, sizeof *trig) == 0, #f, "sines are written to", round);               \
    free(trig), free(same);                                                                        \
    return status;                                                                                 \
  }                                                                                                \
  WATCH_OF(twin_watch_##f, f, f, f, RUN_TWIN)

/* One that takes and fills the structs of others. */
#define WITH(f, takes, fills) WATCH_OF(watch_##f, f, takes, fills, RUN_PLAIN)

/* What comes after the bounded rows' problem: that, and a force per row, are any numbers too. */
#define RUN_AFTER(f, in, out) after_##f(in, out, round)
#define AFTER(f, problem, takes, fills)                                                            \
  static unsigned after_##f(const JOIN(PREFIX, takes, _in) * in, JOIN(PREFIX, fills, _out) * out,  \
                            int round) {                                                           \
    typedef JOIN(PREFIX, problem, _out) posed;                                                     \
    posed *given = room(sizeof *given);                                                            \
    real *nu = room(ROWS * sizeof *nu);                                                            \
    fill((real *)(void *)given, sizeof *given / sizeof(real), round);                              \
    fill(nu, ROWS, round);                                                                         \
    const unsigned status = (unsigned)JOIN(PREFIX, f, )(in, given, nu, out);                       \
    free(given), free(nu);                                                                         \
    return status;                                                                                 \
  }                                                                                                \
  WATCH_OF(watch_##f, f, takes, fills, RUN_AFTER)

/* K states at once: all status in one number. */
#define RUN_BATCH(f, in, out) run_##f(in, out)
#define BATCH(f)                                                                                   \
  static unsigned run_##f(const JOIN(PREFIX, f, _in) * in, JOIN(PREFIX, f, _out) * out) {          \
    JOIN(PREFIX, status, ) *status = room(AT_ONCE * sizeof *status);                               \
    unsigned all = 0;                                                                              \
    UNDEFINED(status, AT_ONCE * sizeof *status);                                                   \
    JOIN(PREFIX, f, )(in, out, status);                                                            \
    for (int k = 0; k < AT_ONCE; k++) all = 37 * all + (unsigned)status[k];                        \
    free(status);                                                                                  \
    return all;                                                                                    \
  }                                                                                                \
  WATCH(f, RUN_BATCH)

CALLS

#undef CALL
#undef BATCH
#undef TWIN
#undef AFTER
#undef WITH
#define TWIN(f) twin_watch_##f(round);
#define AFTER(f, problem, takes, fills) watch_##f(round);
#define WITH(f, takes, fills) watch_##f(round);
#define CALL(f) watch_##f(round);
#define BATCH(f) watch_##f(round);
int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    CALLS
  }
  return failures != 0;
}

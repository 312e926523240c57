/* contract.c: calls emitted functions with any numbers, for sanitizers and memcheck to watch. The
 * build gives HEADER, PREFIX and CALLS, such as CALL(achd) CALL(id)
 * BATCH(achd_batch), the last with LANES.
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
#define WATCH(f, RUN)                                                                              \
  static void watch_##f(int round) {                                                               \
    typedef JOIN(PREFIX, f, _in) input;                                                            \
    typedef JOIN(PREFIX, f, _out) output;                                                          \
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

/* K states at once: all status in one number. */
#define RUN_BATCH(f, in, out) run_##f(in, out)
#define BATCH(f)                                                                                   \
  static unsigned run_##f(const JOIN(PREFIX, f, _in) * in, JOIN(PREFIX, f, _out) * out) {          \
    JOIN(PREFIX, status, ) *status = room(LANES * sizeof *status);                                 \
    unsigned all = 0;                                                                              \
    UNDEFINED(status, LANES * sizeof *status);                                                     \
    JOIN(PREFIX, f, )(in, out, status);                                                            \
    for (int k = 0; k < LANES; k++) all = 37 * all + (unsigned)status[k];                          \
    free(status);                                                                                  \
    return all;                                                                                    \
  }                                                                                                \
  WATCH(f, RUN_BATCH)

CALLS

#undef CALL
#undef BATCH
#define CALL(f) watch_##f(round);
#define BATCH(f) watch_##f(round);
int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    CALLS
  }
  return failures != 0;
}

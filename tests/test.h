/* SPDX-License-Identifier: MIT */
/* test.h: what a test needs to say. A failure prints its place and the test goes on; the program's
 * exit status is 0 when no check failed. With ACHD_FIRST_FAILURE in the environment the first one ends it.
 *
 *   static void turns_are_exact(void) { CHECK(cosine == 0); }
 *   int main(void) { RUN(turns_are_exact); return test_end(); }                            */
#ifndef AG_TEST_H
#define AG_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Built with the address sanitizer, where all takes several times as long: tests that try thousands of
 * the same may try fewer there; built without it they try them all. */
#if defined(__has_feature) /* clang's */
#if __has_feature(address_sanitizer)
#define TEST_WITH_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(TEST_WITH_SANITIZER)
enum { TEST_SANITIZED = 1 };
#else
enum { TEST_SANITIZED = 0 };
#endif

static int test_checks, test_failures;
static const char *test_name;

static inline void test_report(const char *file, int line, bool good, const char *what) {
  ++test_checks;
  if (good) return;
  ++test_failures;
  printf("%s:%d: %s: %s\n", file, line, test_name, what);
  if (getenv("ACHD_FIRST_FAILURE")) exit(1);
}

static inline void test_text(const char *file, int line, const char *got, const char *wanted) {
  char what[4096];
  snprintf(what, sizeof what, "got    %s\n  wanted %s", got, wanted);
  test_report(file, line, strcmp(got, wanted) == 0, what);
}

static inline void test_near(const char *file, int line, const char *text, double got,
                             double wanted, double tolerance) {
  char what[512];
  snprintf(what, sizeof what, "%s is %.17g, wanted %.17g within %g", text, got, wanted, tolerance);
  test_report(file, line, fabs(got - wanted) <= tolerance, what); /* NaN fails */
}

static inline int test_end(void) {
  printf("%d checks, %d failed\n", test_checks, test_failures);
  return test_failures != 0;
}

#define CHECK(condition) test_report(__FILE__, __LINE__, condition, #condition)
#define CHECK_TEXT(got, wanted) test_text(__FILE__, __LINE__, got, wanted)
#define CHECK_NEAR(got, wanted, tolerance)                                                         \
  test_near(__FILE__, __LINE__, #got, got, wanted, tolerance)
#define RUN(test) (test_name = #test, test())

#endif

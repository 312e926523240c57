/* SPDX-License-Identifier: MIT */
/* chatter_test.c: contacts that are lost again and again are told; others are not, and noise is none. */
#include <achd/chatter.h>

#include "random.h"
#include "test.h"

static const achd_real period = (achd_real)1e-3;

/* Losses that are counted after `time` at so many a second, 0 N and twice 10 N in turns. */
static achd_chatter after(double rate, double time) {
  achd_chatter c = {0};
  for (int k = 0; k < time / 1e-3; k++)
    achd_chatter_watch(&c, fmod(k * 1e-3 * rate, 1) < 0.5 ? 20 : 0, 10, period);
  return c;
}

static void losses_are_counted(void) {
  static const double rates[] = {0.5, 2, 5, 15, 25, 50, 200, 400};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
    const achd_chatter c = after(rates[k], 10);
    CHECK_NEAR((double)c.losses, rates[k], 1 + 0.02 * rates[k]);
    CHECK(c.chatters == (rates[k] > 20));
  }
  CHECK(!after(200, 0.05).chatters && after(200, 0.15).chatters);
}

/* A soft contact under a force that goes up and down is not lost, however far it goes up. */
static void what_is_not_lost_is_no_chatter(void) {
  achd_chatter c = {0};
  for (int k = 0; k < 5000; k++)
    CHECK(!achd_chatter_watch(&c, (achd_real)(16 + 14 * sin(0.5 * k)), 10, period));
  CHECK(c.losses == 0 && c.touching);
  for (int k = 0; k < 5000; k++) /* nor is a force that never reaches its set-point */
    CHECK(!achd_chatter_watch(&c, (achd_real)(4 + 4 * sin(0.5 * k)), 10, period));
  CHECK(c.losses < 1);
}

static void it_ends(void) {
  achd_chatter c = after(200, 2);
  int cycles = 0;
  while (achd_chatter_watch(&c, 10, 10, period) && cycles < 9999) cycles++;
  CHECK(cycles > 1000 && cycles < 4000 && c.losses <= 10); /* log 17 seconds */
  c = after(200, 2);
  CHECK(!achd_chatter_watch(&c, 0, 0, period) && c.losses == 0); /* nothing is pressed any more */
}

/* The norm of three components with noise, with and without contact, at every size of the noise. */
static void noise_is_no_chatter(void) {
  unsigned long long random = 1;
  for (double d = 0.5; d < 30; d *= 1.3)
    for (int touching = 0; touching < 2; touching++) {
      achd_chatter c = {0};
      for (int k = 0; k < 20000; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
          const double f = d * random_normal(&random) + (i == 2 && touching ? 10 : 0);
          sum += f * f;
        }
        CHECK(!achd_chatter_watch(&c, (achd_real)sqrt(sum), 10, period));
      }
    }
}

static void numbers_of_no_use(void) {
  static const achd_real odd[] = {NAN, INFINITY, -1, 0, 1e30f};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 5; k++) {
        achd_chatter c = after(200, 1);
        for (int n = 0; n < 3; n++) achd_chatter_watch(&c, odd[i], odd[j], odd[k]);
        CHECK(achd_finite(c.losses) && c.losses >= 0);
        if (!(odd[j] > 0)) CHECK(c.losses == 0 && !c.chatters && !c.touching);
      }
}

int main(void) {
  RUN(losses_are_counted);
  RUN(what_is_not_lost_is_no_chatter);
  RUN(it_ends);
  RUN(noise_is_no_chatter);
  RUN(numbers_of_no_use);
  return test_end();
}

/* SPDX-License-Identifier: MIT */
// copies.cpp: the second copies of generated functions, which ACHD_KDL_CPU asks for (achd/kdl_chain.hpp). With AVX2 their
// bits are those of the first; with FMA the last digits differ. Compiled with CHAIN, as kdl_test.cpp, and with
// -O2: with less both copies call the same function, or nothing becomes an FMA.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "test.h"

typedef CHAIN Chain;

static void put_masks(Chain::achd_one_in &) {}
static void put_masks(Chain::fd_in &) {}
static void put_masks(Chain::achd_six_in &in) {
  for (double &mask : in.mask) mask = std::rand() % 4 ? 1 : 0;
}

static int differ; // numbers of both copies that are not the same bits
static double worst;

// Calls both copies with the same numbers.
template <class In, class Out> static void compare() {
  const std::size_t inputs = sizeof(In) / sizeof(double), results = sizeof(Out) / sizeof(double);
  double given[inputs], a[results], b[results];
  for (int trial = 0; trial < 100; trial++) {
    for (double &x : given) x = 2.0 * std::rand() / RAND_MAX;
    In in;
    Out plain, wide;
    std::memcpy(&in, given, sizeof in);
    put_masks(in);
    const unsigned status = Chain::plain(in, plain);
    CHECK(Chain::wide(in, wide) == status);
    std::memcpy(a, &plain, sizeof a);
    std::memcpy(b, &wide, sizeof b);
    double size = 1;
    for (double x : a) size = std::max(size, std::fabs(x));
    for (std::size_t k = 0; k < results; k++) {
      CHECK(std::isfinite(a[k]));
      differ += std::memcmp(a + k, b + k, sizeof *a) != 0;
      if (status == 0) worst = std::max(worst, std::fabs(a[k] - b[k]) / size);
    }
  }
}

int main() {
  test_name = "copies";
  if (!achd::kdl::is_wide()) return 77; // not this processor, or not this compiler
  compare<Chain::achd_one_in, Chain::achd_one_out>();
  compare<Chain::achd_six_in, Chain::achd_six_out>();
  compare<Chain::fd_in, Chain::fd_out>();
  std::printf("ACHD_KDL_CPU %d: %d numbers differ, by %.1e at most\n", ACHD_KDL_CPU, differ, worst);
  CHECK(ACHD_KDL_CPU == 1 ? differ == 0 : differ > 100 && worst < 1e-9);
  return test_end();
}

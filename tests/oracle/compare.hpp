/* SPDX-License-Identifier: MIT */
// compare.hpp: relative errors per quantity: how many cases, the worst, and how many beyond
// tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "linear.hpp"

namespace oracle {

// Relative error of a block: |x - x_ref| / (|x_ref| + floor), largest norms. The floor is 1e-3 of
// the SI unit (rad/s^2, m/s^2, N, N m): less than any sensor of a robot resolves, so that a block
// that is zero but for rounding is not judged by its digits.
const real unit_floor = 1e-3L;
template <class A, class B>
double relative(const A &x, const B &reference, real floor = unit_floor) {
  if (x.size() == 0) return 0;
  if (!x.template cast<double>().allFinite()) return INFINITY;
  const Mat ref = reference.template cast<real>();
  return double((x.template cast<real>() - ref).cwiseAbs().maxCoeff() /
                (ref.cwiseAbs().maxCoeff() + floor));
}

class Comparison {
public:
  explicit Comparison(std::string heading) : title(std::move(heading)) {}

  // False where the error is beyond the tolerance (infinity: printed, not judged); `where` is
  // printed for the first few.
  bool add(const std::string &quantity, double error, double tolerance,
           const std::string &where = "") {
    Entry &entry = find(quantity);
    entry.cases++;
    const bool good = error <= tolerance; // NaN is not
    if (!good && ++entry.bad <= 3)
      std::printf("  BAD %s: %s: error %.3g, tolerance %.3g  %s\n", title.c_str(), quantity.c_str(),
                  error, tolerance, where.c_str());
    if (!(error <= entry.worst)) entry.worst = error;
    if (!(error / tolerance <= entry.worst_ratio)) entry.worst_ratio = error / tolerance;
    entry.errors.push_back(error);
    return good;
  }

  int bad() const { // so far
    int count = 0;
    for (const Entry &entry : entries) count += entry.bad;
    return count;
  }

  // A line per quantity, in the order of their names; returns the number of bad cases.
  int print() {
    int bad = 0;
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) { return a.quantity < b.quantity; });
    std::printf("%s\n", title.c_str());
    for (Entry &entry : entries) {
      std::sort(entry.errors.begin(), entry.errors.end());
      std::printf(
          "  %-38s %6d cases  median %8.1e  99%% %8.1e  worst %8.1e  worst/tolerance %8.1e%s\n",
          entry.quantity.c_str(), entry.cases, entry.errors[entry.errors.size() / 2],
          entry.errors[entry.errors.size() * 99 / 100], entry.worst, entry.worst_ratio,
          entry.bad ? "  FAILED" : "");
      bad += entry.bad;
    }
    return bad;
  }

private:
  struct Entry {
    std::string quantity;
    int cases = 0, bad = 0;
    double worst = 0, worst_ratio = 0;
    std::vector<double> errors;
  };
  Entry &find(const std::string &quantity) {
    for (Entry &entry : entries)
      if (entry.quantity == quantity) return entry;
    entries.push_back({quantity, 0, 0, 0, 0, {}});
    return entries.back();
  }
  std::string title;
  std::vector<Entry> entries;
};

} // namespace oracle

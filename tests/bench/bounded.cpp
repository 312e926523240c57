/* SPDX-License-Identifier: MIT */
// bounded.cpp: seven friction rows and six task rows on gen3: microseconds and pivots per state of
// mclp, solver and apply, over random states at rest, cold and warm; beside one solve of KDL's
// Vereshchagin solver (no friction), and the published search of the vertices of |mu| <= f, which
// takes 2^7 solves (Vukcevic 2018).
//
//   achdgen_bounded_bench URDF [STATES]   default 100000
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <achd/mclp.h>

#include "bounded.h"
#include "opponents.hpp"
#include "oracle/states.hpp"
#include "vertex.h"

namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

void row(const char *name, std::vector<double> values, const char *unit) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  std::printf("%s,%s,%.3g,%.3g,%.3g\n", name, unit, values[n / 2], values[n * 999 / 1000],
              values.back());
}

struct Times {
  std::vector<double> whole, solver, pivots;
  double residual = 0;
  size_t unsolved = 0;
};

void solve(const bounded_achd_in &in, signed char side[BOUNDED_NR], Times &times) {
  static double work[ACHD_MCLP_WORK(BOUNDED_NR)];
  bounded_mclp_out p;
  bounded_achd_out out;
  double nu[BOUNDED_NR];
  achd_mclp_report report;
  const double start = now();
  bounded_mclp(&in, &p);
  const double made = now();
  const achd_mclp_problem problem = {BOUNDED_NR, p.L, p.r, p.lo, p.hi};
  const achd_mclp_status solved = achd_mclp(&problem, nu, side, 0, work, &report);
  const double found = now();
  bounded_apply(&in, &p, nu, &out);
  times.whole.push_back(now() - start);
  times.solver.push_back(found - made);
  times.pivots.push_back(report.pivots);
  times.residual = std::max(times.residual, report.residual);
  times.unsolved += solved != ACHD_MCLP_SOLVED;
}

void print(const char *how, const Times &t) {
  row((std::string("mclp + solver + apply, ") + how).c_str(), t.whole, "us");
  row((std::string("solver alone, ") + how).c_str(), t.solver, "us");
  row((std::string("pivots, ") + how).c_str(), t.pivots, "1");
  std::printf("# %s: worst residual %.1e, not solved %zu\n", how, t.residual, t.unsolved);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const size_t states = argc > 2 ? size_t(std::atoi(argv[2])) : 100000;
  const oracle::Robot robot = oracle::read_urdf(argv[1]);
  oracle::Random random(1);
  std::vector<bounded_achd_in> inputs(states);
  std::vector<bench::Input> others;
  for (auto &in : inputs) {
    in.gravity[0] = in.gravity[1] = 0, in.gravity[2] = -9.81;
    bench::Input other;
    other.state = oracle::rest(robot);
    other.state.gravity = oracle::Vec3(0, 0, -9.81L);
    for (int i = 0; i < BOUNDED_NJ; i++) {
      other.state.q[i] = in.q[i] = random.uniform(-3.1, 3.1);
      in.qd[i] = 0;
      in.friction[i] = random.uniform(0, 10);
      in.tau_art[i] = random.uniform(-20, 20);
    }
    for (double &b : in.b) b = random.uniform(-5, 5);
    other.b.assign(in.b, in.b + 6);
    other.mask.assign(6, 1);
    other.tau = other.qdd = Eigen::VectorXd::Zero(robot.nd());
    if (others.size() < 1000) others.push_back(other);
  }

  std::printf("what,unit,median,99.9%%,worst\n");
  Times cold, warm;
  for (const auto &in : inputs) {
    signed char side[BOUNDED_NR] = {0};
    solve(in, side, cold);
    for (int i = 0; i < 1; i++) {
      bounded_achd_in next = in; // a millisecond later
      for (double &q : next.q) q += random.uniform(-1e-3, 1e-3);
      for (double &t : next.tau_art) t += random.uniform(-0.1, 0.1);
      solve(next, side, warm);
    }
  }
  print("cold", cold);
  print("from the sides of a cycle before", warm);

  const bench::Opponent kdl =
      bench::kdl_constrained(robot, robot.link("tool_frame"), {0, 1, 2, 3, 4, 5}, others);
  std::vector<double> kdl_times, vertex_times;
  double sum = 0;
  for (int k = 0; k < 51; k++) {
    const double start = now();
    sum += kdl.batch();
    kdl_times.push_back((now() - start) / double(others.size()));
  }
  row("one solve of KDL (six rows, no friction)", kdl_times, "us");
  for (size_t k = 0; k < std::min<size_t>(states, 2000); k++) {
    vertex_achd_in in = {};
    vertex_achd_out out;
    std::copy(inputs[k].q, inputs[k].q + BOUNDED_NJ, in.q);
    std::copy(inputs[k].tau_art, inputs[k].tau_art + BOUNDED_NJ, in.tau_art);
    std::copy(inputs[k].b, inputs[k].b + 6, in.b);
    in.gravity[2] = -9.81;
    const double start = now();
    for (int vertex = 0; vertex < 1 << BOUNDED_NJ; vertex++) {
      for (int i = 0; i < BOUNDED_NJ; i++)
        in.tau_phys[i] = (vertex >> i & 1) ? inputs[k].friction[i] : -inputs[k].friction[i];
      vertex_achd(&in, &out);
      sum += out.qdd[0];
    }
    vertex_times.push_back(now() - start);
  }
  row("vertex search, 128 solves", vertex_times, "us");
  std::printf("# checksum %g\n", sum);
  return cold.unsolved + warm.unsolved > 0;
}

/* SPDX-License-Identifier: MIT */
// kdl_call.cpp: processor time of a whole call, KDL's and ours in turns, medians. Compiled with CHAIN, as tests/kdl.
#include <kdl/chainhdsolver_vereshchagin.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

typedef CHAIN Chain;

static double random_number() {
  return 2.0 * std::rand() / RAND_MAX - 1;
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

static double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

enum { STATES = 32, ROUNDS = 301 };

struct State {
  KDL::JntArray q, qd, beta;
};

// One round of calls; what they give is looked at, so that none is left out.
template <class Solver>
static double round_of(Solver &solver, const std::vector<State> &states, const KDL::Jacobian &alpha,
                       const KDL::Wrenches &f) {
  const unsigned n = Chain::joints;
  KDL::JntArray qdd(n), ff(n), torques(n);
  double sum = 0;
  const double start = now();
  for (const State &s : states) {
    solver.CartToJnt(s.q, s.qd, qdd, alpha, s.beta, f, ff, torques);
    sum += qdd(0);
  }
  const double took = (now() - start) / STATES;
  if (sum != sum) std::abort();
  return took;
}

// With CASE (0: six constraints, 1: with a wrench at the tip, 2: one, 3: one with a wrench), SOLVER (kdl, achd) and ROUNDS
// behind the name only these rounds, for a tool that counts instructions.
int main(int argc, char **argv) {
  const KDL::Chain chain = Chain::chain();
  const KDL::Twist root(KDL::Vector(0, 0, 9.81), KDL::Vector::Zero());
  const unsigned n = Chain::joints, counts[] = {6, 1};
  for (int at = 0; at < 4; at++) {
    if (argc > 4 && at != std::atoi(argv[2])) continue;
    const unsigned nc = counts[at / 2];
    const bool wrench = at % 2 == 1;
    KDL::Jacobian alpha(nc);
    for (unsigned c = 0; c < nc; c++) alpha(c, c) = 1;
    KDL::Wrenches f(chain.getNrOfSegments());
    if (wrench) f.back()(0) = 3;
    std::vector<State> states(STATES);
    for (State &s : states) {
      s.q = s.qd = KDL::JntArray(n);
      s.beta = KDL::JntArray(nc);
      for (unsigned j = 0; j < n; j++) s.q(j) = 3 * random_number(), s.qd(j) = random_number();
      for (unsigned c = 0; c < nc; c++) s.beta(c) = random_number();
    }
    KDL::ChainHdSolver_Vereshchagin theirs(chain, root, nc);
    achd::ChainHdSolver_Vereshchagin<Chain> ours(chain, root, nc);
    if (argc > 4) {
      const bool kdl = std::strcmp(argv[3], "kdl") == 0;
      for (int k = 0; k < std::atoi(argv[4]); k++)
        kdl ? round_of(theirs, states, alpha, f) : round_of(ours, states, alpha, f);
      continue;
    }
    std::vector<double> a, b;
    for (int k = 0; k < ROUNDS; k++) {
      a.push_back(round_of(theirs, states, alpha, f));
      b.push_back(round_of(ours, states, alpha, f));
    }
    std::printf("%s, %u constraints%s: KDL %.2f us, ours %.3f us, ratio %.1f\n", argv[1], nc,
                wrench ? ", a wrench at the tip" : "", median(a), median(b), median(a) / median(b));
  }
  return 0;
}

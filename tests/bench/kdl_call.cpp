// kdl_call.cpp: processor time of a whole call, KDL's and ours in turns, medians. Compiled with CHAIN, as tests/kdl.
#include <kdl/chainhdsolver_vereshchagin.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

int main(int, char **argv) {
  const KDL::Chain chain = Chain::chain();
  const KDL::Twist root(KDL::Vector(0, 0, 9.81), KDL::Vector::Zero());
  const unsigned n = Chain::joints, counts[] = {6, 1};
  for (unsigned nc : counts)
    for (int wrench = 0; wrench < 2; wrench++) {
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
      std::vector<double> a, b;
      for (int k = 0; k < ROUNDS; k++) {
        a.push_back(round_of(theirs, states, alpha, f));
        b.push_back(round_of(ours, states, alpha, f));
      }
      std::printf("%s, %u constraints%s: KDL %.2f us, ours %.3f us, ratio %.1f\n", argv[1], nc,
                  wrench ? ", a wrench at the tip" : "", median(a), median(b),
                  median(a) / median(b));
    }
  return 0;
}

/* SPDX-License-Identifier: MIT */
// momentum.cpp: times of a Gen3's functions of momentum and passivity beside those of others, in turns, the least of many short
// repeats; what both sides give is compared first. KDL: ChainDynParam::JntToCoriolis (C qd) and JntToMass (M, of which C qd and
// M qd are all that it has of momentum), ChainExternalWrenchEstimator (its momentum observer with the wrench at the tip). Compiled
// with gen3_kdl.hpp for the chain, and arm.h and slope.h for our functions (momentum.sh). With the argument `counts`: only whether
// both agree.
#include <achd/observer.h>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainexternalwrenchestimator.hpp>

#include "arm.h"
#include "slope.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

namespace {

enum { N = ARM_NJ, STATES = 256, ROUNDS = 801 };

struct State {
  double q[N], qd[N], qdd[N], tau[N];
  KDL::JntArray kdl_q{N}, kdl_qd{N}, kdl_tau{N};
};

double random_number() {
  return 2.0 * std::rand() / RAND_MAX - 1;
}

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

volatile double sink; // so that no call is left out

struct Contestant {
  const char *name;
  std::function<double(const State &)> call;
  std::vector<double> times;
  double least() const { return *std::min_element(times.begin(), times.end()); }
};

template <class In> In given(const State &s) {
  In in = In();
  std::memcpy(in.q, s.q, sizeof s.q);
  return in;
}
template <class In> In moving(const State &s) {
  In in = given<In>(s);
  std::memcpy(in.qd, s.qd, sizeof s.qd);
  return in;
}

double coriolis(const State &s) {
  const arm_coriolis_in in = moving<arm_coriolis_in>(s);
  arm_coriolis_out out;
  arm_coriolis(&in, &out);
  return out.C[0][1];
}
double bias(const State &s) {
  const arm_bias_in in = moving<arm_bias_in>(s);
  arm_bias_out out;
  arm_bias(&in, &out);
  return out.tau[1];
}
double slope(const State &s) {
  slope_did_in in = moving<slope_did_in>(s);
  slope_did_out out;
  std::memcpy(in.qdd, s.qdd, sizeof s.qdd);
  slope_did(&in, &out);
  return out.dtau_dqd[0][1];
}
double inverse(const State &s) {
  arm_id_in in = moving<arm_id_in>(s);
  arm_id_out out;
  std::memcpy(in.qdd, s.qdd, sizeof s.qdd);
  arm_id(&in, &out);
  return out.tau[0];
}
double slotine_li(const State &s) {
  arm_slotine_li_in in = moving<arm_slotine_li_in>(s);
  arm_slotine_li_out out;
  std::memcpy(in.qd_r, s.qdd, sizeof s.qdd);
  std::memcpy(in.qdd_r, s.tau, sizeof s.tau);
  arm_slotine_li(&in, &out);
  return out.tau[0];
}
double momentum(const State &s) {
  const arm_momentum_in in = moving<arm_momentum_in>(s);
  arm_momentum_out out;
  arm_momentum(&in, &out);
  return out.p[0] + out.beta[1];
}
double centroidal(const State &s) {
  const arm_centroidal_in in = moving<arm_centroidal_in>(s);
  arm_centroidal_out out;
  arm_centroidal(&in, &out);
  return out.h_G.lin[0];
}
double osim(const State &s) {
  const arm_osim_in in = moving<arm_osim_in>(s);
  arm_osim_out out;
  arm_osim(&in, &out);
  return out.Lambda[0];
}
double manipulability(const State &s) {
  const arm_manipulability_in in = given<arm_manipulability_in>(s);
  arm_manipulability_out out;
  arm_manipulability(&in, &out);
  return out.manipulability.bracelet_link;
}

// The momentum observer, and the wrench at the tip that explains it.
achd_observer observer;
achd_observer_joint joints[N];
double observe(const State &s) {
  const arm_momentum_in in = moving<arm_momentum_in>(s);
  arm_momentum_out out;
  arm_momentum(&in, &out);
  const achd_observer_input input = {out.p, out.beta, s.qd, s.tau, 1e-3, true};
  achd_observer_step(&observer, joints, N, &input);
  return observer.tau_ext[0];
}
double observe_wrench(const State &s) {
  observe(s);
  const arm_jac_in in = given<arm_jac_in>(s);
  arm_jac_out out;
  arm_jac(&in, &out);
  achd_contact_wrench wrench;
  achd_contact_locate(&wrench, N, &out.jac.bracelet_link.lin[0][0],
                      &out.jac.bracelet_link.ang[0][0], observer.tau_ext);
  return wrench.lin[0];
}

} // namespace

int main(int argc, char **argv) {
  const KDL::Chain chain = gen3_kdl::chain();
  KDL::ChainDynParam dynamics(chain, KDL::Vector(0, 0, -9.81));
  KDL::ChainExternalWrenchEstimator estimator(chain, KDL::Vector(0, 0, -9.81), 1000, 150, 0);
  std::vector<State> states(STATES);
  for (achd_observer_joint &j : joints) j = {150, 0, 0, 0, 0};
  for (State &s : states)
    for (int j = 0; j < N; j++) {
      s.kdl_q(unsigned(j)) = s.q[j] = 2 * random_number();
      s.kdl_qd(unsigned(j)) = s.qd[j] = random_number();
      s.kdl_tau(unsigned(j)) = s.tau[j] = 10 * random_number();
      s.qdd[j] = 3 * random_number();
    }
  double apart = 0;
  for (const State &s : states) { // C qd of both; p of both
    KDL::JntArray theirs(N), p(N);
    KDL::JntSpaceInertiaMatrix M(N);
    dynamics.JntToCoriolis(s.kdl_q, s.kdl_qd, theirs);
    dynamics.JntToMass(s.kdl_q, M);
    KDL::Multiply(M, s.kdl_qd, p);
    const arm_coriolis_in in = moving<arm_coriolis_in>(s);
    const arm_momentum_in of_momentum = moving<arm_momentum_in>(s);
    arm_coriolis_out C;
    arm_momentum_out mine;
    arm_coriolis(&in, &C);
    arm_momentum(&of_momentum, &mine);
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += C.C[i][j] * s.qd[j];
      apart = std::max(
          {apart, std::fabs(sum - theirs(unsigned(i))), std::fabs(mine.p[i] - p(unsigned(i)))});
    }
  }
  std::printf("C qd and M qd: KDL's and ours at most %.1e apart\n", apart);
  if (!(apart < 1e-5)) return 1; // angles of the URDF are snapped in ours
  if (argc > 1 && std::strcmp(argv[1], "counts") == 0) return 0;

  KDL::JntArray out(N), p(N);
  KDL::JntSpaceInertiaMatrix M(N);
  KDL::Wrench wrench;
  std::vector<Contestant> all = {
      {"id", inverse, {}},
      {"coriolis: C", coriolis, {}},
      {"did with dtau_dqd alone", slope, {}},
      {"slotine_li", slotine_li, {}},
      {"momentum: p and beta", momentum, {}},
      {"bias: C qd", bias, {}},
      {"KDL JntToCoriolis: C qd",
       [&](const State &s) { return dynamics.JntToCoriolis(s.kdl_q, s.kdl_qd, out), out(1); },
       {}},
      {"KDL JntToMass times qd: p",
       [&](const State &s) {
         dynamics.JntToMass(s.kdl_q, M);
         KDL::Multiply(M, s.kdl_qd, p);
         return p(0);
       },
       {}},
      {"centroidal", centroidal, {}},
      {"osim, six rows", osim, {}},
      {"manipulability with gradient, three kinds", manipulability, {}},
      {"momentum and observer", observe, {}},
      {"momentum, observer, wrench at the tip", observe_wrench, {}},
      {"KDL ChainExternalWrenchEstimator",
       [&](const State &s) {
         return estimator.JntToExtWrench(s.kdl_q, s.kdl_qd, s.kdl_tau, wrench), wrench(0);
       },
       {}}};
  for (int k = 0; k < ROUNDS; k++)
    for (Contestant &c : all) {
      double sum = 0;
      const double start = now();
      for (const State &s : states) sum += c.call(s);
      c.times.push_back((now() - start) / STATES);
      sink = sum;
    }
  const auto time_of = [&](const char *name) {
    for (Contestant &c : all)
      if (std::strcmp(c.name, name) == 0) return c.least();
    return 0.0;
  };
  for (Contestant &c : all) std::printf("%-42s %8.0f ns\n", c.name, c.least());
  const struct {
    const char *what, *of, *by;
  } ratios[] = {{"C / did with dtau_dqd", "coriolis: C", "did with dtau_dqd alone"},
                {"slotine_li / id", "slotine_li", "id"},
                {"momentum / id", "momentum: p and beta", "id"},
                {"KDL C qd / bias", "KDL JntToCoriolis: C qd", "bias: C qd"},
                {"KDL C qd / C", "KDL JntToCoriolis: C qd", "coriolis: C"},
                {"KDL p / momentum", "KDL JntToMass times qd: p", "momentum: p and beta"},
                {"KDL wrench estimator / ours", "KDL ChainExternalWrenchEstimator",
                 "momentum, observer, wrench at the tip"}};
  for (const auto &r : ratios) std::printf("%-42s %8.2f\n", r.what, time_of(r.of) / time_of(r.by));
  return 0;
}

/* SPDX-License-Identifier: MIT */
#include "blur.hpp"

#include <cmath>
#include <memory>

namespace oracle {

namespace {

// Sizes of the terms that are summed in the numbers of a Motion.
struct Sizes {
  Mat M;
  Vec h;
  std::vector<Mat> lin, ang; // by link, 1 x nv: of its Jacobians
  Vec a, al;                 // by link: of its accelerations where vdot = 0
};

using Chosen = std::function<bool(int)>;

// lin and ang of a link: how far the path from each joint to its origin is, and 1 where it turns.
void along_path(const Robot &robot, const State &state, int link, Mat &lin, Mat &ang) {
  lin = ang = Mat::Zero(1, robot.nv());
  real path = 0;
  for (int j = link; j >= 0; j = robot.links[size_t(j)].parent) {
    const Joint &joint = robot.links[size_t(j)].joint;
    const int i = robot.nb() + joint.dof;
    const real ratio = std::abs(joint.ratio);
    if (joint.type == JointType::revolute) {
      lin(i) += ratio * path;
      ang(i) += ratio;
    } else if (joint.type == JointType::prismatic) {
      lin(i) += ratio;
      path += std::abs(joint.ratio * state.q[joint.dof] + joint.offset);
    }
    path += joint.p.norm();
  }
  for (int i = 0; i < robot.nb(); i++) {
    const bool turns = robot.nb() == 3 ? i == 2 : i >= 3;
    lin(i) = turns ? path : 1;
    ang(i) = turns ? 1 : 0;
  }
}

// Of the links that are chosen:
//   M_ij = sum m l_i l_j + I w_i w_j,   h_i = sum m l_i (g + 2 w v) + 2 I w_i w^2,   l, v of the centre of mass
Sizes sizes(const Robot &robot, const State &state, const Chosen &chosen) {
  const int nv = robot.nv(), links = int(robot.links.size());
  Sizes s{Mat::Zero(nv, nv),
          Vec::Zero(nv),
          std::vector<Mat>(robot.links.size()),
          std::vector<Mat>(robot.links.size()),
          Vec::Zero(links),
          Vec::Zero(links)};
  Vec u(nv);
  for (int i = 0; i < robot.nb(); i++)
    u[i] = std::abs(state.base_twist[robot.nb() == 3 && i == 2 ? 5 : i]);
  u.tail(robot.nd()) = state.qd.cwiseAbs();
  const real g = state.gravity.norm();
  for (int l = 0; l < links; l++) {
    Mat &lin = s.lin[size_t(l)], &ang = s.ang[size_t(l)];
    along_path(robot, state, l, lin, ang);
    if (!chosen(l)) lin.setZero(), ang.setZero();
    const auto given = state.inertia.find(l);
    const Inertia body =
        given == state.inertia.end() ? robot.links[size_t(l)].inertia : at_com(given->second);
    const real turn = body.I.trace(), w = (ang * u)(0), v = (lin * u)(0);
    const Mat of_com = lin + ang * body.c.norm();
    s.M += body.m * of_com.transpose() * of_com + turn * ang.transpose() * ang;
    s.h += (body.m * (g + 2 * w * (of_com * u)(0)) * of_com + 2 * turn * w * w * ang).transpose();
    s.a[l] = 2 * w * v;
    s.al[l] = w * w;
  }
  return s;
}

Sizes slope(Sizes to, const Sizes &from, real step) {
  to.M = (to.M - from.M) / step;
  to.h = (to.h - from.h) / step;
  to.a = (to.a - from.a) / step;
  to.al = (to.al - from.al) / step;
  for (size_t l = 0; l < to.lin.size(); l++) {
    to.lin[l] = (to.lin[l] - from.lin[l]) / step;
    to.ang[l] = (to.ang[l] - from.ang[l]) / step;
  }
  return to;
}

// Of what the k-th column of a derivative changes in a Motion: a turn changes all beyond it by terms of
// their own size, a slide and a velocity by those that have it.
Sizes change(const Robot &robot, const Sample &sample, const By &by, int k) {
  const State &state = sample.state;
  const int dof = k - robot.nb();
  const Chosen all = [](int) { return true; };
  const auto beyond = [&](int l) {
    Mat lin, ang;
    along_path(robot, state, l, lin, ang);
    return ang(k) > 0;
  };
  const bool slides = dof >= 0 && robot.dofs[size_t(dof)].prismatic;
  if (by.name == "q" && !slides) return sizes(robot, state, beyond);
  const real step = 1e-3L;
  State more = state; // away from zero, where a size has its kink
  const auto larger = [&](real x) { return x < 0 ? x - step : x + step; };
  if (by.name == "q")
    more.q[dof] = larger(more.q[dof]);
  else if (dof >= 0)
    more.qd[dof] = larger(more.qd[dof]);
  else {
    real &u = more.base_twist[robot.nb() == 3 && k == 2 ? 5 : k];
    u = larger(u);
  }
  return slope(sizes(robot, more, all), sizes(robot, state, all), step);
}

// Roundings of one Motion, its links twice.
struct Noise {
  Mat M;
  Vec h;
  std::vector<Mat> Jv, Jw;
  std::vector<Vec3> a, al;
};

Noise drawn(const Sizes &s, Random &random) {
  const auto one = [&](real) { return real(random.uniform(-1, 1)); };
  const auto of = [&](const Mat &size) { return Mat(size.unaryExpr(one).cwiseProduct(size)); };
  const auto three = [&](const Mat &size) { return of(Mat::Ones(3, 1) * size); };
  Noise n{of(s.M), of(s.h), {}, {}, {}, {}};
  n.M = Mat(n.M.triangularView<Eigen::Lower>()) +
        Mat(Mat(n.M.triangularView<Eigen::StrictlyLower>()).transpose());
  for (int copy = 0; copy < 2; copy++)
    for (size_t l = 0; l < s.lin.size(); l++) {
      n.Jv.push_back(three(s.lin[l]));
      n.Jw.push_back(three(s.ang[l]));
      n.a.push_back(three(Mat::Constant(1, 1, s.a[Eigen::Index(l)])));
      n.al.push_back(three(Mat::Constant(1, 1, s.al[Eigen::Index(l)])));
    }
  return n;
}

// The same roundings of the same sums of each solve.
void round_sums(uint64_t seed, real rounding, Motion &of) {
  const auto random = std::make_shared<Random>(seed);
  of.rounding = [random, rounding](Mat &sum, const Mat &terms) {
    for (Eigen::Index i = 0; i < sum.size(); i++)
      sum(i) += rounding * random->uniform(-1, 1) * terms(i);
  };
}

void add(const Noise &n, real rounding, Motion &to) {
  to.M += rounding * n.M;
  to.h += rounding * n.h;
  for (size_t l = 0; l < to.links.size(); l++) {
    to.links[l].Jv += rounding * n.Jv[l];
    to.links[l].Jw += rounding * n.Jw[l];
    to.links[l].a += rounding * n.a[l];
    to.links[l].al += rounding * n.al[l];
  }
}

Motion twice(Motion m) {
  const std::vector<LinkMotion> links = m.links;
  m.links.insert(m.links.end(), links.begin(), links.end());
  return m;
}

} // namespace

std::map<std::string, real> blur(const Robot &robot, const LayoutSpec &spec, const Sample &sample,
                                 const OfMotion &f,
                                 const std::function<bool(const std::string &)> &wanted,
                                 real rounding, int draws, Random &random) {
  const int wrenches = int(robot.links.size());
  uint64_t seed = 1000; // of what moves
  const Sizes here = sizes(robot, sample.state, [](int) { return true; });
  std::vector<Noise> still;
  for (int d = 0; d < draws; d++) still.push_back(drawn(here, random));
  std::map<std::string, real> largest = {{"M", rounding * here.M.maxCoeff()}};
  for (const By &by : all_bys(robot, spec)) {
    if (!wanted(by.name)) continue;
    const bool moves = by.name == "q" || by.name == "qd";
    const real step = moves ? 2e-4L : spec.saturate ? 1e-3L : 1e3L;
    // Without noise, and with each draw of it; what does not move changes from one state.
    const auto values = [&](const Sample &s, const Sizes *changes, real moved, int draw) {
      Motion m = twice(motion(robot, s.state));
      if (draw < 0) return f(s, m, wrenches);
      add(still[size_t(draw)], rounding, m);
      if (changes) {
        Random pattern(seed + uint64_t(draw));
        add(drawn(*changes, pattern), rounding * moved, m);
      }
      round_sums(uint64_t(draw), rounding, m);
      return f(s, m, wrenches);
    };
    std::vector<Values> unmoved;
    for (int d = -1; d < draws && !moves; d++) unmoved.push_back(values(sample, nullptr, 0, d));
    for (int k = 0; k < int(by.columns.size()); k++) {
      seed += uint64_t(draws);
      const Sample to = by.moved(sample, k, step), from = by.moved(sample, k, -step);
      Sizes changes;
      if (moves) changes = change(robot, sample, by, k);
      Values exact;
      for (int d = -1; d < draws; d++) {
        Values slope = values(to, moves ? &changes : nullptr, step, d);
        const Values other = moves ? values(from, &changes, -step, d) : unmoved[size_t(d + 1)];
        for (auto &[name, v] : slope) v = (v - other.at(name)) / (moves ? 2 * step : step);
        if (d < 0) {
          exact = slope;
          continue;
        }
        for (const auto &[name, v] : slope) {
          if (!v.size()) continue;
          real &most = largest["d" + name + "_d" + by.name];
          most = std::max(most, (v - exact.at(name)).cwiseAbs().maxCoeff());
        }
      }
    }
  }
  return largest;
}

} // namespace oracle

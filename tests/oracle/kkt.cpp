/* SPDX-License-Identifier: MIT */
#include "kkt.hpp"

#include <cmath>

namespace oracle {

std::vector<Row> six_rows(int link, const Mat3 &axes, bool classical, bool physical) {
  std::vector<Row> rows(6);
  for (int k = 0; k < 6; k++) {
    rows[k].link = link;
    rows[k].a.segment(k < 3 ? 0 : 3, 3) = axes.col(k % 3);
    rows[k].classical = classical;
    rows[k].physical = physical;
  }
  return rows;
}

namespace {

using RowVec = Eigen::Matrix<real, 1, Eigen::Dynamic>;

// A joint whose motion is at a right angle to the row does not move it, whatever the rounding
// says: otherwise a row that nothing reaches has L = 1e-40 and a force of 1e40.
void without_rounding(RowVec &G, const Vec6 &a, const Mat &J) {
  for (int i = 0; i < int(G.size()); i++)
    if (std::abs(G[i]) < 1e-17L * a.cwiseAbs().dot(J.col(i).cwiseAbs())) G[i] = 0;
}

// Tie of {T} to {F}, r = p_T - p_F, components along F's axes, which turn with w_F:
//   e = r,   e' = v_T - v_F - w_F x r,   e'' = a_T - a_F - al_F x r - w_F x (w_F x r) - 2 w_F x e'
//   w = w_T - w_F,                       w' = al_T - al_F - w_F x w_T
RowVec tie_jacobian(const Motion &motion, const Row &row, real *gamma) {
  const LinkMotion &F = motion.links[row.link], &T = motion.links[row.to];
  const Vec3 lin = F.R * row.a.head(3), ang = F.R * row.a.tail(3);
  const Vec3 r = T.p - F.p, rd = T.v - F.v - F.w.cross(r);
  *gamma = lin.dot(T.a - F.a - F.al.cross(r) - F.w.cross(F.w.cross(r)) - 2 * F.w.cross(rd)) +
           ang.dot(T.al - F.al - F.w.cross(T.w));
  RowVec G = lin.transpose() * (T.Jv - F.Jv + skew(r) * F.Jw) + ang.transpose() * (T.Jw - F.Jw);
  Vec6 a;
  a << lin, ang;
  const Mat J = jacobian(motion, row.link).cwiseAbs() + jacobian(motion, row.to).cwiseAbs();
  without_rounding(G, a, J);
  return G;
}

} // namespace

RowVec row_jacobian(const Motion &motion, const Row &row, real *gamma) {
  if (row.joint >= 0) {
    *gamma = 0;
    return row.sign * RowVec::Unit(motion.nv, motion.nb + row.joint);
  }
  if (row.to >= 0) return tie_jacobian(motion, row, gamma);
  *gamma = row.a.dot(acceleration(motion, row.link, Vec::Zero(motion.nv), row.classical));
  const Mat J = jacobian(motion, row.link);
  RowVec G = row.a.transpose() * J;
  without_rounding(G, row.a, J);
  return G;
}

namespace {

// nu of L nu = r under the policy, for rows that all hold; singular and relative pivots besides.
struct RowSystem {
  Vec nu, pivot;
  bool singular = false;
};

// L = C D C^T with C unit lower, in the order of the rows; a row that left has `gone`.
void factor(const Mat &L, const Problem &problem, Mat &C, Vec &D, std::vector<bool> &gone,
            RowSystem &out) {
  const int n = int(L.rows());
  const real t = problem.threshold;
  for (int k = 0; k < n; k++) {
    if (gone[k]) continue;
    for (int j = 0; j < k; j++) {
      if (gone[j]) continue;
      real s = L(k, j);
      for (int i = 0; i < j; i++)
        if (!gone[i]) s -= C(k, i) * D[i] * C(j, i);
      C(k, j) = s / D[j];
    }
    real d = L(k, k);
    for (int i = 0; i < k; i++)
      if (!gone[i]) d -= C(k, i) * D[i] * C(k, i);
    const real r = d / L(k, k);
    out.pivot[k] = r;
    if (problem.policy != Policy::exact && problem.policy != Policy::truncate && r < t) {
      out.singular = true;
      if (problem.policy == Policy::drop) gone[k] = true;
      if (problem.policy == Policy::damp) d += t * L(k, k) * (1 - r / t) * (1 - r / t);
    }
    D[k] = d;
  }
}

RowSystem solve_rows(const Mat &L, const Vec &rhs, const Problem &problem) {
  const int n = int(L.rows());
  RowSystem out{Vec::Zero(n), Vec::Ones(n)};
  if (n == 0) return out;
  const real largest = L.diagonal().maxCoeff();
  std::vector<bool> gone(n);
  for (int k = 0; k < n; k++) {
    gone[k] = !(L(k, k) > 0) || L(k, k) < problem.unreachable * largest;
    if (gone[k]) {
      out.singular = true;
      out.pivot[k] = 0;
    }
  }
  const std::vector<bool> unreachable = gone;
  Mat C = Mat::Identity(n, n);
  Vec D = Vec::Ones(n);
  factor(L, problem, C, D, gone, out);
  if (problem.policy == Policy::truncate) {
    Mat K = L;
    Vec r = rhs;
    for (int k = 0; k < n; k++)
      if (unreachable[k]) {
        K.row(k).setZero();
        K.col(k).setZero();
        r[k] = 0;
      }
    const Eigenpairs e = eigen_symmetric(K);
    out.pivot = e.w[n - 1] > 0 ? Vec(e.w / e.w[n - 1]) : Vec(Vec::Zero(n));
    for (int k = 0; k < n; k++)
      if (e.w[k] > 0 && e.w[k] >= problem.threshold * e.w[n - 1])
        out.nu += e.V.col(k) * (e.V.col(k).dot(r) / e.w[k]);
      else
        out.singular = true;
    return out;
  }
  const auto solved = [&](const Vec &r) {
    Vec x = r;
    for (int k = 0; k < n; k++)
      for (int i = 0; i < k; i++)
        if (!gone[k] && !gone[i]) x[k] -= C(k, i) * x[i];
    for (int k = 0; k < n; k++) x[k] = gone[k] ? 0 : x[k] / D[k];
    for (int k = n - 1; k >= 0; k--)
      for (int i = k + 1; i < n; i++)
        if (!gone[k] && !gone[i]) x[k] -= C(i, k) * x[i];
    return x;
  };
  out.nu = solved(rhs);
  return out;
}

// Motion of the rows `which` under a generalised force: M vdot = force + G^T nu.
struct Constrained {
  Vec vdot_free, vdot, nu; // nu by index of `which`
  Mat L;
  RowSystem system;
};

Constrained constrain(const Motion &motion, const Mat &G, const Vec &target, const Vec &force,
                      const std::vector<int> &which, const Problem &problem) {
  const int m = int(which.size());
  Mat g(m, motion.nv);
  Vec b(m);
  for (int k = 0; k < m; k++) {
    g.row(k) = G.row(which[k]);
    b[k] = target[which[k]];
  }
  Mat inverse; // its elements' sizes
  if (motion.rounding)
    inverse = solve_spd(motion.M, Mat::Identity(motion.nv, motion.nv)).cwiseAbs();
  const auto rounded = [&](Mat sum, const auto &terms) {
    if (motion.rounding) motion.rounding(sum, terms());
    return sum;
  };
  Constrained out;
  out.vdot_free =
      rounded(solve_spd(motion.M, force), [&] { return Mat(inverse * force.cwiseAbs()); });
  const Mat W = rounded(solve_spd(motion.M, g.transpose()),
                        [&] { return Mat(inverse * g.transpose().cwiseAbs()); });
  out.L = rounded(g * W, [&] { return Mat(g.cwiseAbs() * W.cwiseAbs()); });
  out.L = (out.L + Mat(out.L.transpose())) / 2;
  const Vec r = rounded(b - g * out.vdot_free, [&] {
    return Mat(b.cwiseAbs() + g.cwiseAbs() * out.vdot_free.cwiseAbs());
  });
  out.system = solve_rows(out.L, r, problem);
  out.nu = out.system.nu;
  out.vdot = rounded(out.vdot_free + W * out.nu, [&] {
    return Mat(out.vdot_free.cwiseAbs() + W.cwiseAbs() * out.nu.cwiseAbs());
  });
  return out;
}

// The forces that motors are asked for: own + G^T nu of artificial rows in force.
Vec demanded(const Problem &problem, const Mat &G, const Vec &own, const Vec &nu) {
  Vec tau = own;
  for (size_t k = 0; k < problem.rows.size(); k++)
    if (problem.rows[k].active && !problem.rows[k].physical)
      tau += G.row(Eigen::Index(k)).transpose() * nu[Eigen::Index(k)];
  return tau;
}

// By row, from the rows `which`; 0 elsewhere.
Vec spread(const Vec &values, const std::vector<int> &which, int rows) {
  Vec out = Vec::Zero(rows);
  for (size_t k = 0; k < which.size(); k++) out[which[k]] = values[Eigen::Index(k)];
  return out;
}

// One source alone: a force, of which the motors give `own`, and what the rows shall see.
struct Cause {
  std::string name;
  Vec force, own, target;
};

// gamma: what rows see where vdot = 0, of velocities alone.
std::vector<Cause> causes(const Motion &motion, const Problem &problem, const Mat &G,
                          const Vec &gamma) {
  const int nv = motion.nv, nd = nv - motion.nb, m = int(problem.rows.size());
  const Vec none = Vec::Zero(nv), no_rows = Vec::Zero(m);
  std::vector<Cause> out = {{"gravity", -motion.h_gravity, none, no_rows},
                            {"velocity", motion.h_gravity - motion.h, none, -gamma}};
  // What rows let pass of a force; M is that of the robot whose physical rows hold: here it has none.
  const auto pass = [&](Cause &cause, const Vec &by, const auto &part) {
    const Vec alone = G * solve_spd(motion.M, by);
    for (int k = 0; k < m; k++) cause.target[k] += part(problem.rows[size_t(k)]) * alone[k];
  };
  Cause torques{"torques", none, none, no_rows};
  if (problem.tau_phys.size()) {
    torques.force.tail(nd) += problem.tau_phys;
    pass(torques, torques.force, [](const Row &row) { return row.passes_phys; });
  }
  if (problem.tau_art.size()) {
    torques.force.tail(nd) += problem.tau_art;
    torques.own.tail(nd) += problem.tau_art;
    pass(torques, torques.own, [](const Row &row) { return row.passes_art; });
  }
  out.push_back(torques);
  for (const Wrench &wrench : problem.wrenches) {
    const Vec force = jacobian(motion, wrench.link).transpose() * wrench.f;
    Cause cause{"wrench " + std::to_string(&wrench - problem.wrenches.data()), force, none,
                no_rows};
    if (wrench.artificial) {
      cause.own = force;
      const Vec alone = G * solve_spd(motion.M, force);
      for (int k = 0; k < m; k++)
        if (problem.rows[size_t(k)].yields) cause.target[k] = alone[k];
    }
    const size_t number = size_t(&wrench - problem.wrenches.data());
    pass(cause, force, [&](const Row &row) { return row.passes.empty() ? 0 : row.passes[number]; });
    out.push_back(cause);
  }
  for (int k = 0; k < m; k++) {
    const Row &row = problem.rows[size_t(k)];
    const std::string name = "group " + std::to_string(row.group);
    if (out.back().name != name) out.push_back({name, none, none, no_rows});
    out.back().target[k] = row.b;
  }
  return out;
}

} // namespace

Solution solve(const Robot &robot, const Motion &motion, const Problem &problem) {
  const int m = int(problem.rows.size()), nv = motion.nv, nb = motion.nb, nd = robot.nd();
  Solution out;
  out.G = Mat::Zero(m, nv);
  Vec gamma(m);
  std::vector<int> active, physical;
  for (int k = 0; k < m; k++) {
    const Row &row = problem.rows[k];
    out.G.row(k) = row_jacobian(motion, row, &gamma[k]);
    if (!row.active) continue;
    active.push_back(k);
    if (row.physical) physical.push_back(k);
  }
  // All sources together; each alone is a share.
  Vec force = Vec::Zero(nv), art = force, target = Vec::Zero(m);
  for (const Cause &cause : causes(motion, problem, out.G, gamma)) {
    force += cause.force;
    art += cause.own;
    target += cause.target;
    if (!problem.shares) continue;
    const Constrained alone = constrain(motion, out.G, cause.target, cause.force, active, problem);
    const Vec nu = spread(alone.nu, active, m);
    out.shares.push_back({cause.name, alone.vdot, nu, demanded(problem, out.G, cause.own, nu)});
  }

  Constrained c = constrain(motion, out.G, target, force, active, problem);
  out.nu = spread(c.nu, active, m);
  out.asked = target + gamma;
  out.pivot = Vec::Ones(m);
  for (size_t k = 0; k < active.size(); k++) out.pivot[active[k]] = c.system.pivot[k];
  out.pivot_min = m ? out.pivot.minCoeff() : 1;
  out.singular = c.system.singular;
  out.vdot_free = c.vdot_free;
  out.vdot = c.vdot;
  out.L = c.L;
  out.cond = condition(c.L);

  // tau_ctrl = J^T A nu of artificial rows + artificial torque + J^T f of artificial wrenches
  Vec tau = demanded(problem, out.G, art, out.nu);
  if (motion.rounding) {
    Mat sum = tau;
    motion.rounding(sum, demanded(problem, out.G.cwiseAbs(), art.cwiseAbs(), out.nu.cwiseAbs()));
    tau = sum;
  }
  out.tau_full = tau;
  out.base_wrench = tau.head(nb);
  out.tau_ctrl = tau.tail(nd);
  out.tau_passive = Vec::Zero(nd);
  const real noise = 1e-9L * (1 + tau.cwiseAbs().maxCoeff());
  for (int i = 0; i < nb; i++) out.unactuated |= std::abs(tau[i]) > noise;
  for (int i = 0; i < nd; i++) {
    const Dof &dof = robot.dofs[i];
    if (dof.passive) {
      out.tau_passive[i] = out.tau_ctrl[i];
      out.tau_ctrl[i] = 0;
      tau[nb + i] = 0; // in `tau`, that matters under saturation only
      out.unactuated |= std::abs(out.tau_passive[i]) > noise;
    } else if (problem.saturate && std::abs(out.tau_ctrl[i]) > dof.effort) {
      tau[nb + i] = out.tau_ctrl[i] = std::copysign(dof.effort, out.tau_ctrl[i]);
      out.saturated = true;
    }
  }

  // The clamped torque is applied, and nothing on what has no motor; physical rows are solved again
  // under it.
  if (problem.saturate) {
    tau.head(nb).setZero();
    c = constrain(motion, out.G, target, force - art + tau, physical, problem);
    out.vdot = c.vdot;
    for (size_t k = 0; k < physical.size(); k++) out.nu[physical[k]] = c.nu[k];
    out.singular |= c.system.singular;
  }

  const Ltdl f = ltdl(motion.M, nb);
  out.tau_total = f.D.tail(nd).cwiseProduct(out.vdot.tail(nd));
  // S^T A nu = L^-T (J^T A nu)
  const Vec all = out.G.transpose() * out.nu;
  out.tau_apparent = f.L.transpose().triangularView<Eigen::UnitUpper>().solve(all).tail(nd);
  out.residual = Vec::Zero(m);
  for (int k : active) out.residual[k] = out.G.row(k).dot(out.vdot) + gamma[k] - out.asked[k];
  const Vec d = out.vdot - out.vdot_free;
  out.gauss = d.dot(motion.M * d) / 2;
  return out;
}

} // namespace oracle

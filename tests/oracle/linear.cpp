/* SPDX-License-Identifier: MIT */
#include "linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace oracle {

Mat3 skew(const Vec3 &v) {
  Mat3 S;
  S << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return S;
}

// R = 1 + sin [k]x + (1 - cos) [k]x^2, with 1 - cos = 2 sin^2(angle / 2)
Mat3 rotation(const Vec3 &axis, real angle) {
  const Mat3 K = skew(axis);
  const real h = std::sin(angle / 2);
  return Mat3::Identity() + std::sin(angle) * K + 2 * h * h * K * K;
}

Mat3 rotation_rpy(real roll, real pitch, real yaw) {
  return rotation(Vec3::UnitZ(), yaw) * rotation(Vec3::UnitY(), pitch) *
         rotation(Vec3::UnitX(), roll);
}

Mat3 rotation_quat(const Vec4 &quat) {
  const Vec4 n = quat / quat.norm();
  const real w = n[0], x = n[1], y = n[2], z = n[3];
  Mat3 R;
  R << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), //
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y);
  return R;
}

// The largest of the four squares first: no cancellation.
Vec4 quat_rotation(const Mat3 &R) {
  const real t[4] = {1 + R(0, 0) + R(1, 1) + R(2, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2),
                     1 - R(0, 0) + R(1, 1) - R(2, 2), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
  Vec4 n;
  switch (std::max_element(t, t + 4) - t) {
  case 0:
    n << t[0], R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
    break;
  case 1:
    n << R(2, 1) - R(1, 2), t[1], R(0, 1) + R(1, 0), R(0, 2) + R(2, 0);
    break;
  case 2:
    n << R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), t[2], R(1, 2) + R(2, 1);
    break;
  default:
    n << R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), t[3];
    break;
  }
  n /= n.norm();
  return n[0] < 0 ? Vec4(-n) : n;
}

Eigenpairs eigen_symmetric(Mat A) {
  const int n = int(A.rows());
  Mat V = Mat::Identity(n, n);
  const real tiny = std::numeric_limits<real>::epsilon();
  const real nothing = tiny * tiny * A.cwiseAbs().sum(); // of a matrix that has lost rank
  for (int sweep = 0; sweep < 60; sweep++) {
    bool done = true;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        const real scale = std::sqrt(std::abs(A(p, p))) * std::sqrt(std::abs(A(q, q)));
        if (std::abs(A(p, q)) <= std::max(tiny / 8 * scale, nothing)) continue;
        done = false;
        // tan of the rotation that annihilates A(p, q): the smaller root of t^2 + 2 theta t - 1 = 0
        const real theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
        const real t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const real c = 1 / std::sqrt(t * t + 1), s = t * c;
        Eigen::JacobiRotation<real> G(c, s);
        A.applyOnTheLeft(p, q, G.transpose());
        A.applyOnTheRight(p, q, G);
        V.applyOnTheRight(p, q, G);
        A(p, q) = A(q, p) = 0;
      }
    }
    if (done) break;
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return A(a, a) < A(b, b); });
  Eigenpairs out{Vec(n), Mat(n, n)};
  for (int i = 0; i < n; i++) {
    out.w[i] = A(order[i], order[i]);
    out.V.col(i) = V.col(order[i]);
  }
  if (n > 0 && out.V.determinant() < 0) out.V.col(0) *= -1;
  return out;
}

real condition(const Mat &A) {
  if (A.rows() == 0) return 1;
  const Vec w = eigen_symmetric(A).w;
  if (!(w[0] > 0)) return std::numeric_limits<real>::infinity();
  return w[w.size() - 1] / w[0];
}

// for k = n-1 .. stop:  D_k = M_kk,  L_ki = M_ki / D_k,  M_ij -= L_ki D_k L_kj   for i, j < k
Ltdl ltdl(const Mat &M, int stop) {
  const int n = int(M.rows());
  Mat W = M;
  Ltdl out{Mat::Identity(n, n), Vec::Zero(n)};
  for (int k = n - 1; k >= stop; k--) {
    out.D[k] = W(k, k);
    for (int i = 0; i < k; i++) out.L(k, i) = W(k, i) / W(k, k);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) W(i, j) -= out.L(k, i) * W(k, k) * out.L(k, j);
  }
  return out;
}

// Scaled to a unit diagonal first, then Cholesky: metres and radians, kilograms and grams mix.
Mat solve_spd(const Mat &M, const Mat &B) {
  if (M.rows() == 0) return B;
  const Vec s = M.diagonal().cwiseSqrt().cwiseInverse();
  const Mat C = s.asDiagonal() * M * s.asDiagonal();
  const Eigen::LLT<Mat> chol(C);
  Mat X = chol.solve(s.asDiagonal() * B);
  X += chol.solve(s.asDiagonal() * B - C * X); // one step of refinement
  return s.asDiagonal() * X;
}

} // namespace oracle

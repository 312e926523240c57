/* SPDX-License-Identifier: MIT */
// linear.hpp: small dense algebra of the oracles, in long double (64 bits of mantissa on x86-64, so
// that an oracle's own rounding stays three digits below the double it judges).
#pragma once

#include <Eigen/Dense>

namespace oracle {

using real = long double;
using Vec = Eigen::Matrix<real, Eigen::Dynamic, 1>;
using Mat = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic>;
using Vec3 = Eigen::Matrix<real, 3, 1>;
using Mat3 = Eigen::Matrix<real, 3, 3>;
using Vec4 = Eigen::Matrix<real, 4, 1>;
// Linear x y z, then angular x y z.
using Vec6 = Eigen::Matrix<real, 6, 1>;
using Jac = Eigen::Matrix<real, 3, Eigen::Dynamic>;

// [v]x with [v]x u = v x u.
Mat3 skew(const Vec3 &v);

// Rotation by `angle` [rad] about the unit vector `axis` (Rodrigues).
Mat3 rotation(const Vec3 &axis, real angle);

// R = Rz(yaw) Ry(pitch) Rx(roll): a URDF's rpy.
Mat3 rotation_rpy(real roll, real pitch, real yaw);

// Rotation matrix of the quaternion (w, x, y, z), normalised here.
Mat3 rotation_quat(const Vec4 &quat);

// Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix.
Vec4 quat_rotation(const Mat3 &R);

// Symmetric A = V diag(w) V^T by cyclic Jacobi rotations: also the small eigenvalues come out to
// high relative accuracy where A is graded. w ascending; V's columns are the vectors (a
// right-handed set).
struct Eigenpairs {
  Vec w;
  Mat V;
};
Eigenpairs eigen_symmetric(Mat A);

// Condition number of a symmetric positive matrix: largest over smallest eigenvalue; infinity where
// the smallest is not positive; 1 for an empty matrix.
real condition(const Mat &A);

// M = L^T D L, L unit lower triangular: the factorisation in the order of the articulated-body
// sweeps, from the last coordinate to the first. Coordinates below `stop` are left unfactored.
struct Ltdl {
  Mat L;
  Vec D;
};
Ltdl ltdl(const Mat &M, int stop = 0);

// Solves the symmetric positive definite M X = B.
Mat solve_spd(const Mat &M, const Mat &B);

} // namespace oracle

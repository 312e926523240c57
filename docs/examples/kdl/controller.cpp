/* SPDX-License-Identifier: MIT */
// controller.cpp: a program as users of KDL have it, from KDL's documentation: a tip that is held in five directions and
// free along z, feed-forward torques, a weight in the hand. README.md changes one include and one type in it.
#include <kdl/chainhdsolver_vereshchagin.hpp>

#include <kdl_parser/kdl_parser.hpp>

#include <cmath>
#include <cstdio>

int main(int, char **argv) {
  KDL::Tree tree;
  if (!kdl_parser::treeFromFile(argv[1], tree)) return 1;
  KDL::Chain chain;
  if (!tree.getChain("base_link", "bracelet_link", chain)) return 1;
  const unsigned int nj = chain.getNrOfJoints(), ns = chain.getNrOfSegments(), nc = 6;

  const KDL::Twist root_acc(KDL::Vector(0.0, 0.0, 9.81), KDL::Vector(0.0, 0.0, 0.0));
  KDL::ChainHdSolver_Vereshchagin solver(chain, root_acc, nc);

  KDL::JntArray q(nj), q_dot(nj), q_dotdot(nj), ff_torques(nj), constraint_torques(nj);
  KDL::Wrenches f_ext(ns, KDL::Wrench::Zero());
  KDL::Jacobian alpha(nc);
  KDL::JntArray beta(nc);
  KDL::SetToZero(alpha);
  for (unsigned int k = 0; k < nc; k++)
    if (k != 2)
      alpha.setColumn(
          k, KDL::Twist(KDL::Vector(k == 0, k == 1, 0.0), KDL::Vector(k == 3, k == 4, k == 5)));
  for (unsigned int j = 0; j < nj; j++) {
    q(j) = 0.3 + 0.2 * j;
    q_dot(j) = 0.1 * j - 0.2;
    ff_torques(j) = j == 2 ? 1.5 : 0.0;
  }
  f_ext[ns - 1] = KDL::Wrench(KDL::Vector(0.0, 0.0, -9.81), KDL::Vector(0.1, 0.0, 0.0));

  for (int cycle = 0; cycle < 5; cycle++) {
    beta(0) = 0.1 * cycle;
    const int result =
        solver.CartToJnt(q, q_dot, q_dotdot, alpha, beta, f_ext, ff_torques, constraint_torques);
    if (result < 0) return 2;
    std::vector<KDL::Twist> accelerations(ns + 1);
    solver.getTransformedLinkAcceleration(accelerations);
    KDL::JntArray total(nj);
    solver.getTotalTorque(total);
    for (unsigned int j = 0; j < nj; j++) {
      std::printf("%.6f %.6f %.6f ", q_dotdot(j), constraint_torques(j), total(j));
      q_dot(j) += 0.001 * q_dotdot(j);
      q(j) += 0.001 * q_dot(j);
    }
    for (int k = 0; k < 6; k++) { // without the sign of a rounded zero
      const double a = accelerations[ns](k);
      std::printf("%.5f ", std::fabs(a) < 5e-6 ? 0 : a);
    }
    std::printf("\n");
  }
  return 0;
}

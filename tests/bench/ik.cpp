/* SPDX-License-Identifier: MIT */
// ik.cpp: inverse kinematics of five arms, ours (achd/ik.h) beside KDL's ChainIkSolverPos_LMA and ChainIkSolverPos_NR_JL: poses of random
// joint positions within the limits, each from another random one, to 1e-6 m and rad. KDL's solvers take one start; LMA knows no limits, so
// it is also run from new starts as ours is, until its answer is within them. All solve each pose in turn (ik.sh).
#include "ik_arms.h"

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>

#include "their_gen3_kdl.hpp"
#include "their_iiwa7_kdl.hpp"
#include "their_lwr4_kdl.hpp"
#include "their_puma560_kdl.hpp"
#include "their_youbot_arm_kdl.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

namespace {

const double tolerance = 1e-6;
const int starts = 64;
std::mt19937 generator(3);

double between(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator);
}

double now() { // a microsecond is long enough for it
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

struct Contestant {
  const char *name;
  std::function<bool(const achd_pose &, const KDL::JntArray &, KDL::JntArray &)> solve;
  std::vector<double> times;
  int found = 0;
};

void random_positions(const achd_ik_robot &robot, KDL::JntArray &q) {
  for (int j = 0; j < robot.njoints; j++) {
    const bool endless = std::isinf(robot.joints[j].lower);
    q(unsigned(j)) =
        between(endless ? -M_PI : robot.joints[j].lower, endless ? M_PI : robot.joints[j].upper);
  }
}

bool within(const achd_ik_robot &robot, const KDL::JntArray &q) {
  for (int j = 0; j < robot.njoints; j++)
    if (!(q(unsigned(j)) >= robot.joints[j].lower && q(unsigned(j)) <= robot.joints[j].upper))
      return false;
  return true;
}

KDL::Frame frame_of(const achd_pose &pose) {
  const auto &m = pose.R.m;
  return KDL::Frame(KDL::Rotation(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0],
                                  m[2][1], m[2][2]),
                    KDL::Vector(pose.p[0], pose.p[1], pose.p[2]));
}

void run(const ik_arm &arm, const KDL::Chain &chain, int poses) {
  const achd_ik_robot &robot = arm.robot;
  const unsigned n = unsigned(robot.njoints);
  KDL::ChainFkSolverPos_recursive fk(chain);
  KDL::ChainIkSolverVel_pinv pinv(chain);
  KDL::ChainIkSolverPos_LMA lma(chain, tolerance, 500);
  KDL::JntArray lower(n), upper(n);
  for (unsigned j = 0; j < n; j++) { // NR_JL wants numbers
    lower(j) = std::max(robot.joints[j].lower, -1e9);
    upper(j) = std::min(robot.joints[j].upper, 1e9);
  }
  KDL::ChainIkSolverPos_NR_JL newton(chain, lower, upper, fk, pinv, 100, tolerance);
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  std::vector<Contestant> all = {
      {"achd_ik_solve",
       [&](const achd_pose &pose, const KDL::JntArray &from, KDL::JntArray &q) {
         const achd_ik_goal goal = {pose, ACHD_IK_POSE, tolerance, tolerance};
         achd_ik_result result;
         q = from;
         return achd_ik_solve(&robot, &goal, &search, q.data.data(), &result) == ACHD_IK_FOUND;
       },
       {}},
      {"KDL LMA, one start, limits or not",
       [&](const achd_pose &pose, const KDL::JntArray &from, KDL::JntArray &q) {
         return lma.CartToJnt(from, frame_of(pose), q) == 0;
       },
       {}},
      {"KDL LMA, new starts until within limits",
       [&](const achd_pose &pose, const KDL::JntArray &from, KDL::JntArray &q) {
         KDL::JntArray start = from;
         for (int k = 0; k < starts; k++) {
           if (lma.CartToJnt(start, frame_of(pose), q) == 0) {
             for (unsigned j = 0; j < n; j++)
               if (std::isinf(robot.joints[j].lower)) q(j) = std::remainder(q(j), 2 * M_PI);
             if (within(robot, q)) return true;
           }
           random_positions(robot, start);
         }
         return false;
       },
       {}},
      {"KDL NR_JL, one start",
       [&](const achd_pose &pose, const KDL::JntArray &from, KDL::JntArray &q) {
         return newton.CartToJnt(from, frame_of(pose), q) == 0 && within(robot, q);
       },
       {}}};
  KDL::JntArray goal(n), from(n), q(n);
  KDL::Frame frame;
  double apart = 0, worst = 0;
  for (int k = 0; k < poses; k++) {
    achd_pose pose, at;
    achd_real J[6 * ACHD_IK_JOINTS];
    random_positions(robot, goal);
    random_positions(robot, from);
    robot.kinematics(robot.context, goal.data.data(), &pose, J);
    fk.JntToCart(goal, frame);
    for (int i = 0; i < 3; i++) apart = std::max(apart, std::fabs(frame.p(i) - pose.p[i]));
    for (Contestant &c : all) {
      const double start = now();
      const bool found = c.solve(pose, from, q);
      c.times.push_back(now() - start);
      c.found += found;
      if (!found || &c != &all[0]) continue;
      robot.kinematics(robot.context, q.data.data(), &at, J);
      achd_twist left;
      achd_pose_difference(&at, &pose, &left);
      for (int i = 0; i < 3; i++)
        worst = std::max({worst, std::fabs(left.lin[i]), std::fabs(left.ang[i])});
      if (!within(robot, q)) std::printf("an answer beyond the limits\n"), std::exit(1);
    }
  }
  std::printf("%s: %d poses; both know the same arm to %.1e m; largest error of ours %.1e\n",
              arm.name, poses, apart, worst);
  if (!(apart < 1e-4) || !(worst <= tolerance)) std::exit(1);
  for (Contestant &c : all) {
    std::sort(c.times.begin(), c.times.end());
    double sum = 0;
    for (double t : c.times) sum += t;
    std::printf(
        "  %-42s found %7.3f %%, median %7.1f us, 99 of 100 within %7.0f us, mean %7.1f us\n",
        c.name, 100.0 * c.found / poses, c.times[c.times.size() / 2],
        c.times[c.times.size() * 99 / 100], sum / poses);
  }
}

} // namespace

int main(int argc, char **argv) {
  const int poses = argc > 1 ? std::atoi(argv[1]) : 1000;
  const KDL::Chain chains[] = {their_gen3_kdl::chain(), their_iiwa7_kdl::chain(),
                               their_lwr4_kdl::chain(), their_puma560_kdl::chain(),
                               their_youbot_arm_kdl::chain()};
  for (int a = 0; a < IK_ARMS; a++) run(ik_arms[a], chains[a], poses);
  return 0;
}

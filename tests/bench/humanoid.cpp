/* SPDX-License-Identifier: MIT */
// humanoid SEED: prints the URDF of a tree of 38 joints, shaped like a human.
#include <cstdio>
#include <cstdlib>

#include "oracle/random_robot.hpp"

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: humanoid SEED\n");
    return 2;
  }
  oracle::Random random(std::strtoull(argv[1], nullptr, 10));
  std::fputs(oracle::humanoid_urdf(random).c_str(), stdout);
  return 0;
}

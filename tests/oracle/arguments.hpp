/* SPDX-License-Identifier: MIT */
// arguments.hpp: the command line that the tests with oracles share.
//
//   --achdgen PROGRAM   the generator under test
//   --robots DIR        URDFs; default: robots/ of the source tree
//   --reference DIR     reference vectors, optional; default: $ACHD_REFERENCE, else
//   ../shared/reference
//                       beside the source tree
//   --states N          random states per case; without it the test's own number, and the larger one of its
//                       sweep where the environment has ACHD_SWEEP=1
//   --run eval|c|both   the generator's evaluator, or its C compiled; some take a board (OnBoard)
//   --only TEXT         cases whose title has TEXT in it
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#ifndef ACHD_SOURCE_DIR // of the tree; the build gives it
#define ACHD_SOURCE_DIR "."
#endif

namespace oracle {

struct Arguments {
  std::string achdgen, robots = ACHD_SOURCE_DIR "/robots", reference, run = "eval", only;
  int states;
  std::vector<std::string> runs() const {
    if (run == "both") return {"eval", "c"};
    return {run};
  }
};

inline Arguments parse_arguments(int argc, char **argv, int default_states, int sweep_states = 0) {
  Arguments out;
  const char *given = std::getenv("ACHD_REFERENCE");
  out.reference = given ? given : ACHD_SOURCE_DIR "/../shared/reference";
  const char *sweep = std::getenv("ACHD_SWEEP");
  const bool all = sweep && std::string(sweep) == "1" && sweep_states > 0;
  std::string states = std::to_string(all ? sweep_states : default_states);
  const std::map<std::string, std::string *> words = {
      {"--achdgen", &out.achdgen}, {"--robots", &out.robots}, {"--reference", &out.reference},
      {"--run", &out.run},         {"--only", &out.only},     {"--states", &states}};
  for (int i = 1; i < argc; i += 2) {
    const auto word = words.find(argv[i]);
    if (word == words.end() || i + 1 == argc) {
      std::fprintf(stderr, "%s: what is %s?\n", argv[0], argv[i]);
      std::exit(2);
    }
    *word->second = argv[i + 1];
  }
  out.states = std::atoi(states.c_str());
  return out;
}

// The exit status of a test that had nothing to test, which it says.
inline int nothing_to_test(const std::string &why) {
  std::printf("skipped: %s\n", why.c_str());
  return 77;
}

} // namespace oracle

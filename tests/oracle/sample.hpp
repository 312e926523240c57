/* SPDX-License-Identifier: MIT */
// sample.hpp: of a long list of cases a test tries every Nth: which ones, a checksum of the generator's sources tells, so that they stay
// the same as long as these do, and are others after a change: none is left out for long. All of them where --only asks for some, or
// ACHD_SWEEP or ACHD_SAMPLE=all for everything. ACHD_SAMPLE=K takes every Nth from the Kth.
//
//   InSample in_sample(arguments, 3);
//   for (const Case &c : cases()) if (in_sample()) ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "oracle/arguments.hpp"

namespace oracle {

// FNV-1a of all files of the generator, in the order of their names.
inline uint32_t checksum_of_sources() {
  std::vector<std::string> files;
  for (const auto &file :
       std::filesystem::recursive_directory_iterator(ACHD_SOURCE_DIR "/generator"))
    if (file.is_regular_file()) files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  uint32_t sum = 2166136261u;
  for (const std::string &file : files) {
    std::ifstream text(file, std::ios::binary);
    for (std::istreambuf_iterator<char> at(text), end; at != end; ++at)
      sum = (sum ^ uint8_t(*at)) * 16777619u;
  }
  return sum;
}

class InSample {
public:
  InSample(const Arguments &arguments, unsigned every) : step(every) {
    const char *from = std::getenv("ACHD_SAMPLE");
    if (!arguments.only.empty() || std::getenv("ACHD_SWEEP") ||
        (from && std::string(from) == "all"))
      step = 1;
    turn = step == 1 ? 0 : from ? unsigned(std::atoi(from)) : checksum_of_sources() % step;
  }

  // Is the next case tried?
  bool operator()() {
    tried += turn++ % step == 0;
    asked++;
    return (turn - 1) % step == 0;
  }

  // Is it everything, and no sample?
  bool all() const { return step == 1; }

  // "N of M tried".
  std::string said() const {
    return std::to_string(tried) + " of " + std::to_string(asked) + " tried";
  }

private:
  unsigned step, turn, tried = 0, asked = 0;
};

} // namespace oracle

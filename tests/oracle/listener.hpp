/* SPDX-License-Identifier: MIT */
// listener.hpp: `achdgen --eval` that is started once and asked as often as is needed: searches that choose
// their next states by the last answers would else start it thousands of times.
#pragma once

#include <cstdio>

#include <sys/types.h>

#include "oracle/program.hpp"

namespace oracle {

class Listener : public Program {
public:
  explicit Listener(const Generator &how);
  ~Listener() override;
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;
  Table run(const Table &in) override;

private:
  std::vector<double> answer(); // to the oldest question that has none
  pid_t child;
  FILE *to, *from;
  char *line = nullptr;
  size_t size = 0;
};

} // namespace oracle

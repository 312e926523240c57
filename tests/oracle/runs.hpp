/* SPDX-License-Identifier: MIT */
// runs.hpp: the tests of a program one by one: those whose title has the text of --only; an exception
// is the failure of its test, and the others go on.
//
//   Runs runs(arguments);
//   for (const Case &c : cases()) runs(c.title, [&] { return run_case(c, arguments); });
//   return runs.end();
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "oracle/arguments.hpp"

namespace oracle {

class Runs {
public:
  explicit Runs(const Arguments &arguments) : only(arguments.only) {}

  // test returns how many of its checks failed.
  void operator()(const std::string &title, const std::function<int()> &test) {
    if (title.find(only) == std::string::npos) return;
    try {
      bad += test();
    } catch (const std::exception &error) {
      std::printf("BAD %s: %s\n", title.c_str(), error.what());
      bad++;
    }
    std::fflush(stdout);
  }

  // Says how it went; the program's exit status.
  int end() const {
    std::printf("%s\n", bad ? "FAILED" : "OK");
    return bad ? 1 : 0;
  }

private:
  std::string only;
  int bad = 0;
};

} // namespace oracle

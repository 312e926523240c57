/* SPDX-License-Identifier: MIT */
// bounded.hpp: generated programs for bounded rows seen from outside: mclp, the runtime's solver,
// apply, compiled into one filter.
#pragma once

#include "linear.hpp"
#include "program.hpp"

namespace oracle {

// What comes out of one state: status, solver, pivots, residual; qdd.JOINT, nu.ROW, tau_ctrl.JOINT
// by number (nu.0 ..); L.0 .. packed, r.0 .., lo.0 .., hi.0 .., side.0 ..; then `more`, by their names.
class BoundedProgram : public Program {
public:
  // joints, rows: how many there are.
  BoundedProgram(const Generator &generator, const std::string &name, int joints, int rows,
                 const std::vector<std::string> &more = {});
  Table run(const Table &in) override { return run_filter(command, in); }
  // A block of a line: count numbers from its column on.
  Vec block(const std::vector<double> &line, const std::string &first, int count) const;
  // L as a whole matrix.
  Mat coupling(const std::vector<double> &line) const;
  const int joints, rows;

private:
  std::string command;
};

} // namespace oracle

/* SPDX-License-Identifier: MIT */
// table41_test.cpp: the mobile base of table 4.1 of Devaramani 2019, four wheels that are steered
// and driven: the table's rows beside what the generated solver gives, each number to the digits
// that are printed. Its third row, drives of 1 N m, does not follow from the robot from which the
// first two follow. It stands here as that robot moves; what is printed is in
// tests/experiments/tree.c. Arguments: oracle/arguments.hpp.
#include <cmath>
#include <cstdio>

#include "oracle/arguments.hpp"
#include "oracle/program.hpp"

using namespace oracle;

namespace {

// Base free, gravity 0, everything at rest at q = 0. The ground keeps the base from heaving,
// rolling and pitching, and each wheel from sliding along its axis. The rows are artificial here:
// tau_ctrl is then what the table calls the joint torques of the constraints.
const char *const layout = R"(
local groups = { { name = "ground", frame = "base_link", rows = { "lin_z", "ang_x", "ang_y" } } }
for _, wheel in ipairs { "fl", "fr", "br", "bl" } do
  groups[#groups + 1] = { name = "wheel_" .. wheel, frame = "contact_" .. wheel, axes = "link", rows = { "lin_y" } }
end
return {
  base = "floating",
  torques = { physical = true },
  wrenches = { { name = "push", frame = "base_link", kind = "physical" } },
  groups = groups,
  outputs = { "qdd", "tau_ctrl" },
}
)";

const char *const joints[] = {"pivot_joint_fl", "drive_joint_fl", "pivot_joint_fr",
                              "drive_joint_fr", "pivot_joint_br", "drive_joint_br",
                              "pivot_joint_bl", "drive_joint_bl"};

struct Printed {
  std::string column, value; // as it stands there
};

struct TableRow {
  const char *title;
  std::map<std::string, double> given; // but for zeros
  std::vector<Printed> printed;
};

// qdd and tau_ctrl of the joints in order, then more.
std::vector<Printed> columns(const std::vector<std::string> &qdd,
                             const std::vector<std::string> &tau, std::vector<Printed> more) {
  std::vector<Printed> out;
  for (size_t i = 0; i < qdd.size(); i++) out.push_back({std::string("qdd.") + joints[i], qdd[i]});
  for (size_t i = 0; i < tau.size(); i++)
    out.push_back({std::string("tau_ctrl.") + joints[i], tau[i]});
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

const TableRow table[] = {
    {"moment of 10 N m about z on the base",
     {{"push.ang_z", 10}},
     columns({"-0.651743", "-1.36504", "-3.97664", "-1.36552", "-3.97664", "-1.36552", "-0.651743",
              "-1.36504"},
             {".303226", "0", "-.126057", "0", "-.126057", "0", ".303226", "0"},
             {{"base.acc.lin_x", "-0.0368095"}, {"base.acc.ang_z", "1.4962"}})},
    {"force of 50 N along x on the base",
     {{"push.lin_x", 50}},
     columns(
         {"3.49264", ".168407", "3.90164", ".168467", "3.90164", ".168467", "3.49264", ".168407"},
         {".243069", "0", ".238214", "0", ".238214", "0", ".243069", "0"},
         {{"base.acc.lin_x", ".158089"}, {"base.acc.ang_z", "-.184047"}})},
    {"torque of 1 N m on each drive (ours)",
     {{"tau_phys.drive_joint_fl", 1},
      {"tau_phys.drive_joint_fr", 1},
      {"tau_phys.drive_joint_br", 1},
      {"tau_phys.drive_joint_bl", 1}},
     columns(
         {"0.238765", "34.412839", "1.452347", "34.413015", "1.452347", "34.413015", "0.238765",
          "34.412839"},
         {"-.0252106", "0", "-.039616", "0", "-.039616", "0", "-.0252106", "0"},
         {{"base.acc.lin_x", ".013475"}, {"base.acc.lin_y", "0"}, {"base.acc.ang_z", "-.546112"}})},
};

// Half of the last digit that is printed, and a rounding; a plain 0 is one to six decimals.
double half_digit(const std::string &value) {
  const size_t point = value.find('.');
  const int decimals = point == std::string::npos ? 6 : int(value.size() - point - 1);
  return 0.5 * std::pow(10.0, -decimals) * (1 + 1e-9);
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 0);
  int bad = 0;
  for (const char *formulation : {"joint", "recursion"}) {
    Evaluator program({arguments.achdgen, arguments.robots + "/table41_base.urdf", layout,
                       std::string("--snap 0 --formulation ") + formulation});
    for (const TableRow &row : table) {
      std::map<std::string, double> in = row.given;
      for (const Column &column : program.columns().in) in.emplace(column.name, 0);
      in["base.quat.w"] = 1;
      const std::vector<double> got = program.run({program.arrange(in)})[0];
      std::printf("%s [%s]\n  %-24s %14s %14s\n", row.title, formulation, "", "printed", "here");
      for (const Printed &p : row.printed) {
        const double here = got[size_t(program.output(p.column))];
        const bool good = std::abs(here - std::stod(p.value)) <= half_digit(p.value);
        std::printf("  %-24s %14s %14.9f%s\n", p.column.c_str(), p.value.c_str(), here,
                    good ? "" : "  FAILED");
        bad += !good;
      }
    }
  }
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

/* SPDX-License-Identifier: MIT */
#include "differences.hpp"

namespace oracle {

namespace {

Sample moved_position(const Robot &robot, Sample s, int k, real h) {
  const int nb = robot.nb();
  if (k >= nb)
    s.state.q[k - nb] += h;
  else if (nb == 3 ? k == 2 : k >= 3)
    s.state.base_R = rotation(nb == 3 ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::Unit(k - 3)), h) *
                     s.state.base_R; // about the world's axes
  return s;
}

Sample moved_velocity(const Robot &robot, Sample s, int k, real h) {
  const int nb = robot.nb();
  if (k >= nb)
    s.state.qd[k - nb] += h;
  else
    s.state.base_twist[nb == 3 && k == 2 ? 5 : k] += h;
  return s;
}

} // namespace

std::vector<By> all_bys(const Robot &robot, const LayoutSpec &spec) {
  const std::vector<std::string> velocity = velocities(robot);
  const std::vector<std::string> joints(velocity.begin() + robot.nb(), velocity.end());
  const std::vector<std::string> six = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  const ColumnNames names = names_of(robot, spec);
  std::vector<By> list = {
      {"q", velocity, [&robot](Sample s, int k, real h) { return moved_position(robot, s, k, h); }},
      {"qd", velocity,
       [&robot](Sample s, int k, real h) { return moved_velocity(robot, s, k, h); }},
      {"tau", joints, [](Sample s, int k, real h) { return s.tau_art[k] += h, s; }},
      {"tau_phys", joints, [](Sample s, int k, real h) { return s.tau_phys[k] += h, s; }},
      {"b", names.rows, [](Sample s, int k, real h) {
         for (Vec &b : s.b) {
           if (k < b.size()) return b[k] += h, s;
           k -= int(b.size());
         }
         return s;
       }}};
  for (size_t w = 0; w < spec.wrenches.size(); w++)
    list.push_back({spec.wrenches[w].name, six,
                    [w](Sample s, int k, real h) { return s.wrenches[w][k] += h, s; }});
  return list;
}

Values difference(const std::function<Values(real)> &moved_by, const Values &here,
                  const std::string &by, real far, real step) {
  const auto between = [](Values to, const Values &from, real distance) {
    for (auto &[name, v] : to) v = (v - from.at(name)) / distance;
    return to;
  };
  const auto central = [&](real h) { return between(moved_by(h), moved_by(-h), 2 * h); };
  if (by == "qd") return central(1e-3L);
  if (by != "q") return between(moved_by(far), here, far);
  const Values first = central(step), second = central(step / 2);
  Values third = central(step / 4);
  for (auto &[name, v] : third) {
    const Vec coarse = (4 * second.at(name) - first.at(name)) / 3,
              fine = (4 * v - second.at(name)) / 3;
    v = (16 * fine - coarse) / 15;
  }
  return third;
}

} // namespace oracle

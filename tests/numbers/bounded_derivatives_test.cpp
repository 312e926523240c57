/* SPDX-License-Identifier: MIT */
// bounded_derivatives_test.cpp: dmclp on every word of bounds, on bases of all kinds: at random states mclp, achd_mclp and
// apply give a solution, and dmclp its derivative. That is judged against differences in long double (extrapolated, see
// differences.hpp) of the dense KKT system with the same rows at their bounds, to 1e-8, where the same rows are at their bounds on
// both sides of all differences; and against differences of the whole chain of generated functions and solver, in double. States
// near a change are left out and counted, and have to be few. Arguments: oracle/arguments.hpp.
#include <set>

#include "oracle/arguments.hpp"
#include "oracle/bounded.hpp"
#include "oracle/bounded_words.hpp"
#include "oracle/differences.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const double tolerance = 1e-8;       // against long double
const double chain_tolerance = 1e-6; // against double, beside what rounding leaves of differences
const double chain_rounding = 1e-13; // of what the chain puts out, relative to the largest
const real least_pivot = 1e-4L;      // of the rows between their bounds
// A contact slides from 0.01 m/s on: there the direction of its friction turns by h / 0.01.
const real step = 2e-5L, chain_step = 2e-5L;
enum : unsigned { SOLVED = 0 };

struct Tally {
  Comparison out{"Derivatives on the active set"};
  int judged = 0, changing = 0, dependent = 0, at_bound = 0, between = 0, sliding = 0, limited = 0;
};

// What the solution is with these rows at their bounds, sides by row: dense, in long double.
struct Held {
  Values
      values; // qdd of the base and the joints, nu, tau_ctrl; and free: accelerations without rows
  bool holds = true; // all conditions of a solution
  real pivot = 1;    // the least of the rows between their bounds
};

std::vector<int> between_bounds(const Posed &p, const Vec &side) {
  std::vector<int> list;
  for (int j = 0; j < p.lo.size(); j++)
    if (side[j] == 0 && p.lo[j] < p.hi[j]) list.push_back(j);
  return list;
}

real least_relative_pivot(const Mat &L) {
  Mat A = L;
  real least = 1;
  for (int k = 0; k < A.rows(); k++) {
    least = std::min(least, A(k, k) / L(k, k));
    for (int j = k + 1; j < A.rows(); j++) A.row(j) -= A(j, k) / A(k, k) * Mat(A.row(k));
  }
  return least;
}

Held held(const Robot &robot, const Posed &p, const Vec &side) {
  const Motion at = motion(robot, p.state);
  Dense d = dense(at, p.problem);
  d.L.diagonal() += p.soft;
  const int m = int(p.lo.size()), nd = robot.nd();
  const std::vector<int> F = between_bounds(p, side);
  Held h;
  Vec nu = Vec::Zero(m);
  for (int j = 0; j < m; j++)
    if (side[j] != 0 || p.lo[j] == p.hi[j]) nu[j] = side[j] < 0 ? p.lo[j] : p.hi[j];
  const Vec rest = d.r - d.L * nu;
  Mat L(F.size(), F.size());
  Vec r(F.size());
  for (size_t i = 0; i < F.size(); i++) {
    r[Eigen::Index(i)] = rest[F[i]];
    for (size_t k = 0; k < F.size(); k++) L(Eigen::Index(i), Eigen::Index(k)) = d.L(F[i], F[k]);
  }
  if (!F.empty()) {
    h.pivot = least_relative_pivot(L);
    const Vec x = solve_spd(L, r);
    for (size_t i = 0; i < F.size(); i++) nu[F[i]] = x[Eigen::Index(i)];
  }
  const Vec w = d.L * nu - d.r;
  for (int j = 0; j < m; j++) {
    if (p.lo[j] == p.hi[j]) continue;
    h.holds = h.holds && p.lo[j] <= nu[j] && nu[j] <= p.hi[j] && (side[j] >= 0 || w[j] > 0) &&
              (side[j] <= 0 || w[j] < 0);
  }
  Vec tau = d.own;
  for (int j = 0; j < m; j++)
    if (!p.problem.rows[size_t(j)].physical) tau += d.G.row(j).transpose() * nu[j];
  Vec command = tau.tail(nd);
  for (int i = 0; i < nd; i++)
    if (robot.dofs[size_t(i)].passive) command[i] = 0;
  h.values = {{"qdd", d.free + d.Mi_Gt * nu}, {"nu", nu}, {"tau_ctrl", command}, {"free", d.free}};
  return h;
}

// What there is to differentiate by, as moves of a posed state. Set-points of limits come behind those of groups.
struct Move {
  std::string name;
  std::vector<std::string> columns;
  std::function<Posed(const Posed &, int, real)> moved;
};

std::vector<Move> moves(const Robot &robot, const Words &w, const LayoutSpec &layout,
                        const std::vector<std::string> &limits) {
  std::vector<Move> list;
  for (const By &by : all_bys(robot, layout)) {
    if ((by.name == "tau" && !layout.tau_art) || (by.name == "tau_phys" && !layout.tau_phys))
      continue;
    Move move;
    move.name = by.name;
    move.columns = by.columns;
    const int groups = int(by.columns.size());
    if (by.name == "b")
      for (const std::string &name : limits) move.columns.push_back("limits." + name);
    move.moved = [&robot, &w, &layout, by, limits, groups](const Posed &from, int k, real h) {
      Posed p = from;
      Random none(1);
      if (by.name == "b" && k >= groups)
        p.in["b.limits." + limits[size_t(k - groups)]] += double(h);
      else
        p.sample = by.moved(p.sample, k, h);
      if (by.name == "q" && k < robot.nb()) {
        if (robot.base == Base::floating)
          p.sample.state.base_quat = quat_rotation(p.sample.state.base_R);
        else if (k == 2)
          p.sample.state.base_yaw += h;
      }
      for (const auto &[name, value] : input_columns(robot, layout, p.sample))
        if (name.rfind("b.limits.", 0) != 0) p.in[name] = value;
      define(robot, w, layout, p, none);
      return p;
    };
    list.push_back(move);
  }
  return list;
}

// What the chain of generated functions and solver puts out for a state.
Values of_chain(const BoundedProgram &chain, const std::vector<double> &line, const Robot &robot) {
  const int nb = robot.nb(), nd = robot.nd();
  Vec qdd(nb + nd);
  for (int i = 0; i < nb; i++)
    qdd[i] = line[size_t(chain.output("base.acc" + velocities(robot)[size_t(i)].substr(4)))];
  Values v;
  if (nd)
    qdd.tail(nd) = chain.block(line, "qdd", nd), v["tau_ctrl"] = chain.block(line, "tau_ctrl", nd);
  v["qdd"] = qdd, v["nu"] = chain.block(line, "nu", chain.rows);
  return v;
}

struct Row_names {
  std::vector<std::string> velocity, joints, rows;
  const std::vector<std::string> &of(const std::string &what) const {
    return what == "qdd" ? velocity : what == "nu" ? rows : joints;
  }
};

// One matrix: `columns` are what it should be.
void judge(const Program &dmclp, const std::vector<double> &got, const std::string &of,
           const Move &by, const std::vector<Values> &columns, const Row_names &names,
           const std::string &kind, double allowed, const std::string &where, Tally &tally) {
  const std::string name = "d" + of + "_d" + by.name;
  const std::vector<std::string> &row = names.of(of);
  if (row.empty() || by.columns.empty()) return;
  Mat expected(row.size(), by.columns.size()), told = expected;
  bool there = false;
  real taken = 1; // away by rows: they leave rounding of it
  for (size_t i = 0; i < row.size(); i++)
    for (size_t k = 0; k < by.columns.size(); k++) {
      const int at = dmclp.output(name + "." + row[i] + "." + by.columns[k]);
      there = there || at >= 0;
      expected(Eigen::Index(i), Eigen::Index(k)) = columns[k].at(of)[Eigen::Index(i)];
      told(Eigen::Index(i), Eigen::Index(k)) = at < 0 ? 0 : got[size_t(at)];
      const auto free = columns[k].find("free");
      if (of == "qdd" && free != columns[k].end())
        taken = std::max(taken, free->second.cwiseAbs().maxCoeff());
    }
  if (!there && expected.cwiseAbs().maxCoeff() > 1e-9L) allowed = -1; // not there
  tally.out.add(name + kind, relative(told, expected, taken * unit_floor), allowed, where);
}

// Does the layout ask for this derivative? It gets all where it names none.
bool asked(const LayoutSpec &layout, const std::string &of, const std::string &by) {
  bool any = false, mine = false;
  for (const std::string &name : layout.outputs) {
    any = any || name.find("_d") != std::string::npos;
    mine = mine || name == "d" + of + "_d" + by;
  }
  return !any || mine;
}

// Against differences of the chain of generated functions and solver, moved and back, twice as near the second time.
// exact: the derivatives in long double, with those of the accelerations without rows.
void judge_chain(BoundedProgram &chain, const Program &dmclp, const std::vector<double> &got,
                 const std::vector<Move> &all, const std::vector<std::vector<Values>> &exact,
                 const Posed &p, bool slides, const Row_names &names, const Robot &robot,
                 const LayoutSpec &layout, const std::string &where, Tally &tally) {
  Table moved = {chain.arrange(p.in)};
  const auto step_of = [&](const Move &by) {
    return by.name == "q" || (by.name == "qd" && slides) ? chain_step : 1e-3L;
  };
  for (const Move &by : all)
    for (int c = 0; c < int(by.columns.size()); c++)
      for (real h : {1.0L, -1.0L, 0.5L, -0.5L})
        moved.push_back(chain.arrange(by.moved(p, c, h * step_of(by)).in));
  const Table lines = chain.run(moved);
  const Vec side = chain.block(lines[0], "side", chain.rows);
  const Values here = of_chain(chain, lines[0], robot);
  size_t at = 1;
  for (size_t b = 0; b < all.size(); b++) {
    std::vector<Values> whole;
    const real h = step_of(all[b]);
    bool unchanged = true;
    for (int c = 0; c < int(all[b].columns.size()); c++, at += 4) {
      Values v[4];
      for (size_t i = 0; i < 4; i++) {
        v[i] = of_chain(chain, lines[at + i], robot);
        unchanged = unchanged && chain.block(lines[at + i], "side", chain.rows) == side;
      }
      Values column = v[0];
      for (auto &[name, x] : column)
        x = (8 * (v[2].at(name) - v[3].at(name)) - (v[0].at(name) - v[1].at(name))) / (6 * h);
      column["free"] = exact[b][size_t(c)].at("free");
      whole.push_back(column);
    }
    for (const auto &[of, value] : here) {
      if (!unchanged || value.size() == 0 || !asked(layout, of, all[b].name)) continue;
      real largest = unit_floor;
      for (const Values &column : whole)
        largest = std::max(largest, column.at(of).cwiseAbs().maxCoeff());
      const real rounding = chain_rounding * (1 + value.cwiseAbs().maxCoeff()) / (h * largest);
      judge(dmclp, got, of, all[b], whole, names, ", chain", chain_tolerance + double(rounding),
            where, tally);
    }
  }
}

// The names of rows along joints: friction and limits, those with a set-point first.
std::vector<std::string> names_along_joints(const Words &w, const Robot &robot,
                                            std::vector<std::string> *limits) {
  std::vector<std::string> friction, stops, upper;
  for (const Dof &dof : robot.dofs) {
    const std::string id = identifier(dof.name);
    if (w.coulomb_input || w.coulomb.count(dof.name)) friction.push_back("friction." + id);
    bool named = w.limited.empty();
    for (const std::string &name : w.limited) named = named || name == dof.name;
    if (w.margin > 0 && named && std::isfinite(robot.links[size_t(dof.link)].joint.lower)) {
      stops.push_back((w.braking > 0 ? "limits_lower." : "limits.") + id);
      if (w.braking > 0) upper.push_back("limits_upper." + id);
      if (w.limits_b_input) limits->push_back(id);
    }
  }
  stops.insert(stops.end(), upper.begin(), upper.end());
  std::vector<std::string> &first = w.limits_b_input ? stops : friction,
                           &second = w.limits_b_input ? friction : stops;
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void run(const Arguments &arguments, const Words &w, const std::string &how, Tally &tally) {
  const std::string urdf = arguments.robots + "/" + w.robot + ".urdf";
  LayoutSpec layout = furnished(w);
  if (w.title.find("46 rows") == 0) // all of its derivatives would be too long
    layout.outputs = {"qdd", "nu", "tau_ctrl", "dqdd_dq", "dqdd_dqd", "dqdd_dtau"};
  const Robot robot = read_urdf(urdf, layout.selection);
  Row_names names = {velocities(robot), {}, names_of(robot, layout).rows};
  names.joints.assign(names.velocity.begin() + robot.nb(), names.velocity.end());
  std::vector<std::string> limits, more;
  for (const std::string &name : names_along_joints(w, robot, &limits)) names.rows.push_back(name);
  for (int i = 0; i < robot.nb(); i++)
    more.push_back("base.acc" + velocities(robot)[size_t(i)].substr(4));
  const Generator generator{arguments.achdgen, urdf, lua(layout), "--snap 0"};
  const int m = int(names.rows.size());
  BoundedProgram chain(generator, layout.name, robot.nd(), m, more);
  Functions made =
      how == "c" ? compiled(generator, layout.name, {"dmclp"}) : evaluated(generator, {"dmclp"});
  Program &dmclp = *made["dmclp"];
  const std::vector<Move> all = moves(robot, w, layout, limits);
  Random random(23);
  for (int k = 0, trial = 0; k < arguments.states && trial < 3 * arguments.states + 20; trial++) {
    const Posed p = pose(robot, w, layout, random);
    const std::vector<double> line = chain.run({chain.arrange(p.in)})[0];
    const Vec nu = chain.block(line, "nu", m), side = chain.block(line, "side", m);
    const std::string where = w.title + ", draw " + std::to_string(trial);
    tally.out.add("solved", line[size_t(chain.output("solver"))], SOLVED, where);
    const Held here = held(robot, p, side);
    if (here.pivot < least_pivot) {
      tally.dependent++;
      continue;
    }
    tally.out.add("nu", relative(nu, here.values.at("nu")), 1e-8, where);
    // differences, as long as the same rows are at their bounds
    std::vector<std::vector<Values>> columns(all.size());
    const bool slides = std::count(p.branch.begin(), p.branch.end(), contact_slides) > 0;
    // in the first one contacts slide, and press: friction without a normal force has no direction
    const auto idle = [&p](int j) {
      return p.problem.rows[size_t(j)].active && p.lo[j] == 0 && p.hi[j] == 0;
    };
    bool presses = slides;
    for (int j = 0; j < m; j++) presses = presses && !idle(j);
    if (k == 0 && !presses && !w.contact.empty()) continue;
    const auto fast = [](int branch) { return branch > limit_acts + 2; };
    if (w.title.find("fast") != std::string::npos &&
        std::count_if(p.branch.begin(), p.branch.end(), fast) < 2)
      continue;
    // in time: a limit holds that is not cut off by the largest acceleration; these rows are the last
    const auto brakes = [&](int j) {
      const int branch = p.branch[p.branch.size() - size_t(m - j)];
      return names.rows[size_t(j)].rfind("limits", 0) == 0 && (branch - limit_in_time) / 8 == 0;
    };
    const std::vector<int> between = between_bounds(p, side);
    if (w.braking > 0 && std::none_of(between.begin(), between.end(), brakes)) continue;
    bool same = here.holds;
    for (size_t b = 0; b < all.size() && same; b++)
      for (int c = 0; c < int(all[b].columns.size()) && same; c++) {
        const bool nonlinear =
            all[b].name == "q" || (all[b].name == "qd" && (slides || w.braking > 0));
        columns[b].push_back(difference(
            [&](real h) {
              const Posed there = all[b].moved(p, c, h);
              const Held at = held(robot, there, side);
              same = same && at.holds && there.branch == p.branch;
              return at.values;
            },
            here.values, nonlinear ? "q" : all[b].name, 1e-3L, step));
      }
    if (!same) {
      tally.changing++;
      continue;
    }
    k++;
    tally.judged++;
    for (int j = 0; j < m; j++) tally.at_bound += side[j] != 0 && p.lo[j] < p.hi[j];
    tally.between += int(between_bounds(p, side).size());
    for (int j : between_bounds(p, side))
      tally.limited += limits.empty() && names.rows[size_t(j)].rfind("limits", 0) == 0;
    for (int x : p.branch) tally.sliding += x == contact_slides;
    std::map<std::string, double> in = p.in;
    for (int j = 0; j < m; j++) {
      in["nu." + names.rows[size_t(j)]] = double(nu[j]);
      in["side." + names.rows[size_t(j)]] = double(side[j]);
    }
    const std::vector<double> got = dmclp.run({dmclp.arrange(in)})[0];
    judge_chain(chain, dmclp, got, all, columns, p, slides, names, robot, layout, where, tally);
    for (size_t b = 0; b < all.size(); b++)
      for (const std::string of : {"qdd", "nu", "tau_ctrl"})
        if (asked(layout, of, all[b].name))
          judge(dmclp, got, of, all[b], columns[b], names, "", tolerance, where, tally);
    const unsigned status = unsigned(got[size_t(dmclp.output("status"))]);
    tally.out.add("status", (status & ~UNACTUATED) != 0, 0, where);
  }
}

// An arm with seven joints, their friction, limits and a tool; a gripper whose fingers follow a joint; joints that
// are fast towards their limits.
std::vector<Words> more_words() {
  std::vector<Words> all(3);
  for (Words &w : all) w.layout.tau_phys = w.layout.tau_art = true;
  all[0].title = "friction, limits and a tool", all[0].robot = "gen3";
  GroupSpec tool;
  tool.name = "tool", tool.frame = "tool_frame", tool.rows = {"lin_x", "lin_y", "lin_z", "ang_x"};
  tool.axes = Axes::link, tool.maskable = true;
  GroupSpec rub; // along directions that turn, too
  rub.name = "rub", rub.frame = "bracelet_link", rub.free = 2, rub.physical = true;
  all[0].layout.groups = {tool, rub};
  all[0].contact["rub"] = 0.4;
  all[0].layout.wrenches = {{"push", "forearm_link", false}, {"pull", "tool_frame", true}};
  all[0].layout.armature = {{"joint_1", 0.5}, {"joint_5", 0.1}};
  all[0].between["tool"] = {-12, 8};
  all[0].coulomb_input = true, all[0].viscous = "\"input\"";
  all[0].margin = 0.4, all[0].rate = 6;
  all[1].title = "fingers that follow, and rub", all[1].robot = "gripper";
  all[1].layout.selection.base = Base::floating;
  GroupSpec finger;
  finger.name = "finger", finger.frame = "right_finger_pin", finger.rows = {"lin_x", "lin_y"};
  finger.axes = Axes::link;
  all[1].layout.groups = {finger};
  GroupSpec palm;
  palm.name = "palm", palm.frame = "left_finger_pin", palm.free = 2, palm.physical = true;
  all[1].layout.groups.push_back(palm);
  all[1].contact = {{"finger", 0.7}, {"palm", 0.5}};
  all[1].layout.wrenches = {{"push", "right_finger_pin", false}};
  all[2].title = "joints that are fast towards their limits", all[2].robot = "youbot_arm";
  all[2].margin = 0.8, all[2].rate = 0.2;
  return all;
}

} // namespace

// Those that take long, or show what others show.
const std::set<std::string> in_a_sweep = {"46 rows: feet, friction, limits and joints",
                                          "four feet that push only",
                                          "viscous friction from the URDF",
                                          "viscous friction at run time, with Coulomb's",
                                          "limits of some, stops with b at run time, friction",
                                          "joints without motor, of which nothing is asked",
                                          "a loop that pushes only, held by motors"};

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 1, 20);
  Tally tally;
  int bad = 0;
  std::vector<Words> all = words_of_bounds();
  for (const Words &w : more_words()) all.push_back(w);
  InSample in_sample(arguments, 5);
  for (const std::string &how : arguments.runs())
    for (const Words &w : all) {
      if (w.title.find(arguments.only) == std::string::npos || !in_sample()) continue;
      if (arguments.only.empty() && arguments.states == 1 && in_a_sweep.count(w.title)) continue;
      try {
        run(arguments, w, how, tally);
      } catch (const std::exception &error) {
        std::printf("  BAD %s: %s\n", w.title.c_str(), error.what());
        bad++;
      }
    }
  bad += tally.out.print();
  const int drawn = tally.judged + tally.changing;
  const bool few = 4 * tally.changing <= drawn;
  const bool all_kinds = tally.at_bound && tally.between && tally.sliding && tally.limited;
  const bool good =
      !bad && tally.judged && few && (all_kinds || !in_sample.all() || !arguments.only.empty());
  std::printf(
      "  %d states judged, %d left out near a change, %d with dependent rows\n"
      "  of those judged: %d rows at bounds, %d between; %d contacts slide, %d limits hold\n%s\n",
      tally.judged, tally.changing, tally.dependent, tally.at_bound, tally.between, tally.sliding,
      tally.limited, good ? "OK" : "FAILED");
  return !good;
}

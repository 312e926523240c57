/* SPDX-License-Identifier: MIT */
// motors_test.cpp: realise = "motors": artificial rows realised by motors and contacts alone, against
// a dense oracle in long double that decides ranks by singular values, and against forward dynamics
// driven by the motor torques alone with the contacts as equalities: these reach A^T a = b. Moving
// and fixed bases, passive joints, ties, armature, rows that yield, artificial wrenches and torques;
// contacts masked out one by one and row by row, and knees bent as of robots that stand; both
// formulations, double and float. Arguments: oracle/arguments.hpp.
#include "oracle/arguments.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

struct Case {
  std::string title, urdf;
  LayoutSpec layout;
  int contacts = 0; // > 0: sample i has i % (contacts + 1) of the maskable groups at the end out
  std::vector<double> stance; // by joint: positions within 0.3 of these; empty: at random
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string &title, const std::string &urdf,
                       std::vector<GroupSpec> groups) -> Case & {
    Case c;
    c.title = title;
    c.urdf = urdf;
    c.layout.name = "robot";
    c.layout.groups = groups;
    c.layout.armature_input = c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.outputs = {"qdd", "nu", "tau_ctrl"};
    c.layout.more = "  realise = \"motors\",\n";
    all.push_back(c);
    return all.back();
  };
  std::vector<GroupSpec> standing = {group("trunk", "trunk")};
  for (const std::string leg : {"fl", "fr", "rl", "rr"}) {
    standing.push_back(group(leg, leg + "_foot", {"lin_x", "lin_y", "lin_z"}, true));
    standing.back().maskable = true;
  }
  {
    Case &c = add("quadruped", "quadruped.urdf", standing);
    c.layout.selection.base = Base::floating;
    c.contacts = 4;
  }
  const std::vector<double> bent = {0, 0.7, -1.4, 0, 0.7, -1.4, 0, 0.7, -1.4, 0, 0.7, -1.4};
  {
    Case &c = add("quadruped, knees bent", "quadruped.urdf", standing);
    c.layout.selection.base = Base::floating;
    c.layout.armature_input = c.layout.tau_phys = false;
    c.contacts = 4;
    c.stance = bent;
  }
  {
    Case &c = add("quadruped, knees bent, feet masked row by row", "quadruped.urdf", standing);
    c.layout.selection.base = Base::floating;
    c.layout.armature_input = c.layout.tau_phys = false;
    c.stance = bent;
  }
  {
    Case &c = add("quadruped, contacts before the trunk, drop", "quadruped.urdf",
                  {standing[2], standing[4], group("trunk", "trunk", {"lin_z", "ang_x"})});
    c.layout.selection.base = Base::floating;
    c.layout.singularity = Policy::drop;
  }
  {
    Case &c =
        add("quadruped, artificial wrench, a row that yields", "quadruped.urdf",
            {group("trunk", "trunk", {"lin_x", "lin_z"}), standing[1], standing[2], standing[4]});
    c.layout.selection.base = Base::floating;
    c.layout.groups[0].yields = true;
    c.layout.wrenches = {{"push", "rl_foot", true}, {"load", "trunk", false}};
  }
  {
    Case &c = add("gen3, a passive joint", "gen3.urdf",
                  {group("tool", "tool_frame", {"lin_x", "ang_y", "lin_z"}),
                   group("wall", "forearm_link", {"lin_y", "lin_z"}, true)});
    c.layout.selection.passive = {"joint_2"};
    c.layout.groups[1].maskable = true;
  }
  {
    Case &c = add("gen3, two passive joints, no contact", "gen3.urdf",
                  {group("tool", "tool_frame", {"lin_x", "lin_y", "lin_z"})});
    c.layout.selection.passive = {"joint_4", "joint_6"};
    c.layout.groups[0].axes = Axes::link;
    c.layout.groups[0].maskable = true;
  }
  {
    Case &c = add("youbot, a platform that rolls and brakes", "youbot.urdf",
                  {group("grip", "gripper_palm_link", {"lin_x", "lin_z"}),
                   group("brake", "base_link", {"lin_y"}, true)});
    c.layout.selection.base = Base::planar;
    c.layout.selection.tips = {"gripper_palm_link"};
    c.layout.groups[1].maskable = true;
  }
  {
    Case &c = add("four-bar linkage, a row on a joint without motor", "four_bar.urdf",
                  {group("rocker", ""), group("pin", "rocker_pin", {"lin_x", "lin_z"}, true)});
    c.layout.selection.passive = {"coupler_joint", "rocker_joint"};
    c.layout.groups[0].joints = {"rocker_joint"};
    c.layout.groups[1].to = "coupler_pin";
  }
  return all;
}

// The problem with rows as data: which are contacts, which are demanded, U, the loads.
struct Dense {
  Mat Ja, Jc, U; // U picks the freedoms without a motor
  Vec ba, bc;    // less what the rows see at vdot = 0
  Vec own, rest; // forces by coordinate: artificial ones, all others
  std::vector<int> a, c;
};

Dense dense_of(const Robot &robot, const Motion &at, const Problem &problem) {
  Dense d;
  const int nv = at.nv, nb = at.nb, nd = robot.nd();
  d.own = Vec::Zero(nv);
  d.rest = -at.h;
  if (problem.tau_art.size()) d.own.tail(nd) += problem.tau_art;
  if (problem.tau_phys.size()) d.rest.tail(nd) += problem.tau_phys;
  for (const Wrench &w : problem.wrenches)
    (w.artificial ? d.own : d.rest) += jacobian(at, w.link).transpose() * w.f;
  Vec wrenches = d.own;
  if (problem.tau_art.size()) wrenches.tail(nd) -= problem.tau_art;
  const Vec alone = solve_spd(at.M, wrenches); // rows that yield: b on top of this
  for (size_t k = 0; k < problem.rows.size(); k++)
    if (problem.rows[k].active) (problem.rows[k].physical ? d.c : d.a).push_back(int(k));
  const auto fill = [&](const std::vector<int> &which, Mat &J, Vec &b) {
    J.resize(Eigen::Index(which.size()), nv);
    b.resize(Eigen::Index(which.size()));
    for (size_t i = 0; i < which.size(); i++) {
      const Row &row = problem.rows[size_t(which[i])];
      real gamma;
      const auto j = row_jacobian(at, row, &gamma);
      J.row(Eigen::Index(i)) = j;
      b[Eigen::Index(i)] = row.b - gamma + (row.yields ? j.dot(alone) : 0);
    }
  };
  fill(d.a, d.Ja, d.ba);
  fill(d.c, d.Jc, d.bc);
  std::vector<int> idle;
  for (int i = 0; i < nb; i++) idle.push_back(i);
  for (int i = 0; i < nd; i++)
    if (robot.dofs[size_t(i)].passive) idle.push_back(nb + i);
  d.U = Mat::Zero(Eigen::Index(idle.size()), nv);
  for (size_t i = 0; i < idle.size(); i++) d.U(Eigen::Index(i), idle[i]) = 1;
  return d;
}

struct Answer {
  Vec vdot, tau, nu, mu; // tau by coordinate; nu of artificial rows; mu of contacts
  Vec contact;           // forces of the contacts
  int rank = 0;          // of what contacts carry
  real least = 1; // its smallest singular value that is not zero, squared, over the masses of U
  real left = 1, cond = 1;
};

// Ranks by singular values, no passes:
//   vdot = M^-1 (rest + own + Ja^T nu + Jc^T rho) + U^T Z z,  Z spans {w: Jc U^T w = 0},
//   Jc vdot = bc,  Ja vdot = ba,  Z^T U (own + Ja^T nu + M U^T Z z) = 0
// and mu = W^1/2 x, x the least with U Jc^T W^1/2 x = -U (own + Ja^T nu + M U^T Z z).
Answer answer_of(const Motion &at, const Dense &d) {
  Answer out;
  const Eigen::Index na = d.Ja.rows(), nc = d.Jc.rows(), nu = d.U.rows();
  const Mat Y = solve_spd(at.M, Mat(d.Jc.transpose()));
  Vec root(nc);
  for (Eigen::Index k = 0; k < nc; k++) root[k] = 1 / std::sqrt(d.Jc.row(k).dot(Y.col(k)));
  const Mat C = d.U * at.M * d.U.transpose();
  const Mat carried = d.U * d.Jc.transpose() * root.asDiagonal();
  Mat Z = Mat::Identity(nu, nu);
  Mat inverse = Mat::Zero(nc, nu); // of carried, least norm
  if (nc > 0) {
    const Eigen::JacobiSVD<Mat> svd(carried, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Vec s = svd.singularValues();
    for (Eigen::Index i = 0; i < s.size(); i++) {
      if (!(s[i] > 1e-12L * s[0])) continue;
      out.rank++;
      inverse += svd.matrixV().col(i) * svd.matrixU().col(i).transpose() / s[i];
      const Vec w = svd.matrixU().col(i);
      out.least = std::min(out.least, s[i] * s[i] / w.dot(C * w));
    }
    Z = svd.matrixU().rightCols(nu - out.rank);
  }
  const Eigen::Index nz = Z.cols();
  Mat all(d.Ja.rows() + nc, at.nv);
  all << d.Ja, d.Jc;
  Vec b(na + nc);
  b << d.ba, d.bc;
  const Mat W = solve_spd(at.M, Mat(all.transpose()));
  const Vec free = solve_spd(at.M, d.rest + d.own);
  const Mat UZ = d.U.transpose() * Z;
  Mat K = Mat::Zero(na + nc + nz, na + nc + nz);
  Vec r(na + nc + nz);
  K.topLeftCorner(na + nc, na + nc) = all * W;
  K.topRightCorner(na + nc, nz) = all * UZ;
  K.bottomLeftCorner(nz, na) = UZ.transpose() * d.Ja.transpose();
  K.bottomRightCorner(nz, nz) = UZ.transpose() * at.M * UZ;
  r.head(na + nc) = b - all * free;
  r.tail(nz) = -UZ.transpose() * d.own;
  const Vec x = K.fullPivLu().solve(r);
  out.nu = x.head(na);
  const Vec rho = x.segment(na, nc);
  const Vec moved = UZ * x.tail(nz);
  out.vdot = free + W * x.head(na + nc) + moved;
  const Vec load = d.own + d.Ja.transpose() * out.nu + at.M * moved;
  out.mu = root.asDiagonal() * (inverse * -(d.U * load));
  out.tau = load + d.Jc.transpose() * out.mu;
  out.contact = rho - out.mu;
  const Mat Minv = solve_spd(at.M, Mat(Mat::Identity(at.nv, at.nv)));
  // what motors leave of every row and of all together
  Mat kept = all * W;
  const Mat S = UZ.transpose() * at.M * UZ;
  const Mat lost = UZ.transpose() * d.Ja.transpose();
  if (nz > 0) kept.topLeftCorner(na, na) -= lost.transpose() * solve_spd(S, lost);
  for (Eigen::Index k = 0; k < na; k++)
    out.left = std::min(out.left, kept(k, k) / d.Ja.row(k).dot(Minv * d.Ja.row(k).transpose()));
  Vec scale = kept.diagonal().cwiseMax(1e-30L).cwiseSqrt().cwiseInverse();
  out.cond = condition(scale.asDiagonal() * kept * scale.asDiagonal());
  return out;
}

int run_case(const Case &c, const Arguments &arguments, const std::string &formulation,
             bool single) {
  const Robot robot = read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
  Evaluator program(
      {arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout),
       "--formulation " + formulation + " --snap 0 --real " + (single ? "float" : "double")});
  const std::string title = c.title + ", " + formulation + (single ? ", float" : "");
  Comparison errors(title);
  Random random(19);
  Table in;
  std::vector<Sample> samples;
  for (int i = 0; i < arguments.states; i++) {
    Sample sample = random_sample(robot, c.layout, random, SampleRange());
    if (c.contacts)
      for (int k = 0; k < c.contacts; k++)
        for (int &m : sample.mask[sample.mask.size() - 1 - size_t(k)])
          m = k >= i % (c.contacts + 1);
    for (size_t k = 0; k < c.stance.size(); k++)
      sample.state.q[Eigen::Index(k)] = real(float(c.stance[k] + random.uniform(-0.3, 0.3)));
    samples.push_back(sample);
    in.push_back(program.arrange(input_columns(robot, c.layout, sample)));
  }
  const Table got = program.run(in);
  const ColumnNames names = names_of(robot, c.layout);
  std::map<int, int> ranks;
  int judged = 0, as_anything = 0, told = 0;
  for (size_t i = 0; i < samples.size(); i++) {
    const Motion at = motion(robot, samples[i].state);
    Problem problem = problem_of(robot, c.layout, at, samples[i]);
    const Dense d = dense_of(robot, at, problem);
    const Answer want = answer_of(at, d);
    const std::string where = "state " + std::to_string(i);
    const unsigned status = unsigned(got[i][program.output("status")]);
    const bool holds = want.rank == int(d.U.rows());
    // where contacts hold everything, a float says itself what it cannot tell
    if (!(want.cond < (single && holds ? 1e8 : 1e4)) || want.left < 1e-2 ||
        want.least < (single ? 1e-5 : 1e-9))
      continue;
    judged++;
    if (single && (status & SINGULAR)) { // it does not know; how often is judged below
      told++;
      continue;
    }
    ranks[want.rank]++;
    // Floats where contacts hold everything, legs in any position: 2e-4; else what rounding does to rows of which
    // motors reach little, and what these leave free is a difference of nearly equal numbers.
    const double of_rows = std::max(1e-4, 4e-5 * double(want.cond / want.left)),
                 of_float = status & UNACTUATED ? 5e-2
                            : holds             ? 2e-4
                                                : 5e-3 + of_rows,
                 tolerance = single ? of_float : 1e-9;
    const Vec qdd = picked(program, got[i], "qdd.", names.joints);
    const Vec nu = picked(program, got[i], "nu.", names.rows);
    const Vec tau = picked(program, got[i], "tau_ctrl.", names.joints);
    Vec wanted = Vec::Zero(nu.size());
    for (size_t k = 0; k < d.a.size(); k++) wanted[d.a[k]] = want.nu[Eigen::Index(k)];
    for (size_t k = 0; k < d.c.size(); k++) wanted[d.c[k]] = want.contact[Eigen::Index(k)];
    Vec motors = want.tau.tail(robot.nd());
    for (int k = 0; k < robot.nd(); k++)
      if (robot.dofs[size_t(k)].passive) motors[k] = 0;
    errors.add("qdd", relative(qdd, Vec(want.vdot.tail(robot.nd()))), tolerance, where);
    errors.add("nu", relative(nu, wanted), tolerance, where);
    errors.add("tau_ctrl", relative(tau, motors), tolerance, where);
    errors.add("oracle: no share of U", relative(Vec(d.U * want.tau), Vec(Vec::Zero(d.U.rows()))),
               1e-9, where);
    // the motor torques alone, contacts as equalities
    Problem driven = problem;
    driven.tau_phys = Vec(tau + (problem.tau_phys.size() ? problem.tau_phys : Vec(0 * tau)));
    driven.tau_art = Vec();
    driven.wrenches.clear();
    for (const Wrench &w : problem.wrenches)
      if (!w.artificial) driven.wrenches.push_back(w);
    driven.policy = Policy::exact;
    for (Row &row : driven.rows) row.active &= row.physical;
    const Vec moved = solve(robot, at, driven).vdot;
    errors.add("motors alone: motion", relative(qdd, Vec(moved.tail(robot.nd()))), tolerance,
               where);
    errors.add("motors alone: A^T a = b", relative(Vec(d.Ja * moved), d.ba, 1),
               (single ? 100 : 10) * tolerance, where);
    // the motion of "anything", wherever contacts carry all that has no motor
    if (holds) {
      problem.policy = Policy::exact;
      const Solution today = solve(robot, at, problem);
      errors.add("as \"anything\": qdd", relative(qdd, Vec(today.vdot.tail(robot.nd()))), tolerance,
                 where);
      as_anything++;
    }
    errors.add("status", status & ~UNACTUATED, 0.5, where);
    if (!c.layout.wrenches.size() && !c.layout.selection.passive.size())
      errors.add("UNACTUATED", status & UNACTUATED, 0.5, where);
  }
  std::printf("%s: %d of %zu states judged, %d with the motion of \"anything\"; ranks",
              title.c_str(), judged, samples.size(), as_anything);
  for (const auto &r : ranks) std::printf(" %d: %d", r.first, r.second);
  std::printf("\n");
  int bad = errors.print();
  if (judged * (c.stance.empty() ? 4 : 2) < int(samples.size()))
    bad++, std::printf("  BAD: too few states judged\n");
  if (told * 50 > judged) bad++, std::printf("  BAD: %d states of floats are SINGULAR\n", told);
  if (c.contacts && !single && int(ranks.size()) < 4)
    bad++, std::printf("  BAD: not every number of contacts was seen\n");
  return bad;
}

// What nothing can realise: UNACTUATED and finite numbers; no motor is asked for what it cannot do.
int run_out_of_reach(const Arguments &arguments) {
  LayoutSpec layout;
  layout.name = "robot";
  layout.selection.base = Base::floating;
  layout.groups = {group("body", "trunk")};
  layout.groups[0].maskable = true;
  layout.selection.tips = {"fl_foot"};
  layout.selection.locked = {{"fl_hip_joint", 0.1L}, {"fl_calf_joint", -1}};
  layout.more = "  realise = \"motors\",\n";
  layout.outputs = {"qdd", "nu", "tau_ctrl", "pivot_min"};
  int bad = 0;
  for (const Policy policy : {Policy::damp, Policy::drop, Policy::truncate})
    for (const char *real_type : {"double", "float"}) {
      layout.singularity = policy; // six rows, one motor
      layout.threshold = 1e-3;
      const Robot robot = read_urdf(arguments.robots + "/quadruped.urdf", layout.selection);
      Evaluator program({arguments.achdgen, arguments.robots + "/quadruped.urdf", lua(layout),
                         std::string("--real ") + real_type});
      Random random(5);
      Table in;
      std::vector<int> rows;
      for (int i = 0; i < 30; i++) {
        const Sample sample = random_sample(robot, layout, random, SampleRange());
        rows.push_back(0);
        for (const int m : sample.mask[0]) rows.back() += m;
        in.push_back(program.arrange(input_columns(robot, layout, sample)));
      }
      int wrong = 0, told = 0;
      const Table got = program.run(in);
      for (size_t i = 0; i < got.size(); i++) {
        for (const double x : got[i]) wrong += !std::isfinite(x);
        const unsigned status = unsigned(got[i][size_t(program.output("status"))]);
        if (rows[i] > 1 && (status & (UNACTUATED | SINGULAR)) != (UNACTUATED | SINGULAR)) wrong++;
        if (rows[i] == 0 && status != 0) wrong++;
        told += (status & UNACTUATED) != 0;
      }
      std::printf("one motor, up to six rows, %s: %d wrong, UNACTUATED in %d of 30%s\n", real_type,
                  wrong, told, wrong ? "  BAD" : "");
      bad += wrong;
    }
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 60, 1000);
  Runs runs(arguments);
  InSample in_sample(arguments, 5);
  for (const Case &c : cases())
    for (const std::string formulation : {"recursion", "joint"})
      for (const bool single : {false, true})
        if (in_sample()) runs(c.title, [&] { return run_case(c, arguments, formulation, single); });
  runs("out of reach", [&] { return run_out_of_reach(arguments); });
  return runs.end();
}

/* SPDX-License-Identifier: MIT */
// optimum_test.cpp: realise = "optimum": qp, achd_qp and apply, compiled, against the same optimum
// stated another way: unknowns are torques and contact forces, the contacts are equalities, M and
// the Jacobians come from plain kinematics, the metric of a level from Cholesky's factor of
// A M^-1 A^T, all in long double and solved by an interior point method (runtime/qp_oracle.h). And
// forward dynamics driven by the torques alone, contacts as equalities, moves as the program says.
// Fixed, planar and floating bases, feet lifted one by one, flat feet, ties, mimic and passive
// joints, priorities, wanted forces. Where joints rub, every way in which those at rest stick or slip
// is such a problem, and the best of them all is the answer. Arguments: oracle/arguments.hpp.
#include "oracle/arguments.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/sample.hpp"

extern "C" {
#include "runtime/qp_oracle.h"
}

using namespace oracle;

namespace {

// What the words of a group in an optimum say, as data.
struct Contact {
  int normal = -1; // row; -1: no contact
  double mu = 0.6;
  int sides = 4;
  std::vector<Vec3> points; // axes of the frame
};
struct Words {
  Contact contact;
  int priority = 1;
  bool wanted = false;
  double weight = 0; // 0: the default
};

struct Case {
  std::string title, urdf;
  LayoutSpec layout;
  std::vector<Words> words; // by group
  double margin = 0;        // of joint limits; 0: none
  double b = 3, reach = 0;  // set-points; how far positions are from `posture`
  bool single = false;      // generated and solved in float
  std::vector<double> posture;
  std::map<std::string, double> friction; // dry, by joint
};

// What a joint does: it moves, or is at rest and slips one way, sticks, or slips the other way.
enum Slip { MOVES, FORWARD, STICKS, BACKWARD };

std::string words_of(const Words &w, const GroupSpec &g) {
  std::string out;
  const auto add = [&](const std::string &one) { out += (out.empty() ? "" : ", ") + one; };
  if (w.contact.normal >= 0) {
    std::string c = "contact = { normal = \"" + g.rows[size_t(w.contact.normal)] + "\"";
    if (g.rows.size() > 1)
      c += ", friction = " + std::to_string(w.contact.mu) +
           ", sides = " + std::to_string(w.contact.sides);
    if (!w.contact.points.empty()) {
      c += ", points = {";
      for (const Vec3 &p : w.contact.points)
        c += " { " + std::to_string(double(p[0])) + ", " + std::to_string(double(p[1])) + ", " +
             std::to_string(double(p[2])) + " },";
      c += " }";
    }
    add(c + " }");
  }
  if (!g.physical && w.priority != 1) add("priority = " + std::to_string(w.priority));
  if (w.wanted) add("wanted = \"input\"");
  if (w.weight > 0) add("weight = " + std::to_string(w.weight));
  return out;
}

// qp, achd_qp and apply in one filter: status, solver, level, row, certified; qdd, tau_ctrl, nu.
class OptimumProgram : public Program {
public:
  OptimumProgram(const Generator &g, const std::string &title, int nj, int nr, bool single)
      : Program(g), joints(nj), rows(nr) {
    const bool rubs = g.layout.find("\n  friction = { ") != std::string::npos;
    names.out.clear();
    for (const char *one : {"status", "solver", "level", "row", "certified"})
      names.out.push_back({one, "1"});
    const auto add = [&](const std::string &block, int count) {
      for (int i = 0; i < count; i++) names.out.push_back({block + "." + std::to_string(i), "1"});
    };
    add("qdd", nj), add("tau_ctrl", nj), add("nu", nr), add("residual", nr);
    if (rubs) add("tau_friction", nj);
    const std::string name = title + (single ? "f" : ""), real = single ? "float" : "double";
    std::string big = name, err, c;
    for (char &letter : big) letter = char(std::toupper(static_cast<unsigned char>(letter)));
    c = "#include <stdio.h>\n#include <string.h>\n#include <achd/qp.h>\n#define " + big +
        "_IMPLEMENTATION\n#include \"emitted.h\"\nstatic void print(const achd_real *x, int count) "
        "{\n"
        "  for (int i = 0; i < count; i++) printf(\"%.17g \", (double)x[i]);\n}\nint main(void) {\n"
        "  static achd_real work[ACHD_QP_FRICTION_WORK(" +
        big + "_NX, " + big + "_NQ, " + big + "_LEVELS)], dual[ACHD_QP_DUAL(" + big + "_LEVELS, " +
        big + "_NQ)];\n  static signed char side[" + big + "_NQ];\n  static " + name +
        "_achd_in in;\n  static " + name + "_qp_out p;\n  static " + name +
        "_achd_out out;\n  achd_real x[" + big +
        "_NX];\n  double one;\n"
        "  achd_qp_report report;\n  achd_qp_certificate certificate;\n  while (scanf(\"%lf\", "
        "&one) == 1) {\n";
    for (size_t i = 0; i < names.in.size(); i++) {
      const std::string &column = names.in[i].name;
      const size_t dot = column.rfind('.');
      const std::string access = column.compare(0, 7, "wanted.") == 0
                                     ? column.substr(0, dot) + "[" + column.substr(dot + 1) + "]"
                                     : field(column, name, names.takes("base."));
      if (i > 0) c += "    if (scanf(\"%lf\", &one) != 1) return 2;\n";
      c += "    in." + access + " = (achd_real)one;\n";
    }
    c += "    memset(&out, 0xa5, sizeof out);\n    unsigned status = (unsigned)" + name +
         "_qp(&in, &p);\n"
         "    achd_qp_problem problem = {" +
         big + "_NX, " + big + "_NQ, " + big +
         "_LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};\n" +
         (rubs ? "    const achd_qp_rubbing all = {problem, " + big +
                     "_NF, p.stiction, 0};\n"
                     "    const achd_qp_status solved = achd_qp_friction(&all, x, dual, side, "
                     "work, &report);\n"
                     "    problem.lo = work, problem.hi = work + " +
                     big + "_NQ;\n"
               : "    const achd_qp_status solved = achd_qp(&problem, x, dual, side, 0, work, "
                 "&report);\n") +
         "    const int good = achd_qp_check(&problem, x, dual, &certificate);\n"
         "    status |= (unsigned)" +
         name +
         "_apply(&in, &p, x, &out);\n"
         "    printf(\"%u %d %d %d %d \", status, (int)solved, report.level, report.row, good);\n"
         "    print(out.qdd, " +
         big + "_NJ), print(out.tau_ctrl, " + big + "_NJ), print(out.nu, " + big +
         "_NR), print(out.residual, " + big + "_NR);\n" +
         (rubs ? "    print(out.tau_friction, " + big + "_NJ);\n" : "") +
         "    printf(\"\\n\");\n  }\n  return 0;\n}\n";
    const std::string runtime = ACHD_SOURCE_DIR "/runtime";
    if (run_command(shell_quoted(g.achdgen) + " " + shell_quoted(g.urdf) + " --layout " +
                        shell_quoted(layout_path) + " " + g.flags + " --no-prove --real " + real +
                        " -o " + shell_quoted(folder.path + "/emitted.h"),
                    nullptr, &err) != 0)
      throw std::runtime_error(err);
    folder.write("main.c", c);
    std::string sources = " " + shell_quoted(folder.path + "/main.c");
    for (const char *part :
         {"qp.c", "qp_factors.c", "qp_active.c", "qp_levels.c", "qp_check.c", "qp_friction.c"})
      sources += " " + shell_quoted(runtime + "/" + part);
    if (run_command(std::string("cc -std=c99 -O0 -Wall -Wextra -Werror ") +
                        (single ? "-DACHD_SINGLE -I" : "-I") + shell_quoted(runtime) + sources +
                        " -o " + shell_quoted(folder.path + "/main") + " -lm",
                    nullptr, &err) != 0)
      throw std::runtime_error("the compiler: " + err.substr(0, 2000));
    command = shell_quoted(folder.path + "/main");
  }
  Table run(const Table &in) override { return run_filter(command, in); }
  Vec block(const std::vector<double> &line, const std::string &first, int count) const {
    const int at = output(first + ".0");
    Vec v(count);
    for (int i = 0; i < count; i++) v[i] = line[size_t(at + i)];
    return v;
  }
  const int joints, rows;

private:
  std::string command;
};

// The optimum's own statement.
struct Stated {
  qp_oracle_problem p;
  Mat by; // vdot = by z + at_rest
  Vec at_rest;
  Mat N;                   // nu = N z
  std::vector<int> motors; // joints whose torque is an unknown, with friction where they stick
  real constant = 0;       // of the objective
};

real friction_of(const Case &c, const Robot &robot, int dof) {
  const auto found = c.friction.find(robot.links[size_t(robot.dofs[size_t(dof)].link)].joint.name);
  return found == c.friction.end() ? 0 : found->second;
}

// Friction of a joint that may stick; 0: it has none, or moves.
real sticky(const Case &c, const Robot &robot, const Sample &sample, int dof) {
  return std::fabs(sample.state.qd[dof]) < 1e-3L ? friction_of(c, robot, dof) : 0;
}

void add_row(qp_oracle_problem &p, const Vec &a, real constant, real lo, real hi, int level,
             real weight) {
  for (int i = 0; i < p.n; i++) p.A[p.m][i] = a[i];
  p.lo[p.m] = lo - constant, p.hi[p.m] = hi - constant;
  p.level[p.m] = level, p.weight[p.m] = weight;
  p.m++;
}

Stated state_of(const Case &c, const Robot &robot, const Motion &at, const Problem &problem,
                const Sample &sample, const std::map<std::string, double> &in,
                const std::vector<Slip> &slips) {
  Stated s;
  const int nd = robot.nd(), nb = at.nb, nv = at.nv;
  const real none = std::numeric_limits<real>::infinity();
  s.p = qp_oracle_problem{};
  for (int i = 0; i < nd; i++)
    if (!robot.dofs[size_t(i)].passive || slips[size_t(i)] != MOVES) s.motors.push_back(i);
  // forces: (row of the layout) or points
  struct Force {
    int group, row, point, axis;
    Vec by_row;
  };
  std::vector<Force> list;
  std::vector<real> gamma(problem.rows.size());
  Mat G;
  G.resize(Eigen::Index(problem.rows.size()), nv);
  for (size_t k = 0; k < problem.rows.size(); k++)
    G.row(Eigen::Index(k)) = row_jacobian(at, problem.rows[k], &gamma[k]);
  std::vector<int> first(c.layout.groups.size() + 1, 0);
  for (size_t g = 0; g < c.layout.groups.size(); g++)
    first[g + 1] = first[g] + c.layout.groups[g].size();
  const auto row_axis = [](const std::string &name) {
    return (name.compare(0, 3, "ang") == 0 ? 3 : 0) + name.back() - 'x';
  };
  for (size_t g = 0; g < c.layout.groups.size(); g++) {
    if (!c.layout.groups[g].physical) continue;
    const auto &points = c.words[g].contact.points;
    for (size_t q = 0; q < std::max<size_t>(points.size(), 1); q++)
      for (int k = 0; k < (points.empty() ? c.layout.groups[g].size() : 3); k++) {
        Force f{int(g), points.empty() ? first[g] + k : -1, int(q), k,
                Vec::Zero(Eigen::Index(problem.rows.size()))};
        if (points.empty()) {
          f.by_row[f.row] = 1;
        } else {
          Vec3 e = Vec3::Zero();
          e[k] = 1;
          const Vec3 m = points[q].cross(e);
          for (int r = 0; r < 6; r++) {
            const int axis = row_axis(c.layout.groups[g].rows[size_t(r)]);
            f.by_row[first[g] + r] = axis < 3 ? e[axis] : m[axis - 3];
          }
        }
        list.push_back(f);
      }
  }
  const int nm = int(s.motors.size()), nf = int(list.size());
  s.p.n = nm + nf;
  if (s.p.n > ORACLE_N) throw std::runtime_error("too many unknowns for the oracle");
  Mat P = Mat::Zero(nv, s.p.n);
  for (int i = 0; i < nm; i++) P(nb + s.motors[size_t(i)], i) = 1;
  Mat N = Mat::Zero(Eigen::Index(problem.rows.size()), s.p.n);
  for (int i = 0; i < nf; i++) {
    const auto &f = list[size_t(i)];
    const int j = first[size_t(f.group)];
    if (!problem.rows[size_t(f.row >= 0 ? f.row : j)].active) continue;
    N.col(nm + i) = f.by_row;
    P.col(nm + i) = G.transpose() * f.by_row;
  }
  Vec rest = -at.h;
  if (problem.tau_phys.size()) rest.tail(nd) += problem.tau_phys;
  for (int i = 0; i < nd; i++) // friction in motion
    if (slips[size_t(i)] == MOVES)
      rest[nb + i] += sample.state.qd[i] < 0 ? friction_of(c, robot, i) : -friction_of(c, robot, i);
  for (const Wrench &w : problem.wrenches) rest += jacobian(at, w.link).transpose() * w.f;
  const Mat Minv = solve_spd(at.M, Mat(Mat::Identity(nv, nv)));
  s.by = Minv * P;
  s.at_rest = Minv * rest;
  Vec own = Vec::Zero(nv);
  if (problem.tau_art.size()) own.tail(nd) += problem.tau_art;
  // Gauss: 1/2 |P z - own|^2 in M^-1; and the contact forces
  Mat H = P.transpose() * Minv * P;
  Vec g = -P.transpose() * Minv * own;
  const real mass = mass_motion(robot, sample.state, at).m; // of all that moves
  for (int i = 0; i < nf; i++) {
    const auto &f = list[size_t(i)];
    const Words &w = c.words[size_t(f.group)];
    const GroupSpec &spec = c.layout.groups[size_t(f.group)];
    const bool active =
        problem.rows[size_t(f.row >= 0 ? f.row : first[size_t(f.group)] + w.contact.normal)].active;
    const real weight = w.weight > 0 ? w.weight : 1e-3L / mass;
    real wanted = 0;
    if (w.wanted)
      wanted = in.at("wanted." + spec.name + "." +
                     std::to_string(w.contact.points.empty() ? f.axis : 3 * f.point + f.axis));
    H(nm + i, nm + i) += weight;
    g[nm + i] -= active ? weight * wanted : 0;
  }
  // friction at rest: r |a|, and the little that makes the program's problem strictly convex
  for (int i = 0; i < nd; i++) {
    if (slips[size_t(i)] != FORWARD && slips[size_t(i)] != BACKWARD) continue;
    const real along = friction_of(c, robot, i) * (slips[size_t(i)] == FORWARD ? 1 : -1);
    const Vec a = s.by.row(nb + i).transpose();
    const real little = 1e-6L / Minv(nb + i, nb + i);
    H += little * a * a.transpose();
    g += (along + little * s.at_rest[nb + i]) * a;
    s.constant += (along + little * s.at_rest[nb + i] / 2) * s.at_rest[nb + i];
  }
  for (int i = 0; i < s.p.n; i++) {
    for (int k = 0; k < s.p.n; k++) s.p.H[i][k] = H(i, k);
    s.p.g[i] = g[i];
  }
  // level 0: contacts hold, torques within their limits
  const auto see = [&](int k, Vec &a, real &constant) {
    a = s.by.transpose() * G.row(k).transpose();
    constant = G.row(k).dot(s.at_rest) + gamma[size_t(k)];
  };
  for (size_t k = 0; k < problem.rows.size(); k++) {
    if (!problem.rows[k].physical || !problem.rows[k].active) continue;
    Vec a;
    real constant;
    see(int(k), a, constant);
    add_row(s.p, a, constant, problem.rows[k].b, problem.rows[k].b, 0, 1);
  }
  for (int i = 0; i < nm; i++) {
    const int j = s.motors[size_t(i)];
    const real limit = robot.dofs[size_t(j)].passive ? 0 : robot.dofs[size_t(j)].effort;
    const Slip slip = slips[size_t(j)];
    const real r = slip == MOVES ? 0 : friction_of(c, robot, j);
    if (limit < none)
      add_row(s.p, Vec::Unit(s.p.n, i), 0, -limit + (slip == BACKWARD ? r : -r),
              limit + (slip == FORWARD ? -r : r), 0, 1);
    if (slip != MOVES)
      add_row(s.p, s.by.row(nb + j).transpose(), s.at_rest[nb + j], slip == BACKWARD ? -none : 0,
              slip == FORWARD ? none : 0, 0, 1);
  }
  // level 1
  for (size_t g1 = 0; g1 < c.layout.groups.size(); g1++) {
    const Contact &contact = c.words[g1].contact;
    if (contact.normal < 0 || !problem.rows[size_t(first[g1] + contact.normal)].active) continue;
    const auto &rows = c.layout.groups[g1].rows;
    for (size_t q = 0; q < std::max<size_t>(contact.points.size(), 1); q++) {
      const auto force = [&](int row) {
        for (int i = 0; i < nf; i++) {
          const auto &f = list[size_t(i)];
          if (f.group == int(g1) && f.point == int(q) &&
              f.axis == (contact.points.empty() ? row : row_axis(rows[size_t(row)])))
            return Vec(Vec::Unit(s.p.n, nm + i));
        }
        throw std::runtime_error("no such force");
      };
      const Vec n = force(contact.normal);
      add_row(s.p, n, 0, 0, none, 1, 1);
      std::vector<Vec> t;
      for (size_t k = 0; k < rows.size(); k++)
        if (int(k) != contact.normal && rows[k].compare(0, 3, "lin") == 0)
          t.push_back(force(int(k)));
      if (t.size() == 2)
        for (int k = 0; k < contact.sides; k++) {
          const real angle = 2 * std::acos(-1.0L) * k / contact.sides;
          add_row(s.p,
                  Vec(std::cos(angle) * t[0] + std::sin(angle) * t[1] -
                      contact.mu * std::cos(std::acos(-1.0L) / contact.sides) * n),
                  0, -none, 0, 1, 1);
        }
      else if (t.size() == 1)
        for (int sign = -1; sign <= 1; sign += 2)
          add_row(s.p, Vec(sign * t[0] - contact.mu * n), 0, -none, 0, 1, 1);
    }
  }
  // level 2: at a distance d from the limit, at a speed v towards it
  for (int i = 0; i < nd && c.margin > 0; i++) {
    const Joint &joint = robot.links[size_t(robot.dofs[size_t(i)].link)].joint;
    const real q = sample.state.q[i], below = q - joint.lower, above = joint.upper - q, rate = 10;
    if (!(joint.lower < joint.upper) || std::isinf(joint.lower) ||
        !(std::min(below, above) < c.margin))
      continue;
    const bool lower = !(above < below);
    const real d = lower ? below : above, v = lower ? -sample.state.qd[i] : sample.state.qd[i];
    const real fast = std::max(real(0), v - rate * d);
    const real b =
        2 * rate * v - rate * rate * d + fast * fast / std::max(d, real(1e-3) * c.margin);
    add_row(s.p, s.by.row(nb + i).transpose(), s.at_rest[nb + i], lower ? b : -none,
            lower ? none : -b, 2, 1 / Minv(nb + i, nb + i));
  }
  s.p.levels = 2;
  for (int priority = 1; priority <= 5; priority++) {
    std::vector<int> rows;
    for (size_t g1 = 0; g1 < c.layout.groups.size(); g1++)
      for (int k = first[g1]; k < first[g1 + 1]; k++)
        if (!problem.rows[size_t(k)].physical && problem.rows[size_t(k)].active &&
            c.words[g1].priority == priority)
          rows.push_back(k);
    if (rows.empty()) continue;
    const Eigen::Index m = Eigen::Index(rows.size());
    Mat A(m, nv), seen(m, s.p.n);
    Vec off(m);
    for (Eigen::Index k = 0; k < m; k++) {
      Vec a;
      real constant;
      see(rows[size_t(k)], a, constant);
      A.row(k) = G.row(rows[size_t(k)]);
      seen.row(k) = a.transpose();
      off[k] = constant - problem.rows[size_t(rows[size_t(k)])].b;
    }
    const Eigen::LLT<Mat> factor(Mat(A * Minv * A.transpose()));
    const Mat scaled = factor.matrixL().solve(seen);
    const Vec scaled_off = factor.matrixL().solve(off);
    s.p.levels = 2 + priority;
    for (Eigen::Index k = 0; k < m; k++)
      add_row(s.p, scaled.row(k).transpose(), scaled_off[k], 0, 0, 2 + priority, 1);
  }
  s.N = N;
  return s;
}

// The sums of squares of the levels that yield, then the objective.
std::vector<real> cost_of(const Stated &s, const Vec &x) {
  std::vector<real> cost(size_t(s.p.levels) + 1, 0);
  for (int j = 0; j < s.p.m; j++) {
    real a = 0;
    for (int i = 0; i < s.p.n; i++) a += s.p.A[j][i] * x[i];
    const real beyond = std::max(real(0), std::max(a - s.p.hi[j], s.p.lo[j] - a));
    if (s.p.level[j] > 0) cost[size_t(s.p.level[j]) - 1] += s.p.weight[j] * beyond * beyond / 2;
  }
  cost.back() = s.constant;
  for (int i = 0; i < s.p.n; i++) {
    cost.back() += s.p.g[i] * x[i];
    for (int k = 0; k < s.p.n; k++) cost.back() += s.p.H[i][k] * x[i] * x[k] / 2;
  }
  return cost;
}

bool better(const std::vector<real> &cost, const std::vector<real> &than) {
  for (size_t k = 0; k < cost.size(); k++) {
    const real small = 1e-9L * (1e-3L + std::fabs(cost[k]) + std::fabs(than[k]));
    if (std::fabs(cost[k] - than[k]) > small) return cost[k] < than[k];
  }
  return false;
}

// Of all ways in which joints at rest stick or slip.
struct Ways {
  int tried = 0, without = 0; // without: the oracle does not come to an end
  Stated best;
  Vec x;
  std::vector<real> cost;
};

void try_ways(const Case &c, const Robot &robot, const Motion &at, const Problem &problem,
              const Sample &sample, const std::map<std::string, double> &in, Ways &ways) {
  std::vector<Slip> slips(size_t(robot.nd()), MOVES);
  std::vector<size_t> rest;
  for (int i = 0; i < robot.nd(); i++)
    if (sticky(c, robot, sample, i) > 0) rest.push_back(size_t(i));
  int count = 1;
  for (size_t k = 0; k < rest.size(); k++) count *= 3;
  ways.tried = ways.without = 0;
  ways.cost.clear();
  static Stated s;
  for (int way = 0; way < count; way++) {
    int left = way;
    for (const size_t i : rest) slips[i] = Slip(FORWARD + left % 3), left /= 3;
    s = state_of(c, robot, at, problem, sample, in, slips);
    long double z[ORACLE_N], v[ORACLE_M];
    if (!qp_oracle(&s.p, false, z, v)) {
      ways.without += qp_oracle_infeasibility(&s.p) < 1e-16L; // else it is no way at all
      continue;
    }
    ways.tried++;
    Vec found(s.p.n);
    for (int k = 0; k < s.p.n; k++) found[k] = z[k];
    const std::vector<real> cost = cost_of(s, found);
    if (!ways.cost.empty() && !better(cost, ways.cost)) continue;
    ways.cost = cost, ways.best = s, ways.x = found;
  }
}

// What torques, friction and contact forces that somebody found cost, joints slipping as qdd says.
std::vector<real> cost_of_answer(const Case &c, const Robot &robot, const Motion &at,
                                 const Problem &problem, const Sample &sample,
                                 const std::map<std::string, double> &in, const Vec &tau,
                                 const Vec &friction, const Vec &qdd, const Vec &nu) {
  std::vector<Slip> slips(size_t(robot.nd()), MOVES);
  for (int i = 0; i < robot.nd(); i++)
    if (sticky(c, robot, sample, i) > 0)
      slips[size_t(i)] = std::fabs(qdd[i]) < 1e-6L ? STICKS : qdd[i] > 0 ? FORWARD : BACKWARD;
  static Stated s;
  s = state_of(c, robot, at, problem, sample, in, slips);
  Vec x = Vec::Zero(s.p.n);
  int next = 0;
  for (const int j : s.motors)
    x[next++] = tau[j] + (slips[size_t(j)] == MOVES ? 0 : friction[j]); // in motion it is known
  for (int k = 0; next < s.p.n; k++)
    if (problem.rows[size_t(k)].physical) x[next++] = nu[k];
  return cost_of(s, x);
}

Words cone(int normal, double mu = 0.6, int sides = 4) {
  Words w;
  w.contact.normal = normal, w.contact.mu = mu, w.contact.sides = sides;
  return w;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string &title, const std::string &urdf) -> Case & {
    Case c;
    c.title = title, c.urdf = urdf;
    c.layout.name = "robot";
    c.layout.outputs = {"qdd", "nu", "tau_ctrl", "residual"};
    all.push_back(c);
    return all.back();
  };
  const std::vector<std::string> xyz = {"lin_x", "lin_y", "lin_z"};
  const std::vector<double> stance = {0, 0.8, -1.6, 0, 0.8, -1.6, 0, 0.8, -1.6, 0, 0.8, -1.6};
  for (const std::string kind :
       {"quadruped", "quadruped in float", "quadruped, weak motors, a posture, wanted forces"}) {
    const bool hard = kind.find("weak") != std::string::npos;
    Case &c = add(kind, "quadruped.urdf");
    c.single = kind.find("float") != std::string::npos;
    c.layout.selection.base = Base::floating;
    c.layout.groups = {group("trunk", "trunk")};
    c.words = {Words()};
    c.posture = stance, c.reach = 0.15, c.margin = 0.1, c.b = hard ? 8 : 2;
    for (const std::string leg : {"fl", "fr", "rl", "rr"}) {
      c.layout.groups.push_back(group(leg, leg + "_foot", xyz, true));
      c.layout.groups.back().maskable = true;
      c.words.push_back(cone(2, 0.6, leg == "fr" ? 8 : 4));
    }
    if (!hard) continue;
    c.layout.tau_phys = c.layout.tau_art = c.layout.armature_input = true;
    c.layout.wrenches = {{"push", "trunk", false}};
    c.words[1].wanted = true, c.words[2].weight = 0.01;
    c.layout.groups.push_back(group("posture", ""));
    c.layout.groups.back().joints = {"fl_calf_joint", "rr_hip_joint"};
    c.words.push_back(Words());
    c.words.back().priority = 2;
    for (const std::string leg : {"fl", "fr", "rl", "rr"})
      c.layout.selection.effort[leg + "_calf_joint"] = 9;
  }
  {
    Case &c = add("gen3 at a wall, a passive joint, posture below", "gen3.urdf");
    c.layout.groups = {group("wall", "tool_frame", {"lin_z", "lin_x", "lin_y"}, true),
                       group("elbow", "forearm_link", {"lin_x", "ang_y"}), group("rest", "")};
    c.layout.groups[0].axes = Axes::link, c.layout.groups[0].classical = false;
    c.layout.groups[1].maskable = true;
    c.layout.groups[2].joints = {"joint_1", "joint_3", "joint_5"};
    c.words = {cone(0, 0.4, 6), Words(), Words()};
    c.words[0].wanted = true;
    c.words[2].priority = 3;
    c.layout.selection.passive = {"joint_6"};
    c.posture = {0.1, 0.5, 0.3, 1.2, 0.2, 0.8, 0.1}, c.reach = 0.4;
  }
  {
    Case &c = add("gen3 on a flat foot, four points", "gen3.urdf");
    c.layout.groups = {group("foot", "tool_frame", {}, true),
                       group("elbow", "half_arm_2_link", {"lin_x", "lin_y"})};
    c.layout.groups[0].axes = Axes::link, c.layout.groups[0].classical = false,
    c.layout.groups[0].maskable = true;
    c.words = {cone(2, 0.7), Words()};
    c.words[0].contact.points = {Vec3(0.125L, 0.0625L, 0), Vec3(0.125L, -0.0625L, 0),
                                 Vec3(-0.125L, -0.0625L, 0.03125L), Vec3(-0.125L, 0.0625L, 0)};
    c.words[0].wanted = true;
    c.posture = {0.1, 0.5, 0.3, 1.2, 0.2, 0.8, 0.1}, c.reach = 0.4;
  }
  {
    Case &c = add("youbot, planar, a normal alone", "youbot.urdf");
    c.layout.selection.base = Base::planar;
    c.layout.selection.tips = {"gripper_palm_link"};
    c.layout.groups = {group("grip", "gripper_palm_link", {"lin_z"}),
                       group("push", "gripper_palm_link", {"lin_x"}, true)};
    c.layout.groups[1].maskable = true;
    c.words = {Words(), cone(0)};
    c.margin = 0.2;
    c.reach = 0.5;
  }
  {
    Case &c = add("panda, fingers that slide and mimic at a wall; inertias given at run time",
                  "panda.urdf");
    c.layout.groups = {group("arm", "panda_link6", {"lin_x", "lin_y"}),
                       group("finger", "panda_leftfinger", {"lin_y", "lin_x", "lin_z"}, true)};
    c.layout.groups[1].axes = Axes::link, c.layout.groups[1].classical = false,
    c.layout.groups[1].maskable = true;
    c.layout.inertia_inputs = {"panda_link5"};
    PayloadSpec box;
    box.name = "box", box.frame = "panda_hand";
    box.mass_input = box.com_input = box.inertia_input = true;
    c.layout.payloads = {box};
    c.words = {Words(), cone(0, 0.5)};
    c.words[1].weight = 0.01;
    c.margin = 0.008;
    c.posture = {0, -0.3, 0, -2, 0, 1.9, 0.8, 0.02}, c.reach = 0.4;
  }
  {
    Case &c = add("four-bar linkage, a tie", "four_bar.urdf");
    c.layout.groups = {group("rocker", ""), group("pin", "rocker_pin", {"lin_x", "lin_z"}, true)};
    c.layout.groups[0].joints = {"rocker_joint"};
    c.layout.groups[1].to = "coupler_pin";
    c.words = {Words(), Words()};
    c.reach = 0.5;
  }
  {
    Case &c = add("gen3 that rubs, weak motors, a passive joint", "gen3.urdf");
    c.layout.groups = {group("tool", "tool_frame", xyz), group("rest", "")};
    c.layout.groups[1].joints = {"joint_1", "joint_6"};
    c.layout.groups[1].maskable = true;
    c.words = {Words(), Words()};
    c.words[1].priority = 2;
    c.layout.selection.passive = {"joint_6"};
    c.layout.selection.effort = {{"joint_2", 12}, {"joint_4", 4}};
    c.friction = {{"joint_2", 8}, {"joint_4", 6}, {"joint_6", 3}};
    c.posture = {0.1, 0.5, 0.3, 1.2, 0.2, 0.8, 0.1}, c.reach = 0.8, c.margin = 0.1;
  }
  {
    Case &c = add("vehicle on driven wheels that rub", "table41_base.urdf");
    c.layout.selection.base = Base::planar;
    c.layout.groups = {group("body", "base_link", {"lin_x", "lin_y", "ang_z"})};
    c.words = {Words()};
    for (const std::string wheel : {"fl", "br"}) {
      c.layout.groups.push_back(group(wheel, "contact_" + wheel, {"lin_x", "lin_y"}, true));
      c.words.push_back(Words());
      c.layout.selection.effort["drive_joint_" + wheel] = 2;
      c.layout.selection.effort["pivot_joint_" + wheel] = 2;
    }
    c.layout.selection.passive = {"pivot_joint_fl"};
    c.friction = {{"pivot_joint_fl", 0.5}, {"drive_joint_br", 1.5}};
    c.reach = 0.4;
  }
  {
    Case &c = add("quadruped with a joint that rubs, weak motors", "quadruped.urdf");
    c.layout.selection.base = Base::floating;
    c.layout.groups = {group("trunk", "trunk")};
    c.words = {Words()};
    c.posture = stance, c.reach = 0.15, c.margin = 0.1, c.b = 5;
    for (const std::string leg : {"fl", "rr"}) {
      c.layout.groups.push_back(group(leg, leg + "_foot", xyz, true));
      c.words.push_back(cone(2, 0.6));
      c.layout.selection.effort[leg + "_calf_joint"] = 9;
    }
    c.friction = {{"fl_calf_joint", 3}};
  }
  for (Case &c : all)
    for (size_t g = 0; g < c.words.size(); g++)
      c.layout.groups[g].more = words_of(c.words[g], c.layout.groups[g]);
  for (Case &c : all) {
    c.layout.more = "  realise = \"optimum\",\n";
    std::string friction;
    for (const auto &[joint, r] : c.friction)
      friction += (friction.empty() ? "" : ", ") + joint + " = " + std::to_string(r);
    if (!friction.empty()) {
      c.layout.more += "  friction = { " + friction + " },\n";
      c.layout.outputs.push_back("tau_friction");
    }
    if (c.margin > 0)
      c.layout.more += "  limits = { margin = " + std::to_string(c.margin) + " },\n";
    c.layout.threshold = 1e-6;
  }
  return all;
}

// By how much joints break the law of friction.
real breach(const Case &c, const Robot &robot, const Sample &sample, const Vec &f, const Vec &qdd) {
  real worst = 0;
  for (int i = 0; i < robot.nd(); i++) {
    const real r = friction_of(c, robot, i), qd = sample.state.qd[i];
    const bool moves = std::fabs(qd) > 1e-3L;
    worst = std::max(worst, std::fabs(f[i]) - r);
    if (moves || std::fabs(qdd[i]) > 1e-6L)
      worst = std::max(worst, std::fabs(f[i] + ((moves ? qd : qdd[i]) < 0 ? -r : r)));
  }
  return worst;
}

int run_case(const Case &c, const Arguments &arguments) {
  const Robot robot = read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
  int nr = 0;
  for (const GroupSpec &g : c.layout.groups) nr += g.size();
  OptimumProgram program(
      {arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout), "--snap 0"}, "robot",
      robot.nd(), nr, c.single);
  Comparison errors(c.title);
  Random random(7);
  Table in;
  std::vector<Sample> samples;
  std::vector<std::map<std::string, double>> inputs;
  SampleRange range;
  range.b = c.b, range.force = 5, range.moment = 1, range.tau = 1, range.masked = 0.25;
  const int states = c.friction.empty() ? arguments.states : (arguments.states + 2) / 3;
  for (int i = 0; i < states; i++) {
    Sample sample = random_sample(robot, c.layout, random, range);
    for (int j = 0; j < robot.nd(); j++) {
      const double about = c.posture.empty() ? 0 : c.posture[size_t(j)];
      const double reach = robot.dofs[size_t(j)].prismatic ? 0.025 : c.reach;
      sample.state.q[j] = double(about + reach * random.uniform(-1, 1));
      sample.state.qd[j] = double(0.2 * random.uniform(-1, 1));
      if (friction_of(c, robot, j) > 0 && random.uniform(0, 1) < 0.75) sample.state.qd[j] = 0;
    }
    sample.state.gravity = Vec3(0, 0, -9.81L);
    if (robot.base == Base::floating) {
      const Vec4 quat = Vec4(1, 0.05L * random.uniform(-1, 1), 0.05L * random.uniform(-1, 1),
                             0.05L * random.uniform(-1, 1))
                            .normalized();
      for (int k = 0; k < 4; k++) sample.state.base_quat[k] = double(quat[k]);
      sample.state.base_R = rotation_quat(sample.state.base_quat);
      for (int k = 0; k < 6; k++) sample.state.base_twist[k] = double(0.1 * random.uniform(-1, 1));
    }
    for (auto &masks : sample.mask) // a contact holds with all its rows or with none
      for (int &m : masks) m = masks[0];
    std::map<std::string, double> columns = input_columns(robot, c.layout, sample);
    for (size_t g = 0; g < c.words.size(); g++) {
      if (!c.words[g].wanted) continue;
      const size_t count = c.words[g].contact.points.empty() ? size_t(c.layout.groups[g].size())
                                                             : 3 * c.words[g].contact.points.size();
      for (size_t k = 0; k < count; k++)
        columns["wanted." + c.layout.groups[g].name + "." + std::to_string(k)] =
            random.uniform(-10, 20);
    }
    samples.push_back(sample);
    inputs.push_back(columns);
    in.push_back(program.arrange(columns));
  }
  const Table got = program.run(in);
  // Forces that four feet share among themselves are decided by weights 1e-6 of H's largest elements.
  const double exact = c.single ? 1e-3 : 1e-8, best = c.single ? 3e-2 : 1e-6;
  int judged = 0, partly = 0, yielding = 0, unsolved = 0, without = 0;
  for (size_t i = 0; i < samples.size(); i++) {
    const std::string where = "state " + std::to_string(i);
    const Motion at = motion(robot, samples[i].state);
    const Problem problem = problem_of(robot, c.layout, at, samples[i]);
    const unsigned status = unsigned(got[i][0]);
    const int solver = int(got[i][1]);
    errors.add("certificate", got[i][4] == 1 ? 0 : 1, 0.5, where);
    if (solver > 1 || (status & ~SATURATED)) unsolved++;
    if (solver > 1 || (status & ~SATURATED)) continue;
    const Vec tau = program.block(got[i], "tau_ctrl", robot.nd());
    const Vec qdd = program.block(got[i], "qdd", robot.nd());
    const Vec nu = program.block(got[i], "nu", nr);
    // the torques alone, contacts as equalities, move the robot so
    Problem driven = problem;
    driven.tau_phys = Vec(tau + (problem.tau_phys.size() ? problem.tau_phys : Vec(0 * tau)));
    if (!c.friction.empty()) {
      const Vec f = program.block(got[i], "tau_friction", robot.nd());
      driven.tau_phys += f;
      errors.add("law of friction", breach(c, robot, samples[i], f, qdd), 10 * exact, where);
    }
    driven.tau_art = Vec();
    driven.policy = Policy::exact;
    for (Row &row : driven.rows) row.active &= row.physical;
    const Solution moved = solve(robot, at, driven);
    errors.add("torques alone: motion", relative(qdd, Vec(moved.vdot.tail(robot.nd())), 1), exact,
               where);
    errors.add("torques alone: contact forces", relative(nu, Vec(moved.nu), 1), exact, where);
    Vec demanded(nr), residual = program.block(got[i], "residual", nr);
    for (int k = 0; k < nr; k++) {
      real gamma;
      const auto j = row_jacobian(at, problem.rows[size_t(k)], &gamma);
      demanded[k] = j.dot(moved.vdot) + gamma - problem.rows[size_t(k)].b;
    }
    errors.add("residual", relative(residual, demanded, 1), exact, where);
    static Ways ways;
    try_ways(c, robot, at, problem, samples[i], inputs[i], ways);
    if (ways.tried == 0) {
      without++;
      continue;
    }
    judged++;
    yielding += solver == 1;
    if (ways.without > 0) { // then no other way may be better
      partly++;
      const std::vector<real> cost =
          cost_of_answer(c, robot, at, problem, samples[i], inputs[i], tau,
                         program.block(got[i], "tau_friction", robot.nd()), qdd, nu);
      errors.add("no way is better", better(ways.cost, cost) ? 1 : 0, 0.5, where);
      continue;
    }
    const Stated &s = ways.best;
    const Vec &x = ways.x;
    const Vec moves = (s.by * x + s.at_rest).tail(robot.nd());
    Vec wanted = Vec::Zero(robot.nd());
    for (size_t k = 0; k < s.motors.size(); k++) {
      const int j = s.motors[k];
      const real r = sticky(c, robot, samples[i], j);
      const real w = x[Eigen::Index(k)], a = moves[j];
      const real f =
          std::fabs(a) < 1e-6L ? std::max(-r, std::min(r, w)) : (a > 0 ? -r : r); // friction first
      if (!robot.dofs[size_t(j)].passive) wanted[j] = w - f;
    }
    errors.add("tau_ctrl", relative(tau, wanted, 1), best, where);
    errors.add("qdd", relative(qdd, moves, 1), best, where);
    errors.add("nu", relative(nu, Vec(s.N * x), 1), best, where);
  }
  std::printf(
      "%s: %d states judged, %d of them yield, %d by some ways of slipping only; %d not solved, "
      "%d without oracle\n",
      c.title.c_str(), judged, yielding, partly, unsolved, without);
  int bad = errors.print();
  if (judged < int(samples.size()) / 2) bad++, std::printf("  BAD: too few states judged\n");
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 12, 300);
  int bad = 0;
  InSample in_sample(arguments, 14);
  for (const Case &c : cases()) {
    if (c.title.find(arguments.only) == std::string::npos || !in_sample()) continue;
    try {
      bad += run_case(c, arguments);
    } catch (const std::exception &error) {
      std::printf("BAD %s: %s\n", c.title.c_str(), error.what());
      bad++;
    }
    std::fflush(stdout);
  }
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

/* SPDX-License-Identifier: MIT */
// pivot_test.cpp: `pivot_min` of every formulation against one definition in long double that shares no code with the
// scripts: with all rows in force as follows, with a row masked the least relative pivot of L (oracle/kkt.hpp).
//
// The equations are the six of the tool's motion, seen from a body on its way, in that body's axes and at its
// origin; what rows do not ask for is one more unknown. Some unknowns are eliminated by some equations, or
// left out. Of what is left of each row, in their order, the relative pivot is the square of its part beyond the
// rows before (by Householder) over its whole square, which counts as a hundredth of its scale's at least.
// Which body, equations and unknowns these are is not told: there must be one choice that gives the least
// pivot in every state of a case, far from singular configurations and close to them.
// --states N: by case. Other arguments: oracle/arguments.hpp.
#include <algorithm>
#include <fstream>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/listener.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

struct Case {
  std::string title, urdf;
  LayoutSpec spec;
  bool single = false;
};

const std::vector<std::string> directions = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

Case make(const std::string &title, const std::string &urdf, const std::string &frame,
          const std::vector<std::string> &rows, bool single = false) {
  GroupSpec group;
  group.name = "tool";
  group.frame = frame;
  group.rows = rows;
  group.maskable = true;
  Case c{title, urdf, LayoutSpec(), single};
  c.spec.groups = {group};
  c.spec.threshold = single ? 1e-5 : 1e-6;
  c.spec.outputs = {"qdd", "pivot_min"};
  return c;
}

// A chain with skew axes, of which two slide.
std::string skew_chain(int joints, uint64_t seed) {
  Random random(seed);
  std::ostringstream text;
  text.precision(17);
  text << "<robot name=\"skew\"><link name=\"l0\"/>\n";
  for (int k = 1; k <= joints; k++) {
    const bool slides = k == 2 || k == joints - 1;
    const Vec3 axis = random.unit(), at = random.vec3(0.4), turned = random.vec3(2);
    text << "<link name=\"l" << k
         << "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" "
         << "iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"/></inertial></link>\n<joint name=\"j" << k
         << "\" type=\"" << (slides ? "prismatic" : "continuous") << "\"><parent link=\"l" << k - 1
         << "\"/><child link=\"l" << k << "\"/><origin xyz=\"" << at.transpose() << "\" rpy=\""
         << turned.transpose() << "\"/><axis xyz=\"" << axis.transpose() << "\"/>"
         << (slides ? "<limit lower=\"-0.5\" upper=\"0.75\" effort=\"9\" velocity=\"1\"/>" : "")
         << "</joint>\n";
  }
  return text.str() + "</robot>\n";
}

// ---- equations ----

// A body on the way: the axis of its joint, and the frame that Denavit and Hartenberg gave it: z along that axis, x
// along the common normal with the next axis, the origin at the foot of it (Craig 1989).
struct Body {
  Vec3 z, origin;
  Mat3 axes;
  bool slides;
};

std::vector<Body> bodies_of(const Robot &robot, const Motion &at) {
  const int n = robot.nd();
  std::vector<Body> bodies;
  bodies.resize(size_t(n));
  for (int k = n - 1; k >= 0; k--) {
    const Dof &dof = robot.dofs[size_t(k)];
    const LinkMotion &link = at.links[size_t(dof.link)];
    Body &b = bodies[size_t(k)];
    b.z = link.R * robot.links[size_t(dof.link)].joint.axis;
    b.origin = link.p;
    b.slides = dof.prismatic;
    const Vec3 &axis = robot.links[size_t(dof.link)].joint.axis;
    int largest;
    axis.cwiseAbs().maxCoeff(&largest);
    Vec3 x = link.R.col((largest + 1) % 3); // where nothing else says: that of the link
    x -= b.z * b.z.dot(x);
    if (k + 1 < n) {
      const Body &next = bodies[size_t(k + 1)];
      const Vec3 normal = b.z.cross(next.z), between = next.origin - b.origin;
      if (normal.norm() > 1e-3L) {
        x = normal;
        // o + s z + t x = next + u z': from the components of `between` off the normal
        const real s = between.cross(next.z).dot(normal) / normal.squaredNorm();
        b.origin = b.slides ? next.origin : Vec3(b.origin + s * b.z);
      } else if (normal.norm() < 1e-12L) {
        const Vec3 across = between - b.z * b.z.dot(between);
        if (across.norm() > 1e-9L) x = across;
        b.origin = b.slides ? next.origin : Vec3(b.origin + b.z * b.z.dot(between));
      }
    }
    b.axes.col(2) = b.z;
    b.axes.col(0) = x.normalized();
    b.axes.col(1) = b.z.cross(b.axes.col(0));
  }
  return bodies;
}

// How far the robot reaches at most: by the bodies' origins, what slides can add, and links beyond.
real reach_of(const Robot &robot) {
  const Motion zero = motion(robot, rest(robot));
  const std::vector<Body> bodies = bodies_of(robot, zero);
  real reach = 0;
  Vec3 before = Vec3::Zero();
  for (size_t k = 0; k < bodies.size(); k++) {
    reach += (bodies[k].origin - before).norm();
    before = bodies[k].origin;
    if (!bodies[k].slides) continue;
    const Joint &joint = robot.links[size_t(robot.dofs[k].link)].joint;
    reach += std::max(std::abs(joint.lower), std::abs(joint.upper));
  }
  real farthest = 0;
  Vec3 origin = Vec3::Zero(); // of the body that a link is fixed to; chains alone
  for (size_t i = 0; i < robot.links.size(); i++) {
    for (size_t k = 0; k < bodies.size(); k++)
      if (robot.dofs[k].link == int(i)) origin = bodies[k].origin;
    farthest = std::max(farthest, (zero.links[i].p - origin).norm());
  }
  return reach + farthest;
}

// The tool's motion by joint, and by what its rows do not ask for, seen from body k.
Mat equations(const Robot &robot, const LayoutSpec &spec, const Motion &at,
              const std::vector<Body> &bodies, size_t k, real reach) {
  const GroupSpec &group = spec.groups[0];
  const Body &seen = bodies[k];
  const Vec3 tool = at.links[size_t(robot.link(group.frame))].p;
  std::vector<Vec6> columns;
  const auto put = [&](const Vec3 &v, const Vec3 &w) {
    Vec6 six;
    six << seen.axes.transpose() * v, seen.axes.transpose() * w;
    columns.push_back(six);
  };
  for (const Body &b : bodies) {
    if (b.slides)
      put(b.z, Vec3::Zero());
    else
      put(b.z.cross(seen.origin - b.origin), b.z);
  }
  for (int i = 0; i < 6; i++) {
    if (std::count(group.rows.begin(), group.rows.end(), directions[size_t(i)])) continue;
    const Vec3 e = Vec3::Unit(i % 3);
    if (i < 3)
      put(reach * e, Vec3::Zero());
    else
      put(e.cross(seen.origin - tool), e);
  }
  Mat J(6, int(columns.size()));
  for (size_t c = 0; c < columns.size(); c++) J.col(int(c)) = columns[c];
  return J;
}

// ---- pivots ----

// Which equations are looked at: seen from body `body`, with the unknowns `left_out`, and `unknowns` eliminated by `by`.
struct Choice {
  size_t body;
  std::vector<int> left_out, by, unknowns;
};

std::vector<int> others(int count, const std::vector<int> &a, const std::vector<int> &b) {
  std::vector<int> list;
  for (int i = 0; i < count; i++)
    if (!std::count(a.begin(), a.end(), i) && !std::count(b.begin(), b.end(), i)) list.push_back(i);
  return list;
}

Mat part(const Mat &J, const std::vector<int> &rows, const std::vector<int> &columns) {
  Mat out(int(rows.size()), int(columns.size()));
  for (size_t r = 0; r < rows.size(); r++)
    for (size_t c = 0; c < columns.size(); c++) out(int(r), int(c)) = J(rows[r], columns[c]);
  return out;
}

// -1: the choice cannot be made.
real least_pivot(const Mat &J, const Choice &choice, real reach) {
  const std::vector<int> rows = others(6, choice.by, {}),
                         columns = others(int(J.cols()), choice.unknowns, choice.left_out);
  if (columns.size() < rows.size()) return -1;
  Mat B = part(J, rows, columns);
  if (!choice.by.empty()) {
    const Eigen::FullPivLU<Mat> lu(part(J, choice.by, choice.unknowns));
    if (lu.rcond() < 1e-6L) return -1;
    B -= part(J, rows, choice.unknowns) * lu.solve(part(J, choice.by, columns));
  }
  const Eigen::HouseholderQR<Mat> qr(B.transpose());
  real least = 1;
  for (int r = 0; r < int(B.rows()); r++) {
    const real scale = rows[size_t(r)] < 3 ? reach : 1;
    const real d = qr.matrixQR()(r, r),
               whole = std::max(B.row(r).squaredNorm(), scale * scale / 100);
    least = std::min(least, d * d / whole);
  }
  return least;
}

// All subsets of 0 .. n - 1 of that size.
std::vector<std::vector<int>> subsets(int n, int size) {
  std::vector<std::vector<int>> list;
  for (int bits = 0; bits < 1 << n; bits++) {
    std::vector<int> one;
    for (int i = 0; i < n; i++)
      if (bits >> i & 1) one.push_back(i);
    if (int(one.size()) == size) list.push_back(one);
  }
  return list;
}

std::vector<Choice> choices(size_t bodies, int unknowns) {
  std::vector<Choice> list;
  std::vector<std::vector<int>> left_out = {{}};
  for (int i = 0; unknowns > 6 && i < unknowns; i++) left_out.push_back({i});
  for (size_t body = 0; body < bodies; body++)
    for (const std::vector<int> &out : left_out)
      for (int size = 0; size <= 3; size++)
        for (const std::vector<int> &by : subsets(6, size))
          for (const std::vector<int> &of : subsets(unknowns, size))
            list.push_back({body, out, by, of});
  return list;
}

// ---- a case ----

struct At { // a state, as the definition sees it
  Motion motion;
  std::vector<Body> bodies;
  std::vector<real> got; // by formulation
};

// A state of iiwa7 at which the least pivot of L is 1e-6 and that of the equations 8e-19.
const double pivots_apart[] = {
    0.043315634566431574, 0.00011875657651676598, 0, 1.0029641506182332e-06,
    2.7735252322067794,   -3.070921743165463e-07, 0};

const std::vector<std::string> formulations = {"null", "recursion", "joint"};

// What rounding of the equations' elements may do: a pivot is a square, of what small ones before it magnify.
real allowed(real pivot, bool single) {
  return (single ? 0x1p-24L : 0x1p-53L) * 2000 * std::sqrt(pivot);
}

bool right(const Robot &robot, const Case &c, const At &at, const Choice &choice, real reach) {
  const Mat J = equations(robot, c.spec, at.motion, at.bodies, choice.body, reach);
  const real want = least_pivot(J, choice, reach);
  for (const real got : at.got)
    if (!(want >= 0 && std::abs(got - want) <= allowed(std::max(want, got), c.single)))
      return false;
  return true;
}

// How many of the states are wrong with a row masked: pivots of L, which has its digits from squares.
int wrong_masked(const Robot &robot, const Case &c, const std::vector<Sample> &samples,
                 const Table &out, size_t column) {
  int wrong = 0;
  for (size_t s = 0; s < samples.size(); s++) {
    const real want = expect(robot, c.spec, samples[s]).solution.pivot_min,
               unit = c.single ? 0x1p-24L : 0x1p-53L;
    const bool good = std::abs(out[s][column] - want) <= unit * (2e4L + 200 / want) * want;
    if (!good && wrong++ < 3)
      std::printf("BAD %s, a row masked: pivot_min %.9e, %.9e by definition\n", c.title.c_str(),
                  out[s][column], double(want));
  }
  return wrong;
}

int run(const Case &c, const Arguments &arguments) {
  TemporaryFolder folder;
  const bool drawn = c.urdf.compare(0, 6, "<robot") == 0;
  const std::string urdf =
      drawn ? folder.write("skew.urdf", c.urdf) : arguments.robots + "/" + c.urdf;
  const Robot robot = read_urdf(urdf, c.spec.selection);
  const real reach = reach_of(robot);
  Random random(5);
  std::vector<At> states;
  std::vector<Sample> samples, masked;
  SampleRange range;
  range.masked = 0;
  for (int s = 0; s < arguments.states; s++) {
    Sample sample = random_sample(robot, c.spec, random, range);
    if (s % 2 == 1) { // joints close to where others are in line
      const double off = random.log_uniform(c.single ? 1e-2 : 1e-4, 1);
      for (int k = 1 + random.below(2); k > 0; k--) {
        const int j = random.below(robot.nd());
        if (!robot.dofs[size_t(j)].prismatic) sample.state.q[j] = off;
      }
    }
    for (int j = 0; s == 0 && c.title == "iiwa7" && j < robot.nd(); j++)
      sample.state.q[j] = pivots_apart[j];
    for (int j = 0; c.single && j < robot.nd(); j++)
      sample.state.q[j] = real(float(sample.state.q[j]));
    samples.push_back(sample);
    states.push_back({motion(robot, sample.state), {}, {}});
    states.back().bodies = bodies_of(robot, states.back().motion);
    sample.mask[0][size_t(s) % sample.mask[0].size()] = 0;
    masked.push_back(sample);
  }
  int wrong = 0;
  for (const std::string &formulation : formulations) {
    Listener program({arguments.achdgen, urdf, lua(c.spec),
                      "--snap 0 --formulation " + formulation + (c.single ? " --real float" : "")});
    const size_t column = size_t(program.output("pivot_min"));
    Table in, out;
    for (const Sample &sample : samples)
      in.push_back(program.arrange(input_columns(robot, c.spec, sample)));
    out = program.run(in);
    for (size_t s = 0; s < samples.size(); s++) states[s].got.push_back(out[s][column]);
    in.clear();
    for (const Sample &sample : masked)
      in.push_back(program.arrange(input_columns(robot, c.spec, sample)));
    wrong += wrong_masked(robot, c, masked, program.run(in), column);
  }
  const int unknowns = robot.nd() + 6 - int(c.spec.groups[0].rows.size());
  std::vector<Choice> fitting = choices(states[0].bodies.size(), unknowns);
  const size_t tried = fitting.size();
  real smallest = 1;
  for (const At &at : states) {
    smallest = std::min(smallest, at.got[0]);
    std::vector<Choice> still;
    for (const Choice &choice : fitting)
      if (right(robot, c, at, choice, reach)) still.push_back(choice);
    fitting = still;
  }
  std::printf("%s %s: %zu states, pivots down to %.1e; %zu of %zu choices give all of them in "
              "every formulation",
              fitting.empty() ? "BAD" : "good", c.title.c_str(), states.size(), double(smallest),
              fitting.size(), tried);
  if (!fitting.empty())
    std::printf(", the first seen from joint %zu's body with %zu unknowns eliminated",
                fitting[0].body + 1, fitting[0].by.size());
  std::printf("\n");
  return int(fitting.empty()) + wrong;
}

std::vector<Case> cases() {
  const std::vector<std::string> five(directions.begin(), directions.end() - 1);
  return {
      make("gen3", "gen3.urdf", "end_effector_link", directions),
      make("iiwa7", "iiwa7.urdf", "iiwa_link_ee", directions),
      make("lwr4", "lwr4.urdf", "lwr_7_link", directions),
      make("gen3_6dof", "gen3_6dof.urdf", "tool_frame", directions),
      make("puma560", "puma560.urdf", "link_6", directions),
      make("youbot_arm, five rows", "youbot_arm.urdf", "gripper_palm_link", five),
      make("gen3_6dof, five rows", "gen3_6dof.urdf", "tool_frame", five),
      make("skew axes, six joints, two slide", skew_chain(6, 3), "l6", directions),
      make("skew axes, seven joints, two slide", skew_chain(7, 4), "l7", directions),
      make("gen3, float", "gen3.urdf", "end_effector_link", directions, true),
  };
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 40, 2000);
  int bad = 0, done = 0;
  InSample in_sample(arguments, 5);
  for (const Case &c : cases()) {
    if (c.title.find(arguments.only) == std::string::npos || !in_sample()) continue;
    done++;
    bad += run(c, arguments);
    std::fflush(stdout);
  }
  std::printf("%s\n", bad || done == 0 ? "FAILED" : "OK");
  return bad || done == 0;
}

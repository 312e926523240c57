#include "random_robot.hpp"

#include <cstdio>
#include <vector>

namespace oracle {
namespace {

std::string decimal(double value) {
  char word[32];
  std::snprintf(word, sizeof word, "%.8g", value);
  return word;
}

std::string triple(const Vec3 &v) {
  return decimal(double(v[0])) + " " + decimal(double(v[1])) + " " + decimal(double(v[2]));
}

// The inertia of a box-like body: principal moments (b + c, a + c, a + b), which no body breaks, in
// axes turned at random.
std::string inertial(Random &random) {
  const double mass = random.log_uniform(0.2, 8);
  const double size = random.log_uniform(0.03, 0.2);
  double s[3];
  for (double &x : s) x = mass * size * size * random.uniform(0.1, 1);
  const Vec3 com = random.vec3(0.15), rpy = random.vec3(3);
  return "<inertial><origin xyz=\"" + triple(com) + "\" rpy=\"" + triple(rpy) +
         "\"/><mass value=\"" + decimal(mass) + "\"/><inertia ixx=\"" + decimal(s[1] + s[2]) +
         "\" ixy=\"" + decimal(s[0] * 0.05) + "\" ixz=\"0\" iyy=\"" + decimal(s[0] + s[2]) +
         "\" iyz=\"" + decimal(-s[1] * 0.03) + "\" izz=\"" + decimal(s[0] + s[1]) +
         "\"/></inertial>";
}

std::string origin(Random &random, const RobotShape &shape) {
  Vec3 rpy = random.vec3(3), xyz = random.vec3(0.4);
  if (random.chance(shape.parallel)) {
    for (int i = 0; i < 3; i++) rpy[i] = (random.below(4) - 1) * M_PI / 2;
    for (int i = 0; i < 3; i++)
      if (random.chance(0.5)) xyz[i] = 0;
  }
  std::string turns;
  for (int i = 0; i < 3; i++) {
    char word[32];
    std::snprintf(word, sizeof word, "%s%.17g", i ? " " : "", double(rpy[i]));
    turns += word;
  }
  return "<origin xyz=\"" + triple(xyz) + "\" rpy=\"" + turns + "\"/>";
}

} // namespace

std::string random_urdf(Random &random, const RobotShape &shape) {
  std::string links =
      "<link name=\"base\">" + (shape.base_inertia ? inertial(random) : "") + "</link>\n";
  std::string joints;
  std::vector<std::string> names{"base"};
  const auto add = [&](const std::string &joint, const std::string &type, const std::string &parent,
                       const std::string &child, const std::string &more, bool mass) {
    links += "<link name=\"" + child + "\">" + (mass ? inertial(random) : "") + "</link>\n";
    joints += "<joint name=\"" + joint + "\" type=\"" + type + "\">" + origin(random, shape) +
              "<parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + more +
              "</joint>\n";
    names.push_back(child);
  };
  int nfixed = 0;
  std::vector<std::string> leaders; // independent joints so far
  for (int i = 1; i <= shape.joints; i++) {
    const std::string parent =
        random.chance(shape.branch) ? names[random.below(int(names.size()))] : names.back();
    const std::string number = std::to_string(i);
    const bool prismatic = random.chance(shape.prismatic);
    const Vec3 axis =
        random.chance(shape.parallel) ? Vec3(Vec3::Unit(random.below(3))) : random.unit();
    std::string more = "<axis xyz=\"" + triple(axis) +
                       "\"/><limit lower=\"-3\" upper=\"3\" effort=\"" +
                       decimal(random.uniform(5, 80)) + "\" velocity=\"3\"/>";
    if (i > shape.joints - shape.mimic && !leaders.empty())
      more += "<mimic joint=\"" + leaders[random.below(int(leaders.size()))] + "\" multiplier=\"" +
              decimal(random.uniform(-2, 2)) + "\" offset=\"" + decimal(random.uniform(-1, 1)) +
              "\"/>";
    else
      leaders.push_back("j" + number);
    add("j" + number, prismatic ? "prismatic" : "revolute", parent, "l" + number, more, true);
    if (random.chance(shape.fixed)) {
      const std::string rigid = std::to_string(++nfixed);
      add("fix" + rigid, "fixed", "l" + number, "f" + rigid, "", random.chance(0.7));
    }
  }
  add("tip_joint", "fixed", names.back(), "tip", "", false);
  return "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n" + links + joints + "</robot>\n";
}

} // namespace oracle

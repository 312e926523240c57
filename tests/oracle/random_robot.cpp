/* SPDX-License-Identifier: MIT */
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
std::string inertial(Random &random, const RobotShape &shape) {
  const double mass = random.log_uniform(0.2, 8);
  const double size = random.log_uniform(0.03, 0.2);
  if (shape.point > 0 && random.chance(shape.point))
    return "<inertial><origin xyz=\"" + triple(random.vec3(0.15)) + "\"/><mass value=\"" +
           decimal(mass) +
           "\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>";
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
  if (shape.default_values && random.chance(0.05)) return "";
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

// What a link or a joint of a vendor's file has besides.
std::string link_dressing(Random &random) {
  const std::string shape =
      "<origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/><geometry><mesh filename=\"package://arm/link.stl\" "
      "scale=\"1e-3 1e-3 1e-3\"/></geometry>";
  std::string out = "<visual>" + shape + "<material name=\"grey\"/></visual>";
  if (random.chance(0.7)) out += "<!-- coarse --><collision>" + shape + "</collision>";
  return out;
}

std::string joint_dressing(Random &random) {
  std::string out =
      "<dynamics damping=\"" + decimal(random.uniform(0, 2)) + "\" friction=\"0.1\"/>";
  if (random.chance(0.3))
    out += "<safety_controller k_position=\"100\" k_velocity=\"40\" soft_lower_limit=\"-1\" "
           "soft_upper_limit=\"1\"/>";
  if (random.chance(0.2)) out += "<calibration rising=\"0.1\"/>";
  return out;
}

std::string robot_dressing(const std::string &joint, const std::string &link) {
  return "<material name=\"grey\"><color rgba=\"0.5 0.5 0.5 1\"/></material>\n"
         "<transmission name=\"drive\"><type>transmission_interface/SimpleTransmission</type>"
         "<joint name=\"" +
         joint +
         "\"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>"
         "<actuator name=\"motor\"><mechanicalReduction>1</mechanicalReduction></actuator>"
         "</transmission>\n<gazebo reference=\"" +
         link +
         "\"><material>Gazebo/Grey</material><mu1>0.2</mu1></gazebo>\n"
         "<gazebo><plugin name=\"control\" filename=\"libcontrol.so\"/></gazebo>\n"
         "<ros2_control name=\"arm\" type=\"system\"><joint name=\"" +
         joint + "\"><command_interface name=\"effort\"/></joint></ros2_control>\n";
}

} // namespace

std::string random_urdf(Random &random, const RobotShape &shape) {
  const std::string dash = shape.odd_names ? "-" : "";
  std::string links, joints;
  if (shape.world) {
    links += "<link name=\"world\"/>\n";
    const char *const type = shape.root == Base::planar     ? "planar"
                             : shape.root == Base::floating ? "floating"
                                                            : "fixed";
    joints += std::string("<joint name=\"world_joint\" type=\"") + type + "\">" +
              origin(random, shape) + "<parent link=\"world\"/><child link=\"base\"/>" +
              (shape.root == Base::planar ? "<axis xyz=\"0 0 1\"/>" : "") + "</joint>\n";
  }
  const auto add_link = [&](const std::string &name, bool mass) { // a statement per random text
    links += "<link name=\"" + name + "\">";
    if (mass) links += inertial(random, shape);
    if (shape.vendor) links += link_dressing(random);
    links += "</link>\n";
  };
  add_link("base", shape.base_inertia);
  std::vector<std::string> names{"base"};
  const auto add = [&](const std::string &joint, const std::string &type, const std::string &parent,
                       const std::string &child, const std::string &more, bool mass) {
    add_link(child, mass);
    joints += "<joint name=\"" + joint + "\" type=\"" + type + "\">" + origin(random, shape) +
              "<parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + more +
              "</joint>\n";
    names.push_back(child);
  };
  int nfixed = 0;
  bool bare = false;                // the link before has no inertia: it carries this one
  std::vector<std::string> leaders; // independent joints so far
  for (int i = 1; i <= shape.joints; i++) {
    const bool branch = random.chance(shape.branch) && !bare;
    const std::string parent = branch ? names[random.below(int(names.size()))] : names.back();
    const std::string number = dash + std::to_string(i);
    const bool prismatic = random.chance(shape.prismatic);
    const bool continuous = !prismatic && shape.continuous > 0 && random.chance(shape.continuous);
    const Vec3 axis =
        random.chance(shape.parallel) ? Vec3(Vec3::Unit(random.below(3))) : random.unit();
    std::string more;
    if (!(shape.default_values && axis == Vec3(Vec3::UnitX())))
      more = "<axis xyz=\"" + triple(axis) + "\"/>";
    const std::string effort = decimal(random.uniform(5, 80));
    more += continuous
                ? "<limit effort=\"" + effort + "\" velocity=\"3\"/>"
                : "<limit lower=\"-3\" upper=\"3\" effort=\"" + effort + "\" velocity=\"3\"/>";
    if (i > shape.joints - shape.mimic && !leaders.empty())
      more += "<mimic joint=\"" + leaders[random.below(int(leaders.size()))] + "\" multiplier=\"" +
              decimal(random.uniform(-2, 2)) + "\" offset=\"" + decimal(random.uniform(-1, 1)) +
              "\"/>";
    else
      leaders.push_back("j" + number);
    if (shape.vendor) more += joint_dressing(random);
    bare = !bare && i < shape.joints && shape.massless > 0 && random.chance(shape.massless);
    add("j" + number,
        prismatic    ? "prismatic"
        : continuous ? "continuous"
                     : "revolute",
        parent, "l" + number, more, !bare);
    for (double chance = shape.fixed; random.chance(chance); chance /= 3) {
      const std::string rigid = dash + std::to_string(++nfixed);
      const std::string on = names.back();
      add("fix" + rigid, "fixed", on, "f" + rigid, "", !bare && random.chance(0.7));
      if (!shape.default_values) break; // one
    }
  }
  add("tip_joint", "fixed", names.back(), "tip", "", false);
  return "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n" + links + joints +
         (shape.vendor ? robot_dressing("j" + dash + "1", "l" + dash + "1") : "") + "</robot>\n";
}

std::string humanoid_urdf(Random &random) {
  struct Limb {
    const char *name, *on;
    int joints;
    const char *end; // "": none
  };
  const Limb limbs[] = {
      {"torso", "pelvis", 3, ""},
      {"neck", "torso_3", 3, "head"},
      {"left_arm", "torso_3", 8, "left_hand"},
      {"right_arm", "torso_3", 8, "right_hand"},
      {"left_leg", "pelvis", 8, "left_foot"},
      {"right_leg", "pelvis", 8, "right_foot"},
  };
  const RobotShape shape;
  std::string out = "<?xml version=\"1.0\"?>\n<robot name=\"humanoid\">\n<link name=\"pelvis\">" +
                    inertial(random, shape) + "</link>\n";
  for (const Limb &limb : limbs) {
    std::string parent = limb.on;
    for (int i = 1; i <= limb.joints; i++) {
      const std::string name = std::string(limb.name) + "_" + std::to_string(i);
      out += "<link name=\"" + name + "\">";
      out += inertial(random, shape) + "</link>\n<joint name=\"" + name + "\" type=\"continuous\">";
      out += origin(random, shape) + "<parent link=\"" + parent + "\"/><child link=\"" + name +
             "\"/><axis xyz=\"";
      out += triple(random.unit()) + "\"/></joint>\n";
      parent = name;
    }
    if (!*limb.end) continue;
    const std::string end = limb.end;
    out += "<link name=\"" + end + "\"/>\n<joint name=\"" + end + "_joint\" type=\"fixed\">" +
           origin(random, shape) + "<parent link=\"" + parent + "\"/><child link=\"" + end +
           "\"/></joint>\n";
  }
  return out + "</robot>\n";
}

} // namespace oracle

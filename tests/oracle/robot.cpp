/* SPDX-License-Identifier: MIT */
#include "robot.hpp"

#include <tinyxml2.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace oracle {
namespace {

using Element = tinyxml2::XMLElement;

[[noreturn]] void fail(const std::string &what) {
  throw std::runtime_error("oracle: " + what);
}

// Blank-separated decimals of an attribute, each parsed whole.
std::vector<real> numbers(const Element *element, const char *attribute,
                          std::vector<real> fallback) {
  const char *text = element ? element->Attribute(attribute) : nullptr;
  if (!text) return fallback;
  std::vector<real> out;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    char *end = nullptr;
    out.push_back(std::strtold(word.c_str(), &end));
    if (*end) fail("no number: " + word);
  }
  if (out.size() != fallback.size()) fail(std::string("wrong count of numbers: ") + text);
  return out;
}

real number(const Element *element, const char *attribute, real fallback) {
  return numbers(element, attribute, {fallback})[0];
}

std::string word(const Element *element, const char *attribute) {
  const char *text = element ? element->Attribute(attribute) : nullptr;
  if (!text) fail(std::string("missing attribute ") + attribute);
  return text;
}

struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();
};

Pose origin(const Element *parent) {
  const Element *element = parent->FirstChildElement("origin");
  const auto xyz = numbers(element, "xyz", {0, 0, 0}), rpy = numbers(element, "rpy", {0, 0, 0});
  return {rotation_rpy(rpy[0], rpy[1], rpy[2]), Vec3(xyz[0], xyz[1], xyz[2])};
}

struct RawJoint {
  std::string type, parent, child, mimic;
  Joint joint;
  real effort = std::numeric_limits<real>::infinity();
};

Inertia read_inertia(const Element *link) {
  Inertia out;
  const Element *inertial = link->FirstChildElement("inertial");
  if (!inertial) return out;
  const Pose pose = origin(inertial);
  const Element *I = inertial->FirstChildElement("inertia");
  const real xx = number(I, "ixx", 0), xy = number(I, "ixy", 0), xz = number(I, "ixz", 0),
             yy = number(I, "iyy", 0), yz = number(I, "iyz", 0), zz = number(I, "izz", 0);
  Mat3 C;
  C << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  out.m = number(inertial->FirstChildElement("mass"), "value", 0);
  out.c = pose.p;
  out.I = pose.R * C * pose.R.transpose();
  return out;
}

RawJoint read_joint(const Element *element) {
  RawJoint raw;
  raw.type = word(element, "type");
  raw.parent = word(element->FirstChildElement("parent"), "link");
  raw.child = word(element->FirstChildElement("child"), "link");
  const Pose pose = origin(element);
  Joint &joint = raw.joint;
  joint.name = word(element, "name");
  joint.R = pose.R;
  joint.p = pose.p;
  const auto axis = numbers(element->FirstChildElement("axis"), "xyz", {1, 0, 0});
  joint.axis = Vec3(axis[0], axis[1], axis[2]);
  if (raw.type == "revolute" || raw.type == "continuous")
    joint.type = JointType::revolute;
  else if (raw.type == "prismatic")
    joint.type = JointType::prismatic;
  else if (raw.type != "fixed" && raw.type != "planar" && raw.type != "floating")
    fail("joint type " + raw.type);
  if (joint.type != JointType::fixed) joint.axis /= joint.axis.norm();
  if (const Element *limit = element->FirstChildElement("limit")) {
    if (raw.type != "continuous") {
      joint.lower = number(limit, "lower", joint.lower);
      joint.upper = number(limit, "upper", joint.upper);
    }
    const real effort = number(limit, "effort", 0);
    if (effort > 0) raw.effort = effort;
  }
  if (const Element *mimic = element->FirstChildElement("mimic")) {
    raw.mimic = word(mimic, "joint");
    joint.ratio = number(mimic, "multiplier", 1);
    joint.offset = number(mimic, "offset", 0);
  }
  return raw;
}

// Motion of a joint by its coordinate: child frame in the frame (R, p) of the joint.
Pose moved(const Joint &joint, real q) {
  if (joint.type == JointType::revolute) return {joint.R * rotation(joint.axis, q), joint.p};
  if (joint.type == JointType::prismatic) return {joint.R, joint.p + joint.R * (q * joint.axis)};
  return {joint.R, joint.p};
}

// Freezes locked joints and the mimic joints that follow them.
void lock(std::map<std::string, RawJoint> &joints, const std::map<std::string, real> &locked) {
  for (auto &entry : joints) {
    RawJoint &raw = entry.second;
    const auto own = locked.find(entry.first), leader = locked.find(raw.mimic);
    real q;
    if (own != locked.end())
      q = own->second;
    else if (!raw.mimic.empty() && leader != locked.end())
      q = raw.joint.ratio * leader->second + raw.joint.offset;
    else
      continue;
    const Pose pose = moved(raw.joint, q);
    raw.joint.R = pose.R;
    raw.joint.p = pose.p;
    raw.joint.type = JointType::fixed;
    raw.mimic.clear();
  }
}

} // namespace

Inertia at_com(const OriginInertia &o) {
  Inertia out;
  out.m = o.m;
  if (o.m != 0) out.c = o.h / o.m;
  const Mat3 C = skew(out.c);
  out.I = o.I + o.m * C * C;
  return out;
}

OriginInertia at_origin(const Inertia &c) {
  const Mat3 C = skew(c.c);
  return {c.m, c.m * c.c, c.I - c.m * C * C};
}

int Robot::link(const std::string &wanted) const {
  for (size_t i = 0; i < links.size(); i++)
    if (links[i].name == wanted) return int(i);
  fail("no link " + wanted);
}

int Robot::dof(const std::string &wanted) const {
  for (size_t i = 0; i < dofs.size(); i++)
    if (dofs[i].name == wanted) return int(i);
  fail("no joint " + wanted);
}

real Robot::mass() const {
  real m = 0;
  for (const Link &link : links) m += link.inertia.m;
  return m;
}

bool Robot::moves(int link) const {
  for (int i = link; i >= 0; i = links[size_t(i)].parent)
    if (links[size_t(i)].joint.type != JointType::fixed) return true;
  return base != Base::fixed;
}

Robot parse_urdf(const std::string &text, const Selection &selection) {
  tinyxml2::XMLDocument doc;
  if (doc.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) fail(doc.ErrorStr());
  const Element *top = doc.FirstChildElement("robot");
  if (!top) fail("no <robot>");

  std::map<std::string, Inertia> inertias;
  std::map<std::string, RawJoint> joints;
  std::map<std::string, std::vector<std::string>> children; // joints by parent link, file's order
  std::set<std::string> is_child;
  for (auto *e = top->FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
    inertias[word(e, "name")] = read_inertia(e);
  for (auto *e = top->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
    const RawJoint raw = read_joint(e);
    joints[raw.joint.name] = raw;
    children[raw.parent].push_back(raw.joint.name);
    is_child.insert(raw.child);
  }
  lock(joints, selection.locked);

  Robot robot;
  robot.name = word(top, "name");
  robot.base = selection.base;
  std::string root = selection.root;
  if (root.empty())
    for (const auto &entry : inertias)
      if (!is_child.count(entry.first)) root = entry.first;
  if (!inertias.count(root)) fail("no root " + root);
  // A planar or floating joint at the root is the base's own freedom: the body it carries is the
  // base.
  if (children[root].size() == 1) {
    const RawJoint &first = joints[children[root][0]];
    if (first.type == "planar" || first.type == "floating") {
      robot.base = first.type == "planar" ? Base::planar : Base::floating;
      root = first.child;
    }
  }

  // A link stays where a tip is at or below it, or no moving joint lies between it and one that
  // stays.
  const std::set<std::string> tips(selection.tips.begin(), selection.tips.end());
  std::function<bool(const std::string &)> leads = [&](const std::string &link) {
    if (tips.empty() || tips.count(link)) return true;
    for (const std::string &name : children[link])
      if (leads(joints[name].child)) return true;
    return false;
  };
  std::map<std::string, int> dof_of;
  std::function<void(const std::string &, int, const RawJoint &)> add =
      [&](const std::string &name, int parent, const RawJoint &raw) {
        const int index = int(robot.links.size());
        Link link;
        link.name = name;
        link.parent = parent;
        link.joint = raw.joint;
        link.inertia = inertias[name];
        if (raw.joint.type != JointType::fixed && raw.mimic.empty()) {
          dof_of[raw.joint.name] = link.joint.dof = robot.nd();
          link.joint.ratio = 1;
          link.joint.offset = 0;
          robot.dofs.push_back(
              {raw.joint.name, index, raw.joint.type == JointType::prismatic, false, raw.effort});
        }
        robot.links.push_back(link);
        for (const std::string &below : children[name]) {
          const RawJoint &next = joints[below];
          if (next.joint.type == JointType::fixed || leads(next.child))
            add(next.child, index, next);
        }
      };
  add(root, -1, RawJoint{});
  for (Link &link : robot.links)
    if (link.joint.type != JointType::fixed && link.joint.dof < 0) {
      const std::string &leader = joints[link.joint.name].mimic;
      if (!dof_of.count(leader)) fail("mimic of a joint that is not there: " + leader);
      link.joint.dof = dof_of[leader];
    }
  for (const std::string &name : selection.passive) robot.dofs[robot.dof(name)].passive = true;
  for (const auto &entry : selection.effort)
    robot.dofs[robot.dof(entry.first)].effort = entry.second;
  return robot;
}

Robot read_urdf(const std::string &path, const Selection &selection) {
  std::ifstream file(path);
  if (!file) fail("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_urdf(text.str(), selection);
}

Robot merge_fixed(const Robot &robot) {
  Robot out = robot;
  for (int i = int(out.links.size()) - 1; i > 0; i--) {
    Link &link = out.links[i];
    if (link.joint.type != JointType::fixed) continue;
    // Both about the parent frame's origin, along its axes; then they add.
    Inertia moved = link.inertia;
    moved.c = link.joint.p + link.joint.R * link.inertia.c;
    moved.I = link.joint.R * link.inertia.I * link.joint.R.transpose();
    const OriginInertia a = at_origin(out.links[link.parent].inertia), b = at_origin(moved);
    out.links[link.parent].inertia = at_com({a.m + b.m, a.h + b.h, a.I + b.I});
    link.inertia = Inertia{};
  }
  return out;
}

} // namespace oracle

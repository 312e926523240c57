/* SPDX-License-Identifier: MIT */
// generated_library.cpp: see generated_library.hpp
#include "achd_controller/generated_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include <tinyxml2.h>

namespace achd_controller {

namespace {

enum { FORMAT = 1 }; // of descriptions, that this reads

[[noreturn]] void fail(const std::string &what) {
  throw std::runtime_error(what);
}

// "lib/libgen3.so.1" -> "gen3"
std::string name_of(const std::string &path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name.rfind("lib", 0) == 0) name.erase(0, 3);
  return name.substr(0, name.find('.'));
}

} // namespace

Field Function::find(const char *side, const std::string &name) const {
  for (const auto &field : described_.at(side).at("fields")) {
    if (field.at("name") != name) continue;
    Field found;
    for (const auto &element : field.at("elements"))
      found.offsets.push_back(element.at("offset").get<std::size_t>());
    return found;
  }
  fail("the function " + described_.at("name").get<std::string>() + " has no " + side + "put " +
       name);
}

Field Function::input(const std::string &name) const {
  return find("in", name);
}

Field Function::output(const std::string &name) const {
  return find("out", name);
}

bool Function::has_input(const std::string &name) const {
  for (const auto &field : described_.at("in").at("fields"))
    if (field.at("name") == name) return true;
  return false;
}

void Function::set(const Field &field, std::size_t index, double value) {
  char *at = reinterpret_cast<char *>(in_.data()) + field.offsets[index];
  const float single = static_cast<float>(value);
  if (single_)
    std::memcpy(at, &single, sizeof single);
  else
    std::memcpy(at, &value, sizeof value);
}

double Function::get(const Field &field, std::size_t index) const {
  const char *at = reinterpret_cast<const char *>(out_.data()) + field.offsets[index];
  float single;
  double value;
  if (single_) {
    std::memcpy(&single, at, sizeof single);
    return static_cast<double>(single);
  }
  std::memcpy(&value, at, sizeof value);
  return value;
}

void GeneratedLibrary::open(const std::string &path) {
  close();
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) fail(std::string("the parameter library cannot be opened: ") + dlerror());
  path_ = path;
  const std::string name = name_of(path);
  const void *lines = nullptr;
  for (const char *suffix : {"_description", "f_description"})
    if (!lines) lines = dlsym(handle_, (name + suffix).c_str());
  if (!lines) {
    close();
    fail(path + " has no " + name +
         "_description: make it by achd_generate(... SHARED) or achdgen --mode shared, and name it "
         "after "
         "the prefix of its functions");
  }
  std::string text;
  for (auto line = static_cast<const char *const *>(lines); *line; line++)
    text.append(*line).append("\n");
  described_ = nlohmann::json::parse(text);
  if (described_.at("format") != FORMAT) {
    close();
    fail(path + " was made by another version of achdgen: make it anew");
  }
}

void GeneratedLibrary::close() {
  if (handle_) dlclose(handle_);
  handle_ = nullptr;
}

bool GeneratedLibrary::has_function(const std::string &name) const {
  for (const auto &f : described_.at("functions"))
    if (f.at("name") == name) return true;
  return false;
}

Function GeneratedLibrary::function(const std::string &name) const {
  for (const auto &f : described_.at("functions")) {
    if (f.at("name") != name || !f.contains("in")) continue;
    Function function;
    function.described_ = f;
    function.single_ = described_.at("real") == "float";
    function.in_.assign((f.at("in").at("bytes").get<std::size_t>() + 7) / 8, 0.0);
    function.out_.assign((f.at("out").at("bytes").get<std::size_t>() + 7) / 8, 0.0);
    function.run_ =
        reinterpret_cast<Function::Run>(dlsym(handle_, f.at("c").get<std::string>().c_str()));
    if (!function.run_) fail(path_ + " does not export " + f.at("c").get<std::string>());
    for (const auto &part : {std::make_pair(&function.quaternion_, "base.quat"),
                             std::make_pair(&function.rotation_, "base.rot"),
                             std::make_pair(&function.yaw_, "base.yaw"),
                             std::make_pair(&function.twist_, "base.twist")})
      if (function.has_input(part.second)) *part.first = function.input(part.second);
    for (const auto &field : f.at("in").at("fields")) {
      const Field all = function.input(field.at("name"));
      for (std::size_t i = 0; i < all.size(); i++)
        function.set(all, i, field.at("elements").at(i).at("default"));
    }
    return function;
  }
  fail(path_ + " has no function " + name + ": make it with --functions achd,gravity,fk,fvk");
}

std::vector<std::string> GeneratedLibrary::joints() const {
  std::vector<std::string> names;
  for (const auto &joint : described_.at("joints")) names.push_back(joint.at("name"));
  return names;
}

std::vector<double> GeneratedLibrary::efforts() const {
  std::vector<double> efforts;
  for (const auto &joint : described_.at("joints"))
    efforts.push_back(joint.at("effort").is_null() ? std::numeric_limits<double>::infinity()
                                                   : joint.at("effort").get<double>());
  return efforts;
}

std::vector<std::string> GeneratedLibrary::inputs() const {
  std::vector<std::string> names;
  for (const auto &input : described_.at("inputs")) names.push_back(input.at("name"));
  return names;
}

std::string GeneratedLibrary::name() const {
  return described_.is_object() ? described_.at("robot").get<std::string>() : std::string();
}

std::string GeneratedLibrary::base_kind() const {
  return described_.at("base").at("kind");
}

std::string GeneratedLibrary::base_link() const {
  return described_.at("base").at("link");
}

void GeneratedLibrary::set_base(Function &function, const std::array<double, 4> &q,
                                const std::array<double, 3> &linear,
                                const std::array<double, 3> &angular) const {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (std::size_t i = 0; i < function.quaternion_.size(); i++)
    function.set(function.quaternion_, i, q[i]);
  for (std::size_t i = 0; i < function.rotation_.size(); i++)
    function.set(function.rotation_, i, R[i]);
  if (function.yaw_.size()) function.set(function.yaw_, 0, std::atan2(R[3], R[0]));
  const double planar[] = {linear[0], linear[1], angular[2]};
  const double all[] = {linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]};
  for (std::size_t i = 0; i < function.twist_.size(); i++)
    function.set(function.twist_, i, function.twist_.size() == 3 ? planar[i] : all[i]);
}

namespace {

// The joints of a URDF by name, and who carries what.
struct Urdf {
  struct Joint {
    std::string parent, child;
    double axis[3] = {1, 0, 0};
    double lower = std::nan(""), upper = std::nan("");
  };
  std::map<std::string, Joint> joints;
  std::map<std::string, double> masses;

  bool read(const std::string &text) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.c_str()) != tinyxml2::XML_SUCCESS) return false;
    const tinyxml2::XMLElement *robot = document.FirstChildElement("robot");
    if (!robot) return false;
    for (auto link = robot->FirstChildElement("link"); link;
         link = link->NextSiblingElement("link")) {
      const auto inertial = link->FirstChildElement("inertial");
      const auto mass = inertial ? inertial->FirstChildElement("mass") : nullptr;
      masses[attribute(link, "name")] = mass ? mass->DoubleAttribute("value") : 0;
    }
    for (auto e = robot->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
      Joint joint;
      joint.parent = attribute(e->FirstChildElement("parent"), "link");
      joint.child = attribute(e->FirstChildElement("child"), "link");
      std::istringstream axis(attribute(e->FirstChildElement("axis"), "xyz"));
      double x, y, z;
      if (axis >> x >> y >> z) {
        const double norm = std::sqrt(x * x + y * y + z * z);
        joint.axis[0] = x / norm, joint.axis[1] = y / norm, joint.axis[2] = z / norm;
      }
      const auto limit = e->FirstChildElement("limit");
      if (limit && attribute(e, "type") != "continuous") {
        joint.lower = limit->DoubleAttribute("lower");
        joint.upper = limit->DoubleAttribute("upper");
      }
      joints[attribute(e, "name")] = joint;
    }
    return true;
  }

  // Of a link and of what hangs at it by joints that the library does not move.
  template <typename Moves> double mass_at(const std::string &link, const Moves &moves) const {
    const auto own = masses.find(link);
    double sum = own == masses.end() ? 0 : own->second;
    for (const auto &joint : joints)
      if (joint.second.parent == link && !moves(joint.first))
        sum += mass_at(joint.second.child, moves);
    return sum;
  }

  static std::string attribute(const tinyxml2::XMLElement *element, const char *name) {
    const char *value = element ? element->Attribute(name) : nullptr;
    return value ? value : "";
  }
};

bool near(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a));
}

std::string shown(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

} // namespace

std::string GeneratedLibrary::differs_from(const std::string &text) const {
  if (text.empty()) return "";
  Urdf urdf;
  if (!urdf.read(text)) return "it is no URDF";
  std::map<std::string, bool> moving;
  for (const auto &body : described_.at("bodies")) moving[body.at("joint")] = true;
  const auto moves = [&moving](const std::string &joint) { return moving.count(joint) > 0; };
  for (const auto &joint : described_.at("joints")) {
    const std::string name = joint.at("name");
    const auto found = urdf.joints.find(name);
    if (found == urdf.joints.end()) return "it has no joint " + name;
    for (const auto &side : {std::make_pair("lower", found->second.lower),
                             std::make_pair("upper", found->second.upper)}) {
      const auto &limit = joint.at(side.first);
      const double mine = limit.is_null() ? std::nan("") : limit.get<double>();
      if (!near(mine, side.second))
        return "the " + std::string(side.first) + " limit of " + name + " is " +
               shown(side.second) + " there and " + shown(mine) + " in the library";
    }
  }
  for (const auto &body : described_.at("bodies")) {
    const auto found = urdf.joints.find(body.at("joint").get<std::string>());
    if (found == urdf.joints.end()) continue;
    for (std::size_t i = 0; i < 3; i++)
      if (!near(body.at("axis").at(i), found->second.axis[i]))
        return "the axis of " + found->first + " is another one";
    const double mine = body.at("mass"), theirs = urdf.mass_at(found->second.child, moves);
    if (!near(mine, theirs))
      return "what " + found->first + " moves, up to the next joint, has " + shown(theirs) +
             " kg there and " + shown(mine) + " kg in the library";
  }
  return "";
}

unsigned GeneratedLibrary::do_not_command() const {
  unsigned bits = 0;
  for (const auto &bit : described_.at("status"))
    if (bit.at("do_not_command")) bits |= bit.at("bit").get<unsigned>();
  return bits;
}

std::string GeneratedLibrary::status_names(unsigned bits) const {
  std::string names;
  for (const auto &bit : described_.at("status"))
    if (bits & bit.at("bit").get<unsigned>())
      names += (names.empty() ? "" : ", ") + bit.at("name").get<std::string>();
  return names;
}

std::vector<Row> GeneratedLibrary::rows(std::string &group, std::string &frame,
                                        std::string &axes) const {
  std::string known;
  const nlohmann::json *found = nullptr;
  for (const auto &mark : described_.at("attached")) {
    if (mark.at("kind") != "group") continue;
    known += (known.empty() ? "" : ", ") + mark.at("name").get<std::string>();
    if (!found && (group.empty() || mark.at("name") == group)) found = &mark;
  }
  if (!found)
    fail("the parameter group is \"" + group + "\", and the library's groups are: " + known);
  group = found->at("name");
  frame = found->at("link");
  axes = found->at("axes");
  if (!found->at("to").is_null())
    fail("the group " + group + " ties two frames: name one that is at a frame of its own");
  if (axes != "base" && axes != "link")
    fail("the group " + group + " has " + axes +
         " axes: this controller follows rows along the axes of the base or of the link");
  std::vector<Row> rows;
  std::size_t set_point = 0; // b has an element for each row with a set-point
  for (const auto &row : described_.at("rows")) {
    if (!row.at("set_point")) continue;
    if (row.at("group") == group && row.at("kind") != "free")
      rows.push_back({row.at("name"), set_point, row.at("kind") == "angular"});
    set_point++;
  }
  if (rows.empty()) fail("the group " + group + " has no row with a set-point");
  return rows;
}

} // namespace achd_controller

// generated_library.cpp: see generated_library.hpp
#include "achd_controller/generated_library.hpp"

#include <dlfcn.h>

#include <cstring>
#include <limits>
#include <stdexcept>

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

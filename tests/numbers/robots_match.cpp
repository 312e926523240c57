/* SPDX-License-Identifier: MIT */
// robots_match ROBOTS_DIR REFERENCE_DIR: every figure of ROBOTS_DIR/*.urdf equals the one in the
// file of the same name in REFERENCE_DIR, neither has more. Exit 77 (skipped) without
// REFERENCE_DIR.
#include <tinyxml2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using Figures = std::map<std::string, std::string>; // "joint joint_1 origin rpy 0" -> value

static bool is_text(const std::string &attribute) {
  return attribute == "link" || attribute == "type" || attribute == "joint";
}

// A number in a form that is equal when the doubles are: hexadecimal, -0 as 0.
static std::string canonical(const std::string &token) {
  char *end = nullptr;
  const double value = std::strtod(token.c_str(), &end);
  if (token.empty() || *end != '\0') return "not a number: " + token;
  char text[64];
  std::snprintf(text, sizeof text, "%a", value == 0 ? 0.0 : value);
  return text;
}

static void add_attribute(Figures &figures, const std::string &key, const std::string &name,
                          const char *value) {
  if (is_text(name)) {
    figures[key + " " + name] = value;
    return;
  }
  std::string rest = value;
  int index = 0;
  for (size_t from = 0; (from = rest.find_first_not_of(" \t\n", from)) != std::string::npos;) {
    const size_t to = std::min(rest.find_first_of(" \t\n", from), rest.size());
    figures[key + " " + name + " " + std::to_string(index++)] =
        canonical(rest.substr(from, to - from));
    from = to;
  }
}

static void add_element(Figures &figures, const std::string &key,
                        const tinyxml2::XMLElement &element) {
  const std::string tag = element.Name();
  if (tag == "origin") { // what the URDF format assumes where nothing is written
    for (const char *part : {" xyz ", " rpy "})
      for (int i = 0; i < 3; i++) figures.emplace(key + part + std::to_string(i), canonical("0"));
  }
  for (const auto *a = element.FirstAttribute(); a; a = a->Next())
    add_attribute(figures, key, a->Name(), a->Value());
  for (const auto *e = element.FirstChildElement(); e; e = e->NextSiblingElement())
    add_element(figures, key + " " + e->Name(), *e);
}

static bool read(const fs::path &path, Figures &figures) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), document.ErrorStr());
    return false;
  }
  const auto *robot = document.FirstChildElement("robot");
  if (!robot) return false;
  figures["robot"] = robot->Attribute("name") ? robot->Attribute("name") : "";
  for (const auto *e = robot->FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string key = std::string(e->Name()) + " " + e->Attribute("name");
    figures[key] = "present";
    for (const auto *a = e->FirstAttribute(); a; a = a->Next())
      if (std::string(a->Name()) != "name") add_attribute(figures, key, a->Name(), a->Value());
    for (const auto *part = e->FirstChildElement(); part; part = part->NextSiblingElement())
      add_element(figures, key + " " + part->Name(), *part);
  }
  return true;
}

static int count_differences(const fs::path &path, const Figures &ours, const Figures &theirs) {
  int differences = 0;
  for (const auto &[key, value] : ours) {
    const auto found = theirs.find(key);
    if (found != theirs.end() && found->second == value) continue;
    std::fprintf(stderr, "%s: %s is %s, the reference has %s\n", path.c_str(), key.c_str(),
                 value.c_str(), found == theirs.end() ? "nothing" : found->second.c_str());
    differences++;
  }
  for (const auto &[key, value] : theirs) {
    if (ours.count(key)) continue;
    std::fprintf(stderr, "%s: %s is missing, the reference has %s\n", path.c_str(), key.c_str(),
                 value.c_str());
    differences++;
  }
  return differences;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: robots_match ROBOTS_DIR REFERENCE_DIR\n");
    return 2;
  }
  if (!fs::is_directory(argv[2])) {
    std::printf("skipped: no folder %s\n", argv[2]);
    return 77;
  }
  int differences = 0, files = 0;
  size_t figures = 0;
  for (const auto &entry : fs::directory_iterator(argv[1])) {
    if (entry.path().extension() != ".urdf") continue;
    const fs::path reference = fs::path(argv[2]) / entry.path().filename();
    if (!fs::exists(reference)) continue;
    Figures ours, theirs;
    if (!read(entry.path(), ours) || !read(reference, theirs)) return 1;
    differences += count_differences(entry.path(), ours, theirs);
    files++;
    figures += ours.size();
  }
  std::printf("%zu figures of %d robots compared, %d differ\n", figures, files, differences);
  return files > 0 && differences == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
// together_test.cpp: many emitted headers in one program: several robots, two layouts of one robot,
// float and double of one robot, all three modes; each header included by C and C++ units alike, in
// either order and twice; implementations side by side in one unit. Everything links, runs, and
// gives the evaluator's numbers, from C as from C++. Arguments: oracle/arguments.hpp.
#include <cmath>
#include <memory>
#include <sstream>

#include "oracle/arguments.hpp"
#include "oracle/program.hpp"

using namespace oracle;

namespace {

// One emitted header.
struct Member {
  std::string name, robot,
      layout; // prefix of all that it declares; layout: text, or robots/ROBOT.lua
  std::vector<std::string> functions;
  std::string flags;
  enum Mode { header, inlined, split } mode = header;
  bool single = false;
};

const std::vector<Member> members = {
    {"gen3", "gen3", "", {"achd", "gravity", "id"}, "", Member::header},
    // another layout of the same robot
    {"gen3_free",
     "gen3",
     "return { groups = {}, wrenches = { { name = \"push\", frame = \"forearm_link\", kind = "
     "\"physical\" } }, outputs = { \"qdd\", pose = { \"tool_frame\" } } }",
     {"achd", "fk"},
     "--name gen3_free",
     Member::header},
    {"gen3f", "gen3", "", {"achd", "gravity"}, "--real float", Member::header, true},
    {"panda", "panda", "", {"achd", "crba"}, "", Member::header},
    {"lwr4", "lwr4", "", {"achd"}, "--name lwr4 --mode inline", Member::inlined},
    {"lwr4f",
     "lwr4",
     "",
     {"achd"},
     "--name lwr4 --real float --mode inline",
     Member::inlined,
     true},
    {"youbot_arm",
     "youbot_arm",
     "",
     {"achd", "jac"},
     "--name youbot_arm --mode split",
     Member::split},
};

std::string slurp(const std::string &path) {
  std::string out;
  if (FILE *file = std::fopen(path.c_str(), "r")) {
    for (int c; (c = std::fgetc(file)) != EOF;) out += char(c);
    std::fclose(file);
  }
  return out;
}

std::string upper(std::string text) {
  for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// An ordinary number for each input, exact in float.
std::vector<double> inputs(const Columns &columns) {
  std::vector<double> out;
  int k = 0;
  for (const Column &column : columns.in) {
    const std::string head = column.name.substr(0, column.name.find('.'));
    const std::string tail = column.name.substr(column.name.rfind('.') + 1);
    k++;
    double value = 0.25 + 0.125 * (k % 7) - 0.0625 * (k % 3);
    if (head == "mask") value = 1;
    if (head == "axes") value = tail[0] == tail[1];
    if (column.name == "gravity.z") value = -9.8125;
    out.push_back(value);
  }
  return out;
}

// One function of one member: its columns, its inputs, and what the evaluator makes of them.
struct Question {
  const Member *member;
  std::string function;
  Columns columns;
  std::vector<double> in, expected;
};

// A C or C++ function that solves the question and prints a line.
std::string asking(const Question &q, const std::string &language) {
  const std::string &name = q.member->name, f = name + "_" + q.function;
  std::string text =
      "static void ask_" + f + "(void) {\n  static " + f + "_in in;\n  static " + f + "_out out;\n";
  char number[40];
  for (size_t i = 0; i < q.in.size(); i++) {
    std::snprintf(number, sizeof number, "%.17g", q.in[i]);
    text += "  in." + field(q.columns.in[i].name, name, q.columns.takes("base.")) + " = (" + name +
            "_real)" + number + ";\n";
  }
  text += "  const unsigned status = (unsigned)" + f + "(&in, &out);\n  printf(\"" + language +
          " " + f + "\");\n";
  for (const Column &column : q.columns.out)
    text += column.name == "status"
                ? "  printf(\" %u\", status);\n"
                : "  printf(\" %.17g\", (double)out." +
                      field(column.name, name, q.columns.takes("base.")) + ");\n";
  return text + "  printf(\"\\n\");\n}\n";
}

std::string include(const std::string &name) {
  return "#include \"" + name + ".h\"\n";
}

// A unit that declares all and asks all; `backwards`: headers in the other order, some of them
// twice.
std::string unit(const std::vector<Question> &questions, const std::string &language,
                 bool backwards) {
  std::string text, calls;
  for (const Member &member : members)
    text = backwards ? include(member.name) + text + include(member.name)
                     : text + include(member.name);
  text = "#include <stdio.h>\n" + text;
  for (const Question &q : questions) {
    text += asking(q, language);
    calls += "  ask_" + q.member->name + "_" + q.function + "();\n";
  }
  if (language == "c")
    return text + "void ask_in_c(void);\nvoid ask_in_c(void) {\n" + calls + "}\n";
  return text + "extern \"C\" void ask_in_c(void);\nint main() {\n  ask_in_c();\n" + calls +
         "  return 0;\n}\n";
}

std::string implementation(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += "#define " + upper(name) + "_IMPLEMENTATION\n" + include(name);
  return text;
}

int complain(const std::string &what) {
  std::printf("  BAD %s\n", what.c_str());
  return 1;
}

// Builds with a pair of compilers, runs, compares.
int run_pair(const std::string &cc, const std::string &cxx, const std::vector<Question> &questions,
             const TemporaryFolder &folder) {
  const std::string strict = " -O0 -fno-common -Wall -Wextra -Wpedantic -Wconversion -Wshadow "
                             "-Wdouble-promotion -Werror -c -I" +
                             shell_quoted(folder.path) + " ";
  const auto path = [&](const std::string &file) { return shell_quoted(folder.path + "/" + file); };
  const std::vector<std::pair<std::string, std::string>> sources = {
      {"unit.c", cc + " -std=c99"},          {"two_layouts.c", cc + " -std=c99"},
      {"youbot_arm.c", cc + " -std=c99"},    {"declares.c", cc + " -std=c99"},
      {"unit_cxx.cpp", cxx + " -std=c++17"}, {"others.cpp", cxx + " -std=c++17"},
  };
  std::string objects, out, err;
  for (const auto &source : sources) {
    const std::string object = path(source.first + ".o");
    if (run_command(source.second + strict + path(source.first) + " -o " + object, nullptr, &err))
      return complain(cc + ", " + source.first + ": " + err.substr(0, 1000));
    objects += " " + object;
  }
  if (run_command(cxx + " -Wl,--fatal-warnings" + objects + " -o " + path("together") + " -lm",
                  nullptr, &err))
    return complain(cc + ", linking: " + err.substr(0, 1000));
  if (run_command(path("together"), &out, &err)) return complain(cc + ": does not run: " + err);

  std::map<std::string, std::string> lines; // "c gen3_achd" to its numbers
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) {
    const size_t blank = line.find(' ', line.find(' ') + 1);
    lines[line.substr(0, blank)] = line.substr(blank);
  }
  int bad = 0;
  double worst = 0;
  for (const Question &q : questions) {
    const std::string f = q.member->name + "_" + q.function;
    if (lines["c " + f] != lines["cxx " + f] || lines["c " + f].empty())
      bad += complain(cc + ", " + f + ": C and C++ differ");
    // The compiled has sines and cosines of its own, a unit in the last place; and where inline
    // functions get constants, clang computes them fused.
    const double tolerance = q.member->single ? 1e-4 : 1e-11;
    std::istringstream numbers(lines["c " + f]);
    double scale = 0, error = 0;
    for (const double expected : q.expected) {
      double got = NAN;
      numbers >> got;
      scale = std::max(scale, std::abs(expected));
      error = std::max(error, std::isfinite(got) ? std::abs(got - expected) : INFINITY);
    }
    worst = std::max(worst, error / scale / tolerance);
    if (error > 0)
      std::printf("  %s, %s: error %.1e of the largest number\n", cc.c_str(), f.c_str(),
                  error / scale);
    if (!(error <= tolerance * scale))
      bad += complain(cc + ", " + f + ": error " + std::to_string(error / scale));
  }
  std::printf("%s and %s: %zu functions of %zu headers, worst/tolerance %.1e%s\n", cc.c_str(),
              cxx.c_str(), questions.size(), members.size(), worst, bad ? "  FAILED" : "");
  return bad;
}

int run(const Arguments &arguments) {
  const TemporaryFolder folder;
  std::vector<Question> questions;
  for (const Member &member : members) {
    const std::string text = member.layout.empty()
                                 ? slurp(arguments.robots + "/" + member.robot + ".lua")
                                 : member.layout;
    const std::string urdf = arguments.robots + "/" + member.robot + ".urdf";
    std::string list, err;
    for (const std::string &function : member.functions) {
      list += (list.empty() ? "" : ",") + function;
      Evaluator program({arguments.achdgen, urdf, text, member.flags + " --functions " + function});
      const std::vector<double> in = inputs(program.columns());
      questions.push_back({&member, function, program.columns(), in, program.run({in})[0]});
    }
    const std::string layout = folder.write(member.name + ".lua", text);
    if (run_command(shell_quoted(arguments.achdgen) + " " + shell_quoted(urdf) + " --layout " +
                        shell_quoted(layout) + " " + member.flags + " --no-prove --functions " +
                        list + " -o " + shell_quoted(folder.path + "/" + member.name + ".h"),
                    nullptr, &err))
      return complain(member.name + ": " + err);
  }
  std::string all;
  for (const Member &member : members)
    if (member.mode != Member::inlined) all += include(member.name);
  folder.write("declares.c", all + "typedef int not_empty;\n"); // one more unit, that only declares
  folder.write("unit.c", unit(questions, "c", false));
  folder.write("unit_cxx.cpp", unit(questions, "cxx", true));
  folder.write("two_layouts.c", implementation({"gen3", "gen3_free"}));
  folder.write("others.cpp", implementation({"panda", "gen3f"}));
  int bad = 0, pairs = 0;
  for (const auto &pair : {std::make_pair("gcc", "g++"), std::make_pair("clang", "clang++")}) {
    if (run_command(std::string(pair.first) + " --version") != 0 ||
        run_command(std::string(pair.second) + " --version") != 0)
      continue;
    pairs++;
    bad += run_pair(pair.first, pair.second, questions, folder);
  }
  return pairs ? bad : complain("no compiler");
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 1);
  int bad = 1;
  try {
    bad = run(arguments);
  } catch (const std::exception &error) {
    complain(error.what());
  }
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

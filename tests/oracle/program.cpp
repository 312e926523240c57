/* SPDX-License-Identifier: MIT */
#include "program.hpp"

#include <errno.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "sample.hpp"

namespace oracle {

namespace {

std::string slurp(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string upper(std::string text) {
  for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  const char *place = std::getenv("TMPDIR");
  std::string pattern = std::string(place ? place : "/tmp") + "/achd_test_XXXXXX";
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string TemporaryFolder::write(const std::string &file, const std::string &text) const {
  const std::string full = path + "/" + file;
  std::ofstream(full) << text;
  return full;
}

std::string shell_quoted(const std::string &word) {
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

int run_command(const std::string &command, std::string *out, std::string *err) {
  const TemporaryFolder folder;
  const int status = std::system((command + " >" + shell_quoted(folder.path + "/out") + " 2>" +
                                  shell_quoted(folder.path + "/err"))
                                     .c_str());
  if (out) *out = slurp(folder.path + "/out");
  if (err) *err = slurp(folder.path + "/err");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

namespace {

std::string command_line(const Generator &g, const std::string &layout_path,
                         const std::string &more) {
  return shell_quoted(g.achdgen) + " " + shell_quoted(g.urdf) + " --layout " +
         shell_quoted(layout_path) + " " + g.flags + " " + more;
}

} // namespace

Program::Program(const Generator &g) : generator(g) {
  layout_path = folder.write("layout.lua", g.layout);
  // A test makes many programs of one robot and one layout: their columns are asked for once. They are the
  // same in both formulations and precisions, which every run shows, or its numbers would be wrong.
  static std::map<std::string, Columns> known;
  static const std::regex either("--(formulation|real) [a-z]+");
  const std::string key =
      slurp(g.urdf) + '\0' + g.layout + '\0' + std::regex_replace(g.flags, either, "");
  const auto found = known.find(key);
  if (found != known.end()) {
    names = found->second;
    return;
  }
  std::string out, err;
  // "joint" is the formulation that every robot has, and the one that is built fastest.
  const std::string quickest =
      std::regex_search(g.flags, std::regex("--formulation")) ? "" : "--formulation joint ";
  if (run_command(command_line(g, layout_path, quickest + "--columns"), &out, &err) != 0)
    throw std::runtime_error(err.empty() ? "achdgen failed without a word" : err);
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string side;
    Column column;
    words >> side >> column.name >> column.unit;
    if (side != "in" && side != "out") throw std::runtime_error("strange line of columns: " + line);
    (side == "in" ? names.in : names.out).push_back(column);
  }
  known[key] = names;
}

std::vector<double> Program::arrange(const std::map<std::string, double> &in) const {
  std::vector<double> row;
  for (const Column &column : names.in) {
    const auto found = in.find(column.name);
    if (found == in.end()) throw std::runtime_error("unknown input column " + column.name);
    row.push_back(found->second);
  }
  return row;
}

int Program::output(const std::string &name) const {
  for (size_t i = 0; i < names.out.size(); i++)
    if (names.out[i].name == name) return int(i);
  return -1;
}

Table Program::run_filter(const std::string &command, const Table &in) const {
  std::string text;
  char word[32];
  for (const auto &row : in) {
    for (double value : row) {
      std::snprintf(word, sizeof word, "%.17g ", value);
      text += word;
    }
    text += '\n';
  }
  const std::string path = folder.write("in.txt", text);
  std::string out, err;
  if (run_command(command + " <" + shell_quoted(path), &out, &err) != 0)
    throw std::runtime_error("failed: " + command + "\n" + err);
  Table table;
  const char *at = out.c_str();
  while (*at) {
    std::vector<double> row;
    while (*at && *at != '\n') {
      char *end;
      row.push_back(std::strtod(at, &end));
      if (end == at) throw std::runtime_error("no number in: " + std::string(at).substr(0, 80));
      at = end;
      while (*at == ' ' || *at == '\r') at++;
    }
    if (*at) at++;
    if (row.size() != names.out.size())
      throw std::runtime_error("a line of " + std::to_string(row.size()) + " numbers, " +
                               std::to_string(names.out.size()) + " columns out");
    table.push_back(row);
  }
  if (table.size() != in.size())
    throw std::runtime_error(std::to_string(in.size()) + " lines in, " +
                             std::to_string(table.size()) + " out");
  return table;
}

Table Evaluator::run(const Table &in) {
  return run_filter(command_line(generator, layout_path, "--eval"), in);
}

namespace {

// The number of a velocity, named by the parts from `first` on: "base.lin_x" or a joint.
std::string velocity(const std::vector<std::string> &parts, size_t first, const std::string &name,
                     bool moving_base) {
  if (parts[first] == "base") return upper(name + "_BASE_" + parts[first + 1]);
  return (moving_base ? upper(name) + "_NB + " : "") + upper(name + "_" + parts[first]);
}

// "x" -> "[0]", "lin_x" -> ".lin[0]", "xy" -> "[0][1]", others -> members.
std::string element(const std::string &part, bool vector) {
  const auto axis = [](char c) { return "[" + std::to_string(c - 'x') + "]"; };
  if (part.compare(0, 4, "lin_") == 0 || part.compare(0, 4, "ang_") == 0)
    return "." + part.substr(0, 3) + axis(part[4]);
  const bool axes = part.find_first_not_of("xyz") == std::string::npos;
  if (axes && part.size() == 2) return axis(part[0]) + axis(part[1]);
  if (axes && part.size() == 1 && vector) return axis(part[0]);
  return "." + part;
}

// An element of a derivative d<of>_d<by>, named by its row and its column, each of which is a velocity (a joint, or
// "base" and an axis), a joint, a row (group and name) or a component of a wrench.
std::string derivative(const std::vector<std::string> &parts, const std::string &name,
                       bool moving_base) {
  const size_t middle = parts[0].find("_d");
  const std::string of = parts[0].substr(1, middle - 1), by = parts[0].substr(middle + 2);
  size_t at = 1;
  const auto index = [&](const std::string &what, bool along_velocities) {
    static const std::set<std::string> joints = {"tau", "tau_phys", "tau_ctrl"};
    const size_t first = at++;
    if (along_velocities) {
      if (parts.at(first) == "base") at++;
      return velocity(parts, first, name, moving_base);
    }
    if (what == "nu" || what == "b")
      return upper(name + "_" + parts.at(first) + "_" + parts.at(at++));
    if (joints.count(what)) return upper(name + "_" + parts.at(first));
    return std::to_string((parts.at(first).compare(0, 3, "ang") == 0 ? 3 : 0) + parts[first].at(4) -
                          'x');
  };
  const std::string row = index(of, of == "tau" || of == "qdd"),
                    column = index(by, by == "q" || by == "qd");
  return parts[0] + "[" + row + "][" + column + "]";
}

} // namespace

std::string field(const std::string &column, const std::string &name, bool moving_base) {
  static const std::set<std::string> by_name = {
      "q",         "qd",           "qdd",   "tau_phys", "tau_art", "armature",   "tau_ctrl",
      "tau_total", "tau_apparent", "tau",   "b",        "mask",    "nu",         "pivot",
      "residual",  "lo",           "hi",    "friction", "viscous", "compliance", "p",
      "beta",      "qd_r",         "qdd_r", "Cv",       "Ctv"};
  static const std::set<std::string> shares = {"qdd_of", "nu_of", "tau_ctrl_of"};
  static const std::set<std::string> vectors = {"gravity", "pose", "com"};
  const std::vector<std::string> parts = split(column);
  const std::string &head = parts[0], &tail = parts.back();
  if (parts.size() == 1) return column;
  if (head[0] == 'd' && head.find("_d") != std::string::npos)
    return derivative(parts, name, moving_base);
  if (head == "C") // by rows and columns, both velocities
    return "C[" + velocity(parts, 1, name, moving_base) + "][" +
           velocity(parts, parts[1] == "base" ? 3 : 2, name, moving_base) + "]";
  if (head == "A_G") // A_G.lin_x.JOINT
    return head + element(parts[1], true) + "[" + velocity(parts, 2, name, moving_base) + "]";
  if (head == "I_G") return column;
  if (head == "M") { // the lower triangle by rows
    const std::string i = velocity(parts, 1, name, moving_base),
                      j = velocity(parts, parts[1] == "base" ? 3 : 2, name, moving_base);
    return "M[(" + i + ") * (" + i + " + 1) / 2 + " + j + "]";
  }
  if (head == "jac" ||
      (head == "com" && parts[1] == "jac")) // jac.FRAME.lin_x.JOINT, com.jac.x.JOINT
    return head + "." + parts[1] + element(parts[2], true) + "[" +
           velocity(parts, 3, name, moving_base) + "]";
  if (by_name.count(head) || shares.count(head)) {
    const size_t first = by_name.count(head) ? 1 : 2; // shares: by source
    std::string out = (first == 1 ? head : head + "." + parts[1]) + "[" + upper(name);
    for (size_t i = first; i < parts.size(); i++) out += "_" + upper(parts[i]);
    return out + "]";
  }
  std::string out = head; // everything between head and tail is a member
  for (size_t i = 1; i + 1 < parts.size(); i++)
    out += head == "dir" && i == 2 ? "[" + std::to_string(std::stoi(parts[i]) - 1) + "]"
                                   : "." + parts[i];
  if (head == "inertia" || (parts.size() == 3 && parts[1] == "inertia")) return out + "." + tail;
  return out + element(tail, vectors.count(head) > 0 || parts[parts.size() - 2] == "com");
}

namespace {

// C that runs `function` on all states. Outputs start as garbage, two kinds of it; the twin that
// takes sines and cosines must give the same bits: a field that either leaves out shows. How
// numbers come and go is said before it: by filter_head, or for a board by
// tests/emitted/firmware/filter.h.
std::string filter_text(const Columns &names, const std::string &name,
                        const std::string &function) {
  const bool moving = names.takes("base.");
  const std::string yaw = names.takes("base.yaw") ? "in.base.yaw, " : "";
  const std::string f = name + "_" + function;
  std::string c = "static int run_" + function + "(void) {\n  number x;\n  static " + f +
                  "_in in;\n  static " + f + "_out out, twin;\n  static " + name + "_trig trig;\n" +
                  "  while (get(&x)) {\n    unsigned status;\n";
  for (size_t i = 0; i < names.in.size(); i++) {
    if (i > 0) c += "    if (!get(&x)) return 2;\n";
    c += "    in." + field(names.in[i].name, name, moving) + " = (" + name + "_real)x;\n";
  }
  c += "    fill(&out, 0xa5, sizeof out);\n    fill(&twin, 0x5a, sizeof twin);\n"
       "    status = (unsigned)" +
       f + "(&in, &out);\n    " + name + "_trig_of(" + (names.takes("q.") ? "in.q, " : "") + yaw +
       "&trig);\n    if (" + f + "_trig(&trig, &in, &twin) != status) return different(\"" +
       function + " status\");\n";
  for (const Column &column : names.out) {
    if (column.name == "status") {
      c += "    put((number)status);\n";
      continue;
    }
    const std::string at = field(column.name, name, moving);
    c += "    if (!same((number)out." + at + ", (number)twin." + at + ")) return different(\"" +
         function + " " + column.name + "\");\n    put((number)out." + at + ");\n";
  }
  return c + "    end_line();\n  }\n  return 0;\n}\n";
}

const char *const filter_head =
    "#include <stdio.h>\n#include <string.h>\n"
    "typedef double number;\n"
    "static int get(number *x) { return scanf(\"%lf\", x) == 1; }\n"
    "static void put(number x) { printf(\"%.17g \", x); }\n"
    "static void end_line(void) { printf(\"\\n\"); }\n"
    "static void fill(void *to, int byte, size_t size) { memset(to, byte, size); }\n"
    "static int same(number a, number b) {\n"
    "  return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);\n}\n"
    "static int different(const char *what) {\n"
    "  fprintf(stderr, \"with given sines and cosines another %s\\n\", what);\n  return 3;\n}\n";

// Emits a header of the functions and compiles the filters; returns the executable's path. It takes
// a function's name.
std::string compile_filters(const Generator &g, const std::string &layout_path,
                            const TemporaryFolder &folder, const std::string &name,
                            const std::map<std::string, const Columns *> &functions,
                            const std::string &compiler) {
  std::string list, bodies, choice;
  for (const auto &entry : functions) {
    list += (list.empty() ? "" : ",") + entry.first;
    bodies += filter_text(*entry.second, name, entry.first);
    choice +=
        "  if (strcmp(argv[1], \"" + entry.first + "\") == 0) return run_" + entry.first + "();\n";
  }
  const std::string header = folder.path + "/emitted.h";
  std::string err;
  if (run_command(command_line(g, layout_path,
                               "--no-prove --functions " + list + " -o " + shell_quoted(header)),
                  nullptr, &err) != 0)
    throw std::runtime_error(err);
  folder.write("main.c", "#define " + upper(name) + "_IMPLEMENTATION\n#include \"emitted.h\"\n" +
                             filter_head + bodies +
                             "int main(int argc, char **argv) {\n  if (argc != 2) return 4;\n" +
                             choice + "  return 4;\n}\n");
  const std::string cc = compiler.empty() ? everyday_compiler() : compiler;
  if (run_command(cc + " -Wall -Wextra -Werror " + shell_quoted(folder.path + "/main.c") + " -o " +
                      shell_quoted(folder.path + "/main") + " -lm",
                  nullptr, &err) != 0)
    throw std::runtime_error("the compiler: " + err.substr(0, 2000));
  return shell_quoted(folder.path + "/main");
}

} // namespace

namespace {

// Is it this program's turn to optimise? Every fourth does, which ones, the checksum of a sample tells (sample.hpp).
bool in_turn() {
  const char *from = std::getenv("ACHD_SAMPLE");
  if (from && std::string(from) == "all") return true;
  unsigned sum = from ? unsigned(std::atoi(from)) : checksum_of_sources();
  for (const char *c = program_invocation_short_name; *c; c++)
    sum += static_cast<unsigned char>(*c);
  return sum % 4 == 0;
}

} // namespace

std::string everyday_compiler() {
  static bool first = true;
  const bool optimised = std::getenv("ACHD_SWEEP") || (first && in_turn());
  first = false;
  return optimised ? "cc -std=c99 -O1" : "cc -std=c99 -O0";
}

Compiled::Compiled(const Generator &g, const std::string &name, const std::string &compiler)
    : Program(g) {
  command = compile_filters(g, layout_path, folder, name, {{"achd", &names}}, compiler) + " achd";
}

Table Compiled::run(const Table &in) {
  return run_filter(command, in);
}

OnBoard::OnBoard(const Generator &g, const std::string &name, const std::string &board_name)
    : Program(g), board(board_name) {
  const std::string source =
      folder.write("filter.c", "#include \"emitted.h\"\n#include \"filter.h\"\n" +
                                   filter_text(names, name, "achd"));
  std::string err;
  const auto set = [](const std::string &variable, const std::string &value) {
    return " " + shell_quoted(variable + "=" + value);
  };
  if (run_command("make -s -C " ACHD_SOURCE_DIR "/docs/examples/firmware" + set("BOARD", board) +
                      set("BUILD", folder.path) +
                      set("ACHDGEN", std::filesystem::absolute(g.achdgen)) +
                      set("URDF", std::filesystem::absolute(g.urdf)) + set("LAYOUT", layout_path) +
                      set("SOLVER", folder.path + "/emitted") + set("FLAGS", g.flags) +
                      set("SOURCES", source +
                                         " " ACHD_SOURCE_DIR
                                         "/tests/emitted/firmware/fault.c semihost.c startup.c " +
                                         folder.path + "/emitted.c") +
                      set("OPTIMIZE", std::getenv("ACHD_SWEEP") ? "-O2" : "-O1") +
                      set("DEFINES", "-I" ACHD_SOURCE_DIR "/tests/emitted/firmware"),
                  nullptr, &err) != 0)
    throw std::runtime_error("for the board: " + err.substr(0, 2000));
}

Table OnBoard::run(const Table &in) {
  std::string states;
  for (const auto &row : in)
    for (const double x : row) {
      const auto number = float(x);
      states.append(reinterpret_cast<const char *>(&number), sizeof number);
    }
  folder.write("states.bin", states);
  std::string err;
  if (run_command("cd " + shell_quoted(folder.path) + " && timeout 300 qemu-system-arm -M " +
                      board +
                      " -nographic -monitor none -serial none"
                      " -semihosting-config enable=on,target=native -kernel firmware.elf",
                  nullptr, &err) != 0)
    throw std::runtime_error("on the board: " + err);
  const std::string answers = slurp(folder.path + "/answers.bin");
  if (answers.size() != in.size() * names.out.size() * sizeof(float))
    throw std::runtime_error("on the board: " + std::to_string(answers.size()) +
                             " bytes of answers");
  Table out(in.size(), std::vector<double>(names.out.size()));
  size_t at = 0;
  for (auto &row : out)
    for (double &x : row) {
      float number;
      std::memcpy(&number, answers.data() + at, sizeof number);
      x = number;
      at += sizeof number;
    }
  return out;
}

namespace {

Generator of_function(Generator g, const std::string &function) {
  g.flags += " --functions " + function;
  return g;
}

// One function of a header that has several; `executable` lives in `shared`.
class OneOfSeveral : public Program {
public:
  explicit OneOfSeveral(const Generator &g) : Program(g) {}
  Table run(const Table &in) override { return run_filter(command, in); }
  std::shared_ptr<TemporaryFolder> shared;
  std::string command;
};

} // namespace

Functions evaluated(const Generator &g, const std::vector<std::string> &functions) {
  Functions out;
  for (const std::string &function : functions)
    out[function] = std::make_unique<Evaluator>(of_function(g, function));
  return out;
}

Functions compiled(const Generator &g, const std::string &name,
                   const std::vector<std::string> &functions, const std::string &compiler) {
  std::map<std::string, std::unique_ptr<OneOfSeveral>> made;
  std::map<std::string, const Columns *> columns;
  for (const std::string &function : functions) {
    made[function] = std::make_unique<OneOfSeveral>(of_function(g, function));
    columns[function] = &made[function]->columns();
  }
  const auto shared = std::make_shared<TemporaryFolder>();
  const std::string executable =
      compile_filters(g, shared->write("layout.lua", g.layout), *shared, name, columns, compiler);
  Functions out;
  for (auto &entry : made) {
    entry.second->shared = shared;
    entry.second->command = executable + " " + entry.first;
    out[entry.first] = std::move(entry.second);
  }
  return out;
}

} // namespace oracle

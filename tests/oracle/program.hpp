/* SPDX-License-Identifier: MIT */
// program.hpp: the program under test, seen from outside: columns, then many states in one run, by
// the generator's evaluator or by the C that it emits and a compiler makes of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace oracle {

struct Column {
  std::string name, unit;
};

struct Columns {
  std::vector<Column> in, out;
  bool takes(const std::string &prefix) const { // an input whose name begins so
    for (const Column &column : in)
      if (column.name.compare(0, prefix.size(), prefix) == 0) return true;
    return false;
  }
};

// A row of numbers per state.
using Table = std::vector<std::vector<double>>;

// A folder of its own under $TMPDIR (or /tmp), removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string write(const std::string &file, const std::string &text) const; // returns its path
  std::string path;
};

// How to call the generator.
struct Generator {
  std::string achdgen;            // the program
  std::string urdf;               // path
  std::string layout;             // Lua text
  std::string flags = "--snap 0"; // more words, as a shell reads them
};

// Runs a command line; returns its exit code, and what it wrote.
int run_command(const std::string &command, std::string *out = nullptr, std::string *err = nullptr);
std::string shell_quoted(const std::string &word);

class Program {
public:
  virtual ~Program() = default;
  const Columns &columns() const { return names; }
  // Outputs of a state each, in the order of columns().out.
  virtual Table run(const Table &in) = 0;
  // Inputs by name in the order of the columns; throws naming a column that is not in the map.
  std::vector<double> arrange(const std::map<std::string, double> &in) const;
  int output(const std::string &name) const; // index; -1

protected:
  // Reads the columns; throws with the generator's message where it refuses.
  Program(const Generator &generator);
  Table run_filter(const std::string &command, const Table &in) const;
  Generator generator;
  TemporaryFolder folder;
  std::string layout_path;
  Columns names;
};

// `achdgen --eval`.
class Evaluator : public Program {
public:
  explicit Evaluator(const Generator &how) : Program(how) {}
  Table run(const Table &in) override;
};

// The emitted header, in a small C program written from the columns by the naming rule of the
// README, compiled by `compiler` (default: everyday_compiler()). Its runs fail where achd and its twin
// that takes sines and cosines differ by a bit.
class Compiled : public Program {
public:
  Compiled(const Generator &generator, const std::string &name, const std::string &compiler = "");
  Table run(const Table &in) override;

private:
  std::string command;
};

// The float header on an emulated board (mps2-an386: Cortex-M4F, mps2-an500: Cortex-M7), without a
// C library: built by the Makefile of docs/examples/firmware, states and answers in files of
// floats.
class OnBoard : public Program {
public:
  OnBoard(const Generator &generator, const std::string &name, const std::string &board);
  Table run(const Table &in) override;

private:
  std::string board;
};

// A C compiler with its flags. What the numbers are needs no optimiser, and compiling takes most of
// the time of a test: -O1 for the first program of every fourth test, else -O0; -O1 for all in a sweep.
std::string everyday_compiler();

// Programs by function, `--functions` of the generator: each by the evaluator, or all out of one
// header and one executable (with their twins).
using Functions = std::map<std::string, std::unique_ptr<Program>>;
Functions evaluated(const Generator &generator, const std::vector<std::string> &functions);
Functions compiled(const Generator &generator, const std::string &name,
                   const std::vector<std::string> &functions, const std::string &compiler = "");

// The struct field of a column: "b.tool.lin_x" -> "b[GEN3_TOOL_LIN_X]", "push.lin_x" ->
// "push.lin[0]". On a moving base the velocity of joint i is number NAME_NB + i.
std::string field(const std::string &column, const std::string &name, bool moving_base);

} // namespace oracle

/* SPDX-License-Identifier: MIT */
#include "loaded.hpp"

#include <dlfcn.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

using oracle::Column;
using oracle::run_command;
using oracle::shell_quoted;

void write_file(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string must_run(const std::string &command) {
  std::string out, err;
  if (run_command(command, &out, &err) != 0)
    throw std::runtime_error(command + "\n" + err.substr(0, 2000));
  return out;
}

std::string upper(std::string text) {
  for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string base_name(const std::string &path) {
  return path.substr(path.find_last_of('/') + 1);
}

// What the shared object shows to the outside. The functions' own time is all that differs: a batch
// is the loop that a caller would write. State i is i % K of struct i / K.
std::string calls(const Emitted &e) {
  const bool many = e.at_once > 1, moving = e.columns.takes("base.");
  const std::string f = e.name + "_" + e.function + (many ? "_batch" : ""), in = f + "_in",
                    out = f + "_out", which = many ? "[i % K]" : "";
  const auto solve = [&](const std::string &from) {
    return "    " + out + " out;\n    unsigned status[K];\n    " +
           (many ? f + "(" + from + ", &out, status);\n"
                 : "status[0] = " + f + "(" + from + ", &out);\n");
  };
  std::string c = "#include <stdlib.h>\n#include \"" + base_name(e.stem) +
                  ".h\"\n"
                  "#define SHOWN __attribute__((visibility(\"default\")))\n"
                  "enum { K = " +
                  std::to_string(e.at_once) +
                  " };\n"
                  "SHOWN void *make_states(const double *x, long count) {\n  " +
                  in + " *states = calloc((size_t)(count + K - 1) / K, sizeof *states);\n" +
                  "  for (long i = 0; states && i < count; i++) {\n    " + in +
                  " *in = &states[i / K];\n";
  for (const Column &column : e.columns.in)
    c += "    in->" + oracle::field(column.name, e.name, moving) + which + " = (" + e.name +
         "_real)*x++;\n";
  c += "  }\n  return states;\n}\n"
       "SHOWN void free_states(void *states) { free(states); }\n"
       "SHOWN void one(const void *states, long i, double *x) {\n" +
       solve("(const " + in + " *)states + i / K") + "    (void)status;\n";
  std::string sum; // consumed by batch()
  for (const Column &column : e.columns.out) {
    const bool status = column.name == "status";
    const std::string value =
        status ? "status[i % K]" : "out." + oracle::field(column.name, e.name, moving) + which;
    if (!status && sum.empty()) sum = value;
    c += "    *x++ = (double)" + value + ";\n";
  }
  return c + "}\nSHOWN double batch(const void *states, long count) {\n  const " + in +
         " *in = states;\n  double sum = 0;\n  for (long i = 0; i < count; i += K) {\n" +
         solve("&in[i / K]") + "    sum += (double)status[0];\n    sum += (double)" + sum +
         ";\n  }\n  return sum;\n}\n";
}

} // namespace

Emitted::Emitted(const oracle::Generator &how, const std::string &prefix, const std::string &which,
                 const std::string &where, int states)
    : generator(how), name(prefix), function(which), stem(where), at_once(states) {
  write_file(stem + ".lua", generator.layout);
  const std::string command = shell_quoted(generator.achdgen) + " " + shell_quoted(generator.urdf) +
                              " --layout " + shell_quoted(stem + ".lua") + " --functions " +
                              function + " " + generator.flags;
  const std::string batch = at_once > 1 ? " --batch " + std::to_string(at_once) : "";
  must_run(command + batch + " --no-prove -o " + shell_quoted(stem + ".h"));
  std::istringstream lines(must_run(command + " --columns"));
  std::string side, unit;
  for (Column column; lines >> side >> column.name && std::getline(lines, unit);)
    (side == "in" ? columns.in : columns.out).push_back(column);
  const std::string inspected = must_run(command + " --inspect");
  const size_t at = inspected.find("operations ("), colon = inspected.find("): ", at);
  if (at == std::string::npos || colon == std::string::npos)
    throw std::runtime_error("--inspect names no operations");
  operations = std::atoi(inspected.c_str() + colon + 3);
  write_file(stem + "_body.c", "#define " + upper(name) + "_IMPLEMENTATION\n#include \"" +
                                   base_name(stem) + ".h\"\n");
  write_file(stem + "_call.c", calls(*this));
}

Loaded::Loaded(const Emitted &e, const std::string &compiler, const std::string &tag)
    : names(e.columns) {
  const std::string stem = e.stem + "." + tag;
  const std::string shared = " -fPIC -fvisibility=hidden -w -c ";
  // Hidden and position independent is what an executable of today's distributions gets, too. No
  // -std: with -std=c99 gcc fuses no products and sums, and a user's gcc does.
  must_run(compiler + shared + shell_quoted(e.stem + "_body.c") + " -o " +
           shell_quoted(stem + "_body.o"));
  must_run("cc -O2" + shared + shell_quoted(e.stem + "_call.c") + " -o " +
           shell_quoted(stem + "_call.o"));
  must_run("cc -shared " + shell_quoted(stem + "_body.o") + " " + shell_quoted(stem + "_call.o") +
           " -o " + shell_quoted(stem + ".so") + " -lm");
  std::istringstream symbols(
      must_run("nm -S -t d --defined-only " + shell_quoted(stem + "_body.o")));
  for (std::string line; std::getline(symbols, line);) {
    std::istringstream words(line);
    std::string address, type;
    long size;
    if (words >> address >> size >> type && (type == "T" || type == "t")) bytes += size;
  }
  handle = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw std::runtime_error(dlerror());
  const auto find = [&](const char *symbol) {
    void *found = dlsym(handle, symbol);
    if (!found) throw std::runtime_error(dlerror());
    return found;
  };
  call_batch = reinterpret_cast<decltype(call_batch)>(find("batch"));
  call_one = reinterpret_cast<decltype(call_one)>(find("one"));
  make_states = reinterpret_cast<decltype(make_states)>(find("make_states"));
  free_states = reinterpret_cast<decltype(free_states)>(find("free_states"));
}

Loaded::~Loaded() {
  if (states) free_states(states);
  if (handle) dlclose(handle);
}

void Loaded::load(const oracle::Table &in) {
  std::vector<double> flat;
  for (const auto &row : in) flat.insert(flat.end(), row.begin(), row.end());
  if (states) free_states(states);
  states = make_states(flat.data(), long(in.size()));
  count = long(in.size());
}

std::vector<double> Loaded::result(size_t i) const {
  std::vector<double> out(names.out.size());
  call_one(states, long(i), out.data());
  return out;
}

} // namespace bench

/* SPDX-License-Identifier: MIT */
// loaded.hpp: a function that achdgen emits, compiled with given flags into a shared object and
// called from here: in memory, without text in between.
#pragma once

#include "oracle/program.hpp"

namespace bench {

// A header and the pieces around it, in a folder that stays.
struct Emitted {
  oracle::Generator generator;
  std::string name;     // prefix of what is emitted
  std::string function; // achd, id, ...
  std::string stem;     // path and beginning of the files' names: DIR/gen3_achd_6
  int at_once = 1;      // more: the batch function, of so many states at a time
  oracle::Columns columns;
  int operations = 0; // + - * /, as --inspect says

  // Writes STEM.lua, STEM.h, STEM_body.c (the bodies) and STEM_call.c (arrays of its structs).
  Emitted(const oracle::Generator &generator, const std::string &name, const std::string &function,
          const std::string &stem, int at_once = 1);
};

class Loaded {
public:
  // `compiler` as a shell reads it: "gcc -O2". Only the header's own bodies see its flags. `tag`
  // sets files apart. Throws with the compiler's words.
  Loaded(const Emitted &emitted, const std::string &compiler, const std::string &tag);
  ~Loaded();
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;

  const oracle::Columns &columns() const { return names; }
  long code_bytes() const { return bytes; } // of the functions' code

  // States to solve, in the order of columns().in.
  void load(const oracle::Table &in);
  // Solves them all, one after another; the sum of something of every result.
  double batch() const { return call_batch(states, count); }
  // One of them: in the order of columns().out, status last or where it stands.
  std::vector<double> result(size_t i) const;

private:
  oracle::Columns names;
  void *handle = nullptr;
  long bytes = 0;
  void *states = nullptr;
  long count = 0;
  double (*call_batch)(const void *states, long count) = nullptr;
  void (*call_one)(const void *states, long i, double *out) = nullptr;
  void *(*make_states)(const double *in, long count) = nullptr;
  void (*free_states)(void *states) = nullptr;
};

} // namespace bench

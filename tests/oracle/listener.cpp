/* SPDX-License-Identifier: MIT */
#include "oracle/listener.hpp"

#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace oracle {

Listener::Listener(const Generator &how) : Program(how) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) throw std::runtime_error("no pipe");
  child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    dup2(there[0], 0);
    dup2(back[1], 1);
    for (const int end : {there[0], there[1], back[0], back[1]}) close(end);
    const std::string command = "exec " + shell_quoted(how.achdgen) + " " + shell_quoted(how.urdf) +
                                " --layout " + shell_quoted(layout_path) + " " + how.flags +
                                " --eval";
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  close(there[0]);
  close(back[1]);
  fcntl(there[1], F_SETFD, FD_CLOEXEC); // other children must not hold it open
  fcntl(back[0], F_SETFD, FD_CLOEXEC);
  to = fdopen(there[1], "w");
  from = fdopen(back[0], "r");
}

Listener::~Listener() {
  fclose(to);
  fclose(from);
  waitpid(child, nullptr, 0);
  free(line);
}

Table Listener::run(const Table &in) {
  Table out;
  const size_t ahead = 8; // more would fill both pipes
  for (size_t s = 0; s < in.size() + ahead; s++) {
    if (s < in.size()) {
      for (const double x : in[s]) std::fprintf(to, "%.17g ", x);
      std::fputc('\n', to);
      if (std::fflush(to)) throw std::runtime_error("achdgen --eval does not listen");
    }
    if (s >= ahead && out.size() < in.size()) out.push_back(answer());
  }
  return out;
}

std::vector<double> Listener::answer() {
  if (getline(&line, &size, from) < 0) throw std::runtime_error("achdgen --eval gives no answer");
  std::vector<double> row(names.out.size());
  const char *at = line;
  for (double &x : row) {
    char *end;
    x = std::strtod(at, &end);
    if (end == at) throw std::runtime_error("too few numbers: " + std::string(line));
    at = end;
  }
  return row;
}

} // namespace oracle

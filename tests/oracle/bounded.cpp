/* SPDX-License-Identifier: MIT */
#include "bounded.hpp"

#include <stdexcept>

namespace oracle {

namespace {

std::string upper(std::string text) {
  for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// C that solves the lines of standard input, warm from line to line.
std::string filter(const Columns &names, const std::string &name, int nj,
                   const std::vector<std::string> &more) {
  const std::string n = name + "_", big = upper(name) + "_";
  std::string c = "#include <stdio.h>\n#include <string.h>\n#include <achd/mclp.h>\n#define " +
                  big +
                  "IMPLEMENTATION\n#include \"emitted.h\"\n"
                  "static void print(const double *x, int count) {\n"
                  "  for (int i = 0; i < count; i++) printf(\"%.17g \", x[i]);\n}\n"
                  "int main(void) {\n  static double work[ACHD_MCLP_WORK(" +
                  big + "NR)];\n  static signed char side[" + big + "NR];\n  static " + n +
                  "achd_in in;\n  double x;\n  while (scanf(\"%lf\", &x) == 1) {\n    " + n +
                  "mclp_out p;\n    " + n + "achd_out out;\n    double nu[" + big +
                  "NR];\n    achd_mclp_report report;\n";
  const auto joints = [&](const char *block) { // a body without joints has none of them
    return nj ? "    print(out." + std::string(block) + ", " + big + "NJ);\n" : std::string();
  };
  for (size_t i = 0; i < names.in.size(); i++) {
    if (i > 0) c += "    if (scanf(\"%lf\", &x) != 1) return 2;\n";
    c += "    in." + field(names.in[i].name, name, names.takes("base.")) + " = x;\n";
  }
  c += "    memset(&out, 0xa5, sizeof out);\n    unsigned status = (unsigned)" + n +
       "mclp(&in, &p);\n    const achd_mclp_problem problem = {" + big +
       "NR, p.L, p.r, p.lo, p.hi};\n    const achd_mclp_status solved =\n"
       "        achd_mclp(&problem, nu, side, 0, work, &report);\n    status |= (unsigned)" +
       n +
       "apply(&in, &p, nu, &out);\n    printf(\"%u %d %d %.17g \", status, (int)solved, "
       "report.pivots, report.residual);\n" +
       joints("qdd") + "    print(out.nu, " + big + "NR);\n" + joints("tau_ctrl") +
       "    print(p.L, " + big + "NR * (" + big + "NR + 1) / 2);\n    print(p.r, " + big +
       "NR);\n    print(p.lo, " + big + "NR);\n    print(p.hi, " + big +
       "NR);\n    for (int j = 0; j < " + big + "NR; j++) printf(\"%d \", side[j]);\n";
  for (const std::string &one : more)
    c += "    print(&out." + field(one, name, names.takes("base.")) + ", 1);\n";
  return c + "    printf(\"\\n\");\n  }\n  return 0;\n}\n";
}

} // namespace

BoundedProgram::BoundedProgram(const Generator &g, const std::string &name, int nj, int nr,
                               const std::vector<std::string> &more)
    : Program(g), joints(nj), rows(nr) {
  names.out.clear();
  for (const char *one : {"status", "solver", "pivots", "report"}) names.out.push_back({one, "1"});
  const auto add = [&](const std::string &block, int count) {
    for (int i = 0; i < count; i++) names.out.push_back({block + "." + std::to_string(i), "1"});
  };
  add("qdd", joints), add("nu", rows), add("tau_ctrl", joints);
  add("L", rows * (rows + 1) / 2), add("r", rows), add("lo", rows), add("hi", rows);
  add("side", rows);
  for (const std::string &one : more) names.out.push_back({one, "1"});

  std::string err;
  const std::string runtime = ACHD_SOURCE_DIR "/runtime";
  if (run_command(shell_quoted(g.achdgen) + " " + shell_quoted(g.urdf) + " --layout " +
                      shell_quoted(layout_path) + " " + g.flags + " -o " +
                      shell_quoted(folder.path + "/emitted.h"),
                  nullptr, &err) != 0)
    throw std::runtime_error(err);
  folder.write("main.c", filter(names, name, nj, more));
  if (run_command(everyday_compiler() + " -Wall -Wextra -Werror -I" + shell_quoted(runtime) + " " +
                      shell_quoted(folder.path + "/main.c") + " " + shell_quoted(runtime) +
                      "/mclp.c " + shell_quoted(runtime) + "/least_norm.c -o " +
                      shell_quoted(folder.path + "/main") + " -lm",
                  nullptr, &err) != 0)
    throw std::runtime_error("the compiler: " + err.substr(0, 2000));
  command = shell_quoted(folder.path + "/main");
}

Vec BoundedProgram::block(const std::vector<double> &line, const std::string &first,
                          int count) const {
  const int at = output(first + (first.find('.') == std::string::npos ? ".0" : ""));
  Vec v(count);
  for (int i = 0; i < count; i++) v[i] = line[size_t(at + i)];
  return v;
}

Mat BoundedProgram::coupling(const std::vector<double> &line) const {
  const Vec packed = block(line, "L", rows * (rows + 1) / 2);
  Mat L(rows, rows);
  for (int i = 0, k = 0; i < rows; i++)
    for (int j = 0; j <= i; j++, k++) L(i, j) = L(j, i) = packed[k];
  return L;
}

} // namespace oracle

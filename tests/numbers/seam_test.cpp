/* SPDX-License-Identifier: MIT */
// seam_test.cpp: the seam of the null-space formulation ("null"): where its null-space solve gives way to the
// general solve. Between a state that takes the null-space solve and one that does not, a pair of neighbours
// is bisected, one on each side; around it stand states at distances from 1e-12 to 1e-3, some with
// rows masked. A dense system in long double judges each, whichever way it went:
//   - several motions left free (columns held out), several groups, trees, a floating base, sliding
//     joints, float, and batches, which take the null-space solve only where all of them may;
//   - the way is seen from outside: the general solve alone gives the very bits or others;
//   - the null-space solve is for all masks 1 and a least pivot above the seam, and for no other state.
// ACHD_SWEEP=1: 1.5e6 states. --states N: pairs of neighbours by case. --run share: how often it goes the
// null-space solve. Other arguments: oracle/arguments.hpp.
#include <algorithm>
#include <stdexcept>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/listener.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

using Numbers = std::vector<double>;

struct Case {
  std::string title, urdf;
  LayoutSpec spec;
  bool single = false;
  int batch = 0;     // > 0: the header compiled, with batches of so many
  bool more = false; // in a sweep only
};

const std::vector<std::string> lin = {"lin_x", "lin_y", "lin_z"}, ang = {"ang_x", "ang_y", "ang_z"},
                               six = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"},
                               five = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y"},
                               four = {"lin_x", "lin_y", "lin_z", "ang_z"};

GroupSpec rows_at(const std::string &frame, const std::vector<std::string> &rows) {
  GroupSpec group;
  group.name = "at_" + frame;
  group.frame = frame;
  group.rows = rows;
  group.maskable = true;
  return group;
}

Case make(const std::string &title, const std::string &urdf, const std::vector<GroupSpec> &groups,
          double threshold = 1e-6) {
  Case c{title, urdf, LayoutSpec(), false, 0, false};
  c.spec.groups = groups;
  c.spec.threshold = threshold;
  c.spec.armature_input = c.spec.tau_art = true;
  c.spec.outputs = {"qdd", "nu", "tau_ctrl", "pivot_min"};
  return c;
}

Case in_a_sweep(Case c) {
  c.more = true;
  return c;
}

Case in_float(Case c) {
  c.title += ", float";
  c.single = true;
  c.spec.threshold = 1e-5;
  return c;
}

Case in_batches(Case c, int batch) {
  c.title += ", batch";
  c.batch = batch;
  return c;
}

std::vector<Case> cases() {
  GroupSpec place = rows_at("end_effector_link", lin), turn = rows_at("end_effector_link", ang);
  place.name = "place";
  turn.name = "turn";
  turn.axes = Axes::link;
  turn.physical = place.classical = false;
  GroupSpec elbow = rows_at("right_link_4", {"lin_z"});
  elbow.physical = true;
  const std::vector<GroupSpec> hands = {rows_at("left_hand", six), rows_at("right_hand", six),
                                        elbow};
  std::vector<GroupSpec> feet;
  for (const char *foot : {"fl_foot", "fr_foot", "rl_foot", "rr_foot"}) {
    feet.push_back(rows_at(foot, lin));
    feet.back().physical = true;
  }
  Case quadruped = make("quadruped", "quadruped.urdf", feet);
  quadruped.spec.selection.base = Base::floating;
  const Case gen3_6dof_five =
      make("gen3_6dof, five rows", "gen3_6dof.urdf", {rows_at("tool_frame", five)});
  const Case arms = make("two arms", "two_arms.urdf", hands);
  return {
      make("gen3, six rows", "gen3.urdf", {rows_at("end_effector_link", six)}),
      in_a_sweep(make("iiwa7, six rows", "iiwa7.urdf", {rows_at("iiwa_link_ee", six)})),
      make("iiwa7, six rows, 1e-9", "iiwa7.urdf", {rows_at("iiwa_link_ee", six)}, 1e-9),
      in_a_sweep(make("lwr4, six rows", "lwr4.urdf", {rows_at("lwr_7_link", six)})),
      in_a_sweep(make("lwr4, six rows, 1e-9", "lwr4.urdf", {rows_at("lwr_7_link", six)}, 1e-9)),
      make("gen3_6dof, six rows", "gen3_6dof.urdf", {rows_at("tool_frame", six)}),
      in_a_sweep(
          make("gen3_6dof, six rows, 1e-9", "gen3_6dof.urdf", {rows_at("tool_frame", six)}, 1e-9)),
      make("youbot_arm, five rows", "youbot_arm.urdf", {rows_at("gripper_palm_link", five)}),
      gen3_6dof_five,
      in_a_sweep(make("iiwa7, five rows", "iiwa7.urdf", {rows_at("iiwa_link_ee", five)})),
      make("lwr4, four rows", "lwr4.urdf", {rows_at("lwr_7_link", four)}),
      make("gen3, two groups", "gen3.urdf", {place, turn}),
      arms,
      quadruped,
      in_a_sweep(in_float(gen3_6dof_five)),
      in_float(arms),
      in_batches(gen3_6dof_five, 4),
      in_a_sweep(in_batches(arms, 4)),
      in_a_sweep(in_batches(quadruped, 2)),
  };
}

// ---- programs ----

std::string flags_of(const Case &c, const std::string &formulation) {
  return "--snap 0 --formulation " + formulation + (c.single ? " --real float" : "");
}

// Few states are computed, so that what is compiled fastest is taken. Vectors that the processor does not have, gcc
// takes apart element by element, which takes seven times as long.
std::string compiler() {
  std::string cc = std::getenv("ACHD_SWEEP") ? "cc -std=c99 -O1" : "cc -std=c99 -O0";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) cc += " -mavx2";
#endif
  return cc;
}

// The header, compiled: a batch's results, then the plain function's answers, in the columns' order.
class Batches : public Program {
public:
  Batches(const Generator &g, const std::string &name, int batch) : Program(g) {
    std::string upper = name;
    for (char &letter : upper) letter = char(std::toupper(static_cast<unsigned char>(letter)));
    const std::string header = folder.path + "/batch.h", main = folder.path + "/main.c";
    std::string err;
    if (run_command(shell_quoted(g.achdgen) + " " + shell_quoted(g.urdf) + " --layout " +
                        shell_quoted(layout_path) + " " + g.flags +
                        " --no-prove --functions achd --batch " + std::to_string(batch) + " -o " +
                        shell_quoted(header),
                    nullptr, &err) != 0)
      throw std::runtime_error(err);
    folder.write(
        "main.c",
        "#define " + upper +
            "_IMPLEMENTATION\n#include \"batch.h\"\n"
            "#include <stdio.h>\n"
            "typedef " +
            name + "_achd_in one_in;\ntypedef " + name +
            "_achd_out one_out;\n"
            "static " +
            name + "_achd_batch_in in;\nstatic " + name +
            "_achd_batch_out out;\n"
            "enum { K = " +
            std::to_string(batch) +
            ", IN = sizeof(one_in) / sizeof(double),\n"
            "       OUT = sizeof(one_out) / sizeof(double) };\n"
            "int main(void) {\n"
            "  static double one[K][IN];\n  static one_out plain[K];\n  " +
            name +
            "_status alone[K], status[K];\n"
            "  for (;;) {\n"
            "    for (int k = 0; k < K; k++) {\n"
            "      for (int e = 0; e < IN; e++) {\n"
            "        if (scanf(\"%lf\", &one[k][e]) != 1) return k + e > 0;\n"
            "        ((double *)&in)[e * K + k] = one[k][e];\n      }\n"
            "      alone[k] = " +
            name +
            "_achd((const one_in *)one[k], &plain[k]);\n    }\n"
            "    " +
            name +
            "_achd_batch(&in, &out, status);\n"
            "    for (int k = 0; k < K; k++) {\n"
            "      for (int e = 0; e < OUT; e++) printf(\"%.17g \", ((double *)&out)[e * K + k]);\n"
            "      printf(\"%u \", (unsigned)status[k]);\n"
            "      for (int e = 0; e < OUT; e++) printf(\"%.17g \", ((double *)&plain[k])[e]);\n"
            "      printf(\"%u\\n\", (unsigned)alone[k]);\n    }\n  }\n}\n");
    if (run_command(compiler() + " -ffp-contract=off " + shell_quoted(main) + " -o " +
                        shell_quoted(folder.path + "/main") + " -lm",
                    nullptr, &err) != 0)
      throw std::runtime_error("the compiler: " + err.substr(0, 2000));
    const std::vector<Column> plain = names.out; // then the lines are twice as long
    names.out.insert(names.out.end(), plain.begin(), plain.end());
  }
  Table run(const Table &in) override {
    return run_filter(shell_quoted(folder.path + "/main"), in);
  }
};

// ---- one case ----

// Errors and how the states went, of one side.
struct Side {
  int states = 0;
  double worst = 0, share = 0; // error; error of what is allowed
};

class Seam {
public:
  Seam(const Case &given, const Arguments &arguments)
      : c(given), robot(read_urdf(arguments.robots + "/" + c.urdf, c.spec.selection)),
        urdf(arguments.robots + "/" + c.urdf), achdgen(arguments.achdgen),
        fast({achdgen, urdf, lua(c.spec), flags_of(c, "null")}),
        pivot(size_t(fast.output("pivot_min"))), status(size_t(fast.output("status"))),
        level(std::max(1e3 * c.spec.threshold, std::sqrt(c.spec.threshold))) {
    for (size_t i = 0; i < fast.columns().in.size(); i++) {
      if (fast.columns().in[i].name.compare(0, 2, "q.") == 0) positions.push_back(i);
      if (fast.columns().in[i].name.compare(0, 5, "mask.") == 0) masks.push_back(i);
    }
    range.state.armature = 0.6;
    range.masked = 0;
    choose_general();
  }

  int run(int pairs, int crowd);
  int share(
      int states); // that take the null-space solve, beside what the generator says (seam_mutants.sh)

private:
  struct Pair { // neighbours on both sides
    Sample sample;
    Numbers above, below;
  };

  Sample draw() {
    Sample sample = random_sample(robot, c.spec, random, range);
    if (c.single) round_to_float(sample);
    return sample;
  }
  void round_to_float(Sample &sample) const;
  Numbers inputs(const Sample &sample) const {
    Numbers in = fast.arrange(input_columns(robot, c.spec, sample));
    return in;
  }
  void choose_general();
  Table run_general(const Table &in);
  bool same(const Numbers &x, const Numbers &y, size_t from = 0) const;
  std::vector<bool> went_fast(const Table &in, Table *out = nullptr);
  std::vector<Pair> find(int count);
  void narrow(std::vector<Pair> &pairs, int parts);
  void judge(const Pair &pair, const Table &in, const Table &out, const std::vector<bool> &way);
  Expected undamped(const Sample &sample, const Expected &damped_one);
  double allowed(const Expected &expected, bool fast_way, double least) const;
  void judge_batches(const Table &in, const Table &mine, const Table &theirs,
                     const std::vector<bool> &way);
  Table around(const Pair &pair, int crowd);
  void judge_mask(const Pair &pair);
  double slack() const { return c.single ? 1e-4 : 1e-9; } // of pivots, relative
  void fault(const char *what, double value) {
    if (bad++ < 3) std::printf("  BAD %s: %s (%.3g)\n", c.title.c_str(), what, value);
  }

  const Case c;
  const Robot robot;
  const std::string urdf, achdgen;
  Listener fast;
  std::unique_ptr<Listener> general;
  std::unique_ptr<Batches> compiled;
  std::string general_name;
  TemporaryFolder layout_file;
  const size_t pivot, status;
  const double level;
  std::vector<size_t> positions, masks;
  Random random{7};
  SampleRange range;
  Side sides[2]; // general, fast
  int bad = 0, masked = 0, by_product = 0, left_out = 0, mixed = 0, together = 0, damped = 0,
      thin = 0;
  double thinnest = 1; // least pivot of L where the null-space solve goes on, beside the threshold
};

// In float, a base's orientation apart: its norm is to be 1.
void Seam::round_to_float(Sample &sample) const {
  const auto rounded = [](auto &&x) { x = x.template cast<float>().template cast<real>().eval(); };
  rounded(sample.state.q);
  rounded(sample.state.qd);
  rounded(sample.state.gravity);
  rounded(sample.state.armature);
  rounded(sample.tau_art);
  for (Vec &b : sample.b) rounded(b);
}

// What the general solve alone says. It is asked without the least pivot: that is of the rows' own equations (docs/layouts.md), whose
// motions of bodies the solve would share, and round otherwise.
Table Seam::run_general(const Table &in) {
  Table out = general->run(in);
  for (Numbers &row : out) row.insert(row.begin() + std::ptrdiff_t(pivot), 0);
  return out;
}

// The general solve is that of joint space or the recursion, whichever has fewer operations: the one
// that gives the same bits where a row is masked.
void Seam::choose_general() {
  Table in;
  for (int k = 0; k < 4; k++) {
    in.push_back(inputs(draw()));
    in.back()[masks[0]] = 0;
  }
  const Table mine = fast.run(in);
  LayoutSpec without_pivot = c.spec;
  without_pivot.outputs = {"qdd", "nu", "tau_ctrl"};
  for (const char *name : {"joint", "recursion"}) {
    general =
        std::make_unique<Listener>(Generator{achdgen, urdf, lua(without_pivot), flags_of(c, name)});
    general_name = name;
    const Table theirs = run_general(in);
    bool all = true;
    for (size_t s = 0; s < in.size(); s++) all = all && same(mine[s], theirs[s]);
    if (all) return;
  }
  throw std::runtime_error("a masked row leads to neither joint space nor the recursion");
}

// Bits, the least pivot and signs of zeros apart.
bool Seam::same(const Numbers &x, const Numbers &y, size_t from) const {
  for (size_t i = 0; i < y.size(); i++)
    if (i != pivot && x[from + i] != y[i]) return false;
  return true;
}

std::vector<bool> Seam::went_fast(const Table &in, Table *out) {
  Table mine = fast.run(in);
  const Table theirs = run_general(in);
  std::vector<bool> way(in.size());
  for (size_t s = 0; s < in.size(); s++) way[s] = !same(mine[s], theirs[s]);
  if (out) *out = std::move(mine);
  return way;
}

// On the way from a state at random to one with one or two joints at 0 (an elbow, a knee, a wrist
// straight), where the function changes between its ways.
std::vector<Seam::Pair> Seam::find(int count) {
  std::vector<Pair> pairs;
  const int parts = 50, most = 2000 * count, steps = c.single ? 4 : 7;
  for (int tried = 0; int(pairs.size()) < count && tried < most; tried += count) {
    std::vector<Pair> more;
    for (int i = 0; i < count; i++) {
      Pair pair;
      pair.sample = draw();
      pair.above = pair.below = inputs(pair.sample);
      for (int k = 1 + random.below(2); k > 0; k--)
        pair.below[positions[size_t(random.below(int(positions.size())))]] = 0;
      more.push_back(pair);
    }
    for (int step = 0; step < steps; step++) narrow(more, parts);
    for (Pair &pair : more) pairs.push_back(std::move(pair));
  }
  if (int(pairs.size()) > count) pairs.resize(size_t(count));
  return pairs;
}

// Keeps of each pair the first two of some points between them that go different ways; none, no pair.
void Seam::narrow(std::vector<Pair> &pairs, int parts) {
  Table at;
  for (const Pair &pair : pairs)
    for (int k = 0; k <= parts; k++) {
      at.push_back(pair.above);
      for (const size_t i : positions) {
        double &q = at.back()[i];
        q = k == parts ? pair.below[i] : q + (pair.below[i] - q) * k / parts;
        if (c.single) q = double(float(q));
      }
    }
  const std::vector<bool> way = went_fast(at);
  std::vector<Pair> kept;
  for (size_t p = 0; p < pairs.size(); p++) {
    const size_t first = p * size_t(parts + 1), last = first + size_t(parts);
    size_t k = first;
    while (k < last && way[k] == way[k + 1]) k++;
    if (k == last) continue;
    kept.push_back(pairs[p]);
    kept.back().above = at[way[k] ? k : k + 1];
    kept.back().below = at[way[k] ? k + 1 : k];
  }
  pairs = std::move(kept);
}

// Relative errors: roundings magnified by what the way divides by.
double Seam::allowed(const Expected &expected, bool fast_way, double least) const {
  const double rounding = c.single ? 0x1p-24 : 0x1p-53;
  if (fast_way) return 1000 * rounding / least;
  return c.single ? 500 * rounding * policy_condition(expected) : policy_tolerance(expected);
}

// Pivots of the rows' system L may be below the threshold, by the condition of M, where those of the
// Jacobian are at the seam, a thousandfold of it. The null-space solve solves exactly what the general one damps.
Expected Seam::undamped(const Sample &sample, const Expected &damped_one) {
  thin++;
  thinnest = std::min(thinnest, double(damped_one.solution.pivot_min / c.spec.threshold));
  LayoutSpec exact = c.spec;
  exact.singularity = Policy::exact;
  return expect(robot, exact, sample);
}

// Every output against the dense system, by block; the way against masks and pivots.
void Seam::judge(const Pair &pair, const Table &in, const Table &out,
                 const std::vector<bool> &way) {
  for (size_t s = 0; s < in.size(); s++) {
    Sample sample = pair.sample;
    for (size_t k = 0; k < positions.size(); k++) sample.state.q[int(k)] = in[s][positions[k]];
    bool all = true;
    size_t m = 0;
    for (std::vector<int> &group : sample.mask)
      for (int &mask : group) {
        mask = in[s][masks[m++]] != 0;
        all = all && mask;
      }
    masked += !all;
    if (way[s] && !all) fault("the null-space solve with a row masked", out[s][pivot]);
    if (way[s] && !(out[s][pivot] > level * (1 - slack())))
      fault("the null-space solve below the seam", out[s][pivot] / level);
    if (all && !way[s] && out[s][pivot] > level * (1 + slack())) by_product++;
    Expected expected = expect(robot, c.spec, sample);
    if (way[s] && expected.solution.singular) expected = undamped(sample, expected);
    if (rounding_decides(expected)) {
      left_out++;
      continue;
    }
    damped += expected.solution.singular;
    std::map<std::string, std::pair<double, double>> blocks; // error, size
    for (size_t i = 0; i < out[s].size(); i++) {
      if (i == pivot || i == status) continue;
      const std::string &name = fast.columns().out[i].name;
      const real value = expected.columns.at(name);
      auto &block = blocks[name.substr(0, name.find('.'))];
      block.first = std::max(block.first, double(std::abs(out[s][i] - value)));
      block.second = std::max(block.second, double(std::abs(value)));
    }
    if (unsigned(out[s][status]) != unsigned(expected.columns.at("status")))
      fault("another status", out[s][status]);
    Side &side = sides[way[s]];
    side.states++;
    for (const auto &block : blocks) {
      if (block.second.second < 1e-6) continue;
      const double error = block.second.first / block.second.second;
      const double t = allowed(expected, way[s], out[s][pivot]);
      if (!(error < t))
        fault(way[s] ? "error of the null-space solve" : "error of the general solve", error);
      side.worst = std::max(side.worst, error);
      side.share = std::max(side.share, error / t);
    }
  }
}

// A batch takes the null-space solve where all its states may; its results are what the plain functions give.
void Seam::judge_batches(const Table &in, const Table &mine, const Table &theirs,
                         const std::vector<bool> &way) {
  const Table got = compiled->run(in);
  const size_t n = size_t(c.batch);
  for (size_t s = 0; s < in.size(); s++) {
    bool all = true, none = true;
    for (size_t k = s / n * n; k < s / n * n + n; k++) {
      all = all && way[k];
      none = none && !way[k];
    }
    mixed += !all && !none;
    together += all;
    if (!same(got[s], all ? mine[s] : theirs[s])) fault("in a batch", double(s % n));
    if (!same(got[s], mine[s], mine[s].size())) fault("the compiled function", double(s));
    if (got[s][pivot] != mine[s][pivot] || got[s][mine[s].size() + pivot] != mine[s][pivot])
      fault("the least pivot of the compiled function", got[s][pivot]);
  }
}

// The pair, and states at some distance of it.
Table Seam::around(const Pair &pair, int crowd) {
  Table in = {pair.above, pair.below};
  for (int k = 0; k < crowd; k++) {
    Numbers state = random.chance(0.5) ? pair.above : pair.below;
    const double off = random.log_uniform(c.single ? 1e-7 : 1e-12, 1e-3);
    for (const size_t i : positions) {
      state[i] += off * random.uniform(-1, 1);
      if (c.single) state[i] = double(float(state[i]));
    }
    if (random.chance(0.15)) // one row swings free, or several
      for (int n = 1 + random.below(3); n > 0; n--)
        state[masks[size_t(random.below(int(masks.size())))]] = 0;
    in.push_back(state);
  }
  if (c.batch > 0)
    while (in.size() % size_t(c.batch) != 0 || random.chance(0.5)) in.push_back(pair.above);
  return in;
}

// A mask that is neither 0 nor 1 is not for the null-space solve, whose rows all hold.
void Seam::judge_mask(const Pair &pair) {
  Table in = {pair.above};
  in[0][masks[size_t(random.below(int(masks.size())))]] = 0.5;
  Table out;
  if (went_fast(in, &out)[0]) fault("the null-space solve with half a row", out[0][pivot]);
  if (!(unsigned(out[0][status]) & BAD_INPUT)) fault("half a row is no bad input", out[0][status]);
}

int Seam::run(int count, int crowd) {
  if (c.batch > 0)
    compiled = std::make_unique<Batches>(Generator{achdgen, urdf, lua(c.spec), flags_of(c, "null")},
                                         c.spec.name, c.batch);
  int found = 0, at_pivot = 0;
  const int at_once = 50; // pairs
  for (int done = 0; done < count; done += at_once)
    for (const Pair &pair : find(std::min(at_once, count - done))) {
      found++;
      const Table in = around(pair, crowd);
      Table out;
      const std::vector<bool> way = went_fast(in, &out);
      if (!way[0] || way[1]) fault("the same state goes another way", 0);
      const double over = out[0][pivot] / level, under = out[1][pivot] / level;
      at_pivot += over > 1 - slack() && under <= 1 + slack();
      if (!(std::abs(over - under) < (c.single ? 1e-2 : 1e-6) * over))
        fault("the least pivot jumps at the seam", under / over);
      judge(pair, in, out, way);
      if (c.batch > 0) judge_batches(in, out, run_general(in), way);
      judge_mask(pair);
    }
  if (found < count / 2) fault("few pairs are found", found);
  if (at_pivot == 0) fault("no pair is at the least pivot", found);
  if (by_product == 0) fault("no state has several small pivots", found);
  if (masked == 0) fault("no state is masked", found);
  if (thinnest < 0.02) fault("a far smaller pivot of L than of the Jacobian", thinnest);
  std::printf("%s %s (beside %s), seam at %g: %d pairs, %d of them by the least pivot\n",
              bad ? "BAD" : "good", c.title.c_str(), general_name.c_str(), level, found, at_pivot);
  for (const bool of_fast : {true, false}) {
    const Side &side = sides[of_fast];
    std::printf("  %d %s: worst error %.1e, at most %.1e of what is allowed\n", side.states,
                of_fast ? "fast" : "general", side.worst, side.share);
  }
  std::printf("  %d masked, %d general for several small pivots, %d damped; %d exact that the "
              "general solve damps "
              "(pivots of L down to %.2g of the threshold); %d left out",
              masked, by_product, damped, thin, thinnest, left_out);
  if (c.batch) std::printf("; %d states in mixed batches, %d in fast ones", mixed, together);
  std::printf("\n");
  return bad;
}

// Of states with joints anywhere within their limits, no row masked; the generator asks 100 of its own.
int Seam::share(int states) {
  std::string said;
  run_command(shell_quoted(achdgen) + " " + shell_quoted(urdf) + " --layout " +
                  shell_quoted(layout_file.write("layout.lua", lua(c.spec))) + " " +
                  flags_of(c, "null") + " --eval </dev/null",
              nullptr, &said);
  const size_t at = said.find("share ");
  if (at == std::string::npos) throw std::runtime_error("the scripts tell no share: " + said);
  Table in;
  for (int s = 0; s < states; s++) {
    Sample sample = draw();
    for (int i = 0; i < robot.nd(); i++) {
      const Dof &dof = robot.dofs[size_t(i)];
      const Joint &joint = robot.links[size_t(dof.link)].joint;
      const double most = dof.prismatic ? 0.5 : M_PI;
      sample.state.q[i] =
          random.uniform(std::max(-most, double(joint.lower)), std::min(most, double(joint.upper)));
    }
    in.push_back(inputs(sample));
  }
  const std::vector<bool> way = went_fast(in);
  const double told = std::atof(said.c_str() + at + 6);
  const double seen = double(std::count(way.begin(), way.end(), true)) / states;
  std::printf("%s: %.2f, %.3f\n", c.title.c_str(), told, seen);
  if (std::abs(told - seen) > 0.12) fault("another share", told - seen);
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 10, 400);
  const bool all = arguments.states >= 400;
  int bad = 0;
  const std::vector<Case> list = cases();
  const bool one = std::any_of(list.begin(), list.end(),
                               [&](const Case &c) { return c.title == arguments.only; });
  InSample in_sample(arguments, 6);
  for (const Case &c : list) {
    if (one ? c.title != arguments.only : c.title.find(arguments.only) == std::string::npos)
      continue;
    if ((c.more && !all && !one) || !in_sample()) continue;
    try {
      Seam seam(c, arguments);
      bad += arguments.run == "share" ? seam.share(100 * arguments.states)
                                      : seam.run(arguments.states, all ? 200 : 12);
    } catch (const std::exception &error) {
      std::printf("  BAD %s: %s\n", c.title.c_str(), error.what());
      bad++;
    }
    std::fflush(stdout);
  }
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

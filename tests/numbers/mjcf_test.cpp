/* SPDX-License-Identifier: MIT */
// mjcf_test.cpp: what --mjcf prints has the dynamics of the generated functions. MuJoCo loads the
// model of each robot of a folder, with its layout and without; M, bias, forward and inverse
// dynamics equal `--eval` of crba, bias, fd and id to 1e-9, on random states, with contact, limits,
// dry friction, damping and equality constraints off and mimic joints by projection:
//   M' = T^T M T,  h' = T^T h,  v_mj = T v
//
//   mjcf_test --achdgen PROGRAM [--robots DIR] [--states N] [--only TEXT]   (oracle/arguments.hpp)
// With ACHD_SWEEP=1 also ../shared/robots and ../shared/corpus.tar.xz, where they are there.
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <Eigen/Dense>

#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/program.hpp"
#include "oracle/sample.hpp"
#include "oracle/states.hpp"

using namespace oracle;
namespace fs = std::filesystem;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
const double tolerance = 1e-9;

// A function of the family by --eval.
class Function {
public:
  Function(const std::string &command, const std::string &name, const std::string &folder)
      : call(command + " --functions " + name), folder(folder) {
    std::string out, err;
    if (run_command(call + " -q --columns", &out, &err) != 0) return;
    std::istringstream text(out);
    for (std::string side, column, unit; text >> side >> column && std::getline(text, unit);)
      (side == "in" ? in : outputs).push_back(column);
    there = true;
  }
  bool there = false;
  std::vector<std::string> in, outputs;

  // Outputs by name of one state.
  std::map<std::string, double> at(const std::map<std::string, double> &state) const {
    const std::string path = folder + "/state";
    std::ofstream file(path);
    file.precision(17);
    for (const std::string &column : in) {
      const auto value = state.find(column);
      file << (value == state.end() ? 0 : value->second) << " ";
    }
    file << std::endl;
    std::string out, err;
    if (run_command(call + " -q --eval < " + shell_quoted(path), &out, &err) != 0)
      throw std::runtime_error(err);
    std::istringstream text(out);
    std::map<std::string, double> result;
    for (const std::string &column : outputs) {
      std::string word;
      text >> word;
      result[column] = std::strtod(word.c_str(), nullptr);
    }
    return result;
  }

private:
  std::string call, folder;
};

// A coordinate of ours: its names in the columns of velocities, accelerations, forces and of M.
struct Coordinate {
  std::string velocity, acceleration, force, in_M;
};

struct Model {
  std::unique_ptr<mjModel, void (*)(mjModel *)> m{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData *)> d{nullptr, mj_deleteData};
  std::vector<Coordinate> coordinates;
  std::vector<int> joint; // of MuJoCo, by coordinate; of a base -1
  Matrix T;
  int base = 0; // 0, 3, 6
};

int joint_of(const mjModel *m, const std::string &name) {
  return mj_name2id(m, mjOBJ_JOINT, name.c_str());
}

// The joint that a column names: as a C identifier, where its name is none.
int joint_of_column(const mjModel *m, const std::string &id) {
  for (int j = 0; j < m->njnt; j++) {
    std::string name = mj_id2name(m, mjOBJ_JOINT, j);
    if (std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
    for (char &c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (name == id || name + "_" == id) return j;
  }
  return -1;
}

std::string load(const std::string &path, Model &model, const Function &fd) {
  char error[1000] = "";
  model.m.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  if (!model.m) return error;
  mjModel *m = model.m.get();
  m->opt.disableflags |=
      mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_PASSIVE;
  model.d.reset(mj_makeData(m));
  model.base = joint_of(m, "base_free") == 0 ? 6 : joint_of(m, "base_yaw") == 2 ? 3 : 0;
  static const char *const planar[] = {"x", "y", "yaw"}, *const six[] = {"lin_x", "lin_y", "lin_z",
                                                                         "ang_x", "ang_y", "ang_z"};
  for (int i = 0; i < model.base; i++) {
    const std::string part = model.base == 3 ? planar[i] : six[i];
    model.coordinates.push_back(
        {"base.twist." + part, "base.acc." + part, "base.wrench." + part, "base." + part});
    model.joint.push_back(-1);
  }
  for (const std::string &column : fd.in)
    if (column.compare(0, 3, "qd.") == 0) {
      const std::string name = column.substr(3);
      model.coordinates.push_back({column, "qdd." + name, "tau." + name, name});
      model.joint.push_back(joint_of_column(m, name));
      if (model.joint.back() < 0) return "no joint " + name;
    }
  // who follows whom, as the equality constraints have it
  model.T = Matrix::Zero(m->nv, Eigen::Index(model.coordinates.size()));
  int followers = 0;
  for (size_t i = size_t(model.base); i < model.joint.size(); i++) {
    model.T(m->jnt_dofadr[model.joint[i]], Eigen::Index(i)) = 1;
    for (int e = 0; e < m->neq; e++)
      if (m->eq_type[e] == mjEQ_JOINT && m->eq_obj2id[e] == model.joint[i]) {
        model.T(m->jnt_dofadr[m->eq_obj1id[e]], Eigen::Index(i)) = m->eq_data[e * mjNEQDATA + 1];
        followers++;
      }
  }
  if (m->nv != int(model.coordinates.size()) + followers) return "other freedoms";
  return "";
}

// A random state, set in MuJoCo, as values of columns.
std::map<std::string, double> draw(Model &model, const Function &fd, Random &random) {
  std::map<std::string, double> state;
  mjModel *m = model.m.get();
  mjData *d = model.d.get();
  mj_resetData(m, d);
  const int n = int(model.coordinates.size());
  Vector v(n);
  for (int i = 0; i < n; i++) {
    v[i] = random.uniform(-2, 2);
    state[model.coordinates[size_t(i)].velocity] = v[i];
    if (i < model.base) continue;
    const int j = model.joint[size_t(i)];
    const bool slides = m->jnt_type[j] == mjJNT_SLIDE;
    const double q = slides ? random.uniform(-0.3, 0.3) : random.uniform(-M_PI, M_PI);
    const std::string name = model.coordinates[size_t(i)].in_M;
    state["q." + name] = d->qpos[m->jnt_qposadr[j]] = q;
    for (int e = 0; e < m->neq; e++)
      if (m->eq_type[e] == mjEQ_JOINT && m->eq_obj2id[e] == j)
        d->qpos[m->jnt_qposadr[m->eq_obj1id[e]]] =
            m->eq_data[e * mjNEQDATA] + m->eq_data[e * mjNEQDATA + 1] * q;
    state["tau." + name] = random.uniform(-5, 5);
    state["armature." + name] = 0;
  }
  if (model.base == 6) {
    const Vec4 quat = random.quat();
    const Mat3 R = rotation_quat(quat);
    static const char *const parts[] = {"w", "x", "y", "z"};
    for (int i = 0; i < 4; i++)
      state[std::string("base.quat.") + parts[i]] = d->qpos[3 + i] = double(quat[i]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        state[std::string("base.R.") + "xyz"[i] + "xyz"[k]] = double(R(i, k));
        model.T(3 + i, 3 + k) = double(R(k, i));
      }
    for (int i = 0; i < 3; i++) {
      d->qpos[i] = random.uniform(-1, 1);
      model.T(i, i) = 1;
    }
  } else if (model.base == 3) {
    model.T.topLeftCorner(3, 3).setIdentity();
    for (int i = 0; i < 3; i++) d->qpos[i] = random.uniform(-1, 1);
    state["base.yaw"] = d->qpos[2];
  }
  static const char *const axes[] = {"gravity.x", "gravity.y", "gravity.z"};
  for (int i = 0; i < 3; i++)
    if (std::find(fd.in.begin(), fd.in.end(), axes[i]) != fd.in.end())
      state[axes[i]] = m->opt.gravity[i] = random.uniform(-10, 10);
  Eigen::Map<Vector>(d->qvel, m->nv) = model.T * v;
  return state;
}

// Relative to the block, as Comparison has it.
double error_of(const Vector &x, const Vector &reference) {
  return relative(x, reference);
}

bool judge(const std::string &title, const std::string &urdf, const std::string &layout,
           const Arguments &arguments, Comparison &comparison, bool may_refuse) {
  const TemporaryFolder folder;
  std::string call = shell_quoted(arguments.achdgen) + " " + shell_quoted(urdf);
  if (!layout.empty()) call += " --layout " + shell_quoted(layout);
  const std::string xml = folder.path + "/model.xml";
  std::string err;
  const Function fd(call, "fd", folder.path), bias(call, "bias", folder.path),
      crba(call, "crba", folder.path), id(call, "id", folder.path);
  const int failed = run_command(call + " -q --mjcf " + shell_quoted(xml), nullptr, &err);
  if (failed || !fd.there || !id.there) {
    // what MuJoCo cannot have is told, with a remedy; and what the functions cannot have, too
    const bool told = failed && err.find("remedy:") != std::string::npos;
    // the published inertia of the Puma's third link is none that a body can have
    const bool impossible = title.compare(0, 7, "puma560") == 0 &&
                            err.find("\"link_3\" and what is fixed to it") != std::string::npos;
    if (told && (may_refuse || impossible || !fd.there)) {
      std::printf("%s: refused: %s\n", title.c_str(), err.substr(0, err.find('\n')).c_str());
      return true;
    }
    std::printf("  BAD %s: %s\n", title.c_str(), err.c_str());
    return false;
  }
  Model model;
  const std::string refused = load(xml, model, fd);
  if (!refused.empty()) {
    std::printf("  BAD %s: MuJoCo: %s\n", title.c_str(), refused.c_str());
    return false;
  }
  mjModel *m = model.m.get();
  mjData *d = model.d.get();
  const int n = int(model.coordinates.size());
  Random random(1);
  for (int k = 0; k < arguments.states; k++) {
    auto state = draw(model, fd, random);
    Vector tau(n), vdot(n);
    for (int i = 0; i < n; i++) {
      const Coordinate &c = model.coordinates[size_t(i)];
      tau[i] = i < model.base ? 0 : state[c.force];
    }
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(m->nv, m->nv);
    mj_fullM(m, full.data(), d->qM);
    const Matrix M = model.T.transpose() * full * model.T;
    const Vector h = model.T.transpose() * Eigen::Map<const Vector>(d->qfrc_bias, m->nv);

    const auto of_crba = crba.at(state);
    Vector ours(n * n), theirs(n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        const std::string a = model.coordinates[size_t(i)].in_M,
                          b = model.coordinates[size_t(j)].in_M;
        const auto there = of_crba.find("M." + a + "." + b);
        ours[i * n + j] = ours[j * n + i] = there == of_crba.end() ? 0 : there->second;
        theirs[i * n + j] = theirs[j * n + i] = M(i, j);
      }
    comparison.add("M", error_of(theirs, ours), tolerance, title);

    // bias is without gravity where gravity is no input of it: then MuJoCo's, too
    auto torques = [&](const std::map<std::string, double> &out) {
      Vector r(n);
      for (int i = 0; i < n; i++) r[i] = out.at(model.coordinates[size_t(i)].force);
      return r;
    };
    double gravity[3] = {m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]};
    mju_zero3(m->opt.gravity);
    mj_fwdVelocity(m, d);
    const Vector bare = model.T.transpose() * Eigen::Map<const Vector>(d->qfrc_bias, m->nv);
    comparison.add("bias", error_of(bare, torques(bias.at(state))), tolerance, title);
    mju_copy3(m->opt.gravity, gravity);

    // forward: what MuJoCo itself computes where nothing follows, else by projection
    const auto of_fd = fd.at(state);
    for (int i = 0; i < n; i++) vdot[i] = of_fd.at(model.coordinates[size_t(i)].acceleration);
    const Eigen::LDLT<Matrix> solver(M);
    Vector forward = solver.solve(tau - h);
    if (m->nv == n) {
      Vector applied = model.T * tau; // T is orthogonal here
      Eigen::Map<Vector>(d->qfrc_applied, m->nv) = applied;
      mj_forward(m, d);
      forward = model.T.transpose() * Eigen::Map<const Vector>(d->qacc, m->nv);
    }
    // solving multiplies the rounding of M, 1e-13 in the worst robots, by its condition
    const Vector e = Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvalues();
    comparison.add("forward dynamics", error_of(forward, vdot),
                   std::max(tolerance, 1e-13 * e[n - 1] / e[0]), title);

    for (int i = 0; i < n; i++) {
      vdot[i] = random.uniform(-5, 5);
      state[model.coordinates[size_t(i)].acceleration] = vdot[i];
    }
    Eigen::Map<Vector>(d->qacc, m->nv) = model.T * vdot;
    Eigen::Map<Vector>(d->qfrc_applied, m->nv).setZero();
    mj_inverse(m, d);
    const Vector inverse = model.T.transpose() * Eigen::Map<const Vector>(d->qfrc_inverse, m->nv);
    comparison.add("inverse dynamics", error_of(inverse, torques(id.at(state))), tolerance, title);
  }
  return true;
}

std::vector<std::string> urdfs_in(const std::string &folder) {
  std::vector<std::string> all;
  if (fs::is_directory(folder))
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".urdf") all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 2, 10);
  const char *sweep = std::getenv("ACHD_SWEEP");
  const bool all = sweep && std::string(sweep) == "1";
  Comparison comparison("MuJoCo's model and the generated functions");
  int bad = 0, count = 0;
  InSample in_sample(arguments, 6);
  const auto try_all = [&](const std::string &folder, bool may_refuse) {
    for (const std::string &urdf : urdfs_in(folder)) {
      const std::string name = fs::path(urdf).filename().string();
      if (!arguments.only.empty() && name.find(arguments.only) == std::string::npos) continue;
      if (!in_sample()) continue;
      const std::string layout = fs::path(urdf).replace_extension(".lua").string();
      count++;
      try {
        bad += !judge(name, urdf, "", arguments, comparison, may_refuse);
        const bool of_linkages = fs::path(urdf).parent_path().filename() ==
                                 "linkages"; // whose joints this test does not close: linkage_sways
        if (fs::exists(layout) && !of_linkages)
          bad += !judge(name + " with its layout", urdf, layout, arguments, comparison, may_refuse);
      } catch (const std::exception &e) {
        std::printf("  BAD %s: %s\n", name.c_str(), e.what());
        bad++;
      }
    }
  };
  try_all(arguments.robots, false);
  if (all) {
    try_all(ACHD_SOURCE_DIR "/../shared/robots", true);
    const TemporaryFolder folder;
    const std::string corpus = ACHD_SOURCE_DIR "/../shared/corpus.tar.xz";
    if (fs::exists(corpus) &&
        run_command("tar -xJf " + shell_quoted(corpus) + " -C " + shell_quoted(folder.path)) == 0)
      try_all(folder.path, true);
    else
      std::printf("left out: no %s\n", corpus.c_str());
  }
  if (count == 0) std::printf("no robots\n");
  return comparison.print() + bad > 0 || count == 0;
}

/* SPDX-License-Identifier: MIT */
#include "opponents.hpp"

#include <mujoco/mujoco.h>

#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/config.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "oracle/kdl_chain.hpp"
#include "oracle/mujoco_oracle.hpp"

namespace bench {
namespace {

using oracle::real;

std::vector<double> numbers(const KDL::JntArray &x) {
  return {x.data.data(), x.data.data() + x.rows()};
}

// Inputs of all of KDL's solvers, state by state. Joints stand along the chain as in the robot.
struct KdlData {
  KDL::Chain chain;
  unsigned n;
  std::vector<KDL::JntArray> q, qd, qdd, tau, beta;
  KDL::Wrenches no_wrench;
  KDL::Vector gravity;
  KDL::JntArray zero, out, constraint;
  KDL::Jacobian alfa;

  KdlData(const oracle::Robot &robot, int tip, const std::vector<int> &rows,
          const std::vector<Input> &inputs) {
    const oracle::KdlChain built = oracle::kdl_chain(robot, oracle::rest(robot), tip);
    chain = built.chain;
    n = unsigned(built.segments.size());
    for (unsigned k = 0; k < n; k++)
      if (built.segments[k].dof != int(k)) throw std::runtime_error("bench: order of the joints");
    no_wrench.assign(n, KDL::Wrench::Zero());
    zero = out = constraint = KDL::JntArray(n);
    const unsigned m = unsigned(rows.size());
    alfa = KDL::Jacobian(m);
    alfa.data.setZero();
    for (unsigned k = 0; k < m; k++) alfa.data(rows[k], k) = 1;
    for (const Input &input : inputs) {
      const auto array = [&](const auto &v) {
        KDL::JntArray a(n);
        for (unsigned k = 0; k < n; k++) a(k) = double(v[k]);
        return a;
      };
      q.push_back(array(input.state.q));
      qd.push_back(array(input.state.qd));
      qdd.push_back(array(input.qdd));
      tau.push_back(array(input.tau));
      KDL::JntArray b(m);
      if (m > 0) {
        // KDL's set-point is that of the spatial acceleration, with the root's -g in it.
        const oracle::LinkMotion tip_motion = oracle::motion(robot, input.state).links[size_t(tip)];
        const oracle::Vec3 less = tip_motion.w.cross(tip_motion.v) + input.state.gravity;
        for (unsigned k = 0; k < m; k++)
          b(k) = input.b[k] - (rows[k] < 3 ? double(less[rows[k]]) : 0);
      }
      beta.push_back(b);
    }
    const oracle::Vec3 &g = inputs[0].state.gravity; // the same in all
    gravity = KDL::Vector(double(g[0]), double(g[1]), double(g[2]));
  }
};

// A batch of `solve(i)`, which leaves its result in data.out.
template <class Solve>
Opponent by_joints(const std::string &name, std::shared_ptr<KdlData> data, Solve solve) {
  const auto batch = [data, solve] {
    double sum = 0;
    for (size_t i = 0; i < data->q.size(); i++) {
      solve(i);
      sum += data->out(0);
    }
    return sum;
  };
  const auto result = [data, solve](size_t i) {
    solve(i);
    return numbers(data->out);
  };
  return {name, batch, result};
}

} // namespace

Opponent kdl_constrained(const oracle::Robot &robot, int tip, const std::vector<int> &rows,
                         const std::vector<Input> &inputs) {
  const auto data = std::make_shared<KdlData>(robot, tip, rows, inputs);
  const auto solver = std::make_shared<KDL::ChainHdSolver_Vereshchagin>(
      data->chain, KDL::Twist(-data->gravity, KDL::Vector::Zero()), unsigned(rows.size()));
  return by_joints("KDL ChainHdSolver_Vereshchagin", data, [data, solver](size_t i) {
    solver->CartToJnt(data->q[i], data->qd[i], data->out, data->alfa, data->beta[i],
                      data->no_wrench, data->zero, data->constraint);
  });
}

Opponent kdl_forward(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs) {
  const auto data = std::make_shared<KdlData>(robot, tip, std::vector<int>(), inputs);
  const auto solver = std::make_shared<KDL::ChainFdSolver_RNE>(data->chain, data->gravity);
  return by_joints("KDL ChainFdSolver_RNE", data, [data, solver](size_t i) {
    solver->CartToJnt(data->q[i], data->qd[i], data->tau[i], data->no_wrench, data->out);
  });
}

Opponent kdl_inverse(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs) {
  const auto data = std::make_shared<KdlData>(robot, tip, std::vector<int>(), inputs);
  const auto solver = std::make_shared<KDL::ChainIdSolver_RNE>(data->chain, data->gravity);
  return by_joints("KDL ChainIdSolver_RNE", data, [data, solver](size_t i) {
    solver->CartToJnt(data->q[i], data->qd[i], data->qdd[i], data->no_wrench, data->out);
  });
}

Opponent kdl_pose(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs) {
  const auto data = std::make_shared<KdlData>(robot, tip, std::vector<int>(), inputs);
  const auto solver = std::make_shared<KDL::ChainFkSolverPos_recursive>(data->chain);
  const auto batch = [data, solver] {
    KDL::Frame pose;
    double sum = 0;
    for (const KDL::JntArray &q : data->q) {
      solver->JntToCart(q, pose);
      sum += pose.p[0];
    }
    return sum;
  };
  const auto result = [data, solver](size_t i) {
    KDL::Frame pose;
    solver->JntToCart(data->q[i], pose);
    std::vector<double> out(pose.p.data, pose.p.data + 3);
    out.insert(out.end(), pose.M.data, pose.M.data + 9);
    return out;
  };
  return {"KDL ChainFkSolverPos_recursive", batch, result};
}

namespace {

struct MujocoData {
  std::unique_ptr<mjModel, void (*)(mjModel *)> m{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData *)> d{nullptr, mj_deleteData};
  int n, nb;                        // joints; velocities of the base before them
  std::vector<double> q, qd, given; // given: qdd or tau, zeros for the base

  MujocoData(const oracle::Robot &robot, const std::vector<Input> &inputs, bool inverse)
      : n(robot.nd()), nb(robot.nb()) {
    const std::string xml = oracle::mjcf(robot);
    const auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    const int slot = mj_makeEmptyFileVFS(vfs.get(), "robot.xml", int(xml.size()));
    if (slot < 0) throw std::runtime_error("bench: MuJoCo's virtual files");
    std::memcpy(vfs->filedata[slot], xml.data(), xml.size());
    char error[500] = "";
    m.reset(mj_loadXML("robot.xml", vfs.get(), error, sizeof error));
    mj_deleteFileVFS(vfs.get(), "robot.xml");
    if (!m) throw std::runtime_error(std::string("bench: MuJoCo: ") + error);
    if (m->nq != n + (nb ? 7 : 0) || m->nv != n + nb || nb == 3)
      throw std::runtime_error("bench: MuJoCo's joints");
    d.reset(mj_makeData(m.get()));
    for (int i = 0; i < 3; i++) m->opt.gravity[i] = double(inputs[0].state.gravity[i]);
    for (const Input &input : inputs) {
      if (nb) add_base(input.state);
      for (int k = 0; k < n; k++) {
        q.push_back(double(input.state.q[k]));
        qd.push_back(double(input.state.qd[k]));
        given.push_back(inverse ? input.qdd[k] : input.tau[k]);
      }
    }
  }

  // Its free joint: position, quaternion; velocity along the world's axes, turning along its own.
  void add_base(const oracle::State &state) {
    q.insert(q.end(), {0, 0, 0});
    for (int k = 0; k < 4; k++) q.push_back(double(state.base_quat[k]));
    const oracle::Vec3 own = state.base_R.transpose() * state.base_twist.tail(3);
    for (int k = 0; k < 3; k++) qd.push_back(double(state.base_twist[k]));
    for (int k = 0; k < 3; k++) qd.push_back(double(own[k]));
    given.insert(given.end(), 6, 0);
  }

  // By joint.
  const double *solve(size_t i, bool inverse) {
    const size_t nq = size_t(m->nq), nv = size_t(m->nv);
    std::memcpy(d->qpos, &q[i * nq], nq * sizeof(double));
    std::memcpy(d->qvel, &qd[i * nv], nv * sizeof(double));
    std::memcpy(inverse ? d->qacc : d->qfrc_applied, &given[i * nv], nv * sizeof(double));
    if (inverse)
      mj_inverse(m.get(), d.get());
    else
      mj_forward(m.get(), d.get());
    return (inverse ? d->qfrc_inverse : d->qacc) + nb;
  }
};

Opponent mujoco(const oracle::Robot &robot, const std::vector<Input> &inputs, bool inverse) {
  const auto data = std::make_shared<MujocoData>(robot, inputs, inverse);
  const size_t count = inputs.size();
  const auto batch = [data, inverse, count] {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += data->solve(i, inverse)[0];
    return sum;
  };
  const auto result = [data, inverse](size_t i) {
    const double *out = data->solve(i, inverse);
    return std::vector<double>(out, out + data->n);
  };
  return {inverse ? "MuJoCo mj_inverse" : "MuJoCo mj_forward", batch, result};
}

} // namespace

Opponent mujoco_forward(const oracle::Robot &robot, const std::vector<Input> &inputs) {
  return mujoco(robot, inputs, false);
}

Opponent mujoco_inverse(const oracle::Robot &robot, const std::vector<Input> &inputs) {
  return mujoco(robot, inputs, true);
}

std::string kdl_version() {
  return KDL_VERSION_STRING;
}

std::string mujoco_version() {
  return mj_versionString();
}

} // namespace bench

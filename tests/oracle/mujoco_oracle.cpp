/* SPDX-License-Identifier: MIT */
#include "mujoco_oracle.hpp"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>

namespace oracle {
namespace {

std::string text(const real *v, int n) {
  std::string out;
  char word[64];
  for (int i = 0; i < n; i++) {
    std::snprintf(word, sizeof word, "%s%.21Lg", i ? " " : "", v[i]);
    out += word;
  }
  return out;
}

std::string text(const Vec3 &v) {
  return text(v.data(), 3);
}
std::string text(const Vec4 &v) {
  return text(v.data(), 4);
}

// Principal axes at the centre of mass: I = Q diag(w) Q^T.
std::string inertial(const Inertia &own) {
  if (own.m == 0) return "";
  const Eigenpairs e = eigen_symmetric(own.I);
  // A zero or a rounding below it (a point mass) is not for MuJoCo to judge.
  const Vec3 w = e.w.cwiseMax(0);
  return "<inertial pos=\"" + text(own.c) + "\" quat=\"" + text(quat_rotation(Mat3(e.V))) +
         "\" mass=\"" + text(&own.m, 1) + "\" diaginertia=\"" + text(w) + "\"/>\n";
}

} // namespace

Robot with_inertias(const Robot &robot, const State &state) {
  Robot out = robot;
  for (const auto &entry : state.inertia) out.links[entry.first].inertia = at_com(entry.second);
  return out;
}

std::string mjcf(const Robot &full) {
  const Robot robot = merge_fixed(full);
  std::string out = "<mujoco>\n"
                    "<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" "
                    "boundinertia=\"0\" fusestatic=\"false\"/>\n"
                    "<option gravity=\"0 0 0\"><flag contact=\"disable\" limit=\"disable\" "
                    "frictionloss=\"disable\" equality=\"disable\"/></option>\n<worldbody>\n";
  // Body of link i; (R, p): pose of the link in that body.
  std::function<void(int, const Mat3 &, const Vec3 &)> frames = [&](int i, const Mat3 &R,
                                                                    const Vec3 &p) {
    out += "<site name=\"at " + robot.links[i].name + "\" pos=\"" + text(p) + "\" quat=\"" +
           text(quat_rotation(R)) + "\"/>\n";
    for (size_t k = i + 1; k < robot.links.size(); k++) {
      const Link &child = robot.links[k];
      if (child.parent == i && child.joint.type == JointType::fixed)
        frames(int(k), R * child.joint.R, p + R * child.joint.p);
    }
  };
  std::function<void(int, const Mat3 &, const Vec3 &)> branches = [&](int i, const Mat3 &R,
                                                                      const Vec3 &p) {
    for (size_t k = i + 1; k < robot.links.size(); k++) {
      const Link &child = robot.links[k];
      if (child.parent != i) continue;
      const Mat3 Rc = R * child.joint.R;
      const Vec3 pc = p + R * child.joint.p;
      if (child.joint.type == JointType::fixed) {
        branches(int(k), Rc, pc);
        continue;
      }
      out += "<body name=\"" + child.name + "\" pos=\"" + text(pc) + "\" quat=\"" +
             text(quat_rotation(Rc)) + "\">\n" + inertial(child.inertia) + "<joint name=\"" +
             child.joint.name + "\" type=\"" +
             (child.joint.type == JointType::revolute ? "hinge" : "slide") + "\" axis=\"" +
             text(child.joint.axis) + "\"/>\n";
      frames(int(k), Mat3::Identity(), Vec3::Zero());
      branches(int(k), Mat3::Identity(), Vec3::Zero());
      out += "</body>\n";
    }
  };
  out += "<body name=\"" + robot.links[0].name + "\">\n" + inertial(robot.links[0].inertia);
  if (robot.base == Base::floating) out += "<freejoint name=\"base free\"/>\n";
  if (robot.base == Base::planar)
    out += "<joint name=\"base x\" type=\"slide\" axis=\"1 0 0\"/>\n"
           "<joint name=\"base y\" type=\"slide\" axis=\"0 1 0\"/>\n"
           "<joint name=\"base yaw\" type=\"hinge\" axis=\"0 0 1\"/>\n";
  frames(0, Mat3::Identity(), Vec3::Zero());
  branches(0, Mat3::Identity(), Vec3::Zero());
  return out + "</body>\n</worldbody>\n</mujoco>\n";
}

void Mujoco::FreeModel::operator()(mjModel_ *model) const {
  mj_deleteModel(model);
}
void Mujoco::FreeData::operator()(mjData_ *data) const {
  mj_deleteData(data);
}

Mujoco::Mujoco(const Robot &given) : robot(given) {
  const std::string xml = mjcf(robot);
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  const int slot = mj_makeEmptyFileVFS(vfs.get(), "robot.xml", int(xml.size()));
  if (slot < 0) throw std::runtime_error("oracle: MuJoCo's virtual files");
  std::memcpy(vfs->filedata[slot], xml.data(), xml.size());
  char error[500] = "";
  m.reset(mj_loadXML("robot.xml", vfs.get(), error, sizeof error));
  mj_deleteFileVFS(vfs.get(), "robot.xml");
  if (!m) throw std::runtime_error(std::string("oracle: MuJoCo: ") + error);
  m->opt.enableflags |= mjENBL_ENERGY;
  d.reset(mj_makeData(m.get()));
  T = Eigen::MatrixXd::Zero(m->nv, robot.nv());
  for (const Link &link : robot.links)
    if (link.joint.type != JointType::fixed) {
      const int j = mj_name2id(m.get(), mjOBJ_JOINT, link.joint.name.c_str());
      T(m->jnt_dofadr[j], robot.nb() + link.joint.dof) = double(link.joint.ratio);
    }
  mimic = m->nv != robot.nv();
}

Mujoco::~Mujoco() = default;

void Mujoco::set(const State &state) {
  const int nb = robot.nb();
  mj_resetData(m.get(), d.get());
  Vec u = Vec::Zero(robot.nv());
  u.tail(robot.nd()) = state.qd;
  const Mat3 &R = state.base_R;
  if (robot.base == Base::floating) {
    const Vec4 quat = quat_rotation(R);
    for (int i = 0; i < 3; i++) d->qpos[i] = 0;
    for (int i = 0; i < 4; i++) d->qpos[3 + i] = double(quat[i]);
    u.head(6) = state.base_twist;
    T.block(0, 0, 3, 3).setIdentity();
    T.block(3, 3, 3, 3) = R.transpose().cast<double>();
  } else if (robot.base == Base::planar) {
    d->qpos[0] = d->qpos[1] = 0;
    d->qpos[2] = double(std::atan2(R(1, 0), R(0, 0)));
    u.head(3) << state.base_twist[0], state.base_twist[1], state.base_twist[5];
    T.block(0, 0, nb, nb).setIdentity();
  }
  for (const Link &link : robot.links) {
    const Joint &joint = link.joint;
    if (joint.type == JointType::fixed) continue;
    const int j = mj_name2id(m.get(), mjOBJ_JOINT, joint.name.c_str());
    d->qpos[m->jnt_qposadr[j]] = double(joint.ratio * state.q[joint.dof] + joint.offset);
    // A rotor belongs to the joint that leads.
    const bool leads = robot.dofs[joint.dof].name == joint.name;
    m->dof_armature[m->jnt_dofadr[j]] =
        leads && state.armature.size() ? double(state.armature[joint.dof]) : 0;
  }
  const Eigen::VectorXd qvel = T * u.cast<double>();
  for (int i = 0; i < m->nv; i++) d->qvel[i] = qvel[i];
  for (int i = 0; i < 3; i++) m->opt.gravity[i] = double(state.gravity[i]);
  mj_forward(m.get(), d.get());
}

Eigen::MatrixXd Mujoco::M() const {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(m->nv, m->nv);
  mj_fullM(m.get(), full.data(), d->qM);
  return T.transpose() * full * T;
}

Eigen::VectorXd Mujoco::h() const {
  return T.transpose() * Eigen::Map<const Eigen::VectorXd>(d->qfrc_bias, m->nv);
}

int Mujoco::site(int link) const {
  return mj_name2id(m.get(), mjOBJ_SITE, ("at " + robot.links[link].name).c_str());
}

Eigen::MatrixXd Mujoco::jacobian(int link) const {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> lin(3, m->nv),
      ang(3, m->nv);
  mj_jacSite(m.get(), d.get(), lin.data(), ang.data(), site(link));
  Eigen::MatrixXd J(6, m->nv);
  J << lin, ang;
  return J * T;
}

Eigen::Matrix3d Mujoco::R(int link) const {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->site_xmat +
                                                                        9 * site(link));
}

Eigen::Vector3d Mujoco::p(int link) const {
  return Eigen::Map<const Eigen::Vector3d>(d->site_xpos + 3 * site(link));
}

Eigen::VectorXd Mujoco::applied(const std::vector<Wrench> &wrenches) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(m->nv);
  for (const Wrench &wrench : wrenches) {
    double f[6];
    for (int i = 0; i < 6; i++) f[i] = double(wrench.f[i]);
    const int s = site(wrench.link);
    mj_applyFT(m.get(), d.get(), f, f + 3, d->site_xpos + 3 * s, m->site_bodyid[s], force.data());
  }
  return force;
}

Eigen::VectorXd Mujoco::twist(int link) const {
  double v[6]; // angular first
  mj_objectVelocity(m.get(), d.get(), mjOBJ_SITE, site(link), v, 0);
  Eigen::VectorXd out(6);
  out << v[3], v[4], v[5], v[0], v[1], v[2];
  return out;
}

double Mujoco::kinetic() const {
  return d->energy[1];
}

double Mujoco::potential() const {
  return d->energy[0];
}

// Of the tree that begins at the root link; a fixed base's own part is taken out:
//   m c = sum - m_0 c_0,  and l moves with the point it is about, l' = l + (c - c') x p
Mujoco::Mass Mujoco::mass() const {
  const int root = 1; // body 0 is the world
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(3, m->nv);
  mj_jacSubtreeCom(m.get(), d.get(), J.data(), root);
  mj_subtreeVel(m.get(), d.get());
  const auto at = [](const double *all, int body) {
    return Eigen::Vector3d(Eigen::Map<const Eigen::Vector3d>(all + 3 * body));
  };
  const Eigen::Vector3d c = at(d->subtree_com, root);
  const double whole = m->body_subtreemass[root], resting = robot.nb() > 0 ? 0 : m->body_mass[root];
  Mass out;
  out.c = (whole * c - resting * at(d->xipos, root)) / (whole - resting);
  out.J = whole / (whole - resting) * J * T;
  const Eigen::Vector3d p = whole * at(d->subtree_linvel, root);
  out.l = at(d->subtree_angmom, root) + (c - out.c).cross(p);
  return out;
}

Eigen::VectorXd Mujoco::inverse(const Eigen::VectorXd &vdot, const std::vector<Wrench> &wrenches) {
  const Eigen::VectorXd qacc = T * vdot;
  for (int i = 0; i < m->nv; i++) d->qacc[i] = qacc[i];
  mj_inverse(m.get(), d.get());
  mj_rnePostConstraint(m.get(), d.get());
  return T.transpose() *
         (Eigen::Map<const Eigen::VectorXd>(d->qfrc_inverse, m->nv) - applied(wrenches));
}

Eigen::VectorXd Mujoco::forward(const Eigen::VectorXd &tau, const std::vector<Wrench> &wrenches) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(m->nv);
  for (const Link &link : robot.links)
    if (link.joint.type != JointType::fixed && robot.dofs[link.joint.dof].name == link.joint.name)
      force[m->jnt_dofadr[mj_name2id(m.get(), mjOBJ_JOINT, link.joint.name.c_str())]] =
          tau[link.joint.dof];
  force += applied(wrenches);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = force[i];
  mj_forward(m.get(), d.get());
  if (mimic) {
    const Eigen::VectorXd vdot = M().ldlt().solve(T.transpose() * force - h());
    const Eigen::VectorXd qacc = T * vdot;
    for (int i = 0; i < m->nv; i++) d->qacc[i] = qacc[i];
    mj_rnePostConstraint(m.get(), d.get());
    return vdot;
  }
  mj_rnePostConstraint(m.get(), d.get());
  return T.transpose() * Eigen::Map<const Eigen::VectorXd>(d->qacc, m->nv); // T is orthogonal here
}

Eigen::VectorXd Mujoco::acceleration(int link) const {
  double a[6]; // angular first
  mj_objectAcceleration(m.get(), d.get(), mjOBJ_SITE, site(link), a, 0);
  Eigen::VectorXd out(6);
  for (int i = 0; i < 3; i++) {
    out[i] = a[3 + i] + m->opt.gravity[i];
    out[3 + i] = a[i];
  }
  return out;
}

} // namespace oracle

/* SPDX-License-Identifier: MIT */
#include "reference.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace oracle {
namespace {

using Json = nlohmann::json;

Vec vector(const Json &json) {
  Vec out(json.size());
  for (size_t i = 0; i < json.size(); i++) out[i] = json[i].get<double>();
  return out;
}

Mat matrix(const Json &json) {
  if (json.empty()) return {};
  Mat out(json.size(), json[0].size());
  for (size_t i = 0; i < json.size(); i++) out.row(i) = vector(json[i]).transpose();
  return out;
}

Vec optional(const Json &json, const char *key) {
  return json.contains(key) ? vector(json[key]) : Vec{};
}

// The file's joint order is that of its header; ours is the robot's.
struct Order {
  std::vector<int> dof; // of the file's k-th joint
  int nb;

  Vec joints(const Vec &v) const {
    Vec out(v.size());
    for (int k = 0; k < int(v.size()); k++) out[dof[k]] = v[k];
    return out;
  }
  int at(int k) const { return k < nb ? k : nb + dof[k - nb]; }
  Vec full(const Vec &v) const {
    Vec out(v.size());
    for (int k = 0; k < int(v.size()); k++) out[at(k)] = v[k];
    return out;
  }
  Mat full(const Mat &M) const {
    Mat out(M.rows(), M.cols());
    for (int i = 0; i < int(M.rows()); i++)
      for (int j = 0; j < int(M.cols()); j++) out(at(i), at(j)) = M(i, j);
    return out;
  }
};

void read_input(const Json &in, const Robot &robot, const Order &order, ReferenceRecord &record) {
  State &state = record.state;
  state.q = order.joints(vector(in["q"]));
  state.qd = order.joints(vector(in["qd"]));
  state.gravity = vector(in["gravity"]);
  state.armature = order.joints(vector(in["rotor"]));
  record.base_pos = Vec3::Zero();
  if (robot.base == Base::floating) {
    state.base_quat = vector(in["base_quat"]).normalized();
    state.base_R = rotation_quat(state.base_quat);
    state.base_twist = vector(in["base_vel"]);
    record.base_pos = vector(in["base_pos"]);
  }
  record.problem.tau_art = order.joints(vector(in["tau_ff"]));
  for (const char *key : {"f_ext", "f_art"})
    if (in.contains(key))
      for (const Json &w : in[key])
        record.problem.wrenches.push_back(
            {robot.link(w["link"]), vector(w["wrench"]), key == std::string("f_art")});
  record.friction = optional(in, "friction");
  if (record.friction.size()) record.friction = order.joints(record.friction);
}

void read_rows(const Json &constraints, const Robot &robot, ReferenceRecord &record) {
  for (const Json &c : constraints)
    for (size_t k = 0; k < c["A_columns"].size(); k++) {
      Row row;
      row.link = robot.link(c["link"]);
      row.a = vector(c["A_columns"][k]);
      row.b = c["b_classical"][k].get<double>();
      record.problem.rows.push_back(row);
      record.b_spatial.push_back(c["b_spatial"][k].get<double>());
      record.b_spatial_minus_gravity.push_back(c["b_spatial_minus_gravity"][k].get<double>());
    }
  record.problem.policy = Policy::truncate;
  record.problem.threshold = 1e-10L;
  record.problem.unreachable = 0;
}

void read_output(const Json &out, const Robot &robot, const Order &order, ReferenceRecord &record) {
  const auto full = [&](const char *key) { return order.full(optional(out, key)); };
  record.vdot = full("vdot");
  record.vdot_free = full("vdot_free");
  record.tau_constraint = full("tau_constraint");
  record.tau_artificial = full("tau_artificial");
  record.tau_external = full("tau_external");
  record.h = full("h");
  record.nu = optional(out, "nu");
  record.residual = optional(out, "constraint_residual");
  if (out.contains("M")) record.M = order.full(matrix(out["M"]));
  if (out.contains("Lambda_inv")) record.L = matrix(out["Lambda_inv"]);
  if (out.contains("cond") && out["cond"].is_number()) record.cond = out["cond"].get<double>();
  record.rank = out.value("rank", 0);
  if (out.contains("gauss")) record.gauss = out["gauss"].get<double>();
  if (out.contains("links"))
    for (const auto &entry : out["links"].items()) {
      const Json &l = entry.value();
      record.links.push_back({robot.link(entry.key()), matrix(l["R"]), vector(l["p"]),
                              vector(l["v"]), vector(l["w"]), vector(l["a_classical"]),
                              vector(l["alpha"])});
    }
  record.mu = full("mu");
  if (out.contains("stuck"))
    for (const Json &k : out["stuck"]) record.stuck.push_back(order.dof[k.get<int>()]);
  record.mu_unique = out.value("mu_unique", false);
}

} // namespace

std::vector<ReferenceSet> read_reference(const std::string &path,
                                         const std::vector<std::string> &robot_folders,
                                         std::vector<std::string> *missing) {
  std::vector<ReferenceSet> sets;
  std::ifstream file(path);
  Order order{};
  bool skipping = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const Json json = Json::parse(line);
    if (json.contains("header")) {
      const std::string urdf = json["urdf"];
      skipping = true;
      Selection selection;
      if (json.value("floating", false)) selection.base = Base::floating;
      for (const std::string &folder : robot_folders)
        if (std::ifstream(folder + "/" + urdf)) {
          sets.push_back({json["robot"],
                          folder + "/" + urdf,
                          read_urdf(folder + "/" + urdf, selection),
                          json["tip"][0],
                          {}});
          skipping = false;
          break;
        }
      if (skipping) {
        if (missing) missing->push_back(urdf);
        continue;
      }
      const Robot &robot = sets.back().robot;
      order = {{}, robot.base == Base::fixed ? 0 : 6};
      for (const Json &name : json["joints"]) order.dof.push_back(robot.dof(name));
      continue;
    }
    if (skipping) continue;
    const Robot &robot = sets.back().robot;
    ReferenceRecord record;
    record.index = json["index"];
    record.kind = json.value("kind", "friction");
    read_input(json["input"], robot, order, record);
    read_rows(json["constraints"], robot, record);
    read_output(json["output"], robot, order, record);
    sets.back().records.push_back(record);
  }
  return sets;
}

} // namespace oracle

/* SPDX-License-Identifier: MIT */
#include "layout.hpp"

#include <cstdio>
#include <cctype>

namespace oracle {

std::string identifier(const std::string &name) {
  std::string out = name;
  for (char &c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

std::string GroupSpec::row_name(int k) const {
  return !joints.empty() ? identifier(joints[size_t(k)])
         : free > 0      ? std::to_string(k + 1)
                         : rows[size_t(k)];
}

namespace {

const char *const lin_ang[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
const char *const xyz = "xyz";

std::string digits(real value) {
  char word[64];
  std::snprintf(word, sizeof word, "%.17g", double(value));
  return word;
}

std::string quoted(const std::vector<std::string> &words) {
  std::string out = "{ ";
  for (const std::string &word : words) out += "\"" + word + "\", ";
  return out + "}";
}

template <class Value> std::string table(const std::map<std::string, Value> &entries) {
  std::string out = "{ ";
  for (const auto &entry : entries)
    out += "[\"" + entry.first + "\"] = " + digits(entry.second) + ", ";
  return out + "}";
}

std::string lua(const GroupSpec &group) {
  std::string out = "    { name = \"" + group.name + "\", ";
  if (group.joints.size() == 1) // both ways to write it
    out += "joint = \"" + group.joints[0] + "\"";
  else if (!group.joints.empty())
    out += "joints = " + quoted(group.joints);
  else
    out += "frame = \"" + group.frame + "\", ";
  if (group.joints.empty())
    out += group.free > 0 ? "rows = " + std::to_string(group.free) : "rows = " + quoted(group.rows);
  if (group.axes == Axes::link) out += ", axes = \"link\"";
  if (group.axes == Axes::input) out += ", axes = \"input\"";
  if (group.physical) out += ", kind = \"physical\"";
  if (!group.classical)
    out += std::string(", acceleration = \"") + (group.rate ? "rate" : "spatial") + "\"";
  if (group.maskable) out += ", maskable = true";
  if (!group.to.empty()) out += ", to = \"" + group.to + "\"";
  if (!group.to.empty() && !group.physical) out += ", kind = \"artificial\"";
  if (group.yields) out += ", over = \"yields\"";
  if (!group.weights.empty()) out += ", weights = " + table(group.weights);
  if (!group.more.empty()) out += ", " + group.more;
  return out + " },\n";
}

std::string lua(const PayloadSpec &p) {
  const Vec3 &c = p.load.c;
  const Mat3 &I = p.load.I;
  std::string out = "    { name = \"" + p.name + "\", frame = \"" + p.frame + "\", mass = ";
  out += p.mass_input ? "\"input\"" : digits(p.load.m);
  out += p.com_input
             ? ", com = \"input\""
             : ", com = { " + digits(c[0]) + ", " + digits(c[1]) + ", " + digits(c[2]) + " }";
  if (p.inertia_input) return out + ", inertia = \"input\" },\n";
  return out + ", inertia = { ixx = " + digits(I(0, 0)) + ", ixy = " + digits(I(0, 1)) +
         ", ixz = " + digits(I(0, 2)) + ", iyy = " + digits(I(1, 1)) +
         ", iyz = " + digits(I(1, 2)) + ", izz = " + digits(I(2, 2)) + " } },\n";
}

} // namespace

Inertia random_load(Random &random) {
  Inertia load;
  load.m = random.uniform(0.1, 2);
  load.c = Random::rounded(random.vec3(0.1));
  const Mat3 R = random.rotation();
  Mat3 I = Mat3::Zero();
  for (int i = 0; i < 3; i++) I(i, i) = random.uniform(0.002, 0.003);
  I = R * I * R.transpose();
  load.I = Random::rounded(Mat3((I + I.transpose()) / 2));
  return load;
}

std::vector<std::string> sources(const LayoutSpec &spec) {
  std::vector<std::string> names = {"gravity", "velocity", "feed_forward"};
  for (const WrenchSpec &w : spec.wrenches) names.push_back(identifier(w.name));
  for (const GroupSpec &g : spec.groups) names.push_back(identifier(g.name));
  return names;
}

std::vector<std::string> velocities(const Robot &robot) {
  std::vector<std::string> names;
  if (robot.base == Base::planar) names = {"base.x", "base.y", "base.yaw"};
  if (robot.base == Base::floating)
    for (const char *part : lin_ang) names.push_back(std::string("base.") + part);
  for (const Dof &dof : robot.dofs) names.push_back(identifier(dof.name));
  return names;
}

std::string lua(const LayoutSpec &spec) {
  const Selection &s = spec.selection;
  std::string out = "return {\n  name = \"" + spec.name + "\",\n";
  if (!s.root.empty()) out += "  root = \"" + s.root + "\",\n";
  if (!s.tips.empty()) out += "  tips = " + quoted(s.tips) + ",\n";
  if (!s.locked.empty()) out += "  locked = " + table(s.locked) + ",\n";
  if (!s.passive.empty()) out += "  passive = " + quoted(s.passive) + ",\n";
  if (!s.effort.empty()) out += "  effort = " + table(s.effort) + ",\n";
  if (s.base != Base::fixed)
    out += std::string("  base = \"") + (s.base == Base::planar ? "planar" : "floating") + "\",\n";
  if (spec.matrix) out += "  orientation = \"matrix\",\n";
  if (!spec.gravity_input)
    out += "  gravity = { " + digits(spec.gravity[0]) + ", " + digits(spec.gravity[1]) + ", " +
           digits(spec.gravity[2]) + " },\n";
  if (spec.armature_input)
    out += "  armature = \"input\",\n";
  else if (!spec.armature.empty())
    out += "  armature = " + table(spec.armature) + ",\n";
  if (!spec.inertia_inputs.empty())
    out += "  inertia_inputs = " + quoted(spec.inertia_inputs) + ",\n";
  if (!spec.payloads.empty()) {
    out += "  payload = {\n";
    for (const PayloadSpec &p : spec.payloads) out += lua(p);
    out += "  },\n";
  }
  if (spec.tau_phys || spec.tau_art)
    out += std::string("  torques = { physical = ") + (spec.tau_phys ? "true" : "false") +
           ", artificial = " + (spec.tau_art ? "true" : "false") + " },\n";
  if (spec.saturate) out += "  saturate = true,\n";
  if (!spec.wrenches.empty()) {
    out += "  wrenches = {\n";
    for (const WrenchSpec &w : spec.wrenches)
      out += "    { name = \"" + w.name + "\", frame = \"" + w.frame + "\", kind = \"" +
             (w.artificial ? "artificial" : "physical") + "\" },\n";
    out += "  },\n";
  }
  out += spec.more + "  groups = {\n";
  for (const GroupSpec &group : spec.groups) out += lua(group);
  out += "  },\n";
  const char *policy = spec.singularity == Policy::drop       ? "drop"
                       : spec.singularity == Policy::truncate ? "truncate"
                                                              : "damp";
  if (spec.singularity != Policy::exact)
    out += std::string("  singularity = \"") + policy + "\",\n";
  if (spec.threshold > 0) out += "  singular_threshold = " + digits(spec.threshold) + ",\n";
  out += "  outputs = { ";
  for (const std::string &o : spec.outputs) out += "\"" + o + "\", ";
  if (!spec.acc.empty()) out += "acc = " + quoted(spec.acc) + ", ";
  if (!spec.twist.empty()) out += "twist = " + quoted(spec.twist) + ", ";
  if (!spec.pose.empty()) out += "pose = " + quoted(spec.pose) + ", ";
  if (!spec.jac.empty()) out += "jac = " + quoted(spec.jac) + ", ";
  if (!spec.contributions.empty()) out += "contributions = " + quoted(spec.contributions) + ", ";
  if (!spec.acc_classical) out += "acceleration = \"spatial\", ";
  return out + "},\n}\n";
}

Sample random_sample(const Robot &robot, const LayoutSpec &spec, Random &random,
                     const SampleRange &range) {
  Sample sample;
  StateRange state = range.state;
  if (!spec.armature_input) state.armature = 0;
  sample.state = random_state(robot, random, state);
  if (!spec.gravity_input) sample.state.gravity = spec.gravity;
  if (spec.matrix) sample.state.base_R = Random::rounded(sample.state.base_R);
  for (const auto &entry : spec.armature)
    sample.state.armature[robot.dof(entry.first)] = entry.second;
  for (const std::string &name : spec.inertia_inputs) {
    // About its origin: a body of 0.3 to 3 times the mass, elsewhere and turned.
    const int link = robot.link(name);
    Inertia own = robot.links[link].inertia;
    if (own.m == 0) own = {1, Vec3::Zero(), 0.01L * Mat3::Identity()};
    const real scale = random.uniform(0.3, 3);
    const Mat3 R = random.rotation();
    own = {own.m * scale, own.c + random.vec3(0.05), scale * R * own.I * R.transpose()};
    OriginInertia given = at_origin(own);
    given.m = double(given.m);
    given.h = Random::rounded(given.h);
    given.I = Random::rounded(Mat3((given.I + given.I.transpose()) / 2));
    sample.own[link] = sample.state.inertia[link] = given;
  }
  for (const PayloadSpec &p : spec.payloads) {
    Inertia load = random_load(random);
    if (!p.mass_input) load.m = p.load.m;
    if (!p.com_input) load.c = p.load.c;
    if (!p.inertia_input) load.I = p.load.I;
    sample.loads.push_back(load);
    const int link = robot.link(p.frame);
    if (!sample.state.inertia.count(link))
      sample.state.inertia[link] = at_origin(robot.links[size_t(link)].inertia);
    OriginInertia &whole = sample.state.inertia[link];
    const OriginInertia part = at_origin(load);
    whole = {whole.m + part.m, whole.h + part.h, whole.I + part.I};
  }
  const auto torques = [&](bool given) {
    Vec tau = Vec::Zero(robot.nd());
    for (int i = 0; given && i < robot.nd(); i++) tau[i] = random.uniform(-range.tau, range.tau);
    return tau;
  };
  sample.tau_phys = torques(spec.tau_phys);
  sample.tau_art = torques(spec.tau_art);
  for (size_t k = 0; k < spec.wrenches.size(); k++)
    sample.wrenches.push_back(random.vec6(range.force, range.moment));
  // Masks: which rows hold, in a random order until there are enough.
  int total = 0;
  for (const GroupSpec &group : spec.groups) total += group.size();
  std::vector<int> holds(total), order(total);
  for (int k = 0; k < total; k++) {
    const int other = random.below(k + 1);
    order[k] = order[other];
    order[other] = k;
  }
  const bool all = random.chance(range.all_active);
  for (int k = 0, left = range.most_active; k < total; k++)
    if ((holds[order[k]] = left > 0 && (all || !random.chance(range.masked)))) left--;
  int row = 0;
  for (const GroupSpec &group : spec.groups) {
    Vec b(group.size());
    std::vector<int> mask(group.size());
    std::vector<Vec6> dirs;
    for (int k = 0; k < group.size(); k++, row++) {
      b[k] = random.uniform(-range.b, range.b);
      mask[k] = !group.maskable || holds[row];
      if (group.free > 0) {
        Vec6 d;
        d.head(3) = random.unit() * real(random.uniform(0.2, 1));
        d.tail(3) = random.unit() * real(random.uniform(0.2, 1));
        dirs.push_back(Random::rounded(d));
      }
    }
    sample.b.push_back(b);
    sample.mask.push_back(mask);
    sample.axes.push_back(random.rotation());
    sample.dirs.push_back(dirs);
  }
  return sample;
}

Problem problem_of(const Robot &robot, const LayoutSpec &spec, const Motion &motion,
                   const Sample &sample) {
  Problem problem;
  problem.tau_phys = sample.tau_phys;
  problem.tau_art = sample.tau_art;
  problem.saturate = spec.saturate;
  problem.shares = !spec.contributions.empty();
  problem.policy = spec.singularity;
  problem.threshold = spec.threshold;
  for (size_t k = 0; k < spec.wrenches.size(); k++)
    problem.wrenches.push_back(
        {robot.link(spec.wrenches[k].frame), sample.wrenches[k], spec.wrenches[k].artificial});
  for (size_t g = 0; g < spec.groups.size(); g++) {
    const GroupSpec &group = spec.groups[g];
    const int link = group.joints.empty() ? robot.link(group.frame) : -1;
    const Mat3 axes = group.axes == Axes::base   ? Mat3(Mat3::Identity()) // of a tie: its frame's
                      : group.axes == Axes::link ? motion.links[size_t(link)].R
                                                 : sample.axes[g];
    for (int k = 0; k < group.size(); k++) {
      Row row;
      row.link = link;
      if (!group.to.empty()) row.to = robot.link(group.to);
      row.yields = group.yields;
      const auto passes = [&](const std::string &driver) {
        const auto weight = group.weights.find(driver);
        return weight == group.weights.end() ? real(0) : 1 - real(weight->second);
      };
      for (const WrenchSpec &w : spec.wrenches) row.passes.push_back(passes(w.name));
      row.passes_phys = passes("tau_phys");
      row.passes_art = passes("tau_art");
      row.group = int(g);
      row.classical = group.classical;
      row.physical = group.physical;
      row.active = sample.mask[g][k];
      row.b = sample.b[g][k];
      if (!group.joints.empty())
        row.joint = robot.dof(group.joints[size_t(k)]);
      else if (group.free > 0)
        row.a = sample.dirs[g][k];
      else
        for (int i = 0; i < 6; i++)
          if (group.rows[k] == lin_ang[i]) row.a.segment(i < 3 ? 0 : 3, 3) = axes.col(i % 3);
      problem.rows.push_back(row);
    }
  }
  return problem;
}

std::map<std::string, double> input_columns(const Robot &robot, const LayoutSpec &spec,
                                            const Sample &sample) {
  std::map<std::string, double> in;
  const auto six = [&](const std::string &name, const Vec6 &v) {
    for (int i = 0; i < 6; i++) in[name + "." + lin_ang[i]] = double(v[i]);
  };
  const auto nine = [&](const std::string &name, const Mat3 &R) {
    for (int i = 0; i < 9; i++)
      in[name + "." + xyz[i / 3] + std::string(1, xyz[i % 3])] = double(R(i / 3, i % 3));
  };
  const State &state = sample.state;
  for (int i = 0; i < robot.nd(); i++) {
    const std::string joint = identifier(robot.dofs[i].name);
    in["q." + joint] = double(state.q[i]);
    in["qd." + joint] = double(state.qd[i]);
    in["tau_phys." + joint] = double(sample.tau_phys[i]);
    in["tau_art." + joint] = double(sample.tau_art[i]);
    in["armature." + joint] = double(state.armature[i]);
  }
  for (int i = 0; i < 3; i++) in[std::string("gravity.") + xyz[i]] = double(state.gravity[i]);
  for (size_t k = 0; k < spec.wrenches.size(); k++)
    six(identifier(spec.wrenches[k].name), sample.wrenches[k]);
  for (size_t g = 0; g < spec.groups.size(); g++) {
    const GroupSpec &group = spec.groups[g];
    const std::string name = identifier(group.name);
    for (int k = 0; k < group.size(); k++) {
      in["b." + name + "." + group.row_name(k)] = double(sample.b[g][k]);
      in["mask." + name + "." + group.row_name(k)] = sample.mask[g][k];
      if (group.free > 0) six("dir." + name + "." + group.row_name(k), sample.dirs[g][k]);
    }
    nine("axes." + name, sample.axes[g]);
  }
  for (size_t k = 0; k < spec.payloads.size(); k++) {
    const std::string name = spec.payloads[k].name + ".";
    const Inertia &load = sample.loads[k];
    in[name + "mass"] = double(load.m);
    for (int i = 0; i < 3; i++) {
      in[name + "com." + xyz[i]] = double(load.c[i]);
      for (int j = i; j < 3; j++)
        in[name + "inertia." + xyz[i] + std::string(1, xyz[j])] = double(load.I(i, j));
    }
  }
  for (const auto &entry : sample.own) {
    const std::string name = "inertia." + identifier(robot.links[entry.first].name) + ".";
    const OriginInertia &o = entry.second;
    in[name + "m"] = double(o.m);
    for (int i = 0; i < 3; i++) {
      in[name + "m" + xyz[i]] = double(o.h[i]);
      for (int j = i; j < 3; j++) in[name + xyz[i] + std::string(1, xyz[j])] = double(o.I(i, j));
    }
  }
  const char *const quat = "wxyz";
  for (int i = 0; i < 4; i++) in[std::string("base.quat.") + quat[i]] = double(state.base_quat[i]);
  nine("base.rot", state.base_R);
  six("base.twist", state.base_twist);
  in["base.yaw"] = double(state.base_yaw);
  in["base.twist.x"] = double(state.base_twist[0]);
  in["base.twist.y"] = double(state.base_twist[1]);
  in["base.twist.yaw"] = double(state.base_twist[5]);
  return in;
}

std::map<std::string, real> output_columns(const Robot &robot, const LayoutSpec &spec,
                                           const Motion &motion, const Problem &problem,
                                           const Solution &solution) {
  std::map<std::string, real> out;
  const auto six = [&](const std::string &name, const Vec6 &v) {
    for (int i = 0; i < 6; i++) out[name + "." + lin_ang[i]] = v[i];
  };
  const int nb = robot.nb();
  for (int i = 0; i < robot.nd(); i++) {
    const std::string joint = identifier(robot.dofs[i].name);
    out["qdd." + joint] = solution.vdot[nb + i];
    out["tau_ctrl." + joint] = solution.tau_ctrl[i];
    out["tau_total." + joint] = solution.tau_total[i];
    out["tau_apparent." + joint] = solution.tau_apparent[i];
    if (robot.dofs[i].passive) out["tau_unactuated." + joint] = solution.tau_passive[i];
  }
  int row = 0;
  for (const GroupSpec &group : spec.groups)
    for (int k = 0; k < group.size(); k++, row++) {
      const std::string name = identifier(group.name) + "." + group.row_name(k);
      out["nu." + name] = solution.nu[row];
      out["pivot." + name] = solution.pivot[row];
      // Of a masked row too: what it would see.
      real gamma;
      const auto G = row_jacobian(motion, problem.rows[row], &gamma);
      out["residual." + name] = G.dot(solution.vdot) + gamma - solution.asked[row];
    }
  out["pivot_min"] = solution.pivot_min;
  for (const std::string &frame : spec.acc)
    six("acc." + identifier(frame),
        acceleration(motion, robot.link(frame), solution.vdot, spec.acc_classical));
  for (const std::string &frame : spec.twist)
    six("twist." + identifier(frame), twist(motion, robot.link(frame)));
  for (const std::string &frame : spec.pose) {
    const LinkMotion &k = motion.links[robot.link(frame)];
    for (int i = 0; i < 9; i++)
      out["pose." + identifier(frame) + ".R." + xyz[i / 3] + std::string(1, xyz[i % 3])] =
          k.R(i / 3, i % 3);
    for (int i = 0; i < 3; i++) out["pose." + identifier(frame) + ".p." + xyz[i]] = k.p[i];
  }
  // By velocity; those of the base have a prefix of their own.
  const std::vector<std::string> names = velocities(robot);
  const auto base = [&](const std::string &prefix, const Vec &values) {
    for (int i = 0; i < nb; i++) out[prefix + names[size_t(i)].substr(4)] = values[i];
  };
  base("base.acc", solution.vdot);
  base("base.wrench_ctrl", solution.base_wrench);
  for (size_t s = 0; s < solution.shares.size(); s++) {
    const Share &share = solution.shares[s];
    const std::string of = "_of." + sources(spec)[s];
    base("base_acc" + of, share.vdot);
    for (int i = 0; i < robot.nd(); i++) {
      const std::string joint = of + "." + names[size_t(nb + i)];
      out["qdd" + joint] = share.vdot[nb + i];
      out["tau_ctrl" + joint] = robot.dofs[size_t(i)].passive ? 0 : share.tau[nb + i];
    }
    row = 0;
    for (const GroupSpec &group : spec.groups)
      for (int k = 0; k < group.size(); k++, row++)
        out["nu" + of + "." + identifier(group.name) + "." + group.row_name(k)] = share.nu[row];
  }
  out["status"] = (solution.singular ? SINGULAR : 0u) + (solution.saturated ? SATURATED : 0u) +
                  (solution.unactuated ? UNACTUATED : 0u);
  return out;
}

std::string block_of(const std::string &column) {
  const size_t first = column.find('.'), last = column.rfind('.');
  if (first == std::string::npos) return column;
  const std::string head = column.substr(0, first), tail = column.substr(last + 1);
  const std::string part = tail.compare(0, 4, "lin_") == 0   ? " lin"
                           : tail.compare(0, 4, "ang_") == 0 ? " ang"
                                                             : "";
  // Shares are judged together: that of one source may be what rounding leaves of another.
  if (head == "nu_of" || head == "base_acc_of") return head + part;
  if (head == "nu" || head == "residual" || head == "pivot")
    return part.empty() ? column.substr(0, last) : head + part;
  if (head == "acc" || head == "twist" || head == "pose" || head == "base")
    return column.substr(0, last) + part;
  if (head == "tau_unactuated") return "tau_ctrl"; // parts of one vector
  return head;
}

} // namespace oracle

/* SPDX-License-Identifier: MIT */
// closed_loop.cpp FOLDER URDF: the controller for ros2_control, made by its shared library, moves a simulated Gen3 (libgen3.so,
// libgen3f.so, liblink.so and so on are in FOLDER, whose URDF is the second word), by goals from parameters, topics and another controller, tells what
// it does, lets a quadruped stand (libwalker.so), and refuses what it cannot use.
#include <dlfcn.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "controller_interface/chainable_controller_interface.hpp"
#include "diagnostic_msgs/msg/diagnostic_status.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "trajectory_msgs/msg/multi_dof_joint_trajectory_point.hpp"

#if __has_include("feet_achd.h")
#include "feet_achd.h"
#endif
#include "sim_achd.h"

using controller_interface::CallbackReturn;
using ControllerInterface = controller_interface::ChainableControllerInterface;
using controller_interface::return_type;
using diagnostic_msgs::msg::DiagnosticStatus;
using Parameters = std::map<std::string, rclcpp::ParameterValue>;
using Numbers = std::vector<double>;

static std::string folder, description;
static int checks, failed;

static void check(bool holds, const char *what) {
  checks++;
  if (holds) return;
  failed++;
  std::printf("FAILED: %s\n", what);
}

// A Gen3 that is moved by its forward dynamics, a millisecond at a time.
struct Robot {
  std::array<double, SIM_NJ> q{}, qd{}, effort{};
  std::array<double, 2 * SIM_NJ> state{};
  bool frozen = false;

  void step(double dt) {
    sim_fd_in in = SIM_FD_IN_DEFAULT;
    sim_fd_out out;
    for (int i = 0; i < SIM_NJ; i++) {
      in.q[i] = q[i];
      in.qd[i] = qd[i];
      in.tau[i] = effort[i];
    }
    (void)sim_fd(&in, &out);
    for (int i = 0; i < SIM_NJ; i++) {
      qd[i] += dt * out.qdd[i];
      q[i] += dt * qd[i];
    }
    tell();
  }
  void tell() {
    for (int i = 0; i < SIM_NJ && !frozen; i++) {
      state[2 * i] = q[i];
      state[2 * i + 1] = qd[i];
    }
  }
  sim_pose tool() const {
    sim_fk_in in = SIM_FK_IN_DEFAULT;
    sim_fk_out out;
    for (int i = 0; i < SIM_NJ; i++) in.q[i] = q[i];
    (void)sim_fk(&in, &out);
    return out.pose.tool_frame;
  }
  double speed() const {
    double sum = 0;
    for (const double v : qd) sum += v * v;
    return std::sqrt(sum);
  }
};

static std::unique_ptr<ControllerInterface> make() {
  void *library = dlopen((folder + "/libachd_controller.so").c_str(), RTLD_NOW);
  if (!library) {
    std::printf("%s\n", dlerror());
    return nullptr;
  }
  using Make = ControllerInterface *(*)();
  return std::unique_ptr<ControllerInterface>(
      reinterpret_cast<Make>(dlsym(library, "stub_make"))());
}

#if STUB_DISTRIBUTION == 1
using References = std::vector<hardware_interface::CommandInterface>;
static void refer(References &references, std::size_t k, double value) {
  references[k].set_value(value);
}
#else
using References = std::vector<hardware_interface::CommandInterface::SharedPtr>;
static void refer(References &references, std::size_t k, double value) {
  check(references[k]->set_value(value), "a reference is set");
}
#endif
static References references; // of the last controller that was started

// A controller with these parameters on this robot, configured and active; else nothing, and why.
template <typename Machine>
static std::unique_ptr<ControllerInterface>
start(Machine &robot, const Parameters &parameters, std::string *why = nullptr,
      bool chained = false, const nav_msgs::msg::Odometry *odometry = nullptr) {
  auto controller = make();
  controller->get_node()->overrides = parameters;
  controller->stub_describe(description);
  const rclcpp_lifecycle::State state;
  bool good = controller->on_init() == CallbackReturn::SUCCESS &&
              controller->on_configure(state) == CallbackReturn::SUCCESS;
  if (good) {
    references = controller->export_reference_interfaces();
    check(controller->set_chained_mode(chained), "chained or not");
    if (odometry) controller->get_node()->send("~/odometry", *odometry);
    check(controller->command_interface_configuration().names.size() == robot.effort.size(),
          "effort is commanded");
    const auto states_read = controller->state_interface_configuration().names;
    check(states_read.size() == robot.state.size() &&
              states_read.at(3).find("/velocity") != std::string::npos,
          "position and velocity of every joint are read");
    std::vector<hardware_interface::LoanedCommandInterface> commands;
    std::vector<hardware_interface::LoanedStateInterface> states;
    for (double &effort : robot.effort) commands.emplace_back(&effort);
    for (const double &number : robot.state) states.emplace_back(&number);
    controller->assign_interfaces(std::move(commands), std::move(states));
    robot.tell();
    good = controller->on_activate(state) == CallbackReturn::SUCCESS;
  }
  if (why)
    *why = static_cast<const ControllerInterface &>(*controller).get_node()->get_logger().last;
  if (!good) controller.reset();
  return controller;
}

static return_type cycles(ControllerInterface &controller, Robot &robot, int count) {
  return_type last = return_type::OK;
  for (int k = 0; k < count; k++) {
    last = controller.update(rclcpp::Time(), rclcpp::Duration(1000000));
    robot.step(0.001);
  }
  return last;
}

static Robot home() {
  Robot robot;
  robot.q = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
  return robot;
}

static double distance(const sim_pose &pose, const Numbers &p) {
  return std::sqrt(std::pow(pose.p[0] - p[0], 2) + std::pow(pose.p[1] - p[1], 2) +
                   std::pow(pose.p[2] - p[2], 2));
}

// cosine of the angle between the tool's axes and those of a quaternion, from the traces of the rotations
static double angle(const sim_pose &pose, const Numbers &q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  double trace = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) trace += R[i][k] * pose.R[i][k];
  return std::acos(std::fmin(1, (trace - 1) / 2));
}

static void goes_to_a_pose(const char *library) {
  const Numbers p = {0.45, 0.15, 0.40}, q = {0.5, 0.5, 0.5, 0.5};
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/" + library},
                                  {"task", std::string("pose")},
                                  {"goal.position", p},
                                  {"goal.quaternion", q}});
  check(controller != nullptr, library);
  if (!controller) return;
  const double before = distance(robot.tool(), p);
  const bool good = cycles(*controller, robot, 5000) == return_type::OK;
  std::printf("%s: %.3f m away, after 5 s %.1e m and %.1e rad, %.1e rad/s\n", library, before,
              distance(robot.tool(), p), angle(robot.tool(), q), robot.speed());
  check(good && before > 0.1, "every cycle was good");
  check(distance(robot.tool(), p) < 1e-4 && angle(robot.tool(), q) < 1e-3,
        "the tool is at its goal");
  check(robot.speed() < 0.01, "and rests there");
}

static void holds() {
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"},
                                  {"layout", std::string("gen3.lua")},
                                  {"group", std::string("tool")}});
  check(controller != nullptr, "hold is the default");
  const sim_pose at = robot.tool();
  cycles(*controller, robot, 500);
  check(distance(robot.tool(), {at.p[0], at.p[1], at.p[2]}) < 1e-6, "the tool stays");
  for (int i = 0; i < SIM_NJ; i++) robot.qd[i] += 0.3;
  robot.tell();
  cycles(*controller, robot, 5000);
  check(distance(robot.tool(), {at.p[0], at.p[1], at.p[2]}) < 1e-4 && robot.speed() < 0.02,
        "after a push it comes back");
}

static void a_sensor_that_dies() {
  for (const double dead : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Robot robot = home();
    auto controller = start(robot, {{"library", folder + "/libgen3.so"}});
    cycles(*controller, robot, 200);
    const std::array<double, SIM_NJ> held = robot.effort;
    robot.frozen = true;
    robot.state[6] = dead;
    check(controller->update(rclcpp::Time(), rclcpp::Duration(1000000)) == return_type::ERROR,
          "a dead sensor is an error");
    double difference = 0;
    for (int i = 0; i < SIM_NJ; i++)
      difference = std::fmax(difference, std::fabs(robot.effort[i] - held[i]));
    check(difference < 0.2,
          "gravity stays compensated"); // nothing moved: the last torques were gravity's
    cycles(*controller, robot, 500);
    check(robot.speed() < 0.05, "and the arm does not fall");
    robot.frozen = false;
    robot.tell();
    check(controller->update(rclcpp::Time(), rclcpp::Duration(1000000)) == return_type::ERROR,
          "it stays so until it is activated again");
    check(controller->on_deactivate({}) == CallbackReturn::SUCCESS &&
              controller->on_activate({}) == CallbackReturn::SUCCESS &&
              controller->update(rclcpp::Time(), rclcpp::Duration(1000000)) == return_type::OK,
          "and is good afterwards");
  }
}

// Before the first cycle, and at another pose than in the last one.
static void a_sensor_that_dies_at_once() {
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"}});
  cycles(*controller, robot, 1);
  const std::array<double, SIM_NJ> held = robot.effort;
  controller->on_deactivate({});
  robot.q[1] = -robot.q[1] - 0.5;
  robot.tell();
  check(controller->on_activate({}) == CallbackReturn::SUCCESS, "activated at another pose");
  robot.state[6] = std::nan("");
  check(controller->update(rclcpp::Time(), rclcpp::Duration(1000000)) == return_type::ERROR,
        "a sensor that dies at once is an error");
  check(std::fabs(robot.effort[1] - held[1]) > 5, "the torques are those of the new pose");
  robot.frozen = true;
  cycles(*controller, robot, 300);
  check(robot.speed() < 0.05, "which hold it");
}

static DiagnosticStatus told(ControllerInterface &controller) {
  return controller.get_node()->told<DiagnosticStatus>("~/status");
}

static geometry_msgs::msg::PoseStamped pose_at(const Numbers &p, const Numbers &q,
                                               const std::string &frame = "base_link") {
  geometry_msgs::msg::PoseStamped goal;
  goal.header.frame_id = frame;
  goal.pose.position.x = p[0], goal.pose.position.y = p[1], goal.pose.position.z = p[2];
  goal.pose.orientation.w = q[0], goal.pose.orientation.x = q[1];
  goal.pose.orientation.y = q[2], goal.pose.orientation.z = q[3];
  return goal;
}

// A goal on a topic is gone to; what is none is ignored, and counted.
static void goals_by_topic() {
  const Numbers p = {0.45, 0.15, 0.40}, q = {0.5, 0.5, 0.5, 0.5};
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"}});
  auto &node = *controller->get_node();
  cycles(*controller, robot, 10);
  const sim_pose at = robot.tool();
  node.send("~/goal", pose_at(p, q, "elsewhere"));
  check(node.get_logger().last.find("elsewhere") != std::string::npos, "another frame is told");
  node.send("~/goal", pose_at({NAN, 0, 0}, q));
  node.send("~/goal", pose_at(p, {1, 1, 0, 0}));
  node.send("~/goal_point", trajectory_msgs::msg::MultiDOFJointTrajectoryPoint());
  cycles(*controller, robot, 100);
  check(distance(robot.tool(), {at.p[0], at.p[1], at.p[2]}) < 1e-6, "none of these is a goal");
  auto status = told(*controller);
  check(status.level == DiagnosticStatus::OK && status.message == "OK" &&
            status.values.at(2).value == "4",
        "four messages were ignored");
  node.send("~/goal", pose_at(p, q));
  cycles(*controller, robot, 5000);
  check(distance(robot.tool(), p) < 1e-4 && angle(robot.tool(), q) < 1e-3, "a goal on a topic");
}

// Points of a trajectory, 100 of them a second, with velocity and acceleration: the tool is on it. Then none: it stops.
static void a_trajectory() {
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"}});
  auto &node = *controller->get_node();
  const sim_pose from = robot.tool();
  const double size = 0.1, pace = 2;
  double worst = 0;
  for (int k = 0; k < 2000; k++) {
    const double t = 0.001 * k, s = std::sin(pace * t), c = std::cos(pace * t);
    if (k % 10 == 0) {
      trajectory_msgs::msg::MultiDOFJointTrajectoryPoint point;
      point.transforms.resize(1);
      point.velocities.resize(1);
      point.accelerations.resize(1);
      auto &p = point.transforms[0].translation;
      p.x = from.p[0], p.y = from.p[1], p.z = from.p[2] + size * (1 - c);
      const double trace = from.R[0][0] + from.R[1][1] + from.R[2][2], w = std::sqrt(1 + trace) / 2;
      auto &q = point.transforms[0].rotation;
      q.w = w;
      q.x = (from.R[2][1] - from.R[1][2]) / (4 * w);
      q.y = (from.R[0][2] - from.R[2][0]) / (4 * w);
      q.z = (from.R[1][0] - from.R[0][1]) / (4 * w);
      point.velocities[0].linear.z = size * pace * s;
      point.accelerations[0].linear.z = size * pace * pace * c;
      node.send("~/goal_point", point);
    }
    cycles(*controller, robot, 1);
    worst = std::fmax(worst,
                      distance(robot.tool(), {from.p[0], from.p[1], from.p[2] + size * (1 - c)}));
  }
  std::printf("a trajectory of 0.2 m/s: %.1e m off\n", worst);
  check(worst < 3e-3, "the tool is on the trajectory");
  cycles(*controller, robot, 3000);
  check(robot.speed() < 0.02, "without further points it rests");
}

// Another controller's references; what it does not command stays.
static void by_another_controller() {
  const Numbers p = {0.45, 0.15, 0.40};
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"}}, nullptr, true);
  const sim_pose at = robot.tool();
  controller->get_node()->send("~/goal", pose_at({0.3, -0.2, 0.5}, {1, 0, 0, 0})); // not now
  cycles(*controller, robot, 200);
  check(references.size() == 19, "references");
  check(distance(robot.tool(), {at.p[0], at.p[1], at.p[2]}) < 1e-6, "without references it stays");
  for (std::size_t i = 0; i < 3; i++) refer(references, i, p[i]);
  check(cycles(*controller, robot, 5000) == return_type::OK, "chained");
  check(distance(robot.tool(), p) < 1e-4, "the other controller's goal");
  double trace = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) trace += at.R[i][k] * robot.tool().R[i][k];
  check(trace > 3 - 1e-6, "turned as before");
}

// What stopped it is told, until it is activated again; what the hardware is left with holds the robot.
static void tells_and_leaves() {
  Robot robot = home();
  auto controller = start(robot, {{"library", folder + "/libgen3.so"}});
  robot.qd[1] = 0.5;
  cycles(*controller, robot, 50);
  check(controller->on_deactivate({}) == CallbackReturn::SUCCESS, "deactivated");
  sim_id_in in = SIM_ID_IN_DEFAULT; // at rest: gravity's torques
  sim_id_out out;
  for (int i = 0; i < SIM_NJ; i++) in.q[i] = robot.q[i];
  (void)sim_id(&in, &out);
  double worst = 0;
  for (int i = 0; i < SIM_NJ; i++)
    worst = std::fmax(worst, std::fabs(out.tau[i] - robot.effort[i]));
  check(worst < 1e-9, "the hardware is left with the torques of gravity here");
  check(controller->on_activate({}) == CallbackReturn::SUCCESS, "activated again");
  robot.frozen = true;
  robot.state[6] = NAN;
  cycles(*controller, robot, 1);
  auto status = told(*controller);
  check(status.level == DiagnosticStatus::ERROR &&
            status.message == "a joint's position or velocity is no number",
        "what stopped it");
  robot.frozen = false;
  robot.q[3] = 1e6; // beyond what sines are computed for
  robot.tell();
  check(controller->on_activate({}) == CallbackReturn::ERROR, "refused");
  status = told(*controller);
  check(status.message == "no torques hold the robot where it is: BAD_INPUT" &&
            status.values.at(1).value == "BAD_INPUT",
        "with the names of bits");
  robot.q[3] = 0; // stretched out: rows depend on each other
  robot.q[1] = robot.q[5] = 0;
  robot.tell();
  check(controller->on_activate({}) == CallbackReturn::SUCCESS, "stretched out");
  cycles(*controller, robot, 1);
  status = told(*controller);
  check(status.level == DiagnosticStatus::WARN && status.message.find("SINGULAR") == 0,
        "a warning");
  check(controller->on_cleanup({}) == CallbackReturn::SUCCESS, "cleaned up");
}

#if STUB_DISTRIBUTION > 1
// robot_description is compared with the library.
static void another_description() {
  const std::string right = description;
  const struct {
    const char *from, *to, *says;
  } wrong[] = {{"<joint name=\"joint_4\"", "<joint name=\"elbow\"", "it has no joint joint_4"},
               {"lower=\"-2.24\"", "lower=\"-2.2\"", "the lower limit of joint_2"},
               {"<mass value=\"1.3773\"", "<mass value=\"2\"", "what joint_1 moves"}};
  for (const auto &one : wrong) {
    const auto at = right.find(one.from);
    check(at != std::string::npos, one.from);
    if (at == std::string::npos) continue;
    description = right;
    description.replace(at, std::strlen(one.from), one.to);
    Robot robot = home();
    std::string why;
    check(!start(robot, {{"library", folder + "/libgen3.so"}}, &why) &&
              why.find(one.says) != std::string::npos,
          one.says);
    if (why.find(one.says) == std::string::npos) std::printf("    said: %s\n", why.c_str());
    check(start(robot, {{"library", folder + "/libgen3.so"}, {"compare_description", false}}) !=
              nullptr,
          "unless it is not compared");
  }
  description = right;
}
#endif

#ifdef FEET_NJ
// A quadruped stands on four feet: under the torques that are commanded, trunk and feet do not accelerate.
struct Walker {
  std::array<double, FEET_NJ> q{}, effort{};
  std::array<double, 2 * FEET_NJ> state{};
  void tell() {
    for (std::size_t i = 0; i < q.size(); i++) state[2 * i] = q[i];
  }
};

static void stands() {
  Walker walker;
  for (std::size_t leg = 0; leg < 4; leg++)
    walker.q[3 * leg + 1] = 0.8, walker.q[3 * leg + 2] = -1.6;
  const std::string right = description;
  description.clear();
  const Parameters parameters = {{"library", folder + "/libwalker.so"},
                                 {"group", std::string("trunk")}};
  std::string why;
  check(!start(walker, parameters, &why) && why.find("no odometry") != std::string::npos,
        "a moving base needs odometry");
  nav_msgs::msg::Odometry odometry;
  odometry.pose.pose.position.z = 0.3;
  odometry.pose.pose.orientation.w = std::cos(0.1);
  odometry.pose.pose.orientation.z = std::sin(0.1);
  auto controller = start(walker, parameters, &why, false, &odometry);
  check(controller != nullptr, "a moving base is taken");
  if (!controller) {
    std::printf("    said: %s\n", why.c_str());
    return;
  }
  const rclcpp::Duration cycle(1000000);
  check(controller->update(rclcpp::Time(), cycle) == return_type::OK, "it stands");
  feet_achd_in in = FEET_ACHD_IN_DEFAULT;
  feet_achd_out out;
  in.base.quat = {std::cos(0.1), 0, 0, std::sin(0.1)};
  double most = 0, load = 0;
  for (std::size_t i = 0; i < walker.q.size(); i++) {
    in.q[i] = walker.q[i];
    in.tau_art[i] = walker.effort[i];
    load = std::fmax(load, std::fabs(walker.effort[i]));
  }
  (void)feet_achd(&in, &out);
  for (std::size_t i = 0; i < 3; i++)
    most =
        std::fmax(most, std::fmax(std::fabs(out.base.acc.lin[i]), std::fabs(out.base.acc.ang[i])));
  std::printf("a standing quadruped: trunk %.1e m/s^2, up to %.1f N m\n", most, load);
  check(most < 1e-6 && load > 1, "the trunk does not accelerate");
  return_type last = return_type::OK;
  for (int k = 0; k < 150; k++) last = controller->update(rclcpp::Time(), cycle);
  check(last == return_type::ERROR &&
            told(*controller).message == "the odometry is older than odometry.timeout",
        "odometry that stops");
  description = right;
}
#endif

static void refuses() {
  const std::string gen3 = folder + "/libgen3.so";
  const struct {
    Parameters parameters;
    const char *says;
  } wrong[] = {
      {{}, "the parameter library is empty"},
      {{{"library", std::string("/nowhere.so")}}, "cannot be opened"},
      {{{"library", folder + "/libachd_controller.so"}}, "has no achd_controller_description"},
      {{{"library", folder + "/libbare.so"}}, "has no function gravity: make it with --functions"},
      {{{"library", folder + "/libyawed.so"}}, "input axes"},
      {{{"library", gen3}, {"layout", std::string("other.lua")}},
       "not made from the layout other.lua, but from gen3.lua"},
      {{{"library", gen3}, {"group", std::string("hand")}}, "the library's groups are: tool"},
      {{{"library", gen3}, {"task", std::string("fly")}}, "'task' is not valid"},
      {{{"library", gen3}, {"task", std::string("pose")}}, "goal.position needs three numbers"},
      {{{"library", gen3},
        {"task", std::string("pose")},
        {"goal.position", Numbers{0, 0, NAN}},
        {"goal.quaternion", Numbers{1, 0, 0, 0}}},
       "number that is none"},
      {{{"library", gen3},
        {"task", std::string("pose")},
        {"goal.position", Numbers{0, 0, 1}},
        {"goal.quaternion", Numbers{1, 1, 0, 0}}},
       "no unit quaternion"},
      {{{"library", gen3}, {"gains.stiffness", Numbers{1, 2}}},
       "has 2 numbers; the group has 6 rows"},
      {{{"library", gen3}, {"gains.damping", Numbers{-1}}}, "negative"},
      {{{"library", gen3}, {"limits.linear_acceleration", 0.0}},
       "'limits.linear_acceleration' is not valid"},
  };
  for (const auto &one : wrong) {
    Robot robot = home();
    std::string why;
    const bool refused = start(robot, one.parameters, &why) == nullptr;
    check(refused && why.find(one.says) != std::string::npos, one.says);
    if (refused && why.find(one.says) == std::string::npos)
      std::printf("    said: %s\n", why.c_str());
  }
  Robot robot = home();
  robot.q[3] = NAN;
  check(start(robot, {{"library", gen3}}) == nullptr, "a sensor that is dead from the start");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  folder = argv[1];
  std::stringstream text;
  text << std::ifstream(argv[2]).rdbuf();
  description = text.str();
  goes_to_a_pose("libgen3.so");
  for (const char *other : {"libgen3f.so", "liblink.so"})
    if (std::ifstream(folder + "/" + other).good()) goes_to_a_pose(other);
  holds();
  a_sensor_that_dies();
  a_sensor_that_dies_at_once();
  goals_by_topic();
  a_trajectory();
  by_another_controller();
  tells_and_leaves();
#if STUB_DISTRIBUTION > 1
  another_description();
#endif
#ifdef FEET_NJ
  stands();
#endif
  refuses();
  std::printf("%d checks, %d failed\n", checks, failed);
  return failed != 0;
}

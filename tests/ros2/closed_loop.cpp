// closed_loop.cpp FOLDER: the controller for ros2_control, made by its shared library, moves a simulated Gen3 (libgen3.so,
// libgen3f.so, liblink.so and so on are in FOLDER), and refuses what it cannot use.
#include <dlfcn.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "sim_achd.h"

using controller_interface::CallbackReturn;
using controller_interface::ControllerInterface;
using controller_interface::return_type;
using Parameters = std::map<std::string, rclcpp::ParameterValue>;
using Numbers = std::vector<double>;

static std::string folder;
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

// A controller with these parameters on this robot, configured and active; else nothing, and why.
static std::unique_ptr<ControllerInterface> start(Robot &robot, const Parameters &parameters,
                                                  std::string *why = nullptr) {
  auto controller = make();
  controller->get_node()->overrides = parameters;
  const rclcpp_lifecycle::State state;
  bool good = controller->on_init() == CallbackReturn::SUCCESS &&
              controller->on_configure(state) == CallbackReturn::SUCCESS;
  if (good) {
    check(controller->command_interface_configuration().names.front() == "joint_1/effort",
          "effort is commanded");
    check(controller->state_interface_configuration().names.at(3) == "joint_2/velocity",
          "position and velocity of every joint are read");
    std::vector<hardware_interface::LoanedCommandInterface> commands;
    std::vector<hardware_interface::LoanedStateInterface> states;
    for (double &effort : robot.effort) commands.emplace_back(&effort);
    for (const double &number : robot.state) states.emplace_back(&number);
    controller->assign_interfaces(std::move(commands), std::move(states));
    robot.tell();
    good = controller->on_activate(state) == CallbackReturn::SUCCESS;
  }
  if (why) *why = controller->get_node()->get_logger().last;
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
                                  {"goal_position", p},
                                  {"goal_quaternion", q}});
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
      {{{"library", gen3}, {"task", std::string("fly")}}, "write hold or pose"},
      {{{"library", gen3}, {"task", std::string("pose")}}, "goal_position needs three numbers"},
      {{{"library", gen3},
        {"task", std::string("pose")},
        {"goal_position", Numbers{0, 0, NAN}},
        {"goal_quaternion", Numbers{1, 0, 0, 0}}},
       "number that is none"},
      {{{"library", gen3},
        {"task", std::string("pose")},
        {"goal_position", Numbers{0, 0, 1}},
        {"goal_quaternion", Numbers{1, 1, 0, 0}}},
       "no unit quaternion"},
      {{{"library", gen3}, {"stiffness", Numbers{1, 2}}}, "has 2 numbers; the group has 6 rows"},
      {{{"library", gen3}, {"damping", Numbers{-1}}}, "negative"},
      {{{"library", gen3}, {"max_linear_acceleration", 0.0}}, "must be positive"},
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
  if (argc != 2) return 2;
  folder = argv[1];
  goes_to_a_pose("libgen3.so");
  goes_to_a_pose("libgen3f.so");
  goes_to_a_pose("liblink.so");
  holds();
  a_sensor_that_dies();
  a_sensor_that_dies_at_once();
  refuses();
  std::printf("%d checks, %d failed\n", checks, failed);
  return failed != 0;
}

/* SPDX-License-Identifier: MIT */
// achd_controller.hpp: a controller of ros2_control that moves a frame of the robot by acceleration constraints.
//
// Each cycle: pose and velocity of the frame (fk, fvk) give the acceleration along each row that a spring and a damper
// towards the goal ask for, b = a_goal + stiffness e + damping (v_goal - v); the solver (achd) gives the joint torques that
// produce it, on top of gravity's. What the rows leave free is damped. Goals come from topics, or from another controller
// by the reference interfaces.
//
// A state that is no number, a result that is none: the torques of the last good gravity compensation stay commanded,
// without motion, and update() returns ERROR, until the controller is activated again. on_deactivate commands them, too:
// they are what the hardware is left with.
#ifndef ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_
#define ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "achd_controller/generated_library.hpp"
#include "achd_controller/latest.hpp"
#include "controller_interface/chainable_controller_interface.hpp"
#include "diagnostic_msgs/msg/diagnostic_status.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "hardware_interface/handle.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/lifecycle_publisher.hpp"
#include "rclcpp_lifecycle/state.hpp"
#include "trajectory_msgs/msg/multi_dof_joint_trajectory_point.hpp"

#if __has_include("achd_controller/achd_controller_parameters.hpp")
#include "achd_controller/achd_controller_parameters.hpp"
#else // as generate_parameter_library of Humble puts it
#include "achd_controller_parameters.hpp"
#endif

// Since Jazzy reference interfaces are shared objects, not places in an array.
#if __has_include("controller_interface/controller_interface_params.hpp")
#define ACHD_CONTROLLER_SHARED_REFERENCES
#endif

namespace achd_controller {

/// What a goal is made of: pose, velocity and acceleration of the frame in the base's axes, by the names of the reference
/// interfaces.
constexpr std::array<const char *, 19> GOAL_NAMES = {"position.x",
                                                     "position.y",
                                                     "position.z",
                                                     "orientation.w",
                                                     "orientation.x",
                                                     "orientation.y",
                                                     "orientation.z",
                                                     "velocity.linear.x",
                                                     "velocity.linear.y",
                                                     "velocity.linear.z",
                                                     "velocity.angular.x",
                                                     "velocity.angular.y",
                                                     "velocity.angular.z",
                                                     "acceleration.linear.x",
                                                     "acceleration.linear.y",
                                                     "acceleration.linear.z",
                                                     "acceleration.angular.x",
                                                     "acceleration.angular.y",
                                                     "acceleration.angular.z"};

class AchdController : public controller_interface::ChainableControllerInterface {
public:
  controller_interface::CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  controller_interface::CallbackReturn
  on_configure(const rclcpp_lifecycle::State &previous) override;
  controller_interface::CallbackReturn
  on_activate(const rclcpp_lifecycle::State &previous) override;
  controller_interface::CallbackReturn
  on_deactivate(const rclcpp_lifecycle::State &previous) override;
  controller_interface::CallbackReturn on_cleanup(const rclcpp_lifecycle::State &previous) override;
  controller_interface::return_type
  update_and_write_commands(const rclcpp::Time &time, const rclcpp::Duration &period) override;

protected:
#ifdef ACHD_CONTROLLER_SHARED_REFERENCES
  std::vector<hardware_interface::CommandInterface::SharedPtr>
  on_export_reference_interfaces_list() override;
  controller_interface::return_type
  update_reference_from_subscribers(const rclcpp::Time &time,
                                    const rclcpp::Duration &period) override;
#else
  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() override;
  controller_interface::return_type update_reference_from_subscribers() override;
#endif
  bool on_set_chained_mode(bool chained) override;

private:
  using Vector = std::array<double, 3>;
  using Rotation = std::array<double, 9>; // row by row
  using Goal = std::array<double, GOAL_NAMES.size()>;
  struct Base { // where a moving base is, and how it moves, along the axes of the world
    Vector p{}, linear{}, angular{};
    std::array<double, 4> q{1, 0, 0, 0}; // w x y z
  };

  /// What stops the controller; the words are those of the status topic.
  enum Fault {
    NONE,
    STATE_NOT_FINITE,
    BASE_UNKNOWN,
    BASE_LATE,
    GRAVITY_FAILED,
    SOLVE_FAILED,
    TORQUE_NOT_FINITE,
    NOT_COMMANDED
  };

  void open_library();
  void open_functions(const std::string &frame);
  void read_parameters();
  void open_topics();
  bool read_joints();
  bool read_base(double seconds);
  void read_frame();
  void keep_place();
  Goal references() const;
  void refer(const Goal &goal);
  void take_references();
  void demand();
  bool stand_still();
  bool solve();
  bool command();
  bool fail(Fault why);
  void tell();

  std::shared_ptr<ParamListener> listener_;
  Params parameters_;
  GeneratedLibrary library_;
  Function achd_, gravity_, fk_, fvk_;
  Field achd_q_, achd_qd_, achd_tau_art_, achd_b_, achd_tau_, gravity_q_, gravity_tau_, fk_q_,
      fk_pose_, fvk_q_, fvk_qd_, fvk_twist_;
  std::vector<Row> rows_;
  std::string base_frame_;
  bool along_link_ = false, moves_ = false, hold_ = true;
  std::vector<double> stiffness_, damping_, effort_, q_, qd_, tau_, still_;
  Vector p_{}, goal_p_{}, linear_{}, angular_{}, goal_linear_{}, goal_angular_{}, ahead_linear_{},
      ahead_angular_{};
  Rotation R_{}, goal_R_{};
  Base base_;
  double goal_age_ = 0, base_age_ = 0;
  bool base_known_ = false;
  unsigned bad_ = 0;
  Fault fault_ = NONE;

  Latest<Goal> asked_;
  Latest<Base> measured_;
  std::atomic<unsigned> told_status_{0};
  std::atomic<int> told_fault_{NONE};
  std::atomic<unsigned> refused_{0}; // messages that were no goals
  rclcpp::Subscription<geometry_msgs::msg::PoseStamped>::SharedPtr goal_topic_;
  rclcpp::Subscription<trajectory_msgs::msg::MultiDOFJointTrajectoryPoint>::SharedPtr point_topic_;
  rclcpp::Subscription<nav_msgs::msg::Odometry>::SharedPtr odometry_topic_;
  std::shared_ptr<rclcpp_lifecycle::LifecyclePublisher<diagnostic_msgs::msg::DiagnosticStatus>>
      status_topic_;
  rclcpp::TimerBase::SharedPtr timer_;
#ifdef ACHD_CONTROLLER_SHARED_REFERENCES
  std::vector<hardware_interface::CommandInterface::SharedPtr> shared_references_;
#endif
};

} // namespace achd_controller

#endif // ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_

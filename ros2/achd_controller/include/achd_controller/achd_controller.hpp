// achd_controller.hpp: a controller of ros2_control that moves a frame of the robot by acceleration constraints.
//
// Each cycle: pose and velocity of the frame (fk, fvk) give the acceleration along each row that a spring and a damper
// towards the goal ask for, b = stiffness e - damping v; the solver (achd) gives the joint torques that produce it, on top
// of gravity's. What the rows leave free is damped.
//
// A state that is no number, a result that is none: the torques of the last good gravity compensation stay commanded,
// without motion, and update() returns ERROR; on_deactivate leaves them to the hardware.
#ifndef ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_
#define ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_

#include <array>
#include <string>
#include <vector>

#include "achd_controller/generated_library.hpp"
#include "controller_interface/controller_interface.hpp"

namespace achd_controller {

class AchdController : public controller_interface::ControllerInterface {
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
  controller_interface::return_type update(const rclcpp::Time &time,
                                           const rclcpp::Duration &period) override;

private:
  using Vector = std::array<double, 3>;
  using Rotation = std::array<double, 9>; // row by row
  bool read_joints();
  void read_frame();
  void set_goal();
  void demand();
  bool stand_still();
  bool solve();
  void command();

  GeneratedLibrary library_;
  Function achd_, gravity_, fk_, fvk_;
  Field achd_q_, achd_qd_, achd_tau_art_, achd_b_, achd_tau_, gravity_q_, gravity_tau_, fk_q_,
      fk_pose_, fvk_q_, fvk_qd_, fvk_twist_;
  std::vector<Row> rows_;
  bool along_link_ = false, hold_ = true;
  std::vector<double> stiffness_, damping_, effort_, q_, qd_, tau_, still_;
  double joint_damping_ = 0, most_linear_ = 0, most_angular_ = 0;
  Vector p_{}, goal_p_{}, linear_{}, angular_{};
  Rotation R_{}, goal_R_{};
  unsigned bad_ = 0;
  bool failed_ = false;
};

} // namespace achd_controller

#endif // ACHD_CONTROLLER__ACHD_CONTROLLER_HPP_

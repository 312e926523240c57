// The part of ros2_control's controller_interface that the controller uses. See ../rclcpp/rclcpp.hpp.
#ifndef STUB_CONTROLLER_INTERFACE_HPP
#define STUB_CONTROLLER_INTERFACE_HPP

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/rclcpp.hpp"

namespace hardware_interface {

class LoanedStateInterface {
public:
  explicit LoanedStateInterface(const double *value) : value_(value) {}
#ifdef STUB_OPTIONAL // as in releases after Jazzy
  std::optional<double> get_optional() const {
    return *value_;
  }
#else
  double get_value() const {
    return *value_;
  }
#endif

private:
  const double *value_;
};

class LoanedCommandInterface {
public:
  explicit LoanedCommandInterface(double *value) : value_(value) {}
#ifdef STUB_HUMBLE
  void set_value(double value) {
    *value_ = value;
  }
#else
  [[nodiscard]] bool set_value(double value) {
    *value_ = value;
    return true;
  }
#endif

private:
  double *value_;
};

} // namespace hardware_interface

namespace controller_interface {

enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class return_type { OK, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };

struct InterfaceConfiguration {
  interface_configuration_type type;
  std::vector<std::string> names;
};

class ControllerInterface {
public:
  virtual ~ControllerInterface() = default;
  virtual CallbackReturn on_init() = 0;
  virtual InterfaceConfiguration command_interface_configuration() const = 0;
  virtual InterfaceConfiguration state_interface_configuration() const = 0;
  virtual CallbackReturn on_configure(const rclcpp_lifecycle::State &) {
    return CallbackReturn::SUCCESS;
  }
  virtual CallbackReturn on_activate(const rclcpp_lifecycle::State &) {
    return CallbackReturn::SUCCESS;
  }
  virtual CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) {
    return CallbackReturn::SUCCESS;
  }
  virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() const { return node_; }
  void assign_interfaces(std::vector<hardware_interface::LoanedCommandInterface> &&commands,
                         std::vector<hardware_interface::LoanedStateInterface> &&states) {
    command_interfaces_ = std::move(commands);
    state_interfaces_ = std::move(states);
  }

protected:
  template <typename T> T auto_declare(const std::string &name, const T &value) {
    const auto given = node_->overrides.find(name);
    node_->parameters[name] =
        given == node_->overrides.end() ? rclcpp::ParameterValue(value) : given->second;
    return std::get<T>(node_->parameters[name]);
  }
  std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;
  std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;

private:
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ =
      std::make_shared<rclcpp_lifecycle::LifecycleNode>();
};

} // namespace controller_interface

#endif

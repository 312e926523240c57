/* SPDX-License-Identifier: MIT */
// The part of ros2_control's controller_interface that the controller uses. See ../rclcpp/rclcpp.hpp.
#ifndef STUB_CHAINABLE_CONTROLLER_INTERFACE_HPP
#define STUB_CHAINABLE_CONTROLLER_INTERFACE_HPP

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hardware_interface/handle.hpp"
#include "rclcpp/rclcpp.hpp"

namespace controller_interface {

enum class CallbackReturn : std::uint8_t { SUCCESS = 97, FAILURE = 98, ERROR = 99 };
enum class return_type : std::uint8_t { OK = 0, ERROR = 1, DEACTIVATE = 2 };
enum class interface_configuration_type : std::uint8_t { ALL = 0, INDIVIDUAL = 1, NONE = 2 };

struct InterfaceConfiguration {
  interface_configuration_type type;
  std::vector<std::string> names;
};

class ControllerInterfaceBase {
public:
  virtual ~ControllerInterfaceBase() = default;
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
  virtual CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) {
    return CallbackReturn::SUCCESS;
  }
  virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() { return node_; }
#if STUB_DISTRIBUTION == 1
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() const {
    return node_;
  }
#else
  std::shared_ptr<const rclcpp_lifecycle::LifecycleNode> get_node() const {
    return node_;
  }
  const std::string &get_robot_description() const {
    return description_;
  }
#endif
  void assign_interfaces(std::vector<hardware_interface::LoanedCommandInterface> &&commands,
                         std::vector<hardware_interface::LoanedStateInterface> &&states) {
    command_interfaces_ = std::move(commands);
    state_interfaces_ = std::move(states);
  }
  void stub_describe(const std::string &text) {
    description_ = text;
  }

protected:
  std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;
  std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;

private:
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ =
      std::make_shared<rclcpp_lifecycle::LifecycleNode>();
  std::string description_;
};

class ChainableControllerInterface : public ControllerInterfaceBase {
public:
  return_type update(const rclcpp::Time &time, const rclcpp::Duration &period) final {
    if (!chained_) {
#if STUB_DISTRIBUTION == 1
      const return_type result = update_reference_from_subscribers();
#else
      const return_type result = update_reference_from_subscribers(time, period);
#endif
      if (result != return_type::OK) return result;
    }
    return update_and_write_commands(time, period);
  }
  bool set_chained_mode(bool chained) {
    if (!on_set_chained_mode(chained)) return false;
    chained_ = chained;
    return true;
  }
  bool is_in_chained_mode() const {
    return chained_;
  }

#if STUB_DISTRIBUTION == 1
  std::vector<hardware_interface::CommandInterface> export_reference_interfaces() {
    auto made = on_export_reference_interfaces();
    if (made.size() != reference_interfaces_.size()) throw std::runtime_error("storage");
    for (const auto &one : made)
      if (one.get_prefix_name() != get_node()->get_name()) throw std::runtime_error("prefix");
    return made;
  }
#else
  std::vector<hardware_interface::CommandInterface::SharedPtr> export_reference_interfaces() {
    if (!reference_interfaces_.empty()) throw std::runtime_error("storage");
    auto made = on_export_reference_interfaces_list();
    for (const auto &one : made)
      if (one->get_prefix_name().find(get_node()->get_name()) != 0)
        throw std::runtime_error("prefix");
    return made;
  }
#endif

protected:
#if STUB_DISTRIBUTION == 1
  virtual std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() = 0;
  virtual return_type update_reference_from_subscribers() = 0;
#else
  virtual std::vector<hardware_interface::CommandInterface::SharedPtr>
  on_export_reference_interfaces_list() {
    return {};
  }
  virtual return_type update_reference_from_subscribers(const rclcpp::Time &,
                                                        const rclcpp::Duration &) = 0;
#endif
  virtual bool on_set_chained_mode(bool) {
    return true;
  }
  virtual return_type update_and_write_commands(const rclcpp::Time &, const rclcpp::Duration &) = 0;
  std::vector<double> reference_interfaces_;

private:
  bool chained_ = false;
};

} // namespace controller_interface

#endif

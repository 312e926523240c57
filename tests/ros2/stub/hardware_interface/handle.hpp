/* SPDX-License-Identifier: MIT */
// Handles, and what controllers are lent of them. See ../rclcpp/rclcpp.hpp.
#ifndef STUB_HANDLE_HPP
#define STUB_HANDLE_HPP

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace hardware_interface {

#if STUB_DISTRIBUTION == 1
class CommandInterface {
public:
  CommandInterface(const std::string &prefix, const std::string &name, double *value)
      : prefix_(prefix), name_(name), value_(value) {}
  CommandInterface(const CommandInterface &) = delete;
  CommandInterface(CommandInterface &&) = default;
  std::string get_name() const { return prefix_ + "/" + name_; }
  const std::string &get_prefix_name() const { return prefix_; }
  void set_value(double value) { *value_ = value; }
  double get_value() const { return *value_; }

private:
  std::string prefix_, name_;
  double *value_;
};
#else
struct InterfaceInfo {
  std::string name, min, max, initial_value, data_type;
};
struct InterfaceDescription {
  InterfaceDescription(const std::string &prefix, const InterfaceInfo &info)
      : prefix_name(prefix), interface_info(info) {}
  std::string prefix_name;
  InterfaceInfo interface_info;
};
class CommandInterface {
public:
  using SharedPtr = std::shared_ptr<CommandInterface>;
  explicit CommandInterface(const InterfaceDescription &about) : about_(about) {}
  CommandInterface(const CommandInterface &) = delete;
  CommandInterface(CommandInterface &&) = default;
  std::string get_name() const { return about_.prefix_name + "/" + about_.interface_info.name; }
  const std::string &get_prefix_name() const { return about_.prefix_name; }
  template <typename T> [[nodiscard]] bool set_value(const T &value) {
    value_ = value;
    return true;
  }
  template <typename T = double> [[nodiscard]] std::optional<T> get_optional() const {
    return value_;
  }
#if STUB_DISTRIBUTION == 2
  [[deprecated]] double get_value() const {
    return value_;
  }
#endif

private:
  InterfaceDescription about_;
  double value_ = std::nan("");
};
#endif

class LoanedStateInterface {
public:
  explicit LoanedStateInterface(const double *value) : value_(value) {}
#if STUB_DISTRIBUTION == 1
  double get_value() const {
    return *value_;
  }
#else
#if STUB_DISTRIBUTION < 4
  [[deprecated]] double get_value() const {
    return *value_;
  }
#endif
  template <typename T = double> [[nodiscard]] std::optional<T> get_optional(unsigned = 10) const {
    return *value_;
  }
#endif

private:
  const double *value_;
};

class LoanedCommandInterface {
public:
  explicit LoanedCommandInterface(double *value) : value_(value) {}
#if STUB_DISTRIBUTION == 1
  void set_value(double value) {
    *value_ = value;
  }
#else
  template <typename T> [[nodiscard]] bool set_value(const T &value, unsigned = 10) {
    *value_ = value;
    return true;
  }
#endif

private:
  double *value_;
};

} // namespace hardware_interface

#endif

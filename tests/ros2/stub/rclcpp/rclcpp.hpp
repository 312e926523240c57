// The part of ROS 2's rclcpp and rclcpp_lifecycle that the controller uses, with the behaviour that it relies on: enough
// to compile and run it where ROS 2 is not installed. Written from the documented interfaces of Humble and Jazzy.
#ifndef STUB_RCLCPP_HPP
#define STUB_RCLCPP_HPP

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rclcpp {

class Time {};

class Duration {
public:
  explicit Duration(std::int64_t nanoseconds) : nanoseconds_(nanoseconds) {}
  double seconds() const { return 1e-9 * static_cast<double>(nanoseconds_); }

private:
  std::int64_t nanoseconds_;
};

class Logger {
public:
  mutable std::string last;
};

using ParameterValue = std::variant<std::string, double, std::vector<double>>;

class Parameter {
public:
  explicit Parameter(ParameterValue value) : value_(std::move(value)) {}
  std::string as_string() const { return as<std::string>(); }
  double as_double() const { return as<double>(); }
  std::vector<double> as_double_array() const { return as<std::vector<double>>(); }

private:
  template <typename T> T as() const {
    if (!std::holds_alternative<T>(value_)) throw std::runtime_error("parameter of another type");
    return std::get<T>(value_);
  }
  ParameterValue value_;
};

} // namespace rclcpp

namespace rclcpp_lifecycle {

class State {};

class LifecycleNode {
public:
  std::map<std::string, rclcpp::ParameterValue> overrides,
      parameters; // as from a YAML file; as declared
  rclcpp::Parameter get_parameter(const std::string &name) const {
    const auto found = parameters.find(name);
    if (found == parameters.end())
      throw std::runtime_error("parameter " + name + " is not declared");
    return rclcpp::Parameter(found->second);
  }
  const rclcpp::Logger &get_logger() const { return logger_; }

private:
  rclcpp::Logger logger_;
};

} // namespace rclcpp_lifecycle

template <typename... T>
void stub_log(const rclcpp::Logger &logger, const char *format, T... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  logger.last = text;
}

#define RCLCPP_ERROR(logger, ...) stub_log(logger, __VA_ARGS__)
#define RCLCPP_INFO(logger, ...) stub_log(logger, __VA_ARGS__)

#endif

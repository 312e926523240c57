/* SPDX-License-Identifier: MIT */
// The part of ROS 2's rclcpp and rclcpp_lifecycle that the controller uses, with the behaviour that it relies on: enough to
// compile and run it where ROS 2 is not installed. Written from the published interfaces of four distributions:
// STUB_DISTRIBUTION is 1 for Humble, 2 for Jazzy, 3 for Kilted, 4 for Rolling.
#ifndef STUB_RCLCPP_HPP
#define STUB_RCLCPP_HPP

#include <any>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
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

class QoS {
public:
  explicit QoS(std::size_t) {}
};

using ParameterValue = std::variant<std::string, double, std::vector<double>, bool>;

template <typename Message> class Subscription {
public:
  using SharedPtr = std::shared_ptr<Subscription>;
  std::function<void(std::shared_ptr<const Message>)> receive;
};

class TimerBase {
public:
  using SharedPtr = std::shared_ptr<TimerBase>;
  std::function<void()> call;
};

} // namespace rclcpp

namespace rclcpp_lifecycle {

class State {};

template <typename Message> class LifecyclePublisher {
public:
  void on_activate() { active_ = true; }
  void publish(const Message &message) {
    if (active_) last = message; // others are dropped
  }
  Message last;

private:
  bool active_ = false;
};

class LifecycleNode {
public:
  std::map<std::string, rclcpp::ParameterValue> overrides; // as from a YAML file
  const rclcpp::Logger &get_logger() const { return logger_; }
  const char *get_name() const { return "arm"; }
  template <typename Message, typename Callback>
  std::shared_ptr<rclcpp::Subscription<Message>>
  create_subscription(const std::string &topic, const rclcpp::QoS &, Callback callback) {
    auto made = std::make_shared<rclcpp::Subscription<Message>>();
    made->receive = callback;
    topics[topic] = made;
    return made;
  }
  template <typename Message>
  std::shared_ptr<LifecyclePublisher<Message>> create_publisher(const std::string &topic,
                                                                const rclcpp::QoS &) {
    auto made = std::make_shared<LifecyclePublisher<Message>>();
    topics[topic] = made;
    return made;
  }
  template <typename Period, typename Callback>
  rclcpp::TimerBase::SharedPtr create_wall_timer(Period, Callback callback) {
    auto made = std::make_shared<rclcpp::TimerBase>();
    made->call = callback;
    timer = made;
    return made;
  }

  // For the tests: the other ends.
  std::map<std::string, std::any> topics;
  std::weak_ptr<rclcpp::TimerBase> timer;
  template <typename Message> void send(const std::string &topic, const Message &message) {
    const auto found =
        std::any_cast<std::shared_ptr<rclcpp::Subscription<Message>>>(&topics[topic]);
    if (!found) throw std::runtime_error("nobody listens to " + topic);
    (*found)->receive(std::make_shared<const Message>(message));
  }
  template <typename Message> Message told(const std::string &topic) {
    const auto clock = timer.lock();
    if (clock) clock->call();
    return (*std::any_cast<std::shared_ptr<LifecyclePublisher<Message>>>(&topics[topic]))->last;
  }

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
#define RCLCPP_WARN(logger, ...) stub_log(logger, __VA_ARGS__)
#define RCLCPP_INFO(logger, ...) stub_log(logger, __VA_ARGS__)

#endif

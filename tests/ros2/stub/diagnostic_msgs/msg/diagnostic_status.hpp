/* SPDX-License-Identifier: MIT */
#ifndef STUB_DIAGNOSTIC_MSGS_HPP
#define STUB_DIAGNOSTIC_MSGS_HPP
#include <string>
#include <vector>
namespace diagnostic_msgs::msg {
struct KeyValue {
  std::string key, value;
};
struct DiagnosticStatus {
  static constexpr unsigned char OK = 0, WARN = 1, ERROR = 2, STALE = 3;
  unsigned char level = STALE;
  std::string name, message, hardware_id;
  std::vector<KeyValue> values;
};
} // namespace diagnostic_msgs::msg
#endif

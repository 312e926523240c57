/* SPDX-License-Identifier: MIT */
// latest.hpp: the newest message of a topic, from the thread that receives it to the control loop, which never waits.
#ifndef ACHD_CONTROLLER__LATEST_HPP_
#define ACHD_CONTROLLER__LATEST_HPP_

#include <mutex>

namespace achd_controller {

template <typename T> class Latest {
public:
  /// By the thread that receives.
  void set(const T &value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = value;
    fresh_ = true;
  }

  /// By the loop: true where there is a newer value than at the last call, which `value` then is. While a message is being
  /// written, that is in the next cycle.
  bool take(T &value) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !fresh_) return false;
    value = value_;
    fresh_ = false;
    return true;
  }

  void forget() {
    const std::lock_guard<std::mutex> lock(mutex_);
    fresh_ = false;
  }

private:
  std::mutex mutex_;
  T value_{};
  bool fresh_ = false;
};

} // namespace achd_controller

#endif // ACHD_CONTROLLER__LATEST_HPP_

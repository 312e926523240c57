/* SPDX-License-Identifier: MIT */
#ifndef STUB_TRAJECTORY_MSGS_HPP
#define STUB_TRAJECTORY_MSGS_HPP
#include "geometry_msgs/msg/pose_stamped.hpp"
namespace trajectory_msgs::msg {
struct MultiDOFJointTrajectoryPoint {
  using ConstSharedPtr = std::shared_ptr<const MultiDOFJointTrajectoryPoint>;
  std::vector<geometry_msgs::msg::Transform> transforms;
  std::vector<geometry_msgs::msg::Twist> velocities, accelerations;
};
} // namespace trajectory_msgs::msg
#endif

/* SPDX-License-Identifier: MIT */
#ifndef STUB_NAV_MSGS_HPP
#define STUB_NAV_MSGS_HPP
#include "geometry_msgs/msg/pose_stamped.hpp"
namespace nav_msgs::msg {
struct Odometry {
  using ConstSharedPtr = std::shared_ptr<const Odometry>;
  std_msgs::msg::Header header;
  std::string child_frame_id;
  geometry_msgs::msg::PoseWithCovariance pose;
  geometry_msgs::msg::TwistWithCovariance twist; // along the axes of child_frame_id
};
} // namespace nav_msgs::msg
#endif

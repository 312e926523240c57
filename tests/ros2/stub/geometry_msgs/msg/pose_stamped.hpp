/* SPDX-License-Identifier: MIT */
// The messages that the controller takes, with the fields of their definitions. See ../../rclcpp/rclcpp.hpp.
#ifndef STUB_GEOMETRY_MSGS_HPP
#define STUB_GEOMETRY_MSGS_HPP

#include <memory>
#include <string>
#include <vector>

namespace std_msgs::msg {
struct Header {
  std::string frame_id;
};
} // namespace std_msgs::msg

namespace geometry_msgs::msg {
struct Point {
  double x = 0, y = 0, z = 0;
};
struct Vector3 {
  double x = 0, y = 0, z = 0;
};
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;
};
struct Pose {
  Point position;
  Quaternion orientation;
};
struct PoseStamped {
  using ConstSharedPtr = std::shared_ptr<const PoseStamped>;
  std_msgs::msg::Header header;
  Pose pose;
};
struct Transform {
  Vector3 translation;
  Quaternion rotation;
};
struct Twist {
  Vector3 linear, angular;
};
struct PoseWithCovariance {
  Pose pose;
};
struct TwistWithCovariance {
  Twist twist;
};
} // namespace geometry_msgs::msg

#endif

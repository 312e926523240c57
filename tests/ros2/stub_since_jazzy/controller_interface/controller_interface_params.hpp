/* SPDX-License-Identifier: MIT */
#include "rclcpp/rclcpp.hpp" // a header that Humble does not have: see there

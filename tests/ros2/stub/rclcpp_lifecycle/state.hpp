/* SPDX-License-Identifier: MIT */
#include "rclcpp/rclcpp.hpp" // see there

#include "rclcpp/rclcpp.hpp" // see there

/* SPDX-License-Identifier: MIT */
// See ../rclcpp/rclcpp.hpp: the class is made by a function of the shared library in place of class_loader's registry.
#ifndef STUB_CLASS_LIST_MACROS_HPP
#define STUB_CLASS_LIST_MACROS_HPP
#define PLUGINLIB_EXPORT_CLASS(derived, base)                                                      \
  extern "C" base *stub_make();                                                                    \
  extern "C" base *stub_make() {                                                                   \
    return new derived;                                                                            \
  }
#endif

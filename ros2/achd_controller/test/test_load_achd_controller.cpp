/* SPDX-License-Identifier: MIT */
// The plugin is found by its description, and made.
#include <gtest/gtest.h>

#include <memory>

#include "controller_interface/chainable_controller_interface.hpp"
#include "pluginlib/class_loader.hpp"

TEST(TestLoadAchdController, load_controller) {
  pluginlib::ClassLoader<controller_interface::ChainableControllerInterface> loader(
      "controller_interface", "controller_interface::ChainableControllerInterface");
  std::shared_ptr<controller_interface::ChainableControllerInterface> controller;
  ASSERT_NO_THROW(controller = loader.createSharedInstance("achd_controller/AchdController"));
  ASSERT_NE(controller, nullptr);
}

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

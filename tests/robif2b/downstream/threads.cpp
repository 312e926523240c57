/* SPDX-License-Identifier: MIT */
// threads.cpp: a C++ program as generators of robot programs write them: the arm at 1 kHz, and a sensor and a gripper
// on serial lines, each read by a thread of its own that nothing but the line slows down.
#include <robif2b/functions/kinova_gen3.h>
#include <robif2b/functions/robotiq_ft_sensor.h>
#include <robif2b/functions/robotiq_gripper.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

struct sensor_state {
  bool success = false;
  float force[3] = {0}, force_offset[3] = {0}, moment[3] = {0}, moment_offset[3] = {0};
};

struct gripper_state {
  bool success = false, moving = false;
  uint8_t position = 0, goal = 0, speed = 255, force = 128;
  robif2b_robotiq_gripper_obj_status object = ROBIF2B_ROBOTIQ_OBJ_UNKNOWN;
  robif2b_robotiq_gripper_status status = ROBIF2B_ROBOTIQ_UNKNOWN;
  robif2b_robotiq_gripper_error error = ROBIF2B_ROBOTIQ_NO_ERROR;
};

int main() {
  constexpr int n = ROBIF2B_KINOVA_GEN3_NR_JOINTS;
  bool success = false;
  const double period = 0.001;
  robif2b_ctrl_mode mode = ROBIF2B_CTRL_MODE_FORCE;
  double q[n], qd[n], tau[n], current[n], hold[n], gyro[3], acceleration[3];
  robif2b_kinova_gen3_nbx arm{};
  arm.conf.ip_address = "192.168.1.10";
  arm.conf.port = 10000;
  arm.conf.port_real_time = 10001;
  arm.conf.user = "admin";
  arm.conf.password = "admin";
  arm.conf.session_timeout = 60000;
  arm.conf.connection_timeout = 2000;
  arm.cycle_time = &period;
  arm.ctrl_mode = &mode;
  arm.jnt_pos_msr = &q[0];
  arm.jnt_vel_msr = &qd[0];
  arm.jnt_trq_msr = &tau[0];
  arm.act_cur_msr = &current[0];
  arm.jnt_trq_cmd = &hold[0];
  arm.imu_ang_vel_msr = &gyro[0];
  arm.imu_lin_acc_msr = &acceleration[0];
  arm.success = &success;

  sensor_state feels;
  robif2b_robotiq_ft_sensor_nbx sensor{};
  sensor.serial.port = "/dev/ttyUSB0";
  sensor.serial.baudrate = 19200;
  sensor.serial.timeout_ms = 100;
  sensor.serial.slave_address = 9;
  sensor.force_msr = &feels.force[0];
  sensor.force_offset = &feels.force_offset[0];
  sensor.moment_msr = &feels.moment[0];
  sensor.moment_offset = &feels.moment_offset[0];
  sensor.success = &feels.success;

  gripper_state holds;
  robif2b_robotiq_gripper_nbx gripper{};
  gripper.serial.port = "/dev/ttyUSB1";
  gripper.serial.baudrate = 115200;
  gripper.serial.timeout_ms = 1000;
  gripper.serial.slave_address = 9;
  gripper.position_msr = &holds.position;
  gripper.is_gripper_moving = &holds.moving;
  gripper.obj_detection_status = &holds.object;
  gripper.gripper_status = &holds.status;
  gripper.position_cmd = &holds.goal;
  gripper.speed_cmd = &holds.speed;
  gripper.force_cmd = &holds.force;
  gripper.error = &holds.error;
  gripper.success = &holds.success;

  robif2b_kinova_gen3_configure(&arm);
  robif2b_kinova_gen3_recover(&arm);
  robif2b_kinova_gen3_start(&arm);
  if (!success) return 1;
  for (int j = 0; j < n; j++) hold[j] = -tau[j];
  robif2b_robotiq_gripper_configure(&gripper);
  robif2b_robotiq_ft_configure(&sensor);
  if (!holds.success || !feels.success) return 1;

  std::atomic<bool> ends{false};
  std::atomic<int> readings{0}, failed{0};
  holds.goal = 200;
  std::thread feeling([&] {
    while (!ends) {
      robif2b_robotiq_ft_update(&sensor);
      (feels.success ? readings : failed)++;
    }
  });
  std::thread holding([&] {
    while (!ends) {
      robif2b_robotiq_gripper_update(&gripper);
      if (!holds.success) failed++;
    }
  });
  int late = 0;
  for (int i = 0; i < 1000 && success; i++) {
    robif2b_kinova_gen3_update(&arm);
    while (readings == late && failed == 0) std::this_thread::yield();
    late = readings;
  }
  ends = true;
  feeling.join();
  holding.join();
  double fastest = 0;
  for (const double v : qd) fastest = std::fmax(fastest, std::fabs(v));
  const bool good = success && failed == 0 && fastest < 1e-3 && holds.position == 200;
  std::printf("%s: position %d, %d updates failed\n", good ? "held" : "moved", holds.position,
              failed.load());
  robif2b_kinova_gen3_stop(&arm);
  robif2b_kinova_gen3_shutdown(&arm);
  robif2b_robotiq_ft_shutdown(&sensor);
  robif2b_robotiq_gripper_shutdown(&gripper);
  return good ? 0 : 1;
}

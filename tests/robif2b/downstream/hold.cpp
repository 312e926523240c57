/* SPDX-License-Identifier: MIT */
// hold.cpp: a C++ program holds the arm by the opposite of what it measures.
#include <robif2b/functions/kinova_gen3.h>

#include <array>
#include <cmath>
#include <cstdio>

int main() {
  constexpr int n = ROBIF2B_KINOVA_GEN3_NR_JOINTS;
  bool success = false;
  double cycle_time = 0.001;
  robif2b_ctrl_mode mode = ROBIF2B_CTRL_MODE_FORCE;
  std::array<double, n> q{}, qd{}, tau{}, current{}, hold{};
  std::array<double, 3> gyro{}, acceleration{};
  robif2b_kinova_gen3_nbx arm = {.conf = {.ip_address = "192.168.1.10",
                                          .port = 10000,
                                          .port_real_time = 10001,
                                          .user = "admin",
                                          .password = "admin",
                                          .session_timeout = 60000,
                                          .connection_timeout = 2000},
                                 .cycle_time = &cycle_time,
                                 .ctrl_mode = &mode,
                                 .jnt_pos_msr = q.data(),
                                 .jnt_vel_msr = qd.data(),
                                 .jnt_trq_msr = tau.data(),
                                 .act_cur_msr = current.data(),
                                 .jnt_trq_cmd = hold.data(),
                                 .imu_ang_vel_msr = gyro.data(),
                                 .imu_lin_acc_msr = acceleration.data(),
                                 .success = &success};
  robif2b_kinova_gen3_configure(&arm);
  for (int j = 0; j < n; j++) hold[j] = -tau[j];
  if (success) robif2b_kinova_gen3_start(&arm);
  for (int i = 0; i < 1000 && success; i++) robif2b_kinova_gen3_update(&arm);
  double fastest = 0;
  for (const double v : qd) fastest = std::fmax(fastest, std::fabs(v));
  std::printf("%s\n", success && fastest < 1e-3 ? "held" : "moved");
  robif2b_kinova_gen3_shutdown(&arm);
  return success ? 0 : 1;
}

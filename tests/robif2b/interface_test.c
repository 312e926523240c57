/* SPDX-License-Identifier: MIT */
/* interface_test.c: names, types and order of the ports, values of the enumerations and types of the
 * functions are those of the maintained fork of robif2b, so that programs compile against either.
 * What is compared are facts of its headers, written down here once more. */
#include <robif2b/functions/eddie_power_board.h>
#include <robif2b/functions/freddy_2_power_board.h>
#include <robif2b/functions/kinova_gen3.h>
#include <robif2b/functions/robotiq_ft_sensor.h>
#include <robif2b/functions/robotiq_gripper.h>

#include "test.h"

#include <stddef.h>

/* One after the other: each port has its type, and stands behind the one before. */
#define BEGIN(name)                                                                                \
  {                                                                                                \
    typedef struct name ports;                                                                     \
    size_t end = 0;
#define PORT(type, field)                                                                          \
  CHECK(_Generic(((ports *)NULL)->field, type : true, default : false));                           \
  CHECK(offsetof(ports, field) >= end && offsetof(ports, field) < end + sizeof(double));           \
  end = offsetof(ports, field) + sizeof(((ports *)NULL)->field);
#define END()                                                                                      \
  CHECK(end <= sizeof(ports) && sizeof(ports) < end + sizeof(double));                             \
  }

static void ports_of_low_level_control(void) {
  BEGIN(robif2b_kinova_gen3_config)
  PORT(const char *, ip_address)
  PORT(int, port)
  PORT(int, port_real_time)
  PORT(const char *, user)
  PORT(const char *, password)
  PORT(int, session_timeout)
  PORT(int, connection_timeout)
  END()
  BEGIN(robif2b_kinova_gen3_nbx)
  PORT(struct robif2b_kinova_gen3_config, conf)
  PORT(const double *, cycle_time)
  PORT(enum robif2b_ctrl_mode *, ctrl_mode)
  PORT(double *, jnt_pos_msr)
  PORT(double *, jnt_vel_msr)
  PORT(double *, jnt_trq_msr)
  PORT(double *, act_cur_msr)
  PORT(const double *, jnt_pos_cmd)
  PORT(const double *, jnt_vel_cmd)
  PORT(const double *, jnt_trq_cmd)
  PORT(const double *, act_cur_cmd)
  PORT(double *, imu_ang_vel_msr)
  PORT(double *, imu_lin_acc_msr)
  PORT(double *, jnt_volt_msr)
  PORT(double *, jnt_temp_motor_msr)
  PORT(double *, jnt_temp_core_msr)
  PORT(double *, jnt_comm_jitter_msr)
  PORT(double *, arm_volt_msr)
  PORT(double *, arm_cur_msr)
  PORT(double *, cpu_temp_msr)
  PORT(double *, ambient_temp_msr)
  PORT(double *, icm_imu_ang_vel_msr)
  PORT(double *, icm_imu_lin_acc_msr)
  PORT(uint32_t *, fault_flags)
  PORT(uint32_t *, warning_flags)
  PORT(uint32_t *, jnt_fault_flags)
  PORT(uint32_t *, jnt_warning_flags)
  PORT(enum robif2b_kinova_arm_state *, arm_state)
  PORT(enum robif2b_kinova_gen3_error *, error)
  PORT(bool *, success)
  PORT(struct robif2b_kinova_gen3_comm *, comm)
  PORT(enum robif2b_ctrl_mode, ctrl_mode_prev)
  END()
}

static void ports_of_high_level_control(void) {
  BEGIN(robif2b_kinova_gen3_hl_nbx)
  PORT(struct robif2b_kinova_gen3_config, conf)
  PORT(enum robif2b_hl_ctrl_mode *, ctrl_mode)
  PORT(enum robif2b_kinova_cart_ref_frame *, reference_frame)
  PORT(enum robif2b_kinova_cart_wrench_mode *, wrench_mode)
  PORT(double *, jnt_pos_msr)
  PORT(double *, jnt_vel_msr)
  PORT(double *, jnt_trq_msr)
  PORT(double *, act_cur_msr)
  PORT(double *, imu_ang_vel_msr)
  PORT(double *, imu_lin_acc_msr)
  PORT(double *, tool_ext_wrench_msr)
  PORT(const double *, twist_cmd)
  PORT(const double *, wrench_cmd)
  PORT(bool *, success)
  PORT(struct robif2b_kinova_gen3_comm *, comm)
  END()
}

static void ports_of_grippers_and_sensors(void) {
  BEGIN(robif2b_kg3_robotiq_gripper_nbx)
  PORT(float *, gripper_pos_msr)
  PORT(float *, gripper_vel_msr)
  PORT(float *, gripper_cur_msr)
  PORT(float *, gripper_pos_cmd)
  PORT(float *, gripper_vel_cmd)
  PORT(float *, gripper_frc_cmd)
  PORT(bool *, success)
  PORT(struct robif2b_kinova_gen3_comm *, comm)
  END()
  BEGIN(robif2b_serial_config)
  PORT(const char *, port)
  PORT(uint32_t, baudrate)
  PORT(double, timeout_ms)
  PORT(uint8_t, slave_address)
  END()
  BEGIN(robif2b_robotiq_ft_sensor_nbx)
  PORT(struct robif2b_serial_config, serial)
  PORT(float *, force_msr)
  PORT(float *, force_offset)
  PORT(float *, moment_msr)
  PORT(float *, moment_offset)
  PORT(bool *, success)
  PORT(struct robif2b_robotiq_ft_sensor_comm *, comm)
  END()
  BEGIN(robif2b_robotiq_gripper_config) /* as the fork's first version has it */
  PORT(const char *, port)
  PORT(uint32_t, baudrate)
  PORT(double, timeout_ms)
  PORT(uint8_t, slave_address)
  END()
  BEGIN(robif2b_robotiq_gripper_nbx)
  PORT(struct robif2b_serial_config, serial)
  PORT(uint8_t *, position_msr)
  PORT(bool *, is_gripper_moving)
  PORT(enum robif2b_robotiq_gripper_obj_status *, obj_detection_status)
  PORT(enum robif2b_robotiq_gripper_status *, gripper_status)
  PORT(uint8_t *, position_cmd)
  PORT(uint8_t *, speed_cmd)
  PORT(uint8_t *, force_cmd)
  PORT(enum robif2b_robotiq_gripper_error *, error)
  PORT(bool *, success)
  PORT(struct robif2b_robotiq_gripper_comm *, comm)
  PORT(double *, current_msr)
  END()
  CHECK(offsetof(struct robif2b_robotiq_gripper_nbx, conf.slave_address) ==
        offsetof(struct robif2b_robotiq_gripper_nbx, serial.slave_address));
}

static void ports_of_power_boards(void) {
  BEGIN(robif2b_eddie_power_board)
  PORT(const struct robif2b_eddie_power_board_api_msr_pdo *, msr_pdo)
  PORT(struct robif2b_eddie_power_board_api_cmd_pdo *, cmd_pdo)
  PORT(uint64_t *, time_stamp)
  PORT(uint16_t *, status)
  PORT(double *, voltage_msr)
  PORT(double *, current_msr)
  PORT(double *, power_msr)
  END()
  BEGIN(robif2b_freddy_2_power_board)
  PORT(const struct robif2b_freddy_2_power_board_api_msr_pdo *, msr_pdo)
  PORT(struct robif2b_freddy_2_power_board_api_cmd_pdo *, cmd_pdo)
  PORT(uint64_t *, time_stamp)
  PORT(uint16_t *, status)
  PORT(double *, voltage_msr)
  PORT(double *, current_msr)
  PORT(double *, power_msr)
  END()
  CHECK(sizeof(struct robif2b_eddie_power_board_api_msr_pdo) == 30);
  CHECK(sizeof(struct robif2b_freddy_2_power_board_api_msr_pdo) == 30);
  CHECK(sizeof(struct robif2b_eddie_power_board_api_cmd_pdo) == 6 && COMMAND_DISABLE == 0);
  CHECK(offsetof(struct robif2b_eddie_power_board_api_msr_pdo, time_stamp) == 2);
  CHECK(offsetof(struct robif2b_eddie_power_board_api_msr_pdo, current) == 10);
  CHECK(offsetof(struct robif2b_eddie_power_board_api_msr_pdo, voltage) == 14);
  CHECK(offsetof(struct robif2b_eddie_power_board_api_msr_pdo, power) == 18);
  CHECK(offsetof(struct robif2b_eddie_power_board_api_msr_pdo, param2) == 26);
}

#define VALUES(...)                                                                                \
  {                                                                                                \
    const int values[] = {__VA_ARGS__};                                                            \
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) CHECK(values[i] == (int)i);        \
  }

static void values_of_the_enumerations(void) {
  VALUES(ROBIF2B_CTRL_MODE_POSITION, ROBIF2B_CTRL_MODE_VELOCITY, ROBIF2B_CTRL_MODE_FORCE,
         ROBIF2B_CTRL_MODE_CURRENT)
  VALUES(ROBIF2B_HL_CTRL_MODE_TWIST, ROBIF2B_HL_CTRL_MODE_WRENCH)
  VALUES(ROBIF2B_KINOVA_CART_REF_FRAME_BASE, ROBIF2B_KINOVA_CART_REF_FRAME_TOOL,
         ROBIF2B_KINOVA_CART_REF_FRAME_MIXED)
  VALUES(ROBIF2B_KINOVA_CART_WRENCH_MODE_RESTRICTED, ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL)
  VALUES(ROBIF2B_KINOVA_NO_ERROR, ROBIF2B_KINOVA_ERR_MEMORY, ROBIF2B_KINOVA_ERR_CONNECTION,
         ROBIF2B_KINOVA_ERR_SESSION, ROBIF2B_KINOVA_ERR_SERVOING_MODE, ROBIF2B_KINOVA_ERR_CTRL_MODE,
         ROBIF2B_KINOVA_ERR_READ, ROBIF2B_KINOVA_ERR_WRITE, ROBIF2B_KINOVA_ERR_FAULT_CLEAR,
         ROBIF2B_KINOVA_ERR_UNKNOWN)
  VALUES(ROBIF2B_KINOVA_ARM_STATE_UNSPECIFIED, ROBIF2B_KINOVA_ARM_STATE_BASE_INITIALIZATION,
         ROBIF2B_KINOVA_ARM_STATE_IDLE, ROBIF2B_KINOVA_ARM_STATE_INITIALIZATION,
         ROBIF2B_KINOVA_ARM_STATE_IN_FAULT, ROBIF2B_KINOVA_ARM_STATE_MAINTENANCE,
         ROBIF2B_KINOVA_ARM_STATE_SERVOING_LOW_LEVEL, ROBIF2B_KINOVA_ARM_STATE_SERVOING_READY,
         ROBIF2B_KINOVA_ARM_STATE_SERVOING_SEQUENCE, ROBIF2B_KINOVA_ARM_STATE_SERVOING_MANUAL)
  VALUES(ROBIF2B_ROBOTIQ_OBJ_MOVING, ROBIF2B_ROBOTIQ_OBJ_DETECTED_OPENING,
         ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING, ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION,
         ROBIF2B_ROBOTIQ_OBJ_UNKNOWN)
  VALUES(ROBIF2B_ROBOTIQ_RESET, ROBIF2B_ROBOTIQ_IN_PROGRESS, ROBIF2B_ROBOTIQ_COMPLETED,
         ROBIF2B_ROBOTIQ_UNKNOWN)
  VALUES(ROBIF2B_ROBOTIQ_NO_ERROR, ROBIF2B_ROBOTIQ_ERR_MEMORY, ROBIF2B_ROBOTIQ_ERR_CONNECTION,
         ROBIF2B_ROBOTIQ_ERR_DEACTIVATION, ROBIF2B_ROBOTIQ_ERR_ACTIVATION, ROBIF2B_ROBOTIQ_ERR_READ,
         ROBIF2B_ROBOTIQ_ERR_WRITE)
}

static void types_of_the_functions(void) {
  typedef struct robif2b_kinova_gen3_nbx arm;
  typedef struct robif2b_kinova_gen3_hl_nbx high;
  typedef struct robif2b_kg3_robotiq_gripper_nbx behind;
  void (*const low_level[])(arm *) = {robif2b_kinova_gen3_configure,
                                      robif2b_kinova_gen3_shutdown,
                                      robif2b_kinova_gen3_start,
                                      robif2b_kinova_gen3_stop,
                                      robif2b_kinova_gen3_recover,
                                      robif2b_kinova_gen3_update,
                                      publish_measurement};
  void (*const high_level[])(high *) = {robif2b_kinova_gen3_hl_configure,
                                        robif2b_kinova_gen3_hl_shutdown,
                                        robif2b_kinova_gen3_hl_start,
                                        robif2b_kinova_gen3_hl_stop,
                                        robif2b_kinova_gen3_hl_recover,
                                        robif2b_kinova_gen3_hl_update,
                                        publish_hl_measurement};
  void (*const connect)(behind *, arm *) = robif2b_kg3_robotiq_gripper_configure;
  void (*const gripper[])(behind *) = {
      robif2b_kg3_robotiq_gripper_start, robif2b_kg3_robotiq_gripper_stop,
      robif2b_kg3_robotiq_gripper_update, publish_gripper_measurement};
  void (*const sensor[])(struct robif2b_robotiq_ft_sensor_nbx *) = {
      robif2b_robotiq_ft_configure, robif2b_robotiq_ft_shutdown, robif2b_robotiq_ft_update,
      robif2b_robotiq_ft_zero};
  void (*const serial[])(struct robif2b_robotiq_gripper_nbx *) = {robif2b_robotiq_gripper_configure,
                                                                  robif2b_robotiq_gripper_shutdown,
                                                                  robif2b_robotiq_gripper_update};
  void (*const eddie)(struct robif2b_eddie_power_board *) = robif2b_eddie_power_board_update;
  void (*const freddy)(struct robif2b_freddy_2_power_board *) = robif2b_freddy_2_power_board_update;
  CHECK(low_level[6] && high_level[6] && connect && gripper[3] && sensor[3] && serial[2] && eddie &&
        freddy);
}

int main(void) {
  RUN(ports_of_low_level_control);
  RUN(ports_of_high_level_control);
  RUN(ports_of_grippers_and_sensors);
  RUN(ports_of_power_boards);
  RUN(values_of_the_enumerations);
  RUN(types_of_the_functions);
  return test_end();
}

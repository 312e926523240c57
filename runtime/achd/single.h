/* SPDX-License-Identifier: MIT */
/* single.h: the names of the float build, one line per function, made by runtime/single.sh. real.h
 * includes it. */
#ifndef ACHD_SINGLE_H
#define ACHD_SINGLE_H

/* abag.h */
#define achd_abag_valid achdf_abag_valid
#define achd_abag_reset achdf_abag_reset
#define achd_abag_step achdf_abag_step

/* base.h */
#define achd_base_start achdf_base_start
#define achd_base_step achdf_base_step

/* capsule.h */
#define achd_capsules_valid achdf_capsules_valid
#define achd_capsule_watch_valid achdf_capsule_watch_valid
#define achd_segment_distance achdf_segment_distance
#define achd_capsules_nearest achdf_capsules_nearest

/* chatter.h */
#define achd_chatter_watch achdf_chatter_watch

/* contact.h */
#define achd_contact_solve achdf_contact_solve
#define achd_contact_check achdf_contact_check

/* identify.h */
#define achd_identify_reset achdf_identify_reset
#define achd_identify_add achdf_identify_add
#define achd_identify_solve achdf_identify_solve
#define achd_identify_filter_reset achdf_identify_filter_reset
#define achd_identify_step achdf_identify_step
#define achd_identify_body achdf_identify_body

/* ik.h */
#define achd_ik_solve achdf_ik_solve

/* impedance.h */
#define achd_joint_impedance_torque achdf_joint_impedance_torque
#define achd_turn achdf_turn
#define achd_cartesian_impedance_wrench achdf_cartesian_impedance_wrench

/* limit.h */
#define achd_limit_most achdf_limit_most
#define achd_limit_stop achdf_limit_stop
#define achd_area_rows achdf_area_rows
#define achd_area_speed achdf_area_speed
#define achd_bump_force achdf_bump_force
#define achd_bump_speed achdf_bump_speed

/* load.h */
#define achd_window_put achdf_window_put
#define achd_window_examine achdf_window_examine
#define achd_load_reset achdf_load_reset
#define achd_load_step achdf_load_step
#define achd_load_update achdf_load_update
#define achd_load_update_by achdf_load_update_by
#define achd_payload_add achdf_payload_add
#define achd_payload_solve achdf_payload_solve
#define achd_payload_carry achdf_payload_carry

/* log.h */
#define achd_log_start achdf_log_start
#define achd_log_put achdf_log_put
#define achd_log_rows achdf_log_rows
#define achd_log_row achdf_log_row
#define achd_log_drop achdf_log_drop
#define achd_signal_name achdf_signal_name
#define achd_cycle_times_start achdf_cycle_times_start
#define achd_cycle_times_put achdf_cycle_times_put
#define achd_cycle_times_percentile achdf_cycle_times_percentile

/* log_file.h */
#define achd_log_file_open achdf_log_file_open
#define achd_log_file_write achdf_log_file_write
#define achd_log_file_close achdf_log_file_close

/* loop.h */
#define achd_loop_start achdf_loop_start
#define achd_loop_raise achdf_loop_raise
#define achd_loop_rearm achdf_loop_rearm
#define achd_loop_tare achdf_loop_tare
#define achd_loop_cycle achdf_loop_cycle

/* loop_load.h */
#define achd_loop_load_start achdf_loop_load_start
#define achd_loop_load_step achdf_loop_load_step

/* loop_log.h */
#define achd_loop_signals achdf_loop_signals
#define achd_loop_values achdf_loop_values

/* machine.h */
#define achd_machine_start achdf_machine_start
#define achd_machine_raise achdf_machine_raise
#define achd_machine_pending achdf_machine_pending
#define achd_machine_latched achdf_machine_latched
#define achd_machine_step achdf_machine_step

/* mclp.h */
#define achd_mclp achdf_mclp
#define achd_mclp_least_torque achdf_mclp_least_torque
#define achd_mclp_check_least_torque achdf_mclp_check_least_torque
#define achd_mclp_check achdf_mclp_check

/* move.h */
#define achd_move_plan achdf_move_plan
#define achd_move_at achdf_move_at
#define achd_move_path_plan achdf_move_path_plan
#define achd_move_path_at achdf_move_path_at
#define achd_move_path_time achdf_move_path_time

/* object.h */
#define achd_object_tool achdf_object_tool
#define achd_object_command achdf_object_command

/* observer.h */
#define achd_observer_reset achdf_observer_reset
#define achd_observer_step achdf_observer_step
#define achd_contact_release achdf_contact_release
#define achd_contact_step achdf_contact_step
#define achd_contact_locate achdf_contact_locate
#define achd_contact_mass achdf_contact_mass
#define achd_response_torques achdf_response_torques
#define achd_response_speed achdf_response_speed

/* pid.h */
#define achd_pid_reset achdf_pid_reset
#define achd_pid_step achdf_pid_step
#define achd_cascade achdf_cascade

/* platform.h */
#define achd_drive_wheel_forces achdf_drive_wheel_forces
#define achd_drive_pivot_force achdf_drive_pivot_force
#define achd_drive_pivot_velocity achdf_drive_pivot_velocity
#define achd_platform_wheel_torques achdf_platform_wheel_torques
#define achd_platform_twist achdf_platform_twist
#define achd_platform_advance achdf_platform_advance

/* predict.h */
#define achd_pose_predict achdf_pose_predict
#define achd_joint_ahead achdf_joint_ahead
#define achd_joint_braking achdf_joint_braking

/* qp.h */
#define achd_qp achdf_qp
#define achd_qp_friction achdf_qp_friction
#define achd_qp_check achdf_qp_check

/* smooth.h */
#define achd_smooth_force achdf_smooth_force
#define achd_smooth_motion achdf_smooth_motion

/* spatial.h */
#define achd_rotate achdf_rotate
#define achd_rotate_back achdf_rotate_back
#define achd_rotation_product achdf_rotation_product
#define achd_rotation_quotient achdf_rotation_quotient
#define achd_pose_product achdf_pose_product
#define achd_pose_relative achdf_pose_relative
#define achd_wrench_shift achdf_wrench_shift
#define achd_rotation_exp achdf_rotation_exp
#define achd_rotation_log achdf_rotation_log
#define achd_pose_difference achdf_pose_difference
#define achd_twist_difference achdf_twist_difference

/* task.h */
#define achd_task_valid achdf_task_valid
#define achd_task_start achdf_task_start
#define achd_task_follow achdf_task_follow
#define achd_task_expect achdf_task_expect
#define achd_task_next_section achdf_task_next_section
#define achd_task_watch achdf_task_watch
#define achd_task_examine achdf_task_examine
#define achd_task_control achdf_task_control

/* tool_watch.h */
#define achd_tool_bounds_of achdf_tool_bounds_of
#define achd_tool_bounds_valid achdf_tool_bounds_valid
#define achd_tool_watch_step achdf_tool_watch_step

/* vehicle.h */
#define achd_vehicle_twist achdf_vehicle_twist
#define achd_vehicle_rates achdf_vehicle_rates
#define achd_vehicle_torques achdf_vehicle_torques

/* wrench.h */
#define achd_wrench_valid achdf_wrench_valid
#define achd_wrench_take achdf_wrench_take
#define achd_wrench_load achdf_wrench_load
#define achd_wrench_feed achdf_wrench_feed
#define achd_wrench_tare achdf_wrench_tare

/* contact_solver.h */
#define achd_contact_gradient achdf_contact_gradient
#define achd_contact_factor achdf_contact_factor
#define achd_contact_substitute achdf_contact_substitute
#define achd_contact_path achdf_contact_path

/* dispatch.h */
#define achd_qp_avx2 achdf_qp_avx2
#define achd_contact_solve_avx2 achdf_contact_solve_avx2

/* least_norm.h */
#define achd_least_norm achdf_least_norm
#define achd_least_torque achdf_least_torque

/* loop_joints.h */
#define achd_loop_plausible achdf_loop_plausible
#define achd_loop_stuck achdf_loop_stuck
#define achd_loop_predict achdf_loop_predict
#define achd_loop_motors_work achdf_loop_motors_work
#define achd_loop_forget_motor achdf_loop_forget_motor
#define achd_loop_slows achdf_loop_slows

/* loop_move.h */
#define achd_loop_move_valid achdf_loop_move_valid
#define achd_loop_move_step achdf_loop_move_step
#define achd_loop_moved achdf_loop_moved

/* loop_wrench.h */
#define achd_loop_take_wrench achdf_loop_take_wrench
#define achd_loop_predict_wrench achdf_loop_predict_wrench
#define achd_loop_damp achdf_loop_damp
#define achd_loop_accelerate achdf_loop_accelerate
#define achd_loop_wrench_shows achdf_loop_wrench_shows
#define achd_loop_bears_elsewhere achdf_loop_bears_elsewhere
#define achd_loop_is_pushed achdf_loop_is_pushed

/* qp_solver.h */
#define achd_qp_good_size achdf_qp_good_size
#define achd_qp_factor achdf_qp_factor
#define achd_qp_slope achdf_qp_slope
#define achd_qp_clear achdf_qp_clear
#define achd_qp_project achdf_qp_project
#define achd_qp_enter achdf_qp_enter
#define achd_qp_leave achdf_qp_leave
#define achd_qp_solve_r achdf_qp_solve_r
#define achd_qp_solve_r_transposed achdf_qp_solve_r_transposed
#define achd_qp_solve_l achdf_qp_solve_l
#define achd_qp_solve_l_transposed achdf_qp_solve_l_transposed
#define achd_qp_times_q_transposed achdf_qp_times_q_transposed
#define achd_qp_add_q achdf_qp_add_q
#define achd_qp_hold achdf_qp_hold
#define achd_qp_run achdf_qp_run
#define achd_qp_go_on achdf_qp_go_on
#define achd_qp_name_sides achdf_qp_name_sides
#define achd_qp_name_multipliers achdf_qp_name_multipliers
#define achd_qp_solve_levels achdf_qp_solve_levels
#define achd_qp_fall_back achdf_qp_fall_back
#define achd_qp_turn_signs achdf_qp_turn_signs
#define achd_qp_rebalance achdf_qp_rebalance

/* task_error.h */
#define achd_task_error_now achdf_task_error_now
#define achd_task_held_angle achdf_task_held_angle

#endif

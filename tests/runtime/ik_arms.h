/* SPDX-License-Identifier: MIT */
/* ik_arms.h: arms whose inverse kinematics are tested and measured: their generated fk and jac, and the limits of their URDFs. */
#ifndef IK_ARMS_H
#define IK_ARMS_H

#include <achd/ik.h>

#include <math.h>

#ifdef ACHD_SINGLE
#include "ik_gen3f.h"
ACHD_IK_ROBOT(gen3f, GEN3F, tool_frame);
#define gen3_ik_kinematics gen3f_ik_kinematics
#else
#include "ik_gen3.h"
#include "ik_iiwa7.h"
#include "ik_lwr4.h"
#include "ik_puma560.h"
#include "ik_youbot_arm.h"
ACHD_IK_ROBOT(gen3, GEN3, tool_frame);
ACHD_IK_ROBOT(iiwa7, IIWA7, iiwa_link_ee);
ACHD_IK_ROBOT(lwr4, LWR4, lwr_7_link);
ACHD_IK_ROBOT(puma560, PUMA560, link_6);
ACHD_IK_ROBOT(youbot_arm, YOUBOT_ARM, gripper_palm_link);
#endif

#define BETWEEN(low, high)                                                                         \
  { (achd_real)(low), (achd_real)(high), false }
#define ENDLESS                                                                                    \
  { -ACHD_INFINITY, ACHD_INFINITY, false }

static const achd_ik_joint gen3_ik_joints[] = {
    ENDLESS, BETWEEN(-2.24, 2.24), ENDLESS, BETWEEN(-2.57, 2.57),
    ENDLESS, BETWEEN(-2.09, 2.09), ENDLESS};
#ifndef ACHD_SINGLE
static const achd_ik_joint iiwa7_ik_joints[] = {
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_1, IIWA7_UPPER_IIWA_JOINT_1),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_2, IIWA7_UPPER_IIWA_JOINT_2),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_3, IIWA7_UPPER_IIWA_JOINT_3),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_4, IIWA7_UPPER_IIWA_JOINT_4),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_5, IIWA7_UPPER_IIWA_JOINT_5),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_6, IIWA7_UPPER_IIWA_JOINT_6),
    BETWEEN(IIWA7_LOWER_IIWA_JOINT_7, IIWA7_UPPER_IIWA_JOINT_7)};
static const achd_ik_joint lwr4_ik_joints[] = {
    BETWEEN(LWR4_LOWER_LWR_A1_JOINT, LWR4_UPPER_LWR_A1_JOINT),
    BETWEEN(LWR4_LOWER_LWR_A2_JOINT, LWR4_UPPER_LWR_A2_JOINT),
    BETWEEN(LWR4_LOWER_LWR_E1_JOINT, LWR4_UPPER_LWR_E1_JOINT),
    BETWEEN(LWR4_LOWER_LWR_A3_JOINT, LWR4_UPPER_LWR_A3_JOINT),
    BETWEEN(LWR4_LOWER_LWR_A4_JOINT, LWR4_UPPER_LWR_A4_JOINT),
    BETWEEN(LWR4_LOWER_LWR_A5_JOINT, LWR4_UPPER_LWR_A5_JOINT),
    BETWEEN(LWR4_LOWER_LWR_A6_JOINT, LWR4_UPPER_LWR_A6_JOINT)};
static const achd_ik_joint puma560_ik_joints[] = {
    BETWEEN(PUMA560_LOWER_JOINT_1, PUMA560_UPPER_JOINT_1),
    BETWEEN(PUMA560_LOWER_JOINT_2, PUMA560_UPPER_JOINT_2),
    BETWEEN(PUMA560_LOWER_JOINT_3, PUMA560_UPPER_JOINT_3),
    BETWEEN(PUMA560_LOWER_JOINT_4, PUMA560_UPPER_JOINT_4),
    BETWEEN(PUMA560_LOWER_JOINT_5, PUMA560_UPPER_JOINT_5),
    BETWEEN(PUMA560_LOWER_JOINT_6, PUMA560_UPPER_JOINT_6)};
static const achd_ik_joint youbot_arm_ik_joints[] = {
    BETWEEN(YOUBOT_ARM_LOWER_ARM_JOINT_1, YOUBOT_ARM_UPPER_ARM_JOINT_1),
    BETWEEN(YOUBOT_ARM_LOWER_ARM_JOINT_2, YOUBOT_ARM_UPPER_ARM_JOINT_2),
    BETWEEN(YOUBOT_ARM_LOWER_ARM_JOINT_3, YOUBOT_ARM_UPPER_ARM_JOINT_3),
    BETWEEN(YOUBOT_ARM_LOWER_ARM_JOINT_4, YOUBOT_ARM_UPPER_ARM_JOINT_4),
    BETWEEN(YOUBOT_ARM_LOWER_ARM_JOINT_5, YOUBOT_ARM_UPPER_ARM_JOINT_5)};
#endif

typedef struct ik_arm {
  const char *name;
  achd_ik_robot robot;
} ik_arm;

static const ik_arm ik_arms[] = {
    {"gen3", {7, gen3_ik_joints, gen3_ik_kinematics, 0}},
#ifndef ACHD_SINGLE
    {"iiwa7", {7, iiwa7_ik_joints, iiwa7_ik_kinematics, 0}},
    {"lwr4", {7, lwr4_ik_joints, lwr4_ik_kinematics, 0}},
    {"puma560", {6, puma560_ik_joints, puma560_ik_kinematics, 0}},
    {"youbot_arm", {5, youbot_arm_ik_joints, youbot_arm_ik_kinematics, 0}},
#endif
};
enum { IK_ARMS = sizeof ik_arms / sizeof ik_arms[0] };

#endif

/* SPDX-License-Identifier: MIT */
/* control_mode.h: how the motors of a device are controlled. */
#ifndef ROBIF2B_TYPES_CONTROL_MODE_H
#define ROBIF2B_TYPES_CONTROL_MODE_H

#ifdef __cplusplus
extern "C" {
#endif

enum robif2b_ctrl_mode {
  ROBIF2B_CTRL_MODE_POSITION = 0, /* [rad] */
  ROBIF2B_CTRL_MODE_VELOCITY = 1, /* [rad/s] */
  ROBIF2B_CTRL_MODE_FORCE = 2,    /* [N m] */
  ROBIF2B_CTRL_MODE_CURRENT = 3   /* [A] */
};

/* How the tool is controlled where the device computes its kinematics itself. */
enum robif2b_hl_ctrl_mode {
  ROBIF2B_HL_CTRL_MODE_TWIST = 0, /* a velocity of the tool */
  ROBIF2B_HL_CTRL_MODE_WRENCH = 1 /* a force and moment of the tool */
};

#ifdef __cplusplus
}
#endif

#endif

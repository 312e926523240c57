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

#ifdef __cplusplus
}
#endif

#endif

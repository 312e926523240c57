#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well can the tool be accelerated as the elbow of a Gen3 stretches? python3 reach.py BUILD_FOLDER"""

import sys

import numpy as np

import achdgen

build = sys.argv[1]
arm = achdgen.open_library(f"{build}/libgen3.so", shapes={"achd": 0x7a7fe74c})

degrees = np.array([120, 90, 60, 30, 10, 1, 0])
q = np.tile([0, 0.26, 3.14, 0, 0, 0.96, 1.57], (len(degrees), 1))
q[:, arm.JOINT_4] = -np.radians(degrees)
hold = arm.gravity(q=q)  # gravity's torques, so that what is left free does not fall
up = arm.achd(q=q, tau_art=hold.tau, b={"tool.lin_z": 1.0})  # m/s^2

print("elbow   pivot_min   largest torque   status")
for k, angle in enumerate(degrees):
    says = [bit for bit in ("SINGULAR", "SATURATED") if up.status[k] & getattr(arm, bit)]
    print(f"{angle:4}°   {up.pivot_min[k]:9.1e}   {np.abs(up.tau_ctrl[k]).max():9.1f} N m   {' '.join(says) or 'OK'}")

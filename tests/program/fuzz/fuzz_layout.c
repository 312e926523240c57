/* SPDX-License-Identifier: MIT */
/* fuzz_layout.c: any bytes as a layout, for a small arm that has links and joints of Gen3's names,
 * so that the layouts of tests/bad speak of it. */
#include "whole_way.h"

#include <string.h>

static const char robot[] =
    "<robot name='arm'><link name='base_link'/>"
    "<link name='half_arm_1_link'><inertial><mass value='2'/><origin xyz='0 0 .1'/>"
    "<inertia ixx='.02' ixy='0' ixz='0' iyy='.02' iyz='0' izz='.01'/></inertial></link>"
    "<link name='forearm_link'><inertial><mass value='1'/><origin xyz='.1 0 0'/>"
    "<inertia ixx='.01' ixy='0' ixz='0' iyy='.01' iyz='0' izz='.01'/></inertial></link>"
    "<link name='bracelet_link'><inertial><mass value='.5'/><origin xyz='0 .05 0'/>"
    "<inertia ixx='.01' ixy='.001' ixz='0' iyy='.01' iyz='0' izz='.01'/></inertial></link>"
    "<link name='tool_frame'/>"
    "<joint name='joint_1' type='continuous'><parent link='base_link'/>"
    "<child link='half_arm_1_link'/><axis xyz='0 0 1'/><limit effort='39' velocity='1'/></joint>"
    "<joint name='joint_2' type='revolute'><parent link='half_arm_1_link'/>"
    "<child link='forearm_link'/><origin xyz='0 0 .3' rpy='1.5708 0 0'/><axis xyz='0 0 1'/>"
    "<limit lower='-2' upper='2' effort='39' velocity='1'/><dynamics damping='.1'/></joint>"
    "<joint name='joint_3' type='prismatic'><parent link='forearm_link'/>"
    "<child link='bracelet_link'/><origin xyz='.2 0 0' rpy='0 1.5708 0'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='.1' effort='9' velocity='1'/></joint>"
    "<joint name='tool' type='fixed'><parent link='bracelet_link'/><child link='tool_frame'/>"
    "<origin xyz='0 0 .05'/></joint></robot>";

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  put_file("arm.urdf", robot, sizeof robot - 1);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  put_file("fuzzed.lua", bytes, size);
  whole_way("arm.urdf", "fuzzed.lua", (unsigned)size);
  return 0;
}

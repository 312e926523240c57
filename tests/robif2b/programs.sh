#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/robif2b/programs.sh FOLDER: the programs of tests/robif2b/downstream, written for robif2b and nothing else, on simulated
# devices. FOLDER has them as robif2b_program_NAME.
set -eu
. "$(dirname "$0")/../lib.sh"
programs=$(absolute "$1")
unset ACHD_SIM
cd "$scratch"

# says TEXT PROGRAM ARGUMENT...: ends well, and says this.
says() {
  text=$1
  shift
  run "$@" || { cat said; return 1; }
  grep -qF -e "$text" said || { cat said; return 1; }
}
# fails TEXT PROGRAM ARGUMENT...: does not end well, and says this.
fails() {
  text=$1
  shift
  if run "$@"; then cat said; return 1; fi
  grep -qF -e "$text" said || { cat said; return 1; }
}
run() {
  program=$1
  shift
  "$programs/robif2b_program_$program" "$@" >said 2>&1
}

check "an arm falls without torque" says "joint 2 fell by 0.3 rad" fall
check "an arm is held" says held hold
check "a gripper closes" says "closed: position 255, object status 3" grip
check "a gripper opens" says "open: position 0, object status 3" grip
check "said once that it is simulated" [ "$(grep -c SIMULATED said)" -eq 1 ]
check "a gripper by the older name of its settings" says "open: position 0, object status 3" grip older
check "a sensor feels nothing in the compiled-in world" says "0.00 0.00 0.00 N, 0.000 0.000 0.000 N m" feel
check "a sensor by its bare name" says "0 missed, nothing is left" feel ttyUSB0
check "another port" fails "no robotiq_ft at /dev/ttyUSB9: no compiled-in world has a device there" feel /dev/ttyUSB9
check "a gripper behind the arm" says "good: gripper at 60 %, arm in state 6" pinch
check "high-level control" says "joint 7 turned by" turn
check "threads" says "held: position 200, 0 updates failed" threads

printf 'model builtin:gen3\ndevice /dev/ttyUSB0 robotiq_ft\n  bias 4 -3 12 0.2 0.1 -0.3\n  noise 0.1 0.005\n' >sensor.world
export ACHD_SIM=sensor.world
check "a sensor with a bias and noise" says "nothing is left" feel
check "its bias" grep -qE '^(3.[6-9]|4.[0-4]).* -(2.[6-9]|3.[0-4]).* (11.[6-9]|12.[0-4]).* N, ' said
printf '  fault no_frames 0.3 0.2\n' >>sensor.world
check "a sensor that is silent for a while" says "20 missed" feel
printf 'model builtin:gen3\ndevice /dev/ttyUSB0 robotiq_ft\n  fault unplugged 0 100\n' >sensor.world
check "a sensor that is out" fails "/dev/ttyUSB0: the sensor sends nothing" feel
printf 'model builtin:gen3\ndevice /dev/ttyUSB0 robotiq_gripper\n  object 0.03\n  fault unplugged 2 1\n' >gripper.world
export ACHD_SIM=gripper.world
check "a gripper finds an object" fails "closed: position 165, object status 2" grip
check "a gripper that is pulled out" grep -q "update failed, error [56]" said
printf 'model builtin:gen3\ndevice /dev/ttyUSB0 robotiq_gripper\n  fault no_activation 0 1\n' >gripper.world
check "a gripper that does not activate" fails "configure failed, error 4" grip
check "why" grep -q "SIMULATED: /dev/ttyUSB0: no answer to the activation" said
finish

/* SPDX-License-Identifier: MIT */
// drives.js: what the motors of a robot that moves in its page do: they hold it by the solver's torques, or by springs and dampers of the joints.
import { forward, frame, rotate } from "./kinematics.js";
import { twistOf } from "./moving.js";

const braking = 10; // of the rows' velocities [1/s]
const stiff = 8; // of joints without a solver: their frequency [rad/s]
const legs = 3.6; // stiffness of legs, of weight times height [1/rad]
const back = (R, v) => [0, 1, 2].map((i) => R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2]);

// What an acceleration of each joint takes, the others free [kg m^2; kg]: by steps of the robot itself from these inputs.
export function inertias(motion, robot, values, base) {
  const n = robot.joints.length, after = (tau) => (motion.begin(values, base), motion.step(tau), motion.qd());
  const none = after(Array(n).fill(0));
  const found = none.map((v, j) => motion.period / (after(Array.from({ length: n }, (_, i) => (i === j ? 1 : 0)))[j] - v));
  motion.begin(values, base);
  return found.map((x) => (Number.isFinite(x) && x > 0 ? x : 0));
}

// Torques of the motors in a state: createDrives(..)(motion, poses). stand: torques that hold a robot on its contacts, or null.
export function createDrives({ data, functions, motion, values, base, stand, on, compensates }) {
  const robot = data.robot, start = motion.q(), inertia = inertias(motion, robot, values, base);
  const heaviness = 9.81 * [robot.base, ...robot.bodies].reduce((sum, b) => sum + (b.mass || 0), 0);
  const most = (tau) => tau.map((x, j) => Math.max(-(robot.joints[j].effort ?? Infinity), Math.min(robot.joints[j].effort ?? Infinity, x)));
  const springs = (K, D) => motion.q().map((q, j) => K(j) * (start[j] - q)).map((x, j) => x - D(j) * motion.qd()[j]);
  const gravity = (now) => (functions.gravity ? robot.joints.map((j) => functions.gravity(now).values["tau." + j.name] || 0) : robot.joints.map(() => 0));
  // The rows' accelerations, less what brakes their frames.
  const slowed = (now, poses) => {
    for (const g of data.groups) {
      const pose = frame(robot, poses, g.link), v = twistOf(robot, poses, g.link, pose.p, motion.qd(), motion.baseTwist());
      for (const part of ["lin", "ang"]) {
        const along = g.axes === "link" ? back(pose.R, v[part]) : v[part];
        ["x", "y", "z"].forEach((c, i) => {
          const column = `b.${g.name}.${part}_${c}`;
          if (column in now) now[column] -= braking * along[i];
        });
      }
    }
  };
  const solved = (now, poses) => {
    slowed(now, poses);
    const weight = compensates() ? gravity(now) : robot.joints.map(() => 0), qd = motion.qd();
    robot.joints.forEach((j, i) => {
      const column = `tau_art.${j.name}`;
      if (column in now) now[column] += weight[i] - 2 * inertia[i] * qd[i];
    });
    const out = functions.achd(now).values;
    return robot.joints.map((j) => out["tau_ctrl." + j.name] || 0);
  };
  return (_, poses) => {
    if (!on()) return robot.joints.map(() => 0);
    if (stand) {
      const K = legs * heaviness * stand.height;
      return most(springs(() => K, () => K / 50).map((x, j) => x + stand.torques[j]));
    }
    const now = { ...values, ...motion.state() };
    if (functions.achd && data.drives) return most(solved(now, poses));
    const weight = gravity(now);
    return most(springs((j) => stiff * stiff * inertia[j], (j) => 2 * stiff * inertia[j]).map((x, j) => x + weight[j]));
  };
}

/* SPDX-License-Identifier: MIT */
// kinematics.js: poses of a robot's bodies, from what `achdgen --describe json` prints.
//
// A pose is {p, R}: origin [m], and rotation by rows, of a frame in its reference.

export const identity = () => ({ p: [0, 0, 0], R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] });

export function rotate(R, v) {
  return R.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
}

export function place(pose, v) {
  return rotate(pose.R, v).map((x, i) => x + pose.p[i]);
}

export function product(a, b) {
  const R = a.R.map((row) => [0, 1, 2].map((j) => row[0] * b.R[0][j] + row[1] * b.R[1][j] + row[2] * b.R[2][j]));
  return { p: place(a, b.p), R };
}

// Rodrigues: R = I + sin [a] + (1 - cos) [a]^2 for a unit axis a.
export function turn(axis, angle) {
  const [x, y, z] = axis, s = Math.sin(angle), c = Math.cos(angle), k = 1 - c;
  return [
    [c + k * x * x, k * x * y - s * z, k * x * z + s * y],
    [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
    [k * x * z - s * y, k * y * z + s * x, c + k * z * z],
  ];
}

// Poses of the base link and of all bodies in the world, by the names of their links. q: positions
// of the independent joints [rad; m], in the order of robot.joints.
export function forward(robot, q, base = identity()) {
  const poses = { [robot.base.link]: base };
  for (const body of robot.bodies) {
    const at = product(poses[body.parent], body);
    const x = body.multiplier * (q[body.index] || 0) + body.offset;
    const motion = identity();
    if (body.type === "prismatic") motion.p = body.axis.map((a) => a * x);
    else if (body.axis) motion.R = turn(body.axis, x);
    poses[body.link] = product(at, motion);
  }
  return poses;
}

// Pose of a link or frame, which may be fixed to a body of another name.
export function frame(robot, poses, link) {
  const found = robot.frames.find((f) => f.link === link);
  return found ? product(poses[found.body], found) : poses[link];
}

const length = (v) => Math.hypot(...v);

// The largest distance from the base that the robot can have, at most, and not 0 [m].
export function reach(robot) {
  const far = { [robot.base.link]: 0 };
  for (const body of robot.bodies) far[body.link] = far[body.parent] + length(body.p);
  let most = Math.max(...Object.values(far));
  for (const f of robot.frames) most = Math.max(most, (far[f.body] || 0) + length(f.p));
  return most || 2 * vehicle(robot).radius;
}

// A base that carries no joint: a disc of its mass with half the density of water, half as high as its radius.
export function vehicle(robot) {
  const radius = Math.cbrt((2 * (robot.base.mass || 50)) / (Math.PI * 500));
  return { radius, height: radius / 2 };
}

// The robot as capsules: of each body from its joint to those of the bodies that it carries; where
// it carries none, to the frame that is farthest away, or to where its mass is. The radius is that
// of a rod of the body's mass with the density of water, within limits.
export function capsules(robot) {
  const size = reach(robot), found = [];
  const bodies = [{ link: robot.base.link, mass: robot.base.mass }, ...robot.bodies];
  for (const body of bodies) {
    const ends = robot.bodies.filter((b) => b.parent === body.link).map((b) => b.p);
    if (ends.length === 0) {
      const tips = robot.frames.filter((f) => f.body === body.link).map((f) => f.p);
      let tip = tips.reduce((a, b) => (length(b) > length(a) ? b : a), [0, 0, 0]);
      if (length(tip) < 1e-3 * size && body.mass > 0 && body.first_moment) tip = body.first_moment.map((h) => (2 * h) / body.mass);
      ends.push(tip);
    }
    const whole = ends.reduce((sum, e) => sum + length(e), 0);
    const rod = Math.sqrt((body.mass || 0) / (Math.PI * 1000 * Math.max(whole, 0.05 * size)));
    const radius = Math.min(Math.max(rod, 0.012 * size), 0.05 * size);
    for (const end of ends) found.push({ body: body.link, from: [0, 0, 0], to: end, radius });
  }
  return found;
}

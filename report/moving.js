/* SPDX-License-Identifier: MIT */
// moving.js: a robot that moves in its page, by steps of the program that achdgen generates for a simulator, compiled to WebAssembly
// from the same C: motion.step(torques, pull) goes on by one period; motion.go(seconds, torques, pull) by as many as pass.
import { forward, frame, rotate } from "./kinematics.js";

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const minus = (a, b) => a.map((x, i) => x - b[i]);

const quaternionRows = ([w, x, y, z]) => [
  [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
];

// The joints between a link and the base, with their axes and origins in the world.
function above(robot, poses, link) {
  const start = robot.frames.find((f) => f.link === link)?.body ?? link, found = [];
  for (let body = robot.bodies.find((b) => b.link === start); body; body = robot.bodies.find((b) => b.link === body.parent))
    if (body.axis) found.push({ index: body.index, slides: body.type === "prismatic", by: body.multiplier, axis: rotate(poses[body.link].R, body.axis), at: poses[body.link].p });
  return found;
}

// Torques of the joints for a force at a point of a link: J^T F.
export function torquesOf(robot, poses, link, point, force) {
  const tau = robot.joints.map(() => 0);
  for (const j of above(robot, poses, link)) tau[j.index] += j.by * dot(j.axis, j.slides ? force : cross(minus(point, j.at), force));
  return tau;
}

// Velocity of a point of a link, linear and angular, from those of the joints and, of a base that moves, its own.
export function twistOf(robot, poses, link, point, qd, base) {
  const lin = [0, 0, 0], ang = [0, 0, 0];
  const add = (v, w) => [0, 1, 2].forEach((i) => ((lin[i] += v[i]), (ang[i] += w[i])));
  for (const j of above(robot, poses, link)) {
    const rate = j.by * qd[j.index], w = j.axis.map((x) => x * rate);
    j.slides ? add(w, [0, 0, 0]) : add(cross(w, minus(point, j.at)), w);
  }
  if (base) add(base.lin.map((x, i) => x + cross(base.ang, minus(point, poses[robot.base.link].p))[i]), base.ang);
  return { lin, ang };
}

// A program of the page's data, which is packed by gzip.
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// given: of the page's data; robot: its description.
export async function createMotion(given, robot) {
  const code = await unpacked(given.wasm);
  const { instance } = await WebAssembly.instantiate(code, {});
  const { memory, move_in: enter, move_run: run, move_forget: forget } = instance.exports, from = enter();
  const places = new Map(given.in.fields.flatMap((field) => field.elements.map((e) => [e.column, e])));
  let view = new DataView(memory.buffer), left = 0;
  const put = (column, x) => places.has(column) && view.setFloat64(from + places.get(column).offset, x, true);
  const get = (column) => (places.has(column) ? view.getFloat64(from + places.get(column).offset, true) : 0);
  const each = (name) => robot.joints.map((j) => `${name}.${j.name}`);
  const columns = { q: each("q"), qd: each("qd"), tau: each("tau") };
  const vector = (name) => ["x", "y", "z"].map((c) => get(`${name}_${c}`));
  const planar = places.has("base.yaw"), floating = places.has("base.quat.w");

  const motion = {
    period: given.period,
    time: 0,
    link: null, // that is pulled, or null, and towards where
    target: null,
    force: [0, 0, 0],
    failed: 0, // what the last step returned: 0, or why it is none
    q: () => columns.q.map(get),
    qd: () => columns.qd.map(get),
    state: () => Object.fromEntries([...places.keys()].filter((c) => /^(q|qd|base)\./.test(c)).map((c) => [c, get(c)])),
    // Pose of the base.
    base() {
      if (floating) return { p: ["x", "y", "z"].map((c) => get("base.position." + c)), R: quaternionRows(["w", "x", "y", "z"].map((c) => get("base.quat." + c))) };
      if (!planar) return { p: [0, 0, 0], R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
      const c = Math.cos(get("base.yaw")), s = Math.sin(get("base.yaw"));
      return { p: [get("base.x"), get("base.y"), 0], R: [[c, -s, 0], [s, c, 0], [0, 0, 1]] };
    },
    baseTwist() {
      if (floating) return { lin: vector("base.twist.lin"), ang: vector("base.twist.ang") };
      return planar ? { lin: [get("base.twist.x"), get("base.twist.y"), 0], ang: [0, 0, get("base.twist.yaw")] } : null;
    },
    // Begins from these inputs by column, at rest where they say nothing; base: pose of one that moves.
    begin(values, base) {
      for (const [column, e] of places) put(column, /^(tau|pull)\./.test(column) ? 0 : values[column] ?? e.default ?? 0);
      for (const [column] of places) {
        const word = column.split(".").slice(2).join(".");
        if (/^contact\./.test(column)) put(column, { "normal.z": 1, friction: given.friction }[word] ?? 0);
      }
      if (floating) ["x", "y", "z"].forEach((c, i) => put("base.position." + c, base.p[i]));
      put("time_step", motion.period);
      forget();
      Object.assign(motion, { time: 0, link: null, target: null, force: [0, 0, 0], failed: 0 });
      left = 0;
    },
    // What pulls at the link: a spring to the target, and a damper.
    pull(poses) {
      const tau = robot.joints.map(() => 0), p = motion.link && frame(robot, poses, motion.link).p;
      motion.force = [0, 0, 0];
      if (p && motion.target) {
        const v = twistOf(robot, poses, motion.link, p, motion.qd(), motion.baseTwist()).lin;
        motion.force = p.map((x, i) => given.pull.stiffness * (motion.target[i] - x) - given.pull.damping * v[i]);
        const size = Math.hypot(...motion.force), most = given.pull.most;
        if (size > most) motion.force = motion.force.map((x) => (x * most) / size);
        torquesOf(robot, poses, motion.link, p, motion.force).forEach((x, j) => (tau[j] += x));
      }
      const turns = p ? cross(minus(p, poses[robot.base.link].p), motion.force) : [0, 0, 0];
      ["x", "y", "z"].forEach((c, i) => (put("pull.lin_" + c, motion.force[i]), put("pull.ang_" + c, turns[i])));
      return tau;
    },
    // One period under these torques; false: it has no result, and the robot stays where it is.
    step(torques) {
      columns.tau.forEach((c, j) => put(c, torques[j]));
      motion.failed = run();
      if (memory.buffer !== view.buffer) view = new DataView(memory.buffer);
      if (motion.failed) return false;
      motion.time += motion.period;
      return true;
    },
    // As many steps as pass in some seconds; drive(motion, poses): torques of the motors.
    go(seconds, drive) {
      for (left += seconds; left >= motion.period; left -= motion.period) {
        const poses = forward(robot, motion.q(), motion.base()), pulled = motion.pull(poses);
        if (!motion.step(drive(motion, poses).map((x, j) => x + pulled[j]))) return false;
      }
      return true;
    },
  };
  return motion;
}

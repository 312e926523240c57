/* SPDX-License-Identifier: MIT */
// playing.js: the button that lets the robot of a page move, and its frames: it falls, stands on the floor, and follows the pointer that pulls one of
// its links, while its motors hold it or do not.
import { forward, frame } from "./kinematics.js";
import { createMotion } from "./moving.js";
import { createDrives } from "./drives.js";

const by = (id) => document.getElementById(id);
const budget = 5; // of the steps of a frame [ms]: what takes longer is shown more slowly
const longest = 0.05; // that a frame may stand for [s]

// page: { data, functions, values, view, set, update, tell, still, placed, joints }; placed(): pose of the base as the inputs say.
export async function createMoving(page) {
  const { data, functions, values, view, placed } = page, robot = data.robot;
  const motion = await createMotion(data.moving, robot);
  let drive = null, going = false, last = 0, frames = 0, begun = null;
  const state = () => JSON.stringify([page.joints, page.joints.map((c) => c.replace(/^q/, "qd"))].flat().map((c) => values[c] || 0));
  const base = () => (drive ? motion.base() : placed());
  // What the inputs say is where it begins.
  const begin = () => {
    const at = base();
    motion.begin(values, at);
    const contacts = data.contacts.map((link) => frame(robot, forward(robot, motion.q(), at), link).p[2]);
    const stand = data.stands && page.still ? { torques: page.still(), height: at.p[2] - Math.min(...contacts) } : null;
    const on = () => by("motors").checked, compensates = () => by("hold").checked;
    drive = createDrives({ data, functions, motion, values: { ...values }, base: at, stand, on, compensates });
  };
  const told = (text) => (by("moved").textContent = text);
  // The state becomes that of the inputs; sliders and tables follow only now and then, since they take longer than the motion.
  const show = (all) => {
    Object.assign(values, motion.state());
    view.setPose(motion.q(), motion.base());
    const p = motion.link && view.poseOf(motion.link).p;
    view.setArrows(p && motion.target ? [{ from: p, to: motion.target, color: "force", ahead: true }] : [], "pull");
    if (all || frames % 10 === 0) {
      for (const column of page.joints) page.set(column, values[column]);
      for (const column of page.joints.map((c) => c.replace(/^q/, "qd"))) if (column in values) page.set(column, values[column]);
      told(motion.failed ? "The step has no result: Reset, and begin anew." : `${motion.time.toFixed(1)} s`);
    }
    if (all) page.update();
    else if (frames % 10 === 5) page.tell();
    begun = state();
  };
  const go = (seconds) => {
    const from = performance.now();
    let rest = seconds;
    while (rest > 0 && performance.now() - from < budget && motion.go(Math.min(rest, 4 * motion.period), drive)) rest -= 4 * motion.period;
    return !motion.failed;
  };
  const next = (now) => {
    if (!going) return;
    const seconds = Math.min(longest, (now - last) / 1000);
    last = now;
    frames++;
    if (!go(seconds)) moving.pause();
    else {
      show(false);
      requestAnimationFrame(next);
    }
  };
  const moving = {
    motion,
    base,
    go,
    going: () => going,
    // Goes on from where it was, or begins where the inputs have been put since.
    play() {
      if (!drive || begun !== state()) begin();
      going = true;
      // what is drawn of functions belongs to the state in which they were computed
      view.setEllipsoids([]);
      for (const group of ["arrows", "momentum"]) view.setArrows([], group);
      by("move").textContent = "Pause";
      requestAnimationFrame((now) => {
        last = now;
        next(now);
      });
    },
    pause() {
      going = false;
      motion.target = null;
      by("move").textContent = "Let it move";
      show(true);
    },
    stop() {
      if (drive) moving.pause();
      drive = begun = null;
      told("");
    },
    begin() {
      begin();
      begun = state();
    },
    // The link nearest to the pointer; while it is dragged, where it is dragged to.
    grip(seen) {
      if (!seen) return motion.target ?? view.poseOf(motion.link).p;
      const links = [...robot.bodies.map((b) => b.link), ...robot.frames.map((f) => f.link), ...(robot.base.kind === "fixed" ? [] : [robot.base.link])];
      const near = links.map((link) => ({ link, far: seen(view.poseOf(link).p) })).sort((a, b) => a.far - b.far)[0];
      motion.link = near.link;
      motion.target = null;
      return view.poseOf(near.link).p;
    },
    pull(target) {
      motion.target = target;
    },
    release() {
      motion.target = null;
    },
  };
  by("move").addEventListener("click", () => (going ? moving.pause() : moving.play()));
  return moving;
}

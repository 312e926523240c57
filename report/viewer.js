/* SPDX-License-Identifier: MIT */
// viewer.js: a robot in 3-D, posed by its own kinematics; the report of a run and other pages use it.
//
//   const view = createViewer(element, { robot, colors });
//   view.setPose(q, base);                    joint positions [rad; m], pose of the base link
//   view.setFrames([{ pose, link, axes, tube, length }]);   axes: their length, 0 for none [m]; link: the
//                                             frame moves with it
//   view.setPaths([{ points, color }]);       in the world [m]
//   view.setBoxes([{ p, R, size }]);          in the world [m]: tables, walls
//   view.setArrows([{ from, to, color, ahead }], group);   in the world [m], in place of the group's last ones; ahead: seen
//                                             through the robot
//   view.setMarks([{ link, at, size, color, ahead }], group);   spheres in a link's frame, or in the world: masses
//   view.setEllipsoids([{ center, axes: [{ length, vector }], scale, lines }]);   in the world [m], with lines on them
//   view.onDrag((seen) => point, (point) => .., () => ..);  a point that can be dragged, parallel to the picture: where it is, to
//                                             where it is dragged, and that it is let go. seen(point): its distance from the pointer
//                                             in pixels, where the pointer looks for something to take; missing while it drags
//   view.setColors(colors); view.resize(); view.fit(points); view.dispose(); view.kind
//
// robot.meshes: of bodies, in place of their capsules (meshes.py).
//
// Drawn by WebGL (three.js), or on a plain canvas where there is none: the same camera, the same
// parts but meshes. Drag turns, the wheel or two fingers zoom, a drag with shift moves, arrow keys turn.
import { capsules, forward, frame, identity, place, product, reach, vehicle } from "./kinematics.js";
import { createCamera, projection } from "./camera.js";
import { createWebgl } from "./webgl.js";
import { createFlat } from "./flat.js";
import { cornersOf, unpack } from "./meshes.js";

export { forward, frame, reach } from "./kinematics.js";

// grip: what can be dragged, { where(seen), moved(point), released() }, or null.
function listen(canvas, camera, changed, grip) {
  const fingers = new Map(), near = 26; // pixels
  let apart = 0, held = false;
  const look = () => projection(camera, canvas.clientWidth, canvas.clientHeight);
  const reaches = (e) => {
    if (!grip()) return false;
    const { to } = look(), box = canvas.getBoundingClientRect();
    const seen = (point) => {
      const at = to(point);
      return Math.hypot(at.x - e.clientX + box.left, at.y - e.clientY + box.top);
    };
    return seen(grip().where(seen)) < near;
  };
  const drag = (dx, dy) => {
    const { to, right, above } = look(), from = grip().where(), metres = 1 / to(from).scale;
    grip().moved(from.map((x, i) => x + metres * (dx * right[i] - dy * above[i])));
  };
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", (e) => {
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (fingers.size === 2) apart = spread();
    held = fingers.size === 1 && reaches(e);
    try {
      canvas.setPointerCapture(e.pointerId);
    } catch {
      // a pointer that is gone already
    }
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = fingers.get(e.pointerId);
    if (!before) {
      canvas.style.cursor = reaches(e) ? "move" : "";
      return;
    }
    const dx = e.clientX - before[0], dy = e.clientY - before[1];
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (fingers.size === 2) {
      const now = spread();
      if (apart > 0 && now > 0) camera.zoom(apart / now);
      apart = now;
    } else if (held) {
      drag(dx, dy);
    } else if (e.shiftKey || e.buttons === 2) {
      camera.move(-dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      camera.turn(dx / 150, dy / 150);
    }
    changed();
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (e) => {
      fingers.delete(e.pointerId);
      if (held && grip()) grip().released();
      held = false;
    });
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener(
    "wheel",
    (e) => {
      e.preventDefault();
      camera.zoom(Math.exp(e.deltaY / 800));
      changed();
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (e) => {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
    if (by) camera.turn(by[0], by[1]);
    else if (e.key === "+") camera.zoom(0.9);
    else if (e.key === "-") camera.zoom(1.1);
    else return;
    e.preventDefault();
    changed();
  });
}

function create(canvas, flat) {
  if (flat) return createFlat(canvas);
  try {
    return createWebgl(canvas);
  } catch {
    return null; // no WebGL
  }
}

// element: is filled. flat: no WebGL, even where there is one. colors: see setColors.
export function createViewer(element, { robot, colors, flat = false, label = "robot" }) {
  const size = reach(robot), camera = createCamera(size);
  let canvas = document.createElement("canvas");
  let drawing = create(canvas, flat);
  if (!drawing) {
    canvas = document.createElement("canvas"); // one that has had no context of WebGL
    drawing = createFlat(canvas);
  }
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  element.append(canvas);

  const robotParts = [];
  if (robot.bodies.length === 0) {
    const { radius, height } = vehicle(robot);
    robotParts.push({ kind: "cylinder", link: robot.base.link, from: [0, 0, 0], to: [0, 0, height], radius, color: "link" });
  } else for (const c of capsules(robot)) robotParts.push({ kind: "capsule", link: c.body, from: c.from, to: c.to, radius: c.radius, color: "link" });
  for (const body of robot.bodies.filter((b) => b.axis)) {
    const near = robotParts.find((part) => part.link === body.link);
    const radius = 1.12 * near.radius, half = body.axis.map((a) => a * near.radius * 1.25);
    robotParts.push({ kind: "cylinder", link: body.link, from: half.map((x) => -x), to: half, radius, color: "joint" });
  }
  const meshes = drawing.kind === "webgl" ? (robot.meshes || []).map(unpack) : [];
  const seen = new Set(meshes.map((mesh) => mesh.link));
  const drawn = [...robotParts.filter((part) => !seen.has(part.link)), ...meshes.map((mesh) => ({ kind: "mesh", color: "link", ...mesh }))];
  const groups = { robot: drawn };
  let poses = forward(robot, [], identity()), q = [], base = identity(), waiting = false;

  const draw = () => {
    waiting = false;
    drawing.draw(camera, poses);
  };
  const changed = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  const set = (group, parts) => {
    groups[group] = parts;
    drawing.setParts(group, parts, size);
    changed();
  };
  let grip = null;
  listen(canvas, camera, changed, () => grip);

  const capsuleEnds = (at) => [
    ...robotParts.filter((part) => part.kind === "cylinder" && part.link === robot.base.link).flatMap((part) => [-1, 1].flatMap((s) => [[s, 0, 1], [0, s, 1]]).map((v) => place(at[part.link], v.map((x, i) => (i < 2 ? x * part.radius : part.to[2]))))),
    ...robotParts.filter((part) => part.kind === "capsule").map((part) => place(at[part.link], part.to)),
    ...meshes.flatMap((mesh) => cornersOf(mesh).map((corner) => place(at[mesh.link], corner))),
  ];

  const view = {
    kind: drawing.kind,
    size,
    parts: () => groups,
    setPose(positions, pose = identity()) {
      q = positions;
      base = pose;
      poses = forward(robot, q, base);
      for (const f of robot.frames) if (!(f.link in poses)) poses[f.link] = product(poses[f.body], f);
      changed();
    },
    onDrag(where, moved, released = () => {}) {
      grip = { where, moved, released };
      canvas.style.touchAction = "none";
    },
    seen: (point) => projection(camera, canvas.clientWidth, canvas.clientHeight).to(point),
    points: () => [...Object.values(poses).map((pose) => pose.p), ...capsuleEnds(poses)],
    poseOf: (link) => frame(robot, poses, link),
    setFrames(frames) {
      const parts = (f) => {
        const long = f.axes === undefined ? 0.12 * size : f.axes, axes = [];
        for (let i = 0; i < 3 && long > 0; i++) {
          const tip = [0, 0, 0];
          tip[i] = long;
          axes.push({ kind: "arrow", link: f.link, from: f.pose.p, to: place(f.pose, tip), color: "xyz"[i] });
        }
        if (!(f.tube > 0 && f.length > 0)) return axes;
        return [...axes, { kind: "tube", link: f.link, from: place(f.pose, [-f.length, 0, 0]), to: f.pose.p, radius: f.tube, color: "tube" }];
      };
      set("frames", frames.flatMap(parts));
    },
    setPaths(paths) {
      set("paths", paths.map((p) => ({ kind: "line", points: p.points, color: p.color || "path" })));
    },
    setArrows(arrows, group = "arrows") {
      set(group, arrows.map((a) => ({ kind: "arrow", from: a.from, to: a.to, color: a.color || "force", ahead: a.ahead })));
    },
    setBoxes(boxes) {
      set("boxes", boxes.map((b) => ({ kind: "box", at: b, size: b.size, color: "thing" })));
    },
    setMarks(marks, group = "marks") {
      set(group, marks.map((m) => ({ kind: "sphere", link: m.link, from: m.at, radius: m.size, color: m.color || "mass", ahead: m.ahead })));
    },
    setEllipsoids(ellipsoids) {
      const solid = ({ center, axes, scale }) => ({ kind: "ellipsoid", from: center, axes: axes.map((a) => a.vector.map((x) => scale * Math.max(a.length, 1e-6) * x)), color: "tube" });
      set("ellipsoids", ellipsoids.flatMap((e) => [solid(e), ...e.lines.map((points) => ({ kind: "line", points, color: "tube" }))]));
    },
    // Draws now, and returns a canvas with the picture, which can be printed or saved.
    picture() {
      draw();
      const copy = document.createElement("canvas");
      copy.width = canvas.width;
      copy.height = canvas.height;
      copy.getContext("2d").drawImage(canvas, 0, 0);
      return copy;
    },
    // colors: CSS colors of background, grid, link, joint, path, force, tube, mass, thing, x, y, z.
    setColors(next) {
      drawing.setColors(next, size);
      for (const [group, parts] of Object.entries(groups)) set(group, parts);
    },
    resize() {
      const width = Math.max(1, element.clientWidth), height = Math.max(1, element.clientHeight);
      drawing.resize(width, height, Math.min(2, window.devicePixelRatio || 1));
      changed();
    },
    // Looks at these points, and at the robot as it stands and in these poses: [{ q, base }].
    fit(points, stands = []) {
      const at = [poses, ...stands.map((s) => forward(robot, s.q, s.base))];
      const robots = at.flatMap((found) => Object.values(found).map((pose) => pose.p));
      const tips = at.flatMap(capsuleEnds);
      const all = [...points, ...robots, ...tips];
      const low = [0, 1, 2].map((i) => Math.min(...all.map((p) => p[i])));
      const high = [0, 1, 2].map((i) => Math.max(...all.map((p) => p[i])));
      const radius = Math.hypot(...high.map((x, i) => x - low[i])) / 2 + 0.06 * size;
      const narrow = Math.min(1, element.clientWidth / Math.max(1, element.clientHeight));
      camera.target = low.map((x, i) => (x + high[i]) / 2);
      camera.distance = radius / Math.sin((camera.fov * Math.PI) / 360) / narrow;
      changed();
    },
    dispose() {
      drawing.dispose();
      canvas.remove();
    },
  };
  const watcher = new ResizeObserver(() => view.resize());
  watcher.observe(element);
  view.setColors(colors);
  view.setPose([]);
  view.resize();
  return view;
}

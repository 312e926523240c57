/* SPDX-License-Identifier: MIT */
// flat.js: the parts of viewer.js on a plain canvas, far ones first, for browsers without WebGL.
import { place } from "./kinematics.js";
import { projection } from "./camera.js";

export function createFlat(canvas) {
  const context = canvas.getContext("2d");
  const groups = new Map(); // of parts
  let colors = {}, size = 1, width = 1, height = 1, ratio = 1;

  const stroke = (points, color, thick, alpha = 1, ends = "round") => {
    context.globalAlpha = alpha;
    context.strokeStyle = color;
    context.lineWidth = Math.max(1, thick);
    context.lineCap = ends;
    context.lineJoin = "round";
    context.beginPath();
    for (const [i, p] of points.entries()) i ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y);
    context.stroke();
    context.globalAlpha = 1;
  };
  const head = (a, b, color) => {
    const long = Math.hypot(b.x - a.x, b.y - a.y), s = Math.min(10, long / 2);
    if (!(long > 1)) return;
    const dx = ((b.x - a.x) / long) * s, dy = ((b.y - a.y) / long) * s;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(b.x, b.y);
    context.lineTo(b.x - dx - dy / 2, b.y - dy + dx / 2);
    context.lineTo(b.x - dx + dy / 2, b.y - dy - dx / 2);
    context.fill();
  };
  const floor = (project) => {
    for (let k = -10; k <= 10; k++) {
      const x = 0.2 * k * size, far = 2 * size;
      stroke([project([x, -far, 0]), project([x, far, 0])], colors.grid, 1);
      stroke([project([-far, x, 0]), project([far, x, 0])], colors.grid, 1);
    }
  };
  // The edges of a box by its corners, of which corner k has bit i where it is on the far side along axis i.
  const edges = (points, color) => {
    for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) stroke([points[k], points[k | bit]], color, 1.5);
  };
  const corners = ({ at, size: s }) => [...Array(8).keys()].map((k) => place(at, [0, 1, 2].map((i) => (((k >> i) & 1) - 0.5) * s[i])));
  const paint = ({ part, points }) => {
    const color = colors[part.color] || part.color, first = points[0], last = points[points.length - 1];
    const thick = 2 * (part.radius || 0) * (first.scale + last.scale) / 2;
    if (part.kind === "ellipsoid") return; // its lines show it
    if (part.kind === "box") edges(points, color);
    else if (part.kind === "tube" || part.kind === "sphere") stroke(points, color, thick, 0.25);
    else if (part.kind === "line") stroke(points, color, 2);
    else if (part.kind === "arrow") stroke(points, color, 3), head(first, last, color);
    else {
      const ends = part.kind === "cylinder" ? "butt" : "round";
      stroke(points, colors.edge || colors.grid, thick + 2, 1, ends);
      stroke(points, color, thick, 1, ends);
    }
  };

  return {
    kind: "canvas",
    setColors(next) {
      colors = next;
    },
    setParts(name, parts, reach) {
      groups.set(name, parts);
      size = reach;
    },
    draw(camera, poses) {
      const project = projection(camera, width, height).to;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = colors.background;
      context.fillRect(0, 0, width, height);
      floor(project);
      const drawn = [...groups.values()].flat().map((part) => {
        const pose = part.link ? poses[part.link] : null;
        const local = part.kind === "box" ? corners(part) : part.points || (part.to ? [part.from, part.to] : [part.from, part.from]);
        const points = (pose ? local.map((p) => place(pose, p)) : local).map(project);
        return { part, points, z: points.reduce((sum, p) => sum + p.z, 0) / (points.length || 1) };
      });
      for (const d of drawn.sort((a, b) => b.z - a.z)) if (d.points.length > 0) paint(d);
    },
    resize(w, h, r) {
      [width, height, ratio] = [w, h, r];
      canvas.width = w * r;
      canvas.height = h * r;
      canvas.style.width = w + "px";
      canvas.style.height = h + "px";
    },
    dispose() {},
  };
}

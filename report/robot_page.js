// robot_page.js: a robot and its solver in a page: sliders pose it, the generated code, compiled to
// WebAssembly, says torques, accelerations, row forces and status; dragging the tool moves the arm. Other functions stand in a card
// of their own (functions.js).
import { createViewer, forward, frame } from "./viewer.js";
import { rotate, turn } from "./kinematics.js";
import { followTheme, palette, theme } from "./colors.js";
import { createFunctions } from "./functions.js";

const by = (id) => document.getElementById(id);
const shown = (x) => (Number.isFinite(x) ? (Math.abs(x) < 5e-7 ? 0 : x).toFixed(Math.abs(x) < 10 ? 4 : 2) : String(x));

// ---- the solver ----

// Functions of the module: of each, run(values by column) gives { status, values by column }.
async function load(data) {
  if (!data.wasm) return {};
  const code = Uint8Array.from(atob(data.wasm), (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(code, {});
  const { memory, ...exports } = instance.exports, functions = {};
  for (const f of data.functions) {
    const elements = (side) => f[side].fields.flatMap((field) => field.elements);
    const from = exports[f.name + "_in"](), to = exports[f.name + "_out"]();
    functions[f.name] = (values) => {
      const view = new DataView(memory.buffer);
      for (const e of elements("in")) view.setFloat64(from + e.offset, values[e.column] ?? e.default, true);
      const status = exports[f.name + "_run"](), out = {};
      for (const e of elements("out")) out[e.column] = view.getFloat64(to + e.offset, true);
      return { status, values: out };
    };
  }
  return functions;
}

// ---- the robot ----

const quaternion = ([w, x, y, z]) => {
  const angle = 2 * Math.atan2(Math.hypot(x, y, z), w), s = Math.hypot(x, y, z);
  return s > 0 ? turn([x / s, y / s, z / s], angle) : turn([0, 0, 1], 0);
};

// height: of a base that moves, above the floor.
function basePose(values, height) {
  const p = [0, 0, height];
  if ("base.yaw" in values) return { p, R: turn([0, 0, 1], values["base.yaw"]) };
  if ("base.quat.w" in values) return { p, R: quaternion(["w", "x", "y", "z"].map((c) => values["base.quat." + c])) };
  return { p, R: turn([0, 0, 1], 0) };
}

// A step of damped least squares that brings a link's origin nearer to a point:
// dq = J^T (J J^T + d)^-1 e, the Jacobian by differences.
function approach(robot, q, link, base, target, limits) {
  const at = (x) => frame(robot, forward(robot, x, base), link).p, h = 1e-6;
  const p = at(q), e = target.map((x, i) => x - p[i]);
  const J = q.map((_, j) => at(q.map((x, i) => (i === j ? x + h : x))).map((x, i) => (x - p[i]) / h));
  const A = [0, 1, 2].map((i) => [0, 1, 2].map((k) => J.reduce((sum, c) => sum + c[i] * c[k], 0) + (i === k ? 1e-3 : 0)));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const minors = [0, 1, 2].map((i) => cross(A[(i + 1) % 3], A[(i + 2) % 3]));
  const det = A[0].reduce((sum, x, i) => sum + x * minors[0][i], 0);
  const y = [0, 1, 2].map((i) => minors.reduce((sum, m, k) => sum + m[i] * e[k], 0) / det);
  return q.map((x, j) => Math.min(limits[j][1], Math.max(limits[j][0], x + J[j].reduce((sum, c, i) => sum + c * y[i], 0))));
}

// ---- the page ----

async function start() {
  const data = JSON.parse(by("data").textContent), robot = data.robot;
  const functions = await load(data);
  const values = {}, inputs = new Map();
  for (const input of document.querySelectorAll("[data-column]")) {
    inputs.set(input.dataset.column, input);
    values[input.dataset.column] = input.type === "checkbox" ? Number(input.checked) : Number(input.value);
  }
  const joints = robot.joints.map((j) => "q." + j.name);
  const limits = robot.joints.map((j) => [j.lower ?? -Infinity, j.upper ?? Infinity]);
  const view = createViewer(by("view"), { robot, colors: palette[theme()], flat: location.hash === "#flat", label: "the robot" });
  by("view").dataset.kind = view.kind;
  let height = 0;
  const tool = data.tool, q = () => joints.map((c) => values[c] || 0);

  const marks = () =>
    by("masses").checked
      ? [{ link: robot.base.link, body: robot.base }, ...robot.bodies.map((b) => ({ link: b.link, body: b }))]
          .filter(({ body }) => body.mass > 0 && body.first_moment)
          .map(({ link, body }) => ({ link, at: body.first_moment.map((h) => h / body.mass), size: 0.04 * view.size * Math.cbrt(body.mass / data.mass) + 0.008 * view.size }))
      : [];
  const frames = () => (by("frames").checked ? robot.frames : robot.frames.filter((f) => data.shown.includes(f.link)));
  const decorate = () => {
    view.setMarks(marks());
    view.setFrames(frames().map((f) => ({ link: f.body, pose: f, axes: (data.shown.includes(f.link) ? 0.12 : 0.06) * view.size })));
  };
  // Wrenches that act, and set-points of linear rows, as arrows from their frames.
  const arrows = (solved) => {
    const found = [], add = (link, vector, axes, scale, color) => {
      const pose = view.poseOf(link), v = axes === "link" ? rotate(pose.R, vector) : vector;
      if (pose && Math.hypot(...v) > 0) found.push({ from: pose.p, to: pose.p.map((x, i) => x + scale * v[i]), color });
    };
    for (const w of data.wrenches) add(w.link, ["x", "y", "z"].map((c) => values[`${w.name}.lin_${c}`] || 0), "base", 0.01 * view.size, "force");
    for (const g of data.groups) {
      const vector = ["x", "y", "z"].map((c) => values[`b.${g.name}.lin_${c}`] || 0);
      add(g.link, vector, g.axes, 0.06 * view.size, "path");
      const nu = ["x", "y", "z"].map((c) => (solved && solved.values[`nu.${g.name}.lin_${c}`]) || 0);
      if (by("forces").checked) add(g.link, nu, g.axes, 0.005 * view.size, "mass");
    }
    view.setArrows(found);
  };
  const solve = () => {
    if (!functions.achd) return null;
    const now = { ...values };
    if (by("hold").checked && functions.gravity) {
      const weight = functions.gravity(values).values;
      for (const j of robot.joints) if (`tau_art.${j.name}` in now) now[`tau_art.${j.name}`] += weight[`tau.${j.name}`] || 0;
    }
    return functions.achd(now);
  };
  const told = (status) => {
    const bits = data.status.filter((s) => status & s.bit);
    return {
      text: bits.length ? bits.map((s) => `${s.name}: ${s.text}`).join("; ") : "0: a clean solve",
      look: bits.some((s) => s.do_not_command) ? "bad" : bits.length ? "" : "good",
    };
  };
  const others = createFunctions({ data, functions, view, told });
  const update = () => {
    const began = performance.now(), solved = solve(), took = performance.now() - began;
    view.setPose(q(), basePose(values, height));
    arrows(solved);
    others.update(values);
    if (!solved) return;
    for (const cell of document.querySelectorAll("[data-out]")) cell.textContent = shown(solved.values[cell.dataset.out]);
    for (const bar of document.querySelectorAll("[data-share]")) {
      const share = Math.abs(solved.values[bar.dataset.share]) / Number(bar.dataset.most);
      bar.style.width = 100 * Math.min(1, share || 0) + "%";
      bar.classList.toggle("over", share >= 0.999);
    }
    const { text, look } = told(solved.status);
    by("status").textContent = text;
    by("status").className = look;
    by("took").textContent = `${(1000 * took).toFixed(0)} µs in this page`;
  };
  const show = (column) => {
    const input = inputs.get(column), label = document.querySelector(`[data-value="${CSS.escape(column)}"]`);
    if (input && input.type !== "checkbox") input.value = values[column];
    if (label) label.textContent = values[column].toFixed(3);
  };
  const set = (column, x) => {
    values[column] = x;
    show(column);
  };
  for (const [column, input] of inputs)
    input.addEventListener("input", () => {
      const x = input.type === "checkbox" ? Number(input.checked) : Number(input.value);
      set(column, Number.isFinite(x) ? x : 0);
      update();
    });
  for (const id of ["masses", "frames", "forces", "hold"]) by(id).addEventListener("change", () => (decorate(), update()));
  by("reset").addEventListener("click", () => {
    for (const [column, input] of inputs) {
      input.type === "checkbox" ? (input.checked = input.defaultChecked) : (input.value = input.defaultValue);
      set(column, input.type === "checkbox" ? Number(input.checked) : Number(input.value));
    }
    update();
  });
  if (others.select) {
    others.select.addEventListener("change", () => {
      update();
      view.fit(others.points());
    });
    // velocities to look at: joints of a tree in both directions, a base that moves ahead and turns
    by("moving").addEventListener("click", () => {
      for (const [k, name] of [...inputs.keys()].filter((c) => /^qd(_r)?\./.test(c)).entries()) set(name, 0.5 * Math.cos(2 * k));
      for (const name of ["lin_x", "x"]) if (inputs.has("base.twist." + name)) set("base.twist." + name, 0.3);
      for (const name of ["ang_z", "yaw"]) if (inputs.has("base.twist." + name)) set("base.twist." + name, 0.2);
      update();
    });
    for (const choice of document.querySelectorAll('[name="ellipsoid"]'))
      choice.addEventListener("change", () => {
        others.drawn.part = choice.value;
        update();
        view.fit(others.points());
      });
  }
  const drag = (target) => {
    let x = q();
    for (let k = 0; k < 8; k++) x = approach(robot, x, tool, basePose(values, height), target, limits);
    for (const [j, c] of joints.entries()) set(c, x[j]);
    update();
  };
  if (tool && joints.length > 0) view.onDrag(() => view.poseOf(tool).p, drag);

  if (robot.base.kind === "floating") {
    view.setPose(q(), basePose(values, 0));
    height = -Math.min(...view.points().map((p) => p[2]));
  }
  view.setPose(q(), basePose(values, height));
  decorate();
  followTheme(by("theme"), () => view.setColors(palette[theme()]));
  update();
  view.fit(others.points());
  globalThis.achdRobot = { view, values, functions, others, set, update, drag }; // for scripts and tests
  document.documentElement.dataset.ready = "yes";
}

start();

/* SPDX-License-Identifier: MIT */
// robot_page.js: a robot and its solver in a page: sliders pose it, the generated code, compiled to
// WebAssembly, says torques, accelerations, row forces and status; dragging the tool moves the arm. Other functions stand in a card
// of their own (functions.js).
import { createViewer } from "./viewer.js";
import { rotate, turn } from "./kinematics.js";
import { followTheme, palette, theme } from "./colors.js";
import { createFunctions } from "./functions.js";
import { approach } from "./reaching.js";
import { holding, meaning, standingPosture } from "./standing.js";
import { unpacked } from "./moving.js";
import { createMoving } from "./playing.js";
import { field, fileName, followPrint, savePicture, saveText } from "./sheet.js";

const by = (id) => document.getElementById(id);
const shown = (x) => (Number.isFinite(x) ? (Math.abs(x) < 5e-7 ? 0 : x).toFixed(Math.abs(x) < 10 ? 4 : 2) : String(x));

// ---- the solver ----

// Functions of the module: of each, run(values by column) gives { status, values by column }.
async function load(data) {
  if (!data.wasm) return {};
  const { instance } = await WebAssembly.instantiate(await unpacked(data.wasm), {});
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
    functions[f.name].alone = exports[f.name + "_run"]; // with the inputs that it has
  }
  return functions;
}

// Time of a call [s]: as many as a clock of 0.1 ms, or of 1 ms, measures to a percent.
function timed(call) {
  for (let n = 64; ; n *= 2) {
    const began = performance.now();
    for (let k = 0; k < n; k++) call();
    const took = performance.now() - began;
    if (took > 20 || n > 1e7) return took / 1000 / n;
  }
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
  let height = 0, moving = null;
  const placed = () => (moving ? moving.base() : basePose(values, height));
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
  // Accelerations of a robot at rest on its contacts, with torques of its motors alone.
  const still = (torques) => {
    const at = { ...values };
    for (const column of Object.keys(at)) if (/^(qd|b|tau_phys)\./.test(column) || column.startsWith("base.twist.") || data.wrenches.some((w) => column.startsWith(w.name + "."))) at[column] = 0;
    robot.joints.forEach((j, i) => (at[`tau_art.${j.name}`] = torques[i]));
    const { values: out } = functions.achd(at);
    return Object.keys(out).filter((c) => /^(qdd|base\.acc)\./.test(c)).map((c) => out[c]);
  };
  const solve = () => {
    if (!functions.achd) return null;
    const now = { ...values };
    if (by("hold").checked && data.stands && robot.joints.every((j) => `tau_art.${j.name}` in now)) {
      holding(still, robot.joints.length).forEach((tau, i) => (now[`tau_art.${robot.joints[i].name}`] += tau));
    } else if (by("hold").checked && functions.gravity) {
      const weight = functions.gravity(values).values;
      for (const j of robot.joints) if (`tau_art.${j.name}` in now) now[`tau_art.${j.name}`] += weight[`tau.${j.name}`] || 0;
    }
    return functions.achd(now);
  };
  const told = (status) => {
    const bits = data.status.filter((s) => status & s.bit);
    return {
      text: bits.length ? bits.map((s) => `${s.name}: ${s.text}`).join("; ") : "0: solved, no remark",
      look: bits.some((s) => s.do_not_command) ? "bad" : bits.length ? "" : "good",
    };
  };
  const others = createFunctions({ data, functions, view, told });
  // Once nothing has been changed for a while, the solver is timed by itself.
  let later = 0;
  const time = () => {
    const took = timed(functions.achd.alone);
    by("took").textContent = `${(1e6 * took).toPrecision(3)} µs in this page`;
  };
  const gravity = () => ["x", "y", "z"].map((c) => values["gravity." + c] ?? (c === "z" ? -9.81 : 0));
  const mass = [robot.base, ...robot.bodies].reduce((sum, b) => sum + (b.mass || 0), 0);
  let last = null;
  const update = () => {
    const solved = (last = solve());
    view.setPose(q(), placed());
    arrows(solved);
    others.update(values);
    if (!solved) return;
    tell(solved);
    clearTimeout(later);
    later = setTimeout(time, 300);
  };
  // The tables of a solution.
  const tell = (solved = solve()) => {
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
    by("happens").textContent = meaning(data, solved.values, gravity(), mass * Math.hypot(...gravity()));
  };
  const show = (column) => {
    const input = inputs.get(column), label = document.querySelector(`[data-value="${CSS.escape(column)}"]`);
    if (input && input.type !== "checkbox") input.value = values[column];
    if (label && label !== document.activeElement) label.value = values[column].toFixed(3).replace(/^-(0\.0+)$/, "$1");
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
  // a number written beside a slider may lie outside its range
  for (const box of document.querySelectorAll("[data-value]"))
    box.addEventListener("input", () => {
      if (box.value === "" || !Number.isFinite(Number(box.value))) return;
      values[box.dataset.value] = Number(box.value);
      inputs.get(box.dataset.value).value = box.value;
      update();
    });
  const table = () => {
    const rows = [["column", "value", "unit"]], f = data.functions.find((one) => one.name === "achd");
    const units = new Map(f ? ["in", "out"].flatMap((side) => f[side].fields.flatMap((one) => one.elements.map((e) => [e.column, e.unit]))) : []);
    for (const [column, x] of [...Object.entries(values), ...Object.entries(last ? last.values : {}), ...(last ? [["status", last.status]] : [])]) rows.push([field(column), x, units.get(column) ?? ""]);
    return rows.map((row) => row.join(",")).join("\n") + "\n";
  };
  by("csv").addEventListener("click", () => saveText(fileName(document.title, "csv"), table()));
  by("png").addEventListener("click", () => savePicture(fileName(document.title, "png"), view.picture()));
  for (const id of ["masses", "frames", "forces", "hold"]) by(id).addEventListener("change", () => (decorate(), update()));
  by("reset").addEventListener("click", () => {
    moving?.stop();
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
    for (let k = 0; k < 8; k++) x = approach(robot, x, tool, placed(), target, limits);
    for (const [j, c] of joints.entries()) set(c, x[j]);
    update();
  };
  if ((tool && joints.length > 0) || data.moving)
    view.onDrag(
      (seen) => (moving?.going() ? moving.grip(seen) : tool && joints.length > 0 ? view.poseOf(tool).p : [NaN, NaN, NaN]),
      (point) => (moving?.going() ? moving.pull(point) : drag(point)),
      () => moving?.release(),
    );

  if (data.stands && !data.posture) {
    standingPosture(robot, data.contacts, q(), limits, basePose(values, 0)).forEach((x, j) => {
      set(joints[j], x);
      inputs.get(joints[j]).defaultValue = x; // Reset comes back to it
    });
  }
  if (robot.base.kind === "floating") {
    view.setPose(q(), basePose(values, 0));
    height = -Math.min(...view.points().map((p) => p[2]));
  }
  view.setPose(q(), basePose(values, height));
  if (data.moving) {
    const stand = functions.achd && data.stands && robot.joints.every((j) => `tau_art.${j.name}` in values) ? () => holding(still, robot.joints.length) : null;
    moving = await createMoving({ data, functions, values, view, set, update, tell, still: stand, placed: () => basePose(values, height), joints });
  }
  decorate();
  const paint = () => view.setColors(palette[theme()]);
  followTheme(by("theme"), paint);
  followPrint({ view: () => view, element: by("view"), paint });
  update();
  view.fit(others.points());
  globalThis.achdRobot = { table, solve, view, values, functions, others, set, update, drag, moving }; // for scripts and tests
  document.documentElement.dataset.ready = "yes";
}

start();

/* SPDX-License-Identifier: MIT */
// functions.js: the card of functions beside the solver: which one is chosen, its numbers, and what of them is drawn.
import { outlines, semiAxes } from "./ellipsoid.js";

const by = (id) => document.getElementById(id);
const three = ["x", "y", "z"];
const norm = (v) => Math.hypot(...v);
const named = (kind, name) => document.querySelector(`[data-${kind}="${CSS.escape(name)}"]`);

// Four digits, and 0 for what is rounding of numbers of everyday size.
export const digits = (x) => (Number.isFinite(x) ? (Math.abs(x) < 1e-12 ? "0" : Number(x.toPrecision(4)).toString()) : String(x));

// The numbers of a function in its tables, each cell the darker, the larger its number is beside the others of its table.
function fill(cells, values) {
  const most = new Map();
  for (const c of cells) {
    const table = c.closest("table"), x = Math.abs(values[c.dataset.of]);
    if (Number.isFinite(x)) most.set(table, Math.max(most.get(table) || 0, x));
  }
  for (const c of cells) {
    const x = values[c.dataset.of], share = Math.abs(x) / most.get(c.closest("table"));
    c.textContent = digits(x);
    c.classList.toggle("below", x < 0);
    c.style.setProperty("--share", `${(45 * (share || 0)).toFixed(1)}%`);
  }
}

// The ellipsoids of the velocities of frames: 1 m/s is drawn as 0.3 of the reach, 1 rad/s as 0.15. Their semi-axes as text.
function drawEllipsoids({ data, functions, view, part }, values, out) {
  const J = functions.jac(values).values, columns = Object.keys(J), found = [], lines = [];
  const linear = part === "lin", scale = (linear ? 0.3 : 0.15) * view.size;
  for (const [frame, link] of Object.entries(data.jacobians)) {
    const rows = three.map((c) => columns.filter((name) => name.startsWith(`jac.${frame}.${part}_${c}.`)).map((name) => J[name]));
    const axes = semiAxes(rows), w = out[`manipulability_${part}.${frame}`];
    const measure = w === undefined ? "" : `; manipulability_${part} ${digits(w)}`;
    lines.push(`${frame}: semi-axes ${axes.map((a) => digits(a.length)).join(", ")} ${linear ? "m/s" : "rad/s"}${measure}`);
    found.push({ center: view.poseOf(link).p, axes, scale, lines: outlines(view.poseOf(link).p, axes, scale) });
  }
  view.setEllipsoids(found);
  return lines;
}

// The centre of mass, and the momentum there. Arrows are as long as the reach at 1 m/s of the whole mass, at most half of that.
function drawMomentum({ data, functions, view }, values, out) {
  const com = functions.com(values).values, base = view.poseOf(data.robot.base.link).p;
  const G = three.map((c, i) => base[i] + com[`com.p.${c}`]), mass = com["com.m"];
  const lin = three.map((c) => out[`h_G.lin_${c}`]), ang = three.map((c) => out[`h_G.ang_${c}`]);
  const arrow = (v, unit, color) => ({ from: G, to: G.map((x, i) => x + Math.min(view.size / unit, (0.5 * view.size) / norm(v)) * v[i]), color, ahead: true });
  view.setMarks([{ at: G, size: 0.035 * view.size, ahead: true }], "center");
  view.setArrows([[lin, mass, "path"], [ang, 0.25 * mass * view.size, "mass"]].filter(([v]) => norm(v) > 1e-12).map((a) => arrow(...a)), "momentum");
  return [`centre of mass at ${G.map(digits).join(", ")} m; momentum ${digits(norm(lin))} kg m/s, angular momentum about it ${digits(norm(ang))} kg m²/s`];
}

// data: of the page; functions: those of the module; told(status): { text, look }.
export function createFunctions({ data, functions, view, told }) {
  const select = by("function"), drawn = { data, functions, view, part: "lin" };
  if (!select || !data.wasm) return { update() {}, points: () => [] };
  let cells = [];

  const below = by("functions").querySelector(".told");
  // Inputs that the function does not take are not there, but for those of the solver.
  const choose = () => {
    for (const part of document.querySelectorAll("[data-function]")) part.hidden = part.dataset.function !== select.value;
    for (const part of document.querySelectorAll("[data-drawn]")) part.hidden = part.dataset.drawn !== select.value;
    by("chosen").textContent = select.value;
    cells = [...named("function", select.value).querySelectorAll("[data-of]")];
    const taken = new Set(data.functions.find((f) => f.name === select.value).in.fields.map((f) => f.name));
    for (const card of document.querySelectorAll("[data-field]")) {
      card.classList.toggle("taken", taken.has(card.dataset.field));
      card.hidden = !taken.has(card.dataset.field) && card.dataset.solver !== "yes";
    }
  };
  const draw = (values, out) => {
    view.setEllipsoids([]);
    view.setMarks([], "center");
    view.setArrows([], "momentum");
    const place = named("drawn", select.value);
    if (!place) return;
    const lines = select.value === "manipulability" ? drawEllipsoids(drawn, values, out) : drawMomentum(drawn, values, out);
    place.querySelector(".lines").replaceChildren(...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  };
  const update = (values) => {
    const { status, values: out } = functions[select.value](values), place = named("status", select.value), { text, look } = told(status);
    place.textContent = text;
    place.className = look;
    fill(cells, out);
    draw(values, out);
  };
  const tell = (event) => {
    const cell = event.target.closest?.("[data-of]");
    if (cell) below.textContent = `${cell.dataset.of} = ${cell.textContent} ${cell.dataset.unit}`;
  };
  for (const kind of ["click", "mouseover"]) by("functions").addEventListener(kind, tell);
  select.addEventListener("change", choose);
  choose();
  // of what is drawn, for the view to look at
  const points = () => ["ellipsoids", "momentum"].flatMap((group) => (view.parts()[group] || []).flatMap((p) => p.points || [p.to]).filter(Boolean));
  return { update, select, drawn, points };
}

/* SPDX-License-Identifier: MIT */
// live.js: the page of a loop that runs (achd_live.py): rows of its log come in 30 times a second, joints move, signals scroll.
import { createViewer } from "./viewer.js";
import { turn } from "./kinematics.js";
import { createChart } from "./charts.js";
import { followTheme, palette, theme } from "./colors.js";
import { createTrace, grouped, numbers } from "./trace.js";

const by = (id) => document.getElementById(id);

function start() {
  const data = JSON.parse(by("data").textContent), robot = data.robot, INTERVALS = 500;
  const shared = { colors: palette[theme()], bands: [], time: 0, range: [0, 1], onPick() {}, onZoom() {} };
  let columns = [], place = new Map(), traces = [], charts = [], latest = null, rows = 0, wrong = 0, paused = false, waiting = false, view = null;
  let heard = 0, arrived = []; // when rows came, and how many [ms, rows]

  // -- 3-D
  const value = (name) => (place.has(name) ? latest[place.get(name)] : undefined);
  const joints = () => robot.joints.map((j, k) => value("q." + j.name) ?? value(`q.${k + 1}`) ?? 0).map((x) => (Number.isFinite(x) ? x : 0));
  const vector = (name) => ["x", "y", "z"].map((c) => value(name + c)).map((x) => (Number.isFinite(x) ? x : 0));
  const base = () => {
    if (!place.has("base.p_x")) return data.base;
    const v = vector("base.turn_"), angle = Math.hypot(...v);
    return { p: vector("base.p_"), R: angle > 0 ? turn(v.map((x) => x / angle), angle) : turn([0, 0, 1], 0) };
  };
  if (robot) {
    view = createViewer(by("view"), { robot, colors: shared.colors, flat: location.hash === "#flat", label: "the robot now" });
    by("view").dataset.kind = view.kind;
    view.setFrames(data.frames.map((f) => ({ pose: f, tube: f.tube, length: f.length })));
    view.setBoxes(data.boxes);
  }

  // -- signals
  const window_ = () => Number(by("window").value), seconds = () => data.windows[window_()];
  const sight = new IntersectionObserver((entries) => {
    for (const e of entries) for (const one of charts) if (one.element === e.target) one.seen = e.isIntersecting;
    changed();
  }, { rootMargin: "100px" });
  const open = (one) => {
    one.chart?.destroy();
    one.chart = createChart(one.element, { ...one.group, x: [], curves: one.group.curves.map((c) => ({ name: c.name, values: [] })) }, shared);
  };
  const begin = (found) => {
    columns = found;
    place = new Map(columns.map(([name], k) => [name, k]));
    traces = data.windows.map((s) => createTrace(s, INTERVALS, columns.length - 1));
    latest = null;
    for (const one of charts) one.chart.destroy();
    sight.disconnect();
    charts = grouped(columns, data.first).map((group) => {
      const card = document.createElement("div"), title = document.createElement("h3"), unit = document.createElement("span"), element = document.createElement("div");
      card.className = "chart";
      unit.className = "soft";
      title.textContent = (data.titles[group.title] ?? group.title) + " ";
      unit.textContent = `[${group.unit}]`;
      title.append(unit);
      card.append(title, element);
      return { group, card, element, seen: false };
    });
    by("charts").replaceChildren(...charts.map((one) => one.card));
    for (const one of charts) {
      open(one);
      sight.observe(one.element);
    }
  };
  const take = (lines) => {
    for (const line of lines) {
      const row = numbers(line);
      if (row.length !== columns.length || !Number.isFinite(row[0])) wrong++;
      else {
        if (latest && row[0] <= latest[0]) for (const trace of traces) trace.clear(); // a clock that was set back
        for (const trace of traces) trace.put(row);
        latest = row;
        rows++;
      }
    }
    heard = performance.now();
    arrived = [...arrived.filter(([when]) => heard - when < 1000), [heard, lines.length]];
    changed();
  };

  // -- what is seen
  const faults = (bits) => data.faults.filter((_, k) => (bits >> k) & 1).join(", ");
  const draw = () => {
    waiting = false;
    if (!latest || paused) return;
    shared.time = latest[0];
    shared.range = [latest[0] - seconds(), latest[0]];
    for (const one of charts) if (one.seen) one.chart.set(traces[window_()].points(one.group.curves.map((c) => c.s)));
    view?.setPose(joints(), base());
    by("now").textContent = latest[0].toFixed(3) + " s";
    const state = value("state");
    by("state").textContent = state === undefined ? "" : (data.states[state] ?? `state ${state}`);
    by("fault").textContent = value("fault") > 0 ? `fault: ${faults(value("fault"))}` : "";
    if (!draw.fitted) view?.fit([]);
    draw.fitted = true;
  };
  const changed = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  let problem = "";
  const say = () => {
    const silent = (performance.now() - heard) / 1000, rate = arrived.filter(([when]) => performance.now() - when < 1000).reduce((sum, [, n]) => sum + n, 0);
    const late = problem !== "" || !latest || silent > 1;
    by("said").classList.toggle("late", late && latest !== null);
    by("said").textContent = (problem || (!latest ? "Waits for the log." : silent > 1 ? `Nothing new for ${silent.toFixed(0)} s; ${rows} rows.` : `${rate} rows a second; ${rows} rows.`)) + (wrong ? ` ${wrong} lines are no rows.` : "");
  };
  setInterval(say, 200);

  const source = new EventSource("stream");
  source.addEventListener("columns", (e) => ((problem = ""), begin(JSON.parse(e.data))));
  source.addEventListener("rows", (e) => take(e.data.split("\n")));
  source.addEventListener("mistake", (e) => (problem = JSON.parse(e.data)));
  source.onerror = () => (problem = "achd-live does not answer.");
  source.onopen = () => (problem = "");

  by("pause").addEventListener("click", () => {
    paused = !paused;
    by("pause").textContent = paused ? "Go on" : "Pause";
    changed();
  });
  by("window").addEventListener("change", changed);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const one of charts) one.chart.resize();
  });
  followTheme(by("theme"), () => {
    shared.colors = palette[theme()];
    view?.setColors(shared.colors);
    for (const one of charts) open(one);
    changed();
  });
  globalThis.achdLive = { rows: () => rows, wrong: () => wrong, latest: () => latest, view: () => view, charts: () => charts, joints }; // for tests
  document.documentElement.dataset.ready = "yes";
}

start();

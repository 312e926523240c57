/* SPDX-License-Identifier: MIT */
// page.js: brings the page of a run to life: 3-D view, time, charts. All numbers and tables that
// matter stand in the page itself, without this script.
import { createViewer } from "./viewer.js";
import { identity, turn } from "./kinematics.js";
import { createChart } from "./charts.js";
import { followTheme, palette, theme } from "./colors.js";
import { below, field, fileName, followPrint, savePicture, saveText } from "./sheet.js";

const by = (id) => document.getElementById(id);

// ---- data ----

function bytes(text) {
  const raw = atob(text), all = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) all[i] = raw.charCodeAt(i);
  return all.buffer;
}
const gaps = (array) => Array.from(array, (x) => (Number.isFinite(x) ? x : null));
const floats = (text) => new Float32Array(bytes(text));
const doubles = (text) => new Float64Array(bytes(text));

// ---- the page ----

function start() {
  const data = JSON.parse(by("data").textContent);
  const times = doubles(data.poses.time), first = data.from, last = data.to;
  const shared = { colors: palette[theme()], bands: data.bands, time: first, range: [first, last] };
  const charts = new Set();
  let view = null, playing = 0;

  // -- 3-D
  const column = (name) => (name in data.poses ? floats(data.poses[name]) : null);
  const q = data.poses.q.map((text) => (text === null ? null : floats(text)));
  const moved = ["p_x", "p_y", "p_z", "turn_x", "turn_y", "turn_z"].map((part) => column("base." + part));
  const tool = ["p_x", "p_y", "p_z"].map((part) => column("tool." + part));
  // what leaves a path: the tool, or the base where there is none
  const traced = tool.every(Boolean) ? tool : moved.slice(0, 3);
  const push = ["lin_x", "lin_y", "lin_z"].map((part) => column("push." + part));
  const point = (k) => traced.map((c) => c[k]);
  const good = (p) => p.every(Number.isFinite);

  const nearest = (time) => {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
  };
  const basePose = (k) => {
    if (!moved[0]) return data.base;
    const v = moved.slice(3).map((c) => (c ? c[k] : 0)), angle = Math.hypot(...v);
    return { p: moved.slice(0, 3).map((c) => (c ? c[k] : 0)), R: angle > 0 ? turn(v.map((x) => x / angle), angle) : turn([0, 0, 1], 0) };
  };
  const largestPush = () => {
    let most = 0;
    for (let k = 0; k < times.length; k++) most = Math.max(most, Math.hypot(push[0][k], push[1][k], push[2][k]) || 0);
    return most;
  };
  const strongest = push.every(Boolean) ? largestPush() : 0;
  const positions = (k) => q.map((c) => (c && Number.isFinite(c[k]) ? c[k] : 0));
  // The frame of the present section with its axes, the others by their tubes; all with axes where
  // there are no sections.
  const sections = column("section");
  let section = -1;
  const showFrames = (k) => {
    const now = sections ? sections[k] : 0;
    if (now === section) return;
    section = now;
    const few = data.frames.length <= 3;
    const shown = data.frames.map((f, i) => ({ pose: f, tube: f.tube, length: f.length, axes: i === now || few ? undefined : 0 }));
    // a vehicle's axes tell where it heads
    const own = data.robot.bodies.length === 0 ? [{ link: data.robot.base.link, pose: identity(), axes: 0.4 * view.size }] : [];
    view.setFrames([...shown, ...own]);
  };
  const pose = () => {
    if (!view) return;
    const k = nearest(shared.time);
    view.setPose(positions(k), basePose(k));
    showFrames(k);
    if (strongest > 0 && tool.every(Boolean) && good(point(k))) {
      const scale = (0.4 * view.size) / Math.max(strongest, 10 /* N */), from = point(k);
      const to = from.map((x, i) => x + scale * (push[i][k] || 0));
      view.setArrows([{ from, to }]);
    }
  };
  const see = () => {
    if (!data.robot) return;
    view = createViewer(by("view"), { robot: data.robot, colors: shared.colors, flat: location.hash === "#flat", label: "the robot during the run" });
    by("view").dataset.kind = view.kind;
    const path = [];
    if (traced.every(Boolean)) for (let k = 0; k < times.length; k++) if (good(point(k))) path.push(point(k));
    const some = path.filter((_, k) => k % Math.ceil(path.length / 400) === 0 || k === path.length - 1);
    if (some.length > 1) view.setPaths([{ points: some }]);
    const few = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (times.length - 1))).map((k) => ({ q: positions(k), base: basePose(k) }));
    view.setBoxes(data.boxes);
    pose();
    view.fit([...path, ...data.boxes.map((b) => b.p), ...data.frames.map((f) => f.p)], few);
  };

  // -- time
  const slider = by("time");
  const stateAt = (time) => data.bands.find((b) => time >= b.from && time <= b.to);
  const go = (time) => {
    shared.time = Math.min(last, Math.max(first, time));
    slider.value = shared.time;
    by("now").textContent = shared.time.toFixed(3) + " s";
    const band = stateAt(shared.time);
    by("state").textContent = band ? data.states[band.state] || "state " + band.state : "";
    pose();
    for (const chart of charts) chart.now();
  };
  const pause = () => {
    cancelAnimationFrame(playing);
    playing = 0;
    by("play").textContent = "Play";
  };
  const play = () => {
    if (shared.time >= last) go(first);
    const begun = performance.now(), from = shared.time;
    const step = (now) => {
      go(from + ((now - begun) / 1000) * Number(by("speed").value));
      if (shared.time >= last) pause();
      else playing = requestAnimationFrame(step);
    };
    by("play").textContent = "Pause";
    playing = requestAnimationFrame(step);
  };
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  by("play").addEventListener("click", () => (playing ? pause() : play()));
  by("speed").addEventListener("change", () => playing && (pause(), play()));
  shared.onPick = (time) => {
    pause();
    go(time);
  };
  shared.onZoom = (range) => {
    shared.range = range || [first, last];
    by("whole").hidden = !range;
    for (const chart of charts) chart.zoom();
  };
  by("whole").addEventListener("click", () => shared.onZoom(null));
  for (const row of document.querySelectorAll("[data-time]")) row.addEventListener("click", () => shared.onPick(Number(row.dataset.time)));

  // -- charts, each when it comes into sight
  const x = Array.from(doubles(data.x));
  const curve = (c) => ({ name: c.name, values: "constant" in c ? x.map(() => c.constant) : gaps(floats(c.values)) });
  const place = new Map();
  const open = (element) => {
    if (place.has(element)) return;
    const group = data.groups[Number(element.dataset.group)];
    const chart = createChart(element, { ...group, x, curves: group.curves.map(curve) }, shared);
    place.set(element, chart);
    charts.add(chart);
  };
  const close = (element) => {
    if (!place.has(element)) return;
    charts.delete(place.get(element));
    place.get(element).destroy();
    place.delete(element);
  };
  const sight = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) open(e.target);
  }, { rootMargin: "300px" });
  for (const element of document.querySelectorAll("[data-group]")) sight.observe(element);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // on a phone, the bar of the browser comes and goes
    width = innerWidth;
    for (const chart of charts) chart.resize();
  });

  // -- saved: rows of the log in sight, and pictures of what is seen
  const near = (element) => element.offsetParent !== null;
  const saved = (what, ending) => fileName(`${document.title} ${what}`, ending);
  const rows = () => {
    const from = shared.range[0], to = shared.range[1], every = data.groups.flatMap((g) => g.curves.map((c) => ({ name: `${g.title === c.name ? "" : g.title + "."}${c.name} [${g.unit}]`, values: curve(c).values })));
    const lines = [["time [s]", ...every.map((c) => field(c.name))].join(",")];
    x.forEach((time, k) => time >= from && time <= to && lines.push([time, ...every.map((c) => c.values[k] ?? "nan")].join(",")));
    return lines.join("\n") + "\n";
  };
  by("csv").addEventListener("click", () => saveText(saved("signals", "csv"), rows()));
  const drawAll = () => {
    for (const element of document.querySelectorAll("[data-group]")) if (near(element)) open(element);
  };
  const chartPicture = () => below([...place].filter(([element]) => near(element)).map(([element, chart]) => ({ title: element.previousElementSibling.textContent, canvas: chart.canvas() })), shared.colors);
  by("png").addEventListener("click", () => {
    drawAll();
    setTimeout(() => savePicture(saved("signals", "png"), chartPicture())); // uPlot draws at the end of this turn
    if (view) savePicture(saved("robot", "png"), view.picture());
  });

  // -- look
  const paint = () => {
    shared.colors = palette[theme()];
    for (const band of document.querySelectorAll("[data-state]"))
      band.style.background = shared.colors.states[Number(band.dataset.state) % shared.colors.states.length];
    if (view) view.setColors(shared.colors);
    for (const element of [...place.keys()]) {
      close(element);
      open(element);
    }
  };
  see();
  followTheme(by("theme"), paint);
  const onPaper = 660; // pixels: within the margins of A4 and letter
  followPrint({
    view: () => view, element: by("view"), paint,
    drawn: () => {
      drawAll();
      for (const chart of charts) chart.resize(onPaper);
    },
    after: () => charts.forEach((chart) => chart.resize()),
  });
  go(first);
  globalThis.achdRun = { rows, chartPicture, go, view: () => view, shared, times, positions }; // for scripts and tests
  document.documentElement.dataset.ready = "yes";
}

start();

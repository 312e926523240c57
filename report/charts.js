/* SPDX-License-Identifier: MIT */
// charts.js: signals over time by uPlot: the same time and zoom in all charts, states as bands behind
// the curves, a line at the present time.
import uPlot from "uplot";

const key = "run";

// The bands and events behind the curves, and the line of the present time.
function decoration(shared) {
  const box = (u, from, to) => {
    const a = Math.max(u.bbox.left, u.valToPos(from, "x", true));
    const b = Math.min(u.bbox.left + u.bbox.width, u.valToPos(to, "x", true));
    return b > a ? [a, b - a] : null;
  };
  return {
    hooks: {
      drawClear: [
        (u) => {
          const { ctx, bbox } = u;
          ctx.save();
          for (const band of shared.bands) {
            const at = box(u, band.from, band.to);
            if (!at) continue;
            ctx.globalAlpha = 0.13;
            ctx.fillStyle = shared.colors.states[band.state % shared.colors.states.length];
            ctx.fillRect(at[0], bbox.top, at[1], bbox.height);
          }
          ctx.restore();
        },
      ],
      draw: [
        (u) => {
          const x = u.valToPos(shared.time, "x", true), { ctx, bbox } = u;
          if (x < bbox.left || x > bbox.left + bbox.width) return;
          ctx.save();
          ctx.strokeStyle = shared.colors.now;
          ctx.lineWidth = 1.5 * devicePixelRatio;
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
          ctx.restore();
        },
      ],
    },
  };
}

const shown = (x) => (x == null ? "" : String(+x.toPrecision(5)));

// shared: { colors, bands, time, range, onPick(time), onZoom(range) }; group: { title, unit, x, curves
// [{ name, values }] }.
export function createChart(element, group, shared) {
  const axis = () => ({
    stroke: shared.colors.text,
    grid: { stroke: shared.colors.grid, width: 1 },
    ticks: { stroke: shared.colors.grid, width: 1 },
    font: "12px system-ui, sans-serif",
  });
  const options = {
    width: Math.max(200, element.clientWidth),
    height: 220,
    cursor: { sync: { key, setSeries: false }, drag: { x: true, y: false, setScale: false }, focus: { prox: 24 } },
    focus: { alpha: 0.3 },
    scales: { x: { time: false, range: () => shared.range } },
    legend: { live: true },
    series: [
      { label: "time", value: (_, x) => (x == null ? "" : x.toFixed(3) + " s") },
      ...group.curves.map((c, i) => ({
        label: c.name,
        stroke: shared.colors.series[i % shared.colors.series.length],
        width: 1.4,
        points: { show: false },
        value: (_, x) => shown(x),
      })),
    ],
    axes: [axis(), { ...axis(), size: 72, values: (_, ticks) => ticks.map(shown) }],
    plugins: [decoration(shared)],
    hooks: {
      setSelect: [
        (u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          shared.onZoom([from, to]);
        },
      ],
      ready: [
        (u) => {
          u.over.addEventListener("dblclick", () => shared.onZoom(null));
          u.over.addEventListener("click", () => {
            if (u.cursor.left >= 0) shared.onPick(u.posToVal(u.cursor.left, "x"));
          });
        },
      ],
    },
  };
  const chart = new uPlot(options, [group.x, ...group.curves.map((c) => c.values)], element);
  return {
    now: () => chart.redraw(false),
    zoom: () => chart.setScale("x", { min: shared.range[0], max: shared.range[1] }),
    resize: (width = element.clientWidth) => chart.setSize({ width: Math.max(200, width), height: 220 }),
    // new points: [times, ...values]
    set: (points) => {
      chart.setData(points, false);
      chart.setScale("x", { min: shared.range[0], max: shared.range[1] });
    },
    canvas: () => chart.ctx.canvas,
    destroy: () => chart.destroy(),
  };
}

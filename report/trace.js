/* SPDX-License-Identifier: MIT */
// trace.js: the last seconds of a log that grows: of each signal the least and the greatest value of each of many short intervals, so
// that no peak is lost, in memory that does not grow.

// Numbers of a line of log.csv: nan, inf and -inf are numbers of a log; what is none is NaN.
const named = { nan: NaN, inf: Infinity, "-inf": -Infinity };
export const numbers = (line) => line.split(",").map((text) => (text.trim() in named ? named[text.trim()] : text.trim() === "" ? NaN : Number(text)));

// seconds: how far back; count: of intervals; signals: how many.
export function createTrace(seconds, count, signals) {
  const wide = seconds / count, low = Array.from({ length: signals }, () => new Float64Array(count)), high = low.map(() => new Float64Array(count));
  const which = new Float64Array(count).fill(NaN); // the interval that a place has, counted from time 0
  let newest = -Infinity;

  return {
    clear() {
      which.fill(NaN);
      newest = -Infinity;
    },
    // row: the time, then a number per signal
    put(row) {
      const interval = Math.floor(row[0] / wide), at = ((interval % count) + count) % count;
      newest = Math.max(newest, interval);
      const fresh = which[at] !== interval;
      which[at] = interval;
      for (let s = 0; s < signals; s++) {
        const x = Number.isFinite(row[s + 1]) ? row[s + 1] : NaN;
        if (fresh || Number.isNaN(low[s][at])) low[s][at] = high[s][at] = x;
        else if (x < low[s][at]) low[s][at] = x;
        else if (x > high[s][at]) high[s][at] = x;
      }
    },
    // Two points for each interval that has rows: [times, ...values of the signals chosen], null where a value is not finite.
    points(chosen) {
      const found = [[], ...chosen.map(() => [])];
      for (let k = newest - count + 1; k <= newest; k++) {
        const at = ((k % count) + count) % count;
        if (which[at] !== k) continue;
        found[0].push(k * wide, (k + 0.5) * wide);
        chosen.forEach((s, i) => found[i + 1].push(...[low[s][at], high[s][at]].map((x) => (Number.isNaN(x) ? null : x))));
      }
      return found;
    },
  };
}

// Groups of signals that share a chart, as pages.py has them: the same first part of the name and the same unit, nine at most.
export function grouped(columns, first) {
  const groups = new Map(), alone = new Set(["state", "section", "mode", "fault", "seen", "event"]);
  columns.slice(1).forEach(([name, unit], s) => {
    const [head, ...rest] = name.split(".");
    if ((alone.has(head) && rest.length === 0) || head === "event") return;
    const key = JSON.stringify([head, unit]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ name: rest.join(".") || head, s });
  });
  const found = [];
  for (const [key, members] of groups) {
    const [head, unit] = JSON.parse(key);
    for (let k = 0; k < members.length; k += 9) found.push({ title: head, unit, curves: members.slice(k, k + 9) });
  }
  const place = (g) => (first.includes(g.title) ? first.indexOf(g.title) : first.length);
  return found.sort((a, b) => place(a) - place(b));
}

/* SPDX-License-Identifier: MIT */
// colors.js: the colours of pages, for light and dark; which of both a page has.
export const palette = {
  light: {
    background: "#eef1f5", grid: "#d3d9e2", link: "#8fa1b8", joint: "#3b5573", edge: "#5d6f86", path: "#d9480f", force: "#c2255c", tube: "#2f9e44",
    mass: "#7048e8", thing: "#c9b79c", x: "#e03131", y: "#2f9e44", z: "#1971c2", text: "#3d4654", now: "#111827",
    series: ["#1c7ed6", "#e8590c", "#2b8a3e", "#ae3ec9", "#c92a2a", "#0b7285", "#846358", "#495057", "#e67700"],
    states: ["#868e96", "#f08c00", "#2f9e44", "#1c7ed6", "#ae3ec9", "#e03131", "#0c8599", "#846358"],
  },
  dark: {
    background: "#141a22", grid: "#2b3543", link: "#8b9cb3", joint: "#d5deea", edge: "#2f3b4b", path: "#ff922b", force: "#ff6b9d", tube: "#51cf66",
    mass: "#9775fa", thing: "#7d6b52", x: "#ff6b6b", y: "#51cf66", z: "#4dabf7", text: "#b8c2d0", now: "#ffffff",
    series: ["#4dabf7", "#ffa94d", "#69db7c", "#da77f2", "#ff8787", "#3bc9db", "#c9a38f", "#ced4da", "#ffd43b"],
    states: ["#868e96", "#ffa94d", "#51cf66", "#4dabf7", "#da77f2", "#ff6b6b", "#3bc9db", "#c9a38f"],
  },
};
const dark = matchMedia("(prefers-color-scheme: dark)");

export function theme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && dark.matches) ? "dark" : "light";
}

function remember(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("achd-theme", name);
  } catch {
    // a page that may not store anything
  }
}

// A button that changes between light and dark; paint() follows it, and the system's choice.
export function followTheme(button, paint) {
  const now = () => {
    button.textContent = theme() === "dark" ? "Light" : "Dark";
    paint();
  };
  button.addEventListener("click", () => {
    remember(theme() === "dark" ? "light" : "dark");
    now();
  });
  dark.addEventListener("change", now);
  now();
}

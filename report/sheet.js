/* SPDX-License-Identifier: MIT */
// sheet.js: pages on paper and in files: what is drawn on canvases is drawn for printing, light and whole; pictures and tables are saved.

// A file that the browser saves.
export function save(name, blob) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const saveText = (name, text) => save(name, new Blob([text], { type: "text/csv" }));
export const savePicture = (name, canvas) => canvas.toBlob((blob) => save(name, blob), "image/png");

// The name of a file, from a page's title.
export const fileName = (title, ending) => `${title.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "") || "page"}.${ending}`;

// A field of a table as RFC 4180 has it.
export const field = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Charts one below the other on a canvas, each below its title. charts: [{ title, canvas }]
export function below(charts, colors) {
  const line = 24 * devicePixelRatio, whole = document.createElement("canvas"), paper = whole.getContext("2d");
  whole.width = Math.max(...charts.map((c) => c.canvas.width));
  whole.height = charts.reduce((sum, c) => sum + line + c.canvas.height, 0);
  paper.fillStyle = colors.background;
  paper.fillRect(0, 0, whole.width, whole.height);
  paper.fillStyle = colors.text;
  paper.font = `${14 * devicePixelRatio}px system-ui, sans-serif`;
  let y = 0;
  for (const { title, canvas } of charts) {
    paper.fillText(title, 8, y + 0.7 * line);
    paper.drawImage(canvas, 0, y + line);
    y += line + canvas.height;
  }
  return whole;
}

// Before the page is printed it is light, drawn() draws what has not been seen, and the 3-D view, whose pixels a browser does not keep,
// is replaced by its picture; afterwards all is as it was.
export function followPrint({ view, element, paint, drawn = () => {}, after = () => {} }) {
  const root = document.documentElement;
  let theme, picture = null, printing = false;
  addEventListener("beforeprint", () => {
    if (printing) return;
    printing = true;
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    paint();
    drawn();
    if (!view()) return;
    picture = view().picture();
    picture.className = "printed";
    element.append(picture);
  });
  addEventListener("afterprint", () => {
    printing = false;
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    picture?.remove();
    picture = null;
    after();
    paint();
  });
}

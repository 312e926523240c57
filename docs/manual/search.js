/* SPDX-License-Identifier: MIT */
/* search.js: sections that have all words that were typed; those with a word in the heading first. `sections` is of index.js: [address, page, heading, text]. */
const field = document.getElementById("search");
const found = document.getElementById("found");

/* The text around the first place of a word. */
function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (at ? "…" : "") + text.slice(at, at + 120);
}

field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  found.replaceChildren();
  if (!words.length) return;
  const hits = [];
  for (const [address, page, heading, text] of sections) {
    const all = (page + " " + heading + " " + text).toLowerCase();
    if (!words.every((word) => all.includes(word))) continue;
    const inHeading = words.filter((word) => heading.toLowerCase().includes(word)).length;
    hits.push([inHeading, address, page, heading, text]);
  }
  hits.sort((a, b) => b[0] - a[0]); /* stable: else in the order of the pages */
  for (const [, address, page, heading, text] of hits.slice(0, 20)) {
    const item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("span");
    link.href = field.dataset.top + address;
    link.textContent = heading || page;
    where.textContent = page + ": " + around(text, words[0]);
    item.append(link, where);
    found.append(item);
  }
  if (!hits.length) found.textContent = "nothing found";
});

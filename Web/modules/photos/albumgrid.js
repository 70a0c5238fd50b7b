// The pictures of an album, in rows that are as wide as the page.
import { arrange, el } from "../ground/dom.js";
import { proportion } from "./picture.js";
import { rowsOf } from "./rows.js";

// As in album.css.
const GAP = 3;
// How high rows are, as a part of the width, and within which limits.
const [PART, LOWEST, HIGHEST] = [0.34, 116, 220];

export function albumGrid() {
  const element = el("div", { class: "album-grid" });
  let shown = []; // [[{photo, tile}]], in parts
  let drawn = "";

  function draw() {
    const width = Math.floor(element.getBoundingClientRect().width);
    const shapes = shown.map((tiles) => tiles.map(({ photo }) => proportion(photo)));
    const key = `${width} ${JSON.stringify(shapes)}`;
    if (width === 0 || key === drawn) return;
    drawn = key;
    const high = Math.max(LOWEST, Math.min(HIGHEST, width * PART));
    shown.forEach((tiles, part) => {
      const sizes = rowsOf(shapes[part], { width, high, gap: GAP });
      tiles.forEach(({ tile }, index) => tile.size(sizes[index].width, sizes[index].height));
    });
  }

  // Also when it comes onto the page.
  new ResizeObserver(draw).observe(element);

  return {
    element,
    // `parts` are [{title, tiles}], a title only if there are several; `tiles` are [{photo, tile}], in their order.
    show(parts) {
      shown = parts.map(({ tiles }) => tiles);
      arrange(element, parts.flatMap(({ title, tiles }) => [
        ...(title ? [heading(title)] : []), ...tiles.map(({ tile }) => tile.element),
      ]));
      drawn = "";
      draw();
    },
  };

  // The one that is there already stays.
  function heading(title) {
    const known = [...element.querySelectorAll(".album-part")].find(({ textContent }) => textContent === title);
    return known ?? el("h2", { class: "album-part" }, title);
  }
}

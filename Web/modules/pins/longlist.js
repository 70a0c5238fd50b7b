// A list of any number of rows that are equally high: only those on screen and around it are in the page, so that
// thousands cost no more than some dozens.
import { arrange } from "../ground/dom.js";
import { panelBody } from "../map/panel.js";

// So many are all there.
const FEW = 120;
// Rows beyond either edge of what is visible.
const BEYOND = 30;

// Shows in `list` what `rowAt(index)` makes.
export function longList(list, rowAt) {
  let count = 0;
  let range = [0, 0];
  let height = 0;

  function measure() {
    height = list.firstChild?.offsetHeight || height;
  }

  // The rows that belong into the page as it is scrolled.
  function needed() {
    if (count <= FEW || !height) return [0, Math.min(count, FEW)];
    const above = panelBody.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const from = Math.min(Math.floor(above / height), count) - BEYOND;
    const to = Math.floor((above + panelBody.clientHeight) / height) + BEYOND;
    return [Math.max(0, from), Math.max(0, Math.min(count, to))];
  }

  /** @param {number[]} part */
  function put([from, to]) {
    range = [from, to];
    const rows = [];
    for (let index = from; index < to; index += 1) {
      const row = rowAt(index);
      row.setAttribute("aria-setsize", count);
      row.setAttribute("aria-posinset", index + 1);
      rows.push(row);
    }
    arrange(list, rows);
    if (!height) measure();
    list.style.paddingTop = `${from * height}px`;
    list.style.paddingBottom = `${(count - to) * height}px`;
  }

  // Only when more than half of what is beyond an edge is gone, so that few steps of scrolling change the page.
  function follow() {
    if (count <= FEW || !list.isConnected) return;
    const [from, to] = needed();
    if (Math.abs(from - range[0]) > BEYOND / 2 || Math.abs(to - range[1]) > BEYOND / 2) put([from, to]);
  }

  panelBody.addEventListener("scroll", follow, { passive: true });
  addEventListener("resize", follow);
  return {
    // Draws them all again, of which there are now so many.
    draw(now) {
      count = now;
      put(needed());
    },
    // Scrolls as far as is necessary to see one.
    reveal(index) {
      if (index < range[0] || index >= range[1]) {
        put([Math.max(0, index - BEYOND), Math.min(count, index + BEYOND)]);
      }
      list.children[index - range[0]]?.scrollIntoView({ block: "nearest" });
    },
    close() {
      panelBody.removeEventListener("scroll", follow);
      removeEventListener("resize", follow);
    },
  };
}

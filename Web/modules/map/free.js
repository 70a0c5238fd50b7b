// The part of the map that neither panel nor tools cover.
import { L } from "./leaflet.js";
import { isPhone, map } from "./map.js";

// A pin's head stands above its point.
const HEAD = 60;

// What panel and tools cover, in pixels from each side. A sheet counts with the height that it is moving to.
export function covered() {
  const panel = document.getElementById("panel");
  const root = document.documentElement;
  const sheet = parseFloat(root.style.getPropertyValue("--sheet")) || 0;
  // As high as the window: to ask for that one would lay out the page.
  const bottom = isPhone() ? Math.min(sheet, map.getSize().y * 0.6) + 40 : 40;
  const [ofPanel, ofTools] = isPhone() ? [20, 64] : [panel.offsetWidth + 56, 90];
  // In a page that is read from the right they stand at the other sides.
  const [left, right] = root.dir === "rtl" ? [ofTools, ofPanel] : [ofPanel, ofTools];
  return { left, top: HEAD, right, bottom };
}

// How far down the bar reaches that says that the server is away; on a phone it is as wide as the map.
export const underBar = () => (document.querySelector("#banner-link.shown")?.getBoundingClientRect().bottom ?? 0) + 8;

// The middle of what the panel leaves free.
export function visibleMiddle() {
  const { left, top, right, bottom } = covered();
  const size = map.getSize();
  return L.point((left + size.x - right) / 2, (top + size.y - bottom) / 2).round();
}

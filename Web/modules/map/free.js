// The part of the map that neither panel nor tools cover.
import { L } from "./leaflet.js";
import { isPhone, map } from "./map.js";

// A pin's head stands above its point.
const HEAD = 60;

// What panel and tools cover, in pixels from each side. A sheet counts with the height that it is moving to.
export function covered() {
  const panel = document.getElementById("panel");
  if (!isPhone()) return { left: panel.offsetLeft + panel.offsetWidth + 40, top: HEAD, right: 90, bottom: 40 };
  const sheet = parseFloat(document.documentElement.style.getPropertyValue("--sheet")) || 0;
  return { left: 20, top: HEAD, right: 64, bottom: Math.min(sheet, innerHeight * 0.6) + 40 };
}

// How far down the bar reaches that says that the server is away; on a phone it is as wide as the map.
export const underBar = () => (document.querySelector("#banner-link.shown")?.getBoundingClientRect().bottom ?? 0) + 8;

// The middle of what the panel leaves free.
export function visibleMiddle() {
  const { left, top, right, bottom } = covered();
  const size = map.getSize();
  return L.point((left + size.x - right) / 2, (top + size.y - bottom) / 2).round();
}

// The map is moved by scrolling. Leaflet moves it with a transform, and with each new transform the browser puts all
// layers and marks of the page together again: more than half of a frame while 5,000 pins are dragged about. What is
// scrolled stays as it was put together.
import { el } from "../ground/dom.js";

// Where the map's corner is at first, in pixels of what is scrolled: in the middle, far from its edges.
const MIDDLE = 4_000_000;

export function moveByScrolling(map) {
  const pane = map.getPane("mapPane");
  const room = el("div", { class: "map-room" });
  Object.assign(room.style, { width: `${2 * MIDDLE}px`, height: `${2 * MIDDLE}px` });
  const frame = el("div", { class: "map-frame" }, room);
  pane.replaceWith(frame);
  room.append(pane);
  Object.assign(pane.style, { left: `${MIDDLE}px`, top: `${MIDDLE}px` });
  let at; // Where the map is.

  function follow() {
    const { x, y } = map.layerPointToContainerPoint([0, 0]);
    pane.style.transform = "";
    if (at && at.x === x && at.y === y) return;
    at = { x, y };
    frame.classList.add("moves");
    show();
  }

  const show = () => frame.scrollTo({ left: MIDDLE - at.x, top: MIDDLE - at.y, behavior: "instant" });

  // A mark outside that gets the focus is scrolled to by the browser; Leaflet goes there itself.
  function stay() {
    const { scrollLeft, scrollTop } = frame;
    if (at && Math.max(Math.abs(MIDDLE - at.x - scrollLeft), Math.abs(MIDDLE - at.y - scrollTop)) > 1) show();
  }

  map.on("move viewreset", follow);
  map.on("moveend", () => frame.classList.remove("moves"));
  frame.addEventListener("scroll", stay);
  addEventListener("resize", stay);
  follow();
}

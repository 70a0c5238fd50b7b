// Holding the map, by finger or by mouse, without moving: a growing ring shows that something will happen.
import { map } from "./map.js";
import { el } from "../ground/dom.js";

// Elements with a press action of their own.
const OTHERS = ".leaflet-marker-icon:not(.place-mark), .leaflet-popup, a, button";
const HOLD = 550;
const SHOW = 130;
const SLACK = 9;

export function onLongPress(run) {
  const container = map.getContainer();
  let press;

  const end = () => {
    clearTimeout(press?.timer);
    clearTimeout(press?.showing);
    press?.ring?.remove();
    press = undefined;
  };

  container.addEventListener("pointerdown", (event) => {
    const another = press !== undefined;
    end();
    if (another || event.button !== 0 || event.target.closest(OTHERS)) return;
    const point = map.mouseEventToContainerPoint(event);
    const current = { x: event.clientX, y: event.clientY, ring: undefined, showing: undefined, timer: undefined };
    current.showing = setTimeout(() => {
      current.ring = el("div", { class: "holding" });
      current.ring.style.left = `${point.x}px`;
      current.ring.style.top = `${point.y}px`;
      container.append(current.ring);
    }, SHOW);
    current.timer = setTimeout(() => {
      end();
      swallowClick(container);
      navigator.vibrate?.(12);
      run(map.containerPointToLatLng(point));
    }, HOLD);
    press = current;
  });
  // On the window: Leaflet stops some of these events while it drags.
  addEventListener("pointermove", (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) end();
  }, true);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, true);
  map.on("zoomstart", end);
  container.addEventListener("contextmenu", (event) => event.preventDefault());
}

// The release after a long press is no tap.
function swallowClick(container) {
  const stop = (event) => event.stopPropagation();
  container.addEventListener("click", stop, { capture: true, once: true });
  addEventListener("pointerdown", () => container.removeEventListener("click", stop, { capture: true }), {
    capture: true, once: true,
  });
}

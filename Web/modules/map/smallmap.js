// A small picture of the map around a point, in the colours of the page; undefined where there is no base map.
import { L } from "./leaflet.js";
import { el } from "../ground/dom.js";
import { hasBasemap, lookAgain, showBasemap } from "./basemap.js";
import { map } from "./map.js";

const ZOOM = 15;
const NOTHING = ["keyboard", "dragging", "scrollWheelZoom", "doubleClickZoom", "boxZoom", "touchZoom", "zoomControl",
  "attributionControl", "fadeAnimation", "zoomAnimation", "markerZoomAnimation"];

// `pressed()` is called for a tap on it: what has the same button elsewhere, for the keyboard.
export function smallMap(point, pressed) {
  if (!hasBasemap()) return undefined;
  const ground = el("div", { class: "small-map-ground" });
  // What has to be said with the map; that of the streets comes last there.
  const sources = [...map.attributionControl?.getContainer().children ?? []].map(({ textContent }) => textContent);
  const by = el("p", { class: "small-map-by" }, sources.reverse().join(" · "));
  const element = el("div", { class: "small-map", onclick: pressed }, ground, el("i", { class: "small-map-spot" }), by);
  ground.setAttribute("aria-hidden", "true");
  let small;
  // It is drawn when it is on the page, and so large as there.
  const frame = requestAnimationFrame(() => {
    if (!ground.isConnected) return;
    small = L.map(ground, Object.fromEntries(NOTHING.map((name) => [name, false]))).setView(point, ZOOM);
    showBasemap(small);
  });
  return {
    element,
    close() {
      cancelAnimationFrame(frame);
      small?.remove();
      if (small) lookAgain();
      small = undefined;
    },
  };
}

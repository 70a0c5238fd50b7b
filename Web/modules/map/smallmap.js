// A small picture of the map around a point, in the colours of the page. It is a link to that point on the map itself.
import { L } from "./leaflet.js";
import { el, replace } from "../ground/dom.js";
import { linkTo } from "../ground/router.js";
import { lookAgain, onBasemap, showBasemap } from "./basemap.js";
import { map } from "./map.js";
import { haveStreets } from "./tilesets.js";
import { project } from "../paint/shapes.js";
import { t } from "../ground/text.js";
import { whereFigure } from "../ground/wherefigure.js";

// Where there are streets, and where the lines of the world have no more than towns to show.
const [NEAR, FAR] = [15, 9];
const NOTHING = ["keyboard", "dragging", "scrollWheelZoom", "doubleClickZoom", "boxZoom", "touchZoom", "zoomControl",
  "attributionControl", "fadeAnimation", "zoomAnimation", "markerZoomAnimation"];

// How close a look at a point says where it is.
export const zoomAround = ({ lng, lat }) => (haveStreets(...project(lng, lat)) ? NEAR : FAR);

// It is hidden until there is a base map, which may be never. `pressed()` is called instead of what a link does.
export function smallMap(point, pressed) {
  const ground = el("div", { class: "small-map-ground", "aria-hidden": "true" });
  const { element, link, by } = whereFigure(ground, { "aria-label": t("Show it on the map"), onclick: press });
  let small;
  let frame;
  // It is drawn when it is on the page, and so large as there.
  const forget = onBasemap(() => {
    element.hidden = false;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });

  function draw() {
    if (!ground.isConnected) return;
    const zoom = zoomAround(point);
    link.href = linkTo({ zoom, latitude: point.lat, longitude: point.lng });
    replace(by, sources());
    if (small) return small.setView(point, zoom);
    small = L.map(ground, Object.fromEntries(NOTHING.map((name) => [name, false]))).setView(point, zoom);
    showBasemap(small);
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // In a window of its own.
    event.preventDefault();
    pressed();
  }

  return {
    element,
    close() {
      forget();
      cancelAnimationFrame(frame);
      small?.remove();
      if (small) lookAgain();
      small = undefined;
    },
  };
}

// What has to be said with the map; that of the streets comes last there.
const sources = () =>
  [...map.attributionControl?.getContainer().children ?? []].map(({ textContent }) => textContent).reverse().join(" · ");

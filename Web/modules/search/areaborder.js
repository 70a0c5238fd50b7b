// The border of an area on the map: lines for the zoom that is seen, finer ones as one looks closer.
import { el } from "../ground/dom.js";
import { lineOf } from "../ground/steps.js";
import { L } from "../map/leaflet.js";
import { map } from "../map/map.js";
import { near } from "../map/turns.js";
import { read } from "../server/api.js";

// Closer than this nothing is seen that was not there before.
const FINEST = 16;

// Draws it until the function that is returned is called. Where the border can't be had now it is the box.
/** @param {{id: string, box?: any}} area */
export function drawBorder(area, bounds) {
  const lines = L.layerGroup().addTo(map);
  const own = new AbortController();
  let zoom = -1;
  let source;

  async function look() {
    const wanted = Math.min(FINEST, Math.ceil(map.getZoom()));
    if (wanted <= zoom) return;
    const before = zoom;
    zoom = wanted;
    try {
      const request = { area: area.id, zoom: wanted };
      const answer = await read("places.v1.PlacesService/GetArea", request, undefined, own.signal);
      // One looked closer meanwhile.
      if (own.signal.aborted || zoom !== wanted) return;
      show((answer.lines ?? []).map(({ steps = [] }) => lineOf(steps)));
      name(answer.attribution);
    } catch {
      if (own.signal.aborted) return;
      zoom = before;
      if (lines.getLayers().length === 0 && bounds) lines.addLayer(L.rectangle(bounds, line("area-border area-box")));
    }
  }

  function show(found) {
    lines.clearLayers();
    const start = bounds?.getCenter() ?? (found[0]?.[0] && L.latLng(found[0][0]));
    const turned = found.map((points) => beside(points, start));
    for (const words of ["area-edge", "area-border"]) lines.addLayer(L.polyline(turned, line(words)));
  }

  function name(text) {
    if (!text || source) return;
    source = el("span", {}, text).outerHTML;
    map.attributionControl?.addAttribution(source);
  }

  map.on("zoomend", look);
  look();
  return () => {
    own.abort();
    map.off("zoomend", look);
    if (source) map.attributionControl?.removeAttribution(source);
    lines.remove();
  };
}

const line = (className) => ({ className, interactive: false, fill: false });

// In the copy of the world that is in view; what lies beyond the antimeridian is beside the rest.
function beside(points, start) {
  if (!points[0] || !start) return points;
  const middle = near(L.latLng(start)).lng;
  const turn = Math.round((middle - points[0][1]) / 360) * 360;
  return turn === 0 ? points : points.map(([north, east]) => [north, east + turn]);
}

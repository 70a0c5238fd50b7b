// The map repeats beyond the antimeridian. What is on the map is moved to the copy of the world that is in view.
import { L } from "./leaflet.js";
import { visibleMiddle } from "./free.js";
import { map } from "./map.js";

const kept = new Set();
let middle = map.getCenter().lng;

// The same point, less than half a turn away from the centre of the part that the panel leaves free.
export function near(point) {
  const turns = Math.round((middle - point.lng) / 360);
  return turns === 0 ? L.latLng(point) : L.latLng(point.lat, point.lng + turns * 360);
}

// Keeps a layer in the copy that is in view; returns the layer.
export function keepNear(layer) {
  kept.add(layer);
  return layer;
}

export const letGo = (layer) => kept.delete(layer);

map.on("moveend", () => {
  middle = map.containerPointToLatLng(visibleMiddle()).lng;
  for (const layer of kept) {
    const point = near(layer.getLatLng());
    if (Math.abs(point.lng - layer.getLatLng().lng) > 1) layer.setLatLng(point);
  }
});

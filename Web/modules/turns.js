// Once around the world is the same world, and the map goes on beyond the antimeridian. What stands on the map is moved
// to the turn that is looked at.
import { L } from "./leaflet.js";
import { visibleMiddle } from "./free.js";
import { map } from "./map.js";

const kept = new Set();
let middle = map.getCenter().lng;

// The same point, less than half a turn away from the middle of what is free of the panel.
export function near(point) {
  const turns = Math.round((middle - point.lng) / 360);
  return turns === 0 ? L.latLng(point) : L.latLng(point.lat, point.lng + turns * 360);
}

// Keeps a layer where it is looked at; gives it back.
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

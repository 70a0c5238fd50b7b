// Moves the map so that neither panel nor tools cover what is to be seen.
import { L } from "./leaflet.js";
import { covered, visibleMiddle } from "./free.js";
import { map, still } from "./map.js";
import { near } from "./turns.js";

// Puts a point into the middle of what is free.
export function centre(point, zoom = map.getZoom(), { animate = false } = {}) {
  const shift = map.getSize().divideBy(2).subtract(visibleMiddle());
  const { x, y } = map.project(near(point), zoom).add(shift);
  // Leaflet has no centre beyond the world's edge, but may be pushed there: so a pole stands above a sheet, too.
  const inside = Math.max(0, Math.min(256 * 2 ** zoom, y));
  map.setView(map.unproject(L.point(x, inside), zoom), zoom, { animate: animate && inside === y, duration: 0.35 });
  if (inside !== y) map.panBy([0, y - inside], { animate: false });
}

const gentle = () => ({ animate: !still.matches });

export function showBounds(bounds, { minZoom = 0, maxZoom = 16 } = {}) {
  const { left, top, right, bottom } = covered();
  const zoom = Math.max(minZoom, map.getBoundsZoom(bounds, false, L.point(left + right, top + bottom)));
  const corners = [bounds.getSouthWest(), bounds.getNorthEast()].map((corner) => map.project(corner, 0));
  centre(map.unproject(corners[0].add(corners[1]).divideBy(2), 0), Math.min(zoom, maxZoom), gentle());
}

// Shows these points, closer than before; returns whether that is possible.
export function openUp(points) {
  const bounds = L.latLngBounds(points.map(near));
  const closest = map.getMaxZoom();
  if (map.getZoom() >= closest || bounds.getSouthWest().equals(bounds.getNorthEast())) return false;
  showBounds(bounds, { minZoom: map.getZoom() + 1, maxZoom: closest });
  return true;
}

// Opens a server's cluster: its things are seen apart, or as large as they can be.
export function openCluster({ position, box }) {
  const corners = box ? [box.southWest ?? {}, box.northEast ?? {}] : [position];
  const points = corners.map(({ latitude = 0, longitude = 0 }) => L.latLng(latitude, longitude));
  if (!openUp(points)) reveal(near(points[0]), map.getMaxZoom());
}

// A server's box; its east may lie beyond the antimeridian.
/** @param {{southWest?: Coordinate, northEast?: Coordinate}} box */
export function showBox({ southWest = {}, northEast = {} }) {
  const west = southWest.longitude ?? 0;
  const east = northEast.longitude ?? 0;
  showBounds(L.latLngBounds(
    [southWest.latitude ?? 0, west], [northEast.latitude ?? 0, east < west ? east + 360 : east],
  ));
}

export function isSeen(point) {
  const { left, top, right, bottom } = covered();
  const at = map.latLngToContainerPoint(near(point));
  const size = map.getSize();
  return at.x >= left && at.x <= size.x - right && at.y >= top && at.y <= size.y - bottom;
}

// Brings a point into the part of the map that can be seen, if it is not there.
/** @type {(point: any, zoom?: number, motion?: {animate?: boolean}) => void} */
export function reveal(point, zoom = map.getZoom(), motion = gentle()) {
  if (zoom !== map.getZoom() || !isSeen(point)) centre(point, zoom, motion);
}

// A map that is dragged beyond the world's edge moves back.
map.on("moveend", () => {
  const { min, max } = map.getPixelBounds();
  const world = 256 * 2 ** map.getZoom();
  // To ask where its middle is lays out the page.
  if (min.y >= 0 && max.y <= world) return;
  const middle = min.y + visibleMiddle().y;
  const over = middle - Math.max(0, Math.min(world, middle));
  if (Math.abs(over) > 1) map.panBy([0, -over], { animate: false });
});

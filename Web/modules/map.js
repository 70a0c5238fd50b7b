// The map itself: where it opens, what it remembers, and moving it so that the panel covers nothing that matters.
import { L } from "./leaflet.js";
import { change, leave, read } from "./api.js";
import { addBasemap } from "./basemap.js";

export const still = matchMedia("(prefers-reduced-motion: reduce)");

export const map = L.map("map", {
  center: [30, 10], zoom: 3,
  zoomControl: false, attributionControl: false, minZoom: 2, maxZoom: 19, worldCopyJump: true,
  zoomAnimationThreshold: 6, maxBounds: [[-85.06, -Infinity], [85.06, Infinity]], maxBoundsViscosity: 1,
  closePopupOnClick: false, tap: false,
  fadeAnimation: !still.matches, zoomAnimation: !still.matches,
});
map.getContainer().removeAttribute("title");

const PATIENCE = 1500;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const phone = matchMedia("(max-width: 720px)");
export const isPhone = () => phone.matches;

// Opens the map where it was left, if that is told in time; or later, when nobody has moved it by then. `opened` tells
// whether there was such a place.
export async function openMap(settings) {
  L.control.attribution({ prefix: false, position: "bottomright" }).addTo(map)
    .addAttribution("Leaflet");
  L.control.scale({ imperial: false, position: "bottomright", maxWidth: 90 }).addTo(map);
  let isMoved = false;
  map.once("movestart", () => { isMoved = true; });
  const opened = read("pins.v1.PinService/GetMapRegion").catch(() => ({})).then(({ region }) => {
    const wasMoved = isMoved;
    if (region && !wasMoved) showRegion(region);
    map.getContainer().removeAttribute("aria-busy");
    map.on("moveend", rememberSoon);
    addEventListener("pagehide", rememberNow);
    return region !== undefined || wasMoved;
  });
  // What a map of the whole world is drawn from is not fetched for a street corner; but nobody waits for long.
  await Promise.race([opened, pause(PATIENCE)]);
  addLayers(settings);
  return { opened };
}

function addLayers({ tiles }) {
  if (tiles) L.tileLayer(tiles.url, { attribution: tiles.attribution, maxZoom: 19 }).addTo(map);
  else addBasemap(map).catch((error) => console.warn(`The base map is not there: ${error.message}`));
}

// A region's box gives its zoom again; a hair smaller, since rounding must not cost a level.
export function boundsOf({ centre = {}, span }) {
  const { latitude = 0, longitude = 0 } = centre;
  const high = span.latitudeDelta / 2;
  const wide = span.longitudeDelta / 2;
  return L.latLngBounds([latitude - high, longitude - wide], [latitude + high, longitude + wide]);
}

function showRegion(region) {
  const bounds = boundsOf(region).pad(-0.02);
  const { latitude = 0, longitude = 0 } = region.centre ?? {};
  map.setView([latitude, longitude], map.getBoundsZoom(bounds), { animate: false });
}

export function regionShown() {
  const bounds = map.getBounds();
  const centre = map.getCenter().wrap();
  return {
    centre: { latitude: centre.lat, longitude: centre.lng },
    span: {
      latitudeDelta: Math.min(180, bounds.getNorth() - bounds.getSouth()),
      longitudeDelta: Math.min(360, bounds.getEast() - bounds.getWest()),
    },
  };
}

let remembering;
let remembered = "";

function rememberSoon() {
  clearTimeout(remembering);
  remembering = setTimeout(() => remember(change), 800);
}

function rememberNow() {
  if (remembering) remember(leave);
}

function remember(send) {
  clearTimeout(remembering);
  remembering = undefined;
  const region = regionShown();
  if (JSON.stringify(region) === remembered) return;
  remembered = JSON.stringify(region);
  // Nobody asked for it and the next move does it again, so a failure is not worth a word.
  send("pins.v1.PinService/SetMapRegion", { region })?.catch(() => {});
}

// What panel and tools cover, in pixels from each side. A sheet is taken as high as it is going to be.
function covered() {
  const panel = document.getElementById("panel");
  if (!isPhone()) return { left: panel.offsetLeft + panel.offsetWidth + 40, top: 40, right: 90, bottom: 40 };
  const sheet = parseFloat(document.documentElement.style.getPropertyValue("--sheet")) || 0;
  return { left: 20, top: 30, right: 64, bottom: Math.min(sheet, innerHeight * 0.6) + 30 };
}

export function showBounds(bounds, { maxZoom = 16 } = {}) {
  const { left, top, right, bottom } = covered();
  map.fitBounds(bounds, {
    paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], maxZoom, animate: !still.matches, duration: 0.6,
  });
}

// A server's box; its east may lie beyond the antimeridian.
export function showBox({ southWest, northEast }) {
  const west = southWest.longitude ?? 0;
  const east = northEast.longitude ?? 0;
  showBounds([
    [southWest.latitude ?? 0, west], [northEast.latitude ?? 0, east < west ? east + 360 : east],
  ]);
}

// The middle of what the panel leaves free.
export function visibleMiddle() {
  const { left, top, right, bottom } = covered();
  const size = map.getSize();
  return L.point((left + size.x - right) / 2, (top + size.y - bottom) / 2).round();
}

// Puts a point into the middle of what is free.
export function centre(point, zoom) {
  const shift = map.getSize().divideBy(2).subtract(visibleMiddle());
  map.setView(map.unproject(map.project(point, zoom).add(shift), zoom), zoom, { animate: false });
}

// Brings a point into the part of the map that can be seen, if it is not there.
export function reveal(point) {
  const { left, top, right, bottom } = covered();
  const at = map.latLngToContainerPoint(point);
  const size = map.getSize();
  const seen = at.x >= left && at.x <= size.x - right && at.y >= top && at.y <= size.y - bottom;
  if (seen) return;
  map.panBy(at.subtract(visibleMiddle()), { animate: !still.matches, duration: 0.35 });
}

export const latLng = ({ latitude = 0, longitude = 0 } = {}) => L.latLng(latitude, longitude);
export const coordinate = (point) => {
  const { lat, lng } = point.wrap();
  return { latitude: lat, longitude: lng };
};

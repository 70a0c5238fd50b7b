// The map itself: where it opens, and which region it stores.
import { L } from "./leaflet.js";
import { change, leave, read } from "../server/api.js";
import { addBasemap } from "./basemap.js";
import { moveByScrolling } from "./scrolling.js";
import { onChoices } from "../server/choices.js";
import { milesAreShown } from "../ground/words.js";

export const still = matchMedia("(prefers-reduced-motion: reduce)");

export const map = L.map("map", {
  center: [30, 10], zoom: 3,
  // The whole world fits next to the panel, or above the sheet of a phone.
  zoomControl: false, attributionControl: false, minZoom: Math.min(innerWidth, innerHeight) > 600 ? 1 : 0, maxZoom: 19,
  worldCopyJump: true, zoomAnimationThreshold: 6,
  closePopupOnClick: false, tap: false,
  fadeAnimation: !still.matches, zoomAnimation: !still.matches,
});
map.getContainer().removeAttribute("title");
moveByScrolling(map);

const PATIENCE = 1500;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const phone = matchMedia("(max-width: 720px)");
export const isPhone = () => phone.matches;

// Opens the map at the last region, if that is known in time; or moves there later, unless the user has moved it by
// then. `view` is what the account wants it to begin with; `opened` resolves to whether there was a region to show. The
// base map is loaded after `first`, its coast after a moment in any case.
export async function openMap(settings, first, view) {
  L.control.attribution({ prefix: false, position: "bottomright" }).addTo(map)
    .addAttribution("Leaflet");
  let scale = showScale();
  const measureAgain = () => {
    scale.remove();
    scale = showScale();
  };
  view.then(measureAgain);
  onChoices(measureAgain);
  let isMoved = false;
  map.once("movestart", () => { isMoved = true; });
  const left = read("pins.v1.PinService/GetMapRegion").catch(() => ({}));
  const opened = Promise.all([left, view]).then(([{ region: last }, begin]) => {
    const wasMoved = isMoved;
    const region = begin === "START_VIEW_PINS" ? undefined : last;
    if (region && !wasMoved) showRegion(region);
    map.getContainer().removeAttribute("aria-busy");
    map.on("moveend", rememberSoon);
    addEventListener("pagehide", rememberNow);
    return region !== undefined || wasMoved;
  });
  // The data of the whole world is not fetched for a street corner, so the region comes first; but not for long.
  await Promise.race([Promise.all([opened, first]), pause(PATIENCE)]);
  addLayers(await settings, first);
  return { opened };
}

function showScale() {
  const [metric, imperial] = [!milesAreShown(), milesAreShown()];
  return L.control.scale({ metric, imperial, position: "bottomright", maxWidth: 90, updateWhenIdle: true }).addTo(map);
}

function addLayers({ tiles }, first) {
  if (tiles) L.tileLayer(tiles.url, { attribution: tiles.attribution, maxZoom: 19 }).addTo(map);
  else addBasemap(map, first).catch((error) => console.warn(`The base map is not there: ${error.message}`));
}

// A region's box restores its zoom; it is made slightly smaller, so that rounding doesn't cost a level.
/** @param {{centre?: Coordinate, span: {latitudeDelta: number, longitudeDelta: number}}} region */
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
  // The user didn't ask for it and the next move retries it, so a failure is not shown.
  send("pins.v1.PinService/SetMapRegion", { region })?.catch(() => {});
}

export const latLng = ({ latitude = 0, longitude = 0 } = {}) => L.latLng(latitude, longitude);
export const coordinate = (point) => {
  const { lat, lng } = point.wrap();
  return { latitude: lat, longitude: lng };
};

// The area that one looks in, if one has chosen one: its border on the map, its chip in the search field, and who wants
// to know of a change.
import { L } from "../map/leaflet.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { say } from "../ground/notices.js";
import { latLng, map } from "../map/map.js";
import { t } from "../ground/text.js";
import { drawBorder } from "./areaborder.js";

/** @type {{id: string, name: string, box?: any} | undefined} */
let area;
let removeBorder;
const heard = new Set();
const holder = el("span", { class: "area-chip" });

export const chosenArea = () => area;

// Where the chip stands, in the search field.
export const areaChip = () => holder;

// Calls `hear` at each change; what it returns ends that.
export function onArea(hear) {
  heard.add(hear);
  return () => heard.delete(hear);
}

export function chooseArea(result) {
  leave();
  area = { id: result.area, name: result.name, box: result.box };
  removeBorder = drawBorder(area, area.box && cornersOf(area.box));
  replace(holder, el(
    "button", { class: "chip", "aria-label": t("Search everywhere, not only in {name}", area), onclick: leaveArea },
    el("span", {}, area.name), icon("close"),
  ));
  say(t("Only what is in {name} is found.", area));
  tell();
}

function leaveArea() {
  leave();
  say(t("All places are found again."));
  tell();
}

function leave() {
  removeBorder?.();
  [area, removeBorder] = [undefined, undefined];
  replace(holder);
}

function tell() {
  for (const hear of heard) hear();
}

// How far it reaches from a point of the map, in metres; nothing where its box is not known.
/** @param {{box?: any}} area */
export function reachOf({ box }, point) {
  return box && Math.max(...corners(box).map((corner) => map.distance(point, corner)));
}

const cornersOf = (box) => L.latLngBounds(corners(box));

function corners({ southWest = {}, northEast = {} }) {
  const [low, high] = [latLng(southWest), latLng(northEast)];
  const east = high.lng < low.lng ? high.lng + 360 : high.lng;
  return [[low.lat, low.lng], [low.lat, east], [high.lat, low.lng], [high.lat, east]];
}

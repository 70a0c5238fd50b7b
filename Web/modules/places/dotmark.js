// What the marks of places look like: a dot, a number for several of them, and the spot of the selected one.
import { L } from "../map/leaflet.js";
import { el } from "../ground/dom.js";
import { kindOf } from "./kinds.js";
import { LEAST } from "../map/thin.js";
import { shortNumber } from "../ground/words.js";
import { number } from "../ground/text.js";

// What a finger presses is as large as what is free around a mark. A screen reader gets the list, not the marks.
function mark(place, name, text) {
  const html = el("span", { class: name, "data-kind": kindOf(place), "aria-hidden": "true" }, text);
  return L.divIcon({ className: "place-mark", iconSize: [LEAST, LEAST], html });
}

export const dotIcon = (place) => mark(place, place.photoCount ? "place-dot pictured" : "place-dot");
export const numberIcon = (members) => mark(members[0], "place-number", number(members.length));
export const countIcon = (members) => mark({}, "place-number", shortNumber(members));
export const spotIcon = (place) => mark(place, "place-dot pictured lit");

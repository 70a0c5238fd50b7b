// The pins of a shared list: marks on a picture of the map, and rows.
import { el } from "../ground/dom.js";
import { mapPicture } from "../ground/mappicture.js";
import { t } from "../ground/text.js";

// `shared` is the answer about a list, `day` formats a day. Gives {map, rows}.
export function listParts({ name, mapUrl, list }, day) {
  const { pins = [], pinCount = 0 } = list;
  if (pins.length === 0) return { rows: el("p", { class: "shared-none" }, t("No places are in this list.")) };
  const colour = `var(--list-${(list.colour ?? "LIST_COLOUR_BLUE").slice("LIST_COLOUR_".length).toLowerCase()})`;
  const map = el(
    "div", { class: "shared-marked" },
    mapPicture(mapUrl, t("Map of {name}", { name })),
    pins.map((pin) => mark(pin)),
  );
  map.style.setProperty("--list", colour);
  const rows = el("ol", { class: "shared-places" }, pins.map((pin) => row(pin, day)));
  const rest = pinCount > pins.length && el(
    "p", { class: "shared-none" }, t("The last {n} of {all} places.", { n: pins.length, all: pinCount }),
  );
  return { map, rows: [rows, rest] };
}

// The rows say the same in words.
function mark({ name, mapX = 0, mapY = 0 }) {
  const element = el("span", { class: "shared-mark", title: name, "aria-hidden": "true" });
  element.style.left = `${100 * mapX}%`;
  element.style.top = `${100 * mapY}%`;
  return element;
}

/** @type {(pin: {name: string, position?: Coordinate, visitedDate?: string}, day: Intl.DateTimeFormat) => Node} */
function row({ name, position = {}, visitedDate }, day) {
  const { latitude = 0, longitude = 0 } = position;
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return el(
    "li", {}, el("strong", {}, name),
    el(
      "span", {}, visitedDate && `${t("visited {day}", { day: day.format(new Date(visitedDate)) })} · `,
      el("a", { href: `geo:${latitude},${longitude}?q=${latitude},${longitude}` }, at),
    ),
  );
}

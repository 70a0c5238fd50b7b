// What was found, on the map: a mark where it is, and a card with what one can do there.
import { LIMITS } from "../ground/limits.js";
import { L } from "../map/leaflet.js";
import { chooseArea } from "./chosenarea.js";
import { dropPinAt } from "../pins/actions.js";
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { wordOf } from "./foundoption.js";
import { covered } from "../map/free.js";
import { isPhone, latLng, map } from "../map/map.js";
import { makeRoom } from "../map/panel.js";
import { go, route } from "../ground/router.js";
import { showBox } from "../map/sight.js";
import { placeStar } from "../places/stars.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { t } from "../ground/text.js";

const SIZE = 22;
// Devices that have a program for the way to somewhere.
const hasNavigation = matchMedia("(pointer: coarse)");
// As long as the name of a pin may be.
const [, LONGEST] = LIMITS.CreatePinRequest.name;

let open;

// `done` is called when a pin is there in its place.
export function showFound(result, done) {
  closeFound();
  if (route().view === "pin") go({ view: "home" });
  makeRoom();
  if (result.box) showBox(result.box);
  const point = near(latLng(result.position));
  const mark = L.divIcon({ className: "found-here", iconSize: [SIZE, SIZE] });
  const marker = keepNear(L.marker(point, { icon: mark, interactive: false, keyboard: false }).addTo(map));
  const { top, right, bottom, left } = covered();
  const popup = L.popup({
    className: "callout", closeButton: false, closeOnEscapeKey: false, autoClose: false, minWidth: 276, maxWidth: 276,
    offset: [0, -SIZE / 2],
    autoPanPaddingTopLeft: isPhone() ? [10, top + 8] : [left, top - 30],
    autoPanPaddingBottomRight: isPhone() ? [56, bottom] : [right, bottom],
  });
  keepNear(popup.setLatLng(point).setContent(cardOf(result, done)));
  open = { marker, popup };
  popup.openOn(map);
}

export function closeFound() {
  if (!open) return;
  letGo(open.marker.remove());
  letGo(open.popup.remove());
  open = undefined;
}

function cardOf(result, done) {
  const drop = el("button", { class: "button primary", onclick: dropHere }, icon("drop"), t("Drop a pin here"));
  async function dropHere() {
    drop.disabled = true;
    const isStored = await dropPinAt(latLng(result.position), nameOf(result));
    drop.disabled = false;
    if (isStored) done();
  }
  function lookHere() {
    done();
    chooseArea(result);
  }
  return el(
    "div", { class: "found-card", role: "dialog", "aria-label": result.name },
    el(
      "header", {}, el("h2", {}, result.name),
      el("button", { class: "round", "aria-label": t("Close"), onclick: closeFound }, icon("close")),
    ),
    el("p", { class: "row-more" }, [wordOf(result), result.context].filter(Boolean).join(" · ")),
    el(
      "div", { class: "found-actions" }, drop,
      result.area && el("button", { class: "button", onclick: lookHere }, icon("search"), t("Search in {name}", result)),
      result.placeId && starOf(result),
      hasNavigation.matches && el("a", { class: "button", href: geoLink(result) }, icon("link"), t("Navigate")),
    ),
  );
}

const starOf = ({ placeId, name, categories, position, context }) =>
  placeStar({ id: placeId, name, categories, position }, context);

// A position is no name; the server finds a better one.
const nameOf = ({ kind, name }) => (kind === "FIND_KIND_COORDINATES" ? undefined : [
  ...name,
].slice(0, LONGEST).join(""));

// Opens the program for navigation that the phone has.
function geoLink({ name, position }) {
  const { latitude = 0, longitude = 0 } = position;
  return `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`;
}

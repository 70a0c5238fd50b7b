// The places with a star, as a part of the favourites.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { placeDots } from "./dots.js";
import { kindOf } from "./kinds.js";
import { latLng, map } from "../map/map.js";
import { makeRoom } from "../map/panel.js";
import { reveal } from "../map/sight.js";
import { allStars, placeStar } from "./stars.js";
import { t } from "../ground/text.js";
import { category } from "../ground/words.js";

// How many rows there are before one asks for all.
const FEW = 5;
// How near the map goes to a place.
const CLOSE = 16;

// Returns {element, load, places, close}; `load(troubled)` resolves when the places are shown.
export function starredPlaces() {
  const rows = el("ul", { class: "starred-places" });
  const more = el("button", { class: "fold", onclick: () => { isOpen = true; draw(); } }, icon("next"), el("span"));
  const element = el(
    "section", { class: "favourite-places", hidden: true, "aria-label": t("Places") },
    el("h2", {}, t("Places")), rows, more,
  );
  const dots = placeDots((place) => open(place));
  let places = [];
  let isOpen = false;
  let isClosed = false;

  async function load(troubled) {
    places = await allStars(troubled);
    if (!isClosed) draw();
  }

  function draw() {
    element.hidden = places.length === 0;
    const shown = isOpen ? places : places.slice(0, FEW);
    replace(rows, shown.map(row));
    more.hidden = shown.length === places.length;
    more.lastChild.textContent = t("All {n} places", { n: places.length });
    dots.show(places);
  }

  const row = (place) => el(
    "li", { class: "list-row", "data-place": place.id },
    el(
      "button", { class: "list-open", onclick: () => open(place) },
      el("span", { class: "place-kind", "data-kind": kindOf(place) }, icon(kindOf(place))),
      el(
        "span", { class: "row-text" }, el("span", { class: "row-name" }, place.name || category(place)),
        el("span", { class: "row-more" }, [place.name && category(place), place.where].filter(Boolean).join(" · ")),
      ),
    ),
    placeStar(place, place.where),
  );

  function open(place) {
    makeRoom();
    dots.light(place, false);
    reveal(latLng(place.position), Math.max(map.getZoom(), CLOSE));
  }

  return {
    element, load,
    places: () => places,
    close() {
      isClosed = true;
      dots.close();
    },
  };
}

// The rows of a pin's places. Entrances, offices and the like are folded into one row at the end, until it is pressed.
import { arrange, el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { isMinor } from "./interest.js";
import { placeRow } from "./placerow.js";
import { t } from "../ground/text.js";

// Up to so many are not folded.
const FEW = 2;

// `actions` are those of a row; `folded` is called when the row at the end was pressed.
export function placeList(actions, folded) {
  const rows = new Map();
  const element = el("ul", { class: "places" });
  const words = el("span");
  const button = el("button", { class: "fold", onclick: () => turn(!isOpen) }, icon("next"), words);
  const fold = el("li", {}, button);
  let isOpen = false;

  function turn(open) {
    isOpen = open;
    folded();
  }

  function rowOf(place, standing) {
    if (!rows.has(place.id)) rows.set(place.id, placeRow(place, actions(place)));
    const row = rows.get(place.id);
    row.draw(place, standing);
    return row.element;
  }

  return {
    element,
    row: (id) => rows.get(id),
    // Lists places in this order, each with those behind it that are the same thing; returns those that can be seen.
    show(places, behind) {
      const rowsOf = (place) => {
        const others = behind(place);
        const own = rowOf(place, others.length > 0 ? "first" : "alone");
        return [own, ...others.map((other) => rowOf(other, "behind"))];
      };
      const minor = places.filter(isMinor);
      const isFolding = minor.length > FEW && minor.length < places.length;
      const major = isFolding ? places.filter((place) => !isMinor(place)) : places;
      const unfolded = isFolding && isOpen ? minor : [];
      setText(words, t("{n} entrances, offices and the like", { n: minor.length }));
      button.setAttribute("aria-expanded", String(isOpen));
      arrange(element, [...major.flatMap(rowsOf), ...(isFolding ? [fold] : []), ...unfolded.flatMap(rowsOf)]);
      return [...major, ...unfolded];
    },
    open() {
      isOpen = true;
    },
    close() {
      for (const row of rows.values()) row.close();
    },
  };
}

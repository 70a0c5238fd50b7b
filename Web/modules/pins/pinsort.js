// Which pins are listed, and in which order; offered when there are many.
import { el } from "../ground/dom.js";
import { visibleMiddle } from "../map/free.js";
import { latLng, map } from "../map/map.js";
import { locale, t } from "../ground/text.js";
import { distance } from "../ground/words.js";

// With up to so many, no choice is needed.
const FEW = 8;
const names = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });

const ORDERS = {
  newest: { label: t("Newest first"), compare: (a, b) => (a.id < b.id ? 1 : -1) },
  name: { label: t("By name"), compare: (a, b) => names.compare(a.name, b.name) || (a.id < b.id ? 1 : -1) },
  nearest: { label: t("Nearest first"), compare: (a, b) => away(a) - away(b) },
};

// From the centre of the visible part of the map.
const away = (pin) => map.containerPointToLatLng(visibleMiddle()).distanceTo(latLng(pin.position));

// Accents don't matter, as in a name from another language.
export const plainly = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function pinSort(changed) {
  const field = el("input", { type: "search", placeholder: t("Name of a pin"), "aria-label": t("Search your pins") });
  const options = Object.entries(ORDERS).map(([value, { label }]) => el("option", { value }, label));
  const choice = el("select", { "aria-label": t("Order of the pins") }, options);
  const element = el("div", { class: "pin-sort", hidden: true }, field, choice);
  const moved = () => choice.value === "nearest" && changed();
  field.addEventListener("input", changed);
  choice.addEventListener("change", changed);
  map.on("moveend", moved);
  return {
    element,
    field,
    // The pins that are wanted, in order.
    of(pins) {
      element.hidden = pins.length <= FEW && field.value === "";
      const text = plainly(field.value.trim());
      return pins.filter((pin) => plainly(pin.name).includes(text)).sort(ORDERS[choice.value].compare);
    },
    // The value that the order goes by, where a row doesn't show it anyway.
    remark: (pin) => (choice.value === "nearest" ? distance(away(pin)) : undefined),
    clear() {
      field.value = "";
      changed();
    },
    close: () => map.off("moveend", moved),
  };
}

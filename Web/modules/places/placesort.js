// In which order the places of a pin are listed.
import { el } from "../ground/dom.js";
import { interestOf } from "./interest.js";
import { t } from "../ground/text.js";

const byDistance = (a, b) => (a.distanceM ?? 0) - (b.distanceM ?? 0) || (a.id < b.id ? -1 : 1);
const ORDERS = {
  distance: { label: t("Nearest first"), compare: byDistance },
  interest: { label: t("Sights first"), compare: (a, b) => interestOf(b) - interestOf(a) || byDistance(a, b) },
};

export function placeSort(changed) {
  const options = Object.entries(ORDERS).map(([value, { label }]) => el("option", { value }, label));
  const label = t("Order of the places");
  const element = el("select", { class: "place-sort", "aria-label": label, onchange: changed }, options);
  return { element, compare: (a, b) => ORDERS[element.value].compare(a, b) };
}

// What stands above the places of a pin, or in their stead: what is missing, and why there is none.
import { el } from "./dom.js";
import { faultsOf, stateOf } from "./pinstate.js";
import { faults, loading, nothing } from "./states.js";
import { networkName, number } from "./words.js";

// `told` is how many places the server has, once it has said so; `known` how many of them have come.
export function placesNote(pin, { known, told, trouble, isShown, showAll }) {
  if (!pin) return [];
  const missing = faults(faultsOf(pin));
  if (isShown) return missing;
  // An answer may bring a part of the places only; the rest is on its way.
  const isWhole = told !== undefined && known >= told;
  const { key } = stateOf(pin);
  if (isWhole && known > 0) return [missing, noneOfThese(showAll)];
  if (!isWhole || key === "new" || key === "partial") return [missing, loading(trouble)];
  return [missing, key === "failed" || key === "gaps" ? notSearched() : noPlaces(pin)];
}

function noneOfThese(showAll) {
  const all = el("button", { class: "button", onclick: showAll }, "Show all places");
  return nothing("places", "None of these", "There are places, but the choice above hides them.", all);
}

function notSearched() {
  return nothing("failed", "The search failed", "A source of places gave no answer. Move the pin to ask it again.");
}

function noPlaces(pin) {
  const asked = (pin.searches ?? []).map((search) => networkName(search.network)).join(" and ");
  return nothing("places", "No places around here", [
    `${asked || "This server"} gave no place within ${number(pin.radiusM)} m of this pin.`,
    "Whoever runs the server can bring some: “waymark import” takes in a file of places.",
  ]);
}

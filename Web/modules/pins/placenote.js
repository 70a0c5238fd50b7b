// What is shown above the places of a pin, or in their stead: what is missing, and why there are none.
import { el } from "../ground/dom.js";
import { faultsOf, isAskedAgain, lacksPlaces, stateOf } from "./pinstate.js";
import { faults, loading, nothing } from "../ground/states.js";
import { t } from "../ground/text.js";
import { listed, metres, networkName } from "../ground/words.js";

// `total` is how many places the server has, once it has reported that; `known` how many of them have arrived. `ask`
// offers networks that are off.
export function placesNote(pin, { known, total, trouble, isShown, showAll, ask }) {
  if (!pin) return [];
  const missing = faults(faultsOf(pin));
  if (isShown) return missing;
  // An answer may contain only part of the places; the rest follows.
  const isWhole = total !== undefined && known >= total;
  const { key } = stateOf(pin);
  if (isWhole && known > 0) return [missing, noneOfThese(showAll)];
  if (!isWhole || ["new", "partial", "unopened"].includes(key)) return [missing, loading(trouble)];
  return [missing, key === "failed" || lacksPlaces(pin) ? notSearched(pin) : noPlaces(pin, ask)];
}

function noneOfThese(showAll) {
  const all = el("button", { class: "button", onclick: showAll }, t("Show all places"));
  return nothing("places", t("None of these"), t("There are places, but the choice above hides them."), all);
}

function notSearched(pin) {
  const next = isAskedAgain(pin)
    ? t("A source of places did not answer. It is asked again by itself.")
    : t("A source of places did not answer. Move the pin to search again.");
  return nothing("failed", t("The search failed"), next);
}

function noPlaces(pin, ask) {
  const asked = listed.format((pin.searches ?? []).map((search) => networkName(search.network)));
  const text = asked
    ? t("{networks} found no place within {distance} of this pin.", { networks: asked, distance: metres(pin.radiusM) })
    : t("This server found no place within {distance} of this pin.", { distance: metres(pin.radiusM) });
  const more = el("p", {}, t("The server's operator can add some: “waymark import” imports a file of places."));
  return nothing("places", t("No places around here"), text, ask.show(), more);
}

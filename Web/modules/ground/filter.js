// Which places of a pin are listed: those with photos or all of them, of some networks or of all.
import { el, setText } from "./dom.js";
import { icon } from "./icons.js";
import { networkName, networkOf, number } from "./words.js";

// `more` is placed next to the choice.
export function placeFilter(changed, more) {
  const element = el("div", { class: "filters", role: "group", "aria-label": "Which places" }, more);
  const hidden = new Set();
  const chips = new Map();
  let withPhotos; // Undecided: as it suits the pin, until a person chooses.
  let automatic = false;
  const wants = () => withPhotos ?? automatic;

  const tallies = { pictured: el("b"), all: el("b") };
  const tabs = el(
    "div", { class: "tabs" },
    el("button", { onclick: () => choose(true) }, "With photos", tallies.pictured),
    el("button", { onclick: () => choose(false) }, "All", tallies.all),
  );

  function choose(value) {
    withPhotos = value;
    changed();
  }

  function toggle(network) {
    if (!hidden.delete(network)) hidden.add(network);
    changed();
  }

  // Lets all places through.
  function open() {
    hidden.clear();
    choose(false);
  }

  return {
    element,
    open,
    passes: (place) => !hidden.has(networkOf(place.id)) && (!wants() || (place.photoCount ?? 0) > 0),
    // Sets what there is to choose from.
    offer(places, pin) {
      const pictured = places.filter((place) => (place.photoCount ?? 0) > 0).length;
      automatic = pictured > 0;
      setText(tallies.pictured, number(pictured));
      setText(tallies.all, number(places.length));
      tabs.children[0].setAttribute("aria-pressed", String(wants()));
      tabs.children[1].setAttribute("aria-pressed", String(!wants()));
      const networks = new Set([
        ...(pin?.searches ?? []).map((search) => search.network), ...places.map((place) => networkOf(place.id)),
      ]);
      drawChips([...networks].sort());
      element.hidden = places.length === 0; // There is nothing to choose from.
      if (tabs.parentNode !== element) element.prepend(tabs);
    },
  };

  function drawChips(networks) {
    for (const network of networks) {
      if (!chips.has(network)) {
        const press = () => toggle(network);
        const chip = el("button", { class: "chip", onclick: press }, icon("check"), networkName(network));
        chips.set(network, chip);
        element.append(chip);
      }
      chips.get(network).setAttribute("aria-pressed", String(!hidden.has(network)));
    }
  }
}

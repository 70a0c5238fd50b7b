// Which places of a pin are listed: those with photos or all of them, of some networks or of all.
import { el, setText } from "../ground/dom.js";
import { networkChips } from "../networks/networkchips.js";
import { number, t } from "../ground/text.js";

// `changed()` is called when a person has chosen; `more` is placed next to the choice.
export function placeFilter(changed, more) {
  const chips = networkChips(changed);
  const tallies = { pictured: el("b"), all: el("b") };
  const tabs = el(
    "div", { class: "tabs" },
    el("button", { onclick: () => choose(true) }, t("With photos"), tallies.pictured),
    el("button", { onclick: () => choose(false) }, t("All"), tallies.all),
  );
  const element = el(
    "div", { class: "filters", role: "group", "aria-label": t("Which places") }, tabs, more, chips.element,
  );
  let withPhotos; // Undecided: as it suits the pin, until a person chooses.
  let automatic = false;
  const wants = () => withPhotos ?? automatic;

  function choose(value) {
    withPhotos = value;
    changed();
  }

  return {
    element,
    // Lets all places through.
    open() {
      withPhotos = false;
      chips.open();
    },
    passes: (place) => chips.passes(place) && (!wants() || (place.photoCount ?? 0) > 0),
    // Sets what there is to choose from.
    offer(places) {
      const pictured = places.filter((place) => (place.photoCount ?? 0) > 0).length;
      automatic = pictured > 0;
      setText(tallies.pictured, number(pictured));
      setText(tallies.all, number(places.length));
      tabs.children[0].setAttribute("aria-pressed", String(wants()));
      tabs.children[1].setAttribute("aria-pressed", String(!wants()));
      chips.offer(places);
      element.hidden = places.length === 0; // There is nothing to choose from.
    },
  };
}

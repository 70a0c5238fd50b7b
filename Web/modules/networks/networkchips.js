// A choice of networks: which photos are shown, by where they come from.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { networkName, networkOf } from "../ground/words.js";

export function networkChips(changed) {
  const element = el("div", { class: "filters", role: "group", "aria-label": "Which networks", hidden: true });
  const hidden = new Set();
  let offered = "";

  function toggle(network, chip) {
    if (!hidden.delete(network)) hidden.add(network);
    chip.setAttribute("aria-pressed", String(!hidden.has(network)));
    changed();
  }

  function chipOf(network) {
    const chip = el("button", {
      class: "chip", "aria-pressed": String(!hidden.has(network)), onclick: () => toggle(network, chip),
    }, icon("check"), networkName(network));
    return chip;
  }

  return {
    element,
    passes: (photo) => !hidden.has(networkOf(photo.id)),
    // Lets all photos through.
    open() {
      hidden.clear();
      offered = "";
      changed();
    },
    // Sets what there is to choose from: there is a choice from two networks on. One that is hidden stays, so that it
    // can be shown again.
    offer(photos) {
      const networks = [...new Set([...photos.map((photo) => networkOf(photo.id)), ...hidden])].sort();
      element.hidden = networks.length < 2;
      if (networks.join() === offered) return;
      offered = networks.join();
      replace(element, networks.map(chipOf));
    },
  };
}

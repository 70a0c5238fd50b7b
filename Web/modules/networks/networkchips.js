// A choice of networks: what is shown, by where it comes from. While none is chosen, all of them are.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { t } from "../ground/text.js";
import { networkName, networkOf } from "../ground/words.js";

export function networkChips(changed) {
  const element = el("div", { class: "network-chips", role: "group", "aria-label": t("Only of"), hidden: true });
  const chosen = new Set();
  let offered = "";

  function toggle(network, chip) {
    if (!chosen.delete(network)) chosen.add(network);
    chip.setAttribute("aria-pressed", String(chosen.has(network)));
    changed();
  }

  function chipOf(network) {
    const chip = el("button", {
      class: "chip", "aria-pressed": String(chosen.has(network)), onclick: () => toggle(network, chip),
    }, icon("check"), networkName(network));
    return chip;
  }

  return {
    element,
    passes: ({ id }) => chosen.size === 0 || chosen.has(networkOf(id)),
    // Lets all through.
    open() {
      chosen.clear();
      offered = "";
      changed();
    },
    // Sets what there is to choose from: there is a choice from two networks on. One that is chosen stays, so that it
    // can be taken back.
    offer(things) {
      const networks = [...new Set([...things.map(({ id }) => networkOf(id)), ...chosen])].sort();
      element.hidden = networks.length < 2;
      if (networks.join() === offered) return;
      offered = networks.join();
      replace(element, networks.map(chipOf));
    },
  };
}

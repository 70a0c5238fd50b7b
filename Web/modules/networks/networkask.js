// Where places or photos are missing: the networks that may have some and are off, with a button that switches them on.
import { el, replace } from "../ground/dom.js";
import { contactForm } from "./contact.js";
import { say } from "../ground/notices.js";
import { chooseNetwork, learntBy, namesOf, NEVER, readNetworks, switchNetwork } from "./networks.js";
import { go } from "../ground/router.js";
import { t } from "../ground/text.js";

// `gives` is what is missing: "places", "photos". `show()` gives the element, and looks at the networks the first time.
export function networkAsk(gives) {
  const element = el("div", { class: "network-ask" });
  let isKnown = false;

  async function load() {
    try {
      draw(await readNetworks());
    } catch {
      // What is missing has been said; a list of networks is no help now.
      isKnown = false;
    }
  }

  function draw({ networks, canSwitch }) {
    const off = networks.filter((each) => each.isAvailable && !each.isAsked && each.gives.includes(gives));
    replace(element, off.length > 0 && [
      el("h3", {}, off.length > 1
        ? t("{names} are off", { names: namesOf(off) }) : t("{names} is off", { names: namesOf(off) })),
      canSwitch || off.some(({ isOn }) => isOn) ? offer(off.filter(({ isOn }) => canSwitch || isOn))
        : el("p", {}, t("An administrator of this server can switch them on.")),
    ], all());
  }

  function offer(off) {
    const label = off.length > 2 ? t("Ask them")
      : off.length === 2 ? t("Ask both") : t("Ask {names}", { names: namesOf(off) });
    const form = contactForm(label, off.some((each) => !each.isOn && each.needsContact), async (contact) => {
      for (const network of off) {
        if (!network.isOn) await switchNetwork(network, true, contact);
        if (!network.isChosen) await chooseNetwork(network, true);
      }
      say(off.length > 1
        ? t("{names} are asked now.", { names: namesOf(off) }) : t("{names} is asked now.", { names: namesOf(off) }));
      await load();
    });
    const learns = learntBy(off[0], off.length > 1);
    return [el("p", {}, learns), el("p", {}, NEVER), form.element];
  }

  const all = () => el("button", { class: "quiet-link", onclick: () => go({ view: "settings" }) }, t("All networks"));

  return {
    show() {
      if (!isKnown) load();
      isKnown = true;
      return element;
    },
  };
}

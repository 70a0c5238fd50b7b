// The networks with a box for each, to choose from at the first start.
import { el, replace } from "../ground/dom.js";
import { contactField } from "../networks/contact.js";
import { aboutNetwork, learntBy, NEVER } from "../networks/networks.js";
import { t } from "../ground/text.js";
import { networkName } from "../ground/words.js";

// `canSwitch`: one that is off can be switched on here. `changed()` is called when others are chosen.
export function networkRows(networks, canSwitch, changed) {
  const boxes = [];
  const contact = contactField(true);
  // What can be asked at once comes first.
  const rows = [true, false].flatMap((isOn) => networks.filter((each) => each.isOn === isOn).map(row));

  // One that is off at this server is not chosen without a thought.
  function row(network) {
    const box = el("input", { type: "checkbox", value: network.name, onchange: press });
    box.checked = network.isOn;
    boxes.push(box);
    return el(
      "label", { class: "first-row", "data-network": network.name }, box,
      el(
        "span", {}, el("strong", {}, networkName(network.name)), el("span", {}, aboutNetwork(network)),
        (network.isOn || canSwitch) && network.learns && el("span", {}, learntBy(network)),
        !network.isOn && !canSwitch && el("span", {}, t("Off on this server until an administrator switches it on.")),
      ),
    );
  }

  const chosen = () => networks.filter(({ name }) => boxes.some((box) => box.checked && box.value === name));
  const switched = () => (canSwitch ? chosen().filter(({ isOn }) => !isOn) : []);
  const asking = el("div");

  function press() {
    const isAsked = switched().some(({ needsContact }) => needsContact);
    if (isAsked !== asking.hasChildNodes()) replace(asking, isAsked && contact.element);
    changed();
  }

  return {
    element: el("div", { class: "first-rows" }, rows, el("p", { class: "first-never" }, NEVER), asking),
    chosen, switched, contact: () => contact.value(),
  };
}

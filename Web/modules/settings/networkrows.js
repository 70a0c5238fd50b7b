// The networks with a box for each, to choose from at the first start.
import { el } from "../ground/dom.js";
import { NEVER, aboutNetwork } from "../networks/networks.js";
import { networkName, plain } from "../ground/words.js";

// `changed()` is called when others are chosen.
export function networkRows(networks, changed) {
  const boxes = [];
  // What can be asked at once comes first.
  const rows = [true, false].flatMap((isOn) => networks.filter((each) => each.isOn === isOn).map(row));

  // One that is off at this server is not chosen without a thought.
  function row(network) {
    const box = el("input", { type: "checkbox", value: network.name, onchange: changed });
    box.checked = network.isOn;
    boxes.push(box);
    return el(
      "label", { class: "first-row", "data-network": network.name }, box,
      el(
        "span", {}, el("strong", {}, networkName(network.name)), el("span", {}, aboutNetwork(network)),
        network.isOn && network.learns && el("span", {}, plain(network.learns, "")),
        !network.isOn && el("span", {}, "Off on this server until an administrator switches it on."),
      ),
    );
  }

  return {
    element: el("div", { class: "first-rows" }, rows, el("p", { class: "first-never" }, NEVER)),
    names: () => boxes.filter((box) => box.checked).map(({ value }) => value),
  };
}

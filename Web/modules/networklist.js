// The networks that places and photos come from: which are asked, what they learn, a switch for each, and keys.
import { arrange, el, icon, replace } from "./dom.js";
import { complain, reasonOf, say } from "./notices.js";
import { networkCard } from "./networkcard.js";
import { NEVER, readNetworksAndKeys, switchNetwork } from "./networks.js";
import { showPanel } from "./panel.js";
import { back } from "./router.js";
import { loading, nothing } from "./states.js";
import { networkName } from "./words.js";

export function openNetworks() {
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), "Map",
    )),
    el("h1", {}, "Networks"),
    el("p", { class: "panel-sub" }, "Other servers that places and photos come from"),
  );
  const note = el("div");
  const list = el("ul", { class: "network-list" });
  const cards = new Map();
  let isClosed = false;

  showPanel({ head, content: el("div", {}, note, list), label: "Networks", stand: "half" });
  replace(note, loading(undefined, 3));
  load();

  async function load() {
    try {
      draw(await readNetworksAndKeys((trouble) => {
        if (cards.size === 0 && !isClosed) replace(note, loading(trouble, 3));
      }));
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", "The networks can't be shown", reasonOf(error)));
    }
  }

  function draw({ networks, canSwitch }) {
    if (isClosed) return;
    replace(note, el("p", { class: "network-note" }, NEVER), !canSwitch && el(
      "p", { class: "network-note" }, "Only an administrator of this server can switch them: log in with such a token.",
    ));
    arrange(list, networks.map((network) => {
      if (!cards.has(network.name)) cards.set(network.name, networkCard(turn, load));
      cards.get(network.name).draw(network, canSwitch);
      return cards.get(network.name).element;
    }));
  }

  async function turn(network, on, contact) {
    try {
      await switchNetwork(network, on, contact);
      say(`${networkName(network.name)} is ${on ? "on" : "off"}.`);
    } catch (error) {
      // Beside the field, where there is one.
      if (!contact) complain(`${networkName(network.name)} could not be switched.`, error);
      throw error;
    } finally {
      await load();
    }
  }

  return {
    update() {},
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
    },
  };
}

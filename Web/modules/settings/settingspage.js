// The settings: how the map shows things, and the networks that places and photos come from: which are asked, what they
// learn, a switch for each, and keys.
import { arrange, el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { dataSafety } from "./datasafety.js";
import { mapSettings } from "./mapsettings.js";
import { complain, reasonOf, say } from "../ground/notices.js";
import { networkCard } from "../networks/networkcard.js";
import { NEVER, chooseNetwork, readNetworksAndKeys, switchNetwork } from "../networks/networks.js";
import { leftOutLine } from "../photos/leftout.js";
import { ownPhotos } from "../photos/ownphotos.js";
import { pinFiles } from "../files/pinfiles.js";
import { showPanel } from "../map/panel.js";
import { back } from "../ground/router.js";
import { loading, nothing } from "../ground/states.js";
import { filled, t } from "../ground/text.js";
import { takenAlong } from "../taken/takenalong.js";
import { networkName } from "../ground/words.js";

export function openSettings() {
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map"),
    )),
    el("h1", {}, t("Settings")),
  );
  const note = el("div");
  const list = el("ul", { class: "network-list" });
  const leftOut = leftOutLine();
  const taken = takenAlong();
  const safety = dataSafety();
  const cards = new Map();
  let isClosed = false;

  showPanel({
    head, label: t("Settings"), stand: "half",
    content: el(
      "div", {}, mapSettings(), el("div", { class: "network-head" }, el("h2", {}, t("Networks")), el(
        "p", {}, t("Where the streets of the map, and the places and photos around your pins, come from."),
      )), note, list, taken.element, pinFiles(), ownPhotos(), leftOut.element,
      safety.element,
    ),
  });
  replace(note, loading(undefined, 3));
  load();

  async function load() {
    try {
      draw(await readNetworksAndKeys((trouble) => {
        if (cards.size === 0 && !isClosed) replace(note, loading(trouble, 3));
      }));
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", t("The networks can't be shown"), reasonOf(error)));
    }
  }

  function draw({ networks, canSwitch }) {
    if (isClosed) return;
    if (canSwitch && cards.size === 0) leftOut.ask();
    replace(note, el("p", { class: "network-note" }, NEVER));
    arrange(list, networks.map((network) => {
      if (!cards.has(network.name)) cards.set(network.name, networkCard({ pick, turn }, load));
      cards.get(network.name).draw(network, canSwitch);
      return cards.get(network.name).element;
    }));
  }

  const pick = (network, on) => tell(network, on ? t("{network} is on.") : t("{network} is off."), () =>
    chooseNetwork(network, on));
  const turn = (network, on, contact) => tell(
    network, on ? t("{network} is on for this server.") : t("{network} is off for this server."),
    () => switchNetwork(network, on, contact), contact,
  );

  // What a form shows beside its field is not complained of besides.
  async function tell(network, done, run, isShown) {
    try {
      await run();
      say(filled(done, { network: networkName(network.name) }));
    } catch (error) {
      if (!isShown) complain(t("{network} could not be switched.", { network: networkName(network.name) }), error);
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
      taken.close();
      safety.close();
    },
  };
}

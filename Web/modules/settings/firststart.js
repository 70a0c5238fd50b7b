// At the first start one chooses which networks are asked about places and photos, and continues.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { choose } from "../server/choices.js";
import { reasonOf } from "../ground/notices.js";
import { NEVER, aboutNetwork, readNetworks } from "../networks/networks.js";
import { loading } from "../ground/states.js";
import { networkName, plain } from "../ground/words.js";

// Resolves when networks are chosen.
export function firstStart() {
  return new Promise((resolve) => {
    const rows = el("div", { class: "first-rows" });
    const outcome = el("p", { class: "form-outcome", role: "alert" });
    const go = el("button", { class: "button primary", disabled: true }, "Continue");
    const form = el(
      "form", { class: "first-content" }, el("div", { class: "login-mark" }, icon("waymark")),
      el("h2", {}, "Welcome to Waymark"),
      el("p", { class: "quiet" }, "Which of these may be asked for the places and photos around your pins?"), rows,
      el("p", { class: "quiet first-never" }, NEVER), el(
        "div", { class: "first-foot" }, outcome, go, el("p", { class: "quiet" }, "You can change this in Settings."),
      ),
    );
    const dialog = el("dialog", { class: "login first", "aria-label": "Welcome to Waymark" }, form);
    let boxes = [];

    const chosen = () => boxes.filter((box) => box.checked).map(({ value }) => value);
    const check = () => { go.disabled = chosen().length === 0; };

    async function load() {
      const wait = (trouble) => replace(rows, loading(trouble, 4));
      wait();
      try {
        const { networks } = await readNetworks(wait);
        boxes = [];
        const available = networks.filter(({ isAvailable }) => isAvailable);
        // What can be asked at once comes first.
        replace(rows, [true, false].map((isOn) => available.filter((each) => each.isOn === isOn).map(row)));
        check();
      } catch (error) {
        replace(rows, el("p", {}, reasonOf(error)), el(
          "button", { class: "button", type: "button", onclick: load }, "Try again",
        ));
      }
    }

    // One that is off at this server is not chosen without a thought.
    function row(network) {
      const box = el("input", { type: "checkbox", value: network.name, onchange: check });
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

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      go.disabled = true;
      setText(outcome, "");
      try {
        await choose({ enableNetworks: chosen() });
        dialog.close();
        dialog.remove();
        resolve();
      } catch (error) {
        setText(outcome, reasonOf(error));
        check();
      }
    });
    // Without a choice nothing can be pinned.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
    document.body.append(dialog);
    dialog.showModal();
    load();
  });
}

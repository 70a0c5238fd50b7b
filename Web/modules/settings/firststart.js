// At the first start one says in one screen where places, photos and streets come from: one's own data alone, what is
// free in the internet besides, or what one chooses.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { contactField } from "../networks/contact.js";
import { choose } from "../server/choices.js";
import { reasonOf } from "../ground/notices.js";
import { networkRows } from "./networkrows.js";
import { learntBy, namesOf, NEVER, readNetworks, switchNetwork } from "../networks/networks.js";
import { loading } from "../ground/states.js";
import { t } from "../ground/text.js";
import { listed } from "../ground/words.js";

// Resolves when it is chosen.
export function firstStart() {
  return new Promise((resolve) => {
    const ways = el("div", { class: "first-ways" });
    const more = el("div", { class: "first-more" });
    const outcome = el("p", { class: "form-outcome", role: "alert" });
    const go = el("button", { class: "button primary", disabled: true }, t("Continue"));
    const form = el(
      "form", { class: "first-content" },
      el("header", {}, icon("waymark"), el("h2", {}, t("Welcome to Waymark"))),
      el("p", {}, t(
        "Your own map. Press and hold it to drop a pin: the places and photos around it come by themselves.",
      )),
      el("h3", {}, t("Where may they come from?")), ways, more,
      el("div", { class: "first-foot" }, outcome, go, el("p", {}, t("You can change this in Settings at any time."))),
    );
    const dialog = el("dialog", { class: "login first", "aria-label": t("Welcome to Waymark") }, form);
    let way; // {names(), run()} of what is chosen.

    const check = () => { go.disabled = !way || way.names().length === 0; };

    async function load() {
      const wait = (trouble) => replace(ways, loading(trouble, 3));
      wait();
      try {
        const { networks, canSwitch } = await readNetworks(wait);
        replace(ways, waysOf(networks.filter(({ isAvailable }) => isAvailable), canSwitch, choosing, check).map(row));
        const first = ways.querySelector("input");
        first.click();
        first.focus();
      } catch (error) {
        replace(ways, el("p", {}, reasonOf(error)), el(
          "button", { class: "button", type: "button", onclick: load }, t("Try again"),
        ));
      }
    }

    function choosing(next) {
      way = next;
      replace(more, way.more);
      check();
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      go.disabled = true;
      setText(outcome, "");
      try {
        await way.run();
        await choose({ enableNetworks: way.names() });
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

const row = ({ title, text, chosen }) => el(
  "label", { class: "first-way" }, el("input", { type: "radio", name: "way", onchange: chosen }),
  el("span", {}, el("strong", {}, title), el("span", {}, text)),
);

const WORDS = { places: t("places"), photos: t("photos"), maps: t("streets") };
const given = (some) => Object.keys(WORDS).filter((each) => some.some(({ gives }) => gives.includes(each)))
  .map((each) => WORDS[each]);

// What some of them learn: who learns most says it for all.
function learnt(some) {
  const [most] = some.toSorted((one, other) => other.learns.length - one.learns.length);
  return learntBy(most, true);
}

// What there is to choose from. `take` is called with what is chosen: the names that the account's searches ask, what
// is to be done first, and what is shown below.
function waysOf(networks, canSwitch, take, check) {
  const named = (some) => some.map(({ name }) => name);
  const own = networks.filter(({ isOurs }) => isOurs);
  // Who may not switch them has those that are on.
  const free = networks.filter(({ isOurs, isOn }) => !isOurs && (canSwitch || isOn));
  const off = free.filter(({ isOn }) => !isOn);
  const contact = contactField(off.some(({ needsContact }) => needsContact));
  const rows = networkRows(networks, canSwitch, check);
  const turnOn = async (some, whom) => {
    for (const network of some) await switchNetwork(network, true, network.needsContact ? whom : "");
  };
  return [
    {
      title: t("Only my own data"), text: t("The places and pictures on this server. Nothing leaves it."),
      chosen: () => take({ names: () => named(own), run: () => turnOn([], "") }),
    },
    free.length > 0 && {
      title: t("Add free {things} from the internet", { things: listed.format(given(free)) }),
      text: [t("{sentence}.", { sentence: namesOf(free) }), learnt(free), NEVER].join(" "),
      chosen: () => take({
        names: () => named([...own, ...free]), more: contact.element,
        run: () => turnOn(off, contact.value()),
      }),
    },
    {
      title: t("Let me choose"), text: t("One by one, with what each of them learns."),
      chosen: () => take({
        names: () => named(rows.chosen()), run: () => turnOn(rows.switched(), rows.contact()), more: rows.element,
      }),
    },
  ].filter(Boolean);
}

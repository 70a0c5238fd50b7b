// One network in the list: what it gives, what it learns, what is left of its budget, its switch, and one's own keys.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { cardKeys } from "./cardkeys.js";
import { contactForm } from "./contact.js";
import { aboutNetwork, learntBy } from "./networks.js";
import { filled, locale, t } from "../ground/text.js";
import { networkName, plain } from "../ground/words.js";

const TIME = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });

// `pick(network, on)` says whether one's own searches ask it, and `turn(network, on, contact)` switches it for the
// whole server, as an administrator may; what they throw, with a contact, is shown. `changed()` is called when a key
// was given or removed.
export function networkCard({ pick, turn }, changed) {
  const title = el("h2");
  const gives = el("p", { class: "network-gives" });
  const side = el("span", { class: "network-side" });
  const knob = el("button", { class: "switch", role: "switch", onclick: press }, el("span"));
  const more = el("div");
  const everyone = el("div", { class: "network-server" });
  const asking = el("div");
  const own = cardKeys(changed);
  const element = el(
    "li", { class: "network" }, el("div", { class: "network-top" }, el("div", {}, title, gives), side), more, everyone,
    asking,
  );
  let network;
  let mayTurn;

  // An administrator who wants to be asked for switches it on for the server as well.
  async function press() {
    const on = !isLit();
    if (on && mayTurn && !network.isOn && network.needsContact) return ask();
    knob.disabled = true;
    await put(on, "").catch(() => {});
    knob.disabled = false;
    knob.focus();
  }

  async function put(on, contact) {
    if (on && mayTurn && !network.isOn) await turn(network, true, contact);
    if (network.isChosen !== on) await pick(network, on);
  }

  const isLit = () => (mayTurn ? network.isAsked : network.isChosen);

  function ask() {
    const form = contactForm(t("Switch on"), true, async (contact) => {
      await put(true, contact);
      replace(asking);
      knob.focus();
    });
    replace(asking, form.element);
    form.focus();
  }

  async function turnOff(button) {
    button.disabled = true;
    await turn(network, false, "").catch(() => {});
    if (knob.isConnected) knob.focus();
  }

  function ofServer() {
    if (!network.isAvailable || network.parts.length === 0 || network.isOurs) return undefined;
    if (!network.isOn) return !mayTurn && el("p", {}, t("Off on this server: an administrator can switch it on."));
    return mayTurn && el(
      "button", { class: "quiet-link", onclick: (event) => turnOff(event.currentTarget) },
      t("Switch off for everyone here"),
    );
  }

  return {
    element,
    draw(next, canSwitch) {
      network = next;
      mayTurn = canSwitch && !network.isOurs;
      element.dataset.network = network.name;
      setText(title, networkName(network.name));
      setText(gives, aboutNetwork(network));
      knob.setAttribute("aria-label", networkName(network.name));
      knob.setAttribute("aria-checked", String(isLit()));
      const word = el("span", { class: "network-word" }, stateOf(network));
      if (network.isAvailable && network.parts.length > 0) {
        if (knob.parentNode !== side) replace(side, knob);
      } else {
        replace(side, word);
      }
      replace(more, details(network));
      replace(everyone, ofServer());
      if (!network.keys) return own.element.remove();
      own.draw(network.keys);
      if (own.element.parentNode !== element) element.append(own.element);
    },
  };
}

// A network that is opened by keys of accounts alone has no switch.
function stateOf({ isAvailable, keys }) {
  if (!isAvailable) return t("Not here");
  return keys?.given.length > 0 ? t("On") : t("No key");
}

function details(network) {
  if (!network.isAvailable && network.parts.length > 0) {
    return el("p", {}, t("It needs a key or an address of its own, which the server's operator can set."));
  }
  return [
    network.learns && el("p", {}, learntBy(network)),
    network.parts.filter((part) => part.on && part.live).map((part) => budget(part, network.parts.length > 1)),
    network.attribution && el("p", { class: "network-by" }, network.attribution),
  ];
}

const LEFT = {
  places: t("{left} of {limit} requests for places left today"),
  photos: t("{left} of {limit} requests for photos left today"),
};
const untilWhen = (part) => TIME.format(new Date(part.pausedUntil));

// What is left today, and until when it is left alone.
function budget(part, isOneOfMany) {
  const [limit, used] = [Number(part.dailyLimit ?? 0), Number(part.requestsToday ?? 0)];
  const left = Math.max(0, limit - used);
  const what = isOneOfMany && LEFT[part.gives?.[0]] || t("{left} of {limit} requests left today");
  const bar = el("div");
  bar.style.transform = `scaleX(${limit > 0 ? left / limit : 0})`;
  return [
    el("p", { class: "network-budget" }, filled(what, { left, limit })),
    el("div", { class: "network-bar", "aria-hidden": "true" }, bar),
    part.pausedUntil && el(
      "p", { class: "waits" }, icon("warning"),
      el("span", {}, t("Left alone until {when}: {why}", {
        when: untilWhen(part), why: plain(part.pauseReason, t("it failed")),
      })),
    ),
  ];
}

// What a key for a program is to be: its name, what it may do, how long it lasts, and which networks it may have asked.
import { el, replace } from "../ground/dom.js";
import { LIMITS } from "../ground/limits.js";
import { readNetworks } from "../networks/networks.js";
import { reasonOf } from "../ground/notices.js";
import { t, tn } from "../ground/text.js";
import { networkName } from "../ground/words.js";

const DAY = 86_400;
const SCOPES = { KEY_SCOPE_READ: t("Only read"), KEY_SCOPE_WRITE: t("Read and write") };
const ADMINISTRATION = { KEY_SCOPE_ADMIN: t("Administer this server") };
const LIVES = { "": t("Until I end it"), [30 * DAY]: tn(
  30, "{n} day", "{n} days",
), [90 * DAY]: tn(90, "{n} day", "{n} days"), [365 * DAY]: t("A year") };

let made = 0;

export function keyChoices(mayAdminister) {
  const name = el("input", {
    maxlength: LIMITS.CreateAPIKeyRequest.name[1], required: true, autocomplete: "off",
    placeholder: t("The tablet in the kitchen"),
  });
  const scope = choice({ ...SCOPES, ...(mayAdminister ? ADMINISTRATION : {}) });
  const life = choice(LIVES);
  const boxes = el("div", { class: "key-networks" });
  let isLimited = false;

  const only = el(
    "details", { class: "key-only", ontoggle: () => { isLimited = only.open; if (isLimited) load(); } },
    el("summary", {}, t("Only some networks")), boxes,
  );

  async function load() {
    if (boxes.hasChildNodes()) return;
    try {
      const { networks } = await readNetworks();
      replace(boxes, networks.filter((each) => each.isAvailable && each.isChosen).map((each) => el(
        "label", {}, el("input", { type: "checkbox", value: each.name, checked: true }), networkName(each.name),
      )));
    } catch (error) {
      replace(boxes, el("p", {}, reasonOf(error)));
    }
  }

  return {
    element: el(
      "div", { class: "key-choices" }, labelled(t("Name"), name), labelled(t("It may"), scope),
      labelled(t("It lasts"), life), only,
    ),
    focus: () => name.focus(),
    value: () => ({
      name: name.value.trim(), scope: scope.value,
      life: life.value ? `${life.value}s` : undefined,
      networks: isLimited ? [...boxes.querySelectorAll("input:checked")].map(({ value }) => value) : [],
    }),
  };
}

function labelled(text, input) {
  input.id = `key-field-${made += 1}`;
  return el("div", { class: "field" }, el("label", { for: input.id }, text), input);
}

const choice = (options) => el("select", {}, Object.entries(options).map(
  ([value, text]) => el("option", { value }, text),
));

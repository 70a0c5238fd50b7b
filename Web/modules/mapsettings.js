// How the map shows things: units, and what it begins with.
import { el, replace } from "./dom.js";
import { choices, choose } from "./choices.js";
import { complain, reasonOf, say } from "./notices.js";
import { loading } from "./states.js";

const FIELDS = [
  {
    name: "units", label: "Distances",
    options: { UNITS_LOCAL: "As is usual here", UNITS_METRIC: "Metres and kilometres", UNITS_IMPERIAL: "Feet and miles" },
  },
  {
    name: "startView", label: "The map begins",
    options: {
      START_VIEW_LAST: "Where I left it", START_VIEW_PINS: "With all my pins", START_VIEW_HERE: "Where I am",
    },
  },
];

export function mapSettings() {
  const element = el("div", { class: "map-settings" }, loading(undefined, 2));
  choices((trouble) => replace(element, loading(trouble, 2))).then(
    (settings) => replace(element, FIELDS.map((field) => choice(field, settings[field.name]))),
    (error) => replace(element, el("p", { class: "section-note" }, reasonOf(error))),
  );
  return element;
}

function choice({ name, label, options }, chosen) {
  const select = el("select", {}, Object.entries(options).map(([value, text]) => el("option", { value }, text)));
  select.value = chosen;
  select.addEventListener("change", async () => {
    const wanted = select.value;
    try {
      await choose({ [name]: wanted });
      chosen = wanted;
      say("Your settings are stored.");
    } catch (error) {
      select.value = chosen;
      complain("Your settings could not be stored.", error);
    }
  });
  return el("label", {}, el("span", {}, label), select);
}

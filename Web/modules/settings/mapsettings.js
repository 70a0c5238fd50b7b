// How the map shows things: units, what it begins with, the language of its names, and that of the page.
import { el, replace } from "../ground/dom.js";
import { choices, choose } from "../server/choices.js";
import { complain, reasonOf, say } from "../ground/notices.js";
import { loading } from "../ground/states.js";
import { t } from "../ground/text.js";

// Languages that many maps have names in; each is called as it calls itself.
const LANGUAGES = [
  "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr",
  "hu", "id", "is", "it", "ja", "ka", "ko", "lb", "lt", "lv", "nl", "no", "oc", "pl", "pt", "ro", "ru", "sk", "sl",
  "sr", "sv", "th", "tr", "uk", "vi", "zh",
];

const FIELDS = [
  {
    name: "units", label: t("Distances"),
    options: {
      UNITS_LOCAL: t("As is usual here"), UNITS_METRIC: t("Metres and kilometres"), UNITS_IMPERIAL: t("Feet and miles"),
    },
  },
  {
    name: "startView", label: t("The map begins"),
    options: {
      START_VIEW_LAST: t("Where I left it"), START_VIEW_PINS: t("With all my pins"), START_VIEW_HERE: t("Where I am"),
    },
  },
  {
    name: "language", label: t("Names on the map"),
    options: { "": t("In my browser's language"), ...Object.fromEntries(LANGUAGES.map((tag) => [tag, nameOf(tag)])) },
  },
];

export function mapSettings() {
  const element = el("div", { class: "map-settings" }, loading(undefined, 2));
  choices((trouble) => replace(element, loading(trouble, 2))).then(
    (settings) => replace(element, pageLanguage(), FIELDS.map((field) => choice(field, settings[field.name]))),
    (error) => replace(element, el("p", { class: "section-note" }, reasonOf(error))),
  );
  return element;
}

// "suomi"; a tag that the browser does not know stands for itself.
function nameOf(tag) {
  try {
    return new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

// It is this browser's, as light and dark are: its words are needed before the server is asked.
function pageLanguage() {
  const { chosen, languages } = window.words;
  const select = el(
    "select", {}, el("option", { value: "" }, t("In my browser's language")),
    languages.map((tag) => el("option", { value: tag, lang: tag }, nameOf(tag))),
  );
  select.value = chosen;
  select.addEventListener("change", () => {
    try {
      localStorage.setItem("waymark.language", select.value);
      location.reload();
    } catch {
      select.value = chosen; // Storage may be forbidden; then it is the browser's.
    }
  });
  return el("label", {}, el("span", {}, t("Language")), select);
}

function choice({ name, label, options }, chosen = "") {
  const all = { ...options, ...(options[chosen] ? {} : { [chosen]: nameOf(chosen) }) };
  const select = el("select", {}, Object.entries(all).map(([value, text]) => el("option", { value }, text)));
  select.value = chosen;
  select.addEventListener("change", async () => {
    const wanted = select.value;
    try {
      await choose({ [name]: wanted });
      chosen = wanted;
      say(t("Your settings are stored."));
    } catch (error) {
      select.value = chosen;
      complain(t("Your settings could not be stored."), error);
    }
  });
  return el("label", {}, el("span", {}, label), select);
}

// The form for a list: its name and its colour.
import { el } from "../ground/dom.js";
import { talkingForm } from "../ground/form.js";
import { LIMITS } from "../ground/limits.js";
import { COLOURS } from "./lists.js";
import { t } from "../ground/text.js";

const [, LONGEST] = LIMITS.ChangeListRequest.name;

// `send({name, colour})` is called with what was chosen.
export function listForm({ name = "", colour, button, send, cancel }) {
  let chosen = colour;
  const swatches = COLOURS.map((each) => {
    const box = el("input", {
      type: "radio", name: "colour", value: each, "aria-label": each, checked: each === colour,
      onchange: () => { chosen = each; },
    });
    return el("label", { class: "swatch", "data-colour": each, title: each }, box);
  });
  const form = talkingForm({
    fields: [{ name: "name", label: t("Name"), required: true, maxlength: LONGEST, autocomplete: "off" }],
    values: { name }, button, send: ({ name }, signal) => send({ name, colour: chosen }, signal),
    more: [el("button", { class: "button", type: "button", onclick: cancel }, t("Cancel"))],
  });
  const colours = el("fieldset", { class: "swatches" }, el("legend", {}, t("Colour")), swatches);
  form.element.querySelector(".form-outcome").before(colours);
  form.element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    cancel();
  });
  return { element: form.element, focus: () => form.element.querySelector("input").focus() };
}

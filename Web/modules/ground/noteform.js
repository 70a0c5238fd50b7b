// The form for what one keeps with a pin.
import { el } from "./dom.js";
import { LIMITS } from "./limits.js";
import { t } from "./text.js";

const [, LONGEST] = LIMITS.AnnotatePinRequest.note;

// `keep(note, visitedDate, save)` is called with what was typed and the button, `end()` when nothing is to be kept.
export function noteForm({ note, visitedDate, keep, end }) {
  const text = el("textarea", { maxlength: LONGEST, rows: 4, "aria-label": t("Note about the pin") });
  text.value = note;
  const visited = el("input", { type: "date", max: "9999-12-31", value: visitedDate ?? "" });
  const save = el("button", { class: "button primary" }, t("Save"));
  const element = el(
    "form", {}, text, el("label", {}, t("Visited"), visited),
    el(
      "div", { class: "form-foot" }, save, el("button", { class: "button", type: "button", onclick: end }, t("Cancel")),
    ),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    keep(text.value, visited.value, save);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
  });
  return { element, focus: () => text.focus() };
}

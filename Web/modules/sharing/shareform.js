// The form for a link to a pin or a list.
import { el } from "../ground/dom.js";
import { talkingForm } from "../ground/form.js";
import { LIMITS } from "../ground/limits.js";
import { t } from "../ground/text.js";

const DAY = 86_400;
const LIVES = [["7", t("A week")], ["30", t("A month")], ["365", t("A year")], ["", t("Until I end it")]];

// `send(values)` is called with the fields of CreateShare. Of a list neither notes nor photos are shown.
export function shareForm({ isOfList, send, cancel }) {
  const life = el("select", { id: "share-life" }, LIVES.map(([days, label]) => el("option", { value: days }, label)));
  const shown = el(
    "select", { id: "share-shown", onchange: () => showNote() },
    el("option", { value: "" }, t("The pin, its places and photos")),
    el("option", { value: "album" }, t("Its photos alone, not where it is")),
  );
  const form = talkingForm({
    fields: [
      {
        name: "password", label: t("Password, if it needs one"), type: "password", autocomplete: "new-password",
        maxlength: LIMITS.CreateShareRequest.password[1],
      },
      {
        name: "withNote", type: "checkbox",
        label: isOfList ? t("With the days of my visits") : t("With my note and the day of my visit"),
      },
      !isOfList && { name: "withImmich", label: t("With photos of my Immich library"), type: "checkbox" },
    ].filter(Boolean),
    button: t("Make the link"),
    send: (values, signal) => send({
      ...values, life: life.value ? `${life.value * DAY}s` : undefined,
      ...(shown.value && { albumOnly: true, withNote: false }),
    }, signal),
    more: [el("button", { class: "button", type: "button", onclick: cancel }, t("Cancel"))],
  });
  // An album alone has no note.
  const note = form.element.querySelector("[name=withNote]").closest(".field");
  const showNote = () => { note.hidden = shown.value === "album"; };
  form.element.prepend(el("div", { class: "field" }, el("label", { for: life.id }, t("It opens for")), life));
  if (!isOfList) form.element.prepend(
    el("div", { class: "field" }, el("label", { for: shown.id }, t("It shows")), shown),
  );
  return { element: form.element, focus: () => (isOfList ? life : shown).focus() };
}

// Asks whom a network may write to, before it is asked for the first time.
import { el, setText } from "../ground/dom.js";
import { LIMITS } from "../ground/limits.js";
import { reasonOf } from "../ground/notices.js";
import { t } from "../ground/text.js";

// A field for it, and why it is asked for; nothing when none is needed.
export function contactField(isNeeded) {
  const field = el("input", {
    type: "text", name: "contact", autocomplete: "email", required: true,
    maxlength: LIMITS.SwitchNetworkRequest.contact[1],
    placeholder: "you@example.org", "aria-label": t("Contact: an e-mail address or a web address"),
  });
  return {
    element: isNeeded && el(
      "div", { class: "contact" },
      el("p", {}, t("They ask for a contact to write to: an e-mail address or a web address.")), field,
    ),
    value: () => (isNeeded ? field.value.trim() : ""),
    focus: () => field.focus(),
  };
}

// The field, if it is needed, and a button. `send(contact)` is called with it; what it throws is shown.
export function contactForm(label, isNeeded, send) {
  const contact = contactField(isNeeded);
  const wrong = el("p", { class: "network-wrong", role: "alert" });
  const button = el("button", { class: "button primary" }, label);
  const form = el("form", { class: "contact" }, contact.element, wrong, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    setText(wrong, "");
    try {
      await send(contact.value());
    } catch (error) {
      setText(wrong, reasonOf(error));
    }
    button.disabled = false;
  });
  return { element: form, focus: () => (isNeeded ? contact.focus() : button.focus()) };
}

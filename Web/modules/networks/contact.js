// Asks whom a network may write to, before it is asked for the first time.
import { el, setText } from "../ground/dom.js";
import { LIMITS } from "../ground/limits.js";
import { reasonOf } from "../ground/notices.js";

// A field for the contact, if one is needed, and a button. `send(contact)` is called with it; what it throws is shown.
export function contactForm(label, isNeeded, send) {
  const field = el("input", {
    type: "text", name: "contact", autocomplete: "email", required: true,
    maxlength: LIMITS.SwitchNetworkRequest.contact[1],
    placeholder: "you@example.org", "aria-label": "Contact: an e-mail address or a web address",
  });
  const wrong = el("p", { class: "network-wrong", role: "alert" });
  const button = el("button", { class: "button primary" }, label);
  const form = el(
    "form", { class: "contact" },
    isNeeded && el("p", {}, "They ask for a contact to write to: an e-mail address or a web address."),
    isNeeded && field, wrong, button,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    setText(wrong, "");
    try {
      await send(isNeeded ? field.value.trim() : "");
    } catch (error) {
      setText(wrong, reasonOf(error));
    }
    button.disabled = false;
  });
  return { element: form, focus: () => (isNeeded ? field : button).focus() };
}

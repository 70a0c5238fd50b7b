// A form that says beside each field what is wrong with it, and below them what else is.
import { el, setText } from "./dom.js";
import { LeftError } from "./view.js";
import { t, tn } from "./text.js";
import { plain, refusal } from "./words.js";

// After how many milliseconds without an answer that is said.
const SLOW = 4000;
let made = 0;

// `fields` are {name, label, …} with the attributes of an input. `send(values, signal)` is called with what was typed,
// by name; what it throws is shown, and what it resolves with, if it is a text. The signal gives it up when the form is
// left: nothing is sent behind one's back.
export function talkingForm({ fields, button, send, values = {}, problem = "", more = [] }) {
  const inputs = fields.map((field) => labelled(field, values[field.name]));
  const outcome = el("p", { class: "form-outcome", role: "alert" }, problem);
  const submit = el("button", { class: "button primary" }, button);
  const form = el(
    "form", { class: "talking", method: "post", novalidate: true },
    inputs.map(({ element }) => element), outcome, el("div", { class: "form-foot" }, submit, more),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled || !allGiven()) return;
    submit.disabled = true;
    outcome.classList.remove("good");
    setText(outcome, "");
    const { signal, end } = untilLeft(form);
    const slow = setTimeout(() => setText(outcome, t("The server takes long to answer. Still waiting…")), SLOW);
    try {
      const text = await send(typed(), signal);
      outcome.classList.add("good");
      setText(outcome, text ?? "");
    } catch (error) {
      if (!signal.aborted) show(error);
    }
    clearTimeout(slow);
    end();
    submit.disabled = false;
  });

  const typed = () => Object.fromEntries(inputs.map(({ name, value }) => [name, value()]));

  function allGiven() {
    for (const each of inputs) each.say(each.isMissing() ? t("Fill this in.") : "");
    const missing = inputs.find((each) => each.isMissing());
    missing?.input.focus();
    return !missing;
  }

  function show(error) {
    const wrong = inputs.filter(({ name }) => error.fields?.[name]);
    for (const each of wrong) each.say(refusal(error.fields[each.name], each.value()));
    if (wrong.length === 0) setText(outcome, wordsOf(error));
    const at = wrong[0] ?? inputs.find(({ input }) => input.type === "password") ?? inputs[0];
    at.input.focus();
    at.input.select();
  }

  return {
    element: form, typed,
    focus: () => (inputs.find(({ value }) => value() === "") ?? inputs[0]).input.focus(),
  };
}

// A signal that aborts when the form is no longer in the page.
function untilLeft(form) {
  const left = new AbortController();
  const observer = new MutationObserver(() => form.isConnected || left.abort(new LeftError()));
  observer.observe(document.body, { childList: true, subtree: true });
  return { signal: left.signal, end: () => observer.disconnect() };
}

function labelled({ name, label, hint, type = "text", ...attributes }, value) {
  const id = `field-${made += 1}`;
  const wrong = el("p", { class: "field-wrong", id: `${id}-wrong`, role: "alert" });
  const isBox = type === "checkbox";
  const input = el("input", { id, name, type, "aria-describedby": wrong.id, ...attributes });
  if (value !== undefined) input.value = value;
  return {
    name, input,
    element: el(
      "div", { class: isBox ? "field box" : "field", hidden: attributes.hidden }, isBox && input,
      el("label", { for: id }, label), !isBox && input, hint && el("p", { class: "field-hint" }, hint), wrong,
    ),
    // A password may begin with a space.
    value: () => (isBox ? input.checked : type === "password" ? input.value : input.value.trim()),
    isMissing: () => input.required && input.value.trim() === "",
    say(text) {
      setText(wrong, text);
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
}

// What went wrong, where no field is to blame.
export function wordsOf(error) {
  if (error.words) return error.words;
  if (error.trouble === "gateway") return t("The server can't be reached. Try again.");
  if (["unavailable", "deadline_exceeded"].includes(error.code)) {
    return t("Part of the server is not running. Try again in a moment.");
  }
  if (error.code === "resource_exhausted") return after(error.wait);
  return plain(error.message, t("The server could not do it."));
}

function after(milliseconds) {
  if (!milliseconds) return t("Too many attempts. Try again later.");
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 90) {
    return tn(seconds, "Too many attempts. Try again in {n} second.", "Too many attempts. Try again in {n} seconds.");
  }
  const minutes = Math.ceil(seconds / 60);
  return tn(minutes, "Too many attempts. Try again in {n} minute.", "Too many attempts. Try again in {n} minutes.");
}

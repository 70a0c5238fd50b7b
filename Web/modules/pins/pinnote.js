// What one keeps with a pin: a note, and the day of a visit. The lists of pins say only that there is a note.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { change, read } from "../server/api.js";
import { noteForm } from "../ground/noteform.js";
import { opening } from "../ground/opening.js";
import { complain, say } from "../ground/notices.js";
import { pinOf, putPin } from "./store.js";
import { t } from "../ground/text.js";
import { day } from "../ground/words.js";

// How many characters of a note stand on its chip at most.
const LONGEST = 60;

// Returns its chip, what that opens, and a function to call when the pin has changed.
export function pinNote(id) {
  const body = el("div", { class: "pin-note" });
  const part = opening(body, () => isBare() && !isEdited && edit());
  let known; // The pin with its note.
  let isAsked = false;
  let isMissing = false; // It did not come.
  let isEdited = false;

  function draw() {
    const pin = pinOf(id);
    if (!pin) return;
    const isKnown = !pin.hasNote || known?.hasNote || isWaiting(pin);
    if (!isKnown && !isAsked && !isMissing) load();
    const note = noteOf(pin);
    const visit = pin.visitedDate && t("Visited {day}", { day: day(`${pin.visitedDate}T00:00:00Z`) });
    const words = note || visit || (pin.hasNote ? t("Note") : t("Add a note"));
    part.say(icon(visit ? "check" : "note"), el("span", {}, words.slice(0, LONGEST)));
    part.chip.classList.toggle("has", !isBare());
    if (isEdited) return;
    const text = [
      visit && el("p", { class: "pin-visit" }, icon("check"), visit),
      note && el("p", { class: "pin-note-text" }, note),
      !isKnown && (isMissing ? el("p", {}, t("The note can't be shown now.")) : el("div", { class: "skeleton" })),
    ];
    // The pin may have changed while the button had the focus.
    const isFocused = body.contains(document.activeElement);
    replace(body, text, !isBare() && el("button", { class: "quiet-link", onclick: edit }, t("Change the note")));
    if (isFocused) body.querySelector("button")?.focus();
  }

  const isBare = () => !pinOf(id)?.hasNote && !pinOf(id)?.visitedDate;

  // What waits for the server comes first.
  const isWaiting = ({ waitingNote }) => waitingNote !== undefined;
  const noteOf = (pin) => (isWaiting(pin) ? pin.waitingNote : (pin.hasNote && known?.note) || "");

  // Resolves with whether it came.
  async function load() {
    isAsked = true;
    try {
      ({ pin: known } = await read("pins.v1.PinService/GetPin", { id }));
      isMissing = false;
    } catch {
      isMissing = true;
    }
    isAsked = false;
    draw();
    return !isMissing;
  }

  async function edit() {
    const pin = pinOf(id);
    // It may have been changed elsewhere, and what is stored then takes the place of all of it.
    if (pin.hasNote && !isWaiting(pin) && !await load()) return complain(t("The note can't be shown now."), {});
    isEdited = true;
    const form = noteForm({ note: noteOf(pin), visitedDate: pin.visitedDate, keep, end });
    replace(body, form.element);
    form.focus();
  }

  async function keep(note, visitedDate, save) {
    save.disabled = true;
    try {
      const answer = await change("pins.v1.PinService/AnnotatePin", { id, note, visitedDate });
      known = answer.pin;
      if (known) putPin(known);
      say(known ? t("The note is kept.") : t("The note is kept. It waits for the server."));
      end();
    } catch (error) {
      save.disabled = false;
      complain(t("The note could not be kept."), error);
    }
  }

  // What was kept is shown; where nothing is kept, there is nothing to see.
  function end() {
    isEdited = false;
    draw();
    if (isBare()) part.turn(false);
    (isBare() ? part.chip : body.querySelector("button")).focus();
  }

  draw();
  return { chips: part.chip, body, draw };
}

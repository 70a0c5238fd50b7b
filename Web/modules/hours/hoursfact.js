// Opening hours among a place's facts: what goes now, said again as time passes, and the week below.
import { el, replace } from "../ground/dom.js";
import { hoursInWords, isTwelveHours } from "./hours.js";

const MINUTE_MS = 60_000;

// One that can't be read is shown as it is.
export function hoursFact(value, position) {
  if (!wordsOf(value, position)) return value.split(";").map((rule) => rule.trim()).filter(Boolean).join(" · ");
  const fact = el("div", { class: "hours" });
  draw(new WeakRef(fact), value, position);
  return fact;
}

function wordsOf(value, { longitude }) {
  return hoursInWords(value, { now: new Date(), longitude, isTwelve: isTwelveHours() });
}

// "Open now" must not stay when it has closed meanwhile: a page is open for hours. Ends when the element is gone.
function draw(reference, value, position, before) {
  const fact = reference.deref();
  if (!fact) return;
  const words = wordsOf(value, position);
  const drawn = JSON.stringify(words);
  if (words && drawn !== before) replace(fact, now(words), words.rows.length > 0 && week(words.rows));
  setTimeout(draw, MINUTE_MS - Date.now() % MINUTE_MS, reference, value, position, drawn);
}

function now({ state, isOpen }) {
  return state && el("p", { class: "hours-now", "data-open": isOpen && "true" }, state);
}

// The blank is for those who copy it, or hear it.
function week(rows) {
  return el("ul", { class: "hours-week" }, rows.map(([days, times]) => el(
    "li", {}, days && el("span", { class: "hours-days" }, days), days && times && " ", times && el("span", {}, times),
  )));
}

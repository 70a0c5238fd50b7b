// Opening hours among a place's facts: what goes now, said again as time passes, and the week below.
import { el, replace } from "../ground/dom.js";
import { hoursInWords, isTwelveHours } from "./hours.js";

const MINUTE_MS = 60_000;

// Hours that can't be read are shown as they are written. `again` asks the server for them once more.
export function hoursFact(value, hours, again) {
  if (!wordsOf(hours)) return value.split(";").map((rule) => rule.trim()).filter(Boolean).join(" · ");
  const fact = el("div", { class: "hours" });
  draw(new WeakRef(fact), hours, again);
  return fact;
}

const wordsOf = (hours) => hoursInWords(hours, { now: new Date(), isTwelve: isTwelveHours() });

// "Open now" must not stay when it has closed meanwhile: a page is open for hours. Ends when the element is gone.
async function draw(reference, hours, again, before) {
  if (!reference.deref()) return;
  const current = isOver(hours) ? await again().catch(() => undefined) ?? changed(hours) : hours;
  const fact = reference.deref();
  if (!fact) return;
  const words = wordsOf(current);
  const drawn = JSON.stringify(words);
  if (words && drawn !== before) replace(fact, now(words), words.rows.length > 0 && week(words.rows));
  setTimeout(draw, MINUTE_MS - Date.now() % MINUTE_MS, reference, current, again, drawn);
}

const isOver = ({ changeTime }) => changeTime && new Date(changeTime).getTime() <= Date.now();
// As far as it was known before, while the server can't be reached.
const changed = (hours) => ({ ...hours, state: hours.nextState, changeTime: undefined, remark: "" });

function now({ state, isOpen }) {
  return state && el("p", { class: "hours-now", "data-open": isOpen && "true" }, state);
}

// The blank is for those who copy it, or hear it.
function week(rows) {
  return el("ul", { class: "hours-week" }, rows.map(([days, times]) => el(
    "li", {}, days && el("span", { class: "hours-days" }, days), days && times && " ", times && el("span", {}, times),
  )));
}

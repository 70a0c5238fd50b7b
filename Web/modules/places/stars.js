// The places that have a star, and the button that gives a place one or takes it.
import { LIMITS } from "../ground/limits.js";
import { change, read } from "../server/api.js";
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { onWipe } from "../offline/kept.js";
import { reasonOf, notice, say } from "../ground/notices.js";
import { waitingChanges } from "../offline/outbox.js";
import { t } from "../ground/text.js";

const SERVICE = "stars.v1.StarService";
// The most in one answer.
const [, PAGE] = LIMITS.ListStarsRequest.pageSize;
// As long as a name may be, and a category; and how many categories are kept.
const [NAME, CATEGORY, CATEGORIES] = [200, 255, 20];

const buttons = new Set(); // WeakRefs
let stars = new Map(); // id → place
let asked; // resolves when they were read

// Those that got their star last come first.
export async function allStars(troubled) {
  await (asked ??= load(troubled));
  return [...stars.values()];
}

async function load(troubled) {
  try {
    const found = new Map();
    let pageToken = "";
    do {
      const answer = await read(`${SERVICE}/ListStars`, { pageSize: PAGE, pageToken }, troubled);
      for (const place of answer.places ?? []) found.set(place.id, place);
      pageToken = answer.nextPageToken ?? "";
    } while (pageToken);
    stars = withWaiting(found);
    drawAll();
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

// As they will be when the server has what waits.
function withWaiting(found) {
  let all = found;
  for (const { method, request } of waitingChanges()) {
    if (method === `${SERVICE}/StarPlace`) all = new Map([[request.place.id, request.place], ...all]);
    if (method === `${SERVICE}/UnstarPlace`) all.delete(request.id);
  }
  return all;
}

// A button for a place; `where` is what the pin or the town is called where it was seen.
export function placeStar(place, where = "") {
  const button = el("button", { class: "round place-star", "data-place": place.id }, icon("star"));
  const name = place.name || t("this place");
  button.setAttribute("aria-label", t("Star for {name}", { name }));
  button.title = t("Star");
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    toggle(place, where);
  });
  buttons.add(new WeakRef(button));
  draw(button);
  allStars().catch(() => {});
  return button;
}

const draw = (button) => button.setAttribute("aria-pressed", String(stars.has(button.dataset.place)));

function drawAll() {
  for (const weak of buttons) {
    const button = weak.deref();
    if (button) draw(button);
    else buttons.delete(weak);
  }
}

// Gives or takes it at once, and undoes that when the server refuses.
async function toggle(place, where) {
  const had = stars.get(place.id);
  const shown = had ?? copyOf(place, where);
  set(place.id, had ? undefined : shown);
  try {
    if (had) await change(`${SERVICE}/UnstarPlace`, { id: place.id });
    else await change(`${SERVICE}/StarPlace`, { place: shown });
    say(had ? t("It has no star any more.") : t("It is one of your favourites."));
  } catch (error) {
    set(place.id, had);
    notice(`${t("The star could not be changed.")} ${reasonOf(error)}`);
  }
}

function set(id, place) {
  stars.delete(id);
  if (place) stars = new Map([[id, place], ...stars]);
  drawAll();
}

// What is kept of a place. A source may have texts that are longer, or of more than a line.
function copyOf({ id, name, categories = [], position }, where) {
  const line = (text, most) => [...(text ?? "").replace(/[\p{Cc}\u2028\u2029]/gu, " ").trim()].slice(0, most).join("");
  return {
    id, position, name: line(name, NAME), where: line(where, NAME),
    categories: categories.map((each) => line(each, CATEGORY)).filter(Boolean).slice(0, CATEGORIES),
  };
}

onWipe(() => {
  [stars, asked] = [new Map(), undefined];
  drawAll();
});

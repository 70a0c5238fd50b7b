// What the search field finds: suggestions while one types. One that is chosen is shown on the map.
import { read } from "../server/api.js";
import { areaChip, chosenArea, onArea } from "./chosenarea.js";
import { closeFound, showFound } from "./foundcard.js";
import { visibleMiddle } from "../map/free.js";
import { optionOf } from "./foundoption.js";
import { coordinate, isPhone, map } from "../map/map.js";
import { reasonOf, say } from "../ground/notices.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { plainly } from "../pins/pinsort.js";
import { stateOf } from "../pins/pinstate.js";
import { go } from "../ground/router.js";
import { loading, nothing } from "../ground/states.js";
import { allPins } from "../pins/store.js";
import { kindOf } from "../places/kinds.js";
import { keptPlaces } from "../taken/keptplaces.js";
import { t, tn } from "../ground/text.js";
import { category } from "../ground/words.js";

// Milliseconds after the last key until the server is asked, and until grey lines stand for what is awaited.
const PAUSE = 140;
const PATIENCE = 500;
const LIMIT = 8;

export function search({ field, clear, found }) {
  const list = el("ul", { id: "found", role: "listbox", "aria-label": t("Found") });
  const sources = el("p", { class: "found-sources" });
  // What stands there while there is no list.
  const state = el("div");
  let results = [];
  // The text that they are for.
  let answered;
  let active = -1;
  // The request that is under way.
  let asking;
  let timer;
  // Enter was pressed before there was an answer.
  let isHasty = false;

  const text = () => field.value.trim();

  function typed() {
    clear.hidden = field.value === "";
    stop();
    if (text() === "") return close();
    if (text() === answered) return open();
    timer = setTimeout(ask, PAUSE);
  }

  function stop() {
    clearTimeout(timer);
    asking?.abort();
    asking = undefined;
    isHasty = false;
  }

  // A request that is overtaken by the next letter is given up, so that no old answer comes behind a new one.
  async function ask() {
    const wanted = text();
    const own = new AbortController();
    const { signal } = own;
    asking = own;
    const slow = setTimeout(() => wait(), PATIENCE);
    let isAway = false;
    const wait = (trouble) => {
      clearTimeout(slow);
      // What is found meanwhile stays where it is while the server is asked again.
      if (signal.aborted || isAway) return;
      isAway = trouble === "gateway";
      if (!isAway) return show(loading(trouble, 3));
      show(known(wanted, []));
      keptPlaces(({ name = "" }) => plainly(name).includes(plainly(wanted)), LIMIT).then((places) => {
        if (!signal.aborted && answered !== wanted && places.length > 0) show(known(wanted, places));
      });
    };
    const near = coordinate(map.containerPointToLatLng(visibleMiddle()));
    try {
      const area = chosenArea()?.id;
      const question = { text: wanted, near, limit: LIMIT, area };
      const answer = await read("places.v1.PlacesService/Find", question, wait, signal);
      if (signal.aborted) return;
      if (answer.unresolvedLink) show(unresolved(answer.unresolvedLink));
      else take(wanted, answer.results ?? []);
    } catch (error) {
      if (error.trouble === "gateway") wait(error.trouble);
      else if (!signal.aborted) show(nothing("warning", t("The search failed"), reasonOf(error)));
    } finally {
      clearTimeout(slow);
      if (asking === own) asking = undefined;
    }
  }

  // What this page knows by itself, while the server is away.
  function known(wanted, places) {
    const pins = allPins().filter(({ name }) => plainly(name).includes(plainly(wanted))).slice(0, LIMIT);
    const row = (mark, name, more, route) => el("li", {}, el(
      "button", { class: "found-row found-pin", onclick: () => (close(), go(route)) },
      el("span", { class: "found-mark" }, icon(mark)),
      el(
        "span", { class: "row-text" }, el("span", { class: "row-name" }, name),
        more && el("span", { class: "row-more" }, more),
      ),
    ));
    const rows = [
      ...pins.map((pin) => row(stateOf(pin).key, pin.name, undefined, { view: "pin", pin: pin.id })),
      ...places.map(({ place, pin }) => row(
        kindOf(place), place.name, category(place), { view: "places", pin, place: place.id },
      )),
    ];
    const words = rows.length > 0
      ? t("Only what is kept in this browser can be searched:")
      : t("Nothing that is kept in this browser has that in its name.");
    return [
      el("p", { class: "waits", role: "status" }, icon("unplugged"), `${t("The server is not answering.")} ${words}`),
      rows.length > 0 && el("ul", { "aria-label": t("Found") }, rows),
    ];
  }

  function take(wanted, answer) {
    [results, answered] = [answer, wanted];
    if (isHasty && results.length > 0) return choose(results[0]);
    isHasty = false;
    if (results.length === 0) {
      say(t("Nothing found."));
      return show(
        nothing("search", t("Nothing found"), t("Nothing here is called “{text}”.", { text: shortened(wanted) })),
      );
    }
    replace(list, results.map((result, index) => optionOf(result, index, () => choose(result))));
    replace(sources, [...new Set(results.map(({ attribution }) => attribution))].filter(Boolean).join(" · "));
    replace(state);
    open();
    mark(-1);
    say(tn(results.length, "{n} result. Arrow keys choose one.", "{n} results. Arrow keys choose one."));
  }

  function show(...content) {
    replace(state, ...content);
    replace(list);
    replace(sources);
    open();
  }

  function open() {
    found.hidden = false;
    list.hidden = list.children.length === 0;
    field.setAttribute("aria-expanded", String(!list.hidden));
  }

  function close() {
    found.hidden = true;
    field.setAttribute("aria-expanded", "false");
    mark(-1);
  }

  function mark(index) {
    active = index;
    [...list.children].forEach((row, at) => row.setAttribute("aria-selected", String(at === index)));
    const row = list.children[index];
    if (!row) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", row.id);
    row.scrollIntoView({ block: "nearest" });
  }

  function choose(result) {
    stop();
    field.value = result.name;
    clear.hidden = false;
    [results, answered] = [[], undefined];
    close();
    if (isPhone()) field.blur(); // Its keyboard would cover the map.
    showFound(result, empty);
    say(t("{name} is on the map.", { name: result.name }));
  }

  function empty() {
    stop();
    field.value = "";
    clear.hidden = true;
    [results, answered] = [[], undefined];
    close();
    closeFound();
  }

  // What was found is of another area then.
  function moved() {
    [results, answered] = [[], undefined];
    field.focus();
    if (text() !== "") typed();
  }

  // Takes the first result as soon as there is one.
  function hurry() {
    if (text() === "") return;
    clearTimeout(timer);
    if (!asking) ask();
    isHasty = true;
  }

  function pressed(event) {
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (results.length === 0 || found.hidden) return;
      const step = key === "ArrowDown" ? 1 : -1;
      mark((active + step + results.length + (active < 0 && step < 0 ? 1 : 0)) % results.length);
    } else if (key === "Enter") {
      if (text() === answered && results.length > 0) choose(results[Math.max(0, active)]);
      else hurry();
    } else if (key === "Escape") {
      if (!found.hidden) close();
      else if (field.value !== "") empty();
      else field.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  replace(found, list, sources, state);
  field.before(areaChip());
  onArea(moved);
  field.setAttribute("aria-controls", list.id);
  field.addEventListener("input", typed);
  field.addEventListener("keydown", pressed);
  field.addEventListener("focus", () => text() !== "" && text() === answered && results.length > 0 && open());
  clear.addEventListener("click", () => {
    empty();
    field.focus();
  });
  addEventListener("pointerdown", (event) => event.target.closest?.("#search") || close(), { capture: true });
  if (text() !== "") typed();
}

const unresolved = (service) => nothing(
  "link", t("Only {service} knows where this leads", { service }),
  t("Short links are not looked up. Open it there, and copy the long link or the coordinates."),
);

const shortened = (text) => (text.length <= 60 ? text : `${text.slice(0, 60)}…`);

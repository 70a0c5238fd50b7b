// The list of all pins, and what to do while there is none.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { allPins, isCrowd, onPins, pinCount, pinOf, pinsAreKnown, pinsTrouble } from "./store.js";
import { failure, laterPages } from "../ground/later.js";
import { showAll } from "./tools.js";
import { pinSort } from "./pinsort.js";
import { longList } from "./longlist.js";
import { onePhoto } from "../photos/onephoto.js";
import { setLeast, setStand, showPanel } from "../map/panel.js";
import { showCover } from "../photos/cover.js";
import { loading, nothing } from "../ground/states.js";
import { albumCount, photoCountOf, stateOf, waitOf } from "./pinstate.js";
import { t, tn } from "../ground/text.js";
import { go } from "../ground/router.js";
import { map, still } from "../map/map.js";

// Height of the sheet that shows how to begin.
const ADVICE = 320;

export function openHome(_, photosChanged) {
  const rows = new Map();
  const list = el("ul", { class: "pin-list" });
  const content = el("div");
  const tally = el("p", { class: "panel-sub" });
  const sort = pinSort(() => draw());
  sort.field.addEventListener("focus", () => setStand("full"));
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "brand-row" }, el("h1", { class: "brand" }, icon("waymark"), "Waymark"),
      el("span", { class: "spread" }),
      el(
        "button",
        {
          class: "round", "aria-label": t("Favourites"), title: t("Favourites"),
          onclick: () => go({ view: "favourites" }),
        },
        icon("star"),
      ),
      el(
        "button",
        { class: "round", "aria-label": t("On the map"), title: t("On the map"), onclick: () => go({ view: "posts" }) },
        icon("people"),
      ),
      el(
        "button",
        { class: "round", "aria-label": t("Settings"), title: t("Settings"), onclick: () => go({ view: "settings" }) },
        icon("settings"),
      ),
      el(
        "button",
        { class: "round", "aria-label": t("Account"), title: t("Account"), onclick: () => go({ view: "account" }) },
        icon("person"),
      ),
    ),
    el(
      "div", { class: "home-line" }, tally,
      el("button", { class: "quiet-link", onclick: () => go({ view: "lists" }) }, t("Lists")),
      el("button", { class: "quiet-link", onclick: () => go({ view: "shared" }) }, t("Shared")),
      el("button", { class: "quiet-link", onclick: () => go({ view: "around" }) }, t("Around here")),
    ), sort.element,
  );
  let lit;
  let listed = [];
  let nearest; // Of a crowd: the pins around the middle of the map.
  let isClosed = false;
  const known = (id) => pinOf(id) ?? nearest?.find(id);
  const shown = longList(list, (index) => {
    const pin = listed[index];
    const row = rowOf(pin, rows, sort.remark(pin));
    row.firstChild.classList.toggle("lit", pin.id === lit);
    return row;
  });

  const draw = () => {
    // What was made here is shown also before the server says what else there is.
    if (!pinsAreKnown() && allPins().length === 0) return replace(content, loading(pinsTrouble(), 3));
    const all = isCrowd() ? nearest?.pins() : allPins();
    sort.element.hidden = isCrowd();
    if (!all) return lookAround();
    listed = isCrowd() ? all : sort.of(all);
    const numbers = isCrowd() ? crowdTally(listed.length) : tallyOf(listed.length, all.length);
    setText(tally, pinsAreKnown() ? numbers : t("{numbers} so far", { numbers }));
    setLeast(pinCount() === 0 ? ADVICE : undefined);
    if (pinCount() === 0) return replace(content, empty());
    if (listed.length === 0) return replace(content, isCrowd() ? noneNear() : noneOfThese(sort));
    if (!pinsAreKnown()) replace(content, list, loading(pinsTrouble(), 2));
    else if (list.parentNode !== content || content.children.length > 1) replace(content, list);
    shown.draw(listed.length);
    for (const [id, row] of rows) if (!known(id)) forget(id, row);
  };
  const lookAround = () => {
    setText(tally, tn(pinCount(), "{n} pin", "{n} pins"));
    replace(content, loading(undefined, 3));
    laterPages().then((pages) => {
      if (!isClosed) nearest ??= pages.nearPins(draw);
    }, () => replace(content, failure()));
  };
  const forget = (id, row) => {
    onScreen.unobserve(row);
    rows.delete(id);
  };
  const light = () => {
    for (const [id, row] of rows) row.firstChild.classList.toggle("lit", id === lit);
  };

  showPanel({ head, content, label: t("Pins"), stand: "low", isShort: true });
  const stop = onPins(draw);
  draw();
  return {
    update(route) {
      lit = route.pin;
      const index = lit ? listed.findIndex(({ id }) => id === lit) : -1;
      if (index >= 0) shown.reveal(index);
      light();
    },
    photos: (now) => onePhoto(now.photo, photosChanged),
    placeName: () => "",
    close() {
      isClosed = true;
      nearest?.close();
      stop();
      sort.close();
      shown.close();
      rows.forEach((row, id) => forget(id, row));
    },
  };
}

// Albums share photos, so their numbers make no sum.
function tallyOf(shown, all) {
  if (all === 0) return t("Your map is empty");
  return shown === all ? tn(
    all, "{n} pin", "{n} pins",
  ) : tn(all, "{shown} of {n} pin", "{shown} of {n} pins", { shown });
}

const crowdTally = (shown) => (shown > 0
  ? tn(pinCount(), "{shown} nearest of {n} pin", "{shown} nearest of {n} pins", { shown })
  : tn(pinCount(), "{n} pin", "{n} pins"));

const noneNear = () => nothing(
  "locate", t("No pin is near"), t("All of your pins are farther away from the middle of the map."),
  el("button", { class: "button", onclick: showAll }, t("Show all pins")),
);

function rowOf(pin, rows, remark) {
  let row = rows.get(pin.id);
  if (!row) {
    row = el("li", {}, el(
      "button", { class: "pin-row", onclick: () => go({ view: "pin", pin: pin.id }) },
      el("span", { class: "pin-badge" }),
      el("span", { class: "row-text" }, el("span", { class: "row-name" }), el("span", { class: "row-more" })),
      el("span", { class: "row-cover", hidden: true }),
    ));
    row.firstChild.dataset.pin = pin.id;
    onScreen.observe(row);
    rows.set(pin.id, row);
  }
  row.pin = pin;
  const { key, label } = stateOf(pin);
  const badge = row.querySelector(".pin-badge");
  if (badge.dataset.state !== key) {
    badge.dataset.state = key;
    replace(badge, icon(key), el("span", { class: "unseen" }, label));
  }
  setText(row.querySelector(".row-name"), pin.name);
  setText(row.querySelector(".row-more"), [remark, moreOf(pin, key)].filter(Boolean).join(" · "));
  if (row.wasSeen) showRowCover(row, pin.id);
  return row;
}

// Pictures are loaded only for rows on screen.
const onScreen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) showRowCover(target, target.firstChild.dataset.pin);
  }
});

function showRowCover(row, id) {
  row.wasSeen = true;
  onScreen.unobserve(row);
  const pin = pinOf(id) ?? row.pin;
  showCover(row.querySelector(".row-cover"), pin, 1);
}

function moreOf(pin, key) {
  if (["new", "unopened", "waits"].includes(key)) return stateOf(pin).sentence;
  if (waitOf(pin)) return waitOf(pin);
  if (key === "failed" && !pin.placeCount && !photoCountOf(pin)) return stateOf(pin).sentence;
  return `${tn(pin.placeCount ?? 0, "{n} place", "{n} places")} · ${albumCount(pin)}`;
}

function noneOfThese(sort) {
  const all = el("button", { class: "button", onclick: sort.clear }, t("Show all pins"));
  return nothing(
    "select", t("None of these"), t("No pin has “{text}” in its name.", { text: sort.field.value.trim() }), all,
  );
}

function empty() {
  const look = () => {
    setStand("low");
    map.flyTo([60.1699, 24.9431], 16, { animate: !still.matches, duration: 2.2 });
  };
  return nothing(
    "drop", t("Drop your first pin"),
    t("Press and hold anywhere on the map. The places and the photos around it appear by themselves."),
    el("button", { class: "button", onclick: look }, t("Start in Helsinki")),
  );
}

// The places around a pin: list and map move together. A tap on a place on the map scrolls to its photos, scrolling
// selects the place on the map.
import { arrange, el, replace } from "./dom.js";
import { watch } from "./events.js";
import { onPins, pinOf } from "./store.js";
import { makeRoom, panelBody, setStand, showPanel } from "./panel.js";
import { pinHead } from "./pinhead.js";
import { placeFilter } from "./filter.js";
import { placeRow } from "./placerow.js";
import { placeDots } from "./dots.js";
import { showPinOnMap } from "./surroundings.js";
import { isPhone, latLng } from "./map.js";
import { go } from "./router.js";
import { placesNote } from "./placenote.js";

// Scrolling passes many places, and browsers take only so many addresses in a while: where it rests is written.
const REST = 200;

export function openPlaces(route, photosChanged) {
  const id = route.pin;
  const places = new Map();
  const rows = new Map();
  const list = el("ul", { class: "places" });
  const note = el("div");
  const filter = placeFilter(draw);
  const head = pinHead(id, "places", () => surroundings.fit());
  const dots = placeDots((place) => choose(place.id, "map"));
  let told; // How many places the server knew when it last told of the pin; nothing before the first time.
  let trouble;
  let chosen = route.place;
  let isFirst = true;
  let drawing;
  let writing;

  showPanel({ head: head.head, content: el("div", {}, filter.element, note, list), label: "Places", stand: "half" });
  const surroundings = showPinOnMap(id);
  const stopWatch = watch("pins.v1.PinService/WatchPin", { id }, take, (why) => {
    trouble = why;
    explain();
  });
  const stopPins = onPins(({ changed }) => {
    if (!changed.has(id)) return;
    head.draw();
    surroundings.draw();
    explain();
  });
  panelBody.addEventListener("scroll", scrolled, { passive: true });
  explain();

  function take({ places: news = [], pin }) {
    for (const place of news) places.set(place.id, place);
    if (pin) remeasure(pin);
    told = pin?.placeCount ?? told ?? 0;
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  }

  // A move changes all distances; they are not told again.
  function remeasure(pin) {
    const centre = latLng(pin.position);
    for (const place of places.values()) place.distanceM = centre.distanceTo(latLng(place.position));
  }

  function draw() {
    filter.offer([...places.values()], pinOf(id));
    const shown = [...places.values()].filter(filter.passes).sort(byDistance);
    arrange(list, shown.map((place) => rowOf(place).element));
    dots.show(shown);
    explain();
    if (chosen) choose(chosen, isFirst ? "link" : "again");
    isFirst = false;
  }

  function rowOf(place) {
    if (!rows.has(place.id)) {
      rows.set(place.id, placeRow(place, {
        chosen: () => choose(place.id, "list"),
        photo: (photo) => go({ view: "places", pin: id, place: place.id, photo: photo.id }),
        changed: photosChanged,
      }));
    }
    const row = rows.get(place.id);
    row.draw(place);
    return row;
  }

  // `from` tells who chose: the map, the list, the scrolling, a link.
  function choose(placeId, from) {
    const place = places.get(placeId);
    if (!place || !filter.passes(place)) return;
    if (from !== "again") {
      rows.get(chosen)?.light(false);
      chosen = placeId;
    }
    // What came by the address stands there already, and may be one of the place's photos.
    if (from === "map" || from === "list") write();
    if (from === "scroll") writeSoon();
    rows.get(placeId).light(true);
    if (from === "list") makeRoom();
    // Not while the list is scrolled: what comes would move what is read.
    if (["list", "map", "link"].includes(from)) {
      quiet();
      rows.get(placeId).tell(quiet);
    }
    dots.light(place, from !== "again");
    if (from === "map" || from === "link") {
      if (isPhone()) setStand("half");
      rows.get(placeId).element.scrollIntoView({ block: "start", behavior: "instant" });
    }
  }

  function write() {
    go({ view: "places", pin: id, place: chosen }, { replace: true });
  }

  function writeSoon() {
    clearTimeout(writing);
    writing = setTimeout(write, REST);
  }

  // Scrolling that we do ourselves selects nothing.
  let quietUntil = 0;
  function quiet() {
    quietUntil = performance.now() + 250;
  }

  let looking;
  function scrolled() {
    if (performance.now() < quietUntil) return;
    cancelAnimationFrame(looking);
    looking = requestAnimationFrame(() => {
      const { left, top, width } = panelBody.getBoundingClientRect();
      const row = document.elementFromPoint(left + width / 2, top + 40)?.closest(".place");
      if (row && row.dataset.place !== chosen) choose(row.dataset.place, "scroll");
    });
  }

  // What is missing from the list, and why.
  function explain() {
    const isShown = list.children.length > 0;
    replace(note, placesNote(pinOf(id), { known: places.size, told, trouble, isShown, showAll: filter.open }));
  }

  return {
    update(next) {
      clearTimeout(writing);
      if (next.place && next.place !== chosen) choose(next.place, "link");
    },
    photos: (now) => rows.get(now.place)?.photos(),
    close() {
      clearTimeout(writing);
      cancelAnimationFrame(drawing);
      stopWatch();
      stopPins();
      panelBody.removeEventListener("scroll", scrolled);
      for (const row of rows.values()) row.close();
      dots.close();
      surroundings.close();
    },
  };
}

const byDistance = (a, b) => (a.distanceM ?? 0) - (b.distanceM ?? 0) || (a.id < b.id ? -1 : 1);

// The places around a pin: list and map move together. A tap on a place on the map scrolls to its photos, scrolling
// selects the place on the map.
import { el, replace } from "../ground/dom.js";
import { watch } from "../server/events.js";
import { onPins, pinOf } from "./store.js";
import { makeRoom, panelBody, setStand, showPanel } from "../map/panel.js";
import { pinHead } from "./pinhead.js";
import { placeFilter } from "../places/placefilter.js";
import { placeList } from "../places/placelist.js";
import { placeSort } from "../places/placesort.js";
import { placeDots } from "../places/dots.js";
import { showPinOnMap } from "./surroundings.js";
import { L } from "../map/leaflet.js";
import { isSeen, showBounds } from "../map/sight.js";
import { near } from "../map/turns.js";
import { isPhone, latLng } from "../map/map.js";
import { go } from "../ground/router.js";
import { networkAsk } from "../networks/networkask.js";
import { placesNote } from "./placenote.js";
import { sameThings } from "../places/samethings.js";
import { t } from "../ground/text.js";

// Scrolling passes many places, and browsers limit the rate of history entries: only where it rests is written.
const REST = 200;

export function openPlaces(route, photosChanged) {
  const id = route.pin;
  const places = new Map();
  const list = placeList((place) => ({
    chosen: () => choose(place.id, "list"),
    photo: (photo) => go({ view: "places", pin: id, place: place.id, photo: photo.id }),
    changed: photosChanged, where: () => pinOf(id)?.name ?? "",
  }), draw);
  const note = el("div");
  const ask = networkAsk("places");
  const sort = placeSort(() => {
    draw();
    quiet();
    panelBody.scrollTop = 0;
  });
  const filter = placeFilter(filtered, sort.element);
  const head = pinHead(id, "places", () => surroundings.fit());
  const dots = placeDots((place) => choose(place.id, "map"));
  const same = sameThings(id, draw);
  let total; // How many places the server had at its last message about the pin; undefined before the first one.
  let trouble;
  let shown = []; // The places that can be seen in the list.
  let chosen = route.place;
  let isLink = chosen !== undefined; // Until the place has arrived.
  let drawing;
  let writing;

  const content = el("div", {}, filter.element, note, list.element);
  showPanel({ head: head.head, content, label: t("Places"), stand: "half" });
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

  function take({ places: changes = [], pin }) {
    for (const place of changes) places.set(place.id, place);
    if (pin) remeasure(pin);
    total = pin?.placeCount ?? total ?? 0;
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  }

  // A move changes all distances; they are not sent again.
  function remeasure(pin) {
    const centre = latLng(pin.position);
    for (const place of places.values()) place.distanceM = centre.distanceTo(latLng(place.position));
  }

  function draw() {
    filter.offer([...places.values()]);
    same.offer([...places.values()]);
    arrange();
    explain();
    if (chosen) choose(chosen, isLink ? "link" : "again");
  }

  // What is chosen is also seen on the map.
  function filtered() {
    draw();
    const points = shown.map(({ position }) => latLng(position));
    if (points.length > 0 && !points.some(isSeen)) showBounds(L.latLngBounds(points.map(near)));
  }

  function arrange() {
    const passing = [...places.values()].filter(filter.passes).sort(sort.compare);
    const behind = new Map(passing.map((place) => [place.id, []]));
    const isFirst = (place) => !behind.has(same.leader(place));
    for (const place of passing) if (!isFirst(place)) behind.get(same.leader(place)).push(place);
    shown = list.show(passing.filter(isFirst), (place) => behind.get(place.id));
    dots.show(shown);
  }

  // `from` is where the selection comes from: the map, the list, scrolling, a link.
  function choose(placeId, from) {
    const place = places.get(placeId);
    if (!place || !filter.passes(place)) return;
    isLink = false;
    if (from !== "again") {
      list.row(chosen)?.light(false);
      chosen = placeId;
    }
    if (!list.row(placeId)?.element.isConnected) {
      if (from !== "link") return;
      list.open();
      arrange();
    }
    // What came from the address is there already, and may be one of the place's photos.
    if (from === "map" || from === "list") write();
    if (from === "scroll") writeSoon();
    list.row(placeId).light(true);
    if (from === "list") makeRoom();
    // Not while the list is scrolled: the photos that arrive would move what the user reads.
    if (["list", "map", "link"].includes(from)) {
      quiet();
      list.row(placeId).tell(quiet);
    }
    dots.light(place, from !== "again");
    if (from === "map" || from === "link") {
      if (isPhone()) setStand("half");
      list.row(placeId).element.scrollIntoView({ block: "start", behavior: "instant" });
    }
  }

  function write() {
    go({ view: "places", pin: id, place: chosen }, { replace: true });
  }

  function writeSoon() {
    clearTimeout(writing);
    writing = setTimeout(write, REST);
  }

  // Scrolling that we do ourselves selects nothing. It shows two frames after the change at the latest, and these may
  // take long on a busy machine.
  let quietUntil = 0;
  let frame;
  function quiet() {
    quietUntil = Infinity;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        quietUntil = performance.now() + 250;
      });
    });
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
    const isShown = list.element.children.length > 0;
    replace(note, placesNote(pinOf(id), { known: places.size, total, trouble, isShown, showAll, ask }));
  }

  function showAll() {
    list.open();
    filter.open();
  }

  return {
    update(next) {
      clearTimeout(writing);
      if (next.place && next.place !== chosen) choose(next.place, "link");
    },
    photos: (now) => list.row(now.place)?.photos(),
    placeName: (now) => places.get(now.place)?.name || (pinOf(id)?.name ?? ""),
    close() {
      clearTimeout(writing);
      cancelAnimationFrame(drawing);
      stopWatch();
      stopPins();
      panelBody.removeEventListener("scroll", scrolled);
      list.close();
      same.close();
      dots.close();
      surroundings.close();
    },
  };
}

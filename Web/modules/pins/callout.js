// What a tap on a pin opens: its name, state and counts. One end deletes it, the other opens its places, the
// pictures in between open its album.
import { L } from "../map/leaflet.js";
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { isPhone, latLng, map } from "../map/map.js";
import { covered, underBar } from "../map/free.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { makeRoom } from "../map/panel.js";
import { showCover } from "../photos/cover.js";
import { askFirst } from "../ground/sure.js";
import { deletePin } from "./deletion.js";
import { markerOf, select, showPin } from "./pins.js";
import { onPins, pinOf } from "./store.js";
import { go } from "../ground/router.js";
import { albumCount, faultsOf, remarksOf, stateOf, waitOf } from "./pinstate.js";
import { t, tn } from "../ground/text.js";

// How high a pin is.
const PIN = 44;
let open;

export function openCallout(id) {
  if (open?.id === id) return;
  closeCallout();
  const pin = pinOf(id);
  if (!pin) return;
  select(id);
  makeRoom();
  showPin(id);
  const { top, right, bottom, left } = covered();
  const parts = build(pin);
  const popup = L.popup({
    className: "callout", closeButton: false, closeOnEscapeKey: false, autoClose: false, minWidth: 316, maxWidth: 316,
    offset: [0, -PIN],
    // On a phone it is as wide as what is free; its pin, too, stands above the sheet.
    autoPanPaddingTopLeft: isPhone() ? [10, Math.max(top, underBar())] : [left, top - 30],
    autoPanPaddingBottomRight: isPhone() ? [56, bottom + PIN] : [right, bottom + PIN],
  });
  keepNear(popup.setLatLng(near(latLng(pin.position))).setContent(parts.root));
  const stop = onPins(({ changed }) => changed.has(id) && fill(parts, pinOf(id), popup));
  open = { id, popup, stop };
  fill(parts, pin, popup);
  popup.openOn(map);
  if (document.activeElement?.closest(".pin, .pin-row")) parts.places.focus({ preventScroll: true });
}

export function closeCallout() {
  if (!open) return;
  const { id, popup, stop } = open;
  open = undefined;
  stop();
  const hadFocus = popup.getElement()?.contains(document.activeElement);
  letGo(popup.remove());
  select(undefined);
  if (hadFocus) markerOf(id)?.getElement()?.focus({ preventScroll: true });
}

function build(pin) {
  const parts = {
    name: el("h2"), state: el("p", { class: "state" }), counts: el("p", { class: "callout-counts" }),
    warnings: el("div"),
    album: el("button", { class: "callout-album", hidden: true, onclick: () => go({ view: "album", pin: pin.id }) }),
    places: undefined, root: undefined,
  };
  const word = el("span", {}, t("Delete"));
  const remove = askFirst(el("button", { class: "callout-end delete" }, icon("trash"), word), {
    asking: (on) => setText(word, on ? t("Sure?") : t("Delete")),
    run: () => deletePin(pin.id),
  });
  parts.places = el(
    "button", { class: "callout-end open", onclick: () => go({ view: "places", pin: pin.id }) }, icon("next"),
    el("span", {}, t("Places")),
  );
  parts.root = el(
    "div", { class: "callout-body", role: "dialog", "aria-label": t("Pin {name}", { name: pin.name }) }, remove,
    el("div", { class: "callout-middle" }, parts.name, parts.state, parts.counts, parts.warnings, parts.album),
    parts.places,
  );
  return parts;
}

function fill(parts, pin, popup) {
  const { key, label, sentence } = stateOf(pin);
  setText(parts.name, pin.name);
  if (parts.state.dataset.state !== key) {
    parts.state.dataset.state = key;
    replace(parts.state, icon(key), sentence ?? label);
  }
  setText(parts.counts, countsOf(pin));
  parts.counts.hidden = ["bare", "unopened", "waits"].includes(key); // The state says so already.
  const waits = waitOf(pin);
  replace(
    parts.warnings, waits && el("p", { class: "callout-note waits" }, icon("waits"), el("span", {}, waits)),
    remarksOf(pin).map((text) => el("p", { class: "callout-note" }, text)),
    faultsOf(pin).map((text) => el("p", { class: "callout-note fault" }, icon("warning"), el("span", {}, text))),
  );
  popup.setLatLng(near(latLng(pin.position)));
  parts.album.setAttribute("aria-label", tn(
    pin.album?.photoCount ?? 0, "Open the album, {n} photo", "Open the album, {n} photos",
  ));
  showCover(parts.album, pin, 4).then(() => popup.setLatLng(popup.getLatLng())); // It has grown, and may need room.
}

function countsOf(pin) {
  const places = pin.photoPlaceCount
    ? tn(pin.placeCount ?? 0, "{n} place, {pictured} with photos", "{n} places, {pictured} with photos", {
      pictured: pin.photoPlaceCount,
    })
    : tn(pin.placeCount ?? 0, "{n} place", "{n} places");
  return `${places} · ${albumCount(pin)}`;
}

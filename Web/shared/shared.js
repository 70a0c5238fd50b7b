// The page of a shared pin or list, for those who have its link. It uses nothing of the app: it stays small, and knows
// no more than the link gives.
import { listParts } from "/shared/sharedlist.js";
import { photoTiles } from "/shared/sharedphotos.js";
import { el, show } from "/shared/sharedparts.js";

const METHOD = "/waymark.gateway.v1.SharedService/GetSharedPin";
const page = document.querySelector("#shared");
const token = location.pathname.split("/").pop();
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeZone: "UTC" });
const PLACES_FIRST = 12;

open("");

async function open(password) {
  page.setAttribute("aria-busy", "true");
  let answer;
  try {
    answer = await fetch(METHOD, {
      method: "POST", headers: { "content-type": "application/json", "connect-protocol-version": "1" },
      body: JSON.stringify({ token, password }),
    });
  } catch {
    return say("The server can’t be reached", "Look whether you are online, and try again.", true);
  } finally {
    page.removeAttribute("aria-busy");
  }
  const message = await answer.json().catch(() => ({}));
  if (answer.ok) return draw(message);
  if (message.code === "unauthenticated") return ask(password && "This is not the password.");
  if (message.code === "not_found") return say("This link leads nowhere", "It may have ended, or been mistyped.");
  if (message.code === "resource_exhausted") return say("Too many attempts", "Try again in some minutes.", true);
  return say("The page can’t be shown now", "Part of the server does not answer.", true);
}

function say(title, text, isWorthATry) {
  show(page, el("section", { class: "shared-say" }, el("h1", {}, title), el("p", {}, text), isWorthATry && el(
    "button", { class: "button", onclick: () => location.reload() }, "Try again",
  )));
}

function ask(wrong) {
  const field = el("input", {
    type: "password", id: "password", autocomplete: "off", maxlength: 200, required: true,
    "aria-describedby": "wrong", "aria-invalid": wrong ? "true" : undefined,
  });
  const form = el(
    "form", { class: "shared-say" }, el("h1", {}, "A password is needed"),
    el("p", {}, "Who sent you the link knows it."), el("label", { for: "password" }, "Password"), field,
    el("p", { id: "wrong", class: "shared-wrong", role: "alert" }, wrong),
    el("button", { class: "button primary" }, "Open"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelector("button").disabled = true;
    open(field.value);
  });
  show(page, form);
  field.focus();
}

function draw(pin) {
  if (pin.list) return drawList(pin);
  if (pin.albumOnly) return drawAlbum(pin);
  const { latitude = 0, longitude = 0 } = pin.position ?? {};
  const photos = pin.photos ?? [];
  document.title = `${pin.name} · Waymark`;
  show(
    page,
    pin.mapUrl && el("img", {
      class: "shared-map", src: pin.mapUrl, alt: `Map around ${pin.name}`, width: 1200, height: 630,
    }),
    el(
      "header", {}, el("h1", {}, pin.name),
      el("p", { class: "shared-facts" }, [
        `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
        pin.visitedDate && `visited ${DAY.format(new Date(pin.visitedDate))}`,
        pin.expireTime && `shared until ${DAY.format(new Date(pin.expireTime))}`,
      ].filter(Boolean).join(" · ")),
      el("p", {}, el(
        "a", { class: "button", href: `geo:${latitude},${longitude}?q=${latitude},${longitude}` }, "Open in a map app",
      )),
      pin.note && el("p", { class: "shared-note" }, pin.note),
    ),
    el("h2", {}, "Photos"),
    photos.length > 0 ? photoTiles(photos) : el("p", { class: "shared-none" }, "There are no photos here."),
    el("h2", {}, "Around it"), places(pin),
  );
}

// Nothing says where it is.
function drawAlbum({ name = "Photos", photos = [], expireTime }) {
  document.title = `${name} · Waymark`;
  const facts = [
    `${photos.length} ${photos.length === 1 ? "photo" : "photos"}`,
    expireTime && `shared until ${DAY.format(new Date(expireTime))}`,
  ].filter(Boolean).join(" · ");
  show(
    page, el("header", {}, el("h1", {}, name), el("p", { class: "shared-facts" }, facts)),
    photos.length > 0 ? photoTiles(photos) : el("p", { class: "shared-none" }, "There are no photos here."),
  );
}

function drawList(shared) {
  document.title = `${shared.name} · Waymark`;
  const facts = [
    `${shared.list.pinCount ?? 0} ${shared.list.pinCount === 1 ? "place" : "places"}`,
    shared.expireTime && `shared until ${DAY.format(new Date(shared.expireTime))}`,
  ].filter(Boolean).join(" · ");
  const { map, rows } = listParts(shared, DAY);
  show(page, map, el("header", {}, el("h1", {}, shared.name), el("p", { class: "shared-facts" }, facts)), rows);
}

function places({ places: all = [], placeCount = 0 }) {
  if (all.length === 0) return el("p", { class: "shared-none" }, "No places are known here.");
  const list = el("ul", { class: "shared-places" }, all.slice(0, PLACES_FIRST).map(row));
  const rest = all.slice(PLACES_FIRST);
  const more = rest.length > 0 && el("button", {
    class: "button", onclick: () => {
      list.append(...rest.map(row));
      more.replaceWith(placeCount > all.length ? `The nearest ${all.length} of ${placeCount} places.` : "");
    },
  }, `Show ${rest.length} more`);
  return [list, more];
}

function row({ name, categories = [], distanceM = 0 }) {
  const what = categories[0]?.split("/").pop().replaceAll("_", " ");
  const far = distanceM < 1000 ? `${Math.round(distanceM)} m` : `${(distanceM / 1000).toFixed(1)} km`;
  return el(
    "li", {}, el("strong", {}, name || what || "A place"), el("span", {}, [name && what, far].filter(Boolean).join(" · ")),
  );
}

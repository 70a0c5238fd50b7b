// The page of a shared pin or list, for those who have its link. It uses no more of the app than how elements are made:
// it stays small, and knows no more than the link gives. Without a password the answer is in the page, with the first
// photos and places.
import { el, replace } from "../ground/dom.js";
import { mapPicture } from "../ground/mappicture.js";
import { listParts } from "./sharedlist.js";
import { addPhotos, photoTiles } from "./sharedviewer.js";
import { locale, sayPage, t, tn } from "../ground/text.js";
import { category, distance } from "../ground/words.js";

const METHOD = "/waymark.gateway.v1.SharedService/GetSharedPin";
const page = document.querySelector("#shared");
const token = location.pathname.split("/").pop();
const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
const PLACES_FIRST = 12;
const placeList = el("ul", { class: "shared-places" });
const morePlaces = el("div");

sayPage();
const given = document.querySelector("#shared-answer");
if (given) {
  draw(JSON.parse(given.textContent), Number(given.dataset.photos));
  page.removeAttribute("aria-busy");
  rest();
} else {
  open("");
}

// Asks for what is not in the page; that counts as an opening. A link that has ended meanwhile shows nothing.
async function rest() {
  const answer = await ask("").catch(() => undefined);
  const message = await answer?.json().catch(() => undefined);
  if (answer?.ok) {
    addPhotos(message.photos ?? []);
    offerPlaces(message);
  } else if (message?.code === "not_found") {
    nowhere();
  }
}

function ask(password) {
  return fetch(METHOD, {
    method: "POST", headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    body: JSON.stringify({ token, password }),
  });
}

async function open(password) {
  page.setAttribute("aria-busy", "true");
  let answer;
  try {
    answer = await ask(password);
  } catch {
    return say(t("The server can’t be reached"), t("Look whether you are online, and try again."), true);
  } finally {
    page.removeAttribute("aria-busy");
  }
  const message = await answer.json().catch(() => ({}));
  if (answer.ok) {
    draw(message);
    return offerPlaces(message);
  }
  if (message.code === "unauthenticated") return askPassword(password && t("This is not the password."));
  if (message.code === "not_found") return nowhere();
  if (message.code === "resource_exhausted") return say(t("Too many attempts"), t("Try again in some minutes."), true);
  return say(t("The page can’t be shown now"), t("Part of the server does not answer."), true);
}

const nowhere = () => say(t("This link leads nowhere"), t("It may have ended, or been mistyped."));

function say(title, text, isWorthATry) {
  replace(page, el("section", { class: "shared-say" }, el("h1", {}, title), el("p", {}, text), isWorthATry && el(
    "button", { class: "button", onclick: () => location.reload() }, t("Try again"),
  )));
}

function askPassword(wrong) {
  const field = el("input", {
    type: "password", id: "password", autocomplete: "off", maxlength: 200, required: true,
    "aria-describedby": "wrong", "aria-invalid": wrong ? "true" : undefined,
  });
  const form = el(
    "form", { class: "shared-say" }, el("h1", {}, t("A password is needed")),
    el("p", {}, t("Who sent you the link knows it.")), el("label", { for: "password" }, t("Password")), field,
    el("p", { id: "wrong", class: "shared-wrong", role: "alert" }, wrong),
    el("button", { class: "button primary" }, t("Open")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelector("button").disabled = true;
    open(field.value);
  });
  replace(page, form);
  field.focus();
}

function draw(pin, photoCount = pin.photos?.length ?? 0) {
  if (pin.list) return drawList(pin);
  if (pin.albumOnly) return drawAlbum(pin, photoCount);
  const { latitude = 0, longitude = 0 } = pin.position ?? {};
  const photos = pin.photos ?? [];
  document.title = `${pin.name} · Waymark`;
  replace(
    page,
    pin.mapUrl && mapPicture(pin.mapUrl, t("Map around {name}", { name: pin.name })),
    el(
      "header", {}, el("h1", {}, pin.name),
      el("p", { class: "shared-facts" }, [
        `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
        pin.visitedDate && t("visited {day}", { day: DAY.format(new Date(pin.visitedDate)) }),
        pin.expireTime && t("shared until {day}", { day: DAY.format(new Date(pin.expireTime)) }),
      ].filter(Boolean).join(" · ")),
      el("p", {}, el(
        "a", { class: "button", href: `geo:${latitude},${longitude}?q=${latitude},${longitude}` },
        t("Open in a map app"),
      )),
      pin.note && el("p", { class: "shared-note" }, pin.note),
    ),
    el("h2", {}, t("Photos")),
    photos.length > 0 ? photoTiles(photos) : el("p", { class: "shared-none" }, t("There are no photos here.")),
    el("h2", {}, t("Around it")), places(pin),
  );
}

// Nothing says where it is.
function drawAlbum({ name = t("Photos"), photos = [], expireTime }, photoCount) {
  document.title = `${name} · Waymark`;
  const facts = [
    tn(photoCount, "{n} photo", "{n} photos"),
    expireTime && t("shared until {day}", { day: DAY.format(new Date(expireTime)) }),
  ].filter(Boolean).join(" · ");
  replace(
    page, el("header", {}, el("h1", {}, name), el("p", { class: "shared-facts" }, facts)),
    photos.length > 0 ? photoTiles(photos) : el("p", { class: "shared-none" }, t("There are no photos here.")),
  );
}

function drawList(shared) {
  document.title = `${shared.name} · Waymark`;
  const facts = [
    tn(shared.list.pinCount ?? 0, "{n} place", "{n} places"),
    shared.expireTime && t("shared until {day}", { day: DAY.format(new Date(shared.expireTime)) }),
  ].filter(Boolean).join(" · ");
  const { map, rows } = listParts(shared, DAY);
  replace(page, map, el("header", {}, el("h1", {}, shared.name), el("p", { class: "shared-facts" }, facts)), rows);
}

function places({ places: all = [] }) {
  if (all.length === 0) return el("p", { class: "shared-none" }, t("No places are known here."));
  replace(placeList, all.slice(0, PLACES_FIRST).map(row));
  return [placeList, morePlaces];
}

// Offers the places beyond the first ones, which are not in the page itself.
function offerPlaces({ places: all = [], placeCount = 0 }) {
  const more = all.slice(PLACES_FIRST);
  if (more.length === 0) return;
  const open = () => {
    placeList.append(...more.map(row));
    replace(
      morePlaces, placeCount > all.length && t("The nearest {n} of {all} places.", { n: all.length, all: placeCount }),
    );
  };
  replace(morePlaces, el("button", { class: "button", onclick: open }, t("Show {n} more", { n: more.length })));
}

function row({ name, categories = [], distanceM = 0 }) {
  const what = categories.length > 0 ? category({ categories }) : "";
  const far = distance(distanceM);
  return el(
    "li", {}, el(
      "strong", {}, name || what || t("A place"),
    ), el("span", {}, [name && what, far].filter(Boolean).join(" · ")),
  );
}

// A pin or a list that another account shares with one: the note, the map, the photos, to which one may add, and the
// places; or the list's pins.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act, read } from "../server/api.js";
import { mapPicture } from "../ground/mappicture.js";
import { addPhotos } from "../photos/addphotos.js";
import { complain, notice, reasonOf, say } from "../ground/notices.js";
import { showPanel } from "../map/panel.js";
import { back, go } from "../ground/router.js";
import { sharedPhotos } from "./sharedphotos.js";
import { loading, nothing } from "../ground/states.js";
import { askFirst } from "../ground/sure.js";
import { t, tn } from "../ground/text.js";
import { category, day, distance } from "../ground/words.js";

const SERVICE = "gateway.v1.SharedWithMeService";
const PLACES_FIRST = 12;
// Milliseconds until a photo that was added is looked for once more: it is shown when its thumbnail is made.
const SOON = 1000;
const MAXIMUM_LOOKS = 20;

// `inner` is a pin of a shared list.
export function openShared({ shared: id, inner }) {
  const title = el("h1");
  const sub = el("p", { class: "panel-sub" });
  const note = el("div");
  const parts = el("div", { class: "shared-parts" });
  const content = el("div", {}, note, parts);
  const up = inner ? { view: "shared", shared: id } : { view: "shared" };
  const awaited = new Map(); // id of a photo that was added → how often it was looked for
  const adding = addPhotos(undefined, content, (photo) => {
    awaited.set(photo.id, 0);
    load();
  }, {
    finish: async (uploadId) => (await read(`${SERVICE}/AddSharedPhoto`, { id, uploadId })).photo,
  });
  adding.button.hidden = true;
  const foot = el(
    "footer", { class: "album-foot" }, adding.button, el("span", { class: "spread" }), !inner && leaveButton(),
  );
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back(up) }, icon("back"), inner ? t("List") : t("Shared with me"),
    )),
    title, sub,
  );
  let isClosed = false;
  let again;

  showPanel({ head, content, foot, label: t("Shared with me"), stand: "half" });
  replace(note, loading(undefined, 3));
  load();

  async function load() {
    clearTimeout(again);
    const wait = (trouble) => !isClosed && !parts.hasChildNodes() && replace(note, loading(trouble, 3));
    try {
      const answer = await read(`${SERVICE}/GetSharedWithMe`, { id, pinId: inner }, wait);
      if (!isClosed) draw(answer);
    } catch (error) {
      if (isClosed) return;
      if (error.code === "not_found") return missed();
      replace(note, nothing("warning", t("This can't be shown"), reasonOf(error)));
    }
  }

  function missed() {
    notice(t("That is not shared with you any more"));
    go({ view: "shared" }, { replace: true });
  }

  function draw({ shared, content: pin }) {
    setText(title, pin.name);
    setText(sub, [
      t("Shared by {name}", { name: shared.ownerName }),
      pin.visitedDate && t("visited {day}", { day: day(pin.visitedDate) }),
    ].filter(Boolean).join(" · "));
    replace(note, adding.element);
    const mayAdd = shared.right === "GRANT_RIGHT_ADD_PHOTOS" && !shared.isList;
    adding.button.hidden = !mayAdd;
    replace(parts, pin.list ? listParts(pin) : pinParts(pin));
    lookAgain(pin.photos ?? []);
  }

  function lookAgain(photos) {
    for (const photo of photos) awaited.delete(photo.ownId);
    for (const [photo, looks] of awaited) {
      if (looks < MAXIMUM_LOOKS) awaited.set(photo, looks + 1);
      else awaited.delete(photo);
    }
    if (awaited.size > 0) again = setTimeout(load, SOON);
  }

  const pinParts = (pin) => [
    pin.mapUrl && mapPicture(pin.mapUrl, t("Map around {name}", { name: pin.name })),
    pin.note && el("p", { class: "shared-note" }, pin.note),
    el("h2", {}, t("Photos")), sharedPhotos(pin.photos ?? [], load),
    el("h2", {}, t("Around it")), places(pin),
  ];

  function listParts({ name, mapUrl, list: { colour, pins = [], pinCount = 0 } }) {
    if (pins.length === 0) return nothing("drop", t("No pins in it yet"), t("Who shares it can put pins into it."));
    return [
      el(
        "div", { class: "shared-marked", "data-colour": (colour ?? "LIST_COLOUR_BLUE").slice(12).toLowerCase() },
        mapPicture(mapUrl, t("Map of {name}", { name })), pins.map(mark),
      ),
      el("ul", { class: "lists" }, pins.map((pin) => el("li", { class: "list-row" }, el(
        "button", { class: "list-open", onclick: () => go({ view: "shared", shared: id, inner: pin.pinId }) },
        el("span", { class: "list-pin" }, icon("drop")),
        el(
          "span", { class: "row-text" }, el("span", { class: "row-name" }, pin.name),
          el(
            "span", { class: "row-more" },
            pin.visitedDate ? t("visited {day}", { day: day(pin.visitedDate) }) : position(pin),
          ),
        ),
      )))),
      pinCount > pins.length && el("p", { class: "panel-sub" }, tn(
        pinCount, "The last {shown} of {n} pin.", "The last {shown} of {n} pins.", { shown: pins.length },
      )),
    ];
  }

  function leaveButton() {
    const button = el("button", { class: "button" }, t("Take it off my list"));
    return askFirst(button, {
      asking: (isAsking) => setText(button, isAsking ? t("Press again") : t("Take it off my list")),
      async run() {
        try {
          await act("shares.v1.GrantService/DeleteGrant", { id });
          say(t("It is off your list."));
          go({ view: "shared" }, { replace: true });
        } catch (error) {
          complain(t("It is still on your list."), error);
        }
      },
    });
  }

  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
      clearTimeout(again);
    },
  };
}

// Where a pin is in the picture of the map; the rows say it in words.
function mark({ name, mapX = 0, mapY = 0 }) {
  const element = el("span", { class: "shared-mark", title: name, "aria-hidden": "true" });
  element.style.left = `${100 * mapX}%`;
  element.style.top = `${100 * mapY}%`;
  return element;
}

const position = ({ position: { latitude = 0, longitude = 0 } = {} }) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

function places({ places: all = [], placeCount = 0 }) {
  if (all.length === 0) return el("p", { class: "panel-sub" }, t("No places are known here."));
  const list = el("ul", { class: "shared-places" }, all.slice(0, PLACES_FIRST).map(placeRow));
  const rest = all.slice(PLACES_FIRST);
  const more = rest.length > 0 && el("button", {
    class: "button", onclick: () => {
      list.append(...rest.map(placeRow));
      more.replaceWith(
        placeCount > all.length ? t("The nearest {n} of {all} places.", { n: all.length, all: placeCount }) : "",
      );
    },
  }, t("Show {n} more", { n: rest.length }));
  return [list, more];
}

const placeRow = (place) => el(
  "li", {}, el("strong", {}, place.name || category(place) || t("A place")),
  el("span", {}, [place.name && category(place), distance(place.distanceM ?? 0)].filter(Boolean).join(" · ")),
);

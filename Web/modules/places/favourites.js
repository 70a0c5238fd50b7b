// The favourites over all pins and places, the newest first: places with a star, and photos; on the map where they are.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { read } from "../server/api.js";
import { L } from "../map/leaflet.js";
import { latLng } from "../map/map.js";
import { networkChips } from "../networks/networkchips.js";
import { photoDots } from "../photos/photodots.js";
import { showPanel } from "../map/panel.js";
import { showBounds } from "../map/sight.js";
import { starredPlaces } from "./starredplaces.js";
import { loading, nothing } from "../ground/states.js";
import { reasonOf } from "../ground/notices.js";
import { albumGrid } from "../photos/albumgrid.js";
import { albumTile } from "../photos/tile.js";
import { near } from "../map/turns.js";
import { back, go } from "../ground/router.js";
import { t, tn } from "../ground/text.js";

const PAGE = 60;

export function openFavourites(route, photosChanged) {
  const tally = el("p", { class: "panel-sub" });
  const chips = networkChips(() => draw());
  const grid = albumGrid();
  const note = el("div");
  const more = el("button", { class: "button", hidden: true, onclick: () => load() }, t("Show more"));
  const foot = el("div", { class: "more" }, more);
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map"),
    )),
    el("h1", {}, t("Favourites")), tally,
  );
  const tiles = new Map();
  const names = new Map();
  const dots = photoDots((photo) => openPhoto(photo));
  const stars = starredPlaces();
  let photos; // Undefined until the first page is there.
  let next = "";
  let isClosed = false;

  const content = el(
    "div", {}, stars.element, el("div", { class: "filters" }, chips.element), grid.element, note, foot,
  );
  showPanel({ head, content, label: t("Favourites"), stand: "half" });
  replace(note, loading(undefined, 3));
  load();

  async function load() {
    more.disabled = true;
    try {
      const request = { pageSize: PAGE, pageToken: next };
      const wait = (trouble) => {
        if (!photos && !isClosed) replace(note, loading(trouble, 3));
      };
      const [answer] = await Promise.all([
        read("photos.v1.PhotoService/ListFavourites", request, wait), photos ? undefined : stars.load(wait),
      ]);
      if (isClosed) return;
      const isFirst = !photos;
      const favourites = answer.favourites ?? [];
      for (const { photo, placeName } of favourites) names.set(photo.id, placeName ?? "");
      photos = [...photos ?? [], ...favourites.map(({ photo }) => photo)];
      next = answer.nextPageToken ?? "";
      draw();
      if (isFirst) fit();
      photosChanged();
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", t("The favourites can't be shown"), reasonOf(error)));
    }
    more.disabled = false;
  }

  function draw() {
    chips.offer(photos);
    const shown = passing();
    grid.show([{ title: "", tiles: shown.map((photo) => ({ photo, tile: tileOf(photo) })) }]);
    dots.show(shown);
    more.hidden = !next;
    const places = stars.places().length;
    setText(tally, [
      places > 0 && tn(places, "{n} place", "{n} places"),
      photos.length > 0 && (next
        ? tn(photos.length, "{n} photo so far", "{n} photos so far") : tn(photos.length, "{n} photo", "{n} photos")),
    ].filter(Boolean).join(" · "));
    if (photos.length === 0) replace(note, places === 0 && none());
    else replace(note, shown.length === 0 && noneOfThese());
  }

  const none = () => nothing(
    "star", t("No favourites yet"),
    t("Tap the star of a photo or a place: it is kept here, whatever becomes of its pin."),
  );

  function noneOfThese() {
    const all = el("button", { class: "button", onclick: chips.open }, t("Show all"));
    return nothing("select", t("None of these"), t("None of them is of what is chosen above."), all);
  }

  const passing = () => photos.filter(chips.passes);

  function tileOf(photo) {
    if (!tiles.has(photo.id)) {
      tiles.set(photo.id, albumTile({
        tapped: () => openPhoto(photo), hovered: (on) => dots.light(photo.id, on),
        placeName: () => names.get(photo.id) ?? "",
      }));
    }
    tiles.get(photo.id).draw(photo, false, false);
    return tiles.get(photo.id);
  }

  function openPhoto(photo) {
    go({ view: "favourites", photo: photo.id });
  }

  function fit() {
    const points = [...photos, ...stars.places()].filter(({ position }) => position)
      .map(({ position }) => near(latLng(position)));
    if (points.length > 0) showBounds(L.latLngBounds(points));
  }

  return {
    // The star of one may have been taken or set in the viewer.
    update(now) {
      if (photos && !now.photo) draw();
    },
    photos: () => photos && passing(),
    placeName: (now, photo) => names.get(photo.id) ?? "",
    close() {
      isClosed = true;
      dots.close();
      stars.close();
    },
  };
}

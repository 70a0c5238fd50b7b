// A pin's album: its pictures, each with a placeholder until it is loaded; a new collection, adding, removing
// and restoring.
import { append, el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { change } from "../server/api.js";
import { addPhotos } from "../photos/addphotos.js";
import { followAlbum, isFilling, photosOf } from "../photos/albums.js";
import { downloadButton } from "../ground/download.js";
import { goesByKeys } from "../ground/focus.js";
import { complain, notice, say } from "../ground/notices.js";
import { networkAsk } from "../networks/networkask.js";
import { networkChips } from "../networks/networkchips.js";
import { onPins, pinOf } from "./store.js";
import { pinHead } from "./pinhead.js";
import { showPanel } from "../map/panel.js";
import { showPinOnMap } from "./surroundings.js";
import { photoDots } from "../photos/photodots.js";
import { loading } from "../ground/states.js";
import { albumGrid } from "../photos/albumgrid.js";
import { albumTile } from "../photos/tile.js";
import { ORDERS, partsOf } from "../photos/days.js";
import { albumNote, albumProgress } from "../photos/albumtext.js";
import { go } from "../ground/router.js";
import { t, tn } from "../ground/text.js";

const tool = (label, mark, run) =>
  el("button", { class: "round", "aria-label": label, title: label, onclick: run }, icon(mark));

export function openAlbum(route, photosChanged) {
  const id = route.pin;
  const subject = `pin/${id}`;
  const head = pinHead(id, "album", () => surroundings.fit());
  const dots = photoDots((photo) => openPhoto(photo));
  const progress = albumProgress();
  const grid = albumGrid();
  const note = el("div");
  const chips = networkChips(() => state.album && draw(state));
  const ask = networkAsk("photos");
  const content = el("div", { class: "album" });
  const arrived = new Set();
  const adding = addPhotos(id, content, (photo) => {
    arrived.add(photo.id);
    reveal();
  });
  const download = downloadButton(id);
  const fresh = tool(t("New collection"), "refresh", newCollection);
  const choose = el("button", { class: "chip", onclick: () => selecting(!isSelecting) }, t("Select"));
  const remove = el(
    "button", { class: "chip danger", hidden: true, onclick: removeChosen }, icon("trash"), t("Remove"),
  );
  const options = Object.entries(ORDERS).map(([value, label]) => el("option", { value }, label));
  const order = el(
    "select", {
      class: "place-sort", "aria-label": t("Order of the photos"), onchange: () => state.album && draw(state),
    }, options,
  );
  const tools = el(
    "div", { class: "filters album-tools" }, progress.text, el("span", { class: "spread" }), remove, choose,
    adding.button, fresh, download, order, chips.element,
  );
  append(content, [progress.line, tools, adding.element, grid.element, note]);
  const tiles = new Map();
  const chosen = new Set();
  let isSelecting = false;
  let state = { photos: [], album: undefined, error: undefined, trouble: undefined };

  showPanel({ head: head.head, content, label: t("Album"), stand: "half" });
  const surroundings = showPinOnMap(id);
  replace(note, loading(undefined, 3));
  fresh.disabled = choose.disabled = true;
  const follower = followAlbum(subject, draw);
  const stopPins = onPins(({ changed }) => {
    if (!changed.has(id)) return;
    head.draw();
    surroundings.draw();
  });

  function draw(next) {
    const wasFilling = state.album && fresh.disabled;
    state = next;
    if (state.error) return replace(note, albumNote(state, {}));
    if (!state.album) return replace(note, loading(state.trouble, 3));
    chips.offer(state.photos);
    const photos = passing();
    for (const photo of [...chosen]) if (!photos.some((each) => each.id === photo)) chosen.delete(photo);
    grid.show(partsOf(photos, order.value).map(({ title, photos: some }) => (
      { title, tiles: some.map((photo) => ({ photo, tile: tileOf(photo) })) }
    )));
    for (const [photoId, tile] of tiles) if (!tile.element.parentNode) tiles.delete(photoId);
    reveal();
    dots.show(photos);
    progress.draw(state.album);
    const isHidden = photos.length === 0 && state.photos.length > 0;
    replace(note, albumNote(state, { restore, ask, isHidden, showAll: chips.open }));
    fresh.disabled = isFilling(state.album);
    choose.disabled = photos.length === 0;
    if (photos.length === 0 && isSelecting) selecting(false);
    drawChoice();
    photosChanged();
    if (wasFilling && !fresh.disabled) say(
      tn(state.photos.length, "The album is complete: {n} photo.", "The album is complete: {n} photos."),
    );
  }

  const passing = () => state.photos.filter(chips.passes);

  // With the mouse held, all that it goes over are chosen, or none of them.
  let paints;
  grid.element.addEventListener("pointerdown", ({ target }) => {
    paints = { id: target.closest(".tile")?.dataset.photo };
  });
  grid.element.addEventListener("pointerover", ({ target, buttons, pointerType }) => {
    const over = target.closest(".tile")?.dataset.photo;
    if (!isSelecting || buttons !== 1 || pointerType !== "mouse" || !paints?.id || !over || over === paints.id) return;
    paints.on ??= !chosen.has(paints.id);
    for (const each of [paints.id, over]) {
      if (paints.on) chosen.add(each);
      else chosen.delete(each);
    }
    drawChoice();
  });

  // What was just added is seen as soon as it is there.
  function reveal() {
    for (const photoId of arrived) {
      if (!tiles.has(photoId)) continue;
      tiles.get(photoId).element.scrollIntoView({ block: "nearest" });
      arrived.delete(photoId);
    }
  }

  function tileOf(photo) {
    if (!tiles.has(photo.id)) {
      tiles.set(photo.id, albumTile({
        tapped: () => tap(photo.id), hovered: (on) => dots.light(photo.id, on), placeName: () => pinOf(id)?.name ?? "",
      }));
    }
    const tile = tiles.get(photo.id);
    tile.draw(photo, isSelecting, chosen.has(photo.id));
    return tile;
  }

  function tap(photoId) {
    if (!isSelecting) return openPhoto({ id: photoId });
    if (!chosen.delete(photoId)) chosen.add(photoId);
    drawChoice();
  }

  function openPhoto(photo) {
    go({ view: "album", pin: id, photo: photo.id });
  }

  function selecting(on) {
    isSelecting = on;
    chosen.clear();
    drawChoice();
    if (on) say(t("Choose photos to remove."));
  }

  function drawChoice() {
    grid.element.classList.toggle("selecting", isSelecting);
    remove.hidden = !isSelecting;
    remove.disabled = chosen.size === 0;
    fresh.hidden = adding.button.hidden = isSelecting;
    download.hidden = isSelecting || !state.album || isFilling(state.album) || state.photos.length === 0;
    tools.classList.toggle("choosing", isSelecting);
    setText(remove.lastChild, chosen.size > 0 ? t("Remove {n}", { n: chosen.size }) : t("Remove"));
    setText(choose, isSelecting ? t("Done") : t("Select"));
    for (const photo of passing()) tiles.get(photo.id)?.draw(photo, isSelecting, chosen.has(photo.id));
  }

  async function newCollection() {
    fresh.disabled = true;
    say(t("Looking for other photos."));
    try {
      const { album } = await change("photos.v1.PhotoService/NewCollection", { subject });
      follower.take({ album });
    } catch (error) {
      fresh.disabled = false;
      complain(t("There is no new collection."), error);
    }
  }

  async function removeChosen() {
    const photoIds = [...chosen];
    try {
      const { album } = await change("photos.v1.PhotoService/RemovePhotos", { subject, photoIds });
      const kept = state.photos.filter((photo) => !photoIds.includes(photo.id));
      follower.take({ album, photos: kept, isWhole: true });
      selecting(false);
      const text = tn(photoIds.length, "{n} photo is removed", "{n} photos are removed");
      notice(text, { label: t("Undo"), run: () => restore(photoIds), isNext: goesByKeys() });
    } catch (error) {
      complain(t("The photos could not be removed."), error);
    }
  }

  // Restores these photos, or all that were ever removed.
  async function restore(photoIds = []) {
    try {
      await change("photos.v1.PhotoService/RestorePhotos", { subject, photoIds });
      say(t("The photos are back."));
    } catch (error) {
      complain(t("The photos could not be restored."), error);
    }
  }

  return {
    // A star or a heart may have been changed in the viewer.
    update(now) {
      if (state.album && !now.photo) drawChoice();
    },
    photos: () => photosOf(state) && partsOf(passing(), order.value).flatMap(({ photos }) => photos),
    placeName: () => pinOf(id)?.name ?? "",
    close() {
      follower.stop();
      stopPins();
      dots.close();
      surroundings.close();
    },
  };
}

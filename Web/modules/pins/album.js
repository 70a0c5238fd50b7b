// A pin's album: its pictures, each with a placeholder until it is loaded; a new collection, adding, removing
// and restoring.
import { append, arrange, el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { change } from "../server/api.js";
import { addPhotos } from "../photos/addphotos.js";
import { followAlbum, isFilling, photosOf } from "../photos/albums.js";
import { downloadButton } from "../ground/download.js";
import { complain, notice, say } from "../ground/notices.js";
import { mapHeader } from "../map/mapheader.js";
import { networkAsk } from "../networks/networkask.js";
import { networkChips } from "../networks/networkchips.js";
import { onPins, pinOf } from "./store.js";
import { pinHead } from "./pinhead.js";
import { showPanel } from "../map/panel.js";
import { showPinOnMap } from "./surroundings.js";
import { photoDots } from "../photos/photodots.js";
import { loading } from "../ground/states.js";
import { albumTile } from "../photos/tile.js";
import { albumNote, albumProgress } from "../photos/albumtext.js";
import { go } from "../ground/router.js";
import { count } from "../ground/words.js";

export function openAlbum(route, photosChanged) {
  const id = route.pin;
  const subject = `pin/${id}`;
  const head = pinHead(id, "album", () => surroundings.fit());
  const dots = photoDots((photo) => openPhoto(photo));
  const progress = albumProgress();
  const grid = el("div", { class: "album-grid" });
  const note = el("div");
  const chips = networkChips(() => state.album && draw(state));
  const ask = networkAsk("photos");
  const map = mapHeader();
  const content = el("div", { class: "album" });
  const arrived = new Set();
  const adding = addPhotos(id, content, (photo) => {
    arrived.add(photo.id);
    reveal();
  });
  const download = downloadButton(id);
  const top = el("div", { class: "album-top" }, progress.element, download);
  append(content, [map.element, adding.element, top, chips.element, grid, note]);
  const fresh = el("button", { class: "button", onclick: newCollection }, icon("refresh"), "New collection");
  const choose = el("button", { class: "button", onclick: () => selecting(!isSelecting) }, "Select");
  const remove = el("button", { class: "button danger", hidden: true, onclick: removeChosen }, icon("trash"), "Remove");
  const foot = el(
    "footer", { class: "album-foot" }, fresh, adding.button, el("span", { class: "spread" }), remove, choose,
  );
  const tiles = new Map();
  const chosen = new Set();
  let isSelecting = false;
  let state = { photos: [], album: undefined, error: undefined, trouble: undefined };

  showPanel({ head: head.head, content, foot, label: "Album", stand: "half" });
  const surroundings = showPinOnMap(id);
  replace(note, loading(undefined, 3));
  fresh.disabled = choose.disabled = true;
  const follower = followAlbum(subject, draw);
  const stopPins = onPins(({ changed }) => {
    if (!changed.has(id)) return;
    head.draw();
    map.draw(pinOf(id));
    surroundings.draw();
  });
  map.draw(pinOf(id));

  function draw(next) {
    const wasFilling = state.album && fresh.disabled;
    state = next;
    if (state.error) return replace(note, albumNote(state, {}));
    if (!state.album) return replace(note, loading(state.trouble, 3));
    chips.offer(state.photos);
    const photos = passing();
    for (const photo of [...chosen]) if (!photos.some((each) => each.id === photo)) chosen.delete(photo);
    arrange(grid, photos.map((photo) => tileOf(photo).element));
    for (const [photoId, tile] of tiles) if (!tile.element.parentNode) tiles.delete(photoId);
    reveal();
    dots.show(photos);
    progress.draw(state.album);
    const isHidden = photos.length === 0 && state.photos.length > 0;
    replace(note, albumNote(state, { restore, ask, isHidden, showAll: chips.open }));
    fresh.disabled = isFilling(state.album);
    choose.disabled = photos.length === 0;
    download.hidden = isFilling(state.album) || state.photos.length === 0;
    if (photos.length === 0 && isSelecting) selecting(false);
    drawChoice();
    photosChanged();
    if (wasFilling && !fresh.disabled) say(`The album is complete: ${count(state.photos.length, "photo", "photos")}.`);
  }

  const passing = () => state.photos.filter(chips.passes);

  // What was just added is seen as soon as it is there.
  function reveal() {
    for (const photoId of arrived) {
      if (!tiles.has(photoId)) continue;
      tiles.get(photoId).element.scrollIntoView({ block: "nearest" });
      arrived.delete(photoId);
    }
  }

  function tileOf(photo) {
    if (!tiles.has(photo.id)) tiles.set(photo.id, albumTile(() => tap(photo.id), (on) => dots.light(photo.id, on)));
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
    if (on) say("Choose photos to remove.");
  }

  function drawChoice() {
    grid.classList.toggle("selecting", isSelecting);
    remove.hidden = !isSelecting;
    remove.disabled = chosen.size === 0;
    fresh.hidden = adding.button.hidden = isSelecting;
    setText(remove.lastChild, chosen.size > 0 ? `Remove ${chosen.size}` : "Remove");
    setText(choose, isSelecting ? "Done" : "Select");
    for (const photo of passing()) tiles.get(photo.id)?.draw(photo, isSelecting, chosen.has(photo.id));
  }

  async function newCollection() {
    fresh.disabled = true;
    say("Looking for other photos.");
    try {
      const { album } = await change("photos.v1.PhotoService/NewCollection", { subject });
      follower.take({ album });
    } catch (error) {
      fresh.disabled = false;
      complain("There is no new collection.", error);
    }
  }

  async function removeChosen() {
    const photoIds = [...chosen];
    try {
      const { album } = await change("photos.v1.PhotoService/RemovePhotos", { subject, photoIds });
      const kept = state.photos.filter((photo) => !photoIds.includes(photo.id));
      follower.take({ album, photos: kept, isWhole: true });
      selecting(false);
      const text = `${count(photoIds.length, "photo is", "photos are")} removed`;
      notice(text, { label: "Undo", run: () => restore(photoIds) });
    } catch (error) {
      complain("The photos could not be removed.", error);
    }
  }

  // Restores these photos, or all that were ever removed.
  async function restore(photoIds = []) {
    try {
      await change("photos.v1.PhotoService/RestorePhotos", { subject, photoIds });
      say("The photos are back.");
    } catch (error) {
      complain("The photos could not be restored.", error);
    }
  }

  return {
    update() {},
    photos: () => photosOf(state)?.filter(chips.passes),
    placeName: () => pinOf(id)?.name ?? "",
    close() {
      follower.stop();
      stopPins();
      map.close();
      dots.close();
      surroundings.close();
    },
  };
}

// Tracks as lines on the map, and a card for the one that is pressed.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { reasonOf } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { distance } from "../ground/words.js";
import { colourOf, knownLists, listOf, loadLists, onLists } from "../lists/lists.js";
import { covered } from "../map/free.js";
import { L } from "../map/leaflet.js";
import { isPhone, map } from "../map/map.js";
import { makeRoom } from "../map/panel.js";
import { showBox } from "../map/sight.js";
import { near } from "../map/turns.js";
import { deleteTrack, onTracks, startTracks, tracksShown } from "./tracks.js";

const group = L.layerGroup();
let card;
let isDrawing = false;

export function drawTracks() {
  if (isDrawing) return;
  isDrawing = true;
  group.addTo(map);
  onTracks(draw);
  onLists(draw);
  startTracks();
}

export const nameOf = ({ name }) => name || t("Track");

// Its own colour, or that of its list.
export function colourOfTrack(track) {
  const list = listOf(track.listId);
  return track.colour ? colourOf(track) : list ? colourOf(list) : "blue";
}

function draw() {
  group.clearLayers();
  const tracks = tracksShown();
  if (tracks.some(({ listId }) => listId) && !knownLists()) loadLists().catch(() => {});
  for (const track of tracks) {
    for (const line of track.lines.map(nearLine)) {
      group.addLayer(L.polyline(line, { className: "track-edge", interactive: false }));
      const className = `track-line track-${colourOfTrack(track)}`;
      group.addLayer(L.polyline(line, { className, bubblingMouseEvents: false }).on("click", ({ latlng }) => openCard(track, latlng)));
    }
  }
}

// In the copy of the world that is in view.
function nearLine(line) {
  if (line.length === 0) return line;
  const turn = near(L.latLng(line[0])).lng - line[0][1];
  return line.map(([north, east]) => [north, east + turn]);
}

// Shows a track, and its card in its middle.
export function showTrack(track) {
  makeRoom();
  showBox(track.box);
  const line = track.lines[0] ?? [];
  if (line.length > 0) openCard(track, near(L.latLng(line[Math.floor(line.length / 2)])));
}

function openCard(track, point) {
  card?.remove();
  const trouble = el("p", { class: "row-more", role: "alert" });
  const close = () => card?.remove();
  const { top, right, bottom, left } = covered();
  card = L.popup({
    className: "callout", closeButton: false, autoClose: true, minWidth: 276, maxWidth: 276,
    autoPanPaddingTopLeft: isPhone() ? [10, top + 8] : [left, top - 30],
    autoPanPaddingBottomRight: isPhone() ? [56, bottom] : [right, bottom],
  }).setLatLng(point).setContent(el(
    "div", { class: "found-card", role: "dialog", "aria-label": nameOf(track) },
    el(
      "header", {}, el("h2", {}, nameOf(track)),
      el("button", { class: "round", "aria-label": t("Close"), onclick: close }, icon("close")),
    ),
    el("p", { class: "row-more" }, factsOf(track)), trouble,
    el("div", { class: "found-actions" }, deleteButton(track, trouble, close)),
  ));
  card.openOn(map);
}

export const factsOf = (track) => [distance(track.lengthM ?? 0), listOf(track.listId)?.name].filter(Boolean).join(" · ");

// With its word beside its mark, or as a label.
export function deleteButton(track, trouble, done, isSmall = false) {
  const words = el("span", {}, t("Delete the track"));
  const button = isSmall
    ? el("button", { class: "round", "aria-label": t("Delete the track") }, icon("trash"))
    : el("button", { class: "button" }, icon("trash"), words);
  return askFirst(button, {
    asking: (on) => {
      const text = on ? t("Press again to delete.") : t("Delete the track");
      if (isSmall) button.setAttribute("aria-label", text);
      else setText(words, text);
    },
    run: async () => {
      try {
        await deleteTrack(track.id);
        done();
      } catch (error) {
        setText(trouble, `${t("The track could not be deleted.")} ${reasonOf(error)}`);
      }
    },
  });
}

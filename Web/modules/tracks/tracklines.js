// Tracks as lines on the map, and a card for the one that is pressed.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { reasonOf } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { distance, duration, height } from "../ground/words.js";
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

export const nameOf = ({ name, isArea }) => name || (isArea ? t("Area|on the map") : t("Track"));

// Its own colour, or that of its list.
export function colourOfTrack(track) {
  const list = listOf(track.listId);
  return track.colour ? colourOf(track) : list ? colourOf(list) : "blue";
}

function draw() {
  group.clearLayers();
  const tracks = tracksShown();
  if (tracks.some(({ listId }) => listId) && !knownLists()) loadLists().catch(() => {});
  // Lines are drawn over areas.
  for (const track of tracks.filter(({ isArea }) => isArea)) {
    for (const area of track.areas) drawPiece(track, L.polygon, nearLines(area), "track-line track-area");
  }
  for (const track of tracks.filter(({ isArea }) => !isArea)) {
    for (const line of track.lines) drawPiece(track, L.polyline, nearLines([line])[0], "track-line");
  }
}

function drawPiece(track, shape, points, words) {
  group.addLayer(shape(points, { className: "track-edge", interactive: false, fill: false }));
  const className = `${words} track-${colourOfTrack(track)}`;
  const piece = shape(points, { className, bubblingMouseEvents: false });
  group.addLayer(piece.on("click", ({ latlng }) => openCard(track, latlng)));
}

// In the copy of the world that is in view, all in the same.
function nearLines(lines) {
  const start = lines[0]?.[0];
  if (!start) return lines;
  const turn = near(L.latLng(start)).lng - start[1];
  return lines.map((line) => line.map(([north, east]) => [north, east + turn]));
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

// "12.3 km · 640 m climb · 3 hr 20 min · Trips"
export const factsOf = (track) => [
  distance(track.lengthM ?? 0),
  track.climbM > 0 && !track.isArea && t("{height} climb", { height: height(track.climbM) }),
  track.seconds > 0 && duration(track.seconds), listOf(track.listId)?.name,
].filter(Boolean).join(" · ");

// With its word beside its mark, or as a label.
export function deleteButton(track, trouble, done, isSmall = false) {
  const label = track.isArea ? t("Delete the area") : t("Delete the track");
  const words = el("span", {}, label);
  const button = isSmall
    ? el("button", { class: "round", "aria-label": label }, icon("trash"))
    : el("button", { class: "button" }, icon("trash"), words);
  return askFirst(button, {
    asking: (on) => {
      const text = on ? t("Press again to delete.") : label;
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

// The status texts of an album: its progress, and why it is empty.
import { el, setText } from "../ground/dom.js";
import { isFilling } from "./albums.js";
import { reasonOf } from "../ground/notices.js";
import { nothing } from "../ground/states.js";
import { t, tn } from "../ground/text.js";
import { namingNetworks, plain } from "../ground/words.js";

// Where an album's photos come from, and how to add some.
const NONE = t("No source of photos has one of this spot. Add your own: choose them above, or drop them here.");
const AWAY = t("A source of photos did not answer: some may come. Add your own: choose them above, or drop them here.");
const OPERATOR = t("The server's operator can add some: “waymark up --pictures FOLDER” imports a folder of geotagged"
  + " pictures.");

// A bar, and the counters.
export function albumProgress() {
  const bar = el("div");
  const line = el(
    "div", { hidden: true, class: "album-progress", role: "progressbar", "aria-label": t("Pictures") }, bar,
  );
  const text = el("p", { class: "album-note", "aria-live": "polite" });
  return {
    line, text,
    draw(album) {
      const { photoCount = 0, readyCount = 0, failedCount = 0 } = album.summary ?? {};
      const searching = album.summary?.state === "ALBUM_STATE_SEARCHING";
      line.hidden = !isFilling(album);
      line.classList.toggle("busy", searching);
      bar.style.transform = searching ? "" : `scaleX(${photoCount > 0 ? (readyCount + failedCount) / photoCount : 0})`;
      setText(text, counters(album, { photoCount, readyCount, failedCount, searching }));
      text.hidden = text.textContent === "";
      // The tab says as much: where there is little room, it is enough.
      text.classList.toggle("plain", !isFilling(album) && failedCount === 0 && !album.repeatedCount);
    },
  };
}

function counters(album, { photoCount, readyCount, failedCount, searching }) {
  if (searching) return t("Looking for photos…");
  if (isFilling(album)) {
    return tn(photoCount, "{ready} of {n} picture", "{ready} of {n} pictures", { ready: readyCount });
  }
  const parts = [];
  if (photoCount > 0) parts.push(tn(photoCount, "{n} picture", "{n} pictures"));
  if (failedCount > 0) parts.push(t("{n} can't be loaded", { n: failedCount }));
  if (album.repeatedCount > 0) {
    parts.push(tn(album.repeatedCount, "{n} was shown before", "{n} were shown before"));
  }
  return parts.join(" · ");
}

function emptiness({ removedCount }, warning, ask) {
  if (removedCount > 0) return nothing("photo", t("No images"), t("All that were found are removed."));
  if (warning) return nothing("unplugged", t("No photos so far"), AWAY);
  return nothing("photo", t("No images"), NONE, ask.show(), el("p", {}, OPERATOR));
}

function noneOfThese(showAll) {
  const all = el("button", { class: "button", onclick: showAll }, t("Show all"));
  return nothing("select", t("None of these"), t("The choice of networks above hides all photos."), all);
}

// What is shown below the pictures, or in their place.
// `isHidden`: the choice of networks hides all that there are; `showAll` undoes it. `ask` offers networks that are off.
/** @type {(state: {album?: any, photos: any[], error?: any}, more: Record<string, any>) => any} */
export function albumNote({ album, photos, error }, { restore, ask, isHidden, showAll }) {
  if (error) return nothing("warning", t("The album can't be shown"), reasonOf(error));
  const parts = [];
  const warning = plain(namingNetworks(album.warning), "");
  if (warning) parts.push(el("p", { class: "album-note" }, warning));
  if (photos.length === 0 && !isFilling(album)) {
    parts.push(emptiness(album, warning, ask));
  }
  if (isHidden) parts.push(noneOfThese(showAll));
  if (album.removedCount > 0) {
    const text = `${tn(album.removedCount, "{n} photo is hidden.", "{n} photos are hidden.")} `;
    parts.push(el("p", { class: "album-note" }, text, el("button", { onclick: () => restore() }, t("Bring back"))));
  }
  return parts;
}

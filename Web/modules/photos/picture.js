// One photo in a frame: its blurred preview at once, the picture over it as soon as it is available.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { drawBlurhash } from "./blurhash.js";
import { askOnSight, forget } from "./onsight.js";
import { t } from "../ground/text.js";
import { bytes, percent, plain } from "../ground/words.js";

// A small one shows a smaller picture, which has enough pixels for 50 of the page's.
export function frame({ small = false } = {}) {
  const note = el("span", { class: "frame-note", hidden: true });
  const bar = el("span", { class: "frame-bar", hidden: true }, el("i"));
  const box = el("span", { class: "frame" }, note, bar);
  box.dataset.size = small ? "small" : "";
  return box;
}

const address = ({ dataset: { size } }, { smallUrl, thumbnailUrl, largeUrl }) =>
  (size === "small" && smallUrl) || (size === "large" && thumbnailUrl && largeUrl) || thumbnailUrl || smallUrl;

const COMING = ["PHOTO_STATE_WAITING", "PHOTO_STATE_DOWNLOADING"];

// Whether there is a picture to show of it: one that is there, or a small one that is made when it is asked for. What
// an album waits for is not asked for.
export const hasPicture = ({ state, thumbnailUrl, smallUrl }) =>
  Boolean(thumbnailUrl || (smallUrl && !COMING.includes(state)));

// A thumbnail has 320 pixels along its longer side; what is much larger on this screen gets the large picture.
const ENOUGH = 640;

// Says how large a frame is, in the page's pixels, before a photo is shown in it.
export function fit(box, width, height) {
  box.dataset.size = Math.max(width, height) * (devicePixelRatio || 1) > ENOUGH ? "large" : "";
}

// Shows a photo in a frame, also when it has changed since.
export function show(box, photo) {
  blur(box, photo);
  if (hasPicture(photo)) picture(box, photo);
  box.classList.toggle("waiting", COMING.includes(photo.state));
  tellProgress(box, photo);
  sign(box, photo);
}

function blur(box, photo) {
  if (!photo.placeholder || box.dataset.placeholder === photo.placeholder) return;
  box.dataset.placeholder = photo.placeholder;
  const canvas = box.querySelector("canvas") ?? el("canvas", { width: 32, height: 32 });
  if (drawBlurhash(canvas, photo.placeholder)) box.prepend(canvas);
}

function picture(box, photo) {
  // The ticket in a URL differs each time, while the picture stays the same. A picture that did not load is retried
  // only with another ticket.
  const url = address(box, photo);
  const isSmall = url === photo.smallUrl;
  const shown = `${photo.id} ${isSmall ? "small" : box.dataset.size}`;
  if (box.dataset.shown === shown || box.dataset.broken === url) return;
  box.dataset.shown = shown;
  const before = box.querySelector("img");
  const image = el("img", { alt: "", decoding: "async", draggable: "false" });
  image.addEventListener("load", () => image.classList.add("there"), { once: true });
  const gone = () => {
    delete box.dataset.shown;
    box.dataset.broken = url;
    image.remove();
    sign(box, photo);
  };
  if (isSmall) askOnSight(image, url, gone);
  else {
    image.addEventListener("error", gone, { once: true });
    image.src = url;
  }
  box.querySelector(".frame-note").before(image);
  if (before) {
    forget(before);
    before.remove();
  }
}

// A picture that is not there yet says so, and how much of it has come, as far as that is known.
function tellProgress(box, photo) {
  const [note, bar] = [".frame-note", ".frame-bar"].map((part) => box.querySelector(part));
  const fetched = Number(photo.fetchedByteCount ?? 0);
  const total = Number(photo.totalByteCount ?? 0);
  const isComing = photo.state === "PHOTO_STATE_DOWNLOADING";
  note.hidden = bar.hidden = !isComing && photo.state !== "PHOTO_STATE_WAITING";
  if (note.hidden) return;
  const share = total > 0 ? Math.min(1, fetched / total) : 0;
  bar.classList.toggle("busy", isComing && total === 0);
  bar.firstChild.style.transform = `scaleX(${share})`;
  const some = fetched > 0 ? bytes(fetched) : t("Loading");
  setText(note, !isComing ? t("Waits") : total > 0 ? percent(share) : some);
}

// One that failed says so; one of which nothing is known yet has a sign, so that no frame is only a box.
function sign(box, photo) {
  const failed = photo.state === "PHOTO_STATE_FAILED";
  const mark = failed ? "warning" : photo.placeholder || box.querySelector("img") ? "" : "photo";
  if (mark === (box.dataset.sign ?? "")) return;
  box.dataset.sign = mark;
  box.classList.toggle("failed", failed);
  box.querySelector(":scope > .icon")?.remove();
  if (mark) box.prepend(icon(mark));
  if (failed) box.title = plain(photo.failure, "");
}

// Width by height; pictures of unknown size are assumed to have a postcard's proportions.
export const proportion = (photo) => {
  const { width = 0, height = 0 } = photo;
  return width > 0 && height > 0 ? Math.max(0.5, Math.min(2.4, width / height)) : 1.4;
};

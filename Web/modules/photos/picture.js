// One photo in a frame: its blurred preview at once, the picture over it as soon as it is available.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { drawBlurhash } from "./blurhash.js";
import { bytes, plain } from "../ground/words.js";

// A small one shows a smaller picture, which has enough pixels for 50 of the page's.
export function frame({ small = false } = {}) {
  const note = el("span", { class: "frame-note", hidden: true });
  const box = el("span", { class: "frame" }, note);
  box.dataset.size = small ? "small" : "";
  return box;
}

const address = (box, photo) => (box.dataset.size === "small" && photo.smallUrl) || photo.thumbnailUrl;

// Shows a photo in a frame, also when it has changed since.
export function show(box, photo) {
  blur(box, photo);
  const isReady = photo.state === "PHOTO_STATE_READY" && photo.thumbnailUrl;
  box.classList.toggle("waiting", ["PHOTO_STATE_WAITING", "PHOTO_STATE_DOWNLOADING"].includes(photo.state));
  if (isReady) picture(box, photo);
  tellProgress(box, photo);
  fail(box, photo);
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
  if (box.dataset.photo === photo.id || box.dataset.broken === url) return;
  box.dataset.photo = photo.id;
  box.querySelector("img")?.remove();
  const image = el("img", { alt: "", decoding: "async", draggable: "false" });
  image.addEventListener("load", () => image.classList.add("there"), { once: true });
  image.addEventListener("error", () => {
    delete box.dataset.photo;
    box.dataset.broken = url;
    image.remove();
  }, { once: true });
  image.src = url;
  box.querySelector(".frame-note").before(image);
}

function tellProgress(box, photo) {
  const note = box.querySelector(".frame-note");
  const fetched = Number(photo.fetchedByteCount ?? 0);
  const total = Number(photo.totalByteCount ?? 0);
  note.hidden = photo.state !== "PHOTO_STATE_DOWNLOADING" || fetched === 0;
  if (!note.hidden) setText(note, total > 0 ? `${Math.round((fetched / total) * 100)} %` : bytes(fetched));
}

function fail(box, photo) {
  const failed = photo.state === "PHOTO_STATE_FAILED";
  if (failed === box.classList.contains("failed")) return;
  box.classList.toggle("failed", failed);
  box.querySelector(":scope > .icon")?.remove();
  if (failed) {
    box.prepend(icon("warning"));
    box.title = plain(photo.failure, "");
  }
}

// Width by height; pictures of unknown size are assumed to have a postcard's proportions.
export const proportion = (photo) => {
  const { width = 0, height = 0 } = photo;
  return width > 0 && height > 0 ? Math.max(0.5, Math.min(2.4, width / height)) : 1.4;
};

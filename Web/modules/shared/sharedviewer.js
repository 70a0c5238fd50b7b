// The photos of a shared pin: tiles, and one of them large, with who made it and under which licence.
import { el, replace } from "../ground/dom.js";
import { t } from "../ground/text.js";
import { wherePicture } from "../ground/wherepicture.js";

/** @type {HTMLDialogElement} */
const viewer = document.querySelector("dialog#shared-viewer");

const tiles = el("ul", { class: "shared-photos" });
const words = el("div", { class: "shared-words" });
let photos = [];
let at; // The one that is shown large.

export function photoTiles(first) {
  photos = first;
  replace(tiles, photos.map(tile));
  return tiles;
}

// All of them, and more of each than the page itself has; tiles that are there stay as they are.
export function addPhotos(all) {
  const more = all.slice(photos.length);
  tiles.append(...more.map((photo, index) => tile(photo, photos.length + index)));
  photos = [...all, ...photos.slice(all.length)];
  if (viewer.open) drawWords();
}

const tile = (photo, index) => el(
  "li", {}, el(
    "button", { "aria-label": label(photo, index), onclick: () => open(index) },
    el("img", { src: photo.thumbnailUrl, alt: "", loading: "lazy", width: photo.width, height: photo.height }),
  ),
);

const label = ({ title, author }, index) =>
  [title || t("Photo {n}", { n: index + 1 }), author && t("by {name}", { name: author })].filter(Boolean).join(", ");

function open(first) {
  at = first;
  const step = (by) => {
    at = (at + by + photos.length) % photos.length;
    draw();
  };
  const draw = () => {
    replace(
      viewer,
      el("img", { src: photos[at].largeUrl || photos[at].thumbnailUrl, alt: label(photos[at], at) }),
      words,
      el(
        "div", { class: "shared-buttons" },
        photos.length > 1 && el("button", { class: "button", onclick: () => step(-1) }, t("Earlier")),
        el("button", { class: "button", onclick: () => viewer.close() }, t("Close")),
        photos.length > 1 && el("button", { class: "button", onclick: () => step(1) }, t("Next")),
      ),
    );
    drawWords();
  };
  viewer.onkeydown = ({ key }) => {
    if (key === "ArrowLeft") step(-1);
    if (key === "ArrowRight") step(1);
  };
  viewer.onclick = ({ target }) => target === viewer && viewer.close();
  draw();
  viewer.showModal();
}

// Who made it and, if that is said, where.
function drawWords() {
  replace(words, wherePicture(photos[at]), el("p", {}, credit(photos[at]), source(photos[at])));
}

const credit = ({ title, author, licence }) => [title, author, licence].filter(Boolean).join(" · ");

// Only what leads to a page of the web: an address comes from outside.
function source({ sourceUrl = "" }) {
  if (!/^https?:\/\//.test(sourceUrl)) return undefined;
  return [" ", el("a", { href: sourceUrl, rel: "noopener noreferrer", target: "_blank" }, t("Source"))];
}

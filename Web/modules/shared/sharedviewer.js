// The photos of a shared pin: tiles, and one of them large, with who made it and under which licence.
import { el, replace, svg } from "../ground/dom.js";
import { t } from "../ground/text.js";
import { largePhotos } from "../ground/largephotos.js";

/** @type {HTMLDialogElement} */
const dialog = document.querySelector("dialog#shared-viewer");

const tiles = el("ul", { class: "shared-photos" });
let photos = [];
let viewer;

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
  viewer?.renew(photos);
}

const tile = (photo, index) => el(
  "li", {}, el(
    "button", { "aria-label": label(photo, index), onclick: () => open(index) },
    el("img", { src: photo.thumbnailUrl, alt: "", loading: "lazy", width: photo.width, height: photo.height }),
  ),
);

const label = ({ title, author }, index) =>
  [title || t("Photo {n}", { n: index + 1 }), author && t("by {name}", { name: author })].filter(Boolean).join(", ");

// The drawings are fetched when one is needed: the page itself has none.
const drawing = (name) => svg(
  "svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `/icons.svg#${name}` }),
);

function open(index) {
  viewer ??= largePhotos(dialog, { drawing, label });
  viewer.open(photos, index);
}

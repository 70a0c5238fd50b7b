// The photos of a pin that another account shares with one: tiles, and one of them large, with who made or added it.
// One's own are deleted there.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act } from "../server/api.js";
import { complain, say } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";

// `changed()` is called when one was deleted.
export function sharedPhotos(photos, changed) {
  if (photos.length === 0) return el("p", { class: "panel-sub" }, "There are no photos here.");
  return el("ul", { class: "shared-photos" }, photos.map((photo, index) => el("li", {}, el(
    "button", { "aria-label": label(photo, index), onclick: () => open(photos, index, changed) },
    el("img", { src: photo.thumbnailUrl, alt: "", loading: "lazy" }),
    photo.addedBy && el("span", {}, photo.ownId ? "by you" : `by ${photo.addedBy}`),
  ))));
}

const label = ({ title, author, addedBy }, index) =>
  [title || `Photo ${index + 1}`, author && `by ${author}`, addedBy && `added by ${addedBy}`].filter(Boolean).join(", ");

function open(photos, first, changed) {
  const dialog = el("dialog", { class: "shared-viewer", "aria-label": "Photo" });
  let at = first;
  const step = (by) => {
    at = (at + by + photos.length) % photos.length;
    draw();
  };
  const draw = () => replace(
    dialog,
    el("img", { src: photos[at].largeUrl || photos[at].thumbnailUrl, alt: label(photos[at], at) }),
    el("p", {}, credit(photos[at]), source(photos[at])),
    el(
      "div", { class: "shared-buttons" },
      photos.length > 1 && button("Previous photo", "back", () => step(-1)),
      photos[at].ownId && deleteButton(photos[at], dialog, changed),
      button("Close", "close", () => dialog.close()),
      photos.length > 1 && button("Next photo", "next", () => step(1)),
    ),
  );
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft") step(-1);
    if (key === "ArrowRight") step(1);
  });
  dialog.addEventListener("close", () => dialog.remove());
  draw();
  document.body.append(dialog);
  dialog.showModal();
}

const button = (name, mark, run) => el("button", { class: "round", "aria-label": name, title: name, onclick: run }, icon(mark));

function deleteButton({ ownId }, dialog, changed) {
  const made = button("Delete the photo", "trash");
  return askFirst(made, {
    asking: (on) => made.setAttribute("aria-label", on ? "Press again to delete the photo" : "Delete the photo"),
    async run() {
      try {
        await act("photos.v1.UploadService/DeletePhoto", { id: ownId });
        say("The photo is deleted.");
      } catch (error) {
        complain("The photo could not be deleted.", error);
      }
      dialog.close();
      changed();
    },
  });
}

const credit = ({ title, author, licence, addedBy, ownId }) =>
  [title, author, licence, addedBy && (ownId ? "added by you" : `added by ${addedBy}`)].filter(Boolean).join(" · ");

// Only what leads to a page of the web: an address comes from outside.
function source({ sourceUrl = "" }) {
  if (!/^https?:\/\//i.test(sourceUrl)) return undefined;
  return [" ", el("a", { href: sourceUrl, rel: "noopener noreferrer", target: "_blank" }, "Source")];
}

// The photos of a pin that another account shares with one: tiles, and one of them large, with who made or added it.
// One's own are deleted there.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act } from "../server/api.js";
import { complain, say } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { wherePicture } from "../ground/wherepicture.js";

// `changed()` is called when one was deleted.
export function sharedPhotos(photos, changed) {
  if (photos.length === 0) return el("p", { class: "panel-sub" }, t("There are no photos here."));
  return el("ul", { class: "shared-photos" }, photos.map((photo, index) => el("li", {}, el(
    "button", { "aria-label": label(photo, index), onclick: () => open(photos, index, changed) },
    el("img", { src: photo.thumbnailUrl, alt: "", loading: "lazy" }),
    photo.addedBy && el("span", {}, photo.ownId ? t("by you") : t("by {name}", { name: photo.addedBy })),
  ))));
}

const label = ({ title, author, addedBy }, index) => [
  title || t("Photo {n}", { n: index + 1 }), author && t("by {name}", { name: author }),
  addedBy && t("added by {name}", { name: addedBy }),
].filter(Boolean).join(", ");

function open(photos, first, changed) {
  const dialog = el("dialog", { class: "shared-viewer", "aria-label": t("Photo") });
  let at = first;
  const step = (by) => {
    at = (at + by + photos.length) % photos.length;
    draw();
  };
  const draw = () => replace(
    dialog,
    el("img", { src: photos[at].largeUrl || photos[at].thumbnailUrl, alt: label(photos[at], at) }),
    words(photos[at]),
    el(
      "div", { class: "shared-buttons" },
      photos.length > 1 && button(t("Previous photo"), "back", () => step(-1)),
      photos[at].ownId && deleteButton(photos[at], dialog, changed),
      button(t("Close"), "close", () => dialog.close()),
      photos.length > 1 && button(t("Next photo"), "next", () => step(1)),
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

// Who made or added it and, if that is said, where.
const words = (photo) => el(
  "div", { class: "shared-words" }, wherePicture(photo),
  el("p", {}, credit(photo), source(photo)),
);

const button = (name, mark, run) => el(
  "button", { class: "round", "aria-label": name, title: name, onclick: run }, icon(mark),
);

function deleteButton({ ownId }, dialog, changed) {
  const made = button(t("Delete the photo"), "trash");
  return askFirst(made, {
    asking: (on) => made.setAttribute("aria-label", on ? t("Press again to delete the photo") : t("Delete the photo")),
    async run() {
      try {
        await act("photos.v1.UploadService/DeletePhoto", { id: ownId });
        say(t("The photo is deleted."));
      } catch (error) {
        complain(t("The photo could not be deleted."), error);
      }
      dialog.close();
      changed();
    },
  });
}

const credit = ({ title, author, licence, addedBy, ownId }) =>
  [
    title, author, licence, addedBy && (ownId ? t("added by you") : t("added by {name}", { name: addedBy })),
  ].filter(Boolean).join(" · ");

// Only what leads to a page of the web: an address comes from outside.
function source({ sourceUrl = "" }) {
  if (!/^https?:\/\//i.test(sourceUrl)) return undefined;
  return [" ", el("a", { href: sourceUrl, rel: "noopener noreferrer", target: "_blank" }, t("Source"))];
}

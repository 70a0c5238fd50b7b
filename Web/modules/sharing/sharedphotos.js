// The photos of a pin that another account shares with one: tiles, and one of them large, with who made or added it.
// One's own are deleted there.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act } from "../server/api.js";
import { complain, say } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { button, largePhotos } from "../ground/largephotos.js";

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
  const dialog = el("dialog", { class: "photo-frame shared-viewer", tabindex: "-1", "aria-label": t("Photo") });
  const extra = (photo) => (photo.ownId ? deleteButton(photo, dialog, changed) : undefined);
  const viewer = largePhotos(dialog, { drawing: icon, label, added, extra });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  viewer.open(photos, first);
}

function deleteButton({ ownId }, dialog, changed) {
  const made = button(icon, t("Delete the photo"), "trash");
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

const added = ({ addedBy, ownId }) =>
  addedBy && (ownId ? t("added by you") : t("added by {name}", { name: addedBy }));

// The photos of one mark of the map, in a strip at its edge: one opens in the viewer, which goes through all of them.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { reasonOf } from "../ground/notices.js";
import { lookThrough } from "../photos/onephoto.js";
import { nameOf } from "../photos/photoname.js";
import { frame, hasPicture, proportion, show } from "../photos/picture.js";
import { go } from "../ground/router.js";
import { openCluster } from "../map/sight.js";
import { photosOf } from "./clusterphotos.js";
import { t, tn } from "../ground/text.js";

// As in map.css.
const HEIGHT = 104;
let open;

export async function openStrip(cluster, marker) {
  closeStrip();
  const title = el("h2", {}, tn(cluster.count, "{n} photo", "{n} photos"));
  const pictures = el("div", { class: "strip" }, el("div", { class: "skeleton" }));
  const nearer = tool(t("Closer"), "plus", () => openCluster(cluster));
  const close = tool(t("Close"), "close", closeStrip);
  const element = el(
    "section", { class: "photo-strip", "aria-label": t("Photos here") },
    el("header", {}, title, el("span", { class: "spread" }), nearer, close), pictures,
  );
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    closeStrip();
  });
  open = { element, marker };
  document.body.append(element);
  close.focus({ preventScroll: true });
  try {
    const found = await photosOf(cluster);
    if (open?.element !== element) return;
    // Those with a picture first.
    const photos = [true, false].flatMap((has) => found.filter((photo) => hasPicture(photo) === has));
    if (photos.length < cluster.count) title.append(` · ${t("{n} of them", { n: photos.length })}`);
    replace(pictures, photos.map((photo) => thumbnail(photo, photos)));
  } catch (error) {
    replace(pictures, el("p", {}, `${t("They can't be shown.")} ${reasonOf(error)}`));
  }
}

export function closeStrip() {
  if (!open) return;
  const { element, marker } = open;
  open = undefined;
  const hadFocus = element.contains(document.activeElement);
  element.remove();
  if (hadFocus) (marker.getElement() ?? document.getElementById("panel")).focus({ preventScroll: true });
}

const tool = (label, mark, run) =>
  el("button", { class: "round", "aria-label": label, title: label, onclick: run }, icon(mark));

function thumbnail(photo, all) {
  const box = frame();
  box.style.width = `${Math.round(HEIGHT * proportion(photo))}px`;
  show(box, photo);
  return el("button", {
    "aria-label": nameOf(photo), onclick() {
      lookThrough(all);
      go({ view: "home", photo: photo.id });
    },
  }, box);
}

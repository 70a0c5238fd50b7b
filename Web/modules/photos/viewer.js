// One photo on the whole page, with who made it, under which terms and where, and its star; arrows go through the
// album, and so does a finger.
import { append, el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act, read } from "../server/api.js";
import { drawBlurhash } from "./blurhash.js";
import { latLng, map } from "../map/map.js";
import { centre } from "../map/sight.js";
import { smallMap, zoomAround } from "../map/smallmap.js";
import { isFavourite, toggleStar } from "./star.js";
import { askLiked, heart } from "./heart.js";
import { nameOf } from "./photoname.js";
import { swipeable } from "../ground/swipe.js";
import { zoomable } from "../ground/zoom.js";
import { t } from "../ground/text.js";
import { networkName, networkOf, plain, takenDay } from "../ground/words.js";
import { back, go, route } from "../ground/router.js";
import { notice, reasonOf } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";

/** @type {HTMLDialogElement} */
const dialog = document.querySelector("dialog#viewer");
let shown;

export function startViewer() {
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "+" || event.key === "=") shown?.zoom.by(1.5);
    else if (event.key === "-") shown?.zoom.by(1 / 1.5);
    else if (event.key === "0") shown?.zoom.reset();
    else if (event.key === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) shown?.star?.click();
  });
}

export const isPhotoShown = () => dialog.open;

// Shows the photo of the address, from a list; `placeName` says of a photo what the pin or place with it is called. If
// it is shown already it stays, with its zoom.
export function showPhoto(id, photos, placeName) {
  const index = photos.findIndex((photo) => photo.id === id);
  const look = `${id} ${photos[index]?.state}`;
  if (shown?.look === look) {
    const isMoved = shown.index !== index || shown.photos.length !== photos.length;
    Object.assign(shown, { photos, index });
    if (isMoved) drawAround(photos[index], index);
    drawStar();
    return;
  }
  const liked = shown?.id === id ? shown.liked : askLiked(id);
  const before = shown?.index ?? index;
  const focused = dialog.open && nameOfFocused();
  shown?.where?.close();
  shown = { id, photos, placeName, look, liked, index };
  draw(photos[index], index);
  // It comes from the side that one goes to.
  dialog.querySelector(".stage").classList.add(index > before ? "from-right" : index < before ? "from-left" : "still");
  for (const near of [index + 1, index - 1]) fetchEarly(photos[near]);
  if (!dialog.open) dialog.showModal();
  dialog.focus();
  focusOn(focused);
}

// The focus is in the viewer: on the button that has taken the place of the one that had it, if there is one.
const nameOfFocused = () => document.activeElement?.getAttribute("aria-label");

function focusOn(name) {
  if (!name) return;
  /** @type {HTMLElement} */
  const same = dialog.querySelector(`button[aria-label="${CSS.escape(name)}"]`);
  same?.focus({ preventScroll: true });
}

// So that it is there when one goes on.
function fetchEarly(photo) {
  if (photo?.largeUrl) new Image().src = photo.largeUrl;
}

export function hidePhoto() {
  shown?.where?.close();
  shown = undefined;
  if (dialog.open) dialog.close();
}

function leave() {
  back({ ...route(), photo: undefined });
}

function step(by) {
  const index = shown.photos.findIndex(({ id }) => id === shown.id);
  const next = shown.photos[index + by];
  if (next) go({ ...route(), photo: next.id }, { replace: true });
}

function draw(photo, index) {
  const stage = el("div", { class: "stage" });
  if (photo) fillStage(stage, photo);
  else append(stage, [el("p", { class: "stage-note" }, t("This photo is not in the album any more."))]);
  shown.zoom = zoomable(stage);
  swipeable(stage, { may: () => !shown.zoom.isIn(), ended: (by) => (by === 0 ? leave() : step(by)) });
  shown.where = photo?.position && smallMap(latLng(photo.position), () => showOnMap(photo));
  shown.star = photo && round(t("Favourite"), "star", "star", () => star());
  const bar = el(
    "div", { class: "viewer-bar" },
    round(t("Zoom in"), "plus", "", () => shown.zoom.by(1.5)),
    round(t("Zoom out"), "minus", "", () => shown.zoom.by(1 / 1.5)),
    el("span", { class: "spread" }),
    photo?.position && round(t("Show it on the map"), "locate", "", () => showOnMap(photo)),
    photo && networkOf(photo.id) === "upload" && !photo.addedBy && deleteButton(photo),
    shown.star,
    round(t("Close"), "close", "", leave),
  );
  replace(dialog, bar, stage);
  drawAround(photo, index);
  drawStar();
}

// What leads to the photos around it, and what is said of it. The picture stays: a finger may be on it while an album
// fills.
function drawAround(photo, index) {
  const stage = dialog.querySelector(".stage");
  const focused = nameOfFocused();
  for (const part of dialog.querySelectorAll(".previous, .following, .credits")) part.remove();
  if (index > 0) stage.before(round(t("Previous photo"), "back", "previous", () => step(-1)));
  const isLast = index < 0 || index === shown.photos.length - 1;
  append(dialog, [
    !isLast && round(t("Next photo"), "next", "following", () => step(1)), photo && credits(photo, index),
  ]);
  if (dialog.open && !dialog.contains(document.activeElement)) {
    dialog.focus();
    focusOn(focused);
  }
}

// Its path in the folder of pictures.
const fileOf = (id) => id.slice(id.indexOf("/") + 1);

const photoShown = () => shown?.photos.find(({ id }) => id === shown.id);

function drawStar() {
  shown?.star?.setAttribute("aria-pressed", String(Boolean(photoShown() && isFavourite(photoShown()))));
}

function star() {
  const photo = photoShown();
  if (!photo) return;
  toggleStar(photo, shown.placeName(photo), (trouble) => {
    if (shown?.id !== photo.id) return;
    drawStar();
    complainHere(trouble);
  });
}

// Of a photo that one has uploaded.
function deleteButton(photo) {
  const button = round(t("Delete the photo"), "trash", "", () => {});
  return askFirst(button, {
    asking: (on) => button.setAttribute(
      "aria-label", on ? t("Press again to delete the photo") : t("Delete the photo"),
    ),
    run: async () => {
      try {
        await act("photos.v1.UploadService/DeletePhoto", { id: photo.id });
        leave();
        notice(t("The photo is deleted"));
      } catch (error) {
        complainHere(`${t("The photo could not be deleted.")} ${reasonOf(error)}`);
      }
    },
  });
}

function complainHere(trouble) {
  dialog.querySelector(".viewer-trouble")?.remove();
  if (!trouble) return;
  dialog.querySelector(".credits-words")?.append(el("p", { class: "viewer-trouble", role: "alert" }, trouble));
}

// Leads to where it was taken, so close that one sees where that is; its album or its place is beside the map.
function showOnMap(photo) {
  const point = latLng(photo.position);
  leave();
  centre(point, Math.max(map.getZoom(), zoomAround(point)));
}

// Why a photo is in the album that is open.
const REASONS = {
  PHOTO_REASON_NEAR: t("Taken near here"), PHOTO_REASON_FACING: t("The camera looked at this place"),
  PHOTO_REASON_NAMED: t("This place's own entry names it"),
};

function reasonFor({ id, reason, addedBy }) {
  if (!reason || networkOf(id) !== "upload") return REASONS[reason];
  return addedBy ? t("{name} added it", { name: addedBy }) : t("You added it");
}

const round = (label, mark, place, run) =>
  el("button", { class: `viewer-button ${place}`, "aria-label": label, onclick: run }, icon(mark));

// Shows what is available first: the blur, the small picture, the large one.
function fillStage(stage, photo) {
  const canvas = el("canvas", { width: 48, height: 48 });
  if (photo.placeholder && !photo.thumbnailUrl && drawBlurhash(canvas, photo.placeholder)) append(stage, [canvas]);
  if (photo.state === "PHOTO_STATE_FAILED") {
    append(
      stage, [el("p", { class: "stage-note" }, `${t("This picture can't be loaded.")} ${plain(photo.failure, "")}`)],
    );
  }
  const first = photo.thumbnailUrl || photo.smallUrl;
  if (first) append(stage, [el("img", { src: first, alt: "", draggable: "false" })]);
  if (!photo.largeUrl) return;
  const large = el("img", { class: "large", alt: nameOf(photo), draggable: "false" });
  large.addEventListener("load", () => large.classList.add("there"));
  large.addEventListener("error", () => askAgain(large, photo.id), { once: true });
  large.src = photo.largeUrl;
  append(stage, [large]);
}

// URLs of pictures expire; a page that was open over night gets a new one.
async function askAgain(large, id) {
  const { photo } = await read("photos.v1.PhotoService/GetPhoto", { id }).catch(() => ({}));
  if (photo?.largeUrl) large.src = photo.largeUrl;
  else large.remove();
}

function credits(photo, index) {
  const network = networkName(networkOf(photo.id));
  const facts = [
    [t("By"), photo.author || (networkOf(photo.id) !== "upload" && t("unknown"))],
    [t("Licence"), photo.licence],
    [t("From"), photo.addedBy ? t("{name}’s photos", { name: photo.addedBy }) : network],
    [t("Taken"), takenDay(photo)],
    [t("Camera"), [photo.camera, photo.lens].filter(Boolean).join(" · ")],
    [t("File"), networkOf(photo.id) === "folder" && fileOf(photo.id) !== nameOf(photo) && fileOf(photo.id)],
    [t("Also as"), photo.copyPaths?.join(", ")],
    [t("Near"), shown.placeName(photo)],
    [t("Why"), reasonFor(photo)],
  ].filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  return el(
    "div", { class: "credits" }, shown.where?.element,
    el(
      "div", { class: "credits-words" }, el("h2", {}, nameOf(photo)),
      el(
        "dl", {}, heart(photo, shown.liked), facts, sourceOf(photo),
        el("div", {}, el("dd", {}, t("{n} of {all}", { n: index + 1, all: shown.photos.length }))),
      ),
      photo.tags && el("ul", { class: "tags", "aria-label": t("Tags") }, photo.tags.map((tag) => el("li", {}, tag))),
    ),
  );
}

// A link may only lead to a web page.
function sourceOf(photo) {
  if (!/^https?:\/\//i.test(photo.sourceUrl ?? "")) return undefined;
  return el("div", {}, el("dd", {}, el(
    "a", { href: photo.sourceUrl, target: "_blank", rel: "noopener noreferrer" }, t("Source page"),
  )));
}

// Photos that someone shares, one on the whole page, with what is said of it and the ways to the others. The buttons
// stay while the photo changes, and so does the focus on them.
import { el, replace } from "./dom.js";
import { t } from "./text.js";
import { wherePicture } from "./wherepicture.js";
import { swipeable } from "./swipe.js";
import { zoomable } from "./zoom.js";

// Shows photos in a dialog. `drawing(name)` gives an icon, `label(photo, index)` what a picture is called;
// `added(photo)` says who added it, and `extra(photo)` is a button that it has besides.
export function largePhotos(dialog, { drawing, label, added = (_) => "", extra = (_) => undefined }) {
  let photos = [];
  let at = 0;
  const stage = el("div", { class: "stage" });
  const place = el("p", { class: "viewer-place", role: "status" });
  const own = el("span");
  const credits = el("div", { class: "credits" });
  const ways = [
    button(drawing, t("Previous photo"), "back", () => step(-1), "previous"),
    button(drawing, t("Next photo"), "next", () => step(1), "following"),
  ];
  const zoom = zoomable(stage);
  swipeable(stage, { may: () => !zoom.isIn(), ended: (by) => (by === 0 ? dialog.close() : step(by)) });
  const bar = el(
    "div", { class: "viewer-bar" }, place, el("span", { class: "spread" }), own,
    button(drawing, t("Close"), "close", () => dialog.close()),
  );
  replace(dialog, bar, ways[0], stage, ways[1], credits);
  dialog.onkeydown = ({ key }) => {
    if (key === "ArrowLeft") step(-1);
    if (key === "ArrowRight") step(1);
  };
  return { open, renew };

  function open(all, first) {
    [photos, at] = [all, first];
    draw();
    dialog.showModal();
    // What is open has the focus, and no button that looks as if it were chosen.
    dialog.focus();
  }

  // The same photos, of which more is known now; or more of them.
  function renew(all) {
    photos = all;
    if (dialog.open) drawAround();
  }

  // Behind the last one comes the first one.
  function step(by) {
    at = (at + by + photos.length) % photos.length;
    draw();
  }

  function draw() {
    const { thumbnailUrl, largeUrl } = photos[at];
    const first = el("img", { src: thumbnailUrl, alt: "", draggable: "false" });
    const large = el("img", { class: "large", alt: label(photos[at], at), draggable: "false" });
    large.addEventListener("load", () => large.classList.add("there"));
    large.src = largeUrl || thumbnailUrl;
    replace(stage, first, large);
    zoom.reset();
    replace(own, extra(photos[at]));
    drawAround();
    for (const near of [at + 1, at - 1]) if (photos[near]?.largeUrl) new Image().src = photos[near].largeUrl;
  }

  function drawAround() {
    const photo = photos[at];
    place.textContent = t("{n} of {all}", { n: at + 1, all: photos.length });
    for (const way of ways) way.hidden = photos.length < 2;
    replace(credits, wherePicture(photo), words(photo, at, added(photo)));
  }
}

// A round button of the viewer.
export const button = (drawing, name, mark, run = () => {}, where = "") =>
  el("button", { class: `viewer-button ${where}`, "aria-label": name, title: name, onclick: run }, drawing(mark));

function words({ title, author, licence, sourceUrl }, index, addition) {
  const facts = [[t("By"), author], [t("Licence"), licence]].filter(([, value]) => value)
    .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  return el(
    "div", { class: "credits-words" }, el("h2", {}, title || t("Photo {n}", { n: index + 1 })),
    el("dl", {}, facts, addition && el("div", {}, el("dd", {}, addition)), source(sourceUrl)),
  );
}

// Only what leads to a page of the web: an address comes from outside.
function source(url = "") {
  if (!/^https?:\/\//i.test(url)) return undefined;
  const link = el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, t("Source page"));
  return el("div", {}, el("dd", {}, link));
}

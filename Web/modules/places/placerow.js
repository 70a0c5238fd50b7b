// One place in the list, with its photos in a row. They are requested when the row comes near: a place's album starts
// to fill when it is opened. It is watched while the row is visible, because a page can watch only few at once.
import { append, el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { followAlbum, isFilling, photosOf } from "../photos/albums.js";
import { factsOf } from "./placefacts.js";
import { laterPages } from "../ground/later.js";
import { frame, proportion, show } from "../photos/picture.js";
import { sourceLink } from "./sources.js";
import { t, tn } from "../ground/text.js";
import { category, distance } from "../ground/words.js";
import { kindOf } from "./kinds.js";

// As in panel.css.
const HEIGHT = 108;
// Frames made before the photos are known.
const MAXIMUM = 12;

export function placeRow(place, { chosen, photo: openPhoto, changed, where }) {
  const name = el("span", { class: "row-name" });
  const more = el("span", { class: "row-more" });
  const kind = el("span", { class: "place-kind" });
  const source = el("p", { class: "place-source", hidden: true });
  const strip = el("div", { class: "strip", hidden: true });
  const facts = el("dl", { class: "place-facts", hidden: true });
  const head = el(
    "div", { class: "place-line" },
    el("button", { class: "place-head" }, kind, el("span", { class: "row-text" }, name, more)),
  );
  const element = el(
    "li", { class: "place", onclick: (event) => !event.target.closest(".strip, a") && chosen() },
    head, source, strip, facts,
  );
  // Its script comes later.
  laterPages().then(({ placeStar }) => head.append(placeStar(place, where())), () => {});
  element.dataset.place = place.id;
  let album;
  let photos;
  let isAsked = false;
  let grows = () => {};
  const titleOf = (photo) => photo.title || (place.name ? t("A photo of {place}", { place: place.name }) : t("Photo"));

  const near = new IntersectionObserver(
    (entries) => (entries.at(-1).isIntersecting ? follow() : leave()), { rootMargin: "240px 0px" },
  );

  function follow() {
    album ??= followAlbum(`place/${place.id}`, take, { always: false });
  }

  function leave() {
    album?.stop();
    album = undefined;
  }

  function take(state) {
    photos = photosOf(state) ?? photos;
    if (!photos && !state.error) return;
    if (strip.children.length !== (photos?.length ?? 0)) grows();
    makeRoom(photos?.length ?? 0);
    photos?.forEach((photo, index) => showIn(strip.children[index], photo));
    // Only the user's own actions change a complete album.
    if (state.album && !isFilling(state.album)) near.disconnect();
    changed();
  }

  // As many frames as there are going to be photos, so that nothing moves below the reader's eyes when they come.
  function makeRoom(photoCount) {
    strip.hidden = photoCount === 0;
    element.classList.toggle("single", photoCount === 1);
    while (strip.children.length > photoCount) strip.lastChild.remove();
    while (strip.children.length < photoCount) {
      const box = frame();
      box.style.width = `${Math.round(HEIGHT * proportion({}))}px`;
      append(strip, [el("button", { class: "strip-photo", "aria-label": titleOf({}) }, box)]);
    }
  }

  function showIn(button, photo) {
    button.onclick = () => openPhoto(photo);
    button.setAttribute("aria-label", titleOf(photo));
    button.firstChild.style.width = `${Math.round(HEIGHT * proportion(photo))}px`;
    show(button.firstChild, photo);
  }

  // Called when the place is selected; after a failure the next selection retries. Its own entry may name photos
  // although none was taken near it. `moved` is called when the row is about to grow.
  async function tell(moved) {
    grows = moved;
    if (!photos) near.observe(element);
    if (isAsked) return;
    isAsked = true;
    try {
      const rows = await factsOf(place);
      moved();
      replace(facts, rows);
      facts.hidden = facts.children.length === 0;
    } catch {
      isAsked = false;
    }
  }

  return {
    element,
    tell,
    photos: () => photos,
    // `standing` is "alone", or "first" of the places that are the same thing, or "behind" the first.
    draw(now, standing) {
      if (element.dataset.standing !== standing) {
        element.dataset.standing = standing;
        source.hidden = standing === "alone";
        replace(source, sourceLink(now), standing === "behind" && now.name && ` · ${now.name}`);
      }
      setText(name, now.name || category(now));
      const photoCount = now.photoCount ?? 0;
      const photosToo = photoCount > 1 ? ` · ${tn(photoCount, "{n} photo", "{n} photos")}` : "";
      setText(more, `${category(now)} · ${distance(now.distanceM ?? 0)}${photosToo}`);
      if (element.dataset.kind !== kindOf(now)) {
        element.dataset.kind = kindOf(now);
        replace(kind, icon(kindOf(now)));
      }
      element.classList.toggle("pictured", photoCount > 0);
      if (album || photos) return;
      makeRoom(Math.min(photoCount, MAXIMUM));
      if (photoCount > 0) near.observe(element);
    },
    light(on) {
      element.classList.toggle("lit", on);
      if (on) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    },
    close() {
      near.disconnect();
      leave();
    },
  };
}

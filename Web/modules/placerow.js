// One place in the list, with its photos beside each other. They are asked for when the row comes near: a place's
// album starts to fill when it is opened.
import { append, el, icon, replace, setText } from "./dom.js";
import { followAlbum } from "./albums.js";
import { frame, proportion, show } from "./picture.js";
import { category, count, distance, kindOf } from "./words.js";

export function placeRow(place, { chosen, photo: openPhoto }) {
  const name = el("span", { class: "row-name" });
  const more = el("span", { class: "row-more" });
  const kind = el("span", { class: "place-kind" });
  const strip = el("div", { class: "strip", hidden: true });
  const element = el(
    "li", { class: "place", onclick: (event) => !event.target.closest(".strip") && chosen() },
    el("button", { class: "place-head" }, kind, el("span", { class: "row-text" }, name, more)), strip,
  );
  element.dataset.place = place.id;
  let album;
  let photos = [];

  const near = new IntersectionObserver(([entry]) => entry.isIntersecting && open(), { rootMargin: "240px 0px" });

  function open() {
    near.disconnect();
    album ??= followAlbum(`place/${place.id}`, (state) => {
      photos = state.photos;
      strip.hidden = photos.length === 0;
      element.classList.toggle("single", photos.length === 1);
      photos.forEach((photo, index) => showIn(strip, index, photo));
      while (strip.children.length > photos.length) strip.lastChild.remove();
    }, { always: false });
  }

  function showIn(parent, index, photo) {
    let button = parent.children[index];
    if (!button) {
      button = el("button", { class: "strip-photo" }, frame());
      append(parent, [button]);
    }
    button.onclick = () => openPhoto(photo);
    button.setAttribute("aria-label", photo.title || "Photo");
    button.firstChild.style.width = `${Math.round(108 * proportion(photo))}px`;
    show(button.firstChild, photo);
  }

  return {
    element,
    photos: () => photos,
    draw(now) {
      setText(name, now.name || category(now));
      const photoCount = now.photoCount ?? 0;
      const photosToo = photoCount > 1 ? ` · ${count(photoCount, "photo", "photos")}` : "";
      setText(more, `${category(now)} · ${distance(now.distanceM ?? 0)}${photosToo}`);
      if (element.dataset.kind !== kindOf(now)) {
        element.dataset.kind = kindOf(now);
        replace(kind, icon(kindOf(now)));
      }
      element.classList.toggle("pictured", photoCount > 0);
      if (photoCount > 0 && !album) near.observe(element);
    },
    light(on) {
      element.classList.toggle("lit", on);
      if (on) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    },
    close() {
      near.disconnect();
      album?.stop();
    },
  };
}

// One thing around here in the list.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { kindOf } from "../places/kinds.js";
import { frame, show } from "../photos/picture.js";
import { sourceLine } from "../places/sources.js";
import { placeStar } from "../places/stars.js";
import { t } from "../ground/text.js";
import { category, distance } from "../ground/words.js";

// `chosen()` is called when it is tapped.
export function aroundRow(kind, thing, chosen) {
  const { mark, name, more } = SHOWN[kind](thing);
  return el("li", { class: "around-line" }, el(
    "button", { class: "around-row", "data-around": kind, onclick: chosen }, mark,
    el(
      "span", { class: "row-text" }, el("span", { class: "row-name" }, name),
      el("span", { class: "row-more" }, [more, distance(thing.distanceM ?? 0)].filter(Boolean).join(" · ")),
    ),
  ), kind === "places" && placeStar(thing), thing.sources && sourceLine([thing, ...thing.sources]));
}

const SHOWN = {
  places: (place) => ({
    mark: el("span", { class: "place-kind", "data-kind": kindOf(place) }, icon(kindOf(place))),
    name: place.name || category(place), more: place.name ? category(place) : "",
  }),
  pins: (pin) => ({ mark: el("span", { class: "around-mark" }, icon("waymark")), name: pin.name, more: t("your pin") }),
  photos: (photo) => {
    const box = frame({ small: true });
    show(box, photo);
    return { mark: box, name: photo.title || t("Photo"), more: photo.author };
  },
  posts: (post) => ({
    mark: el("span", { class: "around-mark" }, icon("person")), name: post.author, more: post.place,
  }),
};

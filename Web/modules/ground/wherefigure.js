// Where a photo was taken, beside it: a small map with a spot in its middle. It is a link, with what has to be said of
// the map below it, and hidden until there is a map.
import { el } from "./dom.js";

export function whereFigure(ground, attributes) {
  const by = el("figcaption", { class: "small-map-by" });
  const link = el("a", { class: "small-map-link", ...attributes }, ground, el("i", { class: "small-map-spot" }));
  return { element: el("figure", { class: "small-map", hidden: true }, link, by), link, by };
}

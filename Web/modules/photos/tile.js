// One picture of an album. When pictures are being selected, a tap marks it instead of opening it.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { frame, proportion, show } from "./picture.js";
import { isFavourite } from "./star.js";
import { plain } from "../ground/words.js";

const HEIGHT = 124;

export function albumTile(tapped, hovered) {
  const box = frame();
  const element = el("button", {
    class: "tile", onclick: tapped, onpointerenter: () => hovered(true), onpointerleave: () => hovered(false),
    onfocus: () => hovered(true), onblur: () => hovered(false),
  }, box, el("span", { class: "tile-check" }, icon("check")), el("span", { class: "tile-star" }, icon("star")));
  return {
    element,
    draw(photo, isSelecting, isChosen) {
      const shape = proportion(photo);
      element.style.flexGrow = String(Math.round(shape * 100));
      element.style.flexBasis = `${Math.round(shape * HEIGHT * 0.86)}px`;
      element.dataset.photo = photo.id;
      element.setAttribute("aria-label", labelOf(photo));
      element.classList.toggle("starred", isFavourite(photo));
      if (isSelecting) element.setAttribute("aria-pressed", String(isChosen));
      else element.removeAttribute("aria-pressed");
      show(box, photo);
    },
  };
}

function labelOf(photo) {
  const title = `${photo.title || "Photo"}${isFavourite(photo) ? ", a favourite" : ""}`;
  if (photo.state === "PHOTO_STATE_FAILED") return `${title}. It can't be loaded. ${plain(photo.failure, "")}`.trim();
  return photo.state === "PHOTO_STATE_READY" ? title : `${title}. Its picture is on its way.`;
}

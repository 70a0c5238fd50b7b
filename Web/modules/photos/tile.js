// One picture of an album, with its star. When pictures are being selected, a tap marks it instead of opening it.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { notice } from "../ground/notices.js";
import { isLiked } from "./heart.js";
import { nameOf } from "./photoname.js";
import { fit, frame, show } from "./picture.js";
import { isFavourite, toggleStar } from "./star.js";
import { t } from "../ground/text.js";
import { plain } from "../ground/words.js";

// `hovered(on)` is called while it is pointed at; `placeName(photo)` says where a photo with a star is from.
export function albumTile({ tapped, hovered, placeName }) {
  const box = frame();
  const check = el("span", { class: "tile-check" }, icon("check"));
  const open = el("button", { class: "tile-open", onclick: tapped }, box, check);
  const heart = el("span", { class: "tile-heart", hidden: true }, icon("heart"));
  const star = el("button", { class: "tile-star", onclick: press }, icon("star"));
  const element = el(
    "div", {
      class: "tile", onpointerenter: () => hovered(true), onpointerleave: () => hovered(false),
      onfocusin: () => hovered(true), onfocusout: () => hovered(false),
    }, open, heart, star,
  );
  let shown;

  function press() {
    toggleStar(shown, placeName(shown), (trouble) => {
      drawStar();
      if (trouble) notice(trouble);
    });
  }

  function drawStar() {
    const isOn = isFavourite(shown);
    element.classList.toggle("starred", isOn);
    star.setAttribute("aria-label", t("Favourite: {name}", { name: nameOf(shown) }));
    star.setAttribute("aria-pressed", String(isOn));
    star.title = isOn ? t("One of your favourites") : t("Make it a favourite");
    heart.hidden = !isLiked(shown.id);
  }

  return {
    element,
    // So large it is to be.
    size(width, height) {
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
      fit(box, width, height);
      show(box, shown);
    },
    draw(photo, isSelecting, isChosen) {
      shown = photo;
      element.dataset.photo = photo.id;
      open.setAttribute("aria-label", labelOf(photo));
      if (isSelecting) open.setAttribute("aria-pressed", String(isChosen));
      else open.removeAttribute("aria-pressed");
      star.hidden = isSelecting;
      drawStar();
      show(box, photo);
    },
  };
}

function labelOf(photo) {
  const name = nameOf(photo);
  if (photo.state === "PHOTO_STATE_FAILED") {
    return `${t("{name}. It can't be loaded.", { name })} ${plain(photo.failure, "")}`.trim();
  }
  return photo.state === "PHOTO_STATE_READY" ? name : t("{name}. Its picture is on its way.", { name });
}

// Choosing a point without a pointer: a cross stands in the middle, and the map is moved below it.
import { map } from "./map.js";
import { visibleMiddle } from "./free.js";
import { el } from "./dom.js";
import { hideBanner, showBanner } from "./banner.js";
import { say } from "./notices.js";

// Gives the chosen point, or nothing when a person thinks better of it.
export function aim(text, label) {
  const { promise, resolve } = Promise.withResolvers();
  const cross = document.getElementById("crosshair");
  const place = () => {
    const middle = visibleMiddle();
    cross.style.left = `${middle.x}px`;
    cross.style.top = `${middle.y}px`;
  };
  const end = (point) => {
    document.body.classList.remove("aiming");
    hideBanner();
    removeEventListener("keydown", keys, true);
    removeEventListener("resize", place);
    resolve(point);
  };
  const take = () => end(map.containerPointToLatLng(visibleMiddle()));
  const keys = (event) => {
    if (event.key === "Escape") end();
    else if (event.key === "Enter" && !event.target.closest("button, input")) take();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  showBanner(
    end, el("span", {}, text), el("button", { onclick: take }, label),
    el("button", { onclick: () => end() }, "Cancel"),
  );
  place();
  document.body.classList.add("aiming");
  addEventListener("keydown", keys, true);
  addEventListener("resize", place);
  map.getContainer().focus({ preventScroll: true });
  say(`${text} Arrow keys move the map, Enter takes the point, Escape goes back.`);
  return promise;
}

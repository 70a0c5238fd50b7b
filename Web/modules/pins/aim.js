// Choosing a point: a cross stands in the middle, and the map is moved below it; with a mouse, a click chooses it, too.
import { map } from "../map/map.js";
import { visibleMiddle } from "../map/free.js";
import { el } from "../ground/dom.js";
import { hideBanner, showBanner } from "../ground/banner.js";
import { say } from "../ground/notices.js";
import { t } from "../ground/text.js";

const hasMouse = matchMedia("(pointer: fine)");

let takeAt;

// Takes a point that was long-pressed; returns whether one is being chosen.
export function aimAt(point) {
  if (!takeAt) return false;
  takeAt(point);
  return true;
}

// `words` say what to do, with a mouse and without. Resolves to the point, or to nothing when the user cancels.
export function aim({ click: byMouse, touch }, label) {
  const text = hasMouse.matches ? byMouse : touch;
  const { promise, resolve } = Promise.withResolvers();
  const cross = document.getElementById("crosshair");
  const place = () => {
    const middle = visibleMiddle();
    cross.style.left = `${middle.x}px`;
    cross.style.top = `${middle.y}px`;
  };
  const end = (point) => {
    document.body.classList.remove("aiming");
    takeAt = undefined;
    map.off("click", click);
    hideBanner();
    removeEventListener("keydown", keys, true);
    removeEventListener("resize", place);
    resolve(point);
  };
  // A tap with a finger is made too easily, and the finger covers what it points at.
  const click = ({ latlng, originalEvent }) => {
    const isMouse = originalEvent.pointerType ? originalEvent.pointerType === "mouse" : hasMouse.matches;
    if (isMouse) end(latlng);
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
    el("button", { onclick: () => end() }, t("Cancel")),
  );
  place();
  takeAt = end;
  map.on("click", click);
  document.body.classList.add("aiming");
  addEventListener("keydown", keys, true);
  addEventListener("resize", place);
  map.getContainer().focus({ preventScroll: true });
  say(`${text} ${t("Arrow keys move the map, Enter takes the point, Escape goes back.")}`);
  return promise;
}

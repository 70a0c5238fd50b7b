// The head of an album: a picture of the map around its pin, which stretches as one pulls the album down.
import { el } from "../ground/dom.js";
import { LIMITS } from "../ground/limits.js";
import { panelBody } from "./panel.js";

// Its height in points, as the gateway draws it and panel.css shows it, and the narrowest and the widest that it draws.
const HEIGHT = 150;
const [NARROWEST, WIDEST] = LIMITS.GetPinMapRequest.width;
// How much it stretches of what is pulled, and by how many pixels at most.
const SHARE = 0.5;
const MAXIMUM = 110;
// After how many milliseconds without a turn of the wheel it lets go.
const LETS_GO = 140;

export function mapHeader() {
  const image = el("img", { alt: "", draggable: "false" });
  const box = el("div", { class: "map-header" }, image);
  image.addEventListener("load", () => box.classList.add("there"));
  // Without a picture the album begins with its photos.
  image.addEventListener("error", () => { box.hidden = true; });
  let shown;
  let pull = 0;
  let from; // Where the finger was when the album was at its top.
  let timer;

  const stop = listen({
    touchstart: ({ touches }) => { from = touches.length === 1 ? touches[0].clientY : undefined; },
    touchmove: ({ touches }) => {
      if (panelBody.scrollTop > 0 || from === undefined) from = touches[0]?.clientY;
      else stretch((touches[0].clientY - from) * SHARE);
    },
    touchend: () => stretch(0),
    touchcancel: () => stretch(0),
    wheel: ({ deltaY }) => {
      if (panelBody.scrollTop > 0 || (deltaY >= 0 && pull === 0)) return;
      stretch(pull - deltaY * SHARE);
      clearTimeout(timer);
      timer = setTimeout(() => stretch(0), LETS_GO);
    },
  });

  function stretch(pixels) {
    pull = Math.max(0, Math.min(MAXIMUM, pixels));
    box.classList.toggle("pulled", pull > 0);
    box.style.setProperty("--pull", `${pull}px`);
  }

  // The picture is asked for again only when the pin is somewhere else.
  function draw(pin) {
    const place = JSON.stringify(pin?.position);
    if (!pin || place === shown) return;
    shown = place;
    box.hidden = false;
    image.alt = `Map around ${pin.name}`;
    // As wide as the panel, so that all of it is seen, what its licences demand too.
    const width = Math.max(NARROWEST, Math.min(WIDEST, panelBody.clientWidth));
    const scale = devicePixelRatio > 1 ? 2 : 1;
    image.src = `/maps/${pin.id}?width=${width}&height=${HEIGHT}&scale=${scale}`;
  }

  return { element: box, draw, close: () => { clearTimeout(timer); stop(); } };
}

// Listens to the panel until the function that it returns is called.
function listen(listeners) {
  for (const [name, run] of Object.entries(listeners)) panelBody.addEventListener(name, run, { passive: true });
  return () => {
    for (const [name, run] of Object.entries(listeners)) panelBody.removeEventListener(name, run);
  };
}

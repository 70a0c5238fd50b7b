// The line at the map's top edge: what a tap or a key does in the current mode. There is one at a time, so that no mode
// stays on without its line: a new line ends the mode of the previous one.
import { replace } from "./dom.js";

const banner = document.getElementById("banner");
let giveWay;

// Shows a line; `ended` is called when another one takes its place.
export function showBanner(ended, ...content) {
  giveWay?.();
  giveWay = ended;
  replace(banner, content);
  banner.hidden = false;
}

export function hideBanner() {
  giveWay = undefined;
  banner.hidden = true;
}

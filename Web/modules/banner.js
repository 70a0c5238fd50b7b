// The line at the map's top edge: what a tap or a key does just now. There is one at a time, so that none goes on
// without being said: another line ends what the one before stood for.
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

// The figure of where a shared photo was taken, with a picture of the map that the server draws.
import { el } from "./dom.js";
import { dress } from "./mappicture.js";
import { t } from "./text.js";
import { whereFigure } from "./wherefigure.js";

// Undefined where it is not said where that was.
export function wherePicture({ position, mapUrl }) {
  if (!position || !mapUrl) return undefined;
  const at = `${position.latitude ?? 0},${position.longitude ?? 0}`;
  const image = el("img", { class: "small-map-ground", alt: "" });
  const { element, by } = whereFigure(image, { href: `geo:${at}?q=${at}`, "aria-label": t("Open in a map app") });
  begin();
  return element;

  // The picture itself has no room for what has to be said with it.
  async function begin() {
    const answer = await fetch(mapUrl).catch(() => undefined);
    if (!answer?.ok) return element.remove();
    by.textContent = decodeURIComponent(answer.headers.get("attribution") ?? "").split("; ").join(" · ");
    image.onload = () => { element.hidden = false; };
    dress(image, mapUrl);
  }
}

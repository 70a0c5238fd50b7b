// A picture of the map that the server draws, as light or dark as the page is.
import { el } from "./dom.js";

export function mapPicture(url, alt) {
  const image = el("img", { class: "shared-map", alt, width: 1200, height: 630 });
  dress(image, url);
  return image;
}

// Shows the picture in an image, now and when the page turns dark or light.
export function dress(image, url) {
  const show = () => {
    image.src = document.documentElement.dataset.theme === "dark" ? `${url}?dark=true` : url;
  };
  const follow = () => (image.isConnected ? show() : document.removeEventListener("themechange", follow));
  document.addEventListener("themechange", follow);
  show();
}

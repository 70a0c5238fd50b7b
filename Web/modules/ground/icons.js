// The drawings of icons.svg, loaded into the page once: later icons need no request, so they work offline.
import { svg } from "./dom.js";

const AGAIN = 3000;
const { promise, resolve } = Promise.withResolvers();

// Resolves when they are in the page.
export const drawings = promise;

// An icon that refers to a drawing in the page.
export const drawing = (name) => `#icon-${name}`;

// One of the drawings in icons.svg, in the colour of the text around it.
export function icon(name) {
  return svg(
    "svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: drawing(name) }),
  );
}

async function take() {
  try {
    const response = await fetch("/icons.svg");
    if (!response.ok) throw new Error(response.statusText);
    const sprite = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    for (const symbol of sprite.children) symbol.id = drawing(symbol.id).slice(1);
    sprite.setAttribute("hidden", "");
    document.body.append(document.adoptNode(sprite));
    resolve();
  } catch {
    setTimeout(take, AGAIN);
  }
}

take();

// The drawings of icons.svg, loaded into the page once: later icons need no request, so they work offline.
const AGAIN = 3000;

// An icon that refers to a drawing in the page.
export const drawing = (name) => `#icon-${name}`;

async function take() {
  try {
    const response = await fetch("/icons.svg");
    if (!response.ok) throw new Error(response.statusText);
    const sprite = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    for (const symbol of sprite.children) symbol.id = drawing(symbol.id).slice(1);
    sprite.setAttribute("hidden", "");
    document.body.append(document.adoptNode(sprite));
  } catch {
    setTimeout(take, AGAIN);
  }
}

take();

// The drawings of icons.svg, taken into the page once: what is drawn later needs nobody, not even the gateway.
const AGAIN = 3000;

// Of a drawing that stands in the page.
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

// The map's colours, defined in map.css with all others; read once for each theme, not for each line drawn.
let palette;

export function colours() {
  if (!palette) {
    const style = getComputedStyle(document.documentElement);
    palette = new Proxy({}, {
      get(known, name) {
        known[name] ??= style.getPropertyValue(`--map-${String(name)}`).trim();
        return known[name];
      },
    });
  }
  return palette;
}

document.addEventListener("themechange", () => { palette = undefined; });

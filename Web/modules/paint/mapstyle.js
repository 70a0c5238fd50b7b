// How the map is drawn: /map/styles.json, by which the server draws its pictures of the map too. A street has its width
// in pixels at zoom 16, the zoom from which on it is drawn, and its colours; the smallest come first. The drawings of
// marks are lines, 24 units wide.
let styles;
const paths = new Map();

export function useStyles(next) {
  styles = next;
}

export const mapStyles = () => styles;

export const streetStyle = (name) => styles.streets.find((style) => style.name === name);
export const widthAt = (style, zoom) => Math.max(style.least ?? 0.7, style.width * 1.62 ** (zoom - 16));

export function iconPath(name) {
  if (!paths.has(name)) paths.set(name, new Path2D(styles.icons[name]));
  return paths.get(name);
}

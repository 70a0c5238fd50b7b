// What a tile of a set is called, and which zoom level of it a view needs.
export const keyOf = (set, z, x, y) => `${set.path}/${z}/${x}/${y}`;

// Some sets have tiles that are wider than usual.
export const levelOf = ({ from, to, level, pixels = 256 }, zoom) =>
  level ?? Math.max(from, Math.min(to, zoom - Math.log2(pixels / 256)));

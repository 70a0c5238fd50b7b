// Rows of pictures from edge to edge, each picture in its own proportions.

// How much higher than usual the only row may be.
const LARGE = 2.4;

// How large each picture is, in whole pixels: {width, height}. `shapes` are widths by heights, `high` is how high a row
// should be, about. Rows are as wide as there is room; the last one may be shorter, and is as high as it should be.
export function rowsOf(shapes, { width, high, gap }) {
  const sizes = [];
  for (let from = 0; from < shapes.length;) {
    const count = countOf(shapes, from, { width, high, gap });
    const row = shapes.slice(from, from + count);
    const room = width - gap * (count - 1);
    const whole = room / sum(row);
    // At the end a picture alone would be as high as a page; where there is nothing else, it may be large.
    const most = from === 0 ? high * LARGE : high;
    const isShort = from + count === shapes.length && whole > Math.max(most, high * 1.5);
    sizes.push(...fitted(row, room, Math.round(isShort ? most : whole), isShort));
    from += count;
  }
  return sizes;
}

const sum = (row) => row.reduce((all, shape) => all + shape, 0);

// With how many pictures a row is nearest to the height that it should have.
function countOf(shapes, from, { width, high, gap }) {
  let before = Infinity;
  for (let count = 1; from + count <= shapes.length; count += 1) {
    const height = (width - gap * (count - 1)) / sum(shapes.slice(from, from + count));
    if (height <= high) return count > 1 && before - high < high - height ? count - 1 : count;
    before = height;
  }
  return shapes.length - from;
}

// Where the edges are is rounded, and not how wide each is: so no pixel is left over.
function fitted(row, room, height, isShort) {
  const scale = isShort ? height : room / sum(row);
  let at = 0;
  return row.map((shape) => {
    const start = Math.round(at);
    at += shape * scale;
    return { width: Math.min(room, Math.round(at)) - start, height };
  });
}

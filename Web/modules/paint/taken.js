// Which rectangles of the map are taken by a name; looked up by coarse cells, since there are thousands.
const CELL = 128;
// The least distance between two labels with the same name.
const APART = 420;

export class Taken {
  cells = new Map();
  names = new Map();

  // Claims a rectangle around a point, unless it is taken or the same name is near.
  claim(x, y, width, height, name) {
    /** @type {[number, number, number, number]} */
    const box = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    const alike = this.names.get(name) ?? [];
    if (alike.some(([px, py]) => Math.hypot(px - x, py - y) < APART)) return false;
    const cells = this.touched(box);
    if (cells.some((cell) => cell.some((other) => overlap(other, box)))) return false;
    for (const cell of cells) cell.push(box);
    if (name) this.names.set(name, [...alike, [x, y]]);
    return true;
  }

  touched([left, top, right, bottom]) {
    const cells = [];
    for (let x = Math.floor(left / CELL); x <= right / CELL; x += 1) {
      for (let y = Math.floor(top / CELL); y <= bottom / CELL; y += 1) {
        const key = `${x} ${y}`;
        if (!this.cells.has(key)) this.cells.set(key, []);
        cells.push(this.cells.get(key));
      }
    }
    return cells;
  }
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Few marks for many points: the important ones are shown, and those close to one are counted with it. How close
// depends on the zoom and the size of the screen alone, so that nothing changes while the map is moved.

// Two marks never touch each other.
export const LEAST = 40;

// Points are {id, x, y, importance}, in pixels of the zoom's whole world; the highest importance comes first. Returns
// marks {head, members}: a screen of that size contains at most `most` of them, wherever it lies.
export function thin(points, { width, height, most }) {
  const order = [...points].sort((a, b) => b.importance - a.importance || (a.id < b.id ? -1 : 1));
  for (let apart = LEAST; ; apart *= 1.2) {
    const marks = gather(order, apart);
    // Including those that are only partly visible at an edge.
    if (marks.length <= most || fits(marks, width + LEAST, height + LEAST, most)) return marks;
  }
}

// Each point joins the nearest mark within reach, or else becomes one.
function gather(order, apart) {
  const marks = [];
  for (const point of order) {
    let nearest;
    let least = apart ** 2;
    for (const mark of marks) {
      const far = (mark.head.x - point.x) ** 2 + (mark.head.y - point.y) ** 2;
      if (far < least) [nearest, least] = [mark, far];
    }
    if (nearest) nearest.members.push(point);
    else marks.push({ head: point, members: [point] });
  }
  return marks;
}

// Whether no window contains more. The window with the most marks can be moved until one mark lies on its left edge
// and one on its top.
function fits(marks, width, height, most) {
  const heads = marks.map(({ head }) => head).sort((a, b) => a.y - b.y);
  return heads.every(({ x: left }) => {
    const strip = heads.filter(({ x }) => x >= left && x <= left + width);
    return strip.every(({ y }, index) => index + most >= strip.length || strip[index + most].y > y + height);
  });
}

// Few marks for many points: the important ones stand, and those close to one are counted with it. How close that is
// depends on the zoom and the size of the screen alone, so that nothing changes while the map is moved.

// Two marks never touch each other.
export const LEAST = 40;

// Points are {id, x, y, importance}, in pixels of the zoom's whole world; the highest importance comes first. Gives
// marks {head, members}: wherever a screen of that size lies, it holds `most` of them or fewer.
export function thin(points, { width, height, most }) {
  const order = [...points].sort((a, b) => b.importance - a.importance || (a.id < b.id ? -1 : 1));
  for (let apart = LEAST; ; apart *= 1.2) {
    const marks = gather(order, apart);
    // With those that only peep in at an edge.
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

// Whether no window holds more. One that holds the most can be pushed until a mark lies on its left edge and one on its
// top.
function fits(marks, width, height, most) {
  const heads = marks.map(({ head }) => head).sort((a, b) => a.y - b.y);
  return heads.every(({ x: left }) => {
    const strip = heads.filter(({ x }) => x >= left && x <= left + width);
    return strip.every(({ y }, index) => index + most >= strip.length || strip[index + most].y > y + height);
  });
}

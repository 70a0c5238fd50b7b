// Lines as answers have them: steps from point to point, in millionths of a degree north and east, the first from zero.

const MILLIONTH = 1e-6;

// The points, as [latitude, longitude].
export function lineOf(steps) {
  const line = [];
  let [north, east] = [0, 0];
  for (let index = 0; index + 1 < steps.length; index += 2) {
    north += steps[index];
    east += steps[index + 1];
    line.push([north * MILLIONTH, east * MILLIONTH]);
  }
  return line;
}

// The smallest box around points, which may lie on both sides of the antimeridian.

// As the server sends it: east is less than west where the box crosses the antimeridian.
export function boxAround(positions) {
  const latitudes = positions.map(({ latitude = 0 }) => latitude);
  const longitudes = positions.map(({ longitude = 0 }) => longitude).sort((a, b) => a - b);
  // The box is what the widest gap leaves.
  let west = longitudes[0];
  let east = longitudes.at(-1);
  let widest = west + 360 - east;
  for (let i = 1; i < longitudes.length; i += 1) {
    const gap = longitudes[i] - longitudes[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    [east, west] = [longitudes[i - 1], longitudes[i]];
  }
  return {
    southWest: { latitude: Math.min(...latitudes), longitude: west },
    northEast: { latitude: Math.max(...latitudes), longitude: east },
  };
}

// Long work in slices: a frame is not kept waiting for more than a few milliseconds.
const SLICE = 5;
let end = 0;
let next;

const frame = () => {
  next ??= new Promise((resolve) => {
    requestAnimationFrame(() => {
      next = undefined;
      end = performance.now() + SLICE;
      resolve();
    });
  });
  return next;
};

// Whether there is time left for work in this frame.
export function hasTime() {
  const now = performance.now();
  if (now > end + 100) end = now + SLICE; // Nothing was done lately.
  return now < end;
}

// Goes on at once while there is time, or else in one of the next frames.
export async function breathe() {
  while (!hasTime()) await frame();
}

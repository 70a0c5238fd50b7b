// No label covers another: the selected one comes first, then the numbers, then the names of pins. A hidden name
// appears when its pin is pointed at.
import { Taken } from "./taken.js";

// In this order.
const LABELS = [
  ".place-flag", ".place-dot.lit", ".cluster-count", ".place-number", ".pin.selected .pin-name",
  ".pin:not(.selected) .pin-name",
];
let soon;

// In the next frame, when everything is in its place.
export function partLabels() {
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(part);
}

function part() {
  const taken = new Taken();
  const labels = LABELS.flatMap((label) => [...document.querySelectorAll(label)]);
  const boxes = labels.map((label) => label.getBoundingClientRect());
  labels.forEach((label, index) => {
    const { x, y, width, height } = boxes[index];
    label.classList.toggle("covered", !taken.claim(x + width / 2, y + height / 2, width, height));
  });
}

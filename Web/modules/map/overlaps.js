// No label covers another, nor a picture: the selected one comes first, then the numbers, then the names of pins where
// no picture stands. A hidden name appears when its pin is pointed at.
import { Taken } from "../paint/taken.js";
import { keepNamesClear, onBasemap } from "./basemap.js";

// In this order.
const LABELS = [
  ".place-flag", ".place-dot.lit", ".cluster-count", ".place-number", ".pin.selected .pin-name", ".photo-mark",
  ".pin:not(.selected) .pin-name",
];
// What names on the base map make room for, beside these labels; and as many as that is done for.
const MARKS = ".leaflet-marker-icon:not(.place-mark), .place-mark > *";
const MOST = 500;
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
  const marks = [...document.querySelectorAll(MARKS)].slice(0, MOST).map((mark) => mark.getBoundingClientRect());
  const seen = boxes.map(({ x, y, width, height }) => taken.claim(x + width / 2, y + height / 2, width, height));
  labels.forEach((label, index) => label.classList.toggle("covered", !seen[index]));
  keepNamesClear([...marks, ...boxes.filter((_, index) => seen[index])]
    .map(({ left, top, right, bottom }) => [left, top, right, bottom]));
}

// Pins may be there before it.
onBasemap(partLabels);
